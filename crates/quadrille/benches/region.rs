//! Leaf of a cell: `RegionQuadtree` beside the design of the original, hit9's quadtree-hpp, at its best, over the very
//! same nodes: they are found by depth and place in a hash map of numbers, with one multiplication for a hash and no
//! division where the side is a power of two, and the leaf by bisection of the depth.
//!
//! Each gives the number of the leaf, and is checked to name the right one before the clock runs; *with rect* is the
//! time of this library to give the leaf's rectangle as well. Times are the best of many short rounds, in which all
//! take turns.
//!
//! `cargo bench -p quadrille --bench region`

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::hint::black_box;
use std::time::Instant;

use quadrille::Aabb;
use quadrille::region::{AllSame, RegionQuadtree};
use quadrille::structures::NodeKind;

const LOOKUPS: usize = 20_000;
const ROUNDS: usize = 100;

fn main() {
    println!(
        "{:36} {:>7} {:>6} | {:>6} {:>9} | {:>15}",
        "map (nanoseconds a look-up)", "nodes", "B/node", "this", "with rect", "flat hash"
    );
    // Obstacles, the square they lie in, the side of the map.
    scene("16 obstacles on 64 x 64", 16, 64, 64);
    scene("300 on 256 x 256", 300, 256, 256);
    scene("2,000 on 1024 x 1024", 2_000, 1024, 1024);
    scene("20,000 on 1024 x 1024", 20_000, 1024, 1024);
    scene("20,000 on 1000 x 1000", 20_000, 1000, 1000);
    scene("200,000 on 4096 x 4096", 200_000, 4096, 4096);
    scene("2,000 in a corner of 100,000 squared", 2_000, 256, 100_000);
    scene("2,000 on 536,870,911 squared", 2_000, (1 << 29) - 1, (1 << 29) - 1);
}

fn scene(name: &str, obstacles: usize, within: u32, side: u32) {
    let mut random = fastrand::Rng::with_seed(42);
    let cells: Vec<_> = (0..obstacles).map(|_| cell(&mut random, within)).collect();
    let map =
        RegionQuadtree::from_objects(side, side, AllSame, cells.iter().map(|&cell| (cell, ()))).expect("on the map");
    let nodes: Vec<Node> = nodes(&map);
    let flat = FlatHash::new(side, &nodes);

    // Half of the queries where the obstacles are, half anywhere.
    let asked: Vec<_> =
        (0..LOOKUPS).map(|i| if i % 2 == 0 { cells[i / 2 % cells.len()] } else { cell(&mut random, side) }).collect();
    let number = |cell| map.leaf_at(cell).map_or(INNER, |leaf| leaf.id.index() as u32);
    let rect = |cell| map.leaf_at(cell).map(|leaf| leaf.rect);
    for &cell in &asked {
        assert!(rect(cell).is_some_and(|rect| rect.contains_point(cell)));
        assert_eq!(flat.find(cell), number(cell));
    }

    let mut best = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        let times = [time(&asked, number), time(&asked, rect), time(&asked, |cell| flat.find(cell))];
        best = std::array::from_fn(|i| best[i].min(times[i]));
    }
    let [this, with_rect, flat] = best;
    let bytes = map.stats().bytes_used as f64 / nodes.len() as f64;
    let ratio = flat / this;
    println!("{name:36} {:7} {bytes:6.1} | {this:6.1} {with_rect:9.1} | {flat:6.1} {ratio:6.1} x", nodes.len());
}

/// Nanoseconds a look-up, by the second of two passes: the first brings the structure into the caches.
fn time<T>(asked: &[[i32; 2]], find: impl Fn([i32; 2]) -> T) -> f64 {
    let pass = || asked.iter().for_each(|&cell| _ = black_box(find(cell)));
    pass();
    let start = Instant::now();
    pass();
    start.elapsed().as_secs_f64() * 1e9 / asked.len() as f64
}

fn cell(random: &mut fastrand::Rng, side: u32) -> [i32; 2] {
    [(); 2].map(|()| random.u32(..side) as i32)
}

/// The name of a node: its depth and place.
fn id(side: u64, depth: u32, cell: [i32; 2]) -> u64 {
    let place = |c: i32| ((c as u64) << depth) / side;
    u64::from(depth) << 58 | place(cell[1]) << 29 | place(cell[0])
}

/// Bisection of the depth of a cell's leaf. `node` gives a leaf's number, [`INNER`], or that there is no node.
fn bisect(deepest: u32, node: impl Fn(u32) -> Option<u32>) -> u32 {
    let (mut low, mut high) = (0, deepest);
    loop {
        let depth = (low + high) / 2;
        match node(depth) {
            Some(INNER) => low = depth + 1,
            Some(leaf) => return leaf,
            None => high = depth - 1,
        }
    }
}

const INNER: u32 = u32::MAX;

/// What the other is built from.
struct Node {
    rect: Aabb<i32>,
    depth: u32,
    /// The leaf's, or [`INNER`].
    number: u32,
}

fn nodes(map: &RegionQuadtree<(), AllSame>) -> Vec<Node> {
    let number = |cell| map.leaf_at(cell).map_or(INNER, |leaf| leaf.id.index() as u32);
    let node = |node: quadrille::structures::Node<i32>| Node {
        rect: node.bounds,
        depth: node.depth,
        number: if node.kind == NodeKind::Leaf { number(node.bounds.min) } else { INNER },
    };
    map.nodes().map(node).collect()
}

fn deepest(nodes: &[Node]) -> u32 {
    nodes.iter().map(|node| node.depth).max().unwrap_or(0)
}

/// See the head of the file.
struct FlatHash {
    side: u64,
    deepest: u32,
    nodes: HashMap<u64, u32, BuildHasherDefault<Multiply>>,
}

impl FlatHash {
    fn new(side: u32, nodes: &[Node]) -> Self {
        let side = u64::from(side);
        let named = nodes.iter().map(|node| (id(side, node.depth, node.rect.min), node.number));
        Self { side, deepest: deepest(nodes), nodes: named.collect() }
    }

    fn find(&self, cell: [i32; 2]) -> u32 {
        let bits = self.side.trailing_zeros();
        bisect(self.deepest, |depth| {
            let place = |c: i32| ((c as u64) << depth) >> bits;
            let id = if self.side.is_power_of_two() {
                u64::from(depth) << 58 | place(cell[1]) << 29 | place(cell[0])
            } else {
                id(self.side, depth, cell)
            };
            self.nodes.get(&id).copied()
        })
    }
}

/// Fibonacci hashing, folded so that the low bits, which choose the bucket, depend on all.
#[derive(Default)]
struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("ids are u64");
    }

    fn write_u64(&mut self, id: u64) {
        let product = u128::from(id) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}
