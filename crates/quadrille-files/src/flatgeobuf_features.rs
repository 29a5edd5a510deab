//! Bounding boxes of FlatGeobuf features.

use flatgeobuf::{FallibleStreamingIterator, FeatureProperties, FgbReader, geozero};
use geozero::{ColumnValue, GeomProcessor, GeozeroGeometry, PropertyProcessor};

use crate::error::{Error, shortened};
use crate::hull::Hull;
use crate::shapes::{Rows, Texts};
use crate::source::Source;

/// Reads the bounding box of each feature, and the properties that are kept.
pub(crate) fn read(source: Source, shapes: &mut Rows<'_>) -> Result<(), Error> {
    let name = source.name.clone();
    let in_file = |error: geozero::error::GeozeroError| Error::in_file(&name, shortened(&error.to_string()));
    let broken = |error: flatgeobuf::Error| Error::in_file(&name, shortened(&error.to_string()));
    let reader = FgbReader::open(source.into_bytes()).map_err(broken)?;
    let known: Vec<String> =
        reader.header().columns().into_iter().flatten().map(|column| column.name().into()).collect();
    if let Some(unknown) = shapes.kept.iter().find(|texts| !known.contains(&texts.name)) {
        let what = format!("no column {:?} among {}", unknown.name, crate::error::quote(known.join(",").as_bytes()));
        return Err(Error::in_file(&name, what));
    }
    let mut features = reader.select_all_seq().map_err(broken)?;
    while let Some(feature) = features.next().map_err(broken)? {
        let number = shapes.next_row();
        let place =
            |what: &dyn std::fmt::Display| Error::in_file(&name, format_args!("feature {number} (from 0): {what}"));
        let mut positions = Positions { hull: shapes.hull(), is_apart: false };
        if feature.geometry().is_some() {
            feature.process_geom(&mut positions).map_err(in_file)?;
        }
        let found = positions.hull.finish().map_err(|what| place(&what))?;
        shapes.push(found).map_err(|what| place(&what))?;
        if found.is_some() && !shapes.kept.is_empty() {
            let number = shapes.boxes.len();
            let mut row = Row { kept: &mut shapes.kept, number };
            feature.process_properties(&mut row).map_err(in_file)?;
            row.fill();
        }
    }
    shapes.format = "FlatGeobuf".into();
    shapes.taken = "bounding boxes of features".into();
    Ok(())
}

struct Positions {
    hull: Hull,
    /// Whether each position is a part of its own.
    is_apart: bool,
}

impl GeomProcessor for Positions {
    fn xy(&mut self, x: f64, y: f64, _index: usize) -> geozero::error::Result<()> {
        if self.is_apart {
            self.hull.begin_part();
        }
        self.hull.add(x, y);
        Ok(())
    }

    fn point_begin(&mut self, _index: usize) -> geozero::error::Result<()> {
        self.is_apart = true;
        Ok(())
    }

    fn multipoint_begin(&mut self, _size: usize, _index: usize) -> geozero::error::Result<()> {
        self.is_apart = true;
        Ok(())
    }

    fn linestring_begin(&mut self, _tagged: bool, _size: usize, _index: usize) -> geozero::error::Result<()> {
        self.is_apart = false;
        self.hull.begin_part();
        Ok(())
    }
}

/// The texts of one feature, which may lack some.
struct Row<'a> {
    kept: &'a mut [Texts],
    number: usize,
}

impl PropertyProcessor for Row<'_> {
    fn property(&mut self, _index: usize, name: &str, value: &ColumnValue<'_>) -> geozero::error::Result<bool> {
        let text = || match value {
            ColumnValue::String(text) | ColumnValue::Json(text) | ColumnValue::DateTime(text) => (*text).to_owned(),
            other => other.to_string(),
        };
        for texts in self.kept.iter_mut().filter(|texts| texts.name == name && texts.len() < self.number) {
            texts.push(&text());
        }
        Ok(false)
    }
}

impl Row<'_> {
    fn fill(&mut self) {
        self.kept.iter_mut().filter(|texts| texts.len() < self.number).for_each(|texts| texts.push(""));
    }
}
