//! Tables and files.

use std::fmt::Write as _;

use crate::clock::Clock;
use crate::conditions::Conditions;
use crate::contenders::Side;
use crate::outcome::Outcome;
use crate::race::Figures;

/// The best rival's median.
fn best_rival(figures: &[Figures]) -> f64 {
    figures.iter().filter(|one| one.side == Side::Rival).map(|one| one.median).fold(f64::INFINITY, f64::min)
}

/// One table on standard output, fastest first.
pub fn print(task: &str, on: &Conditions, outcome: &mut Outcome) {
    outcome.figures.sort_by(|a, b| a.median.total_cmp(&b.median));
    let best = best_rival(&outcome.figures);
    println!("\n{task} {} {}: {:.2} answers a {}", on.name(), on.n, outcome.answers, outcome.unit);
    println!(
        "{:22} {:>9} {:>9} {:>9} {:>9} {:>9} {:>11} {:>9} {:>5}",
        "", "median ns", "min", "p95", "p99", "worst", "best rival ÷", "bytes/box", "laps"
    );
    for one in &outcome.figures {
        let mark = if one.side == Side::Ours { '*' } else { ' ' };
        let Figures { name, median, least, p95, p99, worst, laps, .. } = one;
        let (ratio, bytes) = (best / median, one.bytes as f64 / on.n as f64);
        println!(
            "{mark}{name:21} {median:>9.1} {least:>9.1} {p95:>9.1} {p99:>9.1} {worst:>9.1} {ratio:>11.2} {bytes:>10.1} {laps:>5}"
        );
    }
    for (name, fault) in &outcome.faults {
        println!(" wrong: {name} {fault}");
    }
    if !on.aside.is_empty() {
        println!(" aside: {}", on.aside.join(", "));
    }
}

/// What was measured where and when, as comment lines.
pub fn header(clock: Clock) -> String {
    let versions = machine::versions(include_str!("../Cargo.toml")).join(" ");
    let header = format!("# date {}, clock {clock:?}, {}\n# versions: {versions}\n", machine::date(), machine::cpu());
    header
        + "task,scene,n,contender,side,laps,median_ns,min_ns,p95_ns,p99_ns,worst_ns,best_rival_ratio,bytes_per_box,answers,unit\n"
}

pub fn csv(task: &str, on: &Conditions, outcome: &Outcome) -> String {
    let best = best_rival(&outcome.figures);
    let mut lines = String::new();
    for one in &outcome.figures {
        let side = if one.side == Side::Ours { "quadrille" } else { "rival" };
        let Figures { name, median, least, p95, p99, worst, laps, .. } = one;
        let (scene, n, ratio, bytes) = (on.name(), on.n, best / median, one.bytes as f64 / on.n as f64);
        let _ = writeln!(
            lines,
            "{task},{scene},{n},{name},{side},{laps},{median:.2},{least:.2},{p95:.2},{p99:.2},{worst:.2},{ratio:.3},{bytes:.1},\
             {:.3},{}",
            outcome.answers, outcome.unit
        );
    }
    for (name, fault) in &outcome.faults {
        let _ = writeln!(lines, "# wrong in {task} {} {}: {name} {fault}", on.name(), on.n);
    }
    if !on.aside.is_empty() {
        let _ = writeln!(lines, "# aside in {task} {} {}: {}", on.name(), on.n, on.aside.join(", "));
    }
    lines
}
