//! A frame tree: how it is built, how it answers, and where single boxes go.

use std::cell::RefCell;
use std::ops::ControlFlow::Continue;

use quadrille::structures::Node;
use quadrille::{Aabb, FrameTree, Index, Layers, Overlaps, Query};
use quadrille_draw::Canvas;
use quadrille_draw::palette::{GREEN, INK, ORANGE, PAPER, SKY, VERMILION};
use serde_json::Value;

use super::easel::{MANY, Random, board, labeled, panel, some_boxes, stacked};
use super::{Done, Picture};

pub(super) fn draw() -> Done<Vec<Picture>> {
    let boxes = some_boxes(&mut Random(71), 384, [0.7, 2.0]);
    let tree = Index::<FrameTree>::from_boxes(&boxes)?;
    Ok(vec![
        ("steps-frame-tree-build.png", built(&boxes, &tree)),
        ("steps-frame-tree-query.png", queried(&boxes, &tree)),
        ("steps-frame-tree-across.png", across()),
        ("steps-frame-tree-tail.png", tail()?),
    ])
}

/// A node, and the boxes listed there.
struct Listed {
    node: Node,
    ids: Vec<u32>,
}

fn lists(index: &Index<FrameTree>) -> Vec<Listed> {
    let mut lists = Vec::new();
    let _ = index.visit_lists(|node, ids| {
        lists.push(Listed { node, ids: ids.collect() });
        Continue::<()>(())
    });
    lists
}

/// A rectangle query that notes the nodes that a structure enters.
#[derive(Clone)]
struct Traced<'a> {
    rect: Aabb,
    entered: &'a RefCell<Vec<Aabb>>,
}

impl Query<f32> for Traced<'_> {
    fn bounds(&self) -> Aabb {
        self.rect
    }

    fn reaches(&self, cell: &Aabb) -> bool {
        self.entered.borrow_mut().push(*cell);
        true
    }

    fn accepts(&self, id: u32, bounds: &Aabb, layers: Layers) -> bool {
        Overlaps(self.rect).accepts(id, bounds, layers)
    }
}

/// What a query found, and where it looked.
struct Trace {
    entered: Vec<Aabb>,
    found: Vec<u32>,
}

fn trace(index: &Index<FrameTree>, rect: Aabb) -> Trace {
    let entered = RefCell::default();
    let found = index.query(Traced { rect, entered: &entered }).collect();
    Trace { entered: entered.into_inner(), found }
}

fn packs(tree: &Index<FrameTree>) -> Vec<Listed> {
    lists(tree).into_iter().filter(|listed| listed.node.population > 0).collect()
}

fn groups(tree: &Index<FrameTree>) -> Vec<Aabb> {
    lists(tree).iter().filter(|listed| listed.node.population == 0).map(|listed| listed.node.bounds).collect()
}

/// Boxes, their order, packs, and groups of packs.
fn built(boxes: &[Aabb], tree: &Index<FrameTree>) -> Canvas {
    let (packs, groups) = (packs(tree), groups(tree));
    let mut panels = Vec::new();

    let mut easel = panel();
    boxes.iter().for_each(|bounds| easel.tile(bounds, SKY, 140));
    panels.push((easel, format!("1. {} boxes", boxes.len())));

    let mut easel = panel();
    boxes.iter().for_each(|bounds| easel.fill(bounds, SKY, 80));
    let order: Vec<[f32; 2]> = packs.iter().flat_map(|pack| &pack.ids).map(|&id| boxes[id as usize].center()).collect();
    easel.path(&order, INK, 1.5);
    panels.push((easel, "2. sort: the order in which a Hilbert curve meets their centers".into()));

    let mut easel = panel();
    for (k, pack) in packs.iter().enumerate() {
        for &id in &pack.ids {
            easel.tile(&boxes[id as usize], MANY[k % MANY.len()], 170);
        }
        easel.edges(&pack.node.bounds, MANY[k % MANY.len()].mix(INK, 90), 1.5);
    }
    panels.push((easel, format!("3. cut the order every 16 boxes: {} packs, each with its hull", packs.len())));

    let mut easel = panel();
    for (k, pack) in packs.iter().enumerate() {
        let color = MANY[2 * (k / 16)];
        easel.fill(&pack.node.bounds, color, 50);
        easel.edges(&pack.node.bounds, color.mix(INK, 60), 1.0);
    }
    for (k, group) in groups.iter().enumerate() {
        easel.edges(group, MANY[2 * k].mix(INK, 90), 3.5);
    }
    panels.push((easel, format!("4. every 16 hulls get a hull: {} groups, below one root", groups.len())));
    board(&panels, 2)
}

/// What a rectangle query enters, level by level.
fn queried(boxes: &[Aabb], tree: &Index<FrameTree>) -> Canvas {
    const ASKED: Aabb = Aabb { min: [38.0, 11.0], max: [47.0, 18.0] };
    let found = trace(tree, ASKED);
    let (packs, groups) = (packs(tree), groups(tree));
    let entered: Vec<&Listed> = packs.iter().filter(|pack| found.entered.contains(&pack.node.bounds)).collect();
    let groups_entered = groups.iter().filter(|group| found.entered.contains(group)).count();
    let mut panels = Vec::new();

    let mut easel = panel();
    for (k, group) in groups.iter().enumerate() {
        let is_entered = found.entered.contains(group);
        easel.edges(group, if is_entered { ORANGE } else { PAPER.mix(INK, 110) }, if k == 0 { 3.5 } else { 2.5 });
    }
    easel.edges(&ASKED, GREEN, 2.5);
    panels.push((
        easel,
        format!("1. the root: the query (green) against {} hulls at once; {groups_entered} touch it", groups.len()),
    ));

    let mut easel = panel();
    for pack in &packs {
        let is_entered = found.entered.contains(&pack.node.bounds);
        if is_entered {
            easel.fill(&pack.node.bounds, ORANGE, 70);
        }
        easel.edges(&pack.node.bounds, if is_entered { ORANGE } else { PAPER.mix(INK, 90) }, 1.5);
    }
    easel.edges(&ASKED, GREEN, 2.5);
    panels.push((easel, format!("2. each group that touches it: 16 hulls at once; {} packs touch it", entered.len())));

    let mut easel = panel();
    boxes.iter().for_each(|bounds| easel.fill(bounds, SKY, 50));
    for pack in &entered {
        for &id in &pack.ids {
            let is_found = found.found.contains(&id);
            easel.tile(&boxes[id as usize], if is_found { VERMILION } else { ORANGE }, 190);
        }
        easel.edges(&pack.node.bounds, ORANGE, 1.5);
    }
    easel.edges(&ASKED, GREEN, 2.5);
    let compared: usize = entered.iter().map(|pack| pack.ids.len()).sum();
    panels.push((
        easel,
        format!(
            "3. each pack: 16 boxes at once; {compared} of {} were compared, {} are answers (orange)",
            boxes.len(),
            found.found.len()
        ),
    ));
    board(&panels, 3)
}

/// Two packs: which boxes of each touch the hull of the other.
fn across() -> Canvas {
    let mut random = Random(23);
    let mut some = |x: f32, reach: f32| -> Vec<Aabb> {
        let one = |_| {
            let half = [random.between(1.4, 3.4), random.between(1.4, 3.4)];
            Aabb::from_center([x + random.between(-reach, reach), random.between(6.0, 42.0)], half)
        };
        (0..16).map(one).collect()
    };
    let [left, right] = [some(23.0, 17.0), some(42.0, 16.0)];
    let hulls = [&left, &right].map(Aabb::from_boxes);
    let touching = |pack: &[Aabb], hull: &Aabb| pack.iter().filter(|bounds| bounds.intersects(hull)).count();
    let counts = [touching(&left, &hulls[1]), touching(&right, &hulls[0])];
    let sides = [(&left, &hulls[0], &hulls[1], SKY), (&right, &hulls[1], &hulls[0], GREEN)];

    let mut first = panel();
    for (pack, own, other, color) in sides {
        for bounds in pack {
            first.tile(bounds, color, if bounds.intersects(other) { 200 } else { 40 });
        }
        first.edges(own, color.mix(INK, 70), 2.5);
    }
    let words = format!(
        "1. two packs whose hulls meet: {} boxes of the one and {} of the other (strong) touch the other's hull",
        counts[0], counts[1]
    );

    let mut second = panel();
    let (rows, columns) = if counts[0] <= counts[1] { (&sides[0], &sides[1]) } else { (&sides[1], &sides[0]) };
    let mut pairs = 0;
    for bounds in columns.0.iter().filter(|bounds| bounds.intersects(rows.1)) {
        second.tile(bounds, columns.3, 120);
    }
    for bounds in rows.0.iter().filter(|bounds| bounds.intersects(columns.1)) {
        second.tile(bounds, rows.3, 200);
        for met in columns.0.iter().filter(|met| met.intersects(bounds)) {
            second.line(bounds.center(), met.center(), VERMILION, 2.5);
            pairs += 1;
        }
    }
    let fewer = counts[0].min(counts[1]);
    let then =
        format!("2. each of the {fewer} is compared with 16 at once: {fewer} comparisons, {pairs} pairs (orange)");
    board(&[(first, words), (second, then)], 2)
}

/// Slots, a square each, after insertions: what is sorted, runs of the tail, what came last, holes.
fn tail() -> Done<Canvas> {
    let mut random = Random(3);
    let mut tree = Index::<FrameTree>::from_boxes(&some_boxes(&mut random, 640, [0.7, 2.0]))?;
    let mut rows = Vec::new();
    let mut added = 0;
    for (upto, words) in [
        (0, "640 boxes, sorted; the first 480 are left out here"),
        (40, "40 inserted: they wait at the end, in the order in which they came"),
        (64, "64 inserted: a run, sorted by itself"),
        (128, "128 inserted: two runs of 64 become one of 128"),
        (200, "200 inserted: 200 / 64 is 3, in binary 11: a run of 128 and one of 64; 8 wait"),
        (225, "225 inserted: the tail has passed a quarter of the rest and 64, so everything is sorted"),
    ] {
        while added < upto {
            tree.insert(some_boxes(&mut random, 1, [0.7, 2.0])[0])?;
            added += 1;
        }
        rows.push(labeled(&slots(&tree)?, words));
    }
    for id in (0..640).step_by(9) {
        tree.remove(id);
    }
    rows.push(labeled(&slots(&tree)?, "72 removed: holes, which the next maintain closes"));
    Ok(stacked(&rows))
}

fn slots(tree: &Index<FrameTree>) -> Result<Canvas, serde_json::Error> {
    const PER_ROW: usize = 60;
    const SIDE: f32 = 12.0;
    /// Rows that are left out: nothing happens there.
    const ABOVE: usize = 8;
    let held = serde_json::to_value(tree)?;
    let held = &held["all"]["structure"];
    let order = held["order"].as_array().map_or(&[][..], Vec::as_slice);
    let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let (used, sorted) = (number(&held["used"]), 16 * number(&held["degradation"]["sorted"]));
    let rows = used.div_ceil(PER_ROW) - ABOVE;
    let mut easel = Canvas::new((PER_ROW as f32 * SIDE) as u16, (rows as f32 * SIDE) as u16, PAPER);
    for (slot, id) in order.iter().enumerate().take(used).skip(ABOVE * PER_ROW) {
        let is_hole = id.as_u64() == Some(u64::from(u32::MAX));
        let [x, y] = [slot % PER_ROW, slot / PER_ROW - ABOVE].map(|at| at as f32 * SIDE);
        let square = Aabb::new([x + 1.0, y + 1.0], [x + SIDE - 1.0, y + SIDE - 1.0]);
        let color = if is_hole { PAPER.mix(INK, 30) } else { color_of(slot, used, sorted) };
        easel.fill_rounded(&square, 0.0, color);
    }
    Ok(easel)
}

/// Sorted packs are blue, runs green, what waits orange.
fn color_of(slot: usize, used: usize, sorted: usize) -> quadrille_draw::Color {
    const RUN: usize = 64;
    let Some(at) = slot.checked_sub(sorted) else { return if slot / 16 % 2 == 0 { SKY } else { SKY.mix(PAPER, 90) } };
    let runs = (used - sorted) / RUN;
    let mut start = 0;
    for (k, bit) in (0..usize::BITS).rev().filter(|bit| runs >> bit & 1 == 1).enumerate() {
        start += RUN << bit;
        if at < start {
            return if k % 2 == 0 { GREEN } else { GREEN.mix(PAPER, 110) };
        }
    }
    ORANGE
}
