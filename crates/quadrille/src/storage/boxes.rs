//! Boxes by id: the store in front of every structure.

use alloc::vec::Vec;

use super::{Agreement, Layers, add_bytes, bytes_of};
use crate::error::{Cause, Corruption, Error};
use crate::executor::{CHUNK, Executor};
use crate::geometry::{Aabb, Scalar};
use crate::kernel;
use crate::memory::clone_by_field;
use crate::random::Random;

/// Boxes under dense ids. Ids of removed boxes are reused, last freed first.
///
/// A free slot holds [`Aabb::EMPTY`].
///
/// 16 bytes per box for `f32` and `i32`, 32 for `f64`, plus 4 per free slot; 8 more per box once any box has layers.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "S: Scalar"))]
pub struct Boxes<S> {
    #[cfg_attr(feature = "serde", serde(with = "crate::serial::hulls"))]
    boxes: Vec<Aabb<S>>,
    free: Vec<u32>,
    /// By id; empty while no box has been given layers.
    layers: Vec<Layers>,
    /// Grows when the layers of many boxes change.
    layers_version: u64,
    agreement: Agreement,
}

clone_by_field!([S: Scalar] Boxes<S> { boxes, free, layers, layers_version, agreement });

/// Ids stay below this, so that structures may use the top bit of a number for their own marks and still have one
/// number that is neither.
pub(crate) const MOST_BOXES: usize = (1 << 31) - 1;

/// How many slots of a range a sample probes. More: a sample costs more if most ids are free. Fewer: it is smaller
/// there.
const TRIES: usize = 16;

/// Boxes that are counted before the count is looked at.
const COUNTED: usize = 64;

/// A number below `limit`, which is not zero, by the upper half of the bits.
#[inline]
const fn below(bits: u64, limit: usize) -> usize {
    (((bits >> 32) * limit as u64) >> 32) as usize
}

impl<S: Scalar> Boxes<S> {
    pub(crate) const fn new() -> Self {
        Self { boxes: Vec::new(), free: Vec::new(), layers: Vec::new(), layers_version: 0, agreement: Agreement::Both }
    }

    /// Stores a valid box.
    // Casts: there are fewer than 2^31 places.
    pub(crate) fn insert(&mut self, bounds: Aabb<S>) -> Result<u32, Error> {
        debug_assert!(bounds.is_valid(), "{bounds:?} was not checked");
        if let Some(id) = self.free.pop() {
            self.boxes[id as usize] = bounds;
            return Ok(id);
        }
        if self.boxes.len() == MOST_BOXES {
            return Err(Cause::Full { most: MOST_BOXES }.into());
        }
        self.boxes.push(bounds);
        if self.has_layers() {
            self.layers.push(Layers::ALL);
        }
        Ok((self.boxes.len() - 1) as u32)
    }

    /// Stores valid boxes under the next ids, as long as no box has been removed or has layers.
    pub(crate) fn extend(&mut self, bounds: &[Aabb<S>], executor: &impl Executor) -> Result<(), Error> {
        debug_assert!(self.free.is_empty() && !self.has_layers(), "the next ids are not the next places");
        if bounds.len() > MOST_BOXES - self.boxes.len() {
            return Err(Cause::Full { most: MOST_BOXES }.into());
        }
        self.boxes.reserve_exact(bounds.len());
        executor.append(&mut self.boxes, bounds);
        Ok(())
    }

    pub(crate) fn remove(&mut self, id: u32) -> Option<Aabb<S>> {
        let bounds = self.get(id)?;
        self.boxes[id as usize] = Aabb::EMPTY;
        self.free.push(id);
        if self.has_layers() {
            self.layers[id as usize] = Layers::ALL;
        }
        Some(bounds)
    }

    /// Overwrites the box of an id that is in use.
    pub(crate) fn set(&mut self, id: u32, bounds: Aabb<S>) {
        debug_assert!(bounds.is_valid() && self.get(id).is_some(), "{id}: {bounds:?}");
        self.boxes[id as usize] = bounds;
    }

    /// Overwrites the boxes of the lowest ids; those of free slots are empty.
    pub(crate) fn set_first(&mut self, bounds: &[Aabb<S>], executor: &impl Executor) {
        debug_assert!(self.boxes.iter().zip(bounds).all(|(old, new)| old.is_ordered() == new.is_ordered()));
        let slots = self.boxes[..bounds.len()].chunks_mut(CHUNK).zip(bounds.chunks(CHUNK));
        executor.share(slots, &mut (), |(slots, bounds), ()| slots.copy_from_slice(bounds), |(), ()| ());
    }

    /// Do more than `most` of the lowest ids have other boxes here? They are counted without a branch, some at a time.
    pub(crate) fn change_more_than(&self, most: usize, now: &[Aabb<S>]) -> bool {
        let mut changes = 0;
        self.boxes.chunks(COUNTED).zip(now.chunks(COUNTED)).any(|(old, now)| {
            changes += old.iter().zip(now).map(|(old, now)| usize::from(old.differs(now))).sum::<usize>();
            changes > most
        })
    }

    /// From now on, the free ids below `limit` are reused first, the lowest of them before all others.
    pub(crate) fn reuse_first(&mut self, limit: usize) {
        let (first, mut free): (Vec<u32>, Vec<u32>) = self.free.iter().partition(|&&id| (id as usize) < limit);
        // As the numbers that are sorted elsewhere: no other sort is compiled.
        let mut first: Vec<u64> = first.into_iter().map(u64::from).collect();
        first.sort_unstable();
        free.extend(first.into_iter().rev().map(|id| id as u32));
        self.free = free;
    }

    /// Forgets the slots from `limit` on, all of which are free.
    pub(crate) fn cut_off(&mut self, limit: usize) {
        if limit < self.boxes.len() {
            debug_assert!(self.boxes[limit..].iter().all(|bounds| !bounds.is_ordered()), "a box is in use");
            self.boxes.truncate(limit);
            self.layers.truncate(limit);
            // Without any, boxes that come do not have layers.
            self.layers_version = self.layers_version.wrapping_add((limit == 0).into());
            self.free.retain(|&id| (id as usize) < limit);
        }
    }

    /// The id of the next box to be inserted.
    pub(crate) fn next_id(&self) -> usize {
        self.free.last().map_or(self.boxes.len(), |&id| id as usize)
    }

    /// The box with this id, or `None` if the id is not in use.
    #[must_use]
    #[inline]
    pub fn get(&self, id: u32) -> Option<Aabb<S>> {
        self.boxes.get(id as usize).copied().filter(Aabb::is_ordered)
    }

    /// Is this id in use? Reads no memory if all are.
    #[inline]
    pub(crate) fn contains(&self, id: u32) -> bool {
        (id as usize) < self.boxes.len() && (self.free.is_empty() || self.at(id).is_ordered())
    }

    /// The box at a slot known to exist; [`Aabb::EMPTY`] if the slot is free.
    #[inline]
    pub(crate) fn at(&self, id: u32) -> &Aabb<S> {
        &self.boxes[id as usize]
    }

    /// All slots in the order of ids, the free ones too.
    #[inline]
    pub(crate) fn all(&self) -> &[Aabb<S>] {
        &self.boxes
    }

    /// Prefetches a box that will be read soon. Nothing happens if there is no such slot.
    #[inline(always)]
    pub(crate) fn prefetch(&self, id: u32) {
        kernel::prefetch(&self.boxes, id as usize);
    }

    /// The layers of all slots in the order of ids; empty while no box has been given any.
    #[inline]
    pub(crate) fn all_layers(&self) -> &[Layers] {
        &self.layers
    }

    /// Changes whenever the layers of many boxes may have changed, or what they mean, without the structure being told of
    /// each.
    pub(crate) fn layers_version(&self) -> (Agreement, u64) {
        (self.agreement, self.layers_version)
    }

    /// `true` once a box has been given layers.
    #[must_use]
    #[inline]
    pub fn has_layers(&self) -> bool {
        !self.layers.is_empty()
    }

    /// The layers of a box; [`Layers::ALL`] unless it has been given others.
    #[must_use]
    #[inline]
    pub fn layers(&self, id: u32) -> Layers {
        self.layers.get(id as usize).copied().unwrap_or(Layers::ALL)
    }

    pub(crate) fn set_layers(&mut self, id: u32, layers: Layers) {
        if !self.has_layers() {
            self.set_first_layers(&[]);
        }
        self.layers[id as usize] = layers;
    }

    /// Sets the layers of the lowest ids, none of which is free.
    pub(crate) fn set_first_layers(&mut self, layers: &[Layers]) {
        let had_layers = self.has_layers();
        self.layers.resize(self.boxes.len(), Layers::ALL);
        let first = &mut self.layers[..layers.len()];
        if !had_layers || first != layers {
            first.copy_from_slice(layers);
            self.layers_version = self.layers_version.wrapping_add(1);
        }
    }

    /// When two boxes meet.
    #[must_use]
    #[inline]
    pub fn agreement(&self) -> Agreement {
        self.agreement
    }

    pub(crate) fn set_agreement(&mut self, agreement: Agreement) {
        self.agreement = agreement;
    }

    /// Do the layers of two boxes meet? A pair overlaps *and* meets.
    #[inline]
    pub(crate) fn meet(&self, a: u32, b: u32) -> bool {
        !self.has_layers() || self.layers(a).meets(self.layers(b), self.agreement)
    }

    /// The pairs of a box with some others, the lower id first.
    #[inline]
    pub(crate) fn pairs_of(&self, a: u32, others: impl Iterator<Item = u32>) -> impl Iterator<Item = (u32, u32)> {
        let bounds = *self.at(a);
        let partners = others.filter(move |&b| bounds.intersects(self.at(b)) & self.meet(a, b));
        partners.map(move |b| (a.min(b), a.max(b)))
    }

    /// Ids and boxes in the order of ids.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Aabb<S>)> + Clone {
        (0..).zip(self.boxes.iter().copied()).filter(|(_, bounds)| bounds.is_ordered())
    }

    /// Up to `most` boxes: one from each of as many equal ranges of slots, at a position within it that is scrambled
    /// from the number of the range and `salt`. Deterministic, spread over all ids, and in step with no pattern:
    /// neither boxes that repeat at a regular stride of ids nor free slots bias the sample. A range whose first few
    /// probed slots are free gives no box, unless that would leave none at all.
    ///
    /// Where it would leave none, other positions are tried, until about as many slots as there are have been probed.
    pub(crate) fn sample(&self, most: usize, salt: u64) -> impl Iterator<Item = &Aabb<S>> {
        let step = self.boxes.len().div_ceil(most).max(1);
        let seen = self.try_that_finds(step, most, salt);
        let salt = salt + seen.unwrap_or(0) * most as u64;
        self.probe(step, salt, if seen.is_some() { TRIES } else { usize::MAX })
    }

    /// The number of the first try to find a box by probing a few slots of each range, always at other positions;
    /// `None` if that would soon have read all slots.
    fn try_that_finds(&self, step: usize, most: usize, salt: u64) -> Option<u64> {
        let all = (step / TRIES) as u64;
        (0..=all).find(|number| self.probe(step, salt + number * most as u64, TRIES).next().is_some())
    }

    /// The first box that is found in each range of `step` slots.
    fn probe(&self, step: usize, salt: u64, tries: usize) -> impl Iterator<Item = &Aabb<S>> {
        (salt..).zip(self.boxes.chunks(step)).filter_map(move |(number, range)| {
            let (before, from) = range.split_at(below(Random::at(number), range.len()));
            from.iter().chain(before).take(tries).find(|bounds| bounds.is_ordered())
        })
    }

    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boxes.len() - self.free.len()
    }

    /// `true` if there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more than the largest id ever given out since the last `clear`: the length of a table indexed by id.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.boxes.len()
    }

    pub(crate) fn clear(&mut self) {
        self.boxes.clear();
        self.free.clear();
        self.layers.clear();
    }

    pub(crate) fn reserve(&mut self, additional: usize) {
        let additional = additional.saturating_sub(self.free.len());
        self.boxes.reserve(additional);
        if self.has_layers() {
            self.layers.reserve(additional);
        }
    }

    pub(crate) fn bytes(&self) -> [usize; 2] {
        add_bytes([bytes_of(&self.boxes), bytes_of(&self.free), bytes_of(&self.layers)])
    }

    /// Every slot is either a valid box or free exactly once.
    pub(crate) fn validate(&self) -> Result<(), Corruption> {
        let mut freed: Vec<u32> = self.free.clone();
        freed.sort_unstable();
        let empty = (0..).zip(&self.boxes).filter(|(_, bounds)| !bounds.is_ordered()).map(|(id, _)| id);
        Corruption::unless(empty.eq(freed.iter().copied()), || "free ids and empty places differ".into())?;
        Corruption::unless(self.layers.is_empty() || self.layers.len() == self.boxes.len(), || {
            "layers are not kept for every place".into()
        })?;
        match self.iter().find(|(_, bounds)| !bounds.is_valid()) {
            Some((id, bounds)) => Err(Corruption::new(alloc::format!("box {id} is invalid: {bounds:?}"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{Boxes, TRIES};
    use crate::executor::Serial;
    use crate::geometry::Aabb;

    /// Boxes 0 to 16,000, with only these left.
    fn left(is_left: impl Fn(u32) -> bool) -> Boxes<f32> {
        let mut boxes = Boxes::new();
        let all: Vec<Aabb> = (0..16_000_u16).map(|k| Aabb::from_point([f32::from(k), 0.0])).collect();
        boxes.extend(&all, &Serial).expect("there is room");
        (0..16_000).filter(|&id| !is_left(id)).for_each(|id| assert!(boxes.remove(id).is_some()));
        boxes
    }

    #[test]
    fn a_sample_passes_over_runs_of_free_ids() {
        let found = |boxes: &Boxes<f32>| boxes.sample(16, 0).count();
        assert_eq!(found(&left(|_| true)), 16);
        assert_eq!(found(&left(|id| id >= 8000)), 8, "half of the ranges are free");
        assert_eq!(found(&left(|id| id % TRIES as u32 == 3)), 16, "one in this many is found in each");
        assert!(found(&left(|id| id < 8000 || id % 999 == 0)) < 16, "of the other half, few are looked at");
        assert_eq!(found(&left(|id| id == 7777)), 1, "the only one is found");
    }

    /// Each try probes 256 of 16,000 slots.
    #[test]
    fn a_sample_reads_few_slots_even_if_nearly_all_ids_are_free() {
        let tries = |boxes: &Boxes<f32>| boxes.try_that_finds(1000, 16, 0).expect("soon");
        assert!(tries(&left(|id| id >= 15_800)) < 10, "the last ones");
        assert!(tries(&left(|id| id % 999 == 0)) < 10, "some everywhere");
    }

    #[test]
    fn what_is_cut_off_is_given_out_again_in_order() {
        let mut boxes = left(|id| id < 10 && id != 4);
        boxes.cut_off(10);
        boxes.validate().expect("sound boxes");
        assert_eq!((boxes.slots(), boxes.len()), (10, 9));
        let next = [(); 3].map(|()| boxes.insert(Aabb::from_point([1.0, 1.0])).expect("there is room"));
        assert_eq!(next, [4, 10, 11]);
    }
}
