//! Tracks as points in space and time, in the ground's own coordinates.

use std::marker::PhantomData;

use crate::approach::{Apart, at};
use crate::error::Error;
use crate::fixes::{Fixes, Groups, Row};
use crate::ground::{Ground, squared};
use crate::memory::{push, with_room};
use crate::rules::{Rules, Skipped, Stop, Verdict};

/// Tracks: their runs, and the points of all runs in one list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Motion<G, const D: usize> {
    ground: PhantomData<G>,
    /// The caller's numbers, by the number of a track here: ascending within each set.
    pub(crate) names: Vec<u32>,
    /// With two sets: the number of tracks in the first.
    pub(crate) first_set: Option<u32>,
    /// By track, and by time within it.
    pub(crate) runs: Vec<Run>,
    pub(crate) times: Vec<f64>,
    pub(crate) positions: Vec<[f64; D]>,
    /// Empty if heights do not matter.
    pub(crate) heights: Vec<f64>,
    pub(crate) fixes: usize,
    pub(crate) skipped: Skipped,
    /// The longest time between two fixes of a run.
    pub(crate) longest_gap: f64,
}

/// A track from a fix to another without a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) track: u32,
    /// Its first point.
    pub(crate) first: u32,
    /// Its last point; the first one if it is alone.
    pub(crate) last: u32,
}

/// Points added to divide long segments: at most this many per fix, and in all.
const MAX_PIECES: [f64; 2] = [16.0, 1e7];

const POINTS: &str = "points of tracks";

impl<G: Ground<D>, const D: usize> Motion<G, D> {
    /// Makes tracks of one set of fixes, or of two. O(n log n) at most; O(n) if each track's fixes are in order of
    /// time.
    ///
    /// # Errors
    /// Returns an error if a fix cannot be used, or the distances between fixes are too long.
    pub(crate) fn new(sets: &[Fixes<'_>], rules: &Rules) -> Result<Self, Error> {
        let fixes = sets.iter().map(|fixes| fixes.track.len()).sum();
        let (times, positions) = (with_room(fixes, POINTS)?, with_room(fixes, POINTS)?);
        let mut motion = Self { times, positions, fixes, ..Self::default() };
        for (set, fixes) in sets.iter().enumerate() {
            if set == 1 {
                motion.first_set = Some(motion.tracks());
            }
            motion.add(fixes, rules)?;
        }
        Ok(motion)
    }

    /// Whether to find encounters of these two tracks.
    pub(crate) fn may_meet(&self, [a, b]: [u32; 2]) -> bool {
        a != b && self.first_set.is_none_or(|first_set| (a < first_set) != (b < first_set))
    }

    pub(crate) fn tracks(&self) -> u32 {
        u32::try_from(self.names.len()).expect("there are no more tracks than fixes")
    }

    /// Straight pieces between fixes.
    pub(crate) fn pieces(&self) -> usize {
        self.times.len() - self.runs.len()
    }

    fn add(&mut self, fixes: &Fixes<'_>, rules: &Rules) -> Result<(), Error> {
        fixes.check(rules.units)?;
        let groups = Groups::new(fixes)?;
        for (name, rows) in groups.iter() {
            let track = self.tracks();
            self.names.push(name);
            let mut last = None;
            for &Row { time, x, y, z } in rows {
                let stop = Stop { time, position: G::position(x, y), height: z };
                match rules.judge::<G, D>(last.as_ref(), &stop, &mut self.skipped) {
                    Verdict::Skipped => continue,
                    Verdict::Begins => self.begin(track, &stop, fixes.z.is_some())?,
                    Verdict::GoesOn => self.go_on(&stop, fixes.z.is_some())?,
                }
                last = Some(stop);
            }
        }
        Ok(())
    }

    fn begin(&mut self, track: u32, stop: &Stop<D>, with_heights: bool) -> Result<(), Error> {
        let first = self.push(stop, with_heights)?;
        self.runs.push(Run { track, first, last: first });
        Ok(())
    }

    fn go_on(&mut self, stop: &Stop<D>, with_heights: bool) -> Result<(), Error> {
        let from = self.point(self.times.len() - 1);
        let [by_fix, in_all] = MAX_PIECES;
        let most = by_fix * self.fixes as f64 + in_all;
        if G::pieces(&from.position, &stop.position) + self.times.len() as f64 > most {
            return Err(Error::new(format!(
                "the ways between fixes are so long that they need more than {most} pieces; a maximum speed or gap removes \
                 impossible ones"
            )));
        }
        self.longest_gap = self.longest_gap.max(stop.time - from.time);
        for point in legs::<G, D>(&from, stop) {
            let last = self.push(&point, with_heights)?;
            self.runs.last_mut().expect("it has begun").last = last;
        }
        Ok(())
    }

    fn push(&mut self, stop: &Stop<D>, with_heights: bool) -> Result<u32, Error> {
        let point = u32::try_from(self.times.len()).map_err(|_| Error::too_many(self.times.len()))?;
        push(&mut self.times, stop.time, POINTS)?;
        push(&mut self.positions, stop.position, POINTS)?;
        if with_heights {
            push(&mut self.heights, stop.height, POINTS)?;
        }
        Ok(point)
    }

    fn point(&self, point: usize) -> Stop<D> {
        let height = self.heights.get(point).copied().unwrap_or(0.0);
        Stop { time: self.times[point], position: self.positions[point], height }
    }

    pub(crate) fn time(&self, point: u32) -> f64 {
        self.times[point as usize]
    }

    /// The piece of a run that begins with a point; an instant behind the last.
    #[inline]
    pub(crate) fn piece(&self, run: &Run, point: u32) -> Piece<D> {
        let to = (point + 1).min(run.last);
        Piece { from: self.point(point as usize), to: self.point(to as usize) }
    }

    /// The greatest absolute value of a coordinate.
    pub(crate) fn farthest(&self) -> f64 {
        self.positions.iter().flatten().fold(0.0, |farthest: f64, part| farthest.max(part.abs()))
    }

    /// The longest piece's length.
    pub(crate) fn longest(&self) -> f64 {
        let ways = self.runs.iter().flat_map(|run| self.positions[run.first as usize..=run.last as usize].windows(2));
        let squares = ways.map(|ends| squared(&std::array::from_fn::<_, D, _>(|axis| ends[1][axis] - ends[0][axis])));
        squares.fold(0.0, f64::max).sqrt()
    }

    /// The first and the last time of all tracks.
    pub(crate) fn span(&self) -> [f64; 2] {
        let first = self.runs.iter().map(|run| self.time(run.first)).fold(f64::INFINITY, f64::min);
        let last = self.runs.iter().map(|run| self.time(run.last)).fold(f64::NEG_INFINITY, f64::max);
        [first, last]
    }
}

/// A straight piece of a track.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<const D: usize> {
    pub(crate) from: Stop<D>,
    pub(crate) to: Stop<D>,
}

impl<const D: usize> Piece<D> {
    /// Where the track is at a time of this piece. Its ends are exact, so pieces join bit by bit.
    #[inline]
    pub(crate) fn at(&self, time: f64) -> Stop<D> {
        if time <= self.from.time {
            return self.from;
        }
        if time >= self.to.time {
            return self.to;
        }
        let share = (time - self.from.time) / (self.to.time - self.from.time);
        let position = std::array::from_fn(|axis| at(self.from.position[axis], self.to.position[axis], share));
        Stop { time, position, height: at(self.from.height, self.to.height, share) }
    }
}

/// The offset from the track on the second piece to the one on the first, at a time in both pieces.
#[inline]
pub(crate) fn apart<G: Ground<D>, const D: usize>(a: &Piece<D>, b: &Piece<D>, time: f64) -> Apart<D> {
    let [a, b] = [a.at(time), b.at(time)];
    let offset = std::array::from_fn(|axis| a.position[axis] - b.position[axis]);
    let up = G::up(&a.position, &b.position);
    Apart { time, offset, up, squared: squared(&G::level(&offset, &up)), height: a.height - b.height }
}

/// The points from one stop to the next, without the first: more than one if the segment is long.
pub(crate) fn legs<G: Ground<D>, const D: usize>(from: &Stop<D>, to: &Stop<D>) -> impl Iterator<Item = Stop<D>> {
    let pieces = G::pieces(&from.position, &to.position);
    // Casts: a few thousand at most.
    let inner = (1..pieces as u32).map(f64::from).map(move |piece| {
        let share = piece / pieces;
        Stop {
            time: at(from.time, to.time, share),
            position: G::between(&from.position, &to.position, share),
            height: at(from.height, to.height, share),
        }
    });
    // Each point has a time of its own: between fixes whose times are adjacent numbers there are none.
    let mut before = from.time;
    let inner = inner.filter(move |stop| stop.time < to.time && std::mem::replace(&mut before, stop.time) < stop.time);
    inner.chain(std::iter::once(*to))
}
