//! Every query, on every structure and scalar, against oracles that share nothing with the library: integers of 128
//! bits.

mod layers;
mod many;
mod near;
mod nearest;
mod periodic;
mod polygon;
mod ranked;
mod scene;
mod sweep;
