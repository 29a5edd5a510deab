//! Pairs that are no farther apart than a distance.
//!
//! A frame tree is walked as it is for pairs that overlap, with distances in place of overlaps: of hulls, and of
//! sixteen boxes at once. Boxes that are in another structure go into a frame tree first, which finds pairs faster than
//! one query for each. In a world that wraps, they are walked together with the images of boxes that come near others
//! across a seam; only if a distance is so large that images outnumber boxes, each box runs a query.
//!
//! Lists of neighbors are such pairs, sorted by counting.

use alloc::borrow::Cow;
use alloc::vec::{self, Vec};
use core::mem::take;

use super::{Answers, Resolver, View, push_all};
use crate::geometry::{Aabb, Scalar};
use crate::kernel::{Apart, Test};
use crate::query::{Filtered, Near, OnLayers, Query};
use crate::storage::{Boxes, Layers};
use crate::structure::{FrameTree, Part, Structure};

impl<'a, I: Structure, R: Resolver> View<'a, I, R> {
    /// The pairs in this set, as (lower id, higher id).
    pub(crate) fn pairs_within(self, distance: f64) -> impl Iterator<Item = (R::Item, R::Item)> + use<'a, I, R> {
        self.id_pairs_within(distance).map(move |(a, b)| (self.resolver.item(a), self.resolver.item(b)))
    }

    /// For each id, what forms such a pair with it.
    pub(crate) fn neighbors_within(self, distance: f64, neighbors: &mut Answers<R::Name>) {
        let mut pairs = Vec::new();
        push_all(&mut pairs, self.id_pairs_within(distance));
        neighbors.both_ways(self.boxes.slots(), &pairs, |id| self.resolver.name(id));
    }

    fn id_pairs_within(self, distance: f64) -> impl Iterator<Item = (u32, u32)> + use<'a, I, R> {
        let images = if distance >= 0.0 { Images::of(self, distance) } else { None };
        let asked =
            images.is_none().then(|| self.boxes.iter().flat_map(move |(a, bounds)| self.above(a, bounds, distance)));
        let walked = images.map(|images| {
            let within = Within { set: Arranged::new(self), images, near: Apart::up_to(distance) };
            Walked::new(within, self.boxes.slots())
        });
        asked.into_iter().flatten().chain(walked.into_iter().flatten())
    }

    /// The pairs of a box and those near it that have higher ids.
    fn above(self, a: u32, bounds: Aabb<I::Scalar>, distance: f64) -> impl Iterator<Item = (u32, u32)> + use<'a, I, R> {
        let near = Filtered(self.near(bounds, self.boxes.layers(a), distance), move |b| a < b);
        self.ids(near).map(move |b| (a, b))
    }

    /// What forms a pair with a box of these layers.
    fn near(self, bounds: Aabb<I::Scalar>, layers: Layers, distance: f64) -> OnLayers<Near<I::Scalar>> {
        OnLayers::with_agreement(Near::aabb(bounds).within(distance), layers, self.boxes.agreement())
    }

    /// The pairs of a box here and one in another set. A frame tree there is walked together with one of boxes here, unless these
    /// are few; or else each box here runs a query.
    pub(crate) fn pairs_with_within<'b, J: Structure<Scalar = I::Scalar>, O: Resolver>(
        self,
        other: View<'b, J, O>,
        distance: f64,
    ) -> impl Iterator<Item = (R::Item, O::Item)> + use<'a, 'b, I, R, J, O> {
        let has_tree = other.structure.as_frame_tree().is_some() && I::AROUND.is_none();
        let is_walked = has_tree && !self.are_few_in(other);
        let walked = (is_walked && distance >= 0.0).then(|| {
            let near = Apart::up_to(distance);
            Walked::new(Between { one: Arranged::new(self), other: Arranged::new(other), near }, self.boxes.slots())
        });
        let asked = (!is_walked).then(|| {
            self.boxes.iter().flat_map(move |(a, bounds)| {
                let found = other.ids(self.near(bounds, self.boxes.layers(a), distance));
                found.map(move |b| (a, b))
            })
        });
        let ids = walked.into_iter().flatten().chain(asked.into_iter().flatten());
        ids.map(move |(a, b)| (self.resolver.item(a), other.resolver.item(b)))
    }
}

/// How many groups of packs are walked at once; their pairs are kept until they are yielded. More: more memory. Fewer:
/// less is done at once.
const GROUPS: usize = 16;

/// Boxes in a frame tree: their own, or one that was made for them.
struct Arranged<'a, S: Scalar> {
    boxes: &'a Boxes<S>,
    tree: Cow<'a, FrameTree<S>>,
}

impl<'a, S: Scalar> Arranged<'a, S> {
    fn new<I: Structure<Scalar = S>, R>(View { boxes, structure, .. }: View<'a, I, R>) -> Self {
        let build = || {
            let mut tree = FrameTree::new(()).expect("there are no options");
            tree.build(boxes);
            Cow::Owned(tree)
        };
        Self { boxes, tree: structure.as_frame_tree().map_or_else(build, Cow::Borrowed) }
    }
}

/// A walk that can be done part by part.
trait Walk {
    /// The pairs of a part.
    fn pairs(&self, part: Part) -> impl Iterator<Item = (u32, u32)>;
}

/// The pairs within a set.
struct Within<'a, S: Scalar> {
    set: Arranged<'a, S>,
    images: Images<S>,
    near: Apart<S>,
}

impl<S: Scalar> Walk for Within<'_, S> {
    #[inline]
    fn pairs(&self, part: Part) -> impl Iterator<Item = (u32, u32)> {
        let Self { set, images, near } = self;
        set.tree.pairs_by(*near, set.boxes, part).chain(images.pairs(set, near, part))
    }
}

/// Images of boxes are looked for at this many offsets at most: half of the 24 up to two worlds away. More: larger
/// distances, at which images soon outnumber boxes.
const MAX_OFFSETS: usize = 12;

/// The images of boxes that are near others across a seam. Of two opposite offsets, one is enough. None, except in a world
/// that wraps.
struct Images<S> {
    boxes: Boxes<S>,
    tree: FrameTree<S>,
    /// The box of each, and the number of the offset by which it is moved.
    of: Vec<(u32, usize)>,
    offsets: Vec<[S; 2]>,
}

impl<S: Scalar> Images<S> {
    /// `None` if there are more of them than boxes.
    fn of<I: Structure<Scalar = S>, R>(View { boxes, structure, .. }: View<'_, I, R>, distance: f64) -> Option<Self> {
        let (mut images, mut layers) = (Boxes::new(), Vec::new());
        let (mut of, mut offsets, mut tree) =
            (Vec::new(), Vec::new(), FrameTree::new(()).expect("there are no options"));
        if I::AROUND.is_some() {
            // Free slots hold the empty box.
            let all = Near::aabb(Aabb::from_boxes(boxes.all())).within(distance);
            let half = structure.offsets(&all).filter(|[x, y]| [*y, *x] > [S::ZERO; 2]);
            // Back, not forth: lower corners lie in the world, so that few boxes reach so far beyond it, however large some are.
            offsets.extend(half.map(|offset| offset.map(|part| S::ZERO.minus(part))));
            let moved = |offset: [S; 2]| boxes.iter().map(move |(id, bounds)| (id, bounds.with_offset(offset)));
            let numbered = offsets.iter().enumerate().take(MAX_OFFSETS + 1);
            for (number, (id, bounds)) in
                numbered.flat_map(|(number, &offset)| moved(offset).map(move |one| (number, one)))
            {
                if all.accepts(id, &bounds, boxes.layers(id)) {
                    images.insert(bounds).ok().filter(|_| number < MAX_OFFSETS && of.len() < boxes.len())?;
                    layers.push(boxes.layers(id));
                    of.push((id, number));
                }
            }
            if boxes.has_layers() {
                images.set_first_layers(&layers);
            }
            tree.build(&images);
        }
        Some(Self { boxes: images, tree, of, offsets })
    }

    /// The pairs of a box and an image of another, unless the two are near without it, or by an earlier offset.
    fn pairs<'t>(
        &'t self,
        set: &'t Arranged<'t, S>,
        near: &'t Apart<S>,
        part: Part,
    ) -> impl Iterator<Item = (u32, u32)> + use<'t, S> {
        let pairs = set.tree.pairs_between(*near, set.boxes, (&self.tree, &self.boxes), part);
        pairs.filter_map(move |(a, image)| {
            let (b, number) = self.of[image as usize];
            (a != b && self.is_first(set, near, (a, b), number)).then(|| (a.min(b), a.max(b)))
        })
    }

    /// Is the first offset at which two boxes are near each other the one with this number, by which `b` is moved?
    fn is_first(&self, set: &Arranged<'_, S>, near: &Apart<S>, (a, b): (u32, u32), number: usize) -> bool {
        let is_near =
            |a: u32, b: u32, offset: [S; 2]| near.passes(set.boxes.at(a), &set.boxes.at(b).with_offset(offset));
        // At each offset, the lower id stays first.
        let (low, high) = (a.min(b), a.max(b));
        let at = |number: usize, is_low: bool| {
            let offset = self.offsets[number];
            if is_low { is_near(low, high, offset) } else { is_near(high, low, offset) }
        };
        let before = (0..number).any(|number| at(number, true) || at(number, false));
        !is_near(low, high, [S::ZERO; 2]) && !before && (a == low || !at(number, true)) && at(number, a == low)
    }
}

/// The pairs between two sets.
struct Between<'a, 'b, S: Scalar> {
    one: Arranged<'a, S>,
    other: Arranged<'b, S>,
    near: Apart<S>,
}

impl<S: Scalar> Walk for Between<'_, '_, S> {
    #[inline]
    fn pairs(&self, part: Part) -> impl Iterator<Item = (u32, u32)> {
        let Self { one, other, near } = self;
        one.tree.pairs_between(*near, one.boxes, (&*other.tree, other.boxes), part)
    }
}

/// The pairs of a walk, part by part.
struct Walked<W> {
    walk: W,
    parts: usize,
    next: usize,
    found: vec::IntoIter<(u32, u32)>,
}

impl<W: Walk> Walked<W> {
    /// The first set has this many slots.
    fn new(walk: W, slots: usize) -> Self {
        Self { walk, parts: slots.div_ceil(GROUPS * 256), next: 0, found: Vec::new().into_iter() }
    }
}

impl<W: Walk> Iterator for Walked<W> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            if let Some(pair) = self.found.next() {
                return Some(pair);
            }
            if self.next == self.parts {
                return None;
            }
            let mut found = take(&mut self.found).collect::<Vec<_>>();
            push_all(&mut found, self.walk.pairs(Part::new(self.next, self.parts)));
            self.next += 1;
            self.found = found.into_iter();
        }
    }

    /// Nothing needs to be kept by a loop that does not stop.
    fn fold<B, F: FnMut(B, (u32, u32)) -> B>(self, init: B, mut add: F) -> B {
        let begun = self.found.fold(init, &mut add);
        (self.next..self.parts)
            .fold(begun, |sum, number| self.walk.pairs(Part::new(number, self.parts)).fold(sum, &mut add))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::Images;
    use crate::structures::{BruteForce, Grid, Periodic, PeriodicOptions};
    use crate::{Aabb, Answers, FrameTree, Index, Layers, Near, Space, Structure};

    const SIDE: i32 = 100;

    fn points(count: u32) -> Vec<Aabb<i32>> {
        let at = |k: u32| i32::try_from(k.wrapping_mul(2_654_435_761) >> 8).expect("24 bits") % (SIDE + 1);
        (0..count).map(|k| Aabb::from_point([at(2 * k), at(2 * k + 1)])).collect()
    }

    /// The distance squared, by the nearest image on the axes that wrap.
    fn square(a: &Aabb<i32>, b: &Aabb<i32>, wraps: [bool; 2]) -> i32 {
        let gaps = [0, 1].map(|axis| {
            let gap = (a.min[axis] - b.min[axis]).abs();
            if wraps[axis] { gap.min(SIDE - gap) } else { gap }
        });
        gaps[0] * gaps[0] + gaps[1] * gaps[1]
    }

    fn check<I: Structure<Scalar = i32>>(mut index: Index<I>, points: &[Aabb<i32>], wraps: [bool; 2]) {
        let gone = [3, 40];
        for id in gone {
            index.remove(id);
        }
        let mut neighbors = Answers::new();
        for distance in [0, 3, 17, 50, 51, 71, 200] {
            index.neighbors_within(distance, &mut neighbors);
            assert_eq!(neighbors.len(), points.len());
            for (id, one) in (0..).zip(points) {
                let near = |other: u32, b| other != id && square(one, b, wraps) <= distance * distance;
                let is_there = |other| ![id, other].iter().any(|one| gone.contains(one));
                let ids = (0..).zip(points).filter(|&(other, b)| near(other, b) && is_there(other));
                assert_eq!(neighbors.of(id as usize), ids.map(|(other, _)| other).collect::<Vec<u32>>(), "{distance}");
            }
        }
        index.neighbors_within(-1, &mut neighbors);
        assert!(neighbors.iter().all(<[u32]>::is_empty));
    }

    #[test]
    fn neighbors_are_those_of_brute_force_around_the_world_too() {
        let points = points(150);
        check(Index::<crate::FrameTree<i32>>::from_boxes(&points).expect("points"), &points, [false; 2]);
        for wraps in [[true, true], [true, false], [false, true], [false, false]] {
            let options = PeriodicOptions::new(Aabb::new([0, 0], [SIDE, SIDE])).with_wraps(wraps);
            check(Index::<Periodic<Grid<i32>>>::with_boxes(options, &points).expect("points"), &points, wraps);
        }
    }

    #[test]
    fn neighbors_of_things_are_handles_whose_layers_meet() {
        let mut space = Space::<&str>::default();
        let [a, b, c] = ["a", "b", "c"].map(|name| space.insert(Aabb::from_point([0.0, 0.0]), name).expect("a point"));
        for (handle, bit) in [(b, 1), (c, 2)] {
            space.set_layers(handle, Layers::new(bit, bit)).expect("it is there");
        }
        let mut neighbors = Answers::new();
        space.neighbors_within(1.0, &mut neighbors);
        assert_eq!(neighbors.iter().collect::<Vec<_>>(), [&[b, c][..], &[a], &[a]]);
    }

    /// However large a box is, in a world that wraps only the images of boxes near a seam are looked at.
    #[test]
    fn one_large_box_does_not_let_all_have_images() {
        let places = || (0..900_u16).map(|k| [f32::from(k % 30), f32::from(k / 30)]);
        let mut boxes: Vec<Aabb> = places().map(|min| Aabb::from_size(min, [0.25, 0.25])).collect();
        boxes[400] = Aabb::from_size([8.0, 13.0], [28.0, 28.0]);
        let options = |world| PeriodicOptions::<(), f32>::new(world);
        let world = Aabb::new([0.0, 0.0], [30.0, 30.0]);
        let torus = Index::<Periodic<FrameTree>>::with_boxes(options(world), &boxes).expect("valid boxes");
        let images = Images::of(torus.view(), 0.5).expect("few images").of.len();
        assert!(images < 100, "{images} images");
        let brute = Index::<Periodic<BruteForce>>::with_boxes(options(world), &boxes).expect("valid boxes");
        let sorted = |mut pairs: Vec<(u32, u32)>| {
            pairs.sort_unstable();
            pairs
        };
        let mut expected = Vec::new();
        for (a, bounds) in brute.iter() {
            let near = Near::aabb(bounds).within(0.5);
            expected.extend(brute.query(near).filter(|&b| a < b).map(|b| (a, b)));
        }
        assert_eq!(sorted(torus.pairs_within(0.5).collect()), sorted(expected));
    }
}
