"""A batch as a vector environment of Gymnasium, which must be installed.

env = VectorEnv(world, spec, 4096, reward=lambda seen, actions: -abs(seen[:, 0]), dt=1 / 50)
observations, info = env.reset(seed=7)
observations, rewards, terminated, truncated, info = env.step(env.actions)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as _VectorEnv
from gymnasium.vector.utils import batch_space

from ._carom import Batch, Spec, World
from .types import Floats

__all__ = ["Reward", "VectorEnv"]

Reward = Callable[[Floats, Floats], npt.ArrayLike]
"""Rewards of all worlds, from observations after the step and actions before it."""

_MODES = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP}


class VectorEnv(_VectorEnv[Floats, Floats, npt.NDArray[Any]]):
    """Copies of a world, or of several in turn, that step together.

    Observations are arrays of their own; `actions` is the batch's memory, to be filled in place and
    handed to `step` without a copy. Actions outside of their ranges count as the nearest end. A
    reward is a function of observations and actions, computed for all worlds at once; without one
    it is 1 for each step.
    """

    batch_resets = True
    """Whether the batch resets worlds; a class that sets False does so itself, in `step`."""

    def __init__(
        self,
        world: World | Sequence[World],
        spec: Spec,
        num_envs: int,
        *,
        reward: Reward | None = None,
        dt: float = 1 / 60,
        repeat: int = 1,
        threads: int = 1,
        seed: int = 0,
        autoreset: Literal["next_step", "same_step"] = "next_step",
    ) -> None:
        if autoreset not in _MODES:
            raise ValueError("autoreset is 'next_step' or 'same_step'")
        self.batch = Batch(
            world,
            num_envs,
            spec,
            seed=seed,
            repeat=repeat,
            threads=threads,
            auto_reset=autoreset if self.batch_resets else "never",
        )
        self.spec_of_worlds = spec
        self.dt = dt
        self.reward = reward
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": _MODES[autoreset], "render_modes": []}
        self.render_mode = None
        low, high = np.array(spec.action_ranges, np.float32).reshape(-1, 2).T
        columns = len(spec.observation_names)
        self.single_action_space = spaces.Box(low, high, dtype=np.float32)
        self.single_observation_space = spaces.Box(-np.inf, np.inf, (columns,), np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    @property
    def actions(self) -> Floats:
        """The memory of the actions, shape (num_envs, columns)."""
        return self.batch.actions

    @property
    def waits(self) -> npt.NDArray[np.bool_]:
        """Which worlds the next step resets, with resets in the next step; such a step has no
        reward. Read from the batch, so that it is right after a step that raised, too."""
        if self.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP:
            return self.batch.terminated | self.batch.truncated
        return np.zeros(self.num_envs, bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Resets all worlds, or those of `options["reset_mask"]`; one seed is for the whole batch."""
        if isinstance(seed, list):
            raise ValueError("one seed serves all worlds: each draws its own numbers from it")
        mask = None if options is None else options.get("reset_mask")
        mask = None if mask is None else np.asarray(mask, np.bool_)
        if seed is not None:
            super().reset(seed=seed)
        self.batch.reset(mask, seed=seed)
        return self.batch.observations.copy(), {}

    def step(
        self, actions: Floats
    ) -> tuple[
        Floats, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """Steps all worlds."""
        batch, waited = self.batch, self.waits
        batch.step(self.dt, None if actions is batch.actions else actions)
        terminated, truncated = batch.terminated.copy(), batch.truncated.copy()
        observations, ended = batch.observations.copy(), terminated | truncated
        info: dict[str, Any] = {}
        seen = observations
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP and ended.any():
            final = np.where(ended[:, None], batch.final_observations, 0)
            info = {"final_obs": final, "_final_obs": ended.copy()}
            # The reward is for what the step led to, not for the next episode's beginning.
            seen = np.where(ended[:, None], batch.final_observations, observations)
        if self.reward is None:
            rewards = np.ones(self.num_envs)
        else:
            rewards = np.asarray(self.reward(seen, batch.actions), float)
            if rewards.shape != (self.num_envs,):
                raise ValueError(f"rewards have shape ({self.num_envs},), not {rewards.shape}")
        rewards = np.where(waited, 0.0, rewards)
        return observations, rewards, terminated, truncated, info

    def world(self, number: int) -> World:
        """A copy of one world, to look at."""
        return self.batch[number]

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is open."""
