//! A level for a character: slope, stairs, a gap with a lift, a one-way ledge, and a crate.
//!
//! In: the shape of the character. Out: the world with it. The example `mover` plays a script in
//! it, the demo a player.
//!
//! ```text
//!                               ~~~~ ________
//!    one-way            ________lift|        \__
//!     -----          __|            |           \__       crate
//!            slope __|  stairs      |              \________[]____|
//!   ___________.--'                 |
//! ```

use carom::prelude::*;

/// Full size of the lift.
pub const LIFT: Vec2 = vec2(2.4, 0.3);

/// Corners of the ground's surface up to the stairs.
const GROUND: [[f32; 2]; 4] = [[-4.0, 0.0], [2.0, 0.0], [5.0, 1.7], [6.0, 1.7]];
/// Stairs: where they begin, and how many there are.
const STAIRS: (Vec2, usize) = (vec2(6.0, 1.7), 6);
const TREAD: f32 = 0.35;
const RISER: f32 = 0.22;

/// A world, and what is moved in it.
pub struct Level {
    /// With all of the level in it.
    pub world: World,
    /// The character: kinematic, moved by a mover.
    pub hero: BodyId,
    /// Kinematic too; [`lift_at`] says where it is to be.
    pub lift: BodyId,
    /// Dynamic, to be pushed.
    pub crate_: BodyId,
}

/// The surface of the ground before the gap, and that after it.
pub fn surfaces() -> [Vec<Vec2>; 2] {
    let mut before: Vec<Vec2> = GROUND.map(Vec2::from).to_vec();
    let (start, count) = STAIRS;
    for k in 0..count {
        let corner = start + vec2(TREAD * k as f32, RISER * (k + 1) as f32);
        before.extend([corner, corner + vec2(TREAD, 0.0)]);
    }
    before.push(vec2(10.0, 3.02));
    let after = vec![vec2(13.0, 4.2), vec2(16.0, 4.2), vec2(19.0, 2.0), vec2(27.0, 2.0), vec2(27.0, 5.0)];
    [before, after]
}

/// The level with the body of a mover in it.
///
/// # Errors
/// Numbers that the world refuses: none of these.
pub fn level(mover: &Mover) -> Result<Level, Error> {
    let mut world = World::new(WorldDef::default());
    for surface in surfaces() {
        world.add(BodyDef::fixed().shape(Shape::chain(&surface)))?;
    }
    let ledge = ShapeDef::from(Shape::rect(2.0, 0.15)).one_way([0.0, 1.0]);
    world.add(BodyDef::fixed().at([-1.5, 1.4]).shape(ledge))?;
    let lift = world.add(BodyDef::kinematic().at(lift_at(0)).shape(Shape::rect(LIFT.x, LIFT.y)))?;
    let crate_ = BodyDef::dynamic().at([22.0, 2.4]).shape(Shape::rect(0.8, 0.8)).density(60.0);
    let crate_ = world.add(crate_)?;
    let hero = BodyDef::kinematic().at([-1.5, 0.92]).shape(mover.def().shape.clone());
    let hero = world.add(hero)?;
    Ok(Level { world, hero, lift, crate_ })
}

/// Where the lift's middle is to be at a step: it waits for the character, and takes it up and
/// over.
pub fn lift_at(step: usize) -> Vec2 {
    lift_along((step as f32 - 400.0) / 120.0)
}

/// Where the lift's middle is after a share of its way, begun and ended slowly.
pub fn lift_along(way: f32) -> Vec2 {
    let way = way.clamp(0.0, 1.0);
    let eased = way * way * (3.0 - 2.0 * way);
    vec2(11.25 + 0.5 * eased, 2.87 + 1.18 * eased)
}
