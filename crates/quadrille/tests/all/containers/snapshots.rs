//! Spaces in worlds that wrap, written and read.

use proptest::collection::vec;
use proptest::prelude::*;
use quadrille::structures::{Grid, Periodic, PeriodicOptions, Quadtree};
use quadrille::{Aabb, Events, FrameTree, Index, Mobility, Near, Space};

use crate::forge;
use crate::forgeries::forgeries;
use crate::oracle::for_all;

type World = Space<u8, Periodic<Quadtree>>;

const EDGES: Aabb = Aabb { min: [0.0, 0.0], max: [50.0, 30.0] };

fn world(places: &[[f32; 4]]) -> World {
    let options = PeriodicOptions::new(EDGES);
    let items = places.iter().map(|&[x, y, w, h]| (Aabb::new([x, y], [x + w, y + h]), 0));
    let mut world = World::with_items(options, items).expect("valid boxes");
    world.step_events(&mut Events::default());
    move_on(&mut world);
    world
}

/// Moves everything, and says all that comes of it.
fn move_on(world: &mut World) -> String {
    let handles: Vec<_> = world.iter().map(|(handle, _)| handle).collect();
    for (k, &handle) in (0_u8..).zip(&handles) {
        let way = [f32::from(k % 5) - 2.0, f32::from(k % 3) - 1.0];
        let bounds = world.bounds(handle).expect("it is there").with_offset(way);
        let _ = world.update(handle, bounds);
    }
    let mut events = Events::default();
    world.step_events(&mut events);
    let (pairs, first): (Vec<_>, _) = (world.pairs().collect(), world.query_first(Near::point([0.0, 0.0])));
    format!("{events:?} {pairs:?} {first:?}")
}

fn places() -> impl Strategy<Value = Vec<[f32; 4]>> {
    vec([-80.0_f32..80.0, -80.0_f32..80.0, 0.0_f32..9.0, 0.0_f32..9.0], 0..30)
}

#[test]
fn a_restored_world_lives_on_as_the_original() {
    for_all(places(), |places| {
        let mut original = world(&places);
        let bytes = original.to_bytes().expect("it can be written");
        let mut restored = World::from_bytes(&bytes).expect("what was written can be read");
        assert_eq!(restored.to_bytes().as_ref(), Ok(&bytes));
        assert_eq!(move_on(&mut original), move_on(&mut restored));
    });
}

#[test]
fn tampered_worlds_are_refused_or_sound() {
    for_all((places(), vec(any::<(u16, u8)>(), 1..4)), |(places, changes)| {
        let bytes = world(&places).to_bytes().expect("it can be written");
        for k in 0..changes.len() {
            let Ok(mut world) = World::from_bytes(&forge::changed(&bytes, &changes[k..])) else { continue };
            move_on(&mut world);
            world.validate().expect("a sound space");
        }
    });
}

/// One number or the length of one list is another: of a space with contacts and things that have gone.
#[test]
fn forged_numbers_and_lengths_are_refused_or_sound() {
    let mut space = world(&[[0.0, 0.0, 3.0, 2.0], [2.0, 1.0, 1.0, 4.0], [48.0, 29.0, 4.0, 3.0], [20.0, 3.0, 1.0, 1.0]]);
    let handles: Vec<_> = space.iter().map(|(handle, _)| handle).collect();
    space.set_mobility(handles[3], Mobility::Fixed).expect("it is there");
    space.retire(handles[1]);
    for forged in forgeries(&serde_json::to_value(&space).expect("it can be written")) {
        let Ok(mut space) = serde_json::from_value::<World>(forged) else { continue };
        move_on(&mut space);
        space.validate().expect("a sound space");
    }
}

/// Such an index hands out ids for which the space has no slots.
#[test]
fn a_space_with_fewer_slots_than_its_index_has_ids_is_refused() {
    let bounds = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    let mut index = Index::<FrameTree>::from_boxes(&[bounds; 3]).expect("valid boxes");
    assert!(index.remove(2).is_some() && index.remove(1).is_some());
    let mut space = Space::<u8>::default();
    space.insert(bounds, 7).expect("a valid box");
    let mut forged = serde_json::to_value(&space).expect("it can be written");
    forged["boxes"] = serde_json::to_value(&index).expect("it can be written");
    let error = serde_json::from_value::<Space<u8>>(forged).expect_err("a forgery").to_string();
    assert!(error.contains("there are fewer things than ids"), "{error}");
}

#[test]
fn the_structure_within_is_part_of_the_type() {
    let bytes = Index::<Periodic<Quadtree>>::default().to_bytes().expect("it can be written");
    let error = Index::<Periodic<Grid>>::from_bytes(&bytes).expect_err("another type").to_string();
    assert_eq!(error, "the snapshot is of `Index periodic quadtree f32`, not of `Index periodic grid f32`");
    let boasting = forge::snapshot("Index periodic grid f32", &[0xff; 30]);
    assert!(Index::<Periodic<Grid>>::from_bytes(&boasting).is_err());
}
