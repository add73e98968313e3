//! Continuous collision: nothing passes through anything, at any speed, and nothing has to be
//! switched on for it.

use carom::prelude::*;
use carom::{Locks, Vec2};

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{DT, add, bits, check_range, earth, gap, ground_of, run, space, step, wall};

/// Most that something stopped may be inside of what stopped it, in metres: the margin of contacts.
/// Nobody sees it.
const DEEP: f32 = 0.01;

/// How far a body's farthest point lies along `direction`.
fn reach_along(world: &World, id: BodyId, direction: Vec2) -> f32 {
    let shapes = world.shapes_of(id).map(|(_, collider)| collider.shape().clone());
    let at = world[id].transform();
    let along = |shape: Shape| {
        let turned =
            Transform { position: Vec2::ZERO, rotation: Rot { cos: direction.x, sin: -direction.y } } * at;
        shape.aabb(turned).max.x
    };
    shapes.map(along).fold(f32::NEG_INFINITY, |top, x| if x > top { x } else { top })
}

/// A 0.2 m box at 200 m/s from x = -3 never gets past a fixed 0.1 × 10 m wall at 0, in 120 steps;
/// nor from 200 other places, at other angles and spins.
#[test]
fn a_box_at_200_m_s_is_stopped_by_a_wall_of_10_cm() {
    let mut random = Random::new(1);
    let mut deepest = f32::NEG_INFINITY;
    for launch in 0..rounds(20, 200) {
        let mut world = earth();
        wall(&mut world, [0.0, 0.0], 0.1, 10.0);
        let mut def = BodyDef::dynamic().at([-3.0, 0.0]).velocity([200.0, 0.0]).shape(Shape::rect(0.2, 0.2));
        if launch > 0 {
            def = def.at([random.range(-6.5, -1.0) as f32, random.range(-1.0, 4.0) as f32]);
            def = def.angle(random.angle()).spin(random.range(-20.0, 20.0) as f32);
        }
        let ball = add(&mut world, def);
        for number in 0..120 {
            step(&mut world);
            let place = world[ball].position();
            let deep = reach_along(&world, ball, Vec2::X) + 0.05;
            let beside = place.y.abs() < 4.8;
            assert!(!beside || place.x < 0.0, "launch {launch}, step {number}: it passed to {place}");
            if beside && deep > deepest {
                deepest = deep;
                println!("launch {launch}, step {number}: {deep} m deep, {:?}", world[ball].transform());
            }
        }
    }
    check_range("farthest into the wall, m", deepest, ..=f64::from(DEEP));
}

/// A circle r 0.2 at 400 m/s against a segment, a chain (also where two of its edges meet), and a
/// box of 1 cm: stopped.
#[test]
fn a_circle_at_400_m_s_is_stopped_by_a_line() {
    let corners: Vec<Vec2> = (0..9).map(|k| vec2(0.0, 5.0 * k as f32 - 20.0)).collect();
    let segment = Shape::segment([0.0, -20.0], [0.0, 20.0]);
    let targets = [("segment", segment), ("chain", Shape::chain(&corners)), ("box", Shape::rect(0.01, 40.0))];
    let mut random = Random::new(2);
    for (name, target) in targets {
        let mut deepest = f32::NEG_INFINITY;
        for launch in 0..rounds(10, 100) {
            let mut world = earth();
            add(&mut world, BodyDef::fixed().shape(target.clone()));
            let y = if launch % 2 == 0 { 5.0 } else { random.range(-5.0, 15.0) as f32 };
            let at = [random.range(-9.0, -0.25) as f32, y];
            let ball =
                add(&mut world, BodyDef::dynamic().at(at).velocity([400.0, 0.0]).shape(Shape::circle(0.2)));
            for number in 0..60 {
                step(&mut world);
                let x = world[ball].position().x;
                assert!(x < 0.0, "{name}, launch {launch} from {at:?}, step {number}: it passed to {x}");
                deepest = if x + 0.2 > deepest { x + 0.2 } else { deepest };
            }
        }
        check_range(&format!("farthest into the {name}, m"), deepest, ..=f64::from(DEEP));
    }
}

/// Two balls of 0.1 m that meet at 400 m/s each do not pass each other, in 200 phases of the step,
/// head on and a little beside.
#[test]
fn two_fast_balls_do_not_pass_each_other() {
    let mut random = Random::new(3);
    for meeting in 0..rounds(20, 200) {
        let mut world = space();
        let beside = if meeting % 2 == 0 { 0.0 } else { random.range(-0.08, 0.08) as f32 };
        let ball = |x: f32, y: f32, v: f32| {
            BodyDef::dynamic()
                .at([x, y])
                .velocity([v, 0.0])
                .shape(Shape::circle(0.05))
                .material(Material::inelastic())
        };
        let start = random.range(0.2, 14.0) as f32;
        let left = add(&mut world, ball(-start, 0.0, 400.0));
        let right = add(&mut world, ball(start, beside, -400.0));
        run(&mut world, 8);
        let (p, q) = (&world[left], &world[right]);
        // Head on they have come to rest against each other; beside, they have pushed each other
        // off their ways.
        let parted = if beside == 0.0 {
            p.position().x < q.position().x && (p.velocity().x - q.velocity().x).abs() < 4.0
        } else {
            (q.velocity().y - p.velocity().y) * beside > 0.0 && q.velocity().x - p.velocity().x > -799.0
        };
        assert!(parted, "meeting {meeting}, {beside} beside, from {start}: {p:?}\n{q:?}");
    }
}

/// A ball of 0.1 m at 400 m/s does not pass a kinematic wall of 5 cm that comes towards it at 50
/// m/s, or flees from it.
#[test]
fn a_bullet_does_not_pass_a_moving_wall() {
    let mut random = Random::new(4);
    let mut off = 0.0;
    for launch in 0..rounds(20, 200) {
        let mut world = space();
        let speed = if launch % 2 == 0 { -50.0 } else { 50.0 };
        let door = BodyDef::kinematic().velocity([speed, 0.0]).shape(Shape::rect(0.05, 10.0));
        let door = add(&mut world, door);
        let x = random.range(-9.0, -0.2) as f32;
        let ball = BodyDef::dynamic().at([x, 0.0]).velocity([400.0, 0.0]).shape(Shape::circle(0.05));
        let ball = add(&mut world, ball);
        for number in 0..20 {
            step(&mut world);
            let deep = world[ball].position().x - world[door].position().x + 0.075;
            assert!(
                deep <= DEEP,
                "launch {launch} from {x}, wall at {speed} m/s, step {number}: {deep} m deep"
            );
        }
        let apart = (world[ball].velocity().x - speed).abs();
        off = if apart > off { apart } else { off };
    }
    check_range("off the speed of the wall at the end, m/s", off, ..=0.01);
}

/// Darts (a compound whose centre of mass is off its origin, and an off-centre box), spinning, and
/// clusters of three balls at 100 to 500 m/s: none passes a wall of 5 cm, and none passes a dynamic
/// wall of 100 times its mass.
#[test]
fn bodies_of_several_parts_do_not_pass() {
    let mut random = Random::new(8);
    let mut passed = Vec::new();
    for launch in 0..rounds(20, 300) {
        let mut world = space();
        let fixed = launch % 2 == 0;
        let target = if fixed { BodyDef::fixed() } else { BodyDef::dynamic() };
        let target = add(&mut world, target.shape(ShapeDef::from(Shape::rect(0.05, 20.0)).density(100.0)));
        let shape = match launch % 3 {
            0 => {
                Shape::compound([Shape::rect(0.6, 0.04).at([-0.3, 0.0]), Shape::circle(0.06).at([0.05, 0.0])])
            }
            1 => Shape::rect(0.3, 0.1).at([0.4, 0.2]),
            _ => Shape::compound([[0.0, 0.0], [0.2, 0.0], [0.1, 0.17]].map(|at| Shape::circle(0.1).at(at))),
        };
        let at = [random.range(-9.0, -1.2) as f32, random.range(-3.0, 3.0) as f32];
        let v = [random.range(100.0, 500.0) as f32, random.range(-40.0, 40.0) as f32];
        let dart = BodyDef::dynamic()
            .at(at)
            .angle(random.angle())
            .velocity(v)
            .spin(random.range(-30.0, 30.0) as f32);
        let dart = add(&mut world, dart.shape(shape));
        for number in 0..12 {
            step(&mut world);
            let seen = world[target].to_local(world[dart].world_center());
            if seen.x > 0.0 && seen.y.abs() < 9.0 {
                passed.push(format!(
                    "launch {launch} at {v:?} from {at:?}, fixed: {fixed}, step {number}: {seen}"
                ));
                break;
            }
        }
    }
    println!("{passed:#?}");
    check_range("darts that passed", passed.len() as f64, ..=0.0);
}

/// Thirty small bodies of every kind, at up to 150 m/s and spinning at up to 200 rad/s, in a closed
/// box of walls 1 cm thick: blows bend their ways within a step, and none gets out.
#[test]
fn a_crowd_of_tops_does_not_leave_thin_walls() {
    let mut random = Random::new(77);
    let mut outside = 0;
    for _ in 0..rounds(4, 60) {
        let mut world = space();
        for (center, size) in [
            ([0.0, 2.0], [4.02, 0.01]),
            ([0.0, -2.0], [4.02, 0.01]),
            ([2.0, 0.0], [0.01, 4.02]),
            ([-2.0, 0.0], [0.01, 4.02]),
        ] {
            wall(&mut world, center, size[0], size[1]);
        }
        let bodies: Vec<BodyId> = (0..30)
            .map(|number| {
                let size = random.range(0.1, 0.3) as f32;
                let shape = match number % 5 {
                    0 => Shape::circle(0.5 * size),
                    1 => Shape::rect(size, 0.4 * size),
                    2 => Shape::capsule([-0.3 * size, 0.0], [0.3 * size, 0.0], 0.2 * size),
                    3 => Shape::regular(3 + random.below(5), 0.5 * size),
                    _ => Shape::rect(size, 0.3 * size).rounded(0.1 * size),
                };
                let at = [random.range(-1.6, 1.6) as f32, random.range(-1.6, 1.6) as f32];
                let v = [random.range(-150.0, 150.0) as f32, random.range(-150.0, 150.0) as f32];
                let top = BodyDef::dynamic().at(at).angle(random.angle()).velocity(v);
                add(
                    &mut world,
                    top.spin(random.range(-200.0, 200.0) as f32).shape(shape).material(Material::elastic()),
                )
            })
            .collect();
        run(&mut world, 120);
        outside += bodies.iter().filter(|&&body| world[body].position().abs().max_element() > 2.0).count();
    }
    check_range("bodies outside", outside as f64, ..=0.0);
}

/// A ball of restitution 1 at 100 m/s between walls 40 m apart: after 2 s it is where a reference
/// of 1/10,000 s steps, and arithmetic, have it, to 1 % of the way since its last bounce. The way
/// after an impact is not lost.
#[test]
fn an_elastic_bounce_keeps_the_rest_of_the_step() {
    // (start, velocity, bounces): the ball's middle goes to and fro between -19.9 and 19.9.
    for (start, speed) in [(0.0_f32, 100.0_f32), (3.3, 100.0), (-7.7, -150.0), (0.1, 290.0), (11.0, 61.0)] {
        let end = |dt: f32, steps: usize| {
            let mut world = space();
            for x in [-20.5, 20.5] {
                let block =
                    BodyDef::fixed().at([x, 0.0]).shape(Shape::rect(1.0, 10.0)).material(Material::elastic());
                add(&mut world, block);
            }
            let ball = BodyDef::dynamic().at([start, 0.0]).velocity([speed, 0.0]).shape(Shape::circle(0.1));
            let ball = add(&mut world, ball.material(Material::elastic()));
            for _ in 0..steps {
                testkit::worlds::step_by(&mut world, dt);
            }
            (f64::from(world[ball].position().x), f64::from(world[ball].velocity().x))
        };
        // Unfolded: a saw of period 4 × 19.9 about the middle.
        let unfolded = f64::from(start) + 2.0 * f64::from(speed);
        let phase = (unfolded + 19.9).rem_euclid(79.6);
        let truth = if phase < 39.8 { phase - 19.9 } else { 59.7 - phase };
        let since = if phase < 39.8 { phase } else { phase - 39.8 };
        let (coarse, velocity) = end(DT, 120);
        let (fine, _) = end(1.0e-4, 20_000);
        check_range("speed kept", velocity.abs() / f64::from(speed.abs()), 0.9999..=1.0001);
        let room = 0.01 * if since > 1.0 { since } else { 1.0 };
        check_range(&format!("off arithmetic, {start} at {speed}"), (coarse - truth).abs(), ..=room);
        check_range(&format!("off the reference, {start} at {speed}"), (coarse - fine).abs(), ..=room);
    }
}

/// A ball of 1 kg at 250 m/s into a wall: what its velocity changes by is the impulse that the hit
/// reports, and stopping it adds no velocity of its own.
#[test]
fn a_stop_changes_velocity_by_the_impulse_alone() {
    for restitution in [0.0, 0.4, 1.0] {
        let mut world = space();
        wall(&mut world, [0.5, 0.0], 1.0, 10.0);
        let material = Material::default().friction(0.0).restitution(restitution);
        let ball = BodyDef::dynamic().at([-2.0, 0.0]).velocity([250.0, 30.0]).shape(Shape::circle(0.1));
        let ball = add(&mut world, ball.material(material));
        let mass = world[ball].mass();
        let mut impulse = 0.0;
        for _ in 0..3 {
            step(&mut world);
            impulse += world.events().hits().iter().map(|hit| hit.impulse).sum::<f32>();
        }
        let v = world[ball].velocity();
        check_range("impulse reported, of the change", impulse / (mass * (250.0 - v.x)), 0.999..=1.001);
        check_range("speed along the wall, m/s", v.y, 29.999..=30.001);
        check_range(
            "speed off the wall, m/s",
            -v.x,
            f64::from(250.0 * restitution) - 0.05..=f64::from(250.0 * restitution) + 0.05,
        );
    }
}

/// A ball of 0.2 m at 300 m/s crosses a sensor 5 cm thick within one step: one enter and one exit,
/// in this order, at the right times, and its velocity keeps its bits.
#[test]
fn a_sensor_crossed_within_a_step_reports_enter_and_exit() {
    let mut worst = 0.0;
    for phase in 0..20 {
        let mut world = space();
        let sensor = ShapeDef::from(Shape::rect(0.05, 4.0)).sensor();
        let gate = add(&mut world, BodyDef::fixed().shape(sensor));
        // Within one step of 5 m it goes from before the gate to behind it.
        let x = -5.0 - 0.4 - 0.2 * phase as f32;
        let ball = BodyDef::dynamic().at([x, 0.0]).velocity([300.0, 0.0]).shape(Shape::circle(0.1));
        let ball = add(&mut world, ball);
        let (mut entered, mut left) = (Vec::new(), Vec::new());
        for number in 0..6 {
            step(&mut world);
            let time = |time: f32| number as f32 + time;
            entered.extend(world.events().entered().iter().map(|event| (time(event.time), *event)));
            left.extend(world.events().left().iter().map(|event| (time(event.time), *event)));
        }
        assert_eq!(world[ball].velocity(), vec2(300.0, 0.0), "a sensor stops nothing");
        assert_eq!((entered.len(), left.len()), (1, 1), "phase {phase}: once in, once out");
        let ((time_in, enter), (time_out, leave)) = (entered[0], left[0]);
        assert_eq!((enter.sensor_body, enter.visitor_body), (gate, ball));
        assert_eq!((leave.sensor_body, leave.visitor_body), (gate, ball));
        // In steps of 5 m.
        for off in [time_in - (-0.125 - x) / 5.0, time_out - (0.125 - x) / 5.0] {
            worst = if off.abs() > worst { off.abs() } else { worst };
        }
    }
    check_range("off the time of the crossing, steps", worst, ..=0.01);
}

/// A box of 1 m slides at 50 m/s without friction over a plain: after a second it has come 50 m. So
/// does a locked box along a wall beside it.
#[test]
fn a_fast_slide_is_not_held_back() {
    let ice = Material::default().friction(0.0);
    let mut world = earth();
    ground_of(&mut world, ice);
    add(&mut world, BodyDef::fixed().at([0.0, 2.0]).shape(Shape::rect(400.0, 1.0)).material(ice));
    let slider = BodyDef::dynamic().at([-60.0, 0.5]).velocity([50.0, 0.0]).shape(Shape::rect(1.0, 1.0));
    let slider = add(&mut world, slider.material(ice));
    let tight = BodyDef::dynamic().at([-20.0, 0.75]).velocity([50.0, 0.0]).shape(Shape::rect(1.0, 1.5));
    let tight = add(&mut world, tight.material(ice).locks(Locks::ROTATION));
    run(&mut world, 60);
    check_range("way of the box in a second, m", world[slider].position().x + 60.0, 49.99..=50.01);
    check_range("way of the box between two walls, m", world[tight].position().x + 20.0, 49.99..=50.01);
}

/// A bullet that passes 2 mm above the end of a post, or over a plain, or past another bullet, is
/// not deflected by more than 0.1 mm.
#[test]
fn a_near_miss_is_not_deflected() {
    for speed in [30.0, 100.0, 300.0, 900.0] {
        for (name, shape) in [("ball", Shape::circle(0.1)), ("box", Shape::rect(0.2, 0.2))] {
            let mut world = space();
            // Its top at y = -0.102, the bullet's lower side at -0.1.
            wall(&mut world, [0.0, -1.102], 0.2, 2.0);
            let bullet = BodyDef::dynamic().at([-4.0, 0.0]).velocity([speed, 0.0]).shape(shape.clone());
            let bullet = add(&mut world, bullet);
            let other = BodyDef::dynamic().at([4.0, 0.202]).velocity([-speed, 0.0]).shape(shape);
            let other = add(&mut world, other);
            run(&mut world, 30);
            let off = (world[bullet].position().y).abs();
            check_range(&format!("{name} at {speed} m/s, m aside"), off, ..1.0e-4);
            check_range(
                &format!("the other at {speed} m/s, m aside"),
                (world[other].position().y - 0.202).abs(),
                ..1.0e-4,
            );
            assert_eq!(world[bullet].velocity(), vec2(speed, 0.0), "{name} at {speed}");
        }
    }
}

/// A skinny 4 × 0.1 m box at 100 m/s, spinning at 50 rad/s, never passes a segment: 1,000 launches.
#[test]
fn a_spinning_bar_never_passes_a_segment() {
    let mut random = Random::new(5);
    let (mut passed, mut deepest) = (0, f32::NEG_INFINITY);
    let launches = rounds(50, 1_000);
    for _ in 0..launches {
        let mut world = space();
        add(&mut world, BodyDef::fixed().shape(Shape::segment([0.0, -100.0], [0.0, 100.0])));
        let at = [random.range(-6.0, -2.1) as f32, 0.0];
        let bar = BodyDef::dynamic().at(at).angle(random.angle()).velocity([100.0, 0.0]);
        let bar = add(&mut world, bar.spin(50.0 * random.sign() as f32).shape(Shape::rect(4.0, 0.1)));
        let mut through = false;
        for _ in 0..60 {
            step(&mut world);
            through |= world[bar].position().x > 0.0;
        }
        passed += usize::from(through);
        let deep = reach_along(&world, bar, Vec2::X);
        deepest = if deep > deepest && !through { deep } else { deepest };
    }
    check_range(&format!("bars that passed, of {launches}"), passed as f64, ..=0.0);
    check_range("farthest through after a second, m", deepest, ..=f64::from(DEEP));
}

/// The same bars against a post of 0.2 × 2 m, with every launch aimed so that free flight leads
/// through it: each one is struck off its way, and none ever stands with the post's core inside of
/// it.
///
/// A struck bar may well swing round the post, so which side it is on says nothing.
#[test]
fn a_spinning_bar_never_passes_a_post() {
    let mut random = Random::new(6);
    let launches = rounds(50, 1_000);
    let (mut unmoved, mut speared) = (0, 0);
    for _ in 0..launches {
        let mut world = space();
        wall(&mut world, [0.0, 0.0], 0.2, 2.0);
        let at = [random.range(-6.0, -2.4) as f32, random.range(-0.9, 0.9) as f32];
        let bar = BodyDef::dynamic().at(at).angle(random.angle()).velocity([100.0, 0.0]);
        let spin = 50.0 * random.sign() as f32;
        let bar = add(&mut world, bar.spin(spin).shape(Shape::rect(4.0, 0.1)));
        let (core, heart) =
            (Shape::segment([0.0, -0.9], [0.0, 0.9]), Shape::segment([-1.9, 0.0], [1.9, 0.0]));
        let mut inside = false;
        for _ in 0..20 {
            step(&mut world);
            inside |= overlaps(&core, Transform::IDENTITY, &heart, world[bar].transform());
        }
        unmoved += usize::from((world[bar].velocity() - vec2(100.0, 0.0)).length() < 1.0);
        speared += usize::from(inside);
    }
    check_range(&format!("bars not struck, of {launches}"), unmoved as f64, ..=0.0);
    check_range(&format!("bars seen across the post, of {launches}"), speared as f64, ..=0.0);
}

/// A circle r 0.2 at 200 m/s into an acute wedge, of two segments or of one chain, 10 to 60 degrees
/// wide, never gets out through its sides or its tip.
#[test]
fn a_circle_does_not_pass_out_of_a_wedge() {
    let mut random = Random::new(7);
    let launches = rounds(30, 500);
    let mut passed = Vec::new();
    for launch in 0..launches {
        let half = random.range(5.0_f64, 30.0).to_radians();
        let end = vec2((-20.0 * half.cos()) as f32, (20.0 * half.sin()) as f32);
        let below = vec2(end.x, -end.y);
        let mut world = space();
        if launch % 2 == 0 {
            add(&mut world, BodyDef::fixed().shape(Shape::segment([0.0, 0.0], end)));
            add(&mut world, BodyDef::fixed().shape(Shape::segment([0.0, 0.0], below)));
        } else {
            add(&mut world, BodyDef::fixed().shape(Shape::chain(&[end, Vec2::ZERO, below])));
        }
        let y = random.range(-0.3, 0.3) as f32;
        let at = [random.range(-14.0, -8.0) as f32, y];
        let ball = BodyDef::dynamic().at(at).velocity([200.0, 0.0]).shape(Shape::circle(0.2));
        let ball = add(&mut world, ball);
        for number in 0..60 {
            step(&mut world);
            let place = world[ball].position().as_dvec2();
            let inside = place.x < 0.0 && place.y.abs() < -place.x * half.tan();
            // Behind the ends of its sides it is out the way it came.
            if !inside && place.x > f64::from(end.x) {
                passed.push(format!(
                    "launch {launch} from {at:?}, {:.1}°, step {number}: {place}",
                    half.to_degrees()
                ));
                break;
            }
        }
    }
    println!("{passed:#?}");
    check_range(&format!("circles that passed, of {launches}"), passed.len() as f64, ..=0.0);
}

/// A wall that was removed, moved away or disabled just before the bullet comes is no target any
/// more; one that was moved or enabled into its way is (rapier #985, #1003).
#[test]
fn what_is_gone_stops_nothing_and_what_came_does() {
    type Change = fn(&mut World, BodyId) -> Result<(), Error>;
    let gone: [(&str, Change); 4] = [
        ("removed", |world, id| world.remove(id)),
        ("moved", |world, id| world.teleport(id, [0.0, 50.0], 0.0)),
        ("disabled", |world, id| world.set_enabled(id, false)),
        ("filtered", |world, id| {
            let shape = world.shapes_of(id).next().map(|(shape, _)| shape);
            world.set_filter(shape.expect("it has a shape"), Filter { mask: 0, ..Default::default() })
        }),
    ];
    for (name, change) in gone {
        for steps_before in 0..3 {
            let mut world = space();
            let target = wall(&mut world, [0.0, 0.0], 0.1, 10.0);
            let bullet = BodyDef::dynamic().at([-13.0, 0.0]).velocity([300.0, 0.0]).shape(Shape::circle(0.1));
            let bullet = add(&mut world, bullet);
            run(&mut world, steps_before);
            change(&mut world, target).expect("it is there");
            run(&mut world, 6);
            assert_eq!(world[bullet].velocity(), vec2(300.0, 0.0), "{name} after {steps_before} steps");
            assert!(world[bullet].position().x > 16.9, "{name} after {steps_before} steps");
        }
    }
    for enabled in [false, true] {
        let mut world = space();
        let target = wall(&mut world, [0.0, if enabled { 50.0 } else { 0.0 }], 0.1, 10.0);
        if !enabled {
            world.set_enabled(target, false).expect("it is there");
        }
        let bullet = BodyDef::dynamic().at([-13.0, 0.0]).velocity([300.0, 0.0]).shape(Shape::circle(0.1));
        let bullet = add(&mut world, bullet);
        run(&mut world, 2);
        let came =
            if enabled { world.teleport(target, [0.0, 0.0], 0.0) } else { world.set_enabled(target, true) };
        came.expect("it is there");
        run(&mut world, 6);
        check_range("stopped at, m", world[bullet].position().x, ..=f64::from(-0.15 + DEEP));
    }
}

/// 10,000 m/s is capped to the world's limit, way and velocity; with the limit lifted it stays, to
/// the bit.
#[test]
fn speed_is_capped_to_the_limit_of_the_world() {
    let fly = |def: WorldDef| {
        let mut world = World::new(def.gravity([0.0, 0.0]));
        let bullet = BodyDef::dynamic().velocity([10_000.0, 0.0]).shape(Shape::circle(0.1));
        let bullet = add(&mut world, bullet);
        run(&mut world, 1);
        (world[bullet].velocity().x, world[bullet].position().x)
    };
    let (speed, way) = fly(WorldDef::default());
    check_range("speed, m/s", speed, 999.9..=1_000.001);
    check_range("way in the first step, m", way, 16.6..=16.67);
    let (speed, way) = fly(WorldDef { max_speed: f32::INFINITY, ..WorldDef::default() });
    assert_eq!(speed, 10_000.0);
    check_range("way in a step, m", way, 166.6..=166.7);
    let (speed, _) = fly(WorldDef { max_speed: 50.0, ..WorldDef::default() });
    check_range("speed where 50 m/s is the limit", speed, 49.99..=50.001);
}

/// With continuous collision off, the same bullet does pass: so the tests above can fail.
#[test]
fn without_continuous_collision_bullets_pass() {
    let mut world = World::new(WorldDef { continuous: false, ..WorldDef::default() }.gravity([0.0, 0.0]));
    wall(&mut world, [0.0, 0.0], 0.1, 10.0);
    let bullet = BodyDef::dynamic().at([-3.0, 0.0]).velocity([200.0, 0.0]).shape(Shape::rect(0.2, 0.2));
    let bullet = add(&mut world, bullet);
    run(&mut world, 4);
    assert!(world[bullet].position().x > 5.0, "{}", world[bullet].position());
    let before = bits(&world);
    step(&mut world);
    assert_ne!(before, bits(&world), "it flies on");
}

/// A box that drifts at 0.5 m/s, and a ball that flies past it at 500 m/s with 5 cm between them:
/// neither is held back, nor cut short.
#[test]
fn a_bullet_leaves_its_neighbours_alone() {
    let mut world = space();
    let resting =
        add(&mut world, BodyDef::dynamic().at([0.0, 0.6]).velocity([0.5, 0.0]).shape(Shape::rect(1.0, 1.0)));
    let bullet = BodyDef::dynamic().at([-10.0, 0.0]).velocity([500.0, 0.0]).shape(Shape::circle(0.05));
    let bullet = add(&mut world, bullet);
    assert!(gap(&world, resting, bullet) > 0.04);
    run(&mut world, 30);
    check_range("way of the slow one, m", world[resting].position().x, 0.2499..=0.2501);
    check_range("way of the bullet, m", world[bullet].position().x, 239.9..=240.1);
}
