//! Convex parts of concave outlines.
//!
//! In: how many outlines. Out: a table: microseconds an outline, parts, and by how much the area
//! of all parts is off. Outlines are stars and jagged strips of a hundred corners. carom's parts
//! are exact; rapier2d's are an approximation by voxels, at its defaults. Box2D takes no concave
//! outline.

use carom::math::sin_cos;
use carom::{Vec2, vec2};
use std::f32::consts::TAU;
use testkit::random::Random;

use crate::Fallible;
use crate::engines::Rival;
use crate::spawn::time;

const CORNERS: usize = 100;

pub(crate) fn run(count: usize) -> Fallible<()> {
    println!("{:<14}{:>12}{:>8}{:>14}   {count} outlines", "", "us/outline", "parts", "area off by");
    let mut random = Random::new(17);
    let outlines: Vec<Vec<Vec2>> =
        (0..count).map(|k| if k % 2 == 0 { star(&mut random) } else { strip(&mut random) }).collect();
    for rival in Rival::ALL {
        let mut found = Vec::new();
        let ms = time(|| found.extend(outlines.iter().map_while(|points| rival.outline(points))));
        if found.len() < count {
            println!("{:<14}   takes no such outline", rival.name());
            continue;
        }
        let off = |(points, (area, _)): (&Vec<Vec2>, &(f32, usize))| (area / area_of(points) - 1.0).abs();
        let worst = outlines.iter().zip(&found).map(off).fold(0.0_f32, |a, b| if b > a { b } else { a });
        let parts = found.iter().map(|(_, parts)| *parts).sum::<usize>() as f64 / count as f64;
        println!(
            "{:<14}{:>12.1}{parts:>8.1}{:>13.4}%",
            rival.name(),
            1.0e3 * ms / count as f64,
            100.0 * worst
        );
    }
    Ok(())
}

fn star(random: &mut Random) -> Vec<Vec2> {
    let point = |k: usize| {
        let (sin, cos) = sin_cos(TAU * k as f32 / CORNERS as f32);
        random.range(2.0_f32, 10.0) * vec2(cos, sin)
    };
    (0..CORNERS).map(point).collect()
}

fn strip(random: &mut Random) -> Vec<Vec2> {
    let mut side = |k: usize, low: f32| vec2(0.4 * k as f32, low + random.range(0.0_f32, 0.9));
    let lower: Vec<Vec2> = (0..CORNERS / 2).map(|k| side(k, 0.0)).collect();
    let upper: Vec<Vec2> = (0..CORNERS / 2).map(|k| side(k, 1.0)).collect();
    lower.into_iter().chain(upper.into_iter().rev()).collect()
}

fn area_of(points: &[Vec2]) -> f32 {
    let corner = |k: usize| points[k % points.len()].as_dvec2();
    let doubled: f64 = (0..points.len()).map(|k| corner(k).perp_dot(corner(k + 1))).sum();
    (0.5 * doubled) as f32
}
