//! The figures of a sheet.

use serde::Serialize;

use super::sheet::{Arranged, Sheet};
use crate::structure_figures::StructureFigures;

/// The figures of the boxes of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoxFigures<'a> {
    file: &'a str,
    boxes: usize,
    skipped: u64,
    pairs: u64,
    most_partners: u32,
    /// The box that was clicked.
    #[serde(skip_serializing_if = "Option::is_none")]
    picked: Option<PickedFigures>,
    structures: Vec<ArrangedFigures<'a>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct PickedFigures {
    name: String,
    partners: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ArrangedFigures<'a> {
    #[serde(flatten)]
    structure: &'a StructureFigures,
    build_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs_ms: Option<f64>,
}

impl<'a> BoxFigures<'a> {
    /// At most this many partners of the picked box are named.
    const NAMED: usize = 1_000;

    /// Collects all figures.
    pub fn new(sheet: &'a Sheet) -> Self {
        let of = |Arranged { figures, build_ms, pairs_ms, .. }: &'a Arranged| ArrangedFigures {
            structure: figures,
            build_ms: *build_ms,
            pairs_ms: *pairs_ms,
        };
        Self {
            file: sheet.title(),
            boxes: sheet.count(),
            skipped: sheet.skipped(),
            pairs: sheet.pairs(),
            most_partners: sheet.most(),
            picked: sheet.picked().map(|picked| PickedFigures {
                name: sheet.name(picked.id),
                partners: picked.partners.iter().take(Self::NAMED).map(|id| sheet.name(*id)).collect(),
            }),
            structures: sheet.structures().map(of).collect(),
        }
    }
}
