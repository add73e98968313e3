"""Hostile arguments: whatever is passed, the answer is a value or an error, and never a panic.

A panic would come out as `carom.Error` with "failed inside" in its text, or as an exception of
pyo3's that is no `Exception` at all; both fail here.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import carom
from carom import nav

NUMBERS = st.one_of(
    st.floats(width=64),
    st.sampled_from([0.0, -0.0, 1e-45, 1e-6, 0.5, 1.0, 1e3, 1e6, 1e12, 3e38, 1e300]),
    st.sampled_from([math.nan, math.inf, -math.inf]),
    st.integers(-(2**70), 2**70),
)
POINTS = st.tuples(NUMBERS, NUMBERS)
ROWS = st.lists(POINTS, max_size=9)
JUNK = st.one_of(
    NUMBERS,
    POINTS,
    ROWS,
    st.none(),
    st.text(max_size=4),
    st.binary(max_size=8),
    st.booleans(),
    st.lists(st.one_of(NUMBERS, st.text(max_size=2)), max_size=4),
    st.dictionaries(st.text(max_size=3), NUMBERS, max_size=2),
    st.just(np.zeros((0, 2))),
    st.just(np.full((3, 2), np.nan)),
    st.just(np.zeros((2, 2, 2))),
    st.just(np.array(["a"])),
    st.just(np.zeros(3, dtype=object)),
    st.just(carom.circle(1)),
    st.just(carom.Material()),
    st.just(carom.World()),
)
REFUSALS = (ValueError, TypeError, OverflowError, KeyError, AttributeError)
MANY = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def tried(call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """The answer of a call, or None where it is refused as it should be."""
    try:
        return call(*args, **options)
    except REFUSALS as error:
        assert "failed inside" not in str(error), error
        return None


def scene() -> tuple[carom.World, carom.Body, carom.Joint]:
    world = carom.World()
    world.add_fixed(carom.rect(40, 2), at=(0, -1))
    world.add_fixed(carom.tiles(np.ones((2, 2), int)), at=(8, 0))
    body = world.add(carom.circle(0.5), at=(0, 2), name="ball")
    other = world.add(carom.rect(1, 1), at=(3, 2))
    return world, body, world.revolute(body, other, at=(1.5, 2))


def test_a_panic_is_an_error_that_can_be_caught() -> None:
    from carom import _carom

    with pytest.raises(carom.Error, match="failed inside.*on purpose"):
        _carom._fail_inside()
    world, body, _ = scene()
    with pytest.raises(carom.Error, match="failed inside.*on purpose"):
        _carom._fail_inside(world)
    # What a panic left behind may be anything: the world takes no more.
    for call in (
        world.step,
        world.hash,
        world.copy,
        lambda: body.position,
        lambda: world.positions,
    ):
        with pytest.raises(carom.Error, match="takes no more"):
            call()
    other, _, _ = scene()
    other.step()


MAKERS = [
    carom.circle,
    carom.rect,
    carom.capsule,
    carom.segment,
    carom.polygon,
    carom.hull,
    carom.regular,
    carom.polar,
    carom.compound,
    carom.outline,
    carom.chain,
    carom.half_plane,
    carom.tiles,
    carom.from_mask,
    carom.Material,
    carom.Filter,
    carom.Part,
    carom.Area,
    carom.Area.planet,
    carom.Area.fluid,
    carom.Area.gravity,
    carom.Mover,
    carom.World,
    carom.World.from_bytes,
    carom.World.from_level,
    carom.Body.of,
    nav.Grid,
    nav.Grid.parse,
    nav.Mesh,
    nav.Flow,
]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: str(getattr(make, "__qualname__", make)))
@given(args=st.lists(JUNK, max_size=4))
@MANY
def test_anything_is_made_or_refused(make: Callable[..., Any], args: list[Any]) -> None:
    made = tried(make, *args)
    repr(made)


@given(points=ROWS, x=NUMBERS, y=NUMBERS, angle=NUMBERS)
@MANY
def test_any_shape_in_any_world(points: list[Any], x: Any, y: Any, angle: Any) -> None:
    for make in (carom.polygon, carom.hull, carom.polar, carom.outline, carom.chain):
        shape = tried(make, points)
        if shape is None:
            continue
        world = carom.World()
        tried(world.add_fixed, carom.rect(40, 2), at=(0, -1))
        tried(world.add, shape, at=(x, y), angle=angle)
        tried(world.add_fixed, shape, at=(x, y))
        tried(world.step, 1 / 60, 3)
        tried(world.to_svg)
        world.validate()


@given(a=POINTS, b=POINTS, c=POINTS, turn=NUMBERS)
@MANY
def test_queries_of_two_shapes(a: Any, b: Any, c: Any, turn: Any) -> None:
    shapes = [
        carom.circle(1),
        carom.rect(2, 1),
        carom.capsule((0, 0), (1, 1), 0.1),
        carom.half_plane(),
    ]
    for first in shapes:
        for second in shapes[:2]:
            tried(carom.overlaps, first, (*a, turn), second, b)
            tried(carom.contact, first, a, second, (*b, turn), margin=turn)
            tried(carom.distance, first, a, second, b)
            tried(carom.cast, first, a, c, second, b, turn_a=turn)
        tried(carom.ray, first, a, b, c)
        tried(carom.contains, first, a, b)
        tried(carom.closest_point, first, a, b)


WORLD_CALLS = [
    name
    for name in dir(carom.World)
    if not name.startswith("_")
    and callable(getattr(carom.World, name))
    and name not in ("from_bytes",)
]


@pytest.mark.parametrize("name", WORLD_CALLS)
@given(args=st.lists(JUNK, max_size=4))
@MANY
def test_any_call_of_a_world(name: str, args: list[Any]) -> None:
    if name == "step" and len(args) > 1:
        args[1] = 2
    world, _, _ = scene()
    tried(getattr(world, name), *args)
    tried(world.step)
    tried(world.validate)


@pytest.mark.parametrize("kind", ["Body", "Collider", "Joint"])
@given(data=st.data())
@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_member_of_a_handle(kind: str, data: st.DataObject) -> None:
    world, body, joint = scene()
    handle: Any = {"Body": body, "Collider": body.colliders[0], "Joint": joint}[kind]
    names = [name for name in dir(handle) if not name.startswith("_")]
    for _ in range(3):
        name = data.draw(st.sampled_from(names))
        if callable(getattr(type(handle), name)):
            tried(getattr(handle, name, None) or print, *data.draw(st.lists(JUNK, max_size=3)))
        else:
            tried(setattr, handle, name, data.draw(JUNK))
            tried(getattr, handle, name)
    tried(world.step)
    world.validate()


@given(
    options=st.dictionaries(st.sampled_from(sorted(carom.types.BodyOptions.__annotations__)), JUNK)
)
@MANY
def test_any_options_of_a_body(options: dict[str, Any]) -> None:
    world, _, _ = scene()
    tried(world.add, carom.circle(0.5), **options)
    tried(world.step)
    world.validate()


JOINT_KINDS = ["revolute", "prismatic", "distance", "weld", "wheel", "motor_to"]


@pytest.mark.parametrize("kind", JOINT_KINDS)
@given(
    options=st.dictionaries(st.sampled_from(sorted(carom.types.RodOptions.__annotations__)), JUNK)
)
@MANY
def test_any_options_of_a_joint(kind: str, options: dict[str, Any]) -> None:
    world, body, _ = scene()
    tried(getattr(world, kind), None, body, **options)
    tried(world.step)
    world.validate()


@given(
    origins=ROWS,
    ways=ROWS,
    number=NUMBERS,
    among=st.dictionaries(st.sampled_from(sorted(carom.types.Among.__annotations__)), JUNK),
)
@MANY
def test_any_query(origins: Any, ways: Any, number: Any, among: dict[str, Any]) -> None:
    world, _, _ = scene()
    for call in (world.rays, world.rays_all, world.rays_any):
        tried(call, origins, ways, **among)
        tried(call, origins, ways)
    tried(world.casts, carom.rect(1, 1), origins, ways, distance=number)
    tried(world.overlap_points, origins)
    tried(world.overlap_boxes, [(*a, *b) for a, b in zip(origins, ways)])
    tried(world.overlap_shapes, carom.rect(1, 1), origins, angles=number)
    tried(world.nearest, origins, number)
    tried(world.nearest, origins, number, 3)


@given(data=st.binary(max_size=200), place=st.integers(0, 10_000), flip=st.integers(1, 255))
@MANY
def test_any_bytes(data: bytes, place: int, flip: int) -> None:
    world, _, _ = scene()
    before = world.hash()
    tried(world.load, data)
    image = bytearray(bytes(world))
    image[place % len(image)] ^= flip
    tried(world.load, bytes(image))
    assert world.hash() == before


@given(cells=st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4), number=NUMBERS)
@MANY
def test_any_request_of_a_grid(cells: Any, number: Any) -> None:
    grid = nav.Grid(np.eye(6))
    tried(grid.paths, cells, cells[::-1])
    tried(grid.set_walls, cells)
    tried(grid.connected, cells, cells[::-1])
    tried(grid.reach, (0, 1), number)
    tried(grid.field_of_view, (0, 1), number)
    tried(grid.keep_size, number)
    flow = tried(nav.Flow, grid, cells)
    if flow is not None:
        tried(lambda: flow.distances)
        tried(flow.headings, cells)


@given(points=ROWS, radius=NUMBERS)
@MANY
def test_any_request_of_a_mesh(points: Any, radius: Any) -> None:
    mesh = nav.Mesh(10)
    tried(mesh.add, points)
    tried(mesh.add_wall, points)
    tried(mesh.ways, points, points[::-1], radius)
    tried(mesh.reachable, points, points[::-1], radius)
    for a, b in zip(points, points[1:]):
        tried(mesh.widest, a, b)
    assert mesh.triangles.shape[1:] == (3, 2)


ENTRIES: dict[str, tuple[list[str], Any]] = {
    "action": (
        ["force", "impulse", "torque", "motor_speed", "servo_target"],
        carom.types.ActionOptions,
    ),
    "observe": (
        ["position", "velocity", "joint_angle", "touches", "rays", "nearest_distance"],
        carom.types.ObservationOptions,
    ),
    "end": (["outside", "angle_beyond", "touches", "asleep"], carom.types.EndOptions),
}


@pytest.mark.parametrize("entry", ENTRIES)
@given(data=st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_entry_of_a_spec(entry: str, data: st.DataObject) -> None:
    world, _, joint = scene()
    spec = carom.Spec(world)
    kinds, options = ENTRIES[entry]
    kind = data.draw(st.sampled_from(kinds))
    target = data.draw(st.one_of(st.just("ball"), st.just(joint), JUNK))
    given_options = data.draw(
        st.dictionaries(st.sampled_from(sorted(options.__annotations__)), JUNK)
    )
    tried(getattr(spec, entry), kind, target, **given_options)
    batch = tried(carom.Batch, world, 2, spec)
    if batch is not None:
        tried(batch.step, 1 / 60)
        tried(batch.step, data.draw(NUMBERS), data.draw(JUNK))
        tried(batch.reset, data.draw(JUNK))
        tried(batch.load, 0, data.draw(st.binary(max_size=60)))


@given(low=JUNK, high=JUNK, target=st.one_of(st.just("ball"), JUNK))
@MANY
def test_any_variation(low: Any, high: Any, target: Any) -> None:
    world, _, _ = scene()
    kinds = [
        "position",
        "angle",
        "velocity",
        "mass",
        "density",
        "friction",
        "gravity",
        "motor_speed",
    ]
    for kind in kinds:
        spec = carom.Spec(world)
        tried(spec.vary, kind, target, low, high)
        batch = tried(carom.Batch, world, 3, spec)
        if batch is not None:
            tried(batch.step)
