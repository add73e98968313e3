//! Two shapes, without a world.
//!
//! A [`Shape`](crate::Shape) is a value: make it once, and use it as often as you like, each time
//! with a [`Transform`](crate::Transform) for its place. There is nothing to set up.
//!
//! ```
//! use carom::prelude::*;
//!
//! let ship = Shape::triangle([1.0, 0.0], [-0.6, 0.6], [-0.6, -0.6]);
//! let rock = Shape::circle(0.5);
//! let (here, there) = (Transform::new([0.0, 0.0], 0.3), Transform::at([1.2, 0.4]));
//!
//! if overlaps(&ship, here, &rock, there) {
//!     println!("crash");
//! }
//! ```
//!
//! # What can be asked
//!
//! | function | answer |
//! |---|---|
//! | [`overlaps`](crate::overlaps()) | do they touch? The quickest. |
//! | [`contact`](crate::contact()) | normal, up to two points and depths, of shapes that touch |
//! | [`contact_within`](crate::contact_within()) | the same of shapes that are nearer than a margin |
//! | [`distance`](crate::distance()) | how far apart, or how deep, and the two nearest points |
//! | [`cast`](crate::cast()) | when do they first touch, if one moves along a [`Motion`](crate::Motion)? |
//! | [`ray`](crate::ray()) | where does a ray enter? |
//! | [`contains`](crate::contains()), [`closest_point`](crate::closest_point()) | is a point inside, and where is the nearest point of the shape? |
//! | [`batch`](crate::batch) | boxes and circles eight at a time |
//!
#![doc = include_str!("../../docs/overlaps.svg")]
//!
//! All functions take any two kinds. Exchanging the two shapes exchanges the answer, bit for bit.
//!
//! ```
//! use carom::prelude::*;
//!
//! let (wall, ball) = (Shape::rect(0.2, 4.0), Shape::circle(0.25));
//! let flight = Motion::straight(Transform::at([-3.0, 0.0]), [10.0, 0.0]);
//! let hit = cast(&ball, flight, &wall, Motion::still(Transform::IDENTITY)).expect("it does not pass");
//! assert!((hit.time - 0.265).abs() < 1e-3); // of the whole motion: 2.65 of its 10 metres
//! ```
//!
//! # Kinds
//!
//! `circle`, `capsule`, `segment`, `rect`, `polygon` (up to eight corners), `hull` (of any points),
//! `regular`, `triangle`, `polar` (a star-shaped outline of any number of corners: ships, rocks),
//! `compound` (several as one), `chain` and `closed_chain` (ground without inner corners to catch
//! on), `half_plane`. Each convex one can be `rounded`, and all can be placed in their own frame:
//! `.at(…)`, `.turned(…)`. `outline` cuts any simple polygon into convex parts,
//! `outline_with_holes` one with holes, and `from_mask` the solid pixels of an image.
//!
//! # When a definition is wrong
//!
//! An invalid definition does not panic: it is [`Shape::Invalid`](crate::Shape::Invalid), and
//! touches nothing. Check it where it matters:
//!
//! ```
//! use carom::{Shape, ShapeError};
//!
//! let from_a_file = Shape::rect(2.0, -1.0);
//! assert_eq!(from_a_file.checked(), Err(ShapeError::NotPositive));
//! ```
//!
//! # Outlines of ships
//!
//! For two polar outlines whose relative rotation stays the same, use
//! [`polar::Table`](crate::polar::Table): one look-up by the angle of the offset, exact, however
//! many corners they have. It suits arcade games, where ships have a few dozen directions.
#![doc = include_str!("../../docs/polar.svg")]
//!
//! Next: [a world](super::world).
