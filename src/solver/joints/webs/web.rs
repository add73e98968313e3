//! Webs: joints that form loops, and ropes, solved directly by sparse L D Lᵀ.
//!
//! In: blocks with up-to-date Jacobians, velocities. Out: the impulses that satisfy all joints, in
//! any graph.
//!
//! # Derivation
//!
//! Bodies have masses M, joints rows J and speed errors r (the speeds that are missing). Each joint
//! has a small compliance C = ε K, K = J M⁻¹ Jᵀ of that joint alone, so that redundant or
//! contradicting rows share their load instead of making the matrix singular. With W = C⁻¹:
//!
//! ```text
//!   M x = Jᵀ λ        λ = W (r - J x)        =>        (M + Jᵀ W J) x = Jᵀ W r
//! ```
//!
//! The matrix has a block of three rows per body, is sparse and positive definite: L D Lᵀ in an
//! order of minimum degree (`elimination.rs`), with hardly any fill-in for rings, trusses and
//! bridges. A second solve (method of multipliers) removes the error of ε. Nets, with too much
//! fill-in, are iterated.
//!
//! A solve for speed 0 removes energy, however joints contradict each other: rest satisfies all of
//! them. Energy would come from gaps that cannot all be closed: where rows are nearly singular, no
//! impulse along the present axes closes all gaps, and trying to throws bodies about. So closing
//! gaps is a solve of its own, in which the compliance of a joint grows with its gap g, so that its
//! force F does not swing its bodies faster than a sub-step follows (F = g K⁻¹ / (ε h²), see
//! `jacobian.rs`: h² F r i < 1; it is Levenberg and Marquardt's damping, by the gap as Fan and Yuan
//! have it, 2005):
//!
//! ```text
//!   ε = 2 g / K (r_a i_a + r_b i_b + (m_a + m_b) / length of a line)
//! ```
//!
//! ```text
//!   elimination.rs  order of elimination, fill-in  when joints or awake bodies change
//!   factor.rs       the matrix                     when bodies moved, or limits changed
//!   solve.rs        r, x and λ                     each pass
//!   energy.rs       what a pass adds is taken      each pass
//!   edge.rs         one joint: ends, gaps, rows    for the others
//!   here            the web; its Jacobians         each time bodies have moved
//! ```

use core::ops::Range;

use super::elimination::EliminationOrder;
use super::factor::{Factors, Matrix, decompose};
use crate::ablate::Rule;
use crate::body::NONE;
use crate::math::max;
use crate::simd::{LANES, Level, OneLane};
use crate::solver::Columns;
use crate::solver::joints::block::{Driven, Drives, JointBlock, LIMITS, RowMask, SERVO};
use crate::solver::joints::jacobian::{self, weigh};
use crate::solver::joints::layout::Spec;
use crate::solver::params::JointParams;
use crate::tuning::WebTuning;
use crate::util::sort;

/// A body.
#[derive(Clone, Debug)]
pub(super) struct WebNode {
    pub(super) row: u32,
    /// Masses along x and y, and the inertia; 0 where impulses do not move it.
    pub(super) mass: [f64; 3],
    /// Masses as joints see them: 1 where impulses do not move the body, and extra inertia where
    /// joints pull too hard.
    pub(super) weight: [f64; 3],
    /// Inverse of `weight`; 0 where impulses do not move the body.
    pub(super) gives: [f64; 3],
    /// h² F r of its joints.
    pull: f64,
    /// Velocity change by gravity and forces in a sub-step, and the part of it that comes after the
    /// bodies have moved.
    pub(super) push: [f64; 3],
    pub(super) lag: [f64; 3],
    pub(super) velocity: [f64; 3],
    /// The velocity before the pass.
    pub(super) before: [f64; 3],
}

/// A joint.
#[derive(Clone, Debug)]
pub(super) struct WebEdge {
    pub(super) block: u32,
    pub(super) lane: u32,
    pub(super) form: RowMask,
    /// Bodies A and B; [`NONE`] for a ground, whose row is in `grounds`.
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) grounds: [u32; 2],
    /// The off-diagonal block of both; [`NONE`] where one is the ground.
    pub(super) between: u32,
    /// J of the three axes: for A, for B.
    pub(super) jacobian: [[f64; 6]; 3],
    /// L⁻¹ J of axes that are locked or at a limit, with K = L D Lᵀ; 0 where impulses move nothing.
    pub(super) rows: [[f64; 6]; 3],
    pub(super) k: Factors,
    /// Per limited axis: 1 at the lower limit, -1 at the upper one, 0 between them.
    pub(super) side: [f64; 3],
    /// ε for each metre of a gap.
    pub(super) swing: f64,
    /// ε of the solve that closes gaps.
    pub(super) open: f64,
    /// Gaps shorter than this are rounding.
    pub(super) unknown: f64,
    /// Speeds after the first pass before bodies move, and the sides then.
    pub(super) left: [f64; 3],
    pub(super) held_at: [f64; 3],
    /// Wanted change of its speeds.
    pub(super) rest: [f64; 3],
    /// Impulses of its springs before bodies move.
    pub(super) spring: [f64; 3],
    /// Impulses of the present pass, and the part of them that is known beforehand.
    pub(super) sum: [f64; 3],
    pub(super) fixed: [f64; 3],
}

/// A web: bodies and joints that form loops, or contain ropes.
#[derive(Clone, Debug)]
pub(crate) struct Web {
    pub(super) nodes: Vec<WebNode>,
    pub(super) edges: Vec<WebEdge>,
    /// Its blocks, which no other web uses.
    pub(crate) blocks: Range<usize>,
    pub(super) plan: EliminationOrder,
    pub(super) exact: Matrix,
    pub(super) soft: Matrix,
    /// Scratch memory: right-hand side and solution.
    pub(super) found: Vec<[f64; 3]>,
    /// Some of its joints have limits, or are ropes.
    pub(super) limited: bool,
    /// Some joint has a servo or a spring.
    pub(super) sprung: bool,
    /// No iterated joint joins its bodies.
    pub(super) own: bool,
    /// Contacts push some of its bodies in this step; then: contacts or other joints do.
    touched: bool,
    pub(super) met: bool,
    /// Energy that its joints gave to its bodies in this step.
    pub(super) gain: f64,
    /// The widest gap of any joint where the bodies stand now, in metres.
    pub(super) widest: f64,
    /// Potential energy that closing gaps gives to bodies, against gravity and forces.
    pub(super) lift: f64,
    /// Energy that it gives to springs.
    pub(super) stretch: f64,
    /// Speed that each axis of a joint may be off after a pass.
    pub(super) settled: [f64; 3],
}

impl WebEdge {
    pub(super) fn pivots(&self) -> [f64; 3] {
        [self.k[0], self.k[3], self.k[5]]
    }

    /// Whether an axis is locked, or at a limit.
    pub(super) fn is_on(&self, number: usize) -> bool {
        self.form.holds(number) || self.side[number] != 0.0
    }
}

impl Web {
    /// A web of joints, unless there is too much fill-in. Its blocks are to be made from `specs` in
    /// their order: [`Web::forms`].
    pub(crate) fn new(specs: &[Spec]) -> Option<Web> {
        let mut rows: Vec<u32> = specs.iter().flat_map(Spec::giving).collect();
        rows.sort_unstable();
        rows.dedup();
        let number = |row: u32| rows.binary_search(&row).ok().map_or(NONE, |k| k as u32);
        let end = |gives: bool, row: u32| if gives { number(row) } else { NONE };
        let ends: Vec<(u32, u32)> =
            specs.iter().map(|spec| (end(spec.gives_a, spec.row_a), end(spec.gives_b, spec.row_b))).collect();
        let pairs: Vec<(u32, u32)> = ends.iter().copied().filter(|&(a, b)| a != NONE && b != NONE).collect();
        let (plan, order) = EliminationOrder::new(rows.len(), &pairs)?;
        let mut place = vec![NONE; rows.len()];
        (0..).zip(&order).for_each(|(k, &body)| place[body as usize] = k);
        let nodes = order.iter().map(|&body| WebNode::new(rows[body as usize])).collect();
        let placed = |body: u32| if body == NONE { NONE } else { place[body as usize] };
        let edges = specs.iter().zip(ends).map(|(spec, (a, b))| {
            let (a, b) = (placed(a), placed(b));
            let between =
                if a == NONE || b == NONE { NONE } else { plan.find(u32::max(a, b), u32::min(a, b)) };
            WebEdge::new(spec.form, (a, b), between, [spec.row_a, spec.row_b])
        });
        let (edges, found): (Vec<WebEdge>, _) = (edges.collect(), vec![[0.0; 3]; rows.len()]);
        let limited = edges.iter().any(|edge| edge.form.is_limited());
        let is_sprung = |edge: &WebEdge| (0..3).any(|number| edge.form.drives(number, SERVO));
        let sprung = edges.iter().any(is_sprung);
        let (exact, soft) = (Matrix::new(&plan), Matrix::new(&plan));
        Some(Web {
            nodes,
            edges,
            blocks: 0..0,
            plan,
            exact,
            soft,
            found,
            limited,
            sprung,
            own: true,
            touched: false,
            met: false,
            gain: 0.0,
            widest: 0.0,
            lift: 0.0,
            stretch: 0.0,
            settled: [0.0; 3],
        })
    }

    /// Puts its joints into groups of one form, eight at a time; `first` is the index of the first
    /// group. Calls `add` for each group with its form and joints.
    pub(crate) fn seat(&mut self, first: usize, mut add: impl FnMut(RowMask, &[usize])) {
        let mut order: Vec<(RowMask, usize)> = self.edges.iter().map(|edge| edge.form).zip(0..).collect();
        sort::plain(&mut order);
        let mut block = first;
        for same in order.chunk_by(|a, b| a.0 == b.0) {
            for eight in same.chunks(LANES) {
                let eight: Vec<usize> = eight.iter().map(|&(_, k)| k).collect();
                add(same[0].0, &eight);
                for (lane, &k) in eight.iter().enumerate() {
                    (self.edges[k].block, self.edges[k].lane) = (block as u32, lane as u32);
                }
                block += 1;
            }
        }
        self.blocks = first..block;
    }

    /// The rows of its bodies.
    pub(super) fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.nodes.iter().map(|node| node.row)
    }

    /// Notes whether iterated joints join its bodies.
    pub(crate) fn note_shared(&mut self, is_other: &[bool]) {
        self.own = !self.nodes.iter().any(|node| is_other[node.row as usize]);
    }

    /// Notes which bodies contacts push in this step. Bodies with joints outside the web count as
    /// pushed.
    pub(crate) fn meet(&mut self, is_pushed: impl Fn(u32) -> bool) {
        let touched = self.rows().any(is_pushed);
        self.touched = touched;
        self.met = !self.own || self.touched;
    }

    /// Whether contacts push it.
    pub(super) fn is_touched(&self) -> bool {
        self.touched
    }

    /// Its rows, if contacts push it.
    pub(crate) fn touched_rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.rows().filter(|_| self.touched)
    }

    /// Begins a step: masses of bodies, and the rounding of their positions.
    pub(crate) fn begin(
        &mut self,
        blocks: &[JointBlock],
        Columns { pose, mass, force_delta, .. }: &Columns,
        tuning: &WebTuning,
    ) {
        self.gain = 0.0;
        self.settled = tuning.settled;
        for edge in &mut self.edges {
            let (seat, lane) = (&blocks[edge.block as usize].seat, edge.lane as usize);
            let least = tuning.rounding_distance;
            let far = [seat.pose_a[lane], seat.pose_b[lane]].into_iter().fold(least, |far, row| {
                let [x, y, ..] = pose[row as usize];
                max(far, max(x.abs(), y.abs()))
            });
            edge.unknown = f64::from(far) * WebTuning::POSITION_ROUNDING;
        }
        for node in &mut self.nodes {
            let (row, push) = (mass[node.row as usize], force_delta[node.row as usize]);
            for k in 0..3 {
                node.push[k] = f64::from(push[k]);
                let inverse = f64::from(row[k]);
                node.mass[k] = if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
            }
        }
    }

    /// Updates its joints from blocks with up-to-date Jacobians, and the effective masses. Returns
    /// whether any body has extra inertia; such rows are added to `pulled`, with their inertia in
    /// `masses`.
    pub(super) fn aim(
        &mut self,
        (blocks, drives): (&mut [JointBlock], &[Drives]),
        (masses, pulled): (&mut [[f32; 4]], &mut Vec<u32>),
        params: &JointParams,
    ) {
        self.feel_pulls(blocks, drives, params);
        self.widest = 0.0;
        for edge in &self.edges {
            let block = &blocks[edge.block as usize];
            let apart = [0, 1].map(|k| edge.beyond(k, block, drives.get(block.drives as usize)));
            let gap = length(apart.map(f64::from));
            if gap > self.widest {
                self.widest = gap;
            }
        }
        let contradicts = self.contradicts(params);
        let mut stiff = false;
        for node in &mut self.nodes {
            for k in 0..3 {
                let gives = node.mass[k] > 0.0;
                node.weight[k] = if gives { node.mass[k] } else { 1.0 };
                node.gives[k] = if gives { 1.0 / node.mass[k] } else { 0.0 };
            }
            let is_taut = !contradicts && node.mass[2] > 0.0 && node.pull > node.mass[2];
            if Rule::WebInertia.acts(is_taut) {
                (node.weight[2], node.gives[2]) = (node.pull, 1.0 / node.pull);
                let row = &mut masses[node.row as usize];
                row[2] = (1.0 / node.pull) as f32;
                pulled.push(node.row);
                stiff = true;
            }
        }
        for edge in &mut self.edges {
            let block = &mut blocks[edge.block as usize];
            if stiff {
                weigh(OneLane(edge.lane as usize), block, masses);
            }
            edge.aim(block, drives.get(block.drives as usize), &self.nodes, &params.webs);
        }
        self.factor();
    }

    /// Whether its joints contradict each other, or were torn apart by an impact. Their impulses
    /// are then no measure of tension.
    pub(super) fn contradicts(&self, params: &JointParams) -> bool {
        Rule::Contradictions.acts(self.widest > params.webs.contradicting_gap)
    }

    /// Whether a gap is so wide that bodies are moved to close it, and no wider than a gap that
    /// opens in a sub-step. Never for webs with ropes, which may contradict each other for good.
    pub(super) fn is_open(&self, params: &JointParams) -> bool {
        let WebTuning { moved_gap, wide_gap, .. } = params.webs;
        !self.limited && (moved_gap..wide_gap).contains(&self.widest)
    }

    pub(super) fn factor(&mut self) {
        let lists = (&self.nodes[..], &self.edges[..]);
        self.exact.fill(&self.plan, lists, |_| WebTuning::GIVES);
    }

    /// Sets the SIMD level; results do not depend on it.
    pub(super) fn set_level(&mut self, level: Level) {
        (self.exact.level, self.soft.level) = (level, level);
    }

    /// Factors the matrix for the solve that closes gaps.
    pub(super) fn factor_softly(&mut self) {
        let lists = (&self.nodes[..], &self.edges[..]);
        self.soft.fill(&self.plan, lists, |edge| {
            if edge.open > WebTuning::LEAST_SOFTNESS { edge.open } else { WebTuning::LEAST_SOFTNESS }
        });
    }

    /// Computes h² F r of all joints, from the impulses of the sub-step before. F is clamped to the
    /// force that would stop all bodies at their fastest, as in `trees/factor.rs`.
    fn feel_pulls(&mut self, blocks: &[JointBlock], drives: &[Drives], params: &JointParams) {
        let (h, mut whole) = (f64::from(params.h), [0.0; 2]);
        for node in &mut self.nodes {
            node.pull = 0.0;
            let [x, y, spin] = node.mass;
            whole = [whole[0] + if x < y { y } else { x }, whole[1] + spin];
        }
        let most =
            [whole[0] * h * f64::from(params.max_speed), whole[1] * f64::from(crate::tuning::MAX_TURN)];
        for edge in &self.edges {
            let (block, lane) = (&blocks[edge.block as usize], edge.lane as usize);
            let mut force = [0.0; 2];
            for (k, force) in force.iter_mut().enumerate() {
                let driven = drives.get(block.drives as usize).map(|drives| &drives[k]);
                for half in 0..2 {
                    *force += f64::from(block.held[half][k][lane]);
                    if let (true, Some(driven)) = (edge.form.drives(k, LIMITS), driven) {
                        *force += f64::from(driven.impulse[half][LIMITS][lane]);
                    }
                }
            }
            let force = length(force) * h;
            for (node, arm) in [(edge.a, &block.now.a), (edge.b, &block.now.b)] {
                if node != NONE {
                    let arm = length([f64::from(arm[0][lane]), f64::from(arm[1][lane])]);
                    let (pull, most) = (force * arm, most[0] * arm + most[1]);
                    self.nodes[node as usize].pull += if most < pull { most } else { pull };
                }
            }
        }
    }
}

pub(super) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

impl WebNode {
    fn new(row: u32) -> WebNode {
        let zero = [0.0; 3];
        WebNode {
            row,
            mass: zero,
            weight: zero,
            gives: zero,
            pull: 0.0,
            push: zero,
            lag: zero,
            velocity: zero,
            before: zero,
        }
    }
}

impl WebEdge {
    fn new(form: RowMask, (a, b): (u32, u32), between: u32, grounds: [u32; 2]) -> WebEdge {
        WebEdge {
            block: 0,
            lane: 0,
            form,
            a,
            b,
            grounds,
            between,
            jacobian: [[0.0; 6]; 3],
            rows: [[0.0; 6]; 3],
            k: [0.0; 6],
            side: [0.0; 3],
            swing: 0.0,
            open: 0.0,
            unknown: WebTuning::POSITION_ROUNDING,
            left: [0.0; 3],
            held_at: [0.0; 3],
            fixed: [0.0; 3],
            rest: [0.0; 3],
            spring: [0.0; 3],
            sum: [0.0; 3],
        }
    }

    /// Updates J, and K of active rows: limits that pushed before bodies last moved stay active.
    fn aim(&mut self, block: &JointBlock, drives: Option<&Drives>, nodes: &[WebNode], tuning: &WebTuning) {
        let lane = self.lane as usize;
        for k in 0..3 {
            self.side[k] = match drives {
                Some(drives) if self.form.drives(k, LIMITS) => {
                    let Driven { impulse, lower, upper, .. } = &drives[k];
                    let limits = [lower[lane], upper[lane]];
                    let value = block.now.value[k][lane];
                    side_of_limit(impulse[0][LIMITS][lane], value, (limits, tuning.same_limit[k]))
                }
                _ => 0.0,
            };
        }
        let of = |columns: &[[f32; LANES]; 2]| [f64::from(columns[0][lane]), f64::from(columns[1][lane])];
        let (n, a, b) = (of(&block.now.axis), of(&block.now.a), of(&block.now.b));
        self.jacobian = [
            [-n[0], -n[1], a[1], n[0], n[1], -b[1]],
            [n[1], -n[0], -a[0], -n[1], n[0], b[0]],
            [0.0, 0.0, -1.0, 0.0, 0.0, 1.0],
        ];
        self.weigh(nodes);
        self.swing = self.swing((block, nodes), (length(a), length(b)), tuning.short_line);
    }

    /// Computes K of the active rows, and L⁻¹ J.
    pub(super) fn weigh(&mut self, nodes: &[WebNode]) {
        let gives = |k: usize| {
            let node = if k < 3 { self.a } else { self.b };
            if node == NONE { 0.0 } else { nodes[node as usize].gives[k % 3] }
        };
        let inverse: [f64; 6] = core::array::from_fn(gives);
        for k in 0..3 {
            let is_on = self.is_on(k);
            self.rows[k] =
                core::array::from_fn(
                    |at| {
                        if is_on && inverse[at] > 0.0 { self.jacobian[k][at] } else { 0.0 }
                    },
                );
        }
        let product = |i: usize, j: usize| -> f64 {
            let pairs = self.rows[i].iter().zip(&self.rows[j]).zip(&inverse);
            pairs.fold(0.0, |sum, ((x, y), m)| sum + x * y * m)
        };
        let k = [product(0, 0), product(0, 1), product(0, 2), product(1, 1), product(1, 2), product(2, 2)];
        self.k = decompose(k);
        let [_, l10, l20, _, l21, _] = self.k;
        let [first, second, third] = &mut self.rows;
        for k in 0..6 {
            second[k] -= l10 * first[k];
            third[k] -= l20 * first[k] + l21 * second[k];
        }
    }

    /// Distance of an axis from its locked value, or beyond its limits.
    fn beyond(&self, number: usize, block: &JointBlock, drives: Option<&Drives>) -> f32 {
        let (lane, value) = (self.lane as usize, block.now.value[number][self.lane as usize]);
        match drives {
            _ if self.form.holds(number) => value - block.seat.goal[number][lane],
            Some(drives) if self.form.drives(number, LIMITS) => {
                let Driven { lower, upper, .. } = &drives[number];
                max(max(lower[lane] - value, value - upper[lane]), 0.0)
            }
            _ => 0.0,
        }
    }

    /// Distance of an axis from its locked value, or from its active limit.
    pub(super) fn off(&self, number: usize, block: &JointBlock, drives: Option<&Drives>) -> f64 {
        let (lane, side) = (self.lane as usize, self.side[number]);
        let value = block.now.value[number][lane];
        let place = match drives {
            _ if self.form.holds(number) => block.seat.goal[number][lane],
            Some(drives) if side > 0.0 => drives[number].lower[lane],
            Some(drives) if side < 0.0 => drives[number].upper[lane],
            _ => value,
        };
        f64::from(value - place)
    }

    /// 2 / K (r_a i_a + r_b i_b + …): ε for each metre of a gap.
    fn swing(&self, (block, nodes): (&JointBlock, &[WebNode]), (r_a, r_b): (f64, f64), short: f64) -> f64 {
        let weigh = |node: u32, k: usize| {
            if node == NONE { 0.0 } else { nodes[node as usize].gives[k] }
        };
        let larger = |x: f64, y: f64| if x < y { y } else { x };
        let mass = |node: u32| larger(weigh(node, 0), weigh(node, 1));
        let (m, i_a, i_b) = (mass(self.a) + mass(self.b), weigh(self.a, 2), weigh(self.b, 2));
        let k = m + i_a * r_a * r_a + i_b * r_b * r_b;
        let mut swing = r_a * i_a + r_b * i_b;
        if self.form.line() {
            let length = f64::from(block.now.value[0][self.lane as usize]);
            swing += m / larger(length, short);
        } else if !self.form.upright() {
            swing += (i_a * m).sqrt();
        }
        if k > 0.0 { 2.0 * swing / k } else { 0.0 }
    }
}

/// The limit that an impulse belongs to: 1 for the lower one, -1 for the upper one, 0 without an
/// impulse. Its sign decides, unless the value is nearer to the other limit: trials that did not
/// converge may leave a pulling impulse, and taking it for a push of the far limit would close a
/// gap as wide as the whole range.
fn side_of_limit(impulse: f32, value: f32, ([lower, upper], same): ([f32; 2], f32)) -> f64 {
    let (to_lower, to_upper) = ((value - lower).abs(), (upper - value).abs());
    if impulse > 0.0 {
        if Rule::NearerLimit.acts(to_upper + same < to_lower) { -1.0 } else { 1.0 }
    } else if impulse < 0.0 {
        if Rule::NearerLimit.acts(to_lower + same < to_upper) { 1.0 } else { -1.0 }
    } else {
        0.0
    }
}

/// Updates the Jacobian of a block of webs.
#[inline(always)]
pub(super) fn aim_block<W: crate::simd::Width>(
    w: W,
    block: &mut JointBlock,
    moved: &[[f32; 4]],
    no_line: f32,
) {
    w.apart(
        #[inline(always)]
        || jacobian::aim(w, block, moved, no_line),
    );
}
