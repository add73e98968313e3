//! Every function that changes a world.

use carom::prelude::*;
use carom::{
    Action, Area, Batch, BatchLayout, End, Fluid, Mass, Observation, Pull, Spec, Ties, Variation, Weight,
};

use super::table::{Case, Rule, finite, try_all};

fn mass(p: &[f32]) -> Mass {
    Mass { mass: p[0], center: vec2(p[1], p[2]), inertia: p[3] }
}

fn material(p: &[f32]) -> Material {
    Material {
        restitution: p[0],
        static_friction: p[1],
        kinetic_friction: p[2],
        rolling_resistance: p[3],
        surface_speed: p[4],
        ..Material::default()
    }
}

const SURFACE: [f32; 5] = [0.5, 0.8, 0.6, 0.01, 2.0];

pub(crate) fn bodies() -> Vec<Case> {
    vec![
        finite("teleport", &[0.0, 6.0, 0.5], |s, p| s.world.teleport(s.crate_, [p[0], p[1]], p[2])),
        finite("teleport unturned", &[0.0, 6.0], |s, p| s.world.teleport(s.crate_, [p[0], p[1]], None)),
        finite("teleport fixed", &[0.0, -2.0, 0.1], |s, p| s.world.teleport(s.ground, [p[0], p[1]], p[2])),
        finite("teleport jointed", &[8.0, 3.0, 0.1], |s, p| {
            s.world.teleport(s.levers[0], [p[0], p[1]], p[2])
        }),
        finite("set_velocity", &[1.0, 2.0], |s, p| s.world.set_velocity(s.crate_, [p[0], p[1]])),
        finite("set_velocity kinematic", &[1.0, 2.0], |s, p| s.world.set_velocity(s.lift, [p[0], p[1]])),
        finite("set_angular_velocity", &[1.0], |s, p| s.world.set_angular_velocity(s.ball, p[0])),
        finite("set_angular_velocity kinematic", &[1.0], |s, p| s.world.set_angular_velocity(s.lift, p[0])),
        finite("move_to", &[4.0, 1.1, 0.1], |s, p| s.world.move_to(s.lift, [p[0], p[1]], p[2])),
        finite("move_to unturned", &[4.0, 1.1], |s, p| s.world.move_to(s.lift, [p[0], p[1]], None)),
        finite("apply_force", &[10.0, 20.0], |s, p| s.world.apply_force(s.crate_, [p[0], p[1]])),
        finite("apply_force_at", &[10.0, 20.0, 0.5, 1.0], |s, p| {
            s.world.apply_force_at(s.crate_, [p[0], p[1]], [p[2], p[3]])
        }),
        finite("apply_torque", &[5.0], |s, p| s.world.apply_torque(s.ball, p[0])),
        finite("apply_impulse", &[1.0, 2.0], |s, p| s.world.apply_impulse(s.crate_, [p[0], p[1]])),
        finite("apply_impulse_at", &[1.0, 2.0, 0.5, 1.0], |s, p| {
            s.world.apply_impulse_at(s.crate_, [p[0], p[1]], [p[2], p[3]])
        }),
        finite("apply_angular_impulse", &[1.0], |s, p| s.world.apply_angular_impulse(s.ball, p[0])),
        finite("slice", &[0.0, -5.0, 0.1, 5.0], |s, p| {
            s.world.slice(s.crate_, [p[0], p[1]], [p[2], p[3]]).map(drop)
        }),
        finite("fragment", &[0.0, -0.5, 3.0, 2.0], |s, p| {
            s.world.fragment(s.crate_, &[[p[0], p[1]], [p[2], p[3]]]).map(drop)
        }),
        finite("subtract", &[0.0, -0.5, 0.3], |s, p| {
            let hole = Shape::rect(0.5, 0.5);
            s.world.subtract(s.crate_, &PlacedShape::at(&hole, [p[0], p[1]]).angle(p[2])).map(drop)
        }),
        finite("explode", &[0.0, -0.5, 3.0, 2.0, 1.0], |s, p| {
            s.world.explode([p[0], p[1]], p[2], p[3], p[4])
        }),
        finite("set_mass", &[2.0, 0.1, 0.1, 0.5], |s, p| s.world.set_mass(s.crate_, Some(mass(p)))),
        finite("set_mass jointed", &[2.0, 0.1, 0.1, 0.5], |s, p| {
            s.world.set_mass(s.levers[0], Some(mass(p)))
        }),
        finite("set_mass, pushed", &[2.0, 0.1, 0.1, 0.5], |s, p| {
            s.world.set_mass(s.crate_, Some(mass(p)))?;
            // The point may be too far off by now.
            let _ = s.world.apply_impulse_at(s.crate_, [1.0e9, 1.0e9], [1.0e3, 0.0]);
            let _ = s.world.apply_force_at(s.crate_, [1.0e9, 1.0e9], [1.0e3, 0.0]);
            s.world.apply_angular_impulse(s.crate_, 1.0e9)
        }),
        finite("set_gravity_scale", &[2.0], |s, p| s.world.set_gravity_scale(s.crate_, p[0])),
        finite("set_gravity_of", &[2.0, -3.0], |s, p| {
            s.world.set_gravity_of(s.crate_, Some(vec2(p[0], p[1])))
        }),
        finite("set_max_speed_of", &[2.0], |s, p| s.world.set_max_speed_of(s.crate_, p[0]))
            .rule(Rule::MayBeInfinite),
        finite("set_lasting_force", &[2.0, 3.0, 0.5], |s, p| {
            s.world.set_lasting_force(s.crate_, [p[0], p[1]], p[2])
        }),
        finite("set_damping", &[0.5, 0.5], |s, p| s.world.set_damping(s.crate_, p[0], p[1])),
    ]
}

pub(crate) fn shapes() -> Vec<Case> {
    vec![
        finite("attach density", &[2.0], |s, p| {
            let def = ShapeDef::from(Shape::circle(0.3).at([0.5, 0.0]));
            s.world.attach(s.crate_, def.density(p[0])).map(|_| ())
        }),
        finite("attach large", &[2.0, 1.0], |s, p| {
            let def = ShapeDef::from(Shape::rect(p[1], p[1]).at([60.0, 60.0]));
            s.world.attach(s.levers[0], def.density(p[0])).map(|_| ())
        }),
        finite("attach mass", &[2.0], |s, p| {
            let def = ShapeDef { weight: Weight::Mass(p[0]), ..Shape::circle(0.3).into() };
            s.world.attach(s.crate_, def).map(|_| ())
        }),
        finite("attach one_way", &[0.0, 1.0], |s, p| {
            let def = ShapeDef::from(Shape::rect(1.2, 1.2)).one_way([p[0], p[1]]);
            s.world.attach(s.lift, def).map(|_| ())
        }),
        finite("attach material", &SURFACE, |s, p| {
            let def = ShapeDef::from(Shape::rect(1.2, 1.2)).material(material(p));
            s.world.attach(s.crate_, def).map(|_| ())
        }),
        finite("attach part_materials", &SURFACE, |s, p| {
            let parts = Shape::compound([Shape::circle(0.7), Shape::rect(1.1, 1.1)]);
            let def = ShapeDef::from(parts).part_materials(vec![Material::default(), material(p)]);
            s.world.attach(s.crate_, def).map(|_| ())
        }),
        finite("set_area", &[0.1, 0.2, 1.0, 2.0, 3.0, -4.0], |s, p| {
            let gravity = Some(Pull::Along(vec2(p[4], p[5])));
            let area = Area { gravity, angular_drag: p[1], ..Area::wind([p[2], p[3]], p[0]) };
            s.world.set_area(s.zone, Some(area))
        }),
        finite("set_area pull", &[0.5, 1.0, 9.0, 2.0], |s, p| {
            let pull = Pull::Toward { point: vec2(p[0], p[1]), strength: p[2], radius: p[3], falloff: 4 };
            s.world.set_area(s.zone, Some(Area { gravity: Some(pull), ..Area::default() }))
        }),
        finite("set_area fluid", &[2.0, 0.0, 1.0, 0.1, 1.0, 0.5, 0.5, 1.0, 2.0], |s, p| {
            let fluid = Fluid {
                density: p[0],
                surface: vec2(p[1], p[2]),
                up: vec2(p[3], p[4]),
                drag: p[5],
                angular_drag: p[6],
                flow: vec2(p[7], p[8]),
            };
            s.world.set_area(s.zone, Some(Area { fluid: Some(fluid), ..Area::default() }))
        }),
        finite("set_shape", &[1.0, 2.0, 0.1, 0.1], |s, p| {
            s.world.set_shape(s.face, Shape::rect(p[0], p[1]).at([p[2], p[3]]))
        }),
        finite("set_one_way", &[0.0, 1.0], |s, p| s.world.set_one_way(s.face, Some(vec2(p[0], p[1])))),
        finite("set_weight density", &[3.0], |s, p| s.world.set_weight(s.face, Weight::Density(p[0]))),
        finite("set_weight mass", &[3.0], |s, p| s.world.set_weight(s.face, Weight::Mass(p[0]))),
        finite("set_weight, pushed", &[3.0], |s, p| {
            s.world.set_weight(s.face, Weight::Mass(p[0]))?;
            s.world.apply_impulse_at(s.crate_, [1.0e9, 1.0e9], [1.0e3, 0.0])?;
            s.world.apply_angular_impulse(s.crate_, 1.0e9)?;
            s.world.apply_torque(s.crate_, 1.0e9)
        }),
        finite("set_material", &SURFACE, |s, p| s.world.set_material(s.face, material(p))),
        finite("set_tile", &[], |s, _| {
            let map = Shape::tiles(0.5, 3, &[TileCell::SOLID; 6]).at([0.0, -9.0]);
            let map = s.world.attach(s.ground, map)?;
            s.world.set_tile(map, [1, 1], TileCell::EMPTY)
        }),
        finite("set_part_material", &SURFACE, |s, p| s.world.set_part_material(s.chain, 1, material(p))),
    ]
}

/// Those that take no floats: counts, flags, numbers of the program.
pub(crate) fn plain() -> Vec<Case> {
    vec![
        finite("set_kind", &[], |s, _| s.world.set_kind(s.crate_, BodyKind::Fixed)),
        finite("set_enabled", &[], |s, _| s.world.set_enabled(s.crate_, false)),
        finite("set_dominance", &[], |s, _| s.world.set_dominance(s.crate_, 3)),
        finite("set_joint_enabled", &[], |s, _| s.world.set_joint_enabled(s.hinges[0], false)),
        finite("set_locks", &[], |s, _| {
            s.world.set_locks(s.crate_, Locks { x: true, y: true, rotation: true })
        }),
        finite("set_can_sleep", &[], |s, _| s.world.set_can_sleep(s.crate_, false)),
        finite("wake_up", &[], |s, _| s.world.wake_up(s.ground)),
        finite("put_to_sleep", &[], |s, _| s.world.put_to_sleep(s.crate_)),
        finite("set_user_data", &[], |s, _| s.world.set_user_data(s.crate_, u64::MAX)),
        finite("set_sensor", &[], |s, _| s.world.set_sensor(s.face, true)),
        finite("set_filter", &[], |s, _| {
            s.world.set_filter(s.face, Filter { category: 0, mask: u64::MAX, group: i32::MIN })
        }),
        finite("set_shape_user_data", &[], |s, _| s.world.set_shape_user_data(s.face, u64::MAX)),
        finite("detach", &[], |s, _| s.world.detach(s.face)),
        finite("add_all", &[], |s, _| {
            let ball = |x: f32| BodyDef::dynamic().at([x, 9.0]).shape(Shape::circle(0.5));
            s.world.add_all([ball(0.0), ball(2.0)]).map(|_| ())
        }),
        finite("moved", &[], |s, _| {
            assert!(s.world.moved().iter().all(|it| s.world.get(it.body).is_some()));
            Ok(())
        }),
        finite("remove", &[], |s, _| s.world.remove(s.crate_)),
        finite("extract", &[], |s, _| s.world.extract(&[s.crate_, s.levers[1]]).map(|_| ())),
        finite("remove_joint", &[], |s, _| s.world.remove_joint(s.hinges[0])),
        finite("break_welds", &[], |s, _| s.world.break_welds(s.crate_)),
        finite("set_filter_hook", &[], |s, _| {
            s.world.set_filter_hook(|pair| pair.body_id_a.index() != 1);
            Ok(())
        }),
        finite("clear_hooks", &[], |s, _| {
            s.world.clear_hooks();
            Ok(())
        }),
        finite("set_clock", &[], |s, _| {
            s.world.set_clock(Some(|| u64::MAX));
            Ok(())
        }),
    ]
}

pub(crate) fn worlds() -> Vec<Case> {
    vec![
        finite("set_motor speed", &[1.0], |s, p| s.world.set_motor(s.hinges[0], Motor::new(p[0], 10.0))),
        finite("set_motor max", &[10.0], |s, p| s.world.set_motor(s.hinges[0], Motor::new(1.0, p[0])))
            .rule(Rule::MayBeInfinite),
        finite("set_target", &[0.5], |s, p| {
            let mut world = s.world.clone();
            world.change_joint(s.hinges[0], |def| *def = def.servo(0.0, Spring::new(2.0, 0.5)))?;
            world.set_target(s.hinges[0], p[0])?;
            s.world = world;
            Ok(())
        }),
        finite("drag_to", &[0.5, 2.0], |s, p| {
            let mut world = s.world.clone();
            let mouse = world.add_joint(JointDef::drag(s.crate_, [0.0, 0.5], 50.0))?;
            world.drag_to(mouse, [p[0], p[1]])?;
            s.world = world;
            Ok(())
        }),
        finite("set_gravity", &[0.0, -10.0], |s, p| s.world.set_gravity([p[0], p[1]])),
        finite("set_def gravity", &[0.0, -10.0], |s, p| {
            s.world.set_def(WorldDef::default().gravity([p[0], p[1]]))
        }),
        finite("set_def max_speed", &[100.0], |s, p| {
            s.world.set_def(WorldDef { max_speed: p[0], ..WorldDef::default() })?;
            s.world.set_velocity(s.crate_, [1.0e9, 1.0e9])?;
            s.world.set_gravity_scale(s.crate_, 1.0e9)
        })
        .rule(Rule::MayBeInfinite),
        finite("step", &[0.01], |s, p| s.world.step(p[0]).map(|_| ())),
        finite("Batch::step actions observations action_mut columns reset_all", &[0.01, 3.0], |s, p| {
            let ball = s.ball;
            let mut batch = Batch::new(&s.world, 2)?
                .actions(1, move |world, push| world.apply_force(ball, [push[0], 0.0]))
                .observations(1, move |world, seen| seen[0] = world[ball].position().x);
            batch.reset_all()?;
            batch.action_mut(0)[1] = p[1];
            assert_eq!(batch.columns().0[1].to_bits(), p[1].to_bits());
            batch.step(p[0])?;
            assert!(batch.observation(0).iter().all(|x| x.is_finite()));
            batch.world(1).into_iter().for_each(|world| s.world.clone_from(world));
            Ok(())
        }),
        finite(
            "Batch::spec step_list step_mask step_into observations_into action_row_mut ends",
            &[0.01, 2.0, 0.5, 1.0, 0.0, 0.1, 0.2, 3.0, -0.5, 0.5, 0.3],
            |s, p| {
                let (ball, crate_) = (s.ball, s.crate_);
                let spec = Spec::new()
                    .action(Action::force(ball, [p[3], p[4]]).at([p[5], p[6]]).scale(p[2]).offset(p[5]))
                    .action(Action::torque(crate_).range(-1.0, 1.0))
                    .observation(Observation::rays(ball, 3, p[7]).fan(p[8], p[9]).at([p[5], p[6]]))
                    .observation(Observation::nearest_distance(ball, p[7]).scale(p[2]).offset(p[5]))
                    .variation(Variation::position(ball, [p[8]; 2], [p[9]; 2]).added())
                    .variation(Variation::angle(crate_, p[8], p[9]).about([p[5], p[6]]).added())
                    .variation(Variation::spin(crate_, p[8], p[9]))
                    .end(End::outside(ball, [-9.0, -9.0], [9.0, 9.0]))
                    .end(End::angle_beyond(crate_, p[10]));
                let mut batch = Batch::new(&s.world, 2)?.spec(&spec)?.layout(BatchLayout::Rows);
                batch.reset_all()?;
                batch.action_row_mut(0).fill(p[1]);
                batch.step_list(&[0], p[0])?;
                batch.step_mask(&[true, false], p[0])?;
                let mut seen = [0.0; 8];
                batch.step_into(&[p[1]; 4], &mut seen, p[0])?;
                batch.observations_into(&mut seen)?;
                assert!(seen.iter().all(|x| x.is_finite()));
                batch.world(0).into_iter().for_each(|world| s.world.clone_from(world));
                Ok(())
            },
        ),
        finite("Batch::spec, the range of an action", &[-1.0, 1.0], |s, p| {
            let spec = Spec::new().action(Action::torque(s.crate_).range(p[0], p[1]));
            let mut batch = Batch::new(&s.world, 1)?.spec(&spec)?;
            batch.action_mut(0).fill(0.5);
            batch.step(0.01)?;
            batch.world(0).into_iter().for_each(|world| s.world.clone_from(world));
            Ok(())
        })
        .rule(Rule::MayBeInfinite),
        finite("Batch::world_mut observe reset_list set_seed set_start", &[1.0, 2.0], |s, p| {
            let mut batch = Batch::new(&s.world, 2)?;
            batch.set_seed(u64::MAX);
            assert!(batch.set_start(0, 1).is_err() && batch.set_start(2, 0).is_err());
            batch.reset_list(&[1])?;
            let world = batch.world_mut(1).expect("the second");
            world.set_velocity(s.ball, [p[0], p[1]])?;
            batch.observe(usize::MAX);
            batch.world(1).into_iter().for_each(|world| s.world.clone_from(world));
            Ok(())
        }),
        finite("set_contact_hook", &[0.5, 0.4, 0.3, 1.0], |s, p| {
            let [a, b, c, d] = [p[0], p[1], p[2], p[3]];
            s.world.set_contact_hook(move |_, edit| {
                (edit.static_friction, edit.kinetic_friction) = (a, b);
                (edit.restitution, edit.tangent_speed) = (c, d);
                (edit.normal, edit.separation) = (vec2(a, b), c);
            });
            Ok(())
        })
        .rule(Rule::Any),
        finite("move_body", &[1.0, 2.0, 0.01], |s, p| {
            let velocity = [p[0], p[1]];
            s.mover.move_body(&mut s.world, s.lift, velocity, p[2]).map(|_| ())
        }),
        finite("move_body_by", &[1.0, 2.0, 0.01], |s, p| {
            let stride = carom::Stride::new([p[0], p[1]], p[2]);
            s.mover.move_body_by(&mut s.world, s.lift, &stride).map(|_| ())
        }),
        finite("cut", &[-2.0, -2.0, 2.0, 4.0], |s, p| {
            let aabb = Aabb { min: vec2(p[0], p[1]), max: vec2(p[2], p[3]) };
            let piece = s.world.cut(aabb, Ties::Part)?;
            s.world.paste(&piece, [50.0, 50.0]).map(|_| ())
        }),
        finite("paste", &[50.0, 60.0], |s, p| {
            let piece = s.world.clone().extract(&[s.crate_, s.levers[0]])?;
            s.world.paste(&piece, [p[0], p[1]]).map(|_| ())
        }),
        finite("push", &[0.01], |s, p| {
            s.mover.slide(&s.world, [2.0, 1.0], [-9.0, 0.0], 0.1)?;
            s.mover.push(&mut s.world, p[0])
        }),
    ]
}

#[test]
fn bodies_refuse_bad_numbers() {
    try_all(&bodies());
}

#[test]
fn shapes_refuse_bad_numbers() {
    try_all(&shapes());
}

#[test]
fn worlds_refuse_bad_numbers() {
    try_all(&worlds());
}

#[test]
fn calls_without_numbers_are_taken() {
    try_all(&plain());
}
