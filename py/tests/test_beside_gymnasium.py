"""The twins beside Gymnasium's own environments, where Box2D is installed."""

from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
twins = pytest.importorskip("carom.twins")
box2d: Any = pytest.importorskip("Box2D")


def walker() -> Any:
    return gymnasium.make("BipedalWalker-v3")


def test_spaces_are_the_same() -> None:
    for twin, name, options in (
        (twins.lunar_lander(1), "LunarLander-v3", {"continuous": True}),
        (twins.bipedal_walker(1), "BipedalWalker-v3", {}),
        (twins.car_racing(1), "CarRacing-v3", {}),
    ):
        own = gymnasium.make(name, **options)
        assert own.action_space == twin.single_action_space
        if name != "CarRacing-v3":
            assert own.observation_space == twin.single_observation_space


@pytest.mark.parametrize("seed", [0, 5, 63])
def test_the_ground_of_a_seed_is_the_same(seed: int) -> None:
    own = walker()
    own.reset(seed=seed)
    x, y = np.array(twins.ground(seed)).T
    assert x == pytest.approx(own.unwrapped.terrain_x, abs=1e-9)
    assert y == pytest.approx(own.unwrapped.terrain_y, abs=1e-9)


def test_a_walker_begins_as_gymnasiums_stands() -> None:
    own, twin = walker(), twins.bipedal_walker(1, grounds=[5])
    own.reset(seed=5)
    twin.reset(seed=5)
    none = np.zeros(4, np.float32)
    # Gymnasium's legs reach their joints in the second step.
    there, here = own.step(none)[0], twin.step(none[None])[0][0]
    still = [0, 4, 6, 9, 11, *range(14, 24)]
    assert here[still] == pytest.approx(there[still], abs=0.06)


def test_an_idle_walker_falls_alike() -> None:
    own, twin = walker(), twins.bipedal_walker(8)
    steps: list[int] = []
    for seed in range(8):
        own.reset(seed=seed)
        steps.append(0)
        over = False
        while not over:
            _, reward, over, _, _ = own.step(np.zeros(4, np.float32))
            steps[-1] += 1
        assert reward == -100
    twin.reset(seed=1)
    own_steps, twin_steps = np.median(steps), 0
    fallen = np.zeros(8, bool)
    while not fallen.any():
        _, rewards, fallen, _, _ = twin.step(np.zeros((8, 4), np.float32))
        twin_steps += 1
    assert (rewards[fallen] == -100).all()
    assert 0.75 < twin_steps / own_steps < 1.25


def test_gymnasiums_own_policy_walks_in_the_twin() -> None:
    policies = pytest.importorskip("gymnasium.envs.box2d.bipedal_walker")
    count = 24
    twin = twins.bipedal_walker(count)
    seen, _ = twin.reset(seed=1)
    walkers = [policies.BipedalWalkerHeuristics() for _ in range(count)]
    sums, done = np.zeros(count), np.zeros(count, bool)
    for _ in range(1600):
        actions = [walker.step_heuristic(row) for walker, row in zip(walkers, seen)]
        seen, rewards, terminated, truncated, _ = twin.step(np.array(actions, np.float32))
        sums += np.where(done, 0, rewards)
        done |= terminated | truncated
        if done.all():
            break
    assert done.all()
    # Some fall in Gymnasium, too; those that arrive or walk to the limit have about 300 there.
    assert np.median(sums) > 250 and sums.max() < 330


@pytest.mark.parametrize("road", [True, False])
def test_a_car_drives_as_gymnasiums_does(road: bool) -> None:
    dynamics = pytest.importorskip("gymnasium.envs.box2d.car_dynamics")

    class Tile:
        road_friction = 1.0

    world = box2d.b2World((0, 0))
    own = dynamics.Car(world, 0.0, 0.0, 0.0)
    for wheel in own.wheels if road else []:
        wheel.tiles.add(Tile())
    twin = twins.car_racing(1)
    twin.reset(seed=0)
    actions = np.zeros((110, 3), np.float32)
    actions[:80, 1], actions[80:100, 0], actions[100:, 2] = 0.5, -0.1, 0.5
    for step, action in enumerate(actions):
        steer, gas, brake = (float(number) for number in action)
        own.steer(-steer)
        own.gas(gas)
        own.brake(brake)
        own.step(1 / 50)
        world.Step(1 / 50, 180, 60)
        # The same ground for both, wherever the car is.
        twin._on_road[:] = road
        seen = twin.step(action[None])[0][0]
        ahead, velocity = own.hull.GetWorldVector((0, 1)), own.hull.linearVelocity
        speed = ahead[0] * velocity[0] + ahead[1] * velocity[1]
        assert 50 * seen[0] == pytest.approx(speed, rel=0.02, abs=0.05), step
        assert 5 * seen[2] == pytest.approx(own.hull.angularVelocity, rel=0.1, abs=0.1), step
        assert 0.4 * seen[3] == pytest.approx(own.wheels[0].joint.angle, abs=0.01), step
        assert twin._turns[0, 2] == pytest.approx(own.wheels[2].omega, rel=0.02, abs=0.5), step
    assert twin.world(0).masses[0] == pytest.approx(own.hull.mass, rel=1e-4)
