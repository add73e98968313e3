//! Tests of obstacles that touch, or nearly touch: corners on edges, and edges along edges, to the
//! bit, and off by a bit of an `f32`, by units of the mesh, by millimetres. Widths are compared
//! with rings.rs, and walls with the outlines.
//!
//! (A corner within three units of a wall had no foot there. A wall that crossed two walls which
//! ran along each other went by their end, metres off. Walls beside a corner with a rounded vertex
//! near it had no foot opposite.)

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use carom_nav::Vec2;
use carom_nav::mesh::{Mesh, MeshDef, MeshError, NoWay, ObstacleId, Way};
use glam::DVec2;

use crate::common::{Random, UNIT, is_valid, narrow, whole, wide};
use crate::rings::{Piece, border, link, middle, off_edges, room, widest};
use crate::tangents::Scene;

const ROUNDS: u64 = if cfg!(debug_assertions) { 120 } else { 1_000 };
/// Tolerances for widths, and for walls against their outlines, in units.
const SLACK: f64 = 4.0;
const WALL_SLACK: f64 = 8.0;

/// Units per metre of a drawing: rooms of 5 cm, 70 cm, 12 m, and 270 m.
const SCALES: [f64; 5] = [300.0, 4_000.0, 65_536.0, 65_536.0, 1_500_000.0];

/// The kind of a chain of boxes.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// Units per metre.
    scale: f64,
    /// Whether corners lie on edges to the bit: sides are multiples of small whole vectors.
    is_exact: bool,
}

impl Kind {
    fn some(random: &mut Random, scale: f64) -> Kind {
        Kind { scale, is_exact: random.below(3) == 0 }
    }

    /// The direction of a side, and its unit of length.
    fn side(self, random: &mut Random, angle: f64) -> DVec2 {
        let along = DVec2::from_angle(angle);
        let most = [8.0, 40.0][random.below(2)];
        if self.is_exact { (along * most).round() } else { along }
    }

    /// A box of some size with a corner and the direction of a side.
    fn rect(self, random: &mut Random, corner: DVec2, along: DVec2) -> Piece {
        let mut times = |least: f64, most: f64| {
            let times = random.between(least, most) * self.scale / along.length();
            if self.is_exact { times.round().max(1.0) } else { times }
        };
        let (u, v) = (along * times(0.3, 2.5), along.perp() * times(0.2, 1.0));
        vec![corner, corner + u, corner + u + v, corner + v]
    }

    /// A place on an edge.
    fn on(self, random: &mut Random, a: DVec2, b: DVec2) -> DVec2 {
        let share = if random.below(12) == 0 { 0.0 } else { random.unit() };
        if !self.is_exact {
            return a + (b - a) * share;
        }
        let (mut p, mut q) = ((b - a).x.abs().round() as i64, (b - a).y.abs().round() as i64);
        while q != 0 {
            (p, q) = (q, p % q);
        }
        let steps = p.max(1) as f64;
        a + (b - a) * ((share * steps).floor() / steps)
    }

    /// The distance by which a box misses touching, in units.
    fn off(self, random: &mut Random) -> f64 {
        const OFF: [f64; 12] = [0.0, 0.0, 0.016, 0.066, 0.66, 1.0, 1.5, 2.0, 2.6, 6.6, 20.0, 130.0];
        let off = match random.below(OFF.len() + 2) {
            0 => 0.3 * self.scale,
            1 => 0.6 * self.scale,
            k => OFF[k - 2],
        };
        off * [1.0, -1.0][random.below(2)]
    }
}

/// The next box of a chain: with a corner on an edge of the last box, or an edge on its corner. One
/// in three has an edge along an edge of the last box.
fn next(random: &mut Random, last: &Piece, kind: Kind) -> Option<Piece> {
    let k = random.below(4);
    let (a, b, c) = (last[k], last[(k + 1) % 4], last[(k + 2) % 4]);
    let lean = match random.below(6) {
        0 => FRAC_PI_4,
        1 => -FRAC_PI_4,
        _ => random.between(-FRAC_PI_4, FRAC_PI_4),
    };
    let off = kind.off(random);
    let piece: Piece = if random.below(2) == 0 {
        let out = -(b - a).perp().normalize();
        let along = kind.side(random, out.to_angle() - FRAC_PI_4 + lean);
        let corner = kind.on(random, a, b);
        kind.rect(random, corner, along).iter().map(|&p| p + out * off).collect()
    } else {
        let out = ((b - a).normalize() + (b - c).normalize()).normalize();
        let along = kind.side(random, out.to_angle() + FRAC_PI_2 + lean);
        let piece = kind.rect(random, DVec2::ZERO, along);
        let (p, q) = (piece[2], piece[3]);
        let back = (q - p).perp().normalize();
        let on = kind.on(random, p, q);
        piece.iter().map(|&x| x - on + b + back * off).collect()
    };
    let reach = middle(&piece).x - middle(last).x;
    let is_on = reach > 0.1 * kind.scale && middle(&piece).y.abs() < 2.5 * kind.scale;
    is_on.then_some(piece)
}

/// A chain of boxes across a room of `12 scale` units, in metres and shuffled, without boxes beyond
/// the border.
fn chain(random: &mut Random, kind: Kind) -> Vec<Piece> {
    let start = DVec2::new(-7.5, random.between(-1.0, 1.0)) * kind.scale;
    let angle = random.between(-0.5, 0.5);
    let along = kind.side(random, angle);
    let mut pieces = vec![kind.rect(random, start.round(), along)];
    while let Some(last) = pieces.last().cloned().filter(|last| middle(last).x < 7.5 * kind.scale) {
        pieces.extend(next(random, &last, kind));
    }
    let turn = match random.below(2) {
        0 => DVec2::X,
        _ if kind.is_exact => [DVec2::Y, -DVec2::X, -DVec2::Y][random.below(3)],
        _ => DVec2::from_angle(random.between(0.0, 6.3)),
    };
    let metres = |piece: &Piece| piece.iter().map(|&p| wide(narrow(turn.rotate(p) * UNIT))).collect();
    let mut pieces: Vec<Piece> = pieces.iter().map(metres).collect();
    let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let square = square.map(|(x, y)| DVec2::new(x, y) * half_of(kind.scale)).to_vec();
    pieces.retain(|piece| {
        let (x, y) = link(piece, &square);
        x == y
    });
    for k in (1..pieces.len()).rev() {
        pieces.swap(k, random.below(k + 1));
    }
    pieces
}

/// Half the side of a room.
fn half_of(scale: f64) -> f64 {
    6.0 * scale * UNIT
}

fn empty(half: f64) -> Mesh {
    Mesh::new(MeshDef { half: half as f32, max_radius: (half / 3.0) as f32 }).expect("a mesh")
}

fn corners(piece: &Piece) -> Vec<Vec2> {
    piece.iter().map(|&p| narrow(p)).collect()
}

/// Counts of requests and wrong answers.
#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    /// Pairs of places that are closed off except for some units, and pairs with a narrower passage
    /// between them than the room at either.
    closed: usize,
    narrow: usize,
    ways: usize,
    /// Ways that are not found though discs can pass.
    missing: usize,
    wrong: usize,
    /// In units.
    worst: f64,
}

impl Tally {
    fn fails(&mut self, what: &str) {
        self.wrong += 1;
        if self.wrong < 20 {
            println!("{what}");
        }
    }

    /// Whether nothing was wrong. One way in a thousand may be missing: where walls run along each
    /// other, off by a unit, a corner may hide the next one.
    fn is_right(&self) -> bool {
        self.wrong == 0 && self.missing <= 1 + self.ways / 1_000
    }

    /// Tests two random places of a mesh with these pieces on it.
    fn ask(&mut self, mesh: &mut Mesh, standing: &[Piece], half: f64, random: &mut Random, what: &str) {
        let ends = [random.place(half), random.place(half)];
        self.ask_between(mesh, standing, half, ends, what);
    }

    /// Compares the room at two places and the width between them with the pieces.
    fn ask_between(
        &mut self,
        mesh: &mut Mesh,
        standing: &[Piece],
        half: f64,
        [from, to]: [DVec2; 2],
        what: &str,
    ) {
        let mut pieces = border(half).to_vec();
        pieces.extend(standing.iter().map(|piece| piece.iter().map(|&p| whole(p)).collect::<Piece>()));
        for p in mesh.triangles().flatten() {
            let off = off_edges(&pieces, wide(p)) / UNIT;
            if off > WALL_SLACK {
                self.fails(&format!("{what}: a wall at {p}, {off} units off all outlines"));
            }
        }
        for p in [from, to] {
            let (found, right) = (mesh.widest(narrow(p), narrow(p)).map_or(0.0, f64::from), room(&pieces, p));
            if (found - right).abs() > WALL_SLACK * UNIT {
                self.fails(&format!("{what}: at {p} a room of {found} m and not {right}"));
            }
        }
        let room = room(&pieces, from).min(room(&pieces, to));
        if room < 8.0 * UNIT {
            return;
        }
        let between = widest(&pieces, from, to);
        self.asked += 1;
        self.closed += usize::from(between < SLACK * UNIT);
        self.narrow += usize::from(between < room);
        // Wider passages may count as wider than they are.
        let most = f64::from(mesh.max_radius());
        let right = between.min(room).min(most);
        let found = mesh.widest(narrow(from), narrow(to)).map_or(0.0, f64::from).min(most);
        let off = (found - right) / UNIT;
        self.worst = self.worst.max(off.abs());
        if off.abs() > SLACK {
            self.fails(&format!("{what}: from {from} to {to}, {found} m wide and not {right}: {off} units"));
        }
        if between < most && between > 4.0 * SLACK * UNIT && room > 1.1 * between + 4.0 * SLACK * UNIT {
            self.ask_ways(mesh, standing, [from, to], half, between, what);
        }
    }

    /// Tests that a thin disc finds a way through the narrowest passage, and a too wide one does
    /// not.
    fn ask_ways(
        &mut self,
        mesh: &mut Mesh,
        standing: &[Piece],
        [from, to]: [DVec2; 2],
        half: f64,
        between: f64,
        what: &str,
    ) {
        let (from, to, mut way) = (narrow(from), narrow(to), Way::default());
        self.ways += 1;
        match mesh.way(from, to, (0.3 * between) as f32, &mut way) {
            Ok(()) => {
                let outlines =
                    standing.iter().map(|piece| piece.iter().map(|&p| whole(p)).collect()).collect();
                if let Err(rule) = is_valid(&Scene { outlines, half }, &way) {
                    self.fails(&format!("{what}: from {from} to {to}: {rule}"));
                }
            }
            Err(NoWay::Apart) if mesh.reachable(from, to, (0.3 * between) as f32) => self.missing += 1,
            Err(error) => self.fails(&format!("{what}: from {from} to {to}, {between} m wide: {error}")),
        }
        let wider = between + (2.0 + SLACK) * UNIT;
        if mesh.way(from, to, wider as f32, &mut way) != Err(NoWay::Apart) {
            self.fails(&format!("{what}: from {from} to {to}, a way through {between} m for {wider} m"));
        }
    }
}

#[test]
fn chains_of_boxes_that_touch_are_as_wide_as_their_gaps() {
    let mut tally = Tally::default();
    for seed in 0..4 * ROUNDS {
        let mut random = Random(seed);
        let scale = SCALES[random.below(SCALES.len())];
        let half = half_of(scale);
        // Many obstacles at once are built by another code path.
        let (is_many, mut pieces) = (seed % 8 == 0, Vec::new());
        while pieces.is_empty() || is_many && pieces.len() < 64 {
            let kind = Kind::some(&mut random, scale);
            pieces.extend(chain(&mut random, kind));
        }
        let mut mesh = empty(half);
        let outlines: Vec<_> = pieces.iter().map(corners).collect();
        mesh.add_all(outlines.iter().map(Vec::as_slice), &mut Vec::new()).expect("built");
        mesh.audit().expect("sound");
        for _ in 0..4 {
            tally.ask(&mut mesh, &pieces, half, &mut random, &format!("seed {seed}"));
        }
    }
    println!("{tally:?}");
    let many = 4 * ROUNDS as usize;
    assert!(tally.asked > 3 * many && tally.narrow > many && tally.closed > many / 4);
    assert!(tally.is_right(), "{tally:?}");
}

/// Adds and removes obstacles at random, and tests in between. In the end no obstacle is left.
fn churn(
    random: &mut Random,
    half: f64,
    steps: usize,
    tally: &mut Tally,
    what: &str,
    mut draw: impl FnMut(&mut Random, &[Piece]) -> Option<Piece>,
) {
    let mut mesh = empty(half);
    let faces = mesh.face_count();
    let (mut pieces, mut ids): (Vec<Piece>, Vec<ObstacleId>) = (Vec::new(), Vec::new());
    for step in 0..steps {
        if step < steps / 4 || random.below(steps / 2) >= pieces.len() {
            let Some(piece) = draw(random, &pieces) else { continue };
            match mesh.add(&corners(&piece)) {
                Ok(id) => {
                    ids.push(id);
                    pieces.push(piece);
                }
                Err(MeshError::Outside) => {}
                Err(error) => tally.fails(&format!("{what}, step {step}: {error}")),
            }
        } else if !pieces.is_empty() {
            let k = random.below(pieces.len());
            pieces.swap_remove(k);
            assert!(mesh.remove(ids.swap_remove(k)));
        }
        if step % 4 == 3 {
            mesh.audit().expect("sound");
            tally.ask(&mut mesh, &pieces, half, random, &format!("{what}, step {step}"));
        }
    }
    for id in ids {
        assert!(mesh.remove(id));
    }
    mesh.audit().expect("sound");
    assert_eq!(mesh.face_count(), faces, "{what}");
}

#[test]
fn boxes_that_touched_others_leave_walls_straight() {
    let mut tally = Tally::default();
    for seed in 0..ROUNDS / 2 {
        let mut random = Random(seed);
        let scale = SCALES[random.below(SCALES.len())];
        let mut boxes = Vec::new();
        for _ in 0..1 + random.below(3) {
            let kind = Kind::some(&mut random, scale);
            boxes.extend(chain(&mut random, kind));
        }
        let steps = 3 * boxes.len();
        let what = format!("seed {seed}");
        churn(&mut random, half_of(scale), steps, &mut tally, &what, |random, standing| {
            let piece = &boxes[random.below(boxes.len())];
            (!standing.contains(piece)).then(|| piece.clone())
        });
    }
    println!("{tally:?}");
    assert!(tally.asked > 5 * ROUNDS as usize && tally.narrow > ROUNDS as usize / 2);
    assert!(tally.is_right(), "{tally:?}");
}

/// A triangle or a parallelogram with corners on corners, on edges and on their lines, or off them
/// by some units.
fn shard(random: &mut Random, standing: &[Piece], reach: f64) -> Option<Piece> {
    let place = |random: &mut Random| {
        let x = random.between(-reach, reach);
        DVec2::new(x, random.between(-reach, reach)).round()
    };
    let mut corner = || {
        if standing.is_empty() || random.below(2) == 0 {
            return place(random);
        }
        let piece = &standing[random.below(standing.len())];
        let k = random.below(piece.len());
        let (a, b) = (piece[k] / UNIT, piece[(k + 1) % piece.len()] / UNIT);
        let p = match random.below(3) {
            0 => a,
            1 => a + (b - a) * random.unit(),
            _ => a + (b - a) * random.between(-1.0, 2.0),
        };
        let off = if random.below(4) == 0 { random.between(0.0, 4.0) } else { 0.0 };
        let p = p + place(random).normalize_or_zero() * off;
        p.round().clamp(DVec2::splat(-reach), DVec2::splat(reach))
    };
    let mut piece: Piece = (0..3).map(|_| corner()).collect();
    let area = (piece[1] - piece[0]).perp_dot(piece[2] - piece[0]);
    if area < 0.0 {
        piece.reverse();
    }
    if random.below(3) == 0 {
        piece.push(piece[0] + piece[2] - piece[1]);
    }
    let is_in = piece.iter().all(|p| p.abs().max_element() <= reach);
    (area != 0.0 && is_in).then(|| piece.iter().map(|&p| p * UNIT).collect())
}

#[test]
fn shards_with_corners_on_edges_of_others_are_as_wide_as_their_gaps() {
    const REACHES: [f64; 6] = [5.0, 20.0, 100.0, 600.0, 1e4, 1e6];
    let mut tally = Tally::default();
    for seed in 0..ROUNDS {
        let mut random = Random(seed);
        let reach = REACHES[random.below(REACHES.len())];
        let half = (reach * 1.1).max(700.0) * UNIT;
        let steps = 16 + random.below(64);
        let what = format!("seed {seed}");
        churn(&mut random, half, steps, &mut tally, &what, |random, standing| shard(random, standing, reach));
    }
    println!("{tally:?}");
    assert!(tally.asked > 5 * ROUNDS as usize && tally.narrow > ROUNDS as usize / 5);
    assert!(tally.is_right(), "{tally:?}");
}

/// Points in units as places.
fn units<const N: usize>(corners: [(i32, i32); N]) -> [DVec2; N] {
    corners.map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)) * UNIT)
}

fn built(half: f64, pieces: &[Piece]) -> Mesh {
    let mut mesh = empty(half);
    for piece in pieces {
        mesh.add(&corners(piece)).expect("built");
    }
    mesh.audit().expect("sound");
    mesh
}

/// A wall across two others near their common end, from which they part slowly; they have a corner
/// near them on its other side. All but that end lies in the last box.
#[test]
fn a_wall_across_others_that_part_slowly_is_straight() {
    let pieces = [
        units([(0, 0), (80_005, 31), (80_000, 37)]).to_vec(),
        units([(79_995, 53), (120_000, 5_000), (120_000, 15_000)]).to_vec(),
        units([(700, 20_000), (500, -20_000), (150_000, -20_000), (150_000, 20_000)]).to_vec(),
    ];
    let places = units([(-5_000, 10_000), (-5_000, -10_000)]);
    let mut tally = Tally::default();
    tally.ask_between(&mut built(4.0, &pieces), &pieces, 4.0, places, "a wedge");
    assert!(tally.asked == 1 && tally.is_right(), "{tally:?}");
}

/// The corner (95373, -67792) sees the wall of the last box straight on, over 0.61 m. On its own
/// wall, parallel to the other wall, the foot of another corner lies 3 cm away.
#[test]
fn a_vertex_beside_a_corner_does_not_make_its_foot_needless() {
    let pieces = [
        units([(95_373, -67_792), (182_130, -32_033), (175_688, -16_404), (88_932, -52_164)]),
        units([(-60_997, -132_453), (31_468, -118_892), (27_777, -93_724), (-64_688, -107_284)]),
        units([(311_879, 17_822), (180_956, -74_924), (198_850, -100_184), (329_773, -7_438)]),
        units([(-75_152, -202_003), (-91_198, -92_589), (-142_616, -100_130), (-126_570, -209_544)]),
        units([(-141_632, -106_840), (-264_572, -9_969), (-274_405, -22_448), (-151_465, -119_319)]),
        units([(-370_826, -158_040), (-249_869, -105_800), (-270_779, -57_387), (-391_736, -109_627)]),
        units([(325_578, 24_463), (388_617, -6_540), (409_080, 35_068), (346_041, 66_072)]),
        units([(88_002, -154_872), (44_683, -49_777), (23_342, -58_574), (66_660, -163_669)]),
    ];
    let (half, pieces) = (6.0, pieces.map(Vec::from));
    let places = units([(20_650, -246_730), (-365_220, 126_238)]);
    let mut tally = Tally::default();
    tally.ask_between(&mut built(half, &pieces), &pieces, half, places, "parallel walls");
    assert!(tally.narrow == 1 && tally.is_right(), "{tally:?}");
}
