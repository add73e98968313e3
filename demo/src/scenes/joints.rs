//! Joints of most kinds, side by side.
//!
//! ```text
//!   bridge                 chain              mill      pulley
//!   ______                   |                             gears
//!         car          board            lift   spring rope
//! ```

use carom::prelude::*;
use carom::{Error, Filter, Locks, Material};
use testkit::joint_scenes::{ALONE, BridgeDef, ball_and_chain, bridge};

use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, hue};

pub(super) static SCENE: Info = Info {
    name: "joints",
    title: "Joints",
    hint: "A heavy ball on a light chain, a bridge, a car, a motor, gears, a pulley, springs. Pull at all of it.",
    counted: "links of the chain",
    count: [2, 5, 9],
    view: [vec2(-16.0, -1.2), vec2(16.0, 14.0)],
    build,
    ..PLAIN
};

/// Middle of each exhibit, and its name.
const LABELS: [(Vec2, &str); 10] = [
    (vec2(-11.0, 8.1), "bridge: hinges"),
    (vec2(-1.0, 13.2), "chain with a ball"),
    (vec2(8.0, 11.0), "motor"),
    (vec2(12.0, 13.2), "pulley"),
    (vec2(13.0, 8.0), "gears"),
    (vec2(-11.0, 3.1), "wheels with springs"),
    (vec2(2.6, 3.4), "soft weld"),
    (vec2(6.4, 5.6), "slider"),
    (vec2(10.0, 5.2), "spring"),
    (vec2(12.6, 5.2), "rope"),
];

fn build(links: u32) -> Result<Scene, Error> {
    let mut world = World::default();
    let ground = world.add(BodyDef::fixed().shape(Shape::rect(120.0, 4.0).at([0.0, -2.0])))?;
    for side in [-1.0, 1.0] {
        world.add(BodyDef::fixed().shape(Shape::rect(0.6, 14.0).at([15.6 * side, 7.0])))?;
    }
    let slung = BridgeDef { planks: 9, size: vec2(0.8, 0.16), slope: 0.3, density: 20.0 };
    let (left, right) = (vec2(-14.6, 6.6), slung.end(vec2(-14.6, 6.6)));
    let bank = |world: &mut World, at: Vec2| world.add(BodyDef::fixed().at(at).shape(Shape::rect(0.8, 0.5)));
    let banks = [bank(&mut world, left - vec2(0.4, 0.25))?, bank(&mut world, right + vec2(0.4, -0.25))?];
    for (k, plank) in bridge(&mut world, &slung, left, banks).planks.into_iter().enumerate() {
        world.set_user_data(plank, 1 + k as u64 % 2)?;
    }
    for x in [-12.4, -11.0, -9.6] {
        world.add(hue(BodyDef::dynamic().at([x, 7.4]).shape(Shape::rect(0.7, 0.7)).density(4.0), 3))?;
    }
    let pivot = vec2(-1.0, 12.8);
    let ball = ball_and_chain(&mut world, pivot, links as usize, 0.8);
    world.set_user_data(ball, 6)?;
    machines(&mut world)?;
    springs(&mut world, ground)?;
    let (car, axles) = car(&mut world)?;
    Ok(Scene::new(world, Park { car, axles, speed: -9.0 }))
}

/// A mill, gears, and a pulley.
fn machines(world: &mut World) -> Result<(), Error> {
    let blade = Shape::rect(3.6, 0.25);
    let mill = BodyDef::dynamic()
        .at([8.0, 8.8])
        .shape(blade.clone())
        .shape(blade.turned(core::f32::consts::FRAC_PI_2));
    let mill = world.add(hue(mill, 4))?;
    world.add_joint(JointDef::revolute(None, mill).at([8.0, 8.8]).motor(1.6, 400.0))?;
    let mut hinges = Vec::new();
    for (at, radius) in [(vec2(12.1, 6.8), 0.7), (vec2(14.0, 6.8), 1.2)] {
        let gear = BodyDef::dynamic().at(at).shape(Shape::circle(radius)).filter(ALONE);
        let gear = world.add(hue(gear, 2))?;
        let hinge = JointDef::revolute(None, gear).at(at);
        let hinge = if hinges.is_empty() { hinge.motor(2.4, 80.0) } else { hinge };
        hinges.push(world.add_joint(hinge)?);
    }
    world.add_joint(JointDef::gear(hinges[0], hinges[1], -1.2 / 0.7))?;
    let weight = |at: Vec2, density: f32| {
        let shape = Shape::rect(0.9, 0.8);
        hue(BodyDef::dynamic().at(at).shape(shape).density(density).locks(Locks::ROTATION), 5)
    };
    let (a, b) = (world.add(weight(vec2(11.0, 10.0), 10.0))?, world.add(weight(vec2(13.2, 10.0), 9.0))?);
    let rope = JointDef::pulley(a, b, [11.0, 12.8], [13.2, 12.8], 1.0);
    world.add_joint(rope.anchors([0.0, 0.4], [0.0, 0.4]))?;
    Ok(())
}

/// A board, a slider, a spring and a rope.
fn springs(world: &mut World, ground: BodyId) -> Result<(), Error> {
    let wall = world.add(BodyDef::fixed().at([0.6, 1.0]).shape(Shape::rect(0.6, 2.0)))?;
    let board = BodyDef::dynamic().at([2.4, 1.9]).shape(Shape::rect(3.0, 0.16)).density(4.0);
    let board = world.add(hue(board, 0))?;
    let soft = Spring::new(2.5, 0.1);
    world.add_joint(JointDef::weld(wall, board).at([0.9, 1.9]).bend(soft))?;
    world.add(hue(BodyDef::dynamic().at([3.4, 2.8]).shape(Shape::circle(0.35)), 1))?;
    let lift = BodyDef::dynamic().at([6.4, 0.6]).shape(Shape::rect(1.8, 0.4)).density(4.0);
    let lift = world.add(hue(lift, 3))?;
    let slider = JointDef::prismatic(ground, lift, [0.0, 1.0]).at([6.4, 0.6]).limits(0.0, 4.2);
    world.add_joint(slider.servo(3.0, Spring::new(0.7, 0.15)))?;
    let beam = world.add(BodyDef::fixed().at([11.3, 4.6]).shape(Shape::rect(4.2, 0.3)))?;
    let quiet = Filter { mask: !0, ..Filter::default() };
    let hung = |at: Vec2, shape: Shape| BodyDef::dynamic().at(at).shape(shape).density(3.0).filter(quiet);
    let weight = world.add(hue(hung(vec2(10.0, 2.6), Shape::rect(0.8, 0.8)), 1))?;
    let spring = JointDef::distance(beam, weight).between([10.0, 4.45], [10.0, 3.0]);
    world.add_joint(spring.soft(Spring::new(1.0, 0.05)))?;
    let weight = world.add(hue(hung(vec2(13.4, 3.6), Shape::circle(0.4)), 4))?;
    world.add_joint(JointDef::rope(beam, weight, 2.6).between([12.6, 4.45], [13.4, 3.6]))?;
    Ok(())
}

fn car(world: &mut World) -> Result<(BodyId, [JointId; 2]), Error> {
    let at = vec2(-9.0, 1.2);
    let hull =
        [vec2(-1.4, -0.3), vec2(1.4, -0.3), vec2(1.4, 0.1), vec2(0.5, 0.6), vec2(-0.7, 0.6), vec2(-1.4, 0.2)];
    let car = world.add(hue(BodyDef::dynamic().at(at).shape(Shape::polygon(&hull)).sleepless(), 5))?;
    let mut axle = |side: f32| -> Result<JointId, Error> {
        let hub = at + vec2(side, -0.55);
        let wheel = BodyDef::dynamic().at(hub).shape(Shape::circle(0.42));
        let wheel = world.add(hue(wheel.material(Material::default().friction(1.2)), 2))?;
        let axle = JointDef::wheel(car, wheel, [0.0, 1.0], Spring::new(3.5, 0.6));
        world.add_joint(axle.at(hub).motor(-9.0, 6.0))
    };
    let axles = [axle(-0.9)?, axle(0.9)?];
    Ok((car, axles))
}

struct Park {
    car: BodyId,
    axles: [JointId; 2],
    /// Of its wheels.
    speed: f32,
}

impl Play for Park {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        let x = world[self.car].position().x;
        let speed = match x {
            x if x > -2.5 => 9.0,
            x if x < -13.0 => -9.0,
            _ => self.speed,
        };
        if speed != self.speed {
            self.speed = speed;
            for axle in self.axles {
                world.change_joint(axle, |def| *def = (*def).motor(speed, 6.0))?;
            }
        }
        world.step(DT).map(drop)
    }

    fn overlay(&self, places: &[Place], out: &mut Commands) {
        for (at, words) in LABELS {
            out.put_words(Ink::Plain, at, words);
        }
        let world = &places[0].world;
        for (_, joint) in world.joints() {
            let def = joint.def();
            let Some(b) = world.get(def.body_b) else { continue };
            let end = |body: Option<&carom::Body>, anchor| match (body, anchor) {
                (Some(body), carom::Anchor::Local(at)) => body.to_world(at).position(),
                (None, carom::Anchor::Local(at)) => at,
                (_, carom::Anchor::World(at)) => at.position(),
            };
            let (from, to) =
                (end(def.body_a.and_then(|a| world.get(a)), def.anchor_a), end(Some(b), def.anchor_b));
            match def.kind {
                carom::JointKind::Distance { .. } | carom::JointKind::Rope => {
                    out.put_line(Ink::Plain, from, to);
                }
                carom::JointKind::Pulley { ground_a, ground_b, .. } => {
                    let (up, over) = (ground_a.position(), ground_b.position());
                    out.put_line(Ink::Plain, from, up);
                    out.put_line(Ink::Plain, up, over);
                    out.put_line(Ink::Plain, over, to);
                }
                carom::JointKind::Revolute => out.put_point(Ink::Plain, 3.0, to),
                _ => {}
            }
        }
    }
}
