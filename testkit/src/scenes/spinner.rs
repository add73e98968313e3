//! A bar that a motor turns in a ring of segments, among 6,076 capsules, circles and boxes.

use carom::math::sin_cos;
use carom::{Vec2, vec2};

use super::plan::{BodyPlan, HingePlan, Outline, Part};
use super::{Container, GRAVITY, Play, Scene, Stage};

pub(super) const SCENE: Scene = Scene { name: "spinner", steps: 500, gravity: GRAVITY, sleep: true, build };

const RADIUS: f32 = 40.0;
const CORNERS: usize = 360;
const SMALL: usize = 6_076;
/// From -23 to 23, half a metre apart.
const COLUMNS: usize = 93;

fn build(stage: &mut dyn Stage) -> Play {
    let corner = |k: usize| {
        let (sin, cos) = sin_cos(-core::f32::consts::TAU * k as f32 / CORNERS as f32);
        RADIUS * vec2(cos, sin)
    };
    let ring = Outline::Ring((0..CORNERS).map(corner).collect());
    let ground = stage.add(BodyPlan::fixed(vec2(0.0, 32.0)).part(Part::new(ring).friction(0.1)));
    // It reaches the ring, which it does not touch, since it is hinged to it.
    let bar = Part::new(Outline::Box { half: vec2(0.4, 20.0), radius: 0.2 }).friction(0.0);
    let bar = BodyPlan::dynamic(vec2(0.0, 12.0)).part(bar);
    let bar = stage.add(BodyPlan { can_sleep: false, ..bar });
    stage.join(HingePlan::new(ground, bar, vec2(0.0, -20.0), Vec2::ZERO).motor(5.0, f32::INFINITY));
    for k in 0..SMALL {
        let at = vec2(-23.0 + 0.5 * (k % COLUMNS) as f32, 2.0 + 0.5 * (k / COLUMNS) as f32);
        let part = match k % 3 {
            0 => Part::capsule(vec2(-0.25, 0.0), vec2(0.25, 0.0), 0.25),
            1 => Part::circle(0.35),
            _ => Part::square(0.35),
        };
        stage.add(BodyPlan::dynamic(at).part(part.friction(0.1).restitution(0.1).density(0.25)));
    }
    Play::within(Container::Disc { of: ground, radius: RADIUS })
}
