// Random calls of all methods, with dead ids, NaN and wrong types: whatever happens, it is an
// answer or an Error of the package. A trap, a panic or a foreign error fails.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as carom from "carom";

const CALLS = Number(process.env.CALLS ?? 200_000);
let state = Number(process.env.SEED ?? 1);

/** A whole number below `end`: an xorshift generator. */
function below(end) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % end;
}

const pick = (list) => list[below(list.length)];
const ids = [];
const odd = [
  undefined,
  null,
  NaN,
  Infinity,
  -Infinity,
  -1,
  0,
  1e30,
  1e-30,
  0.5,
  2 ** 53,
  "",
  "dynamic",
  "x",
  {},
  [],
  true,
  5n,
  -5n,
  Symbol("s"),
  () => true,
  [NaN, 1],
  [1],
  [1, 2, 3],
  { x: 1 },
  { at: [0, 0] },
  new Float32Array(3),
  new Uint8Array(300),
  "..#.\n....",
];
const small = () => (below(4) === 0 ? below(1000) / 100 - 5 : below(30));
const vec = () => [small(), small()];

const { Shape } = carom;
const shapes = [
  () => Shape.circle(small() / 10),
  () => Shape.rect(small(), small()),
  () => Shape.regular(below(12), 1),
  () => Shape.polygon([vec(), vec(), vec()]),
  () => Shape.hull(Array.from({ length: below(12) }, vec)),
  () => Shape.capsule(vec(), vec(), 0.3),
  () => Shape.chain([vec(), vec(), vec()]),
  () => Shape.outline(Array.from({ length: below(9) }, vec)),
  () => Shape.segment(vec(), vec()),
  () =>
    Shape.tiles(
      1,
      1 + below(4),
      new Uint8Array(2 * below(16)).map(() => below(20)),
    ),
  () => Shape.compound([Shape.circle(0.3), Shape.rect(1, 1).at([1, 0], 0.3)]),
  () => Shape.halfPlane(vec(), vec()),
  () =>
    Shape.mask(
      0.3,
      4,
      Array.from({ length: 16 }, () => below(2)),
      0.1,
    ),
  () => new Shape({ kind: "none" }),
  () => Shape.circle(NaN),
  () => Shape.rect(-1, 1),
];
const objects = Object.fromEntries(
  [
    "World",
    "Ring",
    "Replay",
    "Prediction",
    "Piece",
    "Mover",
    "GridMap",
    "GridSearch",
    "FlowField",
    "NavMesh",
    "Way",
    "Crowd",
    "Prepared",
  ].map((name) => [name, []]),
);
const words = [
  "revolute",
  "prismatic",
  "distance",
  "rope",
  "weld",
  "wheel",
  "motor",
  "friction",
  "gear",
  "pulley",
  "filter",
  "drag",
  "fixed",
  "kinematic",
  "dynamic",
  "stay",
  "come",
  "part",
  "eight",
  "four",
  "six",
];

function value() {
  switch (below(14)) {
    case 0:
      return pick(odd);
    case 1:
    case 2:
      return small();
    case 3:
      return vec();
    case 4:
    case 5:
      return ids.length > 0 ? pick(ids) : 0;
    case 6:
      return pick(shapes)();
    case 7:
      return pick(pick(Object.values(objects))) ?? null;
    case 8:
      return { at: vec(), shape: pick(shapes)(), angle: small(), userData: below(9) };
    case 9:
      return joint();
    case 10:
      return { from: vec(), translation: vec(), shape: pick(shapes)(), turn: small() };
    case 11:
      return { hertz: small(), damping: small(), start: vec(), goal: vec(), body: pick(ids) };
    case 12:
      return Array.from({ length: below(4) }, value);
    default:
      return pick(words);
  }
}

/** A joint of any kind, with the fields of that kind. */
function joint() {
  const [a, b, spring] = [pick(ids), pick(ids), { hertz: small(), damping: 0.5 }];
  const kind = pick(words.slice(0, 12));
  const own = {
    rope: { max: small() },
    wheel: { spring, axis: vec() },
    prismatic: { axis: vec(), limits: [-1, 1] },
    motor: { spring },
    gear: { first: pick(ids), second: pick(ids), ratio: small() },
    pulley: { groundA: vec(), groundB: vec() },
    revolute: { at: vec(), motor: { speed: small(), max: small() } },
  };
  if (kind === "gear") return { kind, ...own.gear };
  if (kind === "drag") return { kind, body: b, to: vec(), maxForce: small() };
  return { kind, a, b, ...own[kind] };
}

/** An image that some object wrote, sometimes damaged. */
const images = [new Uint8Array(40)];
function image() {
  const bytes = pick(images).slice();
  if (below(2) && bytes.length > 0) bytes[below(bytes.length)] ^= 1 << below(8);
  return below(8) ? bytes : bytes.subarray(0, below(bytes.length + 1));
}

/** Values that a parameter of a name may well have. */
const id = () => (ids.length > 0 ? pick(ids) : 16777216);
const object = (name) => () => pick(objects[name]);
const ray = () => ({ from: vec(), translation: vec() });
const cast = () => ({ ...ray(), shape: pick(shapes)() });
const cell = () => [below(12), below(12)];
const FAIR = {
  body: id,
  shape: id,
  joint: id,
  sensor: id,
  agent: id,
  leader: id,
  a: id,
  b: id,
  obstacle: id,
  area: () => (below(3) ? { drag: 0.1 } : id()),
  bodies: () => [id()],
  agents: () => [id()],
  members: () => [id()],
  world: object("World"),
  from: () => pick([vec(), objects.World[0]]),
  other: object("World"),
  map: object("GridMap"),
  way: object("Way"),
  piece: object("Piece"),
  prediction: object("Prediction"),
  search: object("GridSearch"),
  dt: () => 1 / 60,
  ray,
  cast,
  rays: () => [ray(), ray()],
  casts: () => [cast()],
  place: vec,
  position: vec,
  point: vec,
  center: vec,
  to: vec,
  of: vec,
  corner: vec,
  local: vec,
  velocity: vec,
  impulse: vec,
  force: vec,
  gravity: vec,
  hole: () => pick(shapes)(),
  geometry: () => pick(shapes)(),
  placeA: vec,
  placeB: vec,
  translation: vec,
  region: () => [-5, -5, 5, 5],
  regions: () => [[-5, -5, 5, 5]],
  places: () => [{ at: vec(), shape: pick(shapes)() }],
  points: () => [vec(), vec(), vec()],
  corners: () => [
    [1, 1],
    [3, 1],
    [2, 3],
  ],
  filter: () => undefined,
  step: () => below(30),
  steps: () => below(30),
  cell,
  ask: () => ({ start: cell(), goal: cell() }),
  goals: () => [cell()],
  rule: () => "eight",
  ties: () => "part",
  column: () => below(4),
  row: () => below(4),
  mass: () => ({ mass: 1, inertia: 1 }),
  material: () => ({ friction: 0.5 }),
  starts: () => [{ body: id() }],
  fields: () => [],
  wander: () => ({ seed: 1 }),
  most: () => 3,
  options: () => ({ shapes: true }),
  motor: () => ({ speed: 1, max: 9 }),
  bytes: image,
  text: () => "..#.\n....",
  frames: () => 4,
  half: () => 64,
  def: () => undefined,
  out: () => undefined,
};

const shape = () => pick(shapes)();
const box = () => [-5, -5, 5, 5];
/** Where a name stands for something else. */
const SPECIAL = {
  cut: [box, () => "part"],
  slice: [id, vec, vec],
  fragment: [id, () => [vec(), vec()]],
  contactOf: [shape, vec, shape, vec],
  separationOf: [shape, vec, shape, vec],
  rayOn: [shape, vec, vec, vec],
  setTile: [id, () => 0, () => 0, () => ({ kind: 1 })],
  setKind: [id, () => "kinematic"],
  attach: [id, () => shape().with({ density: 1 })],
  overlapBox: [box],
  changeJoint: [id, () => ({ enabled: true })],
  setJointMotor: [id, () => ({ speed: 1, max: 2 })],
  setShapeOneWay: [id, vec],
  raster: [object("World"), vec, () => 0.5, () => 8, () => 8],
  sync: [object("World"), vec],
  follow: [id, () => [vec()]],
  explode: [vec, () => 2, small, () => 1],
  aim: [() => [cell()]],
  add: [object("World"), id, () => ({ radius: 0.4 })],
};

/** Fair values for the parameters of a function, by their names. */
function fair(method) {
  const [, list] = String(method).match(/^[^(]*\(([^)]*)\)/) ?? [null, ""];
  const names = list
    .split(",")
    .map((it) => it.split("=")[0].trim())
    .filter(Boolean);
  return (SPECIAL[method.name] ?? names).map((name) =>
    (typeof name === "function" ? name : (FAIR[name] ?? small))(),
  );
}

/** Keeps ids, objects and images of an answer. */
function keep(answer) {
  if (typeof answer === "number" && answer > 1 && Number.isInteger(answer))
    ids[ids.length < 60 ? ids.length : below(60)] = answer;
  if (answer instanceof carom.Handle) {
    const list = objects[answer.constructor.name];
    if (list.length < 4) list.push(answer);
    else {
      const at = below(4);
      list[at].free();
      list[at] = answer;
    }
  }
  if (answer instanceof Uint8Array && answer.length > 0) {
    images[images.length < 24 ? images.length : below(24)] = answer.slice();
  }
  if (answer?.toArray) JSON.stringify(answer.toArray(), big);
  else if (answer?.copy && !(answer instanceof carom.Handle)) JSON.stringify(answer.copy(), big);
}

const big = (_, it) => (typeof it === "bigint" ? String(it) : it);

/** All methods of a class and of those it extends. */
function methods(Kind) {
  const found = new Set();
  for (let at = Kind.prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) if (name !== "constructor") found.add(name);
  }
  return [...found].filter((name) => name !== "isFreed" && !name.startsWith("$"));
}

test(`${CALLS} random calls`, { timeout: 600_000 }, () => {
  const table = [];
  for (const name in objects) {
    for (const method of methods(carom[name])) table.push([name, method]);
    for (const own of Object.getOwnPropertyNames(carom[name])) {
      if (typeof carom[name][own] === "function" && !own.startsWith("$"))
        table.push([name, own, "static"]);
    }
    table.push([name, "new", "new"], [name, "new", "new"]);
  }
  for (const name of Object.keys(carom))
    if (/^[a-z]/.test(name) && name !== "slotOf") table.push([null, name]);
  // Bodies and joints must be there to be found.
  for (let k = 0; k < 12; k += 1)
    table.push(["World", pick(["add", "addJoint", "addFixed", "step"])]);
  const counts = { good: 0, refused: 0 };
  const reached = new Set();
  for (let k = 0; k < CALLS; k += 1) {
    const [name, method, how] = pick(table);
    if (method === "free" && below(20) > 0) continue;
    const holder = name === null ? carom : how ? carom[name] : carom[name].prototype;
    const own = holder[method];
    const isAdd = name === "World" && /^add(Joint|Fixed|Kinematic|All)?$/.test(method);
    const isFair = below(2) === 0 && own && !isAdd;
    if (how === "new" && name === "FlowField" && below(2)) {
      keep(new carom.FlowField([cell()], "eight"));
      continue;
    }
    const given = isFair ? fair(own) : Array.from({ length: below(6) }, value);
    if (method === "step" && below(2)) given[0] = 1 / 60;
    if (isAdd && below(2))
      given[0] = method === "addJoint" ? joint() : { at: vec(), shape: pick(shapes)() };
    // A prediction of a billion steps is no mistake, but takes long; so is a search of 2^26 cells.
    if (method === "predict") given[1] = below(60);
    if (name === "GridMap" && how === "new") given.splice(0, 2, below(40), below(40));
    if (method === "raster") given.splice(3, 2, below(40), below(40));
    let call;
    if (how === "new") call = () => new carom[name](...given);
    else if (how === "static") call = () => carom[name][method](...given);
    else if (name === null) call = () => carom[method](...given);
    else {
      const self = pick(objects[name]);
      if (self === undefined) continue;
      call = () => self[method](...given);
    }
    try {
      keep(call());
      counts.good += 1;
      reached.add(`${name}.${method}`);
    } catch (error) {
      counts.refused += 1;
      const told = `${name}.${method}(${given.map((it) => typeof it)}): ${error?.stack ?? error}`;
      assert.ok(error instanceof carom.CaromError, told);
      assert.notEqual(error.code, "broken", told);
      assert.ok(error.message.length > 4, told);
    }
  }
  const all = new Set(table.map(([name, method]) => `${name}.${method}`));
  if (process.env.TELL) console.log([...all].filter((it) => !reached.has(it)).join(" "));
  console.log(counts, `${reached.size} of ${all.size} methods succeeded at least once`);
  assert.ok(counts.good > CALLS / 20 && counts.refused > CALLS / 20);
});
