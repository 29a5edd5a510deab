//! Which structure is for what: the manuals of the structures (their documentation) in a few words each.

use std::fmt;

use quadrille::StructureKind;
use serde::Serialize;

/// What to know about a structure before choosing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Advice {
    pub(crate) best_at: &'static str,
    pub(crate) ruined_by: &'static str,
    pub(crate) cost: Cost,
}

/// What each operation costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Cost {
    pub(crate) insert: &'static str,
    pub(crate) remove: &'static str,
    pub(crate) update: &'static str,
    pub(crate) query: &'static str,
    pub(crate) pairs: &'static str,
    pub(crate) maintain: &'static str,
}

/// What to know about `kind`.
pub(crate) fn about(kind: StructureKind) -> Advice {
    match kind {
        StructureKind::BruteForce => Advice {
            best_at: "up to a few dozen boxes; the oracle that the others are tested against",
            ruined_by: "numbers",
            cost: Cost {
                insert: "constant",
                remove: "constant",
                update: "constant",
                query: "all boxes",
                pairs: "all boxes, squared and halved",
                maintain: "nothing",
            },
        },
        StructureKind::Quadtree => Advice {
            best_at: "small boxes of similar size; many questions about points and small rectangles",
            ruined_by: "many boxes much larger than the spacing: each is listed over and over",
            cost: Cost {
                insert: "a descent and the lists touched",
                remove: "a descent and the lists touched",
                update: "a descent; the lists if the box changes leaves",
                query: "the leaves touched",
                pairs: "the boxes of each leaf, squared",
                maintain: "all nodes",
            },
        },
        StructureKind::EnclosingQuadtree => Advice {
            best_at: "very mixed sizes, giants among dwarfs: every box is listed once, however large",
            ruined_by: "many small boxes on the middle lines of large nodes, where every question that passes looks at them",
            cost: Cost {
                insert: "one descent",
                remove: "constant",
                update: "one descent",
                query: "the nodes touched, down from the root",
                pairs: "the nodes that each box touches",
                maintain: "all nodes",
            },
        },
        StructureKind::LooseQuadtree => Advice {
            best_at: "crowds of mixed sizes that move: each is listed once, moving is cheap, no box is ever on a line",
            ruined_by: "giants spread evenly among dwarfs: questions enter the nodes they widen in vain",
            cost: Cost {
                insert: "one descent",
                remove: "constant",
                update: "one descent",
                query: "the nodes whose hulls are touched",
                pairs: "the nodes whose hulls touch",
                maintain: "all nodes and boxes",
            },
        },
        StructureKind::Grid => Advice {
            best_at: "very many boxes of similar size, spread evenly, moving a little",
            ruined_by: "crowds in a corner of an almost empty world, for all cells are of one size",
            cost: Cost {
                insert: "constant",
                remove: "constant",
                update: "a few comparisons while the lower corner stays in its cell, else constant",
                query: "the cells touched, and a row and a column more on each level of sizes",
                pairs: "the boxes of each cell, of its neighbours, and of the finer cells touched",
                maintain: "all rows",
            },
        },
        StructureKind::LooseGrid => Advice {
            best_at: "crowds in which everything moves: each box is listed once, and no box is ever on a line",
            ruined_by: "giants spread evenly among dwarfs; crowds in a corner of an almost empty world",
            cost: Cost {
                insert: "constant, and the tight cells by which the hull grows",
                remove: "constant",
                update: "a few comparisons while the centre stays in its cell, else as remove and insert",
                query: "the tight cells touched, and the loose cells listed there",
                pairs: "the loose cells whose hulls touch",
                maintain: "the loose cells that something has left or shrunk in",
            },
        },
        StructureKind::FrameTree => Advice {
            best_at: "everything moves and all pairs are wanted, every frame; also questions to many boxes that stand still",
            ruined_by: "many single changes without `maintain` in between",
            cost: Cost {
                insert: "constant on average",
                remove: "constant; the first after a `maintain` numbers all boxes",
                update: "a search for its pack; the first after a `maintain` numbers all boxes",
                query: "the packs whose hulls are touched, sixteen at once",
                pairs: "the packs whose hulls touch, sixteen boxes at once",
                maintain: "all boxes once",
            },
        },
        _ => UNKNOWN,
    }
}

const UNTOLD: &str = "see its documentation";

/// For a structure that this file has not caught up with.
const UNKNOWN: Advice = Advice {
    best_at: UNTOLD,
    ruined_by: UNTOLD,
    cost: Cost { insert: UNTOLD, remove: UNTOLD, update: UNTOLD, query: UNTOLD, pairs: UNTOLD, maintain: UNTOLD },
};

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { insert, remove, update, query, pairs, maintain } = self;
        write!(f, "insert: {insert}\nremove: {remove}\nupdate: {update}\n")?;
        write!(f, "query: {query}\npairs: {pairs}\nmaintain: {maintain}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_advice_about_every_structure() {
        for &kind in StructureKind::ALL {
            assert_ne!(about(kind), UNKNOWN, "{kind}");
        }
    }
}
