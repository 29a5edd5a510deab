//! Mistakes known of the public original, each with the test that would find it here.

use quadrille::Aabb;
use quadrille::region::{AllSame, AtMost, LeafChange, RegionQuadtree};
use std::cell::Cell;

const AT_MOST_8: AtMost = AtMost { objects: 8, slack: 0 };

#[test]
fn emptying_a_cell_empties_that_cell_only() {
    let mut map = RegionQuadtree::new(30, 30, AT_MOST_8).unwrap();
    map.insert_all([([3, 3], 1), ([3, 3], 2), ([20, 20], 3)]).unwrap();
    assert_eq!(map.leaf_count(), 1, "all in one leaf");
    assert_eq!(map.remove_all([5, 5]), 0, "an empty cell");
    assert_eq!(map.remove_all([3, 3]), 2);
    assert_eq!(map.iter().collect::<Vec<_>>(), [([20, 20], 3)]);
    map.validate().unwrap();
}

#[test]
fn a_batch_counts_duplicates_once() {
    let mut map = RegionQuadtree::new(30, 30, AT_MOST_8).unwrap();
    map.insert([9, 9], 5).unwrap();
    assert_eq!(map.insert_all([([1, 1], 5), ([1, 1], 5), ([9, 9], 5)]).unwrap(), 1);
    assert_eq!((map.len(), map.leaf_at([0, 0]).unwrap().objects), (2, 2));
    map.validate().unwrap();
}

#[test]
fn a_batch_gives_the_tree_that_single_calls_give() {
    let mut random = fastrand::Rng::with_seed(7);
    let items: Vec<_> = (0..3000).map(|id| ([random.i32(0..256), random.i32(0..256)], id)).collect();
    let built = RegionQuadtree::from_objects(256, 256, AT_MOST_8, items.clone()).unwrap();
    let mut batch = RegionQuadtree::new(256, 256, AT_MOST_8).unwrap();
    let mut single = batch.clone();
    assert_eq!(batch.insert_all(items.clone()).unwrap(), 3000);
    for (cell, id) in items {
        assert!(single.insert(cell, id).unwrap());
    }
    assert!(single.iter().eq(batch.iter()) && single.iter().eq(built.iter()));
    assert!(rects(&single).eq(rects(&batch)) && rects(&single).eq(rects(&built)));
}

fn rects<T: Copy + Ord>(map: &RegionQuadtree<T, AtMost>) -> impl Iterator<Item = Aabb<i32>> + '_ {
    map.nodes().map(|node| node.bounds)
}

#[test]
fn the_largest_map_has_29_levels() {
    const LAST: i32 = (1 << 29) - 2;
    let mut map = RegionQuadtree::new((1 << 29) - 1, (1 << 29) - 1, AllSame).unwrap();
    for cell in [[0, 0], [LAST, LAST], [LAST, 0], [LAST / 2, LAST / 2 + 1]] {
        assert!(map.insert(cell, ()).unwrap());
        assert_eq!(map.leaf_at(cell).unwrap().rect, Aabb::from_point(cell));
    }
    assert_eq!(map.stats().depth, 29);
    map.validate().unwrap();
    assert_eq!(map.iter().map(|(cell, ())| cell).collect::<Vec<_>>().len(), 4);
    map.clear();
    assert_eq!(map.leaf_count(), 1);
    map.validate().unwrap();
}

#[test]
fn cells_off_the_map_are_refused_by_name() {
    let mut map = RegionQuadtree::new(4, 4, AllSame).unwrap();
    for cell in [[1 << 30, 0], [0, 1 << 30], [4, 0], [0, 4], [-1, 0], [0, -1], [i32::MIN, i32::MAX]] {
        assert_eq!(map.leaf_at(cell), None);
        let message = map.insert(cell, ()).unwrap_err().to_string();
        assert_eq!(message, format!("cell ({}, {}) is not on the map of 4 x 4 cells", cell[0], cell[1]));
        assert!(map.insert_all([([0, 0], ()), (cell, ())]).is_err());
        assert!(map.update((), [0, 0], cell).is_err());
        assert!(!map.remove(cell, ()) && map.remove_all(cell) == 0 && !map.contains(cell, ()));
    }
    assert!(map.is_empty(), "a batch with a bad cell changes nothing");
    for (width, height) in [(0, 1), (1, 0), (1 << 29, 1), (1, u32::MAX)] {
        let message = RegionQuadtree::<(), _>::new(width, height, AllSame).unwrap_err().to_string();
        assert_eq!(message, format!("`size` is {width} x {height}: each side of a map has 1 to 2^29 - 1 cells"));
    }
}

#[test]
fn ids_of_ended_leaves_are_found_out() {
    let mut map = RegionQuadtree::new(16, 16, AllSame).unwrap();
    map.watch();
    let root = map.leaf_at([0, 0]).unwrap();
    map.insert([3, 3], ()).unwrap();
    assert_eq!(map.leaf(root.id), None);
    assert!(!map.sync(root.id));
    map.remove([3, 3], ());
    let again = map.leaf_at([0, 0]).unwrap();
    assert_eq!(again.rect, root.rect);
    assert_ne!(again.id, root.id, "the same node, but another leaf");
    for change in map.drain_changes().collect::<Vec<_>>() {
        match change {
            LeafChange::Removed(leaf) => assert_eq!(map.leaf(leaf.id), None),
            LeafChange::Created(leaf) => assert!(map.leaf(leaf.id).is_none_or(|now| now.rect == leaf.rect)),
        }
    }
}

#[test]
fn sync_follows_a_rule_that_depends_on_the_outside() {
    let finest = Cell::new(8);
    let mut map = RegionQuadtree::<(), _>::new(8, 8, |region: &_| -> bool {
        let region: &quadrille::region::Region = region;
        region.width() <= finest.get()
    })
    .unwrap();
    finest.set(2);
    assert_eq!(map.leaf_count(), 1, "nothing happens by itself");
    assert!(map.sync(map.leaf_at([0, 0]).unwrap().id));
    assert_eq!(map.leaf_count(), 16);
    finest.set(4);
    assert!(map.sync(map.leaf_at([7, 7]).unwrap().id));
    assert_eq!(map.leaf_count(), 13);
    map.validate().unwrap();
}

#[test]
fn slack_stops_the_thrashing_at_a_limit() {
    let changes = |slack| {
        let rule = AtMost { objects: 4, slack };
        let mut map = RegionQuadtree::from_objects(16, 16, rule, (0..4).map(|i| ([5 * i, 5 * i], 0))).unwrap();
        map.watch();
        for _ in 0..100 {
            map.insert([0, 15], 0).unwrap();
            map.remove([0, 15], 0);
        }
        map.drain_changes().count()
    };
    assert_eq!(changes(0), 1 + 100 * (1 + 4 + 4 + 1), "present leaf, then 5 changes each way");
    assert_eq!(changes(1), 1 + 5, "one split, never merged");
}

#[test]
fn slack_merges_in_the_end() {
    let rule = AtMost { objects: 4, slack: 2 };
    let mut map = RegionQuadtree::from_objects(16, 16, rule, (0..5).map(|i| ([3 * i, 3 * i], 0))).unwrap();
    for (left, leaves) in [(4, 4), (3, 4), (2, 1), (1, 1)] {
        map.remove([3 * left, 3 * left], 0);
        assert_eq!((map.len(), map.leaf_count()), (left as usize, leaves));
    }
}

#[test]
fn two_objects_on_one_cell_do_not_fill_two_cells() {
    let mut map = RegionQuadtree::new(2, 1, AllSame).unwrap();
    map.insert([0, 0], 1).unwrap();
    map.insert([0, 0], 2).unwrap();
    assert_eq!(map.leaf_count(), 2, "half full, although 2 objects stand on 2 cells");
    map.insert([1, 0], 1).unwrap();
    assert_eq!(map.leaf_count(), 1);
    map.remove([0, 0], 1);
    assert_eq!(map.leaf_count(), 1, "the cell is still occupied");
    map.remove([0, 0], 2);
    assert_eq!(map.leaf_count(), 2);
}

#[test]
fn moving_within_a_node_that_stays_as_full_changes_no_leaf() {
    let items = (0..5).map(|i| ([3 * i, 3 * i], i));
    let mut map = RegionQuadtree::from_objects(16, 16, AtMost { objects: 4, slack: 0 }, items).unwrap();
    map.watch();
    assert_eq!(map.drain_changes().count(), 4);
    assert!(map.update(0, [0, 0], [15, 0]).unwrap());
    assert_eq!(map.drain_changes().count(), 0);
    assert!(!map.update(0, [0, 0], [15, 0]).unwrap(), "it is not there any more");
    assert!(map.contains([15, 0], 0));
    map.validate().unwrap();
}

#[test]
fn single_cells_do_not_cost_a_thousand_bytes() {
    // 20,000 single obstacles on 1024 x 1024 cells: 213,809 nodes of 112 bytes and a hash set each in the original.
    let mut random = fastrand::Rng::with_seed(1);
    let cells = (0..20_000).map(|_| ([random.i32(0..1024), random.i32(0..1024)], ()));
    let map = RegionQuadtree::from_objects(1024, 1024, AllSame, cells).unwrap();
    let stats = map.stats();
    assert!(stats.nodes > 200_000, "{stats:?}");
    assert!(stats.bytes_used < 48 * stats.nodes, "{stats:?}");
}
