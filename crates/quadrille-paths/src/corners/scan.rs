//! Scans of the map out of a corner: of some directions, or again of what edits may have changed.

use super::cells::CornerCells;
use super::link::{ALL, Corner, Found, Link, Quadrants, quadrant};
use super::stale::{Piece, Stale};
use crate::grid::{Cell, Direction, Grid};
use crate::walks::{Changed, Directions, Walks};

/// What scans read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'a> {
    pub(super) grid: &'a Grid,
    pub(super) walks: Walks<'a>,
    pub(super) cells: &'a CornerCells,
}

impl Scanner<'_> {
    /// Scans some directions out of a corner; others lead nowhere.
    pub(super) fn scan(&self, number: u32, directions: Directions, found: &mut Found) {
        #[cfg(test)]
        crate::open_list::work::note();
        let from = self.cells.cell(number);
        found.links.clear();
        (found.diagonals, found.renewed) = ([0; 4], ALL);
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            if directions >> index & 1 == 1 {
                let links = &mut found.links;
                let diagonal = self.walks.go(from, direction, |cell, arrival| {
                    links.push(Link::new(self.cells.numbers[self.grid.index(cell)], arrival));
                });
                found.note(direction, diagonal);
            }
            found.links_up_to[index] = found.links.len() as u32;
        }
    }

    /// Rescans some stale quadrants of a corner, limited to the steps that may have changed. Of the stored links in such a
    /// quadrant, those count for which `is_link` is true.
    pub(super) fn rescan(
        &self,
        stale: &Stale,
        (quadrants, links): (Quadrants, &[Link]),
        is_link: impl Fn(&Link, usize) -> bool,
        found: &mut Found,
    ) {
        let corner: &Corner = &self.cells.corners[stale.number as usize];
        let from = self.cells.cell(stale.number);
        found.links.clear();
        (found.diagonals, found.renewed) = (corner.diagonals, corner.stale & quadrants);
        for (index, direction) in Direction::ALL.into_iter().enumerate() {
            let (quadrant, stored) = (quadrant(direction), corner.toward(links, index));
            if found.renewed >> quadrant & 1 == 0 {
                found.links.extend_from_slice(stored);
            } else if corner.exits >> index & 1 == 1 {
                let (stored, pieces) = ((stored, corner.diagonals[quadrant]), stale.pieces(quadrant));
                let is_link = |link: &Link| is_link(link, quadrant);
                let diagonal = self.go_again((from, direction), pieces, stored, is_link, &mut found.links);
                found.note(direction, diagonal);
            } else if direction.is_diagonal() {
                found.diagonals[quadrant] = 0;
            }
            found.links_up_to[index] = found.links.len() as u32;
        }
    }

    /// Scans a direction again from the steps of its diagonal that may have changed, given what is stored of it: links and
    /// length. Returns the length of the diagonal.
    fn go_again(
        &self,
        (from, direction): (Cell, Direction),
        pieces: &[Piece],
        (stored, diagonal): (&[Link], u16),
        is_link: impl Fn(&Link) -> bool,
        links: &mut Vec<Link>,
    ) -> u16 {
        let step = |link: &&Link| Changed::steps(self.walks.rule, from, self.cells.cell(link.corner()));
        let mut stored = stored.iter().filter(|link| direction.is_diagonal() && is_link(link)).peekable();
        for Piece { steps: [first, last], .. } in pieces {
            links.extend(core::iter::from_fn(|| stored.next_if(|link| step(link) < *first)));
            while stored.next_if(|link| step(link) <= *last).is_some() {}
            let (first_new, changed) = (links.len(), Changed { first: *first, last: *last, diagonal });
            let (diagonal, is_rest_known) = self.walks.go_again(from, direction, changed, |cell, arrival| {
                links.push(Link::new(self.grid.index(cell) as u32, arrival));
            });
            // Numbers are read in one loop: on a large map each read waits for memory, and these wait together.
            let numbers = &self.cells.numbers;
            links[first_new..].iter_mut().for_each(|link| *link = link.to(numbers[link.corner() as usize]));
            if !is_rest_known {
                return diagonal;
            }
        }
        links.extend(stored);
        diagonal
    }
}
