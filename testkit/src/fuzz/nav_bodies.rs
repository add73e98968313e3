//! Bytes into carom-nav among bodies: outlines on a mesh, and crowds with coming and going.
//!
//! ```text
//!   mesh    bytes -> outlines in and out, links, questions   sound after each; possible ways; and
//!                                                            in the end as many faces as at first
//!   crowd   bytes -> agents, orders, blows, walls, images    a refused call changes nothing; every
//!                                                            place and velocity is a number
//! ```

use carom::prelude::*;
use carom_nav::crowd::{Agent, AgentId, Crowd, CrowdDef, Wander};
use carom_nav::mesh::{AreaId, Link, Links, Mesh, MeshDef, NoWay, ObstacleId, Route, Way};

use super::input::Input;

/// A corner: on a raster of half metres as a rule, so that walls touch, cross and lie in line.
fn corner(input: &mut Input<'_>, at: Vec2) -> Vec2 {
    let byte = input.byte();
    match byte {
        0..=239 => at + Vec2::new(f32::from(byte % 15) - 7.0, f32::from(byte / 15) - 7.0) * 0.5,
        240..=251 => at + Vec2::new(input.number(), input.number()) * 0.125,
        _ => Vec2::new(input.number(), input.number()),
    }
}

fn place(input: &mut Input<'_>) -> Vec2 {
    Vec2::new(input.number(), input.number())
}

/// Up to 60 changes of a mesh, and questions.
pub fn mesh(data: &[u8]) {
    let mut input = Input::new(data);
    let max_radius = input.pick(&[0.0, 0.5, 2.0]);
    let mut mesh = Mesh::new(MeshDef { half: 12.0, max_radius }).expect("good numbers");
    let empty = mesh.face_count();
    let (mut ids, mut links): (Vec<ObstacleId>, _) = (Vec::new(), Links::default());
    let mut areas: Vec<AreaId> = Vec::new();
    let (mut way, mut route) = (Way::default(), Route::default());
    for _ in 0..60 {
        if input.is_over() {
            break;
        }
        match input.below(9) {
            8 => change_areas(&mut input, &mut mesh, &mut areas),
            0..=2 => {
                let at = Vec2::new(f32::from(input.byte() % 25), f32::from(input.byte() % 25)) - 12.0;
                let corners: Vec<Vec2> = (0..input.below(9)).map(|_| corner(&mut input, at)).collect();
                let put = if input.once_in(4) { mesh.add_wall(&corners) } else { mesh.add(&corners) };
                ids.extend(put);
            }
            3 if !ids.is_empty() => {
                let id = ids.swap_remove(input.below(ids.len()));
                assert!(mesh.remove(id) && !mesh.remove(id) && !mesh.contains(id));
            }
            4 => {
                let (from, to, cost) = (place(&mut input), place(&mut input), input.number());
                let before = route.is_current(&mesh, &links);
                if links.add(Link { cost, ..Link::between(from, to) }).is_err() {
                    assert_eq!(route.is_current(&mesh, &links), before, "a refused link changed something");
                }
            }
            5 => {
                let (from, to, r) = (place(&mut input), place(&mut input), input.pick(&[0.0, 0.3, 0.5, 2.0]));
                let found = mesh.route(&links, from, to, r, u64::MAX, &mut route);
                assert!(found.is_err() || route.ways().len() == route.crossings().len() + 1);
                ask(&mut mesh, from, to, r, &mut way);
            }
            6 => {
                let (from, to, r) = (place(&mut input), place(&mut input), input.size());
                ask(&mut mesh, from, to, r, &mut way);
            }
            _ => {
                let mut image = Vec::new();
                mesh.save_into(&mut image);
                let loaded = Mesh::load(&image).expect("its own image");
                assert_eq!(loaded.hash(), mesh.hash());
                mesh = loaded;
            }
        }
        mesh.audit().expect("a sound mesh");
    }
    ids.into_iter().for_each(|id| assert!(mesh.remove(id)));
    mesh.audit().expect("a sound mesh");
    assert_eq!(mesh.face_count(), empty, "something is left");
}

/// An area comes, goes, or costs something else; what is refused changes nothing.
fn change_areas(input: &mut Input<'_>, mesh: &mut Mesh, areas: &mut Vec<AreaId>) {
    let before = mesh.revision();
    let factor = if input.once_in(8) { input.number() } else { input.pick(&[0.05, 0.5, 1.0, 3.0, 100.0]) };
    match input.below(4) {
        0 if !areas.is_empty() => {
            let id = areas.swap_remove(input.below(areas.len()));
            assert!(mesh.remove_area(id) && !mesh.remove_area(id) && mesh.area_factor(id).is_none());
        }
        1 if !areas.is_empty() => {
            let id = areas[input.below(areas.len())];
            assert!(mesh.set_area_factor(id, factor) == Ok(true) || mesh.revision() == before);
        }
        _ => {
            let at = Vec2::new(f32::from(input.byte() % 25), f32::from(input.byte() % 25)) - 12.0;
            let corners: Vec<Vec2> = (0..input.below(9)).map(|_| corner(input, at) * 1.5).collect();
            match mesh.add_area(&corners, factor) {
                Ok(id) => areas.push(id),
                Err(_) => assert_eq!(mesh.revision(), before, "a refused area changed something"),
            }
        }
    }
}

/// A way is no shorter than the straight line, its ends hold the disc where they were not moved,
/// and the tree says the same as the search.
fn ask(mesh: &mut Mesh, from: Vec2, to: Vec2, radius: f32, way: &mut Way) {
    let widest = mesh.widest(from, to);
    match mesh.way(from, to, radius, way) {
        Ok(()) => {
            let straight = f64::from(way.start().distance(way.goal()));
            assert!(way.length() >= straight - 1e-3, "{} against {straight}", way.length());
            assert!(mesh.is_current(way));
            let cost = way.cost() / way.length().max(1e-9);
            assert!(way.length() < 1e-3 || (0.04..=101.0).contains(&cost), "{cost} a metre");
            if !way.from_moved() && !way.to_moved() {
                let widest = widest.expect("a way, and nothing gets there");
                assert!(widest >= radius - 1e-4, "a way for {radius}, and {widest} is the widest");
            }
        }
        Err(NoWay::BadNumber) => {
            let good = from.is_finite() && to.is_finite() && (0.0..=mesh.max_radius()).contains(&radius);
            assert!(!good);
        }
        Err(_) => {}
    }
}

/// Up to 60 calls on a crowd.
pub fn crowd(data: &[u8]) {
    let mut input = Input::new(data);
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let bias = input.pick(&[0.0, 0.15, 1.0]);
    let def = CrowdDef { neighbours: 1 + input.below(12), bias, ..CrowdDef::default() };
    let mut crowd = Crowd::new(def).expect("good numbers");
    let mut all: Vec<(AgentId, BodyId)> = Vec::new();
    for _ in 0..60 {
        if input.is_over() {
            break;
        }
        let before = crowd.hash();
        let is_done = call(&mut input, &mut world, &mut crowd, &mut all);
        assert!(is_done || crowd.hash() == before, "a refused call changed something");
        for (_, body) in &all {
            if let Some(body) = world.get(*body) {
                assert!(body.world_position().is_valid() && body.velocity().is_finite());
            }
        }
    }
}

/// One call; whether it was taken.
fn call(
    input: &mut Input<'_>,
    world: &mut World,
    crowd: &mut Crowd,
    all: &mut Vec<(AgentId, BodyId)>,
) -> bool {
    let ids: Vec<AgentId> = all.iter().map(|(id, _)| *id).collect();
    let kind = input.below(16);
    // Some calls are of agents that are gone.
    let one = input.below(all.len());
    match (kind, all.get(one).copied()) {
        (0..=3, _) => {
            let mut agent = Agent { radius: 0.3, priority: input.byte() % 3, ..Agent::default() };
            if input.once_in(6) {
                (agent.radius, agent.speed) = (input.size(), input.number());
                (agent.acceleration, agent.horizon) = (input.size(), input.size());
            }
            let body = Agent::default().body(Vec2::new(input.number(), input.number()));
            let Ok(body) = world.add(body) else { return false };
            let added = crowd.add(world, body, agent);
            all.extend(added.map(|id| (id, body)));
            added.is_ok()
        }
        (4, Some((id, _))) => crowd.go(id, place(input)).is_ok(),
        (5, Some((id, _))) => {
            let way: Vec<WorldPoint> = (0..input.below(5)).map(|_| place(input).into()).collect();
            crowd.follow(id, &way).is_ok()
        }
        (6, _) => crowd.gather(world, &ids, place(input)).is_ok(),
        (7, Some((id, _))) => crowd.flock(id, &ids[one / 2..]).is_ok(),
        (8, Some((id, _))) => {
            let leash = input.once_in(2).then(|| (place(input).into(), input.size()));
            crowd.wander(id, Wander { seed: 1, turn: input.size(), leash }).is_ok()
        }
        (9, Some((id, _))) => match input.below(3) {
            0 => crowd.stand(world, id).is_ok(),
            1 => crowd.stream(id, 7).is_ok(),
            _ => crowd.set(id, Agent { speed: input.size(), ..Agent::default() }).is_ok(),
        },
        (10, Some((id, body))) => match input.below(3) {
            0 => crowd.remove(id),
            1 => world.remove(body).is_ok(),
            _ => world.apply_impulse(body, place(input)).is_ok(),
        },
        (11, _) => {
            let shape = Shape::rect(input.size().clamp(0.1, 9.0), 0.5);
            let at = Vec2::new(f32::from(input.byte()), f32::from(input.byte())) / 16.0 - 8.0;
            world.add(BodyDef::fixed().at(at).shape(shape)).is_ok()
        }
        (12, _) => {
            let mut image = Vec::new();
            crowd.save_into(&mut image);
            let hash = crowd.hash();
            crowd.load(world, &image).map(|()| assert_eq!(crowd.hash(), hash)).is_ok()
        }
        _ => {
            let dt = if input.once_in(8) { input.number() } else { 1.0 / 60.0 };
            let mut is_taken = false;
            for _ in 0..1 + input.below(30) {
                is_taken |= crowd.steer(world, dt).is_ok();
                world.step(1.0 / 60.0).expect("a step");
            }
            is_taken
        }
    }
}
