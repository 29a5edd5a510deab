//! The usual names of point columns, as [`plain`](crate::columns::plain) spells them.

use crate::columns::{Columns, plain};

/// x and y.
type Names = [&'static str; 2];

/// Longitude and latitude in degrees.
pub(crate) const DEGREES: &[Names] = &[
    ["lon", "lat"],
    ["lng", "lat"],
    ["long", "lat"],
    ["longitude", "latitude"],
    ["longitudedeg", "latitudedeg"],
    ["londeg", "latdeg"],
    ["longdd", "latdd"],
    ["londd", "latdd"],
    ["decimallongitude", "decimallatitude"],
    ["intptlong", "intptlat"],
    ["intptlon", "intptlat"],
    ["stoplon", "stoplat"],
    ["locationlong", "locationlat"],
    ["gpslongitude", "gpslatitude"],
];

/// Coordinates of a plane, or of an unknown kind.
pub(crate) const PLANE: &[Names] = &[
    ["x", "y"],
    ["easting", "northing"],
    ["utmeasting", "utmnorthing"],
    ["xcoord", "ycoord"],
    ["xcoordinate", "ycoordinate"],
    ["coordinatex", "coordinatey"],
    ["utmx", "utmy"],
    ["coordx", "coordy"],
    ["pointx", "pointy"],
    ["posx", "posy"],
    ["xpos", "ypos"],
    ["cx", "cy"],
    ["centerx", "centery"],
    ["xcenter", "ycenter"],
    // GeoArrow's points.
    ["geometryx", "geometryy"],
];

/// The columns of the first pair of names that are both present.
pub(crate) fn find(all: &Columns, names: &[&[Names]]) -> Option<[usize; 2]> {
    names.iter().copied().flatten().find_map(|[x, y]| Some([all.find(&[x])?, all.find(&[y])?]))
}

/// Whether a column of this name holds x on a plane.
pub(crate) fn is_plane(name: &str) -> bool {
    PLANE.iter().any(|[x, _]| *x == plain(name))
}

/// Whether a column of this name holds longitudes.
pub(crate) fn is_longitude(name: &str) -> bool {
    DEGREES.iter().any(|[longitude, _]| *longitude == plain(name))
}

/// Fails if x is to come from a column that is called latitude.
pub(crate) fn check_x(name: &str) -> Result<(), String> {
    let is_latitude = DEGREES.iter().any(|[_, latitude]| *latitude == plain(name));
    if is_latitude { Err(format!("{name} is to be x, which is the longitude and comes first")) } else { Ok(()) }
}
