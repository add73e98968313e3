//! Energy over thousands of elastic hits.

use carom::prelude::*;

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, check_range, earth, energy, kinetic_energy, run, space, step};

const G: f64 = 9.81;

/// Four walls around a room of `side` × `side` metres.
fn room(world: &mut World, side: f32, material: Material) {
    let out = 0.5 * side + 0.5;
    for (x, y, width, height) in [
        (-out, 0.0, 1.0, side + 2.0),
        (out, 0.0, 1.0, side + 2.0),
        (0.0, -out, side + 2.0, 1.0),
        (0.0, out, side + 2.0, 1.0),
    ] {
        add(world, BodyDef::fixed().at([x, y]).shape(Shape::rect(width, height)).material(material));
    }
}

/// 225 discs of radius 0.15 to 0.3 m without friction in a room of 20 m, at up to 5 m/s.
fn gas(world: &mut World) -> Vec<BodyId> {
    let mut random = Random::new(21);
    room(world, 20.0, Material::elastic());
    let mut discs = Vec::new();
    for row in 0..15 {
        for column in 0..15 {
            let at = [1.3 * column as f32 - 9.1, 1.3 * row as f32 - 9.1];
            let disc = BodyDef::dynamic().at(at).velocity(random.vec2(5.0));
            let disc =
                disc.shape(Shape::circle(random.range(0.15, 0.3) as f32)).material(Material::elastic());
            discs.push(add(world, disc));
        }
    }
    discs
}

/// The gas keeps 100.00 % of its energy for 60 s; and nobody leaves the room.
#[test]
fn an_elastic_gas_keeps_its_energy() {
    let mut world = space();
    let discs = gas(&mut world);
    let before = kinetic_energy(&world);
    run(&mut world, rounds(600, 3_600));
    check_range("energy left", kinetic_energy(&world) / before, 0.99995..=1.00005);
    assert!(
        discs.iter().all(|&id| world[id].position().abs().max_element() < 10.0),
        "somebody left the room"
    );
}

/// The same gas under gravity keeps 99.6 % of the sum of its energies for 60 s. (Where discs come
/// to lie, gravity makes slow hits by the thousand; those count too.)
#[test]
fn an_elastic_gas_keeps_its_energy_under_gravity() {
    let mut world = earth();
    gas(&mut world);
    let floor: f64 = world.bodies().map(|(_, body)| f64::from(body.mass())).sum::<f64>() * G * 10.0;
    let before = energy(&world) + floor;
    run(&mut world, rounds(600, 3_600));
    check_range("energy left", (energy(&world) + floor) / before, 0.996..=1.0005);
}

/// A ball of restitution 1, dropped 1 m and 5 m onto a plain, has all its energy after 10 minutes,
/// to 0.1 %.
#[test]
fn a_ball_bounces_for_ever() {
    for drop in [1.0_f32, 5.0] {
        let mut world = World::default();
        let plain = BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(40.0, 2.0));
        add(&mut world, plain.material(Material::elastic()));
        let ball = BodyDef::dynamic().at([0.0, drop + 0.5]).shape(Shape::circle(0.5));
        let ball = add(&mut world, ball.material(Material::elastic()));
        let mass = f64::from(world[ball].mass());
        let sum = |world: &World| energy(world) - mass * G * 0.5;
        let before = sum(&world);
        run(&mut world, rounds(6_000, 36_000));
        check_range(&format!("energy left of a drop of {drop} m"), sum(&world) / before, 0.999..=1.001);
    }
}

/// Planks of restitution 1, without friction, dropped from 2 m onto a hilly chain between walls:
/// over 20 s the sum of their energies is hardly ever more than at the start. (Of 1,600 planks 96
/// gained more than 1 %, by up to 3.)
#[test]
fn elastic_planks_on_hills_gain_nothing() {
    let surface = Material::default().friction(0.0).restitution(1.0);
    let mut points: Vec<Vec2> =
        (0..81).map(|k| vec2(0.5 * k as f32 - 20.0, 0.4 * (0.9 * f64::from(k)).sin() as f32)).collect();
    let (mut most, mut over) = (0.0, 0);
    let count = rounds(15, 600);
    let mut random = Random::new(5);
    for _ in 0..count {
        points.reverse();
        let mut world = earth();
        add(&mut world, BodyDef::fixed().shape(Shape::chain(&points)).material(surface));
        for x in [-21.0, 21.0] {
            let wall = BodyDef::fixed().at([x, 30.0]).shape(Shape::rect(2.0, 80.0));
            add(&mut world, wall.material(surface));
        }
        let thickness = random.one(&[0.05_f32, 0.1, 0.2, 0.3]);
        let plank = BodyDef::dynamic().at([random.range(-15.0, 15.0), 2.0]).angle(random.range(-3.0, 3.0));
        let plank = plank.spin(random.range(-3.0, 3.0)).shape(Shape::rect(2.0, thickness));
        let plank = add(&mut world, plank.material(surface));
        // Over the lowest place of the ground.
        let floor = f64::from(world[plank].mass()) * G * 0.4;
        let first = energy(&world) + floor;
        let mut greatest = 0.0;
        for _ in 0..1_200 {
            step(&mut world);
            greatest = testkit::greater(greatest, (energy(&world) + floor) / first - 1.0);
        }
        over += usize::from(greatest > 0.005);
        most = testkit::greater(most, greatest);
    }
    println!("{over} of {count} gain more than 0.5 %");
    check_range("share that gains more than 0.5 %", over as f64 / count as f64, ..0.01);
    check_range("energy gained, of all there is", most, ..0.01);
}
