//! Checks all golden scenes with all lanes of this machine, and those of carom-nav: `golden
//! [STEPS]`, 2,000 of them at first.

use carom::Lanes;
use testkit::golden::{SCENES, STEPS, check, nav};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let steps = std::env::args().nth(1).map_or(Ok(STEPS), |steps| steps.parse())?;
    for lanes in Lanes::all() {
        for (name, _) in SCENES {
            check(name, steps, |world| world.set_lanes(lanes))?;
        }
        println!("{} scenes have their golden bits after {steps} steps ({lanes})", SCENES.len());
    }
    for (name, _) in nav::SCENES {
        nav::check(name, steps)?;
    }
    println!("{} scenes of carom-nav have their golden bits", nav::SCENES.len());
    Ok(())
}
