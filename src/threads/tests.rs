//! The scheduler, whatever the pool does.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Crew;
#[cfg(debug_assertions)]
use super::Shared;

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
    // The first and the last chunk: of two shares.
    let ends_write = || {
        team.for_ranges(10, 1, |range| rows.set(if range.start == 9 { 0 } else { range.start }, 7));
    };
    assert!(catch_unwind(AssertUnwindSafe(ends_write)).is_err());
    let one_reads = || {
        team.for_ranges(10, 1, |range| {
            if range.start == 0 {
                rows.set(3, 7);
            } else {
                // Long after the other.
                std::thread::sleep(core::time::Duration::from_millis(20));
                rows.get(3);
            }
        });
    };
    assert!(catch_unwind(AssertUnwindSafe(one_reads)).is_err());
}
