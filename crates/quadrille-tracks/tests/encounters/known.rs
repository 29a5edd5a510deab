//! Cases worked out by hand, among them those of other programs.

use quadrille_tracks::{Encounter, Fixes, Limits, Rules, Skipped, Tracks, Units, encounters};

const PLANE: Rules = Rules::new(Units::Plane);

/// Encounters of tracks given as (time, x, y) by track.
fn met(tracks: &[&[[f64; 3]]], rules: &Rules, limits: &Limits) -> Vec<Encounter> {
    let rows: Vec<_> = (0..).zip(tracks).flat_map(|(track, fixes)| fixes.iter().map(move |fix| (track, fix))).collect();
    let track: Vec<u32> = rows.iter().map(|row| row.0).collect();
    let [time, x, y] = [0, 1, 2].map(|part| rows.iter().map(|row| row.1[part]).collect::<Vec<_>>());
    let fixes = Fixes { track: &track, time: &time, x: &x, y: &y, z: None };
    encounters(&fixes, rules, limits).expect("valid fixes").encounters
}

/// Start, end, closest time and distance.
fn numbers(met: &Encounter) -> [f64; 4] {
    [met.start, met.end, met.closest_time, met.closest_distance]
}

/// The example of PostGIS' manual for `ST_ClosestPointOfApproach`, seen from above: lines from (0, 0) to (10, 0) and
/// from (0, 2) to (12, 1) in the same hour. By hand: the offset is (0, -2) + s (-2, 1), nearest at s = 2/5, where it is
/// 4/√5 long. (Its `ST_DistanceCPA`, 1.965, is that in space: heights count as a third axis there, and as a limit of
/// their own here.)
#[test]
fn the_example_of_the_manual_of_postgis() {
    let [a, b]: [&[[f64; 3]]; 2] = [&[[0.0, 0.0, 0.0], [3600.0, 10.0, 0.0]], &[[0.0, 0.0, 2.0], [3600.0, 12.0, 1.0]]];
    let found = met(&[a, b], &PLANE, &Limits::within(2.0));
    let [start, end, time, distance] = numbers(&found[0]);
    assert!((time - 1440.0).abs() < 1e-9 && (distance - 4.0 / 5_f64.sqrt()).abs() < 1e-12, "{found:?}");
    // |(0, -2) + s (-2, 1)| = 2 at s = 0 and s = 4/5.
    assert!(start.abs() < 1e-9 && (end - 2880.0).abs() < 1e-9, "{found:?}");
}

/// The track of MovingPandas' tests: (0, 0) at noon, (6, 0) ten minutes later, (6, 6) after ten more.
#[test]
fn places_between_fixes_as_movingpandas_has_them() {
    let fixes =
        Fixes { track: &[1; 3], time: &[0.0, 600.0, 1200.0], x: &[0.0, 6.0, 6.0], y: &[0.0, 0.0, 6.0], z: None };
    let tracks = Tracks::new(&fixes, &PLANE).expect("valid fixes");
    for (time, expected) in [(0.0, [0.0, 0.0]), (300.0, [3.0, 0.0]), (600.0, [6.0, 0.0]), (900.0, [6.0, 3.0])] {
        let place = tracks.path(1, false, time, time)[0][0];
        assert_eq!([place.x, place.y], expected, "at {time}");
    }
    // By hand: a walker at (6, 1) is within 1 from (6, 0) to (6, 2), which takes 200 seconds.
    let walker: &[[f64; 3]] = &[[0.0, 0.0, 0.0], [600.0, 6.0, 0.0], [1200.0, 6.0, 6.0]];
    let still: &[[f64; 3]] = &[[0.0, 6.0, 1.0], [1200.0, 6.0, 1.0]];
    assert_eq!(numbers(&met(&[walker, still], &PLANE, &Limits::within(1.0))[0]), [600.0, 800.0, 700.0, 0.0]);
}

#[test]
fn no_time_is_a_negative_zero() {
    let [a, b]: [&[[f64; 3]]; 2] = [&[[-0.0, 0.0, 0.0]], &[[0.0, 1.0, 0.0], [-0.0, 1.0, 0.0]]];
    for found in [met(&[a, b], &PLANE, &Limits::within(1.0)), met(&[b, a], &PLANE, &Limits::within(1.0))] {
        let [Encounter { start, end, closest_time, .. }] = found[..] else { panic!("{found:?}") };
        assert_eq!([start, end, closest_time, end - start].map(f64::to_bits), [0; 4], "{found:?}");
    }
}

#[test]
fn closest_points_of_approach() {
    // Two points that cross in a plane, one eastward, one northward, in ten units of time.
    let east: &[[f64; 3]] = &[[0.0, 0.0, 0.0], [10.0, 10.0, 0.0]];
    let north: &[[f64; 3]] = &[[0.0, 5.0, -5.0], [10.0, 5.0, 5.0]];
    assert_eq!(numbers(&met(&[east, north], &PLANE, &Limits::within(1.0))[0])[2..], [5.0, 0.0]);
    // Unrelated in time: no point of approach.
    let later: &[[f64; 3]] = &[[11.0, 5.0, -5.0], [21.0, 5.0, 5.0]];
    assert_eq!(met(&[east, later], &PLANE, &Limits::within(1.0)), []);
    // A common instant only, the last of the one and the first of the other.
    let then: &[[f64; 3]] = &[[10.0, 10.0, 3.0], [21.0, 5.0, 5.0]];
    assert_eq!(numbers(&met(&[east, then], &PLANE, &Limits::within(3.0))[0]), [10.0, 10.0, 10.0, 3.0]);
}

#[test]
fn parallel_tracks_at_the_limit_are_within_all_the_time() {
    let [one, other]: [&[[f64; 3]]; 2] =
        [&[[0.0, 0.0, 0.0], [4.0, 8.0, 0.0], [9.0, 9.0, 0.0]], &[[1.0, 2.0, 5.0], [4.0, 8.0, 5.0], [9.0, 9.0, 5.0]]];
    assert_eq!(
        met(&[one, other], &PLANE, &Limits::within(5.0)).iter().map(numbers).collect::<Vec<_>>(),
        [[1.0, 9.0, 1.0, 5.0]]
    );
    assert_eq!(met(&[one, other], &PLANE, &Limits::within(4.999_999)), []);
}

#[test]
fn head_on_tangential_and_stationary() {
    let still: &[[f64; 3]] = &[[0.0, 50.0, 0.0], [100.0, 50.0, 0.0]];
    let head_on: &[[f64; 3]] = &[[0.0, 100.0, 0.0], [100.0, 0.0, 0.0]];
    let aside: &[[f64; 3]] = &[[0.0, 0.0, 10.0], [100.0, 100.0, 10.0]];
    assert_eq!(numbers(&met(&[still, head_on], &PLANE, &Limits::within(0.0))[0]), [50.0, 50.0, 50.0, 0.0]);
    assert_eq!(numbers(&met(&[still, aside], &PLANE, &Limits::within(10.0))[0]), [50.0, 50.0, 50.0, 10.0]);
    assert_eq!(numbers(&met(&[still, still], &PLANE, &Limits::within(0.0))[0]), [0.0, 100.0, 0.0, 0.0]);
}

#[test]
fn one_encounter_over_many_fixes_of_both() {
    let slow: Vec<_> = (0..=100).map(|k| [f64::from(k), f64::from(k) * 0.1, 0.0]).collect();
    let slower: Vec<_> = (0..=33).map(|k| [f64::from(k) * 3.0 + 0.5, f64::from(k) * 0.3, 1.0]).collect();
    let found = met(&[&slow, &slower], &PLANE, &Limits::within(2.0));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].start, found[0].end), (0.5, 99.5));
}

#[test]
fn gaps_are_bridged_and_short_encounters_left_out() {
    // Within 1 from 9 to 11 and from 29 to 31.
    let still: &[[f64; 3]] = &[[0.0, 0.0, 0.0], [40.0, 0.0, 0.0]];
    let there_and_back: &[[f64; 3]] = &[[0.0, -10.0, 0.0], [20.0, 10.0, 0.0], [40.0, -10.0, 0.0]];
    let times = |limits: Limits| -> Vec<_> {
        met(&[still, there_and_back], &PLANE, &limits).iter().map(|met| [met.start, met.end]).collect()
    };
    let limits = Limits::within(1.0);
    assert_eq!(times(limits), [[9.0, 11.0], [29.0, 31.0]]);
    assert_eq!(times(Limits { gap: 18.0, ..limits }), [[9.0, 31.0]], "a gap as long as the limit is bridged");
    assert_eq!(times(Limits { gap: 17.9, ..limits }).len(), 2);
    assert_eq!(times(Limits { lasting: 2.0, ..limits }).len(), 2, "as long as it must last is long enough");
    assert!(times(Limits { lasting: 2.1, ..limits }).is_empty());
}

#[test]
fn a_long_gap_breaks_a_track_and_a_fix_alone_is_an_instant() {
    let still: &[[f64; 3]] = &[[0.0, 0.0, 0.0], [40.0, 0.0, 0.0]];
    let seldom: &[[f64; 3]] = &[[0.0, 0.5, 0.0], [10.0, 0.5, 0.0], [21.0, 0.5, 0.0]];
    let rules = Rules { max_gap: Some(10.0), ..PLANE };
    let times = |rules: &Rules| -> Vec<_> {
        met(&[still, seldom], rules, &Limits::within(1.0)).iter().map(|met| [met.start, met.end]).collect()
    };
    assert_eq!(times(&PLANE), [[0.0, 21.0]]);
    // The one that stands still has two fixes 40 apart: it is nowhere between them.
    assert_eq!(times(&rules), [[0.0, 0.0]]);
    let often: Vec<_> = (0..=4).map(|k| [f64::from(k) * 10.0, 0.0, 0.0]).collect();
    let found = met(&[&often, seldom], &rules, &Limits::within(1.0));
    assert_eq!(found.iter().map(|met| [met.start, met.end]).collect::<Vec<_>>(), [[0.0, 10.0], [21.0, 21.0]]);
}

/// Both zeros are one time: the fix that was given first counts.
#[test]
fn the_sign_of_zero_does_not_order_fixes() {
    let moves: &[[f64; 3]] = &[[1.0, 0.0, 0.0], [0.0, 5.0, 0.0], [-0.0, 9.0, 0.0]];
    let waits: &[[f64; 3]] = &[[0.0, 5.0, 0.0], [1.0, 5.0, 0.0]];
    let found = met(&[moves, waits], &PLANE, &Limits::within(0.5));
    assert_eq!([found[0].start, found[0].closest_distance], [0.0, 0.0]);
    assert!((found[0].end - 0.1).abs() < 1e-9, "{found:?}");
}

#[test]
fn fixes_that_cannot_be_are_skipped_and_counted() {
    let fixes = Fixes {
        track: &[7; 7],
        time: &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 3.5],
        x: &[0.0, 0.0, 5.0, 1.0, 900.0, 3.0, 3.5],
        y: &[0.0; 7],
        z: Some(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, f64::NAN]),
    };
    let rules = Rules { max_speed: Some(2.0), ..PLANE };
    let found = encounters(&fixes, &rules, &Limits::within(1.0)).expect("valid fixes");
    assert_eq!(found.skipped, Skipped { repeated: 1, conflicting: 1, too_fast: 1, no_height: 1 });
    assert_eq!((found.tracks, found.fixes, found.pieces, found.pairs), (1, 7, 2, 0));
}

#[test]
fn wrong_input_is_named() {
    let good = Fixes { track: &[1, 2], time: &[0.0, 0.0], x: &[0.0, 200.0], y: &[0.0, 0.0], z: None };
    let error = |fixes: &Fixes<'_>, rules: &Rules, limits: &Limits| {
        encounters(fixes, rules, limits).expect_err("something is wrong").to_string()
    };
    let limits = Limits::within(1.0);
    let degrees = Rules::new(Units::Degrees);
    assert_eq!(
        error(&Fixes { time: &[0.0, f64::NAN], ..good }, &PLANE, &limits),
        "fix 1: time is NaN; a time is a number between -1e30 and 1e30"
    );
    assert_eq!(
        error(&Fixes { time: &[0.0, 1_714_564_800_000.0], ..good }, &degrees, &limits),
        "fix 1: time is 1714564800000; with degrees, times are in seconds, between -1e11 and 1e11: divide milliseconds by 1000"
    );
    assert_eq!(
        error(&Fixes { y: &[0.0, 91.0], ..good }, &degrees, &limits),
        "fix 1: latitude is 91; degrees are between -90 and 90"
    );
    assert_eq!(
        error(&Fixes { x: &[0.0], ..good }, &PLANE, &limits),
        "there are 1 values of x, but 2 fixes have a track"
    );
    assert_eq!(error(&good, &PLANE, &Limits::within(-1.0)), "the distance is -1; it must be between 0 and 1e30");
    assert_eq!(
        error(&good, &PLANE, &Limits { vertical: Some(1.0), ..limits }),
        "a vertical limit needs heights, and there are none"
    );
    let broken = Rules { max_gap: Some(5.0), ..PLANE };
    assert!(error(&good, &broken, &Limits { gap: 6.0, ..limits }).starts_with("the gap to bridge is 6, longer than"));
    let zero = Rules { max_speed: Some(0.0), ..PLANE };
    assert_eq!(error(&good, &zero, &limits), "the maximum speed is 0; it must be above zero");
}

#[test]
fn a_way_is_cut_at_its_times() {
    let fixes =
        Fixes { track: &[3, 3, 3], time: &[0.0, 10.0, 20.0], x: &[0.0, 10.0, 10.0], y: &[0.0, 0.0, 10.0], z: None };
    let tracks = Tracks::new(&fixes, &PLANE).expect("valid fixes");
    let way = |from, to| -> Vec<Vec<[f64; 3]>> {
        let ways = tracks.path(3, false, from, to);
        ways.iter().map(|way| way.iter().map(|place| [place.time, place.x, place.y]).collect()).collect()
    };
    assert_eq!(way(5.0, 12.0), [[[5.0, 5.0, 0.0], [10.0, 10.0, 0.0], [12.0, 10.0, 2.0]]]);
    assert_eq!(way(-5.0, 0.0), [[[0.0, 0.0, 0.0]]]);
    assert_eq!(way(10.0, 20.0), [[[10.0, 10.0, 0.0], [20.0, 10.0, 10.0]]]);
    assert!(way(21.0, 22.0).is_empty() && way(12.0, 5.0).is_empty() && tracks.path(4, false, 0.0, 9.0).is_empty());
    assert_eq!(tracks.runs().next().map(|(track, places)| (track, places.len())), Some((3, 3)));
}

#[test]
fn numbers_as_large_and_as_small_as_can_be() {
    let one: &[[f64; 3]] = &[[-1e30, -1e30, 0.0], [1e30, 1e30, 0.0]];
    let other: &[[f64; 3]] = &[[-1e30, 1e30, 0.0], [1e30, -1e30, 0.0]];
    let found = met(&[one, other], &PLANE, &Limits::within(1e29));
    assert_eq!(numbers(&found[0])[2..], [0.0, 0.0]);
    // Two fixes with no time between that a number could name.
    let sudden: &[[f64; 3]] = &[[1.0, 0.0, 0.0], [1.0 + f64::EPSILON, 1e6, 0.0]];
    let still: &[[f64; 3]] = &[[0.0, 5e5, 0.0], [2.0, 5e5, 0.0]];
    let degrees_of_freedom = met(&[sudden, still], &PLANE, &Limits::within(1.0));
    assert_eq!(degrees_of_freedom.len(), 1);
    assert_eq!(degrees_of_freedom[0].closest_distance, 0.0);
}

#[test]
fn of_two_fixes_at_one_time_the_first_that_can_be_reached_counts() {
    let jump: &[[f64; 3]] = &[[0.0, 0.0, 0.0], [10.0, 1e6, 0.0], [10.0, 10.0, 0.0], [10.0, 11.0, 0.0]];
    let still: &[[f64; 3]] = &[[0.0, 10.0, 0.0], [10.0, 10.0, 0.0]];
    let rules = Rules { max_speed: Some(5.0), ..PLANE };
    assert_eq!(met(&[jump, still], &rules, &Limits::within(0.0)).len(), 1);
    // Without a limit of speed it is the first one.
    assert_eq!(met(&[jump, still], &PLANE, &Limits::within(0.0))[0].closest_time, 1e-4);
    let rows: Vec<[f64; 3]> = jump.to_vec();
    let [time, x, y] = [0, 1, 2].map(|part| rows.iter().map(|row| row[part]).collect::<Vec<_>>());
    let fixes = Fixes { track: &[1; 4], time: &time, x: &x, y: &y, z: None };
    let skipped = |rules| encounters(&fixes, &rules, &Limits::within(0.0)).expect("valid fixes").skipped;
    assert_eq!(skipped(rules), Skipped { too_fast: 1, conflicting: 1, ..Skipped::default() });
    assert_eq!(skipped(PLANE), Skipped { conflicting: 2, ..Skipped::default() });
}

#[test]
fn a_search_stops_when_it_may_not_go_on() {
    // A hundred tracks that all stay on one spot: 4,950 pairs in one slab.
    let track: Vec<u32> = (0..200).map(|fix| fix / 2).collect();
    let time: Vec<f64> = (0..200).map(|fix| f64::from(fix % 2)).collect();
    let place = vec![0.0; 200];
    let fixes = Fixes { track: &track, time: &time, x: &place, y: &place, z: None };
    let tracks = Tracks::new(&fixes, &PLANE).expect("valid fixes");
    let (limits, mut looks) = (Limits::within(1.0), 0);
    let all = tracks.encounters_while(&limits, || {
        looks += 1;
        true
    });
    assert_eq!(all, tracks.encounters(&limits));
    assert!(looks > 4950 / 100, "{looks}");
    for most in [0, 1, 20, looks - 1] {
        let mut left = most;
        let stopped = tracks.encounters_while(&limits, || {
            left -= 1;
            left >= 0
        });
        assert!(stopped.is_err_and(|error| error.is_stopped()), "after {most} looks");
    }
}

/// A search looks whether it may go on once a slab, and once for some pairs: slabs are as many as without the fix that
/// is years too early or far away, and no more boxes overlap.
#[test]
fn a_wrong_fix_far_away_makes_no_other_slab_longer_and_no_box_larger() {
    let looks = |wrong: [Option<f64>; 2]| {
        let rows = (0..40).flat_map(|track| (0..100).map(move |fix| (track, f64::from(fix) * 10.0)));
        let (track, mut time): (Vec<u32>, Vec<f64>) = rows.unzip();
        let x: Vec<f64> = time.iter().map(|time| time * 7.0).collect();
        let mut y: Vec<f64> = track.iter().map(|track| f64::from(*track) * 1000.0).collect();
        time[0] = wrong[0].unwrap_or(time[0]);
        y[0] = wrong[1].unwrap_or(y[0]);
        let fixes = Fixes { track: &track, time: &time, x: &x, y: &y, z: None };
        looks_of(&fixes, 100.0)
    };
    let usual = looks([None; 2]);
    assert!(usual > 30, "{usual}");
    for wrong in [[Some(-1.7e9), None], [Some(1e15), None], [None, Some(-1e12)], [None, Some(-1e15)]] {
        let found = looks(wrong);
        assert!((usual - 5..usual + 10).contains(&found), "{found}, and {usual} without {wrong:?}");
    }
}

/// How often a search that finds nothing asks whether it may go on: about once per slab, or more if many pairs are near.
fn looks_of(fixes: &Fixes<'_>, within: f64) -> u32 {
    let (tracks, mut looks) = (Tracks::new(fixes, &PLANE).expect("valid fixes"), 0);
    let found = tracks.encounters_while(&Limits::within(within), || {
        looks += 1;
        true
    });
    assert_eq!(found.expect("valid limits").encounters, []);
    looks
}

/// Two tracks with many fixes are not cut into a slab for each of these, however slowly they move.
#[test]
fn few_tracks_have_fewer_slabs_than_fixes() {
    let rows = (0..2).flat_map(|track| (0..1000).map(move |fix| (track, f64::from(fix) * 10.0)));
    let (track, time): (Vec<u32>, Vec<f64>) = rows.unzip();
    let y: Vec<f64> = track.iter().map(|track| f64::from(*track) * 20.0).collect();
    let fixes = Fixes { track: &track, time: &time, x: &time, y: &y, z: None };
    let looks = looks_of(&fixes, 5.0);
    assert!(looks < 100, "{looks}");
}
