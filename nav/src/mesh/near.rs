//! Clearance at a place, and the nearest place with enough clearance.
//!
//! The nearest place that holds a disc lies on the border of all such places: at distance r from a
//! wall, straight off it; at distance r from a corner; or where two of these borders meet.

use super::cdt::Cdt;
use super::cover::Scratch;
use super::fixed::Place;

/// Walls about a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Near {
    pub(super) scratch: Scratch,
    pub(super) walls: Vec<(Place, Place)>,
    /// Their ends, each end once.
    ends: Vec<Ends>,
    /// The inverse squares of their lengths.
    inverses: Vec<f64>,
    /// Whether there were more walls.
    is_cut: bool,
}

impl Near {
    /// Fills the columns beside `walls`.
    pub(super) fn index(&mut self) {
        let walls = &self.walls;
        let is_first = |end: Place| walls.iter().any(|&(first, _)| first == end);
        self.ends.clear();
        self.ends.extend(walls.iter().map(|&(a, b)| [Some(a), (!is_first(b)).then_some(b)]));
        self.inverses.clear();
        self.inverses.extend(walls.iter().map(|&(a, b)| 1.0 / (b - a).dot(b - a)));
    }
}

/// Sorts walls by their distances from a place.
pub(super) fn sort_by_distance(walls: &mut [(Place, Place)], at: Place) {
    walls.sort_by(|a, b| {
        let square = |wall: &(Place, Place)| segment_square(wall.0 - at, wall.1 - at);
        square(a).total_cmp(&square(b))
    });
}

/// The first end of a wall, and the second if no other wall begins there.
type Ends = [Option<Place>; 2];

/// Greatest number of walls considered for a move; the farthest walls are left out.
const MAX_WALLS: usize = 48;
/// Greatest number of faces visited for the distance to the nearest wall.
const MAX_STEPS: usize = 1 << 16;
/// Tolerance of clearance at a place before it is rounded, in units.
const SPOT_SLACK: f64 = 1.0;

impl Cdt {
    /// The distance from a place in `face` to the nearest wall, up to `most`.
    pub(crate) fn room(&self, at: Place, face: u32, most: f64) -> f64 {
        let mut square = most * most;
        if !self.is_free(face) {
            return 0.0;
        }
        // Faces within the distance so far. A walk away from a place enters a face twice only by
        // two ways about a vertex, which costs little.
        let mut stack = [(0_u32, 0_u32, 0.0); 64];
        let mut count = 1;
        stack[0] = (face, u32::MAX, 0.0);
        // Faces for which the stack has no room.
        let mut spilt = Vec::new();
        let mut steps = 0;
        loop {
            let (face, from, distance) = if count > 0 {
                count -= 1;
                stack[count]
            } else if let Some(entry) = spilt.pop() {
                entry
            } else {
                break;
            };
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
                } else if c.cross(d) >= 0.0 && steps < MAX_STEPS {
                    // Cross only edges that lead away from the place.
                    let entry = (self.twin(h) >> 2, self.twin(h), distance);
                    if count < stack.len() {
                        stack[count] = entry;
                        count += 1;
                    } else {
                        spilt.push(entry);
                    }
                }
            }
        }
        square.sqrt()
    }

    /// Whether all walls and corners about a place in `face` are farther than a distance. It may
    /// return false in unclear cases: then [`room`](Cdt::room) decides.
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
                // An edge is nearer than its ends only if the foot of the place lies between them.
                let is_near = cross * cross <= square * along.dot(along)
                    && c.dot(along) < 0.0
                    && d.dot(along) > 0.0
                    && h != from;
                if is_near && self.is_wall(h) {
                    return false;
                }
                // Cross only edges that lead away from the place.
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

    /// The place nearest to `at` that keeps a distance r from all walls, if there is one within
    /// `most`.
    pub(crate) fn nearest_room(&self, at: Place, r: f64, most: f64, near: &mut Near) -> Option<Place> {
        if !self.has_wide_face(at, r, most, near) {
            return None;
        }
        let mut look = (2.0 * r).max(64.0);
        let mut seen = 0;
        loop {
            self.find_walls(at, look, near);
            let found = self.nearest_beside(at, r, near, seen, |_, _| true);
            // The nearest walls come first, and the visited ones have no valid place beside them.
            seen = if found.is_some() { 0 } else { near.walls.len() };
            if let Some(found) = found {
                let moved = found - at;
                // Walls beyond the search radius cannot be nearer.
                if moved.length() + r <= look || look >= most {
                    return Some(found);
                }
            }
            // A wider circle would give the same nearest walls.
            if look >= most || near.is_cut {
                return found;
            }
            look = (look * 2.0).min(most);
        }
    }

    /// Whether any free face within a distance is so wide that a place in it keeps a radius from
    /// all its corners: otherwise no place there holds a disc.
    fn has_wide_face(&self, at: Place, r: f64, most: f64, near: &mut Near) -> bool {
        let is_wide = |face: u32| {
            let corners = self.faces[face as usize].org.map(|vertex| self.at(vertex).place());
            self.is_free(face) && reach_square(corners) >= room_square(r)
        };
        self.flood(at, most, &mut near.scratch, |face, _| is_wide(face))
    }

    /// The nearest of the accepted places that touch one wall or two and hold a disc. The first
    /// `seen` walls are known to have none. `accept` gets the place and the square of its distance.
    pub(super) fn nearest_beside(
        &self,
        at: Place,
        r: f64,
        near: &Near,
        seen: usize,
        accept: impl Fn(Place, f64) -> bool,
    ) -> Option<Place> {
        let (off, walls) = (r + 1.0, &near.walls);
        // The wall that ruled out the last spot is tested first, as it may rule out the next.
        let mut last = 0;
        let room = room_square(r);
        let mut is_off = |spot: Place| {
            let is_near = |k: usize| {
                let ((a, b), from) = (walls[k], spot - walls[k].0);
                let along = b - a;
                let share = (from.dot(along) * near.inverses[k]).clamp(0.0, 1.0);
                let by = from - along * share;
                by.dot(by) < room
            };
            if last < walls.len() && is_near(last) {
                return false;
            }
            let found = (0..walls.len()).find(|&k| is_near(k));
            last = found.unwrap_or(last);
            found.is_none()
        };
        let mut best: Option<(f64, Place)> = None;
        let mut add = |spot: Place| {
            let by = spot - at;
            let square = by.dot(by);
            let is_nearer = best.is_none_or(|(least, at)| {
                let order =
                    square.total_cmp(&least).then(spot.x.total_cmp(&at.x)).then(spot.y.total_cmp(&at.y));
                order.is_lt()
            });
            // Walls about the place rule most spots out, without visiting faces.
            if is_nearer && is_off(spot) && self.holds_disc(spot, r) && accept(spot, square) {
                best = Some((square, spot));
            }
        };
        if seen == 0 {
            add(at);
        }
        for (k, &(a, b)) in walls.iter().enumerate() {
            for (&other, &ends) in walls.iter().zip(&near.ends).skip(seen.max(k + 1)) {
                // Borders meet only if the walls are near enough to each other.
                if segments_square((a, b), other) <= 4.0 * off * off {
                    meets([(a, b), other], [near.ends[k], ends], off, &mut add);
                }
            }
            if k < seen {
                continue;
            }
            let along = b - a;
            let normal = along.left() * (1.0 / along.length());
            let share = (at - a).dot(along) / along.dot(along);
            if (0.0..=1.0).contains(&share) {
                let foot = a + along * share;
                add(foot + normal * off);
            }
            for corner in [a, b] {
                let from = at - corner;
                if from.dot(from) > 0.0 {
                    add(corner + from * (off / from.length()));
                }
            }
        }
        best.map(|(_, spot)| spot.nearest().place())
    }

    /// Whether the whole-unit place nearest to a spot holds a disc.
    fn holds_disc(&self, spot: Place, r: f64) -> bool {
        let point = spot.nearest();
        let face = self.face_at(point);
        self.is_free(face) && self.room(point.place(), face, r + 2.0) >= r
    }

    /// Visits faces within a distance of a place, and their edges, from the place on, until `ends`
    /// returns true. Returns whether it did.
    pub(super) fn flood(
        &self,
        at: Place,
        look: f64,
        scratch: &mut Scratch,
        mut ends: impl FnMut(u32, Option<(u32, Place, Place)>) -> bool,
    ) -> bool {
        scratch.begin(self.faces.len(), self.vertices.len());
        let mut faces = core::mem::take(&mut scratch.inside);
        let face = self.face_at(at.nearest());
        scratch.number(face, 0);
        faces.push(face);
        let mut next = 0;
        let mut is_ended = false;
        while next < faces.len() && !is_ended {
            let face = faces[next];
            next += 1;
            is_ended = ends(face, None);
            for h in 4 * face..4 * face + 3 {
                let (c, d) = (self.org(h), self.dest(h));
                if c == 4 || d == 4 {
                    continue;
                }
                let (c, d) = (self.at(c).place(), self.at(d).place());
                if segment_square(c - at, d - at) > look * look {
                    continue;
                }
                is_ended |= ends(face, Some((h, c, d)));
                if scratch.number(self.twin(h) >> 2, 0) {
                    faces.push(self.twin(h) >> 2);
                }
            }
        }
        scratch.inside = faces;
        is_ended
    }

    /// Lists walls between free and covered land within a distance, or the nearest ones if there
    /// are many.
    fn find_walls(&self, at: Place, look: f64, near: &mut Near) {
        let Near { scratch, walls, .. } = near;
        walls.clear();
        self.flood(at, look, scratch, |face, edge| {
            if let Some((h, c, d)) = edge
                && self.is_wall(h)
                && self.is_free(face)
            {
                walls.push((c, d));
            }
            false
        });
        sort_by_distance(&mut near.walls, at);
        near.is_cut = near.walls.len() > MAX_WALLS;
        near.walls.truncate(MAX_WALLS);
        near.index();
    }
}

/// Whether the line through two places is surely farther from the origin than the root of `square`:
/// by a product, where the distance would take a division.
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

/// The square of the clearance that a spot needs before it is tested exactly.
pub(super) fn room_square(r: f64) -> f64 {
    let room = (r - SPOT_SLACK).max(0.0);
    room * room
}

/// The square of the greatest distance that a place in a triangle may have from its nearest corner.
pub(super) fn reach_square([a, b, c]: [Place; 3]) -> f64 {
    let sides = [b - c, c - a, a - b].map(|side| side.dot(side));
    let double = (b - a).cross(c - a);
    let [x, y, z] = [sides[0], sides[1], sides[2]];
    // Right-angled or obtuse: where the bisector of a short side meets the long one.
    let bisector = |short: f64, long: f64, other: f64| {
        let along = short + long - other;
        if along > 0.0 { short * short * long / (along * along) } else { 0.0 }
    };
    let (p, q, long) = if x >= y && x >= z {
        (y, z, x)
    } else if y >= z {
        (x, z, y)
    } else {
        (x, y, z)
    };
    if p + q <= long {
        return bisector(p, long, q).max(bisector(q, long, p));
    }
    // Acute: the circumcentre.
    x * y * z / (4.0 * double * double)
}

/// The square of the distance between the boxes about two segments, which is at most the distance
/// between the segments.
fn segments_square((a, b): (Place, Place), (c, d): (Place, Place)) -> f64 {
    let gap = |a: f64, b: f64, c: f64, d: f64| (c.min(d) - a.max(b)).max(a.min(b) - c.max(d)).max(0.0);
    let by = Place::new(gap(a.x, b.x, c.x, d.x), gap(a.y, b.y, c.y, d.y));
    by.dot(by)
}

/// Whether a place is beside a segment, not beyond its ends.
fn is_beside(at: Place, (a, b): (Place, Place)) -> bool {
    let along = b - a;
    let ahead = (at - a).dot(along);
    let slack = 4.0 * along.length();
    ahead >= -slack && ahead <= along.dot(along) + slack
}

/// Adds the places where the borders about two walls meet: two lines, a line and a circle, or two
/// circles. Land is free on the left of walls.
fn meets([a, b]: [(Place, Place); 2], ends: [Ends; 2], off: f64, add: &mut impl FnMut(Place)) {
    let line = |(c, d): (Place, Place)| (c + (d - c).left() * (off / (d - c).length()), d - c);
    let ((p, u), (q, v)) = (line(a), line(b));
    let cross = u.cross(v);
    if cross != 0.0 {
        let spot = p + u * ((q - p).cross(v) / cross);
        if is_beside(spot, a) && is_beside(spot, b) {
            add(spot);
        }
    }
    for (p, u, wall, ends) in [(p, u, a, ends[1]), (q, v, b, ends[0])] {
        for corner in ends.into_iter().flatten() {
            line_circle(p, u, corner, off, |spot| {
                if is_beside(spot, wall) {
                    add(spot);
                }
            });
        }
    }
    for c in ends[0].into_iter().flatten() {
        for d in ends[1].into_iter().flatten() {
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

fn line_circle(p: Place, u: Place, middle: Place, radius: f64, mut add: impl FnMut(Place)) {
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
