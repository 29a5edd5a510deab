//! Boxes in a tree, with reusable memory for boxes that come in and for answers.

use alloc::vec::Vec;
use core::cmp::Ordering::{Equal, Greater, Less};
use core::mem::{replace, swap};
use core::ops::ControlFlow::{Break, Continue};

use quadrille::internals::bits;
use quadrille::{Aabb, Layers};

use crate::curve;
use crate::near::Near;
use crate::pairs::{Stages, sift};
use crate::tree::Tree;

/// A number of answers; `None` if the call is refused. Then nothing has changed.
pub(crate) type Count = Option<usize>;

/// Two ids, the lower one in the lower half: in memory, it is first.
type Pair = u64;

/// How far ahead a pair is looked for among those of the last time. More: fewer are sorted. Fewer: less to look at.
const REACH: usize = 12;

/// After as many that were not found, a pair is looked for now and then, so many times as far ahead as there were: a block
/// may have gone. More: the place is found again sooner. Fewer: less to look at if all have changed.
const FAR: usize = 8;

/// If more than one box in this many has changed, events look at all pairs. More: they do so sooner. Fewer: they look around
/// more boxes one by one.
const MANY: usize = 16;

#[derive(Debug, Default)]
pub(crate) struct Desk {
    tree: Tree,
    stages: Stages,
    /// Written by JavaScript.
    room: Vec<Aabb<f32>>,
    ids: Vec<u32>,
    distances: Vec<f64>,
    near: Near,
    pairs: Vec<Pair>,
    began: Vec<Pair>,
    ended: Vec<Pair>,
    shown: Aabb<f32>,
    shown_layers: [u32; 2],
    /// Pairs as of the last call for events.
    last: Vec<Pair>,
    /// Pairs of then, and of now, that were not found near their places in the other list.
    was: Vec<Pair>,
    is: Vec<Pair>,
    /// Memory to use again.
    spare: Vec<Pair>,
    /// What has happened since, by id; the ids; are they few enough to look at each?
    changes: Vec<u8>,
    changed: Vec<u32>,
    are_few: bool,
}

impl Desk {
    /// The address of the room for this many boxes; `None` if there is no memory for them.
    pub(crate) fn room_for(&mut self, boxes: usize) -> Option<*const u8> {
        self.room.try_reserve(boxes.saturating_sub(self.room.len())).ok()?;
        self.room.resize(boxes, Aabb::EMPTY);
        Some(self.room.as_ptr().cast())
    }

    /// Address and length of a column, in numbers. JavaScript has the same list.
    pub(crate) fn column(&self, column: u32) -> (*const u8, usize) {
        fn of<T>(column: &[T], numbers: usize) -> (*const u8, usize) {
            (column.as_ptr().cast(), column.len() * numbers)
        }
        match column {
            0 => of(&self.ids, 1),
            2 => of(&self.distances, 1),
            3 => of(&self.pairs, 2),
            4 => of(&self.began, 2),
            5 => of(&self.ended, 2),
            6 => of(core::slice::from_ref(&self.shown), 4),
            7 => of(&self.shown_layers, 1),
            _ => of(&self.room, 4),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.tree.len()
    }

    pub(crate) fn slots(&self) -> usize {
        self.tree.slots()
    }

    pub(crate) fn update(&mut self) -> Count {
        self.check_room()?;
        for id in self.room.len()..self.slots() {
            if self.get(id as u32).is_some() {
                self.note(id as u32, Change::GONE);
            }
        }
        self.are_few = false;
        self.tree.set_all(&mut self.room);
        Some(self.len())
    }

    pub(crate) fn insert(&mut self) -> Count {
        self.check_room()?;
        self.ids.clear();
        for row in 0..self.room.len() {
            let id = self.add(self.room[row]);
            self.ids.push(id);
        }
        Some(self.ids.len())
    }

    fn check_room(&self) -> Option<()> {
        self.room.iter().all(Aabb::is_valid).then_some(())
    }

    pub(crate) fn insert_one(&mut self, bounds: Aabb<f32>) -> Count {
        bounds.is_valid().then(|| self.add(bounds) as usize)
    }

    fn add(&mut self, bounds: Aabb<f32>) -> u32 {
        let id = self.tree.insert(bounds);
        self.note(id, Change::HERE);
        id
    }

    pub(crate) fn set_one(&mut self, id: u32, bounds: Aabb<f32>) -> Count {
        self.get(id).filter(|_| bounds.is_valid())?;
        self.tree.set(id, bounds);
        self.note(id, Change::HERE);
        Some(0)
    }

    pub(crate) fn remove_one(&mut self, id: u32) -> Count {
        self.get(id)?;
        self.tree.remove(id);
        self.note(id, Change::GONE);
        Some(0)
    }

    /// Shows the box with an id.
    pub(crate) fn get(&mut self, id: u32) -> Count {
        self.shown = self.tree.get(id)?;
        Some(1)
    }

    pub(crate) fn ids(&mut self) -> Count {
        self.ids.clear();
        self.ids.extend(self.tree.ids());
        Some(self.ids.len())
    }

    /// Shows the layers of a box.
    pub(crate) fn layers(&mut self, id: u32) -> Count {
        self.get(id)?;
        let Layers { own, mask } = self.tree.layers(id);
        self.shown_layers = [own, mask];
        Some(1)
    }

    pub(crate) fn set_layers(&mut self, id: u32, own: u32, mask: u32) -> Count {
        self.get(id)?;
        self.tree.set_layers(id, Layers::new(own, mask));
        self.note(id, Change::HERE);
        Some(0)
    }

    pub(crate) fn maintain(&mut self) {
        self.tree.wear();
        self.tree.settle();
    }

    /// Finds all pairs. Refused if there is no memory for them.
    pub(crate) fn pairs(&mut self) -> Count {
        self.tree.settle();
        self.pairs.clear();
        if self.stages.pairs(&self.tree, &mut self.pairs).is_break() {
            self.pairs.clear();
            return None;
        }
        Some(self.pairs.len())
    }

    /// Finds the pairs that began and ended since the last call. A pair with an id that was removed since has ended, even
    /// if the id is in use again.
    pub(crate) fn events(&mut self) -> Count {
        if !self.are_few {
            self.pairs()?;
        }
        self.part_last();
        if !replace(&mut self.are_few, true) {
            self.put_aside();
            swap(&mut self.last, &mut self.pairs);
        } else {
            self.ask();
            self.last.extend_from_slice(&self.is);
        }
        // First by the upper ids, then by the lower ones, which decide.
        let all = self.was.iter().chain(&self.is).fold(0, |all, pair| all | pair >> 32);
        let bits = u64::BITS - all.leading_zeros();
        for from in [32, 0] {
            for pairs in [&mut self.was, &mut self.is] {
                curve::sort(pairs, &mut self.spare, from..from + bits);
            }
        }
        self.began.clear();
        self.ended.clear();
        let (mut old, mut new) = (self.was.iter().peekable(), self.is.iter().peekable());
        while let Some(order) = order(old.peek(), new.peek()) {
            let (was, is) = (old.next_if(|_| order != Greater), new.next_if(|_| order != Less));
            if order != Equal || was.is_some_and(|&was| has_any(&self.changes, was, Change::GONE)) {
                self.ended.extend(was);
                self.began.extend(is);
            }
        }
        self.changed.drain(..).for_each(|id| self.changes[id as usize] = 0);
        Some(self.began.len())
    }

    /// Takes pairs of the last time aside that may have ended: of boxes that have been removed, or have changed if these
    /// are few.
    fn part_last(&mut self) {
        let Self { last, was, is, changes, changed, .. } = self;
        was.clear();
        is.clear();
        let what = if self.are_few { Change::GONE | Change::HERE } else { Change::GONE };
        if !changed.is_empty() {
            last.retain(|&pair| {
                let may_end = has_any(changes, pair, what);
                was.extend(may_end.then_some(pair));
                !may_end
            });
        }
    }

    /// Finds the pairs of the boxes that have changed.
    fn ask(&mut self) {
        let Self { tree, is, changes, changed, .. } = self;
        tree.settle();
        for &id in &*changed {
            let Some(bounds) = tree.get(id) else { continue };
            let _ = tree.search(&bounds, &mut |order, found| {
                let others = bits(found).map(|lane| order[lane]);
                // Of two that have changed, one finds the pair.
                let others = others.filter(|&other| other > id || other < id && changes[other as usize] == 0);
                is.extend(others.map(|other| u64::from(other.max(id)) << 32 | u64::from(other.min(id))));
                Continue(())
            });
        }
        sift(tree, is, 0);
    }

    /// Puts pairs aside that may have begun or ended. Two walks find pairs in nearly the same order: nearly always, the next
    /// one is the next of the last time.
    fn put_aside(&mut self) {
        let Self { last, was, is, .. } = self;
        let (mut next, mut at, mut lost) = (0, 0, 0_usize);
        loop {
            let same = last[next..].iter().zip(&self.pairs[at..]).take_while(|(old, new)| old == new).count();
            (next, at) = (next + same, at + same);
            let Some(&pair) = self.pairs.get(at) else { break };
            lost = if same > 0 { 0 } else { lost };
            let far = if lost.is_power_of_two() { FAR * lost } else { 0 };
            let reach = if lost < REACH { REACH } else { far };
            if let Some(ahead) = last[next..].iter().take(reach).position(|&old| old == pair) {
                was.extend_from_slice(&last[next..next + ahead]);
                next += ahead;
            } else {
                is.push(pair);
                (at, lost) = (at + 1, lost + 1);
            }
        }
        was.extend_from_slice(&last[next..]);
    }

    /// Notes a change, for the next events.
    fn note(&mut self, id: u32, change: u8) {
        self.changes.resize(self.changes.len().max(id as usize + 1), 0);
        let noted = &mut self.changes[id as usize];
        if *noted == 0 {
            self.changed.push(id);
            self.are_few &= self.changed.len() <= self.tree.len() / MANY;
        }
        *noted |= change;
    }

    /// Finds what overlaps a box; the first `most`. If layers are `seen`, boxes that are on one of them.
    pub(crate) fn search(&mut self, bounds: Aabb<f32>, most: usize, seen: Option<u32>) -> Count {
        self.tree.settle();
        self.ids.clear();
        let (tree, ids) = (&self.tree, &mut self.ids);
        let _ = tree.search(&bounds, &mut |order, found| {
            ids.extend(bits(found).map(|lane| order[lane]).filter(|&id| tree.is_seen(id, seen)));
            if ids.len() < most { Continue(()) } else { Break(()) }
        });
        ids.truncate(most);
        Some(ids.len())
    }

    /// Finds the `most` boxes that are nearest to a point; of equally near ones, those with lower ids.
    pub(crate) fn nearest(&mut self, point: [f32; 2], most: usize, distance: f64, seen: Option<u32>) -> Count {
        self.tree.settle();
        self.ids.clear();
        self.distances.clear();
        self.near.begin(most, distance * distance);
        self.tree.nearest(point, seen, &mut self.near);
        while let Some((id, distance)) = self.near.pop() {
            self.ids.push(id);
            self.distances.push(distance);
        }
        self.ids.reverse();
        self.distances.reverse();
        Some(self.ids.len())
    }
}

/// What has happened to an id, a bit each.
struct Change;

impl Change {
    /// Its box is new or another, or has other layers.
    const HERE: u8 = 1;
    /// It has been removed.
    const GONE: u8 = 2;
}

/// Has one of these changes happened to an id of a pair?
fn has_any(changes: &[u8], pair: Pair, what: u8) -> bool {
    [pair as u32, (pair >> 32) as u32]
        .iter()
        .any(|&id| changes.get(id as usize).is_some_and(|change| change & what != 0))
}

/// Which of two is first, by the lower ids, if there is one.
fn order(one: Option<&&Pair>, other: Option<&&Pair>) -> Option<core::cmp::Ordering> {
    match (one, other) {
        (None, None) => None,
        (Some(_), None) => Some(Less),
        (None, Some(_)) => Some(Greater),
        (Some(one), Some(other)) => Some(one.rotate_left(32).cmp(&other.rotate_left(32))),
    }
}
