//! Switches from discs to density where drawing every agent takes long, as it does without a GPU.

use web_time::Duration;

/// Fewer agents are drawn one by one, however long it takes.
const MANY: usize = 20_000;
/// Drawing that takes longer than this counts as long.
const LONG: Duration = Duration::from_millis(100);
/// After this many consecutive long frames, density is drawn. The first may be long because shaders are compiled.
const FRAMES: u32 = 3;

/// Watches how long discs take to draw, until the user chooses how agents are drawn.
#[derive(Debug, Default)]
pub(crate) struct Ease {
    in_a_row: u32,
    /// What the last frame of discs took.
    pub(crate) took: Option<Duration>,
    is_chosen: bool,
}

impl Ease {
    /// A frame of discs has been drawn. Returns `true` when it is time to draw their density instead.
    pub(crate) fn watch(&mut self, agents: usize, drawing: Duration) -> bool {
        let is_long = agents >= MANY && drawing > LONG && !self.is_chosen;
        self.in_a_row = if is_long { self.in_a_row + 1 } else { 0 };
        let is_time = self.in_a_row >= FRAMES;
        if is_time {
            *self = Self { took: Some(drawing), ..Self::default() };
        }
        is_time
    }

    /// Tries discs again.
    pub(crate) fn retry(&mut self) {
        self.took = None;
    }

    /// The user has chosen how agents are drawn, so it no longer changes.
    pub(crate) fn choose(&mut self) {
        *self = Self { is_chosen: true, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(99);
    const TOO_LONG: Duration = Duration::from_millis(101);

    #[test]
    fn only_many_long_frames_in_a_row_of_many_agents_count() {
        let mut ease = Ease::default();
        let frames = [TOO_LONG, TOO_LONG, SHORT, TOO_LONG, TOO_LONG, TOO_LONG];
        assert_eq!(frames.map(|drawing| ease.watch(MANY, drawing)), [false, false, false, false, false, true]);
        assert_eq!(ease.took, Some(TOO_LONG));
        assert!((0..10).all(|_| !ease.watch(MANY - 1, TOO_LONG)));
    }

    #[test]
    fn what_somebody_has_chosen_stays() {
        let mut ease = Ease::default();
        ease.watch(MANY, TOO_LONG);
        ease.choose();
        assert!((0..10).all(|_| !ease.watch(MANY, TOO_LONG)));
        assert_eq!(ease.took, None);
    }
}
