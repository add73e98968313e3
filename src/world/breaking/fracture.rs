//! Fracture: bodies cut into several.
//!
//! In: a body, and a line or points in the world. Out: a body for each piece, in the frame of the
//! old one: the same position and angle, so that local coordinates keep their meaning. The pieces
//! move as the old body did.
//!
//! ```text
//!   m = M · area share within each shape       the masses of all pieces add up to M
//!   v = V + Ω' × (c - C),   Ω' = Ω I / I'      I' = Σ (I_piece + m |c - C|²): momentum and angular
//!                                              momentum add up; Ω' = Ω but for round borders and
//!                                              bodies with a mass of their own
//! ```

use glam::Vec2;

use super::cells::{Cell, sides_of, voronoi};
use super::clip::mass_of;
use super::pieces::{Made, pieces_of};
use crate::body::{Body, BodyDef, BodyId, BodyKind, Collider, LIGHTEST, ShapeDef, flag};
use crate::error::Error;
use crate::math::{WorldPoint, max};
use crate::shape::{Mass, Shape};
use crate::tuning::{MIN_DYNAMIC_SIZE, MIN_POLYGON_THINNESS, MIN_SIZE};
use crate::world::World;
use crate::world::edit::check::check_place;

/// Most points that a body is broken at.
const MOST_POINTS: usize = 1024;

impl World {
    /// Cuts a body along the straight line through `a` and `b`. Returns the pieces, first all that
    /// are on the left when looking from `a` to `b`; only the body itself if the line misses it.
    ///
    /// The body is replaced by a new one for each connected piece, with the same position and
    /// angle, kind, damping, locks and user data; its shapes keep surface, filter and user data.
    /// Mass, momentum and angular momentum of the pieces add up to the mass and momenta of the
    /// body. Joints of the body end with it. Sensors are not cut: they go with the heaviest piece.
    ///
    /// Round shapes that are cut become polygons of the same area, which are off by 0.5 % of the
    /// radius at most; other round shapes stay round. The mass of pieces too thin for a shape,
    /// about 1e-5 of the coordinates, is added to the rest.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let plank = world.add(BodyDef::dynamic().shape(Shape::rect(4.0, 0.2)))?;
    /// let halves = world.slice(plank, [1.0, 1.0], [1.0, -1.0])?;
    /// assert_eq!(halves.len(), 2);
    /// assert!((world[halves[0]].mass() - 0.2).abs() < 1e-6); // right of x = 1, left of the way down
    /// assert!(world.get(plank).is_none());
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone; points that are not finite or too far out, or that coincide; a solid
    /// shape that has no inside: a segment, chain, half-plane or tile map. The world is unchanged
    /// then.
    pub fn slice(
        &mut self,
        id: BodyId,
        a: impl Into<WorldPoint>,
        b: impl Into<WorldPoint>,
    ) -> Result<Vec<BodyId>, Error> {
        let (a, b) = (a.into(), b.into());
        let body = *self.body_to_break(id)?;
        check_place(a)?;
        check_place(b)?;
        let slop = slop_of(&body, self.def.unit);
        let cells = sides_of(self.to_local(&body, a), self.to_local(&body, b), slop);
        let cells = cells.ok_or(Error::BadNumber("the two points of a line must be apart"))?;
        self.break_up(id, &cells, slop)
    }

    /// Breaks a body into the Voronoi cells of points: each piece is the area that is nearer to one
    /// point than to any other. Returns the pieces in the order of the points.
    ///
    /// The pieces are as [`World::slice`] leaves them. Parts that do not touch become separate
    /// bodies, too; with less than two points that is the only change.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let pane = world.add(BodyDef::dynamic().shape(Shape::rect(2.0, 2.0)))?;
    /// let shards = world.fragment(pane, &[[-0.5, -0.5], [0.5, -0.4], [0.1, 0.6]])?;
    /// assert_eq!(shards.len(), 3);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone; a point that is not finite or too far out, or more than 1,024 of them;
    /// a solid shape that has no inside: a segment, chain, half-plane or tile map. The world is
    /// unchanged then.
    pub fn fragment<P: Copy + Into<WorldPoint>>(
        &mut self,
        id: BodyId,
        points: &[P],
    ) -> Result<Vec<BodyId>, Error> {
        let body = *self.body_to_break(id)?;
        if points.len() > MOST_POINTS {
            return Err(Error::BadNumber("a body is broken at 1024 points at most"));
        }
        let points: Vec<WorldPoint> = points.iter().map(|&point| point.into()).collect();
        points.iter().try_for_each(|&point| check_place(point))?;
        let slop = slop_of(&body, self.def.unit);
        let local: Vec<Vec2> = points.iter().map(|&point| self.to_local(&body, point)).collect();
        let cells = if local.is_empty() { vec![Cell::new()] } else { voronoi(&local, slop) };
        self.break_up(id, &cells, slop)
    }

    fn body_to_break(&self, id: BodyId) -> Result<&Body, Error> {
        self.get(id).ok_or(Error::NoSuchBody(id))
    }

    /// Replaces a body by its pieces in the cells.
    fn break_up(&mut self, id: BodyId, cells: &[Cell], slop: f64) -> Result<Vec<BodyId>, Error> {
        let body = *self.body_to_break(id)?;
        let all: Vec<_> = self.shapes_of(id).collect();
        let solid: Vec<&Collider> = all.iter().map(|(_, it)| *it).filter(|it| !it.traits.sensor).collect();
        let mut pieces = pieces_of(&solid, cells, slop)?;
        if body.has(flag::DYNAMIC) {
            let unit = self.def.unit;
            pieces.iter_mut().for_each(|piece| piece.retain(|made| is_large_enough(&made.shape, unit)));
            pieces.retain(|piece| !piece.is_empty());
        }
        if pieces.len() < 2 {
            return Ok(vec![id]);
        }
        let densities = densities(&body, &solid, &pieces);
        let mut defs: Vec<BodyDef> =
            pieces.iter().map(|piece| piece_def(&body, piece, &solid, &densities)).collect();
        for def in &mut defs {
            (def.gravity, def.max_speed) = (self.gravity_of(id), self.max_speed_of(id));
            def.dominance = self.dominance_of(id);
        }
        let masses: Vec<Mass> = pieces.iter().map(|piece| mass_at(piece, &densities)).collect();
        set_motion(&body, &masses, &mut defs);
        let heaviest =
            (0..masses.len()).rev().max_by(|&a, &b| masses[a].mass.total_cmp(&masses[b].mass)).unwrap_or(0);
        let sensors = all.iter().filter(|(_, it)| it.traits.sensor);
        let areas: Vec<_> = sensors.clone().map(|(sensor, _)| self.area(*sensor).copied()).collect();
        let first_sensor = defs[heaviest].shapes.len();
        defs[heaviest].shapes.extend(sensors.map(|(_, it)| def_of(it)));
        // Pieces are added before the body is removed: a refused piece leaves the body as it is.
        let ids = self.add_all(defs)?;
        let carriers: Vec<_> =
            self.shapes_of(ids[heaviest]).map(|(shape, _)| shape).skip(first_sensor).collect();
        for (shape, area) in carriers.into_iter().zip(areas) {
            if area.is_some() {
                self.set_area(shape, area)?;
            }
        }
        self.remove(id)?;
        Ok(ids)
    }
}

/// Rounding of the body's corners: thinner parts are not kept.
fn slop_of(body: &Body, unit: f32) -> f64 {
    let reach = body.max_extent + body.local_center.abs().max_element();
    f64::from(max(0.25 * MIN_SIZE * unit, 0.1 * MIN_POLYGON_THINNESS * reach))
}

fn is_large_enough(shape: &Shape, unit: f32) -> bool {
    2.0 * shape.bounding_circle().radius >= MIN_DYNAMIC_SIZE * unit
}

/// For each solid shape, the density that keeps the mass of the shape, and of the body, as it was.
fn densities(body: &Body, solid: &[&Collider], pieces: &[Vec<Made>]) -> Vec<f32> {
    let weights: Vec<f64> = solid.iter().map(|it| f64::from(it.mass().mass)).collect();
    let mut areas = vec![0.0_f64; solid.len()];
    for made in pieces.iter().flatten() {
        areas[made.of as usize] += f64::from(made.shape.mass(1.0).mass);
    }
    // A shape without any remaining piece does not count.
    let sum: f64 =
        weights.iter().zip(&areas).filter(|(_, area)| **area > 0.0).map(|(weight, _)| weight).sum();
    let total = f64::from(body.mass());
    let is_moved = body.has(flag::DYNAMIC);
    let density = |k: usize| {
        if is_moved && sum <= f64::from(LIGHTEST) {
            return total / areas.iter().sum::<f64>();
        }
        let share = if is_moved { total / sum } else { 1.0 };
        if areas[k] > 0.0 { share * weights[k] / areas[k] } else { 0.0 }
    };
    (0..solid.len()).map(|k| density(k) as f32).collect()
}

fn mass_at(piece: &[Made], densities: &[f32]) -> Mass {
    let shapes: Vec<(Shape, f32)> =
        piece.iter().map(|made| (made.shape.clone(), densities[made.of as usize])).collect();
    mass_of(&shapes)
}

/// The definition of an existing shape.
pub(super) fn def_of(it: &Collider) -> ShapeDef {
    ShapeDef {
        shape: Shape::clone(&it.shape),
        weight: it.traits.weight,
        material: it.traits.material,
        part_materials: it.traits.part_materials.clone(),
        filter: it.traits.filter,
        sensor: it.traits.sensor,
        one_way: it.traits.one_way,
        contact_hook: it.traits.hooked,
        user_data: it.user_data,
    }
}

/// Returns the definition of an existing shape with new geometry, made of the listed parts of the
/// old geometry.
pub(super) fn reshaped(it: &Collider, shape: Shape, parts: &[u32]) -> ShapeDef {
    let is_plain = it.traits.part_materials.is_empty();
    let materials = || parts.iter().map(|&part| *it.material_of(part as usize)).collect();
    let part_materials = if is_plain { Vec::new() } else { materials() };
    ShapeDef { shape, part_materials, ..def_of(it) }
}

/// A piece, at rest.
fn piece_def(body: &Body, piece: &[Made], solid: &[&Collider], densities: &[f32]) -> BodyDef {
    let shape = |made: &Made| {
        let def = reshaped(solid[made.of as usize], made.shape.clone(), &made.parts);
        def.density(densities[made.of as usize])
    };
    BodyDef {
        kind: body.kind(),
        position: body.world_position(),
        angle: body.angle(),
        linear_damping: body.linear_damping(),
        angular_damping: body.angular_damping(),
        gravity_scale: body.gravity_scale(),
        locks: body.locks(),
        can_sleep: body.can_sleep(),
        enabled: body.is_enabled(),
        shapes: piece.iter().map(shape).collect(),
        user_data: body.user_data(),
        ..BodyDef::fixed()
    }
}

/// Gives the pieces the motion that the body had.
fn set_motion(body: &Body, masses: &[Mass], defs: &mut [BodyDef]) {
    let (velocity, spin) = (body.velocity(), body.angular_velocity());
    if body.kind() != BodyKind::Dynamic {
        // All pieces have the frame of the body, and a definition gives the velocity of that
        // frame's origin.
        defs.iter_mut().for_each(|def| (def.linear_velocity, def.angular_velocity) = (velocity, spin));
        return;
    }
    let whole = Mass::sum(masses);
    let about = |mass: &Mass| {
        let arm = mass.center.as_dvec2() - whole.center.as_dvec2();
        f64::from(mass.inertia) + f64::from(mass.mass) * arm.length_squared()
    };
    let inertia: f64 = masses.iter().map(about).sum();
    let ratio = f64::from(body.inertia()) / inertia;
    let spin = if ratio.is_finite() { (f64::from(spin) * ratio) as f32 } else { spin };
    for (def, mass) in defs.iter_mut().zip(masses) {
        let arm = body.rotation() * (mass.center - whole.center);
        (def.linear_velocity, def.angular_velocity) = (velocity + arm.perp() * spin, spin);
    }
}
