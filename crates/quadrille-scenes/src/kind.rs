//! The scenes by name.

/// The scenes by name. Each says what the scene tries to defeat.
///
/// ```
/// use quadrille_scenes::SceneKind;
///
/// let kind: SceneKind = "fps-sphere".parse()?;
/// assert_eq!(kind, SceneKind::FpsSphere);
/// assert!("sphere".parse::<SceneKind>().is_err());
/// # Ok::<(), quadrille_scenes::UnknownScene>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SceneKind {
    /// Boxes of equal size cover 20 % of a square, and all move. Against structures that must be rebuilt, or that pay
    /// for each move.
    Uniform,
    /// Sizes from 1 to 32, as many in each octave, and up to eight huge boxes. Against a single cell size, and against
    /// large boxes held high in a tree, which everything else must be tested against.
    Mixed,
    /// 64 Gaussian clusters drift through a world 25 times larger. Against cells sized for the whole world: most are
    /// empty, and the full ones are crowded.
    Clustered,
    /// As `uniform`, but only one box in twenty moves. Exposes structures that redo all work every frame.
    Still,
    /// Half of all boxes lie exactly on top of each other in piles of 64, the others as in `uniform`. Against trees
    /// that split until every leaf is small, and against sweeps along one axis. Piles do not grow with `n`, so pairs
    /// grow linearly: about 16 per box.
    Pile,
    /// The uniform boxes of the 0fps benchmark (Mikola Lysenko, *Collision detection (part 3): Benchmarks*, 2015): each
    /// side has its own random length up to n^(-½) of the unit square. Against cells fitted to one size: half of all
    /// boxes are at least twice as long as wide.
    FpsUniform,
    /// The circle of the 0fps benchmark, sides up to n^(-¾) / 4. Against grids: everything is on a line that is thin
    /// everywhere and straight nowhere.
    FpsSphere,
    /// The long thin boxes of the 0fps benchmark, up to 1 / n wide and half the unit square high. Against grids and
    /// trees that list each in many places or hold all of them at the root.
    FpsSkewed,
}

quadrille::names!(SceneKind, UnknownScene, "scene":
    Uniform "uniform", Mixed "mixed", Clustered "clustered", Still "still", Pile "pile",
    FpsUniform "fps-uniform", FpsSphere "fps-sphere", FpsSkewed "fps-skewed");
