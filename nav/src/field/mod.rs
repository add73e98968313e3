//! Fields over a whole map: flow, reach, influence.
