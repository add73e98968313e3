//! Billiards from above: nothing is lost.

use carom::Error;
use carom::prelude::*;
use core::fmt::Write as _;
use testkit::cloth::{TABLE, balls, cushions};

use demo_shell::{Commands, Info, Ink, Input, PLAIN, Place, Play, Scene};

pub(super) static SCENE: Info = Info {
    name: "billiards",
    title: "Billiards",
    hint: "No friction, no loss: all of the energy of the break stays. Pull a ball to shoot again.",
    counted: "tables",
    count: [1, 1, 1],
    view: [vec2(-1.36, -0.74), vec2(1.36, 0.74)],
    hertz: 240.0,
    build,
    ..PLAIN
};

fn build(_tables: u32) -> Result<Scene, Error> {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    cushions(&mut world)?;
    let balls = balls(&mut world)?;
    for (k, &ball) in balls.iter().enumerate().skip(1) {
        world.set_user_data(ball, 1 + k as u64 % 6)?;
    }
    world.set_user_data(balls[0], 7)?;
    let before = energy(&world, &balls);
    Ok(Scene::new(world, Game { balls, before, touched: false, hits: 0 }))
}

struct Game {
    balls: Vec<BodyId>,
    /// Joules of the break.
    before: f64,
    touched: bool,
    hits: usize,
}

fn energy(world: &World, balls: &[BodyId]) -> f64 {
    balls.iter().filter_map(|&ball| world.get(ball)).map(|ball| f64::from(ball.kinetic_energy())).sum()
}

impl Play for Game {
    fn step(&mut self, places: &mut [Place], input: Input) -> Result<(), Error> {
        self.touched |= input.touched;
        places[0].world.step(1.0 / SCENE.hertz)?;
        self.hits += places[0].world.events().hits().len();
        Ok(())
    }

    fn overlay(&self, _places: &[Place], out: &mut Commands) {
        let half = 0.5 * TABLE + Vec2::splat(0.03);
        let rim = [-half, vec2(half.x, -half.y), half, vec2(-half.x, half.y)];
        out.put_polygon(Ink::Soft, false, 0.0, &rim);
    }

    fn report(&self, places: &[Place], out: &mut String) {
        let share = 100.0 * energy(&places[0].world, &self.balls) / self.before;
        let mark = if self.touched { "" } else { "\tgood" };
        let _ = writeln!(out, "energy of the break\t{share:.4} %{mark}");
        let _ = writeln!(out, "hits at 1 m/s or more\t{}", self.hits);
    }
}
