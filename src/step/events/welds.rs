//! Welds by touch: sticky surfaces.
//!
//! In: touching contacts of surfaces that weld on touch. Out: weld joints between their bodies,
//! which are joints like any other. Two welded bodies make no contacts with each other, unless the
//! game switches their weld off or lets them collide: then they touch as other bodies do, and no
//! second weld is made.

use crate::body::BodyId;
use crate::contact::flag;
use crate::error::Error;
use crate::joint::{Anchor, JointDef};
use crate::world::World;
use crate::world::record::Input;
use glam::Vec2;

impl World {
    /// Whether two bodies were welded by touching.
    #[must_use]
    pub fn are_welded(&self, a: BodyId, b: BodyId) -> bool {
        let (Ok(a), Ok(b)) = (self.slot_of(a), self.slot_of(b)) else { return false };
        self.weld_between(a, b)
    }

    /// Undoes all welds by touch of a body. Bodies that still touch are welded again by the next
    /// step.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::default();
    /// let crane = world.add(BodyDef::kinematic().at([0.0, 5.0]))?;
    /// let magnet = world.attach(crane, Shape::rect(1.0, 0.5))?;
    /// world.set_material(magnet, Material::default().welding())?;
    /// let scrap = world.add(BodyDef::dynamic().at([0.0, 4.25]).shape(Shape::rect(1.0, 1.0)))?;
    /// world.step(1.0 / 60.0)?;
    /// assert!(world.are_welded(crane, scrap));
    /// world.set_material(magnet, Material::default())?; // switched off: it holds on to nothing new
    /// world.break_welds(scrap)?;
    /// world.step(1.0 / 60.0)?;
    /// assert!(world[scrap].velocity().y < -0.1); // it falls
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone.
    pub fn break_welds(&mut self, id: BodyId) -> Result<(), Error> {
        self.note(|| Input::BreakWelds { id });
        let slot = self.slot_of(id)?;
        self.wake(slot);
        let welds: Vec<u32> =
            self.joint_slots_of(slot).filter(|&joint| self.joints.rows[joint as usize].by_touch).collect();
        welds.into_iter().for_each(|weld| self.drop_joint(weld));
        Ok(())
    }

    fn weld_between(&self, a: u32, b: u32) -> bool {
        self.any_between(a, b, |joint| joint.by_touch)
    }

    /// Welds bodies that touched a welding surface in this step.
    pub(crate) fn weld_touched(&mut self) {
        if self.contacts.welding == 0 {
            return;
        }
        let mut welds = Vec::new();
        let mut from = 0;
        while let Some(contact) = self.contacts.active.next_from(from) {
            from = contact + 1;
            let link = self.contacts.link[contact as usize];
            let wanted = flag::WELDS | flag::WAS_TOUCHING;
            // Two welded bodies that touch in spite of that have a weld that is off, or that lets
            // them collide: this contact is an ordinary one.
            if link.flags & (wanted | flag::SENSOR) != wanted || self.weld_between(link.body_a, link.body_b) {
                continue;
            }
            let point = self.contacts.manifold[contact as usize].points[0].at;
            if !self.reach_both(link.body_a, link.body_b, point) {
                continue;
            }
            // No end event: the two go on touching, as one. But the touch is not counted any more.
            let (touch, _) = self.touch_of(contact);
            welds.push((link.body_a, link.body_b, point));
            self.events.welded.push(touch);
            self.dirty.colouring = true;
            self.forget_contact(contact);
        }
        for (a, b, point) in welds {
            if !self.weld_between(a, b) {
                self.weld(a, b, point);
            }
        }
    }

    /// Whether a point, given from A's centre of mass, lies within the reach of both bodies. Bodies
    /// at a million metres per second are far apart again at the end of the step in which they
    /// touched: a weld there would have an arm of kilometres.
    fn reach_both(&self, a: u32, b: u32, point: Vec2) -> bool {
        let (body_a, body_b) = (&self.bodies.rows[a as usize], &self.bodies.rows[b as usize]);
        let way = self.way(body_a.center_point(), body_b.center_point());
        let margin = self.tuning.margins.speculative;
        point.length() <= body_a.max_extent + margin && (point - way).length() <= body_b.max_extent + margin
    }

    /// Welds two bodies at a point given from A's centre of mass.
    fn weld(&mut self, a: u32, b: u32, point: Vec2) {
        let (body_a, body_b) = (&self.bodies.rows[a as usize], &self.bodies.rows[b as usize]);
        let way = self.way(body_a.center_point(), body_b.center_point());
        let local = |body: &crate::body::Body, point: Vec2| {
            Anchor::Local(body.rotation.inverse_rotate(point) + body.local_center)
        };
        let def = JointDef {
            anchor_a: local(body_a, point),
            anchor_b: local(body_b, point - way),
            ..JointDef::weld(self.body_id(a), self.body_id(b))
        };
        match self.insert_joint(def) {
            Ok(id) => self.joints.rows[id.index()].by_touch = true,
            // A body as long as the world cannot be welded at its touch: the contact goes on.
            Err(_) => self.contacts_between_anew(a, b),
        }
    }
}
