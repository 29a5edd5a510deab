//! Watched paths: an agent that follows a path is told when an edit breaks it.

use core::ops::Range;

use crate::grid::{Cell, CellRect, CostRule, Direction, Edits, Length, Stamp};
use crate::map::{Link, PathMap};
use crate::path::Path;
use crate::search::Scratch;

/// A path that an agent follows, and the state of the map at which it was last known to be unbroken.
///
/// A check costs one comparison while the map has not changed. Otherwise it looks up the last edit of each 32-cell tile
/// that the path crosses, however many edits there were, and checks only the parts in tiles edited since.
///
/// ```
/// use quadrille_paths::{Cell, CostRule, Grid, PathMap, PathWatch, Scratch};
///
/// let mut map = PathMap::new(Grid::open(20, 20)?, CostRule::Octile);
/// let path = map.path(Cell::new(0, 3), Cell::new(9, 3), &mut Scratch::new()).unwrap();
/// let mut watch = PathWatch::new(&map, &path);
/// map.set(Cell::new(5, 6), false);
/// assert_eq!(watch.check(&map), None);
/// map.set(Cell::new(5, 3), false);
/// assert_eq!(watch.check(&map), Some(Cell::new(4, 3)));
/// # Ok::<(), quadrille_paths::GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PathWatch {
    /// First cell, turns, last cell; for a path with links, those of each leg.
    turns: Vec<Cell>,
    /// The segments that are links, in order, each with its steps.
    links: Vec<(u32, u16)>,
    /// By turn, how much of the path is left from there.
    left: Vec<Length>,
    /// The segment on which the agent was last.
    at: usize,
    /// The tiles that the path crosses, in order, each with the segments that lie at least partly in it.
    tiles: Vec<(u32, Range<u32>)>,
    stamp: Stamp,
    /// The last cell before the break.
    broken: Option<Cell>,
    /// When the path was last known to be a shortest one, and how much of it was left then.
    shortest: (Stamp, Length),
}

impl PathWatch {
    /// Starts watching a shortest path that was found on the map as it is.
    #[must_use]
    pub fn new(map: &PathMap, path: &Path) -> Self {
        Self::along(map, path.turns().collect(), Vec::new())
    }

    /// Starts watching a shortest path with links that was found on the map as it is: its walks, and the links taken
    /// between them. A link breaks when an end of it is blocked.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CellRect, CostRule, Grid, Link, PathMap, PathWatch, Scratch};
    ///
    /// let mut map = PathMap::new(Grid::open(30, 9)?, CostRule::Octile);
    /// map.fill(CellRect::new(15, 0, 1, 9), false);
    /// let links = [Link { from: Cell::new(14, 4), to: Cell::new(16, 4), steps: 5 }];
    /// let path = map.linked_path(Cell::new(2, 4), Cell::new(20, 4), &links, &mut Scratch::new()).unwrap();
    /// let taken: Vec<Link> = path.taken().iter().map(|link| links[*link]).collect();
    /// let mut watch = PathWatch::linked(&map, path.legs(), &taken);
    /// map.set(links[0].to, false);
    /// assert_eq!(watch.check(&map), Some(links[0].from));
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    #[must_use]
    pub fn linked(map: &PathMap, legs: &[Path], taken: &[Link]) -> Self {
        let (mut turns, mut links): (Vec<Cell>, Vec<(u32, u16)>) = (Vec::new(), Vec::new());
        for (number, leg) in legs.iter().enumerate() {
            if let (Some(before), Some(last)) = (number.checked_sub(1), turns.len().checked_sub(1)) {
                links.push((last as u32, taken.get(before).map_or(0, |link| link.steps)));
            }
            turns.extend(leg.turns());
        }
        Self::along(map, turns, links)
    }

    fn along(map: &PathMap, turns: Vec<Cell>, links: Vec<(u32, u16)>) -> Self {
        let (stamp, left) = (map.stamp(), vec![Length::ZERO; turns.len()]);
        let shortest = (stamp, Length::ZERO);
        let mut watch = Self { tiles: Vec::new(), turns, links, left, at: 0, stamp, broken: None, shortest };
        for segment in (1..watch.turns.len()).rev() {
            watch.left[segment - 1] = watch.left_on(segment - 1, watch.turns[segment - 1]).unwrap_or(Length::ZERO);
        }
        watch.shortest.1 = watch.left.first().copied().unwrap_or(Length::ZERO);
        watch.cross_tiles(map);
        watch
    }

    /// How many steps a segment costs, if it is a link.
    fn link(&self, segment: usize) -> Option<u16> {
        let place = self.links.binary_search_by_key(&segment, |link| link.0 as usize).ok()?;
        Some(self.links[place].1)
    }

    /// The cells of a segment, both ends included.
    fn cells(&self, segment: usize) -> impl Iterator<Item = Cell> + use<> {
        let (from, to) = (self.turns[segment], self.turns[(segment + 1).min(self.turns.len() - 1)]);
        let is_link = self.link(segment).is_some();
        let walked = steps(from, to).map(|(_, cell)| cell).filter(move |cell| !is_link || *cell == to);
        core::iter::once(from).chain(walked)
    }

    /// Finds the tiles of a map that the path crosses, up to where it leaves the map.
    fn cross_tiles(&mut self, map: &PathMap) {
        self.tiles.clear();
        for segment in 0..self.turns.len() {
            // A turn belongs to the segment that ends there and to the one that begins.
            for cell in self.cells(segment) {
                if !map.grid().contains(cell) {
                    return;
                }
                self.cross(map.edits(), cell, segment as u32);
            }
        }
    }

    /// Records that a segment crosses the tile of a cell.
    fn cross(&mut self, edits: &Edits, cell: Cell, segment: u32) {
        let tile = edits.tile(cell);
        match self.tiles.last_mut() {
            Some((last, segments)) if *last == tile => segments.end = segment + 1,
            _ => self.tiles.push((tile, segment..segment + 1)),
        }
    }

    /// The last cell that can be reached on the path, if edits have broken it (the first, if that itself is blocked);
    /// `None` while it is unbroken.
    ///
    /// A broken path stays broken, even if the map is restored: find a new one. An unbroken path is legal, but after an
    /// edit that freed cells there may be a shorter one. On a different map, even a clone, the whole path is checked.
    pub fn check(&mut self, map: &PathMap) -> Option<Cell> {
        if self.broken.is_none() && self.stamp != map.stamp() {
            let is_known = self.stamp.is_same_map(map.stamp());
            if !is_known {
                self.cross_tiles(map);
            }
            let is_edited = |tile| !is_known || map.edits().last_in(tile) > self.stamp.version();
            let mut edited = self.tiles.iter().filter(|(tile, _)| is_edited(*tile));
            self.broken = self
                .blocked_start(map)
                .or_else(|| edited.find_map(|(tile, segments)| self.break_in(map, *tile, segments)));
            self.stamp = map.stamp();
        }
        self.broken
    }

    /// A path from where the agent is to the end of its path that is shorter than what is left of it, if edits have
    /// made one; also `None` if edits have broken the path, or `here` is not on it.
    ///
    /// Costs no more than a check if nothing was edited, and little more if edits are only where a path past them would
    /// not be shorter even without walls (in 32-cell tiles, if there were more than 256 of them); otherwise as much as a
    /// search no farther than the rest of the path. Watch the returned path from then on. It takes no links;
    /// [`PathMap::linked_path`] finds one that does.
    ///
    /// ```
    /// use quadrille_paths::{Cell, CellRect, CostRule, Grid, PathMap, PathWatch, Scratch};
    ///
    /// let mut map = PathMap::new(Grid::open(40, 30)?, CostRule::Octile);
    /// map.fill(CellRect::new(20, 0, 1, 29), false);
    /// let (from, to, mut scratch) = (Cell::new(10, 2), Cell::new(30, 2), Scratch::new());
    /// let mut watch = PathWatch::new(&map, &map.path(from, to, &mut scratch).unwrap());
    /// map.set(Cell::new(20, 5), true);
    /// assert_eq!(watch.check(&map), None, "it can still be walked");
    /// assert_eq!(watch.shorter(&map, from, &mut scratch), map.path(from, to, &mut scratch));
    /// # Ok::<(), quadrille_paths::GridError>(())
    /// ```
    pub fn shorter(&mut self, map: &PathMap, here: Cell, scratch: &mut Scratch) -> Option<Path> {
        if self.check(map).is_some() {
            return None;
        }
        let (then, known) = self.shortest;
        if then == map.stamp() && self.left.first() == Some(&known) {
            return None;
        }
        let (left, goal) = (self.left_from(here)?, *self.turns.last()?);
        let may_be = left > known || self.may_edits_shorten(map, here, left, goal);
        let found = may_be.then(|| map.path_within(here, goal, left.as_f64(), scratch)).flatten();
        let shorter = found.filter(|path| path.length() < left);
        if shorter.is_none() {
            self.shortest = (map.stamp(), left);
        }
        shorter
    }

    /// Whether edits since the path was last known to be a shortest one lie where a path could be shorter than what is
    /// left of it.
    fn may_edits_shorten(&self, map: &PathMap, here: Cell, left: Length, goal: Cell) -> bool {
        let then = self.shortest.0;
        let far = left.as_f64().ceil() as u32;
        let [around, near_goal] = [here, goal].map(|cell| CellRect::one(cell).widened(far, far));
        let is_on_shorter = |edit: CellRect| shortest_by(map, here, &edit, goal) < left;
        !then.is_same_map(map.stamp())
            || map.edits().is_any_since(then.version(), around.common(&near_goal), is_on_shorter)
    }

    /// How much of the path is left from one of its cells. The search starts where the agent was last.
    fn left_from(&mut self, here: Cell) -> Option<Length> {
        let mut segments = (self.at..self.turns.len()).chain(0..self.at);
        let (at, left) = segments.find_map(|segment| Some((segment, self.left_on(segment, here)?)))?;
        self.at = at;
        Some(left)
    }

    /// The same for a cell of a segment, or the last cell of the path.
    fn left_on(&self, segment: usize, here: Cell) -> Option<Length> {
        #[cfg(test)]
        crate::open_list::work::note();
        let from = self.turns[segment];
        let Some(to) = self.turns.get(segment + 1) else { return (here == from).then_some(Length::ZERO) };
        let length = match self.link(segment) {
            Some(steps) => (here == from).then_some(Length { straight: steps.into(), diagonal: 0 }),
            None => is_between(from, here, *to).then(|| CostRule::Octile.distance(here, *to)),
        };
        length.map(|length| length + self.left[segment + 1])
    }

    /// The first cell, if it is not free.
    fn blocked_start(&self, map: &PathMap) -> Option<Cell> {
        self.turns.first().copied().filter(|start| !map.grid().is_free(*start))
    }

    /// The cell before the first illegal step on the parts of some straight segments that lie in a tile, if any.
    ///
    /// Whether a step is legal depends on cells beside its ends; an edit there touches the tiles of both.
    fn break_in(&self, map: &PathMap, tile: u32, segments: &Range<u32>) -> Option<Cell> {
        let tile = map.edits().cells(tile);
        let segments = segments.start as usize..(segments.end as usize).min(self.turns.len() - 1);
        segments.into_iter().find_map(|segment| {
            let (from, to) = (self.turns[segment], self.turns[segment + 1]);
            if self.link(segment).is_some() {
                return (!map.grid().is_free(to)).then_some(from);
            }
            let mut here = entry(tile, from, to);
            let steps = steps(here, to).map(|(direction, next)| (core::mem::replace(&mut here, next), direction));
            let mut inside = steps.take_while(|(before, _)| tile.contains(*before));
            inside
                .find(|(before, direction)| !map.grid().can_step(*before, *direction, map.rule()))
                .map(|(before, _)| before)
        })
    }
}

/// The least length of a path between two cells that takes a step which an edit has made legal. Whether a diagonal step
/// is legal depends on the cells beside it.
fn shortest_by(map: &PathMap, from: Cell, edit: &CellRect, to: Cell) -> Length {
    let around = edit.widened(1, 1).clamped(map.grid().width(), map.grid().height());
    map.rule().distance(from, around.nearest(from)) + map.rule().distance(around.nearest(to), to)
}

/// The steps along a straight segment in one of the eight directions, whatever the rule of the map.
fn steps(from: Cell, to: Cell) -> impl Iterator<Item = (Direction, Cell)> {
    CostRule::Octile.steps(from, to)
}

/// Whether a cell lies on a straight segment in one of the eight directions.
fn is_between(from: Cell, cell: Cell, to: Cell) -> bool {
    let is_within = |from: u32, at: u32, to: u32| from.min(to) <= at && at <= from.max(to);
    let is_on_line = from.x == to.x || from.y == to.y || from.x.abs_diff(cell.x) == from.y.abs_diff(cell.y);
    is_on_line && is_within(from.x, cell.x, to.x) && is_within(from.y, cell.y, to.y)
}

/// The first cell of a straight segment that lies in a tile, which the segment crosses.
fn entry(tile: CellRect, from: Cell, to: Cell) -> Cell {
    let ahead = |at: u32, first: u32, count: u32| first.saturating_sub(at).max((at + 1).saturating_sub(first + count));
    let steps = ahead(from.x, tile.x, tile.width).max(ahead(from.y, tile.y, tile.height));
    let toward = |at: u32, end: u32| if end < at { at.saturating_sub(steps) } else { end.min(at + steps) };
    Cell::new(toward(from.x, to.x), toward(from.y, to.y))
}
