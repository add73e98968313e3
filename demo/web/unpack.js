// Unpacks what `xz --format=lzma` packed: a sixth smaller than gzip, which browsers unpack by themselves.
//
// In: a header (a byte for lc, lp and pb, four for the size of the window, eight for the length), then a stream of a
// range coder. Out: bytes. The format is that of the LZMA specification (Igor Pavlov, 2015): every bit of a literal, of
// a length and of a distance has a probability of its own, which each bit that was read moves by a 32nd.
//
//   isMatch 0  literal                         1 0  match: length, distance
//           1 1 0 0  the last byte at distance 0 again
//           1 1 0 1, 1 1 1 0, 1 1 1 1 0, 1 1 1 1 1  match at one of the last four distances: length

const HEADER = 13;
const STATES = 12;
/** Places of the probabilities in their list; those of literals come last. */
const MATCH = 0, REP = MATCH + (STATES << 4), REP0 = REP + STATES, REP1 = REP0 + STATES, REP2 = REP1 + STATES;
const SHORT = REP2 + STATES, SLOT = SHORT + (STATES << 4), NEAR = SLOT + (4 << 6), ALIGN = NEAR + 115;
/** Of a length: two choices, eight lengths by place, eight more, and 256. */
const LENGTH = ALIGN + 16, MIDDLE = 2 + (16 << 3), HIGH = MIDDLE + (16 << 3), SIZE = HIGH + 256;
const REP_LENGTH = LENGTH + SIZE, LITERAL = REP_LENGTH + SIZE;
const HALF = 1024;

/** Reads bits, each by its probability. */
class Bits {
  constructor(bytes, literals) {
    this.bytes = bytes;
    this.place = HEADER + 1;
    this.range = 0xffffffff;
    this.code = 0;
    this.odds = new Uint16Array(LITERAL + literals).fill(HALF);
    for (let k = 0; k < 4; k += 1) this.code = (this.code * 256 + this.next()) >>> 0;
  }

  next() {
    if (this.place >= this.bytes.length) throw new Error("the file ends too early");
    this.place += 1;
    return this.bytes[this.place - 1];
  }

  refill() {
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | this.next()) >>> 0;
  }

  bit(at) {
    const odds = this.odds[at];
    const bound = (this.range >>> 11) * odds;
    const isOne = this.code >= bound;
    if (isOne) {
      this.range -= bound;
      this.code -= bound;
      this.odds[at] = odds - (odds >>> 5);
    } else {
      this.range = bound;
      this.odds[at] = odds + ((2048 - odds) >>> 5);
    }
    if (this.range < 0x1000000) this.refill();
    return isOne ? 1 : 0;
  }

  /** A number of so many bits, the highest first; each node of the tree has a probability. */
  tree(at, count) {
    let node = 1;
    for (let k = 0; k < count; k += 1) node = (node << 1) | this.bit(at + node);
    return node - (1 << count);
  }

  /** The same, the lowest bit first. */
  reverse(at, count) {
    let [node, value] = [1, 0];
    for (let k = 0; k < count; k += 1) {
      const bit = this.bit(at + node);
      node = (node << 1) | bit;
      value |= bit << k;
    }
    return value;
  }

  /** Bits that are as often one as zero. */
  plain(count) {
    let value = 0;
    for (let k = 0; k < count; k += 1) {
      this.range >>>= 1;
      const isOne = this.code >= this.range;
      if (isOne) this.code -= this.range;
      value = (value << 1) | (isOne ? 1 : 0);
      if (this.range < 0x1000000) this.refill();
    }
    return value;
  }

  length(at, place) {
    if (!this.bit(at)) return 2 + this.tree(at + 2 + (place << 3), 3);
    if (!this.bit(at + 1)) return 10 + this.tree(at + MIDDLE + (place << 3), 3);
    return 18 + this.tree(at + HIGH, 8);
  }

  /** How far back a match is, less one; -1 at the end of the stream. */
  distance(length) {
    const slot = this.tree(SLOT + (Math.min(length - 2, 3) << 6), 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << count;
    if (slot < 14) return base + this.reverse(NEAR + base - slot, count);
    return (base + (this.plain(count - 4) << 4) + this.reverse(ALIGN, 4)) | 0;
  }

  /** A byte; after a match the byte that would have followed it says which are likely. */
  literal(at, likely) {
    let node = 1;
    for (let bits = likely; bits >= 0 && node < 256;) {
      const guess = (bits >> 7) & 1;
      const bit = this.bit(at + ((1 + guess) << 8) + node);
      node = (node << 1) | bit;
      bits = bit === guess ? (bits << 1) & 255 : -1;
    }
    while (node < 256) node = (node << 1) | this.bit(at + node);
    return node & 255;
  }
}

/** Bytes that grow. */
class Out {
  constructor(size) {
    this.bytes = new Uint8Array(size);
    this.length = 0;
  }

  put(byte) {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(2 * this.length);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  /** The byte so far back; the last one is at 0. */
  back(distance) {
    if (distance < 0 || distance >= this.length) throw new Error("the file is damaged");
    return this.bytes[this.length - 1 - distance];
  }
}

/** Unpacks a file. Throws an error where it is none, cut or damaged. */
export function unpack(bytes) {
  const kind = bytes[0];
  const [lc, lp, pb] = [kind % 9, Math.floor(kind / 9) % 5, Math.floor(kind / 45)];
  if (bytes.length < HEADER + 5 || pb > 4) throw new Error("the file is not packed by LZMA");
  const bits = new Bits(bytes, 0x300 << (lc + lp));
  const out = new Out(4 * bytes.length);
  const [places, lines] = [(1 << pb) - 1, (1 << lp) - 1];
  let [state, last] = [0, [0, 0, 0, 0]];
  for (;;) {
    const place = out.length & places;
    if (!bits.bit(MATCH + (state << 4) + place)) {
      const before = out.length > 0 ? out.back(0) : 0;
      const context = ((out.length & lines) << lc) + (before >> (8 - lc));
      out.put(bits.literal(LITERAL + 0x300 * context, state < 7 ? -1 : out.back(last[0])));
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length;
    if (bits.bit(REP + state)) {
      const which = whichOfLast(bits, state);
      if (which === 0 && !bits.bit(SHORT + (state << 4) + place)) {
        out.put(out.back(last[0]));
        state = state < 7 ? 9 : 11;
        continue;
      }
      last = [last[which], ...last.slice(0, which), ...last.slice(which + 1)];
      length = bits.length(REP_LENGTH, place);
      state = state < 7 ? 8 : 11;
    } else {
      length = bits.length(LENGTH, place);
      last = [bits.distance(length), last[0], last[1], last[2]];
      if (last[0] === -1) return out.bytes.subarray(0, out.length);
      state = state < 7 ? 7 : 10;
    }
    for (let k = 0; k < length; k += 1) out.put(out.back(last[0]));
  }
}

/** Which of the last four distances it is. */
function whichOfLast(bits, state) {
  if (!bits.bit(REP0 + state)) return 0;
  if (!bits.bit(REP1 + state)) return 1;
  return bits.bit(REP2 + state) ? 3 : 2;
}
