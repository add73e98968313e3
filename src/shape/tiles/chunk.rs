//! Cells as pair tests see them, sixteen by sixteen, made when one of them is first asked for.
//!
//! In: the cells of a map. Out: boxes and polygons in the frame of the shape. They follow from the
//! cells, so they are no part of the state. If only a thousand cells of a million are ever touched,
//! only their chunks have pieces.

use glam::Vec2;

use super::TileMap;
use crate::math::Transform;
use crate::shape::piece::OwnPiece;
use crate::shape::{Obb, Piece, Polygon};

/// Cells along a side of a chunk.
pub(super) const SIDE: u32 = 16;

/// The pieces of a chunk.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    boxes: Vec<Obb>,
    polygons: Vec<Polygon>,
    /// By cell of the chunk: which of its boxes or polygons, the latter from 256 on.
    at: Vec<u16>,
}

const POLYGONS: u16 = 256;

impl Chunk {
    /// The pieces of the chunk with this column and row.
    pub(super) fn new(map: &TileMap, column: u32, row: u32) -> Chunk {
        let mut chunk = Chunk { at: vec![0; (SIDE * SIDE) as usize], ..Chunk::default() };
        let [width, height] = map.size();
        for y in row * SIDE..(row * SIDE + SIDE).min(height) {
            for x in column * SIDE..(column * SIDE + SIDE).min(width) {
                let place = &mut chunk.at[((y % SIDE) * SIDE + x % SIDE) as usize];
                match map.own_piece([x, y]) {
                    Some(OwnPiece::Obb(it)) => {
                        *place = chunk.boxes.len() as u16;
                        chunk.boxes.push(it);
                    }
                    Some(OwnPiece::Polygon(it)) => {
                        *place = POLYGONS + chunk.polygons.len() as u16;
                        chunk.polygons.push(it);
                    }
                    _ => {}
                }
            }
        }
        chunk
    }

    /// The piece of a cell that is not empty.
    pub(super) fn piece(&self, x: u32, y: u32) -> Option<Piece<'_>> {
        let at = self.at[((y % SIDE) * SIDE + x % SIDE) as usize];
        if at < POLYGONS {
            self.boxes.get(usize::from(at)).map(Piece::Obb)
        } else {
            self.polygons.get(usize::from(at - POLYGONS)).map(Piece::Polygon)
        }
    }
}

impl TileMap {
    /// The piece of a cell, made anew; none of an empty one.
    pub(crate) fn own_piece(&self, [x, y]: [u32; 2]) -> Option<OwnPiece> {
        let kind = self.cell_at([x, y])?.kind;
        let corner = |[u, v]: [f32; 2]| Vec2::new(x as f32 + u, y as f32 + v) * self.side;
        if kind.is_whole() {
            let at = Transform { position: self.frame.apply(corner([0.5, 0.5])), ..self.frame };
            return Some(OwnPiece::Obb(self.square.placed(at)));
        }
        let mut corners = [Vec2::ZERO; 4];
        let of_kind = kind.corners();
        for (to, &of) in corners.iter_mut().zip(of_kind) {
            *to = self.frame.apply(corner(of));
        }
        Polygon::from_corners(&corners[..of_kind.len()]).ok().map(OwnPiece::Polygon)
    }
}
