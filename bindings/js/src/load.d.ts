import type * as all from "./classes.js";

/**
 * Loads the module from a URL, a Response, its bytes or a WebAssembly.Module, and gives all
 * classes. A program has one module: a second call gives the same.
 */
export declare function load(
  source:
    | string
    | URL
    | Response
    | ArrayBuffer
    | ArrayBufferView
    | WebAssembly.Module
    | PromiseLike<Response | ArrayBuffer | WebAssembly.Module>,
  name?: string,
): Promise<typeof all>;

export type * from "./classes.js";
