//! How many boxes and pairs a second the broadphase manages, by scene and by number of boxes.
//!
//! ```text
//! cargo run --release -p carom-examples --features full --example profile                                a short look, some seconds
//! cargo run --release -p carom-examples --features full --example profile -- broadphase                  up to 100,000 boxes
//! cargo run --release -p carom-examples --features full --example profile -- broadphase --max 1000000 --out profile
//! ```
//!
//! carom's `Grid` stands beside parry2d's `Bvh`. Both are given the same boxes in the same frames,
//! and find all pairs of which at least one box moves; a difference in their number ends the
//! program. Prints a table, and leaves it as `profile.csv`, and as a chart in `profile.svg`, in
//! `out/` or where `--out` says.
//!
//! ```text
//!   packed        boxes of 0.5 to 1 m, evenly spread, about 3 pairs a box
//!   sparse        the same with room: one pair in ten boxes
//!   clustered     heaps, dense in the middle, far apart
//!   mixed         sides 1 : 100, evenly on a logarithmic scale
//!   mostly_fixed  packed, of which one box in a hundred moves
//! ```
//!
//! A frame's time holds the new places of what moves, the update of the tree or grid, and the
//! pairs. carom's pairs come sorted, with what is new and what is gone; parry2d's in any order.
//! Memory is what the process grew by in a child process of its own, and an estimate: a small scene
//! is lost among pages of 4 KiB.

use carom::Aabb;
use carom::broadphase::{Activity, Grid};
use indicatif::{ProgressBar, ProgressStyle};
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use plotters::prelude::*;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, process};
use testkit::boxes::{MovingBox, Spread};

/// Boxes of the largest scene where nothing else is said, and in the short look.
const USUAL_MAX: usize = 100_000;
const SHORT_MAX: usize = 10_000;
/// Frames of one measurement: as many as fit into its time, within these bounds.
const FRAMES: core::ops::RangeInclusive<usize> = 15..=500;
/// Frames until a box turns back. They take the branch predictor's memory away.
const WAY: usize = 32;
const USAGE: &str = "usage: profile [broadphase [--max BOXES] [--out FOLDER]]";

type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> Fallible<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    if let [word, library, scene, count] = &args[..]
        && word == "memory"
    {
        return memory_child(library, scene, count.parse()?);
    }
    let plan = Plan::from(&args)?;
    let rows = plan.run()?;
    fs::create_dir_all(&plan.out)?;
    fs::write(plan.out.join("profile.csv"), csv(&rows))?;
    chart(&rows, &plan.out.join("profile.svg"))?;
    println!("{}", table(&rows));
    println!("left in {}: profile.csv, profile.svg", plan.out.display());
    Ok(())
}

/// What to measure, and where to leave it.
struct Plan {
    sizes: Vec<usize>,
    time_each: Duration,
    out: PathBuf,
}

impl Plan {
    fn from(args: &[String]) -> Fallible<Plan> {
        let (mut max, mut out, mut time_each) = (SHORT_MAX, PathBuf::from("out"), Duration::from_millis(60));
        let mut words = args.iter();
        match words.next().map(String::as_str) {
            None => {}
            Some("broadphase") => (max, time_each) = (USUAL_MAX, Duration::from_millis(600)),
            Some(_) => return Err(USAGE.into()),
        }
        while let Some(word) = words.next() {
            let value = words.next().ok_or(USAGE)?;
            match word.as_str() {
                "--max" => max = value.parse()?,
                "--out" => out = value.into(),
                _ => return Err(USAGE.into()),
            }
        }
        let steps = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
        let sizes: Vec<usize> = steps.into_iter().filter(|&size| size <= max).collect();
        if sizes.is_empty() {
            Err("--max is 1000 at least".into())
        } else {
            Ok(Plan { sizes, time_each, out })
        }
    }

    fn run(&self) -> Fallible<Vec<Row>> {
        // Draws nothing unless the standard error is a terminal.
        let bar = ProgressBar::new((Scene::ALL.len() * self.sizes.len() * Library::ALL.len()) as u64);
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}")?);
        let mut rows = Vec::new();
        for scene in Scene::ALL {
            for &count in &self.sizes {
                for library in Library::ALL {
                    bar.set_message(format!("{} {count} {}", scene.name(), library.name()));
                    rows.push(measure(scene, library, count, self.time_each)?);
                    bar.inc(1);
                }
                let [.., ours, theirs] = &rows[..] else { continue };
                if ours.first_pairs != theirs.first_pairs {
                    return Err(format!("{} {count}: the two disagree about pairs", scene.name()).into());
                }
            }
        }
        bar.finish_and_clear();
        Ok(rows)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Scene {
    Packed,
    Sparse,
    Clustered,
    Mixed,
    MostlyFixed,
}

impl Scene {
    const ALL: [Scene; 5] =
        [Scene::Packed, Scene::Sparse, Scene::Clustered, Scene::Mixed, Scene::MostlyFixed];

    fn name(self) -> &'static str {
        match self {
            Scene::Packed => "packed",
            Scene::Sparse => "sparse",
            Scene::Clustered => "clustered",
            Scene::Mixed => "mixed",
            Scene::MostlyFixed => "mostly_fixed",
        }
    }

    /// Of how many boxes one moves.
    fn movers(self) -> usize {
        if self == Scene::MostlyFixed { 100 } else { 1 }
    }

    fn boxes(self, count: usize) -> Vec<MovingBox> {
        let spread = match self {
            Scene::Packed | Scene::MostlyFixed => Spread::Packed,
            Scene::Sparse => Spread::Sparse,
            Scene::Clustered => Spread::Clustered,
            Scene::Mixed => Spread::Mixed,
        };
        spread.boxes(count, 0.02)
    }
}

/// How far boxes are on their way at a frame: to and fro.
fn way(frame: usize) -> f32 {
    ((frame % WAY) as f32 - WAY as f32 / 2.0).abs()
}

/// What is measured: boxes in, the number of pairs out.
trait Broadphase {
    /// Gives every `every`-th box its new place, and finds pairs.
    fn frame(&mut self, boxes: &[Aabb], every: usize) -> usize;
}

#[derive(Clone, Copy, PartialEq)]
enum Library {
    Carom,
    Parry,
}

impl Library {
    const ALL: [Library; 2] = [Library::Carom, Library::Parry];

    fn name(self) -> &'static str {
        match self {
            Library::Carom => "carom",
            Library::Parry => "parry2d",
        }
    }

    fn build(self, boxes: &[Aabb], every: usize) -> Box<dyn Broadphase> {
        match self {
            Library::Carom => {
                let mut grid = Grid::new();
                for (id, &aabb) in boxes.iter().enumerate() {
                    let activity = if id % every == 0 { Activity::Active } else { Activity::Resting };
                    grid.insert(id as u32, aabb, activity);
                }
                Box::new(grid)
            }
            Library::Parry => {
                let tree = |moves: bool| {
                    let chosen = boxes.iter().enumerate().filter(|(id, _)| (id % every == 0) == moves);
                    let leaves: Vec<_> = chosen.map(|(_, aabb)| parry_box(aabb)).collect();
                    Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves)
                };
                let (moving, resting) = (tree(true), tree(false));
                Box::new(Trees { moving, resting, workspace: BvhWorkspace::default(), pairs: Vec::new() })
            }
        }
    }
}

impl Broadphase for Grid {
    fn frame(&mut self, boxes: &[Aabb], every: usize) -> usize {
        for (id, &aabb) in boxes.iter().enumerate().step_by(every) {
            self.update(id as u32, aabb);
        }
        self.find_pairs();
        self.pairs().len()
    }
}

/// parry2d's way: a tree of what moves, and one of what rests, which needs no care.
struct Trees {
    moving: Bvh,
    resting: Bvh,
    workspace: BvhWorkspace,
    pairs: Vec<(u32, u32)>,
}

impl Broadphase for Trees {
    fn frame(&mut self, boxes: &[Aabb], every: usize) -> usize {
        let Trees { moving, resting, workspace, pairs } = self;
        let movers = || boxes.iter().step_by(every).map(parry_box).zip(0_u32..);
        for (aabb, id) in movers() {
            moving.insert_or_update_partially(aabb, id, 0.0);
        }
        moving.refit(workspace);
        pairs.clear();
        moving.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| pairs.push((a, b)));
        if every > 1 {
            for (aabb, id) in movers() {
                pairs.extend(resting.intersect_aabb(&aabb).map(|other| (id, other)));
            }
        }
        pairs.len()
    }
}

fn parry_box(aabb: &Aabb) -> parry2d::bounding_volume::Aabb {
    parry2d::bounding_volume::Aabb::new(aabb.min, aabb.max)
}

/// One line of the table.
struct Row {
    scene: Scene,
    library: Library,
    count: usize,
    /// Pairs in each of the frames that every measurement has.
    first_pairs: Vec<usize>,
    /// Of one frame, in seconds.
    median: f64,
    p99: f64,
    /// Bytes a box, where the system tells.
    memory: Option<f64>,
}

impl Row {
    fn pairs(&self) -> usize {
        self.first_pairs[0]
    }

    fn boxes_per_second(&self) -> f64 {
        self.count as f64 / self.median
    }

    fn pairs_per_second(&self) -> f64 {
        self.pairs() as f64 / self.median
    }

    fn nanoseconds_a_box(&self) -> f64 {
        self.median * 1.0e9 / self.count as f64
    }
}

fn measure(scene: Scene, library: Library, count: usize, time: Duration) -> Fallible<Row> {
    let bodies = scene.boxes(count);
    let mut boxes: Vec<Aabb> = bodies.iter().map(|body| body.at(way(0))).collect();
    let mut broadphase = library.build(&boxes, scene.movers());
    let (mut times, mut first_pairs) = (Vec::new(), Vec::new());
    let begin = Instant::now();
    while times.len() < *FRAMES.start() || (times.len() < *FRAMES.end() && begin.elapsed() < time) {
        let frame = times.len() + 1;
        for id in (0..count).step_by(scene.movers()) {
            boxes[id] = bodies[id].at(way(frame));
        }
        let start = Instant::now();
        let pairs = broadphase.frame(&boxes, scene.movers());
        times.push(start.elapsed().as_secs_f64());
        if first_pairs.len() < *FRAMES.start() {
            first_pairs.push(pairs);
        }
    }
    // The first frames fill caches and grow lists.
    let mut times = times.split_off(3);
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).ceil() as usize];
    let memory = memory_of(scene, library, count)?;
    Ok(Row { scene, library, count, first_pairs, median: at(0.5), p99: at(0.99), memory })
}

/// Asks a fresh process, in which no freed memory lies about to be used again.
fn memory_of(scene: Scene, library: Library, count: usize) -> Fallible<Option<f64>> {
    let child = process::Command::new(env::current_exe()?)
        .args(["memory", library.name(), scene.name(), &count.to_string()])
        .output()?;
    let bytes: Option<f64> = String::from_utf8(child.stdout)?.trim().parse().ok();
    Ok(bytes.map(|bytes| bytes / count as f64))
}

/// Prints by how many bytes this process grew, if the system tells.
fn memory_child(library: &str, scene: &str, count: usize) -> Fallible<()> {
    let library = Library::ALL.into_iter().find(|it| it.name() == library).ok_or(USAGE)?;
    let scene = Scene::ALL.into_iter().find(|it| it.name() == scene).ok_or(USAGE)?;
    let bodies = scene.boxes(count);
    let mut boxes: Vec<Aabb> = bodies.iter().map(|body| body.at(way(0))).collect();
    let before = resident_bytes();
    let mut broadphase = library.build(&boxes, scene.movers());
    for frame in 1..5 {
        boxes.iter_mut().zip(&bodies).for_each(|(aabb, body)| *aabb = body.at(way(frame)));
        broadphase.frame(&boxes, scene.movers());
    }
    if let (Some(before), Some(after)) = (before, resident_bytes()) {
        println!("{}", after.saturating_sub(before));
    }
    Ok(())
}

/// Linux tells; elsewhere nothing is known.
fn resident_bytes() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<usize>().ok().map(|kib| kib * 1024)
}

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<13}{:<8}{:>9}{:>11}{:>11}{:>10}{:>13}{:>13}{:>9}{:>9}",
        "scene", "library", "boxes", "pairs", "median ms", "p99 ms", "boxes/s", "pairs/s", "ns/box", "B/box"
    );
    for row in rows {
        let million = |rate: f64| format!("{:.2} M", rate / 1.0e6);
        let memory = row.memory.map_or("-".into(), |bytes| format!("{bytes:.0}"));
        let (median, p99) = (row.median * 1.0e3, row.p99 * 1.0e3);
        let (scene, library) = (row.scene.name(), row.library.name());
        let _ = write!(text, "\n{scene:<13}{library:<8}{:>9}{:>11}", row.count, row.pairs());
        let _ = write!(text, "{median:>11.3}{p99:>10.3}{:>13}", million(row.boxes_per_second()));
        let _ = write!(text, "{:>13}", million(row.pairs_per_second()));
        let _ = write!(text, "{:>9.1}{memory:>9}", row.nanoseconds_a_box());
    }
    text
}

fn csv(rows: &[Row]) -> String {
    let mut text =
        "scene,library,boxes,pairs,median_s,p99_s,boxes_per_s,pairs_per_s,bytes_per_box\n".to_string();
    for row in rows {
        let memory = row.memory.map_or(String::new(), |bytes| format!("{bytes:.1}"));
        let (boxes, pairs) = (row.boxes_per_second(), row.pairs_per_second());
        let _ = writeln!(
            text,
            "{},{},{},{},{:.9},{:.9},{boxes:.0},{pairs:.0},{memory}",
            row.scene.name(),
            row.library.name(),
            row.count,
            row.pairs(),
            row.median,
            row.p99
        );
    }
    text
}

/// Time of a box over the number of boxes. Flat is good: then a frame costs no more than its boxes
/// do.
fn chart(rows: &[Row], path: &Path) -> Fallible<()> {
    let colors = [(0, 114, 178), (217, 138, 0), (0, 158, 115), (200, 67, 43), (160, 82, 158)];
    let times = || rows.iter().map(Row::nanoseconds_a_box);
    let (low, high) = (times().fold(f64::MAX, f64::min), times().fold(0.0, f64::max));
    let most = rows.iter().map(|row| row.count).max().ok_or("nothing was measured")?;
    // Axes.
    let root = SVGBackend::new(path, (960, 600)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption("Broadphase: time of one box in one frame", ("sans-serif", 22))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(64)
        // Room to the right of the lines for their names.
        .build_cartesian_2d((900.0..most as f64 * 8.0).log_scale(), (low * 0.7..high * 1.4).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("boxes")
        .y_desc("nanoseconds a box")
        .x_label_formatter(&|&x| if x.log10().fract() == 0.0 { format!("{x:.0}") } else { String::new() })
        .y_label_formatter(&|y| format!("{y}"))
        .light_line_style(WHITE)
        .draw()?;
    // A line a scene and library: a colour a scene, dashes for parry2d.
    for (k, scene) in Scene::ALL.into_iter().enumerate() {
        let (red, green, blue) = colors[k];
        let style = RGBColor(red, green, blue).stroke_width(2);
        for library in Library::ALL {
            let of_line = rows.iter().filter(|row| row.scene == scene && row.library == library);
            let points: Vec<(f64, f64)> =
                of_line.map(|row| (row.count as f64, row.nanoseconds_a_box())).collect();
            let name = format!("{} {}", library.name(), scene.name());
            let dots = points.iter().map(|&point| Circle::new(point, 3, style.filled()));
            chart.draw_series(dots)?;
            if library == Library::Carom {
                let line = chart.draw_series(LineSeries::new(points, style))?;
                line.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], style));
            } else {
                let line = chart.draw_series(DashedLineSeries::new(points, 6, 5, style))?;
                let dash = move |x, y| PathElement::new([(x, y), (x + 8, y)], style);
                line.label(name).legend(move |(x, y)| {
                    EmptyElement::at((0, 0))
                        + dash(x, y)
                        + PathElement::new([(x + 15, y), (x + 23, y)], style)
                });
            }
        }
    }
    // What the lines are.
    let mut legend = chart.configure_series_labels();
    legend.border_style(BLACK.mix(0.3)).background_style(WHITE).legend_area_size(34);
    legend.position(SeriesLabelPosition::MiddleRight).draw()?;
    root.present()?;
    Ok(())
}
