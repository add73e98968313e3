//! The outer envelope of edges around a centre: the outermost edge along every direction.
//!
//! In: edges that run counter-clockwise around the origin and cover every direction. Out: the
//! corners of the border they make, in polar order. Called for the sum of concave outlines.
//!
//! Each quarter of the plane is turned to x, y ≥ 0 and seen through the map
//!
//! ```text
//!     s = y / (x + y)        the direction, 0 on the x axis and 1 on the y axis
//!     w = 1 / (x + y)        the smaller, the farther out along that direction
//! ```
//!
//! which is projective: lines stay lines. So the outermost edges become the lowest of many line
//! segments over the interval 0..=1, found by divide and conquer: the lowest of each half, then
//! both merged from left to right. (Lower envelopes of segments: Sharir and Agarwal,
//! Davenport-Schinzel Sequences and Their Geometric Applications, 1995.) Back again x = (1 - s) /
//! w, y = s / w.

use glam::DVec2;

/// Two heights that differ by less than this share are one: edges on the same line.
const SAME_HEIGHT: f64 = 1.0e-13;

/// Stretches shorter than this are rounding.
const SHORT: f64 = 1.0e-14;

/// An edge from p to q, counter-clockwise around the origin: p × q > 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) p: DVec2,
    pub(super) q: DVec2,
}

/// An edge in coordinates (s, w), rising in s.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    from: DVec2,
    to: DVec2,
}

/// The part of a line over `from..=to`.
#[derive(Clone, Copy, Debug)]
struct Span {
    line: Line,
    from: f64,
    to: f64,
}

/// The corners of the outermost border of `edges`, in polar order; corners may repeat and lie in
/// one line.
pub(super) fn outermost(edges: &[Edge]) -> Vec<DVec2> {
    let mut corners = Vec::new();
    for quarter in 0..4 {
        let spans: Vec<Span> = edges.iter().filter_map(|edge| span_in_quarter(edge, quarter)).collect();
        for span in lowest(&spans).iter().filter(|span| span.to - span.from > SHORT) {
            let corner = |s: f64| turned(point(s, span.line.height(s)), quarter);
            corners.extend([corner(span.from), corner(span.to)]);
        }
    }
    corners
}

/// `v` turned counter-clockwise by a number of right angles, without rounding.
fn turned(v: DVec2, quarters: usize) -> DVec2 {
    match quarters % 4 {
        0 => v,
        1 => DVec2::new(-v.y, v.x),
        2 => -v,
        _ => DVec2::new(v.y, -v.x),
    }
}

/// The part of an edge in one quarter of the plane. It enters across the x axis or begins inside,
/// and leaves across the y axis or ends inside.
fn span_in_quarter(edge: &Edge, quarter: usize) -> Option<Span> {
    let (p, q) = (turned(edge.p, 4 - quarter), turned(edge.q, 4 - quarter));
    let area = p.perp_dot(q);
    let from = match (p.x > 0.0 && p.y >= 0.0, p.y < 0.0 && q.y > 0.0) {
        (true, _) => p,
        (_, true) => DVec2::new(area / (q.y - p.y), 0.0),
        _ => return None,
    };
    let to = match (q.x >= 0.0 && q.y > 0.0, p.x > 0.0 && q.x < 0.0) {
        (true, _) => q,
        (_, true) => DVec2::new(0.0, area / (p.x - q.x)),
        _ => return None,
    };
    let line = Line { from: seen(from), to: seen(to) };
    (line.to.x - line.from.x > SHORT).then_some(Span { line, from: line.from.x, to: line.to.x })
}

/// (x, y) as (s, w).
fn seen(p: DVec2) -> DVec2 {
    DVec2::new(p.y, 1.0) / (p.x + p.y)
}

/// (s, w) as (x, y).
fn point(s: f64, w: f64) -> DVec2 {
    DVec2::new(1.0 - s, s) / w
}

impl Line {
    fn height(&self, s: f64) -> f64 {
        let share = (s - self.from.x) / (self.to.x - self.from.x);
        self.from.y + (self.to.y - self.from.y) * share
    }
}

/// The lowest of `spans`, from left to right.
fn lowest(spans: &[Span]) -> Vec<Span> {
    if spans.len() < 2 {
        return spans.to_vec();
    }
    let (left, right) = spans.split_at(spans.len() / 2);
    merged(&lowest(left), &lowest(right))
}

/// The lower of two rows of spans, stretch by stretch between all their ends.
fn merged(a: &[Span], b: &[Span]) -> Vec<Span> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    let mut from = 0.0;
    while i < a.len() || j < b.len() {
        let (x, y) = (a.get(i), b.get(j));
        let to = next_end(x, from).min(next_end(y, from));
        let covers = |span: &&Span| span.from <= from;
        match (x.filter(covers), y.filter(covers)) {
            (Some(x), Some(y)) => push_lower(&mut out, x.line, y.line, from, to),
            (Some(x), None) => push(&mut out, x.line, from, to),
            (None, Some(y)) => push(&mut out, y.line, from, to),
            (None, None) => {}
        }
        i += usize::from(x.is_some_and(|span| span.to <= to));
        j += usize::from(y.is_some_and(|span| span.to <= to));
        from = to;
    }
    out
}

/// Where `span` next begins or ends, seen from `at`.
fn next_end(span: Option<&Span>, at: f64) -> f64 {
    span.map_or(f64::INFINITY, |span| if span.from > at { span.from } else { span.to })
}

/// The lower of two lines over a stretch: one of them, or each on its side of their crossing.
fn push_lower(out: &mut Vec<Span>, x: Line, y: Line, from: f64, to: f64) {
    let above = |s: f64| {
        let (height_x, height_y) = (x.height(s), y.height(s));
        let by = height_x - height_y;
        if by.abs() <= SAME_HEIGHT * height_x { 0.0 } else { by }
    };
    let (left, right) = (above(from), above(to));
    if left <= 0.0 && right <= 0.0 {
        push(out, x, from, to);
    } else if left >= 0.0 && right >= 0.0 {
        push(out, y, from, to);
    } else {
        let crossing = from + (to - from) * (left / (left - right));
        let (first, second) = if left < 0.0 { (x, y) } else { (y, x) };
        push(out, first, from, crossing);
        push(out, second, crossing, to);
    }
}

/// Adds a stretch, to the last one if that lies on the same line.
fn push(out: &mut Vec<Span>, line: Line, from: f64, to: f64) {
    if from >= to {
        return;
    }
    match out.last_mut() {
        Some(last) if last.line == line && last.to == from => last.to = to,
        _ => out.push(Span { line, from, to }),
    }
}
