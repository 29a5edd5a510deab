//! Pairs in the one order that does not depend on the structure that found them.

/// Pairs of ids, sorted by (lower, higher). Keeps its memory.
///
/// Found pairs are counted by their lower id, dealt out to rows of higher ids, and each row, mostly of no or one id, is sorted
/// by itself: a few passes over the pairs, where a comparison sort needs a few dozen.
///
/// 8 bytes for each agent and 12 for each pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortedPairs {
    found: Vec<(u32, u32)>,
    /// Where the row of each lower id ends in `partners`; it starts where the last one ends.
    ends: Vec<usize>,
    /// The higher ids, row after row.
    partners: Vec<u32>,
}

impl SortedPairs {
    /// Forgets the old pairs, takes what `search` finds among ids below `n`, and sorts it.
    pub(crate) fn refill(&mut self, n: usize, search: impl FnOnce(&mut Vec<(u32, u32)>)) {
        self.found.clear();
        search(&mut self.found);
        self.sort(n);
    }

    fn sort(&mut self, n: usize) {
        self.ends.clear();
        self.ends.resize(n, 0);
        for &(low, _) in &self.found {
            self.ends[low as usize] += 1;
        }
        // Counts become starts, and, as each pair moves its row's mark on by one, ends.
        let mut start = 0;
        for mark in &mut self.ends {
            start += std::mem::replace(mark, start);
        }
        self.partners.resize(self.found.len(), 0);
        for &(low, high) in &self.found {
            let mark = &mut self.ends[low as usize];
            self.partners[*mark] = high;
            *mark += 1;
        }
        let mut start = 0;
        for &end in &self.ends {
            self.partners[start..end].sort_unstable();
            start = end;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.partners.len()
    }

    /// Each lower id with its row of higher ids, both ascending.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let mut start = 0;
        self.ends.iter().enumerate().map(move |(low, &end)| {
            let row = &self.partners[start..end];
            start = end;
            (low, row)
        })
    }

    /// Bytes held from the allocator.
    pub(crate) fn bytes(&self) -> usize {
        self.found.capacity() * size_of::<(u32, u32)>()
            + self.ends.capacity() * size_of::<usize>()
            + self.partners.capacity() * size_of::<u32>()
    }
}
