//! Worlds that wrap round: what they take and refuse, and what is told of places beyond the seam.
//! That all bits are those of the middle: `determinism/periodic.rs`.

use carom::broadphase::WorldAabb;
use carom::prelude::*;
use carom::{
    Area, Batch, Error, IVec2, Mass, PathPoint, Piece, PlacedShape, Prediction, Recorder, Recording,
    ShapeCast, Ties,
};
use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, check_range, run, step, valid};

const DT: f32 = 1.0 / 60.0;

/// Without gravity, from -512 to 1536 along x and y.
fn field() -> World {
    World::new(WorldDef::default().gravity([0.0, 0.0]).periodic(2, 2))
}

fn all() -> QueryFilter<'static> {
    QueryFilter::default()
}

/// What would reach too far is refused, and nothing is changed: a sixteenth of 2048 m is 128.
#[test]
fn what_reaches_too_far_is_refused() {
    let mut world = field();
    let ball = add(&mut world, BodyDef::dynamic().shape(Shape::circle(100.0)));
    let other = add(&mut world, BodyDef::dynamic().at([300.0, 0.0]).shape(Shape::circle(1.0)));
    let shape = world.shapes_of(other).next().expect("a shape").0;
    let before = world.hash();
    let outline: Vec<Vec2> =
        [[-99.0, -99.0], [99.0, -99.0], [99.0, 99.0], [-99.0, 99.0]].map(Vec2::from).to_vec();
    let mass = Mass { mass: 1.0, center: vec2(0.0, 129.0), inertia: 1.0 };
    let walled = Piece::from({
        let mut world = World::default();
        add(&mut world, BodyDef::fixed().shape(Shape::half_plane([0.0, 0.0], [0.0, 1.0])));
        world
    });
    let ring = Piece::from(field());
    let refused: [(&str, Result<(), Error>); 18] = [
        (
            "half-plane",
            world.add(BodyDef::fixed().shape(Shape::half_plane([0.0, 0.0], [0.0, 1.0]))).map(drop),
        ),
        ("circle", world.add(BodyDef::fixed().shape(Shape::circle(129.0))).map(drop)),
        ("far circle", world.add(BodyDef::fixed().shape(Shape::circle(1.0).at([127.5, 0.0]))).map(drop)),
        ("chain", world.add(BodyDef::fixed().shape(Shape::closed_chain(&outline))).map(drop)),
        ("mass", world.add(BodyDef::dynamic().mass(mass).shape(Shape::circle(1.0))).map(drop)),
        ("many", world.add_all([BodyDef::fixed().shape(Shape::circle(129.0))]).map(drop)),
        ("attach", world.attach(ball, Shape::circle(129.0)).map(drop)),
        ("set_shape", world.set_shape(shape, Shape::circle(129.0))),
        ("set_mass", world.set_mass(ball, Some(mass))),
        ("rod", world.add_joint(JointDef::distance(ball, other).length(513.0)).map(drop)),
        ("rope", world.add_joint(JointDef::rope(ball, other, 513.0)).map(drop)),
        (
            "rod with long arms",
            world
                .add_joint(JointDef::distance(ball, other).anchors([500.0, 0.0], [-500.0, 0.0]).length(500.0))
                .map(drop),
        ),
        (
            "anchor",
            world.add_joint(JointDef::revolute(ball, other).anchors([0.0, 600.0], [0.0, 0.0])).map(drop),
        ),
        ("blast", world.explode([0.0, 0.0], 400.0, 1.0, 200.0)),
        ("area", world.cut(Aabb::new([0.0, 0.0], [2049.0, 1.0]), Ties::Part).map(drop)),
        ("piece", world.paste(&walled, [0.0, 0.0]).map(drop)),
        ("ring", world.paste(&ring, [0.0, 0.0]).map(drop)),
        ("period", world.set_def(WorldDef::default().periodic(2, 0))),
    ];
    for (what, refused) in refused {
        let error = refused.expect_err(what);
        assert!(matches!(error, Error::BadNumber(_)), "{what}: {error}");
    }
    assert_eq!(world.hash(), before);
    let taken = [
        world.add(BodyDef::fixed().at([700.0, 0.0]).shape(Shape::circle(128.0))).map(drop),
        world.add_joint(JointDef::distance(ball, other).length(512.0)).map(drop),
        world.add_joint(JointDef::rope(ball, other, 512.0)).map(drop),
        world.explode([0.0, 0.0], 400.0, 1.0, 112.0),
        world.cut(Aabb::new([-512.0, -512.0], [1536.0, 1536.0]), Ties::Part).map(drop),
    ];
    taken.into_iter().for_each(|taken| taken.expect("within the limits"));
    assert_eq!(world.body_count(), 0);
}

/// 60 balls at up to 1,000 m/s, and some told to go at 1e9, for 2,000 steps: all stay in the world,
/// and momentum and energy stay.
#[test]
fn nothing_leaves_the_world() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]).periodic(2, 3).sleepless());
    let mut random = Random::new(3);
    for k in 0..60 {
        let at = random.vec2(500.0);
        let ball = BodyDef::dynamic().at(at).velocity(random.vec2(900.0)).shape(Shape::circle(if k == 0 {
            100.0
        } else {
            4.0
        }));
        add(&mut world, ball.material(Material::elastic()));
    }
    run(&mut world, rounds(50, 1_000));
    let lost = add(
        &mut world,
        BodyDef::dynamic().at([1.0e6, -1.0e9]).velocity([1.0e9, -1.0e9]).shape(Shape::circle(2.0)),
    );
    for number in 0..rounds(50, 1_000) {
        step(&mut world);
        for (id, body) in world.bodies() {
            let IVec2 { x, y } = body.world_center().region;
            assert!((0..2).contains(&x) && (0..3).contains(&y), "step {number}: {id} is in {x}, {y}");
        }
    }
    valid(&world);
    check_range("speed of what was told to go at 1e9", world[lost].velocity().length(), 0.0..=1000.1);
}

/// Longer than a sixteenth of the world in a step of a second: as far as that, and no farther.
#[test]
fn a_step_goes_no_farther_than_a_sixteenth() {
    let mut world = field();
    let ball = add(&mut world, BodyDef::dynamic().velocity([900.0, 0.0]).shape(Shape::circle(1.0)));
    world.step(1.0).expect("a step");
    check_range("way in a second at 900 m/s", world[ball].position().x, 127.9..=128.1);
}

/// A wheel rolls along a floor of 16 plates that closes to a ring: round the world, and over the
/// seam as over every other joint: off its height by no more than 6 mm, a tenth of its rise a
/// second included.
#[test]
fn a_wheel_rolls_round_the_world() {
    let mut world = World::new(WorldDef::default().periodic(2, 0).sleepless());
    for k in 0..16 {
        let plate = Shape::rect(128.0, 2.0);
        add(&mut world, BodyDef::fixed().at([128.0 * k as f32 - 448.0, -1.0]).shape(plate));
    }
    let wheel = BodyDef::dynamic().at([1400.0, 1.0]).velocity([60.0, 0.0]).spin(-60.0);
    let wheel = add(&mut world, wheel.shape(Shape::circle(1.0)).material(Material::default().friction(1.0)));
    run(&mut world, 60);
    let (mut way, mut last, mut off) = (0.0, world[wheel].world_position(), 0.0_f64);
    for _ in 0..rounds(200, 2_100) {
        step(&mut world);
        let now = world[wheel].world_position();
        way += last.to(world.nearest_image(now, last)).x;
        off = off.max(((now.local.y - 1.0).abs() + 0.1 * world[wheel].velocity().y.abs()).into());
        last = now;
    }
    check_range("off its height, in m", off, 0.0..=0.006);
    check_range("way, in m", way, if cfg!(debug_assertions) { 190.0..=201.0 } else { 2_048.0..=2_101.0 });
    assert!(world[wheel].world_position().region.x < 2);
}

/// Rays that go round: from a ship on the left they meet it from the right, after a period less its
/// size; up to four times round they have answers.
#[test]
fn rays_go_round() {
    let mut world = field();
    let rock = add(&mut world, BodyDef::fixed().at([-400.0, 0.0]).shape(Shape::rect(2.0, 2.0)));
    let ray = |length: f32| WorldRay::toward([-300.0, 0.0], [1.0, 0.0], length);
    assert!(world.ray(ray(1_900.0), &all()).is_none());
    for length in [1_948.0, 4_000.0, 8_192.0] {
        let hit = world.ray(ray(length), &all()).expect("it goes round");
        check_range("way to the rock, in m", hit.fraction * length, 1_946.9..=1_947.1);
        // Told beside where it was asked: the way there is a plain difference.
        let way = WorldPoint::from([-300.0, 0.0]).to(hit.point);
        assert_eq!((hit.body, hit.normal, way.y), (rock, Vec2::NEG_X, 0.0));
        check_range("the same as a difference", way.x, 1_946.9..=1_947.1);
        let mut hits = Vec::new();
        world.ray_all(ray(length), &all(), &mut hits);
        assert_eq!(hits, [hit]);
        assert!(world.ray_any(ray(length), &all()));
    }
    assert!(world.ray(ray(8_300.0), &all()).is_none(), "more than four times round");
    let slanted = WorldRay::new([-300.0, 0.0], [2_048.0, 2_048.0]);
    assert!(world.ray(slanted, &all()).is_none());
    let slanted = WorldRay::new([-401.0, -1.0], [3.0 * 2_048.0, 2_048.0]);
    assert_eq!(world.ray(slanted, &all()).map(|hit| hit.body), Some(rock));
    let ball = Shape::circle(1.0);
    let cast = ShapeCast::new(&ball, [-300.0, 0.0], [6_000.0, 0.0]);
    let touch = world.cast(&cast, &all()).expect("it goes round");
    check_range("way of the cast, in m", touch.time * 6_000.0, 1_945.8..=1_946.1);
}

/// Questions asked from anywhere, and from images of it a million periods away, have the same
/// answers beside where they were asked; and those of brute force over all images.
#[test]
fn questions_are_those_of_brute_force() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]).periodic(2, 3));
    let mut random = Random::new(7);
    let mut spots = Vec::new();
    for _ in 0..150 {
        // Around the corner of both seams.
        let at = WorldPoint::new(IVec2::new(1, 2), vec2(512.0, 512.0)).offset(random.vec2(60.0));
        let radius = random.range(0.5, 3.0) as f32;
        spots.push((add(&mut world, BodyDef::fixed().at(at).shape(Shape::circle(radius))), at, radius));
    }
    let way = |from: WorldPoint, to: WorldPoint| from.to(world.nearest_image(to, from));
    for round in 0..rounds(60, 600) {
        let from = WorldPoint::new(IVec2::new(1, 2), vec2(512.0, 512.0)).offset(random.vec2(70.0));
        let far = WorldPoint { region: from.region + IVec2::new(2_000_000, -3_000_000), ..from };
        let translation = random.vec2(100.0);
        let [ray, ray_far] = [from, far].map(|from| world.ray(WorldRay::new(from, translation), &all()));
        assert_eq!(ray.map(|hit| (hit.body, hit.fraction)), ray_far.map(|hit| (hit.body, hit.fraction)));
        assert_eq!(ray.map(|hit| from.to(hit.point)), ray_far.map(|hit| far.to(hit.point)), "round {round}");
        // The first circle on the way, by the quadratic formula.
        let length = translation.length();
        let first = spots.iter().filter_map(|(_, at, radius)| {
            let (c, d) = (way(from, *at), translation / length);
            let (along, across) = (c.dot(d), c.perp_dot(d));
            let root = radius * radius - across * across;
            let inside = c.length() <= *radius;
            let t = if inside { 0.0 } else { along - root.abs().sqrt() };
            (inside || (root > 1.0e-3 && (0.0..=length).contains(&t))).then_some(t)
        });
        let first = first.map(f64::from).fold(f64::INFINITY, f64::min) as f32;
        match ray {
            Some(hit) => {
                assert!((hit.fraction * length - first).abs() < 0.05 || first == f32::INFINITY, "{hit:?}")
            }
            None => assert!(first == f32::INFINITY, "round {round}: {first}"),
        }
        let near = world.nearest(from, f32::INFINITY, &all()).expect("something is near");
        let gaps = spots.iter().map(|(_, at, radius)| way(from, *at).length() - radius);
        let least = gaps.map(f64::from).fold(f64::INFINITY, f64::min) as f32;
        assert!((near.distance - least).abs() < 1.0e-3, "round {round}: {} not {least}", near.distance);
        let size = random.range(1.0, 30.0) as f32;
        let (mut found, mut around) = (Vec::new(), Vec::new());
        let disc = Shape::circle(size);
        world.overlap_shape(&PlacedShape::at(&disc, far), &all(), &mut found);
        let met = |extra: f32| {
            let is_met = |(_, at, radius): &&(BodyId, WorldPoint, f32)| {
                way(from, *at).length() < radius + size + extra
            };
            spots.iter().filter(is_met).count()
        };
        assert!((met(-1.0e-3)..=met(1.0e-3)).contains(&found.len()), "round {round}");
        let half = Vec2::splat(size);
        let aabb = Aabb { min: from.local - half, max: from.local + half };
        world.overlap_aabb(WorldAabb { region: from.region, aabb }, &all(), &mut around);
        assert!(around.len() >= found.len());
    }
    for aabb in [
        Aabb { min: Vec2::NEG_INFINITY, max: Vec2::INFINITY },
        Aabb::new([-9.0e5, -3.0e5], [1.0e6, 8.0e5]),
        Aabb::new([-512.0, -512.0], [1536.0, 2560.0]),
        Aabb { min: vec2(f32::NEG_INFINITY, -600.0), max: vec2(f32::INFINITY, 3_000.0) },
    ] {
        let mut found = Vec::new();
        world.overlap_aabb(aabb, &all(), &mut found);
        assert_eq!(found.len(), 150, "{aabb:?}");
    }
}

/// Numbers that are none, and shapes without end, have no answers.
#[test]
fn questions_of_bad_numbers_have_no_answers() {
    let mut world = field();
    add(&mut world, BodyDef::fixed().shape(Shape::rect(2.0, 2.0)));
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3.0e38];
    let mut found = Vec::new();
    for x in bad {
        assert!(world.ray(WorldRay::new([0.0, 0.0], [x, 1.0]), &all()).is_none());
        assert!(world.cast(&ShapeCast::new(&Shape::circle(1.0), [0.0, 0.0], [x, 1.0]), &all()).is_none());
        assert!(!world.ray_any(WorldRay::new([x, 0.0], [x, 1.0]), &all()));
        world.overlap_point([x, 0.0], &all(), &mut found);
        assert!(x == 3.0e38 || found.is_empty());
    }
    let plane = Shape::half_plane([0.0, 5.0], [0.0, 1.0]);
    world.overlap_shape(&PlacedShape::at(&plane, [0.0, 0.0]), &all(), &mut found);
    assert!(found.is_empty(), "a half-plane ends nowhere");
    assert!(world.cast(&ShapeCast::new(&plane, [0.0, -9.0], [0.0, 9.0]), &all()).is_none());
}

/// A body half round the world from the middle of a piece, and its rope's end beyond that: if they
/// were taken apart, the rope would tear.
#[test]
fn a_piece_does_not_tear_a_rope_from_its_anchor() {
    let mut world = field();
    let ball = add(&mut world, BodyDef::dynamic().at([1520.0, 100.0]).shape(Shape::circle(1.0)));
    world.add_joint(JointDef::rope(None, ball, 40.0).anchors([1550.0, 100.0], [0.0, 0.0])).expect("a rope");
    run(&mut world, 3);
    let before = world.hash();
    let whole = Aabb::new([-512.0, -512.0], [1536.0, 1536.0]);
    assert!(world.cut(whole, Ties::Stay).is_err());
    assert_eq!(world.hash(), before);
    let near = Aabb::new([1400.0, 0.0], [1600.0, 200.0]);
    let piece = world.cut(near, Ties::Stay).expect("a piece");
    world.paste(&piece, [0.0, 0.0]).expect("there is room");
    run(&mut world, 30);
    valid(&world);
}

/// A mass centre that moves over the seam after the step leaves the body blended as before.
#[test]
fn what_gets_heavier_at_the_seam_is_still_blended() {
    let mut world = field();
    let ship = BodyDef::dynamic().at([1534.5, 0.0]).velocity([60.0, 0.0]).shape(Shape::circle(1.0));
    let ship = add(&mut world, ship);
    world.poses();
    step(&mut world);
    world.attach(ship, Shape::circle(1.0).at([2.0, 0.0])).expect("there is room");
    assert!(world[ship].world_center().region.x == 0, "its centre is beyond the seam");
    let at = world.poses_from([1500.0, 0.0], 0.5)[ship.index()].position.x;
    assert!((at - 35.0).abs() < 1.0e-3, "{at}");
}

/// In pixels regions are joined, and centres kept before the first of them: rays that begin far
/// from a body find all of it.
#[test]
fn long_rays_find_what_stands_before_the_first_region() {
    let def = WorldDef::default().unit(64.0).gravity([0.0, 0.0]).periodic(64, 64);
    let mut world = World::new(def);
    let ball = add(&mut world, BodyDef::fixed().at([-16384.0, 0.0]).shape(Shape::circle(4000.0)));
    for (from, sign) in [(65023.0, 1.0), (30000.0, 1.0), (0.0, 1.0), (-3000.0, -1.0), (40000.0, -1.0)] {
        let way = (sign * (-16384.0_f32 - from)).rem_euclid(65536.0) - 4000.0;
        let length = way + 1335.0;
        let hit = world.ray(WorldRay::new([from, 0.0], [sign * length, 0.0]), &all());
        let hit = hit.unwrap_or_else(|| panic!("from {from}"));
        assert_eq!(hit.body, ball);
        let off = hit.fraction * length - way;
        assert!(off.abs() < 1.0, "from {from}: {off} off");
    }
}

/// A fluid whose surface is more than half a period above its sensor lifts what is in the sensor.
#[test]
fn a_deep_fluid_lifts_in_a_small_world() {
    let height = |wraps: bool| {
        let def = WorldDef::default();
        let mut world = World::new(if wraps { def.periodic(0, 2) } else { def });
        let water = ShapeDef::from(Shape::rect(100.0, 100.0)).sensor();
        let pool = add(&mut world, BodyDef::fixed().shape(water));
        let water = world.shapes_of(pool).next().expect("a sensor").0;
        world.set_area(water, Some(Area::fluid(1000.0, 1100.0))).expect("a sound area");
        let cork = BodyDef::dynamic().density(100.0).at([0.0, -20.0]).shape(Shape::circle(0.5));
        let cork = add(&mut world, cork);
        run(&mut world, 60);
        world[cork].position().y
    };
    let plain = height(false);
    assert!(plain > -19.0 && height(true) == plain, "{plain}, {}", height(true));
}

/// Positions are drawn where they are nearest to the camera, blended across the seam without a
/// jump; `poses_at` has them where they are kept.
#[test]
fn poses_do_not_jump_at_the_seam() {
    let mut world = field();
    let ship =
        add(&mut world, BodyDef::dynamic().at([1535.5, 0.0]).velocity([60.0, 0.0]).shape(Shape::circle(1.0)));
    world.poses();
    step(&mut world);
    assert_eq!(world[ship].position().x, -511.5);
    for (camera, expected) in [(1500.0, 35.5), (-500.0, -12.5)] {
        let at =
            |world: &mut World, alpha: f32| world.poses_from([camera, 0.0], alpha)[ship.index()].position.x;
        assert_eq!(at(&mut world, 1.0), expected + 1.0);
        assert_eq!(at(&mut world, 0.0), expected);
        let moved: Vec<f32> =
            world.moved_poses([camera, 0.0], 0.5).map(|(_, pose)| pose.position.x).collect();
        assert_eq!(moved, [expected + 0.5]);
    }
    assert_eq!(world.poses_at(1.0)[ship.index()].position.x, -511.5);
}

/// What a debug drawing comes to.
struct Marks(Vec<Vec2>);

impl carom::DebugDraw for Marks {
    fn line(&mut self, a: Vec2, b: Vec2, _color: carom::Color) {
        self.0.extend([a, b]);
    }
}

/// All layers but the grid of a view over the corner of both seams, around bodies that touch and
/// are joined across it: everything is drawn in one place.
#[test]
fn a_view_over_the_seam_is_in_one_place() {
    let mut world = World::new(WorldDef::default().periodic(2, 2));
    add(&mut world, BodyDef::fixed().at([-512.0, -514.0]).shape(Shape::rect(20.0, 2.0)));
    let [a, b] = [1535.2, -511.2]
        .map(|x| add(&mut world, BodyDef::dynamic().at([x, -512.4]).shape(Shape::rect(1.5, 1.0))));
    world.add_joint(JointDef::rope(a, b, 3.0)).expect("a rope");
    world.add_joint(JointDef::revolute(None, b).at([1536.0, 1536.0])).expect("a hinge");
    run(&mut world, 5);
    for (origin, middle) in [([0.0, 0.0], vec2(1536.0, 1536.0)), ([1500.0, 1500.0], vec2(36.0, 36.0))] {
        let mut view = carom::DrawOptions::all().origin(origin).view(middle - 30.0, middle + 30.0);
        // Groups of boxes at rest may be as wide as the world.
        view.grid = false;
        let mut marks = Marks(Vec::new());
        world.draw(&mut marks, &view);
        let far = |mark: &Vec2| (*mark - middle).abs().max_element();
        let farthest = marks.0.iter().map(far).map(f64::from).fold(0.0, f64::max);
        assert!(marks.0.len() > 100 && farthest < 40.0, "{} marks, {farthest} m off", marks.0.len());
    }
}

/// In pixels: regions that count as one are cut down to what fits the period, and a ball bounces
/// off one beyond the seam as it does elsewhere.
#[test]
fn pixels_wrap_round() {
    for (unit, period) in
        [(64.0, [2, 2]), (64.0, [3, 5]), (64.0, [128, 128]), (20.0, [6, 0]), (1.0 / 16.0, [2, 2])]
    {
        let meet = |x: f32, period: [i32; 2]| {
            let def = WorldDef::default().unit(unit).gravity([0.0, 0.0]).periodic(period[0], period[1]);
            let mut world = World::new(def);
            let ball = |x: f32, speed: f32| {
                let ball = BodyDef::dynamic().at([x, 0.0]).velocity([speed, 0.0]);
                ball.shape(Shape::circle(20.0)).material(Material::elastic())
            };
            let [a, b] = [ball(x - 60.0, 120.0), ball(x + 60.0, -120.0)].map(|ball| add(&mut world, ball));
            let mut met = 0;
            for _ in 0..60 {
                step(&mut world);
                met += world.events().begun().len();
            }
            valid(&world);
            (met, [a, b].map(|id| world[id].velocity()))
        };
        let seam = 1024.0 * period[0] as f32 - 512.0;
        // Elsewhere a border of regions is crossed as well.
        assert_eq!(meet(seam, period), meet(512.0, period), "unit {unit}, {period:?}");
        assert_eq!(meet(seam, period).0, 1, "unit {unit}, {period:?}");
    }
}

/// A hinge, a rod and a rope hold across the seam, and what is told of them is near each other.
#[test]
fn joints_hold_across_the_seam() {
    let mut world = World::new(WorldDef::default().periodic(2, 2));
    let post = add(&mut world, BodyDef::fixed().at([1535.0, 0.0]).shape(Shape::rect(1.0, 1.0)));
    let bob = add(&mut world, BodyDef::dynamic().at([-509.0, 0.0]).shape(Shape::circle(0.5)));
    let rod = world.add_joint(JointDef::distance(post, bob)).expect("4 m long");
    let hung = add(&mut world, BodyDef::dynamic().at([-511.0, 1533.0]).shape(Shape::circle(0.5)));
    let hook = world.add_joint(JointDef::revolute(None, hung).at([1535.0, 1535.0])).expect("around a corner");
    run(&mut world, 120);
    let state = world.joint_state(rod).expect("it is there");
    check_range("length of the rod, in m", state.length, 3.99..=4.01);
    check_range("the same by its anchors", state.anchor_a.to(state.anchor_b).length(), 3.99..=4.01);
    let state = world.joint_state(hook).expect("it is there");
    check_range("gap of the hinge, in m", state.gap, 0.0..=0.01);
    check_range("the same by its anchors", state.anchor_a.to(state.anchor_b).length(), 0.0..=0.01);
    valid(&world);
}

/// A pile cut out over the corner of both seams and put in again there is where it was, to the bit;
/// put into a world without end it is in one piece. What reaches half round the world is not cut.
#[test]
fn pieces_are_cut_over_the_seam() {
    let pile = || {
        let mut world = World::new(WorldDef::default().periodic(2, 2));
        add(&mut world, BodyDef::fixed().at([-512.0, -514.0]).shape(Shape::rect(40.0, 2.0)));
        for k in 0..12 {
            let at = [1535.0 + 0.7 * (k % 4) as f32, -512.4 + 1.01 * (k / 4) as f32];
            add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(0.65, 1.0)));
        }
        run(&mut world, 20);
        world
    };
    let area = Aabb::new([1500.0, 1500.0], [1580.0, 1580.0]);
    let (mut cut, whole) = (pile(), pile());
    let piece = cut.cut(area, Ties::Part).expect("an area");
    assert_eq!((piece.taken().len(), cut.body_count()), (13, 0));
    let mut bytes = Vec::new();
    piece.write(&mut bytes);
    let piece = Piece::read(&bytes).expect("its own bytes");
    let places: Vec<Vec2> = piece.world().bodies().map(|(_, body)| body.position()).collect();
    assert!(places.iter().all(|place| place.x > 0.0 && place.x < 80.0 && place.y > 0.0), "{places:?}");
    let pasted = cut.paste(&piece, [1500.0, 1500.0]).expect("where it was").bodies;
    let mut whole = whole;
    let ids: Vec<BodyId> = whole.bodies().map(|(id, _)| id).collect();
    for (&new, &old) in pasted.iter().zip(&ids) {
        let of = |body: &carom::Body| (body.world_center(), body.rotation(), body.velocity());
        assert_eq!(of(&cut[new]), of(&whole[old]));
    }
    assert_eq!(cut.contacts().count(), whole.contacts().count());
    run(&mut cut, 120);
    run(&mut whole, 120);
    for (&new, &old) in pasted.iter().zip(&ids) {
        let (a, b) = (cut[new].world_center(), whole[old].world_center());
        assert!(a.to(cut.nearest_image(b, a)).length() < 1.0e-3, "{a}, {b}");
    }
    let mut flat = World::default();
    flat.paste(&piece, [0.0, 0.0]).expect("a world without end");
    run(&mut flat, 60);
    assert_eq!(flat.body_count(), 13);
    // A necklace all the way round.
    let mut ring = field();
    let beads: Vec<BodyId> = (0..16)
        .map(|k| {
            add(&mut ring, BodyDef::dynamic().at([128.0 * k as f32 - 400.0, 0.0]).shape(Shape::circle(1.0)))
        })
        .collect();
    for k in 0..16 {
        ring.add_joint(JointDef::distance(beads[k], beads[(k + 1) % 16])).expect("128 m");
    }
    let before = ring.hash();
    let area = Aabb::new([-410.0, -9.0], [-390.0, 9.0]);
    assert!(matches!(ring.cut(area, Ties::Come), Err(Error::BadNumber(_))));
    assert!(matches!(ring.extract(&beads), Err(Error::BadNumber(_))));
    assert_eq!(ring.hash(), before);
    assert_eq!(ring.extract(&beads[..3]).expect("three of them").taken().len(), 3);
}

/// Recordings, snapshots, clones, batches and predictions of a world that wraps round go on to the
/// bit.
#[test]
fn what_is_saved_goes_on_to_the_bit() {
    let mut world = World::new(WorldDef::default().periodic(2, 0));
    add(&mut world, BodyDef::fixed().at([1536.0, -1.0]).shape(Shape::rect(60.0, 2.0)));
    let mut things = Vec::new();
    for k in 0..40 {
        let at = [1530.0 + 1.1 * (k % 10) as f32, 0.5 + 1.1 * (k / 10) as f32];
        things.push(add(
            &mut world,
            BodyDef::dynamic().at(at).velocity([4.0, 0.0]).shape(Shape::rect(1.0, 0.8)),
        ));
    }
    world.record(Recorder { key_every: 25, hashes: true });
    let mut found = Prediction::new();
    for frame in 0..100 {
        if frame % 10 == 0 {
            world.set_velocity(things[frame / 3], [-9.0, 5.0]).expect("it is there");
            world.predict(&things, 5, DT, &mut found).expect("a prediction");
        }
        world.step(DT).expect("a step");
        if frame % 10 == 4 {
            let is_there = |&id: &BodyId| {
                let body = &world[id];
                let end: &PathPoint = found.path(id).last().expect("five steps");
                end.position == body.world_position() && end.velocity == body.velocity()
            };
            assert!(things.iter().all(is_there), "step {frame}");
        }
        if frame % 20 == 7 {
            let (mut bytes, mut twin) = (Vec::new(), World::default());
            world.save_whole_into(&mut bytes);
            twin.load(&bytes).expect("its own bytes");
            let mut batch = Batch::new(&world, 2).expect("a batch");
            let mut clone = world.clone();
            for _ in 0..20 {
                twin.step(DT).expect("a step");
                clone.step(DT).expect("a step");
                batch.step(DT).expect("a step");
            }
            assert_eq!((clone.hash(), clone.def().period), (twin.hash(), IVec2::new(2, 0)));
            assert_eq!(batch.world(1).map(World::hash), Some(twin.hash()));
            valid(&twin);
        }
    }
    let bytes = world.stop_recording().expect("it was recorded").to_bytes();
    let mut replay = Recording::from_bytes(&bytes).expect("its own bytes").replay();
    assert!(replay.first_divergence().is_none());
    replay.seek(100).expect("the last step");
    assert_eq!(replay.world().hash(), world.hash());
    let level = world.to_level();
    assert_eq!(level.world.period, IVec2::new(2, 0));
}

/// Bytes of a snapshot with any one of them changed, and made whole again: refused, or a world that
/// keeps its invariants.
#[test]
fn changed_bytes_are_refused_or_a_world() {
    let mut world = World::new(WorldDef::default().periodic(2, 2));
    add(&mut world, BodyDef::fixed().at([1536.0, -1.0]).shape(Shape::rect(60.0, 2.0)));
    let [a, b] = [1535.0, -511.0]
        .map(|x| add(&mut world, BodyDef::dynamic().at([x, 1.0]).shape(Shape::rect(1.5, 1.0))));
    world.add_joint(JointDef::rope(a, b, 3.0)).expect("a rope");
    run(&mut world, 30);
    let mut bytes = Vec::new();
    world.save_whole_into(&mut bytes);
    let (mut random, mut taken) = (Random::new(1), 0);
    for _ in 0..rounds(300, 20_000) {
        let mut bad = bytes.clone();
        for _ in 0..1 + random.below(3) {
            let place = random.below(bad.len());
            bad[place] ^= 1 << random.below(8);
        }
        carom::restamp(&mut bad);
        let mut loaded = World::default();
        if loaded.load(&bad).is_ok() {
            valid(&loaded);
            loaded.step(DT).expect("a step");
            valid(&loaded);
            taken += 1;
        }
    }
    check_range(
        "share that was taken",
        f64::from(taken) / f64::from(rounds(300, 20_000) as u32),
        0.001..=0.9,
    );
}
