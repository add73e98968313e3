//! Writes poses and velocities of bodies into an image.
//!
//! In: bodies by slot. Out: the words that a step changes, of eight bodies at a time, each
//! predicted from the body before.

use super::groups::columns_of;
use crate::body::state::HALF;
use crate::simd::{LANES, Vectors, Words, dispatch_wide};
use crate::state::{GROUP, PIECE, Sink, ways_from_before};
use crate::world::World;
use crate::world::snapshot::schema as of;

pub(super) fn write_motion(world: &World, sink: &mut impl Sink) {
    sink.begin_groups::<HALF>(&of::MOTION, world.bodies.slots.len());
    dispatch_wide!(world.lanes().level, simd => write_groups(world, simd, sink));
}

#[inline(always)]
fn write_groups<S: Vectors>(world: &World, simd: S, sink: &mut impl Sink) {
    // A body has four rows; the first two are its motion.
    let rows: &[[f32; LANES]] = bytemuck::cast_slice(&world.bodies.rows);
    let (mut next, mut all, mut last) = (0, 0, [0; HALF]);
    loop {
        let (slots, count) = world.bodies.slots.eight_from(&mut next);
        if count == 0 {
            return;
        }
        if all % PIECE == 0 {
            last = [0; HALF];
        }
        all += count;
        let mut ways = [[0; GROUP]; HALF];
        for half in 0..2 {
            let at = (Words::load(simd, &slots).shift_left(2) + Words::splat(simd, half)).to_array();
            let columns = columns_of(simd, rows, &at);
            for (k, column) in columns.iter().enumerate() {
                let k = LANES * half as usize + k;
                ways[k] = ways_from_before(simd, &mut last[k], column);
            }
        }
        if count < GROUP {
            ways.iter_mut().for_each(|ways| ways[count..].fill(0));
        }
        sink.group(simd, &ways, count);
    }
}
