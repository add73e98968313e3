//! Prepares contacts: rows into blocks, with effective masses and warm-start impulses.
//!
//! In: rows of contacts, velocities after the first kick of gravity. Out: blocks with everything
//! that stays the same during a step. `store.rs` brings the impulses back to the contacts. Rows of
//! eight numbers are turned into columns by shuffles, eight contacts at a time.

use super::block::{BlockFlags, ColdBlock, ContactBlock};
use crate::ablate::Rule;
use crate::contact::Row;
use crate::simd::{LANES, Lane, Width, inlined};
use crate::solver::columns::Columns;
use crate::solver::{BOUNCE_ROUNDS, LANDING_ROUNDS};
use crate::tuning::ContactTuning;

/// A direction counts as locked if less than this share of the inverse masses is left along it.
const LEAST_GIVE: f32 = 1.0e-4;

/// How many more rounds of impacts full restitution has than none.
const MORE_ROUNDS: f32 = (BOUNCE_ROUNDS - LANDING_ROUNDS) as f32;

/// Columns of the contacts, from which blocks are filled.
#[derive(Clone, Copy)]
pub(crate) struct ContactColumns<'c> {
    pub(crate) manifold: &'c [Row],
    pub(crate) impulse: &'c [Row],
    pub(crate) surface: &'c [Row],
    /// Length of a sub-step: contacts keep forces, so that steps may be of any length.
    pub(crate) h: f32,
    /// See [`StepParams`](crate::solver::StepParams).
    pub(crate) carried: f32,
    /// Length of a sub-step of the step before.
    pub(crate) before: f32,
    /// How many sub-steps a step has.
    pub(crate) sub_steps: f32,
    /// Slowest approach that is reported as a hit, in m/s.
    pub(crate) hit_speed: f32,
    /// Overlap from which on lone bodies are solved once more, in metres.
    pub(crate) deep: f32,
    /// Whether bodies may dominate others: their mass is infinite in such contacts.
    pub(crate) dominant: bool,
}

impl ContactColumns<'_> {
    /// Multiple of an arm's motion in the last step that is added to the arm.
    fn ahead(&self) -> f32 {
        if self.before > 0.0 { ContactTuning::ARM_AHEAD * self.h / self.before } else { 0.0 }
    }
}

/// Fills a block from the contacts `at`, whose bodies it names already.
#[inline(always)]
pub(crate) fn prepare<W: Width, const P: usize>(
    w: W,
    (block, cold): (&mut ContactBlock<P>, &mut ColdBlock),
    at: &[u32; LANES],
    rows: ContactColumns,
    columns: &Columns,
    blow: f32,
) {
    // Assembled here and written once: a wide load of parts that were just written waits for those
    // stores.
    let mut flags = if w.begins() { BlockFlags::NONE } else { block.flags };
    let contacts = read_contacts(w, at, rows);
    let ([n_x, n_y], [way_x, way_y]) = (contacts.normal, contacts.a_to_b);
    let (t_x, t_y) = (n_y, -n_x);
    // Masses and velocities of both bodies.
    let (velocity, mass) = (&columns.velocity[..], &columns.mass[..columns.velocity.len()]);
    let (mut mass_a, mut mass_b) = (w.gather(mass, &block.row_a), w.gather(mass, &block.row_b));
    if rows.dominant {
        mass_a = only_where(w, block.dynamic[0], mass_a);
        mass_b = only_where(w, block.dynamic[1], mass_b);
    }
    let (v_a, v_b) = (w.gather(velocity, &block.row_a), w.gather(velocity, &block.row_b));
    let give = Give::new(w, mass_a, mass_b);
    let (linear_n, linear_t) = (give.linear(n_x, n_y), give.linear(t_x, t_y));
    let u = n_x * (v_b[0] - v_a[0]) + n_y * (v_b[1] - v_a[1]);
    let ahead = w.splat(rows.ahead());
    let [_, motion] = contacts.points;
    let (zero, deep, fast) = (w.splat(0.0), w.splat(-rows.deep), w.splat(blow));
    let mut approach = zero;
    // Per point: arms along normal and tangent, effective masses, impulses to start from.
    for (point, of) in block.points.iter_mut().zip(contacts.points) {
        let (x, y) = (of.x, of.y);
        let (b_x, b_y) = (x - way_x, y - way_y);
        let (mut arm_a, mut arm_b) = (x * n_y - y * n_x, b_x * n_y - b_y * n_x);
        if P == 1 {
            let of_step = of.normal_impulse * w.splat(rows.sub_steps);
            arm_a = arm_a + brake(w, ahead * motion.x, (-mass_a[2] * of_step, v_a[2]));
            arm_b = arm_b + brake(w, ahead * motion.y, (mass_b[2] * of_step, v_b[2]));
        }
        let (lever_a, lever_b) = (x * t_y - y * t_x, b_x * t_y - b_y * t_x);
        w.write(&mut point.arm_a, arm_a);
        w.write(&mut point.arm_b, arm_b);
        w.write(&mut point.lever_a, lever_a);
        w.write(&mut point.lever_b, lever_b);
        w.write(&mut point.separation, of.separation);
        let given = linear_n + give.angular(arm_a, arm_b);
        w.write(&mut point.normal_mass, give.effective_mass(w, given));
        w.write(&mut point.tangent_mass, give.effective_mass(w, linear_t + give.angular(lever_a, lever_b)));
        w.write(&mut point.normal_impulse, of.normal_impulse);
        w.write(&mut point.tangent_impulse, of.tangent_impulse);
        w.write(&mut point.total, zero);
        w.write(&mut point.load, of.load);
        let vn = u + (arm_b * v_b[2] - arm_a * v_a[2]);
        approach = approach.smaller(vn);
        let is_thrown = fast.lt(vn + given * of.normal_impulse);
        flags.marked |= w.bits(of.separation.lt(deep) | vn.lt(-fast) | is_thrown);
    }
    write_bodies(w, (block, cold), &mut flags, [n_x, n_y], [mass_a, mass_b]);
    w.write(&mut cold.approach, approach);
    flags.strikes |= w.any(approach.lt(w.splat(-rows.hit_speed)));
    let landing = if Rule::Landings.is_on() { blow } else { f32::INFINITY };
    write_material(w, (block, cold), &mut flags, &contacts.material, approach.lt(w.splat(-landing)));
    block.flags = flags;
}

/// Eight contacts, with impulses for a sub-step of this length.
struct ContactLanes<L> {
    normal: [L; 2],
    /// From A's centre of mass to B's.
    a_to_b: [L; 2],
    /// For a contact with a single point, `x` and `y` of the second one hold how far the arms of A
    /// and B moved in the step before.
    points: [ContactPoint<L>; 2],
    material: MaterialLanes<L>,
}

/// A point of eight contacts.
#[derive(Clone, Copy)]
struct ContactPoint<L> {
    /// From A's centre of mass.
    x: L,
    y: L,
    separation: L,
    /// Accumulated impulses that the step begins with (warm starting).
    normal_impulse: L,
    tangent_impulse: L,
    /// Remembered load.
    load: L,
}

/// Rows of eight contacts as columns, their forces times the length of the sub-step.
#[inline(always)]
fn read_contacts<W: Width>(w: W, at: &[u32; LANES], rows: ContactColumns) -> ContactLanes<W::L> {
    // All columns are cut to the same length, so that one bounds check does for all.
    let (manifold, count) = (rows.manifold, rows.manifold.len());
    let (impulse, surface) = (&rows.impulse[..count], &rows.surface[..count]);
    let [n_x, n_y, x1, y1, s1, x2, y2, s2] = w.gather_eight(manifold, at);
    let [normal1, normal2, tangent1, tangent2, rolling, way_x, way_y, _] = w.gather_eight(impulse, at);
    let [rests, slides, restitution, rolls, tangent_speed, load1, load2, softness] =
        w.gather_eight(surface, at);
    // Normal forces act for the length of the sub-step, see `StoreParams::follows`. Friction acts
    // no longer than in the step before: with friction scaled up in the same way, heaps with
    // varying steps slept less often (12 of 60 moved for ever, instead of 1).
    let (h, carried) = (w.splat(rows.h), w.splat(rows.carried));
    let point = inlined(
        #[inline(always)]
        |[x, y, separation]: [W::L; 3], [normal, tangent, load]: [W::L; 3]| ContactPoint {
            x,
            y,
            separation,
            normal_impulse: h * normal,
            tangent_impulse: carried * tangent,
            load: h * load,
        },
    );
    let points =
        [point([x1, y1, s1], [normal1, tangent1, load1]), point([x2, y2, s2], [normal2, tangent2, load2])];
    let rolling = carried * rolling;
    let material = MaterialLanes { rests, slides, restitution, rolls, rolling, tangent_speed, softness };
    ContactLanes { normal: [n_x, n_y], a_to_b: [way_x, way_y], points, material }
}

/// Inverse masses of two bodies: the inverse effective mass along a direction is the sum of a
/// linear and an angular part.
struct Give<L> {
    mass_a: [L; 4],
    mass_b: [L; 4],
    /// Along a locked axis only rounding is left of the inverse masses: a value at or below this
    /// counts as 0.
    least: L,
}

impl<L: Lane> Give<L> {
    #[inline(always)]
    fn new<W: Width<L = L>>(w: W, mass_a: [L; 4], mass_b: [L; 4]) -> Give<L> {
        let all = mass_a[0].larger(mass_a[1]) + mass_b[0].larger(mass_b[1]);
        Give { mass_a, mass_b, least: all * w.splat(LEAST_GIVE) }
    }

    #[inline(always)]
    fn linear(&self, x: L, y: L) -> L {
        x * x * (self.mass_a[0] + self.mass_b[0]) + y * y * (self.mass_a[1] + self.mass_b[1])
    }

    #[inline(always)]
    fn angular(&self, arm_a: L, arm_b: L) -> L {
        self.mass_a[2] * arm_a * arm_a + self.mass_b[2] * arm_b * arm_b
    }

    /// The effective mass, from its inverse k; 0 where k counts as 0.
    #[inline(always)]
    fn effective_mass<W: Width<L = L>>(&self, w: W, k: L) -> L {
        L::select(self.least.lt(k), w.splat(1.0) / k, w.splat(0.0))
    }
}

/// Inverse masses of the bodies that impulses of the contact move; 0 for others.
#[inline(always)]
fn only_where<W: Width>(w: W, gives: u8, mass: [W::L; 4]) -> [W::L; 4] {
    let mut keeps = [0.0; LANES];
    for (lane, keeps) in keeps.iter_mut().enumerate() {
        *keeps = f32::from(gives >> lane & 1);
    }
    let keeps = w.read(&keeps);
    [mass[0] * keeps, mass[1] * keeps, mass[2] * keeps, mass[3]]
}

/// The part of `more` that is added to an arm, bounded by how much it slows the spin down; `gives`
/// is the change of spin per unit of arm in a step.
#[inline(always)]
fn brake<W: Width>(w: W, more: W::L, (gives, spin): (W::L, W::L)) -> W::L {
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    let (change, most) = (gives * more, w.splat(ContactTuning::MOST_BRAKED) * spin.abs());
    let is_too_much = if Rule::BrakeBound.is_on() { most.lt(change.abs()) } else { one.lt(zero) };
    Rule::BrakeBound.count_if(|| w.any(is_too_much));
    let share = W::L::select(is_too_much, most / W::L::select(is_too_much, change.abs(), one), one);
    W::L::select((change * spin).lt(zero), more * share, zero)
}

/// Material data of eight contacts.
struct MaterialLanes<L> {
    rests: L,
    slides: L,
    restitution: L,
    rolls: L,
    rolling: L,
    tangent_speed: L,
    softness: L,
}

/// Writes friction and the rare cases: columns that no pass reads, by the flags, are left as they
/// are.
#[inline(always)]
fn write_material<W: Width, const P: usize>(
    w: W,
    (block, cold): (&mut ContactBlock<P>, &mut ColdBlock),
    flags: &mut BlockFlags,
    of: &MaterialLanes<W::L>,
    is_blow: <W::L as Lane>::Mask,
) {
    let zero = w.splat(0.0);
    flags.rolls |= w.any(zero.lt(of.rolls));
    flags.slips |= w.any(of.slides.lt(of.rests));
    flags.drives |= w.any(!of.tangent_speed.is_same(zero));
    flags.yields |= w.any(zero.lt(of.softness));
    flags.bounces |= w.any(zero.lt(of.restitution) | is_blow);
    Rule::Landings.count_if(|| w.any(is_blow));
    count_rounds(w, flags, of.restitution);
    w.write(&mut block.static_friction, of.rests);
    if w.is_one() || flags.bounces || flags.slips || flags.drives {
        w.write(&mut cold.kinetic_friction, of.slides);
        w.write(&mut cold.tangent_speed, of.tangent_speed);
        w.write(&mut cold.restitution, of.restitution);
    }
    if w.is_one() || flags.rolls {
        w.write(&mut cold.rolling_resistance, of.rolls);
        w.write(&mut cold.rolling_impulse, of.rolling);
    }
    if w.is_one() || flags.yields {
        w.write(&mut cold.softness, of.softness);
    }
}

/// Sets the rounds of impacts from the greatest restitution.
#[inline(always)]
fn count_rounds<W: Width>(w: W, flags: &mut BlockFlags, restitution: W::L) {
    while flags.rounds < BOUNCE_ROUNDS
        && w.any(w.splat((flags.rounds - LANDING_ROUNDS) as f32).lt(restitution * w.splat(MORE_ROUNDS)))
    {
        flags.rounds += 1;
    }
}

/// Writes the part of a block that every pass reads, besides its points.
#[inline(always)]
fn write_bodies<W: Width, const P: usize>(
    w: W,
    (block, cold): (&mut ContactBlock<P>, &mut ColdBlock),
    flags: &mut BlockFlags,
    normal: [W::L; 2],
    [mass_a, mass_b]: [[W::L; 4]; 2],
) {
    w.write(&mut block.normal[0], normal[0]);
    w.write(&mut block.normal[1], normal[1]);
    w.write(&mut block.inv_mass_a, mass_a[0]);
    w.write(&mut block.inv_mass_b, mass_b[0]);
    w.write(&mut block.inv_inertia_a, mass_a[2]);
    w.write(&mut block.inv_inertia_b, mass_b[2]);
    flags.locks |= w.any(!(mass_a[0].is_same(mass_a[1]) & mass_b[0].is_same(mass_b[1])));
    if w.is_one() || flags.locks {
        w.write(&mut cold.inv_mass_y[0], mass_a[1]);
        w.write(&mut cold.inv_mass_y[1], mass_b[1]);
    }
}
