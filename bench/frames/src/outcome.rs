//! What a task has measured, and the check that contenders find the right pairs.

use std::ops::ControlFlow::Continue;

use quadrille::{Aabb, FrameTree, Index};

use crate::race::Figures;
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

pub fn agree(name: &str, touching: bool, pairs: Tally, [closed, open]: [Tally; 2]) {
    let expected = if touching { closed } else { open };
    assert_eq!(pairs, expected, "{name} finds other pairs than the rest");
}
