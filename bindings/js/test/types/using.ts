// A sample for the compiler of TypeScript.
import { Replay, World } from "carom";

export function check(bytes: Uint8Array): number | null {
  using world = new World();
  world.load(bytes);
  using replay = Replay.open(bytes);
  return replay.divergence();
}
