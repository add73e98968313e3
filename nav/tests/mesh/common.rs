//! Scenes and random numbers.

use carom_nav::Vec2;
use carom_nav::mesh::{Mesh, MeshDef, Way};
use glam::DVec2;

use crate::tangents::Scene;

/// A unit of the mesh in metres.
pub(crate) const UNIT: f64 = 1.0 / 65_536.0;

/// A linear congruential generator, upper bits.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % below
    }

    pub(crate) fn unit(&mut self) -> f64 {
        self.below(1 << 24) as f64 / f64::from(1 << 24)
    }

    pub(crate) fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.unit()
    }

    /// A place in a square, in whole units.
    pub(crate) fn place(&mut self, half: f64) -> DVec2 {
        let x = self.between(-half, half);
        whole(DVec2::new(x, self.between(-half, half)))
    }
}

/// The nearest place in whole units of a mesh. Below 128 m `f32` holds such places exactly.
pub(crate) fn whole(p: DVec2) -> DVec2 {
    (p / UNIT).round() * UNIT
}

pub(crate) fn narrow(p: DVec2) -> Vec2 {
    Vec2::new(p.x as f32, p.y as f32)
}

pub(crate) fn wide(p: Vec2) -> DVec2 {
    DVec2::new(f64::from(p.x), f64::from(p.y))
}

/// A turned box of random size.
pub(crate) fn rect(random: &mut Random, half: f64) -> Vec<DVec2> {
    let at = random.place(half);
    let (w, h) = (random.between(0.2, 1.2), random.between(0.2, 1.2));
    let turn = DVec2::from_angle(random.between(0.0, 3.2));
    [(-w, -h), (w, -h), (w, h), (-w, h)].map(|(x, y)| whole(at + turn.rotate(DVec2::new(x, y)))).to_vec()
}

/// A concave star.
pub(crate) fn star(random: &mut Random, half: f64) -> Vec<DVec2> {
    let at = random.place(half);
    let count = 5 + random.below(6);
    let corner = |k: usize, random: &mut Random| {
        let angle = k as f64 / count as f64 * std::f64::consts::TAU;
        whole(at + DVec2::from_angle(angle) * random.between(0.3, 1.6))
    };
    (0..count).map(|k| corner(k, random)).collect()
}

/// A box on a raster of half metres: walls in line, touching, on each other.
pub(crate) fn tile(random: &mut Random, half: f64) -> Vec<DVec2> {
    let cells = (half * 2.0) as usize;
    let at = |random: &mut Random| random.below(2 * cells) as f64 * 0.5 - half;
    let (x, y) = (at(random), at(random));
    let (w, h) = (0.5 * (1 + random.below(4)) as f64, 0.5 * (1 + random.below(4)) as f64);
    [(x, y), (x + w, y), (x + w, y + h), (x, y + h)].map(|(x, y)| DVec2::new(x, y)).to_vec()
}

pub(crate) fn mesh(scene: &Scene, max_radius: f32) -> Mesh {
    let mut mesh = Mesh::new(MeshDef { half: scene.half as f32, max_radius }).expect("a mesh");
    for outline in &scene.outlines {
        let outline: Vec<Vec2> = outline.iter().map(|&p| narrow(p)).collect();
        mesh.add(&outline).expect("built");
    }
    mesh
}

/// Tests each piece of a way against all walls.
pub(crate) fn is_valid(scene: &Scene, way: &Way) -> Result<(), String> {
    // Places are rounded, and so are the points of the way as `f32`.
    let r = f64::from(way.radius()) - 5.0 * UNIT;
    let mut at = wide(way.start());
    let mut length = 0.0;
    for bend in way.bends() {
        let (corner, from, to) = (wide(bend.corner), wide(bend.from), wide(bend.to));
        if !scene.is_clear(at, from, r) {
            return Err(format!("a line from {at} to {from} is too close to a wall"));
        }
        length += at.distance(from);
        if r > 0.0 {
            let angle = f64::from(bend.angle);
            if !scene.is_arc_clear(corner, from - corner, angle, r) {
                return Err(format!("an arc about {corner} is too close to a wall"));
            }
            let end = corner + DVec2::from_angle(angle).rotate(from - corner);
            if end.distance(to) > 1e-4 {
                return Err(format!("an arc about {corner} ends elsewhere, at {end} and not {to}"));
            }
            length += angle.abs() * from.distance(corner);
        }
        at = to;
    }
    if !scene.is_clear(at, wide(way.goal()), r) {
        return Err(format!("a line from {at} to {} is too close to a wall", way.goal()));
    }
    length += at.distance(wide(way.goal()));
    if (length - way.length()).abs() > 1e-3 {
        return Err(format!("{length} m by its pieces, {} m said", way.length()));
    }
    Ok(())
}
