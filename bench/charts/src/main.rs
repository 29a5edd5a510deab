//! Draws the charts that pages show, next to the tables in `results/` that the benches write:
//!
//! ```sh
//! cargo run --release -p charts          # those that pages show
//! cargo run --release -p charts -- speed # all charts of tables with this in their name
//! ```
//!
//! Every table can become a chart of bars. One in which a scene is measured in more than three sizes, densities or
//! speeds can become a chart of lines as well, whose name ends in what varies.

mod bars;
mod lines;
mod palette;
mod table;

use std::error::Error;
use std::fs::read_to_string;
use std::path::Path;

use lines::Along;
use table::Table;

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = std::env::args().nth(1);
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    if wanted.iter().any(|wanted| wanted.starts_with('-')) {
        return Err(
            "no options: tables in pages are written by `cargo run -p quadrille-manual --example figures`".into()
        );
    }
    let mut pages = String::new();
    read_pages(&root.join("docs"), &mut pages)?;
    let folder = root.join("bench/results");
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_none_or(|extension| extension != "csv") {
            continue;
        }
        let is_wanted = |chart: &str| match &wanted {
            Some(wanted) => name.contains(wanted),
            None => pages.contains(&format!("results/{chart}")),
        };
        let charts = [None, Some(Along::Boxes), Some(Along::Pairs), Some(Along::Speed)].map(|along| {
            let ending = along.map(|along| format!("-{}", along.name())).unwrap_or_default();
            (along, format!("{name}{ending}.svg"))
        });
        if charts.iter().any(|(_, chart)| is_wanted(chart)) {
            let Some(table) = Table::read(&path)? else {
                eprintln!("{name}.csv: not drawn, it is a table of another bench");
                continue;
            };
            for (along, chart) in charts.iter().filter(|(_, chart)| is_wanted(chart)) {
                match along {
                    None => bars::draw(&table, &folder.join(chart))?,
                    Some(along) if lines::vary(&table, *along) => lines::draw(&table, *along, &folder.join(chart))?,
                    Some(_) => {}
                }
            }
        }
    }
    Ok(())
}

/// Adds the text of all pages in a folder and those below it.
fn read_pages(folder: &Path, pages: &mut String) -> Result<(), Box<dyn Error>> {
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            read_pages(&path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push_str(&read_to_string(path)?);
        }
    }
    Ok(())
}
