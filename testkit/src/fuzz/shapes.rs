//! Shapes from bytes: every kind and every constructor.

use carom::{Shape, Vec2, vec2};

use super::input::Input;

/// Up to `most` points: anywhere, on a small grid where many lie in line, or around the origin.
pub(super) fn points(input: &mut Input, most: usize) -> Vec<Vec2> {
    let (how, count) = (input.below(4), input.below(most + 1));
    let turn = core::f64::consts::TAU / count.max(1) as f64;
    let mut point = |k: usize| match how {
        0 => input.vector(),
        1 => {
            let byte = input.byte();
            vec2(f32::from(byte & 15) - 8.0, f32::from(byte >> 4) - 8.0)
        }
        2 => {
            let (sin, cos) = (turn * k as f64).sin_cos();
            let size = input.size();
            vec2(cos as f32 * size, sin as f32 * size)
        }
        _ => vec2(f32::from_bits(input.word()), f32::from_bits(input.word())),
    };
    (0..count).map(&mut point).collect()
}

/// A shape of any kind, refused ones among them.
pub(super) fn shape(input: &mut Input) -> Shape {
    match input.below(20) {
        17 => Shape::chain(&points(input, 8)),
        18 => Shape::closed_chain(&points(input, 8)),
        19 => Shape::half_plane(input.vector(), input.vector()),
        15 | 16 => {
            let count = 1 + input.below(4);
            changed(Shape::compound((0..count).map(|_| convex(input)).collect::<Vec<_>>()), input)
        }
        13 | 14 => changed(Shape::polar(&points(input, 10)), input),
        _ => convex(input),
    }
}

/// A shape without parts.
pub(super) fn convex(input: &mut Input) -> Shape {
    let shape = match input.below(12) {
        0 | 1 => Shape::circle(input.size()),
        2..5 => Shape::rect(input.size(), input.size()),
        5 => Shape::capsule(input.vector(), input.vector(), input.size()),
        6 => Shape::segment(input.vector(), input.vector()),
        7 => Shape::polygon(&points(input, 9)),
        8 | 9 => Shape::hull(&points(input, 12)),
        10 => Shape::triangle(input.vector(), input.vector(), input.vector()),
        _ => Shape::regular(input.below(10), input.size()),
    };
    changed(shape, input)
}

/// The shape as it is, rounded, moved, turned, or all of it.
fn changed(shape: Shape, input: &mut Input) -> Shape {
    match input.below(8) {
        0..4 => shape,
        4 => shape.rounded(input.size()),
        5 => shape.at(input.vector()),
        6 => shape.turned(input.angle()),
        _ => {
            let round = if input.once_in(2) { shape.rounded(input.size()) } else { shape };
            round.transformed(input.transform())
        }
    }
}
