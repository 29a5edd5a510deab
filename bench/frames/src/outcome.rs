//! What a task has measured, and the check that contenders find the right pairs.

use std::ops::ControlFlow::Continue;

use quadrille::{Aabb, FrameTree, Index};

use crate::race::{Figures, Runner};
use crate::tally::Tally;

/// What came of a task.
pub struct Outcome {
    pub task: &'static str,
    /// What the nanoseconds are a unit of.
    pub unit: &'static str,
    /// Answers a unit.
    pub answers: f64,
    pub figures: Vec<Figures>,
}

impl Outcome {
    /// Of laps of so many units.
    pub fn of<T: ?Sized>(
        task: &'static str,
        unit: &'static str,
        runners: &[Runner<T>],
        units: usize,
        answers: f64,
    ) -> Self {
        let figures = runners.iter().map(|runner| runner.figures(units)).collect();
        Self { task, unit, answers: answers / units as f64, figures }
    }
}

/// All pairs twice: those that touch or overlap, and those that do more than touch.
pub fn expected(reference: &Index<FrameTree>, boxes: &[Aabb]) -> [Tally; 2] {
    let mut tallies = [Tally::default(); 2];
    let _ = reference.pairs_visit(|a, b| {
        tallies[0].pair(a, b);
        if cross(&boxes[a as usize], &boxes[b as usize]) {
            tallies[1].pair(a, b);
        }
        Continue::<()>(())
    });
    tallies
}

/// Do two boxes do more than touch?
pub fn cross(one: &Aabb, other: &Aabb) -> bool {
    [0, 1].iter().all(|&axis| one.min[axis] < other.max[axis] && other.min[axis] < one.max[axis])
}

/// Has a contender found the pairs that it counts?
pub fn agree<T: ?Sized>(runner: &Runner<T>, pairs: Tally, [closed, open]: [Tally; 2]) {
    let expected = if runner.touching { closed } else { open };
    assert_eq!(pairs, expected, "{} finds other pairs than the rest", runner.name);
}
