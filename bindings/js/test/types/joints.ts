// A sample for the compiler of TypeScript.
import { World, type BodyId, type JointId, type JointInput } from "carom";

export function car(world: World, body: BodyId, wheel: BodyId): JointId {
  const def: JointInput = {
    kind: "wheel",
    a: body,
    b: wheel,
    at: [0, 1],
    axis: [0, 1],
    spring: { hertz: 4, damping: 0.7 },
    motor: { speed: 10, max: 100 },
  };
  const joint = world.addJoint(def);
  world.setJointMotor(joint, { speed: 2, max: 5 });
  world.changeJoint(joint, { limits: [-1, 1] });
  // @ts-expect-error: there is no such kind.
  world.addJoint({ kind: "hinge" });
  return joint;
}
