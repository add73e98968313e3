// The cost of a rollback of 8 steps of 500 bodies: going back, and eight steps, each kept again.
//
//   node rollback.mjs     prints medians of 300 rollbacks, which follow 300 others
import { readFileSync } from "node:fs";
import { load } from "../src/load.js";

const bytes = readFileSync(
  process.env.CAROM_WASM ?? new URL("../dist/carom.wasm", import.meta.url),
);
const { Ring, Shape, World } = await load(bytes);
const DT = 1 / 60;
const BACK = 8;

const world = new World({ sleep: false });
world.addFixed({ at: [0, -1], shape: Shape.rect(60, 2) });
world.addFixed({ at: [-13, 10], shape: Shape.rect(2, 20) });
world.addFixed({ at: [13, 10], shape: Shape.rect(2, 20) });
for (let k = 0; k < 500; k += 1) {
  const shape = k % 2 ? Shape.circle(0.4) : Shape.rect(0.8, 0.7);
  world.add({ at: [(k % 25) - 12 + (k % 3) * 0.1, 1 + Math.floor(k / 25)], shape });
}
const ring = new Ring(16);
// The first half is for the compiler of machine code.
const settled = (list) => list.slice(list.length >> 1).toSorted((a, b) => a - b);
const part = (list, share) => settled(list)[Math.floor(settled(list).length * share)];
const [all, loads, saves] = [[], [], []];
for (let k = 0; k < 600; k += 1) {
  ring.save(world);
  world.step(DT);
  if (k < BACK) continue;
  const before = world.hash();
  const begin = performance.now();
  ring.load(world.stepCount() - BACK, world);
  const loaded = performance.now();
  for (let step = 0; step < BACK; step += 1) {
    ring.save(world);
    world.step(DT);
  }
  const end = performance.now();
  ring.save(world);
  saves.push(performance.now() - end);
  all.push(end - begin);
  loads.push(loaded - begin);
  if (world.hash() !== before) throw new Error("a rollback changed the future");
}
const ms = (list) => `${part(list, 0.5).toFixed(3)} ms`;
console.log(
  `rollback of ${BACK} steps of 500 bodies: ${ms(all)}, ` +
    `a tenth below ${part(all, 0.1).toFixed(3)} ms ` +
    `(going back ${ms(loads)}, keeping a step ${ms(saves)})`,
);
console.log(
  `the ring of 16 steps takes ${(ring.bytes() / 1024).toFixed(0)} kB; all hashes are equal`,
);
