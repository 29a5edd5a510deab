//! A frame: keys, files dropped on the window, steps, and everything drawn.

use eframe::egui::{self, Key};
use web_time::Instant;

use crate::app::{App, Changes};
use crate::maps::MapKind;
use crate::round::{next_scene, next_structure};
use crate::state::View;
use crate::tools::Tool;
use crate::{panels, stage};

impl eframe::App for App {
    /// A page asks the program that it has started.
    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self)
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }
}

impl App {
    /// Where a point of the world, or of the map, is on the screen, in the first pane; `None` before the first frame.
    #[must_use]
    pub fn place(&self, point: [f32; 2]) -> Option<egui::Pos2> {
        let pane = *self.stage.panes.first()?;
        Some(match &self.map {
            _ if self.shows_tracks => stage::tracks::camera(self.player.as_ref()?, &self.view, pane).place(pane, point),
            Some(map) => stage::map::place(map, &self.view, pane, point),
            None => stage::camera(self, pane).place(pane, point),
        })
    }

    /// One frame.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        if self.shown_theme != Some(self.view.theme) {
            self.view.theme.apply(ui.ctx());
            self.shown_theme = Some(self.view.theme);
        }
        self.watch_drawing();
        self.keys(ui);
        self.take_dropped(ui);
        self.advance(f64::from(ui.input(|input| input.unstable_dt)));
        self.take_figures();
        panels::show(self, ui);
        for message in self.recorder.frame(ui.ctx()) {
            self.say(message);
        }
        let is_behind = !self.shows_tracks && self.steps() < self.view.steps;
        if !self.view.paused || is_behind || self.advisor.progress().is_some() || self.is_fading() {
            ui.ctx().request_repaint();
            self.handed_over = Some(Instant::now());
        }
    }

    fn keys(&mut self, ui: &egui::Ui) {
        if ui.ctx().egui_wants_keyboard_input() {
            return;
        }
        const NUMBERS: [Key; 10] = [
            Key::Num1,
            Key::Num2,
            Key::Num3,
            Key::Num4,
            Key::Num5,
            Key::Num6,
            Key::Num7,
            Key::Num8,
            Key::Num9,
            Key::Num0,
        ];
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        let mut changes = Changes { view: self.view.clone(), restart: false };
        let View { paused, map, structure, beside, scene, camera, theme, tool, ask, .. } = &mut changes.view;
        *paused ^= pressed(Key::Space);
        if !self.shows_tracks {
            if pressed(Key::S) {
                *structure = next_structure(structure.kind()).into();
            }
            if pressed(Key::B) {
                *beside = if beside.is_some() { None } else { Some(next_structure(structure.kind()).into()) };
            }
            if pressed(Key::N) {
                *scene = next_scene(*scene);
                (*camera, *ask) = (None, None);
            }
            if pressed(Key::M) {
                *map = if map.is_some() { None } else { Some(MapKind::default()) };
                *camera = None;
            }
        }
        if pressed(Key::F) {
            *camera = None;
        }
        if pressed(Key::Escape) {
            *ask = None;
        }
        if pressed(Key::T) {
            *theme = theme.other();
        }
        if let Some(chosen) = NUMBERS.into_iter().position(pressed) {
            *tool = Tool::ALL[chosen];
        }
        if let Some(player) = self.player.as_mut().filter(|_| self.shows_tracks) {
            if pressed(Key::R) {
                player.seek(f64::NEG_INFINITY);
            }
            if pressed(Key::N) {
                player.seek_encounter(true);
            }
        } else {
            changes.restart = pressed(Key::R);
        }
        self.shows_help ^= pressed(Key::H) || pressed(Key::F1);
        if changes.restart || changes.view != self.view {
            self.change(changes);
        }
        if pressed(Key::Period) {
            self.single_step();
        }
        if pressed(Key::C) {
            ui.ctx().copy_text(self.figures_json());
        }
        if pressed(Key::P) {
            self.recorder.save_png(ui.ctx());
        }
        if pressed(Key::G) {
            self.recorder.toggle_gif();
        }
    }
}
