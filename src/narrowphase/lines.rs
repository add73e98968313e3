//! Contacts of two lines, at least one of them moving: each stays on its side of the other.
//!
//! In: two segments, alone or of chains, in the frame of the first. Out: a manifold whose normal
//! keeps the middle of each on the side of the other where it is. Called by the world: a question
//! without a world (`contact`) knows no side.
//!
//! ```text
//!        b1
//!          \  . middle of B            The separating axis test takes the shortest way out. Of a
//!   a1 -----\------ . ------ a2        stick B that lies nearly along A, that is as often as not
//!            b2   middle of A          the way through A. The middle of B stays above A (see
//!                                      `step/ccd/segment_side.rs`), so A's upper side is the face
//!                                      for B; and the same with the two exchanged.
//! ```
//!
//! Lines rest on each other as if they were [`MarginTuning::line_skin`] thick: so a body that lies
//! along a line is on one side of it, whatever the rounding.

use super::clip;
use super::manifold::Manifold;
use super::sat::Features;
use crate::ablate::Rule;
use crate::math::{Transform, min};
use crate::shape::Piece;
use crate::tuning::MarginTuning;

/// Returns the distance at which two lines of the given lengths rest on each other.
pub(crate) fn skin(lengths: [f32; 2], margins: &MarginTuning) -> f32 {
    min(margins.line_skin, MarginTuning::LINE_SKIN_SHARE * min(lengths[0], lengths[1]))
}

/// The manifold of two lines, if they are within `margin` of where they rest on each other; none if
/// one of the two is no line.
pub(crate) fn collide(
    a: Piece,
    b: Piece,
    b_in_a: Transform,
    (margin, margins): (f32, &MarginTuning),
) -> Option<Option<Manifold>> {
    let (line_a, line_b) = (a.line()?, b.line()?);
    if !Rule::LineSides.acts(true) {
        return None;
    }
    let skin = skin([line_a, line_b].map(|[p, q]| p.distance(q)), margins);
    let (mut a, mut b) = (super::convex(a), super::convex(b).transformed(b_in_a));
    (a.radius, b.radius) = (0.5 * skin, 0.5 * skin);
    let [of_a, of_b] = [(&a, &b), (&b, &a)].map(|(line, other)| {
        let middle = (other.vertex(0) + other.vertex(1)) * 0.5;
        let face = usize::from((middle - line.vertex(0)).dot(line.normal(0)) < 0.0);
        (face, other.lowest(line.vertex(face), line.normal(face)))
    });
    let is_b = of_b.1 > of_a.1;
    let (reference, incident, (face, separation)) = if is_b { (&b, &a, of_b) } else { (&a, &b, of_a) };
    if separation > 0.0 {
        // The lines are apart, so their sides do not matter.
        return Some(clip::collide(&a, &b, margin));
    }
    let features =
        Features { reference_is_b: is_b, ..Features::of_face(reference, face, incident, separation) };
    let found = clip::face_manifold(&a, &b, &features, margin);
    // End to end in one line, they do not meet along a face.
    Some(if found.is_empty() { clip::collide(&a, &b, margin) } else { Some(found) })
}
