//! Writes poses and velocities of bodies into an image.
//!
//! In: bodies by slot. Out: the words that a step changes, of eight bodies at a time, each told
//! from that of the body before.

use super::groups::{columns_of, next_slots};
use crate::body::state::HALF;
use crate::simd::{LANES, Vectors, dispatch_wide};
use crate::state::{GROUP, PIECE, Sink, ways_from_before};
use crate::world::World;
use crate::world::snapshot::schema as of;

pub(super) fn write_motion(world: &World, sink: &mut impl Sink) {
    sink.begin_groups::<HALF>(&of::MOTION, world.bodies.slots.len());
    dispatch_wide!(world.lanes().level, simd => write_groups(world, simd, sink));
}

#[inline(always)]
fn write_groups<S: Vectors>(world: &World, simd: S, sink: &mut impl Sink) {
    // Four rows a body, of which the first two are its motion.
    let rows: &[[f32; LANES]] = bytemuck::cast_slice(&world.bodies.rows);
    let (mut rest, mut all, mut last) = (world.bodies.slots.iter(), 0, [0; HALF]);
    loop {
        let (slots, count) = next_slots(&mut rest);
        if count == 0 {
            return;
        }
        if all % PIECE == 0 {
            last = [0; HALF];
        }
        all += count;
        let mut ways = [[0; GROUP]; HALF];
        for half in 0..2 {
            let columns = columns_of(simd, rows, &slots.map(|slot| 4 * slot + half));
            for (k, column) in columns.iter().enumerate() {
                let k = LANES * half as usize + k;
                ways[k] = ways_from_before(last[k], column);
                last[k] = column[GROUP - 1];
            }
        }
        if count < GROUP {
            ways.iter_mut().for_each(|ways| ways[count..].fill(0));
        }
        sink.group(&ways, count);
    }
}
