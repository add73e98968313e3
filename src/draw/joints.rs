//! The layer of joints: a sign for each kind.
//!
//! ```text
//!   revolute   a ring; limits are a sector around where B stands, a motor an arrow that turns
//!   prismatic  the axis with ticks at its limits, a square on B; a motor is an arrow along it
//!   distance   a line from dot to dot, ticks at its limits; soft: a zigzag
//!   rope       dashes when slack
//!   weld       a square with a cross
//!   wheel      a zigzag along the axis, a ring
//!   motor      an arrow to where B is to be
//!   friction   three lines
//!   gear       dashes from joint to joint, a square at each
//!   pulley     its rope, a ring at each wheel
//!   filter     a pale line between the bodies, crossed out
//! ```
//! Thin pale lines lead from each anchor to the centre of its body.

use glam::Vec2;

use super::color::Color;
use super::debug_draw::DebugDraw;
use super::marks;
use super::scene::Scene;
use crate::body::{JointId, NONE};
use crate::joint::{Joint, JointKind, Limits};
use crate::math::WorldPoint;
use crate::world::JointState;

/// The colour of signs.
const COLOR: Color = Color::GOLD;
/// The colour of lines from anchors to bodies.
const PALE: Color = Color::GOLD.alpha(90);
/// The colour of motors.
const DRIVE: Color = Color::ORANGE;
/// The size of a dot at an anchor, in pixels.
const ANCHOR_DOT: f32 = 4.5;

/// A joint with the data for its sign.
struct Sign<'s> {
    joint: &'s Joint,
    state: JointState,
    a: Vec2,
    b: Vec2,
    /// The size of the sign.
    mark: f32,
}

impl Scene<'_> {
    /// Draws the joints of the bodies in view.
    pub(super) fn draw_joints<D: DebugDraw + ?Sized>(&self, draw: &mut D) {
        for slot in self.joints() {
            let id = self.world.joint_id(slot);
            let Some((joint, state)) = self.world.get_joint(id).zip(self.world.joint_state(id)) else {
                continue;
            };
            let a = self.at(state.anchor_a);
            let b = self.at_beside(state.anchor_b, Some(a));
            let sign = Sign { joint, state, a, b, mark: self.options.mark };
            self.draw_sign(draw, &sign);
        }
    }

    fn draw_sign<D: DebugDraw + ?Sized>(&self, draw: &mut D, sign: &Sign<'_>) {
        let Sign { joint, a, b, mark, .. } = *sign;
        if !matches!(joint.def.kind, JointKind::Gear { .. } | JointKind::Filter | JointKind::Friction { .. })
        {
            self.tie(draw, joint.body_a, a);
            self.tie(draw, joint.body_b, b);
        }
        match joint.def.kind {
            JointKind::Revolute => self.hinge(draw, sign),
            JointKind::Prismatic { axis } => self.slider(draw, sign, axis),
            JointKind::Distance { .. } => rod(draw, sign),
            JointKind::Rope => rope(draw, sign),
            JointKind::Weld { .. } => {
                let axis = self.world.rotation_of(joint.body_b).x_axis();
                marks::square(draw, b, axis, 0.7 * mark, COLOR);
                marks::cross(draw, b, axis, 0.7 * mark, COLOR);
            }
            JointKind::Wheel { axis, .. } => {
                self.strut(draw, sign, axis);
                draw.circle(b, 0.35 * mark, COLOR);
                self.spin(draw, sign);
            }
            JointKind::Motor { offset, .. } => {
                let goal = a + self.world.rotation_of(joint.body_a) * offset;
                marks::arrow(draw, b, goal, 0.4 * mark, DRIVE);
                marks::cross(draw, goal, Vec2::X, 0.5 * mark, DRIVE);
            }
            JointKind::Friction { .. } => {
                for k in [-1.0, 0.0, 1.0] {
                    let middle = b + Vec2::new(0.25 * mark * k, 0.0);
                    let arm = Vec2::new(0.15, 0.3) * mark;
                    draw.line(middle - arm, middle + arm, COLOR);
                }
            }
            JointKind::Gear { first, second, .. } => self.gear(draw, [first, second], mark),
            JointKind::Pulley { ground_a, ground_b, .. } => self.pulley(draw, sign, [ground_a, ground_b]),
            JointKind::Filter => {
                let ends = [joint.body_a, joint.body_b].map(|body| self.center_of(body, a));
                if let [Some(a), Some(b)] = ends {
                    draw.line(a, b, PALE);
                    marks::cross(draw, 0.5 * (a + b), Vec2::X, 0.4 * mark, PALE);
                }
            }
        }
    }

    fn center_of(&self, body: u32, near: Vec2) -> Option<Vec2> {
        (body != NONE).then(|| self.at_beside(self.body(body).center_point(), Some(near)))
    }

    /// Draws a pale line from an anchor to the centre of its body, if the body is dynamic.
    fn tie<D: DebugDraw + ?Sized>(&self, draw: &mut D, body: u32, anchor: Vec2) {
        if body != NONE
            && self.body(body).has(crate::body::flag::DYNAMIC)
            && let Some(center) = self.center_of(body, anchor)
        {
            draw.line(anchor, center, PALE);
        }
    }

    fn hinge<D: DebugDraw + ?Sized>(&self, draw: &mut D, sign: &Sign<'_>) {
        let Sign { joint, state, b, mark, .. } = *sign;
        draw.circle(b, 0.25 * mark, COLOR);
        if let Some(Limits { lower, upper }) = joint.def.drive.limits.filter(is_range) {
            // The limits are angles relative to the present direction of B.
            let out =
                self.center_of(joint.body_b, b).map_or(Vec2::ZERO, |center| center - b).normalize_or_zero();
            let axis = if out == Vec2::ZERO { self.world.rotation_of(joint.body_b).x_axis() } else { out };
            let range = [lower - state.angle, upper - state.angle];
            marks::sector(draw, b, axis * (0.9 * mark), range, COLOR.alpha(130));
        }
        self.spin(draw, sign);
        if sign.state.gap > 0.05 * mark {
            draw.line(sign.a, b, Color::RED);
        }
    }

    /// Draws the motor of a hinge or wheel.
    fn spin<D: DebugDraw + ?Sized>(&self, draw: &mut D, sign: &Sign<'_>) {
        if let Some(motor) = sign.joint.def.drive.motor.filter(|motor| motor.speed != 0.0) {
            marks::turn(draw, sign.b, Vec2::X * (0.6 * sign.mark), motor.speed, DRIVE);
        }
    }

    fn slider<D: DebugDraw + ?Sized>(&self, draw: &mut D, sign: &Sign<'_>, axis: Vec2) {
        let Sign { joint, a, b, mark, .. } = *sign;
        let axis = self.world.rotation_of(joint.body_a) * axis.normalize_or(Vec2::X);
        let range = joint.def.drive.limits.filter(is_range);
        let (low, high) = match range {
            Some(Limits { lower, upper }) => (a + axis * lower, a + axis * upper),
            None => (a, a + axis * sign.state.length),
        };
        draw.line(low, high, COLOR);
        if range.is_some() {
            marks::tick(draw, low, axis, 0.6 * mark, COLOR);
            marks::tick(draw, high, axis, 0.6 * mark, COLOR);
        } else {
            draw.line(b - axis * mark, b + axis * mark, COLOR);
        }
        marks::square(draw, b, axis, 0.4 * mark, COLOR);
        if let Some(motor) = joint.def.drive.motor.filter(|motor| motor.speed != 0.0) {
            let way = axis * if motor.speed < 0.0 { -mark } else { mark };
            marks::arrow(draw, b, b + way, 0.4 * mark, DRIVE);
        }
    }

    /// Draws the axis of a wheel, with its spring.
    fn strut<D: DebugDraw + ?Sized>(&self, draw: &mut D, sign: &Sign<'_>, axis: Vec2) {
        let Sign { joint, a, b, mark, .. } = *sign;
        let axis = self.world.rotation_of(joint.body_a) * axis.normalize_or(Vec2::X);
        let top = b + axis * mark;
        marks::zigzag(draw, b, top, 0.4 * mark, COLOR);
        marks::tick(draw, top, axis, 0.5 * mark, COLOR);
        draw.line(a, b, PALE);
    }

    fn gear<D: DebugDraw + ?Sized>(&self, draw: &mut D, joints: [JointId; 2], mark: f32) {
        let ends = joints.map(|id| self.world.joint_state(id).map(|state| state.anchor_b));
        if let [Some(a), Some(b)] = ends {
            let a = self.at(a);
            let b = self.at_beside(b, Some(a));
            marks::dashes(draw, a, b, 0.3 * mark, COLOR);
            for at in [a, b] {
                marks::square(draw, at, Vec2::X, 0.6 * mark, COLOR);
                marks::square(draw, at, Vec2::splat(core::f32::consts::FRAC_1_SQRT_2), 0.6 * mark, COLOR);
            }
        }
    }

    fn pulley<D: DebugDraw + ?Sized>(&self, draw: &mut D, sign: &Sign<'_>, grounds: [WorldPoint; 2]) {
        let over_a = self.at_beside(grounds[0], Some(sign.a));
        let over_b = self.at_beside(grounds[1], Some(sign.b));
        for [from, to] in [[sign.a, over_a], [over_a, over_b], [over_b, sign.b]] {
            draw.line(from, to, COLOR);
        }
        draw.circle(over_a, 0.3 * sign.mark, COLOR);
        draw.circle(over_b, 0.3 * sign.mark, COLOR);
    }
}

fn rod<D: DebugDraw + ?Sized>(draw: &mut D, sign: &Sign<'_>) {
    let Sign { joint, a, b, mark, .. } = *sign;
    if joint.def.spring.is_some() {
        marks::zigzag(draw, a, b, 0.5 * mark, COLOR);
    } else {
        draw.line(a, b, COLOR);
    }
    if let Some(Limits { lower, upper }) = joint.def.drive.limits.filter(is_range) {
        let axis = (b - a).normalize_or(Vec2::X);
        marks::tick(draw, a + axis * lower, axis, 0.4 * mark, COLOR);
        marks::tick(draw, a + axis * upper, axis, 0.4 * mark, COLOR);
    }
    draw.point(a, ANCHOR_DOT, COLOR);
    draw.point(b, ANCHOR_DOT, COLOR);
}

/// Draws a rope, with dashes if it is slack.
fn rope<D: DebugDraw + ?Sized>(draw: &mut D, sign: &Sign<'_>) {
    let Sign { joint, state, a, b, mark } = *sign;
    let slack =
        joint.def.drive.limits.is_some_and(|limits| state.length < limits.upper - 0.001 * limits.upper);
    if slack {
        marks::dashes(draw, a, b, 0.3 * mark, COLOR);
    } else {
        draw.line(a, b, COLOR);
    }
    draw.point(a, ANCHOR_DOT, COLOR);
    draw.point(b, ANCHOR_DOT, COLOR);
}

/// Whether both limits are finite.
fn is_range(limits: &Limits) -> bool {
    limits.lower.is_finite() && limits.upper.is_finite()
}
