//! What a map's part of a frame takes, and what it takes to make its picture, one step a frame without a window:
//!
//! `cargo run --release --example frames -- VIEW [SECONDS]`, such as `map=city,guide=each,walkers=1000 20`

#![expect(clippy::print_stdout, reason = "says what was measured")]

use std::error::Error;
use std::time::{Duration, Instant};

use eframe::egui::{Rect, pos2, vec2};
use quadrille_view::camera::Camera;
use quadrille_view::maps::{Frames, MapFigures, MapMode, SECOND, add_map, sheet};
use quadrille_view::state::View;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (view, messages) = View::read(&arguments.next().ok_or("which view?")?);
    messages.into_iter().next().map_or(Ok(()), Err)?;
    let seconds: u64 = arguments.next().map_or(Ok(20), |seconds| seconds.parse())?;
    let mut mode = MapMode::built_in(view.map.ok_or("the view has no map")?, view.seed, view.walk);
    let mut pictures = Frames::default();
    let mut figures = Frames::default();
    for _ in 0..seconds * SECOND {
        mode.step();
        mode.frames.end();
        timed(&mut pictures, || draw(&mode, &view));
        timed(&mut figures, || MapFigures::new(&mode));
    }
    println!("{}", serde_json::to_string(&MapFigures::new(&mode))?);
    for (name, frames) in [("map", &mode.frames), ("picture", &pictures), ("figures", &figures)] {
        let [median, longest] =
            [frames.median(), frames.longest()].map(|took| took.unwrap_or_default().as_secs_f64() * 1e3);
        println!(
            "{name}: median {median:.2} ms, longest {longest:.2} ms, above 4 ms {} of {}",
            frames.long, frames.count
        );
    }
    Ok(())
}

fn timed<T>(frames: &mut Frames, work: impl FnOnce() -> T) {
    let start = Instant::now();
    let result = work();
    let took: Duration = start.elapsed();
    drop(result);
    frames.add(took);
    frames.end();
}

/// As in a window of the usual size.
fn draw(mode: &MapMode, view: &View) -> quadrille_view::render::Picture {
    let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 760.0));
    let camera = view.camera.unwrap_or_else(|| Camera::fit(&mode.bounds(), screen.size()));
    let (shown, points) = (camera.shown(screen), camera.scale(screen));
    let mut picture = sheet(mode, view.theme.unwrap_or_default(), &shown, points);
    add_map(&mut picture, mode, view.theme.unwrap_or_default(), &shown, points);
    picture
}
