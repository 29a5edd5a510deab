//! Features as in nearly all files, read one after another, their coordinates at once. Anything else is left to the reader
//! of whole documents, which also reports the errors. Both must read the same: a test compares them.
//!
//! A parser of our own took 0.76 times the instructions of `serde_json` read in this way, and `sonic-rs` 0.98 times (polygons with eight
//! corners; `simd-json` took twice the time): not enough for its 375 lines.

use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Object;
use crate::geojson_geometry::Plain;

/// What is blank in JSON.
const BLANK: [char; 4] = [' ', '\n', '\r', '\t'];

/// Where the features of a collection begin, if what precedes them is plain: its type, and perhaps the system of its
/// coordinates, which is returned too.
pub(super) fn begin(text: &str) -> Option<(usize, Option<serde_json::Value>)> {
    let (head, rest) = text.split_once("\"features\"")?;
    let rest = rest.trim_start_matches(BLANK).strip_prefix(':')?.trim_start_matches(BLANK).strip_prefix('[')?;
    // An object of its own, unless the word is in a text or in another object.
    let head = head.trim_end_matches(BLANK);
    let head = format!("{}}}", head.strip_suffix(',').unwrap_or(head));
    let object: Object<'_> = serde_json::from_str(&head).ok()?;
    let is_plain = object.is_called("FeatureCollection")
        && object.geometry.is_none()
        && object.properties.is_none()
        && object.id.is_none()
        // It would be known too late for the first features.
        && !rest.contains("\"crs\"");
    is_plain.then(|| (text.len() - rest.len(), object.crs))
}

/// A feature with its geometry.
#[derive(Deserialize)]
pub(super) struct Feature<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    pub(super) geometry: Option<Plain>,
    #[serde(borrow)]
    pub(super) properties: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) place: Option<&'a RawValue>,
}

impl Feature<'_> {
    pub(super) fn is_one(&self) -> bool {
        self.kind == "Feature"
    }
}

/// Where the next feature begins.
pub(super) enum Next {
    At(usize),
    /// The collection has ended, and the text with it.
    End,
}

/// Skips what is between features.
pub(super) fn next(text: &str, at: usize, is_first: bool) -> Option<Next> {
    let rest = text[at..].trim_start_matches(BLANK);
    if let Some(rest) = rest.strip_prefix(']') {
        let rest = rest.trim_start_matches(BLANK).strip_prefix('}')?;
        return rest.trim_start_matches(BLANK).is_empty().then_some(Next::End);
    }
    let rest = if is_first { rest } else { rest.strip_prefix(',')?.trim_start_matches(BLANK) };
    rest.starts_with('{').then(|| Next::At(text.len() - rest.len()))
}

/// Reads what begins here, and returns where it ends.
pub(super) fn read<'a, T: Deserialize<'a>>(text: &'a str, at: usize) -> Option<(T, usize)> {
    let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter();
    let value = values.next()?.ok()?;
    Some((value, at + values.byte_offset()))
}

/// Visits all features from here on, without their coordinates.
pub(super) fn visit<'a>(text: &'a str, mut at: usize, mut each: impl FnMut(&Object<'a>)) -> Option<()> {
    let mut is_first = true;
    while let Next::At(start) = next(text, at, is_first)? {
        let (object, end) = read::<Object<'a>>(text, start)?;
        object.is_called("Feature").then(|| each(&object))?;
        (at, is_first) = (end, false);
    }
    Some(())
}

/// The range of a part of a text.
pub(super) fn range(text: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    start..(start + part.len()).min(text.len())
}
