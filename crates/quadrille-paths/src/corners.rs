//! The corners of a map and who sees whom: a graph with the map's shortest paths in it, kept right under edits.

use crate::bitmap::Bitmap;
use crate::cell::{Cell, CellRect};
use crate::cost::CostRule;
use crate::grid::Grid;
use crate::heading::{Heading, Turns, heading};
use crate::sight::Sight;

/// A cell that is no corner.
const NONE: u32 = u32::MAX;

/// A corner seen from another: its number and the heading towards it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link(u32);

impl Link {
    /// The heading takes the upper four bits: a map would need 2^28 corners to overflow the rest.
    const HEADING_SHIFT: u32 = 28;

    pub(crate) const fn new(corner: u32, heading: Heading) -> Self {
        Self(corner | (heading as u32) << Self::HEADING_SHIFT)
    }

    pub(crate) const fn corner(self) -> u32 {
        self.0 & ((1 << Self::HEADING_SHIFT) - 1)
    }

    pub(crate) const fn heading(self) -> Heading {
        (self.0 >> Self::HEADING_SHIFT) as Heading
    }
}

/// One corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub(crate) cell: Cell,
    /// Its links are `links[first..][..count]`, unless an edit has made them stale.
    first: u32,
    count: u16,
    is_stale: bool,
    /// The walls around it.
    pub(crate) walls: u8,
}

/// The graph.
#[derive(Clone, Debug)]
pub(crate) struct Corners {
    rule: CostRule,
    /// Walls and corners, by rows and by columns.
    rows: Bitmap,
    columns: Bitmap,
    /// The number of the corner in each cell, row by row.
    numbers: Vec<u32>,
    corners: Vec<Corner>,
    /// Numbers of corners that are no more, last freed first reused.
    free: Vec<u32>,
    links: Vec<Link>,
    stale: Vec<u32>,
}

impl Corners {
    /// Finds all corners and all links.
    pub(crate) fn new(grid: &Grid, rule: CostRule) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let mut corners = Self {
            rule,
            rows: Bitmap::filled(width, height),
            columns: Bitmap::filled(height, width),
            numbers: vec![NONE; width as usize * height as usize],
            corners: Vec::new(),
            free: Vec::new(),
            links: Vec::new(),
            stale: Vec::new(),
        };
        for cell in grid.bounds().cells() {
            corners.place(grid, cell);
        }
        corners.refresh(grid);
        corners
    }

    /// How many numbers have been given out: every corner's number is below.
    pub(crate) const fn capacity(&self) -> usize {
        self.corners.len()
    }

    pub(crate) fn corner(&self, number: u32) -> &Corner {
        &self.corners[number as usize]
    }

    /// The number of the corner in a cell on the map.
    pub(crate) fn number(&self, grid: &Grid, cell: Cell) -> Option<u32> {
        Some(self.numbers[self.index(grid, cell)]).filter(|number| *number != NONE)
    }

    /// The links of a corner, or `None` where an edit has made them stale.
    #[inline]
    pub(crate) fn links(&self, corner: &Corner) -> Option<&[Link]> {
        (!corner.is_stale).then(|| &self.links[corner.first as usize..][..usize::from(corner.count)])
    }

    /// Looks for the corners visible from a free cell.
    #[inline]
    pub(crate) fn each_visible(&self, grid: &Grid, from: Cell, mut found: impl FnMut(Link)) {
        let sight = Sight { rule: self.rule, walls: grid.walls(), rows: &self.rows, columns: &self.columns };
        sight.each_visible(from, |cell| {
            found(Link::new(self.numbers[self.index(grid, cell)], heading(from, cell)));
        });
    }

    /// Recomputes all stale links.
    pub(crate) fn refresh(&mut self, grid: &Grid) {
        for number in core::mem::take(&mut self.stale) {
            let Corner { cell, is_stale: true, .. } = self.corners[number as usize] else { continue };
            let mut links = core::mem::take(&mut self.links);
            let first = links.len();
            let turns = Turns::of(self.rule);
            let walls = self.corners[number as usize].walls;
            self.each_visible(grid, cell, |link| {
                let ok1 = (0..16).any(|a| turns.departures(walls, a) >> link.heading() & 1 == 1);
                let ok2 = turns.departures(self.corners[link.corner() as usize].walls, link.heading()) != 0;
                if ok1 && ok2 { links.push(link) }
            });
            let corner = &mut self.corners[number as usize];
            corner.first = first as u32;
            corner.count = (links.len() - first) as u16;
            corner.is_stale = false;
            self.links = links;
        }
    }

    /// Brings the bits of one cell, its number and its walls up to date with the grid; its links become stale.
    fn place(&mut self, grid: &Grid, cell: Cell) {
        let is_free = grid.is_free(cell);
        let walls = grid.walls_around(cell);
        let is_corner = is_free && self.rule.is_corner(walls);
        let (x, y) = (cell.x as usize + 1, cell.y as usize + 1);
        self.rows.set(x, y, !is_free || is_corner);
        self.columns.set(y, x, !is_free || is_corner);
        let index = self.index(grid, cell);
        if is_corner {
            let corner = Corner { cell, first: 0, count: 0, is_stale: true, walls };
            if self.numbers[index] == NONE {
                self.numbers[index] = self.free.pop().unwrap_or(self.corners.len() as u32);
            }
            let number = self.numbers[index];
            if number as usize == self.corners.len() {
                self.corners.push(corner);
            }
            self.corners[number as usize] = corner;
            self.stale.push(number);
        } else if self.numbers[index] != NONE {
            self.free.push(self.numbers[index]);
            self.corners[self.numbers[index] as usize].is_stale = false;
            self.numbers[index] = NONE;
        }
    }

    #[inline]
    fn index(&self, grid: &Grid, cell: Cell) -> usize {
        cell.y as usize * grid.width() as usize + cell.x as usize
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.columns.bytes()
            + self.numbers.capacity() * 4
            + self.corners.capacity() * size_of::<Corner>()
            + self.links.capacity() * 4
    }
}
impl Corners { pub(crate) fn debug(&self) -> String { format!("corners {} links {}", self.corners.len(), self.links.len()) } }
