//! Distances beside whole numbers: boxes of integers times a power of two, so that integers know what is right, also
//! where squares of floats vanish or are infinite.

use quadrille::structures::{LooseGrid, Quadtree};
use quadrille::{Aabb, Agreement, Answers, Filtered, FrameTree, Index, Layers, Near, Ranked, Scalar, Structure, Sweep};

use super::draw::{Draw, instances};
use crate::erased::ranked;

/// Lower x, lower y, upper x, upper y.
type Whole = [i64; 4];

/// A scalar, and the queries over it.
trait Units: Scalar {
    /// The exponents of units: of the least numbers, where squares vanish, where they begin to, one, where they begin
    /// to be infinite, and of the greatest numbers.
    const POWERS: &'static [i64];
    /// Two ends of a set with holes, and distances at which all its boxes are within.
    const HOLES: &'static [([Self; 2], &'static [f64])];
}

impl Units for f32 {
    const POWERS: &'static [i64] = &[-149, -140, -80, -70, 0, 10, 60, 66, 115];
    const HOLES: &'static [([f32; 2], &'static [f64])] =
        &[([2.0, 1.0], &[2.3, 1e18, 1e20, 1e200, f64::INFINITY]), ([3e38, 1.0], &[3.1e38, f64::INFINITY])];
}

impl Units for f64 {
    const POWERS: &'static [i64] = &[-1074, -1060, -560, -488, 0, 20, 500, 508, 1000];
    const HOLES: &'static [([f64; 2], &'static [f64])] = &[([1e200, 1.0], &[1.1e200, f64::MAX, f64::INFINITY])];
}

impl Units for i32 {
    const POWERS: &'static [i64] = &[0, 5, 20];
    const HOLES: &'static [([i32; 2], &'static [f64])] =
        &[([i32::MIN, i32::MAX], &[4e9, 1e10, f64::INFINITY]), ([2, 1], &[2.3, 1e9, 3e9, f64::INFINITY])];
}

/// Exact, also where a float has fewer digits.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(if exponent < -1022 { 1 << (exponent + 1074) } else { ((exponent + 1023) as u64) << 52 })
}

fn squared_distance(a: &Whole, b: &Whole) -> i64 {
    let gap = |axis: usize| (a[axis] - b[axis + 2]).max(b[axis] - a[axis + 2]).max(0);
    gap(0) * gap(0) + gap(1) * gap(1)
}

fn scattered(draw: &mut Draw, count: usize) -> Vec<Whole> {
    let mut place = || draw.integer(-40, 40);
    let corners: Vec<[i64; 2]> = (0..count).map(|_| [place(), place()]).collect();
    corners.into_iter().map(|[x, y]| [x, y, x + draw.integer(0, 3), y + draw.integer(0, 2)]).collect()
}

/// In units: exact, for the numbers are small.
fn aabb<S: Scalar>(corners: &Whole, unit: f64) -> Aabb<S> {
    corners.map(|at| S::from_f64(at as f64 * unit)).into()
}

fn index_of<I: Structure>(boxes: &[Whole], unit: f64) -> Index<I> {
    let boxes: Vec<_> = boxes.iter().map(|corners| aabb(corners, unit)).collect();
    Index::from_boxes(&boxes).expect("finite boxes")
}

/// What integers say is within a distance.
struct Expected<'a> {
    boxes: &'a [Whole],
    layers: &'a [Layers],
    distance: i64,
    unit: f64,
}

impl Expected<'_> {
    fn are_near(&self, a: usize, b: usize) -> bool {
        squared_distance(&self.boxes[a], &self.boxes[b]) <= self.distance * self.distance
    }

    fn pairs(&self) -> Vec<(u32, u32)> {
        let sees = |a: usize, b: usize| self.layers[a].own & self.layers[b].mask != 0;
        let all = (0..self.boxes.len()).flat_map(|a| (a + 1..self.boxes.len()).map(move |b| (a, b)));
        let pairs = all.filter(|&(a, b)| sees(a, b) && sees(b, a) && self.are_near(a, b));
        pairs.map(|(a, b)| (a as u32, b as u32)).collect()
    }

    /// Every form of the query finds that. Returns the pairs in the order in which they come.
    fn check<I: Structure>(&self) -> Vec<(u32, u32)> {
        let mut index = index_of::<I>(self.boxes, self.unit);
        (0..).zip(self.layers).for_each(|(id, layers)| assert!(index.set_layers(id, *layers).is_ok()));
        let (most, pairs) = (self.distance as f64 * self.unit, self.pairs());
        let order: Vec<(u32, u32)> = index.pairs_within(most).collect();
        let mut pieces = index.pairs_within(most);
        let mut folded: Vec<(u32, u32)> = pieces.by_ref().take(order.len() / 2).collect();
        pieces.for_each(|pair| folded.push(pair));
        assert!(folded == order, "{}: a loop that does not stop finds the same", I::NAME);
        let mut found = order.clone();
        found.sort_unstable();
        assert!(found == pairs, "{}: within {} units of {}", I::NAME, self.distance, self.unit);
        let between: Vec<(u32, u32)> = index.pairs_with_within(&index, most).collect();
        assert!(I::NAME == FrameTree::<f32>::NAME || between.is_sorted_by_key(|(a, _)| *a), "in the order of ids here");
        let mut once: Vec<(u32, u32)> = between.into_iter().filter(|(a, b)| a < b).collect();
        once.sort_unstable();
        assert!(once == pairs, "{}: two sets within {} units of {}", I::NAME, self.distance, self.unit);
        for a in (0..self.boxes.len()).step_by(7) {
            let bounds = index.get(a as u32).expect("all are in use");
            let mut near: Vec<u32> = index.query(Near::aabb(bounds).within(most)).collect();
            near.sort_unstable();
            let expected = (0..self.boxes.len()).filter(|&b| self.are_near(a, b));
            assert!(near.into_iter().eq(expected.map(|b| b as u32)), "{}", I::NAME);
        }
        order
    }
}

fn joins_within_a_distance_find_what_integers_say<S: Units>() {
    let (mut draw, mut found) = (Draw::new(31), 0);
    for number in 0..instances(40) {
        let count = 20 + draw.below(280);
        let boxes = scattered(&mut draw, count);
        let is_layered = draw.once_in(2);
        let mut bits = || if is_layered { draw.bits() as u32 | 1 } else { !0 };
        let layers: Vec<Layers> = boxes.iter().map(|_| Layers { own: bits(), mask: bits() }).collect();
        let unit = power_of_two(S::POWERS[number as usize % S::POWERS.len()]);
        // Ten and five are the lengths of many diagonals of integers: distances that are met exactly.
        for distance in [0, 1, 5, draw.integer(2, 12), 10] {
            let expected = Expected { boxes: &boxes, layers: &layers, distance, unit };
            let order = expected.check::<FrameTree<S>>();
            assert!(order == expected.check::<Quadtree<S>>(), "one order for all structures");
            found += order.len();
        }
    }
    assert!(found > 10_000, "only {found} pairs");
}

/// The pairs between two sets with layers, of which the second has holes and a tail, are those that integers find.
fn check_two_sets<I: Structure, J: Structure<Scalar = I::Scalar>>(draw: &mut Draw) -> usize {
    let aabb = |corners: &Whole| aabb::<I::Scalar>(corners, 1.0);
    let [first, second] = [20, 300].map(|most| {
        let count = 1 + draw.below(most);
        scattered(draw, count)
    });
    let mut one = Index::<I>::from_boxes(&first.iter().map(aabb).collect::<Vec<_>>()).expect("finite boxes");
    let half: Vec<_> = second[..second.len() / 2].iter().map(aabb).collect();
    let mut other = Index::<J>::from_boxes(&half).expect("finite boxes");
    for (id, corners) in (0..).zip(&second).skip(half.len()) {
        assert_eq!(other.insert(aabb(corners)), Ok(id));
    }
    let mut is_gone = vec![false; second.len()];
    (0..second.len()).filter(|_| draw.once_in(5)).for_each(|id| is_gone[id] = other.remove(id as u32).is_some());
    let mut layers = [vec![Layers::ALL; first.len()], vec![Layers::ALL; second.len()]];
    if draw.once_in(2) {
        for layers in layers.iter_mut().flatten() {
            *layers = Layers { own: draw.bits() as u32 & 7, mask: draw.bits() as u32 & 7 };
        }
        (0..).zip(&layers[0]).for_each(|(id, &layers)| assert!(one.set_layers(id, layers).is_ok()));
        let stay = (0..).zip(&layers[1]).filter(|(id, _)| !is_gone[*id as usize]);
        stay.for_each(|(id, &layers)| assert!(other.set_layers(id, layers).is_ok()));
    }
    let meet = |a: usize, b: usize| layers[0][a].meets(layers[1][b], Agreement::Both);
    let mut found = 0;
    for distance in [0, 1, 5, 10] {
        let are_near = |a: usize, b: usize| squared_distance(&first[a], &second[b]) <= distance * distance;
        let all = (0..first.len()).flat_map(|a| (0..second.len()).map(move |b| (a, b)));
        let pairs = all.filter(|&(a, b)| !is_gone[b] && meet(a, b) && are_near(a, b));
        let expected: Vec<(u32, u32)> = pairs.map(|(a, b)| (a as u32, b as u32)).collect();
        let order: Vec<(u32, u32)> = one.pairs_with_within(&other, distance as f64).collect();
        let mut folded = Vec::new();
        one.pairs_with_within(&other, distance as f64).for_each(|pair| folded.push(pair));
        assert!(folded == order, "a loop that does not stop finds the same");
        folded.sort_unstable();
        assert!(folded == expected, "{} and {} within {distance}: {folded:?}, not {expected:?}", I::NAME, J::NAME);
        assert_eq!(one.pairs_with_within(&other, -1.0).count(), 0);
        found += folded.len();
    }
    found
}

fn two_sets_are_joined_within_a_distance_as_integers_say<S: Scalar>() {
    let (mut draw, mut found) = (Draw::new(33), 0);
    for _ in 0..instances(80) {
        found += check_two_sets::<FrameTree<S>, FrameTree<S>>(&mut draw);
        found += check_two_sets::<LooseGrid<S>, FrameTree<S>>(&mut draw);
        found += check_two_sets::<FrameTree<S>, Quadtree<S>>(&mut draw);
    }
    assert!(found > 10_000, "only {found} pairs");
}

/// A set that has been built, moved, thinned out and added to, with layers and either agreement: its pairs, in whatever
/// state the tree is, are those that integers find.
fn check_one_set<I: Structure>(draw: &mut Draw) -> usize {
    let aabb = |corners: &Whole| aabb::<I::Scalar>(corners, 1.0);
    let count = 1 + draw.below(600);
    let (first, mut boxes) = (scattered(draw, count), scattered(draw, count));
    let mut index = Index::<I>::from_boxes(&first.iter().map(aabb).collect::<Vec<_>>()).expect("finite boxes");
    let moved: Vec<_> = boxes.iter().map(aabb).collect();
    if draw.once_in(2) {
        index.update_all(&moved).expect("finite boxes");
    } else {
        (0..).zip(&moved).for_each(|(id, bounds)| assert!(index.update(id, *bounds).is_ok()));
    }
    let mut is_gone: Vec<bool> = (0..count).map(|_| draw.once_in(5)).collect();
    (0..).zip(&is_gone).filter(|(_, gone)| **gone).for_each(|(id, _)| assert!(index.remove(id).is_some()));
    for corners in scattered(draw, 90) {
        let id = index.insert(aabb(&corners)).expect("a finite box") as usize;
        boxes.resize(boxes.len().max(id + 1), corners);
        is_gone.resize(boxes.len(), false);
        (boxes[id], is_gone[id]) = (corners, false);
    }
    let mut layers = vec![Layers::ALL; boxes.len()];
    let agreement = if draw.once_in(2) { Agreement::Both } else { Agreement::Either };
    if draw.once_in(2) {
        layers.iter_mut().for_each(|layers| *layers = Layers::new(draw.bits() as u32 & 7, draw.bits() as u32 & 7));
        let stay = (0..).zip(&layers).filter(|(id, _)| !is_gone[*id as usize]);
        stay.for_each(|(id, &layers)| assert!(index.set_layers(id, layers).is_ok()));
        index.set_agreement(agreement);
    }
    let mut found = 0;
    for distance in [0, 1, 5, 10, 300] {
        let is_pair = |a: usize, b: usize| {
            let is_near = squared_distance(&boxes[a], &boxes[b]) <= distance * distance;
            is_near && !is_gone[a] && !is_gone[b] && layers[a].meets(layers[b], agreement)
        };
        let all = (0..boxes.len()).flat_map(|a| (a + 1..boxes.len()).map(move |b| (a, b)));
        let expected: Vec<(u32, u32)> =
            all.filter(|&(a, b)| is_pair(a, b)).map(|(a, b)| (a as u32, b as u32)).collect();
        let order: Vec<(u32, u32)> = index.pairs_within(distance as f64).collect();
        let mut pairs = Vec::new();
        index.pairs_within(distance as f64).for_each(|pair| pairs.push(pair));
        assert!(pairs == order, "a loop that does not stop finds the same");
        pairs.sort_unstable();
        assert!(pairs == expected, "{}: {} within {distance}, not {}", I::NAME, pairs.len(), expected.len());
        found += pairs.len();
    }
    found
}

fn a_worn_set_is_joined_within_a_distance_as_integers_say<S: Scalar>() {
    let (mut draw, mut found) = (Draw::new(34), 0);
    for _ in 0..instances(50) {
        found += check_one_set::<FrameTree<S>>(&mut draw);
        found += check_one_set::<LooseGrid<S>>(&mut draw);
    }
    assert!(found > 100_000, "only {found} pairs");
}

/// In a hole is the empty box, and of integers, and where squares of `f32` are infinite, even that may be within a
/// distance.
fn check_holes<S: Scalar>(ends: [S; 2], distances: &[f64]) {
    let place = |k: usize| if k % 2 == 0 { ends } else { [S::ZERO; 2] };
    let boxes: Vec<Aabb<S>> = (0..40).map(|k| Aabb::from_point(place(k))).collect();
    let mut index = Index::<FrameTree<S>>::from_boxes(&boxes).expect("finite boxes");
    (0..40).filter(|id| id % 3 == 0).for_each(|id| assert!(index.remove(id).is_some()));
    let left: Vec<u32> = (0..40).filter(|id| id % 3 != 0).collect();
    let expected: Vec<(u32, u32)> =
        left.iter().flat_map(|a| left.iter().filter(move |b| a < b).map(move |b| (*a, *b))).collect();
    for &distance in distances {
        let mut pairs: Vec<(u32, u32)> = index.pairs_within(distance).collect();
        pairs.sort_unstable();
        assert_eq!(pairs, expected, "within {distance:e} of {ends:?}");
        assert_eq!(index.pairs_with_within(&index, distance).count(), left.len() * left.len(), "{distance:e}");
    }
}

fn holes_are_within_no_distance<S: Units>() {
    S::HOLES.iter().for_each(|&(ends, distances)| check_holes(ends, distances));
}

/// Over `f64` alone, in which the squares of all others are numbers.
#[cfg(not(quadrille_other_scalar))]
#[test]
fn distances_below_and_above_all_squares_are_compared() {
    let index = |places: &[[f64; 2]]| {
        let boxes: Vec<Aabb<f64>> = places.iter().map(|&place| Aabb::from_point(place)).collect();
        Index::<FrameTree<f64>>::from_boxes(&boxes).expect("finite boxes")
    };
    let near_zero = index(&[[0.0, 0.0], [9e-171, 9e-171]]);
    assert_eq!([1e-170, 1.3e-170].map(|most| near_zero.pairs_within(most).count()), [0, 1]);
    assert_eq!(near_zero.query_count(Near::point([0.0, 0.0]).within(1e-170)), 1);
    let far = index(&[[-1.7e308, 0.0], [1.7e308, 0.0], [1.7e308, 1e308]]);
    let counts = [9.9e307, 1e308, f64::MAX, f64::INFINITY].map(|most| far.pairs_within(most).count());
    assert_eq!(counts, [0, 1, 1, 3], "the ends are farther apart than any number");
    assert_eq!([-1.0, f64::NAN].map(|most| far.pairs_within(most).count()), [0, 0]);
}

/// Together or one by one, the first answers are the same.
fn check_many<I: Structure, Q: Ranked<I::Scalar>>(index: &Index<I>, queries: &[Q], most: usize) -> usize {
    let queries: &[_] = &queries.iter().map(ranked).collect::<Vec<_>>();
    let (mut together, mut alone) = (Answers::new(), Vec::new());
    index.query_first_many(queries, most, &mut together);
    assert_eq!(together.len(), queries.len());
    for (query, hits) in queries.iter().zip(together.iter()) {
        index.query_first_few(*query, most, &mut alone);
        assert_eq!(hits, alone, "{most} of {} boxes", index.len());
    }
    together.iter().map(<[_]>::len).sum()
}

/// After some boxes were removed.
fn check_first_answers<I: Structure>(draw: &mut Draw, boxes: &[Whole]) -> usize {
    let mut index = index_of::<I>(boxes, 1.0);
    (0..boxes.len() as u32).filter(|_| draw.once_in(4)).for_each(|id| assert!(index.remove(id).is_some()));
    let asked = scattered(draw, 60);
    let near: Vec<Near<I::Scalar>> = asked
        .iter()
        .map(|corners| Near::aabb(aabb(corners, 1.0)))
        .map(|near| if draw.once_in(3) { near.within(draw.between(0.0, 9.0)) } else { near })
        .collect();
    let scalar = |number: i64| I::Scalar::from_f64(number as f64);
    let rays: Vec<Sweep<I::Scalar>> =
        asked.iter().map(|&[x, y, u, v]| Sweep::ray([x, y].map(scalar), [u % 7, v % 5].map(scalar))).collect();
    let few: Vec<_> = near.iter().map(|near| Filtered(*near, |id| id % 9 == 4)).collect();
    let found =
        |most| check_many(&index, &near, most) + check_many(&index, &rays, most) + check_many(&index, &few, most);
    [1, 8, 30].map(found).iter().sum()
}

fn many_queries_find_the_first_that_each_finds_alone<S: Scalar>() {
    let (mut draw, mut found) = (Draw::new(32), 0);
    for _ in 0..instances(30) {
        let count = 1 + draw.below(400);
        let boxes = scattered(&mut draw, count);
        found += check_first_answers::<FrameTree<S>>(&mut draw, &boxes);
        found += check_first_answers::<LooseGrid<S>>(&mut draw, &boxes);
    }
    assert!(found > 10_000, "only {found} answers");
}

for_a_scalar! {
    joins_within_a_distance_find_what_integers_say,
    two_sets_are_joined_within_a_distance_as_integers_say,
    a_worn_set_is_joined_within_a_distance_as_integers_say,
    holes_are_within_no_distance,
    many_queries_find_the_first_that_each_finds_alone,
}
