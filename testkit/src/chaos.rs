//! A world in which everything happens: all kinds of shapes and joints, and every call that changes
//! a world, at random.
//!
//! In: a seed. Out: the same world and the same calls on every machine. What a call is refused for
//! does not matter here, so answers are dropped.

use carom::prelude::*;
use carom::{Combine, Drive, Filter, JointKind, Limits, Locks, Mass, Motor, Servo, Weight};

use crate::random::Random;

/// A world with its dice.
#[derive(Clone)]
pub struct Chaos {
    /// The world, to be looked at and stepped.
    pub world: World,
    /// What the calls are drawn from.
    pub random: Random,
    /// Ids that were given out, some of which are gone.
    bodies: Vec<BodyId>,
    joints: Vec<JointId>,
}

fn f(random: &mut Random, low: f64, high: f64) -> f32 {
    random.range(low, high) as f32
}

/// A shape of any kind that a moving body may have.
pub fn some_shape(random: &mut Random) -> Shape {
    let size = f(random, 0.2, 0.9);
    match random.below(11) {
        0 | 1 => Shape::circle(0.5 * size),
        2 | 3 => Shape::rect(size, f(random, 0.2, 0.9)),
        4 => Shape::capsule([-0.5 * size, 0.0], [0.5 * size, 0.0], 0.15),
        5 => Shape::triangle([-size, -0.3], [size, -0.2], [0.1, size]),
        6 => Shape::rect(size, 0.5).rounded(0.1),
        7 => Shape::regular(3 + random.below(6), 0.5 * size).at([0.1, 0.0]),
        8 => Shape::polar(&[vec2(size, 0.0), vec2(-0.5, 0.4), vec2(-0.2, 0.0), vec2(-0.5, -0.4)]),
        9 => Shape::segment([-0.5 * size, 0.0], [0.5 * size, 0.1]),
        _ => {
            Shape::compound([Shape::circle(0.2).at([-0.3, 0.0]), Shape::rect(0.4, 0.4).at([0.3, size * 0.2])])
        }
    }
}

fn some_material(random: &mut Random) -> Material {
    let rules = [Combine::Average, Combine::GeometricMean, Combine::Max, Combine::Multiply, Combine::Min];
    let material = Material {
        restitution: [0.0, 0.0, 0.3, 1.0][random.below(4)],
        rolling_resistance: [0.0, 0.05][random.below(2)],
        surface_speed: [0.0, 0.0, 0.0, 2.0][random.below(4)],
        friction_rule: rules[random.below(5)],
        restitution_rule: rules[random.below(5)],
        ..Material::default().friction(f(random, 0.0, 1.2))
    };
    if random.below(40) == 0 { material.welding() } else { material }
}

fn some_shape_def(random: &mut Random) -> ShapeDef {
    let mut def = ShapeDef::from(some_shape(random)).material(some_material(random));
    def.weight = if random.below(5) == 0 {
        Weight::Mass(f(random, 0.1, 9.0))
    } else {
        Weight::Density(f(random, 0.1, 3.0))
    };
    match random.below(20) {
        0 => def.sensor(),
        1 => def.one_way([0.0, 1.0]),
        2 => def.contact_hook(),
        3 => def.filter(Filter { group: -1, ..Filter::default() }),
        4 => def.part_materials(vec![some_material(random), some_material(random)]),
        _ => def,
    }
}

fn some_body(random: &mut Random) -> BodyDef {
    let place = [f(random, -14.0, 14.0), f(random, 1.0, 22.0)];
    let mut def = match random.below(12) {
        0 => BodyDef::kinematic(),
        1 => BodyDef::fixed(),
        _ => BodyDef::dynamic(),
    };
    def = def.at(place).angle(random.angle()).velocity([f(random, -9.0, 9.0), f(random, -20.0, 3.0)]);
    def.angular_velocity = f(random, -5.0, 5.0);
    def.shapes.push(some_shape_def(random));
    match random.below(16) {
        0 => def.shapes.push(some_shape_def(random)),
        1 => def.locks.rotation = true,
        2 => def.mass = Some(Mass { mass: 2.0, center: vec2(0.1, 0.0), inertia: 0.4 }),
        3 => def.can_sleep = false,
        4 => def.awake = false,
        5 => def.enabled = false,
        6 => (def.linear_damping, def.angular_damping, def.gravity_scale) = (0.3, 0.2, 0.5),
        _ => {}
    }
    def
}

impl Chaos {
    /// A pit with hills, a sensor, a one-way shelf and a stirrer; bodies, and joints between them.
    pub fn new(seed: u64, count: usize) -> Chaos {
        let random = Random::new(seed);
        let mut world = World::default();
        let hills: Vec<Vec2> = (0..48).map(|k| vec2(k as f32 - 24.0, (k % 4) as f32 * 0.3)).rev().collect();
        let mut add = |def: BodyDef| world.add(def).expect("no rule is broken");
        add(BodyDef::fixed().shape(Shape::chain(&hills)));
        add(BodyDef::fixed().shape(Shape::half_plane([0.0, -3.0], [0.0, 1.0])));
        for x in [-16.0, 16.0] {
            add(BodyDef::fixed().at([x, 20.0]).shape(Shape::rect(1.0, 60.0)));
        }
        add(BodyDef::fixed()
            .at([-7.0, 6.0])
            .shape(ShapeDef::from(Shape::rect(8.0, 0.2)).one_way([0.0, 1.0])));
        add(BodyDef::fixed().at([7.0, 5.0]).shape(ShapeDef::from(Shape::circle(2.5)).sensor()));
        add(BodyDef::kinematic()
            .at([0.0, 3.0])
            .spin(2.0)
            .shape(Shape::rect(7.0, 0.4))
            .shape(Shape::rect(0.4, 5.0)));
        let mut chaos = Chaos { world, random, bodies: Vec::new(), joints: Vec::new() };
        (0..count).for_each(|_| chaos.spawn());
        (0..count / 3).for_each(|_| chaos.join());
        chaos
    }

    /// Some calls, and a step.
    pub fn step(&mut self, dt: f32) {
        for _ in 0..self.random.below(4) {
            self.call();
        }
        self.world.step(dt).expect("dt is in range");
    }

    /// The dice alone: what the same calls are made from again.
    pub fn without_world(&self) -> Chaos {
        let Chaos { random, bodies, joints, .. } = self;
        Chaos {
            world: World::default(),
            random: random.clone(),
            bodies: bodies.clone(),
            joints: joints.clone(),
        }
    }

    /// The same dice with another world.
    pub fn with_world(self, world: World) -> Chaos {
        Chaos { world, ..self }
    }

    fn spawn(&mut self) {
        let def = some_body(&mut self.random);
        let body = self.world.add(def).expect("no rule is broken");
        self.bodies.push(body);
        if self.bodies.len() > 400 {
            self.bodies.swap_remove(self.random.below(400));
        }
    }

    fn body(&mut self) -> BodyId {
        self.bodies[self.random.below(self.bodies.len())]
    }

    /// A joint of any kind between two bodies that are near each other, or the world.
    fn join(&mut self) {
        let (a, b) = (self.body(), self.body());
        let random = &mut self.random;
        let Some(at) = self.world.get(b).map(carom::Body::position) else { return };
        let a = if random.below(4) == 0 { None } else { Some(a) };
        let spring = Spring::new(f(random, 1.0, 8.0), f(random, 0.1, 1.0));
        let mut def = match random.below(13) {
            0 | 1 => JointDef::revolute(a, b).at(at),
            2 => JointDef::revolute(a, b).at(at).motor(f(random, -4.0, 4.0), 30.0),
            3 => JointDef::revolute(a, b).at(at).limits(-0.5, 0.7),
            4 => JointDef::prismatic(a, b, [0.0, 1.0]).at(at).limits(-1.0, 1.0),
            5 => JointDef::distance(a, b),
            6 => JointDef::rope(a, b, 6.0),
            7 => JointDef::weld(a, b),
            8 => JointDef::wheel(a, b, [0.0, 1.0], spring).at(at),
            9 => JointDef::distance(a, b).soft(spring),
            10 => JointDef::drag(b, at, 40.0),
            _ => {
                let pair = [self.joints.first(), self.joints.last()];
                let [Some(&first), Some(&second)] = pair else { return };
                let gear = JointDef::gear(first, second, f(random, 0.5, 2.0));
                self.joints.extend(self.world.add_joint(gear));
                return;
            }
        };
        if random.below(4) == 0 {
            def = def.breaks_at(200.0, 100.0);
        }
        self.joints.extend(self.world.add_joint(def));
        if self.joints.len() > 60 {
            let old = self.joints.swap_remove(self.random.below(60));
            let _ = self.world.remove_joint(old);
        }
    }

    /// One call that changes the world.
    fn call(&mut self) {
        let kind = self.random.below(34);
        let body = self.body();
        let shapes: Vec<ShapeId> = self.world.shapes_of(body).map(|(id, _)| id).collect();
        let (world, random) = (&mut self.world, &mut self.random);
        let way = vec2(f(random, -8.0, 8.0), f(random, -8.0, 8.0));
        let place = vec2(f(random, -13.0, 13.0), f(random, 1.0, 20.0));
        let shape = shapes.get(random.below(shapes.len().max(1))).copied();
        match kind {
            0..3 => self.spawn(),
            3 | 4 => _ = world.remove(body),
            5 => _ = world.teleport(body, place, random.angle()),
            6 => _ = world.set_velocity(body, way),
            7 => _ = world.set_angular_velocity(body, way.x),
            8 => _ = world.move_to(body, place, 0.3),
            9 => _ = world.apply_force(body, way * 20.0),
            10 => _ = world.apply_torque(body, way.y),
            11 => _ = world.apply_impulse(body, way),
            12 => _ = world.apply_angular_impulse(body, way.x),
            13 => {
                let kinds = [BodyKind::Fixed, BodyKind::Kinematic, BodyKind::Dynamic, BodyKind::Dynamic];
                _ = world.set_kind(body, kinds[random.below(4)]);
            }
            14 => _ = world.set_enabled(body, random.below(3) > 0),
            15 => {
                _ = world.set_locks(
                    body,
                    Locks { x: false, y: random.below(9) == 0, rotation: random.below(3) == 0 },
                )
            }
            16 => {
                _ = world.set_mass(
                    body,
                    (random.below(2) == 0).then_some(Mass { mass: 3.0, center: Vec2::ZERO, inertia: 1.0 }),
                )
            }
            17 => _ = world.set_gravity_scale(body, f(random, 0.0, 1.5)),
            18 => _ = world.set_damping(body, f(random, 0.0, 0.5), 0.1),
            19 => _ = world.set_can_sleep(body, random.below(4) > 0),
            20 => _ = world.wake_up(body),
            21 => _ = world.put_to_sleep(body),
            22 => _ = world.attach(body, some_shape_def(random)),
            23..30 => {
                let Some(shape) = shape else { return };
                match kind {
                    23 => _ = world.detach(shape),
                    24 => _ = world.set_shape(shape, some_shape(random)),
                    25 => _ = world.set_sensor(shape, random.below(4) == 0),
                    26 => _ = world.set_one_way(shape, (random.below(4) == 0).then_some(Vec2::Y)),
                    27 => _ = world.set_material(shape, some_material(random)),
                    28 => {
                        _ = world.set_filter(
                            shape,
                            Filter { group: random.below(3) as i32 - 1, ..Filter::default() },
                        )
                    }
                    _ => _ = world.set_weight(shape, Weight::Density(f(random, 0.1, 4.0))),
                }
            }
            30 => self.join(),
            31 => self.edit_joint(),
            32 => _ = world.break_welds(body),
            _ => _ = world.set_user_data(body, random.bits()),
        }
    }

    fn edit_joint(&mut self) {
        let Some(&joint) = self.joints.get(self.random.below(self.joints.len().max(1))) else { return };
        let random = &mut self.random;
        let (speed, choice) = (f(random, -5.0, 5.0), random.below(6));
        if choice == 0 {
            let _ = self.world.remove_joint(joint);
            return;
        }
        let _ = self.world.change_joint(joint, |def| match choice {
            1 => def.drive.motor = Some(Motor::new(speed, 20.0)),
            2 => def.drive = Drive::default(),
            3 => def.collide = !def.collide,
            4 => def.drive.servo = Some(Servo::new(0.2 * speed, Spring::new(3.0, 0.7))),
            _ if matches!(def.kind, JointKind::Revolute) => def.drive.limits = Some(Limits::new(-1.0, 1.0)),
            _ => def.kind = JointKind::Revolute,
        });
    }
}
