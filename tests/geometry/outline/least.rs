//! The least number of convex parts of a simple polygon, by dynamic programming (Keil 1985), as a
//! reference: slow, and for at most some hundred corners.

use carom::Vec2;
use glam::DVec2;

/// The least number of convex parts that diagonals cut a simple polygon into, whose corners run
/// counter-clockwise.
///
/// `least[i][j]`: of the part of the polygon from corner i to corner j, right of the diagonal
/// between them. The convex part at that diagonal is a path from i to j that turns left all the
/// way, and costs the sum of what lies behind its own diagonals.
pub(super) fn least_parts(points: &[Vec2]) -> usize {
    let corners: Vec<DVec2> = points.iter().map(|p| p.as_dvec2()).collect();
    let count = corners.len();
    let sees = visibility(&corners);
    let mut least = vec![vec![usize::MAX / 4; count]; count];
    (1..count).for_each(|j| least[j - 1][j] = 0);
    for span in 2..count {
        for i in 0..count - span {
            let j = i + span;
            if sees[i][j] || (i, j) == (0, count - 1) {
                least[i][j] = 1 + shortest_path(&corners, &sees, &least, i, j);
            }
        }
    }
    least[0][count - 1]
}

/// The cheapest convex path from i to j by corners between them.
fn shortest_path(corners: &[DVec2], sees: &[Vec<bool>], least: &[Vec<usize>], i: usize, j: usize) -> usize {
    let is_in = |k: usize| turn(corners[i], corners[j], corners[k]) < 0.0;
    let usable: Vec<usize> = (i..=j).filter(|&k| k == i || k == j || is_in(k)).collect();
    // cost[a][b]: of the cheapest path whose last step is that from a to b.
    let mut cost = vec![vec![usize::MAX / 4; usable.len()]; usable.len()];
    let mut best = usize::MAX / 4;
    for (b, &to) in usable.iter().enumerate().skip(1) {
        for (a, &from) in usable[..b].iter().enumerate() {
            if !sees[from][to] || (from, to) == (i, j) {
                continue;
            }
            let before = if a == 0 {
                0
            } else {
                let bends = |p: usize| turn(corners[usable[p]], corners[from], corners[to]) > 0.0;
                (0..a)
                    .filter(|&p| cost[p][a] < usize::MAX / 4 && bends(p))
                    .map(|p| cost[p][a])
                    .min()
                    .unwrap_or(usize::MAX / 4)
            };
            cost[a][b] = before + least[from][to];
            if to == j {
                best = best.min(cost[a][b]);
            }
        }
    }
    best
}

/// Which corners see each other along a diagonal inside, or are neighbours.
fn visibility(corners: &[DVec2]) -> Vec<Vec<bool>> {
    let count = corners.len();
    let corner = |i: usize| corners[i % count];
    let mut sees = vec![vec![false; count]; count];
    for i in 0..count {
        for j in i + 1..count {
            let neighbours = j == i + 1 || (i == 0 && j == count - 1);
            let inward = |i: usize, p: DVec2| {
                let (before, own, after) = (corner(i + count - 1), corner(i), corner(i + 1));
                let (left, right) = (turn(own, after, p) > 0.0, turn(before, own, p) > 0.0);
                if turn(before, own, after) > 0.0 { left && right } else { left || right }
            };
            let free = |k: usize| {
                let (p, q) = (corner(k), corner(k + 1));
                [k, (k + 1) % count].iter().any(|end| *end == i || *end == j)
                    || turn(corners[i], corners[j], p) * turn(corners[i], corners[j], q) > 0.0
                    || turn(p, q, corners[i]) * turn(p, q, corners[j]) > 0.0
            };
            sees[i][j] =
                neighbours || (inward(i, corners[j]) && inward(j, corners[i]) && (0..count).all(free));
        }
    }
    sees
}

pub(super) fn turn(p: DVec2, q: DVec2, r: DVec2) -> f64 {
    (q - p).perp_dot(r - p)
}
