//! In a world that wraps round, a scene across the seam has the bits of the same scene in the
//! middle.
//!
//! Any world is written down as a level and put over the corner of four regions: once in the middle
//! of a world that wraps round, once over the seam on the right, on that above, and over the corner
//! of both. They are stepped side by side; so is the same scene in a world without end. Only the
//! regions of bodies differ.

use carom::prelude::*;
use carom::{Anchor, IVec2, JointKind, Level, LevelError};
use testkit::chaos::Chaos;
use testkit::golden;
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
fn contacts_of(world: &World) -> Vec<[u32; 6]> {
    let of = |contact: carom::Contact| {
        let (normal, normal_impulses) = (contact.normal, contact.normal_impulses);
        let [first, second] = contact.points.map(|point| point.local.x);
        [normal.x, normal.y, normal_impulses[0], normal_impulses[1], first, second].map(f32::to_bits)
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
            // A body that goes a thousand metres is elsewhere where nothing wraps round.
            let end = if other.def().period == IVec2::ZERO { "without end" } else { "" };
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
    let steps = if cfg!(debug_assertions) { 20 } else { 200 };
    let (mut wrong, mut seen) = (Vec::new(), [0; 3]);
    for (name, build) in golden::SCENES.into_iter().filter(|(name, _)| *name != "far") {
        let mut scene = build().expect("a scene");
        while scene.frame < 90 {
            scene.step().expect("a step");
        }
        match compare(name, &scene.world.to_level(), steps) {
            Ok(of) => (0..3).for_each(|k| seen[k] += of[k]),
            Err(unlike) => wrong.push(unlike),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cfg!(debug_assertions) || (seen[1] > 3_000 && seen[2] > 1_000), "{seen:?}");
}

#[test]
fn worlds_of_everything_across_the_seam_have_the_bits_of_the_middle() {
    let (seeds, steps) = if cfg!(debug_assertions) { (4, 30) } else { (60, 200) };
    let (mut seen, mut wrong, mut refused) = ([0; 3], Vec::new(), 0);
    for seed in 0..seeds {
        let mut chaos = Chaos::new(2_000 + seed, 60);
        for _ in 0..seed % 4 * 20 {
            chaos.step(1.0 / 60.0);
        }
        let level = chaos.world.to_level();
        if let Err(error) = world_of(&level, IVec2::ZERO, PERIOD) {
            // Half-planes, and what reaches as far.
            assert!(error.to_string().contains("wraps round"), "{error}");
            refused += 1;
            continue;
        }
        match compare(&format!("seed {seed}"), &level, steps) {
            Ok(of) => (0..3).for_each(|k| seen[k] += of[k]),
            Err(unlike) => wrong.push(unlike),
        }
    }
    assert!(wrong.is_empty(), "{} refused\n{}", refused, wrong.join("\n"));
    assert!(cfg!(debug_assertions) || (2 * refused < seeds && seen[0] > 100 && seen[2] > 1_000), "{seen:?}, {refused}");
}
