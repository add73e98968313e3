//! A world at a moment, to be drawn later: what it looked like, beside what became of it.
//!
//! In: a world. Out: its shapes as they stood then, drawn in the styles that the caller gives to
//! bodies.

use super::svg::{Style, Svg};
use carom::{BodyId, Shape, Transform, Vec2, World};

/// The shapes of all bodies, and where they were.
pub struct Moment(Vec<(BodyId, Shape, Transform)>);

impl Moment {
    /// What a world looks like now.
    pub fn of(world: &World) -> Moment {
        let shapes = |(id, body): (BodyId, &carom::Body)| {
            let at = body.transform();
            world.shapes_of(id).map(move |(_, collider)| (id, collider.shape().clone(), at))
        };
        Moment(world.bodies().flat_map(shapes).collect())
    }

    /// Draws every body to which `style` gives one.
    pub fn draw(&self, svg: &mut Svg, style: impl Fn(BodyId) -> Option<Style<'static>>) {
        for (id, shape, at) in &self.0 {
            if let Some(style) = style(*id) {
                draw(svg, shape, *at, style);
            }
        }
    }
}

/// A shape at a place.
pub fn draw(svg: &mut Svg, shape: &Shape, at: Transform, style: Style) {
    let placed = |points: &[Vec2]| -> Vec<Vec2> { points.iter().map(|&point| at.apply(point)).collect() };
    match shape {
        Shape::Circle(circle) => svg.circle(at.apply(circle.center()), circle.radius(), style),
        Shape::Capsule(capsule) => svg.rounded(&placed(&capsule.ends()), capsule.radius(), style),
        Shape::Obb(obb) => svg.polygon(&placed(&obb.corners()), style),
        Shape::Polygon(polygon) => svg.rounded(&placed(polygon.vertices()), polygon.radius(), style),
        Shape::Chain(chain) if chain.is_closed() => svg.polygon(&placed(&chain.points()), style),
        Shape::Chain(chain) => svg.polyline(&placed(&chain.points()), Style { fill: "none", ..style }),
        Shape::Polar(polar) => svg.polygon(&placed(polar.vertices()), style),
        Shape::Compound(compound) => compound.parts().iter().for_each(|part| draw(svg, part, at, style)),
        Shape::Tiles(map) => {
            let cells = (0..map.len() as u32).map(|part| map.corners(map.place(part)).collect::<Vec<Vec2>>());
            cells
                .filter(|corners| !corners.is_empty())
                .for_each(|corners| svg.polygon(&placed(&corners), style));
        }
        other => panic!("{other:?} is in no example that draws moments"),
    }
}
