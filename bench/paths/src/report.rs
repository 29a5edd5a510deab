//! Tables to read, and a file of figures.

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use quadrille_paths::CostRule;

use crate::tasks::Outcome;

/// Times in microseconds.
struct Times {
    mean: f64,
    p50: f64,
    p99: f64,
    max: f64,
}

fn times(outcome: &Outcome) -> Times {
    let mut times = outcome.times.clone();
    times.sort_by(f64::total_cmp);
    let count = times.len().max(1);
    let at = |hundredths: usize| times.get((count * hundredths).div_ceil(100) - 1).copied().unwrap_or_default();
    Times { mean: times.iter().sum::<f64>() / count as f64, p50: at(50), p99: at(99), max: at(100) }
}

/// How many times as fast as plain A* under the same rule, by the mean, where that does any work at all.
fn ratio(outcome: &Outcome, all: &[Outcome]) -> Option<f64> {
    let same = |other: &&Outcome| (other.task, &other.map) == (outcome.task, &outcome.map);
    let is_plain = |other: &&Outcome| other.entry.rule == outcome.entry.rule && other.entry.name.starts_with("plain");
    let plain = all.iter().filter(same).find(is_plain)?;
    (!outcome.task.ends_with("change") && !outcome.task.ends_with("changes"))
        .then(|| times(plain).mean / times(outcome).mean)
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
        let Times { mean, p50, p99, max } = times(outcome);
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
    format!("# date {}, {}\n# versions: {}\n", date(), cpu(), versions())
}

/// All outcomes, a line each, after lines of comment on where and when they were measured.
pub fn csv(outcomes: &[Outcome]) -> String {
    let mut csv = head();
    csv += "task,map,contender,rule,asked,mean_us,p50_us,p99_us,max_us,ratio_to_plain_astar,missing,illegal,\
            longer_mean_percent,longer_max_percent,build_ms,bytes\n";
    for outcome in outcomes {
        let Times { mean, p50, p99, max } = times(outcome);
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

/// Name and version of everything this package depends on directly.
fn versions() -> String {
    let (manifest, lock) = (include_str!("../Cargo.toml"), include_str!("../../Cargo.lock"));
    let packages = lock.split("[[package]]").filter_map(|package| {
        let field = |name: &str| {
            let value = |line: &'static str| line.strip_prefix(name)?.strip_prefix(" = \"")?.strip_suffix('"');
            package.lines().find_map(value)
        };
        let (name, version) = (field("name")?, field("version")?);
        let is_direct = manifest.lines().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(" =")));
        is_direct.then(|| format!("{name} {version}"))
    });
    packages.collect::<Vec<_>>().join(", ")
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field =
        |name: &str| info.lines().find_map(|line| Some(line.strip_prefix(name)?.split_once(": ")?.1.to_owned()));
    let model = field("model name").unwrap_or_else(|| "unknown CPU".into());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model} (family {}), {cores} cores", field("cpu family").unwrap_or_default())
}

/// Today in UTC as year-month-day (H. Hinnant, *chrono-Compatible Low-Level Date Algorithms*, 2013).
fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}
