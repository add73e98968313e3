//! Reads a world from the columns that `write.rs` wrote (deserialization).
//!
//! In: the rows of an image, in the same order. Out: the world, with derived data recomputed:
//! lists, placed parts, the grid, colours, counts. The bytes are not trusted, so each index is
//! checked before it is used, and all checks of the public calls are made again.
//!
//! ```text
//!   here       the world and its bodies  contacts.rs  pairs and contacts
//!   motion.rs  where bodies are          parts.rs     parts, and the grid they stand in
//!   shapes.rs  shapes and outlines       islands.rs   islands, events, derived data
//!   joints.rs  joints and their lists
//! ```

mod contacts;
mod islands;
mod joints;
mod motion;
mod parts;
mod shapes;

use super::write::{BODY, Steps, turned};
use super::write::{of_continuous_and_hit_speed, of_flags_and_period, of_sleep_and_unit};
use crate::body::collider::SharedShape;
use crate::body::id::Slots;
use crate::body::state::HALF;
use crate::body::{Body, NONE, ShapeId};
use crate::broadphase::{Pair, WorldAabb};
use crate::contact::colour::ZoneCut;
use crate::simd::{LANES, Vectors, Words};
use crate::state::{GROUP, LoadError, Parse, Reader};
use crate::step::StepStats;
use crate::step::areas::{AREA, Area};
use crate::world::store::own_laws::{LAW, OwnLaw};
use crate::world::{World, WorldDef};
use glam::IVec2;

/// The origin of bytes: from outside, or from this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    None,
    Own,
}

/// Source of shapes that an image only names.
pub(super) type Known<'k> = &'k dyn Fn(u32, u64) -> Option<SharedShape>;

/// Greatest count of steps or joints in an image: far above any real one, so that counting on
/// cannot overflow.
const MOST_COUNTED: u64 = 1 << 62;

/// Fails with `rule` unless `holds`.
pub(super) fn ensure(holds: bool, rule: &'static str) -> Result<(), LoadError> {
    if holds { Ok(()) } else { Err(LoadError::Broken(rule)) }
}

/// Lists that are filled anew by each image, kept for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadScratch {
    pairs: Vec<Pair>,
    /// Whether each pair has a contact.
    has_contact: Vec<bool>,
    free_contacts: Vec<u32>,
    /// Contacts with cells of tile maps, which are listed once the owners of cells are known.
    links: Vec<(u32, Pair, u32)>,
    /// Whether the pairs of all contacts are in the list, each of them once.
    all_listed: bool,
    /// Boxes of parts, by part.
    boxes: Vec<Option<WorldAabb>>,
    shapes: shapes::Lists,
    /// Joints by serial number, each with its slot.
    by_serial: Vec<(u64, u32)>,
    /// Scratch list for finding duplicates.
    sorted: Vec<u32>,
    /// Number of bodies and contacts of each island.
    lengths: Vec<[u32; 2]>,
    counts: Counts,
    /// Whether any shape may have more than one part.
    has_several_parts: bool,
    /// Number of part indices that are used or free, without cells of maps.
    parts_read: usize,
}

/// Number of slots of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    bodies: usize,
    shapes: usize,
    joints: usize,
    contacts: usize,
    parts: usize,
    islands: usize,
    colouring: bool,
}

impl World {
    /// Reads an image into this world. After an error the world is unusable.
    pub(super) fn restore(
        &mut self,
        mut image: Reader,
        known: Known,
        trust: Trust,
        scratch: &mut ReadScratch,
    ) -> Result<(), LoadError> {
        let reader = &mut image;
        self.read_world(reader, &mut scratch.counts)?;
        self.read_bodies(reader, scratch.counts.bodies)?;
        self.read_shapes(reader, scratch, known, trust)?;
        self.read_joints(reader, scratch)?;
        self.read_turns(reader)?;
        self.read_motion(reader)?;
        self.read_parts(reader, scratch, trust)?;
        self.read_pairs(reader, scratch)?;
        self.read_contacts(reader, scratch)?;
        self.read_joint_impulses(reader)?;
        self.read_sleep(reader, scratch)?;
        self.read_events(reader)?;
        self.read_areas(reader)?;
        self.read_tiles(reader, scratch)?;
        self.read_own_laws(reader)?;
        image.finish()?;
        self.restore_grid(scratch);
        self.restore_contacts(scratch)?;
        self.note_held();
        self.restore_rest(scratch.counts.colouring);
        if trust == Trust::None {
            self.validate_restored(&scratch.has_contact)
                .map_err(|_| LoadError::Broken("a world keeps its invariants"))?;
            debug_assert_eq!(self.validate(), Ok(()), "what reading makes sure of holds");
        }
        Ok(())
    }

    fn read_world(&mut self, image: &mut Reader, counts: &mut Counts) -> Result<(), LoadError> {
        let most = image.rows_left();
        let mut rows = 0;
        image.rows::<29>(|row| {
            rows += 1;
            let mut parse = Parse::new(row);
            let gravity = parse.vector();
            let sub_steps = parse.word();
            let max_speed = parse.float();
            let (sleep, unit) = of_sleep_and_unit(parse.word());
            let (continuous, hit_speed) = of_continuous_and_hit_speed(parse.word());
            let [sleep_speed, sleep_time] = parse.floats();
            let mut def = WorldDef {
                gravity,
                sub_steps,
                max_speed,
                sleep,
                continuous,
                sleep_speed,
                sleep_time,
                hit_speed,
                unit,
                period: IVec2::ZERO,
            };
            let places = parse.array::<6>().map(|count| count as usize);
            // Each slot has a row in the image, used or free, so memory is bounded by the size of
            // the image.
            let all = places.iter().fold(0_usize, |sum, &count| sum.saturating_add(count));
            ensure(all <= most, "places are no more than rows")?;
            let [bodies, shapes, joints, contacts, parts, islands] = places;
            self.step.number = parse.long();
            self.joints.serial = parse.long();
            [self.step.dt, self.step.h] = parse.floats();
            ensure(self.step.number.max(self.joints.serial) < MOST_COUNTED, "steps and joints are counted")?;
            let spans = [self.step.dt, self.step.h];
            ensure(spans.iter().all(|dt| (0.0..=1.0).contains(dt)), "a step takes 0 to 1 s")?;
            (self.step.contacts_before, self.step.new_touches) =
                (parse.word() as usize, parse.word() as usize);
            ensure(
                self.step.contacts_before <= contacts && self.step.new_touches <= most,
                "contacts are counted",
            )?;
            ([self.dirty.colouring, self.dirty.joint_layout], def.period) =
                of_flags_and_period(parse.array());
            def.check().map_err(|_| LoadError::Broken("a world keeps the rules of its definition"))?;
            self.put_def(def);
            self.graph.row_cut =
                ZoneCut::of_words(parse.array()).ok_or(LoadError::Broken("rows are cut into zones"))?;
            self.dirty.regions = parse.flag()?;
            self.step.stats = StepStats { islands: parse.word() as usize, ..StepStats::default() };
            self.filtered = parse.flag()?;
            *counts =
                Counts { bodies, shapes, joints, contacts, parts, islands, colouring: self.dirty.colouring };
            Ok(())
        })?;
        ensure(rows == 1, "there is one world")
    }

    fn read_bodies(&mut self, image: &mut Reader, count: usize) -> Result<(), LoadError> {
        self.bodies.slots.reset(count);
        let rows = &mut self.bodies.rows;
        rows.truncate(count);
        rows.reserve_exact(count - rows.len());
        rows.resize(count, bytemuck::Zeroable::zeroed());
        self.joints.clear_ends();
        refill(&mut self.bodies.sole_parts, count, NONE);
        refill(&mut self.bodies.solver_rows, count, 0);
        let (slots, bodies) = (&mut self.bodies.slots, &mut self.bodies.rows);
        let (mut steps, mut last) = (Steps::START, None);
        image.rows_and_repeats::<BODY>(|row, repeats| {
            let [step, generation, told @ ..] = row;
            let like = last.filter(|_| repeats > 0);
            if repeats == GROUP && *step == 1 {
                let first = steps.by(1);
                let rows = bodies.get_mut(first as usize..).and_then(|rows| rows.get_mut(..GROUP));
                if let (Some(like), Some(rows)) = (like, rows)
                    && slots.revive_all(first, GROUP, *generation)
                {
                    rows.fill(like);
                    steps.by(GROUP as u32 - 1);
                    return Ok(());
                }
                steps.by(u32::MAX);
            }
            for _ in 0..repeats.max(1) {
                let slot = steps.by(*step);
                ensure(slots.revive(slot, *generation, true), "a place has one tenant")?;
                let body = like.unwrap_or_else(|| Body::of_words([[0; HALF], *told]));
                bodies[slot as usize] = body;
                last = Some(body);
            }
            Ok(())
        })?;
        read_free(slots, image)?;
        // The rows of all other bodies were written just now.
        if slots.free().len() + slots.retired().count() > 0 {
            for (slot, body) in (0..).zip(bodies.iter_mut()) {
                if slots.tenant(slot).is_none() {
                    *body = bytemuck::Zeroable::zeroed();
                }
            }
        }
        Ok(())
    }

    /// The column of areas, if there is one.
    fn read_areas(&mut self, image: &mut Reader) -> Result<(), LoadError> {
        self.areas.list.clear();
        if image.bytes_left() == 0 {
            return Ok(());
        }
        image.rows::<{ 2 + AREA }>(|row| {
            let [slot, generation, words @ ..] = row;
            let id = ShapeId::of_words([*slot, *generation]);
            let id = id.filter(|&id| self.shapes.slots.holds(id.index(), id.generation()));
            let id = id.ok_or(LoadError::Broken("an area has a shape"))?;
            let last = self.areas.list.last();
            ensure(last.is_none_or(|(before, _)| before.index() < id.index()), "areas are in order")?;
            self.areas.list.push((id, Area::sound_of_words(words)?));
            Ok(())
        })?;
        // With tile maps or own laws of bodies the column is always present.
        ensure(!self.areas.list.is_empty() || image.bytes_left() > 0, "a column of areas has some")
    }

    /// The column of own laws of bodies, if there is one.
    fn read_own_laws(&mut self, image: &mut Reader) -> Result<(), LoadError> {
        self.bodies.own_laws.clear();
        if image.bytes_left() == 0 {
            return Ok(());
        }
        let mut next = 0;
        image.rows::<{ 1 + LAW }>(|row| {
            let [slot, words @ ..] = row;
            ensure(*slot >= next && self.bodies.slots.tenant(*slot).is_some(), "a law is of one body")?;
            self.bodies.own_laws.set(*slot, OwnLaw::of_words(words)?);
            next = *slot + 1;
            Ok(())
        })?;
        ensure(!self.bodies.own_laws.is_empty(), "a column of laws has some")
    }
}

/// Refills a column with `count` rows, without spare capacity: growth by itself would double it.
fn refill<T: Clone>(column: &mut Vec<T>, count: usize, row: T) {
    column.clear();
    column.reserve_exact(count);
    column.resize(count, row);
}

fn read_free(slots: &mut Slots, image: &mut Reader) -> Result<(), LoadError> {
    let mut steps = Steps::START;
    image.rows::<2>(|&[step, generation]| {
        ensure(slots.revive(steps.by(step), generation, false), "a free place is free once")
    })?;
    let mut steps = Steps::START;
    let mut retired = 0;
    image.rows::<1>(|&[step]| {
        retired += 1;
        let slot = steps.by(step);
        ensure(
            (slot as usize) < slots.places() && slots.generation_at(slot) == 0,
            "a retired place is retired",
        )
    })?;
    ensure(slots.retired().count() == retired, "a place has a tenant, is free, or is retired")
}

/// Reads indices below `count`.
fn read_slots(image: &mut Reader, out: &mut Vec<u32>, count: u32) -> Result<(), LoadError> {
    image.words(out)?;
    ensure(out.iter().all(|&slot| slot < count), "a list names places that there are")
}

/// Whether all indices are distinct. They are in `sorted` afterwards.
fn are_distinct<'n>(numbers: impl IntoIterator<Item = &'n u32>, sorted: &mut Vec<u32>) -> bool {
    sorted.clear();
    sorted.extend(numbers);
    sorted.sort_unstable();
    sorted.windows(2).all(|two| two[0] != two[1])
}

/// Reads pairs of parts below `count`.
fn read_pairs(image: &mut Reader, out: &mut Vec<Pair>, count: u32) -> Result<(), LoadError> {
    out.clear();
    image.pairs(|[a, b]| out.push(Pair { a, b }))?;
    // The check has no branch for each pair.
    let are_pairs = out.iter().fold(true, |all, pair| all & (pair.a < pair.b) & (pair.b < count));
    ensure(are_pairs, "a pair is of two parts that there are")
}

/// Whether pairs are in order, each of them once.
fn are_in_order(pairs: &[Pair]) -> bool {
    let number = |pair: &Pair| u64::from(pair.a) << 32 | u64::from(pair.b);
    let twos = pairs.iter().zip(pairs.iter().skip(1));
    twos.fold(true, |all, (first, second)| all & (number(first) < number(second)))
}

/// Eight columns of words as rows.
#[inline(always)]
fn turned_words<S: Vectors>(simd: S, columns: &[[u32; GROUP]; GROUP]) -> [[u32; GROUP]; GROUP] {
    let [a, b, c, d, e, f, g, h] = bytemuck::cast_ref::<_, [[f32; LANES]; LANES]>(columns);
    turned(simd, [a, b, c, d, e, f, g, h])
}

/// The bits of infinity. NaN has greater bits, and finite numbers have smaller bits.
const INFINITE: u32 = f32::INFINITY.to_bits();

const SIGN: u32 = 1 << 31;

/// Returns the bits of absolute values, which ascend with the values.
#[inline(always)]
fn sizes<S: Vectors>(simd: S, column: &[u32; GROUP]) -> Words<S> {
    Words::load(simd, column) & Words::splat(simd, !SIGN)
}

/// Returns bits that ascend with numbers from 0 on. Negative numbers, which are not allowed, have
/// the greatest bits; minus zero counts as 0.
#[inline(always)]
fn sizes_from_zero<S: Vectors>(simd: S, column: &[u32; GROUP]) -> Words<S> {
    Words::load(simd, column).zero_where_equal(Words::splat(simd, SIGN))
}
