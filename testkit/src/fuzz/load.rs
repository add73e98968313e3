//! Bytes into `World::load`: an error and a world as it was, or a world in which every invariant
//! holds and which steps.
//!
//! ```text
//!   even first byte:  what follows the header of an image, as it stands
//!   odd first byte:   a valid image, and changes of its words: where, how, to what
//! ```

use std::sync::OnceLock;

use carom::World;

use super::input::Input;
use crate::chaos::Chaos;
use crate::memory;

const HEADER: usize = 32;
const DT: f32 = 1.0 / 60.0;

/// A world as it was saved, whole and with its outlines only named.
struct Saved {
    world: World,
    images: [Vec<u8>; 2],
}

fn saved() -> &'static [Saved] {
    static SAVED: OnceLock<Vec<Saved>> = OnceLock::new();
    SAVED.get_or_init(|| (0..6).map(|seed| save(40 + seed, 3 + 4 * seed as usize)).collect())
}

fn save(seed: u64, count: usize) -> Saved {
    let mut chaos = Chaos::new(seed, count);
    (0..40).for_each(|_| chaos.step(DT));
    let [mut whole, mut named] = [Vec::new(), Vec::new()];
    chaos.world.save_whole_into(&mut whole);
    chaos.world.save_into(&mut named);
    Saved { world: chaos.world, images: [whole, named] }
}

/// Loads what the bytes say, into an empty world or one that the image is of.
pub fn run(data: &[u8]) {
    let Some((&kind, rest)) = data.split_first() else { return };
    let base = &saved()[usize::from(kind >> 2) % saved().len()];
    let mut image = if kind & 1 == 0 {
        [&base.images[0][..HEADER], rest].concat()
    } else {
        changed(base.images[usize::from(kind >> 1 & 1)].clone(), &mut Input::new(rest))
    };
    image.truncate(image.len() / 4 * 4);
    carom::restamp(&mut image);
    let mut world = if kind & 2 == 0 { World::default() } else { base.world.clone() };
    load(&mut world, &image);
}

fn load(world: &mut World, image: &[u8]) {
    let hash = world.hash();
    let mut answer = Ok(());
    let asked = memory::asked_by(|| answer = world.load(image));
    memory::check_load(asked, image.len());
    if answer.is_err() {
        assert_eq!(world.hash(), hash, "refused, and changed");
        return;
    }
    assert_eq!(world.validate(), Ok(()), "as it was loaded");
    // What was taken can be told again.
    let mut again = Vec::new();
    world.save_whole_into(&mut again);
    let mut other = World::default();
    assert_eq!(other.load(&again), Ok(()), "what was loaded can be saved");
    assert_eq!(other.hash(), world.hash(), "saved again, and changed");
    for _ in 0..3 {
        assert!(world.step(DT).is_ok());
        let _ = other.step(DT);
        assert_eq!(world.validate(), Ok(()), "after a step");
    }
    assert_eq!(other.hash(), world.hash(), "restored, and went another way");
}

fn changed(mut image: Vec<u8>, input: &mut Input) -> Vec<u8> {
    while !input.is_over() {
        let words = image.len() / 4;
        if words <= HEADER / 4 + 1 {
            break;
        }
        let mut place = || HEADER + 4 * ((input.word() & 0xFFFF) as usize % (words - HEADER / 4));
        let (at, other) = (place(), place());
        let near = |image: &[u8], by: i32| {
            let word = image[at..].first_chunk().map_or(0, |word| i32::from_le_bytes(*word));
            word.wrapping_add(by).to_le_bytes()
        };
        match input.below(8) {
            0 => image[at..at + 4].copy_from_slice(&input.number().to_le_bytes()),
            1 => image[at..at + 4].copy_from_slice(&input.word().to_le_bytes()),
            2 => image[at + input.below(4)] ^= 1 << input.below(8),
            3 => (0..4).for_each(|k| image.swap(at + k, other + k)),
            4 => image.copy_within(at..at + 4, other),
            5 => drop(image.drain(at..(at + 4 * (1 + input.below(4))).min(4 * words))),
            6 => drop(image.splice(at..at, input.word().to_le_bytes())),
            _ => {
                let near = near(&image, i32::from(input.byte()) - 128);
                image[at..at + 4].copy_from_slice(&near);
            }
        }
    }
    image
}
