//! Golden scenes behind a C interface: what `run.mjs` calls in a WebAssembly module, where there is no command line and no file.
//!
//! In: the number of a scene, then numbers of steps. Out: hashes.

use core::cell::RefCell;
use testkit::golden::{SCENES, Scene};

thread_local! {
    static SCENE: RefCell<Option<Scene>> = const { RefCell::new(None) };
}

/// Begins with the scene of a number, from 0 on; false where there is none.
#[allow(unsafe_code, reason = "a name that no other function of the module has")]
#[unsafe(no_mangle)]
pub extern "C" fn begin(number: u32) -> bool {
    let scene = SCENES.get(number as usize).and_then(|(_, build)| build().ok());
    SCENE.with_borrow_mut(|current| {
        *current = scene;
        current.is_some()
    })
}

/// The hash of the scene after so many steps in all; 0 if a step was refused.
#[allow(unsafe_code, reason = "a name that no other function of the module has")]
#[unsafe(no_mangle)]
pub extern "C" fn hash_at(step: u32) -> u64 {
    SCENE.with_borrow_mut(|scene| scene.as_mut().and_then(|scene| scene.hash_at(step).ok()).unwrap_or(0))
}
