//! quadrille's tracks for JavaScript: what `../js/lib/tracks` wraps. The public interface is documented in
//! `../js/package/tracks.d.ts`.
//!
//! **The border.** Tracks are numbers, which JavaScript maps to names. An encounter is seven numbers: the tracks,
//! start, end, when they were closest, how near, and how far apart in height, which is NaN if heights do not matter.

#![allow(missing_docs, reason = "documented in the declarations")]

use quadrille_tracks::{Encounter, Error, Event, Fix, Fixes, Limits, Rules, Units};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A `RangeError`.
    #[wasm_bindgen(js_name = RangeError)]
    #[derive(Debug)]
    pub type Refusal;

    #[wasm_bindgen(constructor, js_class = "RangeError")]
    fn new(message: &str) -> Refusal;
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::new(&error.to_string())
    }
}

/// What counts as an encounter.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Wanted {
    rules: Rules,
    limits: Limits,
}

#[wasm_bindgen]
impl Wanted {
    /// Limits and rules; those that are not given do not matter.
    #[wasm_bindgen(constructor)]
    pub fn new(
        within: f64,
        vertical: Option<f64>,
        lasting: f64,
        gap: f64,
        max_gap: Option<f64>,
        max_speed: Option<f64>,
        is_globe: bool,
    ) -> Wanted {
        let units = if is_globe { Units::Degrees } else { Units::Plane };
        Self { rules: Rules { units, max_gap, max_speed }, limits: Limits { within, vertical, lasting, gap } }
    }

    /// All encounters in fixes, by columns.
    pub fn encounters(
        &self,
        track: &[u32],
        time: &[f64],
        x: &[f64],
        y: &[f64],
        z: &[f64],
    ) -> Result<Vec<f64>, Refusal> {
        let z = self.limits.vertical.map(|_| z);
        let found = quadrille_tracks::encounters(&Fixes { track, time, x, y, z }, &self.rules, &self.limits)?;
        Ok(flat(&found.encounters))
    }

    /// A stream of fixes.
    pub fn stream(&self) -> Result<Stream, Refusal> {
        Ok(Stream { stream: quadrille_tracks::Stream::new(&self.rules, &self.limits)? })
    }
}

/// Fixes one at a time.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Stream {
    stream: quadrille_tracks::Stream,
}

#[wasm_bindgen]
impl Stream {
    /// Takes a fix, and returns the encounters that it reveals; those that have only begun have the tracks and the
    /// start, and then NaN.
    pub fn push(&mut self, track: u32, time: f64, x: f64, y: f64, z: f64) -> Result<Vec<f64>, Refusal> {
        let events = self.stream.push(&Fix { track, time, x, y, z })?;
        Ok(events.iter().flat_map(numbers_of).collect())
    }

    /// The encounters that have begun and may continue.
    pub fn ongoing(&self) -> Vec<f64> {
        flat(&self.stream.ongoing())
    }
}

fn numbers_of(event: &Event) -> [f64; 7] {
    match event {
        Event::Began { a, b, start } => [f64::from(*a), f64::from(*b), *start, f64::NAN, f64::NAN, f64::NAN, f64::NAN],
        Event::Ended(met) => numbers(met),
    }
}

fn numbers(met: &Encounter) -> [f64; 7] {
    let (a, b) = (f64::from(met.a), f64::from(met.b));
    let vertical = met.closest_vertical.unwrap_or(f64::NAN);
    [a, b, met.start, met.end, met.closest_time, met.closest_distance, vertical]
}

fn flat(encounters: &[Encounter]) -> Vec<f64> {
    encounters.iter().flat_map(numbers).collect()
}
