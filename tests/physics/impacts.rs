//! Impacts: momentum, energy and velocities after a hit, and what obstacles do, against the
//! textbook.

use carom::prelude::*;
use carom::{Filter, Locks};
use glam::DVec2;

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{
    add, check_range, earth, energy, gap, ground, ground_of, kinetic_energy, momentum, run, space, step,
    top_speed, wall,
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

/// 10,000 pairs of frictionless discs of restitution 1 strike each other, one hit each: the sum of
/// momenta and the sum of energies stay, to 1e-5.
#[test]
fn elastic_hits_keep_momentum_and_energy() {
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
    check_range("worst change of momentum", worst_momentum, ..=1.0e-5);
    check_range("worst change of energy", worst_energy, ..=1.0e-5);
}

/// 100 frictionless discs of restitution 1 in a room that is a dynamic body itself, of a compound
/// of four walls, adrift in space: over 10,000 hits the sums of momenta and energies of all, room
/// included, stay to 1e-5.
#[test]
fn an_isolated_room_keeps_momentum_and_energy() {
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
    check_range("change of momentum", (momentum(&world) - p).length() / size, ..=1.0e-5);
    check_range("change of energy", kinetic_energy(&world) / e - 1.0, -1.0e-5..=1.0e-5);
}

/// A ball thrown at a wall at any angle, without friction: v' = v - (1 + e)(v·n) n, to 1e-4 of its
/// speed; one that moves away, from a place within the margin of contacts, keeps its velocity to
/// the bit.
#[test]
fn a_wall_reverses_the_normal_velocity() {
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
    check_range("off v - (1 + e)(v·n) n, of the speed", worst, ..=1.0e-4);

    let mut world = space();
    wall(&mut world, [-0.5, 0.0], 1.0, 10.0);
    let leaving = BodyDef::dynamic().at([0.305, 0.0]).velocity([0.7, 0.2]).shape(Shape::circle(0.3));
    let leaving = add(&mut world, leaving.material(Material::elastic()));
    run(&mut world, 30);
    assert_eq!(world[leaving].velocity(), vec2(0.7, 0.2), "only what approaches is turned round");
}

/// Two discs of restitution 0, without friction: after the impact both have the speed (m1 v1 + m2
/// v2) / (m1 + m2) along the normal, to 1e-4 of the approach; the speeds across it stay; momentum
/// stays to 1e-5; energy falls.
#[test]
fn an_inelastic_hit_leaves_a_common_speed() {
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
    check_range("off the common speed, of the approach", worst_common, ..=1.0e-4);
    check_range("worst change of momentum", worst_momentum, ..=1.0e-5);
}

/// A sticky block thrown flat along a plain stops at once; a sticky ball thrown at a wall stays
/// where it hits, as far as sideways motion goes; friction without end by itself does not stop a
/// bounce.
#[test]
fn sticky_bodies_stop_at_a_touch() {
    let mut world = earth();
    ground(&mut world);
    let block = BodyDef::dynamic().at([0.0, 0.1]).velocity([5.0, 0.0]).shape(Shape::rect(2.0, 0.2));
    let block = add(&mut world, block.material(Material::sticky()));
    run(&mut world, 120);
    check_range("way of the sticky block, m", world[block].position().x, -0.1..=0.1);

    let mut world = space();
    wall(&mut world, [0.5, 0.0], 1.0, 20.0);
    let thrown = BodyDef::dynamic().at([-2.0, 0.0]).velocity([10.0, 7.0]).locks(Locks::ROTATION);
    let thrown = add(&mut world, thrown.shape(Shape::rect(0.4, 0.4)).material(Material::sticky()));
    run(&mut world, 120);
    // It meets the wall after 0.18 s, at y = 1.26.
    check_range("where it stays, up, m", world[thrown].position().y, 1.25..=1.27);
    check_range("where it stays, across, m", world[thrown].position().x, -0.201..=-0.199);
    check_range("its speed, m/s", world[thrown].velocity().length(), ..=0.001);

    let bouncy = Material { restitution: 1.0, restitution_rule: carom::Combine::Max, ..Material::sticky() };
    let mut world = earth();
    ground_of(&mut world, bouncy);
    let ball = add(&mut world, BodyDef::dynamic().at([0.0, 2.0]).shape(Shape::circle(0.5)).material(bouncy));
    run(&mut world, 300);
    check_range(
        "energy of the bouncing sticky ball",
        energy(&world) / (f64::from(world[ball].mass()) * G * 2.0),
        0.99..=1.01,
    );
}

/// The stake: a welding ball at 15 m/s strikes a crate and nails it to the wall behind it; nothing
/// falls for 10 s. And a welding ball thrown against a ceiling hangs there.
#[test]
fn welding_fixes_a_body_to_what_it_strikes() {
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
        check_range("moved in 10 s on the wall, m", moved, ..=0.001);
    }

    let mut world = earth();
    wall(&mut world, [0.0, 5.0], 10.0, 1.0);
    let ball = BodyDef::dynamic().at([0.0, 0.0]).velocity([1.0, 12.0]).shape(Shape::circle(0.3));
    let ball = add(&mut world, ball.material(glue));
    run(&mut world, 600);
    check_range("height of the ball on the ceiling, m", world[ball].position().y, 4.195..=4.205);
}

/// A ball at 10 m/s meets an obstacle that stops it, bounces it, flies off, lets it through and
/// tells, lets it through and does not, or lets it through one way: each does what it says.
#[test]
fn obstacles_stop_reflect_give_way_or_let_pass() {
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
    check_range("stopped, m/s", ball, -0.001..=0.001);
    assert_eq!(told, 0);
    let (ball, ..) = meet(block().material(Material::default().restitution(1.0)), -3.0);
    check_range("bounced, m/s", ball, -10.001..=-9.999);
    let mass = f64::from(Shape::circle(0.2).mass(1.0).mass);
    let free = BodyDef::dynamic().shape(Shape::rect(1.0, 4.0));
    let (ball, obstacle, _) = meet(free, -3.0);
    let common = 10.0 * mass / (mass + 4.0);
    check_range("pushed: the ball, m/s", ball, common - 0.001..=common + 0.001);
    check_range("pushed: the obstacle, m/s", obstacle, common - 0.001..=common + 0.001);
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
    check_range("stopped against it, m/s", from_right, -0.001..=0.001);
}

/// A crate of 100 kg at 5 m/s against one of 1 kg at rest goes on at 4.95 m/s; the other way round
/// the heavy one gets 0.05.
#[test]
fn crates_of_unequal_mass_leave_at_their_common_velocity() {
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
            check_range("speed after, m/s", world[id].velocity().x, common - 0.005..=common + 0.005);
        }
    }
}

/// A cradle of five balls side by side, struck by one at 3 m/s: the last one leaves at 3 m/s, the
/// others stay.
#[test]
fn a_row_of_balls_passes_the_blow_to_the_last() {
    for spacing in [1.0_f32, 1.001, 1.1] {
        let mut world = space();
        let ball = |x: f32, v: f32| {
            let def = BodyDef::dynamic().at([x, 0.0]).velocity([v, 0.0]).shape(Shape::circle(0.5));
            def.material(Material::elastic())
        };
        let row: Vec<BodyId> = (0..5).map(|k| add(&mut world, ball(spacing * k as f32, 0.0))).collect();
        let striker = add(&mut world, ball(-3.0, 3.0));
        run(&mut world, 120);
        check_range(
            &format!("last of the row, {spacing} apart, m/s"),
            world[row[4]].velocity().x,
            2.97..=3.03,
        );
        for id in row[..4].iter().chain([&striker]) {
            check_range("the others, m/s", world[*id].velocity().x.abs(), ..=0.03);
        }
        assert!(gap(&world, row[3], row[4]) > 0.5);
    }
}

/// One box falls on a smaller one of the same density that lies on the ground: what is given back
/// is shared, and never more than came. (Small ones were struck with what contacts had held before:
/// 712 % of what there was, 292 J/kg in a step.)
#[test]
fn what_is_caught_under_something_larger_takes_no_energy_from_nowhere() {
    let count = rounds(40, 500);
    // Not reached: 0.01 J/kg in a step. What is caught is pressed up to 5 cm deep by the blow, and
    // to push that out gives back a part of what the blow took; at full restitution other samples
    // of drops came to 1.15.
    for (restitution, promised) in [(0.0, 12.0), (0.5, 1.0), (0.8, 0.2), (1.0, 0.2)] {
        let mut random = Random::new(52);
        let material = Material::default().restitution(restitution);
        let (mut above, mut worst) = (0, 0.0);
        for _ in 0..count {
            let mut world = World::default();
            add(
                &mut world,
                BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(20.0, 1.0)).material(material),
            );
            let low: f32 = random.range(0.1, 0.4);
            let small = Shape::rect(random.range(0.2, 0.6), low);
            let small =
                add(&mut world, BodyDef::dynamic().at([0.0, 0.5 * low]).shape(small).material(material));
            let large = Shape::rect(random.range(0.8, 1.6), random.range(0.4, 1.2));
            let at: [f32; 2] = [random.range(-0.5, 0.5), low + 1.3];
            let def =
                BodyDef::dynamic().at(at).angle(random.angle()).velocity([0.0, random.range(-10.0, -2.0)]);
            let large = add(&mut world, def.shape(large).material(material));
            let bodies = [small, large];
            let mass: f64 = bodies.iter().map(|&id| f64::from(world[id].mass())).sum();
            let energies = |world: &World| {
                let of = |id: BodyId| {
                    let body = &world[id];
                    f64::from(body.kinetic_energy()) + G * f64::from(body.mass() * body.position().y)
                };
                of(small) + of(large)
            };
            let first = energies(&world);
            let (mut last, mut most) = (first, first);
            for _ in 0..120 {
                step(&mut world);
                let now = energies(&world);
                (worst, most) = (higher(worst, (now - last) / mass), higher(most, now));
                last = now;
            }
            above += usize::from(most > 1.01 * first);
        }
        check_range(
            &format!("drops of {count} that gained 1 %, restitution {restitution}"),
            above as f64,
            ..=0.0,
        );
        check_range("greatest gain in a step, J/kg", worst, ..=promised);
    }
}

/// Pebbles of 3 to 10 cm in heaps of bodies of up to 300 times their mass, in closed rooms: none is
/// ever much faster than what fell through the room, and the heap's energy never rises.
#[test]
fn pebbles_in_a_heap_are_not_shot_off() {
    let mut random = Random::new(53);
    for restitution in [0.0, 0.5, 0.8] {
        let (mut fastest, mut gained) = (0.0, 0.0);
        for _ in 0..rounds(1, 30) {
            let mut world = World::default();
            let material = Material::default().restitution(restitution);
            for (x, y, width, height) in
                [(0.0, -0.5, 9.0, 1.0), (0.0, 10.5, 9.0, 1.0), (-4.0, 5.0, 1.0, 12.0), (4.0, 5.0, 1.0, 12.0)]
            {
                let wall = BodyDef::fixed().at([x, y]).shape(Shape::rect(width, height));
                add(&mut world, wall.material(material));
            }
            for number in 0..40 {
                let at = [(number % 5) as f32 * 1.3 - 2.6, 1.0 + (number / 5) as f32];
                let size: f32 =
                    if number % 4 == 0 { random.range(0.03, 0.1) } else { random.range(0.3, 0.55) };
                let shape = match random.below(3) {
                    0 => Shape::circle(0.5 * size),
                    1 => Shape::rect(size, size * random.range(0.3_f32, 1.0)),
                    _ => Shape::regular(3 + random.below(5), 0.5 * size),
                };
                let body = BodyDef::dynamic().at(at).angle(random.angle()).velocity(random.vec2(4.0));
                add(&mut world, body.shape(shape).material(material));
            }
            let (first, mut most) = (energy(&world), 0.0);
            for _ in 0..300 {
                step(&mut world);
                fastest = higher(fastest, f64::from(top_speed(&world)));
                most = higher(most, energy(&world));
            }
            gained = higher(gained, most / first - 1.0);
        }
        check_range(&format!("restitution {restitution}: fastest, m/s"), fastest, ..=40.0);
        check_range(&format!("restitution {restitution}: energy gained, a share"), gained, ..=0.01);
    }
}

/// Discs of 1 cm to 60 cm that strike a resting one of up to three times their size or a third of
/// it, as obliquely as at 97 % of both radii, at 0.2 to 50 m/s: both leave within 0.2 degrees of
/// where the textbook sends them.
#[test]
fn oblique_elastic_hits_of_discs_go_where_the_textbook_says() {
    let mut random = Random::new(84);
    let (mut worst, mut hits) = (0.0, 0);
    for _ in 0..rounds(200, 5_000) {
        let r = random.log_range(0.01, 0.6);
        let s = r * random.log_range(1.0 / 3.0, 3.0);
        let speed = random.log_range(0.2, 50.0);
        let way = random.direction();
        let beside = random.range(-0.97, 0.97) * (r + s);
        let gap = random.range(0.001, 0.3) + 0.3 * random.unit() * speed / 60.0;
        let mut world = space();
        let disc = |place: DVec2, velocity: DVec2, radius: f64| {
            let def = BodyDef::dynamic().at(place.as_vec2()).velocity(velocity.as_vec2());
            def.shape(Shape::circle(radius as f32)).material(Material::elastic())
        };
        let a = add(&mut world, disc(way * -(r + s + gap) + way.perp() * beside, way * speed, r));
        let b = add(&mut world, disc(DVec2::ZERO, DVec2::ZERO, s));
        let (place, v) = (world[a].position().as_dvec2(), world[a].velocity().as_dvec2());
        // |place + v t| = r + s
        let (half, whole) = (place.dot(v), place.length_squared() - (r + s) * (r + s));
        let root = (half * half - v.length_squared() * whole).sqrt();
        let normal = (place + v * ((-half - root) / v.length_squared())).normalize();
        let (mass_a, mass_b) = (f64::from(world[a].mass()), f64::from(world[b].mass()));
        let impulse = normal * (2.0 * v.dot(normal) / (1.0 / mass_a + 1.0 / mass_b));
        let wanted = [v - impulse / mass_a, impulse / mass_b];
        let steps = ((gap + 4.0 * (r + s)) / (speed / 60.0)) as usize + 3;
        (0..steps).for_each(|_| step(&mut world));
        for (id, wanted) in [a, b].into_iter().zip(wanted) {
            // What hardly moves has no direction.
            if wanted.length() > 0.02 * speed {
                worst = higher(worst, world[id].velocity().as_dvec2().angle_to(wanted).abs().to_degrees());
                hits += 1;
            }
        }
    }
    assert!(hits > 0);
    check_range("off the textbook, degrees", worst, ..0.2);
}

/// Spinning discs that rub as they strike each other keep their angular momentum, to 0.1 % of the
/// sum of the sizes of all of it.
#[test]
fn spinning_discs_keep_angular_momentum() {
    let mut random = Random::new(85);
    let mut worst = 0.0;
    for _ in 0..rounds(200, 5_000) {
        let material = Material::default().friction(random.unit() as f32).restitution(random.unit() as f32);
        let speed = random.range(1.0_f32, 20.0);
        let mut world = space();
        for side in [-1.0_f32, 1.0] {
            let def = BodyDef::dynamic().at([1.5 * side, random.range(-0.1_f32, 0.1)]);
            let def = def.velocity([-side * speed, 0.0]).spin(random.range(-20.0_f32, 20.0));
            let radius = random.log_range(0.1, 0.4) as f32;
            add(&mut world, def.shape(Shape::circle(radius)).material(material));
        }
        let sums = |world: &World| {
            let mut sums = [0.0, 0.0];
            for (_, body) in world.bodies() {
                let (place, v) = (body.position().as_dvec2(), body.velocity().as_dvec2());
                let orbit = f64::from(body.mass()) * place.perp_dot(v);
                let spin = f64::from(body.inertia()) * f64::from(body.angular_velocity());
                sums = [sums[0] + orbit + spin, sums[1] + orbit.abs() + spin.abs()];
            }
            sums
        };
        let [before, size] = sums(&world);
        let steps = (2.5 / (speed / 60.0)) as usize + 2;
        (0..steps).for_each(|_| step(&mut world));
        let [after, larger] = sums(&world);
        worst = higher(worst, (after - before).abs() / higher(size, larger));
    }
    check_range("angular momentum lost, share", worst, ..0.001);
}

/// A box falls on a smaller one that stands on the floor, of one density, at 7.5 m/s and at any
/// angle: total energy never rises above what it was by more than 1 %, whatever the restitution.
/// (The small one was caught between the corner and the floor: 7.9 J became 17.3 J in two steps.)
#[test]
fn a_small_box_caught_under_a_larger_one_makes_no_energy() {
    let corner_first = core::f32::consts::FRAC_PI_2 - 0.380_506_4;
    for restitution in [0.0_f32, 0.8] {
        let mut random = Random::new(86);
        let (count, mut over, mut worst) = (rounds(40, 800), 0, 0.0);
        for round in 0..count {
            let mut world = earth();
            let material = Material::default().restitution(restitution);
            ground_of(&mut world, material);
            let small = BodyDef::dynamic().at([0.0, 0.075]).shape(Shape::rect(0.37, 0.15));
            add(&mut world, small.material(material));
            // Half of them with a corner straight below the middle, the others somehow.
            let exactly = round % 2 == 0;
            let angle = if exactly { corner_first } else { random.angle() };
            let at = [random.range(-0.2_f32, 0.2), 0.15 + 0.65 + random.range(0.0_f32, 0.2)];
            let large = BodyDef::dynamic().at(at).angle(angle).velocity([0.0, -7.5]);
            add(&mut world, large.shape(Shape::rect(1.2, 0.48)).material(material));
            let (start, mut most) = (energy(&world), 0.0);
            for _ in 0..90 {
                step(&mut world);
                most = higher(most, energy(&world) / start);
            }
            over += usize::from(most > 1.01);
            worst = higher(worst, most);
        }
        let name = format!("restitution {restitution}");
        check_range(&format!("{name}: most energy, of that at the start"), worst, ..=1.01);
        check_range(&format!("{name}: drops that gained 1 %, of {count}"), over as f64, ..=0.0);
    }
}
