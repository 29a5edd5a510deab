//! A frame: keys, files dropped on the window, steps, and everything drawn.

use eframe::egui::{self, Event, Key};
use quadrille::structures::StructureKind;
use quadrille_scenes::SceneKind;
use web_time::{Duration, Instant};

use crate::app::{App, Changes, Subject};
use crate::maps::{MapKind, MapTool, flip};
use crate::round::next;
use crate::state::View;
use crate::theme::{self, Theme};
use crate::tools::Tool;
use crate::tracks::Player;
use crate::{panels, stage};

impl eframe::App for App {
    /// Lets a page query the program that it has started.
    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self)
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }
}

impl App {
    /// Where a point of the world, map or file is on the screen, in the first pane; `None` before the first frame.
    pub fn place(&self, point: [f32; 2]) -> Option<egui::Pos2> {
        let pane = *self.stage.panes.first()?;
        let (world, point) = match (self.subject, &self.map) {
            (Subject::Tracks, _) => (self.player.as_ref()?.bounds(), point),
            (Subject::Boxes, _) => (self.sheet.as_ref()?.world, point),
            (Subject::View, Some(map)) => (map.bounds(), flip(map, point)),
            (Subject::View, None) => (self.world.simulation().world(), point),
        };
        Some(stage::camera_of(&self.view, &world, pane).project(pane, point))
    }

    /// Where the panes with the picture are on the screen; none before the first frame.
    pub fn panes(&self) -> &[egui::Rect] {
        &self.stage.panes
    }

    /// One frame.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        if !std::mem::replace(&mut self.is_dressed, true) {
            theme::dress(ui.ctx());
            // By default, egui takes a press of more than 0.8 s for a drag. A slow frame lasts longer.
            ui.ctx().options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
        }
        theme::choose(ui, self.view.theme);
        self.watch_drawing();
        self.keys(ui);
        self.take_dropped(ui);
        self.pass_notices(ui);
        self.advance(f64::from(ui.input(|input| input.unstable_dt)));
        self.take_figures();
        self.advisor.go_on();
        panels::show(self, ui);
        for message in self.recorder.frame(ui.ctx()) {
            self.say(message);
        }
        let is_behind = self.shows_view() && self.steps() < self.view.steps;
        // Boxes of a file do not move.
        let is_moving = !self.view.paused && self.subject != Subject::Boxes;
        if is_moving || is_behind || self.advisor.progress().is_some() || self.is_fading() {
            ui.ctx().request_repaint();
            self.handed_over = Some(Instant::now());
        }
    }

    /// Removes messages that were shown long enough, even if nothing else moves.
    fn pass_notices(&mut self, ui: &egui::Ui) {
        if let Some(left) = self.notices.begin_frame(ui.input(|input| input.time)) {
            ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
        }
    }

    /// Handles the keys that were pressed.
    fn keys(&mut self, ui: &mut egui::Ui) {
        if ui.ctx().egui_wants_keyboard_input() {
            return;
        }
        let context = ui.ctx().clone();
        let pressed = |key| context.input(|input| input.events.iter().any(|event| presses(event, key)));
        let mut changes = Changes { view: self.view.clone(), restart: false };
        follow(&ALWAYS, pressed, &mut changes.view);
        match self.subject {
            Subject::Tracks => {
                if let Some(player) = &mut self.player {
                    follow(&ON_TRACKS, pressed, player);
                }
            }
            Subject::Boxes => follow(&STRUCTURES, pressed, &mut changes.view),
            Subject::View => {
                if changes.view.map.is_none() {
                    follow(&STRUCTURES, pressed, &mut changes.view);
                    follow(&ON_AGENTS, pressed, &mut changes.view);
                }
                follow(&ON_WORLDS, pressed, &mut changes.view);
                if let Some(chosen) = NUMBERS.into_iter().position(pressed) {
                    choose_tool(&mut changes.view, chosen);
                }
                changes.restart = pressed(Key::R);
            }
        }
        if changes.restart || changes.view != self.view {
            self.change(changes);
        }
        for (_, act) in ACTS.iter().filter(|(key, _)| pressed(*key)) {
            act(self, ui);
        }
    }
}

/// Whether a key goes down; a held key acts once, but steps go on. With Ctrl, Alt or Command it means something to the browser
/// or the system, not to the viewer.
fn presses(event: &Event, wanted: Key) -> bool {
    matches!(event, Event::Key { key, pressed: true, repeat, modifiers, .. }
        if *key == wanted && (!repeat || wanted == Key::Period) && !(modifiers.ctrl || modifiers.alt || modifiers.command))
}

/// Keys, and what each does to a `T`.
type Keys<T, const N: usize> = [(Key, fn(&mut T)); N];

fn follow<T, const N: usize>(keys: &Keys<T, N>, pressed: impl Fn(Key) -> bool, to: &mut T) {
    keys.iter().filter(|(key, _)| pressed(*key)).for_each(|(_, act)| act(to));
}

const ALWAYS: Keys<View, 2> = [(Key::Space, |view| view.paused ^= true), (Key::F, |view| view.camera = None)];

const STRUCTURES: Keys<View, 2> = [
    (Key::S, |view| view.structure = next(StructureKind::ALL, view.structure.kind()).into()),
    (Key::B, |view| {
        view.beside =
            if view.beside.is_some() { None } else { Some(next(StructureKind::ALL, view.structure.kind()).into()) };
    }),
];

const ON_AGENTS: Keys<View, 1> =
    [(Key::N, |view| (view.scene, view.camera, view.ask) = (next(SceneKind::ALL, view.scene), None, None))];

const ON_WORLDS: Keys<View, 1> = [(Key::M, |view| {
    (view.map, view.camera) = (if view.map.is_some() { None } else { Some(MapKind::default()) }, None);
})];

const ON_TRACKS: Keys<Player, 2> = [
    (Key::R, |player| player.seek(f64::NEG_INFINITY)),
    (Key::N, |player| {
        player.seek_encounter(true);
    }),
];

type Act = fn(&mut App, &mut egui::Ui);

/// What is done after the view has changed.
const ACTS: [(Key, Act); 9] = [
    (Key::Escape, |app, ui| {
        // An open list closes by itself, and nothing else does.
        if !egui::Popup::is_any_open(ui.ctx()) {
            app.close_topmost();
        }
    }),
    (Key::T, |app, ui| {
        app.view.theme = Some(Theme::of(ui).other());
        theme::choose(ui, app.view.theme);
    }),
    (Key::Period, |app, _| app.single_step()),
    (Key::U, |app, _| app.maintain()),
    (Key::H, |app, _| app.shows_help ^= true),
    (Key::F1, |app, _| app.shows_help ^= true),
    (Key::C, |app, ui| ui.ctx().copy_text(app.figures_json())),
    (Key::P, |app, ui| app.recorder.save_png(ui.ctx())),
    (Key::G, |app, _| app.recorder.toggle_gif()),
];

/// Tools, in the order of [`Tool::ALL`] and [`MapTool::ALL`].
const NUMBERS: [Key; 10] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9, Key::Num0];

fn choose_tool(view: &mut View, chosen: usize) {
    if view.map.is_none() {
        view.tool = Tool::ALL[chosen];
    } else if let Some(tool) = MapTool::ALL.get(chosen) {
        view.map_tool = *tool;
    }
}
