//! A ring that turns at a given speed, with 8,100 small boxes in it, whose hard touches are to be
//! told.

use carom::math::sin_cos;
use carom::{Vec2, vec2};

use super::plan::{BodyPlan, Part};
use super::{Container, GRAVITY, Play, Scene, Stage};

pub(super) const SCENE: Scene = Scene { name: "washer", steps: 500, gravity: GRAVITY, sleep: true, build };

const SIDE: usize = 90;
const SEGMENTS: usize = 36;

/// At `degrees` on a circle.
fn on_circle(radius: f32, degrees: f32) -> Vec2 {
    let (sin, cos) = sin_cos(degrees.to_radians());
    radius * vec2(cos, sin)
}

/// Between two radii and two angles, counter-clockwise.
fn quad(radii: [f32; 2], degrees: [f32; 2]) -> Part {
    let [inner, outer] = radii;
    let [from, to] = degrees;
    Part::polygon([
        on_circle(inner, from),
        on_circle(outer, from),
        on_circle(outer, to),
        on_circle(inner, to),
    ])
}

fn build(stage: &mut dyn Stage) -> Play {
    let mut ring = BodyPlan::kinematic(vec2(0.0, 10.0));
    ring.velocity = vec2(0.001, -0.002);
    ring.spin = 25.0_f32.to_radians();
    for k in 0..SEGMENTS {
        let (from, to) = (10.0 * k as f32, 10.0 * (k + 1) as f32);
        // They overlap by two degrees, so that nothing falls through between them.
        ring = ring.part(quad([16.0, 18.0], [from - 1.0, to + 1.0]));
        if k % 9 == 0 {
            ring = ring.part(quad([14.0, 16.0], [from, to]));
        }
    }
    let ring = stage.add(ring);
    for row in 0..SIDE {
        for column in 0..SIDE {
            let at = vec2(-9.9 + 0.21 * column as f32, 0.1 + 0.21 * row as f32);
            let small = BodyPlan::dynamic(at).part(Part::square(0.1));
            stage.add(BodyPlan { tells_hits: true, ..small });
        }
    }
    Play::within(Container::Disc { of: ring, radius: 18.0 })
}
