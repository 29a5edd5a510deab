//! Watched paths: an agent that follows a path learns when an edit breaks it.

use core::ops::Range;

use crate::grid::cell::{Cell, CellRect, Direction};
use crate::grid::cost::{CostRule, Length};
use crate::grid::edits::{Edits, Stamp};
use crate::map::PathMap;
use crate::path::Path;
use crate::search::corner::Scratch;

/// A path that an agent walks, with the map on which it is known to be whole.
///
/// A check costs one comparison while the map has not changed. Otherwise it looks up the last edit of each 32-cell tile
/// that the path crosses, however many edits there were, and walks again only the parts in tiles edited since.
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
    /// First cell, turns, last cell.
    turns: Vec<Cell>,
    /// The tiles that the path crosses, in its order, each with the segments that lie in it at least in part.
    tiles: Vec<(u32, Range<u32>)>,
    stamp: Stamp,
    /// The last cell before the break.
    broken: Option<Cell>,
    /// When the path was known to be a shortest one, from where so much of it was left.
    shortest: (Stamp, Length),
}

impl PathWatch {
    /// Begins to watch a shortest path that was found on the map as it is.
    #[must_use]
    pub fn new(map: &PathMap, path: &Path) -> Self {
        let (turns, shortest) = (path.turns().collect(), (map.stamp(), path.length()));
        let mut watch = Self { tiles: Vec::new(), turns, stamp: map.stamp(), broken: None, shortest };
        watch.cross_tiles(map);
        watch
    }

    /// Finds the tiles of a map that the path crosses, up to where it leaves the map.
    fn cross_tiles(&mut self, map: &PathMap) {
        self.tiles.clear();
        for segment in 0..self.turns.len() {
            // A turn belongs to the segment that ends there and to the one that begins.
            let (from, to) = (self.turns[segment], self.turns[(segment + 1).min(self.turns.len() - 1)]);
            for cell in core::iter::once(from).chain(steps(from, to).map(|(_, cell)| cell)) {
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
    /// `None` while it is whole.
    ///
    /// A broken path stays broken, even if the map is mended: find a new one. A whole path is legal, but after an edit
    /// that freed cells there may be a shorter one. On another map than before, a clone included, all of the path is
    /// walked.
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
    /// made one; `None` as well if edits have broken the path, or `here` is not on it.
    ///
    /// Costs a check as long as nothing was edited, or only where a way by it would not be shorter even without walls;
    /// else a search that looks no farther than what is left. Watch the path that is returned instead.
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
        let (rest, goal) = (self.rest(here)?, *self.turns.last()?);
        let (then, known) = self.shortest;
        let edits = map.edits().since(then).filter(|_| rest <= known);
        let may_be = edits.is_none_or(|edits| edits.iter().any(|edit| shortest_by(map, here, edit, goal) < rest));
        let found = may_be.then(|| map.path_within(here, goal, rest.as_f64(), scratch)).flatten();
        let shorter = found.filter(|path| path.length() < rest);
        if shorter.is_none() {
            self.shortest = (map.stamp(), rest);
        }
        shorter
    }

    /// How much of the path is left from one of its cells.
    fn rest(&self, here: Cell) -> Option<Length> {
        let mut rest = Length::ZERO;
        for pair in self.turns.windows(2).rev() {
            if core::iter::once(pair[0]).chain(steps(pair[0], pair[1]).map(|(_, cell)| cell)).any(|cell| cell == here) {
                return Some(rest + CostRule::Octile.distance(here, pair[1]));
            }
            rest = rest + CostRule::Octile.distance(pair[0], pair[1]);
        }
        (self.turns.last() == Some(&here)).then_some(rest)
    }

    /// The first cell, if it is not free.
    fn blocked_start(&self, map: &PathMap) -> Option<Cell> {
        self.turns.first().copied().filter(|start| !map.grid().is_free(*start))
    }

    /// The cell of some straight segments, as far as they lie in a tile, after which the first illegal step comes, if
    /// there is one.
    ///
    /// Whether a step is legal depends on cells beside its ends; an edit there touches the tiles of both.
    fn break_in(&self, map: &PathMap, tile: u32, segments: &Range<u32>) -> Option<Cell> {
        let tile = map.edits().cells(tile);
        let turns = &self.turns[segments.start as usize..=(segments.end as usize).min(self.turns.len() - 1)];
        turns.windows(2).find_map(|pair| {
            let mut here = entry(tile, pair[0], pair[1]);
            let steps = steps(here, pair[1]).map(|(way, next)| (core::mem::replace(&mut here, next), way));
            let mut inside = steps.take_while(|(before, _)| tile.contains(*before));
            inside.find(|(before, way)| !map.grid().can_step(*before, *way, map.rule())).map(|(before, _)| before)
        })
    }
}

/// How long a way between two cells is at least that takes a step which an edit has made legal. Whether a diagonal one
/// is depends on cells beside it.
fn shortest_by(map: &PathMap, from: Cell, edit: &CellRect, to: Cell) -> Length {
    let around = edit.widened(1, 1).clamped(map.grid().width(), map.grid().height());
    let nearest = |cell: Cell| {
        let (right, bottom) = (around.x + around.width - 1, around.y + around.height - 1);
        Cell::new(cell.x.clamp(around.x, right), cell.y.clamp(around.y, bottom))
    };
    map.rule().distance(from, nearest(from)) + map.rule().distance(nearest(to), to)
}

/// The steps along a straight segment in one of the eight directions, whatever the rule of the map.
fn steps(from: Cell, to: Cell) -> impl Iterator<Item = (Direction, Cell)> {
    CostRule::Octile.steps(from, to)
}

/// The first cell of a straight segment that lies in a tile, which the segment crosses.
fn entry(tile: CellRect, from: Cell, to: Cell) -> Cell {
    let ahead = |at: u32, first: u32, count: u32| first.saturating_sub(at).max((at + 1).saturating_sub(first + count));
    let steps = ahead(from.x, tile.x, tile.width).max(ahead(from.y, tile.y, tile.height));
    let toward = |at: u32, end: u32| if end < at { at.saturating_sub(steps) } else { end.min(at + steps) };
    Cell::new(toward(from.x, to.x), toward(from.y, to.y))
}
