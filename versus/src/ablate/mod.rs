//! What each guard of carom's step is worth: each turned off in turn.
//!
//! In: the table docs/mechanisms.md, a row per rule. Out: its rows that were not measured yet, with
//! the tests that fail without the rule, how often it acts in wild scenes, how these end without
//! it, and what it costs. Rows are written one by one, so a run that is stopped goes on where it
//! was.
//!
//! ```text
//!   suites.rs   carom's tests: which rules act in each, which fail without a rule
//!   wild.rs     wild scenes with a rule and without
//!   table.rs    rows of the table
//! ```

mod suites;
mod table;
mod wild;

use carom::ablate::Rule;
use std::path::PathBuf;

use crate::Fallible;
use suites::Suites;
use table::Table;
use wild::Wild;

/// What to measure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    /// All that were not measured yet if empty.
    pub(crate) rules: Vec<Rule>,
    /// The table.
    pub(crate) out: PathBuf,
}

/// Measures rules, and writes their rows.
///
/// # Errors
/// A table that cannot be read or written or has no row for a rule; tests that cannot be built.
pub(crate) fn run(choice: &Choice) -> Fallible<()> {
    let rules = match &choice.rules[..] {
        [] => Table::read(&choice.out)?.missing(),
        rules => rules.to_vec(),
    };
    let suites = Suites::build()?;
    let wild = Wild::play()?;
    for rule in rules {
        let (tests, effect) = (suites.without(rule)?, wild.without(rule)?);
        let cells = [tests.to_string(), effect.acts(), effect.ends(), effect.price()];
        println!("{rule:?}: {}", cells.join(" | "));
        // Read anew: other rows may have changed meanwhile.
        let mut table = Table::read(&choice.out)?;
        table.fill(rule, &cells)?;
        table.write(&choice.out)?;
    }
    Ok(())
}
