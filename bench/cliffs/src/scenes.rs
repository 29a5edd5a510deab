//! Ten distributions of boxes, with the same number of pairs per box at any size, unless they are all on one spot.

use quadrille::Aabb;
use quadrille_scenes::{Random, Scene, SceneKind};

/// How many boxes there are.
type Boxes = fn(usize) -> Vec<Aabb>;

/// Boxes by the name of their distribution.
pub const SCENES: [(&str, Boxes); 10] = [
    ("uniform", uniform),
    ("clustered", |n| Scene::new(SceneKind::Clustered, n, 1).boxes().collect()),
    ("mixed", |n| Scene::new(SceneKind::Mixed, n, 1).boxes().collect()),
    ("spot", spot),
    ("line", |n| scattered(n, [n as f32, 0.0])),
    ("column", |n| scattered(n, [2.0, n as f32 / 2.0])),
    ("giant", |n| with_last(n, Aabb::new([0.0; 2], [side(n); 2]))),
    ("outlier", |n| with_last(n, Aabb::from_center([1e3 * side(n); 2], [0.5; 2]))),
    ("sorted", sorted),
    ("lattice", lattice),
];

/// The side of a square in which boxes of side one cover a quarter.
pub fn side(n: usize) -> f32 {
    2.0 * (n as f32).sqrt()
}

/// Boxes of side one anywhere in a rectangle.
fn scattered(n: usize, size: [f32; 2]) -> Vec<Aabb> {
    let mut random = Random::new(7);
    (0..n).map(|_| Aabb::from_center(size.map(|length| random.between(0.0, length)), [0.5; 2])).collect()
}

fn uniform(n: usize) -> Vec<Aabb> {
    scattered(n, [side(n); 2])
}

fn with_last(n: usize, last: Aabb) -> Vec<Aabb> {
    let mut boxes = uniform(n);
    boxes[n - 1] = last;
    boxes
}

/// A heap of sixty-four on one spot, among boxes spread evenly.
fn spot(n: usize) -> Vec<Aabb> {
    let mut boxes = uniform(n);
    boxes[..64].fill(Aabb::from_center([side(n) / 3.0; 2], [0.5; 2]));
    boxes
}

fn sorted(n: usize) -> Vec<Aabb> {
    let mut boxes = uniform(n);
    boxes.sort_by(|one, other| one.min[0].total_cmp(&other.min[0]));
    boxes
}

/// Edges on whole numbers, so that neighbors touch.
fn lattice(n: usize) -> Vec<Aabb> {
    let row = (n as f32).sqrt() as usize;
    (0..n).map(|k| Aabb::from_size([(k % row) as f32, (k / row) as f32], [1.0, 1.0])).collect()
}
