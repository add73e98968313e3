//! Clearance at a place, and the nearest place with enough of it.
//!
//! The nearest place that holds a disc lies on the border of those that do: at distance r from a
//! wall, straight off it; at distance r from a corner; or where two of these borders meet.

use super::cdt::Cdt;
use super::cover::Scratch;
use super::fixed::Place;

/// Walls about a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Near {
    scratch: Scratch,
    walls: Vec<(Place, Place)>,
    spots: Vec<(f64, Place)>,
}

/// Most walls considered for a place to move to; the farthest are left out.
const MAX_WALLS: usize = 48;

impl Cdt {
    /// The distance from a place in `face` to the nearest wall, up to `most`.
    pub(crate) fn room(&self, at: Place, face: u32, most: f64) -> f64 {
        let mut square = most * most;
        if !self.is_free(face) {
            return 0.0;
        }
        // Faces that come within the distance so far; none is entered twice in a walk away from a
        // place, but by two ways about a vertex, which costs little.
        let mut stack = [(0_u32, 0_u32, 0.0); 64];
        let mut count = 1;
        stack[0] = (face, u32::MAX, 0.0);
        let mut steps = 0;
        while count > 0 {
            count -= 1;
            let (face, from, distance) = stack[count];
            steps += 1;
            if distance >= square {
                continue;
            }
            let corners = self.faces[face as usize].org.map(|vertex| self.at(vertex).place() - at);
            for corner in corners.map(|corner| corner.dot(corner)) {
                square = if corner < square { corner } else { square };
            }
            for k in 0..3 {
                let h = 4 * face + k as u32;
                let (c, d) = (corners[k], corners[(k + 1) % 3]);
                if h == from || is_line_beyond(c, d, square) {
                    continue;
                }
                let distance = segment_square(c, d);
                if distance >= square {
                    continue;
                }
                if self.is_wall(h) {
                    square = distance;
                } else if c.cross(d) >= 0.0 && count < stack.len() && steps < 4096 {
                    // Only away from the place.
                    stack[count] = (self.twin(h) >> 2, self.twin(h), distance);
                    count += 1;
                }
            }
        }
        square.sqrt()
    }

    /// Whether all walls and corners about a place, of which this is the face, are farther than a
    /// distance. It may return false in unclear cases: then [`room`](Cdt::room) decides.
    pub(crate) fn is_clear(&self, at: Place, face: u32, distance: f64) -> bool {
        if !self.is_free(face) {
            return false;
        }
        let square = distance * distance;
        let mut stack = [(0_u32, 0_u32); 16];
        let mut count = 1;
        stack[0] = (face, u32::MAX);
        for _ in 0..64 {
            if count == 0 {
                return true;
            }
            count -= 1;
            let (face, from) = stack[count];
            let corners = self.faces[face as usize].org.map(|vertex| self.at(vertex).place() - at);
            for (k, c) in corners.into_iter().enumerate() {
                if c.dot(c) <= square {
                    return false;
                }
                let (h, d) = (4 * face + k as u32, corners[(k + 1) % 3]);
                let (along, cross) = (d - c, c.cross(d));
                // An edge is nearer than its ends only where its foot lies between them.
                let is_near = cross * cross <= square * along.dot(along)
                    && c.dot(along) < 0.0
                    && d.dot(along) > 0.0
                    && h != from;
                if is_near && self.is_wall(h) {
                    return false;
                }
                // Only away from the place.
                if is_near && cross >= 0.0 {
                    if count == stack.len() {
                        return false;
                    }
                    stack[count] = (self.twin(h) >> 2, self.twin(h));
                    count += 1;
                }
            }
        }
        false
    }

    /// The nearest place to one that keeps a distance r from all walls, if there is one
    /// within `most`.
    pub(crate) fn nearest_room(&self, at: Place, r: f64, most: f64, near: &mut Near) -> Option<Place> {
        let mut look = (2.0 * r).max(64.0);
        loop {
            let found = self.nearest_within(at, r, look, near);
            if let Some(found) = found {
                let moved = found - at;
                // Walls farther than the search cannot be nearer.
                if moved.length() + r <= look || look >= most {
                    return Some(found);
                }
            }
            if look >= most {
                return found;
            }
            look = (look * 2.0).min(most);
        }
    }

    fn nearest_within(&self, at: Place, r: f64, look: f64, near: &mut Near) -> Option<Place> {
        self.find_walls(at, look, near);
        let off = r + 1.0;
        near.spots.clear();
        let mut spots = core::mem::take(&mut near.spots);
        let mut add = |spot: Place| {
            let by = spot - at;
            spots.push((by.dot(by), spot));
        };
        add(at);
        for (k, &(a, b)) in near.walls.iter().enumerate() {
            let along = b - a;
            let normal = along.left() * (1.0 / along.length());
            let share = (at - a).dot(along) / along.dot(along);
            if (0.0..=1.0).contains(&share) {
                let foot = a + along * share;
                add(foot + normal * off);
                add(foot - normal * off);
            }
            for corner in [a, b] {
                let from = at - corner;
                if from.dot(from) > 0.0 {
                    add(corner + from * (off / from.length()));
                }
            }
            for &other in &near.walls[k + 1..] {
                meets((a, b), other, off, &mut add);
            }
        }
        spots.sort_unstable_by(|a, b| {
            a.0.total_cmp(&b.0).then(a.1.x.total_cmp(&b.1.x)).then(a.1.y.total_cmp(&b.1.y))
        });
        let holds = |&&(_, spot): &&(f64, Place)| {
            let point = spot.nearest();
            let face = self.face_at(point);
            self.is_free(face) && self.room(point.place(), face, r + 2.0) >= r
        };
        let found = spots.iter().find(holds).map(|&(_, spot)| spot.nearest().place());
        near.spots = spots;
        found
    }

    /// Walls between free and covered land within a distance, the nearest ones if there are many.
    fn find_walls(&self, at: Place, look: f64, near: &mut Near) {
        near.walls.clear();
        let scratch = &mut near.scratch;
        scratch.begin(self.faces.len(), self.vertices.len());
        let mut faces = core::mem::take(&mut scratch.inside);
        let face = self.face_at(at.nearest());
        scratch.number(face, 0);
        faces.push(face);
        let mut next = 0;
        while next < faces.len() {
            let face = faces[next];
            next += 1;
            for h in 4 * face..4 * face + 3 {
                let (c, d) = (self.org(h), self.dest(h));
                if c == 4 || d == 4 {
                    continue;
                }
                let (c, d) = (self.at(c).place(), self.at(d).place());
                if segment_square(c - at, d - at) > look * look {
                    continue;
                }
                let beyond = self.twin(h) >> 2;
                if self.is_wall(h) && self.is_free(face) {
                    near.walls.push((c, d));
                }
                if scratch.number(beyond, 0) {
                    faces.push(beyond);
                }
            }
        }
        scratch.inside = faces;
        near.walls.sort_by(|a, b| {
            let square = |wall: &(Place, Place)| segment_square(wall.0 - at, wall.1 - at);
            square(a).total_cmp(&square(b))
        });
        near.walls.truncate(MAX_WALLS);
    }
}

/// Whether the line through two places is surely farther from the origin than this is the square
/// of: a product where the distance would take a division.
#[inline]
fn is_line_beyond(c: Place, d: Place, square: f64) -> bool {
    let (along, cross) = (d - c, c.cross(d));
    // Rounding changes a product of whole units by far less.
    cross * cross > square * along.dot(along) * (1.0 + 1e-5)
}

/// The square of the distance of a segment from the origin.
pub(crate) fn segment_square(c: Place, d: Place) -> f64 {
    let along = d - c;
    let square = along.dot(along);
    let share = if square > 0.0 { (-c.dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    let nearest = c + along * share;
    nearest.dot(nearest)
}

/// Where the borders about two walls meet: two lines, a line and a circle, or two circles.
fn meets(a: (Place, Place), b: (Place, Place), off: f64, add: &mut impl FnMut(Place)) {
    let lines = |(c, d): (Place, Place)| {
        let normal = (d - c).left() * (off / (d - c).length());
        [(c + normal, d - c), (c - normal, d - c)]
    };
    for (p, u) in lines(a) {
        for (q, v) in lines(b) {
            let cross = u.cross(v);
            if cross != 0.0 {
                add(p + u * ((q - p).cross(v) / cross));
            }
        }
        for corner in [b.0, b.1] {
            line_circle(p, u, corner, off, add);
        }
    }
    for (q, v) in lines(b) {
        for corner in [a.0, a.1] {
            line_circle(q, v, corner, off, add);
        }
    }
    for c in [a.0, a.1] {
        for d in [b.0, b.1] {
            let between = d - c;
            let half = between * 0.5;
            let rest = off * off - half.dot(half);
            if half.dot(half) > 0.0 && rest >= 0.0 {
                let side = between.left() * (rest.sqrt() / between.length());
                add(c + half + side);
                add(c + half - side);
            }
        }
    }
}

fn line_circle(p: Place, u: Place, middle: Place, radius: f64, add: &mut impl FnMut(Place)) {
    let square = u.dot(u);
    let foot = p + u * ((middle - p).dot(u) / square);
    let gap = foot - middle;
    let rest = radius * radius - gap.dot(gap);
    if rest >= 0.0 {
        let by = u * (rest / square).sqrt();
        add(foot + by);
        add(foot - by);
    }
}
