//! carom behind [`Engine`]: what a user of the crate writes, with its defaults.

use carom::prelude::*;
use carom::{Answers, PlacedShape};
use std::fmt::Write as _;
use std::sync::LazyLock;
use std::time::Instant;
use testkit::scenes::plan::{BodyPlan, Handle, HingePlan, WorldPlan};
use testkit::scenes::{CaromStage, Stage};

use super::{BLAST, DT, Engine, Parts, SUB_STEPS, State, Way};

/// Version, and the lanes it chose on this machine.
pub(crate) fn build() -> String {
    let lanes = carom::Lanes::default();
    let mut text = format!("{}, lanes chosen at run time: {lanes}", env!("VERSUS_CAROM"));
    let _ = write!(text, "; {}", crate::machine::RUST_BUILD);
    text
}

pub(crate) struct CaromWorld {
    stage: CaromStage,
    tiles: Option<ShapeId>,
    /// Whether questions are asked one at a time.
    one_by_one: bool,
}

/// Nanoseconds since this was first asked.
fn nanoseconds() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

impl CaromWorld {
    pub(crate) fn new(plan: &WorldPlan) -> Result<CaromWorld, String> {
        let def = WorldDef { gravity: plan.gravity, sub_steps: SUB_STEPS as u32, ..WorldDef::default() };
        let def = WorldDef { sleep: plan.sleep, ..def };
        let mut world = World::new(def);
        world.set_clock(Some(nanoseconds));
        give_threads(&mut world, plan.threads)?;
        Ok(CaromWorld { stage: CaromStage::new(world), tiles: None, one_by_one: false })
    }

    /// On one thread, with the times of so many.
    pub(crate) fn imagined(plan: &WorldPlan, threads: usize) -> Result<CaromWorld, String> {
        let mut made = CaromWorld::new(plan)?;
        imagine_threads(&mut made.stage.world, threads)?;
        Ok(made)
    }
}

#[cfg(feature = "parallel")]
fn give_threads(world: &mut World, threads: usize) -> Result<(), String> {
    world.set_threads(threads);
    Ok(())
}

#[cfg(feature = "parallel")]
fn imagine_threads(world: &mut World, threads: usize) -> Result<(), String> {
    world.imagine_threads(threads, nanoseconds);
    Ok(())
}

#[cfg(not(feature = "parallel"))]
fn give_threads(_world: &mut World, threads: usize) -> Result<(), String> {
    if threads > 1 { Err(NO_THREADS.into()) } else { Ok(()) }
}

#[cfg(not(feature = "parallel"))]
fn imagine_threads(_world: &mut World, _threads: usize) -> Result<(), String> {
    Err(NO_THREADS.into())
}

#[cfg(not(feature = "parallel"))]
const NO_THREADS: &str = "carom has threads when versus is built with `--features parallel`";

/// [`Rival::outline`](super::Rival::outline).
pub(crate) fn outline(points: &[Vec2]) -> Option<(f32, usize)> {
    let shape = Shape::outline(points).checked().ok()?;
    let parts = if let Shape::Compound(compound) = &shape { compound.parts().len() } else { 1 };
    Some((shape.mass(1.0).mass, parts))
}

impl Engine for CaromWorld {
    fn add(&mut self, plan: &BodyPlan) {
        self.stage.add_body(plan);
    }

    fn add_all(&mut self, plans: &[BodyPlan]) {
        self.stage.add_bodies(plans);
    }

    fn remove(&mut self, body: Handle) {
        self.stage.remove(body);
    }

    fn join(&mut self, plan: &HingePlan) {
        self.stage.join(*plan);
    }

    fn drive(&mut self, body: Handle, velocity: Vec2) {
        self.stage.drive(body, velocity);
    }

    fn step(&mut self) {
        self.stage.world.step(DT).expect("a step of 1/60 s");
    }

    fn stop_clock(&mut self) {
        self.stage.world.set_clock(None);
    }

    fn parts(&self) -> Parts {
        let last = self.stage.world.stats();
        let parts = [
            ("begin", last.begin),
            ("find pairs", last.find_pairs),
            ("collide", last.collide),
            ("prepare", last.prepare),
            ("solve", last.solve),
            ("store", last.store),
            ("continuous", last.continuous),
            ("report", last.report),
            ("sleep", last.sleep),
        ];
        parts.map(|(name, ns)| (name, ns as f64 * 1.0e-6)).into()
    }

    fn state(&self, body: Handle) -> State {
        let body = &self.stage.world[self.stage.id(body)];
        State { place: body.transform(), velocity: body.velocity(), spin: body.angular_velocity() }
    }

    fn body_count(&self) -> usize {
        self.stage.world.body_count()
    }

    fn awake_count(&self) -> usize {
        self.stage.world.bodies().filter(|(_, body)| body.is_awake()).count()
    }

    fn ask_one_by_one(&mut self) {
        self.one_by_one = true;
    }

    fn rays(&mut self, rays: &[Way]) -> usize {
        let (world, filter) = (&mut self.stage.world, QueryFilter::default());
        if self.one_by_one {
            let hits = |way: &&Way| world.ray(WorldRay::new(way.from, way.by), &filter).is_some();
            return rays.iter().filter(hits).count();
        }
        let rays: Vec<WorldRay> = rays.iter().map(|way| WorldRay::new(way.from, way.by)).collect();
        let mut hits = Vec::new();
        world.rays(&rays, &filter, &mut hits);
        hits.iter().flatten().count()
    }

    fn casts(&mut self, half: f32, ways: &[Way]) -> usize {
        let square = Shape::rect(2.0 * half, 2.0 * half);
        let (world, filter) = (&mut self.stage.world, QueryFilter::default());
        if self.one_by_one {
            let hits = |way: &&Way| world.cast(&ShapeCast::new(&square, way.from, way.by), &filter).is_some();
            return ways.iter().filter(hits).count();
        }
        let casts: Vec<ShapeCast> =
            ways.iter().map(|way| ShapeCast::new(&square, way.from, way.by)).collect();
        let mut hits = Vec::new();
        world.casts(&casts, &filter, &mut hits);
        hits.iter().flatten().count()
    }

    fn overlaps(&mut self, half: f32, centers: &[Vec2]) -> usize {
        let square = Shape::rect(2.0 * half, 2.0 * half);
        let (world, filter) = (&mut self.stage.world, QueryFilter::default());
        if self.one_by_one {
            let mut found = Vec::new();
            let overlaps = |&at: &Vec2| {
                world.overlap_shape(&PlacedShape::at(&square, at), &filter, &mut found);
                found.len()
            };
            return centers.iter().map(overlaps).sum();
        }
        let placed: Vec<PlacedShape> = centers.iter().map(|&at| PlacedShape::at(&square, at)).collect();
        let mut found = Answers::default();
        world.overlap_shapes(&placed, &filter, &mut found);
        found.all().len()
    }

    fn nearest(&mut self, most: f32, points: &[Vec2]) -> Option<usize> {
        let (world, filter) = (&mut self.stage.world, QueryFilter::default());
        if self.one_by_one {
            return Some(points.iter().filter(|&&at| world.nearest(at, most, &filter).is_some()).count());
        }
        let points: Vec<WorldPoint> = points.iter().map(|&at| WorldPoint::from(at)).collect();
        let mut found = Vec::new();
        world.nearest_to_points(&points, most, &filter, &mut found);
        Some(found.iter().flatten().count())
    }

    fn tiles(&mut self, width: usize, solid: &[bool]) -> bool {
        let cells: Vec<TileCell> =
            solid.iter().map(|&solid| if solid { TileCell::SOLID } else { TileCell::EMPTY }).collect();
        let world = &mut self.stage.world;
        let level = world.add(BodyDef::fixed()).expect("a body");
        let map = Shape::tiles(1.0, width as u32, &cells);
        self.tiles = Some(world.attach(level, map).expect("a level"));
        true
    }

    fn set_tile(&mut self, place: [usize; 2], solid: bool) {
        let cell = if solid { TileCell::SOLID } else { TileCell::EMPTY };
        let map = self.tiles.expect("a level");
        self.stage.world.set_tile(map, place.map(|k| k as u32), cell).expect("a cell");
    }

    fn explode(&mut self, at: Vec2, radius: f32, falloff: f32) -> bool {
        self.stage.world.explode(at, radius, BLAST, falloff).is_ok()
    }

    fn save(&mut self) -> Option<Vec<u8>> {
        let mut image = Vec::new();
        self.stage.world.save_into(&mut image);
        Some(image)
    }

    fn restore(&mut self, image: &[u8]) -> bool {
        self.stage.world.load(image).is_ok()
    }
}
