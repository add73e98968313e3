//! What can be asked of the contacts that last: impulses, points, which pairs there are, asleep or
//! not.

use carom::prelude::*;
use testkit::worlds::{add, box_on, earth, ground, step};

/// Six boxes of 1 m on each other: every contact carries what stands above it, m g dt, to 0.5 %.
#[test]
fn a_stack_presses_with_its_weight() {
    let mut world = earth();
    let floor = ground(&mut world);
    let stack: Vec<BodyId> = (0..6).map(|row| box_on(&mut world, row as f32, 0.0, [1.0, 1.0])).collect();
    (0..120).for_each(|_| step(&mut world));
    for (row, &id) in stack.iter().enumerate() {
        let below = if row == 0 { floor } else { stack[row - 1] };
        let pressed: f32 = world
            .contacts_of_body(id)
            .filter(|contact| [contact.touch.body_a, contact.touch.body_b].contains(&below))
            .map(|contact| contact.impulse)
            .sum();
        let weight = (6 - row) as f32 * 9.81 / 60.0;
        assert!((pressed - weight).abs() < 0.005 * weight, "row {row}: {pressed}, not {weight}");
    }
}

/// A box asleep on the ground inside a sensor: both contacts are there, with the points at its
/// feet; none when it is gone.
#[test]
fn sleepers_keep_their_contacts() {
    let mut world = World::default();
    ground(&mut world);
    let zone = add(&mut world, BodyDef::fixed().shape(ShapeDef::from(Shape::rect(4.0, 4.0)).sensor()));
    let sleeper = box_on(&mut world, 0.0, 0.25, [1.0, 1.0]);
    (0..120).for_each(|_| step(&mut world));
    assert!(!world[sleeper].is_awake());
    let found: Vec<_> = world.contacts_of_body(sleeper).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    let (inside, on): (Vec<carom::Contact>, Vec<carom::Contact>) =
        found.iter().copied().partition(|contact| contact.sensor);
    assert!([inside[0].touch.body_a, inside[0].touch.body_b].contains(&zone));
    let mut feet: Vec<f32> = on[0].points().iter().map(|at| at.point.position().x).collect();
    feet.sort_by(f32::total_cmp);
    assert!((feet[0] + 0.25).abs() < 1e-3 && (feet[1] - 0.75).abs() < 1e-3, "{feet:?}");
    world.remove(sleeper).expect("it is there");
    assert_eq!(world.contacts_of_body(sleeper).count(), 0);
    assert_eq!(world.contacts().count(), 1, "the zone and the ground overlap still");
}

/// A crate asleep on a kinematic shelf; only the crate is woken: it stays on the shelf.
#[test]
fn a_crate_woken_alone_stays_on_its_shelf() {
    let mut world = World::default();
    let shelf = add(&mut world, BodyDef::kinematic().at([0.0, -0.5]).shape(Shape::rect(6.0, 1.0)));
    let sleeper = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
    (0..200).for_each(|_| step(&mut world));
    assert!(!world[shelf].is_awake() && !world[sleeper].is_awake());
    world.wake_up(sleeper).expect("it is there");
    (0..60).for_each(|_| step(&mut world));
    assert!((world[sleeper].position().y - 0.5).abs() < 0.01, "{:?}", world[sleeper].position());
}

/// A body told to sleep twice, then removed: its place's next tenant is awake, and moves.
#[test]
fn a_body_in_a_reused_slot_is_not_put_to_sleep() {
    let mut world = World::default();
    let first = add(&mut world, BodyDef::dynamic().shape(Shape::circle(0.5)));
    (0..2).for_each(|_| world.put_to_sleep(first).expect("it is there"));
    world.remove(first).expect("it is there");
    let second = add(&mut world, BodyDef::dynamic().shape(Shape::circle(0.5)));
    assert_eq!(first.index(), second.index());
    (0..30).for_each(|_| step(&mut world));
    assert!(world[second].is_awake() && world[second].position().y < -1.0);
}

/// The filter hook keeps two balls apart from each other but not from the ground; the contact hook
/// turns a hooked plate into a belt, and lets one ball through.
#[test]
fn hooks_decide_what_touches_and_how() {
    let mut world = World::default();
    world.set_filter_hook(|pair| !(pair.shape_a.user_data() == 7 && pair.shape_b.user_data() == 7));
    world.set_contact_hook(|pair, edit| {
        edit.tangent_speed = 2.0;
        edit.solid = pair.shape_a.user_data() != 9 && pair.shape_b.user_data() != 9;
    });
    add(
        &mut world,
        BodyDef::fixed().at([0.0, -0.5]).shape(ShapeDef::from(Shape::rect(40.0, 1.0)).contact_hook()),
    );
    let ball = |x: f32, name: u64| {
        BodyDef::dynamic().at([x, 0.6]).shape(ShapeDef::from(Shape::rect(1.0, 1.0)).user_data(name))
    };
    let twins = [add(&mut world, ball(0.0, 7)), add(&mut world, ball(0.3, 7))];
    let ghost = add(&mut world, ball(6.0, 9));
    (0..60).for_each(|_| step(&mut world));
    let apart = world[twins[1]].position().x - world[twins[0]].position().x;
    assert!((apart - 0.3).abs() < 0.05, "they stand in each other: {apart}");
    for twin in twins {
        let velocity = world[twin].velocity();
        assert!(
            (velocity.x - 2.0).abs() < 0.05 && velocity.y.abs() < 0.05,
            "the belt carries it: {velocity}"
        );
    }
    assert!(world[ghost].position().y < -2.0, "let through");
}

/// A wall of boxes that are 0, 1 or 10 mm apart, falling freely above the ground: they bear no
/// weight for each other, so nothing moves relative to anything until the lowest row lands. (90
/// rows were blown apart at 1.8 m/s.)
#[test]
fn neighbours_fall_freely_side_by_side() {
    for gap in [0.0, 0.001, 0.01] {
        let mut world = earth();
        ground(&mut world);
        let place = |k: usize| vec2((k % 20) as f32, (k / 20) as f32) * (0.2 + gap) + vec2(0.0, 5.0);
        let wall: Vec<BodyId> =
            (0..800).map(|k| box_on(&mut world, place(k).y, place(k).x, [0.2, 0.2])).collect();
        for count in 1..=30 {
            step(&mut world);
            for &id in &wall {
                let off = world[id].velocity() - vec2(0.0, -9.81 * count as f32 / 60.0);
                let spin = world[id].angular_velocity();
                assert!(
                    off.length() < 1e-4 && spin.abs() < 1e-3,
                    "{off} m/s, {spin} rad/s, {gap} m apart, step {count}"
                );
            }
        }
    }
}

/// A stack that begins 1 cm above the ground has no support yet: it falls as a whole.
#[test]
fn what_stands_on_something_that_falls_is_not_held() {
    let mut world = earth();
    ground(&mut world);
    let stack: Vec<BodyId> =
        (0..10).map(|row| box_on(&mut world, row as f32 + 0.01, 0.0, [1.0, 1.0])).collect();
    step(&mut world);
    for id in stack {
        let speed = world[id].velocity().y;
        assert!((speed + 9.81 / 60.0).abs() < 1e-4, "{speed} m/s");
    }
}
