// Mouse, pen and fingers on the canvas: one drags a body or the view, two pinch.

/** How far from a body one may touch, in pixels. */
const REACH = { mouse: 6, pen: 8, touch: 22 };

export class Pointers {
  /** `exports()` gives the engine's exports; `changed` is called when the view moved. */
  constructor(canvas, camera, exports, changed) {
    Object.assign(this, { canvas, camera, changed });
    this.engine = exports;
    this.at = new Map();
    this.holds = false;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.#up(event));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  get exports() {
    return this.engine();
  }

  /** The hand follows the view while it holds something. */
  refresh() {
    if (!this.holds || this.at.size !== 1) return;
    const [[x, y]] = this.at.values();
    this.exports.drag(...this.camera.toWorld(x, y));
  }

  release() {
    if (this.holds) this.exports.release();
    this.holds = false;
  }

  #place(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #down(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.at.set(event.pointerId, this.#place(event));
    if (this.at.size > 1) {
      this.release();
      return;
    }
    const [x, y] = this.#place(event);
    const reach = (REACH[event.pointerType] ?? REACH.mouse) / this.camera.scale;
    this.holds = Boolean(this.exports.grab(...this.camera.toWorld(x, y), reach));
    this.canvas.classList.toggle("holding", this.holds);
  }

  #move(event) {
    const before = this.at.get(event.pointerId);
    if (!before) {
      this.exports.hover(...this.camera.toWorld(...this.#place(event)));
      return;
    }
    const now = this.#place(event);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    if (this.at.size === 2) {
      this.#pinch(event.pointerId, before, now);
    } else if (!this.holds) {
      this.camera.pan(dx, dy);
      this.changed();
    }
    this.at.set(event.pointerId, now);
    this.refresh();
  }

  #pinch(id, before, now) {
    const [other] = [...this.at].filter(([known]) => known !== id).map(([, place]) => place);
    const apart = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]);
    const middle = (place) => [(place[0] + other[0]) / 2, (place[1] + other[1]) / 2];
    const [from, to] = [middle(before), middle(now)];
    this.camera.pan(to[0] - from[0], to[1] - from[1]);
    if (apart(before) > 1) this.camera.zoom(apart(now) / apart(before), ...to);
    this.changed();
  }

  #up(event) {
    this.at.delete(event.pointerId);
    this.release();
    this.canvas.classList.remove("holding");
  }

  #wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.camera.zoom(Math.exp(-0.0015 * event.deltaY * lines), ...this.#place(event));
    this.changed();
  }
}
