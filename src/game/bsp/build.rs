//! Cuts a level into a tree of lines, and checks both sides of every wall.
//!
//! In: segments. Out: a [`Bsp`], or the segment at fault. No recursion: jobs wait on a list.
//!
//! A segment is never replaced by its cut pieces: a piece is a range of its segment, and all sides
//! are computed from the two ends as given, so cuts of cuts do not drift.

use std::collections::BTreeMap;

use glam::{DVec2, Vec2};

use super::{Bsp, BspError, Child, MAX_BSP_DEPTH, Node};
use crate::tuning::MAX_SIZE;
use crate::util::sort;

/// Points nearer to a line count as on it, as a share of the greatest coordinate: four units in the
/// last place of an `f32`.
const ON_LINE: f64 = 4.0 * f32::EPSILON as f64;

/// Shorter segments have no clear side, in the same unit.
const SHORTEST_WALL: f64 = 1.0e-6;

/// How many of the walls of a job are tried as the next line.
const CANDIDATES: usize = 12;

/// The weight of a cut, in walls more on one side than on the other.
const CUT: usize = 4;

/// Nodes per wall at which a level counts as entangled. Random rooms and rocks have about two.
const MOST_NODES: usize = 64;

/// A range of a segment, as shares of its length.
#[derive(Clone, Copy)]
struct Piece {
    segment: usize,
    start: f64,
    end: f64,
}

#[derive(Clone, Copy)]
struct Line {
    origin: DVec2,
    direction: DVec2,
}

/// The side of a line that a piece lies on.
#[derive(Clone, Copy)]
enum Side {
    On,
    Front,
    Back,
    /// Cut at this share of its segment; and whether its start is in front.
    Cut(f64, bool),
}

struct Walls {
    ends: Vec<[DVec2; 2]>,
    /// The index of each wall in the given list.
    numbers: Vec<usize>,
    /// In metres.
    on_line: f64,
}

/// Walls that are not yet split, and the place of their tree.
struct Job {
    pieces: Vec<Piece>,
    parent: Option<(usize, bool)>,
    depth: usize,
}

/// The walls on the sides of a line.
#[derive(Default)]
struct Parted {
    on: Vec<Piece>,
    front: Vec<Piece>,
    back: Vec<Piece>,
}

pub(super) fn build(segments: &[[Vec2; 2]]) -> Result<Bsp, BspError> {
    let walls = Walls::new(segments)?;
    let all = (0..walls.ends.len()).map(|segment| Piece { segment, start: 0.0, end: 1.0 }).collect();
    let mut bsp = Bsp { nodes: Vec::new(), root: Child::Free, depth: 0 };
    let mut jobs = vec![Job { pieces: all, parent: None, depth: 0 }];
    while let Some(job) = jobs.pop() {
        if job.pieces.is_empty() {
            continue;
        }
        if job.depth == MAX_BSP_DEPTH || bsp.nodes.len() > MOST_NODES * walls.ends.len() {
            return Err(BspError::TooEntangled);
        }
        let (line, parted) = walls.choose(&job.pieces);
        let index = bsp.nodes.len();
        match job.parent {
            Some((parent, true)) => bsp.nodes[parent].back = Child::Node(index as u32),
            Some((parent, false)) => bsp.nodes[parent].front = Child::Node(index as u32),
            None => bsp.root = Child::Node(index as u32),
        }
        // A side without walls is free or solid by the direction of the walls on the line. (If no
        // wall is on the line, both sides have walls.)
        let ahead = parted.on.first().is_none_or(|on| walls.direction(on.segment).dot(line.direction) > 0.0);
        let (front, back) = if ahead { (Child::Free, Child::Solid) } else { (Child::Solid, Child::Free) };
        bsp.nodes.push(Node { origin: line.origin, direction: line.direction, front, back });
        let depth = job.depth + 1;
        bsp.depth = bsp.depth.max(depth);
        jobs.push(Job { pieces: parted.back, parent: Some((index, true)), depth });
        jobs.push(Job { pieces: parted.front, parent: Some((index, false)), depth });
    }
    (0..walls.ends.len()).try_for_each(|wall| walls.check(&bsp, wall))?;
    Ok(bsp)
}

impl Walls {
    /// Checks each number and that outlines are closed, and leaves out pairs of opposite segments.
    fn new(segments: &[[Vec2; 2]]) -> Result<Walls, BspError> {
        let mut extent = 0.0_f32;
        for (number, [a, b]) in segments.iter().enumerate() {
            let greatest = crate::math::max(a.abs().max_element(), b.abs().max_element());
            if !(a.is_finite() && b.is_finite() && greatest <= MAX_SIZE) {
                return Err(BspError::OutOfRange(number));
            }
            extent = crate::math::max(extent, greatest);
        }
        let extent = f64::from(extent);
        let mut walls = Walls { ends: Vec::new(), numbers: Vec::new(), on_line: ON_LINE * extent };
        // By the bits of both ends; + 0.0 turns -0 into +0.
        let bits = |p: Vec2| [(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits()];
        let mut there: BTreeMap<[[u32; 2]; 2], Vec<usize>> = BTreeMap::new();
        for (number, &[a, b]) in segments.iter().enumerate() {
            if a.as_dvec2().distance(b.as_dvec2()) <= SHORTEST_WALL * extent {
                return Err(BspError::TooShort(number));
            }
            match there.get_mut(&[bits(b), bits(a)]).and_then(Vec::pop) {
                Some(_) => {}
                None => there.entry([bits(a), bits(b)]).or_default().push(number),
            }
        }
        let mut ends: BTreeMap<[u32; 2], (i64, usize)> = BTreeMap::new();
        let mut left: Vec<usize> = there.into_values().flatten().collect();
        sort::plain(&mut left);
        for number in left {
            let [a, b] = segments[number];
            ends.entry(bits(a)).or_insert((0, number)).0 += 1;
            ends.entry(bits(b)).or_insert((0, number)).0 -= 1;
            walls.ends.push([a.as_dvec2(), b.as_dvec2()]);
            walls.numbers.push(number);
        }
        match ends.into_values().filter(|&(sum, _)| sum != 0).map(|(_, number)| number).min() {
            Some(number) => Err(BspError::Open(number)),
            None => Ok(walls),
        }
    }

    fn direction(&self, wall: usize) -> DVec2 {
        let [a, b] = self.ends[wall];
        b - a
    }

    fn side(&self, line: &Line, piece: &Piece) -> Side {
        let [a, b] = self.ends[piece.segment].map(|end| line.direction.perp_dot(end - line.origin));
        let behind = |share: f64| match share {
            0.0 => a,
            1.0 => b,
            _ => a + (b - a) * share,
        };
        let (start, end) = (behind(piece.start), behind(piece.end));
        let near = self.on_line * line.direction.length();
        match (start.abs() <= near, end.abs() <= near) {
            (true, true) => Side::On,
            _ if start >= -near && end >= -near => Side::Back,
            _ if start <= near && end <= near => Side::Front,
            _ => Side::Cut((a / (a - b)).clamp(piece.start, piece.end), start < 0.0),
        }
    }

    fn part(&self, line: &Line, pieces: &[Piece]) -> Parted {
        let mut parted = Parted::default();
        for &piece in pieces {
            match self.side(line, &piece) {
                Side::On => parted.on.push(piece),
                Side::Front => parted.front.push(piece),
                Side::Back => parted.back.push(piece),
                Side::Cut(share, starts_in_front) => {
                    let (head, tail) = (Piece { end: share, ..piece }, Piece { start: share, ..piece });
                    let (front, back) = if starts_in_front { (head, tail) } else { (tail, head) };
                    parted.front.push(front);
                    parted.back.push(back);
                }
            }
        }
        parted
    }

    /// Returns how many walls are in front, behind, and cut.
    fn count(&self, line: &Line, pieces: &[Piece]) -> [usize; 3] {
        let mut count = [0; 3];
        for piece in pieces {
            match self.side(line, piece) {
                Side::On => {}
                Side::Front => count[0] += 1,
                Side::Back => count[1] += 1,
                Side::Cut(..) => count[2] += 1,
            }
        }
        count
    }

    /// Chooses the next line: among some walls, the one whose line cuts few walls and splits
    /// evenly. If all of them leave more than three quarters on one side, as the sides of a round
    /// outline do, a line along an axis through the middle may do better: it keeps the tree flat.
    fn choose(&self, pieces: &[Piece]) -> (Line, Parted) {
        let stride = pieces.len().div_ceil(CANDIDATES);
        let of_wall = |piece: &Piece| Line {
            origin: self.ends[piece.segment][0],
            direction: self.direction(piece.segment),
        };
        let cost = |&[front, back, cut]: &[usize; 3]| CUT * cut + front.abs_diff(back);
        let tried = pieces.iter().step_by(stride).map(|piece| {
            let line = of_wall(piece);
            (line, self.count(&line, pieces))
        });
        let best = tried.min_by_key(|(_, count)| cost(count));
        let uneven = |&[front, back, cut]: &[usize; 3]| 4 * (front.max(back) + cut) > 3 * pieces.len();
        let Some((mut line, count)) = best else {
            // No job is without walls.
            return (Line { origin: DVec2::ZERO, direction: DVec2::X }, Parted::default());
        };
        if pieces.len() > 8 && uneven(&count) {
            let middles = [DVec2::Y, DVec2::X].map(|along| self.middle(pieces, along));
            let tried = middles.map(|line| (line, self.count(&line, pieces)));
            let parting =
                tried.into_iter().filter(|(_, count)| !uneven(count) && count[0] > 0 && count[1] > 0);
            if let Some((middle, _)) = parting.min_by_key(|(_, count)| cost(count)) {
                line = middle;
            }
        }
        (line, self.part(&line, pieces))
    }

    /// Returns the line in this direction through the median of the walls' first ends.
    fn middle(&self, pieces: &[Piece], direction: DVec2) -> Line {
        let mut ends: Vec<DVec2> = pieces.iter().map(|piece| self.ends[piece.segment][0]).collect();
        sort::by(&mut ends, |a, b| direction.perp_dot(*a).total_cmp(&direction.perp_dot(*b)));
        Line { origin: ends[ends.len() / 2], direction }
    }

    /// Follows a wall down to its leaves: leaves on its right must be free, leaves on its left
    /// solid.
    fn check(&self, bsp: &Bsp, wall: usize) -> Result<(), BspError> {
        let along = self.direction(wall);
        let longest = 8.0 * self.on_line / along.length();
        let whole = Piece { segment: wall, start: 0.0, end: 1.0 };
        // The side of the wall to check, once the wall has been on a line: left, or right.
        let mut later: Vec<(Child, Piece, Option<bool>)> = vec![(bsp.root, whole, None)];
        while let Some((child, piece, left)) = later.pop() {
            let Child::Node(index) = child else {
                if left != Some(child == Child::Solid) && piece.end - piece.start > longest {
                    return Err(BspError::Inconsistent(self.numbers[wall]));
                }
                continue;
            };
            let node = &bsp.nodes[index as usize];
            match self.side(&Line { origin: node.origin, direction: node.direction }, &piece) {
                Side::Front => later.push((node.front, piece, left)),
                Side::Back => later.push((node.back, piece, left)),
                Side::Cut(share, starts_in_front) => {
                    let (front, back) =
                        if starts_in_front { (node.front, node.back) } else { (node.back, node.front) };
                    later.push((front, Piece { end: share, ..piece }, left));
                    later.push((back, Piece { start: share, ..piece }, left));
                }
                Side::On => {
                    let ahead = along.dot(node.direction) > 0.0;
                    let (on_left, on_right) =
                        if ahead { (node.back, node.front) } else { (node.front, node.back) };
                    if left != Some(false) {
                        later.push((on_left, piece, Some(true)));
                    }
                    if left != Some(true) {
                        later.push((on_right, piece, Some(false)));
                    }
                }
            }
        }
        Ok(())
    }
}
