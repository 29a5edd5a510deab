//! Sixteen boxes by columns.

use core::arch::wasm32::{f32x4_pmax, f32x4_pmin, f32x4_splat, i32x4_shuffle};
use core::array::from_fn;

use quadrille::Aabb;

use crate::four::{self, Four};

/// Boxes in a pack. A bit for each fits in the masks below, and four registers hold a column.
pub(crate) const LANES: usize = 16;

/// Where four lanes begin.
const PARTS: [usize; LANES / 4] = [0, 4, 8, 12];

/// Sixteen boxes by columns: lower x, lower y, upper x, upper y. Where there is none, all four are NaN, which touches
/// nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pack([[f32; LANES]; 4]);

impl Pack {
    pub(crate) const EMPTY: Self = Self([[f32::NAN; LANES]; 4]);
    /// Where there is no box.
    pub(crate) const NOTHING: Aabb<f32> = Aabb { min: [f32::NAN; 2], max: [f32::NAN; 2] };

    /// Puts boxes, or none, in all lanes. Returns the smallest box around them; [`Aabb::EMPTY`] if there are none.
    #[inline(always)]
    pub(crate) fn fill(&mut self, bounds: impl Fn(usize) -> Option<Aabb<f32>>) -> Aabb<f32> {
        let (mut least, mut most) = (f32x4_splat(f32::INFINITY), f32x4_splat(f32::NEG_INFINITY));
        for at in PARTS {
            let bounds = |lane: usize| <[f32; 4]>::from(bounds(at + lane).unwrap_or(Self::NOTHING));
            let boxes = [0, 1, 2, 3].map(|lane| four::load(&bounds(lane), 0));
            for bounds in boxes {
                // What is NaN is left out.
                (least, most) = (f32x4_pmin(least, bounds), f32x4_pmax(most, bounds));
            }
            let columns = four::transposed(boxes);
            self.0.iter_mut().zip(columns).for_each(|(column, four)| four::store(four, column, at));
        }
        let mut hull = [0.0; 4];
        four::store(i32x4_shuffle::<0, 1, 6, 7>(least, most), &mut hull, 0);
        Aabb::from(hull)
    }

    #[inline(always)]
    pub(crate) fn get(&self, lane: usize) -> Aabb<f32> {
        Aabb::from(self.0.map(|column| column[lane % LANES]))
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, bounds: Aabb<f32>) {
        for (column, number) in self.0.iter_mut().zip(<[f32; 4]>::from(bounds)) {
            column[lane % LANES] = number;
        }
    }

    /// The smallest box around all; [`Aabb::EMPTY`] if there are none.
    pub(crate) fn hull(&self) -> Aabb<f32> {
        let boxes = (0..LANES).map(|lane| self.get(lane)).filter(Aabb::is_ordered);
        boxes.fold(Aabb::EMPTY, |hull, bounds| hull.union(&bounds))
    }

    /// A bit for each box that shares a point with `bounds`.
    #[inline(always)]
    pub(crate) fn touching(&self, bounds: &Aabb<f32>) -> u32 {
        let bounds = <[f32; 4]>::from(*bounds).map(|number| f32x4_splat(number));
        PARTS.into_iter().fold(0, |mask, at| mask | four::meet(self.part(at), bounds) << at)
    }

    /// For each distance from 1 to half of the lanes, tells of the boxes that share a point with the one that far on, from
    /// the first one again after the last: a bit for each.
    #[inline(always)]
    pub(crate) fn around(&self, mut tell: impl FnMut(usize, u32)) {
        for by in 1..=4 {
            // The columns from there on.
            let turned = PARTS.map(|at| {
                let [four, next] = [self.part(at), self.part((at + 4) % LANES)];
                from_fn(|column| four::ahead(by, four[column], next[column]))
            });
            for first in [0, 1] {
                let others = |at: usize| turned[(at / 4 + first) % PARTS.len()];
                let mask = PARTS.into_iter().fold(0, |mask, at| mask | four::meet(self.part(at), others(at)) << at);
                let distance = 4 * first + by;
                // Halfway around, every two meet twice.
                tell(distance, if distance == LANES / 2 { mask % (1 << (LANES / 2)) } else { mask });
            }
        }
    }

    /// A whole number for each box, in the order of their distances from a point: the bits of a squared distance, but the
    /// last are the lane. Where there is no box, more than any distance.
    #[inline(always)]
    pub(crate) fn keys(&self, [x, y]: [f32; 2]) -> [u32; LANES] {
        let [x0, y0, x1, y1] = &self.0;
        // Comparisons with NaN are false: NaN stays.
        let most = |one: f32, other: f32| if one < other { other } else { one };
        let gap = |low: f32, high: f32, at: f32| most(most(low - at, at - high), 0.0);
        from_fn(|lane| {
            let (x, y) = (gap(x0[lane], x1[lane], x), gap(y0[lane], y1[lane], y));
            (x * x + y * y).to_bits() & !LANE | lane as u32
        })
    }

    #[inline(always)]
    fn part(&self, at: usize) -> [Four; 4] {
        self.0.each_ref().map(|column| four::load(column, at))
    }
}

/// The bits of a key that are a lane.
pub(crate) const LANE: u32 = LANES as u32 - 1;
