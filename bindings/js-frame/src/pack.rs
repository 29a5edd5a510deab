//! Sixteen boxes by columns.

use core::array::from_fn;

use quadrille::Aabb;

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
        let (mut least, mut most) = (four::splat(f32::INFINITY), four::splat(f32::NEG_INFINITY));
        for at in PARTS {
            let bounds = |lane: usize| <[f32; 4]>::from(bounds(at + lane).unwrap_or(Self::NOTHING));
            let boxes = [0, 1, 2, 3].map(|lane| four::load(&bounds(lane), 0));
            for bounds in boxes {
                (least, most) = (four::lesser(least, bounds), four::greater(most, bounds));
            }
            let columns = four::transposed(boxes);
            self.0.iter_mut().zip(columns).for_each(|(column, four)| four::store(four, column, at));
        }
        let mut hull = [0.0; 4];
        four::store(four::halves(least, most), &mut hull, 0);
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
        let bounds = <[f32; 4]>::from(*bounds).map(four::splat);
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
    fn part(&self, at: usize) -> [four::Four; 4] {
        self.0.each_ref().map(|column| four::load(column, at))
    }
}

/// The bits of a key that are a lane.
pub(crate) const LANE: u32 = LANES as u32 - 1;

/// Four numbers at once.
#[cfg(target_feature = "simd128")]
mod four {
    pub(super) use core::arch::wasm32::v128 as Four;
    use core::arch::wasm32::{
        f32x4, f32x4_extract_lane, f32x4_ge, f32x4_le, f32x4_pmax, f32x4_pmin, f32x4_splat, i32x4_bitmask,
        i32x4_shuffle, v128_and,
    };

    #[inline(always)]
    pub(super) fn splat(number: f32) -> Four {
        f32x4_splat(number)
    }

    /// Compiled to one instruction.
    #[inline(always)]
    pub(super) fn load(column: &[f32], at: usize) -> Four {
        let column = &column[at..at + 4];
        f32x4(column[0], column[1], column[2], column[3])
    }

    /// Compiled to one instruction.
    #[inline(always)]
    pub(super) fn store(four: Four, column: &mut [f32], at: usize) {
        let numbers = [
            f32x4_extract_lane::<0>(four),
            f32x4_extract_lane::<1>(four),
            f32x4_extract_lane::<2>(four),
            f32x4_extract_lane::<3>(four),
        ];
        column[at..at + 4].copy_from_slice(&numbers);
    }

    /// The lesser ones of each two; the first if one is NaN.
    #[inline(always)]
    pub(super) fn lesser(one: Four, other: Four) -> Four {
        f32x4_pmin(one, other)
    }

    /// The greater ones of each two; the first if one is NaN.
    #[inline(always)]
    pub(super) fn greater(one: Four, other: Four) -> Four {
        f32x4_pmax(one, other)
    }

    /// The first half of one, then the second half of the other.
    #[inline(always)]
    pub(super) fn halves(one: Four, other: Four) -> Four {
        i32x4_shuffle::<0, 1, 6, 7>(one, other)
    }

    /// Four of the eight numbers in both, from the first, second, … on.
    #[inline(always)]
    pub(super) fn ahead(by: usize, one: Four, other: Four) -> Four {
        match by {
            1 => i32x4_shuffle::<1, 2, 3, 4>(one, other),
            2 => i32x4_shuffle::<2, 3, 4, 5>(one, other),
            3 => i32x4_shuffle::<3, 4, 5, 6>(one, other),
            _ => other,
        }
    }

    /// Rows become columns.
    #[inline(always)]
    pub(super) fn transposed([a, b, c, d]: [Four; 4]) -> [Four; 4] {
        let [low, high] = [i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b)];
        let [others_low, others_high] = [i32x4_shuffle::<0, 4, 1, 5>(c, d), i32x4_shuffle::<2, 6, 3, 7>(c, d)];
        [
            i32x4_shuffle::<0, 1, 4, 5>(low, others_low),
            i32x4_shuffle::<2, 3, 6, 7>(low, others_low),
            i32x4_shuffle::<0, 1, 4, 5>(high, others_high),
            i32x4_shuffle::<2, 3, 6, 7>(high, others_high),
        ]
    }

    #[inline(always)]
    pub(super) fn meet([x0, y0, x1, y1]: [Four; 4], [low_x, low_y, high_x, high_y]: [Four; 4]) -> u32 {
        let in_x = v128_and(f32x4_le(x0, high_x), f32x4_ge(x1, low_x));
        let in_y = v128_and(f32x4_le(y0, high_y), f32x4_ge(y1, low_y));
        i32x4_bitmask(v128_and(in_x, in_y)).into()
    }
}

#[cfg(not(target_feature = "simd128"))]
mod four {
    use core::array::from_fn;

    pub(super) type Four = [f32; 4];

    pub(super) fn splat(number: f32) -> Four {
        [number; 4]
    }

    pub(super) fn load(column: &[f32], at: usize) -> Four {
        from_fn(|lane| column[at + lane])
    }

    pub(super) fn store(four: Four, column: &mut [f32], at: usize) {
        column[at..at + 4].copy_from_slice(&four);
    }

    pub(super) fn lesser(one: Four, other: Four) -> Four {
        from_fn(|lane| if other[lane] < one[lane] { other[lane] } else { one[lane] })
    }

    pub(super) fn greater(one: Four, other: Four) -> Four {
        from_fn(|lane| if one[lane] < other[lane] { other[lane] } else { one[lane] })
    }

    pub(super) fn halves([a, b, ..]: Four, [.., c, d]: Four) -> Four {
        [a, b, c, d]
    }

    pub(super) fn ahead(by: usize, one: Four, other: Four) -> Four {
        from_fn(|lane| *one.iter().chain(&other).nth(lane + by).unwrap_or(&f32::NAN))
    }

    pub(super) fn transposed(rows: [Four; 4]) -> [Four; 4] {
        from_fn(|column| rows.map(|row| row[column]))
    }

    pub(super) fn meet([x0, y0, x1, y1]: [Four; 4], [low_x, low_y, high_x, high_y]: [Four; 4]) -> u32 {
        let meet = |k: usize| x0[k] <= high_x[k] && x1[k] >= low_x[k] && y0[k] <= high_y[k] && y1[k] >= low_y[k];
        (0..4).fold(0, |mask, lane| mask | u32::from(meet(lane)) << lane)
    }
}
