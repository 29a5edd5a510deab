//! The box around the positions of a geometry.

use quadrille::Aabb;
use quadrille_shapes::globe::Arcs;
use quadrille_shapes::{Geometries, OffEarth, Part, Taker};

use crate::system::System;

/// A box that grows with every position; the positions themselves may be stored as well.
#[derive(Debug)]
pub(crate) struct Hull<'a> {
    all: Aabb<f64>,
    has_nan: bool,
    /// What the last part is; a position belongs to one.
    part: Option<Part>,
    /// On the globe only.
    arcs: Option<Arcs>,
    /// The coordinate system, if the geometry itself names one.
    system: Option<System>,
    /// Whether its parts name different ones.
    has_systems: bool,
    /// Where that system is told, if it is.
    named: Option<&'a mut Option<System>>,
    /// Where the geometry itself is stored, if it is.
    kept: Option<&'a mut Geometries>,
}

impl<'a> Hull<'a> {
    /// No positions yet: on the plane, or on the globe, where positions are degrees of longitude and latitude.
    pub(crate) fn new(is_on_globe: bool) -> Self {
        Self {
            all: Aabb::EMPTY,
            has_nan: false,
            part: None,
            arcs: is_on_globe.then(Arcs::default),
            system: None,
            has_systems: false,
            named: None,
            kept: None,
        }
    }

    /// With a place to store the geometry.
    pub(crate) fn keeping(self, kept: Option<&'a mut Geometries>) -> Self {
        Self { kept, ..self }
    }

    /// With a place for the coordinate system that the geometry itself names.
    pub(crate) fn naming(self, named: &'a mut Option<System>) -> Self {
        Self { named: Some(named), ..self }
    }

    /// The geometry itself names its coordinate system.
    pub(crate) fn in_system(&mut self, system: System) {
        self.has_systems |= self.system.as_ref().is_some_and(|other| system.differs(other));
        self.system = Some(system);
    }

    /// Whether the geometry itself is stored.
    pub(crate) fn is_keeping(&self) -> bool {
        self.kept.is_some()
    }

    pub(crate) fn is_on_globe(&self) -> bool {
        self.arcs.is_some()
    }

    /// A whole line, ring or point.
    pub(crate) fn add_part(&mut self, part: Part, positions: impl IntoIterator<Item = [f64; 2]>) {
        self.part(part);
        positions.into_iter().for_each(|[x, y]| self.vertex(x, y));
    }

    /// The box, or what is wrong with the geometry; `None` if there was no position. The geometry is stored last, so it
    /// is there if and only if its box is.
    pub(crate) fn finish(mut self) -> Result<Option<Aabb<f64>>, String> {
        let bounds = self.bounds()?;
        let Some(kept) = &mut self.kept else { return Ok(bounds) };
        let is_stored = kept.finish().map_err(|fault| fault.to_string())?;
        Ok(bounds.filter(|_| is_stored))
    }

    fn bounds(&mut self) -> Result<Option<Aabb<f64>>, String> {
        if self.has_nan {
            return Err("has a coordinate that is NaN".into());
        }
        if !self.all.is_ordered() {
            return Ok(None);
        }
        if self.part.is_none() {
            return Err("has positions that belong to no point, line or ring".into());
        }
        if self.has_systems {
            return Err("has parts in different systems of coordinates".into());
        }
        if let (Some(system), true) = (&self.system, self.is_on_globe()) {
            system.check_globe().map_err(|what| format!("names a system: {what}"))?;
        }
        if let Some(named) = &mut self.named {
            **named = self.system.take();
        }
        let plane = self.all.check().map_err(|error| error.to_string())?;
        let is_on_globe = self.is_on_globe();
        placed(self.arcs.take().map_or(plane, |arcs| arcs.narrowed(plane)), is_on_globe).map(Some)
    }
}

/// A box where it can be: on the globe it is one of degrees.
pub(crate) fn placed(bounds: Aabb<f64>, is_on_globe: bool) -> Result<Aabb<f64>, String> {
    let refused = |what| Err(format!("is not on the earth: {what}; --metric geodesic needs degrees"));
    OffEarth::of(&bounds).filter(|_| is_on_globe).map_or(Ok(bounds), refused)
}

impl Taker for Hull<'_> {
    fn collection(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.collection();
        }
    }

    fn part(&mut self, part: Part) {
        self.part = Some(part);
        if let Some(kept) = &mut self.kept {
            kept.part(part);
        }
        if let Some(arcs) = &mut self.arcs {
            arcs.begin_part();
        }
    }

    /// NaN, NaN is an empty point.
    fn vertex(&mut self, x: f64, y: f64) {
        if let Some(kept) = &mut self.kept {
            kept.vertex(x, y);
        }
        if self.part == Some(Part::Point) && x.is_nan() && y.is_nan() {
            return;
        }
        self.has_nan |= x.is_nan() || y.is_nan();
        self.all = self.all.union(&Aabb::from_point([x, y]));
        if let Some(arcs) = &mut self.arcs {
            arcs.add(x, y);
        }
    }

    /// An EPSG code, as PostGIS writes it; 0 is none.
    fn system(&mut self, number: u32) {
        if number > 0 {
            self.in_system(System::of_code(&format!("EPSG:{number}")));
        }
    }
}

/// The geometry of a row.
pub(crate) trait Geometry {
    /// Its box, made by an empty hull; `None` if it is empty.
    fn bounds(&self, hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String>;
}
