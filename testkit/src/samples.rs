//! Two small worlds that have something of everything, for pictures: shapes and joints.
//!
//! In: nothing. Out: a world at its start; both come to look as they are meant to within two
//! seconds. `tests/pictures/images.rs` compares what they draw, with golden pictures.

use carom::prelude::*;
use carom::{Drive, Error, Limits, Motor};

/// Every kind of shape, thrown on uneven ground beside a pile that sleeps.
///
/// # Errors
/// Numbers that the world refuses: none of these.
pub fn shapes() -> Result<World, Error> {
    let mut world = World::default();
    let hills = [[-9.0, 3.0], [-7.0, 0.6], [-4.0, 0.0], [-1.0, 0.4], [1.5, 0.0], [9.0, 0.0], [9.0, 3.0]];
    world.add(BodyDef::fixed().shape(Shape::chain(&hills.map(Vec2::from))))?;
    world.add(BodyDef::fixed().shape(Shape::half_plane([0.0, -1.2], [0.0, 1.0])))?;
    world.add(BodyDef::fixed().at([-6.0, 4.4]).shape(Shape::segment([-1.0, 0.4], [1.2, -0.3])))?;
    world.add(BodyDef::fixed().at([-1.0, 3.4]).shape(ShapeDef::from(Shape::circle(0.9)).sensor()))?;
    let paddle = BodyDef::kinematic().at([1.6, 1.1]).spin(1.5);
    world.add(paddle.shape(Shape::rect(1.6, 0.24).rounded(0.08)))?;
    for (row, count) in [3, 2, 1].into_iter().enumerate() {
        for k in 0..count {
            let x = 5.6 + k as f32 - 0.5 * count as f32;
            let stacked = BodyDef::dynamic().at([x, 0.45 + 0.9 * row as f32]).asleep();
            world.add(stacked.shape(Shape::rect(0.9, 0.9)))?;
        }
    }
    let star: Vec<Vec2> = (0..10)
        .map(|k| {
            Rot::from_angle(core::f32::consts::TAU * k as f32 / 10.0).x_axis()
                * if k % 2 == 0 { 0.7 } else { 0.3 }
        })
        .collect();
    let thrown = [
        Shape::circle(0.45),
        Shape::capsule([-0.4, 0.0], [0.4, 0.0], 0.25),
        Shape::rect(1.1, 0.6),
        Shape::rect(0.8, 0.5).rounded(0.15),
        Shape::triangle([-0.5, -0.3], [0.6, -0.4], [0.0, 0.7]),
        Shape::regular(6, 0.45),
        Shape::regular(5, 0.35).rounded(0.12),
        Shape::polar(&star),
        Shape::compound([Shape::rect(0.2, 1.1).at([0.0, -0.3]), Shape::rect(0.8, 0.34).at([0.0, 0.4])]),
    ];
    for (k, shape) in thrown.into_iter().enumerate() {
        let at = vec2(-6.4 + 0.95 * k as f32, 5.4 + 0.5 * (k % 3) as f32);
        world.add(BodyDef::dynamic().at(at).angle(0.4 * k as f32).shape(shape))?;
    }
    // A sling: so fast that steps look at its whole way.
    let pin = vec2(4.2, 5.2);
    let stone = BodyDef::dynamic().at(pin + vec2(1.1, 0.0)).velocity([0.0, 30.0]).gravity_scale(0.0);
    let stone = world.add(stone.shape(Shape::circle(0.18)))?;
    world.add_joint(JointDef::distance(None, stone).between(pin, pin + vec2(1.1, 0.0)))?;
    Ok(world)
}

/// Every kind of joint, in two rows under a beam.
///
/// # Errors
/// Numbers that the world refuses: none of these.
pub fn joints() -> Result<World, Error> {
    let mut world = World::default();
    let beam = world.add(BodyDef::fixed().at([0.0, 6.2]).shape(Shape::rect(18.0, 0.3)))?;
    let shelf = world.add(BodyDef::fixed().at([0.0, -0.15]).shape(Shape::rect(18.0, 0.3)))?;
    let hung = |world: &mut World, x: f32, y: f32, shape: Shape| {
        world.add(BodyDef::dynamic().at([x, y]).shape(shape))
    };
    let bar = || Shape::rect(0.3, 1.4);
    let block = || Shape::rect(0.8, 0.6);

    let b = hung(&mut world, -8.0, 5.2, bar())?;
    world.add_joint(JointDef::revolute(beam, b).at([-8.0, 5.8]).limits(-0.5, 0.9))?;
    world.set_angular_velocity(b, 4.0)?;
    let b = hung(&mut world, -6.0, 4.6, block())?;
    world.add_joint(
        JointDef::prismatic(beam, b, [0.0, -1.0]).at([-6.0, 5.4]).limits(-0.3, 2.0).motor(0.4, 30.0),
    )?;
    let b = hung(&mut world, -4.0, 4.2, block())?;
    world.add_joint(JointDef::distance(beam, b).between([-4.0, 6.0], [-4.0, 4.5]))?;
    let b = hung(&mut world, -2.0, 4.2, block())?;
    world.add_joint(
        JointDef::distance(beam, b).between([-2.0, 6.0], [-2.0, 4.5]).soft(Spring::new(1.5, 0.1)),
    )?;
    let b = hung(&mut world, 0.0, 4.4, block())?;
    world.add_joint(JointDef::rope(beam, b, 2.0).between([0.0, 6.0], [0.0, 4.7]))?;
    let b = hung(&mut world, 2.0, 5.3, bar())?;
    world.add_joint(JointDef::weld(beam, b).at([2.0, 6.0]))?;
    let b = hung(&mut world, 3.6, 5.0, block())?;
    let goal = JointDef::motor_to(beam, b, Spring::new(1.0, 0.8)).to([4.6, -1.8], 0.5);
    world.add_joint(goal.strength(60.0, 20.0))?;
    let (a, b) = (hung(&mut world, 6.4, 4.0, block())?, hung(&mut world, 8.2, 3.4, block())?);
    world.add_joint(JointDef::pulley(a, b, [6.4, 5.6], [8.2, 5.6], 1.0).between([6.4, 4.3], [8.2, 3.7]))?;

    car(&mut world)?;
    let b = hung(&mut world, -1.4, 0.3, block())?;
    world.add_joint(JointDef::friction(shelf, b, 4.0, 1.0))?;
    world.set_velocity(b, [0.8, 0.0])?;
    let (a, b) = (hung(&mut world, 0.6, 0.3, block())?, hung(&mut world, 1.0, 0.9, block())?);
    world.add_joint(JointDef::filter(a, b))?;
    let mut wheel = |x: f32, radius: f32| -> Result<(BodyId, JointId), Error> {
        let disc = world.add(BodyDef::dynamic().at([x, 1.4]).shape(Shape::circle(radius)))?;
        Ok((disc, world.add_joint(JointDef::revolute(None, disc).at([x, 1.4]))?))
    };
    let ((_, first), (_, second)) = (wheel(4.0, 0.6)?, wheel(6.0, 1.2)?);
    world.add_joint(JointDef::gear(first, second, 2.0))?;
    world.change_joint(first, |def| def.drive.motor = Some(Motor::new(2.0, 50.0)))?;
    Ok(world)
}

/// On two sprung wheels, one of which drives.
fn car(world: &mut World) -> Result<(), Error> {
    let hull = world.add(BodyDef::dynamic().at([-6.0, 1.1]).shape(Shape::rect(2.6, 0.5).rounded(0.1)))?;
    for (x, speed) in [(-6.9, -1.0), (-5.1, 0.0)] {
        let wheel = world.add(BodyDef::dynamic().at([x, 0.45]).shape(Shape::circle(0.45)))?;
        let suspension = Drive { limits: Some(Limits::new(-0.2, 0.2)), ..Drive::default() };
        let axle = JointDef::wheel(hull, wheel, [0.0, 1.0], Spring::new(3.0, 0.7)).at([x, 0.45]);
        let servo = Drive::default().servo(0.0, Spring::new(3.0, 0.7)).servo;
        let axle = axle.suspension(Drive { servo, ..suspension });
        world.add_joint(if speed == 0.0 { axle } else { axle.motor(speed, 3.0) })?;
    }
    Ok(())
}
