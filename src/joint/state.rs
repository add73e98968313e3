//! Joints as words of a snapshot, and back.
//!
//! In: definitions as a world keeps them, with everything filled in. Out: rows of words; and
//! definitions again, whose numbers the caller checks.

use super::def::{Anchor, Drive, JointDef, JointKind, Limits, Motor, Servo, Spring};
use super::{Impulses, Joint};
use crate::body::{BodyId, JointId};
use crate::math::WorldPoint;
use crate::state::{LoadError, Parse, Put};

/// Words of a definition.
pub(crate) const DEF: usize = 62;

/// Words of the data of a kind.
const KIND: usize = 18;

/// Words of the impulses of a joint.
pub(crate) const IMPULSES: usize = 24;

fn put_point(put: &mut Put, point: WorldPoint) {
    put.region(point.region);
    put.vector(point.local);
}

fn parse_point(parse: &mut Parse) -> WorldPoint {
    WorldPoint { region: parse.region(), local: parse.vector() }
}

/// A body from two words.
pub(crate) fn parse_body(parse: &mut Parse) -> Result<BodyId, LoadError> {
    BodyId::of_words(parse.array()).ok_or(LoadError::Broken("an id has a generation"))
}

fn parse_joint(parse: &mut Parse) -> Result<JointId, LoadError> {
    JointId::of_words(parse.array()).ok_or(LoadError::Broken("an id has a generation"))
}

impl Anchor {
    fn put(&self, put: &mut Put) {
        match *self {
            Anchor::World(point) => {
                put.flag(true);
                put_point(put, point);
            }
            Anchor::Local(point) => {
                put.flag(false);
                put_point(put, WorldPoint { local: point, ..WorldPoint::ORIGIN });
            }
        }
    }

    fn parse(parse: &mut Parse) -> Result<Anchor, LoadError> {
        let of_world = parse.flag()?;
        let point = parse_point(parse);
        Ok(if of_world { Anchor::World(point) } else { Anchor::Local(point.local) })
    }
}

impl Spring {
    fn numbers(self) -> [f32; 2] {
        [self.hertz, self.damping]
    }
}

impl Drive {
    fn put(&self, put: &mut Put) {
        put.option(self.limits.map(|it| [it.lower, it.upper]));
        put.option(self.motor.map(|it| [it.speed, it.max]));
        put.option(
            self.servo
                .map(|it| [it.target, it.spring.hertz, it.spring.damping, it.force.lower, it.force.upper]),
        );
    }

    fn parse(parse: &mut Parse) -> Result<Drive, LoadError> {
        Ok(Drive {
            limits: parse.option()?.map(|[lower, upper]| Limits { lower, upper }),
            motor: parse.option()?.map(|[speed, max]| Motor { speed, max }),
            servo: parse.option()?.map(|[target, hertz, damping, lower, upper]| Servo {
                target,
                spring: Spring { hertz, damping },
                force: Limits { lower, upper },
            }),
        })
    }
}

impl JointKind {
    fn put(&self, put: &mut Put) {
        match *self {
            JointKind::Revolute => put.word(0),
            JointKind::Prismatic { axis } => {
                put.word(1);
                put.vector(axis);
            }
            JointKind::Distance { length, force } => {
                put.word(2);
                put.option(length.map(|length| [length]));
                put.floats(&[force.lower, force.upper]);
            }
            JointKind::Rope => put.word(3),
            JointKind::Weld { bend } => {
                put.word(4);
                put.option(bend.map(Spring::numbers));
            }
            JointKind::Wheel { axis, suspension } => {
                put.word(5);
                put.vector(axis);
                suspension.put(put);
            }
            JointKind::Motor { offset, angle, spring, max_force, max_torque } => {
                put.word(6);
                put.vector(offset);
                put.floats(&[angle, spring.hertz, spring.damping, max_force, max_torque]);
            }
            JointKind::Friction { max_force, max_torque } => {
                put.word(7);
                put.floats(&[max_force, max_torque]);
            }
            JointKind::Gear { first, second, ratio } => {
                put.word(8);
                put.words(&first.words());
                put.words(&second.words());
                put.float(ratio);
            }
            JointKind::Pulley { ground_a, ground_b, ratio, length } => {
                put.word(9);
                put_point(put, ground_a);
                put_point(put, ground_b);
                put.float(ratio);
                put.option(length.map(|length| [length]));
            }
            JointKind::Filter => put.word(10),
        }
    }

    fn parse(parse: &mut Parse) -> Result<JointKind, LoadError> {
        Ok(match parse.word() {
            0 => JointKind::Revolute,
            1 => JointKind::Prismatic { axis: parse.vector() },
            2 => {
                let length = parse.option()?.map(|[length]| length);
                let [lower, upper] = parse.floats();
                JointKind::Distance { length, force: Limits { lower, upper } }
            }
            3 => JointKind::Rope,
            4 => JointKind::Weld { bend: parse.option()?.map(|[hertz, damping]| Spring { hertz, damping }) },
            5 => JointKind::Wheel { axis: parse.vector(), suspension: Drive::parse(parse)? },
            6 => {
                let offset = parse.vector();
                let [angle, hertz, damping, max_force, max_torque] = parse.floats();
                let spring = Spring { hertz, damping };
                JointKind::Motor { offset, angle, spring, max_force, max_torque }
            }
            7 => {
                let [max_force, max_torque] = parse.floats();
                JointKind::Friction { max_force, max_torque }
            }
            8 => JointKind::Gear {
                first: parse_joint(parse)?,
                second: parse_joint(parse)?,
                ratio: parse.float(),
            },
            9 => JointKind::Pulley {
                ground_a: parse_point(parse),
                ground_b: parse_point(parse),
                ratio: parse.float(),
                length: parse.option()?.map(|[length]| length),
            },
            10 => JointKind::Filter,
            _ => return Err(LoadError::Broken("a joint is of a known kind")),
        })
    }
}

impl JointDef {
    /// The words of a definition that a world has taken.
    pub(crate) fn words(&self) -> [u32; DEF] {
        Put::row(|put| {
            put.words(&Put::row::<KIND>(|put| self.kind.put(put)));
            put.flag(self.body_a.is_some());
            put.words(&self.body_a.map_or([0; 2], BodyId::words));
            put.words(&self.body_b.words());
            self.anchor_a.put(put);
            self.anchor_b.put(put);
            put.option(self.angle.map(|angle| [angle]));
            self.drive.put(put);
            put.option(self.spring.map(Spring::numbers));
            put.floats(&[self.break_force, self.break_torque]);
            // Both flags in one word: an enabled joint has the same word as in older formats
            // without the flag.
            put.word(u32::from(self.collide) | u32::from(!self.enabled) << 1);
            put.long(self.user_data);
        })
    }

    /// A definition that may break rules.
    pub(crate) fn parse(words: &[u32; DEF]) -> Result<JointDef, LoadError> {
        let kind = JointKind::parse(&mut Parse::new(&words[..KIND]))?;
        let mut parse = Parse::new(&words[KIND..]);
        let hangs = parse.flag()?;
        let a = parse.array();
        let body_a = match hangs {
            true => Some(BodyId::of_words(a).ok_or(LoadError::Broken("an id has a generation"))?),
            false => None,
        };
        let mut def = JointDef {
            kind,
            body_a,
            body_b: parse_body(&mut parse)?,
            anchor_a: Anchor::parse(&mut parse)?,
            anchor_b: Anchor::parse(&mut parse)?,
            angle: parse.option()?.map(|[angle]| angle),
            drive: Drive::parse(&mut parse)?,
            spring: parse.option()?.map(|[hertz, damping]| Spring { hertz, damping }),
            break_force: parse.float(),
            break_torque: parse.float(),
            collide: false,
            enabled: true,
            user_data: 0,
            misfit: None,
        };
        let word = parse.word();
        if word > 3 {
            return Err(LoadError::Broken("a flag is 0 or 1"));
        }
        (def.collide, def.enabled, def.user_data) = (word & 1 != 0, word & 2 == 0, parse.long());
        Ok(def)
    }
}

impl Impulses {
    pub(crate) fn words(&self) -> [u32; IMPULSES] {
        Put::row(|put| {
            self.held.iter().for_each(|half| put.floats(half));
            self.driven.iter().flatten().for_each(|number| put.floats(number));
        })
    }

    pub(crate) fn parse(parse: &mut Parse) -> Impulses {
        let held = core::array::from_fn(|_| parse.floats());
        let driven = core::array::from_fn(|_| core::array::from_fn(|_| parse.floats()));
        Impulses { held, driven }
    }
}

impl Joint {
    /// The slot of its first body for the lists of joints: a gear whose joints move one body has
    /// that body once.
    pub(crate) fn first_of(def: &JointDef) -> Option<u32> {
        def.body_a.filter(|&id| id != def.body_b).map(|id| id.index() as u32)
    }
}
