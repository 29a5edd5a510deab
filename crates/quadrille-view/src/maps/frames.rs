//! What frames took: the last, the median of the last ones, the longest, and how many were long.

use std::collections::VecDeque;

use web_time::Duration;

use crate::structure_figures::{RECENT, median};

/// A frame that takes longer than this is counted as long: a quarter of a game's budget at 60 frames a second.
pub const LONG: Duration = Duration::from_millis(4);

/// What frames took.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// What the present frame has taken so far, if there was work for it.
    present: Option<Duration>,
    /// The last ones, oldest first.
    recent: VecDeque<Duration>,
    /// The longest; `None` before the first.
    pub longest: Option<Duration>,
    /// How many there were.
    pub count: u64,
    /// How many took longer than [`LONG`].
    pub long: u64,
}

impl Frames {
    /// Work for the present frame took this long.
    pub fn add(&mut self, took: Duration) {
        *self.present.get_or_insert_default() += took;
    }

    /// Ends a frame. One without work does not count.
    pub fn end(&mut self) {
        let Some(took) = self.present.take() else { return };
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(took);
        self.longest = self.longest.max(Some(took));
        self.count += 1;
        self.long += u64::from(took > LONG);
    }

    /// Starts the current frame again: its time so far does not count.
    pub fn drop_present(&mut self) {
        self.present = None;
    }

    /// What the last one took; `None` before the first.
    pub fn last(&self) -> Option<Duration> {
        self.recent.back().copied()
    }

    /// The median of the last ones.
    pub fn median(&self) -> Option<Duration> {
        median(self.recent.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_counted_by_what_they_took() {
        let mut frames = Frames::default();
        frames.end();
        assert_eq!((frames.count, frames.median(), frames.last()), (0, None, None));
        for micros in [100, 300, 4_000, 900_000, 200] {
            frames.add(Duration::from_micros(micros / 2));
            frames.add(Duration::from_micros(micros / 2));
            frames.end();
        }
        frames.add(Duration::from_secs(5));
        frames.drop_present();
        frames.end();
        assert_eq!((frames.count, frames.long), (5, 1));
        let took = [frames.median(), frames.longest, frames.last()].map(|took| took.map(|took| took.as_micros()));
        assert_eq!(took, [Some(300), Some(900_000), Some(200)]);
    }
}
