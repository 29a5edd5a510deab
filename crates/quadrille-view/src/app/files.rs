//! Files and examples: what is in a file decides what shows it.

use eframe::egui;
use quadrille_files::{Choice, FixChoice, Fixes, Source, Table};

use super::{App, Subject};
use crate::boxes::{self, Sheet};
use crate::maps::{MapMode, is_map};
use crate::tracks::{EXAMPLE, EXAMPLE_WITHIN, Player, example};

impl App {
    /// Shows the files that were dropped on the window.
    pub(crate) fn take_dropped(&mut self, ui: &egui::Ui) {
        for (name, content) in self.inbox.collect(ui) {
            self.take_file(&name, content);
        }
    }

    /// Shows a file: a map, fixes if it has columns of tracks, times and places, otherwise boxes. Reports why it
    /// cannot. While boxes are shown, a file of fixes is read as boxes.
    pub(crate) fn take_file(&mut self, name: &str, content: Result<Vec<u8>, String>) {
        match content {
            Ok(bytes) if is_map(name, &bytes) => self.show_map(name, &bytes),
            Ok(bytes) => match are_fixes(name, &bytes) {
                Ok(true) if self.subject != Subject::Boxes => self.show_fixes(name, bytes),
                Ok(_) => match Source::from_reader(name, std::io::Cursor::new(bytes)) {
                    Ok(source) => self.show_boxes(source, &Choice::default()),
                    Err(error) => self.say(error.to_string()),
                },
                Err(what) => self.say(what),
            },
            Err(what) => self.say(format!("{name}: {what}")),
        }
    }

    /// Shows the map in a file's bytes. Other files are reported and ignored.
    pub fn show_map(&mut self, name: &str, bytes: &[u8]) {
        match MapMode::from_file(name, bytes, self.view.seed, self.view.walk) {
            Ok(mut map) => {
                self.view.map.get_or_insert_default();
                self.view.walk = map.walk;
                map.set_rule(self.view.rule);
                (self.view.camera, self.view.map_ask, self.subject) = (None, None, Subject::View);
                self.map = Some(map);
            }
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Plays the tracks in files of fixes, one or two. Files that cannot be played are reported and ignored.
    pub fn show_tracks(&mut self, files: &[Fixes]) {
        match Player::new(files, self.view.meet) {
            Ok(mut player) => {
                self.view.at.into_iter().for_each(|at| player.seek(at));
                self.view.rate.into_iter().for_each(|rate| player.rate = rate);
                (self.view.camera, self.player, self.subject) = (None, Some(player), Subject::Tracks);
            }
            Err(error) => self.say(error),
        }
    }

    /// Plays the tracks in a file's bytes, in any form that its header identifies.
    pub fn show_fixes(&mut self, name: &str, bytes: Vec<u8>) {
        let choice = FixChoice { with_heights: self.view.meet.vertical.is_some(), ..FixChoice::default() };
        let source = Source::from_reader(name, std::io::Cursor::new(bytes));
        match source.and_then(|source| Fixes::from_source(source, &choice)) {
            Ok(fixes) => self.show_tracks(&[fixes]),
            Err(error) => self.say(format!("{error}; choose Boxes first to see it as boxes")),
        }
    }

    /// Shows the boxes of an opened file. A file that has none is reported and ignored.
    pub fn show_boxes(&mut self, source: Source, choice: &Choice) {
        match Sheet::from_source(source, choice, self.view.structure, self.view.beside) {
            Ok(sheet) => self.show_sheet(sheet),
            Err(error) => self.say(error),
        }
    }

    /// Shows boxes that have been read.
    pub fn show_sheet(&mut self, sheet: Sheet) {
        (self.view.camera, self.sheet, self.subject) = (None, Some(sheet), Subject::Boxes);
    }

    /// Shows boxes that come with the viewer.
    pub(crate) fn show_example_boxes(&mut self) {
        match Source::from_reader(boxes::EXAMPLE, std::io::Cursor::new(boxes::example())) {
            Ok(source) => self.show_boxes(source, &Choice { keep: vec!["id".into()], ..Choice::default() }),
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Plays tracks that come with the viewer, with a limit at which they meet.
    pub(crate) fn show_example_tracks(&mut self) {
        self.view.meet.within.get_or_insert(EXAMPLE_WITHIN);
        self.view.paused = false;
        self.show_fixes(EXAMPLE, example().into_bytes());
    }
}

/// Whether a file has columns of tracks, times and places.
fn are_fixes(name: &str, bytes: &[u8]) -> Result<bool, String> {
    let source = Source::from_reader(name, std::io::Cursor::new(bytes.to_vec()));
    let table = source.and_then(Table::from_source).map_err(|error| error.to_string())?;
    Ok(Fixes::are_in(&table, &FixChoice::default()))
}
