//! Draws the charts next to the tables in `results/`, which the benches write:
//!
//! ```sh
//! cargo run --release -p charts          # all tables
//! cargo run --release -p charts -- speed # those with this in their name
//! cargo run --release -p charts -- --tables # no charts, but the tables in docs/performance.md
//! ```
//!
//! Every table becomes a chart of bars. One in which a scene is measured in more than three sizes, densities or speeds
//! becomes a chart of lines as well, whose name ends in what varies.

mod bars;
mod lines;
mod pages;
mod palette;
mod table;

use std::error::Error;
use std::path::Path;

use lines::Along;
use table::Table;

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../results"));
    if wanted == "--tables" {
        let page = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/performance.md"));
        let renewed = pages::renewed(&std::fs::read_to_string(page)?, folder)?;
        return Ok(std::fs::write(page, renewed)?);
    }
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "csv") && name.contains(&wanted) {
            draw(&Table::read(&path)?, &folder.join(name))?;
        }
    }
    Ok(())
}

/// Draws all charts of a table next to it.
fn draw(table: &Table, name: &Path) -> Result<(), Box<dyn Error>> {
    let file = |ending: &str| name.with_file_name(format!("{}{ending}.svg", name.display()));
    bars::draw(table, &file(""))?;
    for along in [Along::Boxes, Along::Pairs, Along::Speed] {
        if lines::vary(table, along) {
            lines::draw(table, along, &file(&format!("-{}", along.name())))?;
        }
    }
    Ok(())
}
