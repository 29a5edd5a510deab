//! Charts of how time grows, as SVG: a line a contender, both axes logarithmic, those of rivals dashed.
//!
//! A page that shows `bench/results/NAME-ALONG.svg` shows the chart of `NAME.csv` along `boxes` (how many there
//! are), `pairs` (how many a box has) or `speed` (how many widths a box moves in a frame). The file has one scene, in
//! which nothing else varies.

use std::fmt::Write as _;

use crate::figures::{Fault, Results, Row, Sources, grouped};

/// Pixels.
const SIZE: [f64; 2] = [820.0, 480.0];
/// The field of the lines: left, top, right, bottom.
const FIELD: [f64; 4] = [76.0, 33.0, 780.0, 425.0];
/// Boxes at rest are drawn at a thousandth of a width a frame: a logarithmic axis has no zero.
const REST: f64 = 1e-3;
const GRAY: &str = "#dcdcdc";
/// One color a library, the same in every chart; blues and greens are quadrille's structures.
const COLORS: [(&str, &str); 10] = [
    ("frame-tree", "#1f5fa8"),
    ("loose-grid", "#46a05a"),
    ("loose-quadtree", "#3caaaa"),
    ("enclosing-quadtree", "#6e8c3c"),
    ("quadtree", "#5f9bd7"),
    ("grid", "#8cbe6e"),
    ("broccoli", "#e68c32"),
    ("parry2d", "#c34b46"),
    ("box2d", "#7d55a5"),
    ("rstar", "#a54b78"),
];

/// The chart of this name, `NAME-ALONG.svg`.
pub fn chart(name: &str, sources: &mut Sources) -> Result<String, Fault> {
    let stem = name.strip_suffix(".svg").unwrap_or(name);
    let (file, along) = stem.rsplit_once('-').ok_or_else(|| format!("{name}: NAME-ALONG.svg is expected"))?;
    let results = sources.file(&format!("{file}.csv"))?;
    let axis = match along {
        "boxes" => "boxes",
        "pairs" => "pairs per box",
        "speed" => "mean widths that a box moves per frame (0.001: none)",
        _ => return Err(format!("{name}: a chart goes along boxes, pairs or speed")),
    };
    draw(&results, axis, &lines(&results, along)?)
}

/// The points of a contender.
struct Line<'a> {
    contender: &'a str,
    is_ours: bool,
    points: Vec<[f64; 2]>,
}

/// A line a contender, in the order in which they appear.
fn lines<'a>(results: &'a Results, along: &str) -> Result<Vec<Line<'a>>, Fault> {
    let (contender, time) = (results.column("contender")?, results.times()?);
    let place = results.column(match along {
        "boxes" => "n",
        "pairs" => "answers",
        _ => "scene",
    })?;
    let number = |text: &str| text.parse::<f64>().map_err(|_| format!("{text} is no number"));
    let mut lines: Vec<Line<'_>> = Vec::new();
    for row in &results.rows {
        let at = row[place].rsplit(" at ").next().unwrap_or_default();
        let point = [number(at)?.max(if along == "speed" { REST } else { 0.0 }), number(&row[time])?];
        let name = &row[contender];
        match lines.iter_mut().find(|line| line.contender == name) {
            Some(line) => line.points.push(point),
            None => lines.push(Line { contender: name, is_ours: results.is_ours(row), points: vec![point] }),
        }
    }
    Ok(lines)
}

/// The least and the greatest power of ten around some numbers.
fn decades(numbers: impl Iterator<Item = f64> + Clone) -> [i32; 2] {
    let least = numbers.clone().fold(f64::INFINITY, f64::min).log10().floor() as i32;
    [least, (numbers.fold(0.0, f64::max).log10().ceil() as i32).max(least + 1)]
}

fn draw(results: &Results, axis: &str, lines: &[Line<'_>]) -> Result<String, Fault> {
    let first = results.rows.first().ok_or("there are no lines")?;
    let [left, top, right, bottom] = FIELD;
    let points = || lines.iter().flat_map(|line| &line.points);
    let (x, y) = (decades(points().map(|point| point[0])), decades(points().map(|point| point[1])));
    let part = |value: f64, [low, high]: [i32; 2]| (value.log10() - f64::from(low)) / f64::from(high - low);
    let place = |[a, b]: [f64; 2]| [left + (right - left) * part(a, x), bottom + (top - bottom) * part(b, y)];

    let mut svg = Svg::new();
    svg.text([SIZE[0] / 2.0, 20.0], "middle", &title(results, first)?);
    svg.text([(left + right) / 2.0, SIZE[1] - 12.0], "middle", axis);
    svg.text([12.0, 20.0], "start", &format!("ns per {} (median)", &first[results.column("unit")?]));
    for power in x[0]..=x[1] {
        let [at, _] = place([10_f64.powi(power), 1.0]);
        svg.line(&[[at, top], [at, bottom]], GRAY, "");
        svg.text([at, bottom + 16.0], "middle", &grouped(&10_f64.powi(power).to_string()));
    }
    for power in y[0]..=y[1] {
        let [_, at] = place([1.0, 10_f64.powi(power)]);
        svg.line(&[[left, at], [right, at]], GRAY, "");
        svg.text([left - 8.0, at + 4.0], "end", &grouped(&10_f64.powi(power).to_string()));
    }
    for (number, line) in lines.iter().enumerate() {
        let style = format!(" stroke-width=\"2\"{}", if line.is_ours { "" } else { " stroke-dasharray=\"6 4\"" });
        let color = color(line.contender);
        svg.line(&line.points.iter().map(|point| place(*point)).collect::<Vec<_>>(), color, &style);
        let at = top + 18.0 * (number + 1) as f64;
        svg.line(&[[left + 12.0, at - 4.0], [left + 36.0, at - 4.0]], color, &style);
        let ours = if line.is_ours { " (quadrille)" } else { "" };
        svg.text([left + 44.0, at], "start", &format!("{}{ours}", line.contender));
    }
    Ok(svg.0 + "</svg>\n")
}

/// Task, scene, date and machine.
fn title(results: &Results, row: &Row) -> Result<String, Fault> {
    let scene = row[results.column("scene")?].split(" at ").next().unwrap_or_default();
    Ok(format!("{}, {scene}: {}", &row[results.column("task")?], results.made))
}

/// That of the first library in the list with which a contender begins.
fn color(contender: &str) -> &'static str {
    COLORS.iter().find(|(name, _)| contender.starts_with(name)).map_or("#828282", |(_, color)| color)
}

/// The text of a picture.
struct Svg(String);

impl Svg {
    fn new() -> Self {
        let [width, height] = SIZE;
        Self(format!(
            "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        ))
    }

    fn text(&mut self, [x, y]: [f64; 2], anchor: &str, text: &str) {
        let _ = writeln!(self.0, "<text x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"{anchor}\">{text}</text>");
    }

    fn line(&mut self, points: &[[f64; 2]], color: &str, style: &str) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.0, "<polyline fill=\"none\" stroke=\"{color}\"{style} points=\"{}\"/>", points.join(" "));
    }
}
