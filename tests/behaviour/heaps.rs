//! Heaps: what presses and tumbles does not sink into what bears it.

use carom::Vec2;
use carom::prelude::*;

use crate::worlds::{add, deepest_overlap, earth, expect, run, step};

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

/// Bodies of two triangles each, thrown into a pit at 60 m/s, are crushed deep into each other: 3 s later they lie side by side, as a heap
/// is no crowd that must be held back.
#[test]
fn a_crushed_heap_recovers() {
    let mut world = earth();
    let wall = |x: f32, y: f32, width: f32, height: f32| Shape::rect(width, height).at([x, y]);
    let pit = BodyDef::fixed().shape(wall(0.0, -5.0, 60.0, 10.0));
    add(&mut world, pit.shape(wall(-15.0, 50.0, 10.0, 100.0)).shape(wall(15.0, 50.0, 10.0, 100.0)));
    let left = Shape::polygon(&[Vec2::new(-1.0, 0.0), Vec2::new(0.5, 1.0), Vec2::new(0.0, 2.0)]);
    let right = Shape::polygon(&[Vec2::new(1.0, 0.0), Vec2::new(0.0, 2.0), Vec2::new(-0.5, 1.0)]);
    for k in 0..240 {
        let at = [2.3 * (k % 8) as f32 - 8.0 + 0.2 * (k / 8 % 3) as f32, 1.0 + 2.25 * (k / 8) as f32];
        add(
            &mut world,
            BodyDef::dynamic().at(at).velocity([0.0, -60.0]).shape(left.clone()).shape(right.clone()),
        );
    }
    run(&mut world, 60);
    let crushed = deepest_overlap(&world);
    run(&mut world, 180);
    let left = deepest_overlap(&world);
    println!("deepest overlap {crushed:.3} m after 1 s");
    expect("deepest overlap left, m", left, ..=0.05);
}

fn higher(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
