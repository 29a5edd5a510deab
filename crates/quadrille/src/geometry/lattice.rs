//! The columns and rows of a uniform grid.

use super::{Aabb, Scalar, both};

/// The most cells of any grid, apart from rounding up. 4 million list heads are 16 MB.
const MOST_CELLS: f64 = 4_194_304.0;

/// One axis of a [`Lattice`], divided into columns (or rows) of equal width.
///
/// **Exactness rests on one property of [`column`](Self::column): `a <= b` implies `column(a) <= column(b)`.**
/// Subtracting a constant, multiplying by a positive one, and casting with saturation all preserve order, rounding
/// included. Nothing depends on where exactly a column begins, so no rounding can lose a hit.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Axis {
    /// Where column 0 begins, nominally.
    origin: f64,
    /// Width of a column, positive and finite.
    cell: f64,
    /// 1 / `cell`; infinite if that is too large, which leaves two columns in use.
    per_unit: f64,
    /// The last column.
    last: u32,
}

impl Axis {
    /// As many columns of width `cell` as it takes to cover `extent`.
    fn new(origin: f64, extent: f64, cell: f64) -> Self {
        Self { origin, cell, per_unit: cell.recip(), last: count(extent, cell) - 1 }
    }

    /// The column of a coordinate. Border columns reach to infinity.
    #[inline]
    // Casts: saturating is what this is for; NaN (0 × ∞) becomes 0.
    fn column<S: Scalar>(&self, x: S) -> u32 {
        (((x.to_f64() - self.origin) * self.per_unit) as u32).min(self.last)
    }

    /// Where a column begins, to the precision of the numbers.
    fn edge(&self, column: f64) -> f64 {
        self.origin + column * self.cell
    }

    /// A number that is less than or equal to everything in `column` or east of it. Its own column is farther west,
    /// which proves it.
    fn below<S: Scalar>(&self, column: u32) -> S {
        let tries = [0.125, 1.0].map(|margin| S::from_f64(self.edge(f64::from(column) - margin)));
        tries.into_iter().find(|&x| self.column(x) < column).unwrap_or(S::LOWEST)
    }

    /// A number that is greater than or equal to everything in `column` or west of it. Its own column is farther east,
    /// which proves it.
    fn above<S: Scalar>(&self, column: u32) -> S {
        let tries = [1.125, 2.0].map(|margin| S::from_f64(self.edge(f64::from(column) + margin)));
        tries.into_iter().find(|&x| self.column(x) > column).unwrap_or(S::HIGHEST)
    }
}

/// How many columns cover an extent: at least one.
// Casts: saturates, and is bounded by MOST_CELLS before.
fn count(extent: f64, cell: f64) -> u32 {
    // `as` rounds down; `ceil` is not in `core`.
    let whole = (extent / cell) as u32;
    (whole + u32::from(f64::from(whole) * cell < extent)).max(1)
}

/// A uniform grid over the whole plane: which column and row a point is in. Knows nothing of what is stored there.
///
/// Cells may be wider than high. Whatever lies outside the world belongs to the nearest border cell.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Lattice {
    axes: [Axis; 2],
}

impl Lattice {
    /// A lattice over `world` with cells of at least the size `least` (width and height, not negative) and with about
    /// `most` cells at most, and never many more than [`MOST_CELLS`].
    ///
    /// If `least` would make too many cells, both sides grow to the side of the square of which `most` cover the
    /// world. If one side is already larger, the other grows alone. So points get square cells, however long the world
    /// is, and long thin boxes get long thin cells.
    pub(crate) fn new<S: Scalar>(world: &Aabb<S>, least: [f64; 2], most: f64) -> Self {
        let most = most.clamp(1.0, MOST_CELLS);
        let origin = world.min.map(Scalar::to_f64);
        let extent = both(|axis| (world.max[axis].to_f64() - origin[axis]).clamp(f64::MIN_POSITIVE, f64::MAX));
        let square = square_root(extent[0] / most) * square_root(extent[1]);
        let least = least.map(|least| least.min(f64::MAX));
        let mut cell = least.map(|least| least.max(square.min(f64::MAX)));
        // The axis with more columns takes what the other, rounded up to whole columns, leaves over.
        let many = usize::from(extent[1] / cell[1] > extent[0] / cell[0]);
        let few = f64::from(count(extent[1 - many], cell[1 - many]));
        cell[many] = least[many].max(extent[many] / most * few).min(f64::MAX);
        Self { axes: both(|axis| Axis::new(origin[axis], extent[axis], cell[axis])) }
    }

    /// The column and row of a point.
    #[inline]
    pub(crate) fn at<S: Scalar>(&self, point: [S; 2]) -> [u32; 2] {
        [self.axes[0].column(point[0]), self.axes[1].column(point[1])]
    }

    /// The cells that a box has points in. Boxes that share a point share a cell.
    #[inline]
    pub(crate) fn span<S: Scalar>(&self, bounds: &Aabb<S>) -> Span {
        Span { lo: self.at(bounds.min), hi: self.at(bounds.max) }
    }

    /// All cells.
    pub(crate) fn everything(&self) -> Span {
        Span { lo: [0; 2], hi: self.axes.map(|axis| axis.last) }
    }

    /// Width and height of a cell.
    pub(crate) fn cell(&self) -> [f64; 2] {
        self.axes.map(|axis| axis.cell)
    }

    /// The rectangle of a span for drawing: where its cells lie, but for rounding.
    pub(crate) fn rectangle<S: Scalar>(&self, span: &Span) -> Aabb<S> {
        let corner = |at: [f64; 2]| both(|axis| S::from_f64(self.axes[axis].edge(at[axis])));
        Aabb::new(corner(span.lo.map(f64::from)), corner(span.hi.map(|column| f64::from(column) + 1.0)))
    }

    /// A rectangle that encloses every point of the span, a little larger than the span and unbounded at the borders.
    /// Queries test whether they reach it.
    #[inline]
    pub(crate) fn hull<S: Scalar>(&self, span: &Span) -> Aabb<S> {
        let [x, y] = &self.axes;
        Aabb::new([x.below(span.lo[0]), y.below(span.lo[1])], [x.above(span.hi[0]), y.above(span.hi[1])])
    }

    /// `true` if the cells of the other lattice are of a similar size: at most three times larger or smaller.
    pub(crate) fn resembles(&self, other: &Self) -> bool {
        self.axes.iter().zip(&other.axes).all(|(a, b)| a.cell <= 3.0 * b.cell && b.cell <= 3.0 * a.cell)
    }

    /// `true` if the columns are monotone and there are not many more cells than [`new`](Self::new) ever makes.
    pub(crate) fn is_sound(&self) -> bool {
        let is_sound = |axis: &Axis| {
            axis.origin.is_finite() && axis.cell > 0.0 && axis.cell.is_finite() && axis.per_unit == axis.cell.recip()
        };
        let [columns, rows] = self.axes.map(|axis| f64::from(axis.last) + 1.0);
        self.axes.iter().all(is_sound) && columns * rows <= 2.0 * MOST_CELLS
    }
}

/// The square root of a positive number to within a few percent, which is enough for the size of a cell; the one in
/// `core` is too recent. Halves the exponent, then takes two steps of Newton's method.
fn square_root(x: f64) -> f64 {
    let guess = f64::from_bits((x.to_bits() >> 1) + (1.0_f64.to_bits() >> 1));
    (0..2).fold(guess, |root, _| root.midpoint(x / root))
}

/// A rectangle of cells, first and last column and row included. 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) lo: [u32; 2],
    pub(crate) hi: [u32; 2],
}

impl Span {
    /// No cells.
    pub(crate) const EMPTY: Self = Self { lo: [1; 2], hi: [0; 2] };

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        (self.lo[0] > self.hi[0]) | (self.lo[1] > self.hi[1])
    }

    /// How many cells a span that is not empty has.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        let side = |axis: usize| u64::from(self.hi[axis] - self.lo[axis]) + 1;
        side(0) * side(1)
    }

    #[inline]
    pub(crate) fn contains(&self, [column, row]: [u32; 2]) -> bool {
        (self.lo[0]..=self.hi[0]).contains(&column) & (self.lo[1]..=self.hi[1]).contains(&row)
    }

    /// The cells row by row.
    pub(crate) fn cells(self) -> impl Iterator<Item = [u32; 2]> {
        (self.lo[1]..=self.hi[1]).flat_map(move |row| (self.lo[0]..=self.hi[0]).map(move |column| [column, row]))
    }

    /// The span among cells 2^`shift` times as large.
    #[inline]
    pub(crate) fn coarser(&self, shift: u32) -> Self {
        Self { lo: self.lo.map(|at| at >> shift), hi: self.hi.map(|at| at >> shift) }
    }

    /// The span of all fine cells that make up cells 2^`shift` times as large.
    #[inline]
    pub(crate) fn finer(&self, shift: u32) -> Self {
        Self { lo: self.lo.map(|at| at << shift), hi: self.hi.map(|at| ((at + 1) << shift) - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn lattice<S: Scalar>(world: [S; 4], least: [f64; 2], most: f64) -> Lattice {
        Lattice::new(&Aabb::from(world), least, most)
    }

    fn counts(lattice: &Lattice) -> [u32; 2] {
        lattice.everything().hi.map(|last| last + 1)
    }

    /// Coordinates that a careless column function trips over, in ascending order.
    fn hostile<S: Scalar>() -> Vec<S> {
        let mut all: Vec<f64> =
            [0.0_f64, 5e-324, 1e-300, 1e-30, 0.1, 1.0, 9.999_999, 10.0, 33.3, 95.0, 100.0, 2e9, 1e30, 1e308]
                .into_iter()
                .flat_map(|x| [x, x * (1.0 + f64::EPSILON), -x, -x * (1.0 + f64::EPSILON)])
                .collect();
        all.extend((-400..400).map(|step| f64::from(step) / 4.0));
        all.sort_unstable_by(f64::total_cmp);
        let finite = all.into_iter().map(S::from_f64);
        core::iter::once(S::LOWEST).chain(finite).chain([S::HIGHEST]).collect()
    }

    fn columns_are_monotone_and_clamped<S: Scalar>() {
        let worlds: [[f64; 4]; 8] = [
            [0.0, 0.0, 100.0, 100.0],
            [-100.0, 3.0, 100.0, 5.0],
            [0.1, 0.1, 0.3, 0.7],
            [7.0, 7.0, 7.0, 7.0],
            [0.0, 0.0, 1e-320, 1e-320],
            [1e30, 1e30, 1.000_001e30, 1.1e30],
            [-2e9, -2e9, 2e9, 2e9],
            [f64::MIN, f64::MIN, f64::MAX, f64::MAX],
        ];
        for world in worlds {
            for (least, most) in
                [([0.0, 0.0], 1e3), ([10.0, 10.0], 1e9), ([1e-9, 1e300], 1e9), ([f64::INFINITY, 0.0], 50.0)]
            {
                let lattice = lattice(world.map(S::from_f64), least, most);
                let [columns, rows] = counts(&lattice).map(f64::from);
                assert!(
                    columns * rows <= 1.1 * most.min(MOST_CELLS) + 3000.0,
                    "{world:?} {least:?}: {columns} x {rows}"
                );
                let axis = &lattice.axes[0];
                let numbers: Vec<(S, u32)> = hostile::<S>().into_iter().map(|x| (x, axis.column(x))).collect();
                assert!(numbers.iter().all(|&(_, column)| column <= axis.last));
                for pair in numbers.windows(2) {
                    assert!(pair[0].1 <= pair[1].1, "{world:?} {least:?}: {pair:?}");
                }
                for &(x, column) in &numbers {
                    assert!(axis.below::<S>(column) <= x && x <= axis.above(column), "{world:?} {least:?}: {x}");
                }
            }
        }
    }

    #[test]
    fn columns_are_monotone_and_clamped_for_every_scalar() {
        columns_are_monotone_and_clamped::<f32>();
        columns_are_monotone_and_clamped::<f64>();
        columns_are_monotone_and_clamped::<i32>();
    }

    #[test]
    fn a_given_cell_size_is_kept_and_covers_the_world() {
        let uneven = lattice([0.0, 0.0, 95.0, 100.0], [10.0, 50.0], 1e9);
        assert_eq!(counts(&uneven), [10, 2], "ten columns of 10 cover 95");
        assert_eq!(uneven.cell(), [10.0, 50.0]);
        assert_eq!(uneven.at([0.0, 0.0]), [0, 0]);
        assert_eq!(uneven.at([9.9, 49.0]), [0, 0]);
        assert_eq!(uneven.at([10.0, 50.0]), [1, 1], "an edge belongs to the upper cell");
        assert_eq!(uneven.at([1e30, -1e30]), [9, 0], "outside is in the border cell");
        assert_eq!(uneven.rectangle::<f32>(&Span { lo: [1, 0], hi: [2, 0] }), [10.0, 0.0, 30.0, 50.0].into());
    }

    #[test]
    fn the_origin_of_the_world_is_subtracted() {
        let far = lattice([1_000_000, -2_000_000, 1_000_100, -1_999_900], [10.0, 10.0], 1e9);
        assert_eq!(counts(&far), [10, 10]);
        assert_eq!(far.at([1_000_055, -1_999_999]), [5, 0]);
        assert_eq!(far.at([i32::MAX, i32::MIN]), [9, 0]);
    }

    #[test]
    fn cells_take_the_shape_of_boxes_and_worlds() {
        assert_eq!(counts(&lattice([0.0, 0.0, 100.0, 100.0], [0.0, 0.0], 100.0)), [10, 10], "points: squares");
        assert_eq!(counts(&lattice([0.0, 0.0, 1000.0, 10.0], [0.0, 0.0], 100.0)), [100, 1], "also in a long world");
        assert_eq!(counts(&lattice([0.0, 0.0, 100.0, 100.0], [0.0, 20.0], 100.0)), [20, 5], "upright lines");
        assert_eq!(counts(&lattice([0.0, 0.0, 100.0, 100.0], [50.0, 1.0], 1e9)), [2, 100], "long thin boxes");
        assert_eq!(counts(&lattice([0.0, 0.0, 100.0, 100.0], [500.0, 500.0], 1e9)), [1, 1], "giants");
    }

    #[test]
    fn a_hull_is_a_little_larger_than_its_cells_and_unbounded_at_the_border() {
        let lattice = lattice([0.0_f32, 0.0, 100.0, 100.0], [10.0, 10.0], 1e9);
        let inner = lattice.hull::<f32>(&Span { lo: [3, 3], hi: [4, 4] });
        assert_eq!(inner, [28.75, 28.75, 51.25, 51.25].into());
        assert_eq!(lattice.hull::<f32>(&lattice.everything()), Aabb::EVERYTHING);
    }

    #[test]
    fn spans_count_and_list_their_cells() {
        let span = Span { lo: [2, 5], hi: [4, 6] };
        assert_eq!(span.len(), 6);
        assert_eq!(span.cells().collect::<Vec<_>>(), [[2, 5], [3, 5], [4, 5], [2, 6], [3, 6], [4, 6]]);
        assert!(span.cells().all(|cell| span.contains(cell)));
        assert!(!span.contains([1, 5]) && !span.contains([4, 7]));
        assert_eq!(span.coarser(2), Span { lo: [0, 1], hi: [1, 1] });
        assert_eq!(span.coarser(2).finer(2), Span { lo: [0, 4], hi: [7, 7] });
        assert_eq!(Span::EMPTY.cells().count(), 0);
        assert!(Span::EMPTY.is_empty() && !Span::EMPTY.contains([0, 0]) && !Span::EMPTY.contains([1, 1]));
    }
}
