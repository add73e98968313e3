//! One pass over a web: drives, then locked axes and limits.
//!
//! In: a web with up-to-date Jacobians, velocities. Out: velocities that satisfy its joints;
//! impulses in its blocks.

use super::web::{Web, WebNode, length};
use crate::ablate::Rule;
use crate::body::NONE;
use crate::simd::OneLane;
use crate::solver::joints::JointPass;
use crate::solver::joints::block::{Drives, JointBlock, LIMITS, SERVO};
use crate::solver::joints::drives::DriveStage;
use crate::solver::joints::loops;
use crate::solver::joints::pass::Half;
use crate::solver::params::JointParams;
use crate::tuning::WebTuning;

/// Most solves per pass: the second one removes the speed errors that rotation and compliance left
/// over, if they are above [`WebTuning::settled`].
const SOLVES_OF_PASS: usize = 2;

/// Most trials for the active limits; and the number of trials after which none is released any
/// more. (Up to 40 trials that flip one limit where flipping all does not converge, as Júdice and
/// Pires have it, 1994, were no better: one of 120 worlds of contradicting joints reached 132 m/s
/// instead of less than 10. Unmet: a ring of 200 links whose hinges bend by 0.4 degrees, let go on
/// a slope, has 50 to 100 limits active at once, and bursts.)
const LIMIT_TRIALS: usize = 8;
const RELEASES: usize = 5;

/// All blocks and drives, by index.
type Lists<'j> = (&'j mut [JointBlock], &'j mut [Drives]);

/// Target speeds of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// Speed 0.
    Stand,
    /// The speed that the first pass left.
    Again,
}

impl Web {
    /// Warm starts the drives, with the response of the joints, if something else comes between
    /// that and the pass.
    pub(in crate::solver::joints) fn warm_start(
        &mut self,
        (blocks, drives): Lists,
        velocity: &mut [[f32; 4]],
        half: Half,
    ) {
        if !self.own {
            self.load(velocity);
            let before = self.lent();
            self.start((blocks, drives), velocity, half);
            self.gain += self.lent() - before;
            self.store(velocity);
        }
    }

    /// Solves drives, then locked axes and limits. The second pass of each half is for webs that
    /// contacts may have pushed since.
    pub(in crate::solver::joints) fn push(
        &mut self,
        (blocks, drives): Lists,
        (velocity, lag): (&mut [[f32; 4]], &[[f32; 4]]),
        (pass, params): (JointPass, &JointParams),
    ) {
        let half = pass.half();
        if !pass.is_first() && !self.met {
            return;
        }
        self.load(velocity);
        if half == Half::Before {
            for node in &mut self.nodes {
                let [x, y, spin, _] = lag[node.row as usize];
                node.lag = [f64::from(x), f64::from(y), f64::from(spin)];
            }
        }
        if pass.is_first() {
            let before = self.lent();
            if self.own {
                self.start((blocks, drives), velocity, half);
            }
            self.drive((blocks, drives), (velocity, lag), (half, params));
            self.gain += self.lent() - before;
        }
        for node in &mut self.nodes {
            node.before = node.velocity;
        }
        let lists = (&*blocks, &*drives);
        match pass {
            JointPass::BeforeFirst => self.place(lists, velocity, params, Aim::Stand),
            JointPass::BeforeLast => self.place(lists, velocity, params, Aim::Again),
            JointPass::AfterFirst | JointPass::AfterLast => self.stand(lists, velocity),
        }
        self.keep_energy(velocity, half, params);
        self.note((blocks, drives), half);
        self.store(velocity);
    }

    /// Kinetic energy, less the kinetic energy with the extra inertia of the bodies. A change of it
    /// by drives counts as gained: a body with extra inertia that stretches a spring gives the
    /// spring more energy than it loses itself. (Without this, one of 80 random worlds of
    /// contradicting joints wound itself up to 366 m/s; with it, it reaches 47.)
    fn lent(&self) -> f64 {
        let of = |node: &WebNode| {
            let [.., spin] = node.velocity;
            if node.mass[2] > 0.0 { 0.5 * (node.mass[2] - node.weight[2]) * spin * spin } else { 0.0 }
        };
        self.nodes.iter().map(of).sum()
    }

    fn load(&mut self, velocity: &[[f32; 4]]) {
        for node in &mut self.nodes {
            let [x, y, spin, _] = velocity[node.row as usize];
            node.velocity = [f64::from(x), f64::from(y), f64::from(spin)];
        }
    }

    fn store(&self, velocity: &mut [[f32; 4]]) {
        for node in &self.nodes {
            let [x, y, spin] = node.velocity;
            velocity[node.row as usize] = [x as f32, y as f32, spin as f32, 0.0];
        }
    }

    /// Begins a pass: no impulses of locked axes yet; drives are warm started.
    fn start(&mut self, (blocks, drives): Lists, velocity: &[[f32; 4]], half: Half) {
        let Web { nodes, edges, .. } = self;
        for edge in edges {
            let (block, lane) = (&mut blocks[edge.block as usize], edge.lane as usize);
            block.held[half as usize].iter_mut().for_each(|held| held[lane] = 0.0);
            let Some(drives) = drives.get_mut(block.drives as usize) else { continue };
            drives.iter_mut().for_each(|driven| driven.impulse[half as usize][LIMITS][lane] = 0.0);
            let mut hold = edge.hold(block, nodes, velocity);
            loops::solve::warm_start_on(OneLane(lane), block, Some(drives), &mut hold, (half, true));
            edge.keep(&hold, nodes);
        }
    }

    /// Servos and motors. Dampers act on the speeds at which the bodies came, without the half kick
    /// of this half: see [`Reply`](crate::solver::joints::drives).
    fn drive(
        &mut self,
        (blocks, drives): Lists,
        (velocity, lag): (&[[f32; 4]], &[[f32; 4]]),
        (half, params): (Half, &JointParams),
    ) {
        if self.sprung {
            self.add_lag(lag, -1.0);
            self.drive_edges((blocks, drives), velocity, (half, params, DriveStage::Damp));
            self.add_lag(lag, 1.0);
        }
        self.drive_edges((blocks, drives), velocity, (half, params, DriveStage::Pull));
    }

    fn add_lag(&mut self, lag: &[[f32; 4]], sign: f64) {
        for node in &mut self.nodes {
            let lag = lag[node.row as usize];
            for (velocity, lag) in node.velocity.iter_mut().zip(lag) {
                *velocity += sign * f64::from(lag);
            }
        }
    }

    fn drive_edges(
        &mut self,
        (blocks, drives): Lists,
        velocity: &[[f32; 4]],
        (half, params, stage): (Half, &JointParams, DriveStage),
    ) {
        let Web { nodes, edges, .. } = self;
        for edge in edges {
            let (block, lane) = (&mut blocks[edge.block as usize], edge.lane as usize);
            let Some(drives) = drives.get_mut(block.drives as usize) else { continue };
            let mut hold = edge.hold(block, nodes, velocity);
            let servo = |drives: &Drives| -> [f32; 3] {
                core::array::from_fn(|k| drives[k].impulse[half as usize][SERVO][lane])
            };
            let before = servo(drives);
            loops::solve::push_on(OneLane(lane), block, Some(drives), &mut hold, (half, params, stage));
            if stage == DriveStage::Pull && half == Half::Before {
                let after = servo(drives);
                edge.spring = core::array::from_fn(|k| {
                    if edge.form.drives(k, SERVO) { f64::from(after[k] - before[k]) } else { 0.0 }
                });
            }
            edge.keep(&hold, nodes);
        }
    }

    /// Before bodies move: finds the active limits by trials.
    fn place(
        &mut self,
        (blocks, drives): (&[JointBlock], &[Drives]),
        velocity: &[[f32; 4]],
        params: &JointParams,
        aim: Aim,
    ) {
        for trial in 0..LIMIT_TRIALS {
            self.take_back();
            self.push_rounds(velocity, aim);
            let any_gap = aim == Aim::Stand && self.find_gaps((blocks, drives), velocity, params);
            if Rule::WebGaps.acts(any_gap) {
                self.close((blocks, drives), params);
            }
            let may_release = !Rule::WebReleases.acts(trial >= RELEASES) && aim != Aim::Again;
            if trial + 1 == LIMIT_TRIALS || !self.find_limits((blocks, drives), velocity, params, may_release)
            {
                break;
            }
            self.factor();
        }
        if aim != Aim::Again {
            let Web { nodes, edges, .. } = self;
            for edge in edges {
                (edge.left, edge.held_at) = (edge.speeds(nodes, velocity), edge.side);
            }
        }
    }

    /// Restores the velocities from before the pass, and sets impulses to 0.
    fn take_back(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.velocity = node.before);
        self.edges.iter_mut().for_each(|edge| edge.sum = [0.0; 3]);
        self.lift = 0.0;
        self.stretch = 0.0;
    }

    /// Solves until the joints have the wanted speeds.
    fn push_rounds(&mut self, velocity: &[[f32; 4]], aim: Aim) {
        for _ in 0..SOLVES_OF_PASS {
            if !self.find_rest(velocity, aim) {
                break;
            }
            self.push_once();
        }
    }

    /// Finds the wanted change of speed of each joint. Returns whether any is worth a solve.
    fn find_rest(&mut self, velocity: &[[f32; 4]], aim: Aim) -> bool {
        let Web { nodes, edges, settled, .. } = self;
        let mut any = false;
        for edge in edges {
            let (wanted, speeds) = (edge.wanted(aim), edge.speeds(nodes, velocity));
            for k in 0..3 {
                edge.rest[k] = if edge.is_on(k) { wanted[k] - speeds[k] } else { 0.0 };
                any |= edge.rest[k].abs() > settled[k];
            }
        }
        any
    }

    /// Finds the speeds that close present gaps, and gaps that turning bodies would open. Returns
    /// whether there are any gaps.
    fn find_gaps(
        &mut self,
        (blocks, drives): (&[JointBlock], &[Drives]),
        velocity: &[[f32; 4]],
        params: &JointParams,
    ) -> bool {
        let Web { nodes, edges, .. } = self;
        let mut any = false;
        for edge in edges {
            let block = &blocks[edge.block as usize];
            let gaps = edge.gaps((block, drives.get(block.drives as usize)), (nodes, velocity), params);
            let gap = length([gaps[0], gaps[1]]);
            edge.open = if gap > 0.0 { gap * edge.swing } else { 0.0 };
            edge.rest = edge.closing(gaps, block, params).map(|closing| -closing);
            any |= gaps != [0.0; 3];
        }
        any
    }

    /// Closes gaps softly, and notes the energy of height and of springs that this adds. Impulses
    /// are recomputed from the resulting motion of the bodies, so that joints which contradict each
    /// other by rounding alone do not pull at each other.
    fn close(&mut self, (blocks, drives): (&[JointBlock], &[Drives]), params: &JointParams) {
        self.factor_softly();
        self.find_change(false);
        for (node, found) in self.nodes.iter().zip(&self.found) {
            for ((mass, push), found) in node.mass.iter().zip(&node.push).zip(found) {
                self.lift -= mass * push * found;
            }
        }
        let Web { edges, found, stretch, .. } = self;
        for edge in edges {
            let change = edge.change(found, &edge.jacobian);
            *stretch += edge.stretched((blocks, drives), change, params);
            for (k, change) in change.into_iter().enumerate() {
                edge.rest[k] = if edge.is_on(k) { change } else { 0.0 };
            }
        }
        self.push_once();
    }

    /// Moves bodies to close the present gaps of joints: weighted by mass, and none farther than
    /// [`WebTuning::most_move`] or [`WebTuning::MOST_MOVE_TURN`].
    pub(super) fn close_by_moving(
        &mut self,
        (blocks, drives): (&[JointBlock], &[Drives]),
        moved: &mut [[f32; 4]],
        params: &JointParams,
    ) {
        for edge in &mut self.edges {
            let block = &blocks[edge.block as usize];
            let drives = drives.get(block.drives as usize);
            for k in 0..3 {
                let gap = edge.off(k, block, drives);
                let is_limit = edge.side[k] != 0.0 && !edge.form.holds(k);
                // A limit does not pull.
                let is_off = edge.is_on(k) && !(is_limit && gap * edge.side[k] > 0.0);
                edge.rest[k] = if is_off { -gap } else { 0.0 };
            }
        }
        self.find_change(true);
        let (mut way, mut turn) = (0.0, 0.0);
        for [x, y, spin] in &self.found {
            let (far, round) = (length([*x, *y]), spin.abs());
            way = if far > way { far } else { way };
            turn = if round > turn { round } else { turn };
        }
        let scale = |is: f64, most: f64| if is > most { most / is } else { 1.0 };
        let (by_way, by_turn) = (scale(way, params.webs.most_move), scale(turn, WebTuning::MOST_MOVE_TURN));
        let scale = if by_way < by_turn { by_way } else { by_turn };
        let inv_h = f64::from(params.inv_h);
        for (node, found) in self.nodes.iter().zip(&self.found) {
            let row = &mut moved[node.row as usize];
            for (k, found) in found.iter().enumerate() {
                row[k] += (found * scale) as f32;
                // The work against gravity and forces is paid for, as where a pass closes gaps.
                self.gain -= node.mass[k] * node.push[k] * inv_h * found * scale;
            }
        }
    }

    /// Finds x for the wanted change; derived in `web.rs`.
    fn find_change(&mut self, exact: bool) {
        let Web { edges, found, plan, .. } = self;
        found.iter_mut().for_each(|found| *found = [0.0; 3]);
        for edge in edges.iter() {
            let load = edge.load(edge.raised(), exact);
            for (row, load) in edge.rows.iter().zip(load) {
                for (node, at) in [(edge.a, 0), (edge.b, 3)] {
                    if node != NONE {
                        for (k, sum) in found[node as usize].iter_mut().enumerate() {
                            *sum += row[at + k] * load;
                        }
                    }
                }
            }
        }
        let matrix = if exact { &self.exact } else { &self.soft };
        matrix.solve(plan, found);
    }

    /// Adds x and λ. Impulses are computed from the resulting motion of the bodies: where rows are
    /// redundant, the wanted changes contradict each other by the rounding of their arms, and an
    /// impulse takes that 10⁹ times. (A weld beside a hinge pulled at it with 5,000 N, the bodies
    /// were given extra inertia for such a pull, and a loop gained 66 % of its energy of motion.)
    fn push_once(&mut self) {
        self.find_change(true);
        if Rule::WebMotion.acts(true) {
            let Web { edges, found, .. } = self;
            for edge in edges {
                let change = edge.change(found, &edge.jacobian);
                edge.rest = core::array::from_fn(|k| if edge.is_on(k) { change[k] } else { 0.0 });
            }
            self.find_change(true);
        }
        let Web { nodes, edges, found, .. } = self;
        for edge in edges.iter_mut() {
            let (mut left, change) = (edge.raised(), edge.change(found, &edge.rows));
            (0..3).for_each(|k| left[k] -= change[k]);
            let [first, second, third] = edge.load(left, true);
            let [_, l10, l20, _, l21, _] = edge.k;
            let second = second - l21 * third;
            let first = first - l10 * second - l20 * third;
            for (sum, load) in edge.sum.iter_mut().zip([first, second, third]) {
                *sum += load;
            }
        }
        for (node, found) in nodes.iter_mut().zip(found) {
            for (velocity, found) in node.velocity.iter_mut().zip(found) {
                *velocity += *found;
            }
        }
    }

    /// Finds the active limits: limits that push, and limits that would be passed. Returns whether
    /// they changed.
    fn find_limits(
        &mut self,
        (blocks, drives): (&[JointBlock], &[Drives]),
        velocity: &[[f32; 4]],
        params: &JointParams,
        may_release: bool,
    ) -> bool {
        let Web { nodes, edges, .. } = self;
        let mut others = false;
        for edge in edges.iter_mut().filter(|edge| edge.form.is_limited()) {
            let (block, lane) = (&blocks[edge.block as usize], edge.lane as usize);
            let Some(drives) = drives.get(block.drives as usize) else { continue };
            let speeds = edge.speeds(nodes, velocity);
            let before = edge.side;
            for k in (0..3).filter(|&k| edge.form.drives(k, LIMITS)) {
                let (value, side) = (block.now.value[k][lane], edge.side[k]);
                let room = |limit: f32| f64::from((limit - value) * params.inv_h);
                edge.side[k] = if side != 0.0 {
                    if may_release && side * edge.sum[k] < 0.0 { 0.0 } else { side }
                } else if speeds[k] < room(drives[k].lower[lane]) {
                    1.0
                } else if speeds[k] > room(drives[k].upper[lane]) {
                    -1.0
                } else {
                    0.0
                };
            }
            if edge.side != before {
                others = true;
                edge.weigh(nodes);
            }
        }
        others
    }

    /// After bodies moved: target speeds are 0. The sum of a limit's impulses, before and after,
    /// does not pull.
    fn stand(&mut self, (blocks, drives): (&[JointBlock], &[Drives]), velocity: &[[f32; 4]]) {
        self.edges.iter_mut().for_each(|edge| edge.fixed = [0.0; 3]);
        for _ in 0..LIMIT_TRIALS {
            self.take_back();
            self.apply_fixed();
            self.push_rounds(velocity, Aim::Stand);
            if !self.release_pulling((blocks, drives)) {
                break;
            }
            self.factor();
        }
    }

    /// Applies impulses that are known.
    fn apply_fixed(&mut self) {
        let Web { nodes, edges, .. } = self;
        for edge in edges.iter_mut().filter(|edge| edge.fixed != [0.0; 3]) {
            for k in 0..3 {
                edge.sum[k] += edge.fixed[k];
                for (node, at) in [(edge.a, 0), (edge.b, 3)] {
                    if node != NONE {
                        let WebNode { velocity, gives, .. } = &mut nodes[node as usize];
                        for j in 0..3 {
                            velocity[j] += gives[j] * edge.jacobian[k][at + j] * edge.fixed[k];
                        }
                    }
                }
            }
        }
    }

    /// Limits that would pull only take back their own impulse.
    fn release_pulling(&mut self, (blocks, drives): (&[JointBlock], &[Drives])) -> bool {
        let Web { nodes, edges, .. } = self;
        let mut others = false;
        for edge in edges.iter_mut().filter(|edge| edge.side != [0.0; 3]) {
            let (block, lane) = (&blocks[edge.block as usize], edge.lane as usize);
            let Some(drives) = drives.get(block.drives as usize) else { continue };
            let before = edge.side;
            for k in (0..3).filter(|&k| before[k] != 0.0) {
                let [first, second] = [0, 1].map(|half| f64::from(drives[k].impulse[half][LIMITS][lane]));
                if (first + second + edge.sum[k]) * edge.side[k] < 0.0 {
                    edge.fixed[k] = -(first + second);
                    edge.side[k] = 0.0;
                }
            }
            if edge.side != before {
                others = true;
                edge.weigh(nodes);
            }
        }
        others
    }

    /// Stores the impulses of the pass.
    fn note(&self, (blocks, drives): Lists, half: Half) {
        for edge in &self.edges {
            let (block, lane) = (&mut blocks[edge.block as usize], edge.lane as usize);
            for (k, &sum) in edge.sum.iter().enumerate() {
                if edge.form.holds(k) {
                    block.held[half as usize][k][lane] += sum as f32;
                } else if let (true, Some(drives)) =
                    (edge.form.drives(k, LIMITS), drives.get_mut(block.drives as usize))
                {
                    drives[k].impulse[half as usize][LIMITS][lane] += sum as f32;
                }
            }
        }
    }
}
