//! The structures in which containers are tested.
//!
//! What a container adds is the same over every structure, and all of them in all forms are more than half of the time
//! that these tests take to compile. So by day that is a frame tree; CI sets `--cfg quadrille_every_structure`.

use quadrille::structures::StructureKind;
use quadrille::{Scalar, Structure};

#[cfg(quadrille_every_structure)]
pub(crate) type Tested<S = f32> = quadrille::structures::AnyStructure<S>;
#[cfg(quadrille_every_structure)]
pub(crate) const KINDS: &[StructureKind] = StructureKind::ALL;

#[cfg(not(quadrille_every_structure))]
pub(crate) type Tested<S = f32> = quadrille::FrameTree<S>;
#[cfg(not(quadrille_every_structure))]
pub(crate) const KINDS: &[StructureKind] = &[StructureKind::FrameTree];

/// The options of one of the kinds; by day, of a frame tree whatever the kind.
pub(crate) fn options_of<S: Scalar>(kind: StructureKind) -> <Tested<S> as Structure>::Options {
    #[cfg(quadrille_every_structure)]
    return kind.into();
    #[cfg(not(quadrille_every_structure))]
    let _ = kind;
}

/// The same for `f32`.
pub(crate) fn options(kind: StructureKind) -> <Tested as Structure>::Options {
    options_of::<f32>(kind)
}
