//! Which options are tried.

use quadrille::{
    Aabb, AnyOptions, GridOptions, LooseGridOptions, QuadtreeOptions, Scalar, StructureKind, Subdivision, TreeOptions,
};

/// Brute force takes part up to this many boxes. More: it would take longer than all the others together, and lose.
const MOST_FOR_BRUTE_FORCE: usize = 2_000;

/// Every structure with its default options, which follow the data.
pub(crate) fn defaults<S>(boxes: usize) -> Vec<AnyOptions<S>> {
    let is_affordable = |kind: &StructureKind| *kind != StructureKind::BruteForce || boxes <= MOST_FOR_BRUTE_FORCE;
    StructureKind::ALL.iter().copied().filter(is_affordable).map(Into::into).collect()
}

/// Options around the default ones of a structure: one of its parameters is changed in each.
pub(crate) fn variants<S: Scalar>(kind: StructureKind, boxes: &[Aabb<S>]) -> Vec<AnyOptions<S>> {
    match kind {
        StructureKind::Quadtree => quadtrees(boxes.len()),
        StructureKind::EnclosingQuadtree => trees(boxes.len(), &[16, 64]).map(AnyOptions::EnclosingQuadtree).collect(),
        StructureKind::LooseQuadtree => trees(boxes.len(), &[8, 16, 64]).map(AnyOptions::LooseQuadtree).collect(),
        StructureKind::Grid => grids(boxes),
        StructureKind::LooseGrid => loose_grids(boxes),
        _ => Vec::new(),
    }
}

fn quadtrees<S>(boxes: usize) -> Vec<AnyOptions<S>> {
    let adaptive = |capacity, max_depth| Subdivision::Adaptive { capacity, max_depth };
    let subdivisions = [
        adaptive(8, 16),
        adaptive(32, 16),
        adaptive(64, 16),
        adaptive(16, shallow(boxes)),
        Subdivision::Fixed(shallow(boxes).min(10)),
    ];
    subdivisions
        .map(|subdivision| AnyOptions::Quadtree(QuadtreeOptions::default().with_subdivision(subdivision)))
        .into()
}

fn trees<S>(boxes: usize, capacities: &[u32]) -> impl Iterator<Item = TreeOptions<S>> {
    let usual = TreeOptions::default;
    let capacities = capacities.iter().map(move |&capacity| usual().with_capacity(capacity));
    capacities.chain([usual().with_max_depth(shallow(boxes))])
}

fn grids<S: Scalar>(boxes: &[Aabb<S>]) -> Vec<AnyOptions<S>> {
    let usual = Axis::both(boxes).map(|axis| f64::max(2.0 * axis.size, 2.0 * axis.spacing));
    let cells = [0.5, 2.0].into_iter().filter_map(|times| cell(usual, times));
    cells.map(|cell| AnyOptions::Grid(GridOptions::default().with_cell(cell))).collect()
}

fn loose_grids<S: Scalar>(boxes: &[Aabb<S>]) -> Vec<AnyOptions<S>> {
    let axes = Axis::both(boxes);
    let loose = axes.map(|axis| f64::max(axis.size, 2.0 * axis.spacing));
    let tight = [0, 1].map(|axis| loose[axis] + axes[axis].size);
    let changed = |loose_cell: Option<[S; 2]>, tight_cell: Option<[S; 2]>| {
        let options = LooseGridOptions::default().with_loose_cell(loose_cell).with_tight_cell(tight_cell);
        (options != LooseGridOptions::default()).then_some(AnyOptions::LooseGrid(options))
    };
    let both = [0.5, 2.0].map(|times| [changed(cell(loose, times), None), changed(None, cell(tight, times))]);
    both.into_iter().flatten().flatten().collect()
}

/// A depth at which there are about as many leaves as boxes, if these are spread evenly.
fn shallow(boxes: usize) -> u8 {
    (1..12).find(|&depth| boxes >> (2 * depth) == 0).unwrap_or(12)
}

/// A cell scaled by this factor, if there is a usual size. Three digits are enough, and easier to read.
fn cell<S: Scalar>(usual: [f64; 2], times: f64) -> Option<[S; 2]> {
    let rounded = |side: f64| format!("{side:.2e}").parse().unwrap_or(side);
    let cell = usual.map(|side| S::from_f64(rounded(side * times)));
    cell.iter().all(|&side| side > S::ZERO).then_some(cell)
}

/// Statistics of the boxes on one axis.
#[derive(Clone, Copy)]
struct Axis {
    /// The median size.
    size: f64,
    /// The side of a cell if there are as many cells as boxes.
    spacing: f64,
}

impl Axis {
    fn both<S: Scalar>(boxes: &[Aabb<S>]) -> [Self; 2] {
        [0, 1].map(|axis| {
            let ends = |bounds: &Aabb<S>| (bounds.min[axis].to_f64(), bounds.max[axis].to_f64());
            let sizes = sorted(boxes.iter().map(ends).map(|(min, max)| max - min));
            let centers = sorted(boxes.iter().map(ends).map(|(min, max)| min.midpoint(max)));
            // Nine boxes in ten, so that a few outliers do not enlarge cells.
            let extent = quantile(&centers, 95) - quantile(&centers, 5);
            Self { size: quantile(&sizes, 50), spacing: extent / 0.9 / (boxes.len().max(1) as f64).sqrt() }
        })
    }
}

fn sorted(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut numbers: Vec<_> = numbers.collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers
}

/// A percentile of the numbers; zero if there are none.
fn quantile(sorted: &[f64], percent: usize) -> f64 {
    sorted.get(sorted.len() * percent / 100).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::{AnyStructure, Index};

    fn row_of_squares<S: Scalar>(n: i32, step: f64, size: f64) -> Vec<Aabb<S>> {
        let square = |i: i32| [0.0, 0.0, size, size].map(|side| S::from_f64(f64::from(i) * step + side));
        (0..n).map(|i| Aabb::from(square(i))).collect()
    }

    fn all_are_valid_and_none_is_a_default<S: Scalar>(boxes: &[Aabb<S>]) {
        for &kind in StructureKind::ALL {
            for options in variants::<S>(kind, boxes) {
                assert_eq!(options.kind(), kind);
                assert_ne!(options, kind.into());
                assert!(Index::<AnyStructure<S>>::new(options).is_ok(), "{options:?}");
            }
        }
    }

    #[test]
    fn variants_are_valid_whatever_the_boxes_are_like() {
        for n in [0, 1, 2, 1_000] {
            for (step, size) in [(0.0, 0.0), (0.0, 1e30), (1e30, 0.0), (1e-30, 1e-30), (1.0, 0.5), (1e6, 1e9)] {
                all_are_valid_and_none_is_a_default(&row_of_squares::<f32>(n, step, size));
                all_are_valid_and_none_is_a_default(&row_of_squares::<f64>(n, step, size));
                all_are_valid_and_none_is_a_default(&row_of_squares::<i32>(n, step, size));
            }
        }
    }

    #[test]
    fn grids_are_tried_with_smaller_and_larger_cells() {
        // Squares of side 1.5 every 2 along a diagonal.
        let sides = grids(&row_of_squares::<f32>(1_000, 2.0, 1.5)).into_iter().map(|options| match options {
            AnyOptions::Grid(GridOptions { cell: Some([x, _]), .. }) => x,
            other => panic!("{other:?} is no grid with a cell"),
        });
        let sides: Vec<_> = sides.collect();
        assert!(sides.len() == 2 && sides[1] > 3.9 * sides[0], "{sides:?}");
    }

    #[test]
    fn brute_force_takes_part_only_where_it_is_affordable() {
        assert!(defaults::<f32>(2_000).contains(&AnyOptions::BruteForce));
        assert!(!defaults::<f32>(2_001).contains(&AnyOptions::BruteForce));
    }
}
