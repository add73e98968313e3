//! Bends: immovable faces that meet at an angle, and a body that slides from one onto the next.
//!
//! In: bodies that touch several immovable parts, after ghost contacts are gone. Out: contacts with
//! the faces that the body reaches within the step, with points for every corner that reaches them.
//!
//! ```text
//!      q-----------p        The manifold of a face has points only of the part over it. A box that
//!     =========v___--+      slides to the right has a contact with the slope at its corner p, and
//!         G       F         one at the bend v, where its side is clipped. Its corner q passes v
//!                           within the step, at 10 m/s by up to 17 cm: on a slope of 5 degrees it
//!                           would end it 15 mm deep.
//! ```
//!
//! So the side of the body that meets such a face is clipped to the stretch that is over the face
//! now or will be within the step; the gaps are the gaps of now. All faces of a hollow hold at the
//! same time, so no point is pushed before it gets there.

use glam::Vec2;

use super::tile_ghosts::{GroundContact, found_of};
use super::write::FoundContact;
use crate::ablate::Rule;
use crate::contact::flag;
use crate::math::{cross, max};
use crate::tuning::SurfaceTuning;
use crate::world::World;

impl World {
    /// Widens the contacts of a body with faces at an angle to each other.
    pub(super) fn sweep_bends(&mut self, group: &[GroundContact], dt: f32) {
        let body = group[0].body();
        let slides = self.tuning.surfaces.bend_move;
        let comes = self.bodies.rows[body as usize].linear_velocity * dt;
        let is_slow = comes.length_squared() < slides * slides;
        if is_slow || !Rule::Bends.is_on() || !self.has_bend(group) {
            return;
        }
        for side in group {
            let contact = side.contact();
            if let Some(found) = self.swept(contact, body, dt) {
                Rule::Bends.count();
                let predicted = self.contacts.link[contact as usize].flags & flag::PREDICTED;
                self.replace(contact, side.before, &found);
                self.contacts.link[contact as usize].flags |= predicted;
            }
        }
    }

    /// The normal of a contact, from the immovable part to the body, if they touch.
    pub(super) fn outward(&self, contact: u32, body: u32) -> Option<Vec2> {
        let (link, row) = (&self.contacts.link[contact as usize], &self.contacts.manifold[contact as usize]);
        let outward = if link.body_b == body { row.normal } else { -row.normal };
        (link.flags & flag::TOUCHING != 0).then_some(outward)
    }

    /// Whether two of the contacts have normals at a small angle to each other.
    fn has_bend(&self, group: &[GroundContact]) -> bool {
        let mut normals = group.iter().filter_map(|side| self.outward(side.contact(), side.body()));
        let Some(first) = normals.next() else { return false };
        normals
            .any(|n| n.dot(first) > SurfaceTuning::ALONG && cross(n, first).abs() > SurfaceTuning::SAME_FACE)
    }

    /// The contact with the same face, widened by the part of the body that gets over the face in
    /// this step; nothing if no point is added, or if the body overlaps the face there.
    fn swept(&self, contact: u32, body: u32, dt: f32) -> Option<FoundContact> {
        let outward = self.outward(contact, body)?;
        let pair = self.pair_of(contact, body);
        if self.are_lines(&pair) {
            return None;
        }
        let (faces, seen) = self.faces_of(&pair)?;
        let face = faces.numbers().find(|&face| {
            let n = seen.rotation * faces.normal(face);
            outward.dot(n) > 0.0 && cross(outward, n).abs() <= SurfaceTuning::SAME_FACE
        })?;
        let (ground, guest) = (&self.bodies.rows[pair.ground as usize], &self.bodies.rows[body as usize]);
        let comes = (guest.linear_velocity - ground.linear_velocity) * dt;
        let turns = guest.angular_velocity.abs() * dt * guest.max_extent;
        let margin = self.tuning.margins.speculative + max(-outward.dot(comes), 0.0) + turns;
        let manifold = faces.swept(face, ground.rotation.inverse_rotate(comes), margin);
        let mut beside = manifold.points().iter().filter(|point| faces.is_beside(face, point.point));
        let first = beside.next()?;
        let overlaps = |separation: f32| separation < -self.tuning.surfaces.bend_overlap;
        (!overlaps(first.separation) && !beside.any(|point| overlaps(point.separation)))
            .then(|| found_of(&manifold.transformed(seen), &pair))
    }
}
