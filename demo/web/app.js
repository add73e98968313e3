// The page: loads the engine, steps it by the clock, draws, and answers controls.

import { Bodies } from "./bodies.js";
import { Camera } from "./camera.js";
import { palette as paletteOf } from "./colors.js";
import { play } from "./commands.js";
import { Engine, Problem } from "./engine.js";
import { Graph } from "./graph.js";
import { Keys } from "./keys.js";
import { Pointers } from "./pointers.js";

/** Most steps of a frame: a page that falls behind goes slower instead of ever slower. */
const MOST_STEPS = { 60: 4, 240: 16 };
/** Milliseconds after which a frame makes no further step. */
const BUDGET = 20;
const SLOW = 0.2;
/** Pixels of an arrow key, and the factor of a zoom key. */
const PAN = 40, ZOOM = 1.25;
/** Milliseconds between two updates of the numbers. */
const TELL = 250;

const byId = (id) => document.getElementById(id);
const view = byId("view");

const state = {
  engine: null, scene: null, running: true, slow: false, layers: 0, owed: 0, last: 0, told: 0, seconds: 0,
};
const camera = new Camera();
const bodies = new Bodies();
const graph = new Graph(byId("graph"), byId("legend"));
const keys = new Keys(byId("pad"));
const dark = matchMedia("(prefers-color-scheme: dark)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let palette = paletteOf(dark.matches);
let pointers = null;

// ---- scenes

function begin(number, count) {
  const { engine } = state;
  const scene = engine.scenes[number];
  engine.begin(number, count ?? scene.count.start);
  const changed = state.scene !== scene;
  Object.assign(state, { scene, owed: 0, seconds: 0 });
  byId("problem").hidden = true;
  pointers.release();
  graph.clear();
  if (changed) introduce(scene);
  const { gravity, subSteps, focus, view: whole } = engine.numbers();
  state.view = whole;
  setSlider("gravity", gravity);
  setSlider("sub-steps", subSteps);
  setSlider("count", count ?? scene.count.start);
  if (changed || !camera.moved) camera.fit(whole, focus);
  tell();
}

function introduce(scene) {
  byId("title").textContent = scene.title;
  byId("hint").textContent = scene.hint;
  view.setAttribute("aria-label", `${scene.title}: a moving picture of the simulation`);
  byId("counted").textContent = scene.counted;
  const count = byId("count");
  Object.assign(count, { min: scene.count.least, max: scene.count.most, step: 1 });
  count.closest(".slider").hidden = scene.count.least === scene.count.most;
  for (const button of byId("scenes").querySelectorAll("button")) {
    button.setAttribute("aria-current", button.dataset.name === scene.name ? "true" : "false");
    if (button.dataset.name === scene.name) reveal(button);
  }
  keys.show(scene.keys);
  history.replaceState(null, "", `#${scene.name}`);
}

/** Scrolls the row of scenes, and nothing else. */
function reveal(button) {
  const row = byId("scenes");
  row.scrollLeft = button.offsetLeft - (row.clientWidth - button.offsetWidth) / 2;
}

function listScenes() {
  for (const scene of state.engine.scenes) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: scene.title });
    button.dataset.name = scene.name;
    button.addEventListener("click", () => guarded(() => begin(scene.number)));
    const item = document.createElement("li");
    item.append(button);
    byId("scenes").append(item);
  }
}

function listLayers() {
  state.engine.layers.forEach((name, k) => {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", id: `layer-${name}` });
    box.addEventListener("change", () => {
      state.layers = box.checked ? state.layers | (1 << k) : state.layers & ~(1 << k);
    });
    label.append(box, name);
    byId("layers").append(label);
  });
}

// ---- controls

const SLIDERS = {
  count: { digits: 0, set: (value) => begin(state.scene.number, value) },
  "sub-steps": { digits: 0, set: (value) => state.engine.exports.set_sub_steps(value) },
  gravity: { digits: 2, set: (value) => state.engine.exports.set_gravity(0, value) },
};

function setSlider(id, value) {
  byId(id).value = value;
  showValue(id, value);
}

function showValue(id, value) {
  const words = Number(value).toFixed(SLIDERS[id].digits);
  byId(`${id}-value`).textContent = words;
  byId(id).setAttribute("aria-valuetext", `${words} ${byId(id).labels[0].firstElementChild?.textContent ?? ""}`.trim());
}

function run(on) {
  state.running = on;
  const button = byId("play");
  button.textContent = on ? "Pause" : "Play";
  button.classList.toggle("primary", !on);
}

function oneStep() {
  run(false);
  advance(1);
}

function slow(on) {
  state.slow = on;
  byId("slow").setAttribute("aria-pressed", String(on));
}

function fit() {
  camera.fit(state.view, state.engine.numbers().focus);
}

function layersOff() {
  state.layers = 0;
  for (const box of byId("layers").querySelectorAll("input")) box.checked = false;
}

function neighbour(by) {
  const { scenes } = state.engine;
  begin((state.scene.number + by + scenes.length) % scenes.length);
}

const SHORTCUTS = {
  p: () => run(!state.running), ".": oneStep, s: () => slow(!state.slow),
  r: () => begin(state.scene.number, +byId("count").value),
  0: fit, "+": () => camera.zoom(ZOOM), "=": () => camera.zoom(ZOOM), "-": () => camera.zoom(1 / ZOOM),
  "[": () => neighbour(-1), "]": () => neighbour(1), l: layersOff,
};
const ARROWS = { ArrowLeft: [PAN, 0], ArrowRight: [-PAN, 0], ArrowUp: [0, PAN], ArrowDown: [0, -PAN] };

function onKeyDown(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  // Sliders and boxes take arrows and space for themselves, buttons take space.
  const isPress = event.key === " " || event.key === "Enter";
  const isArrow = event.key.startsWith("Arrow");
  const takes = (target.matches("input") && (isArrow || isPress)) || (target.matches("button, summary") && isPress);
  if (takes || target.closest("#pad")) return;
  if (state.scene?.keys && keys.press(event.key)) {
    event.preventDefault();
    return;
  }
  const shortcut = SHORTCUTS[event.key.toLowerCase()];
  if (shortcut && !event.repeat) {
    event.preventDefault();
    guarded(shortcut);
  } else if (ARROWS[event.key] && target === view) {
    event.preventDefault();
    camera.pan(...ARROWS[event.key]);
  }
}

function listen() {
  pointers = new Pointers(view, camera, state.engine.exports, () => {});
  const click = (id, action) => byId(id).addEventListener("click", () => guarded(action));
  click("play", () => run(!state.running));
  click("step", oneStep);
  click("slow", () => slow(!state.slow));
  click("reset", SHORTCUTS.r);
  click("fit", fit);
  for (const [id, { set }] of Object.entries(SLIDERS)) {
    byId(id).addEventListener("input", () => {
      showValue(id, byId(id).value);
      if (id !== "count") set(+byId(id).value);
    });
    if (id === "count") byId(id).addEventListener("change", () => guarded(() => set(+byId(id).value)));
  }
  addEventListener("keydown", onKeyDown);
  addEventListener("keyup", (event) => keys.release(event.key));
  addEventListener("blur", () => keys.clear());
  addEventListener("hashchange", () => guarded(() => begin(sceneOfAddress())));
  dark.addEventListener("change", () => {
    palette = paletteOf(dark.matches);
    bodies.forget();
  });
  new ResizeObserver(resize).observe(view);
}

function sceneOfAddress() {
  const named = state.engine.scenes.findIndex((scene) => scene.name === location.hash.slice(1));
  return Math.max(named, 0);
}

// ---- time and drawing

function resize() {
  const ratio = globalThis.devicePixelRatio || 1;
  const [width, height] = [view.clientWidth, view.clientHeight];
  if (!width || !height) return;
  [view.width, view.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  Object.assign(camera, { width, height });
  bodies.forget();
  if (state.scene && !camera.moved) fit();
}

function advance(steps) {
  const { engine, scene } = state;
  engine.exports.set_keys(keys.bits);
  const start = performance.now();
  for (let k = 0; k < steps && (k === 0 || performance.now() - start < BUDGET); k += 1) {
    pointers.refresh();
    engine.step();
    state.seconds += 1 / scene.hertz;
  }
}

/** Steps due after `elapsed` seconds; what is more than a frame can bear is dropped. */
function due(elapsed) {
  const { hertz } = state.scene;
  const most = MOST_STEPS[hertz] ?? 4;
  state.owed += elapsed * hertz * (state.slow ? SLOW : 1);
  const steps = Math.floor(state.owed);
  state.owed -= steps;
  return Math.min(steps, most);
}

function draw() {
  const { engine, layers, owed, running } = state;
  const ratio = globalThis.devicePixelRatio || 1;
  engine.exports.set_layers(layers, camera.scale, ...camera.seen());
  // Layers show the last step, so bodies do too; else they are drawn between the last two.
  engine.frame(layers || !running ? 1 : owed);
  const pen = view.getContext("2d", { alpha: false });
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, camera.width, camera.height);
  drawGrid(pen);
  if (!(layers & engine.shapesLayer)) bodies.draw(pen, engine, palette, camera, state.seconds);
  play(pen, engine, palette, camera);
}

function drawGrid(pen) {
  const step = [0.1, 0.5, 1, 5, 10, 50, 100].find((size) => size * camera.scale > 24) ?? 500;
  const [left, bottom, right, top] = camera.seen();
  pen.beginPath();
  for (let x = Math.ceil(left / step) * step; x < right; x += step) {
    const [px] = camera.toScreen(x, 0);
    pen.moveTo(px, 0);
    pen.lineTo(px, camera.height);
  }
  for (let y = Math.ceil(bottom / step) * step; y < top; y += step) {
    const [, py] = camera.toScreen(0, y);
    pen.moveTo(0, py);
    pen.lineTo(camera.width, py);
  }
  pen.strokeStyle = palette.grid;
  pen.lineWidth = 1;
  pen.stroke();
}

function onFrame(now) {
  requestAnimationFrame(onFrame);
  if (!state.scene) return;
  guarded(() => {
    const elapsed = Math.min((now - state.last) / 1000, 0.25);
    state.last = now;
    if (state.running) advance(due(elapsed));
    const start = performance.now();
    draw();
    const { focus, times } = state.engine.numbers();
    if (focus && camera.crops && !camera.moved) camera.follow(focus, state.view);
    if (state.running) graph.add([...times, performance.now() - start]);
    if (now - state.told > TELL) tell(now);
  });
}

// ---- numbers and words

function tell(now = performance.now()) {
  state.told = now;
  const { engine } = state;
  const { counts, hertz } = engine.numbers();
  byId("clock").textContent = `${(counts.step / hertz).toFixed(1)} s, step ${counts.step}`;
  const shown = ["bodies", "awake", "pairs", "contacts", "islands", "joints"];
  byId("counts").replaceChildren(...shown.flatMap((name) => entry(name, counts[name].toLocaleString("en"))));
  byId("report").replaceChildren(...engine.report().flatMap(([name, value, mark]) => entry(name, value, mark)));
  graph.tell();
  graph.draw(palette);
}

function entry(name, value, mark) {
  const [term, description] = [document.createElement("dt"), document.createElement("dd")];
  term.textContent = name;
  description.textContent = value;
  if (mark) description.className = term.className = mark;
  return [term, description];
}

/** Says on the page what went wrong, and stops. */
function guarded(action) {
  try {
    action();
  } catch (error) {
    state.scene = null;
    const isKnown = error instanceof Problem;
    const problem = byId("problem");
    problem.textContent = isKnown ? error.message : `The engine stopped: ${error.message}. Reload the page to go on.`;
    problem.hidden = false;
    if (!isKnown) throw error;
  }
}

async function start() {
  try {
    state.engine = await Engine.load("carom.wasm.gz");
  } catch (error) {
    byId("title").textContent = "It does not run here";
    guarded(() => {
      throw error;
    });
    return;
  }
  listScenes();
  listLayers();
  listen();
  resize();
  run(!calm.matches);
  guarded(() => begin(sceneOfAddress()));
  if (calm.matches) byId("hint").textContent += " Paused at first, as your system asks for less motion.";
  // For the console, and for demo/test.
  globalThis.carom = { state, camera };
  requestAnimationFrame(onFrame);
}

start();
