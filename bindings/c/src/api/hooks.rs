//! Functions of the program that a step calls.

use carom::{ContactEdit, PairView};

use super::World;
use crate::failure::{Failure, Result};
use crate::types as c;

/// The first argument of a hook, as the program gave it.
struct Context(*mut core::ffi::c_void);

// SAFETY: the pointer is only handed back to the program, in calls of the thread that steps. The
// library has no threads of its own, and a program that steps a world on another thread knows so.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    /// The pointer. (Closures that named the field would capture it alone.)
    fn get(&self) -> *mut core::ffi::c_void {
        self.0
    }
}

fn pair_view(pair: &PairView) -> c::PairView {
    c::PairView {
        a: pair.a.into(),
        b: pair.b.into(),
        body_a: pair.body_id_a.into(),
        body_b: pair.body_id_b.into(),
        shape_data_a: pair.shape_a.user_data(),
        shape_data_b: pair.shape_b.user_data(),
        body_data_a: pair.body_a.user_data(),
        body_data_b: pair.body_b.user_data(),
        velocity_a: pair.body_a.velocity().into(),
        velocity_b: pair.body_b.velocity().into(),
    }
}

pub(crate) fn world_set_filter_hook(
    world: &mut World,
    hook: c::FilterHook,
    context: *mut core::ffi::c_void,
) -> Result<()> {
    let hook = hook.ok_or(Failure::Null("hook"))?;
    let context = Context(context);
    world.world.set_filter_hook(move |pair| {
        // SAFETY: rules 2 and 5 in the head of lib.rs: it is a function of this type.
        unsafe { hook(context.get(), &pair_view(pair)) != 0 }
    });
    Ok(())
}

pub(crate) fn world_set_contact_hook(
    world: &mut World,
    hook: c::ContactHook,
    context: *mut core::ffi::c_void,
) -> Result<()> {
    let hook = hook.ok_or(Failure::Null("hook"))?;
    let context = Context(context);
    world.world.set_contact_hook(move |pair, contact| {
        let mut edit = c::ContactEdit {
            normal: contact.normal.into(),
            separation: contact.separation,
            solid: contact.solid.into(),
            static_friction: contact.static_friction,
            kinetic_friction: contact.kinetic_friction,
            restitution: contact.restitution,
            tangent_speed: contact.tangent_speed,
        };
        // SAFETY: rules 2 and 5 in the head of lib.rs: it is a function of this type.
        unsafe { hook(context.get(), &pair_view(pair), &mut edit) };
        put(contact, &edit);
    });
    Ok(())
}

/// Takes over the changes of a hook.
fn put(contact: &mut ContactEdit, edit: &c::ContactEdit) {
    contact.solid = edit.solid != 0;
    contact.static_friction = edit.static_friction;
    contact.kinetic_friction = edit.kinetic_friction;
    contact.restitution = edit.restitution;
    contact.tangent_speed = edit.tangent_speed;
}

pub(crate) fn world_clear_hooks(world: &mut World) -> Result<()> {
    world.world.clear_hooks();
    Ok(())
}
