/// <reference lib="esnext.disposable" />
/** Objects of the module: freed by `free`, by `using`, or at last by the garbage collector. */
export declare class Handle {
  /** Gives its memory back. Later calls throw. */
  free(): void;
  readonly isFreed: boolean;
  [Symbol.dispose](): void;
}
