//! One who plays the whole level, for pictures and tests: up the ledges and down through them, over
//! the crates, along the rope, under water, and past the guards to the flag.
//!
//! In: the game as it stands. Out: the keys of the next step. The same game gets the same keys.

use crate::level::POOL;
use crate::{Game, Keys, News};

/// A part of the way. Answers keys until it is over.
type Leg = fn(&Game, u32) -> Option<Keys>;

/// The parts, by the names that pictures of them have.
const LEGS: [(&str, Leg); 7] = [
    ("ledges", ledges),
    ("drop", drop_down),
    ("crates", crates),
    ("rope", rope),
    ("swing", swing),
    ("water", water),
    ("guards", guards),
];

/// Steps that a plan looks ahead, and after which it is made anew.
const AHEAD: u32 = 100;
const RENEW: u32 = 6;

/// Where one is on the way.
#[derive(Clone, Debug, Default)]
pub struct Tour {
    leg: usize,
    /// Steps since the part began.
    since: u32,
    plan: Keys,
}

impl Tour {
    /// The name of the part that is played; `None` when all are over.
    #[must_use]
    pub fn leg(&self) -> Option<&'static str> {
        LEGS.get(self.leg).map(|(name, _)| *name)
    }

    /// The keys of the next step.
    pub fn keys(&mut self, game: &Game) -> Keys {
        while let Some((name, leg)) = LEGS.get(self.leg) {
            // A plan holds for a few steps.
            if *name == "guards" && !self.since.is_multiple_of(RENEW) && !game.won {
                self.since += 1;
                return self.plan;
            }
            if let Some(keys) = leg(game, self.since) {
                self.since += 1;
                self.plan = keys;
                return keys;
            }
            (self.leg, self.since) = (self.leg + 1, 0);
        }
        Keys::default()
    }
}

/// Runs to a place.
fn run(game: &Game, x: f32) -> Keys {
    let way = x - game.place().x;
    Keys { left: way < -0.15, right: way > 0.15, ..Keys::default() }
}

/// Held for half of the time, so that it is pressed anew.
fn presses(since: u32) -> bool {
    since % 40 < 24
}

/// From one ledge to the next, each over the coin that hangs above it.
fn ledges(game: &Game, since: u32) -> Option<Keys> {
    let at = game.place();
    if game.hero.stands() && at.y > 3.5 && (at.x + 2.0).abs() < 0.2 {
        return None;
    }
    let target = if at.y > 2.0 && at.x > -5.2 { -2.0 } else { -5.0 };
    let near = at.y > 2.0 && at.x > -4.4 || (at.x + 5.0).abs() < 0.4;
    Some(Keys { jump: near && at.y < 3.6 && presses(since), ..run(game, target) })
}

/// Down through the ledge.
fn drop_down(game: &Game, since: u32) -> Option<Keys> {
    (since < 60 && game.place().y > 1.0).then(|| Keys { down: true, ..Keys::default() })
}

/// Onto the stack of crates, and over it.
fn crates(game: &Game, since: u32) -> Option<Keys> {
    let at = game.place();
    if at.x > 7.0 && game.hero.stands() && at.y < 1.0 {
        return None;
    }
    Some(Keys { jump: at.x > 3.6 && presses(since), ..run(game, 7.5) })
}

/// A jump from the bank, and the rope is taken.
fn rope(game: &Game, _since: u32) -> Option<Keys> {
    if game.hero.hangs() || game.swims() {
        return None;
    }
    Some(Keys { right: true, up: true, jump: game.place().x > POOL[0] - 0.5, ..Keys::default() })
}

/// Up the rope to the coin, swinging.
fn swing(game: &Game, since: u32) -> Option<Keys> {
    if !game.hero.hangs() {
        return None;
    }
    let way = game.hero.velocity().x;
    let swung = since > 300 && way > 1.5 && game.place().x > 14.0;
    Some(Keys { up: since < 140, left: way < -0.1, right: way > 0.1, jump: swung, ..Keys::default() })
}

/// Down to the coin on the ground of the pool, and out on the other side.
fn water(game: &Game, since: u32) -> Option<Keys> {
    let at = game.place();
    if at.x > POOL[1] && game.hero.stands() {
        return None;
    }
    if since < 200 && !game.swims() && at.x < POOL[1] - 0.5 {
        return Some(run(game, 13.5));
    }
    if since < 260 {
        return Some(Keys { down: true, ..run(game, 13.5) });
    }
    Some(Keys { up: true, jump: presses(since), ..run(game, POOL[1] + 1.5) })
}

/// Past the guards: of a few ways to go on, the one that ends best.
fn guards(game: &Game, _since: u32) -> Option<Keys> {
    if game.won {
        return None;
    }
    let keys = |left, right, jump| Keys { left, right, jump, ..Keys::default() };
    let ways = [
        keys(false, true, false),
        keys(false, true, true),
        keys(false, false, false),
        keys(false, false, true),
        keys(true, false, false),
        keys(true, false, true),
    ];
    let mut best = (f32::NEG_INFINITY, ways[0]);
    for way in ways {
        let worth = outcome(game, way);
        if worth > best.0 {
            best = (worth, way);
        }
    }
    Some(best.1)
}

/// How a game ends in which keys are held for a moment, and then one runs on.
fn outcome(game: &Game, keys: Keys) -> f32 {
    let (mut game, mut news) = (game.clone(), Vec::new());
    let begin = game.place().x;
    for step in 0..AHEAD {
        let keys = if step < 4 * RENEW { keys } else { Keys { right: true, jump: false, ..keys } };
        let keys = if step < 4 * RENEW { keys } else { Keys { left: false, ..keys } };
        if game.step(keys, &mut news).is_err() {
            return f32::NEG_INFINITY;
        }
    }
    let worth = |what: &News| match what {
        News::Caught => -1000.0,
        News::Squashed => 6.0,
        News::Coin => 8.0,
        News::Won => 50.0,
    };
    game.place().x - begin + news.iter().map(worth).sum::<f32>()
}
