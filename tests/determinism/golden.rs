//! The same bits everywhere: golden scenes against `tests/golden/hashes.txt`, with all lanes and
//! any number of threads.
//!
//! Where a change is meant to change bits, `cargo test --release -p carom-tests --test determinism
//! write_golden -- --ignored` writes the file anew.

use carom::prelude::*;
use carom::{IVec2, Lanes};
use testkit::golden::{self, FAR, FRAMES, SCENES, STEPS, Scene, check};
use testkit::random::Random;

/// Steps of a scene: a step of a debug build takes 10 ms.
const WHOLE: u32 = if cfg!(debug_assertions) { FRAMES[0] } else { STEPS };

/// Steps of a scene with other lanes, and on many threads.
const PART: u32 = if cfg!(debug_assertions) { FRAMES[0] } else { FRAMES[1] };

/// Every scene that came to other bits, in one failure.
#[track_caller]
fn check_all(steps: u32, what: &str, prepare: impl Fn(&mut World) + Copy) {
    let wrong: Vec<String> =
        SCENES.iter().filter_map(|(name, _)| check(name, steps, prepare).err()).collect();
    assert!(wrong.is_empty(), "{what}:\n{}", wrong.join("\n"));
}

/// With the lanes that a world takes by itself, and with all others that this machine has.
#[test]
fn golden_hashes_hold_with_all_lanes() {
    let own = World::default().lanes().name();
    assert!(Lanes::all().len() > 1, "scalar, and lanes");
    assert!(Lanes::all().iter().any(|lanes| lanes.name() == own), "{own}");
    let narrow = if cfg!(debug_assertions) { 2 } else { usize::MAX };
    for lanes in Lanes::all().into_iter().take(narrow) {
        let is_long = lanes.name() == own || std::env::var_os("CAROM_LONG").is_some();
        let steps = if is_long { WHOLE } else { PART };
        check_all(steps, lanes.name(), |world| world.set_lanes(lanes));
    }
}

#[test]
fn golden_hashes_hold_on_any_number_of_threads() {
    // More threads than there are cores wait for each other most of the time.
    let counts: &[(usize, u32)] =
        if cfg!(debug_assertions) { &[(3, PART)] } else { &[(2, FRAMES[1]), (3, PART), (8, PART)] };
    for &(threads, steps) in counts {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let what = format!("{threads} threads");
        pool.install(|| check_all(steps, &what, |world| world.set_threads(threads)));
    }
}

/// Questions make steps refresh what they walk, or not, and change no bits: many after each step,
/// then none, then a few.
#[test]
fn questions_between_steps_change_no_bits() {
    for (name, build) in SCENES {
        let mut scene = build().expect("a scene");
        let mut random = Random::new(5);
        let mut hits = 0;
        for (_, frame, golden) in golden::golden().filter(|line| line.0 == name && line.1 <= PART) {
            while scene.frame < frame {
                scene.step().expect("a step");
                let questions = [30, 0, 3][scene.frame as usize / 7 % 3];
                let centers: Vec<WorldPoint> =
                    scene.world.bodies().map(|(_, body)| body.world_center()).collect();
                for _ in 0..questions {
                    let from = centers[random.below(centers.len())].offset(random.square(3.0));
                    let ray = WorldRay::new(from, random.square(20.0));
                    hits += usize::from(scene.world.ray(ray, &QueryFilter::default()).is_some());
                }
            }
            assert_eq!(scene.world.hash(), golden, "{name} after {frame} steps");
        }
        assert!(hits > 100, "{name}: {hits}");
    }
}

/// What bodies are and do, but for the region that the scene stands in.
fn bits_within(world: &World, region: IVec2) -> Vec<u32> {
    let numbers = |(_, body): (_, &carom::Body)| {
        let (at, rotation, velocity) = (body.world_center(), body.rotation(), body.velocity());
        let (from, local) = (at.region - region, at.local);
        let floats =
            [local.x, local.y, rotation.cos, rotation.sin, velocity.x, velocity.y, body.angular_velocity()];
        [from.x as u32, from.y as u32].into_iter().chain(floats.map(f32::to_bits))
    };
    world.bodies().flat_map(numbers).collect()
}

#[test]
fn the_far_scene_has_the_bits_of_the_origin() {
    let near = IVec2::ZERO;
    let [mut here, mut there] = [near, FAR].map(|region| golden::far(region).expect("a scene"));
    for step in 1..=WHOLE {
        for scene in [&mut here, &mut there] {
            scene.step().expect("a step");
        }
        assert!(bits_within(&here.world, near) == bits_within(&there.world, FAR), "step {step}");
    }
    let regions: std::collections::BTreeSet<_> =
        here.world.bodies().map(|(_, body)| body.world_center().region.to_array()).collect();
    assert_eq!(regions.len(), 4, "it lies where four regions meet");
}

/// A hash that nothing changes any more would compare rest with rest.
#[test]
fn scenes_never_come_to_rest() {
    for (name, build) in SCENES {
        let mut scene = build().expect("a scene");
        let frames = if cfg!(debug_assertions) { [60, 70, 80, 90] } else { [100, 200, 300, 400] };
        let hashes =
            frames.map(|frame| [frame, frame + 1].map(|frame| scene.hash_at(frame).expect("a step")));
        assert!(hashes.iter().all(|[before, after]| before != after), "{name}");
        scene.world.validate().expect(name);
    }
}

#[test]
#[ignore = "writes the golden hashes anew"]
fn write_golden_hashes() {
    let mut text = String::from(
        "# scene, steps, hash: see tests/determinism/golden.rs, and CONTRIBUTING.md for how to write it anew\n",
    );
    for (name, _) in SCENES {
        let mut scene = Scene::named(name).expect(name);
        for frame in FRAMES {
            let hash =
                scene.hash_at(frame).unwrap_or_else(|error| panic!("{name}, step {}: {error}", scene.frame));
            text += &format!("{name:<10} {frame:>5} {hash:016x}\n");
        }
    }
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/golden/hashes.txt"), text).expect("a file");
}
