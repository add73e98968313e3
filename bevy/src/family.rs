//! Parents: a place in the world as a `Transform` below a parent, and back.
//!
//! In: the pose of a body, and what stands above its entity. Out: the `Transform` with which it is
//! drawn at that pose.

use bevy_ecs::entity::Entity;
use bevy_math::{Affine3A, Quat, Vec3};
use bevy_transform::components::Transform;
use carom::{Pose, Rot, Vec2, math};

/// Ancestors of an entity that are looked at. More than that is a circle.
const MOST_ANCESTORS: usize = 1000;

/// What a `Transform` is relative to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Frame {
    /// To the world.
    Alone(Transform),
    /// To a parent, which stands there.
    Below(Affine3A, Transform),
}

/// Place and angle in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) position: Vec2,
    pub(crate) angle: f32,
}

impl Frame {
    /// Where that is in the world.
    pub(crate) fn spot(&self) -> Spot {
        let (place, axis) = match self {
            Frame::Alone(local) => (local.translation, local.rotation * Vec3::X),
            Frame::Below(parent, local) => (
                parent.transform_point3(local.translation),
                parent.transform_vector3(local.rotation * Vec3::X),
            ),
        };
        Spot { position: [place.x, place.y].into(), angle: math::atan2(axis.y, axis.x) }
    }

    /// The `Transform` that draws a body at `pose`, keeping height and scale. `None` below a parent
    /// of no size.
    pub(crate) fn followed(&self, pose: Pose) -> Option<Transform> {
        let Rot { cos, sin } = pose.rotation;
        match *self {
            Frame::Alone(local) => Some(Transform {
                translation: Vec3::new(pose.position.x, pose.position.y, local.translation.z),
                rotation: turn(cos, sin),
                ..local
            }),
            Frame::Below(parent, local) => {
                let height = parent.transform_point3(local.translation).z;
                let back = parent.inverse();
                let place = back.transform_point3(Vec3::new(pose.position.x, pose.position.y, height));
                let axis = back.transform_vector3(Vec3::new(cos, sin, 0.0)).truncate().normalize_or_zero();
                let sound = place.is_finite() && axis.length_squared() > 0.5;
                sound.then(|| Transform {
                    translation: Vec3::new(place.x, place.y, local.translation.z),
                    rotation: turn(axis.x, axis.y),
                    ..local
                })
            }
        }
    }
}

/// The turn about z whose cosine and sine these are. By half angles: `cos a = 2 w^2 - 1 = 1 - 2
/// z^2`, `sin a = 2 w z`; of the two, the one that is not small is the root.
fn turn(cos: f32, sin: f32) -> Quat {
    let (z, w) = if cos >= 0.0 {
        let w = ((1.0 + cos) * 0.5).sqrt();
        (sin / (2.0 * w), w)
    } else {
        let z = ((1.0 - cos) * 0.5).sqrt().copysign(sin);
        (z, sin / (2.0 * z))
    };
    Quat::from_xyzw(0.0, 0.0, z, w)
}

/// Where an entity stands, by its own `Transform` and those of all above it.
pub(crate) fn global(
    entity: Entity,
    transform: impl Fn(Entity) -> Option<Transform>,
    parent: impl Fn(Entity) -> Option<Entity>,
) -> Affine3A {
    let of = |entity| transform(entity).map_or(Affine3A::IDENTITY, |local| local.compute_affine());
    let mut affine = of(entity);
    let mut above = parent(entity);
    for _ in 0..MOST_ANCESTORS {
        let Some(next) = above else { break };
        affine = of(next) * affine;
        above = parent(next);
    }
    affine
}

/// How many stand above an entity.
pub(crate) fn depth(entity: Entity, parent: impl Fn(Entity) -> Option<Entity>) -> usize {
    core::iter::successors(parent(entity), |&entity| parent(entity)).take(MOST_ANCESTORS).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every angle: the quaternion turns as it says, is of length 1, and the angle comes back.
    #[test]
    fn turns_come_back() {
        for step in -1000..=1000 {
            let angle = step as f32 * core::f32::consts::PI / 1000.0;
            let Rot { cos, sin } = Rot::from_angle(angle);
            let rotation = turn(cos, sin);
            assert!((rotation.length() - 1.0).abs() < 1e-6, "{angle}");
            let spot = Frame::Alone(Transform::from_rotation(rotation)).spot();
            let off = (spot.angle - angle).rem_euclid(core::f32::consts::TAU);
            assert!(
                !(1e-6..core::f32::consts::TAU - 1e-6).contains(&off),
                "{angle} came back as {}",
                spot.angle
            );
        }
    }

    /// Below a parent that is moved, turned and scaled: place and angle come back.
    #[test]
    fn places_below_a_parent_come_back() {
        let parent = Transform::from_xyz(3.0, -2.0, 5.0)
            .with_rotation(Quat::from_rotation_z(0.7))
            .with_scale(Vec3::splat(2.5));
        let local = Transform::from_xyz(1.0, 2.0, 3.0).with_scale(Vec3::splat(0.5));
        let frame = Frame::Below(parent.compute_affine(), local);
        let pose = Pose { position: Vec2::new(10.0, 4.0), rotation: Rot::from_angle(-2.0) };
        let followed = frame.followed(pose).expect("the parent has a size");
        assert_eq!((followed.translation.z, followed.scale), (3.0, Vec3::splat(0.5)));
        let spot = Frame::Below(parent.compute_affine(), followed).spot();
        assert!(
            (spot.position - pose.position).length() < 1e-5 && (spot.angle + 2.0).abs() < 1e-5,
            "{spot:?}"
        );
        let flat = Transform::from_scale(Vec3::ZERO).compute_affine();
        assert_eq!(Frame::Below(flat, local).followed(pose), None);
    }
}
