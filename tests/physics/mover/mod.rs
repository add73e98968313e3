//! The kinematic character, in numbers: what it keeps, slides along, climbs, follows, rides and
//! pushes.
//!
//! In: levels, and inputs that try to break it. Out: offsets, speeds and drifts, each beside what
//! was promised. The distance to what stands around is measured by `carom::distance`, shape by
//! shape, without the world's queries.

mod bodies;
mod climbing;
mod floors;
mod levels;
mod one_way;
mod platforms;
mod rules;
mod walls;

use carom::prelude::*;
use carom::{MoveOutcome, MoverDef};
use testkit::worlds::DT;

const GRAVITY: f32 = 9.81;
const SKIN: f32 = 0.01;
/// What the two levels of the skin may differ by, with room for the resolution of positions.
const ROOM: f32 = 3.0e-4;

/// A mover without a body, and what it knows between two steps.
#[derive(Clone)]
struct Hero {
    mover: Mover,
    place: WorldPoint,
    velocity: Vec2,
}

impl Hero {
    fn new(def: MoverDef, place: impl Into<WorldPoint>) -> Hero {
        let mover = Mover::new(def).expect("the definition breaks no rule");
        Hero { mover, place: place.into(), velocity: Vec2::ZERO }
    }

    /// Runs at `speed`, and falls.
    fn run(&mut self, world: &World, speed: f32) -> MoveOutcome {
        self.go(world, vec2(speed, self.velocity.y - GRAVITY * DT))
    }

    fn go(&mut self, world: &World, velocity: Vec2) -> MoveOutcome {
        let outcome = self.mover.slide(world, self.place, velocity, DT).expect("numbers in range");
        assert!(outcome.position.is_valid() && outcome.velocity.is_finite());
        (self.place, self.velocity) = (outcome.position, outcome.velocity);
        outcome
    }

    fn at(&self) -> Vec2 {
        self.place.position()
    }

    fn gap(&self, world: &World) -> f32 {
        gap(world, &self.mover, self.place)
    }
}

/// The least distance of a mover to anything solid, from shape to shape.
fn gap(world: &World, mover: &Mover, place: WorldPoint) -> f32 {
    let mut least = f32::INFINITY;
    for (id, body) in world.bodies() {
        let at = Transform { position: place.to(body.world_position()), rotation: body.rotation() };
        for (_, collider) in world.shapes_of(id).filter(|(_, collider)| !collider.is_sensor()) {
            let found = distance(&mover.def().shape, Transform::IDENTITY, collider.shape(), at);
            least = if found.separation < least { found.separation } else { least };
        }
    }
    least
}

/// Shapes of all convex kinds, about as large as a person, their lowest point at -0.9.
fn shapes() -> Vec<(&'static str, Shape)> {
    vec![
        ("capsule", Shape::capsule([0.0, -0.6], [0.0, 0.6], 0.3)),
        ("circle", Shape::circle(0.4).at([0.0, -0.5])),
        ("box", Shape::rect(0.6, 1.8)),
        ("rounded box", Shape::rect(0.5, 1.7).rounded(0.05)),
        ("polygon", Shape::polygon(&[vec2(-0.2, -0.9), vec2(0.2, -0.9), vec2(0.4, 0.5), vec2(-0.4, 0.5)])),
        ("rounded polygon", Shape::regular(5, 0.4).turned(core::f32::consts::FRAC_PI_2).rounded(0.1)),
    ]
}

fn lowest(shape: &Shape) -> f32 {
    shape.aabb(Transform::IDENTITY).min.y
}

/// Largest so far, and NaN for good once there was one.
fn grow(most: &mut f32, x: f32) {
    if x > *most || x.is_nan() {
        *most = x;
    }
}
