"""Worlds: settings, steps, and what physics says of them."""

import math

import pytest

import carom

DT = 1 / 60


def ground(world: carom.World) -> carom.Body:
    return world.add_fixed(carom.rect(200, 2), at=(0, -1))


def test_an_empty_world_steps() -> None:
    world = carom.World()
    world.step()
    assert (len(world), world.step_count) == (0, 1)
    assert bool(world)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sub_steps", 8),
        ("max_speed", 50.0),
        ("sleep", False),
        ("continuous", False),
        ("sleep_speed", 0.25),
        ("sleep_time", 1.5),
        ("hit_speed", 0.5),
        ("unit", 64.0),
        ("period", (4, 0)),
        ("threads", 2),
    ],
)
def test_each_setting_is_kept(key: str, value: object) -> None:
    world = carom.World(**{key: value})  # type: ignore[arg-type]
    assert world.settings[key] == value


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("gravity", (math.nan, 0.0), "gravity"),
        ("gravity", (1e9, 0.0), "gravity"),
        ("sub_steps", 0, "sub-steps"),
        ("sub_steps", 65, "sub-steps"),
        ("max_speed", -1.0, "speed"),
        ("sleep_speed", -1.0, "1e6"),
        ("sleep_time", math.inf, "1e6"),
        ("hit_speed", -0.5, "hit"),
        ("unit", 0.0, "units"),
        ("period", (1, 0), "regions"),
        ("threads", 0, "threads"),
        ("threads", 5000, "threads"),
    ],
)
def test_a_bad_setting_is_refused_with_its_rule(key: str, value: object, rule: str) -> None:
    with pytest.raises(carom.Error, match=rule):
        carom.World(**{key: value})  # type: ignore[arg-type]


def test_the_unit_scales_lengths_that_are_still_the_defaults() -> None:
    settings = carom.World(unit=64, hit_speed=10).settings
    assert settings["gravity"] == pytest.approx((0, -627.84), rel=1e-6)
    assert settings["hit_speed"] == 10
    assert settings["max_speed"] == 64_000


def test_settings_change_between_steps() -> None:
    world = carom.World()
    world.configure(sub_steps=2, sleep=False, threads=2)
    world.gravity = (1, 2)
    assert world.gravity == (1, 2)
    settings = world.settings
    assert (settings["sub_steps"], settings["sleep"], settings["threads"]) == (2, False, 2)
    with pytest.raises(carom.Error):
        world.configure(sub_steps=100)
    assert world.settings["sub_steps"] == 2


@pytest.mark.parametrize("dt", [-1.0, math.nan, math.inf])
def test_a_step_of_no_length_is_refused(dt: float) -> None:
    world = carom.World()
    with pytest.raises(carom.Error):
        world.step(dt)
    assert world.step_count == 0


@pytest.mark.parametrize("gravity", [-1.62, -9.81, -24.79])
@pytest.mark.parametrize("seconds", [0.5, 1.0, 2.0])
def test_a_body_falls_by_half_g_t_squared(gravity: float, seconds: float) -> None:
    world = carom.World(gravity=(0, gravity))
    ball = world.add(carom.circle(0.5))
    steps = round(seconds / DT)
    world.step(DT, steps)
    assert ball.position[1] == pytest.approx(gravity * seconds**2 / 2, rel=1e-4)
    assert ball.velocity[1] == pytest.approx(gravity * seconds, rel=1e-4)


@pytest.mark.parametrize("speed", [5.0, 10.0, 15.0])
@pytest.mark.parametrize("degrees", [30, 45, 60])
def test_a_throw_goes_as_far_as_its_speed_says(speed: float, degrees: int) -> None:
    angle = math.radians(degrees)
    world = carom.World()
    velocity = (speed * math.cos(angle), speed * math.sin(angle))
    ball = world.add(carom.circle(0.1), velocity=velocity)
    flight = 2 * velocity[1] / 9.81
    steps = 600
    world.step(flight / steps, steps)
    assert ball.position[0] == pytest.approx(speed**2 * math.sin(2 * angle) / 9.81, rel=1e-3)
    assert abs(ball.position[1]) < 0.02


@pytest.mark.parametrize("restitution", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_a_ball_bounces_to_the_square_of_its_restitution(restitution: float) -> None:
    world = carom.World()
    ground(world)
    ball = world.add(carom.circle(0.5), at=(0, 4.5), restitution=restitution)
    heights = []
    while not len(world.events.begun):
        world.step(DT)
    for _ in range(120):
        world.step(DT)
        heights.append(ball.position[1] - 0.5)
    assert max(heights) == pytest.approx(4 * restitution**2, abs=0.05)


@pytest.mark.parametrize("friction", [0.2, 0.4, 0.6, 0.8])
def test_a_box_slides_where_the_slope_is_steeper_than_its_friction(friction: float) -> None:
    for share, slides in [(0.9, False), (1.1, True)]:
        angle = math.atan(friction * share)
        world = carom.World()
        slope = carom.rect(100, 2, at=(0, -1))
        world.add_fixed(slope, angle=angle, friction=friction)
        up = (-math.sin(angle) * 0.5, math.cos(angle) * 0.5)
        box = world.add(carom.rect(1, 1), at=up, angle=angle, friction=friction)
        world.step(DT, 120)
        way = math.dist(box.position, up)
        assert (way > 0.3) == slides, (share, way)


@pytest.mark.parametrize("masses", [(1.0, 1.0), (1.0, 3.0), (5.0, 0.5)])
@pytest.mark.parametrize("restitution", [0.0, 1.0])
def test_balls_that_meet_exchange_momentum(masses: tuple[float, float], restitution: float) -> None:
    world = carom.World(gravity=(0, 0))
    m1, m2 = masses
    a = world.add(carom.circle(0.5), at=(-2, 0), velocity=(3, 0), mass=m1, restitution=restitution)
    b = world.add(carom.circle(0.5), at=(2, 0), velocity=(-1, 0), mass=m2, restitution=restitution)
    world.step(DT, 120)
    v1, v2 = a.velocity[0], b.velocity[0]
    assert m1 * v1 + m2 * v2 == pytest.approx(3 * m1 - m2, abs=1e-3)
    assert v2 - v1 == pytest.approx(4 * restitution, abs=0.02)


def test_a_stack_of_ten_stands() -> None:
    world = carom.World()
    ground(world)
    ids = world.add_many(carom.rect(1, 1), [(0, 0.5 + k) for k in range(10)])
    world.step(DT, 300)
    assert len(ids) == 10
    top = world[int(ids[-1])]
    assert top.position == pytest.approx((0, 9.5), abs=0.02)
    assert not top.awake


@pytest.mark.parametrize("speed", [100, 200, 400, 800])
def test_a_bullet_does_not_pass_through_a_thin_wall(speed: float) -> None:
    world = carom.World(gravity=(0, 0))
    world.add_fixed(carom.rect(0.02, 10), at=(5, 0))
    bullet = world.add(carom.circle(0.05), velocity=(speed, 0))
    world.step(DT, 30)
    assert bullet.position[0] < 5


def test_energy_is_kept_by_elastic_balls() -> None:
    world = carom.World(gravity=(0, 0))
    world.add_fixed(
        carom.chain([(-5, -5), (5, -5), (5, 5), (-5, 5)], closed=True), restitution=1, friction=0
    )
    for k in range(8):
        at = (-4 + k, math.sin(k))
        world.add(carom.circle(0.3), at=at, velocity=(3, k), restitution=1, friction=0)
    energy = sum(body.kinetic_energy for body in world)
    world.step(DT, 600)
    assert sum(body.kinetic_energy for body in world) == pytest.approx(energy, rel=0.02)


def test_repr_and_stats() -> None:
    world = carom.World()
    ground(world)
    world.add(carom.circle(0.5), at=(0, 0.5))
    world.step()
    assert repr(world) == "<carom.World: 2 bodies, 0 joints, 1 steps>"
    assert world.stats["awake"] == 1
    world.validate()


def test_damping_slows_by_its_formula() -> None:
    world = carom.World(gravity=(0, 0))
    body = world.add(carom.circle(0.5), velocity=(10, 0), linear_damping=0.5)
    world.step(DT, 120)
    assert body.velocity[0] == pytest.approx(10 / (1 + 0.5 * DT / 4) ** 480, rel=1e-3)


def test_a_world_wraps_round() -> None:
    world = carom.World(gravity=(0, 0), period=(2, 2))
    ship = world.add(carom.circle(1), at=(1535, 0), velocity=(120, 0))
    world.step(DT)
    assert ship.position[0] == pytest.approx(-511, abs=1e-3)


def test_far_out_nothing_gets_worse() -> None:
    heights = []
    for x in (0.0, 1024.0 * 1_000_000):
        world = carom.World()
        world.add_fixed(carom.rect(40, 2), at=(x, -1))
        ball = world.add(carom.circle(0.5), at=(x + 0.25, 3))
        world.step(DT, 100)
        heights.append((ball.position[0] - x, ball.position[1]))
    assert heights[0] == heights[1]
