//! Colors, light and dark, that color-blind people can distinguish.
//!
//! Inks are of Masataka Okabe and Kei Ito, *Color Universal Design* (2008); the scale for amounts is a few stops of
//! *viridis* (Stéfan van der Walt and Nathaniel Smith, 2015), which grows in lightness as well as in hue.

use eframe::egui::{self, Color32, Context, CornerRadius, Stroke, ThemePreference, Ui, Visuals};

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on warm paper.
    Light,
    /// Light on night.
    #[default]
    Dark,
}

/// Okabe–Ito orange.
pub const ORANGE: Color32 = Color32::from_rgb(0xE6, 0x9F, 0x00);
/// Okabe–Ito sky blue.
pub const SKY: Color32 = Color32::from_rgb(0x56, 0xB4, 0xE9);
/// Okabe–Ito bluish green.
pub const GREEN: Color32 = Color32::from_rgb(0x00, 0x9E, 0x73);
/// Okabe–Ito yellow.
pub const YELLOW: Color32 = Color32::from_rgb(0xF0, 0xE4, 0x42);
/// Okabe–Ito blue.
pub const BLUE: Color32 = Color32::from_rgb(0x00, 0x72, 0xB2);
/// Okabe–Ito vermilion.
pub const VERMILION: Color32 = Color32::from_rgb(0xD5, 0x5E, 0x00);
/// Okabe–Ito reddish purple.
pub const PURPLE: Color32 = Color32::from_rgb(0xCC, 0x79, 0xA7);

/// *Viridis*, from least to most.
const VIRIDIS: [[u8; 3]; 6] = [
    [0x44, 0x01, 0x54],
    [0x41, 0x44, 0x87],
    [0x2A, 0x78, 0x8E],
    [0x22, 0xA8, 0x84],
    [0x7A, 0xD1, 0x51],
    [0xFD, 0xE7, 0x25],
];

/// A color for an amount between 0 and 1.
pub fn scale(amount: f32) -> Color32 {
    let place = amount.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f32;
    let stop = (place as usize).min(VIRIDIS.len() - 2);
    let [from, to] = [VIRIDIS[stop], VIRIDIS[stop + 1]].map(|[red, green, blue]| Color32::from_rgb(red, green, blue));
    from.lerp_to_gamma(to, place - stop as f32)
}

impl Theme {
    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Light => Self::Dark,
            Self::Dark => Self::Light,
        }
    }

    const fn either(self, light: Color32, dark: Color32) -> Color32 {
        match self {
            Self::Light => light,
            Self::Dark => dark,
        }
    }

    /// Behind everything.
    pub const fn paper(self) -> Color32 {
        self.either(Color32::from_rgb(0xFB, 0xF9, 0xF4), Color32::from_rgb(0x12, 0x15, 0x1B))
    }

    /// Text and strong lines.
    pub const fn ink(self) -> Color32 {
        self.either(Color32::from_rgb(0x2B, 0x2F, 0x36), Color32::from_rgb(0xE8, 0xE6, 0xDF))
    }

    /// An agent that touches no other.
    pub const fn agent(self) -> Color32 {
        self.either(BLUE, SKY)
    }

    /// What the answer to a query holds: never the color of contacts.
    pub const fn answer(self) -> Color32 {
        self.either(GREEN, YELLOW)
    }

    /// The colors of the panels.
    pub fn visuals(self) -> Visuals {
        let (mut visuals, panel) = match self {
            Self::Light => (Visuals::light(), Color32::from_rgb(0xF2, 0xEF, 0xE7)),
            Self::Dark => (Visuals::dark(), Color32::from_rgb(0x1B, 0x1F, 0x27)),
        };
        visuals.panel_fill = panel;
        visuals.window_fill = panel;
        visuals.selection.bg_fill = BLUE.gamma_multiply(0.75);
        visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
        visuals.widgets.noninteractive.fg_stroke.color = self.ink();
        visuals.weak_text_alpha = 0.75;
        if self == Self::Light {
            let control = Color32::from_rgb(0xDD, 0xD8, 0xCA);
            (visuals.widgets.inactive.bg_fill, visuals.widgets.inactive.weak_bg_fill) = (control, control);
        }
        visuals.window_corner_radius = CornerRadius::same(8);
        visuals
    }

    /// The theme in which a part of the window is drawn now.
    pub fn of(ui: &Ui) -> Self {
        if ui.visuals().dark_mode { Self::Dark } else { Self::Light }
    }
}

/// Sets egui's colors of the panels in both themes.
pub(crate) fn dress(context: &Context) {
    context.set_visuals_of(egui::Theme::Light, Theme::Light.visuals());
    context.set_visuals_of(egui::Theme::Dark, Theme::Dark.visuals());
}

/// Draws this and everything after it in the chosen theme, or in that of the system if none is chosen. Where the system
/// has none, it is dark.
pub(crate) fn choose(ui: &mut Ui, chosen: Option<Theme>) {
    ui.ctx().set_theme(match chosen {
        None => ThemePreference::System,
        Some(Theme::Light) => ThemePreference::Light,
        Some(Theme::Dark) => ThemePreference::Dark,
    });
    ui.reset_style();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_grows_in_lightness() {
        let lightness = |color: Color32| 3 * u32::from(color.r()) + 6 * u32::from(color.g()) + u32::from(color.b());
        let steps: Vec<_> = (0..=20_u8).map(|step| lightness(scale(f32::from(step) / 20.0))).collect();
        assert!(steps.is_sorted(), "{steps:?}");
        assert_eq!(scale(7.0), Color32::from_rgb(0xFD, 0xE7, 0x25));
    }
}
