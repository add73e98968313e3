//! Tile maps: cells side by side are one surface, and come and go.

use carom::prelude::*;
use carom::{TileMap, contacts_within};

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{DT, add, bits, check_range, earth, run, space, step};

/// All kinds but the empty one and sensors.
const SOLID: &[TileKind] = TileKind::ALL.split_at(15).0.split_at(1).1;

/// A row of cells by signs, from the top row down: `#` solid, `/` and `\` slopes, `l` and `h` the
/// low and high half of one that rises to the right, `=` one-way, `s` sensor, all else empty.
fn picture(rows: &[&str]) -> (u32, Vec<TileCell>) {
    let width = rows[0].len() as u32;
    let cell = |sign: char| match sign {
        '#' => TileKind::Solid,
        '/' => TileKind::SlopeUp,
        '\\' => TileKind::SlopeDown,
        'l' => TileKind::HalfUpLow,
        'h' => TileKind::HalfUpHigh,
        '=' => TileKind::OneWay,
        's' => TileKind::Sensor,
        _ => TileKind::Empty,
    };
    (width, rows.iter().rev().flat_map(|row| row.chars().map(|sign| TileCell::from(cell(sign)))).collect())
}

fn map_of(side: f32, rows: &[&str]) -> Shape {
    let (width, cells) = picture(rows);
    Shape::tiles(side, width, &cells)
}

/// The shape of a cell in the frame of the map, by itself.
fn cell_shape(map: &TileMap, [x, y]: [u32; 2]) -> Option<Shape> {
    let side = map.side();
    let corner = |u: f32, v: f32| vec2(x as f32 + u, y as f32 + v) * side;
    let of = |points: &[[f32; 2]]| {
        let points: Vec<Vec2> = points.iter().map(|&[u, v]| corner(u, v)).collect();
        Some(Shape::polygon(&points))
    };
    match map.cell_at([x, y])?.kind {
        TileKind::Empty => None,
        TileKind::SlopeUp => of(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),
        TileKind::SlopeDown => of(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
        TileKind::CeilingUp => of(&[[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
        TileKind::CeilingDown => of(&[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
        TileKind::HalfUpLow => of(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5]]),
        TileKind::HalfUpHigh => of(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.5]]),
        TileKind::HalfDownHigh => of(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.0, 1.0]]),
        TileKind::HalfDownLow => of(&[[0.0, 0.0], [1.0, 0.0], [0.0, 0.5]]),
        TileKind::HalfCeilingUpLow => of(&[[0.0, 0.0], [1.0, 0.5], [1.0, 1.0], [0.0, 1.0]]),
        TileKind::HalfCeilingUpHigh => of(&[[0.0, 0.5], [1.0, 1.0], [0.0, 1.0]]),
        TileKind::HalfCeilingDownHigh => of(&[[1.0, 0.5], [1.0, 1.0], [0.0, 1.0]]),
        TileKind::HalfCeilingDownLow => of(&[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.5]]),
        _ => Some(Shape::rect(side, side).at(corner(0.5, 0.5))),
    }
}

/// A map of random cells, and the same cells as a compound, with the number of each.
fn random_map(random: &mut Random, side: f32, width: u32, height: u32) -> (Shape, Shape, Vec<u32>) {
    let cells: Vec<TileCell> = (0..width * height)
        .map(|_| if random.unit() < 0.4 { TileCell::EMPTY } else { TileCell::from(random.one(SOLID)) })
        .collect();
    let map = Shape::tiles(side, width, &cells);
    let Shape::Tiles(tiles) = &map else { panic!("{map:?}") };
    let numbers = (0..width * height).filter(|&part| cells[part as usize] != TileCell::EMPTY).collect();
    let parts = (0..width * height).filter_map(|part| cell_shape(tiles, tiles.place(part)));
    let compound = Shape::compound(parts);
    (map, compound, numbers)
}

/// Circles, boxes, capsules and polygons at 20,000 random places over random maps of 6 × 5 cells
/// (release): the manifolds are those with the same cells as a compound, to the bit, and name the
/// cells.
#[test]
fn manifolds_are_those_of_the_cells() {
    let mut random = Random::new(3);
    let guests = [
        Shape::circle(0.4),
        Shape::rect(0.7, 0.5),
        Shape::capsule([-0.3, 0.0], [0.3, 0.0], 0.2),
        Shape::regular(5, 0.5),
        Shape::rect(0.5, 0.5).rounded(0.1),
    ];
    let mut met = 0;
    for _ in 0..rounds(10, 200) {
        let (map, compound, numbers) = random_map(&mut random, 0.75, 6, 5);
        for _ in 0..100 {
            let guest = &guests[random.below(guests.len())];
            let at = Transform::new(vec2(random.range(-0.5, 5.0), random.range(-0.5, 4.5)), random.angle());
            let host = Transform::new(vec2(random.range(-3.0, 3.0), 1.5), random.angle());
            let at = Transform { position: host.apply(at.position), ..at };
            let list = |shape: &Shape| {
                let mut list = Vec::new();
                contacts_within(guest, at, shape, host, 0.1, |found| list.push(*found));
                list.sort_by_key(|found| (found.part_a, found.part_b));
                list
            };
            let (of_map, mut of_compound) = (list(&map), list(&compound));
            for found in &mut of_compound {
                found.part_b = numbers[found.part_b as usize];
            }
            assert_eq!(of_map, of_compound);
            met += of_map.len();
        }
    }
    check_range("manifolds", met as f64, 1000.0..);
}

/// Random maps: area, centre and inertia are those of the same cells as a compound, within a
/// millionth; so they are where the map is turned, shifted, and mirrored.
#[test]
fn the_mass_of_a_map_is_that_of_its_cells() {
    let mut random = Random::new(8);
    for _ in 0..rounds(20, 500) {
        let (map, compound, _) = random_map(&mut random, 0.3, 7, 6);
        let place = Transform::new(vec2(random.range(-4.0, 4.0), random.range(-4.0, 4.0)), random.angle());
        let mirrored = [map.clone(), compound.clone()].map(Shape::mirrored);
        let placed = [map.clone(), compound.clone()].map(|shape| shape.transformed(place));
        for [map, compound] in [[map, compound], mirrored, placed] {
            let (found, wanted) = (map.mass(2.0), compound.mass(2.0));
            assert!((found.mass / wanted.mass - 1.0).abs() < 2.0e-6, "{found:?} {wanted:?}");
            assert!((found.inertia / wanted.inertia - 1.0).abs() < 2.0e-6, "{found:?} {wanted:?}");
            assert!(found.center.distance(wanted.center) < 2.0e-6, "{found:?} {wanted:?}");
        }
    }
}

/// Ball, capsule, box, plank, hexagon over a map of two rows of flush cells, of 1 m and 0.3 m,
/// level and turned by 2 degrees, without friction, at 0.1 to 50 m/s: up and down less than 0.2 mm,
/// less than 0.01 % of the speed is lost, a ball does not spin.
#[test]
fn flush_cells_are_not_felt() {
    let hexagon = [(0.2, -0.2), (0.35, 0.0), (0.2, 0.2), (-0.2, 0.2), (-0.35, 0.0), (-0.2, -0.2)];
    let sliders = [
        (Shape::circle(0.4), 0.4),
        (Shape::capsule([-0.3, 0.0], [0.3, 0.0], 0.2), 0.2),
        (Shape::rect(0.4, 0.4), 0.2),
        (Shape::rect(2.4, 0.1), 0.05),
        (Shape::polygon(&hexagon.map(Vec2::from)), 0.2),
    ];
    let ice = Material::default().friction(0.0);
    let mut random = Random::new(17);
    let (mut hop, mut lost, mut spin) = (0.0_f32, [0.0_f32; 2], 0.0_f32);
    for (slope, side, (shape, height), speed) in [0.0_f32, 2.0].into_iter().flat_map(|slope| {
        let speeds = [0.1, 0.5, 2.0, 10.0, 30.0, 50.0];
        let sliders = &sliders;
        [1.0_f32, 0.3].into_iter().flat_map(move |side| {
            sliders.iter().flat_map(move |slider| speeds.map(|speed| (slope, side, slider, speed)))
        })
    }) {
        let turn = Rot::from_angle(slope.to_radians());
        let mut world = World::new(WorldDef::default().gravity(turn * vec2(0.0, -9.81)).sleepless());
        let width = ((speed * 4.0 + 8.0) / side) as u32;
        let map =
            Shape::tiles(side, width, &vec![TileCell::SOLID; 2 * width as usize]).at([-1.0, -2.0 * side]);
        add(&mut world, BodyDef::fixed().angle(slope.to_radians()).shape(map).material(ice));
        let start = random.range(1.5, 2.0);
        let def = BodyDef::dynamic().at(turn * vec2(start, *height)).angle(slope.to_radians());
        let slider =
            add(&mut world, def.velocity(turn * vec2(speed, 0.0)).shape(shape.clone()).material(ice));
        for _ in 0..240 {
            step(&mut world);
            let place = turn.inverse() * world[slider].position();
            hop = hop.max_of((place.y - height).abs());
            if matches!(shape, Shape::Circle(_)) {
                spin = spin.max_of(world[slider].angular_velocity().abs());
            }
        }
        let left = turn.inverse() * world[slider].velocity();
        let lost = &mut lost[usize::from(slope > 0.0)];
        *lost = lost.max_of((1.0 - left.x / speed).abs());
    }
    check_range("up or down, m", hop, ..2.0e-4);
    check_range("share of the speed lost on the level", lost[0], ..1.0e-4);
    check_range("share of the speed lost on the slope", lost[1], ..1.2e-4);
    check_range("spin of a ball, rad/s", spin, ..0.01);
}

/// The larger of two numbers.
trait MaxOf {
    fn max_of(self, other: Self) -> Self;
}

impl MaxOf for f32 {
    fn max_of(self, other: f32) -> f32 {
        if other > self { other } else { self }
    }
}

/// A ball rolls with friction up a flight of half slopes and slopes of cells: its energy never
/// grows, and it is never deeper than 0.5 mm in any cell.
#[test]
fn a_ball_rolls_over_slopes_of_cells() {
    let rows =
        ["..............#", "...........#/##", "......lh###/###", "....lh#########", "###############"];
    let mut world = earth();
    let shape = map_of(1.0, &rows);
    let Shape::Tiles(map) = shape.clone() else { panic!("a map") };
    add(&mut world, BodyDef::fixed().shape(shape));
    let rolling = BodyDef { angular_velocity: -9.0 / 0.4, ..BodyDef::dynamic() };
    let def = rolling.at([1.0, 1.4]).velocity([9.0, 0.0]);
    let ball = add(&mut world, def.shape(Shape::circle(0.4)));
    let energy = |world: &World| {
        let body = &world[ball];
        let spin = 0.5 * 0.5 * 0.16 * body.angular_velocity() * body.angular_velocity();
        0.5 * body.velocity().length_squared() + spin + 9.81 * body.position().y
    };
    let (mut before, mut gained, mut deepest) = (energy(&world), 0.0_f32, 0.0_f32);
    for _ in 0..300 {
        step(&mut world);
        let now = energy(&world);
        gained = gained.max_of(now - before);
        before = now;
        let at = Transform::at(world[ball].position());
        for cell in 0..map.len() as u32 {
            if let Some(cell) = cell_shape(&map, map.place(cell)) {
                let gap = distance(&Shape::circle(0.4), at, &cell, Transform::IDENTITY).separation;
                deepest = deepest.max_of(-gap);
            }
        }
    }
    check_range("energy gained in a step, J/kg", gained, ..0.02);
    check_range("deepest in a cell, m", deepest, ..5.0e-4);
}

/// 60 boxes, balls and polygons dropped on hills of all kinds of cells come to rest there within 15
/// s, all asleep, and none is deeper than 5 mm in a cell (release: 20 such maps).
#[test]
fn what_is_dropped_on_cells_rests_and_sleeps() {
    let mut deepest = 0.0_f32;
    for seed in 0..rounds(2, 20) as u64 {
        let mut random = Random::new(40 + seed);
        let (mut world, map, bodies) = hills(&mut random);
        let mut steps = 0;
        while steps < 900 && bodies.iter().any(|&(id, _)| world[id].is_awake()) {
            step(&mut world);
            steps += 1;
        }
        testkit::worlds::valid(&world);
        let awake = bodies.iter().filter(|&&(id, _)| world[id].is_awake()).count();
        assert_eq!(awake, 0, "of seed {seed} after {steps} steps");
        for (id, shape) in &bodies {
            let body = &world[*id];
            assert!(body.position().y > 0.5, "seed {seed}: {body:?}");
            let at = Transform { position: body.position(), rotation: body.rotation() };
            for part in 0..map.len() as u32 {
                let place = map.place(part);
                // What came from the side is in a one-way cell.
                let is_one_way = map.cell_at(place).is_some_and(|cell| cell.kind == TileKind::OneWay);
                if let Some(cell) = cell_shape(&map, place).filter(|_| !is_one_way) {
                    deepest = deepest.max_of(-distance(shape, at, &cell, Transform::IDENTITY).separation);
                }
            }
        }
    }
    check_range("deepest in a cell, m", deepest, ..5.0e-3);
}

/// A valley between two walls with a random floor, and bodies above it.
fn hills(random: &mut Random) -> (World, std::sync::Arc<TileMap>, Vec<(BodyId, Shape)>) {
    let (width, height) = (24_u32, 16_u32);
    let mut cells = vec![TileCell::EMPTY; (width * height) as usize];
    let mut floor = 2_u32;
    for x in 0..width {
        let is_wall = x == 0 || x == width - 1;
        let top = if is_wall { height } else { floor };
        (0..top).for_each(|y| cells[(y * width + x) as usize] = TileCell::SOLID);
        if !is_wall {
            let cell = &mut cells[(floor * width + x) as usize];
            match random.below(6) {
                0 if floor < 5 => (*cell, floor) = (TileKind::SlopeUp.into(), floor + 1),
                1 if floor > 2 => {
                    floor -= 1;
                    cells[(floor * width + x) as usize] = TileKind::SlopeDown.into();
                }
                2 => *cell = TileKind::HalfUpLow.into(),
                3 => *cell = TileKind::HalfDownLow.into(),
                4 => *cell = TileKind::OneWay.into(),
                _ => {}
            }
        }
    }
    let shape = Shape::tiles(1.0, width, &cells);
    let Shape::Tiles(map) = shape.clone() else { panic!("a map") };
    let mut world = World::new(WorldDef::default());
    add(&mut world, BodyDef::fixed().shape(shape));
    let mut bodies = Vec::new();
    for k in 0..60 {
        let shape = match k % 4 {
            0 => Shape::rect(random.range(0.3, 0.9), random.range(0.3, 0.9)),
            1 => Shape::circle(random.range(0.15, 0.4)),
            2 => Shape::regular(3 + random.below(5), random.range(0.25, 0.5)),
            _ => Shape::rect(0.5, 0.4).rounded(0.05),
        };
        let at = vec2(2.0 + 2.0 * (k % 10) as f32 + random.range(-0.3, 0.3), 8.0 + 1.2 * (k / 10) as f32);
        // A ball on a level floor rolls for ever without it.
        let material = Material::default().rolling_resistance(0.02);
        let def = BodyDef::dynamic().at(at).angle(random.angle()).shape(shape.clone()).material(material);
        bodies.push((add(&mut world, def), shape));
    }
    (world, map, bodies)
}

/// A map that was edited cell by cell to what another was built as: 60 bodies that fall on it go
/// the same ways, to the bit.
#[test]
fn an_edited_map_is_one_that_was_built_so() {
    let (mut built, map, _) = hills(&mut Random::new(9));
    let (mut edited, _, bodies) = hills(&mut Random::new(9));
    let ground = edited.bodies().next().expect("the ground").0;
    let (shape, _) = edited.shapes_of(ground).next().expect("a shape");
    let [width, height] = map.size();
    let mut random = Random::new(2);
    for _ in 0..500 {
        let place = [random.below(width as usize) as u32, random.below(height as usize) as u32];
        edited.set_tile(shape, place, random.one(SOLID).into()).expect("a cell");
    }
    for part in 0..map.len() as u32 {
        let place = map.place(part);
        edited.set_tile(shape, place, map.cell_at(place).expect("a cell")).expect("a cell");
    }
    for _ in 0..300 {
        built.step(DT).expect("a step");
        edited.step(DT).expect("a step");
    }
    assert_eq!(bits(&built), bits(&edited));
    assert!(bodies.iter().any(|&(id, _)| edited[id].position().y < 6.0));
}

/// A crate asleep on a row of cells: the cell below it goes, it wakes in that step and falls. A
/// cell that comes where a crate sleeps wakes it, and pushes it out.
#[test]
fn cells_that_go_and_come_wake() {
    let mut world = World::new(WorldDef::default());
    let ground = add(&mut world, BodyDef::fixed().shape(map_of(1.0, &["........", "########"])));
    let (map, _) = world.shapes_of(ground).next().expect("a shape");
    let boxes =
        [1.5, 6.1].map(|x| add(&mut world, BodyDef::dynamic().at([x, 1.25]).shape(Shape::rect(0.5, 0.5))));
    run(&mut world, 120);
    assert!(boxes.iter().all(|&id| !world[id].is_awake()));
    world.set_tile(map, [7, 0], TileCell::EMPTY).expect("a cell");
    assert!(boxes.iter().all(|&id| !world[id].is_awake()), "nothing rests on that cell");
    world.set_tile(map, [0, 1], TileCell::SOLID).expect("a cell");
    run(&mut world, 1);
    assert!(boxes.iter().all(|&id| !world[id].is_awake()), "that cell is beside it");
    world.set_tile(map, [1, 0], TileCell::EMPTY).expect("a cell");
    assert!(world[boxes[0]].is_awake() && !world[boxes[1]].is_awake());
    run(&mut world, 60);
    check_range("fallen, m", world[boxes[0]].position().y, ..=-2.5);
    world.set_tile(map, [5, 1], TileCell::SOLID).expect("a cell");
    run(&mut world, 1);
    assert!(world[boxes[1]].is_awake());
    run(&mut world, 300);
    check_range("pushed out to, m", world[boxes[1]].position().x, 6.248..=6.4);
    check_range("and stands on the floor, m", world[boxes[1]].position().y, 1.249..=1.251);
}

/// A ball thrown up through a one-way row from below passes it and comes to rest on it; what falls
/// on it from above stays there.
#[test]
fn one_way_cells_let_through_from_below() {
    let mut world = World::new(WorldDef::default());
    add(&mut world, BodyDef::fixed().shape(map_of(1.0, &["......", "======", "......", "......", "######"])));
    let ball = |x: f32, y: f32, speed: f32| {
        BodyDef::dynamic().at([x, y]).velocity([0.0, speed]).shape(Shape::circle(0.3))
    };
    let thrown = add(&mut world, ball(1.5, 1.4, 10.0));
    let weak = add(&mut world, ball(3.5, 1.4, 3.0));
    let dropped = add(&mut world, ball(4.5, 6.0, 0.0));
    run(&mut world, 240);
    check_range("thrown, m", world[thrown].position().y, 4.299..=4.301);
    check_range("thrown not high enough, m", world[weak].position().y, 1.299..=1.301);
    check_range("dropped, m", world[dropped].position().y, 4.299..=4.301);
}

/// A ball that falls through a row of sensor cells enters once and leaves once, though it passes
/// several cells, and is a visitor in between; it is not slowed down.
#[test]
fn sensor_cells_tell_who_is_in_them() {
    let mut world = earth();
    let ground =
        add(&mut world, BodyDef::fixed().shape(map_of(1.0, &["ssss", "ssss", "....", "....", "####"])));
    let (map, _) = world.shapes_of(ground).next().expect("a shape");
    let ball = add(&mut world, BodyDef::dynamic().at([2.0, 6.0]).shape(Shape::circle(0.3)));
    let (mut entered, mut left, mut inside) = (0, 0, 0);
    for _ in 0..50 {
        step(&mut world);
        entered += world.events().entered().iter().filter(|visit| visit.visitor_body == ball).count();
        left += world.events().left().iter().filter(|visit| visit.visitor_body == ball).count();
        inside += usize::from(!world.visitors(map).is_empty());
        if left == 0 {
            let wanted = -9.81 * DT * world.step_count() as f32;
            assert!((world[ball].velocity().y - wanted).abs() < 1.0e-3);
        }
    }
    assert_eq!((entered, left), (1, 1));
    check_range("steps inside", inside as f64, 10.0..=40.0);
    run(&mut world, 60);
    assert!(world.touching(map).len() == 1 && world.visitors(map).is_empty());
}

/// Cells have the materials of their numbers: of two boxes pushed over a map, that on cells of ice
/// keeps its speed, and that on rough ones stands.
#[test]
fn cells_have_materials_by_number() {
    let mut world = earth();
    let row = |material: u8| vec![TileCell::new(TileKind::Solid, material); 40];
    let mut cells = row(1);
    cells.extend(vec![TileCell::EMPTY; 3 * 40]);
    cells.extend(row(7));
    let mut def = ShapeDef::from(Shape::tiles(1.0, 40, &cells));
    def.part_materials = vec![Material::default().friction(0.0); 8];
    def.part_materials[7] = Material::default().friction(1.0);
    add(&mut world, BodyDef::fixed().shape(def));
    let slider = |y: f32| BodyDef::dynamic().at([3.0, y]).velocity([4.0, 0.0]).shape(Shape::rect(1.0, 0.5));
    let on_ice = add(&mut world, slider(1.25));
    let on_rock = add(&mut world, slider(5.25));
    run(&mut world, 120);
    check_range("speed on ice", world[on_ice].velocity().x, 3.99..=4.01);
    check_range("speed on rock", world[on_rock].velocity().x.abs(), ..0.01);
}

/// Without gravity two maps of cells fly into each other: momentum and angular momentum stay, as
/// they do when cells are taken off in between and their mass goes with them. On a level floor a
/// map comes to rest flat.
#[test]
fn a_map_may_move() {
    let mut world = space();
    let cross = map_of(0.5, &[".#.", "###", ".#."]);
    let a = add(&mut world, BodyDef::dynamic().at([-3.0, 0.0]).velocity([4.0, 0.0]).shape(cross.clone()));
    let b = add(&mut world, BodyDef::dynamic().at([1.0, 0.3]).shape(cross.clone()));
    check_range("mass, kg", world[a].mass(), 1.2499..=1.2501);
    let momentum = testkit::worlds::momentum(&world);
    run(&mut world, 120);
    let now = testkit::worlds::momentum(&world);
    assert!((now - momentum).length() < 1.0e-5, "{now} {momentum}");
    assert!(world[b].velocity().x > 1.0);
    let (shape, _) = world.shapes_of(b).next().expect("a shape");
    world.set_tile(shape, [1, 1], TileCell::EMPTY).expect("a cell");
    check_range("mass of the rest, kg", world[b].mass(), 0.9999..=1.0001);

    let mut world = World::new(WorldDef::default());
    add(&mut world, BodyDef::fixed().shape(Shape::tiles(1.0, 20, &[TileCell::SOLID; 40])));
    let table = map_of(0.25, &["####", "#..#", "#..#"]);
    let table = add(&mut world, BodyDef::dynamic().at([8.1, 3.0]).shape(table));
    run(&mut world, 300);
    assert!(!world[table].is_awake());
    check_range("height of its feet, m", world[table].position().y, 1.999..=2.001);
}

/// 200 bullets of 0.1 m at 40 to 300 m/s at a wall of cells of 0.25 m, and 50 that are struck on
/// their way: none gets through.
#[test]
fn bullets_do_not_pass_cells() {
    let mut random = Random::new(6);
    let mut world = space();
    let (side, width) = (0.25, 2_u32);
    let map = Shape::tiles(side, width, &vec![TileCell::SOLID; 800]).at([0.0, -50.0]);
    add(&mut world, BodyDef::fixed().shape(map));
    let mut bullets = Vec::new();
    for k in 0..200 {
        let at = vec2(random.range(-30.0, -1.0), -48.0 + 0.48 * k as f32);
        let velocity = vec2(random.range(40.0, 300.0), random.range(-20.0, 20.0));
        let shape = if k % 2 == 0 { Shape::circle(0.05) } else { Shape::rect(0.1, 0.1) };
        let spinning = BodyDef { angular_velocity: random.range(-30.0, 30.0), ..BodyDef::dynamic() };
        let def = spinning.at(at).velocity(velocity);
        bullets.push(add(&mut world, def.shape(shape)));
        if k % 4 == 0 {
            // Something heavy that comes after it and gives it a blow.
            let hammer = BodyDef::dynamic().at(at - vec2(0.6, 0.0)).velocity(1.5 * velocity);
            add(&mut world, hammer.shape(Shape::circle(0.3)));
        }
    }
    run(&mut world, 90);
    let passed = bullets.iter().filter(|&&id| {
        let at = world[id].position();
        at.x > 0.5 * side && at.y.abs() < 49.0
    });
    assert_eq!(passed.count(), 0);
}

/// A character runs at 5 m/s over flush cells, through sensor cells, up a slope and onto a level:
/// its feet stay a skin above the floor, within 0.3 mm on the level ones, and a wall of cells stops
/// it.
#[test]
fn a_mover_walks_on_cells() {
    let mut world = World::new(WorldDef::default());
    let rows = ["...............#", "...............#", "...ss..../######", "################"];
    add(&mut world, BodyDef::fixed().shape(map_of(1.0, &rows)));
    let mover = Mover::new(MoverDef::default()).expect("the default breaks no rule");
    let (mut place, mut velocity) = (WorldPoint::from([1.0, 2.5]), Vec2::ZERO);
    let (mut on_floor, mut highest, mut lowest) = (0, 0.0_f32, f32::INFINITY);
    for k in 0..240 {
        let wanted = vec2(5.0, velocity.y - 9.81 * DT);
        let outcome = mover.clone().slide(&world, place, wanted, DT).expect("numbers in range");
        (place, velocity) = (outcome.position, outcome.velocity);
        let at = place.position();
        if k > 60 && at.x < 8.0 {
            (highest, lowest) = (highest.max_of(at.y), -(-lowest).max_of(-at.y));
            on_floor += 1;
        }
    }
    check_range("steps on the level", f64::from(on_floor), 20.0..);
    check_range("up and down, m", highest - lowest, ..3.0e-4);
    let at = place.position();
    check_range("stopped by the wall at, m", at.x, 14.0..15.0);
    check_range("on the upper level, above the lower, m", at.y - lowest, 0.999..1.001);
}
