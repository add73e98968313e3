//! Fields that lead agents: their interface, and flow fields on maps in a world.

use carom::{Vec2, WorldPoint};

use crate::field::Flow;
use crate::grid::{Map, Tiling};

/// Fields by number, as [`Crowd::stream`](super::Crowd::stream) uses them.
pub trait Fields: Sync {
    /// The direction to the goal, of length 1; zero where it is unknown.
    fn heading(&self, field: u32, place: WorldPoint) -> Vec2;

    /// Distance to the goal, in metres: the nearer agent goes first. `None` where it is unknown, 0
    /// at the goal.
    fn left(&self, field: u32, place: WorldPoint) -> Option<f32>;
}

/// No fields: agents that stream stand still.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFields;

impl Fields for NoFields {
    fn heading(&self, _: u32, _: WorldPoint) -> Vec2 {
        Vec2::ZERO
    }

    fn left(&self, _: u32, _: WorldPoint) -> Option<f32> {
        None
    }
}

/// A flow field, its map, and the position of the map in the world.
///
/// A slice of `FlowOn` implements [`Fields`]: the first is field 0.
#[derive(Clone, Copy, Debug)]
pub struct FlowOn<'f> {
    /// The field.
    pub flow: &'f Flow,
    /// The map of the field.
    pub map: &'f Map,
    /// The position of the map.
    pub tiling: &'f Tiling,
}

impl Fields for [FlowOn<'_>] {
    fn heading(&self, field: u32, place: WorldPoint) -> Vec2 {
        self.get(field as usize)
            .map_or(Vec2::ZERO, |on| on.flow.heading(on.map, on.tiling.corner.to(place) / on.tiling.cell))
    }

    fn left(&self, field: u32, place: WorldPoint) -> Option<f32> {
        let on = self.get(field as usize)?;
        let length = on.flow.distance(on.tiling.cell_at(place))?;
        Some(length.cells() as f32 * on.tiling.cell)
    }
}

impl<const N: usize> Fields for [FlowOn<'_>; N] {
    fn heading(&self, field: u32, place: WorldPoint) -> Vec2 {
        self.as_slice().heading(field, place)
    }

    fn left(&self, field: u32, place: WorldPoint) -> Option<f32> {
        self.as_slice().left(field, place)
    }
}
