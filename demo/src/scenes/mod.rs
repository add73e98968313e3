//! The scenes, a file each.
//!
//! In: how many things the page wants. Out: a [`Scene`], with the player who plays it. To add one:
//! a file with a `SCENE`, and its line in [`ALL`].

mod circles;
mod conveyor;
mod determinism;
mod joints;
mod pile;
mod platformer;
mod pyramid;
mod ragdolls;
mod ships;
mod table;
mod tilemap;
mod tumbler;
mod unlimited;
mod water;

use carom::Error;
use carom::prelude::*;

use crate::commands::Commands;
use crate::keys::Keys;

/// What the page says of a scene, and how it is built.
pub(crate) struct Info {
    /// In the page's address.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// What to look at.
    pub(crate) hint: &'static str,
    /// What the slider counts,
    pub(crate) counted: &'static str,
    /// its least, first and greatest number.
    pub(crate) count: [u32; 3],
    /// Lower left and upper right corner of what is to be seen.
    pub(crate) view: [Vec2; 2],
    /// Steps a second.
    pub(crate) hertz: f32,
    /// What the keys of the player do: `left right jump`, `turn thrust`, or nothing.
    pub(crate) keys: &'static str,
    pub(crate) build: fn(u32) -> Result<Scene, Error>,
}

/// What most scenes share.
const PLAIN: Info = Info {
    name: "",
    title: "",
    hint: "",
    counted: "",
    count: [1, 1, 1],
    view: [vec2(-10.0, 0.0), vec2(10.0, 10.0)],
    hertz: 60.0,
    keys: "",
    build: |_| Err(Error::BadNumber("a scene has to be built")),
};

/// In the order of the page.
pub(crate) static ALL: [&Info; 14] = [
    &pyramid::SCENE,
    &pile::SCENE,
    &tumbler::SCENE,
    &ragdolls::SCENE,
    &joints::SCENE,
    &platformer::SCENE,
    &conveyor::SCENE,
    &ships::SCENE,
    &table::SCENE,
    &water::SCENE,
    &tilemap::SCENE,
    &circles::SCENE,
    &determinism::SCENE,
    &unlimited::SCENE,
];

/// A world, and where the page sees it.
pub(crate) struct Place {
    pub(crate) world: World,
    /// What it is built around.
    pub(crate) origin: WorldPoint,
    /// Where the page draws that.
    pub(crate) shift: Vec2,
}

impl Place {
    /// What the page draws at (0, 0).
    pub(crate) fn home(&self) -> WorldPoint {
        self.origin.offset(-self.shift)
    }

    /// Where a point of the page is in the world.
    pub(crate) fn point(&self, point: Vec2) -> WorldPoint {
        self.home().offset(point)
    }
}

/// Worlds, most often one, and who plays them.
pub(crate) struct Scene {
    pub(crate) places: Vec<Place>,
    pub(crate) play: Box<dyn Play>,
    /// What is to be seen, if it is not what the [`Info`] says.
    pub(crate) view: Option<[Vec2; 2]>,
}

impl Scene {
    fn new(world: World, play: impl Play + 'static) -> Scene {
        let place = Place { world, origin: WorldPoint::ORIGIN, shift: Vec2::ZERO };
        Scene { places: vec![place], play: Box::new(play), view: None }
    }
}

/// What the page does to a scene.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Input {
    pub(crate) keys: Keys,
    /// Whether the page changed anything since the scene began.
    pub(crate) touched: bool,
}

/// Who plays a scene.
pub(crate) trait Play {
    /// One step.
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        for place in places {
            place.world.step(DT)?;
        }
        Ok(())
    }

    /// Draws what is not a body.
    fn overlay(&self, _places: &[Place], _out: &mut Commands) {}

    /// Lines for the page: a name, a tab, a value; and after another tab `good`, `bad`, or the hue
    /// of a mark.
    fn report(&self, _places: &[Place], _out: &mut String) {}

    /// What a narrow page keeps in sight.
    fn focus(&self, _places: &[Place]) -> Option<Vec2> {
        None
    }

    /// The hand came down where there is no body; false if that means nothing here.
    fn press(&mut self, _places: &mut [Place], _point: Vec2) -> bool {
        false
    }

    /// After [`Play::press`]: the hand moved to a point.
    fn draw_to(&mut self, _places: &mut [Place], _point: Vec2) {}

    /// Another number whenever shapes changed in ways that only the player knows of.
    fn drawing(&self) -> u64 {
        0
    }

    /// Whether bodies and shapes come, go and change, so that their outlines have to be compared.
    fn reshapes(&self) -> bool {
        false
    }
}

/// The step of most scenes.
const DT: f32 = 1.0 / 60.0;

/// Nobody: the scene goes on by itself.
struct Still;

impl Play for Still {}

/// Draws a body in a hue of the page.
fn hue(def: BodyDef, hue: usize) -> BodyDef {
    def.user_data(1 + hue as u64)
}
