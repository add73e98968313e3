//! Heavy, fast, far apart, by the thousand: nothing panics, speeds stay bounded, and what was torn
//! comes together again.

use carom::prelude::*;
use carom::{Anchor, JointKind, Limits, Locks, Mass, Weight};

use super::{bob, change, gap_over, greatest_gap, greatest_twist, join, rod, state, stride, worst};
use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, check_range, earth, gap, ground, run, space, step, top_speed, wall};

/// Parent, end near the parent, far end, thickness, limits in radians.
type Bone = (usize, [f32; 2], [f32; 2], f32, [f32; 2]);

/// A doll of eleven parts on limited hinges, its hip at `at`.
fn doll(world: &mut World, at: Vec2) -> Vec<BodyId> {
    const BONES: [Bone; 11] = [
        (0, [0.0, 0.0], [0.0, 0.25], 0.12, [0.0, 0.0]),
        (0, [0.0, 0.3], [0.0, 0.6], 0.13, [-0.3, 0.3]),
        (1, [0.0, 0.75], [0.0, 0.85], 0.11, [-0.5, 0.5]),
        (1, [-0.1, 0.6], [-0.4, 0.6], 0.05, [-1.5, 1.5]),
        (3, [-0.45, 0.6], [-0.75, 0.6], 0.045, [-2.0, 0.0]),
        (1, [0.1, 0.6], [0.4, 0.6], 0.05, [-1.5, 1.5]),
        (5, [0.45, 0.6], [0.75, 0.6], 0.045, [0.0, 2.0]),
        (0, [-0.07, -0.1], [-0.07, -0.5], 0.07, [-0.8, 0.8]),
        (7, [-0.07, -0.55], [-0.07, -0.95], 0.06, [-1.5, 0.0]),
        (0, [0.07, -0.1], [0.07, -0.5], 0.07, [-0.8, 0.8]),
        (9, [0.07, -0.55], [0.07, -0.95], 0.06, [-1.5, 0.0]),
    ];
    let mut parts: Vec<BodyId> = Vec::new();
    for (index, (parent, near, far, thickness, [lower, upper])) in BONES.into_iter().enumerate() {
        let (near, far) = (Vec2::from(near), Vec2::from(far));
        let middle = (near + far) * 0.5;
        let bone = Shape::capsule(near - middle, far - middle, thickness);
        let bone = add(world, BodyDef::dynamic().at(at + middle).shape(ShapeDef::from(bone).density(100.0)));
        if index > 0 {
            let hinge = JointDef::revolute(parts[parent], bone).at(at + near);
            join(world, hinge.limits(lower, upper).motor(0.0, 0.5));
        }
        parts.push(bone);
    }
    parts
}

/// How far any limit of a hinge is exceeded, in radians.
fn beyond_limits(world: &World) -> f64 {
    worst(world.joints().map(|(id, joint)| match (joint.def().kind, joint.def().drive.limits) {
        (JointKind::Revolute, Some(Limits { lower, upper })) => {
            let angle = state(world, id).angle;
            f64::from(lower - angle).max(f64::from(angle - upper))
        }
        _ => 0.0,
    }))
}

/// What joints do while everything is knocked about: a hit may part them by the way of a step, and
/// no longer than for a moment.
#[derive(Default)]
struct Knocks {
    fastest: f64,
    /// Greatest gap, in m.
    parted: f64,
    /// Most steps on end with a gap of more than 5 cm somewhere.
    longest: usize,
    so_long: usize,
}

impl Knocks {
    /// After a step. Joints to the world alone are left out: a mouse is apart as it likes.
    fn look(&mut self, world: &World) {
        let pairs = world.joints().filter(|(_, joint)| joint.def().body_a.is_some());
        let gap = worst(pairs.map(|(id, _)| f64::from(state(world, id).gap)));
        let speed = f64::from(top_speed(world));
        self.fastest = worst([self.fastest, speed]);
        self.parted = worst([self.parted, gap]);
        self.so_long = if gap > 0.05 { self.so_long + 1 } else { 0 };
        self.longest = self.longest.max(self.so_long);
    }

    fn judge(&self, fastest: f64, parted: f64) {
        check_range("fastest, m/s", self.fastest, ..=fastest);
        check_range("greatest gap, m", self.parted, ..=parted);
        check_range("most steps with a gap above 5 cm", self.longest as f64, ..=12.0);
    }
}

/// The deepest overlap of two bodies that no joint keeps from touching.
fn deepest_apart_from_joints(world: &World) -> f64 {
    let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let joined = |a: BodyId, b: BodyId| {
        let with = |joint: &carom::Joint| joint.def().body_a == Some(b) || joint.def().body_b == b;
        world.joints_of(a).any(|(_, joint)| with(joint))
    };
    worst(ids.iter().enumerate().flat_map(|(index, &a)| {
        let others = ids[index + 1..].iter().filter(move |&&b| !joined(a, b));
        others.map(move |&b| -f64::from(gap(world, a, b)))
    }))
}

/// Twenty dolls fall onto a heap, the last from 40 m, which ends with 28 m/s: in the median of five
/// heaps no limb is faster than 32 m/s, and in none faster than 40 (a limb that is hit near its
/// joint is whipped beyond the speed of the blow). Gaps are below 10 cm, and in the end the dolls
/// are whole and within their limits.
#[test]
fn dolls_fall_into_a_heap() {
    let mut fastest: Vec<f64> = (0..rounds(1, 5))
        .map(|k| {
            let (world, knocks) = heap_of_dolls(601 + k as u64);
            check_range("gap in the end, m", greatest_gap(&world), ..=0.01);
            check_range("beyond a limit in the end, rad", beyond_limits(&world), ..=0.05);
            knocks.judge(40.0, 0.1);
            knocks.fastest
        })
        .collect();
    fastest.sort_by(f64::total_cmp);
    check_range("fastest in the median, m/s", fastest[fastest.len() / 2], ..=32.0);
}

/// The same dolls lie still in the end, and not inside each other.
#[test]
#[ignore = "unmet: 0.19 m of overlap left in the heap"]
fn dolls_lie_in_a_heap() {
    let (world, _) = heap_of_dolls(601);
    check_range("deepest overlap in the end, m", deepest_apart_from_joints(&world), ..=0.02);
    check_range("speed in the end, m/s", top_speed(&world), ..=0.5);
}

fn heap_of_dolls(seed: u64) -> (World, Knocks) {
    let mut world = World::default();
    ground(&mut world);
    for x in [-2.5, 2.5] {
        wall(&mut world, [x, 5.0], 0.5, 10.0);
    }
    let mut random = Random::new(seed);
    for k in 0..rounds(4, 20) {
        let at = vec2(random.range(-1.0, 1.0) as f32, 2.0 + 2.0 * k as f32);
        doll(&mut world, at);
    }
    let mut knocks = Knocks::default();
    for number in 0..rounds(100, 900) {
        stride(&mut world, number);
        knocks.look(&world);
    }
    (world, knocks)
}

/// A ball 50 times as heavy as each of the ten links it hangs on swings into thirty boxes: gaps
/// below 10 cm, nothing faster than 40 m/s, and the wall is down: no box lies above 5 m in most of
/// five walls, which stand a millimetre apart. (How the last boxes lie on each other is chance.)
#[test]
fn a_wrecking_ball_knocks_down_a_wall() {
    let walls = rounds(1, 5);
    let high = (0..walls).filter(|&k| highest_after_a_blow(1.0e-3 * k as f32) > 5.0).count();
    if cfg!(debug_assertions) {
        return;
    }
    check_range("walls with a box above 5 m", high as f64, ..=2.0);
}

/// The highest box of a wall that a ball on a chain has swung into.
fn highest_after_a_blow(off: f32) -> f64 {
    let mut world = earth();
    ground(&mut world);
    let mut before = None;
    for k in 0..10 {
        let at = [-(k as f32) - 0.5, 12.0];
        let link =
            ShapeDef { weight: Weight::Mass(2.0), ..Shape::capsule([-0.5, 0.0], [0.5, 0.0], 0.1).into() };
        let link = add(&mut world, BodyDef::dynamic().at(at).shape(link));
        join(&mut world, JointDef::revolute(before, link).at([-(k as f32), 12.0]));
        before = Some(link);
    }
    let ball = ShapeDef { weight: Weight::Mass(100.0), ..Shape::circle(0.8).into() };
    let ball = add(&mut world, BodyDef::dynamic().at([-10.8, 12.0]).shape(ball));
    join(&mut world, JointDef::revolute(before, ball).at([-10.0, 12.0]));
    let boxes: Vec<BodyId> = (0..30)
        .map(|k| {
            let at = [1.0 + off + (k % 3) as f32, 0.5 + (k / 3) as f32];
            add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)))
        })
        .collect();
    let mut knocks = Knocks::default();
    for number in 0..rounds(150, 600) {
        stride(&mut world, number);
        knocks.look(&world);
    }
    knocks.judge(40.0, 0.1);
    if !cfg!(debug_assertions) {
        check_range("gap in the end, m", greatest_gap(&world), ..=0.005);
    }
    worst(boxes.iter().map(|&id| f64::from(world[id].position().y)))
}

/// A chain whose end a strong mouse drags round and through posts: gaps are below 20 cm, nothing is
/// faster than 80 m/s, and no link is left inside a post.
#[test]
#[ignore = "unmet: 0.21 m of overlap in the end; beginning a little earlier or later, 6 times in 16 more than 20 mm"]
fn a_chain_is_dragged_through_posts() {
    let mut world = earth();
    ground(&mut world);
    for k in 0..5 {
        wall(&mut world, [3.0 * k as f32, 2.0 + (k % 2) as f32], 0.3, 2.0);
    }
    let mut links: Vec<BodyId> = Vec::new();
    for k in 0..15 {
        let at = [-8.0 + 0.5 * k as f32, 1.0];
        let link =
            add(&mut world, BodyDef::dynamic().at(at).shape(Shape::capsule([-0.25, 0.0], [0.25, 0.0], 0.08)));
        if let Some(&before) = links.last() {
            join(&mut world, JointDef::revolute(before, link).at([at[0] - 0.25, 1.0]));
        }
        links.push(link);
    }
    let mouse = join(&mut world, JointDef::drag(links[14], [-0.75, 1.0], 2_000.0));
    let mut knocks = Knocks::default();
    for number in 0..rounds(80, 900) {
        let time = f64::from(number as u32) / 60.0;
        let goal = [(8.0 - 9.0 * (1.1 * time).cos()) as f32, (3.0 + 3.0 * (2.3 * time).sin()) as f32];
        change(&mut world, mouse, |def| *def = def.drag_to(goal));
        stride(&mut world, number);
        knocks.look(&world);
    }
    knocks.judge(80.0, 0.2);
    if cfg!(debug_assertions) {
        return;
    }
    world.remove_joint(mouse).expect("it is there");
    run(&mut world, 120);
    check_range("overlap in the end, m", deepest_apart_from_joints(&world), ..=0.02);
}

/// A mouse pulls a crate to a point and holds it there; with less force than the crate weighs it
/// does not lift it.
#[test]
fn a_mouse_drags_a_crate() {
    for (force, lifts) in [(1_000.0, true), (9.0, false)] {
        let mut world = earth();
        ground(&mut world);
        let crate_ = add(&mut world, BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(1.0, 1.0)));
        let mouse = join(&mut world, JointDef::drag(crate_, [0.4, 0.9], force));
        change(&mut world, mouse, |def| *def = def.drag_to([2.0, 4.0]));
        let mut speed = 0.0;
        for _ in 0..300 {
            step(&mut world);
            speed = worst([speed, f64::from(top_speed(&world))]);
        }
        let off = f64::from(world[crate_].to_world([0.4, 0.4]).to(WorldPoint::from([2.0, 4.0])).length());
        check_range("fastest, m/s", speed, ..=60.0);
        if lifts {
            check_range("off the mouse, m", off, ..=0.05);
        } else {
            check_range("height of a crate too heavy, m", world[crate_].position().y, ..=0.8);
        }
    }
}

/// Two bodies glued at a distance of 4 m turn about their common centre like one; a joint made with
/// a gap of 5 m closes it within 2 s at no more than 15 m/s, for every kind.
#[test]
fn far_apart_and_brought_together() {
    let mut world = space();
    let (a, b) = (bob(&mut world, [0.0, 0.0], 1.0), bob(&mut world, [4.0, 0.0], 3.0));
    join(&mut world, JointDef::weld(a, b).at([2.0, 0.0]));
    world.set_velocity(a, [0.0, -6.0]).expect("it is there");
    world.set_velocity(b, [0.0, 2.0]).expect("it is there");
    world.set_angular_velocity(a, 2.0).expect("it is there");
    world.set_angular_velocity(b, 2.0).expect("it is there");
    let gap = gap_over(&mut world, 300);
    check_range("gap of what is glued at a distance, m", gap, ..=0.01);
    check_range("spin of both, rad/s", world[a].angular_velocity(), 1.98..=2.02);
    check_range("distance, m", (world[a].position() - world[b].position()).length(), 3.99..=4.01);
    type Make = fn(BodyId, BodyId) -> JointDef;
    let kinds: [(&str, Make); 5] = [
        ("hinge", |a, b| JointDef::revolute(a, b)),
        ("slider", |a, b| JointDef::prismatic(a, b, [1.0, 0.0])),
        ("glue", |a, b| JointDef::weld(a, b)),
        ("wheel", |a, b| JointDef::wheel(a, b, [1.0, 0.0], Spring::new(1.0, 1.0))),
        ("rod", |a, b| JointDef::distance(a, b).length(0.5)),
    ];
    for (name, make) in kinds {
        for heavy in [1.0, 100.0] {
            let mut world = space();
            let a = rod(&mut world, [0.0, 0.0], 1.0);
            let b = rod(&mut world, [1.0, 5.0], heavy);
            join(&mut world, make(a, b).anchors([0.5, 0.0], [-0.5, 0.0]));
            let mut fastest = 0.0;
            for _ in 0..120 {
                step(&mut world);
                fastest = worst([fastest, f64::from(top_speed(&world))]);
            }
            check_range(&format!("{name}, {heavy} times: fastest, m/s"), fastest, ..=15.0);
            check_range(&format!("{name}, {heavy} times: gap after 2 s, m"), greatest_gap(&world), ..=0.001);
            // It does not go on flying after it has arrived: what brought it is no speed of its
            // own. A wheel still swings.
            let most = if name == "wheel" { 1.0 } else { 0.1 };
            check_range(&format!("{name}, {heavy} times: speed after 2 s, m/s"), top_speed(&world), ..=most);
        }
    }
}

/// A chain whose middle link is put 3 m aside comes together again within 2 s, nothing is faster
/// than 40 m/s.
#[test]
fn a_torn_chain_comes_together() {
    let mut world = earth();
    let mut links: Vec<BodyId> = Vec::new();
    for k in 0..12 {
        let link = rod(&mut world, [k as f32 + 0.5, 0.0], 1.0);
        join(&mut world, JointDef::revolute(links.last().copied(), link).at([k as f32, 0.0]));
        links.push(link);
    }
    run(&mut world, 60);
    let mut speed = 0.0;
    let tears = [(6, vec2(3.0, 0.0)), (2, vec2(0.0, 3.0)), (11, vec2(-5.0, 0.0))];
    for (k, by) in tears.into_iter().take(rounds(1, 3)) {
        let place = world[links[k]].world_position().offset(by);
        world.teleport(links[k], place, 1.0).expect("it is there");
        for _ in 0..120 {
            step(&mut world);
            speed = worst([speed, f64::from(top_speed(&world))]);
        }
        check_range("gap 2 s after it was torn, m", greatest_gap(&world), ..=0.01);
    }
    check_range("fastest, m/s", speed, ..=40.0);
}

/// Loops hold for 20 s: a closed ring of twenty links that is dropped to 2 cm, a four-bar crank
/// with a motor to 1 cm, a truss of welded bars to 3 cm.
#[test]
fn closed_loops_hold_for_20_s() {
    let mut world = earth();
    ground(&mut world);
    // A ring that is dropped.
    let around = |k: usize, r: f64| {
        let (sin, cos) = (k as f64 * core::f64::consts::TAU / 20.0).sin_cos();
        vec2((r * cos) as f32, (4.0 + r * sin) as f32)
    };
    let ring: Vec<BodyId> = (0..20)
        .map(|k| add(&mut world, BodyDef::dynamic().at(around(k, 2.0)).shape(Shape::circle(0.25))))
        .collect();
    for k in 0..20 {
        let next = (k + 1) % 20;
        let between = (around(k, 2.0) + around(next, 2.0)) * 0.5;
        join(&mut world, JointDef::revolute(ring[k], ring[next]).at(between));
    }
    let ring_gap = worst((0..rounds(100, 1_200)).map(|_| {
        step(&mut world);
        greatest_gap(&world)
    }));
    check_range("ring: greatest gap, m", ring_gap, ..=0.02);
    check_range("ring: gap in the end, m", greatest_gap(&world), ..=0.01);
    // A crank that drives a rocker.
    let mut world = earth();
    let bar = |world: &mut World, from: [f32; 2], to: [f32; 2]| {
        let (from, to) = (Vec2::from(from), Vec2::from(to));
        let way = to - from;
        let turn = f64::from(way.y).atan2(f64::from(way.x)) as f32;
        add(world, BodyDef::dynamic().at((from + to) * 0.5).angle(turn).shape(Shape::rect(way.length(), 0.1)))
    };
    let crank = bar(&mut world, [0.0, 0.0], [0.0, 1.0]);
    let rocker = bar(&mut world, [4.0, 0.0], [4.0, 2.5]);
    let coupler = bar(&mut world, [0.0, 1.0], [4.0, 2.5]);
    let drive = join(&mut world, JointDef::revolute(None, crank).at([0.0, 0.0]).motor(3.0, 500.0));
    join(&mut world, JointDef::revolute(None, rocker).at([4.0, 0.0]));
    join(&mut world, JointDef::revolute(crank, coupler).at([0.0, 1.0]));
    join(&mut world, JointDef::revolute(coupler, rocker).at([4.0, 2.5]));
    let gap = gap_over(&mut world, rounds(100, 1_200));
    check_range("crank: greatest gap, m", gap, ..=0.01);
    let turned = f64::from(state(&world, drive).angle);
    check_range("crank: turned, of speed × time", turned / (rounds(100, 1_200) as f64 / 20.0), 0.98..=1.02);
    // A truss: every bar glued to its neighbours at both ends.
    let mut world = earth();
    let corner = |k: usize| [k as f32, (k % 2) as f32];
    let mut bars: Vec<(BodyId, [usize; 2])> = Vec::new();
    for k in 0..10 {
        for other in [k + 1, k + 2] {
            if other < 11 {
                bars.push((bar(&mut world, corner(k), corner(other)), [k, other]));
            }
        }
    }
    for k in 0..11 {
        let here: Vec<BodyId> =
            bars.iter().filter(|(_, ends)| ends.contains(&k)).map(|(id, _)| *id).collect();
        for pair in here.windows(2) {
            join(&mut world, JointDef::weld(pair[0], pair[1]).at(corner(k)));
        }
        if k < 2 {
            join(&mut world, JointDef::weld(None, here[0]).at(corner(k)));
        }
    }
    let gap = gap_over(&mut world, rounds(100, 1_200));
    check_range("truss: greatest gap, m", gap, ..=0.03);
    check_range("truss: greatest twist, rad", greatest_twist(&world), ..=0.03);
    let calm = if cfg!(debug_assertions) { 1.0 } else { 0.05 };
    check_range("truss: speed in the end, m/s", top_speed(&world), ..=calm);
}

/// A chain squeezed between a press and a wall, a doll under a press: joints give way by 5 cm at
/// most, nothing flies off. A box whose hinge would have it inside a wall goes there: joints have
/// the last word.
#[test]
fn joints_against_walls() {
    let mut world = earth();
    ground(&mut world);
    let mut before = None;
    for k in 0..8 {
        let link = add(&mut world, BodyDef::dynamic().at([k as f32, 0.3]).shape(Shape::rect(0.9, 0.5)));
        if let Some(before) = before {
            join(&mut world, JointDef::revolute(before, link).at([k as f32 - 0.5, 0.3]));
        }
        before = Some(link);
    }
    let press = add(&mut world, BodyDef::kinematic().at([-2.0, 0.5]).shape(Shape::rect(1.0, 1.0)));
    wall(&mut world, [9.5, 2.0], 1.0, 4.0);
    world.set_velocity(press, [0.5, 0.0]).expect("it is there");
    let (mut parted, mut speed) = (0.0, 0.0);
    for number in 0..rounds(200, 480) {
        if number == 360 {
            world.set_velocity(press, [0.0, 0.0]).expect("it is there");
        }
        stride(&mut world, number);
        parted = worst([parted, greatest_gap(&world)]);
        speed = worst([speed, f64::from(top_speed(&world))]);
    }
    check_range("greatest gap of a pressed chain, m", parted, ..=0.05);
    check_range("fastest, m/s", speed, ..=15.0);
    // A hinge in a wall.
    let mut world = earth();
    let block = wall(&mut world, [0.0, 0.0], 2.0, 2.0);
    let box_ = add(&mut world, BodyDef::dynamic().at([0.0, 1.5]).shape(Shape::rect(1.0, 1.0)));
    join(&mut world, JointDef::revolute(None, box_).between([0.0, 0.5], [0.0, 1.5]));
    let mut speed = 0.0;
    for _ in 0..rounds(100, 300) {
        step(&mut world);
        speed = worst([speed, f64::from(top_speed(&world))]);
    }
    check_range("fastest where a hinge pulls into a wall, m/s", speed, ..=15.0);
    check_range("gap of its hinge, m", greatest_gap(&world), ..=0.01);
    check_range("deep in the wall, m", -gap(&world, block, box_), 0.9..=1.3);
    // A doll under a press that stops 0.5 m above the ground.
    let mut world = earth();
    ground(&mut world);
    doll(&mut world, vec2(0.0, 1.1));
    let press = add(&mut world, BodyDef::kinematic().at([0.0, 2.7]).shape(Shape::rect(6.0, 1.0)));
    world.set_velocity(press, [0.0, -1.0]).expect("it is there");
    let (mut parted, mut speed) = (0.0, 0.0);
    for number in 0..rounds(110, 300) {
        if number == 102 {
            world.set_velocity(press, [0.0, 0.0]).expect("it is there");
        }
        stride(&mut world, number);
        parted = worst([parted, greatest_gap(&world)]);
        speed = worst([speed, f64::from(top_speed(&world))]);
    }
    check_range("greatest gap of a pressed doll, m", parted, ..=0.05);
    check_range("fastest, m/s", speed, ..=15.0);
}

/// Three random bodies that overlap and are joined in a row: the first and the last push each other
/// apart. Nothing is faster than 30 m/s, and after 2 s every gap is below 1 cm.
#[test]
fn overlapping_bodies_in_a_row() {
    let mut random = Random::new(501);
    let (mut speed, mut gap) = (0.0, 0.0);
    for number in 0..rounds(3, 200) {
        let mut world = space();
        let bodies: Vec<BodyId> = (0..3)
            .map(|_| {
                let size = random.range(0.3, 2.0) as f32;
                let shape = Shape::rect(size, size * random.range(0.1, 1.0) as f32);
                let body = BodyDef::dynamic().at(random.vec2(1.0)).angle(random.angle());
                let density = random.log_range(1.0, 30.0) as f32;
                add(&mut world, body.velocity(random.vec2(1.0)).shape(ShapeDef::from(shape).density(density)))
            })
            .collect();
        for pair in bodies.windows(2) {
            let at = (world[pair[0]].position() + world[pair[1]].position()) * 0.5;
            join(&mut world, JointDef::revolute(pair[0], pair[1]).at(at));
        }
        let mut top = 0.0;
        for _ in 0..120 {
            step(&mut world);
            top = worst([top, f64::from(top_speed(&world))]);
        }
        let end = greatest_gap(&world);
        if top > 15.0 || end > 0.002 {
            println!("{number}: {top} m/s, gap {end} m");
        }
        (speed, gap) = (worst([speed, top]), worst([gap, end]));
    }
    check_range("fastest, m/s", speed, ..=30.0);
    check_range("greatest gap after 2 s, m", gap, ..=0.01);
}

/// A random joint between two of `bodies`, or one of them and the world, or of two of the `joints`.
fn random_joint(random: &mut Random, bodies: &[BodyId], joints: &[JointId]) -> JointDef {
    let (a, b) = (bodies[random.below(bodies.len())], bodies[random.below(bodies.len())]);
    let a = (random.below(5) > 0).then_some(a);
    let spring = Spring::new(random.range(0.0, 20.0) as f32, random.range(0.0, 2.0) as f32);
    let axis = random.direction().as_vec2();
    let mut def = match random.below(11) {
        0 => JointDef::revolute(a, b),
        1 => JointDef::prismatic(a, b, axis),
        2 => JointDef::distance(a, b),
        3 => JointDef::rope(a, b, random.range(0.0, 3.0) as f32),
        4 => JointDef::weld(a, b),
        5 => JointDef::wheel(a, b, axis, spring),
        6 => JointDef::motor_to(a, b, spring),
        7 => JointDef::friction(a, b, random.range(0.0, 50.0) as f32, random.range(0.0, 50.0) as f32),
        8 if joints.len() > 1 => {
            let (p, q) = (joints[random.below(joints.len())], joints[random.below(joints.len())]);
            JointDef::gear(p, q, random.range(-3.0, 3.0) as f32)
        }
        9 if a.is_some() => {
            let over = |random: &mut Random| random.vec2(4.0);
            let (left, right) = (over(random), over(random));
            JointDef::pulley(a.expect("it is some"), b, left, right, random.range(0.2, 3.0) as f32)
        }
        _ => a.map_or(JointDef::drag(b, random.vec2(4.0), 50.0), |a| JointDef::filter(a, b)),
    };
    if random.below(2) == 0 {
        def.anchor_a = Anchor::Local(random.vec2(1.0));
        def.anchor_b = Anchor::Local(random.vec2(1.0));
    } else if random.below(2) == 0 {
        def = def.at(random.vec2(4.0));
    }
    let plain = def;
    if random.below(3) == 0 {
        let low = random.range(-2.0, 1.0) as f32;
        def.drive = def.drive.limits(low, low + random.range(0.0, 2.0) as f32);
    }
    if random.below(4) == 0 {
        let max = if random.below(4) == 0 { f32::INFINITY } else { random.range(0.0, 100.0) as f32 };
        def = def.motor(random.range(-5.0, 5.0) as f32, max);
    }
    if random.below(4) == 0 {
        def = def.servo(random.range(-1.0, 1.0) as f32, spring);
    }
    if random.below(4) == 0 {
        def = def.soft(spring);
    }
    // Half of what cannot be is asked for all the same.
    let drives =
        matches!(def.kind, JointKind::Revolute | JointKind::Prismatic { .. } | JointKind::Wheel { .. });
    if !drives && random.below(2) == 0 {
        def = plain;
    }
    if random.below(6) == 0 {
        (def.break_force, def.break_torque) =
            (random.range(0.0, 500.0) as f32, random.range(0.0, 200.0) as f32);
    }
    JointDef { collide: random.below(2) == 0, ..def }
}

fn random_body(random: &mut Random) -> BodyDef {
    let size = random.range(0.2, 1.0) as f32;
    let shape = match random.below(3) {
        0 => Shape::circle(0.5 * size),
        1 => Shape::capsule([-0.3 * size, 0.0], [0.3 * size, 0.0], 0.2 * size),
        _ => Shape::rect(size, 0.5 * size),
    };
    let body = match random.below(8) {
        0 => BodyDef::fixed(),
        1 => BodyDef::kinematic().velocity(random.vec2(0.5)).spin(random.range(-1.0, 1.0) as f32),
        _ => BodyDef::dynamic().velocity(random.vec2(3.0)),
    };
    body.at(random.vec2(4.0)).angle(random.angle()).shape(shape)
}

/// One random thing is done to a body.
fn disturb(random: &mut Random, world: &mut World, id: BodyId) {
    let kinds = [BodyKind::Fixed, BodyKind::Kinematic, BodyKind::Dynamic, BodyKind::Dynamic];
    let answer = match random.below(10) {
        0 => world.set_kind(id, kinds[random.below(4)]),
        1 | 2 => world.set_enabled(id, random.below(3) > 0),
        3 => world.teleport(id, random.vec2(5.0), random.angle()),
        4 => {
            let locks =
                Locks { x: random.below(4) == 0, y: random.below(4) == 0, rotation: random.below(3) == 0 };
            world.set_locks(id, locks)
        }
        5 => {
            let mass =
                Mass { mass: random.log_range(0.01, 100.0) as f32, center: random.vec2(0.2), inertia: 0.1 };
            world.set_mass(id, (random.below(2) == 0).then_some(mass))
        }
        6 => world.put_to_sleep(id),
        7 => world.wake_up(id),
        8 => world.set_velocity(id, random.vec2(10.0)),
        _ => world.apply_impulse(id, random.vec2(2.0)),
    };
    answer.expect("the body is there and the numbers are in range");
}

/// Random bodies and joints of all kinds come, change, break and go, 300 steps long, from a hundred
/// seeds: every invariant holds after every step, nothing is NaN, no body is listed with a joint
/// that is gone, and gears have the joints they couple.
#[test]
fn random_changes_of_joints_keep_every_invariant() {
    let mut counts = [0_usize; 6];
    // Beyond the first hundred, seeds in which something once became infinite.
    let late = if cfg!(debug_assertions) { &[][..] } else { &[205, 1260, 1381, 2493, 2687, 3494, 13_188] };
    for seed in (0..rounds(2, 100) as u64).chain(late.iter().copied()) {
        let mut random = Random::new(7_000 + seed);
        let mut world = World::default();
        ground(&mut world);
        let mut bodies: Vec<BodyId> = (0..12).map(|_| add(&mut world, random_body(&mut random))).collect();
        for number in 0..300 {
            let joints: Vec<JointId> = world.joints().map(|(id, _)| id).collect();
            match random.below(8) {
                0 | 1 if joints.len() < 30 => {
                    let def = random_joint(&mut random, &bodies, &joints);
                    counts[usize::from(world.add_joint(def).is_ok())] += 1;
                }
                2 if !joints.is_empty() => {
                    let def = random_joint(&mut random, &bodies, &joints);
                    let id = joints[random.below(joints.len())];
                    counts[2 + usize::from(world.change_joint(id, |old| *old = def).is_ok())] += 1;
                }
                3 if joints.len() > 10 => {
                    world.remove_joint(joints[random.below(joints.len())]).expect("it is there");
                }
                4 if bodies.len() > 8 => {
                    let id = bodies.swap_remove(random.below(bodies.len()));
                    world.remove(id).expect("it is there");
                }
                5 if bodies.len() < 16 => bodies.push(add(&mut world, random_body(&mut random))),
                _ => {
                    let id = bodies[random.below(bodies.len())];
                    disturb(&mut random, &mut world, id);
                }
            }
            world.step(1.0 / 60.0).expect("dt is in range");
            if let Err(rule) = world.validate() {
                panic!("seed {seed}, step {number}: {rule}");
            }
            counts[4] += world.events().broken().len();
            counts[5] += world.events().lost().len();
            let at = format!("seed {seed}, step {number}");
            for (id, body) in world.bodies() {
                let numbers = [body.velocity().x, body.velocity().y, body.angular_velocity()];
                let finite = body.world_position().is_valid() && numbers.iter().all(|x| x.is_finite());
                assert!(finite && body.rotation().is_valid(), "{at}: {id} {body:?}");
                assert!(world.joints_of(id).all(|(joint, _)| world.get_joint(joint).is_some()), "{at}");
            }
            for (id, joint) in world.joints() {
                if let JointKind::Gear { first, second, .. } = joint.def().kind {
                    let there = world.get_joint(first).is_some() && world.get_joint(second).is_some();
                    assert!(there, "{at}: gear {id} outlives a joint");
                }
                let ends = [joint.def().body_a, Some(joint.def().body_b)];
                assert!(ends.into_iter().flatten().all(|id| world.get(id).is_some()), "{at}: {id}");
            }
        }
    }
    println!("refused, added; refused, changed; broken, lost: {counts:?}");
    assert!(counts.iter().all(|&count| count > 0), "everything happened: {counts:?}");
}
