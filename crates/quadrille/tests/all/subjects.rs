//! The structures under test and the options each is tried with.

use quadrille::structures::{
    AnyStructure, BruteForce, EnclosingQuadtree, Grid, GridOptions, LooseGrid, LooseGridOptions, LooseQuadtree,
    Quadtree, QuadtreeOptions, StructureKind, Subdivision, TreeOptions,
};
use quadrille::{Aabb, FrameTree, Scalar, Structure};

use crate::any_index::{AnyIndex, Setup, Storable};

/// A structure that the suite knows how to set up.
#[derive(Debug)]
pub(crate) struct Subject<S: Scalar> {
    /// The name by which snapshots know it.
    #[cfg_attr(not(feature = "snapshot"), expect(dead_code, reason = "only snapshots say it"))]
    pub(crate) name: &'static str,
    default: Setup<S>,
    all: Vec<Setup<S>>,
}

impl<S: Scalar> Subject<S> {
    /// The structure `I`.
    pub(crate) fn of<I: Set<Scalar = S, Options: Send + Sync> + Storable + Send + 'static>() -> Self {
        let all = I::all_options().into_iter().map(Setup::new::<I>).collect();
        Self { name: I::NAME, default: Setup::new::<I>(I::Options::default()), all }
    }

    /// The options to try; the default ones are among them.
    pub(crate) fn all_options(&self) -> &[Setup<S>] {
        &self.all
    }

    /// An index without boxes, with default options.
    pub(crate) fn empty(&self) -> AnyIndex<S> {
        self.default.empty()
    }

    /// An index with default options, built in bulk from valid boxes.
    pub(crate) fn holding(&self, boxes: &[Aabb<S>]) -> AnyIndex<S> {
        self.default.with_boxes(boxes).expect("valid boxes")
    }
}

/// A structure with the options it is tried with.
pub(crate) trait Set: Structure {
    /// The default ones are among them.
    fn all_options() -> Vec<Self::Options>;
}

/// `structure: [options, …];` for each. A structure that is new needs a line here.
macro_rules! subjects {
    ($($structure:ident: $options:expr;)*) => {
        $(impl<S: Scalar> Set for $structure<S> {
            fn all_options() -> Vec<Self::Options> {
                $options.into_iter().collect()
            }
        })*
    };
}

subjects! {
    BruteForce: [()];
    Quadtree: [
        QuadtreeOptions::default(),
        QuadtreeOptions::default().with_subdivision(adaptive(1, 24)),
        QuadtreeOptions::default().with_world(worlds()[0]).with_subdivision(adaptive(2, 5)),
        QuadtreeOptions::default().with_world(worlds()[1]).with_subdivision(adaptive(3, 12)),
        QuadtreeOptions::default().with_world(worlds()[2]).with_subdivision(Subdivision::Fixed(4)),
        QuadtreeOptions::default().with_subdivision(Subdivision::Fixed(0)),
    ];
    EnclosingQuadtree: trees();
    LooseQuadtree: trees();
    Grid: [
        GridOptions::default(),
        GridOptions::default().with_world(worlds()[0]).with_cell(cell(4.0, 4.0)),
        GridOptions::default().with_world(worlds()[1]).with_cell(cell(2.7, 11.0)),
        GridOptions::default().with_world(worlds()[2]),
        GridOptions::default().with_world(worlds()[0]).with_cell(cell(3.0, 7.0)),
        GridOptions::default().with_cell(cell(7.0, 31.0)),
    ];
    LooseGrid: [
        LooseGridOptions::default(),
        LooseGridOptions::default().with_world(worlds()[0]).with_loose_cell(cell(4.0, 4.0)).with_tight_cell(cell(16.0, 8.0)),
        LooseGridOptions::default().with_world(worlds()[1]).with_loose_cell(cell(5.3, 11.0)).with_tight_cell(cell(2.7, 30.0)),
        LooseGridOptions::default().with_world(worlds()[2]),
        LooseGridOptions::default().with_world(worlds()[0]).with_loose_cell(cell(64.0, 16.0)).with_tight_cell(cell(2.0, 3.0)),
        LooseGridOptions::default().with_loose_cell(cell(7.0, 31.0)).with_tight_cell(cell(3.0, 50.0)),
    ];
    FrameTree: [()];
    AnyStructure: StructureKind::ALL.iter().map(|&kind| kind.into());
}

fn trees<S: Scalar>() -> [TreeOptions<S>; 6] {
    [
        TreeOptions::default(),
        TreeOptions::default().with_capacity(1).with_max_depth(24),
        TreeOptions::default().with_world(worlds()[0]).with_capacity(2).with_max_depth(5),
        TreeOptions::default().with_world(worlds()[1]).with_capacity(4).with_max_depth(12),
        TreeOptions::default().with_world(worlds()[2]).with_capacity(2).with_max_depth(0),
        TreeOptions::default().with_world(worlds()[3]).with_capacity(2).with_max_depth(3),
    ]
}

fn adaptive(capacity: u32, max_depth: u8) -> Subdivision {
    Subdivision::Adaptive { capacity, max_depth }
}

/// A size of cells to be given as an option.
fn cell<S: Scalar>(width: f64, height: f64) -> Option<[S; 2]> {
    Some([width, height].map(S::from_f64))
}

/// Worlds to be given as options: dyadic; odd and off center, much higher than wide; of no size at all; of no
/// width, so that half of the cells hold no number.
fn worlds<S: Scalar>() -> [Option<Aabb<S>>; 4] {
    [[0.0, 0.0, 64.0, 64.0], [-3.3, 7.0, 8.7, 307.0], [5.0, 5.0, 5.0, 5.0], [8.0, 0.0, 8.0, 3.0]]
        .map(|world| Some(world.map(S::from_f64).into()))
}
