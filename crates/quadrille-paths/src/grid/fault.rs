//! The errors that `validate` reports.

use core::fmt;

/// A map is inconsistent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corruption(String);

impl Corruption {
    /// Fails with a message unless a condition holds.
    pub(crate) fn unless(condition: bool, message: impl FnOnce() -> String) -> Result<(), Self> {
        if condition { Ok(()) } else { Err(Self(message())) }
    }
}

impl fmt::Display for Corruption {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl core::error::Error for Corruption {}
