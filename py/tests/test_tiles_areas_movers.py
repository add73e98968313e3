"""Tile maps, areas, movers, chains: the parts of games."""

import math

import numpy as np
import pytest

import carom

DT = 1 / 60
SOLID, EMPTY = carom.TILES.index("Solid"), carom.TILES.index("Empty")


def test_kinds_of_tiles() -> None:
    assert carom.TILES[:3] == ("Empty", "Solid", "SlopeUp")
    assert len(carom.TILES) == 16


@pytest.mark.parametrize("top_first", [False, True])
def test_a_tile_map_bears(top_first: bool) -> None:
    cells = np.zeros((4, 20), np.uint8)
    cells[-1 if top_first else 0] = SOLID
    world = carom.World()
    world.add_fixed(carom.tiles(cells, 1.0, top_first=top_first))
    box = world.add(carom.rect(0.8, 0.8), at=(10, 3))
    world.step(DT, 120)
    assert box.position[1] == pytest.approx(1.4, abs=0.01)


def test_a_tile_is_dug_away() -> None:
    world = carom.World()
    land = world.add_fixed(carom.tiles(np.ones((1, 9), int), 1.0))
    ball = world.add(carom.circle(0.3), at=(4.5, 2))
    world.step(DT, 90)
    assert ball.position[1] == pytest.approx(1.3, abs=0.01)
    collider = land.colliders[0]
    assert collider.tile(4, 0) == SOLID
    collider.set_tile(4, 0, EMPTY)
    assert collider.tile(4, 0) == EMPTY and collider.tile(40, 0) is None
    world.step(DT, 60)
    assert ball.position[1] < 0
    with pytest.raises(ValueError):
        collider.set_tile(4, 0, 99)
    with pytest.raises(carom.Error):
        collider.set_tile(400, 0, SOLID)


def test_a_smooth_floor_of_tiles_does_not_trip() -> None:
    world = carom.World(gravity=(0, -9.81))
    world.add_fixed(carom.tiles(np.ones((1, 60)), 1.0), friction=0)
    box = world.add(carom.rect(0.8, 0.8), at=(2, 1.4), velocity=(20, 0), friction=0)
    world.step(DT, 120)
    assert box.position[0] == pytest.approx(42, abs=0.1)
    assert abs(box.angle) < 0.01


def test_materials_of_tiles() -> None:
    world = carom.World()
    part = carom.Part(
        carom.tiles(np.ones((1, 10)), materials=[[0] * 5 + [1] * 5]),
        part_materials=[carom.Material(), carom.Material(surface_speed=2)],
    )
    world.add_fixed(part)
    still = world.add(carom.rect(0.5, 0.5), at=(2, 1.25))
    carried = world.add(carom.rect(0.5, 0.5), at=(6, 1.25))
    world.step(DT, 60)
    assert abs(still.velocity[0]) < 0.01
    assert carried.velocity[0] == pytest.approx(2, abs=0.05)


def test_a_pool_floats_a_raft() -> None:
    world = carom.World()
    pool = world.add_fixed(carom.rect(9, 4), at=(0, -2), sensor=True)
    area = carom.Area.fluid(1000, 2)
    pool.colliders[0].area = area
    assert pool.colliders[0].area == area
    raft = world.add(carom.rect(1, 0.4), at=(0, 0.3), density=500)
    world.step(DT, 900)
    assert abs(raft.position[1]) < 0.002


@pytest.mark.parametrize(
    ("area", "expected"),
    [
        (carom.Area.gravity((2, 0)), (2, 0)),
        (carom.Area.gravity((2, 0), replaces=False), (2, -9.81)),
        (carom.Area.gravity((0, 9.81), replaces=False), (0, 0)),
    ],
)
def test_areas_of_gravity(area: carom.Area, expected: tuple[float, float]) -> None:
    world = carom.World()
    room = world.add_fixed(carom.rect(40, 40), sensor=True)
    room.colliders[0].area = area
    ball = world.add(carom.circle(0.5))
    world.step(DT, 2)
    before = ball.velocity
    world.step(DT, 60)
    gained = [after - old for after, old in zip(ball.velocity, before)]
    assert gained == pytest.approx(list(expected), abs=0.01)


def test_wind_and_planets() -> None:
    world = carom.World(gravity=(0, 0))
    storm = world.add_fixed(carom.rect(40, 40), sensor=True)
    storm.colliders[0].area = carom.Area(drag=2, wind=(5, 0))
    leaf = world.add(carom.circle(0.1))
    world.step(DT, 240)
    assert leaf.velocity[0] == pytest.approx(5, rel=0.01)
    storm.colliders[0].area = None
    planet = world.add_fixed(carom.circle(50), at=(500, 0), sensor=True)
    planet.colliders[0].area = carom.Area.planet(10, 2)
    moon = world.add(carom.circle(0.1), at=(510, 0))
    world.step(DT, 61)
    assert moon.velocity[0] == pytest.approx(-10 * (2 / 10) ** 2, rel=0.05)


def test_a_bad_area_is_refused() -> None:
    world = carom.World()
    pool = world.add_fixed(carom.rect(9, 4), sensor=True)
    with pytest.raises(carom.Error):
        pool.colliders[0].area = carom.Area.fluid(math.nan, 0)
    with pytest.raises(carom.Error):
        pool.colliders[0].area = carom.Area.planet(1, -1)


def test_a_mover_walks_and_stops_at_walls() -> None:
    world = carom.World()
    world.add_fixed(carom.rect(40, 2), at=(0, -1))
    world.add_fixed(carom.rect(1, 4), at=(5, 2))
    hero = carom.Mover(carom.capsule((0, -0.5), (0, 0.5), 0.3), step_height=0.4)
    at, velocity = (0.0, 0.81), (3.0, 0.0)
    for _ in range(180):
        velocity = (3, velocity[1] - 9.81 * DT)
        move = hero.slide(world, at, velocity)
        at, velocity = move.position, move.velocity
    assert move.grounded and move.hit_wall
    assert move.ground == world.bodies[0]
    assert move.ground_normal == pytest.approx((0, 1), abs=1e-3)
    assert at[0] == pytest.approx(4.2, abs=0.05)
    assert at[1] == pytest.approx(0.8, abs=0.05)


def test_a_mover_climbs_steps() -> None:
    world = carom.World()
    world.add_fixed(carom.rect(40, 2), at=(0, -1))
    world.add_fixed(carom.rect(4, 0.3), at=(4, 0.15))
    hero = carom.Mover(carom.rect(0.6, 1.6), step_height=0.4)
    at, velocity, stepped = (0.0, 0.82), (3.0, 0.0), False
    for _ in range(60):
        move = hero.slide(world, at, (3, velocity[1] - 9.81 * DT))
        at, velocity, stepped = move.position, move.velocity, stepped or move.stepped
    assert stepped and at[1] > 1.0
    hero.forget()


def test_a_body_is_moved_like_a_mover() -> None:
    world = carom.World()
    world.add_fixed(carom.rect(40, 2), at=(0, -1))
    shape = carom.capsule((0, -0.5), (0, 0.5), 0.3)
    body = world.add_kinematic(shape, at=(0, 0.82))
    hero = carom.Mover(shape)
    for _ in range(60):
        move = hero.move_body(world, body, (2, -1))
        world.step(DT)
    assert move.grounded
    assert body.position[0] == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize(
    "options",
    [{"skin": 0}, {"max_slope": 2}, {"step_height": -1}, {"steep": "fly"}, {"up": (math.nan, 0)}],
)
def test_a_bad_mover_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        carom.Mover(**options)  # type: ignore[arg-type]


def test_a_mover_without_an_inside_is_refused() -> None:
    with pytest.raises(carom.Error):
        carom.Mover(carom.half_plane())


def test_one_way_platforms() -> None:
    world = carom.World()
    world.add_fixed(carom.Part(carom.rect(4, 0.2), one_way=(0, 1)))
    ball = world.add(carom.circle(0.3), at=(0, -2), velocity=(0, 9))
    world.step(DT, 180)
    assert ball.position[1] == pytest.approx(0.4, abs=0.01)
