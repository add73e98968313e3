//! Debug layers: what carom draws of a world, as commands for the page.
//!
//! In: worlds, and a bit for each of `DrawOptions::LAYERS`, in their order. Out: commands. Called
//! once a frame while a layer is on.

use carom::{Color, DebugDraw, DrawOptions, Vec2};

use crate::commands::{Commands, Ink, Paint};
use crate::scene::Place;

/// Which layers are drawn, and what is seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layers {
    /// A bit each.
    pub bits: u32,
    /// Pixels of a metre.
    pub scale: f32,
    /// Lower left and upper right corner.
    pub view: [Vec2; 2],
}

/// Pixels of a sign, and of the arrow of 1 m/s.
const MARK: f32 = 12.0;
const SPEED: f32 = 6.0;

impl Layers {
    /// Draws them.
    pub fn draw(&self, places: &[Place], out: &mut Commands) {
        if self.bits == 0 {
            return;
        }
        let mut options = DrawOptions::none().view(self.view[0], self.view[1]);
        for (k, name) in DrawOptions::LAYERS.into_iter().enumerate() {
            if let Some(layer) = options.layer(name) {
                *layer = self.bits >> k & 1 != 0;
            }
        }
        let scale = if self.scale > 0.0 { self.scale } else { 1.0 };
        options = options.mark(MARK / scale);
        options.velocity_scale = SPEED / scale;
        for place in places {
            // What holds up a usual body for a step is half a sign long.
            let masses = place.world.bodies().map(|(_, body)| body.mass()).filter(|&mass| mass > 0.0);
            let (sum, count) = masses.fold((0.0, 0.0), |(sum, count), mass| (sum + mass, count + 1.0));
            let usual = if count > 0.0 { sum / count * 9.81 / 60.0 } else { 1.0 };
            let options = DrawOptions { impulse_scale: 0.5 * MARK / (scale * usual), ..options.clone() };
            place.world.draw(out, &options.origin(place.home()));
        }
    }
}

/// Colours of the crate as they are; grey, which is for all that stands still, in the page's own.
fn paint(color: Color) -> Paint {
    let opacity = f32::from(color.a) / 255.0;
    if color.alpha(255) == Color::GREY {
        return Paint { number: Ink::Soft.number(), opacity };
    }
    let number = f32::from(color.r) * 65_536.0 + f32::from(color.g) * 256.0 + f32::from(color.b);
    Paint { number, opacity }
}

impl DebugDraw for Commands {
    fn line(&mut self, a: Vec2, b: Vec2, color: Color) {
        self.put_line(paint(color), a, b);
    }

    fn polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        self.put_polygon(paint(color), false, radius, corners);
    }

    fn solid_polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        self.put_polygon(paint(color), true, radius, corners);
    }

    fn circle(&mut self, center: Vec2, radius: f32, color: Color) {
        self.put_circle(paint(color), false, (center, radius), Vec2::ZERO);
    }

    fn solid_circle(&mut self, center: Vec2, radius: f32, axis: Vec2, color: Color) {
        self.put_circle(paint(color), true, (center, radius), axis * radius);
    }

    fn capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.put_capsule(paint(color), false, radius, [a, b]);
    }

    fn solid_capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.put_capsule(paint(color), true, radius, [a, b]);
    }

    fn point(&mut self, at: Vec2, pixels: f32, color: Color) {
        self.put_point(paint(color), 0.5 * pixels, at);
    }

    fn text(&mut self, at: Vec2, text: &str, color: Color) {
        self.put_words(paint(color), at, text);
    }
}
