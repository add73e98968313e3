//! Compounds, chains and polar outlines against the brute force over all pairs of their parts.
//!
//! ```text
//!   compound: 2 to 5 convex shapes     chain: 2 to 8 segments     polar: a star of 3 to 12 corners
//! ```
//!
//! The separation of two shapes with parts is the least over all pairs of parts, so that of an
//! overlap depends on how a polar outline is cut; whether there is one does not, and that is tested
//! on the outline.

use carom::{Shape, Transform, Vec2, contact, contains, distance, overlaps};
use core::f64::consts::TAU;
use glam::DVec2;

use testkit::convex::Kind;
use testkit::oracle::{Convex, Pose, least_separation, point_distance, separation, wide};
use testkit::pair_rules::{Fault, Scene, TOLERANCE, Tally, at_most, holds};
use testkit::random::Random;
use testkit::{long_rounds, rounds};

#[derive(Clone, Copy, Debug)]
enum Whole {
    Convex,
    Compound,
    Chain,
    Polar,
}

impl Whole {
    fn sample(self, random: &mut Random) -> Shape {
        let size = random.log_range(0.1, 10.0);
        loop {
            let shape = match self {
                Whole::Convex => Kind::ALL[random.below(8)].sample(random).0,
                Whole::Compound => compound(random, size),
                Whole::Chain => chain(random, size),
                Whole::Polar => Shape::polar(&star(random, size)),
            };
            if let Ok(shape) = shape.checked() {
                return shape;
            }
        }
    }
}

fn compound(random: &mut Random, size: f64) -> Shape {
    let count = 2 + random.below(4);
    let part = |random: &mut Random| {
        let (shape, convex) = Kind::ALL[random.below(8)].sample(random);
        // Near the others, not a hundred times their size away.
        let reach = if convex.extent() < size { 0.5 * size } else { 0.5 * convex.extent() };
        shape.transformed(random.transform(reach))
    };
    Shape::compound((0..count).map(|_| part(random)).collect::<Vec<_>>())
}

fn chain(random: &mut Random, size: f64) -> Shape {
    let count = 3 + random.below(6);
    let points: Vec<Vec2> = match random.below(2) {
        // Anywhere, crossing itself freely; or a hilly ground.
        0 => (0..count).map(|_| random.vec2(0.5 * size)).collect(),
        _ => {
            let step = size / count as f64;
            (0..count)
                .map(|i| Vec2::new((step * i as f64) as f32, (0.3 * size * random.unit()) as f32))
                .collect()
        }
    };
    if random.below(2) == 0 { Shape::chain(&points) } else { Shape::closed_chain(&points) }
}

/// Corners at rising angles around the origin, less than half a turn from one to the next.
fn star(random: &mut Random, size: f64) -> Vec<Vec2> {
    let count = 3 + random.below(10);
    let first = random.range(0.0, TAU);
    let slice = TAU / count as f64;
    let corner = |i: usize| {
        let (sin, cos) = (first + slice * (i as f64 + 0.45 * random.unit())).sin_cos();
        (DVec2::new(cos, sin) * (size * random.range(0.2, 0.5))).as_vec2()
    };
    (0..count).map(corner).collect()
}

/// Anywhere within reach, or moved to nearly touch: see `random::poses`.
fn poses(random: &mut Random, a: &[Convex], b: &[Convex], size: f64) -> [Transform; 2] {
    let at_a = random.transform(size);
    let mut at_b = random.transform(size);
    at_b.position = at_a.position + (random.direction() * (size * random.unit())).as_vec2();
    if random.below(2) == 0 {
        let gap = random.sign() * size * random.log_range(1.0e-7, 0.1);
        let apart = least_separation(&placed(a, at_a), &placed(b, at_b));
        at_b.position += (apart.normal * (gap - apart.value)).as_vec2();
    }
    [at_a, at_b]
}

fn placed(parts: &[Convex], at: Transform) -> Vec<Convex> {
    parts.iter().map(|part| part.placed(at)).collect()
}

/// Twice the farthest that any part reaches from the origin of its shape: parts lie off its middle.
fn size_of(parts: &[Convex]) -> f64 {
    2.0 * parts.iter().fold(0.0, |most: f64, part| most.max(part.reach()))
}

fn check(scene: &Scene, a: &[Convex], b: &[Convex], size: f64) -> Result<f64, Fault> {
    let Scene { a: shape_a, at_a, b: shape_b, at_b } = *scene;
    let truth = least_separation(a, b).value;
    let relative = truth / size;

    let found = distance(shape_a, at_a, shape_b, at_b);
    let (normal, apart) = (wide(found.normal), f64::from(found.separation));
    let error = (apart - truth).abs() / size;
    at_most("distance: separation", error, TOLERANCE)?;
    at_most("distance: unit normal", (normal.length() - 1.0).abs(), 1.0e-6)?;
    let border = |parts: &[Convex], point: DVec2| {
        parts.iter().fold(f64::INFINITY, |least, part| least.min(point_distance(part, point).abs()))
    };
    let (point_a, point_b) = (wide(found.point_a), wide(found.point_b));
    at_most("distance: point_a on a border", border(a, point_a) / size, TOLERANCE)?;
    at_most("distance: point_b on a border", border(b, point_b) / size, TOLERANCE)?;
    let way = point_b - point_a;
    at_most("distance: from point_a to point_b", (way.length() - apart.abs()).abs() / size, TOLERANCE)?;
    at_most("distance: the way along the normal", (way.dot(normal) - apart).abs() / size, 10.0 * TOLERANCE)?;

    let touches = overlaps(shape_a, at_a, shape_b, at_b);
    holds("overlaps: a hit is lost", touches || relative > -TOLERANCE)?;
    holds("overlaps: a false hit", !touches || relative < TOLERANCE)?;

    // Along a chain the normal is the one of its surface, so the separation is measured along that.
    let is_chain = |shape: &Shape| matches!(shape, Shape::Chain(_));
    let smooth = is_chain(shape_a) || is_chain(shape_b);
    match contact(shape_a, at_a, shape_b, at_b) {
        None => holds("contact: missing although they overlap", relative > -TOLERANCE)?,
        Some(manifold) => {
            holds("contact: found although they are apart", relative < TOLERANCE)?;
            at_most("contact: unit normal", (wide(manifold.normal).length() - 1.0).abs(), 1.0e-6)?;
            holds("contact: one or two points", matches!(manifold.points().len(), 1 | 2))?;
            let apart = f64::from(manifold.separation());
            let named = (a.get(manifold.part_a as usize), b.get(manifold.part_b as usize));
            let (Some(part_a), Some(part_b)) = named else {
                return holds("contact: parts that do not exist", false).map(|()| 0.0);
            };
            if !smooth {
                at_most("contact: separation", (apart - truth).abs() / size, TOLERANCE)?;
                let of_parts = separation(part_a, part_b).value;
                at_most(
                    "contact: the named parts are the deepest",
                    (of_parts - truth).abs() / size,
                    TOLERANCE,
                )?;
            }
            for point in manifold.points() {
                let (middle, half) =
                    (wide(point.point), wide(manifold.normal) * (0.5 * f64::from(point.separation)));
                at_most(
                    "contact: a point off part_a",
                    point_distance(part_a, middle - half) / size,
                    TOLERANCE,
                )?;
                at_most(
                    "contact: a point off part_b",
                    point_distance(part_b, middle + half) / size,
                    TOLERANCE,
                )?;
            }
        }
    }

    if !(shape_a == shape_b && at_a == at_b) {
        let back = distance(shape_b, at_b, shape_a, at_a);
        holds("swapped: distance", back.separation.to_bits() == found.separation.to_bits())?;
        holds("swapped: normal", back.normal == -found.normal)?;
        holds("swapped: points", (back.point_a, back.point_b) == (found.point_b, found.point_a))?;
        holds("swapped: overlaps", overlaps(shape_b, at_b, shape_a, at_a) == touches)?;
        let (there, back) = (contact(shape_a, at_a, shape_b, at_b), contact(shape_b, at_b, shape_a, at_a));
        let points =
            |m: &carom::Manifold| m.points().iter().map(|p| (p.point, p.separation)).collect::<Vec<_>>();
        let is_same = match (&there, &back) {
            (Some(there), Some(back)) => {
                there.normal == -back.normal
                    && points(there) == points(back).into_iter().rev().collect::<Vec<_>>()
            }
            (there, back) => there.is_none() && back.is_none(),
        };
        holds("swapped: contact", is_same)?;
    }
    Ok(error)
}

fn run(kinds: [Whole; 2], seed: u64) -> String {
    let what = format!("{:?} and {:?}", kinds[0], kinds[1]);
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    while tally.pairs < long_rounds(1_000, 30_000, 200_000) {
        let [a, b] = kinds.map(|kind| kind.sample(&mut random));
        let (parts_a, parts_b) = (Convex::parts_of(&a), Convex::parts_of(&b));
        let size = size_of(&parts_a).max(size_of(&parts_b));
        for _ in 0..8 {
            let [at_a, at_b] = poses(&mut random, &parts_a, &parts_b, size);
            let scene = Scene { a: &a, at_a, b: &b, at_b };
            let (parts_a, parts_b) = (placed(&parts_a, at_a), placed(&parts_b, at_b));
            let truth = least_separation(&parts_a, &parts_b).value;
            tally.add(&scene, truth, check(&scene, &parts_a, &parts_b, size));
        }
    }
    eprintln!("{}", tally.line(&what));
    tally.report(&what)
}

#[test]
fn compounds_agree_with_their_parts() {
    let report = run([Whole::Convex, Whole::Compound], 501) + &run([Whole::Compound, Whole::Compound], 502);
    assert!(report.is_empty(), "{report}");
}

#[test]
fn chains_agree_with_their_segments() {
    let report = run([Whole::Convex, Whole::Chain], 511)
        + &run([Whole::Compound, Whole::Chain], 512)
        + &run([Whole::Chain, Whole::Chain], 513);
    assert!(report.is_empty(), "{report}");
}

#[test]
fn polar_outlines_agree_with_their_parts() {
    let report = run([Whole::Convex, Whole::Polar], 521)
        + &run([Whole::Polar, Whole::Polar], 522)
        + &run([Whole::Compound, Whole::Polar], 523)
        + &run([Whole::Chain, Whole::Polar], 524);
    assert!(report.is_empty(), "{report}");
}

/// The outline as the triangles (centre, corner, next corner), which do not depend on how carom
/// cuts it.
fn fan(corners: &[Vec2]) -> Vec<Convex> {
    let corner = |i: usize| wide(corners[i % corners.len()]);
    (0..corners.len()).map(|i| Convex::new(&[DVec2::ZERO, corner(i), corner(i + 1)], 0.0)).collect()
}

#[test]
fn polar_outlines_cover_what_they_outline() {
    let mut random = Random::new(531);
    for _ in 0..rounds(200, 20_000) {
        let size = random.log_range(0.1, 10.0);
        let corners = star(&mut random, size);
        let Ok(shape) = Shape::polar(&corners).checked() else { continue };
        let triangles = fan(&corners);
        let at = random.transform(size);
        for _ in 0..20 {
            let local = wide(random.vec2(0.6 * size));
            let inside = triangles.iter().fold(f64::INFINITY, |least, t| least.min(point_distance(t, local)));
            let point = Pose::from(at).apply(local).as_vec2();
            let found = contains(&shape, at, point);
            assert!(found == (inside <= 0.0) || inside.abs() < TOLERANCE * size, "{shape:?} {at:?} {point}");
        }
    }
}

#[test]
fn polar_outlines_are_as_far_apart_as_their_fans() {
    let mut random = Random::new(541);
    for _ in 0..rounds(500, 20_000) {
        let size = random.log_range(0.1, 10.0);
        let corners = [star(&mut random, size), star(&mut random, size)];
        let [Ok(a), Ok(b)] = [0, 1].map(|i| Shape::polar(&corners[i]).checked()) else { continue };
        let fans = [0, 1].map(|i| fan(&corners[i]));
        let [at_a, at_b] = poses(&mut random, &fans[0], &fans[1], size);
        let truth = least_separation(&placed(&fans[0], at_a), &placed(&fans[1], at_b)).value;
        let found = distance(&a, at_a, &b, at_b);
        let error = f64::from(found.distance()) - truth.max(0.0);
        assert!(error.abs() <= TOLERANCE * size, "{a:?} {at_a:?} {b:?} {at_b:?} {found:?}, oracle {truth}");
    }
}

#[test]
fn a_compound_touches_where_a_part_does() {
    // An L of two boxes around the free corner at (1, 1)..(3, 3); a disc of radius 1/2 in that
    // corner.
    let corner =
        Shape::compound([Shape::rect(4.0, 1.0).at([1.5, 0.0]), Shape::rect(1.0, 4.0).at([0.0, 1.5])]);
    let disc = Shape::circle(0.5);
    let at = |x: f32, y: f32| Transform::at([x, y]);
    assert!(!overlaps(&corner, Transform::IDENTITY, &disc, at(1.5, 1.5)));
    assert!(overlaps(&corner, Transform::IDENTITY, &disc, at(1.5, 1.0)), "touches the lower box");
    assert!(overlaps(&corner, Transform::IDENTITY, &disc, at(1.0, 1.5)), "touches the left box");
    let manifold = contact(&corner, Transform::IDENTITY, &disc, at(0.75, 2.0)).expect("in the left box");
    assert_eq!((manifold.part_a, manifold.part_b), (1, 0));
    assert_eq!((manifold.normal, manifold.separation()), (Vec2::X, -0.25));
}
