//! The broad phase: time is cut into slabs, and in each slab runs are paired by the boxes that they sweep.
//!
//! # The plain algorithm
//!
//! For each pair of runs, for each pair of their pieces that have a common time: solve the closed form. Quadratic.
//!
//! # Departures, and what each buys
//!
//! 1. **Slabs.** In a slab of time a run sweeps a box, small if the slab is short. Grown by half the distance, the
//!    boxes of two runs that come within the distance in this slab overlap; [`FrameTree`] finds all pairs that do. Each
//!    slab is as long as suits what happens in it: a few fixes with wrong times, years away, make no other slab longer.
//! 2. **Panes.** On the globe boxes are flattened onto the faces of a cube, each with a tree of its own. A pair is
//!    followed only on the first pane that both are on, so once.
//! 3. **Two pointers.** The pieces of two runs are followed side by side through the slab: each step goes to the next
//!    fix of either.
//! 4. **Whole pieces are solved**, not what a slab leaves of them, and an approach counts in the slab in which it
//!    *begins*. So answers do not depend on where slabs are cut, not even in the last bit. Nothing is lost: where it
//!    begins the tracks are within the distance, so their boxes overlap in that slab.
//!
//! **Rounding.** Boxes are `f32`, rounded outward, around the middle one of all points: not the middle of their hull,
//! which a wrong fix moves far away, where all boxes would be rounded to one. They are grown a little more than the
//! limit, by more than all roundings of positions and times together ([`slack`](Sweep::new)).

use std::ops::ControlFlow;

use quadrille::{Aabb, FrameTree, Index};

use crate::approach::{Apart, Reach};
use crate::error::Error;
use crate::flat::flatten;
use crate::ground::Ground;
use crate::meetings::{Meeting, Meetings};
use crate::memory::with_room;
use crate::motion::{Motion, apart};

/// Finds all meetings. Stops once `may_go_on` says no.
pub(crate) fn sweep<G: Ground<D>, const D: usize>(
    motion: &Motion<G, D>,
    within: f64,
    reach: &Reach,
    gap: f64,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<Meetings, Error> {
    // Memory for the runs of a slab that holds all of them: boxes, a tree, and lists.
    drop(with_room::<[u8; 160]>(motion.runs.len(), "boxes of tracks")?);
    Sweep::new(motion, within, reach, gap).run(may_go_on)
}

/// Points that are passed in a slab, if there are not many more runs at a time. More: longer boxes, where there are few
/// runs. Fewer: more slabs, each of which takes about as long as following a pair past so many.
const FEWEST: f64 = 64.0;

/// Pairs of runs between two calls of `may_go_on`: about ten microseconds.
const PAIRS_A_LOOK: u32 = 64;

struct Sweep<'a, G, const D: usize> {
    motion: &'a Motion<G, D>,
    reach: &'a Reach,
    within: f64,
    gap: f64,
    /// How long slabs last: the next, and at least, some sixteen steps of the latest time, so that none is empty.
    width: f64,
    shortest: f64,
    /// What boxes are grown by.
    margin: f64,
    origin: [f64; D],
    active: Vec<Active>,
    panes: Vec<Pane>,
    meetings: Meetings,
}

/// A run in the current slab.
#[derive(Clone, Copy, Debug)]
struct Active {
    run: u32,
    /// The first point of its piece at the beginning of the slab.
    point: u32,
    panes: u8,
}

/// The boxes on one pane.
#[derive(Debug, Default)]
struct Pane {
    boxes: Vec<Aabb>,
    /// The index of the active run, by box.
    active: Vec<u32>,
}

impl<'a, G: Ground<D>, const D: usize> Sweep<'a, G, D> {
    fn new(motion: &'a Motion<G, D>, within: f64, reach: &'a Reach, gap: f64) -> Self {
        let origin = motion.positions.get(motion.positions.len() / 2).copied().unwrap_or([0.0; D]);
        // A position on a piece, an offset, a root and its time are each off by a few roundings of the numbers they are
        // computed from.
        let slack = 64.0 * f64::EPSILON * (motion.farthest() + within);
        let margin = (G::chord(within) + G::sag(motion.longest())) / 2.0 + slack;
        let [first, last] = motion.span();
        let shortest = (16.0 * f64::EPSILON * first.abs().max(last.abs())).max(f64::MIN_POSITIVE);
        let panes = G::PANES.iter().map(|_| Pane::default()).collect();
        let (active, width, meetings) = (Vec::new(), shortest.max(last - first), Meetings::default());
        Self { motion, reach, within, gap, width, shortest, margin, origin, active, panes, meetings }
    }

    fn run(mut self, may_go_on: &mut dyn FnMut() -> bool) -> Result<Meetings, Error> {
        let mut coming: Vec<u32> = (0..).take(self.motion.runs.len()).collect();
        coming.sort_unstable_by(|a, b| self.start(*a).total_cmp(&self.start(*b)).then(a.cmp(b)));
        let (mut coming, mut now) = (&coming[..], 0.0);
        loop {
            if self.active.is_empty() {
                let Some(&next) = coming.first() else { return Ok(self.meetings) };
                now = self.start(next);
            }
            let end = self.enter(now, &mut coming);
            self.pair_all([now, end], may_go_on)?;
            self.leave(end);
            now = end;
        }
    }

    /// When a run begins.
    fn start(&self, run: u32) -> f64 {
        self.motion.time(self.motion.runs[run as usize].first)
    }

    /// When something changes first: a piece of an active run ends, or a run that is coming begins.
    fn next(&self, coming: &[u32]) -> f64 {
        let piece = |active: &Active| self.motion.piece(&self.motion.runs[active.run as usize], active.point);
        let begin = coming.first().map_or(f64::INFINITY, |&run| self.start(run));
        self.active.iter().map(|active| piece(active).to.time).fold(begin, f64::min)
    }

    /// Chooses how long the slab from `now` on is, takes in the runs that begin in it, and boxes all. Returns its end.
    fn enter(&mut self, now: f64, coming: &mut &[u32]) -> f64 {
        let (motion, next, known) = (self.motion, self.next(coming), self.active.len());
        // Where nothing begins or ends, slabs would be alike.
        let mut end = next.max(now + self.width);
        loop {
            let begin = coming.partition_point(|&run| self.start(run) < end);
            let new = coming[..begin].iter().map(|&run| (run, motion.runs[run as usize].first));
            self.active.extend(new.map(|(run, point)| Active { run, point, panes: 0 }));
            let suitable = self.box_all([now, end]).suitable(self.within).max(self.shortest);
            let (width, is_still) = (end - now, end == next);
            if is_still || width <= 2.0 * suitable {
                self.width = if is_still { self.width } else { suitable.min(2.0 * width) };
                *coming = &coming[begin..];
                return end;
            }
            self.active.truncate(known);
            end = now + suitable;
        }
    }

    /// Collects, by pane, the boxes that all active runs sweep in a slab.
    fn box_all(&mut self, times: [f64; 2]) -> Load {
        for pane in &mut self.panes {
            pane.boxes.clear();
            pane.active.clear();
        }
        let mut load = Load { width: times[1] - times[0], runs: self.active.len(), ..Load::default() };
        for (position, active) in (0..).zip(&mut self.active) {
            let [min, max] = swept(self.motion, active, [times[0] - self.shortest, times[1]], &mut load);
            let (min, max) = (min.map(|side| side - self.margin), max.map(|side| side + self.margin));
            active.panes = G::panes(&min, &max);
            for (number, (pane, axes)) in self.panes.iter_mut().zip(G::PANES).enumerate() {
                if active.panes >> number & 1 == 1 {
                    pane.boxes.push(flatten(&min, &max, &self.origin, *axes));
                    pane.active.push(position);
                }
            }
        }
        load
    }

    /// Follows all pairs of runs whose boxes overlap.
    fn pair_all(&mut self, times: [f64; 2], may_go_on: &mut dyn FnMut() -> bool) -> Result<(), Error> {
        let panes = std::mem::take(&mut self.panes);
        let mut pairs = 0_u32;
        let mut look = |pair: u32| if pair % PAIRS_A_LOOK != 0 || may_go_on() { Ok(()) } else { Err(Error::stopped()) };
        look(pairs)?;
        for (number, pane) in (0..).zip(&panes).filter(|(_, pane)| pane.boxes.len() > 1) {
            let index = Index::<FrameTree>::from_boxes(&pane.boxes).expect("boxes are finite and ordered");
            let mut follow = |ids: [u32; 2]| {
                pairs = pairs.wrapping_add(1);
                look(pairs)?;
                let [a, b] = ids.map(|id| self.active[pane.active[id as usize] as usize]);
                if (a.panes & b.panes).trailing_zeros() != number {
                    return Ok(());
                }
                let [a, b] = if a.run < b.run { [a, b] } else { [b, a] };
                self.follow(&a, &b, times)
            };
            let followed =
                index.pairs_visit(|a, b| follow([a, b]).map_or_else(ControlFlow::Break, ControlFlow::Continue));
            followed.break_value().map_or(Ok(()), Err)?;
        }
        self.panes = panes;
        Ok(())
    }

    /// Follows two runs side by side through a slab.
    fn follow(&mut self, a: &Active, b: &Active, times: [f64; 2]) -> Result<(), Error> {
        let motion = self.motion;
        let runs = [a.run, b.run].map(|run| motion.runs[run as usize]);
        let pair = runs.map(|run| run.track);
        if !motion.may_meet(pair) {
            return Ok(());
        }
        let mut points = [a.point, b.point];
        let mut here = None;
        loop {
            let pieces = [motion.piece(&runs[0], points[0]), motion.piece(&runs[1], points[1])];
            let from = pieces[0].from.time.max(pieces[1].from.time);
            let to = pieces[0].to.time.min(pieces[1].to.time);
            if from >= times[1] {
                return Ok(());
            }
            if from <= to {
                let began = here.filter(|apart: &Apart<D>| apart.time == from);
                let began = began.unwrap_or_else(|| apart::<G, D>(&pieces[0], &pieces[1], from));
                let ended = apart::<G, D>(&pieces[0], &pieces[1], to);
                if let Some(approach) = self.reach.approach::<G, D>(&began, &ended) {
                    if times[0] <= approach.start && approach.start < times[1] {
                        self.meetings.add([a.run, b.run], &Meeting::new(pair, &approach), self.gap)?;
                    }
                }
                here = Some(ended);
            }
            for which in 0..2 {
                if pieces[which].to.time == to {
                    if points[which] + 1 >= runs[which].last {
                        return Ok(());
                    }
                    points[which] += 1;
                }
            }
        }
    }

    /// Drops the runs that have ended, and moves the others to their pieces at a time, or to those that end then: what
    /// begins there just before may begin at this time, rounded.
    fn leave(&mut self, now: f64) {
        let motion = self.motion;
        self.active.retain_mut(|active| {
            let run = &motion.runs[active.run as usize];
            while active.point + 1 < run.last && motion.time(active.point + 1) < now {
                active.point += 1;
            }
            motion.time(run.last) >= now
        });
    }
}

/// The box that a run sweeps within a slab.
fn swept<G: Ground<D>, const D: usize>(
    motion: &Motion<G, D>,
    active: &Active,
    times: [f64; 2],
    load: &mut Load,
) -> [[f64; D]; 2] {
    let run = &motion.runs[active.run as usize];
    let mut piece = motion.piece(run, active.point);
    let begins = piece.at(times[0]).position;
    let (mut min, mut max) = (begins, begins);
    let mut widen = |position: &[f64; D]| {
        for axis in 0..D {
            min[axis] = min[axis].min(position[axis]);
            max[axis] = max[axis].max(position[axis]);
        }
    };
    let mut point = active.point;
    while piece.to.time < times[1] && point < run.last {
        widen(&piece.to.position);
        point += 1;
        piece = motion.piece(run, point);
    }
    widen(&piece.at(times[1]).position);
    load.points += f64::from(point - active.point);
    load.lasted += motion.time(run.last).min(times[1]) - motion.time(run.first).max(times[0]);
    load.length += (0..D).map(|axis| max[axis] - min[axis]).fold(0.0, f64::max);
    [min, max]
}

/// What happens in a slab.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    width: f64,
    runs: usize,
    /// How many points are passed.
    points: f64,
    /// The sum of the times that runs are there, and of the lengths of their boxes.
    lasted: f64,
    length: f64,
}

impl Load {
    /// How long such a slab is best: the time a track takes to travel the search distance, so that about half of each box
    /// is margin; but not much less than the duration of a piece, so that there are not many more boxes than pieces, nor
    /// than some dozen points of all tracks together; and with no more than a few dozen runs beside those that are there at
    /// a time. Only speed depends on it.
    fn suitable(&self, within: f64) -> f64 {
        let share = |part: f64, of: f64| if of > 0.0 { part / of } else { f64::INFINITY };
        let piece = share(self.lasted, self.points);
        // If nothing moves, as long as possible.
        let travel = share(within * self.lasted, self.length).clamp(piece / 2.0, piece * 16.0);
        travel
            .max(share(FEWEST * self.width, self.points))
            .min(self.width * (64.0 + 2.0 * share(self.lasted, self.width)) / self.runs as f64)
    }
}
