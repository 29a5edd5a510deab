//! The boxes of a file on screen: their structures, how many others each overlaps, and the picked one.

use std::ops::ControlFlow;

use quadrille::structures::{AnyOptions, AnyStructure};
use quadrille::{Aabb, Error, Index, Near};
use quadrille_advise::parameters::{in_doubles, write_structure};
use quadrille_files::{Choice, Shapes, Source};
use serde::Serialize;
use web_time::Instant;

use super::outlines::Outlines;
use super::partners::partners;
use crate::flat::Flat;
use crate::structure_figures::StructureFigures;

/// If there are more pairs than this, they are counted, but no structure is timed finding them.
pub const MOST_PAIRS: u64 = 20_000_000;

/// Boxes of a file, over one structure or two.
#[derive(Debug)]
pub struct Sheet {
    shapes: Shapes,
    flat: Flat,
    /// The boxes in the picture, by number.
    pub rects: Vec<Aabb>,
    /// All of them.
    pub world: Aabb,
    /// The numbers of the boxes, largest first, so that small ones are drawn on top of large ones.
    order: Vec<u32>,
    /// Shapes as lines, if the file has any.
    pub(super) outlines: Option<Outlines>,
    /// How many boxes each overlaps, by number.
    pub partners: Vec<u32>,
    /// The greatest number of others that any box overlaps.
    pub most: u32,
    /// How many pairs of boxes overlap.
    pub pairs: u64,
    first: Arranged,
    beside: Option<Arranged>,
    /// The box that was clicked.
    pub picked: Option<Picked>,
}

/// A structure that holds the boxes, and the time it took.
#[derive(Debug, Serialize)]
pub struct Arranged {
    /// Which structure it is.
    #[serde(skip)]
    pub options: AnyOptions,
    /// The boxes, in coordinates of the file.
    #[serde(skip)]
    pub index: Index<AnyStructure<f64>>,
    /// The structure in numbers.
    #[serde(flatten)]
    pub figures: StructureFigures,
    /// Milliseconds in which it was built.
    pub build_ms: f64,
    /// Milliseconds in which it found all pairs; `None` if there are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs_ms: Option<f64>,
}

impl Arranged {
    fn new(options: AnyOptions, boxes: &[Aabb<f64>], pairs: u64) -> Result<Self, Error> {
        let start = Instant::now();
        let index: Index<AnyStructure<f64>> = Index::with_boxes(in_doubles(&options), boxes)?;
        let build_ms = start.elapsed().as_secs_f64() * 1e3;
        let start = Instant::now();
        let pairs_ms = (pairs <= MOST_PAIRS).then(|| {
            let _: ControlFlow<()> = index.pairs_visit(|_, _| ControlFlow::Continue(()));
            start.elapsed().as_secs_f64() * 1e3
        });
        let figures = StructureFigures::new(write_structure(&options), &index, None);
        Ok(Self { options, index, figures, build_ms, pairs_ms })
    }
}

/// A box that was clicked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// Its number.
    pub id: u32,
    /// The numbers of those that it overlaps, sorted.
    pub partners: Vec<u32>,
}

/// # Life
impl Sheet {
    /// The boxes in an opened file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, has no boxes, or an option of a structure breaks a rule.
    pub fn from_source(
        source: Source,
        choice: &Choice,
        structure: AnyOptions,
        beside: Option<AnyOptions>,
    ) -> Result<Self, String> {
        let choice = Choice { has_geometries: true, ..choice.clone() };
        let shapes = Shapes::from_source(source, &choice).map_err(|error| error.to_string())?;
        Self::new(shapes, structure, beside)
    }

    /// The boxes of a file that has been read.
    ///
    /// # Errors
    /// Returns an error if there are none, or an option of a structure breaks a rule.
    pub fn new(mut shapes: Shapes, structure: AnyOptions, beside: Option<AnyOptions>) -> Result<Self, String> {
        if shapes.boxes.is_empty() {
            return Err(format!("{}: there are no boxes in it", shapes.name));
        }
        let flat = Flat::of(&Aabb::from_boxes(&shapes.boxes));
        let rects: Vec<_> = shapes.boxes.iter().map(|bounds| flat.rect(bounds)).collect();
        let mut order: Vec<u32> = (0..).take(rects.len()).collect();
        order.sort_by(|a, b| rects[*b as usize].area().total_cmp(&rects[*a as usize].area()));
        let partners = partners(&shapes.boxes);
        let pairs = partners.iter().map(|count| u64::from(*count)).sum::<u64>() / 2;
        // Geometries take much memory; from here on, their outlines replace them.
        let outlines =
            shapes.geometries.take().map(|all| Outlines::new(&all, rects.len(), |place| flat.project(place)));
        let first = Arranged::new(structure, &shapes.boxes, pairs).map_err(|error| error.to_string())?;
        let mut sheet = Self {
            most: partners.iter().copied().max().unwrap_or(0),
            flat,
            world: Aabb::from_boxes(&rects),
            rects,
            order,
            outlines: outlines.filter(|outlines| !outlines.is_empty()),
            partners,
            pairs,
            first,
            beside: None,
            picked: None,
            shapes,
        };
        sheet.arrange(structure, beside).map_err(|error| error.to_string())?;
        Ok(sheet)
    }

    /// Moves the boxes into other structures if these differ.
    ///
    /// # Errors
    /// Returns an error if an option breaks a rule; nothing changes then.
    pub fn arrange(&mut self, structure: AnyOptions, beside: Option<AnyOptions>) -> Result<(), Error> {
        let new = |options| Arranged::new(options, &self.shapes.boxes, self.pairs);
        let first = (structure != self.first.options).then(|| new(structure)).transpose()?;
        if beside != self.beside.as_ref().map(|arranged| arranged.options) {
            self.beside = beside.map(new).transpose()?;
        }
        if let Some(first) = first {
            self.first = first;
        }
        Ok(())
    }

    /// Marks a box and those that it overlaps, or none.
    pub fn pick(&mut self, id: Option<u32>) {
        self.picked = id.map(|id| {
            let mut partners: Vec<u32> = self.first.index.neighbors(id).collect();
            partners.sort_unstable();
            Picked { id, partners }
        });
    }
}

/// # Looking
impl Sheet {
    /// The file's name.
    pub fn title(&self) -> &str {
        &self.shapes.name
    }

    /// The file's format, and which columns were used for what.
    pub fn source(&self) -> String {
        format!("{}: {}", self.shapes.format, self.shapes.taken)
    }

    /// Rows without a box, or with an invalid geometry.
    pub fn skipped(&self) -> u64 {
        self.shapes.skipped + self.shapes.invalid
    }

    /// How many boxes there are.
    pub fn count(&self) -> usize {
        self.rects.len()
    }

    /// The structures side by side: one or two.
    pub fn structures(&self) -> impl Iterator<Item = &Arranged> {
        std::iter::once(&self.first).chain(&self.beside)
    }

    /// The name of a box: its id, or its row, counted from 0.
    pub fn name(&self, id: u32) -> String {
        match self.shapes.kept.first() {
            Some(ids) => ids.get(id).into(),
            None => format!("row {}", self.shapes.row(id)),
        }
    }

    /// A box in coordinates of the file.
    pub fn bounds(&self, id: u32) -> Aabb<f64> {
        self.shapes.boxes[id as usize]
    }

    /// The numbers of the boxes that touch `shown`, largest first.
    pub fn seen(&self, shown: &Aabb) -> impl Iterator<Item = u32> {
        self.order.iter().copied().filter(move |id| self.rects[*id as usize].intersects(shown))
    }

    /// Whether there are shapes that are more than boxes.
    pub const fn has_shapes(&self) -> bool {
        self.outlines.is_some()
    }

    /// A rectangle of a structure in the picture.
    pub fn rect(&self, bounds: &Aabb<f64>) -> Aabb {
        self.flat.rect(bounds)
    }

    /// The smallest box within `reach` of a point of the picture; of equally small ones, the nearest.
    pub fn find(&self, point: [f32; 2], reach: f32) -> Option<u32> {
        let near = Near::point(self.flat.back(point)).within(self.flat.length(reach));
        let size = |id: u32| self.rects[id as usize].area();
        let far = |id: u32| self.rects[id as usize].nearest_point(point).map(f64::from);
        let far = |id: u32| (far(id)[0] - f64::from(point[0])).hypot(far(id)[1] - f64::from(point[1]));
        let found = self.first.index.query(near);
        found.min_by(|a, b| size(*a).total_cmp(&size(*b)).then(far(*a).total_cmp(&far(*b))).then(a.cmp(b)))
    }
}
