//! All of quadrille without the standard library.
#![no_std]

pub use quadrille::*;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
