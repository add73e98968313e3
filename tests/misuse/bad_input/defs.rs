//! Every number of every definition: bodies, shapes, materials, joints, worlds, movers.

use carom::prelude::*;
use carom::{Error, Mass, MoverDef, ShapeDef, Stride, Weight};

use super::table::{Case, Rule, STEPS, Scene, finite, try_all};
use testkit::joint_defs::{every_kind, numbers};
use testkit::rounds;
use testkit::worlds;

use super::BAD;

fn ball() -> BodyDef {
    BodyDef::dynamic().at([0.0, 4.0]).shape(Shape::circle(0.5))
}

fn add(scene: &mut Scene, def: BodyDef) -> Result<(), Error> {
    scene.world.add(def).map(|_| ())
}

/// A ball of this material.
fn of(scene: &mut Scene, change: impl FnOnce(&mut Material)) -> Result<(), Error> {
    let mut material = Material::default();
    change(&mut material);
    add(scene, ball().at([1.3, 1.4]).material(material))
}

pub(crate) fn bodies() -> Vec<Case> {
    vec![
        finite("add position", &[1.0, 4.0], |s, p| add(s, ball().at([p[0], p[1]]))),
        finite("add fixed position", &[1.0, 4.0], |s, p| {
            add(s, BodyDef { kind: BodyKind::Fixed, ..ball() }.at([p[0], p[1]]))
        }),
        finite("add angle", &[1.0], |s, p| add(s, ball().angle(p[0]))),
        finite("add velocity", &[1.0, 2.0, 3.0], |s, p| add(s, ball().velocity([p[0], p[1]]).spin(p[2]))),
        finite("add kinematic velocity", &[1.0, 2.0, 3.0], |s, p| {
            add(s, BodyDef { kind: BodyKind::Kinematic, ..ball() }.velocity([p[0], p[1]]).spin(p[2]))
        }),
        finite("add damping", &[0.5, 0.5], |s, p| {
            add(s, BodyDef { linear_damping: p[0], angular_damping: p[1], ..ball() })
        }),
        finite("add gravity_scale", &[2.0], |s, p| add(s, ball().gravity_scale(p[0]))),
        finite("add gravity", &[2.0, -3.0], |s, p| add(s, ball().gravity([p[0], p[1]]))),
        finite("add max_speed", &[2.0], |s, p| add(s, ball().max_speed(p[0]))).rule(Rule::MayBeInfinite),
        finite("add mass", &[2.0, 0.1, 0.2, 0.5], |s, p| {
            let mass = Mass { mass: p[0], center: vec2(p[1], p[2]), inertia: p[3] };
            add(s, BodyDef { mass: Some(mass), ..ball() }.at([1.3, 1.4]))
        }),
        finite("add fixed mass", &[2.0, 0.1, 0.2, 0.5], |s, p| {
            let mass = Mass { mass: p[0], center: vec2(p[1], p[2]), inertia: p[3] };
            add(s, BodyDef { mass: Some(mass), kind: BodyKind::Fixed, ..ball() })
        }),
        finite("add density", &[2.0, 0.5], |s, p| {
            add(s, BodyDef::dynamic().at([1.3, 1.4]).shape(Shape::circle(p[1])).density(p[0]))
        }),
        finite("add weight", &[2.0, 0.5], |s, p| {
            let shape = ShapeDef { weight: Weight::Mass(p[0]), ..Shape::rect(p[1], p[1]).into() };
            add(s, BodyDef::dynamic().at([1.3, 1.4]).shape(shape))
        }),
        finite("add one_way", &[0.0, 1.0], |s, p| {
            add(s, ball().at([1.3, 1.4]).shape(ShapeDef::from(Shape::rect(1.0, 1.0)).one_way([p[0], p[1]])))
        }),
        finite("add restitution", &[0.5], |s, p| of(s, |m| m.restitution = p[0])),
        finite("add friction", &[0.8, 0.6], |s, p| {
            of(s, |m| (m.static_friction, m.kinetic_friction) = (p[0], p[1]))
        }),
        finite("add rolling_resistance", &[0.5], |s, p| of(s, |m| m.rolling_resistance = p[0])),
        finite("add surface_speed", &[2.0], |s, p| of(s, |m| m.surface_speed = p[0])),
    ]
}

pub(crate) fn worlds() -> Vec<Case> {
    fn swap(scene: &mut Scene, def: WorldDef) -> Result<(), Error> {
        let mut world = World::try_new(def)?;
        world.add(ball())?;
        world.add(BodyDef::fixed().shape(Shape::rect(9.0, 1.0)))?;
        scene.world = world;
        Ok(())
    }
    vec![
        finite("try_new gravity", &[0.0, -9.0], |s, p| swap(s, WorldDef::default().gravity([p[0], p[1]]))),
        finite("try_new max_speed", &[50.0], |s, p| {
            swap(s, WorldDef { max_speed: p[0], ..WorldDef::default() })
        })
        .rule(Rule::MayBeInfinite),
        finite("try_new unit", &[64.0], |s, p| swap(s, WorldDef::default().unit(p[0]))),
        finite("try_new hit_speed", &[0.5], |s, p| swap(s, WorldDef::default().hit_speed(p[0])))
            .rule(Rule::MayBeInfinite),
        finite("try_new periodic", &[], |s, _| swap(s, WorldDef::default().periodic(2, 3))),
        finite("try_new sub_steps", &[], |s, _| swap(s, WorldDef::default().sub_steps(8))),
        // A number that breaks a rule stops a debug build, and is replaced in others.
        finite("new", &[0.0, -9.0, 50.0], |s, p| {
            let def = WorldDef { max_speed: p[2], ..WorldDef::default().gravity([p[0], p[1]]) };
            if World::try_new(def).is_err() && cfg!(debug_assertions) {
                return Ok(());
            }
            s.world = World::new(def);
            let WorldDef { gravity, max_speed, .. } = *s.world.def();
            let whole = WorldDef::default();
            let fits = |one: WorldDef| World::try_new(one).is_ok();
            let kept = [
                fits(WorldDef { gravity: def.gravity, ..whole }),
                fits(WorldDef { max_speed: p[2], ..whole }),
            ];
            assert_eq!(gravity, if kept[0] { def.gravity } else { whole.gravity });
            assert_eq!(max_speed, if kept[1] { p[2] } else { whole.max_speed });
            Ok(())
        })
        .rule(Rule::Any),
    ]
}

/// Sub-steps are a count: those out of range are refused too.
#[test]
fn sub_steps_have_a_range() {
    for sub_steps in [0, 65, u32::MAX] {
        let def = WorldDef { sub_steps, ..WorldDef::default() };
        assert!(matches!(World::try_new(def), Err(Error::BadNumber(_))));
        let mut scene = Scene::new();
        let before = scene.world.hash();
        assert!(matches!(scene.world.set_def(def), Err(Error::BadNumber(_))));
        assert_eq!(scene.world.hash(), before);
    }
    for sub_steps in [1, 64] {
        let mut scene = Scene::new();
        scene.world.set_def(WorldDef { sub_steps, ..WorldDef::default() }).expect("in range");
        worlds::run(&mut scene.world, 30);
    }
}

/// So are periods, which no body may have seen another of.
#[test]
fn periods_have_a_range() {
    let mut scene = Scene::new();
    let before = scene.world.hash();
    for period in [1, -1, -2, i32::MIN, i32::MAX, (1 << 20) + 1] {
        for [x, y] in [[period, 0], [2, period], [period, period]] {
            let def = WorldDef::default().periodic(x, y);
            assert!(matches!(World::try_new(def), Err(Error::BadNumber(_))), "{x}, {y}");
            assert!(matches!(scene.world.set_def(def), Err(Error::BadNumber(_))));
        }
    }
    assert!(matches!(scene.world.set_def(WorldDef::default().periodic(2, 2)), Err(Error::BadNumber(_))));
    assert_eq!(scene.world.hash(), before);
    for [x, y] in [[2, 0], [0, 1 << 20], [3, 7]] {
        let mut world = World::default();
        world.set_def(WorldDef::default().periodic(x, y)).expect("in range, and nothing is there yet");
        let ball = world.add(ball()).expect("no rule is broken");
        worlds::run(&mut world, 30);
        assert!(world.get(ball).is_some());
    }
}

pub(crate) fn movers() -> Vec<Case> {
    fn make(scene: &mut Scene, def: MoverDef) -> Result<(), Error> {
        scene.mover.set_def(def.clone())?;
        scene.mover = Mover::new(def)?;
        for _ in 0..4 {
            scene.mover.slide(&scene.world, [2.0, 1.0], [-3.0, -5.0], 0.02)?;
            scene.mover.push(&mut scene.world, 0.02)?;
            scene.mover.move_body(&mut scene.world, scene.lift, [-3.0, 1.0], 0.02)?;
            scene.world.step(0.02)?;
        }
        Ok(())
    }
    vec![
        finite("Mover::new up", &[0.1, 1.0], |s, p| make(s, MoverDef::default().up([p[0], p[1]]))),
        finite("Mover::new skin", &[0.01], |s, p| make(s, MoverDef::default().skin(p[0]))),
        finite("Mover::new max_slope", &[0.8], |s, p| make(s, MoverDef::default().max_slope(p[0]))),
        finite("Mover::new step", &[0.3, 0.1], |s, p| {
            make(s, MoverDef { step_width: p[1], ..MoverDef::default() }.step(p[0]))
        }),
        finite("Mover::new snap", &[0.2], |s, p| make(s, MoverDef::default().snap(p[0]))),
        finite("Mover::new push", &[80.0, 800.0], |s, p| make(s, MoverDef::default().push(p[0], p[1]))),
        finite("Mover::new shape", &[0.3, 0.5], |s, p| {
            make(s, MoverDef::new(Shape::capsule([0.0, 0.0], [0.0, p[1]], p[0])))
        }),
    ]
}

/// Moves themselves, which are asked of a world that stays as it is.
pub(crate) fn moves() -> Vec<Case> {
    fn sound(outcome: carom::MoveOutcome) {
        let carom::MoveOutcome { position, motion, velocity, crushed, .. } = outcome;
        assert!(position.is_valid() && motion.is_finite() && velocity.is_finite(), "{outcome:?}");
        assert!(crushed.is_finite(), "{outcome:?}");
    }
    vec![
        finite("slide", &[2.0, 1.0, -3.0, -5.0, 0.02], |s, p| {
            s.mover.slide(&s.world, [p[0], p[1]], [p[2], p[3]], p[4]).map(sound)
        }),
        finite("slide_by", &[2.0, 1.0, -3.0, -5.0, 0.02], |s, p| {
            let stride = Stride::new([p[2], p[3]], p[4]).among(QueryFilter::default().mask(u64::MAX));
            s.mover.slide_by(&s.world, [p[0], p[1]], &stride).map(sound)
        }),
    ]
}

#[test]
fn body_and_shape_definitions_refuse_bad_numbers() {
    try_all(&bodies());
}

#[test]
fn world_definitions_refuse_bad_numbers() {
    try_all(&worlds());
}

#[test]
fn movers_refuse_bad_numbers() {
    try_all(&moves());
    try_all(&movers());
}

/// Joints have a test of their own in `tests/world/joints.rs`, with other numbers and more steps;
/// this one adds them in a world in which much else goes on, and changes a joint to them.
#[test]
fn joints_refuse_bad_numbers() {
    let scene = Scene::new();
    let before = scene.world.hash();
    let kinds = every_kind(scene.levers[0], scene.levers[1], scene.hinges);
    let (mut refused, mut taken) = (0_usize, 0_usize);
    for good in kinds {
        for place in 0..numbers(&mut good.clone()).len() {
            // A third of them in debug builds.
            for bad in BAD.into_iter().skip(place % rounds(3, 1)).step_by(rounds(3, 1)) {
                let mut def = good;
                *numbers(&mut def)[place] = bad;
                let what = format!("place {place} of {:?} is {bad}", good.kind);
                let mut fresh = scene.clone();
                if let Err(error) = fresh.world.add_joint(def) {
                    assert!(!error.to_string().is_empty());
                    assert_eq!(fresh.world.hash(), before, "{what}: {error}");
                    refused += 1;
                    continue;
                }
                assert!(!bad.is_nan(), "{what} is taken");
                for _ in 0..STEPS {
                    worlds::step(&mut fresh.world);
                    assert_eq!(fresh.world.events().frozen(), [], "{what}");
                }
                taken += 1;
            }
        }
    }
    println!("{refused} refused, {taken} taken");
    let wanted = rounds(100, 300);
    assert!(refused > wanted && taken > wanted, "{refused} refused, {taken} taken");
}
