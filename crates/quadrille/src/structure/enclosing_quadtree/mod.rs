//! The quadtree with boxes at every level: each in the smallest node that encloses it.

mod lines;

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use self::lines::{Lines, Stretch};
use super::bulk::{Entry, along_curve, deal};
use super::fit::World;
use super::tree::{self, Place, TreeNode, Walk};
use super::{Node, NodeKind, Part, Stats, Structure};
use crate::error::{Corruption, Error};
use crate::geometry::{Aabb, Cell, Scalar};
use crate::question::{Overlaps, Question, is_answer, partners};
use crate::storage::{Blocks, Boxes, Homes, Layers, NONE, add_bytes, tails};

/// A quadtree in which a box lives in the smallest node that encloses it.
///
/// In the manual: `docs/structures/enclosing-quadtree.md`.
///
/// - **Best for:** very mixed sizes, a few huge boxes among tiny ones: each box is listed once, however large.
/// - **Avoid for:** all pairs, every frame. Every box asks on its own what is below it; [`FrameTree`](crate::FrameTree)
///   takes a tenth of the time.
/// - **Order of answers:** node by node, parents before children, children in Morton order. Within a node, the boxes on
///   its vertical middle line come first, then those on the horizontal one only. On each line last arrived first, and
///   on crowded lines stretch by stretch.
/// - **Cost:** `insert`: one descent. `remove`: a short list. `update`: a few comparisons while the box stays in its
///   node, otherwise a remove and an insert. `query`: the nodes touched, down from the root. `pairs`: the nodes that
///   each box touches. `maintain`: all nodes, and the boxes on middle lines.
/// - **Memory:** 31 to 49 bytes per box (`f32`): 16 for the box, 4 for its home, 5 to 10 for its place in a list, 48
///   for each node.
///
/// **Lines.** A small box on a middle line of a large node cannot sink. Not every query that passes through the node
/// should have to look at all such boxes. So a branch keeps those on its vertical line apart from those on its
/// horizontal line, and knows how far either reach to the sides of the line: a query beside the line skips them.
/// Lines with very many boxes are halved again and again, as the plane is quartered, so that a query also skips what
/// is elsewhere along the line.
///
/// A leaf splits when it holds more than [`capacity`](EnclosingQuadtreeOptions::capacity) boxes and enough of them, at
/// least half the capacity, can sink. `maintain` merges four leaves into their parent where all five together hold at
/// most half the capacity. It works from the bottom up, so one pass collapses an emptied tree.
///
/// The idea is the MX-CIF quadtree: G. Kedem, *The quad-CIF tree: a data structure for hierarchical on-line
/// algorithms*, 1982. This one follows P. Vigier's *Quadtree and collision detection*, 2019, in storing boxes at every
/// level. Differences: cells that cover the whole plane, closed boxes, merging also where inner nodes become empty,
/// pairs pruned by cell, binary trees only for crowded lines.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub struct EnclosingQuadtree<S = f32> {
    options: EnclosingQuadtreeOptions<S>,
    world: World<S>,
    nodes: Blocks<LineNode<S>>,
    lines: Lines<S>,
    homes: Homes,
}

/// Options of [`EnclosingQuadtree`]. A release may add some: write `..Default::default()` behind those you choose.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EnclosingQuadtreeOptions<S = f32> {
    /// Where most boxes will be; `None` follows the data. Boxes elsewhere are stored and found all the same, but crowd
    /// into the nodes at the border.
    pub world: Option<Aabb<S>>,
    /// Boxes in a leaf before it splits (1 to 4096, usually 16 to 64). Fewer: more nodes. More: longer lists to
    /// compare.
    pub capacity: u32,
    /// Steps from the root to the deepest leaf allowed (0 to 24).
    pub max_depth: u8,
}

impl<S> Default for EnclosingQuadtreeOptions<S> {
    fn default() -> Self {
        Self { world: None, capacity: 32, max_depth: 16 }
    }
}

impl<S: Scalar> EnclosingQuadtreeOptions<S> {
    fn check(&self) -> Result<(), Error> {
        tree::check_options(self.world, self.capacity, self.max_depth)
    }
}

/// A node with boxes of its own, and perhaps children. 48 bytes for `f32` and `i32`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
struct LineNode<S> {
    /// The first of four children; [`NONE`] for a leaf.
    first: u32,
    /// Boxes in both lists.
    count: u32,
    /// Branch: the boxes on the vertical middle line, and those on the horizontal one only, as lists or, with [`LINE`],
    /// as two whole lines in [`Lines`]. Leaf: all boxes, and none.
    heads: [u32; 2],
    /// Branch: how far the boxes of the first list reach on x, and those of the second on y. The middle line is always
    /// within. Grows at once; larger than needed until the next `maintain`.
    reach: Aabb<S>,
    /// A walk from the root computes it anyway; it is stored for access that starts at a box.
    cell: Cell<S>,
}

const _: () = assert!(size_of::<LineNode<f32>>() == 48);

/// The list, 0 or 1, in a branch for a box that touches several children.
#[inline]
fn list_across(touched: u8) -> usize {
    const WEST: u8 = 0b0101;
    const EAST: u8 = 0b1010;
    usize::from(touched & WEST == 0 || touched & EAST == 0)
}

/// Marks a head or a home that is a stretch of a line; [`NONE`] has it too.
const LINE: u32 = 1 << 31;

/// Lines are divided in two once both together hold this many times the capacity of a leaf. Less: more small stretches.
/// More: longer lists.
const CROWDED: u32 = 4;

/// A crowd that could not be divided is checked again only after it has doubled.
fn is_due(count: u32, capacity: u32) -> bool {
    count == capacity + 1 || (count > capacity && count.is_power_of_two())
}

/// The home of boxes in one of the two lists of a node.
#[inline]
fn home(node: u32, list: usize) -> u32 {
    2 * node + u32::from(list == 1)
}

impl<S: Scalar> LineNode<S> {
    fn leaf(cell: Cell<S>) -> Self {
        Self { first: NONE, count: 0, heads: [NONE; 2], reach: Aabb::from_point(cell.mid()), cell }
    }

    /// The two lines, if they are divided.
    #[inline]
    fn lines(&self) -> Option<[u32; 2]> {
        let [vertical, horizontal] = self.heads;
        (vertical & LINE != 0 && vertical != NONE).then_some([vertical & !LINE, horizontal & !LINE])
    }

    /// The heads of both lists; [`NONE`] if the lines are divided.
    #[inline]
    fn plain(&self) -> [u32; 2] {
        if self.lines().is_none() { self.heads } else { [NONE; 2] }
    }

    #[inline]
    fn is_near(&self, list: usize, bounds: &Aabb<S>) -> bool {
        (self.reach.min[list] <= bounds.max[list]) & (bounds.min[list] <= self.reach.max[list])
    }

    /// The divided lines on which something may intersect `bounds`.
    #[inline]
    fn lines_near(&self, bounds: &Aabb<S>) -> impl Iterator<Item = u32> + Clone + use<S> {
        let near = |lines: [u32; 2]| [0, 1].map(|list| self.is_near(list, bounds).then_some(lines[list]));
        self.lines().map(near).into_iter().flatten().flatten()
    }

    /// `true` if a box in this list of the node certainly belongs there. Boxes at the world's edge may belong even if
    /// this is `false`.
    #[inline]
    fn keeps(&self, list: usize, bounds: &Aabb<S>) -> bool {
        let touched = self.cell.children_touching(bounds);
        self.cell.encloses(bounds)
            && (self.first == NONE || (!touched.is_power_of_two() && list_across(touched) == list))
    }

    #[inline]
    fn widen(&mut self, list: usize, bounds: &Aabb<S>) {
        let reach = &mut self.reach;
        reach.min[list] = reach.min[list].lesser(bounds.min[list]);
        reach.max[list] = reach.max[list].greater(bounds.max[list]);
    }

    /// The heads of the lists in which something may intersect `bounds`; [`NONE`] for the others.
    #[inline]
    fn heads_near(&self, bounds: &Aabb<S>) -> [u32; 2] {
        let plain = self.plain();
        [0, 1].map(|list| if self.is_near(list, bounds) | (self.first == NONE) { plain[list] } else { NONE })
    }
}

impl<S: Scalar> TreeNode for LineNode<S> {
    #[inline]
    fn children(&self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }
}

/// All boxes of a node.
#[inline]
fn own<'a, S: Scalar>(
    lines: &'a Lines<S>,
    homes: &'a Homes,
    node: &LineNode<S>,
) -> impl Iterator<Item = u32> + Clone + use<'a, S> {
    let whole = node.lines().into_iter().flatten();
    let stretches = whole.flat_map(|line| lines.touching(line, &Aabb::EVERYTHING));
    let heads = node.plain().into_iter().chain(stretches.map(|stretch| lines.get(stretch).head));
    heads.flat_map(|head| homes.list(head))
}

/// The union of the layers of a node's own boxes.
fn listed_layers<S: Scalar>((lines, homes): (&Lines<S>, &Homes), boxes: &Boxes<S>, node: &LineNode<S>) -> Layers {
    own(lines, homes, node).fold(Layers::NONE, |union, id| union.union(boxes.layers(id)))
}

impl<S: Scalar> EnclosingQuadtree<S> {
    fn root(&self) -> Place<S> {
        Place::root(&self.world.bounds())
    }

    fn walk<Q: Question<S>>(&self, question: Q) -> Walk<'_, S, LineNode<S>, Q> {
        Walk::from(&self.nodes, self.world.bounds(), self.root(), question)
    }

    /// The boxes of both lists.
    #[inline]
    fn lists(&self, [one, other]: [u32; 2]) -> impl Iterator<Item = u32> + Clone {
        self.homes.list(one).chain(self.homes.list(other))
    }

    /// All boxes of a node.
    fn own(&self, node: &LineNode<S>) -> impl Iterator<Item = u32> + Clone + use<'_, S> {
        own(&self.lines, &self.homes, node)
    }

    /// The boxes of a node that may intersect `bounds`.
    #[inline]
    fn near(&self, node: &LineNode<S>, bounds: Aabb<S>) -> impl Iterator<Item = u32> {
        let stretches = node.lines_near(&bounds).flat_map(move |line| self.lines.touching(line, &bounds));
        let listed = stretches.flat_map(|stretch| self.homes.list(self.lines.get(stretch).head));
        self.lists(node.heads_near(&bounds)).chain(listed)
    }

    /// The boxes on the lines of a node that a box of a stretch may intersect, except those of the stretch itself:
    /// those of its parts, and, for a box on the vertical line, also those on the horizontal line. None if there is no
    /// stretch.
    #[inline]
    fn beside(&self, node: &LineNode<S>, stretch: u32, bounds: Aabb<S>) -> impl Iterator<Item = u32> {
        let parts = (stretch != NONE).then(|| self.lines.touching(stretch, &bounds).skip(1));
        let is_vertical = stretch != NONE && self.lines.get(stretch).owner % 2 == 0;
        let horizontal =
            node.lines_near(&bounds).filter(move |&line| is_vertical && self.lines.get(line).owner % 2 == 1);
        let across = horizontal.flat_map(move |line| self.lines.touching(line, &bounds));
        let stretches = parts.into_iter().flatten().chain(across);
        stretches.flat_map(|stretch| self.homes.list(self.lines.get(stretch).head))
    }

    /// The smallest existing node, from `place` down, that encloses the box, and the list there.
    fn home_of(&self, bounds: &Aabb<S>, place: Place<S>) -> (Place<S>, usize) {
        let place = place.enclosing(&self.nodes, bounds);
        let is_branch = self.nodes.get(place.node).children().is_some();
        (place, if is_branch { list_across(place.cell.children_touching(bounds)) } else { 0 })
    }

    /// The home of a box that belongs in one of a node's lists.
    fn home_in(&self, node: u32, list: usize, bounds: &Aabb<S>) -> u32 {
        match self.nodes.get(node).lines() {
            None => home(node, list),
            Some(lines) => LINE | self.lines.enclosing(lines[list], bounds),
        }
    }

    fn link(&mut self, boxes: &Boxes<S>, id: u32, (place, list): (Place<S>, usize)) {
        let node = self.nodes.get_mut(place.node);
        node.widen(list, boxes.at(id));
        node.count += 1;
        match node.lines() {
            None => self.homes.push(&mut node.heads[list], home(place.node, list), id),
            Some(lines) => self.link_to_line(boxes, id, lines[list]),
        }
        if self.nodes.keeps_layers() {
            self.widen_layers(boxes, id, place.node);
        }
        self.split_if_crowded(boxes, &place);
    }

    /// Widens the unions of layers on the way to the node in which a box lives.
    fn widen_layers(&mut self, boxes: &Boxes<S>, id: u32, node: u32) {
        let mut place = self.root();
        loop {
            self.nodes.layers_mut().widen(place.node, boxes.layers(id));
            let Some(first) = self.nodes.get(place.node).children().filter(|_| place.node != node) else { return };
            place = place.child(first, place.cell.children_touching(boxes.at(id)).trailing_zeros() as usize);
        }
    }

    /// A tree without boxes.
    fn reset(&mut self, keeps_layers: bool) {
        self.nodes.reset(LineNode::leaf(self.root().cell), keeps_layers);
        self.lines.clear();
        self.homes.clear();
    }

    fn unlink(&mut self, id: u32) {
        let mut home = self.homes.of(id);
        if home & LINE != 0 {
            let stretch = self.lines.get_mut(home & !LINE);
            self.homes.take(&mut stretch.head, id);
            stretch.count -= 1;
            home = stretch.owner;
        } else {
            self.homes.take(&mut self.nodes.get_mut(home / 2).heads[home as usize % 2], id);
        }
        self.nodes.get_mut(home / 2).count -= 1;
    }

    /// Puts a box into the smallest stretch of a line that encloses it. Halves the stretch if it holds too many boxes
    /// and enough of them can sink.
    fn link_to_line(&mut self, boxes: &Boxes<S>, id: u32, line: u32) {
        let at = self.lines.enclosing(line, boxes.at(id));
        let stretch = self.lines.get_mut(at);
        self.homes.push(&mut stretch.head, LINE | at, id);
        stretch.count += 1;
        let (stretch, capacity) = (*stretch, self.options.capacity);
        if !is_due(stretch.count, capacity) || !self.lines.may_halve(at) {
            return;
        }
        let sinks = |&id: &u32| stretch.half(boxes.at(id)).is_some();
        if 2 * self.homes.list(stretch.head).filter(sinks).count() > capacity as usize {
            let mut list = self.lines.halve(at);
            while let Some(id) = self.homes.pop(&mut list) {
                self.link_to_line(boxes, id, at);
            }
        }
    }

    /// Divides the lines of a branch.
    fn divide_lines(&mut self, boxes: &Boxes<S>, place: &Place<S>) {
        let lines = [0, 1].map(|list| Stretch::line(home(place.node, list), &place.cell));
        let first = self.lines.alloc(lines);
        let node = self.nodes.get_mut(place.node);
        let lists = core::mem::replace(&mut node.heads, [LINE | first, LINE | (first + 1)]);
        for (mut list, line) in lists.into_iter().zip(first..) {
            while let Some(id) = self.homes.pop(&mut list) {
                self.link_to_line(boxes, id, line);
            }
        }
    }

    /// Turns the lines of a branch back into plain lists.
    fn mend_lines(&mut self, node: u32) {
        let Some(lines) = self.nodes.get(node).lines() else { return };
        let mut heads = [NONE; 2];
        for list in 0..2 {
            self.pour(lines[list], &mut heads[list], home(node, list));
        }
        self.lines.free(lines[0]);
        self.nodes.get_mut(node).heads = heads;
    }

    /// Moves all boxes of a stretch and its parts into a list.
    fn pour(&mut self, stretch: u32, head: &mut u32, home: u32) {
        if let Some(halves) = self.lines.halves(stretch) {
            halves.into_iter().for_each(|half| self.pour(half, head, home));
            self.lines.join(stretch);
        }
        let whole = self.lines.get_mut(stretch);
        let mut list = core::mem::replace(&mut whole.head, NONE);
        whole.count = 0;
        while let Some(id) = self.homes.pop(&mut list) {
            self.homes.push(head, home, id);
        }
    }

    /// Joins the halves of stretches wherever the three together hold at most `most` boxes, from the smallest up.
    fn tidy_line(&mut self, stretch: u32, most: u32) {
        let Some(halves) = self.lines.halves(stretch) else { return };
        halves.into_iter().for_each(|half| self.tidy_line(half, most));
        let parts = [stretch, halves[0], halves[1]];
        let total: u32 = parts.into_iter().map(|part| self.lines.get(part).count).sum();
        if total > most || halves.into_iter().any(|half| self.lines.halves(half).is_some()) {
            return;
        }
        let mut head = self.lines.get(stretch).head;
        halves.into_iter().for_each(|half| self.pour(half, &mut head, LINE | stretch));
        self.lines.join(stretch);
        let whole = self.lines.get_mut(stretch);
        (whole.head, whole.count) = (head, total);
    }

    /// Splits a leaf that holds too many, if enough of them can sink.
    fn split_if_crowded(&mut self, boxes: &Boxes<S>, place: &Place<S>) {
        let EnclosingQuadtreeOptions { capacity, max_depth, .. } = self.options;
        let leaf = self.nodes.get(place.node);
        if leaf.first != NONE {
            if is_due(leaf.count, CROWDED * capacity) && leaf.lines().is_none() {
                self.divide_lines(boxes, place);
            }
            return;
        }
        if !is_due(leaf.count, capacity) || place.depth == max_depth || !place.cell.divides() {
            return;
        }
        let sinks = |id: &u32| place.cell.children_touching(boxes.at(*id)).is_power_of_two();
        if 2 * self.lists(leaf.heads).filter(sinks).count() > capacity as usize {
            self.split(boxes, place);
        }
    }

    /// Turns a leaf into a branch without boxes; returns its first child and its former list.
    fn divide(&mut self, place: &Place<S>) -> (u32, u32) {
        let branch = LineNode::leaf(place.cell);
        let first = self.nodes.alloc(branch);
        for k in 0..4 {
            let child = place.child(first, k);
            *self.nodes.get_mut(child.node) = LineNode::leaf(child.cell);
        }
        let leaf = core::mem::replace(self.nodes.get_mut(place.node), LineNode { first, ..branch });
        (first, leaf.heads[0])
    }

    /// Puts a range of entries that belong there below a place of an empty tree; `masks` is scratch memory.
    fn load(
        &mut self,
        boxes: &Boxes<S>,
        place: &Place<S>,
        entries: &mut Vec<Entry<S>>,
        range: Range<usize>,
        masks: &mut Vec<u8>,
    ) {
        let EnclosingQuadtreeOptions { capacity, max_depth, .. } = self.options;
        let own = &entries[range.clone()];
        let can_split = own.len() > capacity as usize && place.depth < max_depth && place.cell.divides();
        masks.clear();
        if can_split {
            masks.extend(own.iter().map(|one| place.cell.children_touching(&one.bounds)));
        }
        if 2 * masks.iter().filter(|mask| mask.is_power_of_two()).count() <= capacity as usize {
            return own.iter().for_each(|one| self.link(boxes, one.id, (*place, 0)));
        }
        let (first, _) = self.divide(place);
        for (one, mask) in own.iter().zip(masks.iter_mut()).filter(|(_, mask)| !mask.is_power_of_two()) {
            self.link(boxes, one.id, (*place, list_across(*mask)));
            *mask = 0;
        }
        let end = entries.len();
        let starts = deal(entries, range, masks);
        for k in 0..4 {
            self.load(boxes, &place.child(first, k), entries, starts[k]..starts[k + 1], masks);
        }
        entries.truncate(end);
    }

    fn split(&mut self, boxes: &Boxes<S>, place: &Place<S>) {
        let (_, mut list) = self.divide(place);
        while let Some(id) = self.homes.pop(&mut list) {
            self.link(boxes, id, self.home_of(boxes.at(id), *place));
        }
    }

    /// Merges four leaves into their parent wherever the five together hold at most `most` boxes, from the bottom up,
    /// and shrinks the reach of the other branches to what is there.
    fn tidy(&mut self, boxes: &Boxes<S>, node: u32, most: u32) {
        let Some(first) = self.nodes.get(node).children() else { return };
        (first..first + 4).for_each(|child| self.tidy(boxes, child, most));
        let children = [0, 1, 2, 3].map(|k| *self.nodes.get(first + k));
        let total = self.nodes.get(node).count + children.iter().map(|child| child.count).sum::<u32>();
        if self.nodes.get(node).count <= self.options.capacity {
            self.mend_lines(node);
        }
        if total > most || children.iter().any(|child| child.first != NONE) {
            if let Some(lines) = self.nodes.get(node).lines() {
                lines.into_iter().for_each(|line| self.tidy_line(line, self.options.capacity / 2));
            }
            return self.tighten(boxes, node);
        }
        let parent = self.nodes.get_mut(node);
        (parent.first, parent.count) = (NONE, total);
        let line = core::mem::replace(&mut parent.heads[1], NONE);
        for mut list in [line].into_iter().chain(children.map(|child| child.heads[0])) {
            while let Some(id) = self.homes.pop(&mut list) {
                self.homes.push(&mut parent.heads[0], home(node, 0), id);
            }
        }
        self.nodes.free(first);
    }

    fn tighten(&mut self, boxes: &Boxes<S>, number: u32) {
        let mut node = *self.nodes.get(number);
        node.reach = Aabb::from_point(node.cell.mid());
        for id in self.own(&node) {
            let bounds = boxes.at(id);
            node.widen(list_across(node.cell.children_touching(bounds)), bounds);
        }
        *self.nodes.get_mut(number) = node;
    }

    /// Checks a node that a walk has reached; its lists are sound.
    fn validate_node(&self, boxes: &Boxes<S>, place: &Place<S>) -> Result<(), Corruption> {
        let (number, node) = (place.node, self.nodes.get(place.node));
        let count = self.own(node).count();
        Corruption::unless(count == node.count as usize, || {
            alloc::format!("node {number} counts {} boxes and lists {count}", node.count)
        })?;
        Corruption::unless(node.cell == place.cell, || {
            alloc::format!("node {number} has cell {:?}, which should be {:?}", node.cell, place.cell)
        })?;
        let reaches = |list: usize, bounds: &Aabb<S>| {
            node.reach.min[list] <= bounds.min[list] && bounds.max[list] <= node.reach.max[list]
        };
        let list = |bounds: &Aabb<S>| list_across(node.cell.children_touching(bounds));
        Corruption::unless(node.reach.contains(&Aabb::from_point(node.cell.mid())), || {
            alloc::format!("node {number} reaches {:?}, not even its middle", node.reach)
        })?;
        let is_wide = node.first == NONE || self.own(node).map(|id| boxes.at(id)).all(|one| reaches(list(one), one));
        Corruption::unless(is_wide, || alloc::format!("node {number} reaches {:?}, and a box more", node.reach))?;
        let stretches = node.lines().into_iter().flatten();
        for stretch in stretches.flat_map(|line| self.lines.touching(line, &Aabb::EVERYTHING)) {
            let stretch = self.lines.get(stretch);
            let count = self.homes.list(stretch.head).count();
            Corruption::unless(count == stretch.count as usize, || {
                alloc::format!("a stretch of a line of node {number} counts {} boxes and lists {count}", stretch.count)
            })?;
        }
        Ok(())
    }

    /// The lines of branches contain every stretch that is in use exactly once.
    fn validate_lines(&self) -> Result<(), Corruption> {
        let mut met = self.lines.none_met();
        for place in tree::all_places(&self.nodes, &self.world.bounds()) {
            let node = self.nodes.get(place.node);
            let Some(lines @ [first, second]) = node.lines() else { continue };
            let are_lines = node.first != NONE && node.heads[1] & LINE != 0 && first % 2 == 0 && second == first + 1;
            Corruption::unless(are_lines, || alloc::format!("node {} has no lines {lines:?}", place.node))?;
            for (list, line) in lines.into_iter().enumerate() {
                self.lines.trace(line, &Stretch::line(home(place.node, list), &place.cell), &mut met)?;
            }
        }
        self.lines.validate_free(met)
    }
}

impl<S: Scalar> Structure for EnclosingQuadtree<S> {
    const NAME: &'static str = "enclosing-quadtree";
    type Scalar = S;
    type Options = EnclosingQuadtreeOptions<S>;

    fn new(options: Self::Options) -> Result<Self, Error> {
        options.check()?;
        let world = World::new(options.world);
        let root = LineNode::leaf(Place::root(&world.bounds()).cell);
        Ok(Self { options, world, nodes: Blocks::new(root), lines: Lines::new(), homes: Homes::new() })
    }

    fn options(&self) -> Self::Options {
        self.options
    }

    fn build(&mut self, boxes: &Boxes<S>) {
        self.world.refit(boxes);
        self.reset(boxes.has_layers());
        let mut entries = along_curve(boxes, &self.world.bounds());
        self.homes.reserve(entries.len());
        let all = 0..entries.len();
        self.load(boxes, &self.root(), &mut entries, all, &mut Vec::new());
    }

    fn fits(&self, boxes: &Boxes<S>) -> bool {
        self.world.fits(boxes)
    }

    fn insert(&mut self, boxes: &Boxes<S>, id: u32) {
        self.link(boxes, id, self.home_of(boxes.at(id), self.root()));
    }

    fn remove(&mut self, _boxes: &Boxes<S>, id: u32) {
        self.unlink(id);
    }

    fn update(&mut self, boxes: &Boxes<S>, id: u32, _old: Aabb<S>) {
        let (old, bounds) = (self.homes.of(id), boxes.at(id));
        if old & LINE == 0 {
            let (node, list) = (self.nodes.get_mut(old / 2), old as usize % 2);
            if node.keeps(list, bounds) {
                return node.widen(list, bounds);
            }
        }
        let (place, list) = self.home_of(bounds, self.root());
        if self.home_in(place.node, list, bounds) == old {
            self.nodes.get_mut(place.node).widen(list, bounds);
        } else {
            self.unlink(id);
            self.link(boxes, id, (place, list));
        }
    }

    fn set_layers(&mut self, boxes: &Boxes<S>, id: u32) {
        let (place, _) = self.home_of(boxes.at(id), self.root());
        self.widen_layers(boxes, id, place.node);
    }

    fn clear(&mut self) {
        self.reset(false);
    }

    fn reserve(&mut self, additional: usize) {
        self.homes.reserve(additional);
    }

    fn maintain(&mut self, boxes: &Boxes<S>) {
        self.tidy(boxes, 0, self.options.capacity / 2);
        if self.nodes.keeps_layers() {
            tree::tighten_layers(&mut self.nodes, 0, &|node| listed_layers((&self.lines, &self.homes), boxes, node));
        }
    }

    fn search<Q: Question<S>>(&self, boxes: &Boxes<S>, question: Q) -> impl Iterator<Item = u32> {
        let bounds = question.bounds();
        self.walk(question.clone()).flat_map(move |place| {
            let question = question.clone();
            let ids = self.near(self.nodes.get(place.node), bounds);
            ids.filter(move |&id| is_answer(&question, boxes, id))
        })
    }

    /// Each box of a node with those after it in the same node, then with all boxes below that it touches.
    fn search_pairs(&self, boxes: &Boxes<S>, part: Part) -> impl Iterator<Item = (u32, u32)> {
        part.of(self.walk(Overlaps(Aabb::EVERYTHING)), self.nodes.len()).flat_map(move |place| {
            let node = self.nodes.get(place.node);
            let plain = tails(self.lists(node.plain())).map(|(a, rest)| (a, rest, NONE));
            let lines = node.lines().into_iter().flatten();
            let stretches = lines.flat_map(|line| self.lines.touching(line, &Aabb::EVERYTHING));
            let divided = stretches.flat_map(move |stretch| {
                tails(self.lists([self.lines.get(stretch).head, NONE])).map(move |(a, rest)| (a, rest, stretch))
            });
            plain.chain(divided).flat_map(move |(a, rest, stretch)| {
                let bounds = *boxes.at(a);
                let below = node.children().map(|_| {
                    Walk::below(&self.nodes, self.world.bounds(), place, partners(boxes, bounds, boxes.layers(a)))
                });
                let below = below.into_iter().flatten();
                rest.chain(self.beside(node, stretch, bounds))
                    .chain(below.flat_map(move |place| self.near(self.nodes.get(place.node), bounds)))
                    .filter(move |&b| bounds.intersects(boxes.at(b)) & boxes.meet(a, b))
                    .map(move |b| (a.min(b), a.max(b)))
            })
        })
    }

    fn visit_lists<B>(
        &self,
        _boxes: &Boxes<S>,
        mut visit: impl FnMut(Node<S>, &mut dyn Iterator<Item = u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.walk(Overlaps(Aabb::EVERYTHING)).try_for_each(|place| {
            let node = self.nodes.get(place.node);
            let kind = if node.first == NONE { NodeKind::Leaf } else { NodeKind::Branch };
            let population = node.count as usize;
            let depth = place.depth.into();
            visit(Node { bounds: place.cell.to_aabb(), depth, population, kind }, &mut self.own(node))
        })
    }

    fn stats(&self, boxes: &Boxes<S>) -> Stats {
        let mut stats = Stats { nodes: self.nodes.len(), listed: boxes.len(), ..Stats::default() };
        for place in self.walk(Overlaps(Aabb::EVERYTHING)) {
            let node = self.nodes.get(place.node);
            stats.depth = stats.depth.max(place.depth.into());
            stats.leaves += usize::from(node.first == NONE);
            let longest = match node.lines() {
                None => node.count,
                Some(lines) => {
                    let stretches = lines.into_iter().flat_map(|line| self.lines.touching(line, &Aabb::EVERYTHING));
                    stretches.map(|stretch| self.lines.get(stretch).count).max().unwrap_or(0)
                }
            };
            stats.longest_list = stats.longest_list.max(longest as usize);
        }
        [stats.bytes_used, stats.bytes_reserved] =
            add_bytes([self.nodes.bytes(), self.lines.bytes(), self.homes.bytes()]);
        stats
    }

    fn validate(&self, boxes: &Boxes<S>) -> Result<(), Corruption> {
        self.options.check()?;
        self.world.validate(self.options.world)?;
        self.nodes.validate(LineNode::children, self.options.max_depth)?;
        let places = || tree::all_places(&self.nodes, &self.world.bounds());
        self.validate_lines()?;
        let lists = |place: Place<S>| {
            let node = self.nodes.get(place.node);
            let plain = node.plain();
            let lines = node.lines().into_iter().flatten();
            let stretches = lines.flat_map(|line| self.lines.touching(line, &Aabb::EVERYTHING));
            let divided = stretches.map(|stretch| (LINE | stretch, self.lines.get(stretch).head));
            [0, 1].map(|list| (home(place.node, list), plain[list])).into_iter().chain(divided)
        };
        self.homes.validate(boxes, places().flat_map(lists))?;
        places().try_for_each(|place| self.validate_node(boxes, &place))?;
        for (id, bounds) in boxes.iter() {
            let (place, list) = self.home_of(&bounds, self.root());
            let (is, should) = (self.homes.of(id), self.home_in(place.node, list, &bounds));
            Corruption::unless(is == should, || alloc::format!("box {id} lives in list {is} instead of {should}"))?;
        }
        tree::validate_layers(&self.nodes, |node| listed_layers((&self.lines, &self.homes), boxes, node))
    }
}
