//! Which boxes meet: packs by kind, where boxes are of few kinds.
//!
//! All boxes with the same layers are of one kind, and programs have few: players, walls, bullets. So a pack knows by
//! one bit for each of its boxes which of them meet a kind. A comparison of one box with the pack then takes one more
//! `and`, and boxes whose partners are not among those compared are not compared at all. If every kind meets every
//! other, layers cost nothing.

use alloc::vec::Vec;
use core::array;
use core::mem::take;

use arrayvec::ArrayVec;

use super::levels::Levels;
use crate::error::Corruption;
use crate::geometry::Scalar;
use crate::kernel::{self, LANES};
use crate::storage::{Agreement, Boxes, Layers, NONE, bytes_of, make_room};

/// The most kinds that are told apart. More: a pack takes more memory and time. Fewer: sooner, layers are looked up for
/// every pair.
const MOST_KINDS: usize = 8;

/// Places to look a kind up at first.
const PLACES: usize = 64;

/// A pack by kinds. In a hole is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ByKind {
    /// The kind of each box, as a bit.
    of: [u8; LANES],
    /// For each kind, the boxes that are of it.
    are: [u16; MOST_KINDS],
    /// For each kind, the boxes that meet it.
    meet: [u16; MOST_KINDS],
}

/// The kinds of all boxes, as long as there are few. Where too many have come, `maintain` begins again.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    kinds: ArrayVec<Layers, MOST_KINDS>,
    /// Which kinds meet each kind, one bit each.
    partners: [u8; MOST_KINDS],
    agreement: Agreement,
    /// Which layers of all boxes these are: see [`Boxes::layers_version`].
    version: u64,
    /// Layers as one number, by some of its bits, and the bit of their kind; 0 if none has been found there.
    places: [u64; PLACES],
    found: [u8; PLACES],
    packs: Vec<ByKind>,
    /// Kinds by id, as bits, while all packs are read: a byte is sooner there than layers are.
    by_id: Vec<u8>,
    /// No box has layers, or there are too many kinds.
    is_off: bool,
    /// Every kind meets every other, so packs are not kept.
    is_needless: bool,
}

impl Default for Kinds {
    fn default() -> Self {
        Self {
            kinds: ArrayVec::new(),
            partners: [0; MOST_KINDS],
            agreement: Agreement::Both,
            version: 0,
            places: [0; PLACES],
            found: [0; PLACES],
            packs: Vec::new(),
            by_id: Vec::new(),
            is_off: true,
            is_needless: false,
        }
    }
}

impl Kinds {
    /// Begins again, with so many packs of which nothing is known, if boxes have layers.
    pub(super) fn begin<S: Scalar>(&mut self, boxes: &Boxes<S>, packs: usize) {
        self.kinds.clear();
        self.packs.clear();
        self.found = [0; PLACES];
        (self.agreement, self.version) = (boxes.agreement(), boxes.layers_version());
        (self.is_off, self.is_needless) = (!boxes.has_layers(), false);
        let (all, mut by_id) = (boxes.all_layers(), take(&mut self.by_id));
        by_id.clear();
        make_room(&mut by_id, all.len());
        by_id.resize(all.len(), 0);
        for (place, &layers) in by_id.iter_mut().zip(all) {
            let Some(kind) = self.kind(layers) else { break };
            *place = kind;
        }
        self.by_id = by_id;
        self.is_needless = self.all_meet(self, self.agreement);
        self.resize(packs);
    }

    /// Are these still the kinds of all boxes, if no single one has changed?
    pub(super) fn are_of<S: Scalar>(&self, boxes: &Boxes<S>) -> bool {
        (self.agreement, self.version) == (boxes.agreement(), boxes.layers_version())
    }

    /// These are the packs from now on. New ones are empty.
    pub(super) fn resize(&mut self, packs: usize) {
        let packs = if self.is_off || self.is_needless { 0 } else { packs };
        make_room(&mut self.packs, packs);
        self.packs.resize(packs, ByKind::default());
    }

    /// Reads a pack right after the beginning, and returns the union of its layers.
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
        let of = ids.map(|id| if id == NONE { 0 } else { self.kind(boxes.layers(id)).unwrap_or(0) });
        self.note(pack, of);
        union(boxes, ids)
    }

    /// Notes of which kinds the boxes of a pack are.
    #[inline]
    fn note(&mut self, pack: usize, of: [u8; LANES]) {
        if let Some(by_kind) = self.packs.get_mut(pack) {
            let (are, mut meet) = (sorted(&of), [0; MOST_KINDS]);
            meeting(&self.partners[..self.kinds.len()], &are, &mut meet);
            *by_kind = ByKind { of, are, meet };
        }
    }

    /// A slot has a box with these layers, or none.
    pub(super) fn set(&mut self, slot: usize, layers: Option<Layers>) {
        let kind = layers.and_then(|layers| self.kind(layers)).unwrap_or(0);
        let Some(ByKind { of, are, meet }) = self.packs.get_mut(slot / LANES) else { return };
        let lane = slot % LANES;
        of[lane] = kind;
        for (number, partners) in self.partners.iter().enumerate() {
            let [is_of, meets] = [kind >> number & 1, u8::from(kind & partners != 0)].map(u16::from);
            are[number] = are[number] & !(1 << lane) | is_of << lane;
            meet[number] = meet[number] & !(1 << lane) | meets << lane;
        }
    }

    /// The bit of a kind; `None` if there are too many, and then all are forgotten.
    #[inline]
    fn kind(&mut self, layers: Layers) -> Option<u8> {
        let number = u64::from(layers.mask) << 32 | u64::from(layers.own);
        let place = (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize;
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
            self.packs.clear();
            self.found = [0; PLACES];
            return None;
        };
        Some(1 << kind)
    }

    /// A new kind. `None` if there are too many, or packs should have been kept.
    #[cold]
    fn add(&mut self, layers: Layers) -> Option<usize> {
        self.kinds.try_push(layers).ok()?;
        let partners = |one: Layers| {
            let bits = self.kinds.iter().enumerate();
            bits.fold(0, |bits, (k, &other)| bits | u8::from(one.meets(other, self.agreement)) << k)
        };
        self.partners = array::from_fn(|k| self.kinds.get(k).map_or(0, |&one| partners(one)));
        for ByKind { are, meet, .. } in self.packs.iter_mut().filter(|by_kind| by_kind.of != [0; LANES]) {
            meeting(&self.partners[..self.kinds.len()], are, meet);
        }
        let are_packs_missing = self.is_needless && !self.all_meet(self, self.agreement);
        (!are_packs_missing).then_some(self.kinds.len() - 1)
    }

    /// `true` if kinds are known and pairs may be sifted by them.
    pub(super) fn are_known(&self, agreement: Agreement) -> bool {
        !self.is_off && self.agreement == agreement
    }

    /// Does every box here meet every one there, as far as is known?
    pub(super) fn all_meet(&self, other: &Self, agreement: Agreement) -> bool {
        let all = [self, other].map(|kinds| if kinds.is_off { [Layers::ALL].as_slice() } else { &kinds.kinds });
        all[0].iter().all(|one| all[1].iter().all(|two| one.meets(*two, agreement)))
    }

    /// The boxes of a pack that meet one box of another.
    #[inline(always)]
    pub(super) fn partners(&self, (pack, lane): (usize, usize), of: usize) -> u32 {
        u32::from(self.packs[of].meet[number(self.packs[pack].of[lane])])
    }

    /// Those of some boxes in a pack that meet some of another.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a bit for each of sixteen")]
    pub(super) fn with_partners(&self, (pack, some): (usize, u32), (other, others): (usize, u32)) -> u32 {
        let (own, other) = (&self.packs[pack].are, &self.packs[other].meet);
        let others = others as u16;
        let left = |kind: usize| if other[kind] & others == 0 { 0 } else { own[kind] };
        some & u32::from((0..MOST_KINDS).fold(0, |all, kind| all | left(kind)))
    }

    /// Those pairs of a hit within a pack that meet.
    #[inline(always)]
    pub(super) fn sifted(&self, pack: usize, hit: u32) -> u32 {
        let ByKind { of, meet, .. } = &self.packs[pack];
        kernel::sifted(hit, |one, other| meet[number(of[one])] >> other & 1 != 0)
    }

    pub(super) fn bytes(&self) -> [usize; 2] {
        let [used, held] = bytes_of(&self.packs);
        [used, held + bytes_of(&self.by_id)[1]]
    }

    /// Each box is of its kind, and meets what it meets.
    pub(super) fn validate<S: Scalar>(
        &self,
        boxes: &Boxes<S>,
        order: &[u32],
        levels: &Levels<S>,
    ) -> Result<(), Corruption> {
        let is_right = |(at, &ByKind { of, are, meet }): (usize, &ByKind)| {
            let ids = &order[at * LANES..][..LANES];
            let kind = |id: u32| self.kinds.iter().position(|kind| id != NONE && *kind == boxes.layers(id));
            let is_of = |lane: usize| of[lane] == kind(ids[lane]).map_or(0, |kind| 1 << kind);
            let agree = |one: u8, lane: usize| one != 0 && self.partners[number(one)] & of[lane] != 0;
            (0..LANES).all(|lane| {
                let is_found = ids[lane] == NONE || of[lane] != 0;
                let are_right = (0..MOST_KINDS).all(|kind| {
                    let met = kind < self.kinds.len() && agree(1 << kind, lane);
                    (are[kind] >> lane & 1 != 0) == (of[lane] == 1 << kind) && (meet[kind] >> lane & 1 != 0) == met
                });
                is_of(lane) && is_found && are_right
            })
        };
        let is_sound = self.is_off
            || (self.is_needless && self.all_meet(self, self.agreement))
            || (boxes.has_layers()
                && self.packs.len() == levels.packs()
                && self.packs.iter().enumerate().all(is_right));
        Corruption::unless(is_sound, || "a box is not of its kind".into())
    }
}

/// For each kind, given its partners, the boxes of a pack that meet it.
#[inline]
fn meeting(partners: &[u8], are: &[u16; MOST_KINDS], meet: &mut [u16; MOST_KINDS]) {
    let kinds = partners.len().min(MOST_KINDS);
    for (meet, partners) in meet.iter_mut().zip(partners) {
        let are = |kind: usize| are[kind] & 0_u16.wrapping_sub(u16::from(partners >> kind & 1));
        *meet = (0..kinds).fold(0, |all, kind| all | are(kind));
    }
}

/// The boxes of each kind, given the bit of the kind of each box: sixteen rows of eight bits become eight of sixteen.
#[inline]
fn sorted(of: &[u8; LANES]) -> [u16; MOST_KINDS] {
    let [low, high] = [0, MOST_KINDS].map(|first| {
        let rows = array::from_fn(|row| of[first + row]);
        transposed(u64::from_le_bytes(rows)).to_le_bytes()
    });
    array::from_fn(|kind| u16::from_le_bytes([low[kind], high[kind]]))
}

/// Eight rows of eight bits, with rows and columns exchanged: single bits, then squares of two, then of four.
#[inline]
fn transposed(mut bits: u64) -> u64 {
    for (shift, upper) in [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)] {
        let differ = (bits ^ bits >> shift) & upper;
        bits ^= differ ^ differ << shift;
    }
    bits
}

/// The number of a kind, given its bit.
#[inline(always)]
fn number(kind: u8) -> usize {
    kind.trailing_zeros() as usize % MOST_KINDS
}

/// The union of the layers of the boxes in a pack.
pub(super) fn union<S: Scalar>(boxes: &Boxes<S>, ids: &[u32]) -> Layers {
    let ids = ids.iter().filter(|&&id| id != NONE);
    ids.fold(Layers::NONE, |union, &id| union.union(boxes.layers(id)))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::MOST_KINDS;
    use crate::geometry::Aabb;
    use crate::random::Random;
    use crate::storage::{Agreement, Layers};
    use crate::{FrameTree, Index};

    /// Layers of this many kinds, of which some meet each other and some do not.
    fn layers(random: &mut Random, kinds: usize) -> Layers {
        let kind = random.below(kinds);
        Layers::new(1 << (kind % 5), [0b00110, 0b11111, 0b01001, 0, 0b10010, 0b00001, 0b11000][kind % 7])
    }

    fn somewhere(random: &mut Random) -> Aabb<f32> {
        let min = [(); 2].map(|()| random.below(90) as f32);
        Aabb::new(min, min.map(|edge| edge + 1.0 + random.below(5) as f32))
    }

    /// Pairs by comparing everything with everything.
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
        for kinds in [1, 2, 3, MOST_KINDS, MOST_KINDS + 1, 35] {
            let mut random = Random::new(kinds as u64);
            let boxes: Vec<Aabb<f32>> = (0..700).map(|_| somewhere(&mut random)).collect();
            let mut now: Vec<Layers> = boxes.iter().map(|_| layers(&mut random, kinds)).collect();
            let mut index =
                Index::<FrameTree>::with_boxes_and_layers((), &boxes, &now).expect("as many layers as boxes");
            let mut agreement = Agreement::Both;
            for turn in 0..24 {
                match turn % 8 {
                    0 => {
                        let boxes: Vec<Aabb<f32>> = boxes.iter().map(|_| somewhere(&mut random)).collect();
                        index.update_all(&boxes).expect("boxes");
                    }
                    1 => {
                        now = boxes.iter().map(|_| layers(&mut random, kinds)).collect();
                        index.update_all_with_layers(&boxes, &now).expect("boxes");
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
}
