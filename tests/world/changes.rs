//! `World::changes`: a mirror that only follows the list holds what a look at all of it finds.

use std::collections::BTreeMap;

use carom::prelude::*;
use carom::{Change, Changes, Filter, Mark};
use testkit::random::Random;

/// What a mesh would know of a shape.
type Seen = BTreeMap<ShapeId, String>;

fn seen(world: &World, id: ShapeId) -> Option<String> {
    let body = world.get(world.body_of(id)?)?;
    let is_there = body.kind() == BodyKind::Fixed && body.is_enabled();
    let collider = world.get_shape(id)?;
    let place = (body.world_position(), body.angle().to_bits());
    is_there.then(|| format!("{:?} {place:?} {:?}", collider.shape(), collider.filter()))
}

fn all(world: &World) -> Seen {
    let shapes = world.bodies().flat_map(|(id, _)| world.shapes_of(id)).map(|(id, _)| id);
    shapes.filter_map(|id| Some((id, seen(world, id)?))).collect()
}

/// Follows a world; says whether all of it had to be read.
fn follow(world: &World, mark: &mut Mark, mirror: &mut Seen) -> bool {
    match world.changes(mark) {
        Changes::All => {
            *mirror = all(world);
            return true;
        }
        Changes::Some(list) => {
            for &change in list {
                match change {
                    Change::Added(id) => {
                        let now = seen(world, id).expect("what was added is there");
                        assert!(mirror.insert(id, now).is_none(), "{change:?}, and was known");
                    }
                    Change::Changed(id) => {
                        let now = seen(world, id).expect("what changed is there");
                        assert!(mirror.insert(id, now).is_some(), "{change:?}, and was not known");
                    }
                    Change::Removed(id) => {
                        assert!(mirror.remove(&id).is_some(), "{change:?}, and was not known");
                        assert!(seen(world, id).is_none(), "{change:?}, and is there");
                    }
                }
            }
        }
    }
    false
}

fn edit(world: &mut World, random: &mut Random) -> Result<(), Error> {
    let bodies: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let place = |random: &mut Random| vec2(random.range(-50.0, 50.0), random.range(-50.0, 50.0));
    let body = |random: &mut Random| bodies[random.below(bodies.len())];
    let kinds = [BodyKind::Fixed, BodyKind::Dynamic, BodyKind::Kinematic];
    if bodies.len() < 8 {
        let def = if random.below(3) > 0 { BodyDef::fixed() } else { BodyDef::dynamic() };
        let at = place(random);
        return world.add(def.at(at).shape(Shape::rect(1.0, 2.0)).shape(Shape::circle(0.5))).map(drop);
    }
    let id = body(random);
    let shape = world.shapes_of(id).next().map(|(shape, _)| shape);
    match (random.below(10), shape) {
        (0, _) => world.remove(id),
        (1, _) => world.teleport(id, place(random), random.range(-3.0, 3.0)),
        (2, _) => world.set_kind(id, kinds[random.below(3)]),
        (3, _) => world.set_enabled(id, random.below(2) == 0),
        (4, _) => world.attach(id, Shape::rect(0.5, 0.5)).map(drop),
        (5, Some(shape)) => world.detach(shape),
        (6, Some(shape)) => world.set_shape(shape, Shape::circle(random.range(0.1, 2.0))),
        (7, Some(shape)) => {
            world.set_filter(shape, Filter { mask: random.below(9) as u64, ..Filter::default() })
        }
        (8, Some(shape)) => world.set_sensor(shape, random.below(2) == 0),
        _ => world.step(1.0 / 60.0).map(drop),
    }
}

#[test]
fn a_mirror_that_follows_the_list_holds_what_there_is() {
    let mut world = World::default();
    let mut random = Random::new(31);
    let (mut often, mut seldom) = (Mark::default(), Mark::default());
    let (mut near, mut far) = (Seen::new(), Seen::new());
    assert!(follow(&world, &mut often, &mut near) && follow(&world, &mut seldom, &mut far));
    for round in 0..4_000 {
        edit(&mut world, &mut random).expect("a good edit");
        assert!(!follow(&world, &mut often, &mut near));
        assert_eq!(near, all(&world), "round {round}");
        if round % 37 == 0 {
            assert!(!follow(&world, &mut seldom, &mut far));
            assert_eq!(far, near, "round {round}");
        }
    }
}

#[test]
fn marks_that_are_lost_are_told_so() {
    let mut world = World::default();
    let mut mark = Mark::default();
    let wall = world.add(BodyDef::fixed().shape(Shape::rect(1.0, 1.0))).expect("a wall");
    assert_eq!(world.changes(&mut mark), Changes::All);
    for count in [4_096, 4_097] {
        for k in 0..count {
            world.teleport(wall, [k as f32, 0.0], 0.0).expect("it is there");
        }
        let is_all = world.changes(&mut mark) == Changes::All;
        assert_eq!(is_all, count > 4_096);
    }
    let mut bytes = Vec::new();
    world.save_into(&mut bytes);
    let hash = world.hash();
    world.changes(&mut mark);
    world.load(&bytes).expect("it has just been saved");
    assert_eq!(world.hash(), hash, "changes are no state");
    assert_eq!(world.changes(&mut mark), Changes::All);
    let copy = world.clone();
    assert_eq!(copy.changes(&mut mark), Changes::All, "of another world");
    assert_eq!(copy.changes(&mut mark), Changes::Some(&[]));
    assert_eq!(world.changes(&mut mark), Changes::All);
}
