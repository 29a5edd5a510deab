//! The same calls give the same tree, the same ids and the same order, on every machine.

use quadrille::region::{AllSame, AtMost, Direction, Leaf, LeafChange, RegionQuadtree, Rule};
use quadrille::{Aabb, Error};

/// FNV-1a over everything that can be seen.
struct Hash(u64);

impl Hash {
    fn add(&mut self, values: impl IntoIterator<Item = i64>) {
        for byte in values.into_iter().flat_map(i64::to_le_bytes) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn add_leaf(&mut self, leaf: Leaf) {
        let Leaf { id, rect, depth, objects, occupied } = leaf;
        self.add([rect.min[0], rect.min[1], rect.max[0], rect.max[1]].map(i64::from));
        self.add([id.index() as i64, i64::from(depth), i64::from(objects), i64::from(occupied)]);
    }
}

/// A thousand changes, each seen through its leaves; then queries.
fn hash<R: Rule>(width: u32, height: u32, rule: R) -> Result<u64, Error> {
    let mut seed = 1_u64;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((seed >> 32) * u64::from(below)) >> 32) as i32
    };
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    let mut map = RegionQuadtree::new(width, height, rule)?;
    map.watch();
    for step in 0..1000 {
        let (from, to, object) = ([random(width), random(height)], [random(width), random(height)], random(3));
        match step % 5 {
            0 => _ = map.update(object, from, to)?,
            1 => _ = map.remove_all(from),
            2 => _ = map.insert_all((0..20).map(|i| ([(to[0] + i) % width as i32, to[1]], object)))?,
            _ => _ = map.insert(from, object)?,
        }
        for change in map.drain_changes() {
            let (LeafChange::Removed(leaf) | LeafChange::Created(leaf)) = change;
            hash.add_leaf(leaf);
        }
        let around = Aabb::from_corners(from, to);
        map.objects_in(around).for_each(|([x, y], object)| hash.add([x, y, object].map(i64::from)));
        for direction in Direction::ALL {
            map.neighbors(around, direction).for_each(|leaf| hash.add_leaf(leaf));
        }
    }
    map.nodes().for_each(|node| hash.add([node.bounds.min[0], node.bounds.max[1], node.depth as i32].map(i64::from)));
    Ok(hash.0)
}

#[test]
fn golden_hashes() {
    assert_eq!(hash(200, 130, AllSame).unwrap(), 5_366_631_786_358_226_488);
    assert_eq!(hash(90_000, 1_000, AtMost { objects: 6, slack: 2 }).unwrap(), 4_922_668_011_159_290_425);
}
