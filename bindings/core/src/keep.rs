//! The best of what overlaps: non-maximum suppression and decluttering.
//!
//! Both are greedy, from best to worst: a box is kept unless it conflicts with one already kept. If few boxes conflict,
//! one query finds all such pairs at once. In a crowd there would be quadratically many, so one query for each kept box
//! finds the boxes that it removes. Memory is linear in both cases.

use std::cmp::Ordering;
use std::ops::ControlFlow::{self, Continue};

use quadrille::{Aabb, Index, Overlaps, Scalar, Structure};

use crate::call::{Call, filled, places_of, room};
use crate::error::Error;
use crate::join::index_of;
use crate::queries::{Answers, pairs_that};
use crate::rows::{Rows, boxes_of_rows, check_stored};

/// Above this many conflicting pairs per box, queries run box by box. A higher value takes more memory, and a second
/// pass over denser crowds. With a lower one, scenes that one query for all pairs would settle sooner are processed box
/// by box, which takes several times as long.
const CROWDED: usize = 16;

/// Non-maximum suppression: the rows that remain if, from the highest score down, each box removes all whose
/// intersection over union with it is more than `most`. The best comes first; of equal scores, the lower row.
///
/// # Errors
/// Returns an error if a box is NaN, infinite or inverted, a score is NaN, there is not one score per box, or `most` is
/// not from 0 to 1.
pub fn suppress<S: Scalar>(boxes: &[S], scores: &[f64], most: f64, call: Call<'_>) -> Result<Vec<u32>, Error> {
    if !(0.0..=1.0).contains(&most) {
        return Err(Error::value(format!("iou is from 0 to 1, not {most}")));
    }
    let bounds = boxes_of_rows(boxes);
    keep(boxes, scores, "score", call, &|a, b| overlap(&bounds[a as usize], &bounds[b as usize]) > most)
}

/// The rows that remain if, from the highest priority down, each box removes all that touch it: labels that can be
/// drawn without covering each other. The most important comes first; of equal priorities, the lower row.
///
/// # Errors
/// Returns an error if a box is NaN, infinite or inverted, a priority is NaN, or there is not one per box.
pub fn declutter<S: Scalar>(boxes: &[S], priorities: &[f64], call: Call<'_>) -> Result<Vec<u32>, Error> {
    keep(boxes, priorities, "priority", call, &|_, _| true)
}

/// Which of two overlapping boxes cannot both remain.
type Excludes<'a> = &'a (dyn Fn(u32, u32) -> bool + Sync);

fn keep<S: Scalar>(
    boxes: &[S],
    worth: &[f64],
    name: &str,
    call: Call<'_>,
    excludes: Excludes<'_>,
) -> Result<Vec<u32>, Error> {
    let n = boxes.len() / 4;
    if worth.len() != n {
        return Err(Error::value(format!("there are {n} boxes, but {} of `{name}`", worth.len())));
    }
    if let Some(row) = worth.iter().position(|worth| worth.is_nan()) {
        return Err(Error::value(format!("row {row}: the {name} is NaN")));
    }
    check_stored(Rows::Boxes(boxes))?;
    let index = index_of(boxes_of_rows(boxes))?;
    let order = Order::best_first(worth)?;
    let most = CROWDED * (n / call.parts() + 64);
    let is_kept = match pairs_that(&index, n, call, most, excludes)? {
        Some(against) => decided_by_pairs(&order, against)?,
        None => decided_by_queries(&index, &order, call, excludes)?,
    };
    Ok((0..n).filter(|&rank| is_kept[rank]).map(|rank| order.rows[rank]).collect())
}

/// Rows from the best to the worst.
struct Order {
    /// The row at each rank.
    rows: Vec<u32>,
    /// The rank of each row.
    ranks: Vec<u32>,
}

impl Order {
    fn best_first(worth: &[f64]) -> Result<Self, Error> {
        let mut rows = room(worth.len())?;
        rows.extend(0..worth.len() as u32);
        let better = |a: u32, b: u32| worth[b as usize].partial_cmp(&worth[a as usize]).unwrap_or(Ordering::Equal);
        rows.sort_unstable_by(|&a, &b| better(a, b).then(a.cmp(&b)));
        Ok(Self { ranks: places_of(&rows)?, rows })
    }
}

/// By rank, whether a box remains. Better ones are decided first, so it is enough to check those.
fn decided_by_pairs(order: &Order, mut against: Vec<(u32, u32)>) -> Result<Vec<bool>, Error> {
    for pair in &mut against {
        let (a, b) = (order.ranks[pair.0 as usize], order.ranks[pair.1 as usize]);
        *pair = (a.max(b), a.min(b));
    }
    let better = Answers::by_row(order.rows.len(), &against)?;
    let (mut is_kept, mut end) = (filled(false, order.rows.len())?, 0);
    for (rank, &count) in better.counts.iter().enumerate() {
        let start = end;
        end += count as usize;
        is_kept[rank] = better.ids[start..end].iter().all(|&better| !is_kept[better as usize]);
    }
    Ok(is_kept)
}

/// By rank, whether a box remains. Each that does removes worse ones.
fn decided_by_queries<I: Structure>(
    index: &Index<I>,
    order: &Order,
    call: Call<'_>,
    excludes: Excludes<'_>,
) -> Result<Vec<bool>, Error> {
    let (pulse, mut is_kept) = (call.pulse(), filled(true, order.rows.len())?);
    for (rank, &row) in order.rows.iter().enumerate() {
        pulse.beat_at_row(rank)?;
        if !is_kept[rank] {
            continue;
        }
        let bounds = index.get(row).expect("rows are ids");
        let _: ControlFlow<()> = index.query_visit(Overlaps(bounds), |other| {
            let there = order.ranks[other as usize] as usize;
            if there > rank && is_kept[there] && excludes(row, other) {
                is_kept[there] = false;
            }
            Continue(())
        });
    }
    Ok(is_kept)
}

/// Intersection over union; zero if both have no area.
fn overlap<S: Scalar>(a: &Aabb<S>, b: &Aabb<S>) -> f64 {
    let [width, height] = [0, 1].map(|axis| {
        // The difference of halves cannot overflow, nor can the product of sides divided by a power of two, which rounds nothing.
        let half = |number: S| number.to_f64() / 2.0;
        let side = |low: S, high: S| (half(high) - half(low)).max(0.0);
        let (one, other) = (side(a.min[axis], a.max[axis]), side(b.min[axis], b.max[axis]));
        let common = side(a.min[axis].greater(b.min[axis]), a.max[axis].lesser(b.max[axis]));
        let power = f64::from_bits(one.max(other).to_bits() >> 52 << 52).max(f64::MIN_POSITIVE);
        [one, other, common].map(|side| side / power)
    });
    let [one, other, common] = [0, 1, 2].map(|which| width[which] * height[which]);
    if common > 0.0 { common / (one + other - common) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of boxes that overlap within a group only; worths that often tie.
    fn groups(groups: u32, each: u32) -> (Vec<f64>, Vec<f64>) {
        let (mut boxes, mut worth) = (Vec::new(), Vec::new());
        for number in 0..groups * each {
            let scattered = number.wrapping_mul(2_654_435_761) >> 16;
            let (x, y) = (f64::from(number % groups) * 100.0, f64::from(scattered % 7));
            boxes.extend([x, y, x + 20.0 + f64::from(scattered % 11), y + 30.0]);
            worth.push(f64::from(scattered % 5));
        }
        (boxes, worth)
    }

    /// The definition: from the best down, all that no box kept so far excludes.
    fn one_by_one(boxes: &[f64], worth: &[f64], excludes: impl Fn(usize, usize) -> bool) -> Vec<u32> {
        let bounds = boxes_of_rows(boxes);
        let mut order: Vec<usize> = (0..bounds.len()).collect();
        order.sort_by(|&a, &b| worth[b].total_cmp(&worth[a]));
        let mut kept: Vec<usize> = Vec::new();
        for row in order {
            if kept.iter().all(|&better| !(bounds[row].intersects(&bounds[better]) && excludes(row, better))) {
                kept.push(row);
            }
        }
        kept.into_iter().map(|row| row as u32).collect()
    }

    #[test]
    fn crowds_and_loose_scenes_are_decided_alike() {
        for (crowds, each) in [(1, 400), (3, 100), (200, 2), (40, 9), (1, 1), (0, 0)] {
            let (boxes, worth) = groups(crowds, each);
            let bounds = boxes_of_rows(&boxes);
            for most in [0.0, 0.3, 0.7, 0.99, 1.0] {
                let expected = one_by_one(&boxes, &worth, |a, b| overlap(&bounds[a], &bounds[b]) > most);
                assert_eq!(suppress(&boxes, &worth, most, Call::default()), Ok(expected), "{crowds} x {each}, {most}");
            }
            assert_eq!(declutter(&boxes, &worth, Call::default()), Ok(one_by_one(&boxes, &worth, |_, _| true)));
        }
    }

    #[test]
    fn boxes_of_any_size_overlap_by_the_same_share() {
        for (width, height) in [(0.0, 0.0), (1000.0, 1000.0), (-700.0, -700.0), (1023.0, -1032.0)] {
            let (width, height) = (f64::exp2(width), f64::exp2(height));
            let boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.5, 0.75]].map(|sides| {
                let [x0, y0, x1, y1] = sides;
                Aabb::from([x0 * width, y0 * height, x1 * width, y1 * height])
            });
            assert_eq!(overlap(&boxes[0], &boxes[1]), 0.375, "{width} {height}");
        }
        let whole = Aabb::new([f64::MIN; 2], [f64::MAX; 2]);
        assert_eq!((overlap(&whole, &whole), overlap(&whole, &Aabb::from_point([0.0; 2]))), (1.0, 0.0));
    }

    #[test]
    fn pairs_of_a_crowd_are_given_up() {
        let (boxes, worth) = groups(1, 4000);
        let index = index_of(boxes_of_rows(&boxes)).expect("boxes");
        let most = CROWDED * (4000 + 64);
        assert_eq!(
            pairs_that(&index, index.len(), Call::default(), most, &|_, _| true),
            Ok(None),
            "eight million pairs"
        );
        assert_eq!(
            pairs_that(&index, index.len(), Call::default(), 0, &|_, _| false),
            Ok(Some(Vec::new())),
            "none that counts"
        );
        assert_eq!(declutter(&boxes, &worth, Call::default()).map(|kept| kept.len()), Ok(1));
    }
}
