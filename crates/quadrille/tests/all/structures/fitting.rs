//! Structures are fitted to a sample of the boxes. Data that repeats must not fool it, whatever its period and however
//! many boxes there are: counted work, not time.

use quadrille::structures::{AnyStructure, StructureKind};
use quadrille::{Aabb, Index, Overlaps};

use crate::erased::asked;

/// Box `k` is in cluster `k` mod 64, and clusters are small beside the world.
fn clustered(n: usize) -> Vec<Aabb> {
    let side = (n as f32 * 500.0).sqrt();
    let mut random = random(7);
    let middles: Vec<[f32; 2]> = (0..64).map(|_| [side * random(), side * random()]).collect();
    let spread = |random: &mut dyn FnMut() -> f32| side / 60.0 * (random() + random() - 1.0);
    (0..n)
        .map(|k| {
            let [x, y] = middles[k % 64];
            Aabb::from_center([x + spread(&mut random), y + spread(&mut random)], [1.0; 2])
        })
        .collect()
}

/// Row by row, each touching its neighbors.
fn tiles(side: usize) -> Vec<Aabb> {
    let tile = |k: usize| [(k % side) as f32, (k / side) as f32];
    (0..side * side).map(tile).map(|[x, y]| Aabb::new([x, y], [x + 1.0, y + 1.0])).collect()
}

/// Numbers in [0, 1).
fn random(seed: u64) -> impl FnMut() -> f32 {
    let mut random = fastrand::Rng::with_seed(seed);
    move || random.f32()
}

/// The same boxes in an order without a pattern.
fn shuffled(boxes: &[Aabb]) -> Vec<Aabb> {
    let (mut shuffled, mut random) = (boxes.to_vec(), random(3));
    (1..shuffled.len()).rev().for_each(|at| shuffled.swap(at, (random() * (at + 1) as f32) as usize));
    shuffled
}

/// Cells and boxes looked at by 256 queries, each as large as a box.
fn work(index: &Index<AnyStructure>, boxes: &[Aabb]) -> usize {
    let mut random = random(5);
    let queries = (0..256).map(|_| Overlaps(boxes[(random() * boxes.len() as f32) as usize]));
    queries.map(|query| index.query_work(asked(&query))).map(|work| work.nodes + work.boxes).sum()
}

fn each(mut check: impl FnMut(StructureKind)) {
    StructureKind::ALL.iter().filter(|&&kind| kind != StructureKind::BruteForce).for_each(|&kind| check(kind));
}

fn built(kind: StructureKind, boxes: &[Aabb]) -> Index<AnyStructure> {
    Index::with_boxes(kind.into(), boxes).expect("valid boxes")
}

/// In the order in which they come, boxes are no more work than in an order without a pattern.
fn is_not_fooled(boxes: &[Aabb]) {
    each(|kind| {
        let [found, usual] = [boxes.to_vec(), shuffled(boxes)].map(|order| work(&built(kind, &order), boxes));
        assert!(4 * found <= 5 * usual, "{kind}: {found} looked at with {} boxes, {usual} if shuffled", boxes.len());
    });
}

/// Multiples of 255, of 1023 and of 64, and what lies beside them.
#[test]
fn clusters_that_keep_step_with_the_sample_are_no_more_work() {
    [16_000, 16_065, 16_319, 16_320, 16_321, 16_368, 16_384, 48_900]
        .map(clustered)
        .iter()
        .for_each(|boxes| is_not_fooled(boxes));
}

#[test]
fn tile_maps_whose_rows_keep_step_with_the_sample_are_no_more_work() {
    [127, 254, 255, 256, 257].map(tiles).iter().for_each(|boxes| is_not_fooled(boxes));
}

/// What changes is noticed by `maintain`, by whatever number of boxes.
#[test]
fn maintain_notices_that_the_world_has_changed() {
    each(|kind| {
        let boxes = clustered(16_320);
        let small: Vec<Aabb> =
            boxes.iter().map(|one| Aabb::from_center(one.center().map(|at| at / 50.0), [0.02; 2])).collect();
        let mut index = built(kind, &boxes);
        for (id, &bounds) in (0..).zip(&small) {
            index.update(id, bounds).expect("valid boxes");
        }
        (0..3).for_each(|_| index.maintain());
        let (found, usual) = (work(&index, &small), work(&built(kind, &small), &small));
        assert!(2 * found <= 3 * usual, "{kind}: {found} after the change, {usual} if built so");
    });
}
