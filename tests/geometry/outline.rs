//! Concave outlines, with and without holes, and masks of pixels: the parts cover the outline, no
//! more and no less, there are few of them, and bad outlines are refused.

mod least;

use std::time::{Duration, Instant};

use carom::math::sin_cos;
use carom::{Shape, ShapeError, Transform, Vec2, contains, vec2};

use least::{least_parts, turn};
use testkit::random::Random;
use testkit::{long_rounds, rounds};

/// Random points joined to a simple polygon: of two edges that cross, the way between them is
/// turned round until none do. Counter-clockwise.
fn scrambled(random: &mut Random, count: usize) -> Vec<Vec2> {
    let mut coordinate = || random.range(-10.0_f32, 10.0);
    let mut points: Vec<Vec2> = (0..count).map(|_| vec2(coordinate(), coordinate())).collect();
    let crosses = |points: &[Vec2], i: usize, j: usize| {
        let [a, b] = [i, i + 1].map(|k| points[k % count].as_dvec2());
        let [c, d] = [j, j + 1].map(|k| points[k % count].as_dvec2());
        turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0
    };
    let mut is_simple = false;
    while !is_simple {
        is_simple = true;
        for i in 0..count {
            for j in i + 2..count {
                if crosses(&points, i, j) {
                    points[i + 1..=j].reverse();
                    is_simple = false;
                }
            }
        }
    }
    if area(&points) < 0.0 {
        points.reverse();
    }
    points
}

/// A thousand outlines of a hundred corners: scrambled ones, stars and combs.
fn outlines(count: usize) -> Vec<Vec<Vec2>> {
    let mut random = Random::new(321);
    (0..count)
        .map(|round| match round % 4 {
            0 | 1 => scrambled(&mut random, 100),
            2 => star(&mut random, 100),
            _ => comb(&mut random, 100),
        })
        .collect()
}

/// A jagged strip.
fn comb(random: &mut Random, count: usize) -> Vec<Vec2> {
    let half = count / 2;
    let mut side = |k: usize, low: f32| vec2(k as f32 * 0.4, low + random.range(0.0_f32, 0.9));
    let lower: Vec<Vec2> = (0..half).map(|k| side(k, 0.0)).collect();
    let upper: Vec<Vec2> = (0..half).map(|k| side(k, 1.0)).collect();
    lower.into_iter().chain(upper.into_iter().rev()).collect()
}

fn part_count(shape: &Shape) -> usize {
    if let Shape::Compound(compound) = shape { compound.parts().len() } else { 1 }
}

/// 1,000 outlines of 100 corners: area to 1e-5, never twice the least number of parts and 1.1 times
/// on average; it prints the time of each in a release build.
#[test]
fn parts_are_few_and_exact_and_quick() {
    let outlines = outlines(long_rounds(40, 100, 1_000));
    let (mut worst, mut sum, mut worst_area, mut worst_bound) = (0.0_f64, 0.0, 0.0_f64, 0.0_f64);
    let mut exact = 0;
    for points in &outlines {
        let shape = Shape::outline(points).checked().expect("simple");
        let parts = part_count(&shape) as f64;
        let expected = area(points);
        let off = (f64::from(shape.mass(1.0).mass) / expected - 1.0).abs();
        worst_area = worst_area.max(off);
        exact += usize::from(off <= 2.0e-7);
        let least = least_parts(points) as f64;
        let corner = |k: usize| points[k % points.len()].as_dvec2();
        let reflex =
            (0..points.len()).filter(|&k| turn(corner(k), corner(k + 1), corner(k + 2)) < 0.0).count();
        assert!(2 * least as usize >= reflex.div_ceil(2), "the reference cuts every reflex corner");
        worst_bound = worst_bound.max(parts / (reflex.div_ceil(2) + 1) as f64);
        (worst, sum) = (worst.max(parts / least), sum + parts / least);
    }
    let mean = sum / outlines.len() as f64;
    println!(
        "parts, times the least: mean {mean:.3}, most {worst:.3}; times the lower bound {worst_bound:.3}"
    );
    println!("area off by {worst_area:.1e} of itself at most, to rounding in {exact} of {}", outlines.len());
    assert!(worst <= 2.0 && mean < 1.15 && worst_area <= 1.0e-5);
    if cfg!(not(debug_assertions)) {
        let times: Vec<Duration> = outlines
            .iter()
            .map(|points| {
                let start = Instant::now();
                let shape = Shape::outline(points);
                let time = start.elapsed();
                assert!(shape.checked().is_ok());
                time
            })
            .collect();
        let mut sorted = times;
        sorted.sort_unstable();
        println!("median {:?}, most {:?}", sorted[sorted.len() / 2], sorted[sorted.len() - 1]);
    }
}

/// A star-shaped outline with random radii: concave nearly everywhere.
fn star(random: &mut Random, count: usize) -> Vec<Vec2> {
    (0..count)
        .map(|k| {
            let (sin, cos) = sin_cos(k as f32 * std::f32::consts::TAU / count as f32);
            vec2(cos, sin) * (0.3 + 2.0 * random.range(0.0_f32, 1.0))
        })
        .collect()
}

fn area(points: &[Vec2]) -> f64 {
    let wide = |p: Vec2| (f64::from(p.x), f64::from(p.y));
    let cross = |i: usize| {
        let ((px, py), (qx, qy)) = (wide(points[i]), wide(points[(i + 1) % points.len()]));
        px * qy - py * qx
    };
    (0..points.len()).map(cross).sum::<f64>() * 0.5
}

/// Even-odd rule, in f64.
fn inside(points: &[Vec2], p: Vec2) -> bool {
    let mut inside = false;
    for i in 0..points.len() {
        let (a, b) = (points[i].as_dvec2(), points[(i + 1) % points.len()].as_dvec2());
        let p = p.as_dvec2();
        if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
            inside = !inside;
        }
    }
    inside
}

#[test]
fn parts_cover_the_outline_and_nothing_else() {
    let mut random = Random::new(11);
    for round in 0..200 {
        let points = star(&mut random, 3 + round % 60);
        let shape = Shape::outline(&points).checked().expect("a star is simple");
        let expected = area(&points) as f32;
        let got = shape.mass(1.0).mass;
        assert!((got - expected).abs() < 1e-3 * expected, "{} corners: {got} for {expected}", points.len());
        for _ in 0..100 {
            let p = vec2(5.0 * random.range(0.0_f32, 1.0) - 2.5, 5.0 * random.range(0.0_f32, 1.0) - 2.5);
            let border = carom::closest_point(&shape, Transform::IDENTITY, p).distance.abs() < 1e-3;
            assert!(border || contains(&shape, Transform::IDENTITY, p) == inside(&points, p), "{p}");
        }
    }
}

#[test]
fn either_winding_gives_the_same_area() {
    let mut random = Random::new(5);
    let mut points = star(&mut random, 40);
    let forth = Shape::outline(&points).mass(1.0).mass;
    points.reverse();
    let back = Shape::outline(&points).mass(1.0).mass;
    assert!((forth - back).abs() < 1e-4);
}

#[test]
fn every_part_has_at_most_eight_corners() {
    // A regular 100-gon is convex, but far too large for one polygon.
    let corner = |k: usize| {
        let (sin, cos) = sin_cos(k as f32 * std::f32::consts::TAU / 100.0);
        vec2(cos, sin)
    };
    let points: Vec<Vec2> = (0..100).map(corner).collect();
    let Shape::Compound(compound) = Shape::outline(&points) else { panic!("a compound") };
    assert!(compound.parts().len() >= 100 / 6 && compound.parts().len() < 40, "{}", compound.parts().len());
    let area = Shape::Compound(compound).mass(1.0).mass;
    assert!((area - 3.1395).abs() < 1e-3, "{area}");
}

#[test]
fn a_small_convex_outline_is_a_polygon() {
    let square = [vec2(0.0, 0.0), vec2(0.5, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0)];
    let Shape::Polygon(polygon) = Shape::outline(&square) else { panic!("a polygon") };
    assert_eq!(polygon.vertices().len(), 4, "the corner on a straight edge is dropped");
}

#[test]
fn bad_outlines_name_their_rule() {
    let eight = [vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(0.0, 1.0)];
    assert_eq!(Shape::outline(&eight), Shape::Invalid(ShapeError::SelfCrossing));
    let touching = [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 2.0), vec2(1.0, 0.0), vec2(0.0, 2.0)];
    assert_eq!(Shape::outline(&touching), Shape::Invalid(ShapeError::SelfCrossing));
    let line = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(2.0, 0.0), vec2(3.0, 0.0)];
    assert_eq!(Shape::outline(&line), Shape::Invalid(ShapeError::Degenerate));
    assert_eq!(Shape::outline::<Vec2>(&[]), Shape::Invalid(ShapeError::Degenerate));
    let infinite = [vec2(0.0, 0.0), vec2(f32::NAN, 0.0), vec2(1.0, 1.0)];
    assert_eq!(Shape::outline(&infinite), Shape::Invalid(ShapeError::OutOfRange));
}

#[test]
fn random_scribbles_never_panic() {
    let mut random = Random::new(77);
    for round in 0..3_000 {
        let count = 3 + round % 12;
        let coarse = |x: f32| if round % 2 == 0 { (x * 4.0).floor() } else { x };
        let points: Vec<Vec2> = (0..count)
            .map(|_| vec2(coarse(random.range(0.0_f32, 1.0)), coarse(random.range(0.0_f32, 1.0))))
            .collect();
        let mass = Shape::outline(&points).mass(1.0);
        assert!(mass.mass >= 0.0 && mass.inertia >= 0.0 && mass.center.is_finite());
    }
}

/// Places inside the frame and outside of its window, and the exact area, whichever way round each
/// is given.
#[test]
fn holes_are_left_out() {
    let mut random = Random::new(8);
    for round in 0..rounds(40, 400) {
        // A star with stars in it, each within its own cell of a grid.
        let mut frame: Vec<Vec2> =
            star(&mut random, 40).iter().map(|&p| p * 10.0 + p.normalize() * 40.0).collect();
        let cells = [[-1, -1], [0, -1], [1, 0], [-1, 1], [0, 1]];
        let mut holes: Vec<Vec<Vec2>> = cells
            .iter()
            .map(|&[x, y]| {
                let count = 3 + random.below(12);
                let middle = vec2(x as f32, y as f32) * 10.0;
                star(&mut random, count).iter().map(|&p| p * 1.5 + middle).collect()
            })
            .collect();
        let expected = area(&frame) - holes.iter().map(|hole| area(hole)).sum::<f64>();
        if round % 2 == 0 {
            frame.reverse();
            holes[1].reverse();
        }
        let shape = Shape::outline_with_holes(&frame, &holes).checked().expect("holes are inside");
        let got = f64::from(shape.mass(1.0).mass);
        assert!((got / expected - 1.0).abs() < 1.0e-5, "{got} for {expected}");
        for _ in 0..50 {
            let p = vec2(random.range(-60.0_f32, 60.0), random.range(-60.0_f32, 60.0));
            let border = carom::closest_point(&shape, Transform::IDENTITY, p).distance.abs() < 1e-3;
            let wanted = inside(&frame, p) && !holes.iter().any(|hole| inside(hole, p));
            assert!(border || contains(&shape, Transform::IDENTITY, p) == wanted, "{p}");
        }
    }
}

#[test]
fn holes_that_do_not_fit_are_refused() {
    let frame = [vec2(0.0, 0.0), vec2(9.0, 0.0), vec2(9.0, 9.0), vec2(0.0, 9.0)];
    let square = |x: f32, y: f32, side: f32| {
        [vec2(x, y), vec2(x + side, y), vec2(x + side, y + side), vec2(x, y + side)]
    };
    let refused = |holes: &[[Vec2; 4]]| {
        Shape::outline_with_holes(&frame, holes).checked().expect_err("it does not fit")
    };
    assert_eq!(refused(&[square(2.0, 2.0, 2.0), square(12.0, 2.0, 2.0)]), ShapeError::BadHole(1));
    assert_eq!(refused(&[square(2.0, 2.0, 4.0), square(3.0, 3.0, 1.0)]), ShapeError::BadHole(1));
    assert_eq!(refused(&[square(-1.0, -1.0, 20.0)]), ShapeError::BadHole(0));
    assert_eq!(refused(&[square(8.0, 8.0, 2.0)]), ShapeError::SelfCrossing);
    assert_eq!(refused(&[square(0.0, 2.0, 2.0)]), ShapeError::SelfCrossing);
    assert_eq!(refused(&[square(1.0, 1.0, 2.0), square(3.0, 3.0, 2.0)]), ShapeError::SelfCrossing);
    assert_eq!(refused(&[[vec2(1.0, 1.0); 4]]), ShapeError::Degenerate);
}

/// A regular polygon of 10,000 corners: area to 1e-5, though most corners are straight to the
/// precision of their coordinates.
#[test]
fn fine_circles_keep_their_area() {
    let corner = |k: usize| {
        let (sin, cos) = sin_cos(k as f32 * std::f32::consts::TAU / 10_000.0);
        vec2(cos, sin) * 3.0
    };
    let points: Vec<Vec2> = (0..10_000).map(corner).collect();
    let shape = Shape::outline(&points).checked().expect("simple");
    assert!((f64::from(shape.mass(1.0).mass) / area(&points) - 1.0).abs() < 1.0e-5 * 3.0);
}

/// Blobs of random pixels: with tolerance 0 the exact area of the pixels but for corners cut off
/// where two touch in one; with 1.5 pixels fewer parts, and no point of the border farther off.
#[test]
fn masks_become_their_outlines() {
    let mut random = Random::new(71);
    for round in 0..rounds(20, 300) {
        let (width, height) = (5 + round % 40, 5 + round % 23);
        let noise: Vec<f32> = (0..width * height).map(|_| random.range(0.0_f32, 1.0)).collect();
        let blurred = |x: usize, y: usize| {
            let near = |k: usize, most: usize| k.saturating_sub(1)..(k + 2).min(most);
            let all = near(y, height).flat_map(|y| near(x, width).map(move |x| (x, y)));
            all.map(|(x, y)| noise[y * width + x] - 0.45).sum::<f32>() > 0.0
        };
        let solid: Vec<bool> = (0..width * height).map(|k| blurred(k % width, k / width)).collect();
        let pixels = solid.iter().filter(|solid| **solid).count();
        if pixels == 0 {
            continue;
        }
        let side = 0.25;
        let exact = Shape::from_mask(side, width as u32, &solid, 0.0).checked().expect("there are pixels");
        let (got, expected) = (exact.mass(1.0).mass, pixels as f32 * side * side);
        assert!(got <= expected * 1.000_1 && got >= 0.97 * expected, "{got} for {expected}");
        let at = |k: usize| {
            // Off the middle, where parts may meet.
            vec2((k % width) as f32 + 0.43, (height - 1 - k / width) as f32 + 0.61) * side
        };
        for (k, solid) in solid.iter().enumerate() {
            assert_eq!(contains(&exact, Transform::IDENTITY, at(k)), *solid, "pixel {k} of round {round}");
        }
        let Ok(smooth) = Shape::from_mask(side, width as u32, &solid, 1.5 * side).checked() else { continue };
        assert!(part_count(&smooth) <= part_count(&exact));
        for (k, solid) in solid.iter().enumerate() {
            // Pixels whose surroundings are all alike, as far as the border may stray, stay so.
            let (x, y) = (k % width, k / width);
            let near = |k: usize, most: usize| k.saturating_sub(3)..(k + 4).min(most);
            let is_deep = x > 3
                && y > 3
                && x + 4 < width
                && y + 4 < height
                && near(y, height).all(|y| near(x, width).all(|x| blurred(x, y) == *solid));
            if is_deep {
                assert_eq!(contains(&smooth, Transform::IDENTITY, at(k)), *solid);
            }
        }
    }
}

#[test]
fn masks_of_a_wrong_size_are_refused() {
    let refused = |side, width, solid: &[bool], tolerance| {
        Shape::from_mask(side, width, solid, tolerance).checked().expect_err("it is wrong")
    };
    assert_eq!(refused(1.0, 2, &[true; 3], 0.0), ShapeError::Empty);
    assert_eq!(refused(1.0, 0, &[true; 3], 0.0), ShapeError::Empty);
    assert_eq!(refused(1.0, 2, &[], 0.0), ShapeError::Empty);
    assert_eq!(refused(1.0, 2, &[false; 4], 0.0), ShapeError::Empty);
    assert_eq!(refused(0.0, 2, &[true; 4], 0.0), ShapeError::NotPositive);
    assert_eq!(refused(f32::NAN, 2, &[true; 4], 0.0), ShapeError::OutOfRange);
    assert_eq!(refused(1.0, 2, &[true; 4], -1.0), ShapeError::NotPositive);
    assert_eq!(refused(1.0, 2, &[true; 4], f32::NAN), ShapeError::OutOfRange);
    assert_eq!(refused(1.0, 1 << 17, &vec![true; 1 << 17], 0.0), ShapeError::TooManyParts);
}
