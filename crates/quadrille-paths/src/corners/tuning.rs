//! How much is done at a time, which unit tests set smaller so that what large maps need happens on small ones too.

/// Limits of time and memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuning {
    /// How many steps of diagonals are scanned per cell when a map is made. On most maps that is enough for all
    /// corners; if they are few and see across a large map, the rest is left to searches.
    pub(super) steps_per_cell: usize,
    /// The most links of a corner that are stored: 16 bits count them. A corner with more stays stale.
    pub(super) max_links: usize,
    /// With this many links, moving all of them in one go takes a millisecond or more.
    pub(super) many_links: usize,
    /// How many corners' links an edit moves at most while gaps are being closed, apart from twice as many corners as
    /// it has stored: a tenth of a millisecond.
    pub(super) max_moved: usize,
    /// The most cells of a small map. On larger ones scans are longer, and finding which of them an edit affects is
    /// better than doing without stored scans.
    pub(super) max_small: usize,
}

impl Tuning {
    /// For maps of any size.
    pub(super) const USUAL: Self = Self {
        steps_per_cell: 4,
        max_links: u16::MAX as usize,
        many_links: 1 << 19,
        max_moved: 4096,
        max_small: 1 << 14,
    };
}

/// When a map is made, room is left for one more corner or link per this many: without it the first edit moves all of
/// them, which takes 8 ms on 1024 x 1024 cells of noise; with it that happens after some twenty edits of 3,000 cells.
/// More room takes more memory.
pub(super) const SPARE: usize = 32;

/// Releases memory, except what some edits need.
pub(super) fn shrink<T>(items: &mut Vec<T>) {
    items.shrink_to(items.len() + items.len() / SPARE);
}
