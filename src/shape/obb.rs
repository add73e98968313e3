//! An oriented box: a rectangle with its own axes, optionally rounded.
//!
//! In: full sizes from the user. Out: half sizes and a place. A kind of its own and not a polygon
//! with four corners, because boxes are the most frequent shapes of games: `narrowphase/obb.rs`
//! needs no corners to test two of them.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use super::error::{ShapeError, check_rounding, check_size};
use super::mass::Mass;
use crate::bounds::Aabb;
use crate::math::{Rot, Transform};

/// An oriented box: a rectangle with its own axes, optionally rounded.
///
/// ```text
///      3-----------2        corners 0 to 3 counter-clockwise; face k runs from corner k to corner
///                           k + 1:
///      |   y       |        face 0 looks along -y, 1 along +x, 2 along +y, 3 along -x
///      |   +-- x   |
///      |           |        `half` is half of the sizes; a rounding radius comes on top of them
///      0-----------1
/// ```
///
/// Its 32 bytes are one row of a block of eight that the lanes read together.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Obb {
    pub(crate) place: Transform,
    pub(crate) half: Vec2,
    pub(crate) radius: f32,
    /// 1 for the box as it comes from [`Obb::new`]: centred, unturned, not rounded. One comparison
    /// instead of eight.
    plain: u32,
}

/// Boxes are equal if their shapes are, without a look at the flag.
impl PartialEq for Obb {
    fn eq(&self, other: &Obb) -> bool {
        (self.place, self.half, self.radius) == (other.place, other.half, other.radius)
    }
}

impl Obb {
    /// A box of full size `width` × `height`, centred on the origin.
    ///
    /// # Errors
    /// Numbers out of range, or a side too small.
    pub fn new(width: f32, height: f32) -> Result<Obb, ShapeError> {
        check_size(width)?;
        check_size(height)?;
        Ok(Obb {
            place: Transform::IDENTITY,
            half: Vec2::new(0.5 * width, 0.5 * height),
            radius: 0.0,
            plain: 1,
        })
    }

    /// The box with corners of `radius`, which comes on top of the size: all points within `radius`
    /// of it.
    ///
    /// # Errors
    /// A radius that is neither zero nor a valid size.
    pub fn rounded(self, radius: f32) -> Result<Obb, ShapeError> {
        check_rounding(radius)?;
        Ok(Obb { radius, plain: self.plain & u32::from(radius == 0.0), ..self })
    }

    /// The box, transformed by `by`.
    #[inline]
    #[must_use]
    pub fn transformed(&self, by: Transform) -> Obb {
        if self.is_plain() {
            return self.placed(by);
        }
        let place = by * self.place;
        Obb { place, plain: 0, ..*self }
    }

    /// Returns a plain box at `at`, with the same bits as the product of both places.
    #[inline(always)]
    pub(crate) fn placed(&self, at: Transform) -> Obb {
        Obb { place: at, plain: 0, ..*self }
    }

    /// The sharp box with `share` of its half-thickness: each side comes in by the rest of it.
    pub(crate) fn thinned(&self, share: f32) -> Obb {
        let off = (1.0 - share) * self.half.min_element();
        Obb { half: self.half - Vec2::splat(off), radius: 0.0, ..*self }
    }

    /// The box, moved without turning.
    #[inline]
    pub(crate) fn shifted(&self, by: Vec2) -> Obb {
        Obb { place: Transform { position: self.place.position + by, ..self.place }, plain: 0, ..*self }
    }

    /// Whether it is centred, unturned and sharp, as most boxes are.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        self.plain != 0
    }

    /// The centre of the box.
    #[must_use]
    pub fn center(&self) -> Vec2 {
        self.place.position
    }

    /// Half of its width and height.
    #[must_use]
    pub fn half_size(&self) -> Vec2 {
        self.half
    }

    /// The rotation of its axes.
    #[must_use]
    pub fn rotation(&self) -> Rot {
        self.place.rotation
    }

    /// The rounding radius, usually 0.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The box as a row of numbers: position, cosine, sine, half sizes, radius, and the flag for
    /// plain ones.
    #[inline(always)]
    pub(crate) fn as_row(&self) -> &[f32; 8] {
        bytemuck::cast_ref(self)
    }

    /// Its four corners, counter-clockwise, without the rounding.
    #[must_use]
    pub fn corners(&self) -> [Vec2; 4] {
        let x = self.place.rotation.x_axis() * self.half.x;
        let y = self.place.rotation.y_axis() * self.half.y;
        [
            self.place.position - x - y,
            self.place.position + x - y,
            self.place.position + x + y,
            self.place.position - x + y,
        ]
    }

    /// The outward normals of its four faces, in the order of the corners.
    #[must_use]
    pub(crate) fn normals(&self) -> [Vec2; 4] {
        let (x, y) = (self.place.rotation.x_axis(), self.place.rotation.y_axis());
        [-y, x, y, -x]
    }

    /// The tight bounding box at `at`.
    #[must_use]
    pub fn aabb(&self, at: Transform) -> Aabb {
        let center = at.apply(self.place.position);
        let rotation = at.rotation * self.place.rotation;
        let reach = rotation.x_axis().abs() * self.half.x + rotation.y_axis().abs() * self.half.y;
        Aabb { min: center - reach, max: center + reach }.grown(self.radius)
    }

    pub(crate) fn unit_mass(&self) -> Mass {
        // Computed from the sizes, which are stored as they were given; corners are rounded at the
        // place of the box.
        let h = self.half;
        let corners = [-h, Vec2::new(h.x, -h.y), h, Vec2::new(-h.x, h.y)];
        Mass { center: self.place.position, ..Mass::rounded_hull(&corners, self.radius) }
    }
}
