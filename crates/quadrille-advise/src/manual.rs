//! Strengths, limits and costs of the structures, written once. The docs of the structures, their overview in the manual
//! and the command say the same, and tests check that they do.

use quadrille::structures::StructureKind;

/// What a structure is for, what to avoid, and what each operation costs, in a few words each.
///
/// ```
/// use quadrille::structures::StructureKind;
///
/// let manual = quadrille_advise::manual(StructureKind::Grid);
/// assert!(manual.best_for.contains("similar size"));
/// assert_eq!(manual.cost.insert, "constant");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manual {
    /// When to choose it.
    pub best_for: &'static str,
    /// When to choose another.
    pub avoid_for: &'static str,
    /// What each operation costs.
    pub cost: Costs,
    /// Memory in use per box of `f32`, including the 16 bytes of the box itself, for evenly spread and for clustered
    /// scenes. What is reserved for more boxes is not counted.
    pub bytes: &'static str,
}

/// What each operation costs, in a few words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the operation of that name")]
#[non_exhaustive]
pub struct Costs {
    pub insert: &'static str,
    pub remove: &'static str,
    pub update: &'static str,
    pub query: &'static str,
    pub pairs: &'static str,
    pub maintain: &'static str,
}

impl Costs {
    /// Every operation with its cost.
    #[must_use]
    pub const fn all(&self) -> [(&'static str, &'static str); 6] {
        let Self { insert, remove, update, query, pairs, maintain } = *self;
        [
            ("insert", insert),
            ("remove", remove),
            ("update", update),
            ("query", query),
            ("pairs", pairs),
            ("maintain", maintain),
        ]
    }
}

/// Strengths, limits and costs of a structure.
///
/// # Panics
/// Panics if the library has a structure that this crate lacks, which cannot happen if both are of one release.
#[must_use]
pub fn manual(kind: StructureKind) -> Manual {
    match kind {
        StructureKind::BruteForce => BRUTE_FORCE,
        StructureKind::Quadtree => QUADTREE,
        StructureKind::EnclosingQuadtree => ENCLOSING_QUADTREE,
        StructureKind::LooseQuadtree => LOOSE_QUADTREE,
        StructureKind::Grid => GRID,
        StructureKind::LooseGrid => LOOSE_GRID,
        StructureKind::FrameTree => FRAME_TREE,
        _ => panic!("{kind} has no manual"),
    }
}

const BRUTE_FORCE: Manual = Manual {
    best_for: "a few dozen boxes at most; the reference in all tests",
    avoid_for: "many boxes",
    cost: Costs {
        insert: "constant",
        remove: "constant",
        update: "constant",
        query: "all boxes",
        pairs: "all boxes, squared and halved",
        maintain: "nothing",
    },
    bytes: "16",
};

const QUADTREE: Manual = Manual {
    best_for: "areas side by side that rarely move, and casts among them; elsewhere second to `FrameTree` at best",
    avoid_for: "many boxes much larger than the spacing: each is listed many times",
    cost: Costs {
        insert: "one descent and the lists touched",
        remove: "one descent and the lists touched",
        update: "one descent; the lists too if the box changes leaves",
        query: "the leaves touched",
        pairs: "the boxes of each leaf, squared",
        maintain: "all nodes",
    },
    bytes: "28 to 34",
};

const ENCLOSING_QUADTREE: Manual = Manual {
    best_for: "seeing how it works: each box is listed once, however large; in every scene measured, another is faster",
    avoid_for: "all pairs, every frame",
    cost: Costs {
        insert: "one descent",
        remove: "a short list",
        update: "a few comparisons while the box stays in its node, otherwise a remove and an insert",
        query: "the nodes touched, down from the root",
        pairs: "the nodes that each box touches",
        maintain: "all nodes, and the boxes on middle lines",
    },
    bytes: "31 to 49",
};

const LOOSE_QUADTREE: Manual = Manual {
    best_for: "boxes that move, if it must be a quadtree: the fastest of the three there, behind `FrameTree`",
    avoid_for: "huge boxes spread evenly among small ones: they inflate nodes, so queries visit them needlessly",
    cost: Costs {
        insert: "one descent",
        remove: "a short list",
        update: "constant within the hull of the leaf, otherwise a remove and an insert",
        query: "the nodes whose hulls are touched",
        pairs: "the nodes whose hulls touch",
        maintain: "all nodes and boxes",
    },
    bytes: "30 to 42",
};

const GRID: Manual = Manual {
    best_for: "boxes of similar size, spread evenly, of which a few move at a time: the cheapest single update",
    avoid_for: "crowds in a corner of an almost empty world: all cells have one size",
    cost: Costs {
        insert: "constant",
        remove: "a short list",
        update: "a few comparisons while the lower corner stays in its cell, otherwise a remove and an insert",
        query: "the cells touched, plus one row and one column on each level of sizes",
        pairs: "the boxes of each cell, of its neighbors, and of the finer cells touched",
        maintain: "all rows",
    },
    bytes: "31 to 37",
};

const LOOSE_GRID: Manual = Manual {
    best_for: "boxes that are spread evenly and jump one by one, each followed by a small query",
    avoid_for: "huge boxes spread evenly among small ones; crowds in a corner of an almost empty world",
    cost: Costs {
        insert: "constant, plus the tight cells by which the hull grows",
        remove: "a short list, plus the tight cells if the cell becomes empty",
        update: "a few comparisons while the center stays in its cell, otherwise a remove and an insert",
        query: "the tight cells touched, and the loose cells listed there",
        pairs: "the loose cells whose hulls touch",
        maintain: "the loose cells in which a box has left or shrunk",
    },
    bytes: "33 to 45",
};

const FRAME_TREE: Manual = Manual {
    best_for: "every scene and data set that was measured: whole frames, all pairs, and most queries",
    avoid_for: "boxes that are spread evenly and jump one by one, each followed by a small query",
    cost: Costs {
        insert: "logarithmic on average",
        remove: "the hulls above the box",
        update: "the hulls above the box, or an insert if it strays from its pack; the first after a sort or a \
                 compaction numbers all boxes",
        query: "the packs whose hulls are touched, sixteen at once",
        pairs: "the packs whose hulls touch, sixteen boxes at once",
        maintain: "all boxes once, or after single changes all packs; once sorting has become worth its cost, a part of all \
                   boxes is sorted in each of the next frames, or all at once if they have jumped or have layers",
    },
    bytes: "37 to 48",
};

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use quadrille::structures::AnyStructure;
    use quadrille::{Aabb, Index};

    use super::*;

    /// The documentation of a file as one line, without marks of lists and comments.
    fn documentation(source: &str) -> String {
        let lines = source.lines().filter_map(|line| line.trim_start().strip_prefix("///"));
        lines.map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// The files of a folder, one after the other.
    fn all_of(folder: &Path) -> String {
        let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        files.filter(|file| file.is_file()).map(|file| fs::read_to_string(file).expect("a source")).collect()
    }

    /// The files of the structures, by the list of the library: `grid.rs`, or all in `quadtree/`.
    fn sources() -> Vec<(StructureKind, String)> {
        macro_rules! modules {
            (; $($module:ident $name:ident $(($options:ident: $type:ident))?, $what:literal;)*) => {
                [$((StructureKind::$name, stringify!($module))),*]
            };
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../quadrille/src/structure");
        let read = |module: &str| match fs::read_to_string(folder.join(module).with_extension("rs")) {
            Ok(file) => file,
            Err(_) => all_of(&folder.join(module)),
        };
        quadrille::structures!(modules!).map(|(kind, module)| (kind, read(module))).into()
    }

    #[test]
    fn the_documentation_of_a_structure_says_what_its_manual_says() {
        for (kind, source) in sources() {
            let (documentation, manual) = (documentation(&source), manual(kind));
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

    /// The FAQ says those of the default.
    #[test]
    fn the_pages_of_structures_and_the_faq_say_the_bytes() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let page = |name: String| fs::read_to_string(docs.join(&name)).expect(&name).replace('\n', " ");
        for &kind in StructureKind::ALL {
            let bytes = manual(kind).bytes;
            assert!(page(format!("structures/{kind}.md")).contains(&format!("{bytes} bytes")), "{kind}: {bytes} bytes");
        }
        let bytes = manual(StructureKind::FrameTree).bytes;
        assert!(page("faq.md".into()).contains(&format!("{bytes} bytes per box")));
    }

    #[test]
    fn the_overview_of_structures_says_what_the_manuals_say() {
        let overview = include_str!("../../../docs/structures/overview.md");
        for &kind in StructureKind::ALL {
            let name: String = kind.name().split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
            let manual = manual(kind);
            let row = format!("| `{name}` | {} | {} |", manual.best_for, manual.avoid_for);
            assert!(overview.contains(&row), "docs/structures/overview.md lacks the row\n{row}");
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
            let range: Vec<f64> = manual(kind).bytes.split(" to ").map(|one| one.parse().expect("a number")).collect();
            let (least, most) = (range[0], range[range.len() - 1]);
            assert!(
                (0.9 * least..1.1 * most).contains(&bytes),
                "{kind}: {bytes} bytes a box, its manual says {range:?}"
            );
        }
    }
}
