//! What to know about a structure before choosing it, written once: the documentation of the structures, README and the
//! command say the same, and tests hold them to it.

use super::StructureKind;

/// What a structure is for, what to avoid with it, and what it costs, in a few words each.
///
/// ```
/// use quadrille::StructureKind;
///
/// let manual = StructureKind::Grid.manual();
/// assert!(manual.best_for.contains("similar size"));
/// assert_eq!(manual.cost.insert, "constant");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manual {
    /// When to take it.
    pub best_for: &'static str,
    /// When to take another.
    pub avoid_for: &'static str,
    /// What each operation costs.
    pub cost: Costs,
    /// Memory a box of `f32`, the 16 bytes of the box itself included, on scenes spread evenly and in crowds.
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

impl StructureKind {
    /// What to know about the structure before choosing it.
    #[must_use]
    pub const fn manual(self) -> Manual {
        match self {
            Self::BruteForce => BRUTE_FORCE,
            Self::Quadtree => QUADTREE,
            Self::EnclosingQuadtree => ENCLOSING_QUADTREE,
            Self::LooseQuadtree => LOOSE_QUADTREE,
            Self::Grid => GRID,
            Self::LooseGrid => LOOSE_GRID,
            Self::FrameTree => FRAME_TREE,
        }
    }
}

const BRUTE_FORCE: Manual = Manual {
    best_for: "up to a few dozen boxes; the oracle of all tests",
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
    best_for: "small boxes of similar size that seldom move, many small questions",
    avoid_for: "many boxes much larger than the spacing: each is listed over and over",
    cost: Costs {
        insert: "a descent and the lists touched",
        remove: "a descent and the lists touched",
        update: "a descent; the lists if the box changes leaves",
        query: "the leaves touched",
        pairs: "the boxes of each leaf, squared",
        maintain: "all nodes",
    },
    bytes: "28 to 34",
};

const ENCLOSING_QUADTREE: Manual = Manual {
    best_for: "very mixed sizes, giants among dwarfs: each box is listed once, however large",
    avoid_for: "all pairs, every frame",
    cost: Costs {
        insert: "one descent",
        remove: "a short list",
        update: "a few comparisons while the box stays in its node, else as remove and insert",
        query: "the nodes touched, down from the root",
        pairs: "the nodes that each box touches",
        maintain: "all nodes, and the boxes on middle lines",
    },
    bytes: "31 to 49",
};

const LOOSE_QUADTREE: Manual = Manual {
    best_for: "crowds of mixed sizes that move; rays",
    avoid_for: "giants spread evenly among dwarfs: questions enter the nodes they widen in vain",
    cost: Costs {
        insert: "one descent",
        remove: "a short list",
        update: "constant within the hull of the leaf, else as remove and insert",
        query: "the nodes whose hulls are touched",
        pairs: "the nodes whose hulls touch",
        maintain: "all nodes and boxes",
    },
    bytes: "30 to 42",
};

const GRID: Manual = Manual {
    best_for: "very many boxes of similar size, spread evenly, a few of which move at a time",
    avoid_for: "crowds in a corner of an almost empty world, for all cells are of one size",
    cost: Costs {
        insert: "constant",
        remove: "a short list",
        update: "a few comparisons while the lower corner stays in its cell, else as remove and insert",
        query: "the cells touched, and a row and a column more on each level of sizes",
        pairs: "the boxes of each cell, of its neighbours, and of the finer cells touched",
        maintain: "all rows",
    },
    bytes: "31 to 37",
};

const LOOSE_GRID: Manual = Manual {
    best_for: "all pairs of boxes that are spread evenly and updated one by one",
    avoid_for: "giants spread evenly among dwarfs; crowds in a corner of an almost empty world",
    cost: Costs {
        insert: "constant, and the tight cells by which the hull grows",
        remove: "a short list, and the tight cells if the cell becomes empty",
        update: "a few comparisons while the centre stays in its cell, else as remove and insert",
        query: "the tight cells touched, and the loose cells listed there",
        pairs: "the loose cells whose hulls touch",
        maintain: "the loose cells that something has left or shrunk in",
    },
    bytes: "33 to 45",
};

const FRAME_TREE: Manual = Manual {
    best_for: "all pairs, whether everything drifts, jumps or is new; many rectangles among boxes that stand still",
    avoid_for: "many single changes without `maintain` in between",
    cost: Costs {
        insert: "constant on average",
        remove: "constant; the first after boxes were sorted or closed up numbers all boxes",
        update: "constant; the first after boxes were sorted or closed up numbers all boxes",
        query: "the packs whose hulls are touched, sixteen at once",
        pairs: "the packs whose hulls touch, sixteen boxes at once",
        maintain: "all boxes once; sorts them by counting when that has become worth its cost",
    },
    bytes: "37 to 48",
};
