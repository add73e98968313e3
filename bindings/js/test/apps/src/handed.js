// An app whose bundler hands in the address of the module.
import { load } from "carom/load";
import url from "carom/carom.wasm";
import { answer } from "./answer.js";

load(new URL(url, import.meta.url)).then((carom) => {
  globalThis.answer = answer(carom);
});
