//! The energy clamp of webs: energy that a pass adds is taken from the speeds again.
//!
//! In: velocities before and after a pass, and the impulses of gravity and springs. Out:
//! velocities, slowed down where joints did work.

use super::web::{Web, WebEdge, WebNode};
use crate::ablate::Rule;
use crate::body::NONE;
use crate::solver::joints::pass::Half;
use crate::solver::params::JointParams;
use crate::tuning::{JointTuning, WebTuning};

impl Web {
    /// Joints do no work. If they did, bodies are slowed down, all by the same share, as in trees:
    /// relative to the ground of the web, or to the common centre. Work of kinematic grounds is not
    /// counted as a gain. (Without it `a_bridge_of_ropes_rests` fails in `tests/physics/ropes.rs`,
    /// and four more tests of joints in `tests/physics/`.)
    pub(super) fn keep_energy(&mut self, velocity: &[[f32; 4]], half: Half, params: &JointParams) {
        let energy = |of: fn(&WebNode) -> [f64; 3], seen: [f64; 3]| -> f64 {
            let one = |node: &WebNode| {
                let v = of(node);
                (0..3).fold(0.0, |sum, k| sum + 0.5 * node.mass[k] * (v[k] - seen[k]) * (v[k] - seen[k]))
            };
            self.nodes.iter().map(one).sum()
        };
        let (before, after) = (energy(|node| node.before, [0.0; 3]), energy(|node| node.velocity, [0.0; 3]));
        self.gain += after - before + self.work_on_grounds(velocity);
        let contradicts = self.contradicts(params);
        if half == Half::Before {
            self.gain += self.lifted(contradicts) + self.stretched(contradicts);
            return;
        }
        let common = self.common(velocity);
        let inner = energy(|node| node.velocity, common);
        let gain = if self.gain > 0.0 { self.gain } else { 0.0 };
        let most = if self.limited { JointTuning::MOST_GAIN } else { WebTuning::MOST_GAIN_UNLIMITED };
        let excess = if contradicts { gain + WebTuning::ENERGY_LOSS * inner } else { gain - most * inner };
        if !Rule::WebEnergy.acts(excess > 0.0 && inner > 0.0) {
            let least = -JointTuning::CREDIT * inner;
            self.gain = if self.gain < least { least } else { self.gain };
            return;
        }
        let scale = if excess < inner { ((inner - excess) / inner).sqrt() } else { 0.0 };
        for node in &mut self.nodes {
            for k in (0..3).filter(|&k| node.mass[k] > 0.0) {
                node.velocity[k] = common[k] + (node.velocity[k] - common[k]) * scale;
            }
        }
        self.gain -= if contradicts { gain } else { excess };
    }

    /// The potential energy that a pass before bodies move adds.
    ///
    /// Gravity pushes with P before the pass, and with the rest after it. The pass accounts for the
    /// energy of its change Δv alone: M v Δv + ½ M Δv², as in any pass, less P Δv, with which
    /// gravity would have moved the bodies. Where contacts push, or there are limits, the energy of
    /// closing gaps is taken in full, if that is more; otherwise a web that is too tight would be
    /// lifted and fall for ever. (A bridge of ropes swings on for minutes if only the energy by the
    /// rule of other loops is taken.) Where joints contradict each other, only the energy of
    /// closing gaps is taken.
    fn lifted(&self, contradicts: bool) -> f64 {
        let of = |node: &WebNode| {
            let kick = |k: usize| node.mass[k] * (node.push[k] - node.lag[k]);
            (0..3).map(|k| kick(k) * (node.before[k] - node.velocity[k])).sum::<f64>()
        };
        self.paid((self.nodes.iter().map(of).sum(), self.lift), contradicts)
    }

    /// The energy that it adds to springs: as [`Web::lifted`], with the impulses of springs for P.
    /// (When it was not taken, 1 of 30 worlds of joints of all kinds in loops rose by 4 % of the
    /// energy in motion.)
    fn stretched(&self, contradicts: bool) -> f64 {
        let of = |edge: &WebEdge| {
            let end = |node: u32| {
                let change = |node: &WebNode| core::array::from_fn(|k| node.velocity[k] - node.before[k]);
                if node == NONE { [0.0; 3] } else { change(&self.nodes[node as usize]) }
            };
            let ([ax, ay, aw], [bx, by, bw]) = (end(edge.a), end(edge.b));
            let change = |row: &[f64; 6]| {
                row[0] * ax + row[1] * ay + row[2] * aw + row[3] * bx + row[4] * by + row[5] * bw
            };
            edge.jacobian.iter().zip(edge.spring).map(|(row, spring)| spring * change(row)).sum::<f64>()
        };
        let sprung = self.edges.iter().filter(|edge| edge.spring != [0.0; 3]);
        self.paid((-sprung.map(of).sum::<f64>(), self.stretch), contradicts)
    }

    /// See [`Web::lifted`]: takes the energy added by a whole pass, and the energy added by closing
    /// gaps.
    fn paid(&self, (all, closing): (f64, f64), contradicts: bool) -> f64 {
        let in_full = self.is_touched() || self.limited;
        if contradicts || (in_full && all < closing) { closing } else { all }
    }

    /// Work of the grounds: λ J v.
    fn work_on_grounds(&self, velocity: &[[f32; 4]]) -> f64 {
        let mut work = 0.0;
        for edge in self.edges.iter().filter(|edge| edge.between == NONE) {
            for (node, at) in [(edge.a, 0), (edge.b, 3)] {
                if node == NONE {
                    let row = velocity[edge.grounds[at / 3] as usize];
                    for k in 0..3 {
                        let u = (0..3).fold(0.0, |u, j| u + edge.jacobian[k][at + j] * f64::from(row[j]));
                        work += edge.sum[k] * u;
                    }
                }
            }
        }
        work
    }

    /// The velocity of the ground of the web, or of its centre.
    fn common(&self, velocity: &[[f32; 4]]) -> [f64; 3] {
        for edge in &self.edges {
            for (node, ground) in [(edge.a, edge.grounds[0]), (edge.b, edge.grounds[1])] {
                if node == NONE {
                    let [x, y, ..] = velocity[ground as usize];
                    return [f64::from(x), f64::from(y), 0.0];
                }
            }
        }
        let mut common = [0.0; 3];
        for (k, common) in common.iter_mut().take(2).enumerate() {
            let sum = |of: fn(&WebNode, usize) -> f64| self.nodes.iter().map(|node| of(node, k)).sum::<f64>();
            let mass = sum(|node, k| node.mass[k]);
            *common = if mass > 0.0 { sum(|node, k| node.mass[k] * node.velocity[k]) / mass } else { 0.0 };
        }
        common
    }
}
