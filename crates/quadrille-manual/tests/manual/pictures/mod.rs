//! The pictures that show what the library does, drawn by it: the chart of the README, the structures beside each other, a frame tree
//! step by step, and some ideas. All others are drawings that nobody changes, and have no program.

mod chart;
mod easel;
mod frame_tree;
mod ideas;
mod structures;

use quadrille_draw::{Canvas, write_png};

use super::{RENEW, is_current, root};

type Done<T> = Result<T, Box<dyn std::error::Error>>;

/// A picture and the name of its file.
type Picture = (&'static str, Canvas);

#[test]
fn the_pictures_of_the_manual_are_those_that_are_drawn_now() -> Done<()> {
    let mut pictures = vec![("chart-frames.png", chart::draw()?)];
    pictures.extend(structures::draw()?);
    pictures.extend(frame_tree::draw()?);
    pictures.extend(ideas::draw()?);
    let mut stale = Vec::new();
    for (name, canvas) in pictures {
        let mut file = Vec::new();
        write_png(&canvas, &mut file)?;
        if !is_current(&root().join("docs/pictures").join(name), &file) {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "{stale:?}: {RENEW}");
    Ok(())
}
