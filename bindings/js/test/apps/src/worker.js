// A worker that gets a compiled module.
// Import maps do not reach workers.
import { load } from "/node_modules/carom/src/load.js";
import { answer } from "./answer.js";

onmessage = async ({ data }) => postMessage(answer(await load(data)));
