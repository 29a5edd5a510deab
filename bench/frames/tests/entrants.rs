//! The entrants of `bench/entrants` compile and find what they should; wrong answers and unsuitable libraries are told.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A library made of a source in which something is replaced, which must be there.
fn library(source: &str, what: &str, by: &str) -> PathBuf {
    let entrants = Path::new(env!("CARGO_MANIFEST_DIR")).join("../entrants");
    let text = std::fs::read_to_string(entrants.join(source)).unwrap();
    assert!(text.contains(what), "{source}: {what}");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{source}", what.len()));
    std::fs::write(&made, text.replace(what, by)).unwrap();
    let compiler = if source.ends_with(".c") { "cc" } else { "c++" };
    let library = made.with_extension("so");
    let mut command = Command::new(compiler);
    command.args(["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"]).arg(entrants);
    assert!(command.arg("-o").arg(&library).arg(made).status().unwrap().success());
    library
}

fn run(libraries: &[PathBuf]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_frames"));
    command.args("--task frames,first,queries --scene uniform,pile --n 500 --frames 2".split(' '));
    command.args(libraries.iter().flat_map(|library| ["--entrant".as_ref(), library.as_os_str()]));
    command.args(["--only", "frame-tree"]).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn entrants_find_what_the_reference_finds() {
    let output =
        run(&[library("grid.c", "grid in C", "grid in C"), library("sweep.cpp", "sweep in C++", "sweep in C++")]);
    let (table, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{table}{errors}");
    assert_eq!(table.matches("\n grid in C ").count(), 4, "two tasks, two scenes: {table}");
    assert_eq!(table.matches("\n sweep in C++ ").count(), 6, "{table}");
}

#[test]
fn wrong_answers_are_told_and_have_no_figures() {
    let output = run(&[library("grid.c", "column(grid, left) != x", "column(grid, left) > x")]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{table}");
    assert!(table.contains("\n wrong: grid in C finds ") && table.contains(" are a pair twice\n"), "{table}");
    assert!(!table.contains("\n grid in C"), "{table}");
}

#[test]
fn unsuitable_libraries_are_refused() {
    let older = library("grid.c", "return ENTRANT_VERSION;", "return 0;");
    let lacking = library("grid.c", "size_t entrant_bytes", "size_t other_bytes");
    let unnamed = library("grid.c", "return \"grid in C\";", "return \"grid, in C\";");
    let (text_file, none) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"), PathBuf::from("none.so"));
    let cases = [
        (older, "it has version 0 of entrant.h; this program has 1"),
        (lacking, "it lacks entrant_bytes"),
        (unnamed, "its name is empty, has a comma"),
        (text_file, "Cargo.toml: "),
        (none, "none.so is refused: "),
    ];
    for (library, why) in cases {
        let output = run(&[library]);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(why), "{errors}");
        assert!(output.stdout.is_empty());
    }
    // It is known only when a task begins.
    let output = run(&[library(
        "grid.c",
        "void *entrant_begin(const entrant_box *boxes, uint32_t count) {",
        "void *entrant_begin(const entrant_box *boxes, uint32_t count) {\n  if (count > 0) return NULL;",
    )]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("error: grid in C cannot begin with 500 boxes\n"));
    let twice = library("grid.c", "grid in C", "grid in C");
    let output = run(&[twice.clone(), twice]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("`grid in C` is the name of another"));
}
