// The package as games use it, by small scenes.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CaromError,
  Mover,
  Piece,
  Prediction,
  Replay,
  Ring,
  Shape,
  World,
  closestPointOn,
  contactOf,
  overlap,
  prepare,
  rayOn,
  separationOf,
  slotOf,
  version,
} from "carom";

const DT = 1 / 60;

function ground() {
  const world = new World();
  world.addFixed({ at: [0, -1], shape: Shape.rect(40, 2) });
  return world;
}

test("a box falls on the ground and rests", () => {
  const world = ground();
  const box = world.add({ at: [0, 4], shape: Shape.rect(1, 1) });
  let hits = 0;
  for (let k = 0; k < 180; k += 1) {
    world.step(DT);
    for (const hit of world.hits()) {
      hits += 1;
      assert.ok(hit.bodyA === box || hit.bodyB === box);
      assert.ok(hit.speed > 7 && hit.speed < 9, `${hit.speed}`);
      assert.ok(Math.abs(hit.pointY) < 0.02);
    }
  }
  assert.equal(hits, 1);
  const [x, y] = world.position(box);
  assert.ok(Math.abs(x) < 1e-3 && Math.abs(y - 0.5) < 0.01, `${x}, ${y}`);
  assert.equal(world.body(box).awake, false);
  const poses = world.poses();
  assert.equal(poses[4 * slotOf(box) + 1], Math.fround(y));
  assert.match(version(), /^\d+\.\d+\.\d+$/);
  world.free();
  assert.throws(() => world.step(DT), /`world` is missing, or was freed/);
});

test("every shape can be made, has a mass, and falls", () => {
  const square = [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ];
  const shapes = {
    circle: Shape.circle(0.5),
    capsule: Shape.capsule([-0.5, 0], [0.5, 0], 0.2),
    rect: Shape.rect(1, 1),
    polygon: Shape.polygon(square),
    packed: Shape.polygon(new Float32Array(square.flat())),
    hull: Shape.hull([...square, [0, 0]]),
    regular: Shape.regular(5, 0.5),
    polar: Shape.polar([
      [1, 0],
      [0.2, 0.2],
      [0, 1],
      [-1, 0],
      [0, -1],
    ]),
    outline: Shape.outline([
      [0, 0],
      [2, 0],
      [2, 1],
      [1, 1],
      [1, 2],
      [0, 2],
    ]),
    compound: Shape.compound([Shape.circle(0.3).at([0.5, 0]), Shape.circle(0.3).at([-0.5, 0])]),
    mask: Shape.mask(0.25, 2, [1, 1, 1, 0]),
    rounded: Shape.rect(1, 1).rounded(0.1),
    prepared: Shape.prepared(prepare(Shape.rect(1, 1))),
  };
  const world = ground();
  for (const [name, shape] of Object.entries(shapes)) {
    assert.ok(shape.mass().mass > 0, name);
    const body = world.add({ at: [0, 30], shape: shape.with({ density: 2, friction: 0.3 }) });
    for (let k = 0; k < 30; k += 1) world.step(DT);
    assert.ok(world.position(body)[1] < 29, name);
    assert.ok(
      Math.abs(world.shape(world.shapesOf(body).at(0)).material.kineticFriction - 0.3) < 1e-6,
    );
    world.remove(body);
  }
  const solid = {
    chain: Shape.chain([
      [-5, 0],
      [0, 0],
      [5, 1],
    ]),
    segment: Shape.segment([-5, 0], [5, 0]),
    closed: Shape.closedChain([
      [0, 0],
      [0, 1],
      [1, 1],
    ]),
    plane: Shape.halfPlane([0, 0], [0, 1]),
    tiles: Shape.tiles(1, 2, [{ kind: 1 }, { kind: 0 }, { kind: 2 }, { kind: 1 }]),
    packedTiles: Shape.tiles(1, 2, new Uint8Array([1, 0, 0, 0, 2, 0, 1, 0])),
  };
  for (const [name, shape] of Object.entries(solid)) {
    assert.ok(world.has(world.addFixed({ at: [50, 50], shape })), name);
  }
});

test("tile maps are read and changed", () => {
  const world = new World();
  const level = world.addFixed({ shape: Shape.tiles(1, 3, new Uint8Array(12).fill(1)) });
  const [tiles] = world.shapesOf(level).toArray();
  assert.deepEqual({ ...world.tileSize(tiles) }, { columns: 3, rows: 2 });
  assert.equal(world.tile(tiles, 1, 1).kind, 1);
  world.setTile(tiles, 1, 1, { kind: 0 });
  assert.equal(world.tile(tiles, 1, 1).kind, 0);
  assert.equal(world.tile(tiles, 9, 9), null);
});

test("every joint holds", () => {
  const world = new World();
  const post = world.addFixed({ at: [0, 10], shape: Shape.circle(0.1) });
  const hung = (x) => world.add({ at: [x, 10], shape: Shape.circle(0.3) });
  const spring = { hertz: 4, damping: 0.7 };
  const kinds = [
    { kind: "revolute", at: [0, 10], limits: [-1, 1], motor: { speed: 1, max: 10 } },
    { kind: "prismatic", axis: [1, 0], limits: [-1, 1] },
    { kind: "distance", length: 1 },
    { kind: "rope", max: 2 },
    { kind: "weld", at: [0, 10] },
    { kind: "wheel", axis: [0, 1], spring },
    { kind: "motor", spring, offset: [1, 0] },
    { kind: "friction", maxForce: 100, maxTorque: 10 },
    { kind: "filter" },
    { kind: "pulley", groundA: [0, 12], groundB: [1, 12], ratio: 1 },
  ];
  const joints = kinds.map((def) => world.addJoint({ a: post, b: hung(1), ...def }));
  const drag = world.addJoint({ kind: "drag", body: hung(3), to: [3, 12], maxForce: 1000 });
  const other = world.addJoint({ kind: "revolute", b: hung(-1), at: [0, 10] });
  joints.push(
    drag,
    other,
    world.addJoint({ kind: "gear", first: joints[0], second: other, ratio: 2 }),
  );
  for (let k = 0; k < 120; k += 1) world.step(DT);
  assert.equal(world.jointCount(), joints.length);
  for (const [k, joint] of joints.entries()) {
    if (k < 6 && k !== 3) assert.ok(world.joint(joint).gap < 0.05, kinds[k].kind);
  }
  assert.equal(world.jointDef(joints[0]).kind, "revolute");
  assert.ok(Math.abs(world.jointDef(joints[0]).drive.limits.lower + 1) < 1e-6);
  world.changeJoint(joints[0], { limits: [-0.5, 0.5] });
  assert.equal(world.jointDef(joints[0]).drive.limits.upper, 0.5);
  assert.equal(world.jointDef(joints[0]).drive.hasLimits, true);
  world.changeJoint(joints[0], { limits: null });
  assert.equal(world.jointDef(joints[0]).drive.hasLimits, false);
  world.setJointMotor(joints[0], { speed: 2, max: 5 });
  assert.equal(world.jointDef(joints[0]).drive.motor.speed, 2);
  world.dragTo(drag, [4, 12]);
  world.removeJoint(other);
  assert.equal(world.hasJoint(other), false);
});

test("queries find shapes, one by one and in bulk", () => {
  const world = ground();
  const ball = world.addFixed({ at: [3, 2], shape: Shape.circle(0.5) });
  world.step(DT);
  const hit = world.ray({ from: [0, 2], translation: [10, 0] });
  assert.equal(hit.body, ball);
  assert.ok(Math.abs(hit.fraction - 0.25) < 1e-5);
  assert.deepEqual(hit.normal, [-1, 0]);
  assert.equal(world.ray({ from: [0, 5], translation: [10, 0] }), null);
  assert.equal(world.rayAny({ from: [0, 2], translation: [10, 0] }), true);
  assert.equal(world.rayAll({ from: [3, 5], translation: [0, -10] }).length, 2);
  const cast = { shape: Shape.circle(0.5), from: [0, 2], translation: [10, 0] };
  assert.ok(Math.abs(world.cast(cast).time - 0.2) < 1e-3);
  assert.equal(world.overlapBox([2, 1, 4, 3]).at(0).body, ball);
  assert.equal(world.overlap(Shape.rect(1, 1), [3, 2], 0.3).length, 1);
  assert.equal(world.overlapPoint([3, 2]).length, 1);
  assert.ok(Math.abs(world.nearest([3, 3], 5).distance - 0.5) < 1e-5);
  assert.equal(world.nearestFew([3, 3], 9, 2).length, 2);
  const rays = [
    { from: [0, 2], translation: [10, 0] },
    { from: [0, 9], translation: [1, 0] },
  ];
  const found = world.rays(rays).toArray();
  assert.deepEqual(
    found.map((it) => it.body),
    [ball, 0],
  );
  assert.deepEqual([...world.raysAny(rays)], [1, 0]);
  const all = world.raysAll(rays);
  assert.deepEqual([...all.ends], [1, 1]);
  assert.equal(all.answers.length, 1);
  assert.deepEqual(
    [
      ...world.overlapPoints([
        [3, 2],
        [9, 9],
      ]).ends,
    ],
    [1, 1],
  );
  assert.equal(world.nearestToPoints([[3, 3]], 5).at(0).body, ball);
  const none = world.ray(rays[0], { predicate: (shape) => world.bodyOf(shape) !== ball });
  assert.equal(none, null);
  assert.equal(world.ray(rays[0], { without: ball }), null);
  assert.throws(
    () =>
      world.ray(rays[0], {
        predicate() {
          throw new Error("mine");
        },
      }),
    /mine/,
  );
  assert.equal(world.ray(rays[0]).body, ball, "the world goes on after it");
});

test("geometry without a world", () => {
  const [sword, slime] = [Shape.capsule([0, 0], [0, 1.2], 0.1), Shape.circle(0.5)];
  assert.equal(overlap(sword, [0, 0], slime, [0.55, 0.6]), true);
  assert.ok(Math.abs(contactOf(sword, [0, 0], slime, [0.55, 0.6, 0]).depth - 0.05) < 1e-5);
  assert.equal(contactOf(sword, [0, 0], slime, [2, 0]), null);
  assert.ok(Math.abs(separationOf(sword, [0, 0], slime, [1.6, 0.5]).distance - 1) < 1e-5);
  assert.ok(Math.abs(rayOn(slime, [0, 0], [-2, 0], [4, 0]).fraction - 0.375) < 1e-5);
  assert.ok(Math.abs(closestPointOn(slime, [0, 0], [2, 0]).distance - 1.5) < 1e-5);
});

test("sensors, areas and hooks", () => {
  const world = ground();
  const pool = world.addFixed({ at: [0, 2], shape: Shape.rect(6, 4).with({ sensor: true }) });
  const [water] = world.shapesOf(pool).toArray();
  world.setShapeArea(water, { hasFluid: true, fluidDensity: 3, surface: [0, 2] });
  assert.equal(world.area(water).hasFluid, true);
  const ball = world.add({ at: [0, 5], shape: Shape.circle(0.5).with({ density: 1 }) });
  let entered = 0;
  for (let k = 0; k < 400; k += 1) {
    world.step(DT);
    entered += world.entered().length;
  }
  assert.equal(entered >= 1, true);
  assert.ok(world.position(ball)[1] > 3, "it floats");
  assert.ok(world.visitors(water).toArray().includes(world.shapesOf(ball).at(0)));

  const ghosts = ground();
  const a = ghosts.add({ at: [0, 3], shape: Shape.circle(0.5), userData: 7 });
  let asked = 0;
  ghosts.setFilterHook((pair) => {
    asked += 1;
    return pair.bodyDataA !== 7 && pair.bodyDataB !== 7;
  });
  for (let k = 0; k < 120; k += 1) ghosts.step(DT);
  assert.ok(asked > 0 && ghosts.position(a)[1] < -1, "it fell through the ground");
  const bouncy = ground();
  const b = bouncy.add({ at: [0, 3], shape: Shape.circle(0.5).with({ contactHook: true }) });
  bouncy.setContactHook((pair, contact) => {
    contact.restitution = 1;
  });
  let highest = -9;
  for (let k = 0; k < 120; k += 1) {
    bouncy.step(DT);
    if (k > 60) highest = Math.max(highest, bouncy.position(b)[1]);
  }
  assert.ok(highest > 2.5, `${highest}`);
  bouncy.setContactHook(() => {
    throw new RangeError("mine");
  });
  assert.throws(() => {
    for (let k = 0; k < 99; k += 1) bouncy.step(DT);
  }, RangeError);
  bouncy.clearHooks();
  bouncy.step(DT);
});

test("snapshots, ring, recording, prediction and pieces", () => {
  const world = ground();
  for (let k = 0; k < 20; k += 1)
    world.add({ at: [k * 0.3 - 3, 1 + k], shape: Shape.rect(0.8, 0.6) });
  const ring = new Ring(16);
  world.record(10, true);
  const hashes = [];
  for (let k = 0; k < 60; k += 1) {
    ring.save(world);
    hashes.push(world.hash());
    world.step(DT);
  }
  const end = world.hash();
  const bytes = world.save();
  assert.ok(bytes instanceof Uint8Array && bytes.length > 1000);
  const recording = world.stopRecording();
  assert.equal(world.isRecording(), false);
  ring.load(52, world);
  assert.equal(world.hash(), hashes[52]);
  for (let k = 52; k < 60; k += 1) world.step(DT);
  assert.equal(world.hash(), end);
  assert.deepEqual(ring.steps().slice(-2), [58, 59]);
  assert.throws(() => ring.load(3, world), { code: "no_such_step" });

  const replay = Replay.open(recording);
  assert.equal(replay.divergence(), null);
  replay.seek(40);
  const seen = new World();
  replay.world(seen);
  assert.equal(seen.hash(), hashes[40]);
  assert.match(seen.difference(world), /\w/);

  world.step(DT);
  world.load(bytes);
  assert.equal(world.hash(), end);
  const whole = new World();
  whole.load(world.saveWhole());
  assert.equal(whole.hash(), end);
  assert.equal(whole.difference(world), null);
  const twin = world.clone();
  twin.step(DT);
  world.step(DT);
  assert.equal(twin.hash(), world.hash());
  const damaged = bytes.slice();
  damaged[100] ^= 255;
  assert.throws(() => world.load(damaged), { code: "bad_bytes" });

  const ball = world.add({ at: [15, 9], shape: Shape.circle(0.5) });
  const prediction = new Prediction();
  world.predict([{ body: ball }], 60, DT, prediction);
  const path = prediction.path(ball);
  assert.equal(path.length, 60);
  assert.ok(path.at(59).positionY < 5);
  const piece = world.cut([14, 0, 16, 20], "stay");
  assert.deepEqual(piece.taken().toArray(), [ball]);
  assert.equal(world.has(ball), false);
  const back = world.paste(Piece.read(piece.save()), [0, 50]);
  assert.equal(back.bodies.length, 1);
  const crate = world.add({ at: [0, 60], shape: Shape.rect(2, 2) });
  assert.equal(world.slice(crate, [0, 50], [0, 70]).length, 2);
});

test("movers, lines, far places", () => {
  const world = ground();
  const mover = new Mover({ skin: 0.02 });
  let [at, velocity] = [
    [0, 2],
    [0, 0],
  ];
  for (let k = 0; k < 60; k += 1) {
    const outcome = mover.slide(world, at, velocity, DT);
    at = outcome.position;
    velocity = [1, outcome.velocityY - 9.81 * DT];
    if (k === 59) assert.equal(outcome.grounded, true);
  }
  assert.ok(at[0] > 0.5);
  assert.ok(mover.touches().length > 0);
  const lines = world.lines({ contacts: false });
  assert.ok(lines.length > 3 && lines.stride === 5);
  assert.equal(lines.floats.length, 5 * lines.length);
  assert.equal(lines.words[4], lines.at(0).color);
  const far = world.add({ at: [1e9 + 0.25, -3e9], shape: Shape.circle(0.5) });
  assert.deepEqual(world.place(far), [1e9 + 0.25, -3e9]);
  const reused = [0, 0];
  assert.equal(world.position(far, reused), reused);
});

test("bad arguments throw the broken rule", () => {
  const world = ground();
  const box = world.add({ at: [0, 4], shape: Shape.rect(1, 1) });
  const hash = world.hash();
  const throws = (call, code, text) => {
    assert.throws(
      call,
      (error) =>
        (error instanceof CaromError && error.code === code && text.test(error.message)) ||
        assert.fail(`${error.code}: ${error.message}`),
    );
  };
  throws(() => world.step(NaN), "bad_number", /a step takes 0 to 1 s/);
  throws(() => world.step("1"), "bad_type", /`dt` must be a number, not "1"/);
  throws(() => world.add({ at: [0, NaN], shape: Shape.circle(1) }), "bad_number", /finite|number/i);
  throws(() => world.add({ shape: Shape.circle(-1) }), "bad_shape", /radius/i);
  throws(
    () =>
      world.add({
        shape: Shape.polygon([
          [0, 0],
          [1, 0],
        ]),
      }),
    "bad_shape",
    /corner|point/i,
  );
  throws(() => world.add({ shpae: Shape.circle(1) }), "bad_type", /`shpae` is no field of bodyDef/);
  throws(() => world.add({ kind: "dynamc" }), "bad_type", /one of "fixed", "kinematic", "dynamic"/);
  throws(() => world.add(7), "bad_type", /object/);
  throws(() => world.setVelocity(box, 3), "bad_type", /`velocity` must be \[x, y\], not 3/);
  throws(() => world.addJoint({ kind: "revolute", a: box, b: box }), "bad_joint", /two bodies/);
  throws(() => world.addJoint({ kind: "hinge" }), "bad_type", /one of/);
  throws(() => world.position(0), "no_such_body", /\w/);
  throws(() => world.position(12345), "no_such_body", /\w/);
  throws(() => world.position(box + 0.5), "no_such_body", /\w/);
  throws(() => new World({ gravity: [0, Infinity] }), "bad_number", /gravity/i);
  throws(() => new World({ subSteps: 1.5 }), "bad_number", /`subSteps` must be an integer/);
  throws(() => world.load(new Uint8Array(10)), "bad_bytes", /\w/);
  throws(() => new Piece(), "bad_type", /made by/);
  throws(() => world.copy({}), "bad_type", /a World/);
  throws(() => world.copy(new Ring(2)), "bad_type", /a World/);
  throws(() => world.setFilterHook(3), "bad_type", /a function/);
  world.remove(box);
  throws(() => world.angle(box), "no_such_body", /\w/);
  throws(() => world.remove(box), "no_such_body", /\w/);
  assert.equal(world.has(box), false);
  assert.notEqual(hash, world.hash());
});

test("`using` and `free` give objects back", () => {
  const world = new World();
  world[Symbol.dispose]();
  assert.equal(world.isFreed, true);
  world.free();
});
