//! Tables to read, and a file of figures.

use std::fmt::Write as _;

use quadrille_paths::CostRule;

use crate::tasks::Outcome;

/// How many times as fast as plain A* under the same rule, by the mean, where that does any work at all.
fn ratio(outcome: &Outcome, all: &[Outcome]) -> Option<f64> {
    let same = |other: &&Outcome| (other.task, &other.map) == (outcome.task, &outcome.map);
    let is_plain = |other: &&Outcome| other.entry.rule == outcome.entry.rule && other.entry.name.starts_with("plain");
    let plain = all.iter().filter(same).find(is_plain)?;
    (!outcome.task.ends_with("change") && !outcome.task.ends_with("changes"))
        .then(|| plain.times.mean() / outcome.times.mean())
}

/// Mean and most of how much longer than a shortest path the answers are, in hundredths.
fn longer(outcome: &Outcome) -> (f64, f64) {
    let longer = &outcome.answers.longer;
    let mean = longer.iter().fold(0.0, |sum, longer| sum + longer) / longer.len().max(1) as f64;
    (100.0 * mean, 100.0 * longer.iter().copied().fold(0.0, f64::max))
}

/// The outcomes of one task on one map, as a table on standard output.
pub fn print(outcomes: &[Outcome]) {
    let mut before = "";
    for outcome in outcomes {
        if outcome.task != before {
            println!("\n{}, {} ({} queries)", outcome.map, outcome.task, outcome.answers.asked);
            println!(
                "{:22} {:>10} {:>10} {:>10} {:>10} {:>9} {:>5} {:>5} {:>8} {:>8} {:>9} {:>8}",
                "", "mean us", "p50", "p99", "max", "ratio", "miss", "bad", "longer%", "most%", "build ms", "MB"
            );
            before = outcome.task;
        }
        let [mean, p50, p99, max] = outcome.times.four();
        let ratio = ratio(outcome, outcomes).map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let (longer, most) = longer(outcome);
        let (missing, illegal) = (outcome.answers.missing, outcome.answers.illegal);
        print!("{:22} {mean:>10.1} {p50:>10.1} {p99:>10.1} {max:>10.1} {ratio:>9}", outcome.entry.name);
        print!(" {missing:>5} {illegal:>5} {longer:>8.2} {most:>8.2}");
        match outcome.room {
            Some(room) => println!(" {:>9.1} {:>8.2}", room.build_ms, room.bytes as f64 / 1e6),
            None => println!(),
        }
    }
}

/// Lines of comment on where and when, and beside what.
pub fn head() -> String {
    let versions = machine::versions(include_str!("../Cargo.toml")).join(", ");
    format!("# date {}, {}\n# versions: {versions}\n", machine::date(), machine::cpu())
}

/// All outcomes, a line each, after lines of comment on where and when they were measured.
pub fn csv(outcomes: &[Outcome]) -> String {
    let mut csv = head();
    csv += "task,map,contender,rule,asked,mean_us,p50_us,p99_us,max_us,ratio_to_plain_astar,missing,illegal,\
            longer_mean_percent,longer_max_percent,build_ms,bytes\n";
    for outcome in outcomes {
        let [mean, p50, p99, max] = outcome.times.four();
        let ratio = ratio(outcome, outcomes).map_or(String::new(), |ratio| format!("{ratio:.3}"));
        let (longer, most) = longer(outcome);
        let (asked, missing, illegal) = (outcome.answers.asked, outcome.answers.missing, outcome.answers.illegal);
        let rule = if outcome.entry.rule == CostRule::Octile { "octile" } else { "octile-cut" };
        let room = outcome.room.map_or(",".into(), |room| format!("{:.3},{}", room.build_ms, room.bytes));
        let _ = writeln!(
            csv,
            "{},\"{}\",\"{}\",{rule},{asked},{mean:.2},{p50:.2},{p99:.2},{max:.2},{ratio},{missing},{illegal},\
             {longer:.3},{most:.3},{room}",
            outcome.task, outcome.map, outcome.entry.name
        );
    }
    csv
}
