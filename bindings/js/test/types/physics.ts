// A sample for the compiler of TypeScript.
import { CaromError, Mover, Shape, World, contactOf, overlap, type Point } from "carom/physics";

export function walk(world: World, mover: Mover, at: Point): string {
  const outcome = mover.slide(world, at, [1, 0], 1 / 60);
  try {
    Shape.polygon(new Float32Array([0, 0, 1, 0, 0, 1])).check();
  } catch (error) {
    if (error instanceof CaromError) return error.code;
  }
  const hit = contactOf(Shape.circle(1), [0, 0], Shape.rect(1, 1), { at: [1, 0], angle: 0.5 });
  return outcome.grounded && overlap(Shape.circle(1), [0, 0], Shape.circle(1), [1, 0, 0])
    ? `${hit?.depth}`
    : "no";
}
