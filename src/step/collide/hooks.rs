//! Pairs that may pass: one-way parts, and the hooks of the program.
//!
//! In: a contact and its manifold. Out: the contact, perhaps with another surface, or none in this
//! step. A one-way part is data and needs no hook. Hooks are pure functions of their arguments, so
//! that a step may call them in any order.

use core::fmt;
use glam::Vec2;
use std::sync::Arc;

use super::tile_ghosts::{found_of, highest};
use super::write::FoundContact;
use crate::ablate::Rule;
use crate::body::{Body, BodyId, Collider, ShapeId};
use crate::broadphase::Pair;
use crate::contact::flag;
use crate::tuning::SurfaceTuning;
use crate::world::World;
use crate::world::record::Input;

/// Two shapes whose boxes overlap, as hooks see them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PairView<'w> {
    /// One shape.
    pub a: ShapeId,
    /// The other one.
    pub b: ShapeId,
    /// The shape `a` itself.
    pub shape_a: &'w Collider,
    /// The shape `b` itself.
    pub shape_b: &'w Collider,
    /// The body of `a`.
    pub body_id_a: BodyId,
    /// The body of `b`.
    pub body_id_b: BodyId,
    /// The body of `a` itself.
    pub body_a: &'w Body,
    /// The body of `b` itself.
    pub body_b: &'w Body,
}

/// The values of a contact that a contact hook may change, for this step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactEdit {
    /// From `a` to `b`; to be read.
    pub normal: Vec2,
    /// Least distance of the surfaces; to be read.
    pub separation: f32,
    /// Whether the two push each other at all.
    pub solid: bool,
    /// Coulomb's coefficient while nothing slides.
    pub static_friction: f32,
    /// Coulomb's coefficient while the surfaces slide.
    pub kinetic_friction: f32,
    /// Share of the approach speed that is given back, 0 to 1.
    pub restitution: f32,
    /// Speed of one surface along the other, in m/s.
    pub tangent_speed: f32,
}

type Filter = dyn Fn(&PairView) -> bool + Send + Sync;
type Modify = dyn Fn(&PairView, &mut ContactEdit) + Send + Sync;

/// The two hooks of a world. They are not state: a copy of the world shares them.
#[derive(Clone, Default)]
pub(crate) struct Hooks {
    filter: Option<Arc<Filter>>,
    modify: Option<Arc<Modify>>,
}

#[cfg(feature = "record")]
impl Hooks {
    /// Whether there is a filter hook, and a contact hook.
    pub(crate) fn are_set(&self) -> [bool; 2] {
        [self.filter.is_some(), self.modify.is_some()]
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (filter, modify) = (self.filter.is_some(), self.modify.is_some());
        f.debug_struct("Hooks").field("filter", &filter).field("modify", &modify).finish()
    }
}

impl World {
    /// Calls `allows` for every two shapes before they touch for the first time, after their
    /// filters allowed it: as soon as their boxes overlap, or later.
    ///
    /// It must give the same answer for the same pair. It is called once per pair; to have it
    /// called again, set a filter of one of the shapes.
    pub fn set_filter_hook(&mut self, allows: impl Fn(&PairView) -> bool + Send + Sync + 'static) {
        self.note(|| Input::SetFilterHook {});
        self.hooks.filter = Some(Arc::new(allows));
    }

    /// Calls `modify` for every contact of a shape whose
    /// [`ShapeDef::contact_hook`](crate::ShapeDef) is set, in every step in which its surfaces are
    /// near.
    pub fn set_contact_hook(&mut self, modify: impl Fn(&PairView, &mut ContactEdit) + Send + Sync + 'static) {
        self.note(|| Input::SetContactHook {});
        self.hooks.modify = Some(Arc::new(modify));
    }

    /// Removes both hooks.
    pub fn clear_hooks(&mut self) {
        self.note(|| Input::ClearHooks {});
        self.filtered = self.is_filtered();
        self.hooks = Hooks::default();
    }

    /// Whether a pair may be without a contact because a filter hook forbade it: true if a hook is
    /// set, or was set once.
    pub(crate) fn is_filtered(&self) -> bool {
        self.filtered || self.hooks.filter.is_some()
    }

    /// The answer of the filter hook for a pair.
    pub(crate) fn hook_allows(&self, pair: Pair) -> bool {
        let Some(allows) = &self.hooks.filter else { return true };
        let allowed = allows(&self.view(pair));
        self.note_decision(&[u32::from(allowed)]);
        allowed
    }

    fn view(&self, pair: Pair) -> PairView<'_> {
        let (a, b) = (&self.shapes.proxies.rows[pair.a as usize], &self.shapes.proxies.rows[pair.b as usize]);
        PairView {
            a: self.shape_id(a.shape),
            b: self.shape_id(b.shape),
            shape_a: &self.shapes.colliders[a.shape as usize],
            shape_b: &self.shapes.colliders[b.shape as usize],
            body_id_a: self.body_id(a.body),
            body_id_b: self.body_id(b.body),
            body_a: &self.bodies.rows[a.body as usize],
            body_b: &self.bodies.rows[b.body as usize],
        }
    }

    /// Whether a contact is left out of this step, by a one-way part or by the hook, which may also
    /// change it. A one-way part may replace the found manifold by one with its own face; `reach`
    /// is how far the two come towards each other in this step.
    pub(crate) fn lets_through(&mut self, contact: u32, found: &mut FoundContact, reach: f32) -> bool {
        let flags = self.contacts.link[contact as usize].flags;
        if flags & flag::ONE_WAY != 0 && self.passes_one_way(contact, found, reach) {
            return true;
        }
        flags & flag::HOOKED != 0 && found.count > 0 && !self.modify(contact, found)
    }

    /// The one-way rule. A body that comes from behind or from the side, or that overlaps already,
    /// passes until it is wholly above the face. This also holds without a manifold, as between a
    /// body and a segment of a chain whose neighbour has the contact.
    ///
    /// The position decides, not the velocity of the centre: a crate that tips over its corner
    /// rises while the corner comes down.
    fn passes_one_way(&mut self, contact: u32, found: &mut FoundContact, reach: f32) -> bool {
        let link = &self.contacts.link[contact as usize];
        let platforms = [(link.body_b, false), (link.body_a, true)];
        let solid =
            platforms.into_iter().all(|(other, of_b)| self.is_solid((contact, other), of_b, found, reach));
        self.contacts.set(contact, flag::PASSING, !solid);
        !solid
    }

    /// Whether one of the two parts of a contact, of B or of A, is solid for the other, which
    /// belongs to the body `other`. If it is solid, and the found normal is not the normal of its
    /// face, the manifold is replaced by a manifold with its face.
    fn is_solid(
        &self,
        (contact, other): (u32, u32),
        of_b: bool,
        found: &mut FoundContact,
        reach: f32,
    ) -> bool {
        let of = self.contacts.pair[contact as usize];
        let part = &self.shapes.proxies.rows[if of_b { of.b } else { of.a } as usize];
        let Some(direction) = self.shapes.colliders[part.shape as usize].one_way_at(part.part) else {
            return true;
        };
        let up = self.bodies.rows[part.body as usize].rotation() * direction.normalize_or_zero();
        let normal = found.row.normal;
        let faces_up = (if of_b { -normal } else { normal }).dot(up) > SurfaceTuning::SOLID;
        let pair = self.pair_of(contact, other);
        let faces = self.faces_of(&pair);
        // The height of the lowest point over the upper face that it is highest above. Round parts
        // have no face.
        let top = faces.as_ref().and_then(|(faces, seen)| {
            highest(faces, |face| (seen.rotation * faces.normal(face)).dot(up) > SurfaceTuning::SOLID)
        });
        let by_normal = if faces_up || found.count == 0 { found.separation() } else { f32::NEG_INFINITY };
        let top = faces.zip(top);
        let height = top.as_ref().map_or(by_normal, |((faces, _), face)| faces.separation(*face));
        let (margins, parted) = (&self.tuning.margins, self.tuning.surfaces.parted);
        let is_above = if self.contacts.has(contact, flag::PASSING) {
            height >= -parted
        } else if self.contacts.has(contact, flag::TOUCHING) {
            faces_up || height >= -margins.speculative
        } else {
            height >= if faces_up { -margins.speculative } else { -margins.flush }
        };
        if Rule::OneWayFace.acts(is_above && !faces_up && found.count > 0) {
            let manifold = top.map(|((faces, seen), face)| {
                faces.manifold(face, margins.speculative + reach).transformed(seen)
            });
            *found = manifold.map_or(FoundContact::NOTHING, |manifold| found_of(&manifold, &pair));
        }
        is_above
    }

    /// Calls the hook for a contact. Returns whether it is still solid.
    fn modify(&mut self, contact: u32, found: &FoundContact) -> bool {
        let Some(modify) = self.hooks.modify.clone() else { return true };
        let pair = self.contacts.pair[contact as usize];
        let surface = self.surface_of(pair);
        let mut edit = ContactEdit {
            normal: found.row.normal,
            separation: found.separation(),
            solid: true,
            static_friction: surface.static_friction,
            kinetic_friction: surface.kinetic_friction,
            restitution: surface.restitution,
            tangent_speed: surface.tangent_speed,
        };
        modify(&self.view(pair), &mut edit);
        // NaN and values out of range are clamped.
        let clean = |x: f32, most: f32| if x >= 0.0 { crate::math::min(x, most) } else { 0.0 };
        let speed =
            if edit.tangent_speed.is_finite() { edit.tangent_speed.clamp(-1.0e9, 1.0e9) } else { 0.0 };
        let surface = crate::body::material::Surface {
            static_friction: clean(edit.static_friction, 1.0e9),
            kinetic_friction: clean(edit.kinetic_friction, 1.0e9),
            restitution: clean(edit.restitution, 1.0),
            tangent_speed: speed,
            ..surface
        };
        let numbers =
            [surface.static_friction, surface.kinetic_friction, surface.restitution, surface.tangent_speed];
        let [rests, slides, bounces, speed] = numbers.map(f32::to_bits);
        self.note_decision(&[u32::from(edit.solid), rests, slides, bounces, speed]);
        self.contacts.set_surface(contact, &surface);
        edit.solid
    }
}
