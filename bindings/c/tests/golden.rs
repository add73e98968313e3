//! The same scenes stepped through C's functions and through carom: equal hashes after every step.
//!
//! Also: defaults of C's definitions are carom's own.

use core::ptr::null;

use carom::prelude::*;
use carom_c::exports::bodies::{carom_body_add, carom_body_add_all};
use carom_c::exports::definitions;
use carom_c::exports::geometry::{carom_capsule, carom_circle, carom_polygon, carom_rect};
use carom_c::exports::joints::carom_joint_add;
use carom_c::exports::motion::carom_body_apply_impulse;
use carom_c::exports::snapshots::carom_world_hash;
use carom_c::exports::world::{carom_world_free, carom_world_new, carom_world_step};
use carom_c::types as c;

const DT: f32 = 1.0 / 60.0;

/// A world of each kind, to which the same is done.
struct Twins {
    rust: World,
    c: *mut c::World,
}

impl Drop for Twins {
    fn drop(&mut self) {
        // SAFETY: it was made below, and nobody else has it.
        unsafe { carom_world_free(self.c) };
    }
}

impl Twins {
    fn new() -> Twins {
        // SAFETY: NULL stands for the default definition.
        Twins { rust: World::default(), c: unsafe { carom_world_new(null()) } }
    }

    fn add(&mut self, def: BodyDef, of: c::Geometry) -> (BodyId, c::Body) {
        let id = self.rust.add(def.clone()).expect("a good definition");
        let shape = definitions::carom_shape_def_default(of);
        let kind = match def.kind {
            BodyKind::Fixed => c::body_kind::FIXED,
            BodyKind::Kinematic => c::body_kind::KINEMATIC,
            BodyKind::Dynamic => c::body_kind::DYNAMIC,
        };
        let WorldPoint { region, local } = def.position;
        let own = c::BodyDef {
            position: c::Point {
                region_x: region.x,
                region_y: region.y,
                local: c::Vec2 { x: local.x, y: local.y },
            },
            velocity: c::Vec2 { x: def.linear_velocity.x, y: def.linear_velocity.y },
            angle: def.angle,
            shapes: &shape,
            shape_count: 1,
            ..definitions::carom_body_def_default(kind)
        };
        let mut body = c::Body::default();
        // SAFETY: all pointers are to values that live.
        assert_eq!(unsafe { carom_body_add(self.c, &own, &mut body) }, c::status::OK);
        assert_eq!(u64::from(body.slot) | u64::from(body.generation) << 32, id.to_bits());
        (id, body)
    }

    fn step(&mut self) {
        self.rust.step(DT).expect("a good length");
        // SAFETY: the world lives; statistics are not wanted.
        assert_eq!(unsafe { carom_world_step(self.c, DT, core::ptr::null_mut()) }, c::status::OK);
        // SAFETY: the world lives.
        assert_eq!(unsafe { carom_world_hash(self.c) }, self.rust.hash());
    }
}

#[test]
fn a_heap_of_all_shapes_has_the_same_bits() {
    let mut twins = Twins::new();
    twins
        .add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(60.0, 2.0)), carom_rect(60.0, 2.0));
    let points = [[-0.5, -0.4], [0.5, -0.4], [0.0, 0.6]];
    let own = points.map(|[x, y]| c::Vec2 { x, y });
    let (low, high) = (c::Vec2 { x: -0.3, y: 0.0 }, c::Vec2 { x: 0.3, y: 0.0 });
    for k in 0..60_u8 {
        let place = [f32::from(k % 10) * 1.2 - 6.0, 1.0 + f32::from(k / 10) * 1.2];
        let def = BodyDef::dynamic().at(place).angle(f32::from(k) * 0.1).velocity([0.0, -1.0]);
        match k % 4 {
            0 => twins.add(def.shape(Shape::circle(0.5)), carom_circle(0.5)),
            1 => twins.add(def.shape(Shape::rect(0.9, 0.7)), carom_rect(0.9, 0.7)),
            2 => {
                let capsule = Shape::capsule([-0.3, 0.0], [0.3, 0.0], 0.25);
                twins.add(def.shape(capsule), carom_capsule(low, high, 0.25))
            }
            // SAFETY: the points live as long as the geometry.
            _ => twins.add(def.shape(Shape::polygon(&points)), unsafe {
                carom_polygon(own.as_ptr(), own.len())
            }),
        };
    }
    (0..300).for_each(|_| twins.step());
}

#[test]
fn a_chain_of_joints_has_the_same_bits() {
    let mut twins = Twins::new();
    let (post, c_post) =
        twins.add(BodyDef::fixed().at([0.0, 9.0]).shape(Shape::circle(0.2)), carom_circle(0.2));
    let mut last = (post, c_post);
    for k in 1..12_u8 {
        let at = [f32::from(k) * 0.8, 9.0];
        let def = BodyDef::dynamic().at(at).shape(Shape::rect(0.7, 0.2));
        let link = twins.add(def, carom_rect(0.7, 0.2));
        let point = [at[0] - 0.4, 9.0];
        let joint = JointDef::revolute(last.0, link.0).at(point).limits(-1.0, 1.0).motor(0.0, 0.5);
        twins.rust.add_joint(joint).expect("a good joint");
        let anchor = definitions::carom_anchor_at(c::Point {
            local: c::Vec2 { x: point[0], y: point[1] },
            ..c::Point::default()
        });
        let mut own = definitions::carom_joint_revolute(last.1, link.1);
        (own.anchor_a, own.anchor_b) = (anchor, anchor);
        own.drive.has_limits = 1;
        own.drive.limits = c::Limits { lower: -1.0, upper: 1.0 };
        own.drive.has_motor = 1;
        own.drive.motor = c::Motor { speed: 0.0, max: 0.5 };
        let mut id = c::Joint::default();
        // SAFETY: all pointers are to values that live.
        assert_eq!(unsafe { carom_joint_add(twins.c, &own, &mut id) }, c::status::OK);
        last = link;
    }
    for step in 0..240 {
        if step == 100 {
            twins.rust.apply_impulse(last.0, [3.0, 2.0]).expect("it lives");
            let impulse = c::Vec2 { x: 3.0, y: 2.0 };
            // SAFETY: the world lives.
            let status = unsafe { carom_body_apply_impulse(twins.c, last.1, impulse) };
            assert_eq!(status, c::status::OK);
        }
        twins.step();
    }
}

#[test]
fn bodies_added_at_once_are_those_added_one_by_one() {
    let mut twins = Twins::new();
    let shape = definitions::carom_shape_def_default(carom_circle(0.4));
    let defs: Vec<c::BodyDef> = (0..20_u8)
        .map(|k| c::BodyDef {
            position: c::Point {
                local: c::Vec2 { x: f32::from(k), y: 1.0 },
                ..c::Point::default()
            },
            shapes: &shape,
            shape_count: 1,
            ..definitions::carom_body_def_default(c::body_kind::DYNAMIC)
        })
        .collect();
    let (mut bodies, mut count) = (null(), 0);
    // SAFETY: all pointers are to values that live.
    let status =
        unsafe { carom_body_add_all(twins.c, defs.as_ptr(), defs.len(), &mut bodies, &mut count) };
    assert_eq!((status, count), (c::status::OK, 20));
    let all =
        (0..20_u8).map(|k| BodyDef::dynamic().at([f32::from(k), 1.0]).shape(Shape::circle(0.4)));
    twins.rust.add_all(all).expect("good definitions");
    (0..30).for_each(|_| twins.step());
}

/// C's defaults stand in api.json, too, for other languages: all three are the same.
#[test]
fn defaults_are_those_of_carom() {
    assert_eq!(definitions::carom_world_def_default(), c::WorldDef::default());
    assert_eq!(definitions::carom_material_default(), c::Material::default());
    assert_eq!(definitions::carom_filter_default(), c::Filter::default());
    let area = c::Area { up: c::Vec2 { x: 0.0, y: 1.0 }, ..c::Area::default() };
    assert_eq!(definitions::carom_area_default(), area);
    let mover = definitions::carom_mover_def_default();
    assert_eq!(mover.geometry.kind, c::geometry_kind::CAPSULE);
    assert_eq!(c::MoverDef { geometry: c::Geometry::default(), ..mover }, c::MoverDef::default());

    let ours = c::AgentDef::default();
    let agent = carom_nav::crowd::Agent::default();
    assert_eq!((ours.radius, ours.speed, ours.horizon), (agent.radius, agent.speed, agent.horizon));
    assert_eq!((ours.acceleration, ours.priority), (agent.acceleration, agent.priority.into()));
    let (ours, mesh) = (c::MeshDef::default(), carom_nav::mesh::MeshDef::default());
    assert_eq!((ours.half, ours.max_radius), (mesh.half, mesh.max_radius));
    let (ours, crowd) = (c::CrowdDef::default(), carom_nav::crowd::CrowdDef::default());
    assert_eq!((ours.neighbours as usize, ours.sight), (crowd.neighbours, crowd.sight));
    assert_eq!((ours.wall_horizon, ours.walls), (crowd.wall_horizon, crowd.walls));
    assert_eq!((ours.margin, ours.bias), (crowd.margin, crowd.bias));

    // The default body and shape have the hash of those in Rust.
    let mut twins = Twins::new();
    twins.add(BodyDef::dynamic().shape(Shape::circle(0.5)), carom_circle(0.5));
    twins.step();
}
