//! One fix after the other gives the answers of all at once, bit by bit.

use std::collections::BTreeSet;

use crate::oracle::Columns;
use proptest::prelude::*;
use quadrille_tracks::{Encounter, Event, Fix, Limits, Rules, Stream, Units, encounters};

/// Feeds fixes in order of time; returns what has ended, and checks that each encounter begins once, before it ends.
fn streamed(fixes: &Columns, rules: &Rules, limits: &Limits) -> (Vec<Encounter>, usize) {
    let mut stream = Stream::new(rules, limits).expect("valid options");
    let fixes = fixes.by_time();
    let (mut found, mut ongoing) = (Vec::new(), BTreeSet::new());
    for row in 0..fixes.track.len() {
        let [x, y, z] = [fixes.x[row], fixes.y[row], fixes.z[row]];
        let fix = Fix { track: fixes.track[row], time: fixes.time[row], x, y, z };
        for event in stream.push(&fix).expect("in order") {
            match event {
                Event::Began { a, b, start } => assert!(ongoing.insert((*a, *b, start.to_bits()))),
                Event::Ended(met) => {
                    assert!(ongoing.remove(&(met.a, met.b, met.start.to_bits())));
                    found.push(*met);
                }
            }
        }
        let seen: BTreeSet<_> = stream.ongoing().iter().map(|met| (met.a, met.b, met.start.to_bits())).collect();
        assert_eq!(seen, ongoing);
    }
    let skipped = stream.skipped().total();
    found.extend(stream.finish());
    found.sort_by(|one, other| one.start.total_cmp(&other.start).then((one.a, one.b).cmp(&(other.a, other.b))));
    (found, skipped)
}

fn fixes(tracks: u32, most: usize, spread: f64) -> impl Strategy<Value = Columns> {
    let fix = (0..tracks, 0..60_i32, -10..11_i32, -10..11_i32, -2..3_i32);
    let shift = prop_oneof![Just([0.0, 0.0]), Just([180.0, 0.0]), Just([12.0, 89.9]), Just([45.0, 35.26])];
    (prop::collection::vec(fix, 0..most), shift).prop_map(move |(fixes, [east, north])| {
        fixes.into_iter().fold(Columns::default(), |mut columns, (track, time, x, y, z)| {
            let [time, x, y, z] = [time, x, y, z].map(f64::from);
            columns.push(track, time, [east + x * spread, (north + y * spread).min(90.0), z * 50.0]);
            columns
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stream_finds_what_all_at_once_finds(
        fixes in fixes(6, 60, 0.5),
        [within, lasting, gap, vertical] in [0..8_i32, 0..5, 0..5, 0..4],
        max_gap in prop_oneof![Just(None), (4..20_i32).prop_map(|gap| Some(f64::from(gap)))],
        max_speed in prop_oneof![Just(None), (1..9_i32).prop_map(|speed| Some(f64::from(speed)))],
    ) {
        let rules = Rules { units: Units::Plane, max_gap, max_speed };
        let [within, lasting, gap, vertical] = [within, lasting, gap, vertical].map(f64::from);
        let limits = Limits { within, lasting, gap, vertical: Some(vertical * 50.0) };
        let expected = encounters(&fixes.as_fixes(), &rules, &limits).unwrap();
        prop_assert_eq!(streamed(&fixes, &rules, &limits), (expected.encounters, expected.skipped.total()));
    }

    #[test]
    fn a_stream_of_degrees_finds_what_all_at_once_finds(
        fixes in fixes(6, 40, 0.01),
        within in 0..3000_i32,
        max_gap in prop_oneof![Just(None), (4..20_i32).prop_map(|gap| Some(f64::from(gap)))],
    ) {
        let rules = Rules { units: Units::Degrees, max_gap, max_speed: None };
        let limits = Limits { gap: 2.0, ..Limits::within(f64::from(within)) };
        let expected = encounters(&fixes.as_fixes(), &rules, &limits).unwrap();
        prop_assert_eq!(streamed(&fixes, &rules, &limits).0, expected.encounters);
    }
}

#[test]
fn a_fix_from_the_past_is_refused_and_changes_nothing() {
    let mut stream = Stream::new(&Rules::new(Units::Plane), &Limits::within(1.0)).unwrap();
    let fix = |track, time, x| Fix { track, time, x, y: 0.0, z: 0.0 };
    stream.push(&fix(1, 5.0, 0.0)).unwrap();
    let error = stream.push(&fix(2, 4.0, 0.0)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "fix 1: its time is 4, before that of the fix before it, 5; a stream is in order of time"
    );
    assert_eq!(error.position(), Some(1));
    assert_eq!(stream.push(&fix(2, 5.0, 0.5)).unwrap().len(), 1);
}

/// A ship that is 50 kilometers farther after three steps of its clock, past buoys on its way: long ways have more points
/// than there are times.
#[test]
fn a_way_of_many_pieces_and_few_times_has_no_holes() {
    let (begin, end) = (1.7e9, 1.7e9 + 7e-7);
    let mut fixes = Columns::default();
    for (track, first, last) in (1..=10).map(|buoy| (buoy, buoy, buoy)).chain([(0, 0, 10)]) {
        for (time, at) in [(begin, first), (end, last)] {
            fixes.push(track, time, [8.0, 47.0 + f64::from(at) * 0.045, 0.0]);
        }
    }
    let (rules, limits) = (Rules::new(Units::Degrees), Limits::within(100.0));
    let found = encounters(&fixes.as_fixes(), &rules, &limits).unwrap().encounters;
    assert_eq!(found.iter().map(|met| met.b).collect::<BTreeSet<_>>(), (1..=10).collect());
    assert_eq!(streamed(&fixes, &rules, &limits).0, found);
}

/// A track that is over before others begin, with fixes that are so near each other that slabs of time are short from then
/// on, and end at the next fix of any track. So is the middle one of all points, near which boxes are rounded least.
fn short_slabs(until: f64) -> Columns {
    let mut fixes = Columns::default();
    (0..200).for_each(|number| fixes.push(3, until - 2.0 + f64::from(number) / 256.0, [0.0, 50.0, 0.0]));
    fixes
}

/// A track comes from far away and passes one that waits at about the time of a fix of a third: just after it where numbers
/// say where it is, just before it where they say when, or the other way round.
#[test]
fn a_meeting_is_not_lost_between_a_time_and_a_place() {
    let cases = (4..12).flat_map(|count| (1..count - 1).flat_map(move |fix| (1..40).map(move |k| (count, fix, k))));
    for (count, fix, k) in cases {
        let (speed, mut fixes) = (1e7 * f64::from(k).sqrt(), short_slabs(0.0));
        let time = |number: i32| f64::from(number) * 8.0;
        (0..count).for_each(|number| fixes.push(4, time(number), [0.0, 50.0, 0.0]));
        for number in [0, count - 1] {
            fixes.push(1, time(number), [speed * f64::from(number - fix), 0.0, 0.0]);
            fixes.push(2, time(number), [0.0; 3]);
        }
        let found = encounters(&fixes.as_fixes(), &Rules::new(Units::Plane), &Limits::within(0.0)).unwrap().encounters;
        assert_eq!(found.len(), 1, "{speed} at fix {fix} of {count}");
    }
}

/// What begins less than half a step of time before a fix begins at that fix, as far as numbers can tell.
#[test]
fn a_meeting_just_before_a_fix_is_not_lost() {
    let cases =
        (4..12).flat_map(|count| (1..count - 1).flat_map(move |fix| (0..12).map(move |early| (count, fix, early))));
    for (count, fix, early) in cases {
        let early = f64::from(early) * 1e-8;
        let mut fixes = short_slabs(1.7e9 - f64::from(fix) * 10.0);
        for number in 0..count {
            let time = 1.7e9 + f64::from(number - fix) * 10.0;
            let at = if number < fix { f64::from(number - fix) * 10.0 } else { early + f64::from(number - fix) };
            fixes.push(1, time, [0.0; 3]);
            fixes.push(2, time, [at, 0.0, 0.0]);
        }
        let (rules, limits) = (Rules::new(Units::Plane), Limits::within(0.0));
        let found = encounters(&fixes.as_fixes(), &rules, &limits).unwrap().encounters;
        assert_eq!(
            (found.len(), &streamed(&fixes, &rules, &limits).0),
            (1, &found),
            "{early} before fix {fix} of {count}"
        );
    }
}
