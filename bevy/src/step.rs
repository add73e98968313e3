//! The systems of the fixed schedules: keep, and step.

use core::time::Duration;

use bevy_ecs::change_detection::{Res, ResMut};
use bevy_time::{Fixed, Time};

use crate::message::Mail;
use crate::world::Worlds;

/// The longest step that a world makes.
const LONGEST: Duration = Duration::from_secs(1);

/// Keeps the states that rollback may go back to: before the systems of this step, whose calls are
/// its inputs.
pub(crate) fn keep(mut worlds: ResMut<Worlds>) {
    worlds.iter_mut().for_each(|(_, world)| world.keep());
}

/// Steps every world, and tells what happened.
pub(crate) fn step(mut worlds: ResMut<Worlds>, time: Option<Res<Time<Fixed>>>, mut mail: Mail) {
    let fixed = time.map_or_else(Time::<Fixed>::default, |time| *time);
    let dt = fixed.timestep().min(LONGEST).as_secs_f32();
    for (key, world) in worlds.iter_mut() {
        if world.step(dt) {
            mail.write(key, world);
            world.forget_former();
        }
    }
}
