//! Changes of shapes at run time: geometry, weight, material, and filter. They act in the next
//! step.
//!
//! In: the id of a shape and a value. Out: a changed world; or an error, and a world as it was. The
//! body and bodies that touch it wake. A change that makes the contacts of a shape invalid removes
//! it from the grid and adds it again; other changes update the existing contacts. Bodies, and the
//! world: `bodies.rs`.

use glam::Vec2;

use super::check::{check_cells, check_dynamic, check_extent, check_shape};
use crate::body::def::Weight;
use crate::body::{BodyKind, Collider, Filter, Material, ShapeDef, ShapeId, flag};
use crate::broadphase::Pair;
use crate::contact::ImpulseRow;
use crate::error::Error;
use crate::math::{max, min};
use crate::shape::Shape;
use crate::world::World;
use crate::world::record::Input;

impl World {
    fn is_on_dynamic(&self, shape: u32) -> bool {
        self.bodies.rows[self.shapes.colliders[shape as usize].body as usize].has(flag::DYNAMIC)
    }

    /// Replaces the geometry of a shape. The mass of its body follows, unless that was set by
    /// [`World::set_mass`].
    ///
    /// # Errors
    /// A shape that is gone; a geometry that breaks a rule or that its body cannot have (a chain or
    /// less than a millimetre on a dynamic body, more than 65,535 cells on a body that moves, a
    /// shape too large for a world that [wraps round](crate::WorldDef::periodic)); or a world that
    /// is full.
    pub fn set_shape(&mut self, id: ShapeId, shape: Shape) -> Result<(), Error> {
        self.note(|| Input::SetShape { id, shape: shape.clone() });
        let slot = self.shape_slot_of(id)?;
        let shape = shape.checked()?.settled();
        let body = self.shapes.colliders[slot as usize].body;
        check_extent(&shape, &self.def)?;
        check_cells(self.bodies.rows[body as usize].kind() != BodyKind::Fixed, &shape)?;
        check_dynamic(
            (self.is_on_dynamic(slot), self.def.unit),
            &shape,
            self.shapes.colliders[slot as usize].traits.sensor,
        )?;
        self.check_room_for_parts(shape.most_parts())?;
        self.reform(slot, |collider| collider.shape = shape.into());
        Ok(())
    }

    /// Makes a shape a sensor, which only reports, or solid again.
    ///
    /// # Errors
    /// A shape that is gone, a chain or a shape of less than a millimetre that is to be solid on a
    /// dynamic body, or a world that is full.
    pub fn set_sensor(&mut self, id: ShapeId, sensor: bool) -> Result<(), Error> {
        self.note(|| Input::SetSensor { id, sensor });
        let slot = self.shape_slot_of(id)?;
        check_dynamic(
            (self.is_on_dynamic(slot), self.def.unit),
            &self.shapes.colliders[slot as usize].shape,
            sensor,
        )?;
        self.check_room_for_parts(self.shapes.colliders[slot as usize].shape.most_parts())?;
        self.reform(slot, |collider| collider.traits.make_mut().sensor = sensor);
        Ok(())
    }

    /// Makes a shape one-way: solid only for bodies that come against this direction; `None`: for
    /// all bodies.
    ///
    /// # Errors
    /// A shape that is gone, a direction that is not finite or has no length, or a world that is
    /// full.
    pub fn set_one_way(&mut self, id: ShapeId, direction: Option<Vec2>) -> Result<(), Error> {
        self.note(|| Input::SetOneWay { id, direction });
        let slot = self.shape_slot_of(id)?;
        check_shape(&ShapeDef { one_way: direction, ..Shape::circle(1.0).into() })?;
        self.check_room_for_parts(self.shapes.colliders[slot as usize].shape.most_parts())?;
        self.reform(slot, |collider| collider.traits.make_mut().one_way = direction);
        Ok(())
    }

    /// Sets the density of a shape in kg/m², or its mass in kg.
    ///
    /// # Errors
    /// A shape that is gone, or a number below 0, above 1e9 or not finite.
    pub fn set_weight(&mut self, id: ShapeId, weight: Weight) -> Result<(), Error> {
        self.note(|| Input::SetWeight { id, weight });
        let slot = self.shape_slot_of(id)?;
        check_shape(&ShapeDef { weight, ..Shape::circle(1.0).into() })?;
        let body = self.shapes.colliders[slot as usize].body;
        self.disturb(body);
        self.shapes.change_traits(slot, |traits| traits.weight = weight);
        self.weigh(body);
        self.forget_impulses(body);
        self.dirty.boxes.push(body);
        Ok(())
    }

    /// Sets a shape's material; parts with a material of their own keep it.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::default();
    /// let lake = world.add(BodyDef::fixed().at([0.0, -0.5]))?;
    /// let surface = world.attach(lake, Shape::rect(40.0, 1.0))?;
    /// let sledge = world.add(BodyDef::dynamic().at([0.0, 0.25]).velocity([3.0, 0.0]).shape(Shape::rect(1.0, 0.5)))?;
    /// world.set_material(surface, Material::default().friction(0.0))?; // it freezes
    /// for _ in 0..60 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!((world[sledge].velocity().x - 3.0).abs() < 0.01);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A shape that is gone, or a material that breaks a rule.
    pub fn set_material(&mut self, id: ShapeId, material: Material) -> Result<(), Error> {
        self.note(|| Input::SetMaterial { id, material });
        let slot = self.shape_slot_of(id)?;
        let material = material.checked()?;
        self.shapes.change_traits(slot, |traits| traits.material = material);
        self.resurface(slot);
        Ok(())
    }

    /// Sets the material of one part: an edge of a chain, a part of a compound; for a tile map, of
    /// all cells with this material number.
    ///
    /// # Errors
    /// A shape that is gone, a part that it does not have, or a material that breaks a rule.
    pub fn set_part_material(&mut self, id: ShapeId, part: usize, material: Material) -> Result<(), Error> {
        self.note(|| Input::SetPartMaterial { id, part, material });
        let slot = self.shape_slot_of(id)?;
        let material = material.checked()?;
        let collider = &mut self.shapes.colliders[slot as usize];
        if part >= collider.material_count() {
            return Err(Error::BadNumber("a part must be one that the shape has"));
        }
        let traits = collider.traits.make_mut();
        while traits.part_materials.len() <= part {
            traits.part_materials.push(traits.material);
        }
        traits.part_materials[part] = material;
        self.resurface(slot);
        Ok(())
    }

    /// Sets the collision filter of a shape.
    ///
    /// ```
    /// use carom::{Filter, prelude::*};
    /// let mut world = World::default();
    /// let cellar = world.add(BodyDef::fixed().at([0.0, -0.1]))?;
    /// let trapdoor = world.attach(cellar, Shape::rect(2.0, 0.2))?;
    /// let barrel = world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::circle(0.5)))?;
    /// world.set_filter(trapdoor, Filter { mask: 0, ..Filter::default() })?; // it opens
    /// for _ in 0..60 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!(world[barrel].position().y < -3.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A shape that is gone.
    pub fn set_filter(&mut self, id: ShapeId, filter: Filter) -> Result<(), Error> {
        self.note(|| Input::SetFilter { id, filter });
        let slot = self.shape_slot_of(id)?;
        let body = self.shapes.colliders[slot as usize].body;
        self.disturb(body);
        self.shapes.change_traits(slot, |traits| traits.filter = filter);
        self.note_changed(slot);
        self.note_boxes_of(slot);
        self.regroup(body);
        for pair in self.pairs_of(slot) {
            match self.contacts.find(pair) {
                Some(contact) if !self.may_touch(pair) => self.end_contact(contact),
                None if self.grid.pairs().binary_search(&pair).is_ok() => self.begin_contact(pair),
                _ => {}
            }
        }
        Ok(())
    }

    /// Sets the user data of a shape: a number that carom does not read.
    ///
    /// # Errors
    /// A shape that is gone.
    pub fn set_shape_user_data(&mut self, id: ShapeId, user_data: u64) -> Result<(), Error> {
        self.note(|| Input::SetShapeUserData { id, user_data });
        let slot = self.shape_slot_of(id)?;
        self.shapes.colliders[slot as usize].user_data = user_data;
        Ok(())
    }

    /// Changes a shape in a way that makes its contacts invalid.
    pub(in crate::world) fn reform(&mut self, slot: u32, change: impl FnOnce(&mut Collider)) {
        let body = self.shapes.colliders[slot as usize].body;
        self.disturb(body);
        self.remove_proxies(slot);
        let before = extent(&self.shapes.colliders[slot as usize].shape);
        change(&mut self.shapes.colliders[slot as usize]);
        // A fixed body keeps the contacts of its other shapes.
        let is_fixed = self.bodies.rows[body as usize].kind() == BodyKind::Fixed;
        if !is_fixed {
            self.weigh(body);
            self.forget_impulses(body);
        } else if self.widen(slot, before) {
            self.refill_joints_of(body);
        } else {
            self.weigh(body);
        }
        if self.bodies.rows[body as usize].is_enabled() {
            self.enter_grid(body, slot);
            self.regroup_shape(slot);
        }
        if !is_fixed {
            self.dirty.boxes.push(body);
        }
    }

    /// Changes a shape of a fixed body most of whose parts stay: see [`World::lay_parts`]. The
    /// other parts are out of the grid already.
    #[cfg(feature = "breaking")]
    pub(in crate::world) fn reform_in_place(
        &mut self,
        slot: u32,
        known: &[u32],
        change: impl FnOnce(&mut Collider),
    ) {
        let body = self.shapes.colliders[slot as usize].body;
        let before = extent(&self.shapes.colliders[slot as usize].shape);
        change(&mut self.shapes.colliders[slot as usize]);
        self.lay_parts(slot, known);
        if self.widen(slot, before) {
            self.refill_joints_of(body);
        } else {
            self.weigh(body);
        }
        self.note_sole_part(body);
        self.regroup_shape(slot);
        self.note_changed(slot);
    }

    /// Updates reach and half-thickness of a fixed body from the changed shape alone, as it may
    /// have hundreds of others; false if they depended on the old shape.
    fn widen(&mut self, slot: u32, before: [f32; 2]) -> bool {
        let collider = &self.shapes.colliders[slot as usize];
        let (body, [reach, core]) = (&mut self.bodies.rows[collider.body as usize], extent(&collider.shape));
        let is_another =
            before[0] < body.max_extent && before[1] > body.min_extent && !body.has(flag::OWN_MASS);
        if is_another {
            (body.max_extent, body.min_extent) = (max(body.max_extent, reach), min(body.min_extent, core));
        }
        is_another && reach.is_finite()
    }

    /// Sets impulses to 0: impulses that suited another mass would throw the body.
    pub(crate) fn forget_impulses(&mut self, body: u32) {
        self.contacts.change_loads_of(body, ImpulseRow::forget);
    }

    /// Mixes the surfaces of all contacts of a shape anew.
    fn resurface(&mut self, slot: u32) {
        self.disturb(self.shapes.colliders[slot as usize].body);
        for contact in self.contacts_of(slot) {
            let surface = self.surface_of(self.contacts.pair[contact as usize]);
            self.contacts.set_surface(contact, &surface);
        }
    }

    /// Returns the pairs of the shape's parts with parts that are near now, and with parts that
    /// were near when the grid last looked for pairs: both may have moved since, and come back
    /// before it looks again.
    pub(crate) fn pairs_of(&self, slot: u32) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for proxy in self.proxies_of(slot) {
            let other = |pair: &Pair| pair.a ^ pair.b ^ proxy;
            let near = |pair: &&Pair| [pair.a, pair.b].contains(&proxy) && self.grid.contains(other(pair));
            pairs.extend(self.grid.pairs().iter().filter(near));
            let Some(aabb) = self.grid.aabb(proxy) else { continue };
            self.grid.query(&aabb, |other| {
                if self.shapes.proxies.rows[other as usize].body
                    != self.shapes.proxies.rows[proxy as usize].body
                {
                    pairs.push(Pair::new(proxy, other));
                }
                true
            });
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// Reach of a shape from the origin of its body, and its least half-thickness.
fn extent(shape: &Shape) -> [f32; 2] {
    let circle = shape.bounding_circle();
    [circle.center.length() + circle.radius, shape.half_thickness()]
}
