"""Race: LunarLander with random actions, Gymnasium's own beside carom's twin.

    python bench/lunar_lander.py [worlds] [steps] [rounds]

Gymnasium steps its environments one after the other in a `SyncVectorEnv`; the twin steps on one
thread. They take turns; the least of all rounds counts, in time of the processor. Needs gymnasium and
box2d.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import gymnasium
import numpy as np

import carom.twins


def race(env: Any, steps: int, worlds: int) -> float:
    """Seconds of a step of one world."""
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    actions = rng.uniform(-1, 1, (steps, worlds, 2)).astype(np.float32)
    for row in actions[:10]:
        env.step(row)
    begin = time.process_time()
    for row in actions:
        env.step(row)
    return (time.process_time() - begin) / (steps * worlds)


def main() -> None:
    given = sys.argv[1:]
    worlds, steps, rounds = (int(arg) for arg in given + ["256", "200", "3"][len(given) :])
    made = [lambda: gymnasium.make("LunarLander-v3", continuous=True)] * worlds
    racers = {
        "carom's twin, one thread": carom.twins.lunar_lander(worlds),
        "Gymnasium, SyncVectorEnv": gymnasium.vector.SyncVectorEnv(made),
    }
    least = dict.fromkeys(racers, float("inf"))
    for _ in range(rounds):
        for name, env in racers.items():
            least[name] = min(least[name], race(env, steps, worlds))
    print(f"LunarLander, {worlds} worlds, {steps} steps, the least of {rounds} rounds")
    for name, seconds in least.items():
        ratio = seconds / least["carom's twin, one thread"]
        print(f"{name:26} {1e6 * seconds:9.2f} us a step and world {ratio:8.1f} x the twin's")


if __name__ == "__main__":
    main()
