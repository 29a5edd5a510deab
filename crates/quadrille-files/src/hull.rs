//! The box around the positions of a geometry.

use quadrille::Aabb;

/// Grows with every position.
#[derive(Debug)]
pub(crate) struct Hull {
    all: Aabb<f64>,
    has_nan: bool,
}

impl Hull {
    pub(crate) const fn new() -> Self {
        Self { all: Aabb::EMPTY, has_nan: false }
    }

    pub(crate) fn add(&mut self, x: f64, y: f64) {
        self.has_nan |= x.is_nan() || y.is_nan();
        self.all = self.all.union(&Aabb::from_point([x, y]));
    }

    /// The box, or what is wrong with it; `None` if there was no position.
    pub(crate) fn finish(self) -> Result<Option<Aabb<f64>>, String> {
        if self.has_nan {
            return Err("has a coordinate that is NaN".into());
        }
        let found = self.all.is_ordered().then_some(self.all);
        found.map(|bounds| bounds.check().map_err(|error| error.to_string())).transpose()
    }
}
