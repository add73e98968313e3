//! A player in a level: a conveyor, a platform to jump up through, a lift, and a coin.
//!
//! The player is a capsule that cannot turn, driven by its velocity: the program sets how fast it
//! runs and jumps, and the world does the rest. Input comes from a script, so that every run is the
//! same. Prints what happened, and leaves `out/platformer.svg` with the path of the player.
//!
//! ```text
//!                                   coin
//!                    one-way         o
//!                   =========      ______  lift, up and down
//!    start                        |______|
//!   ________>>>>>>>>>_____________________
//!            conveyor
//! ```

use carom::prelude::*;
use carom::{Locks, Material};
use std::error::Error;
use testkit::draw::svg::{BLUE, GREEN, GREY, INK, ORANGE, PURPLE, RED, Style, Svg};

const DT: f32 = 1.0 / 60.0;
const STEPS: usize = 780;
const RUN: f32 = 4.0;
const JUMP: f32 = 8.5;
/// Change of the running speed in a step: less in the air than on the ground.
const GRIP: [f32; 2] = [0.15, 0.6];
/// Half of the player's height, from its middle to its feet.
const FEET: f32 = 0.9;
const LIFT: Vec2 = vec2(2.4, 0.3);
const COIN: Vec2 = vec2(11.5, 7.1);

/// What the player wants, from a step on. With no wish it lets the ground carry it.
struct Wish {
    from: usize,
    run: Option<f32>,
    jump: bool,
}

#[rustfmt::skip] // One line a wish.
const SCRIPT: [Wish; 8] = [
    Wish { from:   0, run: Some(0.0), jump: false },
    Wish { from:  30, run: Some(RUN), jump: false }, // to the conveyor
    Wish { from: 100, run: None,      jump: false }, // rides on it
    Wish { from: 215, run: Some(0.0), jump: false }, // stands under the one-way platform
    Wish { from: 260, run: Some(0.0), jump: true },  // up through it
    Wish { from: 350, run: Some(RUN), jump: false }, // down from its end, to the lift
    Wish { from: 430, run: Some(0.0), jump: false }, // stands on the lift
    Wish { from: 670, run: Some(0.0), jump: true },  // to the coin
];

struct Level {
    world: World,
    player: BodyId,
    lift: BodyId,
    coin: ShapeId,
    conveyor: BodyId,
    ledge: BodyId,
}

fn level() -> Result<Level, carom::Error> {
    let mut world = World::new(WorldDef::default());
    let ground = |from: f32, to: f32| {
        BodyDef::fixed().at([0.5 * (from + to), -0.5]).shape(Shape::rect(to - from, 1.0))
    };
    world.add(ground(-4.0, 2.0))?;
    let belt = Material { surface_speed: 2.0, ..Material::default().friction(0.9) };
    let conveyor = world.add(ground(2.0, 6.0).material(belt))?;
    world.add(ground(6.0, 18.0))?;
    let ledge = world.add(
        BodyDef::fixed().at([6.5, 2.4]).shape(ShapeDef::from(Shape::rect(4.0, 0.2)).one_way([0.0, 1.0])),
    )?;
    let lift = world.add(BodyDef::kinematic().at(lift_at(0)).shape(Shape::rect(LIFT.x, LIFT.y)))?;
    let coin = BodyDef::fixed().at(COIN).shape(ShapeDef::from(Shape::circle(0.3)).sensor());
    let coin = world.add(coin)?;
    let coin = world.shapes_of(coin).map(|(id, _)| id).next().expect("the coin has a shape");
    let capsule = Shape::capsule([0.0, -0.5], [0.0, 0.5], FEET - 0.5);
    let player = BodyDef::dynamic().at([-2.0, FEET]).shape(capsule).density(80.0).locks(Locks::ROTATION);
    let player = world.add(player.sleepless())?;
    Ok(Level { world, player, lift, coin, conveyor, ledge })
}

/// Where the lift's middle is to be at a step: it waits below, goes up four metres in a good three
/// seconds, and stays.
fn lift_at(step: usize) -> Vec2 {
    let way = ((step as f32 - 450.0) / 200.0).clamp(0.0, 1.0);
    // Begins and ends slowly.
    vec2(11.5, -0.14 + 4.0 * way * way * (3.0 - 2.0 * way))
}

fn main() -> Result<(), Box<dyn Error>> {
    let Level { mut world, player, lift, coin, conveyor, ledge } = level()?;
    let (mut path, mut before, mut has_coin) = (Vec::new(), None, false);
    for step in 0..STEPS {
        let floor = floor_under(&world, player);
        if floor != before {
            let name = match floor {
                None => "in the air",
                Some(body) if body == conveyor => "on the conveyor",
                Some(body) if body == ledge => "on the one-way platform",
                Some(body) if body == lift => "on the lift",
                Some(_) => "on the ground",
            };
            println!("{:5.2} s  {name}, at {:.2}", step as f32 * DT, world[player].position());
            before = floor;
        }
        drive(&mut world, player, floor, step)?;
        world.move_to(lift, lift_at(step + 1), 0.0)?;
        world.step(DT)?;
        let taken = world.events().entered().iter().find(|it| it.sensor == coin && it.visitor_body == player);
        if let Some(event) = taken.copied() {
            println!("{:5.2} s  has the coin", (step as f32 + event.time) * DT);
            world.remove(event.sensor_body)?;
            has_coin = true;
        }
        path.push(world[player].position());
    }
    println!("coin: {}", if has_coin { "taken" } else { "missed" });
    picture(&world, &path, player, lift).save("out/platformer.svg")?;
    Ok(())
}

/// Who carries the player: what a cast of its lower end finds at its feet.
fn floor_under(world: &World, player: BodyId) -> Option<BodyId> {
    let foot = Shape::circle(0.3);
    let from = world[player].world_position().offset(vec2(0.0, 0.32 - FEET));
    let filter = QueryFilter::default().without(player);
    let hit = world.cast(&ShapeCast::new(&foot, from, [0.0, -0.08]), &filter)?;
    // Whoever rises from below a one-way platform does not stand on it.
    let rises = world[player].velocity().y - world[hit.body].velocity().y > 0.5;
    (hit.normal.y > 0.7 && !rises).then_some(hit.body)
}

/// Sets the player's velocity after the script's wish.
fn drive(world: &mut World, player: BodyId, floor: Option<BodyId>, step: usize) -> Result<(), carom::Error> {
    let Some(wish) = SCRIPT.iter().rev().find(|wish| wish.from <= step) else { return Ok(()) };
    let mut velocity = world[player].velocity();
    if let Some(run) = wish.run {
        let most = GRIP[usize::from(floor.is_some())];
        velocity.x += (run - velocity.x).clamp(-most, most);
    }
    if wish.jump && wish.from == step && floor.is_some() {
        velocity.y = JUMP;
    }
    world.set_velocity(player, velocity)
}

fn picture(world: &World, path: &[Vec2], player: BodyId, lift: BodyId) -> Svg {
    let mut svg = Svg::new(vec2(-4.0, -1.2), vec2(16.0, 10.0), 46.0);
    svg.grid(1.0);
    svg.circle(COIN, 0.3, Style { dash: 4.0, ..Style::body(ORANGE) });
    for (id, body) in world.bodies().filter(|&(id, _)| id != player) {
        for (_, collider) in world.shapes_of(id) {
            let (color, dash) = match collider {
                _ if id == lift => (PURPLE, 0.0),
                it if it.one_way().is_some() => (GREEN, 4.0),
                it if it.material().surface_speed != 0.0 => (RED, 0.0),
                _ => (GREY, 0.0),
            };
            let style = Style { dash, ..Style::body(color) };
            match collider.shape() {
                Shape::Obb(obb) => {
                    svg.polygon(&obb.corners().map(|corner| body.transform().apply(corner)), style)
                }
                other => panic!("{other:?} is not in this level"),
            }
        }
    }
    for &at in path.iter().step_by(30) {
        svg.rounded(
            &[at - vec2(0.0, 0.5), at + vec2(0.0, 0.5)],
            FEET - 0.5,
            Style { opacity: 0.06, width: 0.6, ..Style::body(BLUE) },
        );
    }
    svg.polyline(path, Style { width: 2.0, ..Style::outline(BLUE) });
    svg.rounded(
        &path.last().map_or([Vec2::ZERO; 2], |&at| [at - vec2(0.0, 0.5), at + vec2(0.0, 0.5)]),
        FEET - 0.5,
        Style::body(BLUE),
    );
    for (at, text) in [
        (vec2(4.0, -0.5), "conveyor"),
        (vec2(5.2, 2.75), "one-way"),
        (vec2(13.2, 3.85), "lift"),
        (vec2(12.4, 7.1), "coin"),
    ] {
        svg.label(at, 15.0, text, Style::flat(INK));
    }
    svg
}
