//! The scenes of physics, a file each.
//!
//! To add one: a file with a `SCENE`, and its line in [`ALL`].

mod circles;
mod conveyor;
mod joints;
mod pile;
mod pyramid;
mod ragdolls;
mod ships;
mod table;
mod tumbler;
mod unlimited;
mod water;

use demo_shell::Info;

/// In the order of the page.
pub(crate) static ALL: [&Info; 11] = [
    &pyramid::SCENE,
    &pile::SCENE,
    &tumbler::SCENE,
    &ragdolls::SCENE,
    &joints::SCENE,
    &conveyor::SCENE,
    &ships::SCENE,
    &table::SCENE,
    &water::SCENE,
    &circles::SCENE,
    &unlimited::SCENE,
];
