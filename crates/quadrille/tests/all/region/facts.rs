//! Facts about small region quadtrees, observed of the public original (hit9's *quadtree-hpp* 0.4.1), which share
//! its rule for where a node is divided: same nodes, same leaves, same depth after the same calls.

#![expect(clippy::unwrap_used, reason = "what these helpers unwrap is part of what is tested")]

use quadrille::Aabb;
use quadrille::region::{AllSame, Direction, LeafChange, LeafId, Region, RegionQuadtree, Rule};
use quadrille::structures::NodeKind;

type Map<R> = RegionQuadtree<u32, R>;

fn small_or_single(region: &Region) -> bool {
    (region.width() <= 2 && region.height() <= 2) || region.objects <= 1
}

fn add<R: Rule>(map: &mut Map<R>, x: i32, y: i32) {
    assert!(map.insert([x, y], 1).unwrap());
    map.validate().unwrap();
}

fn take<R: Rule>(map: &mut Map<R>, x: i32, y: i32) {
    assert!(map.remove([x, y], 1));
    map.validate().unwrap();
}

/// Nodes, leaves, depth.
fn shape<R: Rule>(map: &Map<R>) -> (usize, usize, usize) {
    let stats = map.stats();
    (stats.nodes, stats.leaves, stats.depth)
}

fn leaf<R: Rule>(map: &Map<R>, x: i32, y: i32) -> [i32; 4] {
    corners(map.leaf_at([x, y]).unwrap().rect)
}

fn corners(rect: Aabb<i32>) -> [i32; 4] {
    [rect.min[0], rect.min[1], rect.max[0], rect.max[1]]
}

fn cells_in<R: Rule>(map: &Map<R>, rect: [i32; 4]) -> Vec<[i32; 2]> {
    let mut cells: Vec<_> = map.objects_in(rect.into()).map(|(cell, _)| cell).collect();
    cells.sort_unstable();
    cells
}

#[test]
fn a_square_of_8_by_8() {
    let mut map = Map::new(8, 8, small_or_single).unwrap();
    assert_eq!(shape(&map), (1, 1, 0));
    add(&mut map, 3, 2);
    assert_eq!(shape(&map), (1, 1, 0));
    add(&mut map, 4, 3);
    assert_eq!(shape(&map), (5, 4, 1));
    add(&mut map, 5, 1);
    assert_eq!(shape(&map), (9, 7, 2));
    add(&mut map, 4, 0);
    assert_eq!((shape(&map), map.len()), ((9, 7, 2), 4));

    assert_eq!(leaf(&map, 2, 5), [0, 4, 3, 7]);
    assert_eq!(leaf(&map, 0, 0), [0, 0, 3, 3]);
    assert_eq!(map.leaf_at([10, -1]), None);
    assert_eq!(cells_in(&map, [2, 1, 4, 4]), [[3, 2], [4, 3]]);
    assert!(cells_in(&map, [1, 4, 5, 5]).is_empty());

    assert!(!map.remove([0, 0], 1));
    assert_eq!(map.len(), 4);
    take(&mut map, 5, 1);
    assert_eq!((shape(&map), map.len()), ((9, 7, 2), 3));
    take(&mut map, 4, 3);
    assert_eq!((shape(&map), map.len()), ((5, 4, 1), 2));
    take(&mut map, 3, 2);
    assert_eq!((shape(&map), map.len()), ((1, 1, 0), 1));
}

#[test]
fn a_rectangle_of_7_by_6() {
    let mut map = Map::new(7, 6, small_or_single).unwrap();
    add(&mut map, 4, 4);
    assert_eq!(shape(&map), (1, 1, 0));
    add(&mut map, 3, 3);
    assert_eq!(shape(&map), (5, 4, 1));
    assert_eq!(leaf(&map, 0, 0), [0, 0, 3, 2]);
    assert_eq!(leaf(&map, 5, 1), [4, 0, 6, 2]);
    assert_eq!(leaf(&map, 3, 3), [0, 3, 3, 5]);
    assert_eq!(leaf(&map, 4, 4), [4, 3, 6, 5]);
    assert!(map.leaves().all(|leaf| leaf.depth == 1));

    let steps =
        [([2, 1], (5, 4, 1)), ([3, 1], (9, 7, 2)), ([2, 0], (9, 7, 2)), ([5, 1], (9, 7, 2)), ([5, 2], (13, 10, 2))];
    for ([x, y], expected) in steps {
        add(&mut map, x, y);
        assert_eq!(shape(&map), expected, "after ({x}, {y})");
    }
    assert_eq!(map.len(), 7);
    assert_eq!(cells_in(&map, [1, 1, 4, 5]), [[2, 1], [3, 1], [3, 3], [4, 4]]);
    assert_eq!(cells_in(&map, [4, 1, 4, 5]), [[4, 4]]);

    for ([x, y], expected) in [([2, 1], (13, 10, 2)), ([2, 0], (9, 7, 2)), ([5, 2], (5, 4, 1))] {
        take(&mut map, x, y);
        assert_eq!(shape(&map), expected, "after ({x}, {y})");
    }
    for [x, y] in [[3, 3], [4, 4], [5, 1]] {
        take(&mut map, x, y);
    }
    assert_eq!((shape(&map), map.len()), ((1, 1, 0), 1));
}

#[test]
fn adding_can_merge_when_a_region_fills_up_10_by_8() {
    let mut map = Map::new(10, 8, AllSame).unwrap();
    let steps = [
        ([2, 4], (13, 10, 3)),
        ([2, 5], (13, 10, 3)),
        ([0, 4], (15, 11, 4)),
        ([1, 4], (13, 10, 3)),
        ([0, 5], (15, 11, 4)),
        ([1, 5], (9, 7, 2)),
    ];
    for ([x, y], expected) in steps {
        add(&mut map, x, y);
        assert_eq!(shape(&map), expected, "after ({x}, {y})");
    }
    assert_eq!(map.len(), 6);
}

#[test]
fn one_object_comes_and_goes_7_by_5() {
    let mut map = Map::new(7, 5, AllSame).unwrap();
    add(&mut map, 2, 4);
    assert_eq!(shape(&map), (11, 8, 3));
    take(&mut map, 2, 4);
    assert_eq!((shape(&map), map.len()), ((1, 1, 0), 0));
}

#[test]
fn removing_can_split_when_a_region_is_full_no_more_5_by_8() {
    let mut map = Map::new(5, 8, AllSame).unwrap();
    add(&mut map, 2, 2);
    assert_eq!(shape(&map), (11, 8, 3));
    for y in [0, 1, 3] {
        add(&mut map, 2, y);
    }
    assert_eq!(shape(&map), (9, 7, 2));
    take(&mut map, 2, 1);
    take(&mut map, 2, 2);
    assert_eq!((shape(&map), map.len()), ((13, 9, 3), 2));
}

#[test]
fn changes_of_leaves_on_9_by_6() {
    let mut map = Map::new(9, 6, AllSame).unwrap();
    map.watch();
    let mut alive: Vec<LeafId> = Vec::new();
    let mut created_and_removed = |map: &mut Map<AllSame>| {
        let changes: Vec<_> = map.drain_changes().collect();
        for change in &changes {
            match change {
                LeafChange::Created(leaf) => alive.push(leaf.id),
                LeafChange::Removed(leaf) => alive.retain(|&id| id != leaf.id),
            }
        }
        assert_eq!(alive.len(), map.leaf_count());
        let created = changes.iter().filter(|change| matches!(change, LeafChange::Created(_))).count();
        let removed_first = changes.is_sorted_by_key(|change| matches!(change, LeafChange::Created(_)));
        (created, changes.len() - created, removed_first)
    };
    assert_eq!(created_and_removed(&mut map), (1, 0, true));
    for (x, y, expected) in [(2, 2, (8, 1, true)), (3, 2, (2, 1, true)), (3, 1, (4, 1, true))] {
        add(&mut map, x, y);
        assert_eq!(created_and_removed(&mut map), expected, "added ({x}, {y})");
    }
    for (x, y, expected) in [(3, 1, (1, 4, true)), (3, 2, (1, 2, true)), (2, 2, (1, 8, true))] {
        take(&mut map, x, y);
        assert_eq!(created_and_removed(&mut map), expected, "removed ({x}, {y})");
    }
}

#[test]
fn a_map_of_100000_by_100000() {
    const MIDDLE: i32 = 50_000;
    let mut map = Map::new(100_000, 100_000, AllSame).unwrap();
    add(&mut map, 0, 0);
    let first = map.leaf_at([0, 0]).unwrap();
    assert_eq!((corners(first.rect), first.depth), ([0, 0, 0, 0], map.stats().depth as u32));
    add(&mut map, MIDDLE, MIDDLE);
    add(&mut map, MIDDLE + 1, MIDDLE + 1);
    let around = [MIDDLE - 1, MIDDLE - 1, MIDDLE + 1, MIDDLE + 1];
    assert_eq!(cells_in(&map, around), [[MIDDLE, MIDDLE], [MIDDLE + 1, MIDDLE + 1]]);
    add(&mut map, 5, 3);
    for (x, y) in [(MIDDLE, MIDDLE), (MIDDLE + 1, MIDDLE + 1), (5, 3), (0, 0)] {
        take(&mut map, x, y);
    }
    assert_eq!((shape(&map), map.len()), ((1, 1, 0), 0));
}

#[test]
fn the_smallest_covering_node_of_12_by_8() {
    let mut map = Map::new(12, 8, AllSame).unwrap();
    add(&mut map, 3, 3);
    let node = map.covering([3, 2], [5, 3]).unwrap();
    assert_eq!((node.depth, node.bounds.min, node.kind), (2, [3, 2], NodeKind::Branch));
    let single = map.covering([4, 3], [4, 3]).unwrap();
    assert_eq!((single.depth, single.bounds.min, single.kind), (4, [4, 3], NodeKind::Leaf));
    assert_eq!(map.covering([5, 3], [3, 2]), Some(node), "corners in any order");
    assert_eq!(map.covering([1, 1], [6, 4]).map(|node| node.depth), Some(0), "the whole map");
    assert_eq!(map.covering([-1, -1], [9, 13]), None);
    assert_eq!(map.covering([144, 144], [144, 144]), None);
}

#[test]
fn neighbors_on_12_by_6() {
    use Direction::{North, NorthEast, NorthWest, South, West};
    let mut map = Map::new(12, 6, AllSame).unwrap();
    add(&mut map, 5, 3);
    let neighbors = |x, y, direction| -> Vec<[i32; 4]> {
        let from = map.leaf_at([x, y]).unwrap().rect;
        map.neighbors(from, direction).map(|leaf| corners(leaf.rect)).collect()
    };
    assert_eq!(neighbors(0, 0, South), [leaf(&map, 0, 3), leaf(&map, 3, 3), leaf(&map, 5, 3)]);
    assert_eq!(neighbors(3, 3, North), [leaf(&map, 0, 0)]);
    assert_eq!(neighbors(6, 3, West), [leaf(&map, 5, 3), leaf(&map, 5, 4), leaf(&map, 5, 5)]);
    assert_eq!(neighbors(0, 3, NorthEast), [leaf(&map, 0, 0)]);
    assert!(neighbors(0, 0, NorthWest).is_empty());
    assert!(neighbors(7, 0, North).is_empty());
    assert_eq!(neighbors(3, 4, West), [leaf(&map, 0, 3)]);
}

#[test]
fn the_middle_line_of_50_by_40() {
    let mut map = Map::new(50, 40, AllSame).unwrap();
    add(&mut map, 5, 3);
    let (_, leaves, depth) = shape(&map);
    assert_eq!((leaves, depth), (17, 6));
    take(&mut map, 5, 3);
    assert_eq!(shape(&map), (1, 1, 0));
}

#[test]
fn all_objects_of_a_cell_30_by_30() {
    let mut map = Map::new(30, 30, AllSame).unwrap();
    map.insert([3, 3], 1).unwrap();
    map.insert([3, 3], 2).unwrap();
    assert_eq!(map.len(), 2);
    assert!(map.leaf_count() > 1);
    assert_eq!(map.remove_all([3, 3]), 2);
    assert_eq!((shape(&map), map.len()), ((1, 1, 0), 0));
    map.validate().unwrap();
}

#[test]
fn a_batch_on_50_by_40() {
    let mut map = Map::new(50, 40, AllSame).unwrap();
    assert_eq!(map.insert_all([([4, 4], 1), ([6, 9], 2), ([7, 10], 3)]).unwrap(), 3);
    assert_eq!((map.len(), map.leaf_count()), (3, 33));
    map.validate().unwrap();
}
