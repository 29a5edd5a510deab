//! Names on the command line. Unknown ones are answered with those there are, and the nearest.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use quadrille::StructureKind;
use quadrille_advise::Operation;
use quadrille_scenes::SceneKind;

/// Reads the name of a structure.
pub(crate) fn structure() -> impl TypedValueParser<Value = StructureKind> {
    PossibleValuesParser::new(StructureKind::ALL.iter().map(|kind| kind.name())).try_map(|name| name.parse())
}

/// Reads the name of a scene.
pub(crate) fn scene() -> impl TypedValueParser<Value = SceneKind> {
    PossibleValuesParser::new(SceneKind::ALL.iter().map(|kind| kind.name())).try_map(|name| name.parse())
}

/// Reads the name of an operation.
pub(crate) fn operation() -> impl TypedValueParser<Value = Operation> {
    PossibleValuesParser::new(Operation::ALL.iter().map(|operation| operation.name())).try_map(|name| name.parse())
}
