//! Records of pairs: two names, a distance and a measure on request, and what was kept of either side.

use std::io;

use quadrille_files::{Kind, NamedKind, Shapes, Texts};

use super::Sets;
use super::finder::Measure;
use crate::failure::Failure;
use crate::records::Records;

/// One side of the pairs.
#[derive(Debug)]
struct Side<'a> {
    shapes: &'a Shapes,
    ids: Option<&'a Texts>,
    kept: &'a [Texts],
}

impl<'a> Side<'a> {
    fn new(shapes: &'a Shapes, has_ids: bool) -> Self {
        let (ids, kept) = shapes.kept.split_at(usize::from(has_ids));
        Self { shapes, ids: ids.first(), kept }
    }
}

/// What is written of a pair.
pub(super) struct PairRecords<'a> {
    sides: [Side<'a>; 2],
    /// A distance, and what the two have in common.
    numbers: [Option<Measure<'a>>; 2],
}

impl<'a> PairRecords<'a> {
    pub(super) fn new(sets: Sets<'a>, has_ids: [bool; 2], numbers: [Option<Measure<'a>>; 2]) -> Self {
        Self { sides: [Side::new(sets.first, has_ids[0]), Side::new(sets.other(), has_ids[1])], numbers }
    }

    /// The columns of a record.
    ///
    /// # Errors
    /// Returns an error if two have the same name: a record would have it twice.
    pub(super) fn columns(&self) -> Result<Vec<NamedKind>, Failure> {
        let kept = self
            .sides
            .iter()
            .zip(["a", "b"])
            .flat_map(|(side, prefix)| side.kept.iter().map(move |texts| format!("{prefix}_{}", texts.name)));
        let is_named = [0, 1].map(|side: usize| self.sides[side].ids.is_some());
        let columns = columns(is_named, self.numbers.each_ref().map(Option::is_some), kept.collect());
        let names = columns.iter().map(|(name, _)| name);
        let twice = names.enumerate().find(|(at, name)| columns[..*at].iter().any(|(before, _)| before == *name));
        match twice {
            Some((_, name)) => Err(Failure::Bad(format!("two columns of the result would be named {name}"))),
            None => Ok(columns),
        }
    }

    /// Writes a pair, by the numbers of its boxes.
    pub(super) fn write(&self, to: &mut Records<'_>, a: u32, b: u32) -> io::Result<()> {
        let numbers = [a, b];
        let mut record = to.record();
        for (side, number) in self.sides.iter().zip(numbers) {
            match side.ids {
                Some(ids) => record.text(ids.get(number))?,
                None => record.row(side.shapes.row(number))?,
            }
        }
        self.numbers.iter().flatten().try_for_each(|number| record.number(number(a, b)))?;
        for (side, number) in self.sides.iter().zip(numbers) {
            side.kept.iter().try_for_each(|texts| record.text(texts.get(number)))?;
        }
        record.end()
    }
}

/// The columns of pairs: rows or names of both, a distance, a measure, and what is kept of either.
pub(super) fn columns(is_named: [bool; 2], has_numbers: [bool; 2], kept: Vec<String>) -> Vec<NamedKind> {
    let rows = ["a", "b"].into_iter().zip(is_named);
    let rows = rows.map(|(name, is_named)| (name.into(), if is_named { Kind::Text } else { Kind::Whole }));
    let numbers = ["distance", "measure"].into_iter().zip(has_numbers).filter(|(_, has)| *has);
    rows.chain(numbers.map(|(name, _)| (name.into(), Kind::Number)))
        .chain(kept.into_iter().map(|name| (name, Kind::Text)))
        .collect()
}
