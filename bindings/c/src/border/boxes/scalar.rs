//! Calls whose scalar is chosen by a number.

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

#[cold]
pub(super) fn no_scalar(number: u32) -> Fault {
    Fault::new(Status::Scalar, format!("no type of coordinates has the number {number}"))
}

/// Works with boxes and rows from the caller, whatever their scalar, `S`. What [`Rows::numbers`](super::super::types::Rows)
/// is safe with has to be true.
macro_rules! with_rows {
    ($handle:expr, $given:expr, |$boxes:ident, $rows:ident| $work:expr) => {
        $crate::border::boxes::scalar::by_scalar!($given.scalar, S => {
            let numbers = $given.numbers::<S>("rows")?;
            $crate::border::with($handle, |any| {
                let ($boxes, $rows) = (any.expect::<S>()?, $crate::border::memory::rows(&numbers, $given.numbers));
                $work
            })
        })
    };
}
pub(super) use with_rows;
