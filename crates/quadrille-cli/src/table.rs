//! Tables for people.

use crate::text::one_line;
use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};

/// A table without frames: a heading, words in the first column, figures to the right in the others.
///
/// If that is wider than `width`, the words of the first column are wrapped.
pub(crate) fn figures<const N: usize>(
    width: u16,
    heading: [&str; N],
    rows: impl IntoIterator<Item: IntoIterator<Item = String>>,
) -> String {
    let mut table = plain();
    table.set_header(aligned(heading.map(Into::into)));
    table.add_rows(rows.into_iter().map(aligned));
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    for column in table.column_iter_mut().skip(1) {
        column.set_constraint(ColumnConstraint::ContentWidth).set_padding((1, 0));
    }
    finish(&table)
}

/// A list of names and their meanings.
pub(crate) fn facts<'a>(rows: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let mut table = plain();
    table.add_rows(rows.into_iter().map(|(name, value)| [name.to_owned(), one_line(&value)]));
    finish(&table)
}

/// A table of longer texts, wrapped to `width` columns of characters, of which each column of the table has a share, in
/// percent.
pub(crate) fn texts<const N: usize>(
    width: u16,
    columns: [(&str, u16); N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    table.set_header(columns.map(|(heading, _)| heading));
    table.add_rows(rows);
    table.set_constraints(columns.map(|(_, share)| ColumnConstraint::Absolute(Width::Percentage(share))));
    finish(&table)
}

/// The first cell to the left, the others to the right.
fn aligned(texts: impl IntoIterator<Item = String>) -> Vec<Cell> {
    let sides = std::iter::once(CellAlignment::Left).chain(std::iter::repeat(CellAlignment::Right));
    texts.into_iter().zip(sides).map(|(text, side)| Cell::new(text).set_alignment(side)).collect()
}

fn plain() -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table
}

fn finish(table: &Table) -> String {
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}
