//! Quads over a picture, split where they are farthest from it.
//!
//! After Michael Fogleman, *Quads* (2014, <https://www.michaelfogleman.com/projects/quads/>): a priority queue of quads
//! by how much the colors below them deviate from their mean, times the fourth root of their area, so that of two that
//! are equally wrong the larger one splits first.
//!
//! The quads are the leaves of a region quadtree. Its rule divides only the one region that is set from outside, after
//! which that leaf is re-evaluated; the list of changes reports the outcome.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use image::RgbImage;
use quadrille::Aabb;
use quadrille::region::{Leaf, LeafChange, LeafId, Region, RegionQuadtree, Rule};
use quadrille_draw::Color;

use crate::failure::Failure;

/// A rectangle of pixels and the one color that stands for them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quad {
    /// First and last pixel.
    pub(super) rect: Aabb<i32>,
    /// The mean of the picture there.
    pub(super) color: Color,
    /// The sum of squared differences to the picture, each channel weighed as by [`WEIGHTS`].
    pub(super) error: f64,
}

/// The shares of red, green and blue in perceived brightness (Rec. 601).
const WEIGHTS: [f64; 3] = [0.299, 0.587, 0.114];

/// The quads of a picture.
#[derive(Clone, Debug)]
pub(super) struct Quads<'a> {
    picture: &'a RgbImage,
    tree: RegionQuadtree<(), OnlyThis>,
    /// By the number of the leaf; a divided leaf passes its number to its first child, so there are no gaps.
    quads: Vec<Quad>,
    /// The quads that differ from the picture, the worst on top.
    queue: BinaryHeap<Entry>,
}

/// How wrong a quad is, as the bits of a number that is not negative, which are ordered as the number is; its place,
/// for equals come row by row; its leaf.
type Entry = (u64, Reverse<[i32; 2]>, LeafId);

/// Divides one region, if any.
#[derive(Clone, Copy, Debug)]
struct OnlyThis(Option<Aabb<i32>>);

impl Rule for OnlyThis {
    fn stops(&self, region: &Region) -> bool {
        self.0 != Some(region.rect)
    }
}

impl<'a> Quads<'a> {
    /// The whole picture as one quad.
    pub(super) fn new(picture: &'a RgbImage) -> Result<Self, Failure> {
        let mut tree = RegionQuadtree::new(picture.width(), picture.height(), OnlyThis(None))?;
        tree.watch();
        let mut quads = Self { picture, tree, quads: Vec::new(), queue: BinaryHeap::new() };
        quads.take_in();
        Ok(quads)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.quads.len()
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = Quad> {
        self.quads.iter().copied()
    }

    /// Splits the worst quad and returns the new ones; nothing if all quads match the picture.
    pub(super) fn split(&mut self) -> Vec<Quad> {
        let Some((_, _, leaf)) = self.queue.pop() else { return Vec::new() };
        self.tree.set_rule(OnlyThis(self.tree.leaf(leaf).map(|leaf| leaf.rect)));
        self.tree.sync(leaf);
        self.take_in()
    }

    /// Splits until there are this many quads, or all match the picture.
    pub(super) fn split_to(&mut self, count: usize) {
        while self.count() < count && !self.split().is_empty() {}
    }

    /// How far the quads are from the picture: the root mean square, out of 255.
    pub(super) fn deviation(&self) -> f64 {
        let pixels = f64::from(self.picture.width()) * f64::from(self.picture.height());
        (self.quads.iter().map(|quad| quad.error).sum::<f64>() / pixels).sqrt()
    }

    /// Makes quads for the new leaves.
    fn take_in(&mut self) -> Vec<Quad> {
        let is_new = |change| match change {
            LeafChange::Created(leaf) => Some(leaf),
            LeafChange::Removed(_) => None,
        };
        let leaves: Vec<Leaf> = self.tree.drain_changes().filter_map(is_new).collect();
        leaves.into_iter().map(|leaf| self.add(&leaf)).collect()
    }

    fn add(&mut self, leaf: &Leaf) -> Quad {
        let quad = Quad::of(self.picture, leaf.rect);
        match self.quads.get_mut(leaf.id.index()) {
            Some(known) => *known = quad,
            None => self.quads.push(quad),
        }
        if quad.error > 0.0 {
            let [x, y] = leaf.rect.min;
            self.queue.push((quad.urgency().to_bits(), Reverse([y, x]), leaf.id));
        }
        quad
    }
}

impl Quad {
    fn of(picture: &RgbImage, rect: Aabb<i32>) -> Self {
        let pixels = Sums::of(picture, rect);
        Self { rect, color: pixels.mean(), error: pixels.error() }
    }

    /// Number of pixels.
    pub(super) fn area(&self) -> u64 {
        let side = |axis: usize| u64::from(self.rect.max[axis].abs_diff(self.rect.min[axis])) + 1;
        side(0) * side(1)
    }

    fn urgency(&self) -> f64 {
        let area = self.area() as f64;
        (self.error / area).sqrt() * area.sqrt().sqrt()
    }
}

/// The sums from which mean and variance follow.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: u64,
    values: [u64; 3],
    squares: [u64; 3],
}

impl Sums {
    fn of(picture: &RgbImage, rect: Aabb<i32>) -> Self {
        let mut sums = Self::default();
        let span = |axis: usize| rect.min[axis].unsigned_abs()..=rect.max[axis].unsigned_abs();
        for y in span(1) {
            for x in span(0) {
                sums.add(picture.get_pixel(x, y).0.map(u64::from));
            }
        }
        sums
    }

    fn add(&mut self, values: [u64; 3]) {
        self.count += 1;
        for (channel, value) in values.into_iter().enumerate() {
            self.values[channel] += value;
            self.squares[channel] += value * value;
        }
    }

    fn mean(&self) -> Color {
        let mean = |sum: u64| (sum + self.count / 2).checked_div(self.count).and_then(|mean| u8::try_from(mean).ok());
        Color(self.values.map(|sum| mean(sum).unwrap_or(0)))
    }

    /// Σ(v − mean)² = (n Σv² − (Σv)²) / n, in whole numbers up to the division: 0 if and only if all values are equal.
    fn error(&self) -> f64 {
        let count = u128::from(self.count);
        let spread = |channel: usize| {
            let (sum, squares) = (u128::from(self.values[channel]), u128::from(self.squares[channel]));
            (count * squares - sum * sum) as f64 / count.max(1) as f64
        };
        (0..3).map(|channel| WEIGHTS[channel] * spread(channel)).sum()
    }
}
