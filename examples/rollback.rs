//! Rollback: two players, each with a world of their own, and inputs that come late.
//!
//! Each steps on with what is known, guesses that the other goes on doing what they did last, and
//! goes back when the true input arrives. The two worlds are never sent: only inputs are, and a
//! hash now and then to make sure.
//!
//! ```text
//! cargo run --release -p carom-examples --example rollback
//!
//! player 1   step 40 ... 46 guessed          input of step 40 arrives at step 46: back to 40, and 40 to 46 again
//! ```

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use carom::Ring;
use carom::prelude::*;

const DT: f32 = 1.0 / 60.0;
const STEPS: u64 = 1_200;
/// Steps until an input arrives: 100 ms.
const DELAY: u64 = 6;
const CRATES: usize = 300;

/// What a player holds down: which way, and whether to jump.
#[derive(Clone, Copy, Default, PartialEq)]
struct Input {
    push: i8,
    jump: bool,
}

/// The input of a player at a step: they change their mind twice a second.
fn input_of(player: usize, step: u64) -> Input {
    let mut z = (step / 30).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (player as u64 + 1).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Input { push: (z >> 40) as i8 % 2, jump: z >> 60 > 11 && step.is_multiple_of(30) }
}

/// A game as one player sees it.
struct Game {
    world: World,
    heroes: [BodyId; 2],
    /// What is known of each player's input, by step; behind that, it is guessed.
    known: [Vec<Input>; 2],
    /// What was guessed for the last steps.
    used: VecDeque<[Input; 2]>,
    ring: Ring,
    /// Steps that were played again, and the longest time that going back took.
    again: u64,
    longest: Duration,
}

impl Game {
    fn new() -> Result<Game, Error> {
        let mut world = World::default();
        world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(80.0, 1.0)))?;
        for x in [-20.0, 20.0] {
            world.add(BodyDef::fixed().at([x, 10.0]).shape(Shape::rect(1.0, 20.0)))?;
        }
        let mut hero = |x: f32| {
            let body = BodyDef { can_sleep: false, ..BodyDef::dynamic().at([x, 1.0]) };
            world.add(body.shape(ShapeDef::from(Shape::capsule([0.0, -0.4], [0.0, 0.4], 0.4)).density(4.0)))
        };
        let heroes = [hero(-14.0)?, hero(14.0)?];
        for k in 0..CRATES {
            let at = [(k % 20) as f32 * 0.9 - 8.6, 0.4 + (k / 20) as f32 * 0.82];
            world.add(BodyDef::dynamic().at(at).shape(Shape::rect(0.8, 0.8)))?;
        }
        let (known, used) = ([Vec::new(), Vec::new()], VecDeque::new());
        let ring = Ring::new(DELAY as usize + 2);
        Ok(Game { world, heroes, known, used, ring, again: 0, longest: Duration::ZERO })
    }

    /// What is known, or the last that is.
    fn guess(&self, step: u64) -> [Input; 2] {
        [0, 1].map(|player: usize| {
            let known = &self.known[player];
            known.get(step as usize).or(known.last()).copied().unwrap_or_default()
        })
    }

    fn step(&mut self) -> Result<(), Error> {
        self.ring.save(&self.world);
        let inputs = self.guess(self.world.step_count());
        for (hero, input) in self.heroes.into_iter().zip(inputs) {
            let lift = if input.jump { 14.0 } else { 0.0 };
            self.world.apply_impulse(hero, [f32::from(input.push) * 1.5, lift])?;
        }
        self.used.push_back(inputs);
        self.world.step(DT).map(drop)
    }

    /// Goes back to the first step that was played with a wrong guess, and forth again.
    fn correct(&mut self) -> Result<(), Error> {
        let now = self.world.step_count();
        let first = now - self.used.len() as u64;
        let wrong = (first..now).find(|&step| self.used[(step - first) as usize] != self.guess(step));
        if let Some(step) = wrong {
            let clock = Instant::now();
            self.ring.load(step, &mut self.world).expect("no input comes later than the ring is long");
            self.used.truncate((step - first) as usize);
            while self.world.step_count() < now {
                self.step()?;
            }
            self.again += now - step;
            self.longest = self.longest.max(clock.elapsed());
        }
        // What all inputs are known of is never played again.
        let sure = self.known.iter().map(Vec::len).min().unwrap_or(0) as u64;
        while self.used.len() as u64 > now.saturating_sub(sure) {
            self.used.pop_front();
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut games = [Game::new()?, Game::new()?];
    for step in 0..STEPS + DELAY {
        for (player, game) in games.iter_mut().enumerate() {
            // One's own input is there at once, that of the other later.
            if step < STEPS {
                game.known[player].push(input_of(player, step));
            }
            if let Some(sent) = step.checked_sub(DELAY) {
                game.known[1 - player].push(input_of(1 - player, sent));
            }
            game.correct()?;
            if step < STEPS {
                game.step()?;
            }
        }
    }
    let [one, two] = &games;
    let mut bytes = Vec::new();
    one.world.save_into(&mut bytes);
    let count = one.world.body_count();
    println!("{count} bodies, {STEPS} steps, inputs {DELAY} steps late");
    println!(
        "a snapshot takes {} bytes, {:.0} a body; {} frames in the ring {} bytes",
        bytes.len(),
        bytes.len() as f64 / count as f64,
        one.ring.steps().count(),
        one.ring.bytes()
    );
    for (player, game) in games.iter().enumerate() {
        let millis = game.longest.as_secs_f64() * 1.0e3;
        println!(
            "player {}: {} steps played again, {millis:.2} ms for the longest way back",
            player + 1,
            game.again
        );
    }
    println!("hashes {:016x} and {:016x}", one.world.hash(), two.world.hash());
    match one.world.first_difference(&two.world) {
        None => Ok(()),
        Some(difference) => Err(format!("the worlds differ: {difference}").into()),
    }
}
