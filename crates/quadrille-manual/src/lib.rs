//! The parts of the manual in `docs/` that can be tested: every Rust block of the chapters below compiles and runs as a
//! documentation test, and figures and charts in pages are those of the results of the benches ([`figures`], [`charts`]).
//!
//! `cargo test -p quadrille-manual` says what is stale, with `QUADRILLE_RENEW=1` it writes figures, charts and pictures
//! anew, and `docs/build` makes the book.

#![forbid(unsafe_code)]

pub mod charts;
pub mod figures;
pub mod pages;

/// One item a chapter, so that a test that fails names it.
macro_rules! chapters {
    ($($name:ident $file:literal)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../../../docs/", $file))]
            struct $name;
        )*
    };
}

chapters! {
    GettingStarted "getting-started.md"
    Concepts "concepts.md"
    Moving "cookbook/moving.md"
    Asking "cookbook/asking.md"
    Events "cookbook/events.md"
    Games "cookbook/games.md"
    Maps "cookbook/maps.md"
    Data "cookbook/data.md"
    ComingFrom "coming-from.md"
    Faq "faq.md"
}
