//! What a task has measured, and the check that contenders find the right pairs.

use std::ops::ControlFlow::Continue;

use quadrille::{Aabb, FrameTree, Index};

use crate::race::{Figures, Runner};
use crate::tally::Tally;

/// The outcome of a task.
pub struct Outcome {
    /// What one unit of work is, in nanoseconds per unit.
    pub unit: &'static str,
    /// Answers per unit.
    pub answers: f64,
    pub figures: Vec<Figures>,
    /// Whose answers are wrong, and what is wrong with them.
    pub faults: Vec<(&'static str, String)>,
}

impl Outcome {
    /// Of laps of so many units.
    pub fn of<T: ?Sized>(unit: &'static str, runners: &[Runner<T>], units: usize, answers: f64) -> Self {
        let right = runners.iter().filter(|runner| runner.fault().is_none());
        let figures = right.map(|runner| runner.figures(units)).collect();
        let faults = runners.iter().filter_map(|runner| Some((runner.name, runner.fault()?.to_owned()))).collect();
        Self { unit, answers: answers / units as f64, figures, faults }
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

/// All pairs that touch or overlap by a sweep along x, which has nothing in common with the library.
pub fn swept(boxes: &[Aabb]) -> Tally {
    let mut sorted: Vec<(u32, &Aabb)> = (0..).zip(boxes).collect();
    sorted.sort_by(|(_, one), (_, other)| one.min[0].total_cmp(&other.min[0]));
    let mut tally = Tally::default();
    for (at, (a, one)) in sorted.iter().enumerate() {
        let beside = sorted[at + 1..].iter().take_while(|(_, other)| other.min[0] <= one.max[0]);
        let above = beside.filter(|(_, other)| one.min[1] <= other.max[1] && other.min[1] <= one.max[1]);
        above.for_each(|(b, _)| tally.pair(*a, *b));
    }
    tally
}

/// Do two boxes do more than touch?
pub fn cross(one: &Aabb, other: &Aabb) -> bool {
    [0, 1].iter().all(|&axis| one.min[axis] < other.max[axis] && other.min[axis] < one.max[axis])
}

/// Has a contender found the pairs that it counts? If not, it is disqualified.
pub fn agree<T: ?Sized>(runner: &mut Runner<T>, pairs: Tally, [closed, open]: [Tally; 2]) {
    let expected = if runner.touching { closed } else { open };
    if pairs != expected {
        let (found, number) = (pairs.count, expected.count);
        let others = if found == number { ", some of them others" } else { "" };
        runner.disqualify(format!("finds {found} pairs of {number}{others}"));
    }
}
