//! The border: no panic crosses it, and every way out is one of C.
//!
//! In: the body of a shim. Out: a status, a pointer, or a value that stands for a failure.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::failure::{Failure, Result, remember};
use crate::handle::Handle;
use crate::raw::Put;
use crate::types as c;
use crate::types::{Status, status as codes};

/// Runs a body. A failure or panic is remembered, and its status is returned.
///
/// Objects that the body had borrowed are broken after a panic, so nobody sees them half changed.
#[inline]
pub(crate) fn border<T>(body: impl FnOnce() -> Result<T>) -> core::result::Result<T, Status> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(failure)) => Err(remember(failure)),
        Err(panic) => Err(remember(told(&*panic))),
    }
}

#[cold]
fn told(panic: &(dyn core::any::Any + Send)) -> Failure {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("it says nothing");
    Failure::Told(codes::BROKEN, format!("carom panicked, which is a bug of it: {text}"))
}

/// A status, and answers by pointer. They are written inside of the border: carried out of it, they
/// would be copied twice more.
///
/// # Safety
/// Rule 2 in the head of lib.rs.
#[inline]
pub(crate) unsafe fn status<P: Put + Copy>(
    out: P,
    body: impl FnOnce() -> Result<P::Value>,
) -> Status {
    let done = border(|| {
        let value = body()?;
        // SAFETY: rule 2.
        unsafe { out.put(value) };
        Ok(())
    });
    match done {
        Ok(()) => codes::OK,
        Err(status) => {
            // SAFETY: rule 2.
            unsafe { out.clear() };
            status
        }
    }
}

/// Whether there is an answer, and the answer by pointer.
///
/// # Safety
/// Rule 2 in the head of lib.rs.
#[inline]
pub(crate) unsafe fn found<P: Put + Copy>(
    out: P,
    body: impl FnOnce() -> Result<Option<P::Value>>,
) -> u8 {
    let done = border(|| {
        let Some(value) = body()? else { return Ok(false) };
        // SAFETY: rule 2.
        unsafe { out.put(value) };
        Ok(true)
    });
    if done != Ok(true) {
        // SAFETY: rule 2.
        unsafe { out.clear() };
    }
    u8::from(done == Ok(true))
}

/// A new object, or NULL.
#[inline]
pub(crate) fn object<T>(answer: core::result::Result<T, Status>) -> *mut Handle<T> {
    answer.map_or(core::ptr::null_mut(), Handle::new)
}

/// A value; in place of a failure, the value of [`Absent`].
#[inline]
pub(crate) fn value<T: Absent>(answer: core::result::Result<T, Status>) -> T {
    answer.unwrap_or_else(|_| T::absent())
}

/// Values that stand for a failure: NaN for numbers that are measured, else zeros.
pub(crate) trait Absent {
    fn absent() -> Self;
}

macro_rules! absent {
    ($($type:ty => $value:expr,)*) => {
        $(impl Absent for $type {
            #[inline]
            fn absent() -> $type {
                $value
            }
        })*
    };
}

const NAN: c::Vec2 = c::Vec2 { x: f32::NAN, y: f32::NAN };

absent! {
    bool => false,
    u32 => 0,
    u64 => 0,
    f32 => f32::NAN,
    f64 => f64::NAN,
    *const core::ffi::c_char => core::ptr::null(),
    c::Vec2 => NAN,
    c::Rot => c::Rot { cos: f32::NAN, sin: f32::NAN },
    c::Point => c::Point { region_x: 0, region_y: 0, local: NAN },
    c::Transform => c::Transform { position: NAN, rotation: c::Rot::absent() },
    c::WorldAabb => c::WorldAabb::default(),
    c::Geometry => c::Geometry::default(),
    c::Anchor => c::Anchor::default(),
    c::WorldDef => c::WorldDef::default(),
    c::BodyDef => c::BodyDef::default(),
    c::ShapeDef => c::ShapeDef::default(),
    c::Material => c::Material::default(),
    c::Filter => c::Filter::default(),
    c::QueryFilter => c::QueryFilter::default(),
    c::Area => c::Area::default(),
    c::MoverDef => c::MoverDef::default(),
    c::DrawOptions => c::DrawOptions::default(),
    c::JointDef => c::JointDef::default(),
    c::Ask => c::Ask::default(),
    c::MeshDef => c::MeshDef::default(),
    c::AgentDef => c::AgentDef::default(),
    c::CrowdDef => c::CrowdDef::default(),
}
