//! Where boxes of a file are shown, and the mouse on them.

use eframe::egui::{Id, Pos2, Rect, Response, Sense, Ui};
use quadrille::Aabb;

use super::tracks::name;
use super::{camera_of, draw, key, look, split, titles};
use crate::boxes::{Arranged, Drawn, Sheet, add_boxes};
use crate::labels::{grouped, plural};
use crate::overlay::add_structure;
use crate::render::{Picture, density};
use crate::state::View;
use crate::theme::Theme;

/// How far from a box a click still counts, in points: enough for boxes that are drawn as discs.
const NEARLY: f32 = 4.0;

/// Shows the boxes in the available room, once for each structure. Returns the panes.
pub(crate) fn show(ui: &mut Ui, sheet: &mut Sheet, view: &mut View) -> Vec<Rect> {
    let room = ui.available_rect_before_wrap();
    let panes = split(room, sheet.structures().count());
    let mut hovered = None;
    for (number, &pane) in panes.iter().enumerate() {
        let response = ui.interact(pane, Id::unique(("boxes", number)), Sense::click_and_drag());
        // All buttons pan, a double click shows all.
        look(ui, &response, view, &sheet.world, response.dragged());
        if response.double_clicked() {
            view.camera = None;
        }
        hovered = hovered.or(follow(&response, sheet, view));
    }
    for (number, &pane) in panes.iter().enumerate() {
        show_pane(ui, sheet, view, pane, number);
        if let Some((at, id)) = hovered.filter(|(at, _)| pane.contains(*at)) {
            let overlaps = plural(sheet.partners[id as usize] as usize, "other");
            name(ui.painter(), Theme::of(ui), at, &format!("{}: overlaps {overlaps}", sheet.name(id)));
        }
    }
    panes
}

/// The box under the mouse, which a click picks. A click beside all boxes picks none.
fn follow(response: &Response, sheet: &mut Sheet, view: &View) -> Option<(Pos2, u32)> {
    let at = response.hover_pos().or(response.interact_pointer_pos())?;
    let camera = camera_of(view, &sheet.world, response.rect);
    let found = sheet.find(camera.point(response.rect, at), NEARLY / camera.scale(response.rect));
    if response.clicked() {
        let is_again = sheet.picked.as_ref().is_some_and(|picked| Some(picked.id) == found);
        sheet.pick(found.filter(|_| !is_again));
    }
    found.map(|id| (at, id))
}

fn show_pane(ui: &Ui, sheet: &Sheet, view: &View, pane: Rect, number: usize) {
    let Some(arranged) = sheet.structures().nth(number) else { return };
    let camera = camera_of(view, &sheet.world, pane);
    let (shown, points, theme) = (camera.shown(pane), camera.scale(pane), Theme::of(ui));
    let mut insides = Picture::default();
    let flat = |bounds: &Aabb<f64>| sheet.rect(bounds);
    add_structure(&mut insides, (&arranged.index, flat), view.overlays, theme, &sheet.world, &shown, points);
    let mut picture = Picture::on(theme.paper(), &shown);
    // Filled cells are behind the boxes, outlines over them.
    picture.under.append(&mut insides.under);
    let drawn = add_boxes(&mut picture, sheet, view, theme, &shown, points);
    if let Drawn::Density(_) = drawn {
        picture.image = Some(density::image(sheet.rects.iter().copied(), camera, pane, theme));
        // The image is the paper.
        picture.under.remove(0);
    }
    insides.over.append(&mut picture.over);
    insides.lines.append(&mut picture.lines);
    (picture.over, picture.lines) = (insides.over, insides.lines);
    draw(ui, picture, pane, camera, number);
    key::show(ui, view.overlays, pane);
    caption(ui, sheet, arranged, pane, drawn);
}

/// Which structure this is, how long it took, and what is seen.
fn caption(ui: &Ui, sheet: &Sheet, arranged: &Arranged, pane: Rect, drawn: Drawn) {
    let pairs = arranged.pairs_ms.map_or_else(String::new, |ms| format!(", pairs in {ms:.1} ms"));
    let title = format!("{}   built in {:.1} ms{pairs}", arranged.figures.structure, arranged.build_ms);
    let all = grouped(sheet.count());
    let text = match drawn {
        Drawn::Each(count) => format!("{} of {all} boxes", grouped(count)),
        Drawn::Density(count) => {
            format!("how many of {} of {all} boxes cover each place: zoom in to see each", grouped(count))
        }
    };
    titles(ui, pane, (title, 15.0), Some(text));
}
