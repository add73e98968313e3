//! Tests of the triangulation alone, with random edits.

use super::cdt::Cdt;
use super::fixed::Point;
use super::obstacles::Outline;
use crate::random::Random;

impl Random {
    fn between(&mut self, least: i32, most: i32) -> i32 {
        least + self.below((most - least + 1) as usize) as i32
    }
}

/// A triangulation with the border of a square, as in a mesh.
fn empty(half: i32) -> Cdt {
    let mut cdt = Cdt::new(half);
    let mut border = Outline { is_closed: true, ..Outline::default() };
    let corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)].map(|(x, y)| Point::new(half * x, half * y));
    assert!(cdt.add(0, &corners, &mut border));
    cdt.count(0, border.corners[0], -2);
    cdt
}

/// Adds and removes obstacles of any kind in a square of `2 half` units.
fn churn(seed: u64, half: i32, operations: usize, at_once: usize, audit_every: usize) -> usize {
    let mut random = Random(seed);
    let mut cdt = empty(half);
    let mut standing: Vec<(u32, Outline)> = Vec::new();
    let mut free: Vec<u32> = (1..=at_once as u32 + 1).rev().collect();
    let mut dropped = 0;
    for k in 0..operations {
        let grow = random.below(2 * at_once) >= standing.len();
        if grow && !free.is_empty() {
            let count = 1 + random.below(6);
            let reach = if random.below(3) == 0 { half } else { half / 8 + 1 };
            let (x, y) = (random.between(-half, half), random.between(-half, half));
            let points: Vec<Point> = (0..count)
                .map(|_| {
                    let limit = |v: i32| v.clamp(-half, half);
                    Point::new(
                        limit(x + random.between(-reach, reach)),
                        limit(y + random.between(-reach, reach)),
                    )
                })
                .collect();
            let owner = free.pop().expect("checked");
            let mut outline = Outline { is_closed: random.below(5) > 0, ..Outline::default() };
            if cdt.add(owner, &points, &mut outline) {
                standing.push((owner, outline));
            } else {
                free.push(owner);
                dropped += 1;
            }
        } else if !standing.is_empty() {
            let (owner, mut outline) = standing.swap_remove(random.below(standing.len()));
            cdt.remove(owner, &mut outline);
            free.push(owner);
        }
        if k % audit_every == 0
            && let Err(rule) = cdt.audit()
        {
            panic!("seed {seed}, half {half}, operation {k}: {rule}");
        }
    }
    while let Some((owner, mut outline)) = standing.pop() {
        cdt.remove(owner, &mut outline);
    }
    cdt.audit().expect("sound at the end");
    assert_eq!(cdt.free_area(), 8 * i128::from(half) * i128::from(half), "all is free again");
    let vertices = cdt.vertices.iter().filter(|vertex| vertex.out != super::cdt::NONE).count();
    assert_eq!(vertices, 9, "seed {seed}, half {half}: nothing is left but the frame and the border");
    dropped
}

/// Half sides, from one at which nearly every place is taken up to the greatest.
const HALVES: [i32; 7] = [3, 8, 30, 200, 5_000, 1 << 20, (1 << 28) - 1];

#[test]
fn random_edits_keep_every_rule() {
    let (rounds, operations) = if cfg!(debug_assertions) { (1, 400) } else { (4, 20_000) };
    let mut dropped = 0;
    for round in 0..rounds {
        for (seed, half) in (0..).zip(HALVES) {
            dropped += churn(100 * round + seed, half, operations, 12, 23);
        }
    }
    assert_eq!(dropped, 0);
}

/// Ten million edits: `cargo test --release -p carom-nav --lib -- --ignored ten_million`.
#[test]
#[ignore = "minutes"]
fn ten_million_random_edits_keep_every_rule() {
    let mut dropped = 0;
    for round in 0..36 {
        for (seed, half) in (0..).zip(HALVES) {
            dropped += churn(1_000_000 + 100 * round + seed, half, 40_000, 10 + round as usize, 1_000);
        }
    }
    println!("{dropped} obstacles given up");
    assert_eq!(dropped, 0);
}

pub(super) fn rects(seed: u64, count: usize, spread: f32) -> Vec<Vec<glam::Vec2>> {
    let mut random = Random(seed);
    (0..count)
        .map(|_| {
            let mut unit = || random.below(1 << 20) as f32 / (1 << 20) as f32;
            let (x, y) = ((unit() - 0.5) * 2.0 * spread, (unit() - 0.5) * 2.0 * spread);
            let (w, h, a) = (0.3 + unit(), 0.3 + unit(), unit() * 3.2);
            let (s, c) = (f64::from(a).sin() as f32, f64::from(a).cos() as f32);
            [(-w, -h), (w, -h), (w, h), (-w, h)]
                .iter()
                .map(|&(px, py)| glam::Vec2::new(x + c * px - s * py, y + s * px + c * py))
                .collect()
        })
        .collect()
}

#[test]
fn feet_come_and_go() {
    use super::{Mesh, MeshDef};
    for radius in [0.0, 0.5, 4.0] {
        let mut mesh = Mesh::new(MeshDef { half: 50.0, max_radius: radius }).expect("a mesh");
        let empty = mesh.face_count();
        let mut ids: Vec<_> = rects(7, 300, 50.0).iter().map(|r| mesh.add(r).expect("built")).collect();
        mesh.audit().expect("sound");
        let mut random = Random(3);
        for (k, rect) in rects(9, if cfg!(debug_assertions) { 200 } else { 1_000 }, 50.0).iter().enumerate() {
            let at = random.below(ids.len());
            assert!(mesh.remove(ids.swap_remove(at)));
            ids.push(mesh.add(rect).expect("built"));
            if k % 20 == 0 {
                mesh.audit().expect("sound");
            }
        }
        for id in ids {
            assert!(mesh.remove(id));
        }
        mesh.audit().expect("sound");
        assert_eq!(mesh.face_count(), empty);
    }
}

fn star(random: &mut Random, half: f64) -> Vec<glam::Vec2> {
    let mut unit = || random.below(1 << 24) as f64 / f64::from(1 << 24);
    let (x, y) = ((unit() * 2.0 - 1.0) * half, (unit() * 2.0 - 1.0) * half);
    let count = 5 + (unit() * 6.0) as usize;
    (0..count)
        .map(|k| {
            let angle = k as f64 / count as f64 * core::f64::consts::TAU;
            let length = 0.3 + 1.3 * unit();
            glam::Vec2::new((x + length * angle.cos()) as f32, (y + length * angle.sin()) as f32)
        })
        .collect()
}

/// Two searches that share the test of lines, and little else: over kept lines between corners, and
/// over edges with the directions seen through them.
#[test]
fn ways_over_corners_are_those_over_edges() {
    use super::fixed::{PER_METRE, Point};
    use super::{Mesh, MeshDef, Way};
    let (mut ways, mut way) = (0, Way::default());
    let (mut from, mut to) = (Vec::new(), Vec::new());
    for seed in 0..if cfg!(debug_assertions) { 60 } else { 500 } {
        let mut random = Random(seed);
        let mut mesh = Mesh::new(MeshDef { half: 5.0, max_radius: 2.0 }).expect("a mesh");
        for _ in 0..2 + random.below(9) {
            let outline = match seed % 2 {
                0 => star(&mut random, 4.0),
                _ => rects(random.below(1 << 20) as u64, 1, 4.0).remove(0),
            };
            mesh.add(&outline).expect("built");
        }
        for k in 0..40 {
            let radius = [0.0_f32, 0.1, 0.3, 0.5, 0.8][k % 5];
            let mut place = || [(); 2].map(|()| random.below(10_000) as f32 / 1_000.0 - 5.0);
            let (a, b) = (place(), place());
            if mesh.way(a, b, radius, &mut way).is_err() || way.from_moved || way.to_moved {
                continue;
            }
            ways += 1;
            let [start, goal] = [way.start, way.goal].map(Point::of);
            mesh.cdt.faces_at(mesh.cdt.locate(start), &mut from);
            mesh.cdt.faces_at(mesh.cdt.locate(goal), &mut to);
            let (ends, r) =
                (((start.place(), &from[..]), (goal.place(), &to[..])), f64::from(radius) * PER_METRE);
            let found = super::query::Kept::default().seek.way(&mesh.cdt, ends.0, ends.1, r);
            let other = found.map_or(f64::INFINITY, |(length, _)| length / PER_METRE);
            // The search over edges misses a way between circles that nearly touch once in 10,000
            // times.
            assert!(way.length <= other * 1.000_01, "seed {seed}, {k}: {} and {other} m", way.length);
        }
    }
    assert!(ways > 10 * if cfg!(debug_assertions) { 60 } else { 500 });
}
