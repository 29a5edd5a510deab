//! Tables in pages, made of results: everything between these two lines is replaced.
//!
//! ```text
//! <!-- table FILE CONTENDER -->
//! <!-- end of table -->
//! ```
//!
//! The table has a line for each task, scene and number of boxes of the file: the contender, the best of the others on
//! its side, and the best rival.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use crate::table::{Row, Table, grouped};

const BEGIN: &str = "<!-- table ";
const END: &str = "<!-- end of table -->";

/// The page with its tables made anew from the results in a folder.
pub fn renewed(page: &str, results: &Path) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(text, "{line}");
        let Some(named) = line.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(" -->")) else { continue };
        let (file, contender) = named.split_once(' ').ok_or_else(|| format!("{line}: a file and a contender"))?;
        lines.find(|line| *line == END).ok_or_else(|| format!("{line}: has no end"))?;
        let table = Table::read(&results.join(file)).map_err(|error| format!("{file}: {error}"))?;
        let _ = writeln!(text, "\n{}\n{END}", cells(&table, contender));
    }
    Ok(text)
}

/// A line for each group in which the contender takes part.
fn cells(table: &Table, contender: &str) -> String {
    let mut text = format!(
        "{}; {}\n\n| task, scene, boxes | `{contender}` | next of quadrille | best rival | rival ÷ `{contender}` |\n|---|--:|--:|--:|--:|\n",
        table.made, table.unit
    );
    for group in table.rows.chunk_by(|a, b| a.group == b.group) {
        let Some(own) = group.iter().find(|row| row.contender == contender) else { continue };
        let best = |is_ours: bool| {
            let others = group.iter().filter(|row| row.is_ours == is_ours && row.contender != contender);
            others.min_by(|a, b| a.time.total_cmp(&b.time))
        };
        let named = |row: Option<&Row>| row.map_or("–".into(), |row| format!("{} ({})", time(row), row.contender));
        let ratio = best(false).map_or("–".into(), |rival| format!("{:.2}", rival.time / own.time));
        let (next, rival) = (named(best(true)), named(best(false)));
        let _ = writeln!(text, "| {} | {} | {next} | {rival} | {ratio} |", own.group, time(own));
    }
    text
}

/// Three digits, or all before the point.
fn time(row: &Row) -> String {
    let unit = if row.time < 10.0 {
        100.0
    } else if row.time < 100.0 {
        10.0
    } else {
        1.0
    };
    grouped((row.time * unit).round() / unit)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::renewed;

    #[test]
    fn tables_in_pages_are_those_of_the_results() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = std::fs::read_to_string(root.join("docs/performance.md")).expect("a page");
        let renewed = renewed(&page, &root.join("bench/results")).expect("tables");
        assert!(page == renewed, "docs/performance.md: run `cargo run --release -p charts -- --tables` in bench");
    }

    #[test]
    fn a_table_names_the_best_of_each_side() {
        let folder = std::env::temp_dir().join("quadrille-charts-pages");
        std::fs::create_dir_all(&folder).expect("a folder");
        let lines = "# date 2026-01-02, clock Cpu, a processor\ntask,scene,n,contender,side,median_ns,answers,unit\n\
                     join,uniform,2000,ours,quadrille,2.0,1,box\njoin,uniform,2000,other,quadrille,1234.5,1,box\n\
                     join,uniform,2000,slow,rival,9,1,box\njoin,uniform,2000,fast,rival,5,1,box\n";
        std::fs::write(folder.join("a.csv"), lines).expect("a file");
        let page = "before\n<!-- table a.csv ours -->\nold\n<!-- end of table -->\nafter\n";
        let page = renewed(page, &folder).expect("a page");
        assert!(page.contains("| join, uniform, 2,000 boxes | 2 | 1,235 (other) | 5 (fast) | 2.50 |"), "{page}");
        assert!(page.starts_with("before\n") && page.ends_with("after\n") && !page.contains("old"), "{page}");
        assert_eq!(renewed(&page, &folder).expect("a page"), page, "once is enough");
        assert!(
            renewed("<!-- table a.csv ours -->\n", &folder).is_err()
                && renewed("<!-- table no.csv x -->\n<!-- end of table -->", &folder).is_err()
        );
    }
}
