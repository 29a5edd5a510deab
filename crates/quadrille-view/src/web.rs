//! The interface for a page: `web/viewer.js` makes a [`Viewer`], starts it on a canvas and reads its state now
//! and then.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use eframe::egui_wgpu::{RenderState, WgpuSetup};
use eframe::{WebOptions, WebRunner, egui, wgpu};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use web_sys::HtmlCanvasElement;

use crate::app::App;
use crate::widgets::Widgets;

/// The viewer on a canvas. A page can only read from it.
#[wasm_bindgen]
#[expect(missing_debug_implementations, reason = "eframe's runner has none")]
pub struct Viewer {
    runner: WebRunner,
    context: Rc<OnceCell<egui::Context>>,
    lost: Arc<OnceLock<String>>,
}

#[wasm_bindgen]
impl Viewer {
    /// A viewer that has not been started.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "only pages make one")]
    pub fn new() -> Self {
        Self { runner: WebRunner::new(), context: Rc::default(), lost: Arc::default() }
    }

    /// Starts on a canvas with a shared view; an empty text is the default view. Invalid texts are reported in the
    /// viewer.
    ///
    /// Draws with WebGPU if there is one, otherwise with WebGL2. `fallback_reason` is shown to the user if WebGL2 is
    /// used although WebGPU exists; it may be empty.
    ///
    /// # Errors
    /// Returns an error if the browser gives neither.
    pub async fn start(
        &self,
        canvas: HtmlCanvasElement,
        state: String,
        fallback_reason: Option<String>,
    ) -> Result<(), JsValue> {
        let (kept, lost) = (self.context.clone(), self.lost.clone());
        let options = if fallback_reason.is_some() { webgl2_alone() } else { WebOptions::default() };
        let app = move |context: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, _> {
            kept.get_or_init(|| context.egui_ctx.clone());
            let is_webgpu =
                |renderer: &&RenderState| renderer.adapter.get_info().backend == wgpu::Backend::BrowserWebGpu;
            if let Some(renderer) = context.wgpu_render_state.as_ref().filter(is_webgpu) {
                renderer.device.set_device_lost_callback(move |_, why| {
                    lost.get_or_init(|| why);
                });
            }
            let mut app = App::new(context, &state);
            fallback_reason.filter(|why| !why.is_empty()).into_iter().for_each(|why| app.say(why));
            Ok(Box::new(app))
        };
        self.runner.start(canvas, options, Box::new(app)).await
    }

    /// Why WebGPU stopped drawing, if the browser took it away.
    pub fn lost(&self) -> Option<String> {
        self.lost.get().cloned()
    }

    /// Releases the canvas.
    pub fn stop(&self) {
        self.runner.destroy();
    }

    /// What is on the screen, as a text that starts the same view; empty before the start.
    pub fn state(&self) -> String {
        self.runner.app_mut::<App>().map_or_else(String::new, |app| app.state_text())
    }

    /// The figures on the screen as a JSON object; `null` before the start.
    pub fn figures(&self) -> String {
        self.runner.app_mut::<App>().map_or_else(|| "null".into(), |app| app.figures_json())
    }

    /// The widgets on the screen as a JSON array, see [`Widgets::to_json`]; empty before the frame after the first
    /// call.
    pub fn widgets(&self) -> String {
        let context = self.context.get();
        context.map_or_else(|| "[]".into(), |context| context.plugin_or_default::<Widgets>().lock().to_json())
    }

    /// Why it stopped, if a defect stopped it.
    pub fn failure(&self) -> Option<String> {
        self.runner.panic_summary().map(|panic| panic.message())
    }
}

/// Options that do not try WebGPU.
fn webgl2_alone() -> WebOptions {
    let mut options = WebOptions::default();
    if let WgpuSetup::CreateNew(setup) = &mut options.wgpu_options.wgpu_setup {
        setup.instance_descriptor.backends = wgpu::Backends::GL;
    }
    options
}
