//! The fat AABB of a part in the grid: its tight box, swept over the next step and enlarged.
//!
//! In: the velocity of a body and the tight box of a part. Out: a box that contains the part until
//! the end of the next step, with the speculative margin and room to move.
//!
//! ```text
//!   tight box  ->  swept along the velocity  ->  + speculative margin  ->  + room to move
//!                                                SPECULATIVE_DISTANCE      BOX_ROOM, MAX_BOX_ROOM
//! ```

use glam::Vec2;

use crate::body::Body;
use crate::bounds::Aabb;
use crate::math::{limited, max, min};
use crate::tuning::{BOX_ROOM, MarginTuning};

/// Parameters of boxes.
#[derive(Clone, Copy)]
pub(crate) struct SweepParams {
    /// Length of the step.
    pub(crate) dt: f32,
    pub(crate) max_speed: f32,
    pub(crate) margins: MarginTuning,
}

/// Possible displacement of a body in the next step, from its velocity.
pub(crate) struct SweptBody {
    way: Vec2,
    turn: f32,
    reach: f32,
    margins: MarginTuning,
}

impl SweptBody {
    pub(crate) fn new(body: &Body, SweepParams { dt, max_speed, margins }: SweepParams) -> SweptBody {
        SweptBody {
            margins,
            way: limited(body.linear_velocity, max_speed) * dt,
            turn: min(body.angular_velocity.abs() * dt, 1.0),
            reach: body.max_extent,
        }
    }

    /// The box around all positions of a part in the next step, with the speculative margin.
    pub(super) fn swept_aabb(&self, tight: &Aabb) -> Aabb {
        let ahead = Aabb { min: tight.min + self.way, max: tight.max + self.way };
        tight.union(ahead).grown(margin_of(tight, &self.margins) + self.turn * self.reach)
    }

    /// The fat AABB: the swept one, with room to move before it has to be made anew.
    pub(crate) fn fat_aabb(&self, tight: &Aabb) -> Aabb {
        self.swept_aabb(tight).grown(room_of(tight, &self.margins))
    }
}

/// The speculative margin around a part.
#[inline]
fn margin_of(tight: &Aabb, margins: &MarginTuning) -> f32 {
    let size = tight.size();
    min(margins.speculative, margins.small + max(size.x, size.y))
}

/// Room to move before a box has to be made anew.
#[inline]
pub(super) fn room_of(tight: &Aabb, margins: &MarginTuning) -> f32 {
    let size = tight.size();
    min(margins.max_box_room, BOX_ROOM * max(size.x, size.y))
}
