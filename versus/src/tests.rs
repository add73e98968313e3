//! The scenes are those of the list: so many bodies, shapes and hinges, at these places.

use carom::{Transform, Vec2, vec2};
use std::sync::Mutex;
use testkit::scenes::plan::{BodyPlan, Handle, HingePlan, Kind, Outline, Part, WorldPlan};

use crate::engines::{Engine, Parts, Rival, State, Way};
use crate::race::Race;
use crate::stage::EngineStage;
use testkit::scenes::{ALL, Container, MORE, Scene, Stage, find};

/// Held by tests that make worlds: Box2D keeps a list of them, which is not for several threads at
/// once.
pub(crate) static WORLDS: Mutex<()> = Mutex::new(());

/// An engine in which nothing moves.
#[derive(Default)]
pub(crate) struct Still {
    bodies: Vec<Option<State>>,
}

impl Engine for Still {
    fn add(&mut self, plan: &BodyPlan) {
        let place = Transform::new(plan.at, plan.angle);
        self.bodies.push(Some(State { place, velocity: plan.velocity, spin: plan.spin }));
    }
    fn remove(&mut self, body: Handle) {
        self.bodies[body.index()].take().expect("a body that is there");
    }
    fn join(&mut self, _plan: &HingePlan) {}
    fn drive(&mut self, body: Handle, velocity: Vec2) {
        self.bodies[body.index()].as_mut().expect("a body that is there").velocity = velocity;
    }
    fn step(&mut self) {}
    fn parts(&self) -> Parts {
        Parts::new()
    }
    fn state(&self, body: Handle) -> State {
        self.bodies[body.index()].expect("a body that is there")
    }
    fn body_count(&self) -> usize {
        self.bodies.iter().flatten().count()
    }
    fn awake_count(&self) -> usize {
        0
    }
    fn rays(&mut self, _rays: &[Way]) -> usize {
        0
    }
    fn casts(&mut self, _half: f32, _ways: &[Way]) -> usize {
        0
    }
    fn overlaps(&mut self, _half: f32, _centers: &[Vec2]) -> usize {
        0
    }
    fn nearest(&mut self, _most: f32, _points: &[Vec2]) -> Option<usize> {
        None
    }
    fn tiles(&mut self, _width: usize, _solid: &[bool]) -> bool {
        false
    }
    fn set_tile(&mut self, _place: [usize; 2], _solid: bool) {}
    fn explode(&mut self, _at: Vec2, _radius: f32, _falloff: f32) -> bool {
        false
    }
    fn save(&mut self) -> Option<Vec<u8>> {
        None
    }
    fn restore(&mut self, _image: &[u8]) -> bool {
        false
    }
}

/// The scene after its script has been asked for so many steps.
fn after(name: &str, steps: usize) -> (Scene, EngineStage, Option<Container>) {
    let scene = find(name).expect("a scene of that name");
    let mut stage = EngineStage::new(Box::new(Still::default()));
    let mut play = (scene.build)(&mut stage);
    (0..steps).for_each(|step| (play.script)(&mut stage, step));
    (scene, stage, play.container)
}

/// Bodies, dynamic ones among them, shapes, hinges.
fn counts(stage: &EngineStage) -> [usize; 4] {
    let bodies = || stage.bodies().map(|(_, plan)| plan);
    [
        bodies().count(),
        bodies().filter(|plan| plan.kind == Kind::Dynamic).count(),
        bodies().map(|plan| plan.parts.len()).sum(),
        stage.hinges().count(),
    ]
}

#[test]
fn every_scene_has_its_bodies_shapes_and_hinges() {
    let expected = [
        ("large_pyramid", 500, [5_051, 5_050, 5_051, 0]),
        ("many_pyramids", 200, [22_001, 22_000, 22_020, 0]),
        ("joint_grid", 500, [10_000, 9_993, 10_000, 2 * 99 * 100]),
        ("smash", 300, [9_601, 9_601, 9_601, 0]),
        ("tumbler", 750, [2_027, 2_026, 2_029, 1]),
        ("washer", 500, [8_101, 8_100, 8_140, 0]),
        ("spinner", 500, [6_078, 6_077, 6_078, 1]),
        ("rain", 1_000, [5, 0, 5 * 501, 0]),
        ("junkyard", 800, [8_002, 8_000, 8_000 + 161 + 100 + 1, 0]),
        ("compounds", 500, [3_001, 3_000, 6_000 + 81 + 200, 0]),
    ];
    assert_has(&ALL, &expected);
    assert_has(
        &MORE,
        &[
            ("sticks", 600, [3_001, 3_000, 3_000 + 81 + 120, 0]),
            ("hanging_chains", 600, [120 * 41, 120 * 40, 120 * 40, 120 * 40]),
            ("gravel", 600, [64_000, 4_000, 64_000, 0]),
        ],
    );
}

/// Whether these are the scenes, with so many steps, bodies, dynamic bodies, shapes and hinges.
fn assert_has(scenes: &[Scene], expected: &[(&str, usize, [usize; 4])]) {
    assert_eq!(scenes.len(), expected.len());
    for (scene, &(name, steps, wanted)) in scenes.iter().zip(expected) {
        let (_, stage, _) = after(name, 0);
        assert_eq!((scene.name, scene.steps), (name, steps));
        assert_eq!(counts(&stage), wanted, "{name}: bodies, dynamic ones, shapes, hinges");
    }
}

#[test]
fn the_pyramid_scenes_and_the_net_are_sleepless_and_only_smash_has_no_gravity() {
    for scene in ALL {
        let sleepless = ["large_pyramid", "many_pyramids", "joint_grid"].contains(&scene.name);
        assert_eq!(scene.sleep, !sleepless, "{}", scene.name);
        let down = if scene.name == "smash" { 0.0 } else { -10.0 };
        assert_eq!(scene.gravity, vec2(0.0, down), "{}", scene.name);
    }
}

#[test]
fn all_shapes_are_shapes_and_all_hinges_are_closed() {
    for scene in ALL {
        let (_, stage, container) = after(scene.name, 1);
        for (body, plan) in stage.bodies() {
            for part in &plan.parts {
                part.shape().checked().unwrap_or_else(|error| panic!("{}, {body:?}: {error}", scene.name));
            }
        }
        let quality = crate::quality::measure(&stage, container);
        assert!(quality.max_joint_gap.unwrap_or(0.0) < 5.0e-5, "{}: {quality:?}", scene.name);
        assert_eq!(quality.escaped.unwrap_or(0), 0, "{}: {quality:?}", scene.name);
        // Bodies of the spinner start where its bar is.
        let sunk = if scene.name == "spinner" { 1.0 } else { 1.0e-4 };
        assert!(quality.max_penetration < sunk, "{}: {quality:?}", scene.name);
    }
}

#[test]
fn rain_adds_a_column_every_eighth_step_and_keeps_forty() {
    let dolls = |steps| counts(&after("rain", steps).1)[3] / 10;
    assert_eq!(dolls(1), 25);
    assert_eq!(dolls(8), 25);
    assert_eq!(dolls(9), 50);
    assert_eq!(dolls(8 * 40), 1_000);
    assert_eq!(dolls(8 * 41), 1_000);
    let (_, stage, _) = after("rain", 8 * 41);
    assert_eq!(stage.body_count(), 5 + 11 * 1_000);
    // The first column is the youngest now.
    let youngest = stage.bodies().map(|(body, _)| body).max().expect("there are dolls");
    assert!((stage.state(youngest).place.position.x + 125.0 - 3.125).abs() < 2.1);
}

#[test]
fn the_pusher_of_the_junkyard_goes_as_a_sine() {
    let (scene, mut stage, _) = after("junkyard", 0);
    let mut play = (scene.build)(&mut EngineStage::new(Box::new(Still::default())));
    let pusher = stage.bodies().find(|(_, plan)| plan.kind == Kind::Kinematic).expect("a pusher").0;
    let mut x = 0.0;
    for step in 0..300 {
        (play.script)(&mut stage, step);
        x += stage.state(pusher).velocity.x / 60.0;
    }
    assert!((x - 60.0 * 1.0_f64.sin() as f32).abs() < 0.01, "{x}");
}

#[test]
fn smash_starts_asleep_and_the_spinner_never_sleeps() {
    let (_, stage, _) = after("smash", 0);
    assert_eq!(stage.bodies().filter(|(_, plan)| plan.asleep).count(), 9_600);
    let (_, stage, _) = after("spinner", 0);
    let bar = stage.bodies().find(|(_, plan)| !plan.can_sleep).expect("a bar").1;
    assert!(matches!(bar.parts[0].outline, Outline::Box { radius: 0.2, .. }));
}

#[test]
fn every_engine_plays_every_scene() {
    let _alone = WORLDS.lock();
    let scenes = ALL.iter().map(|scene| scene.name).collect();
    let race = Race {
        scenes,
        rivals: Rival::ALL.to_vec(),
        threads: 1,
        repeat: 1,
        steps: Some(2),
        ..Race::default()
    };
    let rows = race.run(&mut |_, _, _| Ok(()), &mut |_| {}).expect("a race");
    assert_eq!(rows.len(), 30);
    for row in rows {
        assert!(row.kinetic_energy.is_finite(), "{row:?}");
        assert_eq!(row.escaped.unwrap_or(0), 0, "{row:?}");
    }
}

#[test]
fn all_engines_mix_surfaces_alike() {
    let _alone = WORLDS.lock();
    // A box of friction 0.9 slides on a floor of 0.4 at 6 m/s²: the root of the product is 0.6.
    for rival in Rival::ALL {
        let plan = WorldPlan { gravity: vec2(0.0, -10.0), sleep: false, threads: 1 };
        let mut stage = EngineStage::new(rival.world(&plan).expect("a world"));
        let floor = Part::rect(50.0, 1.0).friction(0.4);
        stage.add(BodyPlan::fixed(vec2(0.0, -1.0)).part(floor));
        let slider = BodyPlan::dynamic(vec2(0.0, 0.5)).part(Part::square(0.5).friction(0.9));
        let slider = stage.add(BodyPlan { velocity: vec2(12.0, 0.0), ..slider });
        (0..60).for_each(|_| stage.step());
        let speed = stage.state(slider).velocity.x;
        assert!((speed - 6.0).abs() < 0.3, "{}: {speed} m/s", rival.name());
    }
}
