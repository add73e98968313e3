//! Zones: bodies (watchers) that notice other bodies (targets), lose them, and have them within
//! reach.
//!
//! In: watchers, each with a sensor and a reach, and the world after each step. Out: events for
//! [`Machine`](super::Machine)s: noticed, lost, in reach, out of reach.
//!
//! ```text
//!            . - - - - - - - .          lose: beyond it he is lost
//!        .   . - - - - - .     .        notice: within it he is noticed, if he is seen
//!       .  .    . - - .    .    .       reach: within it he can be struck; beyond reach + slack he
//!      .  .    .  (o)  .    .    .             cannot any more
//! ```
//!
//! Each border is doubled (hysteresis): between the two circles nothing changes, so a target that
//! walks along a border does not make the watcher's state flicker. Between notice and lose, a
//! noticed target stays noticed. Sight works alike: a target is lost after it was out of sight for
//! more than [`Zone::patience`] ticks, not at once.
//!
//! The sensors belong to the watcher's body, so the world's broadphase finds the pairs, and distant
//! bodies cost nothing. The state of zones is small and the same on every machine: hashes hold
//! nothing else.

use carom::{BodyId, BodyKind, Filter, QueryFilter, Shape, ShapeDef, ShapeId, World, WorldRay};

use crate::state::{self, Sink};

/// The zone of a watcher.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone {
    /// A target is noticed when its centre comes nearer than this, in metres.
    pub notice: f32,
    /// A target is lost when its whole shape is farther than this; more than `notice`.
    pub lose: f32,
    /// A target is in reach when its centre is nearer than this; at most `notice`.
    pub reach: f32,
    /// Extra distance beyond `reach` at which a target is out of reach.
    pub slack: f32,
    /// The categories of shapes that block sight; 0 if sight is never blocked.
    pub hides: u64,
    /// Ticks that a noticed target may be hidden before it is lost.
    pub patience: u32,
    /// The categories of shapes that are targets; shapes of fixed bodies never are.
    pub targets: u64,
}

impl Default for Zone {
    fn default() -> Zone {
        Zone { notice: 6.0, lose: 8.0, reach: 1.5, slack: 0.3, hides: 0, patience: 60, targets: u64::MAX }
    }
}

/// Events of a watcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZoneEvent {
    /// A target came near and is in sight.
    Noticed,
    /// The target went far away, was hidden for too long, or is gone.
    Lost,
    /// The target is within reach.
    InReach,
    /// The target is out of reach; also sent before `Lost`.
    OutOfReach,
}

/// A watcher: its index, used again after removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WatcherId(u32);

impl WatcherId {
    /// The index: a small number, for columns of yours.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Reason why a watcher was refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ZoneError {
    /// A number is NaN, or out of its range; the text states the rule.
    BadNumber(&'static str),
    /// An error of the world about the sensors.
    World(carom::Error),
}

impl core::fmt::Display for ZoneError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            ZoneError::BadNumber(rule) => write!(f, "{rule}"),
            ZoneError::World(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for ZoneError {}

/// A body within the sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Near {
    shape: ShapeId,
    body: BodyId,
    noticed: bool,
    reached: bool,
    /// Ticks since the target was last in sight.
    hidden: u32,
}

#[derive(Clone, Debug)]
struct Watcher {
    body: BodyId,
    zone: Zone,
    sensor: ShapeId,
    /// Targets within the sensor, sorted by shape.
    near: Vec<Near>,
}

/// All watchers.
///
/// ```
/// use carom::prelude::*;
/// use carom_nav::mind::{Zone, ZoneEvent, Zones};
///
/// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
/// let guard = world.add(BodyDef::fixed().shape(Shape::circle(0.3)))?;
/// let thief = BodyDef::kinematic().at([9.0, 0.0]).velocity([-1.0, 0.0]).shape(Shape::circle(0.3));
/// let thief = world.add(thief)?;
/// let mut zones = Zones::default();
/// let watch = zones.attach(&mut world, guard, Zone::default())?;
/// let mut heard = Vec::new();
/// for _ in 0..600 {
///     world.step(1.0 / 60.0)?;
///     zones.read(&world);
///     heard.extend(zones.events().iter().map(|(who, event, whom)| (*who, *event, *whom)));
/// }
/// assert_eq!(heard, [(watch, ZoneEvent::Noticed, thief), (watch, ZoneEvent::InReach, thief)]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Zones {
    watchers: Vec<Option<Watcher>>,
    free: Vec<u32>,
    /// The watcher of each sensor, by the index of the sensor's shape; `u32::MAX` for none.
    by_sensor: Vec<u32>,
    events: Vec<(WatcherId, ZoneEvent, BodyId)>,
}

impl Zones {
    /// Makes a body a watcher: attaches a sensor of radius `lose` to it.
    ///
    /// # Errors
    ///
    /// A number is out of its range, or the body is gone.
    pub fn attach(&mut self, world: &mut World, body: BodyId, zone: Zone) -> Result<WatcherId, ZoneError> {
        let is_good = 0.0 <= zone.reach
            && zone.reach <= zone.notice
            && zone.notice < zone.lose
            && zone.lose <= 1e6
            && (0.0..=1e6).contains(&zone.slack);
        if !is_good {
            return Err(ZoneError::BadNumber(
                "a zone has 0 <= reach <= notice < lose <= 1e6, and slack >= 0",
            ));
        }
        let filter = Filter { mask: zone.targets, ..Filter::default() };
        // A sensor weighs nothing: the body moves as before.
        let sensor = ShapeDef::from(Shape::circle(zone.lose)).sensor().density(0.0).filter(filter);
        let sensor = world.attach(body, sensor).map_err(ZoneError::World)?;
        let index = self.free.pop().unwrap_or(self.watchers.len() as u32);
        if index as usize == self.watchers.len() {
            self.watchers.push(None);
        }
        self.watchers[index as usize] = Some(Watcher { body, zone, sensor, near: Vec::new() });
        if self.by_sensor.len() <= sensor.index() {
            self.by_sensor.resize(sensor.index() + 1, u32::MAX);
        }
        self.by_sensor[sensor.index()] = index;
        Ok(WatcherId(index))
    }

    /// Removes a watcher, and its sensor from the body, if the body still exists. Returns whether
    /// the watcher existed.
    pub fn detach(&mut self, world: &mut World, id: WatcherId) -> bool {
        let Some(watcher) = self.watchers.get_mut(id.index()).and_then(Option::take) else { return false };
        // If the body is gone, its sensor is gone too.
        let _ = world.detach(watcher.sensor);
        self.by_sensor[watcher.sensor.index()] = u32::MAX;
        self.free.push(id.0);
        true
    }

    /// Reads the events of the world's last step; call it once after each step.
    pub fn read(&mut self, world: &World) {
        self.events.clear();
        let changes = world.events();
        for event in changes.entered() {
            let Some(watcher) = self.watcher_of(event.sensor) else { continue };
            // Walls enter the sensor, too, and are no targets.
            let is_fixed = world.get(event.visitor_body).is_none_or(|body| body.kind() == BodyKind::Fixed);
            let is_own = event.visitor_body == watcher.body || is_fixed;
            let place = watcher.near.binary_search_by_key(&event.visitor, |near| near.shape);
            if let (false, Err(place)) = (is_own, place) {
                let (shape, body) = (event.visitor, event.visitor_body);
                watcher.near.insert(place, Near { shape, body, noticed: false, reached: false, hidden: 0 });
            }
        }
        for (index, watcher) in (0..).zip(&mut self.watchers) {
            let Some(watcher) = watcher else { continue };
            let events = &mut self.events;
            watcher.test_targets(world, |event, whom| events.push((WatcherId(index), event, whom)));
        }
    }

    /// Events of the last [`read`](Zones::read), each with its target; sorted by watcher, then by
    /// shape.
    #[must_use]
    pub fn events(&self) -> &[(WatcherId, ZoneEvent, BodyId)] {
        &self.events
    }

    /// Targets that a watcher has noticed and not lost, in the order of their shapes.
    pub fn noticed(&self, id: WatcherId) -> impl Iterator<Item = BodyId> + '_ {
        let near = self.watchers.get(id.index()).and_then(Option::as_ref).map_or(&[][..], |w| &w.near);
        near.iter().filter(|near| near.noticed).map(|near| near.body)
    }

    /// The nearest target that a watcher has noticed and not lost.
    #[must_use]
    pub fn nearest(&self, world: &World, id: WatcherId) -> Option<BodyId> {
        let own = self.watchers.get(id.index())?.as_ref()?.body;
        let from = world.get(own)?.world_center();
        let far = |body: BodyId| world.get(body).map(|body| from.to(body.world_center()).length_squared());
        let all = self.noticed(id).filter_map(|body| far(body).map(|far| (far, body)));
        all.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, body)| body)
    }

    /// A hash of all noticed targets, in 64 bits.
    #[must_use]
    pub fn hash(&self) -> u64 {
        state::sum(|hash| {
            for (index, watcher) in (0..).zip(&self.watchers) {
                let Some(watcher) = watcher else { continue };
                hash.word(index);
                hash.word(watcher.near.len() as u32);
                for near in &watcher.near {
                    hash.word(near.shape.index() as u32);
                    hash.word(near.hidden << 2 | u32::from(near.noticed) | u32::from(near.reached) << 1);
                }
            }
        })
    }

    fn watcher_of(&mut self, sensor: ShapeId) -> Option<&mut Watcher> {
        let index = *self.by_sensor.get(sensor.index())?;
        self.watchers.get_mut(index as usize)?.as_mut().filter(|watcher| watcher.sensor == sensor)
    }
}

impl Watcher {
    /// Tests all bodies within the sensor, and reports changes.
    fn test_targets(&mut self, world: &World, mut report: impl FnMut(ZoneEvent, BodyId)) {
        if self.near.is_empty() {
            return;
        }
        let (zone, own) = (self.zone, self.body);
        let left = world.events().left();
        let sensor = self.sensor;
        let from = world.get(own).map(carom::Body::world_center);
        self.near.retain_mut(|near| {
            let body = world.get(near.body).filter(|_| world.get_shape(near.shape).is_some());
            let (Some(from), Some(body)) = (from, body) else {
                near.forget(&mut report);
                return false;
            };
            let is_off =
                left.binary_search_by(|event| (event.sensor, event.visitor).cmp(&(sensor, near.shape)));
            if is_off.is_ok() || !body.is_enabled() {
                near.forget(&mut report);
                return false;
            }
            let to = body.world_center();
            let distance = from.to(to).length();
            let is_seen = || {
                let filter = QueryFilter::default().mask(zone.hides);
                let other = near.body;
                let passes = |shape| world.body_of(shape).is_some_and(|id| id != own && id != other);
                zone.hides == 0 || !world.ray_any(WorldRay::between(from, to), &filter.only(&passes))
            };
            if !near.noticed {
                if distance < zone.notice && is_seen() {
                    (near.noticed, near.hidden) = (true, 0);
                    report(ZoneEvent::Noticed, near.body);
                }
            } else if zone.hides != 0 {
                near.hidden = if is_seen() { 0 } else { near.hidden + 1 };
                if near.hidden > zone.patience {
                    near.forget(&mut report);
                }
            }
            // A hidden target is out of reach.
            let border = if near.reached { zone.reach + zone.slack } else { zone.reach };
            let is_reached = near.noticed && near.hidden == 0 && distance < border;
            if is_reached != near.reached {
                near.reached = is_reached;
                report(if is_reached { ZoneEvent::InReach } else { ZoneEvent::OutOfReach }, near.body);
            }
            true
        });
    }
}

impl Near {
    /// Makes a target lost.
    fn forget(&mut self, report: &mut impl FnMut(ZoneEvent, BodyId)) {
        if core::mem::take(&mut self.reached) {
            report(ZoneEvent::OutOfReach, self.body);
        }
        if core::mem::take(&mut self.noticed) {
            report(ZoneEvent::Lost, self.body);
        }
        self.hidden = 0;
    }
}
