"""Boxes and balls fall into a bin, a pendulum swings through them; the last frame is a picture.

python examples/falling_boxes.py [picture.svg]
"""

import sys

import numpy as np

import carom


def main() -> None:
    world = carom.World(gravity=(0, -9.81))
    world.add_fixed(carom.chain([(-8, 8), (-8, 0), (8, 0), (8, 8)]))

    # Many at once: a shape, places, angles.
    rng = np.random.default_rng(1)
    places = [(-5 + (k % 8) * 1.3, 1 + (k // 8) * 1.2) for k in range(50)]
    boxes = world.add_many(carom.rect(0.9, 0.6), places, angles=rng.uniform(-1, 1, 50))
    world.add_many(carom.circle(0.35), [(x + 0.3, y + 9) for x, y in places], restitution=0.3)

    # One by one: a bob on a rod that turns about a point of the world.
    bob = world.add(carom.circle(0.6), at=(-6, 10), density=5, name="bob")
    world.revolute(None, bob, at=(0, 10))

    hits = 0
    for _ in range(240):
        world.step(1 / 60)
        hits += len(world.events.hits)
    print(f"{hits} hits; the bob is at {world['bob'].position}")
    print(f"the boxes' mean height is {world.positions[boxes & 0xFFFFFFFF, 1].mean():.2f} m")

    name = sys.argv[1] if len(sys.argv) > 1 else "falling_boxes.svg"
    with open(name, "w", encoding="utf-8") as file:
        file.write(world.to_svg(800))
    print(f"wrote {name}")


if __name__ == "__main__":
    main()
