//! A ray on a mesh: how far a disc gets in a straight line, and the wall that it meets.
//!
//! In: a place that holds the disc, another place, a radius. Out: the place where the disc stops,
//! and the wall there.
//!
//! ```text
//!    _______           Faces are visited over edges without walls, as far as the disc reaches on
//!   /  wall \          its way. The disc meets a wall's line at a distance r on its free side, or
//!   --------- c        an end of a wall on the circle of radius r about it. The nearest point of a
//!      r |   `r        wall that a disc touches first is in sight of its middle, so its wall
//!   o----o---->        bounds a visited face.
//! ```
//!
//! A point (r = 0) that meets exactly the end of a wall goes on if land on both sides of the end is
//! the same land there.

use std::collections::VecDeque;

use glam::Vec2;

use super::cdt::{Cdt, NONE};
use super::fixed::{PER_METRE, Place, Point};
use super::near::segment_square;
use super::query::SLACK;
use super::{BORDER_OWNER, Mesh, MeshQuery, NoWay, ObstacleId};
use crate::mesh::walls::FRAME;

/// Result of [`Mesh::ray`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// The last place of the disc: the requested one, if nothing is in between.
    pub end: Vec2,
    /// The distance to it, in metres.
    pub length: f32,
    /// The wall that the disc meets, if it does not get to the requested place.
    pub hit: Option<RayHit>,
}

impl Ray {
    /// Whether nothing is in between: the places see each other, for a disc of this radius.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.hit.is_none()
    }
}

/// A wall that a ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The point of the wall that the disc touches.
    pub point: Vec2,
    /// The direction out of the wall, of length 1.
    pub normal: Vec2,
    /// The obstacle; `None` for the mesh's border. Of several in one place, the first added.
    pub obstacle: Option<ObstacleId>,
}

/// A wall in the way: the share of the ray until the touch, the point and the normal.
#[derive(Clone, Copy, Debug)]
struct Touch {
    share: f64,
    point: Place,
    normal: Place,
    h: u32,
}

/// Two places within so many units are one.
const SAME: f64 = 0.5;
/// A disc that meets a wall stops so many units before it.
const STOP: f64 = 2.0;

impl Mesh {
    /// Moves a disc in a straight line towards a place: how far it gets, and what it meets there.
    /// Costs of land do not matter.
    ///
    /// ```
    /// use carom_nav::Vec2;
    /// use carom_nav::mesh::{Mesh, MeshDef};
    ///
    /// let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 })?;
    /// let wall = mesh.add(&[[-1.0, -2.0], [1.0, -2.0], [1.0, 2.0], [-1.0, 2.0]].map(Vec2::from))?;
    /// let ray = mesh.ray([-9.0, 0.0], [9.0, 0.0], 0.5)?;
    /// let hit = ray.hit.unwrap();
    /// assert!((ray.length - 7.5).abs() < 1e-3 && hit.obstacle == Some(wall) && hit.normal == Vec2::NEG_X);
    /// assert!(mesh.ray([-9.0, 2.5], [9.0, 2.5], 0.5)?.is_clear());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`NoWay::BadNumber`], or [`NoWay::BadStart`] if the start does not hold the disc: it is not
    /// moved, as the start of a way is.
    pub fn ray(&mut self, from: impl Into<Vec2>, to: impl Into<Vec2>, radius: f32) -> Result<Ray, NoWay> {
        self.ask(|query, mesh| query.ray(mesh, from, to, radius))
    }
}

impl MeshQuery {
    /// Moves a disc in a straight line towards a place: see [`Mesh::ray`].
    ///
    /// # Errors
    /// As [`Mesh::ray`].
    pub fn ray(
        &mut self,
        mesh: &Mesh,
        from: impl Into<Vec2>,
        to: impl Into<Vec2>,
        radius: f32,
    ) -> Result<Ray, NoWay> {
        let (from, to) = (from.into(), to.into());
        if !mesh.is_good(&[from, to], radius) {
            return Err(NoWay::BadNumber);
        }
        let (start, r) = (Point::of(from), f64::from(radius) * PER_METRE);
        if mesh.is_beyond(start) {
            return Err(NoWay::BadStart);
        }
        let mut faces = Vec::new();
        mesh.cdt.faces_at(mesh.cdt.locate(start), &mut faces);
        let holds = |&face: &u32| r == 0.0 || mesh.holds(start, face, r);
        if !faces.first().is_some_and(holds) {
            return Err(NoWay::BadStart);
        }
        let begin = start.place();
        let by = Place::new(f64::from(to.x), f64::from(to.y)) * PER_METRE - begin;
        let length = by.length();
        let clear = Ray { end: to, length: (length / PER_METRE) as f32, hit: None };
        if length < SAME {
            return Ok(Ray { length: 0.0, ..clear });
        }
        let inner = (r - SLACK).max(0.0);
        let Some(touch) = mesh.cdt.first_touch(begin, by, inner, &faces, &mut self.kept.near.scratch) else {
            return Ok(clear);
        };
        // Straight at the wall it stops a little before it, so that its place holds the disc.
        let closing = (-touch.normal.dot(by) / length).max(0.05);
        let share = (touch.share - (r - inner + STOP) / closing / length).max(0.0);
        let metres = |at: Place| Vec2::new((at.x / PER_METRE) as f32, (at.y / PER_METRE) as f32);
        let end = if share > 0.0 { metres(begin + by * share) } else { from };
        let owners = mesh.cdt.holds(touch.h).map(|hold| hold.owner);
        let obstacle = owners.filter(|&owner| owner != FRAME && owner != BORDER_OWNER).min();
        Ok(Ray {
            end,
            length: (length * share / PER_METRE) as f32,
            hit: Some(RayHit {
                point: metres(touch.point),
                normal: Vec2::new(touch.normal.x as f32, touch.normal.y as f32),
                obstacle: obstacle
                    .map(|index| ObstacleId { index, generation: mesh.slots[index as usize].generation }),
            }),
        })
    }
}

impl Cdt {
    /// The first wall that a disc meets on its way by a vector, from a place in some faces.
    fn first_touch(
        &self,
        from: Place,
        by: Place,
        r: f64,
        faces: &[u32],
        scratch: &mut super::cover::Scratch,
    ) -> Option<Touch> {
        scratch.begin(self.faces.len(), self.vertices.len());
        let mut next: VecDeque<u32> = faces.iter().copied().filter(|&face| scratch.number(face, 0)).collect();
        let mut best: Option<Touch> = None;
        while let Some(face) = next.pop_front() {
            for h in 4 * face..4 * face + 3 {
                let ends = [self.at(self.org(h)).place() - from, self.at(self.dest(h)).place() - from];
                if self.is_wall(h) {
                    let touch = self.touch(h, ends, by, r);
                    let least = best.map_or(1.0, |best| best.share);
                    best = touch.filter(|touch| touch.share < least).or(best);
                    continue;
                }
                let reach = by * best.map_or(1.0, |best| best.share);
                let beyond = self.twin(h) >> 2;
                if scratch.is_new(beyond) && is_within(ends, reach, r + 1.0) {
                    scratch.number(beyond, 0);
                    next.push_back(beyond);
                }
            }
        }
        best.map(|touch| Touch { point: touch.point + from, ..touch })
    }

    /// The touch of a disc at the origin, that moves by a vector, with a wall on its free side.
    fn touch(&self, h: u32, [c, d]: [Place; 2], by: Place, r: f64) -> Option<Touch> {
        let along = d - c;
        let normal = along.left() * (1.0 / along.length());
        let (away, closing) = (-normal.dot(c), -normal.dot(by));
        let mut best: Option<Touch> = None;
        if closing > 0.0 && away >= r - SLACK {
            let share = ((away - r) / closing).max(0.0);
            let at = by * share - normal * r;
            let foot = (at - c).dot(along) / along.dot(along);
            let slack = if r > 0.0 { 0.0 } else { SAME / along.length() };
            if (slack..=1.0 - slack).contains(&foot) {
                best = Some(Touch { share, point: c + along * foot, normal, h });
            }
        }
        for (end, vertex) in [(c, self.org(h)), (d, self.dest(h))] {
            let ahead = end.dot(by);
            let square = by.dot(by);
            let aside = by.cross(end) * by.cross(end) / square;
            if ahead < 0.0 || (ahead == 0.0 && r > 0.0) || aside > (r * r).max(SAME * SAME) {
                continue;
            }
            let share = (ahead / square - ((r * r - aside).max(0.0) / square).sqrt()).max(0.0);
            let normal = if r > 0.0 {
                let off = by * share - end;
                off * (1.0 / off.length().max(1.0))
            } else if self.goes_on(vertex, by, ahead == 0.0) {
                continue;
            } else {
                by * (-1.0 / square.sqrt())
            };
            if best.is_none_or(|best| share < best.share) {
                best = Some(Touch { share, point: end, normal, h });
            }
        }
        best
    }

    /// Whether a point that comes to a vertex in a direction, or starts there, can go on: land
    /// before and behind the vertex is joined around it.
    fn goes_on(&self, vertex: u32, by: Place, is_start: bool) -> bool {
        let behind = self.sectors(vertex, by * -1.0);
        let ahead = self.sectors(vertex, by);
        if is_start {
            return ahead[0] != NONE;
        }
        let joins = |from: u32, to: u32| {
            self.turns_to(vertex, from, to, true) || self.turns_to(vertex, from, to, false)
        };
        behind.iter().any(|&a| a != NONE && ahead.iter().any(|&b| b != NONE && joins(a, b)))
    }

    /// The free faces at a vertex in a direction: two, if it runs along an edge.
    fn sectors(&self, vertex: u32, direction: Place) -> [u32; 2] {
        let at = self.at(vertex).place();
        let mut found = [NONE; 2];
        for h in self.spokes(vertex) {
            let (right, left) = (self.at(self.dest(h)).place() - at, self.at(self.apex(h)).place() - at);
            let is_in = right.cross(direction) >= 0.0 && direction.cross(left) >= 0.0;
            if is_in && self.is_free(h >> 2) {
                found[usize::from(found[0] != NONE)] = h >> 2;
            }
        }
        found
    }

    /// Whether a turn about a vertex leads from a face to another without crossing a wall.
    fn turns_to(&self, vertex: u32, from: u32, to: u32, is_left: bool) -> bool {
        let mut face = from;
        for _ in 0..self.spokes(vertex).count() {
            if face == to {
                return true;
            }
            // The half-edge that leaves the vertex is the face's right side, the one that comes to
            // it the left side.
            let at = |h: &u32| (if is_left { self.dest(*h) } else { self.org(*h) }) == vertex;
            let Some(h) = (4 * face..4 * face + 3).find(at) else { return false };
            if self.is_wall(h) {
                return false;
            }
            face = self.twin(h) >> 2;
        }
        false
    }
}

/// Whether a segment comes within a distance of the way of a point from the origin by a vector.
fn is_within([c, d]: [Place; 2], by: Place, r: f64) -> bool {
    let along = d - c;
    let (start, end) = (along.cross(c * -1.0), along.cross(by - c));
    let (first, second) = (by.cross(c), by.cross(d));
    let crosses = start.signum() * end.signum() <= 0.0 && first.signum() * second.signum() <= 0.0;
    let square = r * r;
    crosses && along.dot(along) > 0.0
        || segment_square(c, d) <= square
        || segment_square(c - by, d - by) <= square
        || segment_square(c * -1.0, by - c) <= square
        || segment_square(d * -1.0, by - d) <= square
}
