// Draws bodies: their outlines, which are told once, at the poses of a frame.

const HEAD = 6;
const CIRCLE = 0, OPEN = 2;
const FIXED = 1, KINEMATIC = 2, SENSOR = 4, ONE_WAY = 8;
/** Circles below this radius, in pixels, are drawn as copies of one picture: thousands of arcs take too long. */
const SMALL = 5;
/** Shapes of one path: longer ones get slow. */
const BATCH = 150;

/** The records of geometry.rs. */
function parse(outlines) {
  const records = [];
  for (let i = 0; i < outlines.length; ) {
    const [pose, kind, hue, flags, speed, count] = outlines.subarray(i, i + HEAD);
    const length = kind === CIRCLE ? 3 : 2 * count;
    const points = outlines.slice(i + HEAD, i + HEAD + length);
    let reach = 0;
    for (let k = 0; k + 1 < points.length; k += 2) reach = Math.max(reach, Math.hypot(points[k], points[k + 1]));
    if (kind === CIRCLE) reach += points[2];
    records.push({ pose, kind, hue: hue < 0 ? pose % 6 : hue % 7, flags, speed, points, reach });
    i += HEAD + length;
  }
  return records;
}

export class Bodies {
  constructor() {
    this.revision = -1;
    this.records = [];
    this.sprites = new Map();
  }

  update(engine) {
    if (engine.revision === this.revision) return;
    this.revision = engine.revision;
    this.records = parse(engine.outlines);
    const still = (record) => record.flags & (FIXED | KINEMATIC | SENSOR);
    this.still = this.records.filter(still);
    this.moving = Array.from({ length: 7 }, (_, hue) => this.records.filter((it) => !still(it) && it.hue === hue));
  }

  /** Another module, that counts its outlines anew. */
  begin() {
    this.revision = -1;
  }

  /** A change of colours or of the screen. */
  forget() {
    this.sprites.clear();
  }

  draw(pen, engine, palette, camera, seconds) {
    this.update(engine);
    const scene = { pen, poses: engine.poses, states: engine.states, camera, palette };
    for (const record of this.still) drawStill(scene, record, seconds);
    this.moving.forEach((records, hue) => {
      const asleep = records.filter((record) => !scene.states[record.pose]);
      const awake = asleep.length ? records.filter((record) => scene.states[record.pose]) : records;
      this.#drawAll(scene, asleep, palette.hues[hue][1], `${hue} asleep`);
      this.#drawAll(scene, awake, palette.hues[hue][0], `${hue}`);
    });
  }

  #drawAll(scene, records, paint, name) {
    const { pen, camera } = scene;
    pen.fillStyle = paint.fill;
    pen.strokeStyle = paint.stroke;
    pen.lineWidth = camera.scale > 8 ? 1.2 : 0.8;
    let left = BATCH;
    pen.beginPath();
    for (const record of records) {
      if (record.kind === CIRCLE && record.points[2] * camera.scale < SMALL) {
        this.#stamp(scene, record, paint, name);
        continue;
      }
      trace(scene, record);
      left -= 1;
      if (left === 0) {
        pen.fill();
        pen.stroke();
        pen.beginPath();
        left = BATCH;
      }
    }
    pen.fill();
    pen.stroke();
  }

  #stamp({ pen, poses, camera }, { pose, points, reach }, paint, name) {
    const radius = points[2] * camera.scale;
    const at = 4 * pose;
    const [cos, sin] = [poses[at + 2], poses[at + 3]];
    if (cos === 0 && sin === 0) return;
    const x = camera.width / 2 + (poses[at] + cos * points[0] - sin * points[1] - camera.x) * camera.scale;
    const y = camera.height / 2 - (poses[at + 1] + sin * points[0] + cos * points[1] - camera.y) * camera.scale;
    if (isOff(camera, x, y, reach * camera.scale)) return;
    const sprite = this.#sprite(`${name} ${radius.toFixed(2)}`, radius, paint);
    pen.drawImage(sprite.canvas, x - sprite.half, y - sprite.half, 2 * sprite.half, 2 * sprite.half);
  }

  #sprite(key, radius, paint) {
    let sprite = this.sprites.get(key);
    if (sprite) return sprite;
    const ratio = globalThis.devicePixelRatio || 1;
    const half = Math.ceil(radius) + 1;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.ceil(2 * half * ratio);
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.beginPath();
    pen.arc(half, half, radius, 0, 2 * Math.PI);
    pen.fillStyle = paint.fill;
    pen.fill();
    if (radius > 1.5) {
      pen.strokeStyle = paint.stroke;
      pen.lineWidth = 0.7;
      pen.stroke();
    }
    sprite = { canvas, half };
    if (this.sprites.size > 400) this.sprites.clear();
    this.sprites.set(key, sprite);
    return sprite;
  }
}

function isOff({ width, height }, x, y, reach) {
  return x + reach < 0 || y + reach < 0 || x - reach > width || y - reach > height;
}

/** Adds a shape to the path. */
function trace({ pen, poses, camera }, { pose, kind, points, reach }) {
  const at = 4 * pose;
  const [cos, sin] = [poses[at + 2] * camera.scale, poses[at + 3] * camera.scale];
  if (cos === 0 && sin === 0) return;
  const x = camera.width / 2 + (poses[at] - camera.x) * camera.scale;
  const y = camera.height / 2 - (poses[at + 1] - camera.y) * camera.scale;
  if (isOff(camera, x, y, reach * camera.scale)) return;
  if (kind === CIRCLE) {
    const [px, py, radius] = points;
    const [mx, my] = [x + px * cos - py * sin, y - (px * sin + py * cos)];
    pen.moveTo(mx + radius * camera.scale, my);
    pen.arc(mx, my, radius * camera.scale, 0, 2 * Math.PI);
    pen.moveTo(mx, my);
    pen.lineTo(mx + radius * cos, my - radius * sin);
    return;
  }
  for (let k = 0; k < points.length; k += 2) {
    const [px, py] = [x + points[k] * cos - points[k + 1] * sin, y - (points[k] * sin + points[k + 1] * cos)];
    if (k === 0) pen.moveTo(px, py);
    else pen.lineTo(px, py);
  }
  if (kind !== OPEN) pen.closePath();
}

/** What forces do not move: ground, platforms, belts, sensors. */
function drawStill(scene, record, seconds) {
  const { pen, palette, camera } = scene;
  pen.beginPath();
  trace(scene, record);
  pen.fillStyle = record.flags & KINEMATIC ? palette.kinematic : palette.ground;
  if (record.hue === 6 && record.flags & KINEMATIC) pen.fillStyle = palette.hues[6][0].fill;
  if (record.kind !== OPEN && !(record.flags & SENSOR)) pen.fill();
  pen.strokeStyle = record.flags & ONE_WAY ? palette.oneWay : palette.groundEdge;
  pen.lineWidth = record.kind === OPEN ? 2.5 : 1.2;
  if (record.flags & ONE_WAY) pen.lineWidth = 2;
  if (record.flags & (SENSOR | ONE_WAY)) pen.setLineDash([5, 3]);
  if (record.speed !== 0) {
    pen.setLineDash([0.35 * camera.scale, 0.25 * camera.scale]);
    pen.lineDashOffset = record.speed * seconds * camera.scale;
    pen.lineWidth = 3;
  }
  pen.stroke();
  pen.setLineDash([]);
  pen.lineDashOffset = 0;
}
