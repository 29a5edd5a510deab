//! How many steps a frame runs, and how far tracks advance.

use web_time::{Duration, Instant};

use super::{App, Subject};

/// Time for steps in a frame: the rest of 33 ms is for drawing. There is at least one step per frame, however long it
/// takes.
const BUDGET: Duration = Duration::from_millis(16);

/// The same while a view catches up with its first steps: it reacts more slowly, but finishes sooner.
const CATCH_UP: Duration = Duration::from_millis(60);

/// The most time, in seconds, by which tracks advance in a frame.
const LONGEST_FRAME: f64 = 0.1;

impl App {
    /// Runs the steps that are due, while there is time for them.
    pub(crate) fn advance(&mut self, passed: f64) {
        if self.is_choosing() || self.subject == Subject::Boxes {
            self.frame_ms = 0.0;
            return;
        }
        if let Some(player) = self.player.as_mut().filter(|_| self.subject == Subject::Tracks) {
            // After the machine has paused, missed time is not made up.
            let is_over = !self.view.paused && !player.advance(passed.min(LONGEST_FRAME));
            self.view.paused |= is_over;
            self.frame_ms = if self.view.paused { 0.0 } else { passed * 1e3 };
            return;
        }
        let is_behind = self.steps() < self.view.steps;
        let (wanted, budget) = if is_behind {
            ((self.view.steps - self.steps()) as f64, CATCH_UP)
        } else if self.view.paused {
            (0.0, BUDGET)
        } else {
            // After the machine has paused, missed time is not made up.
            ((self.due + passed * f64::from(self.view.speed)).min(f64::from(self.view.speed)), BUDGET)
        };
        let start = Instant::now();
        let mut done = 0.0;
        while done + 1.0 <= wanted && (done == 0.0 || start.elapsed() < budget) {
            self.step();
            done += 1.0;
        }
        if let Some(map) = &mut self.map {
            if is_behind { map.frames.drop_present() } else { map.frames.end() }
        }
        // Steps for which there was no time are dropped: agents slow down, not the window.
        self.due = if wanted - done < 1.0 { wanted - done } else { 0.0 };
        (self.pace, self.frame_ms) = if wanted > 0.0 {
            let moments = 0.1;
            let follow = |usual: f64, now: f64| usual + (now - usual) * moments;
            (follow(self.pace, done / passed.max(1e-3)), follow(self.frame_ms, passed * 1e3))
        } else {
            (0.0, 0.0)
        };
    }

    pub(crate) fn single_step(&mut self) {
        self.view.paused = true;
        if self.shows_view() {
            self.step();
        } else if let Some(player) = self.tracks_mut() {
            player.advance(LONGEST_FRAME);
        }
        self.view.steps = 0;
    }

    fn step(&mut self) {
        match &mut self.map {
            Some(map) => map.step(),
            None if self.view.maintains => self.world.step(),
            None => self.world.step_unmaintained(),
        }
    }
}
