//! Meeting other crates: one file and one feature each, named after the crate. The floors below do not know them, except that
//! what is to be serialised says so where it is declared.

#[cfg(feature = "serde")]
pub(crate) mod serde;
