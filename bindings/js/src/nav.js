/** The entry `carom/nav`: loads its module, which lies beside the package's code. */
import { loadDefault } from "./load.js";

await loadDefault(new URL("../dist/nav.wasm", import.meta.url), "nav");

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
