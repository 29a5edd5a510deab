//! Tables and files.

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

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
pub fn print(on: &Conditions, outcome: &mut Outcome) {
    outcome.figures.sort_by(|a, b| a.median.total_cmp(&b.median));
    let best = best_rival(&outcome.figures);
    println!("\n{} {} {}: {:.2} answers a {}", outcome.task, on.name(), on.n, outcome.answers, outcome.unit);
    println!(
        "{:22} {:>9} {:>9} {:>9} {:>11} {:>9} {:>5}",
        "", "median ns", "min", "p95", "best rival ÷", "bytes/box", "laps"
    );
    for one in &outcome.figures {
        let mark = if one.side == Side::Ours { '*' } else { ' ' };
        println!(
            "{mark}{:21} {:>9.1} {:>9.1} {:>9.1} {:>11.2} {:>10.1} {:>5}",
            one.name,
            one.median,
            one.least,
            one.p95,
            best / one.median,
            one.bytes as f64 / on.n as f64,
            one.laps
        );
    }
    if !on.aside.is_empty() {
        println!(" aside: {}", on.aside.join(", "));
    }
}

/// What was measured where and when, as comment lines.
pub fn header(clock: Clock) -> String {
    let mut header = format!("# date {}, clock {clock:?}, {}\n# versions:", date(), cpu());
    for (name, version) in versions() {
        let _ = write!(header, " {name} {version}");
    }
    header + "\ntask,scene,n,contender,side,laps,median_ns,min_ns,p95_ns,best_rival_ratio,bytes_per_box,answers,unit\n"
}

pub fn csv(on: &Conditions, outcome: &Outcome) -> String {
    let best = best_rival(&outcome.figures);
    let mut lines = String::new();
    for one in &outcome.figures {
        let side = if one.side == Side::Ours { "quadrille" } else { "rival" };
        let _ = writeln!(
            lines,
            "{},{},{},{},{side},{},{:.2},{:.2},{:.2},{:.3},{:.1},{:.3},{}",
            outcome.task,
            on.name(),
            on.n,
            one.name,
            one.laps,
            one.median,
            one.least,
            one.p95,
            best / one.median,
            one.bytes as f64 / on.n as f64,
            outcome.answers,
            outcome.unit
        );
    }
    if !on.aside.is_empty() {
        let _ = writeln!(lines, "# aside in {} {} {}: {}", outcome.task, on.name(), on.n, on.aside.join(", "));
    }
    lines
}

/// Name and version of everything this package depends on directly.
fn versions() -> Vec<(&'static str, &'static str)> {
    let (manifest, lock) = (include_str!("../Cargo.toml"), include_str!("../../Cargo.lock"));
    let mut versions = Vec::new();
    for package in lock.split("[[package]]") {
        let field = |name: &str| {
            let value = |line: &'static str| line.strip_prefix(name)?.strip_prefix(" = \"")?.strip_suffix('"');
            package.lines().find_map(value).unwrap_or_default()
        };
        let (name, version) = (field("name"), field("version"));
        let is_direct = manifest.lines().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(" =")));
        if is_direct && name != "cpu-time" {
            versions.push((name, version));
        }
    }
    versions
}

pub fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        info.lines().find_map(|line| line.strip_prefix(name)?.split_once(": ")).map(|(_, value)| value.to_string())
    };
    let model = field("model name").unwrap_or_else(|| "unknown CPU".into());
    let family = field("cpu family").unwrap_or_default();
    format!("{model} (family {family}), {} cores", std::thread::available_parallelism().map_or(1, usize::from))
}

/// Today in UTC as year-month-day. The algorithm for civil dates is H. Hinnant's, *chrono-compatible low-level date
/// algorithms*, 2013.
pub fn date() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let days = seconds as i64 / 86_400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days - era * 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}
