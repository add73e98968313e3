//! Stacks, and floors made of tiles.

use carom::prelude::*;

use testkit::worlds::{DT, add, box_on, check_range, deepest_overlap, earth, ground, run, step, top_speed};

const G: f64 = 9.81;

/// How deep the contacts of ten stacked boxes of 1 m are at most, from step `from` to step `to`.
fn deepest_in_stack(from: usize, to: usize) -> f64 {
    let mut world = earth();
    ground(&mut world);
    let stack: Vec<BodyId> = (0..10).map(|row| box_on(&mut world, row as f32, 0.0, [1.0, 1.0])).collect();
    let mut deepest = 0.0;
    for number in 0..to {
        step(&mut world);
        let height = |row: usize| f64::from(world[stack[row]].position().y);
        for row in 0..10 {
            let below = if row == 0 { -0.5 } else { height(row - 1) };
            let sunk = 1.0 - (height(row) - below);
            deepest = if number >= from && sunk > deepest { sunk } else { deepest };
        }
    }
    deepest
}

/// Ten boxes of 1 m stacked: from 10 s on no contact is sunk by more than 0.5 mm.
#[test]
fn a_stack_at_rest_is_not_sunk() {
    check_range("deepest contact from 10 to 30 s, m", deepest_in_stack(600, 1_800), ..=0.0005);
}

/// The same stack, built exactly in touch: nor has it sunk by more at any time after the first
/// second.
#[test]
fn a_stack_does_not_sink_on_its_way_to_rest() {
    check_range("deepest contact from 1 to 10 s, m", deepest_in_stack(60, 600), ..=0.0005);
}

/// A box of 0.4 m slides over 40 separate flush tiles at 2 and 10 m/s without friction: never
/// backward, never up or down by 5 mm, never turned by a degree, and it loses less than 0.1 % of
/// its speed. With friction 0.3 it stops where Coulomb says.
#[test]
fn a_box_slides_smoothly_over_flush_tiles() {
    for (speed, friction) in [(2.0_f32, 0.0_f32), (10.0, 0.0), (2.0, 0.3), (10.0, 0.3)] {
        let mut world = earth();
        let material = Material::default().friction(friction);
        for tile in 0..40 {
            let tile = BodyDef::fixed().at([tile as f32 + 0.5, -0.5]).shape(Shape::rect(1.0, 1.0));
            add(&mut world, tile.material(material));
        }
        let slider = BodyDef::dynamic().at([1.03, 0.2]).velocity([speed, 0.0]).shape(Shape::rect(0.4, 0.4));
        let slider = add(&mut world, slider.material(material));
        let (mut back, mut hop, mut tilt) = (f32::INFINITY, 0.0_f32, 0.0_f32);
        let steps = if friction == 0.0 { (37.0 / (speed * DT)) as usize } else { 300 };
        for _ in 0..steps {
            let before = world[slider].position();
            step(&mut world);
            let body = &world[slider];
            let (way, up) = (body.position().x - before.x, (body.position().y - 0.2).abs());
            // Once it has stopped it may rock back on its edge.
            let slides = body.velocity().x > 0.02 * speed;
            back = if slides && way < back { way } else { back };
            hop = if up > hop { up } else { hop };
            tilt = if body.angle().abs() > tilt { body.angle().abs() } else { tilt };
        }
        let name = format!("{speed} m/s, friction {friction}");
        check_range(&format!("{name}: least way in a step while it slides, m"), back, 0.0..);
        check_range(&format!("{name}: up or down, m"), hop, ..0.005);
        check_range(&format!("{name}: turned, rad"), tilt, ..0.0175);
        if friction == 0.0 {
            check_range(&format!("{name}: speed kept"), world[slider].velocity().x / speed, 0.999..=1.001);
        } else {
            let wanted = f64::from(speed * speed) / (2.0 * G * f64::from(friction));
            let way = f64::from(world[slider].position().x) - 1.03;
            check_range(&format!("{name}: way, of v²/2μg"), way / wanted, 0.98..=1.02);
        }
    }
}

/// Bodies that slide over separate flush tiles across the border of two regions, and across the seam
/// of a world that wraps round, hop by less than 1 mm and keep their speed, as at the origin.
#[test]
fn flush_tiles_are_one_floor_across_borders() {
    let wrapping = WorldDef { sleep: false, ..WorldDef::default() }.periodic(2, 0);
    let bounded = WorldDef { sleep: false, ..WorldDef::default() };
    for (name, def, base) in
        [("origin", bounded, 0.0), ("border", bounded, 512.0), ("seam", wrapping, 1536.0)]
    {
        for shape in [Shape::rect(0.4, 0.4), Shape::circle(0.2), Shape::regular(6, 0.2)] {
            for speed in [2.0_f32, 10.0, 30.0] {
                let origin = WorldPoint::from([base, 0.0]);
                let mut world = World::new(def);
                let slick = Material::default().friction(0.0);
                for tile in -12..12 {
                    let at = origin.offset(vec2(tile as f32 + 0.5, -0.5));
                    add(&mut world, BodyDef::fixed().at(at).shape(Shape::rect(1.0, 1.0)).material(slick));
                }
                let low = -shape.aabb(Transform::IDENTITY).min.y;
                let slider = BodyDef::dynamic().at(origin.offset(vec2(-9.0, low))).velocity([speed, 0.0]);
                let slider = add(&mut world, slider.shape(shape.clone()).material(slick));
                let mut hop = 0.0_f32;
                for _ in 0..(18.0 / (speed * DT)) as usize {
                    step(&mut world);
                    let up = (world[slider].position().y - low).abs();
                    hop = if up > hop { up } else { hop };
                }
                let kept = world[slider].velocity().x / speed;
                println!("{name}, {speed} m/s: hops by {hop} m, keeps {kept} of its speed");
                assert!(
                    hop < 0.001 && (kept - 1.0).abs() < 0.001,
                    "{name}, {speed} m/s, {shape:?}: {hop} m, {kept}"
                );
            }
        }
    }
}

/// Boxes at rest on a ground across the border of two or four regions, or just beside it, rest
/// there as at the origin: to 1 mm after 10 s.
#[test]
fn a_border_of_regions_is_no_border() {
    for base in [[0.0, 512.0], [512.0, 512.0], [-512.0, 100.0], [512.0, 0.0], [0.0, 505.0], [520.0, 520.0]] {
        let origin = WorldPoint::from(base);
        let mut world = earth();
        let at = |x: f32, y: f32| origin.offset(vec2(x, y));
        add(&mut world, BodyDef::fixed().at(at(0.0, -1.0)).shape(Shape::rect(8.0, 2.0)));
        let places = (0..6).map(|k| vec2(1.25 * (k % 3) as f32 - 1.25, 0.5 + (k / 3) as f32));
        let boxes: Vec<(Vec2, BodyId)> = places
            .map(|place| {
                let def = BodyDef::dynamic().at(at(place.x, place.y)).shape(Shape::rect(1.0, 1.0));
                (place, add(&mut world, def))
            })
            .collect();
        run(&mut world, 600);
        let off = |&(place, id): &(Vec2, BodyId)| {
            f64::from((origin.to(world[id].world_position()) - place).length())
        };
        let worst = boxes.iter().map(off).fold(0.0, |a, b| if b > a { b } else { a });
        println!("at {base:?}: {worst} m off");
        assert!(worst < 0.001, "at {base:?} a box is {worst} m off its place after 10 s, promised 0.001");
    }
}

/// What is laid on what: a load's width, and the places of boxes of 1 m below it.
type Laid<'a> = (&'a str, f32, &'a [[f32; 2]]);

/// How laid boxes fare in 10 s: deepest overlap at any time, greatest speed, farthest from its
/// place, and the step after which all slept.
fn fare(width: f32, places: &[[f32; 2]], sleeps: bool) -> ([f32; 3], Option<usize>) {
    let mut world = if sleeps { World::default() } else { earth() };
    ground(&mut world);
    let below = |&at: &[f32; 2]| add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)));
    let mut ids: Vec<BodyId> = places.iter().map(below).collect();
    let top = places.last().map_or(0.0, |at| at[1] + 0.5);
    let load = BodyDef::dynamic().at([0.0, top + 0.5]).shape(Shape::rect(width, 1.0));
    ids.push(add(&mut world, load.density(1_000.0 / width)));
    let before: Vec<Vec2> = ids.iter().map(|&id| world[id].position()).collect();
    let ([mut deepest, mut fastest], mut slept) = ([0.0; 2], None);
    for number in 1..=600 {
        step(&mut world);
        deepest = testkit::greater(deepest, deepest_overlap(&world));
        fastest = testkit::greater(fastest, top_speed(&world));
        slept = if world.stats().awake > 0 { None } else { slept.or(Some(number)) };
    }
    let moved = ids.iter().zip(before).map(|(&id, before)| (world[id].position() - before).length());
    ([deepest, fastest, moved.fold(0.0, testkit::greater)], slept)
}

/// A box a thousand times as heavy as each of those below, laid on one, on two side by side, or on
/// a column of three: it stands for 10 s, where it may sleep and where it may not; none is squeezed
/// by 5 mm, nothing is thrown, and what may sleep does.
#[test]
fn a_heavy_load_laid_on_light_boxes_rests() {
    let laid: [Laid; 3] = [
        ("one", 1.0, &[[0.0, 0.5]]),
        ("two", 2.4, &[[-0.7, 0.5], [0.7, 0.5]]),
        ("a column of three", 1.0, &[[0.0, 0.5], [0.0, 1.5], [0.0, 2.5]]),
    ];
    for (on, width, places) in laid {
        for sleeps in [true, false] {
            let ([deepest, fastest, moved], slept) = fare(width, places, sleeps);
            let name = format!("on {on}, {}", if sleeps { "may sleep" } else { "sleepless" });
            println!("{name}: asleep after {slept:?} steps");
            check_range(&format!("{name}: deepest overlap at any time, m"), deepest, ..0.005);
            check_range(&format!("{name}: fastest, m/s"), fastest, ..0.1);
            check_range(&format!("{name}: moved in 10 s, m"), moved, ..0.02);
            assert_eq!(slept.is_some(), sleeps, "{name}");
        }
    }
}
