//! Tests of ways of a point from the corners of walls, exactly and a unit or two beside them.
//!
//! Each way that should exist is found. A passage a unit or two wide (some 20 µm, where rounded
//! walls cross) may be visible from one side alone, and then a way is longer there than back: in
//! five of 3,000 scenes, once in 10,000 ways.

use carom_nav::Vec2;
use carom_nav::mesh::{Mesh, NoWay, Way};
use glam::DVec2;

use crate::common::{Random, UNIT, is_valid, mesh, narrow, rect, star, tile, whole};
use crate::tangents::Scene;

/// Checks a way of a point. Returns its length, or the error found.
fn judge(scene: &Scene, mesh: &mut Mesh, from: Vec2, to: Vec2) -> Result<Option<f64>, String> {
    let mut way = Way::default();
    let is_reachable = mesh.reachable(from, to, 0.0);
    match mesh.way(from, to, 0.0, &mut way) {
        Ok(()) if way.from_moved() || way.to_moved() => Ok(None),
        Ok(()) => is_valid(scene, &way).map(|()| Some(way.length())),
        Err(NoWay::Apart) if is_reachable => Err("it is reachable, and there is no way".to_string()),
        Err(_) => Ok(None),
    }
}

/// A point at a corner reaches every place that a free point beside it reaches, by a way no longer
/// than the other's plus the step between them. If not, returns the lengths of both.
fn compare_beside(scene: &Scene, mesh: &mut Mesh, corner: DVec2, to: Vec2) -> Option<(Option<f64>, f64)> {
    const STEP: f64 = 20.0 * UNIT;
    let mut way = Way::default();
    let own = match mesh.way(narrow(corner), to, 0.0, &mut way) {
        Ok(()) if !way.from_moved() && !way.to_moved() => Some(way.length()),
        Err(NoWay::Apart) => None,
        _ => return None,
    };
    for k in 0..8 {
        let by = DVec2::from_angle(f64::from(k) * core::f64::consts::FRAC_PI_4) * STEP;
        let beside = whole(corner + by);
        if scene.room(beside) < 4.0 * UNIT
            || mesh.way(narrow(beside), to, 0.0, &mut way).is_err()
            || way.to_moved()
        {
            continue;
        }
        let theirs = way.length();
        if own.is_none_or(|own| own > theirs + 2.0 * STEP) {
            return Some((own, theirs));
        }
    }
    None
}

#[test]
fn ways_begin_and_end_at_corners_of_walls() {
    let (mut wrong, mut longer, mut count) = (Vec::new(), Vec::new(), 0);
    for seed in 0..if cfg!(debug_assertions) { 60 } else { 500 } {
        let mut random = Random(seed);
        let half = 5.0;
        let make = [rect, star, tile][seed as usize % 3];
        let outlines = (0..2 + random.below(14)).map(|_| make(&mut random, half - 1.0)).collect();
        let scene = Scene { outlines, half };
        let mut mesh = mesh(&scene, [0.0, 0.5, 2.0][random.below(3)]);
        let corners: Vec<DVec2> = scene.outlines.iter().flatten().copied().collect();
        for &corner in &corners {
            for by in [DVec2::ZERO, DVec2::new(1.0, 0.0), DVec2::new(-1.0, 1.0), DVec2::new(0.0, -3.0)] {
                let from = narrow(corner + by * UNIT);
                let to = if random.below(4) == 0 {
                    narrow(corners[random.below(corners.len())])
                } else {
                    narrow(random.place(half))
                };
                let what = format!("seed {seed}, corner {corner}, by {by}, to {to}");
                let there = judge(&scene, &mut mesh, from, to);
                let back = judge(&scene, &mut mesh, to, from);
                count += usize::from(matches!(there, Ok(Some(_))));
                match (&there, &back) {
                    (Ok(Some(there)), Ok(Some(back))) if (*there - *back).abs() > 1e-3 => {
                        longer.push(format!("{what}: {there} m there, {back} m back"));
                    }
                    (Ok(Some(_)), Ok(Some(_))) | (Ok(None), Ok(None)) => {}
                    _ => wrong.push(format!("{what}: there {there:?}, back {back:?}")),
                }
                if by == DVec2::ZERO {
                    match compare_beside(&scene, &mut mesh, corner, to) {
                        Some((None, theirs)) => wrong.push(format!("{what}: none, and {theirs} m beside")),
                        Some((Some(own), theirs)) => {
                            longer.push(format!("{what}: {own} m, and {theirs} m beside"));
                        }
                        None => {}
                    }
                }
            }
        }
    }
    println!("{count} ways, {} wrong, {} longer", wrong.len(), longer.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(30)].join("\n"));
    assert!(longer.len() * 5_000 <= count, "{}", longer.join("\n"));
}
