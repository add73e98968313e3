//! The one scene that is played, and the buffers that the page reads.
//!
//! In: the calls of `lib.rs`. Out: buffers, each a list that lies still until the next call.
//!
//! ```text
//!   0 poses     f32  x y cos sin, a body            4 letters    u8   words of the commands
//!   1 states    u8   bit 0 awake, a body            5 report     u8   lines of text, see `Play::report`
//!   2 outlines  f32  see `geometry.rs`              6 numbers    f64  counts and times, see `Demo::tell_numbers`
//!   3 commands  f32  see `commands.rs`              7 about      u8   lines of text, see `Demo::describe` and `list_layers`
//! ```

use carom::prelude::*;
use carom::{DrawOptions, Error, StepStats};

use crate::clock::microseconds;
use crate::commands::Commands;
use crate::geometry::{fingerprint, outlines};
use crate::grab::Grab;
use crate::keys::Keys;
use crate::layers::Layers;
use crate::scenes::{ALL, Input, Place, Scene};

/// The stages of a step, in the order of their times in buffer 6.
const STAGES: [fn(&StepStats) -> u64; 8] = [
    |stats| stats.find_pairs,
    |stats| stats.collide,
    |stats| stats.prepare,
    |stats| stats.solve,
    |stats| stats.store,
    |stats| stats.continuous,
    |stats| stats.sleep,
    |stats| stats.report,
];

#[derive(Default)]
pub(crate) struct Demo {
    /// Steps a second.
    hertz: f32,
    /// What is to be seen, unless the scene says otherwise.
    view: [Vec2; 2],
    scene: Option<Scene>,
    grab: Option<Grab>,
    input: Input,
    layers: Layers,
    /// Whether the hand draws in the scene.
    draws: bool,
    revision: u32,
    seen: u64,
    /// See `Play::drawing`.
    drawing: u64,
    /// Of each world, how many poses it has.
    counts: Vec<usize>,
    /// Microseconds of the stages since the page last asked.
    spent: [u64; STAGES.len()],
    poses: Vec<Pose>,
    states: Vec<u8>,
    outlines: Vec<f32>,
    commands: Commands,
    report: String,
    numbers: Vec<f64>,
    about: String,
}

impl Demo {
    /// Name, title, what to look at, what is counted and by how many, steps a second, and what its
    /// keys do.
    pub(crate) fn describe(&mut self, scene: u32) -> bool {
        let Some(info) = ALL.get(scene as usize) else { return false };
        let [least, start, most] = info.count;
        self.about = format!(
            "{}\n{}\n{}\n{}\n{least}\n{start}\n{most}\n{}\n{}",
            info.name, info.title, info.hint, info.counted, info.hertz, info.keys
        );
        true
    }

    /// The names of the layers, a line each, in the order of their bits.
    pub(crate) fn list_layers(&mut self) {
        self.about = DrawOptions::LAYERS.join("\n");
    }

    pub(crate) fn begin(&mut self, scene: u32, count: u32) -> bool {
        let Some(info) = ALL.get(scene as usize) else { return false };
        let [least, _, most] = info.count;
        let built = (info.build)(count.clamp(least, most));
        *self = Demo { revision: self.revision + 1, layers: self.layers, ..Demo::default() };
        (self.hertz, self.view) = (info.hertz, info.view);
        match built {
            Ok(scene) => self.scene = Some(scene),
            Err(error) => return self.refuse(&error),
        }
        for place in self.places() {
            place.world.set_clock(Some(microseconds));
        }
        self.frame(1.0);
        true
    }

    pub(crate) fn step(&mut self) -> bool {
        let Some(scene) = &mut self.scene else { return false };
        if let Err(error) = scene.play.step(&mut scene.places, self.input) {
            return self.refuse(&error);
        }
        for place in &scene.places {
            let stats = place.world.stats();
            for (spent, stage) in self.spent.iter_mut().zip(STAGES) {
                *spent += stage(&stats);
            }
        }
        true
    }

    fn refuse(&mut self, error: &Error) -> bool {
        self.report = error.to_string();
        false
    }

    pub(crate) fn frame(&mut self, alpha: f32) {
        let Some(scene) = &mut self.scene else { return };
        self.poses.clear();
        self.states.clear();
        self.counts.clear();
        for place in &mut scene.places {
            let home = place.home();
            let poses = place.world.poses_from(home, alpha);
            self.counts.push(poses.len());
            self.poses.extend_from_slice(poses);
            let from = self.states.len();
            self.states.resize(self.poses.len(), 0);
            for (id, body) in place.world.bodies() {
                self.states[from + id.index()] = u8::from(body.is_awake());
            }
        }
        let drawing = scene.play.drawing();
        let is_old = self.revision == 0 || self.outlines.is_empty() || drawing != self.drawing;
        self.drawing = drawing;
        let seen =
            if is_old || scene.play.reshapes() { fingerprint(&scene.places, drawing) } else { self.seen };
        if seen != self.seen || self.outlines.is_empty() {
            (self.seen, self.revision) = (seen, self.revision.wrapping_add(1));
            outlines(&scene.places, &self.counts, &mut self.outlines);
        }
        self.commands.clear();
        self.layers.draw(&scene.places, &mut self.commands);
        scene.play.overlay(&scene.places, &mut self.commands);
        if let Some(grab) = &self.grab {
            grab.draw(&scene.places, &mut self.commands);
        }
        self.report.clear();
        scene.play.report(&scene.places, &mut self.report);
        self.tell_numbers();
    }

    /// Steps, bodies, awake, pairs, contacts, islands, joints, steps a second, gravity, sub-steps,
    /// a place to look at (NaN for none), what is to be seen of the scene; then the microseconds of
    /// the stages since the last time.
    fn tell_numbers(&mut self) {
        let Some(scene) = &mut self.scene else { return };
        let mut sums = [0; 6];
        for place in &scene.places {
            let stats = place.world.stats();
            let (bodies, joints) = (place.world.body_count(), place.world.joint_count());
            let counts = [bodies, stats.awake, stats.pairs, stats.contacts, stats.islands, joints];
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let world = &scene.places[0].world;
        let focus = scene.play.focus(&scene.places).unwrap_or(Vec2::NAN);
        let def = world.def();
        self.numbers.clear();
        self.numbers.push(world.step_count() as f64);
        self.numbers.extend(sums.map(|sum| sum as f64));
        let rest = [self.hertz, def.gravity.y, def.sub_steps as f32, focus.x, focus.y];
        self.numbers.extend(rest.map(f64::from));
        let [low, high] = scene.view.unwrap_or(self.view);
        self.numbers.extend([low.x, low.y, high.x, high.y].map(f64::from));
        self.numbers.extend(self.spent.map(|spent| spent as f64));
        self.spent = Default::default();
    }

    /// Where a buffer begins, and how many numbers it has.
    pub(crate) fn buffer(&self, which: u32) -> (*const u8, u32) {
        fn of<T>(list: &[T]) -> (*const u8, u32) {
            (list.as_ptr().cast(), list.len() as u32)
        }
        match which {
            0 => (self.poses.as_ptr().cast(), 4 * self.poses.len() as u32),
            1 => of(&self.states),
            2 => of(&self.outlines),
            3 => of(&self.commands.numbers),
            4 => of(&self.commands.letters),
            5 => of(self.report.as_bytes()),
            6 => of(&self.numbers),
            7 => of(self.about.as_bytes()),
            _ => of::<u8>(&[]),
        }
    }

    pub(crate) fn revision(&self) -> u32 {
        self.revision
    }

    pub(crate) fn hash(&self) -> u64 {
        self.scene.as_ref().map_or(0, |scene| scene.places[0].world.hash())
    }

    pub(crate) fn grab(&mut self, point: Vec2, reach: f32) -> bool {
        self.release();
        let Some(scene) = &mut self.scene else { return false };
        self.grab = Grab::at(&mut scene.places, point, reach);
        self.draws = self.grab.is_none() && scene.play.press(&mut scene.places, point);
        self.input.touched |= self.grab.is_some() || self.draws;
        self.grab.is_some() || self.draws
    }

    pub(crate) fn drag(&mut self, point: Vec2) {
        if let Some(scene) = self.scene.as_mut().filter(|_| self.draws) {
            scene.play.draw_to(&mut scene.places, point);
        }
        if let (Some(scene), Some(grab)) = (&mut self.scene, &mut self.grab)
            && !grab.drag(&mut scene.places, point)
        {
            self.grab = None;
        }
    }

    pub(crate) fn release(&mut self) {
        self.draws = false;
        if let (Some(scene), Some(grab)) = (&mut self.scene, self.grab.take()) {
            grab.release(&mut scene.places);
        }
    }

    pub(crate) fn set_gravity(&mut self, gravity: Vec2) -> bool {
        self.input.touched = true;
        self.places().iter_mut().all(|place| {
            let asleep: Vec<BodyId> =
                place.world.bodies().filter(|(_, body)| !body.is_awake()).map(|(id, _)| id).collect();
            let set = place.world.set_gravity(gravity).is_ok();
            set && asleep.into_iter().all(|id| place.world.wake_up(id).is_ok())
        })
    }

    pub(crate) fn set_sub_steps(&mut self, count: u32) -> bool {
        self.input.touched = true;
        self.places().iter_mut().all(|place| {
            let def = WorldDef { sub_steps: count, ..*place.world.def() };
            place.world.set_def(def).is_ok()
        })
    }

    pub(crate) fn set_keys(&mut self, bits: u32) {
        self.input.keys = Keys(bits);
    }

    pub(crate) fn set_layers(&mut self, layers: Layers) {
        self.layers = layers;
    }

    fn places(&mut self) -> &mut [Place] {
        self.scene.as_mut().map_or(&mut [], |scene| &mut scene.places)
    }
}

#[cfg(test)]
impl Demo {
    pub(crate) fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// The place of what is held among the poses.
    pub(crate) fn held(&self) -> Option<usize> {
        let (of, body) = self.grab.as_ref()?.held();
        Some(self.counts[..of].iter().sum::<usize>() + body.index())
    }

    pub(crate) fn report(&self) -> &str {
        &self.report
    }

    pub(crate) fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    pub(crate) fn commands(&self) -> &[f32] {
        &self.commands.numbers
    }
}
