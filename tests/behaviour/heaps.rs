//! Heaps: what presses and tumbles does not sink into what bears it.

use carom::Vec2;
use carom::prelude::*;

use crate::worlds::{add, earth, expect, step};

/// A square drum of 4 m inside that hangs on a hinge whose motor turns it, a third full of boxes of 0.25 m: whatever falls
/// over whatever, no corner of any gets deeper into a wall than a quarter of a box.
#[test]
fn a_drum_bears_what_tumbles_in_it() {
    let mut world = earth();
    let mut drum = BodyDef::dynamic();
    for (x, y, width, height) in
        [(2.5, 0.0, 1.0, 6.0), (-2.5, 0.0, 1.0, 6.0), (0.0, 2.5, 6.0, 1.0), (0.0, -2.5, 6.0, 1.0)]
    {
        drum = drum.shape(ShapeDef::from(Shape::rect(width, height).at([x, y])).density(50.0));
    }
    let drum = add(&mut world, drum);
    let hinge = JointDef::revolute(None, drum).at([0.0, 0.0]).motor(25.0_f32.to_radians(), 1.0e8);
    world.add_joint(hinge).expect("a hinge");
    let mut boxes = Vec::new();
    for k in 0..100 {
        let at = [0.35 * (k % 10) as f32 - 1.6, 0.3 * (k / 10) as f32 - 1.6];
        boxes.push(add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(0.25, 0.25))));
    }
    let mut deepest = 0.0;
    for number in 0..600 {
        step(&mut world);
        let frame = world[drum].transform();
        let deep = |&id: &BodyId| {
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| {
                    let corner = world[id].transform().apply(0.125 * Vec2::new(x, y));
                    frame.apply_inverse(corner).abs().max_element() - 2.0
                })
                .into_iter()
                .fold(0.0, higher)
        };
        let now = boxes.iter().map(deep).fold(0.0, higher);
        if number > 60 && now > deepest {
            deepest = now;
        }
    }
    expect("deepest in a wall, m", deepest, ..=0.0625);
}

fn higher(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
