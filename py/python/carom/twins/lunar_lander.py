"""The twin of LunarLander: a hull on two legs, two engines, and a pad to land on."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from .. import _carom
from ..types import Floats
from .twin import Autoreset, Reals, Twin

__all__ = ["LunarLander", "lunar_lander"]

# Lengths of Gymnasium's LunarLander are given in pixels of a thirtieth of a metre.
SCALE, FPS = 30.0, 50
WIDTH, HEIGHT = 600 / SCALE, 400 / SCALE
PAD = HEIGHT / 4
HULL = [(-14, 17), (-17, 0), (-17, -10), (17, -10), (17, 0), (14, 17)]
LEG_AWAY, LEG_DOWN, LEG_WIDTH, LEG_HEIGHT = 20 / SCALE, 18 / SCALE, 2 / SCALE, 8 / SCALE
MAIN_IMPULSE = 4 / SCALE * 13.0
SIDE_IMPULSE, SIDE_HEIGHT = 12 / SCALE * 0.6, 14 / SCALE
# The first step's random force of up to 1,000 N along each axis, as a change of speed.
KICK = 1000 / 4.82 / FPS
# Grounds are drawn once; an episode is on one of them.
GROUNDS = 64


def _world(seed: int) -> _carom.World:
    """A lander over a ground of its own."""
    rng = np.random.default_rng(seed)
    heights = rng.uniform(0, HEIGHT / 2, 12)
    heights[3:8] = PAD
    smooth = [(heights[k - 1] + heights[k] + heights[(k + 1) % 12]) / 3 for k in range(11)]
    ground = [(WIDTH * k / 10, float(smooth[k])) for k in range(11)]

    # A lander that stands shakes a little on its legs, and is to fall asleep: it has landed then.
    world = _carom.World(gravity=(0, -10), sleep_speed=0.2)
    world.add_fixed(
        _carom.chain([(-WIDTH, ground[0][1]), *ground, (2 * WIDTH, ground[-1][1])][::-1]),
        friction=0.1,
        name="ground",
    )
    at = (WIDTH / 2, HEIGHT)
    hull = _carom.hull([(x / SCALE, y / SCALE) for x, y in HULL])
    lander = world.add(hull, at=at, density=5, friction=0.1, name="lander")
    for side, name in ((-1, "left leg"), (1, "right leg")):
        # The leg begins where its hinge holds it: by a servo of 40 N m, as bodies at a motor that
        # runs, which Gymnasium's legs have, never fall asleep.
        turn = -0.4 * side
        anchor = np.array([side * LEG_AWAY, LEG_DOWN])
        cos, sin = np.cos(turn), np.sin(turn)
        offset = np.array([[cos, -sin], [sin, cos]]) @ anchor
        leg = world.add(
            _carom.rect(2 * LEG_WIDTH, 2 * LEG_HEIGHT),
            at=(at[0] - float(offset[0]), at[1] - float(offset[1])),
            angle=turn,
            density=1,
            friction=0.6,
            name=name,
        )
        limits = (0.4, 0.9) if side < 0 else (-0.9, -0.4)
        world.revolute(
            lander,
            leg,
            anchors=((0, 0), (float(anchor[0]), float(anchor[1]))),
            angle=0,
            limits=limits,
            servo=(-0.4 * side, 60, 1),
            force_range=(-40, 40),
        )
    return world


def _spec(world: _carom.World, step_limit: int) -> _carom.Spec:
    """Actions and observations of the lander, in Gymnasium's units."""
    spec = _carom.Spec(world, step_limit=step_limit)
    spec.action("impulse", "lander", axis=(0, 1), body_frame=True, range=(0, 1), scale=MAIN_IMPULSE)
    spec.action(
        "impulse",
        "lander",
        axis=(1, 0),
        body_frame=True,
        at=(0, SIDE_HEIGHT),
        range=(-1, 1),
        scale=SIDE_IMPULSE,
    )
    half_width, half_height, foot = WIDTH / 2, HEIGHT / 2, PAD + LEG_DOWN
    spec.observe("position", "lander", only="x", scale=1 / half_width, offset=-1)
    spec.observe("position", "lander", only="y", scale=1 / half_height, offset=-foot / half_height)
    spec.observe("velocity", "lander", only="x", scale=half_width / FPS)
    spec.observe("velocity", "lander", only="y", scale=half_height / FPS)
    spec.observe("angle", "lander").observe("spin", "lander", scale=20 / FPS)
    spec.observe("touches", "left leg").observe("touches", "right leg")
    parts = ["left leg", "right leg"]
    spec.vary("velocity", "lander", (-KICK, -KICK), (KICK, KICK), also=parts)
    spec.end("touches", "lander", with_body="ground", name="crashed")
    spec.end("outside", "lander", min=(0, -np.inf), max=(WIDTH, np.inf), name="left the view")
    spec.end("asleep", "lander", name="landed")
    return spec


# What is seen of the state in Gymnasium's units: ends of their ranges.
SEEN = np.array([2.5, 2.5, 10, 10, 2 * np.pi, 10, 1, 1], np.float32)
LOWEST = np.array([-2.5, -2.5, -10, -10, -2 * np.pi, -10, 0, 0], np.float32)


class LunarLander(Twin):
    """Gymnasium's LunarLander with continuous actions, as many as you like at once.

    Differences: the ground is one of 64, engines have no random spread, there is no wind, and
    servos hold the legs in place of motors that run.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        threads: int = 1,
        seed: int = 0,
        max_episode_steps: int = 1000,
        autoreset: Autoreset = "next_step",
    ) -> None:
        worlds = [_world(number) for number in range(GROUNDS)]
        # The policy's actions: engines begin at half of their power, as Gymnasium's do.
        super().__init__(
            worlds,
            _spec(worlds[0], max_episode_steps),
            num_envs,
            actions=spaces.Box(-1, 1, (2,), np.float32),
            observations=spaces.Box(LOWEST, SEEN),
            dt=1 / FPS,
            threads=threads,
            seed=seed,
            autoreset=autoreset,
        )

    def encode(self, actions: Floats) -> Floats:
        """Powers of the main engine and of the one at the side."""
        main, side = actions.T
        engines = np.empty_like(actions)
        engines[:, 0] = np.where(main > 0, np.minimum(0.5 + 0.5 * main, 1), 0)
        engines[:, 1] = np.where(np.abs(side) > 0.5, np.clip(side, -1, 1), 0)
        return engines

    def shaping(self, seen: Floats) -> Reals:
        """The value of a state: near the pad, slow, upright, on its legs."""
        x, y, vx, vy, angle, _, left, right = np.asarray(seen, float).T
        away = np.hypot(x, y) + np.hypot(vx, vy) + np.abs(angle)
        return np.asarray(10 * (left + right) - 100 * away)

    def rewards(self, changes: Reals, sent: Floats, reached: Any) -> Reals:
        """Fuel costs; a landing is worth 100, a crash -100."""
        rewards = changes - 0.3 * sent[:, 0] - 0.03 * np.abs(sent[:, 1])
        over = (reached >= 0) & (reached <= 2)
        return np.where(over, np.where(reached == 2, 100.0, -100.0), rewards)


def lunar_lander(num_envs: int, **options: Any) -> LunarLander:
    """The twin of LunarLander: `threads`, `seed`, `max_episode_steps`, `autoreset` as keywords."""
    return LunarLander(num_envs, **options)
