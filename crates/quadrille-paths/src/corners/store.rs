//! Where links are stored: in one of two spaces, from which they move to the other when many of them have been replaced.

use super::cells::CornerCells;
use super::link::{Corner, Found, Link};
use super::tuning::{SPARE, Tuning, shrink};

/// Above the bits of a link's position in its space.
const SPACE: u32 = u32::BITS - 1;

/// The links of all corners.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkStore {
    /// In the order in which they were stored, with gaps where they have been replaced.
    spaces: [Vec<Link>; 2],
    /// The space in which links are stored.
    current: usize,
    /// While gaps are being closed, the next tile: those of earlier tiles have moved from the other space to this one.
    next_tile: Option<usize>,
    /// How many of the links belong to a corner; the others are gaps.
    pub(super) live: usize,
}

impl LinkStore {
    /// The links of a corner.
    #[inline]
    pub(super) fn of(&self, corner: &Corner) -> &[Link] {
        let (space, first) = (corner.first_link >> SPACE, corner.first_link & !(1 << SPACE));
        &self.spaces[space as usize][first as usize..][..corner.count()]
    }

    /// Replaces the links of a corner, if there is room for them; otherwise it has none.
    pub(super) fn store(&mut self, corner: &mut Corner, found: &Found, tuning: &Tuning) -> bool {
        self.remove(corner);
        let Some(end) = self.end().filter(|_| found.links.len() <= tuning.max_links) else { return false };
        corner.first_link = end;
        corner.links_up_to = found.links_up_to.map(|count| count as u16);
        corner.diagonals = found.diagonals;
        self.spaces[self.current].extend_from_slice(&found.links);
        self.live += found.links.len();
        true
    }

    /// Removes the links of a corner.
    pub(super) fn remove(&mut self, corner: &mut Corner) {
        self.live -= corner.count();
        corner.links_up_to = [0; 8];
    }

    /// Where the next links are stored, if they can be counted.
    fn end(&self) -> Option<u32> {
        let end = u32::try_from(self.spaces[self.current].len()).ok().filter(|end| end >> SPACE == 0);
        end.map(|end| end | (self.current as u32) << SPACE)
    }

    /// Whether gaps make up half of the links, or would make enough room before it runs out: then all would be moved in
    /// one go.
    fn is_time_to_close_gaps(&self, many: usize) -> bool {
        let links = &self.spaces[self.current];
        let (all, gaps, room) = (links.len(), links.len() - self.live, links.capacity() - links.len());
        gaps > self.live + 1024 || all > many && 2 * SPARE * room < all && 4 * SPARE * gaps > all
    }

    /// Closes gaps among the links if it is time, and finds the longest diagonals of tiles: some tiles at a time, and
    /// at least twice as many corners as have just been `stored`, so that no edit takes long and the work comes to an
    /// end.
    pub(super) fn close_gaps(&mut self, cells: &mut CornerCells, stored: usize, tuning: &Tuning) {
        let mut tile = match self.next_tile {
            Some(tile) => tile,
            None if self.is_time_to_close_gaps(tuning.many_links) => {
                self.current ^= 1;
                if self.live > tuning.many_links {
                    self.spaces[self.current].reserve_exact(self.live + self.live / SPARE);
                }
                0
            }
            None => return,
        };
        let mut moved = 0;
        while moved <= tuning.max_moved + 2 * stored && tile < cells.tiles.len() {
            moved += cells.renew_tile(tile, |corner| self.move_to_current(corner));
            tile += 1;
        }
        self.next_tile = Some(tile).filter(|tile| *tile < cells.tiles.len());
        if self.next_tile.is_none() {
            self.spaces[self.current ^ 1] = Vec::new();
        }
    }

    fn move_to_current(&mut self, corner: &mut Corner) {
        let from = (corner.first_link >> SPACE) as usize;
        let Some(end) = self.end().filter(|_| from != self.current) else { return };
        let [even, odd] = &mut self.spaces;
        let (from, to) = if from == 0 { (even, odd) } else { (odd, even) };
        to.extend_from_slice(&from[(corner.first_link & !(1 << SPACE)) as usize..][..corner.count()]);
        corner.first_link = end;
    }

    /// Releases memory.
    pub(super) fn shrink(&mut self) {
        shrink(&mut self.spaces[self.current]);
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Link>() * self.spaces.iter().map(Vec::capacity).sum::<usize>()
    }
}
