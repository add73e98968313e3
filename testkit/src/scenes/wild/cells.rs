//! Places for bodies of all sizes, none in another.
//!
//! In: bodies with their extents. Out: each in a square cell of its own. Cells are quartered as in
//! a quadtree, so that small bodies share a cell that is as large as the largest body.
//!
//! ```text
//!   +-------+---+-+-+     rows of roots, as many columns as the aspect asks for
//!   |       |   +-+-+     a body gets the smallest cell that holds it,
//!   |   A   +---+-+-+     and a quartered cell leaves three for the next ones
//!   |       | B |   |
//!   +-------+---+---+
//! ```

use carom::{Vec2, vec2};

use super::forms::Loose;
use crate::greater;

/// The smallest cell is the root halved so often.
const DEEPEST: usize = 10;

pub(super) struct Cells {
    /// Side of the largest cells.
    root: f32,
    columns: usize,
    /// Roots in use.
    roots: usize,
    /// Lower left corners of free cells, by how often they were halved.
    free: Vec<Vec<Vec2>>,
}

impl Cells {
    /// Cells for these bodies, none of them placed.
    pub(super) fn new(loose: &[Loose], aspect: f32) -> Cells {
        let root = loose.iter().fold(0.0, |root, body| greater(root, body.side));
        let share = |body: &Loose| 0.25_f64.powi(level(root, body.side) as i32);
        let roots: f64 = loose.iter().map(share).sum();
        let columns = ((roots * f64::from(aspect)).sqrt().ceil() as usize).max(1);
        Cells { root, columns, roots: 0, free: vec![Vec::new(); DEEPEST + 1] }
    }

    pub(super) fn width(&self) -> f32 {
        self.columns as f32 * self.root
    }

    /// Of all rows in use.
    pub(super) fn height(&self) -> f32 {
        self.roots.div_ceil(self.columns) as f32 * self.root
    }

    /// Gives each body its place, above `floor`.
    pub(super) fn place_all(&mut self, loose: &mut [Loose], floor: f32) {
        let corner = vec2(-0.5 * self.width(), floor);
        for body in loose {
            let level = level(self.root, body.side);
            let half = 0.5 * self.root / (1_u32 << level) as f32;
            let at = corner + self.take(level) + vec2(half, half);
            body.plan.at = at - body.middle;
        }
    }

    /// The lower left corner of a free cell.
    fn take(&mut self, level: usize) -> Vec2 {
        if let Some(corner) = self.free[level].pop() {
            return corner;
        }
        if level == 0 {
            let (row, column) = (self.roots / self.columns, self.roots % self.columns);
            self.roots += 1;
            return self.root * vec2(column as f32, row as f32);
        }
        let corner = self.take(level - 1);
        let side = self.root / (1_u32 << level) as f32;
        for (x, y) in [(1.0, 1.0), (0.0, 1.0), (1.0, 0.0)] {
            self.free[level].push(corner + side * vec2(x, y));
        }
        corner
    }
}

/// How often the root can be halved until it is just no smaller than `side`.
fn level(root: f32, side: f32) -> usize {
    let (mut level, mut cell) = (0, 0.5 * root);
    while level < DEEPEST && cell >= side && side > 0.0 {
        (level, cell) = (level + 1, 0.5 * cell);
    }
    level
}
