//! Turns panics of other people's code, caused by damaged files, into errors.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::error::shortened;

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// What `work` returns, or the message that it panicked with, which is not printed. Whatever it was changing must not be
/// used afterwards.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                before(panic);
            }
        }));
    });
    let was_guarded = IS_GUARDED.replace(true);
    let ended = panic::catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(was_guarded);
    ended.map_err(|panic| {
        let message = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref().map(String::as_str));
        format!("it is damaged, and its reader gave up: {}", shortened(message.unwrap_or("no reason was given")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message() {
        assert_eq!(guarded(|| 7), Ok(7));
        for _ in 0..2 {
            let ended = guarded(|| {
                if std::hint::black_box(true) {
                    panic!("no {}", "place")
                }
            });
            assert_eq!(ended.unwrap_err(), "it is damaged, and its reader gave up: no place");
        }
        assert!(guarded(|| guarded(|| panic!("inside")).is_err()).is_ok_and(|is_inside| is_inside));
        assert!(!IS_GUARDED.get());
    }
}
