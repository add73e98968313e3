//! Box2D's dynamic tree alone: boxes in, pairs out.
//!
//! Used as Box2D's own broadphase uses it: a proxy has some room around its box, a box that leaves
//! its room enlarges the proxy, what was enlarged is rebuilt, and then each box asks the tree.

use boxdd_sys::ffi;
use carom::Aabb;
use std::ffi::c_void;

use super::defs::to_c;

/// Room on every side, as Box2D has it for boxes of this size.
const ROOM: f32 = 0.05;

pub(crate) struct Box2dTree {
    tree: ffi::b2DynamicTree,
    /// By box.
    proxies: Vec<i32>,
    rooms: Vec<Aabb>,
    pairs: Vec<(u32, u32)>,
}

/// What the callback of a query needs.
struct Query<'q> {
    id: u32,
    boxes: &'q [Aabb],
    pairs: &'q mut Vec<(u32, u32)>,
}

fn to_box(aabb: Aabb) -> ffi::b2AABB {
    ffi::b2AABB { lowerBound: to_c(aabb.min), upperBound: to_c(aabb.max) }
}

impl Box2dTree {
    pub(crate) fn new(boxes: &[Aabb]) -> Box2dTree {
        let rooms: Vec<Aabb> = boxes.iter().map(|aabb| aabb.grown(ROOM)).collect();
        // SAFETY: takes a number and gives a tree, which this value alone uses until it is dropped.
        let mut tree = unsafe { ffi::b2DynamicTree_Create(boxes.len().max(16) as i32) };
        let mut create = |(id, &room): (usize, &Aabb)| {
            // SAFETY: the tree is alive.
            unsafe { ffi::b2DynamicTree_CreateProxy(&mut tree, to_box(room), u64::MAX, id as u64) }
        };
        let proxies = rooms.iter().enumerate().map(&mut create).collect();
        // SAFETY: the tree is alive.
        unsafe { ffi::b2DynamicTree_Rebuild(&mut tree, true) };
        Box2dTree { tree, proxies, rooms, pairs: Vec::new() }
    }

    /// Gives every box its place, and finds all pairs.
    pub(crate) fn frame(&mut self, boxes: &[Aabb]) -> usize {
        for (id, aabb) in boxes.iter().enumerate() {
            if !self.rooms[id].contains(aabb) {
                self.rooms[id] = aabb.grown(ROOM);
                // SAFETY: the tree and the proxy are alive.
                unsafe {
                    let room = to_box(self.rooms[id]);
                    ffi::b2DynamicTree_EnlargeProxy(&mut self.tree, self.proxies[id], room);
                }
            }
        }
        // SAFETY: the tree is alive; this sorts the enlarged part of it anew.
        unsafe { ffi::b2DynamicTree_Rebuild(&mut self.tree, false) };
        self.pairs.clear();
        for (id, &aabb) in boxes.iter().enumerate() {
            let mut query = Query { id: id as u32, boxes, pairs: &mut self.pairs };
            // SAFETY: the tree is alive; the callback gets the pointer it expects, to a value that
            // outlives the call.
            unsafe {
                let context = (&raw mut query).cast();
                ffi::b2DynamicTree_Query(&self.tree, to_box(aabb), u64::MAX, Some(visit), context);
            }
        }
        self.pairs.len()
    }
}

impl Drop for Box2dTree {
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed only here.
        unsafe { ffi::b2DynamicTree_Destroy(&mut self.tree) }
    }
}

/// Notes a pair once, from its smaller id, if the boxes themselves overlap. `context` is a
/// [`Query`].
unsafe extern "C" fn visit(_: i32, other: u64, context: *mut c_void) -> bool {
    // SAFETY: `frame` passes the address of a query that it does not touch meanwhile.
    let query = unsafe { &mut *context.cast::<Query>() };
    let other = other as u32;
    if other > query.id && query.boxes[query.id as usize].overlaps(&query.boxes[other as usize]) {
        query.pairs.push((query.id, other));
    }
    true
}
