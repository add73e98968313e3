// The race of JavaScript engines under Node, printed as a table:
//
//   cd bindings/js/bench && npm install
//   node race.mjs [SCENE …] [--only ENGINE,…] [--share 0.1]
//
// Each engine steps a scene for some seconds before it is timed, and begins it anew. Engines take
// turns of some steps within one run, so that other work of the machine hits all. A number is the
// median over turns, in milliseconds a step; reading poses is timed apart. `--share` shortens all
// scenes.
import { ENGINES } from "./engines.mjs";
import { SCENES } from "./scenes.mjs";

const words = process.argv.slice(2);
const option = (name) =>
  words.includes(name) ? words.splice(words.indexOf(name), 2)[1] : undefined;
const only = option("--only")?.split(",");
const share = Number(option("--share") ?? 1);

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const digits = (ms) => (ms >= 100 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(4));

/** Milliseconds that an engine steps a scene before it is timed, for compilers of machine code. */
const WARM = 3_000;

function warm(make, scene) {
  const it = make(scene);
  const end = performance.now() + WARM * Math.min(1, share * 2);
  while (performance.now() < end) it.step();
  it.free();
}

/** A scene in all engines. Gives medians of steps and of reading, and the height left. */
function race(makers, scene, steps, turn) {
  const runners = makers.map(([name, make]) => {
    const runner = { name, it: null, steps: [], reads: [], error: null };
    try {
      warm(make, scene);
      runner.it = make(scene);
    } catch (error) {
      runner.error = error;
    }
    return runner;
  });
  let checksum = 0;
  for (let done = 0; done < steps; done += turn) {
    for (const runner of runners) {
      if (runner.error) continue;
      try {
        const begin = performance.now();
        for (let k = 0; k < turn; k += 1) runner.it.step();
        const middle = performance.now();
        checksum += runner.it.read();
        const end = performance.now();
        runner.steps.push((middle - begin) / turn);
        runner.reads.push(end - middle);
      } catch (error) {
        runner.error = error;
      }
    }
  }
  for (const runner of runners) {
    const heights = runner.error ? [] : [...runner.it.heights()];
    const dynamic = heights.filter((_, k) => scene.bodies[k].kind === 2);
    runner.mean = dynamic.reduce((sum, y) => sum + y, 0) / dynamic.length;
    runner.lost = dynamic.filter((y) => !(y > -200 && y < 500)).length;
    runner.it?.free();
  }
  if (Number.isNaN(checksum)) console.log("(a pose was NaN)");
  return runners;
}

const makers = [];
for (const [name, prepare] of ENGINES) {
  if (only && name !== "carom" && !only.includes(name)) continue;
  try {
    makers.push([name, await prepare()]);
  } catch (error) {
    console.log(`${name} is left out: ${error.message}`);
  }
}

const rows = [];
for (const [name, make, steps, turn] of SCENES) {
  if (words.length > 0 && !words.includes(name)) continue;
  const scene = make();
  const dynamic = scene.bodies.filter((it) => it.kind === 2).length;
  const runners = race(
    makers,
    scene,
    Math.max(turn, Math.round((steps * share) / turn) * turn),
    turn,
  );
  const own = median(runners[0].steps);
  const taken = runners[0].steps.length * turn;
  console.log(`\n${name}: ${dynamic} bodies, ${scene.joints.length} joints, ${taken} steps\n`);
  console.log(
    "| engine | ms a step | times carom | ms to read poses | mean height, m | lost |\n" +
      "|---|---|---|---|---|---|",
  );
  for (const it of runners) {
    if (it.error) console.log(`| ${it.name} | ${String(it.error.message).slice(0, 60)} | | | | |`);
    else {
      const ms = median(it.steps);
      console.log(
        `| ${it.name} | ${digits(ms)} | ${(ms / own).toFixed(2)} | ${digits(median(it.reads))} | ` +
          `${it.mean.toFixed(2)} | ${it.lost} |`,
      );
    }
  }
  rows.push([name, runners.map((it) => (it.error ? NaN : median(it.steps) / own))]);
}
console.log(
  `\nSteps, times carom's (above 1: carom is quicker)\n\n` +
    `| scene | ${makers.map(([name]) => name).join(" | ")} |`,
);
console.log(`|---|${makers.map(() => "---|").join("")}`);
for (const [name, ratios] of rows)
  console.log(`| ${name} | ${ratios.map((it) => it.toFixed(2)).join(" | ")} |`);
process.exit(0);
