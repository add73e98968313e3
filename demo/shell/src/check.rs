//! What tests of all modules ask of scenes, without a page.

use carom::{DrawOptions, Pose, vec2};

use crate::{Demo, Info, Layers};

/// The number of a scene.
///
/// # Panics
/// Where there is none of that name.
#[must_use]
pub fn number_of(scenes: &[&Info], name: &str) -> u32 {
    let number = scenes.iter().position(|info| info.name == name);
    number.map_or_else(|| panic!("no scene {name}"), |number| number as u32)
}

/// A scene with as many things as it begins with, but few where thousands would take long.
///
/// # Panics
/// Where there is none of that name, or it cannot be built.
#[must_use]
pub fn begun(scenes: &'static [&'static Info], name: &str) -> Demo {
    let (mut demo, number) = (Demo::new(scenes), number_of(scenes, name));
    let count = scenes[number as usize].count[1].min(200);
    assert!(demo.begin(number, count), "{name}");
    demo
}

/// What the page reads of a report: the line that begins with a name.
///
/// # Panics
/// Where there is no such line.
#[must_use]
pub fn line<'d>(demo: &'d Demo, name: &str) -> &'d str {
    let found = demo.report().lines().find(|line| line.starts_with(name));
    found.unwrap_or_else(|| panic!("no line {name}: {}", demo.report()))
}

/// The number at the beginning of the value of a line.
///
/// # Panics
/// Where there is no such line, or no number.
pub fn count(demo: &mut Demo, name: &str) -> f64 {
    demo.frame(1.0);
    let line = line(demo, name);
    let value = line.split('\t').nth(1).and_then(|value| value.split([' ', ',']).next());
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no number: {line}"))
}

/// So many steps, none of which is refused.
///
/// # Panics
/// Where one is.
pub fn steps(demo: &mut Demo, count: u32) {
    for step in 0..count {
        assert!(demo.step(), "step {step}: {}", demo.report());
    }
}

/// Ten seconds twice, with a second of the naive way in between where there is one: nothing is
/// refused, all of it stays in sight unless the view moves, the bits are the same.
///
/// # Panics
/// Where that is not so.
pub fn goes_on(scenes: &'static [&'static Info], info: &Info, moves: bool) {
    let play = || {
        let mut demo = begun(scenes, info.name);
        for second in 0..10 {
            demo.set_naive(second == 6);
            steps(&mut demo, info.hertz as u32);
            demo.frame(0.5);
        }
        demo
    };
    let (one, other) = (play(), play());
    assert_eq!(one.hash(), other.hash(), "{}", info.name);
    let [left, bottom, right, top] = [12, 13, 14, 15].map(|k| one.numbers()[k] as f32);
    let (low, high) = (vec2(left, bottom), vec2(right, top));
    let size = high - low;
    let somewhere: Vec<&Pose> = one.poses().iter().filter(|pose| pose.is_somewhere()).collect();
    assert!(somewhere.iter().all(|pose| pose.position.is_finite()), "{}", info.name);
    let seen = somewhere.iter().filter(|pose| {
        let at = pose.position;
        at.cmpge(low - 0.1 * size).all() && at.cmple(high + 0.1 * size).all()
    });
    assert!(moves || seen.count() * 10 >= somewhere.len() * 8, "{}: most is out of sight", info.name);
}

/// The hash of each scene after two seconds, as they are written down: its name, steps, hash.
///
/// # Panics
/// Where a scene cannot be built, or a step is refused.
#[must_use]
pub fn hashes(scenes: &'static [&'static Info]) -> String {
    let lines = scenes.iter().map(|info| {
        let (mut demo, count) = (begun(scenes, info.name), 120);
        steps(&mut demo, count);
        format!("{} {count} {:016x}\n", info.name, demo.hash())
    });
    lines.collect()
}

/// That the hashes of a module's scenes are among those that are written down.
///
/// # Panics
/// Where they are not: with the lines that they would have.
pub fn has_its_bits(scenes: &'static [&'static Info], written: &str) {
    let found = hashes(scenes);
    let is_there = |line: &str| written.lines().any(|known| known == line);
    assert!(found.lines().all(is_there), "demo/test/hashes.txt has other lines than\n{found}");
}

/// The last body that can be taken hold of follows the hand: no weight lies on it. In towers the
/// first half is of the world at the origin.
///
/// # Panics
/// Where none can be taken hold of, or it does not follow.
pub fn follows_the_hand(scenes: &'static [&'static Info], info: &Info) {
    let mut demo = begun(scenes, info.name);
    steps(&mut demo, 30);
    demo.frame(1.0);
    let places: Vec<_> = demo.poses().iter().map(|pose| pose.position).collect();
    let is_held = |demo: &mut Demo, k: usize| demo.grab(places[k], 0.01) && demo.held() == Some(k);
    let held = (0..places.len()).rev().find(|&k| is_held(&mut demo, k));
    let held = held.unwrap_or_else(|| panic!("{}: no body to drag", info.name));
    let far = 0.25 * (info.view[1] - info.view[0]).min_element();
    let target = places[held] + vec2(0.0, far);
    for _ in 0..(1.5 * info.hertz) as u32 {
        demo.drag(target);
        demo.step();
    }
    demo.frame(1.0);
    demo.release();
    let moved = demo.poses()[held].position.distance(places[held]);
    assert!(moved > 0.2 * far, "{}: {moved} of {far} m", info.name);
}

/// Every layer draws what can be read, and those something that all worlds have.
///
/// # Panics
/// Where that is not so.
pub fn layers_draw(scenes: &'static [&'static Info], info: &Info) {
    let mut demo = begun(scenes, info.name);
    steps(&mut demo, 20);
    for (bit, name) in DrawOptions::LAYERS.iter().enumerate() {
        let view = [info.view[0], info.view[1]];
        demo.set_layers(Layers { bits: 1 << bit, scale: 20.0, view });
        demo.frame(1.0);
        let count = commands(demo.commands());
        if ["shapes", "boxes", "circles", "centers", "ids"].contains(name) {
            assert!(count > 0, "{}, layer {name}", info.name);
        }
    }
}

/// How many commands there are.
///
/// # Panics
/// Where they make no sense.
#[must_use]
pub fn commands(numbers: &[f32]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < numbers.len() {
        let opacity = numbers[at + 2];
        assert!((0.0..=1.0).contains(&opacity), "opacity {opacity}");
        let length = match numbers[at] as u32 {
            0 => 4,
            1 => 3 + 2 * numbers[at + 5] as usize,
            2 | 3 => 6,
            4 => 3,
            5 => 4,
            other => panic!("no command {other}"),
        };
        at += 3 + length;
        count += 1;
    }
    assert_eq!(at, numbers.len());
    count
}
