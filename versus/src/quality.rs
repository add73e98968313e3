//! How well a scene stands: a faster engine that sinks, explodes or leaks has not won.
//!
//! In: a stage at its last step. Out: a few numbers, worked out from places, speeds and plans by
//! the same code for every engine; pairs and depths are carom's `Grid` and `contact_within`, whose
//! depth is the least way to part two convex shapes.

use carom::broadphase::{Activity, Grid};
use carom::{Aabb, Mass, Shape, Transform, Vec2, contact_within};
use std::collections::HashSet;
use testkit::scenes::Container;
use testkit::scenes::plan::{BodyPlan, Handle, HingePlan, Kind, Touch};

use crate::stage::EngineStage;

/// Shapes this near each other touch, in m. Engines keep resting bodies a little apart or a little
/// in each other, up to half a centimetre.
const TOUCHING: f32 = 0.005;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quality {
    pub(crate) bodies: usize,
    /// Pairs of shapes that touch.
    pub(crate) contacts: usize,
    /// In m.
    pub(crate) max_penetration: f32,
    /// Of all pairs that touch, in m.
    pub(crate) mean_penetration: f32,
    /// In m; `None` where there are no hinges.
    pub(crate) max_joint_gap: Option<f32>,
    /// In J.
    pub(crate) kinetic_energy: f64,
    /// Bodies outside of the container, or whose place is no number; `None` where nothing can be
    /// left.
    pub(crate) escaped: Option<usize>,
}

/// A part where it stands.
struct Placed {
    body: Handle,
    kind: Kind,
    touch: Touch,
    shape: Shape,
    at: Transform,
}

pub(crate) fn measure(stage: &EngineStage, container: Option<Container>) -> Quality {
    let (contacts, max_penetration, mean_penetration) = contacts(stage);
    Quality {
        bodies: stage.body_count(),
        contacts,
        max_penetration,
        mean_penetration,
        max_joint_gap: max_joint_gap(stage),
        kinetic_energy: kinetic_energy(stage),
        escaped: container.map(|container| escaped(stage, container)),
    }
}

fn placed_parts(stage: &EngineStage) -> Vec<Placed> {
    let mut parts = Vec::new();
    for (body, plan) in stage.bodies() {
        let at = stage.state(body).place;
        for part in &plan.parts {
            parts.push(Placed { body, kind: plan.kind, touch: plan.touch, shape: part.shape(), at });
        }
    }
    // What is nowhere touches nothing; `escaped` counts it.
    parts.retain(|part| part.at.position.is_finite());
    parts
}

/// How many pairs of parts touch, how deep the deepest are in each other, and how deep all are in
/// the mean.
fn contacts(stage: &EngineStage) -> (usize, f32, f32) {
    let parts = placed_parts(stage);
    let mut grid = Grid::new();
    for (id, part) in parts.iter().enumerate() {
        let activity = if part.kind == Kind::Dynamic { Activity::Active } else { Activity::Resting };
        let aabb: Aabb = part.shape.aabb(part.at).grown(TOUCHING);
        grid.insert(id as u32, aabb, activity);
    }
    grid.find_pairs();
    let hinged: HashSet<[Handle; 2]> = stage.hinges().map(|hinge| ordered(hinge.a, hinge.b)).collect();
    let (mut count, mut deepest, mut sum) = (0, 0.0_f32, 0.0_f32);
    for pair in grid.pairs() {
        let (a, b) = (&parts[pair.a as usize], &parts[pair.b as usize]);
        let may_touch = a.body != b.body && a.touch.allows(b.touch);
        if !may_touch || hinged.contains(&ordered(a.body, b.body)) {
            continue;
        }
        if let Some(manifold) = contact_within(&a.shape, a.at, &b.shape, b.at, TOUCHING) {
            count += 1;
            sum += manifold.depth().clamp(0.0, f32::MAX);
            deepest = if manifold.depth() > deepest { manifold.depth() } else { deepest };
        }
    }
    (count, deepest, sum / count.max(1) as f32)
}

fn ordered(a: Handle, b: Handle) -> [Handle; 2] {
    if a < b { [a, b] } else { [b, a] }
}

fn max_joint_gap(stage: &EngineStage) -> Option<f32> {
    let gap = |hinge: &HingePlan| {
        let [a, b] = hinge.anchors;
        let ends = [stage.state(hinge.a).place.apply(a), stage.state(hinge.b).place.apply(b)];
        ends[0].distance(ends[1])
    };
    stage.hinges().map(gap).max_by(f32::total_cmp)
}

fn kinetic_energy(stage: &EngineStage) -> f64 {
    let energy = |(body, plan): (Handle, &BodyPlan)| {
        let (state, Mass { mass, inertia, .. }) = (stage.state(body), plan.mass());
        let [x, y] = state.velocity.to_array().map(f64::from);
        let spin = f64::from(state.spin);
        0.5 * (f64::from(mass) * (x * x + y * y) + f64::from(inertia) * spin * spin)
    };
    stage.bodies().filter(|(_, plan)| plan.kind == Kind::Dynamic).map(energy).sum()
}

fn escaped(stage: &EngineStage, container: Container) -> usize {
    let frame = stage.state(container.of()).place;
    let is_out = |&(body, plan): &(Handle, &BodyPlan)| {
        let place: Transform = stage.state(body).place;
        let middle: Vec2 = place.apply(plan.mass().center);
        plan.kind == Kind::Dynamic && body != container.of() && !container.holds(frame.apply_inverse(middle))
    };
    stage.bodies().filter(is_out).count()
}
