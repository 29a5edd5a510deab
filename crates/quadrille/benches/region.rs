//! Leaf of a cell: `RegionQuadtree` beside three other designs over the very same nodes.
//!
//! - *chained*: a stand-in for the design of the original, hit9's quadtree-hpp: nodes of 112 bytes on the heap, found
//!   by depth and place in a hash map of linked entries, as C++'s standard one is; the leaf by bisection of the depth.
//! - *flat hash*: the same idea at its best: numbers in the standard hash map, one multiplication for a hash, and no
//!   division where the side is a power of two.
//! - *descent*: 4-child blocks, from the root down by comparing the cell with the lines.
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
use std::iter::Peekable;
use std::time::Instant;

use quadrille::Aabb;
use quadrille::region::{AllSame, AtMost, RegionQuadtree, Rule};
use quadrille::structures::NodeKind;

const LOOKUPS: usize = 20_000;
const ROUNDS: usize = 100;

fn main() {
    println!(
        "{:36} {:>7} {:>6} | {:>6} {:>9} | {:>15} {:>15} {:>15}",
        "map (nanoseconds a look-up)", "nodes", "B/node", "this", "with rect", "chained", "flat hash", "descent"
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

    println!(
        "\n{:46} | {:>10} {:>13} {:>13}",
        "filling (nanoseconds an object)", "one by one", "in one batch", "built"
    );
    fill("100,000 on 1024 x 1024, at most 8 a leaf", AtMost { objects: 8, slack: 0 }, 100_000);
    fill("20,000 obstacles on 1024 x 1024", AllSame, 20_000);
    hole();
}

fn fill<R: Rule + Copy>(name: &str, rule: R, count: usize) {
    let mut random = fastrand::Rng::with_seed(42);
    let objects: Vec<_> = (0..count).map(|id| (cell(&mut random, 1024), id)).collect();
    let empty = || RegionQuadtree::new(1024, 1024, rule).expect("a good size");
    let one_by_one = || {
        let mut map = empty();
        objects.iter().for_each(|&(cell, id)| assert!(map.insert(cell, id).is_ok_and(|is_new| is_new)));
        map
    };
    let batch = || {
        let mut map = empty();
        assert!(map.insert_all(objects.iter().copied()).is_ok_and(|new| new == count));
        map
    };
    let built = || RegionQuadtree::from_objects(1024, 1024, rule, objects.iter().copied()).expect("on the map");
    assert!(one_by_one().nodes().eq(built().nodes()) && batch().nodes().eq(built().nodes()));

    let mut best = [f64::INFINITY; 3];
    for _ in 0..5 {
        let times = [once(|| one_by_one().len()), once(|| batch().len()), once(|| built().len())];
        best = std::array::from_fn(|i| best[i].min(times[i] / count as f64));
    }
    let [single, batch, built] = best;
    println!("{name:46} | {single:10.1} {batch:6.1} {:4.1} x {built:6.1} {:4.1} x", single / batch, single / built);
}

/// The worst case of an edit: a cell in the middle of one leaf of a million.
fn hole() {
    let mut map = RegionQuadtree::from_fn(1024, 1024, AllSame, |_| Some(())).expect("a good size");
    let edit = |map: &mut RegionQuadtree<(), AllSame>| {
        assert!(map.remove([511, 300], ()) && map.leaf_count() == 31);
        assert!(map.insert([511, 300], ()).is_ok() && map.leaf_count() == 1);
    };
    let best = (0..100).map(|_| once(|| edit(&mut map))).fold(f64::INFINITY, f64::min);
    println!("a hole in one leaf of 1,048,576 full cells, made and filled again: {:.1} us", best / 1e3);
}

/// Nanoseconds.
fn once<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64() * 1e9
}

fn scene(name: &str, obstacles: usize, within: u32, side: u32) {
    let mut random = fastrand::Rng::with_seed(42);
    let cells: Vec<_> = (0..obstacles).map(|_| cell(&mut random, within)).collect();
    let map =
        RegionQuadtree::from_objects(side, side, AllSame, cells.iter().map(|&cell| (cell, ()))).expect("on the map");
    let nodes: Vec<Node> = nodes(&map);
    let chained = Chained::new(side, &nodes);
    let flat = FlatHash::new(side, &nodes);
    let descent = Descent::new(&nodes);

    // Half of the queries where the obstacles are, half anywhere.
    let asked: Vec<_> =
        (0..LOOKUPS).map(|i| if i % 2 == 0 { cells[i / 2 % cells.len()] } else { cell(&mut random, side) }).collect();
    let number = |cell| map.leaf_at(cell).map_or(INNER, |leaf| leaf.id.index() as u32);
    let rect = |cell| map.leaf_at(cell).map(|leaf| leaf.rect);
    for &cell in &asked {
        assert!(rect(cell).is_some_and(|rect| rect.contains_point(cell)));
        assert_eq!([chained.find(cell), flat.find(cell), descent.find(cell)], [number(cell); 3]);
    }

    let mut best = [f64::INFINITY; 5];
    for _ in 0..ROUNDS {
        let times = [
            time(&asked, number),
            time(&asked, rect),
            time(&asked, |cell| chained.find(cell)),
            time(&asked, |cell| flat.find(cell)),
            time(&asked, |cell| descent.find(cell)),
        ];
        best = std::array::from_fn(|i| best[i].min(times[i]));
    }
    let [this, with_rect, others @ ..] = best;
    let bytes = map.stats().bytes_used as f64 / nodes.len() as f64;
    print!("{name:36} {:7} {bytes:6.1} | {this:6.1} {with_rect:9.1} |", nodes.len());
    others.iter().for_each(|other| print!(" {other:6.1} {:6.1} x", other / this));
    println!();
}

/// Nanoseconds a look-up, by the second of two passes: the first brings the structure into the caches.
fn time<T>(asked: &[[i32; 2]], find: impl Fn([i32; 2]) -> T) -> f64 {
    let pass = || asked.iter().for_each(|&cell| _ = black_box(find(cell)));
    pass();
    once(pass) / asked.len() as f64
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

/// What the others are built from.
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
struct Chained {
    side: u64,
    deepest: u32,
    buckets: Vec<Option<Box<Entry>>>,
}

struct Entry {
    id: u64,
    node: Box<HeapNode>,
    next: Option<Box<Entry>>,
}

/// 112 bytes.
struct HeapNode {
    number: u32,
    _rect: Aabb<i32>,
    _children_and_objects: [u64; 11],
}

impl Chained {
    fn new(side: u32, nodes: &[Node]) -> Self {
        let is_prime = |n: &usize| (2..).take_while(|i| i * i <= *n).all(|i| n % i != 0);
        let count = (nodes.len()..).find(is_prime).unwrap_or(1);
        let mut buckets: Vec<Option<Box<Entry>>> = (0..count).map(|_| None).collect();
        for node in nodes {
            let id = id(u64::from(side), node.depth, node.rect.min);
            let bucket = &mut buckets[id as usize % count];
            let heap_node = HeapNode { number: node.number, _rect: node.rect, _children_and_objects: [0; 11] };
            *bucket = Some(Box::new(Entry { id, node: Box::new(heap_node), next: bucket.take() }));
        }
        Self { side: u64::from(side), deepest: deepest(nodes), buckets }
    }

    fn find(&self, cell: [i32; 2]) -> u32 {
        bisect(self.deepest, |depth| {
            let id = id(self.side, depth, cell);
            let mut entry = &self.buckets[id as usize % self.buckets.len()];
            while let Some(here) = entry {
                if here.id == id {
                    return Some(here.node.number);
                }
                entry = &here.next;
            }
            None
        })
    }
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

/// See the head of the file.
struct Descent {
    nodes: Vec<Block>,
}

/// A leaf has only a number; an inner node has children.
struct Block {
    number: u32,
    /// First cell right of, and below, the middle lines.
    split: [i32; 2],
    children: [u32; 4],
}

impl Descent {
    /// `nodes`: each before its children.
    fn new(nodes: &[Node]) -> Self {
        let mut this = Self { nodes: Vec::new() };
        this.add(&mut nodes.iter().peekable());
        this
    }

    /// Adds the next node and all below it.
    fn add<'a>(&mut self, rest: &mut Peekable<impl Iterator<Item = &'a Node>>) -> u32 {
        let Some(node) = rest.next() else { return INNER };
        let index = self.nodes.len();
        self.nodes.push(Block { number: node.number, split: [i32::MAX; 2], children: [0; 4] });
        let mut children = Vec::new();
        while let Some(&child) = rest.peek().filter(|next| next.depth > node.depth) {
            children.push((child.rect.min, self.add(rest)));
        }
        // The lines are where the last child begins; along a side with one child there is none.
        let block = &mut self.nodes[index];
        for axis in 0..2 {
            let starts = children.iter().map(|(min, _)| min[axis]);
            block.split[axis] = starts.max().filter(|&last| last > node.rect.min[axis]).unwrap_or(i32::MAX);
        }
        for (min, child) in children {
            let place = block.place(min);
            block.children[place] = child;
        }
        index as u32
    }

    fn find(&self, cell: [i32; 2]) -> u32 {
        let mut node = &self.nodes[0];
        while node.number == INNER {
            node = &self.nodes[node.children[node.place(cell)] as usize];
        }
        node.number
    }
}

impl Block {
    fn place(&self, cell: [i32; 2]) -> usize {
        usize::from(cell[0] >= self.split[0]) | (usize::from(cell[1] >= self.split[1]) << 1)
    }
}
