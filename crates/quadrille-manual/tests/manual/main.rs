//! What the manual says and shows is so: figures and charts are those of the results, pictures are what the library does, links lead
//! somewhere. With `QUADRILLE_RENEW=1`, figures, charts and pictures are written instead of compared.

#![allow(clippy::unwrap_used, reason = "a test")]

mod charts;
mod figures;
mod links;
mod pictures;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Does a file hold what is made now? It does if it is written.
fn is_current(file: &Path, made: &[u8]) -> bool {
    if fs::read(file).is_ok_and(|held| held == made) {
        return true;
    }
    std::env::var_os("QUADRILLE_RENEW").is_some_and(|_| fs::write(file, made).is_ok())
}

/// What to do about what is stale.
const RENEW: &str = "`QUADRILLE_RENEW=1 cargo test -p quadrille-manual` writes them";
