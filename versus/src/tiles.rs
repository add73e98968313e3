//! Boxes on a level of cells, and cells that change while they lie there.
//!
//! In: how many cells. Out: a table. The level is a square of hills with caves in them; a thousand
//! boxes fall onto the hills, kept awake. Then ten thousand cells, all over the level, become what
//! they were not, and the step after that is timed too. Box2D has no such shape.

use carom::{Vec2, vec2};
use testkit::random::Random;
use testkit::scenes::plan::{BodyPlan, Handle, Part, WorldPlan};

use crate::Fallible;
use crate::engines::{Engine, Rival, box2d_bytes};
use crate::heap::used_bytes;
use crate::spawn::time;

const BOXES: usize = 1_000;
const EDITS: usize = 10_000;
const STEPS: usize = 240;

pub(crate) fn run(count: usize) -> Fallible<()> {
    let side = (count as f64).sqrt().ceil() as usize;
    if side < 32 {
        return Err("--count is 1024 at least".into());
    }
    let solid = level(side);
    let boxes = boxes(side, &solid);
    println!(
        "{:<14}{:>12}{:>10}{:>10}{:>14}{:>12}{:>9}   {side} x {side} cells, {} boxes",
        "",
        "bytes/cell",
        "build ms",
        "step ms",
        "10,000 edits",
        "step after",
        "fallen",
        boxes.len()
    );
    for rival in Rival::ALL {
        println!("{:<14}{}", rival.name(), row(rival, side, &solid, &boxes)?);
    }
    Ok(())
}

fn row(rival: Rival, side: usize, solid: &[bool], boxes: &[BodyPlan]) -> Fallible<String> {
    let used = || used_bytes() + box2d_bytes();
    let before = used();
    let plan = WorldPlan { gravity: vec2(0.0, -10.0), sleep: false, threads: 1 };
    let mut world = rival.world(&plan)?;
    let mut is_there = false;
    let build = time(|| {
        is_there = world.tiles(side, solid);
        world.step();
    });
    if !is_there {
        return Ok("   has no such shape".into());
    }
    let bytes = used().saturating_sub(before) as f64 / solid.len() as f64;
    boxes.iter().for_each(|plan| world.add(plan));
    let step = median((0..STEPS).map(|_| time(|| world.step())).collect());
    let fallen = (0..boxes.len()).filter(|&k| has_fallen(&*world, k)).count();
    let mut random = Random::new(5);
    let places: Vec<[usize; 2]> = (0..EDITS).map(|_| [(); 2].map(|()| random.below(side))).collect();
    let mut now = solid.to_vec();
    let edits = time(|| {
        for &[x, y] in &places {
            let cell = &mut now[y * side + x];
            *cell = !*cell;
            world.set_tile([x, y], *cell);
        }
    });
    let after = time(|| world.step());
    Ok(format!("{bytes:>12.2}{build:>10.2}{step:>10.3}{edits:>14.2}{after:>12.2}{fallen:>9}"))
}

/// Whether a box is below the level.
fn has_fallen(world: &dyn Engine, body: usize) -> bool {
    let at = world.state(Handle(body as u32)).place.position;
    // A number that is none has fallen, too.
    !at.y.is_finite() || at.y < 0.0
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// How many cells high the ground is in a column: steps of a random walk about half the height.
fn ground(side: usize) -> Vec<usize> {
    let mut random = Random::new(3);
    let mut height = side / 2;
    let mut step = || {
        height = (height + random.below(3)).saturating_sub(1).clamp(side / 4, 3 * side / 4);
        height
    };
    (0..side).map(|_| step()).collect()
}

/// Solid up to the ground, but for one cell in eight.
fn level(side: usize) -> Vec<bool> {
    let ground = ground(side);
    let mut random = Random::new(4);
    let is_solid = |k: usize| {
        let (x, y) = (k % side, k / side);
        y < ground[x] && (y + 2 > ground[x] || y == 0 || random.below(8) > 0)
    };
    (0..side * side).map(is_solid).collect()
}

/// Boxes above the ground, evenly over the level.
fn boxes(side: usize, solid: &[bool]) -> Vec<BodyPlan> {
    let count = BOXES.min(side - 4);
    let top = |x: usize| (0..side).rev().find(|y| solid[y * side + x]).unwrap_or(0);
    let place = |k: usize| -> Vec2 {
        let x = 2 + k * (side - 4) / count;
        vec2(x as f32 + 0.5, top(x) as f32 + 2.5)
    };
    (0..count).map(|k| BodyPlan::dynamic(place(k)).part(Part::square(0.35))).collect()
}
