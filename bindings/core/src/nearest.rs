//! The k nearest boxes for many queries, one after the other.
//!
//! Questions are asked along a curve. So the next one finds what it needs in the cache, and lies in a world like that around the last one:
//! its few nearest are about as far away. A circle that should hold them and some more is asked for first, which a structure answers in one
//! walk. Where it holds too few, or far too many, the library's own search decides, which needs no guess and takes two to three times as
//! long. The answers are the same.

use std::cmp::Ordering;
use std::ops::ControlFlow::{Break, Continue};

use quadrille::{Distance, Hit, Index, Near};

use crate::arranged::{Arranged, bounds, visit_near};
use crate::number::Number;

/// How far the nearest have been of late, and buffers.
pub(crate) struct Neighborhood<S: Number> {
    /// How many nearest are wanted.
    most: usize,
    /// The mean distance of the last of them, the latest counting the most; `None` at the start.
    usual: Option<f64>,
    found: Vec<(Distance<S>, u32)>,
    hits: Vec<Hit<Distance<S>>>,
}

/// A circle that holds more than this many times what is wanted, and a few more, is given up.
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
        // Of points spread at random, enough more that nineteen in twenty circles hold enough.
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
