//! Divided runs against the undivided one.

use carom::prelude::*;
use testkit::worlds::add;

use crate::cluster::Cluster;
use crate::scenes::two;

/// A tower left of the border at x = 512, and a stone that comes from the right and pushes it over,
/// or from the left.
fn tower(stone_from: f32) -> World {
    let mut world = World::new(WorldDef { max_speed: 40.0, ..WorldDef::default() });
    add(&mut world, BodyDef::fixed().at([512.0, -1.0]).shape(Shape::rect(400.0, 2.0)));
    for k in 0..10 {
        let def = BodyDef::dynamic().at([510.9, 0.5 + k as f32]).shape(Shape::rect(1.0, 1.0));
        add(&mut world, def.user_data(k));
    }
    let way = 512.0 - stone_from;
    let stone =
        BodyDef::dynamic().at([stone_from, 6.0]).velocity([0.7 * way, 3.0]).shape(Shape::rect(1.3, 1.3));
    add(&mut world, stone.density(3.0).user_data(10));
    world
}

/// A tower that is pushed over the border ends where it does in a world that is not divided.
#[test]
fn a_tower_over_a_border_falls_as_in_one_world() {
    for stone_from in [485.0, 539.0] {
        let world = tower(stone_from);
        let mut cluster = Cluster::calm(&world, &two());
        let mut whole = world.clone();
        let ids: Vec<(u64, BodyId)> = whole
            .bodies()
            .filter(|(_, body)| body.kind() == BodyKind::Dynamic)
            .map(|(id, body)| (body.user_data(), id))
            .collect();
        let place_of = |cluster: &Cluster, key: u64| {
            cluster.shards().find_map(|shard| {
                let (_, here) = shard.bodies().find(|&(other, _)| other == key)?;
                Some((shard.world()[here].world_center(), shard.world()[here].rotation()))
            })
        };
        let (mut worst, mut first) = (0.0_f32, None);
        for tick in 0..3_602 {
            whole.step(1.0 / 60.0).expect("a step");
            cluster.run_to(tick + 1);
            let differs = ids.iter().any(|&(key, id)| {
                place_of(&cluster, key)
                    .is_some_and(|place| place != (whole[id].world_center(), whole[id].rotation()))
            });
            first = first.or(Some(tick).filter(|_| differs));
        }
        let crossed: u64 = cluster.shards().map(|shard| shard.counts().bodies).sum();
        let is_over = ids.iter().filter(|(_, id)| whole[*id].position().x > 512.0).count();
        for (key, id) in ids {
            let (place, _) = place_of(&cluster, key).expect("it is somewhere");
            worst = testkit::greater(worst, place.to(whole[id].world_center()).length());
        }
        println!("bits differ first in tick {first:?}");
        println!(
            "stone from {stone_from}: {crossed} bodies changed hands, {is_over} are over, {worst} m apart"
        );
        assert!(crossed > 0 && worst < 1.0e-3, "{worst} m");
    }
}
