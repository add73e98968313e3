//! Scenes made of joints, written once for benches and examples.
//!
//! In: a world and a place. Out: what was built there, so that the caller can ask it how well it holds. Lengths in metres;
//! whatever is hinged together stands so that every joint is closed from the start.

use carom::prelude::*;
use carom::{Filter, Servo};

/// What touches nothing: scenes that are about joints alone.
pub(crate) const ALONE: Filter = Filter { category: 1, mask: 0, group: 0 };

fn add(world: &mut World, def: BodyDef) -> BodyId {
    world.add(def).expect("a body that keeps all rules")
}

fn join(world: &mut World, def: JointDef) -> JointId {
    world.add_joint(def).expect("a joint that keeps all rules")
}

/// The largest gap of any joint, in m.
pub(crate) fn greatest_gap(world: &World) -> f32 {
    let gaps = world.joints().filter_map(|(id, _)| world.joint_state(id)).map(|state| state.gap);
    gaps.fold(0.0, |most, gap| if gap > most { gap } else { most })
}

/// A net of `side` × `side` discs, each hinged to the one above and the one to the left. It hangs on seven discs in the
/// middle of its top row.
pub(crate) fn joint_grid(world: &mut World, side: usize) {
    let mut discs: Vec<BodyId> = Vec::new();
    let middle = side / 2;
    for column in 0..side {
        for row in 0..side {
            let is_held = row == 0 && (middle - 3..=middle + 3).contains(&column);
            let body = if is_held { BodyDef::fixed() } else { BodyDef::dynamic() };
            let disc = body.at([column as f32, -(row as f32)]).shape(Shape::circle(0.4)).filter(ALONE);
            let disc = add(world, disc);
            if row > 0 {
                let above = discs[discs.len() - 1];
                join(world, JointDef::revolute(above, disc).anchors([0.0, -0.5], [0.0, 0.5]));
            }
            if column > 0 {
                let left = discs[discs.len() - side];
                join(world, JointDef::revolute(left, disc).anchors([0.5, 0.0], [-0.5, 0.0]));
            }
            discs.push(disc);
        }
    }
}

/// A chain of `links` of 1 m, held at `from` and stretched out to the right; the bodies from the first link on.
pub(crate) fn chain(world: &mut World, from: Vec2, links: usize) -> Vec<BodyId> {
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

/// A chain with a ball of `radius` at its end: of 8 m, it weighs 672 times as much as a link. Returns the ball.
pub(crate) fn ball_and_chain(world: &mut World, from: Vec2, links: usize, radius: f32) -> BodyId {
    let last = chain(world, from, links).last().copied();
    let end = from + vec2(links as f32, 0.0);
    let ball = BodyDef::dynamic().at(end + vec2(radius, 0.0)).shape(Shape::circle(radius)).density(20.0);
    let ball = add(world, ball.filter(ALONE));
    join(world, JointDef::revolute(last, ball).at(end));
    ball
}

/// A bridge of planks hinged to each other, and to a bank at both ends.
#[derive(Clone, Debug)]
pub(crate) struct Bridge {
    /// From left to right.
    pub(crate) planks: Vec<BodyId>,
    /// One more than there are planks.
    pub(crate) hinges: Vec<JointId>,
}

/// What a bridge is to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BridgeDef {
    pub(crate) planks: usize,
    /// Of a plank, in m.
    pub(crate) size: Vec2,
    /// How steeply it leaves the left bank downwards, in radians; 0 for a straight one. It ends as high as it begins.
    pub(crate) slope: f32,
    /// In kg/m².
    pub(crate) density: f32,
}

impl BridgeDef {
    /// The ends of the planks, from the first hinge on: corners on an arc, as far apart as planks are long.
    fn corners(&self, from: Vec2) -> Vec<Vec2> {
        let mut corners = vec![from];
        for k in 0..self.planks {
            let along = Rot::from_angle(self.slope * ((2 * k + 1) as f32 / self.planks as f32 - 1.0));
            corners.push(corners[k] + along.x_axis() * self.size.x);
        }
        corners
    }

    /// Where its last hinge is when its first is at `from`.
    pub(crate) fn end(&self, from: Vec2) -> Vec2 {
        self.corners(from)[self.planks]
    }
}

/// A bridge from `from`, hung between two bodies, the left bank and the right one.
pub(crate) fn bridge(world: &mut World, def: &BridgeDef, from: Vec2, banks: [BodyId; 2]) -> Bridge {
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

/// A bone: a capsule that hangs on one that comes before it. Heights above the sole of a doll 1.7 m tall that stands straight.
struct Bone {
    parent: usize,
    /// Of its lower and upper end.
    ends: [f32; 2],
    radius: f32,
    /// Of its hinge.
    pivot: f32,
    /// How far it turns against its parent, in radians: positive lifts what hangs, for a doll that looks to the right.
    limits: [f32; 2],
    /// How it is turned against its parent when it is built, and where its muscle pulls it to.
    pose: f32,
}

const TORSO: usize = 1;

/// The hip first; it has no parent. A doll on the run: of two limbs, one ahead and one behind.
#[rustfmt::skip] // One line a bone.
const BONES: [Bone; 11] = [
    Bone { parent: 0,     ends: [0.93, 0.97], radius: 0.095, pivot: 0.95, limits: [ 0.0, 0.0], pose:  0.0 }, // hip
    Bone { parent: 0,     ends: [1.07, 1.33], radius: 0.090, pivot: 1.00, limits: [-0.8, 0.2], pose: -0.1 }, // torso
    Bone { parent: TORSO, ends: [1.49, 1.56], radius: 0.095, pivot: 1.40, limits: [-0.9, 0.4], pose:  0.0 }, // head
    Bone { parent: 0,     ends: [0.65, 0.90], radius: 0.060, pivot: 0.90, limits: [-0.4, 1.7], pose:  0.8 }, // thighs
    Bone { parent: 0,     ends: [0.65, 0.90], radius: 0.060, pivot: 0.90, limits: [-0.4, 1.7], pose: -0.1 },
    Bone { parent: 3,     ends: [0.12, 0.62], radius: 0.045, pivot: 0.62, limits: [-2.0, 0.0], pose: -0.6 }, // shanks
    Bone { parent: 4,     ends: [0.12, 0.62], radius: 0.045, pivot: 0.62, limits: [-2.0, 0.0], pose: -0.7 },
    Bone { parent: TORSO, ends: [1.10, 1.35], radius: 0.040, pivot: 1.35, limits: [-0.8, 2.5], pose:  1.0 }, // upper arms
    Bone { parent: TORSO, ends: [1.10, 1.35], radius: 0.040, pivot: 1.35, limits: [-0.8, 2.5], pose: -0.5 },
    Bone { parent: 7,     ends: [0.82, 1.10], radius: 0.035, pivot: 1.10, limits: [ 0.0, 2.2], pose:  0.7 }, // forearms
    Bone { parent: 8,     ends: [0.82, 1.10], radius: 0.035, pivot: 1.10, limits: [ 0.0, 2.2], pose:  0.9 },
];

/// What a doll is to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DollDef {
    /// Where its hip is.
    pub(crate) at: Vec2,
    /// How it is turned, in radians; at 0 it is upright.
    pub(crate) angle: f32,
    /// Of its own, below 0: bones of the same group do not touch each other.
    pub(crate) group: i32,
    /// In kg/m².
    pub(crate) density: f32,
    /// Torque of the rub in each hinge, in N m.
    pub(crate) friction: f32,
    /// How each hinge goes back to its pose,
    pub(crate) muscle: Spring,
    /// and with what torque at most, in N m.
    pub(crate) strength: f32,
}

/// A doll of eleven bones that looks to the right: hip, torso, head, two thighs, shanks, upper arms and forearms. Returns its
/// bones, the hip first.
pub(crate) fn doll(world: &mut World, def: &DollDef) -> [BodyId; 11] {
    let filter = Filter { group: def.group, ..Filter::default() };
    let mut bones = Vec::new();
    // Of each bone, where the sole is if all of the doll were as stiff and turned as that bone.
    let mut frames = vec![Transform::new(def.at, def.angle)];
    frames[0].position = frames[0].apply(vec2(0.0, -BONES[0].pivot));
    for (k, bone) in BONES.iter().enumerate() {
        let parent = frames[bone.parent];
        let pivot = parent.apply(vec2(0.0, bone.pivot));
        let turned = parent.rotation * Rot::from_angle(bone.pose);
        let frame = Transform { position: pivot + turned * vec2(0.0, -bone.pivot), rotation: turned };
        let [low, high] = bone.ends.map(|end| vec2(0.0, end));
        let middle = 0.5 * (low + high);
        let shape = Shape::capsule(low - middle, high - middle, bone.radius);
        let body = BodyDef::dynamic().at(frame.apply(middle)).angle(turned.angle()).shape(shape);
        let body = add(world, body.density(def.density).filter(filter));
        if k > 0 {
            let [lower, upper] = bone.limits;
            let hinge = JointDef::revolute(bones[bone.parent], body).at(pivot).limits(lower, upper);
            let mut hinge = JointDef { angle: Some(0.0), ..hinge.motor(0.0, def.friction) };
            hinge.drive.servo = Some(Servo::new(bone.pose, def.muscle).max(def.strength));
            join(world, hinge);
            frames.push(frame);
        }
        bones.push(body);
    }
    std::array::from_fn(|k| bones[k])
}
