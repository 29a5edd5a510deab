//! Events, however many move: a space finds them by queries where few of its things move, and by one walk over all
//! pairs where many do. The same things move in several spaces that differ in what else there is, so that what is few
//! in one is many in the other.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use quadrille::structures::{BruteForce, Periodic, PeriodicOptions, StructureKind};
use quadrille::{Aabb, Events, Handle, Layers, Mobility, Space, Structure};

use crate::oracle::for_all;
use crate::tested::{KINDS, Tested, options};

const THINGS: usize = 24;
const WORLD: Aabb = Aabb { min: [0.0, 0.0], max: [256.0, 256.0] };

/// What happens before a step.
#[derive(Clone, Debug)]
enum Round {
    /// These things get these boxes, one by one.
    Some(Vec<(usize, Aabb)>),
    /// All get new boxes.
    All(Vec<Aabb>),
    Fix(usize, bool),
    Layers(usize, u32),
}

/// Across the south-west corner of the world, where the seams meet.
fn boxes() -> impl Strategy<Value = Aabb> {
    ([-80..240_i16, -80..240_i16], [0..64_u8, 0..64_u8]).prop_map(|(corner, size)| {
        let (min, size) = (corner.map(|at| f32::from(at) / 4.0), size.map(|side| f32::from(side) / 4.0));
        Aabb::new(min, [min[0] + size[0], min[1] + size[1]])
    })
}

fn rounds() -> impl Strategy<Value = Vec<Round>> {
    let round = prop_oneof![
        3 => vec((0..THINGS, boxes()), 0..4).prop_map(Round::Some),
        1 => vec((0..THINGS, boxes()), THINGS / 2..THINGS).prop_map(Round::Some),
        3 => vec(boxes(), THINGS).prop_map(Round::All),
        1 => (0..THINGS, any::<bool>()).prop_map(|(i, is_fixed)| Round::Fix(i, is_fixed)),
        1 => (0..THINGS, 0..4_u32).prop_map(|(i, own)| Round::Layers(i, own)),
    ];
    vec(round, 1..12)
}

/// A space in which the things have the lowest ids, and the events it reported last.
struct Subject<I: Structure> {
    space: Space<u32, Periodic<I>>,
    things: Vec<Handle>,
    /// Fixed things of a heap that change in every round.
    shaken: Vec<Handle>,
    events: Events,
}

impl<I: Structure<Scalar = f32>> Subject<I> {
    fn new(options: I::Options, wraps: [bool; 2], first: &[Aabb]) -> Self {
        let options = PeriodicOptions::new(WORLD).with_wraps(wraps).with_structure(options);
        let mut space = Space::new(options).expect("valid options");
        let things = first.iter().map(|&bounds| space.insert(bounds, 0).expect("a valid box")).collect();
        Self { space, things, shaken: Vec::new(), events: Events::default() }
    }

    /// With this many bystanders that never move, all apart from each other and from the things.
    fn with_crowd(mut self) -> Self {
        for k in 0..THINGS * 20 {
            let [x, y] = [k % 24, k / 24].map(|at| 100.0 + 5.0 * at as f32);
            self.space.insert(Aabb::new([x, y], [x + 1.0, y + 1.0]), 0).expect("a valid box");
        }
        self
    }

    /// With a heap of fixed things: one walk over all pairs is mostly about the heap.
    fn with_heap(mut self, of: usize) -> Self {
        for _ in 0..of {
            let fixed = self.space.insert(Aabb::new([150.0, 150.0], [160.0, 160.0]), 0).expect("a valid box");
            self.space.set_mobility(fixed, Mobility::Fixed).expect("it is there");
            self.shaken.push(fixed);
        }
        self
    }

    /// Of the heap, this many change in every round: more than there are that move, and few of all.
    fn shaken(mut self, count: usize) -> Self {
        self.shaken.truncate(count);
        self
    }

    fn act(&mut self, round: &Round, is_whole: bool) {
        let Self { space, things, shaken, .. } = self;
        for &fixed in &*shaken {
            let Aabb { min, max } = space.bounds(fixed).expect("it is there");
            space.update(fixed, Aabb::new(min, max.map(|edge| 321.0 - edge))).expect("a valid box");
        }
        match round {
            Round::All(boxes) if is_whole => space.update_all(boxes).expect("valid boxes"),
            Round::All(boxes) => {
                for (&thing, &bounds) in things.iter().zip(boxes) {
                    space.update(thing, bounds).expect("a valid box");
                }
            }
            Round::Some(changes) => {
                for &(i, bounds) in changes {
                    space.update(things[i], bounds).expect("a valid box");
                }
            }
            Round::Fix(i, is_fixed) => {
                let mobility = if *is_fixed { Mobility::Fixed } else { Mobility::Moving };
                space.set_mobility(things[*i], mobility).expect("it is there");
            }
            Round::Layers(i, own) => {
                space.set_layers(things[*i], Layers { own: *own, mask: *own }).expect("it is there");
            }
        }
    }

    fn step(&mut self) {
        self.space.step_events(&mut self.events);
        self.space.validate().expect("a sound space");
    }

    /// The pairs of which one can move.
    fn pairs(&self) -> BTreeSet<(Handle, Handle)> {
        let is_fixed = |handle| self.space.mobility(handle) == Some(Mobility::Fixed);
        let pairs = self.space.pairs().map(|((a, _), (b, _))| (a, b));
        pairs.filter(|&(a, b)| !(is_fixed(a) && is_fixed(b))).collect()
    }
}

fn check(kind: StructureKind, wraps: [bool; 2], first: &[Aabb], rounds: &[Round]) {
    let new = || Subject::<Tested>::new(options(kind), wraps, first);
    let [heap, hill] = [2, 40].map(|times| new().with_heap(THINGS * times));
    let mut subjects = [new(), new(), new().with_crowd(), heap.shaken(0), hill.shaken(THINGS + 8)];
    let mut oracle = Subject::<BruteForce>::new((), wraps, first);
    let mut touching = BTreeSet::new();
    let nothing = Round::Some(Vec::new());
    for round in [&nothing].into_iter().chain(rounds) {
        oracle.act(round, false);
        let now = oracle.pairs();
        let begin = now.difference(&touching).copied().collect();
        let end = touching.difference(&now).copied().collect();
        let expected = Events { begin, end };
        for (which, subject) in subjects.iter_mut().enumerate() {
            subject.act(round, which == 1);
            subject.step();
            assert_eq!(subject.events, expected, "{kind}, space {which}, after {round:?}");
            assert_eq!(subject.space.contacts().collect::<BTreeSet<_>>(), now);
            assert_eq!(subject.space.contacts().count(), now.len(), "each once");
        }
        touching = now;
    }
}

#[test]
fn events_are_the_same_whether_few_move_or_many() {
    let kinds = prop::sample::select(KINDS);
    for_all((kinds, any::<[bool; 2]>(), vec(boxes(), THINGS), rounds()), |case| {
        let (kind, wraps, first, rounds) = case;
        check(kind, wraps, &first, &rounds);
    });
}

#[test]
fn a_whole_frame_with_a_bad_box_or_too_many_changes_nothing() {
    let [near, far] = [Aabb::new([0.0, 0.0], [1.0, 1.0]), Aabb::new([50.0, 50.0], [51.0, 51.0])];
    let Subject { mut space, things, mut events, .. } =
        Subject::<Tested>::new(options(StructureKind::FrameTree), [true, false], &[near, far]);
    space.step_events(&mut events);
    let bad = Aabb { min: [f32::NAN, 0.0], max: [1.0, 1.0] };
    let wide = Aabb::new([0.0, 0.0], [300.0, 1.0]);
    assert_eq!(space.update_all(&[far, bad]).expect_err("NaN").position(), Some(1));
    assert!(space.update_all(&[far, wide]).expect_err("wider than the world").to_string().starts_with("box 1: `size`"));
    assert!(space.update(things[0], wide).expect_err("wider than the world").to_string().starts_with("`size`"));
    let many = space.update_all(&[far; 3]).expect_err("two things").to_string();
    assert_eq!(many, "3 boxes were given, but no box has the id 2, and an update adds none");
    assert_eq!([space.bounds(things[0]), space.bounds(things[1])], [Some(near), Some(far)]);
    assert!(space.update_all(&[far]).expect_err("two things").to_string().contains("id 1"));
    space.update_all(&[far, far]).expect("valid boxes");
    space.step_events(&mut events);
    assert_eq!(events, Events { begin: vec![(things[0], things[1])], end: vec![] });
    space.remove(things[0]);
    space.update_all(&[bad, near]).expect("what stands at a free id is skipped");
    assert_eq!((space.bounds(things[0]), space.bounds(things[1])), (None, Some(near)));
}
