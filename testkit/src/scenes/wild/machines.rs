//! What is joined in a wild scene: chains, nets, dolls, cars, bridges, and single ones of few.
//!
//! In: a recipe. Out: machines in rows above the loose bodies, each in a box of its own.

use carom::{Vec2, vec2};

use super::recipe::{MachineKind, Machines, Recipe};
use super::{limited, log_range};
use crate::random::Random;
use crate::scenes::plan::{BodyPlan, Handle, HingePlan, Part, Spring, Touch};
use crate::scenes::{Stage, rain};

/// Half a link or plank, between its hinges.
const HALF: f32 = 0.25;
/// Between two discs of a net.
const MESH: f32 = 0.6;

/// Rows of machines.
pub(super) struct MachineRows {
    machines: Machines,
    /// Width and height of a machine's box.
    size: Vec2,
    columns: usize,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl MachineRows {
    /// Rows as wide as the pile of loose bodies, or as its aspect asks for if there is none.
    pub(super) fn new(recipe: &Recipe, pile_width: f32) -> MachineRows {
        let machines = recipe.machines;
        if machines.count == 0 {
            return MachineRows { machines, size: Vec2::ZERO, columns: 1, width: 0.0, height: 0.0 };
        }
        let size = size(machines);
        let area = machines.count as f32 * size.x * size.y;
        let wanted = if recipe.loose > 0 { pile_width } else { (area * recipe.pile.aspect).sqrt() };
        let columns = limited(wanted / size.x, 1.0, machines.count as f32) as usize;
        let rows = machines.count.div_ceil(columns);
        let (width, height) = (columns as f32 * size.x, rows as f32 * size.y);
        MachineRows { machines, size, columns, width, height }
    }

    /// Adds all machines above `floor`, and returns their dynamic bodies.
    pub(super) fn add(
        &self,
        stage: &mut dyn Stage,
        recipe: &Recipe,
        floor: f32,
        random: &mut Random,
    ) -> Vec<Handle> {
        let mut moved = Vec::new();
        for number in 0..self.machines.count {
            let (row, column) = (number / self.columns, number % self.columns);
            let x = (column as f32 + 0.5) * self.size.x - 0.5 * self.width;
            let at = vec2(x, floor + self.size.y * row as f32);
            let surface = Part::circle(1.0)
                .density(log_range(random, 1.0, recipe.densities))
                .friction(random.range(recipe.friction[0], recipe.friction[1]))
                .restitution(recipe.restitution);
            let yard = Yard { stage, at, number, size: self.size, surface, moved: &mut moved };
            yard.build(self.machines, random);
        }
        moved
    }
}

/// Of the box that a machine and its start need.
fn size(Machines { kind, links, .. }: Machines) -> Vec2 {
    let length = links as f32;
    match kind {
        MachineKind::Chain | MachineKind::Bridge => vec2(2.0 * HALF * length + 0.5, 0.4),
        MachineKind::Net => vec2(MESH, MESH) * length,
        MachineKind::Doll => vec2(1.0, 1.8),
        MachineKind::Car => vec2(3.0, 1.6),
        MachineKind::Pendulum => vec2(5.0, 5.0),
        MachineKind::Walker => vec2(4.0, 2.4),
    }
}

/// Where one machine is built.
struct Yard<'y> {
    stage: &'y mut dyn Stage,
    /// The middle of the lower side of its box.
    at: Vec2,
    number: usize,
    size: Vec2,
    /// Density, friction and restitution of all parts.
    surface: Part,
    /// Dynamic bodies so far.
    moved: &'y mut Vec<Handle>,
}

impl Yard<'_> {
    fn build(mut self, machines: Machines, random: &mut Random) {
        match machines.kind {
            MachineKind::Chain => self.chain(machines.links, false),
            MachineKind::Bridge => self.chain(machines.links, true),
            MachineKind::Net => self.net(machines.links),
            MachineKind::Doll => self.doll(),
            MachineKind::Car => self.car(random.sign() as f32 * random.range(3.0, 25.0)),
            MachineKind::Pendulum => self.pendulum(random.range(0.5, 2.0)),
            MachineKind::Walker => self.walker(random.range(2.0, 8.0)),
        }
    }

    fn add(&mut self, plan: BodyPlan, part: Part) -> Handle {
        let Part { density, friction, restitution, .. } = self.surface;
        let part = part.density(density).friction(friction).restitution(restitution);
        let body = self.stage.add(plan.part(part));
        self.moved.push(body);
        body
    }

    /// Level at the start, on one hook or between two.
    fn chain(&mut self, links: usize, is_bridge: bool) {
        let left = self.at + vec2(-HALF * links as f32, 0.5 * self.size.y);
        let (mut before, mut hook) = (self.stage.add(BodyPlan::fixed(left)), Vec2::ZERO);
        for number in 0..links {
            let at = left + vec2(HALF * (2 * number + 1) as f32, 0.0);
            let part = if is_bridge {
                Part::rect(0.9 * HALF, 0.06)
            } else {
                Part::capsule(vec2(-0.8 * HALF, 0.0), vec2(0.8 * HALF, 0.0), 0.05)
            };
            let next = self.add(BodyPlan::dynamic(at), part);
            self.stage.join(HingePlan::new(before, next, hook, vec2(-HALF, 0.0)));
            (before, hook) = (next, vec2(HALF, 0.0));
        }
        if is_bridge {
            let right = self.stage.add(BodyPlan::fixed(left + vec2(2.0 * HALF * links as f32, 0.0)));
            self.stage.join(HingePlan::new(before, right, hook, Vec2::ZERO));
        }
    }

    /// Each disc is hinged to the one above and the one to the left.
    fn net(&mut self, side: usize) {
        let corner = self.at + MESH * vec2(0.5 - 0.5 * side as f32, side as f32 - 0.5);
        let mut discs: Vec<Handle> = Vec::new();
        for k in 0..side * side {
            let (column, row) = (k / side, k % side);
            let at = corner + MESH * vec2(column as f32, -(row as f32));
            let is_held = row == 0 && (column == 0 || column + 1 == side);
            let part = Part::circle(0.35 * MESH);
            let disc = if is_held {
                self.stage.add(BodyPlan::fixed(at).part(part))
            } else {
                self.add(BodyPlan::dynamic(at), part)
            };
            let half = 0.5 * MESH;
            if row > 0 {
                self.stage.join(HingePlan::new(discs[k - 1], disc, vec2(0.0, -half), vec2(0.0, half)));
            }
            if column > 0 {
                self.stage.join(HingePlan::new(discs[k - side], disc, vec2(half, 0.0), vec2(-half, 0.0)));
            }
            discs.push(disc);
        }
    }

    fn doll(&mut self) {
        let touch = Touch::NotSame((self.number % usize::from(Touch::LAST)) as u8 + 1);
        self.moved.extend(rain::doll(self.stage, self.at + vec2(0.0, 0.05), touch));
    }

    fn car(&mut self, speed: f32) {
        let chassis = self.add(BodyPlan::dynamic(self.at + vec2(0.0, 0.9)), Part::rect(1.2, 0.3));
        for side in [-0.8, 0.8] {
            let wheel = self.add(BodyPlan::dynamic(self.at + vec2(side, 0.45)), Part::circle(0.4));
            let hinge = HingePlan::new(chassis, wheel, vec2(side, -0.45), Vec2::ZERO);
            self.stage.join(hinge.motor(speed, 20.0 * self.surface.density));
        }
    }

    fn pendulum(&mut self, length: f32) {
        let hook = self.stage.add(BodyPlan::fixed(self.at + vec2(0.0, 2.5)));
        let rod = BodyPlan::dynamic(self.at + vec2(0.5 * length, 2.5));
        let rod = BodyPlan { can_sleep: false, ..rod }.part(Part::circle(0.2).at(vec2(0.5 * length, 0.0)));
        let rod = self.add(rod, Part::rect(0.5 * length, 0.05));
        self.stage.join(HingePlan::new(hook, rod, Vec2::ZERO, vec2(-0.5 * length, 0.0)));
    }

    /// Hips turn at a constant speed, knees are springs.
    fn walker(&mut self, speed: f32) {
        let touch = Touch::NotSame(1);
        let trunk = BodyPlan::dynamic(self.at + vec2(0.0, 1.7)).touch(touch);
        let trunk = self.add(trunk, Part::rect(1.2, 0.3));
        for hip in [-1.0, -0.4, 0.4, 1.0] {
            let at = self.at + vec2(hip, 1.25);
            let bone = || Part::capsule(vec2(0.0, -0.25), vec2(0.0, 0.25), 0.1);
            let thigh = self.add(BodyPlan::dynamic(at).touch(touch), bone());
            let joint = HingePlan::new(trunk, thigh, vec2(hip, -0.2), vec2(0.0, 0.25));
            self.stage.join(joint.motor(speed, 50.0 * self.surface.density));
            let shank = self.add(BodyPlan::dynamic(at - vec2(0.0, 0.5)).touch(touch), bone());
            let knee = HingePlan::new(thigh, shank, vec2(0.0, -0.25), vec2(0.0, 0.25));
            let spring = Some(Spring { target: 0.0, hertz: 4.0, damping: 0.7 });
            self.stage.join(HingePlan { limits: Some([-1.0, 1.0]), spring, ..knee });
        }
    }
}
