//! Ghost collisions of tiles (internal edges): separate immovable parts side by side are one
//! surface. Segments of a chain know their neighbours, and have an exact rule of their own:
//! `narrowphase/chain_ghosts.rs`.
//!
//! In: bodies that touch several immovable parts. Out: contacts whose normal cannot occur on the
//! merged surface are replaced by contacts with an outer face of their part, or removed where the
//! part has none there.
//!
//! ```text
//!      +------+          The corner of the box comes to the edge of tile F. Taken alone, F's left
//!      | box  | ->       face pushes it back: the bump that players feel. p is the contact point
//!      +------+          on F. Tile G covers that face, so the merged surface has no such normal:
//!   [  G   ]p[   F   ]   from p, G extends to the side that the normal points to. (On a ridge G
//!                        would fall off, and the normal is real.) The box touches F's upper
//!                        face, which is real.
//!
//!   |  /                 An inner corner. Taken alone, the corner of F is pushed out through the
//!   | /  body            slanted side of the body, which is nearer than F's upper face: towards G.
//!  G|/______             As G extends there, that normal is not real, and F's upper face is used:
//!   |[   F   ]           else the body would sink along G. (It did, by half of its size.)
//! ```
//!
//! The normal of a face is real if part of the stretch under the body is not covered; any other
//! normal is real if its nearest contact points are not covered. The wall beside a floor keeps its
//! contacts, as it reaches up from the floor; a step higher than [`FLUSH`] is felt.

use glam::Vec2;

use super::relative;
use super::write::FoundContact;
use crate::ablate::Rule;
use crate::body::collider::PlacedRow;
use crate::contact::{ImpulseRow, ManifoldPoint, flag};
use crate::math::{Transform, cross, max, min};
use crate::narrowphase::{Faces, FeatureId, Manifold, closest_points_of_piece};
use crate::shape::{Piece, Shape};
use crate::tuning::SurfaceTuning;
use crate::world::World;

/// A contact with an immovable part (the ground), and the body that touches it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundContact {
    /// The body, and below it the contact: sorted as one number.
    key: u64,
    /// Index in the list of `Before`.
    pub(super) before: u32,
    rank: Rank,
}

/// The state of a contact before the tests of this step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    count: u8,
    ids: [FeatureId; 2],
    impulse: ImpulseRow,
    loads: [f32; 2],
}

/// A body against a part of another, the ground: data of both, relative to the ground's centre of
/// mass.
///
/// Most contacts are real by their points alone: the shapes of the two are loaded only for others.
/// (For dolls on a floor of tiles, loading all took 2.6 % of the step, by the profile.)
pub(super) struct Pair {
    pub(super) ground: u32,
    /// The part of the ground, and that of the body.
    part: u32,
    guest: u32,
    body: u32,
    a_moves: bool,
    /// From A's centre of mass to B's, at present.
    way: Vec2,
    /// Whether both are in one region of a world that does not wrap round: places of their parts can
    /// be compared.
    is_plain: bool,
    /// Gap that still counts as flush.
    room: f32,
}

impl GroundContact {
    pub(crate) fn new(body: u32, contact: u32, before: u32) -> GroundContact {
        GroundContact { key: u64::from(body) << 32 | u64::from(contact), before, rank: Rank::Apart }
    }

    pub(super) fn body(&self) -> u32 {
        (self.key >> 32) as u32
    }

    pub(super) fn contact(&self) -> u32 {
        self.key as u32
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    /// Without a touch in this step.
    Apart,
    /// Its normal is one of the merged surface.
    Real,
    /// Neighbours cover it.
    Covered,
    /// Removed.
    Dropped,
}

/// Rounding of a place, as a share of its coordinates, with a margin: where only a shortcut depends
/// on it.
const PLACE_ROUNDING: f32 = 1.0e-5;

/// Decision about a contact.
enum Verdict {
    Real,
    /// The new contact, and whether it is a speculative one.
    Replaced(FoundContact, bool),
    Covered,
}

impl World {
    /// The state of a contact before its test.
    pub(super) fn before(&self, contact: u32) -> Before {
        let (place, contacts) = (contact as usize, &self.contacts);
        Before {
            count: contacts.link[place].count,
            ids: contacts.ids[place],
            impulse: contacts.impulse[place],
            loads: contacts.surface[place].loads,
        }
    }

    /// Replaces or drops the contacts that neighbours of the touched part cover.
    pub(super) fn replace_ghost_contacts(&mut self, dt: f32) {
        let mut sides = core::mem::take(&mut self.scratch.collide.sides);
        sides.sort_unstable_by_key(|side| side.key);
        for group in sides.chunk_by_mut(|p, q| p.body() == q.body()) {
            if group.len() > 1 {
                let may_be_covered = Rule::GhostContacts.is_on() && self.may_be_covered(group);
                debug_assert!(
                    may_be_covered || !Rule::GhostContacts.is_on() || self.are_real(group, dt),
                    "a covered contact was passed over"
                );
                if may_be_covered {
                    self.remove_ghosts(group, dt);
                }
                self.sweep_bends(group, dt);
            }
        }
        self.scratch.collide.sides = sides;
    }

    /// Whether a contact of a group may be covered: other parts of the ground are near all of its
    /// points. In the frame of the region, so bodies are not read; in most groups of tiles or boxes
    /// only one is under the body. True where the group is in several regions, or the world wraps
    /// round: places of its parts cannot be compared then.
    fn may_be_covered(&self, group: &[GroundContact]) -> bool {
        let contacts = &self.contacts;
        let part_of = |side: &GroundContact| {
            let (contact, body) = (side.contact() as usize, side.body());
            let pair = contacts.pair[contact];
            if contacts.link[contact].body_a == body { pair.b } else { pair.a }
        };
        let is_torn = |side: &GroundContact| !contacts.has(side.contact(), flag::ONE_REGION);
        if !self.def.period().is_none() || group.iter().any(is_torn) {
            return true;
        }
        let placed = &self.shapes.proxies.placed;
        group.iter().any(|side| {
            let contact = side.contact() as usize;
            let link = &contacts.link[contact];
            if link.flags & flag::TOUCHING == 0 {
                return false;
            }
            let part = part_of(side);
            let shift =
                if link.body_a == side.body() { contacts.impulse[contact].a_to_b } else { Vec2::ZERO };
            let center = placed[part as usize].middle - placed[part as usize].offset;
            let is_near = |point: &ManifoldPoint| {
                let p = center + (point.at - shift);
                let room = self.tuning.margins.flush + point.separation.abs();
                let mut others = group.iter().map(part_of).filter(|&other| other != part);
                others.any(|other| {
                    let other = &placed[other as usize];
                    is_around(
                        other,
                        p - other.middle,
                        room + PLACE_ROUNDING * (p.length() + other.middle.length()),
                    )
                })
            };
            // The nearest point always counts; others may count too (`points_of`).
            match &contacts.manifold[contact].points[..usize::from(link.count)] {
                [p, q] if link.flags & flag::PREDICTED != 0 => is_near(p) || is_near(q),
                [p, q] if q.separation < p.separation => is_near(q),
                [p, ..] => is_near(p),
                [] => false,
            }
        })
    }

    /// Whether no contact of a group is covered, asked of each.
    fn are_real(&self, group: &[GroundContact], dt: f32) -> bool {
        let mut touching =
            (0..group.len()).filter(|&index| self.contacts.has(group[index].contact(), flag::TOUCHING));
        touching.all(|index| matches!(self.verdict(group, index, dt), Verdict::Real))
    }

    /// A covered contact without a replacement is removed if the neighbour that covers it supports
    /// the body: by a contact that is real, or covered by a real one in turn. Two parts that cover
    /// each other (a body deep inside both) keep their contacts.
    fn remove_ghosts(&mut self, group: &mut [GroundContact], dt: f32) {
        for index in 0..group.len() {
            let contact = group[index].contact();
            group[index].rank = if !self.contacts.has(contact, flag::TOUCHING) {
                Rank::Apart
            } else {
                match self.verdict(group, index, dt) {
                    Verdict::Real => Rank::Real,
                    Verdict::Covered => Rank::Covered,
                    Verdict::Replaced(found, is_predicted) => {
                        Rule::GhostContacts.count();
                        self.replace(contact, group[index].before, &found);
                        let link = &mut self.contacts.link[contact as usize];
                        link.flags |= if is_predicted { flag::PREDICTED } else { 0 };
                        Rank::Real
                    }
                }
            };
        }
        // Each round drops at least one contact, so there are no more rounds than contacts.
        for _ in 0..group.len() {
            let covered = |side: &&GroundContact| side.rank == Rank::Covered;
            let found = group.iter().filter(covered).find(|side| {
                let holds = |other: &&GroundContact| matches!(other.rank, Rank::Real | Rank::Dropped);
                let pair = self.pair_of(side.contact(), side.body());
                let (outward, points) = self.points_of(side.contact(), &pair);
                group.iter().filter(holds).any(|other| {
                    points.iter().flatten().all(|&p| self.goes_on(other.contact(), &pair, p, outward))
                })
            });
            let Some(contact) = found.map(|side| side.contact()) else { return };
            Rule::GhostContacts.count();
            group
                .iter_mut()
                .filter(|side| side.contact() == contact)
                .for_each(|side| side.rank = Rank::Dropped);
            self.clear_manifold(contact);
            self.step.new_touches = self.step.new_touches.saturating_sub(1);
        }
    }

    /// The part of `body` and the other part of a contact.
    pub(super) fn pair_of(&self, contact: u32, body: u32) -> Pair {
        let (link, pair) = (&self.contacts.link[contact as usize], self.contacts.pair[contact as usize]);
        let a_moves = link.body_a == body;
        let (ground, part, guest) =
            if a_moves { (link.body_b, pair.b, pair.a) } else { (link.body_a, pair.a, pair.b) };
        let [a, b] = [link.body_a, link.body_b].map(|slot| self.bodies.rows[slot as usize].center_point());
        let mover = &self.bodies.rows[body as usize];
        let room = min(
            self.tuning.margins.flush,
            0.1 * if mover.min_extent > 0.0 { mover.min_extent } else { mover.max_extent },
        );
        let is_plain = link.flags & flag::ONE_REGION != 0 && self.def.period().is_none();
        Pair { ground, part, guest, body, a_moves, way: self.way(a, b), is_plain, room }
    }

    /// The geometry of a part.
    fn piece_of(&self, proxy: u32) -> Piece<'_> {
        let part = &self.shapes.proxies.rows[proxy as usize];
        self.shapes.colliders[part.shape as usize].shape.piece(part.part as usize)
    }

    /// Whether both are lines: these keep a distance, each on its side of the other.
    pub(super) fn are_lines(&self, pair: &Pair) -> bool {
        [pair.part, pair.guest].into_iter().all(|part| self.piece_of(part).line().is_some())
    }

    /// The faces of the ground in its own frame, and where that is.
    pub(super) fn faces_of(&self, pair: &Pair) -> Option<(Faces, Transform)> {
        let (ground, guest) =
            (&self.bodies.rows[pair.ground as usize], &self.bodies.rows[pair.body as usize]);
        let from_ground = if pair.a_moves { -pair.way } else { pair.way };
        let (piece, of_guest) = (self.piece_of(pair.part), self.piece_of(pair.guest));
        let faces = Faces::new(piece, of_guest, relative(ground, guest, from_ground))?;
        let position = -(ground.rotation * ground.local_center);
        Some((faces, Transform { position, rotation: ground.rotation }))
    }

    /// The normal of a contact, from the immovable part to the body, and its points on the
    /// immovable part.
    fn points_of(&self, contact: u32, pair: &Pair) -> (Vec2, [Option<Vec2>; 2]) {
        let (row, impulse) =
            (&self.contacts.manifold[contact as usize], &self.contacts.impulse[contact as usize]);
        let link = &self.contacts.link[contact as usize];
        let (outward, shift) =
            if pair.a_moves { (-row.normal, impulse.a_to_b) } else { (row.normal, Vec2::ZERO) };
        // A predicted manifold is taken at the time of impact, when the gap is closed.
        let is_predicted = link.flags & flag::PREDICTED != 0;
        let gap = if is_predicted { 0.0 } else { 0.5 };
        let gaps = if Rule::GapsAtImpact.acts(is_predicted) {
            self.gaps_at_impact(contact, pair, outward)
        } else {
            row.points.map(|point| point.separation)
        };
        // If a side leans over the ground, the nearer point alone touches. (A box that comes tilted
        // over tiles had its own side for a normal, as the farther of two points lies amid a tile:
        // at 50 m/s a lean of a degree threw it by 29 cm.)
        let nearest = if link.count > 1 { min(gaps[0], gaps[1]) } else { gaps[0] };
        let apart = SurfaceTuning::SAME_FACE * (row.points[1].at - row.points[0].at).length();
        let on_ground = |k: usize| {
            let point = row.points[k].at - shift;
            let counts = k < usize::from(link.count) && gaps[k] <= nearest + apart;
            counts.then(|| point - outward * (gap * row.points[k].separation))
        };
        (outward, [on_ground(0), on_ground(1)])
    }

    /// The gaps of the points of a predicted contact when the first of them closes. The stored gaps
    /// are the gaps at the start of the step.
    ///
    /// (By these, the farther point of a hexagon that turned over flush tiles at 50 m/s was the
    /// nearer one: its side got the normal, and threw it by 43 cm.)
    fn gaps_at_impact(&self, contact: u32, pair: &Pair, outward: Vec2) -> [f32; 2] {
        let (row, impulse) =
            (&self.contacts.manifold[contact as usize], &self.contacts.impulse[contact as usize]);
        let (ground, guest) =
            (&self.bodies.rows[pair.ground as usize], &self.bodies.rows[pair.body as usize]);
        let comes = guest.linear_velocity - ground.linear_velocity;
        let center = if pair.a_moves { Vec2::ZERO } else { impulse.a_to_b };
        let count = usize::from(self.contacts.link[contact as usize].count);
        let closes = row.points.map(|point| {
            let turns = guest.angular_velocity * (point.at - center).perp();
            max(-outward.dot(comes + turns), f32::MIN_POSITIVE)
        });
        let first =
            (0..count).fold(f32::INFINITY, |first, k| min(first, row.points[k].separation / closes[k]));
        core::array::from_fn(|k| row.points[k].separation - closes[k] * first)
    }

    /// Whether a contact has a normal of the merged surface; if not, its replacement.
    fn verdict(&self, group: &[GroundContact], index: usize, dt: f32) -> Verdict {
        let (contact, body) = (group[index].contact(), group[index].body());
        let pair = self.pair_of(contact, body);
        let (outward, points) = self.points_of(contact, &pair);
        let is_covered = |p: Vec2, n: Vec2| {
            let mut others = group.iter().map(GroundContact::contact).filter(|&other| other != contact);
            others.any(|other| self.goes_on(other, &pair, p, n))
        };
        if !points.iter().flatten().all(|&p| is_covered(p, outward)) {
            return Verdict::Real;
        }
        let Some((faces, seen)) = self.faces_of(&pair) else { return Verdict::Covered };
        let (ground, guest) = (&self.bodies.rows[pair.ground as usize], &self.bodies.rows[body as usize]);
        let comes = (guest.linear_velocity - ground.linear_velocity) * dt;
        // A predicted manifold is taken at the time of impact, which is not stored.
        let is_predicted = self.contacts.has(contact, flag::PREDICTED);
        let is_real = |face: usize, swept: Vec2| {
            let n = seen.rotation * faces.normal(face);
            outward.dot(n) > SurfaceTuning::LEAST_FACING
                && faces.is_seen(face)
                && faces.stretch(face, ground.rotation.inverse_rotate(swept)).is_some_and(|[p, q]| {
                    [p, (p + q) * 0.5, q].into_iter().any(|x| !is_covered(seen.apply(x), n))
                })
        };
        let swept = if is_predicted { comes } else { Vec2::ZERO };
        let above = highest(&faces, |face| is_real(face, swept));
        if let Some(face) = above {
            let n = seen.rotation * faces.normal(face);
            if outward.dot(n) > 0.0 && cross(outward, n).abs() <= SurfaceTuning::SAME_FACE {
                return Verdict::Real;
            }
            let turns = guest.angular_velocity.abs() * dt * guest.max_extent;
            let margin = self.tuning.margins.speculative + comes.length() + turns;
            let manifold = faces.manifold(face, margin);
            if !manifold.is_empty() {
                return Verdict::Replaced(found_of(&manifold.transformed(seen), &pair), false);
            }
        }
        let is_ahead = |face: usize| {
            let n = seen.rotation * faces.normal(face);
            let is_along = -n.dot(comes) < SurfaceTuning::ALONG * comes.length();
            is_along && self.leads_on(group, index, n) && is_real(face, comes)
        };
        let ahead = highest(&faces, is_ahead);
        let swept = ground.rotation.inverse_rotate(comes);
        let manifold = ahead.and_then(|face| faces.ahead(face, swept, &self.tuning.margins));
        let Some(manifold) = manifold.filter(|_| Rule::FaceAhead.acts(true)) else {
            return Verdict::Covered;
        };
        Verdict::Replaced(found_of(&manifold.transformed(seen), &pair), true)
    }

    /// Whether a face with normal `n` continues, at a small angle, the face of a part that the body
    /// touches elsewhere. A body that slides along one part meets the next one's face like that,
    /// but not a slanted side below. A face flush with a face that the body touches now needs no
    /// help. If the body reaches both only in this step, each gets points for the part of the body
    /// over it.
    fn leads_on(&self, group: &[GroundContact], index: usize, n: Vec2) -> bool {
        let (contact, body) = (group[index].contact(), group[index].body());
        let others = group.iter().map(GroundContact::contact).filter(|&other| other != contact);
        let outward = |other: u32| self.outward(other, body);
        let is_here = |other: &u32| !self.contacts.has(*other, flag::PREDICTED);
        others.clone().filter_map(outward).any(|m| n.dot(m) > SurfaceTuning::ALONG)
            && !others
                .filter(is_here)
                .filter_map(outward)
                .any(|m| n.dot(m) > 0.0 && cross(n, m).abs() <= SurfaceTuning::SAME_FACE)
    }

    /// Replaces the manifold that the test of this step found.
    pub(super) fn replace(&mut self, contact: u32, before: u32, found: &FoundContact) {
        let place = contact as usize;
        if let Some(&Before { count, ids, impulse, loads }) = self.scratch.collide.before.get(before as usize)
        {
            self.contacts.link[place].count = count;
            self.contacts.ids[place] = ids;
            self.contacts.impulse[place] = impulse;
            self.contacts.surface[place].loads = loads;
        }
        self.keep(contact, found);
    }

    /// Whether the immovable part of contact `neighbour` covers a point of another part, given from
    /// the centre of mass of that one's body, where the surface would have the normal `n`: whether
    /// it extends to the point, and beyond on the side to which `n` points.
    fn goes_on(&self, neighbour: u32, pair: &Pair, p: Vec2, n: Vec2) -> bool {
        let (of, link) = (self.contacts.pair[neighbour as usize], &self.contacts.link[neighbour as usize]);
        let is_hooked_off = link.flags & (flag::HOOKED | flag::TOUCHING) == flag::HOOKED;
        if is_hooked_off || link.flags & flag::PASSING != 0 {
            // It does not collide with this body.
            return false;
        }
        let proxy = if link.body_a == pair.body { of.b } else { of.a };
        if proxy == pair.part {
            // The same part of the ground, under another part of the body.
            return false;
        }
        let placed = &self.shapes.proxies.placed[proxy as usize];
        if pair.is_plain && link.flags & flag::ONE_REGION != 0 {
            // Most neighbours are far from the point, and no body is read for them. (Where large
            // boxes lie on a level of small ones, a quarter of the step went here.)
            let own = &self.shapes.proxies.placed[pair.part as usize];
            let p = own.middle - own.offset + p;
            let room = pair.room + PLACE_ROUNDING * (p.length() + placed.middle.length());
            if !is_around(placed, p - placed.middle, room) {
                return false;
            }
        }
        let part = &self.shapes.proxies.rows[proxy as usize];
        if part.shape == self.shapes.proxies.rows[pair.part as usize].shape
            && matches!(*self.shapes.colliders[part.shape as usize].shape, Shape::Chain(_))
        {
            // Segments of one chain know their neighbours. (Here, a wedge sank into the valleys of
            // a saw: its face on one slope covered the corner's contact with the other.)
            return false;
        }
        let (host, ground) = (&self.bodies.rows[part.body as usize], &self.bodies.rows[pair.ground as usize]);
        let p = self.way(host.center_point(), ground.center_point()) + p;
        if !is_around(placed, p - placed.offset, pair.room + PLACE_ROUNDING * p.length()) {
            return false;
        }
        let piece = self.piece_of(proxy);
        let closest_point = closest_points_of_piece(piece);
        let local = host.rotation.inverse_rotate(p) + host.local_center;
        let closest = closest_point(local);
        if closest.distance > pair.room {
            return false;
        }
        let n = host.rotation.inverse_rotate(n);
        let goes_on = |along: Vec2| {
            let rise = along.dot(n);
            let along = if rise < 0.0 { -along } else { along };
            rise.abs() > SurfaceTuning::SAME_FACE
                && closest_point(local + along * (SurfaceTuning::NEIGHBOUR_REACH * pair.room)).distance
                    <= pair.room
        };
        (piece.is_round() && goes_on(closest.normal.perp()))
            || piece.face_normals().any(|normal| goes_on(normal.perp()))
    }
}

/// The face over which the other body is highest, among those for which `counts` holds.
pub(super) fn highest(faces: &Faces, counts: impl Fn(usize) -> bool) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for face in faces.numbers() {
        let height = faces.separation(face);
        if best.is_none_or(|(_, most)| height > most) && counts(face) {
            best = Some((face, height));
        }
    }
    best.map(|(face, _)| face)
}

/// Converts a manifold relative to the ground's centre of mass into [`Found`], relative to A's.
pub(super) fn found_of(manifold: &Manifold, pair: &Pair) -> FoundContact {
    if !pair.a_moves {
        return FoundContact::new(manifold, pair.way);
    }
    let at_b = Transform { position: pair.way, ..Transform::IDENTITY };
    FoundContact::new(&manifold.flipped().transformed(at_b), pair.way)
}

/// Whether a point, given by its way from the middle of a part, may be within `room` of the part:
/// whether it is in a box around a box, in a circle around all else. This rejects most neighbours of
/// a tile with a body on it, in a few nanoseconds.
fn is_around(placed: &PlacedRow, way: Vec2, room: f32) -> bool {
    let half = placed.half_size;
    // Half-planes are infinite, and their middle is NaN.
    if half.y == 0.0 {
        let is_beyond = way.length() > half.x + (room + PLACE_ROUNDING * half.x);
        return !is_beyond;
    }
    let room = room + PLACE_ROUNDING * (half.x + half.y);
    let is_beyond = placed.rotation.inverse_rotate(way).abs().cmpgt(half + room).any();
    !is_beyond
}
