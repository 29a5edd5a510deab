//! What structures promise beyond right answers: work and memory that stay bounded, cells that fit.

mod crowds;
mod fitting;
mod pyramid;
mod single_changes;
mod two_sets;
