//! 120 chains of 40 links, stretched out level at the start, swing down from a ceiling and against
//! each other: joints in long trees, with contacts.

use carom::vec2;

use super::plan::{BodyPlan, HingePlan, Part};
use super::{GRAVITY, Play, Scene, Stage};

pub(super) const SCENE: Scene =
    Scene { name: "hanging_chains", steps: 600, gravity: GRAVITY, sleep: false, build };

const CHAINS: usize = 120;
const LINKS: usize = 40;
/// Half the length of a link, between its hinges.
const HALF: f32 = 0.25;
/// Between the upper ends of two chains. Each is held a little higher than the one before, so that
/// none lies in another at the start.
const APART: [f32; 2] = [1.5, 0.25];

fn build(stage: &mut dyn Stage) -> Play {
    let link = Part::capsule(vec2(-0.2, 0.0), vec2(0.2, 0.0), 0.05);
    for chain in 0..CHAINS {
        let top = vec2(APART[0] * chain as f32, APART[1] * chain as f32);
        let mut above = stage.add(BodyPlan::fixed(top));
        let mut hook = vec2(0.0, 0.0);
        for number in 0..LINKS {
            let at = top + vec2(HALF * (2 * number + 1) as f32, 0.0);
            let next = stage.add(BodyPlan::dynamic(at).part(link.clone()));
            stage.join(HingePlan::new(above, next, hook, vec2(-HALF, 0.0)));
            (above, hook) = (next, vec2(HALF, 0.0));
        }
    }
    Play::still()
}
