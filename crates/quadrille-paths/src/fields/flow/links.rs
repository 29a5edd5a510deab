//! The links of a field, by the cells where they begin and end.

use core::ops::Range;

use crate::grid::Grid;
use crate::grid::cell::Cell;
use crate::map::links::Link;

/// The links of a field, found by the cells of their ends. Those with an end off the map are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    pub(super) links: Vec<Link>,
    /// Cells, each with the number of a link that begins or ends there, sorted.
    entries: Vec<(u32, usize)>,
    pub(super) exits: Vec<(u32, usize)>,
}

impl Ends {
    pub(super) fn new(links: Vec<Link>, grid: &Grid) -> Self {
        let on_map = |link: &Link| grid.contains(link.from) && grid.contains(link.to);
        let sorted = |end: fn(&Link) -> Cell| {
            let ends = (0..).zip(&links).filter(|(_, link)| on_map(link));
            let mut ends: Vec<u64> = ends.map(|(number, link)| (grid.index(end(link)) as u64) << 32 | number).collect();
            ends.sort_unstable();
            ends.into_iter().map(|end| ((end >> 32) as u32, end as u32 as usize)).collect()
        };
        let (entries, exits) = (sorted(|link| link.from), sorted(|link| link.to));
        Self { links, entries, exits }
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
