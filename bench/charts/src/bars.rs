//! A bar per contender, group by group, on a logarithmic scale.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::palette::color;
use crate::table::{Row, Table, grouped};

/// Pixels.
const BAR: i32 = 15;
const TOP: i32 = 50;
const LEFT: i32 = 190;
const WIDTH: i32 = 560;
const RIGHT: i32 = 80;

pub fn draw(table: &Table, path: &Path) -> Result<(), Box<dyn Error>> {
    let groups: Vec<&[Row]> = table.rows.chunk_by(|a, b| a.group == b.group).collect();
    let bottom = TOP + BAR * (table.rows.len() + 2 * groups.len()) as i32;
    let size = ((LEFT + WIDTH + RIGHT) as u32, (bottom + 30) as u32);
    let root = SVGBackend::new(path, size).into_drawing_area();
    root.fill(&WHITE)?;
    let text = |size: f64| ("sans-serif", size).into_font().color(&BLACK);
    let right_aligned = text(11.0).pos(Pos::new(HPos::Right, VPos::Center));
    let left_aligned = text(11.0).pos(Pos::new(HPos::Left, VPos::Center));
    let centered = text(11.0).pos(Pos::new(HPos::Center, VPos::Top));
    root.draw(&Text::new(format!("{}, logarithmic", table.unit), (10, 10), text(14.0)))?;
    root.draw(&Text::new(table.made.clone(), (10, 28), text(11.0)))?;

    let [low, high] = decades(table.rows.iter().map(|row| row.time));
    let place = |time: f64| LEFT + (f64::from(WIDTH) * (time.log10() - low) / (high - low)) as i32;
    for decade in low as i32..=high as i32 {
        let value = 10_f64.powi(decade);
        let x = place(value);
        root.draw(&PathElement::new([(x, TOP), (x, bottom)], RGBColor(220, 220, 220)))?;
        root.draw(&Text::new(grouped(value), (x, bottom + 8), centered.clone()))?;
    }
    let mut y = TOP;
    for group in groups {
        let heading =
            ("sans-serif", 11.5, FontStyle::Bold).into_text_style(&root).pos(Pos::new(HPos::Left, VPos::Center));
        root.draw(&Text::new(group[0].group.clone(), (10, y + BAR), heading))?;
        y += BAR + BAR / 2;
        for row in group {
            let (middle, end) = (y + BAR / 2, place(row.time));
            root.draw(&Text::new(row.contender.clone(), (LEFT - 6, middle), right_aligned.clone()))?;
            root.draw(&Rectangle::new([(LEFT, y + 1), (end, y + BAR - 2)], color(&row.contender).filled()))?;
            root.draw(&Text::new(grouped(rounded(row.time)), (end + 5, middle), left_aligned.clone()))?;
            y += BAR;
        }
        y += BAR / 2;
    }
    root.present()?;
    Ok(())
}

/// Exponents of the powers of ten around some positive numbers.
pub fn decades(numbers: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
    let least = numbers.clone().fold(f64::INFINITY, f64::min).log10().floor();
    let most = numbers.fold(0.0, f64::max).log10().ceil();
    [least, most.max(least + 1.0)]
}

/// Three digits or more.
fn rounded(number: f64) -> f64 {
    let unit = 10_f64.powi((2 - number.log10().floor() as i32).clamp(0, 3));
    (number * unit).round() / unit
}
