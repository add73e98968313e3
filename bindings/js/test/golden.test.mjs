// The bits of the module are those of native code.
//
// In: the folder that `carom-js-golden` wrote, in CAROM_GOLDEN: recordings and hashes of native
// worlds.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Replay, Shape, World } from "carom";

const FOLDER = process.env.CAROM_GOLDEN;
const DT = 1 / 60;
const skip = !FOLDER && "CAROM_GOLDEN names no folder";

function lines(path) {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.trim().split(/\s+/))
    .map(([name, steps, hash]) => ({ name, steps: Number(steps), hash }));
}

const hex = (hash) => hash.toString(16).padStart(16, "0");

test("recordings of the golden scenes have the native hash after every step", { skip }, () => {
  const written = lines(join(FOLDER, "hashes.txt"));
  const golden = lines(new URL("../../../tests/golden/hashes.txt", import.meta.url));
  let played = 0;
  for (const { name, steps, hash } of written) {
    const file = join(FOLDER, `${name}.rec`);
    if (!existsSync(file)) continue;
    const replay = Replay.open(readFileSync(file));
    assert.equal(replay.divergence(), null, name);
    replay.seek(steps);
    const world = new World();
    replay.world(world);
    assert.equal(hex(world.hash()), hash, name);
    const known = golden.find((it) => it.name === name && it.steps === steps);
    if (known) assert.equal(known.hash, hash, `${name}: tests/golden/hashes.txt`);
    played += 1;
  }
  console.log(`${played} golden scenes played`);
  assert.ok(played >= 13);
});

/** Builds what golden/src/main.rs builds, through the package. */
const SCENES = {
  "own-heap"() {
    const world = new World();
    world.addFixed({ at: [0, -1], shape: Shape.rect(60, 2) });
    const shapes = [
      Shape.circle(0.5),
      Shape.rect(0.9, 0.7),
      Shape.capsule([-0.3, 0], [0.3, 0], 0.25),
      Shape.polygon([
        [-0.5, -0.4],
        [0.5, -0.4],
        [0, 0.6],
      ]),
    ];
    for (let k = 0; k < 60; k += 1) {
      const at = [(k % 10) * 1.25 - 6, 1 + Math.floor(k / 10) * 1.25];
      world.add({ at, angle: k * 0.125, velocity: [0, -1], shape: shapes[k % 4] });
    }
    return world;
  },
  "own-chain"() {
    const world = new World();
    let last = world.addFixed({ at: [0, 9], shape: Shape.circle(0.2) });
    for (let k = 1; k < 12; k += 1) {
      const link = world.add({ at: [k * 0.75, 9], shape: Shape.rect(0.7, 0.2) });
      world.addJoint({
        kind: "revolute",
        a: last,
        b: link,
        at: [k * 0.75 - 0.375, 9],
        limits: [-1, 1],
        motor: { speed: 0, max: 0.5 },
      });
      last = link;
    }
    return world;
  },
};

test("scenes built through the package have the native hash", { skip }, () => {
  const written = lines(join(FOLDER, "hashes.txt"));
  for (const [name, make] of Object.entries(SCENES)) {
    const world = make();
    let at = 0;
    let compared = 0;
    for (const { steps, hash } of written.filter((it) => it.name === name)) {
      for (; at < steps; at += 1) world.step(DT);
      assert.equal(hex(world.hash()), hash, `${name} after ${steps} steps`);
      compared += 1;
    }
    assert.equal(compared, 6);
  }
});
