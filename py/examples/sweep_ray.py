"""The sweep of sweep.py with Ray: two actors hold a batch each, and take blocks as they are free.

    python examples/sweep_ray.py [address]

Without an address Ray starts on this machine; with one, such as "auto", the actors run on the
cluster that is there, and each of its machines needs carom, and this folder at the same place.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np
import sweep

ACTORS = 2


class Worker(sweep.Sweeper):
    """A sweeper that says in which process it is."""

    def process(self) -> int:
        return os.getpid()


def main() -> None:
    try:
        import ray
    except ImportError:
        print("Ray is not installed: the sweep is left out")
        return
    # Actors import this file's folder; nothing else is sent to them but numbers of blocks.
    here = os.path.dirname(os.path.abspath(__file__))
    options: dict[str, Any] = {"runtime_env": {"env_vars": {"PYTHONPATH": here}}}
    if len(sys.argv) > 1:
        options["address"] = sys.argv[1]
    else:
        options |= {"num_cpus": ACTORS, "include_dashboard": False, "log_to_driver": False}
    ray.init(**options)
    actors = [ray.remote(Worker).remote() for _ in range(ACTORS)]
    processes = ray.get([actor.process.remote() for actor in actors])
    pool = ray.util.ActorPool(actors)
    # In the order of the blocks, whichever actor ran them.
    blocks = list(pool.map(lambda actor, block: actor.run.remote(block), range(sweep.BLOCKS)))
    ray.shutdown()

    together = np.concatenate([hashes for _, hashes in blocks])
    assert (together == sweep.in_one_process()).all()
    print(f"{len(set(processes))} actors of Ray, {len(together)} worlds: the same hashes")


if __name__ == "__main__":
    main()
