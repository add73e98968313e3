//! Ships of an arcade game, by polar outlines, and what three tests of overlap say of each two of
//! them.
//!
//! Ships pass through each other here: only the walls turn them round. So every answer can be seen
//! for as long as it holds.

use carom::prelude::*;
use carom::{BoundingCircle, Error, Filter, Material, PolarShape, polar};
use core::fmt::Write as _;
use testkit::random::Random;

use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, hue};

pub(super) static SCENE: Info = Info {
    name: "ships",
    title: "Polar ships",
    hint: "Three tests for every pair: the circle around a ship (yellow), the box around it (orange), and the polar \
           outline (red), which alone is exact. Fly yours with the arrow keys, or drag any.",
    counted: "ships",
    count: [2, 12, 40],
    view: [vec2(-12.0, -7.5), vec2(12.0, 9.6)],
    keys: "fly",
    build,
    ..PLAIN
};

/// Half of the room.
const HALF: Vec2 = vec2(11.6, 7.1);
const WALL: u64 = 1;
const SHIP: u64 = 2;

/// Corners around the origin, nose to the right.
const DART: [[f32; 2]; 4] = [[1.4, 0.0], [-1.0, 0.9], [-0.45, 0.0], [-1.0, -0.9]];
const FIGHTER: [[f32; 2]; 8] = [
    [1.5, 0.0],
    [0.3, 0.35],
    [-0.3, 1.2],
    [-0.7, 1.2],
    [-0.8, 0.0],
    [-0.7, -1.2],
    [-0.3, -1.2],
    [0.3, -0.35],
];
const SAUCER: [[f32; 2]; 6] =
    [[1.3, 0.0], [0.4, 0.45], [-0.4, 0.45], [-1.3, 0.0], [-0.4, -0.25], [0.4, -0.25]];

/// A ship, and what is put around it.
struct Ship {
    body: BodyId,
    outline: PolarShape,
    circle: BoundingCircle,
    /// A box in the frame of the ship.
    around: Shape,
}

/// What the tests said of a ship in this step: bits of [`CIRCLE`], [`BOX`] and [`POLAR`].
type Verdict = u8;
const CIRCLE: Verdict = 1;
const BOX: Verdict = 2;
const POLAR: Verdict = 4;

struct Fleet {
    ships: Vec<Ship>,
    verdicts: Vec<Verdict>,
    /// Pairs, by test.
    pairs: [usize; 3],
    /// Pairs for which circle or box said overlap, and the outline did not.
    wrong: [usize; 2],
}

fn build(count: u32) -> Result<Scene, Error> {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]).sleepless());
    let corners = [HALF, vec2(-HALF.x, HALF.y), -HALF, vec2(HALF.x, -HALF.y)];
    let wall = Filter { category: WALL, ..Filter::default() };
    let surface = Material::elastic();
    world.add(BodyDef::fixed().shape(Shape::closed_chain(&corners)).material(surface).filter(wall))?;
    let mut random = Random::new(4);
    let mut ships = Vec::new();
    for k in 0..count as usize {
        let corners: &[[f32; 2]] = [&DART[..], &FIGHTER, &SAUCER][k % 3];
        let scale = if k == 0 { 1.1 } else { random.range(0.8, 1.25) };
        let corners: Vec<Vec2> = corners.iter().map(|&corner| Vec2::from(corner) * scale).collect();
        let (outline, shape) = (PolarShape::new(&corners)?, Shape::polar(&corners));
        let at = vec2(random.range(-0.8, 0.8) * HALF.x, random.range(-0.75, 0.75) * HALF.y);
        let ship = BodyDef::dynamic().at(at).angle(random.range(-3.1, 3.1)).velocity(random.square(1.6));
        let ship = ship.spin(random.range(-0.6, 0.6)).shape(shape.clone()).material(surface);
        let ship = ship.filter(Filter { category: SHIP, mask: WALL, group: 0 });
        let body = world.add(hue(ship, if k == 0 { 6 } else { 4 }))?;
        let around = shape.aabb(Transform::IDENTITY);
        let around_box = Shape::rect(around.size().x, around.size().y).at(around.center());
        ships.push(Ship { body, outline, circle: shape.bounding_circle(), around: around_box });
    }
    world.set_damping(ships[0].body, 0.4, 1.5)?;
    let verdicts = vec![0; ships.len()];
    Ok(Scene::new(world, Fleet { ships, verdicts, pairs: [0; 3], wrong: [0; 2] }))
}

impl Fleet {
    fn fly(&self, world: &mut World, input: Input) -> Result<(), Error> {
        let ship = self.ships[0].body;
        let Some(body) = world.get(ship) else { return Ok(()) };
        let (mass, inertia) = (body.mass(), body.inertia());
        let ahead = body.rotation().x_axis();
        let thrust = if input.keys.up() || input.keys.jump() { 9.0 } else { 0.0 };
        let thrust = if input.keys.down() { -5.0 } else { thrust };
        world.apply_force(ship, ahead * (thrust * mass))?;
        world.apply_torque(ship, -6.0 * input.keys.across() * inertia)
    }

    /// Asks all three tests about every pair.
    fn judge(&mut self, world: &World) {
        self.verdicts.fill(0);
        (self.pairs, self.wrong) = ([0; 3], [0; 2]);
        for b in 1..self.ships.len() {
            for a in 0..b {
                let said = self.said(world, a, b);
                self.verdicts[a] |= said;
                self.verdicts[b] |= said;
                for (count, test) in self.pairs.iter_mut().zip([CIRCLE, BOX, POLAR]) {
                    *count += usize::from(said & test != 0);
                }
                for (count, test) in self.wrong.iter_mut().zip([CIRCLE, BOX]) {
                    *count += usize::from(said & test != 0 && said & POLAR == 0);
                }
            }
        }
    }

    fn said(&self, world: &World, a: usize, b: usize) -> Verdict {
        let (a, b) = (&self.ships[a], &self.ships[b]);
        let (Some(body_a), Some(body_b)) = (world.get(a.body), world.get(b.body)) else { return 0 };
        let (at_a, at_b) = (body_a.transform(), body_b.transform());
        let mut said = 0;
        if a.circle.transformed(at_a).overlaps(&b.circle.transformed(at_b)) {
            said |= CIRCLE;
        }
        if overlaps(&a.around, at_a, &b.around, at_b) {
            said |= BOX;
        }
        // A table is made for one relative rotation; a game whose ships turn in steps would keep a
        // ring of them.
        let between = at_a.relative(at_b);
        if said != 0 && polar::Table::new(&a.outline, &b.outline, between.rotation).overlaps(between.position)
        {
            said |= POLAR;
        }
        said
    }
}

impl Play for Fleet {
    fn step(&mut self, places: &mut [Place], input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        self.fly(world, input)?;
        world.step(DT)?;
        self.judge(world);
        Ok(())
    }

    fn overlay(&self, places: &[Place], out: &mut Commands) {
        for (ship, &said) in self.ships.iter().zip(&self.verdicts) {
            let Some(body) = places[0].world.get(ship.body) else { continue };
            let at = body.transform();
            if said & POLAR != 0 {
                let corners: Vec<Vec2> =
                    ship.outline.vertices().iter().map(|&corner| at.apply(corner)).collect();
                out.put_polygon(Ink::Red, true, 0.0, &corners);
            }
            let ink = |test: Verdict, ink: Ink| if said & test != 0 { ink } else { Ink::Soft };
            let circle = ship.circle.transformed(at);
            out.put_circle(ink(CIRCLE, Ink::Yellow), false, (circle.center, circle.radius), Vec2::ZERO);
            if let Shape::Obb(around) = &ship.around {
                let corners = around.corners().map(|corner| at.apply(corner));
                out.put_polygon(ink(BOX, Ink::Orange), false, 0.0, &corners);
            }
        }
    }

    fn report(&self, _places: &[Place], out: &mut String) {
        let [circles, boxes, polar] = self.pairs;
        let _ =
            writeln!(out, "circles say overlap\t{circles} pairs, {} of them wrong\tyellow", self.wrong[0]);
        let _ = writeln!(out, "boxes say overlap\t{boxes} pairs, {} of them wrong\torange", self.wrong[1]);
        let _ = writeln!(out, "polar outlines say overlap\t{polar} pairs, exact\tred");
    }
}
