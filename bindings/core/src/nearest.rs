//! The few nearest of many questions, asked one after the other.
//!
//! Questions are asked along a curve. So the next one finds what it needs in the cache, and lies in a world like that around the last one:
//! its few nearest are about as far away. A circle that should hold them and some more is asked for first, which a structure answers in one
//! walk. Where it holds too few, or far too many, the library's own search decides, which needs no guess and takes two to three times as
//! long. The answers are the same.

use std::cmp::Ordering;
use std::ops::ControlFlow::{Break, Continue};

use quadrille::{Distance, Hit, Index, Near};

use crate::number::Number;
use crate::questions::{Arranged, bounds, visit_near};
use crate::rows::Rows;

/// How far the nearest have been of late, and buffers.
pub(crate) struct Neighborhood<S: Number> {
    /// So many nearest are wanted.
    most: usize,
    /// The mean distance of the last of them, the latest counting the most; `None` at the start.
    usual: Option<f64>,
    found: Vec<(Distance<S>, u32)>,
    hits: Vec<Hit<Distance<S>>>,
}

/// A circle with more than so many times what is wanted, and a few more, is given up.
const TOO_MANY: usize = 8;

impl<S: Number> Neighborhood<S> {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, usual: None, found: Vec::new(), hits: Vec::new() }
    }

    /// The nearest boxes to a target, none farther than `reach` if that is given, the nearest first, of equal ones the lower id.
    pub(crate) fn first<I: Arranged<Scalar = S>>(
        &mut self,
        index: &Index<I>,
        target: Near<S>,
        reach: Option<S>,
    ) -> impl Iterator<Item = u32> {
        let wanted = self.most.min(index.len());
        if wanted == index.len() || !self.fill_from_circle(index, target, reach) {
            let question = reach.map_or(target, |reach| target.within(reach));
            index.query_first_into(question, wanted, &mut self.hits);
            self.found.clear();
            self.found.extend(self.hits.iter().map(|hit| (hit.rank, hit.id)));
        }
        if let Some((last, _)) = self.found.last().filter(|_| self.found.len() == self.most) {
            let distance = last.squared().sqrt();
            self.usual = Some(self.usual.map_or(distance, |usual| usual + (distance - usual) / 8.0));
        }
        self.found.iter().map(|&(_, id)| id)
    }

    /// `false` if the circle did not hold all answers for sure.
    fn fill_from_circle<I: Arranged<Scalar = S>>(
        &mut self,
        index: &Index<I>,
        target: Near<S>,
        reach: Option<S>,
    ) -> bool {
        let Some(usual) = self.usual else { return false };
        // Of points strewn at random, so many more that nineteen in twenty circles hold enough.
        let radius = usual * (1.0 + 0.9 / (self.most as f64).sqrt());
        let guess = S::not_less_than(radius);
        let (question, is_all) = match reach {
            Some(reach) if reach <= guess => (target.within(reach), true),
            _ => (target.within(guess), false),
        };
        self.found.clear();
        let most = TOO_MANY * self.most + 32;
        let is_walked = visit_near(index, question, &mut |id| {
            self.found.extend(question.distance(&bounds(index, id)).map(|distance| (distance, id)));
            if self.found.len() > most { Break(()) } else { Continue(()) }
        });
        if is_walked.is_break() {
            return false;
        }
        let order = |a: &(Distance<S>, u32), b: &(Distance<S>, u32)| a.partial_cmp(b).unwrap_or(Ordering::Equal);
        if self.found.len() > self.most {
            self.found.select_nth_unstable_by(self.most - 1, order);
            self.found.truncate(self.most);
        }
        self.found.sort_unstable_by(order);
        // What is at the rim, to a few roundings, may be in the circle or not.
        let is_inside = |(last, _): &(Distance<S>, u32)| last.squared().sqrt() <= radius * (1.0 - 1e-12);
        is_all || (self.found.len() == self.most && self.found.last().is_some_and(is_inside))
    }
}

/// Fewer rows than this are asked as they come.
const FEW: usize = 64;

/// The numbers of the rows in the order of a Z curve through their corners.
pub(crate) fn along_a_curve<S: Number>(rows: Rows<'_, S>) -> Vec<u32> {
    let all = 0..rows.len() as u32;
    if rows.len() < FEW {
        return all.collect();
    }
    // Halves, whose differences are finite.
    let corner = |row: u32| rows.get(row as usize).min.map(|at| 0.5 * at.to_f64());
    let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for at in all.clone().map(corner) {
        min = [0, 1].map(|axis| min[axis].min(at[axis]));
        max = [0, 1].map(|axis| max[axis].max(at[axis]));
    }
    let code = |at: [f64; 2]| {
        // `as` makes zero of what is no number, where there is no width to divide by.
        let [x, y] = [0, 1].map(|axis| ((at[axis] - min[axis]) / (max[axis] - min[axis]) * 65_535.0) as u16);
        spread(x) | spread(y) << 1
    };
    let mut order: Vec<(u32, u32)> = all.map(|row| (code(corner(row)), row)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, row)| row).collect()
}

/// A zero between every two bits.
fn spread(number: u16) -> u32 {
    let steps = [(8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)];
    steps.into_iter().fold(u32::from(number), |bits, (shift, mask)| (bits | bits << shift) & mask)
}
