"""What the twins share: start worlds that are drawn by a seed, and rewards by changes of a value.

A twin is made of start worlds, each with a ground or track of its own, and draws with each reset
the one that a world begins as. Its actions and observations are the policy's; `encode` makes of
actions what the batch takes, and only the first columns of the batch's observations are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from .._carom import Spec, World
from ..gym import VectorEnv
from ..types import Floats

Autoreset: TypeAlias = Literal["next_step", "same_step"]
Step: TypeAlias = tuple[
    Floats, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
]
Reals: TypeAlias = npt.NDArray[np.float64]


class Twin(VectorEnv):
    """A vector environment whose rewards are changes of `shaping`, on drawn start worlds."""

    def __init__(
        self,
        starts: Sequence[World],
        spec: Spec,
        num_envs: int,
        *,
        actions: spaces.Box,
        observations: spaces.Box,
        dt: float,
        threads: int,
        seed: int,
        autoreset: Autoreset,
    ) -> None:
        super().__init__(
            starts,
            spec,
            num_envs,
            reward=self._reward,
            dt=dt,
            threads=threads,
            seed=seed,
            autoreset=autoreset,
        )
        self.single_action_space, self.single_observation_space = actions, observations
        self.action_space = batch_space(actions, num_envs)
        self.observation_space = batch_space(observations, num_envs)
        self._policy: Floats = np.zeros((num_envs, *actions.shape), np.float32)
        self._shown = observations.shape[0]
        self._count = len(starts)
        self._next = np.zeros(num_envs, np.int64)
        self._shaping = np.zeros(num_envs)
        self._random = np.random.default_rng(seed)
        self._draw(np.ones(num_envs, bool))

    @property
    def actions(self) -> Floats:
        """Memory for a policy's actions, shape (num_envs, columns): `step` only reads it."""
        return self._policy

    def encode(self, actions: Floats) -> Floats:
        """The numbers that the batch takes for the policy's."""
        return actions

    def shaping(self, seen: Floats) -> Reals:
        """The value of each state, by all columns of the batch: rewards are its changes."""
        raise NotImplementedError

    def rewards(self, changes: Reals, sent: Floats, reached: npt.NDArray[np.int32]) -> Reals:
        """The rewards of a step, by changes of value, actions sent, and the ends reached."""
        raise NotImplementedError

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Resets all worlds, or those of `options["reset_mask"]`."""
        mask = None if options is None else options.get("reset_mask")
        chosen = np.ones(self.num_envs, bool) if mask is None else np.asarray(mask, np.bool_)
        if isinstance(seed, int):
            self._random = np.random.default_rng(seed)
            self._draw(chosen)
        seen, info = super().reset(seed=seed, options=options)
        self._draw(chosen)
        self._shaping[chosen] = self.shaping(seen)[chosen]
        return seen[:, : self._shown], info

    def step(self, actions: Floats) -> Step:
        """Steps all worlds."""
        given = self.checked(actions)
        waited = self.waits
        try:
            seen, rewards, terminated, truncated, info = super().step(self.encode(given))
        except Exception:
            # Whether the worlds were stepped or not: the next reward begins where they are now.
            self._shaping = self.shaping(self.batch.observations)
            raise
        begun = waited
        if "final_obs" in info:
            begun = info["_final_obs"]
            self._shaping[begun] = self.shaping(seen)[begun]
            info["final_obs"] = info["final_obs"][:, : self._shown]
        self._draw(begun)
        return seen[:, : self._shown], rewards, terminated, truncated, info

    def checked(self, actions: npt.ArrayLike) -> Floats:
        """Refuses actions of another shape, and such that are not finite."""
        given = np.asarray(actions, np.float32)
        if given.shape != self._policy.shape:
            raise ValueError(f"actions must have shape {self._policy.shape}, not {given.shape}")
        if not np.isfinite(given).all():
            raise ValueError("actions must be finite")
        return given

    def _reward(self, seen: Floats, sent: Floats) -> Reals:
        value = self.shaping(seen)
        changes, self._shaping = value - self._shaping, value
        return self.rewards(changes, sent, self.batch.ended)

    def _draw(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Draws the start worlds that these worlds begin as at their next reset."""
        if self._count > 1 and chosen.any():
            self._next[chosen] = self._random.integers(self._count, size=int(chosen.sum()))
            self.batch.set_starts(self._next)


def resets_in_step(env: VectorEnv) -> bool:
    """Whether episodes that end begin anew in the same step."""
    return env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
