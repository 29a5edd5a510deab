//! Joins of points, lines and polygons by their true shapes, given as well-known binary.

use std::ops::ControlFlow;

use quadrille::internals::is_free;
use quadrille::{Aabb, FrameTree, Index};
use quadrille_shapes::globe::{Edges, Globe, Set, narrow_boxes};
use quadrille_shapes::{Fault, Geometries, Nearest, Predicate, Relation, Wanted, distance, in_common, join_while};

use crate::call::{Call, Column, check_room_for_boxes, filled, room};
use crate::error::Error;
use crate::join::Apart;
use crate::near::near_pairs;
use crate::rows::check_distance;

/// How distances are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Metric {
    /// On the plane, in the unit of the coordinates.
    Plane,
    /// On the earth, in meters; coordinates are degrees of longitude and latitude.
    Geodesic(Edges),
}

impl Metric {
    /// The metric and the edges with these names.
    ///
    /// # Errors
    /// Returns an error if a name is unknown, or the plane does not have such edges.
    pub fn named(metric: &str, edges: &str) -> Result<Self, Error> {
        let edges: Edges = edges.parse().map_err(|what| Error::value(format!("edges: {what}")))?;
        match metric {
            "plane" if edges == Edges::Straight => Ok(Self::Plane),
            "plane" => Err(Error::value("edges: on the plane, edges are straight; others are for metric geodesic")),
            "geodesic" => Ok(Self::Geodesic(edges)),
            _ => Err(Error::value(format!("metric: \"{metric}\" is neither \"plane\" nor \"geodesic\""))),
        }
    }
}

/// Geometries by rows, of which some may have none.
#[derive(Debug, Default)]
pub struct Shapes {
    shapes: Geometries,
    /// The row of each geometry.
    rows: Vec<u32>,
    /// How many rows there are.
    count: u32,
}

/// Bytes of a point while geometries are compared, with room to spare.
const BYTES_OF_A_POINT: usize = 128;

impl Shapes {
    /// No rows yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a row: well-known binary, or nothing. Empty geometries are in no join.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a geometry: it names the row and what is wrong.
    pub fn push(&mut self, wkb: Option<&[u8]>) -> Result<(), Error> {
        self.push_with(|shapes| wkb.map_or(Ok(false), |bytes| shapes.push_wkb(bytes)))
    }

    /// Adds a row through a function that pushes its geometry and returns whether there was any.
    ///
    /// # Errors
    /// Returns an error that says what is wrong, after the row.
    pub fn push_with(&mut self, push: impl FnOnce(&mut Geometries) -> Result<bool, String>) -> Result<(), Error> {
        let row = self.count;
        self.rows.try_reserve(1).map_err(|_| refusal(Fault::Memory))?;
        if push(&mut self.shapes).map_err(|what| refusal_of_row(row, &what))? {
            self.rows.push(row);
        }
        self.count = row.checked_add(1).ok_or_else(|| Error::value("there are too many rows"))?;
        Ok(())
    }

    /// The boxes of all rows, four numbers each; those of rows without a geometry are NaN.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub fn bounds(&self) -> Result<Vec<f64>, Error> {
        self.boxes_of_rows(|number| self.shapes.bounds(number))
    }

    fn boxes_of_rows(&self, of: impl Fn(u32) -> Aabb<f64>) -> Result<Vec<f64>, Error> {
        let mut all = filled(f64::NAN, 4 * self.len())?;
        for (number, row) in (0..).zip(&self.rows) {
            let bounds = of(number);
            all[4 * *row as usize..][..4].copy_from_slice(&[bounds.min, bounds.max].concat());
        }
        Ok(all)
    }

    /// The area or length that the two rows of each pair have in common.
    ///
    /// # Errors
    /// Returns an error if there is no such row, a geometry cannot be measured, memory runs out, or the call is
    /// stopped.
    pub fn measures(&self, other: &Self, pairs: &[(u32, u32)], call: Call<'_>) -> Result<Vec<f64>, Error> {
        let (pulse, mut measures) = (call.pulse(), room(pairs.len())?);
        self.check_room_beside(other)?;
        for (row, other_row) in pairs {
            pulse.beat()?;
            let both = self.number(*row)?.zip(other.number(*other_row)?);
            let common = both.map_or(Ok(0.0), |(i, j)| in_common(&self.shapes, i, &other.shapes, j));
            measures.push(common.map_err(refusal)?);
        }
        Ok(measures)
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Pairs of rows for which the predicate with this name holds, in order.
    ///
    /// # Errors
    /// Returns an error if the name is unknown, a geometry is not supported, memory runs out or the call is stopped.
    pub fn join(&self, other: &Self, predicate: &str, call: Call<'_>) -> Result<Vec<(u32, u32)>, Error> {
        let predicate: Predicate = predicate.parse().map_err(|what| Error::value(format!("predicate: {what}")))?;
        self.joined(other, Relation::Holds(predicate), call)
    }

    /// Pairs of rows that are no farther apart than a distance, in order.
    ///
    /// # Errors
    /// As [`join`](Self::join); also if the distance is negative or NaN or, on the earth, coordinates are not degrees.
    pub fn join_within(
        &self,
        other: &Self,
        distance: f64,
        metric: Metric,
        call: Call<'_>,
    ) -> Result<Vec<(u32, u32)>, Error> {
        check_distance(distance)?;
        match metric {
            Metric::Plane => self.joined(other, Relation::Within(distance), call),
            Metric::Geodesic(edges) => self.on_globe(other, edges, |globe| {
                let mut pairs = near_pairs(globe, self.shapes.len(), distance, call)?;
                pairs.iter_mut().for_each(|pair| *pair = (self.row(pair.0), other.row(pair.1)));
                Ok(pairs)
            }),
        }
    }

    /// Queries two sets on the earth.
    fn on_globe<R>(
        &self,
        other: &Self,
        edges: Edges,
        answer: impl FnOnce(&Globe<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.check_room_beside(other)?;
        let boxes = [self, other].map(|all| narrow_boxes(&all.shapes));
        let sets = [Set::of(&self.shapes, &boxes[0]), Set::of(&other.shapes, &boxes[1])];
        for ((all, set), name) in [self, other].into_iter().zip(&sets).zip(["a", "b"]) {
            set.check().map_err(|fault| refusal_on_globe(fault, name, |number| all.row(number)))?;
        }
        answer(&Globe::new(sets[0], Some(sets[1]), edges).map_err(refusal)?)
    }

    /// For each row, a box of degrees that holds everything within `most` meters of it, four numbers each; NaN for rows
    /// without a geometry. Its west is in [-180, 180), unless it reaches around the earth.
    ///
    /// # Errors
    /// Returns an error if memory runs out, or coordinates are not degrees.
    pub fn reaches(&self, most: f64, edges: Edges) -> Result<Vec<f64>, Error> {
        let reaches = self.on_globe(&Self::new(), edges, |globe| Ok(globe.reaches(most)))?;
        self.boxes_of_rows(|number| reaches[number as usize])
    }

    fn joined(&self, other: &Self, relation: Relation, call: Call<'_>) -> Result<Vec<(u32, u32)>, Error> {
        self.check_room_beside(other)?;
        let pulse = call.pulse();
        let joined = join_while(&self.shapes, &other.shapes, relation, &mut || pulse.beat().is_ok());
        let mut pairs = joined.map_err(refusal)?;
        pairs.iter_mut().for_each(|pair| *pair = (self.row(pair.0), other.row(pair.1)));
        pairs.sort_unstable();
        Ok(pairs)
    }

    /// For each row here, the nearest rows of the others with their distances: `count` of them, or (`None`) all at the
    /// least distance, none farther than `most`. `exclusive` leaves out equal geometries.
    ///
    /// # Errors
    /// Returns an error if `most` is negative or NaN, if memory runs out or the call is stopped, or if, on the earth,
    /// coordinates are not degrees.
    pub fn nearest(
        &self,
        other: &Self,
        (count, most): (Option<usize>, f64),
        exclusive: bool,
        metric: Metric,
        call: Call<'_>,
    ) -> Result<Apart, Error> {
        check_distance(most)?;
        let pulse = call.pulse();
        let wanted = Wanted { count: count.unwrap_or(1), most, has_ties: count.is_none(), but_itself: false };
        let mut pairs = Column::beside(other.len(), &pulse);
        let mut distances = Column::beside(other.len(), &pulse);
        let mut take = |i, others: &[(u32, f64)]| {
            let mut pushed = others
                .iter()
                .map(|(j, distance)| pairs.push((self.row(i), other.row(*j))).and_then(|()| distances.push(*distance)));
            go_on(pushed.try_for_each(|pushed| pushed).and_then(|()| pulse.beat()))
        };
        self.check_room_beside(other)?;
        let both = (&self.shapes, &other.shapes);
        let stopped = match metric {
            Metric::Plane => {
                let index = Index::<FrameTree<f64>>::from_boxes(&other.shapes.boxes())
                    .map_err(|error| Error::no_memory(error.to_string()))?;
                let nearest = Nearest::new(&other.shapes, &index);
                if exclusive {
                    visit_but_equal(both, wanted, |i, wanted| nearest.to(&self.shapes, i, wanted), take)
                } else {
                    nearest.to_each(&self.shapes, wanted, take)
                }
            }
            Metric::Geodesic(edges) => self.on_globe(other, edges, |globe| {
                let nearest = globe.nearest().map_err(refusal)?;
                Ok(if exclusive {
                    visit_but_equal(both, wanted, |i, wanted| globe.nearest_to(&nearest, i, wanted), &mut take)
                } else {
                    globe.visit_nearest(&nearest, wanted, &mut take)
                })
            })?,
        };
        stopped.break_value().map_or_else(|| Ok((pairs.into_answers(), distances.into_answers())), Err)
    }

    /// The distance between a row here and one of the others; infinite if one has no geometry.
    ///
    /// # Errors
    /// Returns an error if there is no such row.
    pub fn distance(&self, row: u32, other: &Self, other_row: u32) -> Result<f64, Error> {
        let (i, j) = (self.number(row)?, other.number(other_row)?);
        Ok(i.zip(j).map_or(f64::INFINITY, |(i, j)| distance(&self.shapes, i, &other.shapes, j)))
    }

    /// Checks that there is memory to compare these with others: without it, that work would end the process.
    fn check_room_beside(&self, other: &Self) -> Result<(), Error> {
        check_room_for_boxes(self.len() + other.len())?;
        let points = self.shapes.count_vertices() + other.shapes.count_vertices();
        if is_free(points.saturating_mul(BYTES_OF_A_POINT)) { Ok(()) } else { Err(refusal(Fault::Memory)) }
    }

    fn row(&self, number: u32) -> u32 {
        self.rows[number as usize]
    }

    /// The geometry of a row, if it has one.
    fn number(&self, row: u32) -> Result<Option<u32>, Error> {
        if row >= self.count {
            return Err(Error::unknown(format!("there is no row {row}: there are {}", self.count)));
        }
        Ok(self.rows.binary_search(&row).ok().map(|number| number as u32))
    }
}

#[cold]
pub(crate) fn refusal(fault: Fault) -> Error {
    match fault {
        Fault::Stopped => Error::stopped(),
        Fault::Memory => Error::no_memory("geometries and answers do not fit into memory"),
        Fault::TooMany => Error::no_memory(fault.to_string()),
        other => Error::value(other.to_string()),
    }
}

/// What is off the earth, in the set of this name.
#[cold]
pub(crate) fn refusal_on_globe(fault: Fault, name: &str, row: impl Fn(u32) -> u32) -> Error {
    let Fault::OffEarth(number, what) = fault else { return refusal(fault) };
    let row = row(number);
    Error::value(format!("{name}: row {row}: {what}; metric geodesic needs degrees of longitude and latitude"))
}

/// What is wrong with the geometry in a row.
#[cold]
fn refusal_of_row(row: u32, what: &str) -> Error {
    let told = format!("row {row} {what}");
    if what == Fault::Memory.to_string() { Error::no_memory(told) } else { Error::value(told) }
}

/// Whether a call may continue.
fn go_on(done: Result<(), Error>) -> ControlFlow<Error> {
    done.map_or_else(ControlFlow::Break, ControlFlow::Continue)
}

/// Visits each geometry of `a` with the nearest of those not equal to it.
fn visit_but_equal(
    (a, b): (&Geometries, &Geometries),
    wanted: Wanted,
    nearest: impl Fn(u32, Wanted) -> Vec<(u32, f64)>,
    mut visit: impl FnMut(u32, &[(u32, f64)]) -> ControlFlow<Error>,
) -> ControlFlow<Error> {
    (0..a.len() as u32).try_for_each(|i| {
        let mut equal = Vec::new();
        for (j, _) in nearest(i, Wanted { count: usize::MAX, most: 0.0, ..wanted }) {
            match Predicate::Equals.holds(a, i, b, j) {
                Ok(true) => equal.push(j),
                Ok(false) => {}
                Err(fault) => return ControlFlow::Break(refusal(fault)),
            }
        }
        // This many more have to be found.
        let mut found = nearest(i, Wanted { count: wanted.count.saturating_add(equal.len()), ..wanted });
        found.retain(|(j, _)| !equal.contains(j));
        if !wanted.has_ties {
            found.truncate(wanted.count);
        }
        visit(i, &found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point as well-known binary.
    fn point(x: f64, y: f64) -> Vec<u8> {
        let mut bytes = vec![1, 1, 0, 0, 0];
        bytes.extend(x.to_le_bytes());
        bytes.extend(y.to_le_bytes());
        bytes
    }

    #[test]
    fn rows_without_geometry_keep_their_numbers() {
        let mut shapes = Shapes::new();
        let rows = [Some(point(0.0, 0.0)), None, Some(point(f64::NAN, f64::NAN)), Some(point(3.0, 4.0))];
        rows.iter().for_each(|row| shapes.push(row.as_deref()).expect("points, one empty"));
        assert_eq!(shapes.len(), 4);
        let call = Call::default;
        assert_eq!(shapes.join(&shapes, "intersects", call()), Ok(vec![(0, 0), (3, 3)]));
        assert_eq!(shapes.join_within(&shapes, 5.0, Metric::Plane, call()), Ok(vec![(0, 0), (0, 3), (3, 0), (3, 3)]));
        let nearest = |exclusive| shapes.nearest(&shapes, (None, f64::INFINITY), exclusive, Metric::Plane, call());
        assert_eq!(nearest(true), Ok((vec![(0, 3), (3, 0)], vec![5.0; 2])));
        assert_eq!(nearest(false), Ok((vec![(0, 0), (3, 3)], vec![0.0; 2])));
        assert_eq!(shapes.distance(0, &shapes, 3), Ok(5.0));
        assert_eq!(shapes.distance(0, &shapes, 1), Ok(f64::INFINITY));
        assert!(shapes.distance(0, &shapes, 4).is_err());
    }

    #[test]
    fn what_is_no_geometry_is_told_by_row() {
        let mut shapes = Shapes::new();
        shapes.push(None).expect("nothing");
        let told = shapes.push(Some(&[1, 1, 0])).expect_err("cut off").to_string();
        assert!(told.starts_with("row 1 "), "{told}");
        assert_eq!(shapes.len(), 1, "nothing was added");
        assert!(shapes.join(&shapes, "near", Call::default()).is_err());
    }

    #[test]
    fn on_the_earth_rows_are_near_across_the_antimeridian() {
        let mut shapes = Shapes::new();
        let rows = [Some(point(179.999, 0.0)), None, Some(point(-179.999, 0.0)), Some(point(170.0, 0.0))];
        rows.iter().for_each(|row| shapes.push(row.as_deref()).expect("points"));
        let earth = Metric::named("geodesic", "straight").expect("known");
        let within = |most| shapes.join_within(&shapes, most, earth, Call::default());
        assert_eq!(within(223.0), Ok(vec![(0, 0), (0, 2), (2, 0), (2, 2), (3, 3)]));
        for (shapes, metric) in [(&shapes, earth), (&shapes, Metric::Plane)] {
            for none in [-1.0, f64::NAN] {
                let told = Err(Error::value(format!("a distance is zero or more, not {none}")));
                assert_eq!(shapes.join_within(shapes, none, metric, Call::default()), told);
                assert_eq!(shapes.nearest(shapes, (None, none), false, metric, Call::default()).map(|all| all.0), told);
            }
        }
        let (rows, far) = shapes.nearest(&shapes, (Some(1), 1e6), true, earth, Call::default()).expect("degrees");
        assert_eq!(rows, [(0, 2), (2, 0)], "the last is more than a thousand kilometers away");
        assert!((far[0] - 222.639).abs() < 1e-3);
        let reaches = shapes.reaches(1000.0, Edges::Straight).expect("degrees");
        assert!(reaches[0] < 179.99 && reaches[2] > 180.0 && reaches[4].is_nan() && reaches[8] >= -180.0);

        shapes.push(Some(&point(0.0, 91.0))).expect("a point");
        let told = shapes.nearest(&Shapes::new(), (None, 1.0), false, earth, Call::default()).expect_err("no degrees");
        assert!(told.to_string().starts_with("a: row 4: latitude 91 is beyond a pole"), "{told}");
        assert!(Metric::named("plane", "geodesic").is_err() && Metric::named("sphere", "straight").is_err());
    }
}
