//! Lists of neighbors that are kept while nothing moves far.
//!
//! They hold whatever is within the distance and a *skin* (L. Verlet, *Computer "experiments" on classical fluids*, 1967).
//! Until something has moved farther than half of that, they hold all that is within the distance: that is looked for
//! among them alone.

use std::ops::Range;

use crate::call::{Call, Pulse, room};
use crate::error::Error;
use crate::neighbors::{Wanted, check, neighbors};
use crate::queries::Answers;
use crate::rows::{Rows, check_distance};
use crate::seams::{Seams, Within, at};

/// Neighbors of points that move.
#[derive(Clone, Debug)]
pub struct NeighborList {
    r: f64,
    skin: f64,
    seams: Seams,
    points: Vec<f64>,
    kept: Option<Kept>,
}

/// What was found once.
#[derive(Clone, Debug)]
struct Kept {
    /// Where points were then.
    points: Vec<f64>,
    /// Those of row `r` are `ids[starts[r]..starts[r + 1]]`, in ascending order.
    starts: Vec<usize>,
    ids: Vec<u32>,
}

impl NeighborList {
    /// Of no points so far.
    ///
    /// # Errors
    /// Returns an error if the distance is negative or NaN, or the skin is that or infinite.
    pub fn new(r: f64, skin: f64, seams: Seams) -> Result<Self, Error> {
        check_distance(r)?;
        if !(0.0..f64::INFINITY).contains(&skin) {
            return Err(Error::value(format!("a skin is zero or more, and finite, not {skin}")));
        }
        Ok(Self { r, skin, seams, points: Vec::new(), kept: None })
    }

    /// From now on there are exactly these points, x and y each. `true` if that made new lists: at first, if there are more
    /// points or fewer, or if one has moved farther than half of the skin since lists were made.
    ///
    /// # Errors
    /// Returns an error if a point is NaN, infinite or outside of a box that wraps; if memory runs out or the call is
    /// stopped. Nothing has changed then.
    pub fn update(&mut self, points: &[f64], call: Call<'_>) -> Result<bool, Error> {
        check(Rows::Points(points), self.seams)?;
        let mut now = room(points.len())?;
        now.extend_from_slice(points);
        let is_new = !self.kept.as_ref().is_some_and(|kept| self.are_near(&kept.points, points));
        if is_new {
            self.kept = Some(self.found(points, call)?);
        }
        self.points = now;
        Ok(is_new)
    }

    /// Has no point moved farther than half of the skin?
    fn are_near(&self, then: &[f64], now: &[f64]) -> bool {
        let (then, now) = (Rows::Points(then), Rows::Points(now));
        let near = Within::new(self.skin / 2.0);
        let is_near = |row| near.holds(self.seams.gaps(at(then, row), at(now, row)));
        then.len() == now.len() && (0..then.len()).all(is_near)
    }

    fn found(&self, points: &[f64], call: Call<'_>) -> Result<Kept, Error> {
        // A little more than the two together, for distances are rounded.
        let r = (self.r + self.skin) * (1.0 + 1e-12) + self.seams.slack::<f64>();
        let wanted = Wanted { r, seams: self.seams, once: false, distances: false };
        let Answers { counts, ids, .. } = neighbors(Rows::Points(points), None, wanted, call)?;
        let (mut then, mut starts, mut end) = (room(points.len())?, room(counts.len() + 1)?, 0);
        then.extend_from_slice(points);
        starts.push(0);
        starts.extend(counts.iter().map(|&count| {
            end += count as usize;
            end
        }));
        Ok(Kept { points: then, starts, ids })
    }

    /// The neighbors of each point where it is now, in ascending order; only those in higher rows, if each pair is wanted
    /// `once`.
    ///
    /// # Errors
    /// Returns an error if memory runs out or the call is stopped.
    pub fn neighbors(&self, once: bool, distances: bool, call: Call<'_>) -> Result<Answers, Error> {
        let Some(kept) = &self.kept else { return Ok(Answers::default()) };
        let (points, near) = (Rows::Points(&self.points), Within::new(self.r));
        let work = |rows: Range<usize>, pulse: &Pulse<'_>| {
            let most = kept.starts[rows.end] - kept.starts[rows.start];
            let mut found = Answers { counts: room(rows.len())?, ids: room(most)?, distances: Vec::new() };
            for row in rows.clone() {
                pulse.beat_at_row(row)?;
                let (here, before) = (at(points, row), found.ids.len());
                let may_be = &kept.ids[kept.starts[row]..kept.starts[row + 1]];
                let is_near = |&id: &u32| {
                    (!once || id as usize > row) && near.holds(self.seams.gaps(here, at(points, id as usize)))
                };
                found.ids.extend(may_be.iter().copied().filter(is_near));
                found.counts.push((found.ids.len() - before) as u32);
            }
            if distances {
                let distance = |a, b| self.seams.distance(at(points, a), at(points, b));
                found.distances = found.distances_by(rows.start, &distance)?;
            }
            Ok(found)
        };
        Answers::joined(call.share(points.len(), &work)?)
    }
}
