//! Two sets joined, and pairs within a distance.

use std::marker::PhantomData;
use std::ops::ControlFlow::Continue;

use quadrille::{Aabb, FrameTree, Index, PairsInParts, Part, Structure};

use super::super::{Apart, Sets, are_near};
use crate::tally::Tally;

/// The two indexes of the last lap.
struct Two<I: Structure>(Option<[Index<I>; 2]>);

pub fn sets<I: Structure<Scalar = f32> + 'static>(_boxes: &[Aabb]) -> Box<dyn Sets> {
    Box::new(Two::<I>(None))
}

fn index<I: Structure<Scalar = f32>>(boxes: &[Aabb]) -> Index<I> {
    Index::from_boxes(boxes).expect("scenes are valid")
}

impl<I: Structure<Scalar = f32>> Sets for Two<I> {
    fn build(&mut self, sets: [&[Aabb]; 2]) {
        self.0 = Some(sets.map(index));
    }

    fn join(&mut self, pairs: &mut Tally) {
        let [one, other] = self.0.as_ref().expect("built before");
        let _ = one.pairs_with_visit(other, |a, b| {
            pairs.across(a, b);
            Continue::<()>(())
        });
    }
}

/// The same indexes in every lap, brought up to date.
struct Kept(Two<FrameTree>);

pub fn sets_kept(_boxes: &[Aabb]) -> Box<dyn Sets> {
    Box::new(Kept(Two(None)))
}

impl Sets for Kept {
    fn build(&mut self, sets: [&[Aabb]; 2]) {
        let Some(indexes) = &mut self.0.0 else { return self.0.build(sets) };
        for (index, boxes) in indexes.iter_mut().zip(sets) {
            index.update_all(boxes).expect("scenes are valid");
        }
    }

    fn join(&mut self, pairs: &mut Tally) {
        self.0.join(pairs);
    }
}

/// What a program does that keeps no index.
struct AtOnce(Option<PairsInParts<f32>>);

pub fn sets_at_once(_boxes: &[Aabb]) -> Box<dyn Sets> {
    Box::new(AtOnce(None))
}

impl Sets for AtOnce {
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

struct Near<I>(PhantomData<I>);

pub fn apart<I: Structure<Scalar = f32> + 'static>(_boxes: &[Aabb]) -> Box<dyn Apart> {
    Box::new(Near::<I>(PhantomData))
}

impl<I: Structure<Scalar = f32>> Apart for Near<I> {
    fn within(&mut self, boxes: &[Aabb], distance: f32, pairs: &mut Tally) {
        index::<I>(boxes).pairs_within(distance).for_each(|(a, b)| pairs.pair(a, b));
    }

    fn across(&mut self, [one, other]: [&[Aabb]; 2], distance: f32, pairs: &mut Tally) {
        let (one, other) = (index::<I>(one), index::<I>(other));
        one.pairs_with_within(&other, distance).for_each(|(a, b)| pairs.across(a, b));
    }
}

/// What a program does that does not know of distances: boxes are grown, and the pairs of those are looked at.
struct Grown<I>(PhantomData<I>);

pub fn grown<I: Structure<Scalar = f32> + 'static>(_boxes: &[Aabb]) -> Box<dyn Apart> {
    Box::new(Grown::<I>(PhantomData))
}

/// A little more than is needed, so that no rounding loses a pair.
fn grow(boxes: &[Aabb], margin: f32) -> Vec<Aabb> {
    boxes.iter().map(|aabb| aabb.with_margin(margin * 1.0001)).collect()
}

impl<I: Structure<Scalar = f32>> Apart for Grown<I> {
    fn within(&mut self, boxes: &[Aabb], distance: f32, pairs: &mut Tally) {
        let _ = index::<I>(&grow(boxes, distance / 2.0)).pairs_visit(|a, b| {
            if are_near(&boxes[a as usize], &boxes[b as usize], distance) {
                pairs.pair(a, b);
            }
            Continue::<()>(())
        });
    }

    fn across(&mut self, [one, other]: [&[Aabb]; 2], distance: f32, pairs: &mut Tally) {
        let _ = index::<I>(&grow(one, distance)).pairs_with_visit(&index::<I>(other), |a, b| {
            if are_near(&one[a as usize], &other[b as usize], distance) {
                pairs.across(a, b);
            }
            Continue::<()>(())
        });
    }
}
