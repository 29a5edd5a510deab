//! Every answer against brute force: all pairs of tracks, all times at which either has a fix, a perpendicular and
//! Pythagoras.

use crate::oracle::{Columns, are_by_brute_force};
use proptest::prelude::*;
use quadrille_tracks::{Limits, Rules, Tracks, Units, encounters};

/// A track's number and its fixes: times in quarters, positions on a lattice of halves, so that times and positions coincide
/// often.
fn lattice_fixes(tracks: u32, most: usize) -> impl Strategy<Value = Columns> {
    let fix = (0..tracks, 0..80_i32, -12..12_i32, -12..12_i32, -3..4_i32);
    prop::collection::vec(fix, 0..most).prop_map(|fixes| {
        fixes.into_iter().fold(Columns::default(), |mut columns, (track, time, x, y, z)| {
            let [time, x, y, z] = [time, x, y, z].map(f64::from);
            columns.push(track, time / 4.0, [x / 2.0, y / 2.0, z * 50.0]);
            columns
        })
    })
}

/// Tracks that go on in any direction, with numbers that are not round.
fn smooth_fixes(tracks: u32) -> impl Strategy<Value = Columns> {
    let track = (
        0.0..50.0_f64,
        -20.0..20.0_f64,
        -20.0..20.0_f64,
        prop::collection::vec((0.1..9.0_f64, -2.0..2.0_f64, -2.0..2.0_f64, -30.0..30.0_f64), 0..20),
    );
    prop::collection::vec(track, 0..tracks as usize).prop_map(|tracks| {
        let mut columns = Columns::default();
        for (name, (begin, x, y, steps)) in (0..).zip(tracks) {
            let (mut time, mut place) = (begin, [x, y, 100.0]);
            columns.push(name, time, place);
            for (took, vx, vy, vz) in steps {
                time += took;
                place = [place[0] + vx * took, place[1] + vy * took, place[2] + vz];
                columns.push(name, time, place);
            }
        }
        columns
    })
}

fn limits() -> impl Strategy<Value = Limits> {
    let vertical = prop_oneof![Just(None), (0..5_i32).prop_map(|limit| Some(f64::from(limit) * 25.0))];
    (0..12_i32, vertical, 0..8_i32, 0..8_i32).prop_map(|(within, vertical, lasting, gap)| Limits {
        within: f64::from(within) / 4.0,
        vertical,
        lasting: f64::from(lasting) / 8.0,
        gap: f64::from(gap) / 8.0,
    })
}

fn rules() -> impl Strategy<Value = Rules> {
    let max_gap = prop_oneof![Just(None), (1..20_i32).prop_map(|gap| Some(f64::from(gap)))];
    let max_speed = prop_oneof![Just(None), (1..20_i32).prop_map(|speed| Some(f64::from(speed)))];
    (max_gap, max_speed).prop_map(|(max_gap, max_speed)| Rules { units: Units::Plane, max_gap, max_speed })
}

/// The two are `within` of each other for an instant, no more, soon after they have been nearer.
#[test]
fn an_instant_at_the_limit_may_prolong_an_encounter() {
    let mut fixes = Columns::default();
    for (track, time, x, y) in
        [(3, 13.25, 1.5, 0.0), (3, 12.25, 2.5, -3.5), (1, 16.0, -4.0, -5.0), (1, 6.5, 5.5, 0.0), (3, 0.0, 0.0, 0.0)]
    {
        fixes.push(track, time, [x, y, 0.0]);
    }
    let limits = Limits { within: 2.75, vertical: None, lasting: 0.0, gap: 0.25 };
    let rules = Rules::new(Units::Plane);
    let found = encounters(&fixes.as_fixes(), &rules, &limits).unwrap();
    are_by_brute_force(&found, &fixes, &rules, &limits).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn encounters_on_a_lattice_are_those_of_brute_force(fixes in lattice_fixes(6, 60), limits in limits(), rules in rules()) {
        prop_assume!(rules.max_gap.is_none_or(|max_gap| limits.gap <= max_gap));
        let found = encounters(&fixes.as_fixes(), &rules, &limits).unwrap();
        are_by_brute_force(&found, &fixes, &rules, &limits)?;
    }

    #[test]
    fn encounters_of_smooth_tracks_are_those_of_brute_force(fixes in smooth_fixes(8), limits in limits(), rules in rules()) {
        prop_assume!(rules.max_gap.is_none_or(|max_gap| limits.gap <= max_gap));
        let found = encounters(&fixes.as_fixes(), &rules, &limits).unwrap();
        are_by_brute_force(&found, &fixes, &rules, &limits)?;
    }

    #[test]
    fn two_sets_meet_as_the_halves_of_one(fixes in lattice_fixes(8, 60), limits in limits(), rules in rules()) {
        prop_assume!(rules.max_gap.is_none_or(|max_gap| limits.gap <= max_gap));
        let [first, second] = fixes.split(|track| track < 4);
        let tracks = Tracks::of_two(&first.as_fixes(), &second.as_fixes(), &rules).unwrap();
        let found = tracks.encounters(&limits).unwrap();
        let all = encounters(&fixes.as_fixes(), &rules, &limits).unwrap();
        let across: Vec<_> = all.encounters.into_iter().filter(|met| met.a < 4 && met.b >= 4).collect();
        prop_assert_eq!(found.encounters, across);
    }

    #[test]
    fn the_order_in_which_fixes_come_does_not_matter(fixes in smooth_fixes(6), limits in limits()) {
        let rules = Rules::new(Units::Plane);
        let tracks = Tracks::new(&fixes.as_fixes(), &rules).unwrap();
        let reversed = Tracks::new(&fixes.reversed().as_fixes(), &rules).unwrap();
        prop_assert_eq!(tracks.encounters(&limits).unwrap(), reversed.encounters(&limits).unwrap());
    }
}
