// The other side of demo/shell: loads a module, calls it, and reads its buffers where they lie.

import { unpack } from "./unpack.js";

const POSES = 0, STATES = 1, OUTLINES = 2, COMMANDS = 3, LETTERS = 4, REPORT = 5, NUMBERS = 6, ABOUT = 7;

/** Stages of a step, in the order of their times. */
export const STAGES = ["find pairs", "collide", "prepare", "solve", "store", "continuous", "sleep", "report"];

const COUNTS = ["step", "bodies", "awake", "pairs", "contacts", "islands", "joints"];

// The smallest module with an instruction of simd128: browsers that refuse it cannot run carom's lanes.
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** What is wrong, in words for the page. */
export class Problem extends Error {}

/** Throws a problem where the browser cannot run the engine. */
export function checkBrowser() {
  if (typeof WebAssembly !== "object") {
    throw new Problem("This browser has no WebAssembly, which the engine is compiled to.");
  }
  if (!WebAssembly.validate(SIMD)) {
    throw new Problem("This browser has no SIMD in WebAssembly: Firefox 89, Chrome 91, Safari 16.4 and newer have it.");
  }
}

async function fetched(url) {
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw new Problem("The engine could not be fetched. It needs a server: as a file, this page cannot load it.");
  }
  if (!response.ok) {
    throw new Problem(`The engine could not be fetched: the server answered ${response.status} for ${url}.`);
  }
  return response;
}

/** All scenes of all modules, as demo/list.mjs wrote them down. */
export async function sceneList(url) {
  return (await fetched(url)).json();
}

async function compiled(url) {
  const imports = { page: { microseconds: () => performance.now() * 1000 } };
  const packed = new Uint8Array(await (await fetched(url)).arrayBuffer());
  let code;
  try {
    code = unpack(packed);
  } catch (error) {
    throw new Problem(`The engine could not be unpacked: of ${url} ${error.message}.`);
  }
  const { instance } = await WebAssembly.instantiate(code, imports);
  return instance.exports;
}

export class Engine {
  static async load(url) {
    return new Engine(await compiled(url));
  }

  constructor(exports) {
    this.exports = exports;
    exports.list_layers();
    this.layers = this.#text(ABOUT).split("\n");
    /** The bit of the layer that draws the bodies, so that the page need not. */
    this.shapesLayer = 1 << this.layers.indexOf("shapes");
  }

  #list(which, Kind) {
    const { exports } = this;
    return new Kind(exports.memory.buffer, exports.buffer(which), exports.buffer_len(which));
  }

  #text(which) {
    return new TextDecoder().decode(this.#list(which, Uint8Array));
  }

  /** What the page says of the module's scenes. */
  describe() {
    return Array.from({ length: this.exports.scene_count() }, (_, k) => this.#about(k));
  }

  #about(number) {
    this.exports.describe(number);
    const [name, title, hint, counted, least, start, most, hertz, keys, naive, opens, plain] = this.#text(ABOUT)
      .split("\n");
    return {
      number, name, title, hint, counted, keys, naive, opens: opens === "1", plain: plain === "1",
      count: { least: +least, start: +start, most: +most },
      hertz: +hertz,
    };
  }

  begin(number, count) {
    if (!this.exports.begin(number, count)) throw new Problem(`The scene could not be built: ${this.#text(REPORT)}.`);
  }

  /** Hands in a file for the next `begin` of a scene that plays files. */
  hand(bytes) {
    const place = this.exports.inbox(bytes.length);
    new Uint8Array(this.exports.memory.buffer, place, bytes.length).set(bytes);
  }

  /** The scene as a file. */
  keep() {
    return this.exports.keep() ? this.#list(ABOUT, Uint8Array).slice() : null;
  }

  step() {
    if (!this.exports.step()) throw new Problem(`A step was refused: ${this.#text(REPORT)}.`);
  }

  /** Makes the buffers ready. What `poses` and the others give is good until the next call of anything. */
  frame(alpha) {
    this.exports.frame(alpha);
  }

  get poses() { return this.#list(POSES, Float32Array); }
  get states() { return this.#list(STATES, Uint8Array); }
  get outlines() { return this.#list(OUTLINES, Float32Array); }
  get commands() { return this.#list(COMMANDS, Float32Array); }
  get letters() { return this.#list(LETTERS, Uint8Array); }
  get revision() { return this.exports.revision(); }

  /** Lines of the scene: [name, value, mark]. */
  report() {
    return this.#text(REPORT).split("\n").filter(Boolean).map((line) => line.split("\t"));
  }

  /** Counts, settings, and milliseconds of the stages since the last time. */
  numbers() {
    const list = [...this.#list(NUMBERS, Float64Array)];
    const counts = Object.fromEntries(COUNTS.map((name, k) => [name, list[k]]));
    const [hertz, gravity, subSteps, x, y, left, bottom, right, top, first, last, now, mark, ...times] =
      list.slice(COUNTS.length);
    const focus = Number.isNaN(x) ? null : [x, y];
    const view = [left, bottom, right, top];
    const timeline = Number.isNaN(now) ? null : { first, last, now, mark: Number.isNaN(mark) ? null : mark };
    return { counts, hertz, gravity, subSteps, focus, view, timeline, times: times.map((time) => time / 1000) };
  }

  hash() {
    return BigInt.asUintN(64, this.exports.hash()).toString(16).padStart(16, "0");
  }
}
