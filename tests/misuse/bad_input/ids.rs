//! Ids that are gone, in every call that takes one: of what was removed, of what was removed and
//! whose place has a new tenant, and of another world, whose places go further.

use carom::prelude::*;
use carom::{Area, Error, Filter, Locks, ShapeDef, Weight};

use super::table::Scene;
use testkit::worlds::{add, valid};

/// Ids of one kind of death.
#[derive(Clone, Copy)]
pub(crate) struct Dead {
    body: BodyId,
    shape: ShapeId,
    joint: JointId,
}

/// A call with a dead id, and the name of its function.
pub(crate) struct Call {
    pub(crate) name: &'static str,
    call: fn(&mut Scene, Dead) -> Result<(), Error>,
}

fn call(name: &'static str, call: fn(&mut Scene, Dead) -> Result<(), Error>) -> Call {
    Call { name, call }
}

pub(crate) fn of_bodies() -> Vec<Call> {
    vec![
        call("attach", |s, d| s.world.attach(d.body, Shape::circle(1.0)).map(|_| ())),
        call("remove", |s, d| s.world.remove(d.body)),
        call("extract", |s, d| s.world.extract(&[s.crate_, d.body]).map(|_| ())),
        call("slice", |s, d| s.world.slice(d.body, [0.0, -1.0], [0.0, 1.0]).map(drop)),
        call("fragment", |s, d| s.world.fragment(d.body, &[[0.0, -1.0], [0.0, 1.0]]).map(drop)),
        call("subtract", |s, d| {
            let hole = Shape::circle(1.0);
            s.world.subtract(d.body, &PlacedShape::at(&hole, [0.0, 0.0])).map(drop)
        }),
        call("teleport", |s, d| s.world.teleport(d.body, [0.0, 0.0], 0.0)),
        call("set_velocity", |s, d| s.world.set_velocity(d.body, [1.0, 0.0])),
        call("set_angular_velocity", |s, d| s.world.set_angular_velocity(d.body, 1.0)),
        call("move_to", |s, d| s.world.move_to(d.body, [0.0, 0.0], 0.0)),
        call("apply_force", |s, d| s.world.apply_force(d.body, [1.0, 0.0])),
        call("apply_force_at", |s, d| s.world.apply_force_at(d.body, [1.0, 0.0], [0.0, 0.0])),
        call("apply_torque", |s, d| s.world.apply_torque(d.body, 1.0)),
        call("apply_impulse", |s, d| s.world.apply_impulse(d.body, [1.0, 0.0])),
        call("apply_impulse_at", |s, d| s.world.apply_impulse_at(d.body, [1.0, 0.0], [0.0, 0.0])),
        call("apply_angular_impulse", |s, d| s.world.apply_angular_impulse(d.body, 1.0)),
        call("set_kind", |s, d| s.world.set_kind(d.body, BodyKind::Kinematic)),
        call("set_enabled", |s, d| s.world.set_enabled(d.body, false)),
        call("set_locks", |s, d| s.world.set_locks(d.body, Locks::ROTATION)),
        call("set_mass", |s, d| s.world.set_mass(d.body, None)),
        call("set_gravity_scale", |s, d| s.world.set_gravity_scale(d.body, 1.0)),
        call("set_gravity_of", |s, d| s.world.set_gravity_of(d.body, None)),
        call("set_max_speed_of", |s, d| s.world.set_max_speed_of(d.body, 1.0)),
        call("set_lasting_force", |s, d| s.world.set_lasting_force(d.body, [1.0, 0.0], 0.0)),
        call("set_dominance", |s, d| s.world.set_dominance(d.body, 1)),
        call("predict", |s, d| {
            let mut found = Prediction::new();
            s.world.predict(&[s.crate_, d.body], 9, 0.01, &mut found)
        }),
        call("set_damping", |s, d| s.world.set_damping(d.body, 1.0, 1.0)),
        call("set_can_sleep", |s, d| s.world.set_can_sleep(d.body, false)),
        call("wake_up", |s, d| s.world.wake_up(d.body)),
        call("put_to_sleep", |s, d| s.world.put_to_sleep(d.body)),
        call("set_user_data", |s, d| s.world.set_user_data(d.body, 1)),
        call("break_welds", |s, d| s.world.break_welds(d.body)),
        call("add_joint", |s, d| s.world.add_joint(JointDef::weld(s.crate_, d.body)).map(|_| ())),
        call("add_joint from", |s, d| s.world.add_joint(JointDef::weld(d.body, s.crate_)).map(|_| ())),
        call("change_joint to", |s, d| s.world.change_joint(s.hinges[0], |def| def.body_b = d.body)),
        call("move_body", |s, d| s.mover.move_body(&mut s.world, d.body, [1.0, 0.0], 0.01).map(|_| ())),
        call("move_body_by", |s, d| {
            let stride = carom::Stride::new([1.0, 0.0], 0.01);
            s.mover.move_body_by(&mut s.world, d.body, &stride).map(|_| ())
        }),
    ]
}

pub(crate) fn of_shapes() -> Vec<Call> {
    vec![
        call("detach", |s, d| s.world.detach(d.shape)),
        call("set_shape", |s, d| s.world.set_shape(d.shape, Shape::circle(1.0))),
        call("set_sensor", |s, d| s.world.set_sensor(d.shape, true)),
        call("set_area", |s, d| s.world.set_area(d.shape, Some(Area::default()))),
        call("set_one_way", |s, d| s.world.set_one_way(d.shape, None)),
        call("set_weight", |s, d| s.world.set_weight(d.shape, Weight::Mass(1.0))),
        call("set_material", |s, d| s.world.set_material(d.shape, Material::elastic())),
        call("set_part_material", |s, d| s.world.set_part_material(d.shape, 0, Material::elastic())),
        call("set_tile", |s, d| s.world.set_tile(d.shape, [0, 0], TileCell::EMPTY)),
        call("set_filter", |s, d| s.world.set_filter(d.shape, Filter::default())),
        call("set_shape_user_data", |s, d| s.world.set_shape_user_data(d.shape, 1)),
    ]
}

pub(crate) fn of_joints() -> Vec<Call> {
    vec![
        call("change_joint", |s, d| s.world.change_joint(d.joint, |_| panic!("there is nothing to change"))),
        call("remove_joint", |s, d| s.world.remove_joint(d.joint)),
        call("drag_to", |s, d| s.world.drag_to(d.joint, [1.0, 0.0])),
        call("set_motor", |s, d| s.world.set_motor(d.joint, None)),
        call("set_target", |s, d| s.world.set_target(d.joint, 1.0)),
        call("set_joint_enabled", |s, d| s.world.set_joint_enabled(d.joint, false)),
        call("add_joint gear", |s, d| {
            s.world.add_joint(JointDef::gear(d.joint, s.hinges[0], 1.0)).map(|_| ())
        }),
        call("add_joint gear to", |s, d| {
            s.world.add_joint(JointDef::gear(s.hinges[0], d.joint, 1.0)).map(|_| ())
        }),
    ]
}

/// Functions that only read: nothing is there.
pub(crate) const READERS: &str = "get get_shape shapes_of body_of get_joint joints_of joint_state are_welded contacts_of_body \
     touching visitors area is_joint_enabled gravity_of max_speed_of lasting_force dominance_of path from";

fn reads_nothing(s: &Scene, d: Dead) {
    let world = &s.world;
    assert!(world.get(d.body).is_none() && world.get_shape(d.shape).is_none());
    assert!(world.get_joint(d.joint).is_none() && world.joint_state(d.joint).is_none());
    assert!(world.body_of(d.shape).is_none());
    assert_eq!(world.shapes_of(d.body).count(), 0);
    assert_eq!(world.joints_of(d.body).count(), 0);
    assert_eq!(world.contacts_of_body(d.body).count(), 0);
    assert!(world.touching(d.shape).is_empty() && world.visitors(d.shape).is_empty());
    assert!(world.area(d.shape).is_none());
    assert!(!world.is_joint_enabled(d.joint) && Prediction::new().path(d.body).is_empty());
    assert_eq!((world.gravity_of(d.body), world.max_speed_of(d.body)), (None, f32::INFINITY));
    assert_eq!((world.lasting_force(d.body), world.dominance_of(d.body)), ((Vec2::ZERO, 0.0), 0));
    assert!(!world.are_welded(d.body, s.crate_) && !world.are_welded(s.crate_, d.body));
    assert!(!world.are_welded(d.body, d.body));
    // A filter that leaves out a body that is gone leaves out nothing: not the new tenant of its
    // slot either.
    let everything = WorldRay::new([-20.0, 0.5], [40.0, 0.0]);
    let (mut all, mut others) = (Vec::new(), Vec::new());
    world.ray_all(everything, &QueryFilter::default(), &mut all);
    world.ray_all(everything, &QueryFilter::default().without(d.body), &mut others);
    assert_eq!(all, others);
    world.ray_all(everything, &QueryFilter::default().without_all(&[d.body]), &mut others);
    assert_eq!(all, others);
}

/// A body with a shape and a joint.
fn guest(world: &mut World, hold: BodyId) -> Dead {
    let def = BodyDef::kinematic().at([20.0, 20.0]).shape(ShapeDef::from(Shape::circle(0.5)));
    let body = add(world, def);
    let shape = world.shapes_of(body).next().map(|(id, _)| id).expect("it has a shape");
    let joint = world.add_joint(JointDef::revolute(hold, body)).expect("it breaks no rule");
    Dead { body, shape, joint }
}

/// Scenes with dead ids of every kind, by name.
fn deaths() -> Vec<(&'static str, Scene, Dead)> {
    let mut removed = Scene::new();
    let gone = guest(&mut removed.world, removed.crate_);
    removed.world.remove(gone.body).expect("it is there");
    let mut replaced = removed.clone();
    let tenant = guest(&mut replaced.world, replaced.crate_);
    assert_eq!(
        (tenant.body.index(), tenant.shape.index(), tenant.joint.index()),
        (gone.body.index(), gone.shape.index(), gone.joint.index())
    );
    let mut larger = Scene::new();
    let mut foreign = guest(&mut larger.world, larger.crate_);
    for _ in 0..1000 {
        foreign = guest(&mut larger.world, larger.crate_);
    }
    let mut scene = Scene::new();
    scene.run(1).expect("it is sound");
    vec![("removed", removed, gone), ("replaced", replaced, gone), ("of another world", scene, foreign)]
}

#[test]
fn dead_ids_are_refused_by_name() {
    for (death, mut scene, dead) in deaths() {
        let before = scene.world.hash();
        let tables = [
            (of_bodies(), Error::NoSuchBody(dead.body)),
            (of_shapes(), Error::NoSuchShape(dead.shape)),
            (of_joints(), Error::NoSuchJoint(dead.joint)),
        ];
        for (calls, error) in tables {
            for Call { name, call } in calls {
                assert_eq!(call(&mut scene, dead), Err(error), "{name}, {death}");
                assert_eq!(scene.world.hash(), before, "{name}, {death}");
            }
        }
        reads_nothing(&scene, dead);
        valid(&scene.world);
        scene.run(30).expect("it is sound");
    }
}

/// Indexing by a dead id is the one thing that panics, with a message that names the id.
#[test]
fn indexing_by_a_dead_id_panics_and_names_it() {
    fn message(run: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let payload = std::panic::catch_unwind(run).expect_err("it panics");
        payload.downcast_ref::<String>().cloned().expect("a message")
    }
    let (_, scene, dead) = deaths().swap_remove(0);
    let world = std::panic::AssertUnwindSafe(&scene.world);
    let gone =
        |id: &dyn core::fmt::Display, how: &str| format!("{id} is not in this world: it was removed, {how}");
    assert_eq!(
        message(move || println!("{:?}", world[dead.body])),
        gone(&dead.body, "or belongs to another")
    );
    let world = std::panic::AssertUnwindSafe(&scene.world);
    assert_eq!(
        message(move || println!("{:?}", world[dead.shape])),
        gone(&dead.shape, "or belongs to another")
    );
    let world = std::panic::AssertUnwindSafe(&scene.world);
    assert_eq!(
        message(move || println!("{:?}", world[dead.joint])),
        gone(&dead.joint, "broke, or belongs to another")
    );
}
