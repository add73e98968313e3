//! People who want through a door: a crowd, or each straight ahead.

use carom::prelude::*;
use carom::{Error, Material, QueryFilter};
use carom_nav::crowd::{Agent, AgentId, Crowd};
use core::fmt::Write as _;
use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, hue};

use demo_shell::people::{from_above, refused, walls};

pub(crate) static SCENE: Info = Info {
    name: "door",
    title: "Door",
    hint: "One door of 1.2 m, seen from above. People slow down for each other, and pass it as people do: 1.3 to \
           2.5 a metre and second were measured. In the naive way everyone runs straight ahead, and they wedge each other in.",
    counted: "people",
    count: [20, 120, 300],
    view: [vec2(-16.0, -7.5), vec2(9.0, 7.5)],
    naive: "everyone runs straight ahead",
    build,
    ..PLAIN
};

const WIDTH: f32 = 1.2;
/// Who is so far through goes to the end of the queue.
const GONE: f32 = 7.5;
/// The flow is that of so many steps.
const SPAN: u64 = 30 * 60;
const PERSON: Agent = Agent { radius: 0.25, speed: 1.25, acceleration: 20.0, horizon: 2.0, priority: 0 };

struct Person {
    body: BodyId,
    agent: AgentId,
    through: bool,
    /// Where it queues again, up or down.
    spread: f32,
}

struct Door {
    crowd: Crowd,
    people: Vec<Person>,
    /// The steps in which somebody came through, of late.
    passed: Vec<u64>,
    through: usize,
    /// The step of the last one.
    last: u64,
    /// The longest time without anyone, in steps.
    pause: u64,
    naive: bool,
}

fn build(count: u32) -> Result<Scene, Error> {
    let mut world = from_above();
    let half = 0.5 * WIDTH;
    walls(&mut world, &[([0.0, half + 10.0], [0.4, 20.0]), ([0.0, -half - 10.0], [0.4, 20.0])])?;
    let mut door = Door {
        crowd: Crowd::default(),
        people: Vec::new(),
        passed: Vec::new(),
        through: 0,
        last: 0,
        pause: 0,
        naive: false,
    };
    for k in 0..count {
        let (row, line) = (k / 15, k % 15);
        let side = (line as f32 - 7.0) / 7.0;
        let at = vec2(-1.5 - 0.7 * row as f32, 5.2 * side + 0.05 * (row % 3) as f32);
        // Enough friction for those who only push to wedge each other at the doorposts.
        let clothes = Material { restitution: 0.0, ..Material::default() }.friction(0.05);
        let body = world.add(hue(PERSON.body(at).material(clothes), row as usize % 6))?;
        let agent = door.crowd.add(&world, body, PERSON).map_err(refused)?;
        door.people.push(Person { body, agent, through: false, spread: 1.5 * side });
    }
    door.send()?;
    Ok(Scene::new(world, door))
}

impl Door {
    /// Tells all where to go. An order that is given again changes nothing.
    fn send(&mut self) -> Result<(), Error> {
        for person in &self.people {
            let way = [[-0.2, 0.0], [0.3, 0.0], [12.0, 0.0]].map(WorldPoint::from);
            self.crowd.follow(person.agent, &way).map_err(refused)?;
        }
        Ok(())
    }

    /// Straight to the door, or on from it, whoever else is there.
    fn push(&self, world: &mut World) -> Result<(), Error> {
        for person in &self.people {
            let Some(body) = world.get(person.body) else { continue };
            let at = body.position();
            let goal = if at.x < 0.3 { vec2(0.4, 0.0) } else { vec2(30.0, 0.0) };
            let wish = (goal - at).normalize_or_zero() * PERSON.speed;
            let force =
                (wish - body.velocity()).clamp_length_max(PERSON.acceleration * DT) * body.mass() / DT;
            world.apply_force(person.body, force)?;
        }
        Ok(())
    }

    fn count(&mut self, world: &World) {
        let now = world.step_count();
        for person in &mut self.people {
            let is_through = world.get(person.body).is_some_and(|body| body.position().x > 0.3);
            if is_through && !person.through {
                self.passed.push(now);
                self.last = now;
                self.through += 1;
            }
            person.through = is_through;
        }
        // Before the first one nobody waits.
        if self.through > 0 {
            self.pause = self.pause.max(now - self.last);
        }
        self.passed.retain(|&step| step + SPAN > now);
    }

    /// Who is far away comes again at the end of the queue, where there is room.
    fn return_some(&mut self, world: &mut World) -> Result<(), Error> {
        for person in &mut self.people {
            let is_gone = world.get(person.body).is_some_and(|body| body.position().x > GONE);
            let spot = vec2(-15.5, 3.2 * person.spread);
            if is_gone && world.nearest(spot, 0.3, &QueryFilter::default()).is_none() {
                world.teleport(person.body, spot, 0.0)?;
                world.set_velocity(person.body, [0.0, 0.0])?;
                self.crowd.remove(person.agent);
                person.agent = self.crowd.add(world, person.body, PERSON).map_err(refused)?;
            }
        }
        Ok(())
    }
}

impl Play for Door {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        if self.naive {
            self.push(world)?;
        } else {
            self.send()?;
            self.crowd.steer(world, DT).map_err(refused)?;
        }
        world.step(DT)?;
        self.count(world);
        self.return_some(world)
    }

    fn set_naive(&mut self, places: &mut [Place], on: bool) {
        self.naive = on;
        self.passed.clear();
        (self.pause, self.last) = (0, places[0].world.step_count());
    }

    fn overlay(&self, _places: &[Place], out: &mut Commands) {
        let half = 0.5 * WIDTH;
        out.put_line(Ink::Soft, vec2(0.3, -half), vec2(0.3, half));
        let flow = self.flow().map_or(String::new(), |flow| format!("{flow:.1} a metre and second"));
        out.put_words(Ink::Plain, vec2(3.6, -6.9), &flow);
    }

    fn report(&self, _places: &[Place], out: &mut String) {
        let _ = writeln!(out, "came through\t{}", self.through);
        if let Some(flow) = self.flow() {
            let mark = if (1.3..=2.5).contains(&flow) { "good" } else { "bad" };
            let _ = writeln!(out, "a metre and second\t{flow:.2}\t{mark}");
        }
        let _ = writeln!(out, "longest pause\t{:.1} s", self.pause as f32 * DT);
    }

    fn hash(&self, places: &[Place]) -> u64 {
        places[0].world.hash() ^ self.crowd.hash()
    }
}

impl Door {
    /// People a metre and second, of late.
    fn flow(&self) -> Option<f32> {
        let [first, .., last] = self.passed[..] else { return None };
        (last > first).then(|| (self.passed.len() - 1) as f32 / ((last - first) as f32 * DT) / WIDTH)
    }
}
