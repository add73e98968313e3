"""Joints: each kind holds what it should, and refuses what it does not have."""

import math
from typing import Any

import numpy as np
import pytest

import carom

DT = 1 / 60


@pytest.fixture
def world() -> carom.World:
    return carom.World(sleep=False)


def test_a_pendulum_keeps_its_length(world: carom.World) -> None:
    bob = world.add(carom.circle(0.1), at=(2, 0))
    joint = world.revolute(None, bob, at=(0, 0))
    for _ in range(300):
        world.step(DT)
        assert math.hypot(*bob.position) == pytest.approx(2, abs=1e-3)
    assert joint.kind == "revolute" and joint.body_a is None and joint.body_b == bob
    assert joint.state.gap < 1e-3


@pytest.mark.parametrize("length", [0.5, 1.0, 2.0, 4.0])
def test_a_pendulum_swings_in_its_time(world: carom.World, length: float) -> None:
    angle = 0.05
    bob = world.add(
        carom.circle(0.01),
        at=(length * math.sin(angle), -length * math.cos(angle)),
        inertia=(1, (0, 0), 1e-4),
    )
    world.revolute(None, bob, at=(0, 0))
    crossings, last = [], bob.position[0]
    for step in range(1, 1200):
        world.step(1 / 120)
        now = bob.position[0]
        if last > 0 >= now:
            crossings.append((step - 1 + last / (last - now)) / 120)
        last = now
    period = (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    assert period == pytest.approx(2 * math.pi * math.sqrt(length / 9.81), rel=0.01)


def test_a_motor_turns_a_wheel(world: carom.World) -> None:
    wheel = world.add(carom.circle(1))
    hinge = world.revolute(None, wheel, motor=(3, 1000))
    world.step(DT, 60)
    assert wheel.spin == pytest.approx(3, rel=1e-3)
    assert hinge.motor == (3, 1000)
    hinge.motor = (-2, 1000)
    world.step(DT, 60)
    assert wheel.spin == pytest.approx(-2, rel=1e-3)
    hinge.motor = None
    assert hinge.motor is None


@pytest.mark.parametrize("limits", [(-0.5, 0.5), (0.0, 1.0), (-2.0, -0.0)])
def test_limits_hold(world: carom.World, limits: tuple[float, float]) -> None:
    arm = world.add(carom.rect(2, 0.1, at=(1, 0)))
    hinge = world.revolute(None, arm, at=(0, 0), limits=limits)
    for _ in range(240):
        world.step(DT)
        assert limits[0] - 0.02 <= hinge.state.angle <= limits[1] + 0.02
    assert hinge.state.angle == pytest.approx(
        limits[0] if limits[0] > -1.6 else -math.pi / 2, abs=0.6
    )


def test_a_slider_slides_along_its_axis(world: carom.World) -> None:
    box = world.add(carom.rect(1, 1), at=(0, 5))
    world.prismatic(None, box, (0, 1), limits=(-2, 10))
    box.apply_impulse((5, 0))
    world.step(DT, 240)
    assert box.position == pytest.approx((0, -2), abs=0.01)
    assert abs(box.angle) < 1e-3


def test_a_servo_reaches_its_target(world: carom.World) -> None:
    world.gravity = (0, 0)
    box = world.add(carom.rect(1, 1))
    slider = world.prismatic(None, box, servo=(1.5, 2, 1))
    assert slider.target == 1.5
    world.step(DT, 240)
    assert box.position[0] == pytest.approx(1.5, abs=0.01)
    slider.target = -1
    world.step(DT, 240)
    assert box.position[0] == pytest.approx(-1, abs=0.01)


def test_a_rod_keeps_its_distance(world: carom.World) -> None:
    a = world.add_fixed(carom.circle(0.1))
    b = world.add(carom.circle(0.1), at=(3, 0))
    rod = world.distance(a, b)
    world.step(DT, 200)
    assert math.dist(a.position, b.position) == pytest.approx(3, abs=1e-3)
    assert rod.state.length == pytest.approx(3, abs=1e-3)
    world.distance(a, world.add(carom.circle(0.1), at=(1, 0)), length=2)


def test_a_soft_rod_hangs_lower_by_g_over_omega_squared(world: carom.World) -> None:
    a = world.add_fixed(carom.circle(0.1))
    b = world.add(carom.circle(0.1), at=(0, -1))
    world.distance(a, b, soft=(2, 1), length=1)
    world.step(DT, 600)
    assert b.position[1] == pytest.approx(-1 - 9.81 / (2 * math.pi * 2) ** 2, rel=0.02)


def test_a_rope_is_slack_within_its_length(world: carom.World) -> None:
    b = world.add(carom.circle(0.1), at=(0, -0.5))
    world.rope(None, b, 2)
    world.step(DT, 10)
    assert b.velocity[1] == pytest.approx(-9.81 / 6, rel=1e-3)
    world.step(DT, 300)
    assert b.position[1] == pytest.approx(-2, abs=0.02)


def test_a_weld_holds(world: carom.World) -> None:
    a = world.add_fixed(carom.rect(1, 1))
    b = world.add(carom.rect(1, 1), at=(1, 0))
    world.weld(a, b, at=(0.5, 0))
    world.step(DT, 120)
    assert b.position == pytest.approx((1, 0), abs=0.01)
    assert b.angle == pytest.approx(0, abs=0.01)


def test_a_car_drives(world: carom.World) -> None:
    world.add_fixed(carom.rect(80, 1), at=(0, -0.5))
    car = world.add(carom.rect(3, 0.5), at=(0, 0.9))
    for x in (-1, 1):
        tyre = world.add(carom.circle(0.4), at=(x, 0.4))
        world.wheel(
            car, tyre, (0, 1), (4, 0.7), at=(x, 0.4), travel_limits=(-0.2, 0.2), motor=(-10, 20)
        )
    world.step(DT, 120)
    assert car.position[0] > 2


def test_a_drag_follows_the_mouse(world: carom.World) -> None:
    world.gravity = (0, 0)
    box = world.add(carom.rect(1, 1))
    mouse = world.drag(box, (0, 0), 1000)
    mouse.drag_to((4, 3))
    world.step(DT, 180)
    assert box.position == pytest.approx((4, 3), abs=0.01)


def test_motor_to_and_friction(world: carom.World) -> None:
    world.gravity = (0, 0)
    lead = world.add_kinematic(carom.circle(0.1), at=(2, 0))
    box = world.add(carom.rect(1, 1), at=(0, 0))
    world.motor_to(lead, box, (3, 1))
    world.step(DT, 180)
    assert box.position == pytest.approx((2, 0), abs=0.01)
    puck = world.add(carom.circle(0.5), at=(0, 9), velocity=(5, 0), mass=1)
    world.friction(None, puck, 2)
    world.step(DT, 60)
    assert puck.velocity[0] == pytest.approx(3, rel=0.01)


def test_gears_turn_against_each_other(world: carom.World) -> None:
    world.gravity = (0, 0)
    a, b = world.add(carom.circle(1)), world.add(carom.circle(0.5), at=(3, 0))
    first = world.revolute(None, a, at=(0, 0), motor=(1, 1e6))
    second = world.revolute(None, b, at=(3, 0))
    gear = world.gear(first, second, 2)
    world.step(DT, 60)
    assert a.spin == pytest.approx(1, rel=1e-2)
    assert b.spin == pytest.approx(-0.5, rel=1e-2)
    first.remove()
    world.step(DT)
    assert not gear.exists
    assert len(world.events.lost) == 1


def test_a_pulley_lifts(world: carom.World) -> None:
    heavy = world.add(carom.rect(1, 1), at=(-2, 0), mass=3)
    light = world.add(carom.rect(1, 1), at=(2, 0), mass=1)
    world.pulley(heavy, light, (-2, 5), (2, 5))
    world.step(DT, 30)
    assert heavy.velocity[1] < 0 < light.velocity[1]
    assert heavy.velocity[1] == pytest.approx(-light.velocity[1], abs=0.02)
    assert light.velocity[1] == pytest.approx(9.81 / 2 * 0.5, rel=0.02)


def test_bodies_without_contact_pass_through(world: carom.World) -> None:
    floor = world.add_fixed(carom.rect(10, 1))
    ball = world.add(carom.circle(0.5), at=(0, 2))
    world.no_contact(floor, ball)
    world.step(DT, 120)
    assert ball.position[1] < -5


def test_a_joint_breaks_and_says_so(world: carom.World) -> None:
    a = world.add_fixed(carom.circle(0.1))
    b = world.add(carom.circle(0.1), at=(0, -1), mass=100)
    rod = world.distance(a, b, breaks_at=(500, math.inf), user_data=7)
    broken = []
    for _ in range(60):
        world.step(DT)
        broken += world.events.broken.tolist()
    assert not rod.exists
    assert len(broken) == 1
    joint, body_a, body_b, data, force, _ = broken[0]
    assert (joint, body_a, body_b, data) == (rod.id, a.id, b.id, 7)
    assert force > 500


def test_joints_have_names(world: carom.World) -> None:
    body = world.add(carom.circle(1))
    hinge = world.revolute(None, body, name="hinge")
    assert world.joint_named("hinge") == hinge and hinge.name == "hinge"
    assert world.joints == [hinge] == body.joints
    with pytest.raises(carom.Error, match="hinge"):
        world.revolute(None, body, name="hinge")
    hinge.remove()
    with pytest.raises(KeyError):
        world.joint_named("hinge")


def test_options_change_later(world: carom.World) -> None:
    world.gravity = (0, 0)
    body = world.add(carom.circle(1))
    hinge = world.revolute(None, body, motor=(1, 100))
    hinge.configure(motor=(2, 50), limits=(-100, 100))
    assert hinge.motor == (2, 50)
    hinge.enabled = False
    assert not hinge.enabled
    before = world.hash()
    with pytest.raises(carom.Error):
        hinge.configure(length=3)
    assert world.hash() == before


def test_states_of_all_joints(world: carom.World) -> None:
    for k in range(3):
        world.revolute(None, world.add(carom.circle(0.5), at=(3 * k, 0)), motor=(k, 1e6))
    world.step(DT, 10)
    states = world.joint_states
    assert states.shape == (3,)
    assert np.allclose(states["angular_speed"], [0, 1, 2], rtol=1e-3, atol=1e-4)
    assert states["joint"].tolist() == [joint.id for joint in world.joints]


@pytest.mark.parametrize(
    "make",
    [
        lambda w, a, b: w.revolute(a, a),
        lambda w, a, b: w.revolute(a, b, length=1),
        lambda w, a, b: w.revolute(a, b, limits=(1, -1)),
        lambda w, a, b: w.revolute(a, b, motor=(math.nan, 1)),
        lambda w, a, b: w.revolute(a, b, soft=(-1, 1)),
        lambda w, a, b: w.prismatic(a, b, (0, 0)),
        lambda w, a, b: w.weld(a, b, motor=(1, 1)),
        lambda w, a, b: w.rope(a, b, -1),
        lambda w, a, b: w.wheel(a, b, limits=(0, 1)),
        lambda w, a, b: w.distance(a, b, bend=(1, 1)),
        lambda w, a, b: w.pulley(a, b, (0, 5), (1, 5), 0),
        lambda w, a, b: w.drag(b, (math.nan, 0), 1),
        lambda w, a, b: w.friction(a, b, -1),
        lambda w, a, b: w.gear(w.weld(a, b), w.revolute(a, b)),
        lambda w, a, b: w.no_contact(a, a),
        lambda w, a, b: w.revolute(a, b, at=(math.inf, 0)),
        lambda w, a, b: w.revolute(a, 12345),
    ],
)
def test_what_breaks_a_rule_is_refused(world: carom.World, make: object) -> None:
    a, b = world.add(carom.circle(1)), world.add(carom.circle(1), at=(3, 0))
    with pytest.raises(carom.Error):
        make(world, a, b)  # type: ignore[operator]


@pytest.mark.parametrize("option", ["lenght", "Motor", "hertz"])
def test_an_unknown_option_is_refused(world: carom.World, option: str) -> None:
    body = world.add(carom.circle(1))
    options: Any = {option: 1}
    with pytest.raises(TypeError, match="no option"):
        world.revolute(None, body, **options)
    assert world.joints == []
