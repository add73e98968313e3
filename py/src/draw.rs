//! Pictures: a world through carom's own debug drawing, as SVG or as lists for other renderers.
//!
//! In: a world, layers, a view. Out: the text of a picture whose y goes up, or arrays of outlines,
//! circles and lines with colours, which `carom.draw` hands to matplotlib and pygame.

use std::fmt::Write as _;

use carom::math::atan2;
use carom::{Aabb, Color, DebugDraw, DrawOptions, Rot, Shape, Transform, Vec2, World};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays::table;
use crate::convert::{Pair, point};
use crate::world::PyWorld;

/// A shape of a picture.
enum Item {
    Outline { corners: Vec<Vec2>, radius: f32, solid: bool, color: Color },
    Circle { center: Vec2, radius: f32, solid: bool, color: Color },
    Line { a: Vec2, b: Vec2, color: Color },
    Dot { at: Vec2, pixels: f32, color: Color },
    Text { at: Vec2, text: String, color: Color },
}

/// A renderer that keeps a list.
#[derive(Default)]
struct Pen(Vec<Item>);

impl DebugDraw for Pen {
    fn line(&mut self, a: Vec2, b: Vec2, color: Color) {
        self.0.push(Item::Line { a, b, color });
    }

    fn polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        self.0.push(Item::Outline { corners: corners.to_vec(), radius, solid: false, color });
    }

    fn solid_polygon(&mut self, corners: &[Vec2], radius: f32, color: Color) {
        self.0.push(Item::Outline { corners: corners.to_vec(), radius, solid: true, color });
    }

    fn circle(&mut self, center: Vec2, radius: f32, color: Color) {
        self.0.push(Item::Circle { center, radius, solid: false, color });
    }

    fn solid_circle(&mut self, center: Vec2, radius: f32, axis: Vec2, color: Color) {
        self.0.push(Item::Circle { center, radius, solid: true, color });
        self.0.push(Item::Line { a: center, b: center + axis * radius, color });
    }

    fn capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.0.push(Item::Outline { corners: vec![a, b], radius, solid: false, color });
    }

    fn solid_capsule(&mut self, a: Vec2, b: Vec2, radius: f32, color: Color) {
        self.0.push(Item::Outline { corners: vec![a, b], radius, solid: true, color });
    }

    fn point(&mut self, at: Vec2, pixels: f32, color: Color) {
        self.0.push(Item::Dot { at, pixels, color });
    }

    fn text(&mut self, at: Vec2, text: &str, color: Color) {
        self.0.push(Item::Text { at, text: text.to_owned(), color });
    }
}

/// The largest coordinate that belongs in a picture without a view: half-planes reach farther.
const FAR: f32 = 1.0e5;

/// The box around all finite shapes of a world and the anchors of its joints, in metres from
/// `options.origin`; around the origin if there are none.
fn bounds(world: &World, options: &DrawOptions) -> Aabb {
    let mut around = Aabb::EMPTY;
    for (id, body) in world.bodies() {
        let at = Transform { position: options.origin.to(body.world_position()), rotation: body.rotation() };
        for (_, collider) in world.shapes_of(id) {
            let aabb = collider.shape().aabb(at);
            if aabb.is_valid() && aabb.size().max_element() < FAR {
                around = around.union(aabb);
            }
        }
    }
    for (id, _) in world.joints() {
        let Some(state) = world.joint_state(id) else { continue };
        for anchor in [state.anchor_a, state.anchor_b].map(|anchor| options.origin.to(anchor)) {
            if anchor.abs().max_element() < FAR {
                around = around.union(Aabb::around_point(anchor));
            }
        }
    }
    framed(around)
}

/// The value, or `least` where it is below or no number.
fn at_least(value: f32, least: f32) -> f32 {
    if value > least { value } else { least }
}

/// A box with a margin, and of a size that a picture can have.
fn framed(aabb: Aabb) -> Aabb {
    let aabb = if aabb.is_valid() { aabb } else { Aabb::new([-1.0, -1.0], [1.0, 1.0]) };
    let margin = at_least(0.03 * aabb.size().max_element(), 0.05);
    aabb.grown(margin)
}

/// A sector of a world, and its items.
struct Picture {
    view: Aabb,
    items: Vec<Item>,
}

/// Which layers, from where, how much.
struct Wish {
    view: Option<[f64; 4]>,
    layers: Option<Vec<String>>,
    origin: Pair,
}

impl Wish {
    fn options(&self) -> PyResult<DrawOptions> {
        let mut options = match &self.layers {
            None => DrawOptions::default(),
            Some(_) => DrawOptions::none(),
        };
        for name in self.layers.iter().flatten() {
            let layer = options.layer(name).ok_or_else(|| {
                let names = DrawOptions::LAYERS.join("', '");
                PyValueError::new_err(format!("a layer is '{names}', not '{name}'"))
            })?;
            *layer = true;
        }
        options.origin = self.origin.point();
        Ok(options)
    }

    fn draw(&self, world: &World) -> PyResult<Picture> {
        let mut options = self.options()?;
        let view = match self.view {
            None => bounds(world, &options),
            Some([left, low, right, high]) => {
                let corner = |x, y| options.origin.to(point(x, y));
                let view = Aabb::new(corner(left, low), corner(right, high));
                if !(view.is_valid() && view.size().min_element() > 0.0) {
                    return Err(PyValueError::new_err("a view is (left, low, right, high)"));
                }
                view
            }
        };
        options.view = Some(view);
        options.mark = 0.015 * view.size().max_element();
        let mut pen = Pen::default();
        world.draw(&mut pen, &options);
        Ok(Picture { view, items: pen.0 })
    }
}

/// Metres to pixels: y turned round.
struct Scale {
    view: Aabb,
    factor: f32,
}

impl Scale {
    fn at(&self, place: Vec2) -> (f32, f32) {
        let limit = |x: f32| x.clamp(-FAR, FAR);
        let (x, y) = (place.x - self.view.min.x, self.view.max.y - place.y);
        (limit(x * self.factor), limit(y * self.factor))
    }
}

fn hex(color: Color) -> String {
    format!("#{:02x}{:02x}{:02x}", color.r, color.g, color.b)
}

/// The picture as the text of an SVG, `width` pixels wide.
fn svg(picture: &Picture, width: f32) -> String {
    let size = picture.view.size();
    let factor = width / size.x;
    let scale = Scale { view: picture.view, factor };
    let height = at_least(size.y * factor, 1.0);
    let mut text = String::new();
    let _ = write!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for item in &picture.items {
        write_item(&mut text, item, &scale);
    }
    text.push_str("</svg>\n");
    text
}

/// Fill and stroke of a shape.
fn paint(solid: bool, color: Color) -> String {
    let opacity = f32::from(color.a) / 255.0;
    let fill = if solid { hex(color) } else { "none".to_owned() };
    format!(
        "fill=\"{fill}\" fill-opacity=\"{:.3}\" stroke=\"{}\" stroke-opacity=\"{opacity:.3}\"",
        0.3 * opacity,
        hex(color)
    )
}

fn write_item(text: &mut String, item: &Item, scale: &Scale) {
    let _ = match item {
        Item::Outline { corners, radius, solid, color } => {
            let mut path = String::new();
            for corner in rounded(corners, *radius) {
                let (x, y) = scale.at(corner);
                let _ = write!(path, "{x:.2},{y:.2} ");
            }
            writeln!(text, "<polygon points=\"{}\" {}/>", path.trim_end(), paint(*solid, *color))
        }
        Item::Circle { center, radius, solid, color } => {
            let (x, y) = scale.at(*center);
            let r = (radius * scale.factor).clamp(0.0, FAR);
            writeln!(text, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{r:.2}\" {}/>", paint(*solid, *color))
        }
        Item::Line { a, b, color } => {
            let ((x1, y1), (x2, y2)) = (scale.at(*a), scale.at(*b));
            let paint = paint(false, *color);
            writeln!(text, "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" {paint}/>")
        }
        Item::Dot { at, pixels, color } => {
            let (x, y) = scale.at(*at);
            let r = 0.5 * pixels;
            writeln!(text, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{r:.2}\" fill=\"{}\"/>", hex(*color))
        }
        Item::Text { at, text: words, color } => {
            let (x, y) = scale.at(*at);
            let words: String = words.chars().filter(|letter| !"<>&".contains(*letter)).collect();
            writeln!(
                text,
                "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"10\" text-anchor=\"middle\" \
                 font-family=\"sans-serif\" fill=\"{}\">{words}</text>",
                hex(*color)
            )
        }
    };
}

/// The outline of a polygon, or of a line, grown by a radius: arcs of five lines at the corners.
fn rounded(corners: &[Vec2], radius: f32) -> Vec<Vec2> {
    const ARC: usize = 5;
    if radius <= 0.0 || corners.len() < 2 {
        return corners.to_vec();
    }
    let count = corners.len();
    let outward = |k: usize| {
        let edge = (corners[(k + 1) % count] - corners[k % count]).normalize_or(Vec2::X);
        Vec2::new(edge.y, -edge.x)
    };
    let mut points = Vec::new();
    for (k, &corner) in corners.iter().enumerate() {
        let (before, after) = (outward((k + count - 1) % count), outward(k));
        let steps = if before.dot(after) < -0.99 { 3 * ARC } else { ARC };
        let turn = atan2(before.x * after.y - before.y * after.x, before.dot(after));
        // Of a line the two sides are opposite: the turn is half a circle, counter-clockwise.
        let turn = if before.dot(after) < -0.99 { std::f32::consts::PI } else { turn };
        for step in 0..=steps {
            let angle = turn * step as f32 / steps as f32;
            points.push(corner + Rot::from_angle(angle) * before * radius);
        }
    }
    points
}

/// A picture of one shape, for notebooks.
pub(crate) fn svg_of_shape(shape: &Shape) -> String {
    let mut world = World::default();
    let added = world.add(carom::BodyDef::fixed().shape(shape.clone()));
    let wish = Wish { view: None, layers: None, origin: Pair::default() };
    match added.map(|_| wish.draw(&world)) {
        Ok(Ok(picture)) => {
            let width = (320.0 * picture.view.size().x / picture.view.size().y).clamp(40.0, 480.0);
            svg(&picture, width)
        }
        _ => String::new(),
    }
}

/// Colours as rows of four bytes.
fn rgba(color: Color) -> [u8; 4] {
    [color.r, color.g, color.b, color.a]
}

#[pymethods]
impl PyWorld {
    /// A picture of the world as SVG: all of it, or the view (left, low, right, high). Layers are
    /// named: see `carom.LAYERS`; at first shapes, joints and sleep.
    #[pyo3(signature = (width = 640.0, *, view = None, layers = None, origin = Pair(0.0, 0.0)))]
    fn to_svg(
        &self,
        py: Python<'_>,
        width: f64,
        view: Option<[f64; 4]>,
        layers: Option<Vec<String>>,
        origin: Pair,
    ) -> PyResult<String> {
        if !(1.0..=100_000.0).contains(&width) {
            return Err(PyValueError::new_err("a picture is 1 to 100000 pixels wide"));
        }
        let wish = Wish { view, layers, origin };
        self.heavy(py, |inner| Ok(svg(&wish.draw(&inner.world)?, width as f32)))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.to_svg(py, 640.0, None, None, Pair::default())
    }

    /// The picture as lists: `view`, `outlines` (corners, solid, colour), `circles`, `lines`,
    /// `dots` and `texts`. `carom.draw` hands them to matplotlib and pygame.
    #[pyo3(signature = (*, view = None, layers = None, origin = Pair(0.0, 0.0)))]
    fn drawing<'py>(
        &self,
        py: Python<'py>,
        view: Option<[f64; 4]>,
        layers: Option<Vec<String>>,
        origin: Pair,
    ) -> PyResult<Bound<'py, PyDict>> {
        let wish = Wish { view, layers, origin };
        let picture = self.heavy(py, |inner| wish.draw(&inner.world))?;
        lists(py, &picture)
    }
}

/// The picture as lists of arrays.
fn lists<'py>(py: Python<'py>, picture: &Picture) -> PyResult<Bound<'py, PyDict>> {
    let (outlines, circles) = (PyList::empty(py), PyList::empty(py));
    let (dots, texts) = (PyList::empty(py), PyList::empty(py));
    let (mut lines, mut colors) = (Vec::new(), Vec::new());
    for item in &picture.items {
        match item {
            Item::Outline { corners, radius, solid, color } => {
                let corners = rounded(corners, *radius).iter().map(|at| at.to_array()).collect();
                outlines.append((table::<f32, 2>(py, corners)?, *solid, rgba(*color)))?;
            }
            Item::Circle { center, radius, solid, color } => {
                circles.append(((center.x, center.y), *radius, *solid, rgba(*color)))?;
            }
            Item::Line { a, b, color } => {
                lines.push([a.x, a.y, b.x, b.y]);
                colors.push(rgba(*color));
            }
            Item::Dot { at, pixels, color } => dots.append(((at.x, at.y), *pixels, rgba(*color)))?,
            Item::Text { at, text, color } => texts.append(((at.x, at.y), text, rgba(*color)))?,
        }
    }
    let answer = PyDict::new(py);
    let Aabb { min, max } = picture.view;
    answer.set_item("view", (min.x, min.y, max.x, max.y))?;
    answer.set_item("outlines", outlines)?;
    answer.set_item("circles", circles)?;
    answer.set_item("lines", table(py, lines)?)?;
    answer.set_item("line_colors", table(py, colors)?)?;
    answer.set_item("dots", dots)?;
    answer.set_item("texts", texts)?;
    Ok(answer)
}
