//! A star-shaped outline around a centre.

use super::error::ShapeError;
use super::mass::Mass;
use super::polygon::Polygon;
use crate::bounds::{Aabb, BoxTree};
use crate::math::Transform;
use glam::Vec2;

/// A star-shaped outline around a centre.
#[derive(Clone, Debug, PartialEq)]
pub struct PolarShape {
    center: Vec2,
    vertices: Vec<Vec2>,
    pieces: Vec<Polygon>,
    tree: BoxTree,
}

impl PolarShape {
    /// New.
    ///
    /// # Errors
    /// Bad points.
    pub fn new(points: &[Vec2]) -> Result<PolarShape, ShapeError> {
        let piece = Polygon::new(points)?;
        let tree = BoxTree::new(&[piece.aabb(Transform::IDENTITY)]);
        Ok(PolarShape { center: Vec2::ZERO, vertices: points.to_vec(), pieces: vec![piece], tree })
    }
    /// Vertices.
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices
    }
    /// Center.
    pub fn center(&self) -> Vec2 {
        self.center
    }
    /// Pieces.
    pub fn pieces(&self) -> &[Polygon] {
        &self.pieces
    }
    pub(crate) fn tree(&self) -> &BoxTree {
        &self.tree
    }
    /// Box.
    pub fn aabb(&self, at: Transform) -> Aabb {
        self.pieces[0].aabb(at)
    }
    pub(crate) fn unit_mass(&self) -> Mass {
        self.pieces[0].unit_mass()
    }
    /// Moved.
    pub fn transformed(&self, by: Transform) -> PolarShape {
        PolarShape {
            center: by.apply(self.center),
            vertices: self.vertices.clone(),
            pieces: vec![self.pieces[0].transformed(by)],
            tree: self.tree.clone(),
        }
    }
}
