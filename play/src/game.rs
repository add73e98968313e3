//! One step of the game, and what came of it.

use carom::Error;
use carom::prelude::*;

use crate::guards::{Guard, GuardState, Guards};
use crate::hero::{HALF_LENGTH, Hero, RADIUS};
use crate::level::{Level, POOL, START, SURFACE};
use crate::{DT, FLAG};

/// Which keys are down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// To the left.
    pub left: bool,
    /// To the right.
    pub right: bool,
    /// Up: takes the rope, climbs it, swims up.
    pub up: bool,
    /// Down: drops through a ledge, climbs down, dives.
    pub down: bool,
    /// Jumps; lets go of the rope.
    pub jump: bool,
}

impl Keys {
    /// -1 for left, 1 for right.
    #[must_use]
    pub fn across(self) -> f32 {
        f32::from(self.right) - f32::from(self.left)
    }

    /// -1 for down, 1 for up.
    #[must_use]
    pub fn along(self) -> f32 {
        f32::from(self.up) - f32::from(self.down)
    }
}

/// What happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// A coin was taken.
    Coin,
    /// A guard has the hero, who is back at the start.
    Caught,
    /// A guard was jumped upon.
    Squashed,
    /// The flag was reached.
    Won,
}

/// The whole game.
#[derive(Clone, Debug)]
pub struct Game {
    /// What stands where.
    pub level: Level,
    /// The character.
    pub hero: Hero,
    /// Coins taken, and times caught.
    pub score: [u32; 2],
    /// Whether the flag was reached.
    pub won: bool,
    guards: Guards,
}

impl Game {
    /// A new one.
    ///
    /// # Errors
    /// Those of [`Level::new`].
    pub fn new() -> Result<Game, Error> {
        let mut level = Level::new()?;
        let hero = Hero::new(&mut level.world)?;
        let guards = Guards::new(&mut level.world)?;
        Ok(Game { level, hero, guards, score: [0; 2], won: false })
    }

    /// The guards that are left, and what each is up to.
    pub fn guards(&self) -> impl Iterator<Item = (&Guard, GuardState)> {
        self.guards.all.iter().map(|guard| (guard, self.guards.state(guard)))
    }

    /// Where the hero is.
    #[must_use]
    pub fn place(&self) -> Vec2 {
        self.level.world[self.hero.body].position()
    }

    /// Whether the hero swims.
    #[must_use]
    pub fn swims(&self) -> bool {
        let at = self.place();
        at.y < SURFACE + 0.2 && (POOL[0]..POOL[1]).contains(&at.x)
    }

    /// One step; what happened goes into `news`.
    ///
    /// # Errors
    /// None that a game can come to.
    pub fn step(&mut self, keys: Keys, news: &mut Vec<News>) -> Result<(), Error> {
        let swims = self.swims();
        self.hero.drive(&mut self.level, keys, swims)?;
        self.guards.drive(&mut self.level.world)?;
        self.level.world.step(DT)?;
        self.pick_up(news)?;
        self.meet_guards(news)
    }

    fn pick_up(&mut self, news: &mut Vec<News>) -> Result<(), Error> {
        let hero = self.hero.body;
        let entered = self.level.world.events().entered();
        let met: Vec<BodyId> = entered
            .iter()
            .filter(|event| event.visitor_body == hero)
            .map(|event| event.sensor_body)
            .collect();
        for body in met {
            if let Some(index) = self.level.coins.iter().position(|&coin| coin == body) {
                self.level.coins.swap_remove(index);
                self.level.world.remove(body)?;
                self.score[0] += 1;
                news.push(News::Coin);
            } else if body == self.level.flag && !self.won {
                self.won = true;
                news.push(News::Won);
            }
        }
        Ok(())
    }

    fn meet_guards(&mut self, news: &mut Vec<News>) -> Result<(), Error> {
        let feet = self.place() - vec2(0.0, HALF_LENGTH + RADIUS);
        let falls = self.hero.velocity().y < -1.0;
        if let (true, Some(index)) = (falls, self.guards.under(&self.level.world, feet)) {
            self.guards.remove(&mut self.level.world, index)?;
            self.hero.bounce();
            news.push(News::Squashed);
        }
        if self.guards.notice(&self.level.world) && !self.won {
            self.hero.put(&mut self.level.world, START)?;
            self.score[1] += 1;
            news.push(News::Caught);
        }
        Ok(())
    }

    /// How far it is to the flag.
    #[must_use]
    pub fn to_go(&self) -> f32 {
        FLAG.x - self.place().x
    }
}
