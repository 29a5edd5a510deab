//! Joins two files of shapes as `bench/shapes/beside.py` writes them, and prints the pairs and how long the join took
//! (processor time, the mean of a fifth of a second).
//!
//! `beside A B PREDICATE`, or `beside A B DISTANCE`, or `beside A B measure`: those that intersect, and how much they
//! have in common; or `beside A B nearest`: of each, all that no other is nearer than. A line is a geometry: parts divided by `;`, each a letter (P, L, S or H: point, line, shell, hole)
//! and coordinates.

use std::error::Error;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::{env, fs, io};

use quadrille::{FrameTree, Index};
use quadrille_shapes::{Geometries, Nearest, Part, Predicate, Wanted, in_common, join, join_within};

fn read(path: &str) -> Result<Geometries, Box<dyn Error>> {
    let mut all = Geometries::new();
    for line in fs::read_to_string(path)?.lines() {
        for part in line.split(';') {
            let mut words = part.split(' ');
            all.part(match words.next() {
                Some("P") => Part::Point,
                Some("L") => Part::Line,
                Some("S") => Part::Shell,
                Some("H") => Part::Hole,
                other => return Err(format!("{other:?} is no part").into()),
            });
            let numbers = words.map(str::parse).collect::<Result<Vec<f64>, _>>()?;
            numbers.chunks_exact(2).for_each(|point| all.vertex(point[0], point[1]));
        }
        all.finish()?;
    }
    Ok(all)
}

fn nearest(a: &Geometries, b: &Geometries) -> Result<Vec<(u32, u32)>, Box<dyn Error>> {
    let index = Index::<FrameTree<f64>>::from_boxes(&b.boxes())?;
    let wanted = Wanted { count: 1, most: f64::INFINITY, has_ties: true, but_itself: false };
    let mut pairs = Vec::new();
    let all = Nearest::new(b, &index).to_each(a, wanted, |i, found| {
        pairs.extend(found.iter().map(|(j, _)| (i, *j)));
        ControlFlow::<()>::Continue(())
    });
    assert!(all.is_continue());
    Ok(pairs)
}

/// Nanoseconds that this thread has been at work; on Linux.
fn processor_time() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(text.split(' ').next().unwrap_or_default().parse()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let [a, b, asked] =
        <[String; 3]>::try_from(env::args().skip(1).collect::<Vec<_>>()).map_err(|_| "beside A B PREDICATE")?;
    let (a, b) = (read(&a)?, read(&b)?);
    let (start, mut count, mut pairs, mut measures) = (processor_time()?, 0, Vec::new(), Vec::new());
    let is_measured = asked == "measure";
    let asked = if is_measured { Predicate::Intersects.to_string() } else { asked };
    // The clock of the system has steps of some milliseconds.
    while processor_time()? - start < 2e8 {
        pairs = match asked.parse() {
            Ok(most) => join_within(&a, &b, most)?,
            Err(_) if asked == "nearest" => nearest(&a, &b)?,
            Err(_) => join(&a, &b, asked.parse()?)?,
        };
        if is_measured {
            measures = pairs.iter().map(|(i, j)| in_common(&a, *i, &b, *j)).collect::<Result<_, _>>()?;
        }
        count += 1;
    }
    let mean = (processor_time()? - start) / f64::from(count);
    let mut out = io::BufWriter::new(io::stdout().lock());
    writeln!(out, "{:.3} ms", mean / 1e6)?;
    let mut measures = measures.iter();
    pairs.iter().try_for_each(|(a, b)| match measures.next() {
        Some(measure) => writeln!(out, "{a} {b} {measure}"),
        None => writeln!(out, "{a} {b}"),
    })?;
    Ok(out.flush()?)
}
