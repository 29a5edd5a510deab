//! What all contenders move and ask, without a word of Bevy, so that those of two versions of Bevy share it.

use std::fmt;
use std::time::Duration;

use cpu_time::ThreadTime;
use quadrille_scenes::Random;

/// How far each looks, in [`Question::Near`]. No two points are exactly that far apart: not all count those.
pub const REACH: f32 = 2.0 + 1.0 / 128.0;
/// Half of the side of each box, in [`Question::Overlapping`]. They cover about a fifth of the square.
pub const HALF: f32 = 0.5;

/// What every entity asks in every frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// How many points are at most [`REACH`] from mine, with mine?
    Near,
    /// How far is the nearest other point?
    Nearest,
    /// How many boxes overlap mine, with mine?
    Overlapping,
}

impl fmt::Display for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Near => "within 2 units",
            Self::Nearest => "nearest",
            Self::Overlapping => "overlapping",
        })
    }
}

/// Where each is at first, and how far it goes in a frame. All are multiples of 1/64, so that every sum and square is
/// exact and all contenders must find the same.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Places, in a square around the origin.
    pub places: Vec<[f32; 2]>,
    /// Steps of a frame, up to 13/64 along each axis.
    pub steps: Vec<[f32; 2]>,
}

impl Scene {
    /// This many points in a square of five times as many units of area.
    pub fn new(count: u32) -> Self {
        let mut random = Random::new(u64::from(count));
        let side = (f64::from(count) * 5.0).sqrt();
        let mut pick = |width: u32| {
            let mut part = || (random.below(width + 1) as f32 - (width / 2) as f32) / 64.0;
            (0..count).map(|_| [part(), part()]).collect()
        };
        Self { places: pick((side * 64.0) as u32), steps: pick(26) }
    }
}

/// A frame of one contender.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lap {
    /// All of it: moving, transforms, following, asking.
    pub frame: Duration,
    /// Asking alone.
    pub asking: Duration,
    /// What was found: answers counted, or squares of distances in 1/4096 summed.
    pub found: u64,
}

/// Runs a frame.
pub type Run = Box<dyn FnMut() -> Lap>;

/// A square of a distance as a whole number.
pub fn whole_square(distance: f32) -> u64 {
    (distance * distance * 4096.0).round() as u64
}

/// How long the thread runs for a piece of work.
pub fn time<R>(work: impl FnOnce() -> R) -> (Duration, R) {
    let start = ThreadTime::now();
    let result = work();
    (start.elapsed(), result)
}
