//! The bodies of eight contacts side by side, from which the contacts are predicted.
//!
//! In: eight pairs of bodies. Out: the ways from centre to centre, and the axes of the bodies: most
//! normals of contacts are near to an axis.

use glam::Vec2;

use super::expect::way_between;
use crate::simd::{AllLanes, Eight, LANES, Lane, Vector, Vectors, Width, Words, bits};
use crate::state::GROUP;
use crate::world::World;

/// The poses of the bodies of eight contacts.
pub(super) struct Poses<S: Vectors> {
    simd: S,
    /// From centre to centre, in words; zeros if the bodies are not known yet.
    pub(super) way: [[u32; GROUP]; 2],
    /// Cosine and sine of the first and of the second body.
    turns: [[Eight<S>; 2]; 2],
    /// A bit for each contact whose bodies are known.
    known: u32,
}

/// A normal farther than this from an axis counts as no axis.
const NEAR_AXIS: f32 = 0.02;

impl World {
    /// Returns the poses of the bodies of eight contacts; bits of `known` name the contacts whose
    /// bodies exist.
    #[inline(always)]
    pub(super) fn poses_of<S: Vectors>(&self, simd: S, bodies: &[[u32; GROUP]; 2], known: u32) -> Poses<S> {
        let none: Eight<S> = Vector::all(simd, 0.0);
        if known == 0 {
            return Poses { simd, way: [[0; GROUP]; 2], turns: [[none; 2]; 2], known };
        }
        // Four rows a body; the first one has region, centre and rotation.
        let rows: &[[f32; LANES]] = bytemuck::cast_slice(&self.bodies.rows);
        let [firsts, seconds] = [rows_of(simd, &bodies[0]), rows_of(simd, &bodies[1])];
        let [x_a, y_a, center_x_a, center_y_a, cos_a, sin_a, ..] = AllLanes(simd).gather_eight(rows, &firsts);
        let [x_b, y_b, center_x_b, center_y_b, cos_b, sin_b, ..] =
            AllLanes(simd).gather_eight(rows, &seconds);
        let mut way = [words_of::<S>(center_x_b - center_x_a), words_of::<S>(center_y_b - center_y_a)];
        let here = bits(x_a.is_same(x_b) & y_a.is_same(y_b));
        if here & known != 0xFF {
            self.fix_ways(bodies, (here, known), &mut way);
        }
        Poses { simd, way, turns: [[cos_a, sin_a], [cos_b, sin_b]], known }
    }

    /// The ways between bodies of two regions, and zeros where there are no bodies.
    #[inline(never)]
    fn fix_ways(&self, bodies: &[[u32; GROUP]; 2], (here, known): (u32, u32), way: &mut [[u32; GROUP]; 2]) {
        for index in 0..GROUP {
            if known >> index & 1 == 0 {
                (way[0][index], way[1][index]) = (0, 0);
            } else if here >> index & 1 == 0 {
                let of = |side: usize| &self.bodies.rows[bodies[side][index] as usize];
                let [x, y] = way_between(self.def.period(), of(0), of(1)).to_array();
                (way[0][index], way[1][index]) = (x.to_bits(), y.to_bits());
            }
        }
    }
}

#[inline(always)]
fn rows_of<S: Vectors>(simd: S, bodies: &[u32; GROUP]) -> [u32; GROUP] {
    Words::load(simd, bodies).shift_left(2).to_array()
}

/// Numbers as words.
#[inline(always)]
pub(super) fn words_of<S: Vectors>(numbers: Eight<S>) -> [u32; GROUP] {
    let mut array = [0.0; LANES];
    numbers.store(&mut array);
    bytemuck::cast(array)
}

/// Words as numbers.
#[inline(always)]
pub(super) fn numbers_of<S: Vectors>(simd: S, words: &[u32; GROUP]) -> Eight<S> {
    Vector::load(simd, bytemuck::cast_ref(words))
}

/// Returns the direction of a way, one of eight: steeper or flatter than a diagonal, up or down,
/// left or right.
#[inline(always)]
pub(super) fn directions<S: Vectors>(simd: S, [x, y]: [&[u32; GROUP]; 2]) -> [u32; GROUP] {
    let (x, y) = (numbers_of(simd, x), numbers_of(simd, y));
    let (none, one): (Eight<S>, Eight<S>) = (Vector::all(simd, 0.0), Vector::all(simd, 1.0));
    let flat = Lane::select(y.abs().lt(x.abs()), one, none);
    let right = Lane::select(none.lt(x), one + one, none);
    let up = Lane::select(none.lt(y), Vector::all(simd, 4.0), none);
    (flat + right + up).whole()
}

/// Axes of bodies that normals are near to, as words: 0 for none; else 1 plus the quarter turns
/// from the x axis of the first body, or 5 plus the quarter turns from the x axis of the second.
impl<S: Vectors> Poses<S> {
    /// Returns the axis that is near to each of eight normals, an axis of the first body if there
    /// is one.
    #[inline(always)]
    pub(super) fn near(&self, [x, y]: [Eight<S>; 2]) -> [u32; GROUP] {
        let [of_a, of_b] = [self.nearest(0, [x, y]), self.nearest(1, [x, y])];
        let (none, near): (Eight<S>, Eight<S>) =
            (Vector::all(self.simd, 0.0), Vector::all(self.simd, NEAR_AXIS));
        let b = Lane::select(of_b.0.lt(near), of_b.1 + Vector::all(self.simd, 4.0), none);
        let mut axes = Lane::select(of_a.0.lt(near), of_a.1, b).whole();
        if self.known != 0xFF {
            for (index, axis) in axes.iter_mut().enumerate() {
                *axis *= self.known >> index & 1;
            }
        }
        axes
    }

    /// Returns the distance of normals from the nearest axis of a body, and that axis.
    #[inline(always)]
    fn nearest(&self, side: usize, [x, y]: [Eight<S>; 2]) -> (Eight<S>, Eight<S>) {
        let [cos, sin] = self.turns[side];
        let (along, across) = (x * cos + y * sin, y * cos - x * sin);
        let none: Eight<S> = Vector::all(self.simd, 0.0);
        let of = [1.0, 2.0, 3.0, 4.0];
        let lies = across.abs().lt(along.abs());
        let first = Lane::select(none.lt(along), none.splat(of[0]), none.splat(of[2]));
        let second = Lane::select(none.lt(across), none.splat(of[1]), none.splat(of[3]));
        (Lane::select(lies, across.abs(), along.abs()), Lane::select(lies, first, second))
    }

    /// Returns the directions of axes; for 0, which is no axis, any direction.
    #[inline(always)]
    pub(super) fn normals(&self, axes: &[u32; GROUP]) -> [Eight<S>; 2] {
        let simd = self.simd;
        let numbers = (Words::load(simd, axes) - Words::splat(simd, 1)).to_array();
        let numbers = numbers_of(simd, &numbers);
        let [[cos_a, sin_a], [cos_b, sin_b]] = self.turns;
        let of_b = numbers.has(4);
        let (cos, sin) = (Lane::select(of_b, cos_b, cos_a), Lane::select(of_b, sin_b, sin_a));
        let is_turned = numbers.has(1);
        let (x, y) = (Lane::select(is_turned, -sin, cos), Lane::select(is_turned, cos, sin));
        let is_opposite = numbers.has(2);
        [Lane::select(is_opposite, -x, x), Lane::select(is_opposite, -y, y)]
    }
}

/// The last contact in each direction: its manifold predicts the next one.
pub(super) struct LastInDirection {
    /// Slot and axis; slot 0 if there is none.
    last: [(u32, u32); DIRECTIONS],
}

const DIRECTIONS: usize = 8;

impl LastInDirection {
    pub(super) const NONE: LastInDirection = LastInDirection { last: [(0, 0); DIRECTIONS] };

    /// Returns the last contact whose bodies were in this direction from each other.
    #[inline(always)]
    pub(super) fn of(&mut self, direction: u32) -> &mut (u32, u32) {
        &mut self.last[direction as usize % DIRECTIONS]
    }
}

/// Whether a normal is of unit length.
#[inline(always)]
pub(super) fn is_unit(normal: Vec2) -> bool {
    (normal.length_squared() - 1.0).abs() < 1.0e-4
}
