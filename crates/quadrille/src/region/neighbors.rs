//! The eight directions, and the neighbors there.

use super::leaves::Leaf;
use super::rule::Rule;
use super::tree::RegionQuadtree;
use crate::Aabb;

/// One of eight directions. y points down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Up, toward lower y.
    North,
    /// Right, toward higher x.
    East,
    /// Down, toward higher y.
    South,
    /// Left, toward lower x.
    West,
    /// Up and left.
    NorthWest,
    /// Up and right.
    NorthEast,
    /// Down and right.
    SouthEast,
    /// Down and left.
    SouthWest,
}

impl Direction {
    /// All eight: the straight ones clockwise from north, then the diagonal ones clockwise from northwest.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::South,
        Self::West,
        Self::NorthWest,
        Self::NorthEast,
        Self::SouthEast,
        Self::SouthWest,
    ];

    /// The step to the next cell in this direction: x and y, each −1, 0 or 1.
    #[must_use]
    pub const fn step(self) -> [i32; 2] {
        match self {
            Self::North => [0, -1],
            Self::East => [1, 0],
            Self::South => [0, 1],
            Self::West => [-1, 0],
            Self::NorthWest => [-1, -1],
            Self::NorthEast => [1, -1],
            Self::SouthEast => [1, 1],
            Self::SouthWest => [-1, 1],
        }
    }

    /// The cells next to a rectangle in this direction: a strip along its side, or the one cell at its corner.
    fn strip(self, rect: Aabb<i32>) -> Aabb<i32> {
        let side = |axis: usize| match self.step()[axis] {
            -1 => [rect.min[axis].saturating_sub(1); 2],
            1 => [rect.max[axis].saturating_add(1); 2],
            _ => [rect.min[axis], rect.max[axis]],
        };
        let (x, y) = (side(0), side(1));
        if rect.is_ordered() { Aabb::new([x[0], y[0]], [x[1], y[1]]) } else { Aabb::EMPTY }
    }
}

impl<T: Copy + Ord, R: Rule> RegionQuadtree<T, R> {
    /// The leaves that touch a rectangle from outside in one direction, in Morton order: all those along its side, or
    /// at most one at its corner. Usually called with the rectangle of a leaf. Empty beyond the border of the map.
    ///
    /// ```
    /// use quadrille::region::{AllSame, Direction, RegionQuadtree};
    ///
    /// let map = RegionQuadtree::from_objects(4, 4, AllSame, [([2, 2], ())])?;
    /// let leaf = map.leaf_at([0, 3]).expect("on the map");
    /// let east: Vec<_> = map.neighbors(leaf.rect, Direction::East).map(|leaf| leaf.rect.min).collect();
    /// assert_eq!(east, [[2, 2], [2, 3]]);
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn neighbors(&self, rect: Aabb<i32>, direction: Direction) -> impl Iterator<Item = Leaf> + '_ {
        self.leaves_in(direction.strip(rect))
    }
}
