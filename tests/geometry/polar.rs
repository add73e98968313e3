//! Polar shapes, the quick yes, and the exact tables.
//!
//! The oracle is brute force in `f64`: two outlines overlap when two of their edges meet, or when a
//! corner of one lies in the other. Sizes, forms, rotations and mirror images of both shapes are
//! random and differ. Near touching, where rounding decides, the tests may differ: a pair is left
//! out only if moving one shape by 1e-5 of the greater size changes what the oracle says.

use carom::polar::{self, Ring, Table};
use carom::{PolarShape, Rot, Shape, ShapeError, Transform, Vec2, contact, contains, overlaps, vec2};
use core::f32::consts::{PI, TAU};
use glam::DVec2;

use testkit::convex::Kind;
use testkit::random::Random;
use testkit::rounds;

/// How many random pairs.
const PAIRS: usize = rounds(10_000, 200_000);

/// How far from touching the tests must agree, as a share of the greater size.
const TOLERANCE: f64 = 1.0e-5;

fn within(random: &mut Random, low: f32, high: f32) -> f32 {
    random.range(f64::from(low), f64::from(high)) as f32
}

/// A triangle, ship, convex or concave star, of a size between 0.1 and 10, mirrored or not, moved
/// or not.
fn outline(random: &mut Random) -> PolarShape {
    loop {
        let points = match random.below(4) {
            0 => random_triangle(random),
            1 => random_ship(random),
            2 => convex_star(random),
            _ => concave_star(random),
        };
        let scale = [0.1, 1.0, 10.0][random.below(3)] * within(random, 0.5, 1.0);
        let flip = if random.below(2) == 0 { 1.0 } else { -1.0 };
        let points: Vec<Vec2> = points.iter().map(|p| vec2(p.x * scale, p.y * scale * flip)).collect();
        if let Ok(shape) = PolarShape::new(&points) {
            return if random.below(4) == 0 {
                shape.transformed(random.transform(f64::from(scale)))
            } else {
                shape
            };
        }
    }
}

/// Two outlines and a rotation from one to the other; in one of four both are the same and the
/// rotation is a multiple of a quarter turn, so that edges are parallel.
fn pair(random: &mut Random) -> (PolarShape, PolarShape, Rot) {
    let a = outline(random);
    if random.below(4) == 0 {
        let [cos, sin] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]][random.below(4)];
        return (a.clone(), a, Rot { cos, sin });
    }
    (a, outline(random), Rot::from_angle(random.angle()))
}

fn random_triangle(random: &mut Random) -> Vec<Vec2> {
    (0..3).map(|_| vec2(within(random, -1.0, 1.0), within(random, -1.0, 1.0))).collect()
}

/// Nose, wings, and a notch at the back.
fn random_ship(random: &mut Random) -> Vec<Vec2> {
    let (back, side) = (within(random, -1.0, -0.4), within(random, 0.2, 1.0));
    vec![vec2(1.0, 0.0), vec2(back, side), vec2(within(random, 0.9, 0.1) * back, 0.0), vec2(back, -side)]
}

fn convex_star(random: &mut Random) -> Vec<Vec2> {
    let (count, narrow, turn) = (3 + random.below(10), within(random, 0.3, 1.0), within(random, 0.0, TAU));
    let corner = |k: usize| Rot::from_angle(turn + k as f32 * TAU / count as f32).x_axis();
    (0..count).map(|k| corner(k) * vec2(1.0, narrow)).collect()
}

fn concave_star(random: &mut Random) -> Vec<Vec2> {
    let (count, turn) = (3 + random.below(14), within(random, 0.0, TAU));
    let step = TAU / count as f32;
    let corner = |k: usize| {
        let angle = turn + (k as f32 + within(random, -0.3, 0.3)) * step;
        Rot::from_angle(angle).x_axis() * within(random, 0.15, 1.0)
    };
    (0..count).map(corner).collect()
}

fn greatest(values: impl IntoIterator<Item = f32>) -> f32 {
    values.into_iter().fold(0.0, |most, value| if value > most { value } else { most })
}

/// A shape's corners where they stand, in `f64`.
fn placed(shape: &PolarShape, at: Transform) -> Vec<DVec2> {
    let (cos, sin) = (f64::from(at.rotation.cos), f64::from(at.rotation.sin));
    let turned = |v: DVec2| DVec2::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y);
    shape.vertices().iter().map(|v| at.position.as_dvec2() + turned(v.as_dvec2())).collect()
}

fn edges(outline: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    (0..outline.len()).map(|i| (outline[i], outline[(i + 1) % outline.len()]))
}

fn side(p: DVec2, q: DVec2, r: DVec2) -> f64 {
    (q - p).perp_dot(r - p)
}

fn edges_meet((p, q): (DVec2, DVec2), (r, s): (DVec2, DVec2)) -> bool {
    side(p, q, r) * side(p, q, s) <= 0.0 && side(r, s, p) * side(r, s, q) <= 0.0
}

/// Crossings of the ray to the right are odd.
fn is_inside(outline: &[DVec2], point: DVec2) -> bool {
    let crossings = edges(outline)
        .filter(|&(p, q)| (p.y > point.y) != (q.y > point.y) && (side(p, q, point) > 0.0) == (q.y > p.y));
    crossings.count() % 2 == 1
}

/// Whether two outlines overlap, the second one moved by `shift`.
fn truth(a: &[DVec2], b: &[DVec2], shift: DVec2) -> bool {
    let b: Vec<DVec2> = b.iter().map(|&v| v + shift).collect();
    is_inside(a, b[0]) || is_inside(&b, a[0]) || edges(a).any(|e| edges(&b).any(|f| edges_meet(e, f)))
}

/// Whether the oracle changes its mind when the second outline moves by the tolerance.
fn is_borderline(a: &[DVec2], b: &[DVec2]) -> bool {
    let spread =
        |outline: &[DVec2]| outline.iter().fold(0.0, |most: f64, v| most.max(v.distance(outline[0])));
    let (least, here) = (TOLERANCE * spread(a).max(spread(b)), truth(a, b, DVec2::ZERO));
    let shifts = (0..16).map(|k| DVec2::from_angle(f64::from(k) * std::f64::consts::TAU / 16.0) * least);
    shifts.into_iter().any(|shift| truth(a, b, shift) != here)
}

/// b's centre seen from a's, in a's frame.
fn offset(a: &PolarShape, xa: Transform, b: &PolarShape, xb: Transform) -> Vec2 {
    xa.relative(xb).apply(b.center()) - a.center()
}

/// A place for b's centre: anywhere about a, or just where the radial sum changes its mind.
fn place(random: &mut Random, a: &PolarShape, b: &PolarShape, xa: Transform, turn: Rot) -> Transform {
    let direction = random.direction().as_vec2();
    let rotation = xa.rotation * turn;
    let sum = a.rho(xa.rotation.inverse_rotate(direction)) + b.rho(rotation.inverse_rotate(-direction));
    let distance = match random.below(4) {
        0 => sum * (1.0 + within(random, -1.0e-6, 1.0e-6)),
        1 => sum * within(random, 0.9, 1.1),
        2 => sum * within(random, 0.0, 3.0),
        _ => within(random, 0.0, 2.0) * greatest([a.rho(direction), b.rho(direction)]),
    };
    let position = xa.apply(a.center()) + direction * distance - rotation * b.center();
    Transform { position, rotation }
}

#[test]
fn the_radial_sum_is_never_wrong_when_it_says_yes() {
    let random = &mut Random::new(1);
    let (mut yes, mut hits) = (0, 0);
    for case in 0..PAIRS {
        let (a, b) = (outline(random), outline(random));
        let xa = random.transform(5.0);
        let turn = Rot::from_angle(random.angle());
        let xb = place(random, &a, &b, xa, turn);
        let said = polar::accept(&a, xa, &b, xb);
        assert_eq!(said, polar::accept(&b, xb, &a, xa), "case {case}: the order decides");
        let (shape_a, shape_b) = (Shape::Polar(a.clone().into()), Shape::Polar(b.clone().into()));
        let exact = overlaps(&shape_a, xa, &shape_b, xb);
        if said {
            assert!(truth(&placed(&a, xa), &placed(&b, xb), DVec2::ZERO), "case {case}: the oracle denies");
            assert!(exact, "case {case}: the separating axes deny");
            assert!(contact(&shape_a, xa, &shape_b, xb).is_some(), "case {case}: no contact");
        }
        yes += usize::from(said);
        hits += usize::from(exact);
    }
    println!("radial sum: {yes} of {hits} overlaps accepted, of {PAIRS} pairs");
    assert!(yes * 2 > hits, "it is hardly ever of use: {yes} of {hits}");
}

#[test]
fn the_convex_form_is_never_wrong_when_it_says_yes() {
    let random = &mut Random::new(2);
    let (mut yes, mut hits) = (0, 0);
    for case in 0..PAIRS {
        let mut polygon = || {
            let kind = [Kind::Polygon, Kind::RoundedPolygon][random.below(2)];
            kind.sample(random).0
        };
        let (a, b) = (polygon(), polygon());
        let (xa, xb) = (random.transform(1.5), random.transform(1.5));
        let (Shape::Polygon(core_a), Shape::Polygon(core_b)) = (&a, &b) else { unreachable!("polygons") };
        let said = polar::accept_convex(core_a, xa, core_b, xb);
        let exact = overlaps(&a, xa, &b, xb);
        assert!(exact || !said, "case {case}: the separating axes deny {a:?} {xa:?} {b:?} {xb:?}");
        yes += usize::from(said);
        hits += usize::from(exact);
    }
    println!("radial sum, convex: {yes} of {hits} overlaps accepted, of {PAIRS} pairs");
    assert!(yes * 4 > hits * 3, "it is hardly ever of use: {yes} of {hits}");
}

#[test]
fn the_table_agrees_with_separating_axes_and_with_the_oracle() {
    let random = &mut Random::new(3);
    let (mut hits, mut left_out) = (0, 0);
    for _ in 0..PAIRS / 16 {
        let (a, b, turn) = pair(random);
        let (xa, table) = (random.transform(5.0), Table::new(&a, &b, turn));
        for _ in 0..16 {
            let mut xb = place(random, &a, &b, xa, turn);
            if random.below(2) == 0 {
                // All but touching, where every direction has its turn.
                let border: Vec<Vec2> = table.border().collect();
                let k = random.below(border.len());
                let touching = border[k].lerp(border[(k + 1) % border.len()], within(random, 0.0, 1.0));
                let off = touching * (1.0 + within(random, -1.0e-4, 1.0e-4));
                xb.position = xa.apply(a.center() + off) - xb.rotation * b.center();
            }
            let said = table.overlaps(offset(&a, xa, &b, xb));
            let by_axes = overlaps(&Shape::Polar(a.clone().into()), xa, &Shape::Polar(b.clone().into()), xb);
            let (outline_a, outline_b) = (placed(&a, xa), placed(&b, xb));
            let by_oracle = truth(&outline_a, &outline_b, DVec2::ZERO);
            if said != by_oracle || by_axes != by_oracle {
                let pair = format!("table {said}, axes {by_axes}: {a:?} {xa:?} {b:?} {xb:?}");
                assert!(is_borderline(&outline_a, &outline_b), "oracle {by_oracle}, {pair}");
                left_out += 1;
            }
            hits += usize::from(by_oracle);
        }
    }
    println!("tables: {hits} overlaps in {PAIRS} pairs, {left_out} within the tolerance of touching differ");
    assert!(left_out * 50 < PAIRS, "too many pairs left out: {left_out}");
}

/// Shares in which a test is wrong, over a grid of offsets that covers A + (-B) and A at twice the
/// size.
#[derive(Debug, Default)]
struct Errors {
    positions: usize,
    overlaps: usize,
    hits: usize,
    misses: usize,
    false_hits: usize,
}

impl Errors {
    fn over_grid(a: &PolarShape, b: &PolarShape, turn: f32, test: impl Fn(Vec2) -> bool) -> Errors {
        let steps = rounds(101, 701);
        let table = Table::new(a, b, Rot::from_angle(turn));
        let farthest = greatest(a.vertices().iter().map(|v| v.length()));
        let reach = greatest(table.border().map(|p| p.abs().max_element()).chain([2.0 * farthest]));
        let (outline_a, outline_b) =
            (placed(a, Transform::IDENTITY), placed(b, Transform::new([0.0, 0.0], turn)));
        let at = |k: usize| reach * ((k as f32 + 0.5) / steps as f32 * 2.0 - 1.0);
        let mut errors = Errors::default();
        for offset in (0..steps * steps).map(|k| vec2(at(k % steps), at(k / steps))) {
            let (said, is) = (test(offset), truth(&outline_a, &outline_b, offset.as_dvec2()));
            errors.positions += 1;
            errors.overlaps += usize::from(is);
            errors.hits += usize::from(said);
            errors.misses += usize::from(is && !said);
            errors.false_hits += usize::from(said && !is);
        }
        errors
    }

    fn missed(&self) -> f32 {
        self.misses as f32 / self.overlaps as f32
    }

    fn false_share(&self) -> f32 {
        self.false_hits as f32 / self.hits as f32
    }
}

fn classic(a: &PolarShape) -> impl Fn(Vec2) -> bool {
    |offset| offset.length() <= 2.0 * a.rho(offset)
}

fn radial_sum(a: &PolarShape, b: &PolarShape, turn: f32) -> impl Fn(Vec2) -> bool {
    move |offset| polar::accept(a, Transform::IDENTITY, b, Transform::new(offset, turn))
}

fn triangle() -> PolarShape {
    PolarShape::from_radii(&[1.0; 3]).expect("three equal radii")
}

fn ship(size: f32) -> PolarShape {
    let corners = [vec2(1.0, 0.0), vec2(-0.8, 0.7), vec2(-0.35, 0.0), vec2(-0.8, -0.7)];
    PolarShape::new(&corners.map(|p| p * size)).expect("a ship")
}

#[test]
fn the_classic_test_is_exact_for_a_triangle_and_its_mirror_image() {
    let triangle = triangle();
    let errors = Errors::over_grid(&triangle, &triangle, PI, classic(&triangle));
    println!("classic, mirrored triangles: {errors:?}");
    assert_eq!((errors.misses, errors.false_hits), (0, 0));
}

#[test]
fn the_classic_test_is_wrong_for_triangles_that_point_the_same_way() {
    let triangle = triangle();
    let errors = Errors::over_grid(&triangle, &triangle, 0.0, classic(&triangle));
    println!("classic, equal triangles: {errors:?} {} {}", errors.missed(), errors.false_share());
    assert!((errors.missed() - 0.39).abs() < 0.02 && (errors.false_share() - 0.08).abs() < 0.02);
}

#[test]
fn the_classic_test_is_wrong_for_a_concave_ship_and_its_mirror_image() {
    let ship = ship(1.0);
    let errors = Errors::over_grid(&ship, &ship, PI, classic(&ship));
    println!("classic, mirrored ships: {errors:?} {}", errors.missed());
    assert!(errors.missed() > 0.1 && errors.false_hits == 0);
}

#[test]
fn the_radial_sum_misses_but_never_errs() {
    let triangle = triangle();
    let same = Errors::over_grid(&triangle, &triangle, 0.0, radial_sum(&triangle, &triangle, 0.0));
    println!("radial sum, equal triangles: {same:?} {}", same.missed());
    let mirrored = Errors::over_grid(&triangle, &triangle, PI, radial_sum(&triangle, &triangle, PI));
    println!("radial sum, mirrored triangles: {mirrored:?}");
    assert_eq!((same.false_hits, mirrored.false_hits), (0, 0));
    assert!((same.missed() - 0.36).abs() < 0.02);
}

#[test]
fn ships_of_different_size_need_the_table() {
    let (a, b) = (ship(1.0), ship(0.7));
    let turn = 2.0;
    let table = Table::new(&a, &b, Rot::from_angle(turn));
    let by_table = Errors::over_grid(&a, &b, turn, |offset| table.overlaps(offset));
    let by_classic = Errors::over_grid(&a, &b, turn, classic(&a));
    let by_sum = Errors::over_grid(&a, &b, turn, radial_sum(&a, &b, turn));
    println!("ships: table {by_table:?}");
    println!("ships: classic {by_classic:?} {} {}", by_classic.missed(), by_classic.false_share());
    println!("ships: radial sum {by_sum:?} {}", by_sum.missed());
    assert_eq!((by_table.misses, by_table.false_hits, by_sum.false_hits), (0, 0, 0));
    assert!(by_classic.misses + by_classic.false_hits > by_classic.overlaps / 10);
}

#[test]
fn corners_inside_the_other_miss_crossed_triangles() {
    let triangle = triangle();
    let upright = placed(&triangle, Transform::IDENTITY);
    let corners =
        |b: &[DVec2]| b.iter().any(|&v| is_inside(&upright, v)) || upright.iter().any(|&v| is_inside(b, v));
    let inverted = |offset: Vec2| placed(&triangle, Transform::new(offset, PI));
    // Crossed like a star.
    assert!(truth(&upright, &inverted(Vec2::ZERO), DVec2::ZERO));
    assert!(!corners(&inverted(Vec2::ZERO)));
    let errors = Errors::over_grid(&triangle, &triangle, PI, |offset| corners(&inverted(offset)));
    println!("corners inside the other, mirrored triangles: {errors:?} {}", errors.missed());
    assert!((errors.missed() - 0.25).abs() < 0.02 && errors.false_hits == 0);
}

#[test]
fn tables_know_touching_and_what_is_no_offset() {
    let square = PolarShape::new(&[Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y]).unwrap();
    let table = Table::new(&square, &square, Rot::IDENTITY);
    assert!(table.overlaps(Vec2::ZERO) && table.overlaps(vec2(-0.0, -0.0)));
    assert!(table.overlaps(vec2(2.0, 0.0)) && !table.overlaps(vec2(2.0f32.next_up(), 0.0)));
    assert_eq!(table.border().len(), 4);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        for offset in [vec2(bad, 0.0), vec2(0.0, bad), vec2(bad, bad), vec2(-bad, bad)] {
            assert!(!table.overlaps(offset), "{offset}");
        }
    }
    // No rotation: the table is built as for none.
    assert_eq!(Table::new(&square, &square, Rot { cos: f32::NAN, sin: 0.0 }), table);
}

/// How far a corner of one table is at most from the border of the other.
fn difference(a: &Table, b: &Table) -> f32 {
    let corners: Vec<DVec2> = b.border().map(|p| p.as_dvec2()).collect();
    let away = a
        .border()
        .map(|p| edges(&corners).map(|edge| distance_to(edge, p.as_dvec2())).fold(f64::MAX, f64::min));
    away.fold(0.0, f64::max) as f32
}

fn distance_to((p, q): (DVec2, DVec2), point: DVec2) -> f64 {
    let share = ((point - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0);
    (p + (q - p) * share).distance(point)
}

#[test]
fn many_spikes_and_many_corners() {
    let star = |count: usize, inner: f32| PolarShape::from_radii(&[1.0, inner].repeat(count)).unwrap();
    let disc = |count: usize| PolarShape::from_radii(&vec![0.5; count]).unwrap();
    let random = &mut Random::new(5);
    for (a, b) in [(star(32, 0.2), star(17, 0.5)), (disc(2_000), star(5, 0.3)), (disc(500), disc(333))] {
        let turn = random.angle();
        let table = Table::new(&a, &b, Rot::from_angle(turn));
        let outline_a = placed(&a, Transform::IDENTITY);
        for _ in 0..300 {
            let offset = random.direction().as_vec2() * within(random, 0.0, 2.1);
            let outline_b = placed(&b, Transform::new(offset, turn));
            let by_oracle = truth(&outline_a, &outline_b, DVec2::ZERO);
            let agrees = table.overlaps(offset) == by_oracle;
            assert!(agrees || is_borderline(&outline_a, &outline_b), "{offset} {by_oracle}");
        }
    }
}

#[test]
fn a_ring_is_exact_on_its_steps_and_near_elsewhere() {
    let (a, b) = (ship(1.0), ship(0.7));
    let ring = Ring::new(&a, &b, 48);
    assert_eq!(ring.steps(), 48);
    for step in 0..96 {
        let turn = Rot::from_angle(step as f32 * TAU / 48.0);
        assert_eq!(ring.nearest(turn), step % 48);
        let exact = Table::new(&a, &b, turn);
        assert!(difference(&exact, ring.table(step)) < 1.0e-5, "step {step}");
    }
    // Off the steps: wrong only nearer to touching than rho_max π / n.
    let random = &mut Random::new(6);
    let bound = greatest(b.vertices().iter().map(|v| v.length())) * PI / 48.0;
    for _ in 0..PAIRS / 10 {
        let (turn, offset) = (random.angle(), random.direction().as_vec2() * within(random, 0.0, 2.0));
        let exact = Table::new(&a, &b, Rot::from_angle(turn));
        if ring.overlaps(ring.nearest(Rot::from_angle(turn)), offset) != exact.overlaps(offset) {
            let corners: Vec<DVec2> = exact.border().map(|p| p.as_dvec2()).collect();
            let away = edges(&corners).map(|edge| distance_to(edge, offset.as_dvec2()));
            let nearest = away.fold(f64::MAX, f64::min);
            assert!(nearest <= f64::from(bound), "{turn} {offset}: {nearest} from touching");
        }
    }
    assert_eq!(Ring::new(&a, &b, 0).steps(), 1);
    assert_eq!(Ring::new(&a, &b, 1).nearest(Rot { cos: f32::NAN, sin: f32::NAN }), 0);
}

#[test]
fn rho_is_where_the_ray_leaves() {
    let random = &mut Random::new(7);
    for _ in 0..PAIRS / 10 {
        let shape = outline(random);
        let corners: Vec<DVec2> = shape.vertices().iter().map(|v| (*v - shape.center()).as_dvec2()).collect();
        let direction = random.direction().as_vec2() * [1.0e-20, 1.0e-3, 1.0, 1.0e3, 1.0e20][random.below(5)];
        let u = direction.as_dvec2().normalize();
        let leaves = edges(&corners).filter_map(|(p, q)| {
            let e = q - p;
            let (t, s) = (p.perp_dot(e) / u.perp_dot(e), p.perp_dot(u) / u.perp_dot(e));
            (t > 0.0 && (-1.0e-9..=1.0 + 1.0e-9).contains(&s)).then_some(t)
        });
        let brute = leaves.fold(0.0, f64::max);
        let size = corners.iter().fold(0.0, |most: f64, v| most.max(v.length()));
        // Where an edge runs nearly along the ray, the last bit of the centre moves the crossing
        // along it.
        assert!(
            (f64::from(shape.rho(direction)) - brute).abs() < 1.0e-3 * size.max(brute),
            "{shape:?} {direction}"
        );
        if shape.center() == Vec2::ZERO {
            assert!((f64::from(shape.rho(direction)) - brute).abs() < 1.0e-6 * size, "{shape:?} {direction}");
        }
    }
}

#[test]
fn rho_reads_all_directions_and_knows_corners() {
    let star = PolarShape::from_radii(&[2.0, 1.0].repeat(5)).unwrap();
    for (k, corner) in star.vertices().iter().enumerate() {
        assert!((star.rho(*corner) - corner.length()).abs() < 1.0e-6);
        assert!((star.rho_at(k as f32 * TAU / 10.0) - corner.length()).abs() < 1.0e-5);
    }
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    assert!(bad.iter().all(|&x| star.rho(vec2(x, 1.0)) == 0.0 && star.rho_at(x).is_finite()));
    assert_eq!((star.rho(Vec2::ZERO), star.rho(vec2(-0.0, 0.0))), (0.0, 0.0));
    assert_eq!(star.rho(vec2(1.0e-45, 0.0)), 2.0);
    assert_eq!(star.rho(vec2(f32::MAX, 0.0)), 2.0);
}

#[test]
fn pieces_make_up_the_outline() {
    let random = &mut Random::new(8);
    let (mut corners, mut pieces) = (0, 0);
    for _ in 0..PAIRS / 100 {
        let shape = outline(random);
        corners += shape.vertices().len();
        pieces += shape.pieces().len();
        let mass = Shape::Polar(shape.clone().into()).mass(1.0);
        let area: f32 = shape.pieces().iter().map(|&piece| Shape::Polygon(piece).mass(1.0).mass).sum();
        assert!((mass.mass - area).abs() <= 1.0e-5 * area, "{} against {area}", mass.mass);
        let outline = placed(&shape, Transform::IDENTITY);
        let reach = greatest(shape.vertices().iter().map(|v| v.distance(shape.center())));
        for _ in 0..50 {
            let point = shape.center() + random.direction().as_vec2() * within(random, 0.0, 1.1 * reach);
            let noise = 1.0e-5 * f64::from(reach + 1.0);
            if edges(&outline).any(|edge| distance_to(edge, point.as_dvec2()) < noise) {
                continue;
            }
            let in_pieces = shape
                .pieces()
                .iter()
                .any(|&piece| contains(&Shape::Polygon(piece), Transform::IDENTITY, point));
            assert_eq!(in_pieces, is_inside(&outline, point.as_dvec2()), "{point} in {shape:?}");
        }
    }
    println!("{corners} corners make {pieces} pieces");
}

#[test]
fn convex_outlines_of_eight_corners_are_one_piece() {
    for count in 3..=8 {
        assert_eq!(PolarShape::from_radii(&vec![1.0; count]).unwrap().pieces().len(), 1);
    }
    assert_eq!(PolarShape::from_radii(&[1.0; 12]).unwrap().pieces().len(), 3);
    assert_eq!(ship(1.0).pieces().len(), 2);
}

#[test]
fn either_winding_gives_the_same_outline() {
    let corners = [vec2(1.0, 0.0), vec2(-0.8, 0.7), vec2(-0.35, 0.0), vec2(-0.8, -0.7)];
    let turned = [corners[0], corners[3], corners[2], corners[1]];
    assert_eq!(PolarShape::new(&corners), PolarShape::new(&turned));
}

#[test]
fn outlines_not_star_shaped_about_their_origin_are_refused() {
    let refused = |points: &[Vec2]| PolarShape::new(points).expect_err("refused");
    let on_circle = |k: usize, step: f32| Rot::from_angle(k as f32 * step).x_axis();
    let pentagram: Vec<Vec2> = (0..5).map(|k| on_circle(k, TAU * 0.4)).collect();
    let twice: Vec<Vec2> = (0..8).map(|k| on_circle(k, TAU / 4.0)).collect();
    let beside: Vec<Vec2> = (0..5).map(|k| on_circle(k, TAU * 0.2) + vec2(1.5, 0.0)).collect();
    let on_corner: Vec<Vec2> = (0..5).map(|k| on_circle(k, TAU * 0.2) - Vec2::X).collect();
    let bow_tie = [vec2(1.0, 1.0), vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(-1.0, 1.0)];
    let hidden = [vec2(1.0, 0.0), vec2(-1.0, 1.0), vec2(-2.0, 0.1), vec2(-0.5, 0.1), vec2(-1.0, -1.0)];
    for outline in [&pentagram[..], &twice, &beside, &on_corner, &bow_tie, &hidden] {
        assert_eq!(refused(outline), ShapeError::NotStarShaped, "{outline:?}");
    }
    assert_eq!(refused(&[]), ShapeError::Degenerate);
    assert_eq!(refused(&[Vec2::X, Vec2::Y]), ShapeError::Degenerate);
    // The centre all but on an edge; a needle; too small altogether.
    let near = [vec2(1.0, -1.0e-6), vec2(0.0, 1.0), vec2(-1.0, -1.0e-6)];
    let needle = [vec2(1.0, 0.0), vec2(-1.0, 1.0e-6), vec2(-1.0, -1.0e-6)];
    let tiny = [vec2(1.0e-7, 0.0), vec2(-1.0e-7, 1.0e-7), vec2(-1.0e-7, -1.0e-7)];
    for outline in [near, needle, tiny] {
        assert_eq!(refused(&outline), ShapeError::Degenerate, "{outline:?}");
    }
    assert_eq!(PolarShape::from_radii(&vec![1.0e9; 70_000]), Err(ShapeError::TooManyVertices));
    assert_eq!(PolarShape::from_radii(&[1.0, -1.0, 1.0]), Err(ShapeError::NotPositive));
    assert_eq!(PolarShape::from_radii(&[]), Err(ShapeError::Degenerate));
}

/// Every bad number in every coordinate: an error, or a shape that answers with numbers.
#[test]
fn bad_numbers_never_panic() {
    let good = [vec2(1.0, 0.0), vec2(-0.8, 0.7), vec2(-0.35, 0.0), vec2(-0.8, -0.7)];
    let bad =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1.0e-40, 1.0e-45, f32::MAX, -1.0, 0.0, 1.0e9];
    let mut built = 0;
    for (value, coordinate) in bad.into_iter().flat_map(|value| (0..8).map(move |k| (value, k))) {
        let mut points = good;
        points[coordinate / 2][coordinate % 2] = value;
        let made = PolarShape::new(&points);
        if !value.is_finite() || value == f32::MAX {
            assert_eq!(made, Err(ShapeError::OutOfRange));
        }
        let _ = PolarShape::around([value, -value], &good).is_ok();
        let Ok(shape) = made else { continue };
        built += 1;
        for direction in [Vec2::X, Vec2::NEG_Y, vec2(value, 1.0), vec2(1.0e-45, -1.0)] {
            assert!(shape.rho(direction).is_finite());
        }
        let table = Table::new(&shape, &ship(1.0), Rot { cos: value, sin: value });
        let _ = table.overlaps(vec2(value, 1.0));
        let far = shape.transformed(Transform::new([value * 1.0e6, 1.0e6], value));
        assert!(far.rho(Vec2::X).is_finite());
        let _ = Table::new(&far, &shape, Rot::IDENTITY).overlaps(Vec2::X);
        for xb in [Transform::at([value, value]), Transform::new([0.0, 0.0], value)] {
            let _ = polar::accept(&shape, Transform::IDENTITY, &far, xb);
            let _ = polar::accept(&far, xb, &far, xb);
        }
    }
    assert!(built >= 8, "only {built} shapes were built");
    for value in [f32::NAN, f32::INFINITY] {
        let lost = Transform { position: vec2(value, 0.0), rotation: Rot { cos: value, sin: value } };
        assert!(!polar::accept(&ship(1.0), Transform::IDENTITY, &ship(1.0), lost));
        assert!(!polar::accept(&ship(1.0), lost, &ship(1.0), lost));
    }
}

/// Far from where it was defined an outline loses its digits; the tests stay careful and do not
/// panic.
#[test]
fn outlines_moved_far_away_answer_with_numbers() {
    let random = &mut Random::new(9);
    for _ in 0..PAIRS / 100 {
        let shape = outline(random);
        let by = Transform::new(
            random.direction().as_vec2() * [1.0, 1.0e3, 1.0e5, 1.0e7, 1.0e9][random.below(5)],
            random.angle(),
        );
        let far = shape.transformed(by);
        assert!(far.rho(random.direction().as_vec2()).is_finite());
        let _ = Table::new(&far, &shape, Rot::IDENTITY).overlaps(random.direction().as_vec2());
        let xb = Transform::at(by.position);
        if polar::accept(&far, Transform::IDENTITY, &shape, xb) {
            let pieces = Shape::Polar(far.into());
            assert!(
                overlaps(&pieces, Transform::IDENTITY, &Shape::Polar(shape.clone().into()), xb),
                "{shape:?} {by:?}"
            );
        }
    }
}
