//! What the numbers were measured on and with: the head of every table.

use std::fs;
use std::process::Command;

use crate::engines::Rival;

/// How the Rust engines and versus itself were compiled.
pub(crate) const RUST_BUILD: &str = concat!(
    env!("VERSUS_RUSTC"),
    ", opt-level ",
    env!("VERSUS_OPT_LEVEL"),
    ", lto [",
    env!("VERSUS_LTO"),
    "], RUSTFLAGS [",
    env!("VERSUS_RUSTFLAGS"),
    "]",
);

/// Lines for the head of a table.
pub(crate) fn head(rivals: &[Rival]) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut text = format!("commit   {}\n", commit());
    text +=
        &format!("machine  {}, {cores} cores, {} {}\n", cpu(), std::env::consts::OS, std::env::consts::ARCH);
    for rival in rivals {
        let build = rival.build().replace("; ", "\n         ");
        text += &format!("{:<8} {build}\n", rival.name());
    }
    if cfg!(debug_assertions) {
        text += "A DEBUG BUILD: the times mean nothing; run with --release\n";
    }
    text
}

fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or("an unknown processor", |(_, name)| name).to_string()
}

fn commit() -> String {
    let arguments = ["-C", env!("CARGO_MANIFEST_DIR"), "describe", "--always", "--dirty"];
    let output = Command::new("git").args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    text.ok().filter(|text| !text.is_empty()).unwrap_or_else(|| "unknown".into())
}
