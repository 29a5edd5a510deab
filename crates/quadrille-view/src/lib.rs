//! **See it move**: every structure of quadrille under moving agents, in a window and in the browser.
//!
//! [`App`] is the whole program; [`state::View`] is everything a shared view is. Rooms, imports downward only:
//!
//! ```text
//! frame       what happens in a frame                     record      pictures and films, saved
//! panels/     settings, figures, messages, help           stage/      the picture: mouse, panes, answers
//! app         the view, its world or map, what changes them
//! figures     what it costs, as JSON                      boxes/      boxes from files, and what overlaps what
//! state/      a view as a line of text
//! notices     messages, which leave by themselves         inbox       files dropped on the window
//! overlay/    insides of structures, agents               advice      which structure would be faster
//! tools/      queries by mouse                          render/     instanced draws, images without a GPU
//! world       a simulation and one or two structures      camera, theme, round, widgets, ease
//! maps/       walls, region tree, paths, walking agents   web         the way in from a page
//! tracks/     tracks from files, and their encounters
//! ```

pub mod advice;
mod app;
pub mod boxes;
pub mod camera;
mod ease;
pub mod figures;
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
