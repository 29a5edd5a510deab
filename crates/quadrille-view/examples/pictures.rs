//! Makes the pictures of `docs/viewer.md` without a window, from views as text:
//!
//! `cargo run --release --example pictures -- FOLDER [NAME]... [--tracks FILE | --boxes FILE [VIEW]]`
//!
//! Tracks are drawn if there is a file of them: the day over Switzerland of the manual. So are boxes: the ZIP code areas
//! of the manual, or any other file with a view of your own.

#![expect(clippy::print_stdout, reason = "says what was written")]

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use eframe::egui::{Color32, ColorImage, Event, Key, Modifiers, PointerButton};
use eframe::egui_wgpu::RendererOptions;
use egui_kittest::Harness;
use egui_kittest::wgpu::{WgpuTestRenderer, create_render_state, default_wgpu_setup};
use quadrille_draw::{Animation, write_png};
use quadrille_files::{Choice, FixChoice, Fixes, Source};
use quadrille_view::App;
use quadrille_view::boxes::Sheet;
use quadrille_view::maps::MapMode;
use quadrille_view::record::{canvas, inks};
use quadrille_view::render::gpu::install;

/// File names, and what they show.
const PICTURES: [(&str, &str); 17] = [
    ("first", "scene=mixed,n=3000,structure=frame-tree,beside=quadtree,steps=200,paused,overlays=cells+hulls+contacts"),
    ("population", "scene=clustered,n=20000,structure=quadtree,steps=100,paused,overlays=cells+population"),
    ("depth", "scene=fps-sphere,n=8000,steps=60,paused,overlays=cells+depth,light"),
    ("loose", "n=1200,structure=loose-grid:loose=8:tight=16,steps=60,paused,overlays=hulls+tight,camera=60:60:60"),
    ("pyramid", "scene=clustered,n=5000,structure=grid:cell=1,steps=60,paused,overlays=pyramid"),
    ("order", "n=150,structure=frame-tree,steps=60,paused,overlays=order"),
    ("velocity", "n=800,steps=60,paused,overlays=boxes+contacts+velocity,camera=60:60:60,light"),
    ("rectangle", "n=5000,structure=quadtree,steps=30,paused,tool=rectangle,ask=rectangle:125:140:185:175"),
    (
        "nearest",
        "n=3000,structure=loose-quadtree,steps=30,paused,tool=nearest,nearest=24,ask=nearest:120:120:120:120,camera=120:120:90",
    ),
    ("ray", "n=3000,structure=grid,steps=30,paused,tool=ray,ask=ray:60:70:190:150,camera=120:120:150"),
    ("cone", "n=3000,structure=enclosing-quadtree,steps=30,paused,tool=cone,ask=cone:70:70:150:140,light"),
    ("light", "scene=mixed,n=120,steps=30,paused,overlays=boxes,tool=light,ask=light:80:70:150:70"),
    ("map-path", "map=field,walkers=150,steps=60,paused,ends=4:8:123:119"),
    ("map-flow", "map=rooms,guide=flow,walkers=800,steps=150,paused"),
    (
        "map-neighbors",
        "map=caves,walkers=0,paused,rule=side:2,map-tool=neighbors,map-ask=108:50:108:50,camera=100:80:52",
    ),
    ("map-crowd", "map=city,guide=each,walkers=1000,steps=1200"),
    ("density", "scene=clustered,n=100000,steps=60,paused,overlays=none,density"),
];

/// A wall that is drawn with the mouse on the map of the first picture of a map, across the path: from there to there,
/// in cells.
const WALL: [[f32; 2]; 2] = [[40.0, 100.0], [88.0, 36.0]];
const STEPS_AROUND: usize = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let mut wanted: Vec<String> = arguments.collect();
    if let Some(place) = wanted.iter().position(|one| one == "--tracks") {
        let file = wanted.drain(place..).nth(1).ok_or("which file of tracks?")?;
        tracks(&folder.join("viewer-tracks.png"), Path::new(&file))?;
        if wanted.is_empty() {
            return Ok(());
        }
    }
    if let Some(place) = wanted.iter().position(|one| one == "--boxes") {
        let mut words = wanted.drain(place..).skip(1);
        let file = words.next().ok_or("which file of boxes?")?;
        boxes(&folder.join("viewer-boxes.png"), Path::new(&file), &words.next().unwrap_or_else(|| BOXES.into()))?;
        drop(words);
        if wanted.is_empty() {
            return Ok(());
        }
    }
    for (name, view) in
        PICTURES.into_iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|one| one == name))
    {
        let path = folder.join(format!("viewer-{name}.png"));
        let image = picture(view, (name == "map-path").then_some(WALL))?;
        write_png(&canvas(&image, usize::MAX), BufWriter::new(File::create(&path)?))?;
        println!("{}: {view}", path.display());
    }
    if wanted.is_empty() || wanted.iter().any(|one| one == "film") {
        film(&folder.join("viewer.gif"))?;
    }
    Ok(())
}

/// Aircraft in the afternoon, at the limits of the manual.
const TRACKS: &str = "within=9260,vertical=1000,max-gap=60,at=1533109095,paused,light";

fn tracks(path: &Path, file: &Path) -> Result<(), Box<dyn Error>> {
    let choice = FixChoice { with_heights: true, ..FixChoice::default() };
    let mut program = open(TRACKS, SIZE);
    program.state_mut().show_tracks(&[Fixes::read(file, &choice)?]);
    program.run_steps(4);
    write_png(&canvas(&image(&mut program)?, usize::MAX), BufWriter::new(File::create(path)?))?;
    println!("{}: {TRACKS}", path.display());
    Ok(())
}

/// Areas of ZIP codes around New Hampshire, in a quadtree.
const BOXES: &str = "structure=quadtree,camera=-113:29:6,paused";

/// A box in the middle is clicked.
fn boxes(path: &Path, file: &Path, view: &str) -> Result<(), Box<dyn Error>> {
    let mut program = open(view, SIZE);
    let (structure, beside, camera) =
        (program.state().view().structure, program.state().view().beside, program.state().view().camera);
    let sheet = Sheet::from_source(Source::open(file)?, &Choice::default(), structure, beside)?;
    program.state_mut().show_sheet(sheet, camera);
    program.run_steps(4);
    if let Some(middle) = camera.and_then(|camera| program.state().place(camera.center)) {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        program.event(Event::PointerMoved(middle));
        program.step();
        for pressed in [true, false] {
            program.event(Event::PointerButton { pos: middle, button, pressed, modifiers });
            program.step();
        }
        program.run_steps(4);
    }
    write_png(&canvas(&image(&mut program)?, usize::MAX), BufWriter::new(File::create(path)?))?;
    println!("{}: {view}", path.display());
    Ok(())
}

/// Width and height of the window.
const SIZE: [f32; 2] = [1216.0, 776.0];

/// Two structures at work, and a query that is repeated in every frame.
const FILM: &str = "scene=mixed,n=1200,structure=frame-tree,beside=quadtree,overlays=cells+hulls+contacts,paused,tool=circle,ask=circle:280:280:360:300";
const FRAMES: usize = 30;
/// Hundredths of a second a frame.
const DELAY: u16 = 8;
/// Steps between two frames.
const STEPS: usize = 2;

fn film(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut program = open(FILM, [1136.0, 616.0]);
    let mut animation = None;
    for _ in 0..FRAMES {
        for _ in 0..STEPS {
            program.key_press(Key::Period);
            program.step();
        }
        let image = image(&mut program)?;
        let canvas = canvas(&image, usize::MAX);
        let animation = match &mut animation {
            Some(animation) => animation,
            none => none.insert(Animation::new(BufWriter::new(File::create(path)?), &canvas, &inks(&image), DELAY)?),
        };
        animation.push(&canvas)?;
    }
    animation.map(Animation::finish).transpose()?;
    println!("{}: {FILM}", path.display());
    Ok(())
}

/// The window showing a view, when its first steps are done and the wall is drawn.
fn picture(view: &str, wall: Option<[[f32; 2]; 2]>) -> Result<ColorImage, String> {
    let mut program = open(view, SIZE);
    program.step();
    let steps = |app: &App| app.map().map_or(app.world().steps(), MapMode::steps);
    while steps(program.state()) < program.state().view().steps {
        program.step();
    }
    program.run_steps(4);
    if let Some(ends) = wall {
        draw(&mut program, ends);
        // Agents need a few steps to notice.
        for _ in 0..STEPS_AROUND {
            program.key_press(Key::Period);
            program.step();
        }
    }
    image(&mut program)
}

/// Moves the mouse with its button down, which stays down.
fn draw(program: &mut Harness<'_, App>, ends: [[f32; 2]; 2]) {
    let [from, to] = ends.map(|end| program.state().place(end).expect("a frame was shown"));
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    program.event(Event::PointerMoved(from));
    program.event(Event::PointerButton { pos: from, button, pressed: true, modifiers });
    for part in 0..=8_u8 {
        program.event(Event::PointerMoved(from.lerp(to, f32::from(part) / 8.0)));
        program.step();
    }
}

fn open(view: &str, size: [f32; 2]) -> Harness<'static, App> {
    let state = create_render_state(default_wgpu_setup(), RendererOptions::PREDICTABLE);
    install(&state);
    let renderer = WgpuTestRenderer::from_render_state(state);
    // What runs does a step a frame.
    let builder = Harness::builder().with_size(size).with_step_dt(1.0 / 60.0).renderer(renderer);
    builder.build_ui_state(|ui, app: &mut App| app.show(ui), App::from_text(view))
}

/// What the window shows, without the margin that there is around it here.
fn image(program: &mut Harness<'_, App>) -> Result<ColorImage, String> {
    const MARGIN: u32 = 8;
    let image = program.render()?;
    let [width, height] = [image.width(), image.height()].map(|side| side.saturating_sub(2 * MARGIN));
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x + MARGIN, y + MARGIN)));
    let pixels =
        places.map(|(x, y)| image.get_pixel(x, y)).map(|pixel| Color32::from_rgb(pixel[0], pixel[1], pixel[2]));
    Ok(ColorImage::new([width as usize, height as usize], pixels.collect()))
}
