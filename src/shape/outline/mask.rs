//! Contour tracing: outlines of the solid pixels of an image (a bitmap mask).
//!
//! In: which pixels are solid, and how far the outline may stray from them. Out: the border of each
//! patch of solid pixels with its holes, simplified, and cut into convex parts.
//!
//! A border is followed from pixel corner to pixel corner, with solid pixels on its left. Pixels
//! are one patch if they share a side. Where two pixels touch in a corner only, that corner is cut
//! off both.

use glam::Vec2;

use super::loops::Loops;
use super::{ShapeError, parts_of, shape_of};
use crate::shape::Shape;
use crate::shape::error::{check_coordinates, check_size};

/// Most pixels of a mask, and most along a side: places of its corners are exact then.
const MAX_PIXELS: usize = 1 << 24;
const MAX_SIDE: usize = 1 << 16;

/// Steps of the grid of corners in a pixel. Where pixels touch in a corner, one step is cut off.
const STEPS: i32 = 16;

/// To the right, up, left, down.
const WAYS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

type Corner = [i32; 2];

impl Shape {
    /// The solid pixels of an image, `side` metres wide each, as one shape: `width` columns, given
    /// row by row, the topmost row first. The lower left corner of the image is the origin.
    ///
    /// The border strays from the border of the pixels by `tolerance` metres at most: 0 keeps every
    /// step of a slope, 1 to 1.5 pixels make a slope of the steps. Holes and patches smaller than
    /// the tolerance may vanish. Separate patches are parts of the one shape. Pixels that touch at
    /// a corner alone are separate: each loses the outer sixteenth of that corner. A mask has at
    /// most 2^24 pixels, and 2^16 in a row or column.
    ///
    /// ```
    /// use carom::Shape;
    ///
    /// // From an RGBA image, pixels more solid than not: `pixels.iter().map(|p| p[3] >= 128)`.
    /// let picture = ["..####..", ".######.", ".##..##.", ".######."];
    /// let solid: Vec<bool> = picture.iter().flat_map(|row| row.bytes().map(|b| b == b'#')).collect();
    /// let helmet = Shape::from_mask(0.5, 8, &solid, 0.0);
    /// assert_eq!(helmet.mass(1.0).mass, 20.0 * 0.25);
    /// ```
    #[must_use]
    pub fn from_mask(side: f32, width: u32, solid: &[bool], tolerance: f32) -> Shape {
        trace(side, width as usize, solid, tolerance).unwrap_or_else(Shape::Invalid)
    }
}

fn trace(side: f32, width: usize, solid: &[bool], tolerance: f32) -> Result<Shape, ShapeError> {
    check_size(side)?;
    check_coordinates(&[tolerance])?;
    if tolerance < 0.0 {
        return Err(ShapeError::NotPositive);
    }
    if width == 0 || !solid.len().is_multiple_of(width) || !solid.contains(&true) {
        return Err(ShapeError::Empty);
    }
    let height = solid.len() / width;
    if solid.len() > MAX_PIXELS || width.max(height) > MAX_SIDE {
        return Err(ShapeError::TooManyParts);
    }
    let borders = Mask { solid, width: width as i32, height: height as i32 }.borders();
    let mut worst = f64::from(tolerance) / f64::from(side) * f64::from(STEPS);
    // Borders near each other may cross when they are simplified: then they are simplified less,
    // and in the end not at all.
    for _ in 0..4 {
        if let Ok(shape) = simplified(&borders, worst, side) {
            return Ok(shape);
        }
        worst *= 0.5;
    }
    simplified(&borders, 0.0, side)
}

/// All borders, each simplified as far as `worst` allows, as one shape.
fn simplified(borders: &[Vec<Corner>], worst: f64, side: f32) -> Result<Shape, ShapeError> {
    let step = side / STEPS as f32;
    let mut outlines: Vec<Vec<Vec2>> = Vec::new();
    for border in borders {
        let few = simplify(border, worst);
        if few.len() < 3 {
            continue;
        }
        if (doubled_area(&few) > 0) != (doubled_area(border) > 0) {
            return Err(ShapeError::SelfCrossing);
        }
        outlines.push(few.iter().map(|&[x, y]| Vec2::new(x as f32 * step, y as f32 * step)).collect());
    }
    if outlines.is_empty() {
        return Err(ShapeError::Degenerate);
    }
    let loops = Loops::new(&outlines)?;
    loops.check_simple()?;
    match loops.as_polygon() {
        Some(polygon) => Ok(Shape::Polygon(polygon)),
        None => shape_of(parts_of(&loops)?),
    }
}

fn doubled_area(corners: &[Corner]) -> i64 {
    let next = corners.iter().cycle().skip(1);
    let cross =
        |(p, q): (&Corner, &Corner)| i64::from(p[0]) * i64::from(q[1]) - i64::from(p[1]) * i64::from(q[0]);
    corners.iter().zip(next).map(cross).sum()
}

/// Simplifies a border: drops corners if the border still passes within `worst` of them (Douglas
/// and Peucker 1973).
fn simplify(border: &[Corner], worst: f64) -> Vec<Corner> {
    let far = |k: &usize| {
        let [dx, dy] = [0, 1].map(|axis| i64::from(border[*k][axis] - border[0][axis]));
        (dx * dx + dy * dy, core::cmp::Reverse(*k))
    };
    let Some(middle) = (0..border.len()).max_by_key(far) else { return Vec::new() };
    let mut is_kept = vec![false; border.len()];
    (is_kept[0], is_kept[middle]) = (true, true);
    let mut spans = vec![(0, middle), (middle, border.len())];
    while let Some((from, to)) = spans.pop() {
        let (p, q) = (border[from], border[to % border.len()]);
        let mut farthest = (worst, 0);
        for (k, &corner) in border.iter().enumerate().take(to).skip(from + 1) {
            let away = distance(corner, p, q);
            if away > farthest.0 {
                farthest = (away, k);
            }
        }
        if farthest.1 > 0 {
            is_kept[farthest.1] = true;
            spans.extend([(from, farthest.1), (farthest.1, to)]);
        }
    }
    border.iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|(corner, _)| *corner).collect()
}

/// Distance of a point from the segment between p and q.
fn distance(point: Corner, p: Corner, q: Corner) -> f64 {
    let wide = |a: Corner, b: Corner| [0, 1].map(|axis| f64::from(a[axis] - b[axis]));
    let (along, to) = (wide(q, p), wide(point, p));
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let length = dot(along, along);
    let share = if length > 0.0 { (dot(along, to) / length).clamp(0.0, 1.0) } else { 0.0 };
    let off = [0, 1].map(|axis| to[axis] - along[axis] * share);
    dot(off, off).sqrt()
}

struct Mask<'a> {
    solid: &'a [bool],
    width: i32,
    height: i32,
}

impl Mask<'_> {
    /// Whether a pixel is solid, counted from the lower left one.
    fn is_solid(&self, x: i32, y: i32) -> bool {
        let is_in = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        is_in && self.solid[(self.height - 1 - y) as usize * self.width as usize + x as usize]
    }

    /// All borders, in the order of their first lower side.
    fn borders(&self) -> Vec<Vec<Corner>> {
        let mut is_followed = vec![false; self.solid.len()];
        let mut borders = Vec::new();
        for y in 0..self.height {
            for x in 0..self.width {
                let is_lower_side = self.is_solid(x, y) && !self.is_solid(x, y - 1);
                if is_lower_side && !is_followed[(y * self.width + x) as usize] {
                    borders.push(self.follow([x, y], &mut is_followed));
                }
            }
        }
        borders
    }

    /// Returns the border that contains the lower side of pixel `start`.
    fn follow(&self, start: Corner, is_followed: &mut [bool]) -> Vec<Corner> {
        let mut corners = Vec::new();
        let (mut at, mut way) = (start, 0);
        loop {
            if way == 0 {
                is_followed[(at[1] * self.width + at[0]) as usize] = true;
            }
            let [dx, dy] = WAYS[way];
            at = [at[0] + dx, at[1] + dy];
            // The pixels ahead, left and right of the way.
            let [left, right] = [self.ahead(at, way, true), self.ahead(at, way, false)];
            let turned = match (left, right) {
                (true, false) => way,
                (true, true) => (way + 3) % 4,
                (false, _) => (way + 1) % 4,
            };
            if turned != way {
                let corner = at.map(|x| x * STEPS);
                if !left && right {
                    let out = WAYS[turned];
                    corners.push([corner[0] - dx, corner[1] - dy]);
                    corners.push([corner[0] + out[0], corner[1] + out[1]]);
                } else {
                    corners.push(corner);
                }
            }
            way = turned;
            if at == start && way == 0 {
                return corners;
            }
        }
    }

    /// Whether the pixel ahead of a corner is solid, on the left or on the right of the way.
    fn ahead(&self, at: Corner, way: usize, left: bool) -> bool {
        // Pixel (x, y) is right above and right of corner (x, y).
        let around = [[0, 0], [-1, 0], [-1, -1], [0, -1]];
        let [dx, dy] = around[if left { way } else { (way + 3) % 4 }];
        self.is_solid(at[0] + dx, at[1] + dy)
    }
}
