//! Pieces and what stays: contacts with the ground, with walls and lifts go along under names, and
//! are tied again.

use carom::Piece;
use carom::prelude::*;
use testkit::random::Random;
use testkit::worlds::{add, earth, step, valid, wall};

/// Floors whose top is at height 0 from x = -20 to 20.
#[derive(Clone, Copy, Debug)]
enum Floor {
    Boxes,
    Chain,
    Tiles,
    Lift,
}

impl Floor {
    const ALL: [Floor; 4] = [Floor::Boxes, Floor::Chain, Floor::Tiles, Floor::Lift];

    fn add(self, world: &mut World) -> BodyId {
        match self {
            Floor::Boxes => {
                let boxes = [-15.0, -5.0, 5.0, 15.0].map(|x| wall(world, [x, -1.0], 10.0, 2.0));
                boxes[2]
            }
            Floor::Chain => {
                let points: Vec<Vec2> = (0..=40).rev().map(|k| vec2(k as f32 - 20.0, 0.0)).collect();
                add(world, BodyDef::fixed().shape(Shape::chain(&points)))
            }
            Floor::Tiles => {
                let cells = [TileCell::SOLID; 80];
                add(world, BodyDef::fixed().at([-20.0, -2.0]).shape(Shape::tiles(1.0, 40, &cells)))
            }
            Floor::Lift => {
                let lift = BodyDef::kinematic().at([0.0, -1.0]).velocity([0.1, 0.25]);
                add(world, lift.shape(Shape::rect(40.0, 2.0)))
            }
        }
    }
}

/// A tower of 20 on a floor; beside it a bar on a hinge of the world and a lamp on a rope, and a
/// ball that strikes the tower after a second.
fn towers(floor: Floor) -> (World, Vec<BodyId>) {
    let mut world = earth();
    floor.add(&mut world);
    let mut random = Random::new(3);
    let mut bodies: Vec<BodyId> = (0..20)
        .map(|k| {
            let at = [0.02 * random.range(-1.0, 1.0) as f32, 0.25 + 0.5 * k as f32];
            add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 0.5)))
        })
        .collect();
    let bar = add(&mut world, BodyDef::dynamic().at([6.0, 3.0]).shape(Shape::rect(2.0, 0.2)));
    let lamp = add(&mut world, BodyDef::dynamic().at([6.0, 1.0]).shape(Shape::circle(0.3)));
    let ball = BodyDef::dynamic().at([-9.0, 4.5]).velocity([9.0, 6.0]).shape(Shape::circle(0.5));
    bodies.extend([bar, lamp, add(&mut world, ball.density(4000.0))]);
    for joint in [
        JointDef::revolute(None, bar).at([5.0, 3.0]).motor(0.5, 20.0),
        JointDef::rope(bar, lamp, 2.2),
        JointDef::distance(None, lamp).soft(Spring::new(2.0, 0.4)),
    ] {
        world.add_joint(joint).expect("no rule is broken");
    }
    (world, bodies)
}

/// Places, turns, velocities and spins to the bit.
fn bits_of(world: &World, ids: &[BodyId]) -> Vec<[u32; 9]> {
    let row = |&id: &BodyId| {
        let body = &world[id];
        let (at, turn, velocity) = (body.world_center(), body.rotation(), body.velocity());
        let numbers = [at.local.x, at.local.y, turn.cos, turn.sin, velocity.x, velocity.y];
        let [a, b, c, d, e, f] = numbers.map(f32::to_bits);
        let [x, y] = at.region.to_array().map(|axis| axis as u32);
        [x, y, a, b, c, d, e, f, body.angular_velocity().to_bits()]
    };
    ids.iter().map(row).collect()
}

/// An awake tower that is taken out and put back before every step for ten seconds has the bits of
/// one that is left alone, while it stands, is struck and falls.
#[test]
fn a_tower_that_goes_and_returns_in_every_tick_has_the_same_bits() {
    for floor in Floor::ALL {
        let (mut twin, there) = towers(floor);
        let (mut world, mut here) = towers(floor);
        for tick in 0..600 {
            let piece = world.extract(&here).expect("they are there");
            let mut bytes = Vec::new();
            let piece = if tick % 7 == 0 {
                piece.write(&mut bytes);
                Piece::read(&bytes).expect("nobody touched the bytes")
            } else {
                piece
            };
            here = world.paste(&piece, WorldPoint::ORIGIN).expect("there is room").bodies;
            valid(&world);
            step(&mut world);
            step(&mut twin);
            let (bits, wanted) = (bits_of(&world, &here), bits_of(&twin, &there));
            let first = (0..bits.len()).find(|&k| bits[k] != wanted[k]);
            assert_eq!(first, None, "{floor:?}, tick {tick}");
        }
        let fallen = there[..20].iter().filter(|&&id| twin[id].rotation().cos < 0.99).count();
        println!("{floor:?}: {fallen} of 20 have turned");
        assert!(fallen > 3, "{floor:?}: the ball strikes");
    }
}

/// The fastest body of some.
fn fastest(world: &World, ids: &[BodyId]) -> f32 {
    ids.iter().map(|&id| world[id].velocity().length()).fold(0.0, testkit::greater)
}

/// A tower that stands in one world goes on standing in another one that has the same floor, its
/// contacts loaded as before. The other world is full of bodies that came and went, so that
/// the parts of the tower have lower and higher numbers than those of cells.
#[test]
fn a_tower_stands_in_another_world_as_in_its_own() {
    for floor in Floor::ALL {
        let mut from = earth();
        floor.add(&mut from);
        let tower: Vec<BodyId> = (0..12)
            .map(|k| {
                let def = BodyDef::dynamic().at([0.3, 0.5 + k as f32]);
                add(&mut from, def.shape(Shape::rect(1.0, 1.0)))
            })
            .collect();
        for round in 0..6 {
            let mut to = earth();
            floor.add(&mut to);
            let guests: Vec<BodyId> = (0..4 * round)
                .map(|k| {
                    let def = BodyDef::dynamic().at([-19.0 + 0.9 * k as f32, 0.4]);
                    add(&mut to, def.shape(Shape::rect(0.8, 0.8)))
                })
                .collect();
            while from.step_count() < 180 || to.step_count() < from.step_count() {
                if from.step_count() < 180 {
                    step(&mut from);
                }
                step(&mut to);
            }
            guests.iter().step_by(2).for_each(|&id| to.remove(id).expect("it is there"));
            let mut twin = from.clone();
            let piece = from.clone().extract(&tower).expect("they are there");
            let bodies = to.paste(&piece, WorldPoint::ORIGIN).expect("there is room").bodies;
            valid(&to);
            for _ in 0..30 {
                step(&mut to);
                step(&mut twin);
                let (here, there) = (fastest(&to, &bodies), fastest(&twin, &tower));
                assert!(here < there + 2.0e-4, "{floor:?}, round {round}: {here} m/s, {there} there");
                let are_equal = bits_of(&to, &bodies) == bits_of(&twin, &tower);
                assert!(
                    round > 0 || are_equal,
                    "{floor:?}: an empty world of the same level goes on as the old one"
                );
            }
        }
    }
}

/// On ground that stands elsewhere relative to the piece, contacts begin anew.
#[test]
fn elsewhere_contacts_begin_anew() {
    let mut world = earth();
    let ground = Floor::Boxes.add(&mut world);
    let tower: Vec<BodyId> = (0..6)
        .map(|k| {
            let def = BodyDef::dynamic().at([5.0, 0.5 + k as f32]);
            add(&mut world, def.shape(Shape::rect(1.0, 1.0)))
        })
        .collect();
    (0..100).for_each(|_| step(&mut world));
    let mut twin = world.clone();
    step(&mut twin);
    let wanted = bits_of(&twin, &tower);
    let piece = world.extract(&tower).expect("they are there");
    let first_step = |at: [f32; 2], change: &dyn Fn(&mut World)| {
        let mut copy = world.clone();
        change(&mut copy);
        let bodies = copy.paste(&piece, at).expect("there is room").bodies;
        step(&mut copy);
        // Heights and speeds upward: where it stands is not asked.
        bits_of(&copy, &bodies).iter().map(|row| [row[3], row[7]]).collect::<Vec<_>>()
    };
    let wanted: Vec<_> = wanted.iter().map(|row| [row[3], row[7]]).collect();
    assert!(first_step([0.0, 0.0], &|_| ()) == wanted, "where it was");
    assert!(first_step([1.0, 0.0], &|_| ()) != wanted, "the ground is elsewhere, relative to the piece");
    let shift = |world: &mut World| world.teleport(ground, [5.5, -1.0], 0.0).expect("it is there");
    assert!(first_step([0.0, 0.0], &shift) != wanted, "the ground has moved");
    let replace = |world: &mut World| {
        world.remove(ground).expect("it is there");
        wall(world, [5.0, -1.0], 10.0, 2.0);
    };
    assert!(first_step([0.0, 0.0], &replace) != wanted, "another ground has its place");
}

/// What touches a body that stays is told: an end with the cut, a beginning with the paste.
#[test]
fn touches_end_and_begin() {
    let mut world = earth();
    Floor::Boxes.add(&mut world);
    let body = add(&mut world, BodyDef::dynamic().at([5.0, 0.5]).shape(Shape::rect(1.0, 1.0)));
    (0..60).for_each(|_| step(&mut world));
    let piece = world.extract(&[body]).expect("it is there");
    let back = world.paste(&piece, WorldPoint::ORIGIN).expect("there is room").bodies[0];
    step(&mut world);
    let of = |touches: &[carom::Touch]| touches.iter().map(|touch| touch.body_b).collect::<Vec<_>>();
    assert_eq!((of(world.events().ended()), of(world.events().begun())), (vec![body], vec![back]));
}

/// The first bytes of a piece say which version it is: without contacts with what stays it is that
/// of older programs, which read it, and whose pieces are read.
#[test]
fn pieces_without_such_contacts_are_as_they_were() {
    let mut world = earth();
    Floor::Boxes.add(&mut world);
    let [low, high] =
        [0.5, 30.0].map(|y| add(&mut world, BodyDef::dynamic().at([5.0, y]).shape(Shape::rect(1.0, 1.0))));
    (0..30).for_each(|_| step(&mut world));
    let version = |piece: &Piece| {
        let mut bytes = Vec::new();
        piece.write(&mut bytes);
        let mut again = Vec::new();
        Piece::read(&bytes).expect("nobody touched the bytes").write(&mut again);
        assert_eq!(bytes, again);
        bytes[4]
    };
    assert_eq!(version(&world.clone().extract(&[high]).expect("it is there")), 1);
    assert_eq!(version(&world.clone().extract(&[low]).expect("it is there")), 3);
}
