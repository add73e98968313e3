//! Holes in the shapes of a body.
//!
//! In: a body and a placed shape. Out: the same body without the area of that shape.
//!
//! Only convex parts that the hole meets are cut, and only shapes that have such parts change. To
//! keep these small, a shape of many parts is first split into shapes of neighbouring parts: the
//! hole of a bullet costs the same in a landscape of any size.
//!
//! ```text
//!        +-----------+     the area outside of the first edge of the hole is cut off as a part,
//!        |   ___|____|     then the area outside of the second edge, and so on: as many parts as
//!        |__/   \    |     edges at most, and none if the part does not meet the hole
//!        | |\___/|   |
//!        +-|-----|---+
//! ```

use glam::{DVec2, Vec2};

use super::clip::{HalfPlane, Knife, Outlines, Side, area, corners_by, corners_of, push_polygons};
use super::fracture::reshaped;
use super::pieces::{as_one, part_shape};
use crate::body::{BodyId, BodyKind, Collider, ShapeDef, ShapeId, Weight, flag};
use crate::bounds::Aabb;
use crate::broadphase::WorldAabb;
use crate::error::Error;
use crate::math::{Transform, max};
use crate::shape::{Polygon, Shape};
use crate::tuning::{MIN_DYNAMIC_SIZE, MIN_POLYGON_THINNESS, MIN_SIZE};
use crate::util::sort;
use crate::world::World;
use crate::world::query::PlacedShape;
use crate::world::record::Input;

/// A shape of more parts than this is split before a hole is subtracted from it,
const MOST_PARTS_AT_ONCE: usize = 32;
/// into shapes of about this many.
const PARTS_OF_CHUNK: usize = 12;

/// Corners of a round hole.
const HOLE_CORNERS: usize = 16;

/// Remains of a part smaller in both extents than this share of the hole are removed, too.
const CRUMB: f32 = 0.05;

/// A convex part of a hole, in the frame of the body.
struct Hole {
    corners: Vec<Vec2>,
    edges: Vec<HalfPlane>,
    aabb: Aabb,
    /// Rounding of its corners.
    slop: f64,
    crumb: f32,
}

/// A shape that changes: its parts after that.
pub(super) struct Change {
    pub(super) shape: ShapeId,
    pub(super) parts: Vec<Left>,
}

/// A remaining part: the part it comes from, and whether that part is unchanged.
pub(super) struct Left {
    pub(super) form: Shape,
    pub(super) of: u32,
    pub(super) is_whole: bool,
}

impl World {
    /// Removes the area of `hole` from the solid shapes of a body: a crater, a tunnel, a bite.
    /// Returns whether anything was removed.
    ///
    /// The body keeps its id; a dynamic one gets lighter, and its remaining points keep their
    /// velocities. Disconnected areas stay one body until [`World::fragment`] without points
    /// separates them. Shapes keep their ids, except shapes of more than 32 convex parts, which are
    /// split into several the first time, and shapes that the hole removes entirely. On a fixed
    /// body only parts that the hole meets change: bodies that touch them wake, and others sleep
    /// on. Round holes are polygons of 16 corners and the same area; other round shapes that are
    /// met become polygons as in [`World::slice`]. Crumbs of a twentieth of the hole or less are
    /// removed, too.
    ///
    /// ```
    /// use carom::{PlacedShape, prelude::*};
    ///
    /// let mut world = World::default();
    /// let hill = world.add(BodyDef::fixed().shape(Shape::outline(&[[-9.0, 0.0], [9.0, 0.0], [0.0, 6.0]])))?;
    /// let blast = Shape::circle(1.0);
    /// assert!(world.subtract(hill, &PlacedShape::at(&blast, [0.0, 5.5]))?);
    /// assert!(!world.subtract(hill, &PlacedShape::at(&blast, [0.0, 9.0]))?); // in the air
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone; a position or rotation that is not finite; a hole without an inside; a
    /// hole near a solid shape without an inside: a segment, chain, half-plane or tile map. The
    /// world is unchanged then.
    pub fn subtract(&mut self, id: BodyId, hole: &PlacedShape) -> Result<bool, Error> {
        self.note(|| Input::Subtract {
            id,
            shape: hole.shape.clone(),
            position: hole.position,
            turn: Vec2::new(hole.rotation.cos, hole.rotation.sin),
        });
        // The inner calls are not calls of the program, and are not recorded.
        let log = self.log.take();
        let is_any = self.take_off(id, hole);
        self.log = log;
        is_any
    }

    fn take_off(&mut self, id: BodyId, hole: &PlacedShape) -> Result<bool, Error> {
        let body = *self.get(id).ok_or(Error::NoSuchBody(id))?;
        if !(hole.position.is_valid() && hole.rotation.is_valid()) {
            return Err(Error::BadNumber("a hole must be at a place of the world"));
        }
        let holes = holes_of(hole.shape, self.def.unit, self.to_local(&body, hole.position), &|p| {
            body.rotation().inverse_rotate(hole.rotation * p)
        })?;
        let mut changes = self.changes_by(id, &holes, &[])?;
        let is_large = |change: &Change| self[change.shape].shape.piece_count() > MOST_PARTS_AT_ONCE;
        let large: Vec<ShapeId> = changes.iter().filter(|it| is_large(it)).map(|it| it.shape).collect();
        if !large.is_empty() {
            self.take_apart(id, &large)?;
            // The changes of other shapes are known.
            let known = core::mem::take(&mut changes);
            let others: Vec<ShapeId> = known.iter().map(|it| it.shape).collect();
            changes = self.changes_by(id, &holes, &others)?;
            changes.extend(known.into_iter().filter(|it| !large.contains(&it.shape)));
            let order = self.shapes_near(id, &holes);
            sort::by_key(&mut changes, |it| order.iter().position(|&shape| shape == it.shape));
        }
        self.check_room_for_parts(changes.iter().map(|change| change.parts.len()).sum())?;
        let is_any = !changes.is_empty();
        let stands = self.stands(id);
        for change in changes {
            if stands {
                self.change_in_place(change);
            } else {
                self.carry_out(id, change)?;
            }
        }
        Ok(is_any)
    }

    /// Returns the changes of the solid shapes of a body by holes, without the shapes in `except`.
    /// The changes of large shapes are empty: these are split first.
    fn changes_by(&self, id: BodyId, holes: &[Hole], except: &[ShapeId]) -> Result<Vec<Change>, Error> {
        let mut changes = Vec::new();
        let mut cutter = Cutter::default();
        for shape in self.shapes_near(id, holes) {
            let collider = &self[shape];
            if collider.traits.sensor || except.contains(&shape) || !is_met(&collider.shape, holes) {
                continue;
            }
            if !has_inside(&collider.shape) {
                return Err(Error::NotSolid);
            }
            if collider.shape.piece_count() <= MOST_PARTS_AT_ONCE {
                changes.extend(self.change_of(shape, holes, &mut cutter));
            } else if self.is_cut(shape, holes, &mut cutter) {
                changes.push(Change { shape, parts: Vec::new() });
            }
        }
        Ok(changes)
    }

    /// Whether any part of a shape is cut.
    fn is_cut(&self, id: ShapeId, holes: &[Hole], cutter: &mut Cutter) -> bool {
        let shape = &self[id].shape;
        (0..shape.piece_count()).any(|part| {
            let piece = shape.piece(part);
            let aabb = piece.aabb(Transform::IDENTITY);
            let near: Vec<&Hole> = holes.iter().filter(|hole| hole.aabb.overlaps(&aabb)).collect();
            let is_cut = |corners: Vec<Vec2>| cutter.without_all(&corners, &near).is_some();
            !near.is_empty() && corners_of(&piece).is_some_and(is_cut)
        })
    }

    /// Shapes of a body that holes may meet; for a fixed body by a query of the grid. (With a check
    /// of all 340 shapes of a landscape a hole took 0.13 ms instead of 0.10.)
    fn shapes_near(&self, id: BodyId, holes: &[Hole]) -> Vec<ShapeId> {
        let body = &self[id];
        if !self.stands(id) {
            return self.shapes_of(id).map(|(shape, _)| shape).collect();
        }
        let mut slots = Vec::new();
        for Hole { aabb: Aabb { min, max }, .. } in holes {
            let corners = [*min, Vec2::new(max.x, min.y), *max, Vec2::new(min.x, max.y)];
            let aabb = Aabb::around_points(&corners.map(|corner| body.local_transform().apply(corner)));
            self.grid.query(&WorldAabb { region: body.region, aabb }, |proxy| {
                let row = &self.shapes.proxies.rows[proxy as usize];
                if row.body as usize == id.index() {
                    slots.push(row.shape);
                }
                true
            });
        }
        slots.sort_unstable();
        slots.dedup();
        slots.into_iter().map(|slot| self.shape_id(slot)).collect()
    }

    /// Whether the parts of a body are in the grid, and do not move.
    fn stands(&self, id: BodyId) -> bool {
        self[id].kind() == BodyKind::Fixed && self[id].is_enabled()
    }

    /// Splits shapes of many parts.
    fn take_apart(&mut self, id: BodyId, shapes: &[ShapeId]) -> Result<(), Error> {
        for &shape in shapes {
            let chunks = chunks_of(&self[shape]);
            if self.stands(id) {
                self.part_in_place(shape.index() as u32, chunks)?;
                continue;
            }
            for (chunk, _) in chunks {
                self.attach(id, chunk)?;
            }
            self.detach(shape)?;
        }
        Ok(())
    }

    /// The shape without holes; `None` if it is unchanged.
    fn change_of(&self, id: ShapeId, holes: &[Hole], cutter: &mut Cutter) -> Option<Change> {
        let collider = self.get_shape(id)?;
        let shape = &collider.shape;
        let mut cut: Vec<(u32, Vec<Polygon>)> = Vec::new();
        let mut near: Vec<&Hole> = Vec::new();
        for part in 0..shape.piece_count() as u32 {
            let piece = shape.piece(part as usize);
            let aabb = piece.aabb(Transform::IDENTITY);
            near.clear();
            near.extend(holes.iter().filter(|hole| hole.aabb.overlaps(&aabb)));
            if near.is_empty() {
                continue;
            }
            let left = corners_of(&piece).and_then(|corners| cutter.without_all(&corners, &near));
            cut.extend(left.map(|left| (part, left)));
        }
        if cut.is_empty() {
            return None;
        }
        let (mut parts, mut cut) = (Vec::new(), cut.into_iter().peekable());
        for part in 0..shape.piece_count() as u32 {
            match cut.next_if(|(number, _)| *number == part) {
                None => parts.push(Left { form: part_shape(shape, part), of: part, is_whole: true }),
                Some((_, left)) => parts.extend(left.into_iter().map(|it| Left {
                    form: Shape::Polygon(it),
                    of: part,
                    is_whole: false,
                })),
            }
        }
        if self.bodies.rows[collider.body as usize].has(flag::DYNAMIC) {
            let boxes = parts.iter().map(|left| left.form.aabb(Transform::IDENTITY));
            let all = boxes.fold(Aabb::EMPTY, |all, it| all.union(it));
            if (all.max - all.min).max_element() < MIN_DYNAMIC_SIZE * self.def.unit {
                parts.clear();
            }
        }
        Some(Change { shape: id, parts })
    }

    fn carry_out(&mut self, id: BodyId, change: Change) -> Result<(), Error> {
        let collider = self[change.shape].clone();
        let (forms, numbers): (Vec<Shape>, Vec<u32>) =
            change.parts.into_iter().map(|left| (left.form, left.of)).unzip();
        let Some(form) = as_one(forms) else { return self.detach(change.shape) };
        if let Weight::Mass(_) = collider.traits.weight {
            self.set_weight(change.shape, Weight::Density(density_of(&collider)))?;
        }
        if collider.traits.part_materials.is_empty() {
            return self.set_shape(change.shape, form);
        }
        let def = reshaped(&collider, form, &numbers);
        self.attach(id, ShapeDef { weight: Weight::Density(density_of(&collider)), ..def })?;
        self.detach(change.shape)
    }
}

/// Splits a shape of many parts into shapes of a few neighbouring ones, each with the indices of
/// its parts.
fn chunks_of(collider: &Collider) -> Vec<(ShapeDef, Vec<u32>)> {
    let mut parts: Vec<(Aabb, u32)> = (0..collider.shape.piece_count() as u32)
        .map(|part| (collider.shape.piece(part as usize).aabb(Transform::IDENTITY), part))
        .collect();
    let weight = Weight::Density(density_of(collider));
    let mut chunks = Vec::new();
    cut_by_place(&mut parts, &mut |chunk: &[(Aabb, u32)]| {
        let numbers: Vec<u32> = chunk.iter().map(|(_, part)| *part).collect();
        let forms = numbers.iter().map(|&part| part_shape(&collider.shape, part)).collect();
        if let Some(form) = as_one(forms) {
            chunks.push((ShapeDef { weight, ..reshaped(collider, form, &numbers) }, numbers));
        }
    });
    chunks
}

/// The density of a shape.
pub(super) fn density_of(collider: &Collider) -> f32 {
    let area = || collider.shape.mass(1.0).mass;
    match collider.traits.weight {
        Weight::Density(density) => density,
        Weight::Mass(mass) => {
            if area() > 0.0 {
                mass / area()
            } else {
                0.0
            }
        }
    }
}

/// Whether all of a shape's parts have a finite area above 0.
fn has_inside(shape: &Shape) -> bool {
    match shape {
        Shape::Circle(_) | Shape::Capsule(_) | Shape::Obb(_) | Shape::Polygon(_) | Shape::Polar(_) => true,
        Shape::Compound(compound) => compound.has_inside(),
        Shape::Segment(_) | Shape::Chain(_) | Shape::Tiles(_) | Shape::HalfPlane(_) | Shape::Invalid(_) => {
            false
        }
    }
}

fn is_met(shape: &Shape, holes: &[Hole]) -> bool {
    let aabb = match shape {
        Shape::Compound(compound) => compound.tree_aabb(),
        _ => shape.aabb(Transform::IDENTITY),
    };
    holes.iter().any(|hole| hole.aabb.overlaps(&aabb))
}

/// Calls `chunk` with groups of neighbouring parts, found by halving.
fn cut_by_place(parts: &mut [(Aabb, u32)], chunk: &mut impl FnMut(&[(Aabb, u32)])) {
    if parts.len() <= PARTS_OF_CHUNK {
        chunk(parts);
        return;
    }
    let all = parts.iter().fold(Aabb::EMPTY, |all, (aabb, _)| all.union(*aabb));
    let size = all.max - all.min;
    let middle = |part: &(Aabb, u32)| {
        if size.x >= size.y { part.0.min.x + part.0.max.x } else { part.0.min.y + part.0.max.y }
    };
    sort::by(parts, |a, b| middle(a).total_cmp(&middle(b)).then(a.1.cmp(&b.1)));
    let (low, high) = parts.split_at_mut(parts.len() / 2);
    cut_by_place(low, chunk);
    cut_by_place(high, chunk);
}

/// The convex parts of a hole, in the frame of the body.
fn holes_of(shape: &Shape, unit: f32, origin: Vec2, turn: &dyn Fn(Vec2) -> Vec2) -> Result<Vec<Hole>, Error> {
    if let Shape::Invalid(error) = shape {
        return Err((*error).into());
    }
    if !has_inside(shape) {
        return Err(Error::NotSolid);
    }
    let hole = |part: usize| {
        let corners = corners_by(&shape.piece(part), HOLE_CORNERS).ok_or(Error::NotSolid)?;
        let corners: Vec<Vec2> = corners.into_iter().map(|p| turn(p) + origin).collect();
        let aabb = Aabb::around_points(&corners);
        let slop = f64::from(max(
            0.25 * MIN_SIZE * unit,
            0.1 * MIN_POLYGON_THINNESS * corners.iter().fold(0.0, |most, p| max(most, p.abs().max_element())),
        ));
        let edge = |i: usize| {
            let (p, q) = (corners[i].as_dvec2(), corners[(i + 1) % corners.len()].as_dvec2());
            let along = (q - p).normalize_or_zero();
            let normal = DVec2::new(-along.y, along.x);
            HalfPlane { normal, offset: normal.dot(p), slop }
        };
        let edges: Vec<HalfPlane> =
            (0..corners.len()).map(edge).filter(|edge| edge.normal != DVec2::ZERO).collect();
        let crumb = CRUMB * (aabb.max - aabb.min).min_element();
        Ok(Hole { corners, edges, aabb, slop, crumb })
    };
    (0..shape.piece_count()).map(hole).collect()
}

impl Hole {
    /// Whether it may have an area in common with a convex outline; false if an edge of either
    /// outline separates them. (Half of the parts near a hole only touch the box around it: with
    /// this test, 600 holes of bullets take 0.8 of the instructions.)
    fn may_meet(&self, corners: &[Vec2]) -> bool {
        let parts = |edge: &HalfPlane| corners.iter().all(|&p| edge.depth(p) <= 0.0);
        !self.edges.iter().any(parts) && !self.is_beyond_an_edge(corners)
    }

    /// Whether it lies on the right of an edge of a convex outline.
    fn is_beyond_an_edge(&self, corners: &[Vec2]) -> bool {
        (0..corners.len()).any(|i| {
            let (p, q) = (corners[i].as_dvec2(), corners[(i + 1) % corners.len()].as_dvec2());
            self.corners.iter().all(|r| (q - p).perp_dot(r.as_dvec2() - p) <= 0.0)
        })
    }
}

/// Cuts holes out of convex parts; lists are used again from part to part.
#[derive(Default)]
struct Cutter {
    knife: Knife,
    rest: Vec<Vec2>,
    left: Outlines,
    next: Outlines,
}

impl Cutter {
    /// A convex part without holes; `None` if it is unchanged.
    fn without_all(&mut self, corners: &[Vec2], holes: &[&Hole]) -> Option<Vec<Polygon>> {
        self.left.truncate(0);
        self.left.push(corners);
        let (mut is_changed, mut crumb) = (false, 0.0_f32);
        for hole in holes {
            let left = core::mem::take(&mut self.left);
            self.next.truncate(0);
            for part in left.iter() {
                if self.without(part, hole) {
                    (is_changed, crumb) = (true, max(crumb, hole.crumb));
                } else {
                    self.next.push(part);
                }
            }
            self.left = core::mem::replace(&mut self.next, left);
        }
        if !is_changed {
            return None;
        }
        let mut polygons = Vec::with_capacity(self.left.len());
        for part in self.left.iter() {
            push_polygons(part, |polygon| {
                let size = polygon.aabb(Transform::IDENTITY);
                if (size.max - size.min).max_element() >= crumb {
                    polygons.push(polygon);
                }
            });
        }
        Some(polygons)
    }

    /// Appends a convex outline without a hole, as convex outlines, to the next ones; false, and
    /// nothing is appended, if they do not meet.
    fn without(&mut self, corners: &[Vec2], hole: &Hole) -> bool {
        if !hole.may_meet(corners) {
            return false;
        }
        let before = self.next.len();
        self.rest.clear();
        self.rest.extend_from_slice(corners);
        for edge in &hole.edges {
            match self.knife.divide(&self.rest, edge) {
                Side::Left => {}
                Side::Right => {
                    self.next.truncate(before);
                    return false;
                }
                Side::Both => {
                    if self.knife.outside.len() >= 3 {
                        self.next.push(&self.knife.outside);
                    }
                    core::mem::swap(&mut self.rest, &mut self.knife.inside);
                }
            }
        }
        // A hole that only touches changes nothing.
        let size = Aabb::around_points(&self.rest);
        let length = f64::from((size.max - size.min).max_element());
        if area(&self.rest) > hole.slop * length {
            return true;
        }
        self.next.truncate(before);
        false
    }
}
