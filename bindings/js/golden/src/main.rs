//! Writes recordings of carom's golden scenes into a folder: `carom-js-golden FOLDER STEPS`.
//!
//! Each holds the hash of the native world after every step. The tests of the npm package play
//! them in the module, and compare.

use std::path::PathBuf;

use carom::Recorder;
use testkit::golden::{SCENES, Scene};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    let steps: u32 = arguments.next().ok_or("how many steps?")?.parse()?;
    std::fs::create_dir_all(&folder)?;
    for (name, _) in SCENES {
        let mut scene = Scene::named(name)?;
        scene.world.record(Recorder { key_every: 0, hashes: true });
        let hash = scene.hash_at(steps)?;
        let recording = scene.world.stop_recording().ok_or("the recording stopped")?;
        std::fs::write(folder.join(format!("{name}.rec")), recording.to_bytes())?;
        println!("{name} {steps} {hash:016x}");
    }
    Ok(())
}
