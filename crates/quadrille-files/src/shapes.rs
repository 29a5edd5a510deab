//! The boxes of a file, which all readers fill. `reading.rs` reads them.

use quadrille::Aabb;
use quadrille_shapes::Geometries;

use crate::system::System;

/// What to read from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Columns of coordinates, by name or by number from 1: one for geometries, two for points, three for circles, four
    /// for boxes. If empty, the header decides.
    pub columns: Vec<String>,
    /// Columns (in GeoJSON: properties) whose values are kept as text.
    pub keep: Vec<String>,
    /// Whether coordinates are degrees on the globe. Then boxes are as narrow as they can be there, also across the
    /// antimeridian, where their longitudes go on beyond 180.
    pub is_on_globe: bool,
    /// Whether the first row of delimited text is a header; `None` finds out.
    pub header: Option<bool>,
    /// Whether the geometries themselves are kept with their boxes.
    pub has_geometries: bool,
    /// Whether rows with an invalid geometry are left out and counted, instead of being errors.
    pub skips_invalid: bool,
}

/// The boxes of a file, one for each row or feature.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// The name of the file in messages.
    pub name: String,
    /// The format: `text with commas, header`, `GeoJSON`.
    pub format: String,
    /// Which columns were used for what: `points from lon, lat`.
    pub taken: String,
    /// The coordinate system, if the file names one or its format prescribes one.
    pub system: Option<System>,
    /// Whether every box is a point, because the columns are those of points.
    pub is_points: bool,
    /// Whether every box encloses a geometry.
    pub is_geometries: bool,
    /// The boxes, in the file's order.
    pub boxes: Vec<Aabb<f64>>,
    /// The geometries, numbered as their boxes are, if the file has geometries and they were requested.
    pub geometries: Option<Geometries>,
    /// The rows of the boxes, if some rows had none; otherwise row numbers continue from `first_row`.
    rows: Option<Vec<u32>>,
    /// The row of the first box.
    first_row: u32,
    /// Rows that have been read, with a box or without.
    read: u64,
    /// Rows without a box: a null geometry, or empty fields.
    pub skipped: u64,
    /// Rows left out because their geometry is invalid.
    pub invalid: u64,
    /// Lines that were comments.
    pub comments: u64,
    /// The kept columns, in the order of [`Choice::keep`].
    pub kept: Vec<Texts>,
}

impl Shapes {
    /// No boxes yet, and no texts of the columns that are to be kept.
    pub(crate) fn of_file(name: &str, keep: &[String]) -> Self {
        let kept = keep.iter().map(|name| Texts { name: name.clone(), ..Texts::default() }).collect();
        Self { name: name.into(), kept, ..Self::default() }
    }

    /// The row (or feature) number of a box, from 0; the header, blank lines and comments do not count.
    #[must_use]
    pub fn row(&self, number: u32) -> u32 {
        self.rows.as_ref().map_or(self.first_row + number, |rows| rows[number as usize])
    }

    /// Whether all boxes are points, so that each box determines its geometry.
    #[must_use]
    pub fn has_only_points(&self) -> bool {
        self.boxes.iter().all(|bounds| bounds.min == bounds.max)
    }

    /// Forgets the boxes and texts that have been taken away, and keeps their memory.
    pub(crate) fn forget_batch(&mut self) {
        self.boxes.clear();
        self.geometries.iter_mut().for_each(Geometries::clear);
        self.rows = None;
        // It has been checked that there are not more.
        self.first_row = u32::try_from(self.read).unwrap_or(u32::MAX);
        self.kept.iter_mut().for_each(Texts::clear);
    }

    /// Whether there are as many boxes as a batch has, or points of geometries.
    pub(crate) fn is_full(&self, most: usize) -> bool {
        let vertices = self.geometries.as_ref().map_or(0, Geometries::count_vertices);
        self.boxes.len() == most || vertices / VERTICES_PER_BOX >= most
    }

    /// Adds the next row, whose geometry is invalid.
    pub(crate) fn push_invalid(&mut self) -> Result<(), String> {
        self.geometries.iter_mut().for_each(Geometries::discard);
        self.push(None)?;
        self.skipped -= 1;
        self.invalid += 1;
        Ok(())
    }

    /// Adds the next row: its box, or that it has none.
    pub(crate) fn push(&mut self, bounds: Option<Aabb<f64>>) -> Result<(), String> {
        const TOO_MANY: &str = "there are more than four billion rows";
        let count = self.boxes.len();
        // One too many or too few would give all later boxes the shapes of other rows.
        if self.geometries.as_ref().is_some_and(|all| all.len() != count + usize::from(bounds.is_some())) {
            return Err("its box and its shape do not go together".into());
        }
        let row = u32::try_from(self.read).map_err(|_| TOO_MANY)?;
        self.read += 1;
        let Some(bounds) = bounds else {
            self.skipped += 1;
            self.rows.get_or_insert_with(|| (self.first_row..row).collect());
            return Ok(());
        };
        if count == self.boxes.capacity() {
            let told = |_| format!("there is no memory for more than {count} boxes; `pairs --memory` uses the disk");
            self.boxes.try_reserve(1).map_err(told)?;
        }
        self.boxes.push(bounds);
        if let Some(rows) = &mut self.rows {
            rows.push(row);
        }
        Ok(())
    }
}

/// Points of geometries that count as a box in a batch.
const VERTICES_PER_BOX: usize = 4;

/// The message if the receiver of rows is gone. The failed thread reports why.
pub(crate) const STOPPED: &str = "reading was stopped";

/// The values of one column as text, for all rows that have a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// The column's name as it was requested.
    pub name: String,
    text: String,
    ends: Vec<usize>,
}

impl Texts {
    /// The text of a row, by the number of its box.
    #[must_use]
    pub fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }
}
