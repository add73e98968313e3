//! Contact read-back: the shapes that touch now, asleep or not.
//!
//! In: the contacts as the last step left them. Out: one answer per pair of touching parts, for
//! programs that need the load of a pressure plate or the force on a crate. Beginnings and ends are
//! in the events.

use glam::Vec2;

use crate::body::{BodyId, Collider, ShapeId};
use crate::contact::flag;
use crate::event::Touch;
use crate::math::WorldPoint;
use crate::util::sort;
use crate::world::World;

/// A touch that lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contact {
    /// The two shapes that touch, and their bodies.
    pub touch: Touch,
    /// The part of each shape, 0 if there is only one; for a tile map, the number of the cell.
    pub parts: [u32; 2],
    /// Whether one of the two is a sensor: then only the overlap is known.
    pub sensor: bool,
    /// From the first shape to the second.
    pub normal: Vec2,
    /// Sum of normal impulses in the last step, in N s: for a resting body, its weight times the
    /// step.
    pub impulse: f32,
    points: [ContactPoint; 2],
    count: usize,
}

/// A point of a [`Contact`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ContactPoint {
    /// The position, midway between the two surfaces.
    pub point: WorldPoint,
    /// Distance of the two surfaces as found by the last step, in m; below 0 for overlap.
    pub separation: f32,
    /// Normal impulse of the last sub-step, scaled to a whole step, in N s.
    pub normal_impulse: f32,
    /// Friction impulse on the second shape in the last sub-step, scaled to a whole step, along the
    /// normal turned a quarter clockwise, in N s.
    pub friction_impulse: f32,
}

impl Contact {
    /// Its one or two points; none of a sensor.
    #[must_use]
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..self.count]
    }
}

impl World {
    /// All touches, one per pair of parts, in no particular order.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(8.0, 1.0)))?;
    /// world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(1.0, 1.0)))?; // 1 kg
    /// for _ in 0..20 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// let pressed: f32 = world.contacts().map(|contact| contact.impulse).sum();
    /// assert!((pressed - 9.81 / 60.0).abs() < 0.005 * pressed);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn contacts(&self) -> impl Iterator<Item = Contact> + '_ {
        let slots = 1..self.contacts.link.len() as u32;
        slots.filter(|&slot| self.touches_now(slot)).map(|slot| self.contact_at(slot))
    }

    /// The touches of a body, in the order of [`World::contacts`]; none if it is gone. Takes time
    /// in proportion to the contacts of the body.
    pub fn contacts_of_body(&self, id: BodyId) -> impl Iterator<Item = Contact> + '_ {
        let body = self.get(id).map(|_| id.index() as u32);
        let of_body = body.into_iter().flat_map(|body| self.contacts.edges().of(body));
        let mut slots: Vec<u32> = of_body.filter(|&slot| self.touches_now(slot)).collect();
        slots.sort_unstable();
        slots.into_iter().map(|slot| self.contact_at(slot))
    }

    /// The shapes that touch a solid shape now, each once, in the order of their ids; none if it is
    /// gone, or a sensor. Sleepers count.
    ///
    /// Takes time in proportion to the contacts of its body. [`World::contacts_of_body`] returns
    /// more about each touch.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let plate = world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(8.0, 1.0)))?;
    /// let crate_ = world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(1.0, 1.0)))?;
    /// world.step(1.0 / 60.0)?;
    /// let (plate, _) = world.shapes_of(plate).next().expect("it has one");
    /// let on_it: Vec<_> = world.touching(plate).into_iter().map(|it| world.body_of(it)).collect();
    /// assert_eq!(on_it, [Some(crate_)]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn touching(&self, shape: ShapeId) -> Vec<ShapeId> {
        self.met_by(shape, false)
    }

    /// The shapes that are in a sensor now, as of the last step, each once, in the order of their
    /// ids; none if the sensor is gone or the shape is no sensor. Sleeping shapes count. Takes time
    /// in proportion to the contacts of its body.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let door = BodyDef::fixed().shape(ShapeDef::from(Shape::rect(4.0, 4.0)).sensor());
    /// let door = world.add(door)?;
    /// let guest = world.add(BodyDef::dynamic().at([0.0, 1.0]).shape(Shape::circle(0.5)))?;
    /// world.step(1.0 / 60.0)?;
    /// let (door, _) = world.shapes_of(door).next().expect("it has one");
    /// assert_eq!(world.body_of(world.visitors(door)[0]), Some(guest));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn visitors(&self, sensor: ShapeId) -> Vec<ShapeId> {
        self.met_by(sensor, true)
    }

    /// The shapes that a sensor contains, or that a solid shape touches.
    fn met_by(&self, id: ShapeId, as_sensor: bool) -> Vec<ShapeId> {
        let fits = |it: &&Collider| it.is_sensor() == as_sensor || it.shape.tile_map().is_some();
        let Some(collider) = self.get_shape(id).filter(fits) else {
            return Vec::new();
        };
        let own = id.index() as u32;
        let other = |contact: u32| {
            let pair = self.contacts.pair[contact as usize];
            let [a, b] = [pair.a, pair.b].map(|part| self.shapes.proxies.rows[part as usize].shape);
            let other = if a == own { b } else { a };
            let is_of_it = (a == own || b == own) && self.contacts.has(contact, flag::WAS_TOUCHING);
            // An overlap with a sensor is a visit, never a touch.
            let fits = as_sensor == self.contacts.has(contact, flag::SENSOR);
            (is_of_it && fits).then(|| self.shape_id(other))
        };
        let mut met: Vec<ShapeId> = self.contacts.edges().of(collider.body).filter_map(other).collect();
        sort::plain(&mut met);
        met.dedup();
        met
    }

    /// Whether a slot holds a contact whose surfaces touch.
    pub(crate) fn touches_now(&self, slot: u32) -> bool {
        let pair = self.contacts.pair[slot as usize];
        self.contacts.has(slot, flag::WAS_TOUCHING) && self.contacts.find(pair) == Some(slot)
    }

    /// The contact in a slot.
    pub(crate) fn contact_at(&self, slot: u32) -> Contact {
        let (touch, swapped) = self.touch_of(slot);
        let link = &self.contacts.link[slot as usize];
        let row = &self.contacts.manifold[slot as usize];
        let center = self.bodies.rows[link.body_a as usize].center_point();
        let impulse = &self.contacts.impulse[slot as usize];
        let count = usize::from(link.count);
        let mut points = [ContactPoint::default(); 2];
        for (k, point) in points[..count].iter_mut().enumerate() {
            *point = ContactPoint {
                point: center.offset_within(row.points[k].at),
                separation: row.points[k].separation,
                // Contacts store forces, not impulses.
                normal_impulse: impulse.normal[k] * self.step.dt,
                friction_impulse: impulse.tangent[k] * self.step.dt,
            };
        }
        let pair = self.contacts.pair[slot as usize];
        let parts = if swapped { [pair.b, pair.a] } else { [pair.a, pair.b] };
        Contact {
            touch,
            parts: parts.map(|part| self.shapes.proxies.rows[part as usize].part),
            sensor: link.flags & flag::SENSOR != 0,
            normal: row.normal * if swapped { -1.0 } else { 1.0 },
            impulse: impulse.total,
            points,
            count,
        }
    }
}
