//! Writes the boxes of parts into an image.
//!
//! In: parts in the order of bodies and their shapes. Out: the difference of each box from the
//! expected box, of eight parts at a time.

use super::groups::columns_of;
use super::{Steps, with_words_of};
use crate::body::NONE;
use crate::simd::{Eight, Lane, Vector, Vectors, Words, dispatch_wide};
use crate::state::{GROUP, PIECE, Sink, Ways, way, ways_from, ways_from_before};
use crate::world::World;
use crate::world::snapshot::expect::BoxGuess;
use crate::world::snapshot::poses::{numbers_of, words_of};
use crate::world::snapshot::schema as of;

/// Words of a part: step of its index, sides of its box, and its region.
pub(in crate::world::snapshot) const PART: usize = 7;

pub(super) fn write_parts(world: &World, count: usize, sink: &mut impl Sink) {
    sink.begin_groups::<PART>(&of::PARTS, count);
    dispatch_wide!(world.lanes().level, simd => write_groups(world, simd, sink));
}

#[inline(always)]
fn write_groups<S: Vectors>(world: &World, simd: S, sink: &mut impl Sink) {
    let mut walk = PartWalk::new();
    let (mut all, mut steps, mut guess) = (0, Steps::START, BoxGuess::new());
    loop {
        let eight = walk.next_eight(world);
        if eight.count == 0 {
            return;
        }
        if all % PIECE == 0 {
            guess = BoxGuess::new();
        }
        all += eight.count;
        let ways = if eight.count == GROUP && eight.all_move {
            moving_ways(world, simd, &eight, (&mut steps, &mut guess))
        } else {
            ways_one_by_one(world, &eight, (&mut steps, &mut guess))
        };
        sink.group(simd, &ways, eight.count);
    }
}

/// Ways of eight parts of bodies that move. The prediction of a box is as far from its body as the
/// last one.
#[inline(always)]
fn moving_ways<S: Vectors>(
    world: &World,
    simd: S,
    eight: &EightParts,
    (steps, guess): (&mut Steps, &mut BoxGuess),
) -> [Ways; PART] {
    let [box_x, box_y, left, bottom, right, top, ..] = columns_of(simd, world.grid.rows(), &eight.parts);
    let rows = Words::load(simd, &eight.bodies).shift_left(2).to_array();
    let bodies = bytemuck::cast_slice(&world.bodies.rows);
    let [body_x, body_y, center_x, center_y, ..] = columns_of(simd, bodies, &rows);
    let apart = |a: &[u32; GROUP], b: &[u32; GROUP]| (Words::load(simd, a) ^ Words::load(simd, b)).to_array();
    let (x, y) = (apart(&box_x, &body_x), apart(&box_y, &body_y));
    let (last, center) = guess.last();
    let by_x = way_from_before(simd, center.x.to_bits(), &center_x);
    let by_y = way_from_before(simd, center.y.to_bits(), &center_y);
    let mut row = *last;
    let ways = [
        ways_from_before(simd, &mut row[0], &steps.eight(simd, &eight.parts)),
        ways_from_moved(simd, &mut row[1], &left, by_x),
        ways_from_moved(simd, &mut row[2], &bottom, by_y),
        ways_from_moved(simd, &mut row[3], &right, by_x),
        ways_from_moved(simd, &mut row[4], &top, by_y),
        ways_from_before(simd, &mut row[5], &x),
        ways_from_before(simd, &mut row[6], &y),
    ];
    guess.note(&row, &world.bodies.rows[eight.bodies[GROUP - 1] as usize]);
    ways
}

/// The difference of each number from the number before it.
#[inline(always)]
fn way_from_before<S: Vectors>(simd: S, before: u32, words: &[u32; GROUP]) -> Eight<S> {
    let moved = Words::load(simd, words).slide_up(before).to_array();
    numbers_of(simd, words) - numbers_of(simd, &moved)
}

/// Ways of sides of boxes that are expected to have gone as far as their bodies.
#[inline(always)]
fn ways_from_moved<S: Vectors>(simd: S, last: &mut u32, sides: &[u32; GROUP], by: Eight<S>) -> Ways {
    let before = Words::load(simd, sides).slide_up(*last).to_array();
    let expected = numbers_of(simd, &before) + by;
    // 0 for NaN, whose bits depend on the machine.
    let expected = Lane::select(expected.eq(expected), expected, Vector::all(simd, 0.0));
    *last = sides[GROUP - 1];
    ways_from(simd, &words_of::<S>(expected), sides)
}

/// Ways of eight parts of any bodies.
#[inline(never)]
fn ways_one_by_one(
    world: &World,
    eight: &EightParts,
    (steps, guess): (&mut Steps, &mut BoxGuess),
) -> [Ways; PART] {
    let mut ways = [[0; GROUP]; PART];
    for index in 0..eight.count {
        let (part, body) = (eight.parts[index], &world.bodies.rows[eight.bodies[index] as usize]);
        let Some(stored) = world.grid.aabb(part) else { continue };
        let words = with_words_of(&world.expected_box(body, part), &stored);
        let row = [steps.to(part), words[0], words[1], words[2], words[3], words[4], words[5]];
        let expected = guess.row(body);
        for (k, ways) in ways.iter_mut().enumerate() {
            ways[index] = way(expected[k], row[k]);
        }
        guess.note(&row, body);
    }
    ways
}

/// Up to eight parts, with their bodies.
struct EightParts {
    parts: [u32; GROUP],
    bodies: [u32; GROUP],
    count: usize,
    all_move: bool,
}

/// A walk over the parts in the grid, body by body and shape by shape. For a map on demand it
/// visits the whole map alone: the cells are written later.
struct PartWalk {
    /// The body after the present one; shape and part that come next.
    body: u32,
    shape: u32,
    part: u32,
}

impl PartWalk {
    fn new() -> PartWalk {
        PartWalk { body: 0, shape: NONE, part: NONE }
    }

    #[inline(always)]
    fn next_eight(&mut self, world: &World) -> EightParts {
        let mut eight = EightParts { parts: [0; GROUP], bodies: [0; GROUP], count: 0, all_move: true };
        while eight.count < GROUP
            && let Some((body, part)) = self.next(world)
        {
            if world.grid.contains(part) {
                (eight.parts[eight.count], eight.bodies[eight.count]) = (part, body);
                eight.all_move &= world.bodies.rows[body as usize].moves();
                eight.count += 1;
            }
        }
        eight
    }

    #[inline(always)]
    fn next(&mut self, world: &World) -> Option<(u32, u32)> {
        loop {
            if self.part != NONE {
                let part = self.part;
                self.part = world.shapes.proxies.rows[part as usize].next;
                return Some((self.body - 1, part));
            }
            if self.shape != NONE {
                let links = &world.shapes.links[self.shape as usize];
                if world.tiles.is_there() && world.is_map(self.shape) {
                    let part = links.first_proxy;
                    self.shape = links.next;
                    if part == NONE {
                        continue;
                    }
                    return Some((self.body - 1, part));
                }
                (self.part, self.shape) = (links.first_proxy, links.next);
                continue;
            }
            let body = world.bodies.rows.get(self.body as usize)?;
            if world.bodies.slots.tenant(self.body).is_some() {
                self.shape = body.first_shape;
            }
            self.body += 1;
        }
    }
}
