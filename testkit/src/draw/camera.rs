//! How a world is looked at: what the pictures of [`draw_svg`](super::draw_svg) and `draw_png` have
//! in common.
//!
//! In: a world, and how large the picture is to be. Out: the view that shows what moves, lines and
//! signs that suit the size in which bodies appear, and the [`DrawOptions`] of all that.

use carom::{Aabb, BodyKind, DrawOptions, Transform, Vec2, World, WorldPoint, vec2};

/// Widest line and largest sign, in pixels.
const LINE: f32 = 1.5;
const MARK: f32 = 15.0;

/// Where pictures are taken from. Views are metres from the origin.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// Where the view's (0, 0) is in the world.
    pub origin: WorldPoint,
    /// What is seen.
    pub view: Aabb,
    /// How large a metre appears.
    pub pixels_per_metre: f32,
    /// Width of lines, in pixels.
    pub line: f32,
    /// Height of letters, in pixels; 0 for none.
    pub letters: f32,
    mark: f32,
    impulse_scale: f32,
}

impl Camera {
    /// Shows a view of a world in a picture whose longer side is so many pixels; without a view,
    /// what moves in it.
    pub fn new(world: &World, view: Option<Aabb>, pixels: f32) -> Camera {
        let origin = origin_of(world);
        let view = view.unwrap_or_else(|| around(world, origin));
        let pixels_per_metre = pixels / view.size().max_element();
        let size = typical(world);
        let apparent = size * pixels_per_metre;
        Camera {
            origin,
            view,
            pixels_per_metre,
            line: (0.08 * apparent).clamp(0.3, LINE),
            letters: if apparent < 12.0 { 0.0 } else { (0.3 * apparent).clamp(7.0, 11.0) },
            mark: (0.7 * apparent).clamp(0.0, MARK) / pixels_per_metre,
            impulse_scale: size / strong(world),
        }
    }

    /// How wide a dot of so many pixels is, in metres: as much thinner than usual as lines are.
    pub fn dot(&self, pixels: f32) -> f32 {
        pixels * self.line / LINE / self.pixels_per_metre
    }

    /// Whether bodies are large enough for signs to be told apart.
    pub fn is_near(&self) -> bool {
        self.letters > 0.0
    }

    /// What is drawn: `layers`, as the camera sees them.
    pub fn options(&self, layers: &DrawOptions) -> DrawOptions {
        let scaled = DrawOptions { impulse_scale: self.impulse_scale, ..layers.clone() };
        scaled.origin(self.origin).view(self.view.min, self.view.max).mark(self.mark)
    }

    /// Width and height, in pixels.
    pub fn size(&self) -> [u32; 2] {
        (self.view.size() * self.pixels_per_metre).to_array().map(|side| (side.round() as u32).max(1))
    }

    /// A place on the picture, from its upper left corner.
    pub fn pixel(&self, at: Vec2) -> Vec2 {
        vec2(at.x - self.view.min.x, self.view.max.y - at.y) * self.pixels_per_metre
    }
}

/// The middle of the region in which the first body is: coordinates are small numbers, and at home
/// those of the world.
pub fn origin_of(world: &World) -> WorldPoint {
    let first = world.bodies().next();
    first.map_or(WorldPoint::ORIGIN, |(_, body)| WorldPoint { local: Vec2::ZERO, ..body.world_center() })
}

/// Around what moves, but for two in a thousand on each side: what flew far away does not make all
/// else small.
pub fn around(world: &World, origin: WorldPoint) -> Aabb {
    let movers = world.bodies().filter(|(_, body)| body.kind() != BodyKind::Fixed);
    let centers: Vec<Vec2> = movers.map(|(_, body)| origin.to(body.world_center())).collect();
    let ends = |mut values: Vec<f32>| {
        values.sort_by(f32::total_cmp);
        let last = values.len().saturating_sub(1) as f32;
        let at = |share: f32| values.get((share * last).round() as usize).copied().unwrap_or(0.0);
        [at(0.002), at(0.998)]
    };
    let [left, right] = ends(centers.iter().map(|center| center.x).collect());
    let [bottom, top] = ends(centers.iter().map(|center| center.y).collect());
    let middle = Aabb { min: vec2(left, bottom), max: vec2(right, top) };
    let movers = world.bodies().filter(|(_, body)| body.kind() != BodyKind::Fixed);
    let shapes = movers.flat_map(|(id, body)| {
        let place = Transform { position: origin.to(body.world_position()), rotation: body.rotation() };
        world.shapes_of(id).map(move |(_, collider)| (place, collider.shape().aabb(place)))
    });
    let boxes =
        shapes.filter(|(place, aabb)| middle.contains_point(place.position) && aabb.size().is_finite());
    let all = boxes.fold(middle, |all, (_, aabb)| all.union(aabb));
    all.grown(0.5 * typical(world) + 0.03 * all.size().max_element())
}

/// The size of bodies that move: of half of them it is more.
fn typical(world: &World) -> f32 {
    let movers = world.bodies().filter(|(_, body)| body.kind() == BodyKind::Dynamic);
    let sizes = movers.map(|(id, _)| {
        let boxes = world.shapes_of(id).map(|(_, collider)| collider.shape().aabb(Transform::IDENTITY));
        let size = boxes.fold(Aabb::EMPTY, |all, aabb| all.union(aabb)).size();
        (size.x * size.y).sqrt()
    });
    quantile(sizes.collect(), 0.5)
}

/// An impulse that few contacts exceed.
fn strong(world: &World) -> f32 {
    quantile(world.contacts().map(|contact| contact.impulse).collect(), 0.9)
}

/// The number that a share of the positive ones are below; 1 if there are none.
fn quantile(mut values: Vec<f32>, share: f32) -> f32 {
    values.retain(|value| value.is_finite() && *value > 0.0);
    values.sort_by(f32::total_cmp);
    values.get((share * values.len() as f32) as usize).copied().unwrap_or(1.0)
}
