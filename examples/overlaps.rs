//! Every kind of shape against another: do they overlap, where, how deep; and if they do not, how
//! far apart?
//!
//! Prints a table and leaves `out/overlaps.svg`: one cell a pair, `contacts_within` drawn where the
//! two overlap and `distance` where they do not. All lengths in metres, normals from the first
//! shape to the second.
//!
//! ```text
//! cargo run --release -p carom-examples --example overlaps
//! ```

use carom::{Distance, Manifold, Shape, Transform, Vec2, contacts_within, distance, overlaps, vec2};
use testkit::draw::svg::{BLUE, INK, ORANGE, RED, Style, Svg};

const COLUMNS: usize = 5;
const PIXELS_PER_METRE: f32 = 76.0;
/// Of one cell, without the gap to the next.
const CELL: Vec2 = vec2(2.44, 2.04);
const GAP: f32 = 0.1;
/// Height of the strip that explains the signs.
const LEGEND: f32 = 0.45;
/// The ground of a cell.
const PAPER: &str = "#f4f6f8";

/// Two shapes and where they stand, seen from the middle of their cell.
struct Pair {
    title: &'static str,
    a: Shape,
    at_a: Transform,
    b: Shape,
    at_b: Transform,
}

/// What carom says about a pair.
struct Answer {
    overlaps: bool,
    distance: Distance,
    contacts: Vec<Manifold>,
}

impl Pair {
    fn new(title: &'static str, (a, at_a): (Shape, Transform), (b, at_b): (Shape, Transform)) -> Pair {
        Pair { title, a, at_a, b, at_b }
    }

    fn ask(&self) -> Answer {
        let Pair { a, at_a, b, at_b, .. } = self;
        let mut contacts = Vec::new();
        contacts_within(a, *at_a, b, *at_b, 0.0, |manifold| contacts.push(*manifold));
        Answer { overlaps: overlaps(a, *at_a, b, *at_b), distance: distance(a, *at_a, b, *at_b), contacts }
    }
}

impl Answer {
    fn points(&self) -> usize {
        self.contacts.iter().map(|manifold| manifold.points().len()).sum()
    }
}

fn at(x: f32, y: f32, degrees: f32) -> Transform {
    Transform::new([x, y], degrees.to_radians())
}

/// A dart with a notch in its stern: star-shaped, not convex. Nose along x.
fn ship() -> Shape {
    Shape::polar(&[vec2(0.75, 0.0), vec2(-0.5, 0.55), vec2(-0.1, 0.0), vec2(-0.5, -0.55)])
}

/// Its head up.
fn hammer() -> Shape {
    Shape::compound([Shape::rect(0.18, 0.9).at([0.0, -0.25]), Shape::rect(0.8, 0.32).at([0.0, 0.36])])
}

fn ground() -> Shape {
    Shape::chain(&[vec2(-1.1, 0.2), vec2(-0.6, -0.25), vec2(0.2, -0.4), vec2(0.65, -0.1), vec2(1.1, -0.25)])
}

#[rustfmt::skip] // One line a pair: where each shape stands.
fn pairs() -> Vec<Pair> {
    let (disc, small_disc) = (Shape::circle(0.5), Shape::circle(0.38));
    let (pill, slim_pill) = (Shape::capsule([-0.5, 0.0], [0.5, 0.0], 0.28), Shape::capsule([-0.4, 0.0], [0.4, 0.0], 0.2));
    let (line, hexagon) = (Shape::segment([-0.7, 0.0], [0.7, 0.0]), Shape::regular(6, 0.5));
    let (shard, upright) = (Shape::triangle([-0.45, -0.4], [0.55, -0.3], [0.0, 0.5]), Shape::regular(3, 0.66));
    let tile = Shape::triangle([-0.35, -0.3], [0.4, -0.25], [0.0, 0.35]).rounded(0.15);
    let pad = Shape::rect(0.4, 0.5).rounded(0.2);
    let (crate_, plank) = (Shape::rect(0.7, 0.7), Shape::rect(1.5, 0.5));
    let slope = Shape::half_plane([0.0, -0.6], [-0.1, 1.0]);
    let still = at(0.0, 0.0, 0.0);
    vec![
        Pair::new("circle, circle", (disc.clone(), at(-0.35, -0.1, 0.0)), (small_disc.clone(), at(0.4, 0.05, 0.0))),
        Pair::new("circle, capsule", (disc, at(-0.5, -0.1, 0.0)), (slim_pill.clone(), at(0.55, 0.05, 60.0))),
        Pair::new("capsule, segment", (pill, at(-0.05, 0.15, -10.0)), (line.clone(), at(0.15, -0.28, 20.0))),
        Pair::new("rect, rounded rect", (crate_.clone(), at(-0.6, -0.1, 15.0)), (pad, at(0.6, 0.05, -25.0))),
        Pair::new("rect, rect", (plank, at(0.0, -0.45, 4.0)), (crate_.clone(), at(0.05, 0.09, 8.0))),
        Pair::new("triangle, circle", (shard, at(-0.5, -0.1, 0.0)), (small_disc, at(0.6, 0.1, 0.0))),
        Pair::new("triangle, triangle", (upright.clone(), at(-0.03, -0.2, 90.0)), (upright, at(0.05, -0.08, -90.0))),
        Pair::new("hexagon, segment", (hexagon.clone(), at(-0.5, -0.1, 10.0)), (line, at(0.6, 0.0, 70.0))),
        Pair::new("hexagon, rect", (hexagon.clone(), at(-0.42, -0.1, 33.0)), (crate_, at(0.3, 0.0, 6.0))),
        Pair::new("rounded triangle, capsule", (tile, at(-0.45, -0.15, 0.0)), (slim_pill, at(0.65, 0.0, 110.0))),
        Pair::new("polar, polar", (ship(), at(-0.42, -0.15, 95.0)), (ship(), at(0.54, -0.2, 45.0))),
        Pair::new("polar, circle", (ship(), at(-0.25, -0.1, 180.0)), (Shape::circle(0.17), at(0.36, -0.15, 0.0))),
        Pair::new("chain, rect", (ground(), at(0.0, -0.25, 0.0)), (Shape::rect(0.6, 0.5), at(-0.17, -0.36, -9.0))),
        Pair::new("compound, hexagon", (hammer(), at(-0.5, -0.05, 15.0)), (hexagon, at(0.6, -0.2, 0.0))),
        Pair::new("half-plane, compound", (slope, still), (hammer(), at(0.05, -0.13, 187.0))),
    ]
}

fn main() -> std::io::Result<()> {
    let pairs = pairs();
    println!("{:<26} {:>8} {:>12} {:>7}", "pair", "overlaps", "separation", "points");
    for pair in &pairs {
        let answer = pair.ask();
        let yes = if answer.overlaps { "yes" } else { "no" };
        println!("{:<26} {yes:>8} {:>10.3} m {:>7}", pair.title, answer.distance.separation, answer.points());
    }
    picture(&pairs).save("out/overlaps.svg")
}

fn picture(pairs: &[Pair]) -> Svg {
    let pitch = CELL + Vec2::splat(GAP);
    let rows = pairs.len().div_ceil(COLUMNS);
    let (width, height) = (COLUMNS as f32 * pitch.x + GAP, rows as f32 * pitch.y + GAP);
    let mut svg = Svg::new(vec2(0.0, -height - LEGEND), vec2(width, 0.0), PIXELS_PER_METRE);
    for (k, pair) in pairs.iter().enumerate() {
        let corner = vec2((k % COLUMNS) as f32, -((k / COLUMNS + 1) as f32)) * pitch + vec2(GAP, 0.0);
        svg.shifted(corner + 0.5 * CELL, |svg| cell(svg, pair));
    }
    svg.shifted(vec2(GAP, -height - 0.5 * LEGEND), legend);
    svg
}

/// One pair, around the origin.
fn cell(svg: &mut Svg, pair: &Pair) {
    let answer = pair.ask();
    let color = if answer.overlaps { ORANGE } else { BLUE };
    let half = 0.5 * CELL;
    svg.rect(-half, half, Style::flat(PAPER));
    svg.clipped(-half, half, |svg| {
        shape(svg, &pair.a, pair.at_a, first(color));
        shape(svg, &pair.b, pair.at_b, second(color));
    });
    if answer.overlaps {
        answer.contacts.iter().for_each(|manifold| contact(svg, manifold));
    } else {
        gap(svg, &answer.distance);
    }
    svg.label(vec2(0.0, half.y - 0.14), 13.5, pair.title, Style::flat(INK));
}

fn first(color: &'static str) -> Style<'static> {
    Style { opacity: 0.45, ..Style::body(color) }
}

fn second(color: &'static str) -> Style<'static> {
    Style { opacity: 0.16, ..Style::body(color) }
}

fn shape(svg: &mut Svg, shape: &Shape, at: Transform, style: Style) {
    let placed = |points: &[Vec2]| -> Vec<Vec2> { points.iter().map(|&point| at.apply(point)).collect() };
    match shape {
        Shape::Circle(circle) => svg.circle(at.apply(circle.center()), circle.radius(), style),
        Shape::Capsule(capsule) => svg.rounded(&placed(&capsule.ends()), capsule.radius(), style),
        Shape::Segment(segment) => svg.polyline(&placed(&segment.ends()), Style { width: 2.5, ..style }),
        Shape::Obb(obb) => rounded(svg, &placed(&obb.corners()), obb.radius(), style),
        Shape::Polygon(polygon) => rounded(svg, &placed(polygon.vertices()), polygon.radius(), style),
        Shape::Polar(polar) => svg.polygon(&placed(polar.vertices()), style),
        Shape::Compound(compound) => {
            compound.parts().iter().for_each(|part| self::shape(svg, part, at, style))
        }
        Shape::Chain(chain) => {
            svg.polyline(&placed(&chain.points()), Style { fill: "none", width: 2.5, ..style });
        }
        Shape::HalfPlane(plane) => {
            let plane = plane.transformed(at);
            let (middle, along, deep) =
                (plane.normal() * plane.offset(), plane.normal().perp() * 9.0, plane.normal() * 9.0);
            svg.polygon(
                &[middle + along, middle + along - deep, middle - along - deep, middle - along],
                style,
            );
        }
        other => panic!("{other:?} cannot be drawn"),
    }
}

fn rounded(svg: &mut Svg, corners: &[Vec2], radius: f32, style: Style) {
    if radius > 0.0 { svg.rounded(corners, radius, style) } else { svg.polygon(corners, style) }
}

/// Each point: its depth as a bar along the normal, and as a number.
fn contact(svg: &mut Svg, manifold: &Manifold) {
    let points = manifold.points();
    let middle = points.iter().map(|point| point.point).sum::<Vec2>() / points.len() as f32;
    for point in points {
        let half_depth = manifold.normal * (-0.5 * point.separation);
        bar(svg, point.point - half_depth, point.point + half_depth);
        // Away from the other point, where there is one.
        let along = manifold.normal.perp();
        let side = if (point.point - middle).dot(along) > 0.0 { along } else { -along };
        number(svg, beside(point.point, side), -point.separation, RED);
    }
}

/// A depth and the normal at its end.
fn bar(svg: &mut Svg, from: Vec2, to: Vec2) {
    let normal = (to - from).normalize_or_zero();
    svg.arrow(to, to + normal * 0.3, Style::outline(INK));
    svg.line(from, to, Style { width: 3.5, ..Style::outline(RED) });
}

/// The closest points and the distance between them.
fn gap(svg: &mut Svg, found: &Distance) {
    link(svg, found.point_a, found.point_b);
    let left = found.normal.perp();
    let side = if left.y > 0.0 { left } else { -left };
    number(svg, beside((found.point_a + found.point_b) * 0.5, side), found.separation, INK);
}

fn link(svg: &mut Svg, a: Vec2, b: Vec2) {
    svg.line(a, b, Style { dash: 4.0, ..Style::outline(INK) });
    svg.dot(a, INK);
    svg.dot(b, INK);
}

/// Where a number leaves `point` free: it is wider than high.
fn beside(point: Vec2, side: Vec2) -> Vec2 {
    point + side * (0.16 + 0.1 * side.x.abs())
}

/// A length, with a rim that sets it off from the lines behind.
fn number(svg: &mut Svg, at: Vec2, length: f32, color: &'static str) {
    let text = format!("{length:.2}");
    svg.label(at, 12.5, &text, Style { width: 3.5, opacity: 1.0, ..Style::body(PAPER) });
    svg.label(at, 12.5, &text, Style::flat(color));
}

/// What the signs mean, from left to right along y = 0.
fn legend(svg: &mut Svg) {
    let letters = |svg: &mut Svg, x: f32, text: &str| svg.text(vec2(x, -0.06), 13.5, text, Style::flat(INK));
    for (x, color, text) in [(0.0, ORANGE, "overlap"), (1.75, BLUE, "apart")] {
        svg.circle(vec2(x + 0.15, 0.0), 0.15, first(color));
        svg.circle(vec2(x + 0.38, 0.0), 0.15, second(color));
        letters(svg, x + 0.62, text);
    }
    bar(svg, vec2(3.35, 0.0), vec2(3.6, 0.0));
    letters(svg, 4.0, "depth; normal, from the first (darker) to the second");
    link(svg, vec2(9.2, 0.0), vec2(9.6, 0.0));
    letters(svg, 9.75, "closest points; in metres");
}
