// A frame of a game makes no garbage.
//
// The heap of V8 grows by all that is allocated between two readings, as long as no collection
// comes between; a collection would need 16 MB of garbage.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Shape, World, slotOf } from "carom";

const DT = 1 / 60;
const FRAMES = 10_000;

function scene() {
  const world = new World();
  world.addFixed({ at: [0, -1], shape: Shape.rect(60, 2) });
  const bodies = [];
  for (let k = 0; k < 40; k += 1) {
    bodies.push(
      world.add({
        at: [(k % 8) * 1.5 - 6, 1 + k / 4],
        shape: Shape.circle(0.4).with({ restitution: 1 }),
      }),
    );
  }
  return { world, bodies };
}

const push = [0.1, 0];
const out = [0, 0];
/** Numbers that are returned may be objects of the heap: this one is not. */
const total = new Float64Array(1);
const ray = { from: [-20, 0.5], translation: [40, 0] };

/** The calls of a frame of a game; the total keeps the reading from being optimised away. */
function frame({ world, bodies }, k) {
  world.applyImpulse(bodies[k % bodies.length], push);
  world.step(DT);
  sounds(world);
  draw(world);
  look(world, bodies[k % 8]);
}

function sounds(world) {
  let sum = 0;
  for (const hit of world.hits()) sum += hit.speed + hit.pointX;
  const begun = world.begun();
  for (let i = 0; i < begun.length; i += 1) if (begun.at(i).bodyA > 0) sum += 1;
  total[0] += sum;
}

function draw(world) {
  let sum = 0;
  const poses = world.poses(0.5);
  for (let i = 0; i < poses.length; i += 4) sum += poses[i];
  const { floats, words, length } = world.lines();
  if (length > 0) sum += floats[0] + (words[4] & 1);
  total[0] += sum;
}

function look(world, body) {
  world.position(body, out);
  total[0] += out[1];
  const hit = world.ray(ray);
  if (hit !== null) total[0] += hit.fraction;
}

/** Bytes by which the heap grows in so many frames. */
function grown(all, frames) {
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < frames; k += 1) frame(all, k);
  return process.memoryUsage().heapUsed - before;
}

test(`${FRAMES} frames make 0 bytes of garbage each`, () => {
  const all = scene();
  for (let k = 0; k < 20_000; k += 1) frame(all, k);
  assert.ok(grown(all, 1000) < 1e6, "the heap can be read");
  // Reading the heap allocates a few kilobytes itself; one number of the heap a frame would be
  // 120,000 bytes.
  const tries = Array.from({ length: 5 }, () => grown(all, FRAMES));
  const most = Math.max(...tries);
  console.log(`the heap grew by ${tries.join(", ")} bytes in ${FRAMES} frames each`);
  assert.ok(Number.isFinite(total[0]));
  assert.ok(most < FRAMES / 4, `${most / FRAMES} bytes a frame`);
});
