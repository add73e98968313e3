// A sample for the compiler of TypeScript.
import {
  Crowd,
  FlowField,
  GridMap,
  GridSearch,
  NavMesh,
  Way,
  World,
  type AgentId,
} from "carom/nav";

export function go(world: World, crowd: Crowd, agent: AgentId, mesh: NavMesh): number {
  const way = new Way();
  mesh.way([0, 0], [5, 5], 0.4, way);
  const flat: Float32Array = way.points(0.05);
  crowd.follow(agent, [[flat[0]!, flat[1]!]]);
  crowd.steer(world, 1 / 60);
  for (const event of crowd.events()) if (event.kind === "stuck") crowd.stand(world, event.agent);
  const map = GridMap.parse("..\n..");
  const flow = new FlowField([[1, 1]], "four");
  flow.fill(map);
  crowd.steerBy(world, [{ flow, map, origin: [0, 0], side: 1 }], 1 / 60);
  return new GridSearch().path(map, { start: [0, 0], goal: [1, 1] }).cells;
}
