/**
 * All classes: the generated ones, and methods of World that are written by hand.
 */
import {
  P,
  S,
  U32,
  begin,
  fail,
  fresh,
  idAt,
  numberOf,
  pending,
  putId,
  setRows,
  textAt,
  x,
} from "./core.js";
import { Handle, answers } from "./handle.js";
import { IdList } from "./list.js";
import { putJoint } from "./joint.js";
import { Shape } from "./shape.js";
import { count, edit, iterated, listAt, number, putStruct } from "./write.js";
import { ENUMS, STATS_AT, STRUCTS } from "./generated/layout.js";
import { ContactEditRow, PairViewRow, StepStatsRow } from "./generated/rows.js";
import { Worlds } from "./generated/worlds.js";

export { CaromError, slotOf } from "./core.js";
export { Handle, Shape };
export * from "./generated/objects.js";
export * from "./generated/maps.js";
export * from "./generated/meshes.js";
export * from "./generated/geometry.js";

const { dynamic, fixed, kinematic } = ENUMS.bodyKind;
const BODY = STRUCTS.bodyDef;
const JOINT = STRUCTS.jointDef;

const pair = new PairViewRow();
const contact = new ContactEditRow();
setRows({ pair: (at) => pair.$over(at), edit: (at) => contact.$over(at) });

const decoder = new TextDecoder();

export class World extends Worlds {
  /** Moves everything by `dt` seconds, and tells counts of the step. */
  step(dt) {
    const at = P + STATS_AT;
    const status = x.carom_world_step(this.$, number(dt, "dt"), at);
    fresh();
    if (status !== 0 || pending !== null) fail(status);
    return (answers.worldStep ??= new StepStatsRow()).$over(at);
  }

  /** Adds a body, dynamic by default. */
  add(def) {
    return this.$add(def, dynamic);
  }

  addFixed(def) {
    return this.$add(def, fixed);
  }

  addKinematic(def) {
    return this.$add(def, kinematic);
  }

  $add(def, kind) {
    begin();
    const t = S;
    putBody(t, def, kind);
    const status = x.carom_body_add(this.$, t, t + BODY.size);
    fresh();
    if (status !== 0 || pending !== null) fail(status);
    return idAt(t + BODY.size);
  }

  /** Adds many bodies at once, all or none; faster than one by one. */
  addAll(defs) {
    begin();
    const t = S;
    const at = listAt("bodyDef", iterated(defs, withKind, "defs"), "defs");
    const status = x.carom_body_add_all(this.$, at, count, t, t + 4);
    fresh();
    if (status !== 0 || pending !== null) fail(status);
    return new IdList().over(U32[t >> 2], U32[(t + 4) >> 2]).toArray();
  }

  /** Adds a joint: see JointInput for what each kind takes. */
  addJoint(def) {
    begin();
    const t = S;
    putJoint(t, def);
    const status = x.carom_joint_add(this.$, t, t + JOINT.size);
    fresh();
    if (status !== 0 || pending !== null) fail(status);
    return idAt(t + JOINT.size);
  }

  /** Changes what the object has of a joint's definition; its bodies stay. */
  changeJoint(joint, changes) {
    begin();
    const t = S;
    const id = t + JOINT.size;
    putId(id, joint);
    let status = x.carom_joint_get_def(this.$, id, t);
    fresh();
    if (status !== 0 || pending !== null) fail(status);
    edit(t, "jointDef", changes);
    status = x.carom_joint_change(this.$, id, t);
    fresh();
    if (status !== 0 || pending !== null) fail(status);
  }

  /** Is asked for every two shapes before they touch for the first time. */
  setFilterHook(hook) {
    const number = numberOf(hook, "hook");
    const status = x.carom_world_set_filter_hook(this.$, x.carom_js_filter_hook(), number);
    fresh();
    if (status !== 0) fail(status);
  }

  /** Changes contacts of shapes with `contactHook`, in every step. */
  setContactHook(hook) {
    const number = numberOf(hook, "hook");
    const status = x.carom_world_set_contact_hook(this.$, x.carom_js_contact_hook(), number);
    fresh();
    if (status !== 0) fail(status);
  }

  clearHooks() {
    const status = x.carom_world_clear_hooks(this.$);
    fresh();
    if (status !== 0) fail(status);
  }

  /** Poses of all bodies, [x, y, cos, sin] by slot: 0 the step before, 1 the last one. */
  poses(alpha = 1) {
    return super.poses(alpha);
  }

  /** Where two worlds first differ, or null. */
  difference(other) {
    const text = super.difference(other);
    return text === null ? null : decoder.decode(text);
  }
}

function putBody(at, def, kind) {
  putStruct(at, "bodyDef", def);
  if (def?.kind === undefined) U32[(at + BODY.fields.kind[1]) >> 2] = kind;
}

function withKind(def) {
  if (typeof def !== "object" || def === null) return def;
  return def.kind === undefined ? { kind: "dynamic", ...def } : def;
}

/** The version of carom. */
export function version() {
  return textAt(x.carom_version());
}
