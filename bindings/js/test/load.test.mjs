// The loader: a module handed in, bytes, a file, a worker, and bytes that are no module.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

const FILE = new URL("../dist/carom.wasm", import.meta.url);

/** Runs a program in a worker, which has an instance of its own, and gives its message. */
function inWorker(source, workerData) {
  const head = 'import { workerData, parentPort } from "node:worker_threads";\n';
  const url = new URL(`data:text/javascript,${encodeURIComponent(head + source)}`);
  return new Promise((resolve, reject) => {
    const worker = new Worker(url, { workerData });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

const LOAD = new URL("../src/load.js", import.meta.url).href;
const PHYSICS = new URL("../src/physics.js", import.meta.url).href;
const NAV = new URL("../src/nav.js", import.meta.url).href;
const PROGRAM = `
const { load } = await import("${LOAD}");
const { World, Shape } = await load(workerData);
const world = new World();
world.addFixed({ at: [0, -1], shape: Shape.rect(40, 2) });
const box = world.add({ at: [0, 4], shape: Shape.rect(1, 1) });
for (let k = 0; k < 120; k += 1) world.step(1 / 60);
parentPort.postMessage([world.position(box)[1], String(world.hash())]);
`;

test("a worker with a module that is handed in, with bytes, and with an address", async () => {
  const bytes = await readFile(FILE);
  const module = await WebAssembly.compile(bytes);
  const [height, hash] = await inWorker(PROGRAM, module);
  assert.ok(Math.abs(height - 0.5) < 0.01);
  assert.deepEqual(await inWorker(PROGRAM, bytes), [height, hash]);
  assert.deepEqual(await inWorker(PROGRAM, FILE.href), [height, hash]);
});

test("bytes that are no module of carom are refused, and a second try may follow", async () => {
  const empty = [0, 97, 115, 109, 1, 0, 0, 0];
  const tries = `
const { load } = await import("${LOAD}");
const told = [];
for (const source of [new Uint8Array(8), new Uint8Array([${empty}]), 7, null, {}]) {
  await load(source).catch((error) => told.push([error.name, error.code]));
}
const { version } = await load(workerData);
parentPort.postMessage([told, version()]);
`;
  const [told, version] = await inWorker(tries, await readFile(FILE));
  const codes = ["bad_bytes", "bad_bytes", "bad_type", "bad_type", "bad_type"];
  assert.deepEqual(
    told,
    codes.map((code) => ["CaromError", code]),
  );
  assert.match(version, /^\d/);
});

test("a response, with the type of a module and without", async () => {
  const program = `
const { load } = await import("${LOAD}");
const headers = workerData.type ? { "Content-Type": workerData.type } : {};
const { version } = await load(Promise.resolve(new Response(workerData.bytes, { headers })));
parentPort.postMessage(version());
`;
  const bytes = await readFile(FILE);
  for (const type of ["application/wasm", "text/plain", ""]) {
    assert.match(await inWorker(program, { bytes, type }), /^\d/);
  }
  const missing = `
const { load } = await import("${LOAD}");
load(new Response("gone", { status: 404 })).catch((error) => parentPort.postMessage(error.message));
`;
  assert.match(await inWorker(missing, null), /answers 404/);
});

test("before a module is loaded, calls say so", async () => {
  const early = `
const { World } = await import("${new URL("../src/classes.js", import.meta.url).href}");
try { new World(); } catch (error) { parentPort.postMessage(error.message); }
`;
  assert.match(await inWorker(early, null), /not loaded yet/);
});

test("the smaller entries have what they promise", async () => {
  const physics = `
const { World, Shape, Ring } = await import("${PHYSICS}");
const world = new World();
const ball = world.add({ shape: Shape.circle(1) });
new Ring(4).save(world);
world.step(1 / 60);
world.ray({ from: [0, 5], translation: [0, -10] });
let told = "";
try { world.record(1, true); } catch (error) { told = error.message; }
parentPort.postMessage([world.save().length > 100, told]);
`;
  const [saved, told] = await inWorker(physics, null);
  assert.equal(saved, true);
  assert.match(told, /`world_record` is not in carom\/physics/);
  const nav = `
const { GridMap, GridSearch, NavMesh, Way, Crowd, World } = await import("${NAV}");
const map = new GridMap(9, 9);
const { cells } = new GridSearch().path(map, { start: [0, 0], goal: [8, 0] });
const way = new Way();
new NavMesh().way([0, 0], [3, 4], 0.4, way);
const [world, crowd] = [new World({ gravity: [0, 0] }), new Crowd()];
crowd.go(crowd.add(world, world.addAgentBody({}, [0, 0]), {}), [5, 0]);
for (let k = 0; k < 60; k += 1) { crowd.steer(world, 1 / 60); world.step(1 / 60); }
parentPort.postMessage([cells, way.length()]);
`;
  assert.deepEqual(await inWorker(nav, null), [8, 5]);
});
