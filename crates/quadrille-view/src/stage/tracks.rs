//! Where tracks are played, the mouse on them, and the time line below.

use eframe::egui::{Align2, FontId, Painter, Pos2, Rect, Sense, Slider, Stroke, Ui, pos2, vec2};
use quadrille_tracks::Encounter;

use super::{camera_of, draw, look, titles};
use crate::labels::{grouped, plural};
use crate::render::Picture;
use crate::state::View;
use crate::theme::{ORANGE, Theme, VERMILION};
use crate::tracks::{Lit, Player, Present, Who, add_present, add_tracks};

/// Height of the time line: bars of encounters, the slider, and times.
const BARS: f32 = 26.0;
const TIMES: f32 = 18.0;
/// Points around the time line.
const ASIDE: f32 = 16.0;
/// Points between two times at least.
const BETWEEN: f32 = 90.0;
/// How far from a track a click still counts, in points.
const NEARLY: f32 = 12.0;
/// Encounters that are named in the picture. More names would cover each other.
const NAMED: usize = 8;

/// Shows the tracks in the available room. Returns the part that the map takes.
pub(crate) fn show(ui: &mut Ui, player: &mut Player, view: &mut View) -> Rect {
    let room = ui.available_rect_before_wrap();
    let line = room.with_min_y(room.bottom() - BARS - TIMES - 30.0);
    let screen = room.with_max_y(line.top());
    map(ui, player, view, screen);
    time_line(ui, player, view, line);
    screen
}

fn map(ui: &mut Ui, player: &mut Player, view: &mut View, screen: Rect) {
    let response = ui.allocate_rect(screen, Sense::click_and_drag());
    // All buttons pan, a double click shows all.
    look(ui, &response, view, &player.bounds(), response.dragged());
    if response.double_clicked() {
        view.camera = None;
    }
    let camera = camera_of(view, &player.bounds(), screen);
    let (shown, points) = (camera.shown(screen), camera.scale(screen));
    let (lit, present) = (player.lit(), player.present().collect::<Vec<_>>());
    let theme = Theme::of(ui);

    let mut ways = Picture::on(theme.paper(), &shown);
    add_tracks(&mut ways, player, &lit, theme, &shown, points);
    let mut discs = Picture::default();
    add_present(&mut discs, player, &present, &lit, theme, points);
    draw(ui, ways, screen, camera, 0);
    draw(ui, discs, screen, camera, 1);
    let painter = ui.painter().with_clip_rect(screen);

    let position = |present: &Present| camera.project(screen, present.position);
    let pointed = response.hover_pos().and_then(|at| {
        let far = |present: &&Present| (position(present) - at).length();
        present.iter().filter(|present| far(present) <= NEARLY).min_by(|one, other| far(one).total_cmp(&far(other)))
    });
    let pointed = pointed.map(|present| present.who);
    for present in present.iter().filter(|one| pointed == Some(one.who) || player.picked.contains(&one.who)) {
        name(&painter, theme, position(present), player.name(present.who));
    }
    name_encounters(&painter, theme, player, &lit, |at| camera.project(screen, at), screen);
    if let Some(who) = pointed.filter(|_| response.clicked()) {
        player.pick(who);
    }
    caption(ui, player, &lit, present.len(), screen);
}

/// The names of the two tracks, at the closest of the visible encounters.
fn name_encounters(
    painter: &Painter,
    theme: Theme,
    player: &Player,
    lit: &[Lit],
    place: impl Fn([f32; 2]) -> Pos2,
    screen: Rect,
) {
    let mut named: Vec<_> = lit.iter().filter(|lit| lit.glow >= 1.0).map(|lit| lit.met).collect();
    let is_focus = |met: &Encounter| player.focus() == Some(met);
    named.sort_by(|one, other| {
        is_focus(other).cmp(&is_focus(one)).then(one.closest_distance.total_cmp(&other.closest_distance))
    });
    let mut taken: Vec<Rect> = Vec::new();
    for met in named {
        let ends = player.ends(&met);
        let [Some(from), Some(to)] = ends.map(|who| player.position(who)) else { continue };
        let middle = place(from).lerp(place(to), 0.5);
        let room = Rect::from_center_size(middle, vec2(170.0, 40.0));
        if taken.len() < NAMED && screen.contains(middle) && !taken.iter().any(|other| other.intersects(room)) {
            taken.push(room);
            let [a, b] = ends.map(|who: Who| player.name(who));
            let closest = player.distance(met.closest_distance);
            if is_focus(&met) {
                painter.circle_stroke(middle, 18.0, Stroke::new(1.5, theme.ink()));
            }
            name(painter, theme, middle, &format!("{a} – {b}, {closest}"));
        }
    }
}

/// A short text next to a place, on a plate.
pub(super) fn name(painter: &Painter, theme: Theme, at: Pos2, text: &str) {
    let galley = painter.layout_no_wrap(text.into(), FontId::proportional(12.0), theme.ink());
    let rect = Align2::LEFT_BOTTOM.anchor_size(at + vec2(9.0, -7.0), galley.size());
    painter.rect_filled(rect.expand2(vec2(3.0, 1.0)), 3.0, theme.paper().gamma_multiply(0.85));
    painter.galley(rect.min, galley, theme.ink());
}

/// The current time, the number of tracks now, and the encounters in progress.
fn caption(ui: &Ui, player: &Player, lit: &[Lit], present: usize, screen: Rect) {
    let mut text = format!("{} of {}", grouped(present), plural(player.count(), "track"));
    if player.meet.within.is_some() {
        let meeting = lit.iter().filter(|lit| lit.glow >= 1.0).count();
        text += &format!(", {} in progress", plural(meeting, "encounter"));
    }
    titles(ui, screen, (player.moments.show(player.at), 18.0), Some(text));
}

/// Bars of how many encounters are in progress, a slider below, and times below that.
fn time_line(ui: &mut Ui, player: &mut Player, view: &mut View, room: Rect) {
    let painter = ui.painter().clone();
    painter.rect_filled(room, 0.0, ui.visuals().panel_fill);
    let line = room.shrink2(vec2(ASIDE, 0.0));
    if !line.is_positive() {
        return;
    }
    bars(&painter, player, line.with_max_y(line.top() + BARS + 4.0));

    let [from, to] = player.span;
    let mut at = player.at;
    let place = Rect::from_min_size(line.left_top() + vec2(0.0, BARS + 6.0), vec2(line.width(), 20.0));
    ui.spacing_mut().slider_width = place.width();
    let slider = Slider::new(&mut at, from..=to).show_value(false).smart_aim(false);
    let response = ui.put(place, slider);
    response.widget_info(|| eframe::egui::WidgetInfo::slider(true, player.at, "time"));
    if response.changed() {
        player.seek(at);
        view.paused = true;
    }

    let ink = Theme::of(ui).ink();
    let most = (line.width() / BETWEEN) as usize;
    for (time, text) in player.moments.marks(player.span, most) {
        let x = along(line, player.share(time));
        let top = place.bottom();
        painter.line_segment([pos2(x, top - 1.0), pos2(x, top + 3.0)], Stroke::new(1.0, ink));
        let anchor = match player.share(time) {
            share if share < 0.03 => Align2::LEFT_TOP,
            share if share > 0.97 => Align2::RIGHT_TOP,
            _ => Align2::CENTER_TOP,
        };
        painter.text(pos2(x, top + 3.0), anchor, text, FontId::proportional(11.0), ink);
    }
}

/// Where a share of the time line is. The handle of the slider keeps this far from its ends.
fn along(line: Rect, share: f64) -> f32 {
    const HANDLE: f32 = 8.0;
    let (left, right) = (line.left() + HANDLE, line.right() - HANDLE);
    left + (right - left) * share as f32
}

fn bars(painter: &Painter, player: &Player, room: Rect) {
    let traffic = &player.traffic;
    let highest = traffic.iter().copied().max().unwrap_or(0).max(1) as f32;
    let x = |part: usize| along(room, part as f64 / traffic.len() as f64);
    for (part, &count) in traffic.iter().enumerate().filter(|part| *part.1 > 0) {
        let top = room.bottom() - (count as f32 / highest * BARS).max(1.0);
        let bar = Rect::from_min_max(pos2(x(part), top), pos2(x(part + 1), room.bottom()));
        painter.rect_filled(bar, 0.0, ORANGE.gamma_multiply(0.7));
    }
    let now = along(room, player.share(player.at));
    painter.line_segment([pos2(now, room.top()), pos2(now, room.bottom())], Stroke::new(1.5, VERMILION));
}
