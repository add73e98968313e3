"""A policy that was trained in the twin of LunarLander lands in Gymnasium's own.

    python bench/transfer.py [thousands of steps]

Trains PPO of Stable-Baselines3 in 32 worlds of the twin, and after every 100,000 steps lets it land 20
times in Gymnasium's environment; at the end 100 times in both. Needs stable-baselines3 and box2d.
"""

from __future__ import annotations

import sys
import time

import gymnasium
import numpy as np
from stable_baselines3 import PPO  # type: ignore[import-not-found, unused-ignore]

from carom import twins
from carom.sb3 import VecEnv


def in_gymnasium(model: PPO, landings: int) -> np.ndarray:
    """Sums of rewards of landings in Gymnasium's environment."""
    env, sums = gymnasium.make("LunarLander-v3", continuous=True), []
    for seed in range(landings):
        seen, _ = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            action, _ = model.predict(seen, deterministic=True)
            seen, reward, terminated, truncated, _ = env.step(action)
            total, over = total + float(reward), terminated or truncated
        sums.append(total)
    return np.array(sums)


def in_the_twin(model: PPO, landings: int) -> np.ndarray:
    """Sums of rewards of landings in the twin."""
    env = twins.lunar_lander(landings)
    seen, _ = env.reset(seed=1_000)
    sums, done = np.zeros(landings), np.zeros(landings, bool)
    while not done.all():
        action, _ = model.predict(seen, deterministic=True)
        seen, rewards, terminated, truncated, _ = env.step(action)
        sums += np.where(done, 0, rewards)
        done |= terminated | truncated
    return sums


def main() -> None:
    rounds = int(sys.argv[1] if len(sys.argv) > 1 else 800) // 100
    env = VecEnv(twins.lunar_lander(32, autoreset="same_step"))
    model = PPO(
        "MlpPolicy",
        env,
        n_steps=512,
        batch_size=512,
        n_epochs=8,
        learning_rate=7e-4,
        gamma=0.999,
        gae_lambda=0.98,
        seed=2,
        device="cpu",
    )
    begin = time.time()
    for number in range(1, rounds + 1):
        model.learn(100_000, reset_num_timesteps=False)
        mean = in_gymnasium(model, 20).mean()
        print(f"{100 * number:5},000 steps, {time.time() - begin:4.0f} s: {mean:6.1f} in Gymnasium")
    print(f"100 landings in Gymnasium: {in_gymnasium(model, 100).mean():.1f} in the mean")
    print(f"100 landings in the twin: {in_the_twin(model, 100).mean():.1f} in the mean")


if __name__ == "__main__":
    main()
