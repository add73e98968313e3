/**
 * Definitions of joints: each kind begins with its constructor in the module, and is edited.
 */
import { CaromError, S, failed, putId, wrongType, x } from "./core.js";
import { edit, number, placed, putPoint, putVec2 } from "./write.js";

/** Fields that constructors take, so that they are not edited once more. */
const TAKEN = {
  prismatic: ["axis"],
  wheel: ["axis", "spring"],
  motor: ["spring"],
  rope: ["max"],
  drag: ["to", "body"],
  friction: ["maxForce", "maxTorque"],
  gear: ["first", "second", "ratio"],
  pulley: ["groundA", "groundB", "ratio"],
};

/** Writes a definition at a place, which is followed by room for an id. */
export function putJoint(at, def) {
  if (typeof def !== "object" || def === null) throw wrongType("joint", "an object", def);
  // Arguments of constructors lie behind the definition and its id.
  const t = S + 1024;
  construct[kindOf(def)](at, def, t);
  failed();
  const rest = { ...def };
  delete rest.kind;
  for (const name of TAKEN[def.kind] ?? []) delete rest[name];
  edit(at, "jointDef", rest);
}

function kindOf({ kind }) {
  if (typeof kind === "string" && Object.hasOwn(construct, kind)) return kind;
  throw wrongType("kind", `one of ${Object.keys(construct).join(", ")}`, kind);
}

function bodies(def, t) {
  putId(t, def.a ?? def.bodyA);
  putId(t + 8, def.b ?? def.bodyB);
}

function axisOf(def, t) {
  putVec2(t + 16, def.axis ?? [1, 0], "axis");
  return t + 16;
}

/** The spring that a wheel or motor needs, by value. */
function springOf(def) {
  if (def.spring === undefined) {
    throw new CaromError("bad_joint", `a joint of kind ${def.kind} needs a \`spring\``);
  }
  return placed("spring", def.spring);
}

const construct = {
  revolute(at, def, t) {
    bodies(def, t);
    x.carom_joint_revolute(at, t, t + 8);
  },
  prismatic(at, def, t) {
    bodies(def, t);
    x.carom_joint_prismatic(at, t, t + 8, axisOf(def, t));
  },
  distance(at, def, t) {
    bodies(def, t);
    x.carom_joint_distance(at, t, t + 8);
  },
  rope(at, def, t) {
    bodies(def, t);
    x.carom_joint_rope(at, t, t + 8, number(def.max, "max"));
  },
  weld(at, def, t) {
    bodies(def, t);
    x.carom_joint_weld(at, t, t + 8);
  },
  wheel(at, def, t) {
    bodies(def, t);
    x.carom_joint_wheel(at, t, t + 8, axisOf(def, t), springOf(def));
  },
  motor(at, def, t) {
    bodies(def, t);
    x.carom_joint_motor(at, t, t + 8, springOf(def));
  },
  drag(at, def, t) {
    putId(t, def.body ?? def.b);
    putPoint(t + 16, def.to, "to");
    x.carom_joint_drag(at, t, t + 16, number(def.maxForce, "maxForce"));
  },
  friction(at, def, t) {
    bodies(def, t);
    const [force, torque] = [def.maxForce ?? 0, def.maxTorque ?? 0];
    x.carom_joint_friction(at, t, t + 8, number(force, "maxForce"), number(torque, "maxTorque"));
  },
  gear(at, def, t) {
    putId(t, def.first);
    putId(t + 8, def.second);
    x.carom_joint_gear(at, t, t + 8, number(def.ratio ?? 1, "ratio"));
  },
  pulley(at, def, t) {
    bodies(def, t);
    putPoint(t + 16, def.groundA, "groundA");
    putPoint(t + 32, def.groundB, "groundB");
    x.carom_joint_pulley(at, t, t + 8, t + 16, t + 32, number(def.ratio ?? 1, "ratio"));
  },
  filter(at, def, t) {
    bodies(def, t);
    x.carom_joint_filter(at, t, t + 8);
  },
};
