//! The constraint graph of the last step: which contacts touch, and their colours.

use crate::contact::colour::{Colouring, ZoneCut};

/// Contacts that touch, coloured so that no two of a colour share a body.
#[derive(Debug, Default)]
pub(crate) struct ConstraintGraph {
    pub(crate) colouring: Colouring,
    /// The partition of rows into zones.
    pub(crate) row_cut: ZoneCut,
    /// Contacts that touch, as of the last colouring.
    pub(crate) touching: Vec<u32>,
}
