//! What some bodies will do while all else stands still: the future, to the bit, where nothing
//! interferes.

use carom::prelude::*;
use carom::{Area, PathPoint, Prediction, Start, Weight};
use testkit::random::Random;
use testkit::worlds::{DT, add, box_on, check_range, ground, run, valid};
use testkit::{long_rounds, rounds};

fn place(body: &carom::Body) -> PathPoint {
    PathPoint {
        position: body.world_position(),
        rotation: body.rotation(),
        velocity: body.velocity(),
        angular_velocity: body.angular_velocity(),
    }
}

fn any_shape(random: &mut Random, size: f32) -> Shape {
    match random.below(6) {
        0 | 1 => Shape::circle(0.5 * size),
        2 => Shape::rect(size, random.range(0.3, 1.0) * size),
        3 => Shape::capsule([-0.4 * size, 0.0], [0.4 * size, 0.0], 0.2 * size),
        4 => Shape::polygon(&[[-0.5 * size, -0.4 * size], [0.5 * size, -0.4 * size], [0.0, 0.5 * size]]),
        _ => Shape::compound([
            Shape::rect(size, 0.3 * size),
            Shape::circle(0.25 * size).at([0.5 * size, 0.1 * size]),
        ]),
    }
}

fn material(random: &mut Random) -> Material {
    Material::default().friction(random.range(0.0, 0.9)).restitution(random.one(&[0.0, 0.0, 0.4, 0.9]))
}

/// Tile maps beside and over each other, with slopes, platforms and sensors in some of them.
fn maps(random: &mut Random, world: &mut World) {
    let count = 1 + random.below(4);
    let is_reversed = random.below(2) == 0;
    for k in 0..count {
        let is_plain = random.below(3) > 0;
        let cell = |k: usize, random: &mut Random| match k {
            0..60 => TileCell::SOLID,
            60..120 if is_plain => TileCell::SOLID,
            _ if is_plain && random.below(5) > 0 => TileCell::EMPTY,
            _ if is_plain => TileCell::SOLID,
            _ if random.below(2) == 0 => TileCell::EMPTY,
            _ => TileCell::from(random.one(&TileKind::ALL)),
        };
        let cells: Vec<TileCell> = (0..240).map(|k| cell(k, random)).collect();
        let place = if is_reversed { count - 1 - k } else { k };
        let at = [-30.0 + random.one(&[60.0, 14.5]) * place as f32, -1.5 - 0.25 * random.below(3) as f32];
        add(world, BodyDef::fixed().at(at).shape(Shape::tiles(1.0, 60, &cells)).material(material(random)));
    }
    ground_below(world);
}

/// Sensors, platforms and kinematic bodies that stand still.
fn furniture(random: &mut Random, world: &mut World) {
    for _ in 0..30 {
        let (at, size) = ([random.range(-25.0, 25.0), random.range(0.0, 9.0)], random.range(0.3, 1.5));
        let shape = any_shape(random, size);
        let shape = match random.below(6) {
            0 => ShapeDef::from(shape).sensor(),
            1 => ShapeDef::from(shape).one_way([0.0, 1.0]),
            _ => shape.into(),
        };
        let def = match random.below(5) {
            0 => BodyDef::dynamic().asleep(),
            1 => BodyDef::kinematic(),
            _ => BodyDef::fixed(),
        };
        let body = add(world, def.at(at).angle(random.angle()).shape(shape).material(material(random)));
        if random.below(3) == 0 {
            world.remove(body).expect("it is there");
        }
    }
}

/// Boxes far away that rest on each other, and stay awake.
fn wakeful(random: &mut Random, world: &mut World) {
    for k in 0..random.below(4) {
        let x = FAR + 20.0 * k as f32;
        add(world, BodyDef::fixed().at([x, -0.5]).shape(Shape::rect(9.0, 1.0)));
        for y in 0..1 + random.below(4) {
            let def = BodyDef::dynamic().at([x, 0.5 + y as f32]).shape(Shape::rect(1.0, 1.0));
            add(world, BodyDef { can_sleep: false, ..def });
        }
    }
    run(world, 60);
}

/// Where nothing reaches that is predicted.
const FAR: f32 = 400.0;

/// Ground of every kind, fixed things above it, sleeping boxes, areas and a tile map.
fn terrain(random: &mut Random, world: &mut World) {
    let kind = random.below(4);
    match kind {
        0 => _ = add(world, BodyDef::fixed().shape(Shape::half_plane([0.0, 0.0], [0.0, 1.0]))),
        1 => {
            let points: Vec<[f32; 2]> = (0..60).map(|k| [30.0 - k as f32, random.range(-0.4, 0.4)]).collect();
            add(world, BodyDef::fixed().shape(Shape::chain(&points)));
            ground_below(world);
        }
        2 => {
            for k in -30..30 {
                add(world, BodyDef::fixed().at([k as f32, -0.5]).shape(Shape::rect(1.0, 1.0)));
            }
        }
        _ => {
            let cells: Vec<TileCell> = (0..240)
                .map(|k| if k < 120 || random.below(5) == 0 { TileCell::SOLID } else { TileCell::EMPTY })
                .collect();
            add(world, BodyDef::fixed().at([-30.0, -1.5]).shape(Shape::tiles(1.0, 60, &cells)));
        }
    }
    for _ in 0..40 {
        let at = [random.range(-25.0, 25.0), random.range(0.0, 9.0)];
        let size = random.range(0.3, 1.5);
        let shape = any_shape(random, size);
        let kind = random.below(4);
        let def = if kind == 0 { BodyDef::dynamic().asleep() } else { BodyDef::fixed() };
        let def = def.at(at).angle(random.angle()).shape(shape).material(material(random));
        let body = add(world, def);
        // Numbers of parts and contacts in no order.
        if random.below(3) == 0 {
            world.remove(body).expect("it is there");
        }
    }
    if random.below(3) == 0 {
        let zone = ShapeDef::from(Shape::rect(12.0, 4.0)).sensor();
        let zone = add(world, BodyDef::fixed().at([random.range(-9.0, 9.0), 3.0]).shape(zone));
        let zone = world.shapes_of(zone).next().expect("it has one").0;
        let area = Area { drag: 0.3, ..Area::gravity([random.range(-9.0, 9.0), 4.0]) };
        world.set_area(zone, Some(area)).expect("sound numbers");
    }
}

/// Two bodies that hang on each other by a joint of any kind, beside a one-way platform, are
/// foreseen to the bit.
#[test]
fn joints_of_every_kind_are_foreseen() {
    let spring = Spring::new(3.0, 0.3);
    let [high, higher] = [[0.0, 9.0], [1.5, 9.0]];
    type Join<'j> = &'j dyn Fn(&mut World, BodyId, BodyId) -> Vec<JointDef>;
    let kinds: [(&str, Join); 11] = [
        ("revolute", &|_, a, b| vec![JointDef::revolute(a, b).at([0.8, 5.0]).motor(4.0, 30.0)]),
        ("limits", &|_, a, b| {
            let hung = JointDef::revolute(None, a).at([0.0, 6.0]).limits(-0.3, 0.4);
            vec![hung, JointDef::revolute(a, b).at([0.8, 5.0]).limits(-0.5, 0.5)]
        }),
        ("prismatic", &|_, a, b| {
            vec![JointDef::prismatic(a, b, [1.0, 0.0]).limits(-0.2, 0.5).motor(1.0, 40.0)]
        }),
        ("weld", &|_, a, b| vec![JointDef::weld(a, b).at([0.8, 5.0]).soft(spring)]),
        ("wheel", &|_, a, b| vec![JointDef::wheel(a, b, [0.0, 1.0], spring)]),
        ("distance", &|_, a, b| vec![JointDef::distance(a, b).soft(spring)]),
        ("rope", &|_, a, b| vec![JointDef::rope(a, b, 1.6)]),
        ("motor", &|_, a, b| vec![JointDef::motor_to(None, a, spring), JointDef::rope(a, b, 2.0)]),
        ("pulley", &|_, a, b| vec![JointDef::pulley(a, b, high, higher, 1.0)]),
        ("gear", &|world, a, b| {
            let hang = |x: f32, body| JointDef::revolute(None, body).at([x, 6.0]);
            let [first, second] =
                [hang(0.0, a), hang(1.5, b)].map(|def| world.add_joint(def).expect("a joint"));
            vec![JointDef::gear(first, second, 2.0)]
        }),
        ("off", &|world, a, b| {
            let joint = world.add_joint(JointDef::revolute(a, b).at([0.8, 5.0])).expect("a joint");
            world.set_joint_enabled(joint, false).expect("it is there");
            Vec::new()
        }),
    ];
    for (name, join) in kinds {
        let mut world = World::default();
        ground(&mut world);
        let platform = ShapeDef::from(Shape::rect(3.0, 0.3)).one_way([0.0, 1.0]);
        add(&mut world, BodyDef::fixed().at([2.0, 2.0]).shape(platform));
        let a = BodyDef::dynamic().at([0.0, 5.0]).velocity([1.0, 0.0]).shape(Shape::rect(1.0, 0.4));
        let b = BodyDef::dynamic().at([1.5, 5.0]).velocity([0.0, 2.0]).shape(Shape::circle(0.4));
        let movers = [add(&mut world, a), add(&mut world, b)];
        for def in join(&mut world, movers[0], movers[1]) {
            world.add_joint(def).expect("a joint");
        }
        run(&mut world, 3);
        let mut prediction = Prediction::new();
        world.predict(&movers, 90, DT, &mut prediction).expect("sound numbers");
        for number in 0..90 {
            run(&mut world, 1);
            for id in movers {
                assert_eq!(prediction.path(id)[number], place(&world[id]), "{name}, step {number}");
            }
        }
    }
}

fn ground_below(world: &mut World) {
    add(world, BodyDef::fixed().at([0.0, -2.0]).shape(Shape::rect(80.0, 2.0)));
}

/// One body, or some that hang together.
fn movers(random: &mut Random, world: &mut World) -> Vec<BodyId> {
    let at = vec2(random.range(-20.0, 20.0), random.range(1.0, 9.0));
    let count = random.one(&[1, 1, 1, 2, 4]);
    let velocity = random.vec2(12.0);
    let bodies: Vec<BodyId> = (0..count)
        .map(|k| {
            let size = random.range(0.2, 0.8);
            let shape = ShapeDef { weight: Weight::Density(2.0), ..any_shape(random, size).into() };
            let def = BodyDef::dynamic().at(at + vec2(0.9 * k as f32, 0.0)).velocity(velocity);
            add(world, def.spin(random.range(-9.0, 9.0)).shape(shape).material(material(random)))
        })
        .collect();
    let hangs = random.below(3);
    for pair in bodies.windows(2).filter(|_| hangs > 0) {
        let between = world[pair[0]].position().midpoint(world[pair[1]].position());
        let def = if hangs == 1 {
            JointDef::revolute(pair[0], pair[1]).at(between)
        } else {
            JointDef::distance(pair[0], pair[1])
        };
        world.add_joint(def).expect("no rule is broken");
    }
    if hangs == 2 {
        let def = JointDef::revolute(None, bodies[0]).at(at + vec2(0.0, 1.0));
        world.add_joint(def).expect("no rule is broken");
    }
    bodies
}

/// 1,000 random worlds (with `CAROM_LONG` 2,000), 120 steps each: every place and velocity is that
/// of the future, up to the step in which something else wakes or is touched. In twice as many more,
/// the ground is several tile maps, among sensors and platforms, and far away are boxes that rest
/// and stay awake.
///
/// Each of these went another way at first: cells of which the last contact ended as a body fell
/// asleep, cells that a sensor held, sensors under which a map came near, maps in another order,
/// and cells that were left while a predicted body slept.
#[test]
fn a_prediction_is_the_future_to_the_bit() {
    let (mut count, worlds) = (Count::default(), long_rounds(40, 1_000, 2_000));
    for seed in 0..worlds as u64 {
        count.compare(seed, terrain);
    }
    for seed in 0..2 * worlds as u64 {
        count.compare(seed, |random, world| {
            if random.below(2) == 0 {
                maps(random, world)
            } else {
                terrain(random, world)
            }
            furniture(random, world);
            if random.below(2) == 0 {
                wakeful(random, world);
            }
        });
    }
    let Count { steps, met, whole, wrong, .. } = count;
    println!("{steps} steps, {met} meetings, {whole} whole");
    assert_eq!(wrong, 0, "worlds went another way");
    assert!(steps > 120 * worlds && met > 3 * worlds / 2 && whole > worlds);
}

/// What was compared.
#[derive(Default)]
struct Count {
    prediction: Prediction,
    steps: usize,
    met: usize,
    whole: usize,
    wrong: usize,
}

impl Count {
    /// Compares the prediction of a world with its future.
    fn compare(&mut self, seed: u64, build: impl Fn(&mut Random, &mut World)) {
        let mut random = Random::new(seed);
        let mut world = World::default();
        build(&mut random, &mut world);
        world.step(DT).expect("dt is in range");
        let bodies = movers(&mut random, &mut world);
        let before = random.below(60);
        run(&mut world, before);
        let interferes = |world: &World| {
            let mut others = world.bodies().filter(|(id, _)| !bodies.contains(id));
            others.any(|(_, body)| body.is_awake() && body.position().x < 0.5 * FAR)
        };
        if interferes(&world) {
            return;
        }
        let hash = world.hash();
        let thrown = random.below(2) == 0;
        let velocity = random.vec2(9.0);
        let starts: Vec<Start> = bodies
            .iter()
            .map(|&body| if thrown { Start::from(body).velocity(velocity) } else { body.into() })
            .collect();
        world.predict(&starts, 120, DT, &mut self.prediction).expect("sound numbers");
        assert_eq!(world.hash(), hash, "seed {seed}: nothing is touched");
        for &body in bodies.iter().filter(|_| thrown) {
            world.set_velocity(body, velocity).expect("it is there");
        }
        self.met += self.prediction.meetings().len();
        for step in 0..120 {
            world.step(DT).expect("dt is in range");
            if interferes(&world) {
                return;
            }
            let equal = |&body: &BodyId| self.prediction.path(body)[step] == place(&world[body]);
            if !bodies.iter().all(equal) {
                println!("seed {seed}, step {step}, {} bodies, thrown {thrown}", bodies.len());
                self.wrong += 1;
                return;
            }
            self.steps += 1;
        }
        self.whole += 1;
    }
}

/// Forty balls fall on the seams of as many boxes: more contacts begin at once than free slots were
/// copied, in a world in which they were freed in any order.
#[test]
fn many_contacts_at_once_are_foreseen() {
    let mut random = Random::new(3);
    let mut world = World::default();
    for k in -1..41 {
        add(&mut world, BodyDef::fixed().at([k as f32 - 0.5, -0.5]).shape(Shape::rect(1.0, 1.0)));
    }
    let fall = |world: &mut World| -> Vec<BodyId> {
        let ball = |k: i32| BodyDef::dynamic().at([k as f32, 1.0]).shape(Shape::circle(0.3));
        (0..40).map(|k| add(world, ball(k).velocity([0.1 * (k % 3) as f32, 0.0]))).collect()
    };
    let mut balls = fall(&mut world);
    run(&mut world, 40);
    while !balls.is_empty() {
        let ball = balls.swap_remove(random.below(balls.len()));
        world.remove(ball).expect("it is there");
    }
    let balls = fall(&mut world);
    let mut prediction = Prediction::new();
    world.predict(&balls, 60, DT, &mut prediction).expect("sound numbers");
    for step in 0..60 {
        run(&mut world, 1);
        for &ball in &balls {
            assert_eq!(prediction.path(ball)[step], place(&world[ball]), "step {step}");
        }
    }
    assert!(prediction.meetings().len() > 45, "{}", prediction.meetings().len());
}

/// What stands still: a ball that flies at a moving lift meets it where it is now, and boxes that
/// sleep do not give way.
#[test]
fn all_else_stands_still() {
    let mut world = World::default();
    ground(&mut world);
    let lift = BodyDef::kinematic().at([4.0, 1.0]).velocity([0.0, 5.0]).shape(Shape::rect(1.0, 2.0));
    let lift = add(&mut world, lift);
    let crate_ = box_on(&mut world, 0.0, -4.0, [1.0, 2.0]);
    let ball = add(&mut world, BodyDef::dynamic().at([0.0, 1.0]).shape(Shape::circle(0.2)));
    let mut aim = Prediction::new();
    for (velocity, other, stop) in [([20.0, 0.0], lift, 3.3), ([-20.0, 0.0], crate_, -3.3)] {
        world.predict(&[Start::from(ball).velocity(velocity)], 30, DT, &mut aim).expect("sound");
        assert_eq!((aim.meetings()[0].body, aim.meetings()[0].other), (ball, other));
        assert!(aim.path(ball).iter().all(|place| place.position.position().x.abs() < f32::abs(stop) + 0.01));
    }
    assert!(aim.path(crate_).is_empty());
    assert_eq!(world.step_count(), 0);
    valid(&world);
}

/// Two that are asked about meet each other; each pair is told once, and an empty question has an
/// empty answer.
#[test]
fn those_that_are_asked_about_meet() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let ball =
        |x: f32, speed: f32| BodyDef::dynamic().at([x, 0.0]).velocity([speed, 0.0]).shape(Shape::circle(0.5));
    let a = add(&mut world, ball(-2.0, 3.0));
    let b = add(&mut world, ball(2.0, -3.0));
    let mut found = Prediction::new();
    world.predict(&[b, a, b], 60, DT, &mut found).expect("sound");
    assert_eq!(found.meetings().len(), 1);
    assert_eq!((found.meetings()[0].body, found.meetings()[0].other), (a, b));
    assert_eq!(found.path(a).len(), 60);
    world.predict(&[a], 60, DT, &mut found).expect("sound");
    assert!(found.meetings().iter().all(|meeting| meeting.other == b) && found.path(b).is_empty());
    world.predict::<BodyId>(&[], 60, DT, &mut found).expect("sound");
    assert!(found.path(a).is_empty() && found.meetings().is_empty());
}

/// A prediction that is kept allocates nothing any more.
#[test]
fn a_warm_prediction_allocates_nothing() {
    let mut world = World::default();
    ground(&mut world);
    for k in 0..400 {
        box_on(&mut world, 1.5 * (k / 40) as f32, 1.5 * (k % 40) as f32 - 30.0, [1.0, 1.0]);
    }
    let ball = add(&mut world, BodyDef::dynamic().at([-33.0, 9.0]).shape(Shape::circle(0.3)));
    let mut aim = Prediction::new();
    let mut predict = |k: u32| {
        let start = Start::from(ball).velocity([12.0, k as f32 % 7.0]);
        world.predict(&[start], 120, DT, &mut aim).expect("sound");
        assert!(!aim.meetings().is_empty());
    };
    (0..14).for_each(&mut predict);
    assert_eq!(testkit::memory::asked_by(|| (0..14).for_each(&mut predict)).pieces, 0);
}

/// Gravity, greatest speed and lasting forces of single bodies are foreseen too.
#[test]
fn own_laws_are_foreseen() {
    let mut world = World::default();
    ground(&mut world);
    let def = |x: f32| BodyDef::dynamic().at([x, 4.0]).velocity([2.0, 3.0]).shape(Shape::circle(0.3));
    let floats = add(&mut world, def(0.0).gravity([0.3, 0.0]));
    let slow = add(&mut world, def(9.0).max_speed(2.5));
    let driven = add(&mut world, def(18.0));
    world.set_lasting_force(driven, [1.0, 3.0], 0.1).expect("sound numbers");
    run(&mut world, 7);
    let (bodies, mut found) = ([floats, slow, driven], Prediction::new());
    world.predict(&bodies, 120, DT, &mut found).expect("sound");
    for step in 0..120 {
        run(&mut world, 1);
        for body in bodies {
            assert_eq!(found.path(body)[step], place(&world[body]), "{body}, step {step}");
        }
    }
}

/// A ball that is thrown over and among resting boxes on long ground.
fn thrown_among(boxes: u32) -> (World, BodyId) {
    let mut world = World::default();
    add(&mut world, BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(4000.0, 2.0)));
    for k in 0..boxes {
        let at = [1.5 * (k / 4) as f32 - 0.375 * boxes as f32 / 2.0, 0.5 + (k % 4) as f32];
        add(&mut world, BodyDef::dynamic().at(at).asleep().shape(Shape::rect(1.0, 1.0)));
    }
    let ball = BodyDef::dynamic().at([0.0, 8.0]).shape(Shape::circle(0.25));
    let ball = add(&mut world, ball.material(Material::default().restitution(0.6)));
    run(&mut world, 16);
    assert!(world.stats().awake < 4);
    (world, ball)
}

/// What 120 steps of a ball take does not depend on how many boxes rest elsewhere: 10,000 or 200,
/// the quickest of many runs, in turns. (Bench `query` has the microseconds.)
#[test]
fn predictions_do_not_pay_for_what_rests_elsewhere() {
    let worlds = [200, 10_000].map(thrown_among);
    let mut aim = Prediction::new();
    for velocity in [[10.0, 14.0], [10.0, 6.0], [3.0, 0.0]] {
        let (mut least, mut meetings) = ([f64::INFINITY; 2], [0; 2]);
        for _ in 0..rounds(10, 500) {
            for (k, (world, ball)) in worlds.iter().enumerate() {
                let start = std::time::Instant::now();
                world.predict(&[Start::from(*ball).velocity(velocity)], 120, DT, &mut aim).expect("sound");
                least[k] = least[k].min(start.elapsed().as_secs_f64() * 1.0e6);
                meetings[k] = aim.meetings().len();
            }
        }
        println!("{velocity:?}: {meetings:?} meetings, {least:.1?} µs");
        assert_eq!(meetings[0], meetings[1]);
        if !cfg!(debug_assertions) {
            check_range("times as long", least[1] / least[0], ..2.0);
        }
    }
}

/// Two boxes that nearly touch fall asleep in one step, which parks their pair until the next one.
/// Meanwhile one of them goes, or its shape does: the other can still be predicted.
#[test]
fn a_neighbour_that_fell_asleep_and_went_is_no_obstacle() {
    type Leave = fn(&mut World, BodyId);
    let remove: Leave = |world, id| world.remove(id).expect("it is there");
    let detach: Leave = |world, id| {
        let (shape, _) = world.shapes_of(id).next().expect("it has one");
        world.detach(shape).expect("it is there");
    };
    for leave in [remove, detach] {
        for gap in [0.001, 0.004, 0.008, 0.016] {
            let mut world = World::default();
            world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(9.0, 1.0))).expect("a floor");
            let boxed = |x: f32| BodyDef::dynamic().at([x, 0.5]).shape(Shape::rect(1.0, 1.0));
            let left = world.add(boxed(-0.5 - gap)).expect("a box");
            let right = world.add(boxed(0.5 + gap)).expect("a box");
            while world.events().slept().len() < 2 {
                assert!(world.step_count() < 300, "they sleep at once");
                world.step(1.0 / 60.0).expect("a step");
            }
            leave(&mut world, right);
            let mut prediction = Prediction::new();
            let thrown = Start::from(left).velocity([3.0, 0.0]);
            world.predict(&[thrown], 10, 1.0 / 60.0, &mut prediction).expect("it is there");
            world.set_velocity(left, [3.0, 0.0]).expect("it is there");
            for _ in 0..10 {
                world.step(1.0 / 60.0).expect("a step");
            }
            assert_eq!(prediction.path(left)[9].position, world[left].world_position());
        }
    }
}
