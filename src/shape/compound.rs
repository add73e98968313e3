//! Several shapes as one, with a small tree of boxes over the parts.
//!
//! In: shapes, each with its place. Out: convex parts and the tree. The narrowphase tests the parts
//! that are near, one by one, and names them by number.

use super::error::ShapeError;
use super::mass::Mass;
use super::state::stamp_of_compound;
use super::{Piece, Shape};
use crate::bounds::{Aabb, BoundingCircle, BoxTree};
use crate::math::{Transform, max, min};

/// Most parts of a compound. More belong in a chain, or in bodies of their own, where a broadphase
/// finds them.
const MAX_PARTS: usize = u16::MAX as usize;

/// Several shapes as one. Every part is a convex shape; polar shapes and other compounds are taken
/// apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Compound {
    parts: Vec<Shape>,
    tree: BoxTree,
    /// The circle around all parts, and half of the thickness of the thinnest. Both are kept,
    /// because a world asks for them whenever a body changes, and there may be thousands of parts.
    around: BoundingCircle,
    half_thickness: f32,
    /// Hash that identifies the parts in snapshots.
    pub(super) stamp: u64,
}

impl Compound {
    /// The union of `parts`; give each its place with [`Shape::at`] or [`Shape::transformed`].
    ///
    /// # Errors
    /// No parts, too many parts, an invalid part, or a chain, tile map or half-plane among them.
    pub fn new(parts: impl IntoIterator<Item = Shape>) -> Result<Compound, ShapeError> {
        let mut flat = Vec::new();
        for (number, part) in parts.into_iter().enumerate() {
            match part {
                Shape::Invalid(error) => return Err(error.in_part(number)),
                Shape::Chain(_) | Shape::Tiles(_) | Shape::HalfPlane(_) => {
                    return Err(ShapeError::BadPart(number as u32));
                }
                Shape::Compound(inner) => flat.extend_from_slice(&inner.parts),
                Shape::Polar(polar) => flat.extend(polar.pieces().iter().map(|&piece| Shape::Polygon(piece))),
                Shape::Circle(_)
                | Shape::Capsule(_)
                | Shape::Segment(_)
                | Shape::Obb(_)
                | Shape::Polygon(_) => flat.push(part),
            }
        }
        match flat.len() {
            0 => Err(ShapeError::Empty),
            1..=MAX_PARTS => Ok(Compound::from_convex(flat)),
            _ => Err(ShapeError::TooManyParts),
        }
    }

    pub(super) fn from_convex(parts: Vec<Shape>) -> Compound {
        let boxes: Vec<Aabb> = parts.iter().map(|part| part.aabb(Transform::IDENTITY)).collect();
        let tree = BoxTree::new(&boxes);
        let center = tree.aabb().center();
        let reach = parts.iter().map(|part| {
            let circle = part.bounding_circle();
            circle.center.distance(center) + circle.radius
        });
        let radius = reach.fold(0.0, max);
        let around = BoundingCircle { center, radius: radius * (1.0 + 4.0 * f32::EPSILON) };
        let thickness = parts.iter().map(|part| part.piece(0).half_thickness());
        let half_thickness = thickness.fold(f32::INFINITY, min);
        Compound { tree, around, half_thickness, stamp: stamp_of_compound(&parts), parts }
    }

    /// The parts; contacts name them by their number here.
    #[must_use]
    pub fn parts(&self) -> &[Shape] {
        &self.parts
    }

    pub(crate) fn piece(&self, part: usize) -> Piece<'_> {
        self.parts[part].piece(0)
    }

    pub(crate) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    pub(crate) fn bounding_circle(&self) -> BoundingCircle {
        self.around
    }

    pub(crate) fn half_thickness(&self) -> f32 {
        self.half_thickness
    }

    /// The box around all parts in its own frame, without a look at them.
    #[cfg(feature = "breaking")]
    pub(crate) fn tree_aabb(&self) -> Aabb {
        self.tree.aabb()
    }

    /// Whether no part is a segment.
    #[cfg(feature = "breaking")]
    pub(crate) fn has_inside(&self) -> bool {
        !self.parts.iter().any(|part| matches!(part, Shape::Segment(_)))
    }

    /// The compound, transformed by `by`.
    #[must_use]
    pub fn transformed(&self, by: Transform) -> Compound {
        Compound::from_convex(self.parts.iter().map(|part| part.moved(by)).collect())
    }

    /// The tight bounding box at `at`.
    #[must_use]
    pub fn aabb(&self, at: Transform) -> Aabb {
        self.parts.iter().fold(Aabb::EMPTY, |all, part| all.union(part.aabb(at)))
    }

    /// Parts that overlap count twice, as they do in other engines: mass belongs to parts.
    pub(crate) fn unit_mass(&self) -> Mass {
        let masses: Vec<Mass> = self.parts.iter().map(|part| part.mass(1.0)).collect();
        Mass::sum(&masses)
    }
}
