//! The character: a kinematic body that a [`Mover`] leads over land and through water, and a
//! dynamic one while it hangs on the rope.

use carom::prelude::*;
use carom::{Error, Filter, Locks, MoverDef, Stride};

use crate::level::{GUARD, HERO, LINK, Level, ROPE, START, SURFACE};
use crate::{DT, Keys};

/// Radius of the capsule.
pub const RADIUS: f32 = 0.3;
/// Half of the capsule's middle line.
pub const HALF_LENGTH: f32 = 0.5;

const RUN: f32 = 5.5;
const JUMP: f32 = 8.0;
const GRAVITY: f32 = 18.0;
/// How long after leaving the ground one may still jump, in steps: who runs off an edge and presses
/// the key a moment late does not want to fall.
const GRACE: u32 = 6;
/// How long before landing a jump may be asked for, in steps.
const EARLY: u32 = 6;
const SWIM: f32 = 3.0;
/// How near the rope is to be taken, and how long after letting go it is not, in steps.
const GRASP: f32 = 0.7;
const LET_GO: u32 = 30;
const CLIMB: f32 = 1.6;
/// Links from the top that are not to be held: there is nothing to swing on.
const TOP: usize = 4;

/// The character.
#[derive(Clone, Debug)]
pub struct Hero {
    /// Its body.
    pub body: BodyId,
    mover: Mover,
    velocity: Vec2,
    /// Steps since it stood on something.
    airborne: u32,
    /// Steps since the key for jumping was pressed, and whether it is still down.
    asked: u32,
    held: bool,
    /// Where it holds the rope while it hangs there.
    hold: Option<Hold>,
    /// Steps until it may take the rope again.
    free: u32,
}

/// A grip on the rope.
#[derive(Clone, Copy, Debug)]
struct Hold {
    joint: JointId,
    /// Which link, and how far below its upper end.
    link: usize,
    below: f32,
}

impl Hero {
    pub(crate) fn new(world: &mut World) -> Result<Hero, Error> {
        let shape = Shape::capsule([0.0, -HALF_LENGTH], [0.0, HALF_LENGTH], RADIUS);
        let mover = Mover::new(MoverDef::new(shape.clone()))?;
        let filter = Filter { category: HERO, mask: !(GUARD | ROPE), group: 0 };
        let def = BodyDef::kinematic().at(START).shape(shape).density(80.0).filter(filter);
        let body = world.add(def.locks(Locks::ROTATION))?;
        Ok(Hero {
            body,
            mover,
            velocity: Vec2::ZERO,
            airborne: GRACE,
            asked: EARLY,
            held: false,
            hold: None,
            free: 0,
        })
    }

    /// Whether it hangs on the rope.
    #[must_use]
    pub fn hangs(&self) -> bool {
        self.hold.is_some()
    }

    /// Whether it stands on something.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.airborne == 0 && !self.hangs()
    }

    /// How fast it goes.
    #[must_use]
    pub fn velocity(&self) -> Vec2 {
        self.velocity
    }

    /// Before a step of the world: what the keys ask for.
    pub(crate) fn drive(&mut self, level: &mut Level, keys: Keys, swims: bool) -> Result<(), Error> {
        self.asked = if keys.jump && !self.held { 0 } else { self.asked.saturating_add(1) };
        self.held = keys.jump;
        self.free = self.free.saturating_sub(1);
        if let Some(hold) = self.hold {
            return self.swing(level, hold, keys);
        }
        if self.take_rope(level, keys)? { Ok(()) } else { self.walk(&mut level.world, keys, swims) }
    }

    /// Puts it somewhere, at rest.
    pub(crate) fn put(&mut self, world: &mut World, at: Vec2) -> Result<(), Error> {
        self.let_go(world)?;
        world.teleport(self.body, at, 0.0)?;
        world.set_velocity(self.body, [0.0, 0.0])?;
        self.mover.forget();
        (self.velocity, self.airborne) = (Vec2::ZERO, GRACE);
        Ok(())
    }

    /// Off a head that it came down upon.
    pub(crate) fn bounce(&mut self) {
        self.velocity.y = 0.8 * JUMP;
        self.airborne = GRACE;
    }

    /// On land, in the air, in water.
    fn walk(&mut self, world: &mut World, keys: Keys, swims: bool) -> Result<(), Error> {
        let wanted = keys.across() * if swims { SWIM } else { RUN };
        let grip = if self.airborne == 0 { 0.8 } else { 0.35 };
        self.velocity.x += (wanted - self.velocity.x).clamp(-grip, grip);
        if swims {
            // Legs pull up and down; without them it rises slowly to where its head is out.
            let depth = SURFACE - world[self.body].position().y;
            let rise = SWIM * keys.along() + 2.0 * depth.clamp(-0.5, 0.5);
            self.velocity.y += (rise - self.velocity.y).clamp(-0.5, 0.5);
            if self.asked == 0 && depth < 0.5 {
                self.velocity.y = JUMP;
            }
        } else {
            self.velocity.y -= GRAVITY * DT;
            if self.asked < EARLY && self.airborne < GRACE {
                (self.velocity.y, self.airborne, self.asked) = (JUMP, GRACE, EARLY);
            } else if self.velocity.y > 0.0 && !keys.jump && self.airborne > 0 {
                // A short press is a low jump.
                self.velocity.y -= GRAVITY * DT;
            }
        }
        // Down drops through the ledge it stands on.
        let one_way = !keys.down;
        if self.mover.def().one_way != one_way {
            self.mover.set_def(MoverDef { one_way, ..self.mover.def().clone() })?;
        }
        let filter = QueryFilter::default().mask(!(GUARD | ROPE));
        let stride = Stride::new(self.velocity, DT).among(filter);
        let outcome = self.mover.move_body_by(world, self.body, &stride)?;
        self.velocity = outcome.velocity;
        self.airborne = if outcome.grounded() { 0 } else { self.airborne.saturating_add(1) };
        Ok(())
    }

    /// Takes the rope with the key for up, if a link is near. From then on forces move it.
    fn take_rope(&mut self, level: &mut Level, keys: Keys) -> Result<bool, Error> {
        let world = &level.world;
        let hands = world[self.body].position() + vec2(0.0, HALF_LENGTH);
        let distance = |link: usize| (world[level.rope[link]].position() - hands).length();
        let nearest = (TOP..level.rope.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        let Some(link) = nearest.filter(|&link| distance(link) < GRASP) else { return Ok(false) };
        if !keys.up || self.free > 0 {
            return Ok(false);
        }
        level.world.set_kind(self.body, BodyKind::Dynamic)?;
        level.world.set_velocity(self.body, self.velocity)?;
        let joint = self.grip(level, link, 0.0)?;
        self.hold = Some(Hold { joint, link, below: 0.0 });
        Ok(true)
    }

    fn grip(&self, level: &mut Level, link: usize, below: f32) -> Result<JointId, Error> {
        let hold = JointDef::revolute(level.rope[link], self.body);
        level.world.add_joint(hold.anchors([0.0, -below], [0.0, HALF_LENGTH]))
    }

    /// On the rope: legs push to and fro, hands climb, a jump lets go.
    fn swing(&mut self, level: &mut Level, mut hold: Hold, keys: Keys) -> Result<(), Error> {
        self.velocity = level.world[self.body].velocity();
        if self.asked == 0 || level.world.get_joint(hold.joint).is_none() {
            self.let_go(&mut level.world)?;
            self.velocity.y += 0.6 * JUMP;
            return Ok(());
        }
        if keys.along() != 0.0 {
            self.climb(level, &mut hold, -keys.along() * CLIMB * DT)?;
            self.hold = Some(hold);
        }
        let push = vec2(130.0 * keys.across(), 0.0);
        level.world.apply_force(self.body, push)
    }

    /// Moves the grip down the rope, or up: along its link, and then to the next one.
    fn climb(&mut self, level: &mut Level, hold: &mut Hold, down: f32) -> Result<(), Error> {
        let (first, last) = (hold.link == TOP, hold.link + 1 == level.rope.len());
        hold.below += down;
        if (0.0..=LINK).contains(&hold.below) || hold.below < 0.0 && first || hold.below > LINK && last {
            hold.below = hold.below.clamp(0.0, LINK);
            let below = hold.below;
            return level.world.change_joint(hold.joint, |joint| {
                *joint = joint.anchors([0.0, -below], [0.0, HALF_LENGTH]);
            });
        }
        let up = hold.below < 0.0;
        hold.link = if up { hold.link - 1 } else { hold.link + 1 };
        hold.below += if up { LINK } else { -LINK };
        level.world.remove_joint(hold.joint)?;
        hold.joint = self.grip(level, hold.link, hold.below)?;
        Ok(())
    }

    fn let_go(&mut self, world: &mut World) -> Result<(), Error> {
        let Some(hold) = self.hold.take() else { return Ok(()) };
        // A joint that broke is gone already.
        let _ = world.remove_joint(hold.joint);
        world.set_kind(self.body, BodyKind::Kinematic)?;
        self.mover.forget();
        (self.free, self.airborne, self.asked) = (LET_GO, GRACE, EARLY);
        Ok(())
    }
}
