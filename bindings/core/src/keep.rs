//! The best of what overlaps: non-maximum suppression and decluttering.
//!
//! Both go through boxes from the best to the worst and keep each that no kept one stands against. What can stand against a box at all is
//! found once for all, as the pairs of overlapping boxes.

use std::cmp::Ordering;

use quadrille::Aabb;

use crate::error::Error;
use crate::join::pairs;
use crate::number::Number;
use crate::rows::{Rows, boxes_of_rows};
use crate::threads::Threads;

/// Non-maximum suppression: the rows that remain if, from the highest score down, each box takes away all that overlap it by more than
/// `most` of their common area (intersection over union). The best first; of equal scores the lower row.
///
/// # Errors
/// If a box is NaN, infinite or inverted, a score is NaN, there is not one score a box, or `most` is not from 0 to 1.
pub fn suppress<S: Number>(boxes: &[S], scores: &[f64], most: f64, threads: Threads) -> Result<Vec<u32>, Error> {
    if !(0.0..=1.0).contains(&most) {
        return Err(Error::value(format!("iou is from 0 to 1, not {most}")));
    }
    let bounds = boxes_of_rows(boxes);
    keep(boxes, scores, "score", threads, |a, b| overlap(&bounds[a as usize], &bounds[b as usize]) > most)
}

/// The rows that remain if, from the highest priority down, each box takes away all that touch it: labels that can be drawn without
/// covering each other. The most important first; of equal priorities the lower row.
///
/// # Errors
/// If a box is NaN, infinite or inverted, a priority is NaN, or there is not one a box.
pub fn declutter<S: Number>(boxes: &[S], priorities: &[f64], threads: Threads) -> Result<Vec<u32>, Error> {
    keep(boxes, priorities, "priority", threads, |_, _| true)
}

fn keep<S: Number>(
    boxes: &[S],
    worth: &[f64],
    name: &str,
    threads: Threads,
    excludes: impl Fn(u32, u32) -> bool,
) -> Result<Vec<u32>, Error> {
    let n = boxes.len() / 4;
    if worth.len() != n {
        return Err(Error::value(format!("there are {n} boxes, but {} of `{name}`", worth.len())));
    }
    if let Some(row) = worth.iter().position(|worth| worth.is_nan()) {
        return Err(Error::value(format!("row {row}: the {name} is NaN")));
    }
    let mut order: Vec<u32> = (0..n as u32).collect();
    order
        .sort_by(|&a, &b| worth[b as usize].partial_cmp(&worth[a as usize]).unwrap_or(Ordering::Equal).then(a.cmp(&b)));
    let mut rank = vec![0_u32; n];
    (0..).zip(&order).for_each(|(place, &row)| rank[row as usize] = place);
    let mut against = pairs(Rows::Boxes(boxes), threads)?;
    against.retain(|&(a, b)| excludes(a, b));
    let rivals = Rivals::new(&rank, &against);
    // Better ones are decided first, so a look at them is enough.
    let mut is_kept = vec![false; n];
    for place in 0..n {
        is_kept[place] = rivals.better_than(place).iter().all(|&better| !is_kept[better as usize]);
    }
    Ok((0..n).filter(|&place| is_kept[place]).map(|place| order[place]).collect())
}

/// For each place in the order, the better places that stand against it.
struct Rivals {
    /// Where the list of each place ends, and that of the next begins.
    ends: Vec<usize>,
    places: Vec<u32>,
}

impl Rivals {
    /// Sorted by counting.
    fn new(rank: &[u32], against: &[(u32, u32)]) -> Self {
        let worse_and_better = |&(a, b): &(u32, u32)| {
            let (a, b) = (rank[a as usize], rank[b as usize]);
            (a.max(b) as usize, a.min(b))
        };
        let mut ends = vec![0; rank.len() + 1];
        against.iter().map(worse_and_better).for_each(|(worse, _)| ends[worse + 1] += 1);
        (1..ends.len()).for_each(|place| ends[place] += ends[place - 1]);
        let mut places = vec![0; against.len()];
        for (worse, better) in against.iter().map(worse_and_better) {
            places[ends[worse]] = better;
            ends[worse] += 1;
        }
        Self { ends, places }
    }

    fn better_than(&self, place: usize) -> &[u32] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.places[start..self.ends[place]]
    }
}

/// Intersection over union; zero if both have no area.
fn overlap<S: Number>(a: &Aabb<S>, b: &Aabb<S>) -> f64 {
    let side = |axis: usize| {
        let (low, high) = (a.min[axis].greater(b.min[axis]), a.max[axis].lesser(b.max[axis]));
        (high.to_f64() - low.to_f64()).max(0.0)
    };
    let common = side(0) * side(1);
    if common > 0.0 { common / (a.area() + b.area() - common) } else { 0.0 }
}
