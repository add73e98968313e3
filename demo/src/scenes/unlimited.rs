//! The same tower at the origin and a million regions away, side by side: the same bits.

use carom::prelude::*;
use carom::{Error, IVec2};
use core::fmt::Write as _;

use demo_shell::geometry::Fnv;
use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, hue};

pub(super) static SCENE: Info = Info {
    name: "unlimited",
    title: "Unlimited",
    hint: "Left at the origin; right a million regions away, where numbers of 32 bits are 64 m apart. The bits are \
           equal all the same. Drag on either side: both get the same pull.",
    counted: "storeys",
    count: [3, 12, 24],
    view: [vec2(-15.0, -2.5), vec2(15.0, 17.0)],
    build,
    ..PLAIN
};

const FAR: IVec2 = IVec2::new(1_000_000, -1_000_000);
/// Where the towers are drawn.
const APART: f32 = 7.5;

fn build(storeys: u32) -> Result<Scene, Error> {
    let place = |region, shift| -> Result<Place, Error> {
        let origin = WorldPoint::new(region, Vec2::ZERO);
        Ok(Place { world: towers(origin, storeys)?, origin, shift: vec2(shift, 0.0) })
    };
    let places = vec![place(IVec2::ZERO, -APART)?, place(FAR, APART)?];
    Ok(Scene { places, play: Box::new(Twins), view: None })
}

fn towers(origin: WorldPoint, storeys: u32) -> Result<World, Error> {
    let mut world = World::default();
    let at = |x: f32, y: f32| origin.offset(vec2(x, y));
    world.add(BodyDef::fixed().at(at(0.0, -0.5)).shape(Shape::rect(14.0, 1.0)))?;
    // What falls over stays in sight.
    for end in [-6.9, 6.9] {
        world.add(BodyDef::fixed().at(at(end, 0.5)).shape(Shape::rect(0.2, 1.0)))?;
    }
    for storey in 0..storeys {
        let floor = 1.2 * storey as f32;
        for side in [-1.0, 1.0] {
            let post = BodyDef::dynamic().at(at(1.2 * side, floor + 0.5)).shape(Shape::rect(0.3, 1.0));
            world.add(hue(post, 0))?;
        }
        let beam = BodyDef::dynamic().at(at(0.0, floor + 1.1)).shape(Shape::rect(3.2, 0.2));
        world.add(hue(beam, 1 + storey as usize % 5))?;
    }
    let ball = BodyDef::dynamic().at(at(-6.0, 0.8)).velocity([9.0, 6.0]).shape(Shape::circle(0.5));
    world.add(hue(ball.density(2.0), 5))?;
    Ok(world)
}

struct Twins;

impl Twins {
    /// Over all that a body is, as seen from where its world was built.
    fn bits(place: &Place) -> u64 {
        let mut hash = Fnv::default();
        for (_, body) in place.world.bodies() {
            let (at, turn) = (place.origin.to(body.world_position()), body.rotation());
            let (way, spin) = (body.velocity(), body.angular_velocity());
            for number in [at.x, at.y, turn.cos, turn.sin, way.x, way.y, spin] {
                hash.add(u64::from(number.to_bits()));
            }
        }
        hash.0
    }
}

impl Play for Twins {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        for place in places {
            place.world.step(DT)?;
        }
        Ok(())
    }

    fn overlay(&self, _places: &[Place], out: &mut Commands) {
        out.put_line(Ink::Soft, vec2(0.0, -1.0), vec2(0.0, 15.0));
        out.put_words(Ink::Plain, vec2(-APART, -1.6), "at the origin");
        out.put_words(Ink::Plain, vec2(APART, -1.6), "1,024,000 km away");
    }

    fn report(&self, places: &[Place], out: &mut String) {
        let [near, far] = [Twins::bits(&places[0]), Twins::bits(&places[1])];
        let mark = if near == far { "good" } else { "bad" };
        let _ = writeln!(out, "poses and speeds here\t{near:016x}");
        let _ = writeln!(out, "poses and speeds there\t{far:016x}\t{mark}");
        let _ = writeln!(out, "bits\t{}\t{mark}", if near == far { "equal" } else { "differ" });
    }
}
