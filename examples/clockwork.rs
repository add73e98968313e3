//! Gears of four sizes, a rack, a link that breaks, and a rope over two pulleys.
//!
//! ```text
//!   motor -> gears -> pinion -> rack -> link -> wall            weight - rope - weight, a lift below the left one
//! ```
//!
//! The gears are discs that touch nothing: what couples them are gear joints, and the teeth in the
//! picture mesh only as long as these hold. Prints how far each coupling was off, what the rope
//! did, and what broke; leaves `out/clockwork.svg`.
//!
//! ```text
//! cargo run --release -p carom-examples --example clockwork
//! ```

use carom::prelude::*;
use carom::{Filter, Locks};
use std::error::Error;
use std::f32::consts::TAU;
use testkit::draw::gearing;
use testkit::draw::svg::{BLUE, GREEN, GREY, INK, ORANGE, PURPLE, RED, Style, Svg};

const DT: f32 = 1.0 / 60.0;
/// When the picture looks, in seconds.
const MOMENTS: [f32; 4] = [0.0, 3.0, 8.0, 14.0];
/// Radius of a gear for each of its teeth, in m.
const MODULE: f32 = 0.05;
/// Teeth of each gear, and in which direction it stands from the one before, in radians. The last
/// one is the pinion.
const GEARS: [(u32, f32); 4] = [(12, 0.0), (36, -0.26), (18, 0.26), (24, -1.4)];
const MOTOR: Vec2 = vec2(-2.9, 3.0);
const RACK: Vec2 = vec2(4.4, 0.3);
/// Where its middle starts.
const RACK_AT: f32 = 0.6;
const WALL: f32 = -3.5;
/// Where the rope runs down to the weights.
const PULLEYS: [Vec2; 2] = [vec2(5.4, 4.6), vec2(7.4, 4.6)];
/// How high the weights start.
const START: [f32; 2] = [1.2, 1.6];
const WEIGHT: Vec2 = vec2(0.8, 0.7);
const LIFT: Vec2 = vec2(1.4, 0.2);
/// Below the right weight: lower left and upper right corner.
const STAND: [Vec2; 2] = [vec2(6.8, -1.1), vec2(8.0, 0.1)];

struct Clockwork {
    gears: Vec<BodyId>,
    axles: Vec<JointId>,
    /// Between neighbours, and from pinion to rack.
    couplings: Vec<JointId>,
    rack: BodyId,
    link: JointId,
    weights: [BodyId; 2],
    rope: JointId,
    lift: BodyId,
}

/// Where the axles are: neighbours touch where their radii meet.
fn centers() -> Vec<Vec2> {
    let mut centers = vec![MOTOR];
    for pair in GEARS.windows(2) {
        let apart = MODULE * (pair[0].0 + pair[1].0) as f32;
        centers.push(centers[centers.len() - 1] + Rot::from_angle(pair[1].1).x_axis() * apart);
    }
    centers
}

fn clockwork(world: &mut World) -> Result<Clockwork, carom::Error> {
    let alone = Filter { mask: 0, ..Filter::default() };
    let (mut gears, mut axles, mut couplings) = (Vec::new(), Vec::new(), Vec::new());
    for (&(teeth, _), center) in GEARS.iter().zip(centers()) {
        let disc = BodyDef::dynamic().at(center).shape(Shape::circle(MODULE * teeth as f32)).density(50.0);
        gears.push(world.add(disc.filter(alone))?);
        axles.push(world.add_joint(JointDef::revolute(None, gears[gears.len() - 1]).at(center))?);
    }
    for k in 1..GEARS.len() {
        let ratio = GEARS[k].0 as f32 / GEARS[k - 1].0 as f32;
        couplings.push(world.add_joint(JointDef::gear(axles[k - 1], axles[k], ratio))?);
    }
    let (pinion, radius) = (centers()[3], MODULE * GEARS[3].0 as f32);
    let middle = vec2(RACK_AT, pinion.y - radius - 0.5 * RACK.y);
    let rack = BodyDef::dynamic().at(middle).shape(Shape::rect(RACK.x, RACK.y)).density(60.0);
    let rack = world.add(rack.filter(alone))?;
    let slide = world.add_joint(JointDef::prismatic(None, rack, [1.0, 0.0]).at(middle))?;
    // The lower side of a pinion that turns counter-clockwise goes to the right.
    couplings.push(world.add_joint(JointDef::gear(axles[3], slide, -1.0 / radius))?);
    let end = middle - vec2(0.5 * RACK.x, 0.0);
    let link = JointDef::distance(None, rack).between(vec2(WALL, middle.y), end);
    let link = world.add_joint(link.soft(Spring::new(0.6, 0.5)).breaks_at(1_200.0, f32::INFINITY))?;
    world.change_joint(axles[0], |def| *def = def.motor(-0.5, 1_000.0))?;
    let size = STAND[1] - STAND[0];
    world.add(BodyDef::fixed().at(0.5 * (STAND[0] + STAND[1])).shape(Shape::rect(size.x, size.y)))?;
    let lift = world.add(BodyDef::kinematic().at(lift_at(0.0)).shape(Shape::rect(LIFT.x, LIFT.y)))?;
    let weight = |at: Vec2, density: f32| {
        BodyDef::dynamic()
            .at(at)
            .shape(Shape::rect(WEIGHT.x, WEIGHT.y))
            .density(density)
            .locks(Locks::ROTATION)
    };
    let top = vec2(0.0, 0.5 * WEIGHT.y);
    let places = [vec2(PULLEYS[0].x, START[0]), vec2(PULLEYS[1].x, START[1])];
    let weights = [world.add(weight(places[0], 80.0))?, world.add(weight(places[1], 50.0))?];
    let rope = JointDef::pulley(weights[0], weights[1], PULLEYS[0], PULLEYS[1], 1.0).anchors(top, top);
    let rope = world.add_joint(rope)?;
    Ok(Clockwork { gears, axles, couplings, rack, link, weights, rope, lift })
}

/// Where the lift is: it waits, goes up, stays, and goes down again.
fn lift_at(time: f32) -> Vec2 {
    let way = ((time - 4.0) / 3.0).clamp(0.0, 1.0) - ((time - 9.0) / 3.0).clamp(0.0, 1.0);
    vec2(PULLEYS[0].x, -0.2 + 2.6 * way * way * (3.0 - 2.0 * way))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    let it = clockwork(&mut world)?;
    let mut svg = Svg::new(MIN - vec2(0.0, SIZE.y), MIN + vec2(2.0 * SIZE.x, SIZE.y), 46.0);
    let (mut off, mut longest, mut panel) = (vec![0.0; it.couplings.len()], 0.0, 0);
    for step in 0..=(MOMENTS[3] / DT).round() as usize {
        let time = step as f32 * DT;
        if time + 0.5 * DT >= MOMENTS[panel] {
            report(&world, &it, time);
            let by = vec2(SIZE.x * (panel % 2) as f32, -SIZE.y * (panel / 2) as f32);
            svg.shifted(by, |svg| draw(svg, &world, &it, time));
            panel += 1;
        }
        if step == 420 {
            // Back again, and nothing pulls any more.
            world.change_joint(it.axles[0], |def| *def = def.motor(0.5, 1_000.0))?;
        }
        world.move_to(it.lift, lift_at(time + DT), 0.0)?;
        world.step(DT)?;
        for (off, &coupling) in off.iter_mut().zip(&it.couplings) {
            *off = largest(*off, gap(&world, coupling));
        }
        longest = largest(longest, gap(&world, it.rope));
        for event in world.events().broken() {
            let name = if event.joint == it.link { "link" } else { "?" };
            println!("{:5.2} s  the {name} broke at {:.0} N", time + DT, event.force);
        }
    }
    for (k, off) in off.iter().enumerate() {
        let (first, second) = (GEARS[k].0, GEARS.get(k + 1).map_or("rack".into(), |gear| gear.0.to_string()));
        println!("gear {first} : {second}, greatest error {off:.6} rad");
    }
    println!("rope: longer than it is by {:.3} mm at most", 1e3 * longest);
    svg.save("out/clockwork.svg")?;
    Ok(())
}

fn largest(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

fn gap(world: &World, joint: JointId) -> f32 {
    world.joint_state(joint).map_or(f32::NAN, |state| state.gap)
}

/// From each end of the rope to its pulley.
fn rope_ends(world: &World, it: &Clockwork) -> [(Vec2, Vec2); 2] {
    let top = |k: usize| world[it.weights[k]].position() + vec2(0.0, 0.5 * WEIGHT.y);
    [(top(0), PULLEYS[0]), (top(1), PULLEYS[1])]
}

/// How much rope hangs loose: it is as long as it was drawn tight at the start.
fn slack(world: &World, it: &Clockwork) -> f32 {
    let start = 2.0 * PULLEYS[0].y - START[0] - START[1] - WEIGHT.y;
    let [a, b] = rope_ends(world, it).map(|(top, pulley)| top.distance(pulley));
    start - a - b
}

fn report(world: &World, it: &Clockwork, time: f32) {
    let turns = it.axles.iter().filter_map(|&axle| world.joint_state(axle)).map(|state| state.angle);
    let turns: Vec<String> = turns.map(|angle| format!("{angle:+.3}")).collect();
    let rack = world[it.rack].position().x;
    let slack = 1e3 * slack(world, it);
    println!(
        "{time:5.2} s  gears at {} rad, rack at {rack:.3} m, rope slack {slack:.1} mm",
        turns.join(", ")
    );
}

const MIN: Vec2 = vec2(-4.1, -1.5);
const SIZE: Vec2 = vec2(12.8, 7.2);

fn draw(svg: &mut Svg, world: &World, it: &Clockwork, time: f32) {
    svg.text(MIN + vec2(0.4, 6.4), 18.0, &format!("{time:.0} s"), Style::flat(INK));
    let (centers, mut first) = (centers(), 0.0);
    for (k, (&(teeth, _), &gear)) in GEARS.iter().zip(&it.gears).enumerate() {
        let style = Style::body([RED, GREEN, PURPLE, ORANGE][k]);
        gearing::gear(svg, (teeth, MODULE), centers[k], world[gear].angle() + first, style);
        if let Some(&(next, direction)) = GEARS.get(k + 1) {
            first = gearing::meshing(teeth, first, next, direction);
        }
    }
    let rack = world[it.rack].position();
    let (low, high) = (rack - 0.5 * RACK, rack + 0.5 * RACK);
    // At the start a gap of the rack is where the pinion has its first tooth, rolled down to the
    // rack.
    let gap = centers[3].x + (0.25 * TAU + first) * MODULE * GEARS[3].0 as f32;
    gearing::rack(svg, MODULE, [low, high], gap + 0.5 * TAU * MODULE + rack.x - RACK_AT, Style::body(BLUE));
    let thick = |color| Style { width: 3.0, ..Style::outline(color) };
    let wall = vec2(WALL, rack.y);
    svg.line(wall - vec2(0.0, 0.5), wall + vec2(0.0, 0.5), thick(INK));
    let end = vec2(low.x, rack.y);
    if world.get_joint(it.link).is_some() {
        svg.line(wall, end, thick(RED));
    } else {
        svg.line(wall, wall + vec2(0.4, -0.15), thick(RED));
        svg.line(end, end - vec2(0.4, 0.15), thick(RED));
    }
    draw_rope(svg, world, it);
}

fn draw_rope(svg: &mut Svg, world: &World, it: &Clockwork) {
    let line = Style { width: 2.0, ..Style::outline(INK) };
    let solid = Style { fill: "#e4e7ea", opacity: 1.0, ..Style::body(GREY) };
    let lift = world[it.lift].position();
    svg.rect(STAND[0], STAND[1], solid);
    svg.rect(vec2(lift.x - 0.12, STAND[0].y), vec2(lift.x + 0.12, lift.y), solid);
    svg.rect(lift - 0.5 * LIFT, lift + 0.5 * LIFT, Style::body(PURPLE));
    for (k, (top, pulley)) in rope_ends(world, it).into_iter().enumerate() {
        let wheel = pulley + vec2([0.25, -0.25][k], 0.0);
        svg.circle(wheel, 0.25, Style::body(GREY));
        svg.dot(wheel, GREY);
        svg.line(wheel + vec2(0.0, 0.25), vec2(0.5 * (PULLEYS[0].x + PULLEYS[1].x), wheel.y + 0.25), line);
        // All that is loose hangs on the left.
        gearing::rope(svg, top, pulley, [slack(world, it), 0.0][k], line);
        let at = world[it.weights[k]].position();
        svg.rect(at - 0.5 * WEIGHT, at + 0.5 * WEIGHT, Style::body([ORANGE, BLUE][k]));
        svg.label(at, 13.0, &format!("{:.0} kg", world[it.weights[k]].mass()), Style::flat(INK));
    }
}
