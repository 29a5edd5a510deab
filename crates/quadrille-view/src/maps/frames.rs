//! Durations of frames since the start: the last, the median, the longest, and how many were long.

use web_time::Duration;

/// A frame that takes longer than this is counted as long: a quarter of a game's budget at 60 frames a second.
pub const LONG: Duration = Duration::from_millis(4);

/// Width of a class, in microseconds: the median is exact to that.
const CLASS: u128 = 10;
/// Classes; anything longer is in the last one.
const CLASSES: usize = 4096;

/// What frames took.
#[derive(Clone, Debug)]
pub struct Frames {
    /// What the present frame has taken so far, if there was work for it.
    present: Option<Duration>,
    last: Duration,
    longest: Duration,
    /// How many there were in each class.
    classes: Vec<u64>,
    /// How many there were.
    pub count: u64,
    /// How many took longer than [`LONG`].
    pub long: u64,
}

impl Default for Frames {
    fn default() -> Self {
        let (last, longest) = (Duration::ZERO, Duration::ZERO);
        Self { present: None, last, longest, classes: vec![0; CLASSES], count: 0, long: 0 }
    }
}

impl Frames {
    /// Work for the present frame took this long.
    pub fn add(&mut self, took: Duration) {
        *self.present.get_or_insert_default() += took;
    }

    /// Ends a frame. One without work does not count.
    pub fn end(&mut self) {
        let Some(took) = self.present.take() else { return };
        self.last = took;
        self.longest = self.longest.max(took);
        self.count += 1;
        self.long += u64::from(took > LONG);
        self.classes[((took.as_micros() / CLASS) as usize).min(CLASSES - 1)] += 1;
    }

    /// Starts the current frame again: its time so far does not count.
    pub fn drop_present(&mut self) {
        self.present = None;
    }

    /// What the last one took; `None` before the first.
    pub fn last(&self) -> Option<Duration> {
        (self.count > 0).then_some(self.last)
    }

    /// The longest.
    pub fn longest(&self) -> Option<Duration> {
        (self.count > 0).then_some(self.longest)
    }

    /// The median, to ten microseconds.
    pub fn median(&self) -> Option<Duration> {
        let mut so_far = 0;
        let class = self.classes.iter().position(|count| {
            so_far += count;
            so_far * 2 > self.count
        })?;
        Some(Duration::from_micros((class as u128 * CLASS + CLASS / 2) as u64))
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
        let took = [frames.median(), frames.longest(), frames.last()].map(|took| took.map(|took| took.as_micros()));
        assert_eq!(took, [Some(305), Some(900_000), Some(200)]);
    }
}
