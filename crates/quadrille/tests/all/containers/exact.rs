//! Spaces: ordered queries, pairs and events in worlds that wrap and in those that do not, against all images of all
//! things.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use quadrille::structures::{Periodic, PeriodicOptions, StructureKind};
use quadrille::{Answers, Events, Handle, Layers, Mobility, Near, OnLayers, Overlaps, Scalar, Space, Structure, Sweep};

use crate::erased::{asked, ranked};
use crate::oracle::{
    Frame, Point, Rect, Time, WORLD, compare, distance_squared, first_contact, for_all, images, moved, points, rects,
};
use crate::tested::{KINDS, Tested, options, options_of};

/// What can be done to a space. Places are taken modulo the number of things.
#[derive(Clone, Debug)]
enum Act {
    Insert(Rect),
    Remove(usize),
    Update(usize, Rect),
    Nudge(usize, Point),
    Fix(usize, bool),
    Layers(Vec<(usize, u32)>),
    /// Everything moves, some twice or three times as far.
    Frame(Point),
    Maintain,
    Step,
    Ask(Rect, Point, usize),
}

#[derive(Clone, Debug)]
struct Case {
    frame: Frame,
    wraps: [bool; 2],
    acts: Vec<Act>,
}

fn cases() -> impl Strategy<Value = Case> {
    let some = || 0_usize..64;
    let act = prop_oneof![
        6 => rects().prop_map(Act::Insert),
        1 => some().prop_map(Act::Remove),
        2 => (some(), rects()).prop_map(|(i, rect)| Act::Update(i, rect)),
        8 => (some(), [-2_i64..3, -2_i64..3]).prop_map(|(i, way)| Act::Nudge(i, way)),
        1 => (some(), any::<bool>()).prop_map(|(i, fixed)| Act::Fix(i, fixed)),
        1 => vec((some(), 0_u32..4), 1..4).prop_map(Act::Layers),
        1 => [-2_i64..3, -2_i64..3].prop_map(Act::Frame),
        1 => Just(Act::Maintain),
        3 => Just(Act::Step),
        3 => (rects(), points(), 0_usize..9).prop_map(|(rect, way, most)| Act::Ask(rect, way, most)),
    ];
    (0..2_usize, any::<[bool; 2]>(), vec(act, 1..60)).prop_map(|(frame, wraps, acts)| Case {
        frame: Frame::ALL[frame],
        wraps,
        acts,
    })
}

/// The rectangle moved by the worlds that bring its lower corner into the world.
fn home(rect: Rect, wraps: [bool; 2]) -> Rect {
    let turns =
        |axis: usize, period: i64| if wraps[axis] { (rect[0][axis] - WORLD[0][axis]).div_euclid(period) } else { 0 };
    moved(rect, [-60 * turns(0, 60), -64 * turns(1, 64)])
}

/// A thing as the oracle sees it.
#[derive(Clone, Copy)]
struct Thing {
    handle: Handle,
    rect: Rect,
    is_fixed: bool,
    layers: Layers,
}

/// The oracle.
struct Plain {
    frame: Frame,
    wraps: [bool; 2],
    things: Vec<Thing>,
}

impl Plain {
    fn images(&self, rect: Rect) -> impl Iterator<Item = Rect> {
        images(rect, self.wraps)
    }

    /// Pairs of handles that overlap somewhere and whose layers meet, the lower id first.
    fn pairs(&self, with_fixed: bool) -> BTreeSet<(Handle, Handle)> {
        let meet = |a: &Thing, b: &Thing| {
            a.layers.own & b.layers.own != 0
                && (with_fixed || !(a.is_fixed && b.is_fixed))
                && self.images(b.rect).any(|image| distance_squared(a.rect, image) == 0)
        };
        let things = &self.things;
        let pairs = things.iter().flat_map(|a| things.iter().filter(|b| a.handle < b.handle).map(move |b| (a, b)));
        pairs.filter(|(a, b)| meet(a, b)).map(|(a, b)| (a.handle, b.handle)).collect()
    }

    fn distance(&self, a: Rect, b: Rect) -> i64 {
        self.images(b).map(|image| distance_squared(a, image)).min().expect("at least itself")
    }

    /// Squared distances and handles, the nearest first.
    fn nearest(&self, target: Rect) -> Vec<(i64, Handle)> {
        let mut nearest: Vec<_> =
            self.things.iter().map(|thing| (self.distance(target, thing.rect), thing.handle)).collect();
        nearest.sort_unstable();
        nearest
    }

    fn contact(&self, start: Rect, way: Point, rect: Rect) -> Option<Time> {
        let contacts = self.images(rect).filter_map(|image| first_contact(start, way, image, false));
        contacts.min_by(|&a, &b| compare(a, b))
    }

    fn hits(&self, start: Rect, way: Point) -> Vec<Handle> {
        let mut hits: Vec<_> = self
            .things
            .iter()
            .filter_map(|thing| Some((self.contact(start, way, thing.rect)?, thing.handle)))
            .collect();
        hits.sort_by(|a, b| compare(a.0, b.0).then(a.1.cmp(&b.1)));
        hits.into_iter().map(|(_, handle)| handle).collect()
    }
}

/// How thing number `id` moves when all move at once.
fn motion(id: u32) -> Point {
    let id = i64::from(id);
    [id * 7 % 11 - 5, id * 5 % 9 - 4]
}

/// Every query in order, and many queries at once.
fn answers_are_exact<S: Scalar, I: Structure<Scalar = S>>(
    space: &Space<u32, I>,
    plain: &Plain,
    (target, way, most): (Rect, Point, usize),
) {
    let frame = plain.frame;
    let bounds = frame.aabb::<S>(target);
    let nearest = plain.nearest(target);
    let near = Near::<S>::aabb(bounds);
    let found: Vec<_> = space.query_in_order(ranked(&near)).collect();
    let unit = frame.length::<f64>(1);
    let expected = nearest.iter().map(|&(squared, handle)| (squared as f64 * unit * unit, handle));
    assert!(found.iter().map(|hit| (hit.rank.squared(), hit.id)).eq(expected), "{found:?}, not {nearest:?}");
    let mut few = Vec::new();
    space.query_first_few(ranked(&near), most, &mut few);
    assert_eq!(few, found[..most.min(found.len())]);
    let seen = OnLayers::new(near, 2);
    let is_seen = |handle: Handle| space.layers(handle).is_some_and(|layers| layers.own & 2 != 0);
    let expected = nearest.iter().map(|&(_, handle)| handle).find(|&handle| is_seen(handle));
    assert_eq!(space.query_first(ranked(&seen)).map(|hit| hit.id), expected);

    let sweep = Sweep::new(bounds, frame.vector(way));
    let hits = plain.hits(target, way);
    assert!(space.query_in_order(ranked(&sweep)).map(|hit| hit.id).eq(hits.iter().copied()), "{way:?} from {target:?}");
    assert_eq!(space.query_first(ranked(&sweep)).map(|hit| hit.id), hits.first().copied());
    assert_eq!(space.query_work(asked(&sweep)).found, hits.len());

    let places = [target, moved(target, [3, 1]), moved(target, [-40, 9])];
    let queries: Vec<_> = places.iter().map(|&place| Overlaps(frame.aabb::<S>(place))).collect();
    let queries: Vec<_> = queries.iter().map(asked).collect();
    let mut answers = Answers::new();
    space.query_many(&queries, &mut answers);
    for (number, &place) in places.iter().enumerate() {
        let expected = plain.things.iter().filter(|thing| plain.distance(place, thing.rect) == 0);
        let expected: BTreeSet<Handle> = expected.map(|thing| thing.handle).collect();
        assert_eq!(answers.of(number).len(), expected.len(), "each once");
        assert_eq!(answers.of(number).iter().copied().collect::<BTreeSet<_>>(), expected);
        assert_eq!(space.query_count(queries[number]), expected.len());
    }

    let pairs = plain.things.iter().flat_map(|a| plain.things.iter().map(move |b| (a, b)));
    let pairs = pairs.filter(|(a, b)| a.handle < b.handle && a.layers.own & b.layers.own != 0);

    let is_too_far = |thing: &Thing| {
        let [min, max] = thing.rect;
        let way = motion(thing.handle.id());
        (0..2).any(|axis| plain.wraps[axis] && max[axis] - min[axis] + way[axis].abs() > [60, 64][axis])
    };
    let mut impacts = Vec::new();
    let outcome = space.impacts(|handle| frame.vector(motion(handle.id())), &mut impacts);
    assert_eq!(outcome.is_err(), plain.things.iter().any(is_too_far), "{outcome:?}");
    if outcome.is_ok() {
        let contact = |(a, b): (&Thing, &Thing)| {
            let [first, second] = [a, b].map(|thing| motion(thing.handle.id()));
            let way = [first[0] - second[0], first[1] - second[1]];
            Some((plain.contact(a.rect, way, b.rect)?, a.handle, b.handle))
        };
        let mut expected: Vec<_> = pairs.filter_map(contact).collect();
        expected.sort_by(|a, b| compare(a.0, b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let found = impacts.iter().map(|impact| (impact.a, impact.b));
        assert!(found.eq(expected.iter().map(|&(_, a, b)| (a, b))), "{impacts:?}, not {expected:?}");
    }
}

fn run<S: Scalar, I: Structure<Scalar = S>>(case: &Case, wraps: [bool; 2], options: I::Options) -> Plain {
    let mut space = Space::<u32, I>::new(options).expect("valid options");
    let mut plain = Plain { frame: case.frame, wraps, things: Vec::new() };
    let (mut events, mut touching) = (Events::default(), BTreeSet::new());
    for act in &case.acts {
        let count = plain.things.len();
        let at = |i: usize| (count > 0).then(|| i % count);
        match act {
            Act::Insert(rect) => {
                let handle = space.insert(case.frame.aabb(*rect), 0).expect("no larger than the world");
                let rect = home(*rect, wraps);
                plain.things.push(Thing { handle, rect, is_fixed: false, layers: Layers::ALL });
            }
            Act::Remove(i) => {
                let Some(i) = at(*i) else { continue };
                assert!(space.remove(plain.things.remove(i).handle).is_some());
            }
            Act::Update(..) | Act::Nudge(..) => {
                let (i, rect) = match *act {
                    Act::Update(i, rect) => (i, Some(rect)),
                    Act::Nudge(i, _) => (i, None),
                    _ => continue,
                };
                let Some(i) = at(i) else { continue };
                let way = if let Act::Nudge(_, way) = act { *way } else { [0, 0] };
                let rect = moved(rect.unwrap_or(plain.things[i].rect), way);
                let was = space.update(plain.things[i].handle, case.frame.aabb(rect)).expect("a valid box");
                assert_eq!(was, case.frame.aabb(plain.things[i].rect));
                plain.things[i].rect = home(rect, wraps);
            }
            Act::Fix(i, is_fixed) => {
                let Some(i) = at(*i) else { continue };
                let mobility = if *is_fixed { Mobility::Fixed } else { Mobility::Moving };
                space.set_mobility(plain.things[i].handle, mobility).expect("it is there");
                plain.things[i].is_fixed = *is_fixed;
            }
            Act::Layers(changes) => {
                let mut batch = Vec::new();
                for &(i, own) in changes {
                    let Some(i) = at(i) else { continue };
                    plain.things[i].layers = Layers { own, mask: own };
                    batch.push((plain.things[i].handle, plain.things[i].layers));
                }
                space.set_layers_batch(&batch).expect("they are there");
            }
            Act::Frame(way) => {
                let places = plain.things.iter().map(|thing| thing.handle.id() as usize + 1).max().unwrap_or(0);
                let mut boxes = vec![case.frame.aabb(WORLD); places];
                for (k, thing) in (0..).zip(&mut plain.things) {
                    let rect = moved(thing.rect, way.map(|part| part * (1 + k % 3)));
                    boxes[thing.handle.id() as usize] = case.frame.aabb(rect);
                    thing.rect = home(rect, wraps);
                }
                space.update_all(&boxes).expect("valid boxes");
            }
            Act::Maintain => space.maintain(),
            Act::Step => {
                space.step_events(&mut events);
                let now = plain.pairs(false);
                let begin: Vec<_> = now.difference(&touching).copied().collect();
                let end: Vec<_> = touching.difference(&now).copied().collect();
                assert_eq!((&events.begin, &events.end), (&begin, &end));
                touching = now;
            }
            Act::Ask(target, way, most) => answers_are_exact(&space, &plain, (*target, *way, *most)),
        }
        space.validate().expect("a sound space");
        for thing in &plain.things {
            assert_eq!(space.bounds(thing.handle), Some(case.frame.aabb(thing.rect)));
        }
        let mut pairs: Vec<_> = space.pairs().map(|((a, _), (b, _))| (a, b)).collect();
        pairs.sort_unstable();
        assert!(pairs.iter().copied().eq(plain.pairs(true)), "{pairs:?}");
    }
    plain
}

fn spaces_are_exact<S: Scalar>() {
    for_all(cases(), |case| {
        run::<S, Tested<S>>(&case, [false, false], options_of::<S>(StructureKind::Quadtree));
    });
}

fn wrapped<S: Scalar, I: Structure<Scalar = S>>(case: &Case, structure: I::Options) {
    let options = PeriodicOptions::new(case.frame.aabb(WORLD)).with_wraps(case.wraps).with_structure(structure);
    run::<S, Periodic<I>>(case, case.wraps, options);
}

fn spaces_that_wrap_over_every_structure_are_exact<S: Scalar>() {
    for_all(cases(), |case| {
        KINDS.iter().for_each(|&kind| wrapped::<S, Tested<S>>(&case, options_of::<S>(kind)));
    });
}

for_a_scalar! {
    spaces_are_exact,
    spaces_that_wrap_over_every_structure_are_exact,
}

/// Numbers off the lattice: whichever of two things near the seam is looked at, they meet or they do not.
#[cfg(not(quadrille_other_scalar))]
#[test]
fn the_seam_is_the_same_from_both_sides() {
    let edges = vec([0.0_f32..100.0, 0.0_f32..100.0, 0.0_f32..0.5, 0.0_f32..0.5], 1..40);
    for_all((edges, vec((0_usize..40, [-3.0_f32..3.0, -3.0_f32..3.0]), 0..60)), |(edges, nudges)| {
        let world = [0.1, -0.3, 100.1, 99.7].into();
        let options = PeriodicOptions::new(world).with_structure(options(StructureKind::Quadtree));
        let mut space = Space::<u32, Periodic<Tested>>::new(options).expect("a world");
        // On the seams and their crossing.
        let place =
            |[x, y, w, h]: [f32; 4]| [if y < 70.0 { 100.1 - w } else { x }, if x < 70.0 { -0.3 - h } else { y }];
        let boxes = edges.iter().map(|&edge| (place(edge), edge));
        let handles: Vec<_> = boxes
            .map(|([x, y], [_, _, w, h])| space.insert([x, y, x + w, y + h].into(), 0).expect("a valid box"))
            .collect();
        let mut events = Events::default();
        for (i, way) in nudges {
            let handle = handles[i % handles.len()];
            let bounds = space.bounds(handle).expect("it is there").with_offset(way);
            space.update(handle, bounds).expect("a valid box");
            space.step_events(&mut events);
            space.validate().expect("a sound space");
            let (pairs, contacts): (BTreeSet<_>, BTreeSet<_>) =
                (space.pairs().map(|((a, _), (b, _))| (a, b)).collect(), space.contacts().collect());
            assert_eq!(pairs, contacts);
            let found = |a| {
                let bounds = space.bounds(a).expect("it is there");
                space.query(asked(&Overlaps(bounds))).map(move |(b, _)| (a, b)).collect::<Vec<_>>()
            };
            let both: BTreeSet<_> = handles.iter().flat_map(|&a| found(a)).filter(|(a, b)| a < b).collect();
            assert_eq!(pairs, both);
            assert_eq!(
                pairs,
                handles.iter().flat_map(|&a| found(a)).filter(|(a, b)| a > b).map(|(a, b)| (b, a)).collect()
            );
        }
    });
}
