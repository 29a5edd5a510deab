//! A big scene split in three: what never moves, what is of common size, and what is oversize. Three indexes are asked
//! together, and compared with one index of everything, for each structure, all by `AnyStructure`.
//!
//! ```sh
//! cargo run --release -p quadrille-advise --example three_way_split
//! ```
//!
//! What the split buys: what never moves costs no updates, no `maintain`, and no pairs among itself, which are the same
//! in every frame; and each set has the structure that suits it. The price: every query runs three times.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use std::error::Error;
use std::ops::{ControlFlow, Range};

use quadrille::structures::{AnyStructure, StructureKind};
use quadrille::{Aabb, Index, Overlaps};
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

fn main() -> Result<(), Box<dyn Error>> {
    let frames = frames();
    let split = [
        (StructureKind::Grid, 0..STATIC),
        (StructureKind::Grid, STATIC..BOXES - OVERSIZE),
        (StructureKind::EnclosingQuadtree, BOXES - OVERSIZE..BOXES),
    ];
    let (split_ms, expected) = run(&split, &frames)?;
    println!(
        "{BOXES} boxes: {STATIC} static, {OVERSIZE} oversize; {} pairs and {QUERIES} queries a step",
        expected[0].pairs
    );
    println!("{:<20} {:>8} {:>6}", "", "ms/step", "ratio");
    println!("{:<20} {split_ms:>8.2} {:>6.2}", "three indexes", 1.0);
    for &kind in StructureKind::ALL.iter().filter(|&&kind| kind != StructureKind::BruteForce) {
        let (ms, answers) = run(&[(kind, 0..BOXES)], &frames)?;
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

/// Some boxes side by side in one index.
struct Set {
    /// The id in the scene of its first box.
    first: usize,
    index: Index<AnyStructure>,
    /// Pairs among its boxes, if none of them ever moves.
    pairs: Option<Vec<(u32, u32)>>,
}

impl Set {
    /// The boxes of the scene from one place to another.
    fn new(kind: StructureKind, places: Range<usize>, boxes: &[Aabb]) -> Result<Self, quadrille::Error> {
        let index = Index::with_boxes(kind.into(), &boxes[places.clone()])?;
        let pairs = (places.end <= STATIC).then(|| index.pairs().collect());
        Ok(Self { first: places.start, index, pairs })
    }

    /// All boxes of the scene from [`STATIC`] on have moved.
    fn update(&mut self, boxes: &[Aabb]) -> Result<(), quadrille::Error> {
        if self.pairs.is_none() {
            let fixed = STATIC.saturating_sub(self.first);
            for id in fixed..self.index.len() {
                self.index.update(id as u32, boxes[self.first + id])?;
            }
            self.index.maintain();
        }
        Ok(())
    }

    fn id(&self, own: u32) -> u32 {
        self.first as u32 + own
    }
}

/// All pairs of boxes in some sets.
fn pairs(sets: &[Set], mut visit: impl FnMut(u32, u32) -> ControlFlow<()>) {
    for (before, set) in sets.iter().enumerate() {
        let mut own = |a, b| visit(set.id(a), set.id(b));
        let _ = match &set.pairs {
            Some(pairs) => pairs.iter().try_for_each(|&(a, b)| own(a, b)),
            None => set.index.pairs_visit(own),
        };
        // For each box of the smaller set, query the larger one.
        for larger in &sets[..before] {
            let _ = set.index.pairs_with_visit(&larger.index, |a, b| visit(larger.id(b), set.id(a)));
        }
    }
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

    fn of(sets: &[Set], boxes: &[Aabb]) -> Self {
        let mut found = Self::default();
        pairs(sets, |a, b| {
            found.pairs += 1;
            found.mark(a.into(), b.into());
            ControlFlow::Continue(())
        });
        for (number, bounds) in (0..).zip(boxes.iter().step_by(BOXES / QUERIES)) {
            for set in sets {
                let _ = set.index.query_visit(Overlaps(*bounds), |id| {
                    found.answers += 1;
                    found.mark(number, set.id(id).into());
                    ControlFlow::<()>::Continue(())
                });
            }
        }
        found
    }
}

/// The least time of a step, which is disturbed by other programs the least, and what was found in each. All steps are
/// much alike.
fn run(sets: &[(StructureKind, Range<usize>)], frames: &[Vec<Aabb>]) -> Result<(f64, Vec<Found>), quadrille::Error> {
    let sets = sets.iter().map(|(kind, places)| Set::new(*kind, places.clone(), &frames[0]));
    let mut sets: Vec<Set> = sets.collect::<Result<_, _>>()?;
    let (mut least, mut found) = (f64::INFINITY, Vec::new());
    for boxes in &frames[1..] {
        let start = Clock::start();
        sets.iter_mut().try_for_each(|set| set.update(boxes))?;
        found.push(Found::of(&sets, boxes));
        least = least.min(start.ms());
    }
    Ok((least, found))
}
