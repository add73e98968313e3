//! What a step of a world made of joints costs.
//!
//! ```text
//!   joint_grid/30       a net of 30 x 30 discs, hinged in loops: iteration
//!   joint_grid/100      the same with 100 x 100
//!   ragdolls/falling    200 dolls of 11 bones in the air
//!   ragdolls/landed     the same, in a heap: joints and contacts
//!   chain               40 links, and a ball that weighs 672 times as much as one: a tree, solved directly
//!   bridge              100 planks between two banks
//!   chains/trees        200 chains of 20 links: trees
//!   chains/loops        the same with the last hinge of each made twice, which makes loops of them: iteration
//! ```
//!
//! A step is 1/60 s in 4 sub-steps, nothing sleeps. After the clock has run, each scene has to hold
//! together: everything valid, which includes finite, and no joint open by more than the scene
//! allows.
//!
//! A part of it: `cargo bench -p carom-benches --bench joints -- chain`.

use carom::prelude::*;
use carom_benches::settings;
use criterion::{Criterion, criterion_group, criterion_main};
use std::time::{Duration, Instant};
use testkit::build::{self, add, join, step, steps};
use testkit::doll::{DollDef, doll};
use testkit::joint_scenes::{self, BridgeDef};
use testkit::scenes::{CaromStage, joint_grid};

const DOLLS: usize = 200;
/// Half the width of the box they fall into, in m.
const HALF: f32 = 24.0;
/// How deep in a wall the middle of a bone may be, in m: those below the heap are pressed hard.
const SUNK: f32 = 0.1;
/// Steps that dolls fall before the first of them lands.
const FALL: usize = 40;

fn world() -> World {
    World::new(WorldDef::default().gravity([0.0, -10.0]).sleepless())
}

fn after(count: usize, mut world: World) -> World {
    steps(&mut world, count);
    world
}

/// Asserts that a scene holds together: no joint is open by more than `most` metres.
fn check(world: &World, name: &str, most: f32) {
    build::check(world, name);
    let gap = joint_scenes::greatest_gap(world);
    assert!(gap < most, "{name}: a joint is open by {gap} m, which is more than {most} m");
}

fn net(side: usize) -> World {
    let mut stage = CaromStage::new(world());
    joint_grid::net(&mut stage, side);
    // Time for the net to fall: at 3 s it hangs, and swings.
    after(180, stage.world)
}

/// Dolls in rows above a box without a lid.
fn ragdolls() -> World {
    let mut world = world();
    for (x, y, width, height) in
        [(0.0, -1.0, 50.0, 2.0), (-HALF - 0.5, 15.0, 1.0, 30.0), (HALF + 0.5, 15.0, 1.0, 30.0)]
    {
        let wall = BodyDef::fixed().at([x, y]).shape(Shape::rect(width, height));
        add(&mut world, wall);
    }
    for k in 0..DOLLS {
        let def = DollDef {
            at: vec2(2.3 * (k % 20) as f32 - 21.8, 4.5 + 2.2 * (k / 20) as f32),
            angle: 1.1 * (k % 7) as f32,
            group: -1 - k as i32,
            density: 1.0,
            friction: 0.05,
            muscle: Spring::new(5.0, 0.5),
            strength: f32::INFINITY,
        };
        doll(&mut world, &def);
    }
    world
}

/// Asserts that no bone has left the box.
fn check_ragdolls(world: &World, name: &str, most: f32) {
    check(world, name, most);
    let is_out = |at: Vec2| at.x.abs() > HALF + SUNK || at.y < -SUNK;
    let out = world.bodies().filter(|(_, body)| body.mass() > 0.0 && is_out(body.position())).count();
    assert_eq!(out, 0, "{name}: bones outside of their box");
}

fn ball_and_chain() -> World {
    let mut world = world();
    joint_scenes::ball_and_chain(&mut world, Vec2::ZERO, 40, 8.0);
    world
}

fn bridge() -> World {
    let mut world = world();
    let def = BridgeDef { planks: 100, size: vec2(1.0, 0.25), slope: 0.2, density: 20.0 };
    let banks = [Vec2::ZERO, def.end(Vec2::ZERO)]
        .map(|at| add(&mut world, BodyDef::fixed().at(at).shape(Shape::circle(0.1))));
    joint_scenes::bridge(&mut world, &def, Vec2::ZERO, banks);
    world
}

/// Chains side by side; those with `loops` have their last hinge twice.
fn chains(loops: bool) -> World {
    let mut world = world();
    for k in 0..200 {
        let from = vec2(0.0, 30.0 * k as f32);
        let links = joint_scenes::chain(&mut world, from, 20);
        if loops {
            let hinge = JointDef::revolute(links[18], links[19]).at(from + vec2(19.0, 0.0));
            join(&mut world, hinge);
        }
    }
    world
}

/// Times a step of the world that `build` makes. `None` if the filter on the command line left it
/// out: then nothing is built either.
fn time_step(c: &mut Criterion, name: &str, build: impl Fn() -> World) -> Option<World> {
    let mut built = None;
    c.bench_function(name, |bencher| {
        let world = built.get_or_insert_with(&build);
        bencher.iter(|| step(world));
    });
    built
}

fn grids(c: &mut Criterion) {
    for (side, most) in [(30, 0.1), (100, 0.5)] {
        let name = format!("joints/joint_grid/{side}");
        if let Some(world) = time_step(c, &name, || net(side)) {
            check(&world, &name, most);
        }
    }
}

fn dolls(c: &mut Criterion) {
    let mut fallen = None;
    c.bench_function("joints/ragdolls/falling", |bencher| {
        let start = ragdolls();
        let mut now = (FALL, start.clone());
        bencher.iter_custom(|rounds| {
            let mut time = Duration::ZERO;
            for _ in 0..rounds {
                if now.0 == FALL {
                    now = (0, start.clone());
                }
                now.0 += 1;
                let begin = Instant::now();
                step(&mut now.1);
                time += begin.elapsed();
            }
            time
        });
        fallen = Some(now.1);
    });
    if let Some(world) = fallen {
        check_ragdolls(&world, "ragdolls/falling", 0.02);
    }
    if let Some(world) = time_step(c, "joints/ragdolls/landed", || after(900, ragdolls())) {
        check_ragdolls(&world, "ragdolls/landed", 0.05);
    }
}

fn chain(c: &mut Criterion) {
    if let Some(world) = time_step(c, "joints/chain", ball_and_chain) {
        check(&world, "chain", 0.01);
    }
    if let Some(world) = time_step(c, "joints/bridge", bridge) {
        check(&world, "bridge", 0.01);
    }
    for (name, loops, most) in [("joints/chains/trees", false, 0.01), ("joints/chains/loops", true, 0.2)] {
        if let Some(world) = time_step(c, name, || chains(loops)) {
            check(&world, name, most);
        }
    }
}

criterion_group! {
    name = benches;
    config = settings(0.3, 2.0);
    targets = grids, chain, dolls
}
criterion_main!(benches);
