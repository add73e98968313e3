//! The WebAssembly module of the npm package: all functions of carom-c as exports, and functions
//! that only JavaScript needs: memory, hooks, and panics.
//!
//! JavaScript gives four functions (imports of the module `carom`) and calls `carom_js_start` once.
//! A panic does not trap: its text goes to `panicked`, which throws it as an Error.
//!
//! # Safety
//!
//! All callers are the package's own: they keep the rules in the head of carom-c's lib.rs, and call
//! on one thread.

use core::ffi::c_void;
use std::alloc::Layout;

use carom_c::types as c;

// Without a use of the crate, the linker would not look at its exports.
pub use carom_c::exports;

#[link(wasm_import_module = "carom")]
unsafe extern "C" {
    /// Throws the text of a panic.
    fn panicked(text: *const u8, len: usize);
    /// Whether the two shapes of a pair may touch: asks the hook of a number.
    fn filter_hook(hook: usize, pair: *const c::PairView) -> u32;
    /// Lets the hook of a number change a contact.
    fn contact_hook(hook: usize, pair: *const c::PairView, contact: *mut c::ContactEdit);
    /// Whether the query may find a shape: asks the predicate of a number.
    fn shape_predicate(predicate: usize, slot: u32, generation: u32) -> u32;
}

/// All allocations of JavaScript have this alignment, the largest of carom-c's structs.
const ALIGN: usize = 8;

/// Makes panics throw.
#[unsafe(no_mangle)]
pub extern "C" fn carom_js_start() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        // SAFETY: the import only reads the text. It throws, so the panic ends here.
        unsafe { panicked(text.as_ptr(), text.len()) };
    }));
}

/// Room for so many bytes, or NULL where there is none.
#[unsafe(no_mangle)]
pub extern "C" fn carom_js_take(bytes: usize) -> *mut u8 {
    match Layout::from_size_align(bytes.max(1), ALIGN) {
        // SAFETY: the size is not 0.
        Ok(layout) => unsafe { std::alloc::alloc(layout) },
        Err(_) => core::ptr::null_mut(),
    }
}

/// Gives room back that `carom_js_take` gave for so many bytes.
///
/// # Safety
/// See the head of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_js_give(start: *mut u8, bytes: usize) {
    if let Ok(layout) = Layout::from_size_align(bytes.max(1), ALIGN) {
        // SAFETY: it was taken with this layout.
        unsafe { std::alloc::dealloc(start, layout) };
    }
}

unsafe extern "C" fn filter(context: *mut c_void, pair: *const c::PairView) -> u8 {
    // SAFETY: the import reads the pair.
    u8::from(unsafe { filter_hook(context as usize, pair) } != 0)
}

unsafe extern "C" fn contact(
    context: *mut c_void,
    pair: *const c::PairView,
    contact: *mut c::ContactEdit,
) {
    // SAFETY: the import reads the pair and writes the contact.
    unsafe { contact_hook(context as usize, pair, contact) };
}

unsafe extern "C" fn predicate(context: *mut c_void, shape: c::Shape) -> u8 {
    // SAFETY: the import takes numbers.
    u8::from(unsafe { shape_predicate(context as usize, shape.slot, shape.generation) } != 0)
}

/// The hook that asks JavaScript whether two shapes may touch.
#[unsafe(no_mangle)]
pub extern "C" fn carom_js_filter_hook() -> c::FilterHook {
    Some(filter)
}

/// The hook that lets JavaScript change a contact.
#[unsafe(no_mangle)]
pub extern "C" fn carom_js_contact_hook() -> c::ContactHook {
    Some(contact)
}

/// The predicate that asks JavaScript.
#[unsafe(no_mangle)]
pub extern "C" fn carom_js_shape_predicate() -> c::ShapePredicate {
    Some(predicate)
}

/// The status of the last call that failed, once: 0 if none did since this was asked.
#[unsafe(no_mangle)]
pub extern "C" fn carom_js_failure() -> c::Status {
    carom_c::take_last_status()
}
