//! Writes the figures and tables that pages and sources take from `bench/results`:
//!
//! `cargo run -p quadrille-manual --example figures`
//!
//! `cargo test -p quadrille-manual --test figures` says which of them are not those of the results.

#![expect(clippy::print_stdout, reason = "says what was written")]

use std::fs;
use std::path::Path;

use quadrille_manual::figures::{Sources, renewed};
use quadrille_manual::pages;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = Sources::new(&root.join("bench/results"));
    for page in pages::with_figures(&root)? {
        let old = fs::read_to_string(&page)?;
        let new = renewed(&old, &mut sources).map_err(|fault| format!("{}: {fault}", page.display()))?.text;
        if new != old {
            fs::write(&page, new)?;
            println!("{}", page.display());
        }
    }
    Ok(())
}
