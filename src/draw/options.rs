//! Options of debug drawing.

use glam::Vec2;

use crate::bounds::Aabb;
use crate::math::WorldPoint;

/// Options of debug drawing: the layers, the place of the camera, and the size of signs. If an
/// option is NaN, nothing is drawn.
///
/// ```
/// use carom::{DrawOptions, WorldPoint, vec2};
///
/// let camera = WorldPoint::from([120.0, 8.0]);
/// let options = DrawOptions { contacts: true, ..DrawOptions::default() }.origin(camera).view([-16.0, -9.0], [16.0, 9.0]);
/// assert!(options.shapes && options.contacts && !options.boxes);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DrawOptions {
    /// The origin of all coordinates: use the camera, so that nothing jitters far from the origin
    /// of the world.
    pub origin: WorldPoint,
    /// The visible box, in metres from `origin`: draws parts whose boxes meet it, their bodies, and
    /// the joints and contacts of those bodies. `None` draws everything.
    pub view: Option<Aabb>,
    /// The shapes of bodies, coloured by the kind and state of the body. On by default.
    pub shapes: bool,
    /// The box of each part, as in the grid.
    pub boxes: bool,
    /// The circle around each shape.
    pub circles: bool,
    /// The grid: cells with moving boxes and the count of boxes in each, and the boxes around
    /// groups of resting boxes.
    pub grid: bool,
    /// Points of contact, and normals.
    pub contacts: bool,
    /// Impulses at these points: a line along the normal with the length of the impulse, and the
    /// number of N s in the last step.
    pub impulses: bool,
    /// Joints: a sign for each kind, with axes, limits and motors. On by default.
    pub joints: bool,
    /// Colours dynamic bodies by island. Bodies of an island touch or are jointed, and so fall
    /// asleep together.
    pub islands: bool,
    /// Draws sleeping bodies pale. On by default.
    pub sleep: bool,
    /// Velocities, as arrows from centres of mass.
    pub velocities: bool,
    /// Centres of mass, with the axes of the body.
    pub centers: bool,
    /// The slot numbers of bodies.
    pub ids: bool,
    /// The size of signs, in metres: normals, hinges, axes. 0.25 suits bodies of a metre; about 12
    /// pixels look well.
    pub mark: f32,
    /// The length of the arrow of a velocity of 1 m/s, in metres.
    pub velocity_scale: f32,
    /// The length of the line of an impulse of 1 N s, in metres.
    pub impulse_scale: f32,
}

impl Default for DrawOptions {
    /// Returns options that draw shapes and joints, with sleeping bodies pale.
    fn default() -> DrawOptions {
        DrawOptions { shapes: true, joints: true, sleep: true, ..DrawOptions::none() }
    }
}

impl DrawOptions {
    /// The names of all layers for [`DrawOptions::layer`], from the bottom to the top.
    pub const LAYERS: [&str; 12] = [
        "grid",
        "boxes",
        "circles",
        "shapes",
        "islands",
        "sleep",
        "joints",
        "centers",
        "velocities",
        "impulses",
        "contacts",
        "ids",
    ];

    /// Returns options without a layer: a start to switch some on.
    #[must_use]
    pub fn none() -> DrawOptions {
        DrawOptions {
            origin: WorldPoint::ORIGIN,
            view: None,
            shapes: false,
            boxes: false,
            circles: false,
            grid: false,
            contacts: false,
            impulses: false,
            joints: false,
            islands: false,
            sleep: false,
            velocities: false,
            centers: false,
            ids: false,
            mark: 0.25,
            velocity_scale: 0.1,
            impulse_scale: 1.0,
        }
    }

    /// Returns options with all layers.
    #[must_use]
    pub fn all() -> DrawOptions {
        let mut options = DrawOptions::none();
        for name in DrawOptions::LAYERS {
            if let Some(layer) = options.layer(name) {
                *layer = true;
            }
        }
        options
    }

    /// Sets the origin.
    #[must_use]
    pub fn origin(self, origin: impl Into<WorldPoint>) -> DrawOptions {
        DrawOptions { origin: origin.into(), ..self }
    }

    /// Sets the view to the box between two corners, in metres from the origin.
    #[must_use]
    pub fn view(self, corner: impl Into<Vec2>, opposite: impl Into<Vec2>) -> DrawOptions {
        DrawOptions { view: Some(Aabb::new(corner, opposite)), ..self }
    }

    /// Sets the size of signs.
    #[must_use]
    pub fn mark(self, metres: f32) -> DrawOptions {
        DrawOptions { mark: metres, ..self }
    }

    /// Returns the switch of a layer by its name, for menus and command lines; `None` if there is
    /// no such layer.
    pub fn layer(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "shapes" => &mut self.shapes,
            "boxes" => &mut self.boxes,
            "circles" => &mut self.circles,
            "grid" => &mut self.grid,
            "contacts" => &mut self.contacts,
            "impulses" => &mut self.impulses,
            "joints" => &mut self.joints,
            "islands" => &mut self.islands,
            "sleep" => &mut self.sleep,
            "velocities" => &mut self.velocities,
            "centers" => &mut self.centers,
            "ids" => &mut self.ids,
            _ => return None,
        })
    }
}
