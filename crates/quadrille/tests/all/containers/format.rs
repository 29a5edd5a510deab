//! The format of snapshots is pinned: snapshots of version 8, written once and kept under `fixtures`, are what is
//! written now, and can be read. A test that fails here means that the version has to be raised, or that the change has
//! to go.

#![cfg(feature = "snapshot")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::PathBuf;

use quadrille::structures::{
    AnyStructure, BruteForce, EnclosingQuadtree, Grid, LooseGrid, LooseQuadtree, Quadtree, QuadtreeOptions,
    StructureKind, Subdivision, TreeOptions,
};
use quadrille::{Aabb, Events, FrameTree, Index, Layers, Mobility, Space, Structure};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Twelve boxes, some of which overlap.
fn boxes() -> Vec<Aabb> {
    (0..12)
        .map(|k| Aabb::from_center([(k * 5 % 12) as f32, (k * k % 7) as f32], [0.75 + k as f32 / 8.0, 0.5]))
        .collect()
}

// Trees that twelve boxes are enough to divide.
fn tight() -> QuadtreeOptions {
    QuadtreeOptions::default().with_subdivision(Subdivision::Adaptive { capacity: 8, max_depth: 16 })
}

fn enclosing() -> TreeOptions {
    TreeOptions::default().with_capacity(4)
}

fn loose() -> TreeOptions {
    TreeOptions::default().with_capacity(8)
}

/// An index with a little of everything: a gap, a move, layers.
fn index<I: Structure<Scalar = f32>>(options: I::Options) -> Index<I> {
    let mut index = Index::<I>::with_boxes(options, &boxes()).unwrap();
    index.remove(3);
    index.update(7, Aabb::new([-4.0, 1.0], [1.0, 2.0])).unwrap();
    index.set_layers(5, Layers { own: 1, mask: 2 }).unwrap();
    index
}

/// A space with a little of everything: contacts, something fixed, something retired.
fn space() -> Space<u16, AnyStructure> {
    let items = boxes().into_iter().zip(0..);
    let mut space = Space::with_items(StructureKind::Quadtree.into(), items).unwrap();
    let handles: Vec<_> = space.iter().map(|(handle, _)| handle).collect();
    space.set_mobility(handles[2], Mobility::Fixed).unwrap();
    space.step_events(&mut Events::default());
    space.update(handles[4], Aabb::new([-4.0, 1.0], [1.0, 2.0])).unwrap();
    space.retire(handles[6]);
    space
}

fn fixture(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "fixtures", &format!("{name}.quadrille")].iter().collect()
}

/// All fixtures by name, as they are written now.
fn written() -> Vec<(&'static str, Vec<u8>)> {
    fn bytes<I: Structure<Scalar = f32> + Serialize + DeserializeOwned>(
        options: I::Options,
    ) -> (&'static str, Vec<u8>) {
        (I::NAME, index::<I>(options).to_bytes().unwrap())
    }
    vec![
        bytes::<BruteForce>(()),
        bytes::<Quadtree>(tight()),
        bytes::<EnclosingQuadtree>(enclosing()),
        bytes::<LooseQuadtree>(loose()),
        bytes::<Grid>(Default::default()),
        bytes::<LooseGrid>(Default::default()),
        bytes::<FrameTree>(()),
        bytes::<AnyStructure>(StructureKind::Quadtree.into()),
        ("space", space().to_bytes().unwrap()),
    ]
}

#[test]
fn what_is_written_is_what_was_written() {
    for (name, bytes) in written() {
        let kept = std::fs::read(fixture(name)).unwrap();
        assert!(kept == bytes, "{name} is written in another way than before");
    }
}

#[test]
fn what_was_written_can_be_read() {
    fn same<I: Structure<Scalar = f32> + Serialize + DeserializeOwned>(options: I::Options) {
        let kept = Index::<I>::from_bytes(&std::fs::read(fixture(I::NAME)).unwrap()).unwrap();
        let index = index::<I>(options);
        assert!(kept.iter().eq(index.iter()) && kept.pairs().eq(index.pairs()), "{}", I::NAME);
        assert_eq!(kept.layers(5), Some(Layers { own: 1, mask: 2 }));
    }
    same::<BruteForce>(());
    same::<Quadtree>(tight());
    same::<EnclosingQuadtree>(enclosing());
    same::<LooseQuadtree>(loose());
    same::<Grid>(Default::default());
    same::<LooseGrid>(Default::default());
    same::<FrameTree>(());
    same::<AnyStructure>(StructureKind::Quadtree.into());
    let mut kept = Space::<u16, AnyStructure>::from_bytes(&std::fs::read(fixture("space")).unwrap()).unwrap();
    let [mut events, mut expected] = [Events::default(), Events::default()];
    kept.step_events(&mut events);
    space().step_events(&mut expected);
    assert_eq!(events, expected);
    assert!(!events.begin.is_empty() && !events.end.is_empty());
}

/// For a new version: `cargo test -p quadrille --all-features --test all write_the_fixtures -- --ignored`
#[test]
#[ignore = "writes the fixtures instead of comparing with them"]
fn write_the_fixtures() {
    for (name, bytes) in written() {
        std::fs::write(fixture(name), bytes).unwrap();
    }
}
