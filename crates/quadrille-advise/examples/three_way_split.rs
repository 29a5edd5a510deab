//! A big scene split in three: what never moves, what is of common size, and what is oversize. Three indexes are asked
//! together, and compared with one index of everything, for each structure.
//!
//! ```sh
//! cargo run --release -p quadrille-advise --example three_way_split
//! ```
//!
//! What the split buys: what never moves costs no updates, no `maintain`, and no pairs among itself, which are the same
//! in every frame; and each set has the structure that suits it. The price: every query runs three times.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use std::error::Error;
use std::ops::ControlFlow;

use quadrille::structures::{AnyStructure, EnclosingQuadtree, Grid, StructureKind};
use quadrille::{Aabb, Index, Overlaps, Structure};
use quadrille_advise::Clock;
use quadrille_scenes::{Scene, SceneKind};

const BOXES: usize = 100_000;
/// The first of the boxes never move ...
const STATIC: usize = 80_000;
/// ... and the last are oversize: this many times as wide and high.
const OVERSIZE: usize = 200;
const TIMES: f32 = 30.0;
const STEPS: usize = 10;
const QUERIES: usize = 1_000;

/// Where the second and the third set begin.
const COMMON_FROM: u32 = STATIC as u32;
const OVERSIZE_FROM: u32 = (BOXES - OVERSIZE) as u32;

fn main() -> Result<(), Box<dyn Error>> {
    let frames = frames();
    let (split_ms, expected) = three(&frames)?;
    println!(
        "{BOXES} boxes: {STATIC} static, {OVERSIZE} oversize; {} pairs and {QUERIES} queries a step",
        expected[0].pairs
    );
    println!("{:<20} {:>8} {:>6}", "", "ms/step", "ratio");
    println!("{:<20} {split_ms:>8.2} {:>6.2}", "three indexes", 1.0);
    for &kind in StructureKind::ALL.iter().filter(|&&kind| kind != StructureKind::BruteForce) {
        let (ms, answers) = one(kind, &frames)?;
        assert_eq!(answers, expected, "one {kind} and three indexes disagree");
        println!("{:<20} {ms:>8.2} {:>6.2}", format!("one {kind}"), ms / split_ms);
    }
    Ok(())
}

/// The boxes of each step. Positions are ids.
fn frames() -> Vec<Vec<Aabb>> {
    let mut scene = Scene::new(SceneKind::Uniform, BOXES, 1);
    let still: Vec<Aabb> = scene.boxes().take(STATIC).collect();
    let mut next = || {
        let moving = scene.bodies().iter().skip(STATIC).enumerate().map(|(at, body)| {
            let times = if at < BOXES - STATIC - OVERSIZE { 1.0 } else { TIMES };
            Aabb::from_center(body.center, body.half.map(|half| half * times))
        });
        let boxes = still.iter().copied().chain(moving).collect();
        scene.step();
        boxes
    };
    (0..=STEPS).map(|_| next()).collect()
}

/// Everything in one index.
fn one(kind: StructureKind, frames: &[Vec<Aabb>]) -> Outcome {
    let mut index = Index::<AnyStructure>::with_boxes(kind.into(), &frames[0])?;
    run(frames, |boxes, found| {
        update(&mut index, COMMON_FROM, &boxes[STATIC..])?;
        let _ = index.pairs_visit(|a, b| found.pair(a, b));
        for (number, rectangle) in rectangles(boxes) {
            let _ = index.query_visit(Overlaps(rectangle), |id| found.mark(number, id));
        }
        Ok(())
    })
}

/// Three sets, each with the structure that suits it. Ids of the second and third begin at [`COMMON_FROM`] and
/// [`OVERSIZE_FROM`].
fn three(frames: &[Vec<Aabb>]) -> Outcome {
    let fixed = Index::<Grid>::from_boxes(&frames[0][..STATIC])?;
    // The same in every frame.
    let fixed_pairs: Vec<(u32, u32)> = fixed.pairs().collect();
    let mut common = Index::<Grid>::from_boxes(&frames[0][STATIC..BOXES - OVERSIZE])?;
    let mut oversize = Index::<EnclosingQuadtree>::from_boxes(&frames[0][BOXES - OVERSIZE..])?;
    run(frames, |boxes, found| {
        update(&mut common, 0, &boxes[STATIC..BOXES - OVERSIZE])?;
        update(&mut oversize, 0, &boxes[BOXES - OVERSIZE..])?;
        let _ = fixed_pairs.iter().try_for_each(|&(a, b)| found.pair(a, b));
        let _ = common.pairs_visit(|a, b| found.pair(a + COMMON_FROM, b + COMMON_FROM));
        let _ = oversize.pairs_visit(|a, b| found.pair(a + OVERSIZE_FROM, b + OVERSIZE_FROM));
        // For each box of the smaller set, query the larger one.
        let _ = common.pairs_with_visit(&fixed, |a, b| found.pair(b, a + COMMON_FROM));
        let _ = oversize.pairs_with_visit(&fixed, |a, b| found.pair(b, a + OVERSIZE_FROM));
        let _ = oversize.pairs_with_visit(&common, |a, b| found.pair(b + COMMON_FROM, a + OVERSIZE_FROM));
        for (number, rectangle) in rectangles(boxes) {
            let query = Overlaps(rectangle);
            let _ = fixed.query_visit(query, |id| found.mark(number, id));
            let _ = common.query_visit(query, |id| found.mark(number, id + COMMON_FROM));
            let _ = oversize.query_visit(query, |id| found.mark(number, id + OVERSIZE_FROM));
        }
        Ok(())
    })
}

fn rectangles(boxes: &[Aabb]) -> impl Iterator<Item = (u32, Aabb)> {
    (0..).zip(boxes.iter().copied().step_by(BOXES / QUERIES))
}

fn update<I: Structure<Scalar = f32>>(
    index: &mut Index<I>,
    first: u32,
    boxes: &[Aabb],
) -> Result<(), quadrille::Error> {
    for (id, &bounds) in (first..).zip(boxes) {
        index.update(id, bounds)?;
    }
    index.maintain();
    Ok(())
}

/// What was found in a step, whatever the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    pairs: u64,
    checksum: u64,
}

impl Found {
    fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        self.pairs += 1;
        self.mark(a, b)
    }

    fn mark(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        let both = u64::from(a) << 32 | u64::from(b);
        let mark = both.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) ^ u64::from(b);
        self.checksum = self.checksum.wrapping_add(mark);
        ControlFlow::Continue(())
    }
}

/// The least time of a step, which is disturbed by other programs the least, and what was found in each. All steps are
/// much alike.
type Outcome = Result<(f64, Vec<Found>), quadrille::Error>;

fn run(frames: &[Vec<Aabb>], mut step: impl FnMut(&[Aabb], &mut Found) -> Result<(), quadrille::Error>) -> Outcome {
    let (mut least, mut all) = (f64::INFINITY, Vec::new());
    for boxes in &frames[1..] {
        let (start, mut found) = (Clock::start(), Found::default());
        step(boxes, &mut found)?;
        all.push(found);
        least = least.min(start.ms());
    }
    Ok((least, all))
}
