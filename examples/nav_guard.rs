//! A patrol: three guards with minds and zones, and a thief who walks past them.
//!
//! ```text
//! cargo run --release -p carom-examples --example nav_guard      out/nav_guard.svg
//!
//! trails, coloured by what the guard was up to: green wanders, orange chases, red attacks
//! ```

use std::error::Error;

use carom::Filter;
use carom::prelude::*;
use carom_nav::crowd::{Agent, AgentId, Crowd, Wander};
use carom_nav::mind::{Machine, Mind, WatcherId, Zone, ZoneEvent, Zones};
use testkit::draw::svg::{BLUE, GREEN, GREY, INK, ORANGE, RED, Style, Svg};

const DT: f32 = 1.0 / 60.0;
const WALLS: u64 = 2;
const THIEF: u64 = 4;
const POSTS: [[f32; 2]; 3] = [[-8.0, 4.0], [1.0, -4.0], [10.0, 4.0]];
const SHEDS: [([f32; 2], [f32; 2]); 3] =
    [([-3.0, 3.5], [1.0, 5.0]), ([4.5, 1.5], [4.0, 1.0]), ([-5.0, -4.0], [3.0, 1.5])];

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Patrol,
    Chase,
    Attack,
}

struct Guard {
    agent: AgentId,
    body: BodyId,
    watch: WatcherId,
    mind: Mind,
    post: [f32; 2],
    trail: Vec<(Vec2, State)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    use State::{Attack, Chase, Patrol};
    let table = Machine::new(Patrol)
        .on(Patrol, ZoneEvent::Noticed, Chase)
        .on(Chase, ZoneEvent::InReach, Attack)
        .on(Attack, ZoneEvent::OutOfReach, Chase)
        .on(Chase, ZoneEvent::Lost, Patrol)
        .others_stay()
        .check()
        .map_err(|fault| fault.to_string())?;
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    for (at, size) in SHEDS {
        let filter = Filter { category: WALLS, ..Filter::default() };
        world.add(BodyDef::fixed().at(at).shape(Shape::rect(size[0], size[1])).filter(filter))?;
    }
    let (mut crowd, mut zones) = (Crowd::default(), Zones::default());
    let mut guards = Vec::new();
    for (seed, post) in (0..).zip(POSTS) {
        let agent = Agent { radius: 0.35, speed: 1.2, ..Agent::default() };
        let body = world.add(agent.body(post))?;
        let zone =
            Zone { notice: 4.0, lose: 5.5, reach: 1.2, hides: WALLS, targets: THIEF, ..Zone::default() };
        let watch = zones.attach(&mut world, body, zone)?;
        let agent = crowd.add(&world, body, agent)?;
        crowd.wander(agent, patrol(seed, post))?;
        guards.push(Guard { agent, body, watch, mind: table.start(), post, trail: Vec::new() });
    }
    let thief = Agent { radius: 0.35, speed: 1.5, priority: 1, ..Agent::default() };
    let filter = Filter { category: THIEF, ..Filter::default() };
    let thief_body = world.add(thief.body([-14.0, -1.0]).filter(filter))?;
    let thief = crowd.add(&world, thief_body, thief)?;
    let way = [[-6.0, 0.5].into(), [0.0, -0.5].into(), [7.0, -0.5].into(), [15.0, 2.0].into()];
    let mut thief_trail = Vec::new();
    for tick in 0..60 * 34_u64 {
        if tick == 60 * 8 {
            crowd.follow(thief, &way)?;
        }
        for (seed, guard) in (0..).zip(&mut guards) {
            for (_, event, _) in zones.events().iter().filter(|(who, ..)| *who == guard.watch) {
                let step = table.step(&mut guard.mind, *event).map_err(|error| error.to_string())?;
                if let Some(entered) = step.entered() {
                    println!("{:5.1} s: guard {seed} {:?} -> {entered:?}", tick as f32 * DT, step.from);
                }
                match step.entered() {
                    Some(Patrol) => crowd.wander(guard.agent, patrol(seed, guard.post))?,
                    Some(Attack) => crowd.stand(&world, guard.agent)?,
                    _ => {}
                }
            }
            let state = table.state(guard.mind).map_err(|error| error.to_string())?;
            // The one chased moves, so where to go is said again and again.
            if let (Chase, Some(whom), 0) = (state, zones.nearest(&world, guard.watch), tick % 15) {
                crowd.go(guard.agent, world[whom].world_position())?;
            }
            if tick % 6 == 0 {
                guard.trail.push((world[guard.body].position(), state));
            }
        }
        if tick % 6 == 0 {
            thief_trail.push(world[thief_body].position());
        }
        crowd.steer(&mut world, DT)?;
        world.step(DT)?;
        zones.read(&world);
    }
    let mut page = Svg::new(Vec2::new(-16.0, -9.0), Vec2::new(17.0, 10.0), 26.0);
    for (at, size) in SHEDS {
        let (at, half) = (Vec2::from(at), Vec2::from(size) / 2.0);
        page.rect(at - half, at + half, Style::flat(GREY));
    }
    page.polyline(&thief_trail, Style { width: 2.0, dash: 5.0, ..Style::outline(BLUE) });
    page.text(Vec2::new(-15.5, -2.2), 13.0, "the thief", Style::flat(BLUE));
    for (number, guard) in guards.iter().enumerate() {
        let leash = Style { dash: 3.0, ..Style::outline(GREY) };
        page.circle(Vec2::from(guard.post), 2.5, leash);
        for two in guard.trail.windows(2) {
            let color = [GREEN, ORANGE, RED][two[1].1 as usize];
            page.line(two[0].0, two[1].0, Style { width: 2.5, ..Style::outline(color) });
        }
        let end = world[guard.body].position();
        page.circle(
            end,
            0.35,
            Style::body([GREEN, ORANGE, RED][guard.trail.last().map_or(0, |x| x.1 as usize)]),
        );
        page.label(
            Vec2::from(guard.post) + Vec2::Y * 2.8,
            13.0,
            &format!("guard {number}"),
            Style::flat(INK),
        );
    }
    let text = "green: on patrol, orange: chases, red: attacks; circles: leashes";
    page.text(Vec2::new(-15.5, 9.2), 14.0, text, Style::flat(INK));
    page.save("out/nav_guard.svg")?;
    Ok(())
}

fn patrol(seed: u64, post: [f32; 2]) -> Wander {
    Wander { seed, turn: 2.5, leash: Some((post.into(), 2.5)) }
}
