//! Tables of figures.

use std::fmt::Write as _;

use quadrille_paths::CostRule;

use crate::tasks::Outcome;

/// How many times as fast as plain A* under the same rule, by the mean, where that does any work at all.
fn ratio(outcome: &Outcome, all: &[Outcome]) -> Option<f64> {
    let same = |other: &&Outcome| other.task == outcome.task;
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

/// Lines of comment on where and when, and beside what.
pub fn head() -> String {
    let versions = machine::versions(include_str!("../Cargo.toml")).join(", ");
    format!("# date {}, {}\n# versions: {versions}\n", machine::date(), machine::cpu())
}

/// What the columns of [`lines`] are.
pub const COLUMNS: &str = "task,map,contender,rule,asked,mean_us,p50_us,p99_us,max_us,ratio_to_plain_astar,missing,illegal,\
                           longer_mean_percent,longer_max_percent,build_ms,bytes\n";

/// Outcomes of one task on one map, a line each.
pub fn lines(outcomes: &[Outcome]) -> String {
    let mut lines = String::new();
    for outcome in outcomes {
        let [mean, p50, p99, max] = outcome.times.four();
        let ratio = ratio(outcome, outcomes).map_or(String::new(), |ratio| format!("{ratio:.3}"));
        let (longer, most) = longer(outcome);
        let (asked, missing, illegal) = (outcome.answers.asked, outcome.answers.missing, outcome.answers.illegal);
        let rule = if outcome.entry.rule == CostRule::Octile { "octile" } else { "octile-cut" };
        let room = outcome.room.map_or(",".into(), |room| format!("{:.3},{}", room.build_ms, room.bytes));
        let _ = writeln!(
            lines,
            "{},\"{}\",\"{}\",{rule},{asked},{mean:.2},{p50:.2},{p99:.2},{max:.2},{ratio},{missing},{illegal},\
             {longer:.3},{most:.3},{room}",
            outcome.task, outcome.map, outcome.entry.name
        );
    }
    lines
}
