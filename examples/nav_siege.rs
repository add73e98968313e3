//! A small strategy game: 200 units storm a keep with two doors, crates in their way.
//!
//! ```text
//! cargo run --release -p carom-examples --example nav_siege      out/nav_siege.svg
//!
//! six moments; blue units are on their way, green ones arrived, orange ones are stuck; the left
//! door shuts at 12 s, and a crane drops crates before the right one
//! ```
//!
//! Four parts work together: the physics world has walls, crates and bodies; the mesh follows it,
//! sleeping crates included; a queue on a raster of the world decides the order in which units ask
//! for ways, so that no tick has more than its share; the crowd moves the bodies. The program
//! fails if fewer than all units arrive.

use std::error::Error;

use carom::prelude::*;
use carom_nav::prelude::*;
use testkit::draw::svg::{BLUE, GREEN, GREY, INK, ORANGE, RED, Style, Svg};

const DT: f32 = 1.0 / 60.0;
const UNITS: usize = 200;
const CRATES: usize = 24;
/// Seconds at which a picture is made.
const MOMENTS: [usize; 6] = [0, 8, 16, 28, 45, 90];
/// When the left door shuts, in ticks.
const SHUTS: usize = 12 * 60;
/// Of a picture, in metres.
const SIZE: Vec2 = Vec2::new(42.0, 30.0);
const UNIT: Agent = Agent { radius: 0.25, speed: 2.0, acceleration: 20.0, horizon: 2.0, priority: 0 };
/// A unit asks for a way at most once in so many ticks.
const PATIENCE: usize = 60;
/// Expansions of the queue in a tick.
const BUDGET: u64 = 6_000;

struct Unit {
    body: BodyId,
    agent: AgentId,
    goal: Vec2,
    ticket: Option<Ticket>,
    way: Way,
    asked: usize,
}

struct Game {
    world: World,
    mesh: Mesh,
    ground: Ground,
    map: Map,
    tiling: Tiling,
    queue: Queue,
    crowd: Crowd,
    units: Vec<Unit>,
    crates: Vec<BodyId>,
    doors: Vec<(Vec2, Vec2)>,
    searches: usize,
}

/// The keep's walls, as middles and sizes: two doors of 2.4 m in the wall at the front.
const WALLS: [([f32; 2], [f32; 2]); 6] = [
    ([6.0, -9.6], [0.6, 7.2]),
    ([6.0, 0.0], [0.6, 7.2]),
    ([6.0, 9.6], [0.6, 7.2]),
    ([13.0, 13.0], [14.6, 0.6]),
    ([13.0, -13.0], [14.6, 0.6]),
    ([20.0, 0.0], [0.6, 26.0]),
];

impl Game {
    fn new() -> Result<Game, Box<dyn Error>> {
        let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
        for (middle, size) in WALLS {
            world.add(BodyDef::fixed().at(middle).shape(Shape::rect(size[0], size[1])))?;
        }
        let mut mesh = Mesh::new(MeshDef { half: 24.0, max_radius: 1.0 })?;
        let mut ground = Ground::new([0.0, 0.0]).with_sleepers();
        // Agents sleep, too, and are no obstacles.
        ground.filter = Filter { category: u64::MAX, mask: !SOLDIERS, ..Filter::default() };
        mesh.sync(&world, &mut ground);
        let tiling = Tiling { corner: [-24.0, -16.0].into(), cell: 0.5, size: [96, 64] };
        let map = Map::raster(&world, &tiling, &QueryFilter::default())?;
        let (mut crowd, mut units) = (Crowd::default(), Vec::new());
        for k in 0..UNITS {
            let (row, line) = ((k / 20) as f32, (k % 20) as f32);
            let at = Vec2::new(-8.0 - 1.2 * row, 1.1 * (line - 9.5));
            let body = world.add(UNIT.body(at).filter(Filter { category: SOLDIERS, ..Filter::default() }))?;
            let agent = crowd.add(&world, body, UNIT)?;
            // Places in the keep, the farthest first for the units in front.
            let goal = Vec2::new(18.0 - 0.8 * row, 1.0 * (line - 9.5));
            units.push(Unit { body, agent, goal, ticket: None, way: Way::default(), asked: 0 });
        }
        Ok(Game {
            world,
            mesh,
            ground,
            map,
            tiling,
            queue: Queue::new(BUDGET),
            crowd,
            units,
            crates: Vec::new(),
            doors: Vec::new(),
            searches: 0,
        })
    }

    fn tick(&mut self, tick: usize) -> Result<(), Box<dyn Error>> {
        if tick == SHUTS {
            let (middle, size) = (Vec2::new(6.0, 4.8), Vec2::new(0.6, 2.4));
            self.world.add(BodyDef::fixed().at(middle).shape(Shape::rect(size.x, size.y)))?;
            self.doors.push((middle - size / 2.0, middle + size / 2.0));
            self.map = Map::raster(&self.world, &self.tiling, &QueryFilter::default().mask(!SOLDIERS))?;
        }
        if tick.is_multiple_of(20) && tick >= 240 && self.crates.len() < CRATES {
            let k = self.crates.len() as f32;
            let at = Vec2::new(1.5 + 0.9 * (k % 4.0), -9.0 + 1.3 * (k / 4.0).floor());
            let body = BodyDef::dynamic().at(at).angle(0.3 * k).damping(2.0, 2.0);
            self.crates.push(self.world.add(body.shape(Shape::rect(0.6, 0.6)))?);
        }
        self.mesh.sync(&self.world, &mut self.ground);
        self.order(tick)?;
        self.crowd.steer(&mut self.world, DT)?;
        self.world.step(DT)?;
        Ok(())
    }

    /// Units without a way, with a way that is out of date, and units that are stuck stand in the
    /// queue; whoever comes out of it gets a way of the mesh.
    fn order(&mut self, tick: usize) -> Result<(), Box<dyn Error>> {
        for unit in &mut self.units {
            let Some(state) = self.crowd.state(unit.agent) else { continue };
            let needs_way = match state.doing {
                Doing::Arrived => false,
                Doing::Unsent | Doing::Stopped => true,
                _ => state.is_stuck || !self.mesh.is_current(&unit.way),
            };
            if needs_way && unit.ticket.is_none() && (unit.asked == 0 || tick >= unit.asked + PATIENCE) {
                let at = self.world[unit.body].position();
                // A unit beside a wall may stand in a cell that the wall reaches into.
                let cell = |at: Vec2| self.tiling.cell_at(at);
                let near = |at: Vec2| self.map.nearest_reachable(Rule::default(), [1, 1], cell(at));
                let (Some(from), Some(to)) = (near(at), near(unit.goal)) else { continue };
                unit.ticket = Some(self.queue.ask(Ask::new(from, to)));
            }
        }
        self.queue.work(&self.map);
        for unit in &mut self.units {
            let Some((found, _)) = unit.ticket.and_then(|ticket| self.queue.take(ticket)) else { continue };
            (unit.ticket, unit.asked) = (None, tick.max(1));
            if !found.is_way() {
                continue;
            }
            self.searches += 1;
            let at = self.world[unit.body].position();
            if self.mesh.way_towards(at, unit.goal, UNIT.radius, &mut unit.way).is_ok() {
                self.crowd.follow_way(unit.agent, self.ground.origin, &unit.way)?;
            }
        }
        Ok(())
    }

    fn arrived(&self) -> usize {
        let doing = |unit: &&Unit| self.crowd.state(unit.agent).map(|state| state.doing);
        self.units.iter().filter(|unit| doing(unit) == Some(Doing::Arrived)).count()
    }

    fn draw(&self, page: &mut Svg) {
        for (middle, size) in WALLS {
            let (middle, half) = (Vec2::from(middle), Vec2::from(size) / 2.0);
            page.rect(middle - half, middle + half, Style::flat(GREY));
        }
        for &(low, high) in &self.doors {
            page.rect(low, high, Style::flat(RED));
        }
        for &id in &self.crates {
            let body = &self.world[id];
            let corners = [[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]];
            let place = |corner: [f32; 2]| body.position() + body.rotation() * Vec2::from(corner);
            page.polygon(&corners.map(place), Style::body(ORANGE));
        }
        for unit in &self.units {
            let color = match self.crowd.state(unit.agent) {
                Some(state) if state.doing == Doing::Arrived => GREEN,
                Some(state) if state.is_stuck => ORANGE,
                _ => BLUE,
            };
            page.circle(self.world[unit.body].position(), UNIT.radius, Style::flat(color));
        }
    }
}

/// The category of units, which are no walls.
const SOLDIERS: u64 = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::new()?;
    let mut page = Svg::new(Vec2::ZERO, Vec2::new(3.0 * SIZE.x, 2.0 * (SIZE.y + 2.0)), 9.0);
    for tick in 0..=MOMENTS[5] * 60 {
        if let Some(moment) = MOMENTS.iter().position(|moment| moment * 60 == tick) {
            let text = format!("{} s: {} of {UNITS} arrived", MOMENTS[moment], game.arrived());
            println!("{text}, {} ways so far", game.searches);
            let corner = Vec2::new((moment % 3) as f32 * SIZE.x, (1 - moment / 3) as f32 * (SIZE.y + 2.0));
            page.shifted(corner + Vec2::new(20.5, SIZE.y / 2.0), |page| {
                game.draw(page);
                page.text(Vec2::new(-19.0, 14.0), 14.0, &text, Style::flat(INK));
            });
        }
        game.tick(tick)?;
    }
    page.save("out/nav_siege.svg")?;
    if game.arrived() < UNITS { Err(format!("{} of {UNITS} arrived", game.arrived()).into()) } else { Ok(()) }
}
