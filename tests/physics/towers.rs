//! Towers: what is welded together and stands on the ground stands still, and bears no more than
//! its weight.

use carom::prelude::*;

use testkit::build::join;
use testkit::worlds::{add, check_range, ground, run, step, top_speed};

/// Storeys of two posts and a plank each, welded where they touch; the welds break by `torque`, in
/// N m. Of wood: 600 kg/m².
fn tower(world: &mut World, storeys: usize, torque: f32) -> (Vec<BodyId>, Vec<JointId>) {
    ground(world);
    let (mut parts, mut welds, mut below) = (Vec::new(), Vec::new(), None);
    let part = |x: f32, y: f32, width: f32, height: f32| {
        BodyDef::dynamic().at([x, y]).shape(Shape::rect(width, height)).density(600.0)
    };
    for storey in 0..storeys {
        let y = 2.2 * storey as f32;
        let posts = [-1.0, 1.0].map(|x| add(world, part(x, y + 1.0, 0.2, 2.0)));
        let plank = add(world, part(0.0, y + 2.1, 2.4, 0.2));
        for (post, x) in posts.into_iter().zip([-1.0, 1.0]) {
            let foot = below.map(|below| JointDef::weld(below, post).at([x, y]));
            for weld in foot.into_iter().chain([JointDef::weld(post, plank).at([x, y + 2.0])]) {
                welds.push(join(world, weld.breaks_at(f32::INFINITY, torque)));
            }
        }
        parts.extend(posts);
        parts.push(plank);
        below = Some(plank);
    }
    (parts, welds)
}

/// At rest and asleep within 5 s, its welds bear what its weight asks for, and none of 20 kN m
/// breaks.
#[test]
fn a_welded_tower_rests() {
    for (storeys, sub_steps) in [(2, 4), (4, 4), (4, 8), (6, 4)] {
        let mut world = World::new(WorldDef { sub_steps, ..WorldDef::default() });
        let (parts, welds) = tower(&mut world, storeys, 20_000.0);
        let mut most = 0.0;
        for _ in 0..300 {
            step(&mut world);
            assert_eq!(world.joints().count(), welds.len(), "a weld broke");
            let torques =
                welds.iter().filter_map(|&weld| world.joint_state(weld)).map(|state| state.torque.abs());
            most = torques.fold(most, testkit::greater);
        }
        check_range(&format!("{storeys} storeys: torque of any weld, N m"), most, ..=10_000.0);
        assert!(parts.iter().all(|&part| !world[part].is_awake()), "{storeys} storeys");
    }
}

/// It does not creep, where nothing may sleep: less than 0.1 mm in 10 s.
#[test]
fn a_welded_tower_does_not_creep() {
    for storeys in [1, 2, 4] {
        let mut world = World::new(WorldDef::default().sleepless());
        let (parts, _) = tower(&mut world, storeys, f32::INFINITY);
        run(&mut world, 600);
        let before: Vec<f32> = parts.iter().map(|&part| world[part].position().x).collect();
        run(&mut world, 600);
        let way = |(part, x): (&BodyId, f32)| (world[*part].position().x - x).abs();
        let most = parts.iter().zip(before).map(way).fold(0.0, testkit::greater);
        check_range(&format!("{storeys} storeys: way in 10 s, m"), most, ..=1.0e-4);
        check_range("speed, m/s", top_speed(&world), ..=0.001);
    }
}
