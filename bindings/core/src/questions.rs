//! Questions about many rows at once, answered as arrays.

use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;

use quadrille::{Aabb, Hit, Index, Near, Overlaps, Part, Ranked, Structure, Sweep};

use crate::curve::along_a_curve;
use crate::error::Error;
use crate::nearest::Neighborhood;
use crate::number::{Number, is_blurred};
use crate::rows::{Rows, check_distance, check_questions, check_stored};
use crate::threads::Threads;

/// A structure of a scalar that distances are known of.
pub trait Arranged: Structure<Scalar: Number> {}

impl<I: Structure<Scalar: Number>> Arranged for I {}

/// The answers to many questions, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    /// How many answers each question has.
    pub counts: Vec<u32>,
    /// All answers: those to the first question, then those to the second, …
    pub ids: Vec<u32>,
    /// How far away each answer is, if that was asked.
    pub distances: Vec<f64>,
}

impl Answers {
    fn joined(parts: Vec<Self>) -> Self {
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_default();
        parts.fold(first, |mut all, part| {
            all.counts.extend(part.counts);
            all.ids.extend(part.ids);
            all.distances.extend(part.distances);
            all
        })
    }

    /// Question by question what was found in the given order of questions.
    fn in_order_of_rows(self, order: &[u32]) -> Self {
        if order.is_sorted() {
            return self;
        }
        let (mut spans, mut end) = (vec![0..0; order.len()], 0);
        for (&row, &count) in order.iter().zip(&self.counts) {
            spans[row as usize] = end..end + count as usize;
            end += count as usize;
        }
        let counts = spans.iter().map(|span| span.len() as u32).collect();
        let (mut ids, mut distances) = (Vec::with_capacity(end), Vec::with_capacity(self.distances.len()));
        for span in spans {
            ids.extend_from_slice(&self.ids[span.clone()]);
            distances.extend_from_slice(self.distances.get(span).unwrap_or_default());
        }
        Self { counts, ids, distances }
    }

    /// Forgets all answers and keeps their memory.
    fn clear(&mut self) {
        self.counts.clear();
        self.ids.clear();
        self.distances.clear();
    }

    /// Notes that all answers found since the last call are those to one question.
    fn close(&mut self, start: usize) {
        self.counts.push((self.ids.len() - start) as u32);
    }
}

/// The boxes that overlap each of the rows.
///
/// # Errors
/// If a row is NaN or inverted.
pub fn query<I: Arranged>(index: &Index<I>, rows: Rows<'_, I::Scalar>, threads: Threads) -> Result<Answers, Error> {
    check_questions(rows)?;
    let order = along_a_curve(rows);
    let ask = |places: Range<usize>| {
        let mut found = Answers::default();
        overlapping(index, rows, order[places].iter().map(|&row| row as usize), usize::MAX, &mut found);
        found
    };
    Ok(Answers::joined(threads.share(rows.len(), &ask)).in_order_of_rows(&order))
}

/// What [`query`] gives, in memory that has been used before; the first `most` answers to each question, one at least.
///
/// # Errors
/// If a row is NaN or inverted.
pub fn query_into<I: Arranged>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    most: usize,
    found: &mut Answers,
) -> Result<(), Error> {
    check_questions(rows)?;
    found.clear();
    overlapping(index, rows, 0..rows.len(), most, found);
    Ok(())
}

fn overlapping<I: Arranged>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    asked: impl Iterator<Item = usize>,
    most: usize,
    found: &mut Answers,
) {
    for row in asked {
        let start = found.ids.len();
        let _: ControlFlow<()> = index.query_visit(Overlaps(rows.get(row)), |id| {
            found.ids.push(id);
            if found.ids.len() - start < most { Continue(()) } else { Break(()) }
        });
        found.close(start);
    }
}

/// The boxes no farther than `distance` from each of the rows, and how far away they are.
///
/// # Errors
/// If a row is NaN, infinite or inverted, or the distance is negative or NaN.
pub fn within_of<I: Arranged>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    distance: f64,
    threads: Threads,
) -> Result<Answers, Error> {
    check_stored(rows)?;
    check_distance(distance)?;
    let (reach, limit) = (I::Scalar::not_less_than(distance), I::Scalar::limit(distance));
    let order = along_a_curve(rows);
    let ask = |places: Range<usize>| {
        let mut found = Answers::default();
        for &row in &order[places] {
            let (start, asked) = (found.ids.len(), rows.get(row as usize));
            let _ = visit_near(index, Near::aabb(asked).within(reach), &mut |id| {
                if let Some(distance) = limit.distance(&asked, &bounds(index, id)) {
                    found.ids.push(id);
                    found.distances.push(distance);
                }
                Continue(())
            });
            found.close(start);
        }
        found
    };
    Ok(Answers::joined(threads.share(rows.len(), &ask)).in_order_of_rows(&order))
}

/// The nearest boxes: `most` places for each question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nearest {
    /// Row by row, `most` places each, the nearest first; [`NONE`](Self::NONE) where there are fewer answers.
    pub ids: Vec<u32>,
    /// Their distances, or times of first contact; infinite where there is no answer.
    pub ranks: Vec<f64>,
    /// For casts, the side that is hit: outward, x and y. Zeros where there is no answer.
    pub normals: Vec<[i8; 2]>,
}

impl Nearest {
    /// In place of an id.
    pub const NONE: u32 = u32::MAX;

    fn joined(parts: Vec<Self>) -> Self {
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_default();
        parts.fold(first, |mut all, part| {
            all.ids.extend(part.ids);
            all.ranks.extend(part.ranks);
            all.normals.extend(part.normals);
            all
        })
    }

    /// Row by row what was found in the given order of rows, without normals.
    fn in_order_of_rows(self, order: &[u32], most: usize) -> Self {
        if order.is_sorted() {
            return self;
        }
        let (mut ids, mut ranks) = (vec![Self::NONE; self.ids.len()], vec![f64::INFINITY; self.ranks.len()]);
        for (place, &row) in order.iter().enumerate() {
            let (from, to) = (place * most, row as usize * most);
            ids[to..to + most].copy_from_slice(&self.ids[from..from + most]);
            ranks[to..to + most].copy_from_slice(&self.ranks[from..from + most]);
        }
        Self { ids, ranks, normals: self.normals }
    }
}

/// The `most` boxes that are nearest to each of the rows, none farther than `distance` if that is given. Boxes at equal distances come in
/// the order of their ids.
///
/// # Errors
/// If a row is NaN, infinite or inverted, or the distance is negative or NaN.
pub fn nearest<I: Arranged>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    most: usize,
    distance: Option<f64>,
    threads: Threads,
) -> Result<Nearest, Error> {
    check_stored(rows)?;
    distance.map_or(Ok(()), check_distance)?;
    let reach = distance.map(I::Scalar::not_less_than);
    let limit = I::Scalar::limit(distance.unwrap_or(f64::INFINITY));
    let order = along_a_curve(rows);
    let ask = |places: Range<usize>| {
        let (mut found, mut near, mut neighborhood) = (Nearest::default(), Vec::new(), Neighborhood::new(most));
        for &row in &order[places] {
            let asked = rows.get(row as usize);
            let close = |id| limit.distance(&asked, &bounds(index, id)).map(|distance| (distance, id));
            near.clear();
            near.extend(neighborhood.first(index, Near::aabb(asked), reach).filter_map(close));
            if near.iter().any(|&(distance, _)| is_blurred(distance)) {
                near.clear();
                let question = reach.map_or(Near::aabb(asked), |reach| Near::aabb(asked).within(reach));
                let _ = visit_near(index, question, &mut |id| {
                    near.extend(close(id));
                    Continue(())
                });
                near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                near.truncate(most);
            }
            let end = found.ids.len() + most;
            found.ids.extend(near.iter().map(|&(_, id)| id));
            found.ranks.extend(near.iter().map(|&(distance, _)| distance));
            found.ids.resize(end, Nearest::NONE);
            found.ranks.resize(end, f64::INFINITY);
        }
        found
    };
    Ok(Nearest::joined(threads.share(rows.len(), &ask)).in_order_of_rows(&order, most))
}

/// The first box that each ray or moving box hits: from `rows` on along `directions` (x and y each), up to `latest` times the direction.
///
/// # Errors
/// If a row is NaN, infinite or inverted, or a direction is NaN or infinite.
pub fn cast<I: Arranged>(
    index: &Index<I>,
    rows: Rows<'_, I::Scalar>,
    directions: &[I::Scalar],
    latest: f64,
    threads: Threads,
) -> Result<Nearest, Error> {
    check_stored(rows)?;
    check_stored(Rows::Points(directions))
        .map_err(|error| Error::value(error.to_string().replace("the point", "the direction")))?;
    if latest.is_nan() || latest < 0.0 {
        return Err(Error::value(format!("a time is zero or more, not {latest}")));
    }
    let ask = |rows_of_part: Range<usize>| {
        let (mut found, mut hits) = (Nearest::default(), Vec::new());
        for row in rows_of_part {
            let direction = [directions[2 * row], directions[2 * row + 1]];
            first(index, Sweep::endless(rows.get(row), direction), 1, &mut hits);
            let hit = hits.first().filter(|hit| hit.rank.time() <= latest);
            found.ids.push(hit.map_or(Nearest::NONE, |hit| hit.id));
            found.ranks.push(hit.map_or(f64::INFINITY, |hit| hit.rank.time()));
            found.normals.push(hit.map_or([0, 0], |hit| hit.rank.normal()));
        }
        found
    };
    Ok(Nearest::joined(threads.share(rows.len(), &ask)))
}

/// All pairs of overlapping boxes (lower id, higher id), each once, in the order of the structure.
#[must_use]
pub fn pairs_in<I: Arranged>(index: &Index<I>, threads: Threads) -> Vec<(u32, u32)> {
    let parts: Vec<Part> = Part::all(threads.parts()).collect();
    let mut found = threads.each(parts.len(), &|number| {
        let mut pairs = Vec::new();
        pairs_of_part(index, parts[number], &mut pairs);
        pairs
    });
    if found.len() == 1 { found.swap_remove(0) } else { found.concat() }
}

/// What [`pairs_in`] gives, in memory that has been used before.
///
/// # Errors
/// If there are more pairs than there is memory for. There are none in `pairs` then.
pub fn pairs_into<I: Arranged>(index: &Index<I>, pairs: &mut Vec<[u32; 2]>) -> Result<(), Error> {
    pairs.clear();
    let walk = index.pairs_visit(|a, b| {
        if pairs.len() == pairs.capacity() && pairs.try_reserve(1).is_err() {
            return Break(());
        }
        pairs.push([a, b]);
        Continue(())
    });
    if walk.is_break() {
        let found = pairs.len();
        *pairs = Vec::new();
        return Err(Error::value(format!("there is no memory for more than {found} pairs")));
    }
    Ok(())
}

/// Adds the pairs of one part of the whole.
pub(crate) fn pairs_of_part<I: Arranged>(index: &Index<I>, part: Part, pairs: &mut Vec<(u32, u32)>) {
    let _: ControlFlow<()> = index.pairs_part_visit(part, |a, b| {
        pairs.push((a, b));
        Continue(())
    });
}

/// The bounds of all nodes or cells of the structure.
#[must_use]
pub fn nodes<I: Arranged>(index: &Index<I>) -> Vec<Aabb<I::Scalar>> {
    let mut found = Vec::new();
    let _: ControlFlow<()> = index.visit_nodes(|node| {
        found.push(node.bounds);
        Continue(())
    });
    found
}

fn first<I: Arranged, Q: Ranked<I::Scalar>>(index: &Index<I>, question: Q, most: usize, hits: &mut Vec<Hit<Q::Rank>>) {
    index.query_first_into(question, most, hits);
}

/// Visits what is near, once compiled for all who ask.
pub(crate) fn visit_near<I: Arranged>(
    index: &Index<I>,
    question: Near<I::Scalar>,
    visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    index.query_visit(question, visit)
}

#[inline]
pub(crate) fn bounds<I: Arranged>(index: &Index<I>, id: u32) -> Aabb<I::Scalar> {
    index.get(id).expect("an answer is an id in use")
}

#[cfg(test)]
mod tests {
    use quadrille::{AnyOptions, AnyStructure};

    use super::*;

    /// A row of small numbers that repeat late.
    fn scattered(rows: u32) -> Vec<f64> {
        (0..2 * rows).map(|number| f64::from(number.wrapping_mul(2_654_435_761) >> 20)).collect()
    }

    #[test]
    fn many_rows_are_answered_like_single_ones() {
        let (points, asked) = (scattered(500), scattered(300));
        let boxes = Rows::Points(&points).to_boxes();
        let index = Index::<AnyStructure<f64>>::with_boxes(AnyOptions::FrameTree, &boxes).expect("points");
        let windows: Vec<f64> = asked.chunks_exact(2).flat_map(|p| [p[0], p[1], p[0] + 300.0, p[1] + 300.0]).collect();
        let all = query(&index, Rows::Boxes(&windows), Threads::One).expect("windows");
        let near = within_of(&index, Rows::Points(&asked), 200.0, Threads::One).expect("points");
        let first = nearest(&index, Rows::Points(&asked), 5, None, Threads::One).expect("points");
        assert!(all.ids.len() > 500 && near.ids.len() > 500, "many answers");
        let (mut seen, mut seen_near) = (0, 0);
        for row in 0..300 {
            let (window, point) = (&windows[4 * row..4 * row + 4], &asked[2 * row..2 * row + 2]);
            let one = query(&index, Rows::Boxes(window), Threads::One).expect("a window");
            assert_eq!(&all.ids[seen..seen + all.counts[row] as usize], &one.ids);
            seen += one.ids.len();
            let one = within_of(&index, Rows::Points(point), 200.0, Threads::One).expect("a point");
            let places = seen_near..seen_near + near.counts[row] as usize;
            assert_eq!((&near.ids[places.clone()], &near.distances[places]), (&one.ids[..], &one.distances[..]));
            seen_near += one.ids.len();
            let one = nearest(&index, Rows::Points(point), 5, None, Threads::One).expect("a point");
            let places = 5 * row..5 * row + 5;
            assert_eq!((&first.ids[places.clone()], &first.ranks[places]), (&one.ids[..], &one.ranks[..]));
        }
    }
}
