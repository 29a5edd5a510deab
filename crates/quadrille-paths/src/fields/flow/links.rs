//! The links of a field, by the cells where they begin and end.

use core::ops::Range;

use crate::grid::{Cell, Direction, Fixed, Grid};
use crate::map::Link;
use crate::walks::Links;

/// The links of a field, found by the cells of their ends. Those with an end off the map are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    pub(super) links: Vec<Link>,
    /// Cells, each with the number of a link that begins or ends there, sorted.
    entries: Vec<(u32, usize)>,
    pub(super) exits: Vec<(u32, usize)>,
    /// By cell, a bit that is set where a link ends; empty without links.
    is_exit: Vec<u64>,
}

impl Ends {
    pub(super) fn new(links: Vec<Link>, grid: &Grid) -> Self {
        let on_map = |link: &Link| grid.contains(link.from) && grid.contains(link.to);
        let sorted = |end: fn(&Link) -> Cell| -> Vec<(u32, usize)> {
            let ends = (0..).zip(&links).filter(|(_, link)| on_map(link));
            let mut ends: Vec<u64> = ends.map(|(number, link)| (grid.index(end(link)) as u64) << 32 | number).collect();
            ends.sort_unstable();
            ends.into_iter().map(|end| ((end >> 32) as u32, end as u32 as usize)).collect()
        };
        let (entries, exits) = (sorted(|link| link.from), sorted(|link| link.to));
        let mut is_exit = vec![0; if exits.is_empty() { 0 } else { grid.count().div_ceil(64) }];
        exits.iter().for_each(|exit| is_exit[exit.0 as usize / 64] |= 1 << (exit.0 % 64));
        Self { links, entries, exits, is_exit }
    }

    /// The links that are entered in a cell.
    pub(super) fn entered_at(&self, cell: u32) -> impl Iterator<Item = usize> {
        self.entries[Self::at(&self.entries, cell)].iter().map(|end| end.1)
    }

    /// The range of a cell's entries among some ends.
    pub(super) fn at(ends: &[(u32, usize)], cell: u32) -> Range<usize> {
        let first = ends.partition_point(|end| end.0 < cell);
        first..first + ends[first..].iter().take_while(|end| end.0 == cell).count()
    }
}

/// The links of a field for a sweep, which a link that begins in a wall does not take part in.
pub(super) struct Open<'a>(pub(super) &'a Ends, pub(super) &'a Grid);

impl Links for Open<'_> {
    #[inline]
    fn lead_to(&self, index: usize) -> bool {
        self.0.is_exit[index / 64] >> (index % 64) & 1 == 1
    }

    fn into(&self, index: usize) -> impl Iterator<Item = (usize, Fixed)> {
        let links = self.0.exits[Ends::at(&self.0.exits, index as u32)].iter().map(|end| self.0.links[end.1]);
        let open = links.filter(|link| self.1.is_free(link.from));
        open.map(|link| (self.1.index(link.from), Fixed::of_step(Direction::North, link.steps.into())))
    }
}
