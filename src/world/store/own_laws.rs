//! Own laws of single bodies: gravity, greatest speed, lasting force, dominance.
//!
//! In: settings of a few bodies. Out: a row for each of them, by slot, and their effects as a step
//! begins and ends. Most worlds have none, and skip all of this.

use glam::Vec2;

use super::super::World;
use crate::body::{Body, BodyDef, BodyId, at_most, flag};
use crate::contact::ContactHeader;
use crate::error::Error;
use crate::math::{limited, max};
use crate::state::{LoadError, Parse, Put};
use crate::step::begin::gather::row_of;
use crate::world::edit::check::check;
use crate::world::record::Input;

/// Own laws of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OwnLaw {
    pub(crate) gravity: Option<Vec2>,
    /// Infinite if only the limit of the world applies.
    pub(crate) max_speed: f32,
    pub(crate) force: Vec2,
    pub(crate) torque: f32,
    pub(crate) dominance: i8,
}

/// Words of a law.
pub(crate) const LAW: usize = 8;

impl OwnLaw {
    /// A body without own laws.
    pub(crate) const NONE: OwnLaw =
        OwnLaw { gravity: None, max_speed: f32::INFINITY, force: Vec2::ZERO, torque: 0.0, dominance: 0 };

    pub(crate) fn of(def: &BodyDef) -> OwnLaw {
        OwnLaw { gravity: def.gravity, max_speed: def.max_speed, dominance: def.dominance, ..OwnLaw::NONE }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.gravity.is_some_and(|gravity| !(gravity.is_finite() && gravity.length() <= 1.0e6)) {
            return Err(Error::BadNumber("gravity must be finite, and at most 1e6 m/s²"));
        }
        if self.max_speed.is_nan() || self.max_speed <= 0.0 {
            return Err(Error::BadNumber("the greatest speed must be above 0; infinite for none"));
        }
        check(&[self.force.x, self.force.y, self.torque], "a force must be finite, and at most 1e9")
    }

    pub(crate) fn words(&self) -> [u32; LAW] {
        Put::row(|put| {
            put.option(self.gravity.map(|g| g.to_array()));
            put.float(self.max_speed);
            put.vector(self.force);
            put.float(self.torque);
            put.word(self.dominance as u32);
        })
    }

    pub(crate) fn of_words(words: &[u32; LAW]) -> Result<OwnLaw, LoadError> {
        let mut parse = Parse::new(words);
        let law = OwnLaw {
            gravity: parse.option()?.map(|[x, y]| Vec2::new(x, y)),
            max_speed: parse.float(),
            force: parse.vector(),
            torque: parse.float(),
            dominance: i8::try_from(parse.word() as i32)
                .map_err(|_| LoadError::Broken("a dominance is -128 to 127"))?,
        };
        law.check().map_err(|_| LoadError::Broken("a body keeps its rules"))?;
        Ok(law)
    }
}

/// The laws, sorted by slot; empty ones are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnLaws {
    list: Vec<(u32, OwnLaw)>,
    /// Number of bodies with a dominance.
    dominant: usize,
}

impl OwnLaws {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn list(&self) -> &[(u32, OwnLaw)] {
        &self.list
    }

    /// Whether any body has a dominance.
    #[inline]
    pub(crate) fn any_dominance(&self) -> bool {
        self.dominant > 0
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.dominant = 0;
    }

    #[inline]
    pub(crate) fn get(&self, slot: u32) -> OwnLaw {
        if self.list.is_empty() {
            return OwnLaw::NONE;
        }
        let place = self.list.binary_search_by_key(&slot, |&(slot, _)| slot);
        place.map_or(OwnLaw::NONE, |place| self.list[place].1)
    }

    /// Removes the own laws of a body.
    #[inline]
    pub(crate) fn unset(&mut self, slot: u32) {
        if !self.list.is_empty() {
            self.set(slot, OwnLaw::NONE);
        }
    }

    pub(crate) fn set(&mut self, slot: u32, law: OwnLaw) {
        if self.list.is_empty() && law == OwnLaw::NONE {
            return;
        }
        let place = self.list.binary_search_by_key(&slot, |&(slot, _)| slot);
        self.dominant -= usize::from(self.get(slot).dominance != 0);
        self.dominant += usize::from(law.dominance != 0);
        match (place, law == OwnLaw::NONE) {
            (Ok(place), true) => _ = self.list.remove(place),
            (Ok(place), false) => self.list[place].1 = law,
            (Err(_), true) => {}
            (Err(place), false) => self.list.insert(place, (slot, law)),
        }
    }
}

/// Setting and reading them.
impl World {
    /// Gives a body a gravity of its own in place of the world's, in m/s²; `None` gives it the
    /// world's again. [`World::set_gravity_scale`] multiplies either.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let balloon = BodyDef::dynamic().gravity([0.0, 1.0]).shape(Shape::circle(0.5));
    /// let balloon = world.add(balloon)?;
    /// (0..60).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
    /// assert!((world[balloon].position().y - 0.5).abs() < 1e-4); // up
    /// world.set_gravity_of(balloon, None)?;
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone, or a number that is not finite, or above 1e6.
    pub fn set_gravity_of(&mut self, id: BodyId, gravity: Option<Vec2>) -> Result<(), Error> {
        self.note(|| Input::SetGravityOf { id, gravity });
        self.set_law(id, |law| law.gravity = gravity)
    }

    /// The gravity that a body has of its own.
    #[must_use]
    pub fn gravity_of(&self, id: BodyId) -> Option<Vec2> {
        self.law_of(id).gravity
    }

    /// Sets the fastest that a body may go, in m/s; infinite for as fast as the world allows. Any
    /// excess is removed at the end of each step.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let leaf = world.add(BodyDef::dynamic().max_speed(2.0).shape(Shape::circle(0.1)))?;
    /// (0..60).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
    /// assert!((world[leaf].velocity().y + 2.0).abs() < 1e-5);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone, or a number that is not above 0.
    pub fn set_max_speed_of(&mut self, id: BodyId, max_speed: f32) -> Result<(), Error> {
        self.note(|| Input::SetMaxSpeedOf { id, max_speed });
        self.set_law(id, |law| law.max_speed = max_speed)
    }

    /// The fastest that a body may go by itself; infinite for no limit but the world's.
    #[must_use]
    pub fn max_speed_of(&self, id: BodyId) -> f32 {
        self.law_of(id).max_speed
    }

    /// Pushes a body with a force in N and turns it with a torque in N m in every step from now on,
    /// until others are set. A body that rests in spite of it may sleep.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    /// let rocket = world.add(BodyDef::dynamic().shape(ShapeDef::from(Shape::circle(0.5)).mass(2.0)))?;
    /// world.set_lasting_force(rocket, [6.0, 0.0], 0.0)?;
    /// (0..60).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
    /// assert!((world[rocket].velocity().x - 3.0).abs() < 1e-4);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone, or a number that is not finite.
    pub fn set_lasting_force(
        &mut self,
        id: BodyId,
        force: impl Into<Vec2>,
        torque: f32,
    ) -> Result<(), Error> {
        let force = force.into();
        self.note(|| Input::SetLastingForce { id, force, torque });
        self.set_law(id, |law| (law.force, law.torque) = (force, torque))
    }

    /// The force and the torque that push a body in every step.
    #[must_use]
    pub fn lasting_force(&self, id: BodyId) -> (Vec2, f32) {
        let law = self.law_of(id);
        (law.force, law.torque)
    }

    /// Sets which of two dynamic bodies gives way where they touch: the one with the greater number
    /// takes no impulse from the other, as if its mass were infinite. 0 for most; bodies with equal
    /// numbers push each other as usual, and joints between any two bodies act as usual.
    ///
    /// Momentum and energy are not conserved in such contacts: the pushed body gets whatever
    /// impulse it takes. A body caught between a dominant body and the ground has two neighbours
    /// that do not give way; it may be pressed through one of them, as between two kinematic
    /// bodies.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    /// let hero = BodyDef::dynamic().velocity([4.0, 0.0]).dominance(1).shape(Shape::circle(0.5));
    /// let hero = world.add(hero)?;
    /// let crate_ = BodyDef::dynamic().at([2.0, 0.0]).shape(Shape::rect(1.0, 1.0)).density(100.0);
    /// let crate_ = world.add(crate_)?;
    /// (0..60).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
    /// assert_eq!(world[hero].velocity(), vec2(4.0, 0.0)); // it does not notice
    /// assert!(world[crate_].velocity().x > 3.9);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone.
    pub fn set_dominance(&mut self, id: BodyId, dominance: i8) -> Result<(), Error> {
        self.note(|| Input::SetDominance { id, dominance });
        self.set_law(id, |law| law.dominance = dominance)?;
        self.dirty.colouring = true;
        Ok(())
    }

    /// The dominance of a body: 0 for most.
    #[must_use]
    pub fn dominance_of(&self, id: BodyId) -> i8 {
        self.law_of(id).dominance
    }

    fn law_of(&self, id: BodyId) -> OwnLaw {
        self.slot_of(id).map_or(OwnLaw::NONE, |slot| self.bodies.own_laws.get(slot))
    }

    fn set_law(&mut self, id: BodyId, change: impl FnOnce(&mut OwnLaw)) -> Result<(), Error> {
        let slot = self.slot_of(id)?;
        let mut law = self.bodies.own_laws.get(slot);
        change(&mut law);
        law.check()?;
        self.bodies.own_laws.set(slot, law);
        self.disturb(slot);
        self.bodies.rows[slot as usize].sleep_time = 0.0;
        Ok(())
    }
}

/// Within a step.
impl World {
    /// The gravity on a body, before its gravity scale.
    #[inline]
    pub(crate) fn gravity_at(&self, slot: u32) -> Vec2 {
        self.bodies.own_laws.get(slot).gravity.unwrap_or(self.def.gravity)
    }

    /// The strongest gravity on any body, in m/s², before gravity scales.
    pub(crate) fn most_gravity(&self) -> f32 {
        let own = self.bodies.own_laws.list().iter().filter_map(|(_, law)| law.gravity);
        own.fold(self.def.gravity.length(), |most, gravity| max(most, gravity.length()))
    }

    /// Adds lasting forces to the forces of a step of `dt`, and limits speeds.
    pub(crate) fn feel_own_laws(&mut self, dt: f32) {
        if self.bodies.own_laws.is_empty() || dt == 0.0 {
            return;
        }
        for &(slot, law) in self.bodies.own_laws.list() {
            let body = &mut self.bodies.rows[slot as usize];
            if !body.is_awake() {
                continue;
            }
            keep_to(body, law.max_speed);
            if body.has(flag::DYNAMIC) {
                let sum = body.force + law.force;
                body.force = Vec2::new(at_most(sum.x, f32::MAX), at_most(sum.y, f32::MAX));
                body.torque = at_most(body.torque + law.torque, f32::MAX);
            }
        }
    }

    /// Rows of bodies with a gravity of their own, for sub-steps of `h` seconds.
    pub(crate) fn fill_own_rows(&mut self, h: f32) {
        for &(slot, law) in self.bodies.own_laws.list() {
            let row = self.bodies.solver_rows[slot as usize] as usize;
            if let Some(gravity) = law.gravity.filter(|_| row != 0) {
                (_, self.columns.force_delta[row], _) = row_of(&self.bodies.rows[slot as usize], gravity, h);
            }
        }
    }

    /// Limits speeds after a step.
    pub(crate) fn keep_own_speeds(&mut self) {
        for &(slot, law) in self.bodies.own_laws.list() {
            let body = &mut self.bodies.rows[slot as usize];
            if body.is_awake() {
                keep_to(body, law.max_speed);
            }
        }
    }

    /// For a contact, which of the two bodies dominates the other, and takes no impulse from it.
    pub(crate) fn heavy_of(&self, link: &ContactHeader) -> [bool; 2] {
        let dominates = |a: u32, b: u32| self.dominates(a, b);
        [dominates(link.body_a, link.body_b), dominates(link.body_b, link.body_a)]
    }

    /// Whether a body takes no impulse from another body that it touches.
    #[inline]
    pub(crate) fn dominates(&self, body: u32, other: u32) -> bool {
        let laws = &self.bodies.own_laws;
        let dynamic = |slot: u32| self.bodies.rows[slot as usize].has(flag::DYNAMIC);
        laws.any_dominance()
            && dynamic(body)
            && dynamic(other)
            && laws.get(body).dominance > laws.get(other).dominance
    }

    /// Checks the invariants of the laws.
    pub(crate) fn validate_own_laws(&self) -> Result<(), String> {
        let list = self.bodies.own_laws.list();
        let sound = list.iter().all(|(slot, law)| {
            self.bodies.slots.tenant(*slot).is_some() && *law != OwnLaw::NONE && law.check().is_ok()
        });
        let sorted = list.windows(2).all(|two| two[0].0 < two[1].0);
        let dominant = list.iter().filter(|(_, law)| law.dominance != 0).count();
        let holds = sound && sorted && dominant == self.bodies.own_laws.dominant;
        if holds { Ok(()) } else { Err("laws of single bodies are sound, and in order".into()) }
    }
}

fn keep_to(body: &mut Body, max_speed: f32) {
    if max_speed.is_finite() {
        body.linear_velocity = limited(body.linear_velocity, max_speed);
    }
}
