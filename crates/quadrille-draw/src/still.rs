//! PNG files.

use std::io::{self, Write};

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};

use crate::canvas::Canvas;

/// Writes a canvas as a PNG file.
///
/// # Errors
/// Returns an error only if `file` does.
pub fn write_png(canvas: &Canvas, file: impl Write) -> io::Result<()> {
    encode(canvas, file).map_err(|error| match error {
        EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    })
}

fn encode(canvas: &Canvas, file: impl Write) -> Result<(), EncodingError> {
    let mut encoder = Encoder::new(file, canvas.width().into(), canvas.height().into());
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(canvas.bytes())?;
    writer.finish()
}
