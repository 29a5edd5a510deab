//! A flat map of tracks, for pictures of them.

use crate::fixes::Fixes;
use crate::rules::Units;

/// Positions on a flat map. Plane coordinates are unchanged; degrees are drawn true to scale at the middle latitude,
/// from the emptiest meridian on, so that tracks across the antimeridian stay in one piece.
///
/// ```
/// use quadrille_tracks::{Fixes, FlatMap, Units};
///
/// let fixes = Fixes { track: &[1, 1], time: &[0.0, 60.0], x: &[179.5, -179.5], y: &[60.0, 60.0], z: None };
/// let map = FlatMap::new(Units::Degrees, &[fixes]);
/// let [west, east] = [[179.5, 60.0], [-179.5, 60.0]].map(|position| map.project(position));
/// assert!((east[0] - west[0] - 0.5).abs() < 1e-9, "at 60 degrees, a degree of longitude is half as long");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatMap {
    /// In degrees: the meridian at which the map begins.
    west: Option<f64>,
    /// The length of a unit of x, in units of y.
    stretch: f64,
    bounds: [[f64; 2]; 2],
}

/// The least length of a unit of x: near a pole such a map is useless, but finite.
const MIN_SCALE: f64 = 0.05;

impl FlatMap {
    /// A map of all these fixes.
    #[must_use]
    pub fn new(units: Units, sets: &[Fixes<'_>]) -> Self {
        let is_globe = units == Units::Degrees;
        let [south, north] = range(sets.iter().flat_map(|set| set.y).copied());
        let stretch = if is_globe { south.midpoint(north).to_radians().cos().max(MIN_SCALE) } else { 1.0 };
        let west = is_globe.then(|| emptiest_meridian(sets));
        let map = Self { west, stretch, bounds: [[0.0; 2]; 2] };
        let [left, right] = range(sets.iter().flat_map(|set| set.x).map(|x| map.project([*x, 0.0])[0]));
        Self { bounds: [[left, south], [right, north]], ..map }
    }

    /// Where on the map x and y, or longitude and latitude, are.
    #[must_use]
    pub fn project(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let x = self.west.map_or(x, |west| (x - west).rem_euclid(360.0));
        [x * self.stretch, y]
    }

    /// The x and y, or the longitude and latitude, of a point of the map. Longitudes go on beyond 180 degrees where the map does.
    #[must_use]
    pub fn unproject(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x / self.stretch + self.west.unwrap_or(0.0), y]
    }

    /// The corners of the map: least x and y, greatest x and y. All 0 if there are no fixes.
    #[must_use]
    pub const fn bounds(&self) -> [[f64; 2]; 2] {
        self.bounds
    }

    /// Whether a segment between two positions leaves the map on one side and enters it on the other.
    #[must_use]
    pub fn is_torn(&self, from: [f64; 2], to: [f64; 2]) -> bool {
        self.west.is_some() && (to[0] - from[0]).abs() > 180.0 * self.stretch
    }
}

/// The eastern end of the widest range of longitudes without fixes, to a degree: a map that begins there cuts no track.
fn emptiest_meridian(sets: &[Fixes<'_>]) -> f64 {
    let mut is_empty = [true; 360];
    for x in sets.iter().flat_map(|set| set.x) {
        is_empty[(x.rem_euclid(360.0) as usize).min(359)] = false;
    }
    // Two rounds, so that a range across the prime meridian counts as one.
    let (mut widest, mut stretch, mut west) = (0, 0, 0);
    for degree in 0..720 {
        stretch = if is_empty[degree % 360] { stretch + 1 } else { 0 };
        if stretch > widest && stretch <= 360 {
            (widest, west) = (stretch, (degree + 1) % 360);
        }
    }
    // A little farther west: a position on a track differs from its fix in the last bits.
    west as f64 - 1.0 / f64::from(1 << 30)
}

/// The least and the greatest number.
fn range(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    let [least, most] =
        numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], number| [least.min(number), most.max(number)]);
    if least <= most { [least, most] } else { [0.0; 2] }
}

#[cfg(test)]
mod tests {
    use super::{FlatMap, Units};
    use crate::fixes::Fixes;
    use crate::rules::Rules;
    use crate::tracks::Tracks;

    fn map(units: Units, x: &[f64], y: &[f64]) -> FlatMap {
        let (track, time) = (vec![1; x.len()], vec![0.0; x.len()]);
        FlatMap::new(units, &[Fixes { track: &track, time: &time, x, y, z: None }])
    }

    fn are_near(found: [[f64; 2]; 2], expected: [[f64; 2]; 2]) {
        let gaps = [0, 1].map(|end| [0, 1].map(|axis| (found[end][axis] - expected[end][axis]).abs()));
        assert!(gaps.as_flattened().iter().all(|gap| *gap < 1e-9), "{found:?}, not {expected:?}");
    }

    #[test]
    fn planes_are_maps_of_themselves() {
        let map = map(Units::Plane, &[-200.0, 700.0, 30.0], &[5.0, -80.0, 0.0]);
        assert_eq!(map.project([123.5, -7.0]), [123.5, -7.0]);
        assert_eq!(map.unproject([123.5, -7.0]), [123.5, -7.0]);
        assert_eq!(map.bounds(), [[-200.0, -80.0], [700.0, 5.0]]);
        assert!(!map.is_torn([-200.0, 0.0], [700.0, 0.0]), "a plane has no other side");
        assert_eq!(self::map(Units::Plane, &[], &[]).bounds(), [[0.0; 2]; 2]);
    }

    #[test]
    fn globes_are_cut_where_no_one_is() {
        // Halfway is 60 degrees north, where a degree of longitude is half as long.
        let map = map(Units::Degrees, &[170.0, -160.0, 178.5], &[50.0, 70.0, 60.0]);
        let [east, west] = [[170.0, 50.0], [-160.0, 70.0]].map(|position| map.project(position));
        are_near([east, west], [[east[0], 50.0], [east[0] + 15.0, 70.0]]);
        are_near([east, west].map(|point| map.unproject(point)), [[170.0, 50.0], [200.0, 70.0]]);
        are_near(map.bounds(), [east, west]);
        assert!(map.project([169.9, 60.0])[0] > 179.0, "the map begins at the westernmost fix");
        // Torn is what is drawn across more than half of the globe, which is 90 wide here.
        assert!(!map.is_torn(east, west) && !map.is_torn([0.0, 50.0], [89.9, 50.0]));
        assert!(map.is_torn([0.0, 50.0], [90.1, 50.0]) && map.is_torn([90.1, 50.0], [0.0, 50.0]));
    }

    #[test]
    fn tracks_begin_where_their_fixes_are() {
        for x in (-180..=180).map(f64::from) {
            let fixes = Fixes { track: &[1], time: &[0.0], x: &[x], y: &[54.3], z: None };
            let tracks = Tracks::new(&fixes, &Rules::new(Units::Degrees)).expect("a valid fix");
            let place = tracks.path(1, false, 0.0, 0.0)[0][0];
            let map = FlatMap::new(Units::Degrees, &[fixes]);
            are_near([map.project([place.x, place.y]); 2], map.bounds());
        }
    }
}
