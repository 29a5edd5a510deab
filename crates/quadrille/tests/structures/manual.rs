//! What a structure is for is written once, in its `Manual`; whatever else says so says the same.

use quadrille::{Aabb, AnyStructure, Index, StructureKind};

/// The documentation of a file as one line, without marks of lists and comments.
fn documentation(source: &str) -> String {
    let lines = source.lines().filter_map(|line| line.trim_start().strip_prefix("///"));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Those whose manual stands in their documentation word for word.
const SOURCES: [(StructureKind, &str); 7] = [
    (StructureKind::BruteForce, include_str!("../../src/structure/brute_force.rs")),
    (StructureKind::Quadtree, include_str!("../../src/structure/quadtree/mod.rs")),
    (StructureKind::EnclosingQuadtree, include_str!("../../src/structure/enclosing_quadtree/mod.rs")),
    (StructureKind::LooseQuadtree, include_str!("../../src/structure/loose_quadtree.rs")),
    (StructureKind::Grid, include_str!("../../src/structure/grid.rs")),
    (StructureKind::LooseGrid, include_str!("../../src/structure/loose_grid/mod.rs")),
    (StructureKind::FrameTree, include_str!("../../src/structure/frame_tree/mod.rs")),
];

#[test]
fn the_documentation_of_a_structure_says_what_its_manual_says() {
    for (kind, source) in SOURCES {
        let (documentation, manual) = (documentation(source), kind.manual());
        for sentence in [
            format!("- **Best for:** {}.", manual.best_for),
            format!("- **Avoid for:** {}.", manual.avoid_for),
            format!("- **Memory:** {} bytes per box (`f32`)", manual.bytes),
        ] {
            assert!(documentation.contains(&sentence), "{kind}: its documentation lacks `{sentence}`");
        }
        for (operation, cost) in manual.cost.all() {
            let sentence = format!("`{operation}`: {cost}.");
            assert!(documentation.contains(&sentence), "{kind}: its documentation lacks `{sentence}`");
        }
    }
}

#[test]
fn the_readme_says_what_the_manuals_say() {
    let readme = include_str!("../../../../README.md");
    for &kind in StructureKind::ALL {
        let name: String = kind.name().split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
        let manual = kind.manual();
        let row = format!("| `{name}` | {} | {} |", manual.best_for, manual.avoid_for);
        assert!(readme.contains(&row), "README lacks the row\n{row}");
    }
}

/// 20,000 boxes spread evenly take as many bytes as the manual says, and a tenth more or less.
#[test]
fn structures_take_the_bytes_that_their_manuals_say() {
    let boxes: Vec<Aabb> = (0..20_000_u64)
        .map(|k| {
            let bits = (k + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let bits = (bits ^ bits >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let at = |shift: u32| (bits >> shift & 0xFFFF) as f32 / 65_536.0 * 632.0;
            Aabb::from_center([at(16), at(40)], [1.0; 2])
        })
        .collect();
    for &kind in StructureKind::ALL {
        let index = Index::<AnyStructure>::with_boxes(kind.into(), &boxes).expect("valid boxes");
        let bytes = index.stats().bytes_used as f64 / boxes.len() as f64;
        let range: Vec<f64> = kind.manual().bytes.split(" to ").map(|one| one.parse().expect("a number")).collect();
        let (least, most) = (range[0], range[range.len() - 1]);
        assert!((0.9 * least..1.1 * most).contains(&bytes), "{kind}: {bytes} bytes a box, its manual says {range:?}");
    }
}
