//! Many paths at once.

use std::collections::BTreeMap;

use crate::grid::{Cell, CellRect};
use crate::map::PathMap;
use crate::path::Path;
use crate::search::{Part, Scratch};

/// How many paths are found first to estimate what a search costs, from corner to corner and from cell to cell.
const SAMPLE: usize = 8;
/// In a search from corner to corner, following two links takes as long as expanding three cells.
const CELLS_A_LINK: [u64; 2] = [3, 2];
/// In a search for many paths, this many more targets cost as much per corner as a cell.
const TARGETS_A_CELL: u64 = 16;
/// Searches must take this many times as much work as what might replace them: not all of them become unnecessary.
const GAIN: u64 = 2;
/// The same if what might replace them is a search from a shared goal over the corners nearby: it may have to look
/// farther away.
const FAN_GAIN: u64 = 3;
/// Copying a part takes a quarter of the time of visiting its cells, and may be wasted: searches must take this many
/// times as much work as that visit.
const WORTH_A_COPY: u64 = 4;
/// Trying to search from cell to cell may cost one in this many of all searches.
const TRIED: u64 = 32;
/// A search from cell to cell visits this many times as many cells as its path has, or more.
const CELLS_A_STEP: u64 = 4;
/// A part extends beyond the rectangle of the ends, on each side, by one in this many of the longer side.
const MARGIN: u32 = 8;
/// The most cells of a part, some 20 bytes each.
const MAX_CELLS: usize = 1 << 20;

impl PathMap {
    /// A shortest path for each pair of a start and a goal, in their order; `None` as for [`path`](Self::path).
    ///
    /// Each is as long as that of [`path`](Self::path), but may be another of equal length: which one depends on the
    /// map and on all pairs. If searches from corner to corner turn out to be expensive, in noise or on long
    /// detours, one search finds all paths to a shared goal, and the remaining searches go from cell to cell in a copy
    /// of the part of the map around the ends. The copy takes some 20 bytes per cell until the call returns, 20 MB at
    /// most. Failed attempts cost a few percent of the searches, so the call takes hardly longer than a loop.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CostRule, Grid, PathMap, Scratch};
    ///
    /// let map = PathMap::new(Grid::from_fn(90, 90, |cell| cell.x % 7 != 0 || cell.y % 5 != 0)?, CostRule::Octile);
    /// let ends: Vec<_> = (1..60).map(|unit| (Cell::new(1, unit), Cell::new(80, 44))).collect();
    /// let (paths, mut scratch) = (map.paths(&ends, &mut Scratch::new()), Scratch::new());
    /// for ((from, to), path) in ends.into_iter().zip(paths) {
    ///     let alone = map.path(from, to, &mut scratch);
    ///     assert_eq!(path.map(|path| path.length()), alone.map(|path| path.length()));
    /// }
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    #[must_use]
    pub fn paths(&self, ends: &[(Cell, Cell)], scratch: &mut Scratch) -> Vec<Option<Path>> {
        self.many(ends.iter().map(|(from, to)| Some((*from, *to)).filter(|_| self.is_reachable(*from, *to))), scratch)
    }

    /// The same with paths that end as near to their goals as possible, like those of
    /// [`partial_path`](Self::partial_path).
    #[must_use]
    pub fn partial_paths(&self, ends: &[(Cell, Cell)], scratch: &mut Scratch) -> Vec<Option<Path>> {
        self.many(ends.iter().map(|(from, to)| Some((*from, self.nearest_in_reach(*from, *to)?))), scratch)
    }

    /// Shortest paths between cells of one component each.
    fn many(&self, ends: impl Iterator<Item = Option<(Cell, Cell)>>, scratch: &mut Scratch) -> Vec<Option<Path>> {
        let ends: Vec<_> = ends.collect();
        let mut many = Many { map: self, ends: &ends, paths: ends.iter().map(|_| None).collect(), scratch };
        let mut left: Vec<usize> = (0..ends.len()).filter(|place| ends[*place].is_some()).collect();
        // Spread evenly.
        let every = left.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<usize> = left.iter().copied().step_by(every).collect();
        let mut index = 0..;
        left.retain(|_| index.next().is_some_and(|index: usize| index % every != 0));
        let searched: Vec<_> = sample.iter().map(|place| many.by_corners(*place, None)).collect();
        let [corners, links] =
            searched.iter().fold([0, 0], |sum, searched| [0, 1].map(|what| sum[what] + searched[what]));
        let all = many.part(&[&left[..], &sample].concat());
        let found = sample.iter().filter_map(|place| many.paths[*place].as_ref());
        let is_within = |path: &&Path| path.cells().iter().all(|cell| all.contains(*cell));
        let work = Work {
            searches: sample.len() as u64,
            cells: links * CELLS_A_LINK[0] / CELLS_A_LINK[1],
            a_corner: 1 + links * CELLS_A_LINK[0] / CELLS_A_LINK[1] / corners.max(1),
            steps: found.clone().map(|path| path.length().steps()).sum(),
            within: found.filter(is_within).count() as u64,
        };
        let left = many.paths_to_shared_goals(left, work);
        many.by_cells_or_corners(left, work);
        many.paths
    }
}

/// What some searches have cost, in cells that could have been expanded in that time, also for each corner; how many
/// steps their paths have; and how many of these stay in the part around all ends.
#[derive(Clone, Copy)]
struct Work {
    searches: u64,
    cells: u64,
    a_corner: u64,
    steps: u64,
    within: u64,
}

impl Work {
    /// What this many searches cost.
    fn all(self, searches: usize) -> u64 {
        self.cells.saturating_mul(searches as u64) / self.searches.max(1)
    }

    /// Whether this many searches from corner to corner take `times` as much work as visiting all cells of a part, and
    /// few of their paths leave it.
    fn is_above(self, searches: usize, times: u64, part: CellRect) -> bool {
        let do_few_leave = 4 * self.within >= 3 * self.searches;
        do_few_leave && part.count() <= MAX_CELLS && self.all(searches) > times * part.count() as u64
    }

    /// Whether searches from cell to cell could be less work.
    const fn may_cells_be_less(self) -> bool {
        self.cells > CELLS_A_STEP * self.steps
    }
}

/// The queries of one call.
struct Many<'a> {
    map: &'a PathMap,
    ends: &'a [Option<(Cell, Cell)>],
    paths: Vec<Option<Path>>,
    scratch: &'a mut Scratch,
}

impl Many<'_> {
    fn ends(&self, place: usize) -> (Cell, Cell) {
        self.ends[place].unwrap_or_default()
    }

    /// Finds one path from corner to corner. Returns how many corners it has examined, and links followed.
    fn by_corners(&mut self, place: usize, known: Option<&Part>) -> [u64; 2] {
        let ((from, to), map) = (self.ends(place), self.map);
        let found = map.begin((from, &[to]), self.scratch).with(known).path();
        self.paths[place] = found.map(|found| found.lay(map.rule()));
        [self.scratch.expanded(), self.scratch.followed()]
    }

    /// Finds the paths to goals that many queries share by one search each, if that is less work. Returns the
    /// others.
    fn paths_to_shared_goals(&mut self, places: Vec<usize>, work: Work) -> Vec<usize> {
        let (mut by_goal, mut left) = (BTreeMap::<(u32, u32), Vec<usize>>::new(), Vec::new());
        for place in places {
            let goal = self.ends(place).1;
            by_goal.entry((goal.y, goal.x)).or_default().push(place);
        }
        for places in by_goal.into_values() {
            let rect = self.part(&places);
            let corners = self.map.corners.count_near(rect) as u64;
            let fan = corners * (work.a_corner + places.len() as u64 / TARGETS_A_CELL);
            if places.len() > 1 && work.all(places.len()) > FAN_GAIN * fan && fan < rect.count() as u64 {
                left.extend(self.paths_by_fan(places, corners + corners / 4));
            } else if work.is_above(places.len(), GAIN, rect) {
                self.paths_by_part(places, rect);
            } else {
                left.extend(places);
            }
        }
        left
    }

    /// Finds paths to one goal by a search from it over corners. Returns those not found when it has examined `most`.
    fn paths_by_fan(&mut self, places: Vec<usize>, most: u64) -> Vec<usize> {
        let map = self.map;
        let starts: Vec<Cell> = places.iter().map(|place| self.ends(*place).0).collect();
        let paths = map.begin((self.ends(places[0]).1, &[]), self.scratch).fan(&starts, most);
        for (place, path) in places.iter().zip(paths) {
            self.paths[*place] = path.map(|path| path.lay(map.rule()).reversed());
        }
        places.into_iter().filter(|place| self.paths[*place].is_none()).collect()
    }

    /// Finds paths to one goal by a search from it over all cells of a part.
    fn paths_by_part(&mut self, places: Vec<usize>, rect: CellRect) {
        let mut part = Part::new(self.map.grid(), self.map.rule(), rect);
        part.look_from(self.ends(places[0]).1);
        for place in places {
            self.paths[place] = part.path_to_goal(self.ends(place).0);
            if self.paths[place].is_none() {
                self.by_corners(place, Some(&part));
            }
        }
    }

    /// Finds paths from cell to cell, as long as that is less work than in the sample, or from corner to corner.
    fn by_cells_or_corners(&mut self, places: Vec<usize>, work: Work) {
        let rect = self.part(&places);
        let is_worth_a_copy = work.may_cells_be_less() && work.is_above(places.len(), WORTH_A_COPY, rect);
        let part = is_worth_a_copy.then(|| Part::new(self.map.grid(), self.map.rule(), rect));
        let mut by_cells = ByCells { part, left: work.all(places.len()) / TRIED, each: work.all(1) };
        for place in places {
            self.paths[place] = by_cells.path(self.ends(place));
            if self.paths[place].is_none() {
                self.by_corners(place, None);
            }
        }
    }

    /// The part of the map in which most paths between some ends lie.
    fn part(&self, places: &[usize]) -> CellRect {
        let cells = places.iter().map(|place| self.ends(*place)).flat_map(|(from, to)| [from, to]);
        let Some(bounds) = CellRect::holding(cells) else { return CellRect::default() };
        let margin = (bounds.width.max(bounds.height) - 1) / MARGIN;
        bounds.widened(margin, margin).clamped(self.map.grid().width(), self.map.grid().height())
    }
}

/// Searches from cell to cell, as long as there is a part.
struct ByCells {
    part: Option<Part>,
    /// How many cells they may still expand, what they have saved included.
    left: u64,
    /// What a search from corner to corner costs instead.
    each: u64,
}

impl ByCells {
    /// A path, if one is found in the part.
    fn path(&mut self, (from, to): (Cell, Cell)) -> Option<Path> {
        let part = self.part.as_mut()?;
        let path = part.path(from, to, self.left + self.each);
        // A path that leaves the part is searched for again.
        let saved = if path.is_some() { self.each } else { 0 };
        match (self.left + saved).checked_sub(part.expanded()) {
            Some(left) => self.left = left,
            None => self.part = None,
        }
        path
    }
}
