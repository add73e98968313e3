//! The same bits everywhere, of carom-nav: golden scenes against `tests/golden/nav.txt`.
//!
//! Where a change is meant to change them, `cargo test --release -p carom-tests --test determinism
//! write_golden_nav -- --ignored` writes the file anew.

use testkit::golden::nav::{FRAMES, NavScene, SCENES, check};

#[test]
fn golden_hashes_of_nav_hold() {
    let ticks = if cfg!(debug_assertions) { FRAMES[1] } else { FRAMES[2] };
    let wrong: Vec<String> = SCENES.iter().filter_map(|(name, _)| check(name, ticks).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A number that nothing changes any more would compare rest with rest.
#[test]
fn scenes_of_nav_never_come_to_rest() {
    for (name, build) in SCENES {
        let mut scene = build();
        let numbers = [5, 6, 50, 51].map(|frame| scene.hash_at(frame));
        assert!(numbers.windows(2).all(|two| two[0] != two[1]), "{name}");
    }
}

#[test]
#[ignore = "writes the golden hashes anew"]
fn write_golden_nav_hashes() {
    let mut text =
        String::from("# scene, ticks, hash: see tests/determinism/nav.rs for how to write it anew\n");
    for (name, _) in SCENES {
        let mut scene = NavScene::named(name).expect(name);
        for frame in FRAMES {
            text += &format!("{name:<10} {frame:>5} {:016x}\n", scene.hash_at(frame));
        }
    }
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/golden/nav.txt"), text).expect("a file");
}
