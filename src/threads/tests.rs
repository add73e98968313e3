//! Tests of the scheduler, with idle and with busy pools.

use core::cell::Cell;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Crew;
#[cfg(debug_assertions)]
use super::Shared;
use crate::{BodyDef, Shape, StepStats, World, WorldDef};

#[test]
fn every_chunk_is_done_once() {
    for threads in [1, 2, 3, 8, 64, 1000] {
        let mut crew = Crew::new(threads);
        for (count, size) in [(0, 1), (1, 1), (7, 3), (100, 7), (5000, 1), (3, 100), (64, 64)] {
            let team = crew.begin(true);
            let mut items = vec![0_u32; count];
            for round in 1..=20 {
                team.for_chunks(&mut items, size, |first, chunk| {
                    assert!(chunk.len() <= size || threads == 1, "{count} by {size}");
                    for (k, item) in chunk.iter_mut().enumerate() {
                        *item += (first + k) as u32;
                    }
                });
                assert!(
                    items.iter().enumerate().all(|(k, &item)| item == k as u32 * round),
                    "{threads} threads"
                );
            }
        }
    }
}

#[test]
fn columns_are_cut_alike() {
    let mut crew = Crew::new(3);
    let team = crew.begin(true);
    let (mut a, mut b) = (vec![1_u64; 1000], vec![2_u64; 1000]);
    team.for_columns([&mut a, &mut b], 33, |first, [a, b]| {
        for (k, (a, b)) in a.iter_mut().zip(b).enumerate() {
            (*a, *b) = (*b + (first + k) as u64, *a);
        }
    });
    assert!(a.iter().enumerate().all(|(k, &a)| a == 2 + k as u64));
    assert!(b.iter().all(|&b| b == 1));
}

#[test]
fn both_functions_are_called_once() {
    for threads in [1, 2, 3, 8] {
        let mut crew = Crew::new(threads);
        for round in 0..200 {
            let team = crew.begin(true);
            let (mut one, mut other) = (vec![round], vec![round]);
            team.both(|| one.push(1), || other.push(2));
            assert_eq!((one, other), (vec![round, 1], vec![round, 2]), "{threads} threads");
        }
    }
    let mut crew = Crew::imagined(2, now);
    crew.begin(true).both(|| work(3_000), || work(2_000));
    assert_eq!(crew.saved(), 2_000 - 400);
}

/// The other threads of the pool are busy: the caller does all chunks, and does not wait for them.
#[test]
fn a_busy_pool_holds_nothing_up() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
    let free = AtomicUsize::new(0);
    let steps = || {
        let mut crew = Crew::new(3);
        for _ in 0..100 {
            let team = crew.begin(true);
            let sum = AtomicUsize::new(0);
            team.for_ranges(100, 1, |range| {
                sum.fetch_add(range.start, Ordering::Relaxed);
            });
            assert_eq!(sum.into_inner(), 4950);
        }
        free.store(1, Ordering::Release);
    };
    pool.install(|| {
        rayon::in_place_scope(|scope| {
            scope.spawn_broadcast(|_, _| {
                while free.load(Ordering::Acquire) == 0 {
                    std::thread::yield_now();
                }
            });
            steps();
        });
    });
}

#[test]
fn many_steps_in_a_row_with_others_about() {
    let sums: Vec<usize> = std::thread::scope(|scope| {
        let world = || {
            let mut crew = Crew::new(2);
            let sum = AtomicUsize::new(0);
            for step in 0..2000 {
                let team = crew.begin(true);
                for _ in 0..5 {
                    team.for_ranges(1 + step % 40, 1, |range| {
                        sum.fetch_add(range.len(), Ordering::Relaxed);
                    });
                }
            }
            sum.into_inner()
        };
        let worlds: Vec<_> = (0..3).map(|_| scope.spawn(world)).collect();
        worlds.into_iter().map(|world| world.join().expect("no panic")).collect()
    });
    assert!(sums.iter().all(|&sum| sum == 2000 / 40 * 820 * 5), "{sums:?}");
}

#[test]
fn a_panic_in_a_chunk_reaches_the_caller_and_the_crew_goes_on() {
    let mut crew = Crew::new(4);
    for bad in [0, 1, 50, 99] {
        let team = crew.begin(true);
        let run = || {
            team.for_ranges(100, 1, |range| {
                assert_ne!(range.start, bad, "on purpose");
            });
        };
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        let done = AtomicUsize::new(0);
        team.for_ranges(100, 1, |_| {
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), 100);
    }
}

#[test]
#[cfg(debug_assertions)]
fn two_chunks_at_one_row_are_found() {
    let mut rows = vec![0_u32; 10];
    let mut crew = Crew::new(2);
    let team = crew.begin(true);
    let rows = Shared::new(&mut rows);
    team.for_ranges(10, 1, |range| rows.set(range.start, 1));
    team.for_ranges(10, 1, |_| assert!(rows.get(3) <= 1));
    let both_write = || team.for_ranges(10, 1, |_| rows.set(3, 7));
    assert!(catch_unwind(AssertUnwindSafe(both_write)).is_err());
    // The first and the last chunk belong to two shares.
    let ends_write = || {
        team.for_ranges(10, 1, |range| rows.set(if range.start == 9 { 0 } else { range.start }, 7));
    };
    assert!(catch_unwind(AssertUnwindSafe(ends_write)).is_err());
    let one_reads = || {
        team.for_ranges(10, 1, |range| {
            if range.start == 0 {
                rows.set(3, 7);
            } else {
                // This chunk reads long after the other wrote.
                std::thread::sleep(core::time::Duration::from_millis(20));
                rows.get(3);
            }
        });
    };
    assert!(catch_unwind(AssertUnwindSafe(one_reads)).is_err());
}

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(0) };
}

/// A clock that only [`work`] moves on.
fn now() -> u64 {
    NOW.get()
}

fn work(nanoseconds: u64) {
    NOW.set(NOW.get() + nanoseconds);
}

/// Chunks of 5, 3, 4, 2 and 6 µs. On two threads the first does 5, 2 and 6, the other 3 and 4. On
/// three, the thread that did 4 takes 6, as the thread that did 3 took 2 as well. On four, the
/// thread that did 2 is free first and takes 6. A post costs 0.4 µs for each doubling.
#[test]
fn imagined_threads_take_the_chunks_as_they_are_free() {
    for (threads, takes) in [(2, 13_000 + 400), (3, 10_000 + 800), (4, 8_000 + 800), (8, 6_000 + 1_200)] {
        let mut crew = Crew::imagined(threads, now);
        let team = crew.begin(true);
        for round in 1..=3 {
            let order = std::sync::Mutex::new(Vec::new());
            team.for_ranges(10, 2, |range| {
                work([5_000, 3_000, 4_000, 2_000, 6_000][range.start / 2]);
                order.lock().expect("no panic").push(range.start);
            });
            work(700);
            assert_eq!(order.into_inner().expect("no panic"), [0, 2, 4, 6, 8]);
            assert_eq!(crew.saved(), round * (20_000 - takes), "{threads} threads");
        }
    }
}

/// Jobs that are not dealt out save nothing, and the post of a short job costs more than it saves.
#[test]
fn imagined_threads_save_nothing_where_there_is_nothing_to_share() {
    let mut crew = Crew::imagined(2, now);
    crew.begin(false).for_ranges(10, 1, |range| work(range.len() as u64 * 1_000));
    crew.begin(true).for_ranges(10, 10, |_| work(1_000));
    assert_eq!(crew.saved(), 0);
    crew.begin(true).for_ranges(2, 1, |_| work(300));
    assert_eq!(crew.saved().cast_signed(), 300 - 400);
    for count in [0, 1] {
        let mut one = Crew::imagined(count, now);
        one.begin(true).for_ranges(10, 1, |_| work(1_000));
        assert_eq!((one.threads(), one.saved()), (1, 0));
    }
}

/// A wall of 400 crates. Each look at the clock takes a nanosecond.
#[test]
fn imagined_threads_change_no_bit() {
    fn ticking() -> u64 {
        work(1);
        now()
    }
    let run = |threads: Option<usize>| {
        let mut world = World::new(WorldDef::default().sleepless());
        world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(80.0, 2.0))).expect("a floor");
        for k in 0..400_u16 {
            let at = [f32::from(k % 40) - 20.0, f32::from(k / 40) + 0.5];
            world.add(BodyDef::dynamic().at(at).shape(Shape::rect(0.9, 1.0))).expect("a crate");
        }
        threads.into_iter().for_each(|count| world.imagine_threads(count, ticking));
        let step = |world: &mut World| world.step(1.0 / 60.0).expect("a step");
        let stats: Vec<StepStats> = (0..60).map(|_| step(&mut world)).collect();
        let hash = world.hash();
        // A copy goes on in the same way.
        let mut copy = world.clone();
        assert_eq!((step(&mut copy).contacts, copy.hash()), (step(&mut world).contacts, world.hash()));
        (hash, stats)
    };
    let ((alone, timeless), (hash, stats)) = (run(None), run(Some(8)));
    assert_eq!(hash, alone);
    assert!(timeless.iter().all(|stats| (stats.begin, stats.store) == (0, 0)));
    // At least a post each.
    assert!(stats.iter().all(|stats| stats.begin >= 1_200 && stats.store >= 1_200));
}
