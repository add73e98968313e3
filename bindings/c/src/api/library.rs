//! The library itself, and the last failure.

use core::ffi::c_char;

use crate::failure::{Result, last_status as status_of_last, last_text};
use crate::types as c;

pub(crate) fn abi() -> Result<u32> {
    Ok(c::ABI)
}

pub(crate) fn version() -> Result<*const c_char> {
    Ok(concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast())
}

pub(crate) fn last_status() -> Result<c::Status> {
    Ok(status_of_last())
}

pub(crate) fn last_error() -> Result<*const c_char> {
    Ok(last_text())
}

pub(crate) fn status_text(status: c::Status) -> Result<*const c_char> {
    Ok(c::status_text(status).as_ptr())
}
