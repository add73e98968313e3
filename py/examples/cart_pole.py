"""A pole on a cart is learned in seconds: 96 policies are tried at once, each in worlds of its own.

    python examples/cart_pole.py

A policy is four numbers, by which the observations are weighed. Each round tries policies drawn
around the best ones of the round before (the cross-entropy method), and prints how long they kept the
pole up.
"""

import numpy as np

import carom

POLICIES, TRIES, STEPS = 96, 3, 300


def cart_pole() -> tuple[carom.World, carom.Spec]:
    """A cart on a rail, a pole hinged to it, and the numbers that go in and out."""
    world = carom.World(sleep=False)
    cart = world.add(carom.rect(0.6, 0.3), mass=1.0, name="cart")
    pole = world.add(carom.rect(0.06, 1.0), at=(0, 0.5), mass=0.1, name="pole")
    world.prismatic(None, cart, (1, 0))
    world.revolute(cart, pole, at=(0, 0))

    spec = carom.Spec(world, step_limit=STEPS)
    spec.action("force", cart, axis=(1, 0), range=(-1, 1), scale=10)
    spec.observe("position", cart, only="x").observe("velocity", cart, only="x")
    spec.observe("angle", pole).observe("spin", pole)
    spec.vary("angle", pole, -0.1, 0.1, about=(0, -0.5))
    spec.end("angle_beyond", pole, limit=0.3)
    spec.end("outside", cart, min=(-2.4, -1), max=(2.4, 1))
    return world, spec


def survived(batch: carom.Batch, policies: np.ndarray, seed: int) -> np.ndarray:
    """How many steps each policy kept the pole up, in the mean of its tries."""
    batch.reset(seed=seed)
    steps, alive = np.zeros(len(batch)), np.ones(len(batch), bool)
    weights = np.repeat(policies, TRIES, axis=0)
    while alive.any():
        batch.actions[:, 0] = (weights * batch.observations).sum(axis=1)
        batch.step(1 / 50, worlds=alive)
        steps += alive
        alive &= batch.ended == -1
    return steps.reshape(POLICIES, TRIES).mean(axis=1)


def main() -> None:
    world, spec = cart_pole()
    batch = carom.Batch(world, POLICIES * TRIES, spec, threads=2)
    rng = np.random.default_rng(1)
    mean, spread = np.zeros(4), np.full(4, 4.0)
    for number in range(12):
        policies = rng.normal(mean, spread, (POLICIES, 4))
        steps = survived(batch, policies, seed=number)
        best = policies[np.argsort(steps)[-16:]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.05
        bar = "#" * round(40 * steps.mean() / STEPS)
        print(
            f"round {number:2}: {steps.mean():6.1f} steps in the mean, {steps.max():5.1f} at best {bar}"
        )
        if steps.mean() > 0.95 * STEPS:
            break
    print(f"learned: {np.round(mean, 2)}")


if __name__ == "__main__":
    main()
