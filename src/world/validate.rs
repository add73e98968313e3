//! Checks of all invariants of a world; tests call it after each step.
//!
//! In: a world. Out: nothing, or the first rule that does not hold and where.

use super::World;
use crate::body::{NONE, flag as body_flag};
use crate::broadphase::{Pair, WorldAabb};
use crate::contact::flag;
use crate::tuning::Tuning;
use crate::world::edit::check::{check_extent, check_reach};
use crate::world::edit::joints::check_joint;

impl World {
    /// Checks all invariants that the engine relies on. Takes time in proportion to the world; for
    /// tests.
    ///
    /// # Errors
    /// The first rule that is broken, in words.
    pub fn validate(&self) -> Result<(), String> {
        ensure(self.tuning == Tuning::scaled(self.def.unit), "its thresholds are in its unit")?;
        for slot in self.bodies.slots.iter() {
            self.validate_body(slot).map_err(|rule| format!("{}: {rule}", self.body_id(slot)))?;
        }
        for (index, &slot) in self.bodies.awake.iter().enumerate() {
            ensure(
                self.bodies.rows[slot as usize].awake_index == index as u32,
                "the list of awake bodies is inverse",
            )?;
            ensure(
                self.bodies.solver_rows[slot as usize] == index as u32 + 1,
                "awake bodies have the row of their place",
            )?;
        }
        let listed = |slot: u32| self.contacts.edges().of(slot).count();
        let listed: usize = self.bodies.slots.iter().map(listed).sum();
        ensure(listed == 2 * self.contacts.len(), "bodies list their contacts")?;
        for contact in self.contacts.active.iter() {
            self.validate_contact(contact).map_err(|rule| format!("contact {contact}: {rule}"))?;
        }
        self.validate_pairs(|_, pair| self.contacts.find(pair).is_some())?;
        self.validate_extents()?;
        self.validate_islands()?;
        self.validate_own_laws()?;
        self.validate_joints()
    }

    /// Validates a world that was just read from an image, except for the rules that reading
    /// ensures: places and numbers are in their bounds, and lists and tables that follow from
    /// others are right. `has_contact` says for each pair of the grid whether a contact has it.
    pub(crate) fn validate_restored(&self, has_contact: &[bool]) -> Result<(), String> {
        if self.tiles.is_there() || !self.def.period().is_none() {
            return self.validate();
        }
        for slot in self.bodies.slots.iter() {
            let body = &self.bodies.rows[slot as usize];
            ensure(body.island == NONE || body.linear_velocity == glam::Vec2::ZERO, "what sleeps rests")?;
        }
        self.validate_pairs(|index, _| has_contact.get(index) == Some(&true))?;
        self.validate_islands()?;
        self.validate_own_laws()?;
        // Without places for joints, no body lists any.
        if self.joints.slots.places() == 0 { Ok(()) } else { self.validate_joints() }
    }

    fn validate_body(&self, slot: u32) -> Result<(), String> {
        let body = &self.bodies.rows[slot as usize];
        ensure(body.center_point().is_joined(self.def.span()), "its place is a place")?;
        let home = self.def.period().wrapped(body.center_point());
        ensure(home.region == body.region, "its place is in the world")?;
        let Some(velocity) = Some(body.linear_velocity).filter(|v| v.is_finite()) else {
            return Err("its velocity is finite".into());
        };
        ensure(body.angular_velocity.is_finite(), "its spin is finite")?;
        let unit = body.rotation.cos * body.rotation.cos + body.rotation.sin * body.rotation.sin;
        ensure((unit - 1.0).abs() < 1.0e-5, "its rotation is of unit length")?;
        ensure(body.mass >= 0.0 && body.inertia >= 0.0, "its mass is not negative")?;
        let moves = body.flags & (body_flag::DYNAMIC | body_flag::KINEMATIC) != 0;
        ensure(!body.is_awake() || (moves && body.is_enabled()), "what is awake can move")?;
        ensure(
            body.is_awake() || self.bodies.solver_rows[slot as usize] == 0,
            "what does not move is row 0",
        )?;
        ensure(!(body.is_awake() && body.island != NONE), "it is awake or asleep")?;
        if body.island != NONE {
            ensure(velocity == glam::Vec2::ZERO, "what sleeps rests")?;
        }
        let of_body = || self.contacts.edges().of(slot).map(|contact| &self.contacts.link[contact as usize]);
        ensure(of_body().all(|link| link.body_a == slot || link.body_b == slot), "its contacts know it")?;
        ensure(self.bodies.sole_parts[slot as usize] == self.sole_part(slot), "its only part is known")?;
        ensure(
            self.bodies.off_center.contains(slot) == self.is_off_center(slot),
            "off-centre bodies are known",
        )?;
        for shape in self.shape_slots_from(body.first_shape) {
            ensure(self.shapes.colliders[shape as usize].body == slot, "its shapes know it")?;
            let count = self.proxies_of(shape).count();
            let shape_of_it = &self.shapes.colliders[shape as usize].shape;
            let all = shape_of_it.tile_map().map_or(shape_of_it.piece_count(), |map| map.solid_count());
            let is_map = self.map_on_demand(shape).is_some() && body.is_enabled();
            ensure(is_map == self.is_map(shape), "maps of fixed bodies are known")?;
            if is_map {
                self.validate_cells(shape)?;
            }
            let wanted = if body.is_enabled() { all } else { 0 };
            ensure(is_map || count == wanted, "each part stands in the grid, if it is enabled")?;
            for proxy in self.proxies_of(shape) {
                let part = &self.shapes.proxies.rows[proxy as usize];
                ensure(part.shape == shape && part.body == slot, "its parts know it")?;
                ensure(self.grid.contains(proxy), "its parts stand in the grid")?;
                ensure(self.grid.has_its_images(proxy), "its images stand beyond the seam, and no others")?;
                self.validate_box(proxy)?;
            }
        }
        Ok(())
    }

    /// The box in the grid contains the placed part.
    fn validate_box(&self, proxy: u32) -> Result<(), String> {
        let Some(stored) = self.grid.aabb(proxy) else { return Err("its box is known".into()) };
        ensure(self.does_box_hold(proxy, stored), "its boxes hold it")
    }

    /// Whether a box contains a placed part.
    pub(super) fn does_box_hold(&self, proxy: u32, stored: WorldAabb) -> bool {
        let part = &self.shapes.proxies.rows[proxy as usize];
        let body = &self.bodies.rows[part.body as usize];
        let piece = self.shapes.colliders[part.shape as usize].shape.piece(part.part as usize);
        let tight = piece.aabb(body.local_transform());
        let stored = self.def.period().box_image(stored, body.center_point()).relative_to(body.region);
        // The part is computed here from the body's origin, which may be far from its centre and
        // its shapes: allow four roundings of such coordinates.
        let far = tight.min.abs().max(tight.max.abs()).max_element();
        let rounding = 4.0 * f32::EPSILON * crate::math::max(2.0 * body.local_center.length(), far);
        let room = 1.0e-3 * (1.0 + tight.size().length()) + rounding;
        stored.grown(room).contains(&tight)
    }

    fn validate_contact(&self, contact: u32) -> Result<(), String> {
        let (pair, link) = (self.contacts.pair[contact as usize], self.contacts.link[contact as usize]);
        ensure(self.contacts.find(pair) == Some(contact), "the map knows it")?;
        let (a, b) = (&self.shapes.proxies.rows[pair.a as usize], &self.shapes.proxies.rows[pair.b as usize]);
        ensure(a.body == link.body_a && b.body == link.body_b, "it belongs to the bodies of its parts")?;
        ensure(a.body != b.body, "its bodies are two")?;
        self.validate_rows(contact)
    }

    /// Checks the manifold of a contact, and its impulses.
    fn validate_rows(&self, contact: u32) -> Result<(), String> {
        let link = &self.contacts.link[contact as usize];
        let row = &self.contacts.manifold[contact as usize];
        ensure(row.numbers().iter().all(|x| x.is_finite()), "its manifold is finite")?;
        let impulse = &self.contacts.impulse[contact as usize];
        ensure(impulse.numbers().iter().all(|x| x.is_finite()), "its impulses are finite")?;
        ensure(impulse.normal[0] >= 0.0 && impulse.normal[1] >= 0.0, "it does not pull")?;
        let touching = link.flags & flag::TOUCHING != 0;
        ensure(touching == (link.count > 0), "it touches in its points")?;
        ensure(
            !touching || (row.normal.length_squared() - 1.0).abs() < 1.0e-4,
            "its normal is of unit length",
        )
    }

    /// In a world that wraps round no body reaches as far as its own image.
    fn validate_extents(&self) -> Result<(), String> {
        if self.def.period().is_none() {
            return Ok(());
        }
        let shapes = self.shapes.slots.iter().map(|slot| &self.shapes.colliders[slot as usize].shape);
        let bodies = self.bodies.slots.iter().map(|slot| self.bodies.rows[slot as usize].local_center);
        let joints = self.joints.slots.iter().map(|slot| &self.joints.rows[slot as usize].def);
        let mut checks = shapes
            .map(|shape| check_extent(shape, &self.def))
            .chain(bodies.map(|center| check_reach(0.99 * center.length(), &self.def)))
            .chain(joints.map(|joint| check_joint(joint, &self.def)));
        checks.try_for_each(|check| check).map_err(|error| error.to_string())
    }

    /// Every pair of the grid that may touch has a contact, or waits for one.
    fn validate_pairs(&self, has_contact: impl Fn(usize, Pair) -> bool) -> Result<(), String> {
        let apart = self.contacts.apart.pairs();
        ensure(apart.is_sorted_by(|p, q| p < q), "pairs wait in order")?;
        let both = |pair: &Pair| self.grid.contains(pair.a) && self.grid.contains(pair.b);
        let waits = |pair: &Pair| apart.binary_search(pair).is_ok();
        let awake =
            |part: u32| self.bodies.rows[self.shapes.proxies.rows[part as usize].body as usize].is_awake();
        // Bodies that fell asleep in the last step may still have pairs.
        let looked_at = |pair: &Pair| both(pair) && (awake(pair.a) || awake(pair.b));
        let settled = self.islands.parked.is_empty() && !self.is_filtered();
        let is_known = |(index, pair): (usize, &Pair)| {
            has_contact(index, *pair) || !looked_at(pair) || waits(pair) || !self.may_touch(*pair)
        };
        ensure(!settled || self.grid.pairs().iter().enumerate().all(is_known), "its pairs are known")
    }

    fn validate_islands(&self) -> Result<(), String> {
        let is_member = |&slot: &u32| self.bodies.rows[slot as usize].island != NONE;
        let members = self.bodies.slots.iter().filter(is_member).count();
        let listed = self.islands.all_bodies().count();
        ensure(members == listed, "islands know their sleepers")?;
        let mut seen = Vec::new();
        for number in 0..self.islands.count() as u32 {
            let bodies = self.islands.bodies_of(number);
            if !bodies.is_sorted_by(|a, b| a < b) {
                seen.resize(self.bodies.rows.len(), false);
                let first = |&slot: &u32| !core::mem::replace(&mut seen[slot as usize], true);
                ensure(bodies.iter().all(first), "an island lists each sleeper once")?;
            }
            for &slot in bodies {
                let body = &self.bodies.rows[slot as usize];
                ensure(body.island == number, "sleepers know their island")?;
            }
            for &contact in self.islands.contacts_of(number) {
                let link = self.contacts.link[contact as usize];
                let awake = |slot: u32| self.bodies.rows[slot as usize].is_awake();
                let ended = self.contacts.find(self.contacts.pair[contact as usize]) != Some(contact);
                if ended || awake(link.body_a) || awake(link.body_b) {
                    continue;
                }
                ensure(!self.contacts.is_active(contact), "contacts of sleepers are not looked at")?;
                let of = |slot: u32| self.bodies.rows[slot as usize].island == number;
                ensure(of(link.body_a) || of(link.body_b), "an island keeps its own contacts")?;
            }
        }
        Ok(())
    }
}

#[inline]
pub(crate) fn ensure(holds: bool, rule: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule.into()) }
}
