//! Ways as results: in metres, bend by bend.

use glam::Vec2;

/// A turn of a way about a corner, or a point where it enters an area of another cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// The corner.
    pub corner: Vec2,
    /// The point where the way reaches the circle about the corner; the corner itself for a way of
    /// a point, and on the border of an area.
    pub from: Vec2,
    /// The point where the way leaves the circle.
    pub to: Vec2,
    /// The angle of the turn, in radians; above 0 counter-clockwise.
    pub angle: f32,
}

/// A way of a disc: straight pieces, and arcs about corners.
///
/// [`Mesh::way`](super::Mesh::way) fills it, and can fill it again and again.
#[derive(Clone, Debug, Default)]
pub struct Way {
    pub(crate) start: Vec2,
    pub(crate) goal: Vec2,
    pub(crate) bends: Vec<Bend>,
    pub(crate) length: f64,
    pub(crate) cost: f64,
    pub(crate) radius: f32,
    pub(crate) from_moved: bool,
    pub(crate) to_moved: bool,
    /// Tiles that the way crosses, with their revisions.
    pub(crate) tiles: Vec<(u32, u32)>,
}

impl Way {
    /// Its start: the requested one, or the nearest place that holds the disc.
    pub fn start(&self) -> Vec2 {
        self.start
    }

    /// Its end: the requested goal, or the nearest place that holds the disc.
    pub fn goal(&self) -> Vec2 {
        self.goal
    }

    /// Its turns, in order.
    pub fn bends(&self) -> &[Bend] {
        &self.bends
    }

    /// Its length, in metres.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Its cost: the length of each part times the factor of its land. Without areas of other costs
    /// it is the length.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// The radius of its request.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Whether the requested start does not hold the disc, so that the way starts elsewhere.
    pub fn from_moved(&self) -> bool {
        self.from_moved
    }

    /// Whether the requested goal does not hold the disc, so that the way ends elsewhere.
    pub fn to_moved(&self) -> bool {
        self.to_moved
    }

    /// The way as points, from start to goal; arcs become lines at most `sag` metres from them.
    pub fn points(&self, sag: f32, points: &mut Vec<Vec2>) {
        points.clear();
        self.each_point(sag, |point| points.push(point));
    }

    fn each_point(&self, sag: f32, mut push: impl FnMut(Vec2)) {
        push(self.start);
        for bend in &self.bends {
            push(bend.from);
            let spoke = bend.from - bend.corner;
            let radius = spoke.length();
            if radius > 0.0 {
                // A chord over an angle a sags by r a^2 / 8, or less.
                let step = (8.0 * sag.clamp(1e-6, 1e6) / radius).sqrt().clamp(0.01, 1.0);
                let count = (bend.angle.abs() / step).ceil().clamp(1.0, 1000.0) as u32;
                let (mut at, by) = (spoke, turned(bend.angle / count as f32));
                for _ in 1..count {
                    at = Vec2::new(at.x * by.x - at.y * by.y, at.x * by.y + at.y * by.x);
                    push(bend.corner + at);
                }
                push(bend.to);
            }
        }
        push(self.goal);
    }

    /// The way as points of the world, given the position of the mesh's middle:
    /// [`Ground::origin`](super::Ground::origin). Arcs become lines at most `sag` metres from them.
    #[cfg(feature = "world")]
    pub fn world_points(
        &self,
        origin: impl Into<carom::WorldPoint>,
        sag: f32,
        points: &mut Vec<carom::WorldPoint>,
    ) {
        let origin = origin.into();
        points.clear();
        self.each_point(sag, |point| points.push(origin.offset(point)));
    }

    /// Whether it holds no way: none was searched for yet, or none was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        // A way crosses one tile at least.
        self.tiles.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.bends.clear();
        self.tiles.clear();
        (self.length, self.cost) = (0.0, 0.0);
    }
}

/// Cosine and sine of an angle of at most 1, by their series.
fn turned(angle: f32) -> Vec2 {
    let a = f64::from(angle);
    let q = a * a;
    let cos = 1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0 * (1.0 - q / 90.0))));
    let sin = a * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0 * (1.0 - q / 72.0))));
    Vec2::new(cos as f32, sin as f32)
}
