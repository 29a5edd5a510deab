//! Tables with a line for each task, scene and number of boxes of a file: one contender, the best of the others on its
//! side, and the best rival.

use std::fmt::Write as _;

use super::numbers::{grouped, short};
use super::{Fault, Results, Row, Sources};

/// The table that `FILE CONTENDER` asks for.
pub fn table(named: &str, sources: &mut Sources) -> Result<String, Fault> {
    let (file, contender) = named.split_once(' ').ok_or("FILE CONTENDER is expected")?;
    let results = sources.file(file)?;
    let at = Places::of(&results)?;
    let unit = results.rows.first().map_or("box", |row| &row.0[at.unit]);
    let mut text = format!(
        "{}; ns per {unit} (median)\n\n| task, scene, boxes | `{contender}` | next of quadrille | best rival | rival ÷ `{contender}` |\n\
         |---|--:|--:|--:|--:|\n",
        results.made
    );
    for group in results.rows.chunk_by(|a, b| a.0[..at.contender] == b.0[..at.contender]) {
        let Some(own) = group.iter().find(|row| row.0[at.contender] == contender) else { continue };
        let time = |row: &Row| row.0[at.time].parse::<f64>().unwrap_or(f64::INFINITY);
        let best = |is_ours: bool| {
            let others = group.iter().filter(|row| results.is_ours(row) == is_ours && row.0[at.contender] != contender);
            others.min_by(|a, b| time(a).total_cmp(&time(b)))
        };
        let name = |row: Option<&Row>| {
            row.map_or("–".into(), |row| format!("{} ({})", short(time(row), usize::MAX), row.0[at.contender]))
        };
        let ratio = best(false).map_or("–".into(), |rival| format!("{:.2}", time(rival) / time(own)));
        let [task, scene, boxes] = [0, 1, 2].map(|key| &own.0[key]);
        let (own, next, rival, boxes) =
            (short(time(own), usize::MAX), name(best(true)), name(best(false)), grouped(boxes));
        let _ = writeln!(text, "| {task}, {scene}, {boxes} boxes | {own} | {next} | {rival} | {ratio} |");
    }
    Ok(text)
}

/// Where the columns are.
struct Places {
    contender: usize,
    time: usize,
    unit: usize,
}

impl Places {
    fn of(results: &Results) -> Result<Self, Fault> {
        Ok(Self { contender: results.column("contender")?, time: results.times()?, unit: results.column("unit")? })
    }
}
