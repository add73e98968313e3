// A sample for the compiler of TypeScript.
import { Shape, World, type ShapeDef, type TileCellInput } from "carom";

export function level(world: World, cells: TileCellInput[]): void {
  const def: ShapeDef = Shape.tiles(1, 16, cells).with({ friction: 0.8 });
  const body = world.addFixed({ shapes: [def, Shape.halfPlane([0, -5], [0, 1])] });
  const tiles = world.shapesOf(body).at(0);
  const size = world.tileSize(tiles);
  if (size !== null && size.rows > 2) world.setTile(tiles, 1, 1, { kind: 1, material: 0 });
  const water = world.addFixed({ shape: Shape.rect(4, 2).with({ sensor: true }) });
  world.setShapeArea(world.shapesOf(water).at(0), { hasFluid: true, fluidDensity: 1000 });
}
