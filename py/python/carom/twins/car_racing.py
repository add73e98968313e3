"""The twin of CarRacing: a car with four wheels on a closed track, seen by numbers, not by pixels.

The bodies are those of a batch; forces of tyres are computed for all worlds at once with NumPy,
before each step, from the velocities of the wheels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from .. import _carom
from ..types import Floats
from .track import Numbers, Reals, Tracks
from .twin import Autoreset, Step, Twin, resets_in_step

__all__ = ["CarRacing", "car_racing"]

FPS = 50
# Lengths of Gymnasium's car are given in fiftieths of a metre; areas of the hull in their squares.
SIZE = 0.02
HULL = [
    [(-60, 130), (60, 130), (60, 110), (-60, 110)],
    [(-15, 120), (15, 120), (20, 20), (-20, 20)],
    [(25, 20), (50, -10), (50, -40), (20, -90), (-20, -90), (-50, -40), (-50, -10), (-25, 20)],
    [(-50, -120), (50, -120), (50, -90), (-50, -90)],
]
# Front left and right, rear left and right.
WHEELS = np.array([(-55, 80), (55, 80), (-55, -82), (55, -82)]) * SIZE
WHEEL_WIDTH, RADIUS = 28 * SIZE, 27 * SIZE
POWER, INERTIA = 1e8 * SIZE**2, 4e3 * SIZE**2
# What a tyre bears, N; on grass three fifths of it. Below, N for each m/s that it slips.
GRIP, GRASS, STIFFNESS = 1e6 * SIZE**2, 0.6, 205e3 * SIZE**2
STEERING, STEERING_TORQUE = 0.4, 180 * 900 * SIZE**2
BRAKE = 15.0
# Half of the road's width, and half of the field's.
ROAD, FIELD = 40 / 6, 2000 / 6
TRACKS = 64
# Units of speeds, spin and places in the state.
SPEED, SPIN, FAR = 50.0, 5.0, 50.0
AHEAD = 2 * np.arange(1, 11)
COLUMNS = 36


def _world(tracks: Tracks, number: int) -> _carom.World:
    """A car at the beginning of a track."""
    world = _carom.World(gravity=(0, 0), sleep=False)
    (x, y), (dx, dy) = tracks.points[number, 0], tracks.directions[number, 0]
    # The car looks along its y axis.
    angle = float(np.arctan2(-dx, dy))
    alone = _carom.Filter(category=1, mask=0)
    hull = _carom.compound([_carom.hull(SIZE * np.array(part)) for part in HULL])
    at = (float(x), float(y))
    world.add(hull, at=at, angle=angle, density=1, filter=alone, name="hull")
    tyre = _carom.rect(WHEEL_WIDTH, 2 * RADIUS)
    cos, sin = np.cos(angle), np.sin(angle)
    for wheel, (right, front) in enumerate(WHEELS):
        place = (at[0] + cos * right - sin * front, at[1] + sin * right + cos * front)
        name = f"wheel {wheel}"
        world.add(tyre, at=place, angle=angle, density=0.1, filter=alone, name=name)
        anchors = ((float(right), float(front)), (0, 0))
        if wheel < 2:
            world.revolute(
                "hull",
                name,
                anchors=anchors,
                angle=0,
                limits=(-STEERING, STEERING),
                motor=(0, STEERING_TORQUE),
                name=f"steering {wheel}",
            )
        else:
            world.weld("hull", name, anchors=anchors)
    return world


def _spec(world: _carom.World, step_limit: int) -> _carom.Spec:
    """Forces and speeds of steering go in; places, velocities and angles come out."""
    spec = _carom.Spec(world, step_limit=step_limit)
    wheels = [f"wheel {wheel}" for wheel in range(4)]
    steering = [world.joint_named(f"steering {wheel}") for wheel in range(2)]
    for wheel in wheels:
        for axis in ((1, 0), (0, 1)):
            spec.action("force", wheel, axis=axis, body_frame=True)
    for joint in steering:
        spec.action("motor_speed", joint)
    spec.observe("position", "hull").observe("velocity", "hull")
    spec.observe("angle", "hull").observe("spin", "hull")
    for wheel in wheels:
        spec.observe("position", wheel)
    for wheel in wheels:
        spec.observe("velocity", wheel)
    for joint in steering:
        spec.observe("joint_angle", joint)
    spec.end("outside", "hull", min=(-FIELD, -FIELD), max=(FIELD, FIELD), name="left the field")
    return spec


class CarRacing(Twin):
    """Gymnasium's CarRacing with continuous actions (steering, gas, brake) and a state of numbers.

    The columns of the state, each about -1 to 1:

      0, 1    speed ahead and to the right, in 50 m/s       2   spin, in 5 rad/s
      3       angle of the front wheels, in 0.4 rad         4-7 speed of each wheel's rim, in 50 m/s
      8-11    1 for a wheel on the road, 0 on grass
      12      distance from the middle of the road, in half of its width; left of it above 0
      13, 14  sine and cosine of the angle from the road's direction to the car's
      15      share of tiles that were visited
      16-35   ten points of the middle of the road ahead, each 7 m further: to the right and ahead,
              in 50 m

    Wheels are front left and right, rear left and right. Tracks are drawn from 64, which are
    carom's own; a wheel is on the road where its centre is. An episode ends with a lap: all tiles
    visited, or the first again after `lap_complete_percent` of them.
    """

    batch_resets = False

    def __init__(
        self,
        num_envs: int = 1,
        *,
        threads: int = 1,
        seed: int = 0,
        max_episode_steps: int = 1000,
        autoreset: Autoreset = "next_step",
        lap_complete_percent: float = 0.95,
    ) -> None:
        self.tracks = Tracks(range(TRACKS))
        self.lap_share = lap_complete_percent
        worlds = [_world(self.tracks, number) for number in range(TRACKS)]
        self._over = np.zeros(num_envs, bool)
        # Speeds of the wheels' turn in rad/s, gas, the tile of the hull and of each wheel, which
        # wheels are on the road, and which tiles were visited, with their number.
        self._turns = np.zeros((num_envs, 4))
        self._gas = np.zeros(num_envs)
        self._tiles = np.zeros((num_envs, 5), np.int64)
        self._on_road = np.zeros((num_envs, 4), bool)
        self._visited = np.zeros((num_envs, self.tracks.points.shape[1]), bool)
        self._found = np.zeros(num_envs, np.int64)
        self._steps = 0
        super().__init__(
            worlds,
            _spec(worlds[0], max_episode_steps),
            num_envs,
            actions=spaces.Box(np.array([-1, 0, 0], np.float32), np.ones(3, np.float32)),
            observations=spaces.Box(-np.inf, np.inf, (COLUMNS,), np.float32),
            dt=1 / FPS,
            threads=threads,
            seed=seed,
            autoreset=autoreset,
        )
        self._which = self._begin(np.ones(num_envs, bool))

    @property
    def waits(self) -> npt.NDArray[np.bool_]:
        """Which worlds the next step resets, with resets in the next step."""
        return self._over.copy()

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Resets all worlds, or those of `options["reset_mask"]`."""
        mask = None if options is None else options.get("reset_mask")
        chosen = np.ones(self.num_envs, bool) if mask is None else np.asarray(mask, np.bool_)
        super().reset(seed=seed, options=options)
        self._which = self._begin(chosen)
        return self._seen(), {}

    def step(self, actions: Floats) -> Step:
        """Steps all worlds."""
        given = self.checked(actions)
        waited = self._over.copy()
        self._reset(waited)
        self.batch.step(self.dt, self._sent(given), worlds=None if not waited.any() else ~waited)
        self._steps += 1
        fresh, lap = self._visit(waited)
        rewards = 1000 / self.tracks.counts[self._which] * fresh - 0.1
        left = self.batch.terminated & ~waited
        terminated, truncated = (left | lap) & ~waited, self.batch.truncated & ~waited
        truncated &= ~terminated
        rewards = np.where(waited, 0.0, np.where(left, -100.0, rewards))
        over = terminated | truncated
        seen = self._seen()
        info: dict[str, Any] = {"lap_finished": lap & ~left, "_lap_finished": terminated}
        if not resets_in_step(self):
            self._over = over
        elif over.any():
            info |= {"final_obs": np.where(over[:, None], seen, 0), "_final_obs": over.copy()}
            self._reset(over)
            seen = self._seen()
        return seen, rewards, terminated, truncated, info

    def shaping(self, seen: Floats) -> Reals:
        """Nothing: rewards are for tiles."""
        return np.zeros(len(seen))

    def _reset(self, chosen: npt.NDArray[np.bool_]) -> None:
        if chosen.any():
            self.batch.reset(chosen)
            self._which = self._begin(chosen)
            self._draw(chosen)

    def _begin(self, chosen: npt.NDArray[np.bool_]) -> Numbers:
        """Forgets the episodes of these worlds, and tells the track of each world."""
        self._over[chosen] = False
        self._turns[chosen], self._gas[chosen] = 0, 0
        self._tiles[chosen], self._visited[chosen], self._found[chosen] = 0, False, 0
        which = self.batch.starts.astype(np.int64)
        self._which = which
        self._look()
        return which

    def _sent(self, given: Floats) -> Floats:
        """Forces of the tyres and speeds of the steering, for pedals and wheel."""
        raw = self.batch.observations.astype(float)
        steer = -np.clip(given[:, 0], -1, 1)
        gas, brake = np.clip(given[:, 1:], 0, 1).T
        # Gas rises by a tenth a step, and stops at once.
        self._gas = np.minimum(gas, self._gas + 0.1)

        angles = np.repeat(raw[:, 4:5], 4, axis=1)
        angles[:, :2] += raw[:, 22:24]
        cos, sin = np.cos(angles), np.sin(angles)
        vx, vy = raw[:, 14:22:2], raw[:, 15:22:2]
        ahead, aside = cos * vy - sin * vx, cos * vx + sin * vy

        # The engine gives power to the rear wheels; the brake takes speed from all.
        turns = self._turns
        rear = turns[:, 2:]
        rear += (POWER / INERTIA / FPS * self._gas)[:, None] / (np.abs(rear) + 5)
        kept = np.maximum(np.abs(turns) - BRAKE * brake[:, None], 0)
        kept[brake >= 0.9] = 0
        turns[:] = np.sign(turns) * kept

        # A tyre pushes against its slip, as far as the ground bears it.
        push, side = STIFFNESS * (RADIUS * turns - ahead), -STIFFNESS * aside
        bears = np.where(self._on_road, GRIP, GRASS * GRIP)
        share = np.minimum(1, bears / np.maximum(np.hypot(push, side), 1e-9))
        push *= share
        turns -= push * RADIUS / INERTIA / FPS

        sent = np.empty((self.num_envs, 10), np.float32)
        sent[:, 0:8:2], sent[:, 1:8:2] = share * side, push
        sent[:, 8:] = np.clip(50 * (steer[:, None] - raw[:, 22:24]), -3, 3)
        return sent

    def _look(self) -> None:
        """Finds the tiles of hulls and wheels, and which wheels are on the road."""
        raw = self.batch.observations
        points = raw[:, [0, 1, *range(6, 14)]].reshape(-1, 5, 2).astype(float)
        self._tiles = self.tracks.nearest(self._which, points, self._tiles)
        # A car on grass may come to another part of the track: look at all of it now and then.
        turn = (self._steps + np.arange(self.num_envs)) % 10 == 0
        lost = np.flatnonzero(turn & ~self._on_road.any(axis=1))
        if len(lost):
            found = self.tracks.nearest_of_all(self._which[lost], points[lost, 0])
            self._tiles[lost] = found[:, None]
        at = (self._which[:, None], self._tiles)
        away, along = points - self.tracks.points[at], self.tracks.directions[at]
        self._offsets = along[..., 0] * away[..., 1] - along[..., 1] * away[..., 0]
        ahead = (along * away).sum(axis=-1)
        self._on_road = ((np.abs(self._offsets) < ROAD) & (np.abs(ahead) < ROAD))[:, 1:]

    def _visit(self, waited: npt.NDArray[np.bool_]) -> tuple[Numbers, npt.NDArray[np.bool_]]:
        """How many tiles wheels have come to for the first time, and whether that ends a lap."""
        self._look()
        world, wheel = np.nonzero(self._on_road & ~waited[:, None])
        tile = self._tiles[world, 1 + wheel]
        self._visited[world, tile] = True
        before, visited = self._found, self._visited.sum(axis=1)
        self._found, counts = visited, self.tracks.counts[self._which]
        at_first = np.zeros(self.num_envs, bool)
        at_first[world[tile == 0]] = True
        lap = (visited == counts) | (at_first & (visited > self.lap_share * counts))
        return visited - before, lap

    def _seen(self) -> Floats:
        """The state."""
        raw = self.batch.observations.astype(float)
        x, y, vx, vy, angle, spin = raw[:, :6].T
        cos, sin = np.cos(angle), np.sin(angle)
        which, tile = self._which, self._tiles[:, 0]
        dx, dy = self.tracks.directions[which, tile].T
        seen = np.empty((self.num_envs, COLUMNS), np.float32)
        seen[:, 0], seen[:, 1] = (cos * vy - sin * vx) / SPEED, (cos * vx + sin * vy) / SPEED
        seen[:, 2] = spin / SPIN
        seen[:, 3] = raw[:, 22:24].mean(axis=1) / STEERING
        seen[:, 4:8] = RADIUS / SPEED * self._turns
        seen[:, 8:12] = self._on_road
        seen[:, 12] = self._offsets[:, 0] / ROAD
        # The car looks along (-sin, cos).
        seen[:, 13], seen[:, 14] = dx * cos + dy * sin, dy * cos - dx * sin
        seen[:, 15] = self._found / self.tracks.counts[which]
        ahead = (tile[:, None] + AHEAD) % self.tracks.counts[which, None]
        points = self.tracks.points[which[:, None], ahead]
        px, py = points[..., 0] - x[:, None], points[..., 1] - y[:, None]
        seen[:, 16::2] = (cos[:, None] * px + sin[:, None] * py) / FAR
        seen[:, 17::2] = (cos[:, None] * py - sin[:, None] * px) / FAR
        return seen


def car_racing(num_envs: int, **options: Any) -> CarRacing:
    """The twin of CarRacing: `threads`, `seed`, `max_episode_steps`, `autoreset` and
    `lap_complete_percent` as keywords."""
    return CarRacing(num_envs, **options)
