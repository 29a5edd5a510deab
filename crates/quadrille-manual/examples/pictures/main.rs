//! Draws the chart of the README and the pictures of the manual, except those of the viewer:
//!
//! `cargo run --release -p quadrille-manual --example pictures [FOLDER]`, by default into `docs/pictures`.

mod chart;
mod concepts;
mod designs;
mod easel;
mod shapes;
mod steps;
mod structures;

use std::path::{Path, PathBuf};

type Done = Result<(), Box<dyn std::error::Error>>;

fn main() -> Done {
    let docs = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let folder = std::env::args_os().nth(1).map_or_else(docs, PathBuf::from);
    draw(&folder)
}

fn draw(folder: &Path) -> Done {
    chart::draw(folder)?;
    concepts::draw(folder)?;
    structures::draw(folder)?;
    designs::draw(folder)?;
    steps::draw(folder)?;
    shapes::draw(folder)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_pictures_of_the_manual_are_those_that_are_drawn_now() {
        let folder = std::env::temp_dir().join(format!("quadrille-pictures-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        super::draw(&folder).expect("pictures");
        let mut names: Vec<_> =
            fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("a file").file_name()).collect();
        names.sort();
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
        let stale: Vec<_> =
            names.iter().filter(|name| fs::read(folder.join(name)).ok() != fs::read(docs.join(name)).ok()).collect();
        assert!(stale.is_empty(), "{stale:?}: `cargo run --release -p quadrille-manual --example pictures` draws them");
        fs::remove_dir_all(&folder).expect("the folder is ours");
    }
}
