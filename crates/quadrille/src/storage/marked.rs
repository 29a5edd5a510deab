//! A list of ids that knows its members.

use alloc::vec::Vec;

use crate::error::Corruption;
use crate::memory::clone_by_field;

/// Ids in the order in which they came, and a bit for each, so that a look whether an id is among them stays in a cache
/// where an [`IdSet`](super::IdSet) would not. In return, only all of them can be removed.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Marked {
    ids: Vec<u32>,
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize_used"))]
    marks: Vec<u64>,
}

#[cfg(feature = "serde")]
fn serialize_used<F: serde::Serializer>(marks: &[u64], format: F) -> Result<F::Ok, F::Error> {
    serde::Serialize::serialize(super::used(marks, 0), format)
}

clone_by_field!([] Marked { ids, marks });

impl Marked {
    pub(crate) const fn new() -> Self {
        Self { ids: Vec::new(), marks: Vec::new() }
    }

    /// Removes all, at a cost proportional to their number.
    pub(crate) fn clear(&mut self) {
        for id in self.ids.drain(..) {
            self.marks[id as usize / 64] = 0;
        }
    }

    #[inline]
    pub(crate) fn contains(&self, id: u32) -> bool {
        self.marks.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 != 0)
    }

    /// Adds an id that is not among them.
    pub(crate) fn push(&mut self, id: u32) {
        let word = id as usize / 64;
        if self.marks.len() <= word {
            self.marks.resize(word + 1, 0);
        }
        self.marks[word] |= 1 << (id % 64);
        self.ids.push(id);
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.ids
    }

    /// Ids and bits agree.
    pub(crate) fn validate(&self) -> Result<(), Corruption> {
        let mut ids = self.ids.clone();
        ids.sort_unstable();
        ids.dedup();
        let marked: u64 = self.marks.iter().map(|word| u64::from(word.count_ones())).sum();
        let agree = ids.iter().all(|&id| self.contains(id)) && [self.ids.len() as u64, marked] == [ids.len() as u64; 2];
        Corruption::unless(agree, || alloc::format!("{} ids, {marked} of them marked", self.ids.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::Marked;

    /// Changes to the other would never be noted.
    #[test]
    fn an_id_that_is_listed_twice_in_place_of_another_is_found() {
        let mut marked = Marked::new();
        [1, 200].into_iter().for_each(|id| marked.push(id));
        assert!(marked.validate().is_ok());
        marked.ids[1] = 1;
        assert!(marked.validate().is_err());
    }
}
