//! What fuzzing has found, and inputs that reach most of the code, run as plain tests: see fuzz/README.md.
//!
//! ```text
//!   fuzz/regressions/<target>/   inputs that once failed
//!   fuzz/corpus/<target>/        inputs that each reach something else
//! ```

use std::fs;
use std::path::Path;

#[path = "../fuzz/src/api.rs"]
mod api;
#[path = "support/asking.rs"]
mod asking;
#[path = "support/chaos.rs"]
mod chaos;
#[path = "narrowphase/check.rs"]
#[allow(dead_code, reason = "the tally is for random pairs")]
mod check;
#[path = "../fuzz/src/input.rs"]
mod input;
#[path = "support/joints.rs"]
mod joints;
#[path = "../fuzz/src/load.rs"]
mod load;
#[path = "../fuzz/src/manifold.rs"]
mod manifold;
#[path = "../fuzz/src/polygon.rs"]
mod polygon;
#[path = "../fuzz/src/shapes.rs"]
mod shapes;
mod support;

use support::random;

/// Runs all inputs of a target, by name, so that the last name printed is the one that failed.
fn replay(target: &str, run: impl Fn(&[u8])) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let mut count = 0;
    for kind in ["regressions", "corpus"] {
        let folder = root.join(kind).join(target);
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
fn calls_on_a_world() {
    replay("api", api::run);
}

#[test]
fn shapes_from_floats() {
    replay("polygon", polygon::run);
}

#[test]
fn pairs_of_shapes() {
    replay("manifold", manifold::run);
}

#[test]
fn images_of_worlds() {
    replay("load", load::run);
}
