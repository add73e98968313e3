//! Constants: a name is declared once in carom, and a threshold of the step stands in
//! `src/tuning.rs` or `src/tuning/thresholds.rs`.

use std::collections::BTreeMap;
use std::fs;

use crate::layers::{root, sources};

/// Constants of floats in `src/step` and `src/solver` that are no thresholds, and why: file, name,
/// reason.
const GUARDS: [(&str, &str, &str); 15] = [
    ("step/mod.rs", "SHORTEST_STEP", "the reciprocal of a shorter step overflows"),
    ("step/begin/gather.rs", "MOST_FORCE_DELTA", "a sum of changes stays in the range of speeds"),
    ("step/finish/quarantine.rs", "NOWHERE", "beyond it a position may not exist"),
    ("step/prepare/mass_scaling.rs", "SPEED_UNITS", "resolution of a sum of whole numbers"),
    ("step/collide/tile_ghosts.rs", "PLACE_ROUNDING", "rounding of a place, for a shortcut"),
    ("step/collide/cull.rs", "CULL_ROUNDING", "rounding of the test itself"),
    ("step/ccd/late_impacts.rs", "SINGULAR", "two equations that are one"),
    ("solver/contacts/prepare.rs", "LEAST_GIVE", "what rounding leaves of a locked direction"),
    ("solver/contacts/prepare.rs", "MORE_ROUNDS", "a difference of two counts"),
    ("solver/joints/drives.rs", "LEAST_ANSWER", "what rounding leaves of a locked axis"),
    ("solver/joints/small_matrix.rs", "NO_PIVOT", "what rounding leaves of a redundant row"),
    ("solver/joints/small_matrix.rs", "LEAST_INVERTED", "the reciprocal of less overflows"),
    ("solver/joints/trees/factor.rs", "ROUNDING_GIVES", "a matrix that is singular by rounding"),
    ("solver/joints/trees/factor.rs", "LOCKED", "a finite mass in place of an infinite one"),
    ("solver/joints/webs/factor.rs", "NO_PIVOT_OF_WEBS", "what rounding leaves of a redundant row"),
];

/// Files in `src/step` and `src/solver` that may read the unit of a world: all others read
/// thresholds in it.
const READ_UNIT: [&str; 1] = ["step/prepare/mass_scaling.rs"];

struct Constant<'t> {
    name: &'t str,
    is_float: bool,
}

/// The constants of a file outside functions and implementations; in
/// `tuning/thresholds.rs` those in implementations, too.
fn constants<'t>(path: &str, text: &'t str) -> Vec<Constant<'t>> {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let is_nested = path == "tuning/thresholds.rs";
    let parse = |line: &'t str| {
        let line = if is_nested { line.trim_start() } else { line };
        let is_item = line.starts_with("pub") || line.starts_with("const ") || line.starts_with("static ");
        let (before, rest) = line.split_once("const ").or_else(|| line.split_once("static "))?;
        if !is_item || before.contains(|letter: char| !letter.is_lowercase() && !"(:) ".contains(letter)) {
            return None;
        }
        let (name, kind) = rest.split_once(':')?;
        let is_name = name.starts_with(|letter: char| letter.is_ascii_uppercase());
        let kind = kind.trim_start().trim_start_matches('[');
        let is_float = kind.starts_with("f32") || kind.starts_with("f64");
        (is_name && !name.contains('<')).then_some(Constant { name, is_float })
    };
    code.lines().filter_map(parse).collect()
}

/// Path below `src` and text of each source file, without files of tests.
fn texts() -> Vec<(String, String)> {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let path = |file: &std::path::PathBuf| {
        file.strip_prefix(root()).expect("a path in src").to_string_lossy().replace('\\', "/")
    };
    let of_code = files.iter().filter(|file| !path(file).contains("tests"));
    of_code.map(|file| (path(file), fs::read_to_string(file).expect("a text"))).collect()
}

/// Where each constant is declared.
fn declarations(texts: &[(String, String)]) -> BTreeMap<&str, Vec<&str>> {
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, text) in texts {
        for Constant { name, .. } in constants(path, text) {
            found.entry(name).or_default().push(path);
        }
    }
    found
}

/// Constants of floats in the stages and the solver, as file and name.
fn stage_floats(texts: &[(String, String)]) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (path, text) in texts.iter().filter(|(path, _)| is_of_stage(path)) {
        let floats = constants(path, text).into_iter().filter(|constant| constant.is_float);
        found.extend(floats.map(|constant| (path.as_str(), constant.name)));
    }
    found
}

fn is_of_stage(path: &str) -> bool {
    path.starts_with("step/") || path.starts_with("solver/")
}

#[test]
fn constants_have_one_name_each() {
    let texts = texts();
    let found = declarations(&texts);
    assert!(found.len() > 300, "{} constants are few: has the way of writing them changed?", found.len());
    let twice = found.iter().filter(|(_, files)| files.len() > 1);
    let twice: Vec<String> = twice.map(|(name, files)| format!("{name}: {}", files.join(", "))).collect();
    assert!(twice.is_empty(), "names that are declared twice:\n{}", twice.join("\n"));
}

/// A threshold of a stage is not beside the code that uses it.
#[test]
fn thresholds_of_the_step_stand_in_tuning() {
    let texts = texts();
    let found = stage_floats(&texts);
    let is_guard = |found: &&(&str, &str)| GUARDS.iter().any(|(path, name, _)| (*path, *name) == **found);
    let new: Vec<_> = found.iter().filter(|one| !is_guard(one)).collect();
    assert!(new.is_empty(), "move these to src/tuning/thresholds.rs, or list them as guards: {new:?}");
    let gone: Vec<_> = GUARDS.iter().filter(|(path, name, _)| !found.contains(&(*path, *name))).collect();
    assert!(gone.is_empty(), "guards that are gone: {gone:?}");
}

/// The public lengths and speeds that `tuning/thresholds.rs` scales: its imports.
fn scaled(texts: &[(String, String)]) -> Vec<&str> {
    let (_, text) = texts.iter().find(|(path, _)| path == "tuning/thresholds.rs").expect("thresholds");
    let (_, rest) = text.split_once("use super::{").expect("imports");
    let (names, _) = rest.split_once('}').expect("the end of imports");
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// Whether the code of a file without its tests and comments has a name in it.
fn names(text: &str, name: &str) -> bool {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let mut lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    lines.any(|line| line.split(|letter| !is_part(letter)).any(|word| word == name))
}

/// A length is scaled once, where the thresholds of a world are made.
#[test]
fn stages_read_lengths_in_the_unit_of_a_world() {
    let texts = texts();
    let reads = |(path, text): &&(String, String)| is_of_stage(path) && text.contains("def.unit");
    let found: Vec<&str> = texts.iter().filter(reads).map(|(path, _)| path.as_str()).collect();
    assert_eq!(found, READ_UNIT);
    let lengths = scaled(&texts);
    assert!(lengths.contains(&"NEAR_GAP"), "{lengths:?}");
    for (path, text) in texts.iter().filter(|(path, _)| is_of_stage(path)) {
        let plain: Vec<_> = lengths.iter().filter(|name| names(text, name)).collect();
        assert!(plain.is_empty(), "{path} reads {plain:?} in metres");
    }
}

/// The checks above find what they are for: a constant beside its stage, and one twice.
#[test]
fn a_constant_beside_its_stage_is_found() {
    let text =
        "pub(super) const DEEP: f32 = 0.1;\nconst COUNT: usize = 2;\nfn f() {\n    const X: f32 = 1.0;\n}\n";
    let of = |path: &str| (path.to_string(), text.to_string());
    let texts = [of("step/ccd/new.rs"), of("shape/new.rs")];
    assert_eq!(stage_floats(&texts), [("step/ccd/new.rs", "DEEP")]);
    assert_eq!(declarations(&texts)["DEEP"], ["step/ccd/new.rs", "shape/new.rs"]);
    assert_eq!(declarations(&texts).len(), 2);
}
