// The scenes of the race, as data that every engine can read.
//
// A body: { kind: 0 fixed, 1 kinematic, 2 dynamic; x, y, spin, parts }. A part: { w, h, x, y } is a
// box, { r } a disc. A joint holds two bodies at a point. Units are metres; gravity is 10 m/s².

const dynamic = (x, y, ...parts) => ({ kind: 2, x, y, spin: 0, parts });
const fixed = (x, y, ...parts) => ({ kind: 0, x, y, spin: 0, parts });
const box = (w, h, x = 0, y = 0) => ({ w, h, x, y });

/** Rows of boxes, each one shorter than the one below. */
function pyramid(base) {
  const bodies = [fixed(0, -1, box(2 * base + 40, 2))];
  for (let row = 0; row < base; row += 1) {
    for (let k = row; k < base; k += 1) {
      bodies.push(dynamic((row * 0.5 + (k - row)) * 1.05 - base / 2, 0.5 + row * 1.02, box(1, 1)));
    }
  }
  return { bodies, joints: [] };
}

/** Boxes and discs that fall on a floor with bumps, between two walls. */
function rain(count) {
  const bodies = [
    fixed(0, -1, box(120, 2)),
    fixed(-41, 40, box(2, 120)),
    fixed(41, 40, box(2, 120)),
  ];
  for (let k = 0; k < 20; k += 1) bodies.push(fixed(k * 4 - 38, 0, { r: 1 }));
  for (let k = 0; k < count; k += 1) {
    const [column, row] = [k % 60, Math.floor(k / 60)];
    const x = column * 1.25 - 37 + (row % 3) * 0.2;
    bodies.push(dynamic(x, 4 + row * 1.4, k % 2 ? { r: 0.4 } : box(0.8, 0.6)));
  }
  return { bodies, joints: [] };
}

/** Discs held to their neighbours by hinges, hung up at the corners of the top row. */
function grid(side) {
  const bodies = [];
  const joints = [];
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const make = row === 0 && column % 10 === 0 ? fixed : dynamic;
      bodies.push(make(column, -row, { r: 0.35 }));
      const k = bodies.length - 1;
      if (column > 0) joints.push({ a: k - 1, b: k, x: column - 0.5, y: -row });
      if (row > 0) joints.push({ a: k - side, b: k, x: column, y: -row + 0.5 });
    }
  }
  return { bodies, joints };
}

/** Boxes in a turning box. */
function tumbler(side) {
  const half = side * 0.32 + 2;
  const walls = [
    box(2 * half, 0.5, 0, -half),
    box(2 * half, 0.5, 0, half),
    box(0.5, 2 * half, -half, 0),
    box(0.5, 2 * half, half, 0),
  ];
  const bodies = [{ kind: 1, x: 0, y: 0, spin: 0.436, parts: walls }];
  for (let row = 0; row < side; row += 1) {
    for (let k = 0; k < side; k += 1)
      bodies.push(dynamic((k - side / 2) * 0.55, (row - side / 2) * 0.55, box(0.5, 0.5)));
  }
  return { bodies, joints: [] };
}

/** A few boxes and discs in a room: what many small games have. */
function small() {
  const bodies = [fixed(0, -1, box(20, 2)), fixed(-8, 5, box(1, 10)), fixed(8, 5, box(1, 10))];
  for (let k = 0; k < 20; k += 1)
    bodies.push(
      dynamic((k % 5) * 1.2 - 2.4, 1 + Math.floor(k / 5) * 1.3, k % 2 ? { r: 0.5 } : box(1, 1)),
    );
  return { bodies, joints: [] };
}

/** Name, scene, steps, steps of a turn. */
export const SCENES = [
  ["pyramid", () => pyramid(100), 160, 20],
  ["rain", () => rain(3000), 300, 30],
  ["joint grid", () => grid(40), 300, 30],
  ["tumbler", () => tumbler(36), 300, 30],
  ["small world", () => small(), 6000, 300],
];
