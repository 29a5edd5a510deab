//! Contacts between boxes, kept from one step to the next.

use alloc::vec::Vec;

use super::pending::Pending;
use super::rows::{Meeting, Rows};
use crate::error::Corruption;
use crate::storage::NONE;

/// A graph of the pairs whose *fat* boxes overlap and whose layers meet. Each contact knows whether the exact boxes
/// overlap too.
///
/// The plain way to find begin and end events is to compute all pairs each step and compare them with the last step's.
/// Where most fat boxes change, that is what happens: each pair is looked up in the row of its lower id, where the last
/// walk left it, so nearly always the first look finds it; new pairs are put aside.
///
/// Where few change, this graph gets the same answer from moved boxes alone, as physics engines do (E. Catto, *Dynamic
/// bounding volume hierarchies*, 2019):
///
/// 1. A fat box changes rarely. Only then is the index asked for its overlaps, and contacts are added and dropped. If two
///    overlapping fat boxes have both changed, the lower id asks.
/// 2. For a box that moved within its fat box, only its own contacts are checked: a handful.
/// 3. What did not move costs nothing.
///
/// For that, a contact must be found from both its ends. It is *linked*: the row of its higher id has it too, and each
/// entry stores the other's place. A walk over all pairs keeps no links; they are made when they are needed.
///
/// ```text
/// contacts:  lower id  → [ higher id | since, link ] …      the link is where the contact is in the other's row
/// links:     higher id → [ lower id  | link ] …
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Graph {
    /// By lower id.
    contacts: Rows<Contact>,
    /// By higher id. Empty unless `is_linked`.
    links: Rows<u32>,
    is_linked: bool,
    /// How many contacts do not touch.
    apart: usize,
    /// Steps taken.
    step: u32,
    /// Pairs that this walk has not found where it expected them, the lower id in the upper half. Empty between steps.
    #[cfg_attr(feature = "serde", serde(skip))]
    unmet: Vec<u64>,
    /// By id: the stamp of the refit that already found it as a neighbor.
    #[cfg_attr(feature = "serde", serde(skip))]
    marks: Vec<u32>,
    #[cfg_attr(feature = "serde", serde(skip))]
    stamp: u32,
    /// By id: how many links it will have. Kept to reuse its memory.
    #[cfg_attr(feature = "serde", serde(skip))]
    lens: Vec<u32>,
}

/// What is known of two ids whose fat boxes overlap.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Contact {
    /// The step in which the boxes began to touch; [`NONE`] if they do not.
    since: u32,
    /// Where the contact is among the links of the higher id; meaningless while there are none.
    link: u32,
}

impl Default for Contact {
    fn default() -> Self {
        Self { since: NONE, link: 0 }
    }
}

impl Contact {
    fn is_touching(&self) -> bool {
        self.since != NONE
    }
}

/// What becomes of the contact between two ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Begin,
    End,
}

impl Graph {
    /// Begins a step.
    pub(super) fn begin_step(&mut self) {
        self.step = self.step.wrapping_add(1) % NONE;
    }

    /// `true` if all boxes whose fat boxes overlap touch, too.
    pub(super) fn all_touch(&self) -> bool {
        self.apart == 0
    }

    /// Notes whether the boxes of a contact touch, and says what has changed.
    #[inline]
    fn retouch_one(contact: &mut Contact, apart: &mut usize, step: u32, is_touching: bool) -> Option<Change> {
        match (contact.is_touching(), is_touching) {
            (false, true) => {
                contact.since = step;
                *apart -= 1;
                Some(Change::Begin)
            }
            (true, false) => {
                contact.since = NONE;
                *apart += 1;
                Some(Change::End)
            }
            _ => None,
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

    fn is_marked(&self, id: u32) -> bool {
        self.marks.get(id as usize) == Some(&self.stamp)
    }

    /// The pairs that touch, as (lower id, higher id), in order of lower ids; with or without those that began in the
    /// last step.
    pub(super) fn touching(&self, with_new: bool) -> impl Iterator<Item = (u32, u32)> {
        self.contacts.iter().flat_map(move |(id, row)| {
            let is_shown = move |since| since != NONE && (with_new || since != self.step);
            row.filter(move |(_, contact)| is_shown(contact.since)).map(move |(other, _)| (id, other))
        })
    }
}

/// # All pairs at once
impl Graph {
    /// Begins a walk over all pairs of ids below `limit` whose fat boxes overlap.
    pub(super) fn begin_walk(&mut self, limit: usize) {
        self.is_linked = false;
        self.links.clear();
        self.contacts.make_ids(limit);
    }

    /// Meets one of all pairs, the lower id first, each once. New ones touch if fat boxes `are_exact`.
    #[inline]
    pub(super) fn meet(&mut self, id: u32, other: u32, are_exact: bool, changed: &mut impl FnMut(Change, u32, u32)) {
        match self.contacts.meet(id, other) {
            Meeting::Known => {}
            Meeting::New => self.meet_new(id, other, are_exact, changed),
            Meeting::Unclear => self.unmet.push(u64::from(id) << 32 | u64::from(other)),
        }
    }

    /// Abandons a walk. All contacts are still there, besides new ones.
    pub(super) fn give_up(&mut self) {
        self.unmet.clear();
        self.contacts.give_up();
    }

    /// Ends a walk that has met all pairs: contacts that it did not meet end. New ones touch if fat boxes `are_exact`.
    pub(super) fn settle(&mut self, are_exact: bool, mut changed: impl FnMut(Change, u32, u32)) {
        let mut unmet = core::mem::take(&mut self.unmet);
        unmet.sort_unstable();
        for group in unmet.chunk_by(|one, other| one >> 32 == other >> 32) {
            self.settle_row(group, are_exact, &mut changed);
        }
        unmet.clear();
        self.unmet = unmet;
        let Self { contacts, apart, .. } = self;
        contacts.end_walk(|id, other, contact| {
            if contact.is_touching() {
                changed(Change::End, id, other);
            } else {
                *apart -= 1;
            }
        });
    }

    /// Settles a row with pairs that were not where expected: they are new, or farther back in the row.
    #[expect(clippy::cast_possible_truncation, reason = "halves of a number are meant")]
    fn settle_row(&mut self, unmet: &[u64], are_exact: bool, changed: &mut impl FnMut(Change, u32, u32)) {
        let id = (unmet[0] >> 32) as u32;
        let others = unmet.iter().map(|&pair| pair as u32);
        self.new_stamp();
        others.clone().for_each(|other| self.mark(other));
        for at in self.contacts.met(id)..self.contacts.len(id) {
            let (other, _) = self.contacts.get(id, at);
            if self.is_marked(other) {
                self.marks[other as usize] = 0;
                self.contacts.meet_at(id, at);
            }
        }
        for other in others {
            if self.is_marked(other) {
                self.meet_new(id, other, are_exact, changed);
            }
        }
    }

    fn meet_new(&mut self, id: u32, other: u32, are_exact: bool, changed: &mut impl FnMut(Change, u32, u32)) {
        self.add(id, other, 0, are_exact, changed);
        self.contacts.meet_at(id, self.contacts.len(id) - 1);
    }

    /// A new contact, without its link.
    fn add(&mut self, id: u32, other: u32, link: u32, is_touching: bool, changed: &mut impl FnMut(Change, u32, u32)) {
        let since = if is_touching { self.step } else { NONE };
        self.contacts.push(id, other, Contact { since, link });
        if is_touching { changed(Change::Begin, id, other) } else { self.apart += 1 }
    }

    /// Checks all contacts with an end that `has_moved`, in memory order.
    #[inline]
    pub(super) fn retouch_all(
        &mut self,
        has_moved: impl Fn(u32) -> bool,
        touch: impl Fn(u32, u32) -> bool,
        changed: &mut impl FnMut(Change, u32, u32),
    ) {
        for id in 0..self.contacts.ids() {
            let (others, contacts) = self.contacts.row_mut(id);
            for (&other, contact) in others.iter().zip(contacts) {
                if has_moved(id) || has_moved(other) {
                    let change = Self::retouch_one(contact, &mut self.apart, self.step, touch(id, other));
                    change.into_iter().for_each(|change| changed(change, id, other));
                }
            }
        }
    }
}

/// # One id after the other
impl Graph {
    /// Links contacts, so that both ends know them.
    pub(super) fn link(&mut self) {
        if core::mem::replace(&mut self.is_linked, true) {
            return;
        }
        let Self { contacts, links, lens, .. } = self;
        lens.clear();
        lens.resize(contacts.ids() as usize, 0);
        for id in contacts.filled() {
            contacts.others(id).iter().for_each(|&other| lens[other as usize] += 1);
        }
        links.lay_out(lens);
        for id in 0..contacts.ids() {
            for at in 0..contacts.len(id) {
                let (other, _) = contacts.get(id, at);
                contacts.note_mut(id, at).link = links.len(other);
                links.push(other, id, at);
            }
        }
    }

    fn connect(&mut self, a: u32, b: u32, is_touching: bool, changed: &mut impl FnMut(Change, u32, u32)) {
        let [id, other] = [a.min(b), a.max(b)];
        self.contacts.make_ids(other as usize + 1);
        self.links.make_ids(other as usize + 1);
        let [at, link] = [self.contacts.len(id), self.links.len(other)];
        self.links.push(other, id, at);
        self.add(id, other, link, is_touching, changed);
    }

    /// Drops the contact at a place in the row of its lower id, and reports it to `ended` if it touched.
    fn disconnect(&mut self, id: u32, at: u32, mut ended: impl FnMut(u32, u32)) {
        let Self { contacts, links, .. } = self;
        let (other, contact) = contacts.swap_remove(id, at);
        if at < contacts.len(id) {
            let (moved, Contact { link, .. }) = contacts.get(id, at);
            *links.note_mut(moved, link) = at;
        }
        links.swap_remove(other, contact.link);
        if contact.link < links.len(other) {
            let (moved, at) = links.get(other, contact.link);
            contacts.note_mut(moved, at).link = contact.link;
        }
        contacts.fit(id);
        links.fit(other);
        if contact.is_touching() {
            ended(id, other);
        } else {
            self.apart -= 1;
        }
    }

    /// The contacts of `id`, last first, each as its other end and where it is: the id of the row, and the place there.
    /// The current contact may be dropped meanwhile.
    fn next_of(&self, id: u32, left: &mut [u32; 2]) -> Option<(u32, (u32, u32))> {
        if left[0] > 0 {
            left[0] -= 1;
            return Some((self.contacts.get(id, left[0]).0, (id, left[0])));
        }
        left[1] = left[1].checked_sub(1)?;
        let (other, at) = self.links.get(id, left[1]);
        Some((other, (other, at)))
    }

    /// How many contacts `id` has as the lower and as the higher id.
    fn lens_of(&self, id: u32) -> [u32; 2] {
        [self.contacts.len(id), self.links.len(id)]
    }

    /// Gives `id` contacts with exactly `others`, limited to those that `asks` leaves to it. `overlaps` says whether an id
    /// is among `others`. Contacts that are dropped are reported if they touched, and new ones if fat boxes `are_exact`.
    #[inline]
    pub(super) fn refit(
        &mut self,
        id: u32,
        asks: impl Fn(u32) -> bool,
        overlaps: impl Fn(u32) -> bool,
        others: impl Iterator<Item = u32>,
        are_exact: bool,
        changed: &mut impl FnMut(Change, u32, u32),
    ) {
        self.link();
        self.new_stamp();
        let mut left = self.lens_of(id);
        while let Some((other, (lower, at))) = self.next_of(id, &mut left) {
            if !asks(other) {
                // The other end looks after this one.
            } else if overlaps(other) {
                self.mark(other);
            } else {
                self.disconnect(lower, at, |a, b| changed(Change::End, a, b));
            }
        }
        for other in others {
            if !self.is_marked(other) {
                self.connect(id, other, are_exact, changed);
            }
        }
    }

    /// Checks the contacts of `id` that `asks` leaves to it, and reports those that begin or cease to touch.
    #[inline]
    pub(super) fn retouch(
        &mut self,
        id: u32,
        asks: impl Fn(u32) -> bool,
        touch: impl Fn(u32, u32) -> bool,
        changed: &mut impl FnMut(Change, u32, u32),
    ) {
        self.link();
        let mut left = self.lens_of(id);
        while let Some((other, (lower, at))) = self.next_of(id, &mut left) {
            if asks(other) {
                let [a, b] = [id.min(other), id.max(other)];
                let contact = self.contacts.note_mut(lower, at);
                let change = Self::retouch_one(contact, &mut self.apart, self.step, touch(a, b));
                change.into_iter().for_each(|change| changed(change, a, b));
            }
        }
    }

    /// Drops the contacts of `id`; reports those that touched.
    pub(super) fn forget(&mut self, id: u32, mut ended: impl FnMut(u32, u32)) {
        self.link();
        let mut left = self.lens_of(id);
        while let Some((_, (lower, at))) = self.next_of(id, &mut left) {
            self.disconnect(lower, at, &mut ended);
        }
    }
}

/// # Checking
impl Graph {
    /// Every contact is where it should be. There is one for each of `pairs` (both ends' fat boxes overlap, their layers
    /// meet, and neither end waits for a refit; each once), and contacts between boxes at rest are right. `overlap` is
    /// `None` if one of the two does not exist. Terminates without a panic, whatever the contacts say.
    ///
    /// A contact that waits for no refit is one of `pairs`, and no two are the same. So if the counts agree, none is
    /// missing. Looking up each pair instead took most of the time.
    pub(super) fn validate(
        &self,
        pending: &Pending,
        pairs: impl Iterator<Item = (u32, u32)>,
        overlap: impl Fn(u32, u32) -> Option<bool>,
        touch: impl Fn(u32, u32) -> bool,
    ) -> Result<(), Corruption> {
        self.validate_rows()?;
        let (mut settled, mut apart) = (0, 0);
        for (a, row) in self.contacts.iter() {
            for (b, contact) in row {
                let is_settled = !pending.is_refitted(a) && !pending.is_refitted(b);
                let at_rest = !pending.has_moved(a) && !pending.has_moved(b);
                let is_known = |overlap| overlap && (!at_rest || touch(a, b) == contact.is_touching());
                let is_right = a < b && overlap(a, b).is_some_and(|overlap| !is_settled || is_known(overlap));
                Corruption::unless(is_right, || {
                    alloc::format!("contact of {a} and {b} is wrong (since {})", contact.since)
                })?;
                settled += usize::from(is_settled);
                apart += usize::from(!contact.is_touching());
            }
        }
        Corruption::unless(apart == self.apart, || alloc::format!("{apart} contacts apart, not {}", self.apart))?;
        Corruption::unless(pairs.take(settled + 1).count() == settled, || {
            alloc::format!("{settled} contacts, and more pairs of overlapping fat boxes")
        })
    }

    /// Rows are sound and have no other id twice; if there are links, one for each contact, and they know each other.
    fn validate_rows(&self) -> Result<(), Corruption> {
        self.contacts.validate()?;
        self.links.validate()?;
        // By id: the last id in whose row it was met.
        let mut met = alloc::vec![NONE; self.contacts.ids() as usize];
        let (mut listed, mut linked) = (0_usize, 0_usize);
        for (id, row) in self.contacts.iter() {
            for (at, (other, Contact { link, .. })) in (0..).zip(row) {
                let is_new = met.get_mut(other as usize).is_some_and(|met| core::mem::replace(met, id) != id);
                Corruption::unless(is_new, || alloc::format!("two contacts of {id} and {other}, or no row"))?;
                listed += 1;
                let is_known =
                    !self.is_linked || link < self.links.len(other) && self.links.get(other, link) == (id, at);
                Corruption::unless(is_known, || alloc::format!("{other} has no link to {id}"))?;
            }
        }
        (0..self.links.ids()).for_each(|id| linked += self.links.len(id) as usize);
        Corruption::unless(linked == if self.is_linked { listed } else { 0 }, || {
            alloc::format!("{linked} links of {listed} contacts")
        })
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

    fn connected(pairs: &[(u32, u32)]) -> Graph {
        let mut graph = Graph::default();
        graph.link();
        pairs.iter().for_each(|&(a, b)| graph.connect(a, b, false, &mut |_, _, _| ()));
        graph
    }

    #[test]
    fn every_overlapping_pair_has_one_contact_and_no_other_has() {
        assert_eq!(check(&connected(&PAIRS)), Ok(()));
        let mut reconnected = connected(&PAIRS);
        reconnected.disconnect(0, 1, |_, _| ());
        assert!(check(&reconnected).is_err(), "one is missing");
        reconnected.connect(2, 0, false, &mut |_, _, _| ());
        assert_eq!(check(&reconnected), Ok(()));
        for (pairs, what) in [
            (&[][..], "all are missing"),
            (&[(0, 1), (0, 2), (0, 2)], "one is missing, another is there twice"),
            (&[(0, 1), (0, 2), (1, 2), (1, 2)], "one is there twice"),
            (&[(0, 1), (0, 2), (1, 2), (1, 3)], "one is too many"),
            (&[(0, 1), (0, 2), (1, 3)], "one is wrong"),
        ] {
            assert!(check(&connected(pairs)).is_err(), "{what}");
        }
    }

    #[test]
    fn links_lead_to_their_contacts_or_there_are_none() {
        let mut graph = connected(&PAIRS);
        *graph.links.note_mut(2, 0) = 0;
        assert!(check(&graph).is_err(), "to another contact");
        graph.is_linked = false;
        assert!(check(&graph).is_err(), "links that nobody keeps up");
        graph.links.clear();
        assert_eq!(check(&graph), Ok(()));
        graph.link();
        assert_eq!(check(&graph), Ok(()));
        graph.apart = 2;
        assert!(check(&graph).is_err(), "three are apart");
    }

    #[test]
    fn contacts_know_whether_boxes_at_rest_touch() {
        let mut graph = connected(&PAIRS);
        graph.contacts.note_mut(0, 1).since = 1;
        graph.apart = 2;
        assert!(check(&graph).is_err());
        let mut pending = Pending::default();
        pending.note(2, false);
        assert_eq!(check_with(&graph, &pending), Ok(()), "that will be looked at in the next step");
    }
}
