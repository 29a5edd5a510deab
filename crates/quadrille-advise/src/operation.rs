//! The operations by name.

/// What is measured. The command uses these names in lower case.
///
/// ```
/// use quadrille_advise::Operation;
///
/// assert_eq!("nearest".parse(), Ok(Operation::Nearest));
/// assert!("closest".parse::<Operation>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Building from scratch and finding all pairs: the work of a program that queries only once, and every program's
    /// first frame.
    First,
    /// Updating every box that differs from the last frame, and `maintain`; `update_all` if more than half of them
    /// differ.
    Update,
    /// Finding all pairs of overlapping boxes.
    Pairs,
    /// 1,000 overlap tests with rectangles. Each is as large as one of the boxes and is centered on another.
    Query,
    /// 200 searches for the box nearest to a point. Each point is halfway between two boxes.
    Nearest,
    /// 200 ray casts for the first box hit. Each starts halfway between two boxes, toward a third.
    Cast,
}

impl Operation {
    /// Those that a program does every frame.
    pub const FRAME: &[Self; 5] = &[Self::Update, Self::Pairs, Self::Query, Self::Nearest, Self::Cast];
}

// In the order in which each frame runs them.
quadrille::names!(Operation, UnknownOperation, "operation":
    First "first", Update "update", Pairs "pairs", Query "query", Nearest "nearest", Cast "cast");
