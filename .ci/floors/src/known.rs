//! Intended circles.

/// A circle that is accepted.
pub struct Known {
    /// The folder of the modules, from the root of the project.
    pub folder: &'static str,
    /// The modules on the circle, in the order of the alphabet.
    pub rooms: &'static [&'static str],
    pub reason: &'static str,
}

/// All accepted circles. One that no longer exists is an error, so that the list stays true.
pub const KNOWN: &[Known] = &[Known {
    folder: "crates/quadrille/src",
    rooms: &["geometry", "kernel"],
    reason: "a Scalar is sealed with the vectors that compare it",
}];

/// Folders with a module to which no arrow counts: what seals the traits of a library is above them. Scalars and structures are sealed with
/// what is compiled once for them, and containers call it.
pub const SEALS: &[(&str, &str)] = &[("crates/quadrille/src", "compiled")];
