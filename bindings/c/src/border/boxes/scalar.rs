//! Calls whose scalar is chosen by a number.

use quadrille_bindings as core;

use super::super::memory::rows;
use super::super::types::{Boxes, Rows};
use super::super::with;
use crate::boxes::{Boxes as BoxesOf, Coordinate};
use crate::status::{Fault, Status};

/// Evaluates an expression for the scalar with this number.
macro_rules! by_scalar {
    ($number:expr, $scalar:ident => $result:expr) => {
        match $number {
            $crate::border::F32 => {
                type $scalar = f32;
                $result
            }
            $crate::border::F64 => {
                type $scalar = f64;
                $result
            }
            $crate::border::I32 => {
                type $scalar = i32;
                $result
            }
            number => Err($crate::border::boxes::scalar::no_scalar(number)),
        }
    };
}
pub(super) use by_scalar;

/// Work with boxes and rows from the caller.
///
/// # Safety
/// As [`Rows::numbers`].
pub(super) unsafe fn with_rows(boxes: Boxes, given: Rows, work: impl Work) -> Result<(), Fault> {
    /// # Safety
    /// As [`Rows::numbers`].
    unsafe fn typed<S: Coordinate>(boxes: Boxes, given: Rows, work: impl Work) -> Result<(), Fault> {
        // SAFETY: passed on.
        let numbers = unsafe { given.numbers::<S>("rows") }?;
        with(boxes, |any| work.work(any.expect::<S>()?, rows(&numbers, given.numbers)))
    }
    // SAFETY: passed on.
    unsafe { by_scalar!(given.scalar, S => typed::<S>(boxes, given, work)) }
}

#[cold]
pub(super) fn no_scalar(number: u32) -> Fault {
    Fault::new(Status::Scalar, format!("no type of coordinates has the number {number}"))
}

/// Work on boxes and rows of any scalar: a generic closure.
pub(super) trait Work {
    fn work<S: Coordinate>(self, boxes: &mut BoxesOf<S>, rows: core::Rows<'_, S>) -> Result<(), Fault>;
}

macro_rules! work {
    (|$boxes:ident, $rows:ident $(, $name:ident: $type:ty)*| $body:expr) => {{
        struct Done { $($name: $type,)* }
        impl $crate::border::boxes::scalar::Work for Done {
            fn work<S: $crate::boxes::Coordinate>(
                self,
                $boxes: &mut $crate::boxes::Boxes<S>,
                $rows: quadrille_bindings::Rows<'_, S>,
            ) -> Result<(), $crate::status::Fault> {
                let Self { $($name,)* } = self;
                $body
            }
        }
        Done { $($name,)* }
    }};
}
pub(super) use work;
