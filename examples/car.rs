//! A car over hills, a see-saw and a plank bridge: two wheels, each sprung, with a motor and with
//! stops.
//!
//! The hills are one chain, whose inner corners are smooth. Prints how the drive went and how far
//! the springs were pressed; leaves `out/car.svg`: the car every few metres, and below it the way
//! of its springs.
//!
//! ```text
//! cargo run --release -p carom-examples --example car
//! ```

use carom::math::sin;
use carom::prelude::*;
use carom::{Drive, Limits};
use std::error::Error;
use testkit::draw::moment::Moment;
use testkit::draw::svg::{BLUE, GREEN, GREY, INK, ORANGE, RED, Style, Svg};
use testkit::joint_scenes::{BridgeDef, bridge, greatest_gap};

const DT: f32 = 1.0 / 60.0;
const WHEEL: f32 = 0.42;
/// How far a wheel goes down and up from where it was built, in m.
const STOPS: Limits = Limits { lower: -0.2, upper: 0.2 };
const GAP: Vec2 = vec2(64.0, 0.0);
const BRIDGE: BridgeDef = BridgeDef { planks: 12, size: vec2(1.0, 0.16), slope: 0.16, density: 400.0 };
const SEE_SAW: Vec2 = vec2(52.0, 0.55);
const END: f32 = 86.0;
/// Metres between two pictures of the car.
const STRIDE: f32 = 4.0;

struct Car {
    chassis: BodyId,
    wheels: [BodyId; 2],
    /// Rear and front.
    springs: [JointId; 2],
}

/// What a step of the drive looked like: where the car was, and the way of its springs, rear and
/// front.
struct Trace {
    x: f32,
    springs: [f32; 2],
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    let track = track(&mut world)?;
    let car = car(&mut world, vec2(0.0, 1.0))?;
    let (mut traces, mut moments): (Vec<Trace>, Vec<(f32, Moment)>) = (Vec::new(), Vec::new());
    let (mut gap, mut on_road, mut steps) = (0.0, [0; 2], 0);
    while steps < 3_600 && world[car.chassis].position().x < END - 4.0 {
        world.step(DT)?;
        steps += 1;
        let x = world[car.chassis].position().x;
        let springs =
            car.springs.map(|spring| world.joint_state(spring).map_or(f32::NAN, |state| state.length));
        traces.push(Trace { x, springs });
        for (on_road, &wheel) in on_road.iter_mut().zip(&car.wheels) {
            *on_road += usize::from(world.contacts_of_body(wheel).next().is_some());
        }
        let now = greatest_gap(&world);
        gap = if now > gap { now } else { gap };
        if x >= STRIDE * moments.len() as f32 {
            moments.push((steps as f32 * DT, Moment::of(&world)));
        }
    }
    let (time, way) = (steps as f32 * DT, world[car.chassis].position().x);
    println!("{way:.1} m in {time:.1} s; {:.0} kg, motors for {:.1} m/s", mass(&world, &car), SPEED * WHEEL);
    for (k, name) in ["rear", "front"].into_iter().enumerate() {
        let least =
            traces.iter().map(|trace| trace.springs[k]).fold(f32::MAX, |a, b| if b < a { b } else { a });
        let most =
            traces.iter().map(|trace| trace.springs[k]).fold(f32::MIN, |a, b| if b > a { b } else { a });
        let share = 100.0 * on_road[k] as f32 / steps as f32;
        println!(
            "{name}: spring {:+.0} to {:+.0} mm, on the road {share:.0} % of the time",
            1e3 * least,
            1e3 * most
        );
    }
    println!("greatest gap of a joint: {:.2} mm", 1e3 * gap);
    picture(&car, &track, &traces, &moments).save("out/car.svg")?;
    Ok(())
}

fn mass(world: &World, car: &Car) -> f32 {
    [car.chassis, car.wheels[0], car.wheels[1]].iter().map(|&body| world[body].mass()).sum()
}

/// Height of the hills: they grow from the start on, and are gone before the see-saw.
fn height(x: f32) -> f32 {
    let share = ((x - 4.0) / 10.0).clamp(0.0, 1.0) * ((46.0 - x) / 8.0).clamp(0.0, 1.0);
    share
        * share
        * (3.0 - 2.0 * share)
        * (0.75 * sin(0.45 * x) + 0.28 * sin(1.15 * x) + 0.06 * sin(2.9 * x) + 0.6)
}

/// What the car drives over.
struct Track {
    ground: BodyId,
    wedge: BodyId,
    plank: BodyId,
    bridge: Vec<BodyId>,
}

/// Hills and plain up to the gap, the plain behind it, and what stands and hangs there.
fn track(world: &mut World) -> Result<Track, carom::Error> {
    let (end, top) = (BRIDGE.end(GAP).x, 0.5 * BRIDGE.size.y);
    let hills = (-16..=192).map(|k| 0.25 * k as f32).map(|x| vec2(x, height(x)));
    let edge = [vec2(GAP.x - 1.0, 0.0), vec2(GAP.x - 0.1, top), vec2(GAP.x - 0.1, -1.7)];
    let before: Vec<Vec2> = hills.chain(edge).collect();
    let behind = [vec2(end + 0.1, -1.7), vec2(end + 0.1, top), vec2(end + 1.0, 0.0), vec2(END, 0.0)];
    let ground = BodyDef::fixed().shape(Shape::chain(&before)).shape(Shape::chain(&behind));
    let ground = world.add(ground)?;
    let bridge = bridge(world, &BRIDGE, GAP, [ground; 2]).planks;
    // A plank on a wedge, its left end down.
    let wedge = Shape::triangle([-0.5, -SEE_SAW.y], [0.5, -SEE_SAW.y], [0.0, 0.0]);
    let wedge = world.add(BodyDef::fixed().at(SEE_SAW).shape(wedge))?;
    let half = [vec2(4.0, 0.0), vec2(3.6, 0.07), vec2(-3.6, 0.07)];
    let plank = Shape::polygon(&[half, half.map(|point| -point)].concat());
    let plank = world.add(BodyDef::dynamic().at(SEE_SAW).angle(0.13).shape(plank).density(150.0))?;
    world.add_joint(JointDef::revolute(wedge, plank).at(SEE_SAW).motor(0.0, 60.0))?;
    Ok(Track { ground, wedge, plank, bridge })
}

/// Where a wheel hangs when nothing presses it, in m.
const DROOP: f32 = -0.12;
/// It swings between a wheel and all of the car: the car on its wheels, which is heavier, swings
/// slower.
const SPRING: Spring = Spring { hertz: 4.5, damping: 0.6 };
/// How fast the motors turn, in radians a second.
const SPEED: f32 = 14.0;

fn car(world: &mut World, at: Vec2) -> Result<Car, carom::Error> {
    let hull = [vec2(-1.5, -0.2), vec2(1.5, -0.2), vec2(1.55, 0.1), vec2(0.7, 0.2), vec2(-1.5, 0.25)];
    let cabin = [vec2(-1.2, 0.2), vec2(0.75, 0.2), vec2(0.2, 0.62), vec2(-0.9, 0.62)];
    let body = BodyDef::dynamic().at(at).shape(Shape::polygon(&hull)).density(300.0);
    let chassis = world.add(body.shape(ShapeDef::from(Shape::polygon(&cabin)).density(80.0)))?;
    let (mut wheels, mut springs) = (Vec::new(), Vec::new());
    for x in [-0.95, 0.95] {
        let axle = at + vec2(x, -0.4);
        let wheel = BodyDef::dynamic().at(axle).shape(Shape::circle(WHEEL)).density(80.0);
        let wheel = world.add(wheel.material(Material::default().friction(1.2)))?;
        let suspension = Drive::default().servo(DROOP, SPRING).limits(STOPS.lower, STOPS.upper);
        // Both motors turn clockwise, to the right.
        let joint = JointDef::wheel(chassis, wheel, [0.0, 1.0], SPRING).at(axle);
        springs.push(world.add_joint(joint.suspension(suspension).motor(-SPEED, 450.0))?);
        wheels.push(wheel);
    }
    Ok(Car { chassis, wheels: [wheels[0], wheels[1]], springs: [springs[0], springs[1]] })
}

/// Two strips, one above the other: the road with the car every few metres, and the way of its
/// springs below.
fn picture(car: &Car, track: &Track, traces: &[Trace], moments: &[(f32, Moment)]) -> Svg {
    const MIN: Vec2 = vec2(-3.0, -5.6);
    const SIZE: Vec2 = vec2(44.5, 9.8);
    let mut svg = Svg::new(MIN - vec2(0.0, SIZE.y), MIN + SIZE, 28.0);
    let fixed = |id: BodyId| match id {
        _ if id == track.ground => Some(Style { width: 2.5, ..Style::outline(INK) }),
        _ if id == track.wedge => Some(Style::body(GREY)),
        _ => None,
    };
    // What the car stands on, in the moment in which it is at x.
    let moving = |id: BodyId, x: f32| match id {
        _ if id == car.chassis => Some(Style::body(BLUE)),
        _ if car.wheels.contains(&id) => Some(Style::body(INK)),
        _ if id == track.plank => ((x - SEE_SAW.x).abs() < 4.5).then_some(Style::body(GREEN)),
        _ if track.bridge.contains(&id) => {
            (GAP.x..GAP.x + BRIDGE.planks as f32).contains(&x).then_some(Style::body(ORANGE))
        }
        _ => None,
    };
    for strip in [0.0, 1.0] {
        let low = MIN + vec2(SIZE.x * strip, 0.0);
        svg.shifted(vec2(-SIZE.x, -SIZE.y) * strip, |svg| {
            svg.clipped(low, low + SIZE, |svg| {
                travel(svg, traces, low.x, low.x + SIZE.x);
                moments[0].1.draw(svg, fixed);
                for (k, (time, moment)) in moments.iter().enumerate() {
                    let x = STRIDE * k as f32;
                    if (low.x - 2.0..low.x + SIZE.x + 2.0).contains(&x) {
                        moment.draw(svg, |id| moving(id, x));
                        svg.label(vec2(x, height(x) + 2.6), 13.0, &format!("{time:.1} s"), Style::flat(GREY));
                    }
                }
            });
        });
    }
    svg
}

/// The way of the springs over the place of the car, six times as large as the road.
fn travel(svg: &mut Svg, traces: &[Trace], from: f32, to: f32) {
    const ZERO: f32 = -3.7;
    let thin = Style { width: 0.8, ..Style::outline(GREY) };
    for (way, text) in [(STOPS.lower, "-200 mm"), (0.0, "0"), (STOPS.upper, "+200 mm")] {
        let y = ZERO + 6.0 * way;
        svg.line(vec2(from, y), vec2(to, y), Style { dash: if way == 0.0 { 0.0 } else { 4.0 }, ..thin });
        svg.text(vec2(from + 0.3, y + 0.1), 12.0, text, Style::flat(GREY));
    }
    svg.text(vec2(from + 3.0, ZERO - 1.6), 12.0, "way of the springs:", Style::flat(GREY));
    for (k, (color, name)) in [(BLUE, "rear"), (RED, "front")].into_iter().enumerate() {
        let points = traces.iter().step_by(2).map(|trace| vec2(trace.x, ZERO + 6.0 * trace.springs[k]));
        let points: Vec<Vec2> = points.filter(|point| (from - 1.0..to + 1.0).contains(&point.x)).collect();
        svg.polyline(&points, Style { width: 1.2, ..Style::outline(color) });
        svg.text(vec2(from + 7.3 + 1.5 * k as f32, ZERO - 1.6), 12.0, name, Style::flat(color));
    }
}
