//! Lanchester's laws of battle.
