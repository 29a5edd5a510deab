//! The way in from a page: `web/viewer.js` makes a [`Viewer`], starts it on a canvas and asks it for its state now and then.

use std::cell::OnceCell;
use std::rc::Rc;

use eframe::{WebOptions, WebRunner, egui};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::HtmlCanvasElement;

use crate::app::App;
use crate::widgets::Widgets;

/// The viewer on a canvas. What a page can ask of it changes nothing.
#[wasm_bindgen]
#[expect(missing_debug_implementations, reason = "eframe's runner has none")]
pub struct Viewer {
    runner: WebRunner,
    context: Rc<OnceCell<egui::Context>>,
}

#[wasm_bindgen]
impl Viewer {
    /// A viewer that has not been started.
    #[wasm_bindgen(constructor)]
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only pages make one")]
    pub fn new() -> Self {
        Self { runner: WebRunner::new(), context: Rc::default() }
    }

    /// Starts on a canvas with a shared view, empty for the usual one. A text that is none is reported in the viewer.
    ///
    /// # Errors
    /// If the browser gives neither WebGPU nor WebGL2.
    pub async fn start(&self, canvas: HtmlCanvasElement, state: String) -> Result<(), JsValue> {
        let kept = self.context.clone();
        let app = move |context: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, _> {
            kept.get_or_init(|| context.egui_ctx.clone());
            Ok(Box::new(App::new(context, &state)))
        };
        self.runner.start(canvas, WebOptions::default(), Box::new(app)).await
    }

    /// What is on the screen, as a text that starts the same view; empty before the start.
    #[must_use]
    pub fn state(&self) -> String {
        self.runner.app_mut::<App>().map_or_else(String::new, |app| app.state_text())
    }

    /// The figures on the screen as a JSON object; `null` before the start.
    #[must_use]
    pub fn figures(&self) -> String {
        self.runner.app_mut::<App>().map_or_else(|| "null".into(), |app| app.figures_json())
    }

    /// The widgets on the screen as a JSON array, see [`Widgets::to_json`]; empty before the frame after the first call.
    #[must_use]
    pub fn widgets(&self) -> String {
        let context = self.context.get();
        context.map_or_else(|| "[]".into(), |context| context.plugin_or_default::<Widgets>().lock().to_json())
    }

    /// Why it stopped, if a mistake in it stopped it.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.runner.panic_summary().map(|panic| panic.message())
    }
}
