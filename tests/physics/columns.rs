//! Tall columns, blows on what is stacked, and steps of varying length.

use carom::Vec2;
use carom::prelude::*;

use testkit::random::Random;
use testkit::worlds::{DT, add, check_range, ground, step_by};
use testkit::{greater, long_rounds, rounds};

/// A column: how many boxes, how large, on a floor that is shaken by so much at 1 Hz.
#[derive(Clone, Copy, Debug)]
struct Column {
    count: usize,
    size: [f32; 2],
    shake: f32,
}

/// How far the top box of a column sinks, at most, whose boxes stand up to 2 cm off its axis; sleep
/// off.
fn sinks(Column { count, size: [width, height], shake }: Column, seconds: usize, seed: u64) -> f64 {
    let mut random = Random::new(seed);
    let mut world = World::new(WorldDef::default().gravity([0.0, -10.0]).sleepless());
    let floor = if shake > 0.0 { BodyDef::kinematic() } else { BodyDef::fixed() };
    let floor = add(&mut world, floor.at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)));
    let mut top = floor;
    for row in 0..count {
        let at = [random.range(-0.02_f32, 0.02), height * (row as f32 + 0.5)];
        top = add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(width, height)));
    }
    let start = world[top].position().y;
    let mut deepest = 0.0;
    for number in 0..60 * seconds {
        if shake > 0.0 {
            let place = |number: usize| shake * (core::f64::consts::TAU * number as f64 / 60.0).sin() as f32;
            let speed = (place(number + 1) - place(number)) / DT;
            world.set_velocity(floor, [speed, 0.0]).expect("it is there");
        }
        step_by(&mut world, DT);
        let sunk = start - world[top].position().y;
        deepest = if sunk > deepest { sunk } else { deepest };
    }
    f64::from(deepest)
}

/// Columns of 20, 30 and 60 boxes of 1 m, of 60 flat ones, and of 30 on a floor that is shaken by 1
/// cm at 1 Hz stand awake for five minutes, and their tops sink by less than 1 mm.
#[test]
fn tall_columns_stand() {
    let plain = |count| Column { count, size: [1.0, 1.0], shake: 0.0 };
    let flat = Column { count: 60, size: [1.0, 0.4], shake: 0.0 };
    let shaken = Column { count: 30, size: [1.0, 1.0], shake: 0.01 };
    for column in [plain(20), plain(30), plain(60), flat, shaken] {
        for seed in 0..long_rounds(1, 3, 6) as u64 {
            let sunk = sinks(column, rounds(30, 300), 700 + seed);
            check_range(&format!("{column:?}, {seed}: sinks, m"), sunk, ..0.001);
        }
    }
}

/// How far boxes of 2 m get from their places in a pyramid with ten in its lowest row, which lacks
/// its top, when one of their size falls onto it from 2 m and is so many times as heavy. The drop
/// is varied by a millimetre.
fn shaken_out(times: f32, drops: usize) {
    let mut random = Random::new(701);
    for drop in 0..drops {
        let mut world = World::new(WorldDef::default().gravity([0.0, -10.0]));
        ground(&mut world);
        let mut boxes = Vec::new();
        for row in 0..9 {
            for k in 0..10 - row {
                let at = vec2((2 * k + row) as f32 - 9.0, 1.0 + 2.0 * row as f32);
                let id = add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(2.0, 2.0)));
                boxes.push((id, at));
            }
        }
        (0..120).for_each(|_| step_by(&mut world, DT));
        let at = [random.range(-1.0e-3_f32, 1.0e-3), 21.0 + random.range(-1.0e-3_f32, 1.0e-3)];
        add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(2.0, 2.0)).density(times));
        (0..600).for_each(|_| step_by(&mut world, DT));
        let off = boxes.iter().map(|&(id, at)| f64::from((world[id].position() - at).length()));
        let farthest = off.fold(0.0, |a, b| if b > a { b } else { a });
        check_range(&format!("{times} times, drop {drop}: farthest from its place, m"), farthest, ..1.0);
    }
}

/// A box 30 times as heavy as the others shakes none out of its place by half a box.
#[test]
fn a_heavy_blow_shakes_nothing_out_of_a_pyramid() {
    shaken_out(30.0, rounds(2, 20));
}

/// Nor does one of a hundred times their weight.
#[test]
fn nor_does_one_of_a_hundred_times_the_weight() {
    shaken_out(100.0, rounds(2, 20));
}

/// What a heavy box falls onto.
#[derive(Clone, Copy, Debug)]
enum Stacked {
    Pyramid,
    Wall,
    /// Two posts and a plank a storey.
    Cards,
}

/// Bodies with their places and least widths, of a size; and how high they reach.
fn stack(world: &mut World, stacked: Stacked, size: f32) -> (Vec<(BodyId, Vec2, f32)>, f32) {
    let mut placed = Vec::new();
    let mut put = |x: f32, y: f32, width: f32, height: f32| {
        let (at, width, height) = (vec2(size * x, size * y), size * width, size * height);
        let id = add(world, BodyDef::dynamic().at(at).shape(Shape::rect(width, height)));
        placed.push((id, at, if width < height { width } else { height }));
    };
    let top = match stacked {
        Stacked::Pyramid => {
            for row in 0..9 {
                (0..10 - row).for_each(|k| put((2 * k + row) as f32 - 9.0, 1.0 + 2.0 * row as f32, 2.0, 2.0));
            }
            18.0
        }
        Stacked::Wall => {
            for row in 0..12 {
                let off = if row % 2 == 0 { -6.0 } else { -5.5 };
                (0..12).for_each(|k| put(k as f32 + off, 0.25 + 0.5 * row as f32, 1.0, 0.5));
            }
            6.0
        }
        Stacked::Cards => {
            for row in 0..10 {
                let y = 1.2 * row as f32;
                [-1.5, 1.5].iter().for_each(|&x| put(x, y + 0.5, 0.4, 1.0));
                put(0.0, y + 1.1, 4.0, 0.2);
            }
            12.0
        }
    };
    (placed, size * top)
}

/// How many bodies of a stack are out of place by more than half their least width 8 s after a box
/// of so many times the mass of the largest of them fell onto it from 2 m: the median of drops that
/// are not quite straight nor in the middle, of stacks of many sizes.
fn moved_by_a_blow(stacked: Stacked, times: f32, drops: usize) -> f64 {
    let mut random = Random::new(703);
    let mut counts = Vec::new();
    for _ in 0..drops {
        let mut world = World::new(WorldDef::default().gravity([0.0, -10.0]));
        add(&mut world, BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(400.0, 2.0)));
        let size = random.range(0.7_f32, 1.4);
        let (placed, top) = stack(&mut world, stacked, size);
        (0..60).for_each(|_| step_by(&mut world, DT));
        let heaviest = placed.iter().map(|&(id, ..)| world[id].mass()).fold(0.0, greater);
        let side = size * if matches!(stacked, Stacked::Pyramid) { 2.0 } else { 1.0 };
        let at = [random.range(-0.3_f32, 0.3) * size, top + 2.0 + 0.5 * side];
        let striker = BodyDef::dynamic().at(at).angle(random.range(-0.03_f32, 0.03));
        add(&mut world, striker.shape(Shape::rect(side, side)).density(times * heaviest / (side * side)));
        (0..480).for_each(|_| step_by(&mut world, DT));
        let off =
            |&&(id, at, width): &&(BodyId, Vec2, f32)| (world[id].position() - at).length() > 0.5 * width;
        counts.push(placed.iter().filter(off).count());
    }
    counts.sort_unstable();
    println!("{stacked:?}, {times} times: {counts:?}");
    counts[drops / 2] as f64
}

/// Blows of 18 to 100 times the mass move nothing of a pyramid and one brick of a wall, those of 30
/// and 100 times as with Box2D 3.2 and rapier2d 0.36. Of the 30 parts of a house of cards blows of
/// 10 to 30 times move none in the median, and those of 100 times 23; the better of these engines
/// moves 9 under 30 times and 23 under 100. (Where bodies of less than 24 times the mass are no
/// strikers, 12 parts moved under 10 times, and 29 under 18.)
#[test]
fn blows_of_heavy_boxes_move_little() {
    for (stacked, times, most) in [
        (Stacked::Pyramid, 30.0, 0.0),
        (Stacked::Pyramid, 100.0, 0.0),
        (Stacked::Pyramid, 18.0, 0.0),
        (Stacked::Wall, 18.0, 1.0),
        (Stacked::Wall, 30.0, 1.0),
        (Stacked::Wall, 100.0, 1.0),
        (Stacked::Cards, 10.0, 1.0),
        (Stacked::Cards, 18.0, 1.0),
        (Stacked::Cards, 30.0, 3.0),
        (Stacked::Cards, 100.0, 25.0),
    ] {
        let moved = moved_by_a_blow(stacked, times, rounds(4, 30));
        check_range(&format!("{stacked:?}, {times} times: moved in the median"), moved, ..=most);
    }
}

/// Steps of 1/240 and 1/30 s in turn, or of anything between 1/50 and 1/70: a column of eight boxes
/// stands as it does at 60 Hz.
#[test]
fn a_column_stands_whatever_the_length_of_steps() {
    type Length = fn(usize, &mut Random) -> f32;
    let in_turn: Length = |number, _| if number % 2 == 0 { 1.0 / 240.0 } else { 1.0 / 30.0 };
    let around_60: Length = |_, random| 1.0 / random.range(50.0_f32, 70.0);
    for (name, length) in [("in turn", in_turn), ("around 60", around_60)] {
        for seed in 0..rounds(2, 10) as u64 {
            let mut random = Random::new(702 + seed);
            let mut world = World::new(WorldDef::default().sleepless());
            ground(&mut world);
            let mut top = None;
            for row in 0..8 {
                let at = [random.range(-0.02_f32, 0.02), row as f32 + 0.5];
                top = Some(add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0))));
            }
            let top = top.expect("eight boxes");
            let start = world[top].position();
            for number in 0..rounds(400, 1_200) {
                let dt = length(number, &mut random);
                step_by(&mut world, dt);
            }
            let off = (world[top].position() - start).length();
            check_range(&format!("{name}, {seed}: the top box is off, m"), off, ..0.005);
        }
    }
}
