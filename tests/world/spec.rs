//! Actions, observations, variations and ends of a batch as data: each has the effect of a call of
//! a world, and wrong items are refused by their field.

mod refused;

use carom::prelude::*;
use carom::{Action, Batch, End, Error, Observation, Spec, SpecError, Variation};
use testkit::random::Random;
use testkit::worlds::{DT, add, earth, ground, valid};

/// A lander on two legs with servos, beside a wheel with a motor and a slide, over a pad that is a
/// sensor.
struct Lander {
    world: World,
    ground: BodyId,
    pad: BodyId,
    rock: BodyId,
    hull: BodyId,
    legs: [BodyId; 2],
    knees: [JointId; 2],
    wheel: BodyId,
    axle: JointId,
    slide: JointId,
}

fn lander() -> Lander {
    let mut world = earth();
    let ground = ground(&mut world);
    let rect = |at: [f32; 2], size: [f32; 2]| BodyDef::dynamic().at(at).shape(Shape::rect(size[0], size[1]));
    let sensor = ShapeDef::from(Shape::rect(4.0, 1.0)).sensor();
    let pad = add(&mut world, BodyDef::fixed().at([0.0, 0.5]).shape(sensor));
    let rock = add(&mut world, BodyDef::fixed().at([6.0, 0.5]).shape(Shape::circle(1.0)));
    let hull = add(&mut world, rect([0.5, 3.0], [1.6, 0.8]).angle(0.1).velocity([0.3, 0.0]));
    let join = |world: &mut World, def: JointDef| world.add_joint(def).expect("it breaks no rule");
    let muscle = Spring::new(6.0, 0.8);
    let sides = [-0.7_f32, 0.7];
    let legs = sides.map(|x| add(&mut world, rect([0.5 + x, 2.2], [0.2, 0.9])));
    let knee = |leg: BodyId, x: f32| JointDef::revolute(hull, leg).at([0.5 + x, 2.6]).servo(0.0, muscle);
    let knees = [0, 1].map(|k| join(&mut world, knee(legs[k], sides[k])));
    let wheel = add(&mut world, BodyDef::dynamic().at([-6.0, 4.0]).shape(Shape::circle(0.4)));
    let axle = join(&mut world, JointDef::revolute(None, wheel).at([-6.0, 4.0]).motor(1.0, 50.0));
    let sledge = add(&mut world, rect([-9.0, 4.0], [1.0, 0.5]));
    let slide =
        join(&mut world, JointDef::prismatic(None, sledge, [1.0, 0.0]).motor(0.5, 80.0).limits(-2.0, 2.0));
    Lander { world, ground, pad, rock, hull, legs, knees, wheel, axle, slide }
}

/// A batch of one world, by data.
fn one(world: &World, spec: &Spec) -> Batch {
    Batch::new(world, 1).expect("one").spec(spec).expect("the spec fits")
}

fn name(id: impl core::fmt::Display, what: &str) -> String {
    format!("{id}.{what}")
}

type Call = Box<dyn Fn(&mut World, f32) -> Result<(), Error>>;

/// Each action beside the calls that do the same.
fn actions(it: &Lander) -> Vec<(Action, Call)> {
    let (hull, leg, wheel, axle, slide, knee) =
        (it.hull, it.legs[0], it.wheel, it.axle, it.slide, it.knees[1]);
    let along = move |world: &World, axis: Vec2| world[hull].rotation() * axis;
    vec![
        (
            Action::force(hull, [2.0, 1.0]),
            Box::new(move |world, x| world.apply_force(hull, x * vec2(2.0, 1.0))),
        ),
        (
            Action::force(hull, [0.0, 1.0]).in_body_frame().range(0.0, 0.5).scale(40.0).offset(1.0),
            Box::new(move |world, x| {
                let force = (1.0 + 40.0 * x.clamp(0.0, 0.5)) * along(world, Vec2::Y);
                world.apply_force(hull, force)
            }),
        ),
        (
            Action::force(leg, [1.0, 0.0]).at([0.05, -0.4]).scale(3.0),
            Box::new(move |world, x| {
                let point = world[leg].to_world([0.05, -0.4]);
                world.apply_force_at(leg, 3.0 * x * Vec2::X, point)
            }),
        ),
        (
            Action::impulse(hull, [0.0, 1.0]).scale(0.1),
            Box::new(move |world, x| world.apply_impulse(hull, 0.1 * x * Vec2::Y)),
        ),
        (
            Action::impulse(hull, [1.0, 0.0]).in_body_frame().at([0.0, 0.4]).scale(0.2),
            Box::new(move |world, x| {
                let (impulse, point) = (0.2 * x * along(world, Vec2::X), world[hull].to_world([0.0, 0.4]));
                world.apply_impulse_at(hull, impulse, point)
            }),
        ),
        (Action::torque(wheel).scale(-2.0), Box::new(move |world, x| world.apply_torque(wheel, -2.0 * x))),
        (
            Action::motor_speed(axle).scale(5.0),
            Box::new(move |world, x| world.set_motor(axle, Motor::new(5.0 * x, 50.0))),
        ),
        (
            Action::motor_speed(slide).scale(0.5),
            Box::new(move |world, x| world.set_motor(slide, Motor::new(0.5 * x, 80.0))),
        ),
        (
            Action::motor_effort(axle, 3.0).scale(20.0),
            Box::new(move |world, x| world.set_motor(axle, Motor::new(3.0 * x.signum(), 20.0 * x.abs()))),
        ),
        (
            Action::servo_target(knee).range(-1.0, 1.0).scale(0.4).offset(0.1),
            Box::new(move |world, x| world.set_target(knee, 0.1 + 0.4 * x.clamp(-1.0, 1.0))),
        ),
    ]
}

/// Every action alone, and all of them at once: the bits of the calls that they stand for, and
/// other bits than without them.
#[test]
fn actions_by_data_are_the_calls_of_a_world() {
    let it = lander();
    let count = actions(&it).len();
    for chosen in (0..count).map(|k| k..k + 1).chain(std::iter::once(0..count)) {
        let spec = actions(&it)[chosen.clone()]
            .iter()
            .fold(Spec::new(), |spec, (action, _)| spec.action(action.clone()));
        let mut batch = one(&it.world, &spec);
        let (mut alone, mut idle) = (it.world.clone(), it.world.clone());
        let mut random = Random::new(chosen.start as u64 + 1);
        for step in 0..60 {
            for (column, (_, call)) in actions(&it)[chosen.clone()].iter().enumerate() {
                let number = random.range(-2.0_f32, 2.0);
                batch.action_mut(column)[0] = number;
                call(&mut alone, number).expect("nothing is refused");
            }
            alone.step(DT).expect("dt is in range");
            idle.step(DT).expect("dt is in range");
            batch.step(DT).expect("nothing is refused");
            assert_eq!(batch.world(0).map(World::hash), Some(alone.hash()), "{chosen:?}, step {step}");
        }
        assert_ne!(alone.hash(), idle.hash(), "{chosen:?} does something");
        valid(&alone);
    }
}

type Read = Box<dyn Fn(&World) -> Vec<f32>>;

/// Each observation beside calls that read a world.
fn observations(it: &Lander) -> Vec<(Observation, Read)> {
    let (hull, leg, pad, ground, rock) = (it.hull, it.legs[0], it.pad, it.ground, it.rock);
    let (knee, slide) = (it.knees[0], it.slide);
    let state = |world: &World, joint: JointId| world.joint_state(joint).expect("it is there");
    let solid = move |world: &World, with: Option<BodyId>| -> Vec<f32> {
        let all = world.contacts_of_body(leg).filter(|contact| match with {
            Some(with) => contact.touch.body_a == with || contact.touch.body_b == with,
            None => !contact.sensor,
        });
        all.map(|contact| contact.impulse).collect()
    };
    let touches = |touching: bool| vec![f32::from(u8::from(touching))];
    let fraction = move |world: &World, from: WorldPoint, end: Vec2| {
        let hit = world.ray(WorldRay::new(from, end), &QueryFilter::default().without(hull));
        hit.map_or(1.0, |hit| hit.fraction)
    };
    vec![
        (Observation::position(hull), Box::new(move |world| world[hull].position().to_array().to_vec())),
        (Observation::position(hull).only_y(), Box::new(move |world| vec![world[hull].position().y])),
        (
            Observation::angle(hull).scale(2.0).offset(1.0),
            Box::new(move |world| vec![1.0 + 2.0 * world[hull].angle()]),
        ),
        (
            Observation::sine_and_cosine(hull),
            Box::new(move |world| vec![world[hull].rotation().sin, world[hull].rotation().cos]),
        ),
        (Observation::velocity(leg), Box::new(move |world| world[leg].velocity().to_array().to_vec())),
        (Observation::velocity(leg).only_x(), Box::new(move |world| vec![world[leg].velocity().x])),
        (Observation::spin(leg), Box::new(move |world| vec![world[leg].angular_velocity()])),
        (Observation::joint_angle(knee), Box::new(move |world| vec![state(world, knee).angle])),
        (Observation::joint_spin(knee), Box::new(move |world| vec![state(world, knee).angular_speed])),
        (Observation::joint_length(slide), Box::new(move |world| vec![state(world, slide).length])),
        (Observation::joint_speed(slide), Box::new(move |world| vec![state(world, slide).speed])),
        (Observation::joint_force(knee), Box::new(move |world| state(world, knee).force.to_array().to_vec())),
        (Observation::joint_force(slide).only_y(), Box::new(move |world| vec![state(world, slide).force.y])),
        (Observation::joint_torque(knee), Box::new(move |world| vec![state(world, knee).torque])),
        (Observation::touches(leg), Box::new(move |world| touches(!solid(world, None).is_empty()))),
        (
            Observation::touches(leg).with_body(pad),
            Box::new(move |world| touches(!solid(world, Some(pad)).is_empty())),
        ),
        (
            Observation::touches(leg).with_body(rock),
            Box::new(move |world| touches(!solid(world, Some(rock)).is_empty())),
        ),
        (
            Observation::contact_impulse(leg),
            Box::new(move |world| vec![0.0 + solid(world, None).iter().sum::<f32>()]),
        ),
        (
            Observation::contact_impulse(leg).with_body(ground),
            Box::new(move |world| vec![0.0 + solid(world, Some(ground)).iter().sum::<f32>()]),
        ),
        (Observation::contact_count(leg), Box::new(move |world| vec![solid(world, None).len() as f32])),
        (
            Observation::rays(hull, 6, 9.0),
            Box::new(move |world| {
                let turn = |k: usize| Rot::from_angle(core::f32::consts::TAU / 6.0 * k as f32).x_axis();
                let end = |k: usize| world[hull].rotation() * (9.0 * turn(k));
                (0..6).map(|k| fraction(world, world[hull].world_position(), end(k))).collect()
            }),
        ),
        (
            Observation::rays(hull, 3, 4.0).fan(-2.0, -1.0).in_world_frame().at([0.2, 0.1]),
            Box::new(move |world| {
                let end = |k: usize| 4.0 * Rot::from_angle(-2.0 + 0.5 * k as f32).x_axis();
                (0..3).map(|k| fraction(world, world[hull].to_world([0.2, 0.1]), end(k))).collect()
            }),
        ),
        (
            Observation::rays(hull, 1, 4.0).fan(-1.5, 9.0).mask(0),
            Box::new(move |_| vec![1.0]), // no category is found
        ),
        (
            Observation::nearest_distance(hull, 2.0),
            Box::new(move |world| {
                let filter = QueryFilter::default().without(hull);
                let nearest = world.nearest(world[hull].world_position(), 2.0, &filter);
                vec![nearest.map_or(2.0, |nearest| nearest.distance)]
            }),
        ),
        (Observation::nearest_distance(it.wheel, 1.0).mask(0), Box::new(move |_| vec![1.0])),
    ]
}

/// Every observation, in a world that falls and lands: the numbers that the world tells, to the
/// bit. All but a few change over time.
#[test]
fn observations_by_data_are_what_a_world_tells() {
    let it = lander();
    let all = observations(&it);
    let spec = all.iter().fold(Spec::new(), |spec, (observation, _)| spec.observation(observation.clone()));
    let mut batch = one(&it.world, &spec);
    let names = spec.observation_names();
    let mut seen: Vec<Vec<u32>> = vec![Vec::new(); names.len()];
    let mut alone = it.world.clone();
    for step in 0..150 {
        let told: Vec<f32> = all.iter().flat_map(|(_, read)| read(&alone)).collect();
        assert_eq!(told.len(), names.len());
        for (column, told) in told.iter().enumerate() {
            let shown = batch.observation(column)[0];
            assert_eq!(shown.to_bits(), told.to_bits(), "{} in step {step}: {shown}, {told}", names[column]);
            seen[column].push(shown.to_bits());
        }
        alone.step(DT).expect("dt is in range");
        batch.step(DT).expect("nothing is refused");
    }
    let still: Vec<&String> = names
        .iter()
        .zip(&seen)
        .filter(|(_, seen)| seen.iter().all(|bits| *bits == seen[0]))
        .map(|(name, _)| name)
        .collect();
    let expected = [
        name(it.legs[0], &format!("touches.{}", it.rock)),
        // Rays that go up, and rays that see no category.
        name(it.hull, "rays.0"),
        name(it.hull, "rays.1"),
        name(it.hull, "rays.2"),
        name(it.hull, "rays.0"),
        name(it.wheel, "nearest_distance"),
    ];
    assert_eq!(still.iter().map(|name| name.as_str()).collect::<Vec<_>>(), expected, "the others change");
}

/// Seen from another body: against sums in double precision.
#[test]
fn relative_observations_are_in_the_frame_of_the_other_body() {
    let it = lander();
    let (hull, leg) = (it.hull, it.legs[1]);
    let spec = Spec::new()
        .observation(Observation::position(leg).relative_to(hull))
        .observation(Observation::angle(leg).relative_to(hull))
        .observation(Observation::sine_and_cosine(leg).relative_to(hull))
        .observation(Observation::velocity(leg).relative_to(hull))
        .observation(Observation::spin(leg).relative_to(hull));
    let mut batch = one(&it.world, &spec);
    let mut random = Random::new(5);
    for _ in 0..200 {
        let world = batch.world_mut(0).expect("the only one");
        for body in [hull, leg] {
            world.teleport(body, random.vec2(9.0), random.angle()).expect("a place");
            world.set_velocity(body, random.vec2(9.0)).expect("a velocity");
            world.set_angular_velocity(body, random.range(-3.0_f32, 3.0)).expect("a spin");
        }
        batch.observe(0);
        let world = batch.world(0).expect("the only one");
        let (a, b) = (&world[hull], &world[leg]);
        let (sin, cos) = f64::from(a.angle()).sin_cos();
        let turn = |v: Vec2| {
            let [x, y] = v.to_array().map(f64::from);
            [cos * x + sin * y, cos * y - sin * x]
        };
        let arm = b.world_center().position() - a.world_center().position();
        let [x, y] = turn(b.position() - a.position());
        let [vx, vy] = turn(b.velocity() - a.velocity() - a.angular_velocity() * vec2(-arm.y, arm.x));
        let angle = f64::from(b.angle()) - f64::from(a.angle());
        let spin = f64::from(b.angular_velocity()) - f64::from(a.angular_velocity());
        let wanted = [x, y, angle, angle.sin(), angle.cos(), vx, vy, spin];
        for (column, wanted) in wanted.into_iter().enumerate() {
            let mut off = f64::from(batch.observation(column)[0]) - wanted;
            if column == 2 {
                off -= core::f64::consts::TAU * (off / core::f64::consts::TAU).round();
            }
            assert!(off.abs() < 1.0e-4, "column {column}: off by {off}");
        }
    }
}

/// If a body or joint is gone, columns are 0, actions are passed over, and no end is reached.
#[test]
fn what_is_gone_is_passed_over() {
    let it = lander();
    let spec = Spec::new()
        .action(Action::force(it.wheel, [1.0, 0.0]))
        .action(Action::torque(it.wheel))
        .action(Action::impulse(it.wheel, [1.0, 0.0]).at([0.1, 0.0]))
        .action(Action::motor_speed(it.axle))
        .action(Action::servo_target(it.knees[0]))
        .observation(Observation::position(it.wheel).offset(1.0))
        .observation(Observation::position(it.hull).relative_to(it.wheel))
        .observation(Observation::joint_angle(it.axle).offset(1.0))
        .observation(Observation::touches(it.hull).with_body(it.wheel))
        .observation(Observation::rays(it.wheel, 2, 1.0))
        .observation(Observation::nearest_distance(it.wheel, 1.0))
        .end(End::outside(it.wheel, [8.0, 8.0], [9.0, 9.0]))
        .end(End::asleep(it.wheel));
    let mut batch = one(&it.world, &spec);
    batch.step(DT).expect("nothing is refused");
    assert_eq!(batch.ended(), [0]);
    let world = batch.world_mut(0).expect("the only one");
    world.remove(it.wheel).expect("it is there");
    world.remove_joint(it.knees[0]).expect("it is there");
    batch.columns().0.fill(3.0);
    batch.step(DT).expect("nothing is refused");
    assert!(batch.observation_row(0).iter().all(|&number| number == 0.0), "{:?}", batch.observation_row(0));
    assert_eq!(batch.ended(), [Batch::RUNS]);
}

/// The least and the greatest of some numbers.
fn span(numbers: impl Iterator<Item = f32>) -> [f32; 2] {
    numbers.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], x| {
        [if x < low { x } else { low }, if x > high { x } else { high }]
    })
}

/// The least and the greatest value of a varied quantity, in 400 worlds after a reset.
fn varied(world: &World, variation: Variation, read: impl Fn(&World) -> f32) -> [f32; 2] {
    let spec = Spec::new().variation(variation);
    let mut batch = Batch::new(world, 400).expect("not too many").seed(3).spec(&spec).expect("it fits");
    batch.reset_all().expect("nothing is refused");
    (0..400).filter_map(|k| batch.world(k)).for_each(valid);
    span((0..400).filter_map(|k| batch.world(k)).map(read))
}

/// Whether 400 draws fill a range: they stay in it, and come within a twentieth of both ends.
#[track_caller]
fn fills([low, high]: [f32; 2], [least, most]: [f32; 2]) {
    let near = 0.05 * (high - low);
    assert!(least >= low - 1.0e-4 && most <= high + 1.0e-4, "{least} to {most} in {low} to {high}");
    assert!(least <= low + near && most >= high - near, "{least} to {most} of {low} to {high}");
}

/// Every variation fills its range: set, added, multiplied.
#[test]
fn variations_fill_their_ranges() {
    let Lander { world, hull, wheel, axle, knees, legs, .. } = lander();
    let of =
        |variation, read: fn(&World, BodyId) -> f32| varied(&world, variation, |world| read(world, hull));
    let shape = |world: &World, body: BodyId| world.shapes_of(body).next().map(|(id, _)| id).expect("one");
    let boxed = ([-3.0, 5.0], [-1.0, 6.0]);
    fills([-3.0, -1.0], of(Variation::position(hull, boxed.0, boxed.1), |w, b| w[b].position().x));
    fills([5.0, 6.0], of(Variation::position(hull, boxed.0, boxed.1), |w, b| w[b].position().y));
    fills([-2.5, -0.5], of(Variation::position(hull, boxed.0, boxed.1).added(), |w, b| w[b].position().x));
    fills([-1.0, 2.0], of(Variation::angle(hull, -1.0, 2.0), |w, b| w[b].angle()));
    fills([0.0, 0.2], of(Variation::angle(hull, -0.1, 0.1).added(), |w, b| w[b].angle()));
    fills([-4.0, 4.0], of(Variation::velocity(hull, [-4.0, 0.0], [4.0, 0.0]), |w, b| w[b].velocity().x));
    fills(
        [0.3, 0.6],
        of(Variation::velocity(hull, [1.0; 2], [2.0; 2]).multiplied(), |w, b| w[b].velocity().x),
    );
    fills([-2.0, -1.0], of(Variation::spin(hull, -2.0, -1.0), |w, b| w[b].angular_velocity()));
    fills([0.5, 2.0], of(Variation::gravity_scale(hull, 0.5, 2.0), |w, b| w[b].gravity_scale()));
    fills([2.0, 3.0], of(Variation::mass(hull, 2.0, 3.0), |w, b| w[b].mass()));
    let ratio = world[hull].inertia() / world[hull].mass();
    fills([ratio; 2], of(Variation::mass(hull, 2.0, 3.0), |w, b| w[b].inertia() / w[b].mass()));
    fills([0.64, 2.56], of(Variation::mass(hull, 0.5, 2.0).multiplied(), |w, b| w[b].mass()));
    fills([6.4, 7.68], of(Variation::density(hull, 5.0, 6.0), |w, b| w[b].mass()));
    fills([2.56, 3.84], of(Variation::density(hull, 1.0, 2.0).added(), |w, b| w[b].mass()));
    let material = |variation, read: fn(&Material) -> f32| {
        varied(&world, variation, move |world| read(world[shape(world, hull)].material()))
    };
    fills([0.1, 1.2], material(Variation::friction(hull, 0.1, 1.2), |m| m.static_friction));
    fills([0.3, 0.6], material(Variation::friction(hull, 0.5, 1.0).multiplied(), |m| m.kinetic_friction));
    fills([0.2, 0.9], material(Variation::restitution(hull, 0.2, 0.9), |m| m.restitution));
    let down = Variation::gravity([0.0, -12.0], [0.0, -8.0]);
    fills([-12.0, -8.0], varied(&world, down, |world| world.def().gravity.y));
    let speed =
        |world: &World| world.get_joint(axle).and_then(|joint| joint.def().drive.motor).expect("one").speed;
    fills([2.0, 5.0], varied(&world, Variation::motor_speed(axle, 1.0, 4.0).added(), speed));
    let target = |world: &World| {
        world.get_joint(knees[0]).and_then(|joint| joint.def().drive.servo).expect("one").target
    };
    fills([-0.5, 0.5], varied(&world, Variation::servo_target(knees[0], -0.5, 0.5), target));
    // The same number for another body.
    let both = Variation::spin(hull, -1.0, 1.0).also(wheel);
    let apart = |world: &World| world[hull].angular_velocity() - world[wheel].angular_velocity();
    assert_eq!(varied(&world, both, apart), [0.0; 2]);
    // Legs move with the hull, and turn about its origin with it.
    let [start, leg] = [&world[hull], &world[legs[0]]];
    let hold = start.to_local(leg.world_position());
    let group = |variation: Variation| variation.also(legs[0]).also(legs[1]);
    for variation in [
        group(Variation::position(hull, [-9.0, 4.0], [9.0, 8.0])),
        group(Variation::angle(hull, -3.0, 3.0)),
        group(Variation::angle(hull, -3.0, 3.0).about([0.4, 1.0])),
    ] {
        let off = |world: &World| (world[hull].to_local(world[legs[0]].world_position()) - hold).length();
        assert!(varied(&world, variation, off)[1] < 1.0e-5);
    }
    // The point about which a body turns stays.
    let pivot = start.to_world([0.4, 1.0]).position();
    let off = |world: &World| (world[hull].to_world([0.4, 1.0]).position() - pivot).length();
    assert!(varied(&world, Variation::angle(hull, -3.0, 3.0).about([0.4, 1.0]), off)[1] < 1.0e-5);
}

/// A variation that a world refuses is told by the reset, and the other worlds begin.
#[test]
fn a_draw_that_a_world_refuses_is_told() {
    let it = lander();
    let spec = Spec::new().variation(Variation::restitution(it.hull, 0.5, 1.5).added());
    let mut batch = Batch::new(&it.world, 20).expect("twenty").spec(&spec).expect("it fits");
    assert!(matches!(batch.reset_all(), Err(Error::Material(_))));
}

/// Each end is reached in the step in which its condition first holds, and not before.
#[test]
fn ends_are_reached_when_their_condition_holds() {
    let it = lander();
    let (hull, leg, wheel, ground, pad, rock) = (it.hull, it.legs[0], it.wheel, it.ground, it.pad, it.rock);
    type Holds = Box<dyn Fn(&World) -> bool>;
    let touches = move |world: &World, wanted: &dyn Fn(&carom::Contact, BodyId) -> bool| {
        world.contacts_of_body(leg).any(|contact| {
            let touch = contact.touch;
            wanted(&contact, if touch.body_a == leg { touch.body_b } else { touch.body_a })
        })
    };
    let ends: Vec<(End, Holds)> = vec![
        (
            End::outside(hull, [-9.0, 2.0], [9.0, f32::INFINITY]),
            Box::new(move |world| world[hull].position().y < 2.0),
        ),
        (End::angle_beyond(wheel, 2.0), Box::new(move |world| world[wheel].angle().abs() > 2.0)),
        (
            End::angle_beyond(leg, 0.05).relative_to(hull),
            Box::new(move |world| {
                (world[hull].rotation().inverse() * world[leg].rotation()).angle().abs() > 0.05
            }),
        ),
        (End::touches(leg), Box::new(move |world| touches(world, &|contact, _| !contact.sensor))),
        (End::touches(leg).with_body(pad), Box::new(move |world| touches(world, &|_, other| other == pad))),
        (
            End::touches(leg).except(rock),
            Box::new(move |world| touches(world, &|contact, other| !contact.sensor && other != rock)),
        ),
        (End::touches(leg).except(ground), Box::new(|_| false)),
        (End::touches(leg).with_body(rock), Box::new(|_| false)),
    ];
    for (number, (end, holds)) in ends.into_iter().enumerate() {
        let spec = Spec::new().end(End::asleep(it.wheel)).end(end).step_limit(200);
        let mut batch = one(&it.world, &spec);
        let mut reached = false;
        for step in 0..200 {
            assert_eq!(batch.ended(), [Batch::RUNS], "end {number}, step {step}");
            batch.step(DT).expect("nothing is refused");
            reached = holds(batch.world(0).expect("the only one"));
            if reached {
                break;
            }
        }
        assert_eq!(reached, number != 6 && number != 7, "end {number}");
        assert_eq!(batch.ended(), [if reached { 1 } else { Batch::STEP_LIMIT }], "end {number}");
        assert_eq!(
            (batch.terminated(), batch.truncated()),
            (&[reached][..], &[!reached][..]),
            "end {number}"
        );
    }
}

/// A box that comes to rest ends its episode when it falls asleep.
#[test]
fn sleep_ends_an_episode() {
    let mut world = World::default();
    ground(&mut world);
    let crate_ = add(&mut world, BodyDef::dynamic().at([0.0, 0.6]).shape(Shape::rect(1.0, 1.0)));
    let mut batch = one(&world, &Spec::new().end(End::asleep(crate_)));
    let mut steps = 0;
    while batch.ended() == [Batch::RUNS] && steps < 300 {
        assert!(batch.world(0).is_some_and(|world| world[crate_].is_awake()), "step {steps}");
        batch.step(DT).expect("nothing is refused");
        steps += 1;
    }
    assert!((10..300).contains(&steps), "{steps}");
    assert!(batch.world(0).is_some_and(|world| !world[crate_].is_awake()));
}

/// Actions that change nothing let bodies fall asleep, and other actions wake them.
#[test]
fn idle_actions_wake_nothing() {
    let mut world = World::default();
    ground(&mut world);
    let crate_ = add(&mut world, BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(1.0, 1.0)));
    let wheel = add(&mut world, BodyDef::dynamic().at([5.0, 0.5]).shape(Shape::circle(0.5)));
    let motor = JointDef::revolute(None, wheel).at([5.0, 0.5]).motor(0.0, 9.0);
    let motor = world.add_joint(motor).expect("it breaks no rule");
    let arm = add(&mut world, BodyDef::dynamic().at([9.0, 0.5]).shape(Shape::rect(1.0, 0.2)));
    let servo = JointDef::revolute(None, arm).at([9.0, 0.5]).servo(0.0, Spring::new(5.0, 1.0));
    let servo = world.add_joint(servo).expect("it breaks no rule");
    let spec = Spec::new()
        .action(Action::force(crate_, [1.0, 0.0]).at([0.0, 0.1]))
        .action(Action::impulse(crate_, [1.0, 0.0]))
        .action(Action::torque(crate_))
        .action(Action::motor_speed(motor))
        .action(Action::servo_target(servo));
    let mut batch = one(&world, &spec);
    for (column, body) in [crate_, crate_, crate_, wheel, arm].into_iter().enumerate() {
        let sleeps = |batch: &Batch| batch.world(0).is_some_and(|world| !world[body].is_awake());
        let mut steps = 0;
        while !sleeps(&batch) && steps < 400 {
            batch.step(DT).expect("nothing is refused");
            steps += 1;
        }
        assert!(sleeps(&batch), "column {column}");
        batch.action_mut(column)[0] = 0.01;
        batch.step(DT).expect("nothing is refused");
        assert!(!sleeps(&batch), "column {column}");
        batch.action_mut(column)[0] = 0.0;
    }
}

/// Names, counts and ranges of columns, as another language needs them; and a spec is plain data.
#[test]
fn columns_have_names_and_ranges() {
    fn is_data<T: Clone + Send + Sync + 'static>(_: &T) {}
    let it = lander();
    let (hull, knee) = (it.hull, it.knees[0]);
    let spec = Spec::new()
        .action(Action::force(hull, [0.0, 1.0]).range(0.0, 1.0).name("main engine"))
        .action(Action::servo_target(knee))
        .observation(Observation::position(hull).relative_to(it.pad))
        .observation(Observation::velocity(hull).only_y())
        .observation(Observation::sine_and_cosine(hull).name("lean"))
        .observation(Observation::joint_force(knee).only_x().name("load"))
        .observation(Observation::rays(hull, 2, 1.0))
        .end(End::touches(hull).name("crash"))
        .end(End::outside(hull, [-1.0; 2], [1.0; 2]));
    is_data(&spec);
    assert_eq!(spec.clone(), spec);
    let expected = ["main engine".to_owned(), name(knee, "servo_target")];
    assert_eq!(spec.action_names(), expected);
    assert_eq!(spec.action_ranges(), [[0.0, 1.0], [f32::NEG_INFINITY, f32::INFINITY]]);
    let beside = format!("position.{}", it.pad);
    let expected = [
        name(hull, &format!("{beside}.x")),
        name(hull, &format!("{beside}.y")),
        name(hull, "velocity.y"),
        "lean.sine".to_owned(),
        "lean.cosine".to_owned(),
        "load".to_owned(),
        name(hull, "rays.0"),
        name(hull, "rays.1"),
    ];
    assert_eq!(spec.observation_names(), expected);
    assert_eq!(spec.end_names(), ["crash".to_owned(), name(hull, "outside")]);
    let error: SpecError = spec.check(&World::default()).expect_err("an empty world");
    assert_eq!(error.to_string(), "action 0 of the spec, `body`: the body is not in the start world");
}
