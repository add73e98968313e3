//! Events of a step, as slices in a fixed order.
//!
//! In: events that the stages of a step notice. Out: slices, sorted by the shapes or bodies they
//! name; valid until the next step. Nothing has to be switched on.

use crate::util::Prefetch;
use crate::util::sort;
use core::cmp::Ordering;

use glam::Vec2;

use crate::body::{BodyId, BodyKind, JointId, ShapeId};
use crate::math::WorldPoint;
use crate::util::trim::trim;

/// Two shapes that touch or have touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// One shape.
    pub a: ShapeId,
    /// The other one.
    pub b: ShapeId,
    /// The body of `a`.
    pub body_a: BodyId,
    /// The body of `b`.
    pub body_b: BodyId,
}

/// A shape that entered or left a sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorEvent {
    /// The sensor.
    pub sensor: ShapeId,
    /// The shape that came or went.
    pub visitor: ShapeId,
    /// The body of the sensor.
    pub sensor_body: BodyId,
    /// The body of the visitor.
    pub visitor_body: BodyId,
    /// Share of the step after which it happened, 0 to 1.
    pub time: f32,
}

/// Two shapes that struck each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// One shape.
    pub a: ShapeId,
    /// The other one.
    pub b: ShapeId,
    /// The body of `a`.
    pub body_a: BodyId,
    /// The body of `b`.
    pub body_b: BodyId,
    /// The point of impact.
    pub point: WorldPoint,
    /// From `a` to `b`.
    pub normal: Vec2,
    /// Speed at which the surfaces came together along the normal, in m/s.
    pub speed: f32,
    /// The impulse between the bodies in this step, in N s.
    pub impulse: f32,
    /// Share of the step after which it happened, 0 to 1.
    pub time: f32,
}

/// A joint that broke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointBreak {
    /// The joint; its id is of no use any more.
    pub joint: JointId,
    /// Its first body; `None` for the world.
    pub body_a: Option<BodyId>,
    /// Its second body.
    pub body_b: BodyId,
    /// The force that the joint had to hold, in N; for gears and pulleys, at the end that was too
    /// weak.
    pub force: f32,
    /// The torque that the joint had to hold, in N m; for gears and pulleys, at the end that was
    /// too weak.
    pub torque: f32,
    /// The impulse from A to B in the joint's last step, in N s, in the axes of the joint at the
    /// end of the step.
    pub impulse: Vec2,
    /// The number that its definition carried.
    pub user_data: u64,
}

/// A joint that was removed with a body or joint that it was attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointLoss {
    /// The joint; its id is of no use any more.
    pub joint: JointId,
    /// Its first body; `None` for the world.
    pub body_a: Option<BodyId>,
    /// Its second body.
    pub body_b: BodyId,
    /// The number that its definition carried.
    pub user_data: u64,
}

/// A body that was made fixed because a step found no valid place for it: see [`Events::frozen`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// The body.
    pub body: BodyId,
    /// Its kind before.
    pub kind: BodyKind,
}

/// The events of the last step.
///
/// A pair may be in [`Events::ended`] and in [`Events::begun`] of one step: the two shapes parted
/// between the two steps, or one of them was removed and another took its place, and they touched
/// anew within this step. So read [`Events::ended`] before [`Events::begun`], and likewise
/// [`Events::left`] before [`Events::entered`]; then a program that keeps a set of touches keeps
/// the right set.
#[derive(Debug, Default)]
pub struct Events {
    pub(crate) begun: Vec<Touch>,
    pub(crate) ended: Vec<Touch>,
    pub(crate) entered: Vec<SensorEvent>,
    pub(crate) left: Vec<SensorEvent>,
    pub(crate) hits: Vec<Hit>,
    pub(crate) slept: Vec<BodyId>,
    pub(crate) woken: Vec<BodyId>,
    pub(crate) broken: Vec<JointBreak>,
    pub(crate) lost: Vec<JointLoss>,
    pub(crate) frozen: Vec<Freeze>,
}

crate::state::clone_by_field! { Events { begun, ended, entered, left, hits, slept, woken, broken, lost, frozen } }

impl Events {
    /// Shapes that began to touch; [`World::contacts`](crate::World::contacts) has all pairs that
    /// touch now.
    #[must_use]
    pub fn begun(&self) -> &[Touch] {
        &self.begun
    }

    /// Shapes that ceased to touch. One of them may have been removed since. Read these before
    /// [`Events::begun`], which may name the same pair.
    #[must_use]
    pub fn ended(&self) -> &[Touch] {
        &self.ended
    }

    /// Shapes that struck each other. Shapes that came together slower than [`WorldDef::hit_speed`]
    /// are left out: 1 m/s, unless the world's definition says otherwise. [`Events::begun`] has
    /// slower touches, too.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]).hit_speed(0.1));
    /// world.add(BodyDef::fixed().shape(Shape::rect(1.0, 4.0)))?;
    /// world.add(BodyDef::dynamic().at([1.005, 0.0]).velocity([-0.5, 0.0]).shape(Shape::circle(0.5)))?;
    /// world.step(1.0 / 60.0)?;
    /// assert!((world.events().hits()[0].speed - 0.5).abs() < 1e-3);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// [`WorldDef::hit_speed`]: crate::WorldDef::hit_speed
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// Shapes that entered a sensor.
    #[must_use]
    pub fn entered(&self) -> &[SensorEvent] {
        &self.entered
    }

    /// Shapes that left a sensor.
    #[must_use]
    pub fn left(&self) -> &[SensorEvent] {
        &self.left
    }

    /// Bodies that fell asleep.
    #[must_use]
    pub fn slept(&self) -> &[BodyId] {
        &self.slept
    }

    /// Bodies that woke, by a touch or by a call since the step before. A sleeping body that was
    /// disabled or changed its kind counts as woken, so no body sleeps twice without waking.
    #[must_use]
    pub fn woken(&self) -> &[BodyId] {
        &self.woken
    }

    /// Joints that broke because their load was above their limit.
    #[must_use]
    pub fn broken(&self) -> &[JointBreak] {
        &self.broken
    }

    /// Joints that were removed with a body or a joint since the step before.
    #[must_use]
    pub fn lost(&self) -> &[JointLoss] {
        &self.lost
    }

    /// Bodies for which the step found no place: they went beyond the end of the world, 2.19e12 m
    /// out, or farther than 1e12 m in one step, or their numbers were no longer finite.
    ///
    /// Such a body becomes fixed at its place before the step, and the rest of the world goes on.
    /// [`World::teleport`](crate::World::teleport) and [`World::set_kind`](crate::World::set_kind)
    /// bring it back.
    #[must_use]
    pub fn frozen(&self) -> &[Freeze] {
        &self.frozen
    }

    pub(crate) fn clear(&mut self) {
        self.begun.clear();
        self.ended.clear();
        self.entered.clear();
        self.left.clear();
        self.hits.clear();
        self.slept.clear();
        self.woken.clear();
        self.broken.clear();
        self.lost.clear();
        self.frozen.clear();
    }

    /// Prefetches the struct itself.
    pub(crate) fn prefetch_head(&self, fetch: &mut Prefetch) {
        let Events { begun, ended, entered, left, hits, slept, woken, broken, lost, frozen } = self;
        fetch.lengths([begun.len(), ended.len(), entered.len(), left.len(), hits.len()]);
        fetch.lengths([slept.len(), woken.len(), broken.len(), lost.len(), frozen.len()]);
    }

    /// Whether nothing is listed.
    pub(crate) fn is_empty(&self) -> bool {
        let Events { begun, ended, entered, left, hits, slept, woken, broken, lost, frozen } = self;
        let touches = begun.len() + ended.len() + entered.len() + left.len() + hits.len();
        touches + slept.len() + woken.len() + broken.len() + lost.len() + frozen.len() == 0
    }

    /// Sorts every list: by shapes, then by time. All shapes exist, so no slot appears with two
    /// generations.
    pub(crate) fn sort(&mut self, sorter: &mut Sorter) {
        let Sorter { keys, touches, hits } = sorter;
        for list in [&mut self.begun, &mut self.ended] {
            by_shapes(list, (keys, touches), |touch| [touch.a, touch.b], |_, _| Ordering::Equal);
        }
        by_shapes(&mut self.hits, (keys, hits), |hit| [hit.a, hit.b], |p, q| p.time.total_cmp(&q.time));
        sort::by(&mut self.entered, by_visit);
        sort::by(&mut self.left, by_visit);
        sort::plain(&mut self.slept);
        sort::plain(&mut self.woken);
        sort::by_key(&mut self.broken, |event| event.joint);
        sort::by_key(&mut self.lost, |event| event.joint);
        sort::by_key(&mut self.frozen, |event| event.body);
    }

    /// Gives back room that the last step did not need.
    pub(crate) fn trim(&mut self) {
        trim(&mut self.begun);
        trim(&mut self.ended);
        trim(&mut self.hits);
        trim(&mut self.slept);
        trim(&mut self.woken);
    }

    /// Merges in touches and visits that ended before the step, whose shapes may be gone; the lists
    /// stay in order.
    pub(crate) fn add_ends(&mut self, late: &mut Events) {
        if !late.ended.is_empty() {
            self.ended.append(&mut late.ended);
            sort::by_key(&mut self.ended, |touch| (touch.a, touch.b));
        }
        if !late.left.is_empty() {
            self.left.append(&mut late.left);
            sort::by(&mut self.left, by_visit);
        }
    }
}

fn by_visit(p: &SensorEvent, q: &SensorEvent) -> Ordering {
    (p.sensor, p.visitor).cmp(&(q.sensor, q.visitor)).then(p.time.total_cmp(&q.time))
}

/// Memory for sorting.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorter {
    keys: Vec<Key>,
    touches: Vec<Touch>,
    hits: Vec<Hit>,
}

impl Sorter {
    /// Gives back room that the last list did not need.
    pub(crate) fn trim(&mut self) {
        trim(&mut self.keys);
        trim(&mut self.touches);
        trim(&mut self.hits);
    }
}

/// The slots of two shapes as one number, and the index of their event in the list.
#[derive(Clone, Copy, Debug)]
struct Key {
    shapes: u64,
    index: u32,
}

/// Sorts by the slots of two shapes, then by `then`; equal events keep their order. Keys are
/// sorted, and each event moves once. (Tried: sorting the events by their ids: it took a hundredth
/// of a step in which two thousand begin and end.)
fn by_shapes<T: Copy>(
    list: &mut Vec<T>,
    (keys, sorted): (&mut Vec<Key>, &mut Vec<T>),
    shapes: impl Fn(&T) -> [ShapeId; 2],
    then: impl Fn(&T, &T) -> Ordering,
) {
    keys.clear();
    keys.extend((0..).zip(list.iter()).map(|(index, event)| {
        let [a, b] = shapes(event).map(|shape| shape.index() as u64);
        Key { shapes: a << 32 | b, index }
    }));
    sort_keys(keys, &|p, q| then(&list[p], &list[q]));
    sorted.clear();
    sorted.extend(keys.iter().map(|key| list[key.index as usize]));
    core::mem::swap(list, sorted);
    debug_assert!(list.is_sorted_by_key(shapes), "places have one tenant each");
}

/// Sorts by shapes, then by `then`, which compares two indices of the list, then by the indices.
fn sort_keys(keys: &mut [Key], then: &dyn Fn(usize, usize) -> Ordering) {
    keys.sort_unstable_by(|p, q| {
        let by_event = || then(p.index as usize, q.index as usize).then(p.index.cmp(&q.index));
        p.shapes.cmp(&q.shapes).then_with(by_event)
    });
}
