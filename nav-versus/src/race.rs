//! The mesh beside polyanya's among turned boxes: built, changed, asked, in one run.
//!
//! polyanya has a mesh for each radius, inflated, and builds it anew after a change; here one mesh
//! serves all radii up to a metre. Its ways are held against ours: at radius 0 both are shortest,
//! at 0.5 polyanya's turn about corners inflated with straight edges, which cut the arcs, so they
//! are a little shorter.

use carom_nav::mesh::{Mesh, MeshDef, Way};
use glam::Vec2;
use polyanya::Triangulation;
use testkit::random::Random;

use crate::{least, mean, timed};

/// A box of 1 to 5 m, turned.
fn rect(random: &mut Random, half: f32) -> [Vec2; 4] {
    let at = place(random, half);
    let (w, h, t) = (random.range(0.5_f32, 2.5), random.range(0.5_f32, 2.5), random.range(0.0_f32, 1.0));
    // A rational turn.
    let (c, s) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
    [(-w, -h), (w, -h), (w, h), (-w, h)].map(|(x, y)| at + Vec2::new(c * x - s * y, s * x + c * y))
}

fn place(random: &mut Random, half: f32) -> Vec2 {
    Vec2::new(random.range(-half, half), random.range(-half, half))
}

fn median(mut times: Vec<f64>, share: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times[((times.len() - 1) as f64 * share) as usize]
}

pub(crate) fn run() {
    println!("## Mesh: polyanya on the same turned boxes\n");
    println!(
        "Times in µs; polyanya's first, then ours. Length: polyanya's in all over ours in all; one of us: ways that only one finds.\n"
    );
    let mut questions = String::new();
    println!(
        "| boxes | radius | built | built, ours | a box in, out, 99 of 100 out | ways | a way | a way, ours | length | only polyanya, only ours |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    for (count, half) in [(1_000, 100.0), (4_000, 200.0)] {
        let mut random = Random::new(1);
        let rects: Vec<[Vec2; 4]> = (0..count).map(|_| rect(&mut random, half)).collect();
        let mut ids = Vec::new();
        let def = MeshDef { half, max_radius: 1.0 };
        let build = || {
            let mut mesh = Mesh::new(def).expect("a mesh");
            mesh.add_all(rects.iter().map(|rect| rect.as_slice()), &mut ids).expect("built");
            mesh
        };
        let (built, mut mesh) = mean(10, build);
        let edits = edits(&mut mesh, &mut random, half);
        for radius in [0.0, 0.5] {
            let (rival_built, rival) = mean(1, || inflated(&rects, half, radius));
            let tally = ways(&mut mesh, &rival, &mut random, (half, radius));
            println!(
                "| {count} | {radius} | {rival_built:.0} | {built:.0} | {edits} | {} | {:.0} | {:.0} | {:.4} | {}, {} |",
                tally.both,
                tally.rival / f64::from(tally.both.max(1)),
                tally.ours / f64::from(tally.both.max(1)),
                tally.lengths[0] / tally.lengths[1],
                tally.only[0],
                tally.only[1],
            );
        }
        questions += &ask(&mut mesh, &mut random, (count, half));
    }
    println!(
        "\n| boxes | `reachable` at radius 0.5, ns | `widest`, ns | the first after a change, µs |\n|---|---|---|---|"
    );
    println!("{questions}");
}

/// What a question without a way costs: 20,000 pairs of places on free land, each asked once a
/// round.
fn ask(mesh: &mut Mesh, random: &mut Random, (count, half): (usize, f32)) -> String {
    let mut pairs = Vec::new();
    while pairs.len() < 20_000 {
        let pair = (place(random, half), place(random, half));
        if mesh.widest(pair.0, pair.1).is_some_and(|widest| widest > 0.5) {
            pairs.push(pair);
        }
    }
    let asked = pairs.len() as f64;
    let (reachable, found) =
        mean(9, || pairs.iter().filter(|(from, to)| mesh.reachable(*from, *to, 0.5)).count());
    assert_eq!(found, pairs.len());
    let (widest, found) =
        mean(9, || pairs.iter().filter(|(from, to)| mesh.widest(*from, *to).is_some()).count());
    assert_eq!(found, pairs.len());
    let (first, _) = mean(20, || {
        let id = mesh.add(&rect(random, half)).expect("built");
        mesh.remove(id);
        mesh.reachable(pairs[0].0, pairs[0].1, 0.5)
    });
    let each = |micros: f64| micros * 1e3 / asked;
    format!("| {count} | {:.0} | {:.0} | {first:.0} |\n", each(reachable), each(widest))
}

fn edits(mesh: &mut Mesh, random: &mut Random, half: f32) -> String {
    let (mut into, mut out) = (Vec::new(), Vec::new());
    for _ in 0..2_000 {
        let rect = rect(random, half);
        let (micros, id) = timed(&mut || mesh.add(&rect).expect("built"));
        into.push(micros);
        out.push(timed(&mut || mesh.remove(id)).0);
    }
    format!("{:.0}, {:.0}, {:.0}", median(into, 0.5), median(out.clone(), 0.5), median(out, 0.99))
}

fn inflated(rects: &[[Vec2; 4]], half: f32, radius: f32) -> polyanya::Mesh {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let mut land = Triangulation::from_outer_edges(&corners.map(|(x, y)| Vec2::new(x, y) * half));
    if radius > 0.0 {
        land.set_agent_radius(radius);
        land.agent_radius_on_outer_edge(true);
    }
    land.add_obstacles(rects.iter().map(|rect| rect.to_vec()));
    let mut mesh = land.as_navmesh();
    mesh.bake();
    mesh
}

#[derive(Default)]
struct Tally {
    both: u32,
    only: [u32; 2],
    rival: f64,
    ours: f64,
    lengths: [f64; 2],
}

fn ways(mesh: &mut Mesh, rival: &polyanya::Mesh, random: &mut Random, (half, radius): (f32, f32)) -> Tally {
    let (mut tally, mut way) = (Tally::default(), Way::default());
    // What a mesh keeps from earlier ways is there, as in a game.
    for _ in 0..300 {
        let _ = mesh.way(place(random, half), place(random, half), radius, &mut way);
    }
    for _ in 0..200 {
        let (from, to) = (place(random, half), place(random, half));
        let (ours, found) = least(3, || mesh.way(from, to, radius, &mut way));
        let is_ours = found.is_ok() && !way.from_moved() && !way.to_moved();
        if found.is_ok() && !is_ours {
            continue;
        }
        let (micros, path) = least(3, || rival.path(from, to));
        match (path, is_ours) {
            (Some(path), true) => {
                tally.both += 1;
                tally.rival += micros;
                tally.ours += ours;
                tally.lengths[0] += f64::from(path.length);
                tally.lengths[1] += way.length();
            }
            (Some(_), false) => tally.only[0] += 1,
            (None, true) => tally.only[1] += 1,
            (None, false) => {}
        }
    }
    tally
}
