"""Closed tracks by a seed, as points in equal steps, and where cars are on them.

A track is a curve around the origin: its radius is a sum of five waves of random heights, so that
it never crosses itself, and has no bend too sharp for a car. `Tracks` holds many, as arrays with a
row for each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

# The mean radius, the least, and the waves: their number, and the height of the first.
MEAN, LEAST = 140.0, 70.0
WAVES, WAVE = 5, 70.0
# Length of a tile.
STEP = 3.5


def track(seed: int) -> Reals:
    """The points of the middle of a road, counter-clockwise, each `STEP` metres from the last or a
    little less, shape (tiles, 2)."""
    random = np.random.default_rng(seed)
    angles = np.linspace(0, 2 * np.pi, 4000)
    waves = np.arange(1, WAVES + 1)
    heights, turns = WAVE * random.uniform(0, 1, WAVES) / waves, random.uniform(0, 2 * np.pi, WAVES)
    bulges = heights @ np.cos(waves[:, None] * angles + turns[:, None])
    radius = MEAN + bulges * min(1, (MEAN - LEAST) / np.abs(bulges).max())
    curve = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(curve, axis=0).T))])
    count = int(np.ceil(way[-1] / STEP))
    at = np.arange(count) * way[-1] / count
    return np.stack([np.interp(at, way, curve[:, 0]), np.interp(at, way, curve[:, 1])], axis=1)


class Tracks:
    """Tracks as arrays: points and directions of tiles, shape (tracks, most tiles, 2)."""

    def __init__(self, seeds: Sequence[int]) -> None:
        tracks = [track(seed) for seed in seeds]
        self.counts: Numbers = np.array([len(points) for points in tracks])
        self.points = np.zeros((len(tracks), self.counts.max(), 2))
        self.directions = np.zeros_like(self.points)
        for number, points in enumerate(tracks):
            chord = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
            self.points[number, : len(points)] = points
            self.directions[number, : len(points)] = chord / np.hypot(*chord.T)[:, None]

    def nearest(self, which: Numbers, points: Reals, guesses: Numbers) -> Numbers:
        """The tile nearest to each point, of three to either side of a guess: shapes (worlds,),
        (worlds, points, 2) and (worlds, points)."""
        around = (guesses[..., None] + np.arange(-3, 4)) % self.counts[which, None, None]
        away = self.points[which[:, None, None], around] - points[:, :, None]
        best = np.argmin((away**2).sum(axis=-1), axis=-1)
        return np.asarray(np.take_along_axis(around, best[..., None], axis=-1)[..., 0])

    def nearest_of_all(self, which: Numbers, points: Reals) -> Numbers:
        """The nearest of all tiles, for one point a world: shapes (worlds,) and (worlds, 2)."""
        away = ((self.points[which] - points[:, None]) ** 2).sum(axis=-1)
        away[np.arange(away.shape[1]) >= self.counts[which, None]] = np.inf
        return np.asarray(np.argmin(away, axis=-1))
