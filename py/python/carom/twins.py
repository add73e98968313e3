"""Twins of Gymnasium's environments: the same observations, actions and rewards, on carom's worlds.

`lunar_lander(4096)` makes a vector environment; importing this module also registers
`carom/LunarLander-v0` with Gymnasium:

    import carom.twins
    env = gymnasium.make_vec(
        "carom/LunarLander-v0", 4096, vectorization_mode="vector_entry_point"
    )
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from . import _carom
from .gym import VectorEnv
from .types import Floats

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
# Grounds are drawn once; each world begins on one of them, again and again.
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


class LunarLander(VectorEnv):
    """Gymnasium's LunarLander with continuous actions, as many as you like at once.

    Differences: the ground is one of 64, engines have no random spread, there is no wind, and servos
    hold the legs in place of motors that run.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        threads: int = 1,
        seed: int = 0,
        max_episode_steps: int = 1000,
        autoreset: Literal["next_step", "same_step"] = "next_step",
    ) -> None:
        worlds = [_world(number) for number in range(min(num_envs, GROUNDS))]
        spec = _spec(worlds[0], max_episode_steps)
        super().__init__(
            worlds, spec, num_envs, dt=1 / FPS, threads=threads, seed=seed, autoreset=autoreset
        )
        # The policy's actions: engines begin at half of their power, as Gymnasium's do.
        self.single_action_space = spaces.Box(-1, 1, (2,), np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._shaping = np.zeros(num_envs)

    @staticmethod
    def shaping(seen: Floats) -> npt.NDArray[np.float64]:
        """The value of a state: rewards are its changes."""
        x, y, vx, vy, angle, _, left, right = np.asarray(seen, float).T
        return np.asarray(
            -100 * np.hypot(x, y)
            - 100 * np.hypot(vx, vy)
            - 100 * np.abs(angle)
            + 10 * left
            + 10 * right
        )

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Resets all worlds, or those of `options["reset_mask"]`."""
        seen, info = super().reset(seed=seed, options=options)
        mask = None if options is None else options.get("reset_mask")
        chosen = slice(None) if mask is None else np.asarray(mask, np.bool_)
        self._shaping[chosen] = self.shaping(seen)[chosen]
        return seen, info

    def step(
        self, actions: Floats
    ) -> tuple[
        Floats, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """Steps all worlds."""
        main, side = np.clip(np.asarray(actions, np.float32), -1, 1).T
        engines = np.empty((self.num_envs, 2), np.float32)
        engines[:, 0] = np.where(main > 0, 0.5 + 0.5 * main, 0)
        engines[:, 1] = np.where(np.abs(side) > 0.5, side, 0)
        waited = self._waits.copy()
        seen, _, terminated, truncated, info = super().step(engines)
        ended = terminated | truncated
        same_step = self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        last = np.where(ended[:, None], self.batch.final_observations, seen) if same_step else seen
        value = self.shaping(last)
        rewards = value - self._shaping - 0.3 * engines[:, 0] - 0.03 * np.abs(engines[:, 1])
        reached = self.batch.ended
        rewards = np.where(terminated, np.where(reached == 2, 100.0, -100.0), rewards)
        rewards = np.where(waited, 0.0, rewards)
        self._shaping = self.shaping(seen) if same_step else value
        return seen, rewards, terminated, truncated, info


def lunar_lander(num_envs: int, **options: Any) -> LunarLander:
    """The twin of LunarLander: `threads`, `seed`, `max_episode_steps`, `autoreset` as keywords."""
    return LunarLander(num_envs, **options)


gymnasium.register(
    "carom/LunarLander-v0",
    vector_entry_point="carom.twins:LunarLander",
    max_episode_steps=1000,
)
