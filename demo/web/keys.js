// What a player holds down: keys of the keyboard, and the buttons of the pad on the screen. Bits as keys.rs has them.

export const LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, JUMP = 16;

const BY_KEY = {
  ArrowLeft: LEFT, ArrowRight: RIGHT, ArrowUp: UP, ArrowDown: DOWN, " ": JUMP,
  a: LEFT, d: RIGHT, w: UP,
};

/** Buttons on the screen, by what the keys of a scene do. */
const PADS = {
  run: [[LEFT, "◀", "run left"], [RIGHT, "▶", "run right"], [DOWN, "▼", "drop through"], [JUMP, "▲", "jump"]],
  drive: [[LEFT, "◀", "drive left"], [RIGHT, "▶", "drive right"]],
  walk: [[LEFT, "◀", "left"], [RIGHT, "▶", "right"], [DOWN, "▼", "down"], [UP, "▲", "up"]],
  fly: [[LEFT, "↺", "turn left"], [RIGHT, "↻", "turn right"], [UP, "▲", "thrust"], [DOWN, "▼", "brake"]],
};

export class Keys {
  constructor(pad) {
    this.pad = pad;
    this.down = new Map();
  }

  get bits() {
    return [...this.down.values()].reduce((sum, bit) => sum | bit, 0);
  }

  /** Whether a key means something to the player of a scene. */
  press(key) {
    const bit = BY_KEY[key];
    if (bit) this.down.set(key, bit);
    return Boolean(bit);
  }

  release(key) {
    this.down.delete(key);
  }

  clear() {
    this.down.clear();
  }

  /** Shows the buttons of a scene, or none. */
  show(name) {
    this.clear();
    this.pad.replaceChildren();
    this.pad.hidden = !PADS[name];
    for (const [bit, sign, label] of PADS[name] ?? []) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign });
      button.setAttribute("aria-label", label);
      const hold = (event) => {
        event.preventDefault();
        this.down.set(button, bit);
      };
      const let_go = () => this.down.delete(button);
      button.addEventListener("pointerdown", hold);
      for (const end of ["pointerup", "pointerleave", "pointercancel", "blur"]) button.addEventListener(end, let_go);
      button.addEventListener("keydown", (event) => (event.key === " " || event.key === "Enter") && hold(event));
      button.addEventListener("keyup", let_go);
      this.pad.append(button);
    }
  }
}
