//! What a world is asked between steps, apart from queries of geometry (`query/`).
//!
//! ```text
//!   contacts.rs   who touches whom now        poses.rs   where to draw bodies
//! ```

pub(super) mod contacts;
pub(super) mod poses;
