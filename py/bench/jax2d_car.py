"""Race: a car of a box on two wheels that falls on the ground and rolls, in Jax2D and in a batch.

    python bench/jax2d_car.py [worlds] [steps] [rounds]

Both step on the processor: Jax2D compiled by XLA, which takes the threads that it likes, carom on
one thread. The engine alone is measured: no actions, no observations. Time of the processor and by
the clock, the least of all rounds. Needs jax2d, chex and flax.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax2d.engine import PhysicsEngine, create_empty_sim
from jax2d.scene import (
    add_circle_to_scene,
    add_rectangle_to_scene,
    add_revolute_joint_to_scene,
)
from jax2d.sim_state import SimParams, StaticSimParams

import carom


def in_jax2d(worlds: int, steps: int) -> Callable[[], float]:
    """The car in the smallest arrays that hold it: four polygons are walls, one is the car."""
    static = StaticSimParams(
        num_polygons=5, num_circles=2, num_joints=2, num_thrusters=1, num_static_fixated_polys=4
    )
    params, engine = SimParams(), PhysicsEngine(static)
    state = create_empty_sim(static, floor_offset=0.0)
    state, (_, body) = add_rectangle_to_scene(
        state, static, position=jnp.array([2.0, 1.0]), dimensions=jnp.array([1.0, 0.4])
    )
    for x in (-0.5, 0.5):
        state, (_, wheel) = add_circle_to_scene(
            state, static, position=jnp.array([2.0 + x, 1.0]), radius=0.35
        )
        state, _ = add_revolute_joint_to_scene(
            state,
            static,
            a_index=body,
            b_index=wheel,
            a_relative_pos=jnp.array([x, 0.0]),
            b_relative_pos=jnp.zeros(2),
        )
    many = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (worlds, *leaf.shape)), state)
    actions = jnp.zeros((worlds, static.num_joints + static.num_thrusters))
    step = jax.jit(jax.vmap(lambda state, action: engine.step(state, params, action)[0]))
    jax.block_until_ready(step(many, actions))

    def run() -> float:
        now = many
        for _ in range(steps):
            now = step(now, actions)
        jax.block_until_ready(now)
        return float(now.polygon.position[0, int(body), 1])

    return run


def in_carom(worlds: int, steps: int) -> Callable[[], float]:
    """The same car over a ground."""
    world = carom.World(gravity=(0, -9.81), sleep=False)
    world.add_fixed(carom.rect(20, 2), at=(0, -1))
    body = world.add(carom.rect(1.0, 0.4), at=(2, 1))
    for x in (-0.5, 0.5):
        wheel = world.add(carom.circle(0.35), at=(2 + x, 1))
        world.revolute(body, wheel, at=(2 + x, 1))
    batch = carom.Batch(world, worlds)

    def run() -> float:
        batch.reset()
        for _ in range(steps):
            batch.step(1 / 60)
        return batch[0].bodies[1].position[1]

    return run


def main() -> None:
    given = sys.argv[1:]
    worlds, steps, rounds = (int(arg) for arg in given + ["1024", "100", "3"][len(given) :])
    racers = {"carom": in_carom(worlds, steps), "Jax2D": in_jax2d(worlds, steps)}
    least = dict.fromkeys(racers, (float("inf"), float("inf")))
    heights = {}
    for _ in range(rounds):
        for name, run in racers.items():
            begin, clock = time.process_time(), time.perf_counter()
            heights[name] = run()
            taken = time.process_time() - begin, time.perf_counter() - clock
            least[name] = min(least[name], taken)
    # Both cars stand on their wheels at the end.
    assert all(0.3 < height < 0.4 for height in heights.values()), heights
    print(f"a car, {worlds} worlds, {steps} steps, the least of {rounds} rounds")
    for name, (processor, clock) in least.items():
        per = 1e6 / (worlds * steps)
        ratio = processor / least["carom"][0]
        times = f"{per * processor:8.2f} us of the processor, {per * clock:8.2f} us"
        print(f"{name:6} {times}, {ratio:6.1f} x")


if __name__ == "__main__":
    main()
