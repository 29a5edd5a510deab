//! Every query, on every structure, against oracles that share nothing with the library: integers of 128 bits. Over
//! `f32`, or over another scalar in a sweep of that scalar.

mod counts;
mod layers;
mod many;
mod near;
mod nearest;
mod periodic;
mod polygon;
mod ranked;
mod scene;
mod sweep;
