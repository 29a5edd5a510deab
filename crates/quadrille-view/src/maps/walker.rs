//! One agent on a map: where it is between two cells, the path it walks, and how it is doing.

use quadrille_paths::{Cell, Path, PathMap, PathWatch, Ticket};
use quadrille_scenes::Random;

use super::land::middle;

/// How an agent is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// On its way.
    Walking,
    /// Recently rerouted, because an edit broke the old path.
    Rerouted,
    /// In the queue for a path.
    Waiting,
    /// There is no path to the goal.
    Stuck,
}

/// What has happened to agents so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often one reached its goal.
    pub arrived: u64,
    /// How often one had to look for a new path because an edit broke its own.
    pub rerouted: u64,
}

/// Steps for which an agent is shown as rerouted: about a second.
const REROUTED_STEPS: u8 = 60;

/// Cells that an agent walks in one step, before each one's own pace is applied.
const PACE: f32 = 0.2;

/// One agent.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    /// The cell it left last, and the one it walks to; the same if there is no path.
    pub(super) here: Cell,
    pub(super) next: Cell,
    /// How much of the way between them it has walked, from 0 to 1.
    pub(super) along: f32,
    /// Cells per step.
    pub(super) pace: f32,
    /// Where in its cell it walks, so that a crowd does not walk in single file.
    aside: [f32; 2],
    pub(super) errand: Option<Errand>,
    /// Its place in the queue for a path.
    pub(super) waits_for: Option<Ticket>,
    /// Steps for which it is still shown as rerouted.
    rerouted: u8,
}

/// A path under watch, and how far along it an agent is.
#[derive(Clone, Debug)]
pub(super) struct Errand {
    pub(super) path: Path,
    pub(super) watch: PathWatch,
    /// The number of the cell it walks from.
    pub(super) at: usize,
}

/// Random cells tried to find a suitable one.
const TRIES: usize = 32;

/// A random suitable cell, found by trying. If four in five cells are walls, one search in a thousand finds no
/// free one.
pub(super) fn any_cell(random: &mut Random, map: &PathMap, is_wanted: impl Fn(Cell) -> bool) -> Option<Cell> {
    let (width, height) = (map.grid().width(), map.grid().height());
    let mut cells = (0..TRIES).map(|_| Cell::new(random.below(width), random.below(height)));
    cells.find(|cell| is_wanted(*cell))
}

impl Walker {
    /// An agent that stands on a cell.
    pub(super) fn new(here: Cell, random: &mut Random) -> Self {
        let [pace, x, y] = [(0.8, 1.2), (-0.35, 0.35), (-0.35, 0.35)].map(|(lo, hi)| random.between(lo, hi));
        let (pace, aside) = (PACE * pace, [x, y]);
        Self { here, next: here, along: 0.0, pace, aside, errand: None, waits_for: None, rerouted: 0 }
    }

    /// Where it is on the plane of the map.
    pub(super) fn place(&self) -> [f32; 2] {
        let (here, next) = (middle(self.here), middle(self.next));
        [0, 1].map(|axis| here[axis] + (next[axis] - here[axis]) * self.along + self.aside[axis])
    }

    pub(super) fn is_still(&self) -> bool {
        self.next == self.here
    }

    pub(super) fn mood(&self) -> Mood {
        match self {
            Self { waits_for: Some(_), .. } => Mood::Waiting,
            _ if self.is_still() => Mood::Stuck,
            Self { rerouted: 1.., .. } => Mood::Rerouted,
            _ => Mood::Walking,
        }
    }

    /// Turns to a cell beside the one left last. If it is walking there already, it keeps its position; otherwise it
    /// steps back.
    pub(super) fn head_for(&mut self, next: Cell) {
        if self.next != next {
            (self.next, self.along) = (next, 0.0);
        }
    }

    /// It is shown as rerouted for a while.
    pub(super) fn begin_detour(&mut self) {
        self.rerouted = REROUTED_STEPS;
    }

    /// One step of that time has passed.
    pub(super) fn calm_down(&mut self) {
        self.rerouted = self.rerouted.saturating_sub(1);
    }
}

impl Errand {
    pub(super) fn new(map: &PathMap, path: Path) -> Self {
        Self { watch: PathWatch::new(map, &path), path, at: 0 }
    }

    /// The cell that it walks to, or at the end the last one.
    pub(super) fn next(&self) -> Cell {
        let cells = self.path.cells();
        cells[(self.at + 1).min(cells.len() - 1)]
    }

    /// The cell that it leads to.
    pub(super) fn goal(&self) -> Cell {
        self.path.cells()[self.path.cells().len() - 1]
    }
}
