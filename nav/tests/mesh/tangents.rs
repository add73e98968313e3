//! The shortest way of a disc by brute force: all tangents of all pairs of corners, each tested
//! against all walls, and arcs between them.

use std::collections::BinaryHeap;
use std::f64::consts::PI;

use glam::DVec2;

/// Walls as outlines, in a square.
pub(crate) struct Scene {
    pub(crate) outlines: Vec<Vec<DVec2>>,
    pub(crate) half: f64,
}

/// A line between two circles.
struct Line {
    from: usize,
    to: usize,
    /// The direction.
    along: DVec2,
    length: f64,
}

/// A corner, and its side of the way: 1 left, -1 right, 0 for start or goal.
#[derive(Clone, Copy)]
struct Circle {
    middle: DVec2,
    side: f64,
    radius: f64,
}

fn segment_distance(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let along = b - a;
    let square = along.length_squared();
    let share = if square > 0.0 { ((p - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    p.distance(a + along * share)
}

fn segments_distance(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> f64 {
    let side = |p: DVec2, q: DVec2, x: DVec2| (q - p).perp_dot(x - p);
    if side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0 {
        return 0.0;
    }
    segment_distance(a, c, d)
        .min(segment_distance(b, c, d))
        .min(segment_distance(c, a, b))
        .min(segment_distance(d, a, b))
}

impl Scene {
    fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        let h = self.half;
        let border = [(-h, -h), (h, -h), (h, h), (-h, h)].map(|(x, y)| DVec2::new(x, y));
        let outer = (0..4).map(move |k| (border[k], border[(k + 1) % 4]));
        let around = |outline: &Vec<DVec2>| {
            let count = outline.len();
            (0..count).map(|k| (outline[k], outline[(k + 1) % count])).collect::<Vec<_>>()
        };
        self.outlines.iter().flat_map(around).chain(outer)
    }

    pub(crate) fn is_inside(&self, p: DVec2) -> bool {
        p.x.abs() > self.half || p.y.abs() > self.half || self.outlines.iter().any(|o| winds(o, p))
    }

    /// The distance to the nearest wall; 0 inside.
    pub(crate) fn room(&self, p: DVec2) -> f64 {
        if self.is_inside(p) {
            return 0.0;
        }
        self.edges().map(|(a, b)| segment_distance(p, a, b)).fold(f64::MAX, f64::min)
    }

    /// Whether a segment keeps the distance `rooms` from each wall.
    fn is_off(&self, a: DVec2, b: DVec2, rooms: &[f64]) -> bool {
        !self.is_inside(a)
            && self.edges().zip(rooms).all(|((c, d), &room)| segments_distance(a, b, c, d) >= room)
    }

    /// The distance that a disc of a radius keeps from each wall on its way between two places: the
    /// radius, or less if a place is nearer to the wall.
    fn rooms(&self, ends: [DVec2; 2], r: f64) -> Vec<f64> {
        let room = |(a, b)| ends.iter().map(|&p| segment_distance(p, a, b) - 1e-6).fold(r, f64::min);
        self.edges().map(room).collect()
    }

    /// Whether a disc moves straight from a to b.
    pub(crate) fn is_clear(&self, a: DVec2, b: DVec2, r: f64) -> bool {
        if r > 1e-5 {
            return !self.is_inside(a) && self.edges().all(|(c, d)| segments_distance(a, b, c, d) >= r);
        }
        // A point may graze walls: so no place between two crossings with walls may lie inside.
        let mut cuts = vec![0.0, 1.0];
        let along = b - a;
        for (c, d) in self.edges() {
            let wall = d - c;
            let cross = along.perp_dot(wall);
            if cross.abs() > 1e-12 {
                let share = (c - a).perp_dot(wall) / cross;
                if share > 0.0 && share < 1.0 {
                    cuts.push(share);
                }
            }
            for p in [c, d] {
                let share = (p - a).dot(along) / along.length_squared();
                if share > 0.0 && share < 1.0 {
                    cuts.push(share);
                }
            }
        }
        cuts.sort_by(f64::total_cmp);
        cuts.windows(2).all(|pair| {
            let p = a + along * ((pair[0] + pair[1]) / 2.0);
            let is_deep = || self.edges().all(|(c, d)| segment_distance(p, c, d) > 5e-5);
            (pair[1] - pair[0]) * along.length() < 1e-4 || !self.is_inside(p) || !is_deep()
        })
    }

    /// Whether the disc can move along an arc, from a spoke by an angle.
    pub(crate) fn is_arc_clear(&self, middle: DVec2, spoke: DVec2, angle: f64, r: f64) -> bool {
        let steps = (angle.abs() / 0.02).ceil().max(1.0) as u32;
        (0..=steps).all(|k| {
            let p = middle + DVec2::from_angle(angle * f64::from(k) / f64::from(steps)).rotate(spoke);
            !self.is_inside(p) && self.edges().all(|(a, b)| segment_distance(p, a, b) >= r)
        })
    }

    fn is_arc_off(&self, middle: DVec2, spoke: DVec2, angle: f64, rooms: &[f64]) -> bool {
        let steps = (angle.abs() / 0.02).ceil().max(1.0) as u32;
        (0..=steps).all(|k| {
            let p = middle + DVec2::from_angle(angle * f64::from(k) / f64::from(steps)).rotate(spoke);
            self.is_off(p, p, rooms)
        })
    }

    /// The length of the shortest way.
    pub(crate) fn shortest(&self, from: DVec2, to: DVec2, r: f64) -> Option<f64> {
        self.shortest_way(from, to, r).map(|(length, _)| length)
    }

    /// The length of the shortest way that keeps a distance from all walls; from walls nearer to
    /// its ends it keeps the distance of the ends.
    pub(crate) fn shortest_from_walls(&self, from: DVec2, to: DVec2, r: f64) -> Option<f64> {
        let corner = |p: DVec2| r.min(p.distance(from) - 1e-6).min(p.distance(to) - 1e-6).max(0.0);
        self.way_with(from, to, r, (&self.rooms([from, to], r), &corner)).map(|(length, _)| length)
    }

    /// The shortest way: its length, and its points of contact with circles.
    pub(crate) fn shortest_way(&self, from: DVec2, to: DVec2, r: f64) -> Option<(f64, Vec<DVec2>)> {
        self.way_with(from, to, r, (&vec![r; self.edges().count()], &|_| r))
    }

    /// The shortest way, given the distances that it keeps from each wall and from a corner.
    fn way_with(
        &self,
        from: DVec2,
        to: DVec2,
        r: f64,
        (rooms, room_of): (&[f64], &dyn Fn(DVec2) -> f64),
    ) -> Option<(f64, Vec<DVec2>)> {
        if from == to {
            return Some((0.0, vec![from, to]));
        }
        let slack = 1e-7;
        let rooms: Vec<f64> = rooms.iter().map(|room| room - slack).collect();
        let end = |middle| Circle { middle, side: 0.0, radius: 0.0 };
        let mut circles = vec![end(from), end(to)];
        for outline in &self.outlines {
            for &middle in outline {
                let radius = room_of(middle);
                circles.push(Circle { middle, side: 1.0, radius });
                circles.push(Circle { middle, side: -1.0, radius });
            }
        }
        let mut lines = Vec::new();
        let mut leaving = vec![Vec::new(); circles.len()];
        for (i, &a) in circles.iter().enumerate() {
            for (j, &b) in circles.iter().enumerate() {
                if i == j || i == 1 || j == 0 || a.middle == b.middle {
                    continue;
                }
                let Some((along, length)) = tangent(a, b) else { continue };
                let start = contact(a, along);
                let end = start + along * length;
                let is_point = r <= 1e-5;
                if is_point && self.is_clear(start, end, 0.0) || !is_point && self.is_off(start, end, &rooms)
                {
                    leaving[i].push(lines.len());
                    lines.push(Line { from: i, to: j, along, length });
                }
            }
        }
        let mut best = vec![f64::MAX; lines.len()];
        let mut before = vec![usize::MAX; lines.len()];
        let mut heap = BinaryHeap::new();
        let key = |length: f64| std::cmp::Reverse(length.to_bits());
        for &line in &leaving[0] {
            best[line] = lines[line].length;
            heap.push((key(best[line]), line));
        }
        while let Some((std::cmp::Reverse(bits), at)) = heap.pop() {
            let length = f64::from_bits(bits);
            if length > best[at] {
                continue;
            }
            let Line { to, along, .. } = lines[at];
            if to == 1 {
                let mut points = Vec::new();
                let mut line = at;
                while line != usize::MAX {
                    let Line { from, along, length, .. } = lines[line];
                    let start = contact(circles[from], along);
                    points.extend([start + along * length, start]);
                    line = before[line];
                }
                points.reverse();
                return Some((length, points));
            }
            let circle = circles[to];
            for &next in &leaving[to] {
                let mut turn = along.angle_to(lines[next].along) * circle.side;
                if turn < -1e-9 {
                    turn += 2.0 * PI;
                }
                let turn = turn.max(0.0);
                let total = length + turn * circle.radius + lines[next].length;
                if turn > PI + 0.01 || total >= best[next] {
                    continue;
                }
                let spoke = contact(circle, along) - circle.middle;
                if r > 1e-5
                    && turn > 0.0
                    && !self.is_arc_off(circle.middle, spoke, turn * circle.side, &rooms)
                {
                    continue;
                }
                best[next] = total;
                before[next] = at;
                heap.push((key(total), next));
            }
        }
        None
    }
}

/// Whether an outline winds around a place.
pub(crate) fn winds(outline: &[DVec2], p: DVec2) -> bool {
    let count = outline.len();
    let mut number = 0;
    for k in 0..count {
        let (a, b) = (outline[k], outline[(k + 1) % count]);
        let side = (b - a).perp_dot(p - a);
        if a.y <= p.y && b.y > p.y && side > 0.0 {
            number += 1;
        }
        if a.y > p.y && b.y <= p.y && side < 0.0 {
            number -= 1;
        }
    }
    number != 0
}

fn contact(circle: Circle, along: DVec2) -> DVec2 {
    circle.middle - along.perp() * (circle.side * circle.radius)
}

/// Direction and length of the line from one circle to another.
fn tangent(a: Circle, b: Circle) -> Option<(DVec2, f64)> {
    let d = b.middle - a.middle;
    let offset = b.side * b.radius - a.side * a.radius;
    let length = d.length_squared() - offset * offset;
    if length < 0.0 {
        return None;
    }
    // The angle's sine is the offset over the distance.
    let turn = (offset / d.length()).asin();
    Some((DVec2::from_angle(-turn).rotate(d.normalize()), length.sqrt()))
}
