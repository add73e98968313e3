"""Race: 1,000 boxes fall into a bin, and the poses of all are read after each step.

    python bench/falling_boxes.py [boxes] [steps] [rounds]

carom and pymunk take turns, a round each; the least of all rounds counts, in time of the processor,
which other work on the machine disturbs less than time by the clock. pymunk reads poses in two ways:
by its bulk interface `pymunk.batch`, and body by body. Prints one line a contestant, and the ratios.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

import numpy as np

import carom

DT = 1 / 60
WIDTH = 60.0


def places(count: int) -> list[tuple[float, float]]:
    """Where the boxes begin: rows of 40, a little askew."""
    return [(-26 + 1.3 * (k % 40) + 0.05 * math.sin(k), 2 + 1.3 * (k // 40)) for k in range(count)]


def bin_segments() -> list[tuple[tuple[float, float], tuple[float, float]]]:
    half = WIDTH / 2
    corners = [(-half, 80.0), (-half, 0.0), (half, 0.0), (half, 80.0)]
    return list(zip(corners, corners[1:]))


def race_carom(count: int, steps: int) -> tuple[float, float]:
    world = carom.World(sleep=False)
    world.add_fixed(*[carom.segment(a, b) for a, b in bin_segments()], friction=0.6)
    world.add_many(carom.rect(1, 1), places(count), friction=0.6)
    poses = np.empty((count + 1, 3), np.float32)
    begin = time.process_time()
    total = 0.0
    for _ in range(steps):
        world.step(DT)
        world.read_poses(poses)
        total += float(poses[-1, 1])
    return time.process_time() - begin, highest(poses[1:, 1])


def space_of(count: int) -> tuple[object, list[object]]:
    import pymunk

    space = pymunk.Space()
    space.gravity = (0, -9.81)
    for a, b in bin_segments():
        wall = pymunk.Segment(space.static_body, a, b, 0.01)
        wall.friction = 0.6
        space.add(wall)
    bodies: list[object] = []
    for place in places(count):
        body = pymunk.Body(1, pymunk.moment_for_box(1, (1, 1)))
        body.position = place
        shape = pymunk.Poly.create_box(body, (1, 1))
        shape.friction = 0.6
        space.add(body, shape)
        bodies.append(body)
    return space, bodies


def race_pymunk_batch(count: int, steps: int) -> tuple[float, float]:
    import pymunk.batch

    space, _ = space_of(count)
    fields = pymunk.batch.BodyFields.POSITION | pymunk.batch.BodyFields.ANGLE
    buffer = pymunk.batch.Buffer()
    begin = time.process_time()
    total = 0.0
    poses = np.zeros((count, 3))
    for _ in range(steps):
        space.step(DT)  # type: ignore[attr-defined]
        buffer.clear()
        pymunk.batch.get_space_bodies(space, fields, buffer)  # type: ignore[arg-type]
        poses = np.frombuffer(buffer.float_buf(), dtype=np.float64).reshape(-1, 3)
        total += float(poses[-1, 1])
    return time.process_time() - begin, highest(poses[:, 1])


def race_pymunk(count: int, steps: int) -> tuple[float, float]:
    space, bodies = space_of(count)
    begin = time.process_time()
    poses: list[tuple[float, float, float]] = []
    for _ in range(steps):
        space.step(DT)  # type: ignore[attr-defined]
        poses = [(*body.position, body.angle) for body in bodies]  # type: ignore[attr-defined]
    return time.process_time() - begin, highest(np.array(poses)[:, 1])


def highest(heights: np.ndarray) -> float:
    return float(np.percentile(heights, 99))


RACERS: dict[str, Callable[[int, int], tuple[float, float]]] = {
    "carom": race_carom,
    "pymunk, read by pymunk.batch": race_pymunk_batch,
    "pymunk, read body by body": race_pymunk,
}


def main() -> None:
    count, steps, rounds = (
        int(arg) for arg in (sys.argv[1:] + ["1000", "300", "5"][len(sys.argv) - 1 :])
    )
    least = dict.fromkeys(RACERS, math.inf)
    heights = dict.fromkeys(RACERS, math.nan)
    for _ in range(rounds):
        for name, race in RACERS.items():
            seconds, heights[name] = race(count, steps)
            least[name] = min(least[name], seconds)
    print(f"{count} boxes, {steps} steps, the least of {rounds} rounds")
    for name, seconds in least.items():
        ratio = seconds / least["carom"]
        print(
            f"{name:30} {1e3 * seconds / steps:8.3f} ms a step {ratio:7.2f} x carom's,"
            f" 99 of 100 below {heights[name]:.1f} m at the end"
        )


if __name__ == "__main__":
    main()
