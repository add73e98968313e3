//! Manifolds of pairs that hardly moved against each other are not tested again.
//!
//! In: a contact, its last tested manifold in the frame of A, and where B stands in that frame now and stood then. Out: the
//! manifold turned with A, its gaps changed by how B moved, to first order. Always from the pose that was tested, so nothing adds up.
//! Boxes against boxes are not recycled: eight of them in lanes take no longer than this.

use glam::Vec2;

use super::World;
use super::collide::Found;
use crate::body::Body;
use crate::contact::flag;
use crate::math::Transform;

/// How far, in metres, and by how much, as a sine, B may have moved in the frame of A.
const STILL: f32 = 5.0e-4;
const STILL_TURN: f32 = 5.0e-4;

impl World {
    /// The manifold of a contact whose bodies hardly moved, if it was tested before.
    pub(crate) fn recycle(&self, contact: u32, b_in_a: &Transform, a: &Body, way: Vec2) -> Option<Found> {
        let link = &self.contacts.link[contact as usize];
        let other = flag::PREDICTED | flag::ONE_WAY | flag::HOOKED;
        if link.count == 0 || link.flags & (flag::TESTED | other) != flag::TESTED {
            return None;
        }
        let then = &self.contacts.tested_at[contact as usize];
        let (moved, turned) = (b_in_a.position - then.position, then.rotation.inverse() * b_in_a.rotation);
        if moved.length_squared() > STILL * STILL || turned.sin.abs() > STILL_TURN || turned.cos < 0.0 {
            return None;
        }
        let mut row = self.contacts.tested[contact as usize];
        let normal = Vec2::new(row[0], row[1]);
        for k in 0..usize::from(link.count) {
            // Points are given from A's centre of mass, B's origin from A's.
            let point = Vec2::new(row[2 + 3 * k], row[3 + 3 * k]);
            let arm = point + a.local_center - then.position;
            row[4 + 3 * k] += normal.dot(moved + arm.perp() * turned.sin);
        }
        turn(&mut row, |v| a.rotation * v);
        Some(Found { row, ids: self.contacts.ids[contact as usize], count: link.count, way })
    }

    /// Keeps a manifold that was just tested.
    pub(crate) fn note_tested(&mut self, contact: u32, found: &Found, b_in_a: &Transform, a: &Body) {
        let mut row = found.row;
        turn(&mut row, |v| a.rotation.inverse_rotate(v));
        self.contacts.tested[contact as usize] = row;
        self.contacts.tested_at[contact as usize] = *b_in_a;
        self.contacts.set(contact, flag::TESTED, found.count > 0);
    }
}

/// Normal and points of a row, seen from another frame.
fn turn(row: &mut crate::contact::Row, by: impl Fn(Vec2) -> Vec2) {
    for [x, y] in [[0, 1], [2, 3], [5, 6]] {
        let v = by(Vec2::new(row[x], row[y]));
        (row[x], row[y]) = (v.x, v.y);
    }
}
