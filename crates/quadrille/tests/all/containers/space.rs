//! `Space`: handles and events, against a plain list that is compared with itself from step to step.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use proptest::prelude::*;
use quadrille::structures::{Quadtree, StructureKind};
use quadrille::{Aabb, Agreement, ErrorKind, Events, Handle, Inside, Layers, Mobility, OnLayers, Overlaps, Space};

use crate::erased::asked;
use crate::tested::{KINDS, Tested, options};

/// What can be done to a space. Places are taken modulo the number of things.
#[derive(Clone, Debug)]
enum Act {
    Insert(Aabb),
    Remove(usize),
    Retire(usize),
    Update(usize, Aabb),
    Nudge(usize, [f32; 2]),
    Fix(usize, bool),
    Layers(usize, Layers),
    Agree(Agreement),
    Clear,
    Maintain,
    Step,
}

/// The oracle: every thing that is or was, as plain as can be.
#[derive(Default)]
struct Plain {
    things: Vec<(Handle, Aabb, bool, Layers)>,
    agreement: Agreement,
    touching: BTreeSet<(Handle, Handle)>,
}

impl Plain {
    /// All pairs, from scratch.
    fn pairs(&self, with_fixed: bool) -> BTreeSet<(Handle, Handle)> {
        let mut pairs = BTreeSet::new();
        for (i, (a, a_box, a_fixed, a_layers)) in self.things.iter().enumerate() {
            for (b, b_box, b_fixed, b_layers) in &self.things[..i] {
                let meet = a_layers.meets(*b_layers, self.agreement) && (with_fixed || !(*a_fixed && *b_fixed));
                if meet && a_box.intersects(b_box) {
                    pairs.insert(if a.id() < b.id() { (*a, *b) } else { (*b, *a) });
                }
            }
        }
        pairs
    }
}

fn boxes() -> impl Strategy<Value = Aabb> {
    ((0..40_u8, 0..40_u8), (0..8_u8, 0..8_u8)).prop_map(|((x, y), (w, h))| {
        let [x, y, w, h] = [x, y, w, h].map(f32::from);
        Aabb::new([x, y], [x + w, y + h])
    })
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let some = 0..64_usize;
    let act = prop_oneof![
        6 => boxes().prop_map(Act::Insert),
        2 => some.clone().prop_map(Act::Remove),
        1 => some.clone().prop_map(Act::Retire),
        3 => (some.clone(), boxes()).prop_map(|(i, b)| Act::Update(i, b)),
        6 => (some.clone(), [-1.0..1.0_f32, -1.0..1.0_f32]).prop_map(|(i, by)| Act::Nudge(i, by)),
        2 => (some.clone(), any::<bool>()).prop_map(|(i, fixed)| Act::Fix(i, fixed)),
        2 => (some, 0..4_u32, 0..4_u32).prop_map(|(i, own, mask)| Act::Layers(i, Layers { own, mask })),
        1 => prop_oneof![Just(Agreement::Both), Just(Agreement::Either)].prop_map(Act::Agree),
        1 => Just(Act::Maintain),
        4 => Just(Act::Step),
    ];
    let clear = prop_oneof![60 => act, 1 => Just(Act::Clear)];
    proptest::collection::vec(clear, 1..120)
}

/// Runs the acts on a space over one structure and on the oracle, comparing after each.
fn events_match_a_recount(kind: StructureKind, acts: &[Act]) {
    let mut space = Space::<u32, Tested>::new(options(kind)).unwrap();
    let mut plain = Plain::default();
    let (mut events, mut gone, mut count) = (Events::default(), Vec::new(), 0);
    for act in acts {
        let at = |i: usize| (!plain.things.is_empty()).then(|| i % plain.things.len());
        match *act {
            Act::Insert(bounds) => {
                count += 1;
                plain.things.push((space.insert(bounds, count).unwrap(), bounds, false, Layers::ALL));
            }
            Act::Remove(i) | Act::Retire(i) => {
                let Some(i) = at(i) else { continue };
                let handle = plain.things.remove(i).0;
                if let Act::Retire(_) = act {
                    let thing = *space.get(handle).unwrap();
                    assert!(space.retire(handle));
                    assert_eq!(space.retired(handle), Some(&thing), "a retired thing is within reach");
                } else {
                    assert!(space.remove(handle).is_some());
                }
                gone.push(handle);
            }
            Act::Update(i, bounds) => {
                let Some(i) = at(i) else { continue };
                assert_eq!(space.update(plain.things[i].0, bounds), Ok(plain.things[i].1));
                plain.things[i].1 = bounds;
            }
            Act::Nudge(i, by) => {
                let Some(i) = at(i) else { continue };
                plain.things[i].1 = plain.things[i].1.with_offset(by);
                space.update(plain.things[i].0, plain.things[i].1).unwrap();
            }
            Act::Fix(i, fixed) => {
                let Some(i) = at(i) else { continue };
                let mobility = if fixed { Mobility::Fixed } else { Mobility::Moving };
                space.set_mobility(plain.things[i].0, mobility).unwrap();
                plain.things[i].2 = fixed;
            }
            Act::Layers(i, layers) => {
                let Some(i) = at(i) else { continue };
                assert_eq!(space.set_layers(plain.things[i].0, layers), Ok(plain.things[i].3));
                plain.things[i].3 = layers;
            }
            Act::Agree(agreement) => {
                space.set_agreement(agreement);
                plain.agreement = agreement;
            }
            Act::Clear => {
                space.clear();
                gone.extend(plain.things.drain(..).map(|(handle, ..)| handle));
            }
            Act::Maintain => space.maintain(),
            Act::Step => {
                space.step_events(&mut events);
                let now = plain.pairs(false);
                let begin: Vec<_> = now.difference(&plain.touching).copied().collect();
                let end: Vec<_> = plain.touching.difference(&now).copied().collect();
                let stay: BTreeSet<_> = now.intersection(&plain.touching).copied().collect();
                assert_eq!((&events.begin, &events.end), (&begin, &end));
                assert_eq!(space.staying().collect::<BTreeSet<_>>(), stay);
                assert_eq!(space.staying().count(), stay.len());
                assert_eq!(space.contacts().collect::<BTreeSet<_>>(), now);
                plain.touching = now;
            }
        }
        space.validate().unwrap();
        assert_eq!(space.len(), plain.things.len());
        let found: BTreeSet<_> = space.pairs().map(|((a, _), (b, _))| (a, b)).collect();
        assert_eq!(found, plain.pairs(true));
        let rect = Aabb::new([5.0, 5.0], [20.5, 15.5]);
        for (handle, bounds, _, layers) in &plain.things {
            assert_eq!(space.layers(*handle), Some(*layers));
            let seen = OnLayers::new(Overlaps(rect), 2);
            let is_seen = rect.intersects(bounds) && layers.own & 2 != 0;
            assert_eq!(is_seen, space.query(asked(&seen)).any(|(found, _)| found == *handle));
            assert_eq!(space.bounds(*handle), Some(*bounds));
            assert_eq!(rect.intersects(bounds), space.query(asked(&Overlaps(rect))).any(|(found, _)| found == *handle));
            assert_eq!(rect.contains(bounds), space.query(asked(&Inside(rect))).any(|(found, _)| found == *handle));
        }
        for &handle in &gone {
            assert!(!space.contains(handle) && space.get(handle).is_none() && space.bounds(handle).is_none());
            assert!(space.update(handle, rect).unwrap_err().to_string().contains("stale"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn events_and_answers_match_a_recount(acts in acts()) {
        for &kind in KINDS {
            events_match_a_recount(kind, &acts);
        }
    }
}

const HERE: Aabb = Aabb { min: [0.0, 0.0], max: [1.0, 1.0] };
const FAR: Aabb = Aabb { min: [50.0, 50.0], max: [51.0, 51.0] };

fn step(space: &mut Space<&str>) -> Events {
    let mut events = Events::default();
    space.step_events(&mut events);
    events
}

#[test]
fn slots_that_are_used_again_have_their_own_events() {
    let mut space = Space::<&str>::default();
    let [a, b] = ["a", "b"].map(|thing| space.insert(HERE, thing).unwrap());
    step(&mut space);
    space.remove(b);
    let c = space.insert(HERE, "c").unwrap();
    space.remove(c);
    let d = space.insert(HERE, "d").unwrap();
    assert_eq!(space.contacts().count(), 0, "what has gone has no contacts");
    space.validate().unwrap();
    assert_eq!(step(&mut space), Events { begin: vec![(a, d)], end: vec![(a, b)] });
    space.clear();
    space.validate().unwrap();
    assert_eq!(step(&mut space), Events { begin: vec![], end: vec![(a, d)] });
    assert_eq!(step(&mut space), Events::default());
}

#[test]
fn handles_are_numbers_and_back() {
    let mut space = Space::<(), Quadtree>::default();
    let first = space.insert(HERE, ()).unwrap();
    space.remove(first);
    let [second, third] = [space.insert(HERE, ()), space.insert(HERE, ())].map(Result::unwrap);
    let bits = [first, second, third].map(Handle::to_bits);
    assert_eq!(bits, [1 << 32, 2 << 32, 1 << 32 | 1]);
    assert_eq!(bits.map(Handle::from_bits), [first, second, third].map(Some));
    assert_eq!(Handle::from_bits(7), None, "no thing is before the first");
    let from_elsewhere = Handle::from_bits(u64::MAX).unwrap();
    assert_eq!((space.get(from_elsewhere), space.bounds(from_elsewhere)), (None, None));
    assert_eq!(space.update(from_elsewhere, HERE).unwrap_err().kind(), ErrorKind::StaleHandle);
}

#[test]
fn a_handle_to_a_place_taken_again_is_stale() {
    let mut space = Space::<&str>::default();
    let old = space.insert(HERE, "old").unwrap();
    assert_eq!(space.remove(old), Some("old"));
    let new = space.insert(HERE, "new").unwrap();
    assert_eq!(old.id(), new.id(), "the place is the same");
    assert_eq!((space.get(old), space.get(new)), (None, Some(&"new")));
    assert_eq!((space.remove(old), space.get_mut(old)), (None, None));
    let reason = "the handle is stale: slot 0 is at generation 2, the handle is from generation 1";
    assert_eq!(space.update(old, FAR).unwrap_err().to_string(), reason);
    let read = catch_unwind(AssertUnwindSafe(|| space[old])).unwrap_err();
    let written = catch_unwind(AssertUnwindSafe(|| space[old] = "new")).unwrap_err();
    for panic in [read, written] {
        assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some(reason));
    }
    assert_eq!(space.bounds(new), Some(HERE));
    space.clear();
    assert_eq!(space.get(new), None);
}

#[test]
fn a_removed_thing_ends_its_contacts_and_its_successor_begins_its_own() {
    let mut space = Space::<&str>::default();
    let [a, b] = ["a", "b"].map(|name| space.insert(HERE, name).unwrap());
    assert_eq!(step(&mut space).begin, [(a, b)]);
    space.remove(b);
    let c = space.insert(HERE, "c").unwrap();
    assert_eq!(step(&mut space), Events { begin: vec![(a, c)], end: vec![(a, b)] });
    assert_eq!(step(&mut space), Events::default());
}

#[test]
fn a_thing_that_panics_when_it_is_dropped_takes_no_other_with_it() {
    struct Thing(u32, Rc<Cell<u32>>);
    impl Drop for Thing {
        fn drop(&mut self) {
            self.1.set(self.1.get() + 1);
            assert!(self.0 != 3 || std::thread::panicking(), "the third one");
        }
    }
    let (dropped, mut space) = (Rc::new(Cell::new(0)), Space::default());
    let fill = |space: &mut Space<Thing>| {
        let mut events = Events::default();
        let thing = |number| Thing(number, Rc::clone(&dropped));
        let things: Vec<_> = (0..9).map(|number| space.insert(HERE, thing(number)).unwrap()).collect();
        space.step_events(&mut events);
        (things, events.begin.len())
    };
    let is_panic = |act: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(act)).is_err();
    let (old, _) = fill(&mut space);
    assert!(is_panic(&mut || space.clear()));
    assert_eq!((space.validate(), space.len(), dropped.get()), (Ok(()), 0, 9));
    let (things, begun) = fill(&mut space);
    assert_eq!((begun, old.iter().any(|one| space.contains(*one))), (36, false));
    // Retired one step before another: the drop of the first leaves that to its last events.
    let mut events = Events::default();
    assert!(space.retire(things[3]));
    space.step_events(&mut events);
    assert!(space.retire(things[4]));
    assert!(is_panic(&mut || space.step_events(&mut events)));
    assert_eq!((events.end.len(), space.retired(things[4]).is_some()), (7, true));
    assert_eq!((space.validate(), dropped.get()), (Ok(()), 10));
}

#[test]
fn a_retired_thing_is_within_reach_until_its_last_events_were_read() {
    let mut space = Space::<&str>::default();
    let [a, b] = ["a", "b"].map(|name| space.insert(HERE, name).unwrap());
    step(&mut space);
    assert!(space.retire(b) && !space.retire(b));
    assert_eq!((space.get(b), space.len()), (None, 1));
    assert_eq!(step(&mut space).end, [(a, b)]);
    assert_eq!(space.retired(b), Some(&"b"), "a reader of the end event can see who it was");
    step(&mut space);
    assert_eq!(space.retired(b), None);
}

#[test]
fn going_away_and_coming_back_between_two_steps_is_not_told() {
    let mut space = Space::<&str>::default();
    let [a, b] = ["a", "b"].map(|name| space.insert(HERE, name).unwrap());
    assert_eq!(step(&mut space).begin, [(a, b)]);
    space.update(a, FAR).unwrap();
    space.update(a, HERE).unwrap();
    assert_eq!(step(&mut space), Events::default());
    space.update(a, FAR).unwrap();
    assert_eq!(step(&mut space).end, [(a, b)]);
}

#[test]
fn fixed_things_meet_moving_ones_only() {
    let mut space = Space::<&str>::default();
    let [wall, floor, cat] = ["wall", "floor", "cat"].map(|name| space.insert(HERE, name).unwrap());
    for fixed in [wall, floor] {
        space.set_mobility(fixed, Mobility::Fixed).unwrap();
    }
    assert_eq!(step(&mut space).begin, [(wall, cat), (floor, cat)]);
    space.set_mobility(floor, Mobility::Moving).unwrap();
    assert_eq!(step(&mut space).begin, [(wall, floor)]);
    space.set_mobility(floor, Mobility::Fixed).unwrap();
    assert_eq!(step(&mut space).end, [(wall, floor)]);
    assert_eq!(space.mobility(cat), Some(Mobility::Moving));
}

#[cfg(feature = "snapshot")]
mod snapshots {
    use super::*;
    use proptest::collection::vec;

    type Any = Space<u32, Tested>;

    /// Does what `act` says to the space, whose things are `things`, and returns what it says in answer.
    fn apply(space: &mut Any, things: &mut Vec<Handle>, act: &Act) -> String {
        let at = |i: usize| things.get(i % things.len().max(1)).copied();
        let mut events = Events::default();
        match *act {
            Act::Insert(bounds) => things.push(space.insert(bounds, things.len() as u32).unwrap()),
            Act::Remove(i) => drop(at(i).map(|thing| space.remove(thing))),
            Act::Retire(i) => drop(at(i).map(|thing| space.retire(thing))),
            Act::Update(i, bounds) => drop(at(i).map(|thing| space.update(thing, bounds))),
            Act::Nudge(i, by) => {
                let Some((thing, bounds)) = at(i).and_then(|thing| Some((thing, space.bounds(thing)?))) else {
                    return String::new();
                };
                space.update(thing, bounds.with_offset(by)).unwrap();
            }
            Act::Fix(i, fixed) => {
                let mobility = if fixed { Mobility::Fixed } else { Mobility::Moving };
                drop(at(i).map(|thing| space.set_mobility(thing, mobility)));
            }
            Act::Layers(i, layers) => drop(at(i).map(|thing| space.set_layers(thing, layers))),
            Act::Agree(agreement) => space.set_agreement(agreement),
            Act::Clear => space.clear(),
            Act::Maintain => space.maintain(),
            Act::Step => space.step_events(&mut events),
        }
        let (staying, pairs): (Vec<_>, Vec<_>) = (space.staying().collect(), space.pairs().collect());
        let retired: Vec<_> = things.iter().map(|&thing| space.retired(thing)).collect();
        format!("{events:?} {staying:?} {pairs:?} {retired:?} {things:?} {:?}", space.iter().collect::<Vec<_>>())
    }

    fn restored(space: &Any) -> Any {
        let bytes = space.to_bytes().unwrap();
        let restored = Any::from_bytes(&bytes).unwrap();
        assert_eq!(restored.to_bytes().unwrap(), bytes, "nothing is lost");
        assert_eq!(space.clone().to_bytes().unwrap(), bytes, "a clone is written alike");
        let text = serde_json::to_string(space).unwrap();
        assert_eq!(serde_json::from_str::<Any>(&text).unwrap().to_bytes().unwrap(), bytes, "nor in text");
        restored
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn a_restored_space_lives_on_as_the_original(acts in acts(), every in 1..12_usize) {
            for &kind in KINDS {
                let [mut space, mut interrupted] = [(); 2].map(|()| Any::new(options(kind)).unwrap());
                let [mut things, mut its_things] = [Vec::new(), Vec::new()];
                for (k, act) in acts.iter().enumerate() {
                    if k % every == 0 {
                        interrupted = restored(&interrupted);
                    }
                    let [one, other] = [(&mut space, &mut things), (&mut interrupted, &mut its_things)]
                        .map(|(space, things)| apply(space, things, act));
                    prop_assert_eq!(one, other);
                }
                prop_assert!(space.to_bytes() == interrupted.to_bytes(), "{kind:?}: equal lives, other bytes");
            }
        }

        #[test]
        fn tampered_spaces_are_refused_or_sound(
            acts in acts(),
            changes in vec(any::<(u16, u8)>(), 1..3),
            more in acts(),
        ) {
            for &kind in KINDS {
                let (mut space, mut things) = (Any::new(options(kind)).unwrap(), Vec::new());
                for act in &acts {
                    apply(&mut space, &mut things, act);
                }
                let Ok(mut space) = Any::from_bytes(&crate::forge::changed(&space.to_bytes().unwrap(), &changes)) else {
                    continue;
                };
                for act in &more {
                    apply(&mut space, &mut things, act);
                    space.validate().unwrap();
                }
            }
        }
    }
}
