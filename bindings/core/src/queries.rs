//! Queries about many rows at once, answered as arrays.

use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;

use quadrille::{Aabb, Contact, Distance, Hit, Index, Near, Overlaps, PairsInParts, Part, Scalar, Structure, Sweep};

use crate::among::Among;
use crate::call::{Call, Column, Pulse, filled, joined, room, starts_of};
use crate::curve::along_a_curve;
use crate::error::Error;
use crate::rows::{Rows, check_amount, check_directions, check_distance, check_distances, check_queries, check_stored};

/// How many nearest boxes are searched for between two checks whether the call may continue. With a higher value,
/// Ctrl-C ends a search in a crowd later; with a lower one, more rows start without the answers of their neighbors.
const HITS_AT_ONCE: usize = 1 << 10;

/// How many rows search for their nearest boxes together, however few they request.
const ROWS_AT_ONCE: usize = 64;

/// The answers to many queries, in one list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    /// How many answers each query has.
    pub counts: Vec<u32>,
    /// All answers: those to the first query, then those to the second, …
    pub ids: Vec<u32>,
    /// How far away each answer is, if requested.
    pub distances: Vec<f64>,
}

impl Answers {
    pub(crate) fn joined(parts: Vec<Self>) -> Result<Self, Error> {
        let parts = parts.into_iter().map(|part| (part.counts, part.ids, part.distances));
        let (counts, ids, distances): (Vec<_>, Vec<_>, Vec<_>) = parts.collect();
        Ok(Self { counts: joined(counts)?, ids: joined(ids)?, distances: joined(distances)? })
    }

    /// Pairs of a row and an answer, grouped by row; those of one row stay in their order.
    pub(crate) fn by_row(rows: usize, pairs: &[(u32, u32)]) -> Result<Self, Error> {
        let (mut counts, mut ids) = (filled(0, rows)?, filled(0, pairs.len())?);
        pairs.iter().for_each(|&(row, _)| counts[row as usize] += 1);
        let mut ends = starts_of(&counts)?;
        for &(row, id) in pairs {
            let end = &mut ends[row as usize];
            ids[*end] = id;
            *end += 1;
        }
        Ok(Self { counts, ids, distances: Vec::new() })
    }

    /// Puts the answers into the order of the queries.
    pub(crate) fn in_order_of_rows(self, order: &[u32]) -> Result<Self, Error> {
        if order.is_sorted() {
            return Ok(self);
        }
        let mut spans = filled(0..0, order.len())?;
        for ((&row, &count), start) in order.iter().zip(&self.counts).zip(starts_of(&self.counts)?) {
            spans[row as usize] = start..start + count as usize;
        }
        let (mut counts, mut ids, mut distances) = (self.counts, room(self.ids.len())?, room(self.distances.len())?);
        for (count, span) in counts.iter_mut().zip(spans) {
            *count = span.len() as u32;
            ids.extend_from_slice(&self.ids[span.clone()]);
            distances.extend_from_slice(self.distances.get(span).unwrap_or_default());
        }
        Ok(Self { counts, ids, distances })
    }
}

/// Answers to one query after the other.
struct Gathering<'a> {
    counts: Vec<u32>,
    ids: Column<'a, u32>,
    distances: Column<'a, f64>,
    pulse: &'a Pulse<'a>,
}

impl<'a> Gathering<'a> {
    /// In memory that is reused.
    fn within(mut used: Answers, queries: usize, pulse: &'a Pulse<'a>) -> Result<Self, Error> {
        used.counts.clear();
        used.ids.clear();
        used.distances.clear();
        used.counts.try_reserve(queries).map_err(|_| Error::memory(queries))?;
        let (ids, distances) = (Column::behind(used.ids, pulse), Column::behind(used.distances, pulse));
        Ok(Self { counts: used.counts, ids, distances, pulse })
    }

    /// Adds all answers that `find` finds as those of the next query. A break with an error ends all queries, one
    /// without ends only this query.
    fn next(&mut self, find: impl FnOnce(&mut Self) -> ControlFlow<Result<(), Error>>) -> Result<(), Error> {
        let start = self.ids.len();
        if let Break(done) = find(self) {
            done?;
        }
        self.counts.push((self.ids.len() - start) as u32);
        self.pulse.beat_at_row(self.counts.len())
    }

    fn into_answers(self) -> Answers {
        Answers { counts: self.counts, ids: self.ids.into_answers(), distances: self.distances.into_answers() }
    }
}

/// Continues, or breaks with the error.
fn unless_full(pushed: Result<(), Error>) -> ControlFlow<Result<(), Error>> {
    match pushed {
        Ok(()) => Continue(()),
        error => Break(error),
    }
}

/// The boxes that overlap each of the rows; those on at least one of `layers`, if they are given.
///
/// # Errors
/// Returns an error if a row is NaN or inverted; if memory runs out or the call is stopped.
pub fn query<I: Structure>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    layers: Option<u32>,
    call: Call<'_>,
) -> Result<Answers, Error> {
    check_queries(rows)?;
    of_each_row(rows, call, |row, found| find_overlapping(index, rows.get(row), layers, usize::MAX, found))
}

/// As [`query`], in memory that is reused; the first `most` answers to each query, but at least one.
///
/// # Errors
/// Returns an error if a row is NaN or inverted, or memory runs out.
pub fn query_into<I: Structure>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    layers: Option<u32>,
    most: usize,
    found: &mut Answers,
) -> Result<(), Error> {
    check_queries(rows)?;
    refill_row_by_row(found, rows.len(), |row, found| find_overlapping(index, rows.get(row), layers, most, found))
}

/// Visits the boxes that overlap each of the rows, as (row, id), until `visit` stops it; only those on at least one of
/// `layers`, if they are given.
///
/// # Errors
/// Returns an error if a row is NaN or inverted.
pub fn query_visit<I: Structure>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    layers: Option<u32>,
    visit: &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
) -> Result<(), Error> {
    check_queries(rows)?;
    for row in 0..rows.len() {
        let query = Among::new(Overlaps(rows.get(row)), layers);
        if index.query_visit(query, |id| visit(row as u32, id)).is_break() {
            break;
        }
    }
    Ok(())
}

fn find_overlapping<I: Structure>(
    index: &Index<I>,
    row: Aabb<I::Scalar>,
    layers: Option<u32>,
    most: usize,
    found: &mut Gathering<'_>,
) -> ControlFlow<Result<(), Error>> {
    let end = found.ids.len().saturating_add(most);
    index.query_visit(Among::new(Overlaps(row), layers), |id| match found.ids.push(id) {
        Ok(()) if found.ids.len() < end => Continue(()),
        pushed => Break(pushed),
    })
}

/// The boxes no farther than a distance from each of the rows, and how far away they are; those on at least one of
/// `layers`, if they are given. There is a distance for each row, or one for all.
///
/// # Errors
/// Returns an error if a row is NaN, infinite or inverted, a distance is negative or NaN, or there is neither one
/// distance nor one for each row; if memory runs out or the call is stopped.
pub fn within_each<I: Structure>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    distances: &[f64],
    layers: Option<u32>,
    call: Call<'_>,
) -> Result<Answers, Error> {
    check_stored(rows)?;
    check_distances(distances, rows.len())?;
    let distance = |row| if let [one] = distances { *one } else { distances[row] };
    of_each_row(rows, call, |row, found| find_near(index, rows.get(row), distance(row), layers, found))
}

/// As [`within_each`], row by row with one distance, in memory that is reused.
///
/// # Errors
/// As for [`within_each`].
pub fn within_into<I: Structure>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    distance: f64,
    layers: Option<u32>,
    found: &mut Answers,
) -> Result<(), Error> {
    check_stored(rows)?;
    check_distance(distance)?;
    refill_row_by_row(found, rows.len(), |row, found| find_near(index, rows.get(row), distance, layers, found))
}

fn find_near<I: Structure>(
    index: &Index<I>,
    row: Aabb<I::Scalar>,
    distance: f64,
    layers: Option<u32>,
    found: &mut Gathering<'_>,
) -> ControlFlow<Result<(), Error>> {
    index.query_visit(Among::new(Near::aabb(row).within(distance), layers), |id| {
        let distance = row.distance(&bounds(index, id));
        unless_full(found.ids.push(id).and_then(|()| found.distances.push(distance)))
    })
}

#[inline]
pub(crate) fn bounds<I: Structure>(index: &Index<I>, id: u32) -> Aabb<I::Scalar> {
    index.get(id).expect("an answer is an id in use")
}

/// What `find` adds for each of the rows, which are asked along a curve.
fn of_each_row<S: Scalar>(
    rows: Rows<'_, S>,
    call: Call<'_>,
    find: impl Fn(usize, &mut Gathering<'_>) -> ControlFlow<Result<(), Error>> + Sync,
) -> Result<Answers, Error> {
    let order = along_a_curve(rows)?;
    let ask = |range: Range<usize>, pulse: &Pulse<'_>| {
        let mut found = Gathering::within(Answers::default(), range.len(), pulse)?;
        order[range].iter().try_for_each(|&row| found.next(|found| find(row as usize, found)))?;
        Ok(found.into_answers())
    };
    Answers::joined(call.share(rows.len(), &ask)?)?.in_order_of_rows(&order)
}

/// What `find` adds for each of the rows, in memory that is reused.
fn refill_row_by_row(
    used: &mut Answers,
    rows: usize,
    find: impl Fn(usize, &mut Gathering<'_>) -> ControlFlow<Result<(), Error>>,
) -> Result<(), Error> {
    let pulse = Call::default().pulse();
    let mut found = Gathering::within(std::mem::take(used), rows, &pulse)?;
    (0..rows).try_for_each(|row| found.next(|found| find(row, found)))?;
    *used = found.into_answers();
    Ok(())
}

/// The nearest boxes: `most` entries for each query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nearest {
    /// Row by row, `most` entries each, the nearest first; [`NONE`](Self::NONE) where there are fewer answers.
    pub ids: Vec<u32>,
    /// Their distances, or times of first contact; infinite where there is no answer.
    pub ranks: Vec<f64>,
    /// For casts, the side that is hit: outward, x and y. Zeros where there is no answer.
    pub normals: Vec<[i8; 2]>,
}

impl Nearest {
    /// In place of an id if there is no answer.
    pub const NONE: u32 = u32::MAX;

    fn joined(parts: Vec<Self>) -> Result<Self, Error> {
        let parts = parts.into_iter().map(|part| (part.ids, part.ranks, part.normals));
        let (ids, ranks, normals): (Vec<_>, Vec<_>, Vec<_>) = parts.collect();
        Ok(Self { ids: joined(ids)?, ranks: joined(ranks)?, normals: joined(normals)? })
    }

    /// Puts the answers into the order of the rows, without normals.
    pub(crate) fn in_order_of_rows(self, order: &[u32], most: usize) -> Result<Self, Error> {
        if order.is_sorted() {
            return Ok(self);
        }
        let (mut ids, mut ranks) = (filled(0, self.ids.len())?, filled(0.0, self.ranks.len())?);
        for (at, &row) in order.iter().enumerate() {
            let (from, to) = (at * most, row as usize * most);
            ids[to..to + most].copy_from_slice(&self.ids[from..from + most]);
            ranks[to..to + most].copy_from_slice(&self.ranks[from..from + most]);
        }
        Ok(Self { ids, ranks, normals: self.normals })
    }
}

/// The `most` boxes that are nearest to each of the rows, none farther than `distance` if that is given. Boxes at equal
/// distances come in the order of their ids. Only boxes on at least one of `layers` count, if they are given.
///
/// # Errors
/// Returns an error if a row is NaN, infinite or inverted, or the distance is negative or NaN.
pub fn nearest<I: Structure>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    most: usize,
    distance: Option<f64>,
    layers: Option<u32>,
    call: Call<'_>,
) -> Result<Nearest, Error> {
    check_stored(rows)?;
    distance.map_or(Ok(()), check_distance)?;
    let order = along_a_curve(rows)?;
    let ask = |range: Range<usize>, pulse: &Pulse<'_>| {
        let all = range.len().saturating_mul(most);
        let mut found = Nearest { ids: room(all)?, ranks: room(all)?, normals: Vec::new() };
        let (mut asked, mut hits) = (Vec::new(), quadrille::Answers::new());
        for rows_at_once in order[range].chunks((HITS_AT_ONCE / most.max(1)).clamp(1, ROWS_AT_ONCE)) {
            pulse.beat()?;
            asked.clear();
            asked.extend(rows_at_once.iter().map(|&row| near_row(rows, row as usize, distance, layers)));
            index.query_first_many(&asked, most, &mut hits);
            for hits in hits.iter() {
                let end = found.ids.len() + most;
                found.ids.extend(hits.iter().map(|hit| hit.id));
                found.ranks.extend(hits.iter().map(|hit| hit.rank.to_f64()));
                found.ids.resize(end, Nearest::NONE);
                found.ranks.resize(end, f64::INFINITY);
            }
        }
        Ok(found)
    };
    Nearest::joined(call.share(rows.len(), &ask)?)?.in_order_of_rows(&order, most)
}

/// The boxes nearest to the first row, as [`nearest`] finds them, in memory that is reused. For one row at a time, and for a
/// package that has to be small: what many rows share takes more code than all of this.
///
/// # Errors
/// As for [`nearest`].
pub fn nearest_into<I: Structure>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    most: usize,
    distance: Option<f64>,
    layers: Option<u32>,
    hits: &mut Vec<Hit<Distance<I::Scalar>>>,
) -> Result<(), Error> {
    check_stored(rows)?;
    distance.map_or(Ok(()), check_distance)?;
    hits.clear();
    hits.try_reserve(most).map_err(|_| Error::memory(most))?;
    index.query_first_few(near_row(rows, 0, distance, layers), most, hits);
    Ok(())
}

/// The query of what is near a row.
fn near_row<S: Scalar>(rows: Rows<'_, S>, row: usize, distance: Option<f64>, layers: Option<u32>) -> Among<Near<S>> {
    let near = Near::aabb(rows.get(row));
    Among::new(distance.map_or(near, |most| near.within(most)), layers)
}

/// The first box that each ray or moving box hits: from `rows` on along `directions` (x and y each), up to `latest`
/// times the direction; of those on at least one of `layers`, if they are given.
///
/// # Errors
/// Returns an error if a row is NaN, infinite or inverted, or a direction is NaN or infinite.
pub fn cast<I: Structure>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    directions: &[I::Scalar],
    latest: f64,
    layers: Option<u32>,
    call: Call<'_>,
) -> Result<Nearest, Error> {
    check_casts(rows, directions, latest)?;
    let ask = |rows_of_part: Range<usize>, pulse: &Pulse<'_>| {
        let all = rows_of_part.len();
        let (mut found, mut hits) = (Nearest { ids: room(all)?, ranks: room(all)?, normals: room(all)? }, Vec::new());
        for row in rows_of_part {
            pulse.beat_at_row(row)?;
            let hit = cast_row(index, (rows, directions, row), latest, layers, &mut hits);
            found.ids.push(hit.map_or(Nearest::NONE, |hit| hit.id));
            found.ranks.push(hit.map_or(f64::INFINITY, |hit| hit.rank.time()));
            found.normals.push(hit.map_or([0, 0], |hit| hit.rank.normal()));
        }
        Ok(found)
    };
    Nearest::joined(call.share(rows.len(), &ask)?)
}

/// As [`cast`], for the first row: the box that it hits, when, and the side that is hit.
///
/// # Errors
/// As for [`cast`].
pub fn cast_one<I: Structure>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    direction: &[I::Scalar],
    latest: f64,
    layers: Option<u32>,
) -> Result<Option<(u32, f64, [i8; 2])>, Error> {
    check_casts(rows, direction, latest)?;
    let mut hits = Vec::new();
    let hit = cast_row(index, (rows, direction, 0), latest, layers, &mut hits);
    Ok(hit.map(|hit| (hit.id, hit.rank.time(), hit.rank.normal())))
}

fn check_casts<S: Scalar>(rows: Rows<'_, S>, directions: &[S], latest: f64) -> Result<(), Error> {
    check_stored(rows)?;
    check_directions(directions)?;
    check_amount("time", latest, latest)
}

/// What a row hits first along its direction.
fn cast_row<'h, I: Structure>(
    index: &Index<I>,
    (rows, directions, row): (Rows<'_, I::Scalar>, &[I::Scalar], usize),
    latest: f64,
    layers: Option<u32>,
    hits: &'h mut Vec<Hit<Contact<I::Scalar>>>,
) -> Option<&'h Hit<Contact<I::Scalar>>> {
    let direction = [directions[2 * row], directions[2 * row + 1]];
    index.query_first_few(Among::new(Sweep::endless(rows.get(row), direction), layers), 1, hits);
    hits.first().filter(|hit| hit.rank.time() <= latest)
}

/// All pairs of overlapping boxes (lower id, higher id), each once, in the order of the structure.
///
/// # Errors
/// Returns an error if memory runs out or the call is stopped.
pub fn pairs_in<I: Structure>(index: &Index<I>, call: Call<'_>) -> Result<Vec<(u32, u32)>, Error> {
    pairs_that(index, index.len(), call, usize::MAX, &|_, _| true).map(Option::unwrap_or_default)
}

/// Pairs that come in parts.
pub(crate) trait InParts: Sync {
    /// Visits the pairs of one part.
    fn visit<B>(&self, part: Part, visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B>;
}

impl<I: Structure> InParts for Index<I> {
    fn visit<B>(&self, part: Part, visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.pairs_part_visit(part, visit)
    }
}

/// The pairs between two sets.
impl<I: Structure, J: Structure<Scalar = I::Scalar>> InParts for (&Index<I>, &Index<J>) {
    fn visit<B>(&self, part: Part, visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.pairs_with_part_visit(self.1, part, visit)
    }
}

impl<S: Scalar> InParts for PairsInParts<S> {
    fn visit<B>(&self, part: Part, visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.part_visit(part, visit)
    }
}

/// The requested pairs of this many boxes; `None` if a piece of the work finds more than `most`.
pub(crate) fn pairs_that(
    pairs_in_parts: &impl InParts,
    boxes: usize,
    call: Call<'_>,
    most: usize,
    is_wanted: &(dyn Fn(u32, u32) -> bool + Sync),
) -> Result<Option<Vec<(u32, u32)>>, Error> {
    let pieces = call.parts();
    // If no pair is found for long, the call is checked at the end of a part.
    let each = (boxes >> 13).clamp(1, 64);
    let found = call.each(pieces, &|piece, pulse| {
        let (mut pairs, mut unwanted) = (Column::new(pulse), 0);
        for part in Part::all(pieces * each).skip(piece * each).take(each) {
            pulse.beat()?;
            let walk = pairs_in_parts.visit(part, |a, b| {
                if !is_wanted(a, b) {
                    unwanted += 1;
                    return unless_full(pulse.beat_at_answer(unwanted));
                }
                if pairs.len() < most { unless_full(pairs.push((a, b))) } else { Break(Ok(())) }
            });
            if let Break(done) = walk {
                return done.map(|()| None);
            }
        }
        Ok(Some(pairs.into_answers()))
    })?;
    found.into_iter().collect::<Option<_>>().map(joined).transpose()
}

/// All pairs, in memory that is reused.
///
/// # Errors
/// Returns an error if there is no memory for all pairs: then `pairs` is empty.
pub fn pairs_into<I: Structure>(index: &Index<I>, pairs: &mut Vec<[u32; 2]>) -> Result<(), Error> {
    refill(pairs, |all| index.pairs_visit(|a, b| unless_full(all.push([a, b]))))
}

/// All pairs of a box and one of another set, in memory that is reused.
///
/// # Errors
/// As for [`pairs_into`].
pub fn pairs_with_into<I: Structure>(
    index: &Index<I>,
    others: &Index<I>,
    pairs: &mut Vec<[u32; 2]>,
) -> Result<(), Error> {
    refill(pairs, |all| index.pairs_with_visit(others, |a, b| unless_full(all.push([a, b]))))
}

/// What a walk finds, in memory that is reused.
fn refill<T>(
    found: &mut Vec<T>,
    walk: impl FnOnce(&mut Column<'_, T>) -> ControlFlow<Result<(), Error>>,
) -> Result<(), Error> {
    found.clear();
    let pulse = Call::default().pulse();
    let mut all = Column::behind(std::mem::take(found), &pulse);
    if let Break(done) = walk(&mut all) {
        done?;
    }
    *found = all.into_answers();
    Ok(())
}

/// Adds the pairs of one part of the whole.
pub(crate) fn pairs_of_part<I: Structure>(
    index: &Index<I>,
    part: Part,
    pairs: &mut Vec<(u32, u32)>,
) -> Result<(), Error> {
    let pulse = Call::default().pulse();
    let mut all = Column::behind(std::mem::take(pairs), &pulse);
    let walk = index.pairs_part_visit(part, |a, b| unless_full(all.push((a, b))));
    *pairs = all.into_answers();
    if let Break(done) = walk { done } else { Ok(()) }
}

/// The bounds of all nodes or cells of the structure.
///
/// # Errors
/// Returns an error if memory runs out.
pub fn nodes<I: Structure>(index: &Index<I>) -> Result<Vec<Aabb<I::Scalar>>, Error> {
    let mut found = Vec::new();
    refill(&mut found, |all| index.visit_nodes(|node| unless_full(all.push(node.bounds))))?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use quadrille::structures::{AnyOptions, AnyStructure};

    use super::*;

    /// A sequence of small numbers with a long period.
    fn scattered(rows: u32) -> Vec<f64> {
        (0..2 * rows).map(|number| f64::from(number.wrapping_mul(2_654_435_761) >> 20)).collect()
    }

    #[test]
    fn many_rows_are_answered_like_single_ones() {
        let (points, asked) = (scattered(500), scattered(300));
        let boxes = Rows::Points(&points).to_boxes().expect("a few");
        let index = Index::<AnyStructure<f64>>::with_boxes(AnyOptions::FrameTree, &boxes).expect("points");
        let windows: Vec<f64> = asked.chunks_exact(2).flat_map(|p| [p[0], p[1], p[0] + 300.0, p[1] + 300.0]).collect();
        let all = query(&index, Rows::Boxes(&windows), None, Call::default()).expect("windows");
        let near = within_each(&index, Rows::Points(&asked), &[200.0], None, Call::default()).expect("points");
        let first = nearest(&index, Rows::Points(&asked), 5, None, None, Call::default()).expect("points");
        assert!(all.ids.len() > 500 && near.ids.len() > 500, "many answers");
        let (mut seen, mut seen_near) = (0, 0);
        let (mut hits, mut reused) = (Vec::new(), Answers::default());
        for row in 0..300 {
            let (window, point) = (&windows[4 * row..4 * row + 4], &asked[2 * row..2 * row + 2]);
            let one = query(&index, Rows::Boxes(window), None, Call::default()).expect("a window");
            assert_eq!(&all.ids[seen..seen + all.counts[row] as usize], &one.ids);
            seen += one.ids.len();
            let one = within_each(&index, Rows::Points(point), &[200.0], None, Call::default()).expect("a point");
            let range = seen_near..seen_near + near.counts[row] as usize;
            assert_eq!((&near.ids[range.clone()], &near.distances[range]), (&one.ids[..], &one.distances[..]));
            seen_near += one.ids.len();
            let one = nearest(&index, Rows::Points(point), 5, None, None, Call::default()).expect("a point");
            let range = 5 * row..5 * row + 5;
            assert_eq!((&first.ids[range.clone()], &first.ranks[range]), (&one.ids[..], &one.ranks[..]));
            nearest_into(&index, Rows::Points(point), 5, None, None, &mut hits).expect("a point");
            let ranks: Vec<f64> = hits.iter().map(|hit| hit.rank.to_f64()).collect();
            assert_eq!((hits.iter().map(|hit| hit.id).collect(), &ranks), (one.ids, &one.ranks));
            within_into(&index, Rows::Points(point), 200.0, None, &mut reused).expect("a point");
            assert_eq!(Ok(&reused), within_each(&index, Rows::Points(point), &[200.0], None, Call::default()).as_ref());
            let ray = (Rows::Points(point), [1.0, 0.5]);
            let one = cast(&index, ray.0, &ray.1, 900.0, None, Call::default()).expect("a ray");
            let hit = cast_one(&index, ray.0, &ray.1, 900.0, None).expect("a ray");
            let hit = hit.unwrap_or((Nearest::NONE, f64::INFINITY, [0, 0]));
            assert_eq!(hit, (one.ids[0], one.ranks[0], one.normals[0]));
        }
    }
}
