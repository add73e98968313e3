//! The width of the widest way between two places among convex pieces, from their distances alone.
//!
//! ```text
//!      +---+  gap  +------+      A disc with a diameter above some width does not pass between two
//!      |   |-------|   a  |      pieces that are nearer. Places a and b lie apart if such pieces
//!      +---+   b   +------+      form a ring about one of them: the line from a to b crosses an
//!        |gap         |gap       odd number of the links from piece to piece. So links are added,
//!      +-----------------+       the shortest first, until there is such a ring; its longest link
//!      +-----------------+       is the width.
//! ```

use glam::DVec2;

/// The corners of a convex piece, counter-clockwise.
pub(crate) type Piece = Vec<DVec2>;

pub(crate) fn edges(piece: &Piece) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    (0..piece.len()).map(|k| (piece[k], piece[(k + 1) % piece.len()]))
}

pub(crate) fn middle(piece: &Piece) -> DVec2 {
    piece.iter().sum::<DVec2>() / piece.len() as f64
}

/// The land beyond the border of a mesh, as four pieces.
pub(crate) fn border(half: f64) -> [Piece; 4] {
    let (near, far) = (half, 2.0 * half);
    [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y].map(|out| {
        let along = out.perp() * far;
        vec![out * near - along, out * far - along, out * far + along, out * near + along]
    })
}

fn is_in(piece: &Piece, p: DVec2) -> bool {
    edges(piece).all(|(a, b)| (b - a).perp_dot(p - a) >= 0.0)
}

fn closest_on((a, b): (DVec2, DVec2), p: DVec2) -> DVec2 {
    let along = b - a;
    let square = along.length_squared();
    a + along * if square > 0.0 { ((p - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// The distance of a place to the nearest edge of any piece.
pub(crate) fn off_edges(pieces: &[Piece], p: DVec2) -> f64 {
    let to = |edge| p.distance(closest_on(edge, p));
    pieces.iter().flat_map(edges).map(to).fold(f64::MAX, f64::min)
}

/// The distance of a place to the nearest piece; 0 inside.
pub(crate) fn room(pieces: &[Piece], p: DVec2) -> f64 {
    if pieces.iter().any(|piece| is_in(piece, p)) { 0.0 } else { off_edges(pieces, p) }
}

/// The shortest line between two pieces; a line of length 0 at a common place if they overlap.
pub(crate) fn link(one: &Piece, other: &Piece) -> (DVec2, DVec2) {
    for (from, to) in [(one, other), (other, one)] {
        if let Some(&p) = from.iter().find(|&&p| is_in(to, p)) {
            return (p, p);
        }
    }
    let mut best = (DVec2::ZERO, DVec2::INFINITY);
    for (a, b) in edges(one) {
        for (c, d) in edges(other) {
            let (p, q) = ((b - a).perp_dot(c - a), (b - a).perp_dot(d - a));
            let (s, t) = ((d - c).perp_dot(a - c), (d - c).perp_dot(b - c));
            if p * q < 0.0 && s * t < 0.0 {
                let meet = c + (d - c) * (p / (p - q));
                return (meet, meet);
            }
            let of_one = [a, b].map(|p| (p, closest_on((c, d), p)));
            let of_other = [c, d].map(|p| (closest_on((a, b), p), p));
            for line in of_one.into_iter().chain(of_other) {
                if line.0.distance(line.1) < best.0.distance(best.1) {
                    best = line;
                }
            }
        }
    }
    best
}

/// The radius of the widest disc that can get from one place to another, if it fits at both.
pub(crate) fn widest(pieces: &[Piece], from: DVec2, to: DVec2) -> f64 {
    let crosses = |a: DVec2, b: DVec2| {
        let side = |p: DVec2, q: DVec2, z: DVec2| (q - p).perp_dot(z - p) > 0.0;
        side(from, to, a) != side(from, to, b) && side(a, b, from) != side(a, b, to)
    };
    let mut links = Vec::new();
    for (j, other) in pieces.iter().enumerate() {
        for (i, one) in pieces[..j].iter().enumerate() {
            let (x, y) = link(one, other);
            let path = [middle(one), x, y, middle(other)];
            let is_odd = path.windows(2).filter(|pair| crosses(pair[0], pair[1])).count() % 2 == 1;
            links.push((x.distance(y), i, j, is_odd));
        }
    }
    links.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The group of each piece, and whether the links from the piece to the group's first one are
    // odd.
    let mut groups: Vec<(usize, bool)> = (0..pieces.len()).map(|k| (k, false)).collect();
    for (gap, i, j, is_odd) in links {
        let (a, b) = (groups[i], groups[j]);
        let is_ring_odd = a.1 ^ b.1 ^ is_odd;
        if a.0 != b.0 {
            for group in groups.iter_mut().filter(|group| group.0 == b.0) {
                *group = (a.0, group.1 ^ is_ring_odd);
            }
        } else if is_ring_odd {
            return gap / 2.0;
        }
    }
    f64::MAX
}
