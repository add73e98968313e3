//! Tile maps as an interface: questions name cells, snapshots name maps and hold what changed,
//! recordings and pieces take them along.

use std::sync::Arc;

use carom::prelude::*;
use carom::{
    Change, Changes, Error, Mark, Piece, RayAnswer, Recorder, Recording, ShapeError, TileMap, contact, ray,
};
use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{DT, add, step, valid};

/// All kinds but the empty one.
const KINDS: &[TileKind] = TileKind::ALL.split_at(1).1;

/// Below the slope, or above it: corners of the kinds as a picture has them, in quarters of a cell.
fn corners(kind: TileKind) -> &'static [[f32; 2]] {
    match kind {
        TileKind::SlopeUp => &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
        TileKind::SlopeDown => &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
        TileKind::CeilingUp => &[[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        TileKind::CeilingDown => &[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        TileKind::HalfUpLow => &[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5]],
        TileKind::HalfUpHigh => &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.5]],
        TileKind::HalfDownHigh => &[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.0, 1.0]],
        TileKind::HalfDownLow => &[[0.0, 0.0], [1.0, 0.0], [0.0, 0.5]],
        TileKind::HalfCeilingUpLow => &[[0.0, 0.0], [1.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
        TileKind::HalfCeilingUpHigh => &[[0.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
        TileKind::HalfCeilingDownHigh => &[[1.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
        TileKind::HalfCeilingDownLow => &[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.5]],
        _ => &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
    }
}

/// A map of random cells on a turned body, and each cell by itself with its number.
struct Scene {
    world: World,
    map: Arc<TileMap>,
    at: Transform,
    cells: Vec<(u32, Shape, bool)>,
}

fn scene(random: &mut Random, width: u32, height: u32) -> Scene {
    let cells: Vec<TileCell> = (0..width * height)
        .map(|_| if random.unit() < 0.7 { TileCell::EMPTY } else { random.one(KINDS).into() })
        .collect();
    let frame = Transform::new(vec2(random.range(-3.0, 3.0), random.range(-3.0, 3.0)), random.angle());
    let shape = Shape::tiles(0.8, width, &cells).transformed(frame);
    let Shape::Tiles(map) = shape.clone() else { panic!("a map") };
    let (middle, angle) = (vec2(random.range(-9.0, 9.0), random.range(-9.0, 9.0)), random.angle());
    let at = Transform::new(middle, angle);
    let mut world = World::new(WorldDef::default());
    let body = add(&mut world, BodyDef::fixed().at(at.position).angle(angle).shape(shape));
    // What comes near it makes parts of cells, which no question is to see.
    for _ in 0..10 {
        let def = BodyDef::dynamic().at(at.apply(frame.apply(random.vec2(6.0)))).shape(Shape::circle(0.3));
        add(&mut world, def);
    }
    (0..3).for_each(|_| step(&mut world));
    let at = Transform { position: world[body].position(), rotation: world[body].rotation() };
    let of = |number: u32| {
        let [x, y] = map.place(number);
        let kind = map.cell_at([x, y]).expect("a cell").kind;
        let corner = |&[u, v]: &[f32; 2]| frame.apply(vec2(x as f32 + u, y as f32 + v) * 0.8);
        let points: Vec<Vec2> = corners(kind).iter().map(corner).collect();
        (kind != TileKind::Empty).then(|| (number, Shape::polygon(&points), kind == TileKind::Sensor))
    };
    let cells = (0..map.len() as u32).filter_map(of).collect();
    Scene { world, map, at, cells }
}

/// Fixed bodies, sensors or not.
fn filter(sensors: bool) -> QueryFilter<'static> {
    QueryFilter {
        sensors,
        kinds: carom::Kinds { fixed: true, kinematic: false, dynamic: false },
        ..QueryFilter::default()
    }
}

/// Rays, casts, overlaps and what is nearest, at random over maps of random cells: each answer is
/// that of all cells one by one, and names the cell.
#[test]
fn answers_are_those_of_the_cells() {
    let mut random = Random::new(12);
    let mut hits = [0_usize; 4];
    for _ in 0..rounds(8, 100) {
        let scene = scene(&mut random, 19, 35);
        for sensors in [false, true] {
            let filter = filter(sensors);
            for _ in 0..40 {
                hits[0] += usize::from(ask_ray(&scene, &mut random, &filter));
                hits[1] += usize::from(ask_overlap(&scene, &mut random, &filter));
                hits[2] += usize::from(ask_cast(&scene, &mut random, &filter));
                hits[3] += usize::from(ask_nearest(&scene, &mut random, &filter));
            }
        }
    }
    assert!(hits.iter().all(|&count| count > 50), "{hits:?}");
}

impl Scene {
    /// A point in the map or near it.
    fn point(&self, random: &mut Random) -> Vec2 {
        let [width, height] = self.map.size().map(|count| 0.8 * count as f32);
        let inside = vec2(random.range(-3.0, width + 3.0), random.range(-3.0, height + 3.0));
        let corner = self.cells[0].1.aabb(Transform::IDENTITY).center();
        self.at.apply(corner + Rot::from_angle(random.angle()) * inside * 0.5)
    }

    fn admitted<'s>(&'s self, filter: &QueryFilter) -> impl Iterator<Item = (u32, &'s Shape)> {
        let sensors = filter.sensors;
        self.cells
            .iter()
            .filter(move |(.., sensor)| sensors || !sensor)
            .map(|(number, shape, _)| (*number, shape))
    }

    fn cell(&self, number: u32) -> &Shape {
        &self.cells.iter().find(|cell| cell.0 == number).expect("it is not empty").1
    }
}

fn ask_ray(scene: &Scene, random: &mut Random, filter: &QueryFilter) -> bool {
    let asked = WorldRay::between(scene.point(random), scene.point(random));
    let local = Ray { from: asked.from.position(), translation: asked.translation };
    let best = scene
        .admitted(filter)
        .filter_map(|(_, cell)| ray(cell, scene.at, local))
        .map(|hit| hit.fraction)
        .min_by(f32::total_cmp);
    let found = scene.world.ray(asked, filter);
    assert_eq!(scene.world.ray_any(asked, filter), found.is_some());
    let mut all: Vec<RayAnswer> = Vec::new();
    scene.world.ray_all(asked, filter, &mut all);
    assert_eq!(all, found.into_iter().collect::<Vec<_>>());
    match (found, best) {
        (Some(found), Some(best)) => {
            assert!((found.fraction - best).abs() < 1.0e-4, "{found:?} {best}");
            let own = ray(scene.cell(found.part), scene.at, local).expect("the cell it names");
            assert!((own.fraction - found.fraction).abs() < 1.0e-4);
            true
        }
        (found, best) => {
            // A ray that grazes a corner is met or not by a last digit.
            assert!(found.is_none() && best.is_none() || grazes(scene, local, filter), "{found:?} {best:?}");
            false
        }
    }
}

/// Whether a ray passes a corner within a few thousandths of a millimetre.
fn grazes(scene: &Scene, local: Ray, filter: &QueryFilter) -> bool {
    let line = Shape::segment(local.from, local.from + local.translation);
    let least = scene
        .admitted(filter)
        .map(|(_, cell)| distance(&line, Transform::IDENTITY, cell, scene.at).separation)
        .min_by(f32::total_cmp);
    least.is_some_and(|least| least.abs() < 1.0e-4)
}

fn ask_overlap(scene: &Scene, random: &mut Random, filter: &QueryFilter) -> bool {
    let shape = if random.unit() < 0.5 { Shape::circle(0.6) } else { Shape::rect(1.4, 0.4) };
    let place = Transform::new(scene.point(random), random.angle());
    let asked = PlacedShape { rotation: place.rotation, ..PlacedShape::at(&shape, place.position) };
    let mut found = Vec::new();
    scene.world.overlap_shape(&asked, filter, &mut found);
    let gap = |cell: &Shape| distance(&shape, place, cell, scene.at).separation;
    if scene.admitted(filter).any(|(_, cell)| gap(cell).abs() < 1.0e-4) {
        return false;
    }
    let first = scene.admitted(filter).find(|(_, cell)| gap(cell) < 0.0).map(|(number, _)| number);
    assert_eq!(found.first().map(|answer| answer.part), first);

    let point = scene.point(random);
    let inside = |cell: &Shape| -closest_point(cell, scene.at, point).distance;
    if scene.admitted(filter).all(|(_, cell)| inside(cell).abs() > 1.0e-4) {
        scene.world.overlap_point(point, filter, &mut found);
        let first = scene.admitted(filter).find(|(_, cell)| inside(cell) > 0.0).map(|(number, _)| number);
        assert_eq!(found.first().map(|answer| answer.part), first);
    }
    first.is_some()
}

fn ask_cast(scene: &Scene, random: &mut Random, filter: &QueryFilter) -> bool {
    let shape = if random.unit() < 0.5 { Shape::circle(0.3) } else { Shape::rect(0.5, 0.3) };
    let (from, to) = (scene.point(random), scene.point(random));
    let asked = ShapeCast::new(&shape, from, to - from).angle(random.angle());
    let motion = Motion {
        start: Transform { position: from, rotation: asked.start.rotation },
        translation: to - from,
        turn: 0.0,
    };
    let own = |cell: &Shape| cast(&shape, motion, cell, Motion::still(scene.at)).map(|hit| hit.time);
    let best = scene.admitted(filter).filter_map(|(_, cell)| own(cell)).min_by(f32::total_cmp);
    let found = scene.world.cast(&asked, filter);
    let (Some(found), Some(best)) = (found, best) else {
        assert!(
            found.is_none() == best.is_none() || best.is_some_and(|best| best > 0.999),
            "{found:?} {best:?}"
        );
        return false;
    };
    assert!((found.time - best).abs() < 1.0e-3, "{found:?} {best}");
    let named = own(scene.cell(found.part)).expect("the cell it names");
    assert!((found.time - named).abs() < 1.0e-3, "{found:?} {named}");
    true
}

fn ask_nearest(scene: &Scene, random: &mut Random, filter: &QueryFilter) -> bool {
    let point = scene.point(random);
    let gap = |cell: &Shape| closest_point(cell, scene.at, point).distance;
    let best = scene.admitted(filter).map(|(_, cell)| gap(cell)).min_by(f32::total_cmp);
    let Some(found) = scene.world.nearest(point, 30.0, filter) else {
        assert!(best.is_none_or(|best| best > 29.9));
        return false;
    };
    let best = best.expect("there is one");
    assert!((found.distance - best).abs() < 1.0e-4, "{found:?} {best}");
    assert!((gap(scene.cell(found.part)) - found.distance).abs() < 1.0e-4);
    true
}

/// A contact of a ball with a map names the cell that it lies on.
#[test]
fn contacts_name_their_cells() {
    let mut world = World::new(WorldDef::default());
    add(&mut world, BodyDef::fixed().shape(Shape::tiles(1.0, 5, &[TileCell::SOLID; 10])));
    let ball = add(&mut world, BodyDef::dynamic().at([3.5, 2.3]).shape(Shape::circle(0.3)));
    (0..30).for_each(|_| step(&mut world));
    let touch = world.contacts_of_body(ball).next().expect("it lies there");
    let Some(Shape::Tiles(map)) = world.get_shape(touch.touch.a).map(|it| it.shape().clone()) else {
        panic!("the map was first")
    };
    assert_eq!(map.place(touch.parts[0]), [3, 1]);
    let own =
        contact(&Shape::circle(0.3), Transform::at([3.5, 2.3]), &Shape::Tiles(map), Transform::IDENTITY);
    assert!(own.is_some_and(|own| own.part_b == 8));
}

/// A valley of cells in which 40 bodies fall about while cells come and go.
struct Play {
    world: World,
    map: ShapeId,
    random: Random,
}

impl Play {
    fn new(seed: u64) -> Play {
        let mut random = Random::new(seed);
        let (width, height) = (30, 20);
        let cell = |k: u32| {
            let [x, y] = [k % width, k / width];
            if y < 3 || x < 1 || x + 1 == width { TileCell::SOLID } else { TileCell::EMPTY }
        };
        let cells: Vec<TileCell> = (0..width * height).map(cell).collect();
        let mut world = World::new(WorldDef::default());
        let ground = add(&mut world, BodyDef::fixed().shape(Shape::tiles(1.0, width, &cells)));
        let map = world.shapes_of(ground).next().expect("a shape").0;
        for k in 0..40 {
            let at = vec2(3.0 + 0.6 * k as f32, random.range(4.0, 16.0));
            let shape = match k % 3 {
                0 => Shape::circle(0.3),
                1 => Shape::rect(0.6, 0.4),
                _ => Shape::regular(5, 0.35),
            };
            add(&mut world, BodyDef::dynamic().at(at).angle(random.angle()).shape(shape));
        }
        let lift = BodyDef::kinematic().at([15.0, 8.0]).velocity([0.0, -0.5]);
        add(&mut world, lift.shape(Shape::tiles(0.5, 3, &[TileCell::SOLID; 6])));
        Play { world, map, random }
    }

    /// Some edits, and a step.
    fn step(&mut self, edits: bool) {
        if edits && self.random.unit() < 0.3 {
            for _ in 0..self.random.below(12) {
                let place = [1 + self.random.below(28) as u32, self.random.below(8) as u32];
                let empty = self.random.unit() < 0.5;
                let cell = if empty { TileCell::EMPTY } else { self.random.one(KINDS).into() };
                self.world.set_tile(self.map, place, cell).expect("a cell");
            }
        }
        self.world.step(DT).expect("a step");
    }
}

/// At any step, also between edits and the step that follows: a world that was loaded from a
/// snapshot, into itself, into a world that has the map as it was made or as it is by now, or from
/// one with all shapes, and a clone, go on with the same bits for 60 steps.
#[test]
fn snapshots_of_maps_go_on_with_the_same_bits() {
    for seed in 0..rounds(1, 6) as u64 {
        let mut play = Play::new(seed);
        let origin = play.world.clone();
        for round in 0..rounds(6, 40) {
            for _ in 0..7 + round % 5 {
                play.step(true);
            }
            valid(&play.world);
            if round % 2 == 0 {
                play.world.set_tile(play.map, [5, 3], TileCell::SOLID).expect("a cell");
                play.world.set_tile(play.map, [6, 2], TileCell::EMPTY).expect("a cell");
            }
            let (mut image, mut whole) = (Vec::new(), Vec::new());
            play.world.save_into(&mut image);
            play.world.save_whole_into(&mut whole);
            let mut loaded = [origin.clone(), play.world.clone(), World::default(), play.world.clone()];
            loaded[0].load(&image).expect("it has the map");
            loaded[1].load(&image).expect("it has the map");
            loaded[2].load(&whole).expect("it has everything");
            let mut ahead = play.world.clone();
            for k in 0..60 {
                ahead.step(DT).expect("a step");
                for (which, world) in loaded.iter_mut().enumerate() {
                    world.step(DT).expect("a step");
                    assert_eq!(world.hash(), ahead.hash(), "seed {seed}, round {round}, {which}, step {k}");
                }
            }
            valid(&loaded[2]);
        }
    }
}

/// Images of maps with a bit or a word changed, and their checksum made right: each is refused, or
/// a world whose invariants hold and that steps (release: 6,000 of them).
#[test]
fn damaged_images_of_maps_are_refused_or_valid() {
    let mut play = Play::new(2);
    (0..30).for_each(|_| play.step(true));
    play.world.set_tile(play.map, [5, 3], TileCell::SOLID).expect("a cell");
    let (mut image, mut whole) = (Vec::new(), Vec::new());
    play.world.save_into(&mut image);
    play.world.save_whole_into(&mut whole);
    let mut world = play.world.clone();
    let mut random = Random::new(1);
    let mut taken = 0;
    for k in 0..rounds(200, 6_000) {
        let mut bytes = if k % 3 == 0 { whole.clone() } else { image.clone() };
        for _ in 0..1 + random.below(2) {
            // Much of it is at the end: cells that are parts.
            let from = if k % 2 == 0 { 32 } else { bytes.len() - bytes.len() / 8 };
            let at = from + random.below((bytes.len() - from) / 4) * 4;
            let word = match random.below(3) {
                0 => u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four")) ^ 1 << random.below(32),
                1 => random.below(2_000) as u32,
                _ => u32::MAX,
            };
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        carom::restamp(&mut bytes);
        if world.load(&bytes).is_ok() {
            taken += 1;
            valid(&world);
            world.step(DT).expect("a step");
            valid(&world);
        }
    }
    assert!(taken > 20, "{taken}");
}

/// A map of a million cells with 100 edits: the snapshot is some kilobytes, and it loads into a
/// world with the map as it was made.
#[test]
fn snapshots_name_the_map_and_hold_edits() {
    let mut world = World::default();
    let cells = vec![TileCell::SOLID; 1_000_000];
    let map = Shape::tiles(1.0, 1000, &cells);
    let Shape::Tiles(tiles) = &map else { panic!("a map") };
    assert!(tiles.bytes() <= 4 * 1_000_000, "{}", tiles.bytes());
    let ground = add(&mut world, BodyDef::fixed().shape(map));
    let map = world.shapes_of(ground).next().expect("a shape").0;
    let origin = world.clone();
    for k in 0..100 {
        world.set_tile(map, [7 * k, 9 * k], TileCell::EMPTY).expect("a cell");
    }
    let mut image = Vec::new();
    world.save_into(&mut image);
    assert!(image.len() < 3000, "{} bytes", image.len());
    let mut loaded = origin.clone();
    loaded.load(&image).expect("it has the map");
    assert_eq!(loaded.hash(), world.hash());
    assert_ne!(loaded.hash(), origin.hash());
    let is_empty = |world: &World, place| {
        let Shape::Tiles(map) = world[map].shape() else { panic!("a map") };
        map.cell_at(place) == Some(TileCell::EMPTY)
    };
    assert!(is_empty(&loaded, [70, 90]) && !is_empty(&origin, [70, 90]));
    // Back to what it was made of, nothing is left to say.
    for k in 0..100 {
        world.set_tile(map, [7 * k, 9 * k], TileCell::SOLID).expect("a cell");
    }
    let mut loaded = World::default();
    world.save_whole_into(&mut image);
    assert!(image.len() < 70_000, "runs of cells: {} bytes", image.len());
    loaded.load(&image).expect("it has everything");
    loaded.step(DT).expect("a step");
    world.step(DT).expect("a step");
    assert_eq!(loaded.hash(), world.hash());
}

/// A recording of edits, with key frames, replays to the same bits.
#[test]
fn recordings_take_edits_along() {
    let mut play = Play::new(3);
    play.world.record(Recorder { key_every: 40, hashes: true });
    (0..150).for_each(|_| play.step(true));
    let recording = play.world.stop_recording().expect("it was on");
    let mut replay = Recording::from_bytes(&recording.to_bytes()).expect("untouched").replay();
    assert_eq!(replay.first_divergence(), None);
    assert_eq!(replay.world().hash(), play.world.hash());
}

/// A valley with its map and the bodies in it, taken out, written, read and pasted where it was:
/// the bodies sleep on, the edits are there, and a crate whose cell goes falls.
#[test]
fn pieces_take_maps_along() {
    let mut play = Play::new(4);
    (0..40).for_each(|_| play.step(true));
    (0..600).for_each(|_| play.step(false));
    let places = |world: &World| world.bodies().map(|(_, body)| body.position()).collect::<Vec<_>>();
    let before = places(&play.world);
    let awake = play.world.bodies().filter(|(_, body)| body.is_awake()).count();
    let all: Vec<BodyId> = play.world.bodies().map(|(id, _)| id).collect();
    let piece = play.world.extract(&all).expect("a piece");
    assert_eq!(play.world.body_count(), 0);
    valid(&play.world);
    let mut bytes = Vec::new();
    piece.write(&mut bytes);
    let piece = Piece::read(&bytes).expect("untouched");
    let mut world = World::default();
    let pasted = world.paste(&piece, WorldPoint::ORIGIN).expect("there is room");
    valid(&world);
    assert_eq!(places(&world), before);
    assert_eq!(world.bodies().filter(|(_, body)| body.is_awake()).count(), awake);
    (0..60).for_each(|_| _ = world.step(DT).expect("a step"));
    valid(&world);
    let ground = world.shapes_of(pasted.bodies[0]).next().expect("a map").0;
    let Shape::Tiles(map) = world[ground].shape().clone() else { panic!("a map") };
    for part in 0..map.len() as u32 {
        world.set_tile(ground, map.place(part), TileCell::EMPTY).expect("a cell");
    }
    valid(&world);
    (0..120).for_each(|_| _ = world.step(DT).expect("a step"));
    let falls = |body: &carom::Body| body.kind() != BodyKind::Dynamic || body.velocity().y < -5.0;
    assert!(world.bodies().all(|(_, body)| falls(body)));
}

/// The journal of changes has one note of a thousand edits of a map.
#[test]
fn edits_are_changes_of_the_map() {
    let mut world = World::default();
    let ground = add(&mut world, BodyDef::fixed().shape(Shape::tiles(1.0, 50, &[TileCell::SOLID; 1000])));
    let map = world.shapes_of(ground).next().expect("a shape").0;
    let mut mark = Mark::default();
    world.changes(&mut mark);
    for k in 0..1000 {
        world.set_tile(map, [k % 50, k / 50], TileCell::EMPTY).expect("a cell");
    }
    assert_eq!(world.changes(&mut mark), Changes::Some(&[Change::Changed(map)]));
    assert_eq!(world.changes(&mut mark), Changes::Some(&[]));
    world.set_tile(map, [7, 7], TileCell::SOLID).expect("a cell");
    assert_eq!(world.changes(&mut mark), Changes::Some(&[Change::Changed(map)]), "and again");
}

/// What `set_tile` and definitions refuse, and the world as it was.
#[test]
fn what_maps_refuse() {
    let mut world = World::default();
    let refused = |shape: Shape| shape.checked().expect_err("it breaks a rule");
    assert_eq!(refused(Shape::tiles(0.0, 1, &[TileCell::SOLID])), ShapeError::NotPositive);
    assert_eq!(refused(Shape::tiles(f32::NAN, 1, &[TileCell::SOLID])), ShapeError::OutOfRange);
    assert_eq!(refused(Shape::tiles(1.0, 0, &[TileCell::SOLID])), ShapeError::Empty);
    assert_eq!(refused(Shape::tiles(1.0, 2, &[TileCell::SOLID])), ShapeError::Empty);
    assert_eq!(refused(Shape::tiles(1.0, 1, &[])), ShapeError::Empty);
    let far = Shape::tiles(1.0, 1, &[TileCell::SOLID]).at([1.0e6, 0.0]);
    assert_eq!(refused(far), ShapeError::TooSmall);
    let one = Shape::tiles(1.0, 1, &[TileCell::SOLID]);
    assert_eq!(refused(one.clone().rounded(0.1)), ShapeError::NotApplicable);
    assert_eq!(refused(Shape::compound([one.clone()])), ShapeError::BadPart(0));

    let large = Shape::tiles(1.0, 256, &vec![TileCell::SOLID; 65_536]);
    let too_many = Err(Error::Shape(ShapeError::TooManyParts));
    assert_eq!(world.add(BodyDef::dynamic().shape(large.clone())).map(drop), too_many);
    assert_eq!(world.add(BodyDef::kinematic().shape(large.clone())).map(drop), too_many);
    let fixed = world.add(BodyDef::fixed().shape(large)).expect("fixed bodies may have it");
    assert_eq!(world.set_kind(fixed, BodyKind::Kinematic), too_many);
    let map = world.shapes_of(fixed).next().expect("a shape").0;
    let (before, ball) = (world.hash(), Shape::circle(1.0));
    assert!(matches!(world.set_tile(map, [256, 0], TileCell::EMPTY), Err(Error::BadNumber(_))));
    assert!(matches!(world.set_tile(map, [0, u32::MAX], TileCell::EMPTY), Err(Error::BadNumber(_))));
    assert_eq!(world.set_tile(map, [0, 0], TileCell::SOLID), Ok(()), "nothing to do");
    assert_eq!(world.hash(), before);
    let other = world.attach(fixed, ball).expect("a shape");
    assert_eq!(world.set_tile(other, [0, 0], TileCell::EMPTY), Err(Error::Shape(ShapeError::NotApplicable)));
}
