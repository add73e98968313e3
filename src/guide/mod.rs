//! A guide: from two shapes to a game that rolls back.
//!
//! Each chapter stands alone, and its code is compiled and run as a test. Read the first three to
//! make something move, and the others when you need them.
//!
//! | chapter | the question it answers |
//! |---|---|
//! | [`shapes`] | do these two touch, where, how deep, and when? |
//! | [`world`] | how do I make bodies that fall and collide? |
//! | [`game_loop`] | how do steps fit frames, and what do I draw? |
//! | [`materials`] | why does it slide, bounce, roll, stick? |
//! | [`joints`] | how do I hang, hinge, drive and break things? |
//! | [`areas`] | how do I make wind, water, planets? |
//! | [`events`] | what happened in this step? |
//! | [`queries`] | what is there, along this ray, around this point? |
//! | [`characters`] | how does the player walk? |
//! | [`snapshots`] | how do I save, go back, and replay? |
//! | [`streaming`] | how do levels come and go, and bodies go from world to world? |
//! | [`tiles`] | how do I build and dig a map of tiles? |
//! | [`breaking`] | how do I cut, shatter and dig? |
//! | [`pixels`] | can I count in pixels? |
//! | [`determinism`] | why are the results the same to the bit, and what could spoil that? |
//! | [`many_worlds`] | how do I train, search or look ahead in thousands of worlds? |
//! | [`performance`] | how many bodies, and what costs time? |
//! | [`recipes`] | a platform, a coin, a rope, a car, an explosion: how is that made? |
//! | [`faq`] | nothing happens, it is slow, it stutters, it falls through: why? |
//! | [`coming_from`] | what is it called here, for users of eight other engines? |
//! | [`from_rapier2d`], [`from_box2d`] | the same, in full |
//!
//! Four conventions hold everywhere: metres (or [`pixels`]), kilograms, seconds, radians; y up,
//! angles counter-clockwise; full sizes, not half sizes; and normals point from the first shape to
//! the second, or out of the shape that a query of a world found.

pub mod areas;
pub mod breaking;
pub mod characters;
pub mod coming_from;
pub mod determinism;
pub mod events;
pub mod faq;
pub mod from_box2d;
pub mod from_rapier2d;
pub mod game_loop;
pub mod joints;
pub mod many_worlds;
pub mod materials;
pub mod performance;
pub mod pixels;
pub mod queries;
pub mod recipes;
pub mod shapes;
pub mod snapshots;
pub mod streaming;
pub mod tiles;
pub mod world;
