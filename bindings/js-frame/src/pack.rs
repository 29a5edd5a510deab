//! Sixteen boxes by columns.

use core::array::from_fn;

use quadrille::Aabb;

/// Boxes in a pack. A bit for each fits in the masks below, and four registers hold a column.
pub(crate) const LANES: usize = 16;

/// Sixteen boxes by columns: lower x, lower y, upper x, upper y. Where there is none, all four are NaN, which touches
/// nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pack([[f32; LANES]; 4]);

impl Pack {
    pub(crate) const EMPTY: Self = Self([[f32::NAN; LANES]; 4]);
    /// Where there is no box.
    pub(crate) const NOTHING: Aabb<f32> = Aabb { min: [f32::NAN; 2], max: [f32::NAN; 2] };

    /// The boxes of all lanes, four at a time, which vectors turn into columns.
    #[inline(always)]
    pub(crate) fn of(bounds: impl Fn(usize) -> Aabb<f32>) -> Self {
        let mut pack = Self::EMPTY;
        for part in 0..LANES / 4 {
            let four = [0, 1, 2, 3].map(|lane| <[f32; 4]>::from(bounds(4 * part + lane)));
            for (place, column) in pack.0.iter_mut().enumerate() {
                column[4 * part..][..4].copy_from_slice(&four.map(|bounds| bounds[place]));
            }
        }
        pack
    }

    /// Hulls of packs, sixteen of them at most.
    pub(crate) fn of_hulls(packs: &[Self]) -> Self {
        let mut hulls = Self::EMPTY;
        packs.iter().enumerate().for_each(|(lane, pack)| hulls.set(lane, pack.hull()));
        hulls
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
        // Comparisons with NaN are false.
        let least = |a, b| if b < a { b } else { a };
        let most = |a, b| if b > a { b } else { a };
        let [x0, y0, x1, y1] = &self.0;
        Aabb {
            min: [x0, y0].map(|column| folded(column, f32::INFINITY, least)),
            max: [x1, y1].map(|column| folded(column, f32::NEG_INFINITY, most)),
        }
    }

    /// A bit for each box that shares a point with `bounds`.
    #[inline(always)]
    pub(crate) fn touching(&self, bounds: &Aabb<f32>) -> u32 {
        let bounds = <[f32; 4]>::from(*bounds).map(four::splat);
        PARTS.into_iter().fold(0, |mask, at| mask | four::meet(self.part(at), bounds) << at)
    }

    /// For each distance from 1 to half of the lanes: a bit for each box that shares a point with the one that far on, from
    /// the first one again after the last.
    #[inline(always)]
    pub(crate) fn around(&self) -> [u32; LANES / 2] {
        let ring = self.0.map(|column| from_fn::<_, { LANES + LANES / 2 }, _>(|lane| column[lane % LANES]));
        from_fn(|distance| {
            let others = |at: usize| ring.each_ref().map(|column| four::load(column, at + distance + 1));
            let mask = PARTS.into_iter().fold(0, |mask, at| mask | four::meet(self.part(at), others(at)) << at);
            // Halfway around, every two meet twice.
            if distance + 1 == LANES / 2 { mask % (1 << (LANES / 2)) } else { mask }
        })
    }

    #[inline(always)]
    fn part(&self, at: usize) -> [four::Four; 4] {
        self.0.each_ref().map(|column| four::load(column, at))
    }
}

/// Where four lanes begin.
const PARTS: [usize; LANES / 4] = [0, 4, 8, 12];

/// Four numbers at once.
#[cfg(target_feature = "simd128")]
mod four {
    pub(super) use core::arch::wasm32::v128 as Four;
    use core::arch::wasm32::{f32x4, f32x4_ge, f32x4_le, f32x4_splat, i32x4_bitmask, v128_and};

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

    #[inline(always)]
    pub(super) fn meet([x0, y0, x1, y1]: [Four; 4], [low_x, low_y, high_x, high_y]: [Four; 4]) -> u32 {
        let in_x = v128_and(f32x4_le(x0, high_x), f32x4_ge(x1, low_x));
        let in_y = v128_and(f32x4_le(y0, high_y), f32x4_ge(y1, low_y));
        i32x4_bitmask(v128_and(in_x, in_y)).into()
    }
}

#[cfg(not(target_feature = "simd128"))]
mod four {
    pub(super) type Four = [f32; 4];

    pub(super) fn splat(number: f32) -> Four {
        [number; 4]
    }

    pub(super) fn load(column: &[f32], at: usize) -> Four {
        [0, 1, 2, 3].map(|lane| column[at + lane])
    }

    pub(super) fn meet([x0, y0, x1, y1]: [Four; 4], [low_x, low_y, high_x, high_y]: [Four; 4]) -> u32 {
        let meet = |k: usize| x0[k] <= high_x[k] && x1[k] >= low_x[k] && y0[k] <= high_y[k] && y1[k] >= low_y[k];
        (0..4).fold(0, |mask, lane| mask | u32::from(meet(lane)) << lane)
    }
}

/// One number for all of a column, found four at a time, as vectors do.
#[inline(always)]
fn folded(column: &[f32; LANES], none: f32, fold: impl Fn(f32, f32) -> f32) -> f32 {
    let mut four = [none; 4];
    for part in column.chunks_exact(4) {
        four = from_fn(|lane| fold(four[lane], part[lane]));
    }
    fold(fold(four[0], four[1]), fold(four[2], four[3]))
}
