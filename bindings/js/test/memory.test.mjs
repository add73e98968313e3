// Memory of the module: objects that nobody frees, memory that grows, nested hooks, and a panic.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { Shape, World } from "carom";
import { U8 } from "../src/core.js";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");
const DT = 1 / 60;

function crowded(count) {
  const world = new World();
  world.addFixed({ at: [0, -1], shape: Shape.rect(400, 2) });
  const defs = Array.from({ length: count }, (_, k) => ({
    at: [(k % 100) - 50, 1 + Math.floor(k / 100)],
    shape: Shape.circle(0.4),
  }));
  return { world, bodies: world.addAll(defs) };
}

// First of all: later calls make the room for arguments large.
test("hooks may ask, with large arguments, and may not change the world that steps", () => {
  const { world, bodies } = crowded(2);
  const { world: other, bodies: others } = crowded(3);
  const points = Array.from({ length: 9_000 }, (_, k) => [k / 9_000, 1]);
  let found = 0;
  const hit = world.ray(
    { from: [-60, 1], translation: [120, 0] },
    {
      predicate(shape) {
        // Needs more room than there is, within a call that has its own arguments.
        found += other.nearestToPoints(points, 100).length;
        return world.bodyOf(shape) === bodies[1];
      },
    },
  );
  assert.equal(hit.body, bodies[1]);
  assert.ok(found >= 9_000);
  assert.equal(other.nearestToPoints([[-50, 1]], 9).at(0).body, others[0]);
  // The room of arguments is still the package's: no world gets it meanwhile.
  const worlds = Array.from({ length: 20 }, () => crowded(40).world);
  const hashes = worlds.map((it) => it.hash());
  other.nearestToPoints(points.slice(0, 4_000), 100);
  assert.deepEqual(worlds.map((it) => it.hash()), hashes);
  let told = "";
  world.setFilterHook(() => {
    try {
      world.setGravity([0, 0]);
    } catch (error) {
      told = error.code;
    }
    return true;
  });
  for (let k = 0; k < 60; k += 1) world.step(DT);
  assert.equal(told, "busy");
});

test("worlds that nobody frees are freed by the garbage collector", async () => {
  let bytes = 0;
  for (let round = 0; round < 40; round += 1) {
    for (let k = 0; k < 10; k += 1) crowded(300).world.step(DT);
    gc();
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    if (round === 9) bytes = U8.length;
  }
  // 300 worlds more would have needed 60 MB at least.
  assert.ok(U8.length - bytes < 8e6, `memory grew from ${bytes} to ${U8.length}`);
});

test("views are good after memory has grown", () => {
  const { world, bodies } = crowded(10);
  const old = world.poses();
  const before = U8.buffer;
  const large = crowded(60_000);
  assert.notEqual(U8.buffer, before, "it has grown");
  assert.equal(old.length, 0, "the old view is detached, not wrong");
  assert.equal(world.poses().length, 4 * 11);
  world.step(DT);
  large.world.step(DT);
  assert.equal(world.poses()[4], Math.fround(world.position(bodies[0])[0]));
  large.world.free();
  world.free();
});

test("a panic throws its text, and the module answers no more calls", async () => {
  // Damaged memory makes one: the length of a list in a map is made huge.
  const program = `
const { parentPort } = await import("node:worker_threads");
const { GridMap, World } = await import("${new URL("../src/index.js", import.meta.url).href}");
const { U32 } = await import("${new URL("../src/core.js", import.meta.url).href}");
const told = [];
const map = new GridMap(64, 64);
for (let k = 2; k < 24 && told.length === 0; k += 1) {
  const at = (map.$ >> 2) + k;
  const kept = U32[at];
  if (kept < 2 || kept > 70) continue;
  U32[at] = 1_000_000;
  try { map.hash(); } catch (error) { told.push(error.name, error.code, error.message); }
  U32[at] = kept;
}
try { new World(); } catch (error) { told.push(error.code, error.message); }
parentPort.postMessage(told);
`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  const told = await new Promise((resolve, reject) => {
    const worker = new Worker(url);
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  assert.deepEqual(told.slice(0, 2), ["CaromError", "broken"]);
  assert.match(told[2], /carom panicked, which is a bug of it: .*bits\.rs/s);
  assert.equal(told[3], "broken");
  assert.match(told[4], /answers no more calls/);
});
