//! Makes the pictures of `docs/viewer.md` without a window, from views as text:
//!
//! `cargo run --release --example pictures -- FOLDER [[NAME]... | --tracks FILE | --boxes FILE [VIEW]]`
//!
//! Tracks are drawn if there is a file of them: the day over Switzerland of the manual. So are boxes: the ZIP code areas
//! of the manual, or any other file with a view of your own.

#![expect(clippy::print_stdout, reason = "says what was written")]

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use eframe::egui::{Color32, ColorImage, Event, Key, Modifiers, PointerButton, Pos2, Rect};
use eframe::egui_wgpu::RendererOptions;
use egui_kittest::Harness;
use egui_kittest::wgpu::{WgpuTestRenderer, create_render_state, default_wgpu_setup};
use quadrille_draw::{Animation, write_png};
use quadrille_files::{Choice, FixChoice, Fixes, Source};
use quadrille_view::App;
use quadrille_view::boxes::Sheet;
use quadrille_view::record::{canvas, inks};
use quadrille_view::render::gpu::install;
use quadrille_view::state::View;

/// What is drawn of the window.
#[derive(Clone, Copy)]
enum Part {
    /// All of it.
    Whole,
    /// The picture without the panels, in a window too narrow for them: its height.
    Stage(f32),
}

use Part::{Stage, Whole};

/// File names, what they show, and how much of the window. Views without steps have no times, which other machines would not repeat.
const PICTURES: [(&str, &str, Part); 17] = [
    (
        "first",
        "scene=mixed,n=3000,structure=frame-tree,beside=quadtree,steps=200,paused,overlays=cells+hulls+contacts,camera=800:800:800",
        Whole,
    ),
    ("population", "scene=pile,n=3000,structure=grid,paused,overlays=cells+population", Stage(560.0)),
    (
        "depth",
        "scene=clustered,n=8000,structure=quadtree:capacity=8,paused,overlays=cells+depth,light,camera=321:300:190",
        Stage(560.0),
    ),
    ("loose", "n=1200,structure=loose-grid:loose=8:tight=16,paused,overlays=hulls+tight,camera=60:60:60", Stage(480.0)),
    ("pyramid", "scene=clustered,n=5000,structure=grid:cell=1,paused,overlays=pyramid", Stage(560.0)),
    ("order", "n=150,structure=frame-tree,paused,overlays=order", Stage(480.0)),
    ("velocity", "n=800,steps=60,paused,overlays=boxes+contacts+velocity,camera=60:60:60,light", Stage(480.0)),
    (
        "rectangle",
        "n=5000,structure=quadtree,steps=30,paused,tool=rectangle,ask=rectangle:125:140:185:175,camera=155:157:130",
        Whole,
    ),
    (
        "nearest",
        "n=3000,structure=loose-quadtree,paused,tool=nearest,nearest=24,ask=nearest:120:120:120:120,camera=120:120:90",
        Stage(480.0),
    ),
    ("ray", "n=3000,structure=grid,paused,tool=ray,ask=ray:60:70:190:150,camera=120:120:150", Stage(480.0)),
    ("cone", "n=3000,structure=enclosing-quadtree,paused,tool=cone,ask=cone:70:70:150:140,light", Stage(560.0)),
    ("light", "scene=mixed,n=120,paused,overlays=boxes,tool=light,ask=light:80:70:150:70", Stage(480.0)),
    ("map-path", "map=field,walkers=150,steps=60,paused,ends=4:8:123:119", Whole),
    ("map-flow", "map=rooms,guide=flow,walkers=800,steps=150,paused", Stage(640.0)),
    (
        "map-neighbors",
        "map=caves,walkers=0,paused,rule=side:2,map-tool=neighbors,map-ask=108:50:108:50,camera=100:80:52",
        Stage(480.0),
    ),
    ("map-crowd", "map=city,guide=each,walkers=1000,steps=1200,paused,camera=512:512:200", Stage(560.0)),
    ("density", "scene=clustered,n=100000,paused,overlays=none,density", Stage(560.0)),
];

/// A wall that is drawn with the mouse on the map of the first picture of a map, across the path: from there to there,
/// in cells.
const WALL: [[f32; 2]; 2] = [[40.0, 100.0], [88.0, 36.0]];
const STEPS_AROUND: usize = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let wanted: Vec<String> = arguments.collect();
    match &wanted.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--tracks", file] => return tracks(&folder.join("viewer-tracks.png"), Path::new(file)),
        ["--boxes", file, view @ ..] => {
            return boxes(&folder.join("viewer-boxes.png"), Path::new(file), view.first().unwrap_or(&BOXES));
        }
        _ => {}
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|one| one == name);
    for (name, view, part) in PICTURES.into_iter().filter(|(name, ..)| is_wanted(name)) {
        let image = picture(view, part, (name == "map-path").then_some(WALL))?;
        save(&folder.join(format!("viewer-{name}.png")), view, &image)?;
    }
    if is_wanted("film") {
        film(&folder.join("viewer.gif"))?;
    }
    Ok(())
}

fn save(path: &Path, view: &str, image: &ColorImage) -> Result<(), Box<dyn Error>> {
    write_png(&canvas(image, usize::MAX), BufWriter::new(File::create(path)?))?;
    println!("{}: {view}", path.display());
    Ok(())
}

/// Aircraft in the afternoon, at the limits of the manual.
const TRACKS: &str = "within=9260,vertical=1000,max-gap=60,at=1533109095,paused,light";

fn tracks(path: &Path, file: &Path) -> Result<(), Box<dyn Error>> {
    let choice = FixChoice { with_heights: true, ..FixChoice::default() };
    let mut program = open(TRACKS, SIZE);
    program.state_mut().show_tracks(&[Fixes::read(file, &choice)?]);
    program.run_steps(4);
    save(path, TRACKS, &image(&mut program)?)
}

/// Areas of ZIP codes around New Hampshire, in a quadtree.
const BOXES: &str = "structure=quadtree,camera=-113:29:3,paused";

/// A box in the middle is clicked.
fn boxes(path: &Path, file: &Path, view: &str) -> Result<(), Box<dyn Error>> {
    let mut program = open(view, SIZE);
    let View { structure, beside, camera, .. } = program.state().view.clone();
    let sheet = Sheet::from_source(Source::open(file)?, &Choice::default(), structure, beside)?;
    program.state_mut().show_sheet(sheet);
    program.state_mut().view.camera = camera;
    program.run_steps(4);
    if let Some(middle) = camera.and_then(|camera| program.state().place(camera.center)) {
        program.event(Event::PointerMoved(middle));
        program.step();
        for is_pressed in [true, false] {
            program.event(button(middle, is_pressed));
            program.step();
        }
        program.run_steps(4);
    }
    save(path, view, &image(&mut program)?)
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

/// Width and height of the window.
const SIZE: [f32; 2] = [1216.0, 736.0];
/// The width of one that has drawers instead of panels, and how much lower its picture is.
const NARROW: f32 = 696.0;
const ABOVE: f32 = 120.0;

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
fn picture(view: &str, part: Part, wall: Option<[[f32; 2]; 2]>) -> Result<ColorImage, String> {
    let mut program = match part {
        Whole => open(view, SIZE),
        Stage(height) => open(view, [NARROW, height + ABOVE]),
    };
    program.step();
    let steps = |app: &App| app.map().map_or(app.world.steps, |map| map.steps);
    while steps(program.state()) < program.state().view.steps {
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
    let whole = image(&mut program)?;
    Ok(match (part, program.state().panes()) {
        (Stage(_), &[stage]) => cut(&whole, stage),
        _ => whole,
    })
}

/// A part of the image of the window, which has no margin any more.
fn cut(image: &ColorImage, part: Rect) -> ColorImage {
    let [left, top] = [part.left(), part.top()].map(|side| (side - MARGIN as f32).max(0.0).round() as usize);
    let [width, height] = [part.width(), part.height()].map(|side| side.round() as usize);
    let (width, height) = (width.min(image.size[0] - left), height.min(image.size[1] - top));
    let row = |y: usize| &image.pixels[y * image.size[0] + left..][..width];
    ColorImage::new([width, height], (top..top + height).flat_map(|y| row(y).iter().copied()).collect())
}

/// Moves the mouse with its button down, which stays down.
fn draw(program: &mut Harness<'_, App>, ends: [[f32; 2]; 2]) {
    let [from, to] = ends.map(|end| program.state().place(end).expect("a frame was shown"));
    program.event(Event::PointerMoved(from));
    program.event(button(from, true));
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

/// Around the window.
const MARGIN: u32 = 8;

/// What the window shows, without the margin that there is around it here.
fn image(program: &mut Harness<'_, App>) -> Result<ColorImage, String> {
    let image = program.render()?;
    let [width, height] = [image.width(), image.height()].map(|side| side.saturating_sub(2 * MARGIN));
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x + MARGIN, y + MARGIN)));
    let pixels =
        places.map(|(x, y)| image.get_pixel(x, y)).map(|pixel| Color32::from_rgb(pixel[0], pixel[1], pixel[2]));
    Ok(ColorImage::new([width as usize, height as usize], pixels.collect()))
}
