//! Bounding boxes of geometries in binary (WKB), and bytes as text.

use quadrille::Aabb;
use quadrille_shapes::read_wkb;

use crate::hull::Hull;

/// The bounding box of a geometry; `None` if it is empty.
pub(crate) fn bounds(bytes: &[u8], mut hull: Hull<'_>) -> Result<Option<Aabb<f64>>, String> {
    read_wkb(bytes, &mut hull)?;
    hull.finish()
}

/// Bytes in hexadecimal digits, as geometries are written in text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
