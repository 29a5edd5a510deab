//! `quadrille art`: a picture redrawn with quads that split where its color varies most.

mod easel;
mod quads;
mod swatches;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::TypedValueParser;
use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageFormat, RgbImage, imageops};
use indicatif::HumanCount;
use quadrille_draw::{Animation, Canvas};
use serde::Serialize;

use crate::clock::{ms, timed};
use crate::failure::Failure;
use crate::output::{self, Target};
use crate::{image_file, names, progress, table};
use easel::{Easel, Shape};
use quads::Quads;

/// Redraw a picture with quads that split where its color varies most.
///
/// It starts as one quad of the mean color. The quad that differs most from its part of the picture then splits in
/// four, again and again. After Michael Fogleman's Quads (2014).
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Art {
    /// The picture: PNG or JPEG
    image: PathBuf,
    /// Output: .png or .jpg for a still picture, .gif for an animation of how it forms; `-` writes PNG to standard
    /// output
    #[arg(long, value_name = "FILE")]
    out: Target,
    /// Length of the longer side in pixels [default: 1080, or 540 for an animation]
    #[arg(long, value_name = "PIXELS", value_parser = names::number(1..=MAX_SIDE.into()).try_map(u16::try_from), allow_negative_numbers = true)]
    size: Option<u16>,
    /// Approximate number of quads
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = names::number(1..=1_000_000), allow_negative_numbers = true)]
    quads: u32,
    /// Shape of the quads
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Shape::Rounded)]
    shape: Shape,
    /// Write statistics as JSON; `-` is standard output, and the report then goes to standard error
    #[arg(long, value_name = "FILE")]
    json: Option<Target>,
}

const EXAMPLES: &str = "\
Examples:
  quadrille art photo.jpg --out art.png
  quadrille art photo.jpg --out art.gif --quads 1500
  quadrille art photo.jpg --out poster.jpg --size 4000 --quads 20000
  quadrille art photo.jpg --out dots.png --quads 5000 --shape circle";

/// Pixels of the longer side of a still picture, and of an animation, which is a hundred times as many bytes.
const STILL_SIDE: u16 = 1080;
const FILM_SIDE: u16 = 540;
/// The largest side allowed: a canvas of this size takes 800 MB.
const MAX_SIDE: u16 = 16_384;
/// Frames of an animation, which then rests on the last for some more.
const FRAMES: u32 = 90;
const REST: u32 = 30;
/// Hundredths of a second that each frame is shown.
const DELAY: u16 = 6;

/// What `--json` writes: see docs/cli-json.md.
#[derive(Debug, Serialize)]
struct Figures {
    width: u32,
    height: u32,
    quads: usize,
    deviation: f64,
    ms: f64,
}

impl Art {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let format = format(&self.out)?;
        let out = Some(self.out.clone());
        output::check(&[&out, &self.json], &[&self.image])?;
        let bytes = fs::read(&self.image).map_err(|error| Failure::in_file(&self.image, error))?;
        let original = image_file::decode(&self.image, &bytes)?;
        let is_film = format == ImageFormat::Gif;
        let longer_side = self.size.unwrap_or(if is_film { FILM_SIDE } else { STILL_SIDE });
        let picture = reduced(&original, longer_side.into());
        let mut quads = Quads::new(&picture)?;
        let easel = Easel::new(&picture, longer_side, self.shape);
        let (time, done) =
            timed(|| if is_film { self.film(&mut quads, &easel) } else { self.still(&mut quads, &easel, format) });
        done?;

        let (width, height) = original.dimensions();
        let figures = Figures { width, height, quads: quads.count(), deviation: quads.deviation(), ms: ms(time) };
        output::report(&figures.table(&self.image), &figures, &self.json, &[&out, &self.json])
    }

    fn still(&self, quads: &mut Quads<'_>, easel: &Easel, format: ImageFormat) -> Result<(), Failure> {
        quads.split_to(self.quads as usize);
        let canvas = easel.drawn(quads);
        self.out.write(|file| match format {
            ImageFormat::Jpeg => write_jpeg(&canvas, file),
            _ => quadrille_draw::write_png(&canvas, file),
        })
    }

    /// Splits twice: once to learn the colors, which a GIF begins with, and once to draw.
    fn film(&self, quads: &mut Quads<'_>, easel: &Easel) -> Result<(), Failure> {
        let mut rehearsal = quads.clone();
        rehearsal.split_to(self.quads as usize);
        let inks = swatches::of(rehearsal.all().map(|quad| (quad.color, quad.area())), easel.ground());
        let mut canvas = easel.drawn(quads);
        let mut animation = Animation::new(Vec::new(), &canvas, &inks, DELAY)?;
        let bar = progress::bar(FRAMES.into(), "frames");
        for frame in 0..FRAMES {
            grow(quads, easel, &mut canvas, wanted(frame, self.quads));
            animation.push(&canvas)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        (0..REST).try_for_each(|_| animation.push(&canvas))?;
        let bytes = animation.finish()?;
        self.out.write(|file| file.write_all(&bytes))
    }
}

/// Splits until there are this many quads, and draws what has changed.
fn grow(quads: &mut Quads<'_>, easel: &Easel, canvas: &mut Canvas, wanted: usize) {
    while quads.count() < wanted {
        let children = quads.split();
        if children.is_empty() {
            break;
        }
        children.iter().for_each(|quad| easel.draw(canvas, quad));
    }
}

/// How many quads a frame shows: few for long and ever more, so that each frame seems to add as much as the one before.
fn wanted(frame: u32, last: u32) -> usize {
    let cube = |number: u32| u64::from(number).pow(3);
    let wanted = u64::from(last) * cube(frame) / cube(FRAMES - 1);
    usize::try_from(wanted).unwrap_or(usize::MAX)
}

/// What kind of file is drawn, by the ending of its name. Standard output and names without an ending are PNG.
fn format(target: &Target) -> Result<ImageFormat, Failure> {
    let Target::File(path) = target else { return Ok(ImageFormat::Png) };
    match ImageFormat::from_path(path) {
        _ if path.extension().is_none() => Ok(ImageFormat::Png),
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Gif)) => Ok(format),
        _ => Err(Failure::in_file(path, "pictures are written as .png, .jpg or .gif")),
    }
}

fn write_jpeg(canvas: &Canvas, file: &mut dyn Write) -> io::Result<()> {
    /// JPEG quality, from 0 to 100, at which edges of quads stay clean.
    const QUALITY: u8 = 92;
    let (width, height) = (u32::from(canvas.width()), u32::from(canvas.height()));
    let bytes: Vec<u8> = canvas.pixels().flat_map(|color| color.0).collect();
    JpegEncoder::new_with_quality(file, QUALITY)
        .encode(&bytes, width, height, ExtendedColorType::Rgb8)
        .map_err(io::Error::other)
}

/// The picture, reduced if a side is longer than that: more would not be visible.
fn reduced(picture: &RgbImage, longest: u32) -> RgbImage {
    let (width, height) = picture.dimensions();
    let longer = width.max(height);
    if longer <= longest {
        return picture.clone();
    }
    let side =
        |own: u32| u32::try_from(u64::from(own) * u64::from(longest) / u64::from(longer)).unwrap_or(longest).max(1);
    imageops::thumbnail(picture, side(width), side(height))
}

impl Figures {
    fn table(&self, image: &Path) -> String {
        table::facts([
            ("picture", format!("{}, {} x {} pixels", image.display(), self.width, self.height)),
            ("quads", HumanCount(self.quads as u64).to_string()),
            ("deviation", format!("{:.1} of 255 from the picture", self.deviation)),
            ("time", format!("{:.1} ms to split and draw", self.ms)),
        ])
    }
}
