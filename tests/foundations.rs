//! Foundations F14 to F20: what an impact, friction and an obstacle do, against the laws in the textbook.

#[path = "support/world.rs"]
mod worlds;

mod support;

use carom::prelude::*;
use carom::{Filter, Locks};
use glam::DVec2;

use support::random::Random;
use support::rounds;
use worlds::{
    add, box_on, deepest_overlap, earth, energy, expect, gap, ground, ground_of, kinetic_energy, momentum,
    run, space, step, top_speed, wall,
};

const G: f64 = 9.81;

fn higher(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// Two discs of random size, mass, place and speed that are about to meet.
fn pair(random: &mut Random, material: Material) -> (World, BodyId, BodyId) {
    let mut world = space();
    let (r, s) = (random.range(0.1, 1.0), random.range(0.1, 1.0));
    // Places before the meeting, and a meeting beside the centre line by up to 9/10 of both radii.
    let (along, beside) = (random.direction(), random.range(-0.9, 0.9) * (r + s));
    let (v, w) = (along * random.range(1.0, 20.0), along * -random.range(1.0, 20.0));
    let from = along * -(r + s + 0.05 + random.range(0.0, 0.5)) + along.perp() * beside;
    let disc = |place: DVec2, velocity: DVec2, radius: f64, density: f64| {
        let def = BodyDef::dynamic().at(place.as_vec2()).velocity(velocity.as_vec2());
        def.shape(Shape::circle(radius as f32)).density(density as f32).material(material)
    };
    let density = random.log_range(0.1, 10.0);
    let a = add(&mut world, disc(from, v, r, density));
    let b = add(&mut world, disc(DVec2::ZERO, w, s, 1.0));
    (world, a, b)
}

/// Sum of the sizes of all momenta: what a change of momentum is measured by.
fn momenta(world: &World) -> f64 {
    world.bodies().map(|(_, body)| (body.velocity().as_dvec2() * f64::from(body.mass())).length()).sum()
}

/// F14. 10,000 pairs of frictionless discs of restitution 1 strike each other, one hit each: the sum of momenta and the sum of
/// energies stay, to 1e-5.
#[test]
fn f14_an_elastic_hit_keeps_momentum_and_energy() {
    let mut random = Random::new(81);
    let (mut worst_momentum, mut worst_energy, mut hits) = (0.0, 0.0, 0);
    for _ in 0..rounds(500, 10_000) {
        let (mut world, ..) = pair(&mut random, Material::elastic());
        let (p, e, size) = (momentum(&world), kinetic_energy(&world), momenta(&world));
        for _ in 0..60 {
            step(&mut world);
            hits += world.events().hits().len();
        }
        worst_momentum = higher(worst_momentum, (momentum(&world) - p).length() / size);
        worst_energy = higher(worst_energy, (kinetic_energy(&world) / e - 1.0).abs());
    }
    println!("{hits} hits");
    assert!(hits >= rounds(400, 9_000), "{hits} hits");
    expect("worst change of momentum", worst_momentum, ..=1.0e-5);
    expect("worst change of energy", worst_energy, ..=1.0e-5);
}

/// F14. 100 frictionless discs of restitution 1 in a room that is a dynamic body itself, of a compound of four walls, adrift in
/// space: over 10,000 hits the sums of momenta and energies of all, room included, stay to 1e-5.
#[test]
fn f14_an_isolated_room_keeps_momentum_and_energy() {
    let mut random = Random::new(82);
    let mut world = space();
    let walls =
        [(-5.5, 0.0, 1.0, 12.0), (5.5, 0.0, 1.0, 12.0), (0.0, -5.5, 12.0, 1.0), (0.0, 5.5, 12.0, 1.0)];
    let walls = walls.map(|(x, y, width, height)| Shape::rect(width, height).at([x, y]));
    let room = BodyDef::dynamic().shape(Shape::compound(walls)).density(2.0).material(Material::elastic());
    add(&mut world, room);
    for k in 0..100 {
        let at = [0.9 * (k % 10) as f32 - 4.05, 0.9 * (k / 10) as f32 - 4.05];
        let disc = BodyDef::dynamic().at(at).velocity(random.vec2(6.0));
        let disc = disc.shape(Shape::circle(random.range(0.1, 0.3) as f32)).material(Material::elastic());
        add(&mut world, disc);
    }
    let (p, e, size) = (momentum(&world), kinetic_energy(&world), momenta(&world));
    let (mut hits, mut steps) = (0, 0);
    while hits < rounds(1_000, 10_000) && steps < 10_000 {
        step(&mut world);
        hits += world.events().hits().len();
        steps += 1;
    }
    println!("{hits} hits in {steps} steps");
    assert!(hits >= rounds(1_000, 10_000), "{hits} hits");
    expect("change of momentum", (momentum(&world) - p).length() / size, ..=1.0e-5);
    expect("change of energy", kinetic_energy(&world) / e - 1.0, -1.0e-5..=1.0e-5);
}

/// F15. A ball thrown at a wall at any angle, without friction: v' = v - (1 + e)(v·n) n, to 1e-4 of its speed; one that moves
/// away, from a place within the margin of contacts, keeps its velocity to the bit.
#[test]
fn f15_a_wall_turns_the_normal_part_round() {
    let mut random = Random::new(83);
    let mut worst = 0.0;
    for number in 0..rounds(200, 2_000) {
        let restitution = [0.0, 0.25, 0.5, 0.75, 1.0][number % 5];
        let material = Material::default().friction(0.0).restitution(restitution);
        let n = random.direction();
        let angle = n.y.atan2(n.x) as f32;
        let mut world = space();
        // The wall's face goes through the origin, n its normal.
        let block =
            BodyDef::fixed().angle(angle).shape(Shape::rect(1.0, 60.0).at([-0.5, 0.0])).material(material);
        add(&mut world, block);
        let approach = random.range(1.0, 60.0);
        let v = n * -approach + n.perp() * random.range(-20.0, 20.0);
        let start = n * (0.3 + random.range(0.01, 1.0));
        let ball = BodyDef::dynamic().at(start.as_vec2()).velocity(v.as_vec2()).shape(Shape::circle(0.3));
        let ball = add(&mut world, ball.material(material));
        for _ in 0..90 {
            step(&mut world);
            if world.events().hits().iter().next().is_some() {
                break;
            }
        }
        run(&mut world, 2);
        let wanted = v - n * ((1.0 + f64::from(restitution)) * v.dot(n));
        worst = higher(worst, (world[ball].velocity().as_dvec2() - wanted).length() / v.length());
    }
    expect("off v - (1 + e)(v·n) n, of the speed", worst, ..=1.0e-4);

    let mut world = space();
    wall(&mut world, [-0.5, 0.0], 1.0, 10.0);
    let leaving = BodyDef::dynamic().at([0.305, 0.0]).velocity([0.7, 0.2]).shape(Shape::circle(0.3));
    let leaving = add(&mut world, leaving.material(Material::elastic()));
    run(&mut world, 30);
    assert_eq!(world[leaving].velocity(), vec2(0.7, 0.2), "only what approaches is turned round");
}

/// F16. Two discs of restitution 0, without friction: after the impact both have the speed (m1 v1 + m2 v2) / (m1 + m2) along
/// the normal, to 1e-4 of the approach; the speeds across it stay; momentum stays to 1e-5; energy falls.
#[test]
fn f16_an_inelastic_hit_leaves_a_common_speed() {
    let mut random = Random::new(84);
    let (mut worst_common, mut worst_momentum, mut hits) = (0.0, 0.0, 0);
    for _ in 0..rounds(200, 2_000) {
        let (mut world, a, b) = pair(&mut random, Material::default().friction(0.0));
        let (p, e, size) = (momentum(&world), kinetic_energy(&world), momenta(&world));
        let before = [a, b].map(|id| world[id].velocity().as_dvec2());
        let mut normal = None;
        for _ in 0..60 {
            step(&mut world);
            if let Some(hit) = world.events().hits().first() {
                normal = Some(hit.normal.as_dvec2());
                break;
            }
        }
        let Some(n) = normal else { continue };
        hits += 1;
        let masses = [a, b].map(|id| f64::from(world[id].mass()));
        let common = (masses[0] * before[0].dot(n) + masses[1] * before[1].dot(n)) / (masses[0] + masses[1]);
        let approach = (before[0] - before[1]).dot(n).abs();
        for (id, before) in [a, b].into_iter().zip(before) {
            let after = world[id].velocity().as_dvec2();
            worst_common = higher(worst_common, (after.dot(n) - common).abs() / approach);
            worst_common = higher(worst_common, (after - before).dot(n.perp()).abs() / approach);
        }
        worst_momentum = higher(worst_momentum, (momentum(&world) - p).length() / size);
        assert!(kinetic_energy(&world) < e, "energy falls");
    }
    assert!(hits > rounds(150, 1_500), "{hits} hits");
    expect("off the common speed, of the approach", worst_common, ..=1.0e-4);
    expect("worst change of momentum", worst_momentum, ..=1.0e-5);
}

/// How far a 1 × 0.5 m block slides down a slope of `degrees` in 5 s.
fn slid(degrees: f64, material: Material) -> f64 {
    let mut world = earth();
    let angle = degrees.to_radians();
    let (t, n) = (DVec2::new(angle.cos(), angle.sin()), DVec2::new(-angle.sin(), angle.cos()));
    let slope = BodyDef::fixed().at((n * -0.5).as_vec2()).angle(angle as f32).shape(Shape::rect(200.0, 1.0));
    add(&mut world, slope.material(material));
    let block = BodyDef::dynamic().at((n * 0.25).as_vec2()).angle(angle as f32).shape(Shape::rect(1.0, 0.5));
    let block = add(&mut world, block.material(material));
    run(&mut world, 300);
    -(world[block].position().as_dvec2() - n * 0.25).dot(t)
}

/// F17. A block on a slope stays 0.5 degrees below atan(mu_s), for 5 s, and slides 0.5 degrees above it, for mu_s from 0.1 to
/// 0.9; where the kinetic coefficient is half the static one, it is the static one that decides.
#[test]
fn f17_a_block_slides_from_atan_mu_on() {
    for mu in [0.1_f32, 0.2, 0.4, 0.6, 0.9] {
        for kinetic in [mu, 0.5 * mu] {
            let material = Material { kinetic_friction: kinetic, ..Material::default().friction(mu) };
            let limit = f64::from(mu).atan().to_degrees();
            let (below, above) = (slid(limit - 0.5, material), slid(limit + 0.5, material));
            // Free of friction by half a degree it slides g cos(limit) 0.0087 (1 + mu²) t² / 2, some 0.8 m at least.
            expect(&format!("mu {mu}/{kinetic}: slid 0.5° below, m"), below, -0.005..=0.005);
            expect(&format!("mu {mu}/{kinetic}: slid 0.5° above, m"), above, 0.5..);
        }
    }
}

/// F17. A block thrown along a plain at 2 to 10 m/s comes to rest after v² / (2 mu_k g), to 1 %.
#[test]
fn f17_a_block_stops_where_coulomb_says() {
    for speed in [2.0_f32, 5.0, 10.0] {
        for (resting, kinetic) in [(0.2, 0.2), (0.5, 0.5), (0.9, 0.3)] {
            let material = Material { kinetic_friction: kinetic, ..Material::default().friction(resting) };
            let mut world = earth();
            ground_of(&mut world, material);
            let block =
                BodyDef::dynamic().at([-50.0, 0.1]).velocity([speed, 0.0]).shape(Shape::rect(1.0, 0.2));
            let block = add(&mut world, block.material(material));
            run(&mut world, 400);
            let way = f64::from(world[block].position().x) + 50.0;
            let wanted = f64::from(speed * speed) / (2.0 * f64::from(kinetic) * G);
            expect(&format!("{speed} m/s, mu {kinetic}: way, of v²/2μg"), way / wanted, 0.99..=1.01);
            expect("speed at the end, m/s", top_speed(&world), ..=0.001);
        }
    }
}

/// F18. A sticky block thrown flat along a plain stops at once; a sticky ball thrown at a wall stays where it hits, as far as
/// sideways motion goes; friction without end by itself does not stop a bounce.
#[test]
fn f18_sticky_stops_at_a_touch() {
    let mut world = earth();
    ground(&mut world);
    let block = BodyDef::dynamic().at([0.0, 0.1]).velocity([5.0, 0.0]).shape(Shape::rect(2.0, 0.2));
    let block = add(&mut world, block.material(Material::sticky()));
    run(&mut world, 120);
    expect("way of the sticky block, m", world[block].position().x, -0.1..=0.1);

    let mut world = space();
    wall(&mut world, [0.5, 0.0], 1.0, 20.0);
    let thrown = BodyDef::dynamic().at([-2.0, 0.0]).velocity([10.0, 7.0]).locks(Locks::ROTATION);
    let thrown = add(&mut world, thrown.shape(Shape::rect(0.4, 0.4)).material(Material::sticky()));
    run(&mut world, 120);
    // It meets the wall after 0.18 s, at y = 1.26.
    expect("where it stays, up, m", world[thrown].position().y, 1.25..=1.27);
    expect("where it stays, across, m", world[thrown].position().x, -0.201..=-0.199);
    expect("its speed, m/s", world[thrown].velocity().length(), ..=0.001);

    let bouncy = Material { restitution: 1.0, restitution_rule: carom::Combine::Max, ..Material::sticky() };
    let mut world = earth();
    ground_of(&mut world, bouncy);
    let ball = add(&mut world, BodyDef::dynamic().at([0.0, 2.0]).shape(Shape::circle(0.5)).material(bouncy));
    run(&mut world, 300);
    expect(
        "energy of the bouncing sticky ball",
        energy(&world) / (f64::from(world[ball].mass()) * G * 2.0),
        0.99..=1.01,
    );
}

/// F18. The stake: a welding ball at 15 m/s strikes a crate and nails it to the wall behind it; nothing falls for 10 s. And a
/// welding ball thrown against a ceiling hangs there.
#[test]
fn f18_welding_nails_what_it_strikes() {
    let mut world = earth();
    let backdrop = wall(&mut world, [5.0, 0.0], 1.0, 20.0);
    let glue = Material::sticky().welding();
    let crate_ = BodyDef::dynamic().at([3.0, 0.0]).velocity([0.0, 2.0]).shape(Shape::rect(0.6, 0.6));
    let crate_ = add(&mut world, crate_.material(glue));
    let stake = BodyDef::dynamic().at([0.0, 0.1]).velocity([15.0, 1.0]).shape(Shape::rect(1.0, 0.1));
    let stake = add(&mut world, stake.material(glue));
    run(&mut world, 60);
    assert!(
        world.are_welded(stake, crate_) && world.are_welded(crate_, backdrop),
        "stake, crate and wall are one"
    );
    let places = [stake, crate_].map(|id| world[id].transform());
    run(&mut world, 600);
    for (id, place) in [stake, crate_].into_iter().zip(places) {
        let moved = (world[id].position() - place.position).length();
        expect("moved in 10 s on the wall, m", moved, ..=0.001);
    }

    let mut world = earth();
    wall(&mut world, [0.0, 5.0], 10.0, 1.0);
    let ball = BodyDef::dynamic().at([0.0, 0.0]).velocity([1.0, 12.0]).shape(Shape::circle(0.3));
    let ball = add(&mut world, ball.material(glue));
    run(&mut world, 600);
    expect("height of the ball on the ceiling, m", world[ball].position().y, 4.195..=4.205);
}

/// F19. A ball at 10 m/s meets an obstacle that stops it, bounces it, flies off, lets it through and tells, lets it through and
/// does not, or lets it through one way: each does what it says.
#[test]
fn f19_an_obstacle_does_what_it_says() {
    let meet = |obstacle: BodyDef, from: f32| {
        let mut world = space();
        let obstacle = add(&mut world, obstacle);
        let ball = BodyDef::dynamic()
            .at([from, 0.0])
            .velocity([-10.0 * from.signum(), 0.0])
            .shape(Shape::circle(0.2));
        let ball = add(&mut world, ball);
        let mut told = 0;
        for _ in 0..60 {
            step(&mut world);
            told += world.events().entered().len() + world.events().left().len();
        }
        (world[ball].velocity().x, world[obstacle].velocity().x, told)
    };
    let block = || BodyDef::fixed().shape(Shape::rect(1.0, 4.0));
    let (ball, _, told) = meet(block(), -3.0);
    expect("stopped, m/s", ball, -0.001..=0.001);
    assert_eq!(told, 0);
    let (ball, ..) = meet(block().material(Material::default().restitution(1.0)), -3.0);
    expect("bounced, m/s", ball, -10.001..=-9.999);
    let mass = f64::from(Shape::circle(0.2).mass(1.0).mass);
    let free = BodyDef::dynamic().shape(Shape::rect(1.0, 4.0));
    let (ball, obstacle, _) = meet(free, -3.0);
    let common = 10.0 * mass / (mass + 4.0);
    expect("pushed: the ball, m/s", ball, common - 0.001..=common + 0.001);
    expect("pushed: the obstacle, m/s", obstacle, common - 0.001..=common + 0.001);
    let sensor = BodyDef::fixed().shape(ShapeDef::from(Shape::rect(1.0, 4.0)).sensor());
    assert_eq!(meet(sensor, -3.0), (10.0, 0.0, 2), "through, and told");
    assert_eq!(
        meet(block().filter(Filter { mask: 0, ..Filter::default() }), -3.0),
        (10.0, 0.0, 0),
        "through"
    );
    let gate = || BodyDef::fixed().shape(ShapeDef::from(Shape::rect(1.0, 4.0)).one_way([1.0, 0.0]));
    let (from_left, from_right) = (meet(gate(), -3.0).0, meet(gate(), 3.0).0);
    assert_eq!(from_left, 10.0, "through along its direction");
    expect("stopped against it, m/s", from_right, -0.001..=0.001);
}

/// F20, mass: a crate of 100 kg at 5 m/s against one of 1 kg at rest goes on at 4.95 m/s; the other way round the heavy one
/// gets 0.05.
#[test]
fn f20_mass() {
    for (striking, struck) in [(100.0_f32, 1.0_f32), (1.0, 100.0)] {
        let mut world = space();
        let crate_ = |x: f32, v: f32, density: f32| {
            BodyDef::dynamic().at([x, 0.0]).velocity([v, 0.0]).shape(Shape::rect(1.0, 1.0)).density(density)
        };
        let a = add(&mut world, crate_(-2.0, 5.0, striking));
        let b = add(&mut world, crate_(0.0, 0.0, struck));
        run(&mut world, 60);
        let common = f64::from(5.0 * striking / (striking + struck));
        for id in [a, b] {
            expect("speed after, m/s", world[id].velocity().x, common - 0.005..=common + 0.005);
        }
    }
}

/// F20, velocity: a body without forces goes 7 m/s × 10 s, and turns 2 rad/s × 10 s, whatever its shape.
#[test]
fn f20_velocity() {
    let shapes = [
        Shape::circle(0.5),
        Shape::rect(1.0, 0.2),
        Shape::regular(5, 0.5),
        Shape::compound([Shape::rect(1.0, 0.2), Shape::circle(0.3).at([1.0, 0.4])]),
    ];
    for shape in shapes {
        let mut world = space();
        let flier = add(&mut world, BodyDef::dynamic().velocity([7.0, -3.0]).spin(2.0).shape(shape));
        let start = world[flier].world_center().position();
        run(&mut world, 600);
        let off = world[flier].world_center().position() - start - vec2(70.0, -30.0);
        expect("off its way after 10 s, m", off.length(), ..=0.002);
        let turn = Rot::from_angle(-20.0) * world[flier].rotation();
        expect("off its turn after 10 s, rad", turn.angle().abs(), ..=0.002);
    }
}

/// F20, friction: of three crates on a tilted belt at rest, the icy one slides away, the rubber one stays, and the wooden one,
/// thrown up the slope, comes to rest on it where energy says.
#[test]
fn f20_friction() {
    let mut world = earth();
    let angle = 0.3_f32;
    let (cos, sin) = (f64::from(angle).cos(), f64::from(angle).sin());
    let slope = BodyDef::fixed().angle(angle).shape(Shape::rect(200.0, 1.0).at([0.0, -0.5]));
    add(&mut world, slope.material(Material::default().friction(1.0)));
    let crate_at = |along: f64, mu: f32, speed: f64| {
        let place = DVec2::new(along * cos - 0.5 * sin, along * sin + 0.5 * cos).as_vec2();
        let velocity = DVec2::new(speed * cos, speed * sin).as_vec2();
        let def = BodyDef::dynamic().at(place).angle(angle).velocity(velocity).shape(Shape::rect(1.0, 1.0));
        def.material(Material::default().friction(mu))
    };
    // Mixed with 1 by the root of the product.
    let icy = add(&mut world, crate_at(-20.0, 0.01, 0.0));
    let rubber = add(&mut world, crate_at(0.0, 0.8, 0.0));
    let wooden = add(&mut world, crate_at(10.0, 0.25, 4.0));
    let along = |world: &World, id: BodyId| {
        let p = world[id].position().as_dvec2();
        p.x * cos + p.y * sin
    };
    run(&mut world, 300);
    let wanted = 0.5 * G * (sin - 0.1 * cos) * 25.0;
    expect("slid by the icy one, of its law", (-20.0 - along(&world, icy)) / wanted, 0.98..=1.02);
    expect("slid by the rubber one, m", along(&world, rubber), -0.01..=0.01);
    let wanted = 16.0 / (2.0 * G * (sin + 0.5 * cos));
    expect("way of the wooden one, of its law", (along(&world, wooden) - 10.0) / wanted, 0.97..=1.03);
}

/// F20, gravity: a shot at 20 m/s and 45 degrees lands v²/g away; at half gravity twice as far; at none never.
#[test]
fn f20_gravity() {
    for (scale, range) in [(1.0_f64, 400.0 / G), (0.5, 800.0 / G)] {
        let mut world = earth();
        ground(&mut world);
        let v = (20.0 / f64::sqrt(2.0)) as f32;
        let shot = BodyDef::dynamic().at([0.0, 0.1]).velocity([v, v]).shape(Shape::circle(0.1));
        let shot = add(&mut world, shot.gravity_scale(scale as f32));
        let mut last = world[shot].position();
        for _ in 0..600 {
            step(&mut world);
            if world[shot].velocity().y.abs() < 0.01 && world[shot].position().y < 0.2 {
                break;
            }
            last = world[shot].position();
        }
        expect(&format!("range at {scale} g, of v²/g"), f64::from(last.x) / range, 0.98..=1.02);
    }
    let mut world = space();
    let shot = add(&mut world, BodyDef::dynamic().velocity([1.0, 1.0]).shape(Shape::circle(0.1)));
    run(&mut world, 600);
    expect("height after 10 s without gravity, m", world[shot].position().y, 9.999..=10.001);
}

/// F20, a believable whole: a truckload of 150 bodies of every kind is tipped into a pit with a slope and a see-saw of crates.
/// Energy never rises, nothing is faster than its fall allows, nothing leaves the pit, and after 20 s all lie still, not
/// inside each other.
#[test]
fn f20_a_believable_whole() {
    let mut random = Random::new(85);
    let mut world = World::default();
    for (x, y, width, height) in [(0.0, -1.0, 24.0, 2.0), (-11.0, 8.0, 2.0, 20.0), (11.0, 8.0, 2.0, 20.0)] {
        wall(&mut world, [x, y], width, height);
    }
    add(&mut world, BodyDef::fixed().shape(Shape::triangle([-10.0, 0.0], [-4.0, 0.0], [-10.0, 3.0])));
    box_on(&mut world, 0.0, 4.0, [0.5, 0.5]);
    box_on(&mut world, 0.5, 4.0, [4.0, 0.2]);
    let count = rounds(50, 150);
    for k in 0..count {
        // None begins inside of another: the farthest point of any is 0.57 m from its middle.
        let size = random.range(0.3, 0.6) as f32;
        let shape = match k % 5 {
            0 => Shape::circle(0.5 * size),
            1 => Shape::rect(size, 0.6 * size),
            2 => Shape::regular(3 + random.below(6), 0.5 * size),
            3 => Shape::capsule([-0.3 * size, 0.0], [0.3 * size, 0.0], 0.25 * size),
            _ => Shape::compound([
                Shape::rect(size, 0.3 * size),
                Shape::rect(0.3 * size, size).at([0.3 * size, 0.3 * size]),
            ]),
        };
        // The balls roll out in the end.
        let material = Material { rolling_resistance: 0.01, ..Material::default() };
        let at = [1.2 * (k % 15) as f32 - 8.4, 4.0 + 1.2 * (k / 15) as f32];
        add(&mut world, BodyDef::dynamic().at(at).angle(random.angle()).shape(shape).material(material));
    }
    let (mut before, mut gained, mut fastest) = (energy(&world), 0.0, 0.0);
    let start = before;
    for _ in 0..rounds(300, 1_200) {
        step(&mut world);
        let now = energy(&world);
        gained = higher(gained, now - before);
        before = now;
        fastest = higher(fastest, f64::from(top_speed(&world)));
    }
    // What has been pushed into something is pushed out, uphill; that is all that may be gained in a step.
    expect("most energy gained in a step, of all there was", gained / start, ..=0.001);
    expect("fastest, m/s", fastest, ..=(2.0 * G * 16.0).sqrt());
    assert!(
        world.bodies().all(|(_, body)| body.position().x.abs() < 12.0 && body.position().y > -2.0),
        "something left the pit"
    );
    if !cfg!(debug_assertions) {
        expect("deepest overlap, m", deepest_overlap(&world), ..=0.005);
        expect("top speed in the end, m/s", top_speed(&world), ..=0.05);
        let awake = world.bodies().filter(|(_, body)| body.is_awake()).count();
        expect("still awake", awake as f64, ..=0.0);
    }
}

/// F20: a cradle of five balls side by side, struck by one at 3 m/s: the last one leaves at 3 m/s, the others stay.
#[test]
fn f20_a_row_of_balls_passes_the_blow_on() {
    for spacing in [1.0_f32, 1.001, 1.1] {
        let mut world = space();
        let ball = |x: f32, v: f32| {
            let def = BodyDef::dynamic().at([x, 0.0]).velocity([v, 0.0]).shape(Shape::circle(0.5));
            def.material(Material::elastic())
        };
        let row: Vec<BodyId> = (0..5).map(|k| add(&mut world, ball(spacing * k as f32, 0.0))).collect();
        let striker = add(&mut world, ball(-3.0, 3.0));
        run(&mut world, 120);
        expect(&format!("last of the row, {spacing} apart, m/s"), world[row[4]].velocity().x, 2.97..=3.03);
        for id in row[..4].iter().chain([&striker]) {
            expect("the others, m/s", world[*id].velocity().x.abs(), ..=0.03);
        }
        assert!(gap(&world, row[3], row[4]) > 0.5);
    }
}
