//! carom-nav in a browser: ways, crowds, minds and tactics.

mod board;
mod breach;
mod door;
mod fog;
mod meadow;
mod tactics;
#[cfg(test)]
mod tests;

use demo_shell::Info;

/// In the order of the page.
static ALL: [&Info; 5] = [&door::SCENE, &breach::SCENE, &meadow::SCENE, &tactics::SCENE, &fog::SCENE];

demo_shell::module!(&ALL);
