"""A parameter sweep on all cores: 1,000 towers are hit by balls of drawn speed and weight.

    python examples/sweep.py

Blocks of 50 worlds are the unit of work: a block is a `Batch` whose seed is the block's number, so
that its worlds have the same bits whoever steps them. With joblib installed, the sweep runs in one
process and in two, and the hashes of all worlds are compared.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import carom

BLOCKS, WORLDS, STEPS = 20, 50, 120


def tower() -> tuple[carom.World, carom.Spec]:
    """Eight boxes on each other, a ball that flies at them, and what varies."""
    world = carom.World(gravity=(0, -9.81))
    world.add_fixed(carom.rect(40, 2), at=(0, -1), friction=0.6)
    boxes = [world.add(carom.rect(1, 1), at=(0, 0.5 + k), density=1.0) for k in range(8)]
    ball = world.add(carom.circle(0.4), at=(-6, 4), name="ball")

    spec = carom.Spec(world)
    spec.vary("velocity", ball, (5, 0), (25, 4)).vary("density", ball, 0.5, 5.0)
    for box in boxes:
        spec.observe("position", box, only="y")
    return world, spec


class Sweeper:
    """A batch of towers that serves one block after the other."""

    def __init__(self) -> None:
        world, spec = tower()
        self.batch = carom.Batch(world, WORLDS, spec)

    def run(self, block: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
        """How many boxes still stand in each world, and the hash of each world."""
        self.batch.reset(seed=block)
        for _ in range(STEPS):
            self.batch.step(1 / 60)
        heights = self.batch.observations
        stands = np.abs(heights - (0.5 + np.arange(heights.shape[1]))) < 0.2
        return stands.sum(axis=1), self.batch.hashes()


def run(block: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
    """A block in a process that has no batch yet."""
    return Sweeper().run(block)


def in_one_process() -> npt.NDArray[np.uint64]:
    """The hashes of all worlds, one block after the other; prints how the towers fared."""
    sweeper = Sweeper()
    stands, hashes = zip(*(sweeper.run(block) for block in range(BLOCKS)))
    counts = np.bincount(np.concatenate(stands), minlength=9)
    for boxes, count in enumerate(counts):
        print(f"{boxes} boxes stand: {count:4} towers {'#' * (count // 10)}")
    return np.concatenate(hashes)


def main() -> None:
    alone = in_one_process()
    print(f"{len(alone)} worlds, {len(np.unique(alone))} hashes")
    try:
        from joblib import Parallel, delayed
    except ImportError:
        print("joblib is not installed: the sweep in two processes is left out")
        return
    blocks = Parallel(n_jobs=2)(delayed(run)(block) for block in range(BLOCKS))
    together = np.concatenate([hashes for _, hashes in blocks])
    assert (together == alone).all()
    print("two processes of joblib: the same hashes")


if __name__ == "__main__":
    main()
