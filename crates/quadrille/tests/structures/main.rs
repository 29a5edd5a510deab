//! What structures promise beyond right answers: work and memory that stay bounded, cells that fit, manuals that are true.

mod crowds;
mod fitting;
mod manual;
mod pyramid;
