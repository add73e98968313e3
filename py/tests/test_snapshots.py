"""Copies, bytes, pickles, hashes, rings, levels: all go on to the same bits."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

import carom

DT = 1 / 60


def heap() -> carom.World:
    world = carom.World()
    world.add_fixed(carom.chain([(-8, 8), (-8, 0), (8, 0), (8, 8)]))
    for k in range(30):
        shape = [carom.circle(0.4), carom.rect(0.8, 0.6), carom.regular(5, 0.5)][k % 3]
        world.add(shape, at=(-4 + k % 6, 1 + k // 6), angle=0.1 * k, name=f"body {k}")
    world.revolute("body 0", "body 1", at=(-3.5, 1), name="hinge")
    world.step(DT, 40)
    return world


COPIES: dict[str, Callable[[carom.World], carom.World]] = {
    "copy": lambda world: world.copy(),
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda world: pickle.loads(pickle.dumps(world)),
    "bytes": lambda world: carom.World.from_bytes(bytes(world)),
}


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_goes_on_to_the_same_bits(way: str) -> None:
    world = heap()
    twin = COPIES[way](world)
    assert twin is not world
    assert twin.hash() == world.hash()
    for _ in range(20):
        world.step(DT, 5)
        twin.step(DT, 5)
        assert twin.hash() == world.hash()
        assert (twin.positions == world.positions).all()
    assert world.first_difference(twin) is None


@pytest.mark.parametrize("way", ["copy", "copy.copy", "copy.deepcopy", "pickle"])
def test_a_copy_has_the_names(way: str) -> None:
    twin = COPIES[way](heap())
    assert twin["body 7"].name == "body 7"
    assert twin.joint_named("hinge").kind == "revolute"


def test_a_copy_is_apart() -> None:
    world = heap()
    twin = world.copy()
    twin["body 3"].apply_impulse((5, 5))
    assert twin.hash() != world.hash()
    difference = world.first_difference(twin)
    assert difference is not None and "body" in difference


def test_going_back() -> None:
    world = heap()
    data = world.save()
    before = world.hash()
    world.step(DT, 30)
    after = world.hash()
    world.load(data)
    assert world.hash() == before
    assert world["body 3"].exists
    world.step(DT, 30)
    assert world.hash() == after


def test_copy_from_reuses_a_world() -> None:
    source, target = heap(), carom.World()
    target.copy_from(source)
    assert target.hash() == source.hash()
    target.copy_from(target)
    assert target.hash() == source.hash()


def test_a_pickle_keeps_threads() -> None:
    world = carom.World(threads=3)
    assert pickle.loads(pickle.dumps(world)).settings["threads"] == 3


@pytest.mark.parametrize("spoil", ["empty", "short", "long", "changed", "text"])
def test_damaged_bytes_are_refused(spoil: str) -> None:
    world = heap()
    before, data = world.hash(), bytearray(bytes(world))
    if spoil == "empty":
        data = bytearray()
    elif spoil == "short":
        data = data[:-9]
    elif spoil == "long":
        data += b"\0"
    elif spoil == "changed":
        data[len(data) // 2] ^= 4
    else:
        data = bytearray(b"no snapshot at all, but long enough to hold a header of one")
    with pytest.raises(carom.Error):
        world.load(bytes(data))
    assert world.hash() == before
    with pytest.raises(carom.Error):
        carom.World.from_bytes(bytes(data))


def test_bytes_that_name_shapes_need_the_world_that_has_them() -> None:
    world = heap()
    with pytest.raises(carom.Error, match="shape"):
        carom.World.from_bytes(world.save())
    assert len(world.save()) < len(bytes(world))


def test_another_process_gets_the_same_bits() -> None:
    world = heap()
    code = (
        "import carom, sys; w = carom.World.from_bytes(sys.stdin.buffer.read());"
        "w.step(1 / 60, 50); print(w.hash())"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], input=bytes(world), capture_output=True, check=True
    )
    world.step(DT, 50)
    assert int(answer.stdout) == world.hash()


def test_a_ring_goes_back() -> None:
    world, ring, hashes = heap(), carom.Ring(10), {}
    for _ in range(25):
        world.step(DT)
        ring.save(world)
        hashes[world.step_count] = world.hash()
    assert ring.steps == list(range(56, 66))
    assert ring.nbytes > 0
    ring.load(58, world)
    assert world.hash() == hashes[58]
    world.step(DT)
    assert world.hash() == hashes[59]
    with pytest.raises(carom.Error):
        ring.load(3, world)


@pytest.mark.parametrize("frames", [0, 2**40])
def test_a_ring_of_no_size_is_refused(frames: int) -> None:
    with pytest.raises(carom.Error):
        carom.Ring(frames)


def test_levels() -> None:
    world = heap()
    text = world.to_level()
    again = carom.World.from_level(text)
    assert len(again) == len(world)
    assert len(again.names) == len(world)
    assert len(again.joints) == 1
    assert np.allclose(sorted(again.masses), sorted(world.masses))
    again.step(DT)
    for bad in ("", "{}x", "[]", '{"bodies": 3}'):
        with pytest.raises(carom.Error):
            carom.World.from_level(bad)


def test_threads_change_no_bit() -> None:
    hashes = []
    for threads in (1, 2, 4):
        world = carom.World(threads=threads)
        world.add_fixed(carom.rect(100, 2), at=(0, -1))
        places = [(-20 + 1.3 * (k % 30), 1 + 1.1 * (k // 30)) for k in range(600)]
        world.add_many(carom.rect(1, 1), places)
        world.step(DT, 60)
        hashes.append(world.hash())
    assert len(set(hashes)) == 1
