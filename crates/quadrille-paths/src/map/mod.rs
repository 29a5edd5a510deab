//! The map that finds paths.
//!
//! | file | what it adds |
//! |---|---|
//! | this one | a map that returns exact paths and can be edited |
//! | `limits` | paths within limits of length and work |
//! | `building` | what a wall would cut off, and where to stand once it is built |
//! | `detour` | ways around other units |
//! | `links` | teleports, ladders and one-way doors |
//! | `many` | many paths at once |
//! | `reaching` | what can be reached, computed in slices |
//! | `terrain` | kinds of terrain, and agents of several sizes |

pub(crate) mod building;
pub(crate) mod detour;
mod limits;
mod links;
pub(crate) mod many;
mod reaching;
mod terrain;

pub use limits::{OutOfWork, PathLimits};
pub(crate) use links::LinkSearch;
pub use links::{Link, LinkError, LinkedPath};
pub use reaching::GrowingReach;
pub use terrain::{AgentClass, Terrain, TerrainMap, TerrainSet, Weights};

use crate::corners::Corners;
use crate::grid::{
    Cell, CellRect, Components, ConnectedGrid, Corruption, CostRule, Edits, Grid, Stamp, by_patch, patches,
};
use crate::landmarks::{MAX_LANDMARKS, border_cell};
use crate::path::{Path, Waypoints};
use crate::search::{Reach, ReachSearch, Scratch, Search, TautPath, TautSearch};
use crate::walks::Walks;

/// A map of free and blocked cells that finds shortest paths and can be edited at any time.
///
/// Every answer is exact for the map as it is. Queries take `&self` and the caller's [`Scratch`], so that many threads
/// can search at once, each with its own scratch memory.
///
/// ```
/// use quadrille_paths::{Cell, CellRect, CostRule, Grid, PathMap, Scratch};
///
/// let mut map = PathMap::new(Grid::open(100, 60)?, CostRule::Octile);
/// let mut scratch = Scratch::new();
/// let (from, to) = (Cell::new(10, 30), Cell::new(90, 30));
/// assert_eq!(map.path(from, to, &mut scratch).unwrap().length().as_f64(), 80.0);
///
/// map.fill(CellRect::new(50, 0, 1, 59), false);
/// assert_eq!(map.path(from, to, &mut scratch).unwrap().length().straight, 138 - 2 * 58);
/// map.set(Cell::new(50, 59), false);
/// assert_eq!(map.path(from, to, &mut scratch), None);
/// # Ok::<(), quadrille_paths::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathMap {
    cells: ConnectedGrid,
    corners: Corners,
    edits: Edits,
}

impl PathMap {
    /// A map of the grid's cells. Takes tens of nanoseconds per cell (light noise above a hundred) and some eight bytes
    /// per cell (noise up to fifty). If walls are few and far between, part of the work is left to searches.
    #[must_use]
    pub fn new(grid: Grid, rule: CostRule) -> Self {
        let (corners, edits) = (Corners::new(&grid, rule), Edits::new(grid.width(), grid.height()));
        Self { cells: ConnectedGrid::new(grid, rule), corners, edits }
    }

    /// The cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        self.cells.grid()
    }

    /// Which steps are legal and what they cost.
    #[must_use]
    pub const fn rule(&self) -> CostRule {
        self.cells.rule()
    }

    /// A shortest path, both ends included; `None` if there is none, or an end is blocked or off the map.
    ///
    /// If there is none, the call returns without a search.
    #[must_use]
    pub fn path(&self, from: Cell, to: Cell, scratch: &mut Scratch) -> Option<Path> {
        self.waypoints(from, to, scratch).map(|waypoints| waypoints.lay(self.rule()))
    }

    /// The start, the cells at which a shortest path turns around walls, and the goal, without the cells between them;
    /// `None` as for [`path`](Self::path).
    #[must_use]
    pub fn waypoints(&self, from: Cell, to: Cell, scratch: &mut Scratch) -> Option<Waypoints> {
        self.search(from, to, scratch)?.path()
    }

    /// A shortest path to the nearest of several goals, and the index of that goal; `None` if none can be reached. If
    /// several are equally near, any of them.
    ///
    /// One search aims at all of them: for each goal it takes a fraction of a microsecond, and with many far-away goals
    /// some times as long as to one of them. For many agents, make a [`FlowField`](crate::FlowField).
    #[must_use]
    pub fn nearest(&self, from: Cell, goals: &[Cell], scratch: &mut Scratch) -> Option<(usize, Path)> {
        let label = self.components().label(from)?;
        let is_reachable = |goal: &Cell| self.components().label(*goal) == Some(label);
        let mut reachable: Vec<Cell> = goals.iter().copied().filter(is_reachable).collect();
        reachable.sort_unstable();
        reachable.dedup();
        let path = self.begin((from, &reachable), scratch).path()?.lay(self.rule());
        let place = goals.iter().position(|goal| path.cells().last() == Some(goal))?;
        Some((place, path))
    }

    /// The cells of a rectangle, which may be the whole map, that can be reached from a cell at a cost of at most
    /// `budget` without leaving the rectangle. Empty if that cell is blocked or outside, or if the budget is negative or
    /// NaN.
    ///
    /// Time and memory grow with the number of cells that would lie within the budget if there were no walls.
    #[must_use]
    pub fn reach(&self, from: Cell, budget: f64, within: CellRect) -> Reach {
        self.reaching((from, budget, within)).found()
    }

    /// Begins a search for what can be reached.
    pub(crate) fn reaching(&self, asked: (Cell, f64, CellRect)) -> ReachSearch {
        let reach = Reach::none(self.rule(), asked, self.grid().bounds());
        let bounds = reach.bounds();
        let columns = self.walks().columns.part((bounds.y, bounds.x), bounds.height, bounds.width);
        ReachSearch::new(reach, self.grid().part(bounds), Vec::new(), Some(columns))
    }

    /// The shortest path of a point that may move in any direction, along walls and around their corners, from the
    /// center of one cell to that of another; `None` as for [`path`](Self::path).
    ///
    /// Exact, and never longer than `path` or what [`smooth`](crate::smooth()) makes of it. It takes several
    /// times as long as `path`, while `smooth` costs next to nothing. What is seen from corners of walls is stored in
    /// `scratch` as long as edits leave it valid, some 60 MB at most from one search to the next: so keep using the same
    /// scratch memory for the same map. The first paths, which find nothing stored, take longer; in noise so do all paths
    /// between new ends. One search among very many single walls may take seconds and hundreds of megabytes.
    #[must_use]
    pub fn taut_path(&self, from: Cell, to: Cell, scratch: &mut Scratch) -> Option<TautPath> {
        let map = (self.grid(), &self.edits);
        self.corners.searches.note_taut();
        self.is_reachable(from, to).then(|| TautSearch::path(map, self.rule(), (from, to), &mut scratch.taut))?
    }

    /// A shortest path to the goal or, if that cannot be reached, to the cell nearest to it (measured without walls;
    /// among equals the uppermost, then the leftmost) that can. `None` if the start is blocked or off the map.
    ///
    /// The goal may be blocked; a goal off the map counts as the nearest cell on its edge. Looking for the nearest cell
    /// visits the rows that are no farther from the goal than that cell.
    #[must_use]
    pub fn partial_path(&self, from: Cell, to: Cell, scratch: &mut Scratch) -> Option<Path> {
        let goal = self.nearest_in_reach(from, to)?;
        self.begin((from, &[goal]), scratch).path().map(|waypoints| waypoints.lay(self.rule()))
    }

    /// The cell nearest to a goal that can be reached.
    fn nearest_in_reach(&self, from: Cell, to: Cell) -> Option<Cell> {
        let label = self.components().label(from)?;
        self.components().nearest(Some(label), self.grid().bounds().nearest(to), self.rule())
    }

    /// Whether there is a path. Takes two binary searches.
    #[must_use]
    pub fn is_reachable(&self, from: Cell, to: Cell) -> bool {
        self.cells.is_reachable(from, to)
    }

    /// Frees or blocks one cell. Returns whether that changed anything; a cell off the map changes nothing.
    pub fn set(&mut self, cell: Cell, free: bool) -> bool {
        self.edit(CellRect::one(cell), |_| free)
    }

    /// Frees or blocks the part of a rectangle that lies on the map. Returns whether that changed anything.
    pub fn fill(&mut self, rect: CellRect, free: bool) -> bool {
        self.edit(rect, |_| free)
    }

    /// Frees those cells of a rectangle for which `is_free` is true and blocks the others; cells off the map are
    /// ignored. Returns whether that changed anything.
    ///
    /// Takes tens of microseconds for a cell, more if it is seen from far away; an edit that cuts a part off takes as
    /// long as visiting all of that part. For a rectangle, the cost grows with its border and area. The first path past
    /// the edit takes longer to find: it repeats the scans that the edit has made stale, once for all paths. If only
    /// taut paths are searched for between edits, that is postponed: the edits take some microseconds, and the first
    /// searches of another kind that come by a corner repeat its scans.
    pub fn edit(&mut self, rect: CellRect, mut is_free: impl FnMut(Cell) -> bool) -> bool {
        let Some(bounds) = self.cells.edit(rect, &mut is_free) else { return false };
        self.corners.update(self.cells.grid(), &[bounds]);
        self.edits.note(bounds);
        true
    }

    /// Frees those of some cells for which `is_free` is true and blocks the others; cells off the map are ignored. Returns
    /// how many changed.
    ///
    /// For what does not fill a rectangle: craters, doors, units that move. Cells near each other are updated together
    /// and count as one edit, so this is faster than [`set`](Self::set) for each, and as fast if they lie far apart.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CostRule, Grid, PathMap};
    ///
    /// let mut map = PathMap::new(Grid::open(30, 20)?, CostRule::Octile);
    /// let (left, entered) = (Cell::new(4, 4), Cell::new(5, 4));
    /// map.set(left, false);
    /// assert_eq!(map.edit_cells(&[left, entered], |cell| cell == left), 2);
    /// assert!(map.grid().is_free(left) && !map.grid().is_free(entered));
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    pub fn edit_cells(&mut self, cells: &[Cell], mut is_free: impl FnMut(Cell) -> bool) -> usize {
        let grid = self.cells.grid();
        let mut is_changed = |cell: &Cell| grid.contains(*cell) && grid.is_free(*cell) != is_free(*cell);
        let changed = by_patch(cells.iter().copied().filter(&mut is_changed).collect());
        let rects: Vec<CellRect> = patches(&changed).filter_map(|patch| self.cells.flip(patch)).collect();
        if !rects.is_empty() {
            self.corners.update(self.cells.grid(), &rects);
        }
        rects.iter().for_each(|rect| self.edits.note(*rect));
        changed.len()
    }

    /// Moves what searches have stored since the last edit to where it is read fastest. Needed only for speed, never
    /// for correct answers, and edits do it as well: call it if many paths follow.
    ///
    /// It also makes landmarks (see [`add_landmarks`](Self::add_landmarks)), one per call, if searches turn out to
    /// examine many corners, as in noise and mazes. One takes as long as a [`FlowField`](crate::FlowField); if that is
    /// too long for a frame, call [`maintain_for`](Self::maintain_for) instead. The first
    /// four are tried when searches have taken more than twenty times as long as making and trying them. They are
    /// dropped if they do not pay; after that, or if edits invalidate them too soon, the next wait twice as long. So on a map
    /// if they never pay, searches take at most 5 % longer. Time saved pays for more. What
    /// is made depends only on the calls, not on time or threads. Lengths never depend on it, but which of several
    /// equally short paths is found may.
    pub fn maintain(&mut self) {
        self.maintain_for(u64::MAX);
    }

    /// Like [`maintain`](Self::maintain), but a landmark takes no more than this much work per call, in corners that a
    /// search could examine in that time: about ten thousand per millisecond; with 0 it makes no progress. Returns whether
    /// one has begun and is not finished; the next calls continue it.
    ///
    /// An unfinished landmark takes nine bytes per cell. An edit that frees a cell which was a wall at its start voids
    /// it.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CostRule, Grid, PathMap, Scratch};
    ///
    /// let grid = Grid::from_fn(300, 200, |cell| (cell.x * 7 + cell.y * cell.y) % 11 > 3)?;
    /// let (mut map, mut scratch) = (PathMap::new(grid, CostRule::Octile), Scratch::new());
    /// for frame in 0..60 {
    ///     let _ = map.path(Cell::new(1, 1), Cell::new(298, 190), &mut scratch);
    ///     map.maintain_for(1_000);
    /// }
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    pub fn maintain_for(&mut self, corners: u64) -> bool {
        self.corners.settle();
        self.corners.catch_up(self.cells.grid());
        if !self.corners.landmarks.is_begun() && self.corners.is_time_for_a_landmark() {
            self.begin_landmark(self.corners.landmarks.count());
        }
        self.corners.go_on_with_landmark(self.cells.grid(), usize::try_from(corners).unwrap_or(usize::MAX));
        self.corners.landmarks.is_begun()
    }

    /// Adds landmarks up to this number, 32 at most, in the largest component: on large maps searches then go more
    /// directly to their goal, and stay exact (see A. Goldberg and C. Harrelson, *Computing the Shortest Path: A\*
    /// Search Meets Graph Theory*, 2005).
    ///
    /// Each takes as long as a [`FlowField`](crate::FlowField), and nine bytes per cell while it is made; all together
    /// they keep 64 bytes per corner. [`maintain`](Self::maintain) makes them over time if they pay; this makes them
    /// immediately, for instance when a level is loaded, and they stay even if they do not pay. Easy searches, of less
    /// than 16 corners, do not use them. Walls built later do not invalidate them. An edit that frees a cell that was a
    /// wall when a landmark was made removes them all, so open all doors first; after that they may close and open
    /// freely.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CostRule, Grid, PathMap};
    ///
    /// let mut map = PathMap::new(Grid::open(300, 200)?, CostRule::Octile);
    /// map.add_landmarks(8);
    /// let door = Cell::new(150, 100);
    /// map.set(door, false);
    /// map.set(door, true);
    /// assert_eq!(map.landmark_count(), 8);
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    pub fn add_landmarks(&mut self, count: usize) {
        self.corners.landmarks.ask_for();
        for number in self.corners.landmarks.count()..count.min(MAX_LANDMARKS) {
            self.begin_landmark(number);
            self.corners.go_on_with_landmark(self.cells.grid(), usize::MAX);
        }
    }

    /// Begins a landmark at the border of the largest component; their number decides where.
    pub(crate) fn begin_landmark(&mut self, number: usize) {
        let Some(label) = self.components().largest() else { return };
        let target = border_cell(self.grid().bounds(), number, MAX_LANDMARKS);
        let cell = self.components().nearest(Some(label), target, self.rule());
        if let Some(cell) = cell {
            self.corners.begin_landmark(self.cells.grid(), cell);
        }
    }

    /// How many landmarks there are.
    #[must_use]
    pub const fn landmark_count(&self) -> usize {
        self.corners.landmarks.count()
    }

    /// The number of edits so far that changed something. A clone continues the count; a map that is new or read from a
    /// file starts at 0.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.edits.stamp().version()
    }

    /// The current state of this map.
    pub(crate) const fn stamp(&self) -> Stamp {
        self.edits.stamp()
    }

    /// The history of its edits.
    pub(crate) const fn edits(&self) -> &Edits {
        &self.edits
    }

    /// How many corners the map has; a search expands no more.
    #[must_use]
    pub fn corner_count(&self) -> usize {
        self.corners.count()
    }

    /// Compares everything with what follows from the cells.
    ///
    /// # Errors
    /// Returns the first contradiction as an error. This is always a bug in this crate: please report it.
    pub fn validate(&self) -> Result<(), Corruption> {
        self.cells.validate()?;
        self.corners.validate(self.grid())
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.cells.bytes() + self.corners.bytes() + self.edits.bytes()
    }

    /// The cells and their connected components.
    pub(crate) const fn cells(&self) -> &ConnectedGrid {
        &self.cells
    }

    /// The component labels.
    pub(crate) const fn components(&self) -> &Components {
        self.cells.components()
    }

    /// What walks read.
    pub(crate) fn walks(&self) -> Walks<'_> {
        self.corners.walks(self.grid())
    }

    /// Begins a search that [`Search::go_on`] continues; `None` if it is known immediately that there is no path.
    pub(crate) fn search<'a>(&'a self, from: Cell, to: Cell, scratch: &'a mut Scratch) -> Option<Search<'a>> {
        self.is_reachable(from, to).then(|| self.begin((from, &[to]), scratch))
    }

    /// Begins a search from a free cell to goals in its component.
    fn begin<'a>(&'a self, ends: (Cell, &[Cell]), scratch: &'a mut Scratch) -> Search<'a> {
        Search::begin(self.grid(), &self.corners, self.rule(), ends, scratch)
    }

    /// Resumes a suspended search. If the map has changed since, call [`Search::outlasts`] first.
    pub(crate) fn resume<'a>(&'a self, scratch: &'a mut Scratch) -> Search<'a> {
        Search::resume(self.grid(), &self.corners, self.rule(), scratch)
    }
}
