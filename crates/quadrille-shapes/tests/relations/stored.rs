//! What the store takes, and what it refuses.

use geo::{Coord, Geometry, GeometryCollection, LineString, MultiLineString, Point, Rect, line_string, polygon};
use quadrille_shapes::{Fault, Geometries, Part, Predicate, join, relate};

use crate::made::push;
use crate::truth;

/// Parts, and the points of each.
type Parts<'a> = &'a [(Part, &'a [[f64; 2]])];

fn finished(parts: Parts<'_>) -> (Result<bool, Fault>, Geometries) {
    let mut all = Geometries::new();
    for (part, points) in parts {
        all.part(*part);
        points.iter().for_each(|[x, y]| all.vertex(*x, *y));
    }
    (all.finish(), all)
}

#[test]
fn bad_geometries_are_refused_with_a_reason() {
    const SQUARE: &[[f64; 2]] = &[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [0.0, 0.0]];
    let cases: [(Parts<'_>, &str); 6] = [
        (&[(Part::Point, &[[f64::NAN, 1.0]])], "has the coordinate NaN, which is not finite"),
        (&[(Part::Line, &[[0.0, 1.0], [f64::INFINITY, 1.0]])], "has the coordinate inf, which is not finite"),
        (&[(Part::Shell, &SQUARE[..4])], "has a ring that is not closed: it begins at 0 0 and ends at 0 4"),
        (
            &[(Part::Shell, &[[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]])],
            "has a ring of 3 positions; it needs four or more, and the last repeats the first",
        ),
        (&[(Part::Line, &[[2.5, 1.0]])], "has a line of one position, 2.5 1"),
        (
            &[(Part::Shell, SQUARE), (Part::Hole, &SQUARE[1..])],
            "has a ring that is not closed: it begins at 4 0 and ends at 0 0",
        ),
    ];
    for (parts, message) in cases {
        let (finished, all) = finished(parts);
        assert_eq!(finished.map_err(|fault| fault.to_string()), Err(message.to_owned()));
        assert!(all.is_empty());
    }
}

#[test]
fn what_was_refused_or_empty_leaves_nothing_behind() {
    let mut all = Geometries::new();
    for _ in 0..3 {
        all.part(Part::Point);
        all.vertex(1.0, 1.0);
        all.part(Part::Line);
        all.vertex(f64::NAN, 0.0);
        assert!(all.finish().is_err());
        assert_eq!(all.finish(), Ok(false));
        all.part(Part::Point);
        all.vertex(f64::NAN, f64::NAN);
        all.part(Part::Line);
        assert_eq!(all.finish(), Ok(false));
    }
    assert_eq!(push(&mut all, &Point::new(-0.0, 2.0).into()), Ok(true));
    assert_eq!(push(&mut all, &Point::new(0.0, 2.0).into()), Ok(true));
    assert_eq!(Predicate::Equals.holds(&all, 0, &all, 1), Ok(true));
}

#[test]
fn repeated_places_change_nothing() {
    let mut all = Geometries::new();
    let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [0.0, 0.0]];
    for repeats in 1..4 {
        all.part(Part::Shell);
        square.iter().flat_map(|point| vec![point; repeats]).for_each(|[x, y]| all.vertex(*x, *y));
        assert_eq!(all.finish(), Ok(true));
    }
    // A line of no length is a point.
    assert_eq!(push(&mut all, &line_string![(x: 1.0, y: 1.0), (x: 1.0, y: 1.0)].into()), Ok(true));
    assert_eq!(push(&mut all, &Point::new(1.0, 1.0).into()), Ok(true));
    let matrix = |a, b| relate(&all, a, &all, b).map(|matrix| matrix.to_string());
    assert_eq!([matrix(0, 1), matrix(0, 2), matrix(2, 0)], ["2FFF1FFF2"; 3].map(|text| Ok(text.into())));
    assert_eq!(matrix(3, 4), Ok("0FFFFFFF2".into()));
}

#[test]
fn collections_of_different_things_can_be_asked_whether_they_are_met() {
    let squares = [Rect::new((0.0, 0.0), (4.0, 4.0)), Rect::new((2.0, 2.0), (6.0, 6.0))];
    let overlapping: Vec<Geometry<f64>> = squares.iter().map(|square| square.to_polygon().into()).collect();
    let line: LineString<f64> = line_string![(x: 10.0, y: 0.0), (x: 10.0, y: 9.0)];
    let mixed: Vec<Geometry<f64>> = vec![squares[0].to_polygon().into(), line.into(), Point::new(20.0, 20.0).into()];
    let mut all = Geometries::new();
    for members in [overlapping, mixed] {
        assert_eq!(push(&mut all, &Geometry::GeometryCollection(GeometryCollection(members))), Ok(true));
    }
    let mut points = Geometries::new();
    // In both squares, in one, on the line, at the point, nowhere.
    for (x, y) in [(3.0, 3.0), (1.0, 1.0), (10.0, 5.0), (20.0, 20.0), (9.0, 9.0)] {
        assert_eq!(push(&mut points, &Point::new(x, y).into()), Ok(true));
    }
    let mut pairs = join(&all, &points, Predicate::Intersects).unwrap_or_default();
    pairs.sort_unstable();
    assert_eq!(pairs, [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (1, 3)]);
    assert_eq!(Predicate::Contains.holds(&points, 0, &all, 1), Err(Fault::Mixed(1)));
    assert_eq!(join(&all, &points, Predicate::Contains), Err(Fault::Mixed(0)));
    // One member is what it is.
    let one = Geometry::GeometryCollection(GeometryCollection(vec![squares[1].to_polygon().into()]));
    assert_eq!(push(&mut points, &one), Ok(true));
    assert_eq!(Predicate::Contains.holds(&points, 5, &points, 0), Ok(true));
}

#[test]
fn predicates_have_names() {
    for &predicate in Predicate::ALL {
        assert_eq!(predicate.to_string().parse(), Ok(predicate));
    }
    assert_eq!("coveredBy".parse(), Ok(Predicate::CoveredBy));
    assert_eq!("covered_by".parse(), Ok(Predicate::CoveredBy));
    let message = "nearby".parse::<Predicate>().unwrap_err().to_string();
    assert!(message.starts_with("no predicate is named `nearby`; there are: intersects disjoint "), "{message}");
}

#[test]
fn what_was_put_aside_is_taken_back_as_it_was() {
    let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [0.0, 0.0]];
    // A ring that is refused if it is given: one point and nothing else. A hole that turns as it was given.
    let spike = [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]];
    let bow = [[0.0, 0.0], [3.0, 3.0], [3.0, 0.0], [0.0, 3.0], [0.0, 0.0]];
    let shapes: [Parts<'_>; 6] = [
        &[(Part::Point, &square[..1]), (Part::Point, &square[2..3])],
        &[(Part::Line, &square[..3]), (Part::Point, &spike[..1])],
        &[(Part::Shell, &square)],
        &[(Part::Shell, &square), (Part::Hole, &bow), (Part::Shell, &bow)],
        &[(Part::Shell, &spike)],
        &[(Part::Line, &bow)],
    ];
    let (mut all, mut back) = (Geometries::new(), Geometries::new());
    for parts in shapes {
        parts.iter().for_each(|(part, points)| {
            all.part(*part);
            points.iter().for_each(|[x, y]| all.vertex(*x, *y));
        });
        assert_eq!(all.finish(), Ok(true));
    }
    for number in (0..all.len() as u32).rev() {
        let mut bytes = Vec::new();
        all.write_bytes(number, &mut bytes);
        assert_eq!(back.push_bytes(&bytes), Ok(()));
        // Cut, it is refused, and nothing of it stays.
        assert_eq!(back.push_bytes(&bytes[..bytes.len() - 1]), Err(Fault::Bytes));
        let last = back.len() as u32 - 1;
        assert_eq!(back.parts(last).collect::<Vec<_>>(), all.parts(number).collect::<Vec<_>>());
        assert_eq!((back.bounds(last), back.is_box(last)), (all.bounds(number), all.is_box(number)));
        assert_eq!(relate(&back, last, &all, number).is_ok(), relate(&all, number, &all, number).is_ok());
    }
    assert_eq!([0, 1, 2, 3, 4, 5].map(|number| all.is_box(number)), [false, false, true, false, false, false]);
}

/// Up to three lines and two lines of no length, on a grid so small that they meet mostly.
fn lines_and_specks(random: &mut fastrand::Rng) -> MultiLineString<f64> {
    let mut place = || Coord { x: f64::from(2 * random.u32(0..4)), y: f64::from(2 * random.u32(0..4)) };
    let mut lines = vec![LineString(vec![place(), place(), place()])];
    lines.extend((0..2).map(|_| LineString(vec![place(), place()])));
    lines.extend((0..2).map(|_| LineString(vec![place(); 2])));
    lines.truncate(random.usize(1..6));
    random.shuffle(&mut lines);
    MultiLineString(lines)
}

#[test]
fn lines_of_no_length_among_others_are_points_of_them() {
    let mut random = fastrand::Rng::with_seed(31);
    let square = Rect::new((2.0, 2.0), (6.0, 6.0)).to_polygon();
    let triangle = polygon![(x: 0.0, y: 0.0), (x: 6.0, y: 2.0), (x: 2.0, y: 6.0)];
    for _ in 0..3_000 {
        let one: Geometry<f64> = lines_and_specks(&mut random).into();
        let others: [Geometry<f64>; 4] = [
            lines_and_specks(&mut random).into(),
            square.clone().into(),
            triangle.clone().into(),
            Point::new(f64::from(2 * random.u32(0..4)), 2.0).into(),
        ];
        for other in others {
            let all = crate::stored(&[&one, &other]);
            for (i, j, pair) in [(0, 1, [&one, &other]), (1, 0, [&other, &one])] {
                let found = relate(&all, i, &all, j).map(|matrix| matrix.to_string());
                assert_eq!(found, Ok(truth::matrix(pair[0], pair[1])), "{pair:?}");
                let meet = Predicate::Touches.holds(&all, i, &all, j);
                assert!(meet.is_ok_and(|meet| !meet || Predicate::Intersects.holds(&all, i, &all, j) == Ok(true)));
            }
        }
    }
    // Also when they were put aside; but a point that was given as one makes a mixture.
    let line = [[0.0, 0.0], [1.0, 1.0]];
    let (_, all) = finished(&[(Part::Line, &line), (Part::Line, &[[2.0, 2.0]; 2])]);
    let (mut bytes, mut back) = (Vec::new(), Geometries::new());
    all.write_bytes(0, &mut bytes);
    assert_eq!(back.push_bytes(&bytes), Ok(()));
    assert_eq!(Predicate::Equals.holds(&all, 0, &back, 0), Ok(true));
    let (_, mixed) = finished(&[(Part::Line, &line), (Part::Line, &[[2.0, 2.0]; 2]), (Part::Point, &[[3.0, 3.0]])]);
    assert_eq!(Predicate::Touches.holds(&mixed, 0, &all, 0), Err(Fault::Mixed(0)));
}
