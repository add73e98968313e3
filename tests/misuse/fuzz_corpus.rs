//! What fuzzing has found, and inputs that reach most of the code, run as plain tests: see
//! fuzz/README.md.
//!
//! ```text
//!   fuzz/regressions/<target>/   inputs that once failed
//!   fuzz/corpus/<target>/        inputs that each reach something else
//! ```

use std::fs;
use std::path::Path;

use testkit::fuzz;

/// Runs all inputs of a target, by name, so that the last name printed is the one that failed.
fn replay(target: &str, run: impl Fn(&[u8])) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz"));
    let mut count = 0;
    for kind in ["regressions", "corpus"] {
        let folder = root.join(kind).join(target);
        if kind == "regressions" && !folder.is_dir() {
            continue; // nothing was found yet
        }
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("a name").path()).collect();
        paths.sort();
        for path in paths {
            println!("{}", path.display());
            run(&fs::read(&path).expect("a file"));
            count += 1;
        }
    }
    assert!(count > 20, "{count} inputs for {target}");
}

#[test]
fn kept_inputs_of_api_break_no_promise() {
    replay("api", fuzz::api);
}

#[test]
fn kept_inputs_of_polygon_break_no_promise() {
    replay("polygon", fuzz::polygon);
}

#[test]
fn kept_inputs_of_manifold_break_no_promise() {
    replay("manifold", fuzz::manifold);
}

#[test]
fn kept_inputs_of_load_break_no_promise() {
    replay("load", fuzz::load);
}

#[test]
fn kept_inputs_of_nav_break_no_promise() {
    replay("nav_crowd", fuzz::nav_bodies::crowd);
    replay("nav_edits", fuzz::nav::edits);
    replay("nav_images", fuzz::nav::images);
    replay("nav_mesh", fuzz::nav_bodies::mesh);
    replay("nav_parse", fuzz::nav::parse);
}

/// Bytes that nobody chose, many of them: what a fuzzer tries in its first seconds.
#[test]
fn any_bytes_break_no_promise_of_nav() {
    let mut random = testkit::random::Random::new(29);
    for round in 0..testkit::long_rounds(300, 10_000, 100_000) {
        let length = 2 + (random.bits() % 300) as usize;
        let mut bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        fuzz::nav::edits(&bytes);
        if round % 10 == 0 {
            fuzz::nav_bodies::mesh(&bytes);
            fuzz::nav_bodies::crowd(&bytes);
        }
        bytes[0] = (round % 9) as u8;
        fuzz::nav::images(&bytes);
        // Letters of maps, mostly.
        let letters = b"..........####123\n\n\n@TGS\r x";
        bytes.iter_mut().for_each(|byte| *byte = letters[usize::from(*byte) % letters.len()]);
        fuzz::nav::parse(&bytes);
    }
}
