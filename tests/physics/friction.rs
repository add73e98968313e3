//! Friction on slopes and floors, against Coulomb.

use carom::prelude::*;
use glam::DVec2;

use testkit::worlds::{add, check_range, earth, ground_of, run, top_speed};

const G: f64 = 9.81;

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

/// A block on a slope stays 0.5 degrees below atan(mu_s), for 5 s, and slides 0.5 degrees above it,
/// for mu_s from 0.1 to
/// 0.9; where the kinetic coefficient is half the static one, it is the static one that decides.
#[test]
fn a_block_slides_above_the_friction_angle() {
    for mu in [0.1_f32, 0.2, 0.4, 0.6, 0.9] {
        for kinetic in [mu, 0.5 * mu] {
            let material = Material { kinetic_friction: kinetic, ..Material::default().friction(mu) };
            let limit = f64::from(mu).atan().to_degrees();
            let (below, above) = (slid(limit - 0.5, material), slid(limit + 0.5, material));
            // Free of friction by half a degree it slides g cos(limit) 0.0087 (1 + mu²) t² / 2,
            // some 0.8 m at least.
            check_range(&format!("mu {mu}/{kinetic}: slid 0.5° below, m"), below, -0.005..=0.005);
            check_range(&format!("mu {mu}/{kinetic}: slid 0.5° above, m"), above, 0.5..);
        }
    }
}

/// A block thrown along a plain at 2 to 10 m/s comes to rest after v² / (2 mu_k g), to 1 %.
#[test]
fn a_sliding_block_stops_where_coulomb_says() {
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
            check_range(&format!("{speed} m/s, mu {kinetic}: way, of v²/2μg"), way / wanted, 0.99..=1.01);
            check_range("speed at the end, m/s", top_speed(&world), ..=0.001);
        }
    }
}

/// Of three crates on a tilted belt at rest, the icy one slides away, the rubber one stays, and the
/// wooden one, thrown up the slope, comes to rest on it where energy says.
#[test]
fn crates_on_a_slope_slide_stick_or_stop_by_their_friction() {
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
    check_range("slid by the icy one, of its law", (-20.0 - along(&world, icy)) / wanted, 0.98..=1.02);
    check_range("slid by the rubber one, m", along(&world, rubber), -0.01..=0.01);
    let wanted = 16.0 / (2.0 * G * (sin + 0.5 * cos));
    check_range("way of the wooden one, of its law", (along(&world, wooden) - 10.0) / wanted, 0.97..=1.03);
}
