//! Golden scenes of carom-nav among bodies: the mesh of a world that changes, and a crowd with
//! coming and going. Part of the scenes of `nav.rs`.

use carom::prelude::*;
use carom_nav::crowd::{Agent, AgentId, Crowd, CrowdDef, Wander};
use carom_nav::mesh::{AreaId, Ground, Link, Links, Mesh, MeshDef, ObstacleId, Route, Way};

use super::nav::{NavScene, Sum, draw};
use crate::random::Random;

fn place(random: &mut Random, half: f32) -> Vec2 {
    Vec2::new(random.range(-half, half), random.range(-half, half))
}

fn shape(random: &mut Random) -> Shape {
    match draw(random, 3) {
        0 => Shape::circle(random.range(0.3, 2.0)),
        1 => Shape::rect(random.range(0.4, 4.0), random.range(0.4, 3.0)),
        _ => Shape::capsule([-1.0, 0.0], [1.5, 0.7], random.range(0.1, 0.6)),
    }
}

fn take_way(sum: &mut Sum, way: &Way) {
    sum.take(way.length().to_bits());
    sum.take(way.cost().to_bits());
    for bend in way.bends() {
        for v in [bend.corner, bend.from, bend.to] {
            sum.take(u64::from(v.x.to_bits()) << 32 | u64::from(v.y.to_bits()));
        }
    }
}

/// A mesh that follows a world and has outlines and areas of its own, with ways of four radii by
/// turns, links, images. Small, so that most ways run through what has just changed.
pub(super) fn meshes() -> NavScene {
    let mut random = Random::new(109);
    let (mut world, mut ground) = (World::default(), Ground::new([0.0, 0.0]));
    let mut bodies = Vec::new();
    let mut mesh = Mesh::new(MeshDef { half: 15.0, max_radius: 1.5 }).expect("a mesh");
    let (mut links, mut route) = (Links::default(), Route::default());
    for _ in 0..3 {
        let link = Link::between(place(&mut random, 14.0), place(&mut random, 14.0));
        links.add(Link { cost: link.cost * 0.3, ..link }).expect("a link");
    }
    let (mut own, mut areas, mut way) = (Vec::<ObstacleId>::new(), Vec::<AreaId>::new(), Way::default());
    let mut image = Vec::new();
    NavScene::new(move |sum, tick| {
        if bodies.len() < 16 || draw(&mut random, 2) == 0 {
            let body = BodyDef::fixed().at(place(&mut random, 14.5)).angle(random.range(-3.0, 3.0));
            bodies.push(world.add(body.shape(shape(&mut random))).expect("a body"));
        } else {
            let body = bodies.swap_remove(draw(&mut random, bodies.len()));
            world.remove(body).expect("it is there");
        }
        let synced = mesh.sync(&world, &mut ground);
        sum.take((synced.added as u64) << 32 | (synced.removed as u64) << 16 | synced.refused as u64);
        let at = place(&mut random, 14.0);
        let outline = [(); 5].map(|()| at + place(&mut random, 2.5));
        own.extend(mesh.add(&outline));
        if own.len() > 5 {
            mesh.remove(own.swap_remove(draw(&mut random, own.len())));
        }
        change_areas(&mut mesh, &mut areas, &mut random, tick);
        let radius = [0.0, 0.25, 0.6, 1.5][tick as usize % 4];
        let (from, to) = (place(&mut random, 14.5), place(&mut random, 14.5));
        for radius in [radius, radius / 2.0] {
            let found = mesh.way(from, to, radius, &mut way);
            sum.take(found.map_or(7, |()| 1));
            take_way(sum, &way);
            sum.take(u64::from(mesh.reachable(from, to, radius)));
            sum.take(u64::from(mesh.widest(from, to).map_or(0, f32::to_bits)));
        }
        if tick.is_multiple_of(2) && mesh.route(&links, from, to, radius, u64::MAX, &mut route).is_ok() {
            sum.take(route.length().to_bits());
            route.ways().iter().for_each(|way| take_way(sum, way));
        }
        sum.take(mesh.hash());
        if tick % 16 == 7 {
            mesh.save_into(&mut image);
            let mut loaded = Mesh::load(&image).expect("it was saved");
            let mut other = Way::default();
            let same = loaded.way([-14.0, -14.0], [14.0, 14.0], 0.25, &mut other);
            sum.take(same.map_or(7, |()| other.cost().to_bits()));
        }
    })
}

/// Areas come and go, and change their factors.
fn change_areas(mesh: &mut Mesh, areas: &mut Vec<AreaId>, random: &mut Random, tick: u32) {
    if tick.is_multiple_of(4) {
        let at = place(random, 12.0);
        let outline = [(); 5].map(|()| at + place(random, 5.0));
        areas.extend(mesh.add_area(&outline, random.range(0.3, 6.0)));
    }
    if areas.len() > 3 {
        mesh.remove_area(areas.swap_remove(draw(random, areas.len())));
    }
    if tick.is_multiple_of(3) && !areas.is_empty() {
        let id = areas[draw(random, areas.len())];
        mesh.set_area_factor(id, random.range(0.3, 6.0)).expect("a factor");
    }
}

/// A crowd of all orders, with agents that come, are sent elsewhere, are struck, and go.
pub(super) fn crowds() -> NavScene {
    let mut random = Random::new(110);
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    for _ in 0..14 {
        let body = BodyDef::fixed().at(place(&mut random, 14.0)).angle(random.range(-3.0, 3.0));
        world.add(body.shape(shape(&mut random))).expect("a body");
    }
    let mut crowd = Crowd::new(CrowdDef::default()).expect("a crowd");
    let (mut ids, mut image): (Vec<(AgentId, BodyId)>, Vec<u8>) = (Vec::new(), Vec::new());
    NavScene::new(move |sum, tick| {
        if ids.len() < 80 {
            let agent = Agent {
                radius: random.range(0.2, 0.45),
                speed: random.range(0.8, 2.0),
                priority: draw(&mut random, 2) as u8,
                ..Agent::default()
            };
            let body = world.add(agent.body(place(&mut random, 14.0))).expect("a body");
            ids.push((crowd.add(&world, body, agent).expect("an agent"), body));
        }
        let (id, body) = ids[draw(&mut random, ids.len())];
        let goal = place(&mut random, 14.0);
        match draw(&mut random, 12) {
            0..=3 => crowd.go(id, goal),
            4 => crowd.follow(id, &[goal.into(), [0.0, 0.0].into(), (-goal).into()]),
            5 => crowd.wander(id, Wander { seed: 4, turn: 2.0, leash: Some(([0.0, 0.0].into(), 9.0)) }),
            6 => crowd.stand(&world, id),
            7 => {
                let group: Vec<AgentId> = ids.iter().take(12).map(|(id, _)| *id).collect();
                crowd.gather(&world, &group, goal)
            }
            8 => {
                let members: Vec<AgentId> = ids.iter().rev().take(5).map(|(id, _)| *id).collect();
                crowd.flock(id, &members)
            }
            9 => {
                let mass = world[body].mass();
                world.apply_impulse(body, goal * (0.3 * mass)).expect("a body");
                Ok(())
            }
            _ => Ok(()),
        }
        .expect("they are there");
        if tick % 25 == 24 {
            let (id, body) = ids.swap_remove(draw(&mut random, ids.len()));
            if tick % 50 == 24 {
                crowd.remove(id);
            }
            world.remove(body).expect("it was there");
        }
        if tick % 40 == 13 {
            crowd.save_into(&mut image);
            crowd.load(&world, &image).expect("it was saved");
        }
        crowd.steer(&mut world, 1.0 / 60.0).expect("a tick");
        world.step(1.0 / 60.0).expect("a step");
        sum.take(crowd.events().len() as u64);
        sum.take(crowd.hash());
        sum.take(world.hash());
    })
}
