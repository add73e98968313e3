"""Race: LunarLander and BipedalWalker with random actions, Gymnasium's, EnvPool's, and the twins.

    python bench/twins.py [worlds] [steps] [rounds]

Gymnasium steps its environments one after the other in a `SyncVectorEnv`; EnvPool and the twins
step on one thread. They take turns; the least of all rounds counts, in time of the processor. Needs
gymnasium and box2d; EnvPool takes part where it is installed. CarRacing has no race: Gymnasium's
draws a picture in each step, which the twin does not.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import carom.twins

# Name of the twin, of Gymnasium's, and number of actions.
ENVIRONMENTS = {
    "lunar_lander": ("LunarLander-v3", "LunarLanderContinuous-v3", 2, {"continuous": True}),
    "bipedal_walker": ("BipedalWalker-v3", "BipedalWalker-v3", 4, {}),
}


def race(env: Any, reset: Callable[[], Any], steps: int, worlds: int, columns: int) -> float:
    """Seconds of a step of one world."""
    reset()
    rng = np.random.default_rng(1)
    actions = rng.uniform(-1, 1, (steps, worlds, columns)).astype(np.float32)
    for row in actions[:10]:
        env.step(row)
    begin = time.process_time()
    for row in actions:
        env.step(row)
    return (time.process_time() - begin) / (steps * worlds)


def racers(name: str, worlds: int) -> dict[str, tuple[Any, Callable[[], Any]]]:
    """Environments, and how each is reset."""
    own, pooled, _, options = ENVIRONMENTS[name]
    twin = getattr(carom.twins, name)(worlds)
    made = [lambda: gymnasium.make(own, **options)] * worlds
    sync = gymnasium.vector.SyncVectorEnv(made)
    found = {
        "carom's twin": (twin, lambda: twin.reset(seed=1)),
        "Gymnasium, SyncVectorEnv": (sync, lambda: sync.reset(seed=1)),
    }
    try:
        import envpool

        pool = envpool.make(
            pooled, env_type="gymnasium", num_envs=worlds, batch_size=worlds, num_threads=1, seed=1
        )
        found["EnvPool, one thread"] = (pool, pool.reset)
    except Exception as error:  # whatever keeps it from starting
        print(f"EnvPool takes no part: {type(error).__name__}: {error}")
    return found


def main() -> None:
    given = sys.argv[1:]
    worlds, steps, rounds = (int(arg) for arg in given + ["256", "200", "3"][len(given) :])
    for name, (_, _, columns, _) in ENVIRONMENTS.items():
        made = racers(name, worlds)
        least = dict.fromkeys(made, float("inf"))
        for _ in range(rounds):
            for racer, (env, reset) in made.items():
                least[racer] = min(least[racer], race(env, reset, steps, worlds, columns))
        print(f"{name}, {worlds} worlds, {steps} steps, the least of {rounds} rounds")
        for racer, seconds in least.items():
            ratio = seconds / least["carom's twin"]
            print(f"{racer:26} {1e6 * seconds:9.2f} us a step and world {ratio:8.1f} x the twin's")


if __name__ == "__main__":
    main()
