//! Records of pairs: two names, a distance if there is one, and what was kept of either side.

use std::io::{self, Write};

use quadrille_files::{Shapes, Texts};

use super::Sets;
use super::finder::Measure;
use crate::records::{Format, Records};

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

/// A file of pairs.
pub(super) struct PairRecords<'a> {
    records: Records<'a>,
    sides: [Side<'a>; 2],
    distance: Option<Measure>,
}

impl<'a> PairRecords<'a> {
    /// Writes the header, if the format has one.
    pub(super) fn new(
        file: &'a mut dyn Write,
        format: Format,
        sets: Sets<'a>,
        has_ids: [bool; 2],
        distance: Option<Measure>,
    ) -> io::Result<Self> {
        let sides = [Side::new(sets.first, has_ids[0]), Side::new(sets.other(), has_ids[1])];
        let kept = |side: usize, prefix: &str| {
            sides[side].kept.iter().map(|texts| format!("{prefix}_{}", texts.name)).collect::<Vec<_>>()
        };
        let names = [vec!["a".into(), "b".into()], distance.map(|_| "distance".into()).into_iter().collect()];
        let names = [names.concat(), kept(0, "a"), kept(1, "b")].concat();
        Ok(Self { records: Records::new(file, format, names)?, sides, distance })
    }

    /// Writes a pair, by the numbers of its boxes.
    pub(super) fn write(&mut self, a: u32, b: u32) -> io::Result<()> {
        let Self { records, sides, distance } = self;
        let numbers = [a, b];
        let mut record = records.record();
        for (side, number) in sides.iter().zip(numbers) {
            match side.ids {
                Some(ids) => record.text(ids.get(number))?,
                None => record.number(side.shapes.row(number))?,
            }
        }
        if let Some(distance) = distance {
            let [first, second] = [0, 1].map(|side| &sides[side].shapes.boxes[numbers[side] as usize]);
            record.number(distance(first, second))?;
        }
        for (side, number) in sides.iter().zip(numbers) {
            side.kept.iter().try_for_each(|texts| record.text(texts.get(number)))?;
        }
        record.end()
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.records.finish()
    }
}
