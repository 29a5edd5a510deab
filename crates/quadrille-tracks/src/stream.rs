//! Fixes one at a time: encounters that begin, continue and end.

use std::collections::{HashMap, VecDeque};

use crate::approach::{Approach, Reach};
use crate::encounter::Encounter;
use crate::error::Error;
use crate::fixes::Fix;
use crate::ground::{Globe, Ground, On, Plane, on_ground};
use crate::limits::Limits;
use crate::meetings::Meeting;
use crate::motion::{Piece, apart, legs};
use crate::recent::{Recent, Shadow};
use crate::rules::{Rules, Skipped, Stop, Units, Verdict};

/// Finds encounters in fixes that arrive in order of time, as from a receiver: the same encounters as
/// [`Tracks`](crate::Tracks), bit for bit.
///
/// What a track does between two fixes is known only with the second, so an encounter is reported when the later of the
/// two tracks has sent its next fix.
///
/// - **Cost:** each fix is one query to a quadtree of recent pieces, and one insertion.
/// - **Memory:** pieces are kept until every live track has sent a later fix. A track lives for [`Rules::max_gap`]
///   after its last fix. Without that rule, a track that falls silent keeps everything after it in memory.
///
/// ```
/// use quadrille_tracks::{Event, Fix, Limits, Rules, Stream, Units};
///
/// let mut stream = Stream::new(&Rules::new(Units::Plane), &Limits::within(5.0))?;
/// let fix = |track, time, x| Fix { track, time, x, y: 0.0, z: 0.0 };
/// assert_eq!(stream.push(&fix(1, 0.0, 0.0))?, []);
/// assert_eq!(stream.push(&fix(2, 0.0, 20.0))?, []);
/// assert_eq!(stream.push(&fix(1, 10.0, 0.0))?, []);
/// assert_eq!(stream.push(&fix(2, 10.0, 0.0))?, [Event::Began { a: 1, b: 2, start: 7.5 }]);
/// assert_eq!(stream.ongoing()[0].closest_distance, 0.0);
/// let ended = stream.finish();
/// assert_eq!((ended[0].start, ended[0].end), (7.5, 10.0));
/// # Ok::<(), quadrille_tracks::Error>(())
/// ```
#[derive(Debug)]
pub struct Stream(On<Box<Live<Plane, 2>>, Box<Live<Globe, 3>>>);

/// What a fix has revealed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// An encounter has begun, and has lasted long enough to count.
    Began {
        /// The track of the lower number.
        a: u32,
        /// The other track.
        b: u32,
        /// When it began.
        start: f64,
    },
    /// An encounter is over: no later fix can prolong it.
    Ended(Encounter),
}

impl Stream {
    /// A stream without fixes.
    ///
    /// # Errors
    /// Returns an error if a rule or a limit cannot be used. The message names its value.
    pub fn new(rules: &Rules, limits: &Limits) -> Result<Self, Error> {
        rules.check()?;
        limits.check(rules)?;
        Ok(Self(match rules.units {
            Units::Plane => On::Plane(Box::new(Live::new(rules, limits))),
            Units::Degrees => On::Globe(Box::new(Live::new(rules, limits))),
        }))
    }

    /// Takes the next fix and returns what it reveals.
    ///
    /// # Errors
    /// Returns an error if the fix is earlier than the last one, or one of its numbers cannot be used. The message names it.
    /// Nothing has changed in that case.
    pub fn push(&mut self, fix: &Fix) -> Result<&[Event], Error> {
        on_ground!(&mut self.0, live => live.push(fix))
    }

    /// The known encounters that have begun and may continue, ordered by start.
    #[must_use]
    pub fn ongoing(&self) -> Vec<Encounter> {
        on_ground!(&self.0, live => live.ongoing())
    }

    /// Call this when there are no more fixes: ends all ongoing encounters and returns them, ordered by start.
    #[must_use]
    pub fn finish(self) -> Vec<Encounter> {
        self.ongoing()
    }

    /// The fixes so far that were skipped.
    #[must_use]
    pub fn skipped(&self) -> Skipped {
        on_ground!(&self.0, live => live.skipped)
    }
}

#[derive(Debug)]
struct Live<G, const D: usize> {
    rules: Rules,
    limits: Limits,
    reach: Reach,
    skipped: Skipped,
    /// How many fixes have come.
    fixes: usize,
    now: f64,
    /// The origin of the boxes: the first position.
    origin: Option<[f64; D]>,
    tracks: HashMap<u32, Track<D>>,
    /// Time and track of each accepted fix, in order of arrival. The first one that is still its track's last is the
    /// oldest of all.
    arrivals: VecDeque<(f64, u32)>,
    recent: Recent<G, D>,
    open: HashMap<[u32; 2], Open>,
    events: Vec<Event>,
}

/// A track that lives.
#[derive(Debug)]
struct Track<const D: usize> {
    last: Stop<D>,
    /// The tracks with which it has encounters, or had some that have ended.
    partners: Vec<u32>,
}

/// An encounter that may go on.
#[derive(Debug)]
struct Open {
    meeting: Meeting,
    /// Whether it has lasted long enough to be reported.
    has_begun: bool,
}

impl<G: Ground<D>, const D: usize> Live<G, D> {
    fn new(rules: &Rules, limits: &Limits) -> Self {
        Self {
            rules: *rules,
            limits: *limits,
            reach: Reach::new::<G, D>(limits),
            skipped: Skipped::default(),
            fixes: 0,
            now: f64::NEG_INFINITY,
            origin: None,
            tracks: HashMap::new(),
            arrivals: VecDeque::new(),
            recent: Recent::default(),
            open: HashMap::new(),
            events: Vec::new(),
        }
    }

    fn push(&mut self, fix: &Fix) -> Result<&[Event], Error> {
        fix.check(self.fixes, self.rules.units)?;
        if fix.time < self.now {
            let (time, now) = (fix.time, self.now);
            let told = format_args!(
                "its time is {time}, before that of the fix before it, {now}; a stream is in order of time"
            );
            return Err(Error::in_fix(self.fixes, told));
        }
        self.fixes += 1;
        self.now = fix.time;
        self.events.clear();
        self.forget();
        let stop = Stop { time: fix.time, position: G::position(fix.x, fix.y), height: fix.z };
        let last = self.tracks.get(&fix.track).map(|track| track.last);
        match self.rules.judge::<G, D>(last.as_ref(), &stop, &mut self.skipped) {
            Verdict::Skipped => return Ok(&self.events),
            Verdict::GoesOn => self.go_on(fix.track, &last.expect("it has begun"), &stop),
            Verdict::Begins => {
                self.origin.get_or_insert(stop.position);
                self.tracks.insert(fix.track, Track { last: stop, partners: Vec::new() });
                self.add(fix.track, Piece { from: stop, to: stop });
            }
        }
        self.arrivals.push_back((fix.time, fix.track));
        self.close(fix.track);
        Ok(&self.events)
    }

    fn go_on(&mut self, track: u32, last: &Stop<D>, stop: &Stop<D>) {
        let mut from = *last;
        for to in legs::<G, D>(last, stop) {
            self.add(track, Piece { from, to });
            from = to;
        }
        self.tracks.get_mut(&track).expect("it lives").last = *stop;
    }

    /// Ends tracks that have been silent for too long, and drops pieces that no later fix can meet.
    fn forget(&mut self) {
        while let Some(&(time, name)) = self.arrivals.front() {
            let is_last = self.tracks.get(&name).is_some_and(|track| track.last.time == time);
            let is_silent = self.rules.max_gap.is_some_and(|longest| self.now - time > longest);
            if is_last && !is_silent {
                break;
            }
            self.arrivals.pop_front();
            if is_last {
                // Its next fix is later than now, so the gap is too long to be bridged.
                self.end_all(name);
            }
        }
        let oldest = self.arrivals.front().map_or(self.now, |&(time, _)| time);
        self.recent.drop_before(oldest);
    }

    /// Ends a track and its encounters.
    fn end_all(&mut self, name: u32) {
        let Some(track) = self.tracks.remove(&name) else { return };
        for partner in track.partners {
            self.end(pair(name, partner));
        }
    }

    /// Finds the approaches of a new piece to the stored ones, and stores it.
    fn add(&mut self, name: u32, piece: Piece<D>) {
        let origin = self.origin.unwrap_or(piece.from.position);
        let shadow = Shadow::of::<G, D>(&piece, self.limits.within, &origin);
        let mut met: Vec<(u32, [f64; 2], Approach)> = Vec::new();
        self.recent.visit(&shadow, |other, known| {
            let from = piece.from.time.max(known.from.time);
            let to = piece.to.time.min(known.to.time);
            if other == name || from > to {
                return;
            }
            // In the order in which `Tracks` finds them.
            let [a, b] = if name < other { [&piece, known] } else { [known, &piece] };
            let [began, ended] = [from, to].map(|time| apart::<G, D>(a, b, time));
            met.extend(self.reach.approach::<G, D>(&began, &ended).map(|approach| (other, [from, to], approach)));
        });
        // Ordered by piece time, because two approaches can share a start at a piece boundary.
        met.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1[0].total_cmp(&b.1[0])).then(a.1[1].total_cmp(&b.1[1])));
        for (other, _, approach) in met {
            self.meet(name, other, &approach);
        }
        self.recent.insert(name, piece, &shadow);
    }

    fn meet(&mut self, name: u32, other: u32, approach: &Approach) {
        let pair = pair(name, other);
        let meeting = Meeting::new(pair, approach);
        let gap = self.limits.gap;
        let goes_on = self.open.get_mut(&pair).is_some_and(|open| open.meeting.extend(&meeting, gap));
        if !goes_on {
            self.end(pair);
            self.open.insert(pair, Open { meeting, has_begun: false });
            for (one, partner) in [(name, other), (other, name)] {
                // It is still listed if a fix of the other revealed the end of their last encounter.
                if let Some(track) = self.tracks.get_mut(&one).filter(|track| !track.partners.contains(&partner)) {
                    track.partners.push(partner);
                }
            }
        }
        let open = self.open.get_mut(&pair).expect("it is open");
        let lasted = open.meeting.end - open.meeting.start;
        if !open.has_begun && lasted >= self.limits.lasting {
            open.has_begun = true;
            self.events.push(Event::Began { a: pair[0], b: pair[1], start: open.meeting.start });
        }
    }

    /// Ends the encounters of a track that no later fix can prolong: anything found from now on begins after the
    /// last fix of one of the two tracks.
    fn close(&mut self, name: u32) {
        let Some(track) = self.tracks.get_mut(&name) else { return };
        let known = track.last.time;
        let mut partners = std::mem::take(&mut track.partners);
        partners.retain(|&partner| {
            let pair = pair(name, partner);
            let Some(open) = self.open.get(&pair) else { return false };
            let known = self.tracks.get(&partner).map_or(known, |partner| partner.last.time.min(known));
            // The same comparison as when it is joined to what follows.
            let goes_on = known - open.meeting.end <= self.limits.gap;
            if !goes_on {
                self.end(pair);
            }
            goes_on
        });
        if let Some(track) = self.tracks.get_mut(&name) {
            track.partners = partners;
        }
    }

    fn end(&mut self, pair: [u32; 2]) {
        if let Some(open) = self.open.remove(&pair).filter(|open| open.has_begun) {
            self.events.push(Event::Ended(open.meeting.encounter::<G, D>(pair, &self.reach)));
        }
    }

    fn ongoing(&self) -> Vec<Encounter> {
        let begun = self.open.values().filter(|open| open.has_begun);
        let mut ongoing: Vec<_> =
            begun.map(|open| open.meeting.encounter::<G, D>(open.meeting.pair, &self.reach)).collect();
        ongoing.sort_by(|one, other| one.start.total_cmp(&other.start).then((one.a, one.b).cmp(&(other.a, other.b))));
        ongoing
    }
}

fn pair(one: u32, other: u32) -> [u32; 2] {
    [one.min(other), one.max(other)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second is away from the first between any two fixes of the first, which reveal the end of each encounter.
    #[test]
    fn who_meets_again_and_again_is_listed_once() {
        let mut live = Live::<Plane, 2>::new(&Rules::new(Units::Plane), &Limits::within(1.0));
        for time in (0..100).map(|number| f64::from(number) * 10.0) {
            for (track, time, x) in [(1, time, 0.0), (2, time, 0.0), (2, time + 5.0, 5.0)] {
                live.push(&Fix { track, time, x, y: 0.0, z: 0.0 }).expect("in order");
            }
        }
        assert_eq!(live.tracks.values().map(|track| track.partners.len()).max(), Some(1));
    }
}
