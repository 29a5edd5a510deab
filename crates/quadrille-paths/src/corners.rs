//! The corners of a map and who sees whom: a graph that holds a shortest path between any two of them, kept right under edits.
//!
//! This is a simple subgoal graph (see [`sight`](crate::sight) for the source) with the links sorted by heading, so
//! that a search looks only at those that a shortest path may take from where it came (see [`heading`](crate::heading)).
//!
//! The links of a corner that one changed cell hides or uncovers are taken out and put in one by one (see [`patch`]). A larger
//! edit changes what a corner sees only if the corner saw one of the changed cells or their neighbours before, or sees one
//! now. Either way it sees a cell on the rim of the edited rectangle, widened by a cell: the first that its sight
//! meets there, for what lies before the rim has not changed. Sight is mutual, so looking from the rim finds all those
//! corners. Their links are stale from then on, and a search that comes to one looks for itself, until
//! [`Corners::refresh`] stores what there is to see.

mod patch;

use core::ops::Range;

use crate::bitmap::Bitmap;
use crate::cell::{Cell, CellRect};
use crate::cost::CostRule;
use crate::grid::Grid;
use crate::heading::{Heading, Headings, Turns, heading, opposite};
use crate::map::Corruption;
use crate::sight::{ALL_QUADRANTS, Quadrants, Sight, quadrants};

/// Corners are numbered tile by tile, so that what a search visits lies close together. The side is in cells.
const TILE: u32 = 32;

/// The number of a cell that is no corner.
const NONE: u32 = u32::MAX;

/// A corner seen from somewhere: its number, and in the upper four bits the heading towards it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link(u32);

impl Link {
    /// Leaves 28 bits for numbers: 2^28 corners, whose links alone would take tens of gigabytes.
    const SHIFT: u32 = 28;
    /// The largest number; no corner has it, for no map consists of corners.
    pub(crate) const LAST_CORNER: u32 = (1 << Self::SHIFT) - 1;

    pub(crate) const fn new(corner: u32, heading: Heading) -> Self {
        Self(corner | (heading as u32) << Self::SHIFT)
    }

    /// The corner's number.
    #[inline]
    pub(crate) const fn corner(self) -> u32 {
        self.0 & Self::LAST_CORNER
    }

    /// The heading towards it.
    #[inline]
    pub(crate) const fn heading(self) -> Heading {
        (self.0 >> Self::SHIFT) as Heading
    }
}

/// One corner: 16 bytes, four to a cache line, for a search that comes to one most often waits for memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    /// Where its links start, sorted by heading; void while stale.
    first_link: u32,
    /// By quadrant, how many of its links lie in it or one before; the last counts them all.
    links_up_to: [u16; 4],
    /// How many links there is room for where they start.
    room: u16,
    /// Where what it sees may not be what is stored.
    stale: Quadrants,
    /// The walls around it.
    pub(crate) walls: u8,
}

/// All corners and links.
#[derive(Clone, Debug)]
pub(crate) struct Corners {
    rule: CostRule,
    turns: &'static Turns,
    /// Walls and corners, by rows and by columns.
    rows: Bitmap,
    columns: Bitmap,
    /// The number of the corner in each cell, row by row.
    numbers: Vec<u32>,
    /// The cells of the corners by number, column and row; void where a number is free.
    ///
    /// Apart from the rest, for a search needs the cells of many more corners than it expands: four bytes each stay in the
    /// nearest caches, and misses are what its time is spent on.
    cells: Vec<[u16; 2]>,
    /// The corners by number; void where a number is free.
    corners: Vec<Corner>,
    /// Numbers of corners that are no more; the last freed is reused first.
    free: Vec<u32>,
    /// The links of all corners, in the order in which they were stored, with gaps where they have become stale or have moved.
    links: Vec<Link>,
    /// How many places among the links are the room of a corner that is not stale.
    live_links: usize,
    /// Every corner that is stale, and perhaps others.
    stale: Vec<u32>,
}

impl Corners {
    /// Finds all corners and all links.
    pub(crate) fn new(grid: &Grid, rule: CostRule) -> Self {
        let mut corners = Self {
            rule,
            turns: Turns::of(rule),
            rows: Bitmap::filled(grid.width(), grid.height()),
            columns: Bitmap::filled(grid.height(), grid.width()),
            numbers: vec![NONE; grid.width() as usize * grid.height() as usize],
            cells: Vec::new(),
            corners: Vec::new(),
            free: Vec::new(),
            links: Vec::new(),
            live_links: 0,
            stale: Vec::new(),
        };
        for cell in grid.bounds().tiles(TILE).flat_map(CellRect::cells) {
            corners.renew(grid, cell);
        }
        corners.refresh(grid);
        corners.corners.shrink_to_fit();
        corners.cells.shrink_to_fit();
        // Lists that outgrow their room move behind the last one.
        corners.links.shrink_to(corners.links.len() / 8 * 9);
        corners
    }

    /// Every corner's number is smaller than this.
    pub(crate) fn bound(&self) -> usize {
        self.corners.len()
    }

    /// How many corners there are.
    pub(crate) fn count(&self) -> usize {
        self.corners.len() - self.free.len()
    }

    /// The corner with a number that a link or [`each_visible`](Self::each_visible) gave.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &Corner {
        &self.corners[number as usize]
    }

    /// The cell of a corner.
    #[inline]
    pub(crate) fn cell(&self, number: u32) -> Cell {
        let [x, y] = self.cells[number as usize];
        Cell::new(u32::from(x), u32::from(y))
    }

    /// The headings in which a shortest path that arrives at a corner on `arrival` may leave it.
    #[inline]
    pub(crate) fn departures(&self, corner: &Corner, arrival: Heading) -> Headings {
        self.turns.departures(corner.walls, arrival)
    }

    /// The links of a corner, as stored, among which are all with certain headings; `None` while they are stale.
    #[inline]
    pub(crate) fn links(&self, corner: &Corner, headings: Headings) -> Option<&[Link]> {
        (corner.stale == 0).then(|| &self.links[corner.first_link as usize..][corner.links_among(headings)])
    }

    /// Looks for the corners visible from a free cell.
    #[inline]
    pub(crate) fn each_visible(&self, grid: &Grid, from: Cell, found: impl FnMut(Link)) {
        self.each_visible_in(ALL_QUADRANTS, grid, from, found);
    }

    #[inline]
    fn each_visible_in(&self, quadrants: Quadrants, grid: &Grid, from: Cell, mut found: impl FnMut(Link)) {
        self.sight(grid).each_visible(from, quadrants, |cell| {
            found(Link::new(self.numbers[index(grid, cell)], heading(from, cell)));
        });
    }

    #[inline]
    fn sight<'a>(&'a self, grid: &'a Grid) -> Sight<'a> {
        Sight { rule: self.rule, walls: grid.walls(), rows: &self.rows, columns: &self.columns }
    }

    /// Whether a shortest path may turn at the corner a link leads to. One may also end there, but ends are found from the goal.
    #[inline]
    pub(crate) fn leads_on(&self, link: Link) -> bool {
        self.departures(self.get(link.corner()), link.heading()) != 0
    }

    /// Looks for the links of a corner. In the order of storing, sort them.
    pub(crate) fn look(&self, grid: &Grid, number: u32, links: &mut Vec<Link>) {
        self.look_in(ALL_QUADRANTS, grid, number, links);
    }

    fn look_in(&self, quadrants: Quadrants, grid: &Grid, number: u32, links: &mut Vec<Link>) {
        self.each_visible_in(quadrants, grid, self.cell(number), |link| {
            if self.is_followed(number, link) {
                links.push(link);
            }
        });
    }

    /// Whether a shortest path may turn at both ends of a link, in which case both keep it.
    #[inline]
    fn is_followed(&self, number: u32, link: Link) -> bool {
        self.leads_on(link) && self.leads_on(Link::new(number, opposite(link.heading())))
    }

    /// Brings everything up to date after cells in a rectangle on the map have changed. What is seen from around more than one is
    /// only marked as stale.
    pub(crate) fn update(&mut self, grid: &Grid, rect: CellRect) {
        let around = rect.widened(1, 1).clamped(grid.width(), grid.height());
        let is_fresh = |cell| self.number(grid, cell).is_none_or(|number| self.get(number).stale == 0);
        if rect.width == 1 && rect.height == 1 && around.cells().all(is_fresh) {
            self.patch(grid, Cell::new(rect.x, rect.y), around);
            return self.close_gaps_if_many();
        }
        for cell in around.cells() {
            self.renew(grid, cell);
        }
        let mut seen = Vec::new();
        for cell in around.ring().filter(|cell| grid.is_free(*cell)) {
            self.each_visible(grid, cell, |link| seen.push(link));
        }
        for link in seen {
            self.expire(link.corner(), quadrants(opposite(link.heading())));
        }
    }

    /// The number of the corner in a cell on the map.
    pub(crate) fn number(&self, grid: &Grid, cell: Cell) -> Option<u32> {
        Some(self.numbers[index(grid, cell)]).filter(|number| *number != NONE)
    }

    /// Stores the links of all stale corners.
    pub(crate) fn refresh(&mut self, grid: &Grid) {
        let mut links = core::mem::take(&mut self.links);
        for number in core::mem::take(&mut self.stale) {
            if self.get(number).stale != 0 {
                self.store_links(grid, number, &mut links);
            }
        }
        self.links = links;
        self.close_gaps_if_many();
    }

    /// Compares bits, numbers and links with what there is to see.
    pub(crate) fn validate(&self, grid: &Grid) -> Result<(), Corruption> {
        let mut count = 0;
        for cell in grid.bounds().cells() {
            let (x, y, walls) = (cell.x as usize + 1, cell.y as usize + 1, grid.walls_around(cell));
            let is_corner = grid.is_free(cell) && self.rule.is_corner(walls);
            let stops = !grid.is_free(cell) || is_corner;
            let is_right = self.rows.get(x, y) == stops
                && self.columns.get(y, x) == stops
                && self.number(grid, cell).is_some() == is_corner
                && self
                    .number(grid, cell)
                    .is_none_or(|number| self.cell(number) == cell && self.get(number).walls == walls);
            Corruption::unless(is_right, || format!("cell {cell}: bits or corner are not as its walls say"))?;
            count += usize::from(is_corner);
        }
        Corruption::unless(count == self.count(), || format!("{} corners, not {count}", self.count()))?;
        let live = self
            .corners
            .iter()
            .filter(|corner| corner.stale == 0)
            .map(|corner| usize::from(corner.room))
            .sum::<usize>();
        Corruption::unless(live == self.live_links, || format!("room for {} links, not {live}", self.live_links))?;
        grid.bounds()
            .cells()
            .filter_map(|cell| self.number(grid, cell))
            .try_for_each(|number| self.validate_links(grid, number))
    }

    /// Compares the links of a corner, where not stale, with what there is to see.
    fn validate_links(&self, grid: &Grid, number: u32) -> Result<(), Corruption> {
        let corner = self.get(number);
        let mut expected = Vec::new();
        self.look_in(ALL_QUADRANTS, grid, number, &mut expected);
        expected.sort_unstable();
        expected.retain(|link| quadrants(link.heading()) & corner.stale == 0);
        let stored = self.links.get(corner.first_link as usize..).and_then(|links| links.get(..corner.count()));
        let mut stored = stored.unwrap_or_default().to_vec();
        stored.retain(|link| quadrants(link.heading()) & corner.stale == 0);
        let is_indexed = corner.stale != 0
            || corner.count() <= usize::from(corner.room)
                && (0..4).all(|quadrant| {
                    let links = self.links(corner, 0b1111 << (4 * quadrant)).unwrap_or_default();
                    links.iter().all(|link| usize::from(link.heading() / 4) == quadrant)
                });
        Corruption::unless(stored == expected && is_indexed, || {
            format!("corner {number} at {}: links {stored:?}, not {expected:?}", self.cell(number))
        })
    }

    /// Brings the bits and the corner of one cell up to date and marks the corner as stale.
    fn renew(&mut self, grid: &Grid, cell: Cell) {
        self.place(grid, cell);
        if let Some(number) = self.number(grid, cell) {
            self.expire(number, ALL_QUADRANTS);
        }
    }

    /// Brings the bits and the corner of one cell up to date. A new corner has no links; one that is no more loses them.
    fn place(&mut self, grid: &Grid, cell: Cell) {
        let (walls, is_corner) = (grid.walls_around(cell), self.is_corner(grid, cell));
        self.set_stop(cell, is_corner || !grid.is_free(cell));
        match (self.numbers[index(grid, cell)], is_corner) {
            (NONE, false) => {}
            (NONE, true) => self.add(grid, cell, walls),
            (number, true) => self.corners[number as usize].walls = walls,
            (number, false) => self.remove(index(grid, cell), number),
        }
    }

    /// Makes a cell end sight, or not.
    fn set_stop(&mut self, cell: Cell, is_stop: bool) {
        let (x, y) = (cell.x as usize + 1, cell.y as usize + 1);
        self.rows.set(x, y, is_stop);
        self.columns.set(y, x, is_stop);
    }

    /// Whether a cell on the map is a corner, by its walls.
    fn is_corner(&self, grid: &Grid, cell: Cell) -> bool {
        grid.is_free(cell) && self.rule.is_corner(grid.walls_around(cell))
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are fewer corners than cells, and fewer cells than 2^32"
    )]
    fn add(&mut self, grid: &Grid, cell: Cell, walls: u8) {
        let number = self.free.pop().unwrap_or(self.corners.len() as u32);
        if number as usize == self.corners.len() {
            self.corners.push(Corner::VOID);
            self.cells.push([0; 2]);
        }
        self.corners[number as usize].walls = walls;
        self.cells[number as usize] = [cell.x as u16, cell.y as u16];
        self.numbers[index(grid, cell)] = number;
    }

    fn remove(&mut self, index: usize, number: u32) {
        let corner = core::mem::replace(&mut self.corners[number as usize], Corner::VOID);
        if corner.stale == 0 {
            self.live_links -= usize::from(corner.room);
        }
        self.numbers[index] = NONE;
        self.free.push(number);
    }

    /// Marks a corner's links in some quadrants as stale.
    fn expire(&mut self, number: u32, quadrants: Quadrants) {
        let corner = &mut self.corners[number as usize];
        if corner.stale == 0 {
            self.live_links -= usize::from(corner.room);
            self.stale.push(number);
        }
        corner.stale |= quadrants;
    }

    /// Stores the links of a stale corner behind the others: those that are good still, and what there is to see in the
    /// other quadrants. If there are too many to count in 16 bits, it stays stale.
    fn store_links(&mut self, grid: &Grid, number: u32, links: &mut Vec<Link>) {
        let stale = self.get(number).stale;
        let old = self.get(number).places();
        let first = links.len();
        for index in old.filter(|_| stale != ALL_QUADRANTS) {
            if quadrants(links[index].heading()) & stale == 0 {
                links.push(links[index]);
            }
        }
        self.look_in(stale, grid, number, links);
        links[first..].sort_unstable();
        let corner = &mut self.corners[number as usize];
        if corner.own_last(first, links) {
            corner.stale = 0;
            self.live_links += usize::from(corner.room);
        } else {
            links.truncate(first);
            *corner = Corner { stale: ALL_QUADRANTS, walls: corner.walls, ..Corner::VOID };
        }
    }

    /// Moves all links to the front if half of the places are gaps.
    fn close_gaps_if_many(&mut self) {
        if self.links.len() <= 2 * self.live_links + 1024 {
            return;
        }
        let mut links = Vec::with_capacity(self.live_links + self.live_links / 2);
        self.live_links = 0;
        for corner in &mut self.corners {
            if corner.count() == 0 {
                (corner.first_link, corner.room) = (0, 0);
                continue;
            }
            let first = links.len();
            links.extend_from_slice(&self.links[corner.places()]);
            let is_counted = corner.own_last(first, &mut links);
            debug_assert!(is_counted, "they were counted before");
            self.live_links += if corner.stale == 0 { usize::from(corner.room) } else { 0 };
        }
        self.links = links;
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.columns.bytes()
            + size_of::<u32>() * (self.numbers.capacity() + self.free.capacity() + self.stale.capacity())
            + size_of::<[u16; 2]>() * self.cells.capacity()
            + size_of::<Corner>() * self.corners.capacity()
            + size_of::<Link>() * self.links.capacity()
    }
}

impl Corner {
    /// The number of stored links.
    fn count(&self) -> usize {
        usize::from(self.links_up_to[3])
    }

    /// The places of its links from the first quadrant to the last in which there is one of these headings.
    #[inline]
    fn links_among(&self, headings: Headings) -> Range<usize> {
        let (before, behind) = (headings.trailing_zeros() / 4, headings.leading_zeros() / 4);
        if behind == 4 {
            return 0..0;
        }
        let start = if before == 0 { 0 } else { self.links_up_to[before as usize - 1] };
        usize::from(start)..usize::from(self.links_up_to[3 - behind as usize])
    }

    /// The places of its links.
    fn places(&self) -> Range<usize> {
        let first = self.first_link as usize;
        first..first + self.count()
    }

    /// Makes the last links its own, those from `first` on, sorted by heading, and gives them room for an eighth more; false if
    /// they are too many to count in 16 bits.
    fn own_last(&mut self, first: usize, links: &mut Vec<Link>) -> bool {
        let count = links.len() - first;
        let (Ok(first_link), Ok(room)) = (u32::try_from(first), u16::try_from(count + count / 8)) else {
            return false;
        };
        self.note_links(&links[first..]);
        (self.first_link, self.room) = (first_link, room);
        links.resize(first + usize::from(room), Link::new(0, 0));
        true
    }

    /// Takes note of its stored links, sorted by heading and at most 2^16 - 1 of them.
    #[expect(clippy::cast_possible_truncation, reason = "the caller has counted them")]
    fn note_links(&mut self, links: &[Link]) {
        for (quadrant, up_to) in (0..).zip(&mut self.links_up_to) {
            *up_to = links.partition_point(|link| link.heading() / 4 <= quadrant) as u16;
        }
    }

    /// One that sees nothing.
    const VOID: Self = Self { first_link: 0, links_up_to: [0; 4], room: 0, stale: 0, walls: 0 };
}

const _: () = assert!(size_of::<Corner>() == 16);

/// The place of a cell on the map in arrays by cell.
#[inline]
fn index(grid: &Grid, cell: Cell) -> usize {
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

    /// Visible by definition: every shortest way without walls is legal and free of other corners.
    fn is_visible(grid: &Grid, rule: CostRule, from: Cell, to: Cell) -> bool {
        let is_between = |cell: &Cell| rule.distance(from, *cell) + rule.distance(*cell, to) == rule.distance(from, to);
        let is_clear =
            |cell: Cell| grid.is_free(cell) && (cell == from || cell == to || !rule.is_corner(grid.walls_around(cell)));
        from != to
            && grid.bounds().cells().filter(is_between).all(is_clear)
            && grid.bounds().cells().filter(is_between).all(|cell| {
                let steps = crate::Direction::ALL.into_iter().filter_map(|way| Some((way, cell.step(way)?)));
                steps
                    .filter(|(_, next)| is_between(next) && rule.distance(from, *next) > rule.distance(from, cell))
                    .all(|(way, next)| {
                        let is_on_the_way =
                            rule.distance(from, cell) + rule.distance(cell, next) == rule.distance(from, next);
                        !is_on_the_way
                            || way.is_diagonal() && rule == CostRule::Manhattan
                            || grid.can_step(cell, way, rule)
                    })
            })
    }

    #[test]
    fn what_is_seen_is_what_is_visible_by_definition() {
        let mut seen_at_all = 0;
        for (seed, rule) in (0..60)
            .flat_map(|seed| [CostRule::Octile, CostRule::OctileCutting, CostRule::Manhattan].map(|rule| (seed, rule)))
        {
            let grid = Grid::from_fn(13, 11, |cell| is_free(cell, seed, seed % 4)).unwrap();
            let corners = Corners::new(&grid, rule);
            for from in grid.bounds().cells().filter(|cell| grid.is_free(*cell)) {
                let mut seen = Vec::new();
                corners.each_visible(&grid, from, |link| seen.push(corners.cell(link.corner())));
                seen.sort_unstable();
                let is_corner = |cell: &Cell| corners.number(&grid, *cell).is_some();
                let mut expected: Vec<Cell> =
                    grid.bounds().cells().filter(is_corner).filter(|to| is_visible(&grid, rule, from, *to)).collect();
                expected.sort_unstable();
                assert_eq!(seen, expected, "{rule:?} {seed} from {from}");
                seen_at_all += seen.len();
            }
        }
        assert!(seen_at_all > 10_000, "{seen_at_all}");
    }
}
