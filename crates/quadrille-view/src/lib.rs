//! **See it move**: every structure of quadrille under moving agents, in a window and in the browser.
//!
//! [`App`] is the whole program; [`state::View`] is everything a shared view is. Rooms, imports downward only:
//!
//! | room or file | contents |
//! |---|---|
//! | `window`, `web` | the ways in: from a terminal, from a page |
//! | `frame` | what happens in a frame, in which order |
//! | `record`, `saved` | pictures and films; where they are saved |
//! | `panels/`, `stage/` | settings, figures, messages, help; the picture: mouse, panes, answers |
//! | `app` | the view, its world, map, boxes or tracks, and what changes them |
//! | `state/` | a view as a line of text |
//! | `figures`, `structure_figures` | what it costs, as JSON; what a structure says of itself |
//! | `advice` | which structure would be faster |
//! | `maps/`, `tracks/`, `boxes/` | walls, region tree, paths and walking agents; tracks from files and their encounters; boxes from files and their overlaps. None uses another |
//! | `overlay/`, `tools/` | insides of structures, agents; queries by mouse |
//! | `world` | a simulation and one or two structures over it |
//! | `notices`, `inbox`, `labels` | messages that leave by themselves; files dropped on the window; numbers and legends |
//! | `render/`, `camera`, `theme`, `ease` | instanced draws, images without a GPU; what is shown; colors; when discs take too long |
//! | `flat`, `round`, `spread`, `widgets` | where coordinates of a file are in the picture; which structure comes next; numbers for examples; where controls are, for screen readers and tests |

pub mod advice;
mod app;
pub mod boxes;
pub mod camera;
mod ease;
pub mod figures;
mod flat;
mod frame;
mod inbox;
mod labels;
pub mod maps;
mod notices;
pub mod overlay;
mod panels;
pub mod record;
pub mod render;
mod round;
mod saved;
mod spread;
mod stage;
pub mod state;
mod structure_figures;
pub mod theme;
pub mod tools;
pub mod tracks;
#[cfg(target_arch = "wasm32")]
pub mod web;
pub mod widgets;
#[cfg(not(target_arch = "wasm32"))]
pub mod window;
pub mod world;

pub use app::App;
