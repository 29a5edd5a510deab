//! PNG and JPEG files.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageDecoder, ImageError, ImageReader, ImageResult, Rgb, RgbImage};
use quadrille_draw::{Color, palette};

use crate::failure::Failure;

/// The first bytes of every PNG file.
pub(crate) const PNG_SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The picture in a file's bytes, upright; what is transparent shows paper.
pub(crate) fn decode(path: &Path, bytes: &[u8]) -> Result<RgbImage, Failure> {
    let picture = upright(bytes).map_err(|error| Failure::in_file(path, in_one_line(&error)))?.into_rgba8();
    Ok(RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, opacity] = picture.get_pixel(x, y).0;
        Rgb(palette::PAPER.mix(Color([red, green, blue]), opacity).0)
    }))
}

/// Cameras store how they were held beside the pixels.
fn upright(bytes: &[u8]) -> ImageResult<DynamicImage> {
    let mut decoder = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?.into_decoder()?;
    let orientation = decoder.orientation()?;
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// What decoders say may have line ends.
fn in_one_line(error: &ImageError) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
