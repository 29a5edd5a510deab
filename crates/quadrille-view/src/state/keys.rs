//! The keys of a view's text: each once, with how its value is read and written.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use quadrille_advise::parameters::{read_structure, write_structure};
use quadrille_paths::Cell;

use super::{AGENTS, Look, MOST_STEPS, NEAREST, SPEED, View};
use crate::camera::Camera;
use crate::maps::painted::{read_runs, write_runs};
use crate::maps::{DOORS, WALKERS};
use crate::theme::Theme;
use crate::tools::{Ask, Tool};

/// A key, and the part of a view that it describes.
pub(super) struct Key {
    pub(super) name: &'static str,
    /// Changes the view as a value says.
    pub(super) read: fn(&mut View, &str) -> Result<(), String>,
    /// The value; empty for a key without a value, `None` if the key is not written.
    pub(super) write: fn(&View) -> Option<String>,
}

const fn key(
    name: &'static str,
    read: fn(&mut View, &str) -> Result<(), String>,
    write: fn(&View) -> Option<String>,
) -> Key {
    Key { name, read, write }
}

/// All keys, in the order in which they are written.
pub(super) const KEYS: [Key; 34] = [
    key("map", |view, text| set(&mut view.map, some(parsed(text))), |view| shown(view.map)),
    key("guide", |view, text| set(&mut view.walk.guide, parsed(text)), |view| said(view.walk.guide)),
    key("walkers", |view, text| set(&mut view.walk.walkers, within(text, &WALKERS)), |view| said(view.walk.walkers)),
    key("doors", |view, text| set(&mut view.walk.doors, within(text, &DOORS)), |view| said(view.walk.doors)),
    key("ends", |view, text| set(&mut view.walk.ends, read_ends(text)), |view| view.walk.ends.map(write_ends)),
    key("rule", |view, text| set(&mut view.rule, parsed(text)), |view| said(view.rule)),
    key("map-tool", |view, text| set(&mut view.map_tool, parsed(text)), |view| said(view.map_tool)),
    key("map-ask", |view, text| set(&mut view.map_ask, read_ends(text)), |view| view.map_ask.map(write_ends)),
    key("painted", |view, text| set(&mut view.painted, read_runs(text)), |view| write_runs(&view.painted)),
    key("within", |view, text| set(&mut view.meet.within, limit(text)), |view| shown(view.meet.within)),
    key("vertical", |view, text| set(&mut view.meet.vertical, limit(text)), |view| shown(view.meet.vertical)),
    key("for", |view, text| set(&mut view.meet.lasting, limit(text)), |view| shown(view.meet.lasting)),
    key("gap", |view, text| set(&mut view.meet.gap, limit(text)), |view| shown(view.meet.gap)),
    key("max-gap", |view, text| set(&mut view.meet.max_gap, limit(text)), |view| shown(view.meet.max_gap)),
    key("max-speed", |view, text| set(&mut view.meet.max_speed, limit(text)), |view| shown(view.meet.max_speed)),
    key("at", |view, text| set(&mut view.at, some(number(text, "", |_| true))), |view| shown(view.at)),
    key(
        "rate",
        |view, text| set(&mut view.rate, some(number(text, " above 0", |rate| rate > 0.0))),
        |view| shown(view.rate),
    ),
    key("scene", |view, text| set(&mut view.scene, parsed(text)), |view| said(view.scene)),
    key("n", |view, text| set(&mut view.agents, within(text, &AGENTS)), |view| said(view.agents)),
    key("seed", |view, text| set(&mut view.seed, within(text, &(0..=u64::MAX))), |view| said(view.seed)),
    key(
        "structure",
        |view, text| set(&mut view.structure, read_structure(text)),
        |view| Some(write_structure(&view.structure)),
    ),
    key(
        "beside",
        |view, text| set(&mut view.beside, some(read_structure(text))),
        |view| view.beside.as_ref().map(write_structure),
    ),
    key(
        "maintain",
        |view, text| set(&mut view.maintains, on_or_off(text)),
        |view| Some(if view.maintains { "on" } else { "off" }.into()),
    ),
    key("speed", |view, text| set(&mut view.speed, within(text, &SPEED)), |view| said(view.speed)),
    key("steps", |view, text| set(&mut view.steps, within(text, &(0..=MOST_STEPS))), |view| said(view.steps)),
    key("paused", |view, text| set(&mut view.paused, alone(text, true)), |view| mark(view.paused)),
    key("overlays", |view, text| set(&mut view.overlays, parsed(text)), |view| said(view.overlays)),
    key(
        "density",
        |view, text| set(&mut view.look, alone(text, Look::Density)),
        |view| mark(view.look == Look::Density),
    ),
    key("camera", |view, text| set(&mut view.camera, some(read_camera(text))), |view| view.camera.map(write_camera)),
    key("tool", |view, text| set(&mut view.tool, parsed(text)), |view| said(view.tool)),
    key("nearest", |view, text| set(&mut view.nearest, within(text, &NEAREST)), |view| said(view.nearest)),
    key("ask", |view, text| set(&mut view.ask, some(read_ask(text))), |view| view.ask.map(write_ask)),
    key(
        "light",
        |view, text| set(&mut view.theme, alone(text, Some(Theme::Light))),
        |view| mark(view.theme == Some(Theme::Light)),
    ),
    key(
        "dark",
        |view, text| set(&mut view.theme, alone(text, Some(Theme::Dark))),
        |view| mark(view.theme == Some(Theme::Dark)),
    ),
];

fn set<T>(field: &mut T, value: Result<T, String>) -> Result<(), String> {
    *field = value?;
    Ok(())
}

fn some<T>(value: Result<T, String>) -> Result<Option<T>, String> {
    value.map(Some)
}

fn shown<T: Display>(value: Option<T>) -> Option<String> {
    value.map(|value| value.to_string())
}

fn said(value: impl Display) -> Option<String> {
    shown(Some(value))
}

/// What is written for a key without a value.
fn mark(is_set: bool) -> Option<String> {
    is_set.then(String::new)
}

/// The meaning of a key without a value.
fn alone<T>(value: &str, meaning: T) -> Result<T, String> {
    if value.is_empty() { Ok(meaning) } else { Err("takes no value".into()) }
}

fn parsed<T: FromStr<Err: Display>>(value: &str) -> Result<T, String> {
    value.parse().map_err(|error: T::Err| error.to_string())
}

fn within<T: FromStr + PartialOrd + Display>(value: &str, range: &RangeInclusive<T>) -> Result<T, String> {
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("must be a whole number from {} to {}", range.start(), range.end()))
}

fn on_or_off(value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("must be on or off".into()),
    }
}

/// A finite number; `rule` says which ones are allowed.
fn number(text: &str, rule: &str, is_allowed: fn(f64) -> bool) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && is_allowed(*number));
    number.ok_or_else(|| format!("must be a number{rule}"))
}

fn limit(text: &str) -> Result<Option<f64>, String> {
    some(number(text, ", 0 or more", |limit| limit >= 0.0))
}

/// `N` numbers with colons between them.
fn numbers<T: FromStr, const N: usize>(text: &str, kind: &str, is_allowed: fn(&T) -> bool) -> Result<[T; N], String> {
    let numbers: Option<Vec<T>> = text.split(':').map(|part| part.parse().ok().filter(is_allowed)).collect();
    let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
    numbers.ok_or_else(|| format!("must be {N} {kind} between colons"))
}

/// Coordinates. Farther out there is no world, and the squares of pixels are no longer numbers.
fn coordinates<const N: usize>(text: &str) -> Result<[f32; N], String> {
    numbers(text, "numbers up to 1e9", |number: &f32| number.abs() <= 1e9)
}

fn read_ends(text: &str) -> Result<Option<[Cell; 2]>, String> {
    let [x0, y0, x1, y1] = numbers(text, "whole numbers", |_| true)?;
    Ok(Some([Cell::new(x0, y0), Cell::new(x1, y1)]))
}

fn write_ends([from, to]: [Cell; 2]) -> String {
    format!("{}:{}:{}:{}", from.x, from.y, to.x, to.y)
}

fn read_camera(text: &str) -> Result<Camera, String> {
    let [x, y, extent] = coordinates(text)?;
    if extent > 0.0 { Ok(Camera { center: [x, y], extent }) } else { Err("the extent of a camera is above 0".into()) }
}

fn write_camera(Camera { center: [x, y], extent }: Camera) -> String {
    format!("{x}:{y}:{extent}")
}

fn read_ask(text: &str) -> Result<Ask, String> {
    let (tool, places) = text.split_once(':').ok_or("a query is TOOL:X:Y:X:Y")?;
    let tool: Tool = parsed(tool)?;
    if !tool.asks() {
        return Err(format!("the tool {tool} asks nothing"));
    }
    let [x0, y0, x1, y1] = coordinates(places)?;
    Ok(Ask { tool, from: [x0, y0], to: [x1, y1], most: 1 })
}

fn write_ask(Ask { tool, from, to, .. }: Ask) -> String {
    format!("{tool}:{}:{}:{}:{}", from[0], from[1], to[0], to[1])
}
