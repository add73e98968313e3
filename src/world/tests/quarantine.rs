//! NaN injected in the middle of a step, by means that no user has: the source is frozen, and all
//! others go on.

use glam::Vec2;

use super::super::World;
use super::wide_vs_scalar::jointed;
use crate::body::{BodyId, BodyKind, flag};
use crate::event::Freeze;

const DT: f32 = 1.0 / 60.0;

/// Bodies of a small scene.
const FEW: usize = 30;

/// Stage of a step at which NaN is injected.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    /// Before blocks are filled from contacts and joints.
    Before,
    /// Before the sub-steps.
    Between,
    /// After them.
    After,
}

/// The stages of [`World::step`], with something done between two of them.
fn step_poisoned(world: &mut World, moment: Moment, poison: impl FnOnce(&mut World)) {
    let mut poison = Some(poison);
    let mut at = |world: &mut World, here: Moment| {
        if here == moment {
            poison.take().into_iter().for_each(|poison| poison(world));
        }
    };
    let team = &world.crew.begin(world.bodies.awake.len() >= 200);
    let params = world.begin(team, DT);
    world.find_pairs(team);
    world.collide(team, DT);
    at(world, Moment::Before);
    world.prepare(team, &params);
    at(world, Moment::Between);
    world.sub_steps(team, &params);
    at(world, Moment::After);
    world.finish(team, &params);
    world.ccd(team, 1.0 / 60.0, Some(&params.joint));
    world.hold_lines();
    world.note_ways();
    world.report();
    world.sleep();
    world.freeze();
    world.finish_events();
}

/// A heap of all kinds, with joints of all kinds, that has come down.
fn scene(count: usize) -> World {
    let mut world = jointed(count, 3);
    for _ in 0..60 {
        world.step(DT).expect("a step");
    }
    world
}

#[cfg(feature = "parallel")]
fn use_threads(world: &mut World, threads: usize) {
    world.set_threads(threads);
}

#[cfg(not(feature = "parallel"))]
fn use_threads(_: &mut World, _: usize) {}

fn numbers(world: &World, id: BodyId) -> [u32; 9] {
    let body = &world[id];
    let (c, r, v) = (body.center_point(), body.rotation, body.linear_velocity);
    let [x, y, cos, sin] = [c.local.x, c.local.y, r.cos, r.sin].map(f32::to_bits);
    let [vx, vy, w] = [v.x, v.y, body.angular_velocity].map(f32::to_bits);
    [c.region.x as u32, c.region.y as u32, x, y, cos, sin, vx, vy, w]
}

/// The dynamic body with most contacts, and a jointed one.
fn victims(world: &World) -> Vec<BodyId> {
    let awake = |&(_, body): &(BodyId, &crate::body::Body)| body.is_awake() && body.has(flag::DYNAMIC);
    let ids = || world.bodies().filter(awake).map(|(id, _)| id);
    let touched = ids().max_by_key(|id| world.contacts.edges().of(id.index() as u32).count());
    let held = ids().max_by_key(|id| world.joints_of(*id).count());
    touched.into_iter().chain(held).collect()
}

/// After a poisoned step: every invariant, every number; which body froze, and that no other does
/// in the steps after it.
fn expect_sound(mut world: World, what: &str) -> Vec<Freeze> {
    let frozen = world.events().frozen().to_vec();
    world.validate().unwrap_or_else(|rule| panic!("{what}: {rule}"));
    for number in 0..if cfg!(debug_assertions) { 10 } else { 200 } {
        world.step(DT).expect("a step");
        world.validate().unwrap_or_else(|rule| panic!("{what}: step {number}: {rule}"));
        assert_eq!(world.events().frozen(), [], "{what}: step {number}");
    }
    for Freeze { body, kind } in &frozen {
        assert_eq!((world[*body].kind(), *kind), (BodyKind::Fixed, BodyKind::Dynamic), "{what}");
    }
    frozen
}

/// Changes a body's row to NaN.
type Spoil = fn(&mut crate::body::Body);

/// A body with NaN of its own is found among all bodies that it spread to: it alone freezes, where
/// it was.
#[test]
fn who_spoils_others_freezes_alone() {
    let spoils: [(&str, Spoil); 5] = [
        ("mass", |body| body.inv_mass = Vec2::INFINITY),
        ("inertia", |body| body.inv_inertia = f32::NAN),
        ("force", |body| body.force = Vec2::new(f32::NAN, 0.0)),
        ("gravity", |body| body.gravity_scale = f32::NAN),
        ("damping", |body| body.angular_damping = f32::NAN),
    ];
    let good = scene(FEW);
    for victim in victims(&good) {
        for (what, spoil) in spoils {
            let mut world = good.clone();
            spoil(&mut world.bodies.rows[victim.index()]);
            // Position of its origin: a fixed body has no other centre.
            let place = good[victim].world_position();
            world.step(DT).expect("a step");
            assert!(place.to(world[victim].world_position()).length() < 1.0e-5, "{what}");
            let frozen = expect_sound(world, what);
            assert_eq!(frozen, [Freeze { body: victim, kind: BodyKind::Dynamic }], "{what}");
        }
    }
}

/// Bodies without a valid position freeze, in the order of their ids; all others have the same bits
/// as without them.
#[test]
fn who_goes_nowhere_freezes_and_nobody_else_notices() {
    let mut start = scene(FEW);
    // Joined bodies are cut short together: partners of a frozen body would be cut short elsewhere.
    start.def.continuous = false;
    let mut good = start.clone();
    good.step(DT).expect("a step");
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0e13, f32::MAX] {
        let (mut world, mut victims) = (start.clone(), victims(&start));
        step_poisoned(&mut world, Moment::After, |world| {
            for (k, id) in victims.iter().enumerate() {
                let row = world.bodies.solver_rows[id.index()] as usize;
                world.columns.moved[row][k % 3] = bad;
            }
        });
        victims.sort_unstable();
        let expected: Vec<Freeze> =
            victims.iter().map(|&body| Freeze { body, kind: BodyKind::Dynamic }).collect();
        assert_eq!(world.events().frozen(), expected, "{bad}");
        for (id, _) in good.bodies().filter(|(id, _)| !victims.contains(id)) {
            assert_eq!(numbers(&world, id), numbers(&good, id), "{bad}: {id}");
        }
        expect_sound(world, "moved");
    }
}

/// Without anything being poisoned, the stages above are a step.
#[test]
fn the_stages_of_this_test_are_those_of_a_step() {
    let mut good = scene(FEW);
    let mut world = good.clone();
    for _ in 0..10 {
        good.step(DT).expect("a step");
        step_poisoned(&mut world, Moment::After, |_| {});
    }
    assert!(good.bodies().all(|(id, _)| numbers(&world, id) == numbers(&good, id)));
    assert!(world.events().frozen().is_empty());
}

/// A velocity in the columns, an impulse of a contact: every body that is spoilt by it stays
/// finite, one at most freezes, and a heap beside it does not notice. The same with any number of
/// threads.
#[test]
fn spoilt_columns_and_impulses_are_survived() {
    type Poison = fn(&mut World, BodyId);
    let poisons: [(&str, Moment, Poison); 4] = [
        ("velocity", Moment::Between, |world, id| {
            let row = world.bodies.solver_rows[id.index()] as usize;
            world.columns.velocity[row][0] = f32::NAN;
        }),
        ("spin", Moment::Between, |world, id| {
            let row = world.bodies.solver_rows[id.index()] as usize;
            world.columns.velocity[row][2] = f32::INFINITY;
        }),
        ("push", Moment::Between, |world, id| {
            let row = world.bodies.solver_rows[id.index()] as usize;
            world.columns.moved[row][1] = f32::NAN;
        }),
        ("impulse", Moment::Before, |world, id| {
            let contacts: Vec<u32> = world.contacts.edges().of(id.index() as u32).collect();
            for contact in contacts {
                world.contacts.impulse[contact as usize].normal[0] = f32::NAN;
            }
        }),
    ];
    let threads: &[usize] = if cfg!(feature = "parallel") { &[1, 4] } else { &[1] };
    // Enough for others to be called, where there are any.
    let start = scene(if cfg!(feature = "parallel") { 240 } else { FEW });
    for (what, moment, poison) in poisons {
        let mut outcomes = Vec::new();
        for &threads in threads {
            let mut world = start.clone();
            use_threads(&mut world, threads);
            let victim = victims(&world)[0];
            let before: Vec<_> = world.bodies().map(|(id, _)| (id, numbers(&world, id))).collect();
            step_poisoned(&mut world, moment, |world| poison(world, victim));
            let stayed = before.iter().filter(|(id, row)| numbers(&world, *id) == *row).count();
            assert!(stayed > 0, "{what}: somebody missed the step");
            let bits: Vec<_> = before.iter().map(|&(id, _)| numbers(&world, id)).collect();
            let frozen = expect_sound(world, what);
            assert_eq!(frozen.len(), 1, "{what}");
            outcomes.push((frozen, bits));
        }
        assert!(outcomes.windows(2).all(|pair| pair[0] == pair[1]), "{what}: threads differ");
    }
}
