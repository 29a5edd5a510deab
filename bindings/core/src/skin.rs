//! Lists of neighbors that are kept while nothing moves far.
//!
//! They hold whatever is within the distance and a *skin* (L. Verlet, *Computer "experiments" on classical fluids*, 1967).
//! Until something has moved farther than half of that, they hold all that is within the distance: that is looked for
//! among them alone. Points lie along a curve, so that those of a list are near each other in memory too.

use std::ops::Range;

use crate::call::{Call, Pulse, places_of, room, starts_of};
use crate::curve::along_a_curve;
use crate::error::Error;
use crate::neighbors::{Wanted, check, neighbors};
use crate::queries::Answers;
use crate::rows::{Rows, check_distance};
use crate::seams::{Seams, Within, at};

/// How many ids get room at once.
const BLOCK: usize = 1 << 12;

/// Neighbors of points that move.
#[derive(Clone, Debug)]
pub struct NeighborList {
    r: f64,
    skin: f64,
    seams: Seams,
    /// Where points are now, and what is near each.
    points: Vec<f64>,
    found: Answers,
    kept: Option<Kept>,
}

/// What was found once.
#[derive(Clone, Debug)]
struct Kept {
    /// Where points were then.
    points: Vec<f64>,
    /// The row at each place along the curve.
    order: Vec<u32>,
    /// The places of those near place `p` are `near[starts[p]..starts[p + 1]]`, in ascending order of their rows.
    starts: Vec<usize>,
    near: Vec<u32>,
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
        Ok(Self { r, skin, seams, points: Vec::new(), found: Answers::default(), kept: None })
    }

    /// From now on there are exactly these points, x and y each. `true` if that made new lists: at first, if there are more
    /// points or fewer, or if one has moved farther than half of the skin since lists were made.
    ///
    /// # Errors
    /// Returns an error if a point is NaN, infinite or outside of a box that wraps; if memory runs out or the call is
    /// stopped. Nothing has changed then.
    pub fn update(&mut self, points: &[f64], call: Call<'_>) -> Result<bool, Error> {
        if self.kept.is_some() && self.points == points {
            return Ok(false);
        }
        check(Rows::Points(points), self.seams)?;
        let mut now = room(points.len())?;
        now.extend_from_slice(points);
        let is_new = !self.kept.as_ref().is_some_and(|kept| self.are_near(&kept.points, points));
        let new = if is_new { Some(self.looked_for(points, call)?) } else { None };
        if let Some(kept) = new.as_ref().or(self.kept.as_ref()) {
            self.found = self.among(kept, points, call)?;
        }
        (self.points, self.kept) = (now, new.or(self.kept.take()));
        Ok(is_new)
    }

    /// Has no point moved farther than half of the skin?
    fn are_near(&self, then: &[f64], now: &[f64]) -> bool {
        let (then, now) = (Rows::Points(then), Rows::Points(now));
        let near = Within::new(self.skin / 2.0);
        let is_near = |row| near.holds(self.seams.gaps(at(then, row), at(now, row)));
        then.len() == now.len() && (0..then.len()).all(is_near)
    }

    fn looked_for(&self, points: &[f64], call: Call<'_>) -> Result<Kept, Error> {
        // A little more than the two together, for distances are rounded.
        let r = (self.r + self.skin) * (1.0 + 1e-12) + self.seams.slack::<f64>();
        let (rows, wanted) = (Rows::Points(points), Wanted { r, seams: self.seams, once: false, distances: false });
        let (order, Answers { counts, ids, .. }) = (along_a_curve(rows)?, neighbors(rows, None, wanted, call)?);
        let (places, firsts) = (places_of(&order)?, starts_of(&counts)?);
        let (mut then, starts, near) = (room(points.len())?, room(counts.len() + 1)?, room(ids.len())?);
        then.extend_from_slice(points);
        let mut kept = Kept { points: then, order, starts, near };
        for row in kept.order.iter().map(|&row| row as usize) {
            let own = &ids[firsts[row]..firsts[row] + counts[row] as usize];
            kept.starts.push(kept.near.len());
            kept.near.extend(own.iter().map(|&id| places[id as usize]));
        }
        kept.starts.push(kept.near.len());
        Ok(kept)
    }

    /// The neighbors of each row among those that were found once, by where points are now.
    fn among(&self, kept: &Kept, points: &[f64], call: Call<'_>) -> Result<Answers, Error> {
        let (near, seams, mut arranged) = (Within::new(self.r), self.seams, room(kept.order.len())?);
        arranged.extend(kept.order.iter().map(|&row| at(Rows::Points(points), row as usize)));
        let work = |range: Range<usize>, pulse: &Pulse<'_>| {
            let most = kept.starts[range.end] - kept.starts[range.start];
            let mut sieve = Sieve::new(range.len(), most)?;
            for place in range {
                pulse.beat_at_row(place)?;
                let here = arranged[place];
                sieve.next(&kept.near[kept.starts[place]..kept.starts[place + 1]], |other| {
                    let is_near = near.holds(seams.gaps(here, arranged[other as usize]));
                    (kept.order[other as usize], is_near)
                });
            }
            Ok(sieve.into_answers())
        };
        Answers::joined(call.share(arranged.len(), &work)?)?.in_order_of_rows(&kept.order)
    }

    /// The neighbors of each point where it is now, in ascending order; only those in higher rows, if each pair is wanted
    /// `once`.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub fn neighbors(&self, once: bool, distances: bool) -> Result<Answers, Error> {
        let (lists, most) = (self.found.counts.len(), self.found.ids.len());
        let mut found = if once {
            let (mut sieve, mut end) = (Sieve::new(lists, most)?, 0);
            for (row, &count) in (0..).zip(&self.found.counts) {
                sieve.next(&self.found.ids[end..end + count as usize], |id| (id, id > row));
                end += count as usize;
            }
            sieve.into_answers()
        } else {
            let mut found = Answers { counts: room(lists)?, ids: room(most)?, distances: Vec::new() };
            found.counts.extend_from_slice(&self.found.counts);
            found.ids.extend_from_slice(&self.found.ids);
            found
        };
        if distances {
            let points = Rows::Points(&self.points);
            found.distances = found.distances_by(0, &|a, b| self.seams.distance(at(points, a), at(points, b)))?;
        }
        Ok(found)
    }
}

/// Parts of lists.
struct Sieve {
    counts: Vec<u32>,
    ids: Vec<u32>,
    end: usize,
    most: usize,
}

impl Sieve {
    /// For this many lists, of at most this many ids together.
    fn new(lists: usize, most: usize) -> Result<Self, Error> {
        Ok(Self { counts: room(lists)?, ids: room(most)?, end: 0, most })
    }

    /// The next list: all are written, each over the one before unless that stays, so that no branch is guessed wrong.
    #[inline]
    fn next(&mut self, list: &[u32], stays: impl Fn(u32) -> (u32, bool)) {
        if self.ids.len() < self.end + list.len() {
            self.ids.resize(self.most.min(self.end + list.len() + BLOCK), 0);
        }
        let (own, mut count) = (&mut self.ids[self.end..self.end + list.len()], 0);
        for &entry in list {
            let (id, stays) = stays(entry);
            own[count] = id;
            count += usize::from(stays);
        }
        self.end += count;
        self.counts.push(count as u32);
    }

    fn into_answers(mut self) -> Answers {
        self.ids.truncate(self.end);
        Answers { counts: self.counts, ids: self.ids, distances: Vec::new() }
    }
}
