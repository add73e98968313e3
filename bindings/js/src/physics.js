/** The entry `carom/physics`: loads its module, which lies beside the package's code. */
import { loadDefault } from "./load.js";

await loadDefault(new URL("../dist/physics.wasm", import.meta.url), "physics");

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
