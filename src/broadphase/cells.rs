//! The grid for debug drawing: cells that hold moving boxes, and the boxes around groups of resting
//! boxes.
//!
//! In: ids. Out: boxes relative to a place, to be drawn; no search uses them.

use super::cell::{self, Ruler};
use super::proxy::IN_CELL;
use super::{Grid, WorldAabb};
use crate::bounds::Aabb;
use crate::math::{WorldPoint, max};
use crate::util::sort;

/// Units of [`cell::fixed`] in a metre.
const UNITS_OF_METRE: f64 = (1_u64 << 21) as f64;

/// A cell that contains boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cell {
    /// The cell relative to the place of the caller.
    pub(crate) aabb: Aabb,
    /// Its level, 0 for the smallest boxes.
    pub(crate) level: u32,
    /// How many boxes stand in it.
    pub(crate) count: u32,
}

/// A cell by its numbers: level, column, row.
type Address = (u32, [u64; 2]);

impl Grid {
    /// Returns the cells of the moving boxes among `ids`, from coarse to fine. A box stands in the
    /// cell of its lower left corner.
    ///
    /// A search sorts by the box around the present and the last bounds of a box, so it may put a
    /// fast box a level higher.
    pub(crate) fn cells(&self, ids: impl Iterator<Item = u32>, from: WorldPoint) -> Vec<Cell> {
        let mut addresses: Vec<Address> = ids.filter_map(|id| self.address(id)).collect();
        sort::by(&mut addresses, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let runs = addresses.chunk_by(|a, b| a == b);
        runs.map(|run| Cell {
            aabb: self.box_of_cell(run[0], from),
            level: run[0].0,
            count: run.len() as u32,
        })
        .collect()
    }

    /// Calls `visit` with the boxes around groups of up to eight resting boxes that overlap `view`.
    pub(crate) fn visit_groups(&self, view: Option<&WorldAabb>, mut visit: impl FnMut(&WorldAabb)) {
        let wanted = |group: &WorldAabb| group.is_valid() && view.is_none_or(|view| view.overlaps(group));
        self.resting_forest.groups().filter(|group| wanted(group)).for_each(&mut visit);
    }

    fn address(&self, id: u32) -> Option<Address> {
        let proxy = self.proxies.get(id as usize).filter(|proxy| proxy.is(IN_CELL))?;
        let plan = self.plan();
        let WorldAabb { region, aabb } = proxy.aabb;
        let size = aabb.size();
        let number = plan.level(max(size.x, size.y));
        let level = plan.levels.get(number).filter(|level| level.limit.is_finite())?;
        let corner = [cell::fixed(region.x, aabb.min.x), cell::fixed(region.y, aabb.min.y)];
        Some((number as u32, level.cell(plan.extent.place(corner))))
    }

    fn box_of_cell(&self, (level, cell): Address, from: WorldPoint) -> Aabb {
        let plan = self.plan();
        let Ruler { edge, .. } = plan.levels[level as usize].ruler;
        let origin = [cell::fixed(from.region.x, from.local.x), cell::fixed(from.region.y, from.local.y)];
        let along = |axis: usize, step: i128| {
            let place =
                i128::from(plan.extent.low[axis]) + (i128::from(cell[axis]) + step) * i128::from(edge);
            ((place - i128::from(origin[axis])) as f64 / UNITS_OF_METRE) as f32
        };
        Aabb { min: glam::vec2(along(0, 0), along(1, 0)), max: glam::vec2(along(0, 1), along(1, 1)) }
    }
}
