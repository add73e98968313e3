//! A world as SVG text: [`DebugDraw`] on a page of [`svg`](super::svg).
//!
//! In: what `World::draw` draws, and a camera. Out: a page.

use super::camera::Camera;
use super::svg::{Style, Svg};
use carom::{Color, DebugDraw, Vec2};

/// Opacity of the inside of solid shapes.
pub const PALE: f32 = 0.25;

/// What an element is, as far as its style goes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Area,
    Line,
    /// Dots and letters.
    Flat,
}

/// A page that is drawn on.
pub struct DrawSvg {
    svg: Svg,
    camera: Camera,
    /// What the elements are that were drawn last: they share a style.
    open: Option<(Kind, Color)>,
}

impl DrawSvg {
    /// A white page.
    pub fn new(camera: Camera) -> DrawSvg {
        DrawSvg {
            svg: Svg::new(camera.view.min, camera.view.max, camera.pixels_per_metre),
            camera,
            open: None,
        }
    }

    /// The page, finished.
    pub fn finish(mut self) -> Svg {
        if self.open.is_some() {
            self.svg.close();
        }
        self.svg
    }

    /// The page, for an element of a kind.
    fn element(&mut self, kind: Kind, color: Color) -> &mut Svg {
        if self.open != Some((kind, color)) {
            if self.open.replace((kind, color)).is_some() {
                self.svg.close();
            }
            let css = css(color);
            let style = match kind {
                Kind::Area => Style { opacity: PALE, ..Style::body(&css) },
                Kind::Line => Style::outline(&css),
                Kind::Flat => Style::flat(&css),
            };
            self.svg.open(Style { width: self.camera.line, ..style });
        }
        &mut self.svg
    }
}

fn css(Color { r, g, b, a }: Color) -> String {
    if a == 255 { format!("#{r:02x}{g:02x}{b:02x}") } else { format!("#{r:02x}{g:02x}{b:02x}{a:02x}") }
}

fn outline(svg: &mut Svg, corners: &[Vec2], radius: f32) {
    if radius > 0.0 {
        svg.rounded(corners, radius, Style::INHERITED);
    } else {
        svg.polygon(corners, Style::INHERITED);
    }
}

impl DebugDraw for DrawSvg {
    fn line(&mut self, a: Vec2, b: Vec2, color: Color) {
        self.element(Kind::Line, color).line(a, b, Style::INHERITED);
    }
    fn polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        outline(self.element(Kind::Line, color), corners, radius);
    }
    fn solid_polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        outline(self.element(Kind::Area, color), corners, radius);
    }
    fn circle(&mut self, center: Vec2, radius: f32, color: Color) {
        self.element(Kind::Line, color).circle(center, radius, Style::INHERITED);
    }
    fn solid_circle(&mut self, center: Vec2, radius: f32, axis: Vec2, color: Color) {
        let svg = self.element(Kind::Area, color);
        svg.circle(center, radius, Style::INHERITED);
        svg.line(center, center + axis * radius, Style::INHERITED);
    }
    fn capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.element(Kind::Line, color).rounded(&[a, b], radius, Style::INHERITED);
    }
    fn solid_capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.element(Kind::Area, color).rounded(&[a, b], radius, Style::INHERITED);
    }
    fn point(&mut self, at: Vec2, pixels: f32, color: Color) {
        let radius = 0.5 * self.camera.dot(pixels);
        self.element(Kind::Flat, color).circle(at, radius, Style::INHERITED);
    }
    fn text(&mut self, at: Vec2, text: &str, color: Color) {
        let size = self.camera.letters;
        if size > 0.0 {
            self.element(Kind::Flat, color.alpha(255)).label(at, size, text, Style::INHERITED);
        }
    }
}
