export {
  CaromError,
  Handle,
  Mover,
  Prediction,
  Prepared,
  Ring,
  Shape,
  World,
  closestPointOn,
  contactOf,
  geometryAabb,
  geometryCheck,
  geometryMass,
  overlap,
  prepare,
  rayOn,
  separationOf,
  slotOf,
  version,
} from "./classes.js";
export type { IdList, List, JointInput } from "./classes.js";
export type * from "./generated/inputs.js";
export type * from "./generated/rows.js";
