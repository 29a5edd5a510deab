//! The manual in `docs/`, as far as it can be tested: every Rust block of the chapters below compiles and runs as a
//! documentation test.
//!
//! `cargo run --release -p quadrille-manual --example pictures` draws its pictures, and `docs/build` makes the book.

#![forbid(unsafe_code)]

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
    Maps "cookbook/maps.md"
    Data "cookbook/data.md"
    ComingFrom "coming-from.md"
    Faq "faq.md"
}
