//! Debug drawing: shows a world as lines and outlines.
//!
//! In: a world, and [`DrawOptions`]: which layers, from where, how much of the world. Out: calls of
//! a [`DebugDraw`], which puts lines on a screen, into a file or anywhere. Called by games and
//! tools; it reads the world and changes nothing.
//!
//! ```text
//!   options  which layers              debug_draw   the trait, and its defaults by `line` alone
//!   color    colours                   marks        signs of a fixed size: arrows, arcs, springs
//!   scene    the bodies and joints in view, with places and colours
//!
//!   layers, from the bottom to the top:
//!   boxes       grid, boxes, circles
//!   shapes      the bodies
//!   joints      a sign per kind
//!   bodies      velocities, centres
//!   touches     points, impulses
//!   bodies      numbers
//! ```

mod bodies;
mod boxes;
mod color;
mod debug_draw;
mod islands;
mod joints;
mod marks;
mod options;
mod scene;
mod shapes;
mod touches;

pub use color::Color;
pub use debug_draw::DebugDraw;
pub use options::DrawOptions;

use crate::world::World;
use scene::Scene;

impl World {
    /// Draws the world by `options`: layers from the bottom to the top, and within a layer in the
    /// order of ids, so that equal worlds make equal pictures.
    ///
    /// The world does not change, not by a bit.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::{Color, DebugDraw, DrawOptions};
    ///
    /// /// A pen that counts its lines.
    /// struct Pen(usize);
    ///
    /// impl DebugDraw for Pen {
    ///     fn line(&mut self, _a: Vec2, _b: Vec2, _color: Color) {
    ///         self.0 += 1;
    ///     }
    /// }
    ///
    /// let mut world = World::default();
    /// world.add(BodyDef::fixed().shape(Shape::rect(8.0, 1.0)))?;
    /// world.add(BodyDef::dynamic().at([0.0, 3.0]).shape(Shape::triangle([0.0, 0.0], [1.0, 0.0], [0.0, 1.0])))?;
    ///
    /// let mut pen = Pen(0);
    /// world.draw(&mut pen, &DrawOptions::default());
    /// assert_eq!(pen.0, 4 + 3); // a box and a triangle
    ///
    /// let mut pen = Pen(0);
    /// world.draw(&mut pen, &DrawOptions::default().view([-9.0, -1.0], [9.0, 1.0]));
    /// assert_eq!(pen.0, 4); // the triangle is above
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn draw<D: DebugDraw + ?Sized>(&self, draw: &mut D, options: &DrawOptions) {
        if let Some(scene) = Scene::new(self, options) {
            scene.draw(draw);
        }
    }
}

/// A function that draws one layer.
type Layer<'w, D> = fn(&Scene<'w>, &mut D);

impl<'w> Scene<'w> {
    /// Draws the wanted layers, from the bottom to the top.
    fn draw<D: DebugDraw + ?Sized>(&self, draw: &mut D) {
        let options = self.options;
        let layers: [(bool, Layer<'w, D>); 10] = [
            (options.grid, Scene::draw_grid),
            (options.boxes, Scene::draw_boxes),
            (options.circles, Scene::draw_circles),
            (options.shapes, Scene::draw_shapes),
            (options.joints, Scene::draw_joints),
            (options.centers, Scene::draw_centers),
            (options.velocities, Scene::draw_velocities),
            (options.impulses, Scene::draw_impulses),
            (options.contacts, Scene::draw_contacts),
            (options.ids, Scene::draw_ids),
        ];
        for (_, layer) in layers.into_iter().filter(|(wanted, _)| *wanted) {
            layer(self, draw);
        }
    }
}
