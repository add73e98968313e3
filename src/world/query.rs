//! Questions to the world: rays, casts, overlaps.
