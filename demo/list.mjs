// Writes scenes.json: which module has which scenes, and what the page says of them.
//
//   node demo/list.mjs FOLDER MODULE …     the modules are FOLDER/MODULE.wasm.lzma, in the order of the page
import { readFileSync, writeFileSync } from "node:fs";
import { Engine } from "./web/engine.js";
import { unpack } from "./web/unpack.js";

const [folder, ...modules] = process.argv.slice(2);
const scenes = [];
for (const module of modules) {
  const code = unpack(readFileSync(`${folder}/${module}.wasm.lzma`));
  const { instance } = await WebAssembly.instantiate(code, { page: { microseconds: () => 0 } });
  scenes.push(...new Engine(instance.exports).describe().map((scene) => ({ module, ...scene })));
}
writeFileSync(`${folder}/scenes.json`, `${JSON.stringify(scenes, null, 1)}\n`);
