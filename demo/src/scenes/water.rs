//! A lake that things float in, a shaft that blows them up again, and wind across the top.
//!
//! ```text
//!      ~ wind, to the right ~~~~~~>
//!   |^|                            |
//!   |^|      things fall in        |
//!   |^|~~~~~~~~~~~~~~~~~~~~~~~~~~~~|
//!   |^     flow, to the left       |
//!   +------------------------------+
//! ```

use carom::prelude::*;
use carom::{Area, Error, Fluid};
use core::fmt::Write as _;
use testkit::random::Random;

use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, hue};

pub(super) static SCENE: Info = Info {
    name: "water",
    title: "Water and wind",
    hint: "Areas are sensors: the lake lifts each part of a body by exactly the water that it displaces, and flows \
           to the left; the shaft blows up what comes there; the wind above carries it back. Arrows show them.",
    counted: "bodies",
    count: [5, 40, 120],
    view: [vec2(-12.5, -1.0), vec2(12.5, 13.0)],
    build,
    ..PLAIN
};

/// Half the width of the lake and the shaft together.
const SIDE: f32 = 12.0;
/// Where the shaft ends and the lake begins.
const SHAFT: f32 = -9.5;
const LEVEL: f32 = 5.0;
/// Of the wall between shaft and lake: its foot, under which things float into the shaft, and its
/// top.
const WALL: [f32; 2] = [7.2, 9.0];
const TOP: f32 = 12.0;

/// The flow of the lake, and what blows in the shaft and above: where, how fast, how strongly.
const FLOW: Vec2 = vec2(-1.2, 0.0);
const SHAFT_WIND: [(Vec2, Vec2); 1] = [(vec2(-10.75, 6.0), vec2(0.0, 9.0))];
const WIND: [(Vec2, Vec2); 2] = [(vec2(-3.0, 10.5), vec2(6.0, 0.0)), (vec2(5.0, 10.5), vec2(6.0, 0.0))];

fn build(count: u32) -> Result<Scene, Error> {
    let mut world = World::default();
    let slab = |low: Vec2, high: Vec2| {
        let size = high - low;
        BodyDef::fixed().shape(Shape::rect(size.x, size.y).at(0.5 * (low + high)))
    };
    world.add(slab(vec2(-SIDE - 0.5, -0.5), vec2(SIDE + 0.5, 0.0)))?;
    world.add(slab(vec2(-SIDE - 0.5, 0.0), vec2(-SIDE, TOP + 0.5)))?;
    world.add(slab(vec2(SIDE, 0.0), vec2(SIDE + 0.5, TOP + 0.5)))?;
    world.add(slab(vec2(-SIDE, TOP), vec2(SIDE, TOP + 0.5)))?;
    world.add(slab(vec2(SHAFT - 0.15, WALL[0]), vec2(SHAFT + 0.15, WALL[1])))?;
    let fluid = Fluid {
        flow: FLOW,
        drag: 1.5,
        ..Area::fluid(1.0, LEVEL).fluid.ok_or(Error::BadNumber("a fluid has a density"))?
    };
    let lake = Area { fluid: Some(fluid), ..Area::default() };
    area(&mut world, [vec2(SHAFT, 0.0), vec2(SIDE, LEVEL)], lake)?;
    area(&mut world, [vec2(-SIDE, 0.0), vec2(SHAFT, WALL[1] + 0.5)], blowing(vec2(0.0, 12.0), 4.0))?;
    area(&mut world, [vec2(-SIDE, WALL[1]), vec2(SIDE - 3.0, TOP)], blowing(vec2(7.0, 0.0), 1.0))?;
    let mut random = Random::new(5);
    for k in 0..count {
        let size = random.range(0.35_f32, 0.9);
        let (shape, density) = match k % 4 {
            0 => (Shape::rect(1.6 * size, 0.6 * size), 0.45),
            1 => (Shape::circle(0.5 * size), 0.7),
            2 => (Shape::regular(6, 0.5 * size), 0.85),
            _ => (Shape::rect(size, size), 0.25),
        };
        let at = vec2(-8.0 + 1.4 * (k % 13) as f32, 5.8 + 0.9 * (k / 13 % 4) as f32);
        let body = BodyDef::dynamic().at(at).angle(random.angle()).shape(shape).density(density).sleepless();
        world.add(hue(body, (k % 4) as usize))?;
    }
    Ok(Scene::new(world, Lake))
}

fn blowing(velocity: Vec2, drag: f32) -> Area {
    Area { angular_drag: 1.0, ..Area::wind(velocity, drag) }
}

fn area(world: &mut World, [low, high]: [Vec2; 2], area: Area) -> Result<(), Error> {
    let size = high - low;
    let sensor = ShapeDef::from(Shape::rect(size.x, size.y).at(0.5 * (low + high))).sensor();
    let body = world.add(BodyDef::fixed().shape(sensor))?;
    let shapes: Vec<ShapeId> = world.shapes_of(body).map(|(id, _)| id).collect();
    shapes.into_iter().try_for_each(|shape| world.set_area(shape, Some(area)))
}

struct Lake;

fn arrow(out: &mut Commands, at: Vec2, way: Vec2) {
    let (half, side) = (way.normalize_or_zero() * 0.7, way.normalize_or_zero().perp() * 0.25);
    let tip = at + half;
    out.put_line(Ink::Blue, at - half, tip);
    out.put_line(Ink::Blue, tip, tip - 0.5 * half + side);
    out.put_line(Ink::Blue, tip, tip - 0.5 * half - side);
}

impl Play for Lake {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        places[0].world.step(DT).map(drop)
    }

    fn overlay(&self, _places: &[Place], out: &mut Commands) {
        out.put_line(Ink::Blue, vec2(SHAFT, LEVEL), vec2(SIDE, LEVEL));
        for (at, way) in SHAFT_WIND.into_iter().chain(WIND) {
            arrow(out, at, way);
        }
        for x in [-5.0, 2.0, 9.0] {
            arrow(out, vec2(x, 1.2), FLOW);
        }
    }

    fn report(&self, places: &[Place], out: &mut String) {
        let (mut wet, mut high) = (0, 0);
        for (_, body) in places[0].world.bodies() {
            if body.kind() == BodyKind::Dynamic {
                let at = body.position();
                wet += usize::from(at.x > SHAFT && at.y < LEVEL);
                high += usize::from(at.y > WALL[1]);
            }
        }
        let _ = writeln!(out, "in the water\t{wet}");
        let _ = writeln!(out, "in the wind\t{high}");
    }
}
