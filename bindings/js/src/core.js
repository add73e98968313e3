/**
 * The instance of the module, its memory, and its failures.
 *
 * In: an instance of the module. Out: `x`, the exports; views of memory, which are
 * made anew when it grows; `S`, room for the arguments of a call; ids, texts and errors.
 *
 * There is one instance a program (a worker has its own), so that objects fit together.
 */
import { NAMES, PERSISTENT } from "./generated/layout.js";

/** An error of carom: its text names the broken rule, `code` is short: "bad_shape". */
export class CaromError extends Error {
  constructor(code, text) {
    super(text);
    this.name = "CaromError";
    this.code = code;
  }
}

/** The exports of the module. */
export let x = null;
/** Which module it is: "carom", "physics" or "nav"; another name if it was handed in. */
export let loaded = null;
export let I32 = new Int32Array(0);
export let U32 = new Uint32Array(0);
export let F32 = new Float32Array(0);
export let F64 = new Float64Array(0);
export let U8 = new Uint8Array(0);
/** The place of the arguments of the present call: FRAME bytes. */
export let S = 0;
/** Where answers lie until the same function is called again. */
export let P = 0;
/** The error of a hook, which is thrown when the call that called it is over. */
export let pending = null;

const FRAME = 2048;
/** Calls out of hooks, out of calls, out of hooks …: deeper ones are refused. */
const DEPTH = 8;
const CODES = [
  "ok",
  "null",
  "bad_enum",
  "bad_text",
  "buffer_too_small",
  "busy",
  "broken",
  "no_such_body",
  "no_such_shape",
  "no_such_joint",
  "bad_number",
  "bad_shape",
  "bad_material",
  "bad_joint",
  "wrong_kind",
  "full",
  "bad_bytes",
  "no_such_step",
  "missing_shape",
  "bad_map",
  "bad_search",
  "bad_mesh",
  "no_way",
  "no_such_agent",
  "taken_body",
  "invalid",
];
const ABI = 1;

let depth = 0;
let memory = null;
let stackTop = 0;
/** Functions by their numbers, as the module knows them. */
const hooks = [null];
const numbers = new Map();
/** Predicates of queries that run now. */
const predicates = [null];
/** Views of pairs and contacts for hooks; `lists.js` sets it. */
let rows = null;

/** Makes the views anew if memory has grown. Old ones have length 0 then. */
export function fresh() {
  if (I32.length === 0) refresh();
}

function refresh() {
  const { buffer } = memory;
  I32 = new Int32Array(buffer);
  U32 = new Uint32Array(buffer);
  F32 = new Float32Array(buffer);
  F64 = new Float64Array(buffer);
  U8 = new Uint8Array(buffer);
}

const text = new TextDecoder();

/** A text of the module: with a length, or up to a zero. */
export function textAt(at, length = U8.indexOf(0, at) - at) {
  return text.decode(U8.slice(at, at + length));
}

const imports = {
  carom: {
    panicked(at, length) {
      fresh();
      const why = textAt(at, length);
      breakDown(why);
      throw new CaromError("broken", `carom panicked, which is a bug of it: ${why}`);
    },
    filter_hook(hook, pair) {
      return enter(true, () => hooks[hook](rows.pair(pair))) ? 1 : 0;
    },
    contact_hook(hook, pair, contact) {
      enter(undefined, () => hooks[hook](rows.pair(pair), rows.edit(contact)));
    },
    shape_predicate(number, slot, generation) {
      return enter(false, () => predicates[number](idOf(slot, generation))) ? 1 : 0;
    },
  },
};

/** After a panic every call throws: memory may be half changed, and the stack is not unwound. */
function breakDown(why) {
  const error = () => {
    throw new CaromError("broken", `carom panicked before, and answers no more calls: ${why}`);
  };
  x.__stack_pointer.value = stackTop;
  x = new Proxy({}, { get: () => error });
}

/** Calls a hook. Its error waits until the call of the module is over: see `pending`. */
function enter(otherwise, call) {
  if (pending !== null) return otherwise;
  fresh();
  const kept = { S, arena: { ...arena } };
  try {
    depth += 1;
    if (depth > DEPTH) throw new CaromError("busy", `hooks are nested ${DEPTH} deep`);
    S += FRAME;
    arena.base = arena.top;
    return call();
  } catch (error) {
    pending = error ?? new CaromError("broken", `a hook threw ${String(error)}`);
    return otherwise;
  } finally {
    depth -= 1;
    S = kept.S;
    if (arena.start !== kept.arena.start) {
      // The hook needed a larger room. That of the outer call is used on, and not given back.
      const outer = spare.findIndex(([start]) => start === kept.arena.start);
      if (outer >= 0) spare.splice(outer, 1);
      spare.push([arena.start, arena.end - arena.start]);
    }
    Object.assign(arena, kept.arena);
  }
}

/** The number of a hook. A function keeps its number, so that it is kept once. */
export function numberOf(hook, name) {
  if (typeof hook !== "function") throw wrongType(name, "a function", hook);
  let number = numbers.get(hook);
  if (number === undefined) {
    number = hooks.push(hook) - 1;
    numbers.set(hook, number);
  }
  return number;
}

/** The number of a predicate, as long as the present call. */
export function predicateNumber(predicate) {
  if (typeof predicate !== "function") throw wrongType("predicate", "a function", predicate);
  return predicates.push(predicate) - 1;
}

export function setRows(all) {
  rows = all;
}

/** Begins with an instance. */
export function start(instance, name) {
  x = complete(instance.exports, name);
  if (typeof x.carom_abi !== "function" || typeof x.carom_js_start !== "function") {
    x = null;
    throw new CaromError("bad_bytes", "this is no module of carom");
  }
  if (x.carom_abi() !== ABI) {
    const other = x.carom_abi();
    x = null;
    throw new CaromError("bad_bytes", `the module has the interface ${other}, not ${ABI}`);
  }
  memory = x.memory;
  stackTop = x.__stack_pointer.value;
  refresh();
  x.carom_js_start();
  S = take(FRAME * (DEPTH + 2));
  P = take(PERSISTENT);
  const size = 1 << 16;
  Object.assign(arena, { start: take(size), end: 0 });
  arena.base = arena.top = arena.start;
  arena.end = arena.start + size;
  loaded = name;
}

/** Smaller modules have not all functions: those say so. */
function complete(exports, name) {
  if (exports.carom_world_record !== undefined || exports.carom_abi === undefined) return exports;
  const lacks = (key) => () => {
    throw new CaromError("not_here", `\`${key.slice(6)}\` is not in carom/${name}: import "carom"`);
  };
  const all = { ...exports };
  for (const key of NAMES) all[`carom_${key}`] ??= lacks(`carom_${key}`);
  return all;
}

export { imports };

/** Throws where no module is loaded yet. */
export function needModule() {
  if (x === null) {
    throw new CaromError("null", "the module is not loaded yet: `await load(…)` of carom/load");
  }
}

// Room for lists and definitions, as long as a call.

const arena = { start: 0, end: 0, base: 0, top: 0 };
const spare = [];

/** Gives the room of the call before back. */
export function begin() {
  if (x === null) needModule();
  arena.top = arena.base;
  if (depth === 0) {
    while (spare.length > 0) x.carom_js_give(...spare.pop());
    predicates.length = 1;
  }
}

/** Room for so many bytes, until the next `begin`. */
export function room(bytes) {
  const at = arena.top;
  if (at + bytes <= arena.end) {
    arena.top = (at + bytes + 7) & ~7;
    return at;
  }
  const size = Math.max(bytes + 8, 2 * (arena.end - arena.start));
  const next = take(size);
  spare.push([arena.start, arena.end - arena.start]);
  Object.assign(arena, { start: next, end: next + size, base: next });
  arena.top = (next + bytes + 7) & ~7;
  return next;
}

/** Memory that stays. */
export function take(bytes) {
  const at = bytes <= 0xffff_fff0 ? x.carom_js_take(bytes) >>> 0 : 0;
  fresh();
  if (at === 0) throw new CaromError("bad_number", `there is no memory for ${bytes} bytes`);
  return at;
}

// Failures.

/** Throws the failure of a status, or the error of a hook. */
export function fail(status) {
  if (pending !== null) {
    const error = pending;
    pending = null;
    x.carom_js_failure();
    throw error;
  }
  const rule = textAt(x.carom_last_error());
  x.carom_js_failure();
  const name = rule.match(/^`(\w+)` must not be NULL$/)?.[1];
  const why = status === 1 && name ? `\`${name}\` is missing, or was freed` : rule;
  throw new CaromError(CODES[status] ?? "broken", why);
}

/** Throws if the last call failed: for calls that give no status. */
export function failed() {
  const status = x.carom_js_failure();
  if (status !== 0 || pending !== null) fail(status);
}

export function wrongType(name, wanted, value) {
  const kind = value === null ? "null" : typeof value;
  return new CaromError("bad_type", `\`${name}\` must be ${wanted}, not ${told(value, kind)}`);
}

function told(value, kind) {
  if (kind === "string") return JSON.stringify(value);
  if (kind === "number" || kind === "boolean" || kind === "bigint") return String(value);
  return kind === "object" ? "an object" : kind;
}

// Ids: a slot below 2^24 and a generation below 2^29 in one number. More slots do not fit into the
// memory of a module, for a body takes more than 256 bytes.

const SLOTS = 0x100_0000;
const GENERATIONS = 0x2000_0000;

export function idOf(slot, generation) {
  if (slot >= SLOTS || generation >= GENERATIONS) {
    throw new CaromError("full", "an id does not fit into a number: its slot was used 2^29 times");
  }
  return generation * SLOTS + slot;
}

export function idAt(at) {
  return idOf(U32[at >> 2], U32[(at >> 2) + 1]);
}

/** Writes an id; null and undefined are none, and so is any number that is no id. */
export function putId(at, id) {
  if (typeof id !== "number") {
    if (id !== null && id !== undefined) throw wrongType("id", "an id", id);
    id = 0;
  }
  if (!(id >= 0 && id <= Number.MAX_SAFE_INTEGER) || Math.floor(id) !== id) id = 0;
  const generation = Math.floor(id / SLOTS);
  U32[at >> 2] = id - generation * SLOTS;
  U32[(at >> 2) + 1] = generation;
}

/** The slot of a body: its place in `World.poses`. */
export function slotOf(id) {
  return id % SLOTS;
}

/** Views of numbers, made anew only where memory or the place has changed. */
export class Window {
  constructor(Kind) {
    this.Kind = Kind;
    this.view = new Kind(0);
    this.at = 0;
  }

  over(at, length) {
    const { view } = this;
    if (view.length !== length || this.at !== at || view.buffer !== U8.buffer) {
      this.at = at;
      this.view = length === 0 ? new this.Kind(0) : new this.Kind(U8.buffer, at, length);
    }
    return this.view;
  }
}

/** Memory for images, as large as the largest so far. */
const bytes = { at: 0, room: 0 };

/**
 * The bytes that a call writes into the caller's memory: it tells how many they are, and fails where
 * there is too little room. `mayLack` says that it may have nothing to tell.
 */
export function fill(call, mayLack) {
  begin();
  const countAt = room(8);
  for (;;) {
    const status = call(bytes.at, bytes.room, countAt);
    fresh();
    const failure = mayLack && status === 0 ? x.carom_js_failure() : mayLack ? 0 : status;
    const length = U32[countAt >> 2];
    if (failure === 0 && pending === null) {
      return mayLack && status === 0 ? null : U8.slice(bytes.at, bytes.at + length);
    }
    if (failure !== TOO_SMALL || length <= bytes.room) fail(failure);
    x.carom_js_failure();
    grow(length);
  }
}

function grow(length) {
  if (bytes.room > 0) x.carom_js_give(bytes.at, bytes.room);
  bytes.room = 0;
  const size = Math.ceil(length * 1.25);
  bytes.at = take(size);
  bytes.room = size;
}

const TOO_SMALL = 4;
