//! How much memory an image may take, whatever it says: see `testkit::memory::check_load`.

use carom::prelude::*;

use testkit::chaos::Chaos;
use testkit::memory::{self, Asked};
use testkit::worlds::DT;

fn image(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.save_whole_into(&mut bytes);
    bytes
}

/// What a new world asks for to read an image.
fn asked(bytes: &[u8]) -> (Asked, bool) {
    let (mut world, mut taken) = (World::default(), false);
    let asked = memory::asked_by(|| taken = world.load(bytes).is_ok());
    memory::check_load(asked, bytes.len());
    (asked, taken)
}

/// What honest worlds ask for, in multiples of their images: printed, and below.
#[track_caller]
fn expect(name: &str, world: &World, [largest, most]: [f32; 2]) {
    let bytes = image(world);
    let (asked, taken) = asked(&bytes);
    let share = |asked: usize| asked as f32 / bytes.len() as f32;
    println!("{name}: {} bytes, {:.2} of it and {:.2}", bytes.len(), share(asked.largest), share(asked.most));
    assert!(taken && share(asked.largest) < largest && share(asked.most) < most, "{name}: {asked:?}");
}

/// Worlds in which something happens take a few times the length of their images.
#[test]
fn worlds_take_a_few_times_their_images() {
    let mut chaos = Chaos::new(5, 100);
    (0..60).for_each(|_| chaos.step(DT));
    expect("chaos", &chaos.world, [1.5, 8.0]);
    let mut world = World::default();
    let mut add = |def: BodyDef| world.add(def).expect("no rule is broken");
    add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(200.0, 2.0)));
    for k in 0..1000 {
        let at = [(k % 100) as f32 * 1.1, 0.5 + (k / 100) as f32 * 1.01];
        add(BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)));
    }
    expect("boxes that were just made", &world, [8.0, 20.0]);
    (0..30).for_each(|_| assert!(world.step(DT).is_ok()));
    expect("a heap", &world, [2.0, 16.0]);
}

/// Balls that were there, and are gone.
fn balls_gone() -> World {
    let mut world = World::default();
    let ball = |k: u16| BodyDef::dynamic().at([0.9 * f32::from(k), 0.0]).shape(Shape::circle(0.5));
    let mut add = |k: u16| world.add(ball(k)).expect("no rule is broken");
    let bodies: Vec<BodyId> = (0..2000).map(&mut add).collect();
    world.step(DT).expect("dt is in range");
    for body in bodies {
        world.remove(body).expect("it is there");
    }
    world.step(DT).expect("dt is in range");
    world
}

/// A place that is free is a word of the image, and as long as any other in memory.
#[test]
fn worlds_that_were_large_once_keep_to_the_bound() {
    expect("balls that are gone", &balls_gone(), [24.0, 80.0]);
    expect("joints that are gone", &joints_gone(), [94.0, 101.0]);
}

/// Joints that were there, and are gone.
fn joints_gone() -> World {
    let mut world = World::default();
    let [a, b] = [0.0, 5.0].map(|x| world.add(BodyDef::dynamic().at([x, 0.0])).expect("no rule is broken"));
    let mut join = |_| world.add_joint(JointDef::distance(a, b)).expect("no rule is broken");
    let joints: Vec<JointId> = (0..2000).map(&mut join).collect();
    for joint in joints {
        world.remove_joint(joint).expect("it is there");
    }
    world
}

/// Images that claim as many rows of every column as they have words, and more, at every byte; of
/// worlds whose columns are as long as they may be to begin with.
#[test]
fn images_that_claim_much_get_no_more() {
    // Rows that all are as the one before, for those who read on.
    let padded = |count: usize| {
        let mut chaos = Chaos::new(7, count);
        (0..20).for_each(|_| chaos.step(DT));
        let mut bytes = image(&chaos.world);
        bytes.resize(bytes.len() + if cfg!(debug_assertions) { 16_000 } else { 200_000 }, 0);
        bytes
    };
    let most_places = if cfg!(debug_assertions) { 80 } else { 400 };
    let mut greatest = [0.0_f32; 2];
    let gone = [image(&balls_gone()), image(&joints_gone())];
    for bytes in gone.into_iter().chain([1, 3, 12].map(padded)) {
        let words = bytes.len() / 4;
        for at in 32..(bytes.len() - 24).min(32 + most_places) {
            let claims = [words, words - 60, words / 2, usize::MAX];
            // One number, and six side by side.
            for (claim, run) in claims.into_iter().flat_map(|claim| [(claim, 1), (claim, 6)]) {
                let mut changed = bytes.clone();
                for word in changed[at..].as_chunks_mut::<4>().0.iter_mut().take(run) {
                    *word = (claim as u32).to_le_bytes();
                }
                carom::restamp(&mut changed);
                let (asked, _) = asked(&changed);
                let shares = [asked.largest, asked.most].map(|asked| asked as f32 / bytes.len() as f32);
                greatest =
                    core::array::from_fn(|k| if shares[k] > greatest[k] { shares[k] } else { greatest[k] });
            }
        }
    }
    println!("up to {greatest:.1?} of an image");
    assert!(greatest[0] > 20.0, "some of them got as far as a column: {greatest:?}");
}

/// Heaps of `rows` rows, at rest after 200 steps.
fn heaps(rows: usize, sleep: bool) -> World {
    let mut world = World::new(if sleep { WorldDef::default() } else { WorldDef::default().sleepless() });
    let mut add = |def: BodyDef| world.add(def).expect("no rule is broken");
    let count = 550 / (rows * (rows + 1) / 2);
    add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(3000.0, 2.0)));
    for (heap, row) in (0..count).flat_map(|heap| (0..rows).map(move |row| (heap, row))) {
        for k in 0..rows - row {
            let at = [1.1 * (rows * heap) as f32 + 0.5 * row as f32 + k as f32, row as f32 + 0.5];
            add(BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)));
        }
    }
    (0..200).for_each(|_| assert!(world.step(DT).is_ok()));
    assert_eq!(world.stats().awake == 0, sleep, "they are at rest");
    world
}

/// What images of heaps at rest take a body, with its contacts: 2.6 in a pyramid, one on the
/// ground.
#[test]
fn resting_heaps_take_few_bytes() {
    for (rows, sleep, most) in [(10, false, 168.0), (10, true, 168.0), (1, true, 75.0)] {
        let world = heaps(rows, sleep);
        let mut bytes = Vec::new();
        world.save_into(&mut bytes);
        let share = bytes.len() as f32 / world.body_count() as f32;
        let contacts = world.contacts().count();
        println!("rows {rows}, asleep {sleep}: {share:.1} bytes a body, {contacts} contacts");
        assert!(share < most, "{share} bytes a body, of heaps of {rows} rows");
    }
}
