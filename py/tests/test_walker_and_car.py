"""The twins of BipedalWalker and CarRacing: beginnings, rewards, ends, and policies in them."""

import copy
from typing import Any

import numpy as np
import pytest

import carom

gymnasium = pytest.importorskip("gymnasium")
twins = pytest.importorskip("carom.twins")

MODES = pytest.mark.parametrize("mode", ["next_step", "same_step"])


def idle(env: Any) -> Any:
    return np.zeros(env.action_space.shape, np.float32)


@MODES
def test_an_idle_walker_falls(mode: str) -> None:
    env = twins.bipedal_walker(32, autoreset=mode)
    seen, _ = env.reset(seed=1)
    assert seen.shape == (32, 24) and seen.dtype == np.float32
    for step in range(200):
        seen, rewards, terminated, truncated, info = env.step(idle(env))
        assert not truncated.any() and seen.shape == (32, 24)
        assert (rewards[terminated] == -100).all() and (rewards[~terminated] > -5).all()
        if terminated.any():
            break
    # Gymnasium's falls after some 117 steps.
    assert 80 < step < 140
    if mode == "same_step":
        last = info["final_obs"][terminated]
        assert last.shape[1] == 24 and (np.abs(last[:, 0]) > 0.3).all()
        assert (np.abs(seen[terminated, 0]) < 0.1).all()
    else:
        _, rewards, again, _, _ = env.step(idle(env))
        assert (rewards[terminated] == 0).all() and not again[terminated].any()


def test_a_walker_begins_alike() -> None:
    seen, _ = twins.bipedal_walker(256).reset(seed=3)
    assert np.abs(seen[:, 0]).max() == 0 and np.abs(seen[:, 2]).max() < 0.005
    assert seen[:, 2].std() > 0.001
    # Hips and knees are within their limits, motors at rest.
    assert (seen[:, [4, 9]] > -0.8).all() and (seen[:, [4, 9]] < 1.1).all()
    assert (seen[:, [6, 11]] > -0.6).all() and (seen[:, [6, 11]] < 0.9).all()
    assert (seen[:, [5, 7, 10, 12]] == 0).all()
    # The rays turn away from the ground, one after the other.
    rays = seen[:, 14:]
    assert (
        (np.diff(rays, axis=1) >= 0).all() and (rays[:, 0] < 0.5).all() and (rays[:, -1] == 1).all()
    )


def test_a_motor_costs_what_it_pulls() -> None:
    env = twins.bipedal_walker(2, grounds=[1])
    env.reset(seed=1)
    x, angle = env.batch.observations[:, [-1, 0]].T.astype(float)
    actions = np.array([[0, 0, 0, 0], [1, -0.5, 7, 0]], np.float32)
    _, rewards, _, _, _ = env.step(actions)
    x_after, angle_after = env.batch.observations[:, [-1, 0]].T.astype(float)
    moved = 130 / 30 * (x_after - x) - 5 * (np.abs(angle_after) - np.abs(angle))
    assert rewards - moved == pytest.approx([0, -0.028 * 2.5], abs=1e-6)


def test_motors_turn_the_joints_as_they_are_told() -> None:
    env = twins.bipedal_walker(1, grounds=[1])
    env.reset(seed=1)
    for _ in range(10):
        seen, _, _, _, _ = env.step(np.array([[0.9, 0, -0.9, 0]], np.float32))
    # The hips turn apart, with at most their speed, or stand at their limits.
    assert seen[0, 4] - seen[0, 9] > 0.5
    assert np.abs(seen[0, [5, 10]]).max() < 1.3


def test_grounds_are_drawn_by_the_seed() -> None:
    def grounds(seed: int) -> Any:
        env = twins.bipedal_walker(64)
        env.reset(seed=seed)
        return env.batch.starts

    assert (grounds(1) == grounds(1)).all()
    assert (grounds(1) != grounds(2)).any() and len(np.unique(grounds(1))) > 20
    # And anew with each episode.
    env = twins.bipedal_walker(64, autoreset="same_step")
    env.reset(seed=1)
    before = env.batch.starts
    for _ in range(130):
        env.step(idle(env))
    assert (env.batch.starts != before).mean() > 0.9


def test_a_walker_at_the_end_has_arrived() -> None:
    env = twins.bipedal_walker(1, grounds=[0])
    env.reset(seed=1)
    assert env.batch.ended[0] == -1
    spec = env.spec_of_worlds
    start = copy.deepcopy(spec.world)
    points = np.array(twins.ground(0))
    assert points.shape == (200, 2) and (np.diff(points[:, 0]) > 0.46).all()
    # A walker that stands at the finish, above the ground there.
    shift = np.array([190 * 14 / 30 + 0.05, 6.0]) - np.array(start["hull"].position)
    for body in start.bodies[1:]:
        body.position = tuple(np.array(body.position) + shift)
    batch = carom.Batch(start, 1, spec)
    batch.step(1 / 50)
    assert spec.end_names[batch.ended[0]] == "arrived"


def racer(seen: Any) -> Any:
    """A policy that drives: towards a point of the road ahead, slower before bends."""
    bend, far = np.arctan2(seen[:, 20], seen[:, 21]), np.arctan2(seen[:, 26], seen[:, 27])
    wanted = np.clip(0.95 - 0.8 * np.abs(far), 0.4, 0.95)
    gas = np.where(seen[:, 0] < wanted, 0.6, 0)
    brake = np.where(seen[:, 0] > wanted + 0.1, 0.3, 0)
    return np.stack([np.clip(2.5 * bend, -1, 1), gas, brake], axis=1).astype(np.float32)


@MODES
def test_a_policy_drives_a_lap(mode: str) -> None:
    env = twins.car_racing(32, autoreset=mode, max_episode_steps=1800)
    seen, _ = env.reset(seed=3)
    assert seen.shape == (32, 36) and env.observation_space.contains(seen)
    sums, done, laps = np.zeros(32), np.zeros(32, bool), np.zeros(32, bool)
    for _ in range(1800):
        seen, rewards, terminated, truncated, info = env.step(racer(seen))
        sums += np.where(done, 0, rewards)
        laps |= ~done & info["lap_finished"] & info["_lap_finished"]
        assert (info["_lap_finished"] == terminated).all()
        done |= terminated | truncated
        if done.all():
            break
    assert done.all()
    assert np.median(sums) > 800 and laps.mean() > 0.9
    # A lap is worth 1000 for all tiles, less 0.1 a step.
    assert (sums <= 1000).all() and (sums[laps] > 780).all()


def test_a_car_that_leaves_the_field_is_lost() -> None:
    env = twins.car_racing(16, autoreset="same_step")
    env.reset(seed=1)
    actions = np.tile(np.array([0, 0.3, 0], np.float32), (16, 1))
    lost = np.zeros(16, bool)
    for _ in range(700):
        _, rewards, terminated, _, info = env.step(actions)
        assert (rewards[terminated] == -100).all() and not info["lap_finished"].any()
        lost |= terminated
    assert lost.mean() > 0.9


def test_an_idle_car_pays_for_its_time() -> None:
    env = twins.car_racing(4, max_episode_steps=30)
    first, _ = env.reset(seed=1)
    rewards = [env.step(idle(env))[1] for _ in range(29)]
    # The tiles it stands on are visited in the first step.
    assert (rewards[0] > 0).all() and (np.array(rewards[1:]) == -0.1).all()
    seen, _, terminated, truncated, _ = env.step(idle(env))
    assert truncated.all() and not terminated.any()
    assert np.abs(seen[:, :8]).max() < 1e-3 and (seen[:, 8:12] == 1).all()
    assert seen[:, 16:] == pytest.approx(first[:, 16:], abs=1e-3)
    # The next step resets it, without a reward.
    seen, rewards_of_reset, _, truncated, _ = env.step(idle(env))
    assert (rewards_of_reset == 0).all() and not truncated.any() and (seen[:, 15] == 0).all()


def test_pedals_and_wheel_do_what_they_say() -> None:
    def drive(*actions: tuple[float, float, float], steps: int = 40) -> Any:
        env = twins.car_racing(1)
        env.reset(seed=2)
        for action in actions:
            for _ in range(steps):
                seen = env.step(np.array([action], np.float32))[0][0]
        return seen

    straight, right, left = (drive((0, 0.5, 0), (x, 0, 0), steps=15) for x in (0, 0.5, -0.5))
    assert straight[0] > 0.2 and abs(straight[2]) < 0.01
    # Right is clockwise.
    assert right[2] < -0.05 and right[3] < -0.5 and left[2] > 0.05 and left[3] > 0.5
    assert drive((0, 0.5, 0), (0, 0, 1.0))[0] == pytest.approx(0, abs=0.01)
    # Gas rises by a tenth a step.
    assert drive((0, 1, 0), steps=1)[0] == drive((0, 0.1, 0), steps=1)[0] > 0


def test_tracks_are_closed_and_even() -> None:
    from carom.twins.track import STEP, track

    for seed in range(30):
        points = track(seed)
        gaps = np.hypot(*(np.roll(points, -1, axis=0) - points).T)
        assert (
            120 < len(points) < 400 and (gaps <= STEP * 1.001).all() and (gaps > 0.9 * STEP).all()
        )
        radii = np.hypot(*points.T)
        assert radii.min() > 69 and radii.max() < 211
        # No bend is tighter than 12 m.
        chords = np.roll(points, -1, axis=0) - points
        bends = np.diff(np.unwrap(np.arctan2(chords[:, 1], chords[:, 0])))
        assert np.abs(bends).max() < STEP / 12
        turns = np.unwrap(np.arctan2(points[:, 1], points[:, 0]))
        assert (np.diff(turns) > 0).all()
        assert (track(seed) == points).all()


@pytest.mark.parametrize(
    "name, columns", [("LunarLander", 8), ("BipedalWalker", 24), ("CarRacing", 36)]
)
def test_they_are_registered(name: str, columns: int) -> None:
    env = gymnasium.make_vec(f"carom/{name}-v0", 4, vectorization_mode="vector_entry_point")
    seen, _ = env.reset(seed=5)
    assert seen.shape == (4, columns)
    assert env.step(env.action_space.sample())[1].shape == (4,)


@pytest.mark.parametrize("make", [twins.lunar_lander, twins.bipedal_walker, twins.car_racing])
@MODES
def test_a_step_that_is_refused_changes_no_reward(make: Any, mode: str) -> None:
    """Two environments, one of which is asked for nonsense between the steps."""
    one, other = make(8, autoreset=mode), make(8, autoreset=mode)
    one.reset(seed=6), other.reset(seed=6)
    rng = np.random.default_rng(1)
    for _ in range(150):
        actions = rng.uniform(-1, 1, one.action_space.shape).astype(np.float32)
        for wrong in (np.full_like(actions, np.nan), actions[:3], actions[:, :1]):
            with pytest.raises(ValueError):
                other.step(wrong)
        for a, b in zip(one.step(actions)[:4], other.step(actions)[:4]):
            assert (a == b).all()


@pytest.mark.parametrize("make", [twins.lunar_lander, twins.bipedal_walker, twins.car_racing])
def test_memory_of_actions_is_the_policys(make: Any) -> None:
    env, twin = make(4), make(4)
    env.reset(seed=2), twin.reset(seed=2)
    rng = np.random.default_rng(3)
    for _ in range(20):
        actions = rng.uniform(-1, 1, env.action_space.shape).astype(np.float32)
        env.actions[:] = actions
        seen, rewards, _, _, _ = env.step(env.actions)
        # A step does not write into it.
        assert (env.actions == actions).all()
        other, same, _, _, _ = twin.step(actions)
        assert (seen == other).all() and (rewards == same).all()
        assert not np.shares_memory(env.actions, env.batch.actions)


@pytest.mark.parametrize("make", [twins.lunar_lander, twins.bipedal_walker, twins.car_racing])
def test_threads_change_no_bit(make: Any) -> None:
    runs = []
    for threads in (1, 2):
        env = make(16, threads=threads)
        env.reset(seed=9)
        rng = np.random.default_rng(4)
        for _ in range(100):
            env.step(rng.uniform(-1, 1, env.action_space.shape).astype(np.float32))
        runs.append(env.batch.hashes())
    assert (runs[0] == runs[1]).all()
