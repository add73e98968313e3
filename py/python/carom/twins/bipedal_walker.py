"""The twin of BipedalWalker: a hull on two legs of two parts, driven by four motors, over a ground
of small waves that it feels by ten rays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from .. import _carom
from ..types import Floats
from .twin import Autoreset, Reals, Twin

__all__ = ["BipedalWalker", "bipedal_walker", "ground"]

# Lengths of Gymnasium's BipedalWalker are given in pixels of a thirtieth of a metre.
SCALE, FPS = 30.0, 50
WIDTH, HEIGHT = 600 / SCALE, 400 / SCALE
HULL = [(-30, 9), (6, 9), (34, 1), (34, -8), (-30, -8)]
LEG_WIDTH, LEG_HEIGHT, HIP = 8 / SCALE, 34 / SCALE, -8 / SCALE
TORQUE, HIP_SPEED, KNEE_SPEED = 80.0, 4.0, 6.0
# The ground: so many points, this far from each other, flat at the beginning, at this height.
POINTS, GAP, FLAT, LEVEL = 200, 14 / SCALE, 20, HEIGHT / 4
FINISH = (POINTS - 10) * GAP
# Ten rays reach so far, from straight down to 1.35 radians ahead of it.
RAYS, REACH, FAN = 10, 160 / SCALE, (-np.pi / 2, -np.pi / 2 + 1.35)
# The first push: up to 5 N for one step.
PUSH = 5.0
# Both surfaces have the mean that Box2D makes of Gymnasium's 2.5 of the ground and 0.2 of the legs.
FRICTION = (2.5 * 0.2) ** 0.5
GROUND, WALKER = 1, 2
SEEN = np.array([np.pi, 5, 5, 5, *2 * [np.pi, 5, np.pi, 5, 5], *RAYS * [1]], np.float32)
LOWEST = np.array([-np.pi, -5, -5, -5, *2 * [-np.pi, -5, -np.pi, -5, 0], *RAYS * [-1]], np.float32)


def ground(seed: int) -> list[tuple[float, float]]:
    """The points of Gymnasium's ground after `reset(seed=seed)`, from left to right.

    The slope remembers four fifths of itself, is drawn back to the level, and is disturbed at
    random after the flat beginning; now and then the ground is even for one step.
    """
    random = np.random.default_rng(seed)
    points = []
    height, slope, until_even, even = LEVEL, 0.0, FLAT, False
    for number in range(POINTS):
        if not even:
            slope = 0.8 * slope + 0.01 * float(np.sign(LEVEL - height))
            if number > FLAT:
                slope += float(random.uniform(-1, 1)) / SCALE
            height += slope
        points.append((number * GAP, height))
        until_even -= 1
        even = until_even == 0
        if even:
            until_even = int(random.integers(5, 10))
    return points


def _world(seed: int) -> _carom.World:
    """A walker that stands with bent legs on a ground of its own."""
    # The hull is twenty times as heavy as a shin: with four sub-steps legs give way, and
    # Gymnasium's own heuristic falls.
    world = _carom.World(gravity=(0, -10), sleep=False, sub_steps=8)
    world.add_fixed(
        _carom.chain(ground(seed)[::-1]),
        friction=FRICTION,
        filter=_carom.Filter(category=GROUND),
        name="ground",
    )
    # Gymnasium builds the legs half a metre from the hip, and they snap into this pose in two
    # steps.
    thigh, shin = 0.38, -0.505
    knee = turned(thigh, (0, -LEG_HEIGHT))
    toe = turned(shin, (0.4 * LEG_WIDTH, -LEG_HEIGHT))
    x, y = GAP * FLAT / 2, LEVEL - HIP - knee[1] - toe[1]
    parts = _carom.Filter(category=WALKER, mask=GROUND)
    corners = _carom.hull([(x / SCALE, y / SCALE) for x, y in HULL])
    world.add(corners, at=(x, y), density=5, friction=0.1, filter=parts, name="hull")
    upper = _carom.rect(LEG_WIDTH, LEG_HEIGHT)
    lower = _carom.rect(0.8 * LEG_WIDTH, LEG_HEIGHT)
    top, bottom = (0.0, LEG_HEIGHT / 2), (0.0, -LEG_HEIGHT / 2)
    for name in ("first", "second"):
        begins = (x, y + HIP)
        for shape, part, angle in ((upper, "thigh", thigh), (lower, "shin", shin)):
            middle = turned(angle, bottom)
            world.add(
                shape,
                at=(begins[0] + middle[0], begins[1] + middle[1]),
                angle=angle,
                density=1,
                friction=FRICTION,
                filter=parts,
                name=f"{name} {part}",
            )
            begins = (begins[0] + 2 * middle[0], begins[1] + 2 * middle[1])
        for a, b, at, limits, joint in (
            ("hull", f"{name} thigh", (0.0, HIP), (-0.8, 1.1), "hip"),
            (f"{name} thigh", f"{name} shin", bottom, (-1.6, -0.1), "knee"),
        ):
            world.revolute(
                a,
                b,
                anchors=(at, top),
                angle=0,
                limits=limits,
                motor=(0, 0),
                name=f"{name} {joint}",
            )
    return world


def turned(angle: float, point: tuple[float, float]) -> tuple[float, float]:
    """A point, turned about the origin."""
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    return cos * point[0] - sin * point[1], sin * point[0] + cos * point[1]


def _spec(world: _carom.World, step_limit: int) -> _carom.Spec:
    """Actions and observations of the walker, in Gymnasium's units and order."""
    spec = _carom.Spec(world, step_limit=step_limit)
    spec.observe("angle", "hull").observe("spin", "hull", scale=2 / FPS)
    spec.observe("velocity", "hull", only="x", scale=0.3 * WIDTH / FPS)
    spec.observe("velocity", "hull", only="y", scale=0.3 * HEIGHT / FPS)
    for name in ("first", "second"):
        for joint, speed, offset in (("hip", HIP_SPEED, 0), ("knee", KNEE_SPEED, 1)):
            motor = world.joint_named(f"{name} {joint}")
            spec.action("motor_effort", motor, speed=speed, range=(-1, 1), scale=TORQUE)
            spec.observe("joint_angle", motor, offset=offset)
            spec.observe("joint_spin", motor, scale=1 / speed)
        spec.observe("touches", f"{name} shin", with_body="ground")
    spec.observe("rays", "hull", count=RAYS, reach=REACH, fan=FAN, world_frame=True, mask=GROUND)
    # Not shown: the way, for rewards.
    spec.observe("position", "hull", only="x")

    push = PUSH / world["hull"].mass / FPS
    spec.vary("velocity", "hull", (-push, 0), (push, 0), added=True)
    far = float("inf")
    spec.end("touches", "hull", with_body="ground", name="fell")
    spec.end("outside", "hull", min=(0, -far), max=(far, far), name="left")
    spec.end("outside", "hull", min=(-far, -far), max=(FINISH, far), name="arrived")
    return spec


class BipedalWalker(Twin):
    """Gymnasium's BipedalWalker, the normal one, as many as you like at once.

    Each episode is on one of the grounds of `grounds`, which are Gymnasium's by the same seeds. It
    begins on bent legs, as Gymnasium's stands a step later; the solver is carom's, so that episodes
    are alike, not equal.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        threads: int = 1,
        seed: int = 0,
        max_episode_steps: int = 1600,
        autoreset: Autoreset = "next_step",
        grounds: Sequence[int] = range(64),
    ) -> None:
        worlds = [_world(number) for number in grounds]
        if not worlds:
            raise ValueError("there must be one ground at least")
        super().__init__(
            worlds,
            _spec(worlds[0], max_episode_steps),
            num_envs,
            actions=spaces.Box(-1, 1, (4,), np.float32),
            observations=spaces.Box(LOWEST, SEEN),
            dt=1 / FPS,
            threads=threads,
            seed=seed,
            autoreset=autoreset,
        )

    def shaping(self, seen: Floats) -> Reals:
        """The value of a state: far on its way, and upright."""
        angle, x = seen[:, [0, -1]].T.astype(float)
        return np.asarray(130 / SCALE * x - 5 * np.abs(angle))

    def rewards(self, changes: Reals, sent: Floats, reached: Any) -> Reals:
        """Torque costs; a fall is worth -100."""
        effort = np.abs(np.clip(sent, -1, 1)).sum(axis=1, dtype=float)
        return np.where(
            (reached == 0) | (reached == 1), -100.0, changes - 0.00035 * TORQUE * effort
        )


def bipedal_walker(num_envs: int, **options: Any) -> BipedalWalker:
    """The twin of BipedalWalker: `threads`, `seed`, `max_episode_steps`, `autoreset` and `grounds`
    as keywords."""
    return BipedalWalker(num_envs, **options)
