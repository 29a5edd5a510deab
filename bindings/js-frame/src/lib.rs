//! quadrille for JavaScript, small: the functions that `../js/lib/small/core.js` calls. The public interface is documented in
//! `../js/package/frame.d.ts`.
//!
//! **The border.** Numbers go in as arguments, or are written by JavaScript into the room for boxes. Answers stay here, in
//! columns that are kept and used again, and JavaScript looks at them in place. A call that is refused says no more than
//! that: JavaScript has the arguments, finds what is wrong with them, and puts it into words. So there are no texts here,
//! nor the code that formats numbers.
//!
//! **The tree** is not `FrameTree`, which takes 44 kB compressed for whole frames alone, even without texts, and 107 kB with
//! all that is here (November 2026): it has the same packs of sixteen boxes under hulls, and the plainest way to do each
//! thing that takes no more time.

// There is no twin for machines without these vectors: the package is built with them.
#![cfg(target_feature = "simd128")]
#![no_std]

extern crate alloc;

mod border;
mod curve;
mod desk;
mod four;
mod near;
mod pack;
mod pairs;
mod tree;
