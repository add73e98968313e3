//! Inputs of clients reach the shard that has the body, once and in order.

use carom::prelude::*;
use carom_shard::{Input, Net, Weather};
use testkit::random::Random;
use testkit::worlds::add;

use crate::cluster::{Cluster, Sums};
use crate::scenes::{CORNER, four};

/// Clients push balls that fly side by side over a border. Each input is given several times, to any host, in any
/// order: the momentum of all grows by the sum of the inputs, each once.
#[test]
fn inputs_are_applied_once() {
    let count = 20;
    let mut world = World::new(WorldDef { max_speed: 50.0, ..WorldDef::default().gravity([0.0, 0.0]) });
    for key in 0..count {
        let at = CORNER + vec2(-40.0, 20.0 * key as f32 - 200.0);
        let ball = BodyDef::dynamic().at(at).velocity([20.0, 0.0]).shape(Shape::circle(0.5));
        add(&mut world, ball.user_data(key));
    }
    for weather in [Weather::CALM, Weather::STORM] {
        let mut cluster = Cluster::new(&world, &four(), Net::new(5, weather));
        let first = Sums::of(&cluster, count);
        let (mut random, mut open, mut sum) = (Random::new(8), Vec::new(), [0.0_f64; 2]);
        for client in 0..5 {
            for number in 1..=40 {
                let impulse = random.vec2(0.5);
                sum = [sum[0] + f64::from(impulse.x), sum[1] + f64::from(impulse.y)];
                let body = u64::from((client * 7 + number * 3) % count as u32);
                open.extend([Input { client, number, body, impulse }; 3]);
            }
        }
        while !open.is_empty() {
            for _ in 0..4.min(open.len()) {
                let late = random.below(open.len().min(9));
                let input = open.remove(late);
                assert!(cluster.hosts[random.below(4)].give(input));
            }
            cluster.slot();
        }
        let end = cluster.tick() + 30;
        cluster.run_to(end);
        let applied: u64 = cluster.shards().map(|shard| shard.counts().inputs).sum();
        assert_eq!(applied, 5 * 40, "{weather:?}");
        if weather == Weather::CALM {
            let now = Sums::of(&cluster, count);
            assert_eq!(now.violations, 0);
            for (axis, &given) in sum.iter().enumerate() {
                let gained = now.momentum[axis] - first.momentum[axis];
                assert!((gained - given).abs() < 1e-6 * first.mass * 20.0, "{gained}, {given}");
            }
        }
    }
}
