//! Units that move by tiles.
