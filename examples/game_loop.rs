//! A game loop: frames of any length, steps of one length, and poses in between for drawing.
//!
//! Frame times are simulated, with a hitch of half a second in between, so that every run prints
//! the same. The ball flies evenly; what is drawn should too. Drawn from the steps alone, it would
//! stand still in some frames and leap in others: the summary compares both.
//!
//! ```text
//! cargo run --release -p carom-examples --example game_loop
//! ```

use carom::prelude::*;

/// Of the ball, in m/s.
const SPEED: f32 = 6.0;
/// The frame that takes half a second, as while a level loads.
const HITCH: usize = 90;

/// Seconds of each frame: a screen of 144 Hz that now and then misses one.
fn frame_times() -> impl Iterator<Item = f32> {
    (0..240).map(|frame| match frame {
        HITCH => 0.5,
        frame if frame % 17 == 0 => 2.0 / 144.0,
        _ => 1.0 / 144.0,
    })
}

fn main() -> Result<(), Error> {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let ball =
        world.add(BodyDef::dynamic().at([0.0, 2.0]).velocity([SPEED, 0.0]).shape(Shape::circle(0.5)))?;
    let mut clock = FixedStep::hz(60.0);
    let (mut smooth, mut coarse) = (Track::default(), Track::default());
    let (mut steps, mut dropped, mut idle_frames) = (0, 0, 0);
    for (frame, seconds) in frame_times().enumerate() {
        let now = clock.advance(seconds);
        for _ in 0..now {
            // The player's input would be applied here, once a step.
            world.step(clock.dt())?;
        }
        if clock.dropped() > 0 {
            println!("frame {frame}: {seconds} s, made {now} steps and dropped {}", clock.dropped());
        }
        (steps, dropped) = (steps + now, dropped + clock.dropped());
        idle_frames += u32::from(now == 0);

        // Here the poses would be uploaded as they are: they are plain data, 16 bytes a body.
        let pose = world.poses_at(clock.alpha())[ball.index()];
        // Before the first step there is nothing to blend; and in the hitch the game itself slows
        // down.
        if steps > 0 {
            let counts = frame != HITCH;
            smooth.note(pose.position.x, seconds, counts);
            coarse.note(world[ball].position().x, seconds, counts);
        }
    }
    println!("240 frames: {steps} steps, {dropped} dropped, {idle_frames} frames without a step");
    println!("speed on the screen, of a ball at {SPEED} m/s:");
    println!("  poses_at(alpha)  {:5.2} to {:5.2} m/s", smooth.least, smooth.most);
    println!("  the last step    {:5.2} to {:5.2} m/s", coarse.least, coarse.most);
    Ok(())
}

/// How fast something moves from frame to frame.
struct Track {
    last: Option<f32>,
    least: f32,
    most: f32,
}

impl Default for Track {
    fn default() -> Track {
        Track { last: None, least: f32::INFINITY, most: 0.0 }
    }
}

impl Track {
    fn note(&mut self, x: f32, seconds: f32, counts: bool) {
        if let (Some(last), true) = (self.last, counts) {
            let speed = (x - last) / seconds;
            self.least = if speed < self.least { speed } else { self.least };
            self.most = if speed > self.most { speed } else { self.most };
        }
        self.last = Some(x);
    }
}
