//! Pictures as SVG text, written by hand: a page with metres and y up, and a few shapes in a few
//! styles.
//!
//! In: points in metres. Out: a file that any browser shows; examples leave theirs in `out/`.
//!
//! What is drawn later lies on top. Shapes are measured in metres, line widths and letters in
//! pixels. Arcs are SVG's own and need no sine: the same scene gives the same file on every
//! platform.
//!
//! ```text
//! max.y ┌───────┐  pixel (0, 0) is the view's upper left corner,
//! min.y └───────┘  pixel = (x - min.x, max.y - y) * pixels_per_metre
//!     min.x   max.x
//! ```

use carom::Vec2;
use std::fmt::Write as _;
use std::{fs, io, path::Path};

/// Text, axes, contact points.
pub const INK: &str = "#24292f";
/// What stands by: walls, bounds, construction lines.
pub const GREY: &str = "#8a929a";
/// The first of the [`PALETTE`].
pub const BLUE: &str = "#0072b2";
/// The second.
pub const ORANGE: &str = "#d98a00";
/// The third.
pub const GREEN: &str = "#009e73";
/// The fourth.
pub const RED: &str = "#c8432b";
/// The fifth.
pub const PURPLE: &str = "#a0529e";
/// The last.
pub const SKY: &str = "#3fa0d8";
/// Colours to number things with. Told apart by colour-blind eyes too (after Okabe and Ito, a
/// little darker).
pub const PALETTE: [&str; 6] = [BLUE, ORANGE, GREEN, RED, PURPLE, SKY];

/// How a shape is drawn: CSS colours (`"none"` leaves a part out), line width and dashes in pixels.
/// Start from one of those below: `Style { dash: 4.0, ..Style::outline(GREY) }`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style<'c> {
    /// The inside, and letters.
    pub fill: &'c str,
    /// Lines and borders.
    pub stroke: &'c str,
    /// Of lines, in pixels.
    pub width: f32,
    /// Of the fill alone, 0 to 1; lines are opaque.
    pub opacity: f32,
    /// Length of dashes and of the gaps between them; 0 is an unbroken line.
    pub dash: f32,
}

impl<'c> Style<'c> {
    /// That of [`Svg::open`].
    pub const INHERITED: Self = Self { fill: "", ..Self::body("") };

    /// A solid body: a pale inside, a strong border.
    pub const fn body(color: &'c str) -> Self {
        Self { fill: color, stroke: color, width: 1.5, opacity: 0.25, dash: 0.0 }
    }

    /// A line, or a shape's border without its inside.
    pub const fn outline(color: &'c str) -> Self {
        Self { fill: "none", ..Self::body(color) }
    }

    /// One flat colour without a border: dots, letters, backgrounds.
    pub const fn flat(color: &'c str) -> Self {
        Self { fill: color, stroke: "none", width: 0.0, opacity: 1.0, dash: 0.0 }
    }

    /// The style as the attributes of an element, with a blank in front.
    fn attributes(&self) -> String {
        if self.fill.is_empty() {
            return String::new();
        }
        let (fill, stroke) = (self.fill, self.stroke);
        let (opacity, width, dash) = (number(self.opacity), number(self.width), number(self.dash));
        let mut text = format!(r#" fill="{fill}" fill-opacity="{opacity}" stroke="{stroke}""#);
        if stroke != "none" {
            let _ = write!(text, r#" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round""#);
        }
        if self.dash > 0.0 {
            let _ = write!(text, r#" stroke-dasharray="{dash}""#);
        }
        text
    }
}

/// A page that shows the rectangle from `min` to `max` of the world.
pub struct Svg {
    min: Vec2,
    max: Vec2,
    pixels_per_metre: f32,
    body: String,
    clips: usize,
}

impl Svg {
    /// A white page of the view rectangle, corners in metres.
    pub fn new(min: Vec2, max: Vec2, pixels_per_metre: f32) -> Self {
        assert!(min.x < max.x && min.y < max.y, "a view needs a lower left and an upper right corner");
        let mut svg = Self { min, max, pixels_per_metre, body: String::new(), clips: 0 };
        svg.rect(min, max, Style::flat("#ffffff"));
        svg
    }

    /// Faint lines at the multiples of `spacing` metres over the whole view; x = 0 and y = 0 a
    /// little darker.
    pub fn grid(&mut self, spacing: f32) {
        assert!(spacing > 0.0, "grid lines stand apart");
        let style = |at: i32| Style::outline(if at == 0 { "#c9cfd5" } else { "#e9ecef" });
        let (min, max) = (self.min, self.max);
        let steps = |low: f32, high: f32| (low / spacing).ceil() as i32..=(high / spacing).floor() as i32;
        for at in steps(min.x, max.x) {
            let x = Vec2::X * (at as f32 * spacing);
            self.line(x.with_y(min.y), x.with_y(max.y), style(at));
        }
        for at in steps(min.y, max.y) {
            let y = Vec2::Y * (at as f32 * spacing);
            self.line(y.with_x(min.x), y.with_x(max.x), style(at));
        }
    }

    /// A closed outline, convex or not.
    pub fn polygon(&mut self, points: &[Vec2], style: Style) {
        let points = self.point_list(points);
        self.element("polygon", &format!(r#" points="{points}"{}"#, style.attributes()));
    }

    /// An open path from point to point, a chain or a trajectory: takes an `outline` style.
    pub fn polyline(&mut self, points: &[Vec2], style: Style) {
        let points = self.point_list(points);
        self.element("polyline", &format!(r#" points="{points}"{}"#, style.attributes()));
    }

    /// An upright rectangle between two corners.
    pub fn rect(&mut self, min: Vec2, max: Vec2, style: Style) {
        self.polygon(&[min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)], style);
    }

    /// A disc or a ring, as the style says.
    pub fn circle(&mut self, center: Vec2, radius: f32, style: Style) {
        let (x, y) = self.page(center);
        let r = number(radius * self.pixels_per_metre);
        self.element("circle", &format!(r#" cx="{x}" cy="{y}" r="{r}"{}"#, style.attributes()));
    }

    /// A mark of a fixed size on the page, 6 pixels across.
    pub fn dot(&mut self, at: Vec2, color: &str) {
        self.circle(at, 3.0 / self.pixels_per_metre, Style::flat(color));
    }

    /// A straight line: takes an `outline` style.
    pub fn line(&mut self, a: Vec2, b: Vec2, style: Style) {
        self.polyline(&[a, b], style);
    }

    /// A line from `a` with a head at `b`: normals, velocities. Too short for a head, it is a line.
    pub fn arrow(&mut self, a: Vec2, b: Vec2, style: Style) {
        let head = (6.0 + 2.0 * style.width) / self.pixels_per_metre;
        let Some(along) = (b - a).try_normalize().filter(|_| a.distance(b) > head) else {
            return self.line(a, b, style);
        };
        let neck = b - along * head;
        let side = along.perp() * (0.4 * head);
        self.line(a, neck, style);
        self.polygon(&[b, neck + side, neck - side], Style::flat(style.stroke));
    }

    /// A convex outline grown by `radius`: one point gives a disc, two a capsule, more a rounded
    /// polygon. Either winding.
    pub fn rounded(&mut self, points: &[Vec2], radius: f32, style: Style) {
        let count = points.len();
        if count < 2 {
            return points.iter().for_each(|&center| self.circle(center, radius, style));
        }
        let next = |i: usize| points[(i + 1) % count];
        // Twice the area; counter-clockwise is positive, and a capsule's zero goes round either
        // way.
        let area: f32 = (0..count).map(|i| points[i].perp_dot(next(i))).sum();
        let (outward, sweep) = if area < 0.0 { (radius, 1) } else { (-radius, 0) };
        let r = number(radius * self.pixels_per_metre);
        // Each edge is shifted outward along its normal, and an arc leads to the start of the next
        // edge.
        let shift = |i: usize| (next(i) - points[i]).normalize_or_zero().perp() * outward;
        let mut path = format!("M {}", self.pair(points[0] + shift(0)));
        for i in 0..count {
            let (end, onward) = (next(i) + shift(i), next(i) + shift((i + 1) % count));
            let _ = write!(path, " L {} A {r} {r} 0 0 {sweep} {}", self.pair(end), self.pair(onward));
        }
        self.element("path", &format!(r#" d="{path} Z"{}"#, style.attributes()));
    }

    /// Letters `size` pixels high whose base line starts at `at`, in the style's fill.
    pub fn text(&mut self, at: Vec2, size: f32, text: &str, style: Style) {
        let ((x, y), size) = (self.page(at), number(size));
        let place = format!(r#"x="{x}" y="{y}" font-family="sans-serif" font-size="{size}""#);
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(self.body, "<text {place}{}>{text}</text>", style.attributes());
    }

    /// The same with its middle at `at`.
    pub fn label(&mut self, at: Vec2, size: f32, text: &str, style: Style) {
        self.body.push_str(r#"<g text-anchor="middle">"#);
        self.text(at - Vec2::Y * (0.35 * size / self.pixels_per_metre), size, text, style);
        self.body.push_str("</g>\n");
    }

    /// From here on, what is drawn in [`Style::INHERITED`] has this style, until [`Svg::close`]:
    /// long pictures say it once.
    pub fn open(&mut self, style: Style) {
        let _ = writeln!(self.body, "<g{}>", style.attributes());
    }

    /// Ends what [`Svg::open`] began.
    pub fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// What `draw` draws, moved by `by` metres: several panels on a page.
    pub fn shifted(&mut self, by: Vec2, draw: impl FnOnce(&mut Self)) {
        let (x, y) = (number(by.x * self.pixels_per_metre), number(-by.y * self.pixels_per_metre));
        let _ = writeln!(self.body, r#"<g transform="translate({x} {y})">"#);
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// What `draw` draws, cut off at the rectangle from `min` to `max`.
    pub fn clipped(&mut self, min: Vec2, max: Vec2, draw: impl FnOnce(&mut Self)) {
        self.clips += 1;
        let clip = self.clips;
        let _ = writeln!(self.body, r#"<clipPath id="clip{clip}">"#);
        self.rect(min, max, Style::flat(INK));
        let _ = writeln!(self.body, r##"</clipPath><g clip-path="url(#clip{clip})">"##);
        draw(self);
        self.body.push_str("</g>\n");
    }

    /// Writes the page, and makes the folder if it is not there: `svg.save("out/stack.svg")?`.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        fs::create_dir_all(path.as_ref().parent().unwrap_or(Path::new("")))?;
        fs::write(path, self.page_text())
    }

    /// The page as a file has it: as large as it says where there is room, else as wide as its
    /// column, in a browser and in the crate's documentation.
    pub fn page_text(&self) -> String {
        let size = (self.max - self.min) * self.pixels_per_metre;
        let (w, h, body) = (number(size.x), number(size.y), &self.body);
        let open = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}""#
        );
        format!("{open} style=\"max-width:100%;height:auto\">\n{body}</svg>\n")
    }

    /// Metres of the world to pixels of the page. What is not finite ends the example: no page with
    /// a hole.
    fn page(&self, at: Vec2) -> (String, String) {
        assert!(at.is_finite(), "cannot draw at {at}");
        let scale = self.pixels_per_metre;
        (number((at.x - self.min.x) * scale), number((self.max.y - at.y) * scale))
    }

    fn pair(&self, at: Vec2) -> String {
        let (x, y) = self.page(at);
        format!("{x} {y}")
    }

    fn point_list(&self, points: &[Vec2]) -> String {
        points.iter().map(|&point| self.pair(point)).collect::<Vec<_>>().join(" ")
    }

    fn element(&mut self, name: &str, attributes: &str) {
        let _ = writeln!(self.body, "<{name}{attributes}/>");
    }
}

/// Two decimals, and never `-0.00`.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    if text == "-0.00" { "0.00".into() } else { text }
}
