//! A level as text: read, played, changed, written down, and read again with the same hash.
//!
//! Prints which id belongs to which name, and leaves `out/level.json` and `out/level.ron`, the same
//! level in two formats.
//!
//! ```text
//! cargo run --release -p carom-examples --features levels --example level
//! ```

use std::error::Error;
use std::fs;

use carom::Level;
use carom::prelude::*;

/// What an editor or a person writes: what is left out is as the builders have it.
const GATE: &str = r#"{
    "version": 1,
    "bodies": {
        "ground": { "shapes": [{ "shape": { "rect": { "size": [20, 1] } } }] },
        "post": { "position": [-2, 2], "shapes": [{ "shape": { "rect": { "size": [0.4, 3] } } }] },
        "gate": { "kind": "Dynamic", "position": [0, 2],
                  "shapes": [{ "name": "leaf", "shape": { "rect": { "size": [3, 0.3] } }, "weight": { "Mass": 40 } }] },
        "crate": { "kind": "Dynamic", "position": [0.5, 4], "shapes": [{ "shape": { "rect": { "size": [1, 1] } } }] }
    },
    "joints": {
        "hinge": { "kind": "Revolute", "body_a": "post", "body_b": "gate",
                   "anchor_a": { "World": [-1.6, 2] }, "anchor_b": { "World": [-1.6, 2] },
                   "drive": { "limits": { "lower": -1.2, "upper": 1.2 } } }
    }
}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let level: Level = serde_json::from_str(GATE)?;
    let (mut world, ids) = level.to_world()?;
    let (gate, hinge) = (ids.body("gate").ok_or("no gate")?, ids.joint("hinge").ok_or("no hinge")?);
    let leaf = ids.shape("gate", "leaf").ok_or("no leaf")?;
    println!("gate {gate}, its leaf {leaf}, on {hinge}");
    for _ in 0..120 {
        world.step(1.0 / 60.0)?;
    }
    let angle = |world: &World| world.joint_state(hinge).map_or(0.0, |state| state.angle);
    println!("after 2 s the crate has pressed it to {:.2} radians", angle(&world));
    assert!(angle(&world) < -0.2);

    // As it stands now, with all that was left open filled in; names of bodies are given anew.
    let saved = world.to_level();
    let json = serde_json::to_string_pretty(&saved)?;
    let ron = ron::ser::to_string_pretty(&saved, ron::ser::PrettyConfig::default())?;
    fs::create_dir_all("out")?;
    fs::write("out/level.json", &json)?;
    fs::write("out/level.ron", &ron)?;
    println!("{} bytes of JSON, {} of RON in out/", json.len(), ron.len());
    let [of_json, of_ron] = [serde_json::from_str::<Level>(&json)?, ron::from_str::<Level>(&ron)?];
    let hashes = [&saved, &of_json, &of_ron].map(|level| level.to_world().map(|(world, _)| world.hash()));
    println!("hashes of all three: {hashes:x?}");
    assert!(hashes[0].is_ok() && hashes[0] == hashes[1] && hashes[1] == hashes[2]);

    // A level that breaks a rule says where.
    let broken = serde_json::from_str::<Level>(&GATE.replace("[3, 0.3]", "[3, -0.3]"));
    println!("refused: {}", broken.err().ok_or("it is broken")?);
    Ok(())
}
