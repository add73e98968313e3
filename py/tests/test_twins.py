"""The twin of LunarLander: what Gymnasium's own policy does in it, and its rewards."""

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
twins = pytest.importorskip("carom.twins")


def heuristic(seen: Any) -> Any:
    """A policy that lands: tilts against drift, brakes with the main engine."""
    x, y, vx, vy, angle, spin, left, right = seen.T
    target = np.clip(0.5 * x + vx, -0.4, 0.4)
    hover = 0.55 * np.abs(x)
    turn = 0.5 * (target - angle) - spin
    lift = 0.5 * (hover - y) - 0.5 * vy
    down = (left + right) > 0
    turn = np.where(down, 0, turn)
    lift = np.where(down, -0.5 * vy, lift)
    return np.clip(np.stack([20 * lift - 1, -20 * turn], axis=1), -1, 1).astype(np.float32)


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_a_policy_lands(mode: str) -> None:
    env = twins.lunar_lander(128, autoreset=mode)
    seen, _ = env.reset(seed=3)
    sums, done = np.zeros(128), np.zeros(128, bool)
    for _ in range(1000):
        seen, rewards, terminated, truncated, _ = env.step(heuristic(seen))
        sums += np.where(done, 0, rewards)
        done |= terminated | truncated
        if done.all():
            break
    assert done.all()
    # Gymnasium counts 200 as solved.
    assert np.median(sums) > 200
    assert (sums > 200).mean() > 0.9


def test_a_free_fall_crashes() -> None:
    env = twins.lunar_lander(64)
    env.reset(seed=3)
    idle = np.full((64, 2), -1, np.float32)
    idle[:, 1] = 0
    worst = np.zeros(64)
    for _ in range(400):
        _, rewards, terminated, _, _ = env.step(idle)
        worst = np.where(terminated, np.minimum(worst, rewards), worst)
    assert (worst == -100).mean() > 0.9


def test_it_begins_as_gymnasium_does() -> None:
    seen, _ = twins.lunar_lander(512).reset(seed=1)
    assert np.abs(seen[:, 0]).max() < 0.02
    assert seen[:, 1] == pytest.approx(np.full(512, 1.41), abs=0.03)
    assert 0.3 < np.abs(seen[:, 2]).max() <= 0.85
    assert (seen[:, 6:] == 0).all()


def test_it_is_registered() -> None:
    env = gymnasium.make_vec(
        "carom/LunarLander-v0", 4, vectorization_mode="vector_entry_point", seed=5
    )
    seen, _ = env.reset(seed=5)
    assert seen.shape == (4, 8)
    _, rewards, _, _, _ = env.step(env.action_space.sample())
    assert rewards.shape == (4,)
