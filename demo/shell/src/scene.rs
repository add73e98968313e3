//! What a scene is: worlds, what the page says of them, and who plays them.
//!
//! In: how many things the page wants. Out: a [`Scene`], with the player who plays it. Each module
//! of the page has a list of scenes: `demo/src/scenes`, `demo/nav/src`, `demo/film/src`.

use carom::Error;
use carom::prelude::*;

use crate::commands::Commands;
use crate::keys::Keys;

/// Builds a scene of a file.
pub type Open = fn(&[u8]) -> Result<Scene, String>;

/// What the page says of a scene, and how it is built.
pub struct Info {
    /// In the page's address.
    pub name: &'static str,
    /// On the page.
    pub title: &'static str,
    /// What to look at.
    pub hint: &'static str,
    /// What the slider counts,
    pub counted: &'static str,
    /// its least, first and greatest number.
    pub count: [u32; 3],
    /// Lower left and upper right corner of what is to be seen.
    pub view: [Vec2; 2],
    /// Steps a second.
    pub hertz: f32,
    /// What the keys of the player do: `left right jump`, `turn thrust`, or nothing.
    pub keys: &'static str,
    /// What its naive way is called, that it can be switched to; or nothing.
    pub naive: &'static str,
    /// Whether gravity and sub-steps mean nothing here.
    pub plain: bool,
    /// Builds the scene of `count` things.
    pub build: fn(u32) -> Result<Scene, Error>,
    /// Builds it of a file, where it plays files.
    pub open: Option<Open>,
}

/// What most scenes share.
pub const PLAIN: Info = Info {
    name: "",
    title: "",
    hint: "",
    counted: "",
    count: [1, 1, 1],
    view: [vec2(-10.0, 0.0), vec2(10.0, 10.0)],
    hertz: 60.0,
    keys: "",
    naive: "",
    plain: false,
    open: None,
    build: |_| Err(Error::BadNumber("a scene has to be built")),
};

/// A world, and where the page sees it.
pub struct Place {
    /// Its bodies are drawn.
    pub world: World,
    /// What it is built around.
    pub origin: WorldPoint,
    /// Where the page draws that.
    pub shift: Vec2,
}

impl Place {
    /// What the page draws at (0, 0).
    pub fn home(&self) -> WorldPoint {
        self.origin.offset(-self.shift)
    }

    /// Where a point of the page is in the world.
    pub fn point(&self, point: Vec2) -> WorldPoint {
        self.home().offset(point)
    }
}

/// Worlds, most often one, and who plays them.
pub struct Scene {
    /// Whose bodies are drawn.
    pub places: Vec<Place>,
    /// Who plays them.
    pub play: Box<dyn Play>,
    /// What is to be seen, if it is not what the [`Info`] says.
    pub view: Option<[Vec2; 2]>,
}

impl Scene {
    /// A world around the origin.
    pub fn new(world: World, play: impl Play + 'static) -> Scene {
        let place = Place { world, origin: WorldPoint::ORIGIN, shift: Vec2::ZERO };
        Scene { places: vec![place], play: Box::new(play), view: None }
    }
}

/// What the page does to a scene.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input {
    /// What a player holds down.
    pub keys: Keys,
    /// Whether the page changed anything since the scene began.
    pub touched: bool,
    /// Whether it is to go the naive way.
    pub naive: bool,
}

/// The steps that one can go to, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Timeline {
    /// The first step.
    pub first: u64,
    /// The last step.
    pub last: u64,
    /// Where it stands.
    pub now: u64,
    /// A step that something happened in.
    pub mark: Option<u64>,
}

/// Who plays a scene.
pub trait Play {
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

    /// A body that the page always draws at the same place, and where: the view goes with it.
    fn anchor(&self) -> Option<(BodyId, Vec2)> {
        None
    }

    /// The hand came down where there is no body; false if that means nothing here.
    fn press(&mut self, _places: &mut [Place], _point: Vec2) -> bool {
        false
    }

    /// After [`Play::press`]: the hand moved to a point.
    fn draw_to(&mut self, _places: &mut [Place], _point: Vec2) {}

    /// Whether presses are for the player, even where a body is.
    fn takes_presses(&self) -> bool {
        false
    }

    /// The pointer is at a point, and nothing is pressed.
    fn hover(&mut self, _places: &mut [Place], _point: Vec2) {}

    /// The naive way was switched to, or back.
    fn set_naive(&mut self, _places: &mut [Place], _on: bool) {}

    /// Before each frame: what can be done beside the steps.
    fn work(&mut self, _places: &mut [Place]) {}

    /// Which steps one can go to, if any.
    fn timeline(&self) -> Option<Timeline> {
        None
    }

    /// Goes to a step; false if that means nothing here.
    fn seek(&mut self, _places: &mut [Place], _step: u64) -> bool {
        false
    }

    /// What the scene can be kept as, a file.
    fn keep(&self, _places: &[Place]) -> Option<Vec<u8>> {
        None
    }

    /// Of the world, and of what the player has beside it.
    fn hash(&self, places: &[Place]) -> u64 {
        places[0].world.hash()
    }

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
pub const DT: f32 = 1.0 / 60.0;

/// Nobody: the scene goes on by itself.
pub struct Still;

impl Play for Still {}

/// Draws a body in a hue of the page.
pub fn hue(def: BodyDef, hue: usize) -> BodyDef {
    def.user_data(1 + hue as u64)
}
