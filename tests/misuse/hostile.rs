//! Bytes from anywhere: an error and a world as it was, or a world in which every invariant holds
//! and which steps.

use carom::prelude::*;
use carom::{LoadError, World};

use testkit::chaos::Chaos;
use testkit::long_rounds;
use testkit::memory;
use testkit::random::Random;
use testkit::worlds::{DT, add, ground};

/// A small image with some of everything in it, and a world to load into.
fn image(seed: u64, count: usize) -> (Vec<u8>, World) {
    let mut chaos = Chaos::new(seed, count);
    (0..60).for_each(|_| chaos.step(DT));
    let mut bytes = Vec::new();
    chaos.world.save_whole_into(&mut bytes);
    (bytes, chaos.world)
}

/// An image of a pyramid of 171 equal boxes: columns of several pieces, and rows like the ones
/// before.
fn pyramid() -> (Vec<u8>, World) {
    let mut world = World::default();
    ground(&mut world);
    for row in 0..18 {
        for k in 0..18 - row {
            let at = vec2(k as f32 + 0.5 * row as f32, 0.5 + row as f32);
            add(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)));
        }
    }
    (0..20).for_each(|_| _ = world.step(DT));
    let mut bytes = Vec::new();
    world.save_whole_into(&mut bytes);
    (bytes, world)
}

/// Loads, and looks at what became of it and what memory it took; whether it was taken.
fn try_load(world: &mut World, bytes: &[u8], what: &dyn Fn() -> String) -> bool {
    let hash = world.hash();
    let mut answer = Ok(());
    let asked = memory::asked_by(|| answer = world.load(bytes));
    memory::check_load(asked, bytes.len());
    match answer {
        Err(_) => {
            assert_eq!(world.hash(), hash, "{}: refused, and changed", what());
            false
        }
        Ok(()) => {
            assert_eq!(world.validate(), Ok(()), "{}", what());
            let mut step = || world.step(DT).map(drop);
            assert_eq!(step().and_then(|()| step()), Ok(()), "{}", what());
            true
        }
    }
}

#[test]
fn no_part_of_an_image_is_an_image() {
    let (bytes, mut world) = image(3, 30);
    let hash = world.hash();
    for length in 0..bytes.len() {
        let error = world.load(&bytes[..length]).expect_err("it is cut off");
        let known = matches!(error, LoadError::NotASnapshot | LoadError::WrongLength);
        assert!(known, "{length} of {} bytes: {error}", bytes.len());
    }
    assert_eq!(world.hash(), hash);
    world.load(&bytes).expect("it is whole");
}

#[test]
fn every_flipped_bit_is_noticed() {
    let (mut bytes, mut world) = image(4, 30);
    let hash = world.hash();
    let step = if cfg!(debug_assertions) { 101 } else { 1 };
    for bit in (0..8 * bytes.len()).step_by(step) {
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(world.load(&bytes).is_err(), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert_eq!(world.hash(), hash);
}

/// The same with a header that fits: now the rows themselves are looked at.
#[test]
fn flipped_bits_behind_a_valid_checksum_are_refused_or_valid() {
    let (bytes, mut world) = image(5, 24);
    let step = if cfg!(debug_assertions) { 211 } else { 1 };
    let (mut taken, mut tried) = (0, 0);
    for bit in (8 * 32..8 * bytes.len()).step_by(step) {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        carom::restamp(&mut flipped);
        tried += 1;
        taken += usize::from(try_load(&mut world, &flipped, &|| format!("bit {bit}")));
    }
    println!("{taken} of {tried} images with a flipped bit are worlds");
    assert!(taken > 0 && taken < tried);
}

/// Words that are random, special, swapped, repeated, or cut out.
#[test]
fn randomly_changed_images_are_refused_or_valid() {
    let count = long_rounds(300, 40_000, 1_000_000);
    let mut random = Random::new(11);
    let mut images: Vec<_> = (0..8).map(|seed| image(20 + seed, 6 + 3 * seed as usize)).collect();
    images.push(pyramid());
    let mut worlds: Vec<World> = images.iter().map(|(_, world)| world.clone()).collect();
    let mut taken = 0;
    for number in 0..count {
        let which = random.below(images.len());
        let mut bytes = images[which].0.clone();
        for _ in 0..1 + random.below(3) {
            change(&mut bytes, &mut random);
        }
        carom::restamp(&mut bytes);
        if number % 8 == 0 {
            // Without the memory that it kept from the images before.
            worlds[which] = worlds[which].clone();
        }
        taken += usize::from(try_load(&mut worlds[which], &bytes, &|| {
            format!("change {number} of image {which}")
        }));
    }
    println!("{taken} of {count} changed images are worlds");
    assert!(taken > 0 && taken < count);
}

fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    const SPECIAL: [u32; 12] = [
        0,
        1,
        2,
        0xFF,
        0xFFFF_FFFF,
        0x7FFF_FFFF,
        0x8000_0000,
        0x7F80_0000,
        0x7FC0_0000,
        0x3F80_0000,
        0x7F7F_FFFF,
        31,
    ];
    let words = bytes.len() / 4;
    if words <= 9 {
        return;
    }
    let at = 4 * (8 + random.below(words - 8));
    let other = 4 * (8 + random.below(words - 8));
    match random.below(7) {
        0 => bytes[at..at + 4].copy_from_slice(&SPECIAL[random.below(12)].to_le_bytes()),
        1 => bytes[at..at + 4].copy_from_slice(&(random.bits() as u32).to_le_bytes()),
        2 => bytes[at + random.below(4)] ^= 1 << random.below(8),
        3 => (0..4).for_each(|k| bytes.swap(at + k, other + k)),
        4 => bytes.copy_within(at..at + 4, other),
        5 => drop(bytes.drain(at..(at + 4 * (1 + random.below(4))).min(4 * words))),
        _ => {
            let word = i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
            let near = word.wrapping_add(random.below(5) as i32 - 2);
            bytes[at..at + 4].copy_from_slice(&near.to_le_bytes());
        }
    }
}
