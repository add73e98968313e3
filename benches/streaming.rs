//! What it takes for a part of a world to come and go: 5,000 fixed boxes and 200 dynamic ones.
//!
//! ```text
//!   streaming/read        the piece from its bytes, every one of which is checked; on any thread
//!   streaming/paste       into a world, on the step thread
//!   streaming/first       the step that follows
//!   streaming/other       a later step with the piece in the world
//!   streaming/cut         out of the world again; the piece is dropped outside the clock, as by a
//!                         thread that wrote it
//!   streaming/add         the same bodies added one by one
//!   streaming/remove      and removed one by one
//! ```
//!
//! The world is a road of 1,000 fixed boxes with 1,000 dynamic ones on them, kept awake. Everything
//! in it has to be valid after the clock has run. The shortest times and the medians of all of it,
//! in turns, are printed first: they tell more on a busy machine.

use carom::prelude::*;
use carom::{Piece, Ties};
use carom_benches::settings;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::{Duration, Instant};
use testkit::build::{add, check, step, steps};

const AREA: Aabb = Aabb { min: vec2(-1.0, -1.0), max: vec2(120.0, 120.0) };

/// The bodies of the piece.
fn defs() -> impl Iterator<Item = BodyDef> {
    let fixed = (0..5_000_u32).map(|k| {
        let at = vec2((k % 100) as f32, (k / 100) as f32 * 2.0) + 0.5;
        BodyDef::fixed().at(at).shape(Shape::rect(1.0, 1.0))
    });
    let dynamic = (0..200_u32).map(|k| {
        let at = vec2((k % 100) as f32 + 0.5, 101.0 + (k / 100) as f32 * 4.0);
        BodyDef::dynamic().at(at).shape(Shape::rect(0.6, 0.6))
    });
    fixed.chain(dynamic)
}

/// The bytes of the piece.
fn bytes() -> Vec<u8> {
    let mut world = World::default();
    defs().for_each(|def| _ = add(&mut world, def));
    steps(&mut world, 2);
    let mut bytes = Vec::new();
    world.cut(AREA, Ties::Stay).expect("a box").write(&mut bytes);
    bytes
}

/// A road with boxes on it, beyond the place of the piece.
fn home() -> World {
    let mut world = World::new(WorldDef::default().sleepless());
    for k in 0..1_000 {
        let x = 1.0e3 + k as f32;
        add(&mut world, BodyDef::fixed().at([x, 0.0]).shape(Shape::rect(1.0, 1.0)));
        add(&mut world, BodyDef::dynamic().at([x, 0.8]).shape(Shape::rect(0.6, 0.6)));
    }
    steps(&mut world, 60);
    world
}

/// Times `clocked` between what goes before and after it.
fn clocked<T>(
    rounds: u64,
    mut before: impl FnMut() -> T,
    mut clocked: impl FnMut(T) -> T,
    mut after: impl FnMut(T),
) -> Duration {
    let mut sum = Duration::ZERO;
    for _ in 0..rounds {
        let given = before();
        let start = Instant::now();
        let given = black_box(clocked(given));
        sum += start.elapsed();
        after(given);
    }
    sum
}

/// Prints what all of it takes, in turns.
fn print_turns(bytes: &[u8], piece: &Piece) {
    let mut world = home();
    let mut columns: Vec<(&str, Vec<Duration>)> = Vec::new();
    for _ in 0..40 {
        let mut clock = |name: &'static str, world: &mut World, act: &mut dyn FnMut(&mut World)| {
            let start = Instant::now();
            act(world);
            let took = start.elapsed();
            match columns.iter_mut().find(|column| column.0 == name) {
                Some((_, times)) => times.push(took),
                None => columns.push((name, vec![took])),
            }
        };
        clock("read", &mut world, &mut |_| _ = black_box(Piece::read(bytes)));
        clock("paste", &mut world, &mut |world| _ = world.paste(piece, [0.0, 0.0]).expect("there is room"));
        clock("first step", &mut world, &mut step);
        (0..3).for_each(|_| clock("other steps", &mut world, &mut step));
        let mut out = Piece::default();
        clock("cut", &mut world, &mut |world| out = world.cut(AREA, Ties::Stay).expect("a box"));
        clock("drop what was cut", &mut world, &mut |_| drop(core::mem::take(&mut out)));
        clock("step after the cut", &mut world, &mut step);
        let mut ids = Vec::new();
        clock("add one by one", &mut world, &mut |world| ids.extend(defs().map(|def| add(world, def))));
        clock("first step after adding", &mut world, &mut step);
        steps(&mut world, 3);
        clock("remove one by one", &mut world, &mut |world| {
            ids.drain(..).for_each(|id| world.remove(id).expect("it is there"));
        });
        clock("step after removing", &mut world, &mut step);
    }
    println!("| | shortest | median |\n|---|---|---|");
    for (name, mut times) in columns {
        times.sort_unstable();
        println!("| {name} | {:.2?} | {:.2?} |", times[0], times[times.len() / 2]);
    }
}

fn streaming(criterion: &mut Criterion) {
    let bytes = bytes();
    let piece = Piece::read(&bytes).expect("nobody touched the bytes");
    print_turns(&bytes, &piece);
    let mut group = criterion.benchmark_group("streaming");
    group.bench_function("read", |b| {
        b.iter(|| Piece::read(black_box(&bytes)).expect("nobody touched the bytes"))
    });
    let paste = |mut world: World| {
        world.paste(&piece, [0.0, 0.0]).expect("there is room");
        world
    };
    let stepped = |mut world: World| {
        step(&mut world);
        world
    };
    let cut = |mut world: World| {
        assert_eq!(world.cut(AREA, Ties::Stay).expect("a box").taken().len(), 5_200);
        world
    };
    let out = core::cell::RefCell::new(Piece::default());
    let cut_out = |mut world: World| {
        *out.borrow_mut() = world.cut(AREA, Ties::Stay).expect("a box");
        world
    };
    let dropped = |world: World| {
        assert_eq!(out.take().taken().len(), 5_200);
        world
    };
    // One world all the time: memory that was used once is used again, as in a game.
    let world = core::cell::RefCell::new(cut(paste(home())));
    let take = || world.take();
    let put = |back: World| _ = world.replace(back);
    type Stage<'s> = &'s dyn Fn(World) -> World;
    let same: Stage = &|world| world;
    let pasted: Stage = &|world| stepped(paste(world));
    let cases: [(&str, Stage, Stage, Stage); 4] = [
        ("paste", same, &paste, &|world| stepped(cut(stepped(world)))),
        ("first", &paste, &stepped, &|world| stepped(cut(world))),
        ("other", pasted, &stepped, &|world| stepped(cut(world))),
        ("cut", pasted, &cut_out, &|world| stepped(dropped(world))),
    ];
    for (name, before, timed, after) in cases {
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter_custom(|rounds| clocked(rounds, || before(take()), timed, |world| put(after(world))));
        });
    }
    let mut world = world.take();
    check(&world, "streaming");
    let mut ids = Vec::new();
    group.bench_function("add", |b| {
        b.iter_custom(|rounds| {
            let mut sum = Duration::ZERO;
            for _ in 0..rounds {
                let start = Instant::now();
                ids = defs().map(|def| add(&mut world, def)).collect();
                sum += start.elapsed();
                step(&mut world);
                ids.drain(..).for_each(|id| world.remove(id).expect("it is there"));
                step(&mut world);
            }
            sum
        });
    });
    group.bench_function("remove", |b| {
        b.iter_custom(|rounds| {
            let mut sum = Duration::ZERO;
            for _ in 0..rounds {
                ids = defs().map(|def| add(&mut world, def)).collect();
                step(&mut world);
                let start = Instant::now();
                ids.drain(..).for_each(|id| world.remove(id).expect("it is there"));
                sum += start.elapsed();
                step(&mut world);
            }
            sum
        });
    });
    group.finish();
    check(&world, "streaming");
}

criterion_group! {
    name = benches;
    config = settings(0.3, 2.0);
    targets = streaming
}
criterion_main!(benches);
