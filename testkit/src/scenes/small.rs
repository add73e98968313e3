//! Small worlds: of 1 to 20 bodies, as one game object has them, and as agents are trained in.
//!
//! In: a [`Stage`] to fill. Out: nothing; there is no script, what moves is moved by motors.

use carom::{Vec2, vec2};

use super::plan::{BodyPlan, Handle, HingePlan, Part, Spring, Touch};
use super::{GRAVITY, Stage, rain};

/// A small world before it is built. Nothing in it sleeps: an agent moves.
#[derive(Clone, Copy)]
pub struct Small {
    /// By which it is asked for.
    pub name: &'static str,
    /// In m/s².
    pub gravity: Vec2,
    /// Adds all that is there.
    pub build: fn(&mut dyn Stage),
}

/// All of them.
pub const SMALL: [Small; 8] = [
    Small { name: "ball", gravity: GRAVITY, build: ball },
    Small { name: "pendulum", gravity: GRAVITY, build: pendulum },
    Small { name: "lander", gravity: GRAVITY, build: lander },
    Small { name: "walker", gravity: GRAVITY, build: walker },
    Small { name: "car", gravity: GRAVITY, build: car },
    Small { name: "doll", gravity: GRAVITY, build: doll },
    Small { name: "heap", gravity: GRAVITY, build: heap },
    Small { name: "arcade", gravity: Vec2::ZERO, build: arcade },
];

/// Boxes of a hilly ground.
const HILLS: usize = 40;
/// Metres from one to the next.
const HILL: f32 = 2.0;

fn floor(stage: &mut dyn Stage) {
    stage.add(BodyPlan::fixed(vec2(0.0, -1.0)).part(Part::rect(20.0, 1.0).friction(0.8)));
}

/// A ground of quadrangles under a line that goes up and down by half a metre.
fn hills(stage: &mut dyn Stage) {
    let height = |k: usize| [0.0, 0.3, 0.5, 0.2, -0.1, -0.4, -0.2][k * 3 % 7];
    let mut ground = BodyPlan::fixed(Vec2::ZERO);
    for k in 0..HILLS {
        let x = HILL * (k as f32 - 0.5 * HILLS as f32);
        let corners =
            [vec2(x, -2.0), vec2(x + HILL, -2.0), vec2(x + HILL, height(k + 1)), vec2(x, height(k))];
        ground = ground.part(Part::polygon(corners).friction(0.9));
    }
    stage.add(ground);
}

fn dynamic(stage: &mut dyn Stage, at: Vec2, touch: Touch, part: Part) -> Handle {
    let plan = BodyPlan { can_sleep: false, ..BodyPlan::dynamic(at).touch(touch) };
    stage.add(plan.part(part))
}

/// A ball on a floor.
fn ball(stage: &mut dyn Stage) {
    floor(stage);
    dynamic(stage, vec2(0.0, 2.0), Touch::All, Part::circle(0.5).restitution(0.5));
}

/// Two rods, let go from the horizontal.
fn pendulum(stage: &mut dyn Stage) {
    let mut before = stage.add(BodyPlan::fixed(vec2(0.0, 3.0)));
    let mut end = Vec2::ZERO;
    for k in 0..2 {
        let rod = dynamic(stage, vec2(0.5 + k as f32, 3.0), Touch::NotSame(1), Part::rect(0.5, 0.05));
        stage.join(HingePlan::new(before, rod, end, vec2(-0.5, 0.0)));
        (before, end) = (rod, vec2(0.5, 0.0));
    }
}

/// A hull on two legs with springs, on hills.
fn lander(stage: &mut dyn Stage) {
    hills(stage);
    let hull =
        [vec2(-0.6, -0.4), vec2(0.6, -0.4), vec2(0.6, 0.1), vec2(0.4, 0.5), vec2(-0.4, 0.5), vec2(-0.6, 0.1)];
    let hull = dynamic(stage, vec2(0.0, 4.0), Touch::NotSame(1), Part::polygon(hull));
    for side in [-1.0, 1.0] {
        let leg = dynamic(stage, vec2(0.8 * side, 3.4), Touch::NotSame(1), Part::rect(0.08, 0.3));
        let joint = HingePlan::new(hull, leg, vec2(0.5 * side, -0.2), vec2(-0.3 * side, 0.4));
        let spring = Some(Spring { target: 0.0, hertz: 4.0, damping: 0.7 });
        stage.join(HingePlan { limits: Some([-0.9, 0.9]), spring, ..joint });
    }
}

/// A hull on two legs of two parts: motors turn hips and knees within limits.
fn walker(stage: &mut dyn Stage) {
    floor(stage);
    let hull = dynamic(stage, vec2(0.0, 1.9), Touch::NotSame(1), Part::rect(0.6, 0.25));
    for side in [-1.0, 1.0] {
        let upper = dynamic(stage, vec2(0.0, 1.3), Touch::NotSame(1), Part::rect(0.12, 0.35));
        let hip = HingePlan::new(hull, upper, vec2(0.0, -0.25), vec2(0.0, 0.35)).motor(4.0 * side, 30.0);
        stage.join(HingePlan { limits: Some([-0.8, 1.1]), ..hip });
        let lower = dynamic(stage, vec2(0.0, 0.6), Touch::NotSame(1), Part::rect(0.1, 0.35).friction(0.9));
        let knee = HingePlan::new(upper, lower, vec2(0.0, -0.35), vec2(0.0, 0.35)).motor(-6.0 * side, 30.0);
        stage.join(HingePlan { limits: Some([-1.6, -0.1]), ..knee });
    }
}

/// Two wheels, of which one is driven, on hills.
fn car(stage: &mut dyn Stage) {
    hills(stage);
    let chassis = dynamic(stage, vec2(0.0, 1.6), Touch::NotSame(1), Part::rect(1.2, 0.25));
    for side in [-0.8, 0.8] {
        let wheel = dynamic(stage, vec2(side, 1.2), Touch::NotSame(1), Part::circle(0.4).friction(0.9));
        let axle = HingePlan::new(chassis, wheel, vec2(side, -0.4), Vec2::ZERO);
        stage.join(if side < 0.0 { axle.motor(-8.0, 60.0) } else { axle });
    }
}

/// A doll of ten bones falls on a floor.
fn doll(stage: &mut dyn Stage) {
    floor(stage);
    rain::doll(stage, vec2(0.0, 0.3), Touch::NotSame(1));
}

/// Twenty boxes and discs in a heap.
fn heap(stage: &mut dyn Stage) {
    floor(stage);
    for side in [-3.0, 3.0] {
        stage.add(BodyPlan::fixed(vec2(side, 3.0)).part(Part::rect(0.5, 3.0)));
    }
    for k in 0..20 {
        let at = vec2((k % 4) as f32 * 1.1 - 1.7, 0.6 + (k / 4) as f32 * 1.1);
        let part = if k % 2 == 0 { Part::square(0.4) } else { Part::circle(0.4) };
        dynamic(stage, at + vec2(0.05 * (k / 4) as f32, 0.0), Touch::All, part);
    }
}

/// Ten elastic balls between four walls, without gravity.
fn arcade(stage: &mut dyn Stage) {
    for (at, half) in [
        (vec2(0.0, -5.5), [5.0, 0.5]),
        (vec2(0.0, 5.5), [5.0, 0.5]),
        (vec2(-5.5, 0.0), [0.5, 6.0]),
        (vec2(5.5, 0.0), [0.5, 6.0]),
    ] {
        stage.add(BodyPlan::fixed(at).part(Part::rect(half[0], half[1]).friction(0.0).restitution(1.0)));
    }
    for k in 0..10 {
        let (at, turn) = (vec2((k % 5) as f32 * 1.6 - 3.2, (k / 5) as f32 * 3.0 - 1.5), (k % 3) as f32);
        let velocity = vec2(4.0 - 3.0 * turn, 2.0 + turn);
        let plan = BodyPlan { can_sleep: false, velocity, ..BodyPlan::dynamic(at) };
        stage.add(plan.part(Part::circle(0.3).friction(0.0).restitution(1.0)));
    }
}
