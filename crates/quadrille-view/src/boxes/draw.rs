//! The picture of boxes, colored by how many others each overlaps.

use eframe::egui::Color32;
use quadrille::Aabb;

use super::sheet::Sheet;
use crate::overlay::Overlay;
use crate::render::{Disc, Picture, Rectangle};
use crate::state::{Look, View};
use crate::theme::{Theme, VERMILION, scale};

/// More boxes than this are not drawn one by one.
const MOST: usize = 100_000;
/// At most this many partners of the picked box are marked.
const MARKED: usize = 20_000;
/// A box smaller than this, in screen points, is drawn as a disc; otherwise nobody would see it.
const SMALLEST: f32 = 3.0;
/// The radius of such a disc, and that of a marked one.
const DISC: f32 = 1.6;
const MARK: f32 = 4.0;
/// Line parts shorter than this, in points, are merged with the next part.
const STEP: f32 = 0.7;

/// How the boxes were drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// One by one: this many.
    Each(usize),
    /// This many, as an image of how many boxes cover each point.
    Density(usize),
}

/// The color of a box by the number of others that it overlaps; `most` is the greatest such number.
pub fn color(partners: u32, most: u32, theme: Theme) -> Color32 {
    /// A single one is not violet, which would be hard to see in the dark theme.
    const ONE: f32 = 0.3;
    match partners {
        0 => theme.paper().lerp_to_gamma(theme.ink(), 0.5),
        _ => scale(ONE + (1.0 - ONE) * (partners as f32).ln() / (most as f32).ln().max(1.0)),
    }
}

/// Adds the visible boxes, or the lines of shapes, one by one, unless there are too many or the view shows density;
/// then [`density`](crate::render::density) is the picture.
pub fn add_boxes(picture: &mut Picture, sheet: &Sheet, view: &View, theme: Theme, shown: &Aabb, points: f32) -> Drawn {
    let count = sheet.seen(shown).count();
    let drawn = if view.look == Look::Density || count > MOST { Drawn::Density(count) } else { Drawn::Each(count) };
    if drawn == Drawn::Each(count) {
        let mut shapes = Vec::new();
        for id in sheet.seen(shown) {
            let color = color(sheet.partners[id as usize], sheet.most, theme);
            let outlines = sheet.outlines.as_ref().filter(|outlines| outlines.has(id));
            let rect = &sheet.rects[id as usize];
            match outlines {
                Some(outlines) if !is_small(rect, points) => {
                    outlines.add(&mut shapes, id, (1.2, color), shown, STEP / points);
                    if view.overlays.has(Overlay::Boxes) {
                        add_box(picture, rect, [Color32::TRANSPARENT, color.gamma_multiply(0.5)], points);
                    }
                }
                _ => add_box(picture, rect, [color.gamma_multiply(0.22), color], points),
            }
        }
        picture.lines.append(&mut shapes);
    }
    add_picked(picture, sheet, theme, shown, points);
    drawn
}

/// The picked box and those that it overlaps, on top of everything, in a color that stands for no count.
fn add_picked(picture: &mut Picture, sheet: &Sheet, theme: Theme, shown: &Aabb, points: f32) {
    let Some(picked) = &sheet.picked else { return };
    let mut add = |id: u32, [fill, stroke]: [Color32; 2]| {
        let rect = sheet.rects[id as usize];
        if !rect.intersects(shown) {
            return;
        }
        picture.over.push(Rectangle::new(rect, fill, stroke));
        if is_small(&rect, points) {
            picture.discs.push(Disc { center: rect.center(), radius: MARK / points, color: stroke });
        }
    };
    picked.partners.iter().take(MARKED).for_each(|id| add(*id, [VERMILION.gamma_multiply(0.3), VERMILION]));
    add(picked.id, [VERMILION.gamma_multiply(0.8), theme.ink()]);
}

fn is_small(rect: &Aabb, points: f32) -> bool {
    rect.width().max(rect.height()) * points < SMALLEST
}

fn add_box(picture: &mut Picture, rect: &Aabb, [fill, stroke]: [Color32; 2], points: f32) {
    if is_small(rect, points) {
        picture.discs.push(Disc { center: rect.center(), radius: DISC / points, color: stroke });
    } else {
        picture.under.push(Rectangle::new(*rect, fill, stroke));
    }
}
