//! Lanes against one lane, bit for bit, and against the pairs tested one by one.

use glam::Vec2;

use super::{Cores, Form, Forms, Terms, Touch, collide, collide_circles};
use crate::math::{Rot, Transform};
use crate::narrowphase::{Manifold, collide_pieces};
use crate::shape::Shape;
use crate::simd::{AllLanes, LANES, Level, OneLane, Vector, bits, dispatch_wide, scatter};
use crate::tuning::SEPARATION_NOISE;
use crate::util::Random;

/// Splitmix64, as numbers between two bounds.
impl Random {
    /// Every kind with corners, some rounded, some as thin as a needle.
    fn shape(&mut self, kind: usize) -> Shape {
        let size = self.between(0.3, 1.5);
        match kind % 8 {
            0 => Shape::capsule([-0.5 * size, 0.1], [0.4 * size, 0.0], self.between(0.05, 0.4)),
            1 => Shape::segment([-size, 0.0], [size, 0.2]),
            2 => Shape::rect(size, self.between(0.02, 1.5)).at([0.1, 0.2]),
            3 => Shape::rect(size, 0.5).rounded(self.between(0.01, 0.2)),
            4 => Shape::polygon(&[Vec2::new(0.0, 0.001), Vec2::new(-size, 0.0), Vec2::new(size, 0.0)]),
            5 => Shape::regular(3, size),
            6 => Shape::regular(5, size).rounded(0.05),
            _ => Shape::regular(8, size),
        }
    }

    /// A place about as far from the origin as two bodies that touch; every third on a raster, face
    /// on face.
    fn place(&mut self, round: usize) -> Transform {
        let at = Vec2::new(self.between(-1.5, 1.5), self.between(-1.5, 1.5));
        if round.is_multiple_of(3) {
            let quarter = Rot { cos: 0.0, sin: 1.0 };
            let rotation = if round.is_multiple_of(2) { Rot { cos: 1.0, sin: 0.0 } } else { quarter };
            return Transform { position: (at * 4.0).floor() * 0.25, rotation };
        }
        Transform::new(at, self.between(-4.0, 4.0))
    }
}

const MARGIN: f32 = 0.05;

/// Eight pairs: forms, where each second part stands in the frame of the first, circles in their
/// places.
struct Eight {
    shapes: Vec<[Shape; 2]>,
    places: Vec<Transform>,
    rows: Vec<[[f32; 8]; 4]>,
    facts: Vec<[f32; 4]>,
    radius: [f32; LANES],
}

impl Eight {
    fn new(random: &mut Random, round: usize) -> Eight {
        let mut eight = Eight {
            shapes: Vec::new(),
            places: Vec::new(),
            rows: Vec::new(),
            facts: Vec::new(),
            radius: [0.0; LANES],
        };
        for lane in 0..LANES {
            let kinds = random.between(0.0, 64.0) as usize;
            let pair = [random.shape(kinds / 8), random.shape(kinds)];
            for shape in &pair {
                let form = Form::new(shape.piece(0), Vec2::ZERO).expect("it has corners");
                eight.rows.push(form.rows);
                eight.facts.push(form.facts);
            }
            eight.shapes.push(pair);
            eight.places.push(random.place(round + lane));
            eight.radius[lane] = random.between(0.05, 0.9);
        }
        eight
    }

    /// All four kinds of answers, by `width`.
    fn answer<W: crate::simd::Width>(&self, w: W) -> [Touch<W::L>; 2] {
        let column = |number: fn(&Transform) -> f32| {
            let mut column = [0.0; LANES];
            column.iter_mut().zip(&self.places).for_each(|(out, place)| *out = number(place));
            w.read(&column)
        };
        let at = [column(|place| place.position.x), column(|place| place.position.y)];
        let turn = [column(|place| place.rotation.cos), column(|place| place.rotation.sin)];
        let forms = Forms { rows: self.rows.as_flattened(), facts: &self.facts };
        let (zero, one) = (w.splat(0.0), w.splat(1.0));
        let read = |second: u32| {
            let mut at = [0; LANES];
            (0..LANES).for_each(|k| at[k] = 2 * k as u32 + second);
            Cores::read(w, &forms, &at, [one, one])
        };
        let never = crate::simd::Lane::lt(one, zero);
        let noise = w.splat(SEPARATION_NOISE * 4.0);
        let terms = Terms { margin: w.splat(MARGIN), noise, stands: [never, never] };
        let (a, b) = (read(0), read(1));
        let radius = w.read(&self.radius);
        [collide(w, &a, &b, (turn, at), &terms), collide_circles(w, &a, (at, radius), &terms, true)]
    }
}

/// Everything that a lane found.
fn numbers(touch: &Touch<f32>) -> [f32; 12] {
    let [p, q] = &touch.points;
    let [n, [a, b]] = [touch.normal, touch.ids];
    let doubtful = f32::from(u8::from(touch.doubtful));
    let [p, q] = [p, q].map(|point| [point.point[0], point.point[1], point.separation]);
    [n[0], n[1], p[0], p[1], p[2], q[0], q[1], q[2], a, b, touch.count, doubtful]
}

fn lanes_of<V: Vector>(touch: &Touch<V>) -> [[f32; LANES]; 12] {
    let [p, q] = &touch.points;
    let doubtful = bits(touch.doubtful);
    let mut masks = [0.0; LANES];
    (0..LANES).for_each(|k| masks[k] = (doubtful >> k & 1) as f32);
    let one = scatter;
    let (n, ids) = (touch.normal, touch.ids);
    let first = [one(n[0]), one(n[1]), one(p.point[0]), one(p.point[1]), one(p.separation), one(q.point[0])];
    let [a, b, c, d, e, f] = first;
    [a, b, c, d, e, f, one(q.point[1]), one(q.separation), one(ids[0]), one(ids[1]), one(touch.count), masks]
}

fn all_lanes(level: Level, eight: &Eight) -> [[[f32; LANES]; 12]; 2] {
    dispatch_wide!(level, simd => {
        let [cores, circles] = eight.answer(AllLanes(simd));
        [lanes_of(&cores), lanes_of(&circles)]
    })
}

#[test]
fn cores_in_lanes_equal_one_lane_at_every_level() {
    let mut random = Random(11);
    for round in 0..if cfg!(debug_assertions) { 200 } else { 20_000 } {
        let eight = Eight::new(&mut random, round);
        for level in Level::all() {
            let found = all_lanes(level, &eight);
            for lane in 0..LANES {
                for (k, touch) in eight.answer(OneLane(lane)).iter().enumerate() {
                    let one = numbers(touch).map(f32::to_bits);
                    let many = found[k].map(|number| number[lane].to_bits());
                    // The sign of a zero that is not read may differ where a point is not kept.
                    assert_eq!(one, many, "{level:?} {:?} {:?}", eight.shapes[lane], eight.places[lane]);
                }
            }
        }
    }
}

/// The separation along `n` of two cores, in f64, radii included.
fn along(a: &Shape, b: &Shape, place: Transform, n: [f32; 2]) -> f64 {
    let forms = [a, b].map(|shape| Form::new(shape.piece(0), Vec2::ZERO).expect("it has corners"));
    let corners = |form: &Form, k: usize| {
        let row = form.rows[k / 4 * 2];
        [f64::from(row[k % 4]), f64::from(row[4 + k % 4])]
    };
    let n = n.map(f64::from);
    let (c, s) = (f64::from(place.rotation.cos), f64::from(place.rotation.sin));
    let (x, y) = (f64::from(place.position.x), f64::from(place.position.y));
    let (mut most, mut least) = (f64::NEG_INFINITY, f64::INFINITY);
    for k in 0..8 {
        let ([px, py], [qx, qy]) = (corners(&forms[0], k), corners(&forms[1], k));
        most = most.max(px * n[0] + py * n[1]);
        least = least.min((c * qx - s * qy + x) * n[0] + (s * qx + c * qy + y) * n[1]);
    }
    least - most - f64::from(forms[0].facts[0]) - f64::from(forms[1].facts[0])
}

/// The same verdict outside of rounding, the same depth, and a normal along which the two are as
/// deep.
fn check(what: &str, (a, b): (&Shape, &Shape), place: Transform, found: &Touch<f32>, expected: Manifold) {
    let context = || format!("{what}: {a:?} {b:?} {place:?}\n{:?}\n{expected:?}", numbers(found));
    let separation = match found.count as u32 {
        0 => f32::INFINITY,
        1 => found.points[0].separation,
        _ => crate::math::min(found.points[0].separation, found.points[1].separation),
    };
    if found.count == 0.0 || expected.is_empty() {
        let known = if found.count == 0.0 { expected.separation() } else { separation };
        assert!(known == f32::INFINITY || (known - MARGIN).abs() < 1.0e-5, "{}", context());
        return;
    }
    assert!((separation - expected.separation()).abs() < 1.0e-5, "{}", context());
    let truth = along(a, b, place, found.normal);
    assert!((truth - f64::from(separation)).abs() < 1.0e-5, "{truth} {}", context());
}

#[test]
fn cores_in_lanes_agree_with_pairs_one_by_one() {
    let mut random = Random(12);
    let rounds = if cfg!(debug_assertions) { 2_000 } else { 150_000 };
    let (mut doubtful, mut touching) = ([0, 0], [0, 0]);
    for round in 0..rounds {
        let eight = Eight::new(&mut random, round);
        for lane in 0..LANES {
            let [cores, circles] = eight.answer(OneLane(lane));
            let ([a, b], place) = (&eight.shapes[lane], eight.places[lane]);
            let disc = Shape::circle(eight.radius[lane]);
            for (k, (found, b)) in [(cores, b), (circles, &disc)].into_iter().enumerate() {
                let expected =
                    collide_pieces(a.piece(0), b.piece(0), place, MARGIN).unwrap_or(Manifold::NONE);
                touching[k] += usize::from(!expected.is_empty());
                if found.doubtful {
                    doubtful[k] += 1;
                } else if k == 0 {
                    check("cores", (a, b), place, &found, expected);
                } else {
                    check_circle((a, &disc), place, &found, &expected);
                }
            }
        }
    }
    eprintln!("{touching:?} of {} touch, {doubtful:?} are doubtful", 8 * rounds);
    assert!(200 * doubtful[0] < touching[0] && 200 * doubtful[1] < touching[1], "{doubtful:?} {touching:?}");
}

/// The same with the circle's own form, a point.
fn check_circle((a, b): (&Shape, &Shape), place: Transform, found: &Touch<f32>, expected: &Manifold) {
    let context = || format!("circle: {a:?} {b:?} {place:?}\n{:?}\n{expected:?}", numbers(found));
    let separation = if found.count > 0.0 { found.points[0].separation } else { f32::INFINITY };
    if found.count == 0.0 || expected.is_empty() {
        let known = if found.count == 0.0 { expected.separation() } else { separation };
        assert!(known == f32::INFINITY || (known - MARGIN).abs() < 1.0e-5, "{}", context());
        return;
    }
    assert!((separation - expected.separation()).abs() < 1.0e-5, "{}", context());
    let point = &expected.points()[0];
    let same_normal = expected.normal.dot(Vec2::from(found.normal)) > 0.999;
    let same_point = point.point.distance(Vec2::from(found.points[0].point)) < 1.0e-3;
    // On the line of two edges at once, either is right.
    let truth = along(a, b, place, found.normal);
    let as_deep = (truth - f64::from(separation)).abs() < 1.0e-5;
    assert!((same_normal && same_point) || as_deep, "{truth} {}", context());
}
