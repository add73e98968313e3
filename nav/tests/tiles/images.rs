//! Tests of images that were changed at random behind a valid header: each is refused, or the
//! loaded object can be used. Nothing panics, and nothing takes unlimited memory or time.

use carom_nav::prelude::*;
use carom_nav::restamp;
use testkit::random::Random;

use crate::common::draw;

/// Number of changed images of each of ten kinds; 10^5 in all in release builds.
const MUTATIONS: usize = if cfg!(debug_assertions) { 100 } else { 10_000 };

/// Changes an image in one to four places behind its header.
fn mutate(random: &mut Random, image: &[u8]) -> Vec<u8> {
    let mut bytes = image.to_vec();
    for _ in 0..1 + draw(random, 4) {
        let words = bytes.len() / 4;
        let at = 4 * (6 + draw(random, (words - 6).max(1))).min(words - 1);
        match draw(random, 6) {
            0 => bytes[at + draw(random, 4)] = random.bits() as u8,
            1 | 2 => {
                let words = [0, 1, 2, u32::MAX, u32::MAX - 1, 1 << 31, 1 << 16, 0xFFFF];
                bytes[at..at + 4].copy_from_slice(&words[draw(random, words.len())].to_le_bytes());
            }
            3 => {
                let from = 4 * draw(random, words);
                bytes.copy_within(from..from + 4, at);
            }
            4 => {
                let small = draw(random, 2_000) as u32;
                bytes[at..at + 4].copy_from_slice(&small.to_le_bytes());
            }
            _ if draw(random, 4) > 0 => bytes[at] ^= 1 << draw(random, 8),
            _ => bytes.truncate(at),
        }
        if bytes.len() < 32 {
            break;
        }
    }
    restamp(&mut bytes);
    bytes
}

/// Loads changed images and uses the loaded objects. Returns the number of accepted images.
fn each(random: &mut Random, image: &[u8], mut load: impl FnMut(&[u8]) -> bool) -> usize {
    assert!(load(image), "the image itself");
    (0..MUTATIONS).filter(|_| load(&mutate(random, image))).count()
}

fn land() -> Map {
    let mut map = Map::from_fn(37, 29, |cell| (cell.x * 7 + cell.y * 13) % 11 == 0).expect("a map");
    map.keep_size(2).expect("a size");
    map.keep_islands(Rule::Eight(Corners::Always));
    for x in 0..20 {
        map.set_cost([x, 9], 1 + (x % 3) as u8);
    }
    map
}

#[test]
fn changed_images_are_refused_or_can_be_used() {
    let mut random = Random::new(31);
    let map = land();
    let (mut image, mut path, mut search) = (Vec::new(), Path::default(), Search::default());
    let mut taken = Vec::new();

    map.save_into(&mut image);
    taken.push(each(&mut random, &image, |bytes| {
        Map::load(bytes).is_ok_and(|mut map| {
            _ = search.path(&map, Ask::new([1, 1], [30, 20]).size(2), &mut path);
            map.set_wall([5, 5], true);
            map.set_cost([6, 5], 7);
            _ = (path.is_stale(&map), map.nearest_reachable(Rule::default(), [1, 1], [36, 28]));
            true
        })
    }));

    let mut known = Known::new(&map);
    known.see(&map, [1, 1], 6);
    known.see(&map, [12, 9], 6);
    known.save_into(&mut image);
    taken.push(each(&mut random, &image, |bytes| {
        let mut known = known.clone();
        known.load(bytes).is_ok_and(|()| {
            _ = search.path(known.land(), Ask::new([1, 1], [30, 20]), &mut path);
            known.see(&map, [9, 8], 5);
            _ = known.is_news_on(&path);
            true
        })
    }));

    let mut claims = Claims::new(&map);
    claims.walk(3, [Cell::new(1, 1), Cell::new(2, 2)], 5);
    claims.park_as(4, 2, [5, 6]);
    claims.save_into(&mut image);
    taken.push(each(&mut random, &image, |bytes| {
        let mut claims = claims.clone();
        claims.load(bytes).is_ok_and(|()| {
            assert_eq!(
                claims.holder([0, 0]).is_some(),
                claims.leave(claims.holder([0, 0]).unwrap_or(0), [0, 0])
            );
            _ = search.path_over(&map, Ask::new([1, 1], [30, 20]), &claims.near(1, [1, 1], 9, 3), &mut path);
            claims.tick();
            true
        })
    }));

    let mut adaptive = Adaptive::new(Rule::default(), [30, 20]);
    _ = adaptive.path(&map, [1, 1], &mut path);
    adaptive.save_into(&mut image);
    taken.push(each(&mut random, &image, |bytes| {
        let mut adaptive = adaptive.clone();
        adaptive.load(&map, bytes).is_ok_and(|()| {
            let mut map = map.clone();
            map.set_wall([9, 9], true);
            _ = adaptive.path(&map, [2, 1], &mut path);
            map.set_wall([9, 9], false);
            _ = adaptive.path(&map, [2, 1], &mut path);
            true
        })
    }));

    let mut queue = Queue::new(200);
    for k in 0..6 {
        _ = queue.ask(Ask::new([1, 1 + k % 2], [35, 20]).size(1 + (k % 2) as u8));
        _ = queue.ask(Ask::new([1, 1], [35 - k, 2]).priority(1));
    }
    for _ in 0..3 {
        queue.work(&map);
        queue.save_into(&mut image);
        taken.push(each(&mut random, &image, |bytes| {
            let mut queue = Queue::default();
            queue.load(&map, bytes).is_ok_and(|()| {
                _ = queue.ask(Ask::new([1, 1], [35, 2]));
                queue.set_budget(queue.budget().min(5_000));
                (0..30).for_each(|_| _ = queue.work(&map));
                queue.take_next().is_none_or(|(.., path)| !path.is_stale(&map) || !path.is_empty())
            })
        }));
    }

    _ = search.path(&map, Ask::new([1, 1], [30, 20]), &mut path);
    path.save_into(&mut image);
    taken.push(each(&mut random, &image, |bytes| {
        let mut path = Path::default();
        path.load(bytes).is_ok_and(|()| {
            let mut corners = Vec::new();
            map.taut(Rule::default(), &path, &mut corners);
            _ = (path.is_stale(&map), path.cells().count(), known.is_news_on(&path));
            true
        })
    }));

    let mut flow = Flow::to(&[Cell::new(30, 20), Cell::new(3, 3)]);
    flow.until(&map, &[Cell::new(10, 10)]);
    flow.save_into(&mut image);
    taken.push(each(&mut random, &image, |bytes| {
        let mut flow = Flow::default();
        flow.load(&map, bytes).is_ok_and(|()| {
            let mut map = map.clone();
            map.set_wall([9, 9], true);
            flow.until(&map, &[Cell::new(1, 1)]);
            _ = flow.next(&map, [1, 1]);
            flow.fill(&map);
            true
        })
    }));

    let mut danger = Influence::new(&map);
    danger.add(&Stamp::cone(4, 50), [10, 10]);
    danger.save_into(&mut image);
    taken.push(each(&mut random, &image, |bytes| {
        let mut danger = danger.clone();
        danger.load(bytes).is_ok_and(|()| {
            danger.decay(2);
            _ = search.path_over(&map, Ask::new([1, 1], [30, 20]), &danger, &mut path);
            true
        })
    }));

    let mut squad = Squad::new(&map, Rule::Four).expect("no diagonals");
    let goals = [squad.goal([30, 20]), squad.goal([3, 3])];
    for x in 0..30 {
        _ = squad.add([x, 5], goals[x as usize % 2]);
    }
    (0..10).for_each(|_| _ = squad.step(&map));
    squad.save_into(&mut image);
    taken.push(each(&mut random, &image, |bytes| {
        let mut squad = squad.clone();
        squad.load(&map, bytes).is_ok_and(|()| (0..3).all(|_| squad.step(&map).is_ok()))
    }));
    println!("taken: {taken:?} of {MUTATIONS} each");
}

/// Counters at their ends are refused, because counting on would overflow.
#[test]
fn counters_that_cannot_go_on_are_refused() {
    let map = land();
    let mut image = Vec::new();
    let end = |at: usize, image: &[u8]| {
        let mut bytes = image.to_vec();
        bytes[at..at + 8].fill(0xFF);
        restamp(&mut bytes);
        bytes
    };
    let broken = Err(LoadError::Broken("a counter can go on"));
    map.save_into(&mut image);
    assert_eq!(Map::load(&end(24 + 12, &image)).map(|_| ()), broken);
    let mut known = Known::new(&map);
    known.save_into(&mut image);
    assert_eq!(known.load(&end(24 + 8, &image)), broken);
    let mut queue = Queue::new(u64::MAX);
    queue.save_into(&mut image);
    assert_eq!(queue.load(&map, &image), Ok(()), "a budget may be without end");
    assert_eq!(queue.load(&map, &end(24 + 8, &image)), broken);
    let mut squad = Squad::new(&map, Rule::Four).expect("no diagonals");
    squad.save_into(&mut image);
    assert_eq!(squad.load(&map, &end(24 + 12, &image)), broken);
    let mut claims = Claims::new(&map);
    claims.save_into(&mut image);
    let mut bytes = image.clone();
    bytes[24 + 8..24 + 12].fill(0);
    restamp(&mut bytes);
    assert!(claims.load(&bytes).is_err() && claims.holder([0, 0]).is_none());
}
