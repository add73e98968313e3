//! Tests of routes over links against all orders of ways and links.

use carom_nav::Vec2;
use carom_nav::mesh::{Link, Links, Mesh, NoWay, Route, Way};

use crate::common::{Random, mesh, narrow, rect};
use crate::tangents::Scene;

const ROUNDS: u64 = if cfg!(debug_assertions) { 8 } else { 100 };

/// The shortest route, by Floyd and Warshall over all places, each way searched for.
fn brute_force(mesh: &mut Mesh, links: &[Link], ends: [Vec2; 2], r: f32) -> f64 {
    let mut places = ends.to_vec();
    links.iter().for_each(|link| places.extend([link.from, link.to]));
    let mut way = Way::default();
    let mut length = vec![vec![f64::INFINITY; places.len()]; places.len()];
    for (i, &a) in places.iter().enumerate() {
        for (j, &b) in places.iter().enumerate() {
            if mesh.way(a, b, r, &mut way).is_ok() {
                length[i][j] = way.length();
            }
        }
    }
    for (k, link) in links.iter().enumerate() {
        let (a, b) = (2 + 2 * k, 3 + 2 * k);
        length[a][b] = length[a][b].min(f64::from(link.cost));
        if link.is_two_way {
            length[b][a] = length[b][a].min(f64::from(link.cost));
        }
    }
    for k in 0..places.len() {
        for i in 0..places.len() {
            for j in 0..places.len() {
                length[i][j] = length[i][j].min(length[i][k] + length[k][j]);
            }
        }
    }
    length[0][1]
}

fn wall(mesh: &mut Mesh, x: f32) {
    let corners = [[x, -9.0], [x + 0.2, -9.0], [x + 0.2, 9.0], [x, 9.0]];
    mesh.add(&corners.map(Vec2::from)).expect("built");
}

#[test]
fn routes_are_the_shortest_over_any_links() {
    let (mut found, mut none, mut crossed) = (0, 0, 0_u64);
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let scene = Scene { outlines: (0..6).map(|_| rect(&mut random, 4.0)).collect(), half: 5.0 };
        let mut mesh = mesh(&scene, 1.0);
        if seed % 2 == 0 {
            wall(&mut mesh, 0.5);
            wall(&mut mesh, -1.5);
        }
        let r = [0.0, 0.2, 0.4][seed as usize % 3];
        let free = |random: &mut Random| {
            for _ in 0..200 {
                let at = random.place(4.9);
                if scene.room(at) > 0.45 && (at.x - 0.6).abs() > 0.6 && (at.x + 1.4).abs() > 0.6 {
                    return narrow(at);
                }
            }
            Vec2::new(4.0, 4.0)
        };
        let mut list = Links::default();
        let mut links = Vec::new();
        for _ in 0..1 + random.below(6) {
            let (from, to) = (free(&mut random), free(&mut random));
            let mut link = Link::between(from, to);
            link.cost *= random.unit() as f32;
            link.is_two_way = random.below(2) == 0;
            links.push(link);
            list.add(link).expect("a link");
        }
        let mut route = Route::default();
        for _ in 0..3 {
            let ends = [free(&mut random), free(&mut random)];
            let best = brute_force(&mut mesh, &links, ends, r);
            match mesh.route(&list, ends[0], ends[1], r, 1, &mut route) {
                Ok(()) => {
                    found += 1;
                    crossed += route.crossings().len() as u64;
                    let apart = (route.length() - best).abs();
                    assert!(apart < 1e-3, "seed {seed}: {} and {best} m", route.length());
                    let ways: f64 = route.ways().iter().map(Way::length).sum();
                    let costs = route.crossings().iter().filter_map(|c| list.get(c.link));
                    let sum = ways + costs.map(|link| f64::from(link.cost)).sum::<f64>();
                    assert!((sum - route.length()).abs() < 1e-9, "seed {seed}: of parts");
                    assert_eq!(route.ways().len(), route.crossings().len() + 1);
                    assert_eq!((route.ways()[0].start(), route.is_current(&mesh, &list)), (ends[0], true));
                }
                Err(error) => {
                    none += 1;
                    assert_eq!((error, best), (NoWay::Apart, f64::INFINITY), "seed {seed}");
                }
            }
        }
    }
    assert!(
        found > ROUNDS && 2 * crossed > ROUNDS && none > 0,
        "{found} found, {none} none, {crossed} crossed"
    );
}

#[test]
fn doors_shut_and_are_too_narrow() {
    let mut mesh = Mesh::new(carom_nav::mesh::MeshDef { half: 5.0, max_radius: 1.0 }).expect("a mesh");
    wall(&mut mesh, 0.0);
    let mut links = Links::default();
    let open = Link { max_radius: 0.4, kinds: 2, ..Link::between([-1.0, 0.0], [1.0, 0.0]) };
    let door = links.add(open).expect("a door");
    let (from, to) = ([-3.0, 0.0], [3.0, 0.0]);
    let mut route = Route::default();
    let mut ask = |links: &Links, r, kinds| {
        let found = mesh.route(links, from, to, r, kinds, &mut route);
        found.map(|()| (route.length() * 100.0).round())
    };
    assert_eq!(ask(&links, 0.4, 2), Ok(600.0));
    assert_eq!(ask(&links, 0.5, 2), Err(NoWay::Apart), "too narrow");
    assert_eq!(ask(&links, 0.4, 1), Err(NoWay::Apart), "of another kind");
    assert_eq!(links.set(door, Link { kinds: 0, ..open }), Ok(true));
    assert_eq!(ask(&links, 0.4, u64::MAX), Err(NoWay::Apart), "shut");
    links.set(door, open).expect("numbers are good");
    assert_eq!(ask(&links, 0.4, u64::MAX), Ok(600.0));
    assert!(links.remove(door) && !links.remove(door) && links.get(door).is_none());
    assert_eq!(ask(&links, 0.4, u64::MAX), Err(NoWay::Apart), "gone");
    assert!(
        links.add(Link { cost: f32::NAN, ..open }).is_err()
            && links.add(Link { cost: -1.0, ..open }).is_err()
    );
    assert!(links.add(Link { from: Vec2::NAN, ..open }).is_err());
    assert_eq!(ask(&links, f32::NAN, 1), Err(NoWay::BadNumber));
}
