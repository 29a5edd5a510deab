//! Lists of neighbors: all points or boxes within a distance of each, in the order of rows.

use std::ops::Range;

use quadrille::{PairsInParts, Scalar};

use crate::call::{Call, Pulse, check_room_for_boxes, filled, room, starts_of};
use crate::error::Error;
use crate::queries::{Answers, pairs_that};
use crate::rows::{Rows, check_distance, check_stored};
use crate::seams::{Around, Seams, at};

/// Which neighbors, and what of them.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The greatest distance.
    pub r: f64,
    /// The box that points are in, if one wraps.
    pub seams: Seams,
    /// Of one set, each pair only once, as a neighbor of its lower row.
    pub once: bool,
    /// How far away they are.
    pub distances: bool,
}

/// The neighbors of each row of `here`, in ascending order: rows of `there`, or other rows of `here`.
///
/// # Errors
/// Returns an error if a row is NaN, infinite or inverted, or outside of a box that wraps, or the distance is negative or
/// NaN; if memory runs out or the call is stopped.
pub fn neighbors<S: Scalar>(
    here: Rows<'_, S>,
    there: Option<Rows<'_, S>>,
    wanted: Wanted,
    call: Call<'_>,
) -> Result<Answers, Error> {
    let Wanted { r, seams, .. } = wanted;
    check(here, seams).map_err(|error| if there.is_some() { error.of("points") } else { error })?;
    there.map_or(Ok(()), |there| check(there, seams).map_err(|error| error.of("other")))?;
    check_distance(r)?;
    let others = there.unwrap_or(here);
    let all = here.len().max(others.len());
    check_room_for_boxes(here.len() + others.len())?;
    let pairs = if seams.are_any() {
        pairs_that(&Around::new(seams, here, there, r, &call.pulse())?, all, call, usize::MAX, &|_, _| true)?
    } else {
        let near = match there {
            None => PairsInParts::within(&here.to_boxes()?, r)?,
            Some(there) => PairsInParts::between_within(&here.to_boxes()?, &there.to_boxes()?, r)?,
        };
        pairs_that(&near, all, call, usize::MAX, &|_, _| true)?
    };
    let lists = Lists { pairs: &pairs.unwrap_or_default(), is_both: there.is_none() && !wanted.once };
    let distance = |a: usize, b: usize| {
        if seams.are_any() { seams.distance(at(here, a), at(others, b)) } else { here.get(a).distance(&others.get(b)) }
    };
    let work = |rows: Range<usize>, pulse: &Pulse<'_>| {
        let mut found = lists.of(rows.clone(), pulse)?;
        if wanted.distances {
            found.distances = found.distances_by(rows.start, &distance)?;
        }
        Ok(found)
    };
    Answers::joined(call.share_evenly(here.len(), &work)?)
}

/// Checks that all rows can be stored, and are in a box that wraps.
pub(crate) fn check<S: Scalar>(rows: Rows<'_, S>, seams: Seams) -> Result<(), Error> {
    check_stored(rows)?;
    seams.check(rows)
}

/// Pairs as lists.
pub(crate) struct Lists<'a> {
    pub(crate) pairs: &'a [(u32, u32)],
    /// Each of a pair is a neighbor of the other.
    pub(crate) is_both: bool,
}

impl Lists<'_> {
    /// The lists of some rows, by counting. Each thread looks at all pairs for its rows: that is little beside putting
    /// them in order.
    pub(crate) fn of(&self, rows: Range<usize>, pulse: &Pulse<'_>) -> Result<Answers, Error> {
        let mut counts = filled(0, rows.len())?;
        self.each(&rows, pulse, |row, _| counts[row] += 1)?;
        let mut ends = starts_of(&counts)?;
        let mut ids = filled(0, counts.iter().map(|&count| count as usize).sum())?;
        self.each(&rows, pulse, |row, id| {
            ids[ends[row]] = id;
            ends[row] += 1;
        })?;
        for (&count, end) in counts.iter().zip(ends) {
            pulse.beat_at_answer(end)?;
            ids[end - count as usize..end].sort_unstable();
        }
        Ok(Answers { counts, ids, distances: Vec::new() })
    }

    /// Calls `add` for each neighbor of these rows, which it counts from zero.
    #[inline]
    fn each(&self, rows: &Range<usize>, pulse: &Pulse<'_>, mut add: impl FnMut(usize, u32)) -> Result<(), Error> {
        let mut add = |row: u32, id| {
            let row = (row as usize).wrapping_sub(rows.start);
            if row < rows.len() {
                add(row, id);
            }
        };
        for (number, &(a, b)) in self.pairs.iter().enumerate() {
            pulse.beat_at_answer(number)?;
            add(a, b);
            if self.is_both {
                add(b, a);
            }
        }
        Ok(())
    }
}

impl Answers {
    /// How far each answer is from its row; rows are counted from this one.
    pub(crate) fn distances_by(
        &self,
        first: usize,
        distance: &impl Fn(usize, usize) -> f64,
    ) -> Result<Vec<f64>, Error> {
        let (mut distances, mut ids) = (room(self.ids.len())?, self.ids.iter());
        for (row, &count) in (first..).zip(&self.counts) {
            distances.extend(ids.by_ref().take(count as usize).map(|&id| distance(row, id as usize)));
        }
        Ok(distances)
    }
}
