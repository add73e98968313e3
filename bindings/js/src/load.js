/**
 * Loads the module by hand: in workers and with bundlers that hand it in.
 *
 * ```js
 * import { load } from "carom/load";
 * const { World, Shape } = await load(moduleOrBytesOrUrl);
 * ```
 */
import * as all from "./classes.js";
import { CaromError, imports, loaded, start, wrongType } from "./core.js";

let loading = null;

/**
 * Loads a module from a URL, a Response, its bytes, or a WebAssembly.Module, and gives all classes.
 * A program has one module: a second call gives the same.
 */
export function load(source, name = "handed in") {
  loading ??= instantiate(source).then((instance) => start(instance, name));
  return loading.then(
    () => all,
    (error) => {
      loading = null;
      throw error;
    },
  );
}

/** Loads a module unless one is there that has all of it. */
export async function loadDefault(url, name) {
  await load(url, name);
  if (loaded !== name && loaded !== "carom" && loaded !== "handed in") {
    throw new CaromError("busy", `carom/${loaded} is loaded already: import one of both alone`);
  }
}

async function instantiate(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return WebAssembly.instantiate(given, imports);
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return ofBytes(given);
  if (typeof Response !== "undefined" && given instanceof Response) return ofResponse(given);
  if (typeof given === "string" || given instanceof URL) return ofUrl(given);
  throw wrongType("source", "a URL, a Response, bytes or a WebAssembly.Module", given);
}

async function ofBytes(bytes) {
  try {
    return (await WebAssembly.instantiate(bytes, imports)).instance;
  } catch (error) {
    throw new CaromError("bad_bytes", `the module cannot be compiled: ${error.message}`);
  }
}

async function ofResponse(response) {
  if (!response.ok) {
    throw new CaromError("bad_bytes", `${response.url} answers ${response.status}: no module`);
  }
  // Servers that do not know the type of a module send it as bytes.
  const type = response.headers.get("Content-Type") ?? "";
  if (!type.startsWith("application/wasm")) return ofBytes(await response.arrayBuffer());
  return (await WebAssembly.instantiateStreaming(response, imports)).instance;
}

async function ofUrl(url) {
  const { href, protocol } = new URL(url, globalThis.location?.href ?? "file:///");
  // Node fetches no files, and bundlers stumble over an import of its modules.
  const files = protocol === "file:" && globalThis.process?.getBuiltinModule?.("node:fs/promises");
  return files ? ofBytes(await files.readFile(new URL(href))) : ofResponse(await fetch(href));
}
