//! What a scene is made of, in no engine's words.
//!
//! In: numbers from the scenes beside this file. Out: plans that a stage turns into bodies and
//! joints of its engine. `versus/src/quality.rs` turns them into carom's shapes, to measure what
//! became of them. Half sizes, metres, radians, y up.

use carom::{Mass, Shape, Vec2, vec2};

pub use crate::build::DT;

/// A body of a scene: its place in the order of creation, never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle(pub u32);

impl Handle {
    /// As a place in an array.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What moves a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Fixed,
    /// Its velocity alone.
    Kinematic,
    /// All that acts on it.
    Dynamic,
}

/// The form of a part, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// With a radius beside its half size; 0 for sharp corners.
    Box {
        /// Half width and half height, the radius not counted.
        half: Vec2,
        /// Of its corners.
        radius: f32,
    },
    /// A disc around the origin.
    Circle {
        /// In m.
        radius: f32,
    },
    /// Around the segment from `a` to `b`.
    Capsule {
        /// One end of the segment.
        a: Vec2,
        /// The other end.
        b: Vec2,
        /// In m.
        radius: f32,
    },
    /// Convex, counter-clockwise.
    Polygon(Vec<Vec2>),
    /// A line without an inside.
    Segment {
        /// One end.
        a: Vec2,
        /// The other end.
        b: Vec2,
    },
    /// A closed chain, clockwise: two of the engines have chains with one solid side, and so it is
    /// the inner one.
    Ring(Vec<Vec2>),
}

/// One shape of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its form.
    pub outline: Outline,
    /// Where it is in the frame of the body.
    pub at: Vec2,
    /// In kg/m².
    pub density: f32,
    /// Coefficient of friction.
    pub friction: f32,
    /// Share of the speed that comes back after a hit.
    pub restitution: f32,
}

impl Part {
    /// At the origin of the body, with the density and surface of most scenes.
    pub fn new(outline: Outline) -> Part {
        Part { outline, at: Vec2::ZERO, density: 1.0, friction: 0.6, restitution: 0.0 }
    }

    /// A box by half its size.
    pub fn rect(half_width: f32, half_height: f32) -> Part {
        Part::new(Outline::Box { half: vec2(half_width, half_height), radius: 0.0 })
    }

    /// A box by half its side.
    pub fn square(half: f32) -> Part {
        Part::rect(half, half)
    }

    /// A disc.
    pub fn circle(radius: f32) -> Part {
        Part::new(Outline::Circle { radius })
    }

    /// A capsule around the segment from `a` to `b`.
    pub fn capsule(a: Vec2, b: Vec2, radius: f32) -> Part {
        Part::new(Outline::Capsule { a, b, radius })
    }

    /// Convex, corners counter-clockwise.
    pub fn polygon(corners: impl Into<Vec<Vec2>>) -> Part {
        Part::new(Outline::Polygon(corners.into()))
    }

    /// Elsewhere in the frame of the body.
    pub fn at(self, at: Vec2) -> Part {
        Part { at, ..self }
    }

    /// With another density.
    pub fn density(self, density: f32) -> Part {
        Part { density, ..self }
    }

    /// With another friction.
    pub fn friction(self, friction: f32) -> Part {
        Part { friction, ..self }
    }

    /// With another restitution.
    pub fn restitution(self, restitution: f32) -> Part {
        Part { restitution, ..self }
    }

    /// As carom has it, in the frame of the body.
    pub fn shape(&self) -> Shape {
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
pub enum Touch {
    /// Everything.
    All,
    /// All but bodies with the same number, 1 to [`Touch::LAST`].
    ///
    /// So few numbers because rapier2d tells bodies apart by 32 bits; its other way, a hook, would
    /// cost it time.
    NotSame(u8),
    /// Nothing of its kind, and nothing else is there.
    Nothing,
}

impl Touch {
    /// The greatest number of [`Touch::NotSame`].
    pub const LAST: u8 = 30;

    /// Whether two bodies touch each other.
    pub fn allows(self, other: Touch) -> bool {
        match (self, other) {
            (Touch::Nothing, _) | (_, Touch::Nothing) => false,
            (Touch::NotSame(a), Touch::NotSame(b)) => a != b,
            _ => true,
        }
    }
}

/// A body of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPlan {
    /// What moves it.
    pub kind: Kind,
    /// Where it is at the start.
    pub at: Vec2,
    /// How it is turned at the start, in radians, counter-clockwise.
    pub angle: f32,
    /// In m/s.
    pub velocity: Vec2,
    /// In rad/s, counter-clockwise.
    pub spin: f32,
    /// Whether it sleeps at the start.
    pub asleep: bool,
    /// Whether it may fall asleep.
    pub can_sleep: bool,
    /// Whether hard touches are to be told.
    pub tells_hits: bool,
    /// What it touches.
    pub touch: Touch,
    /// Its shapes.
    pub parts: Vec<Part>,
}

impl BodyPlan {
    fn new(kind: Kind, at: Vec2) -> BodyPlan {
        BodyPlan {
            kind,
            at,
            angle: 0.0,
            velocity: Vec2::ZERO,
            spin: 0.0,
            asleep: false,
            can_sleep: true,
            tells_hits: false,
            touch: Touch::All,
            parts: Vec::new(),
        }
    }

    /// A body that never moves.
    pub fn fixed(at: Vec2) -> BodyPlan {
        BodyPlan::new(Kind::Fixed, at)
    }

    /// A body that moves as it is told.
    pub fn kinematic(at: Vec2) -> BodyPlan {
        BodyPlan::new(Kind::Kinematic, at)
    }

    /// A body that is moved.
    pub fn dynamic(at: Vec2) -> BodyPlan {
        BodyPlan::new(Kind::Dynamic, at)
    }

    /// With one more shape.
    pub fn part(mut self, part: Part) -> BodyPlan {
        self.parts.push(part);
        self
    }

    /// With another rule of what it touches.
    pub fn touch(self, touch: Touch) -> BodyPlan {
        BodyPlan { touch, ..self }
    }

    /// Mass, centre and inertia, as carom works them out.
    pub fn mass(&self) -> Mass {
        let masses: Vec<Mass> = self.parts.iter().map(|part| part.shape().mass(part.density)).collect();
        Mass::sum(&masses)
    }
}

/// What turns a hinge at a speed; at speed 0 it is friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Of B against A, in rad/s.
    pub speed: f32,
    /// In N m; infinite for any.
    pub max_torque: f32,
}

/// What pulls a hinge to an angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Of the angle of B against A, in radians.
    pub target: f32,
    /// How often it would swing in a second.
    pub hertz: f32,
    /// Damping ratio: at 1 it does not swing.
    pub damping: f32,
}

/// A hinge between two bodies, which do not touch each other from then on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingePlan {
    /// The first body.
    pub a: Handle,
    /// The second body.
    pub b: Handle,
    /// In the frame of each body.
    pub anchors: [Vec2; 2],
    /// Of the angle of B against A.
    pub limits: Option<[f32; 2]>,
    /// What turns it.
    pub motor: Option<Motor>,
    /// What pulls it to an angle.
    pub spring: Option<Spring>,
}

impl HingePlan {
    /// A hinge that turns freely.
    pub fn new(a: Handle, b: Handle, anchor_a: Vec2, anchor_b: Vec2) -> HingePlan {
        HingePlan { a, b, anchors: [anchor_a, anchor_b], limits: None, motor: None, spring: None }
    }

    /// With a motor.
    pub fn motor(self, speed: f32, max_torque: f32) -> HingePlan {
        HingePlan { motor: Some(Motor { speed, max_torque }), ..self }
    }
}

/// What holds for all of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldPlan {
    /// In m/s².
    pub gravity: Vec2,
    /// Whether bodies may sleep.
    pub sleep: bool,
    /// How many an engine steps on.
    pub threads: usize,
}
