//! Comparison of positions in a world that wraps round (minimum image).
//!
//! In: stored points, boxes and bodies. Out: the shortest vectors between them. In a world without
//! a period, plain differences.

use glam::Vec2;

use crate::body::Body;
use crate::bounds::Aabb;
use crate::broadphase::WorldAabb;
use crate::math::WorldPoint;
use crate::world::World;

impl World {
    /// The vector from one point to another, in a world that wraps round the shortest one.
    #[inline]
    pub(crate) fn way(&self, from: WorldPoint, to: WorldPoint) -> Vec2 {
        self.def.period().between(from, to)
    }

    /// A point of the world in the frame of a body: in a world that wraps round, the image that is
    /// nearest to the body.
    pub(crate) fn to_local(&self, body: &Body, point: WorldPoint) -> Vec2 {
        body.to_local(self.def.period().image(point, body.center_point()))
    }

    /// The image of a point that is nearest to another point, in a world that wraps round
    /// ([`WorldDef::periodic`](crate::WorldDef::periodic)); in any other world the point itself.
    /// The vector between them is then the shortest one.
    ///
    /// Bodies and contacts use the nearest image of a point: get it here before
    /// [`Body::velocity_at`] or [`Body::to_local`] of another body.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let world = World::new(WorldDef::default().periodic(2, 0)); // x from -512 to 1536
    /// let (ship, rock) = (WorldPoint::from([1530.0, 8.0]), WorldPoint::from([-510.0, 8.0]));
    /// assert_eq!(ship.to(world.nearest_image(rock, ship)), vec2(8.0, 0.0));
    /// ```
    #[must_use]
    pub fn nearest_image(&self, of: impl Into<WorldPoint>, to: impl Into<WorldPoint>) -> WorldPoint {
        self.def.period().image(of.into(), to.into())
    }

    /// A box of the grid relative to the region of a nearby body.
    pub(crate) fn box_beside(&self, aabb: WorldAabb, body: &Body) -> Aabb {
        self.def.period().box_image(aabb, body.center_point()).relative_to(body.region)
    }
}
