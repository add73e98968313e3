// The answer that all pages compute: the hash of a world after 100 steps.
export function answer({ Shape, World }) {
  const world = new World();
  world.addFixed({ at: [0, -1], shape: Shape.rect(40, 2) });
  for (let k = 0; k < 30; k += 1)
    world.add({ at: [(k % 5) - 2.2, 1 + k / 3], shape: Shape.rect(0.8, 0.6) });
  for (let k = 0; k < 100; k += 1) world.step(1 / 60);
  return String(world.hash());
}
