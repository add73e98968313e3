//! What needs all of carom, in a browser: recordings, the golden scenes, snapshots, levels that are
//! cut, dug and broken.
//!
//! A module of its own, because a recording can make any call, so nothing of the crate can be left
//! out of what plays it.

mod breaking;
mod determinism;
mod endless;
mod patrol;
mod platformer;
mod recording;
#[cfg(test)]
mod tests;
mod tilemap;
mod view;

use demo_shell::Info;

/// In the order of the page.
static ALL: [&Info; 7] = [
    &platformer::SCENE,
    &tilemap::SCENE,
    &breaking::SCENE,
    &endless::SCENE,
    &patrol::SCENE,
    &determinism::SCENE,
    &recording::SCENE,
];

demo_shell::module!(&ALL);
