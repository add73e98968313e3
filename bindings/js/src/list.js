/**
 * Answers, read where they lie in the memory of the module.
 *
 * A Row reads one struct, a List many of the same kind. Both are made once and used again, so that
 * reading makes no garbage; they are valid until the next call that changes their object.
 */
import { CaromError, F32, I32, U32, Window, idAt, wrongType } from "./core.js";

/** Reads a struct at a place; generated classes have a getter for each member. */
export class Row {
  constructor(at = 0) {
    this.at = at;
    this.parts = null;
  }

  $over(at) {
    this.at = at;
    return this;
  }

  /** A struct within this one. */
  $part(Kind, offset) {
    const parts = (this.parts ??= new Map());
    let part = parts.get(offset);
    if (part === undefined) parts.set(offset, (part = new Kind()));
    return part.$over(this.at + offset);
  }

  toJSON() {
    return this.copy();
  }
}

/** Structs in a row. `for … of` gives one Row, which goes from one to the next. */
export class List {
  constructor(Kind) {
    this.size = Kind.size;
    this.row = new Kind();
    this.start = 0;
    this.length = 0;
    this.next_ = 0;
    this.result = { done: false, value: this.row };
    this.floatsWindow = null;
    this.wordsWindow = null;
  }

  over(start, length) {
    this.start = start;
    this.length = length;
    return this;
  }

  /** The row of an index. */
  at(index) {
    if (!(index >= 0 && index < this.length) || Math.floor(index) !== index) {
      throw new CaromError("bad_number", `there is no element ${index} of ${this.length}`);
    }
    return this.row.$over(this.start + index * this.size);
  }

  [Symbol.iterator]() {
    this.next_ = 0;
    return this;
  }

  next() {
    const { result } = this;
    if (this.next_ >= this.length) {
      result.done = true;
      result.value = undefined;
    } else {
      result.done = false;
      result.value = this.row.$over(this.start + this.next_ * this.size);
      this.next_ += 1;
    }
    return result;
  }

  /** Plain objects that stay. */
  toArray() {
    const all = new Array(this.length);
    for (let k = 0; k < this.length; k += 1) all[k] = this.at(k).copy();
    return all;
  }

  /** How many numbers of 4 bytes an element has, in `floats` and `words`. */
  get stride() {
    return this.size >> 2;
  }

  /** All elements as they lie in memory. */
  get floats() {
    this.floatsWindow ??= new Window(Float32Array);
    return this.floatsWindow.over(this.start, this.length * this.stride);
  }

  /** The same bytes as integers: colours, ids. */
  get words() {
    this.wordsWindow ??= new Window(Uint32Array);
    return this.wordsWindow.over(this.start, this.length * this.stride);
  }
}

/** Ids in a row. */
export class IdList {
  constructor() {
    this.start = 0;
    this.length = 0;
    this.next_ = 0;
    this.result = { done: false, value: 0 };
  }

  over(start, length) {
    this.start = start;
    this.length = length;
    return this;
  }

  at(index) {
    if (!(index >= 0 && index < this.length) || Math.floor(index) !== index) {
      throw new CaromError("bad_number", `there is no element ${index} of ${this.length}`);
    }
    return idAt(this.start + index * 8);
  }

  [Symbol.iterator]() {
    this.next_ = 0;
    return this;
  }

  next() {
    const { result } = this;
    result.done = this.next_ >= this.length;
    result.value = result.done ? undefined : idAt(this.start + this.next_ * 8);
    this.next_ += 1;
    return result;
  }

  toArray() {
    const all = new Array(this.length);
    for (let k = 0; k < this.length; k += 1) all[k] = idAt(this.start + k * 8);
    return all;
  }
}

const REGION = 1024;

/** A coordinate of a point: its region times 1024, and the rest. */
export function coordinateAt(at) {
  return I32[at >> 2] * REGION + F32[(at + 8) >> 2];
}

export function pointAt(at, out) {
  if (typeof out !== "object" || out === null) throw wrongType("out", "an array", out);
  out[0] = coordinateAt(at);
  out[1] = coordinateAt(at + 4);
  return out;
}

export function vec2At(at, out) {
  if (typeof out !== "object" || out === null) throw wrongType("out", "an array", out);
  out[0] = F32[at >> 2];
  out[1] = F32[(at >> 2) + 1];
  return out;
}

export function cellAt(at, out) {
  if (typeof out !== "object" || out === null) throw wrongType("out", "an array", out);
  out[0] = I32[at >> 2];
  out[1] = I32[(at >> 2) + 1];
  return out;
}

/** A number of 64 bits: a BigInt only where a number cannot hold it. */
export function u64At(at) {
  const [low, high] = [U32[at >> 2], U32[(at >> 2) + 1]];
  if (high < 0x20_0000) return high * 0x1_0000_0000 + low;
  return (BigInt(high) << 32n) | BigInt(low);
}

export function u64List(at, count) {
  return Array.from({ length: count }, (_, k) => u64At(at + 8 * k));
}

/** The word of a number. */
export function wordOf(table, number) {
  for (const word in table) if (table[word] === number) return word;
  return undefined;
}
