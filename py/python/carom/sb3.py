"""A batch as a vector environment of Stable-Baselines3, which must be installed.

env = VecEnv(world, spec, 64, reward=lambda seen, actions: np.ones(len(seen)))
model = PPO("MlpPolicy", env).learn(100_000)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import (  # type: ignore[import-not-found, unused-ignore]
    VecEnv as _VecEnv,
)

from . import gym
from ._carom import Spec, World

__all__ = ["VecEnv"]


class VecEnv(_VecEnv):  # type: ignore[misc, unused-ignore]
    """Copies of a world that step together; episodes that end begin anew in the same step.

    The arguments are those of `carom.gym.VectorEnv`, but for `autoreset`; or a vector environment
    made with `autoreset="same_step"`, such as `carom.twins.lunar_lander`.
    """

    def __init__(
        self,
        world: World | Sequence[World] | gym.VectorEnv,
        spec: Spec | None = None,
        num_envs: int = 1,
        **options: Any,
    ) -> None:
        if isinstance(world, gym.VectorEnv):
            if world.metadata["autoreset_mode"] is not AutoresetMode.SAME_STEP:
                raise ValueError("the environment must be made with autoreset='same_step'")
            self.vector = world
        elif spec is None:
            raise TypeError("worlds need a spec")
        else:
            self.vector = gym.VectorEnv(world, spec, num_envs, autoreset="same_step", **options)
        count = self.vector.num_envs
        self._actions: npt.NDArray[np.float32] = np.zeros(
            self.vector.action_space.shape or (), "f4"
        )
        self._returns = np.zeros(count)
        self._lengths = np.zeros(count, int)
        self.render_mode = None
        super().__init__(
            count, self.vector.single_observation_space, self.vector.single_action_space
        )

    def reset(self) -> npt.NDArray[np.float32]:
        """Resets all worlds, with the seed that `seed` set."""
        seed = next((seed for seed in self._seeds if seed is not None), None)
        self._reset_seeds()
        self._returns[:] = 0
        self._lengths[:] = 0
        return self.vector.reset(seed=seed)[0]

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Keeps the actions of the next step."""
        self._actions = np.asarray(actions, np.float32)

    def step_wait(
        self,
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], list[dict[str, Any]]]:
        """Steps all worlds. The infos of ended episodes have their last observation and their sums."""
        seen, rewards, terminated, truncated, info = self.vector.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for number in np.flatnonzero(dones):
            infos[number] = {
                "terminal_observation": info["final_obs"][number],
                "TimeLimit.truncated": bool(truncated[number]),
                "episode": {"r": float(self._returns[number]), "l": int(self._lengths[number])},
            }
        self._returns[dones] = 0
        self._lengths[dones] = 0
        return seen, rewards.astype(np.float32), dones, infos

    def close(self) -> None:
        """Nothing is open."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute of the vector environment, once for each chosen world."""
        return [getattr(self.vector, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets the attribute of the vector environment: worlds have none of their own."""
        setattr(self.vector, attr_name, value)

    def env_method(
        self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any
    ) -> list[Any]:
        """Calls the method of the vector environment with the number of each chosen world."""
        method = getattr(self.vector, method_name)
        return [method(number, *args, **kwargs) for number in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """Worlds have no wrappers."""
        return [False for _ in self._get_indices(indices)]
