// A sample for the compiler of TypeScript.
import { World } from "carom";

export function hooks(world: World): void {
  world.setFilterHook((pair) => pair.bodyDataA !== pair.bodyDataB);
  world.setContactHook((pair, contact) => {
    contact.restitution = pair.velocityAX > 3 ? 1 : 0;
    // @ts-expect-error: the normal is to be read.
    contact.normal = [0, 1];
  });
  world.clearHooks();
}
