//! Ids, vectors, points, rotations and boxes.

use carom::broadphase::WorldAabb;
use carom::{Aabb, BodyId, IVec2, JointId, Mass, Rot, ShapeId, Transform, Vec2, WorldPoint};
use carom_nav::crowd::AgentId;
use carom_nav::mesh::{AreaId, ObstacleId};

use crate::failure::{Failure, Result};
use crate::types as c;
use crate::types::status;

macro_rules! id {
    ($c:ident, $rust:ty, $status:ident, $rule:literal) => {
        impl c::$c {
            /// The id, unless it is all zeros.
            #[inline]
            pub(crate) fn id(self) -> Result<$rust> {
                <$rust>::from_bits(self.bits()).ok_or(Failure::Rule(status::$status, $rule))
            }
        }

        impl From<$rust> for c::$c {
            #[inline]
            fn from(id: $rust) -> c::$c {
                c::$c::of_bits(id.to_bits())
            }
        }

        impl From<Option<$rust>> for c::$c {
            #[inline]
            fn from(id: Option<$rust>) -> c::$c {
                id.map_or(c::$c::default(), c::$c::from)
            }
        }
    };
}

id!(Body, BodyId, NO_SUCH_BODY, "zeros are no body");
id!(Shape, ShapeId, NO_SUCH_SHAPE, "zeros are no shape");
id!(Joint, JointId, NO_SUCH_JOINT, "zeros are no joint");

macro_rules! nav_id {
    ($c:ident, $rust:ty) => {
        impl From<c::$c> for $rust {
            #[inline]
            fn from(id: c::$c) -> $rust {
                <$rust>::from_bits(id.bits())
            }
        }

        impl From<$rust> for c::$c {
            #[inline]
            fn from(id: $rust) -> c::$c {
                c::$c::of_bits(id.to_bits())
            }
        }
    };
}

nav_id!(Agent, AgentId);
nav_id!(Obstacle, ObstacleId);
nav_id!(MeshArea, AreaId);

impl From<c::Vec2> for Vec2 {
    #[inline]
    fn from(v: c::Vec2) -> Vec2 {
        Vec2::new(v.x, v.y)
    }
}

impl From<Vec2> for c::Vec2 {
    #[inline]
    fn from(v: Vec2) -> c::Vec2 {
        c::Vec2 { x: v.x, y: v.y }
    }
}

impl From<c::Rot> for Rot {
    #[inline]
    fn from(rot: c::Rot) -> Rot {
        Rot { cos: rot.cos, sin: rot.sin }
    }
}

impl From<Rot> for c::Rot {
    #[inline]
    fn from(rot: Rot) -> c::Rot {
        c::Rot { cos: rot.cos, sin: rot.sin }
    }
}

impl From<c::Transform> for Transform {
    #[inline]
    fn from(place: c::Transform) -> Transform {
        Transform { position: place.position.into(), rotation: place.rotation.into() }
    }
}

impl From<c::Point> for WorldPoint {
    /// Points that are not stated from the region that they lie in are stated anew.
    #[inline]
    fn from(point: c::Point) -> WorldPoint {
        let region = IVec2::new(point.region_x, point.region_y);
        let as_it_is = WorldPoint { region, local: point.local.into() };
        if as_it_is.is_valid() { as_it_is } else { WorldPoint::new(region, as_it_is.local) }
    }
}

impl From<WorldPoint> for c::Point {
    #[inline]
    fn from(point: WorldPoint) -> c::Point {
        let WorldPoint { region, local } = point;
        c::Point { region_x: region.x, region_y: region.y, local: local.into() }
    }
}

impl From<c::Aabb> for Aabb {
    #[inline]
    fn from(aabb: c::Aabb) -> Aabb {
        Aabb { min: aabb.min.into(), max: aabb.max.into() }
    }
}

impl From<Aabb> for c::Aabb {
    #[inline]
    fn from(aabb: Aabb) -> c::Aabb {
        c::Aabb { min: aabb.min.into(), max: aabb.max.into() }
    }
}

impl From<c::WorldAabb> for WorldAabb {
    #[inline]
    fn from(area: c::WorldAabb) -> WorldAabb {
        let region = IVec2::new(area.region_x, area.region_y);
        WorldAabb { region, aabb: area.aabb.into() }
    }
}

impl From<c::Mass> for Mass {
    #[inline]
    fn from(mass: c::Mass) -> Mass {
        Mass { mass: mass.mass, center: mass.center.into(), inertia: mass.inertia }
    }
}

impl From<Mass> for c::Mass {
    #[inline]
    fn from(mass: Mass) -> c::Mass {
        c::Mass { mass: mass.mass, center: mass.center.into(), inertia: mass.inertia }
    }
}
