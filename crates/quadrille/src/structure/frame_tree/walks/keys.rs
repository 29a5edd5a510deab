//! Squared distances that say what they belong to.
//!
//! ```text
//! the square, but for its last bits (55)   number (9)
//! ```
//!
//! So the least of them is found without a branch, and says where to go next. Its lost bits are worth less than
//! rounding may have added.

use core::array;

use arrayvec::ArrayVec;

use super::super::order::levels::MAX_LEVELS;
use crate::kernel::LANES;

/// A key that stands for nothing. No square has it: the greatest one is [`f64::MAX`].
pub(in super::super) const TAKEN: f64 = f64::INFINITY;

/// The bits of a number.
const BITS: u32 = 9;

/// The most numbers.
const MAX_NUMBERS: usize = 1 << BITS;

/// The most nodes that are open at a time: with almost as many, what is below the last of them comes first. More: more
/// of them to choose from. Fewer: more is examined needlessly if hulls overlap.
const MAX_OPEN: usize = MAX_NUMBERS / LANES;

/// The most nodes among which the nearest is looked for.
const MAX_ORDERED: usize = MAX_OPEN - MAX_LEVELS;

/// A node of which some hulls have been taken.
struct Left {
    level: usize,
    node: usize,
    /// The keys of its hulls, [numbered](first_of) by the place of the node; [`TAKEN`] for those that have been looked at, or
    /// never will be.
    keys: [f64; LANES],
}

/// Nodes on the way down that have something left.
///
/// The least key of all is found by a scan over the least of each node: with at most 32 open, that takes less time than
/// a heap.
pub(in super::super) struct Open {
    nodes: ArrayVec<Left, MAX_OPEN>,
    /// The least key of each; [`TAKEN`] if there is no node.
    least: [f64; MAX_OPEN],
}

/// A hull or box that has been taken.
pub(in super::super) struct Taken {
    pub(in super::super) key: f64,
    pub(in super::super) level: usize,
    /// Its number on its level.
    pub(in super::super) at: usize,
    /// The number of what now has the least key in its node.
    pub(in super::super) next: usize,
    /// That key, or [`TAKEN`].
    pub(in super::super) after: f64,
}

impl Open {
    #[inline(always)]
    pub(in super::super) fn new() -> Self {
        Self { nodes: ArrayVec::new(), least: [TAKEN; MAX_OPEN] }
    }

    /// Opens a node, given the squares of the distances of its sixteen hulls.
    #[inline(always)]
    pub(in super::super) fn push(&mut self, (level, node): (usize, usize), squares: &[f64; LANES]) {
        if self.nodes.len() == MAX_ORDERED {
            self.close(f64::INFINITY);
        }
        let place = self.nodes.len();
        let keys = number(squares, first_of(place));
        self.least[place] = least(&keys);
        self.nodes.push(Left { level, node, keys });
    }

    /// Takes what has the least key, but only from the last node if too many are open; nothing beyond `most`. Others are
    /// looked through only when nothing is left in the last: a query that admits few boxes takes most of the tree.
    #[inline(always)]
    pub(in super::super) fn take(&mut self, most: f64) -> Option<Taken> {
        let is_late = |key: f64| key == TAKEN || key > most;
        let mut key = self.next();
        if is_late(key) && self.nodes.len() > MAX_ORDERED {
            self.close(most);
            key = self.next();
        }
        if is_late(key) {
            return None;
        }
        let (place, lane) = (MAX_OPEN - 1 - number_of(key) / LANES, number_of(key) % LANES);
        let left = &mut self.nodes[place];
        left.keys[lane] = TAKEN;
        let after = least(&left.keys);
        self.least[place] = after;
        let first = left.node * LANES;
        Some(Taken { key, level: left.level, at: first + lane, next: first + number_of(after) % LANES, after })
    }

    /// The least key, or the least one of the last node. Loop lengths are fixed: the end of any other loop would be
    /// mispredicted.
    #[inline(always)]
    fn next(&self) -> f64 {
        match self.nodes.len() {
            0 => TAKEN,
            1..=8 => self.least_of::<8>(),
            9..=16 => self.least_of::<16>(),
            17..=MAX_ORDERED => self.least_of::<MAX_ORDERED>(),
            many => self.least[many - 1],
        }
    }

    /// The least key of the first few nodes.
    #[inline(always)]
    fn least_of<const N: usize>(&self) -> f64 {
        self.least[..N].iter().fold(TAKEN, |least, &key| lesser(key, least))
    }

    /// Closes nodes in which nothing is left, in order: beyond the limit, each is below the one before.
    #[cold]
    #[inline(never)]
    fn close(&mut self, most: f64) {
        self.nodes.retain(|left| least(&left.keys) < TAKEN && least(&left.keys) <= most);
        self.least = [TAKEN; MAX_OPEN];
        for (place, left) in self.nodes.iter_mut().enumerate() {
            for (lane, key) in left.keys.iter_mut().enumerate().filter(|(_, key)| **key < TAKEN) {
                *key = of(*key, first_of(place) + lane);
            }
            self.least[place] = least(&left.keys);
        }
    }
}

/// The number of the first hull of a node in this place. Of what is equally near, what is in the last node comes first: so a
/// box is found before all nodes of a pile are open.
#[inline(always)]
fn first_of(place: usize) -> usize {
    (MAX_OPEN - 1 - place) * LANES
}

/// The keys of sixteen squares, numbered from `first` on.
#[inline(always)]
pub(in super::super) fn number(squares: &[f64; LANES], first: usize) -> [f64; LANES] {
    debug_assert!(first + LANES <= MAX_NUMBERS, "{first}");
    array::from_fn(|lane| of(squares[lane], first + lane))
}

/// The key of one square.
#[inline(always)]
pub(in super::super) fn of(square: f64, number: usize) -> f64 {
    numbered(cut(square), number)
}

/// A square without its last bits.
#[inline(always)]
pub(in super::super) fn cut(square: f64) -> f64 {
    f64::from_bits(lesser(square, f64::MAX).to_bits() >> BITS << BITS)
}

/// The key of one that has been [cut].
#[inline(always)]
pub(in super::super) fn numbered(square: f64, number: usize) -> f64 {
    f64::from_bits(square.to_bits() | number as u64)
}

/// The least of sixteen keys.
#[inline(always)]
pub(in super::super) fn least(keys: &[f64; LANES]) -> f64 {
    let eight: [f64; LANES / 2] = array::from_fn(|k| lesser(keys[k], keys[k + LANES / 2]));
    let four: [f64; LANES / 4] = array::from_fn(|k| lesser(eight[k], eight[k + LANES / 4]));
    lesser(lesser(four[0], four[2]), lesser(four[1], four[3]))
}

/// The number of a key.
#[inline(always)]
pub(in super::super) fn number_of(key: f64) -> usize {
    key.to_bits() as usize % MAX_NUMBERS
}

#[inline]
pub(in super::super) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline]
pub(in super::super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{LANES, MAX_LEVELS, MAX_NUMBERS, MAX_ORDERED, Open, TAKEN, least, number, number_of};
    use crate::random::Random;

    /// The squares of a node that are at least as great as a number, in steps: many are equal.
    fn squares(from: f64, random: &mut Random) -> [f64; LANES] {
        [(); LANES].map(|()| from + random.below(3) as f64)
    }

    #[test]
    fn all_that_is_near_enough_is_taken_once_however_many_nodes_are_open() {
        for height in 1..=4 {
            for most in [f64::MIN_POSITIVE, 2.5, 4.5, f64::INFINITY] {
                let mut random = Random::new(height as u64);
                let (mut open, mut taken, mut near) = (Open::new(), Vec::new(), Vec::new());
                let mut next = Some((height - 1, 0, 0.0));
                while let Some((level, node, from)) = next {
                    let squares = squares(from, &mut random);
                    if level == 0 {
                        let lanes = (0..LANES).filter(|&lane| squares[lane] <= most);
                        near.extend(lanes.map(|lane| node * LANES + lane));
                    }
                    open.push((level, node), &squares);
                    next = core::iter::from_fn(|| open.take(most)).find_map(|one| {
                        if one.level == 0 {
                            taken.push(one.at);
                            return None;
                        }
                        Some((one.level - 1, one.at, random.below(3) as f64))
                    });
                }
                [&mut near, &mut taken].into_iter().for_each(|list| list.sort_unstable());
                assert_eq!(taken, near, "up to {most} in a tree of height {height}");
            }
        }
    }

    #[test]
    fn of_what_is_equally_near_the_last_to_come_is_taken_first() {
        let mut open = Open::new();
        for node in 0..MAX_ORDERED {
            open.push((0, node), &[1.0; LANES]);
            assert_eq!(open.take(2.0).map(|taken| taken.at), Some(node * LANES));
        }
    }

    #[test]
    fn the_least_is_taken_while_few_nodes_are_open() {
        for nodes in 1..=23 {
            let mut random = Random::new(nodes as u64);
            let (mut open, mut all) = (Open::new(), Vec::new());
            for node in 0..nodes {
                let squares = squares(random.below(9) as f64, &mut random);
                all.extend(squares);
                open.push((0, node), &squares);
            }
            let taken: Vec<f64> = core::iter::from_fn(|| open.take(f64::INFINITY)).map(|one| all[one.at]).collect();
            all.sort_by(f64::total_cmp);
            assert_eq!(taken, all, "{nodes}");
        }
    }

    #[test]
    fn no_other_node_is_looked_through_while_the_last_of_many_has_something() {
        let mut open = Open::new();
        (0..MAX_ORDERED).for_each(|node| open.push((1, node), &[5.0; LANES]));
        open.push((0, 77), &[0.0; LANES]);
        for _ in 0..LANES {
            assert_eq!(open.take(1.0).map(|one| one.at / LANES), Some(77));
            assert_eq!(open.nodes.len(), MAX_ORDERED + 1);
        }
        assert!(open.take(1.0).is_none() && open.nodes.is_empty());
    }

    #[test]
    fn the_highest_tree_has_room() {
        let mut random = Random::new(3);
        let mut open = Open::new();
        open.push((MAX_LEVELS - 1, 0), &squares(0.0, &mut random));
        for _ in 0..20_000 {
            let next = open.take(f64::INFINITY).expect("there is more");
            if next.level > 0 {
                let from = random.below(9) as f64;
                open.push((next.level - 1, next.at % (1 << 20)), &squares(from, &mut random));
            }
        }
    }

    #[test]
    fn the_least_key_is_that_of_the_least_square_whatever_it_is() {
        let squares = [
            0.0,
            f64::from_bits(MAX_NUMBERS as u64),
            f64::MIN_POSITIVE,
            1e-20,
            1.0,
            1.000_001,
            3e38,
            1e300,
            f64::MAX,
            f64::INFINITY,
        ];
        for (place, square) in
            (0..MAX_NUMBERS - LANES).cycle().zip(squares.iter().cycle()).take(MAX_NUMBERS * squares.len())
        {
            let others = squares.map(|other| if other > *square { other } else { f64::INFINITY });
            let mut all = [f64::INFINITY; LANES];
            all[..others.len()].copy_from_slice(&others);
            let lane = LANES - 1 - place % 6;
            all[lane] = *square;
            let key = least(&number(&all, place));
            assert!(number_of(key) == place + lane || *square >= f64::MAX, "{square:e} in {lane} from {place}");
            assert!(
                key < TAKEN && (square - key).abs() <= square * 3e-13 + 1e-300 || *square > 1e308,
                "{key:e} for {square:e}"
            );
        }
        assert_eq!(least(&[TAKEN; LANES]), TAKEN);
    }
}
