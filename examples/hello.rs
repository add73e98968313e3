//! The least a game needs: ground, a ball, a step, and what happened.
//!
//! Prints each blow as it is dealt, and where the ball lies after two seconds. The README begins
//! with this.
//!
//! ```text
//! cargo run --release -p carom --example hello
//! ```

use carom::prelude::*;

fn main() -> Result<(), Error> {
    let mut world = World::new(WorldDef::default()); // gravity (0, -9.81)
    world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(40.0, 2.0)))?;
    let ball = world.add(BodyDef::dynamic().at([0.0, 8.0]).shape(Shape::circle(0.5)))?;
    for step in 1..=120 {
        world.step(1.0 / 60.0)?;
        for hit in world.events().hits() {
            println!("step {step}: {} and {} met at {:.1} m/s", hit.body_a, hit.body_b, hit.speed);
        }
    }
    println!("{ball} lies at {}", world[ball].position());
    Ok(())
}
