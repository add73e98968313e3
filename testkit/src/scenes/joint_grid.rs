//! A net of 100 × 100 discs, hinged to their neighbours, that hangs on seven of them: joints, and
//! nothing else.

use carom::vec2;

use super::plan::{BodyPlan, Handle, HingePlan, Part, Touch};
use super::{GRAVITY, Play, Scene, Stage};

pub(super) const SCENE: Scene =
    Scene { name: "joint_grid", steps: 500, gravity: GRAVITY, sleep: false, build };

fn build(stage: &mut dyn Stage) -> Play {
    net(stage, 100);
    Play::still()
}

/// A net of `side` × `side` discs, each hinged to the one above and the one to the left. It hangs
/// on seven discs in the middle of its top row. Benches build smaller ones.
pub fn net(stage: &mut dyn Stage, side: usize) {
    let mut discs: Vec<Handle> = Vec::new();
    let middle = side / 2;
    for column in 0..side {
        for row in 0..side {
            let at = vec2(column as f32, -(row as f32));
            let is_held = row == 0 && (middle - 3..=middle + 3).contains(&column);
            let disc = if is_held { BodyPlan::fixed(at) } else { BodyPlan::dynamic(at) };
            let disc = stage.add(disc.part(Part::circle(0.4)).touch(Touch::Nothing));
            if row > 0 {
                let above = discs[discs.len() - 1];
                stage.join(HingePlan::new(above, disc, vec2(0.0, -0.5), vec2(0.0, 0.5)));
            }
            if column > 0 {
                let left = discs[discs.len() - side];
                stage.join(HingePlan::new(left, disc, vec2(0.5, 0.0), vec2(-0.5, 0.0)));
            }
            discs.push(disc);
        }
    }
}
