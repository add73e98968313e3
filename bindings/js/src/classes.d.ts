/**
 * All classes, functions and types of carom.
 */
import type {
  BodyDef,
  BodyId,
  GeometryKind,
  JointDef,
  JointId,
  JointKind,
  Point,
  SpringInput,
  ShapeDef,
  TileCellInput,
  Vec,
} from "./generated/inputs.js";
import type { Aabb, ContactEditRow, Mass, PairViewRow, StepStatsRow } from "./generated/rows.js";
import type { Prepared } from "./generated/objects.js";
import type { Place } from "./generated/inputs.js";
import { Worlds } from "./generated/world.js";

export { Handle } from "./handle.js";
export type { IdList, List } from "./list.js";
export type * from "./generated/inputs.js";
export type * from "./generated/rows.js";
export * from "./generated/objects.js";
export * from "./generated/maps.js";
export * from "./generated/meshes.js";
export * from "./generated/geometry.js";

/** An error of carom: its text names the broken rule. */
export declare class CaromError extends Error {
  /** A word for programs: "bad_shape", "no_such_body", … */
  readonly code: string;
}

/** The slot of a body: its place in `World.poses`. */
export declare function slotOf(body: BodyId): number;
/** The version of carom. */
export declare function version(): string;

/** A joint, by its kind. `a` may lack: then the joint is with the world. */
export interface JointInput extends Omit<JointDef, "kind" | "spring"> {
  readonly kind: JointKind | "drag";
  /** A point of the world at which both bodies are held. */
  readonly at?: Point | undefined;
  /** The spring of wheels and motors; for other kinds, the softness of their locked axes. */
  readonly spring?: SpringInput | undefined;
  /** The greatest length of a rope. */
  readonly max?: number | undefined;
  /** The body of a `drag`, and the point to drag it to. */
  readonly body?: BodyId | undefined;
  readonly to?: Point | undefined;
}

export declare class World extends Worlds {
  /** Moves everything by `dt` seconds, and tells counts of the step. */
  step(dt: number): StepStatsRow;
  /** Adds a body, dynamic by default. */
  add(def: BodyDef): BodyId;
  addFixed(def: BodyDef): BodyId;
  addKinematic(def: BodyDef): BodyId;
  /** Adds many bodies at once, all or none; faster than one by one. */
  addAll(defs: Iterable<BodyDef>): BodyId[];
  addJoint(def: JointInput): JointId;
  /** Changes what the object has of a joint's definition; its bodies stay. */
  changeJoint(joint: JointId, changes: JointDef): void;
  /** Is asked for every two shapes before they touch for the first time. */
  setFilterHook(hook: (pair: PairViewRow) => boolean): void;
  /** Changes contacts of shapes with `contactHook`, in every step. */
  setContactHook(hook: (pair: PairViewRow, contact: ContactEditRow) => void): void;
  clearHooks(): void;
  /**
   * Poses of all bodies, [x, y, cos, sin] by slot, between the last two steps: 0 the step before,
   * 1 the last one. A view: ask for it anew each frame, which costs nothing.
   */
  poses(alpha?: number): Float32Array;
}

type Points = ArrayLike<Vec> | Float32Array;

/** Geometry: a value, checked when a call takes it. */
export declare class Shape {
  private constructor();
  readonly fields: { readonly kind: GeometryKind };
  static circle(radius: number): Shape;
  /** A segment with a radius. */
  static capsule(a: Vec, b: Vec, radius: number): Shape;
  static segment(a: Vec, b: Vec): Shape;
  /** A box by its full size. */
  static rect(width: number, height: number): Shape;
  /** A convex polygon of up to eight corners, counter-clockwise. */
  static polygon(points: Points): Shape;
  static hull(points: Points): Shape;
  static regular(corners: number, radius: number): Shape;
  /** An outline that is seen whole from its origin. */
  static polar(points: Points): Shape;
  /** Any simple outline. */
  static outline(points: Points): Shape;
  static compound(parts: Iterable<Shape>): Shape;
  /** An open chain of segments, solid on its right. */
  static chain(points: Points): Shape;
  static closedChain(points: Points): Shape;
  /** A tile map: cells row by row, the lowest first; packed, [kind, material] in bytes. */
  static tiles(side: number, width: number, cells: ArrayLike<TileCellInput> | Uint8Array): Shape;
  /** The solid pixels of an image, the topmost row first. */
  static mask(side: number, width: number, pixels: ArrayLike<number>, tolerance?: number): Shape;
  /** All behind a line. */
  static halfPlane(point: Vec, normal: Vec): Shape;
  static prepared(prepared: Prepared): Shape;
  /** The same, elsewhere in the frame of its body. */
  at(offset: Vec, angle?: number): Shape;
  rounded(radius: number): Shape;
  /** A definition with this geometry: density, friction, sensor, filter, … */
  with(def: Omit<ShapeDef, "geometry" | "shape">): ShapeDef;
  /** Throws the rule that it breaks, if any. */
  check(): void;
  mass(density?: number): Mass;
  aabb(place?: Place): Aabb;
}
