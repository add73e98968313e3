//! Calls on a world: whatever is called with whatever numbers, nothing panics, a refused call
//! changes nothing, and after each step every invariant holds and every number that can be read is
//! one.
//!
//! ```text
//!   a call:  a byte that says which, then its arguments; at most 60 calls and 40 bodies
//!   twins:   a world that is saved and loaded, cloned, or brought back by a ring goes on to the
//!            same hash
//!   replay:  all calls are recorded; made again they come to the same hashes, from the beginning
//!            and from key frames
//! ```

use carom::prelude::*;
use carom::{
    Answers, Combine, Drive, Error, Filter, JointKind, Limits, Locks, Mass, Motor, PlacedShape, Recorder,
    Recording, Ring, Servo, Weight,
};

use super::input::Input;
use super::shapes::{convex, shape};
use crate::joint_defs::{every_kind, numbers};

const CALLS: usize = 60;
const BODIES: usize = 40;
const SHAPES: usize = 100;
const JOINTS: usize = 40;

/// Plays the calls that the bytes say.
pub fn run(data: &[u8]) {
    let input = &mut Input::new(data);
    let Ok(world) = World::try_new(world_def(input)) else { return };
    let mut player =
        Player { world, ring: Ring::new(4), hashes: Vec::new(), past: Vec::new(), ids: Ids::default() };
    player.record();
    for _ in 0..CALLS {
        if input.is_over() {
            break;
        }
        player.call(input);
    }
    player.step(1.0 / 60.0);
    player.replay();
}

/// Everything that was given out, some of it gone.
#[derive(Default)]
struct Ids {
    bodies: Vec<BodyId>,
    shapes: Vec<ShapeId>,
    joints: Vec<JointId>,
}

/// A world that is played with.
struct Player {
    world: World,
    ring: Ring,
    /// By step, what the world was when the ring saved it.
    hashes: Vec<(u64, u64)>,
    /// What the world was since the recording began: after each step, and where it jumped.
    past: Vec<(u64, u64)>,
    ids: Ids,
}

fn world_def(input: &mut Input) -> WorldDef {
    let mut def = WorldDef::default();
    match input.below(8) {
        0 => def.gravity = input.vector(),
        1 => def.max_speed = input.number(),
        2 => def.max_speed = f32::INFINITY,
        3 => def.sub_steps = input.byte().into(),
        4 => (def.sleep, def.continuous) = (input.once_in(2), input.once_in(2)),
        _ => {}
    }
    def
}

fn material(input: &mut Input) -> Material {
    let rules = [Combine::Average, Combine::GeometricMean, Combine::Max, Combine::Multiply, Combine::Min];
    let material = match input.below(6) {
        0 => Material::elastic(),
        1 => Material::sticky(),
        2 => Material::default().welding(),
        3 => Material {
            restitution: input.size(),
            rolling_resistance: input.size(),
            surface_speed: input.number(),
            friction_rule: input.pick(&rules),
            restitution_rule: input.pick(&rules),
            ..Material::default().friction(input.size())
        },
        _ => Material::default(),
    };
    if input.once_in(16) { material.restitution(input.number()) } else { material }
}

fn weight(input: &mut Input) -> Weight {
    let size = input.size();
    if input.once_in(3) { Weight::Mass(size) } else { Weight::Density(size) }
}

fn shape_def(input: &mut Input) -> ShapeDef {
    let form = if input.once_in(4) { shape(input) } else { convex(input) };
    let def = ShapeDef::from(form);
    match input.below(12) {
        0 => def.sensor(),
        1 => def.one_way(input.vector()),
        2 => def.contact_hook(),
        3 => def.filter(filter(input)),
        4 => {
            let materials = vec![material(input), material(input)];
            def.part_materials(materials)
        }
        5 | 6 => {
            let material = material(input);
            def.material(material)
        }
        7 => ShapeDef { weight: weight(input), ..def },
        _ => def,
    }
}

fn filter(input: &mut Input) -> Filter {
    let bits = |input: &mut Input| u64::from(input.byte()) | u64::from(input.once_in(2)) << 63;
    Filter { category: bits(input), mask: bits(input), group: input.below(4) as i32 - 2 }
}

fn mass(input: &mut Input) -> Option<Mass> {
    let mass = Mass { mass: input.size(), center: input.vector(), inertia: input.size() };
    if input.once_in(4) { None } else { Some(mass) }
}

fn body_def(input: &mut Input) -> BodyDef {
    let mut def = match input.below(8) {
        0 | 1 => BodyDef::fixed(),
        2 => BodyDef::kinematic(),
        _ => BodyDef::dynamic(),
    };
    def = def.at(input.place()).angle(input.angle());
    for _ in 0..input.below(3) + usize::from(input.below(8) > 0) {
        def.shapes.push(shape_def(input));
    }
    match input.below(16) {
        0 => def.locks = locks(input),
        1 => def.mass = mass(input),
        2 => def.can_sleep = false,
        3 => def.awake = false,
        4 => def.enabled = false,
        5 => (def.linear_damping, def.angular_damping) = (input.size(), input.size()),
        6 => def.gravity_scale = input.number(),
        7 => def.angular_velocity = input.number(),
        8..11 => def.linear_velocity = input.vector(),
        _ => {}
    }
    def
}

fn locks(input: &mut Input) -> Locks {
    let bits = input.byte();
    Locks { x: bits & 1 != 0, y: bits & 2 != 0, rotation: bits & 4 != 0 }
}

/// A length of step: as games have it, or none, or hardly any, or what is refused.
fn dt(input: &mut Input) -> f32 {
    match input.below(16) {
        0 => 0.0,
        1 => 1.0 / 240.0,
        2 => 1.0 / 30.0,
        3 => 1.0,
        4 => 2.0e-9,
        5 => 0.5e-9,
        6 => 0.1,
        7 => input.number(),
        _ => 1.0 / 60.0,
    }
}

impl Player {
    /// One call. If it is refused, the world is what it was.
    fn call(&mut self, input: &mut Input) {
        let hash = self.world.hash();
        let refused = match input.below(16) {
            0..3 => self.build(input),
            3 | 4 => self.push(input),
            5 => self.edit_body(input),
            6 => self.edit_shape(input),
            7 => self.join(input),
            8 => self.edit_joint(input),
            9 => self.edit_world(input),
            10 => {
                self.ask(input);
                assert_eq!(self.world.hash(), hash, "a question changed the world");
                None
            }
            11 => {
                self.twin(input);
                None
            }
            _ => {
                let dt = dt(input);
                self.step(dt);
                None
            }
        };
        if let Some(error) = refused {
            assert_eq!(self.world.hash(), hash, "refused, and changed: {error}");
        }
        assert_eq!(self.world.validate(), Ok(()), "after a call");
    }

    /// One step and a look at all there is; a refused one changes nothing.
    fn step(&mut self, dt: f32) {
        let hash = self.world.hash();
        match self.world.step(dt) {
            Ok(_) => {
                self.note();
                self.look();
            }
            Err(_) => {
                assert_eq!(self.world.hash(), hash, "a step of {dt} s was refused, and changed the world")
            }
        }
    }

    fn record(&mut self) {
        self.world.record(Recorder { key_every: 5, hashes: true });
        self.past.clear();
        self.note();
    }

    /// Where the world is now, for who goes there in the recording.
    fn note(&mut self) {
        self.past.push((self.world.step_count(), self.world.hash()));
    }

    /// Ends the recording, and plays it: from the beginning, and to one of its steps.
    fn replay(&mut self) {
        let recording = self.world.stop_recording().expect("it is on");
        let mut replay = Recording::from_bytes(&recording.to_bytes()).expect("it was told").replay();
        assert_eq!(replay.first_divergence(), None, "played");
        assert_eq!(replay.step(), Ok(false), "read to the end");
        let hash = self.world.hash();
        assert_eq!(replay.world().first_difference(&self.world), None, "played to the end");
        assert_eq!(replay.world().validate(), Ok(()), "played to the end");
        // Any of them: bytes are used up.
        let (step, _) = self.past[hash as usize % self.past.len()];
        let last = self.past.iter().rev().find(|&&(other, _)| other == step);
        assert_eq!(replay.seek(step), Ok(()), "{step}");
        assert_eq!(last, Some(&(step, replay.world().hash())), "played from a key frame");
    }

    fn look(&mut self) {
        let world = &mut self.world;
        assert_eq!(world.validate(), Ok(()), "after a step");
        for (id, body) in world.bodies() {
            let place = body.position();
            let numbers = [body.angle(), body.mass(), body.inertia(), body.torque(), body.angular_velocity()];
            let vectors = [place, body.velocity(), body.force(), body.local_center()];
            let finite = numbers.iter().all(|x| x.is_finite()) && vectors.iter().all(|v| v.is_finite());
            assert!(finite, "{id}: {body:?}");
        }
        for contact in world.contacts() {
            let places = contact.points().iter().all(|at| at.point.is_valid());
            assert!(places && contact.normal.is_finite() && contact.impulse.is_finite(), "{contact:?}");
        }
        for (id, _) in world.joints() {
            let state = world.joint_state(id).expect("it is there");
            let numbers =
                [state.gap, state.twist, state.angle, state.angular_speed, state.length, state.speed];
            assert!(numbers.iter().all(|x| x.is_finite()), "{id}: {state:?}");
            assert!(state.force.is_finite() && state.torque.is_finite(), "{id}: {state:?}");
        }
        for hit in world.events().hits() {
            let finite = hit.point.is_valid() && hit.normal.is_finite() && hit.impulse.is_finite();
            assert!(finite && hit.speed.is_finite() && (0.0..=1.0).contains(&hit.time), "{hit:?}");
        }
        for broken in world.events().broken() {
            let finite = broken.impulse.is_finite() && broken.force.is_finite() && broken.torque.is_finite();
            assert!(finite, "{broken:?}");
        }
        let poses = world.poses_at(0.5);
        assert!(poses.iter().all(|pose| pose.position.is_finite()), "{poses:?}");
    }

    fn body(&self, input: &mut Input) -> Option<BodyId> {
        let byte = input.below(256);
        self.ids.bodies.get(byte % self.ids.bodies.len().max(1)).copied()
    }

    /// A shape of a body that is there, or one that was given out once.
    fn shape(&self, input: &mut Input) -> Option<ShapeId> {
        let (byte, body) = (input.below(256), self.body(input)?);
        let of_body: Vec<ShapeId> = self.world.shapes_of(body).map(|(id, _)| id).collect();
        let all = if of_body.is_empty() { &self.ids.shapes } else { &of_body };
        all.get(byte % all.len().max(1)).copied()
    }

    fn joint(&self, input: &mut Input) -> Option<JointId> {
        let byte = input.below(256);
        self.ids.joints.get(byte % self.ids.joints.len().max(1)).copied()
    }

    fn build(&mut self, input: &mut Input) -> Option<Error> {
        let shapes: usize = self.world.bodies().map(|(id, _)| self.world.shapes_of(id).count()).sum();
        let full = self.world.body_count() >= BODIES || shapes >= SHAPES;
        match input.below(10) {
            0 => self.world.remove(self.body(input)?).err(),
            1 => self.world.detach(self.shape(input)?).err(),
            _ if full => None,
            2 => {
                let shape = self.world.attach(self.body(input)?, shape_def(input));
                self.ids.shapes.extend(shape.iter());
                shape.err()
            }
            _ => {
                let body = self.world.add(body_def(input));
                self.ids.bodies.extend(body.iter());
                body.err()
            }
        }
    }

    fn push(&mut self, input: &mut Input) -> Option<Error> {
        let body = self.body(input)?;
        let world = &mut self.world;
        let done = match input.below(11) {
            0 => world.teleport(body, input.place(), input.angle()),
            1 => world.move_to(body, input.place(), input.angle()),
            2 => world.set_velocity(body, input.vector()),
            3 => world.set_angular_velocity(body, input.number()),
            4 => world.apply_force(body, input.vector()),
            5 => world.apply_force_at(body, input.vector(), input.place()),
            6 => world.apply_torque(body, input.number()),
            7 => world.apply_impulse(body, input.vector()),
            8 => world.apply_impulse_at(body, input.vector(), input.place()),
            9 => world.apply_angular_impulse(body, input.number()),
            _ => world.wake_up(body),
        };
        done.err()
    }

    fn edit_body(&mut self, input: &mut Input) -> Option<Error> {
        let body = self.body(input)?;
        let world = &mut self.world;
        let kinds = [BodyKind::Fixed, BodyKind::Kinematic, BodyKind::Dynamic];
        let done = match input.below(11) {
            0 => world.set_kind(body, input.pick(&kinds)),
            1 => world.set_enabled(body, input.once_in(2)),
            2 => world.set_locks(body, locks(input)),
            3 => world.set_mass(body, mass(input)),
            4 => world.set_gravity_scale(body, input.number()),
            5 => world.set_damping(body, input.size(), input.size()),
            6 => world.set_can_sleep(body, input.once_in(2)),
            7 | 8 => world.put_to_sleep(body),
            9 => world.break_welds(body),
            _ => world.set_user_data(body, input.word().into()),
        };
        done.err()
    }

    fn edit_shape(&mut self, input: &mut Input) -> Option<Error> {
        let id = self.shape(input)?;
        let world = &mut self.world;
        let done = match input.below(9) {
            0 | 1 => world.set_shape(id, shape(input)),
            2 => world.set_sensor(id, input.once_in(2)),
            3 => {
                let way = input.vector();
                world.set_one_way(id, Some(way).filter(|_| !input.once_in(3)))
            }
            4 => world.set_weight(id, weight(input)),
            5 => world.set_material(id, material(input)),
            6 => world.set_part_material(id, input.below(4), material(input)),
            7 => world.set_filter(id, filter(input)),
            _ => world.set_shape_user_data(id, input.word().into()),
        };
        done.err()
    }

    /// A joint of any kind, with some of its numbers changed.
    fn join(&mut self, input: &mut Input) -> Option<Error> {
        if self.world.joint_count() >= JOINTS {
            return None;
        }
        let (a, b) = (self.body(input)?, self.body(input)?);
        let hinges = match (self.joint(input), self.joint(input)) {
            (Some(first), Some(second)) => [first, second],
            // No gear can be had; any other kind does not look at them.
            _ => {
                let hinge = self.world.add_joint(JointDef::revolute(None, b));
                self.ids.joints.extend(hinge.iter());
                return hinge.err();
            }
        };
        let mut def = input.pick(&every_kind(a, b, hinges));
        if input.once_in(2) {
            def = def.at(input.place());
        }
        if input.once_in(4) {
            def.body_a = None;
        }
        respell(&mut def, input);
        let joint = self.world.add_joint(def);
        self.ids.joints.extend(joint.iter());
        joint.err()
    }

    fn edit_joint(&mut self, input: &mut Input) -> Option<Error> {
        let id = self.joint(input)?;
        if input.once_in(5) {
            return self.world.remove_joint(id).err();
        }
        let other = self.body(input)?;
        let done = self.world.change_joint(id, |def| match input.below(9) {
            0 => def.drive.motor = Some(Motor::new(input.number(), input.size())),
            1 => def.drive.servo = Some(Servo::new(input.number(), Spring::new(input.size(), input.size()))),
            2 => def.drive.limits = Some(Limits::new(input.number(), input.number())),
            3 => def.drive = Drive::default(),
            4 => def.collide = !def.collide,
            5 => def.kind = JointKind::Revolute,
            6 => def.body_a = Some(other),
            7 => (def.break_force, def.break_torque) = (input.size(), input.size()),
            _ => respell(def, input),
        });
        done.err()
    }

    fn edit_world(&mut self, input: &mut Input) -> Option<Error> {
        match input.below(6) {
            0 => self.world.set_gravity(input.vector()).err(),
            1 => {
                let def = world_def(input);
                self.world.set_def(def).err()
            }
            2 => {
                self.world.set_filter_hook(|pair| pair.shape_a.user_data() <= pair.shape_b.user_data());
                None
            }
            3 => {
                let (friction, speed, solid) = (input.number(), input.number(), !input.once_in(4));
                self.world.set_contact_hook(move |_, edit| {
                    (edit.static_friction, edit.kinetic_friction) = (friction, friction);
                    (edit.restitution, edit.tangent_speed, edit.solid) = (friction, speed, solid);
                });
                None
            }
            4 => {
                self.world.clear_hooks();
                None
            }
            _ => {
                self.world.prepare_queries();
                None
            }
        }
    }

    /// Every kind of question; what is answered is finite.
    fn ask(&mut self, input: &mut Input) {
        let (from, way, reach) = (input.place(), input.vector(), input.size());
        let (form, angle) = (shape(input), input.angle());
        let world = &mut self.world;
        let all = QueryFilter::default().with_sensors();
        let ray = WorldRay::new(from, way);
        let cast = ShapeCast::new(&form, from, way).angle(angle).turning(reach);
        let placed = PlacedShape::at(&form, from).angle(angle);
        let first = world.ray(ray, &all);
        let any = world.ray_any(ray, &all);
        assert!(first.is_none_or(|hit| hit.point.is_valid() && hit.normal.is_finite()), "{ray:?}: {first:?}");
        // Shapes that are so large that a step is lost between their ends are seen here and there.
        let coarse = |shape: &Shape| shape.bounding_circle().radius > 1.0e4;
        let exact = !world.bodies().any(|(id, _)| world.shapes_of(id).any(|(_, it)| coarse(it.shape())));
        let (mut rays, mut many) = (Vec::new(), Answers::default());
        world.ray_all(ray, &all, &mut rays);
        world.rays_all(&[ray, ray], &all, &mut many);
        assert_eq!(&many[1], rays.as_slice(), "{ray:?}");
        assert!(!exact || first.is_some() == any, "{ray:?}: {first:?}");
        assert!(!exact || rays.first().copied() == first, "{ray:?}: {rays:?} and {first:?}");
        let touched = world.cast(&cast, &all);
        assert!(
            touched.is_none_or(|hit| hit.point.is_valid() && (0.0..=1.0).contains(&hit.time)),
            "{touched:?}"
        );
        let mut casts = Vec::new();
        world.cast_all(&cast, &all, &mut casts);
        assert!(!exact || casts.first().copied() == touched, "{cast:?}: {casts:?} and {touched:?}");
        let mut over = Vec::new();
        world.overlap_shape(&placed, &all, &mut over);
        world.overlap_point(from, &all, &mut over);
        let near = world.nearest(from, reach, &all);
        assert!(near.is_none_or(|near| near.distance.is_finite() && near.point.is_valid()), "{near:?}");
        let mut few = Vec::new();
        world.nearest_few(from, reach, 3, &all, &mut few);
        assert!(!exact || few.first().copied() == near, "{from:?} within {reach}: {few:?} and {near:?}");
    }

    /// Another world that has to go on as this one.
    fn twin(&mut self, input: &mut Input) {
        let hash = self.world.hash();
        let mut other = match input.below(6) {
            0 => self.world.clone(),
            1 => self.reloaded(World::save_whole_into, World::default()),
            2 => self.reloaded(World::save_into, self.world.clone()),
            3 => {
                self.ring.save(&self.world);
                self.hashes.retain(|&(step, _)| step < self.world.step_count());
                self.hashes.push((self.world.step_count(), hash));
                return;
            }
            4 => return self.go_back(input),
            _ => {
                let bytes: Vec<u8> = (0..input.below(64)).map(|_| input.byte()).collect();
                assert!(self.world.load(&bytes).is_err() && self.world.hash() == hash);
                return;
            }
        };
        assert_eq!(other.hash(), hash, "a twin begins as its world");
        let dt = dt(input);
        for _ in 0..2 {
            let went = self.world.step(dt).is_ok();
            assert_eq!(other.step(dt).is_ok(), went, "{dt}");
            if went {
                self.note();
            }
            assert_eq!(self.world.first_difference(&other), None, "a twin goes on as its world");
            assert_eq!(other.hash(), self.world.hash(), "a twin goes on as its world");
        }
        match input.below(4) {
            0 => {}
            2 => {
                // Another one that was there before, and is recorded on.
                self.world.clone_from(&other);
                self.note();
            }
            _ => {
                self.replay();
                self.world = other;
                self.record();
            }
        }
        self.look();
    }

    /// The world by way of its bytes, with the hooks that it has.
    fn reloaded(&self, save: fn(&World, &mut Vec<u8>), into: World) -> World {
        let mut image = Vec::new();
        save(&self.world, &mut image);
        let mut other = into;
        assert_eq!(self.world.validate(), Ok(()), "before it is saved");
        assert_eq!(other.load(&image), Ok(()), "what was saved is a world");
        // Hooks are no part of an image: a copy of the world has them.
        let mut with_hooks = self.world.clone();
        with_hooks.load(&image).expect("it was loaded before");
        assert_eq!(with_hooks.hash(), other.hash());
        with_hooks
    }

    fn go_back(&mut self, input: &mut Input) {
        let steps: Vec<u64> = self.ring.steps().collect();
        let Some(&step) = steps.get(input.below(steps.len())) else { return };
        self.ring.load(step, &mut self.world).expect("it is kept");
        self.note();
        let known = self.hashes.iter().find(|&&(kept, _)| kept == step);
        assert_eq!(known.map(|&(_, hash)| hash), Some(self.world.hash()), "a ring brings back what it saved");
        assert_eq!(self.world.validate(), Ok(()), "brought back");
    }
}

/// Other numbers in a definition.
fn respell(def: &mut JointDef, input: &mut Input) {
    for _ in 0..input.below(3) {
        let (which, number) = (input.below(256), input.number());
        let mut all = numbers(def);
        let which = which % all.len();
        *all[which] = number;
    }
}
