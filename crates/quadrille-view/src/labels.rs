//! Text used by panels and stage: numbers in groups of three digits, and the colored squares of a legend.

use eframe::egui::{Color32, Grid, RichText, Sense, Ui, Vec2, WidgetText};

/// A small colored square in front of its meaning.
pub(crate) fn swatch(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(9.0), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, color);
}

/// A row of a legend: what a color means.
pub(crate) fn meaning(ui: &mut Ui, color: Color32, text: impl Into<WidgetText>) {
    ui.horizontal(|ui| {
        swatch(ui, color);
        ui.label(text);
    });
}

/// Names in one column, and what each has in another.
pub(crate) fn table<'a>(ui: &mut Ui, id: &str, rows: impl IntoIterator<Item = (&'a str, String)>) {
    Grid::new(id).num_columns(2).show(ui, |ui| {
        for (name, value) in rows {
            ui.label(name);
            ui.label(RichText::new(value).monospace());
            ui.end_row();
        }
    });
}

/// A number with its digits in groups of three: 100,000.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// *1 track*, *2,000 tracks*.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        let texts = [0, 12, 999, 1_000, 12_345, 1_000_000].map(grouped);
        assert_eq!(texts, ["0", "12", "999", "1,000", "12,345", "1,000,000"]);
    }
}
