//! What a scene is made of, in no engine's words.
//!
//! In: numbers from the files in `scenes/`. Out: plans that an adapter in `engines/` turns into bodies and joints, and that
//! `quality.rs` turns into carom's shapes to measure what became of them. Half sizes, metres, radians, y up.

use carom::{Mass, Shape, Vec2, vec2};

/// Seconds of a step.
pub(crate) const DT: f32 = 1.0 / 60.0;

/// A body of a scene: its place in the order of creation, never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Handle(pub(crate) u32);

impl Handle {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Fixed,
    Kinematic,
    Dynamic,
}

/// The form of a part, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outline {
    /// With a radius beside its half size; 0 for sharp corners.
    Box {
        half: Vec2,
        radius: f32,
    },
    Circle {
        radius: f32,
    },
    /// Around the segment from `a` to `b`.
    Capsule {
        a: Vec2,
        b: Vec2,
        radius: f32,
    },
    /// Convex, counter-clockwise.
    Polygon(Vec<Vec2>),
    Segment {
        a: Vec2,
        b: Vec2,
    },
    /// A closed chain, clockwise: two of the engines have chains with one solid side, and so it is the inner one.
    Ring(Vec<Vec2>),
}

/// One shape of a body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) outline: Outline,
    /// Where it is in the frame of the body.
    pub(crate) at: Vec2,
    pub(crate) density: f32,
    pub(crate) friction: f32,
    pub(crate) restitution: f32,
}

impl Part {
    pub(crate) fn new(outline: Outline) -> Part {
        Part { outline, at: Vec2::ZERO, density: 1.0, friction: 0.6, restitution: 0.0 }
    }

    /// A box by half its size.
    pub(crate) fn rect(half_width: f32, half_height: f32) -> Part {
        Part::new(Outline::Box { half: vec2(half_width, half_height), radius: 0.0 })
    }

    /// A box by half its side.
    pub(crate) fn square(half: f32) -> Part {
        Part::rect(half, half)
    }

    pub(crate) fn circle(radius: f32) -> Part {
        Part::new(Outline::Circle { radius })
    }

    pub(crate) fn capsule(a: Vec2, b: Vec2, radius: f32) -> Part {
        Part::new(Outline::Capsule { a, b, radius })
    }

    pub(crate) fn polygon(corners: impl Into<Vec<Vec2>>) -> Part {
        Part::new(Outline::Polygon(corners.into()))
    }

    pub(crate) fn at(self, at: Vec2) -> Part {
        Part { at, ..self }
    }

    pub(crate) fn density(self, density: f32) -> Part {
        Part { density, ..self }
    }

    pub(crate) fn friction(self, friction: f32) -> Part {
        Part { friction, ..self }
    }

    pub(crate) fn restitution(self, restitution: f32) -> Part {
        Part { restitution, ..self }
    }

    /// As carom has it, in the frame of the body.
    pub(crate) fn shape(&self) -> Shape {
        let shape = match &self.outline {
            Outline::Box { half, radius } => Shape::rect(2.0 * half.x, 2.0 * half.y).rounded(*radius),
            Outline::Circle { radius } => Shape::circle(*radius),
            Outline::Capsule { a, b, radius } => Shape::capsule(*a, *b, *radius),
            Outline::Polygon(corners) => Shape::polygon(corners),
            Outline::Segment { a, b } => Shape::segment(*a, *b),
            Outline::Ring(points) => Shape::closed_chain(points),
        };
        if self.at == Vec2::ZERO { shape } else { shape.at(self.at) }
    }
}

/// What a body touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    All,
    /// All but bodies with the same number, 1 to [`Touch::LAST`].
    ///
    /// So few numbers because rapier2d tells bodies apart by 32 bits; its other way, a hook, would cost it time.
    NotSame(u8),
    /// Nothing of its kind, and nothing else is there.
    Nothing,
}

impl Touch {
    pub(crate) const LAST: u8 = 30;

    pub(crate) fn allows(self, other: Touch) -> bool {
        match (self, other) {
            (Touch::Nothing, _) | (_, Touch::Nothing) => false,
            (Touch::NotSame(a), Touch::NotSame(b)) => a != b,
            _ => true,
        }
    }
}

/// A body of a scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BodyPlan {
    pub(crate) kind: Kind,
    pub(crate) at: Vec2,
    pub(crate) velocity: Vec2,
    pub(crate) spin: f32,
    pub(crate) asleep: bool,
    pub(crate) can_sleep: bool,
    /// Whether hard touches are to be told.
    pub(crate) tells_hits: bool,
    pub(crate) touch: Touch,
    pub(crate) parts: Vec<Part>,
}

impl BodyPlan {
    fn new(kind: Kind, at: Vec2) -> BodyPlan {
        BodyPlan {
            kind,
            at,
            velocity: Vec2::ZERO,
            spin: 0.0,
            asleep: false,
            can_sleep: true,
            tells_hits: false,
            touch: Touch::All,
            parts: Vec::new(),
        }
    }

    pub(crate) fn fixed(at: Vec2) -> BodyPlan {
        BodyPlan::new(Kind::Fixed, at)
    }

    pub(crate) fn kinematic(at: Vec2) -> BodyPlan {
        BodyPlan::new(Kind::Kinematic, at)
    }

    pub(crate) fn dynamic(at: Vec2) -> BodyPlan {
        BodyPlan::new(Kind::Dynamic, at)
    }

    /// With one more shape.
    pub(crate) fn part(mut self, part: Part) -> BodyPlan {
        self.parts.push(part);
        self
    }

    pub(crate) fn touch(self, touch: Touch) -> BodyPlan {
        BodyPlan { touch, ..self }
    }

    /// Mass, centre and inertia, as carom works them out.
    pub(crate) fn mass(&self) -> Mass {
        let masses: Vec<Mass> = self.parts.iter().map(|part| part.shape().mass(part.density)).collect();
        Mass::sum(&masses)
    }
}

/// What turns a hinge at a speed; at speed 0 it is friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motor {
    pub(crate) speed: f32,
    /// In N m; infinite for any.
    pub(crate) max_torque: f32,
}

/// What pulls a hinge to an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spring {
    pub(crate) target: f32,
    pub(crate) hertz: f32,
    pub(crate) damping: f32,
}

/// A hinge between two bodies, which do not touch each other from then on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HingePlan {
    pub(crate) a: Handle,
    pub(crate) b: Handle,
    /// In the frame of each body.
    pub(crate) anchors: [Vec2; 2],
    /// Of the angle of B against A.
    pub(crate) limits: Option<[f32; 2]>,
    pub(crate) motor: Option<Motor>,
    pub(crate) spring: Option<Spring>,
}

impl HingePlan {
    pub(crate) fn new(a: Handle, b: Handle, anchor_a: Vec2, anchor_b: Vec2) -> HingePlan {
        HingePlan { a, b, anchors: [anchor_a, anchor_b], limits: None, motor: None, spring: None }
    }

    pub(crate) fn motor(self, speed: f32, max_torque: f32) -> HingePlan {
        HingePlan { motor: Some(Motor { speed, max_torque }), ..self }
    }
}

/// What holds for all of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WorldPlan {
    pub(crate) gravity: Vec2,
    pub(crate) sleep: bool,
    pub(crate) threads: usize,
}
