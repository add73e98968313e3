//! Whether every function of the world is in the tables: a new function needs a new line.
//!
//! Read from the sources: names of public functions that change a world or take something that may
//! be bad.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{changes, defs, ids, reads};

/// Functions that cannot be given anything bad, whose numbers are tried where a world takes them,
/// or that are tried elsewhere.
const TRIED_ELSEWHERE: [&str; 18] = [
    // A definition is made of it, and tried where a world takes that.
    "gravity",
    "sleepless",
    // No number that is bad: how many threads, and how many steps at most. `determinism/threads.rs`,
    // `src/threads/tests.rs` and the clock's case try 0.
    "set_threads",
    "imagine_threads",
    "max_steps",
    // Nothing is given, or one of a few.
    "forget",
    "reset",
    "set_lanes",
    "record",
    "stop_recording",
    // `misuse/hostile.rs` and `world/snapshots/` give them damaged bytes, bytes that lie, and steps
    // that are not there.
    "load",
    "save",
    "seek",
    "keep",
    "first_divergence",
    // Walls, not a world: `geometry/bsp.rs` gives it what is no level, and points that are none.
    "from_outlines",
    "is_solid",
    // Seconds that are none: its own file tries them.
    "island_boxes",
];

/// Functions of `Action`, `Observation`, `Variation` and `End` that take an id.
const SPEC_ITEMS: &str = "force impulse torque motor_speed motor_effort servo_target position angle sine_and_cosine velocity spin \
     joint_angle joint_spin joint_length joint_speed joint_force joint_torque touches contact_impulse contact_count rays \
     nearest_distance relative_to with_body density mass friction restitution gravity_scale also outside \
     angle_beyond asleep except";

/// Every public function of the files of a folder, with all that stands between its name and its
/// body.
fn functions(folder: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(path).expect("it can be read");
                for part in text.split("pub fn ").skip(1) {
                    let end = part.find(['(', '<']).expect("a function has parameters");
                    let signature = part.split('{').next().unwrap_or_default();
                    all.push((part[..end].to_owned(), signature.to_owned()));
                }
            }
        }
    }
    all
}

fn words<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    let names = names.into_iter().flat_map(|name| name.split([' ', ',', ':']));
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[test]
fn every_function_is_tried_with_bad_numbers() {
    let tables = [
        changes::bodies(),
        changes::shapes(),
        changes::plain(),
        changes::worlds(),
        defs::bodies(),
        defs::worlds(),
        defs::movers(),
        defs::moves(),
        reads::queries(),
        reads::predictions(),
        reads::poses(),
        reads::beside(),
    ];
    let mut tried = words(tables.iter().flatten().map(|case| case.name));
    // Tried in `joints_refuse_bad_numbers`.
    tried.extend(["add_joint", "change_joint"].map(str::to_owned));
    let mut checked = 0;
    for (name, signature) in [functions("src/world"), functions("src/game")].concat() {
        let signature = signature.replace("ShapeId", "");
        let takes =
            ["&mut self", "f32", "Vec2", "WorldPoint", "Def", "WorldRay", "ShapeCast", "Aabb", "Shape"];
        let to_try =
            takes.iter().any(|what| signature.split("->").next().is_some_and(|left| left.contains(what)));
        if to_try && !is_builder(&signature) {
            let known = tried.contains(&name) || TRIED_ELSEWHERE.contains(&name.as_str());
            assert!(known, "`{name}` is missing in the tables of tests/misuse/bad_input/");
            checked += 1;
        }
    }
    assert!(checked > 70, "{checked}");
}

/// What makes a definition or a question of one, to be checked when a world is given it.
fn is_builder(signature: &str) -> bool {
    let items = ["Action", "Observation", "Variation", "End", "Spec"];
    ["Area", "MoverDef", "PlacedShape", "ShapeCast", "Stride", "WorldPoint", "WorldRay"]
        .iter()
        .chain(&items)
        .any(|what| signature.split("->").nth(1).is_some_and(|made| made.trim_start().starts_with(what)))
}

#[test]
fn every_function_is_tried_with_dead_ids() {
    let tables = [ids::of_bodies(), ids::of_shapes(), ids::of_joints()];
    let mut tried = words(tables.iter().flatten().map(|call| call.name));
    tried.extend(words([ids::READERS]));
    // A filter may name a body that is gone: `reads_nothing` has one. A predicate is given ids that
    // live.
    tried.extend(["without", "without_all", "only"].map(str::to_owned));
    // `world/spec.rs` gives each item of a spec ids of another world.
    tried.extend(words([SPEC_ITEMS]));
    // The joint of a level is made with stand-ins: `world/levels.rs` names bodies that are not
    // there.
    tried.insert("new".to_owned());
    let mut checked = 0;
    for (name, signature) in [functions("src/world"), functions("src/game")].concat() {
        let arguments = signature.split("->").next().unwrap_or_default();
        if ["BodyId", "ShapeId", "JointId"].iter().any(|id| arguments.contains(id)) {
            assert!(tried.contains(&name), "`{name}` is missing in tests/misuse/bad_input/ids.rs");
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked}");
}
