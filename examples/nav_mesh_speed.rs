//! How fast the mesh is: `cargo run --release -p carom-examples --example nav_mesh_speed [folder of
//! meshes]`.
//!
//! Prints a table in Markdown. Each time is the least of some rounds, or the median of many, for
//! others may be at work on the machine. With a folder, `aurora-merged.mesh` and
//! `arena-merged.mesh` in it (format 2 of polyanya) are measured, too: their polygons' outer edges
//! become walls.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use carom_nav::Vec2;
use carom_nav::mesh::{Mesh, MeshDef, ObstacleId, Way};

fn main() {
    println!("| what | time |\n|---|---|");
    for (count, half) in [(1_000, 100.0), (4_000, 200.0)] {
        rects(count, half);
    }
    if let Some(folder) = std::env::args().nth(1) {
        for name in ["arena-merged.mesh", "aurora-merged.mesh"] {
            published(name, &Path::new(&folder).join(name));
        }
    }
}

/// Linear congruences, upper bits.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    fn place(&mut self, half: f32) -> Vec2 {
        let x = (self.unit() * 2.0 - 1.0) * half;
        Vec2::new(x, (self.unit() * 2.0 - 1.0) * half)
    }

    /// A box of 1 to 5 m, turned.
    fn rect(&mut self, half: f32) -> [Vec2; 4] {
        let at = self.place(half);
        let (w, h) = (0.5 + 2.0 * self.unit(), 0.5 + 2.0 * self.unit());
        let t = self.unit();
        // A rational turn.
        let (c, s) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
        [(-w, -h), (w, -h), (w, h), (-w, h)].map(|(x, y)| at + Vec2::new(c * x - s * y, s * x + c * y))
    }
}

fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

fn row(what: &str, micros: f64) {
    let time = if micros >= 1e3 { format!("{:.2} ms", micros / 1e3) } else { format!("{micros:.2} us") };
    println!("| {what} | {time} |");
}

fn micros(run: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    run();
    begin.elapsed().as_secs_f64() * 1e6
}

/// What it takes on the processor, as Linux counts it; for what takes so long that other programs
/// come in between.
fn processor_micros(run: impl FnOnce()) -> f64 {
    let now = || {
        // Its count is up to date when it was given another turn.
        std::thread::yield_now();
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    let begin = now();
    let time = micros(run);
    begin.zip(now()).map_or(time, |(begin, end)| (end - begin) / 1e3)
}

fn spread(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

fn rects(count: usize, half: f32) {
    let mut random = Random(1);
    let rects: Vec<[Vec2; 4]> = (0..count).map(|_| random.rect(half)).collect();
    let def = MeshDef { half, max_radius: 1.0 };
    let mut mesh = Mesh::new(def).expect("a mesh");
    let mut ids = Vec::new();
    let mut least = f64::MAX;
    for _ in 0..10 {
        mesh = Mesh::new(def).expect("a mesh");
        let time = processor_micros(|| {
            mesh.add_all(rects.iter().map(|rect| rect.as_slice()), &mut ids).expect("built");
        });
        least = least.min(time);
    }
    row(&format!("{count} boxes built, for radii to 1 m ({} faces)", mesh.face_count()), least);

    let (mut into, mut out) = (Vec::new(), Vec::new());
    for _ in 0..2_000 {
        let rect = random.rect(half);
        let mut id: Option<ObstacleId> = None;
        into.push(micros(|| id = Some(mesh.add(&rect).expect("built"))));
        out.push(micros(|| {
            mesh.remove(id.expect("added"));
        }));
    }
    let ((in_mid, in_late), (out_mid, out_late)) = (spread(into), spread(out));
    row("one box in, median", in_mid);
    row("one box in, 99 of 100", in_late);
    row("one box out, median", out_mid);
    row("one box out, 99 of 100", out_late);

    for radius in [0.0, 0.5, 1.0] {
        ways(&mut mesh, &mut random, half, radius);
    }
    let forest = processor_micros(|| {
        let id = mesh.add(&random.rect(half)).expect("built");
        mesh.remove(id);
        mesh.reachable(Vec2::ZERO, Vec2::ONE, 0.5);
    });
    row("the first `reachable` after a change", forest);
    let pairs: Vec<(Vec2, Vec2)> = (0..1000).map(|_| (random.place(half), random.place(half))).collect();
    let free: Vec<_> =
        pairs.into_iter().filter(|&(a, b)| mesh.widest(a, b).is_some_and(|w| w > 0.5)).collect();
    let (mut reachable, mut widest) = (f64::MAX, f64::MAX);
    for _ in 0..20 {
        let mut count = 0;
        reachable = reachable.min(micros(|| {
            count += free.iter().filter(|&&(a, b)| mesh.reachable(a, b, 0.5)).count();
        }));
        assert_eq!(count, free.len());
        widest = widest.min(micros(|| {
            count += free.iter().filter(|&&(a, b)| mesh.widest(a, b).is_some()).count();
        }));
    }
    row("`reachable`", reachable / free.len() as f64);
    row("`widest`", widest / free.len() as f64);
}

fn ways(mesh: &mut Mesh, random: &mut Random, half: f32, radius: f32) {
    let mut way = Way::default();
    let mut pairs = Vec::new();
    while pairs.len() < 300 {
        let (a, b) = (random.place(half), random.place(half));
        if mesh.way(a, b, radius, &mut way).is_ok() && !way.from_moved() && !way.to_moved() {
            pairs.push((a, b));
        }
    }
    let mut least = f64::MAX;
    let mut expansions = 0;
    for _ in 0..5 {
        expansions = 0;
        least = least.min(processor_micros(|| {
            for &(a, b) in &pairs {
                mesh.way(a, b, radius, &mut way).expect("a way");
                expansions += mesh.expansions();
            }
        }));
    }
    let each = expansions as f64 / pairs.len() as f64;
    row(&format!("a way at radius {radius} ({each:.0} corners)"), least / pairs.len() as f64);
    first(mesh, &pairs, radius);
}

/// The same ways on a mesh that has kept nothing from earlier ones.
fn first(mesh: &Mesh, pairs: &[(Vec2, Vec2)], radius: f32) {
    let (mut image, mut way) = (Vec::new(), Way::default());
    mesh.save_into(&mut image);
    let mut first = 0.0;
    for &(a, b) in &pairs[..10] {
        let mut fresh = Mesh::load(&image).expect("just saved");
        first += micros(|| fresh.way(a, b, radius, &mut way).expect("a way")) / 10.0;
    }
    row(&format!("the first way at radius {radius}"), first);
    let mut fresh = Mesh::load(&image).expect("just saved");
    let all = processor_micros(|| {
        pairs.iter().for_each(|&(a, b)| fresh.way(a, b, radius, &mut way).expect("a way"))
    });
    row(&format!("the first {} ways at radius {radius}, each", pairs.len()), all / pairs.len() as f64);
}

/// The walls of a published mesh: edges of its polygons with nothing on the other side, as chains.
fn walls(text: &str) -> Option<(Vec<Vec<Vec2>>, Vec<Vec2>)> {
    let mut words = text.split_whitespace().skip(2);
    let mut number = || words.next().and_then(|word| word.parse::<f64>().ok());
    let (vertices, polygons) = (number()? as usize, number()? as usize);
    let mut at = Vec::new();
    for _ in 0..vertices {
        at.push(Vec2::new(number()? as f32, number()? as f32));
        for _ in 0..number()? as usize {
            number()?;
        }
    }
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut middles = Vec::new();
    for _ in 0..polygons {
        let count = number()? as usize;
        let corners: Vec<usize> = (0..count).map(|_| number().map(|v| v as usize)).collect::<Option<_>>()?;
        let beside: Vec<f64> = (0..count).map(|_| number()).collect::<Option<_>>()?;
        for k in 0..count {
            // Neighbour k lies beyond the edge from corner k - 1 to corner k.
            if beside[k] < 0.0 {
                next.entry(corners[(k + count - 1) % count]).or_default().push(corners[k]);
            }
        }
        middles.push(corners.iter().map(|&c| at[c]).sum::<Vec2>() / count as f32);
    }
    let mut chains = Vec::new();
    while let Some(&start) = next.keys().next() {
        let mut chain = vec![at[start]];
        let mut corner = start;
        while let Some(ends) = next.get_mut(&corner) {
            let end = ends.pop().expect("no empty lists stay");
            if ends.is_empty() {
                next.remove(&corner);
            }
            chain.push(at[end]);
            corner = end;
            if corner == start {
                break;
            }
        }
        chains.push(chain);
    }
    Some((chains, middles))
}

fn published(name: &str, file: &Path) {
    let Ok(text) = std::fs::read_to_string(file) else {
        println!("| {name} | not there |");
        return;
    };
    let (chains, middles) = walls(&text).expect("format 2");
    let reach = chains.iter().flatten().fold(1.0, |most, p| [most, p.x, p.y].into_iter().fold(1.0, greater));
    let shift = Vec2::splat(reach / 2.0);
    let half = reach / 2.0 + 1.0;
    let mut least = f64::MAX;
    let mut mesh = Mesh::new(MeshDef { half, max_radius: 0.0 }).expect("a mesh");
    for _ in 0..3 {
        mesh = Mesh::new(MeshDef { half, max_radius: 0.0 }).expect("a mesh");
        let chains: Vec<Vec<Vec2>> =
            chains.iter().map(|chain| chain.iter().map(|&p| p - shift).collect()).collect();
        least = least.min(processor_micros(|| {
            for chain in &chains {
                mesh.add_wall(chain).expect("built");
            }
        }));
    }
    mesh.audit().expect("sound");
    row(&format!("{name} built at radius 0 ({} faces)", mesh.face_count()), least);
    let mut random = Random(1);
    let mut way = Way::default();
    let mut pairs = Vec::new();
    while pairs.len() < 500 {
        let mut pick = || middles[(random.unit() * middles.len() as f32) as usize % middles.len()] - shift;
        let (a, b) = (pick(), pick());
        if mesh.way(a, b, 0.0, &mut way).is_ok() {
            pairs.push((a, b));
        }
    }
    let mut least = f64::MAX;
    let mut expansions = 0;
    for _ in 0..5 {
        expansions = 0;
        least = least.min(processor_micros(|| {
            for &(a, b) in &pairs {
                mesh.way(a, b, 0.0, &mut way).expect("a way");
                expansions += mesh.expansions();
            }
        }));
    }
    let each = expansions as f64 / pairs.len() as f64;
    row(&format!("{name}: a way at radius 0 ({each:.0} corners)"), least / pairs.len() as f64);
    first(&mesh, &pairs, 0.0);
}
