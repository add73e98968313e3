"""Threads: worlds step side by side without the GIL, and one world is safe to share."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import carom

DT = 1 / 60


def pile(count: int = 400) -> carom.World:
    world = carom.World(sleep=False)
    world.add_fixed(carom.rect(100, 2), at=(0, -1))
    world.add_many(
        carom.rect(1, 1), [(-20 + 1.2 * (k % 30), 1 + 1.1 * (k // 30)) for k in range(count)]
    )
    return world


def test_python_runs_on_while_a_world_steps() -> None:
    world, ticks, done = pile(800), 0, threading.Event()

    def work() -> None:
        world.step(DT, 150)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.0005)
    thread.join()
    # A step that held the GIL would have left this thread no turn until its end.
    assert ticks > 20


def test_worlds_on_threads_have_the_bits_of_one_thread() -> None:
    worlds = [pile(100) for _ in range(8)]
    for k, world in enumerate(worlds):
        world.bodies[1 + k].apply_impulse((k, 5))
    twins = [world.copy() for world in worlds]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda world: world.step(DT, 60), worlds))
    for twin in twins:
        twin.step(DT, 60)
    assert [world.hash() for world in worlds] == [twin.hash() for twin in twins]


def test_one_world_is_shared_by_threads() -> None:
    world, errors = pile(60), list[BaseException]()

    def work(number: int) -> None:
        try:
            for k in range(60):
                if number == 0:
                    world.step(DT)
                elif number == 1:
                    assert world.positions.shape[1] == 2
                elif number == 2:
                    world.rays([(0, 20)] * 50, (0, -40))
                elif number == 3:
                    world.bodies[1 + k % 50].apply_impulse((0.1, 0))
                elif number == 4:
                    world.copy_from(world.copy())
                else:
                    body = world.add(carom.circle(0.2), at=(k, 50))
                    body.remove()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert [error for error in errors if not isinstance(error, carom.Error)] == []
    world.validate()


def test_two_worlds_copied_both_ways_do_not_wait_for_each_other() -> None:
    a, b = pile(50), pile(50)

    def work(first: carom.World, second: carom.World) -> None:
        for _ in range(50):
            first.copy_from(second)
            first.first_difference(second)

    threads = [threading.Thread(target=work, args=pair) for pair in [(a, b), (b, a)]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)


def test_live_arrays_are_filled_under_threads() -> None:
    world = pile(60)
    live = world.live()
    threads = [threading.Thread(target=world.step, args=(DT, 5)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    world.refresh()
    assert (live.positions == world.positions).all()
