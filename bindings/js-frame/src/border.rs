//! The functions that JavaScript calls, and all `unsafe`.
//!
//! JavaScript holds up its part in `../js/lib/small/core.js`: a desk is what [`desk_new`] returned, and is not used after
//! [`desk_free`]. Nothing else is taken for granted: ids, counts and numbers are any.
#![expect(unsafe_code, reason = "the border to JavaScript")]

use alloc::boxed::Box;
use core::ptr::null;

use quadrille::Aabb;

use crate::desk::{Count, Desk};

/// No layers are seen in particular: all boxes are. A number, for arguments are.
const ALL: f64 = -1.0;

/// Makes an empty desk.
#[unsafe(no_mangle)]
extern "C" fn desk_new() -> *mut Desk {
    Box::into_raw(Box::<Desk>::default())
}

/// Gives the memory of a desk back.
#[unsafe(no_mangle)]
unsafe extern "C" fn desk_free(desk: *mut Desk) {
    // SAFETY: JavaScript hands a desk over once.
    drop(unsafe { Box::from_raw(desk) });
}

macro_rules! calls {
    ($($name:ident($($argument:ident: $type:ty),*) -> $back:ty = |$desk:ident| $work:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(desk: *mut Desk, $($argument: $type),*) -> $back {
            // SAFETY: the desk is in use, and JavaScript makes one call at a time.
            let $desk = unsafe { &mut *desk };
            $work
        }
    )*};
}

calls! {
    desk_room_for(boxes: usize) -> *const u8 = |desk| desk.room_for(boxes).unwrap_or(null());
    desk_column(column: u32) -> *const u8 = |desk| desk.column(column).0;
    desk_filled(column: u32) -> usize = |desk| desk.column(column).1;
    desk_len() -> usize = |desk| desk.len();
    desk_slots() -> usize = |desk| desk.slots();
    desk_update() -> i32 = |desk| count(desk.update());
    desk_insert() -> i32 = |desk| count(desk.insert());
    desk_insert_one(x0: f32, y0: f32, x1: f32, y1: f32) -> i32 = |desk| count(desk.insert_one(bounds(x0, y0, x1, y1)));
    desk_set_one(id: u32, x0: f32, y0: f32, x1: f32, y1: f32) -> i32
        = |desk| count(desk.set_one(id, bounds(x0, y0, x1, y1)));
    desk_remove_one(id: u32) -> i32 = |desk| count(desk.remove_one(id));
    desk_get(id: u32) -> i32 = |desk| count(desk.get(id));
    desk_ids() -> i32 = |desk| count(desk.ids());
    desk_layers(id: u32) -> i32 = |desk| count(desk.layers(id));
    desk_set_layers(id: u32, own: u32, mask: u32) -> i32 = |desk| count(desk.set_layers(id, own, mask));
    desk_maintain() -> () = |desk| desk.maintain();
    desk_pairs() -> i32 = |desk| count(desk.pairs());
    desk_events() -> i32 = |desk| count(desk.events());
    desk_search(x0: f32, y0: f32, x1: f32, y1: f32, most: u32, layers: f64) -> i32
        = |desk| count(desk.search(bounds(x0, y0, x1, y1), most as usize, seen(layers)));
    desk_nearest(x: f32, y: f32, most: u32, distance: f64, layers: f64) -> i32
        = |desk| count(desk.nearest([x, y], most as usize, distance, seen(layers)));
}

fn count(answers: Count) -> i32 {
    answers.map_or(-1, |answers| answers as i32)
}

fn bounds(x0: f32, y0: f32, x1: f32, y1: f32) -> Aabb<f32> {
    Aabb::from([x0, y0, x1, y1])
}

fn seen(layers: f64) -> Option<u32> {
    (layers != ALL).then_some(layers as u32)
}

// What the standard library would bring along, with texts for panics.

#[global_allocator]
static MEMORY: lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator> =
    // SAFETY: a module has one thread.
    unsafe { lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new()) };

/// A trap: JavaScript sees a `RuntimeError`.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
