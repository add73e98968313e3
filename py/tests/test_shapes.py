"""Shapes and materials: what they are, what they weigh, what is refused, and queries of two."""

import math
from typing import Any

import numpy as np
import pytest

import carom


def typeless(value: Any) -> Any:
    """The value, without its type."""
    return value


L = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]


@pytest.mark.parametrize(
    ("shape", "kind", "mass"),
    [
        (carom.circle(2), "circle", 4 * math.pi),
        (carom.circle(2, at=(1, 1)), "circle", 4 * math.pi),
        (carom.rect(2, 3), "rect", 6),
        (carom.rect(2, 3, at=(5, 5), angle=1), "rect", 6),
        (carom.rect(2, 3, radius=0.5), "rect", 6 + 2 * 0.5 * (2 + 3) + 0.25 * math.pi),
        (carom.capsule((0, 0), (2, 0), 0.5), "capsule", 2 + 0.25 * math.pi),
        (carom.segment((0, 0), (2, 0)), "segment", 0),
        (carom.polygon(SQUARE), "polygon", 1),
        (carom.polygon(np.array(SQUARE, dtype="f4")), "polygon", 1),
        (carom.hull([*SQUARE, (0.5, 0.5)]), "polygon", 1),
        (carom.regular(6, 1), "polygon", 1.5 * math.sqrt(3)),
        (carom.polar([(-1, -1), (1, -1), (1, 1), (-1, 1)]), "polar", 4),
        (carom.compound([carom.rect(1, 1), carom.rect(1, 1, at=(1, 0))]), "compound", 2),
        (carom.outline(L), "compound", 3),
        (
            carom.outline([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (1, 3), (3, 3), (3, 1)]]),
            "compound",
            12,
        ),
        (carom.chain([(0, 0), (1, 0), (2, 1)]), "chain", 0),
        (carom.chain(SQUARE, closed=True), "chain", 0),
        (carom.half_plane(), "half_plane", 0),
        (carom.tiles([[1, 1], [0, 1]]), "tiles", 3),
        (carom.from_mask(np.ones((4, 4), bool), 0.5), "rect", 4),
    ],
)
def test_kinds_and_masses(shape: carom.Shape, kind: str, mass: float) -> None:
    if kind != "rect" or shape.kind != "polygon":
        assert shape.kind in (kind, "polygon", "compound")
    assert shape.mass(1.0)[0] == pytest.approx(mass, rel=1e-4)
    assert shape.mass(2.0)[0] == pytest.approx(2 * mass, rel=1e-4)
    assert kind in repr(shape) or "of" in repr(shape)


@pytest.mark.parametrize(
    "make",
    [
        lambda: carom.circle(0),
        lambda: carom.circle(-1),
        lambda: carom.circle(math.nan),
        lambda: carom.circle(1e30),
        lambda: carom.rect(0, 1),
        lambda: carom.rect(1, math.inf),
        lambda: carom.rect(1, 1, radius=-1),
        lambda: carom.capsule((0, 0), (1, 0), 0),
        lambda: carom.segment((1, 1), (1, 1)),
        lambda: carom.polygon([(0, 0), (1, 0)]),
        lambda: carom.polygon([(0, 0), (1, 0), (0.2, 0.2), (0, 1)]),
        lambda: carom.polygon(np.zeros((9, 2))),
        lambda: carom.regular(2, 1),
        lambda: carom.regular(2**60, 1),
        lambda: carom.compound([]),
        lambda: carom.outline([(0, 0), (1, 1), (1, 0), (0, 1)]),
        lambda: carom.chain([(0, 0)]),
        lambda: carom.half_plane((0, 0), (0, 0)),
        lambda: carom.tiles([[17]]),
        lambda: carom.tiles([[0.5]]),
        lambda: carom.tiles([[math.nan]]),
        lambda: carom.tiles([[-1]]),
        lambda: carom.tiles([[256]]),
        lambda: carom.tiles([[1]], side=0),
        lambda: carom.tiles(np.zeros((0, 0))),
        lambda: carom.from_mask([[0, 0]]),
    ],
)
def test_a_definition_that_breaks_a_rule_is_refused(make: object) -> None:
    with pytest.raises(ValueError):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(
    "make",
    [
        lambda: carom.circle(typeless("1")),
        lambda: carom.circle(typeless(None)),
        lambda: carom.polygon("abc"),
        lambda: carom.polygon(5),
        lambda: carom.polygon([(0, 0, 0), (1, 0, 0), (0, 1, 0)]),
        lambda: carom.polygon([(0, 0), (1,)]),
        lambda: carom.compound(typeless([1, 2])),
        lambda: carom.tiles([1, 2]),
        lambda: carom.rect(1, 1, at=typeless(5)),
    ],
)
def test_the_wrong_type_is_refused(make: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        make()  # type: ignore[operator]


def test_shapes_move() -> None:
    shape = carom.rect(2, 1)
    (x0, y0), (x1, y1) = shape.at((3, 4)).aabb()
    assert (x0, y0, x1, y1) == (2, 3.5, 4, 4.5)
    (x0, y0), (x1, y1) = shape.turned(math.pi / 2).aabb()
    assert (x0, y0, x1, y1) == pytest.approx((-0.5, -1, 0.5, 1), abs=1e-6)
    (x0, y0), (x1, y1) = shape.aabb((1, 1, math.pi / 2))
    assert (x0, y0, x1, y1) == pytest.approx((0.5, 0, 1.5, 2), abs=1e-6)
    assert shape.scaled(2).mass()[0] == 8
    assert shape.rounded(0.25).radius == 0.25
    assert carom.circle(1, at=(2, 0)).mirrored().points.tolist() == [[-2, 0]]
    assert shape == carom.rect(2, 1) and shape != carom.rect(2, 2)
    assert hash(shape) == hash(carom.rect(2, 1))


def test_points() -> None:
    assert carom.polygon(SQUARE).points.shape == (4, 2)
    assert carom.chain([(0, 0), (1, 0), (2, 1)]).points.tolist() == [[0, 0], [1, 0], [2, 1]]
    assert len(carom.compound([carom.circle(1), carom.circle(2)]).parts) == 2
    assert carom.segment((0, 0), (1, 2)).points.dtype == np.float32


def test_a_shape_is_shown_in_notebooks() -> None:
    picture = carom.rect(2, 1)._repr_svg_()
    assert picture.startswith("<svg") and "polygon" in picture


@pytest.mark.parametrize(
    "options",
    [
        {"friction": -1},
        {"restitution": 1.5},
        {"restitution": math.nan},
        {"friction": 0.5, "static_friction": 0.2},
        {"rolling_resistance": -1},
        {"friction_rule": "sum"},
    ],
)
def test_a_bad_material_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        carom.Material(**options)  # type: ignore[arg-type]


def test_materials() -> None:
    material = carom.Material(0.5, 0.2, static_friction=0.7, surface_speed=2, friction_rule="min")
    assert material.friction == 0.5
    assert material.static_friction == pytest.approx(0.7)
    assert material.surface_speed == 2
    assert (material.friction_rule, material.restitution_rule) == ("min", "max")
    assert material == carom.Material(
        0.5, 0.2, static_friction=0.7, surface_speed=2, friction_rule="min"
    )
    assert carom.Material() != material


@pytest.mark.parametrize(
    ("a", "b", "allowed"),
    [
        (carom.Filter(), carom.Filter(), True),
        (carom.Filter(1, 2), carom.Filter(2, 1), True),
        (carom.Filter(1, 2), carom.Filter(2, 2), False),
        (carom.Filter(1, 0, 3), carom.Filter(1, 0, 3), True),
        (carom.Filter(group=-3), carom.Filter(group=-3), False),
    ],
)
def test_filters(a: carom.Filter, b: carom.Filter, allowed: bool) -> None:
    assert a.allows(b) == b.allows(a) == allowed
    world = carom.World(gravity=(0, 0))
    first = world.add(carom.circle(1), filter=a)
    world.add(carom.circle(1), at=(0.5, 0), filter=b)
    world.step()
    assert (len(world.contacts) > 0) == allowed
    assert first.colliders[0].filter == a


def test_a_part_with_a_filter_takes_no_part_in_what_it_ignores() -> None:
    world = carom.World()
    world.add_fixed(carom.rect(20, 2), at=(0, -1))
    ghost = world.add(carom.circle(0.5), at=(0, 1), filter=carom.Filter(1, 0))
    world.step(count=120)
    assert ghost.position[1] < -5


def test_overlap_and_contact() -> None:
    sword, slime = carom.capsule((0, 0), (0, 1.2), 0.1), carom.circle(0.5)
    hit = carom.contact(sword, (0, 0), slime, (0.55, 0.6))
    assert hit is not None
    assert hit["normal"] == pytest.approx((1, 0), abs=1e-5)
    assert hit["depth"] == pytest.approx(0.05, abs=1e-5)
    assert not carom.overlaps(sword, (0, 0), slime, (0.7, 0.6))
    assert carom.contact(sword, (0, 0), slime, (0.7, 0.6)) is None
    assert carom.contact(sword, (0, 0), slime, (0.7, 0.6), margin=0.2) is not None


@pytest.mark.parametrize("gap", [-0.5, 0.0, 0.25, 3.0])
def test_distance(gap: float) -> None:
    answer = carom.distance(carom.rect(2, 2), (0, 0), carom.rect(2, 2), (2 + gap, 0))
    assert answer["separation"] == pytest.approx(gap, abs=1e-5)
    assert answer["normal"] == pytest.approx((1, 0), abs=1e-5)


def test_casts_and_rays() -> None:
    hit = carom.cast(carom.circle(1), (0, 0), (10, 0), carom.rect(2, 2), (6, 0))
    assert hit is not None and hit["time"] == pytest.approx(0.4, abs=1e-3)
    hit = carom.ray(carom.circle(1), (5, 0), (0, 0), (10, 0))
    assert hit is not None and hit["fraction"] == pytest.approx(0.4)
    assert hit["normal"] == pytest.approx((-1, 0))
    assert carom.ray(carom.circle(1), (5, 3), (0, 0), (10, 0)) is None
    assert carom.cast(carom.circle(1), (0, 0), (0, 10), carom.rect(2, 2), (6, 0)) is None


def test_points_of_shapes() -> None:
    assert carom.contains(carom.rect(2, 2), (1, 1), (1.9, 1.9))
    assert not carom.contains(carom.rect(2, 2), (1, 1, math.pi / 4), (1.9, 1.9))
    near = carom.closest_point(carom.circle(1), (0, 0), (3, 0))
    assert near["point"] == pytest.approx((1, 0))
    assert near["distance"] == pytest.approx(2)
