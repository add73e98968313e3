//! Reading a world between steps, apart from geometric queries (`query/`).
//!
//! ```text
//!   contacts.rs   which shapes touch now      poses.rs   where to draw bodies (interpolation)
//!   changes.rs    which fixed shapes were added, changed or removed
//!   island_boxes.rs   islands, and how far they may get
//!   images.rs     the shortest way between two places, in worlds that wrap round
//! ```

pub(super) mod changes;
pub(super) mod contacts;
mod images;
pub(super) mod island_boxes;
pub(super) mod poses;
