//! Draws the charts next to the tables in `results/`, which the benches write:
//!
//! ```sh
//! cargo run --release -p charts          # all tables
//! cargo run --release -p charts -- speed # those with this in their name
//! ```
//!
//! Every table becomes a chart of bars. One in which a scene is measured in more than three sizes, densities or speeds
//! becomes a chart of lines as well, whose name ends in what varies.

mod bars;
mod lines;
mod palette;
mod table;

use std::error::Error;
use std::path::Path;

use lines::Along;
use table::Table;

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../results"));
    if wanted.starts_with('-') {
        return Err(
            "no options: tables in pages are written by `cargo run -p quadrille-manual --example figures`".into()
        );
    }
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "csv") && name.contains(&wanted) {
            match Table::read(&path)? {
                Some(table) => draw(&table, &folder.join(name))?,
                None => eprintln!("{name}.csv: not drawn, it is a table of another bench"),
            }
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
