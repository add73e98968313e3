//! Colliders: shapes on bodies (fixtures), and their parts as proxies of the broadphase.
//!
//! In: shape definitions that were checked. Out: a row per shape, and a proxy for each of its
//! convex parts: an index for the grid, and the 32 bytes from which pair tests start. Called by the
//! world when bodies and shapes are added and moved.

use bytemuck::{Pod, Zeroable};
use core::ops::Deref;
use glam::Vec2;
use std::sync::Arc;

use super::core_table::Forms;
use super::def::{Filter, ShapeDef, Weight};
use super::material::Material;
use super::{Body, NONE};
use crate::bounds::{Aabb, BoundingCircle};
use crate::math::Rot;
use crate::shape::{Mass, Piece, Shape, TileKind};

/// Geometry that equal shapes share: a heap of equal boxes keeps one box. (Unshared, each takes 176
/// bytes, since it may be a polygon of eight corners.)
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SharedShape(Arc<Shape>);

impl From<Shape> for SharedShape {
    fn from(shape: Shape) -> SharedShape {
        SharedShape(Arc::new(shape))
    }
}

impl Deref for SharedShape {
    type Target = Shape;

    fn deref(&self) -> &Shape {
        &self.0
    }
}

impl SharedShape {
    /// The geometry, mutable, for this shape alone.
    pub(crate) fn make_mut(&mut self) -> &mut Shape {
        Arc::make_mut(&mut self.0)
    }

    /// Whether both share one allocation.
    pub(crate) fn is(&self, other: &SharedShape) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Data of a shape besides its geometry, its body and its user data. Equal shapes share them: in a
/// heap of equal boxes, each box has 8 bytes in place of 96.
#[derive(Clone, Debug)]
pub(crate) struct ShapeTraits {
    pub(crate) weight: Weight,
    pub(crate) material: Material,
    pub(crate) part_materials: Vec<Material>,
    pub(crate) filter: Filter,
    pub(crate) sensor: bool,
    pub(crate) one_way: Option<Vec2>,
    pub(crate) hooked: bool,
}

/// Traits that equal shapes share.
#[derive(Clone, Debug)]
pub(crate) struct SharedTraits(Arc<ShapeTraits>);

impl Deref for SharedTraits {
    type Target = ShapeTraits;

    #[inline(always)]
    fn deref(&self) -> &ShapeTraits {
        &self.0
    }
}

impl From<ShapeTraits> for SharedTraits {
    fn from(traits: ShapeTraits) -> SharedTraits {
        SharedTraits(Arc::new(traits))
    }
}

impl SharedTraits {
    /// The traits, mutable, for this shape alone.
    pub(crate) fn make_mut(&mut self) -> &mut ShapeTraits {
        Arc::make_mut(&mut self.0)
    }

    /// Whether both share one allocation.
    #[inline(always)]
    pub(crate) fn is(&self, other: &SharedTraits) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The most recent geometries and traits: the next shape often has some of them.
#[derive(Debug, Default)]
pub(crate) struct RecentShapes {
    shapes: Vec<SharedShape>,
    next: usize,
    traits: Vec<SharedTraits>,
    next_traits: usize,
    /// The last measured shape: its form, its weight, whether it is a sensor, and its measures.
    measured: Option<(SharedShape, Weight, bool, Measures)>,
}

/// Mass and size of a body with a single shape, which follow from that shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measures {
    /// Zero for a sensor.
    pub(crate) mass: Mass,
    pub(crate) circle: BoundingCircle,
    pub(crate) half_thickness: f32,
}

impl RecentShapes {
    /// Number of remembered geometries, and of remembered traits.
    const MOST: usize = 4;

    /// A recent geometry with the same bits. (Large shapes are never said to have.)
    fn known(&self, shape: &Shape) -> Option<SharedShape> {
        self.shapes.iter().find(|known| known.has_bits_of(shape)).cloned()
    }

    /// Reuses a recent geometry if it is equal; else makes a new one.
    pub(crate) fn share(&mut self, shape: Shape) -> SharedShape {
        // Only small shapes are numerous; large ones share their data already.
        if shape.stamp().is_some() {
            return shape.into();
        }
        if let Some(known) = self.known(&shape) {
            return known;
        }
        let shape = SharedShape::from(shape);
        if self.shapes.len() < RecentShapes::MOST {
            self.shapes.push(shape.clone());
        } else {
            self.shapes[self.next] = shape.clone();
        }
        self.next = (self.next + 1) % RecentShapes::MOST;
        shape
    }

    /// Reuses recent traits if they are equal, to the bit; else keeps these.
    pub(crate) fn share_traits(&mut self, traits: ShapeTraits) -> SharedTraits {
        // Materials of parts belong to large shapes, which are few.
        if !traits.part_materials.is_empty() {
            return traits.into();
        }
        if let Some(known) = self.traits.iter().find(|known| known.has_bits_of(&traits)) {
            return known.clone();
        }
        let traits = SharedTraits::from(traits);
        if self.traits.len() < RecentShapes::MOST {
            self.traits.push(traits.clone());
        } else {
            self.traits[self.next_traits] = traits.clone();
        }
        self.next_traits = (self.next_traits + 1) % RecentShapes::MOST;
        traits
    }

    /// Changes the traits of one shape; other shapes that share them keep the old ones.
    pub(crate) fn change(&mut self, traits: &mut SharedTraits, change: impl FnOnce(&mut ShapeTraits)) {
        if let Some(traits) = Arc::get_mut(&mut traits.0) {
            return change(traits);
        }
        let mut changed = ShapeTraits::clone(traits);
        change(&mut changed);
        *traits = self.share_traits(changed);
    }

    /// The measures of a small shape, taken over from the last call if the shape is equal.
    pub(crate) fn measure(&mut self, collider: &Collider) -> Option<Measures> {
        if let Some((shape, weight, sensor, measures)) = &self.measured
            && shape.is(&collider.shape)
            && (*weight, *sensor) == (collider.traits.weight, collider.traits.sensor)
        {
            return Some(*measures);
        }
        if collider.shape.stamp().is_some() {
            return None;
        }
        let solid = Some(collider).filter(|collider| !collider.traits.sensor).map(Collider::mass);
        let measures = Measures {
            mass: Mass::sum(solid.as_slice()),
            circle: collider.shape.bounding_circle(),
            half_thickness: collider.shape.half_thickness(),
        };
        let (weight, sensor) = (collider.traits.weight, collider.traits.sensor);
        self.measured = Some((collider.shape.clone(), weight, sensor, measures));
        Some(measures)
    }
}

/// A shape attached to a body, to be read: `world[id]`.
#[derive(Debug)]
pub struct Collider {
    pub(crate) shape: SharedShape,
    pub(crate) traits: SharedTraits,
    pub(crate) user_data: u64,
    /// Slot of the body.
    pub(crate) body: u32,
}

/// Links of a shape to others: a column of its own, as it is all that is read of most shapes when
/// their bodies have moved. (As a part of [`Collider`], a cache line each: a fiftieth of a step of
/// joints.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeLinks {
    /// The next shape of the same body.
    pub(crate) next: u32,
    /// The first of its proxies, which hang together by `Proxy::next`.
    pub(crate) first_proxy: u32,
}

impl ShapeLinks {
    pub(crate) const NONE: ShapeLinks = ShapeLinks { next: NONE, first_proxy: NONE };
}

impl Clone for Collider {
    fn clone(&self) -> Collider {
        Collider { shape: self.shape.clone(), traits: self.traits.clone(), ..*self }
    }

    /// Skips traits and shapes that both share already: a copy would write a reference count that
    /// threads share.
    fn clone_from(&mut self, source: &Collider) {
        if !self.shape.is(&source.shape) {
            self.shape = source.shape.clone();
        }
        if !self.traits.is(&source.traits) {
            self.traits = source.traits.clone();
        }
        (self.user_data, self.body) = (source.user_data, source.body);
    }
}

impl ShapeTraits {
    /// The traits that a definition gives.
    pub(crate) fn of(def: &ShapeDef) -> ShapeTraits {
        let ShapeDef { weight, material, filter, sensor, one_way, contact_hook: hooked, .. } = *def;
        let part_materials = def.part_materials.clone();
        ShapeTraits { weight, material, part_materials, filter, sensor, one_way, hooked }
    }
}

impl Collider {
    pub(crate) fn new(def: ShapeDef, body: u32) -> Collider {
        let traits = ShapeTraits::of(&def).into();
        Collider { traits, user_data: def.user_data, shape: def.shape.settled().into(), body }
    }

    /// A collider that shares its shape and traits with recent colliders where they are equal.
    pub(crate) fn sharing(def: &ShapeDef, body: u32, recent: &mut RecentShapes) -> Collider {
        let shape = match recent.known(&def.shape) {
            Some(shape) => shape,
            None => recent.share(def.shape.clone().settled()),
        };
        let traits = recent.share_traits(ShapeTraits::of(def));
        Collider { shape, traits, user_data: def.user_data, body }
    }

    /// Whether it may have more than one part.
    #[inline]
    pub(crate) fn has_parts(&self) -> bool {
        self.shape.only_piece().is_none()
    }

    /// Its geometry, in the frame of the body.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its material, except for parts with their own.
    #[must_use]
    pub fn material(&self) -> &Material {
        &self.traits.material
    }

    /// The material of one of its parts. A part of a tile map is a cell, which has a number of a
    /// material.
    #[must_use]
    pub fn material_of(&self, part: usize) -> &Material {
        let number = self.shape.tile_map().map_or(part, |map| usize::from(map.cell(part as u32).material));
        self.traits.part_materials.get(number).unwrap_or(&self.traits.material)
    }

    /// Number of parts that can have a material of their own: for a tile map, the number of
    /// material numbers.
    pub(crate) fn material_count(&self) -> usize {
        if self.shape.tile_map().is_some() { 256 } else { self.shape.piece_count() }
    }

    /// Whether a part is a sensor.
    pub(crate) fn is_sensor_at(&self, part: u32) -> bool {
        self.traits.sensor || self.shape.tile_map().is_some_and(|map| map.cell(part).kind == TileKind::Sensor)
    }

    /// The direction against which a part is solid, if not against all; in the frame of the body.
    pub(crate) fn one_way_at(&self, part: u32) -> Option<Vec2> {
        let of_cell = || {
            let map = self.shape.tile_map().filter(|map| map.cell(part).kind == TileKind::OneWay)?;
            Some(map.frame().rotation.y_axis())
        };
        self.traits.one_way.or_else(of_cell)
    }

    /// Its collision filter.
    #[must_use]
    pub fn filter(&self) -> Filter {
        self.traits.filter
    }

    /// Whether it is a sensor: it reports touches and pushes nothing.
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.traits.sensor
    }

    /// The direction against which it is solid, if not against all; in the frame of the body.
    #[must_use]
    pub fn one_way(&self) -> Option<Vec2> {
        self.traits.one_way
    }

    /// Its mass, centre of mass and inertia.
    #[must_use]
    pub fn mass(&self) -> Mass {
        match self.traits.weight {
            Weight::Density(density) => self.shape.mass(density),
            Weight::Mass(mass) => {
                let unit = self.shape.mass(1.0);
                if unit.mass > 0.0 { unit.times(mass / unit.mass) } else { unit }
            }
        }
    }

    /// Its user data: the program's own number, which carom does not read.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.user_data
    }
}

/// Class of a part in pair tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A sharp box: in lanes.
    Box,
    /// A circle: one contact point with any shape.
    Circle,
    /// Any other core with corners, sharp or round: in lanes.
    Core,
    /// Half-planes, and segments of chains.
    #[default]
    Other,
}

impl Class {
    /// The class as a number for lanes: see [`LocalRow`].
    #[inline(always)]
    pub(crate) fn number(self) -> f32 {
        f32::from(self as u8)
    }
}

/// One convex part of a shape of a body: a proxy in the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proxy {
    pub(crate) shape: u32,
    pub(crate) part: u32,
    pub(crate) body: u32,
    /// The next one of the same shape.
    pub(crate) next: u32,
    pub(crate) class: Class,
    pub(crate) sensor: bool,
    pub(crate) manner: Manner,
    pub(crate) of_map: OfMap,
}

/// How a part meets others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Its pairs need no contact before they are near: it is solid on all sides, and has no contact
    /// hook.
    Plain,
    /// It is a segment, alone or of a chain.
    Line,
    /// All of its pairs need a contact.
    #[default]
    Special,
}

/// Role of a part in a tile map of a fixed body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum OfMap {
    /// It is not a part of such a tile map.
    #[default]
    No,
    /// The whole map: found by queries, but it touches nothing.
    Whole,
    /// A cell with something near it. Queries skip it.
    Cell,
}

impl Proxy {
    /// A free index.
    pub(crate) const NOTHING: Proxy = Proxy {
        shape: NONE,
        part: 0,
        body: NONE,
        next: NONE,
        class: Class::Other,
        sensor: false,
        manner: Manner::Special,
        of_map: OfMap::No,
    };
}

/// A part in its present pose. Lanes read eight such rows together, number by number.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct PlacedRow {
    /// The middle of the part, from the centre of the region.
    pub(crate) middle: Vec2,
    pub(crate) rotation: Rot,
    /// Half size of a box; else the radius of a circle around the part, and 0.
    pub(crate) half_size: Vec2,
    /// From the body's centre of mass to the middle.
    pub(crate) offset: Vec2,
}

/// Constant data of a part in the frame of its body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct LocalRow {
    pub(crate) middle: Vec2,
    pub(crate) rotation: Rot,
    /// See [`PlacedRow`].
    pub(crate) half_size: Vec2,
    /// See [`Class::number`].
    class: f32,
    /// Padding.
    unused: f32,
}

/// Class of `piece` in pair tests, and its place on its body.
pub(crate) fn local_row(piece: &Piece) -> (Class, LocalRow) {
    let (class, middle, turn, half) = match piece {
        Piece::Obb(obb) if obb.radius() == 0.0 => (Class::Box, obb.center(), obb.rotation(), obb.half_size()),
        Piece::Circle(circle) => (Class::Circle, circle.center, Rot::IDENTITY, Vec2::new(circle.radius, 0.0)),
        Piece::Capsule(_) | Piece::Segment(_) | Piece::Obb(_) | Piece::Polygon(_) => {
            let (middle, radius) = piece.circle_around();
            (Class::Core, middle, Rot::IDENTITY, Vec2::new(radius, 0.0))
        }
        Piece::ChainSegment(_) | Piece::HalfPlane(_) => {
            let (middle, radius) = piece.circle_around();
            (Class::Other, middle, Rot::IDENTITY, Vec2::new(radius, 0.0))
        }
    };
    let row = LocalRow { middle, rotation: turn, half_size: half, class: class.number(), unused: 0.0 };
    (class, row)
}

/// The row of a part on a body.
#[inline]
pub(crate) fn place(local: &LocalRow, body: &Body) -> PlacedRow {
    let offset = body.rotation * (local.middle - body.local_center);
    let rotation = body.rotation * local.rotation;
    PlacedRow { middle: body.center + offset, rotation, half_size: local.half_size, offset }
}

/// The tight box around a placed part that is a box, a circle or a core, from the centre of its
/// body's region.
#[inline(always)]
pub(crate) fn placed_box(class: Class, row: &PlacedRow, form: (&Forms, u32)) -> Aabb {
    let PlacedRow { middle: center, rotation, half_size: half, .. } = *row;
    let reach = match class {
        Class::Box => {
            let (cos, sin) = (rotation.cos.abs(), rotation.sin.abs());
            Vec2::new(cos * half.x + sin * half.y, sin * half.x + cos * half.y)
        }
        Class::Circle => Vec2::splat(half.x),
        Class::Core | Class::Other => {
            let (low, high) = form.0.bounds(form.1, rotation);
            return Aabb { min: center + low, max: center + high };
        }
    };
    Aabb { min: center - reach, max: center + reach }
}
