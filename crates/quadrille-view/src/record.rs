//! Screenshots and recordings, as files.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use eframe::egui::{Color32, ColorImage, Context};
use quadrille_draw::palette::Color;
use quadrille_draw::{Animation, Canvas, write_png};
use web_time::{Duration, Instant};

use crate::saved::Saved;
use crate::theme::{self, Theme};

/// Time between two frames of a film, in hundredths of a second, the unit of GIF.
const DELAY: u16 = 8;

/// Longest film: it ends by itself. Half a minute is some tens of megabytes.
const MOST_FRAMES: usize = 375;

/// The largest width and height of a film, in pixels: larger windows are halved until they fit.
const MOST_SIDE: usize = 1280;

/// Requests pictures of the window and writes them.
#[derive(Debug)]
pub struct Recorder {
    sender: Sender<(Purpose, Arc<ColorImage>)>,
    receiver: Receiver<(Purpose, Arc<ColorImage>)>,
    /// Pictures that have been requested and have not arrived.
    awaited: usize,
    film: Option<Film>,
    filming: Filming,
    last_frame: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Purpose {
    Still,
    Film,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Filming {
    #[default]
    Off,
    On,
    /// The film ends as soon as it has a frame: a slow machine may be told to stop before the first picture has arrived.
    Stopping,
}

#[derive(Debug)]
struct Film {
    animation: Animation<Saved>,
    frames: usize,
    size: [usize; 2],
}

impl Default for Recorder {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self { sender, receiver, awaited: 0, film: None, filming: Filming::Off, last_frame: None }
    }
}

impl Recorder {
    /// Saves the next frame as a PNG.
    pub fn save_png(&mut self, context: &Context) {
        self.request(context, Purpose::Still);
    }

    /// Begins a film, a GIF, or ends it. It has at least one frame.
    pub fn toggle_gif(&mut self) {
        self.filming = if self.is_filming() { Filming::Stopping } else { Filming::On };
    }

    /// Is a film being made?
    pub fn is_filming(&self) -> bool {
        self.filming == Filming::On
    }

    /// Call it once per frame: writes what has arrived, requests what is due. Returns the messages to show.
    pub fn frame(&mut self, context: &Context) -> Vec<String> {
        let arrived: Vec<_> = self.receiver.try_iter().collect();
        self.awaited -= arrived.len();
        let mut told: Vec<String> =
            arrived.into_iter().filter_map(|(purpose, image)| self.take(purpose, &image)).collect();
        match self.filming {
            Filming::Off => {}
            Filming::On => self.continue_film(context),
            Filming::Stopping => told.extend(self.end_film(context)),
        }
        if self.awaited > 0 {
            // WebGL2 delivers a picture only when another frame is drawn.
            context.request_repaint();
        }
        told
    }

    /// Requests the next frame of the film if it is due, and a repaint when the next one is, even if nothing else
    /// moves.
    fn continue_film(&mut self, context: &Context) {
        let interval = Duration::from_millis(10 * u64::from(DELAY));
        let left = self.last_frame.map_or(Duration::ZERO, |last| interval.saturating_sub(last.elapsed()));
        if left.is_zero() {
            self.last_frame = Some(Instant::now());
            self.request(context, Purpose::Film);
        }
        context.request_repaint_after(if left.is_zero() { interval } else { left });
    }

    /// The message to show when the film is saved, which is when it has a frame.
    fn end_film(&mut self, context: &Context) -> Option<String> {
        let Some(film) = self.film.take() else {
            if self.awaited == 0 {
                self.request(context, Purpose::Film);
            }
            return None;
        };
        self.filming = Filming::Off;
        Some(end(film))
    }

    fn request(&mut self, context: &Context, purpose: Purpose) {
        self.awaited += 1;
        let sender = self.sender.clone();
        let repaint = context.clone();
        context.request_screenshot(move |image| {
            // The receiver is gone once the window is closed.
            let _ = sender.send((purpose, image));
            repaint.request_repaint();
        });
    }

    fn take(&mut self, purpose: Purpose, image: &ColorImage) -> Option<String> {
        let result = match purpose {
            _ if image.pixels.is_empty() => Err(io::Error::other("the window has no size")),
            Purpose::Still => still(image).map(Some),
            Purpose::Film if self.filming == Filming::Off => Ok(None),
            Purpose::Film => self.add(image).map(|()| None),
        };
        result.unwrap_or_else(|error| {
            if purpose == Purpose::Film {
                (self.film, self.filming) = (None, Filming::Off);
            }
            Some(format!("cannot save: {error}"))
        })
    }

    /// Adds a frame to the film; a window that changes its size ends it.
    fn add(&mut self, image: &ColorImage) -> io::Result<()> {
        let canvas = canvas(image, MOST_SIDE);
        if self.film.is_none() {
            let animation = Animation::new(Saved::create("gif")?, &canvas, &inks(image), DELAY)?;
            self.film = Some(Film { animation, frames: 0, size: image.size });
        }
        let Some(film) = self.film.as_mut() else { return Ok(()) };
        if film.size == image.size {
            film.animation.push(&canvas)?;
            film.frames += 1;
        }
        if film.size != image.size || film.frames == MOST_FRAMES {
            self.filming = Filming::Stopping;
        }
        Ok(())
    }
}

fn end(film: Film) -> String {
    match film.animation.finish().and_then(Saved::finish) {
        Ok(name) => format!("saved {name} ({} frame{})", film.frames, if film.frames == 1 { "" } else { "s" }),
        Err(error) => format!("cannot save the film: {error}"),
    }
}

fn still(image: &ColorImage) -> io::Result<String> {
    let mut file = Saved::create("png")?;
    write_png(&canvas(image, usize::MAX), &mut file)?;
    Ok(format!("saved {}", file.finish()?))
}

/// The image, every second pixel of every second row and so on, until it is small enough.
pub fn canvas(image: &ColorImage, most: usize) -> Canvas {
    let mut stride = 1;
    while image.size.into_iter().any(|side| side / stride > most) {
        stride *= 2;
    }
    let side = |pixels: usize| u16::try_from(pixels / stride).unwrap_or(u16::MAX);
    let [width, height] = image.size.map(side);
    let mut canvas = Canvas::new(width, height, Color([0; 3]));
    canvas.paint(|x, y| {
        let [red, green, blue, _] =
            image.pixels[usize::from(y) * stride * image.size[0] + usize::from(x) * stride].to_array();
        Color([red, green, blue])
    });
    canvas
}

/// The colors that a window is painted with, in the theme that the corner pixel shows; that pixel has the color of the
/// panels.
pub fn inks(image: &ColorImage) -> Vec<Color> {
    let corner = image.pixels.first().copied().unwrap_or(Color32::BLACK);
    let theme = if corner.r() > 127 { Theme::Light } else { Theme::Dark };
    let inks = [
        theme.paper(),
        corner,
        theme.ink(),
        theme.agent(),
        theme::VERMILION,
        theme::ORANGE,
        theme::YELLOW,
        theme::GREEN,
        theme::PURPLE,
    ];
    inks.map(|ink| Color([ink.r(), ink.g(), ink.b()])).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_cannot_be_saved_does_not_end_a_film() {
        let mut recorder = Recorder::default();
        recorder.toggle_gif();
        let told = recorder.take(Purpose::Still, &ColorImage::default());
        assert_eq!((told.as_deref(), recorder.is_filming()), (Some("cannot save: the window has no size"), true));
        assert!(recorder.take(Purpose::Film, &ColorImage::default()).is_some() && !recorder.is_filming());
    }
}
