//! quadrille for C: what `include/quadrille.h` declares.
//!
//! | file | what it is for |
//! |---|---|
//! | `status` | codes of errors, and the text of the last one on each thread |
//! | `table` | handles: which are in use, and that one thread at a time uses one |
//! | `boxes` | boxes under ids over a scalar chosen at run time, and the answers kept for the caller |
//! | `maps` | maps of cells or of terrain, and what was last found on them |
//! | `growing` | flows and reaches, computed in slices |
//! | `border` | the functions themselves and all `unsafe`: memory of the caller read and written |

#![cfg_attr(test, allow(dead_code, unused_imports, reason = "the border calls it"))]

// Exported functions are compiled into every build, even without callers, and take longest to compile: unit tests leave
// them out, tests in C cover them.
#[cfg(not(test))]
mod border;
mod boxes;
mod growing;
mod maps;
mod status;
mod table;

// For the header; no Rust program links to it.
#[cfg(not(test))]
pub use border::*;
pub use status::Status;
