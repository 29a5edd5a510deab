//! Do imports go down only?
//!
//! For every folder of modules, the paths in its files make a graph of dependencies. This program fails if the graph of
//! any folder has a circle, and names it, with a file for each arrow. What a module and its own parent share is not
//! counted, nor are tests. Intended circles are in `known.rs`, with the reason; it also fails if one of those
//! no longer exists.
//!
//! `floors FOLDER …`, from the root of the project: the `src` of every crate.

mod graph;
mod known;
mod paths;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use graph::{Circle, Graph};
use known::{KNOWN, Known, SEALS};

fn main() -> ExitCode {
    let folders: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let circles: Vec<Circle> = folders.iter().flat_map(|folder| read(folder).circles()).collect();
    let faults: Vec<&Circle> = circles.iter().filter(|circle| !KNOWN.iter().any(|known| is(known, circle))).collect();
    faults.iter().for_each(|circle| eprintln!("{}", circle.sentence));
    let (met, gone): (Vec<&Known>, Vec<&Known>) =
        KNOWN.iter().partition(|known| circles.iter().any(|circle| is(known, circle)));
    for Known { folder, rooms, reason } in &met {
        println!("{folder}: {} is a known circle: {reason}", rooms.join(" <-> "));
    }
    for Known { folder, rooms, .. } in &gone {
        eprintln!("{folder}: {} is no circle any more: strike it from known.rs", rooms.join(" <-> "));
    }
    println!("{} crates, {} circles beside {} known", folders.len(), faults.len(), met.len());
    ExitCode::from(u8::from(!faults.is_empty() || !gone.is_empty()))
}

fn is(known: &Known, circle: &Circle) -> bool {
    Path::new(known.folder) == circle.folder && circle.rooms.iter().eq(known.rooms)
}

/// The arrows between the modules of a crate.
fn read(folder: &Path) -> Graph {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    let modules: Vec<(Vec<String>, PathBuf)> =
        files.into_iter().map(|file| (module(file.strip_prefix(folder).expect("in the folder")), file)).collect();
    let parsed: Vec<_> = modules.iter().map(|(module, file)| (module, file, paths::read(file, module))).collect();
    let known = modules.iter().map(|(module, _)| module.clone()).collect();
    let exports = parsed.iter().flat_map(|(_, _, read)| read.exports.clone()).collect();
    let mut graph = Graph::new(folder, known, exports);
    for (module, file, read) in &parsed {
        let named = read.named.iter().filter(|path| !is_sealed(folder, path));
        named.for_each(|path| graph.name(module, path, file));
    }
    graph
}

fn is_sealed(folder: &Path, path: &[String]) -> bool {
    SEALS.iter().any(|(sealed, room)| Path::new(sealed) == folder && path.first().is_some_and(|first| first == room))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The path of the module in a file: `space/mod.rs` and `space.rs` are both `space`; the root is empty.
fn module(file: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        file.with_extension("").iter().map(|name| name.to_str().expect("plain names").to_owned()).collect();
    if names.last().is_some_and(|last| last == "mod") || names == ["lib"] || names == ["main"] {
        names.pop();
    }
    names
}
