//! Which cells can be reached from which: labels of connected components, kept up to date under edits.
//!
//! Labels belong to *runs*, the maximal sequences of free cells within a row; there are far fewer runs than cells.
//! Touching runs of neighboring rows are joined by union-find, so freeing cells simply joins labels. Blocking cells may
//! split a component. That can only have happened at the runs around the edit, so flood fills start from all of them
//! that do not touch each other there, and advance in turn. Two that meet become one, and once all but one have nowhere
//! left to go, everything they reached is cut off from that last one. The work is proportional to the smaller parts, or
//! to the short detours around the edit if nothing was cut off. Floods that have reached a large part of the map give
//! up, and everything is relabeled.

use core::ops::Range;
use std::collections::VecDeque;

use crate::grid::Grid;
use crate::grid::cell::{Cell, CellRect};
use crate::grid::cost::{CostRule, Length};
use crate::grid::fault::Corruption;
use crate::grid::unions::Unions;

/// No flood has reached a run.
const DRY: u32 = u32::MAX;

/// How many runs floods may always reach, however few there are.
const FLOODED: usize = 1024;
/// If floods have reached more than one run in this many, relabeling all of them is as cheap: floods jump from row to
/// row, while relabeling goes in memory order.
const WORTH_A_LABELING: usize = 8;

/// A run of free cells within a row, with a blocked cell at either end.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: u32,
    /// The column after its last cell.
    end: u32,
    /// A label that stands for the component; see [`Unions`].
    label: u32,
    /// The flood that has reached it, while there are floods.
    flood: u32,
}

/// A run by its row and its index within the row.
type Place = (u32, u32);

/// The labels of a map.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    /// Whether cells that touch by a corner are connected.
    diagonal: bool,
    /// The runs of each row, from left to right.
    rows: Vec<Vec<Run>>,
    /// Labels that stand for one component are in one set.
    labels: Unions,
    /// The number of labels after the last renumbering.
    renumbered: usize,
    /// How many runs floods may always reach.
    flooded: usize,
}

impl Components {
    /// Labels all free cells.
    pub(crate) fn new(grid: &Grid, rule: CostRule) -> Self {
        // If corners may not be cut, there are always two straight steps around a diagonal one.
        let diagonal = rule == CostRule::OctileCutting;
        let rows = vec![Vec::new(); grid.height() as usize];
        let mut components = Self { diagonal, rows, labels: Unions::default(), renumbered: 0, flooded: FLOODED };
        for y in 0..grid.height() {
            let runs = grid.free_runs(y, 0..grid.width());
            components.rows[y as usize].extend(runs.map(|(start, end)| Run { start, end, label: 0, flood: DRY }));
            components.rows[y as usize].shrink_to_fit();
        }
        components.label_all();
        components
    }

    /// Relabels every run.
    fn label_all(&mut self) {
        self.labels = Unions::default();
        for y in 0..self.rows.len() {
            for index in 0..self.rows[y].len() {
                self.rows[y][index].label = self.labels.add();
            }
            self.join_rows(y as u32, 0..u32::MAX);
        }
        self.renumber();
    }

    /// A label of the component of a cell, equal for two cells exactly if one can be reached from the other; `None` for
    /// a blocked cell.
    pub(crate) fn label(&self, cell: Cell) -> Option<u32> {
        let row = self.rows.get(cell.y as usize)?;
        let run = row[..row.partition_point(|run| run.start <= cell.x)].last()?;
        (cell.x < run.end).then(|| self.labels.root(run.label))
    }

    /// The free cell of a component, or of any, that is nearest to `goal` if walls are ignored; among equals the
    /// uppermost, then the leftmost.
    pub(crate) fn nearest(&self, label: Option<u32>, goal: Cell, rule: CostRule) -> Option<Cell> {
        let rows = self.rows.len() as u32;
        let nearest_in = |y: u32| {
            let runs = self.rows[y as usize].iter();
            let runs = runs.filter(|run| label.is_none_or(|label| self.labels.root(run.label) == label));
            let cells = runs.map(move |run| Cell::new(goal.x.clamp(run.start, run.end - 1), y));
            cells.map(|cell| (rule.distance(cell, goal), cell.y, cell.x)).min()
        };
        let mut nearest: Option<(Length, u32, u32)> = None;
        for away in 0..rows {
            let least = Length { straight: away, diagonal: 0 };
            if nearest.is_some_and(|(distance, ..)| distance < least) {
                break;
            }
            let below = goal.y.checked_add(away).filter(|y| *y < rows);
            let both = [goal.y.checked_sub(away), below].into_iter().flatten();
            nearest = both.filter_map(nearest_in).chain(nearest).min();
        }
        nearest.map(|(_, y, x)| Cell::new(x, y))
    }

    /// The component with the most cells; `None` if no cell is free.
    pub(crate) fn largest(&self) -> Option<u32> {
        let mut cells = vec![0_u32; self.labels.len()];
        for run in self.rows.iter().flatten() {
            cells[self.labels.root(run.label) as usize] += run.end - run.start;
        }
        let labels = (0..cells.len() as u32).filter(|label| cells[*label as usize] > 0);
        labels.max_by_key(|label| cells[*label as usize])
    }

    /// How many cells of a component lie in a rectangle on the map.
    pub(crate) fn count_cells(&self, label: u32, rect: CellRect) -> u64 {
        let rows = &self.rows[rect.y as usize..(rect.y + rect.height) as usize];
        let runs = rows.iter().flatten().filter(|run| self.labels.root(run.label) == label);
        let inside = |run: &Run| run.end.min(rect.x + rect.width).saturating_sub(run.start.max(rect.x));
        runs.map(|run| u64::from(inside(run))).sum()
    }

    /// Updates labels after cells in `rect` have changed. If none was blocked, nothing can have been split.
    pub(crate) fn update(&mut self, grid: &Grid, rect: CellRect, is_any_blocked: bool) {
        match (rect.width, rect.height, is_any_blocked) {
            (1, 1, true) => self.block(grid, Cell::new(rect.x, rect.y)),
            (1, 1, false) => self.free(Cell::new(rect.x, rect.y)),
            _ => self.update_all(grid, rect, is_any_blocked),
        }
        if self.labels.len() > 2 * self.renumbered + 1024 {
            self.renumber();
        }
    }

    fn update_all(&mut self, grid: &Grid, rect: CellRect, is_any_blocked: bool) {
        let columns = rect.x..rect.x + rect.width;
        let mut new = Vec::new();
        for y in rect.y..rect.y + rect.height {
            self.replace_runs(grid, y, columns.clone(), &mut new);
        }
        // Only runs with a changed cell, or next to one, can touch different runs than before.
        for y in rect.y..=(rect.y + rect.height).min(grid.height() - 1) {
            self.join_rows(y, rect.x.saturating_sub(1)..columns.end + 1);
        }
        if is_any_blocked {
            self.cut(grid, rect);
        }
    }

    /// Removes one cell from its run. If its neighbors remain connected around it, nothing is split.
    fn block(&mut self, grid: &Grid, cell: Cell) {
        let index = self.runs_in(cell.y, cell.x..cell.x + 1).start;
        let row = &mut self.rows[cell.y as usize];
        let run = row[index];
        match (run.start == cell.x, run.end == cell.x + 1) {
            (true, true) => drop(row.remove(index)),
            (true, false) => row[index].start += 1,
            (false, true) => row[index].end -= 1,
            (false, false) => {
                row[index].end = cell.x;
                row.insert(index + 1, Run { start: cell.x + 1, ..run });
            }
        }
        if is_split(grid.walls_around(cell), self.diagonal) {
            self.cut(grid, CellRect::one(cell));
        }
    }

    /// Adds one cell to the runs beside it, and joins what it touches.
    fn free(&mut self, cell: Cell) {
        let row = &self.rows[cell.y as usize];
        let index = row.partition_point(|run| run.end < cell.x);
        let before = row.get(index).filter(|run| run.end == cell.x).copied();
        let next = index + usize::from(before.is_some());
        let after = row.get(next).filter(|run| run.start == cell.x + 1).copied();
        match (before, after) {
            (Some(before), Some(after)) => {
                self.labels.join(before.label, after.label);
                self.rows[cell.y as usize][index].end = after.end;
                self.rows[cell.y as usize].remove(next);
            }
            (Some(_), None) => self.rows[cell.y as usize][index].end += 1,
            (None, Some(_)) => self.rows[cell.y as usize][index].start -= 1,
            (None, None) => {
                let run = Run { start: cell.x, end: cell.x + 1, label: self.labels.add(), flood: DRY };
                self.rows[cell.y as usize].insert(index, run);
            }
        }
        let reach = u32::from(self.diagonal);
        self.join_rows(cell.y, cell.x..cell.x + 1);
        if cell.y as usize + 1 < self.rows.len() {
            self.join_rows(cell.y + 1, cell.x.saturating_sub(reach)..cell.x + 1 + reach);
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let runs: usize = self.rows.iter().map(Vec::capacity).sum();
        runs * size_of::<Run>() + size_of_val(&self.rows[..]) + self.labels.bytes()
    }

    /// Compares the runs with the grid's, and the labels with fresh ones: they must be the same up to renaming.
    pub(crate) fn validate(&self, grid: &Grid, rule: CostRule) -> Result<(), Corruption> {
        let fresh = Self::new(grid, rule);
        let (mut names, mut fresh_names) = (vec![None; self.labels.len()], vec![None; fresh.labels.len()]);
        for (y, (runs, expected)) in self.rows.iter().zip(&fresh.rows).enumerate() {
            let ends = |runs: &[Run]| runs.iter().map(|run| (run.start, run.end, run.flood)).collect::<Vec<_>>();
            let (found, expected_ends) = (ends(runs), ends(expected));
            Corruption::unless(found == expected_ends, || format!("row {y}: runs {found:?}, not {expected_ends:?}"))?;
            for (run, expected) in runs.iter().zip(expected) {
                let (label, fresh_label) = (self.labels.root(run.label), fresh.labels.root(expected.label));
                let is_same = *names[label as usize].get_or_insert(fresh_label) == fresh_label
                    && *fresh_names[fresh_label as usize].get_or_insert(label) == label;
                Corruption::unless(is_same, || format!("row {y}: {run:?} with the label of another component"))?;
            }
        }
        Ok(())
    }

    /// Recomputes the runs of a row that lie in some columns or end beside them. A run takes the joined labels of all
    /// old runs that it overlaps. `new` is empty memory.
    fn replace_runs(&mut self, grid: &Grid, y: u32, columns: Range<u32>, new: &mut Vec<Run>) {
        let places = self.runs_in(y, columns.start.saturating_sub(1)..columns.end + 1);
        let mut row = core::mem::take(&mut self.rows[y as usize]);
        let old = &row[places.clone()];
        let start = old.first().map_or(columns.start, |run| run.start.min(columns.start));
        let end = old.last().map_or(columns.end, |run| run.end.max(columns.end));
        for (start, end) in grid.free_runs(y, start..end) {
            let first = old.partition_point(|run| run.end <= start);
            let overlapped = old[first..].iter().take_while(|run| run.start < end);
            let label = overlapped.map(|run| run.label).reduce(|a, b| {
                self.labels.join(a, b);
                a
            });
            let label = label.unwrap_or_else(|| self.labels.add());
            new.push(Run { start, end, label, flood: DRY });
        }
        row.splice(places, new.drain(..));
        self.rows[y as usize] = row;
    }

    /// Joins the labels of the runs of row `y` that have a cell in some columns with those they touch in the row above.
    fn join_rows(&mut self, y: u32, columns: Range<u32>) {
        let Some(above) = y.checked_sub(1) else { return };
        for index in self.runs_in(y, columns) {
            let run = self.rows[y as usize][index];
            for touching in self.touching(run, above) {
                self.labels.join(run.label, self.rows[above as usize][touching].label);
            }
        }
    }

    /// The indices of the runs of a row that have a cell in some columns.
    fn runs_in(&self, y: u32, columns: Range<u32>) -> Range<usize> {
        let row = &self.rows[y as usize];
        let first = row.partition_point(|run| run.end <= columns.start);
        first..first + row[first..].partition_point(|run| run.start < columns.end)
    }

    /// The indices of the runs in a neighboring row that touch this one.
    fn touching(&self, run: Run, y: u32) -> Range<usize> {
        let reach = u32::from(self.diagonal);
        let row = &self.rows[y as usize];
        let first = row.partition_point(|other| other.end + reach <= run.start);
        let end = first + row[first..].partition_point(|other| other.start < run.end + reach);
        first..end
    }

    /// Relabels what the blocked cells of a rectangle have cut off.
    fn cut(&mut self, grid: &Grid, rect: CellRect) {
        let around = rect.widened(1, 1).clamped(grid.width(), grid.height());
        let mut seeds: Vec<Place> = Vec::new();
        for y in around.y..around.y + around.height {
            let places = self.runs_in(y, around.x..around.x + around.width);
            seeds.extend(places.map(|index| (y, index as u32)));
        }
        let seeds = self.apart(&seeds);
        // As numbers, by label: this crate sorts nothing else, so small programs contain one sort.
        let label = |place: &Place| u64::from(self.labels.root(self.run(*place).label));
        let mut order: Vec<u64> = (0..).zip(&seeds).map(|(at, place): (u64, _)| label(place) << 32 | at).collect();
        order.sort_unstable();
        let seeds: Vec<Place> = order.into_iter().map(|number| seeds[number as u32 as usize]).collect();
        let mut rest = &seeds[..];
        while let Some(first) = rest.first() {
            let label = self.labels.root(self.run(*first).label);
            let count = rest.partition_point(|place| self.labels.root(self.run(*place).label) == label);
            let (same, others) = rest.split_at(count);
            if same.len() > 1 && !Floods::new(self, same).run() {
                return self.label_all();
            }
            rest = others;
        }
    }

    /// One of each group of runs that touch each other, given all runs around a rectangle, row by row.
    fn apart(&self, seeds: &[Place]) -> Vec<Place> {
        let mut unions = Unions::apart(seeds.len() as u32);
        let (mut above, mut first) = (0..0, 0);
        for row in seeds.chunk_by(|a, b| a.0 == b.0) {
            // Between two rows there may be one without a run.
            let is_next = |above: &Range<usize>| !above.is_empty() && seeds[above.start].0 + 1 == row[0].0;
            for seed in (first..first + row.len()).filter(|_| is_next(&above)) {
                let (y, first_above) = seeds[above.start];
                let touching = self.touching(*self.run(seeds[seed]), y);
                let among = |index: usize| (index + above.start).checked_sub(first_above as usize);
                for other in touching.filter_map(among).filter(|other| above.contains(other)) {
                    unions.join(seed as u32, other as u32);
                }
            }
            (above, first) = (first..first + row.len(), first + row.len());
        }
        (0..).zip(seeds).filter(|(seed, _)| unions.root(*seed) == *seed).map(|(_, place)| *place).collect()
    }

    fn count_runs(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    fn run(&self, (y, index): Place) -> &Run {
        &self.rows[y as usize][index as usize]
    }

    fn run_mut(&mut self, (y, index): Place) -> &mut Run {
        &mut self.rows[y as usize][index as usize]
    }

    /// Labels every run with its root, and numbers the roots from 0.
    fn renumber(&mut self) {
        let mut names = vec![DRY; self.labels.len()];
        let mut count = 0;
        for y in 0..self.rows.len() {
            for index in 0..self.rows[y].len() {
                let name = &mut names[self.labels.root(self.rows[y][index].label) as usize];
                if *name == DRY {
                    *name = count;
                    count += 1;
                }
                self.rows[y][index].label = *name;
            }
        }
        self.labels = Unions::apart(count);
        self.renumbered = self.labels.len();
    }
}

/// Whether blocking a cell among these walls may split a component: whether the free cells around it form more than one
/// group of neighbors.
const fn is_split(walls: u8, diagonal: bool) -> bool {
    // Straight neighbors are the even bits. If corners may be cut, those on either side of a blocked corner are one group.
    let straight = !walls & 0b0101_0101;
    let around = if diagonal { !walls | straight.rotate_left(1) & straight.rotate_right(1) } else { !walls };
    // A group begins where a bit is set and the one before is not. Of cells at corners alone, groups count only if
    // corners may be cut.
    let alone = around & 0b1010_1010 & !around.rotate_left(1) & !around.rotate_right(1);
    let groups = if diagonal { around } else { around & !alone };
    (groups & !groups.rotate_left(1)).count_ones() > 1
}

/// Floods from several runs that were one component before the edit.
struct Floods<'a> {
    components: &'a mut Components,
    /// By flood, another that it has met; itself if it has met none.
    met: Vec<u32>,
    /// By flood, the runs whose neighbors are still to be visited.
    ahead: Vec<VecDeque<Place>>,
    /// By flood, all runs it has reached.
    wet: Vec<Vec<Place>>,
}

impl<'a> Floods<'a> {
    fn new(components: &'a mut Components, seeds: &[Place]) -> Self {
        let mut floods = Self { components, met: Vec::new(), ahead: Vec::new(), wet: Vec::new() };
        for (flood, place) in (0..).zip(seeds) {
            floods.components.run_mut(*place).flood = flood;
            floods.met.push(flood);
            floods.ahead.push(VecDeque::from([*place]));
            floods.wet.push(vec![*place]);
        }
        floods
    }

    /// Lets the floods advance run by run, in turn, while more than one is left; those that end get a new label.
    /// Returns false if they have reached too many runs and have given up.
    fn run(mut self) -> bool {
        let mut afloat: Vec<u32> = self.met.clone();
        let (mut advances, mut most) = (0, self.components.flooded);
        while afloat.len() > 1 && advances <= most {
            for flood in core::mem::take(&mut afloat) {
                if self.met[flood as usize] != flood {
                    continue;
                }
                if self.advance(flood) {
                    afloat.push(flood);
                } else {
                    self.cut_off(flood);
                }
            }
            advances += afloat.len();
            if advances > most {
                most = self.components.count_runs() / WORTH_A_LABELING;
            }
            // One may have met another since its own turn.
            afloat.retain(|flood| self.met[*flood as usize] == *flood);
        }
        for place in self.wet.iter().flatten() {
            self.components.run_mut(*place).flood = DRY;
        }
        afloat.len() <= 1
    }

    /// Visits the neighbors of one run; false if no run is left.
    fn advance(&mut self, flood: u32) -> bool {
        let Some(place) = self.ahead[flood as usize].pop_front() else { return false };
        let run = *self.components.run(place);
        let above = place.0.checked_sub(1);
        let below = Some(place.0 + 1).filter(|y| (*y as usize) < self.components.rows.len());
        for y in above.into_iter().chain(below) {
            for index in self.components.touching(run, y) {
                self.wet((y, index as u32), flood);
            }
        }
        true
    }

    /// Lets a flood enter a run.
    fn wet(&mut self, place: Place, flood: u32) {
        let run = self.components.run_mut(place);
        if run.flood == DRY {
            run.flood = flood;
            self.ahead[flood as usize].push_back(place);
            self.wet[flood as usize].push(place);
            return;
        }
        let mut other = run.flood;
        while self.met[other as usize] != other {
            other = self.met[other as usize];
        }
        if other != flood {
            self.met[other as usize] = flood;
            let (ahead, wet) =
                (core::mem::take(&mut self.ahead[other as usize]), core::mem::take(&mut self.wet[other as usize]));
            self.ahead[flood as usize].extend(ahead);
            self.wet[flood as usize].extend(wet);
        }
    }

    /// Gives the runs of a flood a new label.
    fn cut_off(&mut self, flood: u32) {
        let label = self.components.labels.add();
        for place in core::mem::take(&mut self.wet[flood as usize]) {
            let run = self.components.run_mut(place);
            run.label = label;
            run.flood = DRY;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floods_that_come_far_give_up_and_labels_are_right() {
        for rule in [CostRule::Octile, CostRule::OctileCutting] {
            // Every row of a comb is a run; the last column connects them.
            let mut grid = Grid::from_fn(90, 400, |cell| cell.y % 2 == 0 || cell.x == 89).unwrap();
            let mut components = Components { flooded: 8, ..Components::new(&grid, rule) };
            let middle = Cell::new(89, 201);
            let seeds = [(200, 0), (202, 0)];
            grid.set(middle, false);
            components.replace_runs(&grid, middle.y, middle.x..middle.x + 1, &mut Vec::new());
            assert!(!Floods::new(&mut components, &seeds).run(), "{rule:?}: each half is half of the map");
            components.label_all();
            components.validate(&grid, rule).unwrap();
            // Near the end a few runs are cut off, which floods discover.
            let near_end = Cell::new(89, 5);
            grid.set(near_end, false);
            components.replace_runs(&grid, near_end.y, near_end.x..near_end.x + 1, &mut Vec::new());
            assert!(Floods::new(&mut components, &[(4, 0), (6, 0)]).run());
            components.validate(&grid, rule).unwrap();
        }
    }

    #[test]
    fn labels_are_right_after_edits_that_cut_much_off() {
        for rule in [CostRule::Octile, CostRule::OctileCutting, CostRule::Manhattan] {
            let mut grid = Grid::from_fn(60, 50, |cell| (cell.x * 7 + cell.y * 5) % 11 > 1).unwrap();
            let mut components = Components { flooded: 8, ..Components::new(&grid, rule) };
            for step in 0..120_u32 {
                let is_column = step % 2 == 0;
                let rect = if is_column {
                    CellRect::new(step * 13 % 60, 0, 1, 50)
                } else {
                    CellRect::new(0, step * 7 % 50, 60, 1)
                };
                let gap = step * 29 % 50;
                let is_free = |cell: Cell| step % 3 == 2 || step % 5 > 0 && (cell.x == gap || cell.y == gap);
                let is_any_blocked = rect.cells().any(|cell| grid.is_free(cell) && !is_free(cell));
                rect.cells().for_each(|cell| grid.set(cell, is_free(cell)));
                components.update(&grid, rect, is_any_blocked);
                components.validate(&grid, rule).unwrap_or_else(|fault| panic!("{rule:?} {step}: {fault}"));
            }
        }
    }

    #[test]
    fn labels_are_right_after_each_single_cell() {
        let (mut split, mut whole) = (0, 0);
        for (rule, sixteenths) in
            [CostRule::Octile, CostRule::OctileCutting, CostRule::OctileOneSide, CostRule::Manhattan]
                .into_iter()
                .flat_map(|rule| [3, 6, 9].map(|sixteenths| (rule, sixteenths)))
        {
            let random = |step: u32, what: u32| {
                let mixed = (step * 0x9e37 + what * 0x85eb).wrapping_mul(0x27d4_eb2f);
                (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13
            };
            let mut grid = Grid::from_fn(23, 17, |cell| random(cell.x, cell.y) % 16 >= sixteenths).unwrap();
            let mut components = Components { flooded: 8, ..Components::new(&grid, rule) };
            for step in 0..1500 {
                let cell = Cell::new(random(step, 1) % 23, random(step, 2) % 17);
                let was_free = grid.is_free(cell);
                if was_free && random(step, 3) % 16 < 8 - sixteenths / 2 {
                    continue;
                }
                grid.set(cell, !was_free);
                let may_split = is_split(grid.walls_around(cell), components.diagonal);
                (split, whole) = (split + u32::from(was_free && may_split), whole + u32::from(was_free && !may_split));
                components.update(&grid, CellRect::one(cell), was_free);
                components.validate(&grid, rule).unwrap_or_else(|fault| panic!("{rule:?} {step} {cell}: {fault}"));
            }
        }
        assert!(split > 1000 && whole > 1000, "{split} {whole}");
    }
}
