//! Contacts between boxes, kept from one step to the next.

use alloc::vec::Vec;

use super::pending::Pending;
use crate::error::Corruption;
use crate::storage::NONE;

/// A graph of the pairs whose *fat* boxes overlap and whose layers meet. Each edge knows whether the exact boxes
/// overlap too.
///
/// The plain way to find begin and end events is to compute all pairs each step and compare them with the last step's.
/// This graph gets the same answer from moved boxes alone, as physics engines do (E. Catto, *Dynamic bounding volume
/// hierarchies*, 2019):
///
/// 1. A fat box changes rarely. Only then is the index asked for its overlaps, and edges are added and dropped. If two
///    overlapping fat boxes have both changed, the lower id asks.
/// 2. For a box that moved within its fat box, only its own edges are checked: a handful.
/// 3. What did not move costs nothing.
///
/// Where most boxes change, the index is asked once for all pairs, and all edges are checked in one pass.
///
/// An edge is in the lists of both its ends. A *half* is one end of an edge, numbered `2 · edge + end`:
///
/// ```text
/// heads[id] → half → half → … → NONE        edges: [ ends | next | before | touching since ]
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Graph {
    edges: Vec<Edge>,
    /// First of the chain of free edges, through `next[0]`.
    free: Option<u32>,
    /// By id: the first half of its list.
    heads: Vec<u32>,
    /// Steps taken.
    step: u32,
    /// By id: the stamp of the refit that already found it as a neighbor.
    #[cfg_attr(feature = "serde", serde(skip))]
    marks: Vec<u32>,
    #[cfg_attr(feature = "serde", serde(skip))]
    stamp: u32,
}

/// A pair of ids whose fat boxes overlap. 28 bytes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Edge {
    ids: [u32; 2],
    next: [u32; 2],
    before: [u32; 2],
    /// The step in which the boxes began to touch; [`NONE`] if they do not.
    since: u32,
}

impl Edge {
    fn is_live(&self) -> bool {
        self.ids[0] != NONE
    }

    /// Notes whether the boxes touch, and says what has changed.
    #[inline]
    fn retouch(&mut self, step: u32, is_touching: bool) -> Option<Change> {
        match (self.since != NONE, is_touching) {
            (false, true) => {
                self.since = step;
                Some(Change::Begin)
            }
            (true, false) => {
                self.since = NONE;
                Some(Change::End)
            }
            _ => None,
        }
    }
}

/// What becomes of the edge between two ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Begin,
    End,
}

impl Graph {
    fn head(&self, id: u32) -> u32 {
        self.heads.get(id as usize).copied().unwrap_or(NONE)
    }

    fn halves(&self, id: u32) -> impl Iterator<Item = u32> {
        let is_half = |half: &u32| *half != NONE;
        let next = move |&half: &u32| Some(self.edges[half as usize / 2].next[half as usize % 2]).filter(is_half);
        core::iter::successors(Some(self.head(id)).filter(is_half), next)
    }

    fn connect(&mut self, a: u32, b: u32) {
        let heads = self.heads.len().max(a.max(b) as usize + 1);
        self.heads.resize(heads, NONE);
        let edge = Edge { ids: [a.min(b), a.max(b)], next: [NONE; 2], before: [NONE; 2], since: NONE };
        let at = match self.free {
            Some(at) => {
                self.free = Some(self.edges[at as usize].next[0]).filter(|&next| next != NONE);
                self.edges[at as usize] = edge;
                at
            }
            None => {
                self.edges.push(edge);
                u32::try_from(self.edges.len() - 1).expect("edges are fewer than 2^31")
            }
        };
        for (end, half) in [(0, 2 * at), (1, 2 * at + 1)] {
            let head = core::mem::replace(&mut self.heads[edge.ids[end] as usize], half);
            self.edges[at as usize].next[end] = head;
            if head != NONE {
                self.edges[head as usize / 2].before[head as usize % 2] = half;
            }
        }
    }

    fn disconnect(&mut self, at: u32) {
        let Edge { ids, next, before, .. } = self.edges[at as usize];
        for end in 0..2 {
            if before[end] == NONE {
                self.heads[ids[end] as usize] = next[end];
            } else {
                self.edges[before[end] as usize / 2].next[before[end] as usize % 2] = next[end];
            }
            if next[end] != NONE {
                self.edges[next[end] as usize / 2].before[next[end] as usize % 2] = before[end];
            }
        }
        self.edges[at as usize].next[0] = self.free.unwrap_or(NONE);
        self.edges[at as usize].ids = [NONE; 2];
        self.free = Some(at);
    }

    /// Begins a step.
    pub(super) fn begin_step(&mut self) {
        self.step = self.step.wrapping_add(1) % NONE;
    }

    /// Gives `id` edges to exactly `others`, limited to those that `asks` leaves to it. `overlaps` says whether an id
    /// is among `others`. Edges that are dropped are reported to `ended` if they touched.
    #[inline]
    pub(super) fn refit(
        &mut self,
        id: u32,
        asks: impl Fn(u32) -> bool,
        overlaps: impl Fn(u32) -> bool,
        others: impl Iterator<Item = u32>,
        mut ended: impl FnMut(u32, u32),
    ) {
        self.new_stamp();
        let mut half = self.head(id);
        while half != NONE {
            let edge = self.edges[half as usize / 2];
            let other = edge.ids[1 - half as usize % 2];
            if !asks(other) {
                // The other end looks after this one.
            } else if overlaps(other) {
                self.mark(other);
            } else {
                if edge.since != NONE {
                    ended(edge.ids[0], edge.ids[1]);
                }
                self.disconnect(half / 2);
            }
            half = edge.next[half as usize % 2];
        }
        for other in others {
            if self.marks.get(other as usize) != Some(&self.stamp) {
                self.connect(id, other);
            }
        }
    }

    fn new_stamp(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.marks.fill(0);
            self.stamp = 1;
        }
    }

    fn mark(&mut self, id: u32) {
        let slots = self.marks.len().max(id as usize + 1);
        self.marks.resize(slots, 0);
        self.marks[id as usize] = self.stamp;
    }

    /// Checks the edges of `id` that `asks` leaves to it, and reports those that begin or cease to touch.
    #[inline]
    pub(super) fn retouch(
        &mut self,
        id: u32,
        asks: impl Fn(u32) -> bool,
        touch: impl Fn(u32, u32) -> bool,
        changed: &mut impl FnMut(Change, u32, u32),
    ) {
        let mut half = self.head(id);
        while half != NONE {
            let edge = &mut self.edges[half as usize / 2];
            let end = half as usize % 2;
            let [a, b] = edge.ids;
            let change = if asks(edge.ids[1 - end]) { edge.retouch(self.step, touch(a, b)) } else { None };
            if let Some(change) = change {
                changed(change, a, b);
            }
            half = edge.next[end];
        }
    }

    /// Checks all edges with an end that `has_moved`, in memory order.
    #[inline]
    pub(super) fn retouch_all(
        &mut self,
        has_moved: impl Fn(u32) -> bool,
        touch: impl Fn(u32, u32) -> bool,
        changed: &mut impl FnMut(Change, u32, u32),
    ) {
        for edge in self.edges.iter_mut().filter(|edge| edge.is_live() && edge.ids.iter().any(|&id| has_moved(id))) {
            let [a, b] = edge.ids;
            if let Some(change) = edge.retouch(self.step, touch(a, b)) {
                changed(change, a, b);
            }
        }
    }

    /// Drops the edges of `id`; reports those that touched.
    pub(super) fn forget(&mut self, id: u32, mut ended: impl FnMut(u32, u32)) {
        while self.head(id) != NONE {
            let at = self.head(id) / 2;
            let edge = self.edges[at as usize];
            if edge.since != NONE {
                ended(edge.ids[0], edge.ids[1]);
            }
            self.disconnect(at);
        }
    }

    /// The pairs that touch, as (lower id, higher id), in order of lower ids; with or without those that began in the
    /// last step.
    pub(super) fn touching(&self, with_new: bool) -> impl Iterator<Item = (u32, u32)> {
        (0..).take(self.heads.len()).flat_map(move |id| self.halves(id)).filter_map(move |half| {
            let edge = &self.edges[half as usize / 2];
            let is_shown = edge.since != NONE && (with_new || edge.since != self.step);
            (half % 2 == 0 && is_shown).then_some((edge.ids[0], edge.ids[1]))
        })
    }

    /// Every edge is in the lists of both its ends. There is one edge for each of `pairs` (both ends' fat boxes
    /// overlap, their layers meet, and neither end waits for a refit; each once), and edges between boxes at rest are
    /// right. `overlap` is `None` if one of the two does not exist. Terminates without a panic, whatever the edges say.
    ///
    /// An edge that waits for no refit is one of `pairs`, and no two are the same. So if the counts agree, none is
    /// missing. Looking up each pair instead took most of the time.
    pub(super) fn validate(
        &self,
        pending: &Pending,
        pairs: impl Iterator<Item = (u32, u32)>,
        overlap: impl Fn(u32, u32) -> Option<bool>,
        touch: impl Fn(u32, u32) -> bool,
    ) -> Result<(), Corruption> {
        let Pending { moved, refitted } = pending;
        self.validate_lists()?;
        let mut settled = 0;
        for &Edge { ids: [a, b], since, .. } in self.edges.iter().filter(|edge| edge.is_live()) {
            let is_settled = !refitted.contains(a) && !refitted.contains(b);
            let at_rest = !moved.contains(a) && !moved.contains(b);
            let is_known = |overlap| overlap && (!at_rest || touch(a, b) == (since != NONE));
            let is_right = a < b && overlap(a, b).is_some_and(|overlap| !is_settled || is_known(overlap));
            Corruption::unless(is_right, || alloc::format!("contact of {a} and {b} is wrong (since {since})"))?;
            settled += usize::from(is_settled);
        }
        Corruption::unless(pairs.take(settled + 1).count() == settled, || {
            alloc::format!("{settled} contacts, and more pairs of overlapping fat boxes")
        })
    }

    /// The lists are linked both ways, contain no neighbor twice, and hold both halves of each live edge. The chain of
    /// free edges holds all others.
    fn validate_lists(&self) -> Result<(), Corruption> {
        let mut halves = 0;
        // By id: the last id in whose list it was met.
        let mut met = alloc::vec![NONE; self.heads.len()];
        for (id, &head) in (0..).zip(&self.heads) {
            let (mut before, mut half) = (NONE, head);
            while half != NONE {
                let end = half as usize % 2;
                let edge =
                    self.edges.get(half as usize / 2).filter(|edge| edge.ids[end] == id && edge.before[end] == before);
                let Some(edge) = edge else {
                    return Err(Corruption::new(alloc::format!(
                        "half {half} is not of {id}, or does not follow {before}"
                    )));
                };
                let other = edge.ids[1 - end];
                let is_new = met.get_mut(other as usize).is_some_and(|met| core::mem::replace(met, id) != id);
                Corruption::unless(is_new, || alloc::format!("two contacts of {id} and {other}, or no list"))?;
                (before, half, halves) = (half, edge.next[end], halves + 1);
            }
        }
        let (mut free, mut next) = (0, self.free);
        while let Some(at) = next {
            let edge = self.edges.get(at as usize).filter(|edge| !edge.is_live() && free < self.edges.len());
            let Some(edge) = edge else {
                return Err(Corruption::new(alloc::format!("edge {at} is in the chain of free ones and is not free")));
            };
            (next, free) = (Some(edge.next[0]).filter(|&next| next != NONE), free + 1);
        }
        let live = self.edges.len() - free;
        Corruption::unless(halves == 2 * live, || alloc::format!("{halves} halves of {live} contacts listed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes 0, 1 and 2 all overlap; 3 overlaps none.
    const PAIRS: [(u32, u32); 3] = [(0, 1), (0, 2), (1, 2)];

    fn check(graph: &Graph) -> Result<(), Corruption> {
        check_with(graph, &Pending::default())
    }

    fn check_with(graph: &Graph, pending: &Pending) -> Result<(), Corruption> {
        graph.validate(pending, PAIRS.into_iter(), |a, b| Some(PAIRS.contains(&(a, b))), |_, _| false)
    }

    fn connected(edges: &[(u32, u32)]) -> Graph {
        let mut graph = Graph::default();
        edges.iter().for_each(|&(a, b)| graph.connect(a, b));
        graph
    }

    #[test]
    fn every_overlapping_pair_has_one_contact_and_no_other_has() {
        assert_eq!(check(&connected(&PAIRS)), Ok(()));
        let mut reconnected = connected(&PAIRS);
        reconnected.disconnect(1);
        assert!(check(&reconnected).is_err(), "one is missing");
        reconnected.connect(2, 0);
        assert_eq!(check(&reconnected), Ok(()));
        for (edges, what) in [
            (&[][..], "all are missing"),
            (&[(0, 1), (0, 2), (0, 2)], "one is missing, another is there twice"),
            (&[(0, 1), (0, 2), (1, 2), (1, 2)], "one is there twice"),
            (&[(0, 1), (0, 2), (1, 2), (1, 3)], "one is too many"),
            (&[(0, 1), (0, 2), (1, 3)], "one is wrong"),
        ] {
            assert!(check(&connected(edges)).is_err(), "{what}");
        }
    }

    #[test]
    fn contacts_know_whether_boxes_at_rest_touch() {
        let mut graph = connected(&PAIRS);
        graph.edges[1].since = 1;
        assert!(check(&graph).is_err());
        let mut pending = Pending::default();
        pending.note(2, false);
        assert_eq!(check_with(&graph, &pending), Ok(()), "that will be looked at in the next step");
    }
}
