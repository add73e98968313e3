//! Seams between immovable parts: tiles side by side are one surface.
//!
//! In: bodies that touch several immovable parts. Out: contacts gone whose normals that surface as a whole does not have.
//!
//! ```text
//!      +------+             The corner of the box comes to the edge of tile F. Taken alone, F's left face pushes
//!      | box  | ->          it back: the bump that players feel. But that face is no surface: tile G covers it.
//!      +------+             p is the contact point on F. Where the normal leans over, seen from G's surface, G goes
//!   [  G   ]p[   F   ]      on: so nothing there faces that way. (On a ridge it would end, and the normal is real.)
//! ```
//!
//! A contact is dropped if that holds for all of its points, with one and the same neighbour G. The wall beside a
//! floor keeps its contacts, as they reach up from the floor; a step higher than [`FLUSH`] is felt. Chains have
//! their own, exact rule (`narrowphase/smooth.rs`): their segments know their neighbours, and do not cover each other here.
//! (They did: a wedge sank into the valleys of a saw, as its face on one slope covered the corner's contact with the other.)

use glam::Vec2;

use super::World;
use crate::body::collider::{PlacedRow, Proxy};
use crate::contact::flag;
use crate::math::min;
use crate::narrowphase::closest_point_of_piece;
use crate::shape::Shape;
use crate::tuning::FLUSH;

/// How far on the neighbour must still be there, as a multiple of [`FLUSH`].
const STEP: f32 = 4.0;

/// How far a normal leans over, in units of its sine, before it counts as another normal.
const LEAN: f32 = 1.0e-2;

/// A contact with something immovable, and the body that is not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// The body, and below it the contact: sorted as one number.
    key: u64,
    rank: Rank,
}

impl Side {
    pub(crate) fn new(body: u32, contact: u32) -> Side {
        Side { key: u64::from(body) << 32 | u64::from(contact), rank: Rank::Apart }
    }

    fn body(&self) -> u32 {
        (self.key >> 32) as u32
    }

    fn contact(&self) -> u32 {
        self.key as u32
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    /// It holds nothing in this step.
    Apart,
    /// No neighbour covers it.
    Real,
    /// A neighbour does.
    Covered,
    /// It is gone.
    Dropped,
}

impl World {
    /// Drops the contacts that neighbours of the touched part cover.
    pub(crate) fn smooth_seams(&mut self) {
        let mut sides = core::mem::take(&mut self.collide.sides);
        sides.sort_unstable_by_key(|side| side.key);
        for group in sides.chunk_by_mut(|p, q| p.body() == q.body()) {
            if group.len() > 1 {
                self.drop_covered(group);
            }
        }
        self.collide.sides = sides;
    }

    /// A covered contact goes if what covers it holds the body: by a contact that nothing covers, or that is covered by such
    /// a one in turn. Two parts that cover each other (a body deep inside both) keep their contacts.
    fn drop_covered(&mut self, group: &mut [Side]) {
        for index in 0..group.len() {
            let (contact, body) = (group[index].contact(), group[index].body());
            group[index].rank = if !self.contacts.has(contact, flag::TOUCHING) {
                Rank::Apart
            } else if group
                .iter()
                .any(|other| other.contact() != contact && self.covers(other.contact(), contact, body))
            {
                Rank::Covered
            } else {
                Rank::Real
            };
        }
        // Each round drops at least one, so there are no more of them than contacts.
        for _ in 0..group.len() {
            let covered = |side: &&Side| side.rank == Rank::Covered;
            let found = group.iter().filter(covered).find(|side| {
                let holds = |other: &&Side| matches!(other.rank, Rank::Real | Rank::Dropped);
                group
                    .iter()
                    .filter(holds)
                    .any(|other| self.covers(other.contact(), side.contact(), side.body()))
            });
            let Some(contact) = found.map(|side| side.contact()) else { return };
            group
                .iter_mut()
                .filter(|side| side.contact() == contact)
                .for_each(|side| side.rank = Rank::Dropped);
            self.keep_nothing(contact);
            self.begun = self.begun.saturating_sub(1);
        }
    }

    /// Whether the immovable part of contact `neighbour` covers all points of `contact`.
    fn covers(&self, neighbour: u32, contact: u32, body: u32) -> bool {
        let (row, way) =
            (&self.contacts.manifold[contact as usize], &self.contacts.impulse[contact as usize]);
        let link = &self.contacts.link[contact as usize];
        let outward = self.outward(contact, body);
        let Some(lean) = self.lean(outward, neighbour, body) else { return false };
        // Points from the immovable body's centre of mass.
        let a_moves = link.body_a == body;
        let shift = if a_moves { Vec2::new(way[5], way[6]) } else { Vec2::ZERO };
        let ground = &self.bodies[if a_moves { link.body_b } else { link.body_a } as usize];
        let pair = self.contacts.pair[neighbour as usize];
        let neighbour_link = &self.contacts.link[neighbour as usize];
        let proxy = if neighbour_link.body_a == body { pair.b } else { pair.a };
        let part = &self.proxies.rows[proxy as usize];
        let own = self.contacts.pair[contact as usize];
        let own = &self.proxies.rows[if a_moves { own.b } else { own.a } as usize];
        if own.shape == part.shape && self.is_chain(part) {
            return false;
        }
        let host = &self.bodies[part.body as usize];
        // A predicted manifold is that of the impact, where the gap is closed.
        let gap = if link.flags & flag::PREDICTED != 0 { 0.0 } else { 0.5 };
        let room = min(FLUSH, 0.1 * self.bodies[body as usize].core);
        let to_host = host.world_center().to(ground.world_center());
        let placed = &self.proxies.placed[proxy as usize];
        let near = |p: Vec2| {
            let p = to_host + p;
            if !is_around(placed, p, room) {
                return false;
            }
            let piece = self.colliders[part.shape as usize].shape.piece(part.part as usize);
            let local = host.rotation.inverse_rotate(p) + host.local_center;
            closest_point_of_piece(piece, local).distance <= room
        };
        (0..usize::from(link.count)).all(|k| {
            let point = Vec2::new(row[2 + 3 * k], row[3 + 3 * k]) - shift;
            let on_ground = point - outward * (gap * row[4 + 3 * k]);
            near(on_ground) && near(on_ground + lean * (STEP * room))
        })
    }

    /// Whether a part is a segment of a chain.
    fn is_chain(&self, part: &Proxy) -> bool {
        matches!(self.colliders[part.shape as usize].shape, Shape::Chain(_))
    }

    /// The normal of a contact, from the immovable part to the body.
    fn outward(&self, contact: u32, body: u32) -> Vec2 {
        let row = &self.contacts.manifold[contact as usize];
        let normal = Vec2::new(row[0], row[1]);
        if self.contacts.link[contact as usize].body_a == body { -normal } else { normal }
    }

    /// Where a normal leans, seen from the surface of a neighbour: along its face. As long as the neighbour does not
    /// touch, the normal itself. None if both point the same way.
    fn lean(&self, outward: Vec2, neighbour: u32, body: u32) -> Option<Vec2> {
        if !self.contacts.has(neighbour, flag::TOUCHING) {
            return Some(outward);
        }
        let up = self.outward(neighbour, body);
        let lean = outward - up * outward.dot(up);
        (lean.length() > LEAN).then(|| lean.normalize_or_zero())
    }
}

/// Whether a point, given from the centre of mass of a part's body, may be within `room` of the part: whether it is within the circle
/// around the part. Of the neighbours of a tile that something stands on, this turns away most, for a few nanoseconds.
fn is_around(placed: &PlacedRow, p: Vec2, room: f32) -> bool {
    let [.., half_x, half_y, x, y] = *placed;
    let (way, reach) = (p - Vec2::new(x, y), Vec2::new(half_x, half_y).length() + room);
    // A share of everything for the rounding of it. Half-planes have no end, and no middle that is a number.
    let rounding = 1.0e-5 * (reach + p.length());
    let is_beyond = way.length() > reach + rounding;
    !is_beyond
}
