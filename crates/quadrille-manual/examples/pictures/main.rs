//! Draws the pictures of the manual, except those of the viewer:
//!
//! `cargo run --release -p quadrille-manual --example pictures [FOLDER]`, by default into `docs/pictures`.

mod concepts;
mod designs;
mod easel;
mod structures;

use std::path::{Path, PathBuf};

type Done = Result<(), Box<dyn std::error::Error>>;

fn main() -> Done {
    let docs = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let folder = std::env::args_os().nth(1).map_or_else(docs, PathBuf::from);
    concepts::draw(&folder)?;
    structures::draw(&folder)?;
    designs::draw(&folder)
}
