//! A character in a level: a [`Mover`] on slopes, stairs, one-way ledges, a belt and a lift.
//!
//! The level is that of the example `mover`, with a belt and ledges to its left, and crates on the
//! hill.

use carom::prelude::*;
use carom::{Error, Material, MoverDef};
use core::fmt::Write as _;
use testkit::level::{Level, level, lift_along};

use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, hue};

pub(crate) static SCENE: Info = Info {
    name: "platformer",
    title: "Platformer",
    hint: "Arrow keys and space, or the buttons below. Jump up through green ledges, press down to drop through; \
           run on the belt, ride the lift, push the crates. Take all coins.",
    counted: "crates",
    count: [1, 3, 12],
    view: [vec2(-11.5, -2.0), vec2(28.0, 10.0)],
    keys: "run",
    build,
    ..PLAIN
};

const RUN: f32 = 5.0;
const JUMP: f32 = 6.6;
/// Of the character, as a share of the world's: it falls faster than things do, as in most games.
const GRAVITY: f32 = 1.22;
const RADIUS: f32 = 0.3;
/// Ends of the capsule's middle line, from its place.
const HALF: Vec2 = vec2(0.0, 0.6);
const START: Vec2 = vec2(-1.5, 0.92);
/// Seconds of the lift for one way, and of its rest at each end.
const WAY: f32 = 2.5;
const REST: f32 = 1.5;
/// Below this one has fallen out of the level.
const DEPTH: f32 = -6.0;
/// How long after leaving the ground one may still jump, in steps.
const GRACE: u32 = 6;
const COINS: [Vec2; 8] = [
    vec2(-9.3, 5.4),
    vec2(-6.9, 3.9),
    vec2(-1.5, 2.9),
    vec2(4.0, 2.8),
    vec2(11.8, 6.6),
    vec2(14.5, 6.0),
    vec2(20.0, 3.0),
    vec2(26.2, 2.8),
];

fn build(crates: u32) -> Result<Scene, Error> {
    let mover = Mover::new(MoverDef::new(Shape::capsule(-HALF, HALF, RADIUS)))?;
    let Level { mut world, hero, lift, crate_ } = level(&mover)?;
    let belt = Material { surface_speed: 2.0, ..Material::default().friction(0.9) };
    let belt = ShapeDef::from(Shape::rect(6.0, 0.6).at([-7.0, -0.3])).material(belt);
    world.add(BodyDef::fixed().shape(belt))?;
    world.add(BodyDef::fixed().shape(Shape::rect(0.6, 8.0).at([-10.3, 3.4])))?;
    for at in [vec2(-5.0, 1.4), vec2(-7.0, 2.8), vec2(-9.2, 4.3)] {
        let ledge = ShapeDef::from(Shape::rect(1.7, 0.15)).one_way([0.0, 1.0]);
        world.add(BodyDef::fixed().at(at).shape(ledge))?;
    }
    for k in 1..crates {
        let at = vec2(14.0 + 0.7 * (k % 3) as f32, 4.55 + 0.62 * (k / 3) as f32);
        world
            .add(hue(BodyDef::dynamic().at(at).shape(Shape::rect(0.6, 0.6)).density(40.0), k as usize % 5))?;
    }
    world.set_user_data(hero, 7)?;
    world.set_user_data(crate_, 1)?;
    let player = Player {
        mover,
        hero,
        lift,
        velocity: Vec2::ZERO,
        airborne: 0,
        jumped: false,
        ground: "in the air",
        taken: [false; COINS.len()],
    };
    Ok(Scene::new(world, player))
}

struct Player {
    mover: Mover,
    hero: BodyId,
    lift: BodyId,
    velocity: Vec2,
    /// Steps since it stood on something.
    airborne: u32,
    /// Whether the key that made it jump is still down.
    jumped: bool,
    ground: &'static str,
    taken: [bool; COINS.len()],
}

impl Player {
    /// How far the lift is on its way, at a time: to and fro, with a rest at both ends.
    fn lift_way(time: f32) -> f32 {
        let time = time.rem_euclid(2.0 * (WAY + REST));
        if time < WAY + REST { (time - REST) / WAY } else { 1.0 - (time - WAY - 2.0 * REST) / WAY }
    }

    fn walk(&mut self, world: &mut World, input: Input) -> Result<(), Error> {
        let keys = input.keys;
        let wants_jump = keys.jump() || keys.up();
        let jumps = wants_jump && !self.jumped && self.airborne < GRACE;
        self.jumped = wants_jump && (self.jumped || jumps);
        let up = if jumps { JUMP } else { self.velocity.y + GRAVITY * world.def().gravity.y * DT };
        if jumps {
            self.airborne = GRACE;
        }
        let grip = if self.airborne == 0 { 0.7 } else { 0.3 };
        let across = self.velocity.x + (RUN * keys.across() - self.velocity.x).clamp(-grip, grip);
        if self.mover.def().one_way == keys.down() {
            let def = MoverDef { one_way: !keys.down(), ..self.mover.def().clone() };
            self.mover.set_def(def)?;
        }
        let outcome = self.mover.move_body(world, self.hero, vec2(across, up), DT)?;
        self.velocity = outcome.velocity;
        self.airborne = if outcome.grounded() && !jumps { 0 } else { self.airborne + 1 };
        self.ground = match outcome.ground {
            None => "in the air",
            Some(ground) if ground.body == self.lift => "on the lift",
            Some(ground) if ground.velocity.x > 1.0 => "on the belt",
            Some(ground) if world.get(ground.body).is_some_and(|body| body.kind() == BodyKind::Dynamic) => {
                "on a crate"
            }
            Some(ground) if ground.normal.y < 0.99 => "on a slope",
            Some(_) => "on the level",
        };
        Ok(())
    }
}

impl Play for Player {
    fn step(&mut self, places: &mut [Place], input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        // Platforms first, so that the mover knows where they will be.
        let time = (world.step_count() + 1) as f32 * DT;
        world.move_to(self.lift, lift_along(Player::lift_way(time)), 0.0)?;
        self.walk(world, input)?;
        world.step(DT)?;
        let at = world[self.hero].position();
        if at.y < DEPTH {
            world.teleport(self.hero, START, 0.0)?;
            world.set_velocity(self.hero, [0.0, 0.0])?;
            self.mover.forget();
            self.velocity = Vec2::ZERO;
        }
        for (taken, coin) in self.taken.iter_mut().zip(COINS) {
            *taken |= (at - coin).abs().max_element() < 0.9 && (at.x - coin.x).abs() < 0.6;
        }
        Ok(())
    }

    fn overlay(&self, _places: &[Place], out: &mut Commands) {
        for (taken, coin) in self.taken.iter().zip(COINS) {
            if !taken {
                out.put_circle(Ink::Yellow, true, (coin, 0.22), Vec2::ZERO);
            }
        }
    }

    fn report(&self, _places: &[Place], out: &mut String) {
        let taken = self.taken.iter().filter(|taken| **taken).count();
        let mark = if taken == COINS.len() { "\tgood" } else { "" };
        let _ = writeln!(out, "coins\t{taken} of {}{mark}", COINS.len());
        let _ = writeln!(out, "the character is\t{}", self.ground);
    }

    fn focus(&self, places: &[Place]) -> Option<Vec2> {
        places[0].world.get(self.hero).map(|body| body.position())
    }
}
