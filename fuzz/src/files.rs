//! Readers of files, on any bytes: what comes out is rows, or one line that says what is wrong.
//!
//! Target `file`. It gets farther from a file that is right: `QUADRILLE_TARGET=file cargo +nightly fuzz run any
//! fuzz/corpus/file fuzz/seeds/file`.

use std::io::Cursor;

use quadrille_files::{Choice, Error, FixChoice, Fixes, Shapes, Source, Table};

/// Columns that are kept, at most.
const MOST_COLUMNS: usize = 8;

/// Reads a file as boxes on the plane and on the globe, with columns, then as shapes with their boxes, and as fixes.
///
/// # Panics
/// If its error is not one readable line, or if one of our own readers panics.
pub fn file(bytes: &[u8]) {
    let source = || Source::from_reader("f", Cursor::new(bytes.to_vec()));
    let names = source().and_then(Table::from_source).map(|table| table.header().to_vec());
    let keep: Vec<String> = names.unwrap_or_default().into_iter().skip(1).take(MOST_COLUMNS).collect();
    for (is_on_globe, has_geometries) in [(false, false), (true, false), (false, true), (true, true)] {
        // Shapes that are left out must not shift those of other rows.
        let skips_invalid = has_geometries;
        let choice = Choice { keep: keep.clone(), is_on_globe, has_geometries, skips_invalid, ..Choice::default() };
        match source().and_then(|source| Shapes::from_source(source, &choice)) {
            Ok(shapes) => (0..).zip(&shapes.boxes).for_each(|(number, bounds)| {
                assert!(bounds.check().is_ok());
                let own = shapes.geometries.as_ref().map_or(*bounds, |all| all.bounds(number));
                assert!(is_on_globe || own == *bounds, "{own:?} is not the shape of {bounds:?}");
                shapes.kept.iter().for_each(|texts| drop(texts.get(number).to_owned()));
            }),
            Err(error) => check(bytes, &error),
        }
    }
    if let Err(error) = source().and_then(|source| Fixes::from_source(source, &FixChoice::default())) {
        check(bytes, &error);
    }
}

fn check(bytes: &[u8], error: &Error) {
    let message = error.to_string();
    assert!(message.starts_with("f: ") && !message.contains('\n') && message.len() < 2_000, "{message:?}");
    // Those of others are guarded.
    let is_ours = !bytes.starts_with(b"fgb") && !bytes.starts_with(b"PAR1");
    assert!(!is_ours || !message.contains("gave up"), "{message}");
}
