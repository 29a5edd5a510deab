//! Random programs and all small maps, against plain arrays and a tree built from nothing by the definition.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use quadrille::Aabb;
use quadrille::region::{
    AllSame, AtMost, Direction, Leaf, LeafChange, LeafId, Region, RegionQuadtree, Rule, SmallestSide,
};
use quadrille::structures::{Node, NodeKind};

use crate::oracle::is_thorough;

type Rect = Aabb<i32>;

/// Objects by cell.
#[derive(Default)]
struct Model {
    cells: BTreeMap<[i32; 2], BTreeSet<u8>>,
}

impl Model {
    fn insert(&mut self, cell: [i32; 2], object: u8) -> bool {
        self.cells.entry(cell).or_default().insert(object)
    }

    fn remove(&mut self, cell: [i32; 2], object: u8) -> bool {
        let was_there = self.cells.get_mut(&cell).is_some_and(|objects| objects.remove(&object));
        self.cells.retain(|_, objects| !objects.is_empty());
        was_there
    }

    fn objects_in(&self, rect: Rect) -> BTreeSet<([i32; 2], u8)> {
        let inside = self.cells.iter().filter(|(cell, _)| rect.contains_point(**cell));
        inside.flat_map(|(cell, objects)| objects.iter().map(|&object| (*cell, object))).collect()
    }

    fn region(&self, rect: Rect, is_leaf: bool) -> Region {
        let columns = self.cells.range([rect.min[0], i32::MIN]..=[rect.max[0], i32::MAX]);
        let counts = columns.filter(|(cell, _)| rect.contains_point(**cell)).map(|(_, objects)| objects.len() as u32);
        let (objects, occupied) = counts.fold((0, 0), |(objects, occupied), count| (objects + count, occupied + 1));
        Region { rect, objects, occupied, is_leaf }
    }

    /// The nodes of a rebuilt tree: rectangle, depth, and whether it is a leaf, each before its children.
    fn nodes(&self, map: Rect, rule: &impl Rule) -> Vec<(Rect, u8, bool)> {
        let mut nodes = Vec::new();
        let mut stack = vec![(map, 0)];
        while let Some((rect, depth)) = stack.pop() {
            let is_leaf = rect.min == rect.max || rule.stops(&self.region(rect, true));
            nodes.push((rect, depth, is_leaf));
            if !is_leaf {
                stack.extend(children(map, rect, depth).into_iter().rev().map(|child| (child, depth + 1)));
            }
        }
        nodes
    }
}

/// By the definition: cell x of n lies, at depth d, in part ⌊x·2^d / n⌋.
fn children(map: Rect, rect: Rect, depth: u8) -> Vec<Rect> {
    let half = |axis: usize, upper: i64| {
        let side = i64::from(map.max[axis]) + 1;
        let part = |c: i32| (i64::from(c) << (depth + 1)) / side;
        let mut cells = (rect.min[axis]..=rect.max[axis]).filter(|&c| part(c) % 2 == upper);
        let first = cells.next()?;
        Some((first, cells.next_back().unwrap_or(first)))
    };
    let child = |k: i64| {
        let (x, y) = (half(0, k & 1)?, half(1, k >> 1)?);
        Some(Aabb::new([x.0, y.0], [x.1, y.1]))
    };
    (0..4).filter_map(child).collect()
}

fn nodes<R: Rule>(map: &RegionQuadtree<u8, R>) -> Vec<(Rect, u8, bool)> {
    map.nodes().map(|node| (node.bounds, node.depth as u8, node.kind == NodeKind::Leaf)).collect()
}

#[derive(Clone, Debug)]
enum Step {
    Insert([i32; 2], u8),
    Remove([i32; 2], u8),
    RemoveAll([i32; 2]),
    Update(u8, [i32; 2], [i32; 2]),
    Batch(Vec<([i32; 2], u8)>),
    Fill(Rect),
    Clear,
    Sync([i32; 2]),
    /// For the rule that depends on the outside.
    Outside(u32),
}

type Program = (u32, u32, Vec<Step>, Vec<Rect>);

/// Small maps are crowded, so that moves and removals find something; every ninth cell lies just off the map.
fn program() -> impl Strategy<Value = Program> {
    let side = || prop_oneof![1..8_u32, 1..41_u32];
    (side(), side()).prop_flat_map(|(width, height)| {
        let steps = prop::collection::vec(step(width, height), 1..60);
        (Just(width), Just(height), steps, prop::collection::vec(rect(width, height), 4))
    })
}

fn cell(width: u32, height: u32) -> impl Strategy<Value = [i32; 2]> + Clone {
    let (width, height) = (width as i32, height as i32);
    prop_oneof![8 => [0..width, 0..height], 1 => [-1..width + 1, -1..height + 1]]
}

fn rect(width: u32, height: u32) -> impl Strategy<Value = Rect> {
    (cell(width, height), cell(width, height)).prop_map(|(a, b)| Aabb::new(a, b))
}

fn step(width: u32, height: u32) -> impl Strategy<Value = Step> {
    let (cell, object) = (cell(width, height), 0..3_u8);
    prop_oneof![
        8 => (cell.clone(), object.clone()).prop_map(|(cell, object)| Step::Insert(cell, object)),
        8 => (cell.clone(), object.clone()).prop_map(|(cell, object)| Step::Remove(cell, object)),
        2 => cell.clone().prop_map(Step::RemoveAll),
        8 => (object.clone(), cell.clone(), cell.clone()).prop_map(|(object, from, to)| Step::Update(object, from, to)),
        2 => prop::collection::vec((cell.clone(), object), 0..30).prop_map(Step::Batch),
        2 => rect(width, height).prop_map(Step::Fill),
        1 => Just(Step::Clear),
        2 => cell.prop_map(Step::Sync),
        1 => (0..9_u32).prop_map(Step::Outside),
    ]
}

/// Runs a program and checks every answer after every step; then what a rule promises.
struct Run<'a, R> {
    map: RegionQuadtree<u8, R>,
    model: Model,
    leaves: BTreeMap<LeafId, Leaf>,
    outside: &'a Cell<u32>,
}

impl<'a, R: Rule> Run<'a, R> {
    fn new(width: u32, height: u32, rule: R, outside: &'a Cell<u32>) -> Self {
        let mut map = RegionQuadtree::new(width, height, rule).expect("small");
        map.watch();
        Self { map, model: Model::default(), leaves: BTreeMap::new(), outside }
    }

    fn bounds(&self) -> Rect {
        Aabb::new([0, 0], [self.map.width() as i32 - 1, self.map.height() as i32 - 1])
    }

    fn step(&mut self, step: &Step) {
        let bounds = self.bounds();
        let on_map = |cell: [i32; 2]| bounds.contains_point(cell);
        match step.clone() {
            Step::Insert(cell, object) => {
                let expected = on_map(cell).then(|| self.model.insert(cell, object));
                assert_eq!(self.map.insert(cell, object).ok(), expected);
            }
            Step::Remove(cell, object) => {
                assert_eq!(self.map.remove(cell, object), self.model.remove(cell, object));
            }
            Step::RemoveAll(cell) => {
                let expected = self.model.cells.remove(&cell).map_or(0, |objects| objects.len());
                assert_eq!(self.map.remove_all(cell), expected);
            }
            Step::Update(object, from, to) => {
                let expected = on_map(to).then(|| self.model.remove(from, object));
                if expected == Some(true) {
                    self.model.insert(to, object);
                }
                assert_eq!(self.map.update(object, from, to).ok(), expected);
            }
            Step::Batch(items) => self.batch(&items),
            Step::Fill(rect) => {
                let cells = rect.intersection(&bounds).filter(|_| rect.is_ordered()).into_iter().flat_map(cells);
                self.batch(&cells.map(|cell| (cell, 0)).collect::<Vec<_>>());
            }
            Step::Clear => {
                self.map.clear();
                self.model.cells.clear();
            }
            Step::Sync(cell) => {
                if let Some(leaf) = self.map.leaf_at(cell) {
                    assert!(self.map.sync(leaf.id));
                }
            }
            Step::Outside(number) => self.outside.set(number),
        }
    }

    fn batch(&mut self, items: &[([i32; 2], u8)]) {
        let bounds = self.bounds();
        let all_on_map = items.iter().all(|(cell, _)| bounds.contains_point(*cell));
        let expected =
            all_on_map.then(|| items.iter().filter(|&&(cell, object)| self.model.insert(cell, object)).count());
        assert_eq!(self.map.insert_all(items.iter().copied()).ok(), expected);
    }

    fn check(&mut self, queries: &[Rect]) {
        self.map.validate().expect("whole");
        self.check_changes();
        self.check_objects(queries);
        self.check_leaves(queries);
    }

    /// The leaves there are are those created and not removed; of each step, removed ones come first.
    fn check_changes(&mut self) {
        for change in self.map.drain_changes() {
            match change {
                LeafChange::Created(leaf) => assert_eq!(self.leaves.insert(leaf.id, leaf), None),
                LeafChange::Removed(leaf) => {
                    let was = self.leaves.remove(&leaf.id).expect("it was created");
                    assert_eq!((was.rect, was.depth), (leaf.rect, leaf.depth));
                }
            }
        }
        assert_eq!(self.leaves.len(), self.map.leaf_count());
        for leaf in self.map.leaves() {
            assert_eq!(self.leaves[&leaf.id].rect, leaf.rect);
            assert_eq!(self.map.leaf(leaf.id), Some(leaf));
            let region = self.model.region(leaf.rect, true);
            assert_eq!((leaf.objects, leaf.occupied), (region.objects, region.occupied));
        }
    }

    fn check_objects(&self, queries: &[Rect]) {
        let everything = self.model.objects_in(self.bounds());
        assert_eq!(self.map.len(), everything.len());
        assert_eq!(self.map.is_empty(), everything.is_empty());
        assert_eq!(self.map.iter().collect::<BTreeSet<_>>(), everything);
        for &rect in queries {
            let found: Vec<_> = self.map.objects_in(rect).collect();
            let set: BTreeSet<_> = found.iter().copied().collect();
            assert_eq!(found.len(), set.len(), "each once");
            assert_eq!(set, if rect.is_ordered() { self.model.objects_in(rect) } else { BTreeSet::new() });
            let cell = Rect { max: rect.min, ..rect };
            let at: Vec<_> = self.map.objects_in(cell).map(|(_, object)| object).collect();
            let expected: Vec<_> = self.model.cells.get(&rect.min).into_iter().flatten().copied().collect();
            assert_eq!(at, expected);
            assert!((0..3).all(|object| self.map.contains(rect.min, object) == at.contains(&object)));
        }
    }

    fn check_leaves(&self, queries: &[Rect]) {
        let all: Vec<Leaf> = self.map.leaves().collect();
        let holder = |cell: [i32; 2]| all.iter().find(|leaf| leaf.rect.contains_point(cell)).copied();
        let nodes: Vec<Node<i32>> = self.map.nodes().collect();
        for &rect in queries {
            assert_eq!(self.map.leaf_at(rect.min), holder(rect.min));
            let expected = all.iter().copied().filter(|leaf| rect.is_ordered() && leaf.rect.intersects(&rect));
            assert!(self.map.leaves_in(rect).eq(expected), "in the order of all leaves");

            let corners = Aabb::from_corners(rect.min, rect.max);
            let smallest = nodes.iter().filter(|node| node.bounds.contains(&corners)).max_by_key(|node| node.depth);
            assert_eq!(self.map.covering(rect.min, rect.max), smallest.copied());

            let from = holder(rect.min).map_or(rect, |leaf| leaf.rect);
            for direction in Direction::ALL {
                let expected: Vec<Leaf> = all.iter().copied().filter(|leaf| lies(leaf.rect, direction, from)).collect();
                let found: Vec<Leaf> = self.map.neighbors(from, direction).collect();
                assert_eq!(found, expected, "{direction:?} of {from:?}");
                assert!(direction.step().contains(&0) || found.len() <= 1);
            }
        }
    }

    /// For stable rules: no leaf that should split, no leaves that should merge.
    fn check_settled(&self, rule: &impl Rule) {
        for leaf in self.map.leaves() {
            assert!(leaf.rect.min == leaf.rect.max || rule.stops(&self.model.region(leaf.rect, true)));
        }
        for node in self.map.nodes().filter(|node| node.kind == NodeKind::Branch) {
            let mut children = children(self.bounds(), node.bounds, node.depth as u8).into_iter();
            if children.all(|child| self.map.leaf_at(child.min).is_some_and(|leaf| leaf.rect == child)) {
                assert!(!rule.stops(&self.model.region(node.bounds, false)), "{:?} should be a leaf", node.bounds);
            }
        }
    }
}

fn cells(rect: Rect) -> impl Iterator<Item = [i32; 2]> + Clone {
    (rect.min[1]..=rect.max[1]).flat_map(move |y| (rect.min[0]..=rect.max[0]).map(move |x| [x, y]))
}

/// `true` if some cell of `rect` is a step from `from` in this direction: straight across its side, or across its
/// corner.
fn lies(rect: Rect, direction: Direction, from: Rect) -> bool {
    let axis = |i: usize| match direction.step()[i] {
        -1 => rect.min[i] < from.min[i] && rect.max[i] >= from.min[i] - 1,
        1 => rect.max[i] > from.max[i] && rect.min[i] <= from.max[i] + 1,
        _ => rect.min[i] <= from.max[i] && from.min[i] <= rect.max[i],
    };
    from.is_ordered() && axis(0) && axis(1)
}

/// Runs a program under a rule that is stable: the tree is then settled and, without slack, the rebuilt one.
fn run_stable<R: Rule + Clone>((width, height, steps, queries): &Program, rule: &R, has_slack: bool) {
    let outside = Cell::new(0);
    let mut run = Run::new(*width, *height, rule.clone(), &outside);
    for step in steps {
        run.step(step);
        run.check(queries);
        run.check_settled(rule);
        if !has_slack {
            assert_eq!(nodes(&run.map), run.model.nodes(run.bounds(), rule), "after {step:?}");
        }
    }
    let everything = run.model.objects_in(run.bounds());
    let built = RegionQuadtree::from_objects(*width, *height, rule.clone(), everything.iter().copied()).expect("small");
    built.validate().expect("whole");
    assert!(built.iter().eq(run.map.iter()));
    assert_eq!(nodes(&built), run.model.nodes(run.bounds(), rule));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn occupancy_matches_the_model(program in program()) {
        run_stable(&program, &AllSame, false);
    }

    #[test]
    fn a_limit_of_objects_matches_the_model(program in program(), objects in 0..6_u32) {
        run_stable(&program, &AtMost { objects, slack: 0 }, false);
    }

    #[test]
    fn a_limit_with_slack_matches_the_model(program in program(), objects in 0..9_u32, slack in 1..5_u32) {
        run_stable(&program, &AtMost { objects, slack }, true);
    }

    #[test]
    fn a_limit_and_a_smallest_side_match_the_model(program in program(), objects in 0..4_u32, side in 0..9_u32) {
        run_stable(&program, &(AtMost { objects, slack: 0 }, SmallestSide(side)), false);
    }

    /// Answers are right whatever the rule does, also if it is not stable and changes behind the tree's back.
    #[test]
    fn a_wild_rule_spoils_no_answer((width, height, steps, queries) in program()) {
        let outside = Cell::new(0);
        let wild = |region: &Region| match outside.get() {
            0 => region.objects % 3 == 1,
            1 => (region.rect.min[0] + region.rect.max[1]) % 2 == 0,
            2 => region.is_leaf,
            3 => !region.is_leaf,
            4 => region.width() < region.height(),
            5 => region.occupied == 0 || u64::from(region.occupied) == region.area(),
            n => region.objects < n,
        };
        let mut run = Run::new(width, height, wild, &outside);
        for step in &steps {
            run.step(step);
            run.check(&queries);
        }
    }

    /// Maps of any size, with objects in a few small places far apart.
    #[test]
    fn large_maps_lose_nothing(
        (width, height) in (1..1_u32 << 29, 1..1_u32 << 29),
        places in prop::collection::vec((0.0..1.0, 0.0..1.0, 1..6_i32), 1..5),
    ) {
        let corner = |x: f64, y: f64| [(x * f64::from(width)) as i32, (y * f64::from(height)) as i32];
        let bounds = Aabb::new([0, 0], [width as i32 - 1, height as i32 - 1]);
        let rects: Vec<Rect> = places.iter().filter_map(|&(x, y, side)| {
            let [x, y] = corner(x, y);
            Aabb::new([x, y], [x + side, y + side]).intersection(&bounds)
        }).collect();
        let all: BTreeSet<[i32; 2]> = rects.iter().copied().flat_map(cells).collect();
        let mut map = RegionQuadtree::new(width, height, AllSame).expect("in range");
        for &cell in &all {
            map.insert(cell, ()).expect("on the map");
        }
        let items = all.iter().map(|&cell| (cell, ()));
        let built = RegionQuadtree::from_objects(width, height, AllSame, items).expect("on the map");
        map.validate().expect("whole");
        prop_assert!(map.nodes().eq(built.nodes()));
        for &rect in &rects {
            let around = Aabb::new(rect.min.map(|c| c.saturating_sub(3)), rect.max.map(|c| c.saturating_add(2)));
            let found: BTreeSet<[i32; 2]> = map.objects_in(around).map(|(cell, ())| cell).collect();
            prop_assert_eq!(found, all.iter().copied().filter(|&cell| around.contains_point(cell)).collect());
            for cell in cells(around) {
                let leaf = map.leaf_at(cell);
                prop_assert_eq!(leaf.is_some(), bounds.contains_point(cell));
                let is_marked = all.contains(&cell);
                prop_assert!(leaf.is_none_or(|leaf| leaf.rect.contains_point(cell) && (leaf.occupied > 0) == is_marked));
            }
        }
        for &cell in &all {
            prop_assert!(map.remove(cell, ()));
        }
        prop_assert_eq!(map.leaf_count(), 1);
        map.validate().expect("whole");
    }

    #[test]
    fn a_function_is_its_cells(width in 1..70_u32, height in 1..70_u32, seed in any::<u64>()) {
        let mut random = fastrand::Rng::with_seed(seed);
        let all = Aabb::new([0, 0], [width as i32 - 1, height as i32 - 1]);
        let marked: BTreeSet<_> = cells(all).filter(|_| random.u8(..4) == 0).collect();
        let map = RegionQuadtree::from_fn(width, height, AllSame, |cell| marked.contains(&cell).then_some(())).expect("small");
        map.validate().expect("whole");
        prop_assert!(cells(all).all(|cell| map.contains(cell, ()) == marked.contains(&cell)));
    }
}

#[test]
fn every_map_up_to_24_by_24_divides_by_the_definition() {
    let never = |_: &Region| false;
    for (width, height) in (1..=24).flat_map(|width| (1..=24).map(move |height| (width, height))) {
        let map = RegionQuadtree::<u8, _>::new(width, height, never).expect("small");
        map.validate().expect("whole");
        let bounds = Aabb::new([0, 0], [width as i32 - 1, height as i32 - 1]);
        assert_eq!(nodes(&map), Model::default().nodes(bounds, &never), "{width} x {height}");
        for cell in cells(bounds) {
            assert_eq!(map.leaf_at(cell).map(|leaf| leaf.rect), Some(Aabb::from_point(cell)));
        }
        for node in map.nodes().filter(|node| node.kind == NodeKind::Branch) {
            let count = children(bounds, node.bounds, node.depth as u8).len();
            assert!(count == 4 || count == 2, "{:?} of {width} x {height} has {count} children", node.bounds);
        }
    }
}

/// All sizes up to a square; by day, up to the smaller one.
fn sizes(by_day: u32, thorough: u32) -> impl Iterator<Item = (u32, u32)> {
    let most = if is_thorough() { thorough } else { by_day };
    (1..=most).flat_map(move |width| (1..=most).map(move |height| (width, height)))
}

#[test]
fn every_single_cell_of_every_small_map() {
    for (width, height) in sizes(17, 24) {
        let bounds = Aabb::new([0, 0], [width as i32 - 1, height as i32 - 1]);
        let mut map = RegionQuadtree::new(width, height, AllSame).expect("small");
        let mut model = Model::default();
        for cell in cells(bounds) {
            map.insert(cell, 0).expect("on the map");
            model.insert(cell, 0);
            assert_eq!(nodes(&map), model.nodes(bounds, &AllSame), "{cell:?} of {width} x {height}");
            map.remove(cell, 0);
            model.remove(cell, 0);
            assert_eq!(map.leaf_count(), 1);
        }
        map.validate().expect("whole");
        // And the other way round: holes in a full map.
        assert_eq!(map.insert_all(cells(bounds).map(|cell| (cell, 0))).ok(), Some((width * height) as usize));
        for cell in cells(bounds) {
            model.insert(cell, 0);
        }
        for cell in cells(bounds).step_by(5) {
            map.remove(cell, 0);
            model.remove(cell, 0);
            map.validate().expect("whole");
            assert_eq!(nodes(&map), model.nodes(bounds, &AllSame), "all but {cell:?} of {width} x {height}");
            map.insert(cell, 0).expect("on the map");
            model.insert(cell, 0);
            assert_eq!(map.leaf_count(), 1);
        }
    }
}

/// Leaves with one object on two cells, split by a change of the rule: also where a quad begins with a part that has
/// no cell.
#[test]
fn every_leaf_of_every_small_map_splits_when_synced() {
    for (width, height) in sizes(9, 16) {
        let bounds = Aabb::new([0, 0], [width as i32 - 1, height as i32 - 1]);
        let is_fine = Cell::new(false);
        let rule = |region: &Region| if is_fine.get() { AllSame.stops(region) } else { region.area() <= 2 };
        let marks = cells(bounds).filter(|[x, y]| (x + y) % 2 == 0).map(|cell| (cell, 0_u8));
        let mut map = RegionQuadtree::from_objects(width, height, rule, marks.clone()).expect("small");
        is_fine.set(true);
        for leaf in map.leaves().collect::<Vec<_>>() {
            assert!(map.sync(leaf.id));
            map.validate().expect("whole");
        }
        let mut model = Model::default();
        marks.for_each(|(cell, object)| _ = model.insert(cell, object));
        assert_eq!(nodes(&map), model.nodes(bounds, &AllSame), "{width} x {height}");
    }
}
