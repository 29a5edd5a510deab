//! The oracle, written from the definitions alone and as plainly as can be: quadratic, and for the plane only.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use quadrille_tracks::{Encounter, Fixes, Found, Limits, Rules};

/// Fixes as columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) track: Vec<u32>,
    pub(crate) time: Vec<f64>,
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) z: Vec<f64>,
}

impl Columns {
    pub(crate) fn push(&mut self, track: u32, time: f64, [x, y, z]: [f64; 3]) {
        self.track.push(track);
        self.time.push(time);
        self.x.push(x);
        self.y.push(y);
        self.z.push(z);
    }

    pub(crate) fn as_fixes(&self) -> Fixes<'_> {
        Fixes { track: &self.track, time: &self.time, x: &self.x, y: &self.y, z: Some(&self.z) }
    }

    fn rows(&self) -> impl DoubleEndedIterator<Item = (u32, f64, [f64; 3])> {
        (0..self.track.len()).map(|row| (self.track[row], self.time[row], [self.x[row], self.y[row], self.z[row]]))
    }

    /// The fixes of some tracks, and those of the others.
    pub(crate) fn split(&self, first: impl Fn(u32) -> bool) -> [Self; 2] {
        let mut sets = [Self::default(), Self::default()];
        for (track, time, place) in self.rows() {
            sets[usize::from(!first(track))].push(track, time, place);
        }
        sets
    }

    /// In the order of time, those of equal times in the order they came in.
    pub(crate) fn by_time(&self) -> Self {
        let mut rows: Vec<_> = self.rows().collect();
        rows.sort_by(|a, b| a.1.total_cmp(&b.1));
        Self::of(rows)
    }

    pub(crate) fn reversed(&self) -> Self {
        Self::of(self.rows().rev())
    }

    fn of(rows: impl IntoIterator<Item = (u32, f64, [f64; 3])>) -> Self {
        rows.into_iter().fold(Self::default(), |mut columns, (track, time, place)| {
            columns.push(track, time, place);
            columns
        })
    }
}

type Stop = (f64, [f64; 3]);

/// Whether these are the encounters by brute force: what is within slightly smaller limits is found, and what is found is
/// within slightly greater ones. So each begins and ends at the right times, wherever the question has one answer; a
/// distance that is equal to the limit on paper may be found to be within or beyond.
pub(crate) fn are_by_brute_force(
    found: &Found,
    fixes: &Columns,
    rules: &Rules,
    limits: &Limits,
) -> Result<(), TestCaseError> {
    let found = &found.encounters;
    let [sure, possible] = [-DOUBT, DOUBT].map(|doubt| brute_force(fixes, rules, &grown(limits, doubt)));
    for met in found {
        let apart =
            |other: &Encounter| (other.a, other.b) != (met.a, met.b) || other.end < met.start || met.end < other.start;
        prop_assert_eq!(found.iter().filter(|other| !apart(other)).count(), 1, "{:?} is found twice", met);
        prop_assert!(possible.iter().any(|other| holds(other, met)), "{:?} is none of {:?}", met, possible);
    }
    for met in &sure {
        prop_assert!(found.iter().any(|other| holds(other, met)), "{:?} is not found, but {:?}", met, found);
    }
    Ok(())
}

/// More than all roundings of numbers as small as those here, and less than anybody would miss.
const DOUBT: f64 = 1e-9;

fn grown(limits: &Limits, by: f64) -> Limits {
    Limits {
        within: limits.within + by,
        vertical: limits.vertical.map(|vertical| vertical + by),
        lasting: limits.lasting - by,
        gap: limits.gap + by,
    }
}

/// Whether one encounter is the other, or more of it.
fn holds(whole: &Encounter, part: &Encounter) -> bool {
    (whole.a, whole.b) == (part.a, part.b)
        && whole.start <= part.start + DOUBT
        && part.end <= whole.end + DOUBT
        && whole.closest_distance <= part.closest_distance + DOUBT
}

/// All encounters, by brute force. Limits may be negative: then nothing is within.
fn brute_force(fixes: &Columns, rules: &Rules, limits: &Limits) -> Vec<Encounter> {
    let tracks = tracks(fixes, rules);
    let mut found = Vec::new();
    for (a, first) in &tracks {
        for (b, second) in tracks.range(a + 1..) {
            let mut approaches: Vec<_> =
                first.iter().flat_map(|run| second.iter().flat_map(|other| meet(run, other, limits))).collect();
            approaches.sort_by(|one, other| one.start.total_cmp(&other.start));
            let mut joined: Vec<Encounter> = Vec::new();
            for next in approaches {
                match joined.last_mut() {
                    Some(last) if next.start - last.end <= limits.gap => {
                        last.end = last.end.max(next.end);
                        last.closest_distance = last.closest_distance.min(next.closest_distance);
                    }
                    _ => joined.push(Encounter { a: *a, b: *b, ..next }),
                }
            }
            found.extend(joined.into_iter().filter(|met| met.duration() >= limits.lasting));
        }
    }
    found
}

/// Each track's stretches without a break.
fn tracks(fixes: &Columns, rules: &Rules) -> BTreeMap<u32, Vec<Vec<Stop>>> {
    let mut tracks: BTreeMap<u32, Vec<Vec<Stop>>> = BTreeMap::new();
    for (track, time, place) in fixes.by_time().rows() {
        let runs = tracks.entry(track).or_default();
        let Some((before, from)) = runs.last().and_then(|run| run.last().copied()) else {
            runs.push(vec![(time, place)]);
            continue;
        };
        let far = (place[0] - from[0]).hypot(place[1] - from[1]);
        if time == before {
        } else if rules.max_gap.is_some_and(|longest| time - before > longest) {
            runs.push(vec![(time, place)]);
        } else if rules.max_speed.is_none_or(|fastest| far <= fastest * (time - before)) {
            runs.last_mut().expect("it has begun").push((time, place));
        }
    }
    tracks
}

fn at(run: &[Stop], time: f64) -> [f64; 3] {
    if let Some(stop) = run.iter().find(|stop| stop.0 == time) {
        return stop.1;
    }
    let piece = run.windows(2).find(|ends| ends[0].0 < time && time < ends[1].0).expect("the run lasts then");
    let share = (time - piece[0].0) / (piece[1].0 - piece[0].0);
    [0, 1, 2].map(|axis| piece[0].1[axis] + share * (piece[1].1[axis] - piece[0].1[axis]))
}

/// When two runs are within the limits, for each stretch of time without a fix of either.
fn meet(a: &[Stop], b: &[Stop], limits: &Limits) -> Vec<Encounter> {
    let [begin, end] = [a[0].0.max(b[0].0), a[a.len() - 1].0.min(b[b.len() - 1].0)];
    if begin > end {
        return Vec::new();
    }
    let inner = a.iter().chain(b).map(|stop| stop.0).filter(|time| begin < *time && *time < end);
    let times: BTreeSet<_> = [begin, end].into_iter().chain(inner).map(f64::to_bits).collect();
    let mut times: Vec<_> = times.into_iter().map(f64::from_bits).collect();
    times.sort_by(f64::total_cmp);
    if times.len() == 1 {
        times.push(begin);
    }
    let apart = |time: f64| {
        let [a, b] = [at(a, time), at(b, time)];
        [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
    };
    times.windows(2).filter_map(|ends| approach(ends, apart(ends[0]), apart(ends[1]), limits)).collect()
}

/// When a point that goes straight from `r0` to `r1` is within a circle around the origin, and a height within its limit:
/// so far before and after the foot of the perpendicular as Pythagoras says.
fn approach(times: &[f64], r0: [f64; 3], r1: [f64; 3], limits: &Limits) -> Option<Encounter> {
    let w: [f64; 3] = std::array::from_fn(|axis| r1[axis] - r0[axis]);
    let length = w[0].hypot(w[1]);
    let stands = length < 1e-12;
    let foot = if stands { 0.0 } else { -(r0[0] * w[0] + r0[1] * w[1]) / (length * length) };
    let nearest = (r0[0] + foot * w[0]).hypot(r0[1] + foot * w[1]);
    if nearest > limits.within {
        return None;
    }
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    if !stands {
        let half = (limits.within * limits.within - nearest * nearest).sqrt() / length;
        from = from.max(foot - half);
        to = to.min(foot + half);
    }
    if let Some(vertical) = limits.vertical {
        if w[2].abs() > 1e-12 {
            let [low, high] = [(-vertical - r0[2]) / w[2], (vertical - r0[2]) / w[2]];
            from = from.max(low.min(high));
            to = to.min(low.max(high));
        } else if r0[2].abs() > vertical {
            return None;
        }
    }
    if from > to || limits.vertical.is_some_and(|vertical| vertical < 0.0) {
        return None;
    }
    let share = foot.clamp(from, to);
    let time = |share: f64| times[0] + share * (times[1] - times[0]);
    let r: [f64; 3] = std::array::from_fn(|axis| r0[axis] + share * w[axis]);
    Some(Encounter {
        a: 0,
        b: 0,
        start: time(from),
        end: time(to),
        closest_time: time(share),
        closest_distance: r[0].hypot(r[1]),
        closest_vertical: limits.vertical.map(|_| r[2].abs()),
    })
}
