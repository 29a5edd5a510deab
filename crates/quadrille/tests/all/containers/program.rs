//! Programs for spaces, written in bytes: whatever happens, a space over any structure answers as one over brute force
//! does, and its events are what a comparison of all pairs with those of the step before gives.

use std::collections::BTreeSet;

use quadrille::structures::{BruteForce, Periodic, PeriodicOptions};
use quadrille::{
    Aabb, Answers, ConvexPolygon, Events, Handle, Layers, Mobility, Near, OnLayers, Overlaps, Query, Ranked, Space,
    Sweep,
};

use crate::erased::{asked, ranked};
use crate::landscape::Landscape;
use crate::tested::{KINDS, Tested, options};

/// Bytes of a step: what to do, with which thing, a place, and two more.
const STEP: usize = 8;

/// The two, and what was touching at the last step.
struct Twins {
    subject: Space<u32, Periodic<Tested>>,
    oracle: Space<u32, Periodic<BruteForce>>,
    touching: BTreeSet<(Handle, Handle)>,
    events: Events,
}

/// Runs a program: a byte for the structure, one for the world, one for the landscape, then steps; what is left over is
/// ignored.
///
/// # Panics
/// If the two do not agree, or `validate` finds a fault.
pub(crate) fn run(bytes: &[u8]) {
    let [kind, world, landscape, steps @ ..] = bytes else { return };
    let kind = KINDS[usize::from(*kind) % KINDS.len()];
    let wraps = [world & 1 == 1, world & 2 == 2];
    // Where nothing wraps, anywhere; where something does, within two worlds of the world.
    let near = [Landscape::Uniform, Landscape::Coincident, Landscape::SplitLines, Landscape::Needles];
    let landscapes = if wraps == [false; 2] { &Landscape::ALL[..] } else { &near };
    let landscape = landscapes[usize::from(*landscape) % landscapes.len()];
    let world =
        [[0.0, 0.0, 256.0, 256.0], [-3.7, 1.1, 290.3, 260.9], [-1e6, -2e6, 3e6, 2e6]][usize::from(world / 4) % 3];
    let world = Aabb::from(world);
    let plain = PeriodicOptions::new(world).with_wraps(wraps);
    let tested = PeriodicOptions::new(world).with_wraps(wraps).with_structure(options(kind));
    let mut twins = Twins {
        subject: Space::new(tested).expect("valid options"),
        oracle: Space::new(plain).expect("valid options"),
        touching: BTreeSet::new(),
        events: Events::default(),
    };
    for step in steps.chunks_exact(STEP) {
        let &[action, pick, a, b, c, d, e, f] = step else { return };
        twins.act(action, pick, landscape.place([a, b, c, d]), [e, f]);
        twins.subject.validate().expect("a sound space");
        assert_eq!(twins.subject.len(), twins.oracle.len());
    }
    twins.step();
}

impl Twins {
    fn act(&mut self, action: u8, pick: u8, bounds: Aabb, [e, f]: [u8; 2]) {
        let way = [e, f].map(|byte| f32::from(byte) / 8.0 - 16.0);
        let handles: Vec<Handle> = self.oracle.iter().map(|(handle, _)| handle).collect();
        let thing = handles.get(usize::from(pick) % handles.len().max(1)).copied();
        match (action, thing) {
            (0..70, _) | (_, None) => {
                assert_eq!(self.subject.insert(bounds, pick.into()).ok(), self.oracle.insert(bounds, pick.into()).ok());
            }
            (70..85, Some(thing)) => {
                assert_eq!(self.subject.remove(thing), self.oracle.remove(thing));
                assert_eq!(self.subject.neighbors(thing).count(), 0, "the handle is stale");
            }
            (85..105, Some(thing)) => self.update(thing, bounds),
            (105..145, Some(thing)) => {
                let bounds = self.oracle.bounds(thing).expect("it is there");
                self.update(thing, bounds.with_offset(way.map(|part| part / 8.0)));
            }
            (145..155, Some(thing)) => {
                let mobility = if e % 2 == 0 { Mobility::Fixed } else { Mobility::Moving };
                self.subject.set_mobility(thing, mobility).expect("it is there");
                self.oracle.set_mobility(thing, mobility).expect("it is there");
            }
            (155..165, Some(thing)) => {
                let layers = Layers { own: e.into(), mask: f.into() };
                let changes = [(thing, layers), (handles[0], layers)];
                self.subject.set_layers_batch(&changes).expect("they are there");
                self.oracle.set_layers_batch(&changes).expect("they are there");
            }
            (165..180, _) => self.subject.maintain(),
            (180..182, _) => self.frame(&handles, way),
            (182, _) => {
                self.subject.clear();
                self.oracle.clear();
            }
            (183..215, _) => self.step(),
            (215.., _) => self.ask(bounds, way, usize::from(pick)),
        }
    }

    fn update(&mut self, thing: Handle, bounds: Aabb) {
        assert_eq!(self.subject.update(thing, bounds).ok(), self.oracle.update(thing, bounds).ok());
        assert_eq!(self.subject.bounds(thing), self.oracle.bounds(thing));
    }

    /// Moves some things by whole frames, which is the same as one by one.
    fn frame(&mut self, handles: &[Handle], way: [f32; 2]) {
        let mut boxes = vec![Aabb::EMPTY; handles.last().map_or(0, |last| last.id() as usize + 1)];
        for (k, &thing) in (0_u8..).zip(handles) {
            let bounds = self.oracle.bounds(thing).expect("it is there");
            boxes[thing.id() as usize] = bounds.with_offset(way.map(|part| part * f32::from(k % 3) / 16.0));
        }
        let outcome = match handles.len() % 2 {
            0 => self.subject.update_all(&boxes),
            _ => self.subject.update_each(|thing, _| boxes[thing.id() as usize]),
        };
        if outcome.is_ok() {
            for &thing in handles {
                self.oracle.update(thing, boxes[thing.id() as usize]).expect("as the others took it");
            }
        }
        assert!(handles.iter().all(|&thing| self.subject.bounds(thing) == self.oracle.bounds(thing)));
    }

    fn step(&mut self) {
        let Self { subject, oracle, touching, events } = self;
        let pairs: BTreeSet<_> = oracle.pairs().map(|((a, _), (b, _))| (a, b)).collect();
        assert_eq!(subject.pairs().map(|((a, _), (b, _))| (a, b)).collect::<BTreeSet<_>>(), pairs);
        assert_eq!(subject.pairs_count(), pairs.len(), "each once");
        for (thing, _) in oracle.iter() {
            let paired = pairs.iter().filter_map(|&(a, b)| [(a, b), (b, a)].into_iter().find(|(a, _)| *a == thing));
            let found: Vec<_> = subject.neighbors(thing).map(|(other, _)| other).collect();
            assert_eq!(found.iter().copied().collect::<BTreeSet<_>>(), paired.map(|(_, other)| other).collect());
            assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), found.len(), "each once");
        }
        let is_fixed = |handle| oracle.mobility(handle) == Some(Mobility::Fixed);
        let now: BTreeSet<_> = pairs.into_iter().filter(|&(a, b)| !(is_fixed(a) && is_fixed(b))).collect();
        subject.step_events(events);
        assert!(events.begin.iter().eq(now.difference(touching)), "{events:?}");
        assert!(events.end.iter().eq(touching.difference(&now)), "{events:?}");
        *touching = now;
    }

    fn ask(&self, bounds: Aabb, way: [f32; 2], most: usize) {
        self.compare(&Overlaps(bounds));
        self.compare_in_order(&Near::aabb(bounds), most);
        self.compare_in_order(&OnLayers::new(Near::aabb(bounds), 1), most);
        self.compare_in_order(&Near::point(bounds.max).within(way[0]), most);
        self.compare_in_order(&Sweep::new(bounds, way.map(|part| 8.0 * part)), most);
        self.compare_in_order(&Sweep::ray(bounds.min, way), most);
        if let Ok(wedge) = ConvexPolygon::wedge(bounds.min, way, 0.5) {
            self.compare(&wedge);
        }
        let motion = |handle: Handle| way.map(|part| part * ((handle.id() % 20) as f32 - 10.0) / 10.0);
        let [mut found, mut expected] = [Vec::new(), Vec::new()];
        let outcomes =
            (self.subject.impacts(motion, &mut found).is_ok(), self.oracle.impacts(motion, &mut expected).is_ok());
        assert!(outcomes.0 == outcomes.1 && found == expected, "{found:?}, not {expected:?}");
    }

    fn compare<Q: Query<f32>>(&self, query: &Q) {
        let sorted = |mut found: Vec<Handle>| {
            found.sort_unstable();
            found
        };
        let expected = sorted(self.oracle.query(asked(query)).map(|(handle, _)| handle).collect());
        assert_eq!(sorted(self.subject.query(asked(query)).map(|(handle, _)| handle).collect()), expected);
        let mut answers = Answers::new();
        self.subject.query_many(&[asked(query), asked(query)], &mut answers);
        assert!(answers.iter().all(|found| sorted(found.to_vec()) == expected));
    }

    fn compare_in_order<Q: Ranked<f32>>(&self, query: &Q, most: usize) {
        self.compare(query);
        let expected: Vec<_> = self.oracle.query_in_order(ranked(query)).collect();
        let mut found = Vec::new();
        for most in [most, usize::MAX] {
            self.subject.query_first_few(ranked(query), most, &mut found);
            assert_eq!(found, expected[..most.min(expected.len())]);
        }
        assert_eq!(self.subject.query_first(ranked(query)), expected.first().copied());
    }
}
