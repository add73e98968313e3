"""Events, contacts, and queries in bulk."""

import math

import numpy as np
import pytest

import carom

DT = 1 / 60


@pytest.fixture
def row() -> carom.World:
    """Five discs of radius 1 at x = 0, 5, 10, 15, 20."""
    world = carom.World(gravity=(0, 0))
    world.add_many(carom.circle(1), [(5 * k, 0) for k in range(5)], kind="fixed")
    return world


def test_touches_begin_and_end() -> None:
    world = carom.World(gravity=(0, 0))
    wall = world.add_fixed(carom.rect(1, 4))
    ball = world.add(carom.circle(0.5), at=(2, 0), velocity=(-6, 0), restitution=1)
    begun, ended, hits = [], [], []
    for _ in range(60):
        world.step(DT)
        begun += world.events.begun.tolist()
        ended += world.events.ended.tolist()
        hits += list(world.events.hits)
    assert len(begun) == len(ended) == len(hits) == 1
    assert begun[0][:2] == (wall.id, ball.id)
    hit = hits[0]
    assert hit["speed"] == pytest.approx(6, rel=1e-3)
    assert hit["impulse"] == pytest.approx(12 * ball.mass, rel=0.01)
    assert hit["point"] == pytest.approx((0.5, 0), abs=0.01)
    assert hit["normal"] == pytest.approx((1, 0), abs=1e-4)
    assert 0 <= hit["time"] <= 1


@pytest.mark.parametrize("limit", [0.1, 1.0, 5.0])
def test_slow_hits_are_left_out(limit: float) -> None:
    world = carom.World(gravity=(0, 0), hit_speed=limit)
    world.add_fixed(carom.rect(1, 4))
    world.add(carom.circle(0.5), at=(1.01, 0), velocity=(-2, 0))
    world.step(DT)
    assert len(world.events.hits) == (1 if limit <= 2 else 0)
    assert len(world.events.begun) == 1


def test_sensors_tell_who_comes_and_goes() -> None:
    world = carom.World(gravity=(0, 0))
    gate = world.add_fixed(carom.rect(1, 4), sensor=True)
    ball = world.add(carom.circle(0.1), at=(-2, 0), velocity=(6, 0))
    entered, left, inside = [], [], []
    for _ in range(60):
        world.step(DT)
        entered += world.events.entered.tolist()
        left += world.events.left.tolist()
        inside += gate.colliders[0].visitors()
    assert [row[:2] for row in entered] == [(gate.id, ball.id)] == [row[:2] for row in left]
    assert set(inside) == {ball.colliders[0]}
    assert ball.position[0] > 3


def test_sleep_is_told() -> None:
    world = carom.World()
    world.add_fixed(carom.rect(20, 2), at=(0, -1))
    box = world.add(carom.rect(1, 1), at=(0, 0.5))
    slept: list[int] = []
    for _ in range(120):
        world.step(DT)
        slept += world.events.slept.tolist()
    assert slept == [box.id]
    box.apply_impulse((1, 0))
    world.step(DT)
    assert world.events.woken.tolist() == [box.id]


def test_events_without_anything_are_empty_arrays() -> None:
    events = carom.World().events
    for name in ("begun", "ended", "hits", "entered", "left", "broken", "lost"):
        array = getattr(events, name)
        assert array.shape == (0,) and array.dtype.names, name
    for name in ("slept", "woken", "frozen"):
        assert getattr(events, name).shape == (0,)


def test_contacts_bear_the_weight() -> None:
    world = carom.World()
    floor = world.add_fixed(carom.rect(8, 1), at=(0, -0.5))
    box = world.add(carom.rect(1, 1), at=(0, 0.5))
    world.step(DT, 20)
    contacts = world.contacts
    assert contacts["impulse"].sum() == pytest.approx(9.81 * DT, rel=0.005)
    assert contacts["body_a"].tolist() == [floor.id] and contacts["body_b"].tolist() == [box.id]
    assert contacts["points"].tolist() == [2]
    assert contacts[0]["normal"] == pytest.approx((0, 1), abs=1e-5)
    assert box.colliders[0].touching() == floor.colliders


def test_rays(row: carom.World) -> None:
    hits = row.rays([(-3, 0), (-3, 9), (7, 0)], [(30, 0), (30, 0), (30, 0)])
    assert hits["hit"].tolist() == [True, False, True]
    assert hits["body"].tolist() == [row.bodies[0].id, 0, row.bodies[2].id]
    assert hits["fraction"][0] == pytest.approx(2 / 30)
    assert np.isnan(hits["fraction"][1])
    assert hits["point"][0] == pytest.approx((-1, 0))
    assert hits["normal"][2] == pytest.approx((-1, 0))


def test_a_single_ray_is_an_array_of_one(row: carom.World) -> None:
    assert row.rays((-3, 0), (30, 0)).shape == (1,)
    assert row.rays((-3, 0), [(30, 0), (0, 30)]).shape == (2,)
    assert row.rays([], []).shape == (0,)


def test_all_on_a_ray(row: carom.World) -> None:
    hits = row.rays_all([(-3, 0), (-3, 9)], [(30, 0), (30, 0)])
    assert hits["query"].tolist() == [0] * 5
    assert (np.diff(hits["fraction"]) > 0).all()
    assert row.rays_any([(-3, 0), (-3, 9)], (30, 0)).tolist() == [True, False]


@pytest.mark.parametrize(
    ("among", "index"),
    [
        ({"without": [0]}, 1),
        ({"without": [0, 1, 2]}, 3),
        ({"kinds": "fixed"}, 0),
        ({"kinds": ["dynamic", "kinematic"]}, None),
        ({"mask": 2}, None),
        ({"category": 1, "mask": 1}, 0),
        ({"hollow": True}, 0),
        ({"sensors": True}, 0),
    ],
)
def test_what_counts(row: carom.World, among: dict[str, object], index: int | None) -> None:
    if "without" in among:
        among["without"] = [row.bodies[k] for k in among["without"]]  # type: ignore[attr-defined]
    hit = row.rays((-3, 0), (30, 0), **among)[0]  # type: ignore[arg-type]
    assert hit["body"] == (0 if index is None else row.bodies[index].id)


def test_rays_are_those_of_shapes(row: carom.World) -> None:
    rng = np.random.default_rng(5)
    origins = rng.uniform((-5, -5), (25, 5), (500, 2))
    ways = rng.uniform(-20, 20, (500, 2))
    hits = row.rays(origins, ways)
    disc = carom.circle(1)
    for origin, way, hit in zip(origins, ways, hits):
        each = [carom.ray(disc, (5 * k, 0), origin, way) for k in range(5)]
        best = min((answer["fraction"] for answer in each if answer), default=math.nan)
        assert hit["fraction"] == pytest.approx(best, abs=1e-5, nan_ok=True)


def test_casts(row: carom.World) -> None:
    lanes = [(-5, y) for y in (0, 1, 2.5)]
    hits = row.casts(carom.circle(0.5), lanes, (10, 0))
    assert hits["hit"].tolist() == [True, True, False]
    assert hits["time"][0] == pytest.approx(0.35, abs=1e-3)
    hits = row.casts([carom.circle(0.5), carom.circle(2)], [(-5, 0), (-5, 2.5)], (10, 0))
    assert hits["hit"].tolist() == [True, True]
    with pytest.raises(ValueError, match="2 shapes"):
        row.casts([carom.circle(1)] * 2, lanes, (10, 0))
    assert row.casts(carom.rect(4, 0.1), [(2.5, 0)], (0, 0.1), angles=[math.pi / 2])[
        "hit"
    ].tolist() == [False]


def test_overlaps(row: carom.World) -> None:
    ids = [body.id for body in row]
    found = row.overlap_points([(0, 0), (2.5, 0), (5, 0.5)])
    assert found["query"].tolist() == [0, 2]
    assert found["body"].tolist() == [ids[0], ids[1]]
    found = row.overlap_boxes([(-1, -1, 11, 1), (100, 100, 101, 101)])
    assert found["body"].tolist() == ids[:3]
    found = row.overlap_shapes(carom.rect(6, 1), [(2.5, 0), (2.5, 5)])
    assert found["body"].tolist() == ids[:2] and found["query"].tolist() == [0, 0]
    found = row.overlap_shapes(carom.rect(6, 1), [(2.5, 0)], angles=[math.pi / 2])
    assert len(found) == 0


def test_nearest(row: carom.World) -> None:
    ids = [body.id for body in row]
    found = row.nearest([(1, 3), (100, 0)], 10)
    assert found["body"].tolist() == [ids[0], 0]
    assert found["distance"][0] == pytest.approx(math.hypot(1, 3) - 1, rel=1e-5)
    found = row.nearest([(4, 3)], 100, 2)
    assert found["body"].tolist() == [ids[1], ids[0]]
    assert (np.diff(found["distance"]) >= 0).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda w: w.rays([(0, 0, 0)], [(1, 0)]),
        lambda w: w.rays([(0, 0), (1, 1)], [(1, 0)] * 3),
        lambda w: w.rays("ab", (1, 0)),
        lambda w: w.rays((0, 0), (1, 0), kind="fixed"),
        lambda w: w.rays((0, 0), (1, 0), kinds=["wall"]),
        lambda w: w.rays((0, 0), (1, 0), mask=-1),
        lambda w: w.casts("circle", (0, 0), (1, 0)),
        lambda w: w.overlap_boxes([(0, 0)]),
        lambda w: w.nearest([(0, 0)], "far"),
        lambda w: w.overlap_shapes(carom.circle(1), [(0, 0)], angles=[1, 2]),
    ],
)
def test_bad_queries_are_refused(row: carom.World, call: object) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        call(row)  # type: ignore[operator]


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e300])
def test_a_query_at_no_place_finds_nothing(row: carom.World, bad: float) -> None:
    assert not row.rays((bad, 0), (1, 0))["hit"][0]
    assert not row.rays((0, 9), (bad, 0))["hit"][0]
    assert len(row.overlap_points([(bad, 0)])) == 0
    assert not row.nearest([(bad, 0)], 10)["hit"][0]


def test_predictions() -> None:
    world = carom.World()
    world.add_fixed(carom.rect(40, 2), at=(0, -1))
    ball = world.add(carom.circle(0.5), at=(0, 3), velocity=(2, 0), name="ball")
    paths = world.predict([ball], 40)
    assert paths.shape == (40, 1, 3)
    hash_before = world.hash()
    meetings = world.predict_meetings(["ball"], 120)
    assert world.hash() == hash_before
    assert meetings["other"][0] == world.bodies[0].id
    twin = world.copy()
    for k in range(20):
        twin.step(DT)
        assert paths[k, 0, :2].tolist() == pytest.approx(list(twin[ball].position), abs=1e-4)
    thrown = world.predict([ball], 10, velocities=[(0, 30)])
    assert thrown[-1, 0, 1] > 6
    with pytest.raises(carom.Error):
        world.predict([ball], 2**31)
