//! In a world that wraps round, a scene across the seam has the bits of the same scene in the
//! middle.
//!
//! Any world is written down as a level and put over the corner of four regions: once in the middle
//! of a world that wraps round, once over the seam on the right, on that above, and over the corner
//! of both. They are stepped side by side; so is the same scene in a world without end. Only the
//! regions of bodies differ.

use carom::broadphase::WorldAabb;
use carom::prelude::*;
use carom::{
    Anchor, Area, Error, IVec2, JointKind, Lanes, Level, LevelError, Mover, MoverDef, PlacedShape,
    Prediction, Ring, ShapeCast, Ties, TileCell, TileKind,
};
use testkit::chaos::Chaos;
use testkit::golden;
use testkit::random::Random;
use testkit::worlds::valid;

/// After how many regions the worlds repeat themselves.
const PERIOD: IVec2 = IVec2::new(2, 3);

/// Lower left regions of scenes over a corner: in the middle, across a seam, across both.
const BASES: [IVec2; 4] = [IVec2::ZERO, IVec2::new(1, 0), IVec2::new(0, 2), IVec2::new(1, 2)];

/// A place of a scene that is put over the upper right corner of a region.
fn moved(point: WorldPoint, base: IVec2) -> WorldPoint {
    WorldPoint::new(point.region + base, point.local).offset(vec2(512.0, 512.0))
}

/// The level over the corner of a region, in a world of a period.
fn placed(level: &Level, base: IVec2, period: IVec2) -> Level {
    let mut level = level.clone();
    level.world = level.world.periodic(period.x, period.y);
    level.bodies.iter_mut().for_each(|body| body.def.position = moved(body.def.position, base));
    for joint in &mut level.joints {
        for anchor in [&mut joint.def.anchor_a, &mut joint.def.anchor_b] {
            if let Anchor::World(point) = anchor {
                *point = moved(*point, base);
            }
        }
        if let JointKind::Pulley { ground_a, ground_b, .. } = &mut joint.def.kind {
            (*ground_a, *ground_b) = (moved(*ground_a, base), moved(*ground_b, base));
        }
    }
    level
}

fn world_of(level: &Level, base: IVec2, period: IVec2) -> Result<World, LevelError> {
    placed(level, base, period).to_world().map(|(world, _)| world)
}

/// A region as seen from the base of a scene.
fn region_from(base: IVec2, region: IVec2) -> [i32; 2] {
    let from = region - base;
    [from.x.rem_euclid(PERIOD.x), from.y.rem_euclid(PERIOD.y)]
}

/// All of a body but for where the scene is.
fn state_of(base: IVec2, body: &carom::Body) -> ([i32; 2], [u32; 7], bool) {
    let center = body.world_center();
    let (rotation, velocity) = (body.rotation(), body.velocity());
    let numbers = [
        center.local.x,
        center.local.y,
        rotation.cos,
        rotation.sin,
        velocity.x,
        velocity.y,
        body.angular_velocity(),
    ];
    (region_from(base, center.region), numbers.map(f32::to_bits), body.is_awake())
}

/// Events of the last step, by what they are about.
fn events_of(world: &World) -> String {
    let events = world.events();
    let (begun, ended) = (events.begun(), events.ended());
    format!("{begun:?}{ended:?}{:?}{:?}{:?}", events.entered(), events.left(), events.slept())
}

/// Manifolds and impulses, but for where the scene is.
fn contacts_of(world: &World) -> Vec<[u32; 8]> {
    let of = |contact: carom::Contact| {
        let (mut row, normal) = ([contact.points().len() as u32; 8], contact.normal);
        let numbers =
            contact.points().iter().flat_map(|at| [at.normal_impulse, at.separation, at.point.local.x]);
        let numbers = [normal.x, normal.y].into_iter().chain(numbers);
        row.iter_mut().zip(numbers).for_each(|(to, x)| *to = x.to_bits());
        row
    };
    world.contacts().map(of).collect()
}

fn joints_of(world: &World) -> Vec<[u32; 5]> {
    let of = |(id, _): (JointId, _)| {
        let state = world.joint_state(id).expect("it is there");
        [state.gap, state.angle, state.length, state.force.x, state.force.y].map(f32::to_bits)
    };
    world.joints().map(of).collect()
}

/// The first thing in which a scene differs from its twin in the middle.
fn difference(middle: &World, base: IVec2, other: &World) -> Option<String> {
    let pairs = middle.bodies().zip(other.bodies());
    let unlike = pairs.into_iter().find_map(|((id, a), (_, b))| {
        let (a, b) = (state_of(IVec2::ZERO, a), state_of(base, b));
        (a != b).then(|| format!("{id}: {a:?} is not {b:?}"))
    });
    let (of_middle, of_other) = (contacts_of(middle), contacts_of(other));
    unlike
        .or_else(|| (events_of(middle) != events_of(other)).then(|| "events differ".into()))
        .or_else(|| {
            (of_middle != of_other).then(|| format!("{} and {} contacts", of_middle.len(), of_other.len()))
        })
        .or_else(|| (joints_of(middle) != joints_of(other)).then(|| "joints differ".into()))
}

/// Steps a level in the middle, over each seam, and in a world without end, and compares all of it
/// after each step. How many bodies slept, touches began, and bodies crossed a border.
fn compare(name: &str, level: &Level, steps: u32) -> Result<[usize; 3], String> {
    let error = |error: LevelError| format!("{name}: {error}");
    let mut middle = world_of(level, IVec2::ZERO, PERIOD).map_err(error)?;
    let mut others = Vec::new();
    for base in &BASES[1..] {
        others.push((*base, world_of(level, *base, PERIOD).map_err(error)?));
    }
    others.push((IVec2::ZERO, world_of(level, IVec2::ZERO, IVec2::ZERO).map_err(error)?));
    let mut seen = [0; 3];
    for step in 0..steps {
        let dt = if step % 50 == 49 { 1.0 / 90.0 } else { 1.0 / 60.0 };
        let regions = |world: &World| -> Vec<IVec2> {
            world.bodies().map(|(_, body)| body.world_center().region).collect()
        };
        let before = regions(&middle);
        middle.step(dt).expect("a step");
        for (base, other) in &mut others {
            other.step(dt).expect("a step");
            // Joints act along the shortest way: without end, the shortest is the only one.
            let length =
                |(id, _)| middle.joint_state(id).map_or(0.0, |it| f64::from(it.length).max(it.gap.into()));
            let (is_endless, longest) =
                (other.def().period == IVec2::ZERO, middle.joints().map(length).fold(0.0, f64::max));
            if is_endless && longest > 500.0 {
                continue;
            }
            let end = if is_endless { "without end" } else { "" };
            if let Some(unlike) = difference(&middle, *base, other) {
                return Err(format!("{name} over {base}, step {step} {end}: {unlike}"));
            }
        }
        seen[0] += middle.events().slept().len();
        seen[1] += middle.events().begun().len();
        seen[2] += before.iter().zip(regions(&middle)).filter(|(before, now)| *before != now).count();
    }
    for (_, other) in &others {
        valid(other);
    }
    Ok(seen)
}

#[test]
fn golden_scenes_across_the_seam_have_the_bits_of_the_middle() {
    let (moment, steps) = if cfg!(debug_assertions) { (40, 20) } else { (90, 120) };
    let (mut wrong, mut seen) = (Vec::new(), [0; 3]);
    for (name, build) in golden::SCENES.into_iter().filter(|(name, _)| *name != "far") {
        let mut scene = build().expect("a scene");
        while scene.frame < moment {
            scene.step().expect("a step");
        }
        match compare(name, &scene.world.to_level(), steps) {
            Ok(of) => (0..3).for_each(|k| seen[k] += of[k]),
            Err(unlike) => wrong.push(unlike),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cfg!(debug_assertions) || (seen[1] > 3_000 && seen[2] > 600), "{seen:?}");
}

#[test]
fn worlds_of_everything_across_the_seam_have_the_bits_of_the_middle() {
    let (seeds, steps) = if cfg!(debug_assertions) { (4, 30) } else { (32, 150) };
    let (mut seen, mut wrong) = ([0; 3], Vec::new());
    for seed in 0..seeds {
        let mut chaos = Chaos::new(2_000 + seed, 60);
        for _ in 0..seed % 4 * 20 {
            chaos.step(1.0 / 60.0);
        }
        let mut level = chaos.world.to_level();
        let error = world_of(&level, IVec2::ZERO, PERIOD).expect_err("it stands on a half-plane");
        assert!(error.to_string().contains("wraps round"), "{error}");
        let shapes = level.bodies.iter_mut().flat_map(|body| &mut body.def.shapes);
        for shape in shapes.filter(|shape| matches!(shape.shape, Shape::HalfPlane(_))) {
            shape.shape = Shape::rect(200.0, 2.0).at([0.0, -4.0]);
        }
        match compare(&format!("seed {seed}"), &level, steps) {
            Ok(of) => (0..3).for_each(|k| seen[k] += of[k]),
            Err(unlike) => wrong.push(unlike),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cfg!(debug_assertions) || (seen[0] > 60 && seen[2] > 300), "{seen:?}");
}

/// A game over the corner of four regions: what is asked of the world goes back into it.
struct Game {
    base: IVec2,
    world: World,
    random: Random,
    things: Vec<BodyId>,
    ground: BodyId,
    lift: BodyId,
    walker: BodyId,
    mover: Mover,
    tiles: BodyId,
    drag: JointId,
    ring: Ring,
    /// What was answered in the last step, without places.
    told: String,
}

const BRICK: [f32; 2] = [0.7, 0.5];

impl Game {
    fn new(base: IVec2, period: IVec2) -> Game {
        let def = WorldDef::default().periodic(period.x, period.y);
        let (mut world, at) = (World::new(def), |x: f32, y: f32| Game::place(base, vec2(x, y)));
        let mut add = |def: BodyDef| world.add(def).expect("no rule is broken");
        let ground = add(BodyDef::fixed().at(at(0.0, -6.0)).shape(Shape::rect(60.0, 2.0)));
        for x in [-20.0, 20.0] {
            add(BodyDef::fixed().at(at(x, 4.0)).shape(Shape::rect(1.0, 30.0)));
        }
        let hills: Vec<Vec2> =
            (0..20).rev().map(|k| vec2(k as f32 - 10.0, (k % 3) as f32 * 0.2 - 4.9)).collect();
        add(BodyDef::fixed().at(at(0.0, 0.0)).shape(Shape::chain(&hills)));
        let cells: Vec<TileCell> = (0..64)
            .map(
                |k| if k % 8 < 2 || k % 5 == 0 { TileCell::new(TileKind::Solid, 0) } else { TileCell::EMPTY },
            )
            .collect();
        let tiles = add(BodyDef::fixed().at(at(-4.0, -0.5)).shape(Shape::tiles(0.5, 8, &cells)));
        let pool =
            add(BodyDef::fixed().at(at(9.0, -3.0)).shape(ShapeDef::from(Shape::rect(9.0, 4.0)).sensor()));
        let lift = add(BodyDef::kinematic().at(at(0.0, 3.0)).shape(Shape::rect(4.0, 0.3)));
        let walker =
            add(BodyDef::kinematic().at(at(-15.0, -3.0)).shape(Shape::capsule([0.0, 0.0], [0.0, 0.6], 0.3)));
        let mut things = Vec::new();
        for k in 0..70 {
            let place = at((k % 14) as f32 - 7.0, 5.0 + (k / 14) as f32);
            let shape = match k % 4 {
                0 => Shape::circle(0.35),
                1 => Shape::rect(BRICK[0], BRICK[1]),
                2 => Shape::regular(5, 0.4),
                _ => Shape::capsule([-0.3, 0.0], [0.3, 0.0], 0.15),
            };
            things.push(add(BodyDef::dynamic().at(place).angle(k as f32).shape(shape)));
        }
        let water = world.shapes_of(pool).next().expect("a pool").0;
        world.set_area(water, Some(Area::fluid(1_000.0, 2.0))).expect("a sound area");
        for k in (0..60).step_by(6) {
            let (a, b) = (things[k], things[k + 1]);
            let joint = match k / 6 % 5 {
                0 => JointDef::revolute(a, b).anchors([0.5, 0.0], [-0.5, 0.0]),
                1 => JointDef::rope(a, b, 2.0),
                2 => JointDef::distance(a, b).soft(Spring::new(3.0, 0.3)),
                3 => JointDef::weld(a, b),
                _ => JointDef::pulley(a, b, at(-2.0, 12.0), at(2.0, 12.0), 1.0),
            };
            world.add_joint(joint).expect("no rule is broken");
        }
        let drag = world.add_joint(JointDef::drag(things[65], at(1.0, 6.0), 200.0)).expect("a mouse");
        let mover = Mover::new(MoverDef::default()).expect("a mover");
        Game {
            base,
            world,
            random: Random::new(5),
            things,
            ground,
            lift,
            walker,
            mover,
            tiles,
            drag,
            ring: Ring::new(1 << 22),
            told: String::new(),
        }
    }

    fn place(base: IVec2, at: Vec2) -> WorldPoint {
        WorldPoint::new(base, vec2(512.0, 512.0)).offset(at)
    }

    fn at(&self, x: f32, y: f32) -> WorldPoint {
        Game::place(self.base, vec2(x, y))
    }

    /// Where a point is, without where the scene is.
    fn seen(&self, point: WorldPoint) -> String {
        format!("{:?}{:?} ", region_from(self.base, point.region), point.local)
    }

    fn any(&mut self) -> BodyId {
        let there: Vec<BodyId> =
            self.things.iter().copied().filter(|&id| self.world.get(id).is_some()).collect();
        there[self.random.below(there.len())]
    }

    /// Rays, casts, overlaps, what is nearest: from both sides of both seams.
    fn ask(&mut self) -> Result<(), Error> {
        let from = self.random.vec2(12.0);
        let from = Game::place(self.base, from);
        let (way, size) = (self.random.vec2(30.0), self.random.range(0.1, 3.0) as f32);
        let all = QueryFilter::default().with_sensors();
        let mut told = String::new();
        let ray = WorldRay::new(from, way);
        let first = self.world.ray(ray, &all);
        assert_eq!(first.is_some(), self.world.ray_any(ray, &all));
        let mut hits = Vec::new();
        self.world.ray_all(ray, &all, &mut hits);
        for hit in first.iter().chain(&hits) {
            told += &format!("{:?}{:?}{:?}{}", hit.body, hit.fraction, hit.normal, self.seen(hit.point));
        }
        let shape = Shape::rect(size, 0.5 * size);
        let mut touches = Vec::new();
        let cast = ShapeCast::new(&shape, from, way).turning(1.0);
        self.world.cast_all(&cast, &all, &mut touches);
        for hit in self.world.cast(&cast, &all).iter().chain(&touches) {
            told += &format!("{:?}{:?}{:?}{}", hit.body, hit.time, hit.normal, self.seen(hit.point));
        }
        let mut overlaps = Vec::new();
        self.world.overlap_shape(&PlacedShape::at(&shape, from), &all, &mut overlaps);
        told += &format!("{overlaps:?}");
        let half = vec2(size, 2.0 * size);
        let around = Aabb { min: from.local - half, max: from.local + half };
        self.world.overlap_aabb(WorldAabb { region: from.region, aabb: around }, &all, &mut overlaps);
        told += &format!("{overlaps:?}");
        self.world.overlap_point(from, &all, &mut overlaps);
        told += &format!("{overlaps:?}");
        let mut near = Vec::new();
        self.world.nearest_few(from, 20.0, 5, &all, &mut near);
        for found in self.world.nearest(from, f32::INFINITY, &all).iter().chain(&near) {
            told +=
                &format!("{:?}{:?}{:?}{}", found.body, found.distance, found.normal, self.seen(found.point));
        }
        self.told += &told;
        if let Some(hit) = first.filter(|hit| self.things.contains(&hit.body)) {
            self.world.apply_impulse_at(hit.body, way * 0.02, hit.point)?;
        }
        Ok(())
    }

    /// Changes of all kinds.
    fn change(&mut self, frame: u32) -> Result<(), Error> {
        let (body, x) = (self.any(), self.random.range(-8.0, 8.0) as f32);
        let y = self.random.range(-3.0, 8.0) as f32;
        match frame % 16 {
            0 => self.world.teleport(body, self.at(x, 9.0), None)?,
            1 => self.world.set_velocity(body, [20.0 * x, 60.0])?,
            2 => self.world.explode(self.at(x, y), 2.0, 4.0, 3.0)?,
            3 => self.things.push(self.world.add(
                BodyDef::dynamic().at(self.at(x, 12.0)).velocity([0.0, -90.0]).shape(Shape::circle(0.1)),
            )?),
            4 => {
                _ = self
                    .world
                    .slice(body, self.at(x, y), self.at(x + 1.0, y + 3.0))
                    .map(|all| self.things.extend(all))
            }
            5 => {
                let points = [self.at(x, y), self.at(x + 0.2, y), self.at(x, y + 0.3)];
                _ = self.world.fragment(body, &points).map(|all| self.things.extend(all));
            }
            6 => {
                let hole = Shape::circle(0.4);
                let hole = PlacedShape::at(&hole, self.at(0.5 * x, -5.0));
                _ = self.world.subtract(self.ground, &hole)?;
            }
            7 => {
                let cell = if frame % 32 > 16 { TileCell::EMPTY } else { TileCell::new(TileKind::Solid, 0) };
                let map = self.world.shapes_of(self.tiles).next().expect("a map").0;
                self.world.set_tile(map, [frame / 16 % 8, frame / 4 % 8], cell)?;
            }
            8 => {
                if self.world.get_joint(self.drag).is_none() {
                    self.drag = self.world.add_joint(JointDef::drag(body, self.at(x, y), 200.0))?;
                }
                self.world.drag_to(self.drag, self.at(y, x))?;
            }
            9 => _ = self.world.attach(body, Shape::circle(0.2).at([0.3, 0.3]))?,
            10 => {
                let other = self.any();
                let [from, to] = [body, other].map(|id| self.world[id].world_position());
                // What was thrown far is not tied: worlds that wrap round refuse long joints.
                let is_near = from.to(self.world.nearest_image(to, from)).length() < 30.0;
                if other != body && is_near {
                    self.world.add_joint(JointDef::distance(body, other))?;
                }
            }
            11 => {
                let mut found = Prediction::new();
                self.world.predict(&[body], 30, 1.0 / 60.0, &mut found)?;
                let path: String = found.path(body).iter().map(|it| self.seen(it.position)).collect();
                self.told += &path;
            }
            12 => {
                let corner = self.at(-4.0, -4.0);
                let aabb = Aabb { min: corner.local, max: corner.local + vec2(7.0, 9.0) };
                let piece = self.world.cut(WorldAabb { region: corner.region, aabb }, Ties::Come)?;
                let there = self.world.paste(&piece, corner)?;
                for (old, new) in piece.taken().iter().zip(&there.bodies) {
                    self.things.iter_mut().filter(|id| *id == old).for_each(|id| *id = *new);
                    for id in [&mut self.ground, &mut self.lift, &mut self.walker, &mut self.tiles] {
                        *id = if id == old { *new } else { *id };
                    }
                }
                self.told += &format!("{} taken", piece.taken().len());
            }
            13 => self.world.apply_force_at(body, [x, 50.0], self.at(x, y))?,
            _ => {}
        }
        Ok(())
    }

    fn step(&mut self, frame: u32) -> Result<(), Error> {
        self.told.clear();
        self.ask()?;
        if frame > 100 {
            self.change(frame)?;
        }
        let time = frame as f32 / 60.0;
        let lift = self.at(6.0 * carom::math::sin(time), 3.0 + 2.0 * carom::math::cos(0.7 * time));
        self.world.move_to(self.lift, lift, 0.3 * carom::math::sin(2.0 * time))?;
        let speed = if (frame / 300).is_multiple_of(2) { 6.0 } else { -6.0 };
        let outcome = self.mover.move_body(&mut self.world, self.walker, [speed, -6.0], 1.0 / 60.0)?;
        self.told += &self.seen(outcome.position);
        if frame % 40 == 20 {
            self.ring.save(&self.world);
        }
        if frame % 40 == 39 {
            // Back to where it was, and on as if nothing had been.
            let (mut bytes, mut loaded) = (Vec::new(), World::default());
            self.world.save_whole_into(&mut bytes);
            loaded.load(&bytes).expect("its own bytes");
            assert_eq!(loaded.hash(), self.world.hash());
            self.world = if frame % 80 == 39 { loaded } else { self.world.clone() };
        }
        self.world.step(1.0 / 60.0)?;
        Ok(())
    }
}

/// A game of 900 steps with calls of all kinds, in the middle, over each seam, with scalar lanes,
/// and without end: the same bits and the same answers.
#[test]
fn a_game_across_the_seam_has_the_bits_and_answers_of_the_middle() {
    let steps = if cfg!(debug_assertions) { 120 } else { 400 };
    let mut middle = Game::new(IVec2::ZERO, PERIOD);
    let mut others: Vec<Game> = BASES[1..].iter().map(|&base| Game::new(base, PERIOD)).collect();
    others.push(Game::new(IVec2::ZERO, IVec2::ZERO));
    others[2].world.set_lanes(Lanes::scalar());
    let mut told = 0;
    for frame in 0..steps {
        middle.step(frame).unwrap_or_else(|error| panic!("step {frame}: {error}"));
        told += middle.told.len();
        for other in &mut others {
            let (base, end) = (other.base, other.world.def().period == IVec2::ZERO);
            other.step(frame).unwrap_or_else(|error| panic!("step {frame} over {base}: {error}"));
            let unlike = difference(&middle.world, base, &other.world);
            assert_eq!(unlike, None, "step {frame} over {base}, without end: {end}");
            assert_eq!(middle.told, other.told, "step {frame} over {base}, without end: {end}");
        }
    }
    for game in &others {
        valid(&game.world);
    }
    assert!(told > 500 * steps as usize, "{told}");
}

/// A heap of 3,000 bodies in several zones, on four threads over the corner and on one in the
/// middle.
#[test]
fn a_large_heap_on_several_threads_over_the_corner_has_the_bits_of_the_middle() {
    let (count, steps) = if cfg!(debug_assertions) { (400, 10) } else { (3_000, 160) };
    let heap = |base: IVec2| {
        let mut world = World::new(WorldDef::default().sleepless().periodic(PERIOD.x, PERIOD.y));
        let at = |x: f32, y: f32| Game::place(base, vec2(x, y));
        let mut add = |def: BodyDef| world.add(def).expect("no rule is broken");
        add(BodyDef::fixed().at(at(0.0, -11.0)).shape(Shape::rect(100.0, 2.0)));
        for x in [-31.0, 31.0] {
            add(BodyDef::fixed().at(at(x, 20.0)).shape(Shape::rect(1.0, 80.0)));
        }
        for k in 0..count {
            let place = at((k % 60) as f32 - 29.5 + 0.01 * (k % 7) as f32, (k / 60) as f32 - 9.0);
            let shape = if k % 3 == 0 { Shape::circle(0.45) } else { Shape::rect(0.9, 0.9) };
            add(BodyDef::dynamic().at(place).shape(shape));
        }
        world
    };
    let (mut middle, base) = (heap(IVec2::ZERO), BASES[3]);
    let mut corner = heap(base);
    corner.set_threads(4);
    for step in 0..steps {
        for world in [&mut middle, &mut corner] {
            world.step(1.0 / 60.0).expect("a step");
        }
        let unlike = difference(&middle, base, &corner);
        assert_eq!(unlike, None, "step {step}");
    }
    assert!(cfg!(debug_assertions) || middle.stats().contacts > 4_096, "{}", middle.stats().contacts);
    valid(&corner);
}
