//! Native recordings and hashes for the tests of the npm package: `carom-js-golden FOLDER STEPS`.
//!
//! Writes recordings of carom's golden scenes into the folder, each with the hash of the native
//! world after every step, and `hashes.txt`: hashes of those scenes, and of two that the tests build
//! by themselves, as `scene steps hash`.

use std::fmt::Write as _;
use std::path::PathBuf;

use carom::Recorder;
use carom::prelude::*;
use testkit::golden::{DT, SCENES, Scene};

type Any<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Any<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let steps: u32 = arguments.next().ok_or("how many steps?")?.parse()?;
    std::fs::create_dir_all(&folder)?;
    let mut lines = String::new();
    for (name, _) in SCENES {
        let mut scene = Scene::named(name)?;
        scene.world.record(Recorder { key_every: 0, hashes: true });
        let hash = scene.hash_at(steps)?;
        let recording = scene.world.stop_recording().ok_or("the recording stopped")?;
        std::fs::write(folder.join(format!("{name}.rec")), recording.to_bytes())?;
        writeln!(lines, "{name} {steps} {hash:016x}")?;
    }
    for (name, mut world) in [("own-heap", heap()?), ("own-chain", chain()?)] {
        for step in 1..=300 {
            world.step(DT)?;
            if step % 50 == 0 {
                writeln!(lines, "{name} {step} {:016x}", world.hash())?;
            }
        }
    }
    std::fs::write(folder.join("hashes.txt"), &lines)?;
    print!("{lines}");
    Ok(())
}

/// Shapes of four kinds that fall on a heap.
fn heap() -> Any<World> {
    let mut world = World::default();
    world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(60.0, 2.0)))?;
    for k in 0..60_u8 {
        let shape = match k % 4 {
            0 => Shape::circle(0.5),
            1 => Shape::rect(0.9, 0.7),
            2 => Shape::capsule([-0.3, 0.0], [0.3, 0.0], 0.25),
            _ => Shape::polygon(&[[-0.5, -0.4], [0.5, -0.4], [0.0, 0.6]]),
        };
        let at = [f32::from(k % 10) * 1.25 - 6.0, 1.0 + f32::from(k / 10) * 1.25];
        let def = BodyDef::dynamic().at(at).angle(f32::from(k) * 0.125).velocity([0.0, -1.0]);
        world.add(def.shape(shape))?;
    }
    Ok(world)
}

/// A chain of hinges with limits and motors, and a slider at its end.
fn chain() -> Any<World> {
    let mut world = World::default();
    let post = world.add(BodyDef::fixed().at([0.0, 9.0]).shape(Shape::circle(0.2)))?;
    let mut last = post;
    for k in 1..12_u8 {
        let x = f32::from(k) * 0.75;
        let link = world.add(BodyDef::dynamic().at([x, 9.0]).shape(Shape::rect(0.7, 0.2)))?;
        let joint = JointDef::revolute(last, link).at([x - 0.375, 9.0]);
        world.add_joint(joint.limits(-1.0, 1.0).motor(0.0, 0.5))?;
        last = link;
    }
    Ok(world)
}
