//! Numbers in sets that only ever join (R. Tarjan, *Efficiency of a good but not linear set union algorithm*, 1975).

/// By number, another of its set; a root stands for itself, and for its set.
#[derive(Clone, Debug, Default)]
pub(super) struct Unions(Vec<u32>);

impl Unions {
    /// Each number below `count` in a set of its own.
    pub(super) fn apart(count: u32) -> Self {
        Self((0..count).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The next number, in a set of its own.
    pub(super) fn add(&mut self) -> u32 {
        let number = self.0.len() as u32;
        self.0.push(number);
        number
    }

    /// The number that stands for the set of `number`.
    pub(super) fn root(&self, mut number: u32) -> u32 {
        while self.0[number as usize] != number {
            number = self.0[number as usize];
        }
        number
    }

    /// Joins the sets of two numbers. The root that wins is as good as random, so in whatever order they are joined, few
    /// stand between a number and its root (A. Goel and others, *Disjoint Set Union with Randomized Linking*, 2014).
    pub(super) fn join(&mut self, a: u32, b: u32) {
        let rank = |root: u32| root.wrapping_mul(0x9e37_79b9);
        let (a, b) = (self.root(a), self.root(b));
        let (winner, other) = if rank(a) < rank(b) { (a, b) } else { (b, a) };
        self.0[other as usize] = winner;
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_numbers_stand_between_one_and_its_root_in_whatever_order_they_are_joined() {
        const COUNT: u32 = 4096;
        for stride in [1, 2, 1367, 2048, COUNT - 3, COUNT - 2] {
            let mut unions = Unions::apart(COUNT);
            for step in 0..COUNT - 1 {
                let number = step * stride % (COUNT - 1);
                unions.join(number, number + 1);
            }
            let up = |number: &u32| Some(unions.0[*number as usize]).filter(|next| next != number);
            let most = (0..COUNT).map(|number| core::iter::successors(Some(number), up).count()).max();
            assert!(most < Some(40), "stride {stride}: {most:?} numbers");
        }
    }
}
