//! Files that are dropped on the window. A browser reads them asynchronously, so they are requested in one frame and
//! arrive in a later one.

use std::sync::mpsc::{Receiver, Sender, channel};

use eframe::egui::{Context, DroppedFile, DroppedFileHandle, Ui};

/// A file's name, and its bytes or why it could not be read.
pub(crate) type Letter = (String, Result<Vec<u8>, String>);

/// Dropped files that have not arrived yet.
#[derive(Debug)]
pub(crate) struct Inbox {
    sender: Sender<Letter>,
    receiver: Receiver<Letter>,
}

impl Default for Inbox {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self { sender, receiver }
    }
}

impl Inbox {
    /// Requests what was dropped in this frame, and returns what has arrived.
    pub(crate) fn collect(&self, ui: &Ui) -> Vec<Letter> {
        for file in ui.input(|input| input.raw.dropped_files.clone()) {
            self.read(&file, ui.ctx());
        }
        self.receiver.try_iter().collect()
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn read(&self, file: &DroppedFileHandle, _: &Context) {
        // It cannot fail: the receiver lives as long as the sender.
        let _ = self.sender.send((name(&**file), file.bytes()));
    }

    #[cfg(target_arch = "wasm32")]
    fn read(&self, file: &DroppedFileHandle, context: &Context) {
        let (sender, file, context) = (self.sender.clone(), file.clone(), context.clone());
        wasm_bindgen_futures::spawn_local(async move {
            // The receiver is gone if the viewer has been closed.
            let _ = sender.send((name(&*file), file.bytes_async().await));
            context.request_repaint();
        });
    }
}

fn name(file: &dyn DroppedFile) -> String {
    file.path().display().to_string()
}
