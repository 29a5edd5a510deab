//! What grids show of their occupancy pyramids is true.

use std::ops::ControlFlow;

use quadrille::structures::{
    AnyOptions, AnyStructure, GridOptions, LooseGridOptions, NodeKind, Periodic, PeriodicOptions, StructureKind,
};
use quadrille::{Aabb, Index, Structure};

/// Boxes along a diagonal and a few elsewhere, so that most of the world is empty.
fn boxes() -> Vec<Aabb> {
    let diagonal = (0..500_u16).map(|k| [f32::from(k), f32::from(k)]);
    let elsewhere = [[400.0, 20.0], [30.0, 450.0]];
    diagonal.chain(elsewhere).map(|center| Aabb::from_center(center, [0.4, 0.4])).collect()
}

fn pyramid<I: Structure<Scalar = f32>>(index: &Index<I>) -> Vec<(u32, Aabb)> {
    let mut parts = Vec::new();
    let _: ControlFlow<()> = index.visit_pyramid(|height, bounds| {
        parts.push((height, bounds));
        ControlFlow::Continue(())
    });
    parts
}

fn cells(index: &Index<AnyStructure>) -> Vec<Aabb> {
    let mut cells = Vec::new();
    let _: ControlFlow<()> = index.visit_nodes(|node| {
        if node.kind == NodeKind::Cell {
            cells.push(node.bounds);
        }
        ControlFlow::Continue(())
    });
    cells
}

#[test]
fn every_occupied_cell_is_in_a_part_of_each_height_and_no_part_is_empty() {
    let cell = Some([2.0; 2]);
    let grid = AnyOptions::Grid(GridOptions::default().with_cell(cell));
    let loose = AnyOptions::LooseGrid(LooseGridOptions::default().with_loose_cell(cell).with_tight_cell(cell));
    for options in [grid, loose] {
        let index = Index::<AnyStructure>::with_boxes(options, &boxes()).expect("the options are valid");
        let (parts, cells) = (pyramid(&index), cells(&index));
        let highest = parts.iter().map(|&(height, _)| height).max().expect("there are parts");
        assert!(highest >= 2, "{options:?}: {highest}");
        for height in 1..=highest {
            let of_height: Vec<_> = parts.iter().filter(|part| part.0 == height).map(|part| part.1).collect();
            for cell in &cells {
                assert!(
                    of_height.iter().any(|part| part.contains_point(cell.center())),
                    "{options:?}, height {height}: {cell:?}"
                );
            }
            for part in &of_height {
                assert!(
                    cells.iter().any(|cell| part.contains_point(cell.center())),
                    "{options:?}, height {height}: {part:?}"
                );
            }
        }
        let area = |height| parts.iter().filter(|part| part.0 == height).map(|part| part.1.area()).sum::<f64>();
        assert!(area(1) < area(2), "{options:?}: what is higher is coarser");
    }
}

#[test]
fn a_world_that_wraps_shows_the_pyramid_of_the_grid_within() {
    let world = Aabb::new([-100.0; 2], [900.0; 2]);
    let options = PeriodicOptions::new(world).with_structure(StructureKind::Grid.into());
    let torus = Index::<Periodic<AnyStructure>>::with_boxes(options, &boxes()).expect("the options are valid");
    assert!(!pyramid(&torus).is_empty());
}

#[test]
fn trees_and_lists_keep_no_pyramid() {
    for &kind in StructureKind::ALL {
        if !matches!(kind, StructureKind::Grid | StructureKind::LooseGrid) {
            let index = Index::<AnyStructure>::with_boxes(kind.into(), &boxes()).expect("default options are valid");
            assert_eq!(pyramid(&index), [], "{kind}");
        }
    }
}
