//! Tells the program how it was built, for the head of its tables.
//!
//! In: what cargo says to build scripts. Out: `VERSUS_…` variables for `env!`.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=../Cargo.toml");
    for name in ["CFLAGS", "CC", "CARGO_ENCODED_RUSTFLAGS", "CARGO_PROFILE_RELEASE_LTO"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    tell("CAROM", &version_of("../Cargo.toml"));
    tell("CFLAGS", &variable("CFLAGS"));
    tell("CC", &first_line(&variable_or("CC", "cc")));
    tell("RUSTC", &first_line(&variable_or("RUSTC", "rustc")));
    tell("RUSTFLAGS", &variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "));
    tell("OPT_LEVEL", &variable("OPT_LEVEL"));
    tell("LTO", &variable("CARGO_PROFILE_RELEASE_LTO"));
}

fn tell(name: &str, value: &str) {
    println!("cargo:rustc-env=VERSUS_{name}={value}");
}

fn variable(name: &str) -> String {
    variable_or(name, "")
}

fn variable_or(name: &str, other: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| other.into())
}

/// What a compiler says of itself.
fn first_line(program: &str) -> String {
    let output = Command::new(program).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.ok().and_then(|text| text.lines().next().map(str::to_string)).unwrap_or_else(|| "unknown".into())
}

/// The first line of a manifest that sets a version.
fn version_of(manifest: &str) -> String {
    let text = std::fs::read_to_string(manifest).unwrap_or_default();
    let version = text.lines().find_map(|line| line.strip_prefix("version = "));
    version.unwrap_or("unknown").trim_matches('"').to_string()
}
