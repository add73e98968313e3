//! rapier2d behind [`Engine`]: its `PhysicsWorld` at its defaults, with the rules of mixing that
//! the others have.

use carom::{Rot, Transform, Vec2};
use rapier2d::parry::query::ShapeCastOptions;
use rapier2d::prelude::*;
use testkit::scenes::plan::{BodyPlan, Handle, HingePlan, Kind, Outline, Part, Touch, WorldPlan};

use super::{DT, Engine, Parts, SUB_STEPS, State, Way};

/// With eight lanes it is another column.
pub(crate) const NAME: &str = if cfg!(feature = "simd8") { "rapier-simd8" } else { "rapier2d" };
/// As in Cargo.toml.
const VERSION: &str = "0.36.1";
/// How hard a motor without a limit of its own follows its speed: rapier2d has no motor that simply
/// does.
const MOTOR_FACTOR: f32 = 1.0e5;
/// A limit that is none. An infinite one would make NaN of an impulse.
const ANY_TORQUE: f32 = 1.0e9;

/// Version and features.
pub(crate) fn build() -> String {
    let lanes = if cfg!(feature = "simd8") { "8" } else { "4" };
    let threads = if cfg!(feature = "parallel") { "parallel" } else { "not parallel" };
    format!("{VERSION}, lanes chosen when compiled: {lanes}, {threads}; {}", crate::machine::RUST_BUILD)
}

pub(crate) struct RapierWorld {
    world: PhysicsWorld,
    sleep: bool,
    bodies: Vec<RigidBodyHandle>,
    voxels: Option<ColliderHandle>,
}

impl RapierWorld {
    pub(crate) fn new(plan: &WorldPlan) -> Result<RapierWorld, String> {
        let mut world = PhysicsWorld::new();
        world.gravity = plan.gravity;
        world.integration_parameters.dt = DT;
        world.integration_parameters.num_solver_iterations = SUB_STEPS;
        give_threads(&mut world, plan.threads)?;
        Ok(RapierWorld { world, sleep: plan.sleep, bodies: Vec::new(), voxels: None })
    }
}

#[cfg(feature = "parallel")]
fn give_threads(world: &mut PhysicsWorld, threads: usize) -> Result<(), String> {
    world.configure_thread_pool(threads).map_err(|error| error.to_string())
}

#[cfg(not(feature = "parallel"))]
fn give_threads(_world: &mut PhysicsWorld, threads: usize) -> Result<(), String> {
    if threads > 1 {
        return Err("rapier2d has threads when versus is built with `--features parallel`".into());
    }
    Ok(())
}

fn body(plan: &BodyPlan, sleep: bool) -> RigidBodyBuilder {
    let body = match plan.kind {
        Kind::Fixed => RigidBodyBuilder::fixed(),
        Kind::Kinematic => RigidBodyBuilder::kinematic_velocity_based(),
        Kind::Dynamic => RigidBodyBuilder::dynamic(),
    };
    body.translation(plan.at)
        .rotation(plan.angle)
        .linvel(plan.velocity)
        .angvel(plan.spin)
        .can_sleep(sleep && plan.can_sleep)
        .sleeping(plan.asleep)
}

fn groups(touch: Touch) -> InteractionGroups {
    let all_but = |bit: Group| InteractionGroups::new(bit, Group::ALL ^ bit, InteractionTestMode::And);
    match touch {
        Touch::All => InteractionGroups::new(Group::GROUP_32, Group::ALL, InteractionTestMode::And),
        Touch::NotSame(number) => all_but(Group::from_bits_truncate(1 << (number - 1))),
        Touch::Nothing => all_but(Group::GROUP_31),
    }
}

fn collider(part: &Part, touch: Touch) -> ColliderBuilder {
    let collider = match &part.outline {
        Outline::Box { half, radius: 0.0 } => ColliderBuilder::cuboid(half.x, half.y),
        Outline::Box { half, radius } => ColliderBuilder::round_cuboid(half.x, half.y, *radius),
        Outline::Circle { radius } => ColliderBuilder::ball(*radius),
        Outline::Capsule { a, b, radius } => ColliderBuilder::capsule_from_endpoints(*a, *b, *radius),
        Outline::Polygon(corners) => {
            ColliderBuilder::convex_polyline(corners.clone()).expect("a convex polygon")
        }
        Outline::Segment { a, b } => ColliderBuilder::segment(*a, *b),
        Outline::Ring(points) => ring(points),
    };
    collider
        .translation(part.at)
        .density(part.density)
        .friction(part.friction)
        .restitution(part.restitution)
        .friction_combine_rule(CoefficientCombineRule::GeometricMean)
        .restitution_combine_rule(CoefficientCombineRule::Max)
        .collision_groups(groups(touch))
}

/// Solid on one side, as its documentation advises for walls of containers: through the other kind
/// bodies leak out.
fn ring(points: &[Vec2]) -> ColliderBuilder {
    let count = points.len() as u32;
    let sides = (0..count).map(|k| [k, (k + 1) % count]).collect();
    ColliderBuilder::oriented_polyline(points.to_vec(), Some(sides))
}

/// A hinge has one motor: where there is a spring, that is the spring, and the friction beside it
/// is left out.
fn hinge(plan: &HingePlan) -> RevoluteJointBuilder {
    let [a, b] = plan.anchors;
    let mut joint = RevoluteJointBuilder::new().local_anchor1(a).local_anchor2(b).contacts_enabled(false);
    if let Some(limits) = plan.limits {
        joint = joint.limits(limits);
    }
    if let Some(spring) = plan.spring {
        // The model of an acceleration, so that it does not depend on the masses: stiffness w²,
        // damping 2 ζ w.
        let speed = core::f32::consts::TAU * spring.hertz;
        joint = joint.motor_model(MotorModel::AccelerationBased);
        joint = joint.motor_position(spring.target, speed * speed, 2.0 * spring.damping * speed);
    } else if let Some(motor) = plan.motor {
        let most = if motor.max_torque.is_finite() { motor.max_torque } else { ANY_TORQUE };
        joint = joint.motor_velocity(motor.speed, MOTOR_FACTOR).motor_max_force(most);
    }
    joint
}

/// [`Rival::outline`](super::Rival::outline): its convex decomposition at its defaults, which is
/// an approximation by voxels.
pub(crate) fn outline(points: &[Vec2]) -> Option<(f32, usize)> {
    let count = points.len() as u32;
    let sides: Vec<[u32; 2]> = (0..count).map(|k| [k, (k + 1) % count]).collect();
    let shape = SharedShape::convex_decomposition(points, &sides);
    let parts = shape.as_compound().map_or(1, |compound| compound.shapes().len());
    Some((shape.mass_properties(1.0).mass(), parts))
}

impl Engine for RapierWorld {
    fn add(&mut self, plan: &BodyPlan) {
        let handle = self.world.insert_body(body(plan, self.sleep));
        for part in &plan.parts {
            self.world.insert_collider(collider(part, plan.touch), Some(handle));
        }
        self.bodies.push(handle);
    }

    fn remove(&mut self, body: Handle) {
        self.world.remove_body(self.bodies[body.index()]).expect("a body that is there");
    }

    fn join(&mut self, plan: &HingePlan) {
        let [a, b] = [plan.a, plan.b].map(|body| self.bodies[body.index()]);
        self.world.insert_impulse_joint(a, b, hinge(plan));
    }

    fn drive(&mut self, body: Handle, velocity: Vec2) {
        self.world.bodies[self.bodies[body.index()]].set_linvel(velocity, true);
    }

    fn step(&mut self) {
        self.world.step();
    }

    fn parts(&self) -> Parts {
        // It measures itself only when built with its profiler.
        Parts::new()
    }

    fn state(&self, body: Handle) -> State {
        let body = &self.world.bodies[self.bodies[body.index()]];
        let place = body.position();
        let rotation = Rot { cos: place.rotation.re, sin: place.rotation.im };
        State {
            place: Transform { position: place.translation, rotation },
            velocity: body.linvel(),
            spin: body.angvel(),
        }
    }

    fn body_count(&self) -> usize {
        self.world.bodies.len()
    }

    fn awake_count(&self) -> usize {
        self.world.bodies.iter().filter(|(_, body)| body.is_dynamic() && !body.is_sleeping()).count()
    }

    fn rays(&mut self, rays: &[Way]) -> usize {
        let queries = self.world.query_pipeline();
        let hit = |way: &&Way| queries.cast_ray(&Ray::new(way.from, way.by), 1.0, true).is_some();
        rays.iter().filter(hit).count()
    }

    fn casts(&mut self, half: f32, ways: &[Way]) -> usize {
        let queries = self.world.query_pipeline();
        let square = Cuboid::new(Vec2::splat(half));
        let options = ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() };
        let hit = |way: &&Way| {
            queries.cast_shape(&Pose::from_translation(way.from), way.by, &square, options).is_some()
        };
        ways.iter().filter(hit).count()
    }

    fn overlaps(&mut self, half: f32, centers: &[Vec2]) -> usize {
        let queries = self.world.query_pipeline();
        let square = Cuboid::new(Vec2::splat(half));
        let found = |&at: &Vec2| queries.intersect_shape(Pose::from_translation(at), &square).count();
        centers.iter().map(found).sum()
    }

    fn nearest(&mut self, most: f32, points: &[Vec2]) -> Option<usize> {
        let queries = self.world.query_pipeline();
        let found = |&&at: &&Vec2| queries.project_point(at, most, false).is_some();
        Some(points.iter().filter(found).count())
    }

    fn tiles(&mut self, width: usize, solid: &[bool]) -> bool {
        let place = |k: usize| IVector::new((k % width) as _, (k / width) as _);
        let filled: Vec<IVector> = (0..solid.len()).filter(|&k| solid[k]).map(place).collect();
        let level = ColliderBuilder::voxels(Vec2::ONE, &filled)
            .friction_combine_rule(CoefficientCombineRule::GeometricMean)
            .restitution_combine_rule(CoefficientCombineRule::Max);
        let body = self.world.insert_body(RigidBodyBuilder::fixed());
        self.voxels = Some(self.world.insert_collider(level, Some(body)));
        true
    }

    fn set_tile(&mut self, place: [usize; 2], solid: bool) {
        let level = &mut self.world.colliders[self.voxels.expect("a level")];
        let voxels = level.shape_mut().as_voxels_mut().expect("voxels");
        voxels.set_voxel(IVector::new(place[0] as _, place[1] as _), solid);
    }

    fn explode(&mut self, _at: Vec2, _radius: f32, _falloff: f32) -> bool {
        false
    }

    fn save(&mut self) -> Option<Vec<u8>> {
        bincode::serialize(&self.world).ok()
    }

    fn restore(&mut self, image: &[u8]) -> bool {
        let world = bincode::deserialize(image);
        world.map(|world| self.world = world).is_ok()
    }
}
