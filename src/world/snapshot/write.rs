//! Writes the state of a world (serialization): every column goes to a sink, which is an image, a
//! hash or a comparison.
//!
//! In: a world between two steps. Out: rows of words, in one order. Derived data is left out:
//! lists, tight boxes of parts, counts, colours, the layout of joints. `read/` reads the same
//! columns in the order in which images have them.

mod contacts;
mod groups;
mod motion;
mod parts;
mod shapes;

pub(super) use contacts::{AS_BEFORE, AXIS, CONTACT, EightContacts, IDS, IMPULSE, IS_ACTIVE, LINK, LOADS};
pub(super) use groups::turned;
pub(super) use parts::PART;

use super::schema as of;
use crate::body::collider::{Class, place, placed_box};
use crate::body::id::Slots;
use crate::body::state::{HALF, SURFACE};
use crate::body::{Body, NONE, flag as body_flag};
use crate::bounds::Aabb;
use crate::broadphase::{Pair, WorldAabb};
use crate::event::{JointLoss, SensorEvent, Touch};
use crate::joint::state::{DEF, IMPULSES};
use crate::shape::{Shape, state::Outline};
use crate::simd::{Vectors, Words};
use crate::state::{Column, GROUP, Put, Sink};
use crate::step::areas::AREA;
use crate::tuning::HIT_SPEED;
use crate::world::edit::parts::grown;
use crate::world::store::own_laws::LAW;
use crate::world::{World, WorldDef};
use glam::IVec2;

/// Outlines that are written word by word; the others are written as a stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outlines {
    None,
    OfMoving,
    All,
}

/// Words of a body's row: slot, generation, and settings.
pub(super) const BODY: usize = 2 + HALF;

/// Words of a shape's row: slot, generation, body, and the rest.
pub(super) const SHAPE: usize = 3 + SURFACE;

/// Words of a joint's row: slot, generation, made by touch, sum, serial, and its definition.
pub(super) const JOINT: usize = 7 + DEF;

/// Words of a joint's impulses and load.
pub(super) const LOADED: usize = IMPULSES + 3;

/// Difference of a number from the one before: the same for most rows.
pub(super) struct Steps(u32);

impl Steps {
    pub(super) const START: Steps = Steps(u32::MAX);

    pub(super) fn to(&mut self, slot: u32) -> u32 {
        slot.wrapping_sub(core::mem::replace(&mut self.0, slot))
    }

    /// Differences of eight slots from the slots before them.
    #[inline(always)]
    pub(super) fn eight<S: Vectors>(&mut self, simd: S, slots: &[u32; GROUP]) -> [u32; GROUP] {
        let words = Words::load(simd, slots);
        let before = core::mem::replace(&mut self.0, slots[GROUP - 1]);
        (words - words.slide_up(before)).to_array()
    }

    pub(super) fn by(&mut self, step: u32) -> u32 {
        self.0 = self.0.wrapping_add(step);
        self.0
    }
}

/// Whether collision is continuous, and how slow a hit may be, as one word: the flag in the lowest
/// bit, above it the bits in which the speed differs from the default. So the image of a world with
/// the default is that of older versions without the setting.
fn continuous_and_hit_speed(def: &WorldDef) -> u32 {
    (def.hit_speed.abs().to_bits() ^ HIT_SPEED.to_bits()) << 1 | u32::from(def.continuous)
}

/// Inverse of [`continuous_and_hit_speed`].
pub(super) fn of_continuous_and_hit_speed(word: u32) -> (bool, f32) {
    (word & 1 != 0, f32::from_bits(word >> 1 ^ HIT_SPEED.to_bits()))
}

/// Whether bodies may sleep, and how many units a metre has, in the same way.
fn sleep_and_unit(def: &WorldDef) -> u32 {
    (def.unit.to_bits() ^ 1.0_f32.to_bits()) << 1 | u32::from(def.sleep)
}

/// Inverse of [`sleep_and_unit`].
pub(super) fn of_sleep_and_unit(word: u32) -> (bool, f32) {
    (word & 1 != 0, f32::from_bits(word >> 1 ^ 1.0_f32.to_bits()))
}

/// Two flags, and along which axis the world repeats itself after how many regions, in the same
/// way.
fn flags_and_period(flags: [bool; 2], period: IVec2) -> [u32; 2] {
    [u32::from(flags[0]) | (period.x as u32) << 1, u32::from(flags[1]) | (period.y as u32) << 1]
}

/// Inverse of [`flags_and_period`].
pub(super) fn of_flags_and_period(words: [u32; 2]) -> ([bool; 2], IVec2) {
    (words.map(|word| word & 1 != 0), IVec2::from(words.map(|word| (word >> 1) as i32)))
}

impl World {
    /// Estimates the number of bytes of an image.
    pub(super) fn image_size(&self) -> usize {
        let World { bodies, joints, contacts, .. } = self;
        1024 + 36 * bodies.rows.len() + 52 * contacts.len() + 64 * joints.rows.len()
    }

    /// Writes all columns.
    pub(super) fn tell<S: Sink>(&self, outlines: Outlines, sink: &mut S) {
        self.tell_world(outlines, sink);
        self.tell_bodies(sink);
        if self.tell_shapes(sink) {
            self.tell_outlines(outlines, sink);
        } else {
            sink.begin(&of::OUTLINES, 0);
            sink.plain(&of::OUTLINE_WORDS, 1, &[]);
        }
        self.tell_joints(sink);
        if S::IS_IMAGE {
            self.tell_motion(sink);
            self.tell_parts(sink);
        }
        self.tell_pairs(sink);
        self.tell_contacts(sink);
        self.tell_joint_impulses(sink);
        if !S::IS_IMAGE {
            self.tell_motion(sink);
            self.tell_parts(sink);
        }
        self.tell_sleep(sink);
        self.tell_events(sink);
        self.tell_areas(sink);
        self.tell_tiles(sink);
        self.tell_own_laws(sink);
    }

    fn tell_world(&self, outlines: Outlines, sink: &mut impl Sink) {
        let def = &self.def;
        sink.begin(&of::WORLD, 1);
        sink.row::<29>(
            NONE,
            &Put::row(|put| {
                put.vector(def.gravity);
                put.word(def.sub_steps);
                put.float(def.max_speed);
                put.word(sleep_and_unit(def));
                put.word(continuous_and_hit_speed(def));
                put.floats(&[def.sleep_speed, def.sleep_time]);
                let counts = [
                    self.bodies.slots.places(),
                    self.shapes.slots.places(),
                    self.joints.slots.places(),
                    self.contacts.link.len(),
                    self.shapes.proxies.rows.len(),
                    self.islands.count(),
                ];
                put.words(&counts.map(|count| count as u32));
                put.long(self.step.number);
                put.long(self.joints.serial);
                put.floats(&[self.step.dt, self.step.h]);
                put.words(&[self.step.contacts_before as u32, self.step.new_touches as u32]);
                let flags = [self.dirty.colouring, self.dirty.joint_layout];
                put.words(&flags_and_period(flags, def.period));
                put.words(&self.graph.row_cut.words());
                put.flag(self.dirty.regions);
                put.word(self.step.stats.islands as u32);
                // Only for readers of an image: steps do not use it, and a world restored to before
                // its hook was set keeps its hash.
                put.flag(outlines != Outlines::None && self.is_filtered());
            }),
        );
    }

    /// Shapes, body by body, in the order of their lists.
    fn shapes_in_order(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let shapes = |body: u32| self.shape_slots_from(self.bodies.rows[body as usize].first_shape);
        self.bodies.slots.iter().flat_map(move |body| shapes(body).map(move |shape| (body, shape)))
    }

    /// Writes outlines, compounds, chains and tile maps, each once for all bodies; and changed
    /// cells of maps.
    #[inline(never)]
    fn tell_outlines(&self, outlines: Outlines, sink: &mut impl Sink) {
        let mut shapes: Vec<(u64, &Shape)> = Vec::new();
        if outlines != Outlines::None {
            let moves = |body: u32| self.bodies.rows[body as usize].moves();
            let wanted = |&(body, _): &(u32, u32)| outlines == Outlines::All || moves(body);
            let shape = |(_, slot): (u32, u32)| self.shapes.colliders[slot as usize].shape();
            let stamped = |at: (u32, u32)| Some((shape(at).stamp()?, shape(at)));
            let all = || self.shapes_in_order().filter(wanted).filter_map(stamped);
            shapes.reserve_exact(all().count());
            shapes.extend(all());
            shapes.sort_unstable_by_key(|&(stamp, _)| stamp);
            shapes.dedup_by_key(|&mut (stamp, _)| stamp);
        }
        let maps = self.shapes_in_order().map(|(_, slot)| slot);
        let edited: Vec<(u32, Vec<u32>)> = maps
            .filter_map(|slot| Some((slot, self.shapes.colliders[slot as usize].shape.tile_map()?.edits())))
            .filter(|(_, edits)| !edits.is_empty())
            .collect();
        let mut words = Vec::new();
        sink.begin(&of::OUTLINES, shapes.len() + edited.len());
        for (_, shape) in shapes {
            let outline = shape.told_outline(&mut words);
            sink.row::<{ Outline::WIDTH }>(NONE, &outline.map_or([0; Outline::WIDTH], |it| it.row()));
        }
        for (slot, edits) in edited {
            sink.row::<{ Outline::WIDTH }>(NONE, &Outline::of_edits(slot, edits.len()).row());
            words.extend(edits);
        }
        sink.plain(&of::OUTLINE_WORDS, 1, &words);
    }

    fn tell_joints(&self, sink: &mut impl Sink) {
        sink.begin(&of::JOINTS, self.joints.slots.len());
        let mut steps = Steps::START;
        for slot in self.joints.slots.iter() {
            let joint = &self.joints.rows[slot as usize];
            let row = Put::row(|put| {
                put.words(&[steps.to(slot), self.joints.slots.generation_at(slot)]);
                put.flag(joint.by_touch);
                put.long(joint.sum.to_bits());
                put.long(joint.serial);
                put.words(&joint.def.words());
            });
            sink.row::<JOINT>(joint.body_b, &row);
        }
        tell_free(&self.joints.slots, [&of::FREE_JOINTS, &of::RETIRED_JOINTS], sink);
    }

    #[inline(never)]
    fn tell_pairs(&self, sink: &mut impl Sink) {
        let [apart, new, gone] = self.contacts.apart.lists();
        sink.plain(&of::PAIRS, 2, words_of(self.grid.pairs()));
        sink.plain(&of::APART, 2, words_of(apart));
        sink.plain(&of::APART_NEW, 2, words_of(new));
        sink.plain(&of::APART_GONE, 2, words_of(gone));
    }

    /// Writes impulses of joints.
    fn tell_joint_impulses(&self, sink: &mut impl Sink) {
        sink.begin(&of::JOINT_IMPULSES, self.joints.slots.len());
        for slot in self.joints.slots.iter() {
            let (impulses, (force, torque)) = self.passed_by(slot);
            let row = Put::row(|put| {
                put.words(&impulses.words());
                put.vector(force);
                put.float(torque);
            });
            sink.row::<LOADED>(self.joints.rows[slot as usize].body_b, &row);
        }
    }

    /// Writes poses and velocities of bodies.
    #[inline(never)]
    fn tell_motion<S: Sink>(&self, sink: &mut S) {
        sink.begin(&of::TURNS, self.joints.slots.len());
        for slot in self.joints.slots.iter() {
            sink.row(self.joints.rows[slot as usize].body_b, &self.joints.turns[slot as usize].words());
        }
        if S::IS_IMAGE {
            return motion::write_motion(self, sink);
        }
        sink.begin(&of::MOTION, self.bodies.slots.len());
        for slot in self.bodies.slots.iter() {
            let [motion, _] = self.bodies.rows[slot as usize].words();
            sink.row(slot, &motion);
        }
    }

    /// Writes the boxes of parts in the grid. Boxes of fixed bodies usually equal their initial
    /// boxes: then nothing is written.
    #[inline(never)]
    fn tell_parts<S: Sink>(&self, sink: &mut S) {
        let free = self.shapes.proxies.free.len() + self.shapes.proxies.retired.len();
        let count = self.shapes.proxies.rows.len() - free - self.shown_count();
        if S::IS_IMAGE {
            parts::write_parts(self, count, sink);
        } else {
            sink.begin(&of::PARTS, count);
            self.tell_boxes(sink);
        }
        sink.plain(&of::FREE_PARTS, 1, &self.shapes.proxies.free);
        sink.plain(&of::RETIRED_PARTS, 1, &self.shapes.proxies.retired);
        sink.plain(&of::CHANGED, 1, &self.dirty.boxes);
    }

    fn tell_boxes(&self, sink: &mut impl Sink) {
        let mut steps = Steps::START;
        for (body, shape) in self.shapes_in_order() {
            // Cells of maps of fixed bodies are written separately.
            let most = if self.is_map(shape) { 1 } else { usize::MAX };
            for proxy in self.proxies_of(shape).take(most) {
                let expected = self.expected_box(&self.bodies.rows[body as usize], proxy);
                let Some(stored) = self.grid.aabb(proxy) else { continue };
                let words = with_words_of(&expected, &stored);
                let row = [steps.to(proxy), words[0], words[1], words[2], words[3], words[4], words[5]];
                sink.row(body, &row);
            }
        }
    }

    /// The initial box of a part of a fixed body; for a moving one, only its region is known.
    pub(super) fn expected_box(&self, body: &Body, proxy: u32) -> WorldAabb {
        let aabb = if body.moves() { NO_BOX } else { self.tight_grown(body, proxy) };
        WorldAabb { region: body.region, aabb }
    }

    fn tight_grown(&self, body: &Body, proxy: u32) -> Aabb {
        let index = proxy as usize;
        let part = &self.shapes.proxies.rows[index];
        let tight = match part.class {
            Class::Other => {
                let shape = &self.shapes.colliders[part.shape as usize].shape;
                shape.piece(part.part as usize).aabb(body.local_transform())
            }
            class => {
                // From the body alone, not from the placed row.
                let row = place(self.shapes.proxies.local_of(proxy), body);
                placed_box(class, &row, (&self.shapes.proxies.forms, self.shapes.proxies.form[index]))
            }
        };
        grown(&tight, &self.tuning.margins)
    }

    #[inline(never)]
    fn tell_sleep(&self, sink: &mut impl Sink) {
        let islands = &self.islands;
        sink.plain(&of::AWAKE, 1, &self.bodies.awake);
        sink.begin(&of::ISLANDS, islands.count());
        for counts in islands.counts() {
            sink.row(NONE, &counts.map(|count| count as u32));
        }
        sink.begin(&of::SLEEPERS, islands.counts().map(|[bodies, _]| bodies).sum());
        let mut steps = Steps::START;
        for body in islands.all_bodies() {
            sink.row(body, &[steps.to(body)]);
        }
        sink.begin(&of::SLEEPING_CONTACTS, islands.counts().map(|[_, contacts]| contacts).sum());
        let mut steps = Steps::START;
        for contact in islands.all_contacts() {
            sink.row(NONE, &[steps.to(contact)]);
        }
        sink.plain(&of::FREE_ISLANDS, 1, islands.free_islands());
        sink.plain(&of::TO_BED, 1, &islands.told_to_sleep);
        sink.plain(&of::WOKEN, 1, &islands.woken);
        sink.plain(&of::WOKEN_CONTACTS, 1, &islands.woken_contacts);
        sink.plain(&of::PARKED, 2, words_of(&islands.parked));
        sink.plain(&of::PULLED, 1, &islands.pulled);
    }

    /// Writes areas, if there are any: a world without has no such column.
    fn tell_areas(&self, sink: &mut impl Sink) {
        let count = self.live_areas().count();
        if count == 0 && !self.tiles.is_there() && self.bodies.own_laws.is_empty() {
            return;
        }
        sink.begin(&of::AREAS, count);
        for (shape, area) in self.live_areas() {
            let row = Put::row(|put| {
                put.words(&shape.words());
                put.words(&area.words());
            });
            sink.row::<{ 2 + AREA }>(self.shapes.colliders[shape.index()].body, &row);
        }
    }

    /// Writes cells of tile maps that are parts, if there are maps: a world without has no such
    /// columns.
    fn tell_tiles(&self, sink: &mut impl Sink) {
        if !self.tiles.is_there() && self.bodies.own_laws.is_empty() {
            return;
        }
        sink.begin(&of::CELLS, self.shown_count());
        for (body, shape) in self.shapes_in_order().filter(|&(_, shape)| self.is_map(shape)) {
            for proxy in self.shown_cells(shape) {
                let Some(stored) = self.grid.aabb(proxy) else { continue };
                let expected = self.expected_box(&self.bodies.rows[body as usize], proxy);
                let (now, then) = (box_words(&stored), box_words(&expected));
                let cell = self.shapes.proxies.rows[proxy as usize].part;
                let mut row = [shape, cell, proxy, 0, 0, 0, 0, 0, 0];
                for k in 0..6 {
                    row[k + 3] = now[k] ^ then[k];
                }
                sink.row(body, &row);
            }
        }
        sink.plain(&of::NEW_BOXES, 1, &self.tiles.moved);
        let filled: Vec<u32> = self.tiles.filled.iter().flat_map(|&(shape, cell)| [shape, cell]).collect();
        sink.plain(&of::FILLED, 2, &filled);
    }

    /// Writes own laws of bodies, if there are any: a world without has no such column.
    fn tell_own_laws(&self, sink: &mut impl Sink) {
        if self.bodies.own_laws.is_empty() {
            return;
        }
        sink.begin(&of::OWN_LAWS, self.bodies.own_laws.list().len());
        for (slot, law) in self.bodies.own_laws.list() {
            let row = Put::row(|put| {
                put.word(*slot);
                put.words(&law.words());
            });
            sink.row::<{ 1 + LAW }>(*slot, &row);
        }
    }

    /// Writes touches that ended between steps: no other events wait for the next step.
    fn tell_events(&self, sink: &mut impl Sink) {
        let events = &self.events.next;
        sink.begin(&of::ENDED, events.ended.len());
        for &touch in &events.ended {
            sink.row::<8>(touch.body_a.index() as u32, &Put::row(|put| put_touch(put, touch)));
        }
        sink.begin(&of::LEFT, events.left.len());
        for visit in &events.left {
            let SensorEvent { sensor, visitor, sensor_body, visitor_body, time } = *visit;
            let touch = Touch { a: sensor, b: visitor, body_a: sensor_body, body_b: visitor_body };
            let row = Put::row(|put| {
                put_touch(put, touch);
                put.float(time);
            });
            sink.row::<9>(visitor_body.index() as u32, &row);
        }
        sink.begin(&of::LOST, events.lost.len());
        for loss in &events.lost {
            let JointLoss { joint, body_a, body_b, user_data } = *loss;
            let row = Put::row(|put| {
                put.words(&joint.words());
                put.flag(body_a.is_some());
                put.words(&body_a.map_or([0; 2], |id| id.words()));
                put.words(&body_b.words());
                put.long(user_data);
            });
            sink.row::<9>(body_b.index() as u32, &row);
        }
    }
}

/// The predicted box of a part that moves.
pub(super) const NO_BOX: Aabb = Aabb { min: glam::Vec2::ZERO, max: glam::Vec2::ZERO };

impl Body {
    /// Whether steps can move it.
    pub(super) fn moves(&self) -> bool {
        self.flags & (body_flag::DYNAMIC | body_flag::KINEMATIC) != 0
    }
}

fn put_touch(put: &mut Put, Touch { a, b, body_a, body_b }: Touch) {
    put.words(&a.words());
    put.words(&b.words());
    put.words(&body_a.words());
    put.words(&body_b.words());
}

/// Writes free slots, the next one last, and retired ones.
fn tell_free(slots: &Slots, [free, retired]: [&'static Column; 2], sink: &mut impl Sink) {
    sink.begin(free, slots.free().len());
    let mut steps = Steps::START;
    for &slot in slots.free() {
        sink.row(NONE, &[steps.to(slot), slots.generation_at(slot)]);
    }
    if slots.free().len() + slots.len() == slots.places() {
        return sink.begin(retired, 0);
    }
    sink.begin(retired, slots.retired().count());
    let mut steps = Steps::START;
    for slot in slots.retired() {
        sink.row(NONE, &[steps.to(slot)]);
    }
}

fn words_of(pairs: &[Pair]) -> &[u32] {
    bytemuck::cast_slice(pairs)
}

fn box_words(aabb: &WorldAabb) -> [u32; 6] {
    let (low, high) = (aabb.aabb.min, aabb.aabb.max);
    let sides = [low.x, low.y, high.x, high.y].map(f32::to_bits);
    [sides[0], sides[1], sides[2], sides[3], aabb.region.x as u32, aabb.region.y as u32]
}

/// A box from six words.
pub(super) fn box_of([left, bottom, right, top, x, y]: [u32; 6]) -> WorldAabb {
    let corner = |x: u32, y: u32| glam::Vec2::new(f32::from_bits(x), f32::from_bits(y));
    WorldAabb {
        region: IVec2::new(x as i32, y as i32),
        aabb: Aabb { min: corner(left, bottom), max: corner(right, top) },
    }
}

/// Words in which a box differs from the expected one.
pub(super) fn with_words_of(expected: &WorldAabb, stored: &WorldAabb) -> [u32; 6] {
    let (expected, stored) = (box_words(expected), box_words(stored));
    core::array::from_fn(|k| expected[k] ^ stored[k])
}

/// Adds words of differences to a box: inverse of [`with_words_of`].
pub(super) fn with_words(aabb: &WorldAabb, words: [u32; 6]) -> WorldAabb {
    let expected = box_words(aabb);
    box_of(core::array::from_fn(|k| expected[k] ^ words[k]))
}
