//! A world as pixels, and pixels as PNG: [`DebugDraw`] on a canvas of tiny-skia.
//!
//! In: what `World::draw` draws, and a camera. Out: frames; one makes a picture, several an
//! animation (APNG), which browsers show wherever they show a PNG. Files are of 256 colours,
//! because drawings have few and files are small so.

use super::camera::Camera;
use super::draw_svg::PALE;
use carom::{Color, DebugDraw, Vec2, vec2};
use std::collections::HashMap;
use std::io;
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

/// Hundredths of a second that an animation rests on its last frame.
const REST: u16 = 150;

/// A canvas.
pub struct DrawPng {
    pixels: Pixmap,
    camera: Camera,
}

impl DrawPng {
    /// A white canvas; none if it would have too many pixels.
    pub fn new(camera: Camera) -> Option<DrawPng> {
        let [width, height] = camera.size();
        let mut pixels = Pixmap::new(width, height)?;
        pixels.fill(tiny_skia::Color::WHITE);
        Some(DrawPng { pixels, camera })
    }

    /// What was drawn.
    pub fn finish(self) -> Frame {
        let colors = self.pixels.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
        Frame { width: self.pixels.width(), height: self.pixels.height(), colors: colors.collect() }
    }

    fn fill(&mut self, path: &Path, color: Color, opacity: f32) {
        self.pixels.fill_path(path, &paint(color, opacity), FillRule::Winding, Transform::identity(), None);
    }

    fn stroke(&mut self, path: &Path, color: Color) {
        let stroke = Stroke {
            width: self.camera.line,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        self.pixels.stroke_path(path, &paint(color, 1.0), &stroke, Transform::identity(), None);
    }

    fn area(&mut self, path: Option<Path>, color: Color) {
        if let Some(path) = path {
            self.fill(&path, color, PALE);
            self.stroke(&path, color);
        }
    }

    fn border(&mut self, path: Option<Path>, color: Color) {
        if let Some(path) = path {
            self.stroke(&path, color);
        }
    }

    /// A polygon with round corners: one point gives a disc, two a capsule.
    fn outline(&self, corners: &[Vec2], radius: f32) -> Option<Path> {
        let mut path = PathBuilder::new();
        let count = corners.len();
        let mut push = |at: Vec2| {
            let at = self.camera.pixel(at);
            if path.is_empty() { path.move_to(at.x, at.y) } else { path.line_to(at.x, at.y) }
        };
        for k in 0..count {
            let (before, at, after) =
                (corners[(k + count - 1) % count], corners[k], corners[(k + 1) % count]);
            if radius <= 0.0 {
                push(at);
                continue;
            }
            let out = |edge: Vec2| -edge.normalize_or(Vec2::Y).perp();
            let (from, to) = (out(at - before), out(after - at));
            // Counter-clockwise, by up to half a turn; a capsule's ends by exactly that.
            let angle =
                if from.dot(to) < -0.999_999 { core::f32::consts::PI } else { from.angle_between_left(to) };
            const STEPS: usize = 8;
            for step in 0..=STEPS {
                let turn = carom::Rot::from_angle(angle * step as f32 / STEPS as f32);
                push(at + turn * from * radius);
            }
        }
        path.close();
        path.finish()
    }

    fn disc(&self, center: Vec2, radius: f32) -> Option<Path> {
        let center = self.camera.pixel(center);
        PathBuilder::from_circle(center.x, center.y, radius * self.camera.pixels_per_metre)
    }

    fn way(&self, a: Vec2, b: Vec2) -> Option<Path> {
        let [a, b] = [a, b].map(|at| self.camera.pixel(at));
        let mut path = PathBuilder::new();
        path.move_to(a.x, a.y);
        path.line_to(b.x, b.y);
        path.finish()
    }
}

/// The angle from one unit vector to another, counter-clockwise.
trait Left {
    fn angle_between_left(self, to: Vec2) -> f32;
}

impl Left for Vec2 {
    fn angle_between_left(self, to: Vec2) -> f32 {
        carom::math::atan2(self.perp_dot(to), self.dot(to))
    }
}

fn paint(Color { r, g, b, a }: Color, opacity: f32) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (f32::from(a) * opacity).round() as u8);
    paint
}

impl DebugDraw for DrawPng {
    fn line(&mut self, a: Vec2, b: Vec2, color: Color) {
        self.border(self.way(a, b), color);
    }
    fn polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        self.border(self.outline(corners, radius), color);
    }
    fn solid_polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        self.area(self.outline(corners, radius), color);
    }
    fn circle(&mut self, center: Vec2, radius: f32, color: Color) {
        self.border(self.disc(center, radius), color);
    }
    fn solid_circle(&mut self, center: Vec2, radius: f32, axis: Vec2, color: Color) {
        self.area(self.disc(center, radius), color);
        self.line(center, center + axis * radius, color);
    }
    fn capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.border(self.outline(&[a, b], radius), color);
    }
    fn solid_capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.area(self.outline(&[a, b], radius), color);
    }
    fn point(&mut self, at: Vec2, pixels: f32, color: Color) {
        let radius = 0.5 * self.camera.dot(pixels);
        if let Some(path) = self.disc(at, radius) {
            self.fill(&path, color, 1.0);
        }
    }
    /// Digits and points, which is what worlds write; anything else leaves a gap.
    fn text(&mut self, at: Vec2, text: &str, color: Color) {
        if self.camera.letters <= 0.0 {
            return;
        }
        let size = vec2(6.0 * text.len() as f32 - 1.0, 7.0);
        let corner = (self.camera.pixel(at) - 0.5 * size).round();
        for (k, letter) in text.bytes().enumerate() {
            for (y, row) in glyph(letter).into_iter().enumerate() {
                for x in (0..5).filter(|x| row & (16 >> x) != 0) {
                    let (x, y) = (corner.x + (6 * k + x) as f32, corner.y + y as f32);
                    if let Some(dot) = tiny_skia::Rect::from_xywh(x, y, 1.0, 1.0) {
                        let color = paint(color.alpha(255), 1.0);
                        self.pixels.fill_rect(dot, &color, Transform::identity(), None);
                    }
                }
            }
        }
    }
}

/// Five by seven dots a letter, a row a number.
#[rustfmt::skip]
fn glyph(letter: u8) -> [u8; 7] {
    match letter {
        b'0' => [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        b'1' => [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        b'2' => [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
        b'3' => [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
        b'4' => [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
        b'5' => [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
        b'6' => [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
        b'7' => [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000],
        b'8' => [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
        b'9' => [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
        b'.' => [0, 0, 0, 0, 0, 0b01100, 0b01100],
        _ => [0; 7],
    }
}

/// A drawn canvas: colours row by row, from the top.
#[derive(Clone, PartialEq)]
pub struct Frame {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Red, green and blue of each pixel.
    pub colors: Vec<[u8; 3]>,
}

/// Writes frames of one size, `delay` hundredths of a second apart. One frame is a plain PNG.
///
/// # Errors
/// What writing to `to` fails with.
pub fn write(frames: &[Frame], delay: u16, to: impl io::Write) -> Result<(), png::EncodingError> {
    let Some(first) = frames.first() else { return Ok(()) };
    let palette = Palette::of(frames);
    let mut encoder = png::Encoder::new(to, first.width, first.height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.bytes());
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    if frames.len() > 1 {
        // Color 0 is clear: what stays as it was in the frame before.
        encoder.set_trns(vec![0_u8]);
        encoder.set_animated(frames.len() as u32, 0)?;
        encoder.set_blend_op(png::BlendOp::Over)?;
    }
    let mut writer = encoder.write_header()?;
    let mut before: Option<Vec<u8>> = None;
    for (k, frame) in frames.iter().enumerate() {
        if frames.len() > 1 {
            writer.set_frame_delay(if k + 1 < frames.len() { delay } else { REST }, 100)?;
        }
        let now: Vec<u8> = frame.colors.iter().map(|&color| palette.index(color)).collect();
        match &before {
            None => writer.write_image_data(&now)?,
            Some(before) => {
                let news = now.iter().zip(before).map(|(&now, &before)| if now == before { 0 } else { now });
                writer.write_image_data(&news.collect::<Vec<u8>>())?;
            }
        }
        before = Some(now);
    }
    writer.finish()
}

/// The colours that are used most, at four bits a channel, and which of them takes the place of
/// any.
struct Palette {
    colors: Vec<[u8; 3]>,
    places: HashMap<[u8; 3], u8>,
}

impl Palette {
    fn of(frames: &[Frame]) -> Palette {
        let mut counts: HashMap<[u8; 3], (usize, [usize; 3])> = HashMap::new();
        for color in frames.iter().flat_map(|frame| &frame.colors) {
            let (count, sums) = counts.entry(coarse(*color)).or_default();
            *count += 1;
            (0..3).for_each(|k| sums[k] += usize::from(color[k]));
        }
        // A total order, so that one picture makes one file.
        let mut sorted: Vec<_> = counts.into_iter().collect();
        sorted.sort_by_key(|(coarse, (count, _))| (usize::MAX - count, *coarse));
        let mean = |(count, sums): (usize, [usize; 3])| sums.map(|sum| (sum / count) as u8);
        let mut colors = vec![[0; 3]];
        colors.extend(sorted.iter().take(255).map(|&(_, bin)| mean(bin)));
        let apart =
            |a: [u8; 3], b: [u8; 3]| (0..3).map(|k| i32::from(a[k].abs_diff(b[k])).pow(2)).sum::<i32>();
        let nearest = |color| (1..colors.len()).min_by_key(|&k| apart(colors[k], color)).unwrap_or(0) as u8;
        let places = sorted.iter().map(|&(coarse, bin)| (coarse, nearest(mean(bin)))).collect();
        Palette { colors, places }
    }

    fn index(&self, color: [u8; 3]) -> u8 {
        self.places.get(&coarse(color)).copied().unwrap_or(0)
    }

    fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }
}

fn coarse(color: [u8; 3]) -> [u8; 3] {
    color.map(|channel| channel >> 4)
}
