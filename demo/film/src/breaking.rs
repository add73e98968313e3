//! Walls that break: balls bite holes, what is cut off falls, and one shatters what one presses.

use carom::prelude::*;
use carom::{Error, QueryFilter};
use core::fmt::Write as _;
use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, hue};
use std::collections::VecDeque;
use testkit::random::Random;

pub(crate) static SCENE: Info = Info {
    name: "breaking",
    title: "Breaking walls",
    hint: "Balls bite holes into walls, and what is cut off falls. Press a wall to shatter it there, press the ground \
           for a crater. The naive way leaves what is cut off in one body: it hangs in the air.",
    counted: "walls",
    count: [1, 3, 5],
    view: [vec2(-16.0, -3.0), vec2(16.0, 12.0)],
    naive: "what is cut off stays part of the wall",
    build,
    ..PLAIN
};

/// Colours of walls, ground and balls.
const STONE: [usize; 5] = [1, 0, 2, 5, 3];
const BALL: usize = 6;
/// Steps between two balls, and how many there are at most.
const PAUSE: u64 = 150;
const BALLS: usize = 6;
/// Balls slower than this break nothing, in m/s; pieces lighter than this do not break, in kg.
const FAST: f32 = 5.0;
const CRUMB: f32 = 1.5;
/// No more pieces than these: then nothing breaks any more.
const MOST: usize = 260;

/// A wall, as a picture of pixels of 0.5 m.
const WALL: [&str; 14] = [
    "#.#.#.", "######", "######", "##..##", "##..##", "######", "######", "######", "##..##", "##..##",
    "######", "######", "##..##", "##..##",
];

struct Walls {
    ground: BodyId,
    balls: VecDeque<BodyId>,
    random: Random,
    bites: usize,
    shattered: usize,
    naive: bool,
    drawing: u64,
}

fn build(count: u32) -> Result<Scene, Error> {
    let mut world = World::new(WorldDef::default().hit_speed(FAST));
    let outline = [vec2(-18.0, 0.0), vec2(-18.0, -4.0), vec2(18.0, -4.0), vec2(18.0, 0.0)];
    let ground = world.add(BodyDef::fixed().shape(Shape::outline(&outline)))?;
    let pixels: Vec<bool> = WALL.iter().flat_map(|row| row.bytes().map(|pixel| pixel == b'#')).collect();
    for (k, color) in (0..count).zip(STONE) {
        let wall = Shape::from_mask(0.5, 6, &pixels, 0.0).at([-1.5, 0.0]);
        let at = vec2(-4.0 + 4.3 * k as f32, 0.0);
        world.add(hue(BodyDef::dynamic().at(at).shape(wall).density(3.0), color))?;
    }
    let walls = Walls {
        ground,
        balls: VecDeque::new(),
        random: Random::new(31),
        bites: 0,
        shattered: 0,
        naive: false,
        drawing: 0,
    };
    Ok(Scene::new(world, walls))
}

impl Walls {
    fn throw(&mut self, world: &mut World) -> Result<(), Error> {
        if self.balls.len() >= BALLS
            && let Some(old) = self.balls.pop_front()
        {
            world.remove(old)?;
        }
        let (x, y) = (self.random.range(17.0_f32, 21.0), self.random.range(1.0_f32, 6.0));
        let ball = BodyDef::dynamic().at([-15.0, 2.5]).velocity([x, y]).shape(Shape::circle(0.42));
        self.balls.push_back(world.add(hue(ball.density(6.0), BALL))?);
        Ok(())
    }

    /// What breaks: heavy enough, no ball, no ground, and few enough are there.
    fn breaks(&self, world: &World, id: BodyId) -> bool {
        let is_heavy = world.get(id).is_some_and(|body| body.mass() > CRUMB);
        id != self.ground && is_heavy && !self.balls.contains(&id) && world.body_count() < MOST
    }

    /// Takes a bite off a body; and what hangs by nothing any more falls.
    fn bite(&mut self, world: &mut World, id: BodyId, at: WorldPoint, radius: f32) -> Result<(), Error> {
        let hole = Shape::circle(radius);
        if world.subtract(id, &PlacedShape::at(&hole, at))? {
            self.bites += 1;
            self.drawing += 1;
            let is_there =
                world.get(id).is_some_and(|body| world.shapes_of(id).next().is_some() && body.mass() > 0.0);
            if id != self.ground && is_there && !self.naive {
                world.fragment::<WorldPoint>(id, &[])?;
            }
        }
        Ok(())
    }

    fn hits(&mut self, world: &mut World) -> Result<(), Error> {
        let hits = world.events().hits();
        let of_balls: Vec<(BodyId, WorldPoint)> = hits
            .iter()
            .filter_map(|hit| {
                let other = if self.balls.contains(&hit.body_a) { hit.body_b } else { hit.body_a };
                let is_ball = self.balls.contains(&hit.body_a) || self.balls.contains(&hit.body_b);
                is_ball.then_some((other, hit.point))
            })
            .collect();
        for (body, at) in of_balls {
            if self.breaks(world, body) {
                self.bite(world, body, at, 0.55)?;
            }
        }
        Ok(())
    }

    /// Breaks a body to shards about a point.
    fn shatter(&mut self, world: &mut World, id: BodyId, at: WorldPoint) -> Result<(), Error> {
        let mut points = vec![at];
        for ring in [0.5_f32, 1.2] {
            for _ in 0..6 {
                let (sin, cos) = carom::math::sin_cos(self.random.range(-3.1_f32, 3.1));
                points.push(at.offset(vec2(cos, sin) * ring * self.random.range(0.7_f32, 1.3)));
            }
        }
        world.fragment(id, &points)?;
        self.shattered += 1;
        self.drawing += 1;
        world.explode(at, 0.3, 6.0, 0.6)
    }
}

impl Play for Walls {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        if world.step_count() % PAUSE == 60 {
            self.throw(world)?;
        }
        world.step(DT)?;
        self.hits(world)
    }

    fn takes_presses(&self) -> bool {
        true
    }

    fn press(&mut self, places: &mut [Place], point: Vec2) -> bool {
        let at = places[0].point(point);
        let world = &mut places[0].world;
        let mut found = Vec::new();
        world.overlap_point(at, &QueryFilter::default(), &mut found);
        let Some(id) = found.first().map(|answer| answer.body) else { return false };
        let done = if id == self.ground {
            self.bite(world, id, at, 0.8)
        } else if self.breaks(world, id) {
            self.shatter(world, id, at)
        } else {
            world.explode(at.offset(vec2(0.0, -0.6)), 0.5, 8.0, 0.5)
        };
        done.is_ok()
    }

    fn set_naive(&mut self, _places: &mut [Place], on: bool) {
        self.naive = on;
    }

    fn drawing(&self) -> u64 {
        self.drawing
    }

    fn reshapes(&self) -> bool {
        true
    }

    fn overlay(&self, _places: &[Place], out: &mut Commands) {
        out.put_line(Ink::Soft, vec2(-15.6, 2.2), vec2(-14.6, 2.5));
    }

    fn report(&self, places: &[Place], out: &mut String) {
        let world = &places[0].world;
        let _ = writeln!(out, "pieces\t{}", world.body_count() - 1 - self.balls.len());
        let _ = writeln!(out, "bites\t{}", self.bites);
        let _ = writeln!(out, "shattered\t{}", self.shattered);
    }
}
