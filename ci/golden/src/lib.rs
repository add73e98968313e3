//! Golden scenes behind a C interface: what `run.mjs` calls in a WebAssembly module, where there is
//! no command line and no file.
//!
//! In: the number of a scene, then numbers of steps. Out: hashes.

use core::cell::RefCell;
use testkit::golden::nav::{self, NavScene};
use testkit::golden::{SCENES, Scene};

/// Of bodies, or of carom-nav.
enum Any {
    World(Box<Scene>),
    Nav(NavScene),
}

thread_local! {
    static SCENE: RefCell<Option<Any>> = const { RefCell::new(None) };
}

/// Begins with the scene of a number, from 0 on: first those of bodies, then those of carom-nav;
/// false where there is none.
#[allow(unsafe_code, reason = "a name that no other function of the module has")]
#[unsafe(no_mangle)]
pub extern "C" fn begin(number: u32) -> bool {
    let number = number as usize;
    let scene = match SCENES.get(number) {
        Some((_, build)) => build().ok().map(Box::new).map(Any::World),
        None => nav::SCENES.get(number - SCENES.len()).map(|(_, build)| Any::Nav(build())),
    };
    SCENE.with_borrow_mut(|current| {
        *current = scene;
        current.is_some()
    })
}

/// The hash of the scene after so many steps in all; 0 if a step was refused.
#[allow(unsafe_code, reason = "a name that no other function of the module has")]
#[unsafe(no_mangle)]
pub extern "C" fn hash_at(step: u32) -> u64 {
    SCENE.with_borrow_mut(|scene| match scene {
        Some(Any::World(scene)) => scene.hash_at(step).unwrap_or(0),
        Some(Any::Nav(scene)) => scene.hash_at(step),
        None => 0,
    })
}
