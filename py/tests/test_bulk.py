"""Values of all bodies as arrays, changes of many, and arrays that follow."""

import gc
import math

import numpy as np
import pytest

import carom

DT = 1 / 60


@pytest.fixture
def world() -> carom.World:
    world = carom.World(gravity=(0, 0))
    rng = np.random.default_rng(1)
    places = rng.uniform(-400, 400, (100, 2))
    world.add_many(
        carom.circle(0.5),
        places,
        angles=rng.uniform(-3, 3, 100),
        velocities=rng.uniform(-9, 9, (100, 2)),
        spins=rng.uniform(-9, 9, 100),
    )
    return world


@pytest.mark.parametrize(
    ("name", "shape", "dtype"),
    [
        ("positions", (100, 2), "f4"),
        ("angles", (100,), "f4"),
        ("rotations", (100, 2), "f4"),
        ("poses", (100, 3), "f4"),
        ("velocities", (100, 2), "f4"),
        ("spins", (100,), "f4"),
        ("masses", (100,), "f4"),
        ("awake", (100,), "?"),
        ("ids", (100,), "u8"),
        ("user_data", (100,), "u8"),
    ],
)
def test_arrays_have_their_shapes(
    world: carom.World, name: str, shape: tuple[int, ...], dtype: str
) -> None:
    array = getattr(world, name)
    assert array.shape == shape and array.dtype == np.dtype(dtype)
    assert array.flags.c_contiguous


def test_arrays_are_what_handles_say(world: carom.World) -> None:
    world.step(DT, 5)
    for body in world:
        assert world.positions[body].tolist() == pytest.approx(body.position, abs=1e-4)
        assert world.angles[body] == pytest.approx(body.angle)
        assert world.velocities[body].tolist() == list(body.velocity)
        assert world.spins[body] == body.spin
        assert world.masses[body] == pytest.approx(body.mass)
        assert world.ids[body] == body.id
        cos, sin = world.rotations[body]
        assert math.atan2(sin, cos) == pytest.approx(body.angle, abs=1e-6)


def test_an_array_is_the_callers_own(world: carom.World) -> None:
    before = world.positions
    kept = before.copy()
    world.step(DT)
    assert (before == kept).all()
    before[:] = 0
    assert (world.positions != 0).any()


def test_a_hole_is_nan(world: carom.World) -> None:
    world[int(world.ids[40])].remove()
    assert world.positions.shape == (100, 2)
    assert np.isnan(world.positions[40]).all() and np.isnan(world.angles[40])
    assert world.ids[40] == 0 and not world.awake[40]
    assert len(world) == 99
    assert np.isnan(world.positions).any(axis=1).sum() == 1
    world.remove(world.ids[[97, 98, 99]])
    assert world.positions.shape == (97, 2)


def test_poses_into_memory_of_others(world: carom.World) -> None:
    out = np.empty((100, 3), np.float32)
    world.read_poses(out)
    assert (out == world.poses).all()
    with pytest.raises(ValueError, match="shape"):
        world.read_poses(np.empty((99, 3), np.float32))
    with pytest.raises((TypeError, ValueError)):
        world.read_poses(np.empty((100, 3)))  # type: ignore[arg-type]
    out.flags.writeable = False
    with pytest.raises((TypeError, ValueError)):
        world.read_poses(out)
    wide = np.zeros((100, 6), np.float32)
    world.read_poses(wide[:, ::2])
    assert (wide[:, ::2] == world.poses).all() and (wide[:, 1::2] == 0).all()


@pytest.mark.parametrize("select", ["ids", "handles", "numbers"])
def test_bulk_setters(world: carom.World, select: str) -> None:
    bodies: object = world.ids[10:20]
    if select == "handles":
        bodies = world.bodies[10:20]
    elif select == "numbers":
        bodies = [int(bits) for bits in world.ids[10:20]]
    rows = np.arange(20.0).reshape(10, 2)
    world.set_positions(bodies, rows, np.arange(10) / 10)  # type: ignore[arg-type]
    world.set_velocities(bodies, -rows)  # type: ignore[arg-type]
    world.set_spins(bodies, np.arange(10))  # type: ignore[arg-type]
    assert (world.positions[10:20] == rows).all()
    assert np.allclose(world.angles[10:20], np.arange(10) / 10)
    assert (world.velocities[10:20] == -rows).all()
    assert (world.spins[10:20] == np.arange(10)).all()


def test_bulk_forces(world: carom.World) -> None:
    world.set_velocities(world.ids, (0, 0))
    world.set_spins(world.ids, 0)
    mass = float(world.masses[0])
    world.apply_forces(world.ids, (mass, 0))
    world.apply_impulses(world.ids, (0, mass))
    world.step(0.5)
    assert np.allclose(world.velocities, (0.5, 1), rtol=1e-4)
    world.apply_torques(world.ids, np.full(100, 1.0))
    world.step(0.5)
    assert (world.spins > 0).all()


def test_one_row_stands_for_all(world: carom.World) -> None:
    world.set_velocities(world.ids, (1, 2))
    assert (world.velocities == (1, 2)).all()


def test_a_refused_row_is_named(world: carom.World) -> None:
    rows = np.zeros((100, 2))
    rows[7, 0] = np.nan
    with pytest.raises(carom.Error, match="row 7"):
        world.set_velocities(world.ids, rows)
    with pytest.raises(ValueError, match="3 rows for 100"):
        world.set_velocities(world.ids, rows[:3])


def test_many_are_added_or_none() -> None:
    world = carom.World()
    ids = world.add_many(carom.rect(1, 1), np.arange(10).reshape(5, 2), density=3, kind="dynamic")
    assert ids.tolist() == world.ids.tolist()
    assert (world.masses == 3).all()
    with pytest.raises(carom.Error):
        world.add_many(carom.rect(1, 1), [(0, 0), (np.nan, 0)])
    assert len(world) == 5
    with pytest.raises(ValueError):
        world.add_many(carom.rect(1, 1), [(0, 0), (1, 1)], angles=[1, 2, 3])
    with pytest.raises(ValueError):
        world.add_many(carom.rect(1, 1), [(0, 0), (1, 1)], velocities=[(1, 2)] * 3)
    with pytest.raises(carom.Error):
        world.add_many(carom.rect(1, 1), [(0, 0)], name="one")
    assert world.add_many(carom.rect(1, 1), []).shape == (0,)


def test_live_arrays_follow(world: carom.World) -> None:
    live = world.live()
    positions, angles = live.positions, live.angles
    for _ in range(5):
        world.step(DT)
        assert (positions == world.positions).all()
        assert (angles == world.angles).all()
        assert (live.velocities == world.velocities).all()
        assert (live.spins == world.spins).all()
    assert len(live) == 100


def test_live_arrays_cannot_be_written(world: carom.World) -> None:
    live = world.live()
    with pytest.raises(ValueError, match="read-only"):
        live.positions[0] = 1


def test_live_arrays_of_some(world: carom.World) -> None:
    chosen = [world.bodies[3], world.bodies[70]]
    live = world.live(chosen)
    assert live.positions.shape == (2, 2)
    chosen[0].remove()
    world.add(carom.circle(1))
    world.step(DT)
    assert np.isnan(live.positions[0]).all()
    assert live.positions[1].tolist() == world.positions[chosen[1]].tolist()
    with pytest.raises(carom.Error):
        world.live([chosen[0]])


def test_live_arrays_outlive_their_world() -> None:
    world = carom.World()
    world.add(carom.circle(1), at=(3, 4))
    positions = world.live().positions
    del world
    gc.collect()
    assert positions.tolist() == [[3, 4]]


def test_live_arrays_are_refreshed_by_hand(world: carom.World) -> None:
    live = world.live()
    world.set_positions(world.ids, (1, 1))
    assert (live.positions != 1).any()
    world.refresh()
    assert (live.positions == 1).all()


def test_positions_from_a_far_origin() -> None:
    world = carom.World(gravity=(0, 0))
    far = 1024.0 * 1_000_000
    ball = world.add(carom.circle(0.5), at=(far + 0.125, 7))
    assert ball.position == (far + 0.125, 7)
    assert world.positions_from((far, 0)).tolist() == [[0.125, 7]]
