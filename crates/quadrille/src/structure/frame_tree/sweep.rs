//! How far a tree has come that is sorted a part at a time: see `windows.rs`.

use crate::error::Corruption;
use crate::kernel::LANES;
use crate::storage::NONE;

/// The most windows of a sweep. More: less to do in each frame, and boxes wait longer.
pub(super) const WINDOWS: usize = 16;

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Sweep {
    /// How many windows this sweep has, and how many of them have been sorted; none between two sweeps.
    pub(super) windows: usize,
    pub(super) done: usize,
    /// The end of the last window on the curve, and the slot at which the next one begins.
    pub(super) reached: u32,
    pub(super) slot: usize,
    /// Frames since the last sweep ended, or since everything was sorted.
    pub(super) age: u32,
    /// Slots of the tail that hold boxes on their way, in one run.
    pub(super) waiting: usize,
}

impl Sweep {
    pub(super) fn note_frame(&mut self) {
        self.age = self.age.saturating_add(1);
    }

    /// Holes will be closed.
    pub(super) fn close_up(&mut self, order: &[u32]) {
        let before = order.iter().take(self.slot).filter(|&&id| id != NONE);
        self.slot = before.count().next_multiple_of(LANES);
    }

    pub(super) fn validate(&self) -> Result<(), Corruption> {
        let is_sound = self.done <= self.windows && self.windows <= WINDOWS && self.slot % LANES == 0;
        Corruption::unless(is_sound, || "a sweep is where no window begins".into())
    }
}
