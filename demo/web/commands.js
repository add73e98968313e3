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

  const finish = (fill, radius, closed) => {
    if (fill) {
      pen.globalAlpha = 0.45;
      pen.fill();
      pen.globalAlpha = 1;
    }
    // A rounding is a thick line below a thin one.
    if (radius > 0 && fill) {
      pen.globalAlpha = 0.3;
      pen.lineWidth = 2 * radius * scale;
      pen.stroke();
      pen.globalAlpha = 1;
    }
    pen.lineWidth = closed ? 1.3 : 1.5;
    pen.stroke();
  };

  const draw = [
    (i) => {
      pen.beginPath();
      pen.moveTo(X(list[i]), Y(list[i + 1]));
      pen.lineTo(X(list[i + 2]), Y(list[i + 3]));
      finish(false, 0, false);
      return i + 4;
    },
    (i) => {
      const [fill, radius, count] = [list[i], list[i + 1], list[i + 2]];
      pen.beginPath();
      for (let k = 0; k < count; k += 1) {
        const at = i + 3 + 2 * k;
        if (k === 0) pen.moveTo(X(list[at]), Y(list[at + 1]));
        else pen.lineTo(X(list[at]), Y(list[at + 1]));
      }
      pen.closePath();
      finish(fill, radius, true);
      return i + 3 + 2 * count;
    },
    (i) => {
      const [fill, radius, x, y, u, v] = list.subarray(i, i + 6);
      pen.beginPath();
      pen.arc(X(x), Y(y), radius * scale, 0, 2 * Math.PI);
      finish(fill, 0, true);
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
      finish(fill, 0, true);
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
    pen.strokeStyle = pen.fillStyle = ink(palette, color);
    i = draw[op](i + 2);
  }
}
