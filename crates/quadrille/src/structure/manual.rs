//! What to know about a structure before choosing it, written once. The docs of the structures, README and the command
//! say the same, and tests check that they do.

use super::StructureKind;

/// What a structure is for, what to avoid, and what each operation costs, in a few words each.
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
    best_for: "a few dozen boxes at most; the oracle of all tests",
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
    best_for: "small boxes of similar size that rarely move, many small questions",
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
    best_for: "very mixed sizes, a few huge boxes among tiny ones: each box is listed once, however large",
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
    best_for: "moving crowds of mixed sizes; ray casts",
    avoid_for: "huge boxes spread evenly among small ones: they widen nodes, which questions then enter in vain",
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
    best_for: "very many boxes of similar size, spread evenly, of which a few move at a time",
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
    best_for: "boxes that are spread evenly and move one by one, each with a small query of its own",
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
    best_for: "all pairs, whether boxes drift, jump or are all new; many rectangle questions about boxes at rest",
    avoid_for: "many single changes without `maintain` in between",
    cost: Costs {
        insert: "constant on average",
        remove: "constant; the first after a sort or a compaction numbers all boxes",
        update: "constant; the first after a sort or a compaction numbers all boxes",
        query: "the packs whose hulls are touched, sixteen at once",
        pairs: "the packs whose hulls touch, sixteen boxes at once",
        maintain: "all boxes once; a counting sort when it has become worth its cost",
    },
    bytes: "37 to 48",
};
