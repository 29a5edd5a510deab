//! Makes the pictures of `docs/viewer.md` without a window, from views as text:
//!
//! `cargo run --release --example pictures -- FOLDER`

#![expect(clippy::print_stdout, reason = "says what was written")]

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use eframe::egui::{Color32, ColorImage};
use egui_kittest::Harness;
use quadrille_draw::write_png;
use quadrille_view::App;

/// File names, and what they show.
const PICTURES: [(&str, &str); 14] = [
    (
        "first",
        "scene=mixed,n=3000,structure=quadtree,beside=loose-quadtree,steps=200,paused,overlays=cells+hulls+contacts",
    ),
    ("cells", "scene=clustered,n=20000,steps=100,paused,overlays=cells+contacts"),
    ("population", "scene=clustered,n=20000,structure=quadtree,steps=100,paused,overlays=cells+population"),
    ("depth", "scene=fps-sphere,n=8000,steps=60,paused,overlays=cells+depth,light"),
    ("loose", "n=1200,structure=loose-grid:loose=12:tight=8,steps=60,paused,overlays=hulls+tight,camera=60:60:90"),
    ("order", "n=3000,structure=grid,steps=60,paused,overlays=order"),
    ("velocity", "n=800,steps=60,paused,overlays=boxes+contacts+velocity,camera=60:60:60,light"),
    ("rectangle", "n=20000,structure=quadtree,steps=30,paused,tool=rectangle,ask=rectangle:250:280:370:350"),
    (
        "nearest",
        "n=3000,structure=loose-quadtree,steps=30,paused,tool=nearest,nearest=24,ask=nearest:120:120:120:120,camera=120:120:90",
    ),
    ("ray", "n=3000,structure=grid,steps=30,paused,tool=ray,ask=ray:60:70:190:150,camera=120:120:150"),
    ("cone", "n=8000,structure=enclosing-quadtree,steps=30,paused,tool=cone,ask=cone:120:120:240:230,light"),
    ("light", "n=900,structure=loose-grid,steps=30,paused,overlays=none,tool=light,ask=light:65:65:130:65"),
    ("density", "scene=clustered,n=300000,structure=loose-grid,paused,density,overlays=none"),
    ("million", "scene=fps-sphere,n=1000000,structure=loose-grid,paused,overlays=none"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let wanted: Vec<String> = arguments.collect();
    for (name, view) in
        PICTURES.into_iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|one| one == name))
    {
        let path = folder.join(format!("viewer-{name}.png"));
        let image = picture(view)?;
        write_png(&quadrille_view::record::canvas(&image, usize::MAX), BufWriter::new(File::create(&path)?))?;
        println!("{}: {view}", path.display());
    }
    Ok(())
}

/// The window showing a view, when its first steps are done.
fn picture(view: &str) -> Result<ColorImage, String> {
    let text = view.to_owned();
    let mut program =
        Harness::builder().with_size([1200.0, 760.0]).wgpu().build_eframe(move |context| App::new(context, &text));
    program.step();
    while program.state().world().steps() < program.state().view().steps {
        program.step();
    }
    program.run_steps(4);
    let image = program.render()?;
    let size = [image.width() as usize, image.height() as usize];
    let pixels = image.pixels().map(|pixel| Color32::from_rgb(pixel[0], pixel[1], pixel[2])).collect();
    Ok(ColorImage::new(size, pixels))
}
