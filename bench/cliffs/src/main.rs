//! Lists cliffs: calls that take more than three times as long per box (or query) with four times as many boxes, or
//! more than ten times as long as after `maintain`.
//!
//! A case is a structure, a scene, a number of boxes and a mutation ([`mutations::MUTATIONS`]), after which
//! [`queries::QUERIES`] are run, then `maintain` is called, and they are run again. What seems to be a cliff is
//! measured once more, and the shorter times count: other programs can make anything look long, but nothing short.

mod mutations;
mod queries;
mod scenes;

use std::time::Duration;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use cpu_time::ThreadTime;
use mutations::{Case, MUTATIONS};
use quadrille::structures::StructureKind;
use quadrille::{Aabb, Index};
use queries::{ASKED, QUERIES};
use scenes::SCENES;

/// More than this much longer with the next number of boxes is a cliff,
const GROWTH: f64 = 3.0;

/// and so is more than this many times as long as after `maintain`,
const WORN: f64 = 10.0;

/// unless it takes no longer than this many nanoseconds per box (all pairs) or a query: caches alone can triple that.
const SHORT: [f64; 2] = [60.0, 2000.0];

/// Nanoseconds of each query before and after `maintain`.
type Times = [[f64; 2]; QUERIES.len()];

/// Lists what takes far longer with more boxes, or before `maintain`.
#[derive(Debug, Parser)]
struct Arguments {
    /// Structures; all but brute force by default
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    structure: Vec<StructureKind>,
    /// Scenes; all by default
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = PossibleValuesParser::new(SCENES.iter().map(|(name, _)| *name)))]
    scene: Vec<String>,
    /// Numbers of boxes, ascending
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "10000,40000")]
    n: Vec<usize>,
    /// Write results/NAME.txt
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
}

fn main() {
    let Arguments { structure, scene: wanted, n: sizes, save } = Arguments::parse();
    let all = StructureKind::ALL.iter().copied().filter(|&kind| kind != StructureKind::BruteForce);
    let structures = if structure.is_empty() { all.collect() } else { structure };
    let scenes = || SCENES.iter().filter(|(scene, _)| wanted.is_empty() || wanted.iter().any(|name| name == scene));
    let mut lines = vec!["structure,scene,mutation,query,n,before_ns,after_ns,growth,worn".to_string()];
    let (mut cases, mut cliffs) = (0, 0);
    for &kind in &structures {
        for (scene, boxes) in scenes() {
            for &(mutation, mutate) in &MUTATIONS {
                let found = measured(|| sizes.iter().map(|&n| times(kind, boxes(n), mutate)).collect());
                for (query, (name, _)) in QUERIES.iter().enumerate() {
                    cases += 1;
                    let Some(cliff) = cliff(&found, query) else { continue };
                    cliffs += 1;
                    let what = format!("{kind},{scene},\"{mutation}\",{name}");
                    let times = sizes.iter().copied().zip(found.iter().map(|times| times[query]));
                    lines.extend(times.map(|times| line(&what, times, cliff)).inspect(|line| println!("{line}")));
                }
            }
            eprintln!("{kind}, {scene}: {cliffs} of {cases} so far");
        }
    }
    println!("{cliffs} cliffs in {cases} combinations");
    if let Some(name) = save {
        let path = format!("{}/../results/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, lines.join("\n") + "\n").expect("results/ can be written");
    }
}

/// What seems to be a cliff is measured once more, and the shorter times count.
fn measured(measure: impl Fn() -> Vec<Times>) -> Vec<Times> {
    let found = measure();
    if any_cliff(&found) {
        found.iter().zip(&measure()).map(|(one, other)| shorter(one, other)).collect()
    } else {
        found
    }
}

/// A line of the table.
fn line(what: &str, (n, [before, after]): (usize, [f64; 2]), [growth, worn]: [f64; 2]) -> String {
    format!("{what},{n},{before:.0},{after:.0},{growth:.1},{worn:.1}")
}

fn times(kind: StructureKind, boxes: Vec<Aabb>, mutate: fn(&mut Case)) -> Times {
    let index = Index::with_boxes(kind.into(), &boxes).expect("boxes of a scene");
    let mut case = Case { index, boxes };
    mutate(&mut case);
    // Where boxes are now.
    let step = (case.index.len() / ASKED).max(1);
    let places: Vec<Aabb> = case.index.iter().step_by(step).take(ASKED).map(|(_, bounds)| bounds).collect();
    let ask = |case: &Case| {
        QUERIES.map(|(name, ask)| {
            let count = if name == "pairs" { case.index.len() } else { places.len() };
            (0..2).map(|_| time(|| ask(&case.index, &places))).min().expect("two").as_secs_f64() * 1e9 / count as f64
        })
    };
    let before = ask(&case);
    case.index.maintain();
    let after = ask(&case);
    core::array::from_fn(|query| [before[query], after[query]])
}

fn shorter(one: &Times, other: &Times) -> Times {
    core::array::from_fn(|query| core::array::from_fn(|when| one[query][when].min(other[query][when])))
}

fn any_cliff(found: &[Times]) -> bool {
    (0..QUERIES.len()).any(|query| cliff(found, query).is_some())
}

/// How much longer a query takes with each next number of boxes, and than after `maintain`, if that is a cliff.
fn cliff(found: &[Times], query: usize) -> Option<[f64; 2]> {
    let short = SHORT[usize::from(query > 0)];
    let most = |ratios: &mut dyn Iterator<Item = f64>| ratios.fold(0.0, f64::max);
    let growths = |when: usize| found.windows(2).map(move |two| two[1][query][when] / two[0][query][when].max(short));
    let growth = most(&mut growths(0).chain(growths(1)));
    let worn = most(&mut found.iter().map(|times| times[query][0] / times[query][1].max(short)));
    (growth > GROWTH || worn > WORN).then_some([growth, worn])
}

/// The time in which this thread was running.
fn time(work: impl FnOnce()) -> Duration {
    let start = ThreadTime::now();
    work();
    start.elapsed()
}
