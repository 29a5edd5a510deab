//! The figures of a sheet.

use serde::Serialize;

use super::sheet::{Arranged, Sheet};

/// The figures of the boxes of a file.
#[derive(Debug, Serialize)]
pub struct BoxFigures<'a> {
    file: &'a str,
    boxes: usize,
    skipped: u64,
    pairs: u64,
    most_partners: u32,
    /// The box that was clicked.
    #[serde(skip_serializing_if = "Option::is_none")]
    picked: Option<PickedFigures>,
    structures: Vec<&'a Arranged>,
}

#[derive(Debug, Serialize)]
struct PickedFigures {
    name: String,
    partners: Vec<String>,
}

impl<'a> BoxFigures<'a> {
    /// At most this many partners of the picked box are named.
    const NAMED: usize = 1_000;

    /// Collects all figures.
    pub fn new(sheet: &'a Sheet) -> Self {
        Self {
            file: sheet.title(),
            boxes: sheet.count(),
            skipped: sheet.skipped(),
            pairs: sheet.pairs,
            most_partners: sheet.most,
            picked: sheet.picked.as_ref().map(|picked| PickedFigures {
                name: sheet.name(picked.id),
                partners: picked.partners.iter().take(Self::NAMED).map(|id| sheet.name(*id)).collect(),
            }),
            structures: sheet.structures().collect(),
        }
    }
}
