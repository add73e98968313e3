//! Joints at the edges: two things in one step, on the ground that everything stands on, for hours,
//! from one end of the world to the other, in no time.

use carom::prelude::*;
use carom::{Anchor, IVec2, Locks, Mass};

use super::{G, bob, change, join, rod, state, worst};
use testkit::rounds;
use testkit::worlds::{add, bits, box_on, check_range, earth, ground, run, space, step, step_by, valid};

/// What a door, a rope and a filter on the ground do to the others: nothing. A ball bounces, a
/// stack stands and a bullet of 200 m/s hits a thin wall, to the bit as where they are fixed to the
/// world itself; at any height. (A body with one contact point rocked differently on the ground.)
#[test]
fn a_joint_on_the_ground_leaves_its_contacts_alone() {
    let others = |jointed: bool, height: f32| {
        let mut world = earth();
        let floor = add(&mut world, BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(100.0, 2.0)));
        let thin = add(&mut world, BodyDef::fixed().at([20.0, 1.0]).shape(Shape::rect(0.02, 2.0)));
        let door = bob(&mut world, [-30.0, 5.0], 1.0);
        let base = |body: BodyId| jointed.then_some(body);
        join(&mut world, JointDef::revolute(base(floor), door).at([-30.0, 5.0]));
        join(&mut world, JointDef::rope(base(thin), door, 90.0));
        let elastic = BodyDef::dynamic().at([0.0, 3.0]).shape(Shape::circle(0.3));
        let mut watched = vec![add(&mut world, elastic.material(Material::elastic()))];
        watched.extend((0..5).map(|k| box_on(&mut world, k as f32, 5.0, [1.0, 1.0])));
        let bullet = BodyDef::dynamic().at([10.0, height]).velocity([200.0, 0.0]);
        watched.push(add(&mut world, bullet.shape(Shape::rect(0.4, 0.1))));
        if jointed {
            join(&mut world, JointDef::filter(floor, door));
            join(&mut world, JointDef::friction(None, watched[2], 0.0, 0.0));
        }
        for _ in 0..180 {
            step(&mut world);
        }
        let row =
            |id: &BodyId| (world[*id].transform(), world[*id].velocity(), world[*id].angular_velocity());
        watched.iter().map(row).collect::<Vec<_>>()
    };
    for height in [1.0, 1.003, 1.01, 1.02, 1.05, 1.1] {
        assert_eq!(others(true, height), others(false, height));
    }
}

/// Two hinges and the gear between them break in one step: each is gone once, the gear broken or
/// lost but not both, and places that joints take afterwards are their own.
#[test]
fn a_gear_breaks_with_its_hinges() {
    let mut world = space();
    let discs =
        [0.0, 3.0].map(|x| add(&mut world, BodyDef::dynamic().at([x, 0.0]).shape(Shape::circle(1.0))));
    let hinges = [0, 1].map(|k| {
        let hinge = JointDef::revolute(None, discs[k]).at([3.0 * k as f32, 0.0]);
        join(&mut world, hinge.breaks_at(1.0, 1.0))
    });
    let rope = join(&mut world, JointDef::rope(discs[0], discs[1], 50.0));
    let gear = join(&mut world, JointDef::gear(hinges[0], hinges[1], 1.0).breaks_at(1.0, 1.0));
    step(&mut world);
    for disc in discs {
        world.apply_impulse(disc, [50.0, 0.0]).expect("it is there");
        world.apply_angular_impulse(disc, 50.0).expect("it is there");
    }
    let mut told: Vec<JointId> = Vec::new();
    for _ in 0..3 {
        step(&mut world);
        told.extend(world.events().broken().iter().map(|event| event.joint));
        told.extend(world.events().lost().iter().map(|event| event.joint));
    }
    told.sort_unstable();
    assert_eq!(told, [hinges[0], hinges[1], gear], "each once");
    assert_eq!(world.joints().map(|(id, _)| id).collect::<Vec<_>>(), [rope]);
    for disc in discs {
        assert_eq!(world.joints_of(disc).count(), 1, "the rope is still in its list");
    }
    let mut ids: Vec<JointId> =
        (0..4).map(|_| join(&mut world, JointDef::weld(discs[0], discs[1]))).collect();
    ids.dedup_by_key(|id| id.index());
    assert_eq!((ids.len(), world.joint_count()), (4, 5), "a place of its own for each");
    valid(&world);
}

/// Crates that are added asleep while joints close gaps of 5 m and a slow wheel counts as resting:
/// no step panics, in any of 200.
#[test]
fn sleepers_come_while_joints_close() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let wheel = add(&mut world, BodyDef::dynamic().at([0.0, -20.0]).shape(Shape::circle(1.0)));
    join(&mut world, JointDef::revolute(None, wheel).at([0.0, -20.0]).motor(0.02, 100.0));
    run(&mut world, 40);
    for number in 0..200 {
        let x = 3.0 * number as f32;
        let crate_ = BodyDef::dynamic().at([x, -5.0]).shape(Shape::rect(1.0, 1.0));
        add(&mut world, BodyDef { awake: false, ..crate_ });
        let ball = bob(&mut world, [x, 8.0], 1.0);
        join(&mut world, JointDef::revolute(None, ball).between([x, 13.0], [x, 8.0]));
        step(&mut world);
    }
    assert!(world[wheel].is_awake());
    valid(&world);
}

/// A ball on a rope, a servo or a spring whose other end is told to sleep falls, and the sleeper
/// wakes and comes along; one that is joined to a body that was added asleep wakes it.
#[test]
fn a_sleeper_wakes_when_its_joint_pulls() {
    type Make = fn(BodyId, BodyId) -> JointDef;
    let spring = || Spring::new(2.0, 0.5);
    let kinds: [(&str, Make); 4] = [
        ("rope", |a, b| JointDef::rope(a, b, 1.5)),
        ("servo", |a, b| JointDef::prismatic(a, b, [1.0, 0.0]).soft(Spring::new(3.0, 1.0))),
        ("spring", |a, b| JointDef::distance(a, b).soft(Spring::new(2.0, 0.5))),
        ("arm", |a, b| JointDef::motor_to(a, b, Spring::new(2.0, 1.0))),
    ];
    for (name, make) in kinds {
        let mut world = World::default();
        let (a, b) = (bob(&mut world, [0.0, 0.0], 1.0), bob(&mut world, [1.0, 0.0], 1.0));
        join(&mut world, make(a, b).anchors([0.0, 0.0], [0.0, 0.0]));
        step(&mut world);
        world.put_to_sleep(a).expect("it is there");
        run(&mut world, 60);
        assert!(world[a].is_awake(), "{name}: it is pulled at");
        check_range(&format!("{name}: the one told to sleep has fallen, m"), world[a].position().y, ..=-1.0);
    }
    let mut world = World::default();
    let asleep = BodyDef { awake: false, ..BodyDef::dynamic().shape(Shape::circle(0.1)) };
    let sleeper = add(&mut world, asleep);
    join(&mut world, JointDef::distance(None, sleeper).soft(spring()).between([0.0, 1.0], [0.0, 0.0]));
    step(&mut world);
    assert!(world[sleeper].is_awake(), "its joint woke it");
}

/// A net of 10 × 10 knots of which one is told to sleep sleeps as a whole, or not at all.
#[test]
fn a_net_falls_asleep_as_one() {
    let mut world = World::default();
    let knots: Vec<BodyId> =
        (0..100).map(|k| bob(&mut world, [(k % 10) as f32, (k / 10) as f32], 1.0)).collect();
    for k in 0..100 {
        for (next, there) in [(k + 1, k % 10 < 9), (k + 10, k < 90)] {
            if there {
                join(&mut world, JointDef::distance(knots[k], knots[next]).anchors([0.0, 0.0], [0.0, 0.0]));
            }
        }
    }
    run(&mut world, 2);
    world.put_to_sleep(knots[37]).expect("it is there");
    step(&mut world);
    let awake = knots.iter().filter(|&&id| world[id].is_awake()).count();
    assert_eq!(awake, 0);
    valid(&world);
}

/// The zero of a geared hinge, the anchor of a geared slider and numbers of the gear that do not
/// matter to it are changed: nothing turns, and the gear says that it is where it was. Another
/// ratio starts from where the cogs stand.
#[test]
fn a_change_of_a_geared_joint_turns_nothing() {
    let mut world = space();
    let disc = add(&mut world, BodyDef::dynamic().shape(Shape::circle(1.0)));
    let rack = add(&mut world, BodyDef::dynamic().at([3.0, 0.0]).shape(Shape::rect(0.5, 8.0)));
    let hinge = join(&mut world, JointDef::revolute(None, disc).at([0.0, 0.0]));
    let guide = join(&mut world, JointDef::prismatic(None, rack, [0.0, 1.0]).at([3.0, 0.0]));
    let gear = join(&mut world, JointDef::gear(hinge, guide, 2.0));
    run(&mut world, 3);
    change(&mut world, hinge, |def| *def = def.angle(1.0));
    change(&mut world, guide, |def| def.anchor_b = Anchor::Local(vec2(0.0, 2.0)));
    change(&mut world, gear, |def| def.user_data = 4);
    change(&mut world, gear, |def| def.break_torque = 1.0e6);
    check_range("gap after the changes", state(&world, gear).gap, ..=1.0e-6);
    run(&mut world, 60);
    check_range("turned, rad", world[disc].angle().abs(), ..=1.0e-4);
    check_range("moved, m", world[rack].position().y.abs(), ..=1.0e-4);
    // Pulled apart, it remembers where it was when something is changed.
    world.teleport(rack, [3.0, 0.5], 0.0).expect("it is there");
    change(&mut world, gear, |def| def.user_data = 5);
    change(&mut world, hinge, |def| def.user_data = 5);
    check_range("gap of a rack that was moved", state(&world, gear).gap, 0.999..=1.001);
    change(&mut world, gear, |def| *def = def.ratio(3.0));
    check_range("gap with another ratio", state(&world, gear).gap, ..=1.0e-6);
}

/// Two cogs turn at 20 rad/s for an hour, one driven by the hand of a clockwork, with a ratio of
/// 3.7: what the one has turned and what the other has differ by less than 1e-3 rad, and the angle
/// read back is the one that was turned.
#[test]
fn a_gear_runs_for_an_hour() {
    let mut world = space();
    let driver = add(&mut world, BodyDef::kinematic().spin(20.0).shape(Shape::circle(1.0)));
    let disc = add(&mut world, BodyDef::dynamic().at([3.0, 0.0]).shape(Shape::circle(1.0)));
    let one = join(&mut world, JointDef::revolute(None, driver).at([0.0, 0.0]));
    let two = join(&mut world, JointDef::revolute(None, disc).at([3.0, 0.0]).motor(0.0, 1.0));
    let gear = join(&mut world, JointDef::gear(one, two, 3.7));
    let steps = rounds(700, 216_000);
    let mut off = 0.0;
    for number in 0..steps {
        world.step(1.0 / 60.0).expect("dt is in range");
        if number > 600 && number % 60 == 0 {
            off = worst([off, f64::from(state(&world, gear).gap)]);
            let spin = f64::from(world[disc].angular_velocity()) * 3.7;
            assert!((spin + 20.0).abs() < 0.02, "{spin} rad/s after {number} steps");
        }
    }
    check_range("gear off, rad", off, ..=1.0e-3);
    let turned = f64::from(state(&world, one).angle) / (20.0 * steps as f64 / 60.0);
    check_range("turned, of speed × time", turned, 0.99999..=1.00001);
}

/// A rope of which the ends are three thousand million regions apart: nothing panics, and it does
/// not pull the wrong way.
#[test]
fn a_rope_spans_the_world() {
    let mut world = space();
    let at = |x: i32| WorldPoint::new(IVec2::new(x, 0), vec2(0.0, 0.0));
    let ball = add(&mut world, BodyDef::dynamic().at(at(-1_500_000_000)).shape(Shape::circle(0.1)));
    join(&mut world, JointDef::rope(None, ball, 1.0).between(at(1_500_000_000), at(-1_500_000_000)));
    run(&mut world, 10);
    check_range("speed towards the other end, m/s", world[ball].velocity().x, 0.0..);
}

/// A cog whose hinge is on another body goes on to be geared when it is made fixed: the gear then
/// turns that body. The two cogs sleep and wake together.
#[test]
fn a_geared_body_is_made_fixed() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let [outer, inner, cog] =
        [0.0, 0.0, 5.0].map(|x| add(&mut world, BodyDef::dynamic().at([x, 0.0]).shape(Shape::circle(1.0))));
    let one = join(&mut world, JointDef::revolute(outer, inner).at([0.0, 0.0]));
    let two = join(&mut world, JointDef::revolute(None, cog).at([5.0, 0.0]));
    let gear = join(&mut world, JointDef::gear(one, two, 1.0));
    run(&mut world, 5);
    world.set_kind(inner, BodyKind::Fixed).expect("it is there");
    assert_eq!(world[gear].def().body_a, Some(outer), "it moves what gives way");
    run(&mut world, 120);
    assert!(!world[outer].is_awake() && !world[cog].is_awake());
    world.set_angular_velocity(outer, 2.0).expect("it is there");
    run(&mut world, 30);
    // The angle of the fixed one against the outer one goes back: so does the other cog, by the
    // gear forth.
    check_range("spin of the cog, rad/s", world[cog].angular_velocity(), 0.9..=1.1);
    world.set_kind(inner, BodyKind::Dynamic).expect("it is there");
    assert_eq!(world[gear].def().body_a, Some(inner));
    valid(&world);
}

/// A step of no length changes nothing that is read back; one of 1e-40 s is one of no length.
#[test]
fn steps_of_no_length_keep_what_is_read_back() {
    let mut world = earth();
    let ball = bob(&mut world, [0.0, 0.0], 2.0);
    let hinge = join(&mut world, JointDef::revolute(None, ball).at([0.0, 0.0]).motor(1.0, 5.0));
    let other = bob(&mut world, [2.0, 0.0], 2.0);
    join(&mut world, JointDef::rope(ball, other, 1.0));
    run(&mut world, 5);
    for dt in [0.0, 1.0e-40, 1.0e-20, 1.0e-10] {
        for relaid in [false, true] {
            if relaid {
                world.wake_up(ball).expect("it is there");
                world.teleport(other, [2.0, 0.0], 0.0).expect("it is there");
            }
            let before = (bits(&world), state(&world, hinge));
            step_by(&mut world, dt);
            assert_eq!((bits(&world), state(&world, hinge)), before, "dt {dt}");
        }
    }
    let before = f64::from(state(&world, hinge).force.length());
    check_range("force, N", before, 1.0..);
    step(&mut world);
    assert!(world[other].velocity().is_finite());
}

/// A motor without strength, one whose partner is out of the world and one that has driven its lift
/// to the stop keep nobody awake.
#[test]
fn a_motor_that_moves_nothing_lets_sleep() {
    let mut world = World::default();
    ground(&mut world);
    let weak = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
    join(&mut world, JointDef::friction(None, weak, 1.0, 1.0));
    join(&mut world, JointDef::revolute(None, weak).motor(3.0, 0.0));
    let (left, out) = (box_on(&mut world, 0.0, 3.0, [1.0, 1.0]), box_on(&mut world, 0.0, 6.0, [1.0, 1.0]));
    join(&mut world, JointDef::revolute(left, out).motor(3.0, 10.0));
    world.set_enabled(out, false).expect("it is there");
    let lift = bob(&mut world, [10.0, 1.0], 1.0);
    let slider = JointDef::prismatic(None, lift, [0.0, 1.0]).limits(0.0, 0.5).motor(1.0, 100.0);
    let slider = join(&mut world, slider.at([10.0, 1.0]));
    run(&mut world, 240);
    for (name, id) in [("no strength", weak), ("no partner", left), ("at its stop", lift)] {
        assert!(!world[id].is_awake(), "{name}");
    }
    check_range("the lift is at, m", state(&world, slider).length, 0.499..=0.501);
    // Down again: it wakes.
    change(&mut world, slider, |def| *def = def.motor(-1.0, 100.0));
    run(&mut world, 60);
    check_range("and is at, m", state(&world, slider).length, -0.001..=0.001);
}

/// A pulley and a gear break at what either of their ends has to hold: the rope at the load of the
/// first, where the ratio makes that the greater one; the pinion of a rack at its torque, the rack
/// at its force.
#[test]
fn couplings_break_at_either_end() {
    for (share, breaks) in [(0.98, true), (1.02, false)] {
        for ratio in [0.5_f64, 2.0] {
            let mut world = earth();
            let (a, b) =
                (bob(&mut world, [-1.0, -9.0], 2.0), bob(&mut world, [1.0, -9.0], (2.0 * ratio) as f32));
            let pulley = JointDef::pulley(a, b, [-1.0, 0.0], [1.0, 0.0], ratio as f32);
            let strength = (2.0 * G * ratio.max(1.0) * share) as f32;
            let pulley = join(&mut world, pulley.breaks_at(strength, f32::INFINITY));
            run(&mut world, 60);
            let what = format!("pulley of ratio {ratio} that bears {share} of its load");
            assert_eq!(world.get_joint(pulley).is_none(), breaks, "{what}");
        }
        for (force, torque) in [(10.0 * share, f64::INFINITY), (f64::INFINITY, 20.0 * share)] {
            for turned in [false, true] {
                let mut world = space();
                let wheel = add(&mut world, BodyDef::dynamic().shape(Shape::circle(2.0)));
                let rack = bob(&mut world, [2.0, 0.0], 1.0);
                let pinion = join(&mut world, JointDef::revolute(None, wheel).motor(0.0, 1.0e6));
                let guide = join(&mut world, JointDef::prismatic(None, rack, [0.0, 1.0]).at([2.0, 0.0]));
                let gear = if turned {
                    JointDef::gear(guide, pinion, -2.0)
                } else {
                    JointDef::gear(pinion, guide, -0.5)
                };
                let gear = join(&mut world, gear.breaks_at(force as f32, torque as f32));
                for _ in 0..60 {
                    world.apply_force(rack, [0.0, 10.0]).expect("it is there");
                    step(&mut world);
                }
                let what = format!("{force} N, {torque} N m, turned {turned}");
                assert_eq!(world.get_joint(gear).is_none(), breaks, "{what}");
            }
        }
    }
}

/// 20,000 balls on a ground that each hangs on by a rope: adding and removing them, and the ground
/// in the end, takes time in proportion to their number; none of them touches the ground while its
/// rope forbids it, all do when that is gone.
#[test]
fn thousands_hang_on_one_ground() {
    let mut world = space();
    let count = rounds(500, 20_000);
    let width = 1.2 * count as f32;
    let floor = BodyDef::fixed().at([0.5 * width, -1.0]).shape(Shape::rect(2.0 * width, 2.0));
    let floor = add(&mut world, floor);
    let mut joints: Vec<JointId> = (0..count)
        .map(|k| {
            let ball = BodyDef::dynamic().at([1.2 * k as f32, 0.5]).shape(Shape::circle(0.5));
            let ball = add(&mut world, ball);
            join(&mut world, JointDef::rope(floor, ball, 5.0).at([1.2 * k as f32, 0.5]))
        })
        .collect();
    let run = |world: &mut World| world.step(1.0 / 60.0).expect("dt is in range").contacts;
    assert_eq!((run(&mut world), run(&mut world)), (0, 0));
    for joint in joints.drain(..count / 2) {
        world.remove_joint(joint).expect("it is there");
    }
    assert_eq!(run(&mut world), count / 2, "what was let go touches");
    valid(&world);
    world.remove(floor).expect("it is there");
    assert_eq!((world.joint_count(), run(&mut world)), (0, 0));
    assert_eq!(world.events().lost().len(), count - count / 2);
}

/// A mouse that moves in each frame, and a motor that gets another speed in each, do what they
/// would without other joints in the world: a change of numbers does not touch what others hold. It
/// does so at once, with the impulses there were.
#[test]
fn a_change_each_frame_leaves_other_joints_alone() {
    let scene = |changed: bool| {
        let mut world = earth();
        let chain: Vec<BodyId> = (0..5).map(|k| rod(&mut world, [k as f32 + 0.5, 5.0], 10.0)).collect();
        for k in 0..5_usize {
            let before = k.checked_sub(1).map(|k| chain[k]);
            join(&mut world, JointDef::revolute(before, chain[k]).at([k as f32, 5.0]));
        }
        let hand = bob(&mut world, [10.0, 0.0], 1.0);
        let base = add(&mut world, BodyDef::fixed().at([10.0, 0.0]));
        let slider = JointDef::prismatic(base, hand, [1.0, 0.0]).limits(-0.5, 0.5).motor(1.0, 50.0);
        let slider = join(&mut world, slider.at([10.0, 0.0]));
        for number in 0..120 {
            if changed {
                let off = if number % 2 == 0 { 1.0e-3 } else { 0.0 };
                change(&mut world, slider, |def| {
                    *def =
                        def.motor(2.0 + off, 50.0).limits(-0.5, 0.5 + off).servo(0.0, Spring::new(1.0, 1.0));
                    def.anchor_a = Anchor::Local(vec2(off, 0.0));
                });
            }
            step(&mut world);
        }
        let bits = |id: &BodyId| (world[*id].transform(), world[*id].velocity());
        (chain.iter().map(bits).collect::<Vec<_>>(), state(&world, slider).length)
    };
    let (still, moved) = (scene(false), scene(true));
    assert_eq!(still.0, moved.0);
    check_range("a slider driven into its limit, m", moved.1, 0.45..=0.503);
}

/// The angle that counts as none is an angle, and not the number of turns of a year.
#[test]
fn an_angle_of_a_thousand_turns_is_refused() {
    let mut world = space();
    let body = rod(&mut world, [0.0, 0.0], 1.0);
    let hinge = |angle: f32| JointDef::revolute(None, body).angle(angle);
    assert!(world.add_joint(hinge(1.0e5)).is_err() && world.add_joint(hinge(-1.0e9)).is_err());
    let id = join(&mut world, hinge(6_000.0));
    check_range("angle, rad", state(&world, id).angle.abs(), ..=3.15);
}

/// A slider without end to its strength drives a body that can only turn, by an anchor that is off
/// its centre by 1e-17 m, as the centre of a polygon may be: it does nothing, for nothing gives
/// way, and every number stays one.
#[test]
fn a_motor_with_a_lever_of_1e_17_m_moves_nothing() {
    let mut world = space();
    let body = add(&mut world, BodyDef::dynamic().shape(Shape::rect(1.0, 0.5)));
    let mass = Mass { mass: 1.0, center: vec2(1.0e-17, 2.0e-17), inertia: 0.1 };
    world.set_mass(body, Some(mass)).expect("it is a mass");
    world.set_locks(body, Locks { x: true, y: true, rotation: false }).expect("it is there");
    let slider = JointDef::prismatic(None, body, [0.8, 0.6]).anchors([3.0, -2.0], [0.0, 0.0]);
    let slider = join(&mut world, slider.motor(1.0, f32::INFINITY).servo(0.0, Spring::new(5.0, 1.0)));
    for _ in 0..60 {
        step(&mut world);
        world.validate().expect("all rules hold");
    }
    check_range("force, N", state(&world, slider).force.length(), ..=1.0e9);
    check_range("spin, rad/s", world[body].angular_velocity().abs(), ..=1.0e-3);
}
