// Opens the demo in a browser and does with it what people do. Leaves pictures in out/demo.
//
//   node demo/test/run.mjs     from the root of the checkout, with demo/dist built
import { strict as assert } from "node:assert";
import { mkdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";
import {
  OUT, bodies, choose, colors, count, drawn, isFine, names, numbers, onPage, opened, picture, pose, ready, report,
  slide, steps,
} from "./page.mjs";

const ARGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const GOLDEN = readFileSync("tests/golden/hashes.txt", "utf8").split("\n")
  .filter((line) => line && !line.startsWith("#")).map((line) => line.trim().split(/\s+/));

/** Native hashes, which the tests of the modules hold to: scene, steps, hash. */
const HASHES = readFileSync("demo/test/hashes.txt", "utf8").trim().split("\n").map((line) => line.split(" "));
/** Scenes in which presses do not take hold of bodies. */
const BOARDS = ["breaking", "tactics", "fog", "recording"];

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Every scene: it steps, it is seen, a body follows the mouse. */
async function scenes({ page }) {
  for (const name of await names(page)) {
    await choose(page, name);
    await pause(2500);
    await isFine(page);
    const { counts } = await numbers(page);
    assert.ok(counts.step > 20, `${name}: ${counts.step} steps in 2.5 s`);
    assert.ok(await colors(page) > 12, `${name}: next to nothing is drawn`);
    await picture(page, name);
    const frame = await page.locator("#legend b").allTextContents();
    console.log(`${name}: ${counts.bodies} bodies, ${counts.step} steps, ms a frame: ${frame.join(" ")}`);
    if (!BOARDS.includes(name)) await drag(page, name);
  }
}

/** The naive way of each scene that has one, by its box and by its key. */
async function naive({ page }) {
  for (const name of await page.evaluate(() => carom.state.scenes.filter((it) => it.naive).map((it) => it.name))) {
    await choose(page, name);
    await page.locator("#naive").check();
    if (name === "breach") await steps(page, 400);
    await pause(name === "recording" ? 1500 : 3000);
    await isFine(page);
    await picture(page, `naive-${name}`);
    await page.keyboard.press("n");
    assert.equal(await page.locator("#naive").isChecked(), false, `${name}: the key switches back`);
    await pause(300);
    await isFine(page);
  }
  await choose(page, "pyramid");
  assert.equal(await page.locator("#naive-row").isVisible(), false);
}

/** The bits of every scene are those of the native one. */
async function hashes({ page }) {
  await page.keyboard.press("p");
  for (const [name, wanted, hash] of HASHES) {
    await choose(page, name);
    const found = await page.evaluate((wanted) => {
      const { engine, scene } = carom.state;
      engine.begin(scene.number, Math.min(scene.count.start, 200));
      for (let k = 0; k < wanted; k += 1) engine.step();
      return engine.hash();
    }, +wanted);
    assert.equal(found, hash, `${name} after ${wanted} steps`);
  }
  assert.equal(HASHES.length, (await names(page)).length);
  console.log(`hashes of ${HASHES.length} scenes are those of the native ones`);
  await page.keyboard.press("p");
}

/** What scenes of navigation count, and what one does in them. */
async function navigation({ page }) {
  await choose(page, "door");
  await steps(page, 1500);
  assert.ok(await count(page, "came through") > 15);
  await picture(page, "door-later");

  await choose(page, "breach");
  await steps(page, 312);
  await drawn(page);
  await picture(page, "breach-blast");
  await steps(page, 440);
  await pause(350);
  await picture(page, "breach-stream");
  assert.ok(await count(page, "came through") > 5);

  await choose(page, "cow-and-hen");
  await page.mouse.click(...await onPage(page, 3, 1.5));
  await pause(600);
  await picture(page, "cow-and-hen-ways");
  assert.ok(await count(page, "the cow's way") > await count(page, "a hen's way"));

  await choose(page, "tactics");
  await page.mouse.move(...await onPage(page, 4.5, 2.5));
  await pause(350);
  await picture(page, "tactics-way");
  await page.mouse.click(...await onPage(page, 4.5, 2.5));
  await pause(900);
  assert.equal(await count(page, "turns"), 1);

  await choose(page, "fog");
  await steps(page, 900);
  assert.ok(await count(page, "land that is known") > 20);
  await pause(350);
  await picture(page, "fog-later");
}

/** Time goes back, and on from there; keys walk the thief. */
async function rewind({ page }) {
  await choose(page, "patrol");
  await steps(page, 700);
  await drawn(page);
  const before = await count(page, "moments kept");
  await slide(page, "timeline", 300);
  const { timeline } = await numbers(page);
  assert.ok(timeline.now >= 295 && timeline.now < 340, JSON.stringify(timeline));
  assert.ok(await count(page, "moments kept") < before);
  await pause(300);
  assert.ok((await numbers(page)).timeline.now > timeline.now, "it goes on");
  const [x] = (await numbers(page)).focus;
  await page.locator("#view").focus();
  await page.keyboard.down("ArrowRight");
  await pause(900);
  await page.keyboard.up("ArrowRight");
  assert.ok((await numbers(page)).focus[0] > x + 0.5, "the thief walks");
  await picture(page, "patrol-later");
}

/** One drives back to what one left. */
async function endless({ page }) {
  await choose(page, "endless");
  await page.locator("#view").focus();
  await page.keyboard.down("ArrowRight");
  await page.evaluate(() => carom.state.engine.exports.set_keys(2));
  await steps(page, 900);
  await page.keyboard.up("ArrowRight");
  assert.ok(await count(page, "tiles as bytes") >= 6);
  await picture(page, "endless-later");
}

const drop = (page, bytes) => page.evaluate((bytes) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(bytes)], "a.carom"));
  for (const type of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}, bytes);

/** A recording plays, is gone through within 100 ms, tells of bodies, and marks what differs. */
async function recordings({ page }) {
  await choose(page, "recording");
  const isRead = () => page.waitForFunction(() => carom.state.engine.report()
    .some(([name, , mark]) => name.startsWith("equal") && mark === "good"));
  await isRead();
  await page.keyboard.press("p");
  const worst = await page.evaluate(() => {
    const slider = document.getElementById("timeline");
    let worst = 0;
    for (const share of [0.9, 0.1, 0.55, 0.99, 0.02, 0.7, 0.4, 1, 0]) {
      const begin = performance.now();
      slider.value = share * slider.max;
      slider.dispatchEvent(new Event("input"));
      carom.state.engine.frame(1);
      worst = Math.max(worst, performance.now() - begin);
    }
    return worst;
  });
  console.log(`recording: the slowest of nine ways to a step took ${worst.toFixed(1)} ms`);
  assert.ok(worst < 100, `${worst} ms`);
  await slide(page, "timeline", 130);
  await page.mouse.click(...await onPage(page, 1, 0.41));
  assert.ok((await report(page)).some(([name]) => name.startsWith("body")));
  await page.locator("#layer-contacts").check();
  await drawn(page);
  await picture(page, "recording-body");
  await page.keyboard.press("l");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save").click()]);
  const bytes = [...readFileSync(await download.path())];
  await page.locator("#naive").check();
  await page.locator("#mark").waitFor();
  assert.equal((await numbers(page)).timeline.mark, 151);
  await slide(page, "timeline", 400);
  await picture(page, "recording-differs");
  await choose(page, "pyramid");
  await drop(page, bytes);
  await page.waitForFunction(() => carom.state.scene?.name === "recording");
  await isRead();
  await isFine(page);
  // Damaged, and of another version: what is wrong is said at once.
  for (const [at, change, words] of [[100, 1, "was changed"], [4, bytes[4] ^ 1, "version 1"]]) {
    bytes[at] ^= change;
    await drop(page, bytes);
    await page.locator("#problem", { hasText: words }).waitFor();
    bytes[at] ^= change;
  }
  await picture(page, "problem-recording");
  await choose(page, "recording");
  await isFine(page);
  await page.keyboard.press("p");
}

/** One of the highest bodies follows the mouse: others may hang on something that does not give way. */
async function drag(page, name) {
  const ways = [];
  for (let k = 0; k < 5 && Math.max(0, ...ways) < 15; k += 1) ways.push(await dragOne(page, name, k));
  assert.ok(Math.max(...ways) > 15, `${name}: dragged by 67 pixels, bodies moved by ${ways}`);
}

async function dragOne(page, name, which) {
  await page.keyboard.press("p");
  const there = await bodies(page);
  const found = there[which % Math.max(1, there.length)];
  assert.ok(found, `${name}: no body to drag`);
  const [body, x, y] = found;
  const before = await pose(page, body);
  await page.mouse.move(x, y);
  await page.mouse.down();
  assert.equal(await page.locator("#view.holding").count(), 1, `${name}: it was not taken hold of`);
  await page.keyboard.press("p");
  await page.mouse.move(x + 60, y - 30, { steps: 5 });
  await pause(500);
  await page.keyboard.press("p");
  await pause(50);
  const after = await pose(page, body);
  await page.mouse.up();
  await page.keyboard.press("p");
  return Math.hypot(after[0] - before[0], after[1] - before[1]) * await page.evaluate(() => carom.camera.scale);
}

/** Every layer draws, alone and all together. */
async function layers({ page }) {
  const length = async () => {
    await drawn(page);
    return page.evaluate(() => carom.state.engine.commands.length);
  };
  for (const name of ["joints", "pile"]) {
    await choose(page, name);
    await pause(700);
    await page.keyboard.press("p");
    await page.keyboard.press("l");
    const none = await length();
    for (const box of await page.locator("#layers input").all()) {
      const id = await box.getAttribute("id");
      await box.check();
      const some = await length();
      const [draws, sizeOf] = [!["layer-islands", "layer-sleep"].includes(id), some - none];
      const needsJoints = id === "layer-joints" && name === "pile";
      if (draws && !needsJoints) assert.ok(sizeOf > 0, `${name}: ${id} draws nothing`);
      await box.uncheck();
      assert.equal(await length(), none, `${name}: ${id} does not go away`);
    }
    for (const id of ["shapes", "boxes", "contacts", "joints", "velocities", "grid"]) {
      await page.locator(`#layer-${id}`).check();
    }
    await drawn(page);
    await picture(page, `layers-${name}`);
    for (const box of await page.locator("#layers input").all()) await box.check();
    await drawn(page);
    await picture(page, `layers-all-${name}`);
    await page.keyboard.press("l");
    assert.equal(await page.locator("#layers input:checked").count(), 0);
    await page.keyboard.press("p");
  }
}

async function sliders({ page }) {
  await choose(page, "pile");
  await slide(page, "count", 120);
  assert.equal((await numbers(page)).counts.bodies, 121, "120 things and a room");
  await slide(page, "sub-steps", 9);
  assert.equal((await numbers(page)).subSteps, 9);
  await pause(1200);
  const low = await highest(page);
  await slide(page, "gravity", 15);
  assert.equal((await numbers(page)).gravity, 15);
  await pause(1200);
  const high = await highest(page);
  assert.ok(high > low + 2, `with gravity upward the highest body went from ${low} to ${high} m`);
  await page.locator("#reset").click();
  const fresh = await numbers(page);
  assert.ok(fresh.counts.bodies === 121 && fresh.subSteps === 4 && fresh.counts.step < 30, JSON.stringify(fresh));
}

const highest = (page) => page.evaluate(() => {
  const { poses } = carom.state.engine;
  let most = -Infinity;
  for (let k = 0; k < poses.length; k += 4) most = Math.max(most, poses[k + 1]);
  return most;
});

async function keyboard({ page }) {
  await choose(page, "pyramid");
  const step = async () => (await numbers(page)).counts.step;
  await page.keyboard.press("p");
  const paused = await step();
  await pause(300);
  assert.equal(await step(), paused, "paused");
  await page.keyboard.press(".");
  await page.keyboard.press(".");
  assert.equal(await step(), paused + 2, "two single steps");
  await page.keyboard.press("s");
  await page.keyboard.press("p");
  await pause(1000);
  const slow = await step() - paused - 2;
  assert.ok(slow > 2 && slow < 25, `slow motion: ${slow} steps in a second`);
  await page.keyboard.press("s");
  await page.keyboard.press("r");
  assert.ok(await step() < 30, "reset");
  const scale = () => page.evaluate(() => carom.camera.scale);
  const before = await scale();
  await page.keyboard.press("+");
  assert.ok(await scale() > before);
  await page.keyboard.press("0");
  assert.equal(await scale(), before);
  await page.keyboard.press("]");
  assert.equal(await page.evaluate(() => location.hash), "#pile");
  await page.keyboard.press("[");
  assert.equal(await page.evaluate(() => location.hash), "#pyramid");
  await player(page);
  await tabs(page);
}

/** The character walks and jumps by keys. */
async function player(page) {
  await choose(page, "platformer");
  await page.locator("#view").focus();
  await pause(500);
  const [start] = (await numbers(page)).focus;
  await page.keyboard.down("ArrowRight");
  await pause(700);
  await page.keyboard.down(" ");
  await pause(250);
  const there = (await numbers(page)).focus;
  await page.keyboard.up(" ");
  await page.keyboard.up("ArrowRight");
  assert.ok(there[0] > start + 1, `the character went from ${start} to ${there[0]}`);
  assert.ok((await report(page)).some(([name, value]) => name === "the character is" && value === "in the air"));
}

/** The tabulator reaches every control, and one sees where it is. */
async function tabs(page) {
  await page.locator("details").evaluate((details) => (details.open = true));
  const controls = await page.evaluate(() => [...document.querySelectorAll("button, input, canvas[tabindex], summary")]
    .filter((it) => it.checkVisibility()).length);
  await page.evaluate(() => document.activeElement.blur());
  const seen = new Set();
  for (let k = 0; k < controls + 4; k += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const it = document.activeElement;
      if (it === document.body) return null;
      const name = it.getAttribute("aria-label") || it.labels?.[0]?.textContent.trim() || it.textContent.trim();
      return { key: it.id || it.dataset.name || name, name, outline: getComputedStyle(it).outlineStyle };
    });
    if (!found) continue;
    assert.ok(found.name, `${found.key} has no name`);
    assert.notEqual(found.outline, "none", `${found.key} has no visible focus`);
    seen.add(found.key);
  }
  assert.ok(seen.size >= controls, `${seen.size} of ${controls} controls are reached: ${[...seen]}`);
}

/** The golden scenes: the bits of every machine. */
async function golden({ page }) {
  await choose(page, "determinism");
  await page.keyboard.press("p");
  const listed = [...new Set(GOLDEN.map(([name]) => name))];
  let compared = 0;
  for (const [k, name] of listed.entries()) {
    await slide(page, "count", k + 1);
    for (const [, steps, hash] of GOLDEN.filter(([known, steps]) => known === name && +steps <= 500)) {
      const found = await page.evaluate((steps) => {
        const { engine } = carom.state;
        for (engine.frame(1); engine.numbers().counts.step < steps; engine.frame(1)) engine.step();
        return { hash: engine.hash(), report: engine.report() };
      }, +steps);
      assert.equal(found.hash, hash, `${name} after ${steps} steps`);
      const line = found.report.find(([title]) => title === `golden, step ${steps}`);
      assert.deepEqual(line?.slice(1), [`${hash} equal`, "good"], JSON.stringify(found.report));
      compared += 1;
    }
  }
  assert.equal(compared, 2 * listed.length);
  console.log(`golden: ${compared} hashes of ${listed.length} scenes are equal`);
  await page.keyboard.press("p");
}

/** Far out is as good as here. */
async function unlimited({ page }) {
  await choose(page, "unlimited");
  await pause(1500);
  assert.deepEqual((await report(page)).at(-1), ["bits", "equal", "good"]);
}

async function narrow(browser, url) {
  const options = { viewport: { width: 400, height: 860 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
  const opening = await opened(browser, url, options);
  const { page, context, complaints } = opening;
  await ready(page);
  for (const name of await names(page)) {
    await choose(page, name);
    await pause(900);
    const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
    assert.ok(wide <= 400, `${name}: the page is ${wide} pixels wide`);
    await picture(page, `narrow-${name}`);
  }
  await touch(page, context);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await picture(page, "narrow-settings");
  assert.deepEqual(complaints, []);
  await context.close();
}

/** A finger drags, two pinch, and the pad makes the character run. */
async function touch(page, context) {
  const session = await context.newCDPSession(page);
  const send = (type, ...points) => session.send("Input.dispatchTouchEvent", {
    type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
  });
  await choose(page, "pile");
  await page.evaluate(() => scrollTo(0, 0));
  await pause(1500);
  const [[body, x, y]] = await bodies(page);
  const before = await pose(page, body);
  await send("touchStart", [x, y]);
  for (let k = 1; k <= 10; k += 1) {
    await send("touchMove", [x + 4 * k, y - 4 * k]);
    await pause(40);
  }
  const after = await pose(page, body);
  await send("touchEnd");
  assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) > 0.5, `by a finger from ${before} to ${after}`);
  const scale = () => page.evaluate(() => carom.camera.scale);
  const far = await scale();
  await send("touchStart", [150, 400], [250, 400]);
  await send("touchMove", [100, 400], [300, 400]);
  await send("touchEnd");
  assert.ok(await scale() > 1.5 * far, "two fingers zoom");
  await choose(page, "tactics");
  await send("touchStart", await onPage(page, 4.5, 2.5));
  await send("touchEnd");
  await pause(900);
  assert.equal(await count(page, "turns"), 1, "a finger goes to a cell");
  await choose(page, "platformer");
  await pause(400);
  const [start] = (await numbers(page)).focus;
  const box = await page.locator('#pad button[aria-label="run right"]').boundingBox();
  await send("touchStart", [box.x + 10, box.y + 10]);
  await pause(800);
  await send("touchEnd");
  const [there] = (await numbers(page)).focus;
  assert.ok(there > start + 1, `the pad moved the character from ${start} to ${there}`);
}

async function darkness(browser, url) {
  const { page, context, complaints } = await opened(browser, url, { colorScheme: "dark" });
  await ready(page);
  const some = ["pyramid", "joints", "platformer", "ships", "determinism", "unlimited", "breaking", "endless", "door",
    "breach", "cow-and-hen", "patrol", "tactics", "fog", "recording"];
  for (const name of some) {
    await choose(page, name);
    await pause(1500);
    await picture(page, `dark-${name}`);
  }
  assert.deepEqual(complaints, []);
  await context.close();
}

async function calm(browser, url) {
  const { page, context } = await opened(browser, url, { reducedMotion: "reduce" });
  await ready(page);
  await pause(400);
  assert.equal((await numbers(page)).counts.step, 0, "asked for less motion, it starts paused");
  assert.equal(await page.locator("#play").textContent(), "Play");
  await page.locator("#play").click();
  await pause(400);
  assert.ok((await numbers(page)).counts.step > 0);
  await context.close();
}

/** What is missing is told in words. */
async function problems(browser, url) {
  const cases = [
    ["WebAssembly", (page) => page.addInitScript(() => delete globalThis.WebAssembly)],
    ["SIMD", (page) => page.addInitScript(() => (WebAssembly.validate = () => false))],
    ["404", (page) => page.route("**/carom.wasm.lzma", (route) => route.fulfill({ status: 404, body: "" }))],
    ["unpacked", (page) => page.route("**/carom.wasm.lzma", (route) => route.fulfill({ body: "no module at all" }))],
  ];
  for (const [word, prepare] of cases) {
    const { page, context } = await opened(browser, url, {}, prepare);
    await page.locator("#problem").waitFor();
    const words = await page.locator("#problem").textContent();
    assert.ok(words.includes(word), words);
    await picture(page, `problem-${word}`);
    await context.close();
  }
}

mkdirSync(OUT, { recursive: true });
const server = await serve(0);
const url = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGS });
try {
  const main = await opened(browser, url);
  await ready(main.page);
  for (const part of [scenes, naive, navigation, rewind, endless, recordings, hashes, layers, sliders, keyboard, golden, unlimited]) {
    await part(main);
    assert.deepEqual(main.complaints, []);
    console.log(`ok: ${part.name}`);
  }
  await main.context.close();
  for (const part of [narrow, darkness, calm, problems]) {
    await part(browser, url);
    console.log(`ok: ${part.name}`);
  }
} finally {
  await browser.close();
  server.close();
}
