//! Shapes as words of a snapshot, and back.
//!
//! In: shapes as they are stored, with all numbers computed from their definitions. So a loaded
//! shape has the same bits, where a definition would be rounded once more. Out: the same shapes, if
//! the words are consistent.
//!
//! Outlines, compounds, chains and tile maps are written once, however many bodies have them, and
//! named by their stamp; the cells of a map that were changed since are written beside them.

use std::sync::Arc;

use bytemuck::Pod;
use glam::Vec2;

use super::error::{check_coordinates, check_rounding, check_size};
use super::{Capsule, Chain, Circle, Compound, HalfPlane, Obb, PolarShape, Polygon, Segment, Shape, TileMap};
use crate::math::Rot;
use crate::state::{Hash, LoadError, Parse, Put};

/// Words of a shape in a row: its kind and its numbers, or its stamp.
pub(crate) const FORM: usize = 40;

/// Words of a convex shape among the words of an outline.
const PART_WORDS: usize = 39;

const CIRCLE: u32 = 1;
const CAPSULE: u32 = 2;
const SEGMENT: u32 = 3;
const OBB: u32 = 4;
const POLYGON: u32 = 5;
const HALF_PLANE: u32 = 6;
const POLAR: u32 = 7;
const COMPOUND: u32 = 8;
const CHAIN: u32 = 9;
pub(super) const TILES: u32 = 10;
/// No shape: the changed cells of a tile map.
const EDITS: u32 = 11;

/// The content of a row: a shape, or the stamp of one.
pub(crate) enum Form {
    Whole(Shape),
    /// The stamp of a shape that is written elsewhere, or only known by its stamp.
    Named(u64),
}

/// The head of an outline: all of it besides its words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    pub(crate) kind: u32,
    pub(crate) stamp: u64,
    /// The centre of a polar shape.
    center: Vec2,
    half: u32,
    vertices: u32,
    /// Whether a chain is closed.
    closed: bool,
    /// How many words.
    pub(crate) words: u32,
}

impl Outline {
    /// Words of its row.
    pub(crate) const WIDTH: usize = 9;

    /// Returns the head of words that are no outline but the changed cells of the map in a slot.
    pub(crate) fn of_edits(slot: u32, words: usize) -> Outline {
        let words = words as u32;
        Outline {
            kind: EDITS,
            stamp: slot.into(),
            center: Vec2::ZERO,
            half: 0,
            vertices: 0,
            closed: false,
            words,
        }
    }

    /// Returns the slot of the map whose changed cells follow.
    pub(crate) fn edits_of(&self) -> Option<u32> {
        (self.kind == EDITS).then_some(self.stamp as u32)
    }

    pub(crate) fn row(&self) -> [u32; Outline::WIDTH] {
        Put::row(|put| {
            put.word(self.kind);
            put.long(self.stamp);
            put.vector(self.center);
            put.words(&[self.half, self.vertices]);
            put.flag(self.closed);
            put.word(self.words);
        })
    }

    pub(crate) fn parse(row: &[u32; Outline::WIDTH]) -> Result<Outline, LoadError> {
        let mut parse = Parse::new(row);
        Ok(Outline {
            kind: parse.word(),
            stamp: parse.long(),
            center: parse.vector(),
            half: parse.word(),
            vertices: parse.word(),
            closed: parse.flag()?,
            words: parse.word(),
        })
    }
}

impl Shape {
    /// The stamp of a shape that is written once.
    pub(crate) fn stamp(&self) -> Option<u64> {
        match self {
            Shape::Polar(polar) => Some(polar.stamp),
            Shape::Compound(compound) => Some(compound.stamp),
            Shape::Chain(chain) => Some(chain.stamp),
            Shape::Tiles(map) => Some(map.stamp),
            _ => None,
        }
    }

    /// Whether another shape has the same bits; always false for shapes that are named by a stamp.
    pub(crate) fn has_bits_of(&self, other: &Shape) -> bool {
        fn same<T: bytemuck::NoUninit>(a: &T, b: &T) -> bool {
            bytemuck::bytes_of(a) == bytemuck::bytes_of(b)
        }
        match (self, other) {
            (Shape::Circle(a), Shape::Circle(b)) => same(a, b),
            (Shape::Capsule(a), Shape::Capsule(b)) => same(a, b),
            (Shape::Segment(a), Shape::Segment(b)) => same(a, b),
            (Shape::Obb(a), Shape::Obb(b)) => same(a, b),
            (Shape::Polygon(a), Shape::Polygon(b)) => same(a, b),
            (Shape::HalfPlane(a), Shape::HalfPlane(b)) => same(a, b),
            _ => false,
        }
    }

    /// The words of a shape in a row of a world.
    pub(crate) fn put(&self, put: &mut Put) {
        match self {
            Shape::Circle(circle) => put_words(put, CIRCLE, circle),
            Shape::Capsule(capsule) => put_words(put, CAPSULE, capsule),
            Shape::Segment(segment) => put_words(put, SEGMENT, segment),
            Shape::Obb(obb) => put_words(put, OBB, obb),
            Shape::Polygon(polygon) => put_words(put, POLYGON, polygon),
            Shape::HalfPlane(plane) => put_words(put, HALF_PLANE, plane),
            Shape::Polar(polar) => put_name(put, POLAR, polar.stamp),
            Shape::Compound(compound) => put_name(put, COMPOUND, compound.stamp),
            Shape::Chain(chain) => put_name(put, CHAIN, chain.stamp),
            Shape::Tiles(map) => put_name(put, TILES, map.stamp),
            // No world holds an invalid shape.
            Shape::Invalid(_) => {}
        }
    }

    /// Reads a row.
    pub(crate) fn parse(parse: &mut Parse) -> Result<Form, LoadError> {
        let kind = parse.word();
        Ok(match kind {
            CIRCLE => Form::Whole(Shape::Circle(read::<3, _>(parse))),
            CAPSULE => Form::Whole(Shape::Capsule(read::<5, _>(parse))),
            SEGMENT => Form::Whole(Shape::Segment(read::<4, _>(parse))),
            OBB => Form::Whole(Shape::Obb(read::<8, _>(parse))),
            POLYGON => Form::Whole(Shape::Polygon(read::<38, _>(parse))),
            HALF_PLANE => Form::Whole(Shape::HalfPlane(read::<3, _>(parse))),
            POLAR | COMPOUND | CHAIN | TILES => Form::Named(parse.long()),
            _ => return Err(LoadError::Broken("a shape is of a known kind")),
        })
    }

    /// Returns the head of a shape that is written once; its words go to `out`.
    pub(crate) fn told_outline(&self, out: &mut Vec<u32>) -> Option<Outline> {
        let begin = out.len();
        let none = Outline {
            kind: 0,
            stamp: self.stamp()?,
            center: Vec2::ZERO,
            half: 0,
            vertices: 0,
            closed: false,
            words: 0,
        };
        let outline = match self {
            Shape::Polar(polar) => {
                polar_words(&polar.vertices, &polar.pieces, out);
                let (half, vertices) = (polar.half as u32, polar.vertices.len() as u32);
                Outline { kind: POLAR, center: polar.center, half, vertices, ..none }
            }
            Shape::Compound(compound) => {
                part_words(compound.parts(), out);
                Outline { kind: COMPOUND, ..none }
            }
            Shape::Chain(chain) => {
                out.extend_from_slice(bytemuck::cast_slice(chain.segments()));
                Outline { kind: CHAIN, closed: chain.is_closed(), ..none }
            }
            Shape::Tiles(map) => {
                map.words(out);
                Outline { kind: TILES, ..none }
            }
            _ => return None,
        };
        Some(Outline { words: (out.len() - begin) as u32, ..outline })
    }

    /// Makes the shape of an outline and its words.
    pub(crate) fn from_outline(outline: &Outline, words: &[u32]) -> Result<Shape, LoadError> {
        let broken = |rule| Err(LoadError::Broken(rule));
        let shape = match outline.kind {
            POLAR => {
                let Some((vertices, pieces)) = words.split_at_checked(2 * outline.vertices as usize) else {
                    return broken("an outline has all of its corners");
                };
                let vertices: Vec<Vec2> = of_words(vertices);
                let pieces: Vec<Polygon> = of_words(pieces);
                let half = outline.half as usize;
                if vertices.len() < 3 || half == 0 || half > vertices.len() || pieces.is_empty() {
                    return broken("an outline has corners, and a piece");
                }
                Shape::Polar(Arc::new(PolarShape::of_parts(vertices, outline.center, half, pieces)))
            }
            COMPOUND => {
                let rows = words.as_chunks::<PART_WORDS>().0;
                let mut parts = Vec::with_capacity(rows.len());
                for row in rows {
                    match Shape::parse(&mut Parse::new(row))? {
                        Form::Whole(part @ Shape::HalfPlane(_)) => drop(part),
                        Form::Whole(part) => parts.push(part),
                        Form::Named(_) => {}
                    }
                }
                if parts.is_empty() || parts.len() * PART_WORDS != words.len() {
                    return broken("a compound has convex parts");
                }
                Shape::Compound(Arc::new(Compound::from_convex(parts)))
            }
            CHAIN if !words.is_empty() => {
                Shape::Chain(Arc::new(Chain::of_segments(of_words(words), outline.closed)))
            }
            TILES => match TileMap::of_words(words) {
                Some(map) => Shape::Tiles(Arc::new(map)),
                None => return broken("a tile map has known cells in whole rows"),
            },
            _ => return broken("an outline is of a known kind"),
        };
        let known = shape.stamp() == Some(outline.stamp);
        if known { shape.sound() } else { broken("an outline has the stamp of its words") }
    }

    /// Returns the shape if a constructor could have made it: bytes from anywhere can claim
    /// anything.
    pub(crate) fn sound(self) -> Result<Shape, LoadError> {
        if self.is_sound() {
            Ok(self)
        } else {
            Err(LoadError::Broken("a shape is of finite size, and convex where it says so"))
        }
    }

    fn is_sound(&self) -> bool {
        let sized = |size: f32| check_size(size).is_ok();
        let at = |points: &[Vec2]| points.iter().all(|p| check_coordinates(&p.to_array()).is_ok());
        match self {
            Shape::Circle(Circle { center, radius }) => at(&[*center]) && sized(*radius),
            Shape::Capsule(Capsule { a, b, radius }) => Capsule::new(*a, *b, *radius).is_ok(),
            Shape::Segment(Segment { a, b }) => Segment::new(*a, *b).is_ok(),
            Shape::Obb(obb) => is_sound_box(obb),
            Shape::Polygon(polygon) => polygon.is_sound(),
            Shape::HalfPlane(HalfPlane { normal, offset }) => {
                is_unit(*normal) && check_coordinates(&[*offset]).is_ok()
            }
            Shape::Polar(polar) => {
                at(&[polar.center]) && at(&polar.vertices) && polar.pieces.iter().all(Polygon::is_sound)
            }
            Shape::Compound(compound) => compound.parts().iter().all(Shape::is_sound),
            Shape::Chain(chain) => chain
                .segments()
                .iter()
                .all(|s| Segment::new(s.a, s.b).is_ok() && at(&[s.before, s.a, s.b, s.after])),
            // The constructor made it.
            Shape::Tiles(_) => true,
            Shape::Invalid(_) => false,
        }
    }
}

fn is_unit(v: Vec2) -> bool {
    (v.length_squared() - 1.0).abs() < 1.0e-4
}

fn is_sound_box(obb: &Obb) -> bool {
    let Rot { cos, sin } = obb.rotation();
    let half = obb.half_size();
    let as_made = obb.center() == Vec2::ZERO && (cos, sin) == (1.0, 0.0) && obb.radius() == 0.0;
    check_size(2.0 * half.x).is_ok()
        && check_size(2.0 * half.y).is_ok()
        && check_rounding(obb.radius()).is_ok()
        && check_coordinates(&obb.center().to_array()).is_ok()
        && is_unit(Vec2::new(cos, sin))
        && (!obb.is_plain() || as_made)
}

/// The stamp of an outline: a hash of all its data.
pub(super) fn stamp_of(kind: u32, words: &[u32], also: &[u32]) -> u64 {
    let mut hash = Hash::default();
    hash.words(&[kind, words.len() as u32]);
    hash.words(also);
    hash.words(words);
    hash.finish()
}

pub(super) fn stamp_of_polar(vertices: &[Vec2], center: Vec2, half: usize, pieces: &[Polygon]) -> u64 {
    let mut words = Vec::new();
    polar_words(vertices, pieces, &mut words);
    stamp_of(POLAR, &words, &[center.x.to_bits(), center.y.to_bits(), half as u32, vertices.len() as u32])
}

pub(super) fn stamp_of_compound(parts: &[Shape]) -> u64 {
    let mut words = Vec::with_capacity(PART_WORDS * parts.len());
    part_words(parts, &mut words);
    stamp_of(COMPOUND, &words, &[])
}

pub(super) fn stamp_of_chain(segments: &[super::ChainSegment], closed: bool) -> u64 {
    stamp_of(CHAIN, bytemuck::cast_slice(segments), &[u32::from(closed)])
}

fn polar_words(vertices: &[Vec2], pieces: &[Polygon], out: &mut Vec<u32>) {
    out.extend_from_slice(bytemuck::cast_slice(vertices));
    out.extend_from_slice(bytemuck::cast_slice(pieces));
}

fn part_words(parts: &[Shape], out: &mut Vec<u32>) {
    for part in parts {
        out.extend_from_slice(&Put::row::<PART_WORDS>(|put| part.put(put)));
    }
}

fn put_words<T: Pod>(put: &mut Put, kind: u32, shape: &T) {
    put.word(kind);
    put.words(bytemuck::cast_slice(core::slice::from_ref(shape)));
}

/// A plain value of `N` words.
fn read<const N: usize, T: Pod>(parse: &mut Parse) -> T {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&parse.array::<N>()))
}

fn put_name(put: &mut Put, kind: u32, stamp: u64) {
    put.word(kind);
    put.long(stamp);
}

/// Returns plain values of words; drops words at the end that do not fill a value.
fn of_words<T: Pod>(words: &[u32]) -> Vec<T> {
    words
        .chunks_exact(size_of::<T>() / 4)
        .map(|chunk| bytemuck::pod_read_unaligned(bytemuck::cast_slice(chunk)))
        .collect()
}
