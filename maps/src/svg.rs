//! Paths of SVG as chains.
//!
//! In: what stands in the attribute `d` of a path. Out: points in metres, y up, nowhere farther
//! from the curve than a tolerance; open or closed, as it was drawn. The rest of SVG, groups,
//! transforms and styles, is for those who read the document.
//!
//! Curves are cut by arithmetic of the standard library, whose last bits differ from platform to
//! platform. Where several machines must agree to the bit, cut a path on one, and send the points.

use carom::{Shape, Vec2, vec2};
use kurbo::{BezPath, PathEl, Point};
use svgtypes::{SimplePathSegment, SimplifyingPathParser};

use crate::objects::turn;
use crate::{Fault, MapError, Options};

/// Points of a path beyond which it is refused: a tolerance that is too fine.
const MOST_POINTS: usize = 1 << 20;

/// Points nearer to each other than this, in metres, are one.
const SAME: f32 = 1.0e-4;

/// A part of a path: from one move of the pen to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// In metres, y up. A closed one does not repeat its first point.
    pub points: Vec<Vec2>,
    /// Whether its end is joined to its beginning.
    pub closed: bool,
}

impl Path {
    /// The chain along it.
    #[must_use]
    pub fn chain(&self) -> Shape {
        if self.closed { Shape::closed_chain(&self.points) } else { Shape::chain(&self.points) }
    }

    /// Its area, positive where it runs counter-clockwise; an open one counts as closed by a line.
    #[must_use]
    pub fn area(&self) -> f32 {
        0.5 * turn(&self.points)
    }

    /// The same path the other way round.
    #[must_use]
    pub fn reversed(mut self) -> Path {
        self.points.reverse();
        self
    }
}

/// The parts of a path, each as points. Parts of a single point are left out.
///
/// ```
/// use carom_maps::{Options, svg};
///
/// // A bowl: down, round by a quarter circle twice, and up.
/// let bowl = svg::paths("M 0 0 v 20 a 20 20 0 0 0 40 0 v -20", &Options::pixels_per_metre(10.0))?;
/// assert!(bowl.len() == 1 && !bowl[0].closed);
/// let lowest = bowl[0].points.iter().map(|p| p.y).fold(0.0, |low, y| if y < low { y } else { low });
/// assert!((lowest + 4.0).abs() < 0.01);
/// # Ok::<(), carom_maps::MapError>(())
/// ```
///
/// # Errors
/// Text that is no path, with the place where it ends to be one, numbers beyond carom's range, and
/// a tolerance that is not above 0 or makes more than a million points.
pub fn paths(d: &str, options: &Options) -> Result<Vec<Path>, MapError> {
    let fault = |fault| MapError::new("", "path", fault);
    if !(options.pixels_per_metre > 0.0 && options.tolerance > 0.0 && options.tolerance.is_finite()) {
        return Err(fault(Fault::Unsupported("pixels to a metre and the tolerance must be above 0")));
    }
    let curves = curves(d).map_err(fault)?;
    let metres = 1.0 / f64::from(options.pixels_per_metre);
    let tolerance = f64::from(options.tolerance) / metres;
    let mut cut = Cut { paths: Vec::new(), points: 0, metres };
    for element in &curves {
        // Of one curve at a time, so that the number of points is known before it is too large.
        cut.check(&element, tolerance).map_err(fault)?;
    }
    kurbo::flatten(curves, tolerance, |element| cut.add(element));
    let mut paths = cut.paths;
    paths.iter_mut().for_each(tidy);
    paths.retain(|path| path.points.len() > 1 + usize::from(path.closed));
    for path in &paths {
        path.chain().checked().map_err(|error| fault(Fault::Body(error.into())))?;
    }
    Ok(paths)
}

fn curves(d: &str) -> Result<BezPath, Fault> {
    let mut path = BezPath::new();
    for segment in SimplifyingPathParser::from(d) {
        let segment = segment.map_err(|error| Fault::Format(error.to_string()))?;
        match segment {
            SimplePathSegment::MoveTo { x, y } => path.move_to((x, y)),
            // A path begins with a move; the parser says so too.
            _ if path.elements().is_empty() => {
                return Err(Fault::Format("a path begins with a move".to_owned()));
            }
            SimplePathSegment::LineTo { x, y } => path.line_to((x, y)),
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => path.curve_to((x1, y1), (x2, y2), (x, y)),
            SimplePathSegment::Quadratic { x1, y1, x, y } => path.quad_to((x1, y1), (x, y)),
            SimplePathSegment::ClosePath => path.close_path(),
        }
    }
    if path.is_finite() { Ok(path) } else { Err(Fault::Body(carom::ShapeError::OutOfRange.into())) }
}

/// Lines as they come, as paths.
struct Cut {
    paths: Vec<Path>,
    points: usize,
    metres: f64,
}

impl Cut {
    /// Counts what a curve may come to at most: a curve within a box of side s has at most about
    /// √(s / tolerance) lines.
    fn check(&mut self, element: &PathEl, tolerance: f64) -> Result<(), Fault> {
        let reach = |points: &[Point]| {
            points.iter().flat_map(|p| [p.x.abs(), p.y.abs()]).fold(0.0, |most: f64, x| most.max(x))
        };
        let (reach, lines) = match element {
            PathEl::MoveTo(p) | PathEl::LineTo(p) => (reach(&[*p]), 1.0),
            PathEl::QuadTo(p, q) => (reach(&[*p, *q]), (reach(&[*p, *q]) / tolerance).sqrt()),
            PathEl::CurveTo(p, q, r) => {
                (reach(&[*p, *q, *r]), 3.0 * (reach(&[*p, *q, *r]) / tolerance).sqrt())
            }
            PathEl::ClosePath => (0.0, 1.0),
        };
        if reach * self.metres > 1.0e9 {
            return Err(Fault::Body(carom::ShapeError::OutOfRange.into()));
        }
        self.points = self.points.saturating_add(lines as usize);
        if self.points <= MOST_POINTS {
            return Ok(());
        }
        Err(Fault::Unsupported("a path comes to more than a million points: take a coarser tolerance"))
    }

    fn add(&mut self, element: PathEl) {
        let point = |p: Point| vec2((p.x * self.metres) as f32, (-p.y * self.metres) as f32);
        match (element, self.paths.last_mut()) {
            (PathEl::MoveTo(p), _) => self.paths.push(Path { points: vec![point(p)], closed: false }),
            (PathEl::LineTo(p), Some(path)) => path.points.push(point(p)),
            (PathEl::ClosePath, Some(path)) => path.closed = true,
            // `flatten` makes no curves, and `curves` none before a move.
            _ => {}
        }
    }
}

/// Makes one of points that are the same, the last and the first one too.
fn tidy(path: &mut Path) {
    let apart = |a: Vec2, b: Vec2| a.distance(b) > least(a, b);
    path.points.dedup_by(|b, a| !apart(*a, *b));
    while path.closed && path.points.len() > 1 {
        match (path.points.first(), path.points.last()) {
            (Some(&first), Some(&last)) if !apart(first, last) => path.points.pop(),
            _ => break,
        };
    }
}

/// Far from the origin, coordinates have fewer digits.
fn least(a: Vec2, b: Vec2) -> f32 {
    let reach =
        [a, b].iter().flat_map(|p| [p.x.abs(), p.y.abs()]).fold(0.0_f32, |m, x| if x > m { x } else { m });
    let far = 2.0e-5 * reach;
    if far > SAME { far } else { SAME }
}
