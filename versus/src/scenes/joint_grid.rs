//! A net of 100 × 100 discs, hinged to their neighbours, that hangs on seven of them: joints, and nothing else.

use carom::vec2;

use super::{GRAVITY, Play, Scene};
use crate::plan::{BodyPlan, Handle, HingePlan, Part, Touch};
use crate::stage::Stage;

pub(super) const SCENE: Scene =
    Scene { name: "joint_grid", steps: 500, gravity: GRAVITY, sleep: false, build };

const SIDE: usize = 100;

fn build(stage: &mut Stage) -> Play {
    let mut discs: Vec<Handle> = Vec::new();
    for column in 0..SIDE {
        for row in 0..SIDE {
            let at = vec2(column as f32, -(row as f32));
            let is_held = row == 0 && (47..=53).contains(&column);
            let disc = if is_held { BodyPlan::fixed(at) } else { BodyPlan::dynamic(at) };
            let disc = stage.add(disc.part(Part::circle(0.4)).touch(Touch::Nothing));
            if row > 0 {
                let above = discs[discs.len() - 1];
                stage.join(HingePlan::new(above, disc, vec2(0.0, -0.5), vec2(0.0, 0.5)));
            }
            if column > 0 {
                let left = discs[discs.len() - SIDE];
                stage.join(HingePlan::new(left, disc, vec2(0.5, 0.0), vec2(-0.5, 0.0)));
            }
            discs.push(disc);
        }
    }
    Play::still()
}
