//! Bodies that joints hold: a net with a joint of every kind, and a rain of dolls.

use carom::prelude::*;
use carom::{Drive, Error, Filter, Limits, Servo};

use super::{Scene, any_shape, room};
use crate::random::Random;

/// Nine by nine bodies that hang from their neighbours by joints of all kinds in turn, with wheels,
/// gears and pulleys beside them. What breaks is joined again, motors and servos turn about.
pub fn net() -> Result<Scene, Error> {
    let mut world = World::new(WorldDef::default().sleepless());
    room(&mut world, vec2(40.0, 30.0), Material::default())?;
    let mut random = Random::new(5);
    let mut knots: Vec<BodyId> = Vec::new();
    let mut joints = Vec::new();
    for k in 0..81_usize {
        let (x, y) = (k % 9, k / 9);
        let at = vec2(1.4 * x as f32 - 14.0, 24.0 - 1.4 * y as f32);
        let def = if y == 0 && x.is_multiple_of(2) { BodyDef::fixed() } else { BodyDef::dynamic() };
        let knot = world.add(def.at(at).shape(any_shape(&mut random, 0.7)))?;
        if x > 0 && k % 4 != 2 {
            joints.push(world.add_joint(tie(&mut random, k, [knots[k - 1], knot], vec2(0.7, 0.0)))?);
        }
        if y > 0 {
            joints.push(world.add_joint(tie(&mut random, k + 5, [knots[k - 9], knot], vec2(0.0, -0.7)))?);
        }
        knots.push(knot);
    }
    clockwork(&mut world, &mut joints)?;
    cars(&mut world)?;
    Ok(Scene::new(world, move |world, frame| {
        for broken in world.events().broken().to_vec() {
            let (Some(a), b) = (broken.body_a, broken.body_b) else { continue };
            let again = JointDef::revolute(a, b).breaks_at(400.0, 200.0).user_data(1);
            joints.push(world.add_joint(again)?);
        }
        joints.retain(|&joint| world.get_joint(joint).is_some());
        match frame % 97 {
            10 => turn_about(world, random.one(&joints), &mut random),
            30 => world.apply_impulse(random.one(&knots), random.square(30.0)),
            // A knot of the net falls out with all that held it, every now and then.
            50 if frame > 1_000 && joints.len() > 100 => world.remove_joint(random.one(&joints)),
            70 => world.set_velocity(random.one(&knots[10..]), random.square(12.0)),
            _ => Ok(()),
        }
    }))
}

/// The joint of a number between two neighbours, one kind after the other, held `half` way between
/// them.
fn tie(random: &mut Random, k: usize, [a, b]: [BodyId; 2], half: Vec2) -> JointDef {
    let spring = Spring::new(random.range(1.0, 8.0), random.range(0.1, 1.0));
    let def = match k % 12 {
        0 | 6 => JointDef::revolute(a, b).limits(-0.8, 0.8),
        1 => JointDef::revolute(a, b).motor(3.0, 8.0),
        2 => JointDef::revolute(a, b).servo(0.4, spring).breaks_at(250.0, 80.0),
        3 => JointDef::distance(a, b).soft(spring),
        4 => JointDef::rope(a, b, 1.7),
        5 => JointDef::weld(a, b).soft(spring).bend(spring),
        7 => JointDef::prismatic(a, b, [0.6, -0.8]).limits(-0.4, 0.6).motor(0.5, 20.0),
        8 => JointDef::wheel(a, b, [0.0, 1.0], spring).motor(4.0, 2.0),
        9 => JointDef::distance(a, b).limits(0.9, 1.8).breaks_at(300.0, f32::INFINITY),
        10 => JointDef::motor_to(a, b, spring).to([0.0, -1.4], 0.2).strength(200.0, 20.0),
        _ => JointDef::weld(a, b).breaks_at(500.0, 90.0),
    };
    match k % 12 {
        3 | 4 | 9 | 10 => def,
        _ => def.anchors(half + random.square(0.05), random.square(0.05) - half),
    }
}

/// Two trains of three wheels coupled by gears, and weights on a pulley, on a rack, in the mouse's
/// hand, and rubbing.
fn clockwork(world: &mut World, joints: &mut Vec<JointId>) -> Result<(), Error> {
    let wheel = |at: Vec2, radius: f32| BodyDef::dynamic().at(at).shape(Shape::circle(radius));
    let mut hinges = Vec::new();
    for k in 0..6 {
        let at = vec2(4.0 + 2.1 * k as f32, 22.0);
        let body = world.add(wheel(at, 0.9))?;
        let hinge = JointDef::revolute(None, body).at(at);
        hinges.push(world.add_joint(if k == 0 { hinge.motor(2.0, 60.0) } else { hinge })?);
    }
    for k in [0, 1, 3, 4] {
        world.add_joint(JointDef::gear(hinges[k], hinges[k + 1], -1.0 - 0.25 * k as f32))?;
    }
    let slide = world.add(BodyDef::dynamic().at([12.0, 18.0]).shape(Shape::rect(2.0, 0.4)))?;
    let rail =
        world.add_joint(JointDef::prismatic(None, slide, [1.0, 0.0]).at([12.0, 18.0]).limits(-6.0, 6.0))?;
    world.add_joint(JointDef::gear(hinges[5], rail, 1.2))?;
    let (left, right) = (vec2(4.0, 10.0), vec2(8.0, 12.0));
    let a = world.add(BodyDef::dynamic().at(left).shape(Shape::rect(1.0, 1.0)))?;
    let b = world.add(BodyDef::dynamic().at(right).shape(Shape::rect(1.2, 1.0)))?;
    world.add_joint(
        JointDef::pulley(a, b, [4.0, 16.0], [8.0, 16.0], 1.5).at(Vec2::ZERO).anchors([0.0, 0.5], [0.0, 0.5]),
    )?;
    let held = world.add(wheel(vec2(15.0, 8.0), 0.6))?;
    joints.push(world.add_joint(JointDef::drag(held, [15.3, 8.0], 400.0))?);
    let rubbed = world.add(wheel(vec2(17.0, 12.0), 0.6).spin(20.0).gravity_scale(0.1))?;
    world.add_joint(JointDef::friction(None, rubbed, 2.0, 0.3))?;
    world.add_joint(JointDef::filter(a, b))?;
    joints.extend(hinges);
    Ok(())
}

/// Cars on sprung wheels that drive to and fro on the floor.
fn cars(world: &mut World) -> Result<(), Error> {
    for k in 0..3 {
        let at = vec2(-15.0 + 9.0 * k as f32, 1.2);
        let car = world.add(BodyDef::dynamic().at(at).shape(Shape::rect(2.4, 0.6)))?;
        for side in [-0.8, 0.8] {
            let hub = at + vec2(side, -0.6);
            let wheel = BodyDef::dynamic().at(hub).shape(Shape::circle(0.4));
            let wheel = world.add(wheel.material(Material::default().friction(1.2)))?;
            let suspension = Drive::default().limits(-0.3, 0.3);
            let suspension = Drive { servo: Some(Servo::new(0.0, Spring::new(4.0, 0.7))), ..suspension };
            let axle = JointDef::wheel(car, wheel, [0.0, 1.0], Spring::new(4.0, 0.7)).suspension(suspension);
            world.add_joint(axle.at(hub).motor(if k == 1 { -9.0 } else { 9.0 }, 6.0))?;
        }
    }
    Ok(())
}

/// Gives a joint another motor, or another place for its servo.
fn turn_about(world: &mut World, joint: JointId, random: &mut Random) -> Result<(), Error> {
    let (speed, target) = (random.range(-4.0, 4.0), random.range(-0.6, 0.6));
    world.change_joint(joint, |def| {
        if let Some(motor) = &mut def.drive.motor {
            motor.speed = speed;
        }
        if let Some(servo) = &mut def.drive.servo {
            servo.target = target;
            servo.force = Limits::new(-40.0, 40.0);
        }
    })
}

/// How many dolls there are at once.
const DOLLS: usize = 36;

/// Dolls that fall over pegs on a floor; the oldest goes when a new one comes.
pub fn dolls() -> Result<Scene, Error> {
    let mut world = World::default();
    room(&mut world, vec2(24.0, 40.0), Material::default().friction(0.5))?;
    for k in 0..24 {
        let at = vec2(-11.0 + 3.8 * (k % 6) as f32 + 1.9 * (k / 6 % 2) as f32, 4.0 + 3.0 * (k / 6) as f32);
        world.add(BodyDef::fixed().at(at).shape(Shape::circle(0.35)))?;
    }
    let mut random = Random::new(6);
    let mut dolls: Vec<[BodyId; 7]> = Vec::new();
    let mut made = 0;
    Ok(Scene::new(world, move |world, frame| {
        if frame % 12 != 0 {
            return Ok(());
        }
        if dolls.len() == DOLLS {
            for bone in dolls.remove(random.below(6)) {
                world.remove(bone)?;
            }
        }
        made += 1;
        let at = vec2(random.range(-10.0, 10.0), random.range(18.0, 30.0));
        dolls.push(doll(world, at, random.range(-3.0, 3.0), -made)?);
        Ok(())
    }))
}

/// Lengths of the bones of a doll, and where they hang: on which bone, how far along it, and at
/// which angle.
const BONES: [(f32, usize, f32, f32); 7] = [
    (0.7, 0, 0.0, 0.0),   // the trunk
    (0.25, 0, 0.35, 0.0), // a head
    (0.6, 0, 0.3, 2.6),   // arms
    (0.6, 0, 0.3, -2.6),
    (0.5, 0, -0.35, 2.9), // thighs
    (0.5, 0, -0.35, -2.9),
    (0.45, 4, 0.25, 0.0), // a shin
];

fn doll(world: &mut World, at: Vec2, angle: f32, group: i32) -> Result<[BodyId; 7], Error> {
    let mut bones = [None; 7];
    let mut frames = [Transform::new(at, angle); 7];
    let filter = Filter { group, ..Filter::default() };
    let mut ids = Vec::with_capacity(7);
    for (k, &(length, parent, along, turn)) in BONES.iter().enumerate() {
        let half = 0.5 * length;
        let joint = frames[parent].apply(vec2(0.0, along));
        let rotation = frames[parent].rotation * Rot::from_angle(turn);
        let center = if k == 0 { at } else { joint + rotation * vec2(0.0, half) };
        frames[k] = Transform { position: center, rotation };
        let shape = Shape::capsule([0.0, -half], [0.0, half], if k == 1 { 0.14 } else { 0.09 });
        let bone =
            world.add(BodyDef::dynamic().at(center).angle(rotation.angle()).shape(shape).filter(filter))?;
        if let Some(parent) = bones[parent].filter(|_| k > 0) {
            let hinge = JointDef::revolute(parent, bone).at(joint).limits(-0.7, 0.7);
            world.add_joint(if k > 3 {
                hinge.servo(0.0, Spring::new(3.0, 0.5))
            } else {
                hinge.motor(0.0, 0.4)
            })?;
        }
        bones[k] = Some(bone);
        ids.push(bone);
    }
    Ok(core::array::from_fn(|k| ids[k]))
}
