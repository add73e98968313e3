//! Loops of joints that keep still: a welded tower, a bridge of ropes, a truss, a scissor lift; and
//! a net that swings.
//!
//! Prints gap, speed and sleep of each after 20 s, and the truss' sag under a hundred times its
//! mass; leaves `out/structures.svg`.
//!
//! ```text
//! cargo run --release -p carom-examples --example structures
//! ```

use carom::prelude::*;
use std::error::Error;
use testkit::build::{add, join};
use testkit::draw::moment::Moment;
use testkit::draw::svg::{BLUE, INK, Style, Svg};
use testkit::joint_scenes::{ALONE, greatest_gap};
use testkit::worlds::{run, top_speed};

/// Four storeys of two posts and a plank each, welded where they touch, on the ground.
fn tower() -> World {
    let mut world = World::default();
    add(&mut world, BodyDef::fixed().at([0.0, -0.25]).shape(Shape::rect(5.0, 0.5)));
    let mut below = None;
    for storey in 0..4 {
        let y = 2.2 * storey as f32;
        let part = |x: f32, y: f32, width: f32, height: f32| {
            BodyDef::dynamic().at([x, y]).shape(Shape::rect(width, height)).density(600.0)
        };
        let posts = [-1.0, 1.0].map(|x| add(&mut world, part(x, y + 1.0, 0.2, 2.0)));
        let plank = add(&mut world, part(0.0, y + 2.1, 2.4, 0.2));
        for (post, x) in posts.into_iter().zip([-1.0, 1.0]) {
            let foot = below.map(|below| JointDef::weld(below, post).at([x, y]));
            for weld in foot.into_iter().chain([JointDef::weld(post, plank).at([x, y + 2.0])]) {
                join(&mut world, weld);
            }
        }
        below = Some(plank);
    }
    world
}

/// Sixteen planks, each tied to the next by two ropes.
fn rope_bridge() -> World {
    let mut world = World::default();
    let mut before: Option<BodyId> = None;
    for k in 0..=16 {
        let x = 1.2 * k as f32;
        let plank = BodyDef::dynamic().at([x + 0.7, 0.0]).shape(Shape::rect(1.0, 0.2));
        let plank = (k < 16).then(|| add(&mut world, plank));
        for y in [-0.1, 0.1] {
            let (from, to) = (vec2(x, y), vec2(x + 0.2, y));
            let rope = match (before, plank) {
                (_, Some(plank)) => JointDef::rope(before, plank, 0.2).between(from, to),
                (Some(last), None) => JointDef::rope(None, last, 0.2).between(to, from),
                (None, None) => continue,
            };
            join(&mut world, rope);
        }
        before = plank;
    }
    world
}

/// A bar of steel between two points.
fn bar(world: &mut World, [from, to]: [Vec2; 2]) -> BodyId {
    let (way, middle) = (to - from, 0.5 * (from + to));
    let shape = Shape::rect(way.length(), 0.1);
    add(
        world,
        BodyDef::dynamic().at(middle).angle(carom::math::atan2(way.y, way.x)).shape(shape).filter(ALONE),
    )
}

/// A truss of 40 panels, hinged wherever bars meet, with a hundred times its mass in the middle;
/// and that load.
fn truss() -> (World, BodyId) {
    let (panels, mut world) = (40, World::default());
    let low = |k: usize| vec2(k as f32, 0.0);
    let high = |k: usize| vec2(k as f32 + 0.5, 0.8);
    let mut ways = Vec::new();
    for k in 0..panels {
        ways.extend([[low(k), low(k + 1)], [low(k), high(k)], [high(k), low(k + 1)]]);
        ways.extend((k + 1 < panels).then(|| [high(k), high(k + 1)]));
    }
    let bars: Vec<BodyId> = ways.iter().map(|&way| bar(&mut world, way)).collect();
    let ends_at = |point: Vec2| -> Vec<BodyId> {
        let ends = ways.iter().zip(&bars).filter(|(way, _)| way.contains(&point));
        ends.map(|(_, &bar)| bar).collect()
    };
    for point in (0..=panels).map(low).chain((0..panels).map(high)) {
        for pair in ends_at(point).windows(2) {
            join(&mut world, JointDef::revolute(pair[0], pair[1]).at(point));
        }
    }
    for k in [0, panels] {
        join(&mut world, JointDef::revolute(None, ends_at(low(k))[0]).at(low(k)));
    }
    let mass: f32 = world.bodies().map(|(_, body)| body.mass()).sum();
    let middle = low(panels / 2);
    let load = BodyDef::dynamic().at(middle - vec2(0.0, 1.5)).shape(Shape::rect(2.0, 2.0));
    let load = add(&mut world, load.density(25.0 * mass).filter(ALONE));
    join(&mut world, JointDef::revolute(ends_at(middle)[0], load).at(middle));
    (world, load)
}

/// Twenty stages of two crossed bars.
fn scissor_lift() -> World {
    let mut world = World::default();
    let mut below: Option<[BodyId; 2]> = None;
    for stage in 0..20 {
        let y = 0.5 * stage as f32;
        let [left, right] = [vec2(-0.5, y), vec2(0.5, y)];
        let rising = bar(&mut world, [left, right + vec2(0.0, 0.5)]);
        let falling = bar(&mut world, [right, left + vec2(0.0, 0.5)]);
        join(&mut world, JointDef::revolute(rising, falling).at([0.0, y + 0.25]));
        let feet = below.map_or([None, None], |[rising, falling]| [Some(falling), Some(rising)]);
        for ((foot, bar), at) in feet.into_iter().zip([rising, falling]).zip([left, right]) {
            join(&mut world, JointDef::revolute(foot, bar).at(at));
        }
        below = Some([rising, falling]);
    }
    world
}

/// A net of 24 × 24 discs, pinned at the ends of its top row.
fn net() -> World {
    const SIDE: usize = 24;
    let mut world = World::new(WorldDef::default().sleepless());
    let place = |row: usize, column: usize| vec2(column as f32, -(row as f32));
    let disc = |at: Vec2| BodyDef::dynamic().at(at).shape(Shape::circle(0.4)).filter(ALONE);
    let discs: Vec<BodyId> =
        (0..SIDE * SIDE).map(|k| add(&mut world, disc(place(k / SIDE, k % SIDE)))).collect();
    for (row, column) in (0..SIDE * SIDE).map(|k| (k / SIDE, k % SIDE)) {
        let (at, disc) = (place(row, column), discs[row * SIDE + column]);
        if column > 0 {
            let left = discs[row * SIDE + column - 1];
            join(&mut world, JointDef::revolute(left, disc).at(at - vec2(0.5, 0.0)));
        }
        if row > 0 {
            let above = discs[(row - 1) * SIDE + column];
            join(&mut world, JointDef::revolute(above, disc).at(at + vec2(0.0, 0.5)));
        }
    }
    for column in [0, SIDE - 1] {
        join(&mut world, JointDef::revolute(None, discs[column]).at(place(0, column)));
    }
    world
}

fn report(name: &str, world: &World) {
    let (gap, speed) = (1e3 * greatest_gap(world), top_speed(world));
    let awake = world.bodies().filter(|(_, body)| body.is_awake() && body.mass() > 0.0).count();
    println!("{name}: greatest gap {gap:.3} mm, fastest body {speed:.4} m/s, {awake} awake");
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut svg = Svg::new(vec2(-14.5, -23.5), vec2(28.5, 13.0), 17.5);
    // Where the origin of each is drawn, and where its name.
    let still = [
        ("a tower of welds", tower(), vec2(-11.0, 0.0), vec2(-14.0, 10.0)),
        ("a scissor lift", scissor_lift(), vec2(-3.5, 0.0), vec2(-5.5, 11.0)),
        ("a bridge of ropes", rope_bridge(), vec2(5.0, 10.0), vec2(5.0, 11.0)),
    ];
    for (name, mut world, at, name_at) in still {
        run(&mut world, 1200);
        report(name, &world);
        draw(&mut svg, at, &Moment::of(&world));
        svg.text(name_at, 14.0, name, Style::flat(INK));
    }
    let (mut world, load) = truss();
    run(&mut world, 1200);
    report("a truss of 40 panels", &world);
    println!("  it sags by {:.2} mm under 100 times its mass", -1e3 * (world[load].position().y + 1.5));
    draw(&mut svg, vec2(-13.0, -20.0), &Moment::of(&world));
    svg.text(vec2(-14.0, -18.4), 14.0, "a truss, loaded with 100 times its mass", Style::flat(INK));
    let mut world = net();
    run(&mut world, 300);
    report("a net, 5 s after it was let go", &world);
    draw(&mut svg, vec2(3.5, 7.0), &Moment::of(&world));
    svg.text(vec2(3.0, 8.0), 14.0, "a net, 5 s after it was let go", Style::flat(INK));
    svg.save("out/structures.svg")?;
    Ok(())
}

fn draw(svg: &mut Svg, at: Vec2, moment: &Moment) {
    svg.shifted(at, |svg| moment.draw(svg, |_| Some(Style { opacity: 0.7, ..Style::body(BLUE) })));
}
