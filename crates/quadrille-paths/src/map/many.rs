//! Many paths at once.

use std::collections::BTreeMap;

use crate::grid::cell::{Cell, CellRect};
use crate::map::PathMap;
use crate::path::Path;
use crate::search::corner::{Scratch, Search};
use crate::search::part::Part;

/// How many paths are found first to estimate what a search costs, from corner to corner and from cell to cell.
const SAMPLE: usize = 8;
/// How many cells can be expanded in the time of one corner among many walls, with links to ten or more others.
const CELLS_A_CORNER: u64 = 8;
/// Searches must take this many times as much work as visiting a whole part before that is done instead: not all of
/// them become unnecessary.
const GAIN: u64 = 2;
/// Searches must examine this many times as many corners as there are nearby for one search from their goal to be
/// better.
const WORTH_A_FAN: u64 = 4;
/// A part extends beyond the rectangle of the ends, on each side, by one in this many of the longer side.
const MARGIN: u32 = 8;
/// The most cells of a part, some 20 bytes each.
const MOST_CELLS: usize = 1 << 20;

impl PathMap {
    /// A shortest path for each pair of a start and a goal, in their order; `None` as for [`path`](Self::path).
    ///
    /// Each is as long as that of [`path`](Self::path), but may be another of equal length: which one depends on the
    /// map and on all pairs. Where searches from corner to corner turn out to be expensive, in noise or on long
    /// detours, one search finds all paths to a shared goal, and the remaining searches go from cell to cell in a copy
    /// of the part of the map around the ends. The copy takes some 20 bytes per cell until the call returns, 20 MB at
    /// most.
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
        let corners = sample.iter().map(|place| many.by_corners(*place, None)).sum::<u64>();
        let all = many.part(&[&left[..], &sample].concat());
        let is_within = |path: &Path| path.cells().iter().all(|cell| all.contains(*cell));
        let within = sample.iter().filter(|place| many.paths[**place].as_ref().is_some_and(is_within)).count();
        let work = Work { searches: sample.len() as u64, corners, within: within as u64 };
        let left = many.paths_to_shared_goals(left, work);
        many.by_cells_or_corners(left, &sample, work);
        many.paths
    }
}

/// How many corners some searches have examined, and how many of their paths stay in the part around all ends.
#[derive(Clone, Copy)]
struct Work {
    searches: u64,
    corners: u64,
    within: u64,
}

impl Work {
    /// How many corners this many searches examine.
    fn all(self, searches: usize) -> u64 {
        self.corners.saturating_mul(searches as u64) / self.searches.max(1)
    }

    /// Whether this many searches from corner to corner take `times` as much work as visiting all cells of a part, and
    /// few of their paths leave it.
    fn is_above(self, searches: usize, times: u64, part: CellRect) -> bool {
        let cells = (self.corners * CELLS_A_CORNER).saturating_mul(searches as u64) / self.searches.max(1);
        let do_few_leave = 4 * self.within >= 3 * self.searches;
        do_few_leave && part.count() <= MOST_CELLS && cells > times * part.count() as u64
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

    /// Finds one path from corner to corner. Returns how many corners it has examined.
    fn by_corners(&mut self, place: usize, known: Option<&Part>) -> u64 {
        let ((from, to), map) = (self.ends(place), self.map);
        let found = Search::path_with(map.grid(), &map.corners, map.rule(), (from, &[to]), known, self.scratch);
        self.paths[place] = found.map(|found| found.lay(map.rule()));
        self.scratch.expanded()
    }

    /// Finds the paths to goals that many queries share by one search each, where that is less work. Returns the
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
            let is_worth_a_fan = places.len() > 1 && work.all(places.len()) > WORTH_A_FAN * corners;
            if is_worth_a_fan && corners * CELLS_A_CORNER < rect.count() as u64 {
                left.extend(self.paths_by_fan(places, work));
            } else if work.is_above(places.len(), GAIN, rect) {
                self.paths_by_part(places, rect);
            } else {
                left.extend(places);
            }
        }
        left
    }

    /// Finds paths to one goal by a search from it over corners. Returns those not found when half of the work has been
    /// spent.
    fn paths_by_fan(&mut self, places: Vec<usize>, work: Work) -> Vec<usize> {
        let (map, budget) = (self.map, work.all(places.len()) / GAIN);
        let starts: Vec<Cell> = places.iter().map(|place| self.ends(*place).0).collect();
        let ends = (self.ends(places[0]).1, &starts[..]);
        let paths = Search::fan(map.grid(), &map.corners, map.rule(), ends, budget, self.scratch);
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
    fn by_cells_or_corners(&mut self, places: Vec<usize>, sample: &[usize], work: Work) {
        let rect = self.part(&places);
        let part = work.is_above(places.len(), 1, rect).then(|| Part::new(self.map.grid(), self.map.rule(), rect));
        let mut by_cells = ByCells { part, spent: 0, saved: 0 };
        for place in sample {
            by_cells.path(self.ends(*place), work);
        }
        for place in places {
            by_cells.part.take_if(|_| by_cells.spent > by_cells.saved);
            self.paths[place] = by_cells.path(self.ends(place), work);
            if self.paths[place].is_none() {
                self.by_corners(place, None);
            }
        }
    }

    /// The part of the map in which most paths between some ends lie.
    fn part(&self, places: &[usize]) -> CellRect {
        let cells = places.iter().map(|place| self.ends(*place)).flat_map(|(from, to)| [from, to]);
        let bounds = cells.fold(None, |bounds: Option<[u32; 4]>, cell| {
            let [left, top, right, bottom] = bounds.unwrap_or([cell.x, cell.y, cell.x, cell.y]);
            Some([left.min(cell.x), top.min(cell.y), right.max(cell.x), bottom.max(cell.y)])
        });
        let Some([left, top, right, bottom]) = bounds else { return CellRect::default() };
        let margin = (right - left).max(bottom - top) / MARGIN;
        CellRect::new(left, top, right - left + 1, bottom - top + 1)
            .widened(margin, margin)
            .clamped(self.map.grid().width(), self.map.grid().height())
    }
}

/// Searches from cell to cell, as long as there is a part.
struct ByCells {
    part: Option<Part>,
    /// How many cells they have expanded, and how many searches from corner to corner would have cost instead.
    spent: u64,
    saved: u64,
}

impl ByCells {
    /// A path, if one is found in the part.
    fn path(&mut self, (from, to): (Cell, Cell), work: Work) -> Option<Path> {
        let part = self.part.as_mut()?;
        let path = part.path(from, to);
        self.spent += part.expanded();
        // A path that leaves the part is searched for again.
        self.saved += if path.is_some() { work.all(1) * CELLS_A_CORNER } else { 0 };
        path
    }
}
