//! A chart of how cost grows: a line a contender and scene, both axes logarithmic.

use std::fmt::Write as _;

use crate::conditions::Conditions;
use crate::contenders::Side;
use crate::outcome::Outcome;

/// What to draw along.
#[derive(Clone, Copy)]
pub enum Along {
    /// How many boxes there are.
    Boxes,
    /// How many pairs there are for each box.
    Pairs,
    /// How far boxes move in a frame. What stands still is drawn where a thousandth of a width is.
    Distance,
}

/// Pixels.
const LEFT: f64 = 60.0;
const TOP: f64 = 50.0;
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 360.0;

const COLORS: [&str; 8] = ["#2a6fb0", "#c0504d", "#6aa84f", "#e69138", "#674ea7", "#3d85c6", "#a64d79", "#7f6000"];

/// A point of a line: its place on both axes.
type Point = [f64; 2];

/// Lines by name, in the order in which they appear.
fn lines(outcomes: &[(Conditions, Outcome)], along: Along) -> Vec<(String, Side, Vec<Point>)> {
    let mut lines: Vec<(String, Side, Vec<Point>)> = Vec::new();
    for (on, outcome) in outcomes {
        for one in &outcome.figures {
            let name = format!("{}, {}", one.name, on.scene);
            let x = match along {
                Along::Boxes => on.n as f64,
                Along::Pairs => outcome.answers,
                Along::Distance => f64::from(on.variation.speed.unwrap_or_default()).max(1e-3),
            };
            match lines.iter_mut().find(|line| line.0 == name) {
                Some(line) => line.2.push([x, one.median]),
                None => lines.push((name, one.side, vec![[x, one.median]])),
            }
        }
    }
    lines
}

/// Whole decades around some positive numbers.
fn decades(numbers: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
    let least = numbers.clone().fold(f64::INFINITY, f64::min).log10().floor();
    let most = numbers.fold(0.0, f64::max).log10().ceil();
    [least, most.max(least + 1.0)]
}

/// Draws nanoseconds a unit of work.
pub fn svg(outcomes: &[(Conditions, Outcome)], along: Along, title: &str) -> String {
    let lines = lines(outcomes, along);
    let points = lines.iter().flat_map(|(_, _, points)| points.iter().copied());
    let spans = [decades(points.clone().map(|[x, _]| x)), decades(points.map(|[_, y]| y))];
    let place = |[x, y]: Point| {
        let part = |value: f64, [low, high]: [f64; 2]| (value.log10() - low) / (high - low);
        [LEFT + WIDTH * part(x, spans[0]), TOP + HEIGHT * (1.0 - part(y, spans[1]))]
    };
    let (bottom, right) = (TOP + HEIGHT, LEFT + WIDTH);
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}' font-family='sans-serif' font-size='11'>\n\
         <rect width='100%' height='100%' fill='white'/>\n<text x='10' y='20' font-size='13'>{title}</text>\n\
         <text x='10' y='38'>nanoseconds (median)</text><text x='{right}' y='{}' text-anchor='end'>{}</text>\n",
        right + 230.0,
        bottom + 50.0,
        bottom + 36.0,
        match along {
            Along::Boxes => "boxes",
            Along::Pairs => "pairs a box",
            Along::Distance => "mean widths that a box moves in a frame (0.001: none)",
        }
    );
    for exponent in spans[0][0] as i32..=spans[0][1] as i32 {
        let value = 10_f64.powi(exponent);
        let [x, _] = place([value, 1.0]);
        let _ = writeln!(
            svg,
            "<path d='M{x:.1} {TOP}V{bottom}' stroke='#ddd'/><text x='{x:.1}' y='{}' text-anchor='middle'>{value}</text>",
            bottom + 18.0
        );
    }
    for exponent in spans[1][0] as i32..=spans[1][1] as i32 {
        let value = 10_f64.powi(exponent);
        let [_, y] = place([1.0, value]);
        let _ = writeln!(
            svg,
            "<path d='M{LEFT} {y:.1}H{right}' stroke='#ddd'/><text x='{}' y='{:.1}' text-anchor='end'>{value}</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    for (at, (name, side, points)) in lines.iter().enumerate() {
        let color = COLORS[at % COLORS.len()];
        let dash = if *side == Side::Ours { "" } else { " stroke-dasharray='5 3'" };
        let path: Vec<String> =
            points.iter().map(|&point| place(point).map(|at| format!("{at:.1}")).join(",")).collect();
        let _ = writeln!(
            svg,
            "<polyline points='{}' fill='none' stroke='{color}' stroke-width='2'{dash}/>",
            path.join(" ")
        );
        let y = TOP + 16.0 * at as f64 + 10.0;
        let _ = writeln!(
            svg,
            "<path d='M{} {}h22' stroke='{color}' stroke-width='2'{dash}/><text x='{}' y='{y}'>{name}</text>",
            right + 12.0,
            y - 4.0,
            right + 40.0
        );
    }
    svg + "</svg>\n"
}
