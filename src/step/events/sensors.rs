//! Sensors (triggers): which shapes entered and left, and when in the step.
//!
//! In: contacts of sensors, and the displacements of this step. Out: entries and exits with their
//! times. A body that crosses a thin sensor within one step does both. Sensors are tested after
//! bodies have moved, so a body that was stopped before it got there did not enter.

use crate::body::NONE;
use crate::broadphase::Pair;
use crate::contact::flag;
use crate::event::{SensorEvent, Touch};
use crate::math::{Motion, Transform};
use crate::narrowphase::{cast_pieces, pieces_overlap};
use crate::shape::Piece;
use crate::step::displacement::motion;
use crate::world::World;

/// Two parts with their motion in the step.
struct Crossing<'s> {
    a: Piece<'s>,
    b: Piece<'s>,
    motion_a: Motion,
    motion_b: Motion,
}

impl Crossing<'_> {
    /// Share of the step after which they first touch.
    fn first(&self) -> Option<f32> {
        cast_pieces(self.a, self.motion_a, self.b, self.motion_b).map(|hit| hit.time)
    }

    /// Share of the step after which they touch for the last time: cast backwards from the end.
    fn last(&self) -> Option<f32> {
        let back = |motion: &Motion| Motion {
            start: motion.at(1.0),
            translation: -motion.translation,
            turn: -motion.turn,
        };
        let hit = cast_pieces(self.a, back(&self.motion_a), self.b, back(&self.motion_b));
        hit.map(|hit| 1.0 - hit.time)
    }

    fn overlap_at_end(&self) -> bool {
        let (a, b): (Transform, Transform) = (self.motion_a.at(1.0), self.motion_b.at(1.0));
        pieces_overlap(self.a, self.b, a.relative(b))
    }

    fn moves(&self) -> bool {
        let moves = |motion: &Motion| motion.turn != 0.0 || motion.translation != glam::Vec2::ZERO;
        moves(&self.motion_a) || moves(&self.motion_b)
    }
}

/// A passage over the border of a sensor.
#[derive(Clone, Copy)]
enum Passage {
    In,
    Out,
}

/// Events between a sensor and a visitor in a step.
struct Visit {
    entered: Option<f32>,
    left: Option<f32>,
    inside: bool,
}

impl World {
    /// Notes which shapes entered and left sensors.
    pub(crate) fn sense(&mut self) {
        let sensors = core::mem::take(&mut self.scratch.collide.sensors);
        // Bodies that woke have no rows in this step, so they wake when all visits are known.
        let mut sleepers = Vec::new();
        for &contact in &sensors {
            let visit = self.visit(contact);
            let (touch, swapped) = self.touch_of(contact);
            if let Some(time) = visit.entered {
                self.note_visits(contact, (touch, swapped), time, Passage::In);
            }
            if let Some(time) = visit.left {
                self.note_visits(contact, (touch, swapped), time, Passage::Out);
            }
            self.contacts.set(contact, flag::WAS_TOUCHING, visit.inside);
            self.contacts.set(contact, flag::MET, visit.inside);
            if visit.inside && visit.entered.is_some() {
                self.note_sleepers_in_area(contact, &mut sleepers);
            }
        }
        self.scratch.collide.sensors = sensors;
        sleepers.into_iter().for_each(|body| self.wake(body));
    }

    /// Notes bodies that sleep where an area has appeared.
    fn note_sleepers_in_area(&self, contact: u32, sleepers: &mut Vec<u32>) {
        if self.areas.list.is_empty() {
            return;
        }
        let Pair { a, b } = self.contacts.pair[contact as usize];
        let [a, b] = [a, b].map(|part| self.shapes.proxies.rows[part as usize]);
        for (sensor, visitor) in [(a, b), (b, a)] {
            let is_asleep = self.bodies.rows[visitor.body as usize].island != NONE;
            if is_asleep && sensor.sensor && self.areas.of(self.shape_id(sensor.shape)).is_some() {
                sleepers.push(visitor.body);
            }
        }
    }

    fn visit(&self, contact: u32) -> Visit {
        let before = self.contacts.has(contact, flag::WAS_TOUCHING);
        let pair = self.contacts.pair[contact as usize];
        let (part_a, part_b) =
            (&self.shapes.proxies.rows[pair.a as usize], &self.shapes.proxies.rows[pair.b as usize]);
        let (a, b) = (&self.bodies.rows[part_a.body as usize], &self.bodies.rows[part_b.body as usize]);
        let (moved_a, moved_b) = (self.displacement_of(part_a.body), self.displacement_of(part_b.body));
        let (own_a, own_b) = (self.centred(part_a), self.centred(part_b));
        let now = self.way(a.center_point(), b.center_point());
        let way = |moved: [f32; 4]| glam::Vec2::new(moved[0], moved[1]);
        let crossing = Crossing {
            a: own_a.piece(),
            b: own_b.piece(),
            motion_a: motion(a, glam::Vec2::ZERO, moved_a),
            motion_b: motion(b, now - (way(moved_b) - way(moved_a)), moved_b),
        };
        let inside = crossing.overlap_at_end();
        match (before, inside) {
            (true, true) => Visit { entered: None, left: None, inside },
            (false, true) => Visit { entered: crossing.first().or(Some(1.0)), left: None, inside },
            (true, false) => Visit { entered: None, left: crossing.last().or(Some(0.0)), inside },
            (false, false) => {
                let entered = if crossing.moves() { crossing.first() } else { None };
                let left = entered.and_then(|_| crossing.last());
                Visit { entered: left.and(entered), left, inside }
            }
        }
    }

    /// One event, or two if both are sensors.
    fn note_visits(&mut self, contact: u32, (touch, swapped): (Touch, bool), time: f32, passage: Passage) {
        let pair = self.contacts.pair[contact as usize];
        let Touch { a, b, body_a, body_b } = touch;
        let pair = if swapped { Pair { a: pair.b, b: pair.a } } else { pair };
        let sides = [(pair.a, a, b, body_a, body_b), (pair.b, b, a, body_b, body_a)];
        for (proxy, sensor, visitor, sensor_body, visitor_body) in sides {
            if self.shapes.proxies.rows[proxy as usize].sensor {
                let event = SensorEvent { sensor, visitor, sensor_body, visitor_body, time };
                match passage {
                    Passage::In => self.events.next.entered.push(event),
                    Passage::Out => self.events.next.left.push(event),
                }
            }
        }
    }

    /// A sensor's contact that is about to end: a visitor that was inside leaves.
    pub(crate) fn note_exit(&mut self, contact: u32) {
        let (touch, swapped) = self.touch_of(contact);
        self.note_visits(contact, (touch, swapped), 0.0, Passage::Out);
    }
}
