//! Sets of boxes on integer coordinates, and every structure holding them.
//!
//! Boxes and queries are drawn on a small integer grid, so that nearly everything touches something, and run at
//! several scales and distances from the origin. All three scalars express them exactly; oracles compute with the
//! integers.

use proptest::collection::vec;
use proptest::prelude::*;
use quadrille::structures::{
    AnyOptions, AnyStructure, GridOptions, LooseGridOptions, QuadtreeOptions, StructureKind, Subdivision, TreeOptions,
};
use quadrille::{Index, Scalar};

use crate::erased::asked;
use crate::oracle::{Frame, Rect, rects};

/// A set of boxes and how it came about.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) frame: Frame,
    /// What the index is built from.
    start: Vec<Rect>,
    /// Then these are inserted, one by one.
    inserted: Vec<Rect>,
    /// Then boxes move, or are removed.
    changes: Vec<(usize, Option<Rect>)>,
    /// Maintained at the end?
    is_maintained: bool,
}

pub(crate) fn scenes() -> impl Strategy<Value = Scene> {
    let changes = vec((0_usize..60, prop::option::weighted(0.8, rects())), 0..20);
    (0..Frame::ALL.len(), vec(rects(), 0..40), vec(rects(), 0..20), changes, any::<bool>()).prop_map(
        |(frame, start, inserted, changes, is_maintained)| Scene {
            frame: Frame::ALL[frame],
            start,
            inserted,
            changes,
            is_maintained,
        },
    )
}

impl Scene {
    /// Ids and boxes as they are in the end, by plain bookkeeping.
    pub(crate) fn boxes(&self) -> Vec<(u32, Rect)> {
        let mut boxes: Vec<_> = self.start.iter().chain(&self.inserted).copied().map(Some).collect();
        for &(id, rect) in &self.changes {
            if let Some(place) = boxes.get_mut(id).filter(|place| place.is_some()) {
                *place = rect;
            }
        }
        (0..).zip(boxes).filter_map(|(id, rect)| Some((id, rect?))).collect()
    }

    /// Every structure holding the set.
    pub(crate) fn indices<S: Scalar>(&self) -> impl Iterator<Item = Index<AnyStructure<S>>> {
        self.all_options().into_iter().map(|options| self.index(options))
    }

    fn index<S: Scalar>(&self, options: AnyOptions<S>) -> Index<AnyStructure<S>> {
        let start: Vec<_> = self.start.iter().map(|&rect| self.frame.aabb(rect)).collect();
        let mut index = Index::with_boxes(options, &start).expect("valid options and boxes");
        for &rect in &self.inserted {
            index.insert(self.frame.aabb(rect)).expect("a valid box");
        }
        for &(id, rect) in &self.changes {
            let id = id as u32;
            match rect {
                Some(rect) => drop(index.update(id, self.frame.aabb(rect))),
                None => drop(index.remove(id)),
            }
        }
        if self.is_maintained {
            index.maintain();
        }
        index
    }

    /// All structures as they are by default, and divided as finely as they allow.
    fn all_options<S: Scalar>(&self) -> Vec<AnyOptions<S>> {
        let world = Some(self.frame.aabb([[-16, -16], [16, 16]]));
        let mut all: Vec<_> = StructureKind::ALL.iter().map(|&kind| kind.into()).collect();
        all.push(AnyOptions::Quadtree(
            QuadtreeOptions::default().with_subdivision(Subdivision::Adaptive { capacity: 1, max_depth: 24 }),
        ));
        all.push(AnyOptions::Quadtree(
            QuadtreeOptions::default().with_world(world).with_subdivision(Subdivision::Fixed(3)),
        ));
        all.push(AnyOptions::EnclosingQuadtree(
            TreeOptions::default().with_world(world).with_capacity(1).with_max_depth(24),
        ));
        all.push(AnyOptions::LooseQuadtree(
            TreeOptions::default().with_world(world).with_capacity(1).with_max_depth(24),
        ));
        let cell = Some(self.frame.vector([2, 3]));
        all.push(AnyOptions::Grid(GridOptions::default().with_world(world).with_cell(cell)));
        all.push(AnyOptions::LooseGrid(
            LooseGridOptions::default().with_world(world).with_loose_cell(cell).with_tight_cell(cell),
        ));
        all
    }
}

/// Queries every structure and compares the answers with the boxes that `expected` accepts.
pub(crate) fn agree<S: Scalar, Q: quadrille::Query<S>>(scene: &Scene, query: &Q, expected: impl Fn(u32, Rect) -> bool) {
    let expected: Vec<u32> =
        scene.boxes().into_iter().filter(|&(id, rect)| expected(id, rect)).map(|(id, _)| id).collect();
    let query = asked(query);
    for index in scene.indices::<S>() {
        let answers: Vec<u32> = index.query(query).collect();
        let mut sorted = answers.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected, "{:?}", index.options());
        let mut visited = Vec::new();
        let _ = index.query_visit(query, |id| {
            visited.push(id);
            std::ops::ControlFlow::<()>::Continue(())
        });
        assert_eq!(visited, answers, "the visitor sees the same order");
        assert_eq!(index.query_count(query), answers.len());
    }
}
