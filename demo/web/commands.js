// Plays the numbers of demo/src/commands.rs: what scenes and debug layers draw.

import { ink } from "./colors.js";

const decoder = new TextDecoder();

export function play(pen, engine, palette, camera) {
  const list = engine.commands;
  const letters = engine.letters;
  const { scale } = camera;
  const X = (x) => camera.width / 2 + (x - camera.x) * scale;
  const Y = (y) => camera.height / 2 - (y - camera.y) * scale;
  pen.lineJoin = "round";
  pen.lineCap = "round";
  pen.font = "12px system-ui, sans-serif";
  pen.textAlign = "center";

  let opacity = 1;
  const finish = (fill, closed) => {
    if (fill) {
      pen.globalAlpha = 0.4 * opacity;
      pen.fill();
      pen.globalAlpha = opacity;
    }
    pen.lineWidth = closed ? 1.3 : 1.5;
    pen.stroke();
  };

  const draw = [
    (i) => {
      pen.beginPath();
      pen.moveTo(X(list[i]), Y(list[i + 1]));
      pen.lineTo(X(list[i + 2]), Y(list[i + 3]));
      finish(false, false);
      return i + 4;
    },
    (i) => {
      const [fill, radius, count] = [list[i], list[i + 1], list[i + 2]];
      const corners = list.subarray(i + 3, i + 3 + 2 * count);
      const [x, y] = [(k) => X(corners[2 * (k % count)]), (k) => Y(corners[2 * (k % count) + 1])];
      pen.beginPath();
      for (let k = 0; k < count; k += 1) {
        if (radius === 0) {
          if (k === 0) pen.moveTo(x(0), y(0));
          else pen.lineTo(x(k), y(k));
          continue;
        }
        // Counter-clockwise, so the outside is to the right of an edge; y runs downward here.
        const way = (i, j) => Math.atan2(y(j) - y(i), x(j) - x(i));
        const [before, after] = [way(k + count - 1, k), way(k, k + 1)];
        pen.arc(x(k), y(k), radius * scale, before + Math.PI / 2, after + Math.PI / 2, true);
      }
      pen.closePath();
      finish(fill, true);
      return i + 3 + 2 * count;
    },
    (i) => {
      const [fill, radius, x, y, u, v] = list.subarray(i, i + 6);
      pen.beginPath();
      pen.arc(X(x), Y(y), radius * scale, 0, 2 * Math.PI);
      finish(fill, true);
      if (u !== 0 || v !== 0) {
        pen.beginPath();
        pen.moveTo(X(x), Y(y));
        pen.lineTo(X(x + u), Y(y + v));
        pen.stroke();
      }
      return i + 6;
    },
    (i) => {
      const [fill, radius, x, y, u, v] = list.subarray(i, i + 6);
      const along = Math.atan2(v - y, u - x);
      pen.beginPath();
      pen.arc(X(x), Y(y), radius * scale, -along + Math.PI / 2, -along + (3 * Math.PI) / 2);
      pen.arc(X(u), Y(v), radius * scale, -along - Math.PI / 2, -along + Math.PI / 2);
      pen.closePath();
      finish(fill, true);
      return i + 6;
    },
    (i) => {
      const [size, x, y] = list.subarray(i, i + 3);
      pen.beginPath();
      pen.arc(X(x), Y(y), size, 0, 2 * Math.PI);
      pen.fill();
      return i + 3;
    },
    (i) => {
      const [from, length, x, y] = list.subarray(i, i + 4);
      pen.fillText(decoder.decode(letters.subarray(from, from + length)), X(x), Y(y));
      return i + 4;
    },
  ];

  for (let i = 0; i < list.length; ) {
    const [op, color] = [list[i], list[i + 1]];
    opacity = list[i + 2];
    pen.globalAlpha = opacity;
    pen.strokeStyle = pen.fillStyle = ink(palette, color);
    i = draw[op](i + 3);
  }
  pen.globalAlpha = 1;
}
