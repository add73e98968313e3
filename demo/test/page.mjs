// What the tests ask of a page, in their own words.
import { strict as assert } from "node:assert";

export const OUT = "out/demo";

/** Opens the page in a new window; whatever it complains about ends up in `complaints`. */
export async function opened(browser, url, options = {}, prepare = async () => {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await prepare(page);
  await page.goto(url);
  return { page, context, complaints };
}

export async function ready(page) {
  await page.waitForFunction(() => globalThis.carom?.state.scene);
}

/** Goes to a scene by its button. */
export async function choose(page, name) {
  await page.locator(`#scenes button[data-name="${name}"]`).click();
  await page.waitForFunction((name) => carom.state.scene?.name === name, name);
}

export const names = (page) => page.evaluate(() => carom.state.scenes.map((scene) => scene.name));

/** Waits until what was done before is in the buffers. */
export const drawn = (page) => page.evaluate(() => new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(resolve));
}));

export async function numbers(page) {
  await drawn(page);
  return page.evaluate(() => carom.state.engine.numbers());
}

export async function report(page) {
  await drawn(page);
  return page.evaluate(() => carom.state.engine.report());
}

export async function isFine(page) {
  assert.equal(await page.locator("#problem").isVisible(), false, await page.locator("#problem").textContent());
}

/** How many colours the canvas shows: few mean that nothing is drawn. */
export const colors = (page) => page.evaluate(() => {
  const canvas = document.getElementById("view");
  // A copy: the browser would move the canvas itself to slower memory for being read.
  const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
  const pen = copy.getContext("2d", { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4 * 7) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return seen.size;
});

/** Bodies that can be taken hold of where the canvas shows them, the highest first: [pose, x, y] in pixels of the page. */
export const bodies = (page) => page.evaluate(() => {
  const { state: { engine }, camera } = carom;
  const box = document.getElementById("view").getBoundingClientRect();
  const places = [];
  const poses = Array.from(engine.poses);
  for (let k = 0; 4 * k < poses.length; k += 1) {
    const [x, y] = [poses[4 * k], poses[4 * k + 1]];
    if (!engine.exports.grab(x, y, 0)) continue;
    engine.exports.release();
    const [px, py] = camera.toScreen(x, y);
    const isInside = px > 20 && py > 12 && px < camera.width - 20 && py < camera.height - 20;
    if (isInside) places.push([k, box.x + px, box.y + py]);
  }
  return places.sort((a, b) => a[2] - b[2]);
});

export const pose = (page, k) => page.evaluate(
  (k) => Array.from(carom.state.engine.poses.subarray(4 * k, 4 * k + 2)), k,
);

/** The number at the beginning of what a line of the report says. */
export async function count(page, name) {
  const line = (await report(page)).find(([title]) => title.startsWith(name));
  assert.ok(line, `no line ${name}: ${JSON.stringify(await report(page))}`);
  return parseFloat(line[1]);
}

/** So many steps at once. */
export const steps = (page, count) => page.evaluate((count) => {
  for (let k = 0; k < count; k += 1) carom.state.engine.step();
}, count);

/** Where a place of the world is on the page. */
export const onPage = (page, x, y) => page.evaluate(([x, y]) => {
  const box = document.getElementById("view").getBoundingClientRect();
  const [px, py] = carom.camera.toScreen(x, y);
  return [box.x + px, box.y + py];
}, [x, y]);

/** Moves a slider as a hand would: to a value, and lets go. */
export async function slide(page, id, value) {
  await page.locator(`#${id}`).evaluate((input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }, value);
}

export async function picture(page, name) {
  await page.screenshot({ path: `${OUT}/${name}.png` });
}
