//! How far a tree has come that is sorted a part at a time: see `windows.rs`.

use crate::error::Corruption;

/// The most windows of a sweep. More: less to do in each frame, and boxes wait longer.
pub(super) const WINDOWS: usize = 16;

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Sweep {
    /// How many windows this sweep has, and how many of them have been sorted; none between two sweeps.
    pub(super) windows: usize,
    pub(super) done: usize,
    /// The end of the last window on the curve.
    pub(super) reached: u32,
    /// Frames since the last sweep ended, or since everything was sorted.
    pub(super) age: u32,
    /// Slots of the tail that hold boxes on their way, in one run.
    pub(super) waiting: usize,
}

impl Sweep {
    pub(super) fn note_frame(&mut self) {
        self.age = self.age.saturating_add(1);
    }

    pub(super) fn validate(&self) -> Result<(), Corruption> {
        let is_sound = self.done <= self.windows && self.windows <= WINDOWS;
        Corruption::unless(is_sound, || "a sweep has come farther than there are windows".into())
    }
}
