//! What a wild scene is made of, drawn from a seed.
//!
//! In: random numbers. Out: a [`Recipe`], kinds first and numbers second, so that two seeds give
//! scenes that differ in what they are.

use carom::{Vec2, vec2};

use super::{log_count, log_range, smaller};
use crate::random::Random;

/// All choices of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Loose bodies: dynamic, and part of no machine.
    pub loose: usize,
    /// Of loose bodies.
    pub forms: Vec<Form>,
    /// Half the extent of the smallest loose body, in m.
    pub smallest: f32,
    /// The largest loose body over the smallest one.
    pub spread: f32,
    /// The highest density over the lowest one, which is 1 kg/m².
    pub densities: f32,
    /// Of each body, between these.
    pub friction: [f32; 2],
    /// Of all dynamic bodies.
    pub restitution: f32,
    /// In m/s².
    pub gravity: Vec2,
    /// Whether bodies may sleep.
    pub sleep: bool,
    /// How loose bodies lie at the start.
    pub pile: Pile,
    /// What is below.
    pub ground: Ground,
    /// What is joined.
    pub machines: Machines,
    /// What keeps it moving.
    pub stir: Stir,
}

/// The form of a loose body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One disc.
    Circle,
    /// A box, at most 1:2.
    Box,
    /// A box of 1:4 to 1:16.
    ThinBox,
    /// One capsule.
    Capsule,
    /// Convex, of 3 to 8 corners.
    Polygon,
    /// Two or three boxes that make an L, T, U, H or cross.
    Compound,
}

/// How loose bodies lie at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pile {
    /// Each by an angle of its own.
    pub turned: bool,
    /// Room between two bodies, as a share of their extent.
    pub gap: f32,
    /// Width over height.
    pub aspect: f32,
    /// Greatest speed along each axis, in m/s.
    pub shaken: f32,
}

/// What is below or around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// One box between two walls.
    Plane,
    /// Half a ring.
    Bowl,
    /// Steps down to the right.
    Stairs,
    /// Turned boxes on a slope.
    Rocks,
    /// So many fixed boxes side by side, each a body.
    Level(usize),
    /// A closed chain of so many corners whose lower side is hilly.
    Hills(usize),
    /// Four walls.
    Room,
    /// A ring that turns, with so many blades.
    Drum(usize),
    /// Nothing: only without gravity.
    Nothing,
}

/// What is joined by hinges, and how much of it there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machines {
    /// All are of one kind.
    pub kind: MachineKind,
    /// How many.
    pub count: usize,
    /// Links of a chain, planks of a bridge, discs along a side of a net.
    pub links: usize,
}

/// What a machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineKind {
    /// Capsules on a hook, level at the start.
    Chain,
    /// Discs, held at the two upper corners.
    Net,
    /// Eleven bones with springs and limits.
    Doll,
    /// A chassis on two wheels with motors.
    Car,
    /// Planks between two hooks.
    Bridge,
    /// A rod with a weight.
    Pendulum,
    /// A trunk on four legs whose hips turn.
    Walker,
}

/// What keeps a scene moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stir {
    /// Nothing.
    Nothing,
    /// So many bars that turn at a constant speed.
    Paddles(usize),
    /// So many boxes that slide to and fro.
    Pushers(usize),
    /// A fast ball each so many steps.
    Balls(usize),
    /// Each so many steps a fifth of all bodies gets another velocity.
    Blasts(usize),
}

impl Recipe {
    /// A recipe, of kinds first.
    pub fn draw(random: &mut Random) -> Recipe {
        let is_lone = random.below(6) == 0;
        let gravity = if is_lone { vec2(0.0, -10.0) } else { gravity(random) };
        let machines = if is_lone { lone_machine(random) } else { machines(random) };
        let spread = if random.below(3) == 0 { 1.0 } else { log_range(random, 1.0, 100.0) };
        let is_weightless = gravity == Vec2::ZERO;
        let loose = if is_lone { 0 } else { loose_count(random, &machines) };
        Recipe {
            loose,
            forms: forms(random),
            smallest: smaller(log_range(random, 0.08, 0.64), 12.0 / spread),
            spread,
            densities: if random.below(2) == 0 { 1.0 } else { log_range(random, 1.0, 1_000.0) },
            friction: friction(random),
            restitution: restitution(random),
            gravity,
            sleep: random.below(10) < 7,
            pile: pile(random, is_weightless),
            ground: ground(random, is_weightless),
            machines,
            stir: if is_lone { Stir::Nothing } else { stir(random) },
        }
    }

    /// Dynamic bodies of machines and loose ones, without balls that are shot.
    pub fn body_count(&self) -> usize {
        self.loose + self.machines.count * self.machines.bodies()
    }

    /// Shapes of dynamic bodies, nearly.
    pub fn shape_count(&self) -> usize {
        let compounds = self.forms.iter().filter(|&&form| form == Form::Compound).count();
        // A compound is two or three shapes.
        self.body_count() + self.loose * compounds * 3 / (2 * self.forms.len())
    }
}

impl Machines {
    /// Dynamic bodies of one machine.
    pub fn bodies(&self) -> usize {
        match self.kind {
            MachineKind::Chain | MachineKind::Bridge => self.links,
            MachineKind::Net => self.links * self.links - 2,
            MachineKind::Doll => 11,
            MachineKind::Car => 3,
            MachineKind::Pendulum => 1,
            MachineKind::Walker => 9,
        }
    }
}

fn gravity(random: &mut Random) -> Vec2 {
    match random.below(12) {
        0 | 1 => Vec2::ZERO,
        2 => vec2(0.0, -1.6),
        3 => vec2(0.0, -40.0),
        4 => vec2(3.0, -9.5),
        _ => vec2(0.0, -10.0),
    }
}

fn forms(random: &mut Random) -> Vec<Form> {
    let all = [Form::Circle, Form::Box, Form::ThinBox, Form::Capsule, Form::Polygon, Form::Compound];
    match random.below(8) {
        0 => all.to_vec(),
        1 | 2 => {
            let first = random.below(all.len());
            let second = (first + 1 + random.below(all.len() - 1)) % all.len();
            vec![all[first], all[second]]
        }
        _ => vec![random.one(&all)],
    }
}

fn friction(random: &mut Random) -> [f32; 2] {
    match random.below(10) {
        0 => [0.0, 0.0],
        1..=3 => [0.0, 1.0],
        _ => [random.range(0.05, 1.0); 2],
    }
}

fn restitution(random: &mut Random) -> f32 {
    match random.below(12) {
        0 => 1.0,
        1..=5 => random.range(0.0, 0.95),
        _ => 0.0,
    }
}

fn pile(random: &mut Random, is_weightless: bool) -> Pile {
    let is_neat = random.below(3) == 0;
    let is_shaken = is_weightless || random.below(4) == 0;
    Pile {
        turned: !is_neat,
        gap: if is_neat && random.below(2) == 0 { 0.0 } else { log_range(random, 0.02, 1.0) },
        aspect: random.one(&[0.3, 1.0, 1.0, 3.0, 3.0, 10.0]),
        shaken: if is_shaken { log_range(random, 0.5, 16.0) } else { 0.0 },
    }
}

fn ground(random: &mut Random, is_weightless: bool) -> Ground {
    if is_weightless {
        return match random.below(3) {
            0 => Ground::Nothing,
            1 => Ground::Room,
            _ => Ground::Drum(random.below(7)),
        };
    }
    match random.below(10) {
        0 | 1 => Ground::Plane,
        2 => Ground::Bowl,
        3 => Ground::Stairs,
        4 => Ground::Rocks,
        5 | 6 => Ground::Level(log_count(random, 100, 60_000)),
        7 => Ground::Hills(log_count(random, 20, 400)),
        8 => Ground::Room,
        _ => Ground::Drum(random.below(7)),
    }
}

fn lone_machine(random: &mut Random) -> Machines {
    let kind = random.one(&[MachineKind::Pendulum, MachineKind::Walker, MachineKind::Doll]);
    Machines { kind, count: 1, links: 1 }
}

/// Machines of one kind, or none; together 20 to 8,000 bodies.
fn machines(random: &mut Random) -> Machines {
    let kinds =
        [MachineKind::Chain, MachineKind::Net, MachineKind::Doll, MachineKind::Car, MachineKind::Bridge];
    let kind = random.one(&kinds);
    let links = match kind {
        MachineKind::Net => log_count(random, 4, 40),
        _ => log_count(random, 4, 60),
    };
    let one = Machines { kind, count: 0, links };
    if random.below(2) == 0 {
        return one;
    }
    let bodies = log_count(random, 20, 8_000);
    Machines { count: (bodies / one.bodies()).max(1), ..one }
}

/// Beside machines, none, or as few as make up no more than 8,000 bodies with them.
fn loose_count(random: &mut Random, machines: &Machines) -> usize {
    let count = log_count(random, 20, 8_000);
    let joined = machines.count * machines.bodies();
    match joined {
        0 => count,
        _ if random.below(3) == 0 => 0,
        _ => count.min(8_000_usize.saturating_sub(joined)),
    }
}

fn stir(random: &mut Random) -> Stir {
    match random.below(8) {
        0 => Stir::Paddles(1 + random.below(5)),
        1 => Stir::Pushers(1 + random.below(2)),
        2 => Stir::Balls(log_count(random, 8, 60)),
        3 => Stir::Blasts(log_count(random, 20, 120)),
        _ => Stir::Nothing,
    }
}
