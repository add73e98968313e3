//! Dolls that rain over pegs; the oldest goes when there are enough.

use carom::Error;
use carom::prelude::*;
use std::collections::VecDeque;
use testkit::doll::{BONES, DollDef, doll};
use testkit::random::Random;

use demo_shell::{DT, Info, Input, PLAIN, Place, Play, Scene};

pub(super) static SCENE: Info = Info {
    name: "ragdolls",
    title: "Ragdolls",
    hint: "Eleven bones each, hinged with limits, friction and weak muscles. Pull one by the foot and swing it.",
    counted: "dolls",
    count: [1, 40, 150],
    view: [vec2(-8.0, -0.6), vec2(8.0, 11.0)],
    build,
    ..PLAIN
};

/// Steps from one doll to the next.
const PAUSE: u64 = 18;

fn build(count: u32) -> Result<Scene, Error> {
    let mut world = World::default();
    world.add(BodyDef::fixed().shape(Shape::rect(60.0, 6.0).at([0.0, -3.0])))?;
    for side in [-1.0, 1.0] {
        let wall = Shape::rect(1.0, 40.0).at([7.6 * side, 20.0]);
        world.add(BodyDef::fixed().shape(wall))?;
        let ramp = Shape::rect(4.6, 0.3).turned(-0.35 * side).at([5.4 * side, 2.2]);
        world.add(BodyDef::fixed().shape(ramp))?;
    }
    for k in 0..9 {
        let at =
            vec2(-4.8 + 2.4 * (k % 5) as f32 + if k < 5 { 0.0 } else { 1.2 }, if k < 5 { 4.4 } else { 6.4 });
        world.add(BodyDef::fixed().at(at).shape(Shape::circle(0.28)))?;
    }
    Ok(Scene::new(
        world,
        Rain { most: count as usize, made: 0, dolls: VecDeque::new(), random: Random::new(9) },
    ))
}

struct Rain {
    most: usize,
    made: i32,
    dolls: VecDeque<[BodyId; BONES.len()]>,
    random: Random,
}

impl Rain {
    fn next(&mut self, world: &mut World) -> Result<(), Error> {
        if self.dolls.len() >= self.most {
            for bone in self.dolls.pop_front().into_iter().flatten() {
                world.remove(bone)?;
            }
        }
        self.made += 1;
        let def = DollDef {
            at: vec2(self.random.range(-5.0, 5.0), self.random.range(9.5, 12.0)),
            angle: self.random.range(-3.1, 3.1),
            group: -self.made,
            density: 230.0,
            friction: 2.0,
            muscle: Spring::new(1.2, 0.7),
            strength: 25.0,
        };
        let bones = doll(world, &def);
        for bone in bones {
            world.set_user_data(bone, 1 + self.made as u64 % 6)?;
        }
        self.dolls.push_back(bones);
        Ok(())
    }
}

impl Play for Rain {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        if world.step_count().is_multiple_of(PAUSE) {
            self.next(world)?;
        }
        world.step(DT).map(drop)
    }

    fn reshapes(&self) -> bool {
        true
    }
}
