//! Debug drawing: everything that `World::draw` can show, as Bevy's gizmos.
//!
//! In: a world and which layers of it. Out: lines of this frame, at the place where bodies stand
//! after the last step (not blended: what is drawn is the state).

use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::Color;
use bevy_ecs::change_detection::Res;
use bevy_ecs::resource::Resource;
use bevy_gizmos::gizmos::Gizmos;
use carom::{DebugDraw, DrawOptions, Vec2};

use crate::physics::Physics;
use crate::world::WorldKey;

/// Draws worlds by gizmos in every frame. Needs Bevy's `GizmoPlugin`, which is among
/// `DefaultPlugins`.
///
/// [`CaromGizmos`] is the resource that says what of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaromGizmosPlugin;

/// What is drawn: change it at any time.
#[derive(Resource, Clone, Debug)]
pub struct CaromGizmos {
    /// The layers; the point that is drawn at 0, 0 is the world's own.
    pub options: DrawOptions,
    /// Which world.
    pub world: WorldKey,
    /// Whether anything is.
    pub enabled: bool,
}

impl Default for CaromGizmos {
    fn default() -> CaromGizmos {
        CaromGizmos { options: DrawOptions::default(), world: WorldKey::MAIN, enabled: true }
    }
}

impl Plugin for CaromGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<CaromGizmos>().add_systems(PostUpdate, draw);
    }
}

fn draw(physics: Physics, what: Res<CaromGizmos>, mut gizmos: Gizmos) {
    let Some(world) = physics.world(what.world).filter(|_| what.enabled) else { return };
    let options = DrawOptions { origin: world.origin(), ..what.options.clone() };
    world.draw(&mut Pen(&mut gizmos), &options);
}

/// Lines of carom as lines of Bevy.
struct Pen<'p, 'w, 's>(&'p mut Gizmos<'w, 's>);

impl DebugDraw for Pen<'_, '_, '_> {
    fn line(&mut self, a: Vec2, b: Vec2, color: carom::Color) {
        let carom::Color { r, g, b: blue, a: alpha } = color;
        // By arrays, whichever versions of glam both have.
        let [a, b] = [a, b].map(|point| point.to_array().into());
        self.0.line_2d(a, b, Color::srgba_u8(r, g, blue, alpha));
    }
}
