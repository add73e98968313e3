// The page: loads the module of a scene, steps it by the clock, draws, and answers controls.

import { Bodies } from "./bodies.js";
import { Camera } from "./camera.js";
import { palette as paletteOf } from "./colors.js";
import { play } from "./commands.js";
import { Engine, Problem, checkBrowser, sceneList } from "./engine.js";
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
  scenes: [], modules: new Map(), choices: 0, engine: null, scene: null, wanted: null, scrubs: false, running: true, slow: false, layers: 0, owed: 0, last: 0, told: 0, seconds: 0,
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

/** Loads the module of a scene if it is not there, and begins with the scene, or with a file for it. */
async function choose(scene, file) {
  state.choices += 1;
  const choice = state.choices;
  state.wanted = scene;
  if (!state.modules.has(scene.module)) {
    byId("hint").textContent = "Loading …";
    state.modules.set(scene.module, Engine.load(`${scene.module}.wasm.lzma`));
  }
  let engine;
  try {
    engine = await state.modules.get(scene.module);
  } catch (error) {
    state.modules.delete(scene.module);
    throw error;
  }
  // The last choice counts, not the last that came.
  if (choice !== state.choices) return;
  if (engine !== state.engine) {
    state.engine = engine;
    bodies.begin();
    if (!byId("layers").children.length) listLayers();
  }
  if (file) engine.hand(file);
  guarded(() => begin(scene));
}

function begin(scene, count) {
  const { engine } = state;
  const changed = state.scene !== scene;
  state.wanted = scene;
  if (changed) introduce(scene);
  pointers.release();
  graph.clear();
  engine.begin(scene.number, count ?? scene.count.start);
  engine.exports.set_naive(byId("naive").checked);
  Object.assign(state, { scene, owed: 0, seconds: 0 });
  byId("problem").hidden = true;
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
  for (const id of ["gravity", "sub-steps"]) byId(id).closest(".slider").hidden = scene.plain;
  byId("naive").checked = false;
  byId("naive-name").textContent = scene.naive;
  byId("naive-row").hidden = !scene.naive;
  byId("save").hidden = !scene.opens;
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
  for (const scene of state.scenes) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: scene.title });
    button.dataset.name = scene.name;
    button.addEventListener("click", () => chosen(scene));
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
  count: { digits: 0, set: (value) => begin(state.scene, value) },
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
  const { scenes, wanted } = state;
  chosen(scenes[(scenes.indexOf(wanted) + by + scenes.length) % scenes.length]);
}

function naive(on) {
  byId("naive").checked = on;
  state.engine.exports.set_naive(on);
}

const SHORTCUTS = {
  p: () => run(!state.running), ".": oneStep, s: () => slow(!state.slow),
  r: () => begin(state.scene, +byId("count").value),
  0: fit, "+": () => camera.zoom(ZOOM), "=": () => camera.zoom(ZOOM), "-": () => camera.zoom(1 / ZOOM),
  "[": () => neighbour(-1), "]": () => neighbour(1), l: layersOff,
  n: () => state.scene.naive && naive(!byId("naive").checked),
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
  pointers = new Pointers(view, camera, () => state.engine.exports, () => {});
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
  byId("naive").addEventListener("change", () => guarded(() => naive(byId("naive").checked)));
  listenToTime();
  listenToFiles();
  addEventListener("keydown", onKeyDown);
  addEventListener("keyup", (event) => keys.release(event.key));
  addEventListener("blur", () => keys.clear());
  addEventListener("hashchange", () => chosen(sceneOfAddress()));
  dark.addEventListener("change", () => {
    palette = paletteOf(dark.matches);
    bodies.forget();
  });
  new ResizeObserver(resize).observe(view);
}

/** The slider of time: while it is held, the scene stands. */
function listenToTime() {
  const slider = byId("timeline");
  slider.addEventListener("input", () => guarded(() => {
    state.owed = 0;
    state.engine.exports.seek(+slider.value);
    byId("timeline-value").textContent = slider.value;
  }));
  slider.addEventListener("pointerdown", () => (state.scrubs = true));
  for (const end of ["pointerup", "pointercancel", "change", "blur"]) {
    slider.addEventListener(end, () => (state.scrubs = false));
  }
}

/** Recordings: dropped on the page, opened, or saved. */
function listenToFiles() {
  const scene = state.scenes.find((it) => it.opens);
  const play = async (file) => file && chosen(scene, new Uint8Array(await file.arrayBuffer()));
  const isFile = (event) => [...event.dataTransfer.types].includes("Files");
  addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    document.body.classList.remove("dropping");
    play(event.dataTransfer.files[0]);
  });
  byId("open").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", () => {
    play(byId("file").files[0]);
    byId("file").value = "";
  });
  byId("save").addEventListener("click", () => guarded(() => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([state.engine.keep()]));
    link.download = "recording.carom";
    link.click();
    URL.revokeObjectURL(link.href);
  }));
}

function sceneOfAddress() {
  return state.scenes.find((scene) => scene.name === location.hash.slice(1)) ?? state.scenes[0];
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
    if (state.running && !state.scrubs) advance(due(elapsed));
    const start = performance.now();
    draw();
    const { focus, timeline, times } = state.engine.numbers();
    tellTime(timeline);
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

/** Where the scene stands on its timeline, and what is marked there. */
function tellTime(timeline) {
  byId("time").hidden = !timeline;
  if (!timeline) return;
  const { first, last, now, mark } = timeline;
  const slider = byId("timeline");
  if (!state.scrubs) {
    Object.assign(slider, { min: first, max: Math.max(last, first + 1) });
    slider.value = now;
    byId("timeline-value").textContent = now;
  }
  byId("mark").hidden = mark === null;
  if (mark !== null) byId("mark").style.setProperty("--at", (mark - first) / Math.max(last - first, 1));
}

function entry(name, value, mark) {
  const [term, description] = [document.createElement("dt"), document.createElement("dd")];
  term.textContent = name;
  description.textContent = value;
  if (mark) description.className = term.className = mark;
  return [term, description];
}

/** Says on the page what went wrong, and stops. */
function complain(error) {
  state.scene = null;
  const isKnown = error instanceof Problem;
  const problem = byId("problem");
  problem.textContent = isKnown ? error.message : `The engine stopped: ${error.message}. Reload the page to go on.`;
  problem.hidden = false;
  // What it said before is not of what went wrong.
  byId("report").replaceChildren();
  if (!isKnown) throw error;
}

function guarded(action) {
  try {
    action();
  } catch (error) {
    complain(error);
  }
}

/** A scene that somebody wants to see. */
function chosen(scene, file) {
  return choose(scene, file).catch(complain);
}

async function start() {
  try {
    checkBrowser();
    state.scenes = await sceneList("scenes.json");
    listScenes();
    listen();
    resize();
    run(!calm.matches);
    await choose(sceneOfAddress());
  } catch (error) {
    byId("title").textContent = "It does not run here";
    byId("hint").textContent = "";
    complain(error);
    return;
  }
  if (calm.matches) byId("hint").textContent += " Paused at first, as your system asks for less motion.";
  // For the console, and for demo/test.
  globalThis.carom = { state, camera };
  requestAnimationFrame(onFrame);
}

start();
