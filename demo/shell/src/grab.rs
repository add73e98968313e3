//! A hand that drags bodies: a joint of the mouse in every world of the scene.
//!
//! In: points as the page sees them. Out: joints added, moved and removed. Where a scene has two
//! worlds, both get the same pull on the same body, so that what was equal stays equal.

use carom::Error;
use carom::prelude::*;

use crate::commands::{Commands, Ink};
use crate::scene::Place;

/// Strength of the pull: this times the weight that the body has on earth.
const STRENGTH: f32 = 120.0 * 9.81;

/// A hand that holds a body.
pub struct Grab {
    /// Which world it was taken hold of in.
    of: usize,
    body: BodyId,
    /// On the body.
    anchor: Vec2,
    /// One in each world.
    joints: Vec<JointId>,
    /// As the page sees it.
    target: Vec2,
}

impl Grab {
    /// Takes hold of a dynamic body at a point, or of the nearest within `reach`.
    pub fn at(places: &mut [Place], point: Vec2, reach: f32) -> Option<Grab> {
        let (of, body) =
            places.iter().enumerate().find_map(|(k, place)| Some((k, body_at(place, point, reach)?)))?;
        let held = places[of].world.get(body)?;
        let anchor = held.to_local(places[of].point(point));
        let force = STRENGTH * held.mass();
        let from = places[of].shift;
        let joint = |place: &mut Place| -> Result<JointId, Error> {
            let at = place.world.get(body).ok_or(Error::NoSuchBody(body))?.to_world(anchor);
            let joint = place.world.add_joint(JointDef::drag(body, at, force))?;
            let target = place.origin.offset(point - from);
            place.world.change_joint(joint, |def| *def = (*def).drag_to(target))?;
            Ok(joint)
        };
        let joints = places.iter_mut().map(joint).collect::<Result<Vec<JointId>, Error>>().ok()?;
        Some(Grab { of, body, anchor, joints, target: point })
    }

    /// Which world, and which body of it.
    pub fn held(&self) -> (usize, BodyId) {
        (self.of, self.body)
    }

    /// Drags to another point; false if what it held is gone.
    pub fn drag(&mut self, places: &mut [Place], point: Vec2) -> bool {
        self.target = point;
        let from = places[self.of].shift;
        let mut moved = true;
        for (place, &joint) in places.iter_mut().zip(&self.joints) {
            let target = place.origin.offset(point - from);
            moved &= place.world.wake_up(self.body).is_ok();
            moved &= place.world.change_joint(joint, |def| *def = (*def).drag_to(target)).is_ok();
        }
        moved
    }

    /// Lets go.
    pub fn release(self, places: &mut [Place]) {
        for (place, joint) in places.iter_mut().zip(self.joints) {
            // It may have gone with its body.
            let _ = place.world.remove_joint(joint);
        }
    }

    /// A line from the body to where it is dragged.
    pub fn draw(&self, places: &[Place], out: &mut Commands) {
        let place = &places[self.of];
        let Some(body) = place.world.get(self.body) else { return };
        let held = place.home().to(body.to_world(self.anchor));
        out.put_line(Ink::Blue, held, self.target);
        out.put_point(Ink::Blue, 4.0, held);
        out.put_point(Ink::Blue, 3.0, self.target);
    }
}

fn body_at(place: &Place, point: Vec2, reach: f32) -> Option<BodyId> {
    let (world, at) = (&place.world, place.point(point));
    let is_dynamic = |body: &BodyId| world.get(*body).is_some_and(|body| body.kind() == BodyKind::Dynamic);
    let mut found = Vec::new();
    world.overlap_point(at, &QueryFilter::default().with_sensors(), &mut found);
    let hit = found.iter().map(|answer| answer.body).find(is_dynamic);
    if hit.is_some() {
        return hit;
    }
    let finger = Shape::circle(reach);
    world.overlap_shape(&PlacedShape::at(&finger, at), &QueryFilter::default(), &mut found);
    found.iter().map(|answer| answer.body).find(is_dynamic)
}
