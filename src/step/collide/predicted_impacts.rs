//! Speculative contacts of fast pairs, at their time of impact within the step.
//!
//! In: contacts whose parts are apart and come together faster than the gap. Out: the manifold of
//! the moment they will touch, given to the solver from the start of the step; or nothing, if they
//! pass each other by.
//!
//! The nearest features of two parts that are far apart are not the features that will meet. So the
//! pair is cast along its displacement of this step, and the manifold taken at the time of impact.
//! Its separation is moved back to the start of the step along the same line that the solver will
//! follow, s(0) = s(τ) - J Δ(τ). From there it is a contact like any other: the bodies reach each
//! other at τ, exchange impulses, bounce and rub, and keep the rest of the step. This holds for
//! every pair, two bullets included.
//!
//! Kinds with a kernel are cast eight at a time (`wide/toi.rs`): this includes forces and locked
//! axes, and pairs meet at a distance of half a millimetre, less if they are small. Pairs that take
//! too many rounds, hooks, one-way parts, and bodies in two regions are cast one by one, by
//! velocity and gravity.
//!
//! This is the first half of continuous collision: nothing has moved yet. An impact after another
//! impact of the same step cannot be predicted; the second half, `ccd/`, handles it at the end of
//! the step.

use glam::Vec2;

use super::wide;
use super::write::{FoundContact, ManifoldSink};
use super::{CollideScratch, KERNELS, PairReader, ahead, relative};
use crate::ablate::Rule;
use crate::body::Body;
use crate::broadphase::Pair;
use crate::contact::{Test, flag};
use crate::math::{Motion, Transform, cross};
use crate::narrowphase::{cast_pieces, collide_lines, collide_smoothly, is_on_side};
use crate::shape::{ChainSegment, Piece};
use crate::threads::Team;
use crate::world::World;

/// Pairs per chunk, a multiple of the lanes: eight take about a microsecond.
const IMPACT_GRAIN: usize = 64;

/// Pairs per chunk where pairs are cast one by one, in a microsecond each.
const IMPACT_GRAIN_ALONE: usize = 16;

/// Displacement of a body in this step if nothing stops it.
struct Way {
    linear: Vec2,
    angular: f32,
}

impl Way {
    fn of(body: &Body, gravity: Vec2, dt: f32) -> Way {
        let moves = body.is_awake();
        if !moves {
            return Way { linear: Vec2::ZERO, angular: 0.0 };
        }
        let feels = |inv_mass: f32, g: f32| if inv_mass > 0.0 { g * body.gravity_scale } else { 0.0 };
        let pull = Vec2::new(feels(body.inv_mass.x, gravity.x), feels(body.inv_mass.y, gravity.y));
        Way {
            linear: body.linear_velocity * dt + pull * (0.5 * dt * dt),
            angular: body.angular_velocity * dt,
        }
    }

    /// The motion of the body's frame, whose origin may lie beside the centre of mass.
    ///
    /// An off-centre frame moves round the centre of mass, which moves straight: parts are given
    /// relative to the centre of mass instead, so that a motion is a straight line plus a rotation
    /// about the origin.
    fn motion(&self, start: Transform) -> Motion {
        Motion { start, translation: self.linear, turn: self.angular }
    }
}

impl World {
    /// Replaces the manifold of each fast contact by the manifold at its impact in this step, if it
    /// has one.
    pub(super) fn predict_impacts(&mut self, team: &Team, scratch: &mut CollideScratch, dt: f32) {
        let CollideScratch { fast, tests, .. } = &mut *scratch;
        if fast.is_empty() {
            return;
        }
        tests.iter_mut().for_each(Vec::clear);
        for &contact in &*fast {
            let link = &self.contacts.link[contact as usize];
            let in_lanes = link.flags & (flag::ONE_WAY | flag::HOOKED | flag::ONE_REGION) == flag::ONE_REGION;
            tests[if in_lanes { link.test } else { Test::Any } as usize].push(contact);
        }
        self.foresee_in_lanes(team, scratch, dt);
        self.foresee_alone(team, scratch, dt);
    }

    /// Casts all kinds that have a kernel; pairs that a kernel rejects are cast alone.
    fn foresee_in_lanes(&mut self, team: &Team, scratch: &mut CollideScratch, dt: f32) {
        let level = self.solver.level();
        let margins = self.tuning.margins;
        let (columns, contacts) = self.for_kernels(dt);
        let CollideScratch { tests: [tests @ .., alone, _], chunks, .. } = &mut *scratch;
        for (test, kind, _) in KERNELS {
            team.for_list(&tests[test as usize], IMPACT_GRAIN, chunks, |some, output| {
                wide::foresee(
                    level,
                    kind,
                    some,
                    &columns,
                    &mut ManifoldSink { contacts, output, continuous: false, margins: &margins },
                );
            });
            for output in &mut *chunks {
                alone.append(&mut output.left);
            }
        }
        self.take_chunks(scratch);
    }

    /// Casts all others one by one.
    fn foresee_alone(&mut self, team: &Team, scratch: &mut CollideScratch, dt: f32) {
        let pairs = PairReader::new(
            &self.bodies.rows,
            &self.shapes.colliders,
            &self.shapes.proxies,
            (true, self.def.period(), &self.tuning.margins),
        );
        let (contacts, margins) = (self.contacts.share(), &self.tuning.margins);
        let gravity = self.def.gravity;
        let CollideScratch { tests, chunks, .. } = &mut *scratch;
        team.for_list(&tests[Test::Any as usize], IMPACT_GRAIN_ALONE, chunks, |some, output| {
            for &contact in some {
                let found = pairs.foresee(contacts.pair[contact as usize], gravity, dt);
                ManifoldSink { contacts, output, continuous: false, margins }
                    .put_foreseen(contact, found.as_ref());
            }
        });
        self.take_chunks(scratch);
    }
}

impl PairReader<'_> {
    /// The manifold of the impact of a pair in this step, if there is one; for a segment of a chain
    /// that is met from the side, the manifold once the other part is over it.
    fn foresee(&self, pair: Pair, gravity: Vec2, dt: f32) -> Option<FoundContact> {
        self.impact(pair, gravity, dt).or_else(|| self.slides_onto(pair, dt))
    }

    fn slides_onto(&self, pair: Pair, dt: f32) -> Option<FoundContact> {
        let [part_a, part_b] = [pair.a, pair.b].map(|part| &self.proxies.rows[part as usize]);
        let (a, b) = (&self.bodies[part_a.body as usize], &self.bodies[part_b.body as usize]);
        let between = self.between(a, b);
        let seen = Transform { position: -(a.rotation * a.local_center), rotation: a.rotation };
        let b_in_a = relative(a, b, between);
        let goes = (b.linear_velocity - a.linear_velocity) * dt;
        ahead((self.piece(part_a), seen), (self.piece(part_b), b_in_a), (between, goes), self.margins)
    }

    fn impact(&self, pair: Pair, gravity: Vec2, dt: f32) -> Option<FoundContact> {
        let (part_a, part_b) = (&self.proxies.rows[pair.a as usize], &self.proxies.rows[pair.b as usize]);
        let (a, b) = (&self.bodies[part_a.body as usize], &self.bodies[part_b.body as usize]);
        let between = self.between(a, b);
        let (way_a, way_b) = (Way::of(a, gravity, dt), Way::of(b, gravity, dt));
        let (own_a, own_b) =
            (self.piece(part_a).shifted(-a.local_center), self.piece(part_b).shifted(-b.local_center));
        let (piece_a, piece_b) = (own_a.piece(), own_b.piece());
        let start_a = Transform { position: Vec2::ZERO, rotation: a.rotation };
        let start_b = Transform { position: between, rotation: b.rotation };
        let (motion_a, motion_b) = (way_a.motion(start_a), way_b.motion(start_b));
        let hit = cast_pieces(piece_a, motion_a, piece_b, motion_b)?;
        let (at_a, at_b) = (motion_a.at(hit.time), motion_b.at(hit.time));
        let b_in_a = at_a.relative(at_b);
        let near = self.margins.near_gap;
        let of_lines = collide_lines(piece_a, piece_b, b_in_a, (near, self.margins));
        let manifold = of_lines.unwrap_or_else(|| collide_smoothly(piece_a, piece_b, b_in_a, near))?;
        let seen = manifold.transformed(Transform { position: Vec2::ZERO, rotation: at_a.rotation });
        let mut found = FoundContact::new(&seen, at_b.position - at_a.position);
        let n = seen.normal;
        for (k, point) in seen.points().iter().enumerate() {
            let (arm_a, arm_b) = (cross(point.point, n), cross(point.point - found.way, n));
            let closed = n.dot(way_b.linear - way_a.linear) + (arm_b * way_b.angular - arm_a * way_a.angular);
            found.row.points[k].separation = point.separation - closed * hit.time;
        }
        let nearest = seen.points().iter().min_by(|p, q| p.separation.total_cmp(&q.separation))?;
        let point = nearest.point + at_a.position;
        let is_real = match (piece_a, piece_b) {
            (Piece::ChainSegment(segment), _) => {
                comes_from_its_side((segment, motion_a), (&piece_b, motion_b), (n, point), hit.time)
            }
            (_, Piece::ChainSegment(segment)) => {
                comes_from_its_side((segment, motion_b), (&piece_a, motion_a), (-n, point), hit.time)
            }
            _ => true,
        };
        (!Rule::ImpactSide.acts(!is_real)).then_some(found)
    }
}

/// Whether a part that meets a segment of a chain comes from the side to which the segment pushes.
///
/// Each segment is cast alone, so the path may lead through the next one first, and reach this one
/// from behind. (The corner of a plank that came down on a level chain met the end of the next
/// segment from below: the plank left with three times its energy.)
fn comes_from_its_side(
    (segment, motion): (&ChainSegment, Motion),
    (other, motion_of_other): (&Piece, Motion),
    (normal, point): (Vec2, Vec2),
    time: f32,
) -> bool {
    let (at, at_of_other) = (motion.at(time), motion_of_other.at(time));
    let normal = at.rotation.inverse_rotate(normal);
    // The point that hits, and the middle: one of the two alone may be in line with the segment.
    [at_of_other.inverse().apply(point), other.middle()].into_iter().all(|point| {
        let start = motion_of_other.start.apply(point);
        is_on_side(segment, normal, motion.start.inverse().apply(start))
    })
}

#[cfg(test)]
mod tests {
    //! Predicted impacts happen; pairs that bounds reject before they are cast do not meet.

    use super::*;
    use crate::math::min;
    use crate::tuning::NEAR_GAP;
    use crate::util::Random;
    use crate::{BodyDef, Shape, WorldDef, cast, distance};

    /// A shape of any kind, or two of them on either side of their common centre.
    fn shape(random: &mut Random) -> Shape {
        let size = random.between(0.1, 0.6);
        let one = match random.between(0.0, 5.0) as u32 {
            0 => Shape::circle(size),
            1 => Shape::capsule([-size, 0.0], [size, 0.0], 0.5 * size),
            2 => Shape::regular(6, size),
            3 => Shape::segment([0.0, -size], [0.0, size]),
            _ => Shape::rect(size, random.between(0.1, 2.0)),
        };
        if random.between(0.0, 3.0) < 2.0 {
            return one;
        }
        let arm = random.between(0.2, 1.0);
        Shape::compound([one.clone().at([arm, 0.0]), one.at([-arm, 0.0])])
    }

    #[test]
    fn who_meets_within_the_step_is_foreseen() {
        let (dt, mut random, mut met, mut covered) = (1.0 / 60.0, Random(5), 0, 0);
        let rounds = if cfg!(debug_assertions) { 4_000 } else { 60_000 };
        for round in 0..rounds {
            let mut world = World::new(WorldDef { gravity: Vec2::ZERO, ..WorldDef::default() });
            let beside = Vec2::new(random.between(-1.4, 1.4), random.between(-1.4, 1.4));
            let mut add = |at: Vec2, way: f32, is_held: bool| {
                let shape = shape(&mut random);
                let angle = random.between(-3.0, 3.0);
                let way = Vec2::new(random.between(-way, way), random.between(-way, way));
                // Faster rotation bends off the motion that `closes` predicts by more than
                // `NEAR_GAP`: that is left to CCD.
                let turn = random.between(-0.06, 0.06);
                let body = if is_held { BodyDef::kinematic() } else { BodyDef::dynamic() };
                let body = body.at(at).angle(angle).velocity(way / dt).spin(turn / dt);
                world.add(body.shape(shape.clone())).expect("a body");
                (shape, Motion::straight(Transform::new(at, angle), way).turning(turn))
            };
            let (a, motion_a) = add(Vec2::ZERO, 0.08, round % 4 == 3);
            let (b, motion_b) = add(beside, 1.0, false);
            let apart = distance(&a, motion_a.start, &b, motion_b.start).separation;
            let hit = cast(&a, motion_a, &b, motion_b);
            world.step(dt).expect("dt is in range");
            if apart < 2.0 * NEAR_GAP || hit.is_none_or(|hit| hit.time > 0.9) {
                continue;
            }
            met += 1;
            let contacts: Vec<u32> = world.contacts.active.iter().collect();
            let foreseen = contacts.iter().any(|&contact| world.contacts.has(contact, flag::PREDICTED));
            // A part of a fixed compound may be covered by the other one (`tile_ghosts.rs`).
            let is_covered = round % 4 == 3 && a.piece_count() > 1;
            assert!(foreseen || is_covered, "round {round}: {hit:?} at {apart} m, {a:?}, {b:?}");
            covered += usize::from(!foreseen);
        }
        assert!(covered * 5_000 <= rounds, "{covered} of {rounds} were covered");
        assert!(20 * met > rounds, "{met} of {rounds}");
    }

    /// Times at which pairs are looked at.
    const TIMES: u32 = 64;

    /// In lanes or alone, predicted impacts happen, and no others do: checked at many times of the
    /// step.
    #[test]
    fn what_is_foreseen_comes_about() {
        let (dt, gravity, mut random) = (1.0 / 60.0, Vec2::new(0.0, -10.0), Random(11));
        let rounds = if cfg!(debug_assertions) { 3_000 } else { 60_000 };
        let [mut met, mut passed, mut grazed, mut turned_away, mut unlike, mut covered] = [0; 6];
        for round in 0..rounds {
            let mut world = World::new(WorldDef { gravity, ..WorldDef::default() });
            let beside = Vec2::new(random.between(-1.4, 1.4), random.between(-1.4, 1.4));
            let most_turn = [0.0, 0.05, 0.4, 1.5][round / 4 % 4];
            let mut add = |at: Vec2, way: f32, is_held: bool| {
                let (shape, angle) = (shape(&mut random), random.between(-3.0, 3.0));
                let way = Vec2::new(random.between(-way, way), random.between(-way, way));
                let turn = random.between(-most_turn, most_turn);
                let body = if is_held { BodyDef::kinematic() } else { BodyDef::dynamic() };
                let body = body.at(at).angle(angle).velocity(way / dt).spin(turn / dt);
                world.add(body.shape(shape.clone())).expect("a body");
                (shape, Transform::new(at, angle))
            };
            let (a, start_a) = add(Vec2::ZERO, 0.08, round % 4 == 3);
            let (b, start_b) = add(beside, 1.0, false);
            let motion =
                |body: usize, start: Transform| Way::of(&world.bodies.rows[body], gravity, dt).motion(start);
            let (motion_a, motion_b) = (motion(0, start_a), motion(1, start_b));
            let gap_at = |time: f32| distance(&a, motion_a.at(time), &b, motion_b.at(time)).separation;
            if gap_at(0.0) < 2.0 * NEAR_GAP {
                continue;
            }
            let least =
                (0..=TIMES).fold(f32::INFINITY, |least, k| min(least, gap_at(k as f32 / TIMES as f32)));
            let team = &world.crew.begin(false);
            world.begin(team, dt);
            world.find_pairs(team);
            world.collide(team, dt);
            let contacts: Vec<u32> = world.contacts.active.iter().collect();
            let foreseen = contacts.iter().find(|&&contact| world.contacts.has(contact, flag::PREDICTED));
            // Between two of the times they may come nearer than at either of them.
            let between = (motion_b.translation - motion_a.translation).length() / TIMES as f32;
            let Some(&contact) = foreseen else {
                passed += 1;
                // Motions that bend off the line that `closes` predicts are left to CCD, as in the
                // other test.
                let bend = most_turn * (TIMES as f32 * between + most_turn);
                let is_simple = a.piece_count() == 1 && b.piece_count() == 1;
                let was_cast =
                    is_simple && contacts.iter().any(|contact| world.scratch.collide.fast.contains(contact));
                let room = if was_cast { 1.0e-4 } else { NEAR_GAP + bend };
                turned_away += usize::from(was_cast);
                let is_covered = round % 4 == 3 && a.piece_count() > 1;
                covered += usize::from(least <= -room);
                assert!(
                    least > -room || is_covered,
                    "round {round}: {least} m, {a:?} {motion_a:?} {b:?} {motion_b:?}"
                );
                grazed += usize::from(least < -NEAR_GAP);
                continue;
            };
            met += 1;
            assert!(
                least < NEAR_GAP + between,
                "round {round}: {least} m, {a:?} {motion_a:?} {b:?} {motion_b:?}"
            );
            let pairs = PairReader::new(
                &world.bodies.rows,
                &world.shapes.colliders,
                &world.shapes.proxies,
                (true, world.def.period(), &world.tuning.margins),
            );
            let alone = pairs.foresee(world.contacts.pair[contact as usize], gravity, dt);
            let row = world.contacts.manifold[contact as usize];
            let nearest = row.separation(world.contacts.link[contact as usize].count);
            let is_like = alone.is_some_and(|alone| {
                row.normal.dot(alone.row.normal) > 0.999 && (nearest - alone.separation()).abs() < NEAR_GAP
            });
            unlike += usize::from(!is_like);
        }
        assert!(covered * 5_000 <= rounds, "{covered} of {rounds} were covered");
        assert!(
            50 * grazed < passed && 50 * unlike < met,
            "{grazed} of {passed} grazed, {unlike} of {met} unlike"
        );
        assert!(
            20 * met > rounds && 100 * turned_away > rounds,
            "{met} met and {turned_away} did not, of {rounds}"
        );
    }
}
