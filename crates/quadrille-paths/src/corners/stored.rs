//! Where links are stored: in one of two spaces, from which they move to the other when many of them have been removed.

use super::link::Link;
use super::stale::Found;
use super::{Corner, Corners, MANY_LINKS, SPARE};

/// How many links of a corner can be counted in 16 bits; a corner with more stays stale. Smaller in tests, so that it
/// happens there.
pub(super) const MOST_LINKS: usize = if cfg!(test) { 24 } else { u16::MAX as usize };

/// Above the bits that tell where in its space a link is.
pub(super) const SPACE: u32 = u32::BITS - 1;

/// How many corners' links an edit moves at least while gaps are being closed: a tenth of a millisecond. Smaller in
/// tests, so that it takes many edits there.
const MOST_MOVED: usize = if cfg!(test) { 8 } else { 4096 };

impl Corners {
    /// This many links from where they start.
    #[inline]
    pub(super) fn links_from(&self, first: u32, count: usize) -> &[Link] {
        &self.links[(first >> SPACE) as usize][(first & !(1 << SPACE)) as usize..][..count]
    }

    /// The stored links of a corner in a direction.
    pub(super) fn stored(&self, corner: &Corner, direction: usize) -> &[Link] {
        let start = if direction == 0 { 0 } else { corner.links_up_to[direction - 1] };
        &self.links_from(self.first_stored(corner), corner.count())[start.into()..corner.links_up_to[direction].into()]
    }

    /// Where the stored links of a corner start.
    pub(super) fn first_stored(&self, corner: &Corner) -> u32 {
        if corner.stale == 0 { corner.first_link } else { self.stale[corner.first_link as usize].first_link }
    }

    /// Stores fresh links; the corner is no longer stale. If there are too many links to count in 16 bits, it stays
    /// stale and is rescanned after each edit, because the next edit could not tell what its scans saw.
    pub(super) fn store(&mut self, number: u32, found: &Found) {
        let slot = self.corners[number as usize].first_link;
        self.live_links -= self.corners[number as usize].count();
        let Some(first) = self.end_of_links().filter(|_| found.links.len() <= MOST_LINKS) else {
            self.corners[number as usize].links_up_to = [0; 8];
            self.expire_all(number);
            self.changed[number as usize] = u64::MAX;
            return;
        };
        self.forget_stale(slot);
        let corner = &mut self.corners[number as usize];
        (corner.stale, corner.first_link) = (0, first);
        corner.links_up_to = found.links_up_to.map(|count| count as u16);
        corner.diagonals = found.diagonals;
        self.links[self.space].extend_from_slice(&found.links);
        self.live_links += found.links.len();
        self.note_diagonals(number);
    }

    /// Where the next links are stored, if they can be counted.
    fn end_of_links(&self) -> Option<u32> {
        let end = u32::try_from(self.links[self.space].len()).ok().filter(|end| end >> SPACE == 0);
        end.map(|end| end | (self.space as u32) << SPACE)
    }

    /// Whether gaps make up half of the links, or would make enough room before it runs out: then all would be moved in
    /// one go.
    fn is_time_to_close_gaps(&self) -> bool {
        let links = &self.links[self.space];
        let (all, gaps, room) = (links.len(), links.len() - self.live_links, links.capacity() - links.len());
        gaps > self.live_links + 1024 || all > MANY_LINKS && 2 * SPARE * room < all && 4 * SPARE * gaps > all
    }

    /// Closes gaps among the links if it is time, and finds the longest diagonals of tiles: some tiles at a time, and
    /// at least twice as many corners as have just been stored, so that no edit takes long and the work comes to an
    /// end.
    pub(super) fn close_gaps_if_many(&mut self, stored: usize) {
        if self.next_tile == usize::MAX {
            if !self.is_time_to_close_gaps() {
                return;
            }
            (self.space, self.next_tile) = (self.space ^ 1, 0);
            if self.live_links > MANY_LINKS {
                self.links[self.space].reserve_exact(self.live_links + self.live_links / SPARE);
            }
        }
        let mut moved = 0;
        while moved <= MOST_MOVED + 2 * stored && self.next_tile < self.tiles.len() {
            let tile = self.next_tile;
            self.tiles[tile].longest = [0; 4];
            for index in 0..self.tiles[tile].corners.len() {
                let number = self.tiles[tile].corners[index];
                self.move_links(number);
                self.note_diagonals(number);
            }
            (moved, self.next_tile) = (moved + self.tiles[tile].corners.len(), tile + 1);
        }
        if self.next_tile == self.tiles.len() {
            (self.links[self.space ^ 1], self.next_tile) = (Vec::new(), usize::MAX);
        }
    }

    /// Moves the links of a corner to the space in which links are stored.
    fn move_links(&mut self, number: u32) {
        let corner = self.corners[number as usize];
        let first = self.first_stored(&corner);
        let Some(end) = self.end_of_links().filter(|_| (first >> SPACE) as usize != self.space) else { return };
        let [even, odd] = &mut self.links;
        let (from, to) = if self.space == 0 { (odd, even) } else { (even, odd) };
        to.extend_from_slice(&from[(first & !(1 << SPACE)) as usize..][..corner.count()]);
        if corner.stale == 0 {
            self.corners[number as usize].first_link = end;
        } else {
            self.stale[corner.first_link as usize].first_link = end;
        }
    }
}
