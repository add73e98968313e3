//! Chains and bridges for benches, examples and the demo. Dolls are in [`doll`](crate::doll), a net
//! of hinges in [`scenes::joint_grid`](crate::scenes::joint_grid).
//!
//! In: a world and a place. Out: what was built there, so that the caller can ask how well it
//! holds. Lengths in metres; whatever is hinged together stands so that every joint is closed at
//! the start.

use carom::Filter;
use carom::prelude::*;

use crate::build::{add, join};

/// What touches nothing: scenes that are about joints alone.
pub const ALONE: Filter = Filter { category: 1, mask: 0, group: 0 };

/// The largest gap of any joint, in m.
pub fn greatest_gap(world: &World) -> f32 {
    let gaps = world.joints().filter_map(|(id, _)| world.joint_state(id)).map(|state| state.gap);
    gaps.fold(0.0, |most, gap| if gap > most { gap } else { most })
}

/// A chain of `links` of 1 m, held at `from` and stretched out to the right; the bodies from the
/// first link on.
pub fn chain(world: &mut World, from: Vec2, links: usize) -> Vec<BodyId> {
    let mut bodies: Vec<BodyId> = Vec::new();
    for k in 0..links {
        let pivot = from + vec2(k as f32, 0.0);
        let shape = Shape::capsule([-0.5, 0.0], [0.5, 0.0], 0.125);
        let link = BodyDef::dynamic().at(pivot + vec2(0.5, 0.0)).shape(shape).density(20.0);
        let link = add(world, link.filter(ALONE));
        join(world, JointDef::revolute(bodies.last().copied(), link).at(pivot));
        bodies.push(link);
    }
    bodies
}

/// A chain with a ball of `radius` at its end: of 8 m, it weighs 672 times as much as a link.
/// Returns the ball.
pub fn ball_and_chain(world: &mut World, from: Vec2, links: usize, radius: f32) -> BodyId {
    let last = chain(world, from, links).last().copied();
    let end = from + vec2(links as f32, 0.0);
    let ball = BodyDef::dynamic().at(end + vec2(radius, 0.0)).shape(Shape::circle(radius)).density(20.0);
    let ball = add(world, ball.filter(ALONE));
    join(world, JointDef::revolute(last, ball).at(end));
    ball
}

/// A bridge of planks hinged to each other, and to a bank at both ends.
#[derive(Clone, Debug)]
pub struct Bridge {
    /// From left to right.
    pub planks: Vec<BodyId>,
    /// One more than there are planks.
    pub hinges: Vec<JointId>,
}

/// What a bridge is to be.
#[derive(Clone, Copy, Debug)]
pub struct BridgeDef {
    /// How many.
    pub planks: usize,
    /// Of a plank, in m.
    pub size: Vec2,
    /// How steeply it leaves the left bank downwards, in radians; 0 for a straight one. It ends as
    /// high as it begins.
    pub slope: f32,
    /// In kg/m².
    pub density: f32,
}

impl BridgeDef {
    /// The ends of the planks, from the first hinge on: corners on an arc, as far apart as planks
    /// are long.
    fn corners(&self, from: Vec2) -> Vec<Vec2> {
        let mut corners = vec![from];
        for k in 0..self.planks {
            let along = Rot::from_angle(self.slope * ((2 * k + 1) as f32 / self.planks as f32 - 1.0));
            corners.push(corners[k] + along.x_axis() * self.size.x);
        }
        corners
    }

    /// Where its last hinge is when its first is at `from`.
    pub fn end(&self, from: Vec2) -> Vec2 {
        self.corners(from)[self.planks]
    }
}

/// A bridge from `from`, hung between two bodies, the left bank and the right one.
pub fn bridge(world: &mut World, def: &BridgeDef, from: Vec2, banks: [BodyId; 2]) -> Bridge {
    let corners = def.corners(from);
    let hinge = |a, b, at| JointDef::revolute(a, b).at(at);
    let mut bridge = Bridge { planks: Vec::new(), hinges: Vec::new() };
    let mut before = banks[0];
    for ends in corners.windows(2) {
        let along = ends[1] - ends[0];
        let angle = carom::math::atan2(along.y, along.x);
        let plank = BodyDef::dynamic().at(0.5 * (ends[0] + ends[1])).angle(angle);
        let plank = add(world, plank.shape(Shape::rect(def.size.x, def.size.y)).density(def.density));
        bridge.hinges.push(join(world, hinge(before, plank, ends[0])));
        bridge.planks.push(plank);
        before = plank;
    }
    bridge.hinges.push(join(world, hinge(before, banks[1], corners[def.planks])));
    bridge
}
