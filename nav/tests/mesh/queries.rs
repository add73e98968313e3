//! Tests of queries: nearest places, rays, random places and partial ways, each against a test that
//! shares no code with the mesh; and searches of several threads in one mesh.

use carom_nav::Vec2;
use carom_nav::mesh::{Mesh, MeshDef, MeshQuery, NoWay, Reached, Way};
use glam::DVec2;

use crate::common::{Random, UNIT, is_valid, mesh, narrow, rect, star, tile, whole, wide};
use crate::tangents::Scene;

const HALF: f64 = 4.0;
const ROUNDS: u64 = if cfg!(debug_assertions) { 20 } else { 400 };

fn scene(random: &mut Random, seed: u64) -> Scene {
    let make = [rect, star, tile][seed as usize % 3];
    let outlines = (0..4 + seed as usize % 14).map(|_| make(random, HALF)).collect();
    Scene { half: HALF, outlines }
}

fn raster(step: f64) -> impl Iterator<Item = DVec2> {
    let count = (2.0 * HALF / step) as i32;
    (0..count * count).map(move |k| {
        whole(DVec2::new(f64::from(k % count) + 0.5, f64::from(k / count) + 0.5) * step - DVec2::splat(HALF))
    })
}

#[test]
fn the_nearest_place_is_the_nearest_of_all() {
    let (mut found, mut none, mut worst) = (0, 0, 0.0_f64);
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let scene = scene(&mut random, seed);
        let mut mesh = mesh(&scene, 2.0);
        let r = [0.0, 0.1, 0.4, 0.9][seed as usize % 4];
        let at = random.place(HALF);
        let places = raster(0.05).filter(|&place| scene.room(place) >= r + 2.0 * UNIT);
        let best = places.map(|place| place.distance(at)).min_by(f64::total_cmp);
        match mesh.nearest_place(narrow(at), r as f32, 20.0) {
            Some(place) => {
                found += 1;
                let place = wide(place);
                assert!(scene.room(place) >= r - 4.0 * UNIT, "seed {seed}: {place} holds no disc of {r}");
                let distance = place.distance(at);
                let over = best.map_or(0.0, |best| distance - best);
                assert!(over < 1e-3, "seed {seed}: {distance} m, a raster says {best:?}");
                worst = worst.max(over);
                let near = mesh.nearest_place(narrow(at), r as f32, distance as f32 * 0.99);
                assert!(near.is_none() || distance == 0.0, "seed {seed}: within less than its distance");
            }
            None => {
                none += 1;
                assert_eq!(best, None, "seed {seed}: a raster finds a place");
            }
        }
    }
    println!("{found} found, {none} none, the worst {worst} m over a raster of 5 cm");
    assert!(found as u64 > ROUNDS / 2);
}

#[test]
fn a_ray_ends_at_the_first_wall() {
    let (mut clear, mut hits) = (0, 0);
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let scene = scene(&mut random, seed);
        let mut mesh = mesh(&scene, 2.0);
        for k in 0..20 {
            let r = [0.0, 0.05, 0.2, 0.5][k % 4];
            let (from, to) = (random.place(HALF), random.place(1.5 * HALF));
            let ray = mesh.ray(narrow(from), narrow(to), r as f32);
            if scene.room(from) < r - 2.0 * UNIT || scene.room(from) == 0.0 {
                assert_eq!(ray, Err(NoWay::BadStart), "seed {seed}, {k}");
                continue;
            }
            if scene.room(from) < r + 2.0 * UNIT {
                continue;
            }
            let ray = ray.unwrap_or_else(|no| panic!("seed {seed}, {k}: {no}"));
            let end = wide(ray.end);
            let what = format!("seed {seed}, {k}: {from} to {to}, {r}: {ray:?}");
            assert!(scene.is_clear(from, end, r - 4.0 * UNIT), "{what}");
            assert!((f64::from(ray.length) - from.distance(end)).abs() < 1e-4, "{what}");
            let Some(hit) = ray.hit else {
                clear += 1;
                assert!(end.distance(to) < 1e-6, "{what}");
                continue;
            };
            hits += 1;
            // A little farther it is in the wall.
            let ahead = (to - from).normalize();
            let closing = -ahead.dot(wide(hit.normal));
            let far = (end + ahead * (12.0 * UNIT / closing.max(0.05) + 1e-4))
                .clamp(DVec2::splat(-99.0), DVec2::splat(99.0));
            assert!(!scene.is_clear(from, far, r), "{what}");
            let point = wide(hit.point);
            assert!((point.distance(end) - r).abs() < 2e-3 || closing < 0.05, "{what}");
            assert!(scene.room(point) < 8.0 * UNIT, "{what}");
            assert!(hit.obstacle.is_some() || point.abs().max_element() > HALF - 4.0 * UNIT, "{what}");
            // The disc can go on from its end.
            let mut way = Way::default();
            mesh.way(ray.end, ray.end, r as f32, &mut way).expect("a place");
            assert!(!way.from_moved(), "{what}");
        }
    }
    println!("{clear} clear, {hits} hits");
    assert!(clear as u64 > ROUNDS && hits as u64 > ROUNDS);
}

#[test]
fn a_ray_and_a_straight_way_agree() {
    let (mut straight, mut bent) = (0, 0);
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let scene = scene(&mut random, seed);
        let mut mesh = mesh(&scene, 2.0);
        let mut way = Way::default();
        for k in 0..20 {
            let r = [0.0_f32, 0.05, 0.2, 0.5][k % 4];
            let (from, to) = (narrow(random.place(HALF)), narrow(random.place(HALF)));
            if mesh.way(from, to, r, &mut way).is_err() || way.from_moved() || way.to_moved() {
                continue;
            }
            let is_clear = mesh.ray(from, to, r).is_ok_and(|ray| ray.is_clear());
            let over = way.length() - f64::from(from.distance(to));
            if way.bends().is_empty() {
                straight += 1;
                assert!(is_clear, "seed {seed}, {k}: a straight way from {from} to {to}, {r}");
            } else if over > 1e-4 {
                bent += 1;
                assert!(!is_clear, "seed {seed}, {k}: a bent way from {from} to {to}, {r}");
            }
        }
    }
    println!("{straight} straight, {bent} bent");
    assert!(straight as u64 > ROUNDS && bent as u64 > ROUNDS);
}

#[test]
fn rays_along_walls_and_through_corners() {
    let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 }).expect("a mesh");
    let rect = |x0: f32, y0: f32, x1: f32, y1: f32| [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(Vec2::from);
    let first = mesh.add(&rect(0.0, 0.0, 2.0, 2.0)).expect("a box");
    let mut is_clear = |from: [f32; 2], to: [f32; 2], r| mesh.ray(from, to, r).expect("a ray").is_clear();
    // Along a wall, and past a corner.
    assert!(is_clear([-5.0, 2.0], [5.0, 2.0], 0.0) && is_clear([-5.0, 2.5], [5.0, 2.5], 0.5));
    assert!(is_clear([-2.0, 0.0], [2.0, 4.0], 0.0), "past a corner");
    assert!(
        is_clear([0.0, 2.0], [-3.0, 5.0], 0.0) && is_clear([0.0, 2.0], [0.0, -3.0], 0.0),
        "from a corner"
    );
    assert!(!is_clear([0.0, 2.0], [1.0, 1.0], 0.0), "from a corner into the box");
    assert!(!is_clear([-2.0, 4.0], [1.0, 1.0], 0.0) && !is_clear([-2.0, 4.0], [4.0, -2.0], 0.0));
    // Between two boxes that touch in a corner nothing passes.
    let second = mesh.add(&rect(-2.0, 2.0, 0.0, 4.0)).expect("a box");
    let ray = mesh.ray([-2.0, 0.0], [2.0, 4.0], 0.0).expect("a ray");
    let hit = ray.hit.expect("the corner");
    assert!((ray.end - Vec2::new(0.0, 2.0)).length() < 1e-3 && hit.obstacle.is_some());
    assert!(hit.obstacle == Some(first) || hit.obstacle == Some(second));
    // A disc at a wall goes along and off it, and not into it; the border ends a ray.
    let ray = |mesh: &mut Mesh, to: [f32; 2]| mesh.ray([2.5, 1.0], to, 0.5).expect("a ray");
    assert!(ray(&mut mesh, [2.5, -9.0]).is_clear() && ray(&mut mesh, [9.0, 1.0]).is_clear());
    assert_eq!(ray(&mut mesh, [0.0, 1.0]).length, 0.0);
    let beyond = ray(&mut mesh, [1e30, 1.0]);
    assert!((beyond.end.x - 19.5).abs() < 1e-3 && beyond.hit.is_some_and(|hit| hit.obstacle.is_none()));
    assert_eq!(mesh.ray([1.0, 1.0], [9.0, 9.0], 0.0), Err(NoWay::BadStart));
    assert_eq!(mesh.ray([f32::NAN, 1.0], [9.0, 9.0], 0.0), Err(NoWay::BadNumber));
    // A wall without thickness has two sides.
    let wall = mesh.add_wall(&[Vec2::new(-9.0, -5.0), Vec2::new(9.0, -5.0)]).expect("a wall");
    for from in [-9.0, -1.0] {
        let hit = mesh.ray([4.0, from], [4.0, -10.0 - from], 0.3).expect("a ray").hit.expect("a wall");
        assert!(hit.obstacle == Some(wall) && hit.normal.y * (from + 5.0) > 0.9);
    }
}

#[test]
fn random_places_are_uniform_by_area() {
    let mut mesh = Mesh::new(MeshDef { half: 10.0, max_radius: 1.0 }).expect("a mesh");
    let rect = |x0: f32, y0: f32, x1: f32, y1: f32| [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(Vec2::from);
    // A wall with a narrow door, and boxes.
    mesh.add(&rect(-0.5, -10.0, 0.5, 1.0)).expect("a wall");
    mesh.add(&rect(-0.5, 1.8, 0.5, 10.0)).expect("a wall");
    mesh.add(&rect(3.0, 3.0, 5.0, 8.0)).expect("a box");
    for r in [0.0_f32, 0.4, 0.6] {
        // Land for a disc, by a raster of 10 cm in tiles of 2 m.
        let is_free = |x: f32, y: f32| {
            let off = |x0: f32, y0: f32, x1: f32, y1: f32| {
                let by =
                    (Vec2::new(x, y) - Vec2::new(x, y).clamp(Vec2::new(x0, y0), Vec2::new(x1, y1))).abs();
                by.length() >= r && by != Vec2::ZERO
            };
            Vec2::new(x, y).abs().max_element() <= 10.0 - r
                && off(-0.5, -10.0, 0.5, 1.0)
                && off(-0.5, 1.8, 0.5, 10.0)
                && off(3.0, 3.0, 5.0, 8.0)
        };
        let tile = |x: f32, y: f32| ((x + 10.0) / 2.0) as usize + 10 * ((y + 10.0) / 2.0) as usize;
        let (mut land, mut total) = ([0.0_f64; 100], 0.0);
        for k in 0..1000 * 1000 {
            let (x, y) = ((k % 1000) as f32 * 0.02 - 9.99, (k / 1000) as f32 * 0.02 - 9.99);
            if is_free(x, y) {
                land[tile(x, y)] += 1.0;
                total += 1.0;
            }
        }
        let draws = 20_000;
        let chi = |mesh: &mut Mesh, near: Option<([f32; 2], f32)>| {
            let mut counts = [0.0_f64; 100];
            for seed in 0..draws {
                let at = match near {
                    None => mesh.random_place(r, seed),
                    Some((from, within)) => mesh.random_place_near(from, within, r, seed),
                };
                let at = at.expect("a place");
                assert!(is_free(at.x, at.y) || mesh.nearest_place(at, r, 1e-3).is_some(), "{at}");
                counts[tile(at.x.clamp(-9.99, 9.99), at.y.clamp(-9.99, 9.99))] += 1.0;
            }
            counts
        };
        let statistic = |counts: &[f64; 100], land: &[f64; 100], total: f64| {
            let tiles = counts.iter().zip(land).filter(|(_, land)| **land > 0.002 * total);
            let terms = tiles.map(|(count, land)| {
                let expected = land / total * draws as f64;
                (count - expected) * (count - expected) / expected
            });
            (terms.clone().sum::<f64>(), terms.count() as f64)
        };
        let all = chi(&mut mesh, None);
        let (sum, count) = statistic(&all, &land, total);
        // The mean is the count, with a spread of the root of twice the count.
        println!("radius {r}: {sum:.0} for {count} tiles");
        assert!(sum < count + 5.0 * (2.0 * count).sqrt(), "radius {r}: {sum} for {count} tiles");
        // From the left, the door of 0.8 m is too narrow for a radius of 0.6.
        let near = chi(&mut mesh, Some(([-5.0, 0.0], 100.0)));
        let is_through = near.iter().enumerate().any(|(k, count)| k % 10 > 5 && *count > 0.0);
        assert_eq!(is_through, r < 0.5);
        let circle = chi(&mut mesh, Some(([-5.0, 0.0], 0.5)));
        assert!(circle.iter().enumerate().all(|(k, count)| *count == 0.0 || (1..4).contains(&(k % 10))));
    }
    assert_eq!(mesh.random_place(2.0, 1), None, "beyond the greatest radius");
    assert_eq!(mesh.random_place_near([4.0, 5.0], 0.1, 0.0, 1), None, "the start is in a box, far from land");
    let box_around = [[-9.9, -9.9], [9.9, -9.9], [9.9, 9.9], [-9.9, 9.9]].map(Vec2::from);
    mesh.add(&box_around).expect("a box");
    assert_eq!(mesh.random_place(0.5, 1), None, "there is land, but no room");
}

/// Step of the raster to which partial ways are searched, in metres.
const STEP: f64 = if cfg!(debug_assertions) { 0.2 } else { 0.05 };

/// A partial way ends at the place nearest to the goal: no place of a raster that the disc can get
/// to is nearer.
#[test]
fn a_partial_way_ends_at_the_nearest_place() {
    let (mut whole_ways, mut partial, mut worst) = (0, 0, 0.0_f64);
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let mut scene = scene(&mut random, seed);
        // A room without a door around the goal, so that most ways are partial.
        let goal = random.place(HALF * 0.7);
        if seed % 4 != 0 {
            let (w, h) = (random.between(0.4, 1.2), random.between(0.4, 1.2));
            let box_at = |x: f64, y: f64, w: f64, h: f64| {
                [(-w, -h), (w, -h), (w, h), (-w, h)]
                    .map(|(a, b)| whole(goal + DVec2::new(x + a, y + b)))
                    .to_vec()
            };
            scene.outlines.push(box_at(-w, 0.0, 0.1, h));
            scene.outlines.push(box_at(w, 0.0, 0.1, h));
            scene.outlines.push(box_at(0.0, -h, w, 0.1));
            scene.outlines.push(box_at(0.0, h, w, 0.1));
        }
        let mut mesh = mesh(&scene, 2.0);
        let r = [0.0_f32, 0.1, 0.25, 0.5][seed as usize / 4 % 4];
        let from = random.place(HALF);
        if scene.room(from) < f64::from(r) + 2.0 * UNIT {
            continue;
        }
        let mut way = Way::default();
        let reached = mesh.way_towards(narrow(from), narrow(goal), r, &mut way).expect("a start");
        is_valid(&scene, &way).unwrap_or_else(|rule| panic!("seed {seed}: {rule}"));
        let end = wide(way.goal());
        let Reached::Nearest { gap } = reached else {
            whole_ways += 1;
            continue;
        };
        partial += 1;
        assert!((f64::from(gap) - end.distance(goal)).abs() < 1e-4, "seed {seed}");
        let mut other = Way::default();
        let mut nearest = f64::INFINITY;
        for place in raster(STEP) {
            let distance = place.distance(goal);
            if distance < nearest
                && scene.room(place) >= f64::from(r) + 2.0 * UNIT
                && mesh.way(narrow(from), narrow(place), r, &mut other).is_ok()
            {
                nearest = distance;
            }
        }
        let over = f64::from(gap) - nearest;
        assert!(over < 1e-3, "seed {seed}: {gap} m from {goal}, a raster says {nearest}");
        worst = worst.max(over);
    }
    println!("{whole_ways} to the goal, {partial} partial, the worst {worst} m over a raster of {STEP} m");
    assert!(partial as u64 > ROUNDS / 5);
}

#[test]
fn partial_ways_at_the_ends() {
    let mut mesh = Mesh::new(MeshDef { half: 10.0, max_radius: 1.0 }).expect("a mesh");
    let mut way = Way::default();
    // A goal far beyond the mesh.
    let reached = mesh.way_towards([0.0, 0.0], [300.0, 2.0], 0.5, &mut way).expect("a way");
    assert!(matches!(reached, Reached::Nearest { gap } if (gap - 290.5).abs() < 1e-2));
    assert!(way.goal().distance(Vec2::new(9.5, 2.0)) < 1e-3);
    // A start that no way leads from.
    let room = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]].map(Vec2::from);
    mesh.add_wall(&room).expect("a room");
    let reached = mesh.way_towards([0.0, 0.0], [5.0, 0.0], 1.0, &mut way).expect("a way");
    assert!(matches!(reached, Reached::Nearest { gap } if (gap - 5.0).abs() < 1e-3) && way.length() < 1e-3);
    let reached = mesh.way_towards([0.0, 0.0], [5.0, 0.0], 0.5, &mut way).expect("a way");
    assert!(matches!(reached, Reached::Nearest { gap } if (gap - 4.5).abs() < 1e-3));
    assert!(mesh.is_current(&way));
    assert_eq!(mesh.way_towards([0.0, f32::NAN], [5.0, 0.0], 0.5, &mut way), Err(NoWay::BadNumber));
    assert_eq!(mesh.way_towards([99.0, 0.0], [5.0, 0.0], 0.5, &mut way), Err(NoWay::BadStart));
}

/// Query objects of several threads, in a mesh that changes between rounds, give the answers of the
/// mesh's own; and so does one object that is used with two meshes in turns.
#[test]
fn threads_search_one_mesh() {
    let mut random = Random(3);
    let scene = Scene { half: 20.0, outlines: (0..120).map(|_| rect(&mut random, 20.0)).collect() };
    let mut mesh = mesh(&scene, 1.0);
    let mut other = mesh.clone();
    let mut queries = [(); 4].map(|()| MeshQuery::default());
    let mut turns = MeshQuery::default();
    for round in 0..if cfg!(debug_assertions) { 3 } else { 30 } {
        let asks: Vec<[Vec2; 2]> =
            (0..40).map(|_| [narrow(random.place(20.0)), narrow(random.place(20.0))]).collect();
        let search = |mesh: &Mesh, query: &mut MeshQuery| -> Vec<_> {
            let mut way = Way::default();
            let ask = |[from, to]: &[Vec2; 2]| {
                let found =
                    query.way(mesh, *from, *to, 0.3, &mut way).map(|()| (way.length(), way.bends().to_vec()));
                let ray = query.ray(mesh, *from, *to, 0.3);
                (found, ray, query.reachable(mesh, *from, *to, 0.3), query.widest(mesh, *from, *to))
            };
            asks.iter().map(ask).collect()
        };
        let own = search(&mesh, &mut MeshQuery::default());
        let shared = &mesh;
        let all = std::thread::scope(|scope| {
            let search = &search;
            let threads: Vec<_> =
                queries.iter_mut().map(|query| scope.spawn(move || search(shared, query))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a thread")).collect::<Vec<_>>()
        });
        assert!(all.iter().all(|answers| *answers == own), "round {round}");
        let mut way = Way::default();
        for ([from, to], (found, ..)) in asks.iter().zip(&own) {
            let again = mesh.way(*from, *to, 0.3, &mut way).map(|()| (way.length(), way.bends().to_vec()));
            assert_eq!(again, *found, "round {round}");
        }
        for changed in [&mut mesh, &mut other] {
            let outline: Vec<Vec2> = rect(&mut random, 20.0).into_iter().map(narrow).collect();
            changed.add(&outline).expect("built");
            assert_eq!(
                search(changed, &mut turns),
                search(changed, &mut MeshQuery::default()),
                "round {round}"
            );
        }
    }
}
