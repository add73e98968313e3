export {
  CaromError,
  Crowd,
  FlowField,
  GridMap,
  GridSearch,
  Handle,
  NavMesh,
  Shape,
  Way,
  World,
  slotOf,
  version,
} from "./classes.js";
export type { IdList, List, JointInput } from "./classes.js";
export type * from "./generated/inputs.js";
export type * from "./generated/rows.js";
