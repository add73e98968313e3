//! Writes a world as a level (scene file).
//!
//! In: a world between two steps. Out: definitions that make bodies which stand where these stand,
//! to the bit where an origin and an angle can say it.
//!
//! A body keeps its centre of mass and the cosine and sine of its angle, and a definition says an
//! origin and an angle. Both conversions round. So of the few numbers next to the result, the one
//! is taken that leads exactly to the stored pose. For a body that still stands as defined there is
//! such a number: the one in its definition.

use glam::Vec2;
use std::collections::{BTreeMap, BTreeSet};

use super::{Level, LevelBody, LevelJoint, LevelShape, joints};
use crate::body::{Body, BodyDef, BodyKind, Collider, ShapeDef, flag};
use crate::joint::JointKind;
use crate::math::{Rot, WorldPoint};
use crate::shape::Mass;
use crate::world::World;

/// Numbers tried on either side of the nearest one.
const TRIED: i32 = 4;

/// Turns that an angle may have been given with, either way.
const TURNS: i32 = 32;

impl World {
    /// The world as it stands, as definitions: bodies are called "body 0", "body 1" and so on,
    /// joints "joint 0" and so on, in the order of their places. [`Level`] lists the contents.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let crate_ = world.add(BodyDef::dynamic().at([2.0, 3.0]).shape(Shape::rect(1.0, 1.0)))?;
    /// world.add_joint(JointDef::rope(None, crate_, 4.0).between([2.0, 5.0], [2.0, 3.5]))?;
    /// let mut level = world.to_level();
    /// level.bodies[0].name = "crate".into();
    /// level.joints[0].bodies[1] = Some("crate".into());
    /// let (again, ids) = level.to_world().expect("as it was");
    /// assert_eq!((again.hash(), ids.body("crate")), (world.hash(), Some(crate_)));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn to_level(&self) -> Level {
        let names: BTreeMap<usize, String> =
            self.bodies().enumerate().map(|(k, (id, _))| (id.index(), format!("body {k}"))).collect();
        let name_of = |slot: usize| names.get(&slot).cloned();
        // Bodies that are to sleep stay awake until their contacts are found, in the next step.
        let told_to_sleep: BTreeSet<u32> = self.islands.told_to_sleep.iter().copied().collect();
        let bodies = self.bodies().map(|(id, body)| {
            let (defs, mut shapes): (Vec<ShapeDef>, Vec<LevelShape>) = self
                .shapes_of(id)
                .map(|(shape, collider)| {
                    (shape_def(collider), LevelShape { name: None, area: self.area(shape).copied() })
                })
                .unzip();
            while shapes.last().is_some_and(|said| *said == LevelShape::default()) {
                shapes.pop();
            }
            let name = name_of(id.index()).unwrap_or_default();
            let law = self.bodies.own_laws.get(id.index() as u32);
            let (gravity, max_speed, dominance) = (law.gravity, law.max_speed, law.dominance);
            let mut def =
                BodyDef { shapes: defs, gravity, max_speed, dominance, ..body_def(body, self.def.span()) };
            def.awake &= !told_to_sleep.contains(&(id.index() as u32));
            LevelBody { name, def, shapes }
        });
        // A gear comes after the joints that it couples, even if it took a slot that was free
        // before.
        let is_gear = |kind: &JointKind| matches!(kind, JointKind::Gear { .. });
        let kept = || self.joints().filter(|(_, joint)| !joint.by_touch);
        let ordered = || {
            let (plain, gears) = (kept(), kept());
            plain
                .filter(|(_, joint)| !is_gear(&joint.def.kind))
                .chain(gears.filter(|(_, joint)| is_gear(&joint.def.kind)))
        };
        let joint_names: BTreeMap<usize, String> =
            ordered().enumerate().map(|(k, (id, _))| (id.index(), format!("joint {k}"))).collect();
        let joint_name = |slot: usize| joint_names.get(&slot).cloned().unwrap_or_default();
        let joints = ordered().map(|(id, joint)| {
            let mut def = joint.def;
            let mut bodies = [def.body_a, Some(def.body_b)].map(|id| id.and_then(|id| name_of(id.index())));
            let mut geared = None;
            if let JointKind::Gear { first, second, .. } = &mut def.kind {
                geared = Some([joint_name(first.index()), joint_name(second.index())]);
                (*first, *second) = (joints::joint_stand_in(), joints::joint_stand_in());
                // A gear has the bodies of its joints.
                (bodies, def.body_a) = ([None, None], None);
            }
            def.body_a = def.body_a.map(|_| joints::stand_in());
            def.body_b = joints::stand_in();
            LevelJoint { name: joint_name(id.index()), bodies, geared, def }
        });
        Level { world: *self.def(), bodies: bodies.collect(), joints: joints.collect() }
    }
}

fn shape_def(collider: &Collider) -> ShapeDef {
    ShapeDef {
        shape: collider.shape().clone(),
        weight: collider.traits.weight,
        material: collider.traits.material,
        part_materials: collider.traits.part_materials.clone(),
        filter: collider.traits.filter,
        sensor: collider.traits.sensor,
        one_way: collider.traits.one_way,
        contact_hook: collider.traits.hooked,
        user_data: collider.user_data,
    }
}

/// The definition of a body, without its shapes.
fn body_def(body: &Body, span: i32) -> BodyDef {
    let own = body.has(flag::OWN_MASS);
    let kind = body.kind();
    BodyDef {
        kind,
        position: origin_of(body, span),
        angle: angle_of(body.rotation),
        linear_velocity: body.linear_velocity,
        angular_velocity: body.angular_velocity,
        linear_damping: body.linear_damping,
        angular_damping: body.angular_damping,
        gravity_scale: body.gravity_scale,
        gravity: None,
        max_speed: f32::INFINITY,
        dominance: 0,
        locks: body.locks(),
        can_sleep: body.can_sleep(),
        awake: kind == BodyKind::Fixed || !body.is_enabled() || body.is_awake(),
        enabled: body.is_enabled(),
        shapes: Vec::new(),
        mass: own.then_some(Mass { mass: body.mass, center: body.local_center, inertia: body.inertia }),
        shape_defaults: Default::default(),
        user_data: body.user_data,
    }
}

/// The number `by` places further on among all `f32`s.
fn next_to(x: f32, by: i32) -> f32 {
    let step = |x: f32| if by > 0 { x.next_up() } else { x.next_down() };
    (0..by.abs()).fold(x, |x, _| step(x))
}

/// Returns `x` and the numbers next to it, nearest first.
fn around(x: f32) -> impl Iterator<Item = f32> + Clone {
    (0..=TRIED).flat_map(move |by| [next_to(x, by), next_to(x, -by)])
}

/// The angle that makes a rotation, to the bit if there is one.
fn angle_of(rotation: Rot) -> f32 {
    let nearest = rotation.angle();
    let turned = |turns: i32| around((f64::from(nearest) + f64::from(turns) * core::f64::consts::TAU) as f32);
    let all = (0..=TURNS).flat_map(|turns| turned(turns).chain(turned(-turns)));
    all.into_iter().find(|&angle| Rot::from_angle(angle) == rotation).unwrap_or(nearest)
}

/// The origin from which a body comes to its centre of mass, to the bit if there is one.
fn origin_of(body: &Body, span: i32) -> WorldPoint {
    let arm = body.rotation * body.local_center;
    let center = body.center_point();
    let nearest = center.offset_in(-arm, span);
    let exact = |local: Vec2| WorldPoint { local, ..nearest }.offset_in(arm, span) == center;
    // Axis by axis: the other one is right already, or is looked for on its own.
    let right = |local: Vec2, pick: fn(Vec2) -> f32| {
        let there = WorldPoint { local, ..nearest }.offset_in(arm, span);
        let apart = there.region - center.region;
        pick(there.local - center.local) == 0.0 && pick(apart.as_vec2()) == 0.0
    };
    let Vec2 { x, y } = nearest.local;
    let x = around(x).find(|&x| right(Vec2::new(x, y), |v| v.x)).unwrap_or(x);
    let y = around(y).find(|&y| right(Vec2::new(x, y), |v| v.y)).unwrap_or(y);
    let local = Vec2::new(x, y);
    let point = WorldPoint { local, ..nearest };
    if exact(local) && point.is_joined(span) { point.split() } else { nearest.split() }
}
