//! What is read from a world between steps, apart from geometric queries (`query/`).
//!
//! ```text
//!   contacts.rs   which shapes touch now      poses.rs   where to draw bodies (interpolation)
//!   changes.rs    which fixed shapes were added, changed or removed
//! ```

pub(super) mod changes;
pub(super) mod contacts;
pub(super) mod poses;
