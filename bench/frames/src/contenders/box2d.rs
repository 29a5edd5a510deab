//! Box2D's dynamic tree, through `boxdd-sys`. It has two modes: every box is removed and inserted again; or,
//! as Box2D itself does for bodies that move, a fat box for each, enlarged when the box leaves it, and then the parts
//! of the tree that were enlarged rebuilt. Pairs by one query per box, as Box2D does for each enlarged one. Fat boxes
//! find more than overlaps, so what they find is compared once more.

use std::ffi::{c_int, c_void};

use boxdd_sys::ffi;
use quadrille::Aabb;

use super::{Agents, Fat, Frames, Search, Singles};
use crate::tally::Tally;

pub struct Tree {
    tree: ffi::b2DynamicTree,
    proxies: Vec<c_int>,
    is_fat: bool,
}

pub struct Moving(pub Tree);
pub struct Rebuilding(Tree, Fat);

pub fn rebuilding(boxes: &[Aabb]) -> Rebuilding {
    let fat = Fat::new(boxes);
    let mut tree = Tree::new(&fat.boxes);
    tree.is_fat = true;
    Rebuilding(tree, fat)
}

fn bounds(aabb: &Aabb) -> ffi::b2AABB {
    let corner = |[x, y]: [f32; 2]| ffi::b2Vec2 { x, y };
    ffi::b2AABB { lowerBound: corner(aabb.min), upperBound: corner(aabb.max) }
}

/// Called for each proxy found, with the closure as context.
unsafe extern "C" fn call<F: FnMut(u32)>(_proxy: c_int, user_data: u64, context: *mut c_void) -> bool {
    // SAFETY: `Tree::visit` passes a pointer to an `F` that outlives the query.
    unsafe { (*context.cast::<F>())(user_data as u32) };
    true
}

impl Tree {
    pub fn new(boxes: &[Aabb]) -> Self {
        // SAFETY: the tree is created here and destroyed in `drop`, and proxies are those it has handed out.
        let mut tree = unsafe { ffi::b2DynamicTree_Create(boxes.len() as c_int) };
        let proxies = (0..)
            .zip(boxes)
            .map(|(id, aabb)| unsafe { ffi::b2DynamicTree_CreateProxy(&mut tree, bounds(aabb), 1, id) });
        let proxies = proxies.collect();
        unsafe { ffi::b2DynamicTree_Rebuild(&mut tree, true) };
        Self { tree, proxies, is_fat: false }
    }

    fn visit<F: FnMut(u32)>(&self, asked: &Aabb, mut found: F) {
        // SAFETY: the closure lives until the query is over, and `call` is made for its type.
        unsafe { ffi::b2DynamicTree_QueryAll(&self.tree, bounds(asked), Some(call::<F>), (&raw mut found).cast()) };
    }

    fn pairs(&self, boxes: &[Aabb], pairs: &mut Tally) {
        for (a, bounds) in (0..).zip(boxes) {
            self.visit(bounds, |b| {
                if b > a && (!self.is_fat || bounds.intersects(&boxes[b as usize])) {
                    pairs.pair(a, b);
                }
            });
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: created in `new`, destroyed once.
        unsafe { ffi::b2DynamicTree_Destroy(&mut self.tree) };
    }
}

impl Agents for Moving {
    fn moves(&mut self, boxes: &[Aabb]) {
        let tree = &mut self.0;
        for (&proxy, aabb) in tree.proxies.iter().zip(boxes) {
            // SAFETY: the proxy is one of this tree's.
            unsafe { ffi::b2DynamicTree_MoveProxy(&mut tree.tree, proxy, bounds(aabb)) };
        }
    }

    fn asks(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        self.0.pairs(boxes, pairs);
    }
}

impl Frames for Rebuilding {
    fn frame(&mut self, boxes: &[Aabb], pairs: &mut Tally) {
        let Self(tree, fat) = self;
        fat.follow(boxes, |at, fat| {
            // SAFETY: the proxy is one of this tree's, and its box does not hold the new one.
            unsafe { ffi::b2DynamicTree_EnlargeProxy(&mut tree.tree, tree.proxies[at], bounds(fat)) };
        });
        // SAFETY: the tree exists.
        unsafe { ffi::b2DynamicTree_Rebuild(&mut tree.tree, false) };
        tree.pairs(boxes, pairs);
    }
}

impl Search for Tree {
    fn search(&self, asked: &Aabb, found: impl FnMut(u32)) {
        self.visit(asked, found);
    }
}

impl Singles for Tree {
    fn update(&mut self, place: u32, _old: &Aabb, new: &Aabb) {
        // SAFETY: the proxy is one of this tree's.
        unsafe { ffi::b2DynamicTree_MoveProxy(&mut self.tree, self.proxies[place as usize], bounds(new)) };
    }

    fn renew(&mut self, place: u32, _old: &Aabb, new: &Aabb) {
        let proxy = &mut self.proxies[place as usize];
        // SAFETY: the proxy is one of this tree's and forgotten here.
        unsafe {
            ffi::b2DynamicTree_DestroyProxy(&mut self.tree, *proxy);
            *proxy = ffi::b2DynamicTree_CreateProxy(&mut self.tree, bounds(new), 1, place.into());
        }
    }
}
