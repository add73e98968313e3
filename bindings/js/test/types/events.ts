// A sample for the compiler of TypeScript.
import { World, type Hit } from "carom";

export function sounds(world: World, play: (loudness: number, x: number) => void): Hit[] {
  for (const hit of world.hits()) play(hit.impulse, hit.pointX);
  for (const touch of world.begun()) if (touch.bodyA === touch.bodyB) throw new Error("no");
  for (const id of world.slept()) world.wakeUp(id);
  return world.hits().toArray();
}
