// A sample for the compiler of TypeScript.
import { Ring, World } from "carom";

export function rollback(
  world: World,
  ring: Ring,
  step: number,
  inputs: (step: number) => void,
): bigint {
  const now = world.stepCount();
  ring.load(step, world);
  for (let at = step; at < now; at += 1) {
    inputs(at);
    world.step(1 / 60);
    ring.save(world);
  }
  return world.hash();
}
