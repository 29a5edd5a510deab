//! What goes with a box besides its edges.

use crate::events::Mobility;
use crate::setters::setters;
use crate::storage::Layers;

/// What a new box starts with: [layers](Layers) and [mobility](Mobility). Cheaper than setting them afterward.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoxOptions {
    /// Which boxes it meets. [`Layers::ALL`] by default.
    pub layers: Layers,
    /// Whether it meets fixed boxes. By default it does.
    pub mobility: Mobility,
}

impl BoxOptions {
    /// On all layers, moving.
    #[must_use]
    pub const fn new() -> Self {
        Self { layers: Layers::ALL, mobility: Mobility::Moving }
    }
}

setters!(BoxOptions {
    with_layers => layers: Layers,
    with_mobility => mobility: Mobility,
});
