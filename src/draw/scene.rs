//! The scene: the parts, bodies and joints in view, with their places relative to the origin and
//! their colours.
//!
//! In: a world and options. Out: lists of things to draw, in the order of ids, made once for all
//! layers. If there is a view, the grid finds them, so that a small view of a large world costs
//! little.

use glam::Vec2;

use super::color::Color;
use super::islands;
use super::options::DrawOptions;
use crate::body::{Body, NONE, flag};
use crate::bounds::Aabb;
use crate::broadphase::WorldAabb;
use crate::math::{Transform, WorldPoint, max, min};
use crate::shape::Piece;
use crate::util::sort;
use crate::world::World;

/// Without a view, half-planes and infinite boxes are drawn this far from the origin, in metres.
const FAR_SIDE: f32 = 256.0;

/// The farthest coordinate that is drawn: so coordinates stay finite.
const FARTHEST_DRAWN: f32 = 1.0e7;

/// A world with the lists of things to draw.
pub(super) struct Scene<'w> {
    pub(super) world: &'w World,
    pub(super) options: &'w DrawOptions,
    /// Parts in view, by their ids in the grid; the parts of one shape follow each other.
    pub(super) parts: Vec<u32>,
    /// Slots of the bodies that own the parts, ascending; without a view all bodies.
    pub(super) bodies: Vec<u32>,
    /// The least slot of the island of each body, by slot; empty if islands are not drawn.
    islands: Vec<u32>,
    /// Slots of the bodies that froze in the last step.
    frozen: Vec<u32>,
    /// The frame at which infinite shapes are cut off.
    pub(super) frame: Aabb,
}

impl<'w> Scene<'w> {
    /// Lists the things to draw; `None` if nothing can be seen.
    pub(super) fn new(world: &'w World, options: &'w DrawOptions) -> Option<Scene<'w>> {
        let DrawOptions { mark, velocity_scale, impulse_scale, .. } = *options;
        let is_there = options.origin.is_valid()
            && [mark, velocity_scale, impulse_scale].iter().all(|scale| scale.is_finite())
            && options.view.is_none_or(|view| view.is_valid());
        let frame = is_there.then(|| frame_of(options.view))?;
        let mut scene = Scene {
            world,
            options,
            parts: Vec::new(),
            bodies: Vec::new(),
            islands: Vec::new(),
            frozen: world.events().frozen().iter().map(|freeze| freeze.body.index() as u32).collect(),
            frame,
        };
        match options.view {
            Some(view) => scene.look(view),
            None => scene.take_all(),
        }
        if options.islands && options.shapes {
            scene.islands = islands::roots(world);
        }
        Some(scene)
    }

    /// Lists all parts and bodies.
    fn take_all(&mut self) {
        let world = self.world;
        self.parts.extend(world.shapes.slots.iter().flat_map(|shape| world.proxies_of(shape)));
        self.bodies.extend(world.bodies.slots.iter());
        self.sort_parts();
    }

    /// Lists the parts that the grid finds in a view, and their bodies.
    fn look(&mut self, view: Aabb) {
        let WorldPoint { region, local } = self.options.origin;
        let aabb = Aabb { min: view.min + local, max: view.max + local };
        let mut parts = core::mem::take(&mut self.parts);
        self.world.grid.query(&WorldAabb { region, aabb }, |part| {
            parts.push(part);
            true
        });
        // Boxes of the grid are wider than the parts in them.
        parts.retain(|&part| self.box_of(part).overlaps(&view));
        self.bodies.extend(parts.iter().map(|&part| self.world.shapes.proxies.rows[part as usize].body));
        self.bodies.sort_unstable();
        self.bodies.dedup();
        self.parts = parts;
        self.sort_parts();
    }

    fn sort_parts(&mut self) {
        let rows = &self.world.shapes.proxies.rows;
        sort::by_key(&mut self.parts, |&part| (rows[part as usize].shape, rows[part as usize].part));
    }

    /// Returns a place relative to the origin.
    pub(super) fn at(&self, point: WorldPoint) -> Vec2 {
        self.at_beside(point, self.options.view.map(|view| view.center()))
    }

    /// Returns a place relative to the origin. In a world that wraps round, takes the image nearest
    /// to another place, if there is one.
    pub(super) fn at_beside(&self, point: WorldPoint, other: Option<Vec2>) -> Vec2 {
        let origin = self.options.origin;
        let image = other.map_or(point, |other| self.world.nearest_image(point, origin.offset(other)));
        origin.to(image)
    }

    pub(super) fn body(&self, slot: u32) -> &'w Body {
        &self.world.bodies.rows[slot as usize]
    }

    /// Returns the transform of a body's frame.
    pub(super) fn place_of(&self, body: &Body) -> Transform {
        let position = self.at(body.center_point()) - body.rotation * body.local_center;
        Transform { position, rotation: body.rotation }
    }

    /// Returns a part, and the transform of its body.
    pub(super) fn piece(&self, part: u32) -> (Piece<'w>, Transform) {
        let proxy = &self.world.shapes.proxies.rows[part as usize];
        let piece = self.world.shapes.colliders[proxy.shape as usize].shape.piece(proxy.part as usize);
        (piece, self.place_of(self.body(proxy.body)))
    }

    fn box_of(&self, part: u32) -> Aabb {
        let (piece, at) = self.piece(part);
        piece.aabb(at)
    }

    /// Whether a point is in view.
    pub(super) fn sees(&self, point: Vec2) -> bool {
        self.options.view.is_none_or(|view| view.contains_point(point))
            && point.abs().max_element() <= FARTHEST_DRAWN
    }

    /// Returns the slots of the joints of the bodies in view, ascending; without a view of all
    /// joints.
    pub(super) fn joints(&self) -> Vec<u32> {
        if self.options.view.is_none() {
            return self.world.joints.slots.iter().collect();
        }
        let mut joints: Vec<u32> =
            self.bodies.iter().flat_map(|&body| self.world.joint_slots_of(body)).collect();
        joints.sort_unstable();
        joints.dedup();
        joints
    }

    /// Returns the slots of the contacts in view, ascending; without a view of all contacts.
    pub(super) fn contacts(&self) -> Vec<u32> {
        let world = self.world;
        if self.options.view.is_none() {
            return (1..world.contacts.link.len() as u32).filter(|&slot| world.touches_now(slot)).collect();
        }
        // One body of each contact moves: so skip the ground, which may touch a million bodies.
        let movers = self.bodies.iter().filter(|&&body| self.body(body).has(flag::DYNAMIC | flag::KINEMATIC));
        let mut contacts: Vec<u32> = movers.flat_map(|&body| world.contacts.edges().of(body)).collect();
        contacts.sort_unstable();
        contacts.dedup();
        contacts.retain(|&slot| world.touches_now(slot));
        contacts
    }

    /// Returns the colour of a body.
    pub(super) fn color_of(&self, slot: u32, sensor: bool) -> Color {
        let body = self.body(slot);
        let moves = body.has(flag::DYNAMIC);
        let color = if sensor {
            Color::GREEN
        } else if self.frozen.contains(&slot) {
            Color::RED
        } else if let (true, Some(&island)) = (moves, self.islands.get(slot as usize)) {
            Color::numbered(island)
        } else if moves && self.is_fast(body) {
            Color::ORANGE
        } else if moves {
            Color::BLUE
        } else if body.has(flag::KINEMATIC) {
            Color::PURPLE
        } else {
            Color::GREY
        };
        if self.options.sleep && body.island != NONE { color.pale() } else { color }
    }

    /// Whether the body moved farther in the last step than it is thick, so that continuous
    /// collision detection checked it.
    fn is_fast(&self, body: &Body) -> bool {
        body.min_extent.is_finite() && body.linear_velocity.length() * self.world.step.dt > body.min_extent
    }
}

/// Returns the frame at which infinite shapes are cut off: a little larger than the view.
fn frame_of(view: Option<Aabb>) -> Aabb {
    let Some(view) = view else {
        return Aabb { min: Vec2::splat(-FAR_SIDE), max: Vec2::splat(FAR_SIDE) };
    };
    let within = |v: Vec2| {
        Vec2::new(
            max(min(v.x, FARTHEST_DRAWN), -FARTHEST_DRAWN),
            max(min(v.y, FARTHEST_DRAWN), -FARTHEST_DRAWN),
        )
    };
    let (low, high) = (within(view.min), within(view.max));
    let margin = 0.05 * (high - low).max_element();
    Aabb { min: low - Vec2::splat(margin), max: high + Vec2::splat(margin) }
}
