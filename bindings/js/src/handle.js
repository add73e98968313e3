/**
 * Objects of the module, held by JavaScript objects: freed by `free`, by `using`, or at last by the
 * garbage collector.
 */
import { CaromError, failed, fresh, wrongType, x } from "./core.js";

/** Says that the second argument of a constructor is a pointer. */
export const ADOPT = Symbol("adopt");

/** Rows of answers that stay until the same function is called again. */
export const answers = {};

const registry = new FinalizationRegistry(({ free, pointer }) => {
  // Whatever it throws has no reader here.
  try {
    x[free](pointer);
  } catch {
    // The module broke down before.
  }
});

export class Handle {
  constructor(...given) {
    const { $make, $free } = new.target;
    if (given[0] !== ADOPT && $make === undefined) {
      throw new CaromError("bad_type", `a ${new.target.name} is made by other functions`);
    }
    this.$ = given[0] === ADOPT ? given[1] : $make.apply(new.target, given);
    registry.register(this, { free: $free, pointer: this.$ }, this);
  }

  /** Gives its memory back. Later calls throw. */
  free() {
    if (this.$ === 0) return;
    x[this.constructor.$free](this.$);
    fresh();
    // It is refused while a call has the object; then it stays.
    failed();
    registry.unregister(this);
    this.$ = 0;
  }

  get isFreed() {
    return this.$ === 0;
  }
}

Object.defineProperty(Handle.prototype, Symbol.dispose ?? Symbol.for("Symbol.dispose"), {
  value: Handle.prototype.free,
  configurable: true,
  writable: true,
});

/** The pointer of an object that must be of a class. */
export function pointer(object, Kind, name) {
  if (!(object instanceof Kind)) throw wrongType(name, `a ${Kind.name}`, object);
  return object.$;
}
