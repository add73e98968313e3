//! Triangulation of the region to the left of all loops, by a line that sweeps from left to right.
//!
//! In: loops that touch neither themselves nor each other. Out: triangles of their corners, and
//! which sides they share.
//!
//! The line crosses regions of the solid, each between a lower and an upper edge. Behind the line
//! lies the part of a region that is not yet triangles: a chain of corners from the lower edge to
//! the upper one, which bulges towards the line. When the line reaches a corner, diagonals join
//! that corner with the corners of the chain that it sees. The triangles between them are cut off
//! the region (Hertel and Mehlhorn 1983).
//!
//! ```text
//!     ------- upper edge ---o          o is at an end of the chain: lower, upper, both (the region
//!        \                             ends), the upper end of one and the lower end of the next
//!         \  chain    |                (they become one), or inside: then the region is split
//!         /           | line           along the diagonal to the corner that came last.
//!        /            |
//!     ------- lower edge ------
//! ```

use super::ShapeError;
use super::loops::{Loops, Node, turn};
use crate::util::sort;

/// No side, link or edge.
pub(super) const NO_SIDE: u32 = u32::MAX;

/// Triangles, three sides each; side `3 t + k` goes from corner k of triangle t to the next one,
/// with the triangle on its left.
pub(super) struct Triangles {
    /// Where each side begins.
    pub(super) corner: Vec<u32>,
    /// The same side of the neighbour, or `NO_SIDE`.
    pub(super) twin: Vec<u32>,
}

/// The side after `side` in its triangle.
#[inline(always)]
pub(super) fn next(side: u32) -> u32 {
    if side % 3 == 2 { side - 2 } else { side + 1 }
}

/// A corner in a chain.
#[derive(Clone, Copy)]
struct Link {
    corner: u32,
    below: u32,
    above: u32,
    /// The diagonal to the link above; `NO_SIDE` where it is an edge of a loop.
    diagonal: u32,
}

/// A region that the line crosses.
#[derive(Clone, Copy)]
struct Region {
    /// The lower and the upper edge, from left to right.
    low: [u32; 2],
    high: [u32; 2],
    /// The lowest, the highest and the newest link of its chain.
    bottom: u32,
    top: u32,
    newest: u32,
}

struct Sweep<'a> {
    grid: &'a [Node],
    links: Vec<Link>,
    /// The regions that the line crosses, from below.
    regions: Vec<Region>,
    corner: Vec<u32>,
    /// The one or two sides of each diagonal.
    diagonals: Vec<[u32; 2]>,
}

/// Returns the triangles of the region to the left of all loops.
///
/// # Errors
/// A hole is not inside the solid.
pub(super) fn triangulate(loops: &Loops) -> Result<Triangles, ShapeError> {
    let count = loops.grid.len();
    let mut order: Vec<u32> = (0..count as u32).collect();
    sort::by_key(&mut order, |&corner| loops.grid[corner as usize]);
    let mut sweep = Sweep {
        grid: &loops.grid,
        links: Vec::with_capacity(2 * count),
        regions: Vec::new(),
        corner: Vec::with_capacity(3 * count),
        diagonals: Vec::with_capacity(count),
    };
    for corner in order {
        let (before, after) = (loops.before[corner as usize], loops.after[corner as usize]);
        sweep.reach(corner, before, after).ok_or_else(|| loops.misplaced(corner))?;
    }
    let mut twin = vec![NO_SIDE; sweep.corner.len()];
    for &[a, b] in sweep.diagonals.iter().filter(|sides| sides[1] != NO_SIDE) {
        (twin[a as usize], twin[b as usize]) = (b, a);
    }
    Ok(Triangles { corner: sweep.corner, twin })
}

impl Loops {
    /// Returns the error of a corner that contradicts its surroundings: a bad hole, or an outline
    /// that crosses itself.
    fn misplaced(&self, corner: u32) -> ShapeError {
        match self.spans().position(|span| span.contains(&(corner as usize))) {
            None | Some(0) => ShapeError::SelfCrossing,
            Some(number) => ShapeError::BadHole(number as u32 - 1),
        }
    }
}

impl Sweep<'_> {
    fn at(&self, corner: u32) -> Node {
        self.grid[corner as usize]
    }

    fn turn(&self, p: u32, q: u32, r: u32) -> i64 {
        turn(self.at(p), self.at(q), self.at(r))
    }

    /// The line reaches a corner. `None` if its surroundings contradict it.
    fn reach(&mut self, v: u32, before: u32, after: u32) -> Option<()> {
        let comes = self.at(before) < self.at(v);
        let goes = self.at(v) < self.at(after);
        let is_convex = self.turn(before, v, after) > 0;
        let place = self.regions.partition_point(|region| {
            let [left, right] = region.high;
            turn(self.grid[left as usize], self.grid[right as usize], self.grid[v as usize]) > 0
        });
        match (comes, goes) {
            (false, true) if is_convex => self.start(v, place, before, after),
            (false, true) => self.split(v, place, before, after),
            (true, false) if is_convex => self.end(v, place),
            (true, false) => self.merge(v, place),
            (true, true) => {
                let region = self.regions.get(place).copied().filter(|region| region.low[1] == v)?;
                let newest = self.attach_below(region.bottom, v, NO_SIDE);
                self.regions[place] = Region { low: [v, after], bottom: newest, newest, ..region };
                Some(())
            }
            (false, false) => {
                let region = self.regions.get(place).copied().filter(|region| region.high[1] == v)?;
                let newest = self.attach_above(region.top, v, NO_SIDE);
                self.regions[place] = Region { high: [v, before], top: newest, newest, ..region };
                Some(())
            }
        }
    }

    fn is_inside(&self, v: u32, place: usize) -> bool {
        let above = |region: &Region| self.turn(region.low[0], region.low[1], v) > 0;
        self.regions.get(place).is_some_and(above)
    }

    fn start(&mut self, v: u32, place: usize, before: u32, after: u32) -> Option<()> {
        if self.is_inside(v, place) {
            return None;
        }
        let link = self.link(v);
        let region = Region { low: [v, after], high: [v, before], bottom: link, top: link, newest: link };
        self.regions.insert(place, region);
        Some(())
    }

    fn split(&mut self, v: u32, place: usize, before: u32, after: u32) -> Option<()> {
        if !self.is_inside(v, place) {
            return None;
        }
        let region = self.regions[place];
        let diagonal = self.diagonal();
        let lower = region.newest;
        let Link { corner, above, diagonal: over, .. } = self.links[lower as usize];
        // The corner that came last is the top of the lower chain and the bottom of the upper one.
        let upper = self.link(corner);
        self.links[upper as usize].above = above;
        self.links[upper as usize].diagonal = over;
        if above != NO_SIDE {
            self.links[above as usize].below = upper;
        }
        (self.links[lower as usize].above, self.links[lower as usize].diagonal) = (NO_SIDE, NO_SIDE);
        let top = if region.top == lower { upper } else { region.top };
        let (below, over) = (self.attach_above(lower, v, diagonal), self.attach_below(upper, v, diagonal));
        self.regions[place] = Region { high: [v, before], top: below, newest: below, ..region };
        let high = Region { low: [v, after], bottom: over, top, newest: over, ..region };
        self.regions.insert(place + 1, high);
        Some(())
    }

    fn end(&mut self, v: u32, place: usize) -> Option<()> {
        let ends = |region: &Region| region.low[1] == v && region.high[1] == v;
        let region = self.regions.get(place).copied().filter(ends)?;
        self.regions.remove(place);
        let mut side_below = NO_SIDE;
        let mut link = self.links[region.bottom as usize];
        while link.above != NO_SIDE {
            let above = self.links[link.above as usize];
            let over = if above.above == NO_SIDE { NO_SIDE } else { self.diagonal() };
            self.triangle([link.corner, v, above.corner], [side_below, over, link.diagonal]);
            (side_below, link) = (over, above);
        }
        Some(())
    }

    fn merge(&mut self, v: u32, place: usize) -> Option<()> {
        let lower = self.regions.get(place).copied().filter(|region| region.high[1] == v)?;
        let upper = self.regions.get(place + 1).copied().filter(|region| region.low[1] == v)?;
        let newest = self.attach_above(lower.top, v, NO_SIDE);
        let copy = self.attach_below(upper.bottom, v, NO_SIDE);
        // Both chains end in this corner: as one link of one chain.
        let Link { above, diagonal, .. } = self.links[copy as usize];
        (self.links[newest as usize].above, self.links[newest as usize].diagonal) = (above, diagonal);
        self.links[above as usize].below = newest;
        self.regions.remove(place + 1);
        self.regions[place] = Region { high: upper.high, top: upper.top, newest, ..lower };
        Some(())
    }

    /// Adds a link below the chain that begins at `bottom`, and cuts off the triangles with all
    /// links that it sees.
    fn attach_below(&mut self, bottom: u32, v: u32, mut diagonal: u32) -> u32 {
        let mut end = bottom;
        loop {
            let Link { corner, above, diagonal: over, .. } = self.links[end as usize];
            if above == NO_SIDE || self.turn(corner, v, self.links[above as usize].corner) <= 0 {
                break;
            }
            let new = self.diagonal();
            self.triangle([corner, v, self.links[above as usize].corner], [diagonal, new, over]);
            (diagonal, end) = (new, above);
        }
        let link = self.link(v);
        (self.links[link as usize].above, self.links[link as usize].diagonal) = (end, diagonal);
        self.links[end as usize].below = link;
        link
    }

    /// Adds a link above the chain that ends at `top`, likewise.
    fn attach_above(&mut self, top: u32, v: u32, mut diagonal: u32) -> u32 {
        let mut end = top;
        loop {
            let Link { corner, below, .. } = self.links[end as usize];
            if below == NO_SIDE || self.turn(self.links[below as usize].corner, v, corner) <= 0 {
                break;
            }
            let new = self.diagonal();
            let Link { corner: low, diagonal: under, .. } = self.links[below as usize];
            self.triangle([low, v, corner], [new, diagonal, under]);
            (diagonal, end) = (new, below);
        }
        let link = self.link(v);
        self.links[link as usize].below = end;
        (self.links[end as usize].above, self.links[end as usize].diagonal) = (link, diagonal);
        link
    }

    /// A link of a chain of its own.
    fn link(&mut self, corner: u32) -> u32 {
        self.links.push(Link { corner, below: NO_SIDE, above: NO_SIDE, diagonal: NO_SIDE });
        self.links.len() as u32 - 1
    }

    fn diagonal(&mut self) -> u32 {
        self.diagonals.push([NO_SIDE; 2]);
        self.diagonals.len() as u32 - 1
    }

    /// A triangle, counter-clockwise, and the diagonals that its sides are.
    fn triangle(&mut self, corners: [u32; 3], diagonals: [u32; 3]) {
        for (corner, diagonal) in corners.into_iter().zip(diagonals) {
            if diagonal != NO_SIDE {
                let sides = &mut self.diagonals[diagonal as usize];
                sides[usize::from(sides[0] != NO_SIDE)] = self.corner.len() as u32;
            }
            self.corner.push(corner);
        }
    }
}
