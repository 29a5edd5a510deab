//! How cost grows: a line per contender, both axes logarithmic; those of rivals are dashed.

use std::error::Error;
use std::path::Path;

use plotters::coord::combinators::LogCoord;
use plotters::prelude::*;

use crate::bars::decades;
use crate::palette::color;
use crate::table::{Row, Table, grouped};

/// What varies along a line.
#[derive(Clone, Copy)]
pub enum Along {
    /// How many boxes there are.
    Boxes,
    /// How many pairs there are per box.
    Pairs,
    /// How far boxes move in a frame. Those at rest are drawn at a thousandth of a width.
    Speed,
}

impl Along {
    pub fn name(self) -> &'static str {
        match self {
            Self::Boxes => "boxes",
            Self::Pairs => "pairs",
            Self::Speed => "speed",
        }
    }

    fn axis(self) -> &'static str {
        match self {
            Self::Boxes => "boxes",
            Self::Pairs => "pairs per box",
            Self::Speed => "mean widths that a box moves per frame (0.001: none)",
        }
    }

    fn of(self, row: &Row) -> Option<f64> {
        match self {
            Self::Boxes => (row.boxes > 0.0 && row.speed.is_none()).then_some(row.boxes),
            Self::Pairs => (row.answers > 0.0 && row.speed.is_none()).then_some(row.answers),
            Self::Speed => row.speed.map(|speed| speed.max(1e-3)),
        }
    }
}

/// The first row of a contender, and the points of its line.
type Line<'a> = (&'a Row, Vec<(f64, f64)>);

/// Lines in the order in which they appear. There is one scene where something [varies](vary).
fn lines(table: &Table, along: Along) -> Vec<Line<'_>> {
    let mut lines: Vec<Line> = Vec::new();
    for row in &table.rows {
        let Some(x) = along.of(row) else { continue };
        match lines.iter_mut().find(|line| line.0.contender == row.contender) {
            Some(line) => line.1.push((x, row.time)),
            None => lines.push((row, vec![(x, row.time)])),
        }
    }
    lines
}

/// Is one scene measured in more than three steps of this, with nothing else that varies?
pub fn vary(table: &Table, along: Along) -> bool {
    let steps = |of: fn(&Row) -> f64| {
        let mut steps: Vec<f64> = table.rows.iter().map(of).collect();
        steps.sort_by(f64::total_cmp);
        steps.dedup();
        steps.len()
    };
    let (sizes, speeds) = (steps(|row| row.boxes), steps(|row| row.speed.unwrap_or(-1.0)));
    let is_one_scene = table.rows.iter().all(|row| row.scene == table.rows[0].scene);
    is_one_scene
        && match along {
            Along::Boxes => sizes > 3,
            Along::Pairs => sizes == 1 && speeds == 1 && steps(|row| row.answers) > 3,
            Along::Speed => speeds > 3,
        }
}

pub fn draw(table: &Table, along: Along, path: &Path) -> Result<(), Box<dyn Error>> {
    let lines = lines(table, along);
    let points = lines.iter().flat_map(|(_, points)| points.iter().copied());
    let span = |numbers: [f64; 2]| numbers.map(|exponent| 10_f64.powf(exponent));
    let [left, right] = span(decades(points.clone().map(|(x, _)| x)));
    let [bottom, top] = span(decades(points.map(|(_, y)| y)));

    let root = SVGBackend::new(path, (820, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(12)
        .margin_right(40)
        .caption(format!("{}: {}", table.rows[0].scene, table.made), ("sans-serif", 14))
        .x_label_area_size(42)
        .y_label_area_size(64)
        .build_cartesian_2d((left..right).log_scale(), (bottom..top).log_scale())?;
    let label = |value: &f64| grouped((value * 1e6).round() / 1e6);
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(220, 220, 220))
        .x_desc(along.axis())
        .y_desc(&table.unit)
        .x_label_formatter(&label)
        .y_label_formatter(&label)
        .label_style(("sans-serif", 12))
        .draw()?;
    for line in lines {
        draw_line(&mut chart, line)?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(RGBColor(220, 220, 220))
        .label_font(("sans-serif", 12))
        .draw()?;
    root.present()?;
    Ok(())
}

/// Both axes.
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<LogCoord<f64>, LogCoord<f64>>>;

fn draw_line(chart: &mut Chart<'_, '_>, (row, points): Line<'_>) -> Result<(), Box<dyn Error>> {
    let name = row.contender.clone();
    let style = color(&row.contender).stroke_width(2);
    let legend = move |(x, y): (i32, i32)| PathElement::new([(x, y), (x + 20, y)], style);
    let drawn = if row.is_ours {
        chart.draw_series(LineSeries::new(points, style))?
    } else {
        chart.draw_series(DashedLineSeries::new(points, 6, 4, style))?
    };
    drawn.label(if row.is_ours { format!("{name} (quadrille)") } else { name }).legend(legend);
    Ok(())
}
