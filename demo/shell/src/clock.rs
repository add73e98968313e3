//! The time that the page tells, for the stages of a step: a module of WebAssembly has no clock of
//! its own.

/// Microseconds since some moment; always 0 where there is no page.
pub fn microseconds() -> u64 {
    page::microseconds() as u64
}

#[cfg(target_arch = "wasm32")]
#[allow(
    unsafe_code,
    reason = "the one function that the page hands in; it takes nothing, and any number will do"
)]
mod page {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        pub(super) safe fn microseconds() -> f64;
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod page {
    pub(super) fn microseconds() -> f64 {
        0.0
    }
}
