//! The corners of a map and where the ways out of each lead: a graph that holds a shortest path between any two cells, kept right
//! under edits.
//!
//! What block-based jump point search finds by scanning, again and again, is stored: for each corner and each way out that a
//! shortest path may take (see [`turns`](crate::walks::turns)), the corners that it leads to (see [`jump`](crate::walks::jump)), and how far
//! its diagonal goes. A search reads that in place of the map.
//!
//! An edit changes only ways out that have looked at it. Which those are follows from how far each diagonal goes, and is found with
//! one look around the edit (see [`views`](crate::corners::views)); they are marked as stale, with the steps of the diagonal from which
//! they may have. That is all: the first search that comes to a stale corner goes those steps once more and
//! leaves what it found beside the map, for the others on whatever thread they are; the next edit, or [`Corners::settle`], moves
//! it to the rest. So what an edit costs later is never more than a search without any store pays for the same corners.
//!
//! | file | what it knows |
//! |---|---|
//! | this one | all corners, their links, and what edits do to them |
//! | `views` | which corners have looked at an edited rectangle |

mod views;

use core::ops::{Range, RangeInclusive};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::corners::views::Views;
use crate::grid::Grid;
use crate::grid::bitmap::Bitmap;
use crate::grid::cell::{Cell, CellRect, Direction};
use crate::grid::cost::CostRule;
use crate::grid::fault::Corruption;
use crate::grid::fixed::Fixed;
use crate::landmarks::corners::{CornerLandmarks, GoalRange};
use crate::walks::jump::{Changed, Walks};
use crate::walks::sweep::Sweep;
use crate::walks::turns::{Turns, Ways, exits, turns};

/// Corners are numbered tile by tile, so that what a search visits lies close together. The side is in cells.
const TILE: u32 = 32;

/// The number of a cell that is no corner.
const NONE: u32 = u32::MAX;

/// How many links of a corner can be counted in 16 bits; one that has more stays stale. Tests have it happen.
const MOST_LINKS: usize = if cfg!(test) { 24 } else { u16::MAX as usize };

/// A corner that a way leads to: its number, and in the upper four bits the direction of the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link(u32);

impl Link {
    /// Leaves 28 bits for numbers: 2^28 corners, whose links alone would take gigabytes.
    const SHIFT: u32 = 28;
    /// The largest number; no corner has it, for no map consists of corners.
    pub(crate) const LAST_CORNER: u32 = (1 << Self::SHIFT) - 1;

    pub(crate) const fn new(corner: u32, arrival: Direction) -> Self {
        Self(corner | (arrival as u32) << Self::SHIFT)
    }

    /// The corner's number.
    #[inline]
    pub(crate) const fn corner(self) -> u32 {
        self.0 & Self::LAST_CORNER
    }

    /// The direction of the last step to it, as a bit.
    #[inline]
    pub(crate) const fn arrival(self) -> Ways {
        1 << (self.0 >> Self::SHIFT)
    }
}

/// A set of quadrants, one bit each: north-east, south-east, south-west, north-west. To each belongs the straight way
/// clockwise of it.
type Quadrants = u8;

/// The quadrant of a way.
const fn quadrant(way: Direction) -> usize {
    (way as usize + 7) % 8 / 2
}

/// One corner: 32 bytes, two to a cache line, for a search that comes to one most often waits for memory.
#[derive(Clone, Copy, Debug, Default)]
struct Corner {
    /// Where its links start; while stale, the number of its [`Stale`].
    first_link: u32,
    /// By way, how many of its links are of it or one before; the last counts them all.
    links_up_to: [u16; 8],
    /// By quadrant, how many steps along the diagonal are legal.
    diagonals: [u16; 4],
    /// Where what is stored may not be what there is.
    stale: Quadrants,
    walls: u8,
}

const _: () = assert!(size_of::<Corner>() == 32);

/// Where the ways out of a corner lead.
#[derive(Clone, Debug, Default)]
struct Found {
    links: Vec<Link>,
    links_up_to: [u32; 8],
    diagonals: [u16; 4],
}

/// A corner whose ways may not lead where it is stored.
#[derive(Clone, Debug)]
struct Stale {
    number: u32,
    /// Where its stored links start; those in quadrants that are not stale are good.
    first_link: u32,
    /// By quadrant, the first and last steps of the diagonal from which it may lead elsewhere.
    steps: [[u16; 2]; 4],
    /// Where its ways lead, once a search has come here.
    found: OnceLock<Box<Found>>,
}

/// The ways out of one corner, for a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exits<'a> {
    links: &'a [Link],
    links_up_to: UpTo<'a>,
    diagonals: &'a [u16; 4],
}

/// Where the links of each way end, as they are stored, or as they were found.
#[derive(Clone, Copy, Debug)]
enum UpTo<'a> {
    Stored(&'a [u16; 8]),
    Found(&'a [u32; 8]),
}

impl UpTo<'_> {
    #[inline]
    fn get(self, way: usize) -> usize {
        match self {
            Self::Stored(counts) => counts[way].into(),
            Self::Found(counts) => counts[way] as usize,
        }
    }
}

impl<'a> Exits<'a> {
    /// The corners that a way leads to.
    #[inline]
    pub(crate) fn links(&self, way: Direction) -> &'a [Link] {
        let way = way as usize;
        let start = if way == 0 { 0 } else { self.links_up_to.get(way - 1) };
        &self.links[start..self.links_up_to.get(way)]
    }

    /// How many steps along a diagonal are legal, as far as that is known to matter.
    #[inline]
    pub(crate) fn diagonal(&self, way: Direction) -> u32 {
        self.diagonals[quadrant(way)].into()
    }
}

/// Corners of one tile.
#[derive(Clone, Debug, Default)]
struct Tile {
    corners: Vec<u32>,
    /// By quadrant, none of their diagonals is longer.
    longest: [u16; 4],
}

/// Numbers of stale corners that searches have found the ways of.
#[derive(Debug, Default)]
struct Visited(Mutex<Vec<u32>>);

impl Visited {
    fn push(&self, number: u32) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(number);
    }

    fn take(&mut self) -> Vec<u32> {
        core::mem::take(self.0.get_mut().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Clone for Visited {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

/// All corners and links.
#[derive(Clone, Debug)]
pub(crate) struct Corners {
    rule: CostRule,
    turns: &'static Turns,
    /// Walls by columns; the grid has them by rows.
    columns: Bitmap,
    /// The number of the corner in each cell, row by row.
    numbers: Vec<u32>,
    /// The cells of the corners by number, column and row; void where a number is free.
    ///
    /// Apart from the rest, for a search needs the cells of more corners than it expands: four bytes each stay in the
    /// nearest caches, and misses are what its time is spent on.
    cells: Vec<[u16; 2]>,
    /// The corners by number; void where a number is free.
    corners: Vec<Corner>,
    /// Numbers to be used again, the last freed first.
    free: Vec<u32>,
    /// Numbers of corners that are no more, but stand in links that are stale.
    dead: Vec<u32>,
    /// The links of all corners, in the order in which they were stored, with gaps where they have become stale.
    links: Vec<Link>,
    /// How many places among the links are those of a corner.
    live_links: usize,
    /// All corners that are stale.
    stale: Vec<Stale>,
    visited: Visited,
    /// Row by row.
    tiles: Vec<Tile>,
    /// Tiles a row.
    tile_columns: u32,
    landmarks: CornerLandmarks,
}

impl Corners {
    /// Finds all corners and all links.
    pub(crate) fn new(grid: &Grid, rule: CostRule) -> Self {
        let tile_columns = grid.width().div_ceil(TILE);
        let mut corners = Self {
            rule,
            turns: turns(rule),
            columns: Bitmap::filled(grid.height(), grid.width()),
            numbers: vec![NONE; grid.width() as usize * grid.height() as usize],
            cells: Vec::new(),
            corners: Vec::new(),
            free: Vec::new(),
            dead: Vec::new(),
            links: Vec::new(),
            live_links: 0,
            stale: Vec::new(),
            visited: Visited::default(),
            tiles: vec![Tile::default(); tile_columns as usize * grid.height().div_ceil(TILE) as usize],
            tile_columns,
            landmarks: CornerLandmarks::default(),
        };
        for cell in grid.bounds().tiles(TILE).flat_map(CellRect::cells) {
            corners.columns.set(cell.y as usize + 1, cell.x as usize + 1, !grid.is_free(cell));
            corners.place(grid, cell);
        }
        // All are new and so stale, which would do; but a map is asked more often than it is made.
        corners.renew(grid);
        corners.corners.shrink_to_fit();
        corners.cells.shrink_to_fit();
        corners.links.shrink_to_fit();
        corners
    }

    /// Every corner's number is smaller than this.
    pub(crate) fn count_numbers(&self) -> usize {
        self.corners.len()
    }

    /// How many corners there are.
    pub(crate) fn count(&self) -> usize {
        self.corners.len() - self.free.len() - self.dead.len()
    }

    /// The cell of a corner.
    #[inline]
    pub(crate) fn cell(&self, number: u32) -> Cell {
        let [x, y] = self.cells[number as usize];
        Cell::new(u32::from(x), u32::from(y))
    }

    /// The ways out of a corner that a shortest path may take after these last steps.
    #[inline]
    pub(crate) fn ways_on(&self, number: u32, mut arrivals: Ways) -> Ways {
        let turns = &self.turns[usize::from(self.corners[number as usize].walls)];
        let mut ways = 0;
        while arrivals != 0 {
            ways |= turns[arrivals.trailing_zeros() as usize];
            arrivals &= arrivals - 1;
        }
        ways
    }

    /// The ways out of a corner.
    #[inline]
    pub(crate) fn exits(&self, grid: &Grid, number: u32) -> Exits<'_> {
        let corner = &self.corners[number as usize];
        if corner.stale == 0 {
            let links = &self.links[corner.first_link as usize..][..corner.count()];
            Exits { links, links_up_to: UpTo::Stored(&corner.links_up_to), diagonals: &corner.diagonals }
        } else {
            let stale = &self.stale[corner.first_link as usize];
            let found = stale.found.get_or_init(|| self.look_again(grid, number));
            let links_up_to = UpTo::Found(&found.links_up_to);
            Exits { links: &found.links, links_up_to, diagonals: &found.diagonals }
        }
    }

    /// The ways out of a stale corner, and a note that they are known.
    #[cold]
    fn look_again(&self, grid: &Grid, number: u32) -> Box<Found> {
        let mut found = Found::default();
        self.look(grid, number, &mut found);
        self.visited.push(number);
        Box::new(found)
    }

    /// Where the ways out of a stale corner lead: goes those in quadrants that are stale, as far as something may have changed.
    fn look(&self, grid: &Grid, number: u32, found: &mut Found) {
        let corner = &self.corners[number as usize];
        let (walks, from, exits) = (self.walks(grid), self.cell(number), exits(self.turns, corner.walls));
        let stale = &self.stale[corner.first_link as usize];
        found.links.clear();
        found.diagonals = corner.diagonals;
        for (index, way) in Direction::ALL.into_iter().enumerate() {
            let (quadrant, stored) = (quadrant(way), &self.links[self.stored(corner, index)]);
            if corner.stale >> quadrant & 1 == 0 {
                found.links.extend_from_slice(stored);
            } else if exits >> index & 1 == 1 {
                let [first, last] = stale.steps[quadrant];
                let changed = Changed { first, last, diagonal: corner.diagonals[quadrant] };
                let steps = |link: &Link| Changed::steps(self.rule, from, self.cell(link.corner()));
                if way.is_diagonal() {
                    found.links.extend_from_slice(&stored[..stored.partition_point(|link| steps(link) < first)]);
                }
                let links = &mut found.links;
                let (diagonal, is_rest_known) = walks.go_again(from, way, changed, |cell, arrival| {
                    links.push(Link::new(self.numbers[place(grid, cell)], arrival));
                });
                if is_rest_known {
                    links.extend_from_slice(&stored[stored.partition_point(|link| steps(link) <= last)..]);
                }
                found.note(way, diagonal);
            } else if way.is_diagonal() {
                found.diagonals[quadrant] = 0;
            }
            found.links_up_to[index] = found.links.len() as u32;
        }
    }

    /// Where the stored links of a corner for a way are.
    fn stored(&self, corner: &Corner, way: usize) -> Range<usize> {
        let first = self.first_stored(corner);
        let start = if way == 0 { 0 } else { corner.links_up_to[way - 1] };
        first + usize::from(start)..first + usize::from(corner.links_up_to[way])
    }

    /// Where the stored links of a corner start.
    fn first_stored(&self, corner: &Corner) -> usize {
        if corner.stale == 0 {
            corner.first_link as usize
        } else {
            self.stale[corner.first_link as usize].first_link as usize
        }
    }

    /// What walks need.
    pub(crate) fn walks<'a>(&'a self, grid: &'a Grid) -> Walks<'a> {
        Walks { rule: self.rule, rows: grid.walls(), columns: &self.columns }
    }

    /// The number of the corner in a cell on the map.
    pub(crate) fn number(&self, grid: &Grid, cell: Cell) -> Option<u32> {
        Some(self.numbers[place(grid, cell)]).filter(|number| *number != NONE)
    }

    /// How many landmarks there are.
    pub(crate) const fn landmarks(&self) -> usize {
        self.landmarks.count()
    }

    /// Makes a free cell a landmark.
    pub(crate) fn add_landmark(&mut self, grid: &Grid, cell: Cell) {
        let mut by_cell = vec![Fixed::MAX; self.numbers.len()];
        Sweep::lay(grid, self.walks(grid), core::iter::once(cell), &mut by_cell);
        let length = |number| Some(self.cell(number)).filter(|cell| self.number(grid, *cell) == Some(number));
        let lengths = (0..self.corners.len() as u32)
            .map(|number| length(number).map_or(Fixed::MAX, |cell| by_cell[place(grid, cell)]));
        self.landmarks.add(grid, &lengths.collect::<Vec<_>>());
    }

    /// How far a goal is from the landmarks.
    pub(crate) fn range(&self, grid: &Grid, goal: Cell) -> GoalRange {
        if self.landmarks() == 0 {
            return GoalRange::default();
        }
        let (walks, mut seen) = (self.walks(grid), vec![goal]);
        for way in Direction::ALL.into_iter().filter(|way| self.rule.is_way(*way)) {
            walks.go(goal, way, |cell, _| seen.push(cell));
        }
        let number = |cell: Cell| Some((self.number(grid, cell)?, Fixed::of(self.rule.distance(cell, goal))));
        self.landmarks.range(seen.into_iter().filter_map(number))
    }

    /// How far it is at least from a corner to a goal, as the landmarks have it.
    #[inline]
    pub(crate) fn bound(&self, number: u32, goal: &GoalRange) -> Fixed {
        self.landmarks.bound(number, goal)
    }

    /// Brings everything up to date after cells in a rectangle on the map have changed, links by marking them as stale.
    pub(crate) fn update(&mut self, grid: &Grid, rect: CellRect) {
        self.settle();
        self.landmarks.update(grid, rect);
        for cell in rect.cells() {
            self.columns.set(cell.y as usize + 1, cell.x as usize + 1, !grid.is_free(cell));
        }
        for cell in rect.widened(1, 1).clamped(grid.width(), grid.height()).cells() {
            self.place(grid, cell);
        }
        let views = Views::of(&self.walks(grid), grid, rect);
        for quadrant in 0..4 {
            self.expire_quadrant(quadrant, &views);
        }
        if self.dead.len() > self.count() / 8 + 256 {
            self.renew(grid);
        }
    }

    /// Marks as stale what ways of a quadrant have looked at changed cells.
    fn expire_quadrant(&mut self, quadrant: usize, views: &Views) {
        let longest = self.tiles.iter().map(|tile| tile.longest[quadrant]).max().unwrap_or(0);
        // On most maps, all but few tiles are out of reach by their row and column alone.
        let [rows, columns] = views.reach(self.rule, quadrant, longest);
        let (tile_columns, tile_rows) = (self.tile_columns, self.tiles.len() as u32 / self.tile_columns.max(1));
        let (near_rows, near_columns) = (near_tiles(&rows, tile_rows), near_tiles(&columns, tile_columns));
        for row in 0..tile_rows {
            for column in if near_rows.contains(&row) { 0..tile_columns } else { near_columns.clone() } {
                let tile = (row * tile_columns + column) as usize;
                let cells = CellRect::new(column * TILE, row * TILE, TILE, TILE);
                if views.are_seen(self.rule, cells, quadrant, self.tiles[tile].longest[quadrant]) {
                    self.expire_in(tile, quadrant, views);
                }
            }
        }
    }

    /// Marks as stale what ways of a quadrant out of a tile's corners have looked at changed cells.
    fn expire_in(&mut self, tile: usize, quadrant: usize, views: &Views) {
        for index in 0..self.tiles[tile].corners.len() {
            let number = self.tiles[tile].corners[index];
            let diagonal = self.corners[number as usize].diagonals[quadrant];
            if let Some(steps) = views.steps(self.rule, self.cell(number), quadrant, diagonal) {
                self.expire(number, quadrant, steps);
            }
        }
    }

    /// Goes the ways of all stale corners. Then no link leads to a corner that is no more, and its number can be used again.
    fn renew(&mut self, grid: &Grid) {
        let mut found = Found::default();
        for slot in (0..self.stale.len() as u32).rev() {
            let number = self.stale[slot as usize].number;
            self.look(grid, number, &mut found);
            self.store(number, &found);
        }
        self.free.append(&mut self.dead);
        self.close_gaps_if_many();
    }

    /// Moves what searches have found at stale corners to the rest.
    pub(crate) fn settle(&mut self) {
        for number in self.visited.take() {
            let Some(corner) = self.corners.get(number as usize).filter(|corner| corner.stale != 0) else { continue };
            let slot = corner.first_link as usize;
            if let Some(found) = self.stale[slot].found.take() {
                self.store(number, &found);
            }
        }
        self.close_gaps_if_many();
    }

    /// Compares bits, numbers and links with what the cells say.
    pub(crate) fn validate(&self, grid: &Grid) -> Result<(), Corruption> {
        let mut count = 0;
        for cell in grid.bounds().cells() {
            let walls = grid.walls_around(cell);
            let is_corner = grid.is_free(cell) && self.rule.is_corner(walls);
            let number = self.number(grid, cell);
            let is_right = self.columns.get(cell.y as usize + 1, cell.x as usize + 1) != grid.is_free(cell)
                && number.is_some() == is_corner
                && number.is_none_or(|number| {
                    self.cell(number) == cell
                        && self.corners[number as usize].walls == walls
                        && self.tiles[self.tile(cell)].corners.contains(&number)
                });
            Corruption::unless(is_right, || format!("cell {cell}: bits or corner are not as its walls say"))?;
            count += usize::from(is_corner);
        }
        let listed: usize = self.tiles.iter().map(|tile| tile.corners.len()).sum();
        Corruption::unless(count == self.count() && count == listed, || {
            format!("{} corners and {listed} in tiles, not {count}", self.count())
        })?;
        let live: usize = self.corners.iter().map(Corner::count).sum();
        Corruption::unless(live == self.live_links, || format!("{} links counted, not {live}", self.live_links))?;
        let is_listed = |(slot, stale): (usize, &Stale)| {
            let corner = &self.corners[stale.number as usize];
            corner.stale != 0 && corner.first_link as usize == slot
        };
        let stale = self.corners.iter().filter(|corner| corner.stale != 0).count();
        let are_listed = stale == self.stale.len() && self.stale.iter().enumerate().all(is_listed);
        Corruption::unless(are_listed, || format!("{stale} stale corners, not {}", self.stale.len()))?;
        let corners = self.tiles.iter().flat_map(|tile| tile.corners.iter().map(move |number| (tile, *number)));
        corners.into_iter().try_for_each(|(tile, number)| self.validate_corner(grid, tile, number))
    }

    /// Compares where the ways out of a corner lead, as far as they are not stale, with where they do.
    fn validate_corner(&self, grid: &Grid, tile: &Tile, number: u32) -> Result<(), Corruption> {
        let (corner, cell) = (&self.corners[number as usize], self.cell(number));
        let expected = self.found_anew(grid, number);
        let found = Some(corner).filter(|corner| corner.stale != 0);
        let found = found.and_then(|corner| self.stale[corner.first_link as usize].found.get());
        let fault = |what: &str| format!("corner {number} at {cell}: {what}, not {expected:?}");
        if let Some(found) = found {
            let is_right = (&found.links, found.links_up_to, found.diagonals)
                == (&expected.links, expected.links_up_to, expected.diagonals);
            Corruption::unless(is_right, || fault(&format!("{found:?}")))?;
        }
        for (index, way) in Direction::ALL.into_iter().enumerate() {
            let quadrant = quadrant(way);
            if corner.stale >> quadrant & 1 == 1 {
                continue;
            }
            let start = if index == 0 { 0 } else { expected.links_up_to[index - 1] } as usize;
            let links = &expected.links[start..expected.links_up_to[index] as usize];
            let stored = self.links.get(self.stored(corner, index));
            let diagonal = corner.diagonals[quadrant];
            let is_right =
                stored == Some(links) && diagonal == expected.diagonals[quadrant] && diagonal <= tile.longest[quadrant];
            Corruption::unless(is_right, || fault(&format!("{stored:?} and {corner:?}")))?;
        }
        Ok(())
    }

    /// Where the ways out of a corner lead, without a look at what is stored.
    fn found_anew(&self, grid: &Grid, number: u32) -> Found {
        let (walks, from, mut found) = (self.walks(grid), self.cell(number), Found::default());
        let exits = exits(self.turns, self.corners[number as usize].walls);
        for (index, way) in Direction::ALL.into_iter().enumerate() {
            if exits >> index & 1 == 1 {
                let diagonal = walks.go(from, way, |cell, arrival| {
                    found.links.push(Link::new(self.numbers[place(grid, cell)], arrival));
                });
                found.note(way, diagonal);
            }
            found.links_up_to[index] = found.links.len() as u32;
        }
        found
    }

    /// Brings the corner of one cell up to date. One that is new, or among other walls than before, is stale.
    fn place(&mut self, grid: &Grid, cell: Cell) {
        let walls = grid.walls_around(cell);
        let is_corner = grid.is_free(cell) && self.rule.is_corner(walls);
        match (self.numbers[place(grid, cell)], is_corner) {
            (NONE, false) => {}
            (NONE, true) => self.add(grid, cell, walls),
            (number, true) if self.corners[number as usize].walls == walls => {}
            (number, true) => {
                self.corners[number as usize].walls = walls;
                self.expire_all(number);
            }
            (number, false) => self.remove(grid, cell, number),
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are fewer corners than cells, and fewer cells than 2^32"
    )]
    fn add(&mut self, grid: &Grid, cell: Cell, walls: u8) {
        let number = self.free.pop().unwrap_or(self.corners.len() as u32);
        if number as usize == self.corners.len() {
            self.corners.push(Corner::default());
            self.cells.push([0; 2]);
        }
        self.corners[number as usize].walls = walls;
        self.landmarks.forget(number);
        self.cells[number as usize] = [cell.x as u16, cell.y as u16];
        self.numbers[place(grid, cell)] = number;
        let tile = self.tile(cell);
        self.tiles[tile].corners.push(number);
        self.expire_all(number);
    }

    fn remove(&mut self, grid: &Grid, cell: Cell, number: u32) {
        let corner = core::mem::take(&mut self.corners[number as usize]);
        self.live_links -= corner.count();
        if corner.stale != 0 {
            self.forget_stale(corner.first_link);
        }
        let tile = self.tile(cell);
        self.tiles[tile].corners.retain(|other| *other != number);
        self.numbers[place(grid, cell)] = NONE;
        self.dead.push(number);
    }

    /// Takes a stale corner off the list.
    fn forget_stale(&mut self, slot: u32) {
        self.stale.swap_remove(slot as usize);
        if let Some(moved) = self.stale.get(slot as usize) {
            self.corners[moved.number as usize].first_link = slot;
        }
    }

    /// Marks a corner's ways as stale.
    fn expire_all(&mut self, number: u32) {
        (0..4).for_each(|quadrant| self.expire(number, quadrant, [0, u16::MAX]));
    }

    /// Marks a corner's ways in a quadrant as stale, from the first to the last of these steps of the diagonal.
    fn expire(&mut self, number: u32, quadrant: usize, steps: [u16; 2]) {
        let corner = &mut self.corners[number as usize];
        if corner.stale == 0 {
            let slot = self.stale.len() as u32;
            let first_link = core::mem::replace(&mut corner.first_link, slot);
            self.stale.push(Stale { number, first_link, steps: [[u16::MAX, 0]; 4], found: OnceLock::new() });
        }
        let stale = &mut self.stale[corner.first_link as usize];
        corner.stale |= 1 << quadrant;
        stale.found = OnceLock::new();
        let known = &mut stale.steps[quadrant];
        *known = [known[0].min(steps[0]), known[1].max(steps[1])];
    }

    /// Stores where the ways out of a stale corner lead, which it then is no more. If there are too many links to count in 16
    /// bits, it stays stale, and is to be looked at after each edit: the next would not know what its ways have looked at.
    fn store(&mut self, number: u32, found: &Found) {
        let slot = self.corners[number as usize].first_link;
        self.live_links -= self.corners[number as usize].count();
        let Some(first) = u32::try_from(self.links.len()).ok().filter(|_| found.links.len() <= MOST_LINKS) else {
            self.corners[number as usize].links_up_to = [0; 8];
            return self.expire_all(number);
        };
        self.forget_stale(slot);
        let corner = &mut self.corners[number as usize];
        (corner.stale, corner.first_link) = (0, first);
        corner.links_up_to = found.links_up_to.map(|count| count as u16);
        corner.diagonals = found.diagonals;
        self.links.extend_from_slice(&found.links);
        self.live_links += found.links.len();
        self.note_diagonals(number);
    }

    /// Tells a corner's tile how long its diagonals are.
    fn note_diagonals(&mut self, number: u32) {
        let (tile, diagonals) = (self.tile(self.cell(number)), self.corners[number as usize].diagonals);
        for (longest, diagonal) in self.tiles[tile].longest.iter_mut().zip(diagonals) {
            *longest = diagonal.max(*longest);
        }
    }

    /// Moves all links to the front if half of the places are gaps, and finds the longest diagonals of tiles.
    fn close_gaps_if_many(&mut self) {
        if self.links.len() <= 2 * self.live_links + 1024 {
            return;
        }
        let mut links = Vec::with_capacity(self.live_links + self.live_links / 4);
        for number in 0..self.corners.len() {
            let corner = self.corners[number];
            let (first, stored) = (links.len() as u32, self.first_stored(&corner));
            links.extend_from_slice(&self.links[stored..stored + corner.count()]);
            if corner.stale == 0 {
                self.corners[number].first_link = first;
            } else {
                self.stale[corner.first_link as usize].first_link = first;
            }
        }
        self.links = links;
        for tile in 0..self.tiles.len() {
            self.tiles[tile].longest = [0; 4];
            for index in 0..self.tiles[tile].corners.len() {
                self.note_diagonals(self.tiles[tile].corners[index]);
            }
        }
    }

    fn tile(&self, cell: Cell) -> usize {
        (cell.y / TILE * self.tile_columns + cell.x / TILE) as usize
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let found = self.stale.iter().filter_map(|stale| stale.found.get());
        let found: usize = found.map(|found| size_of::<Found>() + size_of_val(&found.links[..])).sum();
        let listed: usize = self.tiles.iter().map(|tile| tile.corners.capacity()).sum();
        self.columns.bytes()
            + size_of::<u32>() * (self.numbers.capacity() + self.free.capacity() + self.dead.capacity() + listed)
            + size_of::<[u16; 2]>() * self.cells.capacity()
            + size_of::<Corner>() * self.corners.capacity()
            + size_of::<Link>() * self.links.capacity()
            + size_of::<Stale>() * self.stale.capacity()
            + size_of_val(&self.tiles[..])
            + self.landmarks.bytes()
            + found
    }
}

impl Corner {
    /// The number of stored links.
    fn count(&self) -> usize {
        usize::from(self.links_up_to[7])
    }
}

impl Found {
    /// Notes how far a way went.
    fn note(&mut self, way: Direction, diagonal: u16) {
        if way.is_diagonal() {
            self.diagonals[quadrant(way)] = diagonal;
        }
    }
}

/// Which of this number of tiles in a row, or column, have a cell in a range.
fn near_tiles(range: &RangeInclusive<i32>, count: u32) -> Range<u32> {
    let tile = |cell: i32| cell.max(0) as u32 / TILE;
    if range.is_empty() || *range.end() < 0 { 0..0 } else { tile(*range.start())..count.min(tile(*range.end()) + 1) }
}

/// The place of a cell on the map in arrays by cell.
#[inline]
fn place(grid: &Grid, cell: Cell) -> usize {
    cell.y as usize * grid.width() as usize + cell.x as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bit that looks random, for a cell and a seed.
    fn is_free(cell: Cell, seed: u32, eighths: u32) -> bool {
        let mixed = (cell.x * 0x9e37 + cell.y * 0x85eb + seed * 0xc2b3).wrapping_mul(0x27d4_eb2f);
        (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13 & 7 >= eighths
    }

    #[test]
    fn after_each_edit_what_is_not_stale_is_right_and_so_is_what_is_found_again() {
        let (mut most_stale, mut too_many) = (0, 0);
        for (seed, rule) in (0..9).flat_map(|seed| {
            [CostRule::Octile, CostRule::OctileCutting, CostRule::OctileOneSide, CostRule::Manhattan]
                .map(|rule| (seed, rule))
        }) {
            let random = |step: u32, what: u32, below: u32| {
                let mixed = (step * 0x9e37 + what * 0x85eb + seed * 0xc2b3).wrapping_mul(0x27d4_eb2f);
                ((mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13) % below
            };
            let is_free = |cell| is_free(cell, seed, 1) || seed % 3 > 0 && is_free(cell, 9, 1);
            let mut grid = Grid::from_fn(83, 49, is_free).unwrap();
            let mut corners = Corners::new(&grid, rule);
            for step in 0..100 {
                let is_single = random(step, 5, 4) > 0;
                let [width, height] = if is_single { [1, 1] } else { [random(step, 3, 6) + 1, random(step, 4, 5) + 1] };
                let rect = CellRect::new(random(step, 1, 83), random(step, 2, 49), width, height).clamped(83, 49);
                rect.cells().for_each(|cell| grid.set(cell, !grid.is_free(cell)));
                corners.update(&grid, rect);
                most_stale = most_stale.max(corners.stale.len());
                for number in 0..corners.count_numbers() as u32 {
                    // Some are looked at by the next search, some later, some never.
                    if random(step, number, 3) == 0 && corners.corners[number as usize].stale != 0 {
                        too_many += usize::from(corners.exits(&grid, number).links.len() > MOST_LINKS);
                    }
                }
                corners.validate(&grid).unwrap_or_else(|fault| panic!("{rule:?} {seed} {step} {rect:?}: {fault}"));
                if random(step, 6, 8) == 0 {
                    corners.settle();
                    corners.validate(&grid).unwrap_or_else(|fault| panic!("{rule:?} {seed} {step} settled: {fault}"));
                }
            }
        }
        assert!(most_stale > 50 && too_many > 30, "{most_stale} {too_many}");
    }

    #[test]
    fn landmarks_bound_every_way_from_below_while_walls_come_and_go() {
        let mut tight = 0;
        for (seed, rule) in (0..4).flat_map(|seed| [CostRule::Octile, CostRule::OctileCutting].map(|rule| (seed, rule)))
        {
            let (width, height) = (113, 71);
            let grid = Grid::from_fn(width, height, |cell| is_free(cell, seed, 1)).unwrap();
            let (mut now, mut corners) = (grid.clone(), Corners::new(&grid, rule));
            let random = |step: u32, what: u32, below: u32| {
                let mixed = (step * 0x9e37 + what * 0x85eb + seed * 0xc2b3).wrapping_mul(0x27d4_eb2f);
                ((mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 13) % below
            };
            let cells = (0..100).map(|index| Cell::new(random(index, 8, width), random(index, 9, height)));
            cells.filter(|cell| grid.is_free(*cell)).take(6).for_each(|cell| corners.add_landmark(&grid, cell));
            for step in 0..150 {
                let rect = CellRect::new(random(step, 1, width), random(step, 2, height), 12, 9).clamped(width, height);
                // Walls, and then what was free before.
                rect.cells().for_each(|cell| now.set(cell, step % 3 == 0 && grid.is_free(cell)));
                corners.update(&now, rect);
                if step % 15 < 13 {
                    continue;
                }
                let goal = Cell::new(random(step, 3, width), random(step, 4, height));
                let mut lengths = vec![Fixed::MAX; (width * height) as usize];
                if now.is_free(goal) {
                    Sweep::lay(&now, corners.walks(&now), core::iter::once(goal), &mut lengths);
                }
                let range = corners.range(&now, goal);
                for cell in now.bounds().cells() {
                    let Some(number) = corners.number(&now, cell) else { continue };
                    let (bound, length) = (corners.bound(number, &range), lengths[place(&now, cell)]);
                    assert!(
                        !now.is_free(goal) || bound <= length,
                        "{rule:?} {seed} {step}: {cell} {goal} {bound:?} {length:?}"
                    );
                    tight += usize::from(bound.above(Fixed::of(rule.distance(cell, goal)), 0) > 0);
                }
            }
            assert_eq!(corners.landmarks(), 6);
        }
        assert!(tight > 5_000, "{tight}");
    }
}
