//! Degrees, against a library of geodesics on the ellipsoid.

use geographiclib_rs::{Geodesic, InverseGeodesic};
use proptest::prelude::*;
use quadrille_tracks::{Fixes, Found, Limits, Rules, Tracks, Units};

const DEGREES: Rules = Rules::new(Units::Degrees);

/// Distance along the ellipsoid, in meters, of [longitude, latitude].
fn geodesic(a: [f64; 2], b: [f64; 2]) -> f64 {
    Geodesic::wgs84().inverse(a[1], a[0], b[1], b[0])
}

/// Tracks of [time, longitude, latitude].
fn tracks(each: &[Vec<[f64; 3]>]) -> Tracks {
    let rows: Vec<_> = (0..).zip(each).flat_map(|(track, fixes)| fixes.iter().map(move |fix| (track, fix))).collect();
    let track: Vec<u32> = rows.iter().map(|row| row.0).collect();
    let [time, x, y] = [0, 1, 2].map(|part| rows.iter().map(|row| row.1[part]).collect::<Vec<_>>());
    Tracks::new(&Fixes { track: &track, time: &time, x: &x, y: &y, z: None }, &DEGREES).expect("valid fixes")
}

fn found(tracks: &Tracks, within: f64) -> Found {
    tracks.encounters(&Limits::within(within)).expect("valid limits")
}

fn at(tracks: &Tracks, track: u32, time: f64) -> Option<[f64; 2]> {
    let way = tracks.path(track, false, time, time);
    way.first().map(|way| [way[0].x, way[0].y])
}

/// The bound that the front page of the crate states.
fn error_of(distance: f64) -> f64 {
    5e-4 + 1e-7 * distance + 1.1e-17 * distance.powi(3)
}

/// Somewhere on the globe, often at a position where maps go wrong.
fn somewhere() -> impl Strategy<Value = [f64; 2]> {
    prop_oneof![
        (-180.0..180.0_f64, -90.0..90.0_f64).prop_map(|(east, north)| [east, north]),
        (-0.2..0.2_f64, -60.0..60.0_f64)
            .prop_map(|(east, north)| [(180.0 + east + 180.0).rem_euclid(360.0) - 180.0, north]),
        (-180.0..180.0_f64, 89.7..90.0_f64).prop_map(|(east, north)| [east, north]),
        (-180.0..180.0_f64, -90.0..-89.7_f64).prop_map(|(east, north)| [east, north]),
        (-0.2..0.2_f64, -0.2..0.2_f64).prop_map(|(east, north)| [45.0 + east, 35.264_389_68 + north]),
    ]
}

/// A position some meters east and north of another, however near a pole that is.
fn beside([lon, lat]: [f64; 2], distance: f64, bearing: f64) -> [f64; 2] {
    use geographiclib_rs::DirectGeodesic;
    let (lat, lon) = Geodesic::wgs84().direct(lat, lon, bearing, distance);
    [lon, lat]
}

/// Two tracks of a few fixes within some kilometers around a position.
fn two_tracks() -> impl Strategy<Value = Vec<Vec<[f64; 3]>>> {
    let fixes = prop::collection::vec((1.0..60.0_f64, 0.0..8000.0_f64, 0.0..360.0_f64), 1..6);
    (somewhere(), prop::collection::vec(fixes, 2)).prop_map(|(middle, tracks)| {
        let places = |fixes: Vec<(f64, f64, f64)>| {
            let mut time = 0.0;
            fixes
                .into_iter()
                .map(|(took, distance, bearing)| {
                    time += took;
                    let [lon, lat] = beside(middle, distance, bearing);
                    [time, lon, lat]
                })
                .collect()
        };
        tracks.into_iter().map(places).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn encounters_are_those_of_geodesics(each in two_tracks(), within in 1.0..10_000.0_f64) {
        let tracks = tracks(&each);
        let found = found(&tracks, within).encounters;
        let apart = |time: f64| Some(geodesic(at(&tracks, 0, time)?, at(&tracks, 1, time)?));
        for met in &found {
            let closest = apart(met.closest_time).expect("both are somewhere");
            prop_assert!((closest - met.closest_distance).abs() <= error_of(closest), "{closest} {met:?}");
            for end in [met.start, met.end] {
                prop_assert!(apart(end).expect("both are somewhere") <= within + error_of(within));
            }
        }
        // Nothing is missed between the samples, because the closed form does not sample.
        for step in 0..=400 {
            let time = f64::from(step) * 0.75;
            if let Some(distance) = apart(time) {
                let is_within = found.iter().any(|met| met.start <= time && time <= met.end);
                let is_at_limit = (distance - within).abs() <= error_of(within);
                prop_assert!(is_at_limit || is_within == (distance <= within), "{distance} at {time}: {found:?}");
                let closest = found.iter().map(|met| met.closest_distance).fold(f64::INFINITY, f64::min);
                prop_assert!(!is_within || closest <= distance + error_of(distance));
            }
        }
    }

    #[test]
    fn distances_are_within_the_bound_at_any_length(place in somewhere(), far in 0.0..6.0_f64, bearing in 0.0..360.0_f64) {
        let distance = 10_f64.powf(far);
        let other = beside(place, distance, bearing);
        let tracks = tracks(&[vec![[0.0, place[0], place[1]]], vec![[0.0, other[0], other[1]]]]);
        let met = found(&tracks, 1e6).encounters;
        if distance < 999_000.0 {
            prop_assert_eq!(met.len(), 1);
            prop_assert!((met[0].closest_distance - distance).abs() <= error_of(distance), "{distance} {met:?}");
        }
    }

    #[test]
    fn coordinates_come_back(place in somewhere()) {
        let back = at(&tracks(&[vec![[0.0, place[0], place[1]]]]), 0, 0.0).expect("it is there");
        prop_assert!(geodesic(place, back) < 1e-6, "{place:?} {back:?}");
    }
}

#[test]
fn ships_meet_across_the_antimeridian() {
    let east = vec![[0.0, 179.9, 10.0], [600.0, -179.9, 10.0]];
    let west = vec![[0.0, -179.9, 10.0], [600.0, 179.9, 10.0]];
    let met = found(&tracks(&[east, west]), 500.0).encounters;
    assert_eq!(met.len(), 1);
    assert!((met[0].closest_time - 300.0).abs() < 1e-6 && met[0].closest_distance < 1e-6, "{met:?}");
}

#[test]
fn whole_turns_are_the_same_place() {
    for [one, other] in [[180.0, -180.0], [190.5, -169.5], [360.0, 0.0], [-360.0, 0.0]] {
        let found = found(&tracks(&[vec![[0.0, one, 10.0], [0.0, other, 10.0]]]), 1.0);
        assert_eq!((found.skipped.repeated, found.skipped.conflicting), (1, 0), "{one} and {other}");
    }
}

#[test]
fn aircraft_meet_over_the_pole() {
    let one = vec![[0.0, 0.0, 89.5], [600.0, 180.0, 89.5]];
    let other = vec![[0.0, 90.0, 89.5], [600.0, -90.0, 89.5]];
    let met = found(&tracks(&[one, other]), 1000.0).encounters;
    assert_eq!(met.len(), 1);
    assert!((met[0].closest_time - 300.0).abs() < 1e-6 && met[0].closest_distance < 1e-6, "{met:?}");
}

#[test]
fn long_ways_follow_the_great_circle() {
    // Zürich to Tokyo in twelve hours, and a balloon on the way: two thirds of it, as the library of geodesics has it.
    let [zurich, tokyo] = [[8.55, 47.46], [140.39, 35.76]];
    let tracks = tracks(&[vec![[0.0, zurich[0], zurich[1]], [43_200.0, tokyo[0], tokyo[1]]]]);
    let place = at(&tracks, 0, 28_800.0).expect("on the way");
    let [before, behind] = [geodesic(zurich, place), geodesic(place, tokyo)];
    // The great circle of geodetic coordinates is not the geodesic, but within some kilometers of it on nine thousand.
    assert!((before / (before + behind) - 2.0 / 3.0).abs() < 1e-3, "{before} {behind}");
    assert!(before + behind < geodesic(zurich, tokyo) + 2_000.0);
}

#[test]
fn opposite_places_have_some_way_between_them() {
    let tracks = tracks(&[vec![[0.0, 0.0, 0.0], [100.0, 180.0, 0.0]], vec![[0.0, 0.0, 90.0], [100.0, 0.0, -90.0]]]);
    let place = at(&tracks, 0, 50.0).expect("on the way");
    assert!((geodesic([0.0, 0.0], place) / geodesic(place, [180.0, 0.0]) - 1.0).abs() < 0.01, "{place:?}");
}

#[test]
fn impossible_ways_are_an_error_not_a_flood() {
    let there_and_back: Vec<_> = (0..20_000).map(|k| [f64::from(k), f64::from(k % 2) * 179.0, 0.0]).collect();
    let rows = there_and_back.len();
    let [time, x, y] = [0, 1, 2].map(|part| there_and_back.iter().map(|row| row[part]).collect::<Vec<_>>());
    let track = vec![1; rows];
    let fixes = Fixes { track: &track, time: &time, x: &x, y: &y, z: None };
    let error = Tracks::new(&fixes, &DEGREES).expect_err("forty million kilometres").to_string();
    assert!(error.contains("a maximum speed or gap removes impossible ones"), "{error}");
    let rules = Rules { max_speed: Some(1000.0), ..DEGREES };
    let found =
        Tracks::new(&fixes, &rules).and_then(|tracks| tracks.encounters(&Limits::within(1.0))).expect("removed");
    assert!(found.skipped.too_fast >= 10_000, "{found:?}");
}
