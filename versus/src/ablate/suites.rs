//! carom's tests, with a rule turned off.
//!
//! In: the suites of carom-tests, built with the feature `ablate`. Out: which tests fail without a
//! rule. Each test runs once by itself first, to tell which rules act in it and how long it takes:
//! for a rule only the tests run in which it acts, as the others do the same without it, and the
//! shortest run first, until some fail. What those first runs told is kept beside the programs.

use carom::ablate::Rule;
use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::Fallible;

/// The suites that run.
const NAMES: [&str; 2] = ["physics", "world"];

/// How long some tests of a suite may take without a rule.
const PATIENCE: Duration = Duration::from_secs(600);

/// What the shortest tests take together, in seconds; the next ones take twice as long, and so on.
const FIRST: f32 = 5.0;

/// Tests of bytes, bits and memory: with any other motion of bodies they may fail, so they say
/// little about a rule.
const LEFT_OUT: [&str; 3] = ["allocation::", "pieces::", "snapshots::"];

/// Tests that are told by name.
const NAMED: usize = 3;

/// The programs of the suites, and their tests.
pub(super) struct Suites {
    programs: [PathBuf; NAMES.len()],
    tests: Vec<Test>,
}

/// A test that passes with all rules.
struct Test {
    suite: usize,
    name: String,
    seconds: f32,
    acting: Vec<Rule>,
}

/// What fails without a rule.
pub(super) struct Failures {
    /// How many tests there are in which the rule acts, and how many of them ran.
    all: usize,
    ran: usize,
    failed: Vec<String>,
    /// Tests that did not end.
    open: Vec<String>,
}

impl Suites {
    /// Builds the programs, and finds out which rules act in each test.
    pub(super) fn build() -> Fallible<Suites> {
        let programs = build()?;
        let notes = programs[0].with_file_name(format!("ablate-{}.txt", stamp(&programs)?));
        if !notes.exists() {
            let tests = list(&programs)?;
            println!("running {} tests one by one, to tell which rules act in each", tests.len());
            fs::write(&notes, look_at_all(&programs, &tests).join("\n"))?;
        }
        let mut tests: Vec<Test> = fs::read_to_string(&notes)?.lines().filter_map(parsed).collect();
        tests.sort_by(|p, q| p.seconds.total_cmp(&q.seconds));
        Ok(Suites { programs, tests })
    }

    /// Runs the tests in which a rule acts without it.
    pub(super) fn without(&self, rule: Rule) -> Fallible<Failures> {
        let mut left: Vec<&Test> = self.tests.iter().filter(|test| test.acting.contains(&rule)).collect();
        let mut failures = Failures { all: left.len(), ran: 0, failed: Vec::new(), open: Vec::new() };
        let mut most = FIRST;
        while failures.failed.is_empty() && failures.open.is_empty() && !left.is_empty() {
            let later = left.split_off(count_within(&left, most));
            for (suite, program) in self.programs.iter().enumerate() {
                let of_suite = left.iter().filter(|test| test.suite == suite);
                let names: Vec<&str> = of_suite.map(|test| &test.name[..]).collect();
                if !names.is_empty() {
                    failures.add(program, &names, rule)?;
                }
            }
            (left, most) = (later, 2.0 * most);
        }
        Ok(failures)
    }
}

/// How many of these tests take no longer than `most` seconds together; one at least.
fn count_within(tests: &[&Test], most: f32) -> usize {
    let mut sum = 0.0;
    let fits = |test: &&&Test| {
        sum += test.seconds;
        sum <= most
    };
    tests.iter().take_while(fits).count().max(1)
}

/// Builds the programs.
fn build() -> Fallible<[PathBuf; NAMES.len()]> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--release", "-p", "carom-tests", "--features", "ablate", "--no-run"]);
    command.arg("--message-format=json").current_dir(tests_folder()).stderr(Stdio::inherit());
    NAMES.iter().for_each(|name| _ = command.args(["--test", name]));
    let output = command.output()?;
    if !output.status.success() {
        return Err("carom-tests cannot be built".into());
    }
    let mut found = HashMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        if let (Some(name), Some(program)) =
            (message["target"]["name"].as_str(), message["executable"].as_str())
        {
            found.insert(name.to_string(), PathBuf::from(program));
        }
    }
    let program = |name: &str| found.get(name).cloned().unwrap_or_default();
    Ok(NAMES.map(program))
}

fn tests_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests")
}

/// When the programs were built, in seconds: notes about others do not count.
fn stamp(programs: &[PathBuf]) -> Fallible<u64> {
    let mut latest = 0;
    for program in programs {
        let built = fs::metadata(program)?.modified()?.duration_since(std::time::UNIX_EPOCH)?;
        latest = latest.max(built.as_secs());
    }
    Ok(latest)
}

/// The names of all tests, with the index of their suite.
fn list(programs: &[PathBuf]) -> Fallible<Vec<(usize, String)>> {
    let mut tests = Vec::new();
    for (suite, program) in programs.iter().enumerate() {
        let output = Command::new(program).args(["--list", "--format", "terse"]).output()?;
        let text = String::from_utf8_lossy(&output.stdout).to_string();
        let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
        let counts = |name: &&str| !LEFT_OUT.iter().any(|module| name.starts_with(module));
        tests.extend(names.filter(counts).map(|name| (suite, name.to_string())));
    }
    Ok(tests)
}

/// Runs each test by itself: a line for each that passes.
fn look_at_all(programs: &[PathBuf], tests: &[(usize, String)]) -> Vec<String> {
    let (next, lines) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((suite, name)) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = Instant::now();
            if let Some(acting) = look_at(&programs[*suite], name) {
                let seconds = start.elapsed().as_secs_f32();
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                lines.push(format!("{suite} {name} {seconds:.2} {acting}"));
            }
        }
    };
    thread::scope(|scope| {
        let count = thread::available_parallelism().map_or(1, usize::from);
        (0..count).for_each(|_| _ = scope.spawn(work));
    });
    let mut lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
    lines.sort();
    lines
}

/// The rules that act in a test, `None` if it fails.
fn look_at(program: &Path, name: &str) -> Option<String> {
    let report = program.with_file_name(format!("acted-{}.txt", name.replace("::", "-")));
    let mut command = Command::new(program);
    command.args(["--exact", name, "--test-threads", "1"]).current_dir(tests_folder());
    let output = command.env("CAROM_ACTED", &report).output().ok()?;
    let text = fs::read_to_string(&report).unwrap_or_default();
    _ = fs::remove_file(&report);
    let mut rules: Vec<&str> = text.lines().collect();
    rules.sort_unstable();
    rules.dedup();
    output.status.success().then(|| rules.join(","))
}

/// A test from its line.
fn parsed(line: &str) -> Option<Test> {
    let mut words = line.split(' ');
    let (suite, name) = (words.next()?.parse().ok()?, words.next()?.to_string());
    let seconds = words.next()?.parse().ok()?;
    let acting = words.next()?.split(',').filter_map(Rule::named).collect();
    Some(Test { suite, name, seconds, acting })
}

impl Failures {
    /// Runs tests of a program without a rule.
    fn add(&mut self, program: &Path, names: &[&str], rule: Rule) -> Fallible<()> {
        let output = program.with_file_name(format!("ablate-{}.out", std::process::id()));
        let mut command = Command::new(program);
        command.arg("--exact").args(names).current_dir(tests_folder());
        command.env("CAROM_ABLATE", format!("{rule:?}")).stderr(Stdio::null());
        let (mut child, start) = (command.stdout(File::create(&output)?).spawn()?, Instant::now());
        while child.try_wait()?.is_none() {
            if start.elapsed() > PATIENCE {
                child.kill()?;
            }
            thread::sleep(Duration::from_millis(50));
        }
        self.ran += names.len();
        let text = fs::read_to_string(&output)?;
        fs::remove_file(&output)?;
        let ended = |name: &str, how: &str| text.contains(&format!("test {name} ... {how}"));
        for &name in names {
            if ended(name, "FAILED") {
                self.failed.push(name.into());
            } else if !ended(name, "ok") && !ended(name, "ignored") && !text.contains("test result: ok") {
                self.open.push(name.into());
            }
        }
        Ok(())
    }
}

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.failed.iter().chain(&self.open);
        let names: Vec<String> = all.clone().take(NAMED).map(|name| format!("`{name}`")).collect();
        match all.count() {
            0 => write!(f, "none")?,
            count if count > NAMED => write!(f, "{} and {} more", names.join(", "), count - NAMED)?,
            _ => write!(f, "{}", names.join(", "))?,
        }
        if !self.open.is_empty() {
            write!(f, " ({} did not end)", self.open.len())?;
        }
        write!(f, "; of {} that ran of {}", self.ran, self.all)
    }
}
