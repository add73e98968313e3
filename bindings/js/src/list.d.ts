/**
 * Lists of answers. They are read where they lie in memory, make no garbage, and are valid until
 * the next call that changes their object.
 */
export declare class List<Row> implements Iterable<Row> {
  private constructor();
  readonly length: number;
  /** The one row of the list, at an index. */
  at(index: number): Row;
  /** One row, which goes from one element to the next. */
  [Symbol.iterator](): Iterator<Row>;
  /** Plain objects that stay. */
  toArray(): Row extends { copy(): infer Plain } ? Plain[] : never;
  /** How many numbers an element has in `floats` and `words`. */
  readonly stride: number;
  /** All elements as they lie in memory. */
  readonly floats: Float32Array;
  /** The same bytes as integers. */
  readonly words: Uint32Array;
}

/** Ids in a row. */
export declare class IdList<Id> implements Iterable<Id> {
  private constructor();
  readonly length: number;
  at(index: number): Id;
  [Symbol.iterator](): Iterator<Id>;
  toArray(): Id[];
}
