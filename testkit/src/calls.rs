//! Random calls: a small world on a random ground, and every public call that edits a world, at
//! random.
//!
//! In: a seed. Out: the same world and the same calls on every machine. Numbers are ordinary, or
//! hostile in one world of four: places two thousand million regions out, speeds of 1e9 m/s, shapes
//! attached a thousand kilometres beside their body. Refused calls are fine, so answers are
//! dropped.
//!
//! [`Chaos`](crate::chaos::Chaos) is the busy world for golden hashes; its calls stay as they are.

use carom::prelude::*;
use carom::{
    Area, Combine, Fluid, IVec2, Mass, Piece, Prediction, Pull, Start, Ties, TileCell, TileKind, Weight,
};

use crate::joint_defs::every_kind;
use crate::random::Random;

/// Most bodies of a world: with more, bodies are removed in place of added.
const BODIES: usize = 30;

/// A world with its dice.
#[derive(Clone)]
pub struct RandomCalls {
    /// The world, to be looked at.
    pub world: World,
    random: Random,
    /// Ids that were given out; some bodies and joints are gone.
    bodies: Vec<BodyId>,
    joints: Vec<JointId>,
    pieces: Vec<Piece>,
    is_hostile: bool,
    /// The last calls, in words, for the message of a failed test.
    pub log: Vec<String>,
}

impl RandomCalls {
    /// A world with a ground and some bodies. One seed of 20 has enough bodies for several threads.
    #[must_use]
    pub fn new(seed: u64) -> RandomCalls {
        let mut random = Random::new(seed);
        let is_hostile = seed % 4 == 3;
        let mut def = WorldDef { sub_steps: [1, 2, 4, 4, 8][random.below(5)], ..WorldDef::default() };
        match random.below(8) {
            0 | 1 => def = def.periodic(2 + random.below(3) as i32, [0, 2, 3][random.below(3)]),
            2 => def.gravity = random.vec2(20.0),
            3 => def.max_speed = f32::INFINITY,
            4 => def.continuous = false,
            _ => {}
        }
        let mut calls = RandomCalls {
            world: World::new(def),
            random,
            bodies: Vec::new(),
            joints: Vec::new(),
            pieces: Vec::new(),
            is_hostile,
            log: Vec::new(),
        };
        let ground = calls.ground();
        calls.add(BodyDef::fixed().shape(ground));
        let count = if seed % 20 == 10 { 260 } else { 4 + calls.random.below(16) };
        (0..count).for_each(|_| calls.spawn());
        (0..4).for_each(|_| calls.join());
        calls
    }

    /// Up to four calls, and a step of a random length.
    pub fn step(&mut self) {
        for _ in 0..self.random.below(5) {
            self.call();
        }
        let dt = match self.random.below(16) {
            0 => 0.0,
            1 => 1.0 / 30.0,
            2 => 1.0 / 240.0,
            _ => 1.0 / 60.0,
        };
        self.log.push(format!("step({dt})"));
        self.world.step(dt).expect("dt is in range");
    }

    /// The same dice with another world of the same bits.
    #[must_use]
    pub fn with_world(self, world: World) -> RandomCalls {
        RandomCalls { world, ..self }
    }

    fn ground(&mut self) -> ShapeDef {
        let random = &mut self.random;
        let hills: Vec<Vec2> = (0..32).map(|k| vec2(16.0 - k as f32, 0.3 * (k % 3) as f32)).collect();
        let corners = [[-15.0, 0.0], [-15.0, -4.0], [15.0, -4.0], [15.0, 0.0]].map(Vec2::from);
        let shape = match random.below(7) {
            0 => Shape::rect(40.0, 2.0).at([0.0, -1.0]),
            1 => Shape::chain(&hills),
            2 => Shape::closed_chain(&corners),
            3 => Shape::half_plane([0.0, 0.0], [0.0, 1.0]),
            4 => Shape::compound((-12..12).map(|k| Shape::rect(1.0, 1.0).at([k as f32, -0.5]))),
            5 => tiles(random, 1.0, 24, 4).at([-12.0, -4.0]),
            _ => Shape::outline(&[
                vec2(-15.0, -3.0),
                vec2(15.0, -3.0),
                vec2(14.0, 2.0),
                vec2(0.0, 0.0),
                vec2(-14.0, 2.0),
            ]),
        };
        let material = material(random);
        ShapeDef::from(shape).material(material)
    }

    /// A number: ordinary up to `usual`, hostile at times up to 1e9.
    fn number(&mut self, usual: f64) -> f32 {
        if self.is_hostile && self.random.below(6) == 0 {
            let size = self.random.log_range(1.0e-3, 1.0e9);
            return (size * self.random.sign()) as f32;
        }
        self.random.range(-usual, usual) as f32
    }

    fn vector(&mut self, usual: f64) -> Vec2 {
        let x = self.number(usual);
        vec2(x, self.number(usual))
    }

    /// A place near the ground; in hostile worlds at times as far out as regions go.
    fn place(&mut self) -> WorldPoint {
        let local = vec2(self.random.range(-14.0_f32, 14.0), self.random.range(-2.0_f32, 8.0));
        let far = [0, 1, -1, 1 << 20, i32::MAX, i32::MIN, i32::MAX - 1, -5];
        let region = |random: &mut Random| random.one(&far);
        let is_far = self.is_hostile && self.random.below(8) == 0;
        let region =
            if is_far { IVec2::new(region(&mut self.random), region(&mut self.random)) } else { IVec2::ZERO };
        WorldPoint { region, local }
    }

    fn body(&mut self) -> BodyId {
        self.bodies[self.random.below(self.bodies.len())]
    }

    fn shape_of(&mut self, body: BodyId) -> Option<ShapeId> {
        let shapes: Vec<ShapeId> = self.world.shapes_of(body).map(|(id, _)| id).collect();
        (!shapes.is_empty()).then(|| self.random.one(&shapes))
    }

    fn add(&mut self, def: BodyDef) {
        self.bodies.extend(self.world.add(def));
    }

    fn spawn(&mut self) {
        let random = &mut self.random;
        let mut def =
            [BodyDef::dynamic, BodyDef::dynamic, BodyDef::dynamic, BodyDef::kinematic, BodyDef::fixed]
                [random.below(5)]();
        def.shapes.push(shape_def(random));
        match random.below(20) {
            0 | 1 => def.shapes.push(shape_def(random)),
            2 => def.locks = Locks { x: random.below(2) == 0, y: false, rotation: true },
            3 => def.mass = Some(Mass { mass: 2.0, center: vec2(0.1, 0.0), inertia: 0.4 }),
            4 => def.can_sleep = false,
            5 | 6 => def.awake = false,
            7 => def.enabled = false,
            8 => def.gravity_scale = 0.0,
            _ => {}
        }
        let (angle, velocity) = (random.angle(), self.vector(9.0));
        let spin = self.number(9.0);
        let place = self.place();
        let def = def.at(place).angle(angle).velocity(velocity).spin(spin);
        self.add(def);
    }

    fn join(&mut self) {
        let (a, b) = (self.body(), self.body());
        let hinges = [self.joints.first(), self.joints.last()].map(|id| id.copied());
        let hinges = match hinges {
            [Some(first), Some(second)] => [first, second],
            _ => {
                self.joints.extend(self.world.add_joint(JointDef::revolute(None, b)));
                return;
            }
        };
        let mut def = self.random.one(&every_kind(a, b, hinges));
        match self.random.below(4) {
            0 => def.body_a = None,
            1 => def = def.at(self.place()),
            _ => {}
        }
        self.joints.extend(self.world.add_joint(def));
    }

    /// One call that changes the world, or asks what it will do.
    fn call(&mut self) {
        let (body, kind) = (self.body(), self.random.below(50));
        self.log.push(format!("call {kind} of {body}"));
        match kind {
            0..4 if self.world.body_count() < BODIES => self.spawn(),
            0..2 => _ = self.world.remove(body),
            2..5 => _ = self.world.put_to_sleep(body),
            5..14 => self.push(body),
            14..22 => self.edit_body(body),
            22..32 => self.edit_shape(body),
            32..37 => self.edit_joint(),
            37..43 => self.edit_pieces(body),
            43..46 => self.break_up(body),
            46 => self.predict(body),
            47 => {
                let gravity = self.vector(12.0);
                _ = self.world.set_gravity(gravity);
            }
            48 => {
                let defs: Vec<BodyDef> = (0..3)
                    .map(|_| {
                        let place = self.place();
                        BodyDef::dynamic().at(place).shape(shape_def(&mut self.random))
                    })
                    .collect();
                if self.world.body_count() < BODIES {
                    self.bodies.extend(self.world.add_all(defs).into_iter().flatten());
                }
            }
            _ => _ = self.world.set_user_data(body, self.random.bits()),
        }
    }

    fn push(&mut self, body: BodyId) {
        let (way, number, place) = (self.vector(12.0), self.number(12.0), self.place());
        let angle = self.random.angle();
        let world = &mut self.world;
        match self.random.below(12) {
            0 | 1 => _ = world.teleport(body, place, angle),
            2 => _ = world.move_to(body, place, angle),
            3 => _ = world.set_velocity(body, way),
            4 => _ = world.set_angular_velocity(body, number),
            5 => _ = world.apply_force(body, way),
            6 => _ = world.apply_force_at(body, way, place),
            7 => _ = world.apply_torque(body, number),
            8 => _ = world.apply_impulse(body, way),
            9 => _ = world.apply_impulse_at(body, way, place),
            10 => _ = world.apply_angular_impulse(body, number),
            _ => _ = world.explode(place, number.abs(), way.x, 1.0),
        }
    }

    fn edit_body(&mut self, body: BodyId) {
        let (way, number) = (self.vector(12.0), self.number(2.0));
        let (world, random) = (&mut self.world, &mut self.random);
        match random.below(14) {
            0 | 1 => {
                let kinds = [BodyKind::Fixed, BodyKind::Kinematic, BodyKind::Dynamic, BodyKind::Dynamic];
                _ = world.set_kind(body, random.one(&kinds));
            }
            2 | 3 => _ = world.set_enabled(body, random.below(3) > 0),
            4 => {
                _ = world.set_locks(
                    body,
                    Locks { x: false, y: random.below(4) == 0, rotation: random.below(2) == 0 },
                )
            }
            5 => {
                let mass = Mass { mass: 3.0, center: way * 0.05, inertia: number.abs() };
                _ = world.set_mass(body, (random.below(2) == 0).then_some(mass));
            }
            6 => _ = world.set_gravity_scale(body, number),
            7 => _ = world.set_damping(body, number.abs(), 0.1),
            8 => _ = world.set_can_sleep(body, random.below(3) > 0),
            9 => _ = world.wake_up(body),
            10 => _ = world.set_dominance(body, random.below(5) as i8 - 2),
            11 => _ = world.set_gravity_of(body, (random.below(2) == 0).then_some(way)),
            12 => _ = world.set_max_speed_of(body, number.abs() * 20.0),
            _ => _ = world.break_welds(body),
        }
    }

    fn edit_shape(&mut self, body: BodyId) {
        let (kind, offset) = (self.random.below(16), self.vector(1.0));
        let random = &mut self.random;
        if kind < 3 {
            let def = shape_def(random);
            let def = ShapeDef { shape: if kind == 0 { def.shape.at(offset) } else { def.shape }, ..def };
            _ = self.world.attach(body, def);
            return;
        }
        let Some(shape) = self.shape_of(body) else { return };
        let (area, place) = (self.area(), [self.random.below(4) as u32, self.random.below(3) as u32]);
        let (world, random) = (&mut self.world, &mut self.random);
        match kind {
            3 => _ = world.detach(shape),
            4 | 5 => _ = world.set_shape(shape, any_shape(random)),
            6 | 7 => _ = world.set_sensor(shape, random.below(2) == 0),
            8 => _ = world.set_one_way(shape, (random.below(2) == 0).then_some(Vec2::Y)),
            9 => _ = world.set_material(shape, material(random)),
            10 => {
                let group = random.below(3) as i32 - 1;
                _ = world.set_filter(shape, Filter { group, ..Filter::default() });
            }
            11 => _ = world.set_weight(shape, Weight::Density(random.log_range(0.01, 100.0) as f32)),
            12 => {
                let cell = TileCell::new(random.one(&TileKind::ALL), 0);
                _ = world.set_tile(shape, place, cell);
            }
            _ => {
                _ = world.set_sensor(shape, true);
                _ = world.set_area(shape, area);
            }
        }
    }

    fn area(&mut self) -> Option<Area> {
        let (wind, strength) = (self.vector(9.0), self.number(9.0));
        Some(match self.random.below(6) {
            0 => return None,
            1 => Area::gravity(wind),
            2 => Area { gravity: Some(Pull::Along(wind)), ..Area::default() }.priority(2),
            3 => Area::planet(strength, 1.0),
            4 => Area::wind(wind, strength.abs()),
            _ => {
                let fluid = Fluid {
                    density: 2.0,
                    surface: vec2(0.0, 0.2),
                    up: Vec2::Y,
                    drag: 1.0,
                    angular_drag: 1.0,
                    flow: wind,
                };
                Area { fluid: Some(fluid), ..Area::default() }
            }
        })
    }

    fn edit_joint(&mut self) {
        if self.random.below(3) == 0 || self.joints.is_empty() {
            return self.join();
        }
        let id = self.random.one(&self.joints);
        let (other, number, is_on) = (self.body(), self.number(3.0), self.random.below(2) == 0);
        // Joints that were made by touch, too.
        let of_body = self.world.joints_of(other).next().map(|(id, _)| id);
        let id = if is_on { of_body.unwrap_or(id) } else { id };
        let world = &mut self.world;
        match self.random.below(9) {
            0 => _ = world.remove_joint(id),
            1 | 2 => {
                let enabled = world.is_joint_enabled(id);
                _ = world.set_joint_enabled(id, !enabled);
            }
            3 => _ = world.change_joint(id, |def| def.collide = !def.collide),
            4 => _ = world.change_joint(id, |def| def.body_a = Some(other)),
            5 => _ = world.change_joint(id, |def| def.kind = carom::JointKind::Revolute),
            6 => _ = world.set_motor(id, Motor::new(number, 20.0)),
            7 => _ = world.set_target(id, number),
            _ => _ = world.drag_to(id, vec2(number, 1.0)),
        }
    }

    /// Cuts out an area or a few bodies, pastes what was cut out before, or throws it away.
    fn edit_pieces(&mut self, body: BodyId) {
        let (corner, other) = (self.place(), self.body());
        let side = self.random.range(0.5_f32, 6.0);
        let ties = self.random.one(&[Ties::Stay, Ties::Come, Ties::Part]);
        match self.random.below(5) {
            0 => {
                let local = Aabb { min: corner.local, max: corner.local + side };
                self.pieces.extend(self.world.cut(local, ties));
            }
            1 | 2 => self.pieces.extend(self.world.extract(&[body, other])),
            _ => {
                let Some(piece) = self.pieces.pop() else { return };
                let at = if self.random.below(2) == 0 { WorldPoint::ORIGIN } else { corner };
                if let Ok(pasted) = self.world.paste(&piece, at) {
                    self.bodies.extend(pasted.bodies);
                    self.joints.extend(pasted.joints);
                }
            }
        }
        // The ground may have been taken.
        if self.bodies.iter().all(|&id| self.world.get(id).is_none()) {
            let ground = self.ground();
            self.add(BodyDef::fixed().shape(ground));
        }
    }

    fn break_up(&mut self, body: BodyId) {
        let Some(center) = self.world.get(body).map(carom::Body::world_position) else { return };
        let points: Vec<WorldPoint> = (0..4).map(|_| center.offset(self.random.square(0.5))).collect();
        let pieces = match self.random.below(3) {
            0 => self.world.slice(body, points[0], points[1]),
            1 => self.world.fragment(body, &points),
            _ => {
                let hole = Shape::circle(0.3);
                _ = self.world.subtract(body, &PlacedShape::at(&hole, points[0]));
                return;
            }
        };
        self.bodies.extend(pieces.into_iter().flatten());
    }

    fn predict(&mut self, body: BodyId) {
        let before = self.world.hash();
        let start = Start::from(body).velocity(self.vector(9.0));
        _ = self.world.predict(&[start], 20, 1.0 / 60.0, &mut Prediction::new());
        assert_eq!(self.world.hash(), before, "a prediction changed the world");
    }
}

fn tiles(random: &mut Random, side: f32, width: usize, height: usize) -> Shape {
    let cell = |random: &mut Random| match random.below(3) {
        0 => TileCell::new(random.one(&TileKind::ALL), 0),
        _ => TileCell::SOLID,
    };
    let cells: Vec<TileCell> = (0..width * height).map(|_| cell(random)).collect();
    Shape::tiles(side, width as u32, &cells)
}

/// A shape of any kind.
fn any_shape(random: &mut Random) -> Shape {
    let size = random.range(0.2_f32, 0.9);
    match random.below(14) {
        0 | 1 => Shape::circle(0.5 * size),
        2 | 3 => Shape::rect(size, random.range(0.05_f32, 0.9)),
        4 => Shape::capsule([-0.5 * size, 0.0], [0.5 * size, 0.0], 0.15),
        5 => Shape::triangle([-size, -0.3], [size, -0.2], [0.1, size]),
        6 => Shape::rect(size, 0.5).rounded(0.1),
        7 => Shape::regular(3 + random.below(6), 0.5 * size).at([0.1, 0.0]),
        8 => Shape::polar(&[vec2(size, 0.0), vec2(-0.5, 0.4), vec2(-0.2, 0.0), vec2(-0.5, -0.4)]),
        9 => Shape::segment([-0.5 * size, 0.0], [0.5 * size, 0.1]),
        10 => Shape::outline(&[
            vec2(-size, -0.4),
            vec2(size, -0.4),
            vec2(size, 0.4),
            vec2(0.0, 0.0),
            vec2(-size, 0.4),
        ]),
        11 => tiles(random, 0.3, 4, 3),
        12 => Shape::chain(&[vec2(-1.0, 0.2), vec2(0.0, 0.0), vec2(1.0, 0.3)]),
        _ => {
            Shape::compound([Shape::circle(0.2).at([-0.3, 0.0]), Shape::rect(0.4, 0.4).at([0.3, size * 0.2])])
        }
    }
}

fn material(random: &mut Random) -> Material {
    let material = Material {
        restitution: random.one(&[0.0, 0.0, 0.3, 1.0]),
        rolling_resistance: random.one(&[0.0, 0.05]),
        surface_speed: random.one(&[0.0, 0.0, 2.0]),
        restitution_rule: random.one(&[Combine::Average, Combine::Max, Combine::Min]),
        ..Material::default().friction(random.range(0.0_f32, 1.2))
    };
    if random.below(6) == 0 { material.welding() } else { material }
}

fn shape_def(random: &mut Random) -> ShapeDef {
    let shape = any_shape(random);
    let def = ShapeDef::from(shape).material(material(random));
    match random.below(16) {
        0 | 1 => def.sensor(),
        2 => def.one_way([0.0, 1.0]),
        3 => def.filter(Filter { group: -1, ..Filter::default() }),
        4 => def.density(random.log_range(0.01, 100.0) as f32),
        _ => def,
    }
}
