//! PNG and JPEG files.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageDecoder, ImageError, ImageReader, ImageResult, Rgb, RgbImage};
use quadrille_draw::{Color, palette};

use crate::failure::Failure;
use crate::memory;

/// The first bytes of every PNG file.
pub(crate) const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The most pixels of a picture, as of a map: 16,384 a side. Their number is in the header, and a file of a hundred
/// bytes can claim four billion.
const MAX_PIXELS: u64 = 1 << 28;

/// The picture in a file's bytes, upright; what is transparent shows paper.
pub(crate) fn decode(path: &Path, bytes: &[u8]) -> Result<RgbImage, Failure> {
    let failed = |error: ImageError| Failure::in_file(path, error);
    let decoder = decoder(bytes).map_err(failed)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS {
        let too_many = format_args!("{width} x {height} pixels; a picture has at most {MAX_PIXELS}");
        return Err(Failure::in_file(path, too_many));
    }
    // As stored, and as three bytes a pixel.
    let need = format!("{}: {width} x {height} pixels need", path.display());
    memory::require(decoder.total_bytes() + 3 * pixels, &need)?;
    upright(decoder).map(on_paper).map_err(failed)
}

fn decoder(bytes: &[u8]) -> ImageResult<impl ImageDecoder> {
    ImageReader::new(Cursor::new(bytes)).with_guessed_format()?.into_decoder()
}

/// Cameras store how they were held beside the pixels.
fn upright(mut decoder: impl ImageDecoder) -> ImageResult<DynamicImage> {
    let orientation = decoder.orientation()?;
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

fn on_paper(picture: DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.into_rgb8();
    }
    let picture = picture.into_rgba8();
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, opacity] = picture.get_pixel(x, y).0;
        Rgb(palette::PAPER.mix(Color([red, green, blue]), opacity).0)
    })
}
