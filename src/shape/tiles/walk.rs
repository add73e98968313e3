//! Walks over the cells of a map (for rays, casts and overlaps), as over a tree of boxes: halves of
//! halves, down to a cell.
//!
//! In: which boxes are wanted. Out: the cells in them that are not empty. The only stored data are
//! the numbers of non-empty cells in each chunk.

use std::sync::Arc;

use glam::Vec2;

use super::TileMap;
use super::chunk::SIDE;
use crate::bounds::{Aabb, BoxTree};
use crate::math::Transform;
use crate::shape::Shape;

/// Cells from one column and row up to another, which is not among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellRect {
    pub(crate) from: [u32; 2],
    pub(crate) to: [u32; 2],
}

/// Most parts of a map on a body that moves: see `world/tiles/`.
const MOST_MOVING_CELLS: usize = u16::MAX as usize;

/// Capacity of the stack of a walk: more than a map can be halved, and the other halves that wait.
const DEPTH: usize = 64;

impl CellRect {
    /// Whether there are no cells in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.from[0] >= self.to[0] || self.from[1] >= self.to[1]
    }

    /// All of them, row by row.
    pub(crate) fn cells(self) -> impl Iterator<Item = [u32; 2]> {
        (self.from[1]..self.to[1]).flat_map(move |y| (self.from[0]..self.to[0]).map(move |x| [x, y]))
    }

    fn length(&self, axis: usize) -> u32 {
        self.to[axis] - self.from[axis]
    }

    /// Both halves of a rectangle of several cells: cut across the longer side, between chunks
    /// where there are several.
    fn halves(self) -> [CellRect; 2] {
        let axis = usize::from(self.length(1) > self.length(0));
        let (from, to) = (self.from[axis], self.to[axis]);
        let mut middle = from + (to - from) / 2;
        if from / SIDE != (to - 1) / SIDE {
            middle = (middle.div_ceil(SIDE) * SIDE).min((to - 1) / SIDE * SIDE);
        }
        let mut halves = [self; 2];
        halves[0].to[axis] = middle;
        halves[1].from[axis] = middle;
        halves
    }
}

impl TileMap {
    pub(crate) fn all(&self) -> CellRect {
        CellRect { from: [0, 0], to: self.size() }
    }

    /// Whether some cells are empty, as far as the counts of chunks tell.
    fn is_known_empty(&self, rect: &CellRect) -> bool {
        let [x, y] = rect.from.map(|k| k / SIDE);
        let is_in_one = rect.to.map(|k| (k - 1) / SIDE) == [x, y];
        is_in_one && self.filled[self.chunk_number(x, y)] == 0
    }

    /// A box around some cells in the frame of the shape, their pieces' rounding included.
    pub(crate) fn box_of(&self, rect: &CellRect) -> Aabb {
        let corner = |[x, y]: [u32; 2]| Vec2::new(x as f32, y as f32) * self.side;
        let aabb = Aabb { min: corner(rect.from), max: corner(rect.to) };
        aabb.transformed(self.frame).grown(self.slack)
    }

    /// Calls `visit` with every cell that is not empty and whose box satisfies `wanted`, until it
    /// answers false. See [`BoxTree::visit`].
    pub(crate) fn visit(&self, mut wanted: impl FnMut(&Aabb) -> bool, mut visit: impl FnMut(u32) -> bool) {
        let mut stack = [CellRect::default(); DEPTH];
        (stack[0], stack[1]) = (self.all(), CellRect::default());
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let rect = stack[depth];
            if self.is_known_empty(&rect) || !wanted(&self.box_of(&rect)) {
                continue;
            }
            if rect.length(0) * rect.length(1) == 1 {
                let number = self.number(rect.from);
                if !self.is_empty_at(number) && !visit(number) {
                    return;
                }
                continue;
            }
            let [first, second] = rect.halves();
            (stack[depth], stack[depth + 1]) = (second, first);
            depth += 2;
        }
    }

    /// Calls `visit` with cells that are not empty, nearer ones before: `key` says how near a box
    /// is, and infinite that it is not wanted; `visit` answers beyond which key nothing is wanted
    /// any more.
    pub(crate) fn visit_nearest(
        &self,
        mut bound: f32,
        mut key: impl FnMut(&Aabb) -> f32,
        mut visit: impl FnMut(u32) -> f32,
    ) {
        let mut stack = [(0.0_f32, CellRect::default()); DEPTH];
        stack[0] = (key(&self.box_of(&self.all())), self.all());
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (near, rect) = stack[depth];
            if near > bound || near == f32::INFINITY || self.is_known_empty(&rect) {
                continue;
            }
            if rect.length(0) * rect.length(1) == 1 {
                let number = self.number(rect.from);
                if !self.is_empty_at(number) {
                    bound = visit(number);
                }
                continue;
            }
            let [p, q] = rect.halves().map(|half| (key(&self.box_of(&half)), half));
            (stack[depth], stack[depth + 1]) = if p.0 <= q.0 { (q, p) } else { (p, q) };
            depth += 2;
        }
    }

    /// The cells that a box in the frame of the shape may meet.
    pub(crate) fn rect_of(&self, aabb: &Aabb) -> CellRect {
        let seen = aabb.grown(self.slack).transformed(self.frame.inverse());
        let [width, height] = self.size();
        // The cast to `i64` brings coordinates that are not finite, or far off, into the map.
        let at =
            |x: f32, count: u32| ((x / self.side).floor().clamp(-1.0, count as f32) as i64).max(0) as u32;
        let above =
            |x: f32, count: u32| ((x / self.side).floor().clamp(-1.0, count as f32) as i64 + 1) as u32;
        CellRect {
            from: [at(seen.min.x, width), at(seen.min.y, height)],
            to: [above(seen.max.x, width).min(width), above(seen.max.y, height).min(height)],
        }
    }
}

/// The parts of a shape of several parts, for walks.
#[derive(Clone, Copy)]
pub(crate) enum PartTree<'s> {
    Boxes(&'s BoxTree),
    Cells(&'s TileMap),
}

impl PartTree<'_> {
    /// The box around everything.
    pub(crate) fn aabb(&self) -> Aabb {
        match self {
            PartTree::Boxes(tree) => tree.aabb(),
            PartTree::Cells(map) => map.box_of(&map.all()),
        }
    }

    /// See [`BoxTree::visit`].
    pub(crate) fn visit(&self, wanted: impl FnMut(&Aabb) -> bool, visit: impl FnMut(u32) -> bool) {
        match self {
            PartTree::Boxes(tree) => tree.visit(wanted, visit),
            PartTree::Cells(map) => map.visit(wanted, visit),
        }
    }
}

impl Shape {
    /// Returns the shape; a tile map becomes one made of its present cells.
    pub(crate) fn settled(self) -> Shape {
        let settled = self.tile_map().and_then(TileMap::settled);
        settled.map_or(self, |map| Shape::Tiles(Arc::new(map)))
    }

    /// How many parts there may be at once of a shape that is added to a world.
    pub(crate) fn most_parts(&self) -> usize {
        self.tile_map().map_or_else(|| self.piece_count(), |map| 1 + map.solid_count().min(MOST_MOVING_CELLS))
    }

    /// The map, if it is one.
    pub(crate) fn tile_map(&self) -> Option<&TileMap> {
        match self {
            Shape::Tiles(map) => Some(map),
            _ => None,
        }
    }
}

/// Where the frame of a map stands on its body.
impl TileMap {
    pub(crate) fn frame(&self) -> Transform {
        self.frame
    }
}
