// Where a canvas looks: metres to pixels and back.

const CLOSEST = 4000, FARTHEST = 2;

export class Camera {
  constructor() {
    this.x = 0;
    this.y = 0;
    /** CSS pixels of a metre. */
    this.scale = 20;
    this.width = 1;
    this.height = 1;
    /** Whether the user has moved it since it was fitted. */
    this.moved = false;
  }

  /** Shows all of a rectangle; on a page much narrower than it, its height, around a place to follow. */
  fit([left, bottom, right, top], follow) {
    const byWidth = this.width / (right - left);
    const byHeight = this.height / (top - bottom);
    const crops = follow && byWidth < 0.4 * byHeight;
    this.scale = crops ? 0.8 * byHeight : Math.min(byWidth, byHeight);
    this.x = crops ? follow[0] : (left + right) / 2;
    this.y = (bottom + top) / 2;
    this.crops = Boolean(crops);
    this.moved = false;
  }

  follow([x, y], [left, , right]) {
    const half = this.width / this.scale / 2;
    const inside = Math.min(Math.max(x, left + half), right - half);
    this.x += 0.15 * (inside - this.x);
    this.y += 0.05 * (y + 1 - this.y);
  }

  toWorld(px, py) {
    return [this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale];
  }

  toScreen(x, y) {
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale];
  }

  /** Lower left and upper right corner of what is seen. */
  seen() {
    const [left, top] = this.toWorld(0, 0);
    const [right, bottom] = this.toWorld(this.width, this.height);
    return [left, bottom, right, top];
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.moved = true;
  }

  /** Zooms so that what is at (px, py) stays there. */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.toWorld(px, py);
    this.scale = Math.min(Math.max(this.scale * factor, FARTHEST), CLOSEST);
    const [nowX, nowY] = this.toWorld(px, py);
    this.x += x - nowX;
    this.y += y - nowY;
    this.moved = true;
  }
}
