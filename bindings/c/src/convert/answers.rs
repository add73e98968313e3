//! Queries and their answers, events, contacts and predictions.

use carom::{
    CastAnswer, ClosestPoint, Contact, ContactPoint, Distance, Hit, JointBreak, JointLoss, Kinds,
    Manifold, Meeting, Moved, NearestAnswer, OverlapAnswer, PathPoint, QueryFilter, RayAnswer,
    RayHit, SensorEvent, ShapeId, Start, StepStats, Touch, WorldRay,
};

use crate::failure::{Failure, Result};
use crate::types as c;

/// Calls `ask` with the filter of a caller; NULL is the default.
pub(crate) fn with_filter<T>(
    filter: Option<&c::QueryFilter>,
    ask: impl FnOnce(&QueryFilter) -> Result<T>,
) -> Result<T> {
    let Some(filter) = filter else { return ask(&QueryFilter::default()) };
    let without_all: Vec<_> =
        filter.without_all()?.iter().filter_map(|body| body.id().ok()).collect();
    let (predicate, context) = (filter.predicate, filter.context);
    // Without a predicate this is never called.
    let holds = |shape: ShapeId| {
        // SAFETY: rules 2 and 5 in the head of lib.rs: it is a function of this type.
        predicate.is_none_or(|predicate| unsafe { predicate(context, shape.into()) } != 0)
    };
    ask(&QueryFilter {
        category: filter.category,
        mask: filter.mask,
        sensors: filter.sensors != 0,
        kinds: Kinds {
            fixed: filter.fixed != 0,
            kinematic: filter.kinematic != 0,
            dynamic: filter.dynamic != 0,
        },
        hollow: filter.hollow != 0,
        without: filter.without.id().ok(),
        without_all: &without_all,
        predicate: predicate.is_some().then_some(&holds),
    })
}

impl From<c::Ray> for WorldRay {
    #[inline]
    fn from(ray: c::Ray) -> WorldRay {
        WorldRay { from: ray.from.into(), translation: ray.translation.into() }
    }
}

impl TryFrom<&c::Start> for Start {
    type Error = Failure;

    fn try_from(start: &c::Start) -> Result<Start> {
        Ok(Start {
            body: start.body.id()?,
            velocity: (start.has_velocity != 0).then(|| start.velocity.into()),
            angular_velocity: (start.has_spin != 0).then_some(start.spin),
        })
    }
}

macro_rules! answers {
    ($($rust:ident => $c:ident { $($field:ident $(: $from:expr)?),* $(,)? } by $it:ident;)*) => {
        $(impl From<&$rust> for c::$c {
            #[inline]
            fn from($it: &$rust) -> c::$c {
                c::$c { $($field: answers!(@ $it $field $($from)?)),* }
            }
        })*
    };
    (@ $it:ident $field:ident) => { $it.$field.into() };
    (@ $it:ident $field:ident $from:expr) => { $from };
}

answers! {
    RayAnswer => RayAnswer { shape, body, part, fraction, point, normal } by it;
    CastAnswer => CastAnswer { shape, body, part, own_part, time, point, normal } by it;
    OverlapAnswer => OverlapAnswer { shape, body, part } by it;
    NearestAnswer => NearestAnswer { shape, body, part, distance, point, normal } by it;
    RayHit => RayHit { fraction, point, normal } by it;
    ClosestPoint => ClosestPoint { point, distance, normal } by it;
    Distance => Separation { distance: it.separation, normal, point_a, point_b } by it;
    Touch => Touch { a, b, body_a, body_b } by it;
    SensorEvent => SensorEvent { sensor, visitor, sensor_body, visitor_body, time } by it;
    Hit => Hit { a, b, body_a, body_b, point, normal, speed, impulse, time } by it;
    JointBreak => JointBreak { joint, body_a, body_b, force, torque, impulse, user_data } by it;
    JointLoss => JointLoss { joint, body_a, body_b, user_data } by it;
    Moved => Moved { body, slept } by it;
    Meeting => Meeting { step, body, other, shape } by it;
    PathPoint => PathPoint { position, rotation, velocity, spin: it.angular_velocity } by it;
    ContactPoint => ContactPoint { point, separation, normal_impulse, friction_impulse } by it;
    StepStats => StepStats {
        awake: it.awake as u64,
        pairs: it.pairs as u64,
        contacts: it.contacts as u64,
        islands: it.islands as u64,
    } by it;
}

impl From<&Contact> for c::Contact {
    fn from(contact: &Contact) -> c::Contact {
        let point = |k: usize| {
            contact.points().get(k).map_or(c::ContactPoint::default(), c::ContactPoint::from)
        };
        c::Contact {
            touch: (&contact.touch).into(),
            part_a: contact.parts[0],
            part_b: contact.parts[1],
            sensor: contact.sensor.into(),
            normal: contact.normal.into(),
            impulse: contact.impulse,
            point_count: contact.points().len() as u32,
            first: point(0),
            second: point(1),
        }
    }
}

impl From<&Manifold> for c::Manifold {
    fn from(manifold: &Manifold) -> c::Manifold {
        let point = |k: usize| {
            manifold.points().get(k).map_or(c::Vec2::default(), |point| point.point.into())
        };
        c::Manifold {
            normal: manifold.normal.into(),
            depth: manifold.depth(),
            point_count: manifold.points().len() as u32,
            first: point(0),
            second: point(1),
        }
    }
}
