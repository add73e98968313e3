//! An aiming line: where a ball will fly, told before it is thrown, for a fan of throws.
//!
//! [`World::predict`] steps the ball while all else stands still. A bot takes the throw that comes
//! nearest to the bucket; then it is thrown, and the way it went is compared with the line, bit by
//! bit. Leaves `out/aim.svg`: the fan thin, the throw that was taken thick, and the ball along its
//! way.
//!
//! ```text
//! cargo run --release -p carom-examples --example aim
//! ```

use carom::prelude::*;
use carom::{PathPoint, Prediction, Start};
use std::error::Error;
use testkit::draw::svg::{BLUE, GREY, PALETTE, Style, Svg};

const DT: f32 = 1.0 / 60.0;
const STEPS: u32 = 150;
const RADIUS: f32 = 0.18;
const BUCKET: Vec2 = vec2(9.0, 0.35);

/// Walls and ledges: middle, size, angle.
const WALLS: [([f32; 2], [f32; 2], f32); 6] = [
    ([4.0, -0.5], [16.0, 1.0], 0.0),
    ([4.6, 2.4], [0.4, 2.2], 0.0),
    ([6.6, 4.9], [2.6, 0.3], -0.35),
    ([11.4, 2.5], [0.4, 7.0], 0.0),
    ([8.4, 0.5], [0.15, 1.0], 0.0),
    ([9.7, 0.5], [0.15, 1.0], 0.0),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::default();
    for (at, [width, height], angle) in WALLS {
        let wall = BodyDef::fixed().at(at).angle(angle).shape(Shape::rect(width, height));
        world.add(wall.material(Material::default().restitution(0.5)))?;
    }
    let ball = BodyDef::dynamic().at([0.0, 1.0]).shape(Shape::circle(RADIUS));
    let ball = world.add(ball.material(Material::default().restitution(0.6)))?;

    let mut aim = Prediction::new();
    let mut fan: Vec<(f32, Vec2, Vec<Vec2>)> = Vec::new();
    for k in 0..120 {
        let velocity = Rot::from_angle(0.3 + 0.009 * k as f32).x_axis() * (7.0 + 0.5 * (k % 11) as f32);
        world.predict(&[Start::from(ball).velocity(velocity)], STEPS, DT, &mut aim)?;
        let path = points(aim.path(ball));
        let miss = path.last().map_or(f32::INFINITY, |end| end.distance(BUCKET));
        fan.push((miss, velocity, path));
    }
    fan.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (miss, velocity, line) = &fan[0];
    println!("of {} throws the best ends {miss:.2} m from the middle of the bucket", fan.len());

    world.set_velocity(ball, *velocity)?;
    let mut way = Vec::new();
    for _ in 0..STEPS {
        world.step(DT)?;
        way.push(world[ball].position());
    }
    let equal = way.iter().zip(line).filter(|(a, b)| a == b).count();
    println!("{equal} of {STEPS} places are where the line was, to the bit");
    picture(&fan, &way).save("out/aim.svg")?;
    Ok(())
}

fn points(path: &[PathPoint]) -> Vec<Vec2> {
    path.iter().map(|place| place.position.position()).collect()
}

fn picture(fan: &[(f32, Vec2, Vec<Vec2>)], way: &[Vec2]) -> Svg {
    let mut svg = Svg::new(vec2(-1.0, -1.0), vec2(12.0, 7.5), 60.0);
    for (at, [width, height], angle) in WALLS {
        let (at, turn) = (Vec2::from(at), Rot::from_angle(angle));
        let corner = |x: f32, y: f32| at + turn * (vec2(x * width, y * height) * 0.5);
        let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        svg.polygon(&corners, Style { opacity: 0.35, ..Style::body(GREY) });
    }
    for (_, _, path) in fan.iter().skip(1).step_by(3) {
        svg.polyline(path, Style { width: 0.7, opacity: 0.5, ..Style::outline(PALETTE[2]) });
    }
    svg.polyline(&fan[0].2, Style { width: 2.5, ..Style::outline(BLUE) });
    for place in way.iter().step_by(6) {
        svg.circle(*place, RADIUS, Style { opacity: 0.5, ..Style::body(PALETTE[0]) });
    }
    svg
}
