//! Squares of distances that say whose they are.
//!
//! ```text
//! the square, but for its last bits (58 or more)   number (6 or fewer)
//! ```
//!
//! So the least of them is found without a branch, and says where to go next. What the bits are worth is less than what
//! rounding may have added.

use core::array;

use arrayvec::ArrayVec;

use super::found::lesser;
use super::levels::MAX_LEVELS;
use crate::kernel::LANES;

/// A key that stands for nothing. No square has it: the greatest one is [`f64::MAX`].
pub(super) const TAKEN: f64 = f64::INFINITY;

/// The bits of a number.
const BITS: u32 = 6;

/// The most numbers.
pub(super) const MOST: usize = 1 << BITS;

/// What is left of a node on the way down.
pub(super) struct Left {
    pub(super) level: usize,
    pub(super) node: usize,
    /// How far its hulls are; [taken](TAKEN) are those that have been looked at, or never will be.
    pub(super) keys: [f64; LANES],
}

/// Nodes that are open at a time: with almost as many, what is below the last of them comes first. More: more of them
/// to choose from. Fewer: more is looked at in vain where hulls overlap.
const MOST_OPEN: usize = 32;

/// Nodes on the way down that have something left.
///
/// The least key of all is looked for among the least of each node, one by one: nodes hold sixteen hulls, so few are
/// open at a time, and a heap would take longer.
pub(super) struct Open {
    nodes: ArrayVec<Left, MOST_OPEN>,
    /// The least key of each.
    least: ArrayVec<f64, MOST_OPEN>,
}

/// What has been taken.
pub(super) struct Taken {
    pub(super) level: usize,
    pub(super) node: usize,
    /// The hull or box among all of its level.
    pub(super) at: usize,
    /// The least key that is left in its node.
    pub(super) after: f64,
}

impl Open {
    #[inline(always)]
    pub(super) fn new(root: Left) -> Self {
        let mut open = Self { nodes: ArrayVec::new(), least: ArrayVec::new() };
        open.push(root);
        open
    }

    #[inline(always)]
    pub(super) fn push(&mut self, node: Left) {
        self.least.push(least(&node.keys));
        self.nodes.push(node);
    }

    /// Takes what has the least key, or, where too many nodes are open, what has it below the last of them; nothing
    /// beyond `most`.
    #[inline(always)]
    pub(super) fn take(&mut self, most: f64) -> Option<Taken> {
        if self.least.len() > MOST_OPEN - MAX_LEVELS {
            self.close(most);
        }
        let (mut place, mut next) = (self.least.len().checked_sub(1)?, *self.least.last()?);
        if self.least.len() <= MOST_OPEN - MAX_LEVELS {
            for (other, &key) in self.least.iter().enumerate() {
                (place, next) = if key < next { (other, key) } else { (place, next) };
            }
        }
        if next == TAKEN || next > most {
            return None;
        }
        let (left, lane) = (&mut self.nodes[place], number_of(next));
        left.keys[lane] = TAKEN;
        let after = least(&left.keys);
        self.least[place] = after;
        Some(Taken { level: left.level, node: left.node, at: left.node * LANES + lane, after })
    }

    /// Closes nodes in which nothing is left, in order: of those that are too many, each is below the one before.
    #[cold]
    #[inline(never)]
    fn close(&mut self, most: f64) {
        for place in (0..self.least.len()).rev() {
            if self.least[place] == TAKEN || self.least[place] > most {
                self.least.remove(place);
                self.nodes.remove(place);
            }
        }
    }
}

/// The keys of sixteen squares, numbered from `first` on.
#[inline(always)]
pub(super) fn number(squares: &[f64; LANES], first: usize) -> [f64; LANES] {
    debug_assert!(first + LANES <= MOST, "{first}");
    array::from_fn(|lane| of(squares[lane], first + lane))
}

/// The key of one square.
#[inline(always)]
pub(super) fn of(square: f64, number: usize) -> f64 {
    f64::from_bits(lesser(square, f64::MAX).to_bits() >> BITS << BITS | number as u64)
}

/// The least of sixteen keys.
#[inline(always)]
pub(super) fn least(keys: &[f64; LANES]) -> f64 {
    let eight: [f64; LANES / 2] = array::from_fn(|k| lesser(keys[k], keys[k + LANES / 2]));
    let four: [f64; LANES / 4] = array::from_fn(|k| lesser(eight[k], eight[k + LANES / 4]));
    lesser(lesser(four[0], four[2]), lesser(four[1], four[3]))
}

/// The number of a key.
#[inline(always)]
pub(super) fn number_of(key: f64) -> usize {
    key.to_bits() as usize % MOST
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{LANES, Left, MAX_LEVELS, MOST, Open, TAKEN, least, number, number_of};
    use crate::random::Random;

    /// A node whose keys are at least as great as a number, in steps: many are equal.
    fn node(level: usize, node: usize, from: f64, random: &mut Random) -> Left {
        let squares = [(); LANES].map(|()| from + random.below(3) as f64);
        Left { level, node, keys: number(&squares, 0) }
    }

    #[test]
    fn all_that_is_near_enough_is_taken_once_however_many_nodes_are_open() {
        for height in 1..=4 {
            for most in [0.0, 2.5, 4.5, f64::INFINITY] {
                let mut random = Random::new(height as u64);
                let (mut open, mut taken) = (Open::new(node(height - 1, 0, 0.0, &mut random)), Vec::new());
                let mut near = Vec::new();
                let list = |node: &Left, near: &mut Vec<usize>| {
                    let lanes = (0..LANES).filter(|&lane| node.level == 0 && node.keys[lane] <= most);
                    near.extend(lanes.map(|lane| node.node * LANES + lane));
                };
                list(&open.nodes[0], &mut near);
                while let Some(next) = open.take(most) {
                    if next.level == 0 {
                        taken.push(next.at);
                        continue;
                    }
                    let below = node(next.level - 1, next.at, random.below(3) as f64, &mut random);
                    list(&below, &mut near);
                    open.push(below);
                }
                [&mut near, &mut taken].into_iter().for_each(|list| list.sort_unstable());
                assert_eq!(taken, near, "up to {most} in a tree of height {height}");
            }
        }
    }

    #[test]
    fn the_highest_tree_has_room() {
        let mut random = Random::new(3);
        let mut open = Open::new(node(MAX_LEVELS - 1, 0, 0.0, &mut random));
        for _ in 0..20_000 {
            let next = open.take(f64::INFINITY).expect("there is more");
            if next.level > 0 {
                open.push(node(next.level - 1, next.at % (1 << 20), random.below(9) as f64, &mut random));
            }
        }
    }

    #[test]
    fn the_least_key_is_that_of_the_least_square_whatever_it_is() {
        let squares = [
            0.0,
            f64::from_bits(MOST as u64),
            f64::MIN_POSITIVE,
            1e-20,
            1.0,
            1.000_001,
            3e38,
            1e300,
            f64::MAX,
            f64::INFINITY,
        ];
        for (place, square) in (0..MOST - LANES).cycle().zip(squares.iter().cycle()).take(MOST * squares.len()) {
            let others = squares.map(|other| if other > *square { other } else { f64::INFINITY });
            let mut all = [f64::INFINITY; LANES];
            all[..others.len()].copy_from_slice(&others);
            let lane = LANES - 1 - place % 6;
            all[lane] = *square;
            let key = least(&number(&all, place));
            assert!(number_of(key) == place + lane || *square >= f64::MAX, "{square:e} in {lane} from {place}");
            assert!(
                key < TAKEN && (square - key).abs() <= square * 1e-13 + 1e-300 || *square > 1e308,
                "{key:e} for {square:e}"
            );
        }
        assert_eq!(least(&[TAKEN; LANES]), TAKEN);
    }
}
