//! Which cells can be reached from which: labels of connected components, kept up to date under edits.
//!
//! Labels belong to *runs*, the longest stretches of free cells in a row; there are far fewer of them than cells. Runs
//! of neighboring rows that touch are joined by union and find (R. Tarjan, *Efficiency of a good but not linear set
//! union algorithm*, 1975), so freeing cells joins labels in passing. Blocking cells may take a component apart. The
//! runs around the edit are then the only places where it can have happened: floods start from all of them and advance
//! in turn, two that meet become one, and as soon as all but one have run dry it is known what is cut off from the
//! last. The work is that of the smaller parts, or of the short ways round the edit where nothing was cut off at all.

use core::ops::Range;
use std::collections::VecDeque;

use crate::grid::Grid;
use crate::grid::cell::{Cell, CellRect};
use crate::grid::cost::{CostRule, Length};
use crate::grid::fault::Corruption;

/// No flood has come to a run.
const DRY: u32 = u32::MAX;

/// A stretch of free cells in a row, with a blocked one on either side.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: u32,
    /// The column after its last cell.
    end: u32,
    /// A label that stands for the component; see [`Components::root`].
    label: u32,
    /// The flood that came to it, while there are floods.
    flood: u32,
}

/// A run by its row and its place among the row's.
type Place = (u32, u32);

/// The labels of a map.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    /// Whether cells that touch by a corner are connected.
    diagonal: bool,
    /// The runs of each row, from left to right.
    rows: Vec<Vec<Run>>,
    /// By label, one that stands for the same component; a root stands for itself.
    parents: Vec<u32>,
    /// The number of labels after the last renumbering.
    renumbered: usize,
}

impl Components {
    /// Labels all free cells.
    pub(crate) fn new(grid: &Grid, rule: CostRule) -> Self {
        // If corners may not be cut, a diagonal step always has a way round of two straight ones.
        let diagonal = rule == CostRule::OctileCutting;
        let rows = vec![Vec::new(); grid.height() as usize];
        let mut components = Self { diagonal, rows, parents: Vec::new(), renumbered: 0 };
        for y in 0..grid.height() {
            for (start, end) in grid.free_runs(y, 0..grid.width()) {
                let label = components.new_label();
                components.rows[y as usize].push(Run { start, end, label, flood: DRY });
            }
            components.rows[y as usize].shrink_to_fit();
            components.join_rows(y, 0..grid.width());
        }
        components.renumber();
        components
    }

    /// A label of the component of a cell, equal for two cells exactly if one can be reached from the other; `None` for
    /// a blocked cell.
    pub(crate) fn label(&self, cell: Cell) -> Option<u32> {
        let row = self.rows.get(cell.y as usize)?;
        let run = row[..row.partition_point(|run| run.start <= cell.x)].last()?;
        (cell.x < run.end).then(|| self.root(run.label))
    }

    /// The free cell of a component, or of any, that is nearest to `goal` were there no walls; among equals the
    /// uppermost, then leftmost.
    pub(crate) fn nearest(&self, label: Option<u32>, goal: Cell, rule: CostRule) -> Option<Cell> {
        let rows = self.rows.len() as u32;
        let nearest_in = |y: u32| {
            let runs = self.rows[y as usize].iter();
            let runs = runs.filter(|run| label.is_none_or(|label| self.root(run.label) == label));
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
        let mut cells = vec![0_u32; self.parents.len()];
        for run in self.rows.iter().flatten() {
            cells[self.root(run.label) as usize] += run.end - run.start;
        }
        let labels = (0..cells.len() as u32).filter(|label| cells[*label as usize] > 0);
        labels.max_by_key(|label| cells[*label as usize])
    }

    /// How many cells of a component lie in a rectangle on the map.
    pub(crate) fn count_cells(&self, label: u32, rect: CellRect) -> u64 {
        let rows = &self.rows[rect.y as usize..(rect.y + rect.height) as usize];
        let runs = rows.iter().flatten().filter(|run| self.root(run.label) == label);
        let inside = |run: &Run| run.end.min(rect.x + rect.width).saturating_sub(run.start.max(rect.x));
        runs.map(|run| u64::from(inside(run))).sum()
    }

    /// Brings labels up to date after cells in `rect` have changed; if none was blocked, nothing can have come apart.
    pub(crate) fn update(&mut self, grid: &Grid, rect: CellRect, is_any_blocked: bool) {
        let columns = rect.x..rect.x + rect.width;
        for y in rect.y..rect.y + rect.height {
            self.replace_runs(grid, y, columns.clone());
        }
        // The only runs that touch others than before are those with a changed cell, or next to one.
        for y in rect.y..=(rect.y + rect.height).min(grid.height() - 1) {
            self.join_rows(y, rect.x.saturating_sub(1)..columns.end + 1);
        }
        if is_any_blocked {
            self.cut(grid, rect);
        }
        if self.parents.len() > 2 * self.renumbered + 1024 {
            self.renumber();
        }
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let runs: usize = self.rows.iter().map(Vec::capacity).sum();
        runs * size_of::<Run>() + size_of_val(&self.rows[..]) + self.parents.capacity() * size_of::<u32>()
    }

    /// Compares the runs with the grid's, and the labels with those of a new start: the same up to their names.
    pub(crate) fn validate(&self, grid: &Grid, rule: CostRule) -> Result<(), Corruption> {
        let fresh = Self::new(grid, rule);
        let (mut names, mut fresh_names) = (vec![None; self.parents.len()], vec![None; fresh.parents.len()]);
        for (y, (runs, expected)) in self.rows.iter().zip(&fresh.rows).enumerate() {
            let ends = |runs: &[Run]| runs.iter().map(|run| (run.start, run.end, run.flood)).collect::<Vec<_>>();
            let (found, expected_ends) = (ends(runs), ends(expected));
            Corruption::unless(found == expected_ends, || format!("row {y}: runs {found:?}, not {expected_ends:?}"))?;
            for (run, expected) in runs.iter().zip(expected) {
                let (label, fresh_label) = (self.root(run.label), fresh.root(expected.label));
                let is_same = *names[label as usize].get_or_insert(fresh_label) == fresh_label
                    && *fresh_names[fresh_label as usize].get_or_insert(label) == label;
                Corruption::unless(is_same, || format!("row {y}: {run:?} with the label of another component"))?;
            }
        }
        Ok(())
    }

    fn new_label(&mut self) -> u32 {
        let label = self.parents.len() as u32;
        self.parents.push(label);
        label
    }

    /// The label that stands for the component of `label`.
    fn root(&self, mut label: u32) -> u32 {
        while self.parents[label as usize] != label {
            label = self.parents[label as usize];
        }
        label
    }

    /// Makes two labels stand for one component: the root given out first.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// Finds the runs of a row again that lie in some columns or end beside them. A run keeps the labels of all old
    /// ones that it overlaps, joined.
    fn replace_runs(&mut self, grid: &Grid, y: u32, columns: Range<u32>) {
        let places = self.runs_in(y, columns.start.saturating_sub(1)..columns.end + 1);
        let old: Vec<Run> = self.rows[y as usize][places.clone()].to_vec();
        let start = old.first().map_or(columns.start, |run| run.start.min(columns.start));
        let end = old.last().map_or(columns.end, |run| run.end.max(columns.end));
        let mut new = Vec::with_capacity(old.len() + 1);
        for (start, end) in grid.free_runs(y, start..end) {
            let first = old.partition_point(|run| run.end <= start);
            let overlapped = old[first..].iter().take_while(|run| run.start < end);
            let label = overlapped.map(|run| run.label).reduce(|a, b| {
                self.join(a, b);
                a
            });
            let label = label.unwrap_or_else(|| self.new_label());
            new.push(Run { start, end, label, flood: DRY });
        }
        self.rows[y as usize].splice(places, new);
    }

    /// Joins the labels of the runs of row `y` that have a cell in some columns with those they touch in the row above.
    fn join_rows(&mut self, y: u32, columns: Range<u32>) {
        let Some(above) = y.checked_sub(1) else { return };
        for index in self.runs_in(y, columns) {
            let run = self.rows[y as usize][index];
            for touching in self.touching(run, above) {
                self.join(run.label, self.rows[above as usize][touching].label);
            }
        }
    }

    /// The places of the runs of a row that have a cell in some columns.
    fn runs_in(&self, y: u32, columns: Range<u32>) -> Range<usize> {
        let row = &self.rows[y as usize];
        let first = row.partition_point(|run| run.end <= columns.start);
        first..first + row[first..].partition_point(|run| run.start < columns.end)
    }

    /// The places in another, neighboring row of the runs that touch this one.
    fn touching(&self, run: Run, y: u32) -> Range<usize> {
        let reach = u32::from(self.diagonal);
        let row = &self.rows[y as usize];
        let first = row.partition_point(|other| other.end + reach <= run.start);
        let end = first + row[first..].partition_point(|other| other.start < run.end + reach);
        first..end
    }

    /// Gives new labels to what the blocked cells of a rectangle have cut off.
    fn cut(&mut self, grid: &Grid, rect: CellRect) {
        let around = rect.widened(1, 1).clamped(grid.width(), grid.height());
        let mut seeds: Vec<Place> = Vec::new();
        for y in around.y..around.y + around.height {
            let places = self.runs_in(y, around.x..around.x + around.width);
            seeds.extend(places.map(|index| (y, index as u32)));
        }
        // As numbers, by label: they are all that this crate sorts, so that there is one sort in small programs.
        let label = |place: &Place| u64::from(self.root(self.run(*place).label));
        let mut order: Vec<u64> = (0..).zip(&seeds).map(|(at, place): (u64, _)| label(place) << 32 | at).collect();
        order.sort_unstable();
        let seeds: Vec<Place> = order.into_iter().map(|number| seeds[number as u32 as usize]).collect();
        let mut rest = &seeds[..];
        while let Some(first) = rest.first() {
            let label = self.root(self.run(*first).label);
            let count = rest.partition_point(|place| self.root(self.run(*place).label) == label);
            let (same, others) = rest.split_at(count);
            if same.len() > 1 {
                Floods::new(self, same).run();
            }
            rest = others;
        }
    }

    fn run(&self, (y, index): Place) -> &Run {
        &self.rows[y as usize][index as usize]
    }

    fn run_mut(&mut self, (y, index): Place) -> &mut Run {
        &mut self.rows[y as usize][index as usize]
    }

    /// Makes every run carry its root, and numbers the roots from 0.
    fn renumber(&mut self) {
        let mut names = vec![DRY; self.parents.len()];
        let mut count = 0;
        for y in 0..self.rows.len() {
            for index in 0..self.rows[y].len() {
                let name = &mut names[self.root(self.rows[y][index].label) as usize];
                if *name == DRY {
                    *name = count;
                    count += 1;
                }
                self.rows[y][index].label = *name;
            }
        }
        self.parents = (0..count).collect();
        self.renumbered = self.parents.len();
    }
}

/// Floods from several runs that were one component before the edit.
struct Floods<'a> {
    components: &'a mut Components,
    /// By flood, one that it has met; one that has not, or was met by others, stands for itself.
    met: Vec<u32>,
    /// By flood, the runs whose neighbors it has not looked at.
    ahead: Vec<VecDeque<Place>>,
    /// By flood, all runs it has come to.
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

    /// Lets the floods advance run by run, in turn, while more than one is afloat; those that run dry get a new label.
    fn run(mut self) {
        let mut afloat: Vec<u32> = self.met.clone();
        while afloat.len() > 1 {
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
            // One may have met another after its own turn.
            afloat.retain(|flood| self.met[*flood as usize] == *flood);
        }
        for place in self.wet.iter().flatten() {
            self.components.run_mut(*place).flood = DRY;
        }
    }

    /// Looks at the neighbors of one run; false if there is none left to look at.
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

    /// Lets a flood come to a run.
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

    /// Gives the runs of a flood a label of their own.
    fn cut_off(&mut self, flood: u32) {
        let label = self.components.new_label();
        for place in core::mem::take(&mut self.wet[flood as usize]) {
            let run = self.components.run_mut(place);
            run.label = label;
            run.flood = DRY;
        }
    }
}
