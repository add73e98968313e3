//! The level: what stands where.
//!
//! ```text
//!   |      ===            rope                            ===  coin
//!   |   ===      [][]       |                    guard  ===      |>
//!   |____________[][]__     |      _______________o____________o_|__|
//!                      |~~~~~~~~~~|
//!                      |__________|   water with crates in it
//! ```

use carom::prelude::*;
use carom::{Area, Error, Filter};

/// Categories of filters.
pub(crate) const LAND: u64 = 1;
pub(crate) const HERO: u64 = 2;
pub(crate) const GUARD: u64 = 4;
pub(crate) const ROPE: u64 = 8;

/// Where the hero starts.
pub const START: Vec2 = vec2(-8.0, 1.0);
/// Where the level ends.
pub const LEFT: f32 = -12.0;
/// And on the right.
pub const RIGHT: f32 = 44.0;
/// The foot of the flag: who reaches it has won.
pub const FLAG: Vec2 = vec2(41.0, 0.0);
/// Height of the surface of the water.
pub const SURFACE: f32 = -0.5;

/// Where the water is, from left to right.
pub(crate) const POOL: [f32; 2] = [9.0, 18.0];
const POOL_FLOOR: f32 = -4.0;
/// What the rope hangs from.
pub const ROPE_TOP: Vec2 = vec2(13.5, 7.0);
/// So many that a jump from the bank, or out of the water, reaches its end.
const ROPE_LINKS: usize = 11;
pub(crate) const LINK: f32 = 0.5;
const COINS: [Vec2; 7] = [
    vec2(-5.0, 2.6),
    vec2(-2.0, 4.0),
    vec2(5.6, 2.9),
    vec2(13.5, -2.8),
    vec2(13.5, 4.4),
    vec2(26.0, 4.0),
    vec2(33.0, 3.0),
];

/// The world as it is when the game begins, and the bodies that the game asks for again.
#[derive(Clone, Debug)]
pub struct Level {
    /// Everything.
    pub world: World,
    /// The links of the rope, from the top down.
    pub rope: Vec<BodyId>,
    /// Sensors to be picked up.
    pub coins: Vec<BodyId>,
    /// The sensor that is the water.
    pub water: BodyId,
    /// The sensor at the end.
    pub flag: BodyId,
}

impl Level {
    /// Builds it.
    ///
    /// # Errors
    /// None, unless a number of this file is changed to one that a world refuses.
    pub fn new() -> Result<Level, Error> {
        let mut world = World::default();
        let block = |from: [f32; 2], to: [f32; 2]| {
            let (from, to) = (Vec2::from(from), Vec2::from(to));
            let size = to - from;
            BodyDef::fixed().at((from + to) / 2.0).shape(Shape::rect(size.x, size.y))
        };
        // The ground on both sides of the water, its floor, and the walls at the ends.
        world.add(block([LEFT, -5.0], [POOL[0], 0.0]))?;
        world.add(block([POOL[0], -5.0], [POOL[1], POOL_FLOOR]))?;
        world.add(block([POOL[1], -5.0], [RIGHT, 0.0]))?;
        world.add(block([LEFT - 1.0, -5.0], [LEFT, 12.0]))?;
        world.add(block([RIGHT, -5.0], [RIGHT + 1.0, 12.0]))?;
        // A hill to walk over.
        let hill = [vec2(20.0, 0.0), vec2(24.0, 0.0), vec2(23.0, 0.9), vec2(21.5, 0.9)];
        world.add(BodyDef::fixed().shape(Shape::polygon(&hill)))?;
        for at in [vec2(-5.0, 1.5), vec2(-2.0, 2.9), vec2(26.0, 2.0), vec2(29.0, 3.4)] {
            let ledge = ShapeDef::from(Shape::rect(2.2, 0.2)).one_way([0.0, 1.0]);
            world.add(BodyDef::fixed().at(at).shape(ledge))?;
        }
        // Wood: it can be pushed about on land, and floats.
        let crate_ =
            |x: f32, y: f32| BodyDef::dynamic().at([x, y]).shape(Shape::rect(0.8, 0.8)).density(400.0);
        for at in [[5.2, 0.4], [6.0, 0.4], [5.6, 1.2], [10.5, 0.4], [15.5, 0.4], [31.0, 0.4]] {
            world.add(crate_(at[0], at[1]))?;
        }
        let water = water(&mut world)?;
        let rope = rope(&mut world)?;
        let sensor = |at: Vec2, shape: Shape| BodyDef::fixed().at(at).shape(ShapeDef::from(shape).sensor());
        let coins = COINS.iter().map(|&at| world.add(sensor(at, Shape::circle(0.3))));
        let coins = coins.collect::<Result<_, Error>>()?;
        let flag = world.add(sensor(FLAG + Vec2::Y, Shape::rect(0.4, 2.0)))?;
        Ok(Level { world, rope, coins, water, flag })
    }
}

/// A pool that what is lighter than water floats in.
fn water(world: &mut World) -> Result<BodyId, Error> {
    let size = vec2(POOL[1] - POOL[0], SURFACE - POOL_FLOOR);
    let pool = ShapeDef::from(Shape::rect(size.x, size.y)).sensor();
    let middle = vec2((POOL[0] + POOL[1]) / 2.0, (SURFACE + POOL_FLOOR) / 2.0);
    let body = world.add(BodyDef::fixed().at(middle).shape(pool))?;
    let (sensor, _) = world.shapes_of(body).next().expect("it has a shape");
    world.set_area(sensor, Some(Area::fluid(1000.0, SURFACE - middle.y)))?;
    Ok(body)
}

/// Links that hang from a point of the ceiling. They swing through everything else.
fn rope(world: &mut World) -> Result<Vec<BodyId>, Error> {
    let (mut links, mut above) = (Vec::new(), None);
    let filter = Filter { category: ROPE, mask: 0, group: 0 };
    for k in 0..ROPE_LINKS {
        let top = ROPE_TOP - vec2(0.0, LINK * k as f32);
        let shape = Shape::capsule([0.0, 0.0], [0.0, -LINK], 0.06);
        let link = BodyDef::dynamic().at(top).shape(shape).density(60.0).filter(filter);
        let link = world.add(link.damping(0.3, 1.0))?;
        world.add_joint(JointDef::revolute(above, link).at(top))?;
        (above, links) = (Some(link), [links, vec![link]].concat());
    }
    Ok(links)
}
