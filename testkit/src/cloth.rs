//! A billiard table from above: cushions, and sixteen balls of which one is on its way.
//!
//! In: an empty world without gravity. Out: the balls. The example `billiards` looks at the energy,
//! the demo lets play on.

use carom::Material;
use carom::prelude::*;

/// Of the cloth between the cushions: a table of nine feet, in metres.
pub const TABLE: Vec2 = vec2(2.54, 1.27);
/// Of a ball, in metres.
pub const RADIUS: f32 = 0.028_575;
/// 0.17 kg over the disc that a ball is from above, in kg/m².
const DENSITY: f32 = 66.3;
/// Between the balls of the rack. At 0 they are one solid block for an instant: who is struck first
/// is then a question of order, not of physics.
const GAP: f32 = 0.000_2;
/// Of the break, in m/s.
const CUE_SPEED: f32 = 7.0;

/// Four cushions that give everything back.
///
/// # Errors
/// Numbers that the world refuses: none of these.
pub fn cushions(world: &mut World) -> Result<(), Error> {
    let half = TABLE / 2.0;
    let corners = [half, vec2(-half.x, half.y), -half, vec2(half.x, -half.y)];
    world.add(BodyDef::fixed().shape(Shape::closed_chain(&corners)).material(Material::elastic()))?;
    Ok(())
}

/// The cue ball on its way, then the rack, row by row.
///
/// # Errors
/// Numbers that the world refuses: none of these.
pub fn balls(world: &mut World) -> Result<Vec<BodyId>, Error> {
    let ball = |at: Vec2| {
        let disc = BodyDef::dynamic().at(at).shape(Shape::circle(RADIUS));
        disc.material(Material::elastic()).density(DENSITY)
    };
    // A little off the middle, or the break would be its own mirror image.
    let mut balls = vec![world.add(ball(vec2(-0.3 * TABLE.x, 0.006)).velocity([CUE_SPEED, 0.0]))?];
    let pitch = 2.0 * RADIUS + GAP;
    for row in 0..5 {
        for place in 0..=row {
            let x = 0.22 * TABLE.x + 3.0_f32.sqrt() / 2.0 * pitch * row as f32;
            balls.push(world.add(ball(vec2(x, pitch * (place as f32 - row as f32 / 2.0))))?);
        }
    }
    Ok(balls)
}
