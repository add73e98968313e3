"""A scene of carom's own golden tests, built and played from Python: the same bits as from Rust.

The hashes are those that the tests of carom compare on every machine.
"""

import os
from pathlib import Path

import numpy as np
import pytest

import carom

HERE = Path(__file__).parent
HASHES = Path(
    os.environ.get("CAROM_GOLDEN", HERE / ".." / ".." / "tests" / "golden" / "hashes.txt")
)
DT = float(np.float32(1) / np.float32(60))


class Random:
    """SplitMix64, as the scenes of carom draw from it."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def bits(self) -> int:
        mask = 2**64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def range(self, low: float, high: float) -> float:
        f = np.float32
        unit = f(self.bits() >> 40) / f(1 << 24)
        return float(f(low) + (f(high) - f(low)) * unit)


def golden(name: str) -> dict[int, int]:
    """Hash by number of steps."""
    rows = [line.split() for line in HASHES.read_text().splitlines() if not line.startswith("#")]
    return {int(steps): int(bits, 16) for known, steps, bits in rows if known == name}


def room(world: carom.World, width: float, height: float) -> None:
    half = width / 2
    flat, wall = carom.rect(width + 2, 1), carom.rect(1, height)
    world.add_fixed(
        flat.at((0, -0.5)),
        flat.at((0, height + 0.5)),
        wall.at((-half - 0.5, height / 2)),
        wall.at((half + 0.5, height / 2)),
    )


@pytest.mark.parametrize("threads", [1, 2])
def test_the_pyramid_has_the_bits_of_rust(threads: int) -> None:
    expected = golden("pyramid")
    assert set(expected) == {100, 500, 1000, 1500, 2000}
    world = carom.World(sleep=False, threads=threads)
    room(world, 60, 40)
    f, pitch = np.float32, np.float32(1.05)
    places = [
        (float((f(k) - f(0.5) * f(19 - row)) * pitch), 0.5 + row)
        for row in range(20)
        for k in range(20 - row)
    ]
    ids = world.add_many(carom.rect(1, 1), places)
    ball = world.add(carom.circle(1.5), at=(-25, 2), density=8)
    random = Random(1)
    for step in range(2000):
        if step % 250 == 120:
            ball.teleport((-25, random.range(2, 16)), 0)
            ball.velocity = (random.range(15, 35), 2)
        if step % 1000 == 700:
            for bits, place in zip(ids, places):
                stone = world[int(bits)]
                stone.teleport(place, 0)
                stone.velocity = (0, 0)
                stone.spin = 0
        world.step(DT)
        if step + 1 in expected:
            assert world.hash() == expected[step + 1], step + 1
