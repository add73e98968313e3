// The graph of frame times: one column a frame, stacked by stage.

import { STAGES } from "./engine.js";

const COLORS = ["#4e79a7", "#76b7b2", "#b07aa1", "#e15759", "#f2a65a", "#9c755f", "#59a14f", "#bab0ac", "#8f97a3"];
const KEPT = 240;
/** Share of the newest frame in the means of the legend. */
const WEIGHT = 0.08;

export const PARTS = [...STAGES, "drawing"];

export class Graph {
  constructor(canvas, legend) {
    this.canvas = canvas;
    this.frames = [];
    this.means = PARTS.map(() => 0);
    this.values = PARTS.map((name, k) => {
      const item = document.createElement("li");
      const swatch = Object.assign(document.createElement("span"), { className: "swatch" });
      swatch.style.background = COLORS[k];
      const value = document.createElement("b");
      item.append(swatch, name, " ", value);
      legend.append(item);
      return value;
    });
  }

  clear() {
    this.frames = [];
    this.means.fill(0);
  }

  /** Milliseconds of the parts of a frame. */
  add(times) {
    this.frames.push(times);
    if (this.frames.length > KEPT) this.frames.shift();
    this.means = this.means.map((mean, k) => mean + WEIGHT * (times[k] - mean));
  }

  get total() {
    return this.means.reduce((sum, mean) => sum + mean, 0);
  }

  tell() {
    this.values.forEach((value, k) => (value.textContent = this.means[k].toFixed(2)));
    const words = PARTS.map((name, k) => `${name} ${this.means[k].toFixed(2)}`).join(", ");
    this.canvas.setAttribute("aria-label", `Milliseconds of a frame, stacked by stage: ${words}`);
  }

  draw(palette) {
    const { canvas } = this;
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== columns) [canvas.width, canvas.height] = [columns, rows];
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const highest = Math.max(4, ...this.frames.map((times) => times.reduce((sum, time) => sum + time, 0)));
    const top = [4, 8, 17.5, 35, 70, 140].find((most) => highest <= most) ?? highest;
    const column = width / KEPT;
    this.frames.forEach((times, k) => {
      let y = height;
      times.forEach((time, part) => {
        const size = (time / top) * height;
        pen.fillStyle = COLORS[part];
        pen.fillRect(k * column, y - size, column + 0.5, size);
        y -= size;
      });
    });
    const mark = top > 17 ? 1000 / 60 : top / 2;
    const y = height - (mark / top) * height;
    pen.strokeStyle = palette.inks[0];
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(0, y);
    pen.lineTo(width, y);
    pen.stroke();
    pen.setLineDash([]);
    pen.fillStyle = palette.inks[0];
    pen.font = "11px system-ui, sans-serif";
    pen.fillText(`${mark.toFixed(mark > 10 ? 1 : 0)} ms`, 4, y - 4);
  }
}
