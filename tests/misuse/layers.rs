//! Layers: a file of carom imports only from folders to the left of its own, and a stage of the
//! step only from stages that run before it.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of `src`, from left to right; those of one group see each other.
const FOLDERS: [&[&str]; 17] = [
    &["ablate"],
    &["math"],
    &["util"],
    &["threads"],
    &["simd"],
    &["state"],
    &["bounds"],
    &["shape"],
    &["narrowphase"],
    &["broadphase"],
    &["body"],
    &["contact"],
    &["joint"],
    &["solver"],
    &["world", "step"],
    &["game"],
    &["draw"],
];

/// The stages of a step, in their order.
const STAGES: [&str; 9] =
    ["areas", "begin", "pairs", "collide", "prepare", "finish", "ccd", "events", "islands"];

/// Files that may import from the right, and what.
const EXCEPTIONS: [(&str, &str); 2] = [("math/approx.rs", "bounds"), ("bounds/circle_tree.rs", "shape")];

fn folder_of(name: &str) -> Option<usize> {
    FOLDERS.iter().position(|group| group.contains(&name))
}

fn stage_of(name: &str) -> Option<usize> {
    STAGES.iter().position(|stage| *stage == name)
}

/// The folder of carom's sources.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../src")
}

pub(crate) fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The names that follow `prefix` in the code of a file, without comments and tests.
fn names_after<'t>(text: &'t str, prefix: &str) -> Vec<&'t str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_end = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let after = lines.flat_map(|line| line.split(prefix).skip(1));
    after.map(|rest| rest.split(is_end).next().unwrap_or("")).collect()
}

#[test]
fn files_import_only_from_the_left() {
    let root = root();
    let mut files = Vec::new();
    sources(&root, &mut files);
    let (mut imports, mut wrong) = (0, Vec::new());
    for file in &files {
        let path = file.strip_prefix(&root).expect("a path in src").to_string_lossy().replace('\\', "/");
        let parts: Vec<&str> = path.split('/').collect();
        let text = fs::read_to_string(file).expect("a text");
        let Some(own) = folder_of(parts[0].trim_end_matches(".rs")) else { continue };
        if path.contains("tests") {
            continue;
        }
        for name in names_after(&text, "crate::") {
            imports += usize::from(folder_of(name).is_some());
            let is_right = folder_of(name).is_some_and(|other| other > own);
            if is_right && !EXCEPTIONS.contains(&(&path, name)) {
                wrong.push(format!("{path} imports {name}"));
            }
        }
        let Some(own) = stage_of(parts.get(1).unwrap_or(&"")).filter(|_| parts[0] == "step") else {
            continue;
        };
        for name in names_after(&text, "crate::step::") {
            if stage_of(name).is_some_and(|other| other > own) {
                wrong.push(format!("{path} imports step::{name}"));
            }
        }
    }
    assert!(imports > 1_000, "{imports} imports are few: has the way of writing them changed?");
    assert!(wrong.is_empty(), "imports from the right:\n{}", wrong.join("\n"));
}
