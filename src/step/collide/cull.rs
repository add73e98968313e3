//! Mid-phase culling, the sieve: which pairs are worth an exact test.
//!
//! In: contacts, or candidate pairs, whose parts are in one region, as placed circles and
//! velocities. Out: the pairs whose circles and slabs come within the speculative distance at any
//! time of the step.
//!
//! Boxes of the grid are enlarged, and have corners: most pairs of a loose heap are apart. The test
//! reads two rows of 32 bytes and two of 16 per pair, eight pairs at a time; bodies, shapes and
//! contact rows are not read.
//!
//! ```text
//!   c(t) = d + u t        from middle to middle, t from 0 to 1; u = (v + w × o) dt of B minus that
//!                         of A, o from the centre of mass to the middle
//!   t* = -d·u / u·u       within 0 and 1: where c is shortest
//!   near when |c(t*)| <= r_a + r_b + margin + arcs
//!   arcs = ½ (w dt)² |o|  by which a turning middle leaves its line
//! ```
//!
//! Pairs that pass are tested once more by slabs: each part lies in a slab (`body/core_table.rs`),
//! for a box the one between its long sides. If the two stay apart along the normal of either slab,
//! they are culled. (In a heap of rag dolls, three in four pairs of limbs pass the circles, and
//! hardly any of those touch.)
//!
//! ```text
//!   |d·n| - closing - w_a - (w_b |n·m| + r_b |n×m|) - turns        n, m: the normals
//!   turns = r_a |w_a dt| + r_b |w_b dt|                            w: half widths
//! ```
//!
//! At the end of a step the same test runs backwards for CCD: which pairs may have passed through
//! each other? It uses the displacements of the bodies for v dt, and t from 0 to -1.

use crate::body::collider::Proxy;
use crate::body::core_table::Slab;
use crate::broadphase::Pair;
use crate::contact::Contacts;
use crate::simd::{AllLanes, LANES, Lane, Level, OneLane, Width, bits, dispatch, inlined};
use crate::tuning::CcdTuning;

/// Margin for the rounding of the test itself, as a share of the compared values.
const CULL_ROUNDING: f32 = 2.0e-6;

/// Columns from which pairs are loaded.
pub(crate) struct CullInput<'w> {
    /// Rows of [`PlacedRow`](crate::body::collider::PlacedRow), as numbers.
    pub(crate) placed: &'w [[f32; LANES]],
    pub(crate) velocity: &'w [[f32; 4]],
    pub(crate) rows: &'w [u32],
    pub(crate) dt: f32,
    /// Speculative margin around a part.
    pub(crate) margin: f32,
    /// Greatest displacement by gravity in the step.
    pub(crate) by_gravity: f32,
    /// Per row: how far a body must move to pass through another one, negated if it moved less. If
    /// this is not empty, a pair passes only if the two moved as far as that relative to each
    /// other, and one of them farther than its thickness.
    pub(crate) cores: &'w [f32],
    /// Form of each part.
    pub(crate) form: &'w [u32],
    /// Slabs by form; if empty, only circles are tested.
    pub(crate) slabs: &'w [Slab],
}

/// Eight pairs; unused lanes repeat the first.
struct CullBatch {
    a: [u32; LANES],
    b: [u32; LANES],
    row_a: [u32; LANES],
    row_b: [u32; LANES],
    /// See [`CullInput::cores`].
    core_a: [f32; LANES],
    core_b: [f32; LANES],
}

impl CullBatch {
    #[inline(always)]
    fn new<T: Copy>(some: &[T], ends: impl Fn(T) -> (Pair, [u32; 2]), input: &CullInput) -> CullBatch {
        let none = [0; LANES];
        let cores = [0.0; LANES];
        let mut batch =
            CullBatch { a: none, b: none, row_a: none, row_b: none, core_a: cores, core_b: cores };
        for k in 0..LANES {
            let (pair, bodies) = ends(some[if k < some.len() { k } else { 0 }]);
            (batch.a[k], batch.b[k]) = (pair.a, pair.b);
            let (row_a, row_b) = (input.rows[bodies[0] as usize], input.rows[bodies[1] as usize]);
            (batch.row_a[k], batch.row_b[k]) = (row_a, row_b);
            if !input.cores.is_empty() {
                (batch.core_a[k], batch.core_b[k]) =
                    (input.cores[row_a as usize], input.cores[row_b as usize]);
            }
        }
        batch
    }
}

/// Tests `some` contacts, and calls `visit` for each with whether it is near.
pub(crate) fn sieve(
    level: Level,
    some: &[u32],
    contacts: &Contacts,
    input: &CullInput,
    visit: impl FnMut(u32, bool),
) {
    let ends = inlined(
        #[inline(always)]
        |contact: u32| {
            let link = &contacts.link[contact as usize];
            (contacts.pair[contact as usize], [link.body_a, link.body_b])
        },
    );
    sieve_all(level, some, ends, input, visit);
}

/// Tests candidate pairs, which are not contacts yet.
pub(crate) fn sieve_pairs(
    level: Level,
    some: &[Pair],
    parts: &[Proxy],
    input: &CullInput,
    visit: impl FnMut(Pair, bool),
) {
    let ends = inlined(
        #[inline(always)]
        |pair: Pair| (pair, [parts[pair.a as usize].body, parts[pair.b as usize].body]),
    );
    sieve_all(level, some, ends, input, visit);
}

/// Tests anything that has two parts on two bodies.
#[inline(always)]
fn sieve_all<T: Copy>(
    level: Level,
    some: &[T],
    ends: impl Fn(T) -> (Pair, [u32; 2]) + Copy,
    input: &CullInput,
    mut visit: impl FnMut(T, bool),
) {
    dispatch!(level, serial => {
        for some in some.chunks(LANES) {
            let batch = CullBatch::new(some, ends, input);
            for (lane, &one) in some.iter().enumerate() {
                visit(one, near(OneLane(lane), &batch, input));
            }
        }
    }, simd => {
        for some in some.chunks(LANES) {
            let batch = CullBatch::new(some, ends, input);
            let near = bits(near(AllLanes(simd), &batch, input));
            for (lane, &one) in some.iter().enumerate() {
                visit(one, near >> lane & 1 == 1);
            }
        }
    });
}

/// Relative pose and motion of two parts: see the head.
struct PairMotion<L> {
    /// `[x, y, cos, sin, half width, half height]`
    a: [L; 6],
    b: [L; 6],
    /// Radii of the circles.
    radii: [L; 2],
    d: [L; 2],
    u: [L; 2],
    turns: [L; 2],
    /// Distance that counts as near, except for terms of the form; then the share of it that is
    /// rounding.
    room: L,
    rounding: L,
}

impl<L: Lane> PairMotion<L> {
    #[inline(always)]
    fn new<W: Width<L = L>>(w: W, batch: &CullBatch, input: &CullInput) -> PairMotion<L> {
        let [a_x, a_y, a_cos, a_sin, a_hx, a_hy, a_ox, a_oy] = w.gather_eight(input.placed, &batch.a);
        let [b_x, b_y, b_cos, b_sin, b_hx, b_hy, b_ox, b_oy] = w.gather_eight(input.placed, &batch.b);
        let [va_x, va_y, w_a, _] = w.gather(input.velocity, &batch.row_a);
        let [vb_x, vb_y, w_b, _] = w.gather(input.velocity, &batch.row_b);
        let dt = w.splat(input.dt);
        let (turn_a, turn_b) = (w_a * dt, w_b * dt);
        let (d_x, d_y) = (b_x - a_x, b_y - a_y);
        let u_x = (vb_x - va_x) * dt - (turn_b * b_oy - turn_a * a_oy);
        let u_y = (vb_y - va_y) * dt + (turn_b * b_ox - turn_a * a_ox);
        let arcs = turn_a * turn_a * (a_ox.abs() + a_oy.abs()) + turn_b * turn_b * (b_ox.abs() + b_oy.abs());
        let (r_a, r_b) = ((a_hx * a_hx + a_hy * a_hy).sqrt(), (b_hx * b_hx + b_hy * b_hy).sqrt());
        let rounding = (d_x.abs() + d_y.abs() + (r_a + r_b)) * w.splat(CULL_ROUNDING);
        PairMotion {
            a: [a_x, a_y, a_cos, a_sin, a_hx, a_hy],
            b: [b_x, b_y, b_cos, b_sin, b_hx, b_hy],
            radii: [r_a, r_b],
            d: [d_x, d_y],
            u: [u_x, u_y],
            turns: [turn_a, turn_b],
            room: w.splat(input.margin + input.by_gravity) + w.splat(0.5) * arcs + rounding,
            rounding,
        }
    }

    /// Whether the circles come near each other.
    #[inline(always)]
    fn circles_near<W: Width<L = L>>(&self, w: W) -> L::Mask {
        let ([d_x, d_y], [u_x, u_y]) = (self.d, self.u);
        let (zero, one) = (w.splat(0.0), w.splat(1.0));
        let along = d_x * u_x + d_y * u_y;
        let squared = (u_x * u_x + u_y * u_y).larger(w.splat(f32::MIN_POSITIVE));
        let t = (-along / squared).larger(zero).smaller(one);
        let (c_x, c_y) = (d_x + u_x * t, d_y + u_y * t);
        let reach = (self.radii[0] + self.radii[1]) + self.room;
        (c_x * c_x + c_y * c_y).le(reach * reach)
    }

    /// Whether one of the two moved far enough to have passed through the other.
    #[inline(always)]
    fn went_far<W: Width<L = L>>(&self, w: W, batch: &CullBatch) -> L::Mask {
        let ([d_x, d_y], [u_x, u_y], [r_a, r_b], [turn_a, turn_b]) = (self.d, self.u, self.radii, self.turns);
        let zero = w.splat(0.0);
        // In the frame of the larger body, which may turn: a body that goes round with it does not
        // move. However the smaller one spins, its inner circle only moves with its middle.
        let turn = L::select(r_b.le(r_a), turn_a, turn_b);
        let (way_x, way_y) = (u_x + turn * d_y, u_y - turn * d_x);
        let (core_a, core_b) = (w.read(&batch.core_a), w.read(&batch.core_b));
        let core = core_a.abs().smaller(core_b.abs());
        // Immovable bodies are infinitely thick here.
        let is_one_sided = w.splat(f32::MAX).lt(core_a.abs().larger(core_b.abs()));
        let least = L::select(is_one_sided, w.splat(CcdTuning::FAR), w.splat(1.0)) * core;
        let arm = (r_a.smaller(r_b) - core).larger(zero) + self.rounding;
        let far = (way_x * way_x + way_y * way_y).sqrt() + (turn_b - turn_a).abs() * arm;
        (zero.lt(core_a) | zero.lt(core_b)) & (least - self.rounding).lt(far)
    }

    /// Whether the slab of one of them keeps them apart.
    #[inline(always)]
    fn slabs_part<W: Width<L = L>>(&self, w: W, batch: &CullBatch, input: &CullInput) -> L::Mask {
        let a = Band::new(w, &self.a, w.gather(input.slabs, &forms_of(input, &batch.a)));
        let b = Band::new(w, &self.b, w.gather(input.slabs, &forms_of(input, &batch.b)));
        let dot = inlined(
            #[inline(always)]
            |p: [L; 2], q: [L; 2]| p[0] * q[0] + p[1] * q[1],
        );
        let ([r_a, r_b], [turn_a, turn_b], zero) = (self.radii, self.turns, w.splat(0.0));
        // One more speculative distance: an exact test may report slightly less than the true
        // distance.
        let room = self.room + w.splat(input.margin) + (turn_a.abs() * r_a + turn_b.abs() * r_b);
        let (cos, sin) = (dot(a.n, b.n).abs(), (a.n[0] * b.n[1] - a.n[1] * b.n[0]).abs());
        let gap = inlined(
            #[inline(always)]
            |one: &Band<L>, other: &Band<L>| {
                let (apart, by) = (dot(self.d, one.n), dot(self.u, one.n));
                let closing = L::select(apart.lt(zero), by, -by).larger(zero);
                apart.abs() - closing - (one.width + (other.width * cos + other.length * sin))
            },
        );
        room.lt(gap(&a, &b)) | room.lt(gap(&b, &a))
    }
}

/// The slab of a part, as a box.
struct Band<L> {
    n: [L; 2],
    /// Half sizes, along n and across.
    width: L,
    length: L,
}

impl<L: Lane> Band<L> {
    #[inline(always)]
    fn new<W: Width<L = L>>(w: W, placed: &[L; 6], slab: [L; 4]) -> Band<L> {
        let [_, _, cos, sin, half_x, half_y] = *placed;
        let [x, y, width, is_core] = slab;
        let (zero, one) = (w.splat(0.0), w.splat(1.0));
        let (is_core, is_round, is_upright) = (zero.lt(is_core), half_y.eq(zero), half_x.lt(half_y));
        let x = L::select(is_core, x, L::select(is_upright, one, zero));
        let y = L::select(is_core, y, L::select(is_upright, zero, one));
        Band {
            n: [cos * x - sin * y, sin * x + cos * y],
            width: L::select(is_core, width, L::select(is_round, half_x, half_x.smaller(half_y))),
            length: half_x.larger(half_y),
        }
    }
}

#[inline(always)]
fn forms_of(input: &CullInput, parts: &[u32; LANES]) -> [u32; LANES] {
    let mut forms = [0; LANES];
    for k in 0..LANES {
        forms[k] = input.form[parts[k] as usize];
    }
    forms
}

/// Whether the pairs come near each other: see the head.
#[inline(always)]
fn near<W: Width>(w: W, batch: &CullBatch, input: &CullInput) -> <W::L as Lane>::Mask {
    let motion = PairMotion::new(w, batch, input);
    let mut near = motion.circles_near(w);
    if !input.cores.is_empty() {
        near = near & motion.went_far(w, batch);
    }
    if !input.slabs.is_empty() && w.any(near) {
        near = near & !motion.slabs_part(w, batch, input);
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::BodyDef;
    use crate::math::Rot;
    use crate::narrowphase::collide_smoothly;
    use crate::shape::Shape;
    use crate::step::collide::relative;
    use crate::tuning::SPECULATIVE_DISTANCE;
    use crate::util::Random;
    use crate::world::World;
    use glam::Vec2;

    fn shape(random: &mut Random, kind: u32) -> Shape {
        let mut size = || random.between(0.05, 0.8);
        match kind {
            0 => Shape::circle(size()),
            1 => Shape::capsule([-size(), 0.1], [size(), 0.3], 0.3 * size()),
            2 => Shape::regular(5, size()).rounded(0.05),
            3 => Shape::segment([-size(), 0.0], [0.1, size()]),
            4 => Shape::polygon(&[Vec2::new(-size(), 0.0), Vec2::new(size(), -0.1), Vec2::new(0.2, size())]),
            _ => Shape::rect(size(), size()).at([0.3, 0.0]),
        }
    }

    /// Two random bodies, their displacements in a step, and whether circles and slabs come near.
    fn pair(random: &mut Random, kinds: [u32; 2]) -> (World, [[f32; 4]; 2], [bool; 2]) {
        let mut world = World::default();
        for (k, kind) in kinds.into_iter().enumerate() {
            let shape = shape(random, kind);
            let at = [k as f32 * random.between(-1.5, 1.5), k as f32 * random.between(-1.5, 1.5)];
            let body = BodyDef::dynamic().at(at).angle(random.between(-3.0, 3.0)).shape(shape);
            world.add(body).expect("a body");
        }
        let fast = random.between(0.0, 0.4);
        let ways = [0, 1].map(|_| {
            let mut number = |most: f32| random.between(-most, most);
            [number(fast), number(fast), number(2.0 * fast), 0.0]
        });
        let velocity = [[0.0; 4], ways[0], ways[1]];
        let near = [&[][..], world.shapes.proxies.forms.slabs()].map(|slabs| {
            let input = CullInput {
                placed: world.shapes.proxies.placed.lanes(),
                velocity: &velocity,
                rows: &[1, 2],
                dt: 1.0,
                margin: SPECULATIVE_DISTANCE,
                by_gravity: 0.0,
                cores: &[],
                form: &world.shapes.proxies.form,
                slabs,
            };
            let mut found = false;
            let pairs = [Pair { a: 0, b: 1 }];
            sieve_pairs(Level::Scalar, &pairs, &world.shapes.proxies.rows, &input, |_, near| found = near);
            found
        });
        (world, ways, near)
    }

    /// Culled pairs are apart at each of 17 times of the step.
    #[test]
    fn what_is_turned_away_does_not_come_near() {
        let mut random = Random(7);
        let mut turned_away = [0; 2];
        for round in 0..20_000 {
            let kinds = [round % 6, round / 6 % 6];
            let (world, ways, near) = pair(&mut random, kinds);
            let Some(by) = near.iter().position(|near| !near) else { continue };
            turned_away[by] += 1;
            for time in 0..=16 {
                let share = time as f32 / 16.0;
                let body = |k: usize| {
                    let ([x, y, turn, _], mut body) = (ways[k], world.bodies.rows[k]);
                    body.center += Vec2::new(x, y) * share;
                    body.rotation = Rot::from_angle(turn * share) * body.rotation;
                    body
                };
                let (a, b) = (body(0), body(1));
                let b_in_a = relative(&a, &b, world.way(a.center_point(), b.center_point()));
                let [p, q] = [0, 1].map(|k| world.shapes.colliders[k].shape.piece(0));
                let found = collide_smoothly(p, q, b_in_a, SPECULATIVE_DISTANCE);
                assert!(found.is_none(), "{kinds:?} in round {round} at {share}: {found:?}");
            }
        }
        assert!(turned_away[0] > 5_000 && turned_away[1] > 500, "{turned_away:?}");
    }
}
