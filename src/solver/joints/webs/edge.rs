//! One joint of a web: velocities of its ends, gaps, and the right-hand side of its rows.
//!
//! In: an edge, the nodes it joins, its block. Out: speeds along its rows (the Jacobian times the
//! velocities), gaps, the speeds that close them, loads for the elimination.

use super::solve::Aim;
use super::web::{WebEdge, WebNode, length};
use crate::body::NONE;
use crate::math::min;
use crate::simd::OneLane;
use crate::solver::joints::block::{Drives, JointBlock, SERVO};
use crate::solver::joints::two_bodies::{Hold, foreseen};
use crate::solver::params::JointParams;
use crate::tuning::WebTuning;

impl WebEdge {
    /// The velocities of A and B.
    pub(super) fn ends(&self, nodes: &[WebNode], velocity: &[[f32; 4]]) -> [[f64; 3]; 2] {
        let of = |node: u32, ground: u32| {
            if node == NONE {
                let [x, y, spin, _] = velocity[ground as usize];
                return [f64::from(x), f64::from(y), f64::from(spin)];
            }
            nodes[node as usize].velocity
        };
        [of(self.a, self.grounds[0]), of(self.b, self.grounds[1])]
    }

    /// Speeds of the three axes.
    pub(super) fn speeds(&self, nodes: &[WebNode], velocity: &[[f32; 4]]) -> [f64; 3] {
        let [[ax, ay, aw], [bx, by, bw]] = self.ends(nodes, velocity);
        self.jacobian
            .map(|row| row[0] * ax + row[1] * ay + row[2] * aw + row[3] * bx + row[4] * by + row[5] * bw)
    }

    /// Both bodies, in the form of the other joint solvers.
    pub(super) fn hold(&self, block: &JointBlock, nodes: &[WebNode], velocity: &[[f32; 4]]) -> Hold<f32> {
        let [a, b] = self.ends(nodes, velocity).map(|[x, y, spin]| [x as f32, y as f32, spin as f32, 0.0]);
        Hold::of(OneLane(self.lane as usize), block, (a, b))
    }

    /// Writes their velocities back to the nodes.
    pub(super) fn keep(&self, hold: &Hold<f32>, nodes: &mut [WebNode]) {
        for (node, v) in [(self.a, hold.v_a), (self.b, hold.v_b)] {
            if node != NONE {
                nodes[node as usize].velocity = [f64::from(v[0]), f64::from(v[1]), f64::from(v[2])];
            }
        }
    }

    /// Predicted gaps of locked axes and to limits: the present value plus the bend term. Gaps
    /// below the rounding of positions are 0. (Room left to a limit is closed as softly as an
    /// overshoot: as a target speed it would contradict ropes side by side.)
    pub(super) fn gaps(
        &self,
        (block, drives): (&JointBlock, Option<&Drives>),
        (nodes, velocity): (&[WebNode], &[[f32; 4]]),
        params: &JointParams,
    ) -> [f64; 3] {
        let (w, hold) = (OneLane(self.lane as usize), self.hold(block, nodes, velocity));
        let line = self.form.line().then(|| block.now.value[0][w.0]);
        let bend = hold.bend(w, line, params);
        let share = foreseen(w, (hold.v_a[2], hold.v_b[2]), params.h);
        let bend = [share * bend[0], share * bend[1], 0.0];
        core::array::from_fn(|k| {
            if !self.is_on(k) {
                return 0.0;
            }
            let gap = self.off(k, block, drives) + f64::from(bend[k]);
            let unknown = if k == 2 { WebTuning::ANGLE_ROUNDING } else { self.unknown };
            if gap > unknown {
                gap - unknown
            } else if gap < -unknown {
                gap + unknown
            } else {
                0.0
            }
        })
    }

    /// The speeds that close gaps, no faster than the parameters allow.
    pub(super) fn closing(&self, gaps: [f64; 3], block: &JointBlock, params: &JointParams) -> [f64; 3] {
        let (most, inv_h, lane) = (f64::from(params.max_push), f64::from(params.inv_h), self.lane as usize);
        let [along, across, turn] = gaps.map(|gap| gap * inv_h);
        let fast = length([along, across]);
        let scale = if fast > most { most / fast } else { 1.0 };
        // A rotation also moves the far end of a wide gap: its speed is limited, too.
        let arm = length([f64::from(block.now.value[0][lane]), f64::from(block.now.value[1][lane])]);
        let least = f64::from(params.tuning.least_arm);
        let most = most / if arm > least { arm } else { least };
        let turn = if turn > most {
            most
        } else if turn < -most {
            -most
        } else {
            turn
        };
        [along * scale, across * scale, turn]
    }

    /// The energy that its springs gain in a sub-step by a change of the speeds of its axes: each
    /// half of a sub-step pushes with `pull` times the distance from the target.
    pub(super) fn stretched(
        &self,
        (blocks, drives): (&[JointBlock], &[Drives]),
        change: [f64; 3],
        params: &JointParams,
    ) -> f64 {
        let (block, lane) = (&blocks[self.block as usize], self.lane as usize);
        let Some(drives) = drives.get(block.drives as usize) else { return 0.0 };
        let of = |k: usize| {
            let (driven, k_own) = (&drives[k], block.now.k[k][lane]);
            let most = if k_own > 0.0 { driven.most_pull[lane] / k_own } else { 0.0 };
            let pull = f64::from(min(driven.pull[lane], most));
            let off = f64::from(block.now.value[k][lane] - driven.target[lane]);
            pull * change[k] * (2.0 * off + f64::from(params.h) * change[k])
        };
        (0..3).filter(|&k| self.form.drives(k, SERVO)).map(of).sum()
    }

    /// Target speeds of the three axes.
    pub(super) fn wanted(&self, aim: Aim) -> [f64; 3] {
        let goes_on = |k: usize| aim == Aim::Again && (self.form.holds(k) || self.held_at[k] != 0.0);
        core::array::from_fn(|k| if goes_on(k) { self.left[k] } else { 0.0 })
    }

    /// The rows times the changes of velocity.
    pub(super) fn change(&self, found: &[[f64; 3]], rows: &[[f64; 6]; 3]) -> [f64; 3] {
        let of = |node: u32| if node == NONE { [0.0; 3] } else { found[node as usize] };
        let ([ax, ay, aw], [bx, by, bw]) = (of(self.a), of(self.b));
        rows.map(|row| row[0] * ax + row[1] * ay + row[2] * aw + row[3] * bx + row[4] * by + row[5] * bw)
    }

    /// L⁻¹ times the wanted change.
    pub(super) fn raised(&self) -> [f64; 3] {
        let ([_, l10, l20, _, l21, _], [first, second, third]) = (self.k, self.rest);
        let second = second - l10 * first;
        [first, second, third - l20 * first - l21 * second]
    }

    /// D⁻¹ / ε times `raised`.
    pub(super) fn load(&self, raised: [f64; 3], exact: bool) -> [f64; 3] {
        let soft = if exact {
            WebTuning::GIVES
        } else if self.open > WebTuning::LEAST_SOFTNESS {
            self.open
        } else {
            WebTuning::LEAST_SOFTNESS
        };
        let pivots = self.pivots();
        core::array::from_fn(|k| raised[k] * pivots[k] / soft)
    }
}
