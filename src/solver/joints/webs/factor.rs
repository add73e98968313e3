//! The matrix of a web, M + Jᵀ W J, and its L D Lᵀ, in blocks of three rows per body.
//!
//! In: joints with up-to-date Jacobians, masses. Out: factors, with which a pass finds the change
//! of all velocities at once. In double precision, as joints are 10⁷ times as stiff as their bodies
//! are heavy.

use super::elimination::EliminationOrder;
use super::web::{WebEdge, WebNode};
use crate::body::NONE;
use crate::simd::{Level, dispatch};

/// A block of three rows of three numbers. The fourth fills lanes.
type Square = [[f64; 4]; 3];

/// L D Lᵀ of three rows: `[1 / d0, l10, l20, 1 / d1, l21, 1 / d2]`, as in `joints/small_matrix.rs`.
pub(super) type Factors = [f64; 6];

/// A pivot below this share of its former value means a redundant row.
const NO_PIVOT_OF_WEBS: f64 = 1.0e-12;

#[inline(always)]
fn pivot(left: f64, whole: f64) -> f64 {
    if left > whole * NO_PIVOT_OF_WEBS { 1.0 / left } else { 0.0 }
}

/// L D Lᵀ of `[00, 01, 02, 11, 12, 22]`.
#[inline(always)]
pub(super) fn decompose([m00, m01, m02, m11, m12, m22]: [f64; 6]) -> Factors {
    let d0 = pivot(m00, m00);
    let (l10, l20) = (m01 * d0, m02 * d0);
    let d1 = pivot(m11 - l10 * m01, m11);
    let rest = m12 - l10 * m02;
    let l21 = rest * d1;
    let d2 = pivot(m22 - l20 * m02 - l21 * rest, m22);
    [d0, l10, l20, d1, l21, d2]
}

#[inline(always)]
fn solved([d0, l10, l20, d1, l21, d2]: Factors, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let y = y - l10 * x;
    let z = (z - l20 * x - l21 * y) * d2;
    let y = y * d1 - l21 * z;
    [x * d0 - l10 * y - l20 * z, y, z]
}

/// A factored matrix.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    diagonal: Vec<[f64; 6]>,
    below: Vec<Square>,
    /// Scratch memory: a column before it is scaled, each block transposed.
    column: Vec<Square>,
    /// The SIMD level; results do not depend on it.
    pub(super) level: Level,
}

impl Matrix {
    /// Allocates memory for a plan: steps allocate none.
    pub(super) fn new(plan: &EliminationOrder) -> Matrix {
        let count = plan.starts.len() - 1;
        let widest = (0..count).map(|column| plan.blocks(column).len()).max().unwrap_or(0);
        Matrix {
            diagonal: vec![[0.0; 6]; count],
            below: vec![[[0.0; 4]; 3]; plan.rows.len()],
            column: Vec::with_capacity(widest),
            level: Level::widest(),
        }
    }

    /// Adds up the matrix and factors it. `soft`: compliance of each edge, as a share of its own K.
    pub(super) fn fill(
        &mut self,
        plan: &EliminationOrder,
        (nodes, edges): (&[WebNode], &[WebEdge]),
        soft: impl Fn(&WebEdge) -> f64,
    ) {
        self.diagonal.clear();
        self.diagonal.extend(nodes.iter().map(|node| {
            let [x, y, spin] = node.weight;
            [x, 0.0, 0.0, y, 0.0, spin]
        }));
        self.below.clear();
        self.below.resize(plan.rows.len(), [[0.0; 4]; 3]);
        for edge in edges {
            self.add(edge, 1.0 / soft(edge));
        }
        dispatch!(self.level, _lanes => self.factor(plan));
    }

    /// Adds an edge: the square of each row of L⁻¹ J over its pivot.
    fn add(&mut self, edge: &WebEdge, stiff: f64) {
        for (row, pivot) in edge.rows.iter().zip(edge.pivots()) {
            if pivot == 0.0 {
                continue;
            }
            let by = pivot * stiff;
            for (node, at) in [(edge.a, 0), (edge.b, 3)] {
                if node != NONE {
                    let [x, y, z] = [row[at], row[at + 1], row[at + 2]];
                    let sum = &mut self.diagonal[node as usize];
                    for (sum, square) in sum.iter_mut().zip([x * x, x * y, x * z, y * y, y * z, z * z]) {
                        *sum += by * square;
                    }
                }
            }
            if edge.between != NONE {
                // The later body gives the row of the block.
                let (late, early) = if edge.a > edge.b { (0, 3) } else { (3, 0) };
                let sum = &mut self.below[edge.between as usize];
                for i in 0..3 {
                    for j in 0..3 {
                        sum[i][j] += by * row[late + i] * row[early + j];
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn factor(&mut self, plan: &EliminationOrder) {
        let mut next = 0;
        for column in 0..self.diagonal.len() {
            let own = decompose(self.diagonal[column]);
            self.diagonal[column] = own;
            let blocks = plan.blocks(column);
            self.column.clear();
            self.column.extend(self.below[blocks.clone()].iter().map(transposed));
            for (p, at) in blocks.clone().enumerate() {
                let block = &mut self.below[at];
                for row in block.iter_mut() {
                    let [x, y, z] = solved(own, [row[0], row[1], row[2]]);
                    *row = [x, y, z, 0.0];
                }
                let scaled = *block;
                for other in &self.column[..p] {
                    let target = &mut self.below[plan.targets[next] as usize];
                    next += 1;
                    for (target, row) in target.iter_mut().zip(&scaled) {
                        let product = times(row, other);
                        (0..4).for_each(|j| target[j] -= product[j]);
                    }
                }
                let diagonal = &mut self.diagonal[plan.rows[at] as usize];
                let mut place = 0;
                for (i, row) in scaled.iter().enumerate() {
                    let product = times(row, &self.column[p]);
                    for number in &product[i..3] {
                        diagonal[place] -= number;
                        place += 1;
                    }
                }
            }
        }
    }

    /// Solves for `x` in place.
    pub(super) fn solve(&self, plan: &EliminationOrder, x: &mut [[f64; 3]]) {
        for column in 0..x.len() {
            let own = x[column];
            for at in plan.blocks(column) {
                let (block, row) = (&self.below[at], plan.rows[at] as usize);
                for i in 0..3 {
                    x[row][i] -= block[i][0] * own[0] + block[i][1] * own[1] + block[i][2] * own[2];
                }
            }
            x[column] = solved(self.diagonal[column], own);
        }
        for column in (0..x.len()).rev() {
            let mut own = x[column];
            for at in plan.blocks(column) {
                let (block, later) = (&self.below[at], x[plan.rows[at] as usize]);
                for (j, own) in own.iter_mut().enumerate() {
                    *own -= block[0][j] * later[0] + block[1][j] * later[1] + block[2][j] * later[2];
                }
            }
            x[column] = own;
        }
    }
}

/// A row times a block.
#[inline(always)]
fn times(row: &[f64; 4], block: &Square) -> [f64; 4] {
    core::array::from_fn(|j| row[0] * block[0][j] + row[1] * block[1][j] + row[2] * block[2][j])
}

#[inline(always)]
fn transposed(block: &Square) -> Square {
    core::array::from_fn(|i| [block[0][i], block[1][i], block[2][i], 0.0])
}
