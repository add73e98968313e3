"""Ways on grids and meshes, and flow fields."""

import math

import numpy as np
import pytest

import carom
from carom import nav

TEXT = "..........\n..####....\n......#...\n"


@pytest.fixture
def grid() -> nav.Grid:
    return nav.Grid.parse(TEXT)


def test_a_map_is_an_array(grid: nav.Grid) -> None:
    assert grid.shape == (3, 10)
    walls = grid.walls
    assert walls.shape == (3, 10) and walls.sum() == 5
    assert walls[0, 6] and walls[1, 2] and not walls[2].any()
    again = nav.Grid(walls)
    assert (again.walls == walls).all()
    assert (nav.Grid(walls[::-1], top_first=True).walls == walls).all()


def test_a_way(grid: nav.Grid) -> None:
    way = grid.path((0, 0), (9, 2))
    assert way is not None
    assert way[0].tolist() == [0, 0] and way[-1].tolist() == [9, 2]
    assert (np.abs(np.diff(way, axis=0)).max(axis=1) == 1).all()
    assert not grid.walls[way[:, 1], way[:, 0]].any()


@pytest.mark.parametrize("method", ["auto", "astar", "jump", "dijkstra", "tiers"])
def test_all_methods_find_the_shortest(method: str) -> None:
    rng = np.random.default_rng(3)
    grid = nav.Grid(rng.random((60, 80)) < 0.25)
    free = np.argwhere(~grid.walls)[:, ::-1]
    starts, goals = free[rng.integers(len(free), size=(2, 40))]
    _, _, lengths = grid.paths(starts, goals, method=method)  # type: ignore[arg-type]
    _, _, best = grid.paths(starts, goals, method="dijkstra")
    slack = 1.03 if method == "tiers" else 1 + 1e-9
    finite = np.isfinite(best)
    assert (np.isfinite(lengths) == finite).all()
    assert (lengths[finite] <= best[finite] * slack + 1e-9).all()
    assert (lengths[finite] >= best[finite] * (1 - 1e-9)).all()


@pytest.mark.parametrize("rule", ["four", "eight", "eight_one_free", "eight_always"])
def test_lengths_are_those_of_the_cells(rule: str) -> None:
    rng = np.random.default_rng(4)
    grid = nav.Grid(rng.random((30, 30)) < 0.2)
    free = np.argwhere(~grid.walls)[:, ::-1]
    starts, goals = free[rng.integers(len(free), size=(2, 50))]
    cells, begins, lengths = grid.paths(starts, goals, rule=rule)  # type: ignore[arg-type]
    assert begins[0] == 0 and begins[-1] == len(cells)
    for k in range(50):
        way = cells[begins[k] : begins[k + 1]]
        if len(way):
            steps = np.abs(np.diff(way, axis=0)).sum(axis=1)
            assert lengths[k] == pytest.approx(np.sqrt(steps).sum(), rel=1e-4)
            assert rule != "four" or (steps == 1).all()
        else:
            assert math.isinf(lengths[k])


def test_walls_come_and_go(grid: nav.Grid) -> None:
    assert grid.connected((0, 0), (9, 2)).tolist() == [True]
    assert grid.set_walls([(7, 0), (7, 1), (7, 2)]) == 3
    assert grid.path((0, 0), (9, 2)) is None
    assert grid.connected([(0, 0), (0, 0)], [(9, 2), (1, 1)]).tolist() == [False, True]
    assert grid.nearest_reachable((0, 0), (9, 2)) == (6, 2)
    assert grid.set_walls([(7, 1)], False) == 1
    assert grid.path((0, 0), (9, 2)) is not None


def test_costs_are_avoided() -> None:
    costs = np.ones((3, 9), np.uint8)
    costs[1, 2:7] = 50
    grid = nav.Grid(np.zeros((3, 9)), costs=costs)
    assert (grid.costs == costs).all()
    way = grid.path((0, 1), (8, 1))
    assert way is not None and not (costs[way[:, 1], way[:, 0]] == 50).any()
    assert grid.set_costs([(3, 1)], 7) == 1
    with pytest.raises(carom.Error):
        grid.set_costs([(3, 1)], 0)


def test_large_units_need_wide_ways() -> None:
    walls = np.zeros((9, 9), bool)
    walls[4] = True
    walls[4, 4] = False
    grid = nav.Grid(walls)
    grid.keep_size(2)
    assert grid.path((0, 0), (0, 6)) is not None
    assert grid.path((0, 0), (0, 6), size=2) is None
    with pytest.raises(carom.Error, match="size"):
        grid.path((0, 0), (0, 6), size=3)


def test_taut_ways_have_few_corners() -> None:
    grid = nav.Grid(np.zeros((20, 20)))
    assert grid.taut_path((0, 0), (19, 7)).tolist() == [[0, 0], [19, 7]]  # type: ignore[union-attr]


def test_a_field_of_view(grid: nav.Grid) -> None:
    seen = grid.field_of_view((0, 0), 5)
    assert seen[0, 0] and seen[0, 5] and not seen[2, 4]
    assert not grid.field_of_view((50, 50), 5).any()


def test_reach() -> None:
    left = nav.Grid(np.zeros((9, 9))).reach((4, 4), 3, rule="four")
    assert left[4, 4] >= left[4, 5] >= 0
    assert left.shape == (9, 9)


@pytest.mark.parametrize(
    "call",
    [
        lambda g: g.path((2, 1), (0, 0)),
        lambda g: g.path((0, 0), (2, 1)),
        lambda g: g.path((0, 0), (99, 0)),
        lambda g: g.path((-1, 0), (0, 0)),
        lambda g: g.path((0.5, 0), (0, 0)),
        lambda g: g.path((math.nan, 0), (0, 0)),
        lambda g: g.path((0, 0), (1, 0), rule="nine"),
        lambda g: g.path((0, 0), (1, 0), method="magic"),
        lambda g: g.path((0, 0), (1, 0), heuristic="none"),
        lambda g: g.path([(0, 0), (1, 1)], (1, 0)),
        lambda g: g.keep_size(200),
        lambda g: nav.Grid(np.zeros((0, 5))),
        lambda g: nav.Grid(np.zeros(5)),
        lambda g: nav.Grid(np.zeros((2, 2)), costs=np.ones((3, 3))),
        lambda g: nav.Grid.parse(""),
        lambda g: nav.Flow(g, [(0, 0, 0)]),
    ],
)
def test_bad_requests_are_refused(grid: nav.Grid, call: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        call(grid)  # type: ignore[operator]


def test_a_flow_leads_everyone(grid: nav.Grid) -> None:
    flow = nav.Flow(grid, [(9, 2)])
    distances, directions = flow.distances, flow.directions
    assert distances[2, 9] == 0
    assert np.isinf(distances[grid.walls]).all()
    assert directions[2, 9] == -1
    way = flow.path((0, 0))
    shortest = grid.path((0, 0), (9, 2))
    assert way is not None and shortest is not None and len(way) == len(shortest)
    assert distances[0, 0] == pytest.approx(
        np.sqrt(np.abs(np.diff(way, axis=0)).sum(axis=1)).sum(), rel=1e-4
    )
    headings = flow.headings([(0.5, 0.5), (9.5, 0.5)])
    assert np.hypot(*headings.T) == pytest.approx([1, 1], abs=1e-5)
    assert headings[1, 1] > 0


def test_a_flow_follows_its_map(grid: nav.Grid) -> None:
    flow = nav.Flow(grid, [(9, 2)])
    before = flow.distances[0, 0]
    grid.set_walls([(7, 0), (7, 1)])
    after = flow.distances[0, 0]
    assert after >= before
    grid.set_walls([(7, 2)])
    assert math.isinf(flow.distances[0, 0])
    assert flow.path((0, 0)) is None


def test_a_grid_of_a_world() -> None:
    world = carom.World()
    world.add_fixed(carom.rect(4, 2), at=(5, 5))
    world.add(carom.circle(1), at=(8.5, 8.5))
    grid = nav.Grid.raster(world, (0, 0), 1.0, 10, 10)
    assert grid.walls[4:6, 3:7].all()
    assert not grid.walls[8, 8]
    assert not grid.walls[0].any()


def test_ways_on_a_mesh() -> None:
    mesh = nav.Mesh(10, max_radius=1)
    box = mesh.add([(-2, -1), (2, -1), (2, 1), (-2, 1)])
    straight = mesh.way((-5, 4), (5, 4))
    assert straight is not None and straight.length == pytest.approx(10)
    bent = mesh.way((-5, 0), (5, 0))
    assert bent is not None
    assert bent.length == pytest.approx(2 * math.hypot(3, 1) + 4, rel=1e-4)
    wide = mesh.way((-5, 0), (5, 0), 0.5)
    assert wide is not None and wide.length > bent.length and wide.radius == 0.5
    points = wide.points()
    assert points[0].tolist() == [-5, 0] and points[-1].tolist() == [5, 0]
    assert np.hypot(*np.diff(points, axis=0).T).sum() == pytest.approx(wide.length, rel=1e-3)
    assert mesh.is_current(bent)
    assert mesh.remove(box) and not mesh.remove(box)
    assert not mesh.is_current(bent)
    free = mesh.way((-5, 0), (5, 0))
    assert free is not None and free.length == pytest.approx(10)


def test_a_gate_is_as_wide_as_it_is() -> None:
    mesh = nav.Mesh(10, max_radius=3)
    mesh.add([(-1, 1), (1, 1), (1, 10), (-1, 10)])
    mesh.add([(-1, -10), (1, -10), (1, -1), (-1, -1)])
    assert mesh.widest((-5, 0), (5, 0)) == pytest.approx(1, abs=0.01)
    assert mesh.reachable([(-5, 0)] * 2, [(5, 0), (-3, 0)], 1.5).tolist() == [False, True]
    assert mesh.way((-5, 0), (5, 0), 1.5) is None
    ways = mesh.ways([(-5, 0), (-5, 0)], [(5, 0), (-4, 0)], 0.5)
    assert all(way is not None for way in ways)


def test_a_mesh_follows_a_world() -> None:
    world = carom.World()
    wall = world.add_fixed(carom.rect(1, 8))
    mesh = nav.Mesh(10)
    added, removed, refused = mesh.sync(world)
    assert (added, removed, refused) == (1, 0, 0)
    around = mesh.way((-3, 0), (3, 0))
    assert around is not None and around.length > 8
    wall.remove()
    assert mesh.sync(world)[1] == 1
    straight = mesh.way((-3, 0), (3, 0))
    assert straight is not None and straight.length == pytest.approx(6)


def test_triangles_cover_what_is_free() -> None:
    mesh = nav.Mesh(10)
    mesh.add([(-2, -1), (2, -1), (2, 1), (-2, 1)])
    a, b, c = np.moveaxis(mesh.triangles, 1, 0)
    areas = 0.5 * np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    assert areas.sum() == pytest.approx(400 - 8, rel=1e-3)


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.add([(0, 0), (1, 1)]),
        lambda m: m.add([(0, 0), (math.nan, 0), (0, 1)]),
        lambda m: m.add_wall([(0, 0)]),
        lambda m: m.way((math.nan, 0), (1, 1)),
        lambda m: m.way((0, 0), (1, 1), -1),
        lambda m: m.way((0, 0), (1, 1), 50),
        lambda m: nav.Mesh(-1),
        lambda m: nav.Mesh(math.inf),
    ],
)
def test_bad_meshes_are_refused(call: object) -> None:
    with pytest.raises(carom.Error):
        call(nav.Mesh(10))  # type: ignore[operator]
