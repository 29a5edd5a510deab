//! What the benches have measured.

use std::error::Error;
use std::path::Path;

use serde::Deserialize;

/// One file of results.
pub struct Table {
    /// Machine and date.
    pub made: String,
    /// What times are of: `ns per box`.
    pub unit: String,
    pub rows: Vec<Row>,
}

/// One contender under one set of conditions.
pub struct Row {
    /// The conditions in words.
    pub group: String,
    /// Those of a line in a chart: without what varies along it.
    pub scene: String,
    pub contender: String,
    pub is_ours: bool,
    pub time: f64,
    /// Boxes; zero for maps.
    pub boxes: f64,
    /// Answers per box, or per whatever the time is of.
    pub answers: f64,
    /// Mean widths that a box moves per frame, where that was chosen.
    pub speed: Option<f64>,
}

/// A line of a table of the bench `frames`.
#[derive(Deserialize)]
struct Frames {
    task: String,
    scene: String,
    n: usize,
    contender: String,
    side: String,
    median_ns: f64,
    answers: f64,
    unit: String,
}

/// A line of a table of the bench `paths`.
#[derive(Deserialize)]
struct Paths {
    task: String,
    map: String,
    contender: String,
    mean_us: f64,
}

impl Table {
    /// Reads a table of either bench; the header says of which. `None` if it is of neither.
    pub fn read(path: &Path) -> Result<Option<Self>, Box<dyn Error>> {
        let text = std::fs::read_to_string(path)?;
        let made = text.lines().next().and_then(|line| line.strip_prefix("# date ")).unwrap_or_default();
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let columns = reader.headers()?.clone();
        let has = |all: &[&str]| all.iter().all(|wanted| columns.iter().any(|column| column == *wanted));
        let rows: Vec<(String, Row)> = if has(&["map", "contender", "mean_us"]) {
            reader.deserialize().map(|line| line.map(Paths::row)).collect::<Result<_, _>>()?
        } else if has(&["scene", "contender", "median_ns"]) {
            reader.deserialize().map(|line| line.map(Frames::row)).collect::<Result<_, _>>()?
        } else {
            return Ok(None);
        };
        let mut units: Vec<String> = rows.iter().map(|(unit, _)| unit.clone()).collect();
        units.dedup();
        let made = made.replace("clock Cpu", "CPU time").replace("clock Wall", "wall time");
        Ok(Some(Self { made, unit: units.join(", "), rows: rows.into_iter().map(|(_, row)| row).collect() }))
    }
}

impl Frames {
    fn row(self) -> (String, Row) {
        let Self { task, scene, n, contender, side, median_ns, answers, unit } = self;
        let (place, speed) = match scene.split_once(" at ") {
            Some((place, speed)) => (place.to_owned(), speed.parse().ok()),
            None => (scene.clone(), None),
        };
        let group = match speed {
            Some(speed) => format!("{task}, {place}, {} boxes, {speed} widths per frame", grouped(n as f64)),
            None => format!("{task}, {place}, {} boxes", grouped(n as f64)),
        };
        let row = Row {
            group,
            scene: format!("{task}, {place}"),
            contender,
            is_ours: side == "quadrille",
            time: median_ns,
            boxes: n as f64,
            answers,
            speed,
        };
        (format!("ns per {unit} (median)"), row)
    }
}

impl Paths {
    fn row(self) -> (String, Row) {
        let Self { task, map, contender, mean_us } = self;
        let group = format!("{map}, {task}");
        let is_ours = contender.starts_with("quadrille");
        let row = Row {
            scene: group.clone(),
            group,
            contender,
            is_ours,
            time: mean_us,
            boxes: 0.0,
            answers: 0.0,
            speed: None,
        };
        ("µs per path (mean)".into(), row)
    }
}

/// A number as people write it: `1,000,000`, `0.01`.
pub fn grouped(number: f64) -> String {
    let text = number.to_string();
    let (whole, fraction) = text.split_once('.').map_or((&text[..], String::new()), |(w, f)| (w, format!(".{f}")));
    let digits = whole.len();
    let whole: String = whole
        .chars()
        .enumerate()
        .flat_map(|(at, c)| (at > 0 && (digits - at) % 3 == 0).then_some(',').into_iter().chain([c]))
        .collect();
    whole + &fraction
}
