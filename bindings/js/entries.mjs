// Writes a smaller module with the functions that an entry of the package has:
//
//   node entries.mjs physics|nav IN.wasm OUT.wasm [OPTION OF BINARYEN …]
//
// All modules come from one build. `wasm-metadce` of binaryen removes exports, and the code that
// no other export reaches.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [entry, from, to, ...features] = process.argv.slice(2);
const { groups } = JSON.parse(readFileSync(new URL("../api.json", import.meta.url), "utf8"));

/** Groups of the API that an entry lacks, and beginnings of the names of other functions it lacks. */
const RECORDS = ["replay_", "world_record", "world_stop_recording", "world_is_recording"];
const CHECKS = ["world_validate", "world_difference"];
const ENTRIES = {
  physics: { without: ["pieces", "maps", "meshes", "crowds"], not: [...RECORDS, ...CHECKS] },
  nav: {
    without: ["pieces", "movers", "hooks", "joints"],
    not: [
      ...RECORDS, ...CHECKS, "ring_", "prediction_", "joint_", "area_", "mover_", "world_predict",
      "world_rays", "world_cast", "world_explode", "world_overlap_", "world_nearest_",
    ],
  },
};

const { without, not } = ENTRIES[entry];
const kept = groups
  .filter((group) => !without.includes(group.name))
  .flatMap((group) => group.functions.map((it) => it.name))
  .filter((name) => !not.some((it) => name.startsWith(it)))
  .map((name) => `carom_${name}`);
const all = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(from)));
const roots = all
  .map((it) => it.name)
  .filter(
    (name) => kept.includes(name) || name.startsWith("carom_js_") || !name.startsWith("carom_"),
  );
const graph = [
  { name: "outside", root: true, reaches: roots },
  ...roots.map((name) => ({ name, export: name })),
];
const folder = mkdtempSync(join(tmpdir(), "carom-"));
try {
  const file = join(folder, "graph.json");
  writeFileSync(file, JSON.stringify(graph));
  const options = [...features, "--graph-file", file, from, "-o", to];
  execFileSync("wasm-metadce", options, { stdio: ["ignore", "ignore", "inherit"] });
} finally {
  rmSync(folder, { recursive: true });
}
