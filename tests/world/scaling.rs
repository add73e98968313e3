//! What one call costs does not grow with the world: each edit and question about one body or one
//! place, and the step after it, in a world thirty times as large.

use std::time::Instant;

use carom::broadphase::WorldAabb;
use carom::prelude::*;
use carom::{Piece, Prediction, Ties};
use testkit::rounds;
use testkit::worlds::{DT, add, run};

const FEW: usize = 900;
const MANY: usize = rounds(1_800, 27_000);

/// A call in the large world may take so many times as long as in the small one. Linear ones take
/// 30; caches and trees are worth up to some three.
const MOST: f64 = 12.0;

/// In microseconds: what is shorter counts as this long, since one cold line of the cache would
/// double it.
const SHORT: f64 = 1.0;

/// So many calls of each kind are timed.
const CALLS: usize = 31;

/// Stacks of three boxes in rows, each stack on a floor of its own.
struct Yard {
    world: World,
    boxes: Vec<BodyId>,
}

impl Yard {
    fn new(count: usize) -> Yard {
        let mut world = World::default();
        let side = (count as f32 / 3.0).sqrt().ceil() as usize;
        let mut boxes = Vec::new();
        for stack in 0..count / 3 {
            let at = vec2(4.0 * (stack % side) as f32, 6.0 * (stack / side) as f32);
            add(&mut world, BodyDef::fixed().at(at).shape(Shape::rect(3.0, 1.0)));
            for level in 0..3 {
                let above = at + vec2(0.0, 1.0 + level as f32);
                boxes.push(add(&mut world, BodyDef::dynamic().at(above).shape(Shape::rect(1.0, 1.0))));
            }
        }
        run(&mut world, 90);
        Yard { world, boxes }
    }
}

/// A call about a body, and its name.
type Call = (&'static str, fn(&mut World, BodyId));

fn shape(world: &World, id: BodyId) -> ShapeId {
    world.shapes_of(id).next().expect("it has a shape").0
}

const CALLS_OF_ONE: &[Call] = &[
    ("apply_impulse", |world, id| world.apply_impulse(id, [1.0, 0.0]).expect("a body")),
    ("set_velocity", |world, id| world.set_velocity(id, [0.0, 1.0]).expect("a body")),
    ("teleport", |world, id| {
        let at = world[id].world_center().offset(vec2(0.0, 0.1));
        world.teleport(id, at, 0.1).expect("a place");
    }),
    ("put_to_sleep", |world, id| world.put_to_sleep(id).expect("a body")),
    ("wake_up", |world, id| world.wake_up(id).expect("a body")),
    ("set_enabled", |world, id| {
        world.set_enabled(id, false).expect("a body");
        world.set_enabled(id, true).expect("a body");
    }),
    ("set_kind", |world, id| {
        world.set_kind(id, BodyKind::Fixed).expect("a body");
        world.set_kind(id, BodyKind::Dynamic).expect("a body");
    }),
    ("set_mass", |world, id| world.set_mass(id, None).expect("a body")),
    ("set_material", |world, id| {
        let shape = shape(world, id);
        world.set_material(shape, Material::default()).expect("a shape");
    }),
    ("set_shape", |world, id| {
        let shape = shape(world, id);
        world.set_shape(shape, Shape::rect(0.9, 0.9)).expect("a shape");
    }),
    ("attach, detach", |world, id| {
        let new = world.attach(id, Shape::circle(0.4)).expect("a shape");
        world.detach(new).expect("a shape");
    }),
    ("add, remove", |world, id| {
        let at = world[id].world_center().offset(vec2(2.0, 0.0));
        let new = world.add(BodyDef::dynamic().at(at).shape(Shape::circle(0.3))).expect("a body");
        world.remove(new).expect("a body");
    }),
    ("add_joint, remove_joint", |world, id| {
        let at = world[id].world_center();
        let joint = world.add_joint(JointDef::revolute(None, id).at(at)).expect("a joint");
        world.remove_joint(joint).expect("a joint");
    }),
    ("explode", |world, id| {
        let at = world[id].world_center().offset(vec2(1.0, 0.0));
        world.explode(at, 1.0, 0.01, 1.0).expect("numbers");
    }),
    ("cut, paste", |world, id| {
        let at = world[id].world_center();
        let piece = world.cut(around(at, 0.1), Ties::Part).expect("an area");
        world.paste(&piece, at.offset(vec2(1.5, 0.0))).expect("room");
    }),
    ("extract", |world, id| drop::<Piece>(world.extract(&[id]).expect("a body"))),
    ("slice", |world, id| {
        let at = world[id].world_center();
        _ = world.slice(id, at, at.offset(vec2(1.0, 0.1)));
    }),
    ("contacts_of_body", |world, id| _ = world.contacts_of_body(id).count()),
    ("touching", |world, id| _ = world.touching(shape(world, id)).len()),
    ("ray", |world, id| {
        let from = world[id].world_center().offset(vec2(2.0, 0.0));
        _ = world.ray(WorldRay::new(from, [-3.0, 0.1]), &QueryFilter::default());
    }),
    ("cast", |world, id| {
        let from = world[id].world_center().offset(vec2(2.0, 0.0));
        let ball = Shape::circle(0.2);
        _ = world.cast(&ShapeCast::new(&ball, from, [-3.0, 0.1]), &QueryFilter::default());
    }),
    ("overlap_point", |world, id| {
        let mut found = Vec::new();
        world.overlap_point(world[id].world_center(), &QueryFilter::default(), &mut found);
    }),
    ("nearest", |world, id| {
        let at = world[id].world_center().offset(vec2(1.0, 0.0));
        _ = world.nearest(at, 3.0, &QueryFilter::default());
    }),
    ("predict", |world, id| {
        let mut future = Prediction::new();
        world.predict(&[id], 10, DT, &mut future).expect("a body");
    }),
];

fn around(at: WorldPoint, half: f32) -> WorldAabb {
    let aabb = Aabb { min: at.local - Vec2::splat(half), max: at.local + Vec2::splat(half) };
    WorldAabb { region: at.region, aabb }
}

/// The median of what a call takes, and of the step after it, in microseconds.
fn medians(yard: &mut Yard, first: usize, call: fn(&mut World, BodyId)) -> [f64; 2] {
    let mut times: [Vec<f64>; 2] = Default::default();
    for k in 0..CALLS {
        let body = yard.boxes[((first + k) * 3_571 + 7) % yard.boxes.len()];
        if yard.world.get(body).is_none() {
            continue;
        }
        let start = Instant::now();
        call(&mut yard.world, body);
        times[0].push(start.elapsed().as_secs_f64() * 1.0e6);
        let start = Instant::now();
        yard.world.step(DT).expect("dt is in range");
        times[1].push(start.elapsed().as_secs_f64() * 1.0e6);
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

/// Steps grow with what moves, so nearly all sleeps here.
#[test]
fn calls_about_one_body_do_not_grow_with_the_world() {
    let mut dear = Vec::new();
    let mut yards = [FEW, MANY].map(Yard::new);
    for (kind, &(name, call)) in CALLS_OF_ONE.iter().enumerate() {
        let [few, many] = yards.each_mut().map(|yard| medians(yard, CALLS * kind, call));
        let ratio = |of: usize| many[of] / few[of].max(SHORT);
        println!(
            "{name:<26}{:>9.2} {:>9.2} us, step after {:>9.2} {:>9.2} us",
            few[0], many[0], few[1], many[1]
        );
        if ratio(0) > MOST || ratio(1) > MOST {
            dear.push((name, few, many));
        }
    }
    if cfg!(not(debug_assertions)) {
        assert!(dear.is_empty(), "{dear:#?}");
    }
}
