//! Explosions among boxes.
//!
//! In: how many boxes. Out: a table, microseconds. The boxes are those of `spawn`, a metre and a
//! half apart; explosions of full strength over 10 m, and of none over 10 m more, are all over the
//! square, with a step after each. In carom only what sees the centre is pushed, in Box2D all that
//! is near. rapier2d has no such call.

use carom::{Vec2, vec2};
use testkit::random::Random;
use testkit::scenes::plan::WorldPlan;

use crate::Fallible;
use crate::engines::Rival;
use crate::spawn::{boxes, time};

const EXPLOSIONS: usize = 101;
const RADIUS: f32 = 10.0;

pub(crate) fn run(count: usize) -> Fallible<()> {
    println!("{:<14}{:>12}{:>10}   us an explosion of {RADIUS} m, {count} boxes", "", "median", "most");
    let plans = boxes(count);
    let extent = 1.5 * (count as f32).sqrt();
    for rival in Rival::ALL {
        let mut world = rival.world(&WorldPlan { gravity: Vec2::ZERO, sleep: true, threads: 1 })?;
        world.add_all(&plans);
        world.step();
        let mut random = Random::new(9);
        let mut times = Vec::new();
        let mut is_there = true;
        for _ in 0..EXPLOSIONS {
            let at = vec2(random.range(0.0, extent), random.range(0.0, extent));
            times.push(1.0e3 * time(|| is_there &= world.explode(at, RADIUS, RADIUS)));
            world.step();
        }
        times.sort_by(f64::total_cmp);
        let (median, most) = (times[EXPLOSIONS / 2], times[EXPLOSIONS - 1]);
        let row = if is_there { format!("{median:>12.1}{most:>10.1}") } else { "   has no such call".into() };
        println!("{:<14}{row}", rival.name());
    }
    Ok(())
}
