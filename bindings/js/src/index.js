/** The entry `carom`: loads its module, which lies beside the package's code. */
import { loadDefault } from "./load.js";

await loadDefault(new URL("../dist/carom.wasm", import.meta.url), "carom");

export * from "./classes.js";
