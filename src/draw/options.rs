//! What is to be drawn.

use glam::Vec2;

use crate::bounds::Aabb;
use crate::math::WorldPoint;

/// Which layers of a world are drawn, from where, and how large their signs are. Where an option is
/// NaN, nothing is drawn.
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
    /// The origin of all coordinates: the camera, so that nothing jitters far from the origin of
    /// the world.
    pub origin: WorldPoint,
    /// Only what meets this box is drawn, as metres from `origin`: parts whose boxes do, their
    /// bodies, and the joints and contacts of those. `None` for everything.
    pub view: Option<Aabb>,
    /// The bodies' shapes, coloured by what moves them. On by default.
    pub shapes: bool,
    /// The box of each part, as it stands in the grid.
    pub boxes: bool,
    /// The circle around each shape.
    pub circles: bool,
    /// The grid: cells in which moving boxes stand, with how many there are in each, and the boxes
    /// around groups of resting ones.
    pub grid: bool,
    /// Points where bodies touch, and normals.
    pub contacts: bool,
    /// Impulses at these points: a line along the normal, whose length is the impulse, with the
    /// number of N s in the last step.
    pub impulses: bool,
    /// Joints: a sign a kind, with axes, limits and motors. On by default.
    pub joints: bool,
    /// Dynamic bodies are coloured by island: those that touch or are jointed, and so fall asleep
    /// together.
    pub islands: bool,
    /// Sleeping bodies are pale. On by default.
    pub sleep: bool,
    /// Arrows from centres of mass.
    pub velocities: bool,
    /// Centres of mass, with the axes of the body.
    pub centers: bool,
    /// The numbers of bodies.
    pub ids: bool,
    /// Size of signs, in metres: normals, hinges, axes. 0.25 suits bodies of a metre; 12 pixels are
    /// good to look at.
    pub mark: f32,
    /// Length of the arrow of a velocity of 1 m/s, in metres.
    pub velocity_scale: f32,
    /// Length of the line of an impulse of 1 N s, in metres.
    pub impulse_scale: f32,
}

impl Default for DrawOptions {
    /// Shapes and joints, and what sleeps is pale.
    fn default() -> DrawOptions {
        DrawOptions { shapes: true, joints: true, sleep: true, ..DrawOptions::none() }
    }
}

impl DrawOptions {
    /// The names of all layers, as [`DrawOptions::layer`] knows them, from the bottom to the top.
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

    /// No layer: a start to switch some on.
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

    /// All layers.
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

    /// Measured from another place.
    #[must_use]
    pub fn origin(self, origin: impl Into<WorldPoint>) -> DrawOptions {
        DrawOptions { origin: origin.into(), ..self }
    }

    /// Only what meets the box between two corners, as metres from the origin.
    #[must_use]
    pub fn view(self, corner: impl Into<Vec2>, opposite: impl Into<Vec2>) -> DrawOptions {
        DrawOptions { view: Some(Aabb::new(corner, opposite)), ..self }
    }

    /// With signs of another size.
    #[must_use]
    pub fn mark(self, metres: f32) -> DrawOptions {
        DrawOptions { mark: metres, ..self }
    }

    /// The switch of a layer by its name, for menus and command lines; `None` if there is no such
    /// layer.
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
