//! GIF files.

use std::fmt;
use std::io::{self, Write};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use crate::canvas::Canvas;
use crate::palette::{Color, Palette, TRANSPARENT};

/// An animated GIF, written frame by frame, that repeats forever.
///
/// Its colors are the given inks and mixtures of any two of them; other colors are shown as the nearest of these. A
/// frame takes about 0.1 to 0.5 bytes per pixel.
pub struct Animation<W: Write> {
    encoder: Encoder<W>,
    palette: Palette,
    /// The last frame's pixels; empty before the first.
    shown: Vec<u8>,
    /// Hundredths of a second.
    delay: u16,
}

impl<W: Write> Animation<W> {
    /// Starts a file for frames of the size of `canvas`, shown for `delay` hundredths of a second each; viewers slow
    /// down delays below 2. `inks` are the colors used for drawing, background included.
    ///
    /// # Errors
    /// Returns an error only if `file` does.
    pub fn new(file: W, canvas: &Canvas, inks: &[Color], delay: u16) -> io::Result<Self> {
        let palette = Palette::between(inks);
        let mut encoder = Encoder::new(file, canvas.width(), canvas.height(), &palette.bytes()).map_err(into_io)?;
        encoder.set_repeat(Repeat::Infinite).map_err(into_io)?;
        Ok(Self { encoder, palette, shown: Vec::new(), delay })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// Returns an error only if the file does.
    pub fn push(&mut self, canvas: &Canvas) -> io::Result<()> {
        let indices: Vec<u8> = canvas.pixels().map(|color| self.palette.index(color)).collect();
        let changes = if self.shown.is_empty() { indices.clone() } else { changes(&self.shown, &indices) };
        self.shown = indices;
        let mut frame = Frame::from_indexed_pixels(canvas.width(), canvas.height(), changes, Some(TRANSPARENT));
        frame.delay = self.delay;
        frame.dispose = DisposalMethod::Keep;
        self.encoder.write_frame(&frame).map_err(into_io)
    }

    /// Ends the file and returns it.
    ///
    /// # Errors
    /// Returns an error only if the file does.
    pub fn finish(self) -> io::Result<W> {
        self.encoder.into_inner().map_err(into_io)
    }
}

impl<W: Write> fmt::Debug for Animation<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Animation").field("palette", &self.palette).field("delay", &self.delay).finish_non_exhaustive()
    }
}

/// The new frame, transparent where it is the old one: long runs of one number, which compress well.
fn changes(old: &[u8], new: &[u8]) -> Vec<u8> {
    old.iter().zip(new).map(|(old, new)| if old == new { TRANSPARENT } else { *new }).collect()
}

fn into_io(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}
