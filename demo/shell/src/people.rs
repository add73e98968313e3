//! What scenes of crowds share: worlds seen from above, walls, and errors as the page takes them.

use carom::Error;
use carom::prelude::*;
use carom_nav::crowd::CrowdError;

/// A world seen from above.
#[must_use]
pub fn from_above() -> World {
    World::new(WorldDef::default().gravity([0.0, 0.0]))
}

/// Adds boxes that stand: middle and size of each.
///
/// # Errors
/// A size that is none.
pub fn walls(world: &mut World, boxes: &[([f32; 2], [f32; 2])]) -> Result<(), Error> {
    for (at, [width, height]) in boxes {
        world.add(BodyDef::fixed().at(*at).shape(Shape::rect(*width, *height)))?;
    }
    Ok(())
}

/// What a crowd refused, as the world would.
#[must_use]
pub fn refused(error: CrowdError) -> Error {
    match error {
        CrowdError::BadNumber(rule) => Error::BadNumber(rule),
        _ => Error::BadNumber("a crowd has the agents that it is told of"),
    }
}
