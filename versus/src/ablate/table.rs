//! The rows of docs/mechanisms.md.
//!
//! In: markdown, of which each line that begins with the name of a rule is its row. Out: the same
//! with other last cells. All else is left as it was written.

use carom::ablate::Rule;
use std::fs;
use std::path::Path;

use crate::Fallible;

/// What a cell says before it is filled.
const MISSING: &str = "not measured";

/// Cells of a row that are measured: the last ones.
pub(super) const MEASURED: usize = 4;

pub(super) struct Table {
    lines: Vec<String>,
}

impl Table {
    pub(super) fn read(path: &Path) -> Fallible<Table> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Table { lines: text.lines().map(str::to_string).collect() })
    }

    /// The rules whose rows are not filled, in their order in the table.
    pub(super) fn missing(&self) -> Vec<Rule> {
        self.lines.iter().filter(|line| line.contains(MISSING)).filter_map(|line| rule_of(line)).collect()
    }

    /// Fills the row of a rule.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn fill(&mut self, rule: Rule, measured: &[String; MEASURED]) -> Fallible<()> {
        let line = self.lines.iter_mut().find(|line| rule_of(line) == Some(rule));
        let line = line.ok_or_else(|| format!("the table has no row for {rule:?}"))?;
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let given = cells.len().saturating_sub(MEASURED);
        let all = cells[..given].iter().copied().chain(measured.iter().map(String::as_str));
        *line = format!("| {} |", all.collect::<Vec<_>>().join(" | "));
        Ok(())
    }

    pub(super) fn write(&self, path: &Path) -> Fallible<()> {
        Ok(fs::write(path, self.lines.join("\n") + "\n")?)
    }
}

/// The rule whose row a line is.
fn rule_of(line: &str) -> Option<Rule> {
    Rule::named(line.strip_prefix("| `")?.split_once('`')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_filled_once() {
        let row =
            "| `Bends` | what | where | 1 | not measured | not measured | not measured | not measured |";
        let mut table = Table { lines: vec!["| rule | a |".into(), row.into()] };
        assert_eq!(table.missing(), [Rule::Bends]);
        table.fill(Rule::Bends, &["a", "b", "c", "d"].map(str::to_string)).expect("a row");
        assert_eq!(table.lines[1], "| `Bends` | what | where | 1 | a | b | c | d |");
        assert!(table.missing().is_empty());
        assert!(table.fill(Rule::Blows, &["a", "b", "c", "d"].map(str::to_string)).is_err());
    }
}
