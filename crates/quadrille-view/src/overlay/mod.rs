//! What is drawn over the agents: the insides of a structure, and what agents do.

mod agents;
mod structure;

use std::fmt;
use std::str::FromStr;

pub use agents::{Marks, add_agents};
pub use structure::{add_structure, fills};

/// One thing to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Leaves and cells, as outlines.
    Cells,
    /// Leaves and cells filled by how many boxes they list: a logarithmic scale.
    Population,
    /// Leaves filled by their depth.
    Depth,
    /// The loose boxes: hulls of what a leaf or cell lists.
    Hulls,
    /// The tight grid behind a loose one.
    Tight,
    /// A grid's occupancy pyramid: runs of cells that are not all empty. Rows, not squares, because queries walk rows.
    Pyramid,
    /// The bounding squares of agents.
    Boxes,
    /// The order in which boxes are listed, as a curve.
    Order,
    /// Which agents touch.
    Contacts,
    /// Where agents will be in some steps.
    Velocity,
}

impl Overlay {
    /// Those for boxes of a file, which do not move, and touch only as boxes: all but the last two.
    pub const OF_BOXES: &[Self] = Self::ALL.split_at(8).0;

    /// What it shows, in a line.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Cells => "Outlines of leaves and cells",
            Self::Population => "Leaves and cells by how many boxes they list, from violet (1) to yellow (64 and more)",
            Self::Depth => "Leaves by their depth, from violet (root) to yellow (12 and more)",
            Self::Hulls => "Loose boxes: hulls of what each leaf or cell lists",
            Self::Tight => "The tight grid behind the loose one",
            Self::Pyramid => {
                "Occupancy pyramid: runs of 64 cells of a row and more that are known not to be empty.\nRows, not square blocks: queries walk rows, and 64 cells of one are a machine word"
            }
            Self::Boxes => "Bounding boxes of agents or shapes, all that a structure stores of them",
            Self::Order => "The order in which boxes are listed, from violet to yellow",
            Self::Contacts => "Agents that touch, and the pairs they form",
            Self::Velocity => "Where agents would be in ten steps",
        }
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

quadrille::names!(Overlay, UnknownOverlay, "overlay":
    Cells "cells", Population "population", Depth "depth", Hulls "hulls", Tight "tight", Pyramid "pyramid", Boxes "boxes", Order "order", Contacts "contacts", Velocity "velocity",
);

/// A set of overlays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays(u16);

impl Overlays {
    /// Whether this one is shown.
    pub const fn has(self, overlay: Overlay) -> bool {
        self.0 & overlay.bit() != 0
    }

    /// Shows or hides one.
    pub const fn set(&mut self, overlay: Overlay, is_shown: bool) {
        self.0 = if is_shown { self.0 | overlay.bit() } else { self.0 & !overlay.bit() };
    }

    /// Those that are shown.
    pub fn iter(self) -> impl Iterator<Item = Overlay> {
        Overlay::ALL.iter().copied().filter(move |&overlay| self.has(overlay))
    }
}

impl FromIterator<Overlay> for Overlays {
    fn from_iter<T: IntoIterator<Item = Overlay>>(overlays: T) -> Self {
        overlays.into_iter().fold(Self::default(), |all, overlay| Self(all.0 | overlay.bit()))
    }
}

impl fmt::Display for Overlays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(Overlay::name).collect();
        f.write_str(if names.is_empty() { "none".into() } else { names.join("+") }.as_str())
    }
}

impl FromStr for Overlays {
    type Err = UnknownOverlay;

    fn from_str(text: &str) -> Result<Self, UnknownOverlay> {
        if text == "none" { Ok(Self::default()) } else { text.split('+').map(str::parse::<Overlay>).collect() }
    }
}

/// Opacity of the outline of something this many points wide. Outlines a few points wide would only cover the picture
/// with ink, and without a GPU ten thousand of them take longer than all agents.
fn fade(points: f32) -> f32 {
    ((points - 6.0) / 4.0).clamp(0.0, 1.0)
}
