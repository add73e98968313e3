//! How many instructions the hot kernels take, counted by callgrind: the same number on a noisy
//! machine as on a quiet one.
//!
//! In: nothing. Out: a line a job with its instructions by unit of work, and how far that is from
//! `instructions.txt`, where the numbers stand that are thought right. More than 5 % above it is a
//! failure; less, or more on purpose, is a reason to write the file anew:
//!
//! ```text
//! cargo bench -p carom-benches --bench instructions                      count and compare
//! cargo bench -p carom-benches --bench instructions -- pyramid           jobs whose name has this in it
//! cargo bench -p carom-benches --bench instructions -- --write           write instructions.txt
//! ```
//!
//! The program runs itself under valgrind, once a job, and counts what happens within [`measured`]
//! alone. Valgrind knows AVX2 and not AVX-512, so it is AVX2 code that is counted. Another compiler
//! makes another number: the file names the one it was written with, and under another one nothing
//! fails.

use carom::broadphase::{Activity, Grid};
use carom::prelude::*;
use carom::{Answers, PlacedShape};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::process::{Command, ExitCode};
use testkit::build::{add, steps};
use testkit::doll::{DollDef, doll};
use testkit::pyramid::places;
use testkit::random::Random;
use testkit::scenes::{CaromStage, joint_grid};

/// Share by which a job may take more than it did.
const ROOM: f64 = 0.05;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");

/// Name, unit of work, and what to do: prepares, calls [`measured`] and tells how many units that
/// was.
type Job = (&'static str, &'static str, fn() -> usize);

const JOBS: [Job; 15] = [
    ("grid", "box", grid),
    ("pyramid", "contact and step", pyramid),
    ("circles", "body and step", || heap(|_| Shape::circle(0.4))),
    ("mixed", "body and step", || heap(mixed)),
    ("bounces", "body and step", bounces),
    ("net", "joint and step", net),
    ("dolls", "body and step", dolls),
    ("free", "body and step", free),
    ("rays", "ray", rays),
    ("casts", "cast", casts),
    ("overlaps", "box", overlap_questions),
    ("nearest", "point", nearest),
    ("overlap_boxes", "pair", || pairs(&Shape::rect(1.0, 0.8), overlaps)),
    ("overlap_hexagons", "pair", || pairs(&Shape::regular(6, 0.5), overlaps)),
    ("contact_boxes", "pair", || {
        pairs(&Shape::rect(1.0, 0.8), |a, xa, b, xb| contact(a, xa, b, xb).is_some())
    }),
];

/// What is counted: the name by which callgrind finds it.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
    black_box(());
}

fn direction(angle: f32) -> Vec2 {
    Rot::from_angle(angle).x_axis()
}

fn space() -> World {
    World::new(WorldDef::default().gravity([0.0, 0.0]).sleepless())
}

fn earth() -> World {
    World::new(WorldDef::default().sleepless())
}

/// Ten steps after `before` others; what `unit` tells of them, times ten.
fn ten_steps(mut world: World, before: usize, unit: fn(&World) -> usize) -> usize {
    steps(&mut world, before);
    measured(&mut || steps(&mut world, 10));
    10 * unit(&world)
}

fn bodies(world: &World) -> usize {
    world.stats().awake
}

/// 10,000 boxes, each on its way.
fn grid() -> usize {
    const COUNT: u32 = 10_000;
    let mut grid = Grid::new();
    let at = |id: u32, frame: u32| {
        let angle = id as f32 * 2.4 + frame as f32 * 0.1;
        let middle = vec2((id % 100) as f32, (id / 100) as f32) * 1.2 + direction(angle);
        Aabb { min: middle - 0.5, max: middle + 0.5 }
    };
    let frame = |grid: &mut Grid, frame| {
        (0..COUNT).for_each(|id| grid.update(id, at(id, frame)));
        grid.find_pairs();
    };
    (0..COUNT).for_each(|id| grid.insert(id, at(id, 0), Activity::Active));
    (1..5).for_each(|k| frame(&mut grid, k));
    measured(&mut || (5..10).for_each(|k| frame(&mut grid, k)));
    5 * COUNT as usize
}

/// 40 rows of boxes at rest on each other, and kept awake.
fn pyramid() -> usize {
    let mut world = earth();
    add(&mut world, BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(200.0, 1.0)));
    for (_, at) in places(40, 1.1) {
        add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)));
    }
    ten_steps(world, 30, |world| world.stats().contacts)
}

fn mixed(k: usize) -> Shape {
    match k % 5 {
        0 => Shape::rect(0.8, 0.6),
        1 => Shape::capsule([-0.2, 0.0], [0.2, 0.0], 0.25),
        2 => Shape::triangle([-0.4, -0.3], [0.4, -0.3], [0.0, 0.5]),
        3 => Shape::regular(6, 0.45),
        _ => Shape::circle(0.4),
    }
}

/// 1,000 bodies that have fallen on each other.
fn heap(shape: fn(usize) -> Shape) -> usize {
    let mut world = earth();
    for (x, y, width, height) in [(0.0, -1.0, 40.0, 2.0), (-15.0, 20.0, 2.0, 40.0), (15.0, 20.0, 2.0, 40.0)] {
        add(&mut world, BodyDef::fixed().at([x, y]).shape(Shape::rect(width, height)));
    }
    for k in 0..1000 {
        let at = [(k % 25) as f32 * 1.1 - 13.0, (k / 25) as f32 * 1.1 + 0.6];
        add(&mut world, BodyDef::dynamic().at(at).angle(k as f32).shape(shape(k)));
    }
    ten_steps(world, 60, bodies)
}

/// 600 discs in a closed box that lose nothing.
fn bounces() -> usize {
    let mut world = space();
    let walls =
        [(0.0, -15.0, 32.0, 2.0), (0.0, 15.0, 32.0, 2.0), (-15.0, 0.0, 2.0, 32.0), (15.0, 0.0, 2.0, 32.0)];
    for (x, y, width, height) in walls {
        let wall = BodyDef::fixed().at([x, y]).shape(Shape::rect(width, height));
        add(&mut world, wall.material(Material::elastic()));
    }
    for k in 0..600 {
        let at = [(k % 25) as f32 * 1.1 - 13.0, (k / 25) as f32 * 1.1 - 13.0];
        let velocity = direction(k as f32 * 2.4) * 10.0;
        let disc = BodyDef::dynamic().at(at).velocity(velocity).shape(Shape::circle(0.3));
        add(&mut world, disc.material(Material::elastic()));
    }
    ten_steps(world, 30, bodies)
}

/// A net of 30 × 30 discs in its fall.
fn net() -> usize {
    let mut stage = CaromStage::new(earth());
    joint_grid::net(&mut stage, 30);
    ten_steps(stage.world, 30, |world| world.joints().count())
}

/// 40 dolls, some in the air and some on the ground.
fn dolls() -> usize {
    let mut world = earth();
    add(&mut world, BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(200.0, 2.0)));
    for k in 0..40 {
        let def = DollDef {
            at: vec2(2.5 * (k % 10) as f32, 3.0 + 2.5 * (k / 10) as f32),
            angle: 1.1 * k as f32,
            group: -1 - k,
            density: 1.0,
            friction: 0.05,
            muscle: Spring::new(5.0, 0.5),
            strength: f32::INFINITY,
        };
        doll(&mut world, &def);
    }
    ten_steps(world, 60, bodies)
}

/// 1,000 discs that meet nobody: what a body costs by itself.
fn free() -> usize {
    let mut world = space();
    for k in 0..1000 {
        let at = [(k % 32) as f32 * 5.0, (k / 32) as f32 * 5.0];
        add(&mut world, BodyDef::dynamic().at(at).velocity([1.0, 0.5]).spin(1.0).shape(Shape::circle(0.5)));
    }
    ten_steps(world, 30, bodies)
}

/// Through 10,000 boxes at rest.
fn rays() -> usize {
    const COUNT: usize = 1000;
    let mut world = space();
    for k in 0..10_000 {
        let at = [(k % 100) as f32 * 3.0, (k / 100) as f32 * 3.0];
        add(&mut world, BodyDef::fixed().at(at).angle(k as f32).shape(Shape::rect(1.0, 0.5)));
    }
    steps(&mut world, 2);
    let cast = |world: &World| {
        for k in 0..COUNT {
            let direction = direction(k as f32 * 2.4) * 60.0;
            black_box(world.ray(WorldRay::new([150.0, 150.0], direction), &QueryFilter::default()));
        }
    };
    cast(&world);
    measured(&mut || cast(&world));
    COUNT
}

/// 10,000 discs and boxes at rest, half of them fixed, as far apart as in `versus queries`; and
/// 1,000 places among them.
fn field() -> (World, Vec<Vec2>) {
    let mut random = Random::new(1);
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    for k in 0..10_000 {
        let at = 2.53 * vec2((k % 100) as f32, (k / 100) as f32) + random.square(0.5);
        let def = if random.unit() < 0.5 { BodyDef::fixed() } else { BodyDef::dynamic() };
        let (width, height) = (random.range(0.5, 1.0), random.range(0.5, 1.0));
        let is_disc = random.unit() < 0.5;
        let shape = if is_disc { Shape::circle(0.5 * width) } else { Shape::rect(width, height) };
        add(&mut world, def.at(at).shape(shape));
    }
    steps(&mut world, 2);
    let places = (0..1000).map(|_| vec2(126.0, 126.0) + random.square(126.0)).collect();
    (world, places)
}

/// The same questions twice; the second time is what counts. How many there were.
fn ask_twice(mut ask: impl FnMut() -> usize) -> usize {
    ask();
    let mut count = 0;
    measured(&mut || count = ask());
    count
}

/// A box of a metre flies 20 m.
fn casts() -> usize {
    let ((mut world, places), square, mut out) = (field(), Shape::rect(1.0, 1.0), Vec::new());
    let ways = places.iter().enumerate();
    let casts: Vec<ShapeCast> =
        ways.map(|(k, &at)| ShapeCast::new(&square, at, direction(k as f32 * 2.4) * 20.0)).collect();
    ask_twice(|| {
        world.casts(&casts, &QueryFilter::default(), &mut out);
        out.len()
    })
}

/// What a box of 4 m overlaps.
fn overlap_questions() -> usize {
    let ((mut world, places), square, mut out) = (field(), Shape::rect(4.0, 4.0), Answers::default());
    let placed: Vec<PlacedShape> = places.iter().map(|&at| PlacedShape::at(&square, at)).collect();
    ask_twice(|| {
        world.overlap_shapes(&placed, &QueryFilter::default(), &mut out);
        out.len()
    })
}

/// The nearest shape to a point.
fn nearest() -> usize {
    let ((mut world, places), mut out) = (field(), Vec::new());
    let points: Vec<WorldPoint> = places.iter().map(|&at| at.into()).collect();
    ask_twice(|| {
        world.nearest_to_points(&points, 20.0, &QueryFilter::default(), &mut out);
        out.len()
    })
}

/// 1,000 pairs of one shape, of which about half overlap.
fn pairs(shape: &Shape, ask: fn(&Shape, Transform, &Shape, Transform) -> bool) -> usize {
    let poses: Vec<(Transform, Transform)> = (0..1000)
        .map(|k| {
            let (k, turn) = (k as f32, direction(k as f32 * 2.4));
            (
                Transform::new(vec2(k, -k), 0.7 * k),
                Transform::new(vec2(k, -k) + turn * (0.3 + 0.0012 * k), 1.3 * k),
            )
        })
        .collect();
    let count = || poses.iter().filter(|&&(xa, xb)| ask(black_box(shape), xa, black_box(shape), xb)).count();
    let hits = count();
    assert!((300..700).contains(&hits), "{hits} of 1,000 pairs overlap");
    measured(&mut || {
        black_box(count());
    });
    poses.len()
}

/// Runs one job under valgrind: instructions by unit.
fn count(name: &str) -> Result<f64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            "--toggle-collect=*instructions*measured*",
        ])
        .arg(program)
        .args(["--job", name])
        .output()
        .map_err(|error| format!("valgrind does not start: {error}; on Debian: apt-get install valgrind"))?;
    let (told, units) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    let collected =
        told.lines().find_map(|line| line.split("Collected :").nth(1)?.trim().parse::<f64>().ok());
    match (collected, units.trim().parse::<f64>()) {
        (Some(instructions), Ok(units)) if units > 0.0 && instructions > 0.0 => Ok(instructions / units),
        _ => Err(format!("{name}: {}\n{told}", output.status)),
    }
}

/// What the file says: the compiler on its first line, then a job and a number a line.
fn known() -> (String, BTreeMap<String, f64>) {
    let text = std::fs::read_to_string(FILE).unwrap_or_default();
    let mut lines = text.lines();
    let compiler = lines.next().unwrap_or_default().to_string();
    let number = |line: &str| {
        let (name, number) = line.split_once(' ')?;
        Some((name.to_string(), number.trim().parse().ok()?))
    };
    (compiler, lines.filter_map(number).collect())
}

fn compiler() -> String {
    let output = Command::new(option_env!("RUSTC").unwrap_or("rustc")).arg("--version").output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string()).unwrap_or_default()
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [flag, name] = &words[..]
        && flag == "--job"
    {
        if let Some((_, _, job)) = JOBS.iter().find(|(known, ..)| known == name) {
            println!("{}", job());
        }
        return ExitCode::SUCCESS;
    }
    let writes = words.iter().any(|word| word == "--write");
    let wanted =
        |name: &str| writes || words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let (written_with, known) = known();
    let compiler = compiler();
    let (mut file, mut worse) = (format!("{compiler}\n"), Vec::new());
    for (name, unit, _) in JOBS.into_iter().filter(|(name, ..)| wanted(name)) {
        let now = match count(name) {
            Ok(now) => now,
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        };
        let change = known.get(name).map(|before| now / before - 1.0);
        let told = change.map_or_else(|| "new".to_string(), |change| format!("{:+.1} %", 100.0 * change));
        println!("{name:18} {now:10.1} instructions a {unit:18} {told}");
        let _ = writeln!(file, "{name} {now:.1}");
        if change.is_some_and(|change| change > ROOM) {
            worse.push(name);
        }
    }
    if writes {
        return match std::fs::write(FILE, file) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {FILE}: {error}");
                ExitCode::FAILURE
            }
        };
    }
    if compiler != written_with {
        println!("The numbers to compare with are those of another compiler: {written_with}");
        return ExitCode::SUCCESS;
    }
    if worse.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: more instructions than benches/instructions.txt allows: {}", worse.join(", "));
    ExitCode::FAILURE
}
