//! Two sets joined, and pairs within a distance.

use std::marker::PhantomData;
use std::ops::ControlFlow::Continue;

use quadrille::{Aabb, FrameTree, Index, PairsInParts, Part, Structure};

use super::super::{Apart, Sets, are_near};
use super::{each_pair, index};
use crate::tally::Tally;

/// Two indexes, walked at once.
pub fn join<I: Structure>([one, other]: &[Index<I>; 2], pairs: &mut Tally) {
    let _ = one.pairs_with_visit(other, |a, b| {
        pairs.across(a, b);
        Continue::<()>(())
    });
}

/// The same indexes in every lap, brought up to date.
#[derive(Default)]
pub struct Kept([Index<FrameTree>; 2]);

impl Sets for Kept {
    fn build(&mut self, sets: [&[Aabb]; 2]) {
        for (index, boxes) in self.0.iter_mut().zip(sets) {
            // Built the first time.
            if index.is_empty() {
                *index = self::index(boxes);
            } else {
                index.update_all(boxes).expect("scenes are valid");
            }
        }
    }

    fn join(&mut self, pairs: &mut Tally) {
        join(&self.0, pairs);
    }
}

/// For a program that keeps no index.
#[derive(Default)]
pub struct Unkept(Option<PairsInParts<f32>>);

impl Sets for Unkept {
    fn build(&mut self, [one, other]: [&[Aabb]; 2]) {
        self.0 = Some(PairsInParts::between(one, other).expect("scenes are valid"));
    }

    fn join(&mut self, pairs: &mut Tally) {
        let _ = self.0.as_ref().expect("built before").part_visit(Part::WHOLE, |a, b| {
            pairs.across(a, b);
            Continue::<()>(())
        });
    }
}

pub struct Near<I>(pub PhantomData<I>);

impl<I: Structure<Scalar = f32>> Apart for Near<I> {
    fn within(&mut self, boxes: &[Aabb], distance: f32, pairs: &mut Tally) {
        index::<I>(boxes).pairs_within(distance).for_each(|(a, b)| pairs.pair(a, b));
    }

    fn across(&mut self, [one, other]: [&[Aabb]; 2], distance: f32, pairs: &mut Tally) {
        let (one, other) = (index::<I>(one), index::<I>(other));
        one.pairs_with_within(&other, distance).for_each(|(a, b)| pairs.across(a, b));
    }
}

/// Without a search by distance: boxes are grown, and the distances of the pairs of grown boxes are computed.
pub struct Grown;

/// A little more than is needed, so that no rounding loses a pair.
fn grow(boxes: &[Aabb], margin: f32) -> Vec<Aabb> {
    boxes.iter().map(|aabb| aabb.with_margin(margin * 1.0001)).collect()
}

impl Apart for Grown {
    fn within(&mut self, boxes: &[Aabb], distance: f32, pairs: &mut Tally) {
        each_pair(&index::<FrameTree>(&grow(boxes, distance / 2.0)), |a, b| {
            if are_near(&boxes[a as usize], &boxes[b as usize], distance) {
                pairs.pair(a, b);
            }
        });
    }

    fn across(&mut self, [one, other]: [&[Aabb]; 2], distance: f32, pairs: &mut Tally) {
        let _ = index::<FrameTree>(&grow(one, distance)).pairs_with_visit(&index::<FrameTree>(other), |a, b| {
            if are_near(&one[a as usize], &other[b as usize], distance) {
                pairs.across(a, b);
            }
            Continue::<()>(())
        });
    }
}
