//! Where the widgets are on the screen, as reported to screen readers: all of them are drawn on one canvas, so there is
//! no other way to find a button.

use eframe::egui::accesskit::{Node, Rect, TreeUpdate};
use eframe::egui::{Context, FullOutput, Plugin};
use serde::Serialize;

use crate::figures::to_json;

/// The widgets of the last frame. Once it is added, egui also describes each frame for screen readers, which takes time;
/// so it is added on the first request.
#[derive(Debug, Default)]
pub struct Widgets {
    last: Option<TreeUpdate>,
}

impl Plugin for Widgets {
    fn debug_name(&self) -> &'static str {
        "widgets"
    }

    fn setup(&mut self, context: &Context) {
        context.enable_accesskit();
        context.request_repaint();
    }

    fn output_hook(&mut self, _: &Context, output: &mut FullOutput) {
        self.last.clone_from(&output.platform_output.accesskit_update);
    }
}

impl Widgets {
    /// As a JSON array: role, label, value and rectangle (x, y, width, height; points of the window) of each widget
    /// that has a name or a value. Empty before the first frame.
    pub fn to_json(&self) -> String {
        let nodes = self.last.iter().flat_map(|update| &update.nodes);
        to_json(&nodes.filter_map(|(_, node)| Widget::of(node)).collect::<Vec<_>>())
    }
}

#[derive(Serialize)]
struct Widget<'a> {
    role: String,
    label: &'a str,
    value: &'a str,
    /// x, y, width, height.
    rect: [f64; 4],
}

impl<'a> Widget<'a> {
    /// `None` for what has neither a name nor a value.
    fn of(node: &'a Node) -> Option<Self> {
        let Rect { x0, y0, x1, y1 } = node.bounds()?;
        let (label, value) = (node.label().unwrap_or_default(), node.value().unwrap_or_default());
        let has_words = !label.is_empty() || !value.is_empty();
        let rect = [x0, y0, x1 - x0, y1 - y0];
        has_words.then(|| Self { role: format!("{:?}", node.role()), label, value, rect })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{CentralPanel, RawInput};

    #[test]
    fn widgets_are_told_where_they_are_from_the_frame_on_in_which_somebody_asks() {
        let context = Context::default();
        let mut place = None;
        let mut frame = |text: &str| {
            let mut output = context.run_ui(RawInput::default(), |ui| {
                CentralPanel::default().show(ui, |ui| place = Some(ui.button(text).rect));
            });
            // It is not drawn.
            output.textures_delta.clear();
        };
        frame("before");
        assert_eq!(context.plugin_or_default::<Widgets>().lock().to_json(), "[]");
        frame("a \"b\"");
        let rect = place.expect("a button was shown");
        let rect = [rect.min.x, rect.min.y, rect.width(), rect.height()].map(f64::from);
        let expected = serde_json::json!({"role": "Button", "label": "a \"b\"", "value": "", "rect": rect});
        let json = context.plugin_or_default::<Widgets>().lock().to_json();
        let json: Vec<serde_json::Value> = serde_json::from_str(&json).expect("it is JSON");
        assert!(json.contains(&expected), "{expected} in {json:?}");
    }
}
