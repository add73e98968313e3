//! What a game asks and does between two steps: which bodies moved, what is in a sensor, a blast,
//! many bodies at once.

use carom::prelude::*;
use carom::{Moved, Recorder};
use testkit::worlds::{add, box_on, check_range, earth, ground, run, space, valid};

fn shape_of(world: &World, body: BodyId) -> ShapeId {
    world.shapes_of(body).next().map(|(id, _)| id).expect("it has one")
}

/// A heap in a sensor: lists by what each shape touches equal those of all contacts, and visitors
/// are those that entered and did not leave, step by step until all sleep.
#[test]
fn what_touches_and_who_visits_is_what_events_and_contacts_say() {
    let mut world = World::default();
    let floor = ground(&mut world);
    let zone = ShapeDef::from(Shape::rect(6.0, 3.0)).sensor();
    let zone = add(&mut world, BodyDef::fixed().at([0.0, 1.5]).shape(zone));
    let zone = shape_of(&world, zone);
    for k in 0..12 {
        let at = [(k % 4) as f32 - 1.5, 1.0 + 1.2 * (k / 4) as f32];
        add(
            &mut world,
            BodyDef::dynamic().at(at).velocity([k as f32 - 6.0, 0.0]).shape(Shape::rect(0.8, 0.8)),
        );
    }
    let mut inside = Vec::new();
    for _ in 0..700 {
        run(&mut world, 1);
        inside.extend(world.events().entered().iter().map(|event| event.visitor));
        inside.retain(|id| !world.events().left().iter().any(|event| event.visitor == *id));
        inside.sort();
        assert_eq!(world.visitors(zone), inside);
        let all: Vec<_> = world.contacts().filter(|contact| !contact.sensor).collect();
        for (id, _) in world.bodies() {
            let own = shape_of(&world, id);
            let mut expected: Vec<ShapeId> = all
                .iter()
                .filter_map(|it| match (it.touch.a == own, it.touch.b == own) {
                    (true, _) => Some(it.touch.b),
                    (_, true) => Some(it.touch.a),
                    _ => None,
                })
                .collect();
            expected.sort();
            assert_eq!(world.touching(own), expected);
        }
    }
    assert!(world.bodies().all(|(_, body)| !body.is_awake()) && !inside.is_empty());
    assert!(!world.touching(shape_of(&world, floor)).is_empty());
    assert!(world.visitors(shape_of(&world, floor)).is_empty() && world.touching(zone).is_empty());
}

/// A copy that takes only what `moved` names is the world, from fall to sleep; who sleeps is named
/// once more, and then costs nothing.
#[test]
fn a_copy_of_what_moved_is_the_world() {
    let mut world = World::default();
    ground(&mut world);
    for k in 0..9 {
        let at = [1.5 * k as f32, 0.6 + 0.4 * k as f32];
        add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)));
    }
    let place = |world: &World, id: BodyId| (world[id].world_center(), world[id].rotation());
    let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let mut copy: Vec<_> = ids.iter().map(|&id| place(&world, id)).collect();
    let (mut slept, mut last) = (0, usize::MAX);
    for _ in 0..300 {
        run(&mut world, 1);
        let moved = world.moved();
        assert!(moved.is_sorted_by_key(|it| it.body));
        for &Moved { body, slept: now } in &moved {
            copy[body.index()] = place(&world, body);
            slept += usize::from(now);
            assert_eq!(now, !world[body].is_awake());
        }
        last = moved.len();
        assert!(ids.iter().all(|&id| copy[id.index()] == place(&world, id)));
    }
    assert_eq!((slept, last), (9, 0));
}

/// A crate of 1 kg with a face of 1 m, 5 m away, seen under the angle of its near face: the impulse
/// along x is that of the front that meets it, `2 · 4.5 · atan(0.5 / 4.5)` in all directions; what
/// is behind a wall, or beyond the fall-off, gets nothing; half-way through the fall-off, half.
#[test]
fn a_blast_pushes_what_lies_open_to_it() {
    let mut world = space();
    let at = |x: f32, y: f32| BodyDef::dynamic().at([x, y]).shape(Shape::rect(1.0, 1.0));
    let near = add(&mut world, at(5.0, 0.0));
    let half = add(&mut world, at(-8.5, 0.0));
    let far = add(&mut world, at(0.0, 11.0));
    add(&mut world, BodyDef::fixed().at([0.0, -3.0]).shape(Shape::rect(4.0, 0.2)));
    let sheltered = add(&mut world, at(0.0, -5.0));
    let bomb = add(&mut world, BodyDef::dynamic().shape(Shape::circle(0.3)));
    world.explode([0.0, 0.0], 6.0, 2.0, 4.0).expect("sound numbers");
    check_range("near", world[near].velocity().x, 1.9..=2.1);
    check_range("near across", world[near].velocity().y.abs(), ..=1.0e-5);
    check_range("half", -world[half].velocity().x, 0.95..=1.05);
    for id in [far, sheltered, bomb] {
        assert_eq!((world[id].velocity(), world[id].angular_velocity()), (Vec2::ZERO, 0.0));
    }
    // Above the middle of a plank: it turns as it is struck at one end.
    let plank = add(&mut world, BodyDef::dynamic().at([22.0, 19.0]).shape(Shape::rect(4.0, 0.2)));
    world.explode([20.0, 20.0], 3.0, 1.0, 0.0).expect("sound numbers");
    assert!(world[plank].velocity().y < 0.0 && world[plank].angular_velocity() > 0.0);
    valid(&world);
}

/// Sleepers are woken, and a recording blasts and adds again to the same bits.
#[test]
fn a_blast_wakes_and_is_recorded() {
    let mut world = World::default();
    ground(&mut world);
    let crate_ = box_on(&mut world, 0.0, 3.0, [1.0, 1.0]);
    run(&mut world, 120);
    assert!(!world[crate_].is_awake());
    world.record(Recorder::default());
    world
        .add_all((0..3).map(|k| BodyDef::dynamic().at([0.0, 2.0 + k as f32]).shape(Shape::circle(0.4))))
        .expect("sound definitions");
    run(&mut world, 10);
    world.explode([0.0, 0.5], 2.0, 5.0, 3.0).expect("sound numbers");
    assert!(world[crate_].is_awake() && world[crate_].velocity().x > 1.0);
    run(&mut world, 30);
    let mut replay = world.stop_recording().expect("it was on").replay();
    assert_eq!(replay.first_divergence(), None);
    assert_eq!(replay.world().hash(), world.hash());
}

/// All of them or none: ids in the order of the definitions, the same bits as one by one.
#[test]
fn many_are_added_at_once() {
    let def = |k: usize| BodyDef::dynamic().at([k as f32, 3.0]).shape(Shape::circle(0.4 + 0.01 * k as f32));
    let (mut one, mut all) = (earth(), earth());
    let singles: Vec<BodyId> = (0..20).map(|k| add(&mut one, def(k))).collect();
    assert_eq!(all.add_all((0..20).map(def)), Ok(singles));
    run(&mut one, 5);
    run(&mut all, 5);
    assert_eq!(one.hash(), all.hash());
    let before = all.hash();
    all.add_all([def(1), BodyDef::dynamic().at([0.0, f32::NAN]), def(2)]).expect_err("no place");
    assert_eq!(all.hash(), before);
}

/// Bodies of none to three shapes, of every kind, asleep and disabled, into a world with and
/// without free places: as one by one. An iterator that panics leaves a world that goes on.
#[test]
fn many_of_any_sort_are_added_at_once() {
    let def = |k: usize| {
        let kind = [BodyDef::dynamic(), BodyDef::kinematic(), BodyDef::fixed()][k % 3].clone();
        let kind = kind.at([3.0 * k as f32, 3.0]).velocity([0.5, 0.25 * k as f32]);
        let kind = if k % 7 == 3 { kind.disabled() } else { kind };
        let shapes = [Shape::circle(0.4), Shape::regular(5, 0.5), Shape::rect(1.0, 0.3).at([0.2, 0.1])];
        let body = shapes.into_iter().take(k % 4).fold(kind, |body, shape| body.shape(shape));
        if k % 5 == 1 { body.asleep() } else { body }
    };
    for removed in [0, 3] {
        let (mut one, mut all) = (earth(), earth());
        for world in [&mut one, &mut all] {
            let first: Vec<BodyId> = (20..30).map(|k| add(world, def(k))).collect();
            run(world, 3);
            first.iter().take(removed).for_each(|&id| world.remove(id).expect("it is there"));
        }
        let singles: Vec<BodyId> = (0..20).map(|k| add(&mut one, def(k))).collect();
        let before = all.hash();
        let panics = || all.add_all((0..9).map(|k| if k < 8 { def(k) } else { panic!("no more") }));
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).expect_err("it panics");
        assert_eq!(all.hash(), before);
        all.add_all((0..9).map(|k| def(k).angle(if k < 8 { 0.0 } else { f32::NAN }))).expect_err("no angle");
        assert_eq!(all.hash(), before);
        assert_eq!(all.add_all((0..20).map(def)), Ok(singles));
        assert_eq!(one.hash(), all.hash());
        for _ in 0..20 {
            run(&mut one, 1);
            run(&mut all, 1);
            assert_eq!(one.hash(), all.hash());
            valid(&all);
        }
    }
}

/// Every kind of shape: area by the square of the factor, twice mirrored as it was, the centroid on
/// the other side, and a point is inside when its image is inside the image.
#[test]
fn shapes_are_scaled_and_mirrored() {
    let boot = [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(1.5, 1.0), vec2(0.0, 1.5)];
    let star = [vec2(1.0, 0.0), vec2(0.3, 0.3), vec2(0.0, 1.2), vec2(-0.5, 0.0), vec2(0.0, -0.7)];
    let shapes = [
        Shape::circle(0.7).at([1.0, 2.0]),
        Shape::capsule([0.0, 0.0], [1.0, 0.5], 0.2),
        Shape::segment([0.0, 0.0], [1.0, 0.5]),
        Shape::rect(2.0, 1.0).at([1.0, 0.5]).turned(0.3),
        Shape::rect(2.0, 1.0).rounded(0.25).at([1.0, 0.5]),
        Shape::polygon(&boot),
        Shape::polygon(&boot).rounded(0.1),
        Shape::polar(&star).at([0.5, 0.25]),
        Shape::compound([Shape::circle(0.5), Shape::polygon(&boot).at([1.0, 0.0])]),
        Shape::chain(&boot),
        Shape::closed_chain(&boot),
        Shape::half_plane([0.5, 1.0], [0.6, 0.8]),
    ];
    for shape in shapes {
        let (mirrored, scaled) = (shape.clone().mirrored(), shape.clone().scaled(2.0));
        assert!(mirrored.check().is_ok() && scaled.check().is_ok(), "{shape:?}");
        let [own, image, large] = [&shape, &mirrored, &scaled].map(|it| it.mass(1.0));
        check_range("area", (large.mass - 4.0 * own.mass).abs(), ..=1.0e-5 * f64::from(large.mass + 1.0));
        check_range("area mirrored", (image.mass - own.mass).abs(), ..=1.0e-5);
        assert!((image.center - vec2(-own.center.x, own.center.y)).length() < 1.0e-5, "{shape:?}");
        let still = Transform::IDENTITY;
        for k in 0..400 {
            let point = vec2((k % 20) as f32 * 0.21 - 2.0, (k / 20) as f32 * 0.21 - 2.0);
            let inside = contains(&shape, still, point);
            assert_eq!(contains(&mirrored, still, vec2(-point.x, point.y)), inside, "{shape:?} {point}");
            assert_eq!(contains(&scaled, still, 2.0 * point), inside, "{shape:?} {point}");
        }
        assert!(shape.clone().scaled(1.0e20).checked().is_err() && shape.scaled(-1.0).checked().is_err());
    }
    assert!(Shape::circle(-1.0).scaled(2.0).mirrored().checked().is_err());
}

/// Queries that leave out several bodies answer as if those were not there.
#[test]
fn several_bodies_are_left_out() {
    let mut world = space();
    let row: Vec<BodyId> = (0..6)
        .map(|k| add(&mut world, BodyDef::fixed().at([3.0 * k as f32, 0.0]).shape(Shape::circle(1.0))))
        .collect();
    let ray = WorldRay::between([-9.0, 0.0], [30.0, 0.0]);
    for mask in 0..64_u32 {
        let out: Vec<BodyId> = (0..6).filter(|k| mask >> k & 1 == 1).map(|k| row[k]).collect();
        let mut hits = Vec::new();
        world.ray_all(ray, &QueryFilter::default().without_all(&out), &mut hits);
        let left: Vec<BodyId> = row.iter().copied().filter(|id| !out.contains(id)).collect();
        assert_eq!(hits.iter().map(|hit| hit.body).collect::<Vec<_>>(), left);
    }
}
