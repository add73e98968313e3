//! The walls of a fixed level as a BSP.
//!
//! Two oracles share nothing with it: for tiles, slabs of every solid cell in whole numbers, exact
//! on every line and corner; for slanted rocks, every segment in `f64`, with what grazes a corner
//! or starts at a wall counted and left out.

use carom::{Bsp, BspError, Ray, Vec2, vec2};
use glam::DVec2;

use testkit::random::Random;
use testkit::{long_rounds, rounds};

/// A square of tiles; true is solid.
struct Tiles {
    side: i64,
    solid: Vec<bool>,
}

impl Tiles {
    fn random(random: &mut Random, side: i64, share: f64) -> Tiles {
        Tiles { side, solid: (0..side * side).map(|_| random.unit() < share).collect() }
    }

    fn cells(&self) -> impl Iterator<Item = (i64, i64)> {
        let solid = (0..self.side * self.side).filter(|&k| self.solid[k as usize]);
        solid.map(|k| (k % self.side, k / self.side))
    }

    /// Each solid tile as four walls: those between two of them cancel out.
    fn outlines(&self) -> Vec<[Vec2; 4]> {
        let square = |(x, y): (i64, i64)| {
            let (x, y) = (x as f32, y as f32);
            [vec2(x, y), vec2(x + 1.0, y), vec2(x + 1.0, y + 1.0), vec2(x, y + 1.0)]
        };
        self.cells().map(square).collect()
    }

    /// In halves of a tile, borders included.
    fn contains(&self, (x, y): (i64, i64)) -> bool {
        self.cells().any(|(i, j)| (2 * i..=2 * i + 2).contains(&x) && (2 * j..=2 * j + 2).contains(&y))
    }

    /// The share of the way from one point to another, as a fraction, at which a tile is met first.
    fn first(&self, from: (i64, i64), to: (i64, i64)) -> Option<(i64, i64)> {
        let way = (to.0 - from.0, to.1 - from.1);
        let less = |a: (i64, i64), b: (i64, i64)| a.0 * b.1 < b.0 * a.1;
        let mut first: Option<(i64, i64)> = None;
        for (i, j) in self.cells() {
            let (mut enter, mut exit) = ((0, 1), (1, 1));
            let mut apart = false;
            for (at, way, low) in [(from.0, way.0, 2 * i), (from.1, way.1, 2 * j)] {
                if way == 0 {
                    apart |= at < low || at > low + 2;
                    continue;
                }
                let (near, far) = if way > 0 { (low, low + 2) } else { (low + 2, low) };
                let share = |to: i64| ((to - at) * way.signum(), way.abs());
                enter = if less(enter, share(near)) { share(near) } else { enter };
                exit = if less(share(far), exit) { share(far) } else { exit };
            }
            if !apart && !less(exit, enter) && first.is_none_or(|first| less(enter, first)) {
                first = Some(enter);
            }
        }
        first
    }
}

fn half((x, y): (i64, i64)) -> Vec2 {
    vec2(0.5 * x as f32, 0.5 * y as f32)
}

/// 10 maps of 20 × 20 tiles and 4,000 rays each, from and to corners, edges and middles of tiles,
/// along lines and through corners: each answer exact, for touching counts.
#[test]
fn tiles_are_hit_exactly_on_lines_and_corners() {
    let mut random = Random::new(1);
    let mut hits = 0;
    for map in 0..long_rounds(4, 10, 20) {
        let tiles = Tiles::random(&mut random, 20, [0.05, 0.15, 0.3, 0.6][map % 4]);
        let bsp = Bsp::from_outlines(&tiles.outlines()).expect("closed outlines");
        let mut point = || (random.below(45) as i64 - 2, random.below(45) as i64 - 2);
        for _ in 0..rounds(500, 4_000) {
            let (from, to) = (point(), point());
            assert_eq!(bsp.is_solid(half(from)), tiles.contains(from), "{from:?} of map {map}");
            let hit = bsp.ray(Ray::between(half(from), half(to)));
            let first = tiles.first(from, to);
            let fraction = first.map(|(over, under)| (over as f64 / under as f64) as f32);
            assert_eq!(hit.map(|hit| hit.fraction), fraction, "{from:?} to {to:?} of map {map}");
            if let Some(hit) = hit {
                let inside = hit.normal == Vec2::ZERO;
                assert_eq!(inside, hit.fraction == 0.0);
                assert!(inside || hit.normal.dot(half(to) - half(from)) < 0.0 || hit.fraction == 1.0);
                hits += 1;
            }
        }
    }
    println!("{hits} hits");
}

/// Rocks of 3 to 9 corners, turned at random, on a jittered grid, in a room of rock.
fn rocks(random: &mut Random, side: usize) -> Vec<Vec<Vec2>> {
    let size = side as f32;
    let mut outlines = vec![vec![vec2(0.0, 0.0), vec2(0.0, size), vec2(size, size), vec2(size, 0.0)]];
    for k in 0..side * side {
        let center = DVec2::new((k % side) as f64 + 0.5, (k / side) as f64 + 0.5);
        let (corners, begin) = (3 + random.below(7), random.range(0.0, core::f64::consts::TAU));
        let angle = |k: usize| begin + core::f64::consts::TAU * k as f64 / corners as f64;
        let corner = |k: usize| center + DVec2::from_angle(angle(k)) * random.range(0.1, 0.49);
        outlines.push((0..corners).map(corner).map(|p| p.as_vec2()).collect());
    }
    outlines
}

fn walls(outlines: &[Vec<Vec2>]) -> Vec<[DVec2; 2]> {
    let of = |outline: &Vec<Vec2>| {
        let count = outline.len();
        (0..count).map(|k| [outline[k], outline[(k + 1) % count]].map(|p| p.as_dvec2())).collect::<Vec<_>>()
    };
    outlines.iter().flat_map(of).collect()
}

/// How far a point is from a wall.
fn gap([a, b]: [DVec2; 2], p: DVec2) -> f64 {
    let share = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    p.distance(a.lerp(b, share))
}

/// Solid where the walls wind round it more often than round the rock outside, which they do -1
/// times less.
fn inside(walls: &[[DVec2; 2]], p: DVec2) -> bool {
    let crossing = |&[a, b]: &[DVec2; 2]| {
        let side = (b - a).perp_dot(p - a);
        i32::from(a.y <= p.y && b.y > p.y && side > 0.0) - i32::from(b.y <= p.y && a.y > p.y && side < 0.0)
    };
    1 + walls.iter().map(crossing).sum::<i32>() > 0
}

/// Where a ray first meets a wall, by its share and the wall's normal; and whether an end of a wall
/// is near the ray.
fn first_wall(walls: &[[DVec2; 2]], from: DVec2, to: DVec2) -> (Option<(f64, DVec2)>, bool) {
    let (mut first, mut grazes) = (None::<(f64, DVec2)>, false);
    for &[a, b] in walls {
        grazes |= gap([from, to], a) < 1.0e-5;
        let (way, wall) = (to - from, b - a);
        let denominator = way.perp_dot(wall);
        let (share, along) =
            ((a - from).perp_dot(wall) / denominator, (a - from).perp_dot(way) / denominator);
        let meets = (0.0..=1.0).contains(&share) && (0.0..=1.0).contains(&along);
        if meets && first.is_none_or(|first| share < first.0) {
            first = Some((share, -wall.perp().normalize()));
        }
    }
    (first, grazes)
}

/// 2 maps of 400 rocks and 10,000 rays each (with `CAROM_LONG` 10), on 2,600 walls.
#[test]
fn slanted_walls_are_hit_where_brute_force_hits_them() {
    let mut random = Random::new(2);
    let (mut hits, mut near, mut all, mut in_rock) = (0, 0, 0, 0);
    for _ in 0..long_rounds(1, 2, 10) {
        let outlines = rocks(&mut random, 20);
        let bsp = Bsp::from_outlines(&outlines).expect("rocks that are apart");
        let walls = walls(&outlines);
        for _ in 0..rounds(500, 10_000) {
            let mut point = || vec2(random.range(-1.0, 21.0), random.range(-1.0, 21.0));
            let (from, to) = (point(), point());
            let ray = Ray::between(from, to);
            let (from, to) = (from.as_dvec2(), from.as_dvec2() + ray.translation.as_dvec2());
            let ((first, grazes), hit) = (first_wall(&walls, from, to), bsp.ray(ray));
            all += 1;
            if walls.iter().any(|&wall| gap(wall, from) < 1.0e-5 || gap(wall, to) < 1.0e-5) || grazes {
                near += 1;
                continue;
            }
            let solid = inside(&walls, from);
            assert_eq!(bsp.is_solid(from.as_vec2()), solid);
            let expected = if solid { Some((0.0, DVec2::ZERO)) } else { first };
            assert_eq!(hit.is_some(), expected.is_some(), "{from} to {to}");
            if let (Some(hit), Some((share, normal))) = (hit, expected) {
                assert!((f64::from(hit.fraction) - share).abs() < 1.0e-7, "{hit:?}, {share}");
                assert!(hit.normal.as_dvec2().distance(normal) < 1.0e-6);
            }
            hits += usize::from(hit.is_some());
            in_rock += usize::from(solid);
        }
    }
    println!("{all} rays: {hits} hit, {in_rock} begin in rock, {near} graze");
    assert!(near < all / 100 && in_rock > all / 10 && hits - in_rock > all / 3);
}

/// A ring of 10,000 sides would be a tree as deep; lines in between keep it flat. Built and asked
/// on a thread with 64 kB of stack.
#[test]
fn round_levels_are_flat_trees_and_nothing_recurses() {
    let ring = |radius: f64, count: usize| -> Vec<Vec2> {
        let angle = |k: usize| core::f64::consts::TAU * k as f64 / count as f64;
        (0..count).map(|k| (DVec2::from_angle(angle(k)) * radius).as_vec2()).collect()
    };
    let ask = move || {
        let mut hole = ring(50.0, 3_000);
        hole.reverse();
        let bsp = Bsp::from_outlines(&[ring(100.0, 10_000), hole]).expect("a ring");
        println!("13,000 walls: {} nodes, depth {}", bsp.node_count(), bsp.depth());
        assert!(bsp.depth() <= 40 && bsp.node_count() < 40_000);
        let hit = bsp.ray(Ray::between([0.0, 0.0], [70.0, 70.0])).expect("the ring");
        assert!(
            (hit.point.length() - 50.0).abs() < 1.0e-3 && hit.normal.dot(Vec2::NEG_ONE.normalize()) > 0.999
        );
        assert!(bsp.is_solid([0.0, 75.0]) && !bsp.is_solid([0.0, 49.0]) && !bsp.is_solid([0.0, 101.0]));
    };
    let thread = std::thread::Builder::new().stack_size(65_536).spawn(ask).expect("a thread");
    thread.join().expect("no overflow");
}

/// Corners that touch, tiles given one by one, a post that stands in the middle of a slanted wall's
/// edge up to the rounding of its corners.
#[test]
fn outlines_may_touch() {
    let square = |x: f32, y: f32| [vec2(x, y), vec2(x + 1.0, y), vec2(x + 1.0, y + 1.0), vec2(x, y + 1.0)];
    let corners = Bsp::from_outlines(&[square(0.0, 0.0), square(1.0, 1.0)]).expect("corner to corner");
    assert!(corners.ray(Ray::between([0.0, 2.0], [2.0, 0.0])).is_some(), "no gap where corners meet");
    assert!(!corners.is_solid([0.5, 1.5]) && corners.is_solid([1.0, 1.0]));
    let row: Vec<_> = (0..5).map(|k| square(k as f32, 0.0)).collect();
    let row = Bsp::from_outlines(&row).expect("side by side");
    // Walls on one line are one node.
    assert_eq!((row.node_count(), row.is_solid([2.0, 0.5])), (4, true));
    let hill = vec![vec2(0.0, 0.0), vec2(7.0, 0.0), vec2(0.0, 3.3)];
    let foot = vec2(0.0, 3.3).lerp(vec2(7.0, 0.0), 0.3);
    let post = vec![foot, foot + vec2(0.5, 2.0), foot + vec2(-0.3, 2.0)];
    let both = Bsp::from_outlines(&[hill, post]).expect("a post on a slope");
    assert!(both.is_solid(foot + vec2(0.1, 1.0)) && !both.is_solid(foot + vec2(0.3, 0.5)));
}

#[test]
fn what_is_no_level_is_refused_with_its_number() {
    let square = |x: f32, y: f32, s: f32| [[x, y], [x + s, y], [x + s, y + s], [x, y + s]];
    let refused = |outlines: &[[[f32; 2]; 4]]| Bsp::from_outlines(outlines).expect_err("no level");
    let fine = square(0.0, 0.0, 1.0);
    assert_eq!(refused(&[fine, square(f32::NAN, 0.0, 1.0)]), BspError::OutOfRange(4));
    assert_eq!(refused(&[square(2.0e9, 0.0, 1.0)]), BspError::OutOfRange(0));
    assert_eq!(refused(&[fine, square(3.0, 0.0, 1.0e-7)]), BspError::TooShort(4));
    let open = [[vec2(0.0, 0.0), vec2(1.0, 0.0)], [vec2(1.0, 0.0), vec2(0.0, 1.0)]];
    assert_eq!(Bsp::new(&open).expect_err("open"), BspError::Open(0));
    // Across each other, one in another the same way round, side by side in part.
    assert!(matches!(refused(&[fine, square(0.5, 0.5, 1.0)]), BspError::Inconsistent(_)));
    assert!(matches!(refused(&[fine, square(0.25, 0.25, 0.5)]), BspError::Inconsistent(_)));
    assert!(matches!(refused(&[fine, square(1.0, 0.25, 0.5)]), BspError::Inconsistent(_)));
    let clockwise = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
    let room = Bsp::from_outlines(&[clockwise]).expect("a room in rock");
    assert!(!room.is_solid([0.5, 0.5]) && room.is_solid([2.0, 0.5]) && room.is_solid([0.0, 0.5]));
    let nothing = Bsp::new(&[]).expect("an empty level");
    assert!(!nothing.is_solid([0.0, 0.0]) && nothing.ray(Ray::between([0.0, 0.0], [1.0, 0.0])).is_none());
    assert!(!room.is_solid([f32::NAN, 0.5]) && room.ray(Ray::between([0.0, f32::NAN], [1.0, 0.0])).is_none());
    for error in [BspError::Open(3), BspError::Inconsistent(3), BspError::TooShort(3)] {
        assert!(error.to_string().contains("segment 3"));
    }
}

/// Hundreds of long segments across each other are refused, whatever they are, and in time.
#[test]
fn tangles_are_refused_or_are_levels() {
    let mut random = Random::new(7);
    for round in 0..rounds(20, 200) {
        let count = 3 + random.below(200);
        let points: Vec<Vec2> = (0..count).map(|_| random.vec2([1.0, 1.0e3, 1.0e9][round % 3])).collect();
        if let Ok(bsp) = Bsp::from_outlines(&[&points]) {
            assert!(count < 8 && bsp.depth() <= 8, "a polygon of {count} random points crosses itself");
        }
    }
}

#[test]
fn equal_levels_are_equal_trees() {
    let outlines = rocks(&mut Random::new(3), 10);
    assert_eq!(Bsp::from_outlines(&outlines), Bsp::from_outlines(&outlines.clone()));
}
