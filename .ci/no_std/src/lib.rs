//! The whole of quadrille where there is no standard library.
#![no_std]

pub use quadrille::*;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
