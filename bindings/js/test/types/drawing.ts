// A sample for the compiler of TypeScript.
import { World, slotOf, type BodyId } from "carom";

export function draw(
  world: World,
  alpha: number,
  sprites: Map<BodyId, { x: number; y: number; rotation: number }>,
): void {
  const poses: Float32Array = world.poses(alpha);
  for (const [body, sprite] of sprites) {
    const at = 4 * slotOf(body);
    sprite.x = poses[at]!;
    sprite.y = poses[at + 1]!;
    sprite.rotation = Math.atan2(poses[at + 3]!, poses[at + 2]!);
  }
  const { floats, words, stride, length } = world.lines({ joints: true, contacts: false });
  for (let k = 0; k < length; k += 1) console.log(floats[k * stride], words[k * stride + 4]);
}
declare const console: { log(...all: unknown[]): void };
