"""Many worlds at once: specs as data, steps, resets, bits, and environments of Gymnasium."""

import math
from typing import Any

import numpy as np
import pytest
from cart_pole import cart_pole

import carom

DT = 1 / 50


def typeless(value: Any) -> Any:
    return value


def balance(seen: Any) -> Any:
    """A policy that keeps the pole up."""
    x, v, angle, spin = seen.T
    return (0.2 * x + 0.3 * v - 3 * angle - 0.6 * spin)[:, None]


def test_a_spec_names_its_columns() -> None:
    _, spec = cart_pole()
    assert spec.action_names == ["push"]
    assert spec.action_ranges == [(-1, 1)]
    assert spec.observation_names == ["x", "v", "angle", "spin"]
    assert spec.end_names == ["fallen", "off the rail"]
    assert repr(spec) == "<carom.Spec: 1 actions, 4 observations, 2 ends>"
    spec.check()


def test_worlds_begin_varied() -> None:
    world, spec = cart_pole()
    batch = carom.Batch(world, 100, spec, seed=7)
    angles = batch.observations[:, 2]
    assert batch.observations.shape == (100, 4) and batch.actions.shape == (100, 1)
    assert len(np.unique(angles)) == 100
    assert (np.abs(angles) <= 0.05).all() and angles.std() > 0.02
    again = carom.Batch(world, 100, spec, seed=7)
    assert (again.observations == batch.observations).all()
    other = carom.Batch(world, 100, spec, seed=8)
    assert (other.observations != batch.observations).any()


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_world_of_a_batch_has_the_bits_of_one_alone(threads: int) -> None:
    world, spec = cart_pole(step_limit=1000)
    batch = carom.Batch(world, 20, spec, seed=3, threads=threads)
    alone = [batch[k] for k in range(20)]
    rng = np.random.default_rng(1)
    for _ in range(30):
        actions = rng.uniform(-1.5, 1.5, (20, 1)).astype(np.float32)
        batch.step(DT, actions)
        for one, action in zip(alone, actions):
            cart = one.bodies[0]
            cart.apply_force((20 * float(np.clip(action[0], -1, 1)), 0))
            one.step(DT)
    assert batch.hashes().tolist() == [one.hash() for one in alone]


def test_actions_are_live_memory() -> None:
    world, spec = cart_pole()
    batch = carom.Batch(world, 3, spec)
    batch.actions[:, 0] = (-1, 0, 1)
    batch.step(DT)
    v = batch.observations[:, 1]
    assert v[0] < -0.1 < v[1] < 0.1 < v[2]


def test_a_policy_balances() -> None:
    world, spec = cart_pole(step_limit=300)
    batch = carom.Batch(world, 64, spec, seed=5)
    ended = np.zeros(64, bool)
    for _ in range(300):
        batch.step(DT, balance(batch.observations))
        ended |= batch.terminated
    assert not ended.any()
    assert batch.truncated.all()
    assert (batch.ended == 2**31 - 1).all()


def test_ends_are_told_by_number() -> None:
    world, spec = cart_pole(step_limit=500)
    batch = carom.Batch(world, 8, spec, seed=5)
    while (batch.ended == -1).all():
        batch.step(DT)
    assert spec.end_names[batch.ended[batch.terminated][0]] == "fallen"
    assert (np.abs(batch.observations[batch.terminated, 2]) > 0.3).all()


@pytest.mark.parametrize("mode", ["same_step", "next_step"])
def test_worlds_reset_by_themselves(mode: Any) -> None:
    world, spec = cart_pole(step_limit=10)
    batch = carom.Batch(world, 4, spec, auto_reset=mode)
    for _ in range(10):
        batch.step(DT)
    assert batch.truncated.all()
    if mode == "next_step":
        batch.step(DT)
        assert not batch.truncated.any()
    else:
        assert (batch.final_observations != batch.observations).any()
    assert (np.abs(batch.observations[:, 2]) <= 0.05).all()


def test_some_worlds_step_and_reset() -> None:
    world, spec = cart_pole()
    batch = carom.Batch(world, 4, spec)
    start = batch.hashes()
    batch.step(DT, worlds=np.array([True, False, False, True]))
    assert (batch.hashes() != start).tolist() == [True, False, False, True]
    batch.step(DT, worlds=[1])
    assert (batch.hashes() != start).tolist() == [True, True, False, True]
    before = batch.hashes()
    batch.reset([0])
    assert (batch.hashes() != before).tolist() == [True, False, False, False]
    batch.reset(seed=9)
    first = batch.observations.copy()
    batch.reset(seed=9)
    assert (batch.observations == first).all()


def test_one_world_out_and_in() -> None:
    world, spec = cart_pole()
    batch = carom.Batch(world, 4, spec)
    batch.step(DT)
    data = batch.save(2)
    batch.load(0, data)
    assert batch.hashes()[0] == batch.hashes()[2]
    assert (batch.observations[0] == batch.observations[2]).all()
    for bad in (b"", data[:-1], data[:40] + b"x" + data[41:]):
        with pytest.raises(carom.Error):
            batch.load(0, bad)
    with pytest.raises(IndexError):
        batch.save(4)
    with pytest.raises(IndexError):
        batch[4]


def test_several_starts() -> None:
    world, spec = cart_pole()
    heavy = world.copy()
    heavy["cart"].set_mass(10, (0, 0), 1)
    batch = carom.Batch([world, heavy], 4, spec)
    batch.step(DT, np.ones((4, 1)))
    v = batch.observations[:, 1]
    assert v[0] > 3 * v[1] and v[2] > 3 * v[3]


def test_rays_are_columns() -> None:
    world = carom.World(gravity=(0, 0))
    ship = world.add(carom.circle(0.5))
    world.add_fixed(carom.rect(1, 20), at=(5, 0))
    spec = carom.Spec(world)
    spec.observe("rays", ship, count=3, reach=10, fan=(-math.pi / 2, math.pi / 2))
    spec.observe("nearest_distance", ship, reach=20).observe("sine_and_cosine", ship)
    batch = carom.Batch(world, 2, spec)
    assert batch.observations.shape == (2, 6)
    assert spec.observation_names[1].endswith("1")
    assert batch.observations[0].tolist() == pytest.approx([1, 0.45, 1, 4.5, 0, 1], abs=1e-5)


@pytest.mark.parametrize(
    ("add", "field"),
    [
        (lambda s: s.action("force", "cart", axis=(0, 0)), "axis"),
        (lambda s: s.action("force", "cart", axis=(1, 0), scale=math.nan), "scale"),
        (lambda s: s.action("force", "cart", axis=(1, 0), range=(1, -1)), "range"),
        (lambda s: s.action("motor_speed", "hinge"), "joint"),
        (lambda s: s.action("torque", "cart", at=(0, 1)), "at"),
        (lambda s: s.observe("position", "cart", relative_to="cart"), "other"),
        (lambda s: s.observe("rays", "cart", count=0, reach=1), "count"),
        (lambda s: s.observe("rays", "cart", count=3, reach=-1), "reach"),
        (lambda s: s.vary("angle", "cart", 1, -1), "range"),
        (lambda s: s.end("angle_beyond", "cart", limit=9), "limit"),
        (lambda s: s.end("outside", "cart", min=(1, 1), max=(0, 0)), "max"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_field(add: Any, field: str) -> None:
    world, spec = cart_pole()
    add(spec)
    with pytest.raises(carom.Error, match=f"`{field}`"):
        carom.Batch(world, 2, spec)
    with pytest.raises(carom.Error, match=f"`{field}`"):
        spec.check()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda s: s.action("magic", "cart"), ValueError),
        (lambda s: s.action("force", "cart"), TypeError),
        (lambda s: s.action("force", "cart", axis=(1, 0), colour=3), TypeError),
        (lambda s: s.action("force", "nobody", axis=(1, 0)), KeyError),
        (lambda s: s.action("motor_speed", "nobody"), KeyError),
        (lambda s: s.action("motor_speed", 5), TypeError),
        (lambda s: s.observe("smell", "cart"), ValueError),
        (lambda s: s.observe("position", "cart", only="z"), ValueError),
        (lambda s: s.observe("rays", "cart", reach=5), TypeError),
        (lambda s: s.vary("colour", "cart", 0, 1), ValueError),
        (lambda s: s.vary("position", "cart", 0, 1), TypeError),
        (lambda s: s.vary("angle", None, 0, 1), TypeError),
        (lambda s: s.end("never", "cart"), ValueError),
        (lambda s: s.end("outside", "cart"), TypeError),
    ],
)
def test_a_misspelt_entry_is_refused_at_once(call: Any, error: type[Exception]) -> None:
    _, spec = cart_pole()
    with pytest.raises(error):
        call(spec)
    assert len(spec.observation_names) == 4


@pytest.mark.parametrize(
    "make",
    [
        lambda w, s: carom.Batch(w, 0, s),
        lambda w, s: carom.Batch(w, 2**40, s),
        lambda w, s: carom.Batch([], 2, s),
        lambda w, s: carom.Batch(w, 2, s, threads=0),
        lambda w, s: carom.Batch(w, 2, s, auto_reset=typeless("often")),
        lambda w, s: carom.Batch(typeless("world"), 2, s),
        lambda w, s: carom.Batch(w, 2, s).step(-1),
        lambda w, s: carom.Batch(w, 2, s).step(DT, np.zeros((3, 1))),
        lambda w, s: carom.Batch(w, 2, s).step(DT, np.full((2, 1), np.nan)),
        lambda w, s: carom.Batch(w, 2, s).step(DT, worlds=[5]),
        lambda w, s: carom.Batch(w, 2, s).step(DT, worlds=np.array([True])),
        lambda w, s: carom.Batch(w, 2, s).reset(typeless("all")),
    ],
)
def test_a_bad_batch_is_refused(make: Any) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError)):
        make(*cart_pole())


def environment(**options: Any) -> Any:
    gym = pytest.importorskip("carom.gym")
    world, spec = cart_pole(step_limit=50)
    return gym.VectorEnv(world, spec, 16, dt=DT, **options)


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_a_vector_environment(mode: str) -> None:
    env = environment(reward=lambda seen, actions: 1 - np.abs(seen[:, 2]), autoreset=mode)
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert env.single_action_space.shape == (1,)
    kept = seen.copy()
    ends = 0
    for step in range(120):
        new, rewards, terminated, truncated, info = env.step(env.action_space.sample())
        assert new.shape == (16, 4) and rewards.shape == (16,) and rewards.dtype == float
        assert (seen == kept).all()
        assert ("final_obs" in info) == (
            mode == "same_step" and bool((terminated | truncated).any())
        )
        if "final_obs" in info:
            assert (rewards[terminated] == 1 - np.abs(info["final_obs"][terminated, 2])).all()
        ends += int((terminated | truncated).sum())
    assert ends > 16
    env.close()


def test_resets_with_a_mask_and_seeds() -> None:
    env = environment()
    first, _ = env.reset(seed=4)
    env.step(env.action_space.sample())
    mask = np.arange(16) < 4
    seen, _ = env.reset(options={"reset_mask": mask.tolist()})
    assert (np.abs(seen[mask, 3]) == 0).all() and (seen[~mask, 3] != 0).all()
    again, _ = env.reset(seed=4)
    assert (first == again).all()
    with pytest.raises(ValueError):
        env.reset(seed=[1] * 16)


def test_gymnasium_wrappers_take_it() -> None:
    wrappers = pytest.importorskip("gymnasium.wrappers.vector")
    env = wrappers.RecordEpisodeStatistics(environment())
    env.reset(seed=2)
    lengths = []
    for _ in range(200):
        _, _, _, _, info = env.step(env.action_space.sample())
        if "episode" in info:
            lengths += info["episode"]["l"][info["_episode"]].tolist()
    assert lengths and max(lengths) <= 50


def test_stable_baselines_learns() -> None:
    pytest.importorskip("stable_baselines3")
    from stable_baselines3 import PPO  # type: ignore[import-not-found, unused-ignore]

    from carom.sb3 import VecEnv

    world, spec = cart_pole(step_limit=100)
    env: Any = VecEnv(world, spec, 32, dt=DT)
    seen = env.reset()
    assert seen.shape == (32, 4)
    seen, rewards, dones, infos = env.step(np.zeros((32, 1)))
    assert len(infos) == 32 and rewards.shape == (32,)
    for _ in range(120):
        seen, rewards, dones, infos = env.step(np.ones((32, 1)))
        for number in np.flatnonzero(dones):
            assert abs(infos[number]["terminal_observation"][0]) > 0
            assert infos[number]["episode"]["l"] <= 100
    assert env.env_method("world", indices=[3])[0].step_count >= 0
    model = PPO(
        "MlpPolicy",
        env,
        n_steps=32,
        batch_size=256,
        n_epochs=6,
        learning_rate=1e-3,
        gamma=0.98,
        seed=1,
        device="cpu",
    )

    def survived() -> float:
        seen, lengths = env.reset(), []
        for _ in range(100):
            seen, _, _, infos = env.step(model.predict(seen, deterministic=True)[0])
            lengths += [info["episode"]["l"] for info in infos if info]
        return float(np.mean(lengths))

    before = survived()
    model.learn(60_000)
    assert before < 60 and survived() > 90


def test_the_start_of_a_world_is_chosen() -> None:
    worlds = [carom.World(sleep=False) for _ in range(3)]
    for number, world in enumerate(worlds):
        world.add(carom.circle(1), at=(number, 0), name="ball")
    spec = carom.Spec(worlds[0]).observe("position", "ball", only="x")
    batch = carom.Batch(worlds, 5, spec)
    assert batch.starts.tolist() == [0, 1, 2, 0, 1]
    batch.set_starts([2, 2, 1, 0, 0])
    assert batch.observations[:, 0].tolist() == [0, 1, 2, 0, 1]
    batch.reset([0, 2, 4])
    assert batch.starts.tolist() == [2, 1, 1, 0, 0]
    assert batch.observations[:, 0].tolist() == [2, 1, 1, 0, 0]
    for wrong in ([0] * 4, [0] * 6, [3] * 5, [-1] * 5, [[0] * 5]):
        with pytest.raises((ValueError, TypeError)):
            batch.set_starts(typeless(wrong))


def test_a_motor_pulls_as_hard_as_it_is_told() -> None:
    world = carom.World(gravity=(0, 0), sleep=False)
    wheel = world.add(carom.circle(0.5), mass=2.0)
    axle = world.revolute(None, wheel, motor=(0, 0))
    spec = carom.Spec(world).action("motor_effort", axle, speed=100, range=(-1, 1), scale=0.5)
    spec.observe("spin", wheel)
    batch = carom.Batch(world, 4, spec)
    batch.step(DT, np.array([[1], [-0.5], [0], [9]]))
    spins = 0.5 * DT / 0.25 * np.array([1, -0.5, 0, 1])
    assert batch.observations[:, 0] == pytest.approx(spins, rel=1e-3)
    with pytest.raises(TypeError, match="needs 'speed'"):
        carom.Spec(world).action("motor_effort", axle)
    with pytest.raises(carom.Error, match="speed"):
        carom.Spec(world).action("motor_effort", axle, speed=math.inf).check()


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_an_environment_goes_on_after_a_refused_step(mode: str) -> None:
    gym = pytest.importorskip("carom.gym")
    world, spec = cart_pole(step_limit=7)
    env = gym.VectorEnv(world, spec, 4, dt=DT, autoreset=mode)
    other = gym.VectorEnv(world, spec, 4, dt=DT, autoreset=mode)
    env.reset(seed=1)
    other.reset(seed=1)
    for _ in range(20):
        with pytest.raises(ValueError):
            other.step(np.full((4, 1), np.nan, np.float32))
        for a, b in zip(env.step(np.zeros((4, 1)))[:4], other.step(np.zeros((4, 1)))[:4]):
            assert (a == b).all()
