// Checks the golden hashes in a WebAssembly module: node run.mjs MODULE STEPS HASHES …
// Scenes are numbered in the order of the files
import { readFileSync } from "node:fs";

const [module, most, ...hashes] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
const lines = hashes.flatMap((file) => readFileSync(file, "utf8").split("\n")).filter((line) => line && !line.startsWith("#"));
const golden = lines.map((line) => line.trim().split(/\s+/));
const names = [...new Set(golden.map(([name]) => name))];

let compared = 0;
names.forEach((name, number) => {
  if (!instance.exports.begin(number)) throw new Error(`${name}: no such scene`);
  for (const [, steps, hash] of golden.filter(([known, steps]) => known === name && +steps <= +most)) {
    const found = BigInt.asUintN(64, instance.exports.hash_at(+steps)).toString(16).padStart(16, "0");
    if (found !== hash) throw new Error(`${name} after ${steps} steps: ${found}, golden is ${hash}`);
    compared += 1;
  }
});
if (compared === 0) throw new Error("nothing was compared");
console.log(`${names.length} scenes have their golden bits after ${most} steps (${compared} hashes)`);
