// A sample for the compiler of TypeScript.
import { load, type World } from "carom/load";

export async function worker(module: WebAssembly.Module): Promise<World> {
  const { World, Shape } = await load(module);
  const world = new World();
  world.add({ shape: Shape.regular(5, 1) });
  await load(fetch("carom.wasm"));
  return world;
}
