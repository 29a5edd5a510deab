//! Files that are hardly right: whatever is read, nothing crashes, and each row is a geometry or counted.

use std::io::Cursor;

use quadrille_files::{Choice, Error, FixChoice, Fixes, Shapes, Source};
use quadrille_shapes::{Predicate, distance, in_common, join, join_within, relate};

const SEEDS: [&str; 12] = [
    "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 3, 3 3, 3 1, 1 1))",
    "POINT (2 2)",
    "LINESTRING (0 0, 4 4, 4 0)",
    "MULTIPOINT ((0 0), (1 1), (0.5 0.5))",
    "MULTIPOLYGON (((4 0, 6 0, 6 4, 4 4, 4 0)), ((1 1, 3 1, 2 3, 1 1)))",
    "MULTILINESTRING ((0 4, 4 0), (1 1, 3 1))",
    "GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (0 0, 1 1))",
    "POLYGON Z ((0 0 1, 2 0 1, 1 1 1, 0 0 1))",
    "SRID=4326;POINT ZM (1 2 3 4)",
    "POINT EMPTY",
    "POLYGON ((1 0, 1.5 0.5, 1 1, 0.5 0.5, 1 0))",
    "LINESTRING M (1e-9 0 7, 3 3 7)",
];
/// What is put where a digit was, and where anything was.
const NUMBERS: [&str; 10] = ["0", "1", "2", "4", "0.1", "1.5", "-0", "1e-320", "1e308", "1e400"];
const PIECES: [&str; 16] =
    ["", " ", ",", "(", ")", "((", "))", "-", ".", "e", "nan", "inf", "EMPTY", "POINT", ", 0 0", "\u{e9}"];
/// Geometries of a file.
const AT_ONCE: usize = 10;

/// A line with some of its characters replaced.
fn mutated(random: &mut fastrand::Rng) -> String {
    let mut text = SEEDS[random.usize(..SEEDS.len())].to_owned();
    for _ in 0..random.usize(..4) {
        let digits: Vec<_> =
            text.chars().enumerate().filter(|(_, one)| one.is_ascii_digit()).map(|(at, _)| at).collect();
        let (from, length, piece) = if digits.is_empty() || random.u8(..4) == 0 {
            (random.usize(..=text.chars().count()), random.usize(..4), PIECES[random.usize(..PIECES.len())])
        } else {
            (digits[random.usize(..digits.len())], 1, NUMBERS[random.usize(..NUMBERS.len())])
        };
        text = text.chars().take(from).chain(piece.chars()).chain(text.chars().skip(from + length)).collect();
    }
    text
}

/// Reads files of mutated geometries and joins all with all: how many were geometries, and how many pairs there were.
fn ask(files: usize) -> (usize, usize) {
    let mut random = fastrand::Rng::with_seed(26);
    let choice = Choice { has_geometries: true, skips_invalid: true, ..Choice::default() };
    let (mut read, mut pairs) = (0, 0);
    for _ in 0..files {
        // The first line tells what the file is.
        let lines: Vec<_> =
            std::iter::once("POINT (1 1)".to_owned()).chain((0..AT_ONCE).map(|_| mutated(&mut random))).collect();
        let source = Source::from_reader("f", Cursor::new(lines.join("\n").into_bytes())).unwrap();
        let Ok(shapes) = Shapes::from_source(source, &choice) else { continue };
        let all = shapes.geometries.unwrap();
        read += all.len() - 1;
        for &predicate in Predicate::ALL {
            pairs += join(&all, &all, predicate).iter().flatten().count();
        }
        for (i, j) in join_within(&all, &all, 1.0).unwrap() {
            let _ = (relate(&all, i, &all, j), distance(&all, i, &all, j), in_common(&all, i, &all, j));
        }
    }
    (read, pairs)
}

#[test]
fn nothing_crashes_on_mutated_text() {
    let (read, pairs) = ask(300);
    assert!(read > 1_000 && read < 2_900 && pairs > read, "{read} of 3,000 were geometries; {pairs} pairs");
}

#[test]
#[ignore = "takes minutes"]
fn nothing_crashes_on_a_million_mutated_texts() {
    let (read, pairs) = ask(1_000_000 / AT_ONCE);
    println!("{read} of a million were geometries; {pairs} pairs");
}

/// The seeds that fuzzing of files begins with: one of each kind of file.
fn seeds() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/file");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// Reads bytes as shapes, and as tracks; returns whether either was possible.
fn try_to_read(bytes: &[u8]) -> bool {
    let source = || Source::from_reader("f", Cursor::new(bytes.to_vec()));
    let choice = Choice { has_geometries: true, skips_invalid: true, ..Choice::default() };
    let shapes = source().and_then(|source| Shapes::from_source(source, &choice));
    let fixes = source().and_then(|source| Fixes::from_source(source, &FixChoice::default()));
    let check = |error: &Error| {
        let message = error.to_string();
        assert!(message.starts_with("f: ") && !message.contains('\n') && message.len() < 2_000, "{message:?}");
    };
    shapes.as_ref().err().into_iter().chain(fixes.as_ref().err()).for_each(check);
    if let Ok(shapes) = &shapes {
        let all = shapes.geometries.iter().flat_map(|all| (0..all.len() as u32).map(|number| all.bounds(number)));
        assert!(shapes.geometries.is_none() || all.eq(shapes.boxes.iter().copied()));
    }
    shapes.is_ok() || fixes.is_ok()
}

#[test]
fn a_box_is_that_of_its_shape_in_files_of_all_kinds() {
    let mut random = fastrand::Rng::with_seed(27);
    let mut read = 0;
    for seed in seeds() {
        assert!(try_to_read(&seed), "{}", String::from_utf8_lossy(&seed));
        for _ in 0..300 {
            let mut bytes = seed.clone();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(..bytes.len());
                match random.u8(..3) {
                    0 => bytes[at] = random.u8(..),
                    1 => bytes[at] ^= 1 << random.u8(..8),
                    _ => drop(bytes.splice(at..at, seed[..random.usize(..seed.len())].iter().copied().take(4))),
                }
            }
            read += usize::from(try_to_read(&bytes));
        }
    }
    assert!(read > 1_000, "{read}");
}
