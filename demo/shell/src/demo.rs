//! The one scene that is played, and the buffers that the page reads.
//!
//! In: the calls of `lib.rs`. Out: buffers, each a list that lies still until the next call.
//!
//! ```text
//!   0 poses     f32  x y cos sin, a body            4 letters    u8   words of the commands
//!   1 states    u8   bit 0 awake, a body            5 report     u8   lines of text, see `Play::report`
//!   2 outlines  f32  see `geometry.rs`              6 numbers    f64  counts and times, see `Demo::tell_numbers`
//!   3 commands  f32  see `commands.rs`              7 about      u8   lines of text, or a file: see `Demo::describe`,
//!                                                                     `list_layers` and `keep`
//! ```

use carom::prelude::*;
use carom::{DrawOptions, StepStats};

use crate::clock::microseconds;
use crate::commands::Commands;
use crate::geometry::{fingerprint, outlines};
use crate::grab::Grab;
use crate::keys::Keys;
use crate::layers::Layers;
use crate::scene::{Info, Input, Place, Scene};

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

/// The one scene that a module plays.
#[derive(Default)]
pub struct Demo {
    /// In the order of the page.
    scenes: &'static [&'static Info],
    /// A file that the page handed in.
    file: Vec<u8>,
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
    about: Vec<u8>,
}

impl Demo {
    /// Of these scenes; none has begun.
    #[must_use]
    pub fn new(scenes: &'static [&'static Info]) -> Demo {
        Demo { scenes, ..Demo::default() }
    }

    /// How many scenes there are.
    #[must_use]
    pub fn scene_count(&self) -> u32 {
        self.scenes.len() as u32
    }

    /// Name, title, what to look at, what is counted and by how many, steps a second, and what its
    /// keys do, what its naive way is called, whether it plays files, and
    /// whether gravity and sub-steps mean nothing.
    pub fn describe(&mut self, scene: u32) -> bool {
        let Some(&info) = self.scenes.get(scene as usize) else { return false };
        let [least, start, most] = info.count;
        self.about = format!(
            "{}\n{}\n{}\n{}\n{least}\n{start}\n{most}\n{}\n{}\n{}\n{}\n{}",
            info.name,
            info.title,
            info.hint,
            info.counted,
            info.hertz,
            info.keys,
            info.naive,
            u8::from(info.open.is_some()),
            u8::from(info.plain),
        )
        .into_bytes();
        true
    }

    /// The names of the layers, a line each, in the order of their bits.
    pub fn list_layers(&mut self) {
        self.about = DrawOptions::LAYERS.join("\n").into_bytes();
    }

    /// Begins with a scene, of `count` things; one that plays files begins with the file, if there
    /// is one.
    pub fn begin(&mut self, scene: u32, count: u32) -> bool {
        let Some(&info) = self.scenes.get(scene as usize) else { return false };
        let [least, _, most] = info.count;
        let built = match info.open.filter(|_| !self.file.is_empty()) {
            Some(open) => open(&self.file),
            None => (info.build)(count.clamp(least, most)).map_err(|error| error.to_string()),
        };
        if built.is_err() {
            // A file that is none is not tried again.
            self.file.clear();
        }
        let naive = self.input.naive;
        *self = Demo {
            revision: self.revision + 1,
            layers: self.layers,
            file: core::mem::take(&mut self.file),
            ..Demo::new(self.scenes)
        };
        (self.hertz, self.view) = (info.hertz, info.view);
        match built {
            Ok(scene) => self.scene = Some(scene),
            Err(error) => return self.refuse(&error),
        }
        self.set_naive(naive);
        for place in self.places() {
            place.world.set_clock(Some(microseconds));
        }
        self.frame(1.0);
        true
    }

    /// Room for a file.
    pub fn inbox(&mut self, len: u32) -> *const u8 {
        self.file = vec![0; len as usize];
        self.file.as_ptr()
    }

    /// Writes what the scene can be kept as into buffer 7.
    pub fn keep(&mut self) -> bool {
        let kept = self.scene.as_ref().and_then(|scene| scene.play.keep(&scene.places));
        let is_kept = kept.is_some();
        self.about = kept.unwrap_or_default();
        is_kept
    }

    /// Goes to a step of the timeline.
    pub fn seek(&mut self, step: f64) -> bool {
        self.scene.as_mut().is_some_and(|scene| scene.play.seek(&mut scene.places, step as u64))
    }

    /// Where the pointer is while nothing is pressed.
    pub fn hover(&mut self, point: Vec2) {
        if let Some(scene) = &mut self.scene {
            scene.play.hover(&mut scene.places, point);
        }
    }

    /// Whether the naive way is gone.
    pub fn set_naive(&mut self, on: bool) {
        if let Some(scene) = &mut self.scene
            && on != self.input.naive
        {
            scene.play.set_naive(&mut scene.places, on);
        }
        self.input.naive = on;
    }

    /// One step.
    pub fn step(&mut self) -> bool {
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

    fn refuse(&mut self, error: &dyn core::fmt::Display) -> bool {
        self.report = error.to_string();
        false
    }

    /// Makes the buffers ready.
    pub fn frame(&mut self, alpha: f32) {
        let Some(scene) = &mut self.scene else { return };
        scene.play.work(&mut scene.places);
        self.poses.clear();
        self.states.clear();
        self.counts.clear();
        let anchor = scene.play.anchor();
        for place in &mut scene.places {
            let home = place.home();
            if let Some((body, spot)) = anchor
                && let Some(pose) = place.world.poses_from(home, alpha).get(body.index())
            {
                place.origin = place.origin.offset(pose.position - spot);
            }
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
    /// a place to look at (NaN for none), what is to be seen of the scene; first, last, present and
    /// marked step of its timeline (NaN for none); then the microseconds of the stages since the
    /// last time.
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
        let timeline = scene.play.timeline();
        let steps = timeline.map_or([None; 4], |it| [Some(it.first), Some(it.last), Some(it.now), it.mark]);
        self.numbers.extend(steps.map(|step| step.map_or(f64::NAN, |step| step as f64)));
        self.numbers.extend(self.spent.map(|spent| spent as f64));
        self.spent = Default::default();
    }

    /// Where a buffer begins, and how many numbers it has.
    pub fn buffer(&self, which: u32) -> (*const u8, u32) {
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
            7 => of(&self.about),
            _ => of::<u8>(&[]),
        }
    }

    /// Another number whenever the outlines are others.
    pub fn revision(&self) -> u32 {
        self.revision
    }

    /// See [`Play::hash`](crate::Play::hash).
    pub fn hash(&self) -> u64 {
        self.scene.as_ref().map_or(0, |scene| scene.play.hash(&scene.places))
    }

    /// Takes hold of what is there, or presses.
    pub fn grab(&mut self, point: Vec2, reach: f32) -> bool {
        self.release();
        let Some(scene) = &mut self.scene else { return false };
        let takes = scene.play.takes_presses();
        self.grab = if takes { None } else { Grab::at(&mut scene.places, point, reach) };
        self.draws = self.grab.is_none() && scene.play.press(&mut scene.places, point);
        self.input.touched |= self.grab.is_some() || self.draws;
        self.grab.is_some() || self.draws
    }

    /// Drags what is held, or draws.
    pub fn drag(&mut self, point: Vec2) {
        if let Some(scene) = self.scene.as_mut().filter(|_| self.draws) {
            scene.play.draw_to(&mut scene.places, point);
        }
        if let (Some(scene), Some(grab)) = (&mut self.scene, &mut self.grab)
            && !grab.drag(&mut scene.places, point)
        {
            self.grab = None;
        }
    }

    /// Lets go.
    pub fn release(&mut self) {
        self.draws = false;
        if let (Some(scene), Some(grab)) = (&mut self.scene, self.grab.take()) {
            grab.release(&mut scene.places);
        }
    }

    /// Gives all worlds another gravity, and wakes them.
    pub fn set_gravity(&mut self, gravity: Vec2) -> bool {
        self.input.touched = true;
        self.places().iter_mut().all(|place| {
            let asleep: Vec<BodyId> =
                place.world.bodies().filter(|(_, body)| !body.is_awake()).map(|(id, _)| id).collect();
            let set = place.world.set_gravity(gravity).is_ok();
            set && asleep.into_iter().all(|id| place.world.wake_up(id).is_ok())
        })
    }

    /// Gives all worlds another number of sub-steps.
    pub fn set_sub_steps(&mut self, count: u32) -> bool {
        self.input.touched = true;
        self.places().iter_mut().all(|place| {
            let def = WorldDef { sub_steps: count, ..*place.world.def() };
            place.world.set_def(def).is_ok()
        })
    }

    /// What is held down.
    pub fn set_keys(&mut self, bits: u32) {
        self.input.keys = Keys(bits);
    }

    /// Which layers are drawn.
    pub fn set_layers(&mut self, layers: Layers) {
        self.layers = layers;
    }

    fn places(&mut self) -> &mut [Place] {
        self.scene.as_mut().map_or(&mut [], |scene| &mut scene.places)
    }
}

/// What tests read.
impl Demo {
    /// Buffer 0.
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// The place of what is held among the poses.
    pub fn held(&self) -> Option<usize> {
        let (of, body) = self.grab.as_ref()?.held();
        Some(self.counts[..of].iter().sum::<usize>() + body.index())
    }

    /// A file, as the page hands one in.
    pub fn hand(&mut self, bytes: &[u8]) {
        self.file = bytes.to_vec();
    }

    /// Buffer 7.
    pub fn about(&self) -> &[u8] {
        &self.about
    }

    /// Buffer 5.
    pub fn report(&self) -> &str {
        &self.report
    }

    /// Buffer 6.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// Buffer 3.
    pub fn commands(&self) -> &[f32] {
        &self.commands.numbers
    }
}
