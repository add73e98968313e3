//! The pages that compare carom with other engines and list what it claims: each yes and each claim
//! is shown by a test or an example that exists, or by continuous integration, and what carom lacks
//! is a plain, bold no.

use std::fs;
use std::path::{Path, PathBuf};

/// Commands that assert something themselves.
const COMMANDS: [&str; 2] = [".ci/run", "ci/cross.sh"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The test of this name in a file, with the attributes above it.
fn is_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let head = format!("fn {name}(");
    lines.iter().position(|line| line.starts_with(&head)).is_some_and(|at| {
        let above = lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
        let above: Vec<&&str> = above.collect();
        above.iter().any(|line| **line == "#[test]") && !above.iter().any(|line| line.contains("ignore"))
    })
}

/// What is wrong with what a row names as proof: files, each followed by tests in it.
fn wrong(proof: &str) -> Vec<String> {
    let (mut wrong, mut shown, mut source) = (Vec::new(), 0, String::new());
    for name in proof.split('`').skip(1).step_by(2) {
        if name.contains('/') {
            match fs::read_to_string(root().join(name)) {
                Ok(text) => source = text,
                Err(_) => wrong.push(format!("there is no {name}")),
            }
            shown += usize::from(name.starts_with("examples/") || COMMANDS.contains(&name));
        } else if is_test(&source, name) {
            shown += 1;
        } else {
            wrong.push(format!("{name} is no test that runs"));
        }
    }
    if shown == 0 {
        wrong.push("nothing shows it".to_owned());
    }
    wrong
}

#[test]
fn each_yes_of_the_comparison_is_shown_and_each_no_is_plain() {
    let page = fs::read_to_string(root().join("docs/comparison.md")).expect("the page is there");
    let (mut shown, mut lacking, mut faults) = (0, 0, Vec::new());
    // The table of the commands that run the proofs comes before the first heading.
    let rows = page.lines().skip_while(|line| !line.starts_with("## "));
    for line in rows.filter(|line| line.starts_with("| ") && !line.starts_with("| |")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [what, carom, .., proof] = cells[..] else { panic!("no row: {line}") };
        assert_eq!(cells.len(), 11, "{line}");
        if carom.starts_with("**no**") {
            lacking += 1;
            faults.extend((!proof.is_empty()).then(|| format!("{what}: a no needs no proof")));
        } else {
            shown += 1;
            faults.extend(carom.starts_with("no").then(|| format!("{what}: the no is not bold")));
            faults.extend(wrong(proof).into_iter().map(|fault| format!("{what}: {fault}")));
        }
    }
    println!("{shown} rows are shown, {lacking} say no");
    assert_eq!(faults, Vec::<String>::new());
    assert!(shown > 50 && lacking > 8);
}

/// The page of numbers that are claimed names a test that runs for each.
#[test]
fn each_claim_names_its_test() {
    let page = fs::read_to_string(root().join("docs/claims.md")).expect("the page is there");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    let faults: Vec<String> = rows
        .iter()
        .flat_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            assert_eq!(cells.len(), 4, "{line}");
            wrong(cells[1]).into_iter().map(|fault| format!("{}: {fault}", cells[0])).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(faults, Vec::<String>::new());
    assert!(rows.len() > 15);
}
