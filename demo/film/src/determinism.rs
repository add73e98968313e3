//! A golden scene, and its hash beside the one that is written down for every machine.

use carom::Error;
use carom::prelude::*;
use core::fmt::Write as _;
use testkit::golden;

use crate::view::all_of;
use demo_shell::{Info, Input, PLAIN, Place, Play, Scene};

pub(crate) static SCENE: Info = Info {
    name: "determinism",
    title: "Determinism",
    hint: "The tests of the crate play this scene on x86-64 and aarch64, with any lanes and threads. Here are its \
           bits in your browser. Touch anything, and they part.",
    counted: "golden scene",
    count: [1, 6, golden::SCENES.len() as u32],
    view: [vec2(-20.0, -3.0), vec2(20.0, 32.0)],
    build,
    ..PLAIN
};

fn build(number: u32) -> Result<Scene, Error> {
    let (name, build) = golden::SCENES[(number as usize - 1).min(golden::SCENES.len() - 1)];
    let mut script = build()?;
    let world = core::mem::take(&mut script.world);
    // The one that lies far out is seen from where it lies.
    let origin = match name {
        "far" => WorldPoint::new(golden::FAR, vec2(512.0, 512.0)),
        _ => WorldPoint::ORIGIN,
    };
    let found = golden::golden().filter(|&(known, ..)| known == name);
    let checks = found.map(|(_, step, golden)| Check { step, golden, found: None }).collect();
    let play = Golden { name, script, checks, live: world.hash(), touched: false };
    let place = Place { world, origin, shift: Vec2::ZERO };
    let view = all_of(&place);
    Ok(Scene { places: vec![place], play: Box::new(play), view })
}

/// A hash that is written down, and what came of it here.
struct Check {
    step: u32,
    golden: u64,
    found: Option<u64>,
}

struct Golden {
    name: &'static str,
    /// Its own world is empty: the page has it.
    script: golden::Scene,
    checks: Vec<Check>,
    live: u64,
    touched: bool,
}

impl Play for Golden {
    fn step(&mut self, places: &mut [Place], input: Input) -> Result<(), Error> {
        self.touched |= input.touched;
        let world = &mut places[0].world;
        core::mem::swap(world, &mut self.script.world);
        let stepped = self.script.step();
        core::mem::swap(world, &mut self.script.world);
        stepped?;
        self.live = world.hash();
        for check in self.checks.iter_mut().filter(|check| check.step == self.script.frame) {
            check.found = Some(self.live);
        }
        Ok(())
    }

    fn report(&self, _places: &[Place], out: &mut String) {
        let _ = writeln!(out, "golden scene\t{}{}", self.name, if self.touched { ", touched" } else { "" });
        let _ = writeln!(out, "step {}\t{:016x}", self.script.frame, self.live);
        for Check { step, golden, found } in &self.checks {
            let _ = match found {
                None => writeln!(out, "golden, step {step}\t{golden:016x}"),
                Some(found) if found == golden => {
                    writeln!(out, "golden, step {step}\t{golden:016x} equal\tgood")
                }
                Some(_) => writeln!(out, "golden, step {step}\t{golden:016x} differs\tbad"),
            };
        }
    }

    fn reshapes(&self) -> bool {
        true
    }
}
