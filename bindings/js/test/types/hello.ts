// A sample for the compiler of TypeScript.
import { Shape, World } from "carom";

const world = new World({ gravity: [0, -9.81] });
world.addFixed({ at: [0, -1], shape: Shape.rect(40, 2) });
const ball = world.add({ at: [0, 8], shape: Shape.circle(0.5) });
world.step(1 / 60);
const [x, y]: [number, number] = world.position(ball);
export const sum: number = x + y;
