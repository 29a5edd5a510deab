//! **Pictures for [`quadrille`]**: a small rasterizer for discs, rectangles, lines and labels.
//!
//! A [`Canvas`] holds pixels, a [`Camera`] determines which part of the world it shows, [`draw_discs`] and
//! [`draw_nodes`] draw the contents of a structure, and [`write_png`] and [`Animation`] write files. Everything is
//! deterministic: the same calls give the same bytes. `quadrille sim --png` and `--gif` draw with it.
//!
//! ```
//! use quadrille::structures::Quadtree;
//! use quadrille::{Aabb, Index};
//! use quadrille_draw::{Camera, Canvas, Disc, draw_discs, draw_nodes, palette, write_png};
//!
//! let index = Index::<Quadtree>::from_boxes(&[Aabb::from_center([3.0, 4.0], [1.0, 1.0])])?;
//! let mut canvas = Canvas::new(320, 180, palette::PAPER);
//! let camera = Camera::fit(&Aabb::new([0.0, 0.0], [16.0, 9.0]), &canvas);
//! draw_discs(&mut canvas, &camera, &[Disc { center: [3.0, 4.0], radius: 1.0, touching: false }]);
//! draw_nodes(&mut canvas, &camera, &index);
//! let mut file = Vec::new();
//! write_png(&canvas, &mut file)?;
//! assert_eq!(&file[1..4], b"PNG");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `canvas` | pixels, and how shapes cover parts of them |
//! | `shape`, `disc` | rectangles and lines; discs, many of one size |
//! | `letters` | text |
//! | `palette` | colors that color-blind people can tell apart |
//! | `camera` | which part of the world a canvas shows |
//! | `scene` | discs and nodes of a structure |
//! | `still`, `animation` | PNG and GIF |

#![forbid(unsafe_code)]

mod animation;
mod camera;
mod canvas;
mod disc;
mod letters;
pub mod palette;
mod scene;
mod shape;
mod still;

pub use animation::Animation;
pub use camera::Camera;
pub use canvas::Canvas;
pub use letters::text_size;
pub use palette::Color;
pub use scene::{Disc, INKS, draw_discs, draw_nodes};
pub use still::write_png;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
