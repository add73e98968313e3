//! What a step of a world costs.
//!
//! ```text
//!   pyramid/55      1,540 boxes at rest on each other, kept awake: the solver
//!   pile/5000       5,000 mixed bodies, fallen into a box: pairs, exact tests and the solver
//!   beside/0        1,000 awake balls that bounce for ever
//!   beside/100000   the same beside 100,000 fixed boxes: cost has to follow what is awake
//!   tiles/map       1,000 awake bodies that bounce on a map of a million cells, half of them solid
//!   tiles/boxes     the same on a box for each cell of the surface
//!   tiles/edits     10,000 cells of that map emptied, and filled again
//!   game_loop       pyramid of 20 rows, frames of 144 Hz through `FixedStep`, with poses to draw; the time of a frame
//! ```
//!
//! A step is 1/60 s in 4 sub-steps. After the clock has run, each scene has to be what it was: the
//! pyramid as high, the pile in its box, everything valid. The ratio of both `beside`, and that of
//! `tiles`, is printed after them, measured in turns, so that both see the same machine.
//!
//! A part of it: `cargo bench -p carom-benches --bench step -- pyramid`.

use carom::Material;
use carom::prelude::*;
use carom_benches::settings;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Instant;
use testkit::build::{add, check, step, steps};
use testkit::pile::{SETTLE, check_pile, pile};
use testkit::pyramid;
use testkit::random::Random;

const FIXED: usize = 100_000;

/// Boxes of 1 m on a plain, `rows` in the lowest row. Its top is the last.
fn stacked(rows: usize) -> (World, BodyId) {
    let mut world = World::new(WorldDef::default().sleepless());
    let width = 4.0 * rows as f32;
    let mut top = add(&mut world, BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(width, 1.0)));
    for (_, at) in pyramid::places(rows, 1.1) {
        top = add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)));
    }
    (world, top)
}

/// Asserts that a pyramid stands: its top as high as its rows.
fn check_pyramid(world: &World, top: BodyId, rows: usize) {
    check(world, "pyramid");
    let (height, wanted) = (world[top].position().y, rows as f32 - 0.5);
    assert!((height - wanted).abs() < 0.1, "the top of {rows} rows is at {height} m, not at {wanted} m");
}

/// A thousand balls that bounce between walls without loss, so that none rests, and `fixed` boxes
/// beyond the walls.
fn beside(fixed: usize) -> World {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]).sleepless());
    let mut random = Random::new(2);
    let walls = [vec2(30.0, 30.0), vec2(-30.0, 30.0), vec2(-30.0, -30.0), vec2(30.0, -30.0)];
    add(&mut world, BodyDef::fixed().shape(Shape::closed_chain(&walls)).material(Material::elastic()));
    for k in 0..1_000 {
        let at = vec2(1.7 * (k % 32) as f32 - 26.0, 1.7 * (k / 32) as f32 - 26.0);
        let speed = vec2(random.range(-4.0, 4.0), random.range(-4.0, 4.0));
        let ball = BodyDef::dynamic().at(at).velocity(speed).shape(Shape::circle(random.range(0.3, 0.6)));
        add(&mut world, ball.material(Material::elastic()));
    }
    let columns = 400;
    for k in 0..fixed {
        let at = vec2(40.0 + 1.2 * (k % columns) as f32, 1.2 * (k / columns) as f32 - 150.0);
        add(&mut world, BodyDef::fixed().at(at).shape(Shape::rect(1.0, 1.0)));
    }
    steps(&mut world, SETTLE);
    world
}

fn check_beside(world: &World) {
    check(world, "beside");
    let awake = world.bodies().filter(|(_, body)| body.is_awake()).count();
    assert_eq!(awake, 1_000, "all balls are awake");
    let is_out = |at: Vec2| at.abs().max_element() > 30.0;
    let out = world.bodies().filter(|(_, body)| body.mass() > 0.0 && is_out(body.position())).count();
    assert_eq!(out, 0, "balls beyond the walls");
}

/// Times a step of the world that `build` makes. `None` if the filter on the command line left it
/// out: then nothing is built either.
fn time_step<W>(c: &mut Criterion, name: &str, build: impl Fn() -> W, step: impl Fn(&mut W)) -> Option<W> {
    let mut built = None;
    c.bench_function(name, |bencher| {
        let world = built.get_or_insert_with(&build);
        bencher.iter(|| step(world));
    });
    built
}

fn scenes(c: &mut Criterion) {
    let settled = || {
        let (mut world, top) = stacked(55);
        steps(&mut world, SETTLE);
        (world, top)
    };
    if let Some((world, top)) = time_step(c, "step/pyramid/55", settled, |(world, _)| step(world)) {
        check_pyramid(&world, top, 55);
    }
    if let Some(world) = time_step(c, "step/pile/5000", || pile(5_000), step) {
        check_pile(&world, 5_000);
    }
}

fn beside_fixed(c: &mut Criterion) {
    for fixed in [0, FIXED] {
        let Some(world) = time_step(c, &format!("step/beside/{fixed}"), || beside(fixed), step) else {
            continue;
        };
        check_beside(&world);
        if fixed > 0 {
            let ratio = ratio(&mut beside(0), &mut beside(fixed));
            println!("step/beside: {ratio:.3} times as long beside {fixed} fixed bodies as alone");
        }
    }
}

/// Median time of a step of `crowded` over that of `alone`, step by step in turns.
fn ratio(alone: &mut World, crowded: &mut World) -> f64 {
    let time = |world: &mut World| {
        let start = Instant::now();
        step(world);
        start.elapsed().as_secs_f64()
    };
    let (mut few, mut many) = (Vec::new(), Vec::new());
    for _ in 0..501 {
        few.push(time(alone));
        many.push(time(crowded));
    }
    few.sort_by(f64::total_cmp);
    many.sort_by(f64::total_cmp);
    many[many.len() / 2] / few[few.len() / 2]
}

/// A surface with a bump in every seventh column, of cells or of boxes, and bodies that bounce on
/// it.
fn tiled(as_map: bool) -> World {
    let mut world = World::new(WorldDef::default().sleepless());
    let is_solid = |x: u32, y: u32| y < 500 || (y == 500 && x % 7 == 3);
    if as_map {
        let solid = |k: u32| if is_solid(k % 1000, k / 1000) { TileCell::SOLID } else { TileCell::EMPTY };
        let cells: Vec<TileCell> = (0..1_000_000).map(solid).collect();
        let map = Shape::tiles(1.0, 1000, &cells);
        add(&mut world, BodyDef::fixed().at([-500.0, -500.0]).shape(map));
    } else {
        for [x, y] in (0..1000).flat_map(|x| (497..501).map(move |y| [x, y])) {
            if is_solid(x, y) {
                let at = [x as f32 - 499.5, y as f32 - 499.5];
                add(&mut world, BodyDef::fixed().at(at).shape(Shape::rect(1.0, 1.0)));
            }
        }
    }
    let mut random = Random::new(5);
    for k in 0..1_000 {
        let at = vec2(0.48 * k as f32 - 240.0, random.range(3.0, 6.0));
        let shape = if k % 2 == 0 { Shape::circle(0.3) } else { Shape::rect(0.6, 0.5) };
        let material = Material::default().restitution(0.5).friction(0.1);
        let velocity = vec2(random.range(-3.0, 3.0), 2.0);
        add(&mut world, BodyDef::dynamic().at(at).velocity(velocity).shape(shape).material(material));
    }
    steps(&mut world, SETTLE);
    world
}

fn check_tiled(world: &World) {
    check(world, "tiles");
    let fallen = world.bodies().filter(|(_, body)| body.mass() > 0.0 && body.position().y < 0.1).count();
    assert_eq!(fallen, 0, "bodies below the surface");
}

fn tiles(c: &mut Criterion) {
    let map = time_step(c, "step/tiles/map", || tiled(true), step);
    let boxes = time_step(c, "step/tiles/boxes", || tiled(false), step);
    if let (Some(map), Some(boxes)) = (map, boxes) {
        [&map, &boxes].into_iter().for_each(check_tiled);
        let ratio = ratio(&mut tiled(false), &mut tiled(true));
        println!("step/tiles: {ratio:.3} times as long on a million cells as on boxes of their surface");
    }
    let edited = || {
        let world = tiled(true);
        let ground = world.bodies().next().expect("the ground").0;
        let map = world.shapes_of(ground).next().expect("a map").0;
        (world, map, false)
    };
    let edit = |(world, map, fills): &mut (World, ShapeId, bool)| {
        *fills = !*fills;
        let cell = if *fills { TileCell::EMPTY } else { TileCell::SOLID };
        for k in 0..10_000_u32 {
            world.set_tile(*map, [k * 7919 % 1000, 200 + k * 31 % 290], cell).expect("a cell");
        }
    };
    if let Some((world, ..)) = time_step(c, "step/tiles/edits", edited, edit) {
        check_tiled(&world);
    }
}

fn game_loop(c: &mut Criterion) {
    let settled = || {
        let (mut world, top) = stacked(20);
        steps(&mut world, SETTLE);
        (world, top, FixedStep::hz(60.0))
    };
    let frame = |(world, _, clock): &mut (World, BodyId, FixedStep)| {
        for _ in 0..clock.advance(1.0 / 144.0) {
            world.step(clock.dt()).expect("a step of 1/60 s");
        }
        black_box(world.poses_at(clock.alpha()));
    };
    if let Some((world, top, _)) = time_step(c, "step/game_loop", settled, frame) {
        check_pyramid(&world, top, 20);
    }
}

criterion_group! {
    name = benches;
    config = settings(0.3, 2.0);
    targets = scenes, beside_fixed, tiles, game_loop
}
criterion_main!(benches);
