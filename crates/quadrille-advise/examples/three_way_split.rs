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
    let (split_ms, expected) = run::<Split>((), &frames)?;
    println!(
        "{BOXES} boxes: {STATIC} static, {OVERSIZE} oversize; {} pairs and {QUERIES} queries a step",
        expected[0].pairs
    );
    println!("{:<20} {:>8} {:>6}", "", "ms/step", "ratio");
    println!("{:<20} {split_ms:>8.2} {:>6.2}", "three indexes", 1.0);
    for &kind in StructureKind::ALL.iter().filter(|&&kind| kind != StructureKind::BruteForce) {
        let (ms, answers) = run::<Index<AnyStructure>>(kind, &frames)?;
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

/// A way to keep the scene.
trait Keeper: Sized {
    type Options;
    fn new(options: Self::Options, boxes: &[Aabb]) -> Result<Self, quadrille::Error>;
    /// All boxes from [`COMMON_FROM`] on have moved.
    fn update(&mut self, boxes: &[Aabb]) -> Result<(), quadrille::Error>;
    /// Pairs of which at least one moves, and those among the others, which are the same in every frame.
    fn pairs(&self, visit: impl FnMut(u32, u32) -> ControlFlow<()>);
    fn query(&self, rectangle: Aabb, visit: impl FnMut(u32) -> ControlFlow<()>);
}

/// Everything in one index.
impl Keeper for Index<AnyStructure> {
    type Options = StructureKind;

    fn new(kind: StructureKind, boxes: &[Aabb]) -> Result<Self, quadrille::Error> {
        Index::with_boxes(kind.into(), boxes)
    }

    fn update(&mut self, boxes: &[Aabb]) -> Result<(), quadrille::Error> {
        update(self, COMMON_FROM, &boxes[STATIC..])
    }

    fn pairs(&self, visit: impl FnMut(u32, u32) -> ControlFlow<()>) {
        let _ = self.pairs_visit(visit);
    }

    fn query(&self, rectangle: Aabb, visit: impl FnMut(u32) -> ControlFlow<()>) {
        let _ = self.query_visit(Overlaps(rectangle), visit);
    }
}

/// Three sets, each with the structure that suits it. Ids of the second and third begin at [`COMMON_FROM`] and
/// [`OVERSIZE_FROM`].
struct Split {
    fixed: Index<Grid>,
    fixed_pairs: Vec<(u32, u32)>,
    common: Index<Grid>,
    oversize: Index<EnclosingQuadtree>,
}

impl Keeper for Split {
    type Options = ();

    fn new(_: (), boxes: &[Aabb]) -> Result<Self, quadrille::Error> {
        let fixed = Index::from_boxes(&boxes[..STATIC])?;
        Ok(Self {
            fixed_pairs: fixed.pairs().collect(),
            fixed,
            common: Index::from_boxes(&boxes[STATIC..BOXES - OVERSIZE])?,
            oversize: Index::from_boxes(&boxes[BOXES - OVERSIZE..])?,
        })
    }

    fn update(&mut self, boxes: &[Aabb]) -> Result<(), quadrille::Error> {
        update(&mut self.common, 0, &boxes[STATIC..BOXES - OVERSIZE])?;
        update(&mut self.oversize, 0, &boxes[BOXES - OVERSIZE..])
    }

    fn pairs(&self, mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) {
        let Self { fixed, fixed_pairs, common, oversize } = self;
        let _ = fixed_pairs.iter().try_for_each(|&(a, b)| visit(a, b));
        let _ = common.pairs_visit(|a, b| visit(a + COMMON_FROM, b + COMMON_FROM));
        let _ = oversize.pairs_visit(|a, b| visit(a + OVERSIZE_FROM, b + OVERSIZE_FROM));
        // For each box of the smaller set, query the larger one.
        let _ = common.pairs_with_visit(fixed, |a, b| visit(b, a + COMMON_FROM));
        let _ = oversize.pairs_with_visit(fixed, |a, b| visit(b, a + OVERSIZE_FROM));
        let _ = oversize.pairs_with_visit(common, |a, b| visit(b + COMMON_FROM, a + OVERSIZE_FROM));
    }

    fn query(&self, rectangle: Aabb, mut visit: impl FnMut(u32) -> ControlFlow<()>) {
        let _ = self.fixed.query_visit(Overlaps(rectangle), &mut visit);
        let _ = self.common.query_visit(Overlaps(rectangle), |id| visit(id + COMMON_FROM));
        let _ = self.oversize.query_visit(Overlaps(rectangle), |id| visit(id + OVERSIZE_FROM));
    }
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
    answers: u64,
    checksum: u64,
}

impl Found {
    fn mark(&mut self, a: u64, b: u64) {
        self.checksum =
            self.checksum.wrapping_add((a << 32 | b).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) ^ b);
    }

    fn of(keeper: &impl Keeper, boxes: &[Aabb]) -> Self {
        let mut found = Self::default();
        keeper.pairs(|a, b| {
            found.pairs += 1;
            found.mark(a.into(), b.into());
            ControlFlow::Continue(())
        });
        for (number, bounds) in (0..).zip(boxes.iter().step_by(BOXES / QUERIES)) {
            keeper.query(*bounds, |id| {
                found.answers += 1;
                found.mark(number, id.into());
                ControlFlow::Continue(())
            });
        }
        found
    }
}

/// The least time of a step, which is disturbed by other programs the least, and what was found in each. All steps are
/// much alike.
fn run<K: Keeper>(options: K::Options, frames: &[Vec<Aabb>]) -> Result<(f64, Vec<Found>), quadrille::Error> {
    let mut keeper = K::new(options, &frames[0])?;
    let (mut least, mut found) = (f64::INFINITY, Vec::new());
    for boxes in &frames[1..] {
        let start = Clock::start();
        keeper.update(boxes)?;
        found.push(Found::of(&keeper, boxes));
        least = least.min(start.ms());
    }
    Ok((least, found))
}
