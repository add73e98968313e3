//! Seams between immovable parts: tiles side by side are one surface.
//!
//! In: bodies that touch several immovable parts. Out: contacts gone whose normals that surface as a whole does not have.
//!
//! ```text
//!      +------+             The corner of the box comes to the edge of tile F. Taken alone, F's left face pushes
//!      | box  | ->          it back: the bump that players feel. But that face is no surface: tile G covers it.
//!      +------+             p is the contact point on F, and a step along the normal from there leads not into
//!   [  G   ]p[   F   ]      the open, but into G, or along its top.
//! ```
//!
//! A contact is dropped if that holds for all of its points, with one and the same neighbour G. The wall beside a
//! floor keeps its contacts, as they reach up from the floor; a step higher than [`FLUSH`] is felt. Chains have
//! their own, exact rule (`narrowphase/smooth.rs`): their segments know their neighbours.

use glam::Vec2;

use super::World;
use crate::body::flag as body_flag;
use crate::contact::flag;
use crate::math::min;
use crate::narrowphase::closest_point_of_piece;
use crate::tuning::FLUSH;

/// How far along the normal the neighbour must still be there, as a multiple of [`FLUSH`].
const STEP: f32 = 4.0;

/// A contact with something immovable, and the body that is not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    body: u32,
    contact: u32,
}

impl World {
    /// Drops the contacts that neighbours of the touched part cover.
    pub(crate) fn smooth_seams(&mut self) {
        let mut sides = core::mem::take(&mut self.collide.sides);
        sides.clear();
        for &contact in &self.contacts.active {
            let link = &self.contacts.link[contact as usize];
            if link.flags & (flag::ONE_SIDED | flag::SENSOR) == flag::ONE_SIDED {
                let a_moves = self.bodies[link.body_a as usize].has(body_flag::DYNAMIC);
                sides.push(Side { body: if a_moves { link.body_a } else { link.body_b }, contact });
            }
        }
        sides.sort_unstable_by_key(|side| (side.body, side.contact));
        for group in sides.chunk_by(|p, q| p.body == q.body) {
            if group.len() > 1 {
                self.drop_covered(group);
            }
        }
        self.collide.sides = sides;
    }

    fn drop_covered(&mut self, group: &[Side]) {
        for (index, side) in group.iter().enumerate() {
            let contact = side.contact;
            if !self.contacts.has(contact, flag::TOUCHING) {
                continue;
            }
            let others = group.iter().enumerate().filter(|(other, _)| *other != index);
            if others.into_iter().any(|(_, other)| self.covers(other.contact, contact, side.body)) {
                self.keep_nothing(contact);
            }
        }
    }

    /// Whether the immovable part of contact `neighbour` covers all points of `contact`.
    fn covers(&self, neighbour: u32, contact: u32, body: u32) -> bool {
        let (row, way) =
            (&self.contacts.manifold[contact as usize], &self.contacts.impulse[contact as usize]);
        let link = &self.contacts.link[contact as usize];
        let a_moves = link.body_a == body;
        let normal = Vec2::new(row[0], row[1]);
        // From the immovable part to the body; points from the immovable body's centre.
        let (outward, shift) =
            if a_moves { (-normal, Vec2::new(way[5], way[6])) } else { (normal, Vec2::ZERO) };
        let ground = &self.bodies[if a_moves { link.body_b } else { link.body_a } as usize];
        let pair = self.contacts.pair[neighbour as usize];
        let neighbour_link = &self.contacts.link[neighbour as usize];
        let proxy = if neighbour_link.body_a == body { pair.b } else { pair.a };
        let part = &self.proxies.rows[proxy as usize];
        let host = &self.bodies[part.body as usize];
        let piece = self.colliders[part.shape as usize].shape.piece(part.part as usize);
        // A predicted manifold is that of the impact, where the gap is closed.
        let gap = if link.flags & flag::PREDICTED != 0 { 0.0 } else { 0.5 };
        let room = min(FLUSH, 0.1 * self.bodies[body as usize].core);
        let to_host = host.world_center().to(ground.world_center());
        (0..usize::from(link.count)).all(|k| {
            let point = Vec2::new(row[2 + 3 * k], row[3 + 3 * k]) - shift;
            let on_ground = point - outward * (gap * row[4 + 3 * k]);
            let ahead = on_ground + outward * (STEP * room);
            let local = |p: Vec2| host.rotation.inverse_rotate(to_host + p) + host.local_center;
            closest_point_of_piece(piece, local(ahead)).distance <= room
                && closest_point_of_piece(piece, local(on_ground)).distance <= room
        })
    }
}
