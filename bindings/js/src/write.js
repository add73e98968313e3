/**
 * Values and definitions, written into the memory of the module.
 *
 * In: numbers, vectors, plain objects. Out: their bytes, laid out by the tables of
 * generated/layout.js. A value of a wrong type or name throws an error that names the field.
 */
import { Handle } from "./handle.js";
import { ENUMS, STRUCTS } from "./generated/layout.js";
import {
  CaromError,
  F32,
  F64,
  I32,
  U32,
  U8,
  failed,
  predicateNumber,
  putId,
  room,
  take,
  wrongType,
  x,
} from "./core.js";

const REGION = 1024;

/** A number that is checked by Rust: NaN and infinities are refused there, by their rule. */
export function number(value, name) {
  if (typeof value !== "number") throw wrongType(name, "a number", value);
  return value;
}

/** An integer in a range. */
export function integer(value, name, least, most) {
  if (typeof value !== "number") throw wrongType(name, "a number", value);
  if (!(value >= least && value <= most) || Math.floor(value) !== value) {
    throw new CaromError("bad_number", `\`${name}\` must be an integer, ${least} to ${most}`);
  }
  return value;
}

export const u32 = (value, name) => integer(value, name, 0, 0xffff_ffff);
export const i32 = (value, name) => integer(value, name, -0x8000_0000, 0x7fff_ffff);
const u8 = (value, name) => integer(value, name, 0, 255);
const u16 = (value, name) => integer(value, name, 0, 65535);

/** A BigInt below 2^64, of one or of a number. */
export function u64(value, name) {
  if (typeof value === "number") integer(value, name, 0, Number.MAX_SAFE_INTEGER);
  else if (typeof value !== "bigint") throw wrongType(name, "a number or a BigInt", value);
  const wide = BigInt(value);
  if (wide < 0n || wide >> 64n !== 0n) {
    throw new CaromError("bad_number", `\`${name}\` must be 0 to 2^64 - 1`);
  }
  return wide;
}

/** The number of a word. */
export function word(table, value, name) {
  const number =
    typeof value === "string" && Object.hasOwn(table, value) ? table[value] : undefined;
  if (number !== undefined) return number;
  const words = Object.keys(table)
    .map((it) => JSON.stringify(it))
    .join(", ");
  throw wrongType(name, `one of ${words}`, value);
}

export function putVec2(at, value, name) {
  if (typeof value !== "object" || value === null) throw wrongType(name, "[x, y]", value);
  let x1;
  let y1;
  if (value.length === 2) {
    x1 = value[0];
    y1 = value[1];
  } else if (value.length === undefined) {
    x1 = value.x;
    y1 = value.y;
  } else throw wrongType(name, "[x, y]", value);
  // Types are asked for here and not by `number`: a number that is handed on may be boxed.
  if (typeof x1 !== "number") throw wrongType(name, "[x, y]", x1);
  if (typeof y1 !== "number") throw wrongType(name, "[x, y]", y1);
  F32[at >> 2] = x1;
  F32[(at >> 2) + 1] = y1;
}

/** A coordinate as a region and a rest. Within 512 m it is its rest, as in Rust. */
function putCoordinate(i, value, name) {
  const far = number(value, name);
  const region = Math.floor(far / REGION + 0.5);
  if (region === 0 || !Number.isFinite(region)) {
    I32[i] = 0;
    F32[i + 2] = far;
  } else {
    I32[i] = i32(region, name);
    F32[i + 2] = far - region * REGION;
  }
}

/** A point of the world: [x, y], {x, y}, or {region: [column, row], local: [x, y]}. */
export function putPoint(at, value, name) {
  if (typeof value !== "object" || value === null) throw wrongType(name, "[x, y]", value);
  const i = at >> 2;
  if (value.region !== undefined) {
    const { region } = value;
    if (region?.length !== 2) throw wrongType(`${name}.region`, "[column, row]", region);
    I32[i] = i32(region[0], name);
    I32[i + 1] = i32(region[1], name);
    putVec2(at + 8, value.local, name);
  } else if (value.length === 2) {
    putCoordinate(i, value[0], name);
    putCoordinate(i + 1, value[1], name);
  } else if (value.length === undefined) {
    putCoordinate(i, value.x, name);
    putCoordinate(i + 1, value.y, name);
  } else throw wrongType(name, "[x, y]", value);
}

/** A rotation: an angle in radians, or [cos, sin]. The sine is carom's own. */
export function putRot(at, value, name) {
  if (typeof value === "number") {
    x.carom_rot_of(at, value);
    failed();
  } else putVec2(at, value, name);
}

export function putCell(at, value, name) {
  if (typeof value !== "object" || value === null) throw wrongType(name, "[column, row]", value);
  const isList = value.length === 2;
  I32[at >> 2] = i32(isList ? value[0] : value.x, name);
  I32[(at >> 2) + 1] = i32(isList ? value[1] : value.y, name);
}

/** [x, y, angle], [x, y], or {at, angle}. */
export function putTransform(at, value, name) {
  if (typeof value !== "object" || value === null) throw wrongType(name, "[x, y, angle]", value);
  if (value.length === 2 || value.length === 3) {
    F32[at >> 2] = number(value[0], name);
    F32[(at >> 2) + 1] = number(value[1], name);
    putRot(at + 8, value[2] ?? 0, name);
  } else {
    putVec2(at, value.at ?? [0, 0], name);
    putRot(at + 8, value.angle ?? 0, name);
  }
}

/** {min, max} or [left, bottom, right, top]: points of one neighbourhood of the world. */
export function putWorldAabb(at, value, name) {
  const [min, max] =
    value?.length === 4
      ? [
          [value[0], value[1]],
          [value[2], value[3]],
        ]
      : [value?.min, value?.max];
  const i = at >> 2;
  putPoint(at, min, `${name}.min`);
  // The other corner is measured from the region of the first.
  F32[i + 4] = corner(max, 0, I32[i], name);
  F32[i + 5] = corner(max, 1, I32[i + 1], name);
}

function corner(max, axis, region, name) {
  if (typeof max !== "object" || max === null) throw wrongType(`${name}.max`, "[x, y]", max);
  const value = max.length === 2 ? max[axis] : axis === 0 ? max.x : max.y;
  return number(value, name) - region * REGION;
}

const encoder = new TextEncoder();

/** A text with a zero at its end. */
export function textRoom(value, name) {
  if (typeof value !== "string") throw wrongType(name, "a text", value);
  const bytes = encoder.encode(value);
  const at = room(bytes.length + 1);
  U8.set(bytes, at);
  U8[at + bytes.length] = 0;
  return at;
}

/** The geometry of a Shape. */
export function fieldsOf(shape) {
  if (!shape?.isShape) throw wrongType("shape", "a Shape", shape);
  return shape.fields;
}

// Definitions.

/** Images of default definitions in memory, by struct. */
const images = new Map();

/** The bytes of a struct that nobody edited. */
function image(struct) {
  let at = images.get(struct);
  if (at === undefined) {
    at = take(struct.size);
    U8.fill(0, at, at + struct.size);
    for (const [offset, kind, value] of struct.defaults) put(at + offset, kind, value, "default");
    // The shape of a mover is part of its default.
    if (struct === STRUCTS.moverDef) x.carom_mover_def_default(at);
    images.set(struct, at);
  }
  return at;
}

/** Writes a definition: defaults, then what the object has. */
export function putStruct(at, name, value) {
  const struct = STRUCTS[name];
  const from = image(struct);
  U8.copyWithin(at, from, from + struct.size);
  if (value !== undefined && value !== null) edit(at, name, value);
}

/** Writes what the object has over a struct. */
export function edit(at, name, value) {
  if (typeof value !== "object" || value === null) throw wrongType(name, "an object", value);
  const { fields } = STRUCTS[name];
  for (const key in value) {
    const one = value[key];
    if (one === undefined) continue;
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) {
      const known = Object.keys(fields).join(", ");
      throw new CaromError("bad_type", `\`${key}\` is no field of ${name}: ${known}`);
    }
    const [kind, offset, flag, detail] = field;
    // Null takes away: limits, a motor, a way, gravity or a mass of its own.
    if (one === null) {
      if (flag >= 0) U8[at + flag] = 0;
      continue;
    }
    put(at + offset, kind, one, key, detail);
    if (flag >= 0) U8[at + flag] = 1;
  }
}

/** A struct of its own room, or 0 for none. */
export function optional(name, value) {
  if (value === undefined || value === null) return 0;
  return placed(name, value);
}

export function placed(name, value) {
  const at = room(STRUCTS[name].size);
  putStruct(at, name, value);
  return at;
}

/** Writes a value of a kind; `detail` names the enumeration, struct or element. */
function put(at, kind, value, name, detail) {
  switch (kind) {
    case "f32":
      F32[at >> 2] = number(value, name);
      break;
    case "f64":
      F64[at >> 3] = number(value, name);
      break;
    case "i32":
      I32[at >> 2] = i32(value, name);
      break;
    case "u32":
    case "size":
      U32[at >> 2] = u32(value, name);
      break;
    case "u16":
      new DataView(U8.buffer).setUint16(at, u16(value, name), true);
      break;
    case "u8":
      U8[at] = u8(value, name);
      break;
    case "bool":
      U8[at] = value ? 1 : 0;
      break;
    case "u64":
      new DataView(U8.buffer).setBigUint64(at, u64(value, name), true);
      break;
    case "enum":
      U32[at >> 2] = word(ENUMS[detail], value, name);
      break;
    case "id":
      putId(at, value);
      break;
    case "vec2":
      putVec2(at, value, name);
      break;
    case "point":
      putPoint(at, value, name);
      break;
    case "rot":
      putRot(at, value, name);
      break;
    case "transform":
      putTransform(at, value, name);
      break;
    case "worldAabb":
      putWorldAabb(at, value, name);
      break;
    case "cell":
      putCell(at, value, name);
      break;
    case "limits":
      putLimits(at, value, name);
      break;
    case "anchor":
      putAnchor(at, value, name);
      break;
    case "friction":
      F32[at >> 2] = F32[(at >> 2) + 1] = number(value, name);
      break;
    case "struct":
      edit(at, detail, detail === "geometry" ? fieldsOf(value) : value);
      break;
    case "list":
      putList(at, detail, value, name);
      break;
    case "one":
      putList(at, detail, [value], name);
      break;
    case "object":
      U32[at >> 2] = pointerOf(value, detail, name);
      break;
    case "both":
      putAnchor(at, { world: value }, name);
      putAnchor(at + detail, { world: value }, name);
      break;
    case "callback":
      U32[at >> 2] = x.carom_js_shape_predicate();
      U32[(at >> 2) + 1] = predicateNumber(value);
      break;
    default:
      throw new CaromError("broken", `no kind ${kind}`);
  }
}

/** The pointer of an object of a kind, by the function that frees it. */
function pointerOf(value, kind, name) {
  if (!(value instanceof Handle) || value.constructor.$free !== `carom_${kind}_free`) {
    throw wrongType(name, `a ${kind}`, value);
  }
  return value.$;
}

function putLimits(at, value, name) {
  if (!Array.isArray(value)) return edit(at, "limits", value);
  if (value.length !== 2) throw wrongType(name, "[lower, upper]", value);
  F32[at >> 2] = number(value[0], name);
  F32[(at >> 2) + 1] = number(value[1], name);
}

/** [x, y] in the frame of the body, or {world: [x, y]}. */
function putAnchor(at, value, name) {
  const { fields } = STRUCTS.anchor;
  const inWorld = value?.world !== undefined;
  U8[at + fields.inWorld[1]] = inWorld ? 1 : 0;
  if (inWorld) putPoint(at + fields.world[1], value.world, name);
  else putVec2(at + fields.local[1], value, name);
}

/** Writes a list into a room of its own, and its pointer and length at a place. */
function putList(at, element, value, name) {
  const [start, count] = list(element, value, name);
  U32[at >> 2] = start;
  U32[(at >> 2) + 1] = count;
}

/** How many elements the last `list` had. */
export let count = 0;

/** The elements of an iteration, each changed by a function. */
export function iterated(value, change, name) {
  if (typeof value !== "object" || typeof value?.[Symbol.iterator] !== "function") {
    throw wrongType(name, "a list", value);
  }
  return Array.from(value, change);
}

/** Writes a list of elements, and tells where; `count` is its length. */
export function listAt(element, value, name) {
  const [start, length] = list(element, value, name);
  count = length;
  return start;
}

function list(element, value, name) {
  if (typeof value !== "object" || value === null || typeof value.length !== "number") {
    throw wrongType(name, "a list", value);
  }
  const flat = FLAT[element];
  if (flat && ArrayBuffer.isView(value)) return flatList(flat, value, name);
  const [kind, size, detail] = ELEMENTS[element] ?? ["struct", STRUCTS[element].size, element];
  const length = integer(value.length, `${name}.length`, 0, 0x7fff_ffff);
  const start = room(length * size);
  const whole = kind === "struct";
  for (let k = 0; k < length; k += 1) {
    if (whole) putElement(start + k * size, detail, value[k]);
    else put(start + k * size, kind, value[k], name, detail);
  }
  return [start, length];
}

/** Of a compound's part or a body's shape, a Shape is enough. */
function putElement(at, name, value) {
  if (name === "shapeDef" && value?.isShape) putStruct(at, name, { geometry: value });
  else putStruct(at, name, value?.isShape ? value.fields : value);
}

/** Typed arrays are copied as they are: [x, y, x, y, …]. */
function flatList([Kind, numbers], value, name) {
  if (!(value instanceof Kind) && !(Kind === Uint8Array && value instanceof Uint8ClampedArray)) {
    throw wrongType(name, `a ${Kind.name} or an array`, value);
  }
  if (value.length % numbers !== 0) {
    throw new CaromError("bad_number", `\`${name}\` must have ${numbers} numbers an element`);
  }
  // A view of the module's own memory would be detached if that has to grow.
  const list = value.buffer === U8.buffer ? value.slice() : value;
  const start = room(list.byteLength);
  if (list.length === 0) return [start, 0];
  U8.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), start);
  return [start, list.length / numbers];
}

const FLAT = {
  vec2: [Float32Array, 2],
  u8: [Uint8Array, 1],
  tileCell: [Uint8Array, 2],
  cell: [Int32Array, 2],
};
const ELEMENTS = {
  vec2: ["vec2", 8],
  point: ["point", 16],
  cell: ["cell", 8],
  u8: ["u8", 1],
  body: ["id", 8],
  shape: ["id", 8],
  joint: ["id", 8],
  agent: ["id", 8],
  worldAabb: ["worldAabb", 24],
};
