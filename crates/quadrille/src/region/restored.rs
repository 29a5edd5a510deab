//! Region quadtrees as they are written, and as read from a file, before they have been validated.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::bulk::entries;
use super::census::Census;
use super::frame::{Frame, Quad, area};
use super::leaves::{LeafChange, Leaves};
use super::objects::{Entry, Objects, in_codes};
use super::pages::{MAX_LEAVES, Pages};
use super::rule::Rule;
use super::shape::Shape;
use super::tree::RegionQuadtree;
use crate::error::Corruption;

/// The essential parts of a [`RegionQuadtree`]: its objects, where its leaves are and which slots they have (which may
/// depend on the history). The lookup table and all counts follow.
#[derive(Serialize, Deserialize)]
#[serde(rename = "RegionQuadtree")]
pub(crate) struct Unvalidated<T, R> {
    width: u32,
    height: u32,
    rule: R,
    /// Cells with their objects, in order.
    objects: Vec<([i32; 2], T)>,
    /// For each slot, the generation, and where its leaf is, if it has one.
    slots: Vec<(u32, Option<Quad>)>,
    free: Vec<u32>,
    changes: Option<Vec<LeafChange>>,
}

impl<T: Copy + Ord, R: Rule> From<RegionQuadtree<T, R>> for Unvalidated<T, R> {
    fn from(RegionQuadtree { shape, objects, rule }: RegionQuadtree<T, R>) -> Self {
        let Shape { frame, leaves, changes, .. } = shape;
        let [width, height] = frame.size();
        let in_cell = |entry: &Entry<T>| (frame.first_cell(frame.quad_of_code(entry.code())), entry.object);
        let (slots, free) = leaves.slots();
        let free = free.to_vec();
        Self { width, height, rule, objects: objects.iter().map(in_cell).collect(), slots, free, changes }
    }
}

impl<T: Copy + Ord, R: Rule> TryFrom<Unvalidated<T, R>> for RegionQuadtree<T, R> {
    type Error = Corruption;

    fn try_from(unvalidated: Unvalidated<T, R>) -> Result<Self, Corruption> {
        let Unvalidated { width, height, rule, objects, slots, free, changes } = unvalidated;
        let frame = Frame::new(width, height)?;
        let entries = entries(&frame, objects)?;
        let is_in_order = entries.is_sorted_by(|one, next| one < next);
        Corruption::unless(is_in_order, || "objects are out of order or there twice".into())?;
        check_tiling(&frame, &slots)?;
        let mut shape =
            Shape { frame, pages: Pages::new(frame.depth), leaves: Leaves::from_slots(&slots, free)?, changes };
        let objects: Objects<T> = entries.into_iter().collect();
        for (leaf, quad) in (0..).zip(&slots).filter_map(|(leaf, &(_, quad))| Some((leaf, quad?))) {
            let codes = frame.codes(quad);
            let census = Census::new(in_codes(&objects, codes.clone()).map(Entry::code));
            *shape.leaves.counts_mut(leaf) = census.whole().counts(&codes, area(frame.cells(quad)));
            shape.pages.set(quad, leaf);
        }
        let tree = Self { shape, objects, rule };
        tree.check_room(0)?;
        Ok(tree)
    }
}

/// The leaves lie on the map, do not overlap, and cover every cell.
fn check_tiling(frame: &Frame, slots: &[(u32, Option<Quad>)]) -> Result<(), Corruption> {
    let quads = slots.iter().filter_map(|&(_, quad)| quad);
    let has_cells = |quad: &Quad| {
        let side = 1_u32.checked_shl(quad.depth.into()).filter(|_| quad.depth <= frame.depth);
        side.is_some_and(|side| quad.x < side && quad.y < side) && frame.rect(*quad).is_some()
    };
    let mut spans: Vec<_> = quads.clone().filter(has_cells).map(|quad| (frame.codes(quad), quad)).collect();
    spans.sort_unstable_by_key(|(codes, _)| codes.start);
    let is_apart = spans.is_sorted_by(|(one, _), (next, _)| one.end <= next.start);
    let cells: u64 = if is_apart { spans.iter().map(|(_, quad)| area(frame.cells(*quad))).sum() } else { 0 };
    let is_sound = spans.len() == quads.count() && slots.len() <= MAX_LEAVES + 128 && cells == area(frame.map());
    Corruption::unless(is_sound, || alloc::format!("{} leaves do not cover each cell of the map once", spans.len()))
}
