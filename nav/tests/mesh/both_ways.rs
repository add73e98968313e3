//! Tests of ways there and back, and in meshes of the same obstacles added in other orders, against
//! the shortest ways by brute force. Not reached: all of them. Of 500,463 ways 54 are longer or not
//! found, 48 of them among boxes that touch and chains of thin boxes; each kind has its share.
//! Obstacles are boxes, stars, tiles, boxes that touch, and chains of thin boxes; places lie
//! anywhere, in corners, in touch with walls, and inside of obstacles, which moves them.
//!
//! `NAV_WAYS=1000000 cargo test --release -p carom-nav --test mesh both_ways -- --nocapture` tests
//! this many ways of each kind.

use std::time::{Duration, Instant};

use carom_nav::mesh::{Mesh, NoWay, Way};
use glam::DVec2;

use crate::common::{Random, UNIT, is_valid, mesh, narrow, rect, star, tile, whole, wide};
use crate::tangents::Scene;

/// One way in this many is compared with brute force even if it is as long as the way back.
const CHECKED: usize = 64;

fn ways() -> usize {
    let few = if cfg!(debug_assertions) { 400 } else { 10_000 };
    std::env::var("NAV_WAYS").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

/// Counts of results.
#[derive(Default, Debug)]
struct Tally {
    ways: usize,
    apart: usize,
    moved: usize,
    long: usize,
    missing: usize,
    invalid: usize,
    short: usize,
    outside: usize,
}

impl Tally {
    fn wrong(&self) -> usize {
        self.long + self.missing + self.invalid + self.short + self.outside
    }
}

/// A box with a corner on an edge of another box, or off the edge by up to some units.
fn touching(random: &mut Random, last: &[DVec2]) -> Vec<DVec2> {
    let k = random.below(last.len());
    let (a, b) = (last[k], last[(k + 1) % last.len()]);
    let out = -(b - a).perp().normalize();
    let off = [0.0, 0.0, 1.0, 3.0, 20.0, 2_000.0][random.below(6)] * UNIT;
    let corner = a.lerp(b, random.unit()) + out * off;
    let along = DVec2::from_angle(out.to_angle() + random.between(-1.5, 0.0));
    let (u, v) = (along * random.between(0.2, 1.5), along.perp() * random.between(0.2, 1.0));
    [corner, corner + u, corner + u + v, corner + v].map(whole).to_vec()
}

/// A thin box at the end of another box.
fn thin(random: &mut Random, last: &[DVec2]) -> Vec<DVec2> {
    let corner = last[2];
    let along = DVec2::from_angle(random.between(0.0, 6.3));
    let (u, v) = (along * random.between(0.5, 2.5), along.perp() * random.between(0.001, 0.03));
    [corner, corner + u, corner + u + v, corner + v].map(whole).to_vec()
}

fn is_on(outline: &[DVec2], half: f64) -> bool {
    outline.iter().all(|p| p.x.abs() < half && p.y.abs() < half)
}

/// Obstacles of a kind.
fn scene(random: &mut Random, kind: usize) -> Scene {
    let half = 5.0;
    let count = 2 + random.below(9);
    let mut outlines: Vec<Vec<DVec2>> = Vec::new();
    while outlines.len() < count {
        let last = outlines.last().cloned();
        let next = match (kind, last) {
            (1, _) => star(random, half - 1.0),
            (2, _) => tile(random, half - 1.0),
            (3, Some(last)) if random.below(4) > 0 => touching(random, &last),
            (4, Some(last)) if random.below(4) > 0 => thin(random, &last),
            _ => rect(random, half - 1.0),
        };
        if kind < 3 || is_on(&next, half) {
            outlines.push(next);
        }
    }
    Scene { outlines, half }
}

/// A place at which a disc may touch one wall or two.
fn place(random: &mut Random, scene: &Scene, r: f64) -> DVec2 {
    let outline = &scene.outlines[random.below(scene.outlines.len())];
    let k = random.below(outline.len());
    let (a, b) = (outline[k], outline[(k + 1) % outline.len()]);
    let off = r + [0.0, 1.0, 3.0, 30.0][random.below(4)] * UNIT;
    match random.below(5) {
        0 => {
            let out = -(b - a).perp().normalize_or(DVec2::X);
            whole(a.lerp(b, random.unit()) + out * off)
        }
        1 => whole(a + DVec2::from_angle(random.between(0.0, 6.3)) * off),
        // In a corner of the border, or beside it.
        2 if random.below(4) == 0 => {
            let edge = scene.half - off;
            whole(DVec2::new(edge, if random.below(2) == 0 { edge } else { random.between(-edge, edge) }))
        }
        _ => random.place(scene.half),
    }
}

/// The lengths of the shortest ways of two discs: one some units thicker, unless an end is as near
/// to a wall as the disc, and one thinner.
fn oracle(scene: &Scene, from: DVec2, to: DVec2, r: f64) -> [Option<f64>; 2] {
    [r + 8.0 * UNIT, (r - 4.0 * UNIT).max(0.0)].map(|r| scene.shortest_from_walls(from, to, r))
}

fn length(mesh: &mut Mesh, from: DVec2, to: DVec2, r: f64, way: &mut Way) -> Option<f64> {
    match mesh.way(narrow(from), narrow(to), r as f32, way) {
        Ok(()) => Some(way.length()),
        Err(NoWay::Apart) => None,
        Err(error) => panic!("{error} from {from} to {to}"),
    }
}

fn differ(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() > 1e-4 + 1e-4 * a.min(b),
        (a, b) => a.is_some() != b.is_some(),
    }
}

/// Requests a way there, back, and there with obstacles in another order.
fn compare(scene: &Scene, meshes: &mut [Mesh], random: &mut Random, r: f64, what: &str, tally: &mut Tally) {
    let (asked_from, asked_to) = (place(random, scene, r), place(random, scene, r));
    let mut way = Way::default();
    let first = meshes[0].way(narrow(asked_from), narrow(asked_to), r as f32, &mut way);
    if matches!(first, Err(NoWay::BadStart | NoWay::BadGoal)) {
        return;
    }
    tally.ways += 1;
    let (from, to) = (wide(way.start()), wide(way.goal()));
    let room = scene.room(from).min(scene.room(to));
    let what = || {
        format!(
            "{what} radius {r}, asked from {asked_from} to {asked_to}, from {from} to {to}, room {:.1} units less",
            (r - room) / UNIT
        )
    };
    tally.moved += usize::from(way.from_moved() || way.to_moved());
    if room < r - 4.0 * UNIT {
        tally.outside += 1;
        println!("{}: outside, an end does not hold the disc", what());
        return;
    }
    // A point on a wall may be on the wall's other side in the other mesh, because walls are moved.
    if room < 2.0 * UNIT {
        return;
    }
    let there = first.is_ok().then_some(way.length());
    if there.is_some()
        && let Err(rule) = is_valid(scene, &way)
    {
        tally.invalid += 1;
        println!("{}: {rule}", what());
    }
    let mut lengths = vec![there, length(&mut meshes[0], to, from, r, &mut way)];
    for mesh in &mut meshes[1..] {
        lengths.push(length(mesh, from, to, r, &mut way));
    }
    tally.apart += usize::from(there.is_none());
    if !lengths.iter().any(|&other| differ(there, other)) && random.below(CHECKED) > 0 {
        return;
    }
    let [thick, thin] = oracle(scene, from, to, r);
    let is_long = |length: &Option<f64>| match (*length, thick) {
        (Some(length), Some(thick)) => length > thick * 1.0001 + 1e-4,
        _ => false,
    };
    let is_short = |length: &Option<f64>| match (*length, thin) {
        (Some(length), Some(thin)) => length < thin * (1.0 - 1e-5) - 1e-4,
        (Some(_), None) => true,
        _ => false,
    };
    let is_missing = thick.is_some() && lengths.iter().any(Option::is_none);
    if lengths.iter().any(is_long) {
        tally.long += 1;
        println!("{}: long {lengths:?} {thick:?}", what());
    } else if is_missing {
        tally.missing += 1;
        println!("{}: missing {lengths:?} {thick:?}", what());
    } else if lengths.iter().any(is_short) {
        tally.short += 1;
        println!("{}: short {lengths:?} {thin:?}", what());
    }
}

/// Requests ways among obstacles of a kind; one in `share` may be wrong.
fn run(kind: usize, share: usize) {
    let mut tally = Tally::default();
    let mut seed = 0;
    while tally.ways < ways() {
        seed += 1;
        let mut random = Random(seed);
        let scene = scene(&mut random, kind);
        let mut other = Scene { outlines: scene.outlines.clone(), half: scene.half };
        for k in (1..other.outlines.len()).rev() {
            other.outlines.swap(k, random.below(k + 1));
        }
        let mut meshes = [mesh(&scene, 2.0), mesh(&other, 2.0)];
        for &r in &[0.0, 0.1, 0.3, 0.5, 0.8] {
            for _ in 0..20 {
                compare(&scene, &mut meshes, &mut random, r, &format!("kind {kind} seed {seed}"), &mut tally);
            }
        }
    }
    println!("kind {kind}: {} wrong of {} {tally:?}", tally.wrong(), tally.ways);
    assert!(tally.wrong() * share <= tally.ways, "{tally:?}");
    assert_eq!(tally.invalid + tally.short + tally.outside, 0, "{tally:?}");
}

#[test]
fn ways_among_boxes_are_the_same_both_ways() {
    run(0, 10000);
}

#[test]
fn ways_among_stars_are_the_same_both_ways() {
    run(1, 5000);
}

#[test]
fn ways_among_tiles_are_the_same_both_ways() {
    run(2, 20000);
}

#[test]
fn ways_among_boxes_that_touch_are_the_same_both_ways() {
    run(3, 1500);
}

#[test]
fn ways_among_chains_of_thin_boxes_are_the_same_both_ways() {
    run(4, 1500);
}

/// A request whose place has no valid place near by is refused at once.
#[test]
fn a_disc_that_fits_nowhere_is_refused_soon() {
    let scenes = if cfg!(debug_assertions) { 4 } else { 100 };
    let mut times = Vec::new();
    for seed in 0..scenes {
        let mut random = Random(seed);
        let outlines = (0..[3, 12, 40][random.below(3)]).map(|_| rect(&mut random, 5.0)).collect();
        let scene = Scene { outlines, half: 5.0 };
        let mut mesh = mesh(&scene, 6.0);
        let mut way = Way::default();
        for _ in 0..20 {
            let r = [1.0, 2.0, 6.0][random.below(3)];
            let (from, to) = (random.place(6.2), random.place(6.2));
            let begin = Instant::now();
            let found = mesh.way(narrow(from), narrow(to), r as f32, &mut way);
            if matches!(found, Err(NoWay::BadStart | NoWay::BadGoal)) {
                times.push(begin.elapsed());
                continue;
            }
            for end in [way.start(), way.goal()] {
                let room = scene.room(wide(end));
                assert!(room > r - 6.0 * UNIT, "seed {seed}: {end} holds a disc of {room}, not of {r}");
            }
        }
    }
    times.sort();
    let (median, most) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    println!("{} refused: median {median:?}, 99 of 100 {most:?}", times.len());
    // Ten times the usual time, for busy machines.
    let limit = Duration::from_millis(if cfg!(debug_assertions) { 100 } else { 5 });
    assert!(most < limit, "{most:?}");
}
