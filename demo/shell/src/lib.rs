//! What the modules of the browser demo share: scenes behind a C interface.
//!
//! In: calls from the page's scripts, in numbers only. Out: numbers, and buffers of linear memory
//! that the page reads where they lie. `demo/README.md` has the interface as a table;
//! `web/engine.js` is the other side of it.
//!
//! ```text
//!   page -> begin, step, grab, set_… -> Demo -> Scene (worlds, and who plays them) -> frame -> buffers -> page
//! ```

pub mod check;
pub mod clock;
pub mod commands;
pub mod demo;
pub mod geometry;
pub mod grab;
pub mod keys;
pub mod layers;
pub mod people;
pub mod scene;

pub use commands::{Commands, Ink};
pub use demo::Demo;
pub use layers::Layers;
pub use scene::{DT, Info, Input, PLAIN, Place, Play, Scene, Still, Timeline, hue};

/// Makes a crate a module of the page: exports the interface, for a list of scenes.
#[macro_export]
macro_rules! module {
    ($scenes:expr) => {
        thread_local! {
            static DEMO: core::cell::RefCell<$crate::Demo> = core::cell::RefCell::new($crate::Demo::new($scenes));
        }

        $crate::exports! {
            /// How many scenes there are.
            fn scene_count() -> u32 = |demo| demo.scene_count();
            /// Writes the title of a scene, and what else the page says of it, into buffer 7; false
            /// where there is none.
            fn describe(scene: u32) -> bool = |demo| demo.describe(scene);
            /// Writes the names of the debug layers into buffer 7.
            fn list_layers() = |demo| demo.list_layers();
            /// Begins with a scene, of `count` things; false if it was refused, buffer 5 says why
            /// then.
            fn begin(scene: u32, count: u32) -> bool = |demo| demo.begin(scene, count);
            /// Room for a file of so many bytes; `begin` of a scene that plays files plays it then.
            fn inbox(len: u32) -> *const u8 = |demo| demo.inbox(len);
            /// Writes what the scene can be kept as, a file, into buffer 7; false if it is none.
            fn keep() -> bool = |demo| demo.keep();
            /// One step; false if it was refused, buffer 5 says why then.
            fn step() -> bool = |demo| demo.step();
            /// Goes to a step of the scene's timeline; false if it has none.
            fn seek(step: f64) -> bool = |demo| demo.seek(step);
            /// Fills the buffers for drawing at `alpha` between the last two steps.
            fn frame(alpha: f32) = |demo| demo.frame(alpha);
            /// Where a buffer begins.
            fn buffer(which: u32) -> *const u8 = |demo| demo.buffer(which).0;
            /// How many numbers a buffer has.
            fn buffer_len(which: u32) -> u32 = |demo| demo.buffer(which).1;
            /// Another number whenever buffer 2, the outlines, is another one.
            fn revision() -> u32 = |demo| demo.revision();
            /// The hash of the world, of the first one if there are two, and of who plays it.
            fn hash() -> u64 = |demo| demo.hash();
            /// Takes hold of the body at a point, or within `reach` of it; false if there is none.
            fn grab(x: f32, y: f32, reach: f32) -> bool = |demo| demo.grab([x, y].into(), reach);
            /// Drags what is held to a point.
            fn drag(x: f32, y: f32) = |demo| demo.drag([x, y].into());
            /// Lets go.
            fn release() = |demo| demo.release();
            /// The pointer is at a point, and nothing is pressed.
            fn hover(x: f32, y: f32) = |demo| demo.hover([x, y].into());
            /// Gives the world another gravity; false if it was refused.
            fn set_gravity(x: f32, y: f32) -> bool = |demo| demo.set_gravity([x, y].into());
            /// Gives the world another number of sub-steps; false if it was refused.
            fn set_sub_steps(count: u32) -> bool = |demo| demo.set_sub_steps(count);
            /// Tells which keys are held down: a bit each, see `keys.rs`.
            fn set_keys(bits: u32) = |demo| demo.set_keys(bits);
            /// Tells whether the scene is to go the naive way, where it has one.
            fn set_naive(on: bool) = |demo| demo.set_naive(on);
            /// Tells which layers are drawn, a bit each; how many pixels a metre has, and which
            /// part of the world is seen.
            fn set_layers(bits: u32, scale: f32, left: f32, bottom: f32, right: f32, top: f32) = |demo| {
                let view = [[left, bottom].into(), [right, top].into()];
                demo.set_layers($crate::Layers { bits, scale, view })
            };
        }
    };
}

/// Declares what a module exports: functions with plain numbers in and out, each a call of the one
/// [`Demo`].
#[macro_export]
macro_rules! exports {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $kind:ty),*) $(-> $answer:ty)? = |$demo:ident| $body:expr;)*) => {$(
        $(#[$doc])*
        #[allow(unsafe_code, reason = "a name that no other function of the module has")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($arg: $kind),*) $(-> $answer)? {
            DEMO.with_borrow_mut(|$demo| $body)
        }
    )*};
}
