// A sample for the compiler of TypeScript.
import { Shape, World, type BodyId, type QueryFilterInput, type ShapeId } from "carom";

export function look(world: World, me: BodyId): ShapeId | null {
  const filter: QueryFilterInput = { without: me, predicate: (shape) => shape > 0 };
  const hit = world.ray({ from: [0, 0], translation: { x: 10, y: 0 } }, filter);
  const cast = world.cast({ shape: Shape.circle(0.5), from: [0, 0], translation: [1, 0] });
  const many = world.rays([{ from: [0, 0], translation: [1, 1] }]);
  const { ends, answers } = world.raysAll([{ from: [0, 0], translation: [1, 1] }]);
  const count: number = many.length + answers.length + (ends[0] ?? 0) + (cast?.time ?? 0);
  return count > 0 && hit !== null ? hit.shape : null;
}
