//! A recording that is dropped on the page: played, and gone through by the slider of time.
//!
//! It is read once from its beginning, a little before each frame: then one knows where it first
//! went another way, and frames are kept that are so close together that one can go anywhere at
//! once. The page draws a copy of the world, so that layers and clicks change nothing.

use carom::prelude::*;
use carom::{Error, QueryFilter, Recorder, Recording, Replay};
use core::fmt::Write as _;
use demo_shell::clock::microseconds;
use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, Timeline, hue};

use crate::view::all_of;

pub(crate) static SCENE: Info = Info {
    name: "recording",
    title: "Recording",
    hint: "All calls of a game, made again. Drop a recording of your own on this page, or watch this one. Go through \
           it by the slider, press a body for its numbers. With one bit of one call flipped it goes another way: \
           the first step that differs is marked.",
    view: [vec2(-14.0, -1.5), vec2(14.0, 12.0)],
    naive: "flip one bit of one call",
    plain: true,
    build,
    open: Some(|bytes| open(bytes.to_vec(), false)),
    ..PLAIN
};

/// Microseconds that a frame may take for reading, and the steps where there is no clock.
const BUDGET: u64 = 6_000;
const STEPS: usize = 20;
/// Frames are kept every so many steps; fewer where they would be larger than that, in bytes.
const EVERY: u64 = 5;
const MOST: u64 = 64 << 20;

/// A wall of crates, and balls that are thrown at it.
const SAMPLE: u64 = 480;
/// How fast the second ball is; no other number of the recording is the same.
const THROWN: f32 = 17.0125;

fn build(_count: u32) -> Result<Scene, Error> {
    open(sample()?, true).map_err(|_| Error::BadNumber("what was recorded can be played"))
}

fn sample() -> Result<Vec<u8>, Error> {
    let mut world = World::default();
    world.record(Recorder::default());
    world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(28.0, 1.0)))?;
    for k in 0..54_usize {
        let at = vec2(1.0 + 0.82 * (k % 6) as f32, 0.41 + 0.82 * (k / 6) as f32);
        world.add(hue(BodyDef::dynamic().at(at).shape(Shape::rect(0.8, 0.8)), k / 6 % 6))?;
    }
    for step in 0..SAMPLE {
        if step % 110 == 40 {
            let speed = if step == 150 { THROWN } else { 17.0 };
            let ball = BodyDef::dynamic().at([-12.0, 1.5]).velocity([speed, 5.0]).shape(Shape::circle(0.5));
            world.add(hue(ball.density(3.0), 6))?;
        }
        world.step(DT)?;
    }
    world.stop_recording().map(|it| it.to_bytes()).ok_or(Error::BadNumber("it was on"))
}

/// The same recording, but for the last bit of that speed.
fn flipped(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(at) = bytes.windows(4).position(|four| four == THROWN.to_le_bytes()) {
        bytes[at] ^= 1;
    }
    carom::restamp_recording(&mut bytes);
    bytes
}

fn open(bytes: Vec<u8>, is_sample: bool) -> Result<Scene, String> {
    let replay = Recording::from_bytes(&bytes).map_err(|error| error.to_string())?.replay();
    let (first, last) = replay.steps();
    let world = replay.world().clone();
    let lies = |(_, body): (BodyId, &carom::Body)| body.world_position().region;
    // What lies far out is seen from where it lies.
    let region = world.bodies().map(lies).next().unwrap_or_default();
    let place = Place { world, origin: WorldPoint::new(region, Vec2::ZERO), shift: Vec2::ZERO };
    let view = if is_sample { None } else { all_of(&place) };
    let film = Film {
        bytes,
        replay,
        first,
        last,
        now: first,
        read: first,
        is_read: false,
        every: EVERY,
        kept: 0,
        picked: None,
        sought: 0,
        is_sample,
    };
    Ok(Scene { places: vec![place], play: Box::new(film), view })
}

struct Film {
    bytes: Vec<u8>,
    /// Stands where it was read to, or where it is shown.
    replay: Replay,
    first: u64,
    last: u64,
    now: u64,
    /// How far it was read, and whether that is all of it.
    read: u64,
    is_read: bool,
    every: u64,
    /// Bytes of kept frames.
    kept: u64,
    picked: Option<BodyId>,
    /// Microseconds of the last way to a step.
    sought: u64,
    is_sample: bool,
}

impl Film {
    fn at(&self) -> u64 {
        self.replay.world().step_count()
    }

    /// Brings the replay to a step, and what is shown.
    fn show(&mut self, place: &mut Place, step: u64) -> bool {
        let begin = microseconds();
        let is_there = if self.is_read && self.at() + 1 == step {
            self.replay.step() == Ok(true)
        } else {
            self.replay.seek(step).is_ok()
        };
        if is_there {
            place.world.clone_from(self.replay.world());
            self.now = step;
        }
        self.sought = microseconds() - begin;
        is_there
    }

    /// Reads on, until the time of a frame is over.
    fn read_on(&mut self) {
        let begin = microseconds();
        if self.at() != self.read && self.replay.seek(self.read).is_err() {
            self.is_read = true;
        }
        for _ in 0..STEPS {
            if self.is_read || microseconds() - begin > BUDGET {
                break;
            }
            self.is_read = self.replay.step() != Ok(true);
            self.read = self.at();
            if self.read.is_multiple_of(self.every) {
                self.keep_frame();
            }
        }
        if self.is_read {
            self.read = self.last;
        } else {
            self.keep_frame();
        }
    }

    fn keep_frame(&mut self) {
        let bytes = self.replay.keep() as u64;
        self.kept += bytes;
        self.every = self.every.max((self.last - self.first) * bytes / MOST);
    }
}

impl Play for Film {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        if self.now < self.last {
            self.show(&mut places[0], self.now + 1);
        }
        Ok(())
    }

    fn work(&mut self, _places: &mut [Place]) {
        if !self.is_read {
            self.read_on();
        }
    }

    fn timeline(&self) -> Option<Timeline> {
        let mark = self.replay.divergence().map(|it| it.step);
        Some(Timeline { first: self.first, last: self.last, now: self.now, mark })
    }

    fn seek(&mut self, places: &mut [Place], step: u64) -> bool {
        self.show(&mut places[0], step.clamp(self.first, self.last))
    }

    fn keep(&self, _places: &[Place]) -> Option<Vec<u8>> {
        Some(self.bytes.clone())
    }

    fn takes_presses(&self) -> bool {
        true
    }

    /// A body for whose numbers one asks; nothing, if there is none, so that the view can be moved.
    fn press(&mut self, places: &mut [Place], point: Vec2) -> bool {
        let mut found = Vec::new();
        places[0].world.overlap_point(places[0].point(point), &QueryFilter::default(), &mut found);
        self.picked = found.first().map(|answer| answer.body);
        self.picked.is_some()
    }

    fn set_naive(&mut self, places: &mut [Place], on: bool) {
        if !self.is_sample {
            return;
        }
        let bytes = sample().map(|bytes| if on { flipped(bytes) } else { bytes });
        let scene =
            bytes.ok().and_then(|bytes| Recording::from_bytes(&bytes).ok().map(|it| (bytes, it.replay())));
        if let Some((bytes, replay)) = scene {
            (self.bytes, self.replay) = (bytes, replay);
            (self.read, self.is_read, self.kept) = (self.first, false, 0);
            self.show(&mut places[0], self.first);
        }
    }

    fn overlay(&self, places: &[Place], out: &mut Commands) {
        let place = &places[0];
        let Some(body) = self.picked.and_then(|id| place.world.get(id)) else { return };
        let at = place.home().to(body.world_center());
        out.put_point(Ink::Red, 4.0, at);
        out.put_line(Ink::Red, at, at + 0.25 * body.velocity());
    }

    fn report(&self, places: &[Place], out: &mut String) {
        let world = &places[0].world;
        let _ = writeln!(out, "step {}\t{:016x}", self.now, world.hash());
        let span = (self.last - self.first).max(1);
        match self.replay.divergence() {
            Some(it) => {
                let _ = writeln!(out, "went another way\tin step {}\tbad", it.step);
                let _ = writeln!(out, "recorded\t{:016x}", it.recorded);
                let _ = writeln!(out, "played\t{:016x}\tbad", it.played);
            }
            None if self.is_read => {
                let _ =
                    writeln!(out, "equal to what was recorded\tall {} steps\tgood", self.last - self.first);
            }
            None => {
                let share = 100 * (self.read - self.first) / span;
                let _ = writeln!(out, "equal to what was recorded\t{share} % read");
            }
        }
        let _ = writeln!(out, "to this step in\t{:.1} ms", self.sought as f32 / 1e3);
        if let Some((id, body)) = self.picked.and_then(|id| Some((id, world.get(id)?))) {
            let (at, way) = (body.position(), body.velocity());
            let kind = if body.kind() == BodyKind::Dynamic { "" } else { ", not dynamic" };
            let sleep = if body.is_awake() { "" } else { ", asleep" };
            let _ = writeln!(out, "body {}{kind}{sleep}\t{:.3} kg\tred", id.index(), body.mass());
            let _ = writeln!(out, "place\t{:.3}, {:.3} m; {:.3} rad", at.x, at.y, body.angle());
            let _ = writeln!(
                out,
                "velocity\t{:.3}, {:.3} m/s; {:.3} rad/s",
                way.x,
                way.y,
                body.angular_velocity()
            );
        }
    }

    fn reshapes(&self) -> bool {
        true
    }
}
