"""Bodies: handles, values, forces, names, and calls that are refused."""

import math
import pickle
from typing import Any

import numpy as np
import pytest

import carom

DT = 1 / 60


@pytest.fixture
def world() -> carom.World:
    return carom.World(gravity=(0, 0))


@pytest.fixture
def box(world: carom.World) -> carom.Body:
    return world.add(carom.rect(2, 1), at=(1, 2), angle=0.5, velocity=(3, 4), spin=2, name="box")


def test_values_are_what_was_given(box: carom.Body) -> None:
    assert box.position == (1, 2)
    assert box.angle == pytest.approx(0.5)
    assert box.velocity == (3, 4)
    assert box.spin == 2
    assert box.kind == "dynamic"
    assert box.mass == 2
    assert box.inertia == pytest.approx(2 * (4 + 1) / 12)
    assert box.momentum == (6, 8)
    assert box.kinetic_energy == pytest.approx(0.5 * 2 * 25 + 0.5 * box.inertia * 4)
    assert box.center == (1, 2)
    assert (box.awake, box.enabled, box.can_sleep, box.exists) == (True, True, True, True)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("position", (5.0, -6.0)),
        ("velocity", (1.0, -1.0)),
        ("spin", -3.0),
        ("kind", "kinematic"),
        ("kind", "fixed"),
        ("can_sleep", False),
        ("enabled", False),
        ("locks", ["x", "rotation"]),
        ("gravity_scale", 0.5),
        ("gravity", (1.0, 2.0)),
        ("gravity", None),
        ("linear_damping", 0.25),
        ("angular_damping", 0.75),
        ("max_speed", 7.0),
        ("dominance", -4),
        ("user_data", 2**63 + 5),
        ("name", "crate"),
        ("name", None),
    ],
)
def test_each_value_is_set(box: carom.Body, key: str, value: object) -> None:
    setattr(box, key, value)
    assert getattr(box, key) == value


def test_an_angle_is_set(box: carom.Body) -> None:
    box.angle = -1.25
    assert box.angle == pytest.approx(-1.25)
    assert box.position == (1, 2)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("position", (math.nan, 0.0)),
        ("position", (1e300, 0.0)),
        ("angle", math.inf),
        ("velocity", (math.inf, 0.0)),
        ("spin", math.nan),
        ("kind", "floating"),
        ("locks", "z"),
        ("gravity_scale", math.nan),
        ("linear_damping", -1.0),
        ("max_speed", -1.0),
    ],
)
def test_a_bad_value_is_refused_and_changes_nothing(
    box: carom.Body, key: str, value: object
) -> None:
    before = box.world.hash()
    with pytest.raises(ValueError):
        setattr(box, key, value)
    assert box.world.hash() == before


@pytest.mark.parametrize("value", ["x", (1,), (1, 2, 3), None, 5, ("a", "b"), object()])
def test_a_position_of_the_wrong_type_is_a_type_error(box: carom.Body, value: object) -> None:
    with pytest.raises(TypeError):
        box.position = value  # type: ignore[assignment]


@pytest.mark.parametrize(
    "value", [(3, 4), [3, 4], np.array([3, 4]), np.array([3.0, 4.0], dtype="f4")]
)
def test_a_position_is_any_pair(box: carom.Body, value: object) -> None:
    box.position = value  # type: ignore[assignment]
    assert box.position == (3, 4)


def test_no_attribute_is_made_up(box: carom.Body) -> None:
    with pytest.raises(AttributeError):
        box.positon = (0, 0)  # type: ignore[attr-defined]


def test_forces(world: carom.World) -> None:
    body = world.add(carom.circle(1), mass=2)
    body.apply_force((4, 0))
    assert body.velocity == (0, 0)
    world.step(0.5)
    assert body.velocity[0] == pytest.approx(1, rel=1e-5)
    world.step(0.5)
    assert body.velocity[0] == pytest.approx(1, rel=1e-5)


def test_a_lasting_force_lasts(world: carom.World) -> None:
    body = world.add(carom.circle(1), mass=2)
    body.set_lasting_force((4, 0), 0.5)
    assert body.lasting_force == ((4, 0), 0.5)
    world.step(0.1, 10)
    assert body.velocity[0] == pytest.approx(2, rel=1e-4)


def test_impulses(world: carom.World) -> None:
    body = world.add(carom.circle(1), mass=2)
    body.apply_impulse((4, 0))
    assert body.velocity == (2, 0)
    body.apply_impulse((0, 2), at=(1, 0))
    assert body.velocity == (2, 1)
    assert body.spin == pytest.approx(2 / body.inertia)
    body.apply_angular_impulse(-2)
    assert body.spin == pytest.approx(0, abs=1e-6)


def test_torques(world: carom.World) -> None:
    body = world.add(carom.circle(1), mass=2)
    body.apply_torque(3)
    world.step(0.25)
    assert body.spin == pytest.approx(3 * 0.25 / body.inertia, rel=1e-4)


def test_frames(box: carom.Body) -> None:
    there = box.to_world((1, 0))
    assert there == pytest.approx((1 + math.cos(0.5), 2 + math.sin(0.5)), abs=1e-6)
    assert box.to_local(there) == pytest.approx((1, 0), abs=1e-6)
    velocity = box.velocity_at((1, 3))
    assert velocity == pytest.approx((3 - 2, 4), abs=1e-5)


def test_mass_of_its_own(box: carom.Body) -> None:
    box.set_mass(5, (0.1, 0.2), 3)
    assert (box.mass, box.inertia) == (5, 3)
    assert box.local_center == pytest.approx((0.1, 0.2))
    box.set_mass()
    assert box.mass == 2


def test_kinematic_bodies_move_to_places(world: carom.World) -> None:
    lift = world.add_kinematic(carom.rect(2, 0.2))
    lift.move_to((0, 1), 0.25)
    world.step(DT)
    assert lift.position == pytest.approx((0, 1), abs=1e-5)
    assert lift.angle == pytest.approx(0.25, abs=1e-5)
    ball = world.add(carom.circle(0.5), at=(9, 0))
    with pytest.raises(carom.Error, match="kinematic"):
        ball.move_to((0, 0))


def test_sleep_and_wake() -> None:
    world = carom.World()
    world.add_fixed(carom.rect(20, 2), at=(0, -1))
    ball = world.add(carom.rect(1, 1), at=(0, 0.5))
    world.step(DT, 120)
    assert not ball.awake
    ball.wake()
    assert ball.awake
    ball.sleep()
    world.step(DT)
    assert not ball.awake


def test_names(world: carom.World, box: carom.Body) -> None:
    assert world["box"] == box
    assert box.name == "box"
    assert world.names == {"box": box}
    with pytest.raises(carom.Error, match="box"):
        world.add(carom.circle(1), name="box")
    assert len(world) == 1
    box.name = "crate"
    with pytest.raises(KeyError):
        world["box"]
    other = world.add(carom.circle(1), name="box")
    with pytest.raises(carom.Error):
        other.name = "crate"
    box.remove()
    other.name = "crate"
    assert "box" not in world and "crate" in world


def test_a_body_that_is_gone_is_refused(world: carom.World, box: carom.Body) -> None:
    assert box in world
    box.remove()
    assert box not in world
    assert not box.exists
    assert "removed" in repr(box)
    for call in (
        lambda: box.position,
        lambda: box.gravity,
        lambda: box.max_speed,
        lambda: box.dominance,
        lambda: box.lasting_force,
        lambda: box.apply_force((1, 0)),
        lambda: box.remove(),
        lambda: box.teleport((0, 0)),
        lambda: box.attach(carom.circle(1)),
        lambda: world.revolute(None, box),
        lambda: world.predict([box], 10),
    ):
        with pytest.raises(carom.Error, match="body#0v1"):
            call()
    with pytest.raises(KeyError):
        world[box]


def test_a_new_tenant_is_another_body(world: carom.World, box: carom.Body) -> None:
    box.remove()
    other = world.add(carom.circle(1))
    assert other.index == box.index
    assert other != box and other.id != box.id
    assert box not in world and other in world


def test_handles_are_equal_by_id(world: carom.World, box: carom.Body) -> None:
    same = world["box"]
    assert same == box and hash(same) == hash(box)
    assert world[box.id] == box and world[np.uint64(box.id)] == box
    assert box == box.id
    assert (world.ids == box.id).tolist() == [True]
    twin = world.copy()
    assert twin[box].id == box.id
    assert twin[box] != box


def test_an_index_addresses_arrays(world: carom.World, box: carom.Body) -> None:
    ball = world.add(carom.circle(1), at=(7, 8))
    assert world.positions[ball].tolist() == [7, 8]
    assert world.positions[box].tolist() == [1, 2]


def test_handles_are_pickled_with_their_world(box: carom.Body) -> None:
    again = pickle.loads(pickle.dumps(box))
    assert again.position == box.position
    assert again.world.hash() == box.world.hash()


def test_colliders(world: carom.World) -> None:
    body = world.add(carom.rect(1, 1), carom.circle(0.5, at=(1, 0)))
    first, second = body.colliders
    assert first.shape.kind == "rect" and second.shape.kind == "circle"
    assert first.body == body
    assert first.mass == 1
    first.set_density(3)
    assert first.mass == 3
    first.set_mass(5)
    assert first.mass == 5
    second.remove()
    assert len(body.colliders) == 1
    with pytest.raises(carom.Error, match="shape#"):
        second.mass
    third = body.attach(carom.Part(carom.circle(0.25), mass=4, sensor=True, user_data=9))
    assert third.sensor and third.user_data == 9
    third.sensor = False
    assert not third.sensor


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("shape", carom.circle(0.75)),
        ("material", carom.Material(0.1, 0.9)),
        ("filter", carom.Filter(4, 2, -1)),
        ("sensor", True),
        ("one_way", (0.0, 1.0)),
        ("one_way", None),
        ("user_data", 12),
    ],
)
def test_each_value_of_a_collider_is_set(box: carom.Body, key: str, value: object) -> None:
    collider = box.colliders[0]
    setattr(collider, key, value)
    assert getattr(collider, key) == value


def test_weights(world: carom.World) -> None:
    assert world.add(carom.rect(2, 3)).mass == 6
    assert world.add(carom.rect(2, 3), density=2).mass == 12
    assert world.add(carom.rect(2, 3), mass=2).mass == 2
    assert world.add(carom.Part(carom.rect(2, 3), density=5), density=2).mass == 30
    with pytest.raises(TypeError):
        world.add(carom.rect(2, 3), mass=2, density=3)


@pytest.mark.parametrize("option", ["colour", "position", "Angle", ""])
def test_an_unknown_option_is_refused(world: carom.World, option: str) -> None:
    options: Any = {option: 1}
    with pytest.raises(TypeError, match="no option"):
        world.add(carom.circle(1), **options)
    assert len(world) == 0


@pytest.mark.parametrize("shape", [None, 5, "circle", (1, 2)])
def test_what_is_no_shape_is_refused(world: carom.World, shape: object) -> None:
    with pytest.raises(TypeError, match="shape"):
        world.add(shape)  # type: ignore[arg-type]


def test_locks(world: carom.World) -> None:
    body = world.add(carom.circle(1), locks="rotation")
    body.apply_angular_impulse(5)
    assert body.spin == 0
    body = world.add(carom.circle(1), at=(9, 0), locks=["y"])
    body.apply_impulse((1, 1))
    world.step(DT)
    assert body.position[1] == 0 and body.position[0] > 9


def test_a_slice_makes_two(world: carom.World) -> None:
    body = world.add(carom.rect(2, 1))
    pieces = body.slice((0, -3), (0, 3))
    assert len(pieces) == 2
    assert sum(piece.mass for piece in pieces) == pytest.approx(2, rel=1e-5)


def test_fragments_weigh_as_much(world: carom.World) -> None:
    body = world.add(carom.rect(2, 2), mass=8)
    pieces = body.fragment([(-0.5, -0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, 0.5)])
    assert len(pieces) == 4
    assert sum(piece.mass for piece in pieces) == pytest.approx(8, rel=1e-4)


def test_an_explosion_throws_outward(world: carom.World) -> None:
    left = world.add(carom.circle(0.5), at=(-2, 0))
    right = world.add(carom.circle(0.5), at=(2, 0))
    world.explode((0, 0), 5, 10)
    assert left.velocity[0] < 0 < right.velocity[0]


def test_iteration(world: carom.World, box: carom.Body) -> None:
    ball = world.add(carom.circle(1))
    assert list(world) == [box, ball] == world.bodies
    assert len(world) == 2
    world.remove([box, ball])
    assert len(world) == 0
