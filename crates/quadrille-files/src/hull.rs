//! The box around the positions of a geometry.

use quadrille::Aabb;

use crate::arcs::Arcs;

/// Grows with every position.
#[derive(Debug)]
pub(crate) struct Hull {
    all: Aabb<f64>,
    has_nan: bool,
    /// On the globe only.
    arcs: Option<Arcs>,
}

impl Hull {
    /// No positions yet: on the plane, or on the globe, where positions are degrees of longitude and latitude.
    pub(crate) fn new(is_on_globe: bool) -> Self {
        Self { all: Aabb::EMPTY, has_nan: false, arcs: is_on_globe.then(Arcs::default) }
    }

    pub(crate) fn is_on_globe(&self) -> bool {
        self.arcs.is_some()
    }

    /// A line, ring or point begins.
    pub(crate) fn begin_part(&mut self) {
        if let Some(arcs) = &mut self.arcs {
            arcs.begin_part();
        }
    }

    pub(crate) fn add(&mut self, x: f64, y: f64) {
        self.has_nan |= x.is_nan() || y.is_nan();
        self.all = self.all.union(&Aabb::from_point([x, y]));
        if let Some(arcs) = &mut self.arcs {
            arcs.add(x, y);
        }
    }

    /// The box, or what is wrong with it; `None` if there was no position.
    pub(crate) fn finish(self) -> Result<Option<Aabb<f64>>, String> {
        if self.has_nan {
            return Err("has a coordinate that is NaN".into());
        }
        if !self.all.is_ordered() {
            return Ok(None);
        }
        let plane = self.all.check().map_err(|error| error.to_string())?;
        Ok(Some(self.arcs.map_or(plane, |arcs| arcs.narrowed(plane))))
    }
}

/// The geometry of a row.
pub(crate) trait Geometry {
    /// Its box, made by an empty hull; `None` if it is empty.
    fn bounds(&self, hull: Hull) -> Result<Option<Aabb<f64>>, String>;
}
