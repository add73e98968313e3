//! All pairs of overlapping boxes, of which all move: carom's `Grid`, parry2d's `Bvh`, Box2D's
//! dynamic tree.
//!
//! In: how many boxes at most. Out: a table, sizes from 1,000 on. Boxes of 0.5 to 1 m, packed so
//! that each overlaps about six, go to and fro by some centimetres a frame, in 32 places, so that
//! the branch predictor learns nothing by heart. Their ids follow rows, as those of a pile that was
//! built in order, or are at random: who asks a tree box by box then misses the cache at each node.
//! A frame's time holds the new places and the pairs: carom's come sorted, with what is new and
//! what is gone; the others' in no order. All three must find as many in every frame, or the
//! program ends.

use carom::broadphase::{Activity, Grid};
use carom::{Aabb, Vec2, vec2};
use rapier2d::parry::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::time::Instant;
use testkit::random::Random;

use crate::Fallible;
use crate::engines::Box2dTree;

/// Places that the boxes go through, over and over.
const FRAMES: usize = 32;
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// Boxes that go through a measurement, all frames together, after one round that is not timed.
const BOXES_TIMED: usize = 8_000_000;

/// Boxes in, the number of pairs out.
trait Broadphase {
    fn frame(&mut self, boxes: &[Aabb]) -> usize;
}

pub(crate) fn run(max: usize) -> Fallible<()> {
    println!(
        "{:>9}{:>11}{:>11}{:>14}{:>14}{:>14}   ns a box and frame",
        "boxes", "ids", "pairs", "carom", "parry2d", "box2d"
    );
    for count in SIZES.into_iter().filter(|&count| count <= max) {
        for order in [Order::Rows, Order::Random] {
            println!("{count:>9}{}", line(count, order)?);
        }
    }
    Ok(())
}

fn line(count: usize, order: Order) -> Fallible<String> {
    let frames = frames(count, order);
    let ours = measure(&mut grid_of(&frames[0]), &frames);
    let parry = measure(&mut ParryTree::new(&frames[0]), &frames);
    let box2d = measure(&mut Box2dTree::new(&frames[0]), &frames);
    if parry.pairs != ours.pairs || box2d.pairs != ours.pairs {
        return Err(format!("{count} boxes: the three disagree about pairs").into());
    }
    let time = |measured: &Measured| measured.time * 1.0e9 / count as f64;
    let cell =
        |measured| format!("{:>14}", format!("{:.1} ({:.1})", time(measured), time(measured) / time(&ours)));
    let order = format!("{order:?}").to_lowercase();
    Ok(format!("{order:>11}{:>11}{:>14.1}{}{}", ours.pairs[0], time(&ours), cell(&parry), cell(&box2d)))
}

/// How ids lie in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Rows,
    Random,
}

/// The boxes of each frame.
fn frames(count: usize, order: Order) -> Vec<Vec<Aabb>> {
    let mut random = Random::new(count as u64);
    let reach = 0.3 * (count as f32).sqrt();
    let mut body = |_| {
        let (center, width) = (random.square(reach), random.range(0.5, 1.0));
        let size = vec2(width, width * random.range(0.7, 1.0));
        (center, size, random.square(0.02))
    };
    let mut bodies: Vec<(Vec2, Vec2, Vec2)> = (0..count).map(&mut body).collect();
    if order == Order::Rows {
        bodies.sort_by(|(a, ..), (b, ..)| a.y.floor().total_cmp(&b.y.floor()).then(a.x.total_cmp(&b.x)));
    }
    let at = |frame: usize| {
        let time = (frame as f32 - FRAMES as f32 / 2.0).abs();
        let place = move |&(center, size, speed): &(Vec2, Vec2, Vec2)| {
            let center = center + speed * time;
            Aabb { min: center - size / 2.0, max: center + size / 2.0 }
        };
        bodies.iter().map(place).collect()
    };
    (0..FRAMES).map(at).collect()
}

struct Measured {
    /// Seconds of a frame: the median.
    time: f64,
    /// Of each frame of the first round.
    pairs: Vec<usize>,
}

fn measure(broadphase: &mut dyn Broadphase, frames: &[Vec<Aabb>]) -> Measured {
    let pairs = frames.iter().map(|boxes| broadphase.frame(boxes)).collect();
    let rounds = (BOXES_TIMED / (frames.len() * frames[0].len())).clamp(1, 50);
    let mut times = Vec::new();
    for boxes in (0..rounds).flat_map(|_| frames) {
        let start = Instant::now();
        broadphase.frame(boxes);
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Measured { time: times[times.len() / 2], pairs }
}

fn grid_of(boxes: &[Aabb]) -> Grid {
    let mut grid = Grid::new();
    for (id, &aabb) in boxes.iter().enumerate() {
        grid.insert(id as u32, aabb, Activity::Active);
    }
    grid
}

impl Broadphase for Grid {
    fn frame(&mut self, boxes: &[Aabb]) -> usize {
        for (id, &aabb) in boxes.iter().enumerate() {
            self.update(id as u32, aabb);
        }
        self.find_pairs();
        self.pairs().len()
    }
}

impl Broadphase for Box2dTree {
    fn frame(&mut self, boxes: &[Aabb]) -> usize {
        Box2dTree::frame(self, boxes)
    }
}

/// parry2d's way for what moves, as its documentation has it: leaves in place, bounds refitted, the
/// tree improved every eighth frame.
struct ParryTree {
    tree: Bvh,
    workspace: BvhWorkspace,
    pairs: Vec<(u32, u32)>,
    frames: usize,
}

impl ParryTree {
    fn new(boxes: &[Aabb]) -> ParryTree {
        let leaves: Vec<_> = boxes.iter().map(parry_box).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        ParryTree { tree, workspace: BvhWorkspace::default(), pairs: Vec::new(), frames: 0 }
    }
}

impl Broadphase for ParryTree {
    fn frame(&mut self, boxes: &[Aabb]) -> usize {
        let ParryTree { tree, workspace, pairs, frames } = self;
        for (id, aabb) in boxes.iter().enumerate() {
            tree.insert_or_update_partially(parry_box(aabb), id as u32, 0.0);
        }
        tree.refit(workspace);
        *frames += 1;
        if frames.is_multiple_of(8) {
            tree.optimize_incremental(workspace);
        }
        pairs.clear();
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| pairs.push((a, b)));
        pairs.len()
    }
}

fn parry_box(aabb: &Aabb) -> rapier2d::parry::bounding_volume::Aabb {
    rapier2d::parry::bounding_volume::Aabb::new(aabb.min, aabb.max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_find_the_pairs_that_brute_force_finds() {
        let frames = frames(300, Order::Random);
        let mut all: [Box<dyn Broadphase>; 3] = [
            Box::new(grid_of(&frames[0])),
            Box::new(ParryTree::new(&frames[0])),
            Box::new(Box2dTree::new(&frames[0])),
        ];
        for boxes in &frames {
            let pairs = (0..boxes.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
            let overlapping = pairs.filter(|&(a, b)| boxes[a].overlaps(&boxes[b])).count();
            for broadphase in &mut all {
                assert_eq!(broadphase.frame(boxes), overlapping);
            }
        }
    }
}
