//! Which boxes meet: packs by kind, if boxes are of few kinds.
//!
//! All boxes with the same layers are of one kind, and programs have few: players, walls, bullets. So a pack stores the
//! kind of each box in a byte, a bit for each kind, and sixteen of them are compared with the kinds that a box meets at
//! once. Packs whose kinds do not meet are not compared at all: `parted.rs` lets most packs hold a single kind, and then
//! no box is asked for its kind. If every kind meets every other, layers cost nothing.

use alloc::vec::Vec;
use core::array;
use core::mem::take;

use arrayvec::ArrayVec;

use super::order::levels::Levels;
use crate::error::Corruption;
use crate::geometry::{Scalar, sqrt_above};
use crate::kernel::{self, LANES};
use crate::memory::clone_by_field;
use crate::random::STEP;
use crate::storage::{Agreement, Boxes, Layers, NONE, add_bytes, bytes_of, make_room};

/// The most kinds that are distinguished. More: a pack takes more memory and time. Fewer: layers are looked up for every
/// pair sooner.
const MAX_KINDS: usize = 8;

/// Boxes are parted by kind if that leaves at most this many of three pairs of packs per pack. More: parting costs more
/// than it saves. Fewer: packs are compared that need not be.
const WORTH_PARTING: f64 = 2.4;

/// Pairs of packs per pack if all kinds meet.
const ALL_PAIRS: f64 = 3.0;

/// If few kinds meet, everything is sorted more rarely, but no more than this many times. More: queries slow down.
const DEAREST: f64 = 3.0;

/// Places to look a kind up at first.
const PLACES: usize = 64;

/// The kinds of all boxes, as long as there are few. If too many have come, `maintain` begins again.
#[derive(Debug)]
pub(super) struct Kinds {
    kinds: ArrayVec<Layers, MAX_KINDS>,
    /// Which kinds meet each kind, one bit each.
    partners: [u8; MAX_KINDS],
    /// Which layers of all boxes these are, and what they mean: see [`Boxes::layers_version`].
    version: (Agreement, u64),
    /// A hash table: layers as one number, and the bit of their kind; 0 if none has been found there.
    places: [u64; PLACES],
    found: [u8; PLACES],
    /// The kind of each box in a pack, as a bit. A hole is of no kind.
    packs: Vec<[u8; LANES]>,
    /// Which kinds are in each pack, a bit each, padded to whole groups of packs.
    there: Vec<u8>,
    /// Which kinds meet something in each pack.
    wanted: Vec<u8>,
    /// Kinds by id, as bits, for reading all packs: a byte is fetched sooner than layers.
    by_id: Vec<u8>,
    /// No layers have changed since kinds by id were read.
    are_read: bool,
    /// No box has layers, or there are too many kinds.
    is_off: bool,
    /// Every kind meets every other, so packs are not kept.
    is_needless: bool,
}

clone_by_field!([] Kinds {
    kinds, partners, version, places, found, packs, there, wanted, by_id, are_read, is_off, is_needless
});

impl Default for Kinds {
    fn default() -> Self {
        Self {
            kinds: ArrayVec::new(),
            partners: [0; MAX_KINDS],
            version: (Agreement::Both, 0),
            places: [0; PLACES],
            found: [0; PLACES],
            packs: Vec::new(),
            there: Vec::new(),
            wanted: Vec::new(),
            by_id: Vec::new(),
            are_read: false,
            is_off: true,
            is_needless: false,
        }
    }
}

impl Kinds {
    /// Begins again, with this many packs, none of them read yet, if boxes have layers.
    pub(super) fn begin<S: Scalar>(&mut self, boxes: &Boxes<S>, packs: usize) {
        self.read_all(boxes);
        self.resize(packs);
    }

    /// Reads the kinds of all boxes, unless they are unchanged, and forgets all packs.
    pub(super) fn read_all<S: Scalar>(&mut self, boxes: &Boxes<S>) {
        self.clear_packs();
        if self.are_read && self.are_of(boxes) {
            return;
        }
        self.kinds.clear();
        self.found = [0; PLACES];
        self.version = boxes.layers_version();
        (self.is_off, self.is_needless) = (!boxes.has_layers(), false);
        let (all, mut by_id) = (boxes.all_layers(), take(&mut self.by_id));
        by_id.clear();
        make_room(&mut by_id, all.len());
        by_id.resize(all.len(), 0);
        // Free places have all layers, as most boxes without any of their own do. Only if some are free are boxes looked at.
        let is_full = boxes.len() == boxes.slots();
        for ((id, place), &layers) in (0..).zip(&mut by_id).zip(all) {
            if layers == Layers::ALL && !is_full && boxes.get(id).is_none() {
                continue;
            }
            let Some(kind) = self.kind(layers) else { break };
            *place = kind;
        }
        (self.by_id, self.are_read) = (by_id, true);
        self.is_needless = self.all_meet(self, self.agreement());
    }

    /// Continues with the list of a snapshot. All packs must then be read.
    #[inline]
    pub(super) fn restore(&mut self, packs: usize) {
        self.find_partners();
        self.is_needless = !self.is_off && self.all_meet(self, self.agreement());
        self.resize(packs);
    }

    fn clear_packs(&mut self) {
        self.packs.clear();
        self.there.clear();
        self.wanted.clear();
    }

    /// Kinds by id, as bits, and the order in which to place the kinds, if packs of one kind would take less time than
    /// mixed ones. The rarest come first: then most packs meet nothing after them.
    ///
    /// Packs of a kind with a share `p` of all boxes are `1 / √p` times as wide as packs of all would be. Two packs
    /// meet if one of them is within half of both widths of the other. So of two kinds that meet, `(√p + √q)²` pairs
    /// of packs do for each pack of all boxes, within one kind `2 p`, and of all boxes 2. Comparing a pack with itself
    /// counts as one pair more.
    pub(super) fn if_parted<S: Scalar>(&self, boxes: &Boxes<S>) -> Option<(&[u8], ArrayVec<u8, MAX_KINDS>)> {
        if self.is_off || self.is_needless {
            return None;
        }
        let counts: ArrayVec<usize, MAX_KINDS> =
            (0..self.kinds.len()).map(|kind| count(&self.by_id, 1 << kind)).collect();
        let mut turns: ArrayVec<u64, MAX_KINDS> =
            (0..).zip(&counts).map(|(kind, &count)| (count as u64) << 8 | kind).collect();
        turns.sort_unstable();
        let turns = || turns.iter().map(|turn| 1 << (turn % 256)).collect();
        (self.pairs_of_packs(&counts, boxes.len()) < WORTH_PARTING).then(|| (&*self.by_id, turns()))
    }

    /// What a sort costs beside the pairs of packs, as a multiple of the usual: there are fewer pairs if many kinds do not meet.
    pub(super) fn price(&self) -> f64 {
        if self.packs.is_empty() {
            return 1.0;
        }
        let of = self.packs.as_flattened();
        let counts: ArrayVec<usize, MAX_KINDS> = (0..self.kinds.len()).map(|kind| count(of, 1 << kind)).collect();
        (ALL_PAIRS / self.pairs_of_packs(&counts, counts.iter().sum())).clamp(1.0, DEAREST)
    }

    /// How many pairs of packs there are for each pack, if packs hold one kind each and kinds have these numbers of boxes.
    fn pairs_of_packs(&self, counts: &[usize], boxes: usize) -> f64 {
        let share = |kind: usize| counts[kind] as f64 / boxes.max(1) as f64;
        let mut pairs = 0.0;
        for (one, other) in (0..counts.len()).flat_map(|one| (0..=one).map(move |other| (one, other))) {
            let is_met = self.partners[one] >> other & 1 != 0 && counts[one] > 0 && counts[other] > 0;
            let width = sqrt_above(share(one)) + sqrt_above(share(other));
            pairs += if !is_met {
                0.0
            } else if one == other {
                3.0 * share(one)
            } else {
                width * width
            };
        }
        pairs
    }

    /// Are these still the kinds of all boxes, if no single one has changed?
    pub(super) fn are_of<S: Scalar>(&self, boxes: &Boxes<S>) -> bool {
        self.version == boxes.layers_version()
    }

    /// Sets the number of packs. New ones are empty.
    pub(super) fn resize(&mut self, packs: usize) {
        let packs = if self.is_off || self.is_needless { 0 } else { packs };
        make_room(&mut self.packs, packs);
        self.packs.resize(packs, [0; LANES]);
        for kinds in [&mut self.there, &mut self.wanted] {
            make_room(kinds, packs.next_multiple_of(LANES));
            kinds.resize(packs.next_multiple_of(LANES), 0);
        }
    }

    /// Reads a pack for the first time after [`begin`](Self::begin), and returns the union of its layers.
    #[inline]
    pub(super) fn read_first<S: Scalar>(&mut self, boxes: &Boxes<S>, pack: usize, ids: &[u32; LANES]) -> Layers {
        if self.is_off {
            return union(boxes, ids);
        }
        let of: [u8; LANES] = array::from_fn(|lane| self.by_id.get(ids[lane] as usize).copied().unwrap_or(0));
        self.note(pack, of);
        let there = of.iter().fold(0, |there, kind| there | kind);
        let kinds = kernel::bits(there.into()).map(|kind| self.kinds[kind]);
        kinds.fold(Layers::NONE, Layers::union)
    }

    /// Reads a pack again, and returns the union of its layers.
    pub(super) fn read<S: Scalar>(&mut self, boxes: &Boxes<S>, pack: usize, ids: &[u32; LANES]) -> Layers {
        let mut of = [0; LANES];
        for (of, &id) in of.iter_mut().zip(ids).filter(|(_, id)| **id != NONE) {
            *of = self.kind(boxes.layers(id)).unwrap_or(0);
        }
        self.note(pack, of);
        union(boxes, ids)
    }

    /// Stores the kinds of the boxes in a pack.
    fn note(&mut self, pack: usize, of: [u8; LANES]) {
        if let Some(own) = self.packs.get_mut(pack) {
            let there = of.iter().fold(0, |there, kind| there | kind);
            (*own, self.there[pack]) = (of, there);
            self.wanted[pack] = met_by(&self.partners, there);
        }
    }

    /// Stores that a slot has a box with these layers, or none.
    pub(super) fn set(&mut self, slot: usize, layers: Option<Layers>) {
        self.are_read = false;
        if self.is_off {
            return;
        }
        let kind = layers.and_then(|layers| self.kind(layers)).unwrap_or(0);
        if let Some(&(mut of)) = self.packs.get(slot / LANES) {
            of[slot % LANES] = kind;
            self.note(slot / LANES, of);
        }
    }

    /// The bit of a kind; `None` if there are too many, and then all are forgotten.
    #[inline]
    fn kind(&mut self, layers: Layers) -> Option<u8> {
        let number = u64::from(layers.mask) << 32 | u64::from(layers.own);
        let place = (number.wrapping_mul(STEP) >> 58) as usize;
        let kind = self.found[place];
        if self.places[place] == number && kind != 0 {
            return Some(kind);
        }
        let kind = self.look_up(layers)?;
        (self.places[place], self.found[place]) = (number, kind);
        Some(kind)
    }

    #[cold]
    fn look_up(&mut self, layers: Layers) -> Option<u8> {
        if self.is_off {
            return None;
        }
        let known = self.kinds.iter().position(|&kind| kind == layers);
        let Some(kind) = known.or_else(|| self.add(layers)) else {
            self.is_off = true;
            self.clear_packs();
            self.found = [0; PLACES];
            return None;
        };
        Some(1 << kind)
    }

    /// Adds a kind. `None` if there are too many, or if packs are needed that were not kept.
    #[cold]
    fn add(&mut self, layers: Layers) -> Option<usize> {
        self.kinds.try_push(layers).ok()?;
        self.find_partners();
        for (there, wanted) in self.there.iter().zip(&mut self.wanted) {
            *wanted = met_by(&self.partners, *there);
        }
        let are_packs_missing = self.is_needless && !self.all_meet(self, self.agreement());
        (!are_packs_missing).then_some(self.kinds.len() - 1)
    }

    /// Finds out which kinds meet.
    fn find_partners(&mut self) {
        self.partners = [0; MAX_KINDS];
        for (partners, one) in self.partners.iter_mut().zip(&self.kinds) {
            let bits = self.kinds.iter().rev().map(|other| u8::from(one.meets(*other, self.version.0)));
            *partners = bits.fold(0, |bits, bit| bits << 1 | bit);
        }
    }

    fn agreement(&self) -> Agreement {
        self.version.0
    }

    /// `true` if kinds are known and pairs may be sifted by them.
    pub(super) fn are_known(&self, agreement: Agreement) -> bool {
        !self.is_off && self.agreement() == agreement
    }

    /// Does every box here meet every one there, as far as is known?
    pub(super) fn all_meet(&self, other: &Self, agreement: Agreement) -> bool {
        let all = [self, other].map(|kinds| if kinds.is_off { [Layers::ALL].as_slice() } else { &kinds.kinds });
        all[0].iter().all(|one| all[1].iter().all(|two| one.meets(*two, agreement)))
    }

    /// The packs of a group that hold a partner of some box in a pack, a bit each.
    #[inline(always)]
    pub(super) fn packs_with_partners(&self, pack: usize, group: usize) -> u32 {
        let there: &[u8; LANES] = self.there[group * LANES..][..LANES].try_into().expect("groups are whole");
        sharing(there, self.wanted[pack])
    }

    /// Does anything in a pack meet anything else in it?
    #[inline(always)]
    pub(super) fn meet_within(&self, pack: usize) -> bool {
        self.there[pack] & self.wanted[pack] != 0
    }

    /// Is all that is in a pack of one kind?
    #[inline(always)]
    fn is_of_one(&self, pack: usize) -> bool {
        self.there[pack].is_power_of_two()
    }

    /// May some boxes of two packs that meet not meet each other?
    #[inline(always)]
    pub(super) fn are_mixed(&self, a: usize, b: usize) -> bool {
        !(self.is_of_one(a) & self.is_of_one(b))
    }

    /// The boxes of a pack that meet one box of another.
    #[inline(always)]
    pub(super) fn partners(&self, (pack, lane): (usize, usize), of: usize) -> u32 {
        sharing(&self.packs[of], self.partners[number(self.packs[pack][lane])])
    }

    /// The boxes of a pack that meet one in another.
    #[inline(always)]
    pub(super) fn with_partners(&self, pack: usize, other: usize) -> u32 {
        sharing(&self.packs[pack], self.wanted[other])
    }

    /// Those pairs of a hit within a pack that meet.
    #[inline(always)]
    pub(super) fn sifted(&self, pack: usize, hit: u32) -> u32 {
        let of = &self.packs[pack];
        kernel::sifted(hit, |one, other| self.partners[number(of[one])] & of[other] != 0)
    }

    pub(super) fn bytes(&self) -> [usize; 2] {
        let [used, held] = add_bytes([bytes_of(&self.packs), bytes_of(&self.there), bytes_of(&self.wanted)]);
        [used, held + bytes_of(&self.by_id)[1]]
    }

    /// The stored kinds and partners are those of the boxes.
    pub(super) fn validate<S: Scalar>(
        &self,
        boxes: &Boxes<S>,
        order: &[u32],
        levels: &Levels<S>,
    ) -> Result<(), Corruption> {
        let is_right = |(at, of): (usize, &[u8; LANES])| {
            let kind = |id: u32| self.kinds.iter().position(|kind| id != NONE && *kind == boxes.layers(id));
            let bit = |&id: &u32| kind(id).map_or(0, |kind| 1 << kind);
            let is_found = |(&id, kind): (&u32, &u8)| id == NONE || *kind != 0;
            let ids = &order[at * LANES..][..LANES];
            let there = of.iter().fold(0, |there, kind| there | kind);
            ids.iter().map(bit).eq(of.iter().copied())
                && ids.iter().zip(of).all(is_found)
                && (self.there[at], self.wanted[at]) == (there, met_by(&self.partners, there))
        };
        let is_sound = self.is_off
            || (self.is_needless && self.all_meet(self, self.agreement()))
            || (boxes.has_layers()
                && self.packs.len() == levels.packs()
                && [&self.there, &self.wanted]
                    .iter()
                    .all(|kinds| kinds.len() == levels.packs().next_multiple_of(LANES))
                && self.packs.iter().enumerate().all(is_right));
        Corruption::unless(is_sound, || "a box is not of its kind".into())
    }
}

/// The kinds that some kinds meet, given the partners of each.
#[inline]
fn met_by(partners: &[u8; MAX_KINDS], kinds: u8) -> u8 {
    kernel::bits(kinds.into()).fold(0, |met, kind| met | partners[kind])
}

/// How many boxes there are of a kind. A part has as many as a byte can count, so the compiler vectorizes it.
fn count(of: &[u8], kind: u8) -> usize {
    let in_part = |part: &[u8]| part.iter().fold(0, |count, &is_of| count + u8::from(is_of == kind));
    of.chunks(u8::MAX.into()).map(|part| usize::from(in_part(part))).sum()
}

/// Which of sixteen bytes share a bit with another, a bit each.
#[inline(always)]
fn sharing(bytes: &[u8; LANES], with: u8) -> u32 {
    let bytes = u128::from_le_bytes(*bytes);
    sharing_of_eight(bytes as u64, with) | sharing_of_eight((bytes >> 64) as u64, with) << 8
}

/// Sets the top bit of each byte that shares one, then gathers the top bits.
#[inline(always)]
fn sharing_of_eight(bytes: u64, with: u8) -> u32 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let shared = bytes & (u64::from(with) * 0x0101_0101_0101_0101);
    let tops = (((shared & LOW) + LOW) | shared) & !LOW;
    ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// The number of a kind, given its bit.
#[inline(always)]
fn number(kind: u8) -> usize {
    kind.trailing_zeros() as usize % MAX_KINDS
}

/// The union of the layers of the boxes in a pack. Not inlined: each of sixteen would be a copy of the loop's body.
#[inline(never)]
pub(super) fn union<S: Scalar>(boxes: &Boxes<S>, ids: &[u32]) -> Layers {
    let ids = ids.iter().filter(|&&id| id != NONE);
    ids.fold(Layers::NONE, |union, &id| union.union(boxes.layers(id)))
}

/// Only the list of kinds, its layers, and whether it is used are serialized. Packs follow from boxes.
#[cfg(feature = "serde")]
pub(super) mod as_list {
    use alloc::vec::Vec;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Kinds, MAX_KINDS};
    use crate::storage::{Agreement, Layers};

    pub(crate) fn serialize<F: Serializer>(kinds: &Kinds, format: F) -> Result<F::Ok, F::Error> {
        (kinds.kinds.as_slice(), kinds.version, kinds.is_off).serialize(format)
    }

    pub(crate) fn deserialize<'de, F: Deserializer<'de>>(format: F) -> Result<Kinds, F::Error> {
        let (list, version, is_off): (Vec<Layers>, (Agreement, u64), bool) = Deserialize::deserialize(format)?;
        let kinds = list.into_iter().take(MAX_KINDS).collect();
        Ok(Kinds { kinds, version, is_off, ..Kinds::default() })
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{LANES, MAX_KINDS};
    use crate::arranged::Arranged;
    use crate::geometry::Aabb;
    use crate::random::Random;
    use crate::storage::{Agreement, Boxes, Layers, NONE};
    use crate::structure::Structure;
    use crate::{FrameTree, Index};

    /// Instead of a number of kinds: bullets, and one in ten that is what they may hit.
    const BULLETS: usize = 0;

    /// Layers of this many kinds, of which some meet each other and some do not.
    fn layers(random: &mut Random, kinds: usize) -> Layers {
        if kinds == BULLETS {
            return if random.below(10) == 0 { Layers::new(2, 1) } else { Layers::new(1, 2) };
        }
        let kind = random.below(kinds);
        Layers::new(1 << (kind % 5), [0b00110, 0b11111, 0b01001, 0, 0b10010, 0b00001, 0b11000][kind % 7])
    }

    fn somewhere(random: &mut Random) -> Aabb<f32> {
        let min = [(); 2].map(|()| random.below(90) as f32);
        Aabb::new(min, min.map(|edge| edge + 1.0 + random.below(5) as f32))
    }

    fn by_id(layers: &[Layers]) -> Vec<(u32, Layers)> {
        (0..).zip(layers.iter().copied()).collect()
    }

    /// Pairs by brute force.
    fn expected(index: &Index<FrameTree>, layers: &[Layers], agreement: Agreement) -> Vec<(u32, u32)> {
        let all: Vec<(u32, Aabb<f32>)> = index.iter().collect();
        let mut pairs = Vec::new();
        for (k, (one, bounds)) in all.iter().enumerate() {
            for (other, others) in &all[k + 1..] {
                let touch =
                    (0..2).all(|axis| bounds.min[axis] <= others.max[axis] && others.min[axis] <= bounds.max[axis]);
                let [a, b] = [layers[*one as usize], layers[*other as usize]];
                let agrees = [a.own & b.mask != 0, b.own & a.mask != 0];
                let meet = if agreement == Agreement::Both { agrees == [true; 2] } else { agrees.contains(&true) };
                if touch && meet {
                    pairs.push((*one, *other));
                }
            }
        }
        pairs
    }

    /// Whatever changes, one by one or in whole frames, and however many kinds there are, pairs are those that meet.
    #[test]
    fn pairs_are_those_that_meet() {
        for kinds in [BULLETS, 1, 2, 3, MAX_KINDS, MAX_KINDS + 1, 35] {
            let mut random = Random::new(kinds as u64);
            let boxes: Vec<Aabb<f32>> = (0..700).map(|_| somewhere(&mut random)).collect();
            let mut now: Vec<Layers> = boxes.iter().map(|_| layers(&mut random, kinds)).collect();
            let mut index = Index::<FrameTree>::from_boxes(&boxes).expect("boxes");
            index.set_layers_batch(&by_id(&now)).expect("as many layers as boxes");
            let mut agreement = Agreement::Both;
            for turn in 0..24 {
                match turn % 8 {
                    0 => {
                        let boxes: Vec<Aabb<f32>> = boxes.iter().map(|_| somewhere(&mut random)).collect();
                        index.update_all(&boxes).expect("boxes");
                    }
                    1 => {
                        now = boxes.iter().map(|_| layers(&mut random, kinds)).collect();
                        index.set_layers_batch(&by_id(&now)).expect("as many layers as boxes");
                        index.update_all(&boxes).expect("boxes");
                    }
                    2 => {
                        agreement = if agreement == Agreement::Both { Agreement::Either } else { Agreement::Both };
                        index.set_agreement(agreement);
                    }
                    3 | 5 => {
                        for id in (0..boxes.len() as u32).step_by(7) {
                            now[id as usize] = layers(&mut random, kinds);
                            index.set_layers(id, now[id as usize]).expect("a box");
                        }
                    }
                    4 => index.maintain(),
                    6 => {
                        for id in (0..boxes.len() as u32).filter(|id| id % 5 == turn % 3) {
                            index.update(id, somewhere(&mut random)).expect("a box");
                        }
                    }
                    _ => {
                        for id in (turn..boxes.len() as u32).step_by(9) {
                            assert!(index.remove(id).is_some());
                        }
                        index.validate().expect("a sound tree");
                        for id in (turn..boxes.len() as u32).step_by(9).collect::<Vec<_>>().into_iter().rev() {
                            assert_eq!(index.insert(somewhere(&mut random)), Ok(id));
                            now[id as usize] = Layers::ALL;
                        }
                    }
                }
                index.validate().expect("a sound tree");
                let mut pairs: Vec<(u32, u32)> = index.pairs().collect();
                pairs.sort_unstable();
                assert!(!pairs.is_empty() || kinds == 1, "nothing meets");
                assert_eq!(pairs, expected(&index, &now, agreement), "{kinds} kinds, turn {turn}");
            }
        }
    }

    #[test]
    fn layers_that_boxes_have_already_leave_the_tree_as_it_is() {
        let mut random = Random::new(5);
        let now: Vec<Layers> = (0..500).map(|_| layers(&mut random, 3)).collect();
        let mut all = Arranged::<FrameTree>::new(()).expect("there are no options");
        now.iter().for_each(|&layers| assert!(all.insert(somewhere(&mut random), layers).is_ok()));
        all.structure.maintain(&all.boxes);
        let read = |all: &Arranged<FrameTree>| all.structure.are_layers_read(&all.boxes);
        let before = read(&all);
        assert!(before);
        let mut changed = Vec::new();
        all.set_layers(&by_id(&now), |_, id| changed.push(id));
        assert!(read(&all) == before && changed.is_empty());
        let other = Layers::new(!now[7].own, now[7].mask);
        all.set_layers(&[(6, now[6]), (7, other)], |_, id| changed.push(id));
        assert!(!read(&all) && changed == [7]);
    }

    /// Three areas: without rare boxes, with one in sixteen, and with nothing else. A few boxes lie across all of them.
    fn spread(random: &mut Random, [common, rare]: [Layers; 2]) -> (Vec<Aabb<f32>>, Vec<Layers>) {
        let area = |area: usize, random: &mut Random| somewhere(random).with_offset([200.0 * area as f32, 0.0]);
        let boxes = (0..1200).map(|k| (area(k / 400, random), k >= 800 || (k >= 400 && k % 16 == 0)));
        let mut all: Vec<(Aabb<f32>, bool)> = boxes.collect();
        all.extend((0..12).map(|k| (Aabb::new([0.0, 8.0 * k as f32], [600.0, 8.0 * k as f32 + 1.0]), k % 2 == 0)));
        all.into_iter().map(|(bounds, is_rare)| (bounds, if is_rare { rare } else { common })).unzip()
    }

    /// How many boxes of a kind each pack holds.
    fn per_pack(boxes: &[Aabb<f32>], layers: &[Layers], kind: Layers) -> Vec<usize> {
        let mut all = Boxes::new();
        boxes.iter().for_each(|bounds| assert!(all.insert(*bounds).is_ok()));
        all.set_first_layers(layers);
        let mut tree = FrameTree::<f32>::new(()).expect("no options");
        tree.build(&all);
        let of_kind = |pack: usize| tree.pack(pack).iter().filter(|&&id| id != NONE && all.layers(id) == kind).count();
        (0..tree.levels.packs()).map(of_kind).collect()
    }

    /// An index, and what layers the boxes have by id.
    type Known = (Index<FrameTree>, Vec<Layers>);

    /// Pairs of a box of one and a box of the other that touch and meet, by brute force.
    fn expected_between(one: &Known, other: &Known, agreement: Agreement) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (a, bounds) in one.0.iter() {
            for (b, others) in other.0.iter() {
                let touch =
                    (0..2).all(|axis| bounds.min[axis] <= others.max[axis] && others.min[axis] <= bounds.max[axis]);
                let [of_a, of_b] = [one.1[a as usize], other.1[b as usize]];
                let agrees = [of_a.own & of_b.mask != 0, of_b.own & of_a.mask != 0];
                if touch && if agreement == Agreement::Both { agrees == [true; 2] } else { agrees.contains(&true) } {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }

    fn sorted(pairs: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
        let mut pairs: Vec<(u32, u32)> = pairs.collect();
        pairs.sort_unstable();
        pairs
    }

    /// Packs hold none of the rare boxes, one, or nothing else; some boxes go, and others come or move away: pairs
    /// within a set and of two sets, whichever of them is queried, are those that meet.
    #[test]
    fn pairs_are_those_that_meet_however_rare_boxes_are_spread() {
        let kinds = [[(1, 2), (2, 1)], [(1, 3), (2, 3)], [(1, 1), (2, 2)], [(1, 2), (2, 2)], [(1, 3), (2, 0)]];
        let (mut seen, mut found) = ([false; 3], 0);
        for (turn, kinds) in kinds.into_iter().enumerate() {
            let kinds = kinds.map(|(own, mask)| Layers::new(own, mask));
            let agreement = if turn % 2 == 0 { Agreement::Both } else { Agreement::Either };
            let mut random = Random::new(turn as u64);
            let mut sets = [0, 1].map(|set| {
                let kinds = if set == 0 { kinds } else { [kinds[1], kinds[0]] };
                let (boxes, layers) = spread(&mut random, kinds);
                let held = per_pack(&boxes, &layers, kinds[1]);
                [0, 1, LANES].iter().zip(&mut seen).for_each(|(count, seen)| *seen |= held.contains(count));
                let mut index = <Index>::from_boxes(&boxes).expect("boxes");
                index.set_layers_batch(&by_id(&layers)).expect("as many layers as boxes");
                index.set_agreement(agreement);
                (index, layers)
            });
            for stage in ["sorted", "holes", "tails", "maintained"] {
                for (index, layers) in &mut sets {
                    match stage {
                        "holes" => (0..1200).filter(|id| id % 3 == 0 || (900..960).contains(id)).for_each(|id| {
                            assert!(index.remove(id).is_some());
                        }),
                        "tails" => {
                            for id in (1..900).step_by(12) {
                                index.update(id, somewhere(&mut random).with_offset([200.0, 0.0])).expect("a box");
                            }
                            for k in 0..150 {
                                let id = index.insert(somewhere(&mut random).with_offset([400.0, 0.0])).expect("room");
                                layers[id as usize] = kinds[usize::from(k % 9 == 0)];
                                index.set_layers(id, layers[id as usize]).expect("a box");
                            }
                        }
                        "maintained" => index.maintain(),
                        _ => {}
                    }
                    index.validate().expect("a sound tree");
                    assert_eq!(sorted(index.pairs()), expected(index, layers, agreement), "{stage}, {kinds:?}");
                }
                let [one, other] = &sets;
                for (one, other) in [(one, other), (other, one)] {
                    let pairs = sorted(one.0.pairs_with(&other.0));
                    found += pairs.len();
                    assert_eq!(pairs, expected_between(one, other, agreement), "{stage}, {kinds:?}");
                }
            }
        }
        assert_eq!((seen, found > 10_000), ([true; 3], true), "{found} pairs");
    }
}
