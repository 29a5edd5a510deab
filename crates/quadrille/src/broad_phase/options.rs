//! What goes with a box besides its edges.

use super::{Margin, Mobility};
use crate::setters::setters;
use crate::storage::Layers;

/// What a new box starts with: [layers](Layers), its own [margin](Margin), [mobility](Mobility). Cheaper than setting
/// them afterward.
///
/// ```
/// use quadrille::{Aabb, BoxOptions, Layers, Mobility, Space};
///
/// let mut space = Space::<&str>::default();
/// let wall = BoxOptions::new().with_layers(Layers::new(1, 2)).with_mobility(Mobility::Fixed);
/// let wall = space.insert_with(Aabb::new([0.0, 0.0], [9.0, 1.0]), "wall", wall)?;
/// assert_eq!(space.layers(wall), Some(Layers::new(1, 2)));
/// assert_eq!(space.mobility(wall), Some(Mobility::Fixed));
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BoxOptions<S = f32> {
    /// Which boxes it meets. [`Layers::ALL`] by default.
    pub layers: Layers,
    /// Its own margin. `None`, the default, means the common one.
    pub margin: Option<Margin<S>>,
    /// Whether it meets fixed boxes. By default it does.
    pub mobility: Mobility,
}

impl<S> BoxOptions<S> {
    /// On all layers, with the common margin, moving.
    #[must_use]
    pub const fn new() -> Self {
        Self { layers: Layers::ALL, margin: None, mobility: Mobility::Moving }
    }
}

setters!(BoxOptions<S> {
    with_layers => layers: Layers,
    with_margin => margin: impl Into<Option<Margin<S>>>,
    with_mobility => mobility: Mobility,
});

impl<S> Default for BoxOptions<S> {
    fn default() -> Self {
        Self::new()
    }
}
