//! A scene as a picture: what the last step left, to be looked at.
//!
//! In: a stage. Out: SVG text. Outlines are drawn from the plans, at the places that the engine
//! says.

use carom::{Transform, Vec2};
use std::fmt::Write as _;
use testkit::scenes::plan::{Kind, Outline, Part};

use crate::stage::EngineStage;

/// Pixels of the longer side.
const SIZE: f32 = 1200.0;

pub(crate) fn draw(stage: &EngineStage) -> String {
    let places: Vec<Transform> = stage.bodies().map(|(body, _)| stage.state(body).place).collect();
    let [min, max] = bounds(stage, &places);
    let scale = SIZE / (max - min).max_element();
    let [width, height] = ((max - min) * scale).to_array();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let to_page = |point: Vec2| Vec2::new(point.x - min.x, max.y - point.y) * scale;
    for ((_, plan), &at) in stage.bodies().zip(&places) {
        let colour = match plan.kind {
            Kind::Fixed => "#888",
            Kind::Kinematic => "#c8432b",
            Kind::Dynamic => "#0072b2",
        };
        for part in &plan.parts {
            draw_part(&mut text, part, |point| to_page(at.apply(point + part.at)), scale, colour);
        }
    }
    text + "</svg>\n"
}

/// Around what moves, and some of what does not; bodies that flew far away do not make all others
/// small.
fn bounds(stage: &EngineStage, places: &[Transform]) -> [Vec2; 2] {
    let mut xs: Vec<f32> = Vec::new();
    let mut ys: Vec<f32> = Vec::new();
    for ((_, plan), at) in stage.bodies().zip(places) {
        if plan.kind == Kind::Dynamic && at.position.is_finite() {
            xs.push(at.position.x);
            ys.push(at.position.y);
        }
    }
    let ends = |mut values: Vec<f32>| {
        values.sort_by(f32::total_cmp);
        let at = |share: f32| values.get((share * values.len() as f32) as usize).copied().unwrap_or(0.0);
        (at(0.002), at(0.998))
    };
    let ((left, right), (bottom, top)) = (ends(xs), ends(ys));
    let margin = Vec2::splat(2.0 + 0.05 * (right - left).abs());
    [Vec2::new(left, bottom) - margin, Vec2::new(right, top) + margin]
}

fn draw_part(text: &mut String, part: &Part, to_page: impl Fn(Vec2) -> Vec2, scale: f32, colour: &str) {
    let (corners, radius) = match &part.outline {
        Outline::Box { half, radius } => {
            let corners = [Vec2::new(-half.x, -half.y), Vec2::new(half.x, -half.y), *half];
            ([&corners[..], &[Vec2::new(-half.x, half.y)]].concat(), *radius)
        }
        Outline::Circle { radius } => (vec![Vec2::ZERO, Vec2::ZERO], *radius),
        Outline::Capsule { a, b, radius } => (vec![*a, *b], *radius),
        Outline::Polygon(corners) | Outline::Ring(corners) => (corners.clone(), 0.0),
        Outline::Segment { a, b } => (vec![*a, *b], 0.0),
    };
    let fill = if matches!(part.outline, Outline::Ring(_)) { "none" } else { colour };
    // The line around the corners is as wide as the shape is round; a hair's breadth else.
    let line = if radius > 0.0 { 2.0 * radius * scale } else { 0.5 };
    let points: Vec<String> = corners
        .into_iter()
        .map(|corner| {
            let [x, y] = to_page(corner).to_array();
            format!("{x:.1},{y:.1}")
        })
        .collect();
    let _ = writeln!(
        text,
        "<polygon points=\"{}\" fill=\"{fill}\" fill-opacity=\"0.5\" stroke=\"{colour}\" stroke-width=\"{line:.1}\" \
         stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
        points.join(" ")
    );
}
